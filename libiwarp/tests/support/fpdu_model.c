/* SPDX-License-Identifier: BSD-2-Clause */
/* A naive sender of FPDUs. */
#include "fpdu_model.h"

#include "crc_oracle.h"

/* The octet at `pos` of ULPDU_Length + ULPDU + PAD. */
static uint8_t fpdu_model_octet(size_t pos, const uint8_t *ulpdu, uint16_t ulpdu_length) {
  if (pos < 2) {
    return (uint8_t)(pos == 0 ? ulpdu_length / 256 : ulpdu_length % 256);
  }
  return pos - 2 < ulpdu_length ? ulpdu[pos - 2] : 0;
}

static void fpdu_model_marker(fpdu_model *m, size_t distance) {
  m->marker_at[m->num_markers] = m->len;
  m->distance[m->num_markers] = distance;
  m->num_markers++;
  m->wire[m->len] = 0;
  m->wire[m->len + 1] = 0;
  m->wire[m->len + 2] = (uint8_t)(distance / 256 % 256);
  m->wire[m->len + 3] = (uint8_t)(distance % 256);
  m->len += 4;
}

void fpdu_model_send(fpdu_model *m, uint64_t off, const uint8_t *ulpdu, uint16_t ulpdu_length,
                     bool markers) {
  m->len = 0;
  m->num_markers = 0;
  m->pad = 0;
  while ((2 + ulpdu_length + m->pad) % 4 != 0) {
    m->pad++;
  }
  if (markers && off % 512 == 0) {
    fpdu_model_marker(m, 0);
  }
  m->length_at = m->len;
  size_t body = 2 + (size_t)ulpdu_length + m->pad;
  for (size_t pos = 0; pos < body; pos += 4) {
    if (markers && pos > 0 && (off + m->len) % 512 == 0) {
      fpdu_model_marker(m, m->len - m->length_at);
    }
    for (size_t i = 0; i < 4 && ulpdu != NULL; i++) {
      m->wire[m->len + i] = fpdu_model_octet(pos + i, ulpdu, ulpdu_length);
    }
    m->len += 4;
  }
  if (markers && (off + m->len) % 512 == 0) {
    fpdu_model_marker(m, m->len - m->length_at);
  }
  m->crc_at = m->len;
  if (ulpdu != NULL) {
    uint32_t crc = crc_oracle(0, m->wire, m->len);
    for (size_t i = 0; i < 4; i++) {
      m->wire[m->len + i] = (uint8_t)(crc >> 8 * i);
    }
  }
  m->len += 4;
}
