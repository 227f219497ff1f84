/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands the payload of Sends to the dissectors of upper layers. */
#ifndef DISSECTOR_UPPER_H
#define DISSECTOR_UPPER_H

#include "pdu_view.h"

/* upper_register makes the table in which the user chooses a dissector by Decode As. */
void upper_register(int proto);
/* upper_handoff finds the list of heuristics for payloads of RDMAP. */
void upper_handoff(void);

/* upper_show hands over the Send that a PDU completes, if it completes one, or the segment of a
 * message that moves what Sends name: RDMA Write, Read Request, Read Response. Its payload begins
 * at octet `at` of the PDU; `root` is the tree of the frame. Returns the name of the protocol that
 * took it, or NULL. */
const char *upper_show(const pdu_view *v, proto_tree *root, size_t at);

#endif
