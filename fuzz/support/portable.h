/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c as a machine without an instruction for it computes it. */
#ifndef FUZZ_SUPPORT_PORTABLE_H
#define FUZZ_SUPPORT_PORTABLE_H

/* portable_crc lets the library use its portable CRC32c from now on. */
void portable_crc(void);

#endif
