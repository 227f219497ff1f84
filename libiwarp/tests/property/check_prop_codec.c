/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What must hold for every codec. Octets that decode encode to the same octets; a value that can be
 * encoded decodes to the same value. Every prefix says what it needs, and the field table agrees.
 */
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "field_bind.h"
#include "guard.h"
#include "prng.h"
#include "property.h"

#define ROUNDS 3000u
#define OCTETS 2400u /* of noise, more than any frame made here */
#define DATA_MAX 700u

static prng p;
static uint8_t noise[OCTETS];

/* ---- the codecs ---- */

/* Octets beside a value: Private Data, a segment, payload. */
typedef struct owned {
  uint8_t octets[DATA_MAX];
  size_t len;
} owned;

/* A value of any codec, and how an FPDU lies in its stream. */
typedef struct any {
  union {
    iwarp_mpa_startup startup;
    iwarp_mpa_enhanced enhanced;
    iwarp_mpa_marker marker;
    iwarp_mpa_fpdu fpdu;
    iwarp_ddp_hdr ddp;
    iwarp_rdmap_ctrl ctrl;
    iwarp_rdmap_read_req read_req;
    iwarp_rdmap_term term;
    iwarp_rdmap_atomic_req atomic_req;
    iwarp_rdmap_atomic_resp atomic_resp;
    iwarp_rdmap_seg seg;
    iwarp_sctp_segment sctp_segment;
    iwarp_sctp_control sctp_control;
    iwarp_sctp_adaptation adaptation;
    iwarp_erdma_ext erdma;
    iwarp_smbd_depths smbd;
    iwarp_rpc_rdma rpc_rdma;
  } u;
  owned data;
  iwarp_mpa_marker markers[IWARP_MPA_MARKERS_MAX];
} any;

typedef struct codec {
  const char *name;
  iwarp_dec (*decode)(any *out, iwarp_span in);
  iwarp_err (*encode)(uint8_t *dst, size_t cap, size_t *len, const any *v);
  /* A form of the field table that is all of it, or its fixed part, or 0. */
  int form;
  /* Makes what stands after the fixed part of a value; NULL when nothing does. */
  void (*make_rest)(any *v);
  /* Returns true if the octets after the fixed part are the same; NULL likewise. */
  bool (*same_rest)(const any *a, const any *b);
  bool takes_all; /* whatever follows belongs to it: a prefix of its rest is a value too */
} codec;

#define FIXED(name, member)                                                                        \
  static iwarp_dec member##_to(any *out, iwarp_span in) {                                          \
    return name##_decode(&out->u.member, in);                                                      \
  }                                                                                                \
  static iwarp_err member##_from(uint8_t *dst, size_t cap, size_t *len, const any *v) {            \
    return name##_encode(dst, cap, len, &v->u.member);                                             \
  }
FIXED(iwarp_mpa_startup, startup)
FIXED(iwarp_mpa_enhanced, enhanced)
FIXED(iwarp_mpa_marker, marker)
FIXED(iwarp_ddp_hdr, ddp)
FIXED(iwarp_rdmap_read_req, read_req)
FIXED(iwarp_rdmap_term, term)
FIXED(iwarp_rdmap_atomic_req, atomic_req)
FIXED(iwarp_rdmap_atomic_resp, atomic_resp)
FIXED(iwarp_sctp_segment, sctp_segment)
FIXED(iwarp_sctp_control, sctp_control)
FIXED(iwarp_sctp_adaptation, adaptation)
FIXED(iwarp_erdma_ext, erdma)
FIXED(iwarp_rpc_rdma, rpc_rdma)

static iwarp_dec smbd_to(any *out, iwarp_span in) {
  return iwarp_smbd_depths_decode(&out->u.smbd, in, IWARP_BYTE_ORDER_BIG);
}
static iwarp_err smbd_from(uint8_t *dst, size_t cap, size_t *len, const any *v) {
  return iwarp_smbd_depths_encode(dst, cap, len, &v->u.smbd, IWARP_BYTE_ORDER_BIG);
}
static iwarp_dec smbd_le_to(any *out, iwarp_span in) {
  return iwarp_smbd_depths_decode(&out->u.smbd, in, IWARP_BYTE_ORDER_LITTLE);
}
static iwarp_err smbd_le_from(uint8_t *dst, size_t cap, size_t *len, const any *v) {
  return iwarp_smbd_depths_encode(dst, cap, len, &v->u.smbd, IWARP_BYTE_ORDER_LITTLE);
}

/* The RDMAP Control Field is an octet and has no length to check. */
static iwarp_dec ctrl_to(any *out, iwarp_span in) {
  if (in.len == 0) {
    return (iwarp_dec){.err = IWARP_ERR_NEED_MORE, .need = 1};
  }
  out->u.ctrl = iwarp_rdmap_ctrl_decode(in.ptr[0]);
  return (iwarp_dec){.err = IWARP_OK, .used = 1};
}
static iwarp_err ctrl_from(uint8_t *dst, size_t cap, size_t *len, const any *v) {
  *len = 1;
  if (cap > 0) {
    dst[0] = iwarp_rdmap_ctrl_encode(v->u.ctrl);
  }
  return dst != NULL && cap == 0 ? IWARP_ERR_NOBUF : IWARP_OK;
}

/* ---- what stands after a fixed part ---- */

static bool same_span(iwarp_span a, iwarp_span b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static iwarp_span some_octets(any *v, size_t max) {
  v->data.len = prng_size(&p, max + 1);
  prng_fill(&p, v->data.octets, v->data.len);
  return (iwarp_span){v->data.octets, v->data.len};
}

static void startup_rest(any *v) {
  iwarp_mpa_startup *s = &v->u.startup;
  prng_fill(&p, s->key, sizeof s->key);
  s->rev = prng_below(&p, 3) == 0 ? IWARP_MPA_REV_ERDMA : s->rev;
  s->private_data = some_octets(v, DATA_MAX);
  const size_t ext = s->rev == IWARP_MPA_REV_ERDMA ? IWARP_ERDMA_EXT_LEN : 0;
  s->private_data.len = s->private_data.len < ext ? ext : s->private_data.len;
  s->pd_length = (uint16_t)(s->private_data.len - ext);
}
static bool startup_same(const any *a, const any *b) {
  return memcmp(a->u.startup.key, b->u.startup.key, IWARP_MPA_KEY_LEN) == 0 &&
         same_span(a->u.startup.private_data, b->u.startup.private_data);
}

static void sctp_segment_rest(any *v) {
  v->u.sctp_segment.segment = some_octets(v, DATA_MAX);
}
static bool sctp_segment_same(const any *a, const any *b) {
  return same_span(a->u.sctp_segment.segment, b->u.sctp_segment.segment);
}

static void sctp_control_rest(any *v) {
  v->u.sctp_control.private_data = some_octets(v, DATA_MAX);
}
static bool sctp_control_same(const any *a, const any *b) {
  return same_span(a->u.sctp_control.private_data, b->u.sctp_control.private_data);
}

/* A Terminate with what its HdrCt announces, and perhaps more. RFC 5040 4.8 */
static void term_rest(any *v) {
  iwarp_rdmap_term *t = &v->u.term;
  t->r = t->r && t->d; /* else nothing of the tail can be known */
  t->has_ddp_segment_length = t->m || t->d;
  t->ddp_segment_length = t->has_ddp_segment_length ? (uint16_t)prng_next(&p) : 0;
  iwarp_span all = some_octets(v, DATA_MAX - 60);
  size_t at = 0;
  if (t->d) {
    v->data.octets[0] = (uint8_t)prng_next(&p);
    at = iwarp_ddp_hdr_len(v->data.octets[0]);
    t->ddp_header = (iwarp_span){v->data.octets, at};
  }
  if (t->r) {
    t->rdma_header = (iwarp_span){v->data.octets + at, IWARP_RDMAP_READ_REQ_LEN};
    at += IWARP_RDMAP_READ_REQ_LEN;
  }
  if (all.len > at) {
    t->rest = (iwarp_span){v->data.octets + at, all.len - at};
  }
}
static bool term_same(const any *a, const any *b) {
  const iwarp_rdmap_term *x = &a->u.term;
  const iwarp_rdmap_term *y = &b->u.term;
  return x->has_ddp_segment_length == y->has_ddp_segment_length &&
         x->ddp_segment_length == y->ddp_segment_length &&
         same_span(x->ddp_header, y->ddp_header) && same_span(x->rdma_header, y->rdma_header) &&
         same_span(x->rest, y->rest) && x->tail_err == y->tail_err;
}

/* ---- FPDUs ---- */

static uint64_t fpdu_off;
static bool fpdu_markers;

/* The ULPDU, the PAD and the Markers are copied beside the value. */
static iwarp_dec fpdu_to(any *out, iwarp_span in) {
  iwarp_dec dec = iwarp_mpa_fpdu_decode(&out->u.fpdu, in, fpdu_off, fpdu_markers);
  if (dec.err != IWARP_OK) {
    return dec;
  }
  const iwarp_mpa_fpdu *v = &out->u.fpdu;
  out->data.len = iwarp_mpa_fpdu_ulpdu_copy(out->data.octets, sizeof out->data.octets, v, 0);
  for (size_t i = 0; i < v->layout.num_markers; i++) {
    iwarp_mpa_marker expected;
    size_t at;
    expect(iwarp_mpa_fpdu_marker(&out->markers[i], &expected, &at, v, i) == IWARP_OK, "Marker");
  }
  return dec;
}
static iwarp_err fpdu_from(uint8_t *dst, size_t cap, size_t *len, const any *v) {
  const iwarp_mpa_layout layout =
      iwarp_mpa_layout_of(fpdu_off, (uint16_t)v->data.len, fpdu_markers);
  const iwarp_mpa_fpdu *f = &v->u.fpdu;
  const iwarp_mpa_fpdu_desc desc = {.ulpdu = {v->data.octets, v->data.len},
                                    .off = fpdu_off,
                                    .markers = fpdu_markers,
                                    .crc_given = true,
                                    .crc = f->crc,
                                    .pad = {f->pad[0], f->pad[1], f->pad[2]},
                                    .marker_values = v->markers,
                                    .num_marker_values = layout.num_markers};
  return iwarp_mpa_fpdu_encode(dst, cap, len, &desc);
}
static void fpdu_rest(any *v) {
  fpdu_off = prng_below(&p, 1000) * 4;
  fpdu_markers = prng_below(&p, 4) != 0;
  some_octets(v, DATA_MAX);
  v->u.fpdu.ulpdu_length = (uint16_t)v->data.len;
  v->u.fpdu.crc = (uint32_t)prng_next(&p);
  memset(v->u.fpdu.pad, 0, sizeof v->u.fpdu.pad);
  prng_fill(&p, v->u.fpdu.pad, iwarp_mpa_pad_len((uint16_t)v->data.len));
  for (size_t i = 0; i < IWARP_MPA_MARKERS_MAX; i++) {
    v->markers[i] = (iwarp_mpa_marker){(uint16_t)prng_next(&p), (uint16_t)prng_next(&p)};
  }
}
static bool fpdu_same(const any *a, const any *b) {
  const iwarp_mpa_fpdu *x = &a->u.fpdu;
  const iwarp_mpa_fpdu *y = &b->u.fpdu;
  const size_t num = iwarp_mpa_layout_of(fpdu_off, (uint16_t)a->data.len, fpdu_markers).num_markers;
  for (size_t i = 0; i < num; i++) {
    if (a->markers[i].reserved != b->markers[i].reserved ||
        a->markers[i].fpduptr != b->markers[i].fpduptr) {
      return false;
    }
  }
  return x->ulpdu_length == y->ulpdu_length && x->crc == y->crc &&
         memcmp(x->pad, y->pad, sizeof x->pad) == 0 &&
         same_span((iwarp_span){a->data.octets, a->data.len},
                   (iwarp_span){b->data.octets, b->data.len});
}

/* ---- DDP Segments with the message that they hold ---- */

static iwarp_span after(iwarp_span in, size_t n) {
  return n < in.len ? (iwarp_span){in.ptr + n, in.len - n} : (iwarp_span){NULL, 0};
}

/* Octets of the message header. */
static size_t message_len(const iwarp_rdmap_seg *v) {
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ: return IWARP_RDMAP_READ_REQ_LEN;
  case IWARP_RDMAP_KIND_TERM: return v->payload_len;
  case IWARP_RDMAP_KIND_IMMEDIATE: return IWARP_RDMAP_IMMEDIATE_LEN;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: return IWARP_RDMAP_ATOMIC_REQ_LEN;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: return IWARP_RDMAP_ATOMIC_RESP_LEN;
  case IWARP_RDMAP_KIND_NONE: return 0;
  }
  return 0;
}

/* What stands after the headers is copied beside the value. */
static iwarp_dec seg_to(any *out, iwarp_span in) {
  iwarp_rdmap_seg *v = &out->u.seg;
  iwarp_rdmap_seg_decode(v, in, in.len);
  if (!v->has_ddp) {
    return (iwarp_dec){.err = v->err};
  }
  const size_t hdr = v->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const iwarp_span rest = after(in, hdr + message_len(v));
  out->data.len = rest.len;
  if (rest.len > 0) {
    memcpy(out->data.octets, rest.ptr, rest.len);
  }
  return (iwarp_dec){.err = IWARP_OK, .used = in.len};
}

static iwarp_err message_from(uint8_t *dst, size_t cap, size_t *len, const iwarp_rdmap_seg *v) {
  *len = 0;
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ: return iwarp_rdmap_read_req_encode(dst, cap, len, &v->u.read_req);
  case IWARP_RDMAP_KIND_TERM: return iwarp_rdmap_term_encode(dst, cap, len, &v->u.term);
  case IWARP_RDMAP_KIND_IMMEDIATE:
    *len = IWARP_RDMAP_IMMEDIATE_LEN;
    memcpy(dst, v->u.immediate, *len);
    return IWARP_OK;
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    return iwarp_rdmap_atomic_req_encode(dst, cap, len, &v->u.atomic_req);
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    return iwarp_rdmap_atomic_resp_encode(dst, cap, len, &v->u.atomic_resp);
  case IWARP_RDMAP_KIND_NONE: return IWARP_OK;
  }
  return IWARP_ERR_ARG;
}

static size_t seg_from(uint8_t *dst, size_t cap, const any *v) {
  size_t hdr = 0;
  size_t message = 0;
  expect(iwarp_ddp_hdr_encode(dst, cap, &hdr, &v->u.seg.ddp) == IWARP_OK, "DDP header");
  expect(message_from(dst + hdr, cap - hdr, &message, &v->u.seg) == IWARP_OK, "message");
  if (v->u.seg.kind != IWARP_RDMAP_KIND_TERM && v->data.len > 0) {
    memcpy(dst + hdr + message, v->data.octets, v->data.len);
    message += v->data.len;
  }
  return hdr + message;
}

/* ---- the table ---- */

static const codec codecs[] = {
    {"startup", startup_to, startup_from, IWARP_FORM_MPA_STARTUP, startup_rest, startup_same,
     false},
    {"enhanced", enhanced_to, enhanced_from, IWARP_FORM_MPA_ENHANCED, NULL, NULL, false},
    {"marker", marker_to, marker_from, IWARP_FORM_MPA_MARKER, NULL, NULL, false},
    {"fpdu", fpdu_to, fpdu_from, 0, fpdu_rest, fpdu_same, false},
    {"ddp tagged", ddp_to, ddp_from, IWARP_FORM_DDP_TAGGED, NULL, NULL, false},
    {"ddp untagged", ddp_to, ddp_from, IWARP_FORM_DDP_UNTAGGED, NULL, NULL, false},
    {"ctrl", ctrl_to, ctrl_from, IWARP_FORM_RDMAP_CTRL, NULL, NULL, false},
    {"read request", read_req_to, read_req_from, IWARP_FORM_RDMAP_READ_REQ, NULL, NULL, false},
    {"terminate", term_to, term_from, IWARP_FORM_RDMAP_TERM, term_rest, term_same, true},
    {"atomic request", atomic_req_to, atomic_req_from, IWARP_FORM_RDMAP_ATOMIC_REQ, NULL, NULL,
     false},
    {"atomic response", atomic_resp_to, atomic_resp_from, IWARP_FORM_RDMAP_ATOMIC_RESP, NULL, NULL,
     false},
    {"sctp segment", sctp_segment_to, sctp_segment_from, IWARP_FORM_SCTP_SEGMENT, sctp_segment_rest,
     sctp_segment_same, true},
    {"sctp control", sctp_control_to, sctp_control_from, IWARP_FORM_SCTP_CONTROL, sctp_control_rest,
     sctp_control_same, true},
    {"sctp adaptation", adaptation_to, adaptation_from, IWARP_FORM_SCTP_ADAPTATION, NULL, NULL,
     false},
    {"erdma", erdma_to, erdma_from, IWARP_FORM_ERDMA_EXT, NULL, NULL, false},
    {"smbd", smbd_to, smbd_from, IWARP_FORM_SMBD_DEPTHS, NULL, NULL, false},
    {"smbd-le", smbd_le_to, smbd_le_from, IWARP_FORM_SMBD_DEPTHS_LE, NULL, NULL, false},
    {"rpc-rdma", rpc_rdma_to, rpc_rdma_from, IWARP_FORM_RPC_RDMA, NULL, NULL, false},
};
#define NUM_CODECS (sizeof codecs / sizeof codecs[0])

/* ---- values ---- */

/* Few bits set, few bits clear, or any. */
static uint64_t some_value(unsigned bits) {
  const uint64_t top = UINT64_MAX >> (64u - bits);
  switch (prng_below(&p, 4)) {
  case 0: return UINT64_C(1) << prng_below(&p, bits);
  case 1: return top;
  case 2: return 0;
  default: return prng_next(&p) & top;
  }
}

/* Returns true if the table gives a number for the field. The T bit of a DDP header follows from
 * the form. */
static bool numeric(const iwarp_field *f) {
  return f->kind != IWARP_FIELD_KIND_OCTETS;
}

static bool is_t_bit(const iwarp_field *f) {
  return f->id == IWARP_FIELD_DDP_TAGGED_T || f->id == IWARP_FIELD_DDP_UNTAGGED_T;
}

static void make_value(const codec *c, any *v) {
  memset(v, 0, sizeof *v);
  const iwarp_form_info *info = c->form != 0 ? iwarp_form_get((iwarp_form)c->form) : NULL;
  for (size_t i = 0; info != NULL && i < info->num_fields; i++) {
    const iwarp_field *f = &info->fields[i];
    if (numeric(f)) {
      const uint64_t value =
          is_t_bit(f) ? f->id == IWARP_FIELD_DDP_TAGGED_T : some_value(f->num_bits);
      field_bind_set(field_bind_of(f->id), &v->u, value);
    }
  }
  if (c->make_rest != NULL) {
    c->make_rest(v);
  }
}

/* The fields in the octets, by the table alone, equal the fields of the value. */
static void expect_by_table(const codec *c, const any *v, iwarp_span in) {
  const iwarp_form_info *info = c->form != 0 ? iwarp_form_get((iwarp_form)c->form) : NULL;
  for (size_t i = 0; info != NULL && i < info->num_fields; i++) {
    const iwarp_field *f = &info->fields[i];
    uint64_t by_table = 0;
    if (!numeric(f)) {
      continue;
    }
    expect(iwarp_field_uint(&by_table, f, in) == IWARP_OK, "%s: %s", c->name, f->key);
    expect(by_table == field_bind_get(field_bind_of(f->id), &v->u), "%s: %s is %llx by the table",
           c->name, f->key, (unsigned long long)by_table);
  }
}

/* P4, and what the table says of what was encoded. */
START_TEST(what_is_encoded_decodes_to_the_same)
{
  static any v;
  static any back;
  static uint8_t made[OCTETS];
  const codec *c = &codecs[_i];
  property rounds = property_begin("what_is_encoded_decodes_to_the_same",
                                   31 + UINT64_C(1000000) * (unsigned)_i, ROUNDS);
  while (property_next(&rounds)) {
    p.state = rounds.seed;
    size_t len = 0;
    make_value(c, &v);
    iwarp_err err = c->encode(made, sizeof made, &len, &v);
    expect(err == IWARP_OK, "%s %llu: %s", c->name, (unsigned long long)rounds.seed,
           iwarp_errname(err));
    expect_by_table(c, &v, guard_in(made, len));
    memset(&back, 0, sizeof back);
    iwarp_dec dec = c->decode(&back, guard_in(made, len));
    expect(dec.err == IWARP_OK && dec.used == len, "%s %llu: %zu of %zu octets", c->name,
           (unsigned long long)rounds.seed, dec.used, len);
    expect_by_table(c, &back, guard_in(made, len));
    expect(c->same_rest == NULL || c->same_rest(&v, &back), "%s %llu: another rest", c->name,
           (unsigned long long)rounds.seed);
  }
}
END_TEST

/* Octets that begin a value of the codec, where only some do. */
static void tame(const codec *c) {
  prng_fill(&p, noise, sizeof noise);
  if (c->form == IWARP_FORM_MPA_STARTUP) {
    noise[17] = prng_below(&p, 3) == 0 ? IWARP_MPA_REV_ERDMA : noise[17];
    noise[18] &= 1;
  } else if (c->form == IWARP_FORM_DDP_TAGGED || c->form == IWARP_FORM_DDP_UNTAGGED) {
    noise[0] = (uint8_t)((noise[0] & 0x7Fu) | (c->form == IWARP_FORM_DDP_TAGGED ? 0x80u : 0));
  } else if (c->form == 0) { /* an FPDU of at most 511 octets of ULPDU */
    fpdu_off = prng_below(&p, 1000) * 4;
    fpdu_markers = prng_below(&p, 4) != 0;
    noise[fpdu_markers && fpdu_off % 512 == 0 ? 4 : 0] &= 1;
  }
}

/* P3 and P8. */
START_TEST(what_decodes_encodes_to_the_same)
{
  static any v;
  const codec *c = &codecs[_i];
  property rounds = property_begin("what_decodes_encodes_to_the_same",
                                   31 + UINT64_C(1000000) * (unsigned)_i, ROUNDS);
  while (property_next(&rounds)) {
    p.state = rounds.seed;
    tame(c);
    const size_t n = c->takes_all ? 4 + prng_size(&p, 90) : sizeof noise;
    memset(&v, 0, sizeof v);
    iwarp_dec dec = c->decode(&v, guard_in(noise, n));
    expect(dec.err == IWARP_OK, "%s %llu: %s", c->name, (unsigned long long)rounds.seed,
           iwarp_errname(dec.err));
    expect_by_table(c, &v, guard_in(noise, n));
    c->decode(&v, guard_in(noise, n));
    uint8_t *dst = guard_out(dec.used);
    size_t len = 0;
    iwarp_err err = c->encode(dst, dec.used, &len, &v);
    expect(err == IWARP_OK && len == dec.used, "%s %llu: %s, %zu octets", c->name,
           (unsigned long long)rounds.seed, iwarp_errname(err), len);
    expect(memcmp(dst, noise, len) == 0, "%s %llu: other octets", c->name,
           (unsigned long long)rounds.seed);
  }
}
END_TEST

/*
 * P1: a prefix asks for more, never for more than there is, and whoever brings what is asked for
 * gets on. What takes all there is asks for no more than its fixed part.
 */
static void expect_prefixes(const codec *c, const uint8_t *made, size_t len) {
  static any v;
  const size_t whole = c->takes_all ? iwarp_form_get((iwarp_form)c->form)->len : len;
  size_t asked = 0;
  for (size_t n = 0; n < whole; n++) {
    memset(&v, 0x5A, sizeof v);
    iwarp_dec dec = c->decode(&v, guard_in(made, n));
    expect(dec.err == IWARP_ERR_NEED_MORE, "%s: %zu of %zu octets: %s", c->name, n, len,
           iwarp_errname(dec.err));
    expect(dec.need > n && dec.need <= whole, "%s: %zu of %zu octets: %zu", c->name, n, len,
           dec.need);
    expect(dec.need >= asked, "%s: %zu of %zu octets: %zu, not %zu", c->name, n, len, dec.need,
           asked);
    asked = dec.need;
    for (size_t i = 0; i < sizeof v.u; i++) {
      expect(((const uint8_t *)&v.u)[i] == 0x5A, "%s: output touched", c->name);
    }
  }
  expect(asked == whole, "%s: %zu, not %zu octets suffice", c->name, asked, whole);
  expect(c->decode(&v, guard_in(made, whole)).err == IWARP_OK, "%s: %zu octets", c->name, whole);
}

/* With less room than it takes nothing is written, and the size is reported. */
static void expect_short_output(const codec *c, const any *v, size_t whole) {
  for (size_t cap = 0; cap < whole; cap++) {
    size_t len = 0;
    uint8_t *dst = guard_out(whole); /* room that it must not use */
    expect(c->encode(dst, cap, &len, v) == IWARP_ERR_NOBUF && len == whole, "%s: room for %zu",
           c->name, cap);
    for (size_t i = 0; i < whole; i++) {
      expect(dst[i] == 0xA5, "%s: written beyond %zu octets", c->name, cap);
    }
  }
  size_t len = 0;
  expect(c->encode(NULL, 0, &len, v) == IWARP_OK && len == whole, "%s: size", c->name);
}

START_TEST(every_prefix_and_every_capacity)
{
  static any v;
  static uint8_t made[OCTETS];
  const codec *c = &codecs[_i];
  property rounds =
      property_begin("every_prefix_and_every_capacity", 31 + UINT64_C(1000000) * (unsigned)_i, 20);
  while (property_next(&rounds)) {
    p.state = rounds.seed;
    size_t len = 0;
    make_value(c, &v);
    expect(c->encode(made, sizeof made, &len, &v) == IWARP_OK, "%s", c->name);
    expect_prefixes(c, made, len);
    expect_short_output(c, &v, len);
  }
}
END_TEST

/* ---- segments ---- */

/* P3 for every opcode, T bit and length: the headers and what stands after them. */
START_TEST(segments_encode_to_the_same)
{
  static any v;
  static uint8_t made[OCTETS];
  size_t kinds[6] = {0};
  property rounds =
      property_begin("segments_encode_to_the_same", 31 + UINT64_C(1000000) * (unsigned)_i, 60000);
  while (property_next(&rounds)) {
    p.state = rounds.seed;
    prng_fill(&p, noise, 120);
    noise[1] = (uint8_t)((noise[1] & 0xF0u) | (unsigned)_i);
    if (rounds.seed % 4 != 0) { /* a first segment */
      noise[0] &= 0x7F;
      memset(noise + 14, 0, 4);
    }
    const size_t n = prng_size(&p, 110);
    memset(&v, 0, sizeof v);
    iwarp_dec dec = seg_to(&v, guard_in(noise, n));
    const size_t least = n > 0 && (noise[0] & 0x80u) != 0 ? 14 : 18;
    expect((dec.err == IWARP_OK) == (n >= least), "%zu octets: %s", n, iwarp_errname(dec.err));
    if (dec.err != IWARP_OK) {
      expect(dec.err == IWARP_ERR_DDP_SHORT || n >= 14, "%zu octets: %s", n,
             iwarp_errname(dec.err));
      continue;
    }
    kinds[v.u.seg.kind]++;
    const size_t len = seg_from(made, sizeof made, &v);
    expect(len == n && memcmp(made, noise, n) == 0, "%zu octets, kind %d: other octets", n,
           (int)v.u.seg.kind);
  }
  if (property_few()) {
    return;
  }
  ck_assert_uint_gt(kinds[IWARP_RDMAP_KIND_NONE], 100);
  const bool has_header = _i == IWARP_RDMAP_OP_READ_REQ ||
                          (_i >= IWARP_RDMAP_OP_TERMINATE && _i <= IWARP_RDMAP_OP_ATOMIC_RESP);
  for (size_t kind = 1; kind < 6; kind++) {
    ck_assert(has_header || kinds[kind] == 0);
  }
  ck_assert_uint_eq(has_header, kinds[1] + kinds[2] + kinds[3] + kinds[4] + kinds[5] > 1000);
}
END_TEST

int main(void) {
  const property_test tests[] = {{what_is_encoded_decodes_to_the_same, (int)NUM_CODECS},
                                 {what_decodes_encodes_to_the_same, (int)NUM_CODECS},
                                 {every_prefix_and_every_capacity, (int)NUM_CODECS},
                                 {segments_encode_to_the_same, 16},
                                 {NULL, 0}};
  return property_main("codec", tests);
}
