/* SPDX-License-Identifier: BSD-2-Clause */
/* A compressed file: what is unpacked of it does not depend on the pieces that it comes in, nor on
 * the room for what comes out, and both readers of captures read the same of it. */
#include <string.h>

#include <unpack/unpack.h>

#include "capture_twin.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

enum { ROOM = 128 * 1024 };

/* What was unpacked of a file, as far as there is room. */
typedef struct unpacked {
  uint8_t octets[ROOM];
  size_t len;
  bool good;
  bool whole;
} unpacked;

static unpacked all;
static unpacked pieces;

/* Gives `in_piece` octets at a time, with room for `out_piece`. */
static void run(unpacked *r, unpack_form form, iwarp_span file, size_t in_piece, size_t out_piece) {
  unpack *u = unpack_new(form);
  size_t at = 0;
  size_t given = 0;
  bool moved = true;
  fuzz_expect(u != NULL, "no %s", unpack_form_name(form));
  r->len = 0;
  r->good = true;
  while (r->good && r->len < ROOM && (moved || given < file.len)) {
    if (!moved) {
      given += in_piece < file.len - given ? in_piece : file.len - given;
    }
    const size_t room = out_piece < ROOM - r->len ? out_piece : ROOM - r->len;
    unpack_piece p = {file.ptr + at, given - at, r->octets + r->len, room, 0, 0};
    r->good = unpack_step(u, &p);
    fuzz_expect(p.used <= given - at && p.made <= room, "%zu used, %zu made", p.used, p.made);
    at += p.used;
    r->len += p.made;
    moved = p.used > 0 || p.made > 0;
  }
  r->whole = r->good && at == file.len && unpack_may_end(u);
  fuzz_expect(r->good || unpack_reason(u)[0] != '\0', "damage without a reason");
  unpack_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const size_t in_piece = 1u + fuzz_u16(&f);
  const size_t out_piece = 1u + fuzz_u16(&f);
  const unpack_form form = unpack_form_of(in.ptr, in.len);
  if (!unpack_form_built(form)) {
    return 0;
  }
  run(&all, form, in, in.len, ROOM);
  run(&pieces, form, in, in_piece, out_piece);
  const size_t both = all.len < pieces.len ? all.len : pieces.len;
  fuzz_expect(memcmp(all.octets, pieces.octets, both) == 0, "other octets");
  fuzz_expect(all.len == ROOM || all.good == pieces.good, "damaged in pieces only, or not in them");
  fuzz_expect(!all.good ||
                  (all.len == pieces.len && (all.len == ROOM || all.whole == pieces.whole)),
              "%zu octets, %zu in pieces", all.len, pieces.len);
  const capture_twin t = capture_twin_read(all.octets, all.len);
  fuzz_expect(t.difference[0] == 0, "%s", t.difference);
  return 0;
}
