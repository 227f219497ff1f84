/* SPDX-License-Identifier: BSD-2-Clause */
#include <observe/ulp.h>

#include <iwarp/private_data.h>

#define NVME_REQUEST 32u   /* octets: RECFMT, QID, HRQSIZE, HSQSIZE, CNTLID, ... */
#define NVME_REJECT 4u     /* octets: RECFMT, STS */
#define NVME_RECFMT 2u     /* octets, little-endian; 0 is the only format */
#define NVME_STATUS_MAX 9u /* invalid CNTLID */
#define ISER_REQUEST 4u    /* octets */
#define ISER_FLAGS 0xC0u   /* no Zero Based Virtual Addresses; no Send with Invalidate */

static bool ulp_is_nvme(iwarp_span v) {
  return v.len == NVME_REQUEST && v.ptr[0] == 0 && v.ptr[1] == 0;
}

static bool ulp_is_iser(iwarp_span v) {
  return v.len == ISER_REQUEST && v.ptr[0] != 0 && (v.ptr[0] & ~ISER_FLAGS) == 0 &&
         v.ptr[1] + v.ptr[2] + v.ptr[3] == 0;
}

observe_ulp observe_ulp_of(iwarp_span request) {
  if (iwarp_rpc_rdma_find(request).len > 0) {
    return OBSERVE_ULP_RPC_RDMA;
  }
  if (iwarp_smbd_depths_guess(request) != IWARP_BYTE_ORDER_UNKNOWN) {
    return OBSERVE_ULP_SMBD;
  }
  if (ulp_is_nvme(request)) {
    return OBSERVE_ULP_NVME;
  }
  return ulp_is_iser(request) ? OBSERVE_ULP_ISER : OBSERVE_ULP_UNKNOWN;
}

unsigned int observe_nvme_status(iwarp_span reject) {
  const bool any =
      reject.len >= NVME_REJECT && reject.ptr[0] == 0 && reject.ptr[1] == 0 && reject.ptr[3] == 0;
  return any && reject.ptr[2] <= NVME_STATUS_MAX ? reject.ptr[2] : 0;
}

iwarp_span observe_ulp_mark(iwarp_span ulp_data, bool reject) {
  const iwarp_span first = {ulp_data.ptr, 0};
  if (reject) {
    return observe_nvme_status(ulp_data) != 0 ? (iwarp_span){ulp_data.ptr, NVME_REJECT} : first;
  }
  switch (observe_ulp_of(ulp_data)) {
  case OBSERVE_ULP_RPC_RDMA: return iwarp_rpc_rdma_find(ulp_data);
  case OBSERVE_ULP_SMBD:
  case OBSERVE_ULP_ISER: return ulp_data;
  case OBSERVE_ULP_NVME: return (iwarp_span){ulp_data.ptr, NVME_RECFMT};
  case OBSERVE_ULP_UNKNOWN: break;
  }
  return first;
}
