/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns, and PDUs in a few words. */
#ifndef DISSECTOR_INFO_H
#define DISSECTOR_INFO_H

#include "pdu_octets.h"

/* info_show fills the columns of a frame. `pdus` are the PDUs that it completes. */
void info_show(packet_info *pinfo, const frame_rec *rec, const pdu_decoded *pdus, guint num);

/* info_pdu describes a PDU in a line after a head, info_brief all PDUs of a frame by their names.
 * The next line (line.h) ends their text. */
const char *info_pdu(wmem_allocator_t *pool, const char *head, const pdu_decoded *d);
const char *info_brief(wmem_allocator_t *pool, const pdu_decoded *pdus, guint num);

/* info_head names the kind of a PDU where info_pdu does not: "FPDU: ". */
const char *info_head(const frame_pdu *pdu);

/* info_likely names the error that the sender of a Terminate is likely to mean, where its octets
 * say another one; else NULL. */
const char *info_likely(wmem_allocator_t *pool, const frame_pdu *pdu, const iwarp_rdmap_seg *seg);

/* info_part describes a PDU that has a part of its octets in a frame. */
const char *info_part(wmem_allocator_t *pool, const frame_pdu *pdu);

/* info_undecodable says why octets are undecodable. */
const char *info_undecodable(const frame_pdu *pdu);

#endif
