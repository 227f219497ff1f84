/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of one form as words in a line, by the field table of the library. */
#include "pdu_parts.h"

#include <report/dump.h>

/* A field in a line. The rows of a form are in the order of reading, which differs from the order
 * on the wire. */
typedef struct form_word {
  uint16_t field;    /* IWARP_FIELD_* */
  const char *word;  /* word in front of the value; a flag that is set is the word alone */
  const char *flags; /* word in front of the first of several flags that is set; or NULL */
  bool deviation;    /* written only where the value is another than `usual` */
  uint8_t usual;     /* value that conforming peers send */
} form_word;

#define FORM_WORDS_FORM(id) ((id) >> 8) /* the form that a field is of */

static const char form_words_flags[] = " flags ";
static const char form_words_rtr[] = " rtr";

static const form_word form_words[] = {
    {IWARP_FIELD_MPA_STARTUP_REV, .word = " rev "},
    {IWARP_FIELD_MPA_STARTUP_M, .word = "M", .flags = form_words_flags},
    {IWARP_FIELD_MPA_STARTUP_C, .word = "C", .flags = form_words_flags},
    {IWARP_FIELD_MPA_STARTUP_R, .word = "R", .flags = form_words_flags},
    {IWARP_FIELD_MPA_STARTUP_S, .word = "S", .flags = form_words_flags},
    {IWARP_FIELD_MPA_STARTUP_RES, .word = " reserved ", .deviation = true},
    {IWARP_FIELD_MPA_ENHANCED_IRD, .word = " ird "},
    {IWARP_FIELD_MPA_ENHANCED_ORD, .word = " ord "},
    {IWARP_FIELD_MPA_ENHANCED_A, .word = " peer-to-peer"},
    {IWARP_FIELD_MPA_ENHANCED_B, .word = " send", .flags = form_words_rtr},
    {IWARP_FIELD_MPA_ENHANCED_C, .word = " write", .flags = form_words_rtr},
    {IWARP_FIELD_MPA_ENHANCED_D, .word = " read", .flags = form_words_rtr},
    {IWARP_FIELD_DDP_TAGGED_L, .word = " L"},
    {IWARP_FIELD_DDP_TAGGED_STAG, .word = " stag "},
    {IWARP_FIELD_DDP_TAGGED_TO, .word = " to "},
    {IWARP_FIELD_DDP_TAGGED_DV, .word = " dv ", .deviation = true, .usual = IWARP_DDP_VERSION},
    {IWARP_FIELD_DDP_TAGGED_RSVD, .word = " rsvd ", .deviation = true},
    {IWARP_FIELD_DDP_UNTAGGED_L, .word = " L"},
    {IWARP_FIELD_DDP_UNTAGGED_QN, .word = " qn "},
    {IWARP_FIELD_DDP_UNTAGGED_MSN, .word = " msn "},
    {IWARP_FIELD_DDP_UNTAGGED_MO, .word = " mo "},
    {IWARP_FIELD_DDP_UNTAGGED_DV, .word = " dv ", .deviation = true, .usual = IWARP_DDP_VERSION},
    {IWARP_FIELD_DDP_UNTAGGED_RSVD, .word = " rsvd ", .deviation = true},
    {IWARP_FIELD_RDMAP_CTRL_RV, .word = " rv ", .deviation = true, .usual = IWARP_RDMAP_VERSION},
    {IWARP_FIELD_RDMAP_CTRL_RSV, .word = " rsv ", .deviation = true},
    {IWARP_FIELD_RDMAP_READ_REQ_SINK_STAG, .word = ", sink "},
    {IWARP_FIELD_RDMAP_READ_REQ_SINK_TO, .word = " to "},
    {IWARP_FIELD_RDMAP_READ_REQ_SOURCE_STAG, .word = " source "},
    {IWARP_FIELD_RDMAP_READ_REQ_SOURCE_TO, .word = " to "},
    {IWARP_FIELD_RDMAP_READ_REQ_SIZE, .word = " size "},
    {IWARP_FIELD_RDMAP_IMMEDIATE_IMMEDIATE, .word = ", data "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE, .word = ", operation "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_REQUEST_ID, .word = " id "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_STAG, .word = " stag "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_TO, .word = " to "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_ADD_SWAP_DATA, .word = " data "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_ADD_SWAP_MASK, .word = " mask "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_DATA, .word = " compare "},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_MASK, .word = " mask "},
    {IWARP_FIELD_RDMAP_ATOMIC_RESP_REQUEST_ID, .word = ", id "},
    {IWARP_FIELD_RDMAP_ATOMIC_RESP_ORIGINAL, .word = " original "},
};

static void form_words_value(out_buf *out, const iwarp_field *field, uint64_t v) {
  const char *name = iwarp_field_value_name(field, v);
  if (field->id == IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE && iwarp_name_known(name)) {
    out_str(out, name);
  } else if (field->kind == IWARP_FIELD_KIND_HEX) {
    out_hex(out, v, (field->num_bits + 3u) / 4u);
  } else {
    out_u64(out, v);
  }
}

/* `flags`: what the last flag that was set had before it. */
static void form_words_number(out_buf *out, const form_word *row, const iwarp_field *field,
                              uint64_t v, const char **flags) {
  const bool flag = field->kind == IWARP_FIELD_KIND_FLAG;
  if ((flag || row->deviation) && v == row->usual) {
    return;
  }
  if (row->flags != NULL && *flags != row->flags) {
    out_str(out, row->flags);
    *flags = row->flags;
  }
  out_str(out, row->word);
  if (!flag) {
    form_words_value(out, field, v);
  }
}

static void form_words_octets(out_buf *out, const form_word *row, iwarp_span octets) {
  out_str(out, row->word);
  out_octets(out, octets.ptr, octets.len, 0);
}

void report_words_put(out_buf *out, iwarp_form form, iwarp_span in) {
  const char *flags = NULL;
  for (size_t i = 0; i < sizeof form_words / sizeof form_words[0]; i++) {
    const form_word *row = &form_words[i];
    if (FORM_WORDS_FORM(row->field) != form) {
      continue;
    }
    const iwarp_field *field = iwarp_field_get(row->field);
    iwarp_span octets;
    uint64_t v;
    if (iwarp_field_octets(&octets, field, in) != IWARP_OK) {
      continue;
    }
    if (iwarp_field_uint(&v, field, in) == IWARP_OK) {
      form_words_number(out, row, field, v, &flags);
    } else {
      form_words_octets(out, row, octets);
    }
  }
}
