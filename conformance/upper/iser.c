/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iSER: its header, and the Basic Header Segment of iSCSI after it. Hello, a Login Request, or the
 * Private Data that Linux sends decide. RFC 7145 9, RFC 7143 11.2.1
 */
#include "upper_priv.h"

#define ISER_HEADER_LEN 28u
#define ISER_BHS_LEN 48u
#define ISER_ANSWER 0x20u /* this bit of an opcode of iSCSI: the target sends it */
#define ISER_LOGIN 3u
#define ISER_OPCODE_MASK 0x3Fu

enum { ISER_CONTROL = 1, ISER_HELLO, ISER_HELLO_REPLY };

/* RFC 5046 had the version 1, RFC 7145 has 10. */
static bool iser_version(uint8_t nibble) {
  return nibble == 1 || nibble == 10;
}

/* Nothing but versions, and two octets with IRD or ORD. The flag of a HelloReply is REJ. */
static bool iser_hello(const upper_send *m, uint8_t opcode) {
  const uint8_t *p = m->head;
  const uint8_t flags = opcode == ISER_HELLO_REPLY ? 1u : 0u;
  return m->whole && m->segment == ISER_HEADER_LEN && m->len == m->segment && p[0] >> 4 == opcode &&
         (p[0] & 0x0Fu & ~flags) == 0 && iser_version(p[1] >> 4) && iser_version(p[1] & 0x0Fu) &&
         upper_zeros(p + 4, ISER_HEADER_LEN - 4);
}

/* An STag and its Base Offset are zeros where their flag is not set. */
static bool iser_header(const uint8_t *p) {
  return p[0] >> 4 == ISER_CONTROL && (p[0] & 3u) == 0 && upper_zeros(p + 1, 3) &&
         ((p[0] & 8u) != 0 || upper_zeros(p + 4, 12)) &&
         ((p[0] & 4u) != 0 || upper_zeros(p + 16, 12));
}

/* The lengths of the Basic Header Segment agree with the length of the Send. */
static bool iser_lengths(const upper_send *m) {
  const uint8_t *bhs = m->head + ISER_HEADER_LEN;
  const size_t data = upper_be32(bhs + 4) & 0xFFFFFFu;
  const size_t least = ISER_HEADER_LEN + ISER_BHS_LEN + 4u * bhs[4] + data;
  const size_t padded = least + (4u - data % 4u) % 4u;
  return m->whole ? m->segment == least || m->segment == padded : m->segment < padded;
}

static bool iser_login(const upper_send *m) {
  const uint8_t *bhs = m->head + ISER_HEADER_LEN;
  return m->msn <= UPPER_HARD_MSN && (bhs[0] & ISER_OPCODE_MASK) == ISER_LOGIN &&
         upper_zeros(bhs + 2, 3) && m->head[0] == ISER_CONTROL << 4 && !upper_zeros(bhs + 5, 3);
}

static bool iser_control(const upper *u, const upper_send *m, upper_message *out) {
  if (m->len < ISER_HEADER_LEN + ISER_BHS_LEN || !iser_header(m->head) || !iser_lengths(m)) {
    return false;
  }
  const uint8_t opcode = m->head[ISER_HEADER_LEN] & ISER_OPCODE_MASK;
  const iwarp_role sender =
      (opcode & ISER_ANSWER) != 0 ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR;
  const bool known = u->decided == UPPER_ISER || u->hint == UPPER_ISER || iser_login(m);
  out->name = known && upper_sends_as(m, sender) ? upper_name(UPPER_ISCSI, opcode) : NULL;
  return out->name != NULL;
}

bool upper_iser(upper *u, const upper_send *m, upper_message *out) {
  if (iser_hello(m, ISER_HELLO) && upper_sends_as(m, IWARP_ROLE_INITIATOR)) {
    out->name = "Hello";
    return true;
  }
  if (u->decided == UPPER_ISER && iser_hello(m, ISER_HELLO_REPLY)) {
    out->name = "HelloReply";
    return true;
  }
  return iser_control(u, m, out);
}
