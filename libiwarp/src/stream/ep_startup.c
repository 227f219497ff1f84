/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames of an endpoint, and what they settle. RFC 5044 7.1, RFC 6581 6 to 9. */
#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "ep_priv.h"

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

/* iwarpi_ep_startup_trim does so when both frames were sent and received, and the transport reads
 * no more of this side's. */
void iwarpi_ep_startup_trim(iwarp_endpoint *ep) {
  if (ep->info.state > IWARP_ENDPOINT_REQUEST_PENDING && !iwarpi_ep_frame_left(ep) &&
      !ep->startup.lent) {
    iwarpi_ep_startup_release(&ep->startup);
  }
}

/* ---- sending ---- */

static uint8_t startup_flags(const iwarp_endpoint *ep, bool enhanced, bool reject) {
  uint32_t flags = 0;
  flags |= ep->cfg.markers ? IWARP_MPA_FLAG_M : 0;
  flags |= ep->cfg.no_crc ? 0 : IWARP_MPA_FLAG_C;
  flags |= reject ? IWARP_MPA_FLAG_R : 0;
  flags |= enhanced ? IWARP_MPA_FLAG_S : 0;
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
static iwarp_mpa_enhanced startup_offer(const iwarp_endpoint *ep) {
  iwarp_mpa_enhanced enh = {
      .a = ep->cfg.peer_to_peer,
      .ird = ep->cfg.ird_unspec ? (uint16_t)IWARP_MPA_DEPTH_UNSPEC : ep->info.ird,
      .ord = ep->cfg.ord_unspec ? (uint16_t)IWARP_MPA_DEPTH_UNSPEC : ep->info.ord,
  };
  startup_set_rtr(&enh, enh.a ? ep->cfg.rtr : 0);
  return enh;
}

/* The depths of a Responder. RFC 6581 9.1 */
static void startup_answer_depths(iwarp_endpoint *ep, iwarp_mpa_enhanced *enh, bool reject) {
  const iwarp_mpa_enhanced *req = &ep->startup.peer_enh;
  enh->ird = IWARP_MPA_DEPTH_UNSPEC;
  if (req->ord != IWARP_MPA_DEPTH_UNSPEC && !ep->cfg.ird_unspec) {
    if (req->ord > ep->info.ird) {
      ep->info.ird = req->ord < ep->cfg.ird_max ? req->ord : ep->cfg.ird_max;
    }
    enh->ird = ep->info.ird;
  }
  enh->ord = IWARP_MPA_DEPTH_UNSPEC;
  if (req->ird != IWARP_MPA_DEPTH_UNSPEC) {
    if (req->ird < ep->info.ord && !reject) { /* a Reply that rejects says what was wanted */
      ep->info.ord = req->ird;                /* rfc6581-9.1-12, whatever ORD the Reply tells */
    }
    enh->ord = ep->cfg.ord_unspec ? enh->ord : ep->info.ord;
  }
}

/*
 * The connection model of a Responder: it names what both sides can, or else all that it can. The
 * zero-length Read takes a place among the inbound Reads. RFC 6581 9.1, 9.2
 */
static void startup_answer_model(iwarp_endpoint *ep, iwarp_mpa_enhanced *enh) {
  uint32_t can = ep->cfg.rtr;
  enh->a = ep->startup.peer_enh.a;
  startup_set_rtr(enh, 0);
  if (!enh->a) {
    return;
  }
  if (ep->cfg.ird_max == 0) {
    can &= ~IWARP_RTR_READ;
  }
  const uint32_t both = can & startup_rtr(&ep->startup.peer_enh);
  startup_set_rtr(enh, (uint8_t)(both != 0 ? both : can));
  ep->info.peer_to_peer = true;
  ep->info.rtr = (uint8_t)both;
  if (enh->d && ep->info.ird == 0) {
    ep->info.ird = 1;
  }
}

static iwarp_mpa_enhanced startup_answer(iwarp_endpoint *ep, bool reject) {
  iwarp_mpa_enhanced enh = {0};
  startup_answer_model(ep, &enh);
  startup_answer_depths(ep, &enh, reject);
  return enh;
}

/* Rev of a Reply: as asked, or the highest one of this side. rfc5044-C.1-03 */
static uint8_t startup_reply_rev(const iwarp_endpoint *ep) {
  return ep->info.rev < ep->cfg.rev ? ep->info.rev : ep->cfg.rev;
}

/* Makes the Request, or the Reply to the Request that came. */
void iwarpi_ep_make_frame(iwarp_endpoint *ep, bool reply, bool reject) {
  const bool enhanced =
      reply ? ep->info.enhanced : ep->cfg.rev == EP_REV_ENHANCED; /* RFC 6581 10: as asked */
  const size_t enh_len = enhanced ? IWARP_MPA_ENHANCED_LEN : 0;
  iwarp_mpa_startup frame = {.flags = startup_flags(ep, enhanced, reject),
                             .rev = reply ? startup_reply_rev(ep) : ep->cfg.rev,
                             .pd_length = (uint16_t)(enh_len + ep->startup.ulp_data.len)};
  const size_t size = IWARP_MPA_STARTUP_LEN + (size_t)frame.pd_length;
  wr w = wr_of(ep->startup.out, EP_FRAME_MAX, size);
  size_t len;
  memcpy(frame.key, iwarp_mpa_key_octets(reply ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST),
         IWARP_MPA_KEY_LEN);
  (void)iwarp_mpa_startup_encode(wr_take(&w, IWARP_MPA_STARTUP_LEN), IWARP_MPA_STARTUP_LEN, &len,
                                 &frame);
  if (enhanced) {
    const iwarp_mpa_enhanced enh = reply ? startup_answer(ep, reject) : startup_offer(ep);
    (void)iwarp_mpa_enhanced_encode(wr_take(&w, enh_len), enh_len, &len, &enh);
  }
  wr_span(&w, ep->startup.ulp_data);
  ep->startup.out_len = size;
  ep->startup.sent_enhanced = enhanced;
}

/* iwarpi_ep_frame_left says whether octets of the frame are still to be sent. */
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep) {
  return ep->startup.out_taken < ep->startup.out_len &&
         (ep->info.state != IWARP_ENDPOINT_CLOSED || ep->end.reply_due);
}

/* ---- receiving ---- */

static iwarp_span startup_collected(const iwarp_endpoint *ep) {
  return (iwarp_span){ep->startup.in, ep->startup.in_len};
}

static bool startup_initiator(const iwarp_endpoint *ep) {
  return ep->cfg.role == IWARP_ROLE_INITIATOR;
}

/* What stands before the Private Data; false: it is not all there. */
static bool startup_head(iwarp_mpa_startup *out, const iwarp_endpoint *ep) {
  return iwarp_mpa_startup_head_decode(out, startup_collected(ep)).err == IWARP_OK;
}

/* Octets that the frame wants in all, as far as is known; no more where that is wrong. */
static size_t startup_want(const iwarp_endpoint *ep) {
  iwarp_mpa_startup head;
  return startup_head(&head, ep) && iwarp_mpa_startup_check(&head) == IWARP_OK
             ? iwarp_mpa_startup_size(head.rev, head.pd_length)
             : IWARP_MPA_STARTUP_LEN;
}

/* Judges the octets collected as far as they go. */
static iwarp_err startup_judge_part(const iwarp_endpoint *ep) {
  const iwarp_span key = span_first(startup_collected(ep), IWARP_MPA_KEY_LEN);
  const uint8_t *due =
      iwarp_mpa_key_octets(startup_initiator(ep) ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST);
  iwarp_mpa_startup head;
  if (memcmp(key.ptr, due, key.len) != 0) {
    return IWARP_ERR_MPA_KEY;
  }
  return startup_head(&head, ep) ? iwarp_mpa_startup_check(&head) : IWARP_OK;
}

/*
 * Whether the frame is of a revision that this side can work with. Rev 2 without S is the frame of
 * RFC 5044 (rfc6581-6-06) and is answered as such by all Responders (rfc6581-10-04). One that knows
 * RFC 5044 only closes on an enhanced Request, and no Reply goes before that (rfc6581-10-03,
 * rfc6581-10-10, rfc5044-7.1.1-25): on the close the Initiator may try again with Rev 1
 * (rfc6581-10-13).
 */
static bool startup_rev_ok(const iwarp_endpoint *ep, const iwarp_mpa_startup *f) {
  return f->rev == 1 || (f->rev == EP_REV_ENHANCED &&
                         (ep->cfg.rev == EP_REV_ENHANCED || (f->flags & IWARP_MPA_FLAG_S) == 0));
}

/*
 * Judges the whole frame, whose fields are right in themselves, and takes over what it says. RFC
 * 6581 10
 */
static iwarp_err startup_judge(iwarp_endpoint *ep) {
  iwarp_mpa_startup *f = &ep->startup.peer_frame;
  (void)iwarp_mpa_startup_decode(f, startup_collected(ep)); /* it is all there */
  const bool enhanced = iwarp_mpa_startup_is_enhanced(f);
  if (!startup_rev_ok(ep, f)) {
    return IWARP_ERR_MPA_REV;
  }
  if (startup_initiator(ep) && enhanced != ep->startup.sent_enhanced) {
    return IWARP_ERR_MPA_ENHANCED;
  }
  ep->info.rev = f->rev;
  ep->info.enhanced = enhanced;
  if (enhanced) {
    (void)iwarp_mpa_enhanced_decode(&ep->startup.peer_enh, f->private_data);
    ep->info.peer_ird = ep->startup.peer_enh.ird;
    ep->info.peer_ord = ep->startup.peer_enh.ord;
  }
  return IWARP_OK;
}

/* M binds the direction towards the side that asks, C both. RFC 5044 7.1.1 */
static void startup_settle_mpa(iwarp_endpoint *ep) {
  const uint8_t flags = ep->startup.peer_frame.flags;
  ep->info.markers_out = (flags & IWARP_MPA_FLAG_M) != 0;
  ep->info.markers_in = ep->cfg.markers;
  ep->info.crc = (flags & IWARP_MPA_FLAG_C) != 0 || !ep->cfg.no_crc;
}

static ep_input startup_input(const iwarp_endpoint *ep) {
  if (!startup_initiator(ep)) {
    return EP_GOT_REQUEST;
  }
  return (ep->startup.peer_frame.flags & IWARP_MPA_FLAG_R) != 0 ? EP_GOT_REJECT : EP_GOT_REPLY;
}

/*
 * The frame is available. Nothing may stand after a Request, to which no Reply was sent
 * (rfc5044-7.1.1-30). What stands after a Reply are FPDUs, or the ULP's if MPA is left. RFC
 * 5044 7.1.2
 */
static ep_input startup_complete(iwarp_endpoint *ep, iwarp_err *err) {
  *err = startup_judge(ep);
  if (*err != IWARP_OK) {
    return EP_BAD_FRAME;
  }
  const ep_input input = startup_input(ep);
  if (input == EP_GOT_REQUEST && ep->in.len > 0) {
    *err = IWARP_ERR_MPA_PD_LENGTH;
    return EP_BAD_FRAME;
  }
  startup_settle_mpa(ep);
  return input;
}

/* Takes octets of the peer's frame from the input: the fixed part, then what that says. */
static void startup_take(iwarp_endpoint *ep) {
  for (size_t more = 1; more > 0;) {
    const iwarp_span part = span_first(ep->in, startup_want(ep) - ep->startup.in_len);
    wr w = wr_of(ep->startup.in, EP_FRAME_MAX, EP_FRAME_MAX);
    more = part.len;
    wr_take(&w, ep->startup.in_len);
    wr_span(&w, part);
    ep->in = span_from(ep->in, more);
    ep->startup.in_len += more;
  }
}

/*
 * iwarpi_ep_collect takes octets of the peer's frame. It returns what they are when the frame is
 * there, or as soon as they can be none; NO_INPUT when more are wanted.
 */
ep_input iwarpi_ep_collect(iwarp_endpoint *ep) {
  startup_take(ep);
  ep_input input = EP_BAD_FRAME;
  iwarp_err err = startup_judge_part(ep);
  if (err == IWARP_OK) {
    if (ep->startup.in_len < startup_want(ep)) {
      return EP_NO_INPUT;
    }
    input = startup_complete(ep, &err);
  }
  if (err != IWARP_OK) {
    ep->end.closed.err = err;
    ep->end.closed.retry_plain =
        ep->startup.sent_enhanced && (err == IWARP_ERR_MPA_REV || err == IWARP_ERR_MPA_ENHANCED);
  }
  return input;
}

void iwarpi_ep_startup_event(const iwarp_endpoint *ep, iwarp_ev_startup *out) {
  *out =
      (iwarp_ev_startup){.frame = ep->startup.peer_frame,
                         .key = startup_initiator(ep) ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST,
                         .is_reply = startup_initiator(ep),
                         .enhanced = ep->info.enhanced,
                         .enh = ep->startup.peer_enh,
                         .ulp_data = ep->startup.peer_frame.private_data};
  if (out->enhanced) {
    out->ulp_data = span_from(out->ulp_data, IWARP_MPA_ENHANCED_LEN);
  }
}

/* ---- the Initiator and an accepting Reply ---- */

/*
 * Takes over the depths; false when the peer wants more than can be had. Only an IRD of 0x3FFF from
 * the peer leaves ORD as it is (rfc6581-9.1-26), whatever ORD the Request gave: rfc6581-9.1-17.
 */
static bool startup_settle_depths(iwarp_endpoint *ep) {
  const iwarp_mpa_enhanced *reply = &ep->startup.peer_enh;
  if (reply->ird != IWARP_MPA_DEPTH_UNSPEC && reply->ird < ep->info.ord) {
    ep->info.ord = reply->ird;
  }
  if (reply->ord != IWARP_MPA_DEPTH_UNSPEC && !ep->cfg.ird_unspec && reply->ord > ep->info.ird) {
    if (reply->ord > ep->cfg.ird_max) {
      return false;
    }
    ep->info.ird = reply->ord;
  }
  return true;
}

/* The RTR messages that both sides can. A zero-length Read finds no place where IRD is 0. */
static uint8_t startup_match(const iwarp_endpoint *ep) {
  uint32_t both = ep->cfg.rtr;
  both &= startup_rtr(&ep->startup.peer_enh);
  if (ep->startup.peer_enh.ird == 0) {
    both &= ~IWARP_RTR_READ;
  }
  return (uint8_t)both;
}

/* iwarpi_ep_settle takes over what the Reply says; it returns what is wrong with it. */
uint16_t iwarpi_ep_settle(iwarp_endpoint *ep) {
  if (!ep->info.enhanced) {
    return EP_OK;
  }
  if (ep->startup.peer_enh.a != ep->cfg.peer_to_peer) {
    return IWARP_TERM_MPA_RTR;
  }
  if (!startup_settle_depths(ep)) {
    return IWARP_TERM_MPA_IRD;
  }
  if (ep->startup.peer_enh.a) {
    ep->info.peer_to_peer = true;
    ep->info.rtr = startup_match(ep);
    return ep->info.rtr == 0 ? IWARP_TERM_MPA_RTR : EP_OK;
  }
  return EP_OK;
}
