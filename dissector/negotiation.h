/* SPDX-License-Identifier: BSD-2-Clause */
/* The terms on which Request and Reply agreed. */
#ifndef DISSECTOR_NEGOTIATION_H
#define DISSECTOR_NEGOTIATION_H

#include <iwarp/observer.h>

#include "frames.h"

/* negotiation is the result of an MPA startup that was captured. */
typedef struct negotiation {
  const frame_pdu *reply;
  const frame_pdu *request;
  guint64 setup_ns;         /* time from the Request to the Reply; 0: the Reply came first */
  iwarp_observer_info info; /* information after the Reply, or at the connection's end */
} negotiation;

/* negotiation_startup takes a startup frame, its time, and the observer's information after the
 * frame. */
void negotiation_startup(const frame_pdu *pdu, guint64 time_ns, const iwarp_observer_info *info);

/* negotiation_end takes the observer's information at the connection's end. */
void negotiation_end(const struct conn *c, const iwarp_observer_info *info);

/* negotiation_reads returns how many RDMA Reads a side may have outstanding; false: not known. */
bool negotiation_reads(guint32 *limit, const struct conn *c, guint8 side);

/* negotiation_show links Request and Reply, up to a frame, and adds the result to the tree of the
 * Reply. */
void negotiation_show(packet_info *pinfo, proto_tree *tree, const frame_pdu *pdu, guint32 known);

#endif
