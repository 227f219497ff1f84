/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gives ports back to their dissectors.
 *
 * When the user removes a port from the preference, Wireshark does not restore the dissector that
 * had it before. tshark and sharkd leave the port with iWARP, the GUI with no dissector.
 */
#include "port_pref.h"

#include "ws_compat.h"

#include <epan/prefs.h>
#include <epan/range.h>

#include "iwarp_proto.h"

#define PORT_TABLE "tcp.port"

static wmem_map_t *port_owners; /* dissectors by the port that they registered */
static range_t *port_named;     /* ports in the preference */

static void port_owner(const gchar *table, ftenum_t type, gpointer port, gpointer entry,
                       gpointer ctx) {
  const dissector_handle_t owner = dtbl_entry_get_initial_handle(entry);
  (void)table;
  (void)type;
  (void)ctx;
  if (owner != NULL && owner != iwarp_proto_handle()) {
    wmem_map_insert(port_owners, port, owner);
  }
}

static void port_give_back(guint32 port, gpointer named) {
  const dissector_handle_t has = dissector_get_uint_handle(find_dissector_table(PORT_TABLE), port);
  const dissector_handle_t owner = wmem_map_lookup(port_owners, GUINT_TO_POINTER(port));
  if (value_is_in_range(named, port) || (has != NULL && has != iwarp_proto_handle())) {
    return;
  }
  if (owner != NULL) {
    dissector_add_uint(PORT_TABLE, port, owner);
  } else if (has != NULL) {
    dissector_reset_uint(PORT_TABLE, port);
  }
}

void port_pref_update(void) {
  range_t *named = prefs_get_range_value(IWARP_NAME, PORT_TABLE);
  if (port_owners == NULL) {
    port_owners = wmem_map_new(wmem_epan_scope(), g_direct_hash, g_direct_equal);
    port_named = range_empty(wmem_epan_scope());
    dissector_table_foreach(PORT_TABLE, port_owner, NULL);
  }
  range_foreach(port_named, port_give_back, named);
  wmem_free(wmem_epan_scope(), port_named);
  port_named = range_copy(wmem_epan_scope(), named);
}
