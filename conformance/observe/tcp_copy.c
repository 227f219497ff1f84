/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of a TCP connection that were captured twice with different values. */
#include "tcp_doubt.h"

/* The FPDU at offset `at` of a second copy, and where the next one begins there. */
typedef struct copied {
  iwarp_event ev;
  size_t end;
} copied;

/* Decodes the FPDU; false where none is whole there. Markers may stand anywhere in a copy, so that
 * streams with them are not looked into. */
static bool copy_fpdu(copied *out, const followed *c, const ingest_event *in, size_t at) {
  const iwarp_span rest = {in->copy + at, in->copy_len - at};
  iwarp_event_fpdu f = {.complete = true,
                        .pad_present = true,
                        .crc_present = true,
                        .offset = IWARP_POS_UNKNOWN,
                        .sync = IWARP_SYNC_STARTUP};
  const iwarp_dec dec = iwarp_mpa_fpdu_decode(&f.fpdu, rest, 0, false);
  if (dec.err != IWARP_OK) {
    return false;
  }
  if (c->conn.info->crc == IWARP_TRISTATE_ON) {
    f.crc_computed = iwarp_mpa_fpdu_crc(&f.fpdu);
    f.crc = f.crc_computed == f.fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
  }
  iwarp_rdmap_seg_decode(&f.seg, (iwarp_span){rest.ptr + IWARP_MPA_LENGTH_LEN, f.fpdu.ulpdu_length},
                         f.fpdu.ulpdu_length);
  const iwarp_meta meta = {
      .packet = in->packet, .time_ns = in->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
  out->ev = (iwarp_event){.kind = IWARP_EVENT_FPDU,
                          .side = in->side,
                          .pos = in->copy_pos + at,
                          .len = dec.used,
                          .first = meta,
                          .last = meta,
                          .u.fpdu = f};
  out->end = at + dec.used;
  return true;
}

/* Gives the rules the FPDUs of the accepted copy that were judged by the first one and differ. */
static void copy_judge(observe *obs, followed *c, const ingest_event *in, uint64_t judged) {
  copied x = {.end = 0};
  while (x.end < in->copy_len && copy_fpdu(&x, c, in, x.end)) {
    const uint64_t end = in->copy_pos + x.end;
    if (end > in->pos && x.ev.pos < in->pos + in->len && end <= judged) {
      obs_followed_copy(obs, c, &x.ev);
    }
  }
}

/* Returns true if the octets that differ lie in FPDUs of the copy that are right as well: good
 * CRCs, and PADs of zeros. */
static bool copy_is_right(const followed *c, const ingest_event *in) {
  copied x = {.end = 0};
  bool right = c->conn.info->side[in->side].markers == IWARP_TRISTATE_OFF;
  while (right && in->copy_pos + x.end < in->pos + in->len && copy_fpdu(&x, c, in, x.end)) {
    const iwarp_mpa_fpdu *f = &x.ev.u.fpdu.fpdu;
    const bool zero = (f->pad[0] | f->pad[1] | f->pad[2]) == 0;
    right = x.ev.u.fpdu.crc == IWARP_CRC_GOOD && zero;
  }
  return right && in->copy_pos + x.end >= in->pos + in->len;
}

void obs_tcp_differ(observe *obs, tcp_flow *f, const ingest_event *in) {
  observe_differ what = {.side = in->side,
                         .first = in->first.packet,
                         .second = in->packet,
                         .pos = in->pos,
                         .len = in->len,
                         .accepted = obs_copy_of(in->accepted)};
  followed *c = f->conn;
  const uint64_t judged = f->side[in->side].next;
  obs->work += OBS_WORK_DIFFER;
  if (obs->hooks.differ != NULL) {
    obs_addr_text(what.src, &in->addr[in->side]);
    obs_addr_text(what.dst, &in->addr[1 - in->side]);
    obs->hooks.differ(obs->hooks.ctx, c != NULL ? &c->conn : NULL, &what);
  }
  const bool taken = in->accepted == INGEST_COPY_SECOND && in->pos >= judged; /* taken in place */
  if (in->accepted == INGEST_COPY_FIRST || taken ||
      in->copy_len == 0) { /* fragments: the octets follow as events, in doubt at their positions */
    return;
  }
  obs_tcp_doubt_add(obs, f, in->side, in->pos, in->pos + in->len);
  if (c == NULL || c->rules == NULL || in->pos >= judged) {
    return;
  }
  iwarp_rules_differ(c->rules, c->conn.info, in->side, in->pos, in->len, copy_is_right(c, in));
  if (in->accepted == INGEST_COPY_SECOND &&
      c->conn.info->side[in->side].markers == IWARP_TRISTATE_OFF) {
    copy_judge(obs, c, in, judged);
  }
}
