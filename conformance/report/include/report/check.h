/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings, connections and the summary of a check, in each output format. */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include <report/conn.h>
#include <report/limits.h>
#include <report/out_buf.h>
#include <report/spots.h>
#include <report/times.h>
#include <report/traits.h>
#include <report/transports.h>

/** report_verbosity is -q, nothing, or -v. */
typedef enum report_verbosity { REPORT_QUIET = 0, REPORT_NORMAL, REPORT_VERBOSE } report_verbosity;

/** report_advice is what the page of a rule has in one line each; static storage. */
typedef struct report_advice {
  const char *cause;
  const char *effect;
  const char *operator_do;
  const char *implementer_do;
} report_advice;

/** report_rule_total is what one rule met in all connections. */
typedef struct report_rule_total {
  iwarp_verdict verdict; /* worst: fail, inconclusive, pass, not seen */
  bool expected;         /* the verdict is fail, and each finding was expected: xfail */
  uint32_t reason;       /* IWARP_REASON_* */
  uint64_t findings;
} report_rule_total;

/** REPORT_NO_RULE_DECIDED is `undecided` where the number of rules decided, 0, is the reason. */
#define REPORT_NO_RULE_DECIDED "no rule was decided"

#define REPORT_ENCAPS 40u /* names of tags and tunnels */

/** report_encap counts the packets with a tag or a tunnel. */
typedef struct report_encap {
  const char *name; /* the caller's; NULL: no further ones follow */
  uint64_t packets;
} report_encap;

/** report_totals is what a run came to. */
typedef struct report_totals {
  uint64_t files;
  uint64_t packets;
  uint64_t octets; /* octets on the wire */
  uint64_t connections;
  uint64_t proven; /* connections of `connections` with a startup frame or an FPDU */
  uint64_t fpdus;
  uint64_t segments;               /* DDP Segments over SCTP in `fpdus` */
  uint64_t outcomes[OBSERVE_HOWS]; /* connections, by observe_how */
  uint64_t findings[OBSERVE_SEVERITIES];
  uint64_t suspected[OBSERVE_SEVERITIES]; /* suspected findings, which count nowhere else */
  uint64_t xfail;           /* findings that were expected, which count nowhere else */
  uint64_t xpass;           /* lines of a baseline whose findings did not come */
  const char *missing;      /* `xpass` in words, a line each, or NULL */
  report_rule_total *rules; /* a total for each row of the catalogue */
  uint64_t decided;         /* verdicts pass and fail, of all rules on all connections */
  report_limits given_up;   /* connections that a limit ended or cost octets */
  uint64_t named;           /* connections with an outcome that fails the run */
  uint64_t undecodable;     /* octets, observe_undecodable */
  uint64_t undecodable_in;  /* connections with undecodable octets */
  report_encap layers[REPORT_ENCAPS];
  const char *verdict;   /* "pass", "fail", "undecided", "no-iwarp" or "error" */
  const char *undecided; /* why the verdict is that, or NULL */
} report_totals;

#define REPORT_DIAGNOSES 64u /* diagnoses that a report has room to note, by id */

/** report_check is the state that all formats share. */
typedef struct report_check {
  out_buf *out;
  void *ctx;           /* state of a format that does not print */
  report_spots *spots; /* baseline: what it counts; the caller's */
  const char *command; /* the subcommand that reports */
  report_verbosity verbosity;
  bool octets;   /* octets of the item of each finding, as REPORT_VERBOSE does */
  bool verdicts; /* verdicts of each rule, as REPORT_VERBOSE does */
  bool color;
  const report_advice *advice; /* advice by rule, or NULL */
  report_clock clock;
  iwarp_severity level;           /* lowest severity that is printed */
  bool fails[OBSERVE_SEVERITIES]; /* severities whose findings fail the run */
  uint64_t max_findings;          /* findings printed in all, at most; UINT64_MAX: no limit */
  uint64_t num_printed;
  uint64_t num_withheld;       /* findings withheld by max_findings */
  uint64_t same;               /* findings of one rule and side of a connection that are printed */
  const uint64_t *input;       /* octets read so far, which bound what is printed; NULL: no bound */
  uint64_t spent;              /* octets of findings and connections printed */
  uint64_t num_repeated;       /* findings that were only counted, by `same` or by the bound */
  uint64_t num_conns_withheld; /* connections withheld by the bound */
  uint64_t num_pdus_withheld;  /* PDUs and gaps withheld by the bound */
  bool brief;          /* a connection beyond the bound has only its broken rules, without advice */
  uint64_t num_suites; /* suites or results, as counted by the format */
  uint64_t num_numbered;          /* connections that the format has given a number */
  uint64_t num_held;              /* octets that the text report keeps back, of all connections */
  uint8_t rule_shown[64];         /* rules of which a finding was printed, a bit each */
  uint64_t num_rows;              /* html: lines of PDUs in the page */
  uint64_t num_beyond;            /* html: lines beyond the first ones */
  uint64_t num_sampled;           /* html: lines of `num_beyond` that were taken for the sample */
  uint64_t num_left_out;          /* html: lines that the page does not have */
  uint64_t num_conns_kept;        /* html: octets that are kept for the ends of connections */
  uint64_t num_conns_seen;        /* html: connections beyond the first ones */
  uint64_t num_conns_taken;       /* html: connections of `num_conns_seen` in the sample */
  uint64_t num_conns_left_out;    /* html: connections that the page does not have */
  uint64_t num_findings_left_out; /* html: findings that the page does not have */
  uint64_t plots_memory;          /* html: octets that the plots of open connections have */
  uint64_t plots_octets;          /* html: octets of plots in the page */
  uint64_t plots_left_out;        /* html: connections whose plots the page does not have */
  uint64_t diagnosis_shown;       /* sarif: diagnoses of which a result was printed, a bit each */
  uint64_t diagnosed[REPORT_DIAGNOSES]; /* text: connections that have it as their first one */
  const struct report_shard *shard;     /* JSON Lines: of which part of a run, or NULL */
  out_buf traits;                       /* text: the lines of traits, until the summary */
  const char *traits_file;              /* the capture that its last heading names, or NULL */
} report_check;

/**
 * report_format is one output format: a file of its own, and a line in the table of formats.c.
 *
 * begin: once, before anything else. numbered: a connection got its number. pdu: one event of a
 * connection as it comes, before its findings. finding: one finding as it is found, with the event
 * that showed it, or NULL when that is past. connection: one at its end. trait: what the capture is
 * like, when it is found or at the end of the capture. transport: TCP connections of the capture
 * without iWARP, at its end. summary: once at the end. `begin`, `numbered`, `pdu`, `trait` and
 * `transport` may be NULL. `pdu`, `finding` and `connection` are called through
 * report_check_pdu, report_check_finding and report_check_connection.
 */
typedef struct report_format {
  const char *name;
  uint64_t same;  /* findings of one rule and side of a connection that are printed by default */
  bool whole;     /* a file without its summary is of no use, even where nothing could be read */
  bool certain;   /* the format has no place for suspected findings */
  bool unbounded; /* each finding counts: nothing is weighed against the input */
  bool quiet;     /* REPORT_QUIET leaves out all except the summary */
  bool plots;     /* the format has plots of each connection */
  bool at_end;    /* a connection is printed with its findings, at its end */
  void (*begin)(report_check *check);
  void (*numbered)(report_check *check, const observe_conn *conn);
  void (*pdu)(report_check *check, void **slot, const observe_conn *conn, const iwarp_event *ev);
  void (*finding)(report_check *check, void **slot, const observe_conn *conn,
                  const iwarp_finding *finding, const iwarp_event *ev);
  void (*connection)(report_check *check, void **slot, const observe_conn *conn);
  void (*trait)(report_check *check, const report_trait *trait);
  void (*transport)(report_check *check, const observe_conn *capture, const report_transport *x);
  void (*summary)(report_check *check, const report_totals *totals);
} report_format;

/**
 * report_check_finding prints a finding or counts it. By default it prints the first findings of
 * each rule and side of a connection, while the output stays in proportion to the input. The first
 * finding of a rule is always printed. `*slot` is the connection's, NULL at first.
 */
void report_check_finding(report_check *check, const report_format *format, void **slot,
                          const observe_conn *conn, const iwarp_finding *f, const iwarp_event *ev);

/** report_check_pdu prints an event, or counts it when the output would get out of proportion. */
void report_check_pdu(report_check *check, const report_format *format, void **slot,
                      const observe_conn *conn, const iwarp_event *ev);

/** report_check_connection prints a connection at its end, or counts it when nothing of it was
 * printed and the output would get out of proportion. Gives back what `*slot` stands for. */
void report_check_connection(report_check *check, const report_format *format, void **slot,
                             const observe_conn *conn);

/** report_formats are all formats, the default first; NULL ends the list. */
extern const report_format *const report_formats[];

/** report_format_find returns the format of this name, or NULL. */
const report_format *report_format_find(const char *name);

extern const report_format report_format_text;
extern const report_format report_format_jsonl;
extern const report_format report_format_baseline;
extern const report_format report_format_timeline;
extern const report_format report_format_junit;
extern const report_format report_format_sarif;
extern const report_format report_format_tap;
extern const report_format report_format_tap13;
extern const report_format report_format_html;

/** report_verdicts counts the rules of a connection or a run by verdict. */
typedef struct report_verdicts {
  uint64_t of[IWARP_VERDICT_DISABLED + 1]; /* verdicts without `xfail` */
  uint64_t xfail;                          /* failed, and each finding was expected */
  uint32_t reason;
} report_verdicts;

/** report_findings counts the findings of a connection by severity. */
typedef struct report_findings {
  uint64_t of[OBSERVE_SEVERITIES]; /* findings without `xfail` and `suspected` */
  uint64_t xfail;                  /* findings that were expected */
  uint64_t suspected;              /* suspected findings */
} report_findings;

/** report_findings_conn counts the findings of one connection, each of which report_note has
 * noted. */
report_findings report_findings_conn(const observe_conn *conn);

/** report_note notes of a certain finding of the rule on this connection whether it was expected.
 */
void report_note(observe_conn *conn, uint16_t rule);

/** report_expected says whether the verdict of the rule on this connection is xfail: it failed, and
 * each finding was expected. */
bool report_expected(const observe_conn *conn, uint16_t rule, iwarp_verdict verdict);

/** report_verdicts_conn counts the verdicts of one connection. */
report_verdicts report_verdicts_conn(const observe_conn *conn);

/** report_verdicts_decided counts the verdicts pass, fail and xfail. */
uint64_t report_verdicts_decided(const report_verdicts *counts);

/** report_verdicts_run counts the verdicts of a run. */
report_verdicts report_verdicts_run(const report_totals *totals);

/** report_totals_finding adds a finding to a run, when it is found. */
void report_totals_finding(report_totals *totals, const iwarp_finding *finding);

/** report_totals_suspected returns how many findings of a run are suspected. */
uint64_t report_totals_suspected(const report_totals *totals);

/** report_totals_join adds what a part of a run came to; its `files`, `verdict` and `undecided` are
 * left out. */
void report_totals_join(report_totals *totals, const report_totals *part);

/** report_totals_add adds a connection that ended; its findings are there already. */
void report_totals_add(report_totals *totals, const observe_conn *conn);

#endif
