/* SPDX-License-Identifier: BSD-2-Clause */
/* One stream for the receive engine, and the events that it reports. */
#ifndef IWARP_TESTS_RX_BENCH_H
#define IWARP_TESTS_RX_BENCH_H

#include <iwarp/event.h>
#include <iwarp/rx.h>

#include "stream_build.h"
#include "stream_run.h"

#define RX_BENCH_POS UINT64_C(0xFFFFFE00) /* 512 octets before the sequence number wraps */

/* One stream, what is known of it, and the events that were reported. */
typedef struct rx_bench {
  stream_build *b;
  iwarp_rx_cfg cfg;
  stream_script s;
  stream_log log;
} rx_bench;

rx_bench rx_bench_new(bool markers, bool crc);
void rx_bench_free(rx_bench *t);

/* rx_bench_go runs the script in one piece and in octets: the same must come, and name every octet.
 */
void rx_bench_go(rx_bench *t);

/* rx_bench_run runs the whole stream in segments of `mss` octets with holes, and its end. */
void rx_bench_run(rx_bench *t, size_t mss, const script_hole *holes, size_t num);
void rx_bench_whole(rx_bench *t);
void rx_bench_hole(rx_bench *t, size_t from, size_t to);

/* rx_bench_event: event `i` is of that kind and begins at that index of the stream. */
const stream_rec *rx_bench_event(const rx_bench *t, size_t i, iwarp_event_kind kind, size_t at,
                                 size_t len);
const stream_rec *rx_bench_fpdu(const rx_bench *t, size_t i, const build_fpdu *f);
const stream_rec *rx_bench_undec(const rx_bench *t, size_t i, size_t at, size_t len,
                                 iwarp_undec_reason reason);

/* rx_bench_expect_all: the events report the FPDUs that were built, each whole. */
void rx_bench_expect_all(const rx_bench *t);

/* rx_bench_of_many has `num` Writes of `payload` octets. */
rx_bench rx_bench_of_many(bool markers, bool crc, size_t num, size_t payload);

/* rx_bench_put_marker sets the FPDUPTR of the Marker at that index. */
void rx_bench_put_marker(rx_bench *t, size_t at, uint16_t pointer);

#endif
