/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the RDMAP sources share. */
#ifndef IWARPI_RDMAP_INTERNAL_H
#define IWARPI_RDMAP_INTERNAL_H

#include <iwarp/rdmap.h>

/*
 * iwarpi_rdmap_term_decode is iwarp_rdmap_term_decode for a Terminate Header of `total` octets of
 * which only the first in.len are available: tail_err is TRUNCATED only for what the whole header
 * does not hold either.
 */
iwarp_dec iwarpi_rdmap_term_decode(iwarp_rdmap_term *out, iwarp_span in, size_t total);

#endif
