/* SPDX-License-Identifier: BSD-2-Clause */
/* Which upper layer the Private Data of a startup frame belong to. */
#ifndef OBSERVE_ULP_H
#define OBSERVE_ULP_H

#include <iwarp/base.h>

/** observe_ulp is an upper layer. All but RPC-over-RDMA are guesses, by length and values. */
typedef enum observe_ulp {
  OBSERVE_ULP_UNKNOWN = 0,
  OBSERVE_ULP_RPC_RDMA, /* the format identifier of RFC 8797 */
  OBSERVE_ULP_SMBD,     /* depths of MS-SMBD */
  OBSERVE_ULP_NVME,     /* 32 octets of NVMe over Fabrics 1.1, 7.3.6 */
  OBSERVE_ULP_ISER      /* four octets of flags, as Linux sends them: RFC 7145 has none */
} observe_ulp;

/** observe_ulp_of returns the upper layer of a Request, by its Private Data without the four octets
 * of an enhanced frame. */
observe_ulp observe_ulp_of(iwarp_span request);

/** observe_nvme_status returns the status of a Reject of NVMe/RDMA, 1 to 9; 0: these Private Data
 * have none. NVMe over Fabrics 1.1, 7.3.6.5 */
unsigned int observe_nvme_status(iwarp_span reject);

/** observe_ulp_mark returns the octets of Private Data that the two calls above read to recognise
 * what they return; empty: they recognise nothing. `reject`: of a Reject. */
iwarp_span observe_ulp_mark(iwarp_span ulp_data, bool reject);

#endif
