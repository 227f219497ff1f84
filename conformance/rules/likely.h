/* SPDX-License-Identifier: BSD-2-Clause */
/* The most likely reading of a capture that proves too little: what a second engine judges. */
#ifndef IWARP_RULES_LIKELY_H
#define IWARP_RULES_LIKELY_H

#include "context.h"

#define RULES_LIKELY_HELD                                                                          \
  16u /* suspected findings that wait for the engine that suspects nothing */

/* What is known of the FPDUs of a side. */
struct likely_chain {
  uint64_t begin;  /* of an unbroken chain of FPDUs, */
  uint64_t end;    /* and its end */
  uint64_t packet; /* that has its last octet */
  uint32_t good;   /* FPDUs in a row up to there with right CRCs */
  uint32_t edges;  /* where one packet ends with an FPDU and another one begins with the next */
  bool begun;      /* there is a chain, */
  bool sure;       /* which leads to the startup frame, */
  bool broken;     /* and which the last event has broken, */
  bool stood;      /* after it showed enough */
  bool shown;      /* its FPDUs showed whether Markers are in use */
  bool frame_cut;  /* the startup frame lacks octets, and no FPDU came after it */
  bool gapped;     /* packets with octets of the side are missing */
  bool snapped;    /* the snapshot length has cut some of its FPDUs */
};

/* What is kept beside the second engine. */
struct rules_likely {
  struct likely_chain chain[2];
  uint32_t num_held; /* of `held` */
  iwarp_finding held[RULES_LIKELY_HELD];
};

/* What the second engine is given. */
struct rules_reading {
  iwarp_observer_info info;
  iwarp_event ev;
};

/* rulesi_likely_begins says whether the event shows too little for rules to be certain, so that a
 * second engine is needed from it on. */
bool rulesi_likely_begins(const iwarp_observer_info *info, const iwarp_event *ev);

/* rulesi_likely_read makes the reading of an event; false: there is nothing in it. `inside`: it is
 * a GAP inside an FPDU that was reported. */
bool rulesi_likely_read(struct rules_reading *out, struct rules_likely *likely,
                        const iwarp_observer_info *info, const iwarp_event *ev, bool inside);

/* rulesi_likely_stands says whether the chain in which the finding's FPDU is shows that it is no
 * payload of another FPDU, as far as is likely. OFF: the chain broke before it showed that. */
iwarp_tristate rulesi_likely_stands(const struct rules_likely *likely, const iwarp_finding *f);

/* rulesi_likely_passed notes an FPDU that needs no event. */
void rulesi_likely_passed(struct rules_likely *likely, const iwarp_observer_fpdu *fpdu);

/* rulesi_likely_suspect makes a finding of the second engine a suspected one and returns why it is
 * not certain, IWARP_REASON_*. 0: nothing is missing, so it is not to be reported. */
uint32_t rulesi_likely_suspect(iwarp_finding *f, const struct rules_likely *likely,
                               const iwarp_observer_info *info);

#endif
