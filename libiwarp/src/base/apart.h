/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that is compiled by itself even where it has one caller: joined with a long one, the
 * values of neither would fit the registers. */
#ifndef IWARPI_BASE_APART_H
#define IWARPI_BASE_APART_H

#ifdef __GNUC__
#define IWARPI_APART __attribute__((noinline))
#else
#define IWARPI_APART
#endif

#endif
