/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts of input for the stream engines, and logs of the events that come of them. */
#ifndef TEST_SUPPORT_STREAM_RUN_H
#define TEST_SUPPORT_STREAM_RUN_H

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/rx.h>

#include "prng.h"

/* ---- input ---- */

typedef enum step_kind { STEP_PUSH, STEP_GAP, STEP_END } step_kind;

typedef struct stream_step {
  step_kind kind;
  uint8_t side;
  iwarp_span octets; /* STEP_PUSH */
  uint64_t len;      /* STEP_GAP */
  iwarp_gap_reason reason;
  iwarp_end how; /* STEP_END */
  iwarp_meta meta;
} stream_step;

typedef struct stream_script {
  stream_step *steps;
  size_t num;
  size_t cap;
  uint64_t packet; /* of the next step; its time is ten times that */
  uint64_t peer_pos;
} stream_script;

/* script_new returns an empty script; packets count from 1. */
stream_script script_new(void);
void script_free(stream_script *s);

/* Each of these is one packet. */
void script_push(stream_script *s, uint8_t side, iwarp_span octets);
void script_gap(stream_script *s, uint8_t side, uint64_t len);
void script_end(stream_script *s, uint8_t side, iwarp_end how);

/* script_add appends a step as it is. */
void script_add(stream_script *s, stream_step step);

/* script_stream appends `octets` in segments of at most `mss` octets. */
void script_stream(stream_script *s, uint8_t side, iwarp_span octets, size_t mss);

/* script_lossy does so and turns `num` stretches, [from, to) offsets in order, into gaps. */
typedef struct script_hole {
  size_t from;
  size_t to;
} script_hole;
void script_lossy(stream_script *s, uint8_t side, iwarp_span octets, size_t mss,
                  const script_hole *holes, size_t num);

/*
 * script_cut returns the same input in smaller pushes of the same packets: each of 1 to `max`
 * octets.
 */
stream_script script_cut(const stream_script *s, prng *p, size_t max);

/* script_split returns the same input with one push parted at octet `at`. */
stream_script script_split(const stream_script *s, size_t step, size_t at);

/* ---- output ---- */

/* What an event said, without its spans: two runs compare by octets. */
typedef struct stream_rec {
  uint64_t pos;
  uint64_t len;
  uint64_t first;
  uint64_t last;
  uint64_t offset;
  uint64_t octets_len; /* of the ULPDU or the Private Data, as far as it is there */
  uint32_t kind;
  uint32_t side;
  uint32_t what; /* gap, undecodable or end reason; FPDU: crc; startup: key */
  uint32_t sync;
  uint32_t crc_computed;
  uint32_t crc_field;
  uint32_t length; /* ULPDU_Length or PD_Length */
  uint32_t lead;
  uint32_t octets; /* their CRC32c */
  uint32_t seg;    /* CRC32c of the decoded headers */
  uint32_t opcode;
  uint32_t flags; /* startup: flags and revision; undecodable: begins_fpdu */
  int32_t err;
  bool complete;
  bool pad_present;
  bool crc_present;
  bool has_ddp;
  bool is_reply;
  bool enhanced;
  bool first_starts;
  bool snapped;
} stream_rec;

typedef struct stream_log {
  stream_rec *recs;
  size_t num;
  size_t cap;
  size_t borrowed; /* FPDUs whose octets lay in the push itself */
} stream_log;

stream_log log_new(void);
void log_free(stream_log *log);

/* log_same says whether both hold the same; else it prints the first difference. */
bool log_same(const stream_log *a, const stream_log *b);

/* log_print shows all of it on standard error. */
void log_print(const stream_log *log);

/*
 * log_accounts says whether the events of `side`, whose stream begins at `start`, name every octet
 * and every gap of the script once and in order; else it prints what is wrong.
 */
bool log_accounts(const stream_log *log, const stream_script *s, uint8_t side, uint64_t start);

/* Of the events of one kind, in order: how many, and the i-th (NULL when there are fewer). */
size_t log_count(const stream_log *log, iwarp_event_kind kind);
const stream_rec *log_at(const stream_log *log, iwarp_event_kind kind, size_t i);

/* ---- runs ---- */

/*
 * Both feed a script to a new engine; an END step is the end of the stream. Every push is a copy of
 * its own that is gone when the engine has said END. They stop the program when an engine does not
 * come to an end. max_ulpdu 0 stands for any length here.
 */
stream_log run_rx(const iwarp_rx_cfg *how, const stream_script *s);

typedef struct run_start {
  uint64_t pos[2];
  bool known[2];
} run_start;
stream_log run_conn(const iwarp_observer_cfg *how, const run_start *start, const stream_script *s,
                    iwarp_observer_info *info);

#endif
