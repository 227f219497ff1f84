/* SPDX-License-Identifier: BSD-2-Clause */
/* What is kept of the traffic of a connection so that its end can be explained. */
#include "keep_facts.h"

#include <string.h>

#include "looks_like.h"

#define FACTS_KEY 7u /* octets with which both startup keys begin */

static observe_moment facts_moment(const iwarp_meta *meta) {
  return (observe_moment){.packet = meta->packet, .time_ns = meta->time_ns};
}

/* ---- silence ---- */

static bool facts_waits(const observe_requests *r) {
  return r->reads + r->atomics > 0;
}

static bool facts_is_send(uint8_t opcode) {
  return opcode >= IWARP_RDMAP_OP_SEND && opcode <= IWARP_RDMAP_OP_SEND_SE_INV;
}

/* A side speaks next after a whole Send, which asks the other side for something. */
static void facts_turn(observe_facts *facts, uint8_t side) {
  const observe_fpdu_fact *f = &facts->side[facts->latest_side].latest;
  if (f->last && facts_is_send(f->opcode) && f->at.packet == facts->latest.packet) {
    observe_facts_side *asked = &facts->side[1 - facts->latest_side];
    *(side != facts->latest_side ? &asked->answered : &asked->passed) += 1;
  }
}

/* A side sent a startup frame or an FPDU. */
static void facts_speak(observe_facts *facts, uint8_t side, const iwarp_meta *meta) {
  const observe_moment *before = &facts->latest;
  facts_turn(facts, side);
  const uint64_t ns =
      before->packet != 0 && meta->time_ns > before->time_ns ? meta->time_ns - before->time_ns : 0;
  if (ns > facts->silence.ns) {
    facts->silence =
        (observe_silence){.ns = ns,
                          .before = before->packet,
                          .after = meta->packet,
                          .speaker = facts->latest_side,
                          .breaker = side,
                          .read_waited = facts_waits(&facts->side[facts->latest_side].requests)};
  }
  if (meta->packet >= before->packet) { /* events that waited for a proof come side after side */
    facts->latest = facts_moment(meta);
    facts->latest_side = side;
  }
}

/* ---- the startup ---- */

void obs_facts_head(observe_facts *facts, uint8_t side, iwarp_span head) {
  static const uint8_t key[FACTS_KEY] = {'M', 'P', 'A', ' ', 'I', 'D', ' '};
  observe_facts_side *s = &facts->side[side];
  const size_t len = head.len < sizeof key ? head.len : sizeof key;
  if (len > 0 && memcmp(head.ptr, key, len) != 0) {
    s->foreign = true;
    s->looks_like = obs_looks_like(head);
  }
}

static void facts_startup(observe_facts_side *s, const iwarp_event *ev) {
  const iwarp_event_startup *v = &ev->u.startup;
  observe_startup_fact *f = &s->startup;
  const size_t len =
      v->ulp_data.len < OBSERVE_FACTS_PRIVATE ? v->ulp_data.len : OBSERVE_FACTS_PRIVATE;
  *f = (observe_startup_fact){.at = facts_moment(&ev->last),
                              .reply = v->is_reply,
                              .whole = v->err == IWARP_OK,
                              .wrong_key = v->key == IWARP_MPA_KEY_UNKNOWN,
                              .flags = v->frame.flags,
                              .rev = v->frame.rev,
                              .enhanced = v->enhanced,
                              .enh = v->enh,
                              .pd_length = v->frame.pd_length,
                              .private_len = (uint8_t)len};
  if (len > 0) {
    memcpy(f->private_data, v->ulp_data.ptr, len);
  }
}

/* ---- Sends ---- */

static void facts_send(observe_facts_side *s, uint64_t packet, const iwarp_ddp_hdr *ddp,
                       uint64_t payload) {
  observe_send_fact *at = &s->sends[(s->num_sends - 1u) % OBSERVE_FACTS_SENDS];
  const uint64_t end = ddp->mo + payload;
  if (s->num_sends == 0 || at->msn != ddp->msn) {
    at = &s->sends[s->num_sends++ % OBSERVE_FACTS_SENDS];
    s->longest = at->octets > s->longest ? at->octets : s->longest;
    *at = (observe_send_fact){.packet = packet, .msn = ddp->msn};
  }
  at->octets = end > at->octets ? end : at->octets;
}

/* ---- STags ---- */

/* `begins`: the segment is the first one of its message. */
static void facts_stag(observe_facts_side *s, bool begins, uint64_t packet, uint32_t stag,
                       observe_stag_use use) {
  observe_stag_fact *at = &s->stags[(s->num_stags - 1u) % OBSERVE_FACTS_STAGS];
  if (s->num_stags == 0 || at->stag != stag || at->use != (uint8_t)use) {
    at = &s->stags[s->num_stags++ % OBSERVE_FACTS_STAGS];
    *at = (observe_stag_fact){.first = packet, .latest = packet, .stag = stag, .use = (uint8_t)use};
  }
  at->latest = begins ? packet : at->latest;
}

/* ---- requests ---- */

/* All answers may come before all requests, among events that waited for a proof. */
static void facts_request(observe_requests *r, const observe_request_fact *q) {
  if (r->num_early > 0 && q->packet < r->early) {
    r->num_early--;
    return;
  }
  r->of[r->num++ % OBSERVE_FACTS_REQUESTS] = *q;
  *(q->atomic ? &r->atomics : &r->reads) += 1;
}

/* How many of the latest requests are in the ring and wait. */
static uint64_t facts_kept(const observe_requests *r) {
  const uint64_t waiting = (uint64_t)r->reads + r->atomics;
  return waiting < OBSERVE_FACTS_REQUESTS ? waiting : OBSERVE_FACTS_REQUESTS;
}

static bool facts_answers(const observe_request_fact *q, const iwarp_rdmap_seg *seg) {
  if (q->atomic || seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP) {
    return q->atomic && seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP &&
           seg->u.atomic_resp.request_id == q->name;
  }
  return seg->ddp.stag == q->name && seg->ddp.to - q->to <= q->size;
}

/* The request, and those before it, do not wait any more: answers come in the order of requests. */
static void facts_answered(observe_requests *r, uint64_t newer) {
  while ((uint64_t)r->reads + r->atomics > newer) {
    const uint64_t oldest = (uint64_t)r->reads + r->atomics;
    const bool kept = oldest <= OBSERVE_FACTS_REQUESTS;
    const bool atomic = kept && r->of[(r->num - oldest) % OBSERVE_FACTS_REQUESTS].atomic;
    *((atomic && r->atomics > 0) || r->reads == 0 ? &r->atomics : &r->reads) -= 1;
  }
}

/* The last segment of a Read Response, or an Atomic Response, in this packet. */
static void facts_answer(observe_requests *r, const iwarp_rdmap_seg *seg, uint64_t packet) {
  const uint64_t waiting = (uint64_t)r->reads + r->atomics;
  for (uint64_t kept = facts_kept(r); kept > 0; kept--) {
    if (facts_answers(&r->of[(r->num - kept) % OBSERVE_FACTS_REQUESTS], seg)) {
      facts_answered(r, kept - 1);
      r->uncertain = false;
      return;
    }
  }
  if (waiting == 0) {
    r->num_early++;
    r->early = packet;
  } else if (!r->uncertain) {
    facts_answered(r, waiting - 1);
  }
}

/* ---- segments ---- */

static void facts_size(observe_facts_side *s, uint64_t pos, uint64_t len) {
  if (len > s->largest) {
    s->smaller = s->largest;
    s->largest = len;
    s->largest_pos = pos;
  }
  s->end = pos + len;
}

static void facts_latest(observe_facts_side *s, const iwarp_meta *meta, uint8_t opcode, bool last,
                         bool whole) {
  if (s->latest.whole && s->latest.opcode == IWARP_RDMAP_OP_READ_REQ &&
      opcode != IWARP_RDMAP_OP_READ_REQ && opcode != IWARP_RDMAP_OP_READ_RESP) {
    s->reads_followed++;
  }
  s->latest =
      (observe_fpdu_fact){.at = facts_moment(meta), .opcode = opcode, .last = last, .whole = whole};
  if (s->first.at.packet == 0) {
    s->first = s->latest;
  }
}

static void facts_untagged(observe_facts *facts, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  observe_facts_side *s = &facts->side[ev->side];
  observe_request_fact q = {.packet = ev->last.packet};
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    q.name = seg->u.read_req.sink_stag;
    q.to = seg->u.read_req.sink_to;
    q.size = seg->u.read_req.size;
    s->num_reads++;
    facts_request(&s->requests, &q);
    facts_stag(s, true, q.packet, seg->u.read_req.source_stag, OBSERVE_STAG_READ);
  } else if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    q.atomic = true;
    q.name = seg->u.atomic_req.request_id;
    facts_request(&s->requests, &q);
  } else if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP) {
    facts_answer(&facts->side[1 - ev->side].requests, seg, ev->last.packet);
  }
}

static void facts_segment(observe_facts *facts, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const iwarp_rdmap_seg *seg = &f->seg;
  observe_facts_side *s = &facts->side[ev->side];
  facts_speak(facts, ev->side, &ev->last);
  s->crc_good += f->crc == IWARP_CRC_GOOD ? 1u : 0u;
  s->crc_bad += f->crc == IWARP_CRC_BAD ? 1u : 0u;
  const bool begins = !s->latest.whole || s->latest.last || s->latest.opcode != seg->ctrl.opcode;
  facts_size(s, ev->pos, ev->len);
  facts_latest(s, &ev->last, seg->ctrl.opcode, seg->has_ddp && seg->ddp.last, seg->has_ddp);
  if (!seg->has_ddp || f->crc == IWARP_CRC_BAD) {
    return;
  }
  if (seg->ctrl.opcode == IWARP_RDMAP_OP_SEND_INV ||
      seg->ctrl.opcode == IWARP_RDMAP_OP_SEND_SE_INV) {
    facts_stag(s, true, ev->last.packet, seg->ddp.rsvdulp_word, OBSERVE_STAG_INVALIDATED);
  }
  if (!seg->ddp.tagged && seg->ddp.qn == IWARP_RDMAP_QN_SEND) {
    facts_send(s, ev->last.packet, &seg->ddp, seg->payload_len);
  } else if (seg->ddp.tagged && seg->ctrl.opcode == IWARP_RDMAP_OP_WRITE) {
    facts_stag(s, begins, ev->last.packet, seg->ddp.stag, OBSERVE_STAG_WRITE);
  } else if (seg->ddp.tagged && seg->ddp.last && seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP) {
    facts_answer(&facts->side[1 - ev->side].requests, seg, ev->last.packet);
  } else if (!seg->ddp.tagged) {
    facts_untagged(facts, ev);
  }
}

/* Octets of the side are missing: requests of it, or answers to the other side. */
static void facts_lose(observe_facts *facts) {
  facts->side[0].requests.uncertain = true;
  facts->side[1].requests.uncertain = true;
}

void obs_facts_event(observe_facts *facts, const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP:
    facts_speak(facts, ev->side, &ev->last);
    facts_startup(&facts->side[ev->side], ev);
    if (ev->u.startup.key == IWARP_MPA_KEY_UNKNOWN) {
      obs_facts_head(facts, ev->side, (iwarp_span){ev->u.startup.frame.key, IWARP_MPA_KEY_LEN});
    }
    break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: facts_segment(facts, ev); break;
  case IWARP_EVENT_GAP: facts_lose(facts); break;
  case IWARP_EVENT_UNDECODABLE:
    if (ev->u.undecodable == IWARP_UNDEC_UNFINISHED) {
      facts->side[ev->side].cut = facts_moment(&ev->last);
      if (facts->side[ev->side].startup.at.packet + facts->side[ev->side].first.at.packet == 0) {
        obs_facts_head(facts, ev->side, ev->head);
      }
    } else {
      facts_lose(facts);
    }
    break;
  case IWARP_EVENT_SCTP_MESSAGE: facts_speak(facts, ev->side, &ev->last); break;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT: break;
  }
}

void obs_facts_fpdu(observe_facts *facts, const iwarp_observer_fpdu *f, bool crc_good) {
  observe_facts_side *s = &facts->side[f->side];
  facts_speak(facts, f->side, &f->meta);
  s->crc_good += crc_good ? 1u : 0u;
  const bool begins = !s->latest.whole || s->latest.last || s->latest.opcode != f->opcode;
  facts_size(s, f->pos, f->wire.len);
  facts_latest(s, &f->meta, f->opcode, f->ddp.last, true);
  if (!f->ddp.tagged) {
    facts_send(s, f->meta.packet, &f->ddp, f->payload_len);
  } else if (f->opcode == IWARP_RDMAP_OP_WRITE) {
    facts_stag(s, begins, f->meta.packet, f->ddp.stag, OBSERVE_STAG_WRITE);
  }
}

void obs_facts_finding(observe_facts *facts, const iwarp_finding *finding) {
  const iwarp_rule *rule = iwarp_rule_get(finding->rule);
  observe_facts_side *s = &facts->side[finding->side];
  if (!iwarp_finding_suspected(finding) && rule->severity == IWARP_SEVERITY_VIOLATION &&
      rule->impact != IWARP_IMPACT_HYGIENE) {
    s->findings[s->num_findings++ % OBSERVE_FACTS_FINDINGS] =
        (observe_finding_fact){.packet = finding->last.packet, .rule = finding->rule};
  }
}

/* ---- the end ---- */

static observe_moment facts_of_mark(const ingest_mark *mark) {
  return (observe_moment){.packet = mark->packet, .time_ns = mark->time_ns};
}

/* What the other side owes this one. */
static void facts_owed(observe_at_end *end, const observe_facts *facts, uint8_t side) {
  const observe_requests *r = &facts->side[side].requests;
  const uint64_t waiting = (uint64_t)r->reads + r->atomics;
  end->reads += r->reads;
  end->atomics += r->atomics;
  end->owed[1 - side] = (uint32_t)waiting;
  if (waiting > 0 && waiting <= OBSERVE_FACTS_REQUESTS) {
    end->oldest[1 - side] = r->of[(r->num - waiting) % OBSERVE_FACTS_REQUESTS].packet;
  }
}

observe_at_end obs_facts_end(observe_facts *facts, const ingest_ends *ends, bool sctp,
                             uint64_t end_ns) {
  const bool both = ends->heard[0] && ends->heard[1];
  observe_at_end end = {.has_waiting = both && !facts->side[0].requests.uncertain &&
                                       !facts->side[1].requests.uncertain};
  for (uint8_t side = 0; side < 2; side++) {
    end.heard[side] = ends->heard[side];
    facts->side[side].fin = facts_of_mark(&ends->fin[side]);
    if (end.has_waiting) {
      facts_owed(&end, facts, side);
    }
  }
  end.last = sctp ? facts->latest : facts_of_mark(&ends->last);
  end.last_side = sctp ? facts->latest_side : ends->last_side;
  end.has_last = end.last.packet != 0;
  end.has_idle = end.has_last && end_ns >= end.last.time_ns && end_ns != 0;
  end.idle_ns = end.has_idle ? end_ns - end.last.time_ns : 0;
  end.has_unacknowledged = !sctp && both;
  return end;
}
