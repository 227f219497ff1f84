/* SPDX-License-Identifier: BSD-2-Clause */
/* The most likely reading: FPDUs are where the chain of ULPDU_Lengths puts them, and the CRCs of
 * those that were cut are right. */
#include "likely.h"

#include "catalog.h"

/* Right CRCs in a row after which a wrong one is a wrong CRC, and no wrong boundary. */
#define LIKELY_GOOD 16u

/* Octets of an unbroken chain of FPDUs that is not likely to be payload of another one. */
#define LIKELY_CHAIN 2048u
/* Or FPDUs and packets end so often together. */
#define LIKELY_EDGES 2u

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

/*
 * FPDUs that are likely to be some show whether Markers are in use, as a startup frame does. The
 * observer tells of a gap before the event of it comes: a gap counts until that event shows that
 * the octets are inside an FPDU, or inside the startup frame, after which an FPDU begins.
 */
static void likely_info(iwarp_observer_info *info, const struct rules_likely *likely) {
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
         (chain->end - chain->begin >= LIKELY_CHAIN || chain->edges >= LIKELY_EDGES);
}

/* Returns true if the chain is not likely to be payload. */
static bool likely_stands(const struct likely_chain *chain) {
  return chain->sure || likely_shows(chain);
}

/* Octets that are no FPDU, or that are missing. */
static void likely_break(struct likely_chain *chain) {
  chain->broken = chain->begun;
  chain->stood = likely_stands(chain);
  chain->begun = chain->sure = false;
  chain->good = chain->edges = 0;
}

/* Takes the FPDU into the chain; false: its CRC is wrong, and it may be none. FPDUs inside payload
 * end with a wrong CRC, where the payload ends: so does a chain that may be payload. */
static bool likely_take(struct likely_chain *chain, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const uint64_t begin = ev->pos - f->fpdu.layout.lead;
  const bool wrong = f->crc == IWARP_CRC_BAD;
  const bool sure = f->sync == IWARP_SYNC_STARTUP;
  if (chain->begun && begin != chain->end) {
    likely_break(chain);
  }
  if (wrong && !sure && !(chain->good >= LIKELY_GOOD && likely_stands(chain))) {
    likely_break(chain);
    return false;
  }
  chain->edges += chain->begun && ev->first.packet != chain->packet ? 1u : 0u;
  chain->packet = ev->last.packet;
  chain->begin = chain->begun ? chain->begin : begin;
  chain->end = ev->pos + ev->len;
  chain->begun = true;
  chain->sure = sure;
  chain->frame_cut = chain->frame_cut && !sure;
  chain->good = wrong ? 0 : chain->good + (f->crc == IWARP_CRC_GOOD ? 1u : 0u);
  chain->shown = chain->shown || chain->good > 0 || likely_shows(chain);
  return true;
}

/* A Terminate may be payload, as other FPDUs may, and would put all later ones in the wrong. */
static bool likely_is_terminate(const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  return seg->has_ddp && seg->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
}

/* The FPDU begins where it seems to, and its CRC is right unless it is known to be wrong. */
static void likely_fpdu(iwarp_event *ev) {
  iwarp_event_fpdu *f = &ev->u.fpdu;
  const bool sure = f->sync == IWARP_SYNC_STARTUP;
  if (!sure) {
    f->sync = f->sync == IWARP_SYNC_MARKER ? f->sync : IWARP_SYNC_CRC;
    f->good_run = IWARP_MPA_FPDU_WIRE_MAX;
  }
  if (f->crc == IWARP_CRC_UNCHECKED && (!sure || !f->complete)) {
    f->crc = IWARP_CRC_GOOD;
    f->crc_computed = f->fpdu.crc;
  }
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
      likely_fpdu(&out->ev);
    }
  } else if (ev->kind == IWARP_EVENT_STARTUP) {
    chain->frame_cut = likely_frame_cut(ev);
  } else if (ev->kind == IWARP_EVENT_GAP || ev->kind == IWARP_EVENT_UNDECODABLE) {
    chain->gapped = chain->gapped || ev->kind == IWARP_EVENT_GAP;
    likely_break(chain);
  }
  likely_info(&out->info, likely);
  return true;
}

iwarp_tristate rulesi_likely_stands(const struct rules_likely *likely, const iwarp_finding *f) {
  const struct likely_chain *chain = &likely->chain[f->side];
  if (likely_stands(chain) || (chain->broken && chain->stood)) {
    return IWARP_TRISTATE_ON;
  }
  return chain->broken ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN;
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
  struct likely_chain *chain = &likely->chain[fpdu->side];
  chain->end = fpdu->pos + fpdu->wire.len;
  chain->packet = fpdu->meta.packet;
  chain->good++;
}
