/* SPDX-License-Identifier: BSD-2-Clause */
/* What a capture is like, as lines of text and of JSON. */
#include <report/traits.h>

#include <report/names.h>
#include <report/place.h>

static const char *const trait_names[] = {[REPORT_TRAIT_OCTETS_DIFFER] = "octets-differ",
                                          [REPORT_TRAIT_CHECKSUM_WRONG] = "checksum-wrong",
                                          [REPORT_TRAIT_NOT_DECODED] = "not-decoded",
                                          [REPORT_TRAIT_DUPLICATES] = "duplicates",
                                          [REPORT_TRAIT_TIME_BACKWARDS] = "time-backwards",
                                          [REPORT_TRAIT_OUTSIDE] = "outside",
                                          [REPORT_TRAIT_CUT] = "cut",
                                          [REPORT_TRAIT_NO_PAYLOAD] = "no-payload"};

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

/* How a line of a kind goes on after the count: for one, and for several. */
typedef struct trait_phrase {
  const char *one;
  const char *many;
  const char *after; /* the number of the first packet */
} trait_phrase;

static const trait_phrase trait_phrases[] = {
    [REPORT_TRAIT_OCTETS_DIFFER] = {" more place was captured twice with different octets: frame ",
                                    " more places were captured twice with different octets, first "
                                    "in frame ",
                                    ""},
    [REPORT_TRAIT_DUPLICATES] =
        {" packet was captured twice, as mirror ports do, and counts once: "
         "frame ",
         " packets were captured twice, as mirror ports do, and count once; "
         "the first one again in frame ",
         ""},
    [REPORT_TRAIT_TIME_BACKWARDS] =
        {" packet has an earlier time than the packet before: frame ",
         " packets have an earlier time than the packet before, the "
         "first one in frame ",
         "; `reordercap IN OUT` sorts a capture, and --join reads parts "
         "of one by time"},
    [REPORT_TRAIT_OUTSIDE] = {" segment fits no TCP connection as far as it was captured: frame ",
                              " segments fit no TCP connection as far as it was captured, the "
                              "first one in frame ",
                              ""},
    [REPORT_TRAIT_NO_PAYLOAD] =
        {" packet has payload, of which the snapshot length left nothing: "
         "frame ",
         " packets have payload, of which the snapshot length left nothing, "
         "the first one in frame ",
         "; capture with a longer snapshot length"},
};

static void trait_words_unread(out_buf *s, const report_trait *x) {
  out_str(s, x->count == 1 ? " packet was not looked into (" : " packets were not looked into (");
  out_str(s, x->protocol);
  out_str(s, x->count == 1 ? "): frame " : "), the first one in frame ");
}

static void trait_words_cut(out_buf *s, const report_trait *x) {
  out_str(s, x->count == 1 ? " packet is" : " packets are");
  out_str(s, " cut by the snapshot length, to ");
  out_u64(s, x->snaplen);
  out_str(s, x->count == 1 ? " octets: frame " : " octets at most, the first one in frame ");
}

/* A line that counts packets, up to the number of the first one. */
static void trait_words_kind(out_buf *s, const report_trait *x) {
  const trait_phrase *phrase;
  switch (x->kind) {
  case REPORT_TRAIT_CHECKSUM_WRONG: trait_words_checksum(s, x); break;
  case REPORT_TRAIT_NOT_DECODED: trait_words_unread(s, x); break;
  case REPORT_TRAIT_CUT: trait_words_cut(s, x); break;
  case REPORT_TRAIT_OCTETS_DIFFER:
  case REPORT_TRAIT_DUPLICATES:
  case REPORT_TRAIT_TIME_BACKWARDS:
  case REPORT_TRAIT_OUTSIDE:
  case REPORT_TRAIT_NO_PAYLOAD:
    phrase = &trait_phrases[x->kind];
    out_str(s, x->count == 1 ? phrase->one : phrase->many);
    break;
  }
}

void report_trait_put(out_buf *s, const report_trait *x) {
  if (x->differ != NULL) {
    trait_words_differ(s, x);
    return;
  }
  out_u64(s, x->count);
  trait_words_kind(s, x);
  report_place_put(s, x->capture, 0, x->packet);
  if ((size_t)x->kind < sizeof trait_phrases / sizeof trait_phrases[0] &&
      trait_phrases[x->kind].after != NULL) {
    out_str(s, trait_phrases[x->kind].after);
  }
}

void report_trait_text(out_buf *out, const report_trait *x) {
  out_str(out, "  ");
  report_trait_put(out, x);
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

const char *report_trait_name(report_trait_kind kind) {
  return trait_names[kind];
}

void report_trait_json(jsonw *w, const report_trait *x) {
  out_buf words;
  out_open_memory(&words);
  report_trait_put(&words, x);
  jsonw_text(w, "type", "capture");
  report_place_line(w, x->capture, x->packet);
  jsonw_text(w, "kind", trait_names[x->kind]);
  jsonw_u64(w, "count", x->count);
  if (x->protocol != NULL) {
    jsonw_text(w, "protocol", x->protocol);
  }
  if (x->kind == REPORT_TRAIT_CUT) {
    jsonw_u64(w, "snaplen", x->snaplen);
  }
  if (x->differ != NULL) {
    trait_json_differ(w, x);
  }
  jsonw_string(w, "text", words.buf, words.len);
  out_close(&words);
}
