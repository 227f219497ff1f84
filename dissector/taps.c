/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives frames to the statistics that listen. */
#include "taps.h"

#include "pdu_octets.h"
#include "rules_expert.h"

static int taps_pdus;
static int taps_rules;
static int taps_sends;

void taps_register(int proto) {
  taps_pdus = register_tap(TAPS_PDUS);
  taps_rules = register_tap(TAPS_RULES);
  taps_sends = register_tap(TAPS_SENDS);
  taps_tree_register();
  taps_rules_register();
  taps_stags_register();
  taps_srt_register(proto);
  taps_conv_register(proto);
  taps_follow_register(proto);
}

void taps_send(packet_info *pinfo, tvbuff_t *payload) {
  if (have_tap_listener(taps_sends)) {
    tap_queue_packet(taps_sends, pinfo, payload);
  }
}

static void taps_one(tvbuff_t *frame, packet_info *pinfo, const frame_pdu *pdu, bool first) {
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  taps_pdu *data = wmem_new0(pinfo->pool, taps_pdu);
  data->pdu = pdu;
  data->first = first;
  data->has_seg = pdu_segment(&data->seg, head, pdu, pdu_octets(pdu, frame)) && data->seg.has_ddp;
  tap_queue_packet(taps_pdus, pinfo, data);
}

void taps_frame(tvbuff_t *frame, packet_info *pinfo, const frame_rec *rec) {
  if (have_tap_listener(taps_pdus)) {
    for (const frame_pdu *p = rec->pdus; p != NULL; p = p->next) {
      taps_one(frame, pinfo, p, p == rec->pdus);
    }
  }
  if (have_tap_listener(taps_rules)) {
    for (const frame_finding *f = rec->findings; f != NULL; f = f->next) {
      if (rules_expert_wanted(f)) {
        tap_queue_packet(taps_rules, pinfo, f);
      }
    }
  }
}
