/* SPDX-License-Identifier: BSD-2-Clause */
/* One PDU as a tree. */
#ifndef DISSECTOR_SHOW_PDU_H
#define DISSECTOR_SHOW_PDU_H

#include "pdu_octets.h"

/* show_pdu adds a PDU of the frame, with its broken rules at their fields; upper layers at `root`.
 */
void show_pdu(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree, proto_tree *root,
              const frame_rec *rec, const pdu_decoded *d);

/* show_pdu_upper hands it to upper layers and adds nothing itself, where no one wants its tree. */
void show_pdu_upper(tvbuff_t *frame, packet_info *pinfo, proto_tree *root, const pdu_decoded *d);

#endif
