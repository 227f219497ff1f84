/* SPDX-License-Identifier: BSD-2-Clause */
/* Sees each frame before Wireshark dissects it. */
#ifndef DISSECTOR_LINK_H
#define DISSECTOR_LINK_H

#include "ws_compat.h"

/* link_handoff steps in front of the dissectors of the link types that ingest reads. */
void link_handoff(void);
/* link_frame returns the octets of the frame that is being dissected, or NULL if its link type is
 * another one. */
tvbuff_t *link_frame(const packet_info *pinfo);
/* link_read says whether a TCP payload of that frame, which lies in its octets, is what ingest
 * reads of it. Frames with a payload alone ask. */
bool link_read(tvbuff_t *tvb, const packet_info *pinfo);

/* link_shown says whether this dissection of the frame has shown what is known of it;
 * link_set_shown that it has. */
bool link_shown(const packet_info *pinfo);
void link_set_shown(const packet_info *pinfo);

#endif
