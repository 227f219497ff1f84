/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the PDUs and facts of a frame. */
#ifndef DISSECTOR_SHOW_H
#define DISSECTOR_SHOW_H

#include "ws_compat.h"

/* show_payload is the dissector of a TCP payload: it takes iWARP and refuses all other octets. What
 * an error of ICMP quotes is shown as data. */
int show_payload(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data);

/* show_message is the dissector of a message over SCTP: it takes the messages
 * of DDP Stream Sessions and refuses others. */
int show_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data);

/* show_rest is called at the end of each frame and shows what TCP or SCTP handed to no one. */
int show_rest(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data);

#endif
