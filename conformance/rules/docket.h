/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The docket: open questions about octets that were seen. Later events decide if a rule fails on
 * these octets. Each question belongs to the side that sent them. The table says which events may
 * answer it.
 */
#ifndef IWARP_RULES_DOCKET_H
#define IWARP_RULES_DOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include <iwarp/rules.h>

struct rules_ctx;

/* Events that may answer a question, as bits. */
#define UNTIL_OWN_NEXT 1u     /* the next event of the side */
#define UNTIL_OWN_END 2u      /* the end of the side's own stream */
#define UNTIL_PEER_STARTUP 4u /* the startup frame of the other side */
#define UNTIL_PEER_NEXT 8u    /* the next event of the other side */
#define UNTIL_PEER_END 16u    /* the end of the other side's stream */
#define UNTIL_FINISH 32u /* the end of the capture, which the engine makes an end of the side */
#define UNTIL_END (UNTIL_OWN_END | UNTIL_PEER_END | UNTIL_FINISH)

/*
 * The questions: X(name, rule, until, answered). The rule judges by the answer; `answered` is a
 * function of docket.c and says whether such an event closes the question.
 */
#define RULES_QUESTION_MAP(X)                                                                      \
  /* does the stream end inside the Private Data that PD_Length announces? */                      \
  X(PD_SHORT, mpa_pd_length_match, UNTIL_OWN_END | UNTIL_FINISH, docket_at_once)                   \
  /* had the other side gone on when the stream ended there, which no event has shown yet? */      \
  X(PD_SHORT_ENDED, mpa_pd_length_match, UNTIL_END, docket_at_once)                                \
  /* do octets right after a startup frame belong to its Private Data? */                          \
  X(STARTUP_FOLLOWED, mpa_pd_length_match, UNTIL_END, docket_followed)                             \
  /* was the Reply sent before any Request was received? */                                        \
  X(REPLY_FIRST, mpa_reply_unasked, UNTIL_PEER_STARTUP | UNTIL_END, docket_reply_first)            \
  /* did the Initiator send its first FPDU before it had received a Reply? */                      \
  X(FPDU_FIRST, mpa_fpdu_before_reply, UNTIL_END, docket_fpdu_first)                               \
  /* begin FPDUs before the end that PD_Length gives? */                                           \
  X(PD_HOLDS_FPDUS, mpa_pd_length_match, UNTIL_OWN_NEXT | UNTIL_FINISH, docket_by_owner)           \
  /* begin FPDUs before that end, while octets of the Private Data are missing? */                 \
  X(PD_INCOMPLETE, mpa_pd_length_match, UNTIL_OWN_NEXT, docket_by_owner)                           \
  /* has the message ended without L, or does it go on after the one that interrupts it? */        \
  X(INTERRUPTED, ddp_last_flag_missing, UNTIL_OWN_NEXT | UNTIL_FINISH, docket_interrupted)         \
  /* does an FPDU begin with the last octets of the side, which form none so far? */               \
  X(RUN, mpa_framing, UNTIL_OWN_NEXT, docket_run)                                                  \
  /* have all octets of the message come once it ends, in whatever order? */                       \
  X(PARTS, ddp_mo_contiguous, UNTIL_OWN_NEXT, docket_by_owner)                                     \
  /* over SCTP: which message takes the place of the DDP-SSNs from `due` on, which are missing? */ \
  X(SSN_MISSING, sctp_ddp_ssn, UNTIL_OWN_NEXT, docket_by_owner)                                    \
  /* does anything make the DDP-SSN of the message right, which is not `due`? */                   \
  X(SSN_WRONG, sctp_ddp_ssn, UNTIL_OWN_END, docket_at_once)                                        \
  /* did another session begin, in which the DDP-SSN that its side has used is right? */           \
  X(SSN_REUSED, sctp_ddp_ssn, UNTIL_OWN_END, docket_at_once)                                       \
  /* had the other side answered the first Initiate before the second one was sent? */             \
  X(INITIATE_TWICE, sctp_ddp_ssn, UNTIL_PEER_NEXT, docket_initiate_twice)                          \
  /* did the message belong to a session, whose Initiate may still come? */                        \
  X(NO_SESSION, sctp_session_order, UNTIL_OWN_END, docket_at_once)                                 \
  /* did anything end this session before the Initiate of the next one? */                         \
  X(INITIATE_EARLY, sctp_session_order, UNTIL_OWN_END, docket_at_once)                             \
  /* was the request one more than were negotiated, which its sender may not have known? */        \
  X(READS_OVER, rdmap_reads_outstanding, UNTIL_PEER_NEXT | UNTIL_OWN_END, docket_by_owner)         \
  /* did the side ask for the answer that the other one sent, in a request not yet captured? */    \
  X(ANSWER_FIRST, rdmap_read_response_unasked, UNTIL_OWN_NEXT | UNTIL_PEER_END, docket_by_owner)   \
  /* had the sender of the Terminate received a segment with the header that it returns? */        \
  X(TERMINATE_RETURNS, rdmap_terminate_ddp_header, UNTIL_OWN_END, docket_at_once)                  \
  /* Findings of any rule, see held.h: */                                                          \
  /* does the FPDU begin where its sender began one? */                                            \
  X(HELD_START, COUNT, UNTIL_OWN_NEXT, docket_by_owner)                                            \
  /* is the Request one, as the Reply to it shows? */                                              \
  X(HELD_REQUEST, COUNT, UNTIL_OWN_NEXT | UNTIL_PEER_STARTUP, docket_by_owner)                     \
  /* does the FPDU that the other side has begun hold the request for the answer? */               \
  X(HELD_ANSWER, COUNT, UNTIL_PEER_NEXT, docket_by_owner)                                          \
  /* is the length of the FPDU right, which no CRC proves? */                                      \
  X(HELD_LENGTH, COUNT, UNTIL_OWN_NEXT, docket_by_owner)                                           \
  /* does the chain of ULPDU_Lengths go on after the FPDU, whose CRC was cut off? */               \
  X(HELD_CUT, COUNT, UNTIL_OWN_NEXT, docket_by_owner)

enum rules_question {
#define RULES_QUESTION_ENUM(name, rule, until, answered) QUESTION_##name,
  RULES_QUESTION_MAP(RULES_QUESTION_ENUM)
#undef RULES_QUESTION_ENUM
      QUESTIONS
};

/* The questions that an event of this kind may answer, a bit for each. */
#define RULES_UNTIL_OWN_NEXT(name, rule, until, answered)                                          \
  | (((until)&UNTIL_OWN_NEXT) != 0 ? 1u << QUESTION_##name : 0u)
#define RULES_UNTIL_FINISH(name, rule, until, answered)                                            \
  | (((until)&UNTIL_FINISH) != 0 ? 1u << QUESTION_##name : 0u)
#define RULES_UNTIL_PEER_NEXT(name, rule, until, answered)                                         \
  | (((until)&UNTIL_PEER_NEXT) != 0 ? 1u << QUESTION_##name : 0u)
#define QUESTIONS_UNTIL_OWN_NEXT (0u RULES_QUESTION_MAP(RULES_UNTIL_OWN_NEXT))
#define QUESTIONS_UNTIL_PEER_NEXT (0u RULES_QUESTION_MAP(RULES_UNTIL_PEER_NEXT))
#define QUESTIONS_UNTIL_FINISH (0u RULES_QUESTION_MAP(RULES_UNTIL_FINISH))

#define RULES_HELD 16u /* findings that a side holds at most */

/* Findings about a side that later events decide on. */
struct rules_held {
  uint32_t num;
  uint32_t cap;          /* RULES_HELD at most */
  iwarp_finding *entry;  /* cap entries */
  bool full : 1;         /* a finding had no room, so no later one is held */
  bool private_data : 1; /* FPDUs before private_end may lie in Private Data */
  uint32_t private_end;  /* low bits of a position */
};

struct rules_docket {
  uint32_t open; /* the open questions of a side, a bit for each */
  struct rules_held held;
};

_Static_assert(QUESTIONS <= 32, "a question has no bit");

static inline bool rules_is_open(const struct rules_docket *docket, enum rules_question question) {
  return (docket->open >> question & 1u) != 0;
}

static inline void rules_close(struct rules_docket *docket, enum rules_question question) {
  docket->open &= ~(1u << question);
}

/* rules_open opens the question where the octets raise it, and closes it where they do not. */
static inline void rules_open(struct rules_docket *docket, enum rules_question question,
                              bool raised) {
  rules_close(docket, question);
  docket->open |= (uint32_t)raised << question;
}

/* rulesi_docket_match sets facts.answers, before the event changes any state. */
void rulesi_docket_match(struct rules_ctx *ctx);

/* rulesi_docket_close closes the questions that the event has answered. */
void rulesi_docket_close(struct rules_ctx *ctx);

#endif
