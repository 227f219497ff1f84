/* SPDX-License-Identifier: BSD-2-Clause */
/* What a capture is like, as lines of text and of JSON. */
#include <report/traits.h>

#include <report/names.h>
#include <report/place.h>

static const char *const trait_names[] = {[REPORT_TRAIT_OCTETS_DIFFER] = "octets-differ",
                                          [REPORT_TRAIT_CHECKSUM_WRONG] = "checksum-wrong"};

static const char *const trait_copies[] = {[OBSERVE_COPY_UNKNOWN] = "unknown",
                                           [OBSERVE_COPY_FIRST] = "first",
                                           [OBSERVE_COPY_SECOND] = "second"};

/* ---- words ---- */

static void trait_words_differ(out_buf *s, const report_trait *x) {
  const observe_differ *d = x->differ;
  out_str(s, "frames ");
  report_place_put(s, x->capture, 0, d->first);
  out_str(s, " and ");
  report_place_put(s, x->capture, d->first, d->second);
  out_str(s, " hold different octets for the same place: ");
  if (d->len == 0) {
    out_str(s, d->sctp ? "the header of the DATA chunk with TSN "
                       : "the header of the segment with sequence number ");
  } else {
    out_u64(s, d->len);
    out_str(s, d->len == 1 ? " octet " : " octets ");
    out_str(s, d->sctp ? "of the DATA chunk with TSN " : "from sequence number ");
  }
  out_u64(s, (uint32_t)d->pos);
  out_str(s, " of ");
  out_str(s, d->src);
  out_str(s, " to ");
  out_str(s, d->dst);
  if (d->accepted == OBSERVE_COPY_UNKNOWN) {
    out_str(s, "; no acknowledgment shows which copy the receiver accepted");
  } else {
    out_str(s, "; the receiver accepted the ");
    out_str(s, trait_copies[d->accepted]);
    out_str(s, " copy");
  }
}

/* What the packets with a wrong checksum have in common, before the number of the first one. */
static void trait_words_checksum(out_buf *s, const report_trait *x) {
  out_str(s, x->count == 1 ? " packet has" : " packets have");
  out_str(s, x->headers == 0 ? " a wrong transport checksum"
             : x->headers == x->count
                 ? " a wrong checksum of the IPv4 header"
                 : " a wrong checksum, of the transport or of the IPv4 header");
  out_str(s, x->count == 1 ? ": frame " : ", the first one in frame ");
}

static void trait_words(out_buf *s, const report_trait *x) {
  if (x->differ != NULL) {
    trait_words_differ(s, x);
  } else {
    out_u64(s, x->count);
    if (x->kind == REPORT_TRAIT_CHECKSUM_WRONG) {
      trait_words_checksum(s, x);
    } else {
      out_str(s, " more places were captured twice with different octets, first in frame ");
    }
    report_place_put(s, x->capture, 0, x->packet);
  }
}

void report_trait_text(out_buf *out, const report_trait *x) {
  out_str(out, "  ");
  trait_words(out, x);
  out_char(out, '\n');
}

/* ---- JSON ---- */

static void trait_json_differ(jsonw *w, const report_trait *x) {
  const observe_differ *d = x->differ;
  if (x->conn != NULL) {
    jsonw_u64(w, "conn", x->conn->number);
  }
  jsonw_text(w, "src", d->src);
  jsonw_text(w, "dst", d->dst);
  if (x->conn != NULL) {
    jsonw_text(w, "dir", report_role_name(x->conn->info->side[d->side].role));
  }
  report_place_json(w, "other_frame", x->capture, d->first, d->second);
  jsonw_u64(w, "seq", (uint32_t)d->pos);
  jsonw_u64(w, "length", d->len);
  jsonw_text(w, "accepted", trait_copies[d->accepted]);
}

void report_trait_json(jsonw *w, const report_trait *x) {
  out_buf words;
  out_open_memory(&words);
  trait_words(&words, x);
  jsonw_text(w, "type", "capture");
  report_place_line(w, x->capture, x->packet);
  jsonw_text(w, "kind", trait_names[x->kind]);
  jsonw_u64(w, "count", x->count);
  if (x->differ != NULL) {
    trait_json_differ(w, x);
  }
  jsonw_string(w, "text", words.buf, words.len);
  out_close(&words);
}
