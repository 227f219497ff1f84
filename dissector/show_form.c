/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds the fields of a form by the field table of the library. */
#include "show_form.h"

#include <epan/strutil.h>

#include "fields.h"
#include "show_words.h"

/* The place in the wire form of a run of octets of the PDU without its Markers. */
typedef struct form_place {
  size_t at;
  size_t len; /* a Marker among them counts */
} form_place;

static form_place form_place_of(const iwarp_pdu_iter *it, size_t pdu_off, size_t len) {
  if (it->layout.first_marker == 0) { /* no Marker lies among the octets */
    return (form_place){it->layout.lead + pdu_off, len};
  }
  const size_t at = iwarp_pdu_wire_offset(it, pdu_off);
  const size_t last = len > 0 ? iwarp_pdu_wire_offset(it, pdu_off + len - 1) + 1 : at;
  return (form_place){at, last - at};
}

static form_place form_place_in(const iwarp_pdu_iter *it, const iwarp_pdu_part *part, size_t off,
                                size_t len) {
  if (part->form == IWARP_FORM_MPA_MARKER) { /* a Marker is no octet of the PDU itself */
    return (form_place){part->wire_off + off, len};
  }
  return form_place_of(it, part->pdu_off + off, len);
}

/* Octets of another use, where the message has none for the field. RFC 5040 4.1 */
static bool form_unused(const pdu_view *v, const iwarp_field *field) {
  return field->id == IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG && v->seg != NULL &&
         !iwarp_rdmap_op_get(v->seg->ctrl.opcode)->invalidates;
}

/* The name of a value that others of its form decide; NULL: none. RFC 5040 4.8 */
static const char *form_name(const iwarp_pdu_part *part, const iwarp_field *field, guint64 value) {
  uint64_t layer = 0;
  uint64_t etype = 0;
  if (part->form != IWARP_FORM_RDMAP_TERM) {
    return NULL;
  }
  iwarp_field_uint(&layer, iwarp_field_get(IWARP_FIELD_RDMAP_TERM_LAYER), part->octets);
  iwarp_field_uint(&etype, iwarp_field_get(IWARP_FIELD_RDMAP_TERM_ETYPE), part->octets);
  if (field->id == IWARP_FIELD_RDMAP_TERM_ETYPE) {
    return iwarp_rdmap_term_etype_name((uint8_t)layer, (uint8_t)value);
  }
  return field->id == IWARP_FIELD_RDMAP_TERM_CODE
             ? iwarp_rdmap_term_code_name((uint8_t)layer, (uint8_t)etype, (uint8_t)value)
             : NULL;
}

static proto_item *form_number(const pdu_view *v, proto_tree *tree, int hf,
                               const iwarp_field *field, form_place place, guint64 value,
                               const char *name) {
  const gint start = (gint)(v->base + place.at);
  const gint len = (gint)place.len;
  const guint64 bits = value << fields_shift(field); /* value shifted to its place in the octets */
  if (name != NULL) {
    return proto_tree_add_uint_format_value(
        tree, hf, v->tvb, start, len, (guint32)bits,
        field->kind == IWARP_FIELD_KIND_HEX ? "%s (0x%02x)" : "%s (%u)",
        iwarp_name_known(name) ? name : "Unassigned", (guint)value);
  }
  if (field->kind == IWARP_FIELD_KIND_FLAG) {
    return proto_tree_add_boolean(tree, hf, v->tvb, start, len, (guint32)bits);
  }
  if (field->bit_off % 8u + field->num_bits > 32) {
    return proto_tree_add_uint64(tree, hf, v->tvb, start, len, bits);
  }
  return proto_tree_add_uint(tree, hf, v->tvb, start, len, (guint32)bits);
}

/* The key is text. RFC 5044 7.1.1 */
static proto_item *form_key(const pdu_view *v, proto_tree *tree, int hf, form_place place,
                            iwarp_span octets) {
  return proto_tree_add_bytes_format_value(
      tree, hf, v->tvb, (gint)(v->base + place.at), (gint)place.len, octets.ptr, "%s",
      v->visible ? format_text(v->pinfo->pool, (const void *)octets.ptr, octets.len) : "");
}

static void form_field(const pdu_view *v, proto_tree *tree, const iwarp_pdu_iter *it,
                       const iwarp_pdu_part *part, const iwarp_field *field) {
  const int hf = fields_hf(field, part->returned);
  iwarp_span octets = {0};
  uint64_t value = 0;
  proto_item *item;
  form_place place;
  if (!v->visible && v->marks == NULL && !proto_field_is_referenced(tree, hf)) {
    return; /* the tree is not shown, no filter reads the field, and no finding is at it */
  }
  if (iwarp_field_uint(&value, field, part->octets) == IWARP_OK) {
    place = form_place_in(it, part, field->octet_off, field->num_octets);
    item = form_number(v, tree, hf, field, place, value, form_name(part, field, value));
  } else if (iwarp_field_octets(&octets, field, part->octets) != IWARP_OK || octets.len == 0) {
    return;
  } else {
    place = form_place_in(it, part, (size_t)(octets.ptr - part->octets.ptr), octets.len);
    item = field->id == IWARP_FIELD_MPA_STARTUP_KEY && octets.len == IWARP_MPA_KEY_LEN
               ? form_key(v, tree, hf, place, octets)
               : proto_tree_add_bytes_with_length(tree, hf, v->tvb, (gint)(v->base + place.at),
                                                  (gint)place.len, octets.ptr, (gint)octets.len);
  }
  pdu_view_item(v, item, field->id, place.at, place.len);
}

void show_form(const pdu_view *v, proto_tree *tree, const iwarp_pdu_iter *it,
               const iwarp_pdu_part *part) {
  const iwarp_form_info *info = iwarp_form_get(part->form);
  for (size_t i = 0; i < info->num_fields; i++) {
    if (part->returned || !form_unused(v, &info->fields[i])) {
      form_field(v, tree, it, part, &info->fields[i]);
    }
  }
}

proto_tree *show_form_tree(const pdu_view *v, proto_tree *tree, const iwarp_pdu_iter *it,
                           const iwarp_pdu_part *part) {
  const form_place place = form_place_in(it, part, 0, part->octets.len);
  int ett;
  const int hf = fields_tree(&ett, part->form, part->returned);
  proto_item *item =
      proto_tree_add_item(tree, hf, v->tvb, (gint)(v->base + place.at), (gint)place.len, ENC_NA);
  if (v->visible && part->form != IWARP_FORM_MPA_CRC) { /* pdu_crc describes the CRC */
    proto_item_set_text(item, "%s", words_form(part));
  }
  pdu_view_item(v, item, 0, place.at, place.len);
  return proto_item_add_subtree(item, ett);
}
