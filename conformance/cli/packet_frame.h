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
 * A packet is known by an IP header with TCP or SCTP, at its front or after a link header. Link
 * headers are Ethernet with or without VLAN tags, Linux cooked, null and loopback. Packets that
 * packet_frame_certain knows count as well. *layer is set where SCTP tells it, else left as it is.
 */
packet_frame_result packet_frame_find(iwarp_span *out, report_layer *layer, const uint8_t *octets,
                                      size_t len);

/**
 * packet_frame_certain does the same for octets that may as well be a frame. They are a packet if
 * they are ARP, or if an IP header stands at the front or after a link header. Its checksum (IPv4)
 * must be right, and its length must match the octets; padding may follow after a link header. The
 * packet may carry any protocol.
 */
packet_frame_result packet_frame_certain(iwarp_span *out, report_layer *layer,
                                         const uint8_t *octets, size_t len);

#endif
