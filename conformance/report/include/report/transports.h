/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP: equal ones of a capture are one line. */
#ifndef REPORT_TRANSPORTS_H
#define REPORT_TRANSPORTS_H

#include <observe/conn.h>

#include <report/jsonw.h>

/** REPORT_TRANSPORTS_EACH is how many kinds of connections without iWARP a capture has lines for;
 * all further connections have one line. */
#define REPORT_TRANSPORTS_EACH 100u

/** report_transport is connections of one client to one server port that came equally far. */
typedef struct report_transport {
  observe_transport first; /* the first connection; `packet` is the least of all */
  uint64_t count;
  bool other; /* connections of any kind, beyond the others: only `count` and `packet` count */
} report_transport;

/** report_transports collects the lines of one capture; all zeros are an empty list. */
typedef struct report_transports {
  report_transport of[REPORT_TRANSPORTS_EACH + 1];
  size_t num;
} report_transports;

/** report_transports_add adds a connection. */
void report_transports_add(report_transports *t, const observe_transport *what);

/** report_transports_sort orders the lines by their first packets. */
void report_transports_sort(report_transports *t);

/** report_transport_name returns the name of its state, such as "refused". */
const char *report_transport_name(const report_transport *x);

/** report_transport_text writes one line that begins with two blanks; `capture`: as in
 * report_trait. */
void report_transport_text(out_buf *out, const observe_conn *capture, const report_transport *x);

/** report_transport_json writes the members of an object; `packet` as well for a shard. */
void report_transport_json(jsonw *w, const observe_conn *capture, const report_transport *x,
                           bool shard);

/** report_transport_state_name returns what a state is called in JSON. */
const char *report_transport_state_name(observe_transport_state state);

/** report_transports_words appends how many of the connections came how far, such as "2 refused, 1
 * without an MPA startup frame"; nothing if all counts are 0. `of`: by state. */
void report_transports_words(out_buf *out, const uint64_t of[OBSERVE_TRANSPORT_STATES]);

#endif
