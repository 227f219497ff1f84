/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what is known of each frame, by its record, as long as the capture file is open. */
#include "frames.h"

static frame_rec **frames; /* by record */
static guint32 frames_cap;

frame_rec *frames_get(guint32 frame) {
  return frame < frames_cap ? frames[frame] : NULL;
}

static void frames_grow(guint32 frame) {
  const guint32 cap = MAX(frame + 1, frames_cap * 2);
  frames = g_renew(frame_rec *, frames, cap);
  memset(frames + frames_cap, 0, (cap - frames_cap) * sizeof *frames);
  frames_cap = cap;
}

frame_rec *frames_make(guint32 frame, struct conn *conn) {
  if (frame >= frames_cap) {
    frames_grow(frame);
  }
  if (frames[frame] == NULL) {
    frames[frame] = wmem_new0(wmem_file_scope(), frame_rec);
  }
  frames[frame]->conn = conn;
  return frames[frame];
}

frame_pdu *frames_add_pdu(const frame_pdu *pdu) {
  frame_rec *rec = frames_make(pdu->frame, pdu->conn);
  frame_pdu *made = wmem_new(wmem_file_scope(), frame_pdu);
  *made = *pdu;
  made->next = NULL;
  *(rec->last_pdu != NULL ? &rec->last_pdu->next : &rec->pdus) = made;
  rec->last_pdu = made;
  return made;
}

void frames_add_part(guint32 frame, const frame_pdu *pdu) {
  frame_rec *rec = frames_make(frame, pdu->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.next = rec->parts, .pdu = pdu};
  rec->parts = made;
}

void frames_add_hole(guint32 frame, frame_pdu *gap) {
  frame_rec *rec = frames_make(frame, gap->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.next = rec->holes, .pdu = gap};
  rec->holes = made;
  gap->hole = frame;
}

void frames_add_delivery(guint32 frame, const frame_pdu *pdu) {
  frame_rec *rec = frames_make(frame, pdu->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.pdu = pdu};
  *(rec->last_delivery != NULL ? &rec->last_delivery->next : &rec->deliveries) = made;
  rec->last_delivery = made;
  rec->upper = true;
}

frame_finding *frames_add_finding(guint32 frame, struct conn *conn, const iwarp_finding *finding) {
  frame_rec *rec = frames_make(frame, conn);
  frame_finding *made = wmem_new(wmem_file_scope(), frame_finding);
  *made = (frame_finding){.finding = *finding,
                          .pdu = frames_find_pdu(frame, conn, finding->side, finding->pos)};
  *(rec->last_finding != NULL ? &rec->last_finding->next : &rec->findings) = made;
  rec->last_finding = made;
  return made;
}

void frames_add_diagnosis(guint32 frame, struct conn *conn, guint id, const char *text) {
  frame_rec *rec = frames_make(frame, conn);
  frame_diagnosis *made = wmem_new(wmem_file_scope(), frame_diagnosis);
  *made = (frame_diagnosis){.id = id, .text = text};
  *(rec->last_diagnosis != NULL ? &rec->last_diagnosis->next : &rec->diagnoses) = made;
  rec->last_diagnosis = made;
}

void frames_add_late(guint32 now, struct conn *conn, guint32 frame, int rule) {
  frame_rec *rec = frames_make(now, conn);
  if (rule < 0 && rec->last_late != NULL && rec->last_late->frame == frame &&
      rec->last_late->rule < 0) {
    return; /* once for all PDUs of the frame */
  }
  frame_late *made = wmem_new(wmem_file_scope(), frame_late);
  *made = (frame_late){.frame = frame, .rule = rule};
  *(rec->last_late != NULL ? &rec->last_late->next : &rec->lates) = made;
  rec->last_late = made;
}

const frame_pdu *frames_find_pdu(guint32 frame, const struct conn *conn, guint8 side, guint64 pos) {
  const frame_rec *rec = frames_get(frame);
  for (const frame_pdu *p = rec != NULL ? rec->pdus : NULL; p != NULL; p = p->next) {
    const guint64 begin = p->pos + (p->kind == FRAME_PDU_FPDU ? p->layout.lead : 0);
    if (p->conn == conn && p->side == side && begin == pos) {
      return p;
    }
  }
  return NULL;
}

void frames_forget(void) {
  g_free(frames);
  frames = NULL;
  frames_cap = 0;
}
