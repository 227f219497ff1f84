/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixture for the rules: connections made event by event, as an observer would tell
 * them.
 */
#include "rules_fixture.h"

/* The FPDU under way. Not in the fixture: to clear so much for each took most of the time of its
 * tests. */
static struct {
  uint8_t wire[IWARP_MPA_FPDU_WIRE_MAX];
  uint8_t ulpdu[65536];
} under_way;

void fixture_take(struct rules_fixture *l) {
  iwarp_finding f;
  while (iwarp_rules_next(l->rules, &f) == IWARP_OK) {
    if (iwarp_finding_suspected(&f)) {
      l->suspected++;
      l->suspicion = f;
      continue;
    }
    if (l->num < FIXTURE_FINDINGS) {
      l->findings[l->num] = f;
    }
    l->num++;
  }
}

/* The number of a side as the rules see it. */
static uint8_t fixture_side(const struct rules_fixture *l, uint8_t side) {
  return l->exchanged ? (uint8_t)(1 - side) : side;
}

static iwarp_observer_info fixture_info(const struct rules_fixture *l) {
  iwarp_observer_info info = l->info;
  for (uint8_t i = 0; i < 2; i++) {
    info.side[fixture_side(l, i)] = l->info.side[i];
  }
  return info;
}

/* What belongs to an event over SCTP, with the sides as the rules see them. */
static iwarp_ev_sctp fixture_sctp(const struct rules_fixture *l, const iwarp_ev_sctp *sctp) {
  iwarp_ev_sctp facts = *sctp;
  for (uint8_t i = 0; i < 2; i++) {
    facts.lossless[fixture_side(l, i)] = sctp->lossless[i];
  }
  return facts;
}

static iwarp_sctp_certainty fixture_certainty(const struct rules_fixture *l) {
  iwarp_sctp_certainty known = l->certainty;
  for (uint8_t i = 0; i < 2; i++) {
    const uint8_t side = fixture_side(l, i);
    known.answers_elsewhere[side] = l->certainty.answers_elsewhere[i];
    known.settled[side] = l->certainty.settled[i];
  }
  return known;
}

void fixture_event(struct rules_fixture *l, const iwarp_event *ev) {
  if (l->watch != NULL) {
    l->watch(l, ev);
  }
  for (unsigned side = 0; side < 2; side++) {
    iwarp_observer_side *s = &l->info.side[side];
    s->pushed_end = s->partial_end > l->next[side] ? s->partial_end : l->next[side];
  }
  const iwarp_observer_info info = fixture_info(l);
  iwarp_event seen = *ev;
  seen.side = fixture_side(l, ev->side);
  if (ev->sctp != NULL) {
    const iwarp_ev_sctp facts = fixture_sctp(l, ev->sctp);
    const iwarp_sctp_certainty known = fixture_certainty(l);
    seen.sctp = &facts;
    iwarp_rules_sctp_event(l->rules, &info, &seen, &known);
  } else {
    iwarp_rules_event(l->rules, &info, &seen);
  }
  fixture_take(l);
}

void fixture_finish(struct rules_fixture *l) {
  const iwarp_observer_info info = fixture_info(l);
  iwarp_rules_finish(l->rules, &info);
  fixture_take(l);
}

void fixture_init(struct rules_fixture *l) {
  memset(l, 0, sizeof(*l));
  l->mem = aligned_alloc(alignof(max_align_t), IWARP_RULES_SIZE);
  test_pool_begin(&l->pool, 0);
  if (l->mem == NULL ||
      iwarp_rules_init(&l->rules, l->mem, IWARP_RULES_SIZE, &l->pool.pool) != IWARP_OK) {
    abort();
  }
  l->drop = FIXTURE_KEEP;
  l->next[0] = FIXTURE_START_0;
  l->next[1] = FIXTURE_START_1;
  for (unsigned i = 0; i < 2; i++) {
    iwarp_observer_side *s = &l->info.side[i];
    s->role = i == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER;
    s->start_known = true;
    s->start = l->next[i];
    s->full_pos = IWARP_POS_UNKNOWN;
    s->markers = IWARP_TRISTATE_OFF;
    s->markers_by = IWARP_KNOWN_BY_STARTUP;
  }
}

void fixture_free(struct rules_fixture *l) {
  iwarp_rules_release(l->rules);
  free(l->mem);
}

static iwarp_meta fixture_meta(struct rules_fixture *l, unsigned side) {
  iwarp_meta m = {.packet = ++l->packet,
                  .time_ns = l->packet * 1000,
                  .segment_start = true,
                  .damaged = l->damaged};
  m.peer_pos = l->received != 0 ? l->received : l->next[1 - side];
  if (l->no_ack) {
    m.peer_pos = IWARP_POS_UNKNOWN;
  }
  l->received = 0;
  return m;
}

iwarp_event fixture_base(struct rules_fixture *l, unsigned side, iwarp_event_kind kind,
                         uint64_t len) {
  iwarp_event ev = {.kind = kind, .side = (uint8_t)side, .pos = l->next[side], .len = len};
  ev.first = fixture_meta(l, side);
  ev.last = ev.first;
  ev.head_last = ev.first;
  l->next[side] += len;
  l->info.side[side].seen = true;
  return ev;
}

void fixture_gap(struct rules_fixture *l, unsigned side, uint64_t len, iwarp_gap_reason reason) {
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_GAP, len);
  ev.u.gap = reason;
  l->info.side[side].gap = true;
  l->lost[side] = l->lost[side] || l->info.side[side].full_pos != IWARP_POS_UNKNOWN;
  fixture_event(l, &ev);
}

/* Returns true if the octets begin with a whole FPDU of Full Operation, as the observer knows
 * it. */
static iwarp_tristate fixture_begins_fpdu(iwarp_span octets) {
  for (unsigned markers = 0; markers < 2; markers++) {
    iwarp_mpa_fpdu f;
    if (iwarp_mpa_fpdu_decode(&f, octets, 0, markers != 0).err == IWARP_OK &&
        f.ulpdu_length >= IWARP_DDP_TAGGED_LEN && iwarp_mpa_fpdu_crc(&f) == f.crc) {
      return IWARP_TRISTATE_ON;
    }
  }
  return IWARP_TRISTATE_OFF;
}

void fixture_run(struct rules_fixture *l, unsigned side, iwarp_span head, uint64_t len,
                 iwarp_undec_reason reason) {
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_UNDECODABLE, len);
  ev.u.undecodable = reason;
  ev.head = head;
  ev.head.len = head.len < IWARP_RUN_HEAD_LEN ? head.len : IWARP_RUN_HEAD_LEN;
  ev.fpdu_like = l->fpdu_like;
  if (reason == IWARP_UNDEC_AFTER_REJECT && !l->ends_in_gap) {
    ev.begins_fpdu = fixture_begins_fpdu(head);
  }
  if (reason == IWARP_UNDEC_UNFINISHED && head.len == len) {
    ev.unfinished = head;
  }
  l->lost[side] = true;
  fixture_event(l, &ev);
}

void fixture_undecodable(struct rules_fixture *l, unsigned side, uint64_t len,
                         iwarp_undec_reason reason) {
  fixture_run(l, side, (iwarp_span){0}, len, reason);
}

void fixture_streaming(struct rules_fixture *l, unsigned side, uint64_t len) {
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_STREAMING, len);
  fixture_event(l, &ev);
}

void fixture_streaming_of(struct rules_fixture *l, unsigned side, iwarp_span octets) {
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_STREAMING, octets.len);
  ev.head = octets;
  fixture_event(l, &ev);
}

void fixture_end(struct rules_fixture *l, unsigned side, iwarp_end how) {
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_END, 0);
  ev.u.end = how;
  l->info.side[side].end = how;
  fixture_event(l, &ev);
}

bool fixture_dropped(struct rules_fixture *l) {
  return l->num_events++ == l->drop;
}

void fixture_startup(struct rules_fixture *l, unsigned side, const struct fixture_frame *f) {
  const uint64_t whole = IWARP_MPA_STARTUP_LEN + (uint64_t)f->pd_length;
  iwarp_observer_side *own = &l->info.side[side];
  if (fixture_dropped(l)) {
    fixture_gap(l, side, whole, IWARP_GAP_LOST);
    return;
  }
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_STARTUP, whole - f->missing);
  iwarp_event_startup *s = &ev.u.startup;
  const iwarp_mpa_key key = f->reply ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST;
  memcpy(s->frame.key, iwarp_mpa_key_octets(key), IWARP_MPA_KEY_LEN);
  if (f->wrong_key) {
    s->frame.key[3] = '!';
  }
  s->key = f->wrong_key ? IWARP_MPA_KEY_UNKNOWN : key;
  s->is_reply = f->reply;
  s->frame.flags = f->flags;
  s->frame.rev = f->rev;
  s->frame.pd_length = f->pd_length;
  s->err = f->missing > 0 ? IWARP_ERR_MPA_PD_LENGTH : IWARP_OK;
  s->enhanced = (f->flags & IWARP_MPA_FLAG_S) != 0 && f->rev >= 2 &&
                f->pd_length >= f->missing + IWARP_MPA_ENHANCED_LEN;
  s->enh = f->enh;
  if (f->data != NULL) {
    const size_t front = s->enhanced ? IWARP_MPA_ENHANCED_LEN : 0;
    s->frame.private_data = (iwarp_span){f->data, (size_t)f->pd_length - f->missing};
    s->ulp_data = (iwarp_span){f->data + front, s->frame.private_data.len - front};
  }
  if (f->goes_on) {
    ev.last.packet = ++l->packet;
    ev.last.peer_pos = f->received != 0 ? f->received : ev.last.peer_pos;
  }
  own->has_startup = true;
  own->key = s->key;
  own->is_reply = f->reply;
  own->flags = f->flags;
  own->rev = f->rev;
  own->pd_length = f->pd_length;
  own->enhanced = s->enhanced;
  own->enh = f->enh;
  own->startup_pos = ev.pos;
  own->startup_end = ev.pos + whole;
  own->full_pos = own->startup_end;
  l->info.rejected = l->info.rejected || (f->reply && (f->flags & IWARP_MPA_FLAG_R) != 0);
  fixture_event(l, &ev);
}

void fixture_settle(struct rules_fixture *l) {
  const iwarp_observer_side *a = &l->info.side[0];
  const iwarp_observer_side *b = &l->info.side[1];
  const bool wanted = ((a->flags | b->flags) & IWARP_MPA_FLAG_C) != 0;
  if (wanted || (a->has_startup && b->has_startup)) {
    l->info.crc = wanted ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
    l->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  }
  for (unsigned i = 0; i < 2; i++) {
    iwarp_observer_side *own = &l->info.side[i];
    const iwarp_observer_side *peer = &l->info.side[1 - i];
    own->markers_by = peer->has_startup ? IWARP_KNOWN_BY_STARTUP : IWARP_KNOWN_BY_NOTHING;
    own->markers = (peer->flags & IWARP_MPA_FLAG_M) != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  }
}

struct fixture_frame fixture_request(void) {
  return (struct fixture_frame){.flags = IWARP_MPA_FLAG_S,
                                .rev = 2,
                                .enh = {.ird = FIXTURE_DEPTH, .ord = FIXTURE_DEPTH},
                                .pd_length = 20};
}

struct fixture_frame fixture_reply(void) {
  struct fixture_frame f = fixture_request();
  f.reply = true;
  return f;
}

void fixture_exchange(struct rules_fixture *l, struct fixture_frame request,
                      struct fixture_frame reply) {
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
}

void fixture_open_with(struct rules_fixture *l, uint8_t flags) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.flags |= flags;
  reply.flags |= flags;
  fixture_exchange(l, request, reply);
}

void fixture_open(struct rules_fixture *l) {
  fixture_open_with(l, 0);
}

void fixture_open_unconfirmed(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  reply.pd_length = 400;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

const uint8_t *fixture_fpdu_octets(void) {
  return under_way.wire;
}

static size_t fixture_ulpdu(const struct fixture_seg *s) {
  size_t len = 0;
  iwarp_ddp_hdr_encode(under_way.ulpdu, sizeof(under_way.ulpdu), &len, &s->ddp);
  if (s->payload != NULL) {
    memcpy(&under_way.ulpdu[len], s->payload, s->len);
  } else {
    memset(&under_way.ulpdu[len], 0, s->len);
  }
  return s->short_ulpdu ? s->ulpdu_len : len + s->len;
}

/* The FPDU as it goes over the wire, decoded again. */
static void fixture_frame_fpdu(struct rules_fixture *l, unsigned side, const struct fixture_seg *s,
                               iwarp_event_fpdu *f) {
  const bool markers = l->info.side[side].markers == IWARP_TRISTATE_ON;
  iwarp_mpa_fpdu_desc d = {.ulpdu = {under_way.ulpdu, fixture_ulpdu(s)}, .markers = markers};
  d.off = l->next[side] - l->info.side[side].full_pos;
  memcpy(d.pad, s->pad, sizeof(d.pad));
  size_t len = 0;
  if (iwarp_mpa_fpdu_encode(under_way.wire, sizeof(under_way.wire), &len, &d) != IWARP_OK ||
      iwarp_mpa_fpdu_decode(&f->fpdu, (iwarp_span){under_way.wire, len}, d.off, markers).err !=
          IWARP_OK) {
    abort();
  }
  if (s->marker != 0) {
    iwarp_mpa_marker is;
    iwarp_mpa_marker due;
    size_t at = 0;
    size_t n = 0;
    if (iwarp_mpa_fpdu_marker(&is, &due, &at, &f->fpdu, s->marker - 1) == IWARP_OK &&
        iwarp_mpa_marker_encode(&under_way.wire[at], 4, &n, &s->marker_is) == IWARP_OK) {
      f->fpdu.crc = iwarp_mpa_fpdu_crc(&f->fpdu);
    }
  }
  if (l->crc_is) {
    f->fpdu.crc = s->crc_flip;
    for (size_t i = 0; i < 4; i++) {
      under_way.wire[len - 4 + i] = (uint8_t)(s->crc_flip >> 8 * i);
    }
  } else {
    f->fpdu.crc ^= s->crc_flip;
  }
}

static void fixture_judge_crc(struct rules_fixture *l, iwarp_event_fpdu *f) {
  if (l->info.crc == IWARP_TRISTATE_ON && f->complete) {
    f->crc_computed = iwarp_mpa_fpdu_crc(&f->fpdu);
    f->crc = f->crc_computed == f->fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
  }
}

static iwarp_fpdu_sync fixture_sync(const struct rules_fixture *l, unsigned side,
                                    const struct fixture_seg *s, iwarp_crc_state crc) {
  if (l->guess) {
    return IWARP_SYNC_HEURISTIC;
  }
  if (s->sync != IWARP_SYNC_NONE) {
    return s->sync;
  }
  if (l->lost[side]) {
    return crc == IWARP_CRC_GOOD ? IWARP_SYNC_CRC : IWARP_SYNC_HEURISTIC;
  }
  return IWARP_SYNC_STARTUP;
}

/* Returns true if an observer could show the FPDU without its event. */
static bool fixture_may_be_bare(const struct rules_fixture *l, const iwarp_event_fpdu *f) {
  const iwarp_rdmap_seg *seg = &f->seg;
  const iwarp_crc_state proven =
      l->info.crc == IWARP_TRISTATE_OFF ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  return f->complete && f->crc == proven && f->sync == IWARP_SYNC_STARTUP && !f->fpdu.markers &&
         seg->has_ddp && seg->ddp.dv == IWARP_DDP_VERSION && seg->ddp.rsvd == 0 &&
         seg->ctrl.rv == IWARP_RDMAP_VERSION && seg->ctrl.rsv == 0 &&
         iwarp_rdmap_op_get(seg->ctrl.opcode)->tagged == seg->ddp.tagged &&
         seg->ctrl.opcode <= IWARP_RDMAP_OP_SEND_SE_INV &&
         seg->ctrl.opcode != IWARP_RDMAP_OP_READ_REQ;
}

bool fixture_shown(const struct rules_fixture *l, const iwarp_event *ev, iwarp_observer_fpdu *out) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  if (ev->kind != IWARP_EVENT_FPDU || !fixture_may_be_bare(l, f)) {
    return false;
  }
  *out = (iwarp_observer_fpdu){.side = fixture_side(l, ev->side),
                               .opcode = f->seg.ctrl.opcode,
                               .ulpdu_length = f->fpdu.ulpdu_length,
                               .pad = f->fpdu.layout.pad,
                               .pos = ev->pos,
                               .offset = f->offset,
                               .payload_len = f->seg.payload_len,
                               .wire = f->fpdu.wire,
                               .ddp = f->seg.ddp,
                               .meta = ev->last};
  return true;
}

/* Judges the FPDU of the event without it; false: it needs its event. */
static bool fixture_bare(struct rules_fixture *l, const iwarp_event *ev) {
  iwarp_observer_fpdu fpdu;
  if (!l->bare || !fixture_shown(l, ev, &fpdu)) {
    return false;
  }
  const iwarp_observer_info info = fixture_info(l);
  const unsigned expected = iwarp_rules_expects(l->rules, &info, &fpdu);
  if (expected != 0) {
    iwarp_rules_fpdu(l->rules, &fpdu, expected);
    l->num_bare++;
    fixture_take(l);
  }
  return expected != 0;
}

/* Reports the FPDU, decoded already, as the next of `side`. */
static void fixture_report(struct rules_fixture *l, unsigned side, const struct fixture_seg *s,
                           iwarp_event_fpdu *f) {
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  fixture_judge_crc(l, f);
  f->sync = fixture_sync(l, side, s, f->crc);
  f->good_run = s->good_run;
  const size_t have = iwarp_mpa_fpdu_ulpdu_copy(head, sizeof(head), &f->fpdu, 0);
  iwarp_rdmap_seg_decode(&f->seg, (iwarp_span){head, have}, f->fpdu.ulpdu_length);
  if (s->claim != 0) {
    f->seg.payload_len = s->claim;
  }
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_FPDU, f->fpdu.layout.wire_len);
  ev.pos += f->fpdu.layout.lead;
  ev.len -= f->fpdu.layout.lead;
  ev.last.packet = l->in_one ? ev.first.packet : ++l->packet; /* else in two */
  f->offset = l->no_start ? IWARP_POS_UNKNOWN : ev.pos - l->info.side[side].full_pos;
  ev.u.fpdu = *f;
  l->info.side[side].num_fpdus++;
  if (!fixture_bare(l, &ev)) {
    fixture_event(l, &ev);
  }
}

void fixture_wire(struct rules_fixture *l, unsigned side, iwarp_span wire) {
  const struct fixture_seg s = {0};
  iwarp_event_fpdu f = {.complete = true, .pad_present = true, .crc_present = true};
  const uint64_t off = l->next[side] - l->info.side[side].full_pos;
  const bool markers = l->info.side[side].markers == IWARP_TRISTATE_ON;
  if (iwarp_mpa_fpdu_decode(&f.fpdu, wire, off, markers).err != IWARP_OK) {
    abort();
  }
  if (fixture_dropped(l)) {
    fixture_gap(l, side, f.fpdu.layout.wire_len, IWARP_GAP_LOST);
  } else {
    fixture_report(l, side, &s, &f);
  }
}

void fixture_fpdu(struct rules_fixture *l, unsigned side, struct fixture_seg s) {
  iwarp_event_fpdu f = {.complete = true, .pad_present = true, .crc_present = true};
  if (l->info.side[side].full_pos == IWARP_POS_UNKNOWN) {
    l->info.side[side].full_pos = l->next[side];
    l->lost[side] = true;
  }
  fixture_frame_fpdu(l, side, &s, &f);
  if (fixture_dropped(l)) {
    fixture_gap(l, side, f.fpdu.layout.wire_len, IWARP_GAP_LOST);
    return;
  }
  if (s.cut != 0) {
    f.complete = f.pad_present = f.crc_present = false;
    f.fpdu.wire.len = s.cut;
  }
  fixture_report(l, side, &s, &f);
}

struct fixture_seg fixture_untagged(uint8_t opcode, uint32_t msn, uint32_t mo, size_t len) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  struct fixture_seg s = {.len = len};
  s.ddp.last = true;
  s.ddp.dv = 1;
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = 1, .opcode = opcode});
  s.ddp.qn = op->qn;
  s.ddp.msn = msn;
  s.ddp.mo = mo;
  return s;
}

struct fixture_seg fixture_tagged(uint8_t opcode, uint32_t stag, uint64_t to, size_t len) {
  struct fixture_seg s = fixture_untagged(opcode, 0, 0, len);
  s.ddp.tagged = true;
  s.ddp.qn = 0;
  s.ddp.stag = stag;
  s.ddp.to = to;
  return s;
}

struct fixture_seg fixture_more(struct fixture_seg s) {
  s.ddp.last = false;
  return s;
}

struct fixture_seg fixture_send(uint32_t msn) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 30);
}

struct fixture_seg fixture_write(void) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x1000, 0x2000, 100);
}

struct fixture_seg fixture_with(struct fixture_seg s, uint8_t *octets, size_t len) {
  s.payload = octets;
  s.len = len;
  return s;
}

struct fixture_seg fixture_read_of(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN], uint32_t msn,
                                   iwarp_rdmap_read_req req) {
  size_t len = 0;
  iwarp_rdmap_read_req_encode(octets, IWARP_RDMAP_READ_REQ_LEN, &len, &req);
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, msn, 0, 0), octets, len);
}

struct fixture_seg fixture_read_request(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN], uint32_t msn,
                                        uint32_t size) {
  const iwarp_rdmap_read_req req = {.sink_stag = FIXTURE_SINK,
                                    .sink_to = FIXTURE_SINK_TO,
                                    .size = size,
                                    .source_stag = 0x11223344,
                                    .source_to = 0x100000000};
  return fixture_read_of(octets, msn, req);
}

void fixture_read(struct rules_fixture *l, unsigned side, uint32_t msn, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_fpdu(l, side, fixture_read_request(octets, msn, size));
}

struct fixture_seg fixture_read_response(size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO, len);
}

void fixture_terminate(struct rules_fixture *l, unsigned side, uint32_t msn,
                       const iwarp_rdmap_term *t) {
  uint8_t octets[256];
  size_t len = 0;
  if (iwarp_rdmap_term_encode(octets, sizeof(octets), &len, t) != IWARP_OK) {
    abort();
  }
  fixture_fpdu(l, side,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, msn, 0, 0), octets, len));
}

void fixture_terminate_returning(struct rules_fixture *l, unsigned side, iwarp_rdmap_term t,
                                 const struct fixture_seg *s) {
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s->ddp);
  t.d = true;
  t.has_ddp_segment_length = true;
  t.ddp_segment_length = (uint16_t)(len + s->len + l->segment_more);
  t.ddp_header = (iwarp_span){header, len};
  fixture_terminate(l, side, 1, &t);
}

void fixture_terminate_mpa(struct rules_fixture *l, unsigned side, uint32_t msn) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 5};
  fixture_terminate(l, side, msn, &t);
}

iwarp_rdmap_atomic_req fixture_fetch_add(uint32_t id) {
  return (iwarp_rdmap_atomic_req){
      .request_id = id, .stag = 5, .to = 8, .add_swap_data = 1, .compare_mask = UINT64_MAX};
}

void fixture_atomic(struct rules_fixture *l, unsigned side, uint32_t msn,
                    const iwarp_rdmap_atomic_req *a) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  size_t len = 0;
  if (iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, a) != IWARP_OK) {
    abort();
  }
  fixture_fpdu(l, side,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, msn, 0, 0), octets, len));
}

void fixture_atomic_response(struct rules_fixture *l, unsigned side, uint32_t msn, uint32_t id) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_RESP_LEN];
  const iwarp_rdmap_atomic_resp r = {.request_id = id, .original = 7};
  size_t len = 0;
  iwarp_rdmap_atomic_resp_encode(octets, sizeof(octets), &len, &r);
  fixture_fpdu(l, side,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, msn, 0, 0), octets, len));
}

void fixture_begin_with(struct rules_fixture *l, uint8_t flags) {
  fixture_open_with(l, flags);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

void fixture_begin(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
}
