/* SPDX-License-Identifier: BSD-2-Clause */
/* The submenu iWARP of the menu Statistics. */
#include "ws_compat.h"

#include <epan/plugin_if.h>
#include <epan/stat_tap_ui.h>

#include "taps.h"

/* Wireshark places a table directly in the menu that its group names. So the tables have a group
 * without a menu, and each entry here opens its statistic as the option -z does.
 * Wireshark opens Conversations and Endpoints by its own entries alone. */
static struct {
  const char *label;
  char command[24];
} menu_entries[] = {{"PDUs", "iwarp,tree"},
                    {"Broken rules", "iwarp,rules"},
                    {"Response times", "iwarp,times"},
                    {"Service response times", "iwarp,srt"},
                    {"STags", "iwarp,stags"},
                    {"Connections", "iwarp,connections"}};

static void menu_open(ext_menubar_gui_type type, gpointer gui, gpointer command) {
  (void)type;
  (void)gui;
  if (process_stat_cmd_arg(command)) {
    start_requested_stats();
  }
}

void taps_menu_register(int proto) {
  ext_menu_t *menu = ext_menubar_register_menu(proto, "iWARP", TRUE);
  ext_menubar_set_parentmenu(menu, "Statistics");
  for (size_t i = 0; i < G_N_ELEMENTS(menu_entries); i++) {
    ext_menubar_add_entry(menu, menu_entries[i].label, NULL, menu_open, menu_entries[i].command);
  }
}
