/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clock of an endpoint. Until its caller has given a time, times count from 0; the first time
 * that is given moves them.
 */
#include "clock.h"

/* The time `wait` nanoseconds after `from`; NEVER where that is beyond all times. */
static uint64_t clock_after(uint64_t from, uint64_t wait) {
  return wait < IWARP_TIME_NEVER - from ? from + wait : IWARP_TIME_NEVER;
}

/* A time that counts from 0 counts from `now_ns`. */
static void clock_start_at(uint64_t *time, uint64_t now_ns) {
  if (*time != IWARP_TIME_NEVER) {
    *time = clock_after(now_ns, *time);
  }
}

/* Returns true if the time `at` has come. */
static bool clock_passed(const ep_clock *c, uint64_t at) {
  return at != IWARP_TIME_NEVER && c->now >= at;
}

void iwarpi_ep_clock_set(ep_clock *c, uint64_t now_ns) {
  if (!c->known) {
    c->known = true;
    clock_start_at(&c->deadline, now_ns);
    clock_start_at(&c->idle_at, now_ns);
  }
  c->now = now_ns;
}

/* iwarpi_ep_clock_shown returns the time `at` for the caller, who is asked for the time at once if
 * he has given none. */
uint64_t iwarpi_ep_clock_shown(const ep_clock *c, uint64_t at) {
  return c->known || at == IWARP_TIME_NEVER ? at : 0;
}

void iwarpi_ep_start_timer(ep_clock *c, uint64_t wait_ns) {
  c->deadline = clock_after(c->now, wait_ns);
}

void iwarpi_ep_stop_timer(ep_clock *c) {
  c->deadline = IWARP_TIME_NEVER;
}

/* iwarpi_ep_timer_expires returns true once when the timer has run out. */
bool iwarpi_ep_timer_expires(ep_clock *c) {
  const bool expired = clock_passed(c, c->deadline);
  c->deadline = expired ? IWARP_TIME_NEVER : c->deadline;
  return expired;
}

/* iwarpi_ep_restart_idle makes the endpoint idle after `idle_ns` without octets; 0: never. */
void iwarpi_ep_restart_idle(ep_clock *c, uint64_t idle_ns) {
  c->idle_at = idle_ns > 0 ? clock_after(c->now, idle_ns) : IWARP_TIME_NEVER;
}

bool iwarpi_ep_idle_expires(const ep_clock *c) {
  return clock_passed(c, c->idle_at);
}
