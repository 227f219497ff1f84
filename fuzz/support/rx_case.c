/* SPDX-License-Identifier: BSD-2-Clause */
/* One input of the receive engine. */
#include "rx_case.h"

#include "script.h"

/* The steps of side 0, up to its end. */
static stream_script one_side(const stream_script *s) {
  stream_script out = script_new();
  for (size_t i = 0; i < s->num; i++) {
    if (s->steps[i].side == 0) {
      script_add(&out, s->steps[i]);
    }
  }
  return out;
}

static iwarp_rx_cfg rx_cfg(fuzz_in *f, iwarp_tristate crc) {
  const uint8_t how = fuzz_u8(f);
  return (iwarp_rx_cfg){.size = sizeof(iwarp_rx_cfg),
                        .pos = fuzz_u16(f),
                        .at_start = (how & 3u) != 3,
                        .unconfirmed = (how & 3u) == 2,
                        .markers = (iwarp_tristate)(how / 4 % 3),
                        .crc = crc,
                        .max_ulpdu = (how & 64u) != 0 ? 200 : UINT16_MAX};
}

void rx_case(const uint8_t *data, size_t size, iwarp_tristate crc) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_rx_cfg cfg = rx_cfg(&f, crc);
  const size_t most = 1 + fuzz_u8(&f);
  prng p = {.state = fuzz_u16(&f)};
  const uint64_t start[2] = {cfg.pos, 0};
  stream_script both = script_make((iwarp_span){f.body, f.len}, start);
  stream_script whole = one_side(&both);
  stream_script pieces = script_cut(&whole, &p, most);
  stream_log a = run_rx(&cfg, &whole);
  stream_log b = run_rx(&cfg, &pieces);
  fuzz_expect(log_same(&a, &b), "other events when the octets are cut");
  const size_t apart = cfg.max_ulpdu != UINT16_MAX ? SCRIPT_PACKETS_LEAST : SCRIPT_PACKETS;
  fuzz_expect(whole.num > apart || log_accounts(&a, &whole, 0, cfg.pos),
              "octets are not accounted for");
  log_free(&a);
  log_free(&b);
  script_free(&pieces);
  script_free(&whole);
  script_free(&both);
}
