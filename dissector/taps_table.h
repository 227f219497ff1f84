/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of Wireshark's tables of statistics. */
#ifndef DISSECTOR_TAPS_TABLE_H
#define DISSECTOR_TAPS_TABLE_H

#include "ws_compat.h"

#include <epan/stat_tap_ui.h>

/* The group of all tables: Wireshark has no menu for it. taps_menu.c opens them. */
#define TAPS_TABLE_GROUP REGISTER_STAT_GROUP_GENERIC

/* taps_table_init makes the only table of a statistic, once; it is named like the statistic. */
void taps_table_init(stat_tap_table_ui *stat);
/* taps_table_of returns it, given what the function for packets of a statistic is called with. */
stat_tap_table *taps_table_of(void *ctx);
/* taps_table_reset sets all its numbers to 0. */
void taps_table_reset(stat_tap_table *table);

/* taps_key names a row of a table by numbers. */
typedef struct taps_key {
  const stat_tap_table *table;
  guint number[3];
} taps_key;

/* taps_table_row looks for the row of a key and returns true if there is one; else the key is of
 * the row *row from now on, until taps_table_drop_row. */
bool taps_table_row(guint *row, const taps_key *key);
void taps_table_drop_row(const taps_key *key);

guint taps_table_uint(const stat_tap_table *table, guint row, guint column);
void taps_table_set_uint(stat_tap_table *table, guint row, guint column, guint value);
void taps_table_set_float(stat_tap_table *table, guint row, guint column, double value);

/* taps_table_set_text sets a text of GLib's memory, which the cell owns: taps_table_free_text is
 * for stat_tap_free_table_item_cb. */
void taps_table_set_text(stat_tap_table *table, guint row, guint column, char *text);
void taps_table_free_text(stat_tap_table_item_type *cell);

/* Numbers that may exceed a cell are texts of one width, which sort as the numbers do. */
#define TAPS_OCTETS_FORMAT "%14s"
guint64 taps_table_octets(const stat_tap_table *table, guint row, guint column);
void taps_table_set_octets(stat_tap_table *table, guint row, guint column, guint64 value);

#endif
