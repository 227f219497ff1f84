/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads wire.txt: octets on the wire, decoded, compared with what they mean, and encoded again. */
#include <inttypes.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"

#define VECTORS "libiwarp/tests/vectors/wire.txt"
#define LINE_MAX_LEN 1024
#define OCTETS_MAX 2048
#define FACTS_MAX 64

typedef struct vector {
  char line[LINE_MAX_LEN];
  const char *id;
  const char *form;
  const char *hex;
  char *facts;
  uint8_t octets[OCTETS_MAX];
  size_t len;
} vector;

typedef struct fact {
  const char *key;
  uint64_t value;
} fact;

static vector vec;
static fact facts[FACTS_MAX];
static size_t num_facts;

static void tell(const char *key, uint64_t value) {
  expect(num_facts < FACTS_MAX, "%s: too many facts", vec.id);
  facts[num_facts++] = (fact){key, value};
}

/* Compares the expected facts of the line with what the decoders told. */
static void compare_facts(void) {
  for (char *word = strtok(vec.facts, " \n"); word != NULL; word = strtok(NULL, " \n")) {
    char *equals = strchr(word, '=');
    ck_assert_msg(equals != NULL, "%s: no fact: %s", vec.id, word);
    *equals = '\0';
    uint64_t want =
        equals[1] == '-' ? (uint64_t)strtoll(equals + 1, NULL, 0) : strtoull(equals + 1, NULL, 0);
    size_t i = 0;
    while (i < num_facts && strcmp(facts[i].key, word) != 0) {
      i++;
    }
    ck_assert_msg(i < num_facts, "%s: nobody told %s", vec.id, word);
    ck_assert_msg(facts[i].value == want, "%s: %s is 0x%" PRIx64 ", not 0x%" PRIx64, vec.id, word,
                  facts[i].value, want);
  }
}

static void same_octets(const uint8_t *got, size_t len, const uint8_t *want, size_t want_len) {
  ck_assert_msg(len == want_len, "%s: encoded to %zu octets, not %zu", vec.id, len, want_len);
  ck_assert_msg(memcmp(got, want, len) == 0, "%s: encoded to other octets", vec.id);
}

/* ---- startup frames ---- */

static void tell_enhanced(iwarp_span in) {
  iwarp_mpa_enhanced v;
  iwarp_dec dec = iwarp_mpa_enhanced_decode(&v, in);
  ck_assert_msg(dec.err == IWARP_OK && dec.used == 4, "%s: enhanced data", vec.id);
  tell("enh.a", v.a);
  tell("enh.b", v.b);
  tell("enh.ird", v.ird);
  tell("enh.c", v.c);
  tell("enh.d", v.d);
  tell("enh.ord", v.ord);
  uint8_t *dst = guard_out(4);
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_enhanced_encode(dst, 4, &len, &v), IWARP_OK);
  same_octets(dst, len, in.ptr, 4);
}

static void check_startup(void) {
  iwarp_mpa_startup v;
  iwarp_span in = guard_in(vec.octets, vec.len);
  iwarp_dec dec = iwarp_mpa_startup_decode(&v, in);
  ck_assert_msg(dec.err == IWARP_OK && dec.used == vec.len, "%s: decode", vec.id);
  tell("key", (uint64_t)iwarp_mpa_key_classify(in));
  tell("m", (v.flags & IWARP_MPA_FLAG_M) != 0);
  tell("c", (v.flags & IWARP_MPA_FLAG_C) != 0);
  tell("r", (v.flags & IWARP_MPA_FLAG_R) != 0);
  tell("s", (v.flags & IWARP_MPA_FLAG_S) != 0);
  tell("res", v.flags & IWARP_MPA_FLAG_RES);
  tell("rev", v.rev);
  tell("pd_length", v.pd_length);
  tell("enhanced", iwarp_mpa_startup_is_enhanced(&v));
  if (iwarp_mpa_startup_is_enhanced(&v)) {
    tell_enhanced(v.private_data);
  }
  uint8_t *dst = guard_out(vec.len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_startup_encode(dst, vec.len, &len, &v), IWARP_OK);
  same_octets(dst, len, vec.octets, vec.len);
  for (size_t n = 0; n < vec.len; n++) {
    dec = iwarp_mpa_startup_decode(&v, guard_in(vec.octets, n));
    ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE && dec.need == (n < 20 ? 20 : vec.len),
                  "%s: %zu octets", vec.id, n);
  }
}

static void check_enhanced(void) {
  tell_enhanced(guard_in(vec.octets, vec.len));
}

/* ---- segments ---- */

static void tell_header(const iwarp_ddp_hdr *v) {
  tell("t", v->tagged);
  tell("l", v->last);
  tell("rsvd", v->rsvd);
  tell("dv", v->dv);
  tell("ulp", v->rsvdulp);
  if (v->tagged) {
    tell("stag", v->stag);
    tell("to", v->to);
    return;
  }
  tell("word", v->rsvdulp_word);
  tell("qn", v->qn);
  tell("msn", v->msn);
  tell("mo", v->mo);
}

static void tell_term(const iwarp_rdmap_term *v) {
  tell("term.layer", v->layer);
  tell("term.etype", v->etype);
  tell("term.code", v->code);
  tell("term.m", v->m);
  tell("term.d", v->d);
  tell("term.r", v->r);
  tell("term.reserved", v->reserved);
  tell("term.length", v->ddp_segment_length);
  tell("term.ddp_header", v->ddp_header.len);
  tell("term.rdma_header", v->rdma_header.len);
  tell("term.rest", v->rest.len);
  tell("term.tail", (uint64_t)v->tail_err);
}

static void tell_atomic(const iwarp_rdmap_atomic_req *v) {
  tell("atomic.aopcode", v->aopcode);
  tell("atomic.request_id", v->request_id);
  tell("atomic.stag", v->stag);
  tell("atomic.to", v->to);
  tell("atomic.data", v->add_swap_data);
  tell("atomic.mask", v->add_swap_mask);
  tell("atomic.compare", v->compare_data);
  tell("atomic.compare_mask", v->compare_mask);
}

static void tell_message(const iwarp_rdmap_seg *v) {
  uint64_t number = 0;
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    tell("read.sink_stag", v->u.read_req.sink_stag);
    tell("read.sink_to", v->u.read_req.sink_to);
    tell("read.size", v->u.read_req.size);
    tell("read.source_stag", v->u.read_req.source_stag);
    tell("read.source_to", v->u.read_req.source_to);
    return;
  case IWARP_RDMAP_KIND_TERM: tell_term(&v->u.term); return;
  case IWARP_RDMAP_KIND_IMMEDIATE:
    for (size_t i = 0; i < sizeof v->u.immediate; i++) {
      number = number << 8 | v->u.immediate[i];
    }
    tell("immediate", number);
    return;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: tell_atomic(&v->u.atomic_req); return;
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    tell("response.request_id", v->u.atomic_resp.request_id);
    tell("response.original", v->u.atomic_resp.original);
    return;
  case IWARP_RDMAP_KIND_NONE: return;
  }
}

/* Encodes the message header; *len 0 where the message has none that an encoder makes. */
static iwarp_err encode_message(uint8_t *dst, size_t cap, size_t *len, const iwarp_rdmap_seg *v) {
  *len = 0;
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ: return iwarp_rdmap_read_req_encode(dst, cap, len, &v->u.read_req);
  case IWARP_RDMAP_KIND_TERM: return iwarp_rdmap_term_encode(dst, cap, len, &v->u.term);
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    return iwarp_rdmap_atomic_req_encode(dst, cap, len, &v->u.atomic_req);
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    return iwarp_rdmap_atomic_resp_encode(dst, cap, len, &v->u.atomic_resp);
  case IWARP_RDMAP_KIND_IMMEDIATE:
  case IWARP_RDMAP_KIND_NONE: break;
  }
  return IWARP_OK;
}

static void tell_segment(const uint8_t *octets, size_t len) {
  iwarp_rdmap_seg v;
  iwarp_rdmap_seg_decode(&v, guard_in(octets, len), len);
  tell("err", (uint64_t)v.err);
  tell("kind", (uint64_t)v.kind);
  if (!v.has_ddp) {
    return;
  }
  tell_header(&v.ddp);
  tell("rv", v.ctrl.rv);
  tell("rsv", v.ctrl.rsv);
  tell("opcode", v.ctrl.opcode);
  tell("payload", v.payload_len);
  tell_message(&v);

  size_t hdr = iwarp_ddp_hdr_len(octets[0]);
  uint8_t *dst = guard_out(hdr);
  size_t n = 0;
  ck_assert_msg(iwarp_ddp_hdr_encode(dst, hdr, &n, &v.ddp) == IWARP_OK, "%s: DDP header", vec.id);
  same_octets(dst, n, octets, hdr);
  dst = guard_out(len - hdr);
  ck_assert_msg(encode_message(dst, len - hdr, &n, &v) == IWARP_OK, "%s: message", vec.id);
  same_octets(dst, n, octets + hdr, n);
}

static void check_segment(void) {
  tell_segment(vec.octets, vec.len);
}

static void check_header(void) {
  iwarp_ddp_hdr v;
  iwarp_dec dec = iwarp_ddp_hdr_decode(&v, guard_in(vec.octets, vec.len));
  ck_assert_msg(dec.err == IWARP_OK && dec.used == vec.len, "%s: decode", vec.id);
  tell_header(&v);
  uint8_t *dst = guard_out(vec.len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_ddp_hdr_encode(dst, vec.len, &len, &v), IWARP_OK);
  same_octets(dst, len, vec.octets, vec.len);
}

/* ---- FPDUs ---- */

/* Reads the Markers into `values` and says whether each is as it must be. */
static bool read_markers(iwarp_mpa_marker *values, const iwarp_mpa_fpdu *v) {
  iwarp_mpa_marker want;
  size_t at;
  bool ok = true;
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&values[i], &want, &at, v, i) == IWARP_OK; i++) {
    ok = ok && values[i].reserved == want.reserved && values[i].fpduptr == want.fpduptr;
  }
  return ok;
}

static void encode_fpdu(const iwarp_mpa_fpdu *v, const iwarp_mpa_fpdu_desc *desc) {
  uint8_t *dst = guard_out(v->layout.wire_len);
  size_t len = 0;
  iwarp_err err = iwarp_mpa_fpdu_encode(dst, v->layout.wire_len, &len, desc);
  ck_assert_msg(err == IWARP_OK, "%s: %s", vec.id, iwarp_errname(err));
  same_octets(dst, len, vec.octets, vec.len);
}

static void check_fpdu(void) {
  uint64_t off = strtoull(vec.form + strlen("fpdu "), NULL, 10);
  bool markers = strchr(vec.form, 'M') != NULL;
  iwarp_mpa_fpdu v;
  iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX] = {{0}};
  static uint8_t ulpdu[OCTETS_MAX];
  iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, guard_in(vec.octets, vec.len), off, markers);
  ck_assert_msg(dec.err == IWARP_OK && dec.used == vec.len, "%s: decode", vec.id);
  bool markers_ok = read_markers(values, &v);
  bool crc_good = v.crc == iwarp_mpa_fpdu_crc(&v);
  tell("ulpdu_length", v.ulpdu_length);
  tell("pad", v.layout.pad);
  tell("pad.0", v.pad[0]);
  tell("markers", v.layout.num_markers);
  tell("marker.0", values[0].fpduptr);
  tell("markers_ok", markers_ok);
  tell("crc", v.crc);
  tell("crc_good", crc_good);
  tell("wire", v.layout.wire_len);

  size_t len = iwarp_mpa_fpdu_ulpdu_copy(ulpdu, sizeof ulpdu, &v, 0);
  iwarp_mpa_fpdu_desc desc = {
      .ulpdu = {ulpdu, len}, .off = off, .markers = markers, .pad = {v.pad[0], v.pad[1], v.pad[2]}};
  if (crc_good && markers_ok) {
    encode_fpdu(&v, &desc);
  }
  desc.crc_given = true;
  desc.crc = v.crc;
  desc.marker_values = values;
  desc.num_marker_values = v.layout.num_markers;
  encode_fpdu(&v, &desc);

  size_t front = v.layout.lead + 2;
  for (size_t n = 0; n < vec.len; n++) {
    dec = iwarp_mpa_fpdu_decode(&v, guard_in(vec.octets, n), off, markers);
    ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE && dec.need == (n < front ? front : vec.len),
                  "%s: %zu octets", vec.id, n);
  }
  tell_segment(ulpdu, len);
}

/* ---- the file ---- */

static void check_vector(void) {
  static const struct {
    const char *form;
    void (*check)(void);
  } forms[] = {{"startup", check_startup},
               {"enhanced", check_enhanced},
               {"fpdu ", check_fpdu},
               {"segment", check_segment},
               {"header", check_header}};
  num_facts = 0;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if (strncmp(vec.form, forms[i].form, strlen(forms[i].form)) == 0) {
      forms[i].check();
      compare_facts();
      return;
    }
  }
  ck_abort_msg("%s: no form: %s", vec.id, vec.form);
}

/* Splits a line at its bars; false for a comment or an empty line. */
static bool split_line(void) {
  if (vec.line[0] == '#' || vec.line[0] == '\n') {
    return false;
  }
  char *parts[4] = {vec.line};
  for (size_t i = 1; i < 4; i++) {
    char *bar = strstr(parts[i - 1], " | ");
    ck_assert_msg(bar != NULL, "not four parts: %s", vec.line);
    *bar = '\0';
    parts[i] = bar + 3;
  }
  vec.id = parts[0];
  vec.form = parts[1];
  vec.hex = parts[2];
  vec.facts = parts[3];
  vec.len = hex_octets(vec.octets, sizeof vec.octets, vec.hex);
  return true;
}

START_TEST(vectors_mean_what_they_say)
{
  FILE *file = fopen(VECTORS, "r");
  ck_assert_msg(file != NULL, "%s: run from the root of the source tree", VECTORS);
  size_t num = 0;
  while (fgets(vec.line, sizeof vec.line, file) != NULL) {
    ck_assert_msg(strchr(vec.line, '\n') != NULL, "too long: %s", vec.line);
    if (split_line()) {
      check_vector();
      num++;
    }
  }
  fclose(file);
  ck_assert_uint_ge(num, 80);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {vectors_mean_what_they_say, NULL};
  return check_run(check_suite("wire", tests));
}
