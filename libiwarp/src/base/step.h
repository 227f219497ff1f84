/* SPDX-License-Identifier: BSD-2-Clause */
/* The outcome of one step of an engine. */
#ifndef IWARPI_BASE_STEP_H
#define IWARPI_BASE_STEP_H

#include <iwarp/base.h>

/* An engine runs steps while they return STEP_AGAIN. */
typedef enum step {
  STEP_IDLE = 0, /* nothing can be done before more input comes */
  STEP_AGAIN,    /* the state or the input has changed: the next step may do more */
  STEP_EVENT,    /* an event was written */
  STEP_NO_MEMORY /* nothing can be done before the pool has memory */
} step;

/* step_event_or returns STEP_EVENT if an event was written, or else `other`. */
static inline step step_event_or(bool event, step other) {
  return event ? STEP_EVENT : other;
}

/* step_err returns what a call for the next event returns after its last step. */
static inline iwarp_err step_err(step last) {
  if (last == STEP_EVENT) {
    return IWARP_OK;
  }
  return last == STEP_NO_MEMORY ? IWARP_ERR_NOBUF : IWARP_ERR_END;
}

#endif
