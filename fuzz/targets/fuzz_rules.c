/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All rules over a list of events: what one event costs is bounded; where the list is one that an
 * observer can report, a frame that the capture lacks makes no new finding.
 */
#include "fuzz.h"
#include "rules_fixture.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define EVENTS_MAX 400u
#define AN_EVENT 128u /* findings of one event, at most */

static iwarp_span tape;

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
  static uint8_t octets[2][256];
  const uint8_t opcode = fuzz_take(&tape) % 16u;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  struct fixture_seg s = op->tagged ? fixture_tagged(opcode, 0x1000u + some(), 0x2000u + some(), 0)
                                    : fixture_untagged(opcode, some(), some(), 0);
  s.ddp.last = (how & 1u) == 0;
  s.len = op->hdr_len + (op->payload ? fuzz_take(&tape) % 128u : 0);
  s.payload = octets[side];
  for (size_t i = 0; i < op->hdr_len && i < 8; i++) {
    octets[side][i * 3] = fuzz_take(&tape);
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
  fixture_fpdu(l, side, s);
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
    fuzz_expect(l->num - before <= AN_EVENT, "%u findings of one event", l->num - before);
  }
  iwarp_rules_finish(l->rules, &l->info);
  fixture_take(l);
}

/* Of the same rule and side, or of this frame or one before it: a fault of a frame may hide another
 * one, of it or of what follows it. Those of startup frames hide nothing. */
static bool has(const struct rules_fixture *l, const iwarp_finding *f) {
  const uint64_t full = l->info.side[f->side].full_pos;
  for (unsigned i = 0; i < l->num && i < FIXTURE_FINDINGS; i++) {
    const iwarp_finding *g = &l->findings[i];
    const bool hides = g->pos == f->pos || (g->pos < f->pos && g->pos >= full);
    if (g->side == f->side && (g->rule == f->rule || hides)) {
      return true;
    }
  }
  return l->num > FIXTURE_FINDINGS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct rules_fixture all;
  static struct rules_fixture less;
  fuzz_in f = fuzz_begin(data, size);
  const bool real = fuzz_bool(&f);
  fixture_init(&all);
  tape = (iwarp_span){f.body, f.len};
  run(&all, real);
  if (real) {
    fixture_init(&less);
    less.drop = all.num_events > 0 ? fuzz_u8(&f) % all.num_events : FIXTURE_KEEP;
    tape = (iwarp_span){f.body, f.len};
    run(&less, real);
    for (unsigned i = 0; i < less.num && i < FIXTURE_FINDINGS; i++) {
      const iwarp_rule *rule = iwarp_rule_get(less.findings[i].rule);
      fuzz_expect(rule->severity == IWARP_SEVERITY_NOTE || has(&all, &less.findings[i]),
                  "%s of side %u without frame %llu", rule->slug, less.findings[i].side,
                  (unsigned long long)less.drop);
    }
    fixture_free(&less);
  }
  fixture_free(&all);
  return 0;
}
