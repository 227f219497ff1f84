/* SPDX-License-Identifier: BSD-2-Clause */
/* What differs between the releases of Wireshark that the plugin is built for: 4.0 to 4.6. */
#ifndef DISSECTOR_WS_COMPAT_H
#define DISSECTOR_WS_COMPAT_H

#include <ws_version.h>

#define WS_AT_LEAST(major, minor)                                                                  \
  (WIRESHARK_VERSION_MAJOR > (major) ||                                                            \
   (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

#if !WS_AT_LEAST(4, 6)
#define WS_BUILD_DLL /* what is exported is the plugin's own; later headers refuse it */
#endif

#include <wireshark.h>

#include <epan/packet.h>

/* ws_bool is what heuristics return and what preferences are kept in: gboolean is an int. */
#if WS_AT_LEAST(4, 4)
typedef bool ws_bool;
#else
typedef gboolean ws_bool;
#endif

#if WS_AT_LEAST(4, 4)
#define ws_tvb_u8 tvb_get_uint8
#else
#define ws_tvb_u8 tvb_get_guint8
#endif

#endif
