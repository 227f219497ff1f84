/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that decide by a table of the RFCs, over all of its cells: what they say stands in a text.
 */
#include "check_run.h"

#include "rules_text.h"

#define SWEEPS_TEXT "conformance/tests/unit/rules_sweeps.txt"

/* What a rule came to: p passed, F failed, ? not sure, - nothing to say; the first that applies. */
static char sweep_letter(const struct rules_fixture *l, const char *slug) {
  const iwarp_rule *rule = iwarp_rule_find(slug);
  expect(rule != NULL, "no rule %s", slug);
  const iwarp_rule_result r = iwarp_rules_result(l->rules, rule->id);
  if (r.num_fail > 0) {
    return 'F';
  }
  if (r.num_inconclusive > 0) {
    return '?';
  }
  return r.num_pass > 0 ? 'p' : '-';
}

static const iwarp_finding *sweep_finding(const struct rules_fixture *l, const char *slug) {
  for (unsigned i = 0; i < l->num; i++) {
    if (strcmp(iwarp_rule_get(l->findings[i].rule)->slug, slug) == 0) {
      return &l->findings[i];
    }
  }
  return NULL;
}

/* Adds `text` to a list unless it is there. */
static void sweep_once(struct text *list, const char *text) {
  if (strstr(list->chars, text) == NULL) {
    text_add(list, " \"%s\"", text);
  }
}

/* ---- the Terminate: RFC 5040 figure 10 ---- */

static void sweep_terminate(struct rules_fixture *l, iwarp_rdmap_term t,
                            const struct fixture_seg *s) {
  static const uint8_t read_header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  fixture_init(l);
  fixture_begin(l);
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s->ddp);
  t.has_ddp_segment_length = t.m || t.d;
  t.ddp_segment_length = (uint16_t)(len + s->len);
  if (t.d) {
    t.ddp_header = (iwarp_span){header, len};
  }
  if (t.d && t.r) {
    t.rdma_header = (iwarp_span){read_header, sizeof(read_header)};
  }
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void sweep_terminate_row(struct text *out, struct rules_fixture *l, iwarp_rdmap_term t,
                                const struct fixture_seg *s, const char *name) {
  static const char *const rules[] = {"rdmap.terminate-code", "rdmap.terminate-flags",
                                      "rdmap.terminate-headers", "rdmap.terminate-rdma-header"};
  struct text due = {.len = 0};
  char letters[4][9] = {{0}};
  for (unsigned set = 0; set < 8; set++) {
    t.m = (set & 4u) != 0;
    t.d = (set & 2u) != 0;
    t.r = (set & 1u) != 0;
    sweep_terminate(l, t, s);
    for (unsigned i = 0; i < 4; i++) {
      letters[i][set] = sweep_letter(l, rules[i]);
    }
    const iwarp_finding *f = sweep_finding(l, rules[1]);
    if (f != NULL) {
      sweep_once(&due, f->expected.text);
    }
    fixture_free(l);
  }
  text_add(out, "%u/%u/%-2u %-10s code %s flags %s headers %s rdma-header %s%s\n", t.layer, t.etype,
           t.code, name, letters[0], letters[1], letters[2], letters[3], due.chars);
}

static void sweep_terminates(struct text *out, struct rules_fixture *l) {
  static const uint8_t codes[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 255};
  const struct fixture_seg send = fixture_send(1);
  const struct fixture_seg write = fixture_write();
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg read = fixture_read_request(octets, 1, 100);
  text_add(out, "# Terminate: layer/etype/code, what it returns; - R D DR M MR MD MDR\n");
  for (unsigned cell = 0; cell < 4u * 3u; cell++) {
    for (size_t i = 0; i < sizeof(codes); i++) {
      const iwarp_rdmap_term t = {
          .layer = (uint8_t)(cell / 3), .etype = (uint8_t)(cell % 3), .code = codes[i]};
      sweep_terminate_row(out, l, t, &send, "Send");
      sweep_terminate_row(out, l, t, &read, "Read");
    }
    const iwarp_rdmap_term t = {.layer = (uint8_t)(cell / 3), .etype = (uint8_t)(cell % 3)};
    sweep_terminate_row(out, l, t, &write, "Write");
  }
}

/* ---- RTR: RFC 6581 9.2 ---- */

#define SWEEP_RTR_KINDS 7u

static void sweep_rtr_send(struct rules_fixture *l, unsigned kind) {
  switch (kind) {
  case 0: fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 0)); break;
  case 1: fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 0, 0, 0)); break;
  case 2: fixture_read(l, FIXTURE_INITIATOR, 1, 0); break;
  case 3: fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 1)); break;
  case 4:
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 0)));
    break;
  case 5:
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND_SE, 1, 0, 0));
    break;
  default:
    fixture_terminate(l, FIXTURE_INITIATOR, 1, &(iwarp_rdmap_term){.layer = 2, .code = 7});
    break;
  }
}

static iwarp_mpa_enhanced sweep_model(bool a, unsigned set) {
  return (iwarp_mpa_enhanced){.a = a,
                              .b = (set & 4u) != 0,
                              .c = (set & 2u) != 0,
                              .d = (set & 1u) != 0,
                              .ird = FIXTURE_DEPTH,
                              .ord = FIXTURE_DEPTH};
}

static void sweep_rtr_row(struct text *out, struct rules_fixture *l, unsigned kind,
                          unsigned asked) {
  static const char *const names[SWEEP_RTR_KINDS] = {
      "Send", "Write", "Read", "Write of 1", "Send, more", "Send, SE", "Terminate"};
  static const char *const rules[] = {"mpa.rtr-first", "mpa.rtr-type", "mpa.rtr-mismatch",
                                      "mpa.model-copied"};
  struct text due = {.len = 0};
  char letters[4][10] = {{0}};
  for (unsigned set = 0; set < 9; set++) { /* the last: the model is refused */
    struct fixture_frame request = fixture_request();
    struct fixture_frame reply = fixture_reply();
    fixture_init(l);
    request.enh = sweep_model(true, asked);
    reply.enh = sweep_model(set < 8, set % 8);
    fixture_exchange(l, request, reply);
    sweep_rtr_send(l, kind);
    for (unsigned i = 0; i < 4; i++) {
      letters[i][set] = sweep_letter(l, rules[i]);
    }
    const iwarp_finding *f = sweep_finding(l, rules[1]);
    if (f != NULL) {
      sweep_once(&due, f->expected.text);
    }
    fixture_free(l);
  }
  text_add(out, "%-10s asked %u: first %s type %s mismatch %s model %s%s\n", names[kind], asked,
           letters[0], letters[1], letters[2], letters[3], due.chars);
}

static void sweep_rtr(struct text *out, struct rules_fixture *l) {
  text_add(out, "# RTR: the first FPDU, what the Request has of B C D; the same of the Reply as "
                "- D C CD B BD BC BCD, and no A\n");
  for (unsigned kind = 0; kind < SWEEP_RTR_KINDS; kind++) {
    for (unsigned asked = 0; asked < 8; asked++) {
      sweep_rtr_row(out, l, kind, asked);
    }
  }
}

/* ---- startup frames: RFC 5044 7.1.1, RFC 6581 6 ---- */

static const uint8_t sweep_flags[] = {0x00, 0x80, 0x40, 0xC0, 0x20, 0x10, 0x18, 0x01};
#define SWEEP_FLAGS (sizeof(sweep_flags) / sizeof(sweep_flags[0]))

static void sweep_request_row(struct text *out, struct rules_fixture *l, uint8_t rev,
                              uint16_t pd_length) {
  static const char *const rules[] = {
      "mpa.flags-reserved",  "mpa.request-reject-flag", "mpa.rev",
      "mpa.rev-rdmac",       "mpa.rdmac-flags",         "mpa.pd-length-max",
      "mpa.pd-length-match", "mpa.enhanced-rev",        "mpa.enhanced-length",
      "mpa.enhanced-pairing"};
  text_add(out, "Rev %u PD_Length %-3u", rev, pd_length);
  for (size_t i = 0; i < SWEEP_FLAGS; i++) {
    const struct fixture_frame request = {
        .flags = sweep_flags[i], .rev = rev, .pd_length = pd_length};
    fixture_init(l);
    fixture_startup(l, FIXTURE_INITIATOR, &request);
    iwarp_rules_finish(l->rules, &l->info);
    text_add(out, " ");
    for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
      text_add(out, "%c", sweep_letter(l, rules[k]));
    }
    fixture_free(l);
  }
  text_add(out, "\n");
}

static void sweep_reply_row(struct text *out, struct rules_fixture *l, uint8_t rev, uint8_t flags) {
  static const char *const rules[] = {"mpa.rev-pairing", "mpa.rev", "mpa.enhanced-pairing",
                                      "mpa.ord-limit", "mpa.request-reject-flag"};
  text_add(out, "Request Rev %u flags 0x%02x:", rev, flags);
  for (unsigned i = 0; i < 12; i++) {
    static const uint8_t reply_flags[] = {0x00, 0x10, 0x30};
    struct fixture_frame request = fixture_request();
    struct fixture_frame reply = fixture_reply();
    request.rev = rev;
    request.flags = flags;
    reply.rev = (uint8_t)(i / 3);
    reply.flags = reply_flags[i % 3];
    reply.enh.ord = FIXTURE_DEPTH + 1;
    fixture_init(l);
    fixture_exchange(l, request, reply);
    text_add(out, " ");
    for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
      text_add(out, "%c", sweep_letter(l, rules[k]));
    }
    fixture_free(l);
  }
  text_add(out, "\n");
}

static void sweep_startup(struct text *out, struct rules_fixture *l) {
  static const uint16_t pd_lengths[] = {0, 3, 4, 512, 513};
  text_add(out, "# Request: flags 00 80 40 c0 20 10 18 01, each: flags-reserved, "
                "request-reject-flag, rev, rev-rdmac, rdmac-flags, pd-length-max, pd-length-match, "
                "enhanced-rev, enhanced-length, enhanced-pairing\n");
  for (unsigned i = 0; i < 4u * 5u; i++) {
    sweep_request_row(out, l, (uint8_t)(i / 5), pd_lengths[i % 5]);
  }
  text_add(out, "# Reply: Rev 0 to 3, each with flags 00 10 30, each: rev-pairing, rev, "
                "enhanced-pairing, ord-limit, request-reject-flag\n");
  for (unsigned i = 0; i < 4u * 2u; i++) {
    sweep_reply_row(out, l, (uint8_t)(i / 2), i % 2 == 0 ? 0 : IWARP_MPA_FLAG_S);
  }
}

/* ---- Markers in another place: RFC 5044 4.3 ---- */

#define SWEEP_SHIFT 24 /* octets, the most that a Marker is moved by */

static const char *const sweep_marker_rules[] = {"mpa.marker-period", "mpa.marker-pointer",
                                                 "mpa.pad-zero", "ddp.reserved",
                                                 "rdmap.queue-number"};
#define SWEEP_MARKER_RULES (sizeof(sweep_marker_rules) / sizeof(sweep_marker_rules[0]))

/* What the rule says of the last event: as sweep_letter, of what was counted since. */
static char sweep_letter_since(const struct rules_fixture *l, const char *slug,
                               iwarp_rule_result before) {
  const iwarp_rule_result r = iwarp_rules_result(l->rules, iwarp_rule_find(slug)->id);
  if (r.num_fail > before.num_fail) {
    return 'F';
  }
  if (r.num_inconclusive > before.num_inconclusive) {
    return '?';
  }
  return r.num_pass > before.num_pass ? 'p' : '-';
}

/* The second FPDU of a stream, of which the first leaves `at` octets up to the next Marker. */
static struct fixture_seg sweep_second(unsigned kind, size_t len) {
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 2, 0x1000, len);
  if (kind == 1 || kind == 3) {
    s = fixture_untagged(IWARP_RDMAP_OP_SEND, kind, 0, len);
  } else if (kind == 2) {
    s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 1, 0, len);
    s.ddp.rsvdulp_word = 0x01020304;
  }
  return s;
}

/* The FPDU as its sender puts the Marker `shift` octets after its place; false: it would stand
 * before the FPDU, or after it. */
static bool sweep_moved(struct rules_fixture *l, const struct fixture_seg *s, int fill, int shift) {
  uint8_t ulpdu[200];
  uint8_t wire[240];
  size_t head = 0;
  size_t len = 0;
  const uint64_t off = l->next[0] - l->info.side[0].full_pos;
  iwarp_ddp_hdr_encode(ulpdu, sizeof(ulpdu), &head, &s->ddp);
  memset(&ulpdu[head], fill, s->len);
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, head + s->len}, .off = off - (uint64_t)(int64_t)shift, .markers = true};
  const iwarp_mpa_layout as_sent = iwarp_mpa_layout_of(d.off, (uint16_t)d.ulpdu.len, true);
  if (as_sent.lead != 0 || as_sent.num_markers != 1 ||
      iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    return false;
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
  return true;
}

/* Payload of so many octets, each of them `fill`. */
struct sweep_payload {
  size_t len;
  int fill;
};

static void sweep_marker_cell(struct text *out, struct rules_fixture *l, unsigned kind,
                              struct sweep_payload payload, size_t at, int shift) {
  iwarp_rule_result before[SWEEP_MARKER_RULES];
  const struct fixture_seg s = sweep_second(kind, payload.len);
  struct fixture_seg first = fixture_tagged(IWARP_RDMAP_OP_WRITE, 2, 0, 488 - at);
  first.ddp.to = 0x1000 - first.len;
  fixture_init(l);
  fixture_open_with(l, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, kind == 0 ? fixture_more(first) : first);
  for (size_t i = 0; i < SWEEP_MARKER_RULES; i++) {
    before[i] = iwarp_rules_result(l->rules, iwarp_rule_find(sweep_marker_rules[i])->id);
  }
  const bool sent = sweep_moved(l, &s, payload.fill, shift);
  text_add(out, sent ? " " : " .");
  for (size_t i = 0; i < SWEEP_MARKER_RULES && sent; i++) {
    text_add(out, "%c", sweep_letter_since(l, sweep_marker_rules[i], before[i]));
  }
  fixture_free(l);
}

static void sweep_markers(struct text *out, struct rules_fixture *l) {
  static const char *const names[] = {"Write, its rest", "Send", "Send with Invalidate",
                                      "Send, MSN 3"};
  static const struct sweep_payload payloads[] = {{2, 0x61}, {25, 0x61}, {25, 0}};
  text_add(out, "# A Marker in another place: octets of the FPDU before its place; from 24 octets "
                "before it to 24 after, each: marker-period, marker-pointer, pad-zero, reserved, "
                "queue-number; . it is in no such place\n");
  for (unsigned row = 0; row < 4u * 3u * 12u; row++) {
    const unsigned kind = row / 36u;
    const struct sweep_payload payload = payloads[row / 12u % 3u];
    const size_t at = 4u * (1u + row % 12u);
    text_add(out, "%s of %u of 0x%02x, %u:", names[kind], (unsigned)payload.len,
             (unsigned)payload.fill, (unsigned)at);
    for (int shift = -SWEEP_SHIFT; shift <= SWEEP_SHIFT; shift += 4) {
      sweep_marker_cell(out, l, kind, payload, at, shift);
    }
    text_add(out, "\n");
  }
}

/* ---- the text ---- */

static void sweep_all(struct text *out) {
  struct rules_fixture *l = malloc(sizeof(*l));
  out->len = 0;
  sweep_startup(out, l);
  sweep_rtr(out, l);
  sweep_terminates(out, l);
  sweep_markers(out, l);
  free(l);
}

static void sweep_line(FILE *file, const char *due, size_t len) {
  char line[1024] = "";
  const bool there = fgets(line, sizeof(line), file) != NULL;
  expect(there && strlen(line) == len && memcmp(line, due, len) == 0,
         "%s has\n%sand now it is\n%.*s", SWEEPS_TEXT, line, (int)len, due);
}

START_TEST(every_cell_is_what_the_text_says)
{
  struct text *out = malloc(sizeof(*out));
  sweep_all(out);
  if (getenv("IWARP_UPDATE_GOLDEN") != NULL) {
    FILE *file = fopen(SWEEPS_TEXT, "w");
    expect(file != NULL, "%s cannot be written", SWEEPS_TEXT);
    fputs(out->chars, file);
    fclose(file);
  }
  FILE *file = fopen(SWEEPS_TEXT, "r");
  expect(file != NULL, "no %s", SWEEPS_TEXT);
  for (const char *at = out->chars; *at != '\0';) {
    const size_t len = strcspn(at, "\n") + 1;
    sweep_line(file, at, len);
    at += len;
  }
  expect(getc(file) == EOF, "%s has more lines", SWEEPS_TEXT);
  fclose(file);
  free(out);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_cell_is_what_the_text_says, NULL};
  return check_run(check_suite("rules_sweeps", tests));
}
