/* SPDX-License-Identifier: BSD-2-Clause */
/* A pcap file in memory: packets moved, changed and mended. */
#ifndef FUZZ_MUTATOR_CAPTURE_H
#define FUZZ_MUTATOR_CAPTURE_H

#include "mutator.h"

/* capture_mutate changes the order of packets or what they hold; returns the new length. */
size_t capture_mutate(uint8_t *octets, size_t len, size_t cap, prng *p);

/* capture_mend makes the checksums of TCP and SCTP packets right, and the CRCs of FPDUs that fill a
 * TCP segment. */
void capture_mend(uint8_t *octets, size_t len);

#endif
