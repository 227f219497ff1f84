/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the facts of each frame, by its record, as long as the capture file is open. */
#include "frames.h"

#define FRAMES_BLOCK 64u /* records and PDUs that are taken from Wireshark at a time */

/*
 * What is kept of a frame: nothing; the connection of its octets; the last of its PDUs, which
 * belong to that connection; or a record, where there is more to keep. The low bits of the address
 * tell which.
 */
typedef uintptr_t frames_entry;

enum frames_kind { FRAMES_REC = 0, FRAMES_CONN, FRAMES_PDU, FRAMES_KINDS };

static frames_entry *frames; /* entries of the frames, by record; 0: nothing is kept */
static guint32 frames_cap;
static frame_rest frames_no_rest; /* rest of all frames without one of their own; stays empty */
static pdu_rest frames_no_pdu_rest;

/* frames_block is memory for items of one size. Wireshark's own costs 16 octets an item. */
typedef struct frames_block {
  char *at;
  guint left; /* items */
} frames_block;

static frames_block frames_recs;
static frames_block frames_pdus;

static void *frames_new(frames_block *from, gsize size) {
  if (from->left == 0) {
    from->at = wmem_alloc0(wmem_file_scope(), FRAMES_BLOCK * size);
    from->left = FRAMES_BLOCK;
  }
  void *made = from->at;
  from->at += size;
  from->left--;
  return made;
}

static enum frames_kind frames_kind_of(frames_entry entry) {
  return (enum frames_kind)(entry & 3u);
}

static void *frames_address(frames_entry entry) {
  return (void *)(entry & ~(frames_entry)3u); /* bound: an entry is an address with such bits */
}

static frames_entry frames_entry_of(enum frames_kind kind, void *address) {
  return (frames_entry)address | (frames_entry)kind;
}

static frames_entry frames_entry_at(guint32 frame) {
  return frame < frames_cap ? frames[frame] : 0;
}

static frame_rec frames_read(frames_entry entry) {
  switch (frames_kind_of(entry)) {
  case FRAMES_CONN: return (frame_rec){.conn = frames_address(entry), .rest = &frames_no_rest};
  case FRAMES_PDU: {
    frame_pdu *last = frames_address(entry);
    return (frame_rec){.conn = last->conn, .last_pdu = last, .rest = &frames_no_rest};
  }
  case FRAMES_REC:
  case FRAMES_KINDS: break;
  }
  const frame_rec *rec = frames_address(entry);
  return rec != NULL ? *rec : (frame_rec){.rest = NULL};
}

frame_rec frames_get(guint32 frame) {
  return frames_read(frames_entry_at(frame));
}

/* By an eighth: there is one for each frame of the capture. */
static void frames_grow(guint32 frame) {
  const guint32 cap = MAX(frame, frames_cap + frames_cap / 8) + FRAMES_BLOCK;
  frames = g_renew(frames_entry, frames, cap);
  memset(frames + frames_cap, 0, (cap - frames_cap) * sizeof *frames);
  frames_cap = cap;
}

static frames_entry *frames_place(guint32 frame) {
  if (frame >= frames_cap) {
    frames_grow(frame);
  }
  return &frames[frame];
}

/* The record of a frame, to be written. */
static frame_rec *frames_make(guint32 frame) {
  frames_entry *entry = frames_place(frame);
  if (*entry == 0 || frames_kind_of(*entry) != FRAMES_REC) {
    const frame_rec was = frames_read(*entry);
    frame_rec *rec = frames_new(&frames_recs, sizeof *rec);
    *rec = (frame_rec){.conn = was.conn, .last_pdu = was.last_pdu, .rest = &frames_no_rest};
    *entry = frames_entry_of(FRAMES_REC, rec);
  }
  return frames_address(*entry);
}

static frame_rest *frames_make_rest(frame_rec *rec) {
  if (rec->rest == &frames_no_rest) {
    rec->rest = wmem_new0(wmem_file_scope(), frame_rest);
  }
  return rec->rest;
}

/* The frame has to do with a connection. */
static frame_rec *frames_about(guint32 frame, struct conn *conn) {
  frame_rec *rec = frames_make(frame);
  struct conn *other = rec->conn != conn ? conn : NULL;
  if (rec->rest->conn != other) {
    frames_make_rest(rec)->conn = other;
  }
  return rec;
}

/* True if all that is kept of the frame is of the connection, and no record is needed for that. */
static bool frames_is_plain(frames_entry entry, const struct conn *conn) {
  return frames_kind_of(entry) != FRAMES_REC && frames_read(entry).conn == conn;
}

void frames_carry(guint32 frame, struct conn *conn) {
  frames_entry *entry = frames_place(frame);
  if (*entry == 0) {
    *entry = frames_entry_of(FRAMES_CONN, conn);
  } else if (!frames_is_plain(*entry, conn)) {
    frames_make(frame)->conn = conn;
    frames_about(frame, conn);
  }
}

struct conn *frames_conn(const frame_rec *rec) {
  return rec->rest->conn != NULL ? rec->rest->conn : rec->conn;
}

frame_rest *frames_rest(guint32 frame, struct conn *conn) {
  return frames_make_rest(frames_about(frame, conn));
}

pdu_rest *frames_pdu_rest(frame_pdu *pdu) {
  if (pdu->rest == &frames_no_pdu_rest) {
    pdu->rest = wmem_new0(wmem_file_scope(), pdu_rest);
  }
  return pdu->rest;
}

frame_pdu *frames_add_pdu(const frame_pdu *pdu, const pdu_rest *rest) {
  frames_entry *entry = frames_place(pdu->frame);
  frame_rec *rec = frames_is_plain(*entry, pdu->conn) ? NULL : frames_about(pdu->frame, pdu->conn);
  frame_pdu *last = rec != NULL ? rec->last_pdu : frames_read(*entry).last_pdu;
  frame_pdu *made = frames_new(&frames_pdus, sizeof *made);
  *made = *pdu;
  made->rest =
      rest == NULL ? &frames_no_pdu_rest : wmem_memdup(wmem_file_scope(), rest, sizeof *rest);
  made->next = made;
  if (last != NULL) {
    made->next = last->next;
    last->next = made;
  }
  if (rec != NULL) {
    rec->last_pdu = made;
  } else {
    *entry = frames_entry_of(FRAMES_PDU, made);
  }
  return made;
}

const frame_pdu *frames_next(const frame_rec *rec, const frame_pdu *pdu) {
  if (pdu == rec->last_pdu) {
    return NULL; /* `rec` has no PDU, or `pdu` is the last one */
  }
  return pdu != NULL ? pdu->next : rec->last_pdu->next;
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
  frames_pdu_rest(gap)->hole = frame;
}

void frames_add_delivery(guint32 frame, const frame_pdu *pdu) {
  frame_rest *rest = frames_rest(frame, pdu->conn);
  frame_part *made = wmem_new(wmem_file_scope(), frame_part);
  *made = (frame_part){.pdu = pdu};
  *(rest->last_delivery != NULL ? &rest->last_delivery->next : &rest->deliveries) = made;
  rest->last_delivery = made;
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
  const frame_rec rec = frames_get(frame);
  for (const frame_pdu *p = frames_next(&rec, NULL); p != NULL; p = frames_next(&rec, p)) {
    const guint64 begin = p->pos + (p->kind == FRAME_PDU_FPDU ? frames_pdu_layout(p).lead : 0);
    if (p->conn == conn && p->side == side && begin == pos) {
      return p;
    }
  }
  return NULL;
}

/* ---- facts derived from the records ---- */

iwarp_mpa_layout frames_pdu_layout(const frame_pdu *pdu) {
  return iwarp_mpa_layout_of((guint64)pdu->phase * 4, pdu->ulpdu_length, pdu->markers);
}

guint64 frames_pdu_len(const frame_pdu *pdu) {
  return pdu->kind == FRAME_PDU_FPDU ? frames_pdu_layout(pdu).wire_len : pdu->rest->len;
}

guint32 frames_pdu_cap(const frame_pdu *pdu) {
  return pdu->whole ? frames_pdu_layout(pdu).wire_len : pdu->rest->cap;
}

guint32 frames_pdu_first(const frame_pdu *pdu) {
  return pdu->rest->first_frame != 0 ? pdu->rest->first_frame : pdu->frame;
}

guint32 frames_end(void) {
  return frames_cap;
}

void frames_forget(void) {
  g_free(frames);
  frames = NULL;
  frames_cap = 0;
  frames_recs = frames_pdus = (frames_block){NULL, 0};
}
