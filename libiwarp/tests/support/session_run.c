/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions over SCTP, message by message. */
#include "session_run.h"

#include <stdalign.h>

#include "check_run.h"

#define WINDOW 8u

static alignas(max_align_t) uint8_t memory[4][8192];

iwarp_sctp_session *session_make(size_t place, iwarp_sctp_session_cfg cfg) {
  iwarp_sctp_session *s = NULL;
  cfg.size = sizeof cfg;
  cfg.window = cfg.window != 0 ? cfg.window : WINDOW;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[place], sizeof memory[place], &cfg),
                   IWARP_OK);
  return s;
}

iwarp_sctp_session *session_observer(void) {
  return session_make(0, (iwarp_sctp_session_cfg){.observer = true});
}

iwarp_span session_user_data(iwarp_sctp_kind kind, uint16_t ssn) {
  static const uint8_t functions[] = {1, 2, 3, 4, 0, 9};
  static uint8_t pool[64][4];
  static size_t next;
  uint8_t *p = pool[next++ % 64];
  p[0] = (uint8_t)(ssn >> 8);
  p[1] = (uint8_t)ssn;
  p[2] = kind == IWARP_SCTP_KIND_SEGMENT ? 0xD0 : 0;
  p[3] = functions[kind];
  return (iwarp_span){p, 4};
}

iwarp_err session_push(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind, uint16_t ssn) {
  bool segment = kind == IWARP_SCTP_KIND_SEGMENT;
  iwarp_sctp_message message = {
      .ppid = segment ? IWARP_SCTP_PPID_SEGMENT : IWARP_SCTP_PPID_CONTROL,
      .user_data = session_user_data(kind, ssn),
      .token = (uint64_t)side << 32 | ssn,
  };
  return iwarp_sctp_session_push(s, side, &message);
}

iwarp_sctp_session_event session_next(iwarp_sctp_session *s) {
  iwarp_sctp_session_event ev;
  ck_assert_int_eq(iwarp_sctp_session_next_event(s, &ev), IWARP_OK);
  return ev;
}

void session_expect_end(iwarp_sctp_session *s) {
  iwarp_sctp_session_event ev;
  ck_assert_int_eq(iwarp_sctp_session_next_event(s, &ev), IWARP_ERR_END);
}

iwarp_sctp_session_event session_put(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind,
                                     uint16_t ssn) {
  ck_assert_int_eq(session_push(s, side, kind, ssn), IWARP_OK);
  iwarp_sctp_session_event ev = session_next(s);
  ck_assert_uint_eq(ev.side, side);
  ck_assert_uint_eq(ev.token, (uint64_t)side << 32 | ssn);
  session_expect_end(s);
  return ev;
}
