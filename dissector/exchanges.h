/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests with their responses: RDMA Reads and Atomic Operations. */
#ifndef DISSECTOR_EXCHANGES_H
#define DISSECTOR_EXCHANGES_H

#include <iwarp/event.h>
#include <iwarp/rules.h>

#include "frames.h"

/* exchange is a request and what answers it, kept as long as the capture file is open. */
typedef struct exchange {
  guint32 frame; /* frame of the request */
  guint64 time_ns;
  bool atomic;
  iwarp_rdmap_read_req sink; /* header of a Read Request, as far as it was captured; else zeros */
  wmem_array_t *answers;     /* exchange_answer, one a frame */
} exchange;

typedef struct exchange_answer {
  guint32 frame;
  guint64 time_ns;
} exchange_answer;

/* exchanges holds the requests of one side. */
typedef struct exchanges {
  wmem_map_t *by_number; /* exchanges by the number of iwarp_link */
} exchanges;

/* exchanges_segment takes a segment of a side with its link from the rules; `all` has the exchanges
 * of both sides by number. */
void exchanges_segment(exchanges all[2], frame_pdu *pdu, const iwarp_event *ev,
                       const iwarp_link *link);

/* exchanges_show adds the links between a request and its responses, up to a frame; `seg` is the
 * segment of the PDU. */
void exchanges_show(proto_tree *tree, const frame_pdu *pdu, const iwarp_rdmap_seg *seg,
                    guint32 known);

#endif
