/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts Sends together by (QN, MSN, MO) and follows tagged messages to their last segment.
 *
 * The segments of a message come in the order of its octets; one that does not begin where the last
 * one ended says that a segment is missing, and the message is not handed to any dissector.
 */
#include "messages.h"

#include <iwarp/sctp.h>

#include "fields.h"
#include "records.h"

#define MESSAGES_LISTED 64u /* segments; a longer message is listed in its first and last frame */

static iwarp_rdmap_class messages_class(const iwarp_rdmap_seg *seg) {
  return iwarp_rdmap_op_get(seg->ctrl.opcode)->cls;
}

bool messages_is_send(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && !seg->ddp.tagged && seg->ddp.qn == IWARP_RDMAP_QN_SEND &&
         messages_class(seg) == IWARP_RDMAP_CLASS_SEND;
}

/* Tagged segments whose octets are placed into a region. */
static bool messages_is_tagged(const iwarp_rdmap_seg *seg) {
  if (!seg->has_ddp || !seg->ddp.tagged) {
    return false;
  }
  switch (messages_class(seg)) {
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_READ_RESP: return true;
  case IWARP_RDMAP_CLASS_READ_REQ: /* these have the T flag where something is wrong */
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP:
  case IWARP_RDMAP_CLASS_NONE: break;
  }
  return false;
}

bool messages_for_upper(const iwarp_rdmap_seg *seg) {
  const bool read = seg->kind == IWARP_RDMAP_KIND_READ_REQ;
  const bool placed = messages_is_tagged(seg) && seg->payload_len > 0;
  return read || placed || messages_is_send(seg);
}

static message *messages_new(const frame_pdu *pdu) {
  message *m = wmem_new0(wmem_file_scope(), message);
  m->first_frame = frames_pdu_first(pdu);
  m->segments = wmem_array_new(wmem_file_scope(), sizeof(guint32));
  return m;
}

static void messages_take(message *m, frame_pdu *pdu) {
  pdu->message = m;
  wmem_array_append_one(m->segments, pdu->frame);
}

/* ---- payload ---- */

static guint8 *messages_room(message *m, gsize more) {
  if (m->length + more > m->cap) {
    m->cap = MAX(m->length + more, 2 * m->cap);
    m->octets = wmem_realloc(wmem_file_scope(), m->octets, m->cap);
  }
  return m->octets + m->length;
}

/* Copies the payload of a segment; returns its octets, fewer where the capture holds fewer. */
static gsize messages_copy(message *m, const messages_octets *octets, gsize len) {
  const iwarp_event *ev = octets->ev;
  if (ev == NULL) {
    memcpy(messages_room(m, len), octets->payload.ptr, len);
    return len;
  }
  if (ev->sctp == NULL) {
    const iwarp_event_fpdu *v = &ev->u.fpdu;
    return iwarp_mpa_fpdu_ulpdu_copy(messages_room(m, len), len, &v->fpdu, IWARP_DDP_UNTAGGED_LEN);
  }
  const gsize head = IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN;
  const iwarp_span data = ev->sctp->u.message.user_data;
  const gsize there = data.len > head ? MIN(len, data.len - head) : 0;
  if (there > 0) {
    memcpy(messages_room(m, there), data.ptr + head, there);
  }
  return there;
}

/* ---- kinds ---- */

static void messages_send(messages_open *open, frame_pdu *pdu, const messages_octets *octets,
                          const iwarp_rdmap_seg *seg) {
  const gconstpointer key = GUINT_TO_POINTER(seg->ddp.msn);
  if (open->sends == NULL) {
    open->sends = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
  }
  message *m = wmem_map_lookup(open->sends, key);
  if (m == NULL && seg->ddp.last && seg->ddp.mo == 0) {
    return; /* the whole message */
  }
  if (m == NULL) {
    m = messages_new(pdu);
    wmem_map_insert(open->sends, key, m);
  }
  messages_take(m, pdu);
  m->broken = m->broken || seg->ddp.mo != m->length ||
              messages_copy(m, octets, seg->payload_len) != seg->payload_len;
  m->length = (m->broken ? seg->ddp.mo : m->length) + seg->payload_len;
  if (seg->ddp.last) {
    m->last_frame = pdu->frame;
    wmem_map_remove(open->sends, key);
  }
}

/* Returns true if a segment continues a tagged message; if the rules do not know, its STag and TO
 * decide. */
static bool messages_goes_on(const message *m, const iwarp_rdmap_seg *seg, const iwarp_link *link) {
  if (m == NULL || link->goes_on == IWARP_TRISTATE_OFF) {
    return false;
  }
  return link->goes_on == IWARP_TRISTATE_ON || (m->stag == seg->ddp.stag && m->next == seg->ddp.to);
}

static void messages_tagged(messages_open *open, frame_pdu *pdu, const iwarp_rdmap_seg *seg,
                            const iwarp_link *link) {
  message **at = &open->tagged[messages_class(seg) == IWARP_RDMAP_CLASS_READ_RESP];
  if (!messages_goes_on(*at, seg, link)) {
    *at = seg->ddp.last ? NULL : messages_new(pdu);
  }
  message *m = *at;
  if (m == NULL) {
    return; /* the whole message, or its end alone */
  }
  messages_take(m, pdu);
  m->length += seg->payload_len;
  m->stag = seg->ddp.stag;
  m->next = seg->ddp.to + seg->payload_len;
  if (seg->ddp.last) {
    m->last_frame = pdu->frame;
    *at = NULL;
  }
}

void messages_segment(messages_open *open, frame_pdu *pdu, const messages_octets *octets,
                      const iwarp_rdmap_seg *seg, const iwarp_link *link) {
  if (messages_is_send(seg)) {
    messages_send(open, pdu, octets, seg);
  } else if (messages_is_tagged(seg)) {
    messages_tagged(open, pdu, seg, link);
  }
}

void messages_lost(messages_open *open) {
  open->tagged[0] = open->tagged[1] = NULL;
}

/* ---- as it is shown ---- */

/* Segments of a message, up to a frame. */
static guint messages_num(const message *m, guint32 known) {
  guint num = wmem_array_get_count(m->segments);
  while (num > 0 && *(const guint32 *)wmem_array_index(m->segments, num - 1) > known) {
    num--;
  }
  return num;
}

static void messages_list(proto_tree *tree, const message *m, guint num) {
  for (guint i = 0; i < num; i++) {
    records_show(tree, hf_iwarp.message_segment,
                 *(const guint32 *)wmem_array_index(m->segments, i));
  }
}

void messages_show(proto_tree *tree, const frame_pdu *pdu, guint32 known, bool visible) {
  const message *m = pdu->message;
  if (m == NULL) {
    return;
  }
  const bool whole = m->last_frame != 0 && m->last_frame <= known;
  const guint num = messages_num(m, known);
  proto_item *item = proto_tree_add_item(tree, hf_iwarp.message, NULL, 0, 0, ENC_NA);
  proto_tree *sub = proto_item_add_subtree(item, ett_iwarp.message);
  proto_item_set_generated(item);
  if (visible && whole) {
    proto_item_set_text(item, "Message: %u segments, %" G_GUINT64_FORMAT " octets", num, m->length);
  } else if (visible) {
    proto_item_set_text(item, "Message: so far %u segment%s", num, num == 1 ? "" : "s");
  }
  records_show(sub, hf_iwarp.message_first, m->first_frame);
  if (whole) {
    records_show(sub, hf_iwarp.message_last, m->last_frame);
    proto_item_set_generated(
        proto_tree_add_uint64(sub, hf_iwarp.message_length, NULL, 0, 0, m->length));
  }
  if (num <= MESSAGES_LISTED || frames_pdu_first(pdu) == m->first_frame ||
      pdu->frame == m->last_frame) {
    messages_list(sub, m, num);
  }
}
