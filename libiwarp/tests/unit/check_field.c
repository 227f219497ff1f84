/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table: complete, without overlap, and in accord with the other tables. */
#include <iwarp/field.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

static const iwarp_form form_list[] = {
#define FORM_LIST(name, id, key, label, octets, rfc) IWARP_FORM_##name,
    IWARP_FORM_MAP(FORM_LIST)};
#define NUM_FORMS (sizeof form_list / sizeof form_list[0])

START_TEST(fields_cover_their_form_in_order)
{
  for (size_t i = 0; i < NUM_FORMS; i++) {
    const iwarp_form_info *info = iwarp_form_get(form_list[i]);
    ck_assert_ptr_nonnull(info);
    ck_assert_int_eq(info->form, form_list[i]);
    size_t bit = 0;
    for (size_t k = 0; k < info->num_fields; k++) {
      const iwarp_field *f = &info->fields[k];
      ck_assert_msg(f->bit_off == bit, "%s.%s begins at bit %u", info->label, f->key, f->bit_off);
      bit += f->num_bits;
      ck_assert_msg(f->num_bits != 0 || k + 1 == info->num_fields, "%s.%s", info->label, f->key);
    }
    ck_assert_msg(bit == 8 * info->len, "%s ends at bit %zu", info->label, bit);
  }
}
END_TEST

/* An RFC and its section, or who uses what no RFC has. */
static bool is_source(const char *text) {
  return strncmp(text, "RFC ", 4) == 0 || strcmp(text, "MS-SMBD") == 0 ||
         strcmp(text, "erdma") == 0;
}

START_TEST(ids_and_keys_are_unique_and_texts_are_there)
{
  for (size_t i = 0; i < NUM_FORMS; i++) {
    const iwarp_form_info *info = iwarp_form_get(form_list[i]);
    ck_assert(strlen(info->key) > 0 && strlen(info->label) > 0 && is_source(info->rfc));
    for (size_t k = 0; k < info->num_fields; k++) {
      const iwarp_field *f = &info->fields[k];
      ck_assert_uint_eq(f->id, (unsigned)info->form * 256 + k + 1);
      ck_assert_ptr_eq(iwarp_field_get(f->id), f);
      ck_assert_msg(is_source(f->rfc) && strlen(f->label) > 0, "%s", f->key);
      ck_assert_msg(strspn(f->key, "abcdefghijklmnopqrstuvwxyz_") == strlen(f->key), "%s", f->key);
      for (size_t j = 0; j < k; j++) {
        ck_assert_msg(strcmp(f->key, info->fields[j].key) != 0, "%s twice", f->key);
      }
    }
  }
}
END_TEST

START_TEST(what_is_not_in_the_table)
{
  ck_assert_ptr_null(iwarp_form_get((iwarp_form)0));
  ck_assert_ptr_null(iwarp_form_get((iwarp_form)99));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FIELD_NONE));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FORM_DDP_TAGGED * 256));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FIELD_DDP_TAGGED_TO + 1));
  ck_assert_ptr_null(iwarp_field_get(0xFFFF));
}
END_TEST

START_TEST(names_agree_with_the_other_tables)
{
  const iwarp_field *opcode = iwarp_field_get(IWARP_FIELD_RDMAP_CTRL_OPCODE);
  for (uint8_t i = 0; i < 16; i++) {
    ck_assert_str_eq(iwarp_field_value_name(opcode, i), iwarp_rdmap_op_get(i)->name);
  }
  ck_assert_str_eq(iwarp_field_value_name(opcode, 16), "unknown");
  const iwarp_field *layer = iwarp_field_get(IWARP_FIELD_RDMAP_TERM_LAYER);
  for (uint8_t i = 0; i < 16; i++) {
    ck_assert_str_eq(iwarp_field_value_name(layer, i), iwarp_rdmap_term_layer_name(i));
  }
  const iwarp_field *function = iwarp_field_get(IWARP_FIELD_SCTP_CONTROL_FUNCTION);
  for (uint32_t i = 0; i <= 0xFFFF; i++) {
    const iwarp_sctp_function_info *info = iwarp_sctp_function_get((uint16_t)i);
    const char *name = iwarp_field_value_name(function, i);
    expect(strcmp(name, info != NULL ? info->name : "unknown") == 0, "%u: %s", i, name);
  }
  ck_assert_str_eq(iwarp_field_value_name(iwarp_field_get(IWARP_FIELD_MPA_ENHANCED_IRD), 0x3FFF),
                   "not negotiated");
  ck_assert_str_eq(iwarp_field_value_name(iwarp_field_get(IWARP_FIELD_DDP_TAGGED_STAG), 0),
                   "unknown");
}
END_TEST

/* A field registered with Wireshark: what a header_field_info says, and from where. */
typedef struct hf {
  char abbrev[48];
  const char *name;
  size_t octets; /* of an integer or a flag's octets, 0: FT_BYTES */
  bool boolean;
  bool hex;
  uint64_t bitmask;
} hf;

static hf hf_of(const iwarp_field *f) {
  const bool octets = f->kind == IWARP_FIELD_KIND_OCTETS;
  hf h = {.name = f->label,
          .octets = octets ? 0 : f->num_octets,
          .boolean = f->kind == IWARP_FIELD_KIND_FLAG,
          .hex = f->kind == IWARP_FIELD_KIND_HEX || f->kind == IWARP_FIELD_KIND_HEX_LE,
          .bitmask = f->mask};
  ck_assert_int_lt(snprintf(h.abbrev, sizeof h.abbrev, "iwarp.%s", f->path), sizeof h.abbrev);
  return h;
}

/* What Wireshark checks at registration. */
static void hf_check(const hf *h) {
  ck_assert_msg(strspn(h->abbrev, "abcdefghijklmnopqrstuvwxyz_.") == strlen(h->abbrev), "%s",
                h->abbrev);
  ck_assert(h->name[0] != '\0');
  ck_assert_msg(h->octets <= 8, "%s: no integer is so wide", h->abbrev);
  ck_assert_msg(h->octets != 0 || (h->bitmask == 0 && !h->hex), "%s", h->abbrev);
  ck_assert_msg(!h->boolean || (h->octets == 1 && h->bitmask != 0), "%s: a bit of an octet",
                h->abbrev);
  ck_assert_msg(h->octets == 8 || h->bitmask >> (8 * h->octets) == 0, "%s: bits beyond", h->abbrev);
}

static bool hf_same(const hf *a, const hf *b) {
  return strcmp(a->abbrev, b->abbrev) == 0 && strcmp(a->name, b->name) == 0 &&
         a->octets == b->octets && a->boolean == b->boolean && a->hex == b->hex &&
         a->bitmask == b->bitmask;
}

/* The names that contracts fix, and some that are made like them. */
static const char *const hf_fixed[] = {"iwarp.mpa.rev",
                                       "iwarp.mpa.markers",
                                       "iwarp.mpa.pd_length",
                                       "iwarp.enhanced.ird",
                                       "iwarp.fpdu.ulpdu_length",
                                       "iwarp.marker.fpduptr",
                                       "iwarp.ddp.tagged",
                                       "iwarp.ddp.last",
                                       "iwarp.ddp.dv",
                                       "iwarp.ddp.stag",
                                       "iwarp.ddp.to",
                                       "iwarp.ddp.qn",
                                       "iwarp.ddp.msn",
                                       "iwarp.ddp.mo",
                                       "iwarp.ddp.invalidate_stag",
                                       "iwarp.rdmap.opcode",
                                       "iwarp.read_request.size",
                                       "iwarp.terminate.layer",
                                       "iwarp.terminate.etype",
                                       "iwarp.terminate.code",
                                       "iwarp.atomic_request.request_id",
                                       "iwarp.fpdu.pad",
                                       "iwarp.crc.crc_value",
                                       "iwarp.terminate.ddp_segment_length",
                                       "iwarp.sctp_segment.ssn",
                                       "iwarp.sctp_control.ssn",
                                       "iwarp.sctp_control.function",
                                       "iwarp.immediate.immediate"};
#define NUM_FIXED (sizeof hf_fixed / sizeof hf_fixed[0])

START_TEST(a_loop_registers_each_field_once)
{
  static hf registered[128];
  size_t num = 0;
  size_t shared = 0;
  size_t fixed = 0;
  for (int form = 1; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    for (size_t k = 0; k < info->num_fields; k++) {
      const iwarp_field *first = iwarp_field_find(info->fields[k].path);
      const hf h = hf_of(&info->fields[k]);
      hf_check(&h);
      if (first == &info->fields[k]) {
        registered[num++] = h;
        continue;
      }
      const hf is = hf_of(first); /* one field, two positions */
      ck_assert_msg(hf_same(&h, &is) && first->kind == info->fields[k].kind, "%s", h.abbrev);
      ck_assert_msg(first->values == info->fields[k].values, "%s", h.abbrev);
      ck_assert_msg(first->brief == info->fields[k].brief, "%s", h.abbrev);
      ck_assert_str_eq(first->key, info->fields[k].key);
      shared++;
    }
  }
  ck_assert_uint_eq(shared, 5); /* T, L, Rsvd, DV and RsvdULP of the DDP headers */
  for (size_t i = 0; i < num; i++) {
    for (size_t j = 0; j < i; j++) {
      ck_assert_str_ne(registered[i].abbrev, registered[j].abbrev);
    }
    for (size_t j = 0; j < NUM_FIXED; j++) {
      fixed += strcmp(registered[i].abbrev, hf_fixed[j]) == 0 ? 1 : 0;
    }
  }
  ck_assert_uint_eq(fixed, NUM_FIXED);
}
END_TEST

START_TEST(a_path_is_the_keys_of_form_and_field)
{
  for (size_t i = 0; i < NUM_FORMS; i++) {
    const iwarp_form_info *info = iwarp_form_get(form_list[i]);
    for (size_t k = 0; k < info->num_fields; k++) {
      char path[48];
      ck_assert_int_lt(snprintf(path, sizeof path, "%s.%s", info->key, info->fields[k].key),
                       sizeof path);
      ck_assert_str_eq(info->fields[k].path, path);
      ck_assert_ptr_eq(iwarp_form_field(info->form, iwarp_field_find(path)), &info->fields[k]);
    }
  }
  ck_assert_ptr_null(iwarp_field_find("ddp.ms"));
  ck_assert_ptr_null(iwarp_field_find("ddp.msnx"));
  ck_assert_ptr_null(iwarp_field_find(""));
  const iwarp_field *msn = iwarp_field_find("ddp.msn");
  ck_assert_uint_eq(msn->id, IWARP_FIELD_DDP_UNTAGGED_MSN);
  ck_assert_ptr_null(iwarp_form_field(IWARP_FORM_DDP_TAGGED, msn));
  ck_assert_ptr_null(iwarp_form_field(IWARP_FORM_NONE, msn));
}
END_TEST

/* The bits that the mask takes out of the octets are those that the field is read from. */
START_TEST(a_mask_takes_a_field_out_of_its_octets)
{
  uint8_t octets[64];
  prng p = {.state = 11};
  for (unsigned round = 0; round < 64; round++) {
    prng_fill(&p, octets, sizeof octets);
    for (size_t i = 0; i < NUM_FORMS; i++) {
      const iwarp_form_info *info = iwarp_form_get(form_list[i]);
      for (size_t k = 0; k < info->num_fields; k++) {
        const iwarp_field *f = &info->fields[k];
        iwarp_span in = {octets, sizeof octets};
        iwarp_span own;
        uint64_t want = 0;
        uint64_t number = 0;
        ck_assert_int_eq(iwarp_field_octets(&own, f, in), IWARP_OK);
        expect(own.ptr == octets + f->octet_off, "%s", f->path);
        expect(own.len == (f->num_octets != 0 ? f->num_octets : sizeof octets - f->octet_off), "%s",
               f->path);
        if (f->mask == 0) {
          expect(f->bit_off == 8 * f->octet_off && f->num_bits == 8 * f->num_octets, "%s", f->path);
          continue;
        }
        for (size_t n = 0; n < own.len; n++) {
          number = number << 8 | own.ptr[n];
        }
        uint64_t shift = 0;
        while ((f->mask >> shift & 1) == 0) {
          shift++;
        }
        ck_assert_int_eq(iwarp_field_uint(&want, f, in), IWARP_OK);
        expect((number & f->mask) >> shift == want, "%s", f->path);
      }
    }
  }
}
END_TEST

typedef struct read_vector {
  uint16_t id;
  const char *hex;
  uint64_t want;
} read_vector;

static const read_vector read_vectors[] = {
    {IWARP_FIELD_MPA_STARTUP_S, "(00*16) 10 02 0008", 1},
    {IWARP_FIELD_MPA_STARTUP_RES, "(FF*16) 1A 02 0008", 10},
    {IWARP_FIELD_MPA_STARTUP_PD_LENGTH, "(00*18) 0102", 258},
    {IWARP_FIELD_MPA_ENHANCED_IRD, "C001 0000", 1},
    {IWARP_FIELD_MPA_ENHANCED_ORD, "FFFF C002", 2},
    {IWARP_FIELD_MPA_CRC_CRC, "52239983", 0x83992352},
    {IWARP_FIELD_DDP_TAGGED_RSVD, "BD", 15},
    {IWARP_FIELD_DDP_TAGGED_TO, "(FF*6) 0123456789ABCDEF", UINT64_C(0x0123456789ABCDEF)},
    {IWARP_FIELD_DDP_UNTAGGED_MO, "(00*14) DEADBEEF", 0xDEADBEEF},
    {IWARP_FIELD_RDMAP_TERM_RESERVED, "0000 FFFE", 0x1FFE},
    {IWARP_FIELD_SCTP_CONTROL_FUNCTION, "0001 0007", 7},
    {IWARP_FIELD_SCTP_ADAPTATION_INDICATION, "C006 0008 00000001", 1},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_RESERVED, "ABCDEF12", 0xABCDEF1},
    {IWARP_FIELD_ERDMA_EXT_RESERVED, "00000001 ABCDEF12", 0xABCDEF1},
    {IWARP_FIELD_ERDMA_EXT_CC, "00000001 ABCDEF12", 2},
    {IWARP_FIELD_SMBD_DEPTHS_ORD, "00000001 00000102", 258},
    {IWARP_FIELD_SMBD_DEPTHS_LE_ORD, "00000001 02010000", 258},
    {IWARP_FIELD_RPC_RDMA_RESERVED, "F6AB0E18 01FE0304", 127},
    {IWARP_FIELD_RPC_RDMA_R, "F6AB0E18 01FE0304", 0},
};

START_TEST(values_are_read_and_short_input_is_seen)
{
  for (size_t i = 0; i < sizeof read_vectors / sizeof read_vectors[0]; i++) {
    const read_vector *vec = &read_vectors[i];
    const iwarp_field *f = iwarp_field_get(vec->id);
    uint8_t octets[32];
    size_t len = hex_octets(octets, sizeof octets, vec->hex);
    size_t end = (f->bit_off + f->num_bits + 7u) / 8u;
    for (size_t n = 0; n <= len; n++) {
      uint64_t got = 0x5555;
      iwarp_err err = iwarp_field_uint(&got, f, guard_in(octets, n));
      ck_assert_msg(err == (n < end ? IWARP_ERR_NEED_MORE : IWARP_OK), "%s of %s", f->key,
                    vec->hex);
      ck_assert_msg(got == (n < end ? 0x5555 : vec->want), "%s of %s", f->key, vec->hex);
    }
  }
}
END_TEST

START_TEST(octets_are_borrowed)
{
  const iwarp_field *data = iwarp_field_get(IWARP_FIELD_MPA_STARTUP_PRIVATE_DATA);
  uint8_t octets[32] = {0};
  iwarp_span in = guard_in(octets, 25);
  iwarp_span span;
  uint64_t number = 0;
  ck_assert_int_eq(iwarp_field_uint(&number, data, in), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_OK);
  ck_assert_ptr_eq(span.ptr, in.ptr + 20);
  ck_assert_uint_eq(span.len, 5);
  in = guard_in(octets, 20);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_OK);
  ck_assert_uint_eq(span.len, 0);
  in = guard_in(octets, 19);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_ERR_NEED_MORE);
  const iwarp_field *ird = iwarp_field_get(IWARP_FIELD_MPA_ENHANCED_IRD);
  in = guard_in(octets, 4);
  ck_assert_int_eq(iwarp_field_octets(&span, ird, in), IWARP_OK); /* those in which it lies */
  ck_assert_ptr_eq(span.ptr, in.ptr);
  ck_assert_uint_eq(span.len, 2);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {fields_cover_their_form_in_order,
                                ids_and_keys_are_unique_and_texts_are_there,
                                what_is_not_in_the_table,
                                a_loop_registers_each_field_once,
                                a_path_is_the_keys_of_form_and_field,
                                a_mask_takes_a_field_out_of_its_octets,
                                names_agree_with_the_other_tables,
                                values_are_read_and_short_input_is_seen,
                                octets_are_borrowed,
                                NULL};
  return check_run(check_suite("field", tests));
}
