/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions over SCTP, message by message. */
#ifndef TEST_SUPPORT_SESSION_RUN_H
#define TEST_SUPPORT_SESSION_RUN_H

#include <iwarp/sctp.h>
#include <iwarp/sctp_session.h>

/* session_make makes an engine in one of four places, with a window of 8 unless `cfg` has another.
 */
iwarp_sctp_session *session_make(size_t place, iwarp_sctp_session_cfg cfg);
iwarp_sctp_session *session_observer(void);

/* session_user_data makes user data in memory of their own, so that they stay until their event. */
iwarp_span session_user_data(iwarp_sctp_kind kind, uint16_t ssn);
/* session_push pushes a message whose token is side << 32 | ssn. */
iwarp_err session_push(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind, uint16_t ssn);
/* session_next returns the next event; there is one. */
iwarp_sctp_session_event session_next(iwarp_sctp_session *s);
void session_expect_end(iwarp_sctp_session *s);
/* session_put pushes one message with the expected DDP-SSN, and returns its event, the only one. */
iwarp_sctp_session_event session_put(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind,
                                     uint16_t ssn);

/* Names as the tests have them. */
#define INITIATE IWARP_SCTP_KIND_INITIATE
#define ACCEPT IWARP_SCTP_KIND_ACCEPT
#define REJECT IWARP_SCTP_KIND_REJECT
#define TERMINATE IWARP_SCTP_KIND_TERMINATE
#define SEGMENT IWARP_SCTP_KIND_SEGMENT
#define OTHER IWARP_SCTP_KIND_OTHER
#define ST(name) IWARP_SCTP_STATE_##name

#endif
