/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,stags: the STags of each connection, with the octets that are touched by them. */
#include "taps_table.h"

#include "conns.h"
#include "records.h"
#include "stags.h"
#include "taps.h"

enum {
  STAGS_COLUMN_CONNECTION,
  STAGS_COLUMN_STAG,
  STAGS_COLUMN_SEGMENTS,
  STAGS_COLUMN_FIRST,
  STAGS_COLUMN_LOW,
  STAGS_COLUMN_HIGH,
  STAGS_COLUMN_INVALIDATED,
  STAGS_COLUMN_USED_AFTER,
  STAGS_COLUMNS
};

static stat_tap_table_item stags_columns[] = {
    [STAGS_COLUMN_CONNECTION] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Connection", "%5u"},
    [STAGS_COLUMN_STAG] = {TABLE_ITEM_UINT, TAP_ALIGN_LEFT, "STag", "0x%08x"},
    [STAGS_COLUMN_SEGMENTS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Segments", "%8u"},
    [STAGS_COLUMN_FIRST] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "First frame", "%8u"},
    [STAGS_COLUMN_LOW] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Lowest TO", "%-18s"},
    [STAGS_COLUMN_HIGH] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Highest TO", "%-18s"},
    [STAGS_COLUMN_INVALIDATED] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Invalidated in", "%8u"},
    [STAGS_COLUMN_USED_AFTER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Uses after that", "%8u"}};

static taps_key stags_key(const stat_tap_table *table, guint connection, guint stag, guint first) {
  return (taps_key){.table = table, .number = {connection, stag, first}};
}

/* ---- cells ---- */

static void stags_set_place(stat_tap_table *table, guint row, guint column, guint64 to) {
  taps_table_set_text(table, row, column, g_strdup_printf("0x%016" G_GINT64_MODIFIER "x", to));
}

static void stags_free(stat_tap_table *table, guint row, guint column,
                       stat_tap_table_item_type *cell) {
  if (column == STAGS_COLUMN_CONNECTION) {
    const taps_key key =
        stags_key(table, cell->value.uint_value, taps_table_uint(table, row, STAGS_COLUMN_STAG),
                  taps_table_uint(table, row, STAGS_COLUMN_FIRST));
    taps_table_drop_row(&key);
  }
  if (column == STAGS_COLUMN_LOW || column == STAGS_COLUMN_HIGH) {
    taps_table_free_text(cell);
  }
}

/* The row of an STag, made when it is named for the first time. */
static guint stags_row(stat_tap_table *table, guint connection, const stags_use *use) {
  const guint first = records_frame(use->first_frame);
  const taps_key key = stags_key(table, connection, use->stag, first);
  guint row = table->num_elements;
  if (taps_table_row(&row, &key)) {
    return row;
  }
  const stat_tap_table_item_type cells[STAGS_COLUMNS] = {
      [STAGS_COLUMN_CONNECTION] = {.type = TABLE_ITEM_UINT, .value.uint_value = connection},
      [STAGS_COLUMN_STAG] = {.type = TABLE_ITEM_UINT, .value.uint_value = use->stag},
      [STAGS_COLUMN_SEGMENTS] = {.type = TABLE_ITEM_UINT},
      [STAGS_COLUMN_FIRST] = {.type = TABLE_ITEM_UINT, .value.uint_value = first},
      [STAGS_COLUMN_LOW] = {.type = TABLE_ITEM_STRING, .value.string_value = ""},
      [STAGS_COLUMN_HIGH] = {.type = TABLE_ITEM_STRING, .value.string_value = ""},
      [STAGS_COLUMN_INVALIDATED] = {.type = TABLE_ITEM_UINT},
      [STAGS_COLUMN_USED_AFTER] = {.type = TABLE_ITEM_UINT}};
  stat_tap_init_table_row(table, row, STAGS_COLUMNS, cells);
  return row;
}

static void stags_fill(stat_tap_table *table, guint row, const stags_use *use,
                       const taps_pdu *data) {
  const guint32 ended = stags_ended(use, data->pdu);
  const guint ends = use->invalidated != NULL ? wmem_array_get_count(use->invalidated) : 0;
  const stags_end *last = ends > 0 ? wmem_array_index(use->invalidated, ends - 1) : NULL;
  const bool invalidates = iwarp_rdmap_op_get(data->seg->ctrl.opcode)->invalidates;
  taps_table_set_uint(table, row, STAGS_COLUMN_SEGMENTS,
                      taps_table_uint(table, row, STAGS_COLUMN_SEGMENTS) + 1);
  if (use->end > use->low) {
    stags_set_place(table, row, STAGS_COLUMN_LOW, use->low);
    stags_set_place(table, row, STAGS_COLUMN_HIGH, use->end - 1);
  }
  taps_table_set_uint(table, row, STAGS_COLUMN_INVALIDATED,
                      last != NULL ? records_frame(last->frame) : 0);
  if (ended != 0 && !invalidates) {
    taps_table_set_uint(table, row, STAGS_COLUMN_USED_AFTER,
                        taps_table_uint(table, row, STAGS_COLUMN_USED_AFTER) + 1);
  }
}

static tap_packet_status stags_packet(void *ctx, packet_info *pinfo, epan_dissect_t *edt,
                                      const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  const stags_use *use = data->seg != NULL ? stags_of(data->pdu, data->seg) : NULL;
  (void)pinfo;
  (void)edt;
  (void)flags;
  if (use == NULL) {
    return TAP_PACKET_DONT_REDRAW;
  }
  stat_tap_table *table = taps_table_of(ctx);
  stags_fill(table, stags_row(table, data->pdu->conn->number, use), use, data);
  return TAP_PACKET_REDRAW;
}

static void stags_reset(stat_tap_table *table) {
  for (guint row = 0; row < table->num_elements; row++) {
    taps_table_set_uint(table, row, STAGS_COLUMN_SEGMENTS, 0);
    taps_table_set_uint(table, row, STAGS_COLUMN_USED_AFTER, 0);
  }
}

void taps_stags_register(void) {
  static stat_tap_table_ui ui = {.group = TAPS_TABLE_GROUP,
                                 .title = "iWARP STags",
                                 .tap_name = TAPS_PDUS,
                                 .cli_string = "iwarp,stags",
                                 .stat_tap_init_cb = taps_table_init,
                                 .packet_func = stags_packet,
                                 .stat_tap_reset_table_cb = stags_reset,
                                 .stat_tap_free_table_item_cb = stags_free,
                                 .nfields = STAGS_COLUMNS,
                                 .fields = stags_columns};
  register_stat_tap_table_ui(&ui);
}
