/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of an endpoint: the time that its caller gives, and two times at which it expires. */
#ifndef IWARPI_ENDPOINT_CLOCK_H
#define IWARPI_ENDPOINT_CLOCK_H

#include "state.h"

void iwarpi_ep_clock_set(ep_clock *c, uint64_t now_ns);
uint64_t iwarpi_ep_clock_shown(const ep_clock *c, uint64_t at);

/* The timer of the startup or of the close. */
void iwarpi_ep_start_timer(ep_clock *c, uint64_t wait_ns);
void iwarpi_ep_stop_timer(ep_clock *c);
bool iwarpi_ep_timer_expires(ep_clock *c);

/* The time without octets. */
void iwarpi_ep_restart_idle(ep_clock *c, uint64_t idle_ns);
bool iwarpi_ep_idle_expires(const ep_clock *c);

#endif
