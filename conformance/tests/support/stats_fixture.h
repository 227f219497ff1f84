/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of stats share: a connection out of rows of a table, each with its packet and its
 * event. */
#ifndef STATS_FIXTURE_H
#define STATS_FIXTURE_H

#include <stats/stats.h>

#define STATS_FIXTURE_MS UINT64_C(1000000) /* ns */

typedef enum stats_step_kind {
  STEPS_END = 0, /* the last row */
  STEP_FPDU,
  STEP_BAD_CRC, /* an FPDU with a wrong CRC: a hole */
  STEP_LOST     /* 20 octets that no packet carries, and the gap event */
} stats_step_kind;

/* stats_step is an FPDU in a packet of its own. Untagged: `stag` is the MSN, `to` the MO. */
typedef struct stats_step {
  stats_step_kind kind;
  uint8_t side;
  uint8_t opcode;
  bool tagged;
  bool last;
  uint32_t ms; /* when the packet was captured */
  uint32_t stag;
  uint32_t to;
  size_t len;         /* octets of payload */
  uint32_t head_stag; /* the first four octets of payload, of an Atomic Request the next four */
  uint32_t head_to;   /* Read Request: the sink TO */
  size_t cut;         /* octets of payload that were not captured */
} stats_step;

#define LOST(of)                                                                                   \
  { .kind = STEP_LOST, .side = (of) }
#define SEND(of, at, msn, mo, l, n)                                                                \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_SEND, .ms = (at), .stag = (msn),     \
    .to = (mo), .last = (l), .len = (n)                                                            \
  }
#define WRITE(of, at, st, l, n)                                                                    \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_WRITE, .tagged = true, .ms = (at),   \
    .stag = (st), .last = (l), .len = (n)                                                          \
  }
/* A Read Request of `n` octets with `c` of them cut off. */
#define READ_OF(of, at, msn, sink, sink_to, n, c)                                                  \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_READ_REQ, .ms = (at), .stag = (msn), \
    .last = true, .len = (n), .head_stag = (sink), .head_to = (sink_to), .cut = (c)                \
  }
#define READ(of, at, msn, sink, sink_to) READ_OF(of, at, msn, sink, sink_to, 28, 0)
#define RESPONSE(of, at, sink, sink_to, l, n)                                                      \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_READ_RESP, .tagged = true,           \
    .ms = (at), .stag = (sink), .to = (sink_to), .last = (l), .len = (n)                           \
  }
#define ATOMIC_OF(of, at, msn, id, n)                                                              \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_ATOMIC_REQ, .ms = (at),              \
    .stag = (msn), .last = true, .len = (n), .head_stag = (id)                                     \
  }
#define ATOMIC(of, at, msn, id) ATOMIC_OF(of, at, msn, id, 52)
#define ATOMIC_RESPONSE_OF(of, at, msn, id, n, c)                                                  \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_ATOMIC_RESP, .ms = (at),             \
    .stag = (msn), .last = true, .len = (n), .head_stag = (id), .cut = (c)                         \
  }
#define ATOMIC_RESPONSE(of, at, msn, id) ATOMIC_RESPONSE_OF(of, at, msn, id, 12, 0)
#define TERMINATE(of, at)                                                                          \
  {                                                                                                \
    .kind = STEP_FPDU, .side = (of), .opcode = IWARP_RDMAP_OP_TERMINATE, .ms = (at), .stag = 1,    \
    .last = true, .len = 4                                                                         \
  }

typedef struct stats_fixture {
  stats *s;
  iwarp_observer_info info;
  observe_conn conn;
  uint64_t packet;  /* number of the last one */
  uint32_t next[2]; /* sequence numbers, by side */
  bool plain;       /* FPDUs of data messages have no events, where they need none */
} stats_fixture;

extern stats_fixture made;

/* stats_fixture_begin makes a connection without packets, side 0 the initiator. */
void stats_fixture_begin(const stats_cfg *cfg);

/* stats_fixture_start adds the SYNs and the startup frames of both sides, at 0 ms. */
void stats_fixture_start(void);

/* stats_fixture_packet adds a packet. */
void stats_fixture_packet(uint8_t side, uint8_t flags, uint32_t seq, uint64_t len, uint32_t ms);

/* stats_fixture_event adds the event of an FPDU that lies at the next position of its side. */
void stats_fixture_event(const stats_step *step);

/* stats_fixture_step adds the packet and the event of a row. */
void stats_fixture_step(const stats_step *step);

/* stats_fixture_end ends the connection. */
const stats_figures *stats_fixture_end(void);

/* stats_fixture_run makes a connection of a table, from its startup frames to its end; `plain` as
 * above. */
const stats_figures *stats_fixture_run(const stats_step *steps, bool plain);

/* stats_fixture_free gives the memory back. */
void stats_fixture_free(void);

#endif
