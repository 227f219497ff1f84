/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs in a few words, in Wireshark's manner. */
#include "info.h"

#include <iwarp/sctp.h>
#include <report/names.h>

#include "conns.h"
#include "fields.h"
#include "pdu_octets.h"
#include "records.h"

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

static void info_message(wmem_strbuf_t *out, const iwarp_rdmap_seg *seg) {
  const char *name;
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    wmem_strbuf_append_printf(out, " Size=%u Source=0x%08x", seg->u.read_req.size,
                              seg->u.read_req.source_stag);
    break;
  case IWARP_RDMAP_KIND_TERM:
    name = iwarp_rdmap_term_code_name(seg->u.term.layer, seg->u.term.etype, seg->u.term.code);
    wmem_strbuf_append_printf(out, " (%s)", iwarp_name_known(name) ? name : "unassigned code");
    break;
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

static void info_segment(wmem_strbuf_t *out, const iwarp_rdmap_seg *seg) {
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
  info_message(out, seg);
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

const char *info_pdu(wmem_allocator_t *pool, const frame_pdu *pdu, iwarp_span octets) {
  wmem_strbuf_t *out = wmem_strbuf_new(pool, NULL);
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  iwarp_rdmap_seg seg;
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP: info_startup(out, pdu, octets); break;
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT:
    pdu_segment(&seg, head, pdu, octets);
    info_segment(out, &seg);
    break;
  case FRAME_PDU_SCTP_CONTROL: info_sctp_control(out, octets); break;
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

void info_show(tvbuff_t *frame, packet_info *pinfo, const frame_rec *rec) {
  if (pinfo->cinfo == NULL || !rec->carries) {
    return;
  }
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
  if (rec->pdus == NULL) {
    info_parts(pinfo, rec);
    return;
  }
  col_clear(pinfo->cinfo, COL_INFO); /* what TCP found stays before it */
  const char *separator = "";
  for (const frame_pdu *p = rec->pdus; p != NULL; p = p->next) {
    col_append_str(pinfo->cinfo, COL_INFO, separator);
    col_append_str(pinfo->cinfo, COL_INFO, info_pdu(pinfo->pool, p, pdu_octets(p, frame)));
    separator = "; ";
  }
}
