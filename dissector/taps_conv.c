/* SPDX-License-Identifier: BSD-2-Clause */
/* -z conv,iwarp: the connections, in the manner of Wireshark. */
#include "ws_compat.h"

#include <epan/conversation_table.h>

#include "conns.h"
#include "taps.h"

static const char *conv_filter(conv_item_t *item, conv_filter_type_e filter) {
  const bool v6 = item->src_address.type == AT_IPv6, sctp = item->ctype == CONVERSATION_SCTP;
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

static ct_dissector_info_t conv_info = {&conv_filter};

static tap_packet_status conv_packet(void *table, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  conv_hash_t *hash = table;
  (void)edt;
  hash->flags = flags;
  add_conversation_table_data(hash, &pinfo->src, &pinfo->dst, pinfo->srcport, pinfo->destport,
                              data->first ? 1 : 0, (int)MIN(data->pdu->len, G_MAXINT),
                              &pinfo->rel_ts, &pinfo->abs_ts, &conv_info,
                              data->pdu->conn->sctp ? CONVERSATION_SCTP : CONVERSATION_TCP);
  return TAP_PACKET_REDRAW;
}

void taps_conv_register(int proto) {
  register_conversation_table(proto, FALSE, conv_packet, NULL);
}
