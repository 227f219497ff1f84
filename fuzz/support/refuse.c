/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is refused: which requests. */
#include "refuse.h"

refusal refusal_of(fuzz_in *in) {
  const uint8_t how = fuzz_u8(in);
  const uint8_t first = fuzz_u8(in);
  return (refusal){.first = (how & 1u) != 0 ? 1u + first : 0, .every = how >> 1 & 15u};
}

bool refusal_now(refusal *r) {
  r->asked++;
  return r->first != 0 && r->asked >= r->first &&
         (r->every > 0 ? (r->asked - r->first) % r->every == 0 : r->asked == r->first);
}
