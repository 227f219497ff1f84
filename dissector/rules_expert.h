/* SPDX-License-Identifier: BSD-2-Clause */
/* Broken rules as expert infos, one kind for each row of the catalogue. */
#ifndef DISSECTOR_RULES_EXPERT_H
#define DISSECTOR_RULES_EXPERT_H

#include "frames.h"
#include "marks.h"

/* rules_expert_register makes an expert info of each rule. */
void rules_expert_register(int proto);

/* rules_expert_wanted says whether a finding is to be shown. */
bool rules_expert_wanted(const frame_finding *finding);

/* rules_expert_show adds a finding to the tree of its PDU, the expert info at the field concerned.
 */
void rules_expert_show(packet_info *pinfo, proto_tree *tree, proto_item *item,
                       const frame_finding *finding);

/* rules_expert_late adds what became certain in this frame of an earlier one. */
void rules_expert_late(packet_info *pinfo, proto_tree *tree, const frame_late *late);

#endif
