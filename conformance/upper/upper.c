/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of the Sends to name, and of the protocol of a connection. */
#include <stdlib.h>

#include <iwarp/private_data.h>
#include <memory/memory.h>
#include <observe/ulp.h>

#include "upper_priv.h"

#define UPPER_NVME_QID 2u /* octets before QID in the Private Data of NVMe/RDMA */

/* ---- requests ---- */

void upper_open(upper *u, const upper_request *request) {
  size_t at = 0;
  while (at < UPPER_OPEN && u->open[at].table != 0) {
    at++;
  }
  if (at == UPPER_OPEN) {
    at = u->next;
    u->next = (u->next + 1) % UPPER_OPEN;
  }
  u->open[at] = *request;
}

bool upper_take(upper *u, uint32_t id, uint8_t side, upper_request *out) {
  for (size_t i = 0; i < UPPER_OPEN; i++) {
    upper_request *r = &u->open[i];
    if (r->table != 0 && r->id == id && r->side != side) {
      *out = *r;
      r->table = 0;
      return true;
    }
  }
  return false;
}

/* ---- the startup ---- */

static upper *upper_made(upper **kept) {
  if (*kept == NULL) {
    *kept = memory_zeroed(1, sizeof **kept);
  }
  return *kept;
}

static upper_protocol upper_hint(iwarp_span request) {
  switch (observe_ulp_of(request)) {
  case OBSERVE_ULP_RPC_RDMA: return UPPER_RPC_RDMA;
  case OBSERVE_ULP_SMBD: return UPPER_SMBD;
  case OBSERVE_ULP_NVME: return UPPER_NVME;
  case OBSERVE_ULP_ISER: return UPPER_ISER;
  case OBSERVE_ULP_UNKNOWN: break;
  }
  return UPPER_UNKNOWN;
}

/* The Private Data of a Request, or of an Initiate over SCTP. */
static void upper_startup(upper **kept, iwarp_span request) {
  const upper_protocol hint = upper_hint(request);
  upper *u = hint != UPPER_UNKNOWN ? upper_made(kept) : NULL;
  if (u == NULL) {
    return;
  }
  u->hint = hint;
  if (hint == UPPER_NVME) {
    u->qid = upper_le16(request.ptr + UPPER_NVME_QID);
  }
  if (hint == UPPER_RPC_RDMA) { /* RPC-over-RDMA alone announces itself */
    u->decided = hint;
  }
}

/* ---- Sends ---- */

static bool upper_is_send(const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  if (ev->kind != IWARP_EVENT_FPDU && ev->kind != IWARP_EVENT_SCTP_SEGMENT) {
    return false;
  }
  const bool sound = v->seg.has_ddp && v->seg.err == IWARP_OK && v->crc != IWARP_CRC_BAD &&
                     !ev->last.damaged && !ev->last.differ;
  return sound && !v->seg.ddp.tagged && v->seg.ddp.mo == 0 &&
         iwarp_rdmap_op_get(v->seg.ctrl.opcode)->cls == IWARP_RDMAP_CLASS_SEND;
}

static size_t upper_read(uint8_t *head, const iwarp_event *ev) {
  iwarp_span run;
  size_t cursor = 0;
  size_t len = 0;
  while (len < UPPER_HEAD && iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    const size_t n = run.len < UPPER_HEAD - len ? run.len : UPPER_HEAD - len;
    memcpy(head + len, run.ptr, n);
    len += n;
  }
  return len;
}

static bool upper_of(upper *u, upper_protocol protocol, const upper_send *m, upper_message *out) {
  *out = (upper_message){.protocol = protocol};
  switch (protocol) {
  case UPPER_RPC_RDMA: return upper_rpc(u, m, out);
  case UPPER_SMBD: return upper_smbd(u, m, out);
  case UPPER_NVME: return upper_nvme(u, m, out);
  case UPPER_ISER: return upper_iser(u, m, out);
  case UPPER_UNKNOWN: break;
  }
  return false;
}

/* Tries each protocol on a Send of a connection that none was decided for. */
static bool upper_decide(upper **kept, const upper_send *m, upper_message *out) {
  upper trial = {.hint = UPPER_UNKNOWN};
  if (*kept != NULL) {
    trial = **kept;
  }
  for (unsigned int i = UPPER_RPC_RDMA; i <= UPPER_ISER; i++) {
    if (upper_of(&trial, (upper_protocol)i, m, out)) {
      upper *u = upper_made(kept);
      if (u != NULL) {
        *u = trial;
        u->decided = (upper_protocol)i;
      }
      return u != NULL;
    }
  }
  return false;
}

static bool upper_named(upper **kept, const iwarp_event *ev, iwarp_role role, upper_message *out) {
  uint8_t head[UPPER_HEAD];
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const upper_send m = {.head = head,
                        .len = upper_read(head, ev),
                        .segment = seg->payload_len,
                        .whole = seg->ddp.last,
                        .side = ev->side,
                        .role = role,
                        .msn = seg->ddp.msn};
  const upper_protocol decided = *kept != NULL ? (*kept)->decided : UPPER_UNKNOWN;
  return decided != UPPER_UNKNOWN ? upper_of(*kept, decided, &m, out) : upper_decide(kept, &m, out);
}

bool upper_event(upper **kept, const iwarp_event *ev, iwarp_role role, upper_message *out) {
  if (ev->kind == IWARP_EVENT_STARTUP && !ev->u.startup.is_reply) {
    upper_startup(kept, ev->u.startup.ulp_data);
  } else if (ev->kind == IWARP_EVENT_SCTP_MESSAGE && ev->sctp->u.message.has_control &&
             ev->sctp->u.message.kind == IWARP_SCTP_KIND_INITIATE) {
    upper_startup(kept, ev->sctp->u.message.ulp_data);
  }
  return upper_is_send(ev) && upper_named(kept, ev, role, out);
}

void upper_free(upper *kept) {
  free(kept);
}
