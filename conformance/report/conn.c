/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of a connection that follow from what is known of it. */
#include <report/conn.h>

uint8_t report_initiator(const iwarp_observer_info *info) {
  const bool second =
      info->side[1].role == IWARP_ROLE_INITIATOR || info->side[0].role == IWARP_ROLE_RESPONDER;
  return second ? 1 : 0;
}

bool report_roles_known(const iwarp_observer_info *info) {
  return info->side[0].role != IWARP_ROLE_UNKNOWN || info->side[1].role != IWARP_ROLE_UNKNOWN;
}

iwarp_role report_sender_role(const iwarp_observer_info *info, const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_SCTP_INIT ? IWARP_ROLE_UNKNOWN : info->side[ev->side].role;
}

bool report_rev(const iwarp_observer_info *info, uint8_t *rev) {
  const uint8_t initiator = report_initiator(info);
  const iwarp_observer_side *reply = &info->side[1 - initiator];
  const iwarp_observer_side *request = &info->side[initiator];
  const iwarp_observer_side *from = reply->has_startup ? reply : request;
  if (from->has_startup) {
    *rev = from->rev;
  }
  return from->has_startup;
}

bool report_enhanced(const iwarp_observer_info *info) {
  bool any = false;
  bool all = true;
  for (uint8_t i = 0; i < 2; i++) {
    if (info->side[i].has_startup) {
      any = true;
      all = all && info->side[i].enhanced;
    }
  }
  return any && all;
}
