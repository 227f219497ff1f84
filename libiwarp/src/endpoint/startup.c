/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames of an endpoint, and what they settle. RFC 5044 7.1, RFC 6581 6 to 9. */
#include "startup.h"

#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "regions.h"

/* ---- memory ---- */

/* iwarpi_ep_startup_memory gives both frames their memory of EP_FRAMES_LEN bytes; NULL: none. */
void iwarpi_ep_startup_memory(ep_startup *s, void *block) {
  s->in = block;
  s->out = block != NULL ? s->in + EP_FRAME_MAX : NULL;
}

/* iwarpi_ep_startup_reserve sees to it that there is memory; false: the pool has none now. */
bool iwarpi_ep_startup_reserve(ep_startup *s) {
  if (s->in == NULL) {
    iwarpi_ep_startup_memory(s, s->pool->get(s->pool->ctx, EP_FRAMES_LEN));
  }
  return s->in != NULL;
}

/* iwarpi_ep_startup_release gives it back to the pool. */
void iwarpi_ep_startup_release(ep_startup *s) {
  if (s->pool != NULL && s->in != NULL) {
    s->pool->put(s->pool->ctx, s->in, EP_FRAMES_LEN);
    iwarpi_ep_startup_memory(s, NULL);
  }
}

/* ---- sending ---- */

/* A Request is enhanced by configuration; a Reply is what the Request was. RFC 6581 10 */
static bool startup_enhanced(const ep_startup_view *n, ep_frame frame) {
  return frame == EP_FRAME_REQUEST ? n->cfg->rev == EP_REV_ENHANCED : n->startup->terms.enhanced;
}

static uint8_t startup_flags(const ep_startup_view *n, ep_frame frame) {
  uint32_t flags = 0;
  flags |= n->cfg->markers ? IWARP_MPA_FLAG_M : 0;
  flags |= n->cfg->no_crc ? 0 : IWARP_MPA_FLAG_C;
  flags |= frame == EP_FRAME_REJECT ? IWARP_MPA_FLAG_R : 0;
  flags |= startup_enhanced(n, frame) ? IWARP_MPA_FLAG_S : 0;
  return (uint8_t)flags;
}

static void startup_set_rtr(iwarp_mpa_enhanced *enh, uint8_t rtr) {
  enh->b = (rtr & IWARP_RTR_SEND) != 0;
  enh->c = (rtr & IWARP_RTR_WRITE) != 0;
  enh->d = (rtr & IWARP_RTR_READ) != 0;
}

static uint8_t startup_rtr(const iwarp_mpa_enhanced *enh) {
  uint32_t rtr = 0;
  rtr |= enh->b ? IWARP_RTR_SEND : 0;
  rtr |= enh->c ? IWARP_RTR_WRITE : 0;
  rtr |= enh->d ? IWARP_RTR_READ : 0;
  return (uint8_t)rtr;
}

/* startup_offer is what a Request says, and as much of a Reply as does not depend on it. */
static iwarp_mpa_enhanced startup_offer(const ep_startup_view *n) {
  iwarp_mpa_enhanced enh = {
      .a = n->cfg->peer_to_peer,
      .ird = n->cfg->ird_unspec ? (uint16_t)IWARP_MPA_DEPTH_UNSPEC : n->startup->terms.ird,
      .ord = n->cfg->ord_unspec ? (uint16_t)IWARP_MPA_DEPTH_UNSPEC : n->startup->terms.ord,
  };
  startup_set_rtr(&enh, enh.a ? n->cfg->rtr : 0);
  return enh;
}

/* The depths of a Responder. RFC 6581 9.1 */
static void startup_answer_depths(const ep_startup_view *n, iwarp_mpa_enhanced *enh,
                                  ep_frame frame) {
  const iwarp_mpa_enhanced *req = &n->startup->peer_enh;
  enh->ird = IWARP_MPA_DEPTH_UNSPEC;
  if (req->ord != IWARP_MPA_DEPTH_UNSPEC && !n->cfg->ird_unspec) {
    if (req->ord > n->startup->terms.ird) {
      n->startup->terms.ird = req->ord < n->cfg->ird_max ? req->ord : n->cfg->ird_max;
    }
    enh->ird = n->startup->terms.ird;
  }
  enh->ord = IWARP_MPA_DEPTH_UNSPEC;
  if (req->ird != IWARP_MPA_DEPTH_UNSPEC) {
    /* a Reply that rejects has the ORD that was wanted */
    if (req->ird < n->startup->terms.ord && frame == EP_FRAME_ACCEPT) {
      n->startup->terms.ord = req->ird; /* rfc6581-9.1-12, whatever ORD the Reply has */
    }
    enh->ord = n->cfg->ord_unspec ? enh->ord : n->startup->terms.ord;
  }
}

/*
 * The connection model of a Responder: it names what both sides can, or else all that it can. The
 * zero-length Read takes a place among the inbound Reads. RFC 6581 9.1, 9.2
 */
static void startup_answer_model(const ep_startup_view *n, iwarp_mpa_enhanced *enh) {
  uint32_t can = n->cfg->rtr;
  enh->a = n->startup->peer_enh.a;
  startup_set_rtr(enh, 0);
  if (!enh->a) {
    return;
  }
  if (n->cfg->ird_max == 0) {
    can &= ~IWARP_RTR_READ;
  }
  const uint32_t both = can & startup_rtr(&n->startup->peer_enh);
  startup_set_rtr(enh, (uint8_t)(both != 0 ? both : can));
  n->startup->terms.peer_to_peer = true;
  n->startup->terms.rtr = (uint8_t)both;
  if (enh->d && n->startup->terms.ird == 0) {
    n->startup->terms.ird = 1;
  }
}

static iwarp_mpa_enhanced startup_answer(const ep_startup_view *n, ep_frame frame) {
  iwarp_mpa_enhanced enh = {0};
  startup_answer_model(n, &enh);
  startup_answer_depths(n, &enh, frame);
  return enh;
}

/* Rev of a Reply: as asked, or the highest one of this side. rfc5044-C.1-03 */
static uint8_t startup_reply_rev(const ep_startup_view *n) {
  return n->startup->terms.rev < n->cfg->rev ? n->startup->terms.rev : n->cfg->rev;
}

/* iwarpi_ep_make_frame makes the Request, or a Reply to the Request that came. */
void iwarpi_ep_make_frame(const ep_startup_view *n, ep_frame frame) {
  const bool request = frame == EP_FRAME_REQUEST;
  const bool enhanced = startup_enhanced(n, frame);
  const size_t enh_len = enhanced ? IWARP_MPA_ENHANCED_LEN : 0;
  iwarp_mpa_startup head = {.flags = startup_flags(n, frame),
                            .rev = request ? n->cfg->rev : startup_reply_rev(n),
                            .pd_length = (uint16_t)(enh_len + n->startup->ulp_data.len)};
  const size_t size = IWARP_MPA_STARTUP_LEN + (size_t)head.pd_length;
  wr w = wr_of(n->startup->out, EP_FRAME_MAX, size);
  size_t len;
  memcpy(head.key, iwarp_mpa_key_octets(request ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY),
         IWARP_MPA_KEY_LEN);
  (void)iwarp_mpa_startup_encode(wr_take(&w, IWARP_MPA_STARTUP_LEN), IWARP_MPA_STARTUP_LEN, &len,
                                 &head);
  if (enhanced) {
    const iwarp_mpa_enhanced enh = request ? startup_offer(n) : startup_answer(n, frame);
    (void)iwarp_mpa_enhanced_encode(wr_take(&w, enh_len), enh_len, &len, &enh);
  }
  wr_span(&w, n->startup->ulp_data);
  n->startup->out_len = size;
  n->startup->sent_enhanced = enhanced;
}

/* ---- receiving ---- */

static iwarp_span startup_collected(const ep_startup_view *n) {
  return (iwarp_span){n->startup->in, n->startup->in_len};
}

static bool startup_initiator(const ep_startup_view *n) {
  return n->cfg->role == IWARP_ROLE_INITIATOR;
}

/* Decodes the head before the Private Data; false: some octets are missing. */
static bool startup_head(iwarp_mpa_startup *out, const ep_startup_view *n) {
  return iwarp_mpa_startup_head_decode(out, startup_collected(n)).err == IWARP_OK;
}

/* Octets that the frame wants in all, as far as is known; no more where that is wrong. */
static size_t startup_want(const ep_startup_view *n) {
  iwarp_mpa_startup head;
  return startup_head(&head, n) && iwarp_mpa_startup_check(&head) == IWARP_OK
             ? iwarp_mpa_startup_size(head.rev, head.pd_length)
             : IWARP_MPA_STARTUP_LEN;
}

/* Judges the octets collected as far as they go. */
static iwarp_err startup_judge_part(const ep_startup_view *n) {
  const iwarp_span key = span_first(startup_collected(n), IWARP_MPA_KEY_LEN);
  const uint8_t *expected =
      iwarp_mpa_key_octets(startup_initiator(n) ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST);
  iwarp_mpa_startup head;
  if (memcmp(key.ptr, expected, key.len) != 0) {
    return IWARP_ERR_MPA_KEY;
  }
  return startup_head(&head, n) ? iwarp_mpa_startup_check(&head) : IWARP_OK;
}

/*
 * Returns true if this side can work with the revision of the frame. Rev 2 without S is a frame of
 * RFC 5044 (rfc6581-6-06), and every Responder answers it as such (rfc6581-10-04). A Responder that
 * knows only RFC 5044 closes on an enhanced Request and sends no Reply before (rfc6581-10-03,
 * rfc6581-10-10, rfc5044-7.1.1-25). After the close the Initiator may try again with Rev 1
 * (rfc6581-10-13).
 */
static bool startup_rev_ok(const ep_startup_view *n, const iwarp_mpa_startup *f) {
  return f->rev == 1 || (f->rev == EP_REV_ENHANCED &&
                         (n->cfg->rev == EP_REV_ENHANCED || (f->flags & IWARP_MPA_FLAG_S) == 0));
}

/* Judges the whole frame, whose fields are right alone, and applies its terms. RFC 6581 10 */
static iwarp_err startup_judge(const ep_startup_view *n) {
  iwarp_mpa_startup *f = &n->startup->peer_frame;
  (void)iwarp_mpa_startup_decode(f, startup_collected(n)); /* the frame is complete */
  const bool enhanced = iwarp_mpa_startup_is_enhanced(f);
  if (!startup_rev_ok(n, f)) {
    return IWARP_ERR_MPA_REV;
  }
  if (startup_initiator(n) && enhanced != n->startup->sent_enhanced) {
    return IWARP_ERR_MPA_ENHANCED;
  }
  n->startup->terms.rev = f->rev;
  n->startup->terms.enhanced = enhanced;
  if (enhanced) {
    (void)iwarp_mpa_enhanced_decode(&n->startup->peer_enh, f->private_data);
  }
  return IWARP_OK;
}

/* M binds the direction towards the side that asks, C both. RFC 5044 7.1.1 */
static void startup_take_mpa(const ep_startup_view *n) {
  const uint8_t flags = n->startup->peer_frame.flags;
  n->startup->terms.markers_out = (flags & IWARP_MPA_FLAG_M) != 0;
  n->startup->terms.markers_in = n->cfg->markers;
  n->startup->terms.crc = (flags & IWARP_MPA_FLAG_C) != 0 || !n->cfg->no_crc;
}

static ep_input startup_input(const ep_startup_view *n) {
  if (!startup_initiator(n)) {
    return EP_GOT_REQUEST;
  }
  return (n->startup->peer_frame.flags & IWARP_MPA_FLAG_R) != 0 ? EP_GOT_REJECT : EP_GOT_REPLY;
}

/*
 * The frame is available. Nothing may stand after a Request, to which no Reply was sent
 * (rfc5044-7.1.1-30). What stands after a Reply are FPDUs, or the ULP's if MPA is left. RFC
 * 5044 7.1.2
 */
static ep_input startup_complete(const ep_startup_view *n, iwarp_err *err) {
  *err = startup_judge(n);
  if (*err != IWARP_OK) {
    return EP_BAD_FRAME;
  }
  const ep_input input = startup_input(n);
  if (input == EP_GOT_REQUEST && n->pushed->in.len > 0) {
    *err = IWARP_ERR_MPA_PD_LENGTH;
    return EP_BAD_FRAME;
  }
  startup_take_mpa(n);
  return input;
}

/* Takes octets of the peer's frame from the input: the fixed part, then what that says. */
static void startup_take(const ep_startup_view *n) {
  for (size_t more = 1; more > 0;) {
    const iwarp_span part = span_first(n->pushed->in, startup_want(n) - n->startup->in_len);
    wr w = wr_of(n->startup->in, EP_FRAME_MAX, EP_FRAME_MAX);
    more = part.len;
    wr_take(&w, n->startup->in_len);
    wr_span(&w, part);
    n->pushed->in = span_from(n->pushed->in, more);
    n->startup->in_len += more;
  }
}

/*
 * iwarpi_ep_collect takes octets of the peer's frame. It returns what they are when the frame is
 * there, or as soon as they can be none; NO_INPUT when more are wanted.
 */
ep_input iwarpi_ep_collect(const ep_startup_view *n) {
  startup_take(n);
  ep_input input = EP_BAD_FRAME;
  iwarp_err err = startup_judge_part(n);
  if (err == IWARP_OK) {
    if (n->startup->in_len < startup_want(n)) {
      return EP_NO_INPUT;
    }
    input = startup_complete(n, &err);
  }
  if (err != IWARP_OK) {
    n->closed->err = err;
    n->closed->retry_plain =
        n->startup->sent_enhanced && (err == IWARP_ERR_MPA_REV || err == IWARP_ERR_MPA_ENHANCED);
  }
  return input;
}

void iwarpi_ep_startup_event(const ep_startup_view *n, iwarp_event_startup *out) {
  *out = (iwarp_event_startup){.frame = n->startup->peer_frame,
                               .key = startup_initiator(n) ? IWARP_MPA_KEY_REPLY
                                                           : IWARP_MPA_KEY_REQUEST,
                               .is_reply = startup_initiator(n),
                               .enhanced = n->startup->terms.enhanced,
                               .enh = n->startup->peer_enh,
                               .ulp_data = n->startup->peer_frame.private_data};
  if (out->enhanced) {
    out->ulp_data = span_from(out->ulp_data, IWARP_MPA_ENHANCED_LEN);
  }
}

/* ---- the Initiator and an accepting Reply ---- */

/*
 * Takes over the depths; false when the peer wants more than can be had. Only an IRD of 0x3FFF from
 * the peer leaves ORD as it is (rfc6581-9.1-26), whatever ORD the Request gave: rfc6581-9.1-17.
 */
static bool startup_take_depths(const ep_startup_view *n) {
  const iwarp_mpa_enhanced *reply = &n->startup->peer_enh;
  if (reply->ird != IWARP_MPA_DEPTH_UNSPEC && reply->ird < n->startup->terms.ord) {
    n->startup->terms.ord = reply->ird;
  }
  if (reply->ord != IWARP_MPA_DEPTH_UNSPEC && !n->cfg->ird_unspec &&
      reply->ord > n->startup->terms.ird) {
    if (reply->ord > n->cfg->ird_max) {
      return false;
    }
    n->startup->terms.ird = reply->ord;
  }
  return true;
}

/* The RTR messages that both sides can. A zero-length Read finds no place where IRD is 0. */
static uint8_t startup_match(const ep_startup_view *n) {
  uint32_t both = n->cfg->rtr;
  both &= startup_rtr(&n->startup->peer_enh);
  if (n->startup->peer_enh.ird == 0) {
    both &= ~IWARP_RTR_READ;
  }
  return (uint8_t)both;
}

/* iwarpi_ep_negotiate applies the terms of the Reply; it returns the error of the Reply. */
iwarp_term iwarpi_ep_negotiate(const ep_startup_view *n) {
  if (!n->startup->terms.enhanced) {
    return EP_OK;
  }
  if (n->startup->peer_enh.a != n->cfg->peer_to_peer) {
    return IWARP_TERM_MPA_RTR;
  }
  if (!startup_take_depths(n)) {
    return IWARP_TERM_MPA_IRD;
  }
  if (n->startup->peer_enh.a) {
    n->startup->terms.peer_to_peer = true;
    n->startup->terms.rtr = startup_match(n);
    return n->startup->terms.rtr == 0 ? IWARP_TERM_MPA_RTR : EP_OK;
  }
  return EP_OK;
}
