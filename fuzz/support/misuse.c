/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that no caller should make: each is refused, and changes nothing. */
#include "misuse.h"

#define NO_STAG 0xBADBADu

static const uint8_t octets[600] = {1};
static const iwarp_span nowhere = {NULL, 8};
static const iwarp_span too_long = {octets, sizeof octets};

static iwarp_err payloads(iwarp_endpoint *ep, unsigned what) {
  const iwarp_span huge[2] = {{octets, UINT32_MAX}, {octets, 1}};
  const iwarp_span one = {octets, 8};
  switch (what) {
  case 0: return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){NULL, 1});
  case 1: return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){huge, 2});
  case 2:
    return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&nowhere, 1});
  case 3: return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_SEND, 7, (iwarp_tx_payload){&one, 1});
  case 4: return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_WRITE, 0, (iwarp_tx_payload){&one, 1});
  case 5:
    return iwarp_endpoint_send(ep, 0, IWARP_RDMAP_OP_IMMEDIATE, 0, (iwarp_tx_payload){&one, 1});
  case 6: return iwarp_endpoint_write(ep, 0, 1, UINT64_MAX, (iwarp_tx_payload){&one, 1});
  default: return iwarp_endpoint_write(ep, 0, 1, 0, (iwarp_tx_payload){&nowhere, 1});
  }
}

static iwarp_err requests(iwarp_endpoint *ep, unsigned what) {
  const iwarp_rdmap_read_req no_sink = {.sink_stag = NO_STAG, .size = 1};
  const iwarp_rdmap_read_req too_far = {.sink_stag = 0x100, .sink_to = UINT64_MAX, .size = 8};
  const iwarp_rdmap_atomic_req no_opcode = {.aopcode = 5};
  switch (what) {
  case 0: return iwarp_endpoint_read(ep, 0, &no_sink);
  case 1: return iwarp_endpoint_read(ep, 0, &too_far);
  case 2: return iwarp_endpoint_atomic(ep, 0, &no_opcode);
  default: return iwarp_endpoint_atomic_answer(ep, 0);
  }
}

static iwarp_err regions(iwarp_endpoint *ep, unsigned what) {
  const iwarp_endpoint_region no_access = {.stag = NO_STAG, .len = 8, .access = 0x80};
  const iwarp_endpoint_region no_memory = {
      .stag = NO_STAG, .len = 8, .access = IWARP_ACCESS_REMOTE_READ};
  const iwarp_endpoint_region too_far = {.stag = NO_STAG, .base = UINT64_MAX, .len = 8};
  switch (what) {
  case 0: return iwarp_endpoint_register(ep, &no_access);
  case 1: return iwarp_endpoint_register(ep, &no_memory);
  case 2: return iwarp_endpoint_register(ep, &too_far);
  case 3: return iwarp_endpoint_invalidate(ep, NO_STAG);
  case 4: return iwarp_endpoint_revoke(ep, NO_STAG);
  default: return iwarp_endpoint_deregister(ep, NO_STAG);
  }
}

static iwarp_err transport(iwarp_endpoint *ep, unsigned what) {
  iwarp_span span;
  iwarp_tx_out out;
  iwarp_tx_batch none = {.spans = &span};
  iwarp_tx_batch no_segments = {.spans = &span, .max_spans = 1, .segments = &out};
  switch (what) {
  case 0: return iwarp_endpoint_push(ep, nowhere);
  case 1: return iwarp_endpoint_push_at(ep, 0, nowhere);
  case 2: return iwarp_endpoint_push_at(ep, UINT64_MAX - 2, (iwarp_span){octets, 8});
  case 3: return iwarp_endpoint_next_output(ep, &span, 0, &out);
  case 4: return iwarp_endpoint_next_batch(ep, &none);
  case 5: return iwarp_endpoint_next_batch(ep, &no_segments);
  case 6: return iwarp_endpoint_advance(ep, SIZE_MAX);
  case 7: return iwarp_endpoint_commit_rx(ep, SIZE_MAX);
  default: return iwarp_endpoint_set_emss(ep, 0);
  }
}

static iwarp_err startup(iwarp_endpoint *ep, unsigned what) {
  switch (what) {
  case 0: return iwarp_endpoint_connect(ep, too_long);
  case 1: return iwarp_endpoint_connect(ep, nowhere);
  case 2: return iwarp_endpoint_accept(ep, too_long);
  case 3: return iwarp_endpoint_accept(ep, nowhere);
  case 4: return iwarp_endpoint_reject(ep, too_long);
  case 5: return iwarp_endpoint_listen(ep);
  case 6: return iwarp_endpoint_fail(ep, 16, 0, 0);
  default: return iwarp_endpoint_fail(ep, 0, 16, 0);
  }
}

void misuse_endpoint(iwarp_endpoint *ep, uint8_t what) {
  static iwarp_err (*const groups[])(iwarp_endpoint * ep, unsigned what) = {
      payloads, requests, regions, transport, startup};
  const iwarp_err err = groups[what % 5u](ep, what / 5u % 10u);
  fuzz_expect(err != IWARP_OK, "a wrong call, number %u, was not refused", what);
}
