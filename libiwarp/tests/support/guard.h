/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory next to a forbidden page: an access one octet beyond it faults. */
#ifndef TEST_SUPPORT_GUARD_H
#define TEST_SUPPORT_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include <iwarp/base.h>

#define GUARD_MAX 139264u /* octets: room for two of the largest FPDUs */

/* guard_in copies n octets to the end of a page; valid until the next call. With n 0 the place is
 * forbidden. */
iwarp_span guard_in(const void *octets, size_t n);

/* guard_in_front copies n octets to the begin of a page that follows a forbidden one, with memory
 * after them; valid until the next call. */
iwarp_span guard_in_front(const void *octets, size_t n);

/* guard_out returns n octets of 0xA5 at the end of a page; valid until the next call. */
uint8_t *guard_out(size_t n);

#endif
