/* SPDX-License-Identifier: BSD-2-Clause */
/* What must come of a spoilt octet. */
#include "mutate.h"

#include <string.h>

#define ONLY(effects_) ((verdict){.effects = (effects_)})
#define MAY(effects_, ...) ((verdict){.effects = (effects_), .words = {__VA_ARGS__}})

/* Returns true if `len` octets at `to` wrap, or lie outside a region. */
static uint16_t outside(uint64_t to, uint64_t len, uint64_t base, uint64_t size, uint16_t wrap,
                        uint16_t bounds) {
  if (len > UINT64_MAX - to) {
    return wrap;
  }
  return to < base || to + len > base + size ? bounds : 0;
}

/* T, L, DV; the reserved bits mean nothing. RFC 5041 4.1, 7.1 */
static verdict of_ddp_control(const spoilt *m) {
  const uint8_t is = m->ulpdu[0];
  const bool now_tagged = (is & 0x80) != 0;
  if (now_tagged != tagged(&m->x)) {
    if (!now_tagged && m->x.len < 18) {
      return MAY(FAULT, 0x1000);
    }
    if ((is & 3) != 1) {
      return MAY(FAULT, now_tagged ? 0x1104 : 0x1206);
    }
    /* With payload the queue is judged before the opcode. RFC 5041 7.1 */
    const bool queue = !now_tagged && m->x.len > 18 && be(&m->ulpdu[6], 4) > 3;
    return MAY(FAULT, queue ? 0x1201 : 0x0206);
  }
  if ((is & 3) != 1) {
    return MAY(FAULT, now_tagged ? 0x1104 : 0x1206);
  }
  if (((is ^ m->x.ulpdu[0]) & 0x40) != 0) { /* no field says where a message ends but L */
    return MAY(HIDDEN | NO_EFFECT | LATE | STALL | ANSWERED, 0x0206, 0x1202, 0x1203, 0x1204, 0x02FF,
               0x0209);
  }
  return ONLY(NO_EFFECT);
}

/* RFC 5040 7.2: version, opcode, and whether it belongs to the header and the queue. */
static verdict of_rdmap_control(const spoilt *m) {
  static const struct {
    bool tagged;
    uint8_t qn;
  } ops[12] = {{true, 0},  {false, 1}, {true, 0},  {false, 0}, {false, 0}, {false, 0},
               {false, 0}, {false, 2}, {false, 0}, {false, 0}, {false, 1}, {false, 3}};
  const unsigned is = m->ulpdu[1] & 0x0F;
  const unsigned was = opcode(&m->x);
  const bool rv = m->ulpdu[1] >> 6 == 1;
  if (is == 7 && was != 7) {
    return ONLY(UNREADABLE); /* a Terminate is never answered, RFC 5040 7.1 */
  }
  if (!rv || is == was) {
    return rv ? ONLY(NO_EFFECT) : MAY(FAULT, 0x0205);
  }
  if (is > 11 || ops[is].tagged != tagged(&m->x) || (!tagged(&m->x) && ops[is].qn != ops[was].qn) ||
      m->x.begun) {
    return MAY(FAULT, 0x0206);
  }
  if (is == 0 && m->x.len > 14) { /* a Response as a Write: the sink is for no other message */
    return MAY(FAULT, 0x1100);
  }
  if (is == 0) { /* a Write of nothing is always right; the Read gets the Response to a later Read
                    or Atomic */
    return MAY(HIDDEN | STALL | LATE, 0x02FF, 0x0206);
  }
  if (is == 2) { /* a Write as a Response: to no Read */
    return MAY(FAULT, 0x0206);
  }
  if (ops[is].qn == 1) { /* the two Requests differ in length */
    return MAY(FAULT, 0x02FF, 0x1205);
  }
  /* Send types and Immediate Data: the length, the STag to invalidate, or nothing betrays it. */
  return MAY(HIDDEN | NO_EFFECT | LATE, 0x0206, 0x0209, 0x02FF);
}

static verdict of_tagged_offset(const spoilt *m) {
  const uint64_t len = m->x.len - 14;
  const bool write = opcode(&m->x) == 0;
  if (len == 0) {
    return ONLY(NO_EFFECT); /* RFC 5041 5.2 */
  }
  const uint16_t word = outside(be(&m->ulpdu[6], 8), len, write ? HIGH : 0, AREA, 0x1103, 0x1101);
  if (word != 0) {
    return MAY(FAULT, word);
  }
  return write ? ONLY(HIDDEN) : MAY(FAULT, 0x02FF); /* a Read knows where its Response goes */
}

/* RFC 5041 7.1; which of the two codes depends on the buffers that are posted just now. */
static verdict of_msn(const spoilt *m) {
  const uint32_t ahead = (uint32_t)(be(&m->ulpdu[10], 4) - be(&m->x.ulpdu[10], 4));
  if (ahead >= 0x80000000u) {
    return MAY(FAULT, 0x1203);
  }
  return ahead > OPS + 1 ? MAY(FAULT, 0x1202) : MAY(FAULT, 0x1202, 0x1203);
}

/* The receiver judges source fields; the receiver of the Response judges sink fields. */
static verdict of_read_request(const spoilt *m) {
  const uint8_t *was = &m->x.ulpdu[18];
  const uint8_t *is = &m->ulpdu[18];
  const uint64_t size = be(&is[12], 4);
  if (be(&was[12], 4) == 0 && size == 0) {
    return ONLY(NO_EFFECT); /* RFC 5040 5.2.1: nothing of it is checked */
  }
  if (m->x.nth < 4) {
    return MAY(ANSWERED, 0x1100);
  }
  if (m->x.nth < 12) {
    return MAY(ANSWERED, 0x1101, 0x1103, 0x02FF);
  }
  if (size == 0) {
    return MAY(ANSWERED, 0x02FF); /* a Response of no octets to a Read of some */
  }
  if (be(&is[16], 4) != STAG_SOURCE) {
    return MAY(FAULT, 0x0100);
  }
  const uint16_t word = outside(be(&is[20], 8), size, HIGH, AREA, 0x0104, 0x0101);
  if (word != 0) {
    return MAY(FAULT, word);
  }
  return m->x.nth < 16 ? MAY(ANSWERED, 0x02FF, 0x1101) : ONLY(HIDDEN | NO_EFFECT);
}

/* RFC 7306 5.2.1, 8 */
static verdict of_atomic_request(const spoilt *m) {
  const uint8_t *is = &m->ulpdu[18];
  const unsigned aop = is[3] & 0x0F;
  if (m->x.nth < 4) {
    if (aop != 0 && aop != 2) {
      return MAY(FAULT, 0x0206);
    }
    return aop == (m->x.ulpdu[21] & 0x0Fu) ? ONLY(NO_EFFECT) : ONLY(HIDDEN | NO_EFFECT);
  }
  if (m->x.nth < 8) {
    return MAY(ANSWERED, 0x02FF); /* the Response has another Request Identifier */
  }
  if (m->x.nth < 12) {
    return MAY(FAULT, 0x0100);
  }
  if (m->x.nth < 20) {
    const uint64_t base = HIGH & ~UINT64_C(7);
    const uint16_t word = outside(be(&is[12], 8), 8, base, 8 * OPS, 0x0104, 0x0101);
    if (word != 0) {
      return MAY(FAULT, word);
    }
    return (be(&is[12], 8) - base) % 8 != 0 ? MAY(FAULT, 0x0207) : ONLY(HIDDEN);
  }
  return ONLY(HIDDEN | NO_EFFECT); /* operands */
}

/* An FPDU, CRCs not in use. */
static verdict of_unprotected(const spoilt *m) {
  const bool invalidates = opcode(&m->x) == 4 || opcode(&m->x) == 6;
  switch (m->x.f) {
  case F_MARKER: /* RESERVED and the two low bits mean nothing: RFC 5044 4.2 */
    return m->x.nth == 2 || (m->x.nth == 3 && (m->with & 0xFC) != 0) ? MAY(FAULT, 0x2003)
                                                                     : ONLY(NO_EFFECT);
  case F_LENGTH: /* the framing is lost, and nothing protects it: RFC 5044 4.4 */
    return MAY(HIDDEN | LATE | STALL | UNREADABLE | ANSWERED | NO_EFFECT, ANY_WORD);
  case F_DDP_CONTROL: return of_ddp_control(m);
  case F_RDMAP_CONTROL: return of_rdmap_control(m);
  case F_STAG: return m->x.len > 14 ? MAY(FAULT, 0x1100) : ONLY(NO_EFFECT);
  case F_TO: return of_tagged_offset(m);
  case F_INVALIDATE: return invalidates && last(&m->x) ? MAY(FAULT, 0x0209) : ONLY(NO_EFFECT);
  case F_QN: return be(&m->ulpdu[6], 4) > 3 ? MAY(FAULT, 0x1201) : MAY(FAULT, 0x0206);
  case F_MSN: return of_msn(m);
  case F_MO: return MAY(FAULT, 0x1204);
  case F_READ_REQ: return of_read_request(m);
  case F_ATOMIC_REQ: return of_atomic_request(m);
  case F_ATOMIC_RESP: return m->x.nth < 4 ? MAY(FAULT, 0x02FF) : ONLY(HIDDEN);
  case F_IMMEDIATE: return ONLY(HIDDEN); /* other octets are reported to the ULP */
  case F_PAYLOAD: return ONLY(ONE_OCTET);
  case F_PAD:
  case F_CRC: return ONLY(NO_EFFECT);
  case F_STARTUP:
  case NUM_FIELDS: break;
  }
  return ONLY(0);
}

static verdict refused(size_t who, iwarp_err err) {
  return (verdict){.effects = NO_START, .err = err, .refuses = who};
}

/* Octet 16, one bit of it. RFC 5044 7.1.1, RFC 6581 6 and 10 */
static verdict of_flags(const spoilt *m) {
  const size_t to = 1 - m->from;
  const bool enhanced = m->v->cfg[0].rev == 2;
  if (m->with == 0x20 && m->from == 1) {
    return refused(0, IWARP_OK); /* R of a Reply: rejected, which is no error */
  }
  if (m->with == 0x10 && enhanced) {
    return refused(0, IWARP_ERR_MPA_ENHANCED); /* the Initiator sees that S does not fit */
  }
  if (m->with == 0x40) { /* they still agree on CRCs if the other side wants them */
    return !m->v->cfg[to].no_crc ? ONLY(NO_EFFECT) : MAY(LATE | ANSWERED | STALL, 0x2002);
  }
  if (m->with == 0x80) { /* one side sends Markers, or none, and the other does not know */
    return MAY(HIDDEN | NO_EFFECT | LATE | STALL | UNREADABLE | ANSWERED, ANY_WORD);
  }
  return ONLY(NO_EFFECT);
}

/* Octet 17: 1 and, without S, 2 are for all. RFC 6581 10 */
static verdict of_rev(const spoilt *m) {
  const size_t to = 1 - m->from;
  const uint8_t was = m->v->cfg[0].rev;
  const uint8_t is = was ^ m->with;
  if (is != 1 && is != 2) {
    return refused(to, IWARP_ERR_MPA_REV);
  }
  return was == 2 ? refused(0, IWARP_ERR_MPA_ENHANCED) : ONLY(NO_EFFECT);
}

/* The end of the Private Data of a Reply is taken for FPDUs, as the Responder might send them. */
static verdict of_short_reply(const spoilt *m) {
  if (m->v->crc) {
    return MAY(LATE | STALL, 0x2002);
  }
  return MAY(HIDDEN | LATE | STALL | UNREADABLE | ANSWERED, ANY_WORD);
}

static verdict of_startup(const spoilt *m, const uint8_t *wire) {
  const size_t to = 1 - m->from;
  uint8_t length[2] = {wire[18], wire[19]};
  if (m->x.nth < 16) {
    return refused(to, IWARP_ERR_MPA_KEY);
  }
  if (m->x.nth < 18) {
    return m->x.nth == 16 ? of_flags(m) : of_rev(m);
  }
  if (m->x.nth < 20) {
    const uint64_t was = be(length, 2);
    length[m->x.nth - 18] ^= m->with;
    const uint64_t is = be(length, 2);
    if (is > was && is <= 512) {
      return refused(to, to == 0 ? IWARP_ERR_ABORTED
                                 : IWARP_ERR_LOST); /* it waits, see endpoint_pair_drop */
    }
    const bool bare = m->v->cfg[0].rev == 2 && is < 4;
    if (m->from == 1 && !bare && is < was) {
      return of_short_reply(m);
    }
    return refused(to, bare ? IWARP_ERR_MPA_ENHANCED : IWARP_ERR_MPA_PD_LENGTH);
  }
  if (m->x.nth < 24 && m->v->cfg[0].rev == 2) { /* other terms, not always compatible ones */
    return MAY(NO_EFFECT | HIDDEN | LATE | ANSWERED | STALL, 0x2006, 0x2007, 0x1202);
  }
  return ONLY(NO_EFFECT); /* Private Data are the ULP's */
}

verdict mutate_foresee(const spoilt *m, const uint8_t *wire) {
  if (m->x.f == F_STARTUP) {
    return of_startup(m, wire);
  }
  if (!m->v->crc) {
    return of_unprotected(m);
  }
  if (m->x.f == F_LENGTH) { /* the CRC is looked for elsewhere, perhaps after the end */
    return MAY(LATE | STALL, 0x2002);
  }
  return MAY(FAULT, 0x2002);
}
