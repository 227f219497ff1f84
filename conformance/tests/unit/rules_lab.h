/* SPDX-License-Identifier: BSD-2-Clause */
/* A lab for the rules: connections made event by event, as the connection engine would tell them.
 */
#ifndef RULES_LAB_H
#define RULES_LAB_H

#include <iwarp/crc32c.h>
#include <iwarp/rules.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define LAB_INITIATOR 0u
#define LAB_RESPONDER 1u
#define LAB_FINDINGS 64u
#define LAB_KEEP UINT64_MAX /* event that is not dropped */

/* Where the two streams begin; the Responder's wraps 32 bits on its way. */
#define LAB_START_0 1001u
#define LAB_START_1 0xFFFFFF00u

struct lab {
  iwarp_rules *rules;
  void *mem;
  iwarp_observer_info info;
  uint64_t next[2]; /* position after what the side sent */
  bool lost[2];     /* octets of Full Operation were dropped */
  uint64_t packet;
  bool damaged; /* the packets from now on */
  uint64_t num_events;
  uint64_t drop;         /* number of the startup frame or FPDU that the capture does not hold */
  bool guess;            /* starts of FPDUs are only guessed */
  bool unclear;          /* SCTP: to which session a message belongs is not certain */
  bool crc_is;           /* crc_flip is the CRC field itself */
  uint16_t segment_more; /* added to DDP Segment Length of a Terminate */
  bool no_start;         /* where Full Operation began is not known */
  bool no_ack;           /* what the sender had received is not known */
  uint64_t received;     /* what the sender had received, else 0: all that was sent */
  unsigned num;
  iwarp_finding findings[LAB_FINDINGS];
  uint8_t wire[IWARP_MPA_FPDU_WIRE_MAX];
  uint8_t ulpdu[65536];
};

/* An FPDU to send. Zero is the conforming default of every member but ddp. */
struct lab_seg {
  iwarp_ddp_hdr ddp;
  const uint8_t *payload; /* NULL: zeros */
  size_t len;
  bool short_ulpdu; /* only ulpdu_len octets of header and payload */
  size_t ulpdu_len;
  uint8_t pad[3];
  uint32_t crc_flip;
  size_t cut; /* octets of the wire form available, 0: all */
  iwarp_fpdu_sync sync;
  uint64_t good_run;
  size_t claim;  /* octets of payload to tell of instead: messages of gigabytes in two segments */
  size_t marker; /* 1 + number of the Marker that gets marker_is */
  iwarp_mpa_marker marker_is;
};

static inline void lab_take(struct lab *l) {
  iwarp_finding f;
  while (iwarp_rules_next(l->rules, &f) == IWARP_OK) {
    if (l->num < LAB_FINDINGS) {
      l->findings[l->num] = f;
    }
    l->num++;
  }
}

static inline void lab_event(struct lab *l, const iwarp_event *ev) {
  iwarp_rules_event(l->rules, &l->info, ev);
  lab_take(l);
}

static inline void lab_init(struct lab *l) {
  memset(l, 0, sizeof(*l));
  l->mem = aligned_alloc(alignof(max_align_t), IWARP_RULES_SIZE);
  if (l->mem == NULL || iwarp_rules_init(&l->rules, l->mem, IWARP_RULES_SIZE) != IWARP_OK) {
    abort();
  }
  l->drop = LAB_KEEP;
  l->next[0] = LAB_START_0;
  l->next[1] = LAB_START_1;
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

static inline void lab_free(struct lab *l) {
  free(l->mem);
}

static inline iwarp_meta lab_meta(struct lab *l, unsigned side) {
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

static inline iwarp_event lab_base(struct lab *l, unsigned side, iwarp_event_kind kind,
                                   uint64_t len) {
  iwarp_event ev = {.kind = kind, .side = (uint8_t)side, .pos = l->next[side], .len = len};
  ev.first = lab_meta(l, side);
  ev.last = ev.first;
  l->next[side] += len;
  l->info.side[side].seen = true;
  return ev;
}

static inline void lab_gap(struct lab *l, unsigned side, uint64_t len, iwarp_gap_reason reason) {
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_GAP, len);
  ev.u.gap = reason;
  l->info.side[side].gap = true;
  l->lost[side] = l->lost[side] || l->info.side[side].full_pos != IWARP_POS_UNKNOWN;
  lab_event(l, &ev);
}

static inline void lab_undecodable(struct lab *l, unsigned side, uint64_t len,
                                   iwarp_undec_reason why) {
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_UNDECODABLE, len);
  ev.u.undecodable = why;
  l->lost[side] = true;
  lab_event(l, &ev);
}

static inline void lab_streaming(struct lab *l, unsigned side, uint64_t len) {
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_STREAMING, len);
  lab_event(l, &ev);
}

static inline void lab_end(struct lab *l, unsigned side, iwarp_end how) {
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_END, 0);
  ev.u.end = how;
  l->info.side[side].end = how;
  lab_event(l, &ev);
}

/* ---- startup -------------------------------------------------------------------------------- */

/* A startup frame to send. */
struct lab_frame {
  bool reply;
  bool wrong_key;
  uint8_t flags;
  uint8_t rev;
  iwarp_mpa_enhanced enh; /* sent when S is set and pd_length has room */
  uint16_t pd_length;
  uint16_t missing; /* octets of the Private Data that are not there */
};

static inline bool lab_dropped(struct lab *l) {
  return l->num_events++ == l->drop;
}

static inline void lab_startup(struct lab *l, unsigned side, const struct lab_frame *f) {
  const uint64_t whole = IWARP_MPA_STARTUP_LEN + (uint64_t)f->pd_length;
  iwarp_observer_side *own = &l->info.side[side];
  if (lab_dropped(l)) {
    lab_gap(l, side, whole, IWARP_GAP_LOST);
    return;
  }
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_STARTUP, whole - f->missing);
  iwarp_ev_startup *s = &ev.u.startup;
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
  lab_event(l, &ev);
}

/* Settles what both frames say; what is not known stays so. */
static inline void lab_settle(struct lab *l) {
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

#define LAB_DEPTH 8u

/* An enhanced Request and Reply, conformant but for what the caller changes. */
static inline struct lab_frame lab_request(void) {
  return (struct lab_frame){.flags = IWARP_MPA_FLAG_S,
                            .rev = 2,
                            .enh = {.ird = LAB_DEPTH, .ord = LAB_DEPTH},
                            .pd_length = 20};
}

static inline struct lab_frame lab_reply(void) {
  struct lab_frame f = lab_request();
  f.reply = true;
  return f;
}

static inline void lab_exchange(struct lab *l, struct lab_frame request, struct lab_frame reply) {
  lab_startup(l, LAB_INITIATOR, &request);
  lab_startup(l, LAB_RESPONDER, &reply);
  lab_settle(l);
}

/* Startup with these flags in both frames, besides S. */
static inline void lab_open_with(struct lab *l, uint8_t flags) {
  struct lab_frame request = lab_request();
  struct lab_frame reply = lab_reply();
  request.flags |= flags;
  reply.flags |= flags;
  lab_exchange(l, request, reply);
}

static inline void lab_open(struct lab *l) {
  lab_open_with(l, 0);
}

/* ---- FPDUs ---------------------------------------------------------------------------------- */

static inline size_t lab_ulpdu(struct lab *l, const struct lab_seg *s) {
  size_t len = 0;
  iwarp_ddp_hdr_encode(l->ulpdu, sizeof(l->ulpdu), &len, &s->ddp);
  if (s->payload != NULL) {
    memcpy(&l->ulpdu[len], s->payload, s->len);
  } else {
    memset(&l->ulpdu[len], 0, s->len);
  }
  return s->short_ulpdu ? s->ulpdu_len : len + s->len;
}

/* The FPDU as it goes over the wire, decoded again. */
static inline void lab_frame_fpdu(struct lab *l, unsigned side, const struct lab_seg *s,
                                  iwarp_ev_fpdu *f) {
  const bool markers = l->info.side[side].markers == IWARP_TRISTATE_ON;
  iwarp_mpa_fpdu_desc d = {.ulpdu = {l->ulpdu, lab_ulpdu(l, s)}, .markers = markers};
  d.off = l->next[side] - l->info.side[side].full_pos;
  memcpy(d.pad, s->pad, sizeof(d.pad));
  size_t len = 0;
  if (iwarp_mpa_fpdu_encode(l->wire, sizeof(l->wire), &len, &d) != IWARP_OK ||
      iwarp_mpa_fpdu_decode(&f->fpdu, (iwarp_span){l->wire, len}, d.off, markers).err != IWARP_OK) {
    abort();
  }
  if (s->marker != 0) {
    iwarp_mpa_marker is;
    iwarp_mpa_marker due;
    size_t at = 0;
    size_t n = 0;
    if (iwarp_mpa_fpdu_marker(&is, &due, &at, &f->fpdu, s->marker - 1) == IWARP_OK &&
        iwarp_mpa_marker_encode(&l->wire[at], 4, &n, &s->marker_is) == IWARP_OK) {
      f->fpdu.crc = iwarp_mpa_fpdu_crc(&f->fpdu);
    }
  }
  if (l->crc_is) {
    f->fpdu.crc = s->crc_flip;
    for (size_t i = 0; i < 4; i++) {
      l->wire[len - 4 + i] = (uint8_t)(s->crc_flip >> 8 * i);
    }
  } else {
    f->fpdu.crc ^= s->crc_flip;
  }
}

static inline void lab_judge_crc(struct lab *l, iwarp_ev_fpdu *f) {
  if (l->info.crc == IWARP_TRISTATE_ON && f->complete) {
    f->crc_computed = iwarp_mpa_fpdu_crc(&f->fpdu);
    f->crc = f->crc_computed == f->fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
  }
}

static inline iwarp_fpdu_sync lab_proof(const struct lab *l, unsigned side, const struct lab_seg *s,
                                        iwarp_crc_state crc) {
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

static inline void lab_fpdu(struct lab *l, unsigned side, struct lab_seg s) {
  iwarp_ev_fpdu f = {.complete = true, .pad_present = true, .crc_present = true};
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  if (l->info.side[side].full_pos == IWARP_POS_UNKNOWN) {
    l->info.side[side].full_pos = l->next[side];
    l->lost[side] = true;
  }
  lab_frame_fpdu(l, side, &s, &f);
  if (lab_dropped(l)) {
    lab_gap(l, side, f.fpdu.layout.wire_len, IWARP_GAP_LOST);
    return;
  }
  if (s.cut != 0) {
    f.complete = f.pad_present = f.crc_present = false;
    f.fpdu.wire.len = s.cut;
  }
  lab_judge_crc(l, &f);
  f.sync = lab_proof(l, side, &s, f.crc);
  f.good_run = s.good_run;
  const size_t have = iwarp_mpa_fpdu_ulpdu_copy(head, sizeof(head), &f.fpdu, 0);
  iwarp_rdmap_seg_decode(&f.seg, (iwarp_span){head, have}, f.fpdu.ulpdu_length);
  if (s.claim != 0) {
    f.seg.payload_len = s.claim;
  }
  iwarp_event ev = lab_base(l, side, IWARP_EVENT_FPDU, f.fpdu.layout.wire_len);
  ev.pos += f.fpdu.layout.lead;
  ev.len -= f.fpdu.layout.lead;
  ev.last.packet = ++l->packet; /* an FPDU lies in two packets */
  f.offset = l->no_start ? IWARP_POS_UNKNOWN : ev.pos - l->info.side[side].full_pos;
  ev.u.fpdu = f;
  l->info.side[side].num_fpdus++;
  lab_event(l, &ev);
}

/* ---- segments ------------------------------------------------------------------------------- */

static inline struct lab_seg lab_untagged(uint8_t opcode, uint32_t msn, uint32_t mo, size_t len) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  struct lab_seg s = {.len = len};
  s.ddp.last = true;
  s.ddp.dv = 1;
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = 1, .opcode = opcode});
  s.ddp.qn = op->qn;
  s.ddp.msn = msn;
  s.ddp.mo = mo;
  return s;
}

static inline struct lab_seg lab_tagged(uint8_t opcode, uint32_t stag, uint64_t to, size_t len) {
  struct lab_seg s = lab_untagged(opcode, 0, 0, len);
  s.ddp.tagged = true;
  s.ddp.qn = 0;
  s.ddp.stag = stag;
  s.ddp.to = to;
  return s;
}

/* The same segment as one that does not end its message. */
static inline struct lab_seg lab_more(struct lab_seg s) {
  s.ddp.last = false;
  return s;
}

static inline struct lab_seg lab_send(uint32_t msn) {
  return lab_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 30);
}

static inline struct lab_seg lab_write(void) {
  return lab_tagged(IWARP_RDMAP_OP_WRITE, 0x1000, 0x2000, 100);
}

#define LAB_SINK 0x0A0B0C0Du
#define LAB_SINK_TO 0x2000u

static inline struct lab_seg lab_with(struct lab_seg s, uint8_t *octets, size_t len) {
  s.payload = octets;
  s.len = len;
  return s;
}

static inline struct lab_seg lab_read_request(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN],
                                              uint32_t msn, uint32_t size) {
  const iwarp_rdmap_read_req req = {.sink_stag = LAB_SINK,
                                    .sink_to = LAB_SINK_TO,
                                    .size = size,
                                    .source_stag = 0x11223344,
                                    .source_to = 0x100000000};
  size_t len = 0;
  iwarp_rdmap_read_req_encode(octets, IWARP_RDMAP_READ_REQ_LEN, &len, &req);
  return lab_with(lab_untagged(IWARP_RDMAP_OP_READ_REQ, msn, 0, 0), octets, len);
}

/* Sends a Read Request. */
static inline void lab_read(struct lab *l, unsigned side, uint32_t msn, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  lab_fpdu(l, side, lab_read_request(octets, msn, size));
}

static inline struct lab_seg lab_read_response(size_t len) {
  return lab_tagged(IWARP_RDMAP_OP_READ_RESP, LAB_SINK, LAB_SINK_TO, len);
}

/* Sends a Terminate with this header. */
static inline void lab_terminate(struct lab *l, unsigned side, uint32_t msn,
                                 const iwarp_rdmap_term *t) {
  uint8_t octets[256];
  size_t len = 0;
  if (iwarp_rdmap_term_encode(octets, sizeof(octets), &len, t) != IWARP_OK) {
    abort();
  }
  lab_fpdu(l, side, lab_with(lab_untagged(IWARP_RDMAP_OP_TERMINATE, msn, 0, 0), octets, len));
}

/* Sends a Terminate of an MPA error, which returns no header. */
static inline void lab_terminate_mpa(struct lab *l, unsigned side, uint32_t msn) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 5};
  lab_terminate(l, side, msn, &t);
}

static inline iwarp_rdmap_atomic_req lab_fetch_add(uint32_t id) {
  return (iwarp_rdmap_atomic_req){
      .request_id = id, .stag = 5, .to = 8, .add_swap_data = 1, .compare_mask = UINT64_MAX};
}

static inline void lab_atomic(struct lab *l, unsigned side, uint32_t msn,
                              const iwarp_rdmap_atomic_req *a) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  size_t len = 0;
  if (iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, a) != IWARP_OK) {
    abort();
  }
  lab_fpdu(l, side, lab_with(lab_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, msn, 0, 0), octets, len));
}

static inline void lab_atomic_response(struct lab *l, unsigned side, uint32_t msn, uint32_t id) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_RESP_LEN];
  const iwarp_rdmap_atomic_resp r = {.request_id = id, .original = 7};
  size_t len = 0;
  iwarp_rdmap_atomic_resp_encode(octets, sizeof(octets), &len, &r);
  lab_fpdu(l, side, lab_with(lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, msn, 0, 0), octets, len));
}

/* Startup, and a first Send of each side, so that neither is the first FPDU any more. */
static inline void lab_begin_with(struct lab *l, uint8_t flags) {
  lab_open_with(l, flags);
  lab_fpdu(l, LAB_INITIATOR, lab_send(1));
  lab_fpdu(l, LAB_RESPONDER, lab_send(1));
}

static inline void lab_begin(struct lab *l) {
  lab_begin_with(l, 0);
}

/* ---- cases ---------------------------------------------------------------------------------- */

enum lab_want {
  LAB_PASS,   /* the situation arises and is right: the rule passes, no rule finds anything */
  LAB_NEAR,   /* the same, at the very edge of being wrong */
  LAB_FAIL,   /* one thing is wrong: this rule finds it, once, and no other rule finds anything */
  LAB_SILENT, /* the rule has nothing to say here, and no other finds anything */
  LAB_UNSURE  /* it cannot be decided: the rule is inconclusive for this reason, and no rule finds
                 anything */
};

struct lab_case {
  const char *slug;
  enum lab_want want;
  uint32_t why; /* LAB_UNSURE: IWARP_WHY_* */
  const char *what;
  void (*run)(struct lab *l);
  const char *also; /* a rule that finds something too, because the case needs what it is about */
};

#endif
