/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of the rules, a table for each area, and the connections that several areas begin with.
 */
#ifndef RULES_CASES_H
#define RULES_CASES_H

#include "rules_fixture.h"

extern const struct rules_case rules_cases_startup[];
extern const size_t rules_cases_startup_num;
extern const struct rules_case rules_cases_fpdu[];
extern const size_t rules_cases_fpdu_num;
extern const struct rules_case rules_cases_framing[];
extern const size_t rules_cases_framing_num;
extern const struct rules_case rules_cases_rdmap[];
extern const size_t rules_cases_rdmap_num;
extern const struct rules_case rules_cases_read[];
extern const size_t rules_cases_read_num;
extern const struct rules_case rules_cases_term[];
extern const size_t rules_cases_term_num;
extern const struct rules_case rules_cases_ext[];
extern const size_t rules_cases_ext_num;
extern const struct rules_case rules_cases_sctp[];
extern const size_t rules_cases_sctp_num;
extern const struct rules_case rules_cases_edges[];
extern const size_t rules_cases_edges_num;

/* ---- TCP ---- */

#define FIXTURE_C IWARP_MPA_FLAG_C
#define FIXTURE_M IWARP_MPA_FLAG_M

extern const iwarp_mpa_enhanced start_client; /* the client-server model */
void start_rev1(struct rules_fixture *l);
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

/* ---- SCTP ---- */

/* A message to send. Zero is the conforming default of every member. */
struct sctp_msg {
  unsigned side;
  bool segment;
  uint16_t function;
  uint16_t ssn;
  uint32_t private_data;      /* octets */
  iwarp_mpa_enhanced enh;     /* enhanced data, where the Function Code has some */
  bool again;                 /* an Initiate: a session was on the stream before, */
  iwarp_tristate outstanding; /* and whether messages of it are outstanding */
  uint32_t ppid;
  uint32_t length; /* of user data, where it is not that of a whole message */
  bool is_short;
  bool other_ppid;   /* it has the Payload Protocol Identifier of the other kind of messages; of a
                        segment `function` is then its control octets, or 0 */
  uint32_t captured; /* octets of user data that are in the capture, or 0: all */
  bool ordered;
  bool needless;
  uint32_t fragments;
  iwarp_sctp_reason reason;
  iwarp_sctp_verdict verdict;
  bool acked;               /* its sender knows that its own messages before this one arrived */
  bool same_packet;         /* as the message before it */
  bool session_unconfirmed; /* messages of its side before it are missing, maybe a whole session */
  bool no_cause;            /* what its sender had received is not known */
  bool crosses;   /* nothing is missing of it, but the last of the other side had not come */
  bool unbundled; /* packets before it acknowledge what its sender had received, its own does not */
};

void sctp_send(struct rules_fixture *l, struct sctp_msg m);
void sctp_gap(struct rules_fixture *l);
void sctp_open(struct rules_fixture *l);
void sctp_finish(struct rules_fixture *l, iwarp_end how);

#define SCTP_SEND(l, ...) sctp_send(l, (struct sctp_msg){__VA_ARGS__})
#define SCTP_SEGMENT(l, from, number, ...)                                                         \
  SCTP_SEND(l, .side = (from), .segment = true, .ssn = (number), __VA_ARGS__)

#endif
