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

/* ---- rows by what names them ---- */

static GHashTable *table_rows; /* rows of their table, counted from 1, by taps_key */

static guint table_hash(gconstpointer of) {
  const taps_key *key = of;
  return g_direct_hash(key->table) ^ key->number[0] * 0x85EBCA6Bu ^ key->number[1] * 0x9E3779B1u ^
         key->number[2];
}

static gboolean table_equal(gconstpointer one, gconstpointer other) {
  const taps_key *a = one;
  const taps_key *b = other;
  return a->table == b->table && memcmp(a->number, b->number, sizeof a->number) == 0;
}

bool taps_table_row(guint *row, const taps_key *key) {
  if (table_rows == NULL) {
    table_rows = g_hash_table_new_full(table_hash, table_equal, g_free, NULL);
  }
  const gpointer found = g_hash_table_lookup(table_rows, key);
  if (found != NULL) {
    *row = GPOINTER_TO_UINT(found) - 1;
    return true;
  }
  taps_key *kept = g_new(taps_key, 1);
  *kept = *key;
  g_hash_table_insert(table_rows, kept, GUINT_TO_POINTER(*row + 1));
  return false;
}

void taps_table_drop_row(const taps_key *key) {
  if (table_rows != NULL) {
    g_hash_table_remove(table_rows, key);
  }
}

/* ---- cells ---- */

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

guint64 taps_table_octets(const stat_tap_table *table, guint row, guint column) {
  const char *text = stat_tap_get_field_data(table, row, column)->user_data.ptr_value;
  return text != NULL ? g_ascii_strtoull(text, NULL, 10) : 0;
}

void taps_table_set_octets(stat_tap_table *table, guint row, guint column, guint64 value) {
  taps_table_set_text(table, row, column, g_strdup_printf("%14" G_GINT64_MODIFIER "u", value));
}

void taps_table_set_text(stat_tap_table *table, guint row, guint column, char *text) {
  stat_tap_table_item_type *cell = stat_tap_get_field_data(table, row, column);
  g_free(cell->user_data.ptr_value);
  cell->user_data.ptr_value = text;
  cell->value.string_value = text;
  stat_tap_set_field_data(table, row, column, cell);
}

void taps_table_free_text(stat_tap_table_item_type *cell) {
  g_free(cell->user_data.ptr_value);
  cell->user_data.ptr_value = NULL;
  cell->value.string_value = "";
}
