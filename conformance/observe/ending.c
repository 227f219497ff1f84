/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides how a connection ended. */
#include "ending.h"

#include <iwarp/crc32c.h>
#include <string.h>

/* ---- the DDP headers that a Terminate may return ---- */

/* Makes room for more headers. Without memory the latest ones stay. */
OBS_RARE static void ending_headers_grow(observe *obs, ending_headers *h) {
  const uint32_t cap = h->cap == 0 ? ENDING_HEADERS_MIN : 2 * h->cap;
  ending_header *ring = obs_memory_get(obs, cap * sizeof *ring);
  if (ring == NULL) {
    return;
  }
  if (h->ring != NULL) {
    memcpy(ring, h->ring, h->cap * sizeof *ring);
    obs_memory_put(obs, h->ring, h->cap * sizeof *ring);
  }
  h->ring = ring;
  h->cap = cap;
}

/* Place of the next header in the ring, which exists. */
static inline ending_header *ending_header_next(const ending_headers *h, uint64_t packet) {
  ending_header *at = &h->ring[h->num & (h->cap - 1)];
  at->packet = packet;
  return at;
}

/* Makes room for the next header while they are few, after one was kept. */
static inline void ending_header_kept(observe *obs, ending_headers *h) {
  h->num++;
  if (h->num == h->cap && h->cap < ENDING_HEADERS) {
    ending_headers_grow(obs, h);
  }
}

static uint32_t ending_read_sum(const iwarp_rdmap_read_req *read) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  iwarp_rdmap_read_req_encode(octets, sizeof octets, &len, read);
  return iwarp_crc32c(0, octets, len);
}

/* Without memory for any it stays unknown what a Terminate is about. */
static void ending_header_note(observe *obs, ending_headers *h, const iwarp_event *ev) {
  if (h->ring == NULL) {
    ending_headers_grow(obs, h);
  }
  if (h->ring != NULL) {
    ending_header *at = ending_header_next(h, ev->last.packet);
    size_t len = 0;
    iwarp_ddp_hdr_encode(at->octets, sizeof at->octets, &len, &ev->u.fpdu.seg.ddp);
    at->len = (uint8_t)len;
    if (ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_READ_REQ) {
      at->read = ending_read_sum(&ev->u.fpdu.seg.u.read_req);
    }
    ending_header_kept(obs, h);
  }
}

#define ENDING_MSN_OFF 10u /* offset in an Untagged DDP header */
#define ENDING_MSN_LEN 4u

/* What a Terminate returns of the segment that it is about. */
typedef struct ending_wanted {
  iwarp_span header;
  bool read; /* a Read Request with its size in the place of the MSN, as siw returns it: */
  uint32_t read_sum;
} ending_wanted;

/* Header that the Terminate returns, in its likely reading or as it stands. */
static ending_wanted ending_wants(const observe_terminate *t) {
  iwarp_rdmap_term likely = t->term;
  iwarp_ddp_hdr ddp;
  iwarp_rdmap_read_req read;
  (void)iwarp_rdmap_term_likely(&likely, &t->term, t->place);
  ending_wanted w = {.header = likely.ddp_header};
  if (iwarp_ddp_hdr_decode(&ddp, likely.ddp_header).err == IWARP_OK && !ddp.tagged &&
      iwarp_rdmap_read_req_decode(&read, likely.rdma_header).err == IWARP_OK) {
    w.read = ddp.msn == read.size;
    w.read_sum = ending_read_sum(&read);
  }
  return w;
}

static bool ending_header_same(const ending_header *at, const ending_wanted *w) {
  return at->len == w->header.len && memcmp(at->octets, w->header.ptr, w->header.len) == 0;
}

/* The same Read Request, whatever its MSN. */
static bool ending_read_same(const ending_header *at, const ending_wanted *w) {
  const size_t after = ENDING_MSN_OFF + ENDING_MSN_LEN;
  return at->len == w->header.len && at->read == w->read_sum &&
         memcmp(at->octets, w->header.ptr, ENDING_MSN_OFF) == 0 &&
         memcmp(at->octets + after, w->header.ptr + after, IWARP_DDP_UNTAGGED_LEN - after) == 0;
}

/* The packet of the latest FPDU up to packet `before` that is the one, or 0. */
static uint64_t ending_header_find(const ending_headers *h, const ending_wanted *w, uint64_t before,
                                   bool (*same)(const ending_header *at, const ending_wanted *w)) {
  const uint64_t kept = h->num < h->cap ? h->num : h->cap;
  for (uint64_t i = 1; i <= kept; i++) {
    const ending_header *at = &h->ring[(h->num - i) % h->cap];
    if (at->packet <= before && same(at, w)) {
      return at->packet;
    }
  }
  return 0;
}

/* Finds the segment that the Terminate of a side is about, unless that is known. */
static void ending_accuse(ending *e, uint8_t side) {
  observe_terminate *t = &e->terminate[side];
  const ending_headers *h = &e->headers[1 - side];
  const ending_wanted w = ending_wants(t);
  if (t->about == 0 && w.header.len > 0) {
    t->about = ending_header_find(h, &w, e->terminated[side].packet, ending_header_same);
  }
  if (t->about == 0 && w.read) {
    t->about = ending_header_find(h, &w, e->terminated[side].packet, ending_read_same);
    t->about_read = t->about != 0;
  }
}

void obs_ending_free(observe *obs, ending *e) {
  for (size_t side = 0; side < 2; side++) {
    obs_memory_put(obs, e->headers[side].ring, e->headers[side].cap * sizeof(ending_header));
  }
}

/* ---- Terminates ---- */

static ingest_mark ending_mark(const iwarp_event *ev) {
  return (ingest_mark){.packet = ev->last.packet, .time_ns = ev->last.time_ns};
}

static bool ending_rdmac(const iwarp_observer_side *side) {
  return side->has_startup && side->rev == 0;
}

/* Returns true if DDP or RDMAP may have this version: a startup of Rev 0 goes with version 0. */
static bool ending_version(const observe_conn *conn, uint8_t version) {
  const iwarp_observer_side *side = conn->info->side;
  return version == 1 || (version == 0 && (ending_rdmac(&side[0]) || ending_rdmac(&side[1])));
}

/* Returns true if a receiver would take the segment as a Terminate. */
static bool ending_is_terminate(const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const iwarp_rdmap_seg *seg = &f->seg;
  return seg->kind == IWARP_RDMAP_KIND_TERM && !seg->ddp.tagged &&
         seg->ddp.qn == IWARP_RDMAP_QN_TERMINATE && ending_version(conn, seg->ddp.dv) &&
         ending_version(conn, seg->ctrl.rv) && f->crc != IWARP_CRC_BAD && !ev->last.damaged &&
         f->sync != IWARP_SYNC_NONE;
}

/* More of a side was seen: a Terminate ends its stream, so one that nothing proves was payload. */
static void ending_goes_on(ending *e, uint8_t side) {
  if (e->assumed[side]) {
    e->assumed[side] = false;
    e->terminated[side] = (ingest_mark){0};
    e->terminate[side] = (observe_terminate){0};
  }
}

/* The same octets in the copy of the tail. */
static iwarp_span ending_copied(iwarp_span part, iwarp_span tail, const uint8_t *copy) {
  if (part.len == 0) {
    return (iwarp_span){NULL, 0};
  }
  const size_t at = (size_t)(part.ptr - tail.ptr);
  const size_t room = OBSERVE_TERMINATE_TAIL - at;
  return (iwarp_span){copy + at, part.len < room ? part.len : room};
}

static void ending_keep_terminate(observe_terminate *out, const iwarp_rdmap_term *in) {
  const size_t len = in->tail.len < sizeof out->tail ? in->tail.len : sizeof out->tail;
  out->term = *in;
  if (len > 0) {
    memcpy(out->tail, in->tail.ptr, len);
  }
  out->term.tail = ending_copied(in->tail, in->tail, out->tail);
  out->term.ddp_header = ending_copied(in->ddp_header, in->tail, out->tail);
  out->term.rdma_header = ending_copied(in->rdma_header, in->tail, out->tail);
  out->term.rest = ending_copied(in->rest, in->tail, out->tail);
}

void observe_outcome_copy(observe_outcome *out, observe_terminate *terminate,
                          const observe_outcome *in) {
  *out = *in;
  if (in->terminate != NULL) {
    ending_keep_terminate(terminate, &in->terminate->term);
    terminate->place = in->terminate->place;
    terminate->about = in->terminate->about;
    terminate->about_read = in->terminate->about_read;
    out->terminate = terminate;
  }
}

static void ending_terminate(ending *e, const iwarp_event *ev) {
  observe_terminate *t = &e->terminate[ev->side];
  if (e->terminated[ev->side].packet != 0) {
    return; /* the first one counts */
  }
  e->terminated[ev->side] = ending_mark(ev);
  e->assumed[ev->side] = ev->u.fpdu.sync == IWARP_SYNC_HEURISTIC;
  ending_keep_terminate(t, &ev->u.fpdu.seg.u.term);
  t->place = ev->u.fpdu.term_place;
  ending_accuse(e, ev->side);
}

static void ending_segment(observe *obs, ending *e, const observe_conn *conn,
                           const iwarp_event *ev) {
  ending_goes_on(e, ev->side);
  if (ev->u.fpdu.seg.has_ddp) {
    ending_header_note(obs, &e->headers[ev->side], ev);
  }
  if (ending_is_terminate(conn, ev)) {
    ending_terminate(e, ev);
  }
}

/* ---- the startup ---- */

static void ending_reject(ending *e, const iwarp_event *ev) {
  e->reject = ending_mark(ev);
  e->reject_side = ev->side;
}

/* Returns true if the Reply answers a whole Request, and both are the first captured octets without
 * a gap between them. Then neither lies in payload. */
static bool ending_answers(const ending *e, const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_observer_side *own = &conn->info->side[ev->side];
  const iwarp_observer_side *peer = &conn->info->side[1 - ev->side];
  return peer->has_startup && peer->key == IWARP_MPA_KEY_REQUEST &&
         peer->startup_pos == peer->start && ev->pos == own->start &&
         (uint32_t)ev->pos == e->received && ev->first.peer_pos == peer->startup_end;
}

/* Returns true if other octets may look like the Reply: it is not the beginning of its stream, or
 * octets before it are missing. */
static bool ending_inconclusive(const ending *e, const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_observer_side *own = &conn->info->side[ev->side];
  return (!own->start_known && !ending_answers(e, conn, ev)) || own->gap;
}

/* A frame of another revision is whole and of the right form: its receiver may refuse it. */
static void ending_startup(ending *e, const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_event_startup *v = &ev->u.startup;
  const bool enhanced = (v->frame.flags & IWARP_MPA_FLAG_S) != 0 && v->frame.rev == 2;
  e->received = v->is_reply ? e->received : (uint32_t)ev->first.peer_pos;
  e->malformed = e->malformed || v->key == IWARP_MPA_KEY_UNKNOWN ||
                 v->frame.pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
                 (enhanced && v->frame.pd_length < IWARP_MPA_ENHANCED_LEN);
  e->unfinished[ev->side] = v->err != IWARP_OK && !conn->info->side[ev->side].gap;
  if (v->is_reply && v->key != IWARP_MPA_KEY_UNKNOWN && (v->frame.flags & IWARP_MPA_FLAG_R) != 0) {
    ending_reject(e, ev);
    e->reject_inconclusive = ending_inconclusive(e, conn, ev);
  }
}

/* Octets in the place of a startup frame that they do not complete; or after what looks like a
 * Reject, but for one that is certain. */
static void ending_undecodable(ending *e, const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_observer_side *side = &conn->info->side[ev->side];
  e->unfinished[ev->side] = e->unfinished[ev->side] ||
                            (!side->has_startup && !side->gap && side->role != IWARP_ROLE_UNKNOWN);
  if (e->reject_inconclusive && ev->u.undecodable == IWARP_UNDEC_AFTER_REJECT) {
    e->reject = (ingest_mark){0};
  }
}

/* ---- a session over SCTP ---- */

/* Returns true if the message is an Accept, of the right form or not. */
static bool ending_is_accept(const iwarp_ev_sctp_message *m) {
  return m->kind == IWARP_SCTP_KIND_ACCEPT ||
         (m->has_control && (m->control.function == IWARP_SCTP_ACCEPT ||
                             m->control.function == IWARP_SCTP_ENHANCED_ACCEPT));
}

/* A Reject that has no place only because its Initiate was not captured: its side's first message.
 */
static bool ending_rejects_unseen(const iwarp_ev_sctp_message *m) {
  return m->kind == IWARP_SCTP_KIND_REJECT && m->reason == IWARP_SCTP_REASON_SEQUENCE &&
         m->inconclusive && m->ssn == 0;
}

static void ending_control(ending *e, const observe_conn *conn, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  e->accepted = e->accepted || ending_is_accept(m);
  if (m->reason == IWARP_SCTP_REASON_LENGTH || m->reason == IWARP_SCTP_REASON_SHORT) {
    e->malformed = true;
  }
  if (ending_rejects_unseen(m)) {
    ending_reject(e, ev);
  }
  if (m->verdict != IWARP_SCTP_LEGAL && m->verdict != IWARP_SCTP_NOTE) {
    return;
  }
  if (m->kind == IWARP_SCTP_KIND_INITIATE) {
    e->initiated = true;
  } else if (m->kind == IWARP_SCTP_KIND_REJECT) {
    ending_reject(e, ev);
  } else if (m->kind == IWARP_SCTP_KIND_TERMINATE && e->ends.fin[ev->side].packet == 0) {
    e->ends.fin[ev->side] = ending_mark(ev);
    if (e->initiated && !e->accepted && e->reject.packet == 0 && conn->certainty->session_certain) {
      ending_reject(e, ev);
    }
  }
}

/* ---- all events ---- */

/* Something of a side was seen, or is missing. */
static void ending_heard(ending *e, uint8_t side, bool missing) {
  e->active[side] = true;
  e->cut[side] = missing;
  e->ends.heard[side] = true;
}

void obs_ending_event(observe *obs, ending *e, const observe_conn *conn, const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: ending_startup(e, conn, ev); break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: ending_segment(obs, e, conn, ev); break;
  case IWARP_EVENT_SCTP_MESSAGE: ending_control(e, conn, ev); break;
  case IWARP_EVENT_UNDECODABLE:
    ending_goes_on(e, ev->side);
    ending_undecodable(e, conn, ev);
    break;
  case IWARP_EVENT_GAP: ending_goes_on(e, ev->side); break;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_SCTP_INIT: return;
  case IWARP_EVENT_END:
    e->cut[ev->side] =
        e->cut[ev->side] || (conn->certainty != NULL && conn->certainty->tail_missing);
    return;
  }
  ending_heard(e, ev->side, ev->kind == IWARP_EVENT_GAP);
}

_Static_assert(IWARP_DDP_TAGGED_LEN + IWARP_MPA_CRC_LEN >= IWARP_DDP_UNTAGGED_LEN,
               "a whole FPDU has octets for either header");

/* Always as many octets are copied as the longer header has: a number that is known is fast. The
 * ring was made at an event, if there was memory. */
OBS_APART void obs_ending_fpdu(observe *obs, ending *e, const iwarp_observer_fpdu *restrict f) {
  ending_headers *h = &e->headers[f->side];
  ending_heard(e, f->side, false);
  ending_goes_on(e, f->side);
  if (h->ring != NULL) {
    ending_header *at = ending_header_next(h, f->meta.packet);
    at->len = f->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
    memcpy(at->octets, f->wire.ptr + IWARP_MPA_LENGTH_LEN, IWARP_DDP_UNTAGGED_LEN);
    ending_header_kept(obs, h);
  }
}

/* ---- the outcome ---- */

static void ending_by(observe_outcome *out, observe_how how, uint8_t side, ingest_mark mark,
                      bool reset) {
  out->how = how;
  if (mark.packet != 0) {
    out->ended = true;
    out->side = side;
    out->packet = mark.packet;
    out->time_ns = mark.time_ns;
    out->reset = reset;
  }
}

/* Returns true if the first mark is there and came no later than the second. */
static bool ending_precedes(ingest_mark a, ingest_mark b) {
  return a.packet != 0 && (b.packet == 0 || a.packet <= b.packet);
}

static uint8_t ending_first_fin(const ingest_ends *ends) {
  return ending_precedes(ends->fin[0], ends->fin[1]) ? 0 : 1;
}

/* Ends by the FIN or the RST, whichever came first; without either, nothing ends it. */
static void ending_by_first(observe_outcome *out, observe_how how, const ingest_ends *ends) {
  const uint8_t side = ending_first_fin(ends);
  if (ending_precedes(ends->rst, ends->fin[side])) {
    ending_by(out, how, ends->rst_side, ends->rst, true);
  } else {
    ending_by(out, how, side, ends->fin[side], false);
  }
}

/* Returns true if a side left the connection, or gave it up. */
static bool ending_any(const ingest_ends *ends) {
  return ends->rst.packet != 0 || ends->fin[0].packet != 0 || ends->fin[1].packet != 0;
}

/* A startup frame of the wrong form, or one that was not whole when the connection ended. */
static bool ending_startup_failed(const ending *e, const observe_conn *conn) {
  const bool cut_short = (e->unfinished[0] || e->unfinished[1]) && ending_any(&e->ends);
  return conn->tally.fpdus[0] + conn->tally.fpdus[1] == 0 && (e->malformed || cut_short);
}

/* A whole Request, and a Responder of which the capture shows that it sent nothing. */
static bool ending_unanswered(const ending *e, const observe_conn *conn) {
  for (uint8_t i = 0; i < 2; i++) {
    const iwarp_observer_side *request = &conn->info->side[i];
    const iwarp_observer_side *other = &conn->info->side[1 - i];
    if (request->has_startup && !request->is_reply && request->key == IWARP_MPA_KEY_REQUEST &&
        other->start_known && e->ends.heard[1 - i] && !e->active[1 - i] && ending_any(&e->ends)) {
      return true;
    }
  }
  return false;
}

static observe_lack ending_lacks(const ending *e) {
  if (e->given_up) {
    return OBSERVE_LACK_GIVEN_UP;
  }
  if (e->ends.reused) {
    return OBSERVE_LACK_END;
  }
  if (!e->ends.heard[0] || !e->ends.heard[1]) {
    return OBSERVE_LACK_DIRECTION;
  }
  return e->cut[0] || e->cut[1] ? OBSERVE_LACK_TAIL : OBSERVE_LACK_NONE;
}

/* What the ends of the two streams say, for want of more. */
static void ending_by_streams(observe_outcome *out, const ending *e) {
  const ingest_ends *ends = &e->ends;
  const uint8_t first = ending_first_fin(ends);
  const ingest_mark second = ends->fin[1 - first];
  if (ends->rst.packet != 0 && (second.packet == 0 || ends->rst.packet < second.packet)) {
    ending_by(out, OBSERVE_RESET, ends->rst_side, ends->rst, true);
  } else if (second.packet != 0) {
    ending_by(out, OBSERVE_CLOSED, first, ends->fin[first], false);
  } else if (ends->fin[first].packet != 0) {
    ending_by(out, OBSERVE_HALF_CLOSED, first, ends->fin[first], false);
  } else {
    out->lack = ending_lacks(e);
    out->how = out->lack == OBSERVE_LACK_NONE ? OBSERVE_OPEN : OBSERVE_UNKNOWN;
  }
}

/* Sets the outcome. In mid-stream, FPDUs that came before a Terminate may be found after it. */
void obs_ending_decide(ending *e, observe_conn *conn) {
  observe_outcome *out = &conn->outcome;
  const uint8_t terminator = ending_precedes(e->terminated[0], e->terminated[1]) ? 0 : 1;
  *out = (observe_outcome){0};
  if (e->reject.packet != 0) {
    ending_by(out, OBSERVE_REJECTED, e->reject_side, e->reject, false);
  } else if (e->terminated[terminator].packet != 0) {
    ending_by(out, OBSERVE_TERMINATED, terminator, e->terminated[terminator], false);
    ending_accuse(e, terminator);
    out->terminate = &e->terminate[terminator];
  } else if (ending_startup_failed(e, conn)) {
    ending_by_first(out, OBSERVE_STARTUP_FAILED, &e->ends);
  } else if (ending_unanswered(e, conn)) {
    ending_by_first(out, OBSERVE_NO_REPLY, &e->ends);
  } else {
    ending_by_streams(out, e);
  }
}
