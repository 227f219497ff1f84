/* SPDX-License-Identifier: BSD-2-Clause */
/* -z follow,iwarp: what the Sends of a connection carry. */
#include "ws_compat.h"

#include <epan/follow.h>

#include "conns.h"
#include "records.h"
#include "taps.h"

static gchar *follow_filter(guint connection) {
  return g_strdup_printf("iwarp.connection == %u", connection);
}

static gchar *follow_conversation(epan_dissect_t *edt, packet_info *pinfo, guint *stream,
                                  guint *sub_stream) {
  const frame_rec rec = frames_get(records_of(pinfo->num));
  (void)edt;
  (void)sub_stream;
  if (rec.rest == NULL || !frames_conn(&rec)->numbered) {
    return NULL;
  }
  *stream = frames_conn(&rec)->number;
  return follow_filter(*stream);
}

static gchar *follow_index(guint stream, guint sub_stream) {
  (void)sub_stream;
  return follow_filter(stream);
}

static gchar *follow_ends(address *src, address *dst, int src_port, int dst_port) {
  (void)src;
  (void)dst;
  return g_strdup_printf("iwarp and tcp.port == %d and tcp.port == %d", src_port, dst_port);
}

static gchar *follow_port(wmem_allocator_t *pool, guint port) {
  return wmem_strdup_printf(pool, "%u", port);
}

void taps_follow_register(int proto) {
  register_follow_stream(proto, TAPS_SENDS, follow_conversation, follow_index, follow_ends,
                         follow_port, follow_tvb_tap_listener WS_FOLLOW_COUNTS);
}
