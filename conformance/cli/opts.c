/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the command line by the option table. */
#include "opts.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <diagnose/diagnose.h>
#include <memory/memory.h>
#include <observe/budget.h>
#include <peer/probe.h>

#include <report/names.h>
#include <report/utf8.h>
#include <scenario/scenario.h>

#include "diag.h"
#include "jobs.h"
#include "opts_table.h"

#define LONG_BASE 256 /* values of long options lie above all letters */

/* What one run of the parser needs. */
typedef struct opts_parser {
  opts *out;
  char *error;
  struct option longs[OPT_TOTAL + 1];
  char shorts[2 * OPT_TOTAL + 3];
} opts_parser;

void opts_free(opts *o) {
  free(o->operands);
  free(o->folders);
  free(o->tunnels);
  free(o->conns);
  free(o->only);
  free(o->exclude);
  free(o->reports);
  free(o->peer_reports);
  *o = (opts){0};
}

/* ---- one line about what is wrong ---- */

static opts_result opts_wrong(char *error, const char *before, const char *word, const char *after,
                              const char *const *names) {
  const char *near = names != NULL ? nearest(word, names) : NULL;
  if (near != NULL) {
    snprintf(error, OPTS_ERROR_CAP, "%s'%.60s'%s (did you mean '%s'?)", before, word, after, near);
  } else {
    snprintf(error, OPTS_ERROR_CAP, "%s'%.60s'%s", before, word, after);
  }
  return OPTS_WRONG;
}

/* A value that must be one of a few words; returns its index, or the number of words. */
static size_t opts_choice(const char *value, const char *const *names) {
  size_t i = 0;
  while (names[i] != NULL && strcmp(value, names[i]) != 0) {
    i++;
  }
  return i;
}

static const char *const opts_formats[] = {"text", "jsonl", NULL};
static const char *const opts_stats_formats[] = {"text", "jsonl", "csv", "html", NULL};
static const char *const opts_levels[] = {"note", "should", "must", NULL};
static const char *const opts_fails[] = {"must",      "should",  "note", "never",
                                         "violation", "warning", NULL};
static const char *const opts_whens[] = {"auto", "always", "never", NULL};
static const char *const opts_layers[] = {
#define OPTS_LAYER(name, text, form) text,
    REPORT_LAYER_MAP(OPTS_LAYER)
#undef OPTS_LAYER
        NULL};
static const char *const opts_switches[] = {"off", "on", NULL};
static const char *const opts_times[] = {"a", "r", "d", NULL};

static bool opts_pick(const opts_parser *p, const opt_row *row, const char *value,
                      const char *const *names, size_t *index) {
  char expected[224] = "";
  *index = opts_choice(value, names);
  if (names[*index] != NULL) {
    return true;
  }
  for (size_t i = 0; names[i] != NULL; i++) {
    const size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, "%s%s", i > 0 ? ", " : "", names[i]);
  }
  if (row->name != NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is not one of: %s", row->name, value,
             expected);
  } else {
    snprintf(p->error, OPTS_ERROR_CAP, "-%c: '%.60s' is not one of: %s", row->letter, value,
             expected);
  }
  return false;
}

/* A decimal number without sign or blanks. */
static bool opts_decimal(const char *text, uint64_t max, uint64_t *out) {
  uint64_t v = 0;
  if (*text == 0) {
    return false;
  }
  for (; *text != 0; text++) {
    const unsigned int digit = (unsigned int)(unsigned char)*text - '0';
    if (digit > 9 || v > (max - digit) / 10) {
      return false;
    }
    v = v * 10 + digit;
  }
  *out = v;
  return true;
}

static bool opts_number(const opts_parser *p, const opt_row *row, const char *value, uint64_t min,
                        uint64_t *out) {
  if (opts_decimal(value, UINT64_MAX - 1, out) && *out >= min) {
    return true;
  }
  if (row->name != NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is no whole number from %u on", row->name,
             value, (unsigned int)min);
  } else {
    snprintf(p->error, OPTS_ERROR_CAP, "-%c: '%.60s' is no number of packets", row->letter, value);
  }
  return false;
}

/* A decimal number and at most one letter after it, which is put into *letter (0: none). */
static bool opts_quantity(const char *value, uint64_t max, uint64_t *out, char *letter) {
  char digits[24] = "";
  const size_t n = strspn(value, "0123456789");
  *letter = value[n];
  snprintf(digits, sizeof digits, "%.*s", (int)(n < sizeof digits ? n : sizeof digits), value);
  return n < sizeof digits && (value[n] == 0 || value[n + 1] == 0) &&
         opts_decimal(digits, max, out);
}

/* A decimal number of octets, of KiB (k), MiB (M) or GiB (G). */
static bool opts_octets(const char *value, uint64_t max, uint64_t *out) {
  static const char units[] = "kMG";
  char letter = 0;
  uint64_t v = 0;
  if (!opts_quantity(value, max, &v, &letter)) {
    return false;
  }
  const char *unit = letter != 0 ? strchr(units, letter) : NULL;
  const unsigned int shift = unit != NULL ? 10u * (unsigned int)(unit - units + 1) : 0;
  *out = v << shift;
  return (letter == 0 || unit != NULL) && v <= max >> shift;
}

static bool opts_memory(const opts_parser *p, const opt_row *row, const char *value) {
  uint64_t octets = 0;
  if (!opts_octets(value, SIZE_MAX, &octets)) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is no size, such as 64M or 2G", row->name,
             value);
    return false;
  }
  if (octets < OBSERVE_BUDGET_LEAST) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is too little (at least %uM)", row->name,
             value, (unsigned int)(OBSERVE_BUDGET_LEAST >> 20));
    return false;
  }
  p->out->memory = (size_t)octets;
  return true;
}

/* A size, or a number and an x: so many times the compressed octets. */
static bool opts_max_unpacked(const opts_parser *p, const opt_row *row, const char *value) {
  pcap_src_max *max = &p->out->max_unpacked;
  uint64_t v = 0;
  char letter = 0;
  if (opts_quantity(value, UINT64_MAX, &v, &letter) && letter == 'x' && v > 0) {
    *max = (pcap_src_max){.octets = PCAP_SRC_MAX_OCTETS, .times = v};
    return true;
  }
  if (opts_octets(value, UINT64_MAX, &v) && v > 0) {
    *max = (pcap_src_max){.octets = v};
    return true;
  }
  snprintf(p->error, OPTS_ERROR_CAP,
           "--%s: '%.60s' is no size, such as 4G, and no ratio, such as 1024x", row->name, value);
  return false;
}

/* Returns true if digits follow the prefix, up to the comma or the end: a port, or one out of
 * range, for which *port is 0. */
static bool opts_port(const char *value, const char *prefix, uint16_t *port) {
  char digits[8] = "";
  uint64_t v = 0;
  const size_t n = strlen(prefix);
  *port = 0;
  if (strncmp(value, prefix, n) != 0) {
    return false;
  }
  const size_t len = strspn(value + n, "0123456789");
  snprintf(digits, sizeof digits, "%.*s", (int)(len < sizeof digits ? len : sizeof digits),
           value + n);
  if (len == 0 || (value[n + len] != 0 && value[n + len] != ',')) {
    return false;
  }
  if (len < sizeof digits && opts_decimal(digits, UINT16_MAX, &v)) {
    *port = (uint16_t)v;
  }
  return true;
}

/* What follows the comma; "" where there is no comma. */
static const char *opts_as(const char *value) {
  const char *comma = strchr(value, ',');
  return comma != NULL ? comma + 1 : "";
}

static bool opts_tunnel_add(const opts_parser *p, uint16_t port, ingest_layer layer) {
  opts *o = p->out;
  opts_tunnel *grown = memory_resize(o->tunnels, (o->num_tunnels + 1) * sizeof *grown);
  if (grown == NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "out of memory");
    return false;
  }
  o->tunnels = grown;
  grown[o->num_tunnels++] = (opts_tunnel){.port = port, .layer = layer};
  return true;
}

static bool opts_decode_as(const opts_parser *p, const char *value) {
  static const ingest_layer tunnels[] = {INGEST_LAYER_VXLAN, INGEST_LAYER_GENEVE,
                                         INGEST_LAYER_TZSP};
  uint16_t tcp = 0;
  uint16_t udp = 0;
  const bool given = opts_port(value, "tcp.port==", &tcp) || opts_port(value, "udp.port==", &udp);
  const char *as = opts_as(value);
  if (given && tcp == 0 && udp == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "-d: '%.60s' is out of range: a port is 1 to 65535", value);
    return false;
  }
  if (tcp != 0 && (strchr(value, ',') == NULL || strcmp(as, "iwarp") == 0)) {
    observe_ports_add(p->out->ports, tcp);
    p->out->any_port = true;
    return true;
  }
  for (size_t i = 0; udp != 0 && i < sizeof tunnels / sizeof tunnels[0]; i++) {
    if (strcmp(as, ingest_layer_name(tunnels[i])) == 0) {
      return opts_tunnel_add(p, udp, tunnels[i]);
    }
  }
  snprintf(p->error, OPTS_ERROR_CAP,
           "-d: '%.60s' is not of the form tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)",
           value);
  return false;
}

static bool opts_append(const char ***list, size_t *num, const char *value, char *error) {
  const char **grown = memory_resize(*list, (*num + 1) * sizeof *grown);
  if (grown == NULL) {
    snprintf(error, OPTS_ERROR_CAP, "out of memory");
    return false;
  }
  *list = grown;
  grown[(*num)++] = value;
  return true;
}

/* ---- reports ---- */

/* The names of the formats, ended by NULL; there are fewer than OPTS_FORMATS_MAX. */
#define OPTS_FORMATS_MAX 16u

static const char *const *opts_report_names(const char *names[OPTS_FORMATS_MAX]) {
  size_t i = 0;
  for (; report_formats[i] != NULL; i++) {
    names[i] = report_formats[i]->name;
  }
  names[i] = NULL;
  return names;
}

static bool opts_report_pick(const opts_parser *p, const opt_row *row, const char *name,
                             const report_format **out) {
  const char *names[OPTS_FORMATS_MAX];
  size_t i = 0;
  const bool found = opts_pick(p, row, name, opts_report_names(names), &i);
  *out = report_formats[i];
  return found;
}

/* Takes NAME=VALUE. A name that the metrics have would stand twice. */
static bool opts_metrics_label(const opts_parser *p, const opt_row *row, const char *value) {
  static const char *const taken[] = {"dir", "operation", "part", "le"};
  const size_t len =
      strspn(value, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  const char *text = value + len + 1;
  bool ok = len > 0 && (value[0] < '0' || value[0] > '9') && value[len] == '=' &&
            strncmp(value, "__", 2) != 0 && text[0] != 0;
  for (size_t i = 0; ok && i < sizeof taken / sizeof taken[0]; i++) {
    ok = strlen(taken[i]) != len || strncmp(value, taken[i], len) != 0;
  }
  for (size_t n = 1; ok && text[0] != 0; text += n) {
    n = report_plain_len(text, strlen(text));
    ok = n > 0;
  }
  if (!ok) {
    snprintf(p->error, OPTS_ERROR_CAP,
             "--%s: '%.60s' is no label NAME=VALUE, or the metrics have that name", row->name,
             value);
    return false;
  }
  p->out->metrics_label = value;
  return true;
}

/* Two reports in one file would overwrite each other. */
static bool opts_report_path(const opts_parser *p, const char *option, const char *path) {
  const opts *o = p->out;
  bool twice = o->annotate != NULL && strcmp(o->annotate, path) == 0;
  for (size_t i = 0; i < o->num_reports; i++) {
    twice = twice || strcmp(o->reports[i].path, path) == 0;
  }
  for (size_t i = 0; i < o->num_peer_reports; i++) {
    twice = twice || strcmp(o->peer_reports[i].path, path) == 0;
  }
  if (twice) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is written to twice", option, path);
  } else if (path[0] == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: the name of a file is missing", option);
  } else if (strcmp(path, "-") == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '-' is no file (-T is for standard output)", option);
  }
  return !twice && path[0] != 0 && strcmp(path, "-") != 0;
}

static bool opts_report_add(const opts_parser *p, const opt_row *row, const char *value) {
  opts *o = p->out;
  char name[32] = "";
  const size_t n = strcspn(value, "=");
  opts_report report = {.path = value + n + 1};
  if (value[n] == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is not of the form FORMAT=FILE", row->name,
             value);
    return false;
  }
  snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name), value);
  if (!opts_report_pick(p, row, name, &report.format) ||
      !opts_report_path(p, row->name, report.path)) {
    return false;
  }
  opts_report *grown = memory_resize(o->reports, (o->num_reports + 1) * sizeof *grown);
  if (grown == NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "out of memory");
    return false;
  }
  o->reports = grown;
  grown[o->num_reports++] = report;
  return true;
}

static const char *const *opts_peer_names(const char *names[OPTS_FORMATS_MAX]) {
  size_t i = 0;
  for (; peer_report_formats[i] != NULL; i++) {
    names[i] = peer_report_formats[i]->name;
  }
  names[i] = NULL;
  return names;
}

static bool opts_peer_format(const opts_parser *p, const opt_row *row, const char *name,
                             const peer_report_format **out) {
  const char *names[OPTS_FORMATS_MAX];
  size_t i = 0;
  const bool found = opts_pick(p, row, name, opts_peer_names(names), &i);
  *out = peer_report_formats[i];
  return found;
}

static bool opts_peer_report_add(const opts_parser *p, const opt_row *row, const char *value) {
  opts *o = p->out;
  char name[32] = "";
  const size_t n = strcspn(value, "=");
  opts_peer_report report = {.path = value + n + 1};
  if (value[n] == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is not of the form FORMAT=FILE", row->name,
             value);
    return false;
  }
  snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name), value);
  if (!opts_peer_format(p, row, name, &report.format) ||
      !opts_report_path(p, row->name, report.path)) {
    return false;
  }
  opts_peer_report *grown =
      memory_resize(o->peer_reports, (o->num_peer_reports + 1) * sizeof *grown);
  if (grown == NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "out of memory");
    return false;
  }
  o->peer_reports = grown;
  grown[o->num_peer_reports++] = report;
  return true;
}

/* ---- one option ---- */

static bool opts_is_level(opt_id id) {
  return id == OPT_LEVEL || id == OPT_PEER_LEVEL;
}

static bool opts_is_fail_on(opt_id id) {
  return id == OPT_FAIL_ON || id == OPT_PEER_FAIL_ON;
}

static bool opts_apply_choice(const opts_parser *p, const opt_row *row, const char *value) {
  opts *o = p->out;
  const char *const *const names = row->id == OPT_FORMAT         ? opts_formats
                                   : row->id == OPT_STATS_FORMAT ? opts_stats_formats
                                   : opts_is_level(row->id)      ? opts_levels
                                   : opts_is_fail_on(row->id)    ? opts_fails
                                   : row->id == OPT_LAYER        ? opts_layers
                                   : row->id == OPT_TIMES        ? opts_times
                                   : row->id == OPT_COLOR || row->id == OPT_PROGRESS
                                       ? opts_whens
                                       : opts_switches;
  size_t i = 0;
  if (!opts_pick(p, row, value, names, &i)) {
    return false;
  }
  if (row->id == OPT_FORMAT) {
    o->format = (opts_format)i;
  } else if (row->id == OPT_STATS_FORMAT) {
    o->stats = (opts_stats_format)i;
  } else if (opts_is_level(row->id)) {
    o->level = (iwarp_severity)i;
  } else if (opts_is_fail_on(row->id)) {
    o->fail_on = i > OPTS_FAIL_NEVER ? (opts_fail_on)(i - OPTS_FAIL_NEVER - 1) : (opts_fail_on)i;
  } else if (row->id == OPT_LAYER) {
    o->layer = (report_layer)i;
  } else if (row->id == OPT_TIMES) {
    o->times = (report_times)(i + 1); /* 0: none was named */
  } else if (row->id == OPT_COLOR) {
    o->color = (opts_when)i;
  } else if (row->id == OPT_PROGRESS) {
    o->progress = (opts_when)i;
  } else {
    *(row->id == OPT_MARKERS ? &o->markers : &o->crc) =
        i == 1 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  }
  return true;
}

#define OPTS_ENDS (OBSERVE_HOWS + 4u) /* names of --fail-on-outcome */

/* The names of the ways to end; returns their bits. */
static void opts_ends(const char *names[OPTS_ENDS + 1], uint32_t bits[OPTS_ENDS]) {
  static const struct {
    const char *name;
    uint32_t bit;
  } more[] = {{"work-unanswered", IWARP_ENDS_UNANSWERED},
              {"syn-refused", IWARP_ENDS_SYN_REFUSED},
              {"syn-unanswered", IWARP_ENDS_SYN_UNANSWERED},
              {"failed", IWARP_ENDS_FAILED}};
  for (unsigned int i = 0; i < OBSERVE_HOWS; i++) {
    names[i] = report_outcome_name((observe_how)i);
    bits[i] = 1u << i;
  }
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
    names[OBSERVE_HOWS + i] = more[i].name;
    bits[OBSERVE_HOWS + i] = more[i].bit;
  }
  names[OPTS_ENDS] = NULL;
}

/* Names of ways to end, separated by commas. */
static bool opts_outcomes(const opts_parser *p, const opt_row *row, const char *value) {
  const char *names[OPTS_ENDS + 1];
  uint32_t bits[OPTS_ENDS];
  opts_ends(names, bits);
  for (const char *at = value;; at++) {
    char name[32] = "";
    size_t i = 0;
    const size_t len = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name), at);
    if (!opts_pick(p, row, name, names, &i)) {
      return false;
    }
    p->out->fail_on_outcome |= bits[i];
    at += len;
    if (*at == 0) {
      return true;
    }
  }
}

static bool opts_jobs(const opts_parser *p, const opt_row *row, const char *value) {
  uint64_t n = 0;
  if (!opts_number(p, row, value, 1, &n)) {
    return false;
  }
  if (n > JOBS_MAX) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is too much (at most %u)", row->name, value,
             JOBS_MAX);
    return false;
  }
  p->out->jobs = (unsigned int)n;
  return true;
}

/* Reads two decimal numbers with `between` after the first one, each up to its greatest value. */
static bool opts_pair(const char *value, char between, const uint64_t max[2], uint64_t out[2]) {
  char first[8] = "";
  const char *at = strchr(value, between);
  const size_t len = at != NULL ? (size_t)(at - value) : sizeof first;
  if (len >= sizeof first) {
    return false;
  }
  memcpy(first, value, len);
  return opts_decimal(first, max[0], &out[0]) && opts_decimal(at + 1, max[1], &out[1]);
}

static bool opts_shard(const opts_parser *p, const opt_row *row, const char *value) {
  uint64_t shard[2] = {0};
  if (!opts_pair(value, '/', (uint64_t[]){OPTS_SHARDS_MAX - 1, OPTS_SHARDS_MAX}, shard) ||
      shard[0] >= shard[1]) {
    snprintf(p->error, OPTS_ERROR_CAP,
             "--%s: '%.60s' is not of the form I/N, with I from 0 to N - 1 and N up to %u",
             row->name, value, OPTS_SHARDS_MAX);
    return false;
  }
  p->out->shard = (unsigned int)shard[0];
  p->out->shards = (unsigned int)shard[1];
  return true;
}

static bool opts_captures(const opts_parser *p, const opt_row *row, const char *value) {
  uint64_t range[2] = {0};
  if (!opts_pair(value, '-', (uint64_t[]){OPTS_CAPTURES_MAX - 1, OPTS_CAPTURES_MAX - 1}, range) ||
      range[0] > range[1]) {
    snprintf(p->error, OPTS_ERROR_CAP,
             "--%s: '%.60s' is not of the form A-B, with numbers from 0 to %u, the lower one first",
             row->name, value, OPTS_CAPTURES_MAX - 1);
    return false;
  }
  p->out->captures_begin = (size_t)range[0];
  p->out->captures_end = (size_t)range[1] + 1;
  return true;
}

static bool opts_conn(const opts_parser *p, const opt_row *row, const char *value) {
  opts *o = p->out;
  uint64_t number = 0;
  if (!opts_number(p, row, value, 0, &number)) {
    return false;
  }
  uint64_t *grown = memory_resize(o->conns, (o->num_conns + 1) * sizeof *grown);
  if (grown == NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "out of memory");
    return false;
  }
  o->conns = grown;
  grown[o->num_conns++] = number;
  return true;
}

bool opts_wants_conn(const opts *o, uint64_t number) {
  size_t i = 0;
  while (i < o->num_conns && o->conns[i] != number) {
    i++;
  }
  return o->num_conns == 0 || i < o->num_conns;
}

/* A shard writes JSON Lines, and what needs all connections is not for it. */
static opts_result opts_shard_fits(opts *o, char *error) {
  const char *unfit = o->report_given && o->report != &report_format_jsonl ? "-T"
                      : o->num_reports > 0                                 ? "--report"
                      : o->annotate != NULL                                ? "--annotate"
                      : o->baseline != NULL                                ? "--baseline"
                      : o->max_findings != UINT64_MAX                      ? "--max-findings"
                      : o->num_conns > 0                                   ? "--conn"
                                                                           : NULL;
  if (o->shards > 0 && unfit != NULL) {
    snprintf(error, OPTS_ERROR_CAP, "--shard writes a part of JSON Lines: it does not go with %s",
             unfit);
    return OPTS_WRONG;
  }
  if (o->captures_end != SIZE_MAX && (o->shards == 0 || o->join)) {
    snprintf(error, OPTS_ERROR_CAP, "--captures %s",
             o->join ? "does not go with --join" : "needs --shard");
    return OPTS_WRONG;
  }
  o->report = o->shards > 0 ? &report_format_jsonl : o->report;
  return OPTS_RUN;
}

static bool opts_variant(const opts_parser *p, const opt_row *row, const char *value) {
  size_t i = 0;
  p->out->variant = value;
  return opts_pick(p, row, value, scenario_variants, &i);
}

#define OPTS_TIMEOUT_NS UINT64_C(5000000000)
#define OPTS_PEER_TIMEOUT_NS UINT64_C(60000000000)
#define OPTS_SECONDS_MAX 1000000000u /* 31 years */

/* Seconds, with up to nine decimals. */
static bool opts_seconds(const opts_parser *p, const opt_row *row, const char *value,
                         uint64_t *out_ns) {
  char whole[16] = "";
  char part[16] = "000000000";
  uint64_t seconds = 0;
  uint64_t ns = 0;
  const size_t len = strcspn(value, ".");
  const size_t decimals = value[len] == '.' ? strlen(value + len + 1) : 0;
  snprintf(whole, sizeof whole, "%.*s", (int)(len < sizeof whole ? len : sizeof whole), value);
  const bool fits = len > 0 && len < 11 && decimals <= 9 && (value[len] == 0 || decimals > 0);
  memcpy(part, value + len + (decimals > 0 ? 1 : 0), fits ? decimals : 0);
  if (!fits || !opts_decimal(whole, OPTS_SECONDS_MAX, &seconds) ||
      !opts_decimal(part, UINT64_MAX, &ns) || seconds + ns == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is no number of seconds", row->name, value);
    return false;
  }
  *out_ns = seconds * UINT64_C(1000000000) + ns;
  return true;
}

#define OPTS_INTERVAL_LEAST 1000u /* ns */

static bool opts_interval(const opts_parser *p, const opt_row *row, const char *value) {
  if (!opts_seconds(p, row, value, &p->out->interval_ns)) {
    return false;
  }
  if (p->out->interval_ns < OPTS_INTERVAL_LEAST) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is too little (at least 0.000001)", row->name,
             value);
    return false;
  }
  return true;
}

static bool opts_write(const opts_parser *p, const char *value, const char **out) {
  if (strcmp(value, "-") == 0) {
    snprintf(p->error, OPTS_ERROR_CAP, "-w: standard output is for the report: name a file");
    return false;
  }
  *out = value;
  return true;
}

static bool opts_ping(const opts_parser *p, const opt_row *row, const char *value) {
  if (!opts_number(p, row, value, 0, &p->out->pings)) {
    return false;
  }
  if (p->out->pings > PEER_PROBE_PINGS_MAX) {
    snprintf(p->error, OPTS_ERROR_CAP, "--%s: '%.60s' is too much (at most %u)", row->name, value,
             PEER_PROBE_PINGS_MAX);
    return false;
  }
  return true;
}

/* What needs a file does not go with an interface, and the other way round. */
static opts_result opts_live_fits(opts *o, char *error) {
  const bool live = o->interface != NULL;
  const char *unfit = !live && o->duration_ns != PCAP_SRC_FOREVER ? "--duration"
                      : !live && o->write != NULL                 ? "-w"
                      : live && o->num_operands > 0               ? "a capture"
                      : live && o->annotate != NULL               ? "--annotate"
                      : live && o->join                           ? "--join"
                      : live && o->shards > 0                     ? "--shard"
                                                                  : NULL;
  if (unfit != NULL) {
    snprintf(error, OPTS_ERROR_CAP, "%s: %s %s", command_rows[o->command].name, unfit,
             live ? "does not go with -i" : "goes with -i alone");
    return OPTS_WRONG;
  }
  if (live) { /* the interface stands for the capture */
    o->jobs = 1;
    return opts_append(&o->operands, &o->num_operands, o->interface, error) ? OPTS_RUN : OPTS_WRONG;
  }
  return OPTS_RUN;
}

static bool opts_apply(const opts_parser *p, const opt_row *row, const char *value) {
  opts *o = p->out;
  switch (row->id) {
  case OPT_INTERFACE: o->interface = value; return true;
  case OPT_DURATION: return opts_seconds(p, row, value, &o->duration_ns);
  case OPT_INTERVAL: return opts_interval(p, row, value);
  case OPT_WRITE: return opts_write(p, value, &o->write);
  case OPT_WRITE_TRACE: return opts_write(p, value, &o->trace);
  case OPT_PING: return opts_ping(p, row, value);
  case OPT_WRITE_FOLDER: o->keep = value; return true;
  case OPT_PEER_INTERFACE: o->packets = value; return true;
  case OPT_RUN: o->run = value; return true;
  case OPT_RESTART: o->restart = value; return true;
  case OPT_ULP: o->ulp = value; return true;
  case OPT_PEER_FORMAT: return opts_peer_format(p, row, value, &o->peer_report);
  case OPT_PEER_REPORT: return opts_peer_report_add(p, row, value);
  case OPT_LIST: o->list = true; return true;
  case OPT_DANGER: o->danger = true; return true;
  case OPT_PEER_TIMEOUT:
  case OPT_TIMEOUT: return opts_seconds(p, row, value, &o->timeout_ns);
  case OPT_FILTER: o->filter = value; return true;
  case OPT_DECODE_AS: return opts_decode_as(p, value);
  case OPT_CHECK_FORMAT: o->report_given = true; return opts_report_pick(p, row, value, &o->report);
  case OPT_REPORT: return opts_report_add(p, row, value);
  case OPT_ANNOTATE:
    if (!opts_report_path(p, row->name, value)) {
      return false;
    }
    o->annotate = value;
    return true;
  case OPT_METRICS:
    if (!opts_report_path(p, row->name, value)) {
      return false;
    }
    o->metrics = value;
    return true;
  case OPT_METRICS_LABEL: return opts_metrics_label(p, row, value);
  case OPT_PEER_PROFILE:
  case OPT_PROFILE: o->profile = value; return true;
  case OPT_PEER_BASELINE:
  case OPT_BASELINE: o->baseline = value; return true;
  case OPT_COUNT: return opts_number(p, row, value, 1, &o->max_packets);
  case OPT_FIELDS: o->fields = true; return true;
  case OPT_OCTETS: o->octets = true; return true;
  case OPT_QUIET:
  case OPT_VERBOSE: /* the later one counts */
    o->quiet = row->id == OPT_QUIET;
    o->verbose = row->id == OPT_VERBOSE;
    return true;
  case OPT_NUMERIC: return true;
  case OPT_PEER_ONLY:
  case OPT_ONLY: return opts_append(&o->only, &o->num_only, value, p->error);
  case OPT_PEER_EXCLUDE:
  case OPT_EXCLUDE: return opts_append(&o->exclude, &o->num_exclude, value, p->error);
  case OPT_MAX_FINDINGS: return opts_number(p, row, value, 0, &o->max_findings);
  case OPT_REQUIRE_DECIDED: o->require_decided = true; return true;
  case OPT_FAIL_ON_SUSPECTED: o->fail_on_suspected = true; return true;
  case OPT_FAIL_ON_OUTCOME: return opts_outcomes(p, row, value);
  case OPT_DIAGNOSES: o->diagnoses = true; return true;
  case OPT_OFFSET: o->offset_given = true; return opts_number(p, row, value, 0, &o->offset);
  case OPT_OUTPUT: o->output = value; return true;
  case OPT_KEEP_PRIVATE_DATA: o->keep_private_data = true; return true;
  case OPT_KEY: o->key = value; return true;
  case OPT_VARIANT: return opts_variant(p, row, value);
  case OPT_MEMORY: return opts_memory(p, row, value);
  case OPT_MAX_UNPACKED: return opts_max_unpacked(p, row, value);
  case OPT_JOBS: return opts_jobs(p, row, value);
  case OPT_SHARD: return opts_shard(p, row, value);
  case OPT_CAPTURES: return opts_captures(p, row, value);
  case OPT_JOIN: p->out->join = true; return true;
  case OPT_CONN: return opts_conn(p, row, value);
  case OPT_NO_SANDBOX: o->no_sandbox = true; return true;
  case OPT_FORMAT:
  case OPT_STATS_FORMAT:
  case OPT_LAYER:
  case OPT_TIMES:
  case OPT_LEVEL:
  case OPT_FAIL_ON:
  case OPT_PEER_LEVEL:
  case OPT_PEER_FAIL_ON:
  case OPT_MARKERS:
  case OPT_CRC:
  case OPT_COLOR:
  case OPT_PROGRESS: return opts_apply_choice(p, row, value);
  case OPT_HELP:
  case OPT_VERSION:
  case OPT_TOTAL: break;
  }
  return true;
}

/* ---- the command line ---- */

/*
 * Prepares getopt_long. The leading '-' makes it hand over operands in their order whatever
 * POSIXLY_CORRECT says; the ':' makes it tell a missing argument from an unknown option.
 */
static void opts_prepare(opts_parser *p, command_id command) {
  size_t num_long = 0;
  size_t num_short = 0;
  p->shorts[num_short++] = '-';
  p->shorts[num_short++] = ':';
  for (int i = 0; i < OPT_TOTAL; i++) {
    const opt_row *row = &opt_rows[i];
    if ((row->commands >> command & 1u) == 0) {
      continue;
    }
    if (row->name != NULL) {
      p->longs[num_long++] = (struct option){
          row->name, row->arg != NULL ? required_argument : no_argument, NULL, LONG_BASE + i};
    }
    if (row->letter != 0) {
      p->shorts[num_short++] = row->letter;
      if (row->arg != NULL) {
        p->shorts[num_short++] = ':';
      }
    }
  }
  p->longs[num_long] = (struct option){0};
  p->shorts[num_short] = 0;
}

static const opt_row *opts_row(command_id command, int code) {
  if (code >= LONG_BASE) {
    return &opt_rows[code - LONG_BASE];
  }
  for (size_t i = 0; i < OPT_TOTAL; i++) {
    const opt_row *row = &opt_rows[i];
    if (row->letter != 0 && row->letter == code && (row->commands >> command & 1u) != 0) {
      return row;
    }
  }
  return NULL;
}

/* The first command that takes an option, as it was given: one letter or a long name. */
static const char *opts_taken_by(const char *given) {
  for (size_t i = 0; i < OPT_TOTAL; i++) {
    const opt_row *row = &opt_rows[i];
    const bool letter = row->letter != 0 && given[1] == row->letter && given[2] == 0;
    if (letter || (row->name != NULL && given[1] == '-' && strcmp(given + 2, row->name) == 0)) {
      unsigned int command = 0;
      while ((row->commands >> command & 1u) == 0) {
        command++;
      }
      return command_rows[command].name;
    }
  }
  return NULL;
}

/* An option that another command takes is no near miss of one that this one takes. */
static opts_result opts_unknown_here(const opts_parser *p, const char *given,
                                     const char *const *names) {
  if (strcmp(given, "-r") == 0) { /* tcpdump and tshark have this option */
    snprintf(p->error, OPTS_ERROR_CAP, "a capture needs no -r: 'iwarp %s CAPTURE'",
             command_rows[p->out->command].name);
    return OPTS_WRONG;
  }
  const char *taken_by = opts_taken_by(given);
  if (taken_by != NULL) {
    snprintf(p->error, OPTS_ERROR_CAP, "%s takes no option '%.60s'; %s does",
             command_rows[p->out->command].name, given, taken_by);
    return OPTS_WRONG;
  }
  return opts_wrong(p->error, "unknown option ", given, "", names);
}

/* The long options with their dashes, for near misses. */
static opts_result opts_unknown_long(const opts_parser *p, const char *word) {
  char dashed[OPT_TOTAL][32];
  const char *names[OPT_TOTAL + 1] = {NULL};
  char given[64];
  snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
  for (size_t i = 0; p->longs[i].name != NULL; i++) {
    snprintf(dashed[i], sizeof dashed[i], "--%s", p->longs[i].name);
    names[i] = dashed[i];
  }
  return opts_unknown_here(p, given, names);
}

static opts_result opts_unknown(const opts_parser *p, int code, const char *word) {
  if (code == ':') {
    return opts_wrong(p->error, "option ", word, " needs an argument", NULL);
  }
  if (strncmp(word, "--", 2) == 0 && strchr(word, '=') != NULL && optopt >= LONG_BASE) {
    return opts_wrong(p->error, "option ", word, " takes no argument", NULL);
  }
  if (strncmp(word, "--", 2) == 0) {
    return opts_unknown_long(p, word);
  }
  const char letter[3] = {'-', (char)optopt, 0};
  return opts_unknown_here(p, letter, NULL);
}

/* Abbreviations would become an undocumented interface, so only whole names count. */
static bool opts_whole_name(const char *word, const opt_row *row) {
  const size_t n = strlen(row->name);
  return strncmp(word, "--", 2) == 0 && strncmp(word + 2, row->name, n) == 0 &&
         (word[2 + n] == 0 || word[2 + n] == '=');
}

static opts_result opts_read(opts_parser *p, int argc, char **argv) {
  optind = 0; /* starts getopt_long again */
  opterr = 0;
  for (;;) {
    const int before = optind > 0 ? optind : 1;
    const char *word = before < argc ? argv[before] : "";
    const int code = getopt_long(argc, argv, p->shorts, p->longs, NULL);
    if (code == -1) {
      break;
    }
    if (code == 1) {
      if (!opts_append(&p->out->operands, &p->out->num_operands, optarg, p->error)) {
        return OPTS_WRONG;
      }
      continue;
    }
    if (code == '?' || code == ':') {
      return opts_unknown(p, code, word);
    }
    const opt_row *row = opts_row(p->out->command, code);
    if (row == NULL) {
      return opts_unknown(p, code, word);
    }
    if (code >= LONG_BASE && !opts_whole_name(word, row)) {
      return opts_unknown_long(p, word);
    }
    if (row->id == OPT_HELP || row->id == OPT_VERSION) {
      return row->id == OPT_HELP ? OPTS_HELP : OPTS_VERSION;
    }
    if (!opts_apply(p, row, optarg)) {
      return OPTS_WRONG;
    }
  }
  for (int i = optind; i < argc; i++) {
    if (!opts_append(&p->out->operands, &p->out->num_operands, argv[i], p->error)) {
      return OPTS_WRONG;
    }
  }
  return OPTS_RUN;
}

static opts_result opts_operands(const opts *o, char *error) {
  const command_row *row = &command_rows[o->command];
  if (o->num_operands < row->min_operands) {
    snprintf(error, OPTS_ERROR_CAP, "%s: %s", row->name, row->missing);
    return OPTS_WRONG;
  }
  for (size_t i = 0; o->join && i < o->num_operands; i++) {
    if (strcmp(o->operands[i], "-") == 0) {
      snprintf(error, OPTS_ERROR_CAP, "%s: --join: '-' is no file", row->name);
      return OPTS_WRONG;
    }
  }
  if (!o->join && o->num_operands > row->max_operands) {
    snprintf(error, OPTS_ERROR_CAP, "%s: one operand too many: '%.60s'", row->name,
             o->operands[row->max_operands]);
    return OPTS_WRONG;
  }
  return OPTS_RUN;
}

/* A capture stands where a command should. */
static opts_result opts_command_missing(const char *capture, char *error) {
  snprintf(error, OPTS_ERROR_CAP,
           "a command is missing: 'iwarp check %.60s' checks a capture, 'iwarp dump %.60s' prints "
           "it",
           capture, capture);
  return OPTS_WRONG;
}

/* Options stand after the command. */
static opts_result opts_before_command(const char *word, const char *next, char *error) {
  static const char *const options[] = {"--help", "--version", NULL};
  if (strcmp(word, "-r") == 0) {
    return opts_command_missing(next != NULL ? next : "CAPTURE", error);
  }
  const char *taken_by = opts_taken_by(word);
  if (taken_by != NULL) {
    snprintf(error, OPTS_ERROR_CAP, "a command is missing before '%.60s': 'iwarp %s %.60s ...'",
             word, taken_by, word);
    return OPTS_WRONG;
  }
  return opts_wrong(error, "unknown option ", word, "", options);
}

/* `next` is the word after it, or NULL. */
static opts_result opts_command(opts *out, const char *word, const char *next, char *error) {
  const char *names[COMMAND_COUNT + 1] = {NULL};
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    names[i] = command_rows[i].name;
    if (strcmp(word, names[i]) == 0) {
      out->command = (command_id)i;
      return OPTS_RUN;
    }
  }
  if (word[0] == '-' && word[1] != 0) {
    return opts_before_command(word, next, error);
  }
  if (strpbrk(word, "./") != NULL || strcmp(word, "-") == 0) { /* a file */
    return opts_command_missing(word, error);
  }
  return opts_wrong(error, "unknown command ", word, "", names);
}

/* What `peer` needs of its command line. */
static const char *opts_peer_lacks(const opts *o) {
  const bool connects = o->num_operands > 0 && strcmp(o->operands[0], "connect") == 0;
  const bool listens = o->num_operands > 0 && strcmp(o->operands[0], "listen") == 0;
  if (o->num_operands > 0 && !connects && !listens) {
    return "the first operand is connect or listen";
  }
  if (o->list) {
    return o->peer_report == &peer_report_text || o->peer_report == &peer_report_jsonl
               ? NULL
               : "--list is text or jsonl";
  }
  if (o->packets != NULL && o->keep == NULL) {
    return "-i goes with -w DIR";
  }
  if (o->num_operands < 2) {
    return listens ? "listen: [ADDR:]PORT is missing"
                   : "connect HOST:PORT or listen [ADDR:]PORT is missing";
  }
  if (listens && o->run == NULL) {
    return "listen needs --run COMMAND, which makes the target connect";
  }
  return connects && o->run != NULL ? "--run goes with listen alone" : NULL;
}

static opts_result opts_peer_fits(const opts *o, char *error) {
  const char *lacks = o->command == COMMAND_PEER ? opts_peer_lacks(o) : NULL;
  if (lacks != NULL) {
    snprintf(error, OPTS_ERROR_CAP, "peer: %s", lacks);
    return OPTS_WRONG;
  }
  return OPTS_RUN;
}

/* `help` is the --help of the command that it names, or of the program. */
static opts_result opts_named(opts *out, bool *named, char *error) {
  opts_result result = opts_live_fits(out, error);
  if (result == OPTS_RUN) {
    result = opts_operands(out, error);
  }
  if (result == OPTS_RUN) {
    result = opts_shard_fits(out, error);
  }
  if (result == OPTS_RUN) {
    result = opts_peer_fits(out, error);
  }
  if (result != OPTS_RUN || out->command != COMMAND_HELP) {
    return result;
  }
  *named = out->num_operands > 0;
  return !*named || opts_command(out, out->operands[0], NULL, error) == OPTS_RUN ? OPTS_HELP
                                                                                 : OPTS_WRONG;
}

/* What a command writes that is not asked by -T. */
static const report_format *opts_own_report(command_id command) {
  if (command == COMMAND_BASELINE) {
    return &report_format_baseline;
  }
  return command == COMMAND_TIMELINE ? &report_format_timeline : report_formats[0];
}

opts_result opts_parse(opts *out, bool *named, int argc, char **argv, char error[OPTS_ERROR_CAP]) {
  *out = (opts){.max_packets = UINT64_MAX,
                .duration_ns = PCAP_SRC_FOREVER,
                .peer_report = &peer_report_text,
                .max_findings = UINT64_MAX,
                .captures_end = SIZE_MAX,
                .memory = OBSERVE_BUDGET_DEFAULT,
                .max_unpacked = {.octets = PCAP_SRC_MAX_OCTETS, .times = PCAP_SRC_MAX_TIMES},
                .jobs = 1};
  *named = false;
  if (argc < 2) {
    return OPTS_NOTHING;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    return OPTS_HELP;
  }
  if (strcmp(argv[1], "--version") == 0) {
    return OPTS_VERSION;
  }
  if (opts_command(out, argv[1], argc > 2 ? argv[2] : NULL, error) != OPTS_RUN) {
    return OPTS_WRONG;
  }
  opts_parser parser = {.out = out, .error = error};
  *named = true;
  out->report = opts_own_report(out->command);
  out->timeout_ns = out->command == COMMAND_PEER ? OPTS_PEER_TIMEOUT_NS : OPTS_TIMEOUT_NS;
  opts_prepare(&parser, out->command);
  const opts_result result = opts_read(&parser, argc - 1, argv + 1);
  return result == OPTS_RUN ? opts_named(out, named, error) : result;
}
