/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames seen by an observer, and what they settle. RFC 5044 7.1, RFC 6581 6. */
#include <string.h>

#include <iwarp/private_data.h>

#include "../base/span.h"
#include "state.h"

_Static_assert(RX_BUF_LEN >= IWARP_MPA_ERDMA_LEN + 65535u, "any PD_Length fits");

/* Returns true if `octets` may be the beginning of a startup key. */
bool iwarpi_observer_key_possible(iwarp_span octets) {
  const iwarp_span n = span_first(octets, IWARP_MPA_KEY_LEN);
  return memcmp(n.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), n.len) == 0 ||
         memcmp(n.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), n.len) == 0;
}

/* Octets that the frame beginning with `octets` wants in all, as far as they tell. */
size_t iwarpi_observer_frame_want(iwarp_span octets) {
  iwarp_mpa_startup head;
  return iwarp_mpa_startup_head_decode(&head, octets).err == IWARP_OK
             ? iwarp_mpa_startup_size(head.rev, head.pd_length)
             : IWARP_MPA_STARTUP_LEN;
}

/* Octets of the frame without the extension of Rev 129; 0: it may have none, or `octets` do not
 * tell. */
size_t iwarpi_observer_frame_unextended_len(iwarp_span octets) {
  iwarp_mpa_startup head;
  return iwarp_mpa_startup_head_decode(&head, octets).err == IWARP_OK &&
                 head.rev == IWARP_MPA_REV_ERDMA
             ? IWARP_MPA_STARTUP_LEN + (size_t)head.pd_length
             : 0;
}

/* Returns true if `octets` are the whole frame without the extension of Rev 129. */
bool iwarpi_observer_frame_unextended(iwarp_span octets) {
  const size_t len = iwarpi_observer_frame_unextended_len(octets);
  return len > 0 && octets.len == len;
}

static void startup_decode(iwarp_event_startup *out, iwarp_span octets, iwarp_role peer_role) {
  iwarp_mpa_startup *f = &out->frame;
  (void)iwarp_mpa_startup_head_decode(f, octets); /* the caller has seen that it is there */
  f->private_data = span_from(octets, IWARP_MPA_STARTUP_LEN);
  out->key = iwarp_mpa_key_classify(octets);
  out->is_reply = out->key == IWARP_MPA_KEY_REPLY ||
                  (out->key == IWARP_MPA_KEY_UNKNOWN && peer_role == IWARP_ROLE_INITIATOR);
  const bool unextended = iwarpi_observer_frame_unextended(octets);
  const bool cut = octets.len < iwarp_mpa_startup_size(f->rev, f->pd_length) && !unextended;
  out->err = cut ? IWARP_ERR_MPA_PD_LENGTH : IWARP_OK;
  out->enhanced = iwarp_mpa_startup_is_enhanced(f);
  out->ulp_data = f->private_data;
  if (out->enhanced) {
    (void)iwarp_mpa_enhanced_decode(&out->enh, f->private_data);
    out->ulp_data = span_from(f->private_data, IWARP_MPA_ENHANCED_LEN);
  } else if (f->rev == IWARP_MPA_REV_ERDMA && !unextended) {
    out->ulp_data = span_from(f->private_data, IWARP_ERDMA_EXT_LEN);
  }
}

/* Returns true if the Reply answers a frame with the key of a Reply, and each is at the beginning
 * of its stream. The sender of the first frame is then the Initiator, and its key is wrong. RFC
 * 5044 7.1 */
static bool startup_both_reply(const iwarp_observer_side *own, const iwarp_observer_side *peer,
                               const iwarp_event *ev) {
  const uint64_t received = ev->first.peer_pos;
  return ev->u.startup.key == IWARP_MPA_KEY_REPLY && peer->has_startup &&
         peer->key == IWARP_MPA_KEY_REPLY && own->start_known && peer->start_known &&
         ev->pos == own->start && peer->startup_pos == peer->start &&
         received != IWARP_POS_UNKNOWN && received >= peer->startup_end;
}

/* The first sender of a Request is the initiator; a Reply tells too. */
static void startup_roles(iwarp_observer_info *info, uint8_t side, iwarp_role role) {
  iwarp_observer_side *own = &info->side[side];
  iwarp_observer_side *peer = &info->side[1u - side];
  if (own->role == IWARP_ROLE_UNKNOWN) {
    own->role = role;
    peer->role = role == IWARP_ROLE_RESPONDER ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER;
  }
}

/* Learns the roles from the key of a frame of which only the key is there. */
void iwarpi_observer_learn_key(iwarp_observer *observer) {
  const iwarp_mpa_key key =
      iwarp_mpa_key_classify(iwarpi_rx_buffered(&observer->rx[observer->cur]));
  startup_roles(&observer->info, observer->cur,
                key == IWARP_MPA_KEY_REPLY ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR);
}

/*
 * Returns true if the flags of this side's startup frame are known. After a wrong key the octets of
 * the flags may mean anything.
 */
static bool startup_flags_known(const iwarp_observer_side *s) {
  return s->has_startup && s->key != IWARP_MPA_KEY_UNKNOWN;
}

static bool startup_wants_crc(const iwarp_observer_side *s) {
  return startup_flags_known(s) && (s->flags & IWARP_MPA_FLAG_C) != 0;
}

/*
 * Returns true if the Reply is from an RNIC of the RDMA Consortium, which sends Markers even where
 * the Request has M=0 (RFC 5044 C.2.5). A Reply of Rev 0 without M comes from stacks that repeat
 * the Rev of the Request; its flags count.
 */
bool iwarpi_observer_rdmac(const iwarp_observer_side *s) {
  return startup_flags_known(s) && s->is_reply && s->rev == 0 && (s->flags & IWARP_MPA_FLAG_M) != 0;
}

/* Markers in the stream that `own` sends, as the startup frames settle them. RFC 5044 7.1.1 */
static iwarp_tristate startup_markers(const iwarp_observer_side *own,
                                      const iwarp_observer_side *peer) {
  if (startup_flags_known(peer) && (peer->flags & IWARP_MPA_FLAG_M) != 0) {
    return IWARP_TRISTATE_ON;
  }
  return startup_flags_known(peer) && !iwarpi_observer_rdmac(own) ? IWARP_TRISTATE_OFF
                                                                  : IWARP_TRISTATE_UNKNOWN;
}

/* Returns true if the startup frames may still settle Markers: Full Operation has not begun, Marker
 * use is unknown, or it was inferred and no FPDU was reported. */
static bool startup_markers_open(const iwarp_observer *observer, uint8_t side) {
  const iwarp_rx *rx = &observer->rx[side];
  return observer->stream[side].phase != OBSERVER_FULL || rx->markers == IWARP_TRISTATE_UNKNOWN ||
         (rx->inferred && observer->info.side[side].num_fpdus == 0);
}

/*
 * M of a startup frame binds the opposite direction. Where FPDUs have already shown Marker use, it
 * stays as they showed it. A Reply of Rev 0 contradicts M=0 of the Request: the first octets then
 * show which of the two holds.
 */
static void startup_settle_markers(iwarp_observer *observer, uint8_t side) {
  iwarp_observer_side *own = &observer->info.side[side];
  iwarp_rx *rx = &observer->rx[side];
  const iwarp_tristate markers = startup_markers(own, &observer->info.side[1u - side]);
  const bool open = startup_markers_open(observer, side);
  if (markers != IWARP_TRISTATE_UNKNOWN && open) {
    own->markers = markers;
    own->markers_by = IWARP_KNOWN_BY_STARTUP;
    iwarpi_rx_set_markers(rx, markers);
    return;
  }
  if (iwarpi_observer_rdmac(own) && open) {
    own->markers = IWARP_TRISTATE_UNKNOWN;
    own->markers_by = IWARP_KNOWN_BY_NOTHING;
  }
  if (own->markers_by == IWARP_KNOWN_BY_NOTHING &&
      observer->cfg.markers != IWARP_TRISTATE_UNKNOWN) {
    own->markers = observer->cfg.markers;
    own->markers_by = IWARP_KNOWN_BY_CALLER;
  }
}

/* C of either startup frame binds both directions. RFC 5044 7.1.1. */
static void startup_settle_crc(iwarp_observer *observer) {
  iwarp_observer_info *info = &observer->info;
  const bool wanted = startup_wants_crc(&info->side[0]) || startup_wants_crc(&info->side[1]);
  const bool both = startup_flags_known(&info->side[0]) && startup_flags_known(&info->side[1]);
  if (wanted || both) {
    info->crc = wanted ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
    info->crc_by = IWARP_KNOWN_BY_STARTUP;
  } else if (info->crc_by == IWARP_KNOWN_BY_NOTHING &&
             observer->cfg.crc != IWARP_TRISTATE_UNKNOWN) {
    info->crc = observer->cfg.crc;
    info->crc_by = IWARP_KNOWN_BY_CALLER;
  }
}

/* Settles the terms from both frames, or from the caller. */
void iwarpi_observer_settle(iwarp_observer *observer) {
  startup_settle_crc(observer);
  for (uint8_t s = 0; s < 2; s++) {
    startup_settle_markers(observer, s);
    if (observer->info.crc_by == IWARP_KNOWN_BY_STARTUP) {
      iwarp_rx_set_crc(&observer->rx[s], observer->info.crc);
    }
  }
}

/*
 * Reports the startup frame that is in the buffer of the current side, at least its fixed part, and
 * learns from it. `want`: octets that it should have.
 */
void iwarpi_observer_startup_event(iwarp_observer *observer, iwarp_event *ev, size_t want) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  iwarp_observer_side *own = &observer->info.side[observer->cur];
  iwarp_event_startup *s = &ev->u.startup;
  const iwarp_span octets = span_first(iwarpi_rx_buffered(rx), want);
  iwarpi_rx_event(rx, ev, IWARP_EVENT_STARTUP, rx->pos, rx->eof ? octets.len : want);
  iwarpi_rx_source(rx, IWARP_MPA_STARTUP_LEN, &ev->first, &ev->head_last);
  iwarpi_rx_source(rx, octets.len, &ev->first, &ev->last);
  startup_decode(s, octets, observer->info.side[1u - observer->cur].role);
  s->snapped = octets.len < want && iwarpi_rx_ends_with_cut(rx, want);
  iwarpi_rx_lend(rx, octets.len);
  if (startup_both_reply(own, &observer->info.side[1u - observer->cur], ev)) {
    own->role = IWARP_ROLE_UNKNOWN;
  }
  startup_roles(&observer->info, observer->cur,
                s->is_reply ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR);
  own->has_startup = true;
  own->key = s->key;
  own->is_reply = s->is_reply;
  own->flags = s->frame.flags;
  own->rev = s->frame.rev;
  own->pd_length = s->frame.pd_length;
  own->enhanced = s->enhanced;
  own->enh = s->enh;
  own->startup_pos = ev->pos;
  own->startup_end = ev->pos + want;
  own->full_pos = own->startup_end;
  if (s->key == IWARP_MPA_KEY_REPLY && (s->frame.flags & IWARP_MPA_FLAG_R) != 0) {
    observer->info.rejected = true;
    iwarpi_rx_refuse_from(&observer->rx[1u - observer->cur], own->startup_end);
  }
  iwarpi_observer_settle(observer);
}
