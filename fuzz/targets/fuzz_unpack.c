/* SPDX-License-Identifier: BSD-2-Clause */
/* A compressed file: the unpacked octets do not depend on the pieces of the input, nor on the room
 * for the output. Both readers of captures read the same from it. Opened as a capture it has the
 * packets of the unpacked octets. */
#include <string.h>

#include <ingest/pcap_src.h>
#include <unpack/unpack.h>

#include "capture_twin.h"
#include "fuzz.h"
#include "tool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

enum { ROOM = 128 * 1024 };

/* The octets unpacked from a file, as far as there is room. */
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

static pcap_src_result next(pcap_src *src, ingest_packet *packet) {
  return src != NULL ? pcap_src_next(src, packet) : PCAP_SRC_ERROR;
}

/* Reads the compressed file and its unpacked copy side by side. */
static void open_both(iwarp_span file) {
  char error[PCAP_SRC_ERROR_LEN];
  char plain_error[PCAP_SRC_ERROR_LEN];
  const iwarp_span octets = {all.octets, all.len};
  pcap_src *packed = pcap_src_open(tool_file(file), NULL, error);
  pcap_src *plain = pcap_src_open(tool_second_file(octets), NULL, plain_error);
  ingest_packet a;
  ingest_packet b;
  pcap_src_result r = next(packed, &a);
  pcap_src_result p = next(plain, &b);
  while (r == PCAP_SRC_PACKET && p == PCAP_SRC_PACKET) {
    fuzz_expect(a.number == b.number && a.time_ns == b.time_ns && a.len == b.len, "packet %u",
                (unsigned)b.number);
    fuzz_expect(a.caplen == b.caplen && memcmp(a.data, b.data, a.caplen) == 0, "other octets");
    r = next(packed, &a);
    p = next(plain, &b);
  }
  fuzz_expect(r == (all.whole ? p : PCAP_SRC_ERROR), "%s, not %s",
              packed != NULL ? pcap_src_error(packed) : error,
              plain != NULL ? pcap_src_error(plain) : plain_error);
  fuzz_expect((packed == NULL) == (plain == NULL), "opened: %s, %s", error, plain_error);
  pcap_src_close(packed);
  pcap_src_close(plain);
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
  if (all.len < ROOM && unpack_form_of(all.octets, all.len) == UNPACK_PLAIN) {
    open_both(in);
  }
  return 0;
}
