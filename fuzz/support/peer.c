/* SPDX-License-Identifier: BSD-2-Clause */
/* A peer of an endpoint that sends chosen items, legal or not, with right framing. */
#include "peer.h"

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <string.h>

static void put(peer *p, const uint8_t *octets, size_t n) {
  n = n < sizeof p->octets - p->len ? n : sizeof p->octets - p->len;
  p->last = p->len;
  memcpy(&p->octets[p->len], octets, n);
  p->len += n;
}

/* ---- startup ---- */

static void say_startup(peer *p, bool reply, bool reject, uint8_t how) {
  const iwarp_mpa_enhanced enhanced = {.a = (how & 16u) != 0,
                                       .b = (how & 32u) != 0,
                                       .c = (how & 64u) != 0,
                                       .d = (how & 128u) != 0,
                                       .ird = 2,
                                       .ord = (how & 8u) != 0 ? 9 : 2};
  uint8_t data[8] = {0};
  uint8_t octets[64];
  size_t n = 0;
  (void)iwarp_mpa_enhanced_encode(data, sizeof data, &n, &enhanced);
  iwarp_mpa_startup v = {.flags = (uint8_t)(((how & 1u) != 0 ? IWARP_MPA_FLAG_M : 0) |
                                            ((how & 2u) != 0 ? 0 : IWARP_MPA_FLAG_C) |
                                            (reject ? IWARP_MPA_FLAG_R : 0) |
                                            ((how & 4u) != 0 ? IWARP_MPA_FLAG_S : 0)),
                         .rev = (how & 4u) != 0 ? 2 : 1,
                         .pd_length = sizeof data,
                         .private_data = {data, sizeof data}};
  memcpy(v.key, iwarp_mpa_key_octets(reply ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST),
         IWARP_MPA_KEY_LEN);
  (void)iwarp_mpa_startup_encode(octets, sizeof octets, &n, &v);
  put(p, octets, n);
  if (!p->framed) {
    p->framed = true;
    p->startup = p->len;
  }
}

/* ---- Full Operation ---- */

static void say_fpdu(peer *p, const uint8_t *ulpdu, size_t n, bool markers) {
  static uint8_t wire[2048];
  size_t len = 0;
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, n}, .off = p->len - p->startup, .markers = markers};
  if (iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &d) == IWARP_OK) {
    put(p, wire, len);
  }
}

/* Octets of payload: few, or so many that a Marker lies among them. */
static size_t some_len(uint8_t how) {
  return (how & 7u) == 7u ? 600 : (how & 7u) * 9u;
}

static iwarp_ddp_hdr untagged(peer *p, const iwarp_rdmap_op *op, uint8_t how) {
  iwarp_ddp_hdr h = {.last = (how & 8u) == 0,
                     .dv = IWARP_DDP_VERSION,
                     .rsvdulp_word = op->invalidates ? PEER_STAG(how >> 4 & 3u) : 0,
                     .qn = op->qn,
                     .msn = p->msn[op->qn & 3u] + 1};
  h.mo = op->payload ? p->mo : 0;
  h.qn ^= (how & 0xF0u) == 0xF0u ? 4u : 0;
  h.msn += (how & 0xF0u) == 0xE0u ? 1u : 0;
  h.dv = (how & 0xF0u) == 0xD0u ? 2 : h.dv;
  return h;
}

static iwarp_ddp_hdr tagged(peer *p, bool response, uint8_t how) {
  iwarp_ddp_hdr h = {.tagged = true,
                     .last = (how & 8u) == 0,
                     .dv = (how & 0xF0u) == 0xD0u ? 2 : IWARP_DDP_VERSION,
                     .stag = PEER_STAG(how >> 4 & 7u),
                     .to = PEER_BASE + ((how & 0x80u) != 0 ? 0xFFF0u : 0)};
  if (response) {
    h.stag = (how & 0xC0u) == 0xC0u ? PEER_STAG(2) : PEER_STAG(0);
    h.to = PEER_BASE + p->to;
    p->to = h.last ? 0 : p->to + some_len(how);
  }
  return h;
}

/* The header of a message whose octets are all RDMAP's; returns its length. */
static size_t inner(uint8_t *out, uint8_t opcode, uint8_t how) {
  size_t n = 0;
  if (opcode == IWARP_RDMAP_OP_READ_REQ) {
    const iwarp_rdmap_read_req v = {.sink_stag = 0x77,
                                    .size = (how & 0x80u) != 0 ? 0xFFFFu : (how & 3u) * 300u,
                                    .source_stag = PEER_STAG(how >> 2 & 7u),
                                    .source_to = (how & 0x60u) == 0x60u ? UINT64_MAX : PEER_BASE};
    (void)iwarp_rdmap_read_req_encode(out, IWARP_RDMAP_READ_REQ_LEN, &n, &v);
  } else if (opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    const iwarp_rdmap_atomic_req v = {.aopcode = how >> 6 & 3u,
                                      .stag = PEER_STAG(how >> 2 & 7u),
                                      .to = PEER_BASE + (how & 3u) * 4u};
    (void)iwarp_rdmap_atomic_req_encode(out, IWARP_RDMAP_ATOMIC_REQ_LEN, &n, &v);
  } else if (opcode == IWARP_RDMAP_OP_ATOMIC_RESP) {
    const iwarp_rdmap_atomic_resp v = {.request_id = how & 7u, .original = how};
    (void)iwarp_rdmap_atomic_resp_encode(out, IWARP_RDMAP_ATOMIC_RESP_LEN, &n, &v);
  } else if (opcode == IWARP_RDMAP_OP_TERMINATE) {
    uint8_t header[IWARP_DDP_UNTAGGED_LEN];
    const iwarp_ddp_hdr h = {.dv = IWARP_DDP_VERSION,
                             .rsvdulp = 0x41,
                             .qn = IWARP_RDMAP_QN_READ_REQ,
                             .msn = 1 + (how & 1u)};
    (void)iwarp_ddp_hdr_encode(header, sizeof header, &n, &h);
    const iwarp_rdmap_term v = {.etype = 1,
                                .code = how,
                                .m = (how & 2u) != 0,
                                .d = (how & 2u) != 0,
                                .has_ddp_segment_length = (how & 2u) != 0,
                                .ddp_segment_length = 46,
                                .ddp_header = {header, (how & 2u) != 0 ? n : 0}};
    (void)iwarp_rdmap_term_encode(out, IWARP_RDMAP_TERM_MAX, &n, &v);
  } else {
    n = IWARP_RDMAP_IMMEDIATE_LEN;
    memset(out, how, n);
  }
  return n;
}

static void say_message(peer *p, uint8_t opcode, uint8_t how, bool markers) {
  uint8_t ulpdu[1024];
  size_t n = 0;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  iwarp_ddp_hdr h =
      op->tagged ? tagged(p, opcode == IWARP_RDMAP_OP_READ_RESP, how) : untagged(p, op, how);
  h.last = h.last || op->hdr_len > 0;
  h.rsvdulp = (uint8_t)(0x40u | opcode);
  (void)iwarp_ddp_hdr_encode(ulpdu, IWARP_DDP_UNTAGGED_LEN, &n, &h);
  if (op->hdr_len > 0 || opcode == IWARP_RDMAP_OP_TERMINATE) {
    n += inner(ulpdu + n, opcode, how);
  } else {
    memset(ulpdu + n, 'x', some_len(how));
    n += some_len(how);
  }
  if (!op->tagged) {
    p->mo = h.last ? 0 : p->mo + (op->payload ? (uint32_t)some_len(how) : 0);
    p->msn[op->qn & 3u] += h.last ? 1 : 0;
  }
  say_fpdu(p, ulpdu, n, markers);
}

void peer_say(peer *p, peer_says what, uint8_t how, bool markers) {
  static const uint8_t opcodes[PEER_NUM_SAYS] = {
      [PEER_SEND] = IWARP_RDMAP_OP_SEND,
      [PEER_SEND_INVALIDATE] = IWARP_RDMAP_OP_SEND_INV,
      [PEER_WRITE] = IWARP_RDMAP_OP_WRITE,
      [PEER_READ_REQUEST] = IWARP_RDMAP_OP_READ_REQ,
      [PEER_READ_RESPONSE] = IWARP_RDMAP_OP_READ_RESP,
      [PEER_ATOMIC_REQUEST] = IWARP_RDMAP_OP_ATOMIC_REQ,
      [PEER_ATOMIC_RESPONSE] = IWARP_RDMAP_OP_ATOMIC_RESP,
      [PEER_IMMEDIATE] = IWARP_RDMAP_OP_IMMEDIATE,
      [PEER_TERMINATE] = IWARP_RDMAP_OP_TERMINATE,
  };
  static uint8_t octets[4096];
  switch (what) {
  case PEER_REQUEST: say_startup(p, false, false, how); return;
  case PEER_REPLY: say_startup(p, true, false, how); return;
  case PEER_REJECT: say_startup(p, true, true, how); return;
  case PEER_OCTETS: put(p, octets, 1u + how * 16u); return;
  case PEER_SEND:
  case PEER_SEND_INVALIDATE:
    say_message(p, (uint8_t)(opcodes[what] + ((how & 0x80u) != 0 ? 2u : 0)), how, markers);
    return;
  case PEER_WRITE:
  case PEER_READ_REQUEST:
  case PEER_READ_RESPONSE:
  case PEER_ATOMIC_REQUEST:
  case PEER_ATOMIC_RESPONSE:
  case PEER_IMMEDIATE:
  case PEER_TERMINATE: say_message(p, opcodes[what], how, markers); return;
  case PEER_NUM_SAYS: return;
  }
}

void peer_spoil(peer *p, uint8_t at) {
  const size_t from = (at & 0x80u) != 0 ? p->startup : p->last;
  if (p->len > from) {
    p->octets[from + (at & 0x7Fu) % (p->len - from)] ^= (uint8_t)(1u + at % 7u);
  }
}
