/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a diagnosis share. */
#ifndef DIAGNOSE_PARTS_H
#define DIAGNOSE_PARTS_H

#include <diagnose/diagnose.h>

#define DIAGNOSE_LONG_NS UINT64_C(3000000000) /* of silence */

/* A connection that is explained. */
typedef struct diagnose_case {
  const observe_conn *conn;
  const observe_outcome *outcome;
  const observe_facts_side *side; /* two */
  uint8_t first;                  /* the Initiator, where the roles are known; else side 0 */
  iwarp_diagnoses *out;
} diagnose_case;

/* diagnose_add appends a diagnosis and returns it; where the list is full, one that is thrown away.
 * It is `likely` unless the row and the caller say that it is certain. */
iwarp_diagnosis *diagnose_add(const diagnose_case *c, iwarp_diagnosis_id id, bool certain,
                              uint8_t side, const char *text);
/* diagnose_frames sets the packets that it names; 0: none. */
void diagnose_frames(iwarp_diagnosis *d, uint64_t first, uint64_t second, uint64_t third);
/* diagnose_fault returns the latest violation of a side at a packet from `from` to `to`, or NULL.
 */
const observe_finding_fact *diagnose_fault(const observe_facts_side *s, uint64_t from, uint64_t to);
/* diagnose_slug names a rule. */
const char *diagnose_slug(const observe_finding_fact *fault);

/* diagnose_rejected, diagnose_no_reply, diagnose_startup explain a connection that did not come
 * up. */
void diagnose_rejected(const diagnose_case *c);
void diagnose_no_reply(const diagnose_case *c);
void diagnose_startup(const diagnose_case *c);
/* diagnose_unused explains a connection that came up and ended without an FPDU; false: it had
 * one. */
bool diagnose_unused(const diagnose_case *c);
/* diagnose_terminated explains one that was terminated. */
void diagnose_terminated(const diagnose_case *c);
/* diagnose_ended explains one that ended by FIN or RST, or not at all. */
void diagnose_ended(const diagnose_case *c);

#endif
