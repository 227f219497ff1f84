/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of stats share: a connection out of rows of a table, each with its packet and its
 * event. */
#include "stats_fixture.h"

#include <string.h>

#include "check_run.h"

enum {
  FLAG_SYN = 2,
  FLAG_ACK = 16,
  FIRST_SEQ = 1000,
  STARTUP_LEN = 20,
  LOST_LEN = 20,
  ROOM = 2048
};

stats_fixture made;

void stats_fixture_begin(const stats_cfg *cfg) {
  made = (stats_fixture){.s = stats_new(cfg), .next = {FIRST_SEQ, FIRST_SEQ}};
  made.conn.info = &made.info;
  made.info.side[0].role = IWARP_ROLE_INITIATOR;
  made.info.side[1].role = IWARP_ROLE_RESPONDER;
}

void stats_fixture_packet(uint8_t side, uint8_t flags, uint32_t seq, uint64_t len, uint32_t ms) {
  const observe_headers p = {.packet = ++made.packet,
                             .time_ns = ms * STATS_FIXTURE_MS,
                             .len = len,
                             .cap = len,
                             .seq = seq,
                             .window = 100,
                             .flags = flags,
                             .side = side};
  stats_packet(made.s, &p);
}

void stats_fixture_start(void) {
  for (uint8_t side = 0; side < 2; side++) {
    stats_fixture_packet(side, side == 0 ? FLAG_SYN : FLAG_SYN | FLAG_ACK, FIRST_SEQ - 1, 0, 0);
  }
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_event ev = {
        .kind = IWARP_EVENT_STARTUP, .side = side, .pos = FIRST_SEQ, .len = STARTUP_LEN};
    stats_fixture_packet(side, FLAG_ACK, FIRST_SEQ, STARTUP_LEN, 0);
    stats_event(made.s, &made.conn, &ev);
    made.next[side] += STARTUP_LEN;
  }
}

static void stats_put(uint8_t *at, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) {
    at[i] = (uint8_t)(v >> (24 - 8 * i));
  }
}

static size_t head_len(const stats_step *step) {
  return step->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
}

static size_t wire_len(const stats_step *step) {
  return iwarp_mpa_layout_of(0, (uint16_t)(head_len(step) + step->len), false).wire_len;
}

/* As the observer has it: a Send of any kind, a Write or a Read Response, all of it there. */
static bool is_plain(const stats_step *step) {
  const uint32_t opcodes =
      step->tagged ? 1u << IWARP_RDMAP_OP_WRITE | 1u << IWARP_RDMAP_OP_READ_RESP
                   : 1u << IWARP_RDMAP_OP_SEND | 1u << IWARP_RDMAP_OP_SEND_INV |
                         1u << IWARP_RDMAP_OP_SEND_SE | 1u << IWARP_RDMAP_OP_SEND_SE_INV;
  return made.plain && step->kind == STEP_FPDU && step->cut == 0 && (opcodes >> step->opcode & 1u);
}

static void give(const stats_step *step, const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  const iwarp_observer_fpdu fpdu = {.side = ev->side,
                                    .opcode = v->seg.ctrl.opcode,
                                    .ulpdu_length = v->fpdu.ulpdu_length,
                                    .pad = v->fpdu.layout.pad,
                                    .pos = ev->pos,
                                    .payload_len = v->seg.payload_len,
                                    .wire = v->fpdu.wire,
                                    .ddp = v->seg.ddp};
  if (is_plain(step)) {
    stats_fpdu(made.s, &made.conn, &fpdu);
  } else {
    stats_event(made.s, &made.conn, ev);
  }
}

void stats_fixture_event(const stats_step *step) {
  static uint8_t wire[ROOM];
  const size_t ulpdu = head_len(step) + step->len;
  const size_t len = wire_len(step);
  uint8_t *payload = wire + 2 + head_len(step);
  iwarp_event ev = {
      .kind = IWARP_EVENT_FPDU, .side = step->side, .pos = made.next[step->side], .len = len};
  iwarp_event_fpdu *v = &ev.u.fpdu;
  ck_assert_uint_lt(len, ROOM - 16);
  memset(wire, 0, sizeof wire);
  stats_put(payload, step->head_stag);
  if (step->opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    stats_put(payload, 0);
    stats_put(payload + 4, step->head_stag);
  } else if (step->opcode == IWARP_RDMAP_OP_READ_REQ) {
    stats_put(payload + 8, step->head_to);
  }
  v->fpdu.wire = (iwarp_span){wire, step->cut > 0 ? 2 + ulpdu - step->cut : len};
  v->fpdu.ulpdu_length = (uint16_t)ulpdu;
  v->fpdu.layout = iwarp_mpa_layout_of(0, (uint16_t)ulpdu, false);
  v->complete = step->cut == 0;
  v->crc = step->kind == STEP_BAD_CRC ? IWARP_CRC_BAD : IWARP_CRC_GOOD;
  v->seg.has_ddp = true;
  v->seg.payload_len = step->len;
  v->seg.ctrl.opcode = step->opcode;
  v->seg.ddp.tagged = step->tagged;
  v->seg.ddp.last = step->last;
  if (step->tagged) {
    v->seg.ddp.stag = step->stag;
    v->seg.ddp.to = step->to;
  } else {
    v->seg.ddp.msn = step->stag;
    v->seg.ddp.mo = step->to;
  }
  give(step, &ev);
  made.next[step->side] += (uint32_t)len;
}

void stats_fixture_step(const stats_step *step) {
  if (step->kind == STEP_LOST) {
    const iwarp_event ev = {
        .kind = IWARP_EVENT_GAP, .side = step->side, .pos = made.next[step->side], .len = LOST_LEN};
    stats_event(made.s, &made.conn, &ev);
    made.next[step->side] += LOST_LEN;
    return;
  }
  stats_fixture_packet(step->side, FLAG_ACK, made.next[step->side], wire_len(step), step->ms);
  stats_fixture_event(step);
}

const stats_figures *stats_fixture_end(void) {
  stats_end(made.s, &made.conn);
  return stats_now(made.s);
}

const stats_figures *stats_fixture_run(const stats_step *steps, bool plain) {
  static const stats_cfg cfg;
  stats_fixture_begin(&cfg);
  made.plain = plain;
  stats_fixture_start();
  for (const stats_step *step = steps; step->kind != STEPS_END; step++) {
    stats_fixture_step(step);
  }
  return stats_fixture_end();
}

void stats_fixture_free(void) {
  stats_free(made.s);
  made.s = NULL;
}
