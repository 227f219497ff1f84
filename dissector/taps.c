/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives frames to the statistics that listen. */
#include "taps.h"

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
  taps_times_register();
  taps_conns_register();
  taps_conv_register(proto);
  taps_follow_register(proto);
  taps_menu_register(proto);
}

void taps_send(packet_info *pinfo, tvbuff_t *payload) {
  if (have_tap_listener(taps_sends)) {
    tap_queue_packet(taps_sends, pinfo, payload);
  }
}

bool taps_wanted(void) {
  return have_tap_listener(taps_pdus);
}

void taps_frame(packet_info *pinfo, const frame_rec *rec, const pdu_decoded *pdus, guint num) {
  for (guint i = 0; taps_wanted() && i < num; i++) {
    taps_pdu *data = wmem_new(pinfo->pool, taps_pdu);
    *data = (taps_pdu){.pdu = pdus[i].pdu,
                       .first = i == 0,
                       .seg = pdus[i].has_seg && pdus[i].seg.has_ddp ? &pdus[i].seg : NULL};
    tap_queue_packet(taps_pdus, pinfo, data);
  }
  if (have_tap_listener(taps_rules)) {
    for (const frame_finding *f = rec->rest->findings; f != NULL; f = f->next) {
      if (rules_expert_wanted(f)) {
        tap_queue_packet(taps_rules, pinfo, f);
      }
    }
  }
}
