/* SPDX-License-Identifier: BSD-2-Clause */
/* An input as a list of items: startup frames, ULPDUs, other records. */
#ifndef FUZZ_MUTATOR_PROGRAM_H
#define FUZZ_MUTATOR_PROGRAM_H

#include "mutator.h"

#define PROGRAM_ITEMS 2048u
#define PROGRAM_OCTETS (4u * FUZZ_BODY_MAX)

typedef enum item_kind {
  ITEM_RECORD = 0, /* a record of a script that is no stream, as it stands */
  ITEM_STARTUP,    /* a startup frame: its octets */
  ITEM_ULPDU,      /* octets of a ULPDU */
  ITEM_RAW         /* octets of a stream in which nothing was found */
} item_kind;

typedef struct item {
  item_kind kind;
  uint8_t record;  /* kind of the record that holds the item */
  bool begins;     /* the item begins a record */
  uint16_t length; /* ITEM_RECORD: length as it stands */
  uint8_t *octets; /* octets in the program's memory */
  size_t len;
} item;

typedef struct program {
  item items[PROGRAM_ITEMS];
  size_t num;
  bool markers[2]; /* Markers in the octets that a side sends */
  uint64_t off[2]; /* stream offset at which the side's Full Operation begins */
  uint8_t memory[PROGRAM_OCTETS];
  size_t used;
} program;

/* program_parse reads a body. */
void program_parse(program *p, fuzz_form form, iwarp_span body, fuzz_fpdu_place place);

/* program_write writes it again, with lengths, PAD, Markers and CRCs as they must be, and MSNs too
 * where `msn`; returns the octets written, at most `cap`. */
size_t program_write(const program *p, fuzz_form form, uint8_t *out, size_t cap, bool msn);

/* program_octets returns room for `n` octets in the program's memory, or NULL. */
uint8_t *program_octets(program *p, size_t n);

/* program_insert makes room for an item at `at`; NULL if there is no room. */
item *program_insert(program *p, size_t at);

/* program_remove takes an item away. */
void program_remove(program *p, size_t at);

#endif
