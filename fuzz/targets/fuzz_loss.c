/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A capture that lacks packets, or whose reader lacks memory: where all of it is right nothing is
 * found of what is left. What is wrong may only show itself as something else after a loss, so
 * nothing is asked then.
 */
#include <ingest/peek.h>

#include "follow.h"
#include "prng.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_CAPTURE;

static follow_packets packets;
static bool lost[FOLLOW_PACKETS];

/* Loses some packets: the packet of the number `which`, or a random eighth. */
static void lose(uint8_t how, uint16_t which) {
  prng p = {.state = which};
  for (size_t i = 0; i < packets.num; i++) {
    lost[i] = (how & 1u) != 0 ? prng_below(&p, 8) == 0 : i == which % packets.num;
  }
}

/* Octets of streams that packets carry, and packets with messages over SCTP; more than come out
 * where some were sent again: of two copies one may be wrong. */
static uint64_t carried(void) {
  uint64_t sum = 0;
  ingest_payload v;
  for (size_t i = 0; i < packets.num; i++) {
    if (ingest_peek(&v, &packets.packet[i]) == INGEST_PEEK_PAYLOAD) {
      sum += v.sctp ? 1 : v.len;
    }
  }
  return sum;
}

/* Returns true if packets of SCTP stand in the order of their times. Otherwise a SACK may stand
 * before the chunk that it acknowledges, and hide that nothing preceded it. */
static bool in_order(void) {
  bool sctp = false;
  bool order = true;
  ingest_payload v;
  for (size_t i = 0; i < packets.num; i++) {
    const ingest_packet *p = &packets.packet[i];
    sctp = sctp || (ingest_peek(&v, p) == INGEST_PEEK_PAYLOAD && v.sctp);
    order = order && (i == 0 || p->time_ns >= packets.packet[i - 1].time_ns);
  }
  return order || !sctp;
}

/* Returns true if the streams begin in the same places: otherwise one of two SYNs was lost. */
static bool same_start(const follow *a, const follow *b) {
  return (a->start[0] == b->start[0] || b->start[0] == 0) &&
         (a->start[1] == b->start[1] || b->start[1] == 0);
}

static void no_fault(const follow *f, const char *what) {
  fuzz_expect(f->num_faults == 0, "%s, with %s", iwarp_rule_get(f->fault[0])->slug, what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static follow all;
  static follow less;
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const uint16_t which = fuzz_u16(&f);
  follow_read(&packets, (iwarp_span){f.body, f.len});
  all.refuse = less.refuse = (refusal){0};
  follow_run(&all, &packets, NULL);
  const bool right = all.clean && carried() <= all.octets && in_order();
  if (packets.num > 0) {
    lose(how, which);
    follow_run(&less, &packets, lost);
    if (right && same_start(&all, &less)) {
      no_fault(&less, "packets lost");
    }
  }
  less.refuse = refusal_of(&f);
  if (less.refuse.first != 0) {
    follow_run(&less, &packets, NULL);
    if (right && !less.failed) {
      no_fault(&less, "memory refused");
    }
  }
  return 0;
}
