/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that Wireshark looks for in a plugin.
 *
 * These sources are under the licence of the repository. The plugin is built with the headers of
 * Wireshark and runs in its process: the combined work is under Wireshark's licence, the GPL,
 * version 2 or later, which the BSD licence allows.
 */
#include "ws_compat.h"

#include <epan/proto.h>

#include "iwarp_proto.h"

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = IWARP_PLUGIN_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void); /* only Wireshark 4.4 and later calls it */

uint32_t plugin_describe(void) {
  return 1; /* WS_PLUGIN_DESC_DISSECTOR */
}

void plugin_register(void) {
  static proto_plugin plugin;
  plugin.register_protoinfo = iwarp_proto_register;
  plugin.register_handoff = iwarp_proto_handoff;
  proto_register_plugin(&plugin);
}
