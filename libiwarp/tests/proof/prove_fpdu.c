/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: FPDUs of up to three Markers. */
#include "fpdu.h"

/* fpdu_short decodes fewer octets than say how long the FPDU is, with a Marker before it. */
#define FPDU_SHORT 6 /* octets */
static void fpdu_short(bool markers) {
  iwarp_mpa_fpdu v;
  iwarp_mpa_fpdu_decode(&v, (iwarp_span){.ptr = NULL, .len = 0}, proof_u64, markers);
  //@ loop unroll FPDU_SHORT;
  for (size_t n = 0; n < FPDU_SHORT; n++) {
    uint8_t *p = proof_block(n);
    iwarp_mpa_fpdu_decode(&v, (iwarp_span){.ptr = p, .len = n}, proof_u64, markers);
    free(p);
  }
}

/* What the encoder refuses. */
static void fpdu_refused(void) {
  iwarp_mpa_fpdu_desc v = {.ulpdu = proof_far_any(), .off = proof_u64, .markers = true};
  v.ulpdu.len = Frama_C_size_t_interval((size_t)UINT16_MAX + 1, PROOF_FAR_LEN);
  size_t len = 0;
  iwarp_mpa_fpdu_encode(proof_far_out, PROOF_FAR_LEN, &len, &v);
  v.ulpdu.len = UINT16_MAX; /* FPDUPTR cannot hold the distance of the last Marker */
  iwarp_mpa_fpdu_encode(proof_far_out, PROOF_FAR_LEN, &len, &v);
  v.ulpdu.len = 8;
  v.marker_values = fpdu_marker_values;
  v.num_marker_values = IWARP_MPA_MARKERS_MAX;
  iwarp_mpa_fpdu_encode(proof_far_out, PROOF_FAR_LEN, &len, &v);
}

#define FPDU_SMALL 16 /* octets of ULPDU */
#define FPDU_LENGTHS 4
static const uint16_t fpdu_lengths[FPDU_LENGTHS] = {0, 1, 2, 3};

/* Stream offsets at which a short FPDU has a Marker before it, after it, or inside it. */
#define FPDU_PLACES 5
static const uint32_t fpdu_places[FPDU_PLACES] = {0, 4, 500, 504, 508};

/* Each place at which the first Marker falls into an FPDU with the largest header. */
#define FPDU_HEADER IWARP_RDMAP_HDR_MAX
#define FPDU_HEADER_FROM (IWARP_MPA_MARKER_PERIOD - FPDU_HEADER - 14u)

static void fpdu_with_markers(void) {
  //@ loop unroll FPDU_PLACES;
  for (size_t i = 0; i < FPDU_PLACES; i++) {
    //@ loop unroll FPDU_LENGTHS;
    for (size_t k = 0; k < FPDU_LENGTHS; k++) {
      fpdu_one(fpdu_lengths[k], fpdu_places[i], true);
    }
    fpdu_one(505, fpdu_places[i], true);
    fpdu_one(1030, fpdu_places[i], true);
  }
  //@ loop unroll FPDU_HEADER;
  for (uint32_t place = FPDU_HEADER_FROM; place < IWARP_MPA_MARKER_PERIOD; place += 4) {
    fpdu_one(FPDU_HEADER, place, true);
  }
}

void prove(void) {
  fpdu_short(false);
  fpdu_short(true);
  //@ loop unroll FPDU_SMALL + 1;
  for (uint16_t length = 0; length <= FPDU_SMALL; length++) {
    fpdu_one(length, proof_u64, false);
  }
  fpdu_with_markers();
  fpdu_one(FPDU_HEADER, proof_u64, false);
  fpdu_crc(0, true);
  fpdu_crc(FPDU_HEADER, false);
  fpdu_crc(505, true);
  fpdu_refused();
}
