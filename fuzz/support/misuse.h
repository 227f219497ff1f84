/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that no caller should make: each is refused, and changes nothing. */
#ifndef FUZZ_SUPPORT_MISUSE_H
#define FUZZ_SUPPORT_MISUSE_H

#include <iwarp/endpoint.h>

#include "fuzz.h"

/* misuse_endpoint makes a call with a wrong argument, `what` chooses which; an Atomic Operation
 * must not be asked for. Events must have been drained. */
void misuse_endpoint(iwarp_endpoint *ep, uint8_t what);

#endif
