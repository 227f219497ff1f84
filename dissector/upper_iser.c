/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the header of iSER and hands the octets after it to the dissector of iSCSI. RFC 7145 9 */
#include "upper_iser.h"

#include "conns.h"
#include "iwarp_proto.h"

#define ISER_HEADER_LEN 28u /* octets with Base Offsets, as RFC 7145 has it and Linux sends it */
#define ISER_ISCSI_LEN 48u  /* Basic Header Segment of iSCSI */
#define ISER_PORT 3260u

enum { ISER_CONTROL = 1, ISER_HELLO = 2, ISER_HELLO_REPLY = 3 };

static const value_string iser_types[] = {{ISER_CONTROL, "iSCSI control-type"},
                                          {ISER_HELLO, "Hello"},
                                          {ISER_HELLO_REPLY, "HelloReply"},
                                          {0, NULL}};

static struct {
  guint8 at;
  guint8 len;
  header_field_info info;
  int hf;
} iser_fields[] = {
#define ISER_ROW(at, len, type, base, strings, mask, name, label)                                  \
  { at, len, {label, IWARP_NAME ".iser." name, type, base, strings, mask, NULL, HFILL}, -1 }
    ISER_ROW(0, 1, FT_UINT8, BASE_DEC, VALS(iser_types), 0xF0, "opcode", "Opcode"),
    ISER_ROW(0, 1, FT_BOOLEAN, 8, TFS(&tfs_set_notset), 0x08, "w", "Write STag valid"),
    ISER_ROW(0, 1, FT_BOOLEAN, 8, TFS(&tfs_set_notset), 0x04, "r", "Read STag valid"),
    ISER_ROW(4, 4, FT_UINT32, BASE_HEX, NULL, 0, "write_stag", "Write STag"),
    ISER_ROW(8, 8, FT_UINT64, BASE_HEX, NULL, 0, "write_offset", "Write Base Offset"),
    ISER_ROW(16, 4, FT_UINT32, BASE_HEX, NULL, 0, "read_stag", "Read STag"),
    ISER_ROW(20, 8, FT_UINT64, BASE_HEX, NULL, 0, "read_offset", "Read Base Offset"),
#undef ISER_ROW
};

static int iser_proto = -1;
static int ett_iser = -1;
static dissector_handle_t iser_iscsi;

void upper_iser_show(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  if (tvb_captured_length(payload) < ISER_HEADER_LEN) {
    return;
  }
  const guint8 type = ws_tvb_u8(payload, 0) >> 4;
  proto_item *item = proto_tree_add_item(root, iser_proto, payload, 0, ISER_HEADER_LEN, ENC_NA);
  proto_tree *tree = proto_item_add_subtree(item, ett_iser);
  for (size_t i = 0; i < G_N_ELEMENTS(iser_fields); i++) {
    proto_tree_add_item(tree, iser_fields[i].hf, payload, iser_fields[i].at, iser_fields[i].len,
                        ENC_BIG_ENDIAN);
  }
  col_set_str(v->pinfo->cinfo, COL_PROTOCOL, "iSER");
  if (type == ISER_CONTROL && iser_iscsi != NULL) {
    call_dissector_only(iser_iscsi, tvb_new_subset_remaining(payload, ISER_HEADER_LEN), v->pinfo,
                        root, NULL);
  } else {
    col_append_fstr(v->pinfo->cinfo, COL_INFO, "; iSER %s",
                    val_to_str_const(type, iser_types, "message"));
  }
}

/* ---- which Sends are iSER ---- */

static bool iser_like(tvbuff_t *payload) {
  const guint len = tvb_captured_length(payload);
  if (len < ISER_HEADER_LEN) {
    return false;
  }
  const guint8 first = ws_tvb_u8(payload, 0);
  if (first >> 4 == ISER_CONTROL) {
    return (first & 3u) == 0 && tvb_get_ntoh24(payload, 1) == 0 &&
           len >= ISER_HEADER_LEN + ISER_ISCSI_LEN;
  }
  return (first >> 4 == ISER_HELLO || first >> 4 == ISER_HELLO_REPLY) && len == ISER_HEADER_LEN;
}

bool upper_iser_is(const pdu_view *v, tvbuff_t *payload) {
  const conn *c = v->pdu->conn;
  return (c->addr[0].port == ISER_PORT || c->addr[1].port == ISER_PORT) && iser_like(payload);
}

/* ---- registration ---- */

int upper_iser_register(int proto) {
  static hf_register_info rows[G_N_ELEMENTS(iser_fields)];
  static int *const subtrees[] = {&ett_iser};
  for (size_t i = 0; i < G_N_ELEMENTS(iser_fields); i++) {
    rows[i] = (hf_register_info){&iser_fields[i].hf, iser_fields[i].info};
  }
  proto_register_field_array(proto, rows, (int)G_N_ELEMENTS(rows));
  proto_register_subtree_array(subtrees, (int)G_N_ELEMENTS(subtrees));
  iser_proto = proto_register_protocol_in_name_only("iSER (iWARP)", "iSER/iWARP",
                                                    IWARP_NAME ".iser", proto, FT_PROTOCOL);
  return iser_proto;
}

void upper_iser_handoff(void) {
  iser_iscsi = find_dissector("iscsi");
}
