/* SPDX-License-Identifier: BSD-2-Clause */
/* What endpoints may share: the regions of a machine, and a receive queue. */
#ifndef IWARP_SHARED_H
#define IWARP_SHARED_H

#include <iwarp/endpoint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * iwarp_regions and iwarp_srq are given to endpoints by their configuration and serve any number of
 * them. They live in memory of the caller, who keeps it until the last of these endpoints has
 * reported CLOSED. They and their endpoints are used by one thread at a time. RFC 5042 6.4.3
 *
 * A region is open to the endpoints of its Protection Domain (`pd`), as a Memory Region of Verbs:
 * for the others its STag is not associated with the stream. A Send takes its buffer from the
 * shared queue when its first segment comes; with the endpoint that took it the buffer completes,
 * FLUSHED where the connection ends before, and all others stay in the queue.
 */

/** iwarp_regions_size returns the octets of memory for `num` regions; 0 where `num` is 0 or beyond
 * IWARP_ENDPOINT_LIST_MAX. */
IWARP_API size_t iwarp_regions_size(uint32_t num);

/**
 * iwarp_regions_init makes an empty table for `num` regions in `mem` (aligned as max_align_t,
 * `mem_len` octets, owned by the caller). NOBUF: too small. ARG: bad number or alignment.
 */
IWARP_API iwarp_err iwarp_regions_init(iwarp_regions **out, void *mem, size_t mem_len,
                                       uint32_t num);

/** iwarp_regions_register makes a region known to all endpoints; see iwarp_endpoint_register. */
IWARP_API iwarp_err iwarp_regions_register(iwarp_regions *regions, const iwarp_endpoint_region *v);

/**
 * iwarp_regions_invalidate ends all access to a region; see iwarp_endpoint_invalidate. Each
 * endpoint acts on it with the next call of iwarp_endpoint_next_event or _next_output.
 */
IWARP_API iwarp_err iwarp_regions_invalidate(iwarp_regions *regions, uint32_t stag);

/** iwarp_regions_revoke does the same and stops Read Responses; see iwarp_endpoint_revoke. */
IWARP_API iwarp_err iwarp_regions_revoke(iwarp_regions *regions, uint32_t stag);

/** iwarp_regions_deregister forgets a region; see iwarp_endpoint_deregister. STATE: a Read Response
 * of some endpoint borrows its octets; the region is invalidated. */
IWARP_API iwarp_err iwarp_regions_deregister(iwarp_regions *regions, uint32_t stag);

/** iwarp_srq_size returns the octets of memory for a queue of `num` buffers; 0 as
 * iwarp_regions_size. */
IWARP_API size_t iwarp_srq_size(uint32_t num);

/**
 * iwarp_srq_init makes an empty queue of `num` buffers in `mem`, as iwarp_regions_init does. When
 * fewer than `low` are left (0: never), the endpoint that takes events next reports RECV_LOW, once
 * until there are `low` again. ARG also where `low` is more than `num`.
 */
IWARP_API iwarp_err iwarp_srq_init(iwarp_srq **out, void *mem, size_t mem_len, uint32_t num,
                                   uint32_t low);

/** iwarp_srq_recv posts a receive buffer. NOBUF: `num` are posted. */
IWARP_API iwarp_err iwarp_srq_recv(iwarp_srq *srq, const iwarp_endpoint_buffer *v);

/** iwarp_srq_num counts the buffers that no endpoint has taken. */
IWARP_API uint32_t iwarp_srq_num(const iwarp_srq *srq);

#ifdef __cplusplus
}
#endif

#endif
