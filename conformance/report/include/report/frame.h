/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame by itself, without the connection that it belongs to. */
#ifndef REPORT_FRAME_H
#define REPORT_FRAME_H

#include <iwarp/field.h>
#include <iwarp/stream.h>

#include <report/sink.h>

/** report_layer says what octets are of. */
typedef enum report_layer {
  REPORT_LAYER_MPA = 0, /* a startup frame where it begins like one, else an FPDU */
  REPORT_LAYER_DDP,     /* a DDP Segment */
  REPORT_LAYER_RDMAP    /* what RDMAP hands to DDP: its Control Field, the Invalidate STag where the
                           message is untagged, and the payload */
} report_layer;

/** REPORT_FRAME_ROOM octets before those of an RDMAP message take the DDP header that it lacks. */
#define REPORT_FRAME_ROOM 13u

/** report_frame is a decoded frame. Its spans borrow the octets that were decoded, and itself. */
typedef struct report_frame {
  report_layer layer;
  iwarp_err err;       /* what is wrong with it, or OK */
  size_t need;         /* NEED_MORE: octets wanted in all */
  iwarp_span octets;   /* those of the frame, or what there is of them */
  iwarp_span surplus;  /* those behind it */
  iwarp_event ev;      /* MPA: a startup frame or an FPDU */
  iwarp_rdmap_seg seg; /* DDP, RDMAP, and that of an FPDU */
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

/** report_frame_payload returns the octets behind the headers of its segment. */
iwarp_span report_frame_payload(const report_frame *f);

/** report_frame_text and report_frame_json write all its fields by the field table. */
void report_frame_text(sink *out, const report_frame *f);
void report_frame_json(sink *out, const report_frame *f);

/** report_form_put writes the fields of a form that lie in the octets, one a line. */
void report_form_put(sink *out, iwarp_form form, iwarp_span in);

/** report_note_put begins a line of something that is no field. */
void report_note_put(sink *out, const char *label);

/** report_segment_put writes the fields of a DDP Segment, report_rdmap_put those behind its DDP
 * header. */
void report_segment_put(sink *out, const iwarp_rdmap_seg *seg, iwarp_span in);
void report_rdmap_put(sink *out, const iwarp_rdmap_seg *seg, iwarp_span in);

#endif
