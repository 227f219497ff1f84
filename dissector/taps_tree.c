/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,tree: for each connection its PDUs by kind, and its FPDUs by length, with their octets.
 */
#include "taps_table.h"

#include "conns.h"
#include "taps.h"

enum {
  TREE_COLUMN_CONNECTION,
  TREE_COLUMN_KIND,
  TREE_COLUMN_COUNT,
  TREE_COLUMN_OCTETS,
  TREE_COLUMN_MIN,
  TREE_COLUMN_MEAN,
  TREE_COLUMN_MAX,
  TREE_COLUMN_CRC,
  TREE_COLUMNS
};

static stat_tap_table_item tree_columns[] = {
    [TREE_COLUMN_CONNECTION] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Connection", "%5u"},
    [TREE_COLUMN_KIND] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "PDUs", "%-28s"},
    [TREE_COLUMN_COUNT] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Count", "%8u"},
    [TREE_COLUMN_OCTETS] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "Octets", TAPS_OCTETS_FORMAT},
    [TREE_COLUMN_MIN] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Min", "%6u"},
    [TREE_COLUMN_MEAN] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Mean", "%6u"},
    [TREE_COLUMN_MAX] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Max", "%6u"},
    [TREE_COLUMN_CRC] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Wrong CRCs", "%8u"}};

/* ---- counting ---- */

/* tree_group is a row of a connection: its number among all rows, and its name. */
typedef struct tree_group {
  guint number;
  const char *name;
} tree_group;

enum { TREE_ALL, TREE_KINDS = 16, TREE_OPCODES = 32, TREE_UNASSIGNED = 48, TREE_LENGTHS = 64 };

static tree_group tree_kind(const taps_pdu *data) {
  const frame_pdu *pdu = data->pdu;
  const guint number = TREE_KINDS + pdu->kind;
  if (data->seg != NULL) {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(data->seg->ctrl.opcode);
    return (tree_group){op->assigned ? TREE_OPCODES + data->seg->ctrl.opcode : TREE_UNASSIGNED,
                        op->label};
  }
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP:
    return pdu->reply ? (tree_group){TREE_KINDS - 1, "MPA Reply"}
                      : (tree_group){number, "MPA Request"};
  case FRAME_PDU_GAP: return (tree_group){number, "Gaps"};
  case FRAME_PDU_UNDECODABLE: return (tree_group){number, "Undecodable"};
  case FRAME_PDU_SCTP_INIT: return (tree_group){number, "Adaptation Layer Indication"};
  case FRAME_PDU_SCTP_CONTROL: return (tree_group){number, "Session Control"};
  case FRAME_PDU_FPDU:
  case FRAME_PDU_SCTP_SEGMENT: break;
  }
  return (tree_group){number, "Without a DDP header"};
}

static tree_group tree_length(guint64 octets) {
  static const struct {
    guint64 end;
    const char *name;
  } lengths[] = {{64, "FPDUs below 64 octets"},           {256, "FPDUs of 64 to 255"},
                 {1024, "FPDUs of 256 to 1023"},          {1460, "FPDUs of 1024 to 1459"},
                 {4096, "FPDUs of 1460 to 4095"},         {16384, "FPDUs of 4096 to 16383"},
                 {G_MAXUINT64, "FPDUs of 16384 and more"}};
  guint i = 0;
  while (octets >= lengths[i].end) {
    i++;
  }
  return (tree_group){TREE_LENGTHS + i, lengths[i].name};
}

/* ---- rows ---- */

static guint tree_row(stat_tap_table *table, guint connection, tree_group group) {
  const taps_key key = {.table = table, .number = {connection, group.number}};
  guint row = table->num_elements;
  if (!taps_table_row(&row, &key)) {
    const stat_tap_table_item_type cells[TREE_COLUMNS] = {
        [TREE_COLUMN_CONNECTION] = {.type = TABLE_ITEM_UINT, .value.uint_value = connection},
        [TREE_COLUMN_KIND] = {.type = TABLE_ITEM_STRING,
                              .value.string_value = group.name,
                              .user_data.uint_value = group.number},
        [TREE_COLUMN_COUNT] = {.type = TABLE_ITEM_UINT},
        [TREE_COLUMN_OCTETS] = {.type = TABLE_ITEM_STRING, .value.string_value = ""},
        [TREE_COLUMN_MIN] = {.type = TABLE_ITEM_UINT},
        [TREE_COLUMN_MEAN] = {.type = TABLE_ITEM_UINT},
        [TREE_COLUMN_MAX] = {.type = TABLE_ITEM_UINT},
        [TREE_COLUMN_CRC] = {.type = TABLE_ITEM_UINT}};
    stat_tap_init_table_row(table, row, TREE_COLUMNS, cells);
  }
  return row;
}

static void tree_add(stat_tap_table *table, tree_group group, const frame_pdu *pdu) {
  const guint row = tree_row(table, pdu->conn->number, group);
  const guint count = taps_table_uint(table, row, TREE_COLUMN_COUNT) + 1;
  const guint len = (guint)MIN(frames_pdu_len(pdu), G_MAXUINT);
  const guint64 octets = taps_table_octets(table, row, TREE_COLUMN_OCTETS) + frames_pdu_len(pdu);
  const guint min = taps_table_uint(table, row, TREE_COLUMN_MIN);
  taps_table_set_uint(table, row, TREE_COLUMN_COUNT, count);
  taps_table_set_octets(table, row, TREE_COLUMN_OCTETS, octets);
  taps_table_set_uint(table, row, TREE_COLUMN_MIN, count == 1 ? len : MIN(min, len));
  taps_table_set_uint(table, row, TREE_COLUMN_MEAN, (guint)MIN(octets / count, G_MAXUINT));
  taps_table_set_uint(table, row, TREE_COLUMN_MAX,
                      MAX(taps_table_uint(table, row, TREE_COLUMN_MAX), len));
  if (pdu->crc == IWARP_CRC_BAD) {
    taps_table_set_uint(table, row, TREE_COLUMN_CRC,
                        taps_table_uint(table, row, TREE_COLUMN_CRC) + 1);
  }
}

static tap_packet_status tree_packet(void *ctx, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  stat_tap_table *table = taps_table_of(ctx);
  (void)pinfo;
  (void)edt;
  (void)flags;
  tree_add(table, (tree_group){TREE_ALL, "All"}, data->pdu);
  tree_add(table, tree_kind(data), data->pdu);
  if (data->pdu->kind == FRAME_PDU_FPDU) {
    tree_add(table, tree_length(frames_pdu_len(data->pdu)), data->pdu);
  }
  return TAP_PACKET_REDRAW;
}

static void tree_reset(stat_tap_table *table) {
  for (guint row = 0; row < table->num_elements; row++) {
    taps_table_set_octets(table, row, TREE_COLUMN_OCTETS, 0);
    taps_table_set_uint(table, row, TREE_COLUMN_COUNT, 0);
    for (guint column = TREE_COLUMN_MIN; column < TREE_COLUMNS; column++) {
      taps_table_set_uint(table, row, column, 0);
    }
  }
}

static void tree_free(stat_tap_table *table, guint row, guint column,
                      stat_tap_table_item_type *cell) {
  if (column == TREE_COLUMN_KIND) {
    const taps_key key = {.table = table,
                          .number = {taps_table_uint(table, row, TREE_COLUMN_CONNECTION),
                                     cell->user_data.uint_value}};
    taps_table_drop_row(&key);
  } else if (column == TREE_COLUMN_OCTETS) {
    taps_table_free_text(cell);
  }
}

void taps_tree_register(void) {
  static stat_tap_table_ui ui = {.group = TAPS_TABLE_GROUP,
                                 .title = "iWARP PDUs",
                                 .tap_name = TAPS_PDUS,
                                 .cli_string = "iwarp,tree",
                                 .stat_tap_init_cb = taps_table_init,
                                 .packet_func = tree_packet,
                                 .stat_tap_reset_table_cb = tree_reset,
                                 .stat_tap_free_table_item_cb = tree_free,
                                 .nfields = TREE_COLUMNS,
                                 .fields = tree_columns};
  register_stat_tap_table_ui(&ui);
}
