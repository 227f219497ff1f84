/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes connections over from the dissectors of Wireshark.
 *
 * The plugin follows a frame's octets before Wireshark dissects them, so it knows the connections
 * that carry iWARP. It sets itself as their dissector, which Wireshark prefers to dissectors of
 * ports and to heuristics. All other connections are left as they are.
 */
#include "takeover.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <iwarp/mpa.h>
#include <iwarp/sctp.h>
#include <observe/ports.h>

#include "iwarp_proto.h"
#include "link.h"
#include "prefs.h"
#include "show.h"

#define TAKEOVER_HEURISTIC "iwarp_tcp"
#define TAKEOVER_IN_FLIGHT 256u /* segments that TCP remembers until they are acknowledged */

static const heur_dtbl_entry_t *takeover_heuristic;

/* ---- ports that the user gave to iWARP ---- */

static uint8_t takeover_port_set[OBSERVE_PORTS_SIZE];
static bool takeover_any_port;

static void takeover_port(const gchar *table, ftenum_t type, gpointer key, gpointer value,
                          gpointer ctx) {
  (void)table;
  (void)type;
  (void)ctx;
  if (dtbl_entry_get_handle(value) == iwarp_proto_handle()) {
    observe_ports_add(takeover_port_set, (uint16_t)GPOINTER_TO_UINT(key));
    takeover_any_port = true;
  }
}

const uint8_t *takeover_ports(void) {
  memset(takeover_port_set, 0, sizeof takeover_port_set);
  takeover_any_port = false;
  dissector_table_foreach("tcp.port", takeover_port, NULL);
  return takeover_any_port ? takeover_port_set : NULL;
}

static bool takeover_by_port(const conn *c) {
  return takeover_any_port && (observe_ports_has(takeover_port_set, c->addr[0].port) ||
                               observe_ports_has(takeover_port_set, c->addr[1].port));
}

/* ---- connections ---- */

bool takeover_wanted(const conn *c) {
  const bool found = prefs_iwarp.take_over && takeover_heuristic->enabled;
  return found || takeover_by_port(c);
}

static void takeover_address(address *out, const ingest_addr *addr) {
  set_address(out, addr->family == 6 ? AT_IPv6 : AT_IPv4, addr->family == 6 ? 16 : 4, addr->ip);
}

void takeover_conn(conn *c, guint32 frame) {
  address ends[2];
  if (c->taken || !takeover_wanted(c)) {
    return;
  }
  c->taken = true;
  takeover_address(&ends[0], &c->addr[0]);
  takeover_address(&ends[1], &c->addr[1]);
  conversation_t *found = find_conversation(frame, &ends[0], &ends[1], CONVERSATION_TCP,
                                            c->addr[0].port, c->addr[1].port, 0);
  if (found == NULL) {
    found = conversation_new(frame, &ends[0], &ends[1], CONVERSATION_TCP, c->addr[0].port,
                             c->addr[1].port, 0);
  }
  conversation_set_dissector_from_frame_number(found, frame, iwarp_proto_handle());
}

/* ---- one direction alone ---- */

/* Wireshark does the same where segments were lost, until the next acknowledgment: the time that it
 * takes grows with the square of the segments. */
void takeover_one_sided(packet_info *pinfo, const conn *c) {
  if (c->octets[0] && c->octets[1]) {
    return;
  }
  const struct tcp_analysis *tcp = get_tcp_conversation_data(NULL, pinfo);
  const tcp_analyze_seq_flow_info_t *sent = tcp->fwd->tcp_analyze_seq_info;
  const tcp_analyze_seq_flow_info_t *back = tcp->rev->tcp_analyze_seq_info;
  const bool alone = back == NULL || (back->lastack == 0 && back->nextseq == 0);
  if (alone && sent != NULL && sent->segment_count >= TAKEOVER_IN_FLIGHT) {
    ws_tcp_in_flight(tcp->fwd) = FALSE;
  }
}

/* ---- the ways to the dissector ---- */

/* Returns true if the payload was followed. No frame holds all octets of a packet in fragments. */
static bool takeover_followed(tvbuff_t *tvb, const packet_info *pinfo) {
  const bool whole = tvb_get_ds_tvb(tvb) == tvb_get_ds_tvb(link_frame(pinfo));
  return !whole || link_read(tvb, pinfo);
}

/* A startup frame of which only later packets will tell whether octets before it are missing. The
 * dissectors of Wireshark would take the connection for theirs. */
static bool takeover_undecided(tvbuff_t *tvb, const packet_info *pinfo) {
  if (link_frame(pinfo) == NULL || tvb_captured_length(tvb) < IWARP_MPA_KEY_LEN) {
    return false;
  }
  const iwarp_span octets = {tvb_get_ptr(tvb, 0, IWARP_MPA_KEY_LEN), IWARP_MPA_KEY_LEN};
  return iwarp_mpa_key_classify(octets) != IWARP_MPA_KEY_UNKNOWN && takeover_followed(tvb, pinfo);
}

static ws_bool takeover_dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                                          void *data) {
  if (!prefs_iwarp.take_over || pinfo->flags.in_error_pkt) {
    return FALSE;
  }
  if (show_payload(tvb, pinfo, tree, data) == 0) {
    if (!takeover_undecided(tvb, pinfo)) {
      return FALSE;
    }
    call_data_dissector(tvb, pinfo, tree);
  }
  return TRUE;
}

void takeover_handoff(void) {
  heur_dissector_add("tcp", takeover_dissect_heuristic, "iWARP over TCP", TAKEOVER_HEURISTIC,
                     iwarp_proto_id(), HEURISTIC_ENABLE);
  takeover_heuristic = find_heur_dissector_by_unique_short_name(TAKEOVER_HEURISTIC);
  dissector_add_for_decode_as_with_preference("tcp.port", iwarp_proto_handle());
  dissector_handle_t sctp = create_dissector_handle(show_message, iwarp_proto_id());
  dissector_add_uint("sctp.ppi", IWARP_SCTP_PPID_SEGMENT, sctp);
  dissector_add_uint("sctp.ppi", IWARP_SCTP_PPID_CONTROL, sctp);
}
