/* SPDX-License-Identifier: BSD-2-Clause */
/* Views on an event over SCTP. What an event of another kind would say is nothing: zero. */
#ifndef IWARP_RULES_SCTP_EVENT_H
#define IWARP_RULES_SCTP_EVENT_H

#include <iwarp/sctp_certainty.h>
#include <iwarp/sctp_observer.h>

#include "context.h"

/* rulesi_sctp_message returns the message of the event. */
const iwarp_ev_sctp_message *rulesi_sctp_message(const struct rules_ctx *ctx);

/* rulesi_sctp_captured returns the message of the event as it was captured. */
const iwarp_sctp_captured *rulesi_sctp_captured(const struct rules_ctx *ctx);

/* rulesi_sctp_evidence returns what the packets of the message show. */
const iwarp_sctp_evidence *rulesi_sctp_evidence(const struct rules_ctx *ctx);

/* rulesi_sctp_end returns the end that the event is. */
const iwarp_ev_sctp_end *rulesi_sctp_end(const struct rules_ctx *ctx);

/* rulesi_sctp_certainty returns what the capture lets one know of the event. */
const iwarp_sctp_certainty *rulesi_sctp_certainty(const struct rules_ctx *ctx);

/* rulesi_sctp_lossless says whether no message of the side of the event was lost in the session. */
bool rulesi_sctp_lossless(const struct rules_ctx *ctx);

#endif
