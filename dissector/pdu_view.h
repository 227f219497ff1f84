/* SPDX-License-Identifier: BSD-2-Clause */
/* A PDU as it is being shown: its octets, where they are in a buffer of Wireshark, and its tree. */
#ifndef DISSECTOR_PDU_VIEW_H
#define DISSECTOR_PDU_VIEW_H

#include <iwarp/pdu.h>

#include "frames.h"
#include "marks.h"

typedef struct pdu_view {
  packet_info *pinfo;
  const frame_pdu *pdu;
  iwarp_span octets;
  iwarp_mpa_layout layout;    /* an FPDU: its layout */
  const iwarp_rdmap_seg *seg; /* the DDP Segment of an FPDU or a message over SCTP, or NULL */
  tvbuff_t *tvb;              /* buffer in which the octets begin at `base` */
  guint base;
  proto_tree *tree;
  bool visible;  /* somebody reads the texts of the tree; else only values of fields count */
  marks *marks;  /* may be NULL */
  guint32 known; /* the last frame that may be named: later ones were not read when this is shown */
} pdu_view;

/* pdu_view_item notes an item that shows `len` octets from octet `at` of the PDU on. */
void pdu_view_item(const pdu_view *v, proto_item *item, guint16 field, size_t at, size_t len);

#endif
