/* SPDX-License-Identifier: BSD-2-Clause */
/* The session engine as an endpoint: its messages. RFC 5043 6.2 to 6.6, 9 and 10. */
#include "session_send.h"

#include "../base/cursor.h"
#include "session_priv.h"

static uint16_t sctp_sess_send_unacked(const iwarp_sctp_session *s) {
  return (uint16_t)(s->tx_next - s->tx_acked);
}

/* Numbers a message and moves on; the caller has asked whether it may be sent. */
static void sctp_sess_send_make(iwarp_sctp_session *s, sctp_output *out, iwarp_sctp_kind kind,
                                uint16_t function, iwarp_span body) {
  bool segment = kind == IWARP_SCTP_KIND_SEGMENT;
  sctp_output msg = {
      .ppid = segment ? IWARP_SCTP_PPID_SEGMENT : IWARP_SCTP_PPID_CONTROL,
      .ssn = s->tx_next,
      .hdr_len = segment ? IWARP_SCTP_SEGMENT_LEN : IWARP_SCTP_CONTROL_LEN,
      .body = body,
  };
  wr w = wr_array(msg.hdr);
  wr_u16(&w, msg.ssn);
  wr_u16(&w, function);
  s->tx_next++;
  s->state = iwarp_sctp_step(s->state, true, kind).next;
  *out = msg;
}

/* Returns OK if a message of `kind` may be sent now. */
static iwarp_err sctp_sess_send_ask(const iwarp_sctp_session *s, iwarp_sctp_kind kind) {
  if (s->observer || s->broken || s->want_term || s->purge || s->now.used ||
      iwarp_sctp_step(s->state, true, kind).verdict != IWARP_SCTP_LEGAL) {
    return IWARP_ERR_STATE;
  }
  return sctp_sess_send_unacked(s) < IWARP_SCTP_UNACKED_MAX ? IWARP_OK : IWARP_ERR_NOBUF;
}

static bool sctp_sess_send_fits(bool enhanced, iwarp_span private_data) {
  return private_data.len <= IWARP_SCTP_PRIVATE_DATA_MAX &&
         private_data.len >= (enhanced ? IWARP_SCTP_ENHANCED_LEN : 0u);
}

iwarp_err iwarpi_sctp_session_connect(iwarp_sctp_session *s, sctp_output *out, bool enhanced,
                                      iwarp_span private_data) {
  if (!sctp_sess_send_fits(enhanced, private_data)) {
    return IWARP_ERR_ARG;
  }
  iwarp_err err = sctp_sess_send_ask(s, IWARP_SCTP_KIND_INITIATE);
  if (err != IWARP_OK || s->state != IWARP_SCTP_STATE_IDLE) { /* not drained yet, RFC 5043 6.6 */
    return IWARP_ERR_STATE;
  }
  iwarpi_sctp_begin(s, SCTP_SESS_OWN, enhanced);
  sctp_sess_send_make(s, out, IWARP_SCTP_KIND_INITIATE,
                      enhanced ? IWARP_SCTP_ENHANCED_INITIATE : IWARP_SCTP_INITIATE, private_data);
  return IWARP_OK;
}

static iwarp_err sctp_sess_send_answer(iwarp_sctp_session *s, sctp_output *out,
                                       iwarp_sctp_kind kind, uint16_t function,
                                       iwarp_span private_data) {
  iwarp_err err = sctp_sess_send_ask(s, kind);
  if (err != IWARP_OK) {
    return err;
  }
  if (!sctp_sess_send_fits(s->enhanced, private_data)) {
    return IWARP_ERR_ARG;
  }
  sctp_sess_send_make(s, out, kind, function, private_data);
  return IWARP_OK;
}

iwarp_err iwarpi_sctp_session_accept(iwarp_sctp_session *s, sctp_output *out,
                                     iwarp_span private_data) {
  return sctp_sess_send_answer(s, out, IWARP_SCTP_KIND_ACCEPT,
                               s->enhanced ? IWARP_SCTP_ENHANCED_ACCEPT : IWARP_SCTP_ACCEPT,
                               private_data);
}

iwarp_err iwarpi_sctp_session_reject(iwarp_sctp_session *s, sctp_output *out,
                                     iwarp_span private_data) {
  return sctp_sess_send_answer(s, out, IWARP_SCTP_KIND_REJECT,
                               s->enhanced ? IWARP_SCTP_ENHANCED_REJECT : IWARP_SCTP_REJECT,
                               private_data);
}

iwarp_err iwarpi_sctp_session_send(iwarp_sctp_session *s, sctp_output *out, iwarp_span segment,
                                   size_t mulpdu) {
  iwarp_err err = sctp_sess_send_ask(s, IWARP_SCTP_KIND_SEGMENT);
  if (err != IWARP_OK) {
    return err;
  }
  if (segment.len > mulpdu) {
    return IWARP_ERR_ARG;
  }
  sctp_sess_send_make(s, out, IWARP_SCTP_KIND_SEGMENT, 0, segment);
  return IWARP_OK;
}

iwarp_err iwarpi_sctp_session_close(iwarp_sctp_session *s) {
  if (s->observer || !iwarpi_sctp_own_open(s)) {
    return IWARP_ERR_STATE;
  }
  s->want_term = true;
  return IWARP_OK;
}

/*
 * Returns true if a Terminate cannot overtake the first message of this side. Either the Terminate
 * is the first message, or the first message is acknowledged, or it was an Initiate and is
 * answered. RFC 5043 6.6
 */
static bool sctp_sess_send_is_safe(const iwarp_sctp_session *s) {
  bool answered = s->initiator == SCTP_SESS_OWN && s->state != IWARP_SCTP_STATE_INIT_SENT;
  return s->tx_next == 0 || s->first_acked || answered;
}

iwarp_err iwarpi_sctp_session_next_output(iwarp_sctp_session *s, sctp_output *out) {
  if (!s->want_term || !sctp_sess_send_is_safe(s) ||
      sctp_sess_send_unacked(s) >= IWARP_SCTP_UNACKED_MAX) {
    return IWARP_ERR_END;
  }
  s->want_term = false;
  sctp_sess_send_make(s, out, IWARP_SCTP_KIND_TERMINATE, IWARP_SCTP_TERMINATE, (iwarp_span){0});
  return IWARP_OK;
}

iwarp_err iwarpi_sctp_session_acked(iwarp_sctp_session *s, uint16_t ssn) {
  if ((uint16_t)(ssn - s->tx_acked) >= sctp_sess_send_unacked(s)) {
    return IWARP_ERR_ARG;
  }
  s->tx_acked = (uint16_t)(ssn + 1u);
  s->first_acked = true;
  iwarpi_sctp_settle(s);
  return IWARP_OK;
}

void iwarpi_sctp_session_set_refuse(iwarp_sctp_session *s, bool refuse) {
  s->refuse = refuse;
}
