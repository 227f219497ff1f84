/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -z iwarp,times: how long RDMA Reads, Atomic Operations and startups take, with percentiles.
 *
 * Times are counted in classes: 32 for each power of two of nanoseconds. So a percentile is at most
 * 3 % too large, and memory does not grow with the capture.
 */
#include "taps_table.h"

#include "conns.h"
#include "taps.h"

#define TIMES_STEPS 32u                  /* classes of a power of two */
#define TIMES_CLASSES (TIMES_STEPS * 60) /* times of 2^60 ns are decades */

enum { ROW_READ, ROW_ATOMIC, ROW_STARTUP, ROWS };
enum {
  TIMES_COLUMN_OPERATION,
  TIMES_COLUMN_COUNT,
  TIMES_COLUMN_MIN,
  TIMES_COLUMN_MEAN,
  COLUMN_P50,
  COLUMN_P95,
  COLUMN_P99,
  TIMES_COLUMN_MAX,
  TIMES_COLUMNS
};

static stat_tap_table_item times_columns[] = {
    [TIMES_COLUMN_OPERATION] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Operation", "%-18s"},
    [TIMES_COLUMN_COUNT] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Count", "%8u"},
    [TIMES_COLUMN_MIN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Min (s)", "%.9f"},
    [TIMES_COLUMN_MEAN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Mean (s)", "%.9f"},
    [COLUMN_P50] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "50 % (s)", "%.9f"},
    [COLUMN_P95] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "95 % (s)", "%.9f"},
    [COLUMN_P99] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "99 % (s)", "%.9f"},
    [TIMES_COLUMN_MAX] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Max (s)", "%.9f"}};

/* times_seen are the times of a row. */
typedef struct times_seen {
  guint num;
  guint64 min;
  guint64 max;
  double sum;
  guint classes[TIMES_CLASSES];
} times_seen;

/* ---- classes ---- */

static guint times_class(guint64 ns) {
  guint power = 0;
  while (power < 63 && ns >> (power + 1) != 0) {
    power++;
  }
  const guint64 step = power >= 5 ? (ns >> (power - 5)) - TIMES_STEPS : ns - (1u << power);
  const guint64 of = (guint64)power * TIMES_STEPS + (ns == 0 ? 0 : step);
  return (guint)MIN(of, TIMES_CLASSES - 1);
}

/* The longest time of a class. */
static guint64 times_end(guint of) {
  const guint power = of / TIMES_STEPS;
  const guint64 step = of % TIMES_STEPS;
  return power >= 5 ? ((TIMES_STEPS + step + 1) << (power - 5)) - 1 : ((guint64)1 << power) + step;
}

static double times_percentile(const times_seen *seen, guint percent) {
  const guint64 rank = ((guint64)seen->num * percent + 99) / 100;
  guint64 num = 0;
  guint of = 0;
  while (of + 1 < TIMES_CLASSES && (num += seen->classes[of]) < rank) {
    of++;
  }
  return (double)CLAMP(times_end(of), seen->min, seen->max) / 1e9;
}

static void times_add(times_seen *seen, guint64 ns) {
  seen->min = seen->num == 0 ? ns : MIN(seen->min, ns);
  seen->max = MAX(seen->max, ns);
  seen->sum += (double)ns;
  seen->classes[times_class(ns)]++;
  seen->num++;
}

/* ---- the table ---- */

static times_seen *times_of(const stat_tap_table *table, guint row) {
  return stat_tap_get_field_data(table, row, TIMES_COLUMN_OPERATION)->user_data.ptr_value;
}

static void times_init(stat_tap_table_ui *stat) {
  static const char *const names[ROWS] = {"RDMA Read", "Atomic Operation", "MPA startup"};
  taps_table_init(stat);
  stat_tap_table *table = stat_tap_find_table(stat, stat->title);
  for (guint row = table->num_elements; row < ROWS; row++) {
    stat_tap_table_item_type cells[TIMES_COLUMNS] = {
        [TIMES_COLUMN_OPERATION] = {.type = TABLE_ITEM_STRING,
                                    .value.string_value = names[row],
                                    .user_data.ptr_value = g_new0(times_seen, 1)},
        [TIMES_COLUMN_COUNT] = {.type = TABLE_ITEM_UINT}};
    for (guint column = TIMES_COLUMN_MIN; column < TIMES_COLUMNS; column++) {
      cells[column].type = TABLE_ITEM_FLOAT;
    }
    stat_tap_init_table_row(table, row, TIMES_COLUMNS, cells);
  }
}

static void times_fill(stat_tap_table *table, guint row) {
  const times_seen *seen = times_of(table, row);
  taps_table_set_uint(table, row, TIMES_COLUMN_COUNT, seen->num);
  taps_table_set_float(table, row, TIMES_COLUMN_MIN, (double)seen->min / 1e9);
  taps_table_set_float(table, row, TIMES_COLUMN_MEAN, seen->sum / seen->num / 1e9);
  taps_table_set_float(table, row, COLUMN_P50, times_percentile(seen, 50));
  taps_table_set_float(table, row, COLUMN_P95, times_percentile(seen, 95));
  taps_table_set_float(table, row, COLUMN_P99, times_percentile(seen, 99));
  taps_table_set_float(table, row, TIMES_COLUMN_MAX, (double)seen->max / 1e9);
}

static bool times_startup(guint64 *ns, const frame_pdu *pdu) {
  const negotiation *n = pdu->conn->negotiated;
  *ns = n != NULL ? n->setup_ns : 0;
  return n != NULL && n->reply == pdu && n->request != NULL;
}

/* A Read or an Atomic Operation ends with the last segment of its response. */
static bool times_response(guint64 *ns, const taps_pdu *data, const packet_info *pinfo) {
  const exchange *e = data->pdu->answers ? data->pdu->rest->exchange : NULL;
  const guint64 now = (guint64)pinfo->abs_ts.secs * 1000000000u + (guint64)pinfo->abs_ts.nsecs;
  if (e == NULL || data->seg == NULL || !data->seg->ddp.last || now < e->time_ns) {
    return false;
  }
  *ns = now - e->time_ns;
  return true;
}

static tap_packet_status times_packet(void *ctx, packet_info *pinfo, epan_dissect_t *edt,
                                      const void *tap, tap_flags_t flags) {
  const taps_pdu *data = tap;
  stat_tap_table *table = taps_table_of(ctx);
  guint row = ROW_STARTUP;
  guint64 ns;
  (void)edt;
  (void)flags;
  if (!times_startup(&ns, data->pdu)) {
    if (!times_response(&ns, data, pinfo)) {
      return TAP_PACKET_DONT_REDRAW;
    }
    row = data->pdu->rest->exchange->atomic ? ROW_ATOMIC : ROW_READ;
  }
  times_add(times_of(table, row), ns);
  times_fill(table, row);
  return TAP_PACKET_REDRAW;
}

static void times_reset(stat_tap_table *table) {
  taps_table_reset(table);
  for (guint row = 0; row < table->num_elements; row++) {
    memset(times_of(table, row), 0, sizeof(times_seen));
  }
}

static void times_free(stat_tap_table *table, guint row, guint column,
                       stat_tap_table_item_type *cell) {
  (void)table;
  (void)row;
  if (column == TIMES_COLUMN_OPERATION) {
    g_free(cell->user_data.ptr_value);
    cell->user_data.ptr_value = NULL;
  }
}

void taps_times_register(void) {
  static stat_tap_table_ui ui = {.group = TAPS_TABLE_GROUP,
                                 .title = "iWARP response times",
                                 .tap_name = TAPS_PDUS,
                                 .cli_string = "iwarp,times",
                                 .stat_tap_init_cb = times_init,
                                 .packet_func = times_packet,
                                 .stat_tap_reset_table_cb = times_reset,
                                 .stat_tap_free_table_item_cb = times_free,
                                 .nfields = TIMES_COLUMNS,
                                 .fields = times_columns};
  register_stat_tap_table_ui(&ui);
}
