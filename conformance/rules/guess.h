/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests wait is guessed where the capture begins: what later answers show of the guess. */
#ifndef IWARP_RULES_GUESS_H
#define IWARP_RULES_GUESS_H

#include "context.h"
#include "verdict.h"

/* The guess about the requests of a side. */
struct rules_guess {
  bool doubted; /* an answer did not fit, and no later one has confirmed the guess */
  bool open;    /* the message of that answer has not ended */
  bool refuted; /* the last event showed that the guess is wrong */
};

/* rulesi_guess_judge looks at what an event and its findings show. `waited`: so many requests of
 * the side that receives the octets waited before the event. A guess that is wrong is given up. */
void rulesi_guess_judge(struct rules_guess guess[2], struct rules_tracker *track,
                        const iwarp_event *ev, const struct rules_findings *found, uint32_t waited);

/* rulesi_guess_doubt: ON if the finding is about an answer, and the guess that it rests on is
 * wrong. UNKNOWN: later answers show that. */
iwarp_tristate rulesi_guess_doubt(const struct rules_guess guess[2], const iwarp_finding *f);

#endif
