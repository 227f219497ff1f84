/* SPDX-License-Identifier: BSD-2-Clause */
/* One PDU taken apart, form by form: whole, or as much of it as there is. */
#ifndef IWARP_PDU_H
#define IWARP_PDU_H

#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_pdu_part is one form of a PDU, where its fields are (iwarp/field.h), or a run of payload.
 */
typedef struct iwarp_pdu_part {
  iwarp_form form;   /* NONE: payload, or octets that no form describes */
  bool returned;     /* a header of another segment, which a Terminate returns. RFC 5040 4.8 */
  iwarp_span octets; /* the available octets without Markers, at least one; borrowed from the
                        PDU or, where a Marker stood among the octets, from the iterator */
  size_t pdu_off;    /* offset of the first octet in the PDU, Markers not counted */
  size_t wire_off;   /* offset of the first octet in the PDU, Markers counted */
} iwarp_pdu_part;

#define IWARP_PDU_PARTS_MAX 12u /* forms of one PDU, Markers not counted */

/** iwarp_pdu_item is an entry of the list of parts that an iterator keeps. */
typedef struct iwarp_pdu_item {
  iwarp_form form; /* form of the part, see iwarp_pdu_part */
  bool returned;   /* a header that a Terminate returns, see iwarp_pdu_part */
  size_t off;      /* offset of the first octet, Markers not counted */
  size_t len;      /* octets, available or not */
} iwarp_pdu_item;

/** iwarp_pdu_iter walks one PDU. Its members are private; a copy is a walk of its
 * own. */
typedef struct iwarp_pdu_iter {
  iwarp_span wire;                          /* the octets that are available */
  iwarp_mpa_layout layout;                  /* all zero without Markers */
  iwarp_pdu_item part[IWARP_PDU_PARTS_MAX]; /* the list of the parts */
  size_t num_parts;                         /* entries of `part` */
  size_t at;                                /* index of the next part to return */
  size_t done;                              /* octets of the part at `at` that were returned */
  size_t marker;                            /* number of the next Marker to return */
  size_t head_len;                          /* octets of `head` that are available */
  uint8_t head[IWARP_MPA_LENGTH_LEN + IWARP_RDMAP_HDR_MAX]; /* the first octets without Markers */
} iwarp_pdu_iter;

/** iwarp_pdu_startup begins to walk an MPA Request or Reply Frame of which `in` holds the first
 * octets; what follows the frame is no part of it. RFC 5044 7.1.1, RFC 6581 6. */
IWARP_API void iwarp_pdu_startup(iwarp_pdu_iter *it, iwarp_span in);

/** iwarp_pdu_decoded_startup begins to walk a frame that was decoded. Its octets are not available:
 * it has no part for iwarp_pdu_next, but a place for each field. */
IWARP_API void iwarp_pdu_decoded_startup(iwarp_pdu_iter *it, const iwarp_mpa_startup *v);

/**
 * iwarp_pdu_fpdu begins to walk an FPDU of which `in` holds the first octets, a leading Marker
 * included. `off` and `markers` are as for iwarp_mpa_fpdu_decode. Its parts are ULPDU_Length, the
 * segment, PAD and CRC; each Marker is a part and comes before the part that begins after it.
 */
IWARP_API void iwarp_pdu_fpdu(iwarp_pdu_iter *it, iwarp_span in, uint64_t off, bool markers);

/** iwarp_pdu_decoded_fpdu begins to walk an FPDU that was decoded; its `wire` may be cut short. */
IWARP_API void iwarp_pdu_decoded_fpdu(iwarp_pdu_iter *it, const iwarp_mpa_fpdu *v);

/** iwarp_pdu_segment begins to walk a DDP Segment of `segment_len` octets of which `in` holds the
 * first ones. RFC 5041 4. */
IWARP_API void iwarp_pdu_segment(iwarp_pdu_iter *it, iwarp_span in, size_t segment_len);

/** iwarp_pdu_sctp_segment begins to walk the user data of an SCTP message with a DDP Segment; `len`
 * octets in all, of which `in` holds the first ones. RFC 5043 5.2.2. */
IWARP_API void iwarp_pdu_sctp_segment(iwarp_pdu_iter *it, iwarp_span in, size_t len);

/** iwarp_pdu_sctp_control begins to walk the user data of a DDP Stream Session Control message.
 * RFC 5043 5.2.3, RFC 6581 7. */
IWARP_API void iwarp_pdu_sctp_control(iwarp_pdu_iter *it, iwarp_span in);

/**
 * iwarp_pdu_next returns the next part: OK, or END after the last one of which an octet is
 * available. Parts come in the order of their first octets; one that lies within another (the RDMAP
 * Control Field in the DDP header, the enhanced data in the Private Data) comes after it. What is
 * longer than the available octets is cut: its later fields are NEED_MORE for iwarp_field_uint.
 */
IWARP_API iwarp_err iwarp_pdu_next(iwarp_pdu_part *out, iwarp_pdu_iter *it);

/** iwarp_pdu_wire_offset returns where octet `pdu_off` of the PDU stands when its Markers count. */
IWARP_API size_t iwarp_pdu_wire_offset(const iwarp_pdu_iter *it, size_t pdu_off);

/** iwarp_pdu_place is where a field stands in a PDU. */
typedef struct iwarp_pdu_place {
  const iwarp_field *field; /* row of the field in the form that holds it */
  size_t pdu_off;           /* offset of the first octet in the PDU, Markers not counted */
  size_t wire_off;          /* offset of the first octet in the PDU, Markers counted */
  size_t len;               /* octets that hold bits of the field, Markers not counted */
} iwarp_pdu_place;

/**
 * iwarp_pdu_locate returns where a field stands in the PDU, wherever its iterator is: OK, or END
 * when no form of the PDU has a field of that path. `field` is the id of any row of the path: the
 * DDP header of the PDU decides between tagged and untagged. `returned` asks for the headers of
 * another segment that a Terminate returns (RFC 5040 4.8) in place of the PDU's own. Octets of the
 * place may lie past the available ones; Markers are not searched.
 */
IWARP_API iwarp_err iwarp_pdu_locate(iwarp_pdu_place *out, const iwarp_pdu_iter *it, uint16_t field,
                                     bool returned);

#ifdef __cplusplus
}
#endif

#endif
