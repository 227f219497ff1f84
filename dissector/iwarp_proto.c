/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers the protocol with Wireshark. */
#include "iwarp_proto.h"

#include "feed.h"
#include "fields.h"
#include "link.h"
#include "prefs.h"
#include "rules_expert.h"
#include "show.h"
#include "takeover.h"
#include "taps.h"
#include "upper.h"

static int proto_iwarp = -1;
static dissector_handle_t iwarp_handle;

int iwarp_proto_id(void) {
  return proto_iwarp;
}

bool iwarp_proto_enabled(void) {
  return proto_is_protocol_enabled(find_protocol_by_id(proto_iwarp));
}

dissector_handle_t iwarp_proto_handle(void) {
  return iwarp_handle;
}

void iwarp_proto_register(void) {
  proto_iwarp = proto_register_protocol("iWARP: MPA, DDP and RDMAP", "iWARP", IWARP_NAME);
  iwarp_handle = register_dissector(IWARP_NAME, show_payload, proto_iwarp);
  fields_register(proto_iwarp);
  rules_expert_register(proto_iwarp);
  prefs_iwarp_register(proto_iwarp);
  feed_register();
  upper_register(proto_iwarp);
  taps_register(proto_iwarp);
  register_postdissector(create_dissector_handle(show_rest, proto_iwarp));
}

void iwarp_proto_handoff(void) {
  link_handoff();
  takeover_handoff();
  upper_handoff();
}
