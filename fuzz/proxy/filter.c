/* SPDX-License-Identifier: BSD-2-Clause */
/* The two streams of a connection on their way through the proxy: octets in, other octets out. */
#include "filter.h"

#include <iwarp/mpa.h>
#include <string.h>

#include "change.h"
#include "program.h"

#define FRAME_OUT_MAX (4u * IWARP_MPA_FPDU_WIRE_MAX) /* octets of the longest changed frame */
#define CHANGES 3u                                   /* bound of the changes of one frame */

static program current;

void filter_init(filter *f, const filter_cfg *cfg, uint64_t seed) {
  f->cfg = *cfg;
  f->random.state = seed;
  for (size_t i = 0; i < 2; i++) {
    filter_stream *s = &f->side[i];
    s->phase = cfg->every == 0 ? FILTER_RAW : FILTER_STARTUP;
    s->markers = s->in_over = s->has_terminate = false;
    s->in_off = s->out_off = s->octets = s->fpdus = s->changed = 0;
    s->num_in = s->num_out = 0;
  }
}

/* ---- out ---- */

static void put(filter_stream *s, const uint8_t *octets, size_t n) {
  n = n < sizeof s->out - s->num_out ? n : sizeof s->out - s->num_out;
  memcpy(&s->out[s->num_out], octets, n);
  s->num_out += n;
  s->out_off += s->phase == FILTER_FULL ? n : 0;
}

static void drop_in(filter_stream *s, size_t n) {
  s->num_in -= n;
  memmove(s->in, &s->in[n], s->num_in);
}

/* All that waits goes out as it is. */
static void put_rest(filter_stream *s) {
  put(s, s->in, s->num_in);
  s->num_in = 0;
}

/* ---- changes ---- */

static bool one_of(filter *f, uint64_t num) {
  return num > 0 && prng_below(&f->random, num) == 0;
}

/* Changes the items of `current` and writes them; returns how many octets they are. */
static size_t change(filter *f, uint8_t *out, size_t cap, fuzz_form form) {
  for (uint64_t k = 1 + prng_below(&f->random, CHANGES); k > 0; k--) {
    change_program(&current, form, NULL, &f->random);
  }
  size_t n = program_write(&current, form, out, cap, false);
  if (n > 0 && one_of(f, f->cfg.broken)) {
    out[prng_size(&f->random, n)] ^= (uint8_t)(1u << prng_below(&f->random, 8));
  }
  return n;
}

/* An FPDU with right framing at another stream offset than it had. */
static size_t move(const iwarp_mpa_fpdu *v, uint8_t *out, size_t cap, uint64_t off) {
  static uint8_t ulpdu[65536];
  size_t len = 0;
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, iwarp_mpa_fpdu_ulpdu_copy(ulpdu, sizeof ulpdu, v, 0)},
      .off = off,
      .markers = v->markers,
      .crc_given = v->crc == 0, /* CRCs are not in use */
      .crc = 0};
  (void)iwarp_mpa_fpdu_encode(out, cap, &len, &d);
  return len;
}

/* ---- frames ---- */

static void see_terminate(filter_stream *s, const iwarp_mpa_fpdu *v) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN + 4u];
  iwarp_rdmap_seg seg;
  const size_t n = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof octets, v, 0);
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){octets, n}, v->ulpdu_length);
  if (seg.kind == IWARP_RDMAP_KIND_TERM) {
    s->has_terminate = true;
    s->terminate = seg.u.term;
  }
}

static void pass_fpdu(filter *f, size_t side, const iwarp_mpa_fpdu *v) {
  static uint8_t out[FRAME_OUT_MAX];
  filter_stream *s = &f->side[side];
  const iwarp_span wire = v->wire;
  s->fpdus++;
  see_terminate(s, v);
  if (f->cfg.sides[side] && one_of(f, f->cfg.every)) {
    program_parse(&current, FUZZ_FORM_FPDU, wire,
                  (fuzz_fpdu_place){.off = s->in_off, .markers = s->markers});
    current.off[0] = s->out_off & ~UINT64_C(3);
    put(s, out, change(f, out, sizeof out, FUZZ_FORM_FPDU));
    s->changed++;
  } else if (s->in_off == s->out_off) {
    put(s, wire.ptr, wire.len);
  } else {
    put(s, out, move(v, out, sizeof out, s->out_off));
  }
}

/* Takes an FPDU; false while it is not whole. */
static bool take_fpdu(filter *f, size_t side) {
  filter_stream *s = &f->side[side];
  iwarp_mpa_fpdu v;
  const iwarp_dec d =
      iwarp_mpa_fpdu_decode(&v, (iwarp_span){s->in, s->num_in}, s->in_off, s->markers);
  if (d.err != IWARP_OK) {
    return false;
  }
  pass_fpdu(f, side, &v);
  s->in_off += d.used;
  drop_in(s, d.used);
  return true;
}

static void pass_startup(filter *f, size_t side, const iwarp_mpa_startup *v, size_t n) {
  static uint8_t out[FRAME_OUT_MAX];
  filter_stream *s = &f->side[side];
  f->side[1 - side].markers = (v->flags & IWARP_MPA_FLAG_M) != 0;
  if (f->cfg.startup && f->cfg.sides[side] && one_of(f, f->cfg.every)) {
    program_parse(&current, FUZZ_FORM_STARTUP, (iwarp_span){s->in, n}, (fuzz_fpdu_place){.off = 0});
    put(s, out, change(f, out, sizeof out, FUZZ_FORM_STARTUP));
    s->changed++;
  } else {
    put(s, s->in, n);
  }
  const bool rejects = (v->flags & IWARP_MPA_FLAG_R) != 0 && side == 1;
  s->phase = rejects ? FILTER_RAW : FILTER_FULL;
}

/* Takes a startup frame; false while it is not whole. What begins otherwise is no iWARP. */
static bool take_startup(filter *f, size_t side) {
  filter_stream *s = &f->side[side];
  const iwarp_span in = {s->in, s->num_in};
  iwarp_mpa_startup v;
  if (s->num_in < IWARP_MPA_KEY_LEN) {
    return false;
  }
  if (iwarp_mpa_key_classify(in) == IWARP_MPA_KEY_UNKNOWN) {
    s->phase = FILTER_RAW;
    return true;
  }
  const iwarp_dec d = iwarp_mpa_startup_decode(&v, in);
  if (d.err != IWARP_OK) {
    return false;
  }
  pass_startup(f, side, &v, d.used);
  drop_in(s, d.used);
  return true;
}

static void run(filter *f, size_t side) {
  filter_stream *s = &f->side[side];
  bool more = true;
  while (more && s->num_in > 0 && sizeof s->out - s->num_out >= FRAME_OUT_MAX) {
    switch (s->phase) {
    case FILTER_STARTUP: more = take_startup(f, side); break;
    case FILTER_FULL: more = take_fpdu(f, side); break;
    case FILTER_RAW: put_rest(s); break;
    }
  }
  if (s->in_over && !more) { /* the frame or FPDU never becomes complete */
    put_rest(s);
  }
}

/* ---- in ---- */

size_t filter_room(const filter *f, size_t side) {
  const filter_stream *s = &f->side[side];
  return sizeof s->out - s->num_out < FRAME_OUT_MAX ? 0 : sizeof s->in - s->num_in;
}

void filter_push(filter *f, size_t side, const uint8_t *octets, size_t n) {
  filter_stream *s = &f->side[side];
  memcpy(&s->in[s->num_in], octets, n);
  s->num_in += n;
  s->octets += n;
  run(f, side);
}

void filter_eof(filter *f, size_t side) {
  f->side[side].in_over = true;
  run(f, side);
}

void filter_sent(filter *f, size_t side, size_t n) {
  filter_stream *s = &f->side[side];
  s->num_out -= n;
  memmove(s->out, &s->out[n], s->num_out);
  run(f, side);
}
