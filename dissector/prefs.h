/* SPDX-License-Identifier: BSD-2-Clause */
/* The preferences of the protocol. */
#ifndef DISSECTOR_PREFS_H
#define DISSECTOR_PREFS_H

#include <iwarp/rules.h>

#include "ws_compat.h"

/* prefs_iwarp is what the user chose. */
struct prefs_iwarp {
  ws_bool take_over; /* step in front of the dissectors of Wireshark for TCP */
  gint markers;      /* iwarp_tristate, as for `iwarp check` */
  gint crc;          /* iwarp_tristate */
  ws_bool rules;     /* expert infos for broken rules */
  gint level;        /* iwarp_severity: the least that is shown */
};

extern struct prefs_iwarp prefs_iwarp;

/* prefs_iwarp_register registers them. */
void prefs_iwarp_register(int proto);

#endif
