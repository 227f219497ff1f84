/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of the session engine that send for an endpoint. */
#ifndef IWARPI_SCTP_SESSION_SEND_H
#define IWARPI_SCTP_SESSION_SEND_H

#include <iwarp/sctp_session.h>

/* sctp_output is a message to be handed to SCTP, unordered, on the stream of this session.
 */
typedef struct sctp_output {
  uint32_t ppid;                       /* Payload Protocol Identifier to send it with */
  uint16_t ssn;                        /* DDP-SSN of the message */
  uint8_t hdr_len;                     /* octets of `hdr` */
  uint8_t hdr[IWARP_SCTP_CONTROL_LEN]; /* the first hdr_len octets of the user data */
  iwarp_span body;                     /* the others, borrowed from the caller */
} sctp_output;

/*
 * Endpoint. Each call that makes a message fills `*out`, which is to be handed to SCTP before any
 * later one. STATE: not now; for an observer, never. NOBUF: 32767 DDP-SSNs are in flight.
 */

/*
 * iwarpi_sctp_session_connect starts a session with Initiate or, if `enhanced`, Enhanced Initiate.
 * ARG: more than 512 octets, or enhanced and less than four of them. RFC 5043 6.2.
 */
iwarp_err iwarpi_sctp_session_connect(iwarp_sctp_session *s, sctp_output *out, bool enhanced,
                                      iwarp_span private_data);

/* iwarpi_sctp_session_accept answers an Initiate, in the form that it had. Private Data as above.
 */
iwarp_err iwarpi_sctp_session_accept(iwarp_sctp_session *s, sctp_output *out,
                                     iwarp_span private_data);

/* iwarpi_sctp_session_reject answers an Initiate, in the form that it had. Private Data as above.
 */
iwarp_err iwarpi_sctp_session_reject(iwarp_sctp_session *s, sctp_output *out,
                                     iwarp_span private_data);

/*
 * iwarpi_sctp_session_send numbers a DDP Segment. STATE: the session is not established, or is
 * ending. ARG: the segment is longer than `mulpdu`, the size announced to DDP. RFC 5043 9.
 */
iwarp_err iwarpi_sctp_session_send(iwarp_sctp_session *s, sctp_output *out, iwarp_span segment,
                                   size_t mulpdu);

/* iwarpi_sctp_session_close asks for the end of the session: iwarpi_sctp_session_next_output gives
 * the Terminate when it may go. STATE: the own direction is not open. */
iwarp_err iwarpi_sctp_session_close(iwarp_sctp_session *s);

/*
 * iwarpi_sctp_session_next_output gives the Terminate that must go out now: OK or END. It must go
 * out after iwarpi_sctp_session_close, an illegal message, a Terminate of the peer, and an Initiate
 * that is refused. It waits until it cannot overtake the Initiate or Accept of this side. RFC 5043
 * 6.6.
 */
iwarp_err iwarpi_sctp_session_next_output(iwarp_sctp_session *s, sctp_output *out);

/*
 * iwarpi_sctp_session_acked says that SCTP acknowledged all own messages up to the DDP-SSN `ssn`.
 * ARG: it is not in flight. When a session is over and all of it is acknowledged, the stream is
 * idle. What the peer sent before it saw its Initiate refused may come after that: it is discarded
 * with reason OVER and a NOTE.
 */
iwarp_err iwarpi_sctp_session_acked(iwarp_sctp_session *s, uint16_t ssn);

/* iwarpi_sctp_session_set_refuse says whether an Initiate is answered with Terminate at once,
 * because as many as the caller allows are waiting for their answer. RFC 5043 6.4. */
void iwarpi_sctp_session_set_refuse(iwarp_sctp_session *s, bool refuse);

/*
 * iwarpi_sctp_session_lost says that the association is gone. What is held comes back as discarded,
 * then the stream is idle. RFC 5043 11.3.
 */
void iwarpi_sctp_session_lost(iwarp_sctp_session *s);

#endif
