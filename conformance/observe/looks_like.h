/* SPDX-License-Identifier: BSD-2-Clause */
/* Which well-known protocol the first octets of a TCP stream belong to. */
#ifndef OBSERVE_LOOKS_LIKE_H
#define OBSERVE_LOOKS_LIKE_H

#include <iwarp/base.h>

/* obs_looks_like returns the name of the protocol that a stream with these first octets speaks, or
 * NULL where none is recognised. 20 octets are enough. */
const char *obs_looks_like(iwarp_span head);

#endif
