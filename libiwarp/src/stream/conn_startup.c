/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames seen by a connection engine, and what they settle. RFC 5044 7.1, RFC 6581 6. */
#include <string.h>

#include "../base/span.h"
#include "conn_priv.h"

/* Whether `octets` may be the beginning of a startup key. */
bool iwarpi_conn_key_possible(iwarp_span octets) {
  const iwarp_span n = span_first(octets, IWARP_MPA_KEY_LEN);
  return n.len == 0 || memcmp(n.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), n.len) == 0 ||
         memcmp(n.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), n.len) == 0;
}

/* The octets of a startup frame are collected where the receive engine will work later. */
uint8_t *iwarpi_conn_frame(iwarp_conn *conn, uint8_t side) { return conn->rx[side].buf; }

_Static_assert(RX_BUF_LEN >= IWARP_MPA_STARTUP_LEN + 65535u, "any PD_Length fits");

/* Octets that the frame wants in all, as far as `have` of them tell. */
size_t iwarpi_conn_frame_want(const uint8_t *frame, size_t have) {
  const iwarp_span octets = {frame, have};
  if (have < IWARP_MPA_STARTUP_LEN) {
    return IWARP_MPA_STARTUP_LEN;
  }
  return IWARP_MPA_STARTUP_LEN + (size_t)span_be16(octets, 18);
}

static void startup_decode(iwarp_ev_startup *out, iwarp_span octets, iwarp_role peer_role) {
  iwarp_span header = span_first(octets, IWARP_MPA_STARTUP_LEN);
  iwarp_mpa_startup *f = &out->frame;
  memset(out, 0, sizeof(*out));
  memcpy(f->key, header.ptr, IWARP_MPA_KEY_LEN);
  f->flags = header.ptr[16];
  f->rev = header.ptr[17];
  f->pd_length = span_be16(header, 18);
  f->private_data = span_from(octets, IWARP_MPA_STARTUP_LEN);
  out->key = iwarp_mpa_key_classify(octets);
  out->is_reply = out->key == IWARP_MPA_KEY_REPLY ||
                  (out->key == IWARP_MPA_KEY_UNKNOWN && peer_role == IWARP_ROLE_INITIATOR);
  out->err = f->private_data.len < f->pd_length ? IWARP_ERR_MPA_PD_LENGTH : IWARP_OK;
  out->enhanced = iwarp_mpa_startup_is_enhanced(f) &&
                  iwarp_mpa_enhanced_decode(&out->enh, f->private_data).err == IWARP_OK;
  out->ulp_data = out->enhanced ? span_from(f->private_data, IWARP_MPA_ENHANCED_LEN) : f->private_data;
}

/* The first sender of a Request is the initiator; a Reply tells too. */
static void startup_roles(iwarp_conn_info *info, uint8_t side, bool is_reply) {
  iwarp_conn_side *own = &info->side[side];
  iwarp_conn_side *peer = &info->side[1u - side];
  if (own->role != IWARP_ROLE_UNKNOWN) {
    return;
  }
  own->role = is_reply ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR;
  peer->role = is_reply ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER;
}

/* Learns the roles from the key of a frame of which not more than that is there. */
void iwarpi_conn_learn_key(iwarp_conn *conn, uint8_t side) {
  const iwarp_span octets = {iwarpi_conn_frame(conn, side), conn->stream[side].num_frame};
  const iwarp_mpa_key key = iwarp_mpa_key_classify(octets);
  if (key != IWARP_MPA_KEY_UNKNOWN) {
    startup_roles(&conn->info, side, key == IWARP_MPA_KEY_REPLY);
  }
}

/* What both frames, or the caller, settle. RFC 5044 7.1.1: M binds the opposite direction, C both. */
void iwarpi_conn_settle(iwarp_conn *conn) {
  iwarp_conn_info *info = &conn->info;
  const iwarp_conn_side *a = &info->side[0];
  const iwarp_conn_side *b = &info->side[1];
  const bool wanted = (a->has_startup && (a->flags & IWARP_MPA_FLAG_C) != 0) ||
                      (b->has_startup && (b->flags & IWARP_MPA_FLAG_C) != 0);
  for (uint8_t s = 0; s < 2; s++) {
    iwarp_conn_side *own = &info->side[s];
    const iwarp_conn_side *peer = &info->side[1u - s];
    if (peer->has_startup && conn->stream[s].phase != CONN_FULL) {
      own->markers = (peer->flags & IWARP_MPA_FLAG_M) != 0 ? IWARP_TRI_ON : IWARP_TRI_OFF;
      own->markers_by = IWARP_SETTLED_NEGOTIATED;
    } else if (own->markers_by == IWARP_SETTLED_NOT && conn->cfg.markers != IWARP_TRI_UNKNOWN) {
      own->markers = conn->cfg.markers;
      own->markers_by = IWARP_SETTLED_GIVEN;
    }
  }
  if (wanted || (a->has_startup && b->has_startup)) {
    info->crc = wanted ? IWARP_TRI_ON : IWARP_TRI_OFF;
    info->crc_by = IWARP_SETTLED_NEGOTIATED;
  } else if (info->crc_by == IWARP_SETTLED_NOT && conn->cfg.crc != IWARP_TRI_UNKNOWN) {
    info->crc = conn->cfg.crc;
    info->crc_by = IWARP_SETTLED_GIVEN;
  }
  for (uint8_t s = 0; s < 2; s++) {
    if (conn->stream[s].phase == CONN_FULL && info->crc_by == IWARP_SETTLED_NEGOTIATED) {
      iwarp_rx_set_crc(conn->stream[s].rx, info->crc);
    }
  }
}

/* Reports the startup frame collected for `side` (at least its fixed part) and learns from it. */
void iwarpi_conn_startup_event(iwarp_conn *conn, uint8_t side, iwarp_event *ev) {
  conn_stream *st = &conn->stream[side];
  iwarp_conn_side *own = &conn->info.side[side];
  iwarp_ev_startup *s = &ev->u.startup;
  const iwarp_span octets = {iwarpi_conn_frame(conn, side), st->num_frame};
  memset(ev, 0, sizeof(*ev));
  ev->kind = IWARP_EVENT_STARTUP;
  ev->side = side;
  ev->first = st->first;
  ev->last = st->last;
  startup_decode(s, octets, conn->info.side[1u - side].role);
  ev->pos = st->pos - st->num_frame;
  ev->len = st->num_frame;
  startup_roles(&conn->info, side, s->is_reply);
  own->has_startup = true;
  own->key = s->key;
  own->is_reply = s->is_reply;
  own->flags = s->frame.flags;
  own->rev = s->frame.rev;
  own->pd_length = s->frame.pd_length;
  own->enhanced = s->enhanced;
  own->enh = s->enh;
  own->startup_pos = ev->pos;
  own->startup_end = ev->pos + iwarpi_conn_frame_want(octets.ptr, octets.len);
  own->full_pos = own->startup_end;
  conn->info.rejected = conn->info.rejected || (s->key == IWARP_MPA_KEY_REPLY &&
                                                (s->frame.flags & IWARP_MPA_FLAG_R) != 0);
  iwarpi_conn_settle(conn);
}
