/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what is known of each frame, by its record, as long as the capture file is open. */
#include "frames.h"

static frame_rec **frames; /* by record */
static guint32 frames_cap;
static frame_rest frames_no_rest; /* of all frames that have none; stays empty */

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
    frames[frame]->rest = &frames_no_rest;
  }
  frames[frame]->conn = conn;
  return frames[frame];
}

frame_rest *frames_rest(guint32 frame, struct conn *conn) {
  frame_rec *rec = frames_make(frame, conn);
  if (rec->rest == &frames_no_rest) {
    rec->rest = wmem_new0(wmem_file_scope(), frame_rest);
  }
  return rec->rest;
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
  frame_rest *rest = frames_rest(frame, pdu->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.next = rest->parts, .pdu = pdu};
  rest->parts = made;
}

void frames_add_hole(guint32 frame, frame_pdu *gap) {
  frame_rest *rest = frames_rest(frame, gap->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.next = rest->holes, .pdu = gap};
  rest->holes = made;
  gap->hole = frame;
}

void frames_add_delivery(guint32 frame, const frame_pdu *pdu) {
  frame_rest *rest = frames_rest(frame, pdu->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.pdu = pdu};
  *(rest->last_delivery != NULL ? &rest->last_delivery->next : &rest->deliveries) = made;
  rest->last_delivery = made;
  frames_make(frame, pdu->conn)->upper = true;
}

frame_finding *frames_add_finding(guint32 frame, struct conn *conn, const iwarp_finding *finding) {
  frame_rest *rest = frames_rest(frame, conn);
  frame_finding *made = wmem_new(wmem_file_scope(), frame_finding);
  *made = (frame_finding){.finding = *finding,
                          .pdu = frames_find_pdu(frame, conn, finding->side, finding->pos)};
  *(rest->last_finding != NULL ? &rest->last_finding->next : &rest->findings) = made;
  rest->last_finding = made;
  return made;
}

void frames_add_note(guint32 frame, struct conn *conn, struct expert_field *field,
                     const char *text) {
  frame_rest *rest = frames_rest(frame, conn);
  frame_note *made = wmem_new(wmem_file_scope(), frame_note);
  *made = (frame_note){.field = field, .text = text};
  *(rest->last_note != NULL ? &rest->last_note->next : &rest->notes) = made;
  rest->last_note = made;
}

void frames_add_late(guint32 now, struct conn *conn, guint32 frame, int rule) {
  frame_rest *rest = frames_rest(now, conn);
  if (rule < 0 && rest->last_late != NULL && rest->last_late->frame == frame &&
      rest->last_late->rule < 0) {
    return; /* once for all PDUs of the frame */
  }
  frame_late *made = wmem_new(wmem_file_scope(), frame_late);
  *made = (frame_late){.frame = frame, .rule = rule};
  *(rest->last_late != NULL ? &rest->last_late->next : &rest->lates) = made;
  rest->last_late = made;
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

guint32 frames_end(void) {
  return frames_cap;
}

void frames_forget(void) {
  g_free(frames);
  frames = NULL;
  frames_cap = 0;
}
