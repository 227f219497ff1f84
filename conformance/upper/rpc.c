/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RPC-over-RDMA version 1: the transport header, and the RPC message after it. RFC 8166 4, RFC 5531
 * 9. A call is named by its program and procedure, a reply by the call with its XID.
 */
#include "nfs4.h"

#define RPC_VERSION 1u /* version of RPC-over-RDMA */
#define RPC_CALL_VERSION 2u
#define RPC_COMPOUND 1u /* the procedure of NFSv4 that has operations */

enum { RPC_MSG = 0, RPC_NOMSG, RPC_MSGP, RPC_DONE, RPC_ERROR };
enum { RPC_CALL = 0, RPC_REPLY };
enum { RPC_ERROR_VERS = 1, RPC_ERROR_CHUNK };

#define RPC_SEGMENT_LEN 16u /* octets of an RDMA segment: handle, length, offset */

static const struct {
  uint32_t program;
  uint32_t version;
  upper_space space;
  upper_space parts; /* space of the parts of RPC_COMPOUND; equal to `space`: no parts */
  const char *label;
} rpc_programs[] = {
    {100003, 3, UPPER_NFS3, UPPER_NFS3, "NFSv3"},
    {100003, 4, UPPER_NFS4, UPPER_NFS4_OP, "NFSv4"},
    {100227, 3, UPPER_NFSACL3, UPPER_NFSACL3, "NFSACLv3"},
    {0x40000000, 1, UPPER_NFS4_CALLBACK, UPPER_NFS4_CALLBACK_OP, "NFSv4"},
    {0x40000000, 4, UPPER_NFS4_CALLBACK, UPPER_NFS4_CALLBACK_OP, "NFSv4"},
};

#define RPC_PROGRAMS (sizeof rpc_programs / sizeof rpc_programs[0])

/* A flag that an item of a list follows: 0 or 1. */
static bool rpc_more(rpc_reader *r) {
  const uint32_t flag = rpc_word(r);
  r->failed = r->failed || flag > 1;
  return !r->failed && flag == 1;
}

/* The segments of one Write chunk, or of the Reply chunk. */
static void rpc_chunk(rpc_reader *r) {
  const uint32_t segments = rpc_word(r);
  if (segments > UPPER_HEAD / RPC_SEGMENT_LEN) {
    r->failed = true;
  }
  rpc_skip(r, (size_t)segments * RPC_SEGMENT_LEN);
}

/* The Read list, the Write list, and the Reply chunk; true: a list or the chunk has an item. */
static bool rpc_lists(rpc_reader *r) {
  bool any = false;
  while (rpc_more(r)) {
    rpc_skip(r, 4 + RPC_SEGMENT_LEN);
    any = true;
    r->read_chunks = true;
  }
  while (rpc_more(r)) {
    rpc_chunk(r);
    any = true;
  }
  if (rpc_more(r)) {
    rpc_chunk(r);
    any = true;
  }
  return any;
}

/* ---- RPC messages ---- */

/* The name of the procedure of a call that was seen. */
static void rpc_named(upper_message *out, const upper_request *call, const char *kind) {
  const size_t row = call->table - 1u;
  out->kind = kind;
  if (row < RPC_PROGRAMS) {
    out->program = rpc_programs[row].label;
    out->name = upper_name(rpc_programs[row].space, call->value);
    for (size_t i = 0; i < call->num_parts; i++) {
      out->parts[i] = upper_name(rpc_programs[row].parts, call->parts[i]);
    }
    out->more_parts = call->more_parts;
  }
}

/* The operations of a COMPOUND, which follow credential and verifier. */
static void rpc_parts(rpc_reader *r, size_t row, upper_request *call) {
  if (row < RPC_PROGRAMS && rpc_programs[row].parts != rpc_programs[row].space &&
      call->value == RPC_COMPOUND) {
    rpc_skip(r, 4); /* the flavor of the credential */
    rpc_array(r, 1);
    rpc_skip(r, 4); /* the flavor of the verifier */
    rpc_array(r, 1);
    upper_nfs4(r, rpc_programs[row].parts, call);
  }
}

static size_t rpc_row(uint32_t program, uint32_t version) {
  size_t i = 0;
  while (i < RPC_PROGRAMS &&
         (rpc_programs[i].program != program || rpc_programs[i].version != version)) {
    i++;
  }
  return i;
}

static bool rpc_call(upper *u, rpc_reader *r, uint32_t xid, upper_message *out) {
  const uint32_t rpc_version = rpc_word(r);
  const uint32_t program = rpc_word(r);
  const uint32_t version = rpc_word(r);
  const uint32_t procedure = rpc_word(r);
  if (r->failed || rpc_version != RPC_CALL_VERSION) {
    return false;
  }
  const size_t row = rpc_row(program, version);
  if (row == RPC_PROGRAMS && u->decided != UPPER_RPC_RDMA) {
    return false; /* small numbers may be anything */
  }
  upper_request call = {.id = xid,
                        .table = (uint16_t)(row + 1),
                        .value = procedure < UINT8_MAX ? (uint8_t)procedure : UINT8_MAX,
                        .side = r->m->side};
  rpc_parts(r, row, &call);
  rpc_named(out, &call, "call");
  if (out->name == NULL) {
    out->name = out->program != NULL ? "procedure" : "program";
    out->number = out->program != NULL ? procedure : program;
    out->has_number = true;
  }
  upper_open(u, &call);
  return true;
}

static bool rpc_reply(upper *u, rpc_reader *r, uint32_t xid, upper_message *out) {
  const uint32_t denied = rpc_word(r);
  upper_request call;
  if (r->failed || denied > 1) {
    return false;
  }
  const char *kind = denied != 0 ? "reply (denied)" : "reply";
  out->kind = kind;
  if (upper_take(u, xid, r->m->side, &call)) {
    rpc_named(out, &call, kind);
  }
  return true;
}

static bool rpc_msg(upper *u, rpc_reader *r, uint32_t xid, upper_message *out) {
  const uint32_t again = rpc_word(r);
  const uint32_t direction = rpc_word(r);
  if (r->failed || again != xid) {
    return false;
  }
  if (direction == RPC_CALL) {
    return rpc_call(u, r, xid, out);
  }
  return direction == RPC_REPLY && u->decided == UPPER_RPC_RDMA && rpc_reply(u, r, xid, out);
}

/* ---- messages without an RPC message in the Send ---- */

/* Nothing follows the header. */
static bool rpc_ends(const rpc_reader *r) {
  return !r->failed && r->m->whole && r->at == r->m->segment;
}

/* The RPC message is in a chunk; the XID tells whether it is a reply. */
static bool rpc_nomsg(upper *u, rpc_reader *r, uint32_t xid, upper_message *out) {
  upper_request call;
  if (!rpc_lists(r) || !rpc_ends(r)) {
    return false;
  }
  if (upper_take(u, xid, r->m->side, &call)) {
    rpc_named(out, &call, "reply");
  } else {
    out->name = "RDMA_NOMSG";
  }
  return true;
}

static bool rpc_error(rpc_reader *r, upper_message *out) {
  const uint32_t error = rpc_word(r);
  if (error == RPC_ERROR_VERS) {
    rpc_skip(r, 8);
  }
  out->name = error == RPC_ERROR_VERS ? "RDMA_ERROR ERR_VERS" : "RDMA_ERROR ERR_CHUNK";
  return (error == RPC_ERROR_VERS || error == RPC_ERROR_CHUNK) && rpc_ends(r);
}

bool upper_rpc(upper *u, const upper_send *m, upper_message *out) {
  rpc_reader r = {.m = m};
  const uint32_t xid = rpc_word(&r);
  const uint32_t version = rpc_word(&r);
  const uint32_t credits = rpc_word(&r);
  const uint32_t procedure = rpc_word(&r);
  const bool decided = u->decided == UPPER_RPC_RDMA;
  if (r.failed || version != RPC_VERSION || (credits == 0 && procedure != RPC_ERROR)) {
    return false;
  }
  rpc_skip(&r, procedure == RPC_MSGP ? 8 : 0); /* rdma_align, rdma_thresh */
  switch (procedure) {
  case RPC_MSG:
  case RPC_MSGP: (void)rpc_lists(&r); return rpc_msg(u, &r, xid, out);
  case RPC_NOMSG: return decided && rpc_nomsg(u, &r, xid, out);
  case RPC_DONE: out->name = "RDMA_DONE"; return decided && rpc_ends(&r);
  case RPC_ERROR: return decided && rpc_error(&r, out);
  default: return false;
  }
}
