/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,rules: how often each rule is broken, and in which frame first. */
#include "taps_table.h"

#include "taps.h"

enum {
  RULES_COLUMN_RULE,
  RULES_COLUMN_LEVEL,
  RULES_COLUMN_COUNT,
  RULES_COLUMN_FIRST,
  RULES_COLUMNS
};

static stat_tap_table_item rules_columns[] = {
    [RULES_COLUMN_RULE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Rule", "%-40s"},
    [RULES_COLUMN_LEVEL] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Level", "%-10s"},
    [RULES_COLUMN_COUNT] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Count", "%8u"},
    [RULES_COLUMN_FIRST] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "First frame", "%8u"}};

/* The row of a rule, made when it is broken for the first time. */
static guint rules_row(stat_tap_table *table, const iwarp_rule *rule) {
  guint row = 0;
  while (row < table->num_elements &&
         stat_tap_get_field_data(table, row, RULES_COLUMN_RULE)->value.string_value != rule->slug) {
    row++;
  }
  if (row == table->num_elements) {
    const stat_tap_table_item_type cells[RULES_COLUMNS] = {
        [RULES_COLUMN_RULE] = {.type = TABLE_ITEM_STRING, .value.string_value = rule->slug},
        [RULES_COLUMN_LEVEL] = {.type = TABLE_ITEM_STRING, .value.string_value = rule->level},
        [RULES_COLUMN_COUNT] = {.type = TABLE_ITEM_UINT},
        [RULES_COLUMN_FIRST] = {.type = TABLE_ITEM_UINT}};
    stat_tap_init_table_row(table, row, RULES_COLUMNS, cells);
  }
  return row;
}

static tap_packet_status rules_packet(void *ctx, packet_info *pinfo, epan_dissect_t *edt,
                                      const void *tap, tap_flags_t flags) {
  const frame_finding *f = tap;
  stat_tap_table *table = taps_table_of(ctx);
  const guint row = rules_row(table, iwarp_rule_get(f->finding.rule));
  const guint count = taps_table_uint(table, row, RULES_COLUMN_COUNT);
  (void)edt;
  (void)flags;
  taps_table_set_uint(table, row, RULES_COLUMN_COUNT, count + 1);
  if (count == 0) {
    taps_table_set_uint(table, row, RULES_COLUMN_FIRST, pinfo->num);
  }
  return TAP_PACKET_REDRAW;
}

void taps_rules_register(void) {
  static stat_tap_table_ui ui = {.group = TAPS_TABLE_GROUP,
                                 .title = "iWARP rules",
                                 .tap_name = TAPS_RULES,
                                 .cli_string = "iwarp,rules",
                                 .stat_tap_init_cb = taps_table_init,
                                 .packet_func = rules_packet,
                                 .stat_tap_reset_table_cb = taps_table_reset,
                                 .nfields = RULES_COLUMNS,
                                 .fields = rules_columns};
  register_stat_tap_table_ui(&ui);
}
