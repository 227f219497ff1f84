/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of the target as things seen, and the findings of the rules. */
#include "player_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <memory/memory.h>

/* ---- the inbox ---- */

void player_seen_free(seen *s) {
  if (s != NULL) {
    free(s->payload);
    free(s);
  }
}

void player_inbox_drop(peer_player *p, size_t num) {
  for (size_t i = 0; i < num; i++) {
    player_seen_free(p->inbox[i]);
  }
  p->num_inbox -= num;
  memmove(p->inbox, p->inbox + num, p->num_inbox * sizeof p->inbox[0]);
}

/* A flood of the inbox drops items, oldest first: no line waited for them. */
static void seen_put(peer_player *p, seen *s) {
  if (p->num_inbox == PLAYER_INBOX_MAX) {
    player_inbox_drop(p, 1);
  }
  p->inbox[p->num_inbox++] = s;
}

static seen *seen_new(seen_kind kind) {
  seen *s = memory_zeroed(1, sizeof *s);
  if (s != NULL) {
    s->kind = kind;
  }
  return s;
}

void player_see(peer_player *p, seen_kind kind) {
  seen *s = seen_new(kind);
  if (s != NULL) {
    seen_put(p, s);
  }
}

/* ---- events ---- */

static void seen_startup(peer_player *p, const iwarp_event_startup *ev) {
  seen *s = seen_new(SEEN_STARTUP);
  scenario_heard(p->scn, 1 - p->me, &ev->frame, ev->enhanced ? &ev->enh : NULL);
  if (s == NULL) {
    return;
  }
  s->reply = ev->is_reply;
  s->improper = ev->key != (ev->is_reply ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST) ||
                ev->frame.pd_length > IWARP_MPA_PRIVATE_DATA_MAX;
  if (iwarp_mpa_startup_encode(s->octets, sizeof s->octets, &s->len, &ev->frame) != IWARP_OK) {
    s->len = 0;
  }
  if ((p->page->info.needs & PEER_OFFER_REGION) != 0 && !p->region.known &&
      p->how.offer.form == PEER_FORM_ECHO) {
    (void)peer_region_read(&p->region, PEER_FORM_ECHO, ev->ulp_data.ptr, ev->ulp_data.len);
  }
  seen_put(p, s);
}

/* Copies octets to offset `at` of `to`, as far as they fit. `len` counts the octets of `to`. */
static void seen_copy(uint8_t *to, size_t cap, size_t *len, uint64_t at, iwarp_span octets) {
  if (at < cap) {
    const size_t room = cap - (size_t)at;
    const size_t end = (size_t)at + (octets.len < room ? octets.len : room);
    memcpy(to + (size_t)at, octets.ptr, end - (size_t)at);
    *len = end > *len ? end : *len;
  }
}

/* Makes room for so many octets of payload, or for as many as are kept. */
static void seen_grow(seen *s, uint64_t len) {
  const size_t wanted = len < PLAYER_PAYLOAD_MAX ? (size_t)len : PLAYER_PAYLOAD_MAX;
  const size_t twice = 2 * s->room < PLAYER_PAYLOAD_MAX ? 2 * s->room : PLAYER_PAYLOAD_MAX;
  const size_t room = wanted > twice ? wanted : twice;
  uint8_t *grown = wanted > s->room ? memory_resize(s->payload, room) : NULL;
  if (grown != NULL) {
    memset(grown + s->room, 0, room - s->room);
    s->payload = grown;
    s->room = room;
  }
}

/* A run of octets that begins at offset `at` of the message, RDMAP header counted. */
static void seen_run(seen *s, uint64_t at, iwarp_span run) {
  const size_t rdmap = iwarp_rdmap_op_get(s->opcode)->hdr_len;
  const size_t skip = at < rdmap ? rdmap - (size_t)at : 0;
  seen_copy(s->octets, sizeof s->octets, &s->len, s->ddp_len + at, run);
  if (skip < run.len) {
    seen_grow(s, at + run.len - rdmap);
    seen_copy(s->payload, s->room, &s->kept, at + skip - rdmap,
              (iwarp_span){run.ptr + skip, run.len - skip});
  }
}

/* Adds a segment to its message: an untagged one at its MO, a tagged one at the end. */
static void seen_segment(seen *s, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const size_t rdmap = iwarp_rdmap_op_get(s->opcode)->hdr_len;
  const uint64_t at = f->seg.ddp.tagged ? s->end : f->seg.ddp.mo;
  size_t cursor = 0;
  iwarp_span run;
  for (size_t off = 0; iwarp_event_payload(&run, &cursor, ev) == IWARP_OK; off += run.len) {
    seen_run(s, at + off, run);
  }
  const uint64_t end = at + f->seg.payload_len;
  s->end = end > s->end ? end : s->end;
  s->size = s->end > rdmap ? (size_t)(s->end - rdmap) : 0;
  s->bad_crc = s->bad_crc || f->crc == IWARP_CRC_BAD;
}

static seen *seen_message_new(const iwarp_event_fpdu *ev) {
  seen *s = seen_new(SEEN_MESSAGE);
  if (s == NULL) {
    return NULL;
  }
  s->opcode = ev->seg.ctrl.opcode;
  s->ddp_len = ev->seg.ddp_octets;
  s->len = iwarp_mpa_fpdu_ulpdu_copy(s->octets, s->ddp_len, &ev->fpdu, 0);
  return s;
}

/* A whole message keeps no more memory than it needs. */
static void seen_whole(peer_player *p, seen *s) {
  if (p->how.scripted && s->opcode == IWARP_RDMAP_OP_WRITE && s->kept > 0) {
    free(p->wrote);
    p->wrote = memory_get(s->kept);
    p->wrote_len = p->wrote != NULL ? s->kept : 0;
    if (p->wrote != NULL) {
      memcpy(p->wrote, s->payload, p->wrote_len);
    }
  }
  uint8_t *less = memory_resize(s->payload, s->kept + 1);
  s->payload = less != NULL ? less : s->payload;
  s->after_end = p->terminated;
  s->rtr = !p->heard_one && p->how.role == IWARP_ROLE_RESPONDER && s->size == 0 &&
           iwarp_rdmap_op_get(s->opcode)->cls == IWARP_RDMAP_CLASS_SEND;
  p->heard_one = true;
  if (p->asked > 0 &&
      (s->opcode == IWARP_RDMAP_OP_READ_RESP || s->opcode == IWARP_RDMAP_OP_ATOMIC_RESP)) {
    p->asked--;
  }
  p->terminated = p->terminated || s->opcode == IWARP_RDMAP_OP_TERMINATE;
  p->ended_first = p->ended_first || (p->terminated && !p->send_failed);
  seen_put(p, s);
}

/* Without a DDP header there is no message. */
static void seen_junk(peer_player *p, uint64_t len) {
  seen *s = seen_new(SEEN_JUNK);
  if (s != NULL) {
    s->size = (size_t)len;
    seen_put(p, s);
  }
}

static void seen_fpdu(peer_player *p, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  p->first_in = p->first_in || (f->complete && (f->crc != IWARP_CRC_BAD || p->how.scripted));
  if (!f->seg.has_ddp || !f->complete) {
    seen_junk(p, ev->len);
    return;
  }
  if (p->message != NULL && p->message->opcode != f->seg.ctrl.opcode) {
    seen_put(p, p->message); /* another message begins inside this one: the rules say so */
    p->message = NULL;
  }
  p->message = p->message == NULL ? seen_message_new(f) : p->message;
  if (p->message == NULL) {
    return;
  }
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  const size_t len = iwarp_mpa_fpdu_ulpdu_copy(head, sizeof head, &f->fpdu, 0);
  scenario_heard_segment(p->scn, 1 - p->me, (iwarp_span){head, len}, f->fpdu.ulpdu_length);
  seen_segment(p->message, ev);
  if (f->seg.ddp.last) {
    p->message->octets[0] |= IWARP_DDP_CTRL_L;
    seen_whole(p, p->message);
    p->message = NULL;
  }
}

/* The tester's own tagged payload, for readback. A scripted peer keeps what the other side wrote.
 */
static void seen_own(peer_player *p, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  size_t cursor = 0;
  iwarp_span run;
  if (p->how.scripted || !f->seg.has_ddp || !f->seg.ddp.tagged || f->seg.payload_len == 0) {
    return;
  }
  if (p->wrote == NULL) {
    p->wrote = memory_get(PLAYER_BACK_MAX);
  }
  p->wrote_len = 0;
  while (p->wrote != NULL && iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    const size_t room = PLAYER_BACK_MAX - p->wrote_len;
    const size_t n = run.len < room ? run.len : room;
    memcpy(p->wrote + p->wrote_len, run.ptr, n);
    p->wrote_len += n;
  }
}

static void seen_event(peer_player *p, const iwarp_event *ev) {
  if (ev->side == 0) {
    if (ev->kind == IWARP_EVENT_FPDU) {
      seen_own(p, ev);
    }
    return;
  }
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: seen_startup(p, &ev->u.startup); break;
  case IWARP_EVENT_FPDU: seen_fpdu(p, ev); break;
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING: seen_junk(p, ev->len); break;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
}

/* ---- findings ---- */

static bool seen_asked(const peer_player *p, uint16_t rule) {
  for (size_t i = 0; i < p->page->num_asked; i++) {
    if (p->page->asked[i] == rule) {
      return true;
    }
  }
  return false;
}

static void seen_finding(peer_player *p, const iwarp_finding *found) {
  const iwarp_severity severity = iwarp_rule_get(found->rule)->severity;
  const peer_finding finding = {.finding = *found,
                                .connection = p->connection,
                                .asked = found->side == 0 && seen_asked(p, found->rule)};
  if (p->num_findings < PEER_FINDINGS_MAX) {
    p->findings[p->num_findings++] = finding;
  }
  if (iwarp_finding_suspected(found) || severity == IWARP_SEVERITY_NOTE || finding.asked) {
    return;
  }
  const bool own = found->side == 0;
  if (own && p->cut_off) { /* half of an FPDU is no fault of the tester */
    return;
  }
  const bool worse = !p->has_worst || severity > iwarp_rule_get(p->worst.finding.rule)->severity;
  if (own ? !p->own_fault : !p->own_fault && worse) {
    p->worst = finding;
    p->has_worst = true;
    p->own_fault = own;
  }
}

static void seen_findings(peer_player *p) {
  iwarp_finding found;
  while (iwarp_rules_next(p->rules, &found) == IWARP_OK) {
    seen_finding(p, &found);
  }
}

static void seen_events(peer_player *p) {
  iwarp_event ev;
  while (iwarp_observer_next_event(p->observer, &ev) == IWARP_OK) {
    iwarp_rules_event(p->rules, iwarp_observer_info_get(p->observer), &ev);
    seen_findings(p);
    seen_event(p, &ev);
  }
}

/* ---- the connection ---- */

bool player_connected(peer_player *p) {
  const iwarp_observer_cfg cfg = {.size = sizeof cfg, .max_ulpdu = UINT16_MAX};
  const size_t size = iwarp_observer_size(&cfg);
  if (p->observer_mem == NULL) {
    p->observer_mem = memory_get(size);
    p->rules_mem = memory_get(iwarp_rules_size(NULL));
  }
  if (p->observer_mem == NULL || p->rules_mem == NULL ||
      iwarp_observer_init(&p->observer, p->observer_mem, size, &cfg) != IWARP_OK ||
      iwarp_rules_init(&p->rules, p->rules_mem, iwarp_rules_size(NULL), NULL) != IWARP_OK) {
    p->observer = NULL;
    return false;
  }
  (void)iwarp_observer_start(p->observer, 0, 0, true, 0);
  (void)iwarp_observer_start(p->observer, 1, 0, true, 0);
  return true;
}

/* What the target had received when it sent these octets. It is known where the tester has sent
 * nothing, and where TCP had acknowledged all octets of the tester some time before. An Initiator
 * waits for the Reply: whatever comes after one that rejects is a fault, even if the two cross. */
static uint64_t seen_target_had(peer_player *p) {
  const bool settled =
      !p->how.no_acks && p->acked >= p->emitted && p->now >= p->acked_at + PEER_SETTLED_NS;
  const bool known = p->emitted == 0 || settled || p->rejects;
  p->had = known ? p->emitted : p->had;
  return known ? p->emitted : IWARP_POS_UNKNOWN;
}

/* The tester had received all that the observer has. */
static iwarp_meta seen_meta(peer_player *p, uint8_t side, uint64_t peer_pos) {
  return (iwarp_meta){.packet = ++p->packets,
                      .time_ns = p->now,
                      .peer_pos = side == 0 ? peer_pos : seen_target_had(p),
                      .segment_start = true};
}

void player_observe(peer_player *p, uint8_t side, iwarp_span in) {
  if (p->observer == NULL || in.len == 0) {
    return;
  }
  const iwarp_meta meta = seen_meta(p, side, p->result.received - p->received_before);
  (void)iwarp_observer_push(p->observer, side, in, &meta);
  seen_events(p);
}

void player_observe_end(peer_player *p, uint8_t side, iwarp_end how) {
  if (p->observer == NULL) {
    return;
  }
  iwarp_meta meta = seen_meta(p, side, p->result.received - p->received_before);
  if (side == 1 && how == IWARP_END_RST && meta.peer_pos == IWARP_POS_UNKNOWN) {
    meta.peer_pos = p->had; /* the target sent it, and had received this at least */
  }
  (void)iwarp_observer_eof(p->observer, side, how, &meta);
  seen_events(p);
}

void player_disconnected(peer_player *p) {
  if (p->observer == NULL) {
    return;
  }
  const iwarp_observer_info *info = iwarp_observer_info_get(p->observer);
  for (uint8_t side = 0; side < 2; side++) {
    if (info->side[side].end == IWARP_END_OPEN) {
      player_observe_end(p, side, IWARP_END_CAPTURE);
    }
  }
  iwarp_rules_finish(p->rules, iwarp_observer_info_get(p->observer));
  seen_findings(p);
  p->observer = NULL;
  player_seen_free(p->message);
  p->message = NULL;
  player_inbox_drop(p, p->num_inbox);
  p->unacked = p->unacked || p->acked < p->emitted;
  p->received_before = p->result.received;
}

bool player_depth(const peer_player *p, uint16_t *tester, uint16_t *target) {
  const iwarp_observer_info *info =
      p->observer != NULL ? iwarp_observer_info_get(p->observer) : NULL;
  if (info == NULL || !info->side[0].enhanced || !info->side[1].enhanced) {
    return false;
  }
  const iwarp_mpa_enhanced *own = &info->side[0].enh;
  const iwarp_mpa_enhanced *other = &info->side[1].enh;
  if (own->ord == IWARP_MPA_DEPTH_UNSPEC || other->ird == IWARP_MPA_DEPTH_UNSPEC) {
    return false;
  }
  *tester = own->ord < other->ird ? own->ord : other->ird;
  *target = other->ord < own->ird ? other->ord : own->ird;
  return true;
}
