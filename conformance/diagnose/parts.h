/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a diagnosis share. */
#ifndef DIAGNOSE_PARTS_H
#define DIAGNOSE_PARTS_H

#include <diagnose/diagnose.h>

#define DIAGNOSE_LONG_NS UINT64_C(3000000000)  /* a long silence */
#define DIAGNOSE_SHORT_NS UINT64_C(1000000000) /* a shorter silence, beside other signs */

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
/* diagnose_slug names a rule; diagnose_rule sets its name and its fault as the words of a text. */
const char *diagnose_slug(const observe_finding_fact *fault);
void diagnose_rule(iwarp_diagnosis *d, const observe_finding_fact *fault);

/* diagnose_rejected, diagnose_no_reply, diagnose_startup explain a connection that did not come
 * up. */
void diagnose_rejected(const diagnose_case *c);
void diagnose_no_reply(const diagnose_case *c);
void diagnose_startup(const diagnose_case *c);
/* diagnose_waits explains one whose Request waits for a Reply when the capture ends; false: it does
 * not, or not for long. */
bool diagnose_waits(const diagnose_case *c);
/* diagnose_not_iwarp tells of a Responder that sends something else than MPA; false: it does not.
 */
bool diagnose_not_iwarp(const diagnose_case *c);
/* diagnose_no_rtr returns true if Request and Reply have no RTR message in common. */
bool diagnose_no_rtr(const diagnose_case *c);
/* diagnose_unused explains a connection that came up and ended without an FPDU; false: it had
 * one. */
bool diagnose_unused(const diagnose_case *c);
/* diagnose_path tells of a side to which nothing came any more of the other one; false: both were
 * heard until the end. */
bool diagnose_path(const diagnose_case *c);
/* diagnose_framing tells of octets that form no FPDUs. */
void diagnose_framing(const diagnose_case *c);
/* diagnose_rev1 adds that Rev 1 carries no IRD and ORD, where a side reads or may be to read. */
void diagnose_rev1(const diagnose_case *c, uint8_t side, const char *text, uint64_t first,
                   uint64_t second);
/* diagnose_terminated explains one that was terminated. */
void diagnose_terminated(const diagnose_case *c);
/* diagnose_ended explains one that ended by FIN or RST, or not at all. */
void diagnose_ended(const diagnose_case *c);

#endif
