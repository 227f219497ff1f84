/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP ports that the user gives to VXLAN, Geneve or TZSP: as `-d udp.port==N,vxlan` of the tool. */
#include "tunnel_ports.h"

#include "ws_compat.h"

#define TUNNEL_TABLE "udp.port"

/* Tunnels over UDP, with the ports that ingest knows. Wireshark has the same names for them. */
static const struct {
  ingest_layer layer;
  guint port;
} tunnel_kinds[] = {
    {INGEST_LAYER_VXLAN, 4789}, {INGEST_LAYER_GENEVE, 6081}, {INGEST_LAYER_TZSP, 37008}};

static ingest_tunnels tunnel_set;
static bool tunnel_any;

static void tunnel_port(const gchar *table, ftenum_t type, gpointer key, gpointer entry,
                        gpointer ctx) {
  const dissector_handle_t handle = dtbl_entry_get_handle(entry);
  const char *name =
      handle != NULL ? proto_get_protocol_filter_name(dissector_handle_get_protocol_index(handle))
                     : NULL;
  const guint port = GPOINTER_TO_UINT(key);
  (void)table;
  (void)type;
  (void)ctx;
  for (guint i = 0; i < G_N_ELEMENTS(tunnel_kinds); i++) {
    const ingest_layer layer = tunnel_kinds[i].layer;
    if (port != tunnel_kinds[i].port && g_strcmp0(name, ingest_layer_name(layer)) == 0) {
      tunnel_any = ingest_tunnels_add(&tunnel_set, (uint16_t)port, layer);
    }
  }
}

void tunnel_ports_read(void) {
  memset(&tunnel_set, 0, sizeof tunnel_set);
  tunnel_any = false;
  dissector_table_foreach(TUNNEL_TABLE, tunnel_port, NULL);
}

ingest_tunnels *tunnel_ports(void) {
  return tunnel_any ? &tunnel_set : NULL;
}
