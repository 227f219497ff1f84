/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs of the mutator, as a peer that is right would make them, and whether they still are. */
#ifndef FUZZ_TESTS_MUTATOR_STREAM_H
#define FUZZ_TESTS_MUTATOR_STREAM_H

#include "mutator.h"

#define STREAM_FPDUS 6u
#define STREAM_MAX 4096u

typedef struct stream_input {
  uint8_t octets[STREAM_MAX];
  size_t len;                /* with the tail */
  size_t startup[2];         /* where the frames of both sides begin */
  size_t fpdu[STREAM_FPDUS]; /* where the FPDUs of side 0 begin */
  size_t fpdu_len[STREAM_FPDUS];
} stream_input;

/*
 * stream_of_fpdus makes a script: a Request and a Reply with Private Data, then FPDUs of side 0 in
 * two records, with Markers if these are asked for. Sends have the MSNs 1, 2, ...
 */
void stream_of_fpdus(stream_input *out, bool markers);

/* stream_tail is the octet of the tail that is the mutator's. */
uint8_t *stream_tail(stream_input *in);

/* What is wrong with a script: of the records, of the octets of each side. */
typedef struct stream_state {
  size_t fpdus;   /* of both sides */
  size_t crc;     /* FPDUs with a wrong one */
  size_t markers; /* Markers that point elsewhere */
  size_t pad;     /* FPDUs whose PAD is not zero */
  size_t msn;     /* untagged segments with an unexpected MSN */
  size_t rest;    /* octets in which no FPDU is found */
  bool startup;   /* a frame whose PD_Length is wrong */
} stream_state;

/* stream_look reads the script as both sides' receivers would. */
stream_state stream_look(const uint8_t *octets, size_t len, bool markers);

#endif
