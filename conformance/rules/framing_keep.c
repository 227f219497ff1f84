/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that later octets are compared with, where no FPDU begins. */
#include "framing_keep.h"

#include <iwarp/crc32c.h>
#include <string.h>

#include "diagnosis.h"
#include "state.h"

/* True if the run may be the beginning of an FPDU. */
static bool framing_cut(const struct rules_ctx *j, const struct framing_place *place) {
  const bool cut = j->ev->u.undecodable == IWARP_UNDEC_UNFINISHED ||
                   place->len < rulesi_framing_announced(place);
  return cut && !rulesi_reads_as_length_too_small(place) &&
         !(rules_own(j)->framing.wrong && rulesi_reads_as_begins_earlier(place));
}

/* Wrong Markers before the run were reported. */
void rulesi_framing_enter(struct rules_ctx *j) {
  struct rules_framing *framing = &rules_own_state(j)->framing;
  const struct framing_place place = rulesi_framing_place(j, j->ev);
  if (rules_pd_overrun(rules_own(j))) {
    return;
  }
  framing->missing = rulesi_markers_of_run(j);
  framing->run.pos = j->ev->pos;
  framing->run.len = j->ev->len;
  framing->run.first = j->ev->first;
  framing->run.last = j->ev->last;
  framing->run.reason = j->ev->u.undecodable;
  framing->run.fpdu_like = j->ev->fpdu_like;
  framing->num_head = (uint8_t)j->ev->head.len;
  for (size_t i = 0; i < framing->num_head; i++) {
    framing->head[i] = j->ev->head.ptr[i];
  }
  rules_open(&rules_own_state(j)->docket, QUESTION_RUN, framing_cut(j, &place));
  framing->reported = framing->reported ||
                      (framing->markers_lost && rulesi_framing_begins(&place) != IWARP_TRISTATE_ON);
}

/* Copies the last octets of so many. */
static void framing_last(uint8_t tail[RULES_TAIL], const uint8_t *octets, size_t len) {
  memcpy(tail, octets + len - RULES_TAIL, RULES_TAIL);
}

static void framing_tail(struct rules_framing *framing, iwarp_span wire, bool complete) {
  framing->num_tail = 0;
  if (complete && wire.len >= RULES_TAIL) {
    framing->num_tail = RULES_TAIL;
    framing_last(framing->tail, wire.ptr, wire.len);
  }
}

static void framing_keep(struct rules_framing *framing, const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  framing_tail(framing, f->fpdu.wire, f->complete);
  framing->proven = f->crc == IWARP_CRC_GOOD;
  framing->wrong = f->crc == IWARP_CRC_BAD && f->sync == IWARP_SYNC_STARTUP;
  if (framing->wrong) {
    framing->crc = iwarp_crc32c(0, f->fpdu.wire.ptr, f->fpdu.wire.len);
  }
  framing->holds_fpdus = j->facts.diagnosis == DIAGNOSIS_HOLDS_FPDUS;
  framing->pad = (uint8_t)f->fpdu.layout.pad;
  framing->pos = j->ev->pos;
  framing->offset = f->offset;
  framing->first = j->ev->first;
  framing->last = j->ev->last;
}

void rulesi_framing_leave_fpdu(struct rules_framing *framing,
                               const iwarp_observer_fpdu *restrict f) {
  framing_tail(framing, f->wire, true);
  framing->extra = false;
  framing->markers_lost = false;
  framing->proven = true;
  framing->wrong = false;
  framing->pad = (uint8_t)f->pad;
  framing->pos = f->pos;
  framing->offset = f->offset;
  framing->first = f->meta;
  framing->last = f->meta;
}

void rulesi_framing_leave(struct rules_ctx *j) {
  struct rules_framing *framing = &rules_own_state(j)->framing;
  if (j->ev->kind == IWARP_EVENT_FPDU) {
    framing_keep(framing, j);
    framing->extra = rulesi_markers_stand_unasked(j);
    framing->markers_lost = rulesi_markers_stray(j);
  } else if (j->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    framing->pos = j->ev->pos;
    framing->offset = IWARP_POS_UNKNOWN;
    framing->first = j->ev->first;
    framing->last = j->ev->last;
  }
}
