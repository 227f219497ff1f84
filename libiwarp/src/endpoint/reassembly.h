/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of an endpoint's peer that are no whole FPDU yet. */
#ifndef IWARPI_ENDPOINT_REASSEMBLY_H
#define IWARPI_ENDPOINT_REASSEMBLY_H

#include "state.h"

bool iwarpi_ep_reserve(ep_reassembly *a, size_t octets);
void iwarpi_ep_trim(ep_reassembly *a);

#endif
