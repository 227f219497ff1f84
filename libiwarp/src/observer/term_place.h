/* SPDX-License-Identifier: BSD-2-Clause */
/* The place of a Terminate in the traffic of a connection. */
#ifndef IWARPI_OBSERVER_TERM_PLACE_H
#define IWARPI_OBSERVER_TERM_PLACE_H

#include <iwarp/event.h>
#include <iwarp/observer.h>

/*
 * iwarpi_term_place_note fills in the place of a Terminate before `info` counts the FPDU of the
 * event. `silent`: its sender had received no octet after the startup frame of the other side.
 * `opens` holds per side whether its first FPDU may belong to the startup; the function sets it.
 */
void iwarpi_term_place_note(iwarp_event *ev, const iwarp_observer_info *info, bool silent,
                            bool opens[2]);

#endif
