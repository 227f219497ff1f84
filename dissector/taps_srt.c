/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,srt: how long RDMA Reads and Atomic Operations take. */
#include "ws_compat.h"

#include <epan/srt_table.h>

#include "exchanges.h"
#include "taps.h"

enum { SRT_READ, SRT_ATOMIC, SRT_ROWS };

static void srt_init(struct register_srt *srt, GArray *tables) {
  (void)srt;
  srt_stat_table *table =
      init_srt_table("iWARP", NULL, tables, SRT_ROWS, "Operation", "iwarp.rdmap.opcode", NULL);
  init_srt_table_row(table, SRT_READ, "RDMA Read");
  init_srt_table_row(table, SRT_ATOMIC, "Atomic Operation");
}

static tap_packet_status srt_packet(void *srt, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *tap, tap_flags_t flags) {
  const srt_data_t *out = srt;
  const taps_pdu *data = tap;
  const exchange *e = data->pdu->answers ? data->pdu->rest->exchange : NULL;
  (void)edt;
  (void)flags;
  if (e == NULL || data->seg == NULL || !data->seg->ddp.last) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const nstime_t begin = {.secs = (time_t)(e->time_ns / 1000000000u),
                          .nsecs = (int)(e->time_ns % 1000000000u)};
  add_srt_table_data(g_array_index(out->srt_array, srt_stat_table *, 0),
                     e->atomic ? SRT_ATOMIC : SRT_READ, &begin, pinfo);
  return TAP_PACKET_REDRAW;
}

void taps_srt_register(int proto) {
  register_srt_table(proto, TAPS_PDUS, 1, srt_packet, srt_init, NULL);
}
