/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection for the observer: what both sides send, and the events that it reports. */
#ifndef IWARP_TESTS_OBSERVER_BENCH_H
#define IWARP_TESTS_OBSERVER_BENCH_H

#include <iwarp/event.h>
#include <iwarp/observer.h>

#include "stream_build.h"
#include "stream_run.h"

#define OBSERVER_BENCH_REQUEST "MPA ID Req Frame"
#define OBSERVER_BENCH_REPLY "MPA ID Rep Frame"
#define OBSERVER_BENCH_WRONG "MPA ID Rep frame"

/* Positions of the first octets. */
#define OBSERVER_BENCH_POS0 UINT64_C(0xFFFFFFF0)
#define OBSERVER_BENCH_POS1 UINT64_C(5001)

/* Two sides, what they send, and what is made of it. */
typedef struct observer_bench {
  stream_build *b[2];
  size_t sent[2];
  iwarp_observer_cfg cfg;
  run_start start;
  stream_script s;
  stream_log log;
  iwarp_observer_info info;
} observer_bench;

observer_bench observer_bench_new(void);
void observer_bench_free(observer_bench *t);

/* observer_bench_pos returns the position of an index of the side's stream. */
uint64_t observer_bench_pos(const observer_bench *t, uint8_t side, size_t at);

/* observer_bench_frame builds a startup frame with four octets of Private Data. */
void observer_bench_frame(observer_bench *t, uint8_t side, const char *key, uint8_t flags);

/* observer_bench_say sends what was built for the side and not sent yet; it has received all that
 * the other side sent. */
void observer_bench_say(observer_bench *t, uint8_t side);

/* observer_bench_say_after does so when the side has received the other one's octets before that
 * position, or an unknown number of them. */
void observer_bench_say_after(observer_bench *t, uint8_t side, uint64_t received);

/* observer_bench_say_holed does so with a hole: the octets [from, to) of the stream are lost. */
void observer_bench_say_holed(observer_bench *t, uint8_t side, size_t from, size_t to);

/* observer_bench_shake makes a connection up to the Reply, with these flags. */
void observer_bench_shake(observer_bench *t, uint8_t request, uint8_t reply);

/* observer_bench_go runs the script as it is and in octets: the same must come, and name every
 * octet. */
void observer_bench_go(observer_bench *t);

/* observer_bench_finish does so after both sides have ended. */
void observer_bench_finish(observer_bench *t);

/* observer_bench_event: event `i` is of that side and kind and begins at that index of its stream.
 */
const stream_rec *observer_bench_event(const observer_bench *t, size_t i, uint8_t side,
                                       iwarp_event_kind kind, size_t at, size_t len);
const stream_rec *observer_bench_undec(const observer_bench *t, size_t i, uint8_t side, size_t at,
                                       size_t len, iwarp_undec_reason reason);

/* observer_bench_fpdu: it is the FPDU `k` that was built for the side. */
const stream_rec *observer_bench_fpdu(const observer_bench *t, size_t i, uint8_t side, size_t k);

#endif
