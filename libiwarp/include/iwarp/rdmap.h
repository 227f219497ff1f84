/* SPDX-License-Identifier: BSD-2-Clause */
/* RDMAP messages: RFC 5040 4 and RFC 7306 4 to 6. */
#ifndef IWARP_RDMAP_H
#define IWARP_RDMAP_H

#include <iwarp/ddp.h>
#include <iwarp/form.h>
#include <iwarp/term.def>

#ifdef __cplusplus
extern "C" {
#endif

#define IWARP_RDMAP_VERSION 1u /* RV of RFC 5040; 0 is the RDMA Consortium's */

#define IWARP_RDMAP_CTRL_RV 0xC0u     /* RDMAP Version */
#define IWARP_RDMAP_CTRL_RSV 0x30u    /* reserved bits */
#define IWARP_RDMAP_CTRL_OPCODE 0x0Fu /* Opcode */

/** iwarp_rdmap_opcode: the sixteen values of the Opcode field. RFC 5040 4.1, RFC 7306 4.1, RFC
 * 6580 3.4. */
typedef enum iwarp_rdmap_opcode {
  IWARP_RDMAP_OP_WRITE = 0,        /* RDMA Write */
  IWARP_RDMAP_OP_READ_REQ = 1,     /* RDMA Read Request */
  IWARP_RDMAP_OP_READ_RESP = 2,    /* RDMA Read Response */
  IWARP_RDMAP_OP_SEND = 3,         /* Send */
  IWARP_RDMAP_OP_SEND_INV = 4,     /* Send with Invalidate */
  IWARP_RDMAP_OP_SEND_SE = 5,      /* Send with Solicited Event */
  IWARP_RDMAP_OP_SEND_SE_INV = 6,  /* Send with Solicited Event and Invalidate */
  IWARP_RDMAP_OP_TERMINATE = 7,    /* Terminate */
  IWARP_RDMAP_OP_IMMEDIATE = 8,    /* Immediate Data, RFC 7306 6 */
  IWARP_RDMAP_OP_IMMEDIATE_SE = 9, /* Immediate Data with Solicited Event */
  IWARP_RDMAP_OP_ATOMIC_REQ = 10,  /* Atomic Request, RFC 7306 5 */
  IWARP_RDMAP_OP_ATOMIC_RESP = 11, /* Atomic Response */
  IWARP_RDMAP_OP_RESERVED_12 = 12, /* not assigned */
  IWARP_RDMAP_OP_RESERVED_13 = 13, /* not assigned */
  IWARP_RDMAP_OP_RESERVED_14 = 14, /* not assigned */
  IWARP_RDMAP_OP_EXPERIMENTAL = 15 /* reserved for experiments, RFC 6580 2 */
} iwarp_rdmap_opcode;

#define IWARP_RDMAP_QN_SEND 0u        /* Sends and Immediate Data */
#define IWARP_RDMAP_QN_READ_REQ 1u    /* Read and Atomic Requests */
#define IWARP_RDMAP_QN_TERMINATE 2u   /* Terminates */
#define IWARP_RDMAP_QN_ATOMIC_RESP 3u /* Atomic Responses, RFC 7306 5.2 */

#define IWARP_RDMAP_READ_REQ_LEN 28u    /* octets, RFC 5040 4.4 */
#define IWARP_RDMAP_IMMEDIATE_LEN 8u    /* octets, RFC 7306 6.2 */
#define IWARP_RDMAP_ATOMIC_REQ_LEN 52u  /* octets, RFC 7306 5.2.1 */
#define IWARP_RDMAP_ATOMIC_RESP_LEN 12u /* octets, RFC 7306 5.2.2 */
#define IWARP_RDMAP_TERM_MAX 52u        /* octets of a complete Terminate Header */
#define IWARP_RDMAP_HDR_MAX                                                                        \
  70u /* octets of DDP header + RDMAP header, the largest of them (atomic request, Terminate) */

/** iwarp_rdmap_ctrl is the RDMAP Control Field, the first octet of RsvdULP. RFC 5040 4.1. */
typedef struct iwarp_rdmap_ctrl {
  uint8_t rv;     /* 2 bits */
  uint8_t rsv;    /* 2 bits, reserved */
  uint8_t opcode; /* 4 bits, iwarp_rdmap_opcode */
} iwarp_rdmap_ctrl;

/** iwarp_rdmap_ctrl_decode splits the octet. */
IWARP_API iwarp_rdmap_ctrl iwarp_rdmap_ctrl_decode(uint8_t octet);

/** iwarp_rdmap_ctrl_encode joins the fields; bits beyond their width are cut. */
IWARP_API uint8_t iwarp_rdmap_ctrl_encode(iwarp_rdmap_ctrl v);

/** iwarp_rdmap_kind says which member of iwarp_rdmap_seg holds the decoded RDMAP header. */
typedef enum iwarp_rdmap_kind {
  IWARP_RDMAP_KIND_NONE =
      0, /* the message has no header of its own, or the segment does not hold it */
  IWARP_RDMAP_KIND_READ_REQ,   /* u.read_req */
  IWARP_RDMAP_KIND_TERM,       /* u.term */
  IWARP_RDMAP_KIND_IMMEDIATE,  /* u.immediate */
  IWARP_RDMAP_KIND_ATOMIC_REQ, /* u.atomic_req */
  IWARP_RDMAP_KIND_ATOMIC_RESP /* u.atomic_resp */
} iwarp_rdmap_kind;

/**
 * iwarp_rdmap_class groups the opcodes whose messages are handled alike: what a receiver does with
 * one, and whether it answers a message or is answered. Handle all classes in a switch without
 * `default:`, so that the compiler names each place that a new class concerns.
 */
typedef enum iwarp_rdmap_class {
  IWARP_RDMAP_CLASS_NONE = 0,   /* the opcode is not assigned */
  IWARP_RDMAP_CLASS_WRITE,      /* tagged payload into a region of the receiver */
  IWARP_RDMAP_CLASS_READ_REQ,   /* answered by a READ_RESP */
  IWARP_RDMAP_CLASS_READ_RESP,  /* tagged payload into the region that the READ_REQ names */
  IWARP_RDMAP_CLASS_SEND,       /* payload into a receive buffer */
  IWARP_RDMAP_CLASS_TERMINATE,  /* the last message of a direction */
  IWARP_RDMAP_CLASS_IMMEDIATE,  /* takes a receive buffer and puts nothing into it */
  IWARP_RDMAP_CLASS_ATOMIC_REQ, /* answered by an ATOMIC_RESP */
  IWARP_RDMAP_CLASS_ATOMIC_RESP /* the value before the Atomic Operation */
} iwarp_rdmap_class;

/** iwarp_rdmap_op is one row of the opcode table: RFC 5040 figures 4 and 5, RFC 7306 4.1. */
typedef struct iwarp_rdmap_op {
  const char *name;      /* "write", "read-request", ...; "reserved" */
  const char *label;     /* name in the RFC: "RDMA Write" */
  iwarp_rdmap_class cls; /* how its messages are handled; NONE: the opcode is not assigned */
  iwarp_rdmap_kind kind; /* member of iwarp_rdmap_seg with the decoded RDMAP header */
  iwarp_form form;       /* form of the RDMAP header; NONE: no header */
  bool assigned;         /* the opcode has a class: 0 to 11 */
  bool base;             /* RFC 5040 defines it: 0 to 7 */
  bool tagged;           /* T flag that the message must have */
  uint8_t qn;            /* queue of an untagged message */
  uint8_t hdr_len;       /* octets of RDMAP header after the DDP header; Terminate: 4, the least */
  bool payload;          /* may carry ULP payload */
  bool invalidates;      /* the Invalidate STag is valid */
  bool solicited;        /* asks for an Event */
  const char *rfc;       /* "RFC 5040 4.3" */
} iwarp_rdmap_op;

/** iwarp_rdmap_op_get returns the row of the low four bits of `opcode`. Never NULL; static storage.
 */
IWARP_API const iwarp_rdmap_op *iwarp_rdmap_op_get(uint8_t opcode);

/** iwarp_rdmap_read_req is the RDMA Read Request Header. RFC 5040 4.4. */
typedef struct iwarp_rdmap_read_req {
  uint32_t sink_stag;   /* Data Sink STag, of the requester */
  uint64_t sink_to;     /* Data Sink Tagged Offset */
  uint32_t size;        /* RDMARDSZ, octets */
  uint32_t source_stag; /* Data Source STag, of the responder */
  uint64_t source_to;   /* Data Source Tagged Offset */
} iwarp_rdmap_read_req;

/** iwarp_rdmap_read_req_decode decodes 28 octets after the DDP header. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_rdmap_read_req_decode(iwarp_rdmap_read_req *out, iwarp_span in);
/** iwarp_rdmap_read_req_encode writes 28 octets; `dst` NULL with `cap` 0 asks for the size. NOBUF.
 */
IWARP_API iwarp_err iwarp_rdmap_read_req_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                                const iwarp_rdmap_read_req *v);

/**
 * iwarp_rdmap_term is a Terminate Header. RFC 5040 4.8.
 *
 * HdrCt alone says what follows the control field; whether the Terminated DDP Header has 14 or 18
 * octets follows from its own T bit. The spans borrow the decoder's input. A Terminate whose tail
 * is cut or inconsistent still decodes: `tail_err` reports it, and the parts before the error are
 * set. `rest` holds all octets not described by the other members, so that encode(decode(x)) is x.
 */
typedef struct iwarp_rdmap_term {
  uint8_t layer;               /* 4 bits: 0 RDMA, 1 DDP, 2 LLP */
  uint8_t etype;               /* 4 bits */
  uint8_t code;                /* 8 bits */
  bool m;                      /* DDP Segment Length valid */
  bool d;                      /* DDP Header included */
  bool r;                      /* RDMAP Header included */
  uint16_t reserved;           /* 13 bits */
  bool has_ddp_segment_length; /* the field is there (M or D), valid only if m */
  uint16_t ddp_segment_length; /* octets */
  iwarp_span ddp_header;       /* empty, 14 or 18 octets */
  iwarp_span rdma_header;      /* empty or 28 octets */
  iwarp_span rest;             /* surplus or undecodable octets */
  iwarp_err tail_err;          /* OK, RDMAP_TERM_TRUNCATED or RDMAP_TERM_HDRCT */
  iwarp_span tail; /* decode only: the octets after the control field that are available */
  size_t tail_len; /* decode only: how many there are in the message, captured or not */
} iwarp_rdmap_term;

/**
 * iwarp_rdmap_term_decode decodes the Terminate Header `in`, the whole payload of a DDP message on
 * queue 2.
 *
 * OK (`used` = all of `in`) or NEED_MORE (fewer than 4 octets).
 */
IWARP_API iwarp_dec iwarp_rdmap_term_decode(iwarp_rdmap_term *out, iwarp_span in);
/**
 * iwarp_rdmap_term_encode writes the header; `dst` NULL with `cap` 0 asks for the size. The spans
 * and has_ddp_segment_length decide what is written, m, d and r only set their bits. NOBUF; ARG: a
 * field beyond its width.
 */
IWARP_API iwarp_err iwarp_rdmap_term_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                            const iwarp_rdmap_term *v);

/**
 * iwarp_rdmap_term_place says where in the traffic of a connection a Terminate stands. "The peer"
 * is the receiver of the Terminate.
 */
typedef enum iwarp_rdmap_term_place {
  IWARP_RDMAP_TERM_PLACE_UNKNOWN = 0, /* not known, or of no help to choose a reading */
  /** The peer has sent no FPDU and none of its octets is missing; nor has the sender of the
   * Terminate sent an FPDU before it, except an RTR frame. RFC 6581 8 */
  IWARP_RDMAP_TERM_PLACE_STARTUP,
  /** The peer has sent Full Operation traffic: more than an RTR frame or its own Terminate, or a
   * segment with an opcode that RFC 5040 does not have or with RV other than 1. */
  IWARP_RDMAP_TERM_PLACE_FULL
} iwarp_rdmap_term_place;

/**
 * iwarp_rdmap_term_likely decodes a Terminate again in the bit order of its sender's machine, as
 * Linux siw on little-endian machines writes it. In that reading Layer and Error Type are
 * exchanged; M, D and R are the lowest three bits of the third octet, M the lowest of all. The
 * headers follow these bits. `in` is the result of iwarp_rdmap_term_decode, `place` tells where the
 * Terminate stands.
 *
 * True, and *out is set (its spans borrow from `in`), where Layer, Error Type and Error Code are
 * assigned in that reading and
 * - are not assigned as they stand, or
 * - M, D and R of `in` are zero and one of the low bits is set, or
 * - the place excludes them as they stand: 2/0/5 to 2/0/7, which belong to the startup, in FULL,
 *   and 0/2/5 to 0/2/7, which are about a segment, in STARTUP. RFC 5040 4.8, RFC 6581 8
 *
 * False in any case where M or D of `in` is set and exactly what they announce follows: then the
 * field is in the order of RFC 5040.
 */
IWARP_API bool iwarp_rdmap_term_likely(iwarp_rdmap_term *out, const iwarp_rdmap_term *in,
                                       iwarp_rdmap_term_place place);

/** iwarp_rdmap_term_layer_name names a Layer ("RDMA", "DDP", "LLP"); IWARP_NAME_UNKNOWN where it is
 * unassigned. RFC 5040 4.8. */
IWARP_API const char *iwarp_rdmap_term_layer_name(uint8_t layer);
/** iwarp_rdmap_term_etype_name names an Error Type within a Layer; IWARP_NAME_UNKNOWN where it is
 * unassigned. */
IWARP_API const char *iwarp_rdmap_term_etype_name(uint8_t layer, uint8_t etype);
/**
 * iwarp_rdmap_term_code_name names an Error Code; IWARP_NAME_UNKNOWN where the triple is
 * unassigned. Layer 2 is read as MPA. RFC 5040 figure 9, RFC 5041 7.2, RFC 5044 8, RFC 6581 8, RFC
 * 6580 3.
 */
IWARP_API const char *iwarp_rdmap_term_code_name(uint8_t layer, uint8_t etype, uint8_t code);

/**
 * iwarp_term is a Terminate error as the first two octets of a Terminate Header have it: 4 bits
 * Layer, 4 bits Error Type, 8 bits Error Code. RFC 5040 4.8, RFC 6580 3.1 to 3.3, RFC 6581 8
 */
typedef enum iwarp_term {
/** IWARP_TERM_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_TERM_ENUM(name, layer, etype, code, any_code, etype_name, text, rfc)                 \
  IWARP_TERM_##name = (layer) << 12 | (etype) << 8 | (code),
  IWARP_TERM_MAP(IWARP_TERM_ENUM)
#undef IWARP_TERM_ENUM
} iwarp_term;

/** iwarp_rdmap_term_row is one row of the tables of errors. RFC 6580 3.1 to 3.3. */
typedef struct iwarp_rdmap_term_row {
  uint8_t layer;          /* 4 bits */
  uint8_t etype;          /* 4 bits */
  uint8_t code;           /* 8 bits; 0 where any_code */
  bool any_code;          /* any code may be sent with this Error Type and says no more than it */
  const char *etype_name; /* name of the Error Type */
  const char *name;       /* name of the Error Code */
  const char *rfc;        /* "RFC 5040 4.8" */
} iwarp_rdmap_term_row;

/** iwarp_rdmap_term_at returns the rows by Layer, Error Type and Error Code, NULL after the last.
 * Static storage. */
IWARP_API const iwarp_rdmap_term_row *iwarp_rdmap_term_at(size_t index);

/** iwarp_rdmap_atomic_req is the Atomic Request header. RFC 7306 5.2.1. */
typedef struct iwarp_rdmap_atomic_req {
  uint32_t reserved;      /* 28 bits */
  uint8_t aopcode;        /* 4 bits: 0 FetchAdd, 2 CmpSwap */
  uint32_t request_id;    /* Request Identifier; comes back in the Response */
  uint32_t stag;          /* Remote STag */
  uint64_t to;            /* Remote Tagged Offset, a multiple of 8 */
  uint64_t add_swap_data; /* Add or Swap Data */
  uint64_t add_swap_mask; /* Add or Swap Mask */
  uint64_t compare_data;  /* Compare Data; CmpSwap only */
  uint64_t compare_mask;  /* Compare Mask; CmpSwap only */
} iwarp_rdmap_atomic_req;

#define IWARP_RDMAP_AOP_FETCH_ADD 0u /* RFC 7306 5.1.1 */
#define IWARP_RDMAP_AOP_RESERVED 1u  /* not assigned */
#define IWARP_RDMAP_AOP_CMP_SWAP 2u  /* RFC 7306 5.1.2 */

/** iwarp_rdmap_atomic_req_decode decodes 52 octets after the DDP header. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_rdmap_atomic_req_decode(iwarp_rdmap_atomic_req *out, iwarp_span in);
/** iwarp_rdmap_atomic_req_encode writes 52 octets. NOBUF; ARG: a field beyond its width. */
IWARP_API iwarp_err iwarp_rdmap_atomic_req_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                                  const iwarp_rdmap_atomic_req *v);

/** iwarp_rdmap_atomic_resp is the Atomic Response header. RFC 7306 5.2.2. */
typedef struct iwarp_rdmap_atomic_resp {
  uint32_t request_id; /* Original Request Identifier */
  uint64_t original;   /* Original Remote Data Value */
} iwarp_rdmap_atomic_resp;

/** iwarp_rdmap_atomic_resp_decode decodes 12 octets after the DDP header. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_rdmap_atomic_resp_decode(iwarp_rdmap_atomic_resp *out, iwarp_span in);
/** iwarp_rdmap_atomic_resp_encode writes 12 octets. NOBUF. */
IWARP_API iwarp_err iwarp_rdmap_atomic_resp_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                                   const iwarp_rdmap_atomic_resp *v);

/** iwarp_rdmap_fetch_add returns the new value of FetchAdd on `old`; `mask` marks the top bit of
 * each field. RFC 7306 5.1.1. */
IWARP_API uint64_t iwarp_rdmap_fetch_add(uint64_t old, uint64_t add, uint64_t mask);
/** iwarp_rdmap_cmp_swap returns the new value of CmpSwap on `old`. RFC 7306 5.1.2. */
IWARP_API uint64_t iwarp_rdmap_cmp_swap(uint64_t old, uint64_t swap, uint64_t swap_mask,
                                        uint64_t compare, uint64_t compare_mask);

/**
 * iwarp_rdmap_seg is one DDP Segment decoded down to its RDMAP header.
 *
 * Where a capture holds only the first octets of the DDP header, has_ddp is false. Fields of ddp
 * and ctrl that lie within the first ddp_octets of the header are still set; the others are 0. With
 * DDP_SHORT nothing else is set.
 */
typedef struct iwarp_rdmap_seg {
  bool has_ddp;          /* ddp, ctrl and payload_len are set, the header is complete */
  uint8_t ddp_octets;    /* octets of the DDP header available, 0..18 */
  iwarp_ddp_hdr ddp;     /* the DDP header */
  iwarp_rdmap_ctrl ctrl; /* the RDMAP Control Field, out of ddp.rsvdulp */
  size_t payload_len;    /* octets of the segment after its DDP header; set when ddp_octets > 0 */
  iwarp_rdmap_kind kind; /* says which member of `u` is set */
  union {
    iwarp_rdmap_read_req read_req;                /* READ_REQ */
    iwarp_rdmap_term term;                        /* TERM; its spans borrow the input */
    uint8_t immediate[IWARP_RDMAP_IMMEDIATE_LEN]; /* IMMEDIATE: the octets as they stand */
    iwarp_rdmap_atomic_req atomic_req;            /* ATOMIC_REQ */
    iwarp_rdmap_atomic_resp atomic_resp;          /* ATOMIC_RESP */
  } u;                                            /* the RDMAP header */
  iwarp_err err; /* OK, DDP_SHORT, RDMAP_SHORT or RDMAP_LONG; what was decoded before it stays */
} iwarp_rdmap_seg;

/**
 * iwarp_rdmap_seg_decode decodes the first octets of a DDP Segment.
 *
 * `segment_len` is the length of the whole segment (the ULPDU_Length over MPA); `in` holds its
 * first octets, at least min(segment_len, IWARP_RDMAP_HDR_MAX) of them where the octets are there,
 * fewer where a capture lacks them. The RDMAP header is decoded for an untagged segment of an
 * opcode that has one, with MO 0. `err` compares the length with what the opcode demands; octets
 * that are merely not available are no error.
 */
IWARP_API void iwarp_rdmap_seg_decode(iwarp_rdmap_seg *out, iwarp_span in, size_t segment_len);

/** iwarp_rdmap_seg_check returns what is wrong with a segment: its `err`, or of a Terminate with
 * all of its header the `tail_err`. */
IWARP_API iwarp_err iwarp_rdmap_seg_check(const iwarp_rdmap_seg *v);

/** iwarp_err_to_terminate gives the Terminate triple that tells a peer of `err`; false when none
 * does. */
IWARP_API bool iwarp_err_to_terminate(uint8_t *layer, uint8_t *etype, uint8_t *code, iwarp_err err);

#ifdef __cplusplus
}
#endif

#endif
