/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds iWARP in a connection whose startup was not captured: a run of FPDUs proves it. */
#include <iwarp/rx.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "tcp_flow.h"

enum {
  PROOF_RIGHT = 2,    /* FPDUs in a row with right CRCs prove iWARP */
  PROOF_FIT = 8,      /* FPDUs in a row with headers that fit one another may prove iWARP */
  PROOF_EDGES = 2,    /* `edges` that must be found */
  PROOF_CHANCE = 16,  /* `chance` that the edges must exceed */
  PROOF_INNER = 4,    /* factor by which edges must outnumber segments that begin inside FPDUs */
  PROOF_ANYWHERE = 8, /* FPDUs in a row, if segments begin anywhere */
  PROOF_CREDIT = 64,  /* octets that CRCs are computed of, for each octet that is searched */
  PROOF_QUEUES = IWARP_RDMAP_QN_ATOMIC_RESP + 1
};

/* Octets of memory of a connection's events once a chain of FPDUs began: what so many FPDUs
 * of the largest size take. */
#define PROOF_OCTETS ((size_t)PROOF_FIT * IWARP_MPA_FPDU_WIRE_MAX)
/* Octets of a connection that are looked at where none of its events are kept. */
#define PROOF_LOOKED_AT (1024u * 1024u)

/* The latest segment of a queue, or of the Tagged messages. */
typedef struct proof_last {
  bool seen;
  bool last;     /* L of the segment */
  uint8_t op;    /* opcode of the segment; Tagged */
  uint32_t id;   /* STag or MSN */
  uint64_t next; /* TO or MO of the octet after the segment */
} proof_last;

/* One direction. */
typedef struct proof_side {
  iwarp_rx *rx; /* NULL: no event of the direction came */
  void *memory;
  bool ended;
  uint64_t octets; /* octets that came */
  uint64_t begin;  /* beginning of the unbroken chain of FPDUs */
  uint64_t end;    /* end of the chain */
  uint32_t right;  /* FPDUs in a row up to `end` with right CRCs */
  uint32_t fit;    /* FPDUs in a row up to `end` whose headers fit one another */
  uint32_t edges;  /* times that a segment begins or ends with the chain or an FPDU of it */
  uint32_t chance; /* chance of these edges: 1 in two to the power of this */
  uint32_t inner;  /* segments that begin inside FPDUs */
  proof_last queue[PROOF_QUEUES];
  proof_last tagged;
  const waiting_event *at; /* events of the flow up to this one lie before the chain's end */
} proof_side;

/* What is tried with the events that wait. */
struct tcp_proof {
  proof_side side[2];
  const waiting_event *fed; /* the latest event that the engines got */
};

/* ---- FPDUs ---- */

static bool proof_continues(proof_last *q, uint32_t first, uint32_t id, uint64_t at,
                            const iwarp_rdmap_seg *seg) {
  const bool fits =
      !q->seen || (q->last ? id == first && (at == 0 || seg->ddp.tagged)
                           : id == q->id && at == q->next && seg->ctrl.opcode == q->op);
  *q = (proof_last){.seen = true,
                    .last = seg->ddp.last,
                    .op = seg->ctrl.opcode,
                    .id = id,
                    .next = at + seg->payload_len};
  return fits;
}

/* Returns true if the header is right by itself and continues the segments before it. */
static bool proof_fits(proof_side *s, const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  if (!seg->has_ddp || ddp->rsvd != 0 || ddp->dv != IWARP_DDP_VERSION || seg->ctrl.rv != ddp->dv ||
      seg->ctrl.rsv != 0 || !op->assigned || op->tagged != ddp->tagged) {
    return false;
  }
  if (ddp->tagged) {
    return proof_continues(&s->tagged, ddp->stag, ddp->stag, ddp->to, seg);
  }
  proof_last *q = &s->queue[op->qn];
  return ddp->qn == op->qn && proof_continues(q, q->id + 1, ddp->msn, ddp->mo, seg);
}

/* Returns true if a segment begins with this octet, or ends before it. *inner: how many segments
 * begin since the chain's end and before it. */
static bool proof_at_edge(const tcp_flow *f, proof_side *s, uint8_t side, uint64_t pos,
                          uint32_t *inner) {
  const waiting_event *e = s->at != NULL ? s->at : f->waiting.first;
  bool edge = false;
  for (; e != NULL; e = e->next) {
    const ingest_event *ev = &e->ev;
    if (ev->side != side || (ev->kind != INGEST_EVENT_DATA && ev->kind != INGEST_EVENT_GAP)) {
      continue;
    }
    if (ev->pos > pos) {
      break;
    }
    const bool data = ev->kind == INGEST_EVENT_DATA;
    const bool begins = data && ev->segment_start;
    const bool ends = (data || ev->snapped) && ev->pos + ev->len == pos;
    edge = edge || (begins && ev->pos == pos) || ends;
    *inner += begins && ev->pos > s->end && ev->pos < pos ? 1u : 0u;
    s->at = e;
  }
  return edge;
}

static void proof_break(proof_side *s) {
  s->right = s->fit = s->edges = s->chance = s->inner = 0;
  memset(s->queue, 0, sizeof s->queue);
  s->tagged = (proof_last){0};
}

/* Notes whether a segment begins or ends at this end of an FPDU of `len` octets. Words of the FPDU
 * lie there as often by chance. */
static void proof_edge(const tcp_flow *f, proof_side *s, uint8_t side, uint64_t pos, uint64_t len) {
  if (proof_at_edge(f, s, side, pos, &s->inner)) {
    s->edges++;
    for (uint64_t words = len / IWARP_MPA_MARKER_LEN; words > 0; words /= 2) {
      s->chance++;
    }
  }
}

static void proof_fpdu(const tcp_flow *f, proof_side *s, const iwarp_event *ev) {
  const iwarp_event_fpdu *fpdu = &ev->u.fpdu;
  const uint64_t begin = ev->pos - fpdu->fpdu.layout.lead;
  const uint64_t end = ev->pos + ev->len;
  if (s->end != begin || s->right + s->fit == 0) {
    proof_break(s);
    proof_edge(f, s, ev->side, begin, end - begin);
    s->begin = s->end = begin;
    s->inner = 0;
  }
  proof_edge(f, s, ev->side, end, end - begin);
  s->end = end;
  s->right = fpdu->crc == IWARP_CRC_GOOD ? s->right + 1 : 0;
  s->fit = proof_fits(s, &fpdu->seg) ? s->fit + 1 : 0;
}

/*
 * Returns true if the chain proves iWARP. A file that is copied may hold captured packets with
 * FPDUs in them. These begin where segments begin by chance only, no chain is longer than a packet,
 * and more than the chain is sent.
 */
static bool proof_done(const proof_side *s) {
  const uint64_t len = s->end - s->begin;
  const bool most = s->ended && len > s->octets / 2;
  const bool placed = s->edges >= PROOF_EDGES && s->edges > PROOF_INNER * s->inner &&
                      (s->chance >= PROOF_CHANCE || most);
  if (placed && (s->right >= PROOF_RIGHT || s->fit >= PROOF_FIT)) {
    return true;
  }
  return (len > IWARP_MPA_FPDU_WIRE_MAX || most) &&
         (s->right >= PROOF_ANYWHERE || s->fit >= PROOF_ANYWHERE);
}

static void proof_events(const tcp_flow *f, proof_side *s) {
  iwarp_event ev;
  while (!proof_done(s) && iwarp_rx_next_event(s->rx, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_EVENT_FPDU) {
      proof_fpdu(f, s, &ev);
    } else if (ev.kind == IWARP_EVENT_UNDECODABLE && ev.u.undecodable != IWARP_UNDEC_UNFINISHED) {
      proof_break(s);
    }
  }
}

/* ---- the engines ---- */

static bool proof_begin(observe *obs, proof_side *s, const ingest_event *ev) {
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .pos = ev->pos,
                            .markers = obs->cfg.markers,
                            .crc = obs->cfg.crc,
                            .side = ev->side,
                            .max_ulpdu = UINT16_MAX,
                            .pool = &obs->pool};
  const size_t size = iwarp_rx_size(&cfg);
  s->memory = obs_memory_get(obs, size);
  return s->memory != NULL && iwarp_rx_init(&s->rx, s->memory, size, &cfg) == IWARP_OK;
}

/* Gives the engine of the event's side the event; true: it proves iWARP. */
static bool proof_feed(observe *obs, tcp_flow *f, const ingest_event *ev) {
  proof_side *s = &f->proof->side[ev->side];
  const iwarp_meta meta = obs_tcp_meta(ev);
  const bool has_octets = ev->kind == INGEST_EVENT_DATA || ev->kind == INGEST_EVENT_GAP;
  if (s->rx == NULL && (!has_octets || !proof_begin(obs, s, ev))) {
    return false;
  }
  switch (ev->kind) {
  case INGEST_EVENT_DATA:
    s->octets += ev->len;
    (void)iwarp_rx_push(s->rx, (iwarp_span){ev->data, (size_t)ev->len}, &meta);
    break;
  case INGEST_EVENT_GAP:
    (void)iwarp_rx_gap(s->rx, ev->len, ev->snapped ? IWARP_GAP_SNAPLEN : IWARP_GAP_LOST, &meta);
    break;
  case INGEST_EVENT_END:
    s->ended = true;
    (void)iwarp_rx_eof(s->rx, &meta);
    break;
  case INGEST_EVENT_OPEN:
  case INGEST_EVENT_CLOSE:
  case INGEST_EVENT_DIFFER: return false;
  }
  proof_events(f, s);
  return proof_done(s);
}

/* Gives the engines all events that they did not get. */
static bool proof_feed_all(observe *obs, tcp_flow *f) {
  struct tcp_proof *p = f->proof;
  bool done = false;
  for (const waiting_event *e = p->fed != NULL ? p->fed->next : f->waiting.first;
       e != NULL && !done; e = e->next) {
    done = proof_feed(obs, f, &e->ev);
    p->fed = e;
  }
  return done;
}

static void proof_free(observe *obs, tcp_flow *f) {
  const iwarp_rx_cfg cfg = {
      .size = sizeof cfg, .max_ulpdu = UINT16_MAX, .pool = &obs->pool}; /* size of proof_begin */
  for (uint8_t i = 0; f->proof != NULL && i < 2; i++) {
    proof_side *s = &f->proof->side[i];
    if (s->rx != NULL) {
      iwarp_rx_release(s->rx);
    }
    obs_memory_put(obs, s->memory, iwarp_rx_size(&cfg));
  }
  obs_memory_put(obs, f->proof, sizeof *f->proof);
  f->proof = NULL;
}

void obs_tcp_search_end(observe *obs, tcp_flow *f) {
  obs_waiting_drop(&f->waiting, f->proof != NULL ? &obs->proving : &obs->unseen);
  proof_free(obs, f);
  f->search = TCP_SEARCH_OVER;
}

void obs_tcp_search_take(observe *obs, tcp_flow *f) {
  obs_waiting_move(&f->waiting, &obs->proving, &obs->wanted);
  proof_free(obs, f);
  f->search = TCP_SEARCH_OVER;
}

/* ---- a look at octets before there are engines ---- */

/* Returns true if the FPDU has a right CRC. Beyond the credit it is not computed. */
static bool proof_crc_right(const iwarp_mpa_fpdu *fpdu, size_t *credit) {
  const bool may = *credit >= fpdu->wire.len;
  *credit -= may ? fpdu->wire.len : 0;
  return may && iwarp_mpa_fpdu_crc(fpdu) == fpdu->crc;
}

/* Returns true if an FPDU with a right CRC lies among the octets. */
static bool proof_holds_fpdu(iwarp_span in) {
  size_t credit = PROOF_CREDIT * in.len;
  for (size_t at = 0; at + IWARP_MPA_LENGTH_LEN + IWARP_DDP_TAGGED_LEN < in.len; at++) {
    const iwarp_span rest = {in.ptr + at, in.len - at};
    iwarp_mpa_fpdu fpdu;
    if ((rest.ptr[2] & 0x3fu) == IWARP_DDP_VERSION && rest.ptr[3] >> 4 == 4 &&
        obs_tcp_like_fpdu(rest) && iwarp_mpa_fpdu_decode(&fpdu, rest, 0, false).err == IWARP_OK &&
        proof_crc_right(&fpdu, &credit)) {
      return true;
    }
  }
  return false;
}

/* Returns true if an FPDU with a right CRC lies among the octets of a side that wait. */
static bool proof_side_holds_fpdu(const tcp_flow *f, uint8_t side) {
  uint8_t *all = f->waiting.size > 0 ? memory_get(f->waiting.size) : NULL;
  size_t len = 0;
  bool found = false;
  for (const waiting_event *e = f->waiting.first; all != NULL && e != NULL && !found; e = e->next) {
    if (e->ev.side == side && e->ev.kind == INGEST_EVENT_DATA) {
      memcpy(all + len, e->ev.data, (size_t)e->ev.len);
      len += (size_t)e->ev.len;
    } else if (e->ev.side == side) {
      found = proof_holds_fpdu((iwarp_span){all, len});
      len = 0;
    }
  }
  found = found || (all != NULL && proof_holds_fpdu((iwarp_span){all, len}));
  free(all);
  return found;
}

/* ---- the search ---- */

/* Makes the engines; false: no memory. */
static bool proof_make(observe *obs, tcp_flow *f) {
  f->proof = obs_memory_get(obs, sizeof *f->proof);
  if (f->proof == NULL) {
    obs_tcp_search_end(obs, f);
    return false;
  }
  obs_waiting_move(&f->waiting, &obs->unseen, &obs->proving);
  return true;
}

/* Returns true if two FPDUs follow one another. */
static bool proof_begun(const struct tcp_proof *p) {
  return p->side[0].right + p->side[0].fit > 2 || p->side[1].right + p->side[1].fit > 2;
}

/* Something looked like an FPDU. */
static bool proof_try(observe *obs, tcp_flow *f, const ingest_event *ev) {
  const size_t most = proof_begun(f->proof) ? PROOF_OCTETS : WAITING_OCTETS;
  const bool fits = obs_waiting_fits(&f->waiting, most, ev);
  if (fits && obs_waiting_full(&obs->proving, obs->budget->limit, ev)) {
    f->limit = f->limit != NULL ? f->limit : "early-data";
  } else if (fits && obs_waiting_add(&f->waiting, &obs->proving, ev)) {
    return proof_feed_all(obs, f);
  }
  obs_tcp_search_end(obs, f);
  return false;
}

/* Begins a proof with FPDUs inside segments, since no octets looked like an FPDU where a segment
 * begins. */
static bool proof_found_inside(observe *obs, tcp_flow *f) {
  return (proof_side_holds_fpdu(f, 0) || proof_side_holds_fpdu(f, 1)) && proof_make(obs, f);
}

/* Keeps an event before anything looks like an FPDU. */
static void proof_keep(observe *obs, tcp_flow *f, const ingest_event *ev) {
  f->looked_at += ev->kind == INGEST_EVENT_DATA ? ev->len : 0;
  if (obs_waiting_full(&obs->unseen, obs->budget->limit, ev)) {
    f->unkept = true;
    obs_waiting_drop(&f->waiting, &obs->unseen);
  } else {
    (void)obs_waiting_add(&f->waiting, &obs->unseen, ev);
  }
  if (f->looked_at > PROOF_LOOKED_AT) {
    obs_tcp_search_end(obs, f);
  }
}

/* Takes an event while no octets before it looked like an FPDU. */
static bool proof_unseen(observe *obs, tcp_flow *f, const ingest_event *ev) {
  if (ev->kind == INGEST_EVENT_DATA && ev->segment_start &&
      obs_tcp_like_fpdu((iwarp_span){ev->data, (size_t)ev->len})) {
    return proof_make(obs, f) && proof_try(obs, f, ev);
  }
  const bool fits = obs_waiting_fits(&f->waiting, WAITING_OCTETS, ev);
  const bool over = ev->kind == INGEST_EVENT_END && f->side[1 - ev->side].ended;
  if (fits && !over) {
    proof_keep(obs, f, ev);
    return false;
  }
  if (proof_found_inside(obs, f)) {
    return proof_try(obs, f, ev);
  }
  obs_tcp_search_end(obs, f);
  return false;
}

bool obs_tcp_search(observe *obs, tcp_flow *f, const ingest_event *ev) {
  const bool lacks =
      ev->kind == INGEST_EVENT_GAP || (ev->kind == INGEST_EVENT_DATA && !ev->start_known);
  if (f->search == TCP_SEARCH_NOT_YET && lacks) {
    f->search = TCP_SEARCH_BEGUN;
  }
  if (f->search != TCP_SEARCH_BEGUN || ev->kind == INGEST_EVENT_CLOSE) {
    return false;
  }
  const bool proven = f->proof != NULL ? proof_try(obs, f, ev) : proof_unseen(obs, f, ev);
  if (proven && f->unkept && f->limit == NULL) {
    f->limit = "early-data";
  }
  return proven;
}
