/* SPDX-License-Identifier: BSD-2-Clause */
/* Engine and rules of a silent connection, packed while memory is short. */
#ifndef OBSERVE_PACK_H
#define OBSERVE_PACK_H

#include "followed.h"

/* obs_pack packs the engine and the rules of a connection over TCP; false: there is no memory for
 * that. Both are mostly as they were made, so they take about a tenth of their octets. */
bool obs_pack(observe *obs, followed *c);
/* obs_unpack makes them again, elsewhere; false: there is no memory, and the connection has neither
 * from now on. */
bool obs_unpack(observe *obs, followed *c);
/* obs_pack_free gives back what packing takes beside connections. */
void obs_pack_free(observe *obs);

#endif
