/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a probe as text and as a line of JSON. */
#include <peer_report/probe.h>

#include <report/jsonw.h>
#include <report/utf8.h>

static const struct {
  uint8_t rtr;
  const char *name;
} print_rtrs[] = {{IWARP_RTR_SEND, "send"}, {IWARP_RTR_WRITE, "write"}, {IWARP_RTR_READ, "read"}};

#define PRINT_RTRS (sizeof print_rtrs / sizeof print_rtrs[0])

/* ---- JSON ---- */

static void print_json_reply(jsonw *w, const peer_probe_result *r) {
  jsonw_u64(w, "rev", r->rev);
  jsonw_bool(w, "enhanced", r->enhanced);
  if (r->enhanced) {
    jsonw_u64(w, "ird", r->ird);
    jsonw_u64(w, "ord", r->ord);
  }
  jsonw_bool(w, "markers", r->markers);
  jsonw_bool(w, "crc", r->crc);
  if (r->enhanced) {
    jsonw_bool(w, "peer_to_peer", r->peer_to_peer);
    jsonw_array(w, "rtr");
    for (size_t i = 0; i < PRINT_RTRS; i++) {
      if ((r->rtr & print_rtrs[i].rtr) != 0) {
        jsonw_text(w, NULL, print_rtrs[i].name);
      }
    }
    jsonw_end_array(w);
  }
  jsonw_octets(w, "private_data", r->private_data, r->private_data_len);
  jsonw_seconds(w, "seconds", r->reply_ns);
}

void peer_probe_json(out_buf *out, const peer_probe_target *target, const peer_probe_result *r) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "probe");
  jsonw_string(&w, "target", target->given, strlen(target->given));
  jsonw_text(&w, "address", target->address);
  jsonw_text(&w, "answer", peer_answer_name(r->answer));
  if (r->replied) {
    print_json_reply(&w, r);
  }
  if (r->fell_back) {
    jsonw_bool(&w, "fell_back", true);
  }
  if (r->answer == PEER_ANSWER_ACCEPTED && target->pings > 0) {
    jsonw_array(&w, "pings");
    for (uint32_t i = 0; i < r->num_pings; i++) {
      jsonw_seconds(&w, NULL, r->ping_ns[i]);
    }
    jsonw_end_array(&w);
  }
  if (r->why[0] != 0) {
    jsonw_string(&w, "why", r->why, strlen(r->why));
  }
  if (r->note[0] != 0) {
    jsonw_string(&w, "note", r->note, strlen(r->note));
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* ---- text ---- */

static void print_ms(out_buf *out, uint64_t ns) {
  out_fixed(out, (ns + 500) / 1000, 3);
  out_str(out, " ms");
}

static void print_depth(out_buf *out, const char *name, uint16_t depth) {
  out_str(out, name);
  if (depth == IWARP_MPA_DEPTH_UNSPEC) {
    out_str(out, " left to the ULP");
  } else {
    out_u64(out, depth);
  }
}

static void print_rtr(out_buf *out, const peer_probe_result *r) {
  const char *before = ", RTR ";
  for (size_t i = 0; i < PRINT_RTRS; i++) {
    if ((r->rtr & print_rtrs[i].rtr) != 0) {
      out_str(out, before);
      out_str(out, print_rtrs[i].name);
      before = " or ";
    }
  }
}

static void print_terms(out_buf *out, const peer_probe_result *r) {
  out_str(out, "  MPA:          Rev ");
  out_u64(out, r->rev);
  out_str(out, r->enhanced ? ", enhanced (RFC 6581)\n" : ", not enhanced\n");
  out_str(out, r->markers ? "  Markers:      wanted\n" : "  Markers:      not wanted\n");
  out_str(out, r->crc ? "  CRC:          wanted\n" : "  CRC:          not wanted\n");
  if (r->enhanced) {
    print_depth(out, "  depths:       IRD ", r->ird);
    print_depth(out, ", ORD ", r->ord);
    out_str(out, r->peer_to_peer ? "\n  peer to peer: yes" : "\n  peer to peer: no");
    print_rtr(out, r);
    out_char(out, '\n');
  }
  out_str(out, "  Private Data: ");
  out_u64(out, r->private_data_len);
  out_str(out, r->private_data_len == 1 ? " octet" : " octets");
  if (r->private_data_len > 0) {
    out_char(out, ' ');
    out_octets(out, r->private_data, r->private_data_len, 0);
  }
  out_str(out, "\n  Reply after:  ");
  print_ms(out, r->reply_ns);
  out_char(out, '\n');
}

/* The shortest, the mean and the longest time, as ping has them. */
static void print_round_trips(out_buf *out, const peer_probe_result *r) {
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < r->num_pings; i++) {
    least = r->ping_ns[i] < least ? r->ping_ns[i] : least;
    most = r->ping_ns[i] > most ? r->ping_ns[i] : most;
    sum += r->ping_ns[i];
  }
  out_str(out, "; min ");
  print_ms(out, least);
  out_str(out, ", mean ");
  print_ms(out, sum / r->num_pings);
  out_str(out, ", max ");
  print_ms(out, most);
}

static void print_pings(out_buf *out, const peer_probe_target *target, const peer_probe_result *r) {
  for (uint32_t i = 0; i < r->num_pings; i++) {
    out_str(out, "  Read ");
    out_u64(out, (uint64_t)i + 1);
    out_str(out, " of 0 octets: ");
    print_ms(out, r->ping_ns[i]);
    out_char(out, '\n');
  }
  out_str(out, "  pings:        ");
  out_u64(out, r->num_pings);
  out_str(out, " of ");
  out_u64(out, target->pings);
  out_str(out, " Reads answered");
  if (r->num_pings > 0) {
    print_round_trips(out, r);
  }
  out_char(out, '\n');
}

/* Text of the command line; what a terminal would obey is replaced. */
static void print_given(out_buf *out, const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    const size_t plain = report_plain_len(text, left);
    const size_t len = plain > 0 ? plain : 1;
    out_put(out, plain > 0 ? text : "?", len);
    text += len;
    left -= len;
  }
}

static void print_answer(out_buf *out, const peer_probe_target *target,
                         const peer_probe_result *r) {
  static const char *const words[PEER_ANSWERS] = {
      [PEER_ANSWER_ACCEPTED] = "speaks iWARP and accepted the connection",
      [PEER_ANSWER_REJECTED] = "speaks iWARP and rejected the connection",
      [PEER_ANSWER_NOT_IWARP] = "does not answer as iWARP does",
      [PEER_ANSWER_REFUSED] = "refused the connection",
      [PEER_ANSWER_SILENT] = "did not answer"};
  print_given(out, target->given);
  if (strcmp(target->given, target->address) != 0) {
    out_str(out, " (");
    out_str(out, target->address);
    out_char(out, ')');
  }
  out_char(out, ' ');
  out_str(out, words[r->answer]);
  out_char(out, '\n');
}

/* One line with a sentence. */
static void print_sentence(out_buf *out, const char *name, const char *text) {
  if (text[0] != 0) {
    out_str(out, name);
    out_str(out, text);
    out_char(out, '\n');
  }
}

void peer_probe_text(out_buf *out, const peer_probe_target *target, const peer_probe_result *r) {
  print_answer(out, target, r);
  print_sentence(out, "  why:          ", r->why);
  if (r->fell_back) {
    out_str(out,
            "  fallback:     the Request of Rev 2 got no Reply; this is the answer to Rev 1\n");
  }
  if (r->replied) {
    print_terms(out, r);
  }
  if (r->answer == PEER_ANSWER_ACCEPTED && target->pings > 0) {
    print_pings(out, target, r);
  }
  print_sentence(out, "  note:         ", r->note);
}
