/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that later octets are compared with, where no FPDU begins. */
#ifndef IWARP_RULES_FRAMING_KEEP_H
#define IWARP_RULES_FRAMING_KEEP_H

#include "context.h"

/* rulesi_framing_enter keeps a run of octets that form no FPDU. */
void rulesi_framing_enter(struct rules_ctx *ctx);

/* rulesi_framing_leave keeps the FPDU. */
void rulesi_framing_leave(struct rules_ctx *ctx);

/* rulesi_framing_leave_fpdu does the same for an ordinary segment without an event; `crc`: CRCs are
 * in use, so that its CRC is right. */
void rulesi_framing_leave_fpdu(struct rules_framing *framing, const iwarp_observer_fpdu *restrict f,
                               bool crc);

#endif
