/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs in a few words, in Wireshark's manner. */
#include "info.h"

#include <iwarp/sctp.h>
#include <report/names.h>

#include "conns.h"
#include "fields.h"
#include "records.h"
#include "show_words.h"

#define INFO_IN_FULL 3u /* PDUs of a frame that are described one by one */
#define INFO_RUNS 8u    /* runs of like PDUs of a frame with more */

/* ---- startup frames ---- */

static void info_startup(wmem_strbuf_t *out, const frame_pdu *pdu, iwarp_span octets) {
  iwarp_mpa_startup v = {.rev = 0};
  wmem_strbuf_append(out, pdu->reply ? "MPA Reply" : "MPA Request");
  if (octets.len < IWARP_MPA_STARTUP_LEN) {
    return;
  }
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  iwarp_pdu_startup(&it, octets);
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (part.form == IWARP_FORM_MPA_STARTUP) {
      v.flags = part.octets.ptr[IWARP_MPA_KEY_LEN];
      v.rev = part.octets.ptr[IWARP_MPA_KEY_LEN + 1];
    }
  }
  wmem_strbuf_append_printf(out, " Rev=%u", v.rev);
  static const char letters[] = "MCRS";
  const char *separator = " ";
  for (unsigned int i = 0; letters[i] != 0; i++) {
    if ((v.flags & (IWARP_MPA_FLAG_M >> i)) != 0) {
      wmem_strbuf_append_printf(out, "%s%c", separator, letters[i]);
      separator = ",";
    }
  }
}

/* ---- segments ---- */

const char *info_likely(wmem_allocator_t *pool, const frame_pdu *pdu, const iwarp_rdmap_seg *seg) {
  iwarp_rdmap_term likely;
  if (seg->kind != IWARP_RDMAP_KIND_TERM ||
      !iwarp_rdmap_term_likely(&likely, &seg->u.term, (iwarp_rdmap_term_place)pdu->term_place)) {
    return NULL;
  }
  return words_terminate(pool, likely.layer, likely.etype, likely.code);
}

/* The likely error comes first: it is what helps. */
static void info_terminate(wmem_strbuf_t *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_term *term = &d->seg.u.term;
  const char *likely = info_likely(pool, d->pdu, &d->seg);
  const char *sent = words_terminate(pool, term->layer, term->etype, term->code);
  if (likely != NULL) {
    wmem_strbuf_append_printf(out, " (likely %s; as sent %s)", likely, sent);
  } else {
    wmem_strbuf_append_printf(out, " (%s)", sent);
  }
}

static void info_message(wmem_strbuf_t *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_seg *seg = &d->seg;
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    wmem_strbuf_append_printf(out, " Size=%u Source=0x%08x", seg->u.read_req.size,
                              seg->u.read_req.source_stag);
    break;
  case IWARP_RDMAP_KIND_TERM: info_terminate(out, pool, d); break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    wmem_strbuf_append_printf(out, " Id=%u STag=0x%08x", seg->u.atomic_req.request_id,
                              seg->u.atomic_req.stag);
    break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    wmem_strbuf_append_printf(out, " Id=%u", seg->u.atomic_resp.request_id);
    break;
  case IWARP_RDMAP_KIND_IMMEDIATE:
  case IWARP_RDMAP_KIND_NONE: break;
  }
}

static void info_segment(wmem_strbuf_t *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_seg *seg = &d->seg;
  if (!seg->has_ddp) {
    wmem_strbuf_append(out, "FPDU without a whole DDP header");
    return;
  }
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  wmem_strbuf_append(out, op->label);
  if (!op->assigned) {
    wmem_strbuf_append_printf(out, " opcode %u", seg->ctrl.opcode);
  }
  wmem_strbuf_append(out, ddp->last ? " [last]" : "");
  if (ddp->tagged) {
    wmem_strbuf_append_printf(out, " STag=0x%08x TO=0x%" G_GINT64_MODIFIER "x", ddp->stag, ddp->to);
  } else {
    wmem_strbuf_append_printf(out, " QN=%u MSN=%u MO=%u", ddp->qn, ddp->msn, ddp->mo);
  }
  if (op->invalidates) {
    wmem_strbuf_append_printf(out, " Invalidate=0x%08x", ddp->rsvdulp_word);
  }
  wmem_strbuf_append_printf(out, " Len=%" G_GSIZE_MODIFIER "u", seg->payload_len);
  info_message(out, pool, d);
}

/* ---- all kinds ---- */

static void info_sctp_control(wmem_strbuf_t *out, iwarp_span octets) {
  iwarp_sctp_control v;
  const bool whole = iwarp_sctp_control_decode(&v, octets).err == IWARP_OK;
  const iwarp_sctp_function_info *info = whole ? iwarp_sctp_function_get(v.function) : NULL;
  wmem_strbuf_append(out, info != NULL ? info->label : "DDP Stream Session Control");
}

const char *info_undecodable(const frame_pdu *pdu) {
  return pdu->conn->sctp ? "no message of a session"
                         : report_undec_name((iwarp_undec_reason)pdu->reason);
}

const char *info_head(const frame_pdu *pdu) {
  return pdu->kind == FRAME_PDU_FPDU           ? "FPDU: "
         : pdu->kind == FRAME_PDU_SCTP_SEGMENT ? "DDP Segment Chunk: "
                                               : "";
}

const char *info_pdu(wmem_allocator_t *pool, const pdu_decoded *d) {
  const frame_pdu *pdu = d->pdu;
  wmem_strbuf_t *out = wmem_strbuf_new(pool, NULL);
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP: info_startup(out, pdu, d->octets); break;
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT: info_segment(out, pool, d); break;
  case FRAME_PDU_SCTP_CONTROL: info_sctp_control(out, d->octets); break;
  case FRAME_PDU_GAP:
    wmem_strbuf_append_printf(out, "%" G_GUINT64_FORMAT " %s not captured", pdu->len,
                              pdu->conn->sctp ? "messages" : "octets");
    break;
  case FRAME_PDU_UNDECODABLE:
    wmem_strbuf_append_printf(out, "%" G_GUINT64_FORMAT " octets undecodable: %s", pdu->len,
                              info_undecodable(pdu));
    break;
  }
  if (pdu->crc == IWARP_CRC_BAD) {
    wmem_strbuf_append(out, " [CRC wrong]");
  }
  return wmem_strbuf_finalize(out);
}

static const char *info_part_of(const frame_pdu *pdu) {
  static const char *const names[] = {
      [FRAME_PDU_STARTUP] = "an MPA Request",
      [FRAME_PDU_FPDU] = "an FPDU",
      [FRAME_PDU_GAP] = "octets not captured",
      [FRAME_PDU_UNDECODABLE] = "undecodable octets",
      [FRAME_PDU_SCTP_CONTROL] = "a DDP Stream Session Control message",
      [FRAME_PDU_SCTP_SEGMENT] = "a DDP Segment",
  };
  return pdu->kind == FRAME_PDU_STARTUP && pdu->reply ? "an MPA Reply" : names[pdu->kind];
}

const char *info_part(wmem_allocator_t *pool, const frame_pdu *pdu) {
  const guint32 frame = records_frame(pdu->frame);
  const char *of = info_part_of(pdu);
  if (frame == 0) { /* a read filter dropped it */
    return wmem_strdup_printf(pool, "Part of %s", of);
  }
  return pdu->kind == FRAME_PDU_UNDECODABLE
             ? wmem_strdup_printf(pool, "Part of %s up to frame %u: %s", of, frame,
                                  info_undecodable(pdu))
             : wmem_strdup_printf(pool, "Part of %s that frame %u completes", of, frame);
}

/* A frame that completes nothing. What its octets are is not known before others come. */
static void info_parts(packet_info *pinfo, const frame_rec *rec) {
  col_add_str(pinfo->cinfo, COL_INFO,
              rec->parts != NULL ? info_part(pinfo->pool, rec->parts->pdu)
                                 : "Part of an iWARP PDU that is not complete");
}

/* ---- frames ---- */

static const char *info_name(const pdu_decoded *d) {
  const bool segment = d->has_seg && d->seg.has_ddp;
  switch ((frame_pdu_kind)d->pdu->kind) {
  case FRAME_PDU_STARTUP: return d->pdu->reply ? "MPA Reply" : "MPA Request";
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT:
    return segment ? iwarp_rdmap_op_get(d->seg.ctrl.opcode)->label : "no whole DDP header";
  case FRAME_PDU_GAP: return "octets not captured";
  case FRAME_PDU_UNDECODABLE: return "undecodable octets";
  case FRAME_PDU_SCTP_CONTROL: break;
  }
  return "DDP Stream Session Control";
}

/* Messages of one kind, and of one STag. */
static bool info_alike(const pdu_decoded *a, const pdu_decoded *b) {
  if (info_name(a) != info_name(b) ||
      (a->pdu->crc == IWARP_CRC_BAD) != (b->pdu->crc == IWARP_CRC_BAD)) {
    return false;
  }
  const bool tagged = a->has_seg && a->seg.has_ddp && a->seg.ddp.tagged;
  return !tagged || (b->seg.ddp.tagged && a->seg.ddp.stag == b->seg.ddp.stag);
}

static guint info_run(const pdu_decoded *pdus, guint num) {
  guint run = 1;
  while (run < num && info_alike(&pdus[0], &pdus[run])) {
    run++;
  }
  return run;
}

/* A run of like PDUs: "RDMA Write x 2500, 0xfd8dcf00". */
static void info_put_run(wmem_strbuf_t *out, const pdu_decoded *pdus, guint run) {
  const iwarp_ddp_hdr *first = &pdus[0].seg.ddp;
  wmem_strbuf_append_printf(out, "%s x %u", info_name(pdus), run);
  if (!pdus[0].has_seg || !pdus[0].seg.has_ddp) {
    return;
  }
  if (first->tagged) {
    wmem_strbuf_append_printf(out, ", 0x%08x", first->stag);
  } else {
    wmem_strbuf_append_printf(out, ", MSN %u to %u", first->msn, pdus[run - 1].seg.ddp.msn);
  }
  wmem_strbuf_append(out, pdus[0].pdu->crc == IWARP_CRC_BAD ? " [CRC wrong]" : "");
}

/* All PDUs of a frame: `in_full`, each on its own; else like ones together. `known`: GAPs are named
 * in the frames that follow their holes. */
static const char *info_list(wmem_allocator_t *pool, const pdu_decoded *pdus, guint num,
                             bool in_full, bool known) {
  wmem_strbuf_t *out = wmem_strbuf_new(pool, NULL);
  guint runs = 0;
  for (guint i = 0, run = 0; i < num; i += run) {
    run = in_full ? 1 : info_run(&pdus[i], num - i);
    if (known && pdus[i].pdu->hole != 0) {
      run = 1;
      continue;
    }
    wmem_strbuf_append(out, runs > 0 ? "; " : "");
    if (runs++ == INFO_RUNS) {
      wmem_strbuf_append_printf(out, "%u more", num - i);
      break;
    }
    if (run > 1) {
      info_put_run(out, &pdus[i], run);
    } else {
      wmem_strbuf_append(out, info_pdu(pool, &pdus[i]));
    }
  }
  return wmem_strbuf_finalize(out);
}

const char *info_brief(wmem_allocator_t *pool, const pdu_decoded *pdus, guint num) {
  if (num > 1) {
    return info_list(pool, pdus, num, false, false);
  }
  if (num == 1) {
    return pdus->pdu->kind == FRAME_PDU_SCTP_CONTROL ? info_pdu(pool, pdus) : info_name(pdus);
  }
  return "part of a PDU";
}

void info_show(packet_info *pinfo, const frame_rec *rec, const pdu_decoded *pdus, guint num) {
  if (pinfo->cinfo == NULL || !rec->carries) {
    return;
  }
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
  if (num == 0) {
    info_parts(pinfo, rec);
    return;
  }
  col_clear(pinfo->cinfo, COL_INFO); /* what TCP found stays before it */
  for (const frame_part *p = PINFO_FD_VISITED(pinfo) ? rec->holes : NULL; p != NULL; p = p->next) {
    col_append_fstr(pinfo->cinfo, COL_INFO, "[%" G_GUINT64_FORMAT " octets missing before] ",
                    p->pdu->len);
  }
  const char *list =
      info_list(pinfo->pool, pdus, num, num <= INFO_IN_FULL, PINFO_FD_VISITED(pinfo));
  col_append_str(pinfo->cinfo, COL_INFO, list[0] != 0 ? list : info_pdu(pinfo->pool, &pdus[0]));
}
