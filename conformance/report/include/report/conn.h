/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection that an event or a finding belongs to, and facts that follow from its state. */
#ifndef REPORT_CONN_H
#define REPORT_CONN_H

#include <observe/conn.h>

/** report_initiator returns the side that is the initiator, 0 when that is not known. */
uint8_t report_initiator(const iwarp_observer_info *info);

/** report_roles_known says whether the MPA roles are known. */
bool report_roles_known(const iwarp_observer_info *info);

/** report_sender_role returns the role of the side that sent an event. An INIT has no role: it is
 * of the association, and each session of that has an initiator of its own. */
iwarp_role report_sender_role(const iwarp_observer_info *info, const iwarp_event *ev);

/** report_rev returns the MPA revision that the last startup frame said, and false without any. */
bool report_rev(const iwarp_observer_info *info, uint8_t *rev);

/** report_enhanced says whether all startup frames seen carry the enhanced data (RFC 6581). */
bool report_enhanced(const iwarp_observer_info *info);

#endif
