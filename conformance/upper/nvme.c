/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NVMe over RDMA: Command Capsules of the host, Response Capsules of the controller. The Private
 * Data of the Request and the command Connect decide. All numbers have their least significant
 * octet first. NVMe over Fabrics 1.1, 2.1, 3.3, 7.3
 */
#include "upper_priv.h"

#define NVME_SQE_LEN 64u
#define NVME_CQE_LEN 16u
#define NVME_FABRICS 0x7Fu /* the opcode of Fabrics commands */
#define NVME_CONNECT 1u    /* a Fabrics Command Type */
#define NVME_RECFMT 40u    /* offset of Record Format in Connect */
#define NVME_QID 42u       /* offset of Queue ID in Connect */
#define NVME_CID 2u        /* offset of Command Identifier in a command */
#define NVME_CQE_CID 12u   /* offset of Command Identifier in a response */
#define NVME_CQE_STATUS 14u

/* The host describes data by SGLs alone; bits 2 to 5 of its flags are reserved. */
static bool nvme_is_command(const upper_send *m) {
  if (m->len < NVME_SQE_LEN || !upper_sends_as(m, IWARP_ROLE_INITIATOR)) {
    return false;
  }
  const uint8_t flags = m->head[1];
  return (flags & 0x3Cu) == 0 && (flags & 0xC0u) != 0 && (flags & 0xC0u) != 0xC0u;
}

static bool nvme_is_connect(const upper *u, const upper_send *m) {
  const uint8_t *p = m->head;
  return p[0] == NVME_FABRICS && p[4] == NVME_CONNECT && upper_zeros(p + 5, 19) &&
         upper_zeros(p + NVME_RECFMT, 2) && upper_le16(p + NVME_QID) == u->qid;
}

/* A queue other than 0 has commands of a namespace. */
static upper_space nvme_space(const upper *u, uint8_t opcode) {
  return opcode == NVME_FABRICS ? UPPER_NVME_FABRICS
         : u->qid == 0          ? UPPER_NVME_ADMIN
                                : UPPER_NVME_IO;
}

static void nvme_named(upper_message *out, upper_space space, uint8_t value) {
  out->name = upper_name(space, value);
  if (out->name == NULL) {
    out->name = space == UPPER_NVME_FABRICS ? "Fabrics type" : "opcode";
    out->number = value;
    out->has_number = true;
  }
}

static bool nvme_command(upper *u, const upper_send *m, upper_message *out) {
  const uint8_t *p = m->head;
  if (!nvme_is_command(m) || (u->decided != UPPER_NVME && !nvme_is_connect(u, m))) {
    return false;
  }
  const upper_space space = nvme_space(u, p[0]);
  const upper_request command = {.id = upper_le16(p + NVME_CID),
                                 .table = (uint16_t)(space + 1u),
                                 .value = p[0] == NVME_FABRICS ? p[4] : p[0],
                                 .side = m->side};
  nvme_named(out, space, command.value);
  out->kind = "command";
  upper_open(u, &command);
  return true;
}

/* A response belongs to a command that was seen. */
static bool nvme_response(upper *u, const upper_send *m, upper_message *out) {
  upper_request command;
  const uint8_t *p = m->head;
  if (u->decided != UPPER_NVME || !m->whole || m->segment != NVME_CQE_LEN ||
      m->len != NVME_CQE_LEN || !upper_sends_as(m, IWARP_ROLE_RESPONDER) ||
      !upper_take(u, upper_le16(p + NVME_CQE_CID), m->side, &command)) {
    return false;
  }
  nvme_named(out, (upper_space)(command.table - 1u), command.value);
  out->kind = "response";
  out->status = upper_le16(p + NVME_CQE_STATUS) >> 1;
  return true;
}

bool upper_nvme(upper *u, const upper_send *m, upper_message *out) {
  return u->hint == UPPER_NVME && (nvme_command(u, m, out) || nvme_response(u, m, out));
}
