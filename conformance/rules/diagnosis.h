/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is wrong with the octets of an event. It is decided once, before any rule is asked, since
 * several rules speak of the same octets, and later events rest on the decision. One table has a
 * row for each diagnosis, and the first row that fits is the diagnosis.
 */
#ifndef IWARP_RULES_DIAGNOSIS_H
#define IWARP_RULES_DIAGNOSIS_H

#include "framing.h"

/* The part of the FPDU before the octets that is wrong; all octets after it are read wrong. */
enum rules_blame {
  BLAME_NOTHING = 0, /* the octets themselves are wrong */
  BLAME_CRC,         /* the CRC field is left out */
  BLAME_PAD,         /* the PAD is */
  BLAME_LENGTH       /* ULPDU_Length is wrong */
};

/* What a diagnosis leaves for the rest of the direction, as bits. */
#define LEAVES_FRAMING 1u /* mpa.framing reports nothing more */
#define LEAVES_MARKERS 2u /* no rule reports Markers of the side again */
#define LEAVES_PRIVATE 4u /* mpa.pd-length-match reports nothing more */
#define LEAVES_START 8u   /* the beginning of the next FPDU is unconfirmed */

/* A row of the table. */
struct rules_fault {
  uint16_t rule;     /* the rule that reports it; RULES_COUNT: no rule */
  uint8_t crc;       /* bits of iwarp_crc_status: the CRC of such an FPDU */
  bool trusted;      /* the fields are judged, within the limits of headers_uncertain and so on */
  uint8_t leaves;    /* LEAVES_* */
  uint8_t blame;     /* enum rules_blame */
  const char *words; /* expected value of a finding; static storage */
  bool (*of_fpdu)(const struct rules_ctx *ctx, struct markers_clues *clues);
  bool (*reads)(const struct framing_place *p); /* another reading of the octets fits */
};

/* rulesi_fault returns the row. */
const struct rules_fault *rulesi_fault(enum rules_diagnosis diagnosis);

/* rulesi_fault_of returns the row of the event under judgement. */
static inline const struct rules_fault *rulesi_fault_of(const struct rules_ctx *ctx) {
  return rulesi_fault(ctx->facts.diagnosis);
}

/* rulesi_crc_explained says whether the diagnosis tells why the CRC of the FPDU is wrong. */
static inline bool rulesi_crc_explained(const struct rules_ctx *ctx) {
  return !rulesi_fault_of(ctx)->trusted;
}

/* ---- before the rules ---- */

/* rulesi_diagnose sets the diagnosis of an FPDU, or of undecodable octets, and how far the fields
 * of the FPDU can be trusted. */
void rulesi_diagnose(struct rules_ctx *ctx);

/* rulesi_diagnose_framing sets what mpa.framing judges. */
void rulesi_diagnose_framing(struct rules_ctx *ctx);

/* ---- for the rules ---- */

/* rulesi_framing_doubt returns why it is not certain where FPDUs begin, IWARP_REASON_*. 0: it
 * follows from the octets of their sender alone, since both startup frames are known and nothing of
 * the stream is missing. */
uint32_t rulesi_framing_doubt(const struct rules_ctx *ctx, const iwarp_event *ev);

/* rulesi_framing_due returns true if the run of octets stands where FPDUs are expected.
 * mpa.pd-length-match judges octets of a side that may not send yet. */
bool rulesi_framing_due(const struct rules_ctx *ctx, const iwarp_event *run);

/* rulesi_framing_unfinished says whether the octets are an FPDU cut off, whatever the end of the
 * one before them may look like. */
bool rulesi_framing_unfinished(const struct rules_ctx *ctx, const iwarp_event *run);

/* rulesi_framing_marker_alone says whether the octets are the Marker between two FPDUs, after which
 * no FPDU comes: nothing is missing. */
bool rulesi_framing_marker_alone(const struct rules_ctx *ctx, const iwarp_event *run);

/* rulesi_framing_judged returns the event that mpa.framing judges: the event itself, or the last
 * run of octets, which waited for it. */
iwarp_event rulesi_framing_judged(const struct rules_ctx *ctx);

/* rulesi_fault_because returns the rule that reports why the octets of the event mean nothing, or
 * that has reported it. */
struct rules_because rulesi_fault_because(const struct rules_ctx *ctx);

#endif
