/* SPDX-License-Identifier: BSD-2-Clause */
/* A PDU in a few words, for the packet list and as the head of its tree. */
#ifndef DISSECTOR_INFO_H
#define DISSECTOR_INFO_H

#include "frames.h"

/* info_pdu describes a PDU of which the octets are given; memory of `pool`. */
const char *info_pdu(wmem_allocator_t *pool, const frame_pdu *pdu, iwarp_span octets);

/* info_undecodable says why octets could not be decoded; static storage. */
const char *info_undecodable(const frame_pdu *pdu);

/* info_show fills the columns Protocol and Info. */
void info_show(tvbuff_t *frame, packet_info *pinfo, const frame_rec *rec);

/* info_part returns what a frame holds a part of, for which another frame is named. */
const char *info_part(wmem_allocator_t *pool, const frame_pdu *pdu);

#endif
