/* SPDX-License-Identifier: BSD-2-Clause */
/* The frame in the octets of a packet: what stands before it is taken off. */
#ifndef CLI_PACKET_FRAME_H
#define CLI_PACKET_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <report/frame.h>

/** packet_frame_result says what the octets are. */
typedef enum packet_frame_result {
  PACKET_FRAME_NO_PACKET = 0, /* no headers of a packet: the octets are a frame themselves */
  PACKET_FRAME_EMPTY,         /* a packet that carries no octets of a stream */
  PACKET_FRAME_FOUND
} packet_frame_result;

/**
 * packet_frame_find names what one of the packets of a dump carries; *out borrows `octets`.
 *
 * A packet is known by an IP header with TCP or SCTP, at its front or after a link header
 * (Ethernet with or without VLAN tags, Linux cooked, null or loopback), or as packet_frame_certain
 * knows it. *layer is set where SCTP tells it, else left as it is.
 */
packet_frame_result packet_frame_find(iwarp_span *out, report_layer *layer, const uint8_t *octets,
                                      size_t len);

/**
 * packet_frame_certain does the same for octets that may as well be a frame: they are a packet
 * where an IP header, at the front or after a link header, has a right checksum (IPv4) and a length
 * that is that of the octets (after a link header that some octets of padding may follow), whatever
 * the packet carries; and where they are ARP.
 */
packet_frame_result packet_frame_certain(iwarp_span *out, report_layer *layer,
                                         const uint8_t *octets, size_t len);

#endif
