/* SPDX-License-Identifier: BSD-2-Clause */
/* One input of the receive engine. */
#ifndef FUZZ_SUPPORT_RX_CASE_H
#define FUZZ_SUPPORT_RX_CASE_H

#include <iwarp/event.h>

#include "fuzz.h"

/* rx_case runs an input at once and cut into pieces, and compares the events. */
void rx_case(const uint8_t *data, size_t size, iwarp_tristate crc);

#endif
