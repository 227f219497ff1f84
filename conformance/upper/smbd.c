/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SMB Direct: the negotiation, and Data Transfer messages with SMB 2 or 3 in them. All numbers have
 * their least significant octet first. MS-SMBD 2.2, MS-SMB2 2.2.1
 */
#include "upper_priv.h"

#define SMBD_VERSION 0x0100u
#define SMBD_REQUEST_LEN 20u    /* octets of a Negotiate Request */
#define SMBD_RESPONSE_LEN 32u   /* octets of a Negotiate Response */
#define SMBD_DATA_LEN 20u       /* up to DataLength and its padding */
#define SMBD_DATA_OFFSET 24u    /* least offset of data: a multiple of 8 */
#define SMBD_LEAST 128u         /* least size of a message */
#define SMBD_FRAGMENTED 131072u /* least size of a fragmented message */
#define SMBD_MOST 0x1000000u    /* no sender offers as much */
#define SMBD_SMB2_LEN 64u
#define SMBD_SMB2_COMMAND 12u
#define SMBD_SMB2_STATUS 8u
#define SMBD_SMB2_FLAGS 16u

static bool smbd_size(const uint8_t *at, uint32_t least) {
  return upper_le32(at) >= least && upper_le32(at) < SMBD_MOST;
}

/* MinVersion, MaxVersion, Reserved, CreditsRequested, and three sizes. MS-SMBD 2.2.1 */
static bool smbd_request(const upper_send *m) {
  const uint8_t *p = m->head;
  return m->whole && m->segment == SMBD_REQUEST_LEN && m->len == m->segment &&
         m->msn <= UPPER_HARD_MSN && upper_sends_as(m, IWARP_ROLE_INITIATOR) &&
         upper_le16(p) == SMBD_VERSION && upper_le16(p + 2) == SMBD_VERSION &&
         upper_zeros(p + 4, 2) && !upper_zeros(p + 6, 2) && smbd_size(p + 8, SMBD_LEAST) &&
         smbd_size(p + 12, SMBD_LEAST) && smbd_size(p + 16, SMBD_FRAGMENTED);
}

/* These versions, then NegotiatedVersion, Reserved, credits, Status, and four sizes. MS-SMBD 2.2.2
 */
static bool smbd_response(const upper_send *m) {
  const uint8_t *p = m->head;
  return m->whole && m->segment == SMBD_RESPONSE_LEN && m->len == m->segment &&
         m->msn <= UPPER_HARD_MSN && upper_sends_as(m, IWARP_ROLE_RESPONDER) &&
         upper_le16(p) == SMBD_VERSION && upper_le16(p + 2) == SMBD_VERSION &&
         upper_le16(p + 4) == SMBD_VERSION && upper_zeros(p + 6, 2) &&
         smbd_size(p + 16, SMBD_LEAST) && smbd_size(p + 20, SMBD_LEAST) &&
         smbd_size(p + 24, SMBD_LEAST) && smbd_size(p + 28, SMBD_FRAGMENTED);
}

/* The header of a Data Transfer message agrees with the length of the Send. MS-SMBD 2.2.3 */
static bool smbd_data(const upper_send *m) {
  const uint8_t *p = m->head;
  if (m->len < SMBD_DATA_LEN || (upper_le16(p + 4) & ~1u) != 0 || !upper_zeros(p + 6, 2)) {
    return false;
  }
  const uint32_t offset = upper_le32(p + 12);
  const uint32_t length = upper_le32(p + 16);
  if (length == 0) {
    return offset == 0 && upper_zeros(p + 8, 4) && m->whole && m->segment <= SMBD_DATA_OFFSET;
  }
  const uint64_t end = (uint64_t)offset + length;
  return offset >= SMBD_DATA_OFFSET && offset % 8 == 0 &&
         (m->whole ? end == m->segment : end > m->segment);
}

/* The data begin with an SMB 2 header. */
static const uint8_t *smbd_smb2(const upper_send *m) {
  const uint32_t offset = upper_le32(m->head + 12);
  if (upper_le32(m->head + 16) < SMBD_SMB2_LEN || offset >= m->len ||
      m->len - offset < SMBD_SMB2_LEN) {
    return NULL;
  }
  const uint8_t *smb = m->head + offset;
  return memcmp(smb, "\xfeSMB", 4) == 0 && upper_le16(smb + 4) == SMBD_SMB2_LEN ? smb : NULL;
}

static void smbd_command(upper_message *out, const uint8_t *smb) {
  const uint16_t command = upper_le16(smb + SMBD_SMB2_COMMAND);
  const bool response = (smb[SMBD_SMB2_FLAGS] & 1u) != 0;
  out->program = "SMB2";
  out->name = upper_name(UPPER_SMB2, command);
  out->kind = response ? "response" : "request";
  out->status = response ? upper_le32(smb + SMBD_SMB2_STATUS) : 0;
  if (out->name == NULL) {
    out->name = "command";
    out->number = command;
    out->has_number = true;
  }
}

static bool smbd_transfer(upper *u, const upper_send *m, upper_message *out) {
  const bool continued = u->fragments[m->side];
  if (!smbd_data(m)) {
    return false;
  }
  const uint8_t *smb = upper_le32(m->head + 16) > 0 && !continued ? smbd_smb2(m) : NULL;
  if (u->decided != UPPER_SMBD && smb == NULL) {
    return false;
  }
  if (upper_le32(m->head + 16) > 0) {
    u->fragments[m->side] = upper_le32(m->head + 8) > 0;
  }
  if (smb != NULL) {
    smbd_command(out, smb);
  } else {
    out->name = upper_le32(m->head + 16) == 0 ? "credits" : continued ? "fragment" : "data";
  }
  return true;
}

bool upper_smbd(upper *u, const upper_send *m, upper_message *out) {
  if (smbd_request(m)) {
    out->name = "negotiate";
    out->kind = "request";
    return true;
  }
  if (smbd_response(m)) {
    out->name = "negotiate";
    out->kind = "response";
    out->status = upper_le32(m->head + 12);
    return true;
  }
  return smbd_transfer(u, m, out);
}
