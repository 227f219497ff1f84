/* SPDX-License-Identifier: BSD-2-Clause */
/* A naive sender of FPDUs: it writes one 4-octet word after another, and a Marker before a word
 * where the stream offset requires it. */
#ifndef TEST_SUPPORT_FPDU_MODEL_H
#define TEST_SUPPORT_FPDU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FPDU_MODEL_MAX 66100u /* octets */
#define FPDU_MODEL_MARKERS_MAX 140u

typedef struct fpdu_model {
  uint8_t wire[FPDU_MODEL_MAX];
  size_t len;       /* octets of wire */
  size_t length_at; /* offset of ULPDU_Length in wire */
  size_t crc_at;    /* offset of the CRC */
  size_t pad;       /* octets of PAD */
  size_t num_markers;
  size_t marker_at[FPDU_MODEL_MARKERS_MAX]; /* offsets of the Markers in wire */
  size_t distance[FPDU_MODEL_MARKERS_MAX];  /* what each FPDUPTR should say, however large */
} fpdu_model;

/*
 * fpdu_model_send makes the wire form of an FPDU; `off` is a multiple of 4. With `ulpdu` NULL it
 * only says where everything stands.
 */
void fpdu_model_send(fpdu_model *m, uint64_t off, const uint8_t *ulpdu, uint16_t ulpdu_length,
                     bool markers);

#endif
