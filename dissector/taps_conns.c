/* SPDX-License-Identifier: BSD-2-Clause */
/* -z iwarp,connections: the ends of each connection with their ports, and what each side sent. */
#include "taps_table.h"

#include <epan/to_str.h>

#include "conns.h"
#include "taps.h"

enum {
  CONNS_COLUMN_CONNECTION,
  CONNS_COLUMN_INITIATOR,
  CONNS_COLUMN_RESPONDER,
  CONNS_COLUMN_PDUS,       /* PDUs of the Initiator; next column: PDUs of the Responder */
  CONNS_COLUMN_OCTETS = 5, /* octets of the Initiator; next column: octets of the Responder */
  CONNS_COLUMN_CRC = 7,
  CONNS_COLUMN_FIRST,
  CONNS_COLUMNS
};

static stat_tap_table_item conns_columns[] = {
    [CONNS_COLUMN_CONNECTION] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Connection", "%5u"},
    [CONNS_COLUMN_INITIATOR] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Initiator", "%-24s"},
    [CONNS_COLUMN_RESPONDER] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Responder", "%-24s"},
    [CONNS_COLUMN_PDUS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "PDUs ->", "%8u"},
    [CONNS_COLUMN_PDUS + 1] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "PDUs <-", "%8u"},
    [CONNS_COLUMN_OCTETS] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "Octets ->", TAPS_OCTETS_FORMAT},
    [CONNS_COLUMN_OCTETS + 1] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "Octets <-",
                                 TAPS_OCTETS_FORMAT},
    [CONNS_COLUMN_CRC] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Wrong CRCs", "%8u"},
    [CONNS_COLUMN_FIRST] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "First frame", "%8u"}};

/* An end of a connection, by the sender of a PDU: "10.0.0.1:40000". The row owns it. */
static char *conns_end(const packet_info *pinfo, bool sender) {
  const address *addr = sender ? &pinfo->src : &pinfo->dst;
  const guint32 port = sender ? pinfo->srcport : pinfo->destport;
  char *text = address_to_str(NULL, addr);
  char *end = g_strdup_printf(addr->type == AT_IPv6 ? "[%s]:%u" : "%s:%u", text, port);
  wmem_free(NULL, text);
  return end;
}

/* A PDU of the Responder goes back; where roles are not known, PDUs of the second side. */
static guint conns_back(const frame_pdu *pdu) {
  return pdu->role == IWARP_ROLE_UNKNOWN ? pdu->side : pdu->role == IWARP_ROLE_RESPONDER;
}

static guint conns_row(stat_tap_table *table, const packet_info *pinfo, const frame_pdu *pdu) {
  const guint connection = pdu->conn->number;
  const taps_key key = {.table = table, .number = {connection}};
  guint row = table->num_elements;
  if (taps_table_row(&row, &key)) {
    return row;
  }
  const bool back = conns_back(pdu) != 0;
  stat_tap_table_item_type cells[CONNS_COLUMNS] = {
      [CONNS_COLUMN_CONNECTION] = {.type = TABLE_ITEM_UINT, .value.uint_value = connection},
      [CONNS_COLUMN_INITIATOR] = {.type = TABLE_ITEM_STRING,
                                  .value.string_value = conns_end(pinfo, !back)},
      [CONNS_COLUMN_RESPONDER] = {.type = TABLE_ITEM_STRING,
                                  .value.string_value = conns_end(pinfo, back)},
      [CONNS_COLUMN_PDUS] = {.type = TABLE_ITEM_UINT},
      [CONNS_COLUMN_PDUS + 1] = {.type = TABLE_ITEM_UINT},
      [CONNS_COLUMN_OCTETS] = {.type = TABLE_ITEM_STRING, .value.string_value = ""},
      [CONNS_COLUMN_OCTETS + 1] = {.type = TABLE_ITEM_STRING, .value.string_value = ""},
      [CONNS_COLUMN_CRC] = {.type = TABLE_ITEM_UINT},
      [CONNS_COLUMN_FIRST] = {.type = TABLE_ITEM_UINT, .value.uint_value = pinfo->num}};
  for (guint column = CONNS_COLUMN_INITIATOR; column <= CONNS_COLUMN_RESPONDER; column++) {
    cells[column].user_data.string_value = cells[column].value.string_value;
  }
  stat_tap_init_table_row(table, row, CONNS_COLUMNS, cells);
  return row;
}

static tap_packet_status conns_packet(void *ctx, packet_info *pinfo, epan_dissect_t *edt,
                                      const void *tap, tap_flags_t flags) {
  const frame_pdu *pdu = ((const taps_pdu *)tap)->pdu;
  stat_tap_table *table = taps_table_of(ctx);
  (void)edt;
  (void)flags;
  if (pdu->kind == FRAME_PDU_GAP) {
    return TAP_PACKET_DONT_REDRAW;
  }
  const guint row = conns_row(table, pinfo, pdu);
  const guint pdus = CONNS_COLUMN_PDUS + conns_back(pdu);
  const guint octets = CONNS_COLUMN_OCTETS + conns_back(pdu);
  taps_table_set_uint(table, row, pdus, taps_table_uint(table, row, pdus) + 1);
  taps_table_set_octets(table, row, octets,
                        taps_table_octets(table, row, octets) + frames_pdu_len(pdu));
  if (pdu->crc == IWARP_CRC_BAD) {
    taps_table_set_uint(table, row, CONNS_COLUMN_CRC,
                        taps_table_uint(table, row, CONNS_COLUMN_CRC) + 1);
  }
  return TAP_PACKET_REDRAW;
}

/* Rows stay, and what names them. */
static void conns_reset(stat_tap_table *table) {
  for (guint row = 0; row < table->num_elements; row++) {
    for (guint back = 0; back < 2; back++) {
      taps_table_set_uint(table, row, CONNS_COLUMN_PDUS + back, 0);
      taps_table_set_octets(table, row, CONNS_COLUMN_OCTETS + back, 0);
    }
    taps_table_set_uint(table, row, CONNS_COLUMN_CRC, 0);
  }
}

static void conns_free(stat_tap_table *table, guint row, guint column,
                       stat_tap_table_item_type *cell) {
  (void)row;
  if (column == CONNS_COLUMN_CONNECTION) {
    const taps_key key = {.table = table, .number = {cell->value.uint_value}};
    taps_table_drop_row(&key);
  } else if (column == CONNS_COLUMN_INITIATOR || column == CONNS_COLUMN_RESPONDER ||
             column == CONNS_COLUMN_OCTETS || column == CONNS_COLUMN_OCTETS + 1) {
    taps_table_free_text(cell);
  }
}

void taps_conns_register(void) {
  static stat_tap_table_ui ui = {.group = TAPS_TABLE_GROUP,
                                 .title = "iWARP connections",
                                 .tap_name = TAPS_PDUS,
                                 .cli_string = "iwarp,connections",
                                 .stat_tap_init_cb = taps_table_init,
                                 .packet_func = conns_packet,
                                 .stat_tap_reset_table_cb = conns_reset,
                                 .stat_tap_free_table_item_cb = conns_free,
                                 .nfields = CONNS_COLUMNS,
                                 .fields = conns_columns};
  register_stat_tap_table_ui(&ui);
}
