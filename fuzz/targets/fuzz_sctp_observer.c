/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The observer of a DDP stream over SCTP, and all rules: every message comes back once, whatever
 * comes in whatever order; where both sides are right nothing is found, also of what is left when
 * messages are lost.
 */
#include <iwarp/sctp_observer.h>
#include <stdalign.h>
#include <string.h>

#include "judge.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define MESSAGES 1024u
#define USER_MAX 40u

typedef enum item_kind { MESSAGE = 0, LOST, INIT, SKIP, DROP } item_kind;

/* An input of the observer; the items are given in this order. */
typedef struct item {
  item_kind kind;
  uint8_t side;
  uint8_t how; /* LOST: why, and whether its place is known */
  iwarp_sctp_captured m;
  uint8_t octets[USER_MAX];
  iwarp_sctp_assoc_params init;
} item;

static item items[MESSAGES];
static size_t num_items;
static bool right; /* both sides are right */
static iwarp_span tape;
static uint64_t next_pos[2];
static uint16_t next_ssn[2];
static uint32_t next_msn[2];

static alignas(max_align_t) uint8_t memory[65536];
static iwarp_sctp_observer *obs;
static alignas(max_align_t) uint8_t assoc_mem[IWARP_SCTP_ASSOC_SIZE];
static uint64_t packet; /* the current one; it is captured at ten times its number */
static iwarp_certainty_assoc certain_assoc;
static iwarp_certainty_stream certain;
static judge *rules;
static unsigned back[MESSAGES]; /* times that a message came back */
static unsigned ends;           /* ENDs of side 0 that no END of side 1 followed */

/* ---- what the sides say ---- */

static void number(uint8_t *at, uint64_t v, size_t octets) {
  while (octets-- > 0) {
    *at++ = (uint8_t)(v >> 8 * octets);
  }
}

static item *add(item_kind kind, uint8_t side) {
  item *i = &items[num_items++];
  memset(i, 0, sizeof *i);
  i->kind = kind;
  i->side = side;
  return i;
}

static item *message(uint8_t side, uint32_t ppid, size_t len) {
  item *i = add(MESSAGE, side);
  i->m = (iwarp_sctp_captured){.pos = next_pos[side]++,
                               .len = 1,
                               .ppid = ppid,
                               .length = (uint32_t)len,
                               .fragments = 1,
                               .evidence = {.received = next_pos[1 - side]}};
  number(i->octets, next_ssn[side]++, 2);
  return i;
}

static item *control(uint8_t side, uint16_t function, size_t private_data) {
  item *i = message(side, IWARP_SCTP_PPID_CONTROL, 4 + private_data);
  number(&i->octets[2], function, 2);
  return i;
}

static item *segment(uint8_t side, bool tagged, size_t payload) {
  item *i = message(side, IWARP_SCTP_PPID_SEGMENT, 2 + (tagged ? 14u : 18u) + payload);
  uint8_t *at = &i->octets[2];
  number(at, tagged ? 0xC140 : 0x4143, 2);
  if (tagged) {
    number(at + 2, 0x100, 4);
    number(at + 6, 0x1000, 8);
  } else {
    number(at + 10, ++next_msn[side], 4);
  }
  return i;
}

static void begin(uint8_t enhanced) {
  const uint16_t first = (enhanced & 1u) != 0 ? IWARP_SCTP_ENHANCED_INITIATE : IWARP_SCTP_INITIATE;
  num_items = 0;
  for (uint8_t side = 0; side < 2; side++) {
    next_pos[side] = 1000;
    next_ssn[side] = 0;
    next_msn[side] = 0;
  }
  (void)control(0, first, (enhanced & 1u) != 0 ? 4 : enhanced >> 1 & 4u);
  (void)control(1, (uint16_t)(first + 1), (enhanced & 1u) != 0 ? 4 : 0);
}

/* The next step of two sides that do what they must. */
static bool right_step(uint8_t what) {
  const uint8_t side = what & 1u;
  switch (what >> 1 & 7u) {
  case 5: (void)segment(side, true, what >> 4); break;
  case 6: segment(side, false, what >> 4)->kind = LOST; break;
  case 7:
    if ((what & 0xF0u) == 0xF0u) {
      (void)control(side, IWARP_SCTP_TERMINATE, 0); /* the Terminate is answered, RFC 5043 6.5 */
      (void)control(1 - side, IWARP_SCTP_TERMINATE, 0);
      return false;
    }
    (void)segment(side, false, what >> 4);
    break;
  default: (void)segment(side, false, what >> 4);
  }
  return true;
}

static void change(item *i) {
  const uint8_t how = fuzz_take(&tape);
  iwarp_sctp_captured *m = &i->m;
  switch (how & 7u) {
  case 0: i->octets[how >> 3 & 15u] ^= fuzz_take(&tape); return;
  case 1: number(i->octets, (uint64_t)(how >> 3) << (fuzz_take(&tape) & 11u), 2); return;
  case 2: m->length = how >> 3; return;
  case 3: m->ppid = (how & 8u) != 0 ? (uint32_t)how << 24 : how >> 3; return;
  case 4: m->evidence.received -= (how & 8u) != 0 ? m->evidence.received : how >> 4; return;
  case 5: m->evidence.acked = next_pos[i->side] - (how >> 3); return;
  case 6: m->pos -= how >> 3; return;
  default:
    m->ordered = (how & 8u) != 0;
    m->damaged = (how & 16u) != 0;
    m->evidence.needless = (how & 32u) != 0;
    m->fragments += how >> 6;
    m->evidence.cause_seen = (how & 64u) != 0;
  }
}

static void any_init(uint8_t side, uint8_t what) {
  item *i = add(INIT, side);
  i->init = (iwarp_sctp_assoc_params){.ack = (what & 0x80u) != 0,
                                      .whole = (what & 0x40u) == 0,
                                      .has_adaptation = (what & 0x20u) == 0,
                                      .adaptation = 1u + (what >> 4 & 1u),
                                      .out_streams = fuzz_take(&tape),
                                      .in_streams = fuzz_take(&tape),
                                      .tsn = next_pos[side]};
}

/* Anything that an association can hold. */
static void any_step(uint8_t what) {
  const uint8_t side = what & 1u;
  switch (what >> 1 & 7u) {
  case 0:
  case 1: (void)right_step(what); break;
  case 2: change(control(side, (uint16_t)(what >> 4), fuzz_take(&tape) % 8u)); break;
  case 3: change(segment(side, (what & 16u) != 0, what >> 5)); break;
  case 4: add(LOST, side)->how = what; break;
  case 5: any_init(side, what); break;
  case 6: (void)add(SKIP, side); break;
  default:
    next_ssn[side] = (uint16_t)(next_ssn[side] + (int8_t)fuzz_take(&tape));
    if ((what & 0xF0u) == 0xF0u) {
      (void)add(DROP, side);
    }
  }
}

static void talk(uint8_t enhanced) {
  begin(enhanced);
  bool more = true;
  while (more && tape.len > 0 && num_items + 2 <= MESSAGES) {
    const uint8_t what = fuzz_take(&tape);
    if (right) {
      more = right_step(what);
    } else {
      any_step(what);
    }
  }
}

/* ---- the observer's events ---- */

static void finding(void *context, const iwarp_finding *f) {
  const size_t *drop = context;
  fuzz_expect(!right || !judge_is_fault(f), "%s of side %u, who is right; without item %zu",
              iwarp_rule_get(f->rule)->slug, f->side, *drop);
}

/* The runs of a payload are no longer than its segment says. */
static void payload(const iwarp_event *ev) {
  iwarp_span run;
  size_t cursor = 0;
  size_t n = 0;
  while (iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    n += run.len;
  }
  fuzz_expect(ev->kind != IWARP_EVENT_SCTP_SEGMENT || n <= ev->u.fpdu.seg.payload_len,
              "%zu octets of payload", n);
}

static void drain(size_t *drop) {
  iwarp_event ev;
  size_t n = 0;
  while (iwarp_sctp_observer_next_event(obs, &ev) == IWARP_OK) {
    const bool end = ev.kind == IWARP_EVENT_END;
    fuzz_expect(++n <= 8 * (IWARP_SCTP_OBSERVER_WINDOW + 4), "there is no end of events");
    fuzz_expect(ev.sctp != NULL && ev.side < 2, "an event of no stream");
    fuzz_expect(end ? ends == ev.side : ends == 0, "an event between the ENDs");
    ends = end && ev.side == 0 ? 1 : 0;
    payload(&ev);
    const iwarp_sctp_certainty *certainty =
        iwarp_certainty_event(&certain, iwarp_sctp_observer_info_get(obs), &ev);
    if (ev.kind == IWARP_EVENT_SCTP_MESSAGE || ev.kind == IWARP_EVENT_SCTP_SEGMENT) {
      back[(const item *)ev.sctp->u.message.captured->user - items]++;
    }
    if (rules == NULL) {
      rules = judge_new(0, finding, drop);
    }
    judge_sctp_event(rules, iwarp_sctp_observer_info_get(obs), &ev, certainty);
    if (end && ev.side == 1) {
      judge_finish(rules, iwarp_sctp_observer_info_get(obs));
      rules = NULL;
    }
  }
}

static void lose(iwarp_sctp_assoc *assoc, const item *i, bool lost[2]) {
  const iwarp_gap_reason reason = (i->how & 32u) != 0 ? IWARP_GAP_SNAPLEN : IWARP_GAP_LOST;
  iwarp_sctp_assoc_lost(assoc, i->side, reason);
  iwarp_certainty_lost(&certain_assoc, i->side, (i->how & 16u) != 0 ? 0 : i->m.pos + i->m.len);
  lost[i->side] = true;
}

/* Gives the observer a message; a message with too few captured octets is lost. */
static void push(iwarp_sctp_assoc *assoc, item *i, bool lost[2]) {
  i->m.user = i;
  i->m.user_data = (iwarp_span){i->octets, i->m.length < USER_MAX ? i->m.length : USER_MAX};
  i->m.evidence.cause_seen = right ? !lost[1 - i->side] : i->m.evidence.cause_seen;
  i->m.last = i->m.first =
      (iwarp_meta){.packet = packet,
                   .time_ns = packet * 10,
                   .peer_pos = i->m.evidence.cause_seen ? 0 : IWARP_POS_UNKNOWN,
                   .segment_start = true,
                   .damaged = i->m.damaged};
  iwarp_certainty_passed(&certain_assoc, i->side, i->m.pos + i->m.len);
  if (!iwarp_sctp_captured_enough(&i->m)) {
    iwarp_sctp_assoc_lost(assoc, i->side, IWARP_GAP_SNAPLEN);
    iwarp_certainty_lost(&certain_assoc, i->side, 0);
    back[i - items]++;
  } else {
    fuzz_expect(iwarp_sctp_observer_push(obs, i->side, &i->m) == IWARP_OK, "a push was refused");
  }
}

static void give(iwarp_sctp_assoc *assoc, item *i, bool lost[2], bool dropped) {
  back[i - items] = i->kind == MESSAGE && !dropped ? 0 : 1;
  switch (dropped ? LOST : i->kind) {
  case MESSAGE: push(assoc, i, lost); return;
  case LOST: lose(assoc, i, lost); return;
  case INIT: iwarp_sctp_assoc_set_params(assoc, i->side, &i->init); return;
  case SKIP: (void)iwarp_sctp_observer_skip(obs); return;
  case DROP:
    iwarp_sctp_observer_drop(obs);
    iwarp_certainty_drop(&certain);
    rules = NULL;
  }
}

/* Gives all items but item `drop`; the capture knows that this item is lost. */
static void run(uint8_t how, size_t drop) {
  const bool start_known[2] = {(how & 2u) == 0, (how & 4u) == 0};
  iwarp_sctp_assoc *assoc = NULL;
  fuzz_expect(iwarp_sctp_assoc_init(&assoc, assoc_mem, sizeof assoc_mem) == IWARP_OK,
              "no association");
  iwarp_sctp_assoc_set_start(assoc, 0, start_known[0]);
  iwarp_sctp_assoc_set_start(assoc, 1, start_known[1]);
  bool lost[2] = {false, false};
  const iwarp_sctp_observer_cfg cfg = {.size = sizeof cfg,
                                       .assoc = assoc,
                                       .stream = 7,
                                       .joined = (how & 6u) != 0,
                                       .window = (how & 8u) != 0 ? 3 : 0,
                                       .patience = (how & 16u) != 0 ? 1 : 0};
  const size_t size = iwarp_sctp_observer_size(&cfg);
  fuzz_expect(size > 0 && iwarp_sctp_observer_init(&obs, memory, size, &cfg) == IWARP_OK,
              "no observer");
  certain_assoc = (iwarp_certainty_assoc){.start_known = {start_known[0], start_known[1]}};
  certain = (iwarp_certainty_stream){.assoc = &certain_assoc, .id = 7};
  rules = NULL;
  ends = 0;
  for (size_t i = 0; i < num_items; i++) {
    packet = i + 1;
    iwarp_sctp_assoc_now(assoc, packet, packet * 10);
    give(assoc, &items[i], lost, i == drop);
    drain(&drop);
  }
  /* a missing Terminate is wrong only if the association was closed */
  const iwarp_end end = right ? IWARP_END_CAPTURE : (iwarp_end)(how >> 5 & 3u);
  if (end == IWARP_END_FIN || end == IWARP_END_RST) {
    iwarp_certainty_ended(&certain_assoc, how & 1u, num_items + 1);
  }
  fuzz_expect(iwarp_sctp_observer_eof(obs, end) == IWARP_OK, "an end");
  drain(&drop);
  fuzz_expect(rules == NULL, "a session without its ENDs");
  fuzz_expect(certain_assoc.sessions == 0 && certain_assoc.burst[0].streams == 0 &&
                  certain_assoc.burst[1].streams == 0,
              "a session that is over counts");
  for (size_t i = 0; i < num_items; i++) {
    fuzz_expect(back[i] == 1, "message %zu comes back %u times", i, back[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const uint8_t enhanced = fuzz_u8(&f);
  right = (how & 1u) == 0;
  tape = (iwarp_span){f.body, f.len};
  talk(enhanced);
  run(how, SIZE_MAX);
  if (num_items > 0) {
    run(how, fuzz_u16(&f) % num_items);
  }
  return 0;
}
