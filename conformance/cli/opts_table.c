/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands and options, and the help made of them. */
#include "opts_table.h"

#include <string.h>

#define ON_CHECK (1u << COMMAND_CHECK)
#define ON_DUMP (1u << COMMAND_DUMP)
#define ON_TIMELINE (1u << COMMAND_TIMELINE)
#define ON_DECODE (1u << COMMAND_DECODE)
#define ON_RULES (1u << COMMAND_RULES)
#define ON_EXPLAIN (1u << COMMAND_EXPLAIN)
#define ON_COVERAGE (1u << COMMAND_COVERAGE)
#define ON_GEN (1u << COMMAND_GEN)
#define ON_CAPTURES (ON_CHECK | ON_DUMP | ON_TIMELINE)
#define ON_BASELINE (1u << COMMAND_BASELINE)
#define ON_STATS (1u << COMMAND_STATS)
#define ON_LIVE (ON_CAPTURES | ON_STATS)
#define ON_READING (ON_LIVE | ON_BASELINE)
#define ON_RULED (ON_CHECK | ON_TIMELINE)
#define ON_HELP (1u << COMMAND_HELP)
#define ON_PROBE (1u << COMMAND_PROBE)
#define ON_PEER (1u << COMMAND_PEER)
#define ON_MERGE (1u << COMMAND_MERGE)
#define ON_SCRUB (1u << COMMAND_SCRUB)
#define ON_PACKETS (ON_READING | ON_SCRUB)
#define ON_ALL                                                                                     \
  (ON_MERGE | ON_PACKETS | ON_DECODE | ON_RULES | ON_EXPLAIN | ON_COVERAGE | ON_GEN | ON_PROBE |   \
   ON_PEER | ON_HELP)

const command_row command_rows[COMMAND_COUNT] = {
    [COMMAND_CHECK] = {"check",
                       "[options] CAPTURE...",
                       "check every iWARP connection of the captures against the rules",
                       1,
                       SIZE_MAX,
                       "a capture is missing ('-' is standard input, -i an interface)",
                       {"iwarp check trace.pcapng",
                        "iwarp check -d tcp.port==7174 --fail-on should -T jsonl *.pcap"}},
    [COMMAND_DUMP] = {"dump",
                      "[options] CAPTURE...",
                      "print every PDU decoded, one line each",
                      1,
                      SIZE_MAX,
                      "a capture is missing ('-' is standard input)",
                      {"iwarp dump -V trace.pcapng",
                       "tcpdump -w - port 7174 | iwarp dump -d tcp.port==7174 -"}},
    [COMMAND_TIMELINE] = {"timeline",
                          "[options] CAPTURE",
                          "draw a ladder of each connection, one line a PDU, findings in place",
                          1,
                          1,
                          "a capture is missing ('-' is standard input)",
                          {"iwarp timeline trace.pcapng",
                           "iwarp timeline -d tcp.port==7174 --level must trace.pcap"}},
    [COMMAND_BASELINE] = {"baseline",
                          "[options] CAPTURE...",
                          "count the findings, for check --baseline",
                          1,
                          SIZE_MAX,
                          "a capture is missing ('-' is standard input)",
                          {"iwarp baseline trace.pcapng > known",
                           "iwarp baseline --only 'mpa.*' *.pcap"}},
    [COMMAND_DECODE] = {"decode",
                        "[options] HEX...",
                        "decode one frame given in hex and print its fields",
                        1,
                        SIZE_MAX,
                        "octets in hex are missing ('-' is standard input)",
                        {"iwarp decode 4d504120494420526571204672616d6540010000",
                         "tcpdump -r trace.pcap -c 20 -xx | iwarp decode -"}},
    [COMMAND_RULES] = {"rules",
                       "[options] [GLOB]",
                       "list the rule catalogue",
                       0,
                       1,
                       NULL,
                       {"iwarp rules 'mpa.*'", "iwarp rules -T jsonl"}},
    [COMMAND_EXPLAIN] = {"explain",
                         "[options] SLUG|REQUIREMENT-ID|diag.ID|outcome.NAME",
                         "say what a rule demands and why, or what a diagnosis means",
                         1,
                         1,
                         "a rule or requirement is missing ('iwarp rules' lists the rules)",
                         {"iwarp explain mpa.crc", "iwarp explain diag.no-reply-close"}},
    [COMMAND_COVERAGE] = {"coverage",
                          "[options] [RFC]",
                          "say of each requirement which rules decide it, or why none can",
                          0,
                          1,
                          NULL,
                          {"iwarp coverage 5044", "iwarp coverage -T jsonl"}},
    [COMMAND_GEN] = {"gen",
                     "[options] SCENARIO -o FILE",
                     "write a capture from a scenario",
                     1,
                     1,
                     "a scenario is missing ('-' is standard input)",
                     {"iwarp gen rtr.scn -o rtr.pcap",
                      "iwarp gen --variant seg1 rtr.scn -o seg1.pcap"}},
    [COMMAND_MERGE] = {"merge",
                       "RESULT...",
                       "join the results of check --shard",
                       1,
                       SIZE_MAX,
                       "a result is missing ('-' is standard input)",
                       {"iwarp merge part0.jsonl part1.jsonl",
                        "iwarp merge part*.jsonl > all.jsonl"}},
    [COMMAND_SCRUB] = {"scrub",
                       "[options] CAPTURE -o FILE",
                       "write a capture again without addresses, ports and payload",
                       1,
                       1,
                       "a capture is missing",
                       {"iwarp scrub trace.pcapng -o public.pcapng",
                        "iwarp scrub -d tcp.port==7174 --key secret side-a.pcap -o a.pcap"}},
    [COMMAND_STATS] = {"stats",
                       "[options] CAPTURE...",
                       "print sizes, throughput, response times and figures of TCP",
                       1,
                       SIZE_MAX,
                       "a capture is missing ('-' is standard input, -i an interface)",
                       {"iwarp stats trace.pcapng",
                        "iwarp stats -T jsonl --interval 1 trace.pcapng"}},
    [COMMAND_PROBE] = {"probe",
                       "[options] HOST:PORT",
                       "ask a server whether it speaks iWARP, and with which parameters",
                       1,
                       1,
                       "HOST:PORT is missing",
                       {"iwarp probe 10.0.0.1:20049",
                        "iwarp probe --ping 10 -T jsonl '[fe80::1%eth0]:7174'"}},
    [COMMAND_PEER] =
        {"peer",
         "[options] connect|listen [HOST:]PORT",
         "play the peer of a live implementation over TCP, and judge it",
         0,
         2,
         NULL,
         {"iwarp peer connect 10.0.0.1:7174 --ulp echo -w captures",
          "iwarp peer listen 10.0.0.2:7174 --run 'rping -c -a {addr} -p {port} -C 1'"}},
    [COMMAND_HELP] = {"help",
                      "[options] [COMMAND]",
                      "print the help of a command",
                      0,
                      1,
                      NULL,
                      {"iwarp help", "iwarp help check"}},
};

const opt_row opt_rows[OPT_TOTAL] = {
    {OPT_INTERFACE, 'i', NULL, "IFACE", ON_LIVE, "capture on a network interface"},
    {OPT_DURATION, 0, "duration", "SECONDS", ON_LIVE, "with -i: end after so many seconds"},
    {OPT_WRITE, 'w', NULL, "FILE", ON_LIVE, "with -i: keep the packets in a file"},
    {OPT_WRITE_TRACE, 'w', NULL, "FILE", ON_PROBE,
     "keep what passed as a pcapng file, with invented TCP segments"},
    {OPT_PING, 0, "ping", "N", ON_PROBE, "time N RDMA Reads of length 0 as well (at most 1000)"},
    {OPT_TIMEOUT, 0, "timeout", "SECONDS", ON_PROBE,
     "wait so long for the connection, the Reply and each Read (default 5)"},
    {OPT_FILTER, 'f', NULL, "EXPR", ON_PACKETS, "read only packets that match the BPF expression"},
    {OPT_DECODE_AS, 'd', NULL, "tcp.port==N", ON_PACKETS,
     "take TCP port N as iWARP in Full Operation; udp.port==N,vxlan: a tunnel (repeatable)"},
    {OPT_FORMAT, 'T', NULL, "FORMAT", ON_DUMP | ON_DECODE | ON_RULES | ON_COVERAGE | ON_PROBE,
     "output format: text or jsonl"},
    {OPT_CHECK_FORMAT, 'T', NULL, "FORMAT", ON_CHECK,
     "output format: text, jsonl, timeline, junit, sarif, tap, tap13 or html"},
    {OPT_STATS_FORMAT, 'T', NULL, "FORMAT", ON_STATS, "output format: text, jsonl, csv or html"},
    {OPT_COUNT, 'c', NULL, "N", ON_PACKETS, "read only the first N packets of each capture"},
    {OPT_FIELDS, 'V', NULL, NULL, ON_CHECK | ON_DUMP,
     "show every header field of a PDU; for check the verdict of each rule"},
    {OPT_OCTETS, 'x', NULL, NULL, ON_CHECK | ON_DUMP,
     "show the octets of each PDU; for check of findings"},
    {OPT_QUIET, 'q', NULL, NULL, ON_CHECK | ON_DUMP,
     "print no more than a line for each PDU; for check the summary only"},
    {OPT_VERBOSE, 'v', NULL, NULL, ON_CHECK | ON_DUMP,
     "more: like -V; for check -V, -x and all findings"},
    {OPT_NUMERIC, 'n', NULL, NULL, ON_READING, "accepted: names are never resolved"},
    {OPT_TIMES, 't', NULL, "FORMAT", ON_CAPTURES,
     "times: a as dates, r since the capture began, d since the line before"},
    {OPT_ONLY, 0, "only", "GLOB", ON_RULED | ON_BASELINE,
     "check only the rules that match (repeatable)"},
    {OPT_EXCLUDE, 0, "exclude", "GLOB", ON_RULED | ON_BASELINE,
     "leave out the rules that match (repeatable)"},
    {OPT_LEVEL, 0, "level", "LEVEL", ON_RULED,
     "lowest level of findings printed: must, should or note (default note)"},
    {OPT_FAIL_ON, 0, "fail-on", "LEVEL", ON_CHECK,
     "lowest level that fails the run: must, should, note or never (default must)"},
    {OPT_FAIL_ON_SUSPECTED, 0, "fail-on-suspected", NULL, ON_CHECK,
     "count suspected findings for the exit status, as certain ones of their level"},
    {OPT_FAIL_ON_OUTCOME, 0, "fail-on-outcome", "LIST", ON_CHECK,
     "outcomes that fail the run: names of outcomes, work-unanswered, syn-refused, ..., failed"},
    {OPT_DIAGNOSES, 0, "diagnoses", NULL, ON_RULES,
     "list the diagnoses, by which check explains why a connection failed"},
    {OPT_MAX_FINDINGS, 0, "max-findings", "N", ON_CHECK,
     "print at most N findings, repeated ones, too; all are counted"},
    {OPT_REQUIRE_DECIDED, 0, "require-decided", NULL, ON_CHECK,
     "fail with status 4 when a rule was inconclusive"},
    {OPT_REPORT, 0, "report", "FORMAT=FILE", ON_CHECK,
     "write the report in a format of -T to a file as well (repeatable)"},
    {OPT_ANNOTATE, 0, "annotate", "FILE", ON_CHECK,
     "write the capture to a pcapng file, each finding a comment on its packet"},
    {OPT_PROFILE, 0, "profile", "NAME|FILE", ON_CHECK,
     "findings that an implementation is known for are expected: siw, or a file"},
    {OPT_BASELINE, 0, "baseline", "FILE", ON_CHECK,
     "findings of a baseline are expected; what of it does not come fails the run"},
    {OPT_MARKERS, 0, "markers", "on|off", ON_PACKETS,
     "use of Markers where the startup was not captured"},
    {OPT_CRC, 0, "crc", "on|off", ON_PACKETS, "use of CRCs where the startup was not captured"},
    {OPT_MEMORY, 0, "memory", "SIZE", ON_PACKETS,
     "memory for connections, such as 64M or 2G (default 256M)"},
    {OPT_MAX_UNPACKED, 0, "max-unpacked", "LIMIT", ON_PACKETS,
     "octets that a compressed capture may unpack to: 4G, or 1024x its own (the default)"},
    {OPT_JOBS, 0, "jobs", "N", ON_CHECK, "check connections in N threads at a time (default 1)"},
    {OPT_SHARD, 0, "shard", "I/N", ON_CHECK,
     "check part I of N of the connections, from 0 on, for iwarp merge"},
    {OPT_CAPTURES, 0, "captures", "A-B", ON_CHECK,
     "with --shard: check captures A to B alone of those given, from 0 on"},
    {OPT_JOIN, 0, "join", NULL, ON_READING,
     "the captures are one cut into files, whichever order they are given in"},
    {OPT_CONN, 0, "conn", "N", ON_READING,
     "keep connection N alone, as lines of output number it (repeatable)"},
    {OPT_LAYER, 0, "layer", "LAYER", ON_DECODE,
     "what the octets are: mpa (default), ddp, rdmap, sctp-segment, ..."},
    {OPT_OFFSET, 0, "offset", "N", ON_DECODE,
     "the FPDU stands at stream offset N of a stream with Markers"},
    {OPT_OUTPUT, 'o', NULL, "FILE", ON_GEN | ON_SCRUB,
     "the capture that is written, pcapng if named so ('-' is standard output)"},
    {OPT_INTERVAL, 0, "interval", "SECONDS", ON_STATS,
     "figures of each interval of so many seconds as well, such as 0.1"},
    {OPT_METRICS, 0, "metrics", "FILE", ON_STATS,
     "write OpenMetrics text to a file as well; with -i again and again"},
    {OPT_METRICS_LABEL, 0, "metrics-label", "LABEL", ON_STATS,
     "with --metrics: one more label of each figure, such as interface=eth0"},
    {OPT_VARIANT, 0, "variant", "NAME", ON_GEN,
     "derive seg1, ooo, dup, gap, mid, oneway, snap, seqwrap, ipv6, vlan, tso, swap or ipfrag"},
    {OPT_KEEP_PRIVATE_DATA, 0, "keep-private-data", NULL, ON_SCRUB,
     "keep the Private Data of startup frames"},
    {OPT_KEY, 0, "key", "FILE", ON_SCRUB,
     "a file with a secret: with it an address becomes the same one in every capture"},
    {OPT_COLOR, 0, "color", "WHEN", ON_RULED | ON_EXPLAIN, "auto, always or never (default auto)"},
    {OPT_PROGRESS, 0, "progress", "WHEN", ON_READING, "auto, always or never (default auto)"},
    {OPT_WRITE_FOLDER, 'w', NULL, "DIR", ON_PEER,
     "write a pcapng file for each case, with invented TCP segments"},
    {OPT_PEER_INTERFACE, 'i', NULL, "IFACE", ON_PEER,
     "with -w: write the packets of a network interface in their place"},
    {OPT_RUN, 0, "run", "COMMAND", ON_PEER,
     "for listen: makes the target connect once; {addr}, {port} and {case} are replaced"},
    {OPT_RESTART, 0, "restart", "COMMAND", ON_PEER, "brings a target back that was lost"},
    {OPT_ULP, 0, "ulp", "WORDS", ON_PEER,
     "what the application of the target offers: none (default), rping, echo, or single words"},
    {OPT_PEER_ONLY, 0, "only", "GLOB", ON_PEER, "play only the cases that match (repeatable)"},
    {OPT_PEER_EXCLUDE, 0, "exclude", "GLOB", ON_PEER,
     "leave out the cases that match (repeatable)"},
    {OPT_PEER_LEVEL, 0, "level", "LEVEL", ON_PEER,
     "lowest level of verdicts printed in text: must, should or note (default note)"},
    {OPT_PEER_FAIL_ON, 0, "fail-on", "LEVEL", ON_PEER,
     "lowest level that fails the run: must, should, note or never (default must)"},
    {OPT_PEER_FORMAT, 'T', NULL, "FORMAT", ON_PEER,
     "output format: text, jsonl, junit, tap, html or baseline"},
    {OPT_PEER_REPORT, 0, "report", "FORMAT=FILE", ON_PEER,
     "write the report in a format of -T to a file as well (repeatable)"},
    {OPT_PEER_BASELINE, 0, "baseline", "FILE", ON_PEER,
     "results of a baseline are expected; a changed failure and an unexpected pass fail the run"},
    {OPT_PEER_PROFILE, 0, "profile", "NAME|FILE", ON_PEER,
     "results that an implementation is known for are expected: siw, or a file"},
    {OPT_LIST, 0, "list", NULL, ON_PEER, "list the cases, in text or with -T jsonl, and play none"},
    {OPT_DANGER, 0, "danger", NULL, ON_PEER, "play cases that are known to crash some stack, too"},
    {OPT_PEER_TIMEOUT, 0, "timeout", "SECONDS", ON_PEER,
     "bound of one play of a case (default 60)"},
    {OPT_NO_SANDBOX, 0, "no-sandbox", NULL,
     ON_PACKETS | ON_DECODE | ON_GEN | ON_MERGE | ON_PROBE | ON_PEER,
     "do not confine the process to the files that the command line names"},
    {OPT_HELP, 'h', "help", NULL, ON_ALL, "print this help"},
    {OPT_VERSION, 0, "version", NULL, ON_ALL,
     "print the version, and how the tool confines itself here"},
};

static void help_option(FILE *out, const opt_row *row) {
  char left[64] = "";
  const char *arg = row->arg != NULL ? row->arg : "";
  const char *gap = row->arg != NULL ? " " : "";
  if (row->letter != 0 && row->name != NULL) {
    snprintf(left, sizeof left, "-%c, --%s%s%s", row->letter, row->name, gap, arg);
  } else if (row->letter != 0) {
    snprintf(left, sizeof left, "-%c%s%s", row->letter, gap, arg);
  } else {
    snprintf(left, sizeof left, "    --%s%s%s", row->name, gap, arg);
  }
  fprintf(out, "  %-27s %s\n", left, row->help);
}

static void help_program(FILE *out) {
  fputs("Usage: iwarp COMMAND [options] [operands]\n"
        "Decodes and checks iWARP (MPA, DDP, RDMAP) in captured packets.\n\n"
        "Commands:\n",
        out);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "  %-10s %s\n", command_rows[i].name, command_rows[i].summary);
  }
  fputs("\n  -h, --help   print this help; 'iwarp help COMMAND' explains a command\n"
        "  --version    print the version, and how the tool confines itself here\n",
        out);
}

static void help_examples(FILE *out, const command_row *row) {
  fprintf(out, "\nExamples:\n  %s\n  %s\n", row->examples[0], row->examples[1]);
}

static void help_status_probe(FILE *out) {
  fputs("\nExit status:\n"
        "   0  the server accepted the connection\n"
        "   1  it rejected the connection, or it is no iWARP server\n"
        "   2  usage error, or an unknown name\n"
        "   4  the connection was refused, or the server was silent\n"
        "  70  internal error\n",
        out);
}

static void help_status_peer(FILE *out) {
  fputs(
      "\nExit status:\n"
      "   0  at least one case passed, and nothing is worse\n"
      "   1  a MUST was broken (--fail-on), or a baseline expects something else\n"
      "   2  usage error, an unknown name, or a file that cannot be used\n"
      "   3  the target never passed the canary\n"
      "   4  nothing was broken, but a case is undecided, unstable or not run, or all cases were\n"
      "      skipped or allowed\n"
      "  70  internal error: the tester itself is at fault in some case\n",
      out);
}

static void help_status(FILE *out, command_id command) {
  if (command == COMMAND_PEER) {
    help_status_peer(out);
    return;
  }
  if (command == COMMAND_PROBE) {
    help_status_probe(out);
    return;
  }
  if (command != COMMAND_CHECK && command != COMMAND_MERGE) {
    fputs("\nExit status: 0 success, 2 usage or input error, 70 internal error.\n", out);
    return;
  }
  fputs("\nExit status:\n"
        "   0  iWARP traffic was found and nothing at or above --fail-on was violated\n"
        "   1  at least one such violation, or an outcome that --fail-on-outcome names\n"
        "   2  usage or input error\n"
        "   3  the captures hold no iWARP traffic\n"
        "   4  nothing was violated, but no rule was decided, octets could not be decoded, or a\n"
        "      limit was reached; with --require-decided also when some rule was inconclusive\n"
        "  70  internal error\n",
        out);
}

static void help_note(FILE *out, command_id command) {
  if (command == COMMAND_GEN) {
    fputs(
        "\nThe lines 'expect VERDICT RULE' and 'forbid GLOB' of a scenario are for tests: they say "
        "what\n"
        "'iwarp check' must find in the capture and what it must not. They change no octet of it.\n"
        "docs/scenarios.md describes the language.\n",
        out);
  }
}

void opts_help(FILE *out, command_id command) {
  if (command == COMMAND_COUNT) {
    help_program(out);
    return;
  }
  const command_row *row = &command_rows[command];
  fprintf(out, "Usage: iwarp %s %s\n%c%s.\n\nOptions:\n", row->name, row->operands,
          row->summary[0] - 'a' + 'A', row->summary + 1);
  for (size_t i = 0; i < OPT_TOTAL; i++) {
    if ((opt_rows[i].commands >> command & 1u) != 0) {
      help_option(out, &opt_rows[i]);
    }
  }
  help_note(out, command);
  help_status(out, command);
  help_examples(out, row);
}
