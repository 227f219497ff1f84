/* SPDX-License-Identifier: BSD-2-Clause */
/* The differences between the releases of Wireshark that the plugin is built for: 4.0 to 4.6. */
#ifndef DISSECTOR_WS_COMPAT_H
#define DISSECTOR_WS_COMPAT_H

#include <ws_version.h>

#define WS_AT_LEAST(major, minor)                                                                  \
  (WIRESHARK_VERSION_MAJOR > (major) ||                                                            \
   (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

#if !WS_AT_LEAST(4, 6)
#define WS_BUILD_DLL /* exported symbols are the plugin's own; later headers refuse it */
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
#include <epan/tfs.h> /* packet.h includes it only before 4.6 */
#define ws_tvb_u8 tvb_get_uint8
#else
#define ws_tvb_u8 tvb_get_guint8
#endif

#if WS_AT_LEAST(4, 6)
#define ws_try_payload dissector_try_payload_with_data
#else
#define ws_try_payload dissector_try_payload_new
#endif

/* True if Wireshark adds up the octets in flight of a TCP flow; requires its
 * tcp_analyze_seq_info. */
#if WS_AT_LEAST(4, 6)
#define ws_tcp_in_flight(flow) ((flow)->tcp_analyze_seq_info->valid_bif)
#else
#define ws_tcp_in_flight(flow) ((flow)->valid_bif)
#endif

/* The arguments of register_follow_stream after the listener: the numbers of streams and of their
 * parts. NULL: not known. */
#if WS_AT_LEAST(4, 2)
#define WS_FOLLOW_COUNTS , NULL, NULL
#else
#define WS_FOLLOW_COUNTS
#endif

#endif
