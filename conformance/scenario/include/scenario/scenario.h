/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations written down as text, and captures made from them. docs/scenarios.md */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include <report/out_buf.h>

#define SCENARIO_MESSAGE_CAP 160u

/** scenario_error is an error in a text: its message and its place. */
typedef struct scenario_error {
  unsigned int line;   /* 1-based */
  unsigned int column; /* 1-based, of the first character of the word */
  char message[SCENARIO_MESSAGE_CAP];
} scenario_error;

/** scenario is one conversation over TCP or SCTP, packet by packet. */
typedef struct scenario scenario;

/** scenario_new makes an empty one; NULL: no memory. */
scenario *scenario_new(void);

/** scenario_read reads a text of `len` characters into an empty scenario. False: `error` says why.
 */
bool scenario_read(scenario *s, const char *text, size_t len, scenario_error *error);

/** scenario_variants are the names of the variants; NULL ends the list. */
extern const char *const scenario_variants[];

/** scenario_has_variant returns whether a scenario that was read has this variant: messages of SCTP
 * cannot be cut and joined as a stream of octets can. */
bool scenario_has_variant(const scenario *s, const char *variant);

/** scenario_derive makes a variant that it has out of a scenario that was read. False: no
 * memory, or more packets than a scenario may have. */
bool scenario_derive(scenario *s, const char *variant);

/** scenario_file is a format of captures. */
typedef enum scenario_file { SCENARIO_PCAP = 0, SCENARIO_PCAPNG } scenario_file;

/** scenario_write writes the capture as a file of this format: the same octets on every machine. */
void scenario_write(const scenario *s, scenario_file format, out_buf *out);

/** scenario_free gives everything back; NULL is fine. */
void scenario_free(scenario *s);

#endif
