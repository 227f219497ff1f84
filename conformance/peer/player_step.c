/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a page: lines of the tester, lines of the target, and alternatives. */
#include "player_priv.h"

#include <stdio.h>

#define STEP_AGAIN UINT64_MAX /* a step is done: go on with the next one */
#define STEP_PROBE_STAG 0x50524F42u
#define STEP_ALTERNATIVES 32u
#define STEP_PATTERN ((size_t)2) /* octets of $pattern */

static const scenario_step *step_now(const peer_player *p) {
  return p->place.at < p->place.scn->num ? &p->place.scn->steps[p->place.at] : NULL;
}

/* The present step, where there is one. */
static const scenario_step *step_here(const peer_player *p) {
  return &p->place.scn->steps[p->place.at];
}

static uint64_t step_done(peer_player *p) {
  p->place.at++;
  p->wait_until = 0;
  return STEP_AGAIN;
}

static uint64_t step_goto(peer_player *p, size_t at) {
  p->place.at = at;
  p->wait_until = 0;
  return STEP_AGAIN;
}

uint64_t player_wait_ns(const peer_player *p) {
  return p->how.scripted ? 20 * p->how.wait_ns : p->how.wait_ns;
}

/* Until when the present step waits. */
static uint64_t step_until(peer_player *p, uint64_t ns) {
  if (p->wait_until == 0) {
    p->wait_until = p->now + ns;
  }
  return p->wait_until;
}

/* ---- sides ---- */

static bool step_is_startup(const scenario_step *step) {
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  return line.num > 1 &&
         (scn_word_is(&line.words[1], "mpa-request") || scn_word_is(&line.words[1], "mpa-reply"));
}

/* The side that a line is about in this play. */
static uint8_t step_side(const peer_player *p, const scenario_step *step) {
  return p->mirrored && !step_is_startup(step) ? 1 - step->side : step->side;
}

static bool step_is_due(const peer_player *p, const scenario_step *step) {
  const bool sided = step->kind == SCENARIO_STEP_ITEM || step->kind == SCENARIO_STEP_CLOSE ||
                     step->kind == SCENARIO_STEP_SILENCE;
  return sided && step_side(p, step) != p->me;
}

/* ---- sending ---- */

/* The terms in the line of the tester's Request hold for its Reply, too. */
static void step_mirrored_terms(peer_player *p, const scenario_step *step) {
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  for (size_t i = 2; p->mirrored && i < line.num; i++) {
    p->terms.ask_markers[1] |= !p->how.scripted && scn_word_is(&line.words[i], "M");
    p->terms.ask_crc[1] |= !p->how.scripted && scn_word_is(&line.words[i], "C");
  }
  scenario_ask(p->scn, &p->terms);
}

static void step_take_said(peer_player *p, unsigned int number) {
  scenario_said said;
  bool ok = true;
  for (size_t i = 0; ok && scenario_said_get(p->scn, i, &said); i++) {
    ok = said.octets.len == 0 || player_act(p, PEER_ACTION_SEND, said.octets, number);
    if (ok && (said.fin || said.rst)) {
      ok = player_act(p, said.rst ? PEER_ACTION_RESET : PEER_ACTION_SHUTDOWN, (iwarp_span){NULL, 0},
                      number);
    }
  }
  scenario_clear(p->scn);
  if (!ok) {
    player_decide(p, PEER_ERROR, number, "", "", "out of memory");
  }
}

/* Reads and Atomic Operations count against the IRD of the target. */
static bool step_asks(const scn_line *line) {
  return scn_word_is(&line->words[1], "read-request") ||
         scn_word_is(&line->words[1], "atomic-request");
}

static bool step_rejects(const scn_line *line) {
  bool rejects = false;
  for (size_t i = 2; i < line->num && scn_word_is(&line->words[1], "mpa-reply"); i++) {
    rejects = rejects || scn_word_is(&line->words[i], "R");
  }
  return rejects;
}

static bool step_is_message(const scn_line *line) {
  bool message = false;
  for (uint8_t i = 0; i < 16; i++) {
    message = message || scn_word_is(&line->words[1], iwarp_rdmap_op_get(i)->name);
  }
  return message;
}

static void step_say_line(peer_player *p, scn_line *line) {
  scenario_error error;
  scenario_room room;
  scenario_clear(p->scn);
  if (!scenario_names_replace(&p->names, line, &room, &error) ||
      !scenario_say(p->scn, p->me, line, &error)) {
    player_decide(p, PEER_ERROR, line->number, "", "", error.message);
    return;
  }
  p->asked += step_asks(line) ? 1 : 0;
  p->rejects = p->rejects || step_rejects(line);
  p->said_one = p->said_one || step_is_message(line);
  p->said_last = p->said_last || scn_word_is(&line->words[1], "terminate");
  step_take_said(p, line->number);
}

static void step_say_text(peer_player *p, const char *text, unsigned int number) {
  scn_line line = {.number = number > 0 ? number - 1 : 0};
  (void)scn_line_read(&line, text, strlen(text));
  step_say_line(p, &line);
}

/* RFC 5044 7.1.2: a Responder sends no FPDU before the Initiator's first valid one. */
static bool step_first_came(const peer_player *p) {
  return p->how.role == IWARP_ROLE_INITIATOR || p->first_in;
}

static bool step_may_send(const peer_player *p, const scenario_step *step) {
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  return !step_is_message(&line) || step_first_came(p);
}

/* The words of a line of captures of the other side have values that no name takes: a scripted
 * peer sends what a capture would hold. */
static void step_scripted_values(scn_line *line) {
  scn_capture capture;
  for (size_t i = 2; i < line->num; i++) {
    if (scn_word_capture(&line->words[i], &capture)) {
      line->words[i].value = capture.value;
      line->words[i].value_len = capture.value_len;
    }
  }
}

static uint64_t step_unmet(peer_player *p, const char *why);

static uint64_t step_wait_first(peer_player *p) {
  const uint64_t until = step_until(p, player_wait_ns(p));
  return p->fin_in || p->rst_in || p->now >= until ? step_unmet(p, "the target sends no first FPDU")
                                                   : until;
}

/* The reason why the target takes no other Read now; NULL: it does, or no depth is agreed. */
static const char *step_no_depth(const peer_player *p) {
  uint16_t tester = 0;
  uint16_t target = 0;
  return p->how.scripted || !player_depth(p, &tester, &target) || p->asked < tester ? NULL
         : tester == 0 ? "the target takes no Reads"
                       : "the target takes fewer Reads at a time";
}

/* A Response goes out before other messages of the tester, which the target may take for it. */
static void step_answer_reads(peer_player *p) {
  for (size_t i = 0; !p->how.scripted && i < p->num_inbox; i++) {
    if (p->inbox[i]->kind == SEEN_MESSAGE && p->inbox[i]->opcode == IWARP_RDMAP_OP_READ_REQ) {
      player_answer(p, p->inbox[i]);
    }
  }
}

static uint64_t step_say(peer_player *p, const scenario_step *step) {
  scn_line line = {.number = step->number - 1};
  if (!step_may_send(p, step)) {
    return step_wait_first(p);
  }
  (void)scn_line_read(&line, step->text, step->len);
  if (step_asks(&line) && step_no_depth(p) != NULL) {
    player_decide(p, PEER_UNDECIDED, step->number, "", "", step_no_depth(p));
    return STEP_AGAIN;
  }
  step_scripted_values(&line);
  step_answer_reads(p);
  step_say_line(p, &line);
  return step_done(p);
}

/* ---- probes ---- */

static void step_probe_begin(peer_player *p, unsigned int number) {
  uint16_t tester = 0;
  uint16_t target = 0;
  char text[96];
  const bool agreed = player_depth(p, &tester, &target);
  const char *no_depth = step_no_depth(p);
  p->probing = true;
  p->probes++;
  p->probe_send = (!agreed || no_depth != NULL) && (p->how.offer.words & PEER_OFFER_ANSWERS) != 0;
  p->probe_open = !p->probe_send && !agreed;
  if (no_depth != NULL && !p->probe_send) {
    char why[PEER_TEXT_CAP];
    snprintf(why, sizeof why, "no sign of life to be had: %s", no_depth);
    player_decide(p, PEER_UNDECIDED, number, "a sign of life", "", why);
    return;
  }
  if (p->probe_send) {
    snprintf(text, sizeof text, "i> send data=%08x%08x", STEP_PROBE_STAG, p->probes);
  } else {
    snprintf(text, sizeof text, "i> read-request sink_stag=0x%08x sink_to=%u", STEP_PROBE_STAG,
             p->probes);
  }
  step_say_text(p, text, number);
}

static bool step_probe_answer(const peer_player *p, const seen *what) {
  uint8_t octets[8];
  for (size_t i = 0; i < 4; i++) {
    octets[i] = (uint8_t)(STEP_PROBE_STAG >> (24 - 8 * i));
    octets[4 + i] = (uint8_t)(p->probes >> (24 - 8 * i));
  }
  if (what->kind != SEEN_MESSAGE) {
    return false;
  }
  if (p->probe_send) {
    return iwarp_rdmap_op_get(what->opcode)->cls == IWARP_RDMAP_CLASS_SEND && what->size == 8 &&
           what->kept == 8 && memcmp(what->payload, octets, 8) == 0;
  }
  return what->opcode == IWARP_RDMAP_OP_READ_RESP && what->size == 0 && what->len >= 6 &&
         memcmp(what->octets + 2, octets, 4) == 0;
}

/* ---- lines of the target ---- */

/* The first steps of the alternatives that are open now. */
typedef struct step_choice {
  size_t at[STEP_ALTERNATIVES];
  size_t num;
} step_choice;

static void step_alternatives(const peer_player *p, step_choice *c) {
  const scenario_page *scn = p->place.scn;
  const scenario_step *step = step_here(p);
  c->num = 0;
  if (step->kind != SCENARIO_STEP_EITHER) {
    c->at[c->num++] = p->place.at;
    return;
  }
  size_t i = p->place.at;
  while (scn->steps[i].kind != SCENARIO_STEP_END && c->num < STEP_ALTERNATIVES) {
    c->at[c->num++] = i + 1;
    i = scn->steps[i].next;
  }
}

/* An application goes on with its work; a stack answers, and ends. */
static bool step_of_application(const seen *what) {
  const iwarp_rdmap_class cls = iwarp_rdmap_op_get(what->opcode)->cls;
  return what->kind == SEEN_MESSAGE && !what->after_end &&
         (cls == IWARP_RDMAP_CLASS_WRITE || cls == IWARP_RDMAP_CLASS_READ_REQ ||
          cls == IWARP_RDMAP_CLASS_SEND || cls == IWARP_RDMAP_CLASS_IMMEDIATE ||
          cls == IWARP_RDMAP_CLASS_ATOMIC_REQ);
}

/* The text of the alternatives that are open. */
static void step_due_text(const peer_player *p, char *out, size_t cap) {
  step_choice c;
  out[0] = '\0';
  if (step_now(p) == NULL) {
    return;
  }
  step_alternatives(p, &c);
  for (size_t i = 0; i < c.num; i++) {
    const scenario_step *step = &p->place.scn->steps[c.at[i]];
    const scenario_step *then =
        step + 1 < p->place.scn->steps + p->place.scn->num ? step + 1 : step;
    scn_line line = {.number = 0};
    (void)scn_line_read(&line, step->text, step->len);
    if (then->kind == SCENARIO_STEP_FAIL || line.num == 0) {
      continue;
    }
    const scn_word *first = &line.words[step_is_due(p, step) && line.num > 1 ? 1 : 0];
    const scn_word *last = &line.words[line.num - 1];
    const char *end =
        last->value != NULL ? last->value + last->value_len : last->key + last->key_len;
    const size_t at = strlen(out);
    snprintf(out + at, cap - at, "%s%.*s", at > 0 ? " or " : "", (int)(end - first->key),
             first->key);
  }
}

static void step_decide(peer_player *p, peer_verdict verdict, const seen *what, const char *why) {
  char due[PEER_TEXT_CAP];
  char text[PEER_TEXT_CAP] = "";
  const scenario_step *step = step_now(p);
  step_due_text(p, due, sizeof due);
  if (what != NULL) {
    player_seen_text(what, text, sizeof text);
  }
  player_decide(p, verdict, step != NULL ? step->number : 0, due, text, why);
}

/* Nothing that a line names has come. */
static uint64_t step_unmet(peer_player *p, const char *why) {
  if (p->how.scripted) {
    p->place.at = p->place.scn->num;
    return STEP_AGAIN;
  }
  step_decide(p, PEER_UNDECIDED, NULL, why);
  return STEP_AGAIN;
}

/* A target of Rev 1 may refuse each Read: the reason if the item may be about one, or NULL. */
static const char *step_unagreed(const peer_player *p, const seen *what) {
  uint16_t tester = 0;
  uint16_t target = 0;
  if (p->probing && p->probe_open) {
    return "no sign of life to be had: nothing is agreed on Reads";
  }
  return p->asked > 0 && !player_depth(p, &tester, &target) && player_no_room(what)
             ? "the target refuses Reads, and nothing is agreed on them"
             : NULL;
}

/* Something came that no line names, and that is no matter of the application. */
static uint64_t step_wrong(peer_player *p, const seen *what) {
  const scenario_step *step = step_here(p);
  const bool ended = what->kind == SEEN_FIN || what->kind == SEEN_RST;
  const bool choice = step->kind == SCENARIO_STEP_EITHER;
  const bool startup = !choice && step->kind == SCENARIO_STEP_ITEM && step_is_startup(step);
  if (p->how.scripted) {
    p->place.at = ended ? p->place.scn->num : p->place.at;
    return STEP_AGAIN;
  }
  if (step_unagreed(p, what) != NULL) {
    step_decide(p, PEER_UNDECIDED, what, step_unagreed(p, what));
  } else if (startup && (ended || what->reply)) {
    step_decide(p, PEER_UNDECIDED, what, "the target does not take the connection");
  } else if (ended && !choice) {
    step_decide(p, PEER_UNDECIDED, what, "the target ended the connection");
  } else {
    step_decide(p, PEER_FAIL, what, "");
  }
  return STEP_AGAIN;
}

/* Text of what an alternative was chosen by, for the verdict that follows. */
static void step_chosen(peer_player *p, const seen *what) {
  step_due_text(p, p->result.due, sizeof p->result.due);
  player_seen_text(what, p->result.seen, sizeof p->result.seen);
}

/* Returns true if the alternative at step `at` accepts the item. */
static bool step_alternative_is(peer_player *p, size_t at, const seen *what) {
  const scenario_step *step = &p->place.scn->steps[at];
  if (step->kind == SCENARIO_STEP_PROBE) {
    return p->probing && step_probe_answer(p, what);
  }
  return step_is_due(p, step) && player_matches(p, step, what);
}

/* A silence that has passed. */
static bool step_silence(peer_player *p, const step_choice *c, uint64_t *until) {
  for (size_t i = 0; i < c->num; i++) {
    const scenario_step *step = &p->place.scn->steps[c->at[i]];
    if (step->kind == SCENARIO_STEP_SILENCE && step_is_due(p, step)) {
      const uint64_t ns = step->ns > p->how.wait_ns ? step->ns : p->how.wait_ns;
      *until = step_until(p, ns);
      if (p->now >= *until) {
        step_due_text(p, p->result.due, sizeof p->result.due);
        snprintf(p->result.seen, sizeof p->result.seen, "nothing");
        (void)step_goto(p, c->at[i] + 1);
        return true;
      }
    }
  }
  return false;
}

/* A scripted Initiator in the place of a target has an application that sends first. */
static void step_scripted_first(peer_player *p, const seen *what) {
  if (p->how.scripted && p->mirrored && what->kind == SEEN_STARTUP && what->reply) {
    step_say_text(p, "i> write", 0);
  }
}

static void step_compare_one(peer_player *p, const step_choice *c, bool *done) {
  seen *what = p->inbox[0];
  const bool passed = what->rtr && p->said_one && !p->how.scripted; /* an RTR answers nothing */
  for (size_t i = 0; !passed && i < c->num; i++) {
    if (step_alternative_is(p, c->at[i], what)) {
      if (!p->how.scripted) {
        step_chosen(p, what);
      }
      p->result.exchange_ns = p->now - p->opened_at;
      p->unagreed =
          p->place.scn->steps[c->at[i]].kind != SCENARIO_STEP_PROBE ? step_unagreed(p, what) : NULL;
      p->probing = false;
      step_scripted_first(p, what);
      player_inbox_drop(p, 1);
      (void)step_goto(p, c->at[i] + 1);
      *done = true;
      return;
    }
  }
  if (step_of_application(what)) {
    player_answer(p, what);
  } else {
    (void)step_wrong(p, what);
    *done = true;
  }
  player_inbox_drop(p, 1);
}

static bool step_probes(const peer_player *p, const step_choice *c) {
  for (size_t i = 0; i < c->num; i++) {
    if (p->place.scn->steps[c->at[i]].kind == SCENARIO_STEP_PROBE) {
      return true;
    }
  }
  return false;
}

/* Octets of the tester that are no frame show nothing: a scripted peer waits a while for them. */
static bool step_unseen(const peer_player *p) {
  const scenario_step *step = step_here(p);
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  return p->how.scripted && step->kind == SCENARIO_STEP_ITEM &&
         p->result.received > p->received_before &&
         (step_is_startup(step) || scn_word_is(&line.words[1], "octets"));
}

static uint64_t step_due(peer_player *p) {
  step_choice c;
  bool done = false;
  uint64_t until = 0;
  step_alternatives(p, &c);
  if (step_probes(p, &c) && !p->probing) {
    if (!step_first_came(p)) {
      return step_wait_first(p);
    }
    p->wait_until = 0;
    step_probe_begin(p, step_here(p)->number);
    return p->decided ? STEP_AGAIN : p->now;
  }
  while (!done && p->num_inbox > 0 && !p->decided) {
    step_compare_one(p, &c, &done);
  }
  if (done || p->decided) {
    return STEP_AGAIN;
  }
  if (p->at_act < p->num_acts) { /* an answer to a Read goes out first */
    return p->now;
  }
  if (step_silence(p, &c, &until)) {
    return STEP_AGAIN;
  }
  if (step_unseen(p)) {
    until = p->last_rx + p->how.wait_ns / 2;
    return p->now >= until ? step_done(p) : until;
  }
  until = step_until(p, player_wait_ns(p));
  return p->now >= until ? step_unmet(p, "silent") : until;
}

/* ---- answers that no line asks for ---- */

void player_answer(peer_player *p, seen *what) {
  iwarp_rdmap_seg seg;
  char text[256];
  if (what->answered) {
    return;
  }
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){what->octets, what->len}, what->len);
  if (what->opcode != IWARP_RDMAP_OP_READ_REQ || seg.err != IWARP_OK ||
      (!p->how.scripted && seg.u.read_req.size > 0) || p->fin_out || p->said_last ||
      seg.u.read_req.size > UINT16_MAX / 2) {
    return;
  }
  const int len =
      snprintf(text, sizeof text, "i> read-response stag=0x%08x to=0x%llx ",
               (unsigned int)seg.u.read_req.sink_stag, (unsigned long long)seg.u.read_req.sink_to);
  char *end = text + len;
  if (p->answers_wrote) {
    end += snprintf(end, 8, "data=");
    for (size_t i = 0; i < p->wrote_len && i < seg.u.read_req.size && i < 64; i++) {
      end += snprintf(end, 3, "%02x", p->wrote[i]);
    }
  } else {
    snprintf(end, 16, "len=%u", (unsigned int)seg.u.read_req.size);
  }
  what->answered = true;
  step_say_text(p, text, 0);
}

/* ---- regions ---- */

static void step_region_names(peer_player *p) {
  const struct {
    const char *name;
    uint64_t value;
  } rows[] = {{"stag", p->region.stag},
              {"to", p->region.to},
              {"len", p->region.len},
              {"other_pd", p->region.other_pd},
              {"read_only", p->region.read_only},
              {"write_only", p->region.write_only}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    (void)scenario_names_number(&p->names, rows[i].name, rows[i].value);
  }
}

/* Octets to write that are not in the region, whatever an earlier play has written there. */
static void step_pattern(peer_player *p) {
  char hex[2 * STEP_PATTERN + 1];
  if (p->base_len >= STEP_PATTERN) {
    for (size_t i = 0; i < STEP_PATTERN; i++) {
      snprintf(hex + 2 * i, 3, "%02x", p->base[i] ^ 0xFFu);
    }
    (void)scenario_names_set(&p->names, "pattern", sizeof "pattern" - 1, hex, 2 * STEP_PATTERN);
  }
}

static const scenario_step *step_readback(const peer_player *p) {
  for (size_t i = 0; i < p->page->scn.num; i++) {
    if (p->page->scn.steps[i].kind == SCENARIO_STEP_READBACK) {
      return &p->page->scn.steps[i];
    }
  }
  return NULL;
}

static void step_enter(peer_player *p, const scenario_page *lines, const scenario_step *back) {
  (void)scenario_names_number(&p->names, "back_at", back->offset);
  (void)scenario_names_number(&p->names, "back_len", back->num);
  p->outer = p->place;
  p->place = (player_place){.scn = lines};
  p->wait_until = 0;
}

/* Checks a region once it is known: its size and rights, its names and its contents. */
static void step_region(peer_player *p) {
  const uint32_t needs = p->page->info.needs;
  const scenario_step *back = step_readback(p);
  step_region_names(p);
  if (p->region_checked || p->how.scripted) {
    return;
  }
  p->region_checked = true;
  if ((needs & PEER_OFFER_RIGHTS) != 0 && (p->region.read_only == 0 || p->region.write_only == 0)) {
    player_decide(p, PEER_SKIPPED, 0, "", "", "needs rights");
  } else if ((needs & PEER_OFFER_PD) != 0 && p->region.other_pd == 0) {
    player_decide(p, PEER_SKIPPED, 0, "", "", "needs pd");
  } else if (back != NULL) {
    if (back->offset + back->num > p->region.len) {
      player_decide(p, PEER_SKIPPED, back->number, "", "", "needs a larger region");
      return;
    }
    step_enter(p, &p->baseline, back);
  }
}

static bool step_takes_region(const scenario_step *step) {
  static const char word[] = "=>$region";
  for (size_t i = 0; step->kind == SCENARIO_STEP_ITEM && i + sizeof word - 1 <= step->len; i++) {
    if (memcmp(step->text + i, word, sizeof word - 1) == 0) {
      return true;
    }
  }
  return false;
}

/* The octets that were read on the new connection. */
static uint64_t step_compared(peer_player *p, const scenario_step *step) {
  const bool wrote = p->wrote_len > 0 && p->read_back_len <= p->wrote_len &&
                     memcmp(p->read_back, p->wrote, p->read_back_len) == 0;
  const bool same = p->base_len == p->read_back_len && p->base_len > 0 &&
                    memcmp(p->base, p->read_back, p->base_len) == 0;
  const char *due = step->written ? "the octets that were sent" : "the octets from before";
  const char *is = wrote ? "the octets that were sent" : same ? "the octets from before" : "others";
  if (p->renewed && !wrote) { /* octets of the tester show that the region is the same */
    player_decide(p, PEER_UNDECIDED, step->number, due, is,
                  "COMMAND was started again: its memory may be new");
  } else if (p->base_len != p->read_back_len || p->read_back_len != step->num) {
    player_decide(p, PEER_UNDECIDED, step->number, due, "", "the region was not read");
  } else if (wrote && same) {
    player_decide(p, PEER_UNDECIDED, step->number, due, is, "the region held these octets before");
  } else if (step->written ? !wrote : !same) {
    player_decide(p, PEER_FAIL, step->number, due, is, "");
  }
  return step_done(p);
}

static uint64_t step_back(peer_player *p, const scenario_step *step) {
  if (p->how.scripted) {
    p->answers_wrote = step->written;
    (void)step_done(p);
    step_enter(p, &p->back, step);
    return STEP_AGAIN;
  }
  if (p->read_back_len > 0) {
    return step_compared(p, step);
  }
  step_enter(p, &p->back, step);
  return STEP_AGAIN;
}

/* ---- other steps ---- */

static uint64_t step_connection(peer_player *p, const scenario_step *step) {
  if (step->num == p->connection) {
    return step_done(p);
  }
  const uint64_t until = step_until(p, player_wait_ns(p));
  if (p->is_open && !p->fin_in && !p->rst_in && p->now < until) {
    player_inbox_drop(p, p->num_inbox);
    return until; /* octets are read before this side closes */
  }
  if (!p->fin_out && !p->rst_in && p->is_open) {
    (void)player_act(p, PEER_ACTION_SHUTDOWN, (iwarp_span){NULL, 0}, step->number);
  }
  (void)step_done(p);
  p->region = (peer_region){.known = false};
  p->phase = PHASE_OPENING;
  (void)player_act(p, PEER_ACTION_OPEN, (iwarp_span){NULL, 0}, step->number);
  return p->now;
}

static uint64_t step_pause(peer_player *p, const scenario_step *step) {
  const uint64_t until = step_until(p, step->ns);
  return p->now >= until || (p->how.scripted && p->fin_in) ? step_done(p) : until;
}

static uint64_t step_close(peer_player *p, const scenario_step *step) {
  (void)player_act(p, PEER_ACTION_SHUTDOWN, (iwarp_span){NULL, 0}, step->number);
  return step_done(p);
}

static uint64_t step_stop(peer_player *p, const scenario_step *step) {
  p->reading_off = !p->how.scripted;
  if (p->reading_off) {
    (void)player_act(p, PEER_ACTION_READING, (iwarp_span){NULL, 0}, step->number);
  }
  return step_done(p);
}

static uint64_t step_verdict(peer_player *p, const scenario_step *step) {
  char why[PEER_TEXT_CAP];
  const peer_verdict verdict = step->kind == SCENARIO_STEP_PASS      ? PEER_PASS
                               : step->kind == SCENARIO_STEP_ALLOWED ? PEER_ALLOWED
                                                                     : PEER_FAIL;
  snprintf(why, sizeof why, "%.*s", (int)step->reason.len,
           step->reason.text != NULL ? step->reason.text : "");
  if (verdict == PEER_FAIL && p->unagreed != NULL) {
    player_decide(p, PEER_UNDECIDED, step->number, NULL, NULL, p->unagreed);
    return STEP_AGAIN;
  }
  player_decide(p, verdict, step->number, NULL, NULL, why);
  return STEP_AGAIN;
}

/* A scripted peer sends the first alternative, and answers a probe. */
static uint64_t step_scripted(peer_player *p, const scenario_step *step) {
  if (step->kind == SCENARIO_STEP_EITHER) {
    return step_done(p);
  }
  while (p->num_inbox > 0) { /* PROBE: the Read is answered here */
    const bool asks =
        p->inbox[0]->kind == SEEN_MESSAGE && p->inbox[0]->opcode == IWARP_RDMAP_OP_READ_REQ;
    const bool ends = p->inbox[0]->kind == SEEN_FIN || p->inbox[0]->kind == SEEN_RST;
    if (asks) {
      player_answer(p, p->inbox[0]);
    }
    if (!ends) {
      player_inbox_drop(p, 1);
    }
    if (asks || ends) {
      return step_done(p);
    }
  }
  const uint64_t until = step_until(p, player_wait_ns(p));
  return p->now >= until ? step_done(p) : until;
}

/* A segment of a message that goes on: the line of its last segment is compared with it. */
static bool step_is_part(const scenario_step *step) {
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  for (size_t i = 2; i < line.num; i++) {
    if (scn_word_is(&line.words[i], "last") && scn_value_is(&line.words[i], "0")) {
      return true;
    }
  }
  return false;
}

static uint64_t step_one(peer_player *p, const scenario_step *step) {
  switch (step->kind) {
  case SCENARIO_STEP_STATEMENT:
  case SCENARIO_STEP_OR:
  case SCENARIO_STEP_END: return step_done(p);
  case SCENARIO_STEP_ITEM:
    if (step_is_due(p, step)) {
      return step_is_part(step) ? step_done(p) : step_due(p);
    }
    return step_say(p, step);
  case SCENARIO_STEP_CLOSE: return step_is_due(p, step) ? step_due(p) : step_close(p, step);
  case SCENARIO_STEP_SILENCE:
    return step_is_due(p, step) && !p->how.scripted ? step_due(p) : step_pause(p, step);
  case SCENARIO_STEP_EITHER:
  case SCENARIO_STEP_PROBE: return p->how.scripted ? step_scripted(p, step) : step_due(p);
  case SCENARIO_STEP_PAUSE: return step_pause(p, step);
  case SCENARIO_STEP_DRIP:
    p->drip_ns = p->how.scripted ? 0 : step->ns;
    p->drip_num = (size_t)step->num;
    return step_done(p);
  case SCENARIO_STEP_STOP_READING: return step_stop(p, step);
  case SCENARIO_STEP_READBACK: return step_back(p, step);
  case SCENARIO_STEP_CONNECTION: return step_connection(p, step);
  case SCENARIO_STEP_PASS:
  case SCENARIO_STEP_ALLOWED:
  case SCENARIO_STEP_FAIL: return step_verdict(p, step);
  }
  return step_done(p);
}

/* The page, or the list of a readback, has no more lines. */
static uint64_t step_none(peer_player *p) {
  if (p->outer.scn != NULL) {
    p->place = p->outer;
    p->outer.scn = NULL;
    p->wait_until = 0;
    step_pattern(p);
    return STEP_AGAIN;
  }
  player_decide(p, PEER_PASS, 0, NULL, NULL, "");
  return STEP_AGAIN;
}

uint64_t player_run(peer_player *p) {
  uint64_t until = STEP_AGAIN;
  while (until == STEP_AGAIN && !p->decided && p->phase == PHASE_PLAYING) {
    const scenario_step *step = step_now(p);
    if (p->at_act < p->num_acts) {
      return p->now; /* queued actions go out first */
    }
    if (step == NULL) {
      until = step_none(p);
      continue;
    }
    step_mirrored_terms(p, step);
    if (p->region.known && step_takes_region(step) && step_is_due(p, step)) {
      until = step_done(p); /* the Private Data had it */
    } else {
      until = step_one(p, step);
    }
    if (p->region.known && !p->region_named && p->emitted > 0) { /* a Request waits for its Reply */
      p->region_named = true;
      step_region(p);
    }
  }
  return until;
}
