/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs of the mutator, as a peer that is right would make them, and whether they still are. */
#include "mutator_stream.h"

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <string.h>

#include "script.h"

/* ---- making ---- */

static void put(stream_input *s, const uint8_t *octets, size_t n) {
  memcpy(&s->octets[s->len], octets, n);
  s->len += n;
}

static void record(stream_input *s, uint8_t kind, size_t n) {
  const uint8_t head[SCRIPT_HEAD] = {kind, (uint8_t)(n >> 8), (uint8_t)n};
  put(s, head, sizeof head);
}

static void startup(stream_input *s, uint8_t side, bool markers) {
  static const uint8_t data[5] = "data";
  iwarp_mpa_startup v = {.flags = (uint8_t)(IWARP_MPA_FLAG_C | (markers ? IWARP_MPA_FLAG_M : 0)),
                         .rev = 1,
                         .pd_length = sizeof data,
                         .private_data = {data, sizeof data}};
  uint8_t octets[64];
  size_t n = 0;
  memcpy(v.key, iwarp_mpa_key_octets(side == 0 ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY),
         IWARP_MPA_KEY_LEN);
  (void)iwarp_mpa_startup_encode(octets, sizeof octets, &n, &v);
  record(s, side == 0 ? 0 : SCRIPT_SIDE, n);
  s->startup[side] = s->len;
  put(s, octets, n);
}

/* The ULPDU of a Send, or of a Write for every third one; they differ in length by an odd number.
 */
static size_t ulpdu(uint8_t *octets, size_t i) {
  const iwarp_ddp_hdr h = {
      .tagged = i % 3 == 2,
      .last = true,
      .dv = IWARP_DDP_VERSION,
      .rsvdulp = (uint8_t)(0x40u | (i % 3 == 2 ? IWARP_RDMAP_OP_WRITE : IWARP_RDMAP_OP_SEND)),
      .stag = 0x100,
      .msn = (uint32_t)(i - i / 3 + 1)};
  size_t n = 0;
  (void)iwarp_ddp_hdr_encode(octets, IWARP_DDP_UNTAGGED_LEN, &n, &h);
  memset(octets + n, (int)('a' + i), 41 * i + 3);
  return n + 41 * i + 3;
}

void stream_of_fpdus(stream_input *s, bool markers) {
  uint8_t octets[STREAM_MAX];
  uint8_t wire[STREAM_MAX];
  size_t lens[STREAM_FPDUS];
  size_t num = 0;
  *s = (stream_input){.len = 0};
  startup(s, 0, markers);
  startup(s, 1, markers);
  for (size_t i = 0; i < STREAM_FPDUS; i++) {
    const iwarp_mpa_fpdu_desc d = {
        .ulpdu = {octets, ulpdu(octets, i)}, .off = num, .markers = markers};
    (void)iwarp_mpa_fpdu_encode(wire + num, sizeof wire - num, &lens[i], &d);
    num += lens[i];
  }
  size_t at = 0;
  for (size_t i = 0; i < STREAM_FPDUS; i++) { /* the second record begins with FPDU 2 */
    if (i == 0 || i == 2) {
      record(s, 0, i == 0 ? lens[0] + lens[1] : num - lens[0] - lens[1]);
    }
    s->fpdu[i] = s->len;
    s->fpdu_len[i] = lens[i];
    put(s, wire + at, lens[i]);
    at += lens[i];
  }
  s->len += FUZZ_TAIL;
}

uint8_t *stream_tail(stream_input *in) {
  return &in->octets[in->len - 1];
}

/* ---- looking ---- */

static void look_fpdu(stream_state *out, const iwarp_mpa_fpdu *v, uint32_t due[4]) {
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  iwarp_mpa_marker m;
  iwarp_mpa_marker expected;
  iwarp_ddp_hdr h;
  size_t at;
  out->fpdus++;
  out->crc += iwarp_mpa_fpdu_crc(v) != v->crc ? 1 : 0;
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&m, &expected, &at, v, i) == IWARP_OK; i++) {
    out->markers += m.reserved != 0 || m.fpduptr != expected.fpduptr ? 1 : 0;
  }
  for (size_t i = 0; i < v->layout.pad; i++) {
    out->pad += v->pad[i] != 0 ? 1 : 0;
  }
  const size_t n = iwarp_mpa_fpdu_ulpdu_copy(header, sizeof header, v, 0);
  if (iwarp_ddp_hdr_decode(&h, (iwarp_span){header, n}).err == IWARP_OK && !h.tagged && h.qn < 4) {
    due[h.qn] += due[h.qn] == 0 ? 1 : 0;
    out->msn += h.msn != due[h.qn] ? 1 : 0;
    due[h.qn] += h.last ? 1 : 0;
  }
}

static void look_side(stream_state *out, iwarp_span in, bool markers) {
  iwarp_mpa_startup frame;
  iwarp_mpa_fpdu v;
  uint32_t due[4] = {0};
  uint64_t off = 0;
  iwarp_dec d = iwarp_mpa_startup_decode(&frame, in);
  if (iwarp_mpa_key_classify(in) != IWARP_MPA_KEY_UNKNOWN) {
    out->startup = out->startup || d.err != IWARP_OK;
    in = d.err == IWARP_OK ? (iwarp_span){in.ptr + d.used, in.len - d.used} : in;
  }
  for (; in.len > 0; off += d.used) {
    d = iwarp_mpa_fpdu_decode(&v, in, off, markers);
    if (d.err != IWARP_OK) {
      out->rest += in.len;
      return;
    }
    look_fpdu(out, &v, due);
    in = (iwarp_span){in.ptr + d.used, in.len - d.used};
  }
}

stream_state stream_look(const uint8_t *octets, size_t len, bool markers) {
  static uint8_t glued[2][FUZZ_BODY_MAX];
  size_t num[2] = {0, 0};
  stream_state out = {0};
  script_record r;
  iwarp_span body = {octets, len > FUZZ_TAIL ? len - FUZZ_TAIL : 0};
  while (script_next(&r, &body)) {
    if (r.is_stream && r.octets.len > 0) {
      memcpy(&glued[r.side][num[r.side]], r.octets.ptr, r.octets.len);
      num[r.side] += r.octets.len;
    }
  }
  for (size_t side = 0; side < 2; side++) {
    look_side(&out, (iwarp_span){glued[side], num[side]}, markers);
  }
  return out;
}
