/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,tree: for each connection its messages by opcode with the sizes of FPDUs, and its CRC
 * errors. */
#include "ws_compat.h"

#include <epan/stats_tree.h>

#include "conns.h"
#include "taps.h"

static int tree_root;
static const char tree_name[] = "iWARP connections";
static const char tree_octets[] = "Octets in all";
static const char tree_sizes_name[] = "Octets of an FPDU";

static void tree_init(stats_tree *st) {
  tree_root = stats_tree_create_node(st, tree_name, 0, STAT_DT_INT, TRUE);
  stats_tree_create_range_node(st, tree_sizes_name, 0, "0-63", "64-255", "256-1023", "1024-1459",
                               "1460-4095", "4096-16383", "16384-", NULL);
}

static const char *tree_kind(const taps_pdu *data) {
  if (data->seg != NULL) {
    return iwarp_rdmap_op_get(data->seg->ctrl.opcode)->label;
  }
  switch ((frame_pdu_kind)data->pdu->kind) {
  case FRAME_PDU_STARTUP: return data->pdu->reply ? "MPA Reply" : "MPA Request";
  case FRAME_PDU_GAP: return "Gaps";
  case FRAME_PDU_UNDECODABLE: return "Undecodable";
  case FRAME_PDU_SCTP_CONTROL: return "Session Control";
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT: break;
  }
  return "Without a DDP header";
}

static tap_packet_status tree_packet(stats_tree *st, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  const gint octets = (gint)MIN(data->pdu->len, G_MAXINT);
  char name[32];
  (void)pinfo;
  (void)edt;
  (void)flags;
  g_snprintf(name, sizeof name, "Connection %u", data->pdu->conn->number);
  avg_stat_node_add_value_int(st, tree_name, 0, TRUE, octets);
  const int connection = avg_stat_node_add_value_int(st, name, tree_root, TRUE, octets);
  const int kind = avg_stat_node_add_value_int(st, tree_kind(data), connection, TRUE, octets);
  increase_stat_node(st, tree_octets, connection, FALSE, octets);
  increase_stat_node(st, tree_octets, kind, FALSE, octets);
  if (data->pdu->kind == FRAME_PDU_FPDU) {
    tick_stat_node(st, tree_sizes_name, 0, FALSE);
    stats_tree_tick_range(st, tree_sizes_name, 0, octets);
  }
  if (data->pdu->crc == IWARP_CRC_BAD) {
    tick_stat_node(st, "CRC errors", connection, FALSE);
  }
  return TAP_PACKET_REDRAW;
}

void taps_tree_register(void) {
  stats_tree_register_plugin(TAPS_PDUS, "iwarp", "iWARP/PDUs", 0, tree_packet, tree_init, NULL);
}
