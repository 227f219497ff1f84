/* SPDX-License-Identifier: BSD-2-Clause */
/* Multiples of 4 octets, to which PAD fills up an FPDU. RFC 5044 4.1 */
#ifndef IWARPI_BASE_PAD_H
#define IWARPI_BASE_PAD_H

#include <stdint.h>

#define PAD_MAX 3u /* octets of the longest PAD */

/* Octets of PAD after `len` others. */
static inline uint32_t pad_after(uint32_t len) {
  return (0u - len) % 4u;
}

/* `len` with PAD: the least multiple of 4 that is not less. */
static inline uint32_t pad_up(uint32_t len) {
  return len + pad_after(len);
}

#endif
