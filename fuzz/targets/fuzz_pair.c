/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two endpoints whose ULPs do what the body says: no rule finds fault with either, and octets come
 * as they were sent; an octet may be spoilt on its way, then with the side that did not spoil it.
 */
#include <string.h>

#include "ulp.h"
#include "witness.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define STYLES (ULP_SHARES_REGIONS | ULP_SHARES_QUEUE)
#define SENT 4096u /* messages that are remembered */

static ulp ulps[2];
static ulp_message sent[2][SENT];
static uint64_t received[2]; /* messages that came to a side */

static bool is_spoilt(const endpoint_pair *p) {
  return p->spoil_with != 0 && p->spoil_at < p->s[p->spoil_side].sent;
}

static void event(void *context, size_t who, const iwarp_endpoint_event *ev) {
  if (!is_spoilt(context)) {
    ulp_intact(&ulps[who], ev, &ulps[1 - who], received[who]);
  }
  ulp_event(&ulps[who], ev, false);
  received[who] += ev->kind == IWARP_ENDPOINT_EVENT_RECV && ev->u.recv.err == IWARP_OK ? 1 : 0;
}

static void carry(endpoint_pair *p, iwarp_span *tape, uint8_t what) {
  const size_t who = what & 1u;
  const size_t n = (size_t)fuzz_take(tape) * 8u + 1;
  switch (what >> 1 & 3u) {
  case 0: (void)endpoint_pair_pull(p, who, n); return;
  case 1: (void)endpoint_pair_push(p, who, n); return;
  case 2: (void)endpoint_pair_push_at(p, who, n / 2, n); return;
  default: endpoint_pair_talk(p, n);
  }
}

static endpoint_pair *begin(fuzz_in *f) {
  iwarp_endpoint_cfg cfg[2];
  const uint8_t how = fuzz_u8(f);
  const uint8_t depths = fuzz_u8(f);
  const uint8_t more = fuzz_u8(f);
  cfg[0] = ulp_cfg(IWARP_ROLE_INITIATOR, how, depths, more & 0xDFu);
  cfg[1] = ulp_cfg(IWARP_ROLE_RESPONDER, (uint8_t)(how >> 3 | how << 5), (uint8_t)~depths,
                   (uint8_t)(more >> 2 | more << 6));
  const uint8_t style = fuzz_u8(f);
  ulp_new(&ulps[0], &cfg[0], style & STYLES);
  ulp_new(&ulps[1], &cfg[1], style >> 4 & STYLES);
  endpoint_pair *p = endpoint_pair_new(cfg, ULP_MEM);
  for (size_t who = 0; who < 2; who++) {
    ulp_begin(&ulps[who], p->s[who].h->ep, p->s[who].h->mem, &cfg[who]);
    ulp_fill(&ulps[who]);
    ulps[who].sent = sent[who];
    ulps[who].cap_sent = SENT;
    received[who] = 0;
  }
  endpoint_pair_hook(p, event, p);
  const uint8_t spoil = fuzz_u8(f);
  for (size_t who = 0; who < 2; who++) {
    p->s[who].h->hold_atomics = true;
    p->s[who].h->max_spans = spoil % 8u;
  }
  p->spoil_with = (uint8_t)(spoil >> 3);
  p->spoil_at = fuzz_u16(f) % 4096u;
  p->spoil_side = p->spoil_at & 1u;
  (void)iwarp_endpoint_listen(p->s[1].h->ep);
  (void)iwarp_endpoint_connect(p->s[0].h->ep, (iwarp_span){0});
  return p;
}

/* Accepts for a ULP that was asked. */
static void accept(size_t who) {
  if (ulps[who].due && iwarp_endpoint_accept(ulps[who].ep, (iwarp_span){0}) == IWARP_OK) {
    ulps[who].due = false;
  }
}

static void finish(endpoint_pair *p) {
  for (size_t i = 0; i < 16; i++) {
    for (size_t who = 0; who < 2; who++) {
      accept(who);
      ulp_answer(&ulps[who]);
      endpoint_pair_events(p, who);
    }
    endpoint_pair_talk(p, 1000);
  }
  for (size_t who = 0; who < 2; who++) {
    (void)iwarp_endpoint_close(p->s[who].h->ep);
    endpoint_pair_talk(p, 1000);
    ulp_answer(&ulps[who]);
    endpoint_pair_talk(p, 1000);
  }
  if (!p->s[0].h->over || !p->s[1].h->over) {
    endpoint_pair_drop(p);
  }
}

static void judge(const endpoint_pair *p, witness *w) {
  const unsigned sides = is_spoilt(p) ? 2u >> p->spoil_side : 3u;
  for (size_t who = 0; who < 2; who++) {
    ulp_over(&ulps[who]);
  }
  witness_finish(w);
  witness_tell(w, sides);
  fuzz_expect(witness_count(w, sides) == 0, "a violation of ours");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  iwarp_span tape = {f.body, f.len};
  endpoint_pair *p = begin(&f);
  witness *w = witness_of(p);
  while (tape.len > 0) {
    const uint8_t what = fuzz_take(&tape);
    const size_t who = what & 1u;
    if ((what & 8u) != 0) {
      carry(p, &tape, what);
    } else {
      accept(who);
      ulp_act(&ulps[who], &tape);
      endpoint_pair_events(p, who);
    }
  }
  finish(p);
  judge(p, w);
  endpoint_pair_free(p);
  witness_free(w);
  return 0;
}
