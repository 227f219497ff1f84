/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame by itself, without the connection that it belongs to. */
#ifndef REPORT_FRAME_H
#define REPORT_FRAME_H

#include <iwarp/event.h>
#include <iwarp/pdu.h>

#include <report/jsonw.h>
#include <report/out_buf.h>
#include <report/private_data.h>

/*
 * What octets may be: X(name, text, form). MPA: a startup frame where it begins like one, else an
 * FPDU. DDP: a DDP Segment. RDMAP: what RDMAP hands to DDP: its Control Field, the Invalidate STag
 * where the message is untagged, and the payload. The others are forms of the field table.
 */
#define REPORT_LAYER_MAP(X)                                                                        \
  X(MPA, "mpa", 0)                                                                                 \
  X(DDP, "ddp", 0)                                                                                 \
  X(RDMAP, "rdmap", 0)                                                                             \
  X(SCTP_SEGMENT, "sctp-segment", IWARP_FORM_SCTP_SEGMENT)                                         \
  X(SCTP_CONTROL, "sctp-control", IWARP_FORM_SCTP_CONTROL)                                         \
  X(SCTP_ADAPTATION, "sctp-adaptation", IWARP_FORM_SCTP_ADAPTATION)                                \
  X(ENHANCED, "enhanced", IWARP_FORM_MPA_ENHANCED)                                                 \
  X(MARKER, "marker", IWARP_FORM_MPA_MARKER)                                                       \
  X(ERDMA, "erdma", IWARP_FORM_ERDMA_EXT)                                                          \
  X(SMBD, "smbd", IWARP_FORM_SMBD_DEPTHS)                                                          \
  X(SMBD_LE, "smbd-le", IWARP_FORM_SMBD_DEPTHS_LE)                                                 \
  X(RPC_RDMA, "rpc-rdma", IWARP_FORM_RPC_RDMA)

/** report_layer says what octets are of. */
typedef enum report_layer {
#define REPORT_LAYER_ENUM(name, text, form) REPORT_LAYER_##name,
  REPORT_LAYER_MAP(REPORT_LAYER_ENUM)
#undef REPORT_LAYER_ENUM
} report_layer;

/** report_layer_name and report_layer_form return the text of a layer and its form, or 0. */
const char *report_layer_name(report_layer layer);
iwarp_form report_layer_form(report_layer layer);

/** REPORT_FRAME_ROOM is the room for the DDP header that an RDMAP message lacks, in octets before
 * the message. */
#define REPORT_FRAME_ROOM 13u

/** report_frame is a decoded frame. Its spans borrow the octets that were decoded, and itself. */
typedef struct report_frame {
  report_layer layer;
  uint64_t off;        /* stream offset of an FPDU, or IWARP_POS_UNKNOWN */
  iwarp_err err;       /* error of the frame, or OK */
  size_t need;         /* NEED_MORE: octets that are needed in all */
  iwarp_span octets;   /* the frame, or the part of it that is there */
  iwarp_span surplus;  /* the octets after the frame */
  iwarp_event ev;      /* MPA: a startup frame or an FPDU */
  iwarp_rdmap_seg seg; /* DDP, RDMAP, and the segment of an FPDU */
  iwarp_span segment;  /* the octets of it */
  uint8_t ulpdu[65535];
} report_frame;

/**
 * report_frame_decode decodes the frame at the front of `len` octets.
 *
 * `off`: stream offset of an FPDU in a stream with Markers, IWARP_POS_UNKNOWN without. With
 * REPORT_LAYER_RDMAP the REPORT_FRAME_ROOM octets before them are written.
 */
void report_frame_decode(report_frame *out, report_layer layer, uint8_t *octets, size_t len,
                         uint64_t off);

/** report_frame_whole says whether the octets sufficed for the frame. */
bool report_frame_whole(const report_frame *f);

/** report_frame_walk begins to walk the forms of a frame, cut or not; false for a layer that is not
 * a PDU, or without octets. */
bool report_frame_walk(iwarp_pdu_iter *it, const report_frame *f);

/** report_frame_payload returns the octets after the headers of its segment. */
iwarp_span report_frame_payload(const report_frame *f);

/** report_frame_enhanced returns the enhanced data of a startup frame or Session Control message,
 * or nothing. */
iwarp_span report_frame_enhanced(const report_frame *f);

/** report_frame_private_data returns the known forms in its Private Data. */
report_private_data report_frame_private_data(const report_frame *f);

/** report_frame_text and report_frame_json write all its fields by the field table. */
void report_frame_text(out_buf *out, const report_frame *f);
void report_frame_json(out_buf *out, const report_frame *f);

/** report_form_put writes the fields of a form that lie in the octets, one a line. */
void report_form_put(out_buf *out, iwarp_form form, iwarp_span in);

/** report_form_json writes the fields of a form as an object under the form's key. */
void report_form_json(jsonw *w, iwarp_form form, iwarp_span in);

/** report_note_put begins a line of something that is no field. */
void report_note_put(out_buf *out, const char *label);

/**
 * report_segment_put writes the fields of a DDP Segment that `it` walks, with the header that
 * precedes it over SCTP, and the meaning of a Terminate; `seg` is its decoded form. `ddp` false
 * leaves its own DDP header out. Payload is not written.
 */
void report_segment_put(out_buf *out, const iwarp_pdu_iter *it, const iwarp_rdmap_seg *seg,
                        bool ddp);

#endif
