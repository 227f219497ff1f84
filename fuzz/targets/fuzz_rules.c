/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All rules over a list of events: what one event costs is bounded; with memory of a pool the same
 * is found, and no more where the pool has none. Where the list is one that an observer can report,
 * a frame that the capture lacks, or holds too late, makes no new finding. Segments have fields of
 * the tape, or fields of a right conversation that the tape changes.
 */
#include <string.h>

#include "fuzz.h"
#include "rules_fixture.h"
#include "test_pool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define EVENTS_MAX 400u
#define AN_EVENT 128u /* findings of one event, at most */
#define STARTUPS 2u   /* the first events of a list that an observer can report */

static iwarp_span tape;

/* ---- a frame that was captured after the other side's answers to it ---- */

static struct {
  uint64_t number; /* number of the late frame, FIXTURE_KEEP: no frame is late */
  uint64_t frames; /* frames so far */
  bool waits;      /* the late frame is not in its place */
  unsigned side;
  struct fixture_seg seg;
  uint64_t received; /* position that the sender of the frame had received */
  uint64_t len;
} late;

static void late_begin(uint64_t number) {
  late.number = number;
  late.frames = 0;
  late.waits = false;
}

static void late_comes(struct rules_fixture *l) {
  if (late.waits) {
    late.waits = false;
    l->received = late.received;
    fixture_fpdu(l, late.side, late.seg);
  }
}

static uint64_t wire_len(const struct rules_fixture *l, unsigned side,
                         const struct fixture_seg *s) {
  const size_t header = s->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const size_t len = s->short_ulpdu ? s->ulpdu_len : header + s->len;
  return iwarp_mpa_layout_of(l->next[side] - l->info.side[side].full_pos, (uint16_t)len,
                             l->info.side[side].markers == IWARP_TRISTATE_ON)
      .wire_len;
}

static void frame(struct rules_fixture *l, unsigned side, struct fixture_seg s) {
  if (late.frames++ == late.number) {
    late.waits = true;
    late.side = side;
    late.seg = s;
    late.received = l->next[1 - side];
    late.len = wire_len(l, side, &s);
    return;
  }
  if (late.waits && side == late.side) {
    late_comes(l);
  }
  if (late.waits) { /* the sender has the late frame */
    l->received = l->next[late.side] + late.len;
  }
  fixture_fpdu(l, side, s);
}

/* ---- events ---- */

/* A small number more often than a large one. */
static uint32_t some(void) {
  const uint8_t v = fuzz_take(&tape);
  return v < 0xF0u   ? v
         : v < 0xFCu ? (uint32_t)fuzz_take(&tape) << 24
                     : UINT32_MAX - fuzz_take(&tape);
}

static void startup(struct rules_fixture *l, unsigned side, uint8_t how) {
  struct fixture_frame f = fixture_request();
  f.reply = side == 1;
  f.wrong_key = (how & 0xF0u) == 0xF0u;
  f.flags = fuzz_take(&tape);
  f.rev = fuzz_take(&tape) % 4u;
  f.enh = (iwarp_mpa_enhanced){.a = (how & 1u) != 0,
                               .b = (how & 2u) != 0,
                               .c = (how & 4u) != 0,
                               .d = (how & 8u) != 0,
                               .ird = (uint16_t)(some() & 0x3FFFu),
                               .ord = (uint16_t)(some() & 0x3FFFu)};
  f.pd_length = (uint16_t)(fuzz_take(&tape) * 3u);
  f.missing = (how & 0x70u) == 0x70u && f.pd_length > 0 ? 1 : 0;
  fixture_startup(l, side, &f);
  fixture_settle(l);
}

/* Octets of the payload of the next frame, which those before it may still lie in. */
static uint8_t *payload(unsigned side) {
  static uint8_t of_late[256];
  static uint8_t of_side[2][256];
  uint8_t *octets = late.frames == late.number ? of_late : of_side[side];
  memset(octets, 0, sizeof of_late);
  return octets;
}

/* A segment of any opcode, of fields that the tape gives. */
static struct fixture_seg any_segment(uint8_t how, uint8_t *octets) {
  const uint8_t opcode = fuzz_take(&tape) % 16u;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  struct fixture_seg s = op->tagged ? fixture_tagged(opcode, 0x1000u + some(), 0x2000u + some(), 0)
                                    : fixture_untagged(opcode, some(), some(), 0);
  s.ddp.last = (how & 1u) == 0;
  s.len = op->hdr_len + (op->payload ? fuzz_take(&tape) % 128u : 0);
  s.payload = octets;
  for (size_t i = 0; i < op->hdr_len && i < 8; i++) {
    octets[i * 3] = fuzz_take(&tape);
  }
  return s;
}

/* ---- a conversation that is right ---- */

#define ASKED 8u /* Requests that wait for their answers; FIXTURE_DEPTH are agreed on */

static struct {
  uint32_t msn[2][4]; /* MSN of the last message of a side on a queue */
  bool open[2];       /* a Send goes on */
  uint32_t mo[2];     /* MO of that Send */
  struct {
    bool atomic;
    uint32_t size; /* octets of a Read, or the Request Identifier */
  } asked[2][ASKED];
  unsigned num[2];
} talk;

static struct fixture_seg talk_send(unsigned side, uint8_t how) {
  const uint8_t opcode =
      talk.open[side] || (how & 8u) == 0 ? IWARP_RDMAP_OP_SEND : IWARP_RDMAP_OP_SEND_SE;
  const size_t len = fuzz_take(&tape) % 128u;
  talk.msn[side][0] += talk.open[side] ? 0 : 1;
  const uint32_t mo = talk.open[side] ? talk.mo[side] : 0;
  struct fixture_seg s = fixture_untagged(opcode, talk.msn[side][0], mo, len);
  s.ddp.last = opcode != IWARP_RDMAP_OP_SEND || (how & 0x10u) == 0;
  talk.open[side] = !s.ddp.last;
  talk.mo[side] = mo + (uint32_t)len;
  return s;
}

static struct fixture_seg talk_ask(unsigned side, bool atomic, uint8_t *octets) {
  const uint32_t msn = ++talk.msn[side][IWARP_RDMAP_QN_READ_REQ];
  const uint32_t size = atomic ? msn : fuzz_take(&tape) % 64u;
  const iwarp_rdmap_atomic_req req = fixture_fetch_add(msn);
  size_t len = 0;
  talk.asked[side][talk.num[side]].atomic = atomic;
  talk.asked[side][talk.num[side]++].size = size;
  if (!atomic) {
    return fixture_read_request(octets, msn, size);
  }
  (void)iwarp_rdmap_atomic_req_encode(octets, IWARP_RDMAP_ATOMIC_REQ_LEN, &len, &req);
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, msn, 0, 0), octets, len);
}

/* Answers the oldest Request of the other side. */
static struct fixture_seg talk_answer(unsigned side, uint8_t *octets) {
  const unsigned peer = 1 - side;
  const uint32_t size = talk.asked[peer][0].size;
  const bool atomic = talk.asked[peer][0].atomic;
  const iwarp_rdmap_atomic_resp resp = {.request_id = size, .original = 7};
  size_t len = 0;
  memmove(&talk.asked[peer][0], &talk.asked[peer][1],
          --talk.num[peer] * sizeof talk.asked[peer][0]);
  if (!atomic) {
    return fixture_read_response(size);
  }
  const uint32_t msn = ++talk.msn[side][IWARP_RDMAP_QN_ATOMIC_RESP];
  (void)iwarp_rdmap_atomic_resp_encode(octets, IWARP_RDMAP_ATOMIC_RESP_LEN, &len, &resp);
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, msn, 0, 0), octets, len);
}

/* Nothing comes between the segments of a message. */
static struct fixture_seg talk_segment(unsigned side, uint8_t how, uint8_t *octets) {
  switch (talk.open[side] ? 0 : how & 7u) {
  case 0:
  case 1: return talk_send(side, how);
  case 2: return fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x1000u, 0x2000u, fuzz_take(&tape) % 128u);
  case 3:
  case 4:
    return talk.num[side] < ASKED ? talk_ask(side, (how & 8u) != 0, octets) : talk_send(side, how);
  default: return talk.num[1 - side] > 0 ? talk_answer(side, octets) : talk_send(side, how);
  }
}

/* ---- either ---- */

static void segment(struct rules_fixture *l, unsigned side, uint8_t how, bool right) {
  uint8_t *octets = payload(side);
  struct fixture_seg s =
      right ? talk_segment(side, fuzz_take(&tape), octets) : any_segment(how, octets);
  if (right && how < 0xFCu) {
    how = 0; /* most segments stay right */
  }
  if ((how & 0x0Eu) == 0x0Eu) {
    s.ddp.rsvdulp ^= fuzz_take(&tape);
    s.ddp.qn ^= fuzz_take(&tape) & 3u;
    s.ddp.tagged ^= (how & 0x10u) != 0;
    s.ddp.dv = fuzz_take(&tape) & 3u;
    s.ddp.rsvd = fuzz_take(&tape) & 15u;
  }
  if ((how & 0xE0u) == 0xE0u) {
    s.pad[0] = fuzz_take(&tape);
    s.crc_flip = fuzz_take(&tape);
    s.short_ulpdu = (how & 2u) != 0;
    s.ulpdu_len = fuzz_take(&tape) % 24u;
  }
  frame(l, side, s);
}

static void anything(struct rules_fixture *l, unsigned side, uint8_t what, bool ended[2]) {
  switch (what) {
  case 0:
    fixture_gap(l, side, 1u + some(),
                (fuzz_take(&tape) & 1u) != 0 ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN);
    return;
  case 1:
    fixture_undecodable(l, side, 1u + fuzz_take(&tape),
                        (iwarp_undec_reason)(fuzz_take(&tape) % 4u));
    return;
  case 2: fixture_streaming(l, side, 1u + fuzz_take(&tape)); return;
  case 3: l->damaged = !l->damaged; return;
  case 4: l->guess = !l->guess; return;
  case 5: l->no_ack = !l->no_ack; return;
  case 6: startup(l, side, fuzz_take(&tape)); return;
  default: fixture_end(l, side, (iwarp_end)(1u + fuzz_take(&tape) % 3u)); ended[side] = true;
  }
}

static void begin(struct rules_fixture *l, bool real, bool right) {
  memset(&talk, 0, sizeof talk);
  if (right) { /* either side may send from then on */
    fixture_open(l);
    frame(l, 0, talk_send(0, 0));
  } else if (real) {
    startup(l, 0, fuzz_take(&tape) & 0x0Fu);
    startup(l, 1, fuzz_take(&tape) & 0x0Fu);
  }
}

static void run(struct rules_fixture *l, bool real, bool right) {
  bool ended[2] = {false, false};
  begin(l, real, right);
  for (size_t i = 0; tape.len > 0 && i < EVENTS_MAX; i++) {
    const uint8_t what = fuzz_take(&tape);
    const unsigned side = what & 1u;
    const unsigned before = l->num;
    if (ended[side]) {
      continue;
    }
    if (!real && (what & 0x70u) == 0x70u) {
      anything(l, side, what >> 1 & 7u, ended);
    } else {
      segment(l, side, fuzz_take(&tape), right);
    }
    fuzz_expect(l->num - before <= 2 * AN_EVENT, "%u findings of one event", l->num - before);
  }
  late_comes(l);
  iwarp_rules_finish(l->rules, &l->info);
  fixture_take(l);
}

/* A gap has a packet, an FPDU two: so are the numbers after it one less. Without a startup frame
 * Markers may stand elsewhere, and positions move. */
static bool same_frame(const iwarp_finding *with, const iwarp_finding *without) {
  return with->pos == without->pos || with->last.packet == without->last.packet ||
         with->last.packet == without->last.packet + 1;
}

/* Without a startup frame other versions count as well: a frame that is wrong in one version may be
 * right in another, and then frames before and after it are decided. */
static bool is_of_version(const iwarp_finding *f) {
  const char *slug = iwarp_rule_get(f->rule)->slug;
  return strncmp(slug, "ddp.version", strlen("ddp.version")) == 0 ||
         strcmp(slug, "rdmap.version") == 0;
}

/* Looks for a finding of the same rule and side, or frame: a fault may hide another one. */
static bool has(const struct rules_fixture *l, const iwarp_finding *f, bool no_startup) {
  for (unsigned i = 0; i < l->num && i < FIXTURE_FINDINGS; i++) {
    const iwarp_finding *g = &l->findings[i];
    if (g->side == f->side &&
        (g->rule == f->rule || same_frame(g, f) || (no_startup && is_of_version(g)))) {
      return true;
    }
  }
  return l->num > FIXTURE_FINDINGS;
}

static void no_more(const struct rules_fixture *all, const struct rules_fixture *other,
                    const char *reason) {
  for (unsigned i = 0; i < other->num && i < FIXTURE_FINDINGS; i++) {
    const iwarp_rule *rule = iwarp_rule_get(other->findings[i].rule);
    fuzz_expect(rule->severity == IWARP_SEVERITY_NOTE ||
                    has(all, &other->findings[i], other->drop < STARTUPS),
                "%s of side %u, %s", rule->slug, other->findings[i].side, reason);
  }
}

/* The same events again, differently. */
typedef enum look { LESS = 0, LATE, ALONE, STARVED } look;

static void again(const struct rules_fixture *all, iwarp_span events, bool real, bool right,
                  look what, uint64_t which) {
  static struct rules_fixture other;
  test_pool pool;
  test_pool_begin(&pool, what == STARVED ? 2 : 0);
  fixture_init(&other);
  if (what >= ALONE) {
    fuzz_expect(iwarp_rules_init(&other.rules, other.mem, IWARP_RULES_SIZE,
                                 what == ALONE ? NULL : &pool.pool) == IWARP_OK,
                "no rules");
  }
  other.drop = what == LESS ? which : FIXTURE_KEEP;
  late_begin(what == LATE ? which : FIXTURE_KEEP);
  tape = events;
  run(&other, real, right);
  static const char *const whys[] = {"a frame is missing", "a frame is late", "without a pool",
                                     "a pool has no memory"};
  if (what != LATE || all->num == 0) { /* later, a fault may hide less than it did */
    no_more(all, &other, whys[what]);
  }
  iwarp_rules_release(other.rules);
  fuzz_expect(pool.live == 0, "memory is lost");
  fixture_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct rules_fixture all;
  fuzz_in f = fuzz_begin(data, size);
  bool real = fuzz_bool(&f);
  const uint64_t which = fuzz_u8(&f);
  const look what = (look)(fuzz_u8(&f) & 3u);
  const bool right = (fuzz_u8(&f) & 3u) == 2u;
  real = real || right;
  const iwarp_span events = {f.body, f.len};
  fixture_init(&all);
  late_begin(FIXTURE_KEEP);
  tape = events;
  run(&all, real, right);
  if (real || what >= ALONE) {
    again(&all, events, real, right, what,
          all.num_events > 0 ? which % all.num_events : FIXTURE_KEEP);
  }
  fixture_free(&all);
  return 0;
}
