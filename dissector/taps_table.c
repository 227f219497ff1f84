/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and writes cells of Wireshark's tables of statistics. */
#include "taps_table.h"

void taps_table_init(stat_tap_table_ui *stat) {
  if (stat_tap_find_table(stat, stat->title) == NULL) {
    stat_tap_add_table(stat, stat_tap_init_table(stat->title, (int)stat->nfields, 0, NULL));
  }
}

stat_tap_table *taps_table_of(void *ctx) {
  const stat_data_t *stat = ctx;
  return g_array_index(stat->stat_tap_data->tables, stat_tap_table *, 0);
}

void taps_table_reset(stat_tap_table *table) {
  for (guint row = 0; row < table->num_elements; row++) {
    for (guint column = 0; column < table->num_fields; column++) {
      stat_tap_table_item_type *cell = stat_tap_get_field_data(table, row, column);
      if (cell->type == TABLE_ITEM_UINT) {
        cell->value.uint_value = 0;
      } else if (cell->type == TABLE_ITEM_FLOAT) {
        cell->value.float_value = 0;
      }
      stat_tap_set_field_data(table, row, column, cell);
    }
  }
}

guint taps_table_uint(const stat_tap_table *table, guint row, guint column) {
  return stat_tap_get_field_data(table, row, column)->value.uint_value;
}

void taps_table_set_uint(stat_tap_table *table, guint row, guint column, guint value) {
  stat_tap_table_item_type *cell = stat_tap_get_field_data(table, row, column);
  cell->value.uint_value = value;
  stat_tap_set_field_data(table, row, column, cell);
}

void taps_table_set_float(stat_tap_table *table, guint row, guint column, double value) {
  stat_tap_table_item_type *cell = stat_tap_get_field_data(table, row, column);
  cell->value.float_value = value;
  stat_tap_set_field_data(table, row, column, cell);
}
