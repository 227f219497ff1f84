/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of the rules, a table for each area, and the connections that several areas begin with.
 */
#ifndef RULES_CASES_H
#define RULES_CASES_H

#include "rules_sctp.h"

/* The areas, in the order of their cases. */
#define RULES_CASES_AREAS(area)                                                                    \
  area(startup) area(first) area(enhanced) area(fpdu) area(ddp) area(framing) area(markers)        \
      area(rdmap) area(read) area(unanswered) area(parts) area(term) area(cause) area(ext)         \
          area(sctp) area(session) area(numbers) area(edges) area(state) area(late) area(lost)

#define RULES_CASES_EXTERN(name)                                                                   \
  extern const struct rules_case rules_cases_##name[];                                             \
  extern const size_t rules_cases_##name##_num;
RULES_CASES_AREAS(RULES_CASES_EXTERN)
#undef RULES_CASES_EXTERN

/* ---- TCP ---- */

#define FIXTURE_C IWARP_MPA_FLAG_C
#define FIXTURE_M IWARP_MPA_FLAG_M

extern const iwarp_mpa_enhanced start_client; /* the client-server model */
void start_rev1(struct rules_fixture *l);
void start_request_flags(struct rules_fixture *l, uint8_t flags, uint8_t rev);
void start_reply_rejects(struct rules_fixture *l);
void start_request_only(struct rules_fixture *l);
void start_reply_only(struct rules_fixture *l);
void start_pd(struct rules_fixture *l, uint16_t pd_length, uint16_t missing);

/* The other side has sent nothing, and is known not to have. */
void start_pd_short_alone(struct rules_fixture *l);
void start_surplus(struct rules_fixture *l);
void start_model(struct rules_fixture *l, iwarp_mpa_enhanced asked, iwarp_mpa_enhanced answered);
void start_depths(struct rules_fixture *l, uint16_t ird, uint16_t ord, uint16_t reply_ird,
                  uint16_t reply_ord);
void start_both_unspecified(struct rules_fixture *l);
void fpdu_plain(struct rules_fixture *l);
struct fixture_seg ddp_version0(struct fixture_seg s);

/* Rev 0, with Markers and CRC as it must be. */
void ddp_rdmac(struct rules_fixture *l);
void ddp_rdmac_good(struct rules_fixture *l);
struct fixture_seg queue_tagged(uint32_t stag, uint64_t to);

/* A Terminate that returns the header of the first Send of the other side. */
void term_returning(struct rules_fixture *l, iwarp_rdmap_term t, const struct fixture_seg *s);
void term_halves(struct rules_fixture *l);

/* Octets of no meaning; the second one keeps ULPDU_Length small. */
extern const uint8_t framing_noise[40];
/* The first octets of an FPDU with a Send of 4 octets. */
extern const uint8_t framing_send[28];
/* The Initiator sends octets that form no FPDU. */
void framing_octets(struct rules_fixture *l, const uint8_t *octets, size_t len,
                    iwarp_undec_reason reason);
void framing_fin(struct rules_fixture *l);

/* A Marker in an FPDU, the second of the stream, though Markers are off, and no CRCs. */
void markers_marked_unasked_pad(struct rules_fixture *l);

/* ---- SCTP ---- */

/* A session that is right, from the INITs to the end of the association. */
void sctp_good(struct rules_fixture *l);
/* An Initiate with one octet of Private Data too many. */
void sctp_private_513(struct rules_fixture *l);

#endif
