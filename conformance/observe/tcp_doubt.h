/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of a TCP connection of which the receiver may have taken another copy. */
#ifndef OBSERVE_TCP_DOUBT_H
#define OBSERVE_TCP_DOUBT_H

#include "tcp_flow.h"

/* obs_tcp_doubt_add says that two captured copies of octets of this side differ, and that the first
 * one may not be what the receiver took. */
void obs_tcp_doubt_add(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos, uint64_t end);
/* obs_tcp_doubt_of says whether the receiver may have taken another copy of some of these octets.
 */
bool obs_tcp_doubt_of(const tcp_flow *f, uint8_t side, uint64_t pos, uint64_t end);
/* obs_tcp_doubt_mark marks an event that rests on such octets, so that no rule finds anything in
 * it. */
void obs_tcp_doubt_mark(tcp_flow *f, iwarp_event *ev);
/* obs_tcp_doubt_tell tells the rules of such octets of an FPDU, or a startup frame, that they were
 * asked about. */
void obs_tcp_doubt_tell(const tcp_flow *f, const iwarp_event *ev);
/* obs_tcp_doubt_wait tells the rules of such octets that no event had yet: of an FPDU that has not
 * ended. */
void obs_tcp_doubt_wait(const tcp_flow *f, uint8_t side);
/* obs_tcp_doubt_free forgets them. */
void obs_tcp_doubt_free(observe *obs, tcp_flow *f);

#endif
