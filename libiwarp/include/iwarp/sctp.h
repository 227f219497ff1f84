/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP over SCTP: DDP Segment Chunks and Session Control messages (RFC 5043, RFC 6581 7). */
#ifndef IWARP_SCTP_H
#define IWARP_SCTP_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IWARP_SCTP_PPID_SEGMENT 16u /* Payload Protocol Identifier of a DDP Segment Chunk */
#define IWARP_SCTP_PPID_CONTROL 17u /* Payload Protocol Identifier of a Session Control message */

#define IWARP_SCTP_SEGMENT_LEN 2u        /* octets before the DDP Segment */
#define IWARP_SCTP_CONTROL_LEN 4u        /* octets before the Private Data */
#define IWARP_SCTP_PRIVATE_DATA_MAX 512u /* octets, RFC 5043 5.2.3 */
#define IWARP_SCTP_ENHANCED_LEN 4u       /* octets, RFC 6581 9 */
#define IWARP_SCTP_MULPDU_MIN 516u       /* octets, RFC 5043 9 */
#define IWARP_SCTP_UNACKED_MAX 32767u    /* DDP-SSNs of a stream in flight, RFC 5043 10 */

#define IWARP_SCTP_ADAPTATION_TYPE 0xC006u /* Adaptation Layer Indication, RFC 5061 4.2.6 */
#define IWARP_SCTP_ADAPTATION_LEN 8u       /* octets */
#define IWARP_SCTP_ADAPTATION_DDP 1u       /* the indication of DDP, RFC 5043 5.1 */

/** iwarp_sctp_ppid_name names a Payload Protocol Identifier of RFC 5043; IWARP_NAME_UNKNOWN for any
 * other. */
IWARP_API const char *iwarp_sctp_ppid_name(uint32_t ppid);

/* ---- DDP Segment Chunk: RFC 5043 5.2.2 ---- */

/**
 * iwarp_sctp_segment is the user data of a DDP Segment Chunk. `segment` borrows the decoder's
 * input; its length comes from the SCTP message.
 */
typedef struct iwarp_sctp_segment {
  uint16_t ssn;       /* DDP-SSN */
  iwarp_span segment; /* the DDP Segment, borrowed */
} iwarp_sctp_segment;

/**
 * iwarp_sctp_segment_decode splits the user data `in` of one SCTP message. OK (`used` is all of
 * `in`) or NEED_MORE. What the DDP Segment holds is not looked at.
 */
IWARP_API iwarp_dec iwarp_sctp_segment_decode(iwarp_sctp_segment *out, iwarp_span in);

/** iwarp_sctp_segment_encode writes the user data; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_segment_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                              const iwarp_sctp_segment *v);

/* ---- DDP Stream Session Control: RFC 5043 5.2.3, RFC 6581 7 ---- */

/** iwarp_sctp_function: the Function Codes. RFC 6580 3.5. */
typedef enum iwarp_sctp_function {
  IWARP_SCTP_INITIATE = 1,          /* DDP Stream Session Initiate */
  IWARP_SCTP_ACCEPT = 2,            /* DDP Stream Session Accept */
  IWARP_SCTP_REJECT = 3,            /* DDP Stream Session Reject */
  IWARP_SCTP_TERMINATE = 4,         /* DDP Stream Session Terminate */
  IWARP_SCTP_ENHANCED_INITIATE = 5, /* Enhanced Initiate, RFC 6581 7 */
  IWARP_SCTP_ENHANCED_ACCEPT = 6,   /* Enhanced Accept */
  IWARP_SCTP_ENHANCED_REJECT = 7,   /* Enhanced Reject */
  IWARP_SCTP_EXPERIMENTAL = 0xFFFF  /* reserved for experiments, RFC 6580 2 */
} iwarp_sctp_function;

/** iwarp_sctp_function_info is one row of the table of Function Codes. */
typedef struct iwarp_sctp_function_info {
  uint16_t code;     /* iwarp_sctp_function */
  bool assigned;     /* false for the experimental code */
  bool private_data; /* the message has the field, which may be empty */
  bool enhanced;     /* the Private Data begins with the enhanced data */
  const char *name;  /* "initiate", "enhanced-accept", ... */
  const char *label; /* "DDP Stream Session Initiate" */
  const char *rfc;   /* "RFC 5043 5.2.3" */
} iwarp_sctp_function_info;

/** iwarp_sctp_function_get returns the row of a Function Code, or NULL when it is unassigned.
 * Static storage. */
IWARP_API const iwarp_sctp_function_info *iwarp_sctp_function_get(uint16_t code);

/** iwarp_sctp_function_at returns the rows in the order of their codes, NULL after the last. */
IWARP_API const iwarp_sctp_function_info *iwarp_sctp_function_at(size_t index);

/**
 * iwarp_sctp_control is the user data of a Session Control message as it stood on the wire. Nothing
 * is judged: any code with any length decodes. `private_data` borrows the decoder's input; its
 * length comes from the SCTP message.
 */
typedef struct iwarp_sctp_control {
  uint16_t ssn;            /* DDP-SSN */
  uint16_t function;       /* iwarp_sctp_function */
  iwarp_span private_data; /* borrowed; with the enhanced data where there are any */
} iwarp_sctp_control;

/** iwarp_sctp_control_decode splits the user data `in` of one SCTP message. OK (`used` is all of
 * `in`) or NEED_MORE. */
IWARP_API iwarp_dec iwarp_sctp_control_decode(iwarp_sctp_control *out, iwarp_span in);

/** iwarp_sctp_control_encode writes the user data; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_control_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                              const iwarp_sctp_control *v);

/**
 * iwarp_sctp_control_enhanced returns the four octets of enhanced data, to be decoded by
 * iwarp_mpa_enhanced_decode (iwarp/mpa.h): the word is the same over TCP and SCTP. Empty for a
 * Function Code without them, or when the Private Data is too short. RFC 6581 7 and 9.
 */
IWARP_API iwarp_span iwarp_sctp_control_enhanced(const iwarp_sctp_control *v);

/** iwarp_sctp_control_ulp_data returns the Private Data without the enhanced data. */
IWARP_API iwarp_span iwarp_sctp_control_ulp_data(const iwarp_sctp_control *v);

/* ---- Adaptation Layer Indication: RFC 5043 5.1, RFC 5061 4.2.6 ---- */

/** iwarp_sctp_adaptation is the parameter of INIT and INIT-ACK. */
typedef struct iwarp_sctp_adaptation {
  uint16_t type;       /* IWARP_SCTP_ADAPTATION_TYPE */
  uint16_t length;     /* octets, as on the wire */
  uint32_t indication; /* IWARP_SCTP_ADAPTATION_DDP */
} iwarp_sctp_adaptation;

/** iwarp_sctp_adaptation_decode decodes the first eight octets of `in`. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_sctp_adaptation_decode(iwarp_sctp_adaptation *out, iwarp_span in);

/** iwarp_sctp_adaptation_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_adaptation_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                                 const iwarp_sctp_adaptation *v);

/* ---- arithmetic ---- */

/**
 * iwarp_sctp_mulpdu returns the largest DDP Segment for a path MTU without fragmentation, at least
 * 516: `ip_header` octets of IP header, `bundled` octets left free for control chunks in the same
 * packet (16 for a SACK without gaps). RFC 5043 9.
 */
IWARP_API uint32_t iwarp_sctp_mulpdu(uint32_t path_mtu, uint32_t ip_header, uint32_t bundled);

/**
 * iwarp_sctp_ssn_distance returns how far the DDP-SSN `ssn` is ahead of `next`, the expected one:
 * 0: it is the expected one; up to 32766: it is ahead; more: it is not valid. RFC 5043 10.
 */
IWARP_API uint16_t iwarp_sctp_ssn_distance(uint16_t ssn, uint16_t next);

#ifdef __cplusplus
}
#endif

#endif
