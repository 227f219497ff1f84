/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA: startup frames (RFC 5044, RFC 6581), FPDUs and Markers. */
#ifndef IWARP_MPA_H
#define IWARP_MPA_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- startup frames: RFC 5044 7.1.1, RFC 6581 6 ---- */

#define IWARP_MPA_KEY_LEN 16u           /* octets */
#define IWARP_MPA_STARTUP_LEN 20u       /* octets before the Private Data */
#define IWARP_MPA_PRIVATE_DATA_MAX 512u /* octets, RFC 5044 7.1.1 */
#define IWARP_MPA_ENHANCED_LEN 4u       /* octets, RFC 6581 9 */
#define IWARP_MPA_DEPTH_UNSPEC 0x3FFFu  /* IRD or ORD: not negotiated here, RFC 6581 9.1 */

#define IWARP_MPA_FLAG_M 0x80u   /* the sender of this frame wants to receive Markers */
#define IWARP_MPA_FLAG_C 0x40u   /* CRC wanted */
#define IWARP_MPA_FLAG_R 0x20u   /* rejected connection (Reply) */
#define IWARP_MPA_FLAG_S 0x10u   /* enhanced connection data, RFC 6581 */
#define IWARP_MPA_FLAG_RES 0x0Fu /* reserved */

/** iwarp_mpa_key tells the two startup keys apart. */
typedef enum iwarp_mpa_key {
  IWARP_MPA_KEY_UNKNOWN = 0, /* neither key */
  IWARP_MPA_KEY_REQUEST,     /* "MPA ID Req Frame" */
  IWARP_MPA_KEY_REPLY        /* "MPA ID Rep Frame" */
} iwarp_mpa_key;

/**
 * iwarp_mpa_startup is an MPA Request or Reply Frame as it stood on the wire, every bit of it.
 *
 * `private_data` borrows the decoder's input. Where the S flag stands in a Rev 2 frame its first
 * four octets are the enhanced data, see iwarp_mpa_enhanced_decode. Under Rev 129 it begins with
 * eight octets that pd_length does not count, see iwarp_erdma_ext_decode (iwarp/private_data.h).
 * Nothing is judged: any key, flag, revision and length decodes.
 */
typedef struct iwarp_mpa_startup {
  uint8_t key[IWARP_MPA_KEY_LEN]; /* Key, as on the wire */
  uint8_t flags;                  /* IWARP_MPA_FLAG_* */
  uint8_t rev;                    /* Rev, as on the wire */
  uint16_t pd_length;             /* octets, as on the wire */
  iwarp_span private_data;        /* borrowed, see above */
} iwarp_mpa_startup;

/**
 * iwarp_mpa_enhanced is the enhanced RDMA connection establishment data: RFC 6581 9, four octets.
 */
typedef struct iwarp_mpa_enhanced {
  bool a;       /* peer-to-peer connection model */
  bool b;       /* zero-length Send as RTR */
  uint16_t ird; /* 14 bits; IWARP_MPA_DEPTH_UNSPEC = left to the ULP */
  bool c;       /* zero-length RDMA Write as RTR */
  bool d;       /* zero-length RDMA Read as RTR */
  uint16_t ord; /* 14 bits */
} iwarp_mpa_enhanced;

/**
 * iwarp_mpa_key_classify says which startup key the first 16 octets of `in` are; UNKNOWN also when
 * `in` is shorter.
 */
IWARP_API iwarp_mpa_key iwarp_mpa_key_classify(iwarp_span in);

/**
 * iwarp_mpa_key_octets returns the 16 octets of a key (no terminator), or NULL for UNKNOWN. Static
 * storage.
 */
IWARP_API const uint8_t *iwarp_mpa_key_octets(iwarp_mpa_key key);

/**
 * iwarp_mpa_startup_size returns the octets of a startup frame in all: 20 + PD_Length, and eight
 * more under Rev 129 (IWARP_MPA_REV_ERDMA). RFC 5044 7.1.1.
 */
IWARP_API size_t iwarp_mpa_startup_size(uint8_t rev, uint16_t pd_length);

/**
 * iwarp_mpa_startup_head_decode decodes the 20 octets before the Private Data, which is left empty:
 * they say how many octets to read, and iwarp_mpa_startup_check what is wrong with them.
 *
 * Returns OK (`used` = 20) or NEED_MORE. The key and the fields are not judged. RFC 5044 7.1.1.
 */
IWARP_API iwarp_dec iwarp_mpa_startup_head_decode(iwarp_mpa_startup *out, iwarp_span in);

/**
 * iwarp_mpa_startup_decode splits one startup frame off the front of `in`.
 *
 * Returns OK (`used` = iwarp_mpa_startup_size) or NEED_MORE. The key and the fields are not judged.
 * RFC 5044 7.1.1.
 */
IWARP_API iwarp_dec iwarp_mpa_startup_decode(iwarp_mpa_startup *out, iwarp_span in);

/**
 * iwarp_mpa_startup_encode writes the frame `v` to `dst`; `dst` NULL with `cap` 0 asks for the
 * size.
 *
 * `*out_len` is the size of the frame, also when NOBUF is returned. ARG: private_data is longer
 * than iwarp_mpa_startup_size allows (a frame that announces more than it holds can be written, to
 * make a faulty one).
 */
IWARP_API iwarp_err iwarp_mpa_startup_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                             const iwarp_mpa_startup *v);

/**
 * iwarp_mpa_startup_is_enhanced says whether `v` carries the enhanced data: S set, Rev 2, at least
 * four octets of Private Data (RFC 6581 6; S under another revision leaves the octets to the ULP).
 */
IWARP_API bool iwarp_mpa_startup_is_enhanced(const iwarp_mpa_startup *v);

/**
 * iwarp_mpa_startup_check returns what a receiver finds wrong with a frame after its key: OK, or
 * the first of MPA_REV (above 2), MPA_PD_LENGTH (above 512), MPA_ENHANCED (S under Rev 2, and a
 * PD_Length without room for the enhanced data). The key and the reserved flags are not judged.
 * RFC 5044 7.1.2, RFC 6581 6.
 */
IWARP_API iwarp_err iwarp_mpa_startup_check(const iwarp_mpa_startup *v);

/** iwarp_mpa_enhanced_decode decodes the first four octets of `in`. OK or NEED_MORE. RFC 6581 9. */
IWARP_API iwarp_dec iwarp_mpa_enhanced_decode(iwarp_mpa_enhanced *out, iwarp_span in);

/** iwarp_mpa_enhanced_encode writes the four octets. NOBUF; ARG: a depth above 14 bits. RFC 6581 9.
 */
IWARP_API iwarp_err iwarp_mpa_enhanced_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                              const iwarp_mpa_enhanced *v);

/* ---- FPDU geometry: RFC 5044 4.1 to 4.3 ---- */

#define IWARP_MPA_LENGTH_LEN 2u      /* octets of ULPDU_Length */
#define IWARP_MPA_CRC_LEN 4u         /* octets of the CRC field */
#define IWARP_MPA_MARKER_LEN 4u      /* octets of a Marker, RFC 5044 4.2 */
#define IWARP_MPA_MARKER_PERIOD 512u /* octets from Marker to Marker, RFC 5044 4.3 */
#define IWARP_MPA_MARKER_STRIDE 508u /* octets between two Markers */
/** IWARP_MPA_FPDUPTR_BITS masks the bits of FPDUPTR that count; a receiver ignores the two low
 * bits. RFC 5044 4.2 */
#define IWARP_MPA_FPDUPTR_BITS 0xFFFCu
#define IWARP_MPA_ULPDU_MAX 64768u /* octets that DDP may post, RFC 5044 3 */
#define IWARP_MPA_MULPDU_MIN 128u  /* octets, RFC 5044 4.5 */
#define IWARP_MPA_FPDU_WIRE_MAX                                                                    \
  66064u /* any 16-bit ULPDU_Length, leading Marker and inner Markers included */
#define IWARP_MPA_MARKERS_MAX 130u /* Markers of one FPDU, the leading one included */

/**
 * iwarp_mpa_layout says where the parts of one FPDU lie. All offsets count octets from the first
 * octet of the FPDU's wire form, which is the leading Marker where there is one, else ULPDU_Length.
 */
typedef struct iwarp_mpa_layout {
  uint32_t lead; /* octets of a Marker right before ULPDU_Length, 4 or 0; so its offset too */
  uint32_t pad;  /* octets of PAD, 0..3 */
  uint32_t num_markers;  /* Markers, the leading one included */
  uint32_t first_marker; /* offset of the first inner Marker; the others follow every 512 octets */
  uint32_t crc_off;      /* offset of the CRC field */
  uint32_t wire_len;     /* octets from the start to the end of the CRC */
} iwarp_mpa_layout;

/**
 * iwarp_mpa_layout_of computes the layout of an FPDU with `ulpdu_length` octets of ULPDU.
 *
 * `off` is the stream offset at which the FPDU's wire form begins, counted from the first octet of
 * Full Operation in that direction. Only its low nine bits matter, and only with `markers`. It is a
 * multiple of 4 for every FPDU that a conforming sender can make, and is rounded down to one. RFC
 * 5044 4.3.
 */
IWARP_API iwarp_mpa_layout iwarp_mpa_layout_of(uint64_t off, uint16_t ulpdu_length, bool markers);

/**
 * iwarp_mpa_wire_offset converts an offset that does not count Markers into an offset in the wire
 * form, counted as in iwarp_mpa_layout. `pos` 0 is the first octet of ULPDU_Length. *run becomes
 * the number of octets, that one included, before the next Marker (SIZE_MAX: no Marker follows in
 * any FPDU of this layout). Neither is limited by the end of the FPDU. RFC 5044 4.3.
 */
IWARP_API size_t iwarp_mpa_wire_offset(size_t *run, const iwarp_mpa_layout *layout, size_t pos);

/** iwarp_mpa_pad_len returns the octets of PAD after `ulpdu_length` octets of ULPDU: (2 - L) mod 4.
 */
IWARP_API uint32_t iwarp_mpa_pad_len(uint16_t ulpdu_length);

/**
 * iwarp_mpa_mulpdu returns the MULPDU for the effective maximum segment size `emss` (octets),
 * clamped to 128..64768. RFC 5044 4.5.
 */
IWARP_API uint32_t iwarp_mpa_mulpdu(uint32_t emss, bool markers);

/** iwarp_mpa_marker is one Marker as on the wire. RFC 5044 4.2. */
typedef struct iwarp_mpa_marker {
  uint16_t reserved; /* 16 bits, sent as 0 */
  uint16_t fpduptr; /* octets back to ULPDU_Length, 0 between FPDUs; the two low bits are not masked
                       here */
} iwarp_mpa_marker;

/** iwarp_mpa_marker_decode decodes four octets. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_mpa_marker_decode(iwarp_mpa_marker *out, iwarp_span in);

/** iwarp_mpa_marker_encode writes four octets. NOBUF. */
IWARP_API iwarp_err iwarp_mpa_marker_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                            const iwarp_mpa_marker *v);

/** iwarp_mpa_marker_agrees says whether two Markers point to the same octet: the RESERVED field and
 * the two low bits of FPDUPTR mean nothing to a receiver. RFC 5044 4.2. */
IWARP_API bool iwarp_mpa_marker_agrees(const iwarp_mpa_marker *a, const iwarp_mpa_marker *b);

/**
 * iwarp_mpa_marker_start says where the FPDU begins that a Marker points to: its wire form begins
 * `*back` octets before the Marker (0: the Marker leads it), and ULPDU_Length comes `*lead` octets
 * later (4: after a leading Marker, else 0). False, and neither is set, where FPDUPTR points to a
 * Marker, which no conforming sender does. RFC 5044 4.2, 4.3.
 */
IWARP_API bool iwarp_mpa_marker_start(size_t *back, size_t *lead, const iwarp_mpa_marker *m);

/* ---- FPDUs ---- */

/**
 * iwarp_mpa_fpdu is one FPDU, split but not copied: `wire` borrows the decoder's input, leading
 * Marker included.
 */
typedef struct iwarp_mpa_fpdu {
  iwarp_span wire;         /* all of it, from a leading Marker to the CRC */
  uint16_t ulpdu_length;   /* octets of ULPDU, as on the wire */
  uint8_t pad[3];          /* the PAD octets as they stand, pad_len of them */
  uint32_t crc;            /* the CRC field as a number */
  bool markers;            /* decoded with Markers */
  iwarp_mpa_layout layout; /* places of the parts */
} iwarp_mpa_fpdu;

/**
 * iwarp_mpa_fpdu_decode splits one FPDU off the front of `in`.
 *
 * `in` starts at an FPDU boundary whose stream offset is `off` (see iwarp_mpa_layout_of). Returns
 * OK or NEED_MORE
 * (`need` is 2, 6 or the size of the whole wire form). Neither CRC nor Marker values nor PAD are
 * judged: see iwarp_mpa_fpdu_crc and iwarp_mpa_fpdu_marker. RFC 5044 4.
 */
IWARP_API iwarp_dec iwarp_mpa_fpdu_decode(iwarp_mpa_fpdu *out, iwarp_span in, uint64_t off,
                                          bool markers);

/** iwarp_mpa_fpdu_crc computes the CRC32c over what `v` covers: all of the wire form but the CRC
 * field. */
IWARP_API uint32_t iwarp_mpa_fpdu_crc(const iwarp_mpa_fpdu *v);

/**
 * iwarp_mpa_fpdu_marker reads Marker number `i` of `v`. It also returns the value that a conforming
 * sender gives the Marker (`expected`) and the offset of the Marker in the wire form. A leading
 * Marker has number 0. END: there is no Marker `i`.
 */
IWARP_API iwarp_err iwarp_mpa_fpdu_marker(iwarp_mpa_marker *out, iwarp_mpa_marker *expected,
                                          size_t *wire_off, const iwarp_mpa_fpdu *v, size_t i);

/**
 * iwarp_mpa_fpdu_markers_agree says whether all Markers of `v` point to it, as
 * iwarp_mpa_marker_agrees has it; in a wire form that is cut, those that are there. RFC 5044 4.2.
 */
IWARP_API bool iwarp_mpa_fpdu_markers_agree(const iwarp_mpa_fpdu *v);

/**
 * iwarp_mpa_fpdu_ulpdu_span yields the ULPDU without its Markers, as spans into the wire form.
 *
 * `*cursor` starts at 0 and is moved by the call; END after the last span. At most
 * IWARP_MPA_MARKERS_MAX + 1 spans.
 */
IWARP_API iwarp_err iwarp_mpa_fpdu_ulpdu_span(iwarp_span *out, size_t *cursor,
                                              const iwarp_mpa_fpdu *v);

/**
 * iwarp_mpa_fpdu_ulpdu_spans writes the next of these spans, at most `cap`, to `out` and returns
 * how many: fewer than `cap` when there are no more. `*cursor` is used as by
 * iwarp_mpa_fpdu_ulpdu_span. One call can return all spans as a gather list for readv or sendmsg,
 * and costs less than a call for each span.
 */
IWARP_API size_t iwarp_mpa_fpdu_ulpdu_spans(iwarp_span *out, size_t cap, size_t *cursor,
                                            const iwarp_mpa_fpdu *v);

/**
 * iwarp_mpa_fpdu_ulpdu_copy copies up to `cap` octets of the ULPDU from ULPDU offset `from` to
 * `dst`, Markers left out, and returns how many it copied. `v->wire` may be cut short (a capture
 * that holds only the beginning): the copy ends there.
 */
IWARP_API size_t iwarp_mpa_fpdu_ulpdu_copy(uint8_t *dst, size_t cap, const iwarp_mpa_fpdu *v,
                                           size_t from);

/**
 * iwarp_mpa_fpdu_desc describes an FPDU to encode. Zero is the conforming default of every member
 * but `ulpdu`; the others exist so that decode followed by encode is the identity and that faulty
 * frames can be made.
 */
typedef struct iwarp_mpa_fpdu_desc {
  iwarp_span ulpdu; /* ULPDU without Markers, at most 65535 octets */
  uint64_t off;     /* stream offset of the wire form, see iwarp_mpa_layout_of */
  bool markers;     /* encode with Markers */
  bool crc_given;   /* write `crc` instead of the computed value */
  uint32_t crc;     /* crc_given: the CRC field as a number */
  uint8_t pad[3];   /* PAD octets */
  const iwarp_mpa_marker *marker_values; /* values by number of the Marker; NULL: the right ones */
  size_t num_marker_values;              /* entries of marker_values */
} iwarp_mpa_fpdu_desc;

/**
 * iwarp_mpa_fpdu_encode writes the FPDU to `dst`; `dst` NULL with `cap` 0 asks for the size.
 *
 * ARG: ULPDU longer than 65535 octets, or marker_values of the wrong number. MPA_ULPDU_LENGTH: a
 * Marker's distance does not fit FPDUPTR (possible from 65023 octets up) and no values were given.
 * NOBUF: `*out_len` holds the size.
 */
IWARP_API iwarp_err iwarp_mpa_fpdu_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                          const iwarp_mpa_fpdu_desc *v);

#ifdef __cplusplus
}
#endif

#endif
