/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets out of hex, as a person pastes it: plain, or a dump of packets with offsets. */
#ifndef CLI_HEXDUMP_H
#define CLI_HEXDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEXDUMP_ERROR_CAP 160u

/**
 * hexdump_form is how octets are written.
 *
 * A dump has lines that begin with an offset, with or without a column of characters. It may come
 * from tcpdump -x and -xx, xxd, hexdump -C, od -Ax -tx1, tshark -x, Wireshark or a log of Linux.
 * Other lines between packets are passed over. An offset of 0 begins a packet. A list has each
 * octet as 0x4d or \x4d, as xxd -i and Wireshark (C array, escaped string) write them; comments are
 * passed over, and what is before the first octet and after a closing brace, which ends a packet.
 * All else is plain hex, in which blanks, colons and a leading 0x are allowed.
 */
typedef enum hexdump_form { HEXDUMP_PLAIN, HEXDUMP_OFFSETS, HEXDUMP_LIST } hexdump_form;

/** hexdump reads text that the caller keeps. `octets` and `cap` are the caller's memory. */
typedef struct hexdump {
  const char *text;
  size_t text_len;
  uint8_t *octets;
  size_t cap;
  size_t len;    /* octets of the packet that was read last */
  size_t packet; /* number of that packet, from 1 */
  hexdump_form form;
  size_t at;   /* offset in the text */
  size_t line; /* number of the line, from 1 */
  char error[HEXDUMP_ERROR_CAP];
} hexdump;

/** hexdump_open begins to read a text. */
void hexdump_open(hexdump *h, const char *text, size_t text_len, uint8_t *octets, size_t cap);

/** hexdump_next reads the next packet, or the whole of plain hex once. False at the end, and where
 * `error` says what is wrong. */
bool hexdump_next(hexdump *h);

#endif
