/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures that cost their reader as much as they can. */
#ifndef FUZZ_SUPPORT_ATTACK_H
#define FUZZ_SUPPORT_ATTACK_H

#include "follow.h"

/*
 * attack_make turns a tape into packets: of each four octets the first one chooses the attack, the
 * second how many packets it has, the other two how it is done. The packets lie in memory that the
 * next call uses again.
 */
void attack_make(follow_packets *out, iwarp_span tape);

/* attack_write writes the packets as a pcap file; returns its octets, until the next call. */
iwarp_span attack_write(const follow_packets *packets);

#endif
