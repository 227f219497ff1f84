/* SPDX-License-Identifier: BSD-2-Clause */
/* The most likely reading: FPDUs are where the chain of ULPDU_Lengths puts them, and an FPDU that
 * was cut has a right CRC. */
#include "likely.h"

#include "catalog.h"

/* Right CRCs in a row after which a wrong one is a wrong CRC, and no wrong boundary. */
#define LIKELY_GOOD 16u

/* A chain of FPDUs is not likely to be payload if so many octets of it precede its last FPDU, whose
 * length is not confirmed. */
#define LIKELY_CHAIN 2048u
/* A chain is not likely to be payload either if FPDUs and packets end together so often. */
#define LIKELY_EDGES 2u

/* FPDUs and packets are not likely to end together so often in payload. */
#define LIKELY_FIRM 8u

/* A Terminate returns the header of a segment that came not long before: not of one that came
 * before so many others. */
#define LIKELY_HEADERS 32u

/* Returns true if the startup frame lacks octets. */
static bool likely_frame_cut(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_STARTUP && ev->u.startup.err != IWARP_OK;
}

bool rulesi_likely_begins(const iwarp_observer_info *info, const iwarp_event *ev) {
  if (info->sctp) {
    return false;
  }
  return ev->kind == IWARP_EVENT_GAP || likely_frame_cut(ev) ||
         (ev->kind == IWARP_EVENT_FPDU &&
          (!ev->u.fpdu.complete || ev->u.fpdu.sync != IWARP_SYNC_STARTUP));
}

static void likely_presume_side(struct rules_side *s) {
  struct rules_slot *terminate = &s->messages.slots[IWARP_RDMAP_QN_TERMINATE];
  if (terminate->state == SLOT_UNKNOWN && !s->terminate.alike) {
    terminate->state = SLOT_FRESH;
  }
  if (s->headers.lost && s->headers.because.reason != 0 &&
      (uint16_t)(s->headers.num - s->headers.since) >= LIKELY_HEADERS) {
    s->headers.lost = false;
    s->headers.because = (struct rules_because){0};
  }
}

void rulesi_likely_presume(struct rules_tracker *track, const struct rules_likely *likely) {
  for (unsigned i = 0; i < 2; i++) {
    likely_presume_side(&track->side[i]);
    track->side[i].chain.firm = likely->chain[i].firm;
  }
}

/*
 * FPDUs of a likely chain show whether Markers are in use, as a startup frame does. The
 * observer tells of a gap before the event of it comes: a gap counts until that event shows that
 * the octets are inside an FPDU, or inside the startup frame, after which an FPDU begins.
 */
void rulesi_likely_info(iwarp_observer_info *info, const struct rules_likely *likely) {
  for (unsigned i = 0; i < 2; i++) {
    iwarp_observer_side *side = &info->side[i];
    const struct likely_chain *chain = &likely->chain[i];
    if (side->markers_by == IWARP_KNOWN_BY_DATA && chain->shown) {
      side->markers_by = IWARP_KNOWN_BY_CALLER;
    }
    side->gap = side->gap && (chain->gapped || !chain->snapped || chain->frame_cut);
  }
  if (info->crc_by == IWARP_KNOWN_BY_DATA) {
    info->crc_by = IWARP_KNOWN_BY_CALLER;
  }
}

/* Returns true if the chain shows by itself that it is not likely to be payload. */
static bool likely_shows(const struct likely_chain *chain) {
  return chain->begun &&
         (chain->last - chain->begin >= LIKELY_CHAIN || chain->edges >= LIKELY_EDGES);
}

/* Returns true if the chain is not likely to be payload. */
static bool likely_stands(const struct likely_chain *chain) {
  return chain->sure || likely_shows(chain);
}

/* Returns true if the chain is longer than any FPDU, which could be its payload, or packets begin
 * where many FPDUs of it begin. */
static bool likely_firm(const struct likely_chain *chain) {
  return chain->end - chain->begin > IWARP_MPA_FPDU_WIRE_MAX || chain->edges >= LIKELY_FIRM;
}

/* Octets that are no FPDU, or that are missing. */
static void likely_break(struct likely_chain *chain) {
  chain->broken = chain->begun || chain->sure;
  chain->stood = likely_stands(chain);
  chain->begun = chain->sure = false;
  chain->good = chain->edges = 0;
}

/* An FPDU of the chain. */
struct likely_link {
  uint64_t begin;
  uint64_t end;
  uint64_t first; /* packet of its first octet */
  uint64_t last;  /* packet of its last octet */
  iwarp_crc_state crc;
  bool sure; /* the chain before it leads to the startup frame */
};

static void likely_extend(struct likely_chain *chain, const struct likely_link *link) {
  chain->edges += chain->begun && link->first != chain->packet ? 1u : 0u;
  chain->packet = link->last;
  chain->begin = chain->begun ? chain->begin : link->begin;
  chain->last = link->begin;
  chain->end = link->end;
  chain->begun = true;
  chain->sure = link->sure;
  chain->frame_cut = chain->frame_cut && !link->sure;
  chain->good += link->crc == IWARP_CRC_GOOD ? 1u : 0u;
  chain->good = link->crc == IWARP_CRC_BAD ? 0 : chain->good;
  chain->firm = likely_firm(chain);
  /* If the Markers were read in the wrong places, the next FPDU would begin elsewhere, and the CRC
   * would be wrong. */
  const uint64_t proven = link->crc == IWARP_CRC_GOOD ? chain->end : chain->last;
  chain->shown = chain->shown || proven - chain->begin >= IWARP_MPA_MARKER_PERIOD;
}

/* Returns true if the FPDU is too short for a DDP header, and no CRC proves it: zeros among other
 * octets read as such FPDUs. */
static bool likely_hollow(const iwarp_event_fpdu *f) {
  return f->crc != IWARP_CRC_GOOD && f->seg.err == IWARP_ERR_DDP_SHORT;
}

/* Takes the FPDU into the chain; false: it may be none. FPDUs inside payload
 * end with a wrong CRC, where the payload ends: so does a chain that may be payload. */
static bool likely_take(struct likely_chain *chain, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const struct likely_link link = {.begin = ev->pos - f->fpdu.layout.lead,
                                   .end = ev->pos + ev->len,
                                   .first = ev->first.packet,
                                   .last = ev->last.packet,
                                   .crc = f->crc,
                                   .sure = f->sync == IWARP_SYNC_STARTUP};
  if (chain->begun && link.begin != chain->end) {
    likely_break(chain);
  }
  const bool may_be_wrong = chain->good >= LIKELY_GOOD && likely_stands(chain);
  if (!link.sure && ((f->crc == IWARP_CRC_BAD && !may_be_wrong) || likely_hollow(f))) {
    likely_break(chain);
    return false;
  }
  likely_extend(chain, &link);
  return true;
}

/* A Terminate may be payload, as other FPDUs may, and would put all later ones in the wrong. */
static bool likely_is_terminate(const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  return seg->has_ddp && seg->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
}

/* The FPDU begins where it seems to, and its CRC is right unless it is known to be wrong. Where no
 * chain has shown whether Markers are in use, one may stand among its headers. */
static void likely_fpdu(iwarp_event *ev, const struct likely_chain *chain) {
  iwarp_event_fpdu *f = &ev->u.fpdu;
  const bool sure = f->sync == IWARP_SYNC_STARTUP;
  if (!sure) {
    f->sync = f->sync == IWARP_SYNC_MARKER ? f->sync : IWARP_SYNC_CRC;
    f->good_run = IWARP_MPA_FPDU_WIRE_MAX;
  }
  if (f->crc == IWARP_CRC_UNCHECKED && (sure ? !f->complete : chain->shown)) {
    f->crc = IWARP_CRC_GOOD;
    f->crc_computed = f->fpdu.crc;
  }
}

/* Octets that are no whole FPDU. The chain goes on to them if the stream ends inside an FPDU. */
static void likely_undecodable(struct likely_chain *chain, const iwarp_event *ev) {
  chain->firm = chain->firm && ev->pos == chain->end;
  if (ev->u.undecodable != IWARP_UNDEC_UNFINISHED || ev->pos != chain->end) {
    likely_break(chain);
  }
}

/* Returns true if the snapshot length cut octets of the Private Data alone from the startup frame,
 * and the frame ends with its packet. The enhanced octets are there. */
static bool likely_frame_whole(const iwarp_event *ev) {
  const iwarp_mpa_startup *frame = &ev->u.startup.frame;
  const bool shown =
      (frame->flags & IWARP_MPA_FLAG_S) == 0 || frame->private_data.len >= IWARP_MPA_ENHANCED_LEN;
  return shown && ev->u.startup.snapped;
}

/* PD_Length is right, so that the startup frame ends there, and FPDUs begin. */
static void likely_startup(struct rules_reading *out, struct likely_chain *chain) {
  const iwarp_observer_side *own = &out->info.side[out->ev.side];
  chain->frame_cut = likely_frame_cut(&out->ev);
  if (likely_frame_whole(&out->ev)) {
    out->ev.u.startup.err = IWARP_OK;
    chain->frame_cut = false;
    chain->snapped = true;
  }
  chain->sure = own->start_known && out->ev.pos == own->start;
}

bool rulesi_likely_read(struct rules_reading *out, struct rules_likely *likely,
                        const iwarp_observer_info *info, const iwarp_event *ev, bool inside) {
  struct likely_chain *chain = &likely->chain[ev->side];
  likely->chain[0].broken = likely->chain[1].broken = false;
  if (ev->kind == IWARP_EVENT_GAP && ev->u.gap == IWARP_GAP_SNAPLEN && inside) {
    chain->snapped = true;
    return false;
  }
  out->info = *info;
  out->ev = *ev;
  if (ev->kind == IWARP_EVENT_FPDU) {
    if (likely_take(chain, ev) && (likely_stands(chain) || !likely_is_terminate(ev))) {
      likely_fpdu(&out->ev, chain);
    }
  } else if (ev->kind == IWARP_EVENT_STARTUP) {
    likely_startup(out, chain);
  } else if (ev->kind == IWARP_EVENT_GAP) {
    chain->gapped = true;
    chain->firm = false;
    likely_break(chain);
  } else if (ev->kind == IWARP_EVENT_UNDECODABLE) {
    likely_undecodable(chain, ev);
  }
  rulesi_likely_info(&out->info, likely);
  return true;
}

/* ON if a chain is not likely to be payload. OFF: it broke before it showed that. */
static iwarp_tristate likely_chain_stands(const struct likely_chain *chain) {
  if (likely_stands(chain) || (chain->broken && chain->stood)) {
    return IWARP_TRISTATE_ON;
  }
  return chain->broken ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN;
}

iwarp_tristate rulesi_likely_stands(const struct rules_likely *likely, const iwarp_finding *f) {
  const struct likely_chain *peer = &likely->chain[1u - f->side];
  const iwarp_tristate own = likely_chain_stands(&likely->chain[f->side]);
  const iwarp_tristate other =
      peer->begun || peer->broken ? likely_chain_stands(peer) : IWARP_TRISTATE_ON;
  if (own == IWARP_TRISTATE_OFF || other == IWARP_TRISTATE_OFF) {
    return IWARP_TRISTATE_OFF;
  }
  return own == IWARP_TRISTATE_ON ? other : own;
}

const char *iwarp_finding_unless(const iwarp_finding *finding) {
  switch (finding->doubt) {
  case IWARP_REASON_GAP: return "octets that are missing from the capture explain it";
  case IWARP_REASON_SNAPLEN:
    return "octets that the snapshot length cut off were wrong, so that the receiver refused the "
           "FPDU";
  default: break;
  }
  return "these octets are payload that looks like an FPDU, or octets before the capture explain "
         "it";
}

/* Why the capture proves too little; 0: it does not. */
static uint32_t likely_doubt(const struct rules_likely *likely, const iwarp_observer_info *info) {
  const struct likely_chain *chain = likely->chain;
  if (chain[0].gapped || chain[1].gapped) {
    return IWARP_REASON_GAP;
  }
  if (!info->side[0].has_startup && !info->side[1].has_startup) {
    return IWARP_REASON_MID_STREAM;
  }
  return chain[0].snapped || chain[1].snapped ? IWARP_REASON_SNAPLEN : 0;
}

uint32_t rulesi_likely_suspect(iwarp_finding *f, const struct rules_likely *likely,
                               const iwarp_observer_info *info) {
  const uint32_t doubt = likely_doubt(likely, info);
  f->certainty = IWARP_FINDING_SUSPECTED;
  f->doubt = (uint16_t)doubt;
  f->cause = NULL;
  return doubt;
}

void rulesi_likely_passed(struct rules_likely *likely, const iwarp_observer_fpdu *fpdu) {
  likely_extend(&likely->chain[fpdu->side], &(struct likely_link){.begin = fpdu->pos,
                                                                  .end = fpdu->pos + fpdu->wire.len,
                                                                  .first = fpdu->meta.packet,
                                                                  .last = fpdu->meta.packet,
                                                                  .crc = IWARP_CRC_GOOD,
                                                                  .sure = true});
}
