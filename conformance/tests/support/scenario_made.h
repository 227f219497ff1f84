/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of the scenario language in tests. */
#ifndef SCENARIO_MADE_H
#define SCENARIO_MADE_H

#include <scenario/scenario.h>

#define SCENARIO_FIRST_PACKET 24u /* where its record begins in a file */

/* The last capture. */
extern out_buf scenario_out;

/* scenario_made makes the capture of a text, in a variant or in none. */
void scenario_made(const char *text, const char *variant);

/* How many packets it has. */
size_t scenario_made_packets(void);

/* scenario_holds returns whether octets stand somewhere in it. */
bool scenario_holds(const char *octets, size_t n);
#define SCENARIO_HOLDS(octets) scenario_holds("" octets, sizeof(octets) - 1)

/* Sequence number and acknowledgment of a packet over TCP and IPv4, counted from 0. */
uint32_t scenario_seq(size_t packet);
uint32_t scenario_ack(size_t packet);

/* scenario_refused expects a text to be wrong at a place. */
void scenario_refused(const char *text, unsigned int line, unsigned int column,
                      const char *message);

#endif
