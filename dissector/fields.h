/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of the protocol: fields of the library's table, and fields that are not on the
 * wire. */
#ifndef DISSECTOR_FIELDS_H
#define DISSECTOR_FIELDS_H

#include <iwarp/field.h>

#include "ws_compat.h"

/* FIELDS_BESIDE lists the fields that are no row of the table: X(member, "filter name", "label",
 * type, base, strings, "description"). */
#define FIELDS_BESIDE(X)                                                                           \
  X(connection, "connection", "Connection", FT_UINT32, BASE_DEC, NULL,                             \
    "Number of the iWARP connection, from 0")                                                      \
  X(role, "role", "Role of the sender", FT_UINT8, BASE_DEC, VALS(fields_roles),                    \
    "Who sends these octets")                                                                      \
  X(mpa_type, "mpa.type", "Type", FT_UINT8, BASE_DEC, VALS(fields_types),                          \
    "MPA Request or Reply Frame")                                                                  \
  X(fpdu_offset, "fpdu.offset", "Stream offset", FT_UINT64, BASE_DEC, NULL,                        \
    "Of ULPDU_Length, from the first octet of Full Operation")                                     \
  X(fpdu_pad_length, "fpdu.pad_length", "PAD length", FT_UINT8, BASE_DEC, NULL, NULL)              \
  X(fpdu_markers, "fpdu.markers", "Markers", FT_UINT8, BASE_DEC, NULL,                             \
    "Markers inside the FPDU and right before it")                                                 \
  X(fpdu_aligned, "fpdu.aligned", "Begins with a TCP segment", FT_BOOLEAN, BASE_NONE, NULL,        \
    "Its first octet is the first one of a segment")                                               \
  X(fpdu_first_frame, "fpdu.first_frame", "First octet in frame", FT_FRAMENUM, BASE_NONE, NULL,    \
    NULL)                                                                                          \
  X(message, "message", "Message", FT_NONE, BASE_NONE, NULL, "A message of several segments")      \
  X(message_segment, "message.segment", "Segment in frame", FT_FRAMENUM, BASE_NONE, NULL, NULL)    \
  X(returned, "returned", "Returned headers", FT_NONE, BASE_NONE, NULL,                            \
    "Headers of a segment that the sender of the Terminate received")                              \
  X(reply_in, "reply_in", "Reply in frame", FT_FRAMENUM, BASE_NONE,                                \
    FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), NULL)                                                     \
  X(reply_to, "reply_to", "Reply to the Request in frame", FT_FRAMENUM, BASE_NONE,                 \
    FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), NULL)                                                      \
  X(setup_time, "setup_time", "Setup time", FT_RELATIVE_TIME, BASE_NONE, NULL,                     \
    "From the MPA Request Frame to the MPA Reply Frame")                                           \
  X(ulp, "ulp", "Upper layer", FT_STRING, BASE_NONE, NULL, "What the payload is")                  \
  X(fpdu_completed_in, "fpdu.completed_in", "Completed in frame", FT_FRAMENUM, BASE_NONE, NULL,    \
    NULL)                                                                                          \
  X(crc_status, "crc.status", "CRC status", FT_UINT8, BASE_NONE, VALS(proto_checksum_vals), NULL)  \
  X(crc_expected, "crc.expected", "CRC expected", FT_UINT32, BASE_HEX, NULL,                       \
    "CRC32c over the FPDU")                                                                        \
  X(ddp_length, "ddp.length", "DDP payload length", FT_UINT32, BASE_DEC, NULL,                     \
    "Octets after the DDP header")                                                                 \
  X(payload, "payload", "Payload", FT_BYTES, BASE_NONE, NULL,                                      \
    "ULP payload of the segment, Markers taken out")                                               \
  X(undecodable, "undecodable", "Undecodable octets", FT_UINT64, BASE_DEC, NULL, NULL)             \
  X(undecodable_reason, "undecodable.reason", "Reason", FT_STRING, BASE_NONE, NULL, NULL)          \
  X(gap, "gap", "Octets missing from the capture", FT_UINT64, BASE_DEC, NULL, NULL)                \
  X(gap_messages, "gap.messages", "Messages missing from the capture", FT_UINT64, BASE_DEC, NULL,  \
    "Over SCTP")                                                                                   \
  X(gap_before, "gap.before", "Octets missing before this frame", FT_UINT64, BASE_DEC, NULL,       \
    "Where the hole is; iwarp.gap is in the frame that makes it certain")                          \
  X(gap_known_in, "gap.known_in", "Known in frame", FT_FRAMENUM, BASE_NONE, NULL, NULL)            \
  X(message_first, "message.first", "First segment in frame", FT_FRAMENUM, BASE_NONE, NULL, NULL)  \
  X(message_last, "message.last", "Last segment in frame", FT_FRAMENUM, BASE_NONE, NULL, NULL)     \
  X(message_length, "message.length", "Message length", FT_UINT64, BASE_DEC, NULL, NULL)           \
  X(request_in, "request_in", "Request in frame", FT_FRAMENUM, BASE_NONE,                          \
    FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), NULL)                                                      \
  X(response_in, "response_in", "Response in frame", FT_FRAMENUM, BASE_NONE,                       \
    FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), NULL)                                                     \
  X(response_time, "response_time", "Time since the request", FT_RELATIVE_TIME, BASE_NONE, NULL,   \
    NULL)                                                                                          \
  X(read_done, "read.done", "Octets done", FT_UINT64, BASE_DEC, NULL,                              \
    "Of the RDMA Read, up to the end of this segment")                                             \
  X(read_expected, "read.expected", "Octets expected", FT_UINT32, BASE_DEC, NULL,                  \
    "RDMA Read Message Size of the request")                                                       \
  X(reads_outstanding, "reads_outstanding", "Reads outstanding", FT_UINT32, BASE_DEC, NULL,        \
    "Read Requests of this side that wait for a Response, this one included")                      \
  X(reads_allowed, "reads_allowed", "Reads allowed", FT_UINT32, BASE_DEC, NULL,                    \
    "The lesser of this side's ORD and the other's IRD")                                           \
  X(expected_msn, "expected_msn", "Expected MSN", FT_UINT32, BASE_DEC, NULL, "Due in this queue")  \
  X(terminate_likely, "terminate.likely", "Likely meant", FT_STRING, BASE_NONE, NULL,              \
    "The error, where the Terminate was written in the bit order of the machine")                  \
  X(accused_frame, "accused_frame", "Terminate for the segment in frame", FT_FRAMENUM, BASE_NONE,  \
    NULL, "Frame of the segment whose header the Terminate returns")                               \
  X(accused_by, "accused_by", "Terminate for this segment in frame", FT_FRAMENUM, BASE_NONE, NULL, \
    "It returns the header of a segment of this frame")                                            \
  X(negotiated, "negotiated", "Negotiated", FT_NONE, BASE_NONE, NULL, NULL)                        \
  X(negotiated_rejected, "negotiated.rejected", "Rejected", FT_BOOLEAN, BASE_NONE, NULL, NULL)     \
  X(negotiated_markers_responder, "negotiated.markers_responder", "Markers to the Initiator",      \
    FT_BOOLEAN, BASE_NONE, TFS(&tfs_on_off), "In what the Responder sends")                        \
  X(negotiated_markers_initiator, "negotiated.markers_initiator", "Markers to the Responder",      \
    FT_BOOLEAN, BASE_NONE, TFS(&tfs_on_off), "In what the Initiator sends")                        \
  X(negotiated_crc, "negotiated.crc", "CRC", FT_BOOLEAN, BASE_NONE, TFS(&tfs_on_off),              \
    "In both directions")                                                                          \
  X(negotiated_reads_initiator, "negotiated.reads_initiator", "Read limit of the Initiator",       \
    FT_UINT32, BASE_DEC, NULL,                                                                     \
    "RDMA Reads that it may have outstanding: its ORD or the other side's IRD, the smaller one")   \
  X(negotiated_reads_responder, "negotiated.reads_responder", "Read limit of the Responder",       \
    FT_UINT32, BASE_DEC, NULL,                                                                     \
    "RDMA Reads that it may have outstanding: its ORD or the other side's IRD, the smaller one")   \
  X(negotiated_peer_to_peer, "negotiated.peer_to_peer", "Peer-to-peer", FT_BOOLEAN, BASE_NONE,     \
    NULL, "The Initiator sends an RTR message first")                                              \
  X(negotiated_rtr, "negotiated.rtr", "RTR", FT_STRING, BASE_NONE, NULL,                           \
    "The zero-length messages that both sides named")                                              \
  X(stag, "stag", "STag on this connection", FT_NONE, BASE_NONE, NULL, NULL)                       \
  X(stag_first_frame, "stag.first_frame", "STag first used in frame", FT_FRAMENUM, BASE_NONE,      \
    NULL, NULL)                                                                                    \
  X(stag_low, "stag.low", "Lowest TO accessed", FT_UINT64, BASE_HEX, NULL, NULL)                   \
  X(stag_high, "stag.high", "Highest TO accessed", FT_UINT64, BASE_HEX, NULL, NULL)                \
  X(stag_invalidated_in, "stag.invalidated_in", "STag invalidated earlier in frame", FT_FRAMENUM,  \
    BASE_NONE, NULL, "Of no use since then, unless its owner has enabled it again")                \
  X(outcome, "outcome", "Outcome of the connection", FT_STRING, BASE_NONE, NULL, NULL)             \
  X(rule, "rule", "Rule", FT_STRING, BASE_NONE, NULL, NULL)                                        \
  X(rule_level, "rule.level", "Level", FT_STRING, BASE_NONE, NULL,                                 \
    "The strongest level of its requirements")                                                     \
  X(rule_certainty, "rule.certainty", "Certainty", FT_STRING, BASE_NONE, NULL,                     \
    "Suspected: it holds under the most likely reading")                                           \
  X(rule_requirement, "rule.requirement", "Requirement", FT_STRING, BASE_NONE, NULL, NULL)         \
  X(rule_message, "rule.message", "Message", FT_STRING, BASE_NONE, NULL, NULL)                     \
  X(rule_cause, "rule.cause", "Cause", FT_STRING, BASE_NONE, NULL, "The most likely one")          \
  X(rule_effect, "rule.effect", "Effect", FT_STRING, BASE_NONE, NULL, "What it costs")             \
  X(late_frame, "late.frame", "Frame concerned", FT_FRAMENUM, BASE_NONE, NULL, NULL)

/* fields_beside holds Wireshark's numbers of these fields. */
typedef struct fields_beside {
#define FIELDS_MEMBER(member, name, label, type, base, strings, description) int member;
  FIELDS_BESIDE(FIELDS_MEMBER)
#undef FIELDS_MEMBER
} fields_beside;

extern fields_beside hf_iwarp;

/* fields_ett are the kinds of subtrees, which keep their state as the user goes from frame to
 * frame. */
typedef struct fields_ett {
  int proto, pdu, rule, negotiated, stag, message, returned;
} fields_ett;

extern fields_ett ett_iwarp;

/* fields_register registers all fields. */
void fields_register(int proto);

/* fields_hf returns Wireshark's number of a field of the table; `returned`: in a header that a
 * Terminate returns. */
int fields_hf(const iwarp_field *field, bool returned);

/* fields_tree returns Wireshark's number of the subtree of a form, and *ett its kind of subtree. */
int fields_tree(int *ett, iwarp_form form, bool returned);

/* fields_shift returns by how many bits the value of a field of the table stands left of the end of
 * its octets. */
unsigned int fields_shift(const iwarp_field *field);

#endif
