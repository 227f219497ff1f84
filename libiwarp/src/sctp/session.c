/* SPDX-License-Identifier: BSD-2-Clause */
/* The session engine: order of DDP-SSNs and the rules of receiving. RFC 5043 6 and 10. */
#include "../base/mem.h"
#include "../base/ring.h"
#include "session_priv.h"
#include "session_send.h"

#include <string.h>

#define SCTP_SESS_AHEAD_MAX 32766u /* RFC 5043 10: a larger distance is not valid */

size_t iwarp_sctp_session_size(uint16_t window) {
  if (window == 0 || window > IWARP_SCTP_WINDOW_MAX) {
    return 0;
  }
  return sizeof(iwarp_sctp_session) + sizeof(sctp_slot) * 2u * window;
}

/* Bytes of memory that a session needs; 0 where its configuration is invalid. */
static size_t sctp_sess_needs(const iwarp_sctp_session_cfg *cfg) {
  const bool ok = cfg != NULL && cfg->size == sizeof(*cfg) && (cfg->observer || !cfg->joined);
  return ok ? iwarp_sctp_session_size(cfg->window) : 0;
}

iwarp_err iwarp_sctp_session_init(iwarp_sctp_session **out, void *mem, size_t mem_len,
                                  const iwarp_sctp_session_cfg *cfg) {
  const iwarp_err err = mem_error(out, mem, mem_len, sctp_sess_needs(cfg));
  if (err != IWARP_OK) {
    return err;
  }
  iwarp_sctp_session *s = mem;
  memset(s, 0, iwarp_sctp_session_size(cfg->window));
  s->observer = cfg->observer;
  s->window = cfg->window;
  if (cfg->joined) {
    s->state = IWARP_SCTP_STATE_EST;
    s->inconclusive = true;
    s->session = 1;
  }
  *out = s;
  return IWARP_OK;
}

/* ---- order ---- */

/* The slot `ahead` after the expected one; ahead is below the window. */
static sctp_slot *sctp_sess_slot(iwarp_sctp_session *s, uint8_t side, uint32_t ahead) {
  const uint32_t at = ring_index(s->side[side].head, ahead, s->window);
  return &s->slots[(size_t)side * s->window + at];
}

/* Moves on by `n` DDP-SSNs; `n` is below the window. */
static void sctp_sess_advance(iwarp_sctp_session *s, uint8_t side, uint32_t n) {
  sctp_side *order = &s->side[side];
  order->head = (uint16_t)ring_index(order->head, n, s->window);
  order->next = (uint16_t)(order->next + n);
}

/* ---- what a message is ---- */

static iwarp_sctp_kind sctp_sess_kind(uint16_t function) {
  switch (function) {
  case IWARP_SCTP_INITIATE:
  case IWARP_SCTP_ENHANCED_INITIATE: return IWARP_SCTP_KIND_INITIATE;
  case IWARP_SCTP_ACCEPT:
  case IWARP_SCTP_ENHANCED_ACCEPT: return IWARP_SCTP_KIND_ACCEPT;
  case IWARP_SCTP_REJECT:
  case IWARP_SCTP_ENHANCED_REJECT: return IWARP_SCTP_KIND_REJECT;
  case IWARP_SCTP_TERMINATE: return IWARP_SCTP_KIND_TERMINATE;
  }
  return IWARP_SCTP_KIND_OTHER;
}

static void sctp_sess_other(sctp_slot *slot, iwarp_sctp_reason reason) {
  slot->kind = IWARP_SCTP_KIND_OTHER;
  slot->reason = reason;
}

static void sctp_sess_read_control(sctp_slot *slot) {
  iwarp_sctp_control v;
  if (iwarp_sctp_control_decode(&v, slot->user_data).err != IWARP_OK) {
    sctp_sess_other(slot, IWARP_SCTP_REASON_SHORT);
    return;
  }
  slot->control = true;
  slot->ssn = v.ssn;
  slot->kind = sctp_sess_kind(v.function);
  if (slot->kind == IWARP_SCTP_KIND_OTHER) {
    slot->reason = IWARP_SCTP_REASON_FUNCTION;
    return;
  }
  slot->enhanced = iwarp_sctp_function_get(v.function)->enhanced;
  /* RFC 6581 7 does not ask an Enhanced Reject for the enhanced data. */
  const bool asked = slot->enhanced && slot->kind != IWARP_SCTP_KIND_REJECT;
  if (v.private_data.len > IWARP_SCTP_PRIVATE_DATA_MAX ||
      (asked && iwarp_sctp_control_enhanced(&v).len == 0)) {
    sctp_sess_other(slot, IWARP_SCTP_REASON_LENGTH);
  }
}

static sctp_slot sctp_sess_read(uint8_t side, const iwarp_sctp_message *message) {
  sctp_slot slot = {
      .user_data = message->user_data, .token = message->token, .used = true, .side = side};
  iwarp_sctp_segment v;
  if (message->ppid == IWARP_SCTP_PPID_CONTROL) {
    sctp_sess_read_control(&slot);
  } else if (message->ppid != IWARP_SCTP_PPID_SEGMENT) {
    sctp_sess_other(&slot, IWARP_SCTP_REASON_PPID);
  } else if (iwarp_sctp_segment_decode(&v, slot.user_data).err != IWARP_OK) {
    sctp_sess_other(&slot, IWARP_SCTP_REASON_SHORT);
  } else {
    slot.segment = true;
    slot.ssn = v.ssn;
    slot.kind = IWARP_SCTP_KIND_SEGMENT;
  }
  return slot;
}

/* ---- in ---- */

/* Returns true if both directions of the session are finished. */
static bool sctp_sess_over(const iwarp_sctp_session *s) {
  return s->state == IWARP_SCTP_STATE_DRAIN || s->state == IWARP_SCTP_STATE_REFUSED ||
         s->state == IWARP_SCTP_STATE_REFUSING;
}

/* Returns true if exactly one side has sent its Terminate. */
static bool sctp_sess_half_over(const iwarp_sctp_session *s) {
  return s->state == IWARP_SCTP_STATE_T_SENT || s->state == IWARP_SCTP_STATE_T_RCVD ||
         s->state == IWARP_SCTP_STATE_GAVE_UP || s->state == IWARP_SCTP_STATE_ABANDONED;
}

/*
 * Returns true if the Initiate `slot` begins a session: there is no session, or the last one is
 * over. It also begins one if a single Terminate has ended the last session, as RFC 5043 6.2
 * permits, and DDP-SSN 0 has no place in that session.
 */
static bool sctp_sess_begins(const iwarp_sctp_session *s, sctp_slot *slot) {
  if (slot->kind != IWARP_SCTP_KIND_INITIATE || slot->ssn != 0) {
    return false;
  }
  uint16_t ahead = iwarp_sctp_ssn_distance(slot->ssn, s->side[slot->side].next);
  slot->without_reply = sctp_sess_half_over(s) && ahead > SCTP_SESS_AHEAD_MAX;
  return slot->without_reply || s->state == IWARP_SCTP_STATE_IDLE || sctp_sess_over(s);
}

/*
 * Returns true if a message of the last session crossed the refusal of that session. The session is
 * over, since everything that this side sent is acknowledged. After an own Initiate without an
 * answer only a Terminate can be such a message. In the new session a Terminate with a DDP-SSN
 * above 0 comes after the answer (RFC 5043 6.6), but segments may come before it.
 */
static bool sctp_sess_is_late(const iwarp_sctp_session *s, const sctp_slot *slot) {
  bool by_state =
      s->state == IWARP_SCTP_STATE_IDLE
          ? slot->kind == IWARP_SCTP_KIND_TERMINATE || slot->segment
          : s->state == IWARP_SCTP_STATE_INIT_SENT && slot->kind == IWARP_SCTP_KIND_TERMINATE;
  return s->late.open && by_state && slot->ssn == s->late.next;
}

/* Returns true if the Initiate `slot`, whose DDP-SSN is not 0, comes where only a session can
 * begin. */
static bool sctp_sess_misnumbers(const iwarp_sctp_session *s, const sctp_slot *slot) {
  return s->observer && slot->kind == IWARP_SCTP_KIND_INITIATE && sctp_sess_over(s);
}

/* Puts the message into its place; false: its DDP-SSN is ahead of the window. */
static bool sctp_sess_place(iwarp_sctp_session *s, sctp_slot slot) {
  sctp_side *order = &s->side[slot.side];
  if (sctp_sess_misnumbers(s, &slot)) {
    sctp_sess_other(&slot, IWARP_SCTP_REASON_SSN);
    s->now = slot;
    return true;
  }
  if (!order->synced) {
    order->synced = true;
    order->next = slot.ssn;
  }
  uint16_t ahead = iwarp_sctp_ssn_distance(slot.ssn, order->next);
  if (ahead >= s->window && ahead <= SCTP_SESS_AHEAD_MAX) {
    return false;
  }
  sctp_slot *place = ahead < s->window ? sctp_sess_slot(s, slot.side, ahead) : NULL;
  if (place == NULL || place->used) {
    const bool refused = slot.reason != IWARP_SCTP_REASON_NONE; /* whatever its number */
    sctp_sess_other(&slot, refused ? slot.reason : IWARP_SCTP_REASON_SSN);
    s->now = slot;
    return true;
  }
  *place = slot;
  order->held++;
  return true;
}

/* Returns true if the expected message of a side is there and may be reported. Segments wait until
 * the user has answered the Initiate. */
static bool sctp_sess_ready(iwarp_sctp_session *s, uint8_t side) {
  const sctp_slot *slot = sctp_sess_slot(s, side, 0);
  bool waits = !s->observer && s->state == IWARP_SCTP_STATE_PENDING && !s->want_term &&
               slot->kind == IWARP_SCTP_KIND_SEGMENT;
  return slot->used && !waits;
}

/* Returns true if iwarp_sctp_session_next_event has something to report. */
static bool sctp_sess_busy(iwarp_sctp_session *s) {
  return s->purge || s->now.used || sctp_sess_ready(s, 0) || sctp_sess_ready(s, 1);
}

iwarp_err iwarp_sctp_session_push(iwarp_sctp_session *s, uint8_t side,
                                  const iwarp_sctp_message *message) {
  if (side > SCTP_SESS_PEER || (!s->observer && side == SCTP_SESS_OWN)) {
    return IWARP_ERR_ARG;
  }
  if (sctp_sess_busy(s)) {
    return IWARP_ERR_STATE;
  }
  sctp_slot slot = sctp_sess_read(side, message);
  slot.begins = sctp_sess_begins(s, &slot);
  if (slot.begins) {
    s->purge = s->side[0].held + s->side[1].held != 0; /* held messages are of the old session */
    s->now = slot;
  } else if (sctp_sess_is_late(s, &slot)) {
    slot.late = true;
    s->now = slot;
  } else if (s->state == IWARP_SCTP_STATE_IDLE || (!slot.control && !slot.segment)) {
    s->now = slot;
  } else if (!sctp_sess_place(s, slot)) {
    return IWARP_ERR_NOBUF;
  }
  return IWARP_OK;
}

/* ---- out ---- */

void iwarpi_sctp_begin(iwarp_sctp_session *s, uint8_t side, bool enhanced) {
  s->state = IWARP_SCTP_STATE_IDLE;
  s->enhanced = enhanced;
  s->initiator = side;
  s->broken = false;
  s->inconclusive = false;
  s->want_term = false;
  s->tx_next = 0;
  s->tx_acked = 0;
  s->first_acked = false;
  s->session++;
  s->late.open = s->late.open && side == SCTP_SESS_OWN; /* a peer that begins has sent it all */
  for (size_t i = 0; i < 2; i++) {
    s->side[i] = (sctp_side){.synced = true};
  }
}

void iwarpi_sctp_settle(iwarp_sctp_session *s) {
  if (!s->observer && sctp_sess_over(s) && s->tx_acked == s->tx_next) {
    s->late = (sctp_late){.open = s->state == IWARP_SCTP_STATE_REFUSING,
                          .next = s->side[SCTP_SESS_PEER].next,
                          .session = s->session};
    s->state = IWARP_SCTP_STATE_IDLE;
    s->broken = false;
    s->purge = s->side[SCTP_SESS_PEER].held != 0;
  }
}

/* An answered Initiate leaves its sender nothing to send, though a Terminate may have crossed it.
 */
bool iwarpi_sctp_own_open(const iwarp_sctp_session *s) {
  iwarp_sctp_cell cell = iwarp_sctp_step(s->state, true, IWARP_SCTP_KIND_TERMINATE);
  return cell.verdict <= IWARP_SCTP_NOTE && s->state != IWARP_SCTP_STATE_REFUSED;
}

/* An Accept or Reject must have the form of the Initiate, if that is known; a plain Reject is
 * always accepted. RFC 6581 7 */
static void sctp_sess_check_form(const iwarp_sctp_session *s, sctp_slot *slot) {
  bool accept = slot->kind == IWARP_SCTP_KIND_ACCEPT && slot->enhanced != s->enhanced;
  bool reject = slot->kind == IWARP_SCTP_KIND_REJECT && slot->enhanced && !s->enhanced;
  if ((accept || reject) && s->state != IWARP_SCTP_STATE_IDLE && !s->inconclusive) {
    sctp_sess_other(slot, IWARP_SCTP_REASON_FUNCTION);
  }
}

static void sctp_sess_fill(iwarp_sctp_session_event *ev, const iwarp_sctp_session *s,
                           const sctp_slot *slot) {
  *ev = (iwarp_sctp_session_event){.side = slot->side,
                                   .message = slot->kind,
                                   .reason = slot->reason,
                                   .ssn = slot->ssn,
                                   .session = s->session,
                                   .token = slot->token,
                                   .inconclusive = s->inconclusive};
  if (slot->control) {
    iwarp_sctp_control_decode(&ev->control, slot->user_data);
  } else if (slot->segment) {
    iwarp_sctp_segment v;
    iwarp_sctp_segment_decode(&v, slot->user_data);
    ev->segment = v.segment;
  }
}

/* The duties of an endpoint after an event. RFC 5043 6.1, 6.4 */
static void sctp_sess_react(iwarp_sctp_session *s, iwarp_sctp_session_event *ev) {
  bool segments = s->state == IWARP_SCTP_STATE_EST || s->state == IWARP_SCTP_STATE_T_SENT;
  if (ev->verdict == IWARP_SCTP_ILLEGAL) {
    s->broken = true;
    s->want_term = true;
  } else if (ev->message == IWARP_SCTP_KIND_TERMINATE) {
    s->want_term = true; /* always answered, so that the peer may use the stream again */
  } else if (ev->message == IWARP_SCTP_KIND_INITIATE && s->refuse) {
    s->want_term = true;
    ev->reason = IWARP_SCTP_REASON_REFUSED;
  } else if (ev->message == IWARP_SCTP_KIND_SEGMENT && !segments) {
    ev->reason = IWARP_SCTP_REASON_NO_SESSION;
  }
  s->want_term = s->want_term && iwarpi_sctp_own_open(s);
}

static iwarp_sctp_cell sctp_sess_step(const iwarp_sctp_session *s, const sctp_slot *slot) {
  return iwarp_sctp_step(s->state, slot->side == SCTP_SESS_OWN, slot->kind);
}

static void sctp_sess_judge(iwarp_sctp_session *s, iwarp_sctp_session_event *ev,
                            const sctp_slot *slot) {
  iwarp_sctp_cell cell = sctp_sess_step(s, slot);
  ev->verdict = cell.verdict;
  if (s->broken && slot->kind != IWARP_SCTP_KIND_TERMINATE) {
    ev->verdict = IWARP_SCTP_ILLEGAL;
    ev->reason = IWARP_SCTP_REASON_BROKEN;
    return;
  }
  s->state = cell.next;
  if (cell.verdict == IWARP_SCTP_LEGAL && slot->without_reply) {
    ev->verdict = IWARP_SCTP_NOTE;
  }
  if (cell.verdict > IWARP_SCTP_NOTE && ev->reason == IWARP_SCTP_REASON_NONE) {
    ev->reason = cell.verdict == IWARP_SCTP_STRAY ? IWARP_SCTP_REASON_NO_SESSION
                                                  : IWARP_SCTP_REASON_SEQUENCE;
  }
  if (!s->observer && cell.verdict != IWARP_SCTP_STRAY) {
    sctp_sess_react(s, ev);
  }
}

/* Makes the event of a message that crossed the refusal of its session: judged as it would have
 * been there, and of no more use. */
static void sctp_sess_take_late(iwarp_sctp_session *s, iwarp_sctp_session_event *ev,
                                const sctp_slot *slot) {
  sctp_sess_fill(ev, s, slot);
  ev->kind = IWARP_SCTP_SESSION_EVENT_DISCARDED;
  ev->verdict = iwarp_sctp_step(IWARP_SCTP_STATE_REFUSING, false, slot->kind).verdict;
  ev->reason = IWARP_SCTP_REASON_OVER;
  ev->session = s->late.session;
  ev->state = s->state;
  s->late.open = slot->segment;
  s->late.next++;
}

/* Makes the event of a message whose turn it is. */
static void sctp_sess_take(iwarp_sctp_session *s, iwarp_sctp_session_event *ev, sctp_slot slot) {
  if (slot.late) {
    sctp_sess_take_late(s, ev, &slot);
    return;
  }
  if (slot.begins) {
    iwarpi_sctp_begin(s, slot.side, slot.enhanced);
    s->side[slot.side].next = 1;
  } else if (slot.kind == IWARP_SCTP_KIND_INITIATE &&
             sctp_sess_step(s, &slot).verdict == IWARP_SCTP_LEGAL) {
    sctp_sess_other(&slot, IWARP_SCTP_REASON_SSN); /* a session begins with DDP-SSN 0 */
  }
  sctp_sess_check_form(s, &slot);
  sctp_sess_fill(ev, s, &slot);
  sctp_sess_judge(s, ev, &slot);
  ev->state = s->state;
  ev->kind = IWARP_SCTP_SESSION_EVENT_CONTROL;
  if (ev->reason != IWARP_SCTP_REASON_NONE) {
    ev->kind = IWARP_SCTP_SESSION_EVENT_DISCARDED;
  } else if (slot.segment) {
    ev->kind = IWARP_SCTP_SESSION_EVENT_SEGMENT;
  }
  iwarpi_sctp_settle(s);
}

/* Gives back one of the messages held; false: none is left. */
static bool sctp_sess_purge(iwarp_sctp_session *s, iwarp_sctp_session_event *ev) {
  size_t num = 2u * (size_t)s->window;
  for (size_t i = 0; s->purge && i < num; i++) {
    if (s->slots[i].used) {
      sctp_sess_fill(ev, s, &s->slots[i]);
      ev->kind = IWARP_SCTP_SESSION_EVENT_DISCARDED;
      ev->verdict = IWARP_SCTP_STRAY;
      ev->reason = IWARP_SCTP_REASON_OVER;
      ev->state = s->state;
      s->slots[i].used = false;
      s->side[s->slots[i].side].held--;
      return true;
    }
  }
  s->purge = false;
  return false;
}

iwarp_err iwarp_sctp_session_next_event(iwarp_sctp_session *s, iwarp_sctp_session_event *ev) {
  if (sctp_sess_purge(s, ev)) {
    return IWARP_OK;
  }
  if (s->now.used) {
    s->now.used = false;
    sctp_sess_take(s, ev, s->now);
    return IWARP_OK;
  }
  for (uint8_t side = 0; side < 2; side++) {
    if (sctp_sess_ready(s, side)) {
      sctp_slot *slot = sctp_sess_slot(s, side, 0);
      slot->used = false;
      s->side[side].held--;
      sctp_sess_advance(s, side, 1);
      sctp_sess_take(s, ev, *slot);
      return IWARP_OK;
    }
  }
  return IWARP_ERR_END;
}

iwarp_err iwarp_sctp_session_skip(iwarp_sctp_session *s, uint8_t side,
                                  iwarp_sctp_session_event *ev) {
  if (side > SCTP_SESS_PEER) {
    return IWARP_ERR_ARG;
  }
  if (!s->observer || sctp_sess_busy(s) || s->side[side].held == 0) {
    return IWARP_ERR_STATE;
  }
  uint16_t missing = 0;
  while (!sctp_sess_slot(s, side, missing)->used) {
    missing++;
  }
  s->inconclusive = true;
  *ev = (iwarp_sctp_session_event){.kind = IWARP_SCTP_SESSION_EVENT_GAP,
                                   .side = side,
                                   .state = s->state,
                                   .inconclusive = true,
                                   .ssn = s->side[side].next,
                                   .missing = missing,
                                   .session = s->session};
  sctp_sess_advance(s, side, missing);
  return IWARP_OK;
}

void iwarpi_sctp_session_lost(iwarp_sctp_session *s) {
  s->state = IWARP_SCTP_STATE_IDLE;
  s->broken = false;
  s->want_term = false;
  s->tx_acked = s->tx_next;
  s->late.open = false;
  s->now.begins = false;
  s->now.late = false;
  sctp_sess_other(&s->now, IWARP_SCTP_REASON_OVER);
  s->purge = s->side[0].held + s->side[1].held != 0;
}

iwarp_sctp_session_info iwarp_sctp_session_info_get(const iwarp_sctp_session *s) {
  return (iwarp_sctp_session_info){
      .state = s->state,
      .session = s->session,
      .enhanced = s->enhanced,
      .initiator = s->initiator,
      .broken = s->broken,
      .inconclusive = s->inconclusive,
      .next = {s->observer ? s->side[0].next : s->tx_next, s->side[1].next},
      .held = (uint16_t)(s->side[0].held + s->side[1].held),
      .unacked = (uint16_t)(s->tx_next - s->tx_acked),
  };
}
