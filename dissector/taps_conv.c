/* SPDX-License-Identifier: BSD-2-Clause */
/* -z conv,iwarp and -z endpoints,iwarp: the connections and their ends, in the manner of Wireshark.
 */
#include "ws_compat.h"

#include <epan/conversation_table.h>

#include "conns.h"
#include "taps.h"

static const char *conv_name(bool v6, bool sctp, conv_filter_type_e filter) {
  switch (filter) {
  case CONV_FT_SRC_ADDRESS: return v6 ? "ipv6.src" : "ip.src";
  case CONV_FT_DST_ADDRESS: return v6 ? "ipv6.dst" : "ip.dst";
  case CONV_FT_ANY_ADDRESS: return v6 ? "ipv6.addr" : "ip.addr";
  case CONV_FT_SRC_PORT: return sctp ? "sctp.srcport" : "tcp.srcport";
  case CONV_FT_DST_PORT: return sctp ? "sctp.dstport" : "tcp.dstport";
  case CONV_FT_ANY_PORT: return sctp ? "sctp.port" : "tcp.port";
  }
  return CONV_FILTER_INVALID;
}

static const char *conv_filter(conv_item_t *item, conv_filter_type_e filter) {
  return conv_name(item->src_address.type == AT_IPv6, item->ctype == CONVERSATION_SCTP, filter);
}

/* The member for the transport of an end has another name in each release of Wireshark. */
static const char *conv_tcp_end(endpoint_item_t *item, conv_filter_type_e filter) {
  return conv_name(item->myaddress.type == AT_IPv6, false, filter);
}

static const char *conv_sctp_end(endpoint_item_t *item, conv_filter_type_e filter) {
  return conv_name(item->myaddress.type == AT_IPv6, true, filter);
}

static ct_dissector_info_t conv_info = {&conv_filter};
static et_dissector_info_t conv_end_info[] = {{&conv_tcp_end}, {&conv_sctp_end}};

static tap_packet_status conv_packet(void *table, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  conv_hash_t *hash = table;
  (void)edt;
  hash->flags = flags;
  add_conversation_table_data(hash, &pinfo->src, &pinfo->dst, pinfo->srcport, pinfo->destport,
                              data->first ? 1 : 0, (int)MIN(frames_pdu_len(data->pdu), G_MAXINT),
                              &pinfo->rel_ts, &pinfo->abs_ts, &conv_info,
                              data->pdu->conn->sctp ? CONVERSATION_SCTP : CONVERSATION_TCP);
  return TAP_PACKET_REDRAW;
}

static tap_packet_status conv_end(void *table, packet_info *pinfo, epan_dissect_t *edt,
                                  const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  conv_hash_t *hash = table;
  const int frames = data->first ? 1 : 0;
  const int octets = (int)MIN(frames_pdu_len(data->pdu), G_MAXINT);
  const bool sctp = data->pdu->conn->sctp;
  (void)edt;
  hash->flags = flags;
  add_endpoint_table_data(hash, &pinfo->src, pinfo->srcport, TRUE, frames, octets,
                          &conv_end_info[sctp], sctp ? CONVERSATION_SCTP : CONVERSATION_TCP);
  add_endpoint_table_data(hash, &pinfo->dst, pinfo->destport, FALSE, frames, octets,
                          &conv_end_info[sctp], sctp ? CONVERSATION_SCTP : CONVERSATION_TCP);
  return TAP_PACKET_REDRAW;
}

void taps_conv_register(int proto) {
  register_conversation_table(proto, FALSE, conv_packet, conv_end);
}
