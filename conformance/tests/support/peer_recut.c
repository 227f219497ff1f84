/* SPDX-License-Identifier: BSD-2-Clause */
#include "peer_recut.h"

#include <string.h>

#include <iwarp/ddp.h>

#include "check_run.h"

#define RECUT_ULPDU_MAX ((size_t)65536)

void peer_recut_begin(peer_recut *r, size_t most) {
  r->most = most;
  r->in = r->out = 0;
}

/* Writes one segment of a message. */
static void recut_put(peer_recut *r, const iwarp_mpa_fpdu *like, bool crc, iwarp_span ulpdu) {
  size_t len = 0;
  iwarp_mpa_fpdu_desc desc = {
      .ulpdu = ulpdu, .off = r->out, .markers = like->markers, .crc_given = !crc};
  expect(iwarp_mpa_fpdu_encode(r->octets + r->len, sizeof r->octets - r->len, &len, &desc) ==
             IWARP_OK,
         "an FPDU is encoded");
  r->len += len;
  r->out += len;
}

/* Cuts the segment of one FPDU. */
static void recut_fpdu(peer_recut *r, const iwarp_mpa_fpdu *fpdu) {
  static uint8_t whole[RECUT_ULPDU_MAX];
  static uint8_t part[RECUT_ULPDU_MAX];
  const size_t len = iwarp_mpa_fpdu_ulpdu_copy(whole, sizeof whole, fpdu, 0);
  const bool crc = fpdu->crc != 0;
  iwarp_ddp_hdr hdr;
  const iwarp_dec head = iwarp_ddp_hdr_decode(&hdr, (iwarp_span){whole, len});
  expect(head.err == IWARP_OK, "a segment has a header");
  const bool last = hdr.last;
  size_t at = head.used;
  do {
    const size_t n = len - at < r->most ? len - at : r->most;
    size_t used = 0;
    hdr.last = last && at + n == len;
    expect(iwarp_ddp_hdr_encode(part, sizeof part, &used, &hdr) == IWARP_OK, "it is encoded");
    memcpy(part + used, whole + at, n);
    recut_put(r, fpdu, crc, (iwarp_span){part, used + n});
    hdr.to += hdr.tagged ? n : 0;
    hdr.mo += hdr.tagged ? 0 : (uint32_t)n;
    at += n;
  } while (at < len);
}

iwarp_span peer_recut_take(peer_recut *r, iwarp_span in, bool markers) {
  if (r->most == 0 || iwarp_mpa_key_classify(in) != IWARP_MPA_KEY_UNKNOWN) {
    return in;
  }
  r->len = 0;
  while (in.len > 0) {
    iwarp_mpa_fpdu fpdu;
    const iwarp_dec dec = iwarp_mpa_fpdu_decode(&fpdu, in, r->in, markers);
    expect(dec.err == IWARP_OK, "an FPDU is whole");
    recut_fpdu(r, &fpdu);
    in = (iwarp_span){in.ptr + dec.used, in.len - dec.used};
    r->in += dec.used;
  }
  return (iwarp_span){r->octets, r->len};
}
