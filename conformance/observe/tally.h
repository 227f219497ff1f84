/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection held, counted event by event. */
#ifndef OBSERVE_TALLY_H
#define OBSERVE_TALLY_H

#include <observe/conn.h>

/* obs_tally_event counts one event. */
void obs_tally_event(observe_tally *tally, const iwarp_event *ev);

/* obs_tally_fpdu counts an FPDU without an event, as its event would be. */
void obs_tally_fpdu(observe_tally *tally, const iwarp_observer_fpdu *f);

/* obs_tally_undecodable notes an event of `conn` that could not be decoded, or the end of a
 * direction. */
void obs_tally_undecodable(observe_conn *conn, const iwarp_event *ev);

#endif
