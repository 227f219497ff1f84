/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets written as text. */
#ifndef TEST_SUPPORT_HEX_H
#define TEST_SUPPORT_HEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * hex_octets reads pairs of hex digits; blanks between octets are skipped, and "(00*24)" stands for
 * 24 octets of 00. It returns how many octets it wrote and stops the program when the text is wrong
 * or `cap` too small.
 */
size_t hex_octets(uint8_t *octets, size_t cap, const char *text);

#endif
