/* SPDX-License-Identifier: BSD-2-Clause */
/* The most likely reading of a capture that proves too little: what a second engine judges. */
#ifndef IWARP_RULES_LIKELY_H
#define IWARP_RULES_LIKELY_H

#include "context.h"
#include "guess.h"

/* Suspected findings that wait for the first engine. */
#define RULES_LIKELY_HELD 16u

/* The chain of FPDUs of a side: each begins where the one before it ends. */
struct likely_chain {
  uint64_t begin;  /* position of its first octet */
  uint64_t last;   /* position of the first octet of its last FPDU */
  uint64_t end;    /* position after its last octet */
  uint64_t packet; /* packet of its last octet */
  uint32_t good;   /* FPDUs with right CRCs since the last wrong CRC, or the beginning */
  uint32_t edges;  /* places where an FPDU ends with its packet, and the next begins with another */
  bool begun;      /* the chain has an FPDU */
  bool sure;       /* the chain begins after the startup frame */
  bool broken;     /* the last event broke the chain */
  bool stood;      /* the chain was likely when it broke */
  bool firm;       /* enough FPDUs lead to the end of the chain: they are no payload */
  bool shown;      /* an FPDU of the side showed whether Markers are in use */
  bool frame_cut;  /* the startup frame lacks octets, and no FPDU came after it */
  bool gapped;     /* packets with octets of the side are missing */
  bool snapped;    /* the snapshot length cut octets of the side */
};

/* What the first engine keeps for the second one. */
struct rules_likely {
  struct likely_chain chain[2];
  struct rules_guess guess[2];
  uint32_t num_held; /* entries of `held` */
  iwarp_finding held[RULES_LIKELY_HELD];
};

/* The input of the second engine. */
struct rules_reading {
  iwarp_observer_info info;
  iwarp_event ev;
};

/* rulesi_likely_begins says whether the event shows too little for rules to be certain, so that a
 * second engine is needed from it on. */
bool rulesi_likely_begins(const iwarp_observer_info *info, const iwarp_event *ev);

/* rulesi_likely_info changes what is known of the connection to the most likely reading of it. */
void rulesi_likely_info(iwarp_observer_info *info, const struct rules_likely *likely);

/* rulesi_likely_presume changes what the second engine knows before an event to what is most
 * likely: no Terminate was missed, the segment that one returns is no old one, and an FPDU is
 * expected after a long chain. */
void rulesi_likely_presume(struct rules_tracker *track, const struct rules_likely *likely);

/* rulesi_likely_read makes the reading of an event; false: there is nothing in it. `inside`: it is
 * a GAP inside an FPDU that was reported. */
bool rulesi_likely_read(struct rules_reading *out, struct rules_likely *likely,
                        const iwarp_observer_info *info, const iwarp_event *ev, bool inside);

/* rulesi_likely_stands says whether the chains of both sides are not likely to be payload: the
 * finding may rest on either. OFF: one broke before it showed that. */
iwarp_tristate rulesi_likely_stands(const struct rules_likely *likely, const iwarp_finding *f);

/* rulesi_likely_passed notes an FPDU that needs no event. */
void rulesi_likely_passed(struct rules_likely *likely, const iwarp_observer_fpdu *fpdu);

/* rulesi_likely_suspect makes a finding of the second engine a suspected one and returns why it is
 * not certain, IWARP_REASON_*. 0: nothing is missing, so it is not to be reported. */
uint32_t rulesi_likely_suspect(iwarp_finding *f, const struct rules_likely *likely,
                               const iwarp_observer_info *info);

#endif
