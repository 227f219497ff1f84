/* SPDX-License-Identifier: BSD-2-Clause */
/* The data for statistics: each PDU and each broken rule of the frames that pass. */
#ifndef DISSECTOR_TAPS_H
#define DISSECTOR_TAPS_H

#include "ws_compat.h"

#include <epan/tap.h>
#include <iwarp/rdmap.h>

#include "pdu_octets.h"

/* taps_pdu is a PDU of a frame. */
typedef struct taps_pdu {
  const frame_pdu *pdu;
  bool first;                 /* the first PDU of the frame */
  const iwarp_rdmap_seg *seg; /* the DDP Segment with a DDP header, or NULL */
} taps_pdu;

#define TAPS_PDUS "iwarp"        /* data: taps_pdu */
#define TAPS_RULES "iwarp_rules" /* data: frame_finding */

#define TAPS_SENDS "iwarp_sends" /* data: the payload of a Send, a tvbuff_t */

/* taps_register makes the taps and the statistics that listen to them. */
void taps_register(int proto);

/* taps_send gives the payload of a Send to those who listen. */
void taps_send(packet_info *pinfo, tvbuff_t *payload);

/* taps_wanted says whether somebody listens to PDUs. */
bool taps_wanted(void);
/* taps_frame gives a frame to those who listen. */
void taps_frame(packet_info *pinfo, const frame_rec *rec, const pdu_decoded *pdus, guint num);

/* --- the statistics, each in a file of its own --- */

/* taps_tree_register: -z iwarp,tree. */
void taps_tree_register(void);
/* taps_rules_register: -z iwarp,rules. */
void taps_rules_register(void);
/* taps_stags_register: -z iwarp,stags. */
void taps_stags_register(void);
/* taps_srt_register: -z iwarp,srt. */
void taps_srt_register(int proto);
/* taps_times_register: -z iwarp,times. */
void taps_times_register(void);
/* taps_conns_register: -z iwarp,connections. */
void taps_conns_register(void);
/* taps_conv_register: -z conv,iwarp and -z endpoints,iwarp. */
void taps_conv_register(int proto);
/* taps_follow_register: -z follow,iwarp. */
void taps_follow_register(int proto);
/* taps_menu_register: the submenu of the GUI that opens them. */
void taps_menu_register(int proto);

#endif
