/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers the preferences. Wireshark dissects the capture again after a change of one. */
#include "prefs.h"

#include <epan/prefs.h>

#include "port_pref.h"

struct prefs_iwarp prefs_iwarp = {.take_over = TRUE, .rules = TRUE, .level = IWARP_SEVERITY_NOTE};

static const enum_val_t prefs_tri[] = {
    {"auto", "As negotiated, or seen in the data", IWARP_TRISTATE_UNKNOWN},
    {"on", "On", IWARP_TRISTATE_ON},
    {"off", "Off", IWARP_TRISTATE_OFF},
    {NULL, NULL, 0}};

static const enum_val_t prefs_levels[] = {
    {"must", "MUST: violations", IWARP_SEVERITY_VIOLATION},
    {"should", "SHOULD: violations and warnings", IWARP_SEVERITY_WARNING},
    {"note", "All: notes too", IWARP_SEVERITY_NOTE},
    {NULL, NULL, 0}};

static void prefs_register_streams(module_t *module) {
  prefs_register_enum_preference(
      module, "markers", "Markers where the startup was not captured",
      "Markers in directions whose MPA startup frames are not in the capture", &prefs_iwarp.markers,
      prefs_tri, FALSE);
  prefs_register_enum_preference(
      module, "crc", "CRC where the startup was not captured",
      "CRCs in connections whose MPA startup frames are not in the capture", &prefs_iwarp.crc,
      prefs_tri, FALSE);
}

static void prefs_register_rules(module_t *module) {
  prefs_register_bool_preference(
      module, "rules", "Check the rules of the RFCs",
      "Show each rule that is broken as an expert info at the field concerned", &prefs_iwarp.rules);
  prefs_register_enum_preference(module, "rules.level", "Lowest level of rules shown",
                                 "The lowest level of requirements whose breaches are shown",
                                 &prefs_iwarp.level, prefs_levels, FALSE);
}

void prefs_iwarp_register(int proto) {
  module_t *module = prefs_register_protocol(proto, port_pref_update);
  prefs_register_bool_preference(module, "take_over",
                                 "Dissect iWARP before all other dissectors over TCP",
                                 "Connections on which iWARP is found are dissected here, whatever "
                                 "their ports; when off, only those with a port "
                                 "that is registered for iWARP, by Decode As or in the preferences",
                                 &prefs_iwarp.take_over);
  prefs_register_streams(module);
  prefs_register_rules(module);
}
