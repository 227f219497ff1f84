/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table: every field of every form on the wire, as data. */
#ifndef IWARP_FIELD_H
#define IWARP_FIELD_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_field_kind says how the value of a field is read and shown. */
typedef enum iwarp_field_kind {
  IWARP_FIELD_KIND_UINT = 1, /* a number, shown in decimal */
  IWARP_FIELD_KIND_HEX,      /* a number, shown in hexadecimal */
  IWARP_FIELD_KIND_FLAG,     /* one bit */
  IWARP_FIELD_KIND_OCTETS,   /* octets without an order of their own */
  IWARP_FIELD_KIND_HEX_LE,   /* a number whose least significant octet comes first: the CRC */
  IWARP_FIELD_KIND_UINT_LE   /* the same, shown in decimal */
} iwarp_field_kind;

/**
 * IWARP_FORM_MAP lists the forms: X(name, id, key, label, octets, rfc). `octets` is the length of
 * the fixed part. Ids are part of the API.
 */
#define IWARP_FORM_MAP(X)                                                                          \
  X(MPA_STARTUP, 1, "mpa", "MPA Request/Reply Frame", 20, "RFC 5044 7.1.1")                        \
  X(MPA_ENHANCED, 2, "enhanced", "Enhanced RDMA Connection Establishment Data", 4, "RFC 6581 9")   \
  X(MPA_MARKER, 3, "marker", "Marker", 4, "RFC 5044 4.2")                                          \
  X(MPA_FPDU, 4, "fpdu", "FPDU", 2, "RFC 5044 4.1")                                                \
  X(MPA_CRC, 5, "crc", "CRC field of an FPDU", 4, "RFC 5044 4.4")                                  \
  X(DDP_TAGGED, 6, "ddp", "DDP Tagged Buffer Header", 14, "RFC 5041 4.2")                          \
  X(DDP_UNTAGGED, 7, "ddp", "DDP Untagged Buffer Header", 18, "RFC 5041 4.3")                      \
  X(RDMAP_CTRL, 8, "rdmap", "RDMAP Control Field", 1, "RFC 5040 4.1")                              \
  X(RDMAP_READ_REQ, 9, "read_request", "RDMA Read Request Header", 28, "RFC 5040 4.4")             \
  X(RDMAP_TERM, 10, "terminate", "Terminate Header", 4, "RFC 5040 4.8")                            \
  X(RDMAP_TERM_LENGTH, 11, "terminate", "Terminate: DDP Segment Length", 2, "RFC 5040 4.8")        \
  X(RDMAP_IMMEDIATE, 12, "immediate", "Immediate Data", 8, "RFC 7306 6.2")                         \
  X(RDMAP_ATOMIC_REQ, 13, "atomic_request", "Atomic Request", 52, "RFC 7306 5.2.1")                \
  X(RDMAP_ATOMIC_RESP, 14, "atomic_response", "Atomic Response", 12, "RFC 7306 5.2.2")             \
  X(SCTP_SEGMENT, 15, "sctp_segment", "DDP Segment Chunk", 2, "RFC 5043 5.2.2")                    \
  X(SCTP_CONTROL, 16, "sctp_control", "DDP Stream Session Control", 4, "RFC 5043 5.2.3")           \
  X(SCTP_ADAPTATION, 17, "sctp_adaptation", "Adaptation Layer Indication", 8, "RFC 5043 5.1")      \
  X(ERDMA_EXT, 18, "erdma", "Extension of Rev 129", 8, "erdma")                                    \
  X(SMBD_DEPTHS, 19, "smbd", "Legacy IRD and ORD", 8, "MS-SMBD")                                   \
  X(SMBD_DEPTHS_LE, 20, "smbd_le", "Legacy IRD and ORD, little-endian", 8, "MS-SMBD")              \
  X(RPC_RDMA, 21, "rpc_rdma", "RPC-over-RDMA CM Private Data", 8, "RFC 8797 4")

/** iwarp_form is a layout of octets on the wire. */
typedef enum iwarp_form {
/** IWARP_FORM_ENUM makes the enumerator of a row; undefined again behind the list. */
#define IWARP_FORM_ENUM(name, id, key, label, octets, rfc) IWARP_FORM_##name = (id),
  IWARP_FORM_MAP(IWARP_FORM_ENUM)
#undef IWARP_FORM_ENUM
} iwarp_form;

/*
 * The fields of each form in wire order: X(form, name, number, key, label, bit offset, bits, kind,
 * values, rfc). Bit 0 is the most significant bit of the form's first octet; 0 bits: as many octets
 * as there are. `values` is the list of value names, NONE or one of the table's own. The id of a
 * field is 256 times its form plus its number.
 */
/** IWARP_FIELD_MAP_MPA_STARTUP lists the fields of an MPA Request or Reply Frame. */
#define IWARP_FIELD_MAP_MPA_STARTUP(X)                                                             \
  X(MPA_STARTUP, KEY, 1, "key", "Key", 0, 128, OCTETS, NONE, "RFC 5044 7.1.1")                     \
  X(MPA_STARTUP, M, 2, "markers", "M", 128, 1, FLAG, NONE, "RFC 5044 7.1.1")                       \
  X(MPA_STARTUP, C, 3, "crc", "C", 129, 1, FLAG, NONE, "RFC 5044 7.1.1")                           \
  X(MPA_STARTUP, R, 4, "reject", "R", 130, 1, FLAG, NONE, "RFC 5044 7.1.1")                        \
  X(MPA_STARTUP, S, 5, "enhanced", "S", 131, 1, FLAG, NONE, "RFC 6581 6")                          \
  X(MPA_STARTUP, RES, 6, "reserved", "Res", 132, 4, HEX, RES, "RFC 6581 6")                        \
  X(MPA_STARTUP, REV, 7, "rev", "Rev", 136, 8, UINT, REV, "RFC 5044 7.1.1")                        \
  X(MPA_STARTUP, PD_LENGTH, 8, "pd_length", "PD_Length", 144, 16, UINT, NONE, "RFC 5044 7.1.1")    \
  X(MPA_STARTUP, PRIVATE_DATA, 9, "private_data", "Private Data", 160, 0, OCTETS, NONE,            \
    "RFC 5044 7.1.1")
/** IWARP_FIELD_MAP_MPA_ENHANCED lists the fields of the enhanced RDMA connection establishment
 * data. */
#define IWARP_FIELD_MAP_MPA_ENHANCED(X)                                                            \
  X(MPA_ENHANCED, A, 1, "a", "A", 0, 1, FLAG, NONE, "RFC 6581 9.2")                                \
  X(MPA_ENHANCED, B, 2, "b", "B", 1, 1, FLAG, NONE, "RFC 6581 9.2")                                \
  X(MPA_ENHANCED, IRD, 3, "ird", "IRD", 2, 14, UINT, DEPTH, "RFC 6581 9.1")                        \
  X(MPA_ENHANCED, C, 4, "c", "C", 16, 1, FLAG, NONE, "RFC 6581 9.2")                               \
  X(MPA_ENHANCED, D, 5, "d", "D", 17, 1, FLAG, NONE, "RFC 6581 9.2")                               \
  X(MPA_ENHANCED, ORD, 6, "ord", "ORD", 18, 14, UINT, DEPTH, "RFC 6581 9.1")
/** IWARP_FIELD_MAP_MPA_MARKER lists the fields of a Marker. */
#define IWARP_FIELD_MAP_MPA_MARKER(X)                                                              \
  X(MPA_MARKER, RESERVED, 1, "reserved", "RESERVED", 0, 16, HEX, NONE, "RFC 5044 4.2")             \
  X(MPA_MARKER, FPDUPTR, 2, "fpduptr", "FPDUPTR", 16, 16, UINT, NONE, "RFC 5044 4.2")
/** IWARP_FIELD_MAP_MPA_FPDU lists the fields of an FPDU, before its ULPDU. */
#define IWARP_FIELD_MAP_MPA_FPDU(X)                                                                \
  X(MPA_FPDU, ULPDU_LENGTH, 1, "ulpdu_length", "ULPDU_Length", 0, 16, UINT, NONE, "RFC 5044 4.1")
/** IWARP_FIELD_MAP_MPA_CRC lists the fields of the CRC field of an FPDU. */
#define IWARP_FIELD_MAP_MPA_CRC(X)                                                                 \
  X(MPA_CRC, CRC, 1, "crc_value", "CRC", 0, 32, HEX_LE, NONE, "RFC 5044 4.4")
/** IWARP_FIELD_MAP_DDP_TAGGED lists the fields of a DDP Tagged Buffer header. */
#define IWARP_FIELD_MAP_DDP_TAGGED(X)                                                              \
  X(DDP_TAGGED, T, 1, "tagged", "T", 0, 1, FLAG, NONE, "RFC 5041 4.1")                             \
  X(DDP_TAGGED, L, 2, "last", "L", 1, 1, FLAG, NONE, "RFC 5041 4.1")                               \
  X(DDP_TAGGED, RSVD, 3, "rsvd", "Rsvd", 2, 4, HEX, NONE, "RFC 5041 4.1")                          \
  X(DDP_TAGGED, DV, 4, "dv", "DV", 6, 2, UINT, VERSION, "RFC 5041 4.1")                            \
  X(DDP_TAGGED, RSVDULP, 5, "rsvdulp", "RsvdULP", 8, 8, HEX, NONE, "RFC 5041 4.2")                 \
  X(DDP_TAGGED, STAG, 6, "stag", "STag", 16, 32, HEX, NONE, "RFC 5041 4.2")                        \
  X(DDP_TAGGED, TO, 7, "to", "TO", 48, 64, HEX, NONE, "RFC 5041 4.2")
/** IWARP_FIELD_MAP_DDP_UNTAGGED lists the fields of a DDP Untagged Buffer header. */
#define IWARP_FIELD_MAP_DDP_UNTAGGED(X)                                                            \
  X(DDP_UNTAGGED, T, 1, "tagged", "T", 0, 1, FLAG, NONE, "RFC 5041 4.1")                           \
  X(DDP_UNTAGGED, L, 2, "last", "L", 1, 1, FLAG, NONE, "RFC 5041 4.1")                             \
  X(DDP_UNTAGGED, RSVD, 3, "rsvd", "Rsvd", 2, 4, HEX, NONE, "RFC 5041 4.1")                        \
  X(DDP_UNTAGGED, DV, 4, "dv", "DV", 6, 2, UINT, VERSION, "RFC 5041 4.1")                          \
  X(DDP_UNTAGGED, RSVDULP, 5, "rsvdulp", "RsvdULP", 8, 8, HEX, NONE, "RFC 5041 4.3")               \
  X(DDP_UNTAGGED, INVALIDATE_STAG, 6, "invalidate_stag", "Invalidate STag", 16, 32, HEX, NONE,     \
    "RFC 5040 4.1")                                                                                \
  X(DDP_UNTAGGED, QN, 7, "qn", "QN", 48, 32, UINT, QUEUE, "RFC 5041 4.3")                          \
  X(DDP_UNTAGGED, MSN, 8, "msn", "MSN", 80, 32, UINT, NONE, "RFC 5041 4.3")                        \
  X(DDP_UNTAGGED, MO, 9, "mo", "MO", 112, 32, UINT, NONE, "RFC 5041 4.3")
/** IWARP_FIELD_MAP_RDMAP_CTRL lists the fields of the RDMAP Control Field. */
#define IWARP_FIELD_MAP_RDMAP_CTRL(X)                                                              \
  X(RDMAP_CTRL, RV, 1, "rv", "RV", 0, 2, UINT, VERSION, "RFC 5040 4.1")                            \
  X(RDMAP_CTRL, RSV, 2, "rsv", "Rsv", 2, 2, HEX, NONE, "RFC 5040 4.1")                             \
  X(RDMAP_CTRL, OPCODE, 3, "opcode", "Opcode", 4, 4, UINT, OPCODE, "RFC 5040 4.1")
/** IWARP_FIELD_MAP_RDMAP_READ_REQ lists the fields of an RDMA Read Request header. */
#define IWARP_FIELD_MAP_RDMAP_READ_REQ(X)                                                          \
  X(RDMAP_READ_REQ, SINK_STAG, 1, "sink_stag", "Data Sink STag", 0, 32, HEX, NONE, "RFC 5040 4.4") \
  X(RDMAP_READ_REQ, SINK_TO, 2, "sink_to", "Data Sink Tagged Offset", 32, 64, HEX, NONE,           \
    "RFC 5040 4.4")                                                                                \
  X(RDMAP_READ_REQ, SIZE, 3, "size", "RDMA Read Message Size", 96, 32, UINT, NONE, "RFC 5040 4.4") \
  X(RDMAP_READ_REQ, SOURCE_STAG, 4, "source_stag", "Data Source STag", 128, 32, HEX, NONE,         \
    "RFC 5040 4.4")                                                                                \
  X(RDMAP_READ_REQ, SOURCE_TO, 5, "source_to", "Data Source Tagged Offset", 160, 64, HEX, NONE,    \
    "RFC 5040 4.4")
/** IWARP_FIELD_MAP_RDMAP_TERM lists the fields of the control field of a Terminate header. */
#define IWARP_FIELD_MAP_RDMAP_TERM(X)                                                              \
  X(RDMAP_TERM, LAYER, 1, "layer", "Layer", 0, 4, UINT, LAYER, "RFC 5040 4.8")                     \
  X(RDMAP_TERM, ETYPE, 2, "etype", "EType", 4, 4, UINT, NONE, "RFC 5040 4.8")                      \
  X(RDMAP_TERM, CODE, 3, "code", "Error Code", 8, 8, HEX, NONE, "RFC 5040 4.8")                    \
  X(RDMAP_TERM, M, 4, "m", "M", 16, 1, FLAG, NONE, "RFC 5040 4.8")                                 \
  X(RDMAP_TERM, D, 5, "d", "D", 17, 1, FLAG, NONE, "RFC 5040 4.8")                                 \
  X(RDMAP_TERM, R, 6, "r", "R", 18, 1, FLAG, NONE, "RFC 5040 4.8")                                 \
  X(RDMAP_TERM, RESERVED, 7, "reserved", "Reserved", 19, 13, HEX, NONE, "RFC 5040 4.8")
/** IWARP_FIELD_MAP_RDMAP_TERM_LENGTH lists the fields of the DDP Segment Length of a Terminate. */
#define IWARP_FIELD_MAP_RDMAP_TERM_LENGTH(X)                                                       \
  X(RDMAP_TERM_LENGTH, DDP_SEGMENT_LENGTH, 1, "ddp_segment_length", "DDP Segment Length", 0, 16,   \
    UINT, NONE, "RFC 5040 4.8")
/** IWARP_FIELD_MAP_RDMAP_IMMEDIATE lists the fields of Immediate Data. */
#define IWARP_FIELD_MAP_RDMAP_IMMEDIATE(X)                                                         \
  X(RDMAP_IMMEDIATE, IMMEDIATE, 1, "immediate", "Immediate Data", 0, 64, OCTETS, NONE,             \
    "RFC 7306 6.2")
/** IWARP_FIELD_MAP_RDMAP_ATOMIC_REQ lists the fields of an Atomic Request header. */
#define IWARP_FIELD_MAP_RDMAP_ATOMIC_REQ(X)                                                        \
  X(RDMAP_ATOMIC_REQ, RESERVED, 1, "reserved", "Reserved (Not Used)", 0, 28, HEX, NONE,            \
    "RFC 7306 5.2.1")                                                                              \
  X(RDMAP_ATOMIC_REQ, AOPCODE, 2, "opcode", "AOpCode", 28, 4, UINT, AOPCODE, "RFC 7306 5.2.1")     \
  X(RDMAP_ATOMIC_REQ, REQUEST_ID, 3, "request_id", "Request Identifier", 32, 32, HEX, NONE,        \
    "RFC 7306 5.2.1")                                                                              \
  X(RDMAP_ATOMIC_REQ, STAG, 4, "stag", "Remote STag", 64, 32, HEX, NONE, "RFC 7306 5.2.1")         \
  X(RDMAP_ATOMIC_REQ, TO, 5, "to", "Remote Tagged Offset", 96, 64, HEX, NONE, "RFC 7306 5.2.1")    \
  X(RDMAP_ATOMIC_REQ, ADD_SWAP_DATA, 6, "add_swap_data", "Add or Swap Data", 160, 64, HEX, NONE,   \
    "RFC 7306 5.2.1")                                                                              \
  X(RDMAP_ATOMIC_REQ, ADD_SWAP_MASK, 7, "add_swap_mask", "Add or Swap Mask", 224, 64, HEX, NONE,   \
    "RFC 7306 5.2.1")                                                                              \
  X(RDMAP_ATOMIC_REQ, COMPARE_DATA, 8, "compare_data", "Compare Data", 288, 64, HEX, NONE,         \
    "RFC 7306 5.2.1")                                                                              \
  X(RDMAP_ATOMIC_REQ, COMPARE_MASK, 9, "compare_mask", "Compare Mask", 352, 64, HEX, NONE,         \
    "RFC 7306 5.2.1")
/** IWARP_FIELD_MAP_RDMAP_ATOMIC_RESP lists the fields of an Atomic Response header. */
#define IWARP_FIELD_MAP_RDMAP_ATOMIC_RESP(X)                                                       \
  X(RDMAP_ATOMIC_RESP, REQUEST_ID, 1, "request_id", "Original Request Identifier", 0, 32, HEX,     \
    NONE, "RFC 7306 5.2.2")                                                                        \
  X(RDMAP_ATOMIC_RESP, ORIGINAL, 2, "original", "Original Remote Data Value", 32, 64, HEX, NONE,   \
    "RFC 7306 5.2.2")
/** IWARP_FIELD_MAP_SCTP_SEGMENT lists the fields of a DDP Segment over SCTP. */
#define IWARP_FIELD_MAP_SCTP_SEGMENT(X)                                                            \
  X(SCTP_SEGMENT, SSN, 1, "ssn", "DDP-SSN", 0, 16, UINT, NONE, "RFC 5043 5.2.1")                   \
  X(SCTP_SEGMENT, SEGMENT, 2, "segment", "DDP Segment", 16, 0, OCTETS, NONE, "RFC 5043 5.2.2")
/** IWARP_FIELD_MAP_SCTP_CONTROL lists the fields of a DDP Stream Session Control message. */
#define IWARP_FIELD_MAP_SCTP_CONTROL(X)                                                            \
  X(SCTP_CONTROL, SSN, 1, "ssn", "DDP-SSN", 0, 16, UINT, NONE, "RFC 5043 5.2.1")                   \
  X(SCTP_CONTROL, FUNCTION, 2, "function", "Function Code", 16, 16, UINT, FUNCTION,                \
    "RFC 5043 5.2.3")                                                                              \
  X(SCTP_CONTROL, PRIVATE_DATA, 3, "private_data", "Private Data", 32, 0, OCTETS, NONE,            \
    "RFC 5043 5.2.3")
/** IWARP_FIELD_MAP_SCTP_ADAPTATION lists the fields of an Adaptation Layer Indication. */
#define IWARP_FIELD_MAP_SCTP_ADAPTATION(X)                                                         \
  X(SCTP_ADAPTATION, TYPE, 1, "type", "Type", 0, 16, HEX, NONE, "RFC 5043 5.1")                    \
  X(SCTP_ADAPTATION, LENGTH, 2, "length", "Length", 16, 16, UINT, NONE, "RFC 5043 5.1")            \
  X(SCTP_ADAPTATION, INDICATION, 3, "indication", "Adaptation Indication", 32, 32, HEX,            \
    ADAPTATION, "RFC 5043 5.1")
/** IWARP_FIELD_MAP_ERDMA_EXT lists the fields of the extension of Rev 129. */
#define IWARP_FIELD_MAP_ERDMA_EXT(X)                                                               \
  X(ERDMA_EXT, COOKIE, 1, "cookie", "Cookie", 0, 32, HEX, NONE, "erdma")                           \
  X(ERDMA_EXT, RESERVED, 2, "reserved", "Reserved", 32, 28, HEX, NONE, "erdma")                    \
  X(ERDMA_EXT, CC, 3, "cc", "Congestion Control", 60, 4, UINT, NONE, "erdma")
/** IWARP_FIELD_MAP_SMBD_DEPTHS lists the fields of the legacy IRD and ORD of MS-SMBD. */
#define IWARP_FIELD_MAP_SMBD_DEPTHS(X)                                                             \
  X(SMBD_DEPTHS, IRD, 1, "ird", "IRD", 0, 32, UINT, NONE, "MS-SMBD")                               \
  X(SMBD_DEPTHS, ORD, 2, "ord", "ORD", 32, 32, UINT, NONE, "MS-SMBD")
/** IWARP_FIELD_MAP_SMBD_DEPTHS_LE lists the fields of the same with the least significant octet
 * first. */
#define IWARP_FIELD_MAP_SMBD_DEPTHS_LE(X)                                                          \
  X(SMBD_DEPTHS_LE, IRD, 1, "ird", "IRD", 0, 32, UINT_LE, NONE, "MS-SMBD")                         \
  X(SMBD_DEPTHS_LE, ORD, 2, "ord", "ORD", 32, 32, UINT_LE, NONE, "MS-SMBD")
/** IWARP_FIELD_MAP_RPC_RDMA lists the fields of the CM Private Data of RPC-over-RDMA. */
#define IWARP_FIELD_MAP_RPC_RDMA(X)                                                                \
  X(RPC_RDMA, FORMAT, 1, "format", "Format Identifier", 0, 32, HEX, NONE, "RFC 8797 4")            \
  X(RPC_RDMA, VERSION, 2, "version", "Version", 32, 8, UINT, NONE, "RFC 8797 4")                   \
  X(RPC_RDMA, RESERVED, 3, "reserved", "Reserved", 40, 7, HEX, NONE, "RFC 8797 4")                 \
  X(RPC_RDMA, R, 4, "remote_invalidation", "R", 47, 1, FLAG, NONE, "RFC 8797 4.1")                 \
  X(RPC_RDMA, SEND_SIZE, 5, "send_size", "Send Size", 48, 8, UINT, NONE, "RFC 8797 4.2")           \
  X(RPC_RDMA, RECEIVE_SIZE, 6, "receive_size", "Receive Size", 56, 8, UINT, NONE, "RFC 8797 4.2")
/** IWARP_FIELD_MAP lists the fields of all forms. */
#define IWARP_FIELD_MAP(X)                                                                         \
  IWARP_FIELD_MAP_MPA_STARTUP(X)                                                                   \
  IWARP_FIELD_MAP_MPA_ENHANCED(X)                                                                  \
  IWARP_FIELD_MAP_MPA_MARKER(X)                                                                    \
  IWARP_FIELD_MAP_MPA_FPDU(X)                                                                      \
  IWARP_FIELD_MAP_MPA_CRC(X)                                                                       \
  IWARP_FIELD_MAP_DDP_TAGGED(X)                                                                    \
  IWARP_FIELD_MAP_DDP_UNTAGGED(X)                                                                  \
  IWARP_FIELD_MAP_RDMAP_CTRL(X)                                                                    \
  IWARP_FIELD_MAP_RDMAP_READ_REQ(X)                                                                \
  IWARP_FIELD_MAP_RDMAP_TERM(X)                                                                    \
  IWARP_FIELD_MAP_RDMAP_TERM_LENGTH(X)                                                             \
  IWARP_FIELD_MAP_RDMAP_IMMEDIATE(X)                                                               \
  IWARP_FIELD_MAP_RDMAP_ATOMIC_REQ(X)                                                              \
  IWARP_FIELD_MAP_RDMAP_ATOMIC_RESP(X)                                                             \
  IWARP_FIELD_MAP_SCTP_SEGMENT(X)                                                                  \
  IWARP_FIELD_MAP_SCTP_CONTROL(X)                                                                  \
  IWARP_FIELD_MAP_SCTP_ADAPTATION(X)                                                               \
  IWARP_FIELD_MAP_ERDMA_EXT(X)                                                                     \
  IWARP_FIELD_MAP_SMBD_DEPTHS(X)                                                                   \
  IWARP_FIELD_MAP_SMBD_DEPTHS_LE(X)                                                                \
  IWARP_FIELD_MAP_RPC_RDMA(X)

/** iwarp_field_id names a field; it is what iwarp_dec.field holds. */
typedef enum iwarp_field_id {
  IWARP_FIELD_NONE = 0, /* no field */
/** IWARP_FIELD_ENUM makes the enumerator of a row; undefined again behind the list. */
#define IWARP_FIELD_ENUM(form, name, number, key, label, bit_off, num_bits, kind, values, rfc)     \
  IWARP_FIELD_##form##_##name = IWARP_FORM_##form * 256 + (number),
  IWARP_FIELD_MAP(IWARP_FIELD_ENUM)
#undef IWARP_FIELD_ENUM
} iwarp_field_id;

/** iwarp_field_value is the name of one value of a field. */
typedef struct iwarp_field_value {
  uint64_t value;   /* as on the wire */
  const char *name; /* of the value: "RDMA Write" */
} iwarp_field_value;

/** iwarp_field is one row of the table. All pointers are to static storage. */
typedef struct iwarp_field {
  uint16_t id;                     /* iwarp_field_id */
  uint16_t bit_off;                /* from the most significant bit of the form's first octet */
  uint16_t num_bits;               /* 0: as many octets as there are */
  iwarp_field_kind kind;           /* how its bits are read and printed */
  const char *key;                 /* as in JSON: "pd_length" */
  const char *label;               /* as the RFC spells it: "PD_Length" */
  const char *rfc;                 /* "RFC 5044 7.1.1"; "MS-SMBD", "erdma" for what no RFC has */
  const iwarp_field_value *values; /* NULL when the values have no names */
  size_t num_values;               /* entries of `values` */
} iwarp_field;

/** iwarp_form_info is a form and its fields. All pointers are to static storage. */
typedef struct iwarp_form_info {
  iwarp_form form;           /* which one */
  const char *key;           /* the JSON object that holds the fields: "ddp" */
  const char *label;         /* "DDP Tagged Buffer Header" */
  const char *rfc;           /* as of a field */
  size_t len;                /* octets of the fixed part */
  const iwarp_field *fields; /* in wire order */
  size_t num_fields;         /* entries of `fields` */
} iwarp_form_info;

/** iwarp_form_get returns a form with its fields in wire order, or NULL for a value that is no
 * form. */
IWARP_API const iwarp_form_info *iwarp_form_get(iwarp_form form);

/** iwarp_field_get returns the row of a field, or NULL for an id that is none (0 among them). */
IWARP_API const iwarp_field *iwarp_field_get(uint16_t id);

/**
 * iwarp_field_uint reads the value of a numeric field or flag from `in`, which begins with the
 * first octet of the field's form. NEED_MORE: `in` ends before the field does; ARG: the field holds
 * octets, see iwarp_field_octets.
 */
IWARP_API iwarp_err iwarp_field_uint(uint64_t *out, const iwarp_field *field, iwarp_span in);

/**
 * iwarp_field_octets names the octets in which the field lies, whatever its kind. They are borrowed
 * from `in`, which begins with the first octet of the field's form. NEED_MORE: `in` ends before the
 * field does.
 */
IWARP_API iwarp_err iwarp_field_octets(iwarp_span *out, const iwarp_field *field, iwarp_span in);

/** iwarp_field_value_name names a value of a field; NULL where it has none. Static storage. */
IWARP_API const char *iwarp_field_value_name(const iwarp_field *field, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
