/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All rules over a list of events: what one event costs is bounded; with memory of a pool the same
 * is found, and no more where the pool has none. Where the list is one that an observer can report,
 * a frame that the capture lacks, or holds too late, makes no new finding.
 */
#include "fuzz.h"
#include "rules_fixture.h"
#include "test_pool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define EVENTS_MAX 400u
#define AN_EVENT 128u /* findings of one event, at most */

static iwarp_span tape;

/* ---- a frame that was captured after those of the other side that answer it ---- */

static struct {
  uint64_t number; /* of the frame, FIXTURE_KEEP: none is late */
  uint64_t frames; /* so far */
  bool waits;      /* it is not in its place */
  unsigned side;
  struct fixture_seg seg;
  uint64_t received; /* what its sender had received */
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
  if (late.waits) { /* its sender has it */
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

/* A segment of any opcode whose header is right but for what the tape changes. */
static void segment(struct rules_fixture *l, unsigned side, uint8_t how) {
  static uint8_t of_late[256];
  static uint8_t of_side[2][256];
  uint8_t *octets = late.frames == late.number ? of_late : of_side[side];
  const uint8_t opcode = fuzz_take(&tape) % 16u;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  struct fixture_seg s = op->tagged ? fixture_tagged(opcode, 0x1000u + some(), 0x2000u + some(), 0)
                                    : fixture_untagged(opcode, some(), some(), 0);
  s.ddp.last = (how & 1u) == 0;
  s.len = op->hdr_len + (op->payload ? fuzz_take(&tape) % 128u : 0);
  s.payload = octets;
  memset(octets, 0, sizeof of_late); /* nothing of a frame before it */
  for (size_t i = 0; i < op->hdr_len && i < 8; i++) {
    octets[i * 3] = fuzz_take(&tape);
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

static void run(struct rules_fixture *l, bool real) {
  bool ended[2] = {false, false};
  if (real) {
    startup(l, 0, fuzz_take(&tape) & 0x0Fu);
    startup(l, 1, fuzz_take(&tape) & 0x0Fu);
  }
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
      segment(l, side, fuzz_take(&tape));
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

/* Of the same rule and side, or of the same frame: a fault of a frame may hide another one. */
static bool has(const struct rules_fixture *l, const iwarp_finding *f) {
  for (unsigned i = 0; i < l->num && i < FIXTURE_FINDINGS; i++) {
    const iwarp_finding *g = &l->findings[i];
    if (g->side == f->side && (g->rule == f->rule || same_frame(g, f))) {
      return true;
    }
  }
  return l->num > FIXTURE_FINDINGS;
}

static void no_more(const struct rules_fixture *all, const struct rules_fixture *other,
                    const char *why) {
  for (unsigned i = 0; i < other->num && i < FIXTURE_FINDINGS; i++) {
    const iwarp_rule *rule = iwarp_rule_get(other->findings[i].rule);
    fuzz_expect(rule->severity == IWARP_SEVERITY_NOTE || has(all, &other->findings[i]),
                "%s of side %u, %s", rule->slug, other->findings[i].side, why);
  }
}

/* The same events again, differently. */
typedef enum look { LESS = 0, LATE, POOLED, STARVED } look;

static void again(const struct rules_fixture *all, iwarp_span events, bool real, look what,
                  uint64_t which) {
  static struct rules_fixture other;
  test_pool pool;
  test_pool_begin(&pool, what == STARVED ? 2 : 0);
  fixture_init(&other);
  if (what >= POOLED) {
    fuzz_expect(iwarp_rules_init(&other.rules, other.mem, IWARP_RULES_SIZE, &pool.pool) == IWARP_OK,
                "no rules");
  }
  other.drop = what == LESS ? which : FIXTURE_KEEP;
  late_begin(what == LATE ? which : FIXTURE_KEEP);
  tape = events;
  run(&other, real);
  static const char *const whys[] = {"a frame is missing", "a frame is late", "with a pool",
                                     "a pool has no memory"};
  fuzz_expect(what != POOLED || other.num == all->num, "%u findings, %u with a pool", all->num,
              other.num);
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
  const bool real = fuzz_bool(&f);
  const iwarp_span events = {f.body, f.len};
  fixture_init(&all);
  late_begin(FIXTURE_KEEP);
  tape = events;
  run(&all, real);
  const uint64_t which = fuzz_u8(&f);
  const look what = (look)(fuzz_u8(&f) & 3u);
  if (real || what >= POOLED) {
    again(&all, events, real, what, all.num_events > 0 ? which % all.num_events : FIXTURE_KEEP);
  }
  fixture_free(&all);
  return 0;
}
