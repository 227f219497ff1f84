/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives the engine that decodes a connection over TCP. */
#include "tcp_doubt.h"

bool obs_tcp_engine_make(observe *obs, followed *c, bool full_operation) {
  const iwarp_observer_cfg cfg = {.size = sizeof cfg,
                                  .full_operation = full_operation,
                                  .markers = obs->cfg.markers,
                                  .crc = obs->cfg.crc,
                                  .max_ulpdu = UINT16_MAX,
                                  .pool = &obs->pool};
  c->engine_size = iwarp_observer_size(&cfg);
  c->engine_memory = obs_memory_get(obs, c->engine_size);
  if (c->engine_memory == NULL ||
      iwarp_observer_init(&c->engine, c->engine_memory, c->engine_size, &cfg) != IWARP_OK) {
    return false;
  }
  c->conn.info = iwarp_observer_info_get(c->engine);
  return true;
}

/* What the rules expect of the FPDU, where there are rules; 0: it needs its event. */
static unsigned tcp_expects(const followed *c, const iwarp_observer_fpdu *f) {
  const bool doubted =
      c->flow->doubts != NULL && obs_tcp_doubt_of(c->flow, f->side, f->pos, f->pos + f->wire.len);
  if (c->rules == NULL) {
    return doubted ? 0 : 1;
  }
  return doubted ? 0 : iwarp_rules_expects(c->rules, c->conn.info, f);
}

/* Takes pushed FPDUs without events. No hook needs their events, and the rules, if there are any,
 * expect them as they are. False: there is no more input. */
static bool tcp_pass(observe *obs, followed *c, iwarp_span in) {
  iwarp_observer_fpdu fpdu;
  iwarp_err err;
  while ((err = iwarp_observer_next_fpdu(c->engine, &fpdu)) == IWARP_OK) {
    const unsigned expected = tcp_expects(c, &fpdu);
    if (expected == 0 || !iwarp_observer_take_fpdu(c->engine, &fpdu)) {
      return true;
    }
    obs_followed_fpdu(obs, c, &fpdu, expected);
    if (fpdu.wire.ptr + fpdu.wire.len == in.ptr + in.len) {
      return false;
    }
  }
  return err != IWARP_ERR_END;
}

/* Takes the events of what was pushed. */
static void tcp_events(observe *obs, followed *c, iwarp_span in, bool pass) {
  iwarp_event ev;
  do {
    const iwarp_err err = iwarp_observer_next_event(c->engine, &ev);
    if (err != IWARP_OK) {
      obs->failed = obs->failed || err != IWARP_ERR_END; /* no memory */
      return;
    }
    obs_tcp_doubt_mark(c->flow, &ev);
    obs_followed_result(obs, c, &ev);
    obs_tcp_doubt_tell(c->flow, &ev);
  } while (!pass || tcp_pass(obs, c, in));
}

/* Returns true if FPDUs may go without events. */
static bool tcp_passes(const observe *obs, const followed *c) {
  return obs->hooks.fpdu != NULL || (c->rules != NULL && obs->hooks.event == NULL);
}

/* What an engine returns for input that follows its own rules is OK; anything else is a defect of
 * ours. */
static void tcp_fed(observe *obs, followed *c, iwarp_span in, iwarp_err err) {
  const bool pass = tcp_passes(obs, c);
  if (err != IWARP_OK) {
    obs->failed = true;
  } else if (!pass || tcp_pass(obs, c, in)) {
    tcp_events(obs, c, in, pass);
  }
}

void obs_tcp_begin(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos) {
  tcp_side *fs = &f->side[side];
  const bool known = fs->start_known && !fs->lossy;
  fs->started = true;
  if (iwarp_observer_start(f->conn->engine, side, fs->start, known, pos) != IWARP_OK) {
    obs->failed = true;
  }
}

void obs_tcp_push(observe *obs, followed *c, uint8_t side, iwarp_span in, const iwarp_meta *meta) {
  if (in.len > 0) {
    const iwarp_observer_side *info = &c->conn.info->side[side];
    const uint64_t before = info->num_fpdus;
    tcp_fed(obs, c, in, iwarp_observer_push(c->engine, side, in, meta));
    if (info->num_fpdus == 0) { /* the startup needed a buffer, which whole FPDUs do not need */
      iwarp_observer_trim(c->engine);
    }
    if (info->num_fpdus == before && info->partial_end == 0) {
      obs_followed_searched(obs, c, side, in.len);
    }
    if (c->flow->doubts != NULL) {
      obs_tcp_doubt_wait(c->flow, side);
    }
  }
}

tcp_unproven obs_tcp_direct(observe *obs, followed *c, uint8_t side, iwarp_span in,
                            iwarp_observer_fpdu *fpdu, bool may_wait) {
  const bool pass = tcp_passes(obs, c);
  while (pass && iwarp_observer_peek_fpdu(c->engine, side, in, fpdu) == IWARP_OK) {
    const unsigned expected = tcp_expects(c, fpdu);
    if (expected == 0 || !iwarp_observer_take_fpdu(c->engine, fpdu)) {
      break;
    }
    obs_followed_fpdu(obs, c, fpdu, expected);
    in.ptr += fpdu->wire.len;
    in.len -= fpdu->wire.len;
    if (in.len == 0) {
      return (tcp_unproven){0};
    }
    fpdu->meta.segment_start = false;
  }
  const tcp_unproven wait = may_wait ? obs_tcp_wait_fpdus(c, side, in) : (tcp_unproven){0};
  in.len -= wait.len;
  obs_tcp_push(obs, c, side, in, &fpdu->meta);
  return wait;
}

void obs_tcp_gap(observe *obs, followed *c, uint8_t side, const tcp_gap *gap) {
  tcp_fed(obs, c, (iwarp_span){0},
          iwarp_observer_gap(c->engine, side, gap->len, gap->reason, &gap->meta));
}

void obs_tcp_end(observe *obs, tcp_flow *f, uint8_t side, iwarp_end how, const iwarp_meta *meta) {
  obs_tcp_start(obs, f, side, f->side[side].next);
  tcp_fed(obs, f->conn, (iwarp_span){0}, iwarp_observer_eof(f->conn->engine, side, how, meta));
}
