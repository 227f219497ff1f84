/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that the compiler does not put into its only caller: the values of both would not fit
 * the registers. */
#ifndef IWARPI_BASE_NOINLINE_H
#define IWARPI_BASE_NOINLINE_H

#ifdef __GNUC__
#define IWARPI_NOINLINE __attribute__((noinline))
#else
#define IWARPI_NOINLINE
#endif

#endif
