/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of a PDU in a timeline and in the page, with the name of the upper layer's message. */
#include <report/dump.h>

#include "check_slot.h"

bool check_slot_line(out_buf *out, check_slot *held, const observe_conn *conn,
                     const iwarp_event *ev) {
  upper_message message;
  const iwarp_role role = conn->info->side[ev->side].role;
  const bool named = upper_event(&held->upper, ev, role, &message);
  return report_pdu_line(out, conn, ev, named ? &message : NULL);
}
