/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A capture is scrubbed. Packets keep their lengths, and equal captures become equal ones. Where a
 * check finds the same in the result, it also does so after the result was scrubbed once more.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scrub/scrub.h>

#include "follow.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_CAPTURE;

#define MEMORY ((size_t)64 << 20)
#define GUARD 0xa5u /* octet before and after the octets of a packet */

/* A capture that was scrubbed. */
typedef struct scrubbed {
  follow_packets packets;
  uint8_t *octets; /* octets of all packets, in a row, with an octet between two packets */
  bool whole;      /* memory was enough */
  bool same;       /* a check finds the same */
} scrubbed;

static FILE *spool;

/* Empties the file for IP packets in fragments. */
static bool spool_clear(void) {
  spool = spool != NULL ? spool : tmpfile();
  if (spool == NULL) {
    return false;
  }
  rewind(spool);
  return ftruncate(fileno(spool), 0) == 0;
}

static size_t room_of(const follow_packets *in) {
  size_t room = 1;
  for (size_t i = 0; i < in->num; i++) {
    room += in->packet[i].caplen + 1;
  }
  return room;
}

/* The third reading. */
static bool write_packets(scrub *s, const follow_packets *in, scrubbed *out) {
  uint8_t *at = out->octets + 1;
  bool ok = true;
  out->packets = *in;
  for (size_t i = 0; ok && i < in->num; i++) {
    const size_t len = in->packet[i].caplen;
    ok = scrub_packet(s, &in->packet[i], at);
    fuzz_expect(at[-1] == GUARD && at[len] == GUARD, "packet %zu is not of its length", i);
    out->packets.packet[i].data = at;
    at += len + 1;
  }
  return ok;
}

static void scrub_all(scrubbed *out, const follow_packets *in, bool private_data, bool secret) {
  const size_t room = room_of(in);
  out->octets = malloc(room);
  out->whole = out->same = false;
  if (!spool_clear() || out->octets == NULL) {
    return;
  }
  memset(out->octets, GUARD, room);
  scrub *s =
      scrub_new(&(scrub_cfg){.memory = MEMORY, .private_data = private_data, .spool = spool});
  bool ok = s != NULL;
  if (ok && secret) {
    scrub_secret(s, "secret", 6);
  }
  for (size_t i = 0; ok && !secret && i < in->num; i++) {
    scrub_digest(s, &in->packet[i]);
  }
  for (size_t i = 0; ok && i < in->num; i++) {
    ok = scrub_learn(s, &in->packet[i]);
  }
  ok = ok && scrub_learnt(s) && write_packets(s, in, out);
  out->same = ok && scrub_finish(s);
  out->whole = ok && scrub_failed(s) == SCRUB_OK;
  fuzz_expect(out->whole || s == NULL || scrub_failed(s) == SCRUB_FULL,
              "it failed with memory enough");
  scrub_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static follow_packets packets;
  static scrubbed once;
  static scrubbed again;
  static scrubbed twice;
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  const bool private_data = (how & 1u) != 0;
  const bool secret = (how & 2u) != 0;
  follow_read(&packets, (iwarp_span){f.body, f.len});
  scrub_all(&once, &packets, private_data, secret);
  scrub_all(&again, &packets, private_data, secret);
  if (once.whole && again.whole) {
    fuzz_expect(once.same == again.same &&
                    memcmp(once.octets, again.octets, room_of(&packets)) == 0,
                "equal captures become different ones");
    scrub_all(&twice, &once.packets, private_data, secret);
    fuzz_expect(!once.same || !twice.whole || twice.same,
                "a check finds something else the second time");
    free(twice.octets);
  }
  free(once.octets);
  free(again.octets);
  return 0;
}
