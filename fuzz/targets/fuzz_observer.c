/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The observer of a connection, and all rules: nothing depends on how the octets are cut; missing
 * octets of Full Operation add no finding to a conformant stream. If a rule is broken, a payload
 * may look like FPDUs after a loss, so nothing is checked then.
 */
#include <iwarp/observer.h>

#include "script.h"
#include "watch.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

static watch whole;
static watch other;

static void cut(const iwarp_observer_cfg *cfg, const run_start *start, const stream_script *s,
                fuzz_in *f) {
  const size_t most = 1 + fuzz_u8(f);
  prng p = {.state = fuzz_u8(f)};
  stream_script pieces = script_cut(s, &p, most);
  stream_log a = run_conn(cfg, start, s, NULL);
  stream_log b = run_conn(cfg, start, &pieces, NULL);
  fuzz_expect(log_same(&a, &b), "other events when the octets are cut");
  const size_t apart = cfg->max_ulpdu != UINT16_MAX ? SCRIPT_PACKETS_LEAST : SCRIPT_PACKETS;
  for (uint8_t side = 0; side < 2; side++) {
    fuzz_expect(s->num > apart || log_accounts(&a, s, side, start->pos[side]),
                "octets are not accounted for");
  }
  watch_run(&whole, cfg, start, s, SIZE_MAX);
  watch_run(&other, cfg, start, &pieces, SIZE_MAX);
  watch_same(&whole, &other);
  log_free(&a);
  log_free(&b);
  script_free(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const iwarp_observer_cfg cfg = {.size = sizeof cfg,
                                  .full_operation = (how & 1u) != 0,
                                  .markers = (iwarp_tristate)(how / 8 % 3),
                                  .crc = (iwarp_tristate)(how / 32 % 3),
                                  .max_ulpdu = how >= 192 ? 200 : UINT16_MAX};
  const run_start start = {.pos = {1001, 0xFFFFFF00u}, .known = {(how & 2u) == 0, (how & 4u) == 0}};
  stream_script s = script_make((iwarp_span){f.body, f.len}, start.pos);
  cut(&cfg, &start, &s, &f);
  const bool reported = cfg.full_operation || cfg.markers != IWARP_TRISTATE_UNKNOWN ||
                        cfg.crc != IWARP_TRISTATE_UNKNOWN; /* a user may be wrong */
  if (!reported && whole.clean &&
      whole.full_from < s.num) { /* an earlier frame may stand for a lost one */
    const size_t lost = whole.full_from + fuzz_u16(&f) % (s.num - whole.full_from);
    watch_run(&other, &cfg, &start, &s, lost);
    watch_no_more(&whole, &other);
  }
  script_free(&s);
  return 0;
}
