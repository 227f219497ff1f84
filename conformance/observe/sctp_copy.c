/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages over SCTP that were captured twice with different octets. */
#include "sctp_flow.h"

/* Octets at the beginning of a DDP Segment Chunk that rules speak of; all of them unless the
 * segment has payload. */
static size_t copy_segment_len(iwarp_span head) {
  if (head.len < IWARP_SCTP_SEGMENT_LEN + 2u) {
    return SIZE_MAX;
  }
  const bool tagged = (head.ptr[IWARP_SCTP_SEGMENT_LEN] & IWARP_DDP_CTRL_T) != 0;
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(head.ptr[IWARP_SCTP_SEGMENT_LEN + 1u]);
  const size_t ddp = tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  return iwarp_rdmap_op_get(ctrl.opcode)->payload ? IWARP_SCTP_SEGMENT_LEN + ddp : SIZE_MAX;
}

/* The same of a DDP Stream Session Control message: all but its Private Data. */
static size_t copy_control_len(iwarp_span head) {
  if (head.len < IWARP_SCTP_CONTROL_LEN) {
    return SIZE_MAX;
  }
  const iwarp_sctp_function_info *info =
      iwarp_sctp_function_get((uint16_t)(head.ptr[2] << 8 | head.ptr[3]));
  if (info == NULL || !info->private_data) {
    return SIZE_MAX;
  }
  return IWARP_SCTP_CONTROL_LEN + (info->enhanced ? IWARP_SCTP_ENHANCED_LEN : 0u);
}

bool obs_sctp_copy_matters(uint32_t ppid, iwarp_span head, size_t from) {
  switch (iwarp_sctp_ppid_host(ppid)) {
  case IWARP_SCTP_PPID_SEGMENT: return from < copy_segment_len(head);
  case IWARP_SCTP_PPID_CONTROL: return from < copy_control_len(head);
  default: break;
  }
  return true;
}

/* A message was judged, and its receiver may have accepted another one. */
static void copy_came(const sctp_stream *st, const ingest_sctp_event *ev) {
  const followed *c = st->conn;
  if (c->rules != NULL) {
    iwarp_rules_differ(c->rules, c->conn.info, ev->side, ev->pos, 1, false);
  }
}

/* What follows in the association may be other than it seems: a message that was judged may be
 * another one, or belong to another stream. */
static void copy_unsettles(sctp_flow *f, const ingest_sctp_event *ev) {
  iwarp_sctp_assoc_lost(f->assoc, ev->side, IWARP_GAP_LOST);
  iwarp_certainty_lost(&f->certain, ev->side, 0);
}

void obs_sctp_differ(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  const ingest_sctp_differ *d = ev->differ;
  const sctp_stream *st = obs_sctp_find(f, d->stream);
  followed *c = st != NULL ? st->conn : NULL;
  observe_differ what = {.sctp = true,
                         .side = ev->side,
                         .first = d->first.packet,
                         .second = ev->packet,
                         .pos = ev->pos,
                         .len = ev->len,
                         .accepted = obs_copy_of(d->accepted)};
  const iwarp_span head = {d->head, d->head_len};
  const bool second = d->accepted == INGEST_COPY_SECOND && !d->late;
  obs->work += OBS_WORK_DIFFER;
  if (obs->hooks.differ != NULL) {
    obs_addr_text(what.src, &ev->addr[ev->side]);
    obs_addr_text(what.dst, &ev->addr[1 - ev->side]);
    obs->hooks.differ(obs->hooks.ctx, c != NULL ? &c->conn : NULL, &what);
  }
  const bool undecided = d->accepted != INGEST_COPY_FIRST && !second;
  const bool judged = c != NULL && d->late && undecided &&
                      (d->header || !d->begins || obs_sctp_copy_matters(d->ppid, head, d->from));
  if (judged) {
    copy_came(st, ev);
  }
  if (judged || (undecided && d->header)) {
    copy_unsettles(f, ev);
  }
  if (c != NULL && second) {
    c->conn.replaced[ev->side] = ev->packet;
  }
}
