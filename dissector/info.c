/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs in a few words, in Wireshark's manner. */
#include "info.h"

#include <iwarp/sctp.h>
#include <report/names.h>

#include "conns.h"
#include "fields.h"
#include "line.h"
#include "records.h"
#include "show_words.h"

#define INFO_IN_FULL 3u /* PDUs of a frame that are described one by one */
#define INFO_RUNS 8u    /* runs of like PDUs of a frame with more */

/* ---- startup frames ---- */

static void info_startup(out_buf *out, const frame_pdu *pdu, iwarp_span octets) {
  iwarp_mpa_startup v = {.rev = 0};
  out_str(out, pdu->reply ? "MPA Reply" : "MPA Request");
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
  line_uint(out, " Rev=", v.rev);
  static const char letters[] = "MCRS";
  const char *separator = " ";
  for (unsigned int i = 0; letters[i] != 0; i++) {
    if ((v.flags & (IWARP_MPA_FLAG_M >> i)) != 0) {
      out_str(out, separator);
      out_char(out, letters[i]);
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

/* The likely error comes first: it is what helps. Both readings may name the same error: then only
 * the flags are in the bit order of the sender. */
static void info_terminate(out_buf *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_term *term = &d->seg.u.term;
  const char *likely = info_likely(pool, d->pdu, &d->seg);
  const char *sent = words_terminate(pool, term->layer, term->etype, term->code);
  if (likely != NULL && strcmp(likely, sent) != 0) {
    out_str(out, " (likely ");
    out_str(out, likely);
    out_str(out, "; as sent ");
  } else {
    out_str(out, " (");
  }
  out_str(out, sent);
  out_char(out, ')');
}

static void info_message(out_buf *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_seg *seg = &d->seg;
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    line_uint(out, " Size=", seg->u.read_req.size);
    line_stag(out, " Source=", seg->u.read_req.source_stag);
    break;
  case IWARP_RDMAP_KIND_TERM: info_terminate(out, pool, d); break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    line_uint(out, " Id=", seg->u.atomic_req.request_id);
    line_stag(out, " STag=", seg->u.atomic_req.stag);
    break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: line_uint(out, " Id=", seg->u.atomic_resp.request_id); break;
  case IWARP_RDMAP_KIND_IMMEDIATE:
  case IWARP_RDMAP_KIND_NONE: break;
  }
}

static void info_segment(out_buf *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const iwarp_rdmap_seg *seg = &d->seg;
  if (!seg->has_ddp) {
    out_str(out, "FPDU with an incomplete DDP header");
    return;
  }
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  out_str(out, op->label);
  if (!op->assigned) {
    line_uint(out, " opcode ", seg->ctrl.opcode);
  }
  out_str(out, ddp->last ? " [last]" : "");
  if (ddp->tagged) {
    line_stag(out, " STag=", ddp->stag);
    line_to(out, " TO=", ddp->to);
  } else {
    line_uint(out, " QN=", ddp->qn);
    line_uint(out, " MSN=", ddp->msn);
    line_uint(out, " MO=", ddp->mo);
  }
  if (op->invalidates) {
    line_stag(out, " Invalidate=", ddp->rsvdulp_word);
  }
  line_uint(out, " Len=", seg->payload_len);
  info_message(out, pool, d);
}

/* ---- all kinds ---- */

static void info_sctp_init(out_buf *out, const frame_pdu *pdu, iwarp_span octets) {
  iwarp_sctp_adaptation v = {0};
  (void)iwarp_sctp_adaptation_decode(&v, octets);
  out_str(out, pdu->reply ? "INIT ACK" : "INIT");
  line_stag(out, ": Adaptation Layer Indication ", v.indication);
  out_str(out, v.indication == IWARP_SCTP_ADAPTATION_DDP ? " (DDP)" : "");
}

static void info_sctp_control(out_buf *out, iwarp_span octets) {
  iwarp_sctp_control v;
  const bool whole = iwarp_sctp_control_decode(&v, octets).err == IWARP_OK;
  const iwarp_sctp_function_info *info = whole ? iwarp_sctp_function_get(v.function) : NULL;
  out_str(out, info != NULL ? info->label : "DDP Stream Session Control");
}

const char *info_undecodable(const frame_pdu *pdu) {
  return pdu->conn->sctp ? "not a message of a session"
                         : report_undec_name((iwarp_undec_reason)pdu->reason);
}

const char *info_head(const frame_pdu *pdu) {
  return pdu->kind == FRAME_PDU_FPDU           ? "FPDU: "
         : pdu->kind == FRAME_PDU_SCTP_SEGMENT ? "DDP Segment Chunk: "
                                               : "";
}

static void info_put(out_buf *out, wmem_allocator_t *pool, const pdu_decoded *d) {
  const frame_pdu *pdu = d->pdu;
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP: info_startup(out, pdu, d->octets); break;
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT: info_segment(out, pool, d); break;
  case FRAME_PDU_SCTP_INIT: info_sctp_init(out, pdu, d->octets); break;
  case FRAME_PDU_SCTP_CONTROL: info_sctp_control(out, d->octets); break;
  case FRAME_PDU_GAP:
    line_uint(out, "", frames_pdu_len(pdu));
    out_str(out, pdu->conn->sctp ? " messages not captured" : " octets not captured");
    break;
  case FRAME_PDU_UNDECODABLE:
    line_uint(out, "", frames_pdu_len(pdu));
    out_str(out, " octets undecodable: ");
    out_str(out, info_undecodable(pdu));
    break;
  }
  if (pdu->crc == IWARP_CRC_BAD) {
    out_str(out, " [CRC wrong]");
  }
}

const char *info_pdu(wmem_allocator_t *pool, const char *head, const pdu_decoded *d) {
  out_buf *out = line_begin();
  out_str(out, head);
  info_put(out, pool, d);
  return line_end(out);
}

static const char *info_part_of(const frame_pdu *pdu) {
  static const char *const names[] = {
      [FRAME_PDU_STARTUP] = "an MPA Request",
      [FRAME_PDU_FPDU] = "an FPDU",
      [FRAME_PDU_GAP] = "octets not captured",
      [FRAME_PDU_UNDECODABLE] = "undecodable octets",
      [FRAME_PDU_SCTP_INIT] = "an SCTP INIT",
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
             : wmem_strdup_printf(pool, "Part of %s completed in frame %u", of, frame);
}

/* A frame that completes nothing. What its octets are is not known before others come. */
static void info_parts(packet_info *pinfo, const frame_rec *rec) {
  col_add_str(pinfo->cinfo, COL_INFO,
              rec->rest->parts != NULL ? info_part(pinfo->pool, rec->rest->parts->pdu)
                                       : "Part of an incomplete iWARP PDU");
}

/* ---- frames ---- */

static const char *info_name(const pdu_decoded *d) {
  const bool segment = d->has_seg && d->seg.has_ddp;
  switch ((frame_pdu_kind)d->pdu->kind) {
  case FRAME_PDU_STARTUP: return d->pdu->reply ? "MPA Reply" : "MPA Request";
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT:
    return segment ? iwarp_rdmap_op_get(d->seg.ctrl.opcode)->label : "incomplete DDP header";
  case FRAME_PDU_GAP: return "octets not captured";
  case FRAME_PDU_UNDECODABLE: return "undecodable octets";
  case FRAME_PDU_SCTP_INIT: return "Adaptation Layer Indication";
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
static void info_put_run(out_buf *out, const pdu_decoded *pdus, guint run) {
  const iwarp_ddp_hdr *first = &pdus[0].seg.ddp;
  out_str(out, info_name(pdus));
  line_uint(out, " x ", run);
  if (!pdus[0].has_seg || !pdus[0].seg.has_ddp) {
    return;
  }
  if (first->tagged) {
    line_stag(out, ", ", first->stag);
  } else {
    line_uint(out, ", MSN ", first->msn);
    line_uint(out, " to ", pdus[run - 1].seg.ddp.msn);
  }
  out_str(out, pdus[0].pdu->crc == IWARP_CRC_BAD ? " [CRC wrong]" : "");
}

/* All PDUs of a frame: `in_full`, each on its own; else like ones together. `known`: GAPs are named
 * in the frames that follow their holes. */
static const char *info_list(wmem_allocator_t *pool, const pdu_decoded *pdus, guint num,
                             bool in_full, bool known) {
  out_buf *out = line_begin();
  guint runs = 0;
  for (guint i = 0, run = 0; i < num; i += run) {
    run = in_full ? 1 : info_run(&pdus[i], num - i);
    if (known && pdus[i].pdu->rest->hole != 0) {
      run = 1;
      continue;
    }
    out_str(out, runs > 0 ? "; " : "");
    if (runs++ == INFO_RUNS) {
      line_uint(out, "", num - i);
      out_str(out, " more");
      break;
    }
    if (run > 1) {
      info_put_run(out, &pdus[i], run);
    } else {
      info_put(out, pool, &pdus[i]);
    }
  }
  return line_end(out);
}

const char *info_brief(wmem_allocator_t *pool, const pdu_decoded *pdus, guint num) {
  if (num > 1) {
    return info_list(pool, pdus, num, false, false);
  }
  if (num == 1) {
    return pdus->pdu->kind == FRAME_PDU_SCTP_CONTROL ? info_pdu(pool, "", pdus) : info_name(pdus);
  }
  return "part of a PDU";
}

/* Returns true if the frame carries iWARP: an INIT remains SCTP's. */
static bool info_carried(const frame_rec *rec, const pdu_decoded *pdus, guint num) {
  return rec->conn != NULL || (num > 0 && pdus[0].pdu->kind != FRAME_PDU_SCTP_INIT);
}

void info_show(packet_info *pinfo, const frame_rec *rec, const pdu_decoded *pdus, guint num) {
  if (pinfo->cinfo == NULL || !info_carried(rec, pdus, num)) {
    return;
  }
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
  if (num == 0) {
    info_parts(pinfo, rec);
    return;
  }
  col_clear(pinfo->cinfo, COL_INFO); /* the text of TCP stays before this column */
  for (const frame_part *p = PINFO_FD_VISITED(pinfo) ? rec->rest->holes : NULL; p != NULL;
       p = p->next) {
    col_append_fstr(pinfo->cinfo, COL_INFO, "[%" G_GUINT64_FORMAT " octets missing before] ",
                    frames_pdu_len(p->pdu));
  }
  const char *list =
      info_list(pinfo->pool, pdus, num, num <= INFO_IN_FULL, PINFO_FD_VISITED(pinfo));
  col_append_str(pinfo->cinfo, COL_INFO, list[0] != 0 ? list : info_pdu(pinfo->pool, "", &pdus[0]));
}
