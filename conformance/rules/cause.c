/* SPDX-License-Identifier: BSD-2-Clause */
/* The causes that show as more than one finding. */
#include "cause.h"

/* Whether the event is a Terminate that makes sense in another bit order. */
static bool cause_swapped(const iwarp_event *ev) {
  const bool segment = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  iwarp_rdmap_term likely;
  return segment && ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM &&
         iwarp_rdmap_term_likely(&likely, &ev->u.fpdu.seg.u.term);
}

#define CAUSE_TERMINATE 0u /* row of the one that asks for more than its rules */
#define CAUSE_RULES 8u

static const struct {
  const char *name;
  uint16_t num;
  uint16_t rule[CAUSE_RULES];
} cause_rows[] = {
    {"terminate-host-bit-order",
     8,
     {RULES_rdmap_terminate_code, RULES_rdmap_terminate_reserved, RULES_rdmap_terminate_headers,
      RULES_rdmap_terminate_rdma_header, RULES_rdmap_terminate_flags,
      RULES_rdmap_terminate_ddp_header, RULES_rdmap_terminate_segment_length,
      RULES_rdmap_terminate_read_header}},
    {"rdmac-revision", 3, {RULES_mpa_rev_rdmac, RULES_mpa_rdmac_flags, RULES_ddp_version_family}},
    {"depths-lowered", 2, {RULES_mpa_ird_unspecified, RULES_mpa_ord_unspecified}},
    {"reply-ignores-request",
     3,
     {RULES_mpa_model_copied, RULES_mpa_rtr_supported, RULES_mpa_model_flags}},
    {"marker-misplaced",
     3,
     {RULES_mpa_marker_reserved, RULES_mpa_marker_pointer, RULES_mpa_marker_low_bits}},
    {"control-octets-not-cleared", 2, {RULES_ddp_reserved, RULES_rdmap_reserved}},
    {"read-response-misdirected",
     2,
     {RULES_rdmap_read_response_stag, RULES_rdmap_read_response_to}},
    {"compare-fields-of-fetch-add",
     2,
     {RULES_rdmap_atomic_compare_data, RULES_rdmap_atomic_compare_mask}},
};

#define CAUSE_COUNT (sizeof(cause_rows) / sizeof(cause_rows[0]))

static bool cause_has(size_t row, uint16_t rule) {
  for (uint16_t i = 0; i < cause_rows[row].num; i++) {
    if (cause_rows[row].rule[i] == rule) {
      return true;
    }
  }
  return false;
}

/* How many findings of one side a cause explains. */
static unsigned cause_count(const struct rules_findings *found, size_t row, uint8_t side) {
  unsigned n = 0;
  for (uint16_t i = 0; i < found->num; i++) {
    n += found->entry[i].side == side && cause_has(row, found->entry[i].rule) ? 1u : 0u;
  }
  return n;
}

static void cause_name(const struct rules_findings *found, size_t row, uint8_t side) {
  for (uint16_t i = 0; i < found->num; i++) {
    if (found->entry[i].side == side && cause_has(row, found->entry[i].rule)) {
      found->entry[i].cause = cause_rows[row].name;
    }
  }
}

void rulesi_causes(const struct rules_findings *found, uint32_t shown[2], const iwarp_event *ev) {
  for (size_t row = 0; row < CAUSE_COUNT && found->num > 0; row++) {
    for (uint8_t side = 0; side < 2; side++) {
      const uint32_t bit = (uint32_t)1 << row;
      const unsigned n = cause_count(found, row, side);
      const bool enough = n > 1 || (n == 1 && (shown[side] & bit) != 0);
      if (enough && (row != CAUSE_TERMINATE || cause_swapped(ev))) {
        cause_name(found, row, side);
        shown[side] |= bit;
      }
    }
  }
}
