/* SPDX-License-Identifier: BSD-2-Clause */
/* The causes that show as more than one finding. */
#include "cause.h"

/* True if the event is a Terminate that makes sense in another bit order. */
static bool cause_swapped(const iwarp_event *ev) {
  const bool segment = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  iwarp_rdmap_term likely;
  return segment && ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM &&
         iwarp_rdmap_term_likely(&likely, &ev->u.fpdu.seg.u.term, ev->u.fpdu.term_place);
}

enum cause_id {
  CAUSE_NONE,
  CAUSE_TERMINATE_ORDER, /* asks for more than its rules */
  CAUSE_RDMAC,
  CAUSE_DEPTHS,
  CAUSE_REPLY,
  CAUSE_MARKER,
  CAUSE_CONTROL,
  CAUSE_RESPONSE,
  CAUSE_FETCH_ADD,
  CAUSE_COUNT
};

static const char *const cause_names[CAUSE_COUNT] = {
    [CAUSE_TERMINATE_ORDER] = "terminate-host-bit-order",
    [CAUSE_RDMAC] = "rdmac-revision",
    [CAUSE_DEPTHS] = "depths-lowered",
    [CAUSE_REPLY] = "reply-ignores-request",
    [CAUSE_MARKER] = "marker-misplaced",
    [CAUSE_CONTROL] = "control-octets-not-cleared",
    [CAUSE_RESPONSE] = "read-response-misdirected",
    [CAUSE_FETCH_ADD] = "compare-fields-of-fetch-add",
};

static const uint8_t cause_of[RULES_COUNT] = {
    [RULES_rdmap_terminate_code] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_reserved] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_headers] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_rdma_header] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_flags] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_ddp_header] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_segment_length] = CAUSE_TERMINATE_ORDER,
    [RULES_rdmap_terminate_read_header] = CAUSE_TERMINATE_ORDER,
    [RULES_mpa_rev_rdmac] = CAUSE_RDMAC,
    [RULES_mpa_rdmac_flags] = CAUSE_RDMAC,
    [RULES_ddp_version_family] = CAUSE_RDMAC,
    [RULES_mpa_ird_unspecified] = CAUSE_DEPTHS,
    [RULES_mpa_ord_unspecified] = CAUSE_DEPTHS,
    [RULES_mpa_model_copied] = CAUSE_REPLY,
    [RULES_mpa_rtr_supported] = CAUSE_REPLY,
    [RULES_mpa_model_flags] = CAUSE_REPLY,
    [RULES_mpa_marker_reserved] = CAUSE_MARKER,
    [RULES_mpa_marker_pointer] = CAUSE_MARKER,
    [RULES_mpa_marker_low_bits] = CAUSE_MARKER,
    [RULES_ddp_reserved] = CAUSE_CONTROL,
    [RULES_rdmap_reserved] = CAUSE_CONTROL,
    [RULES_rdmap_read_response_stag] = CAUSE_RESPONSE,
    [RULES_rdmap_read_response_to] = CAUSE_RESPONSE,
    [RULES_rdmap_atomic_compare_data] = CAUSE_FETCH_ADD,
    [RULES_rdmap_atomic_compare_mask] = CAUSE_FETCH_ADD,
};

/* True if the cause explains the finding, which is one of `side`, and is handed out. */
static bool cause_explains(uint8_t cause, uint8_t side, const iwarp_finding *f,
                           const struct rules_set *disabled) {
  return f->side == side && cause_of[f->rule] == cause && !rulesi_set_has(disabled, f->rule);
}

/* How many findings of one side a cause explains. */
static unsigned cause_count(const struct rules_findings *found, const struct rules_set *disabled,
                            uint8_t cause, uint8_t side) {
  unsigned n = 0;
  for (uint16_t i = 0; i < found->num; i++) {
    n += cause_explains(cause, side, &found->entry[i], disabled) ? 1u : 0u;
  }
  return n;
}

static void cause_name(const struct rules_findings *found, const struct rules_set *disabled,
                       uint8_t cause, uint8_t side) {
  for (uint16_t i = 0; i < found->num; i++) {
    if (cause_explains(cause, side, &found->entry[i], disabled)) {
      found->entry[i].cause = cause_names[cause];
    }
  }
}

void rulesi_causes(const struct rules_findings *found, const struct rules_set *disabled,
                   uint32_t causes[2], const iwarp_event *ev) {
  for (uint8_t cause = CAUSE_NONE + 1; cause < CAUSE_COUNT && found->num > 0; cause++) {
    for (uint8_t side = 0; side < 2; side++) {
      const uint32_t bit = (uint32_t)1 << cause;
      const unsigned n = cause_count(found, disabled, cause, side);
      const bool enough = n > 1 || (n == 1 && (causes[side] & bit) != 0);
      if (enough && (cause != CAUSE_TERMINATE_ORDER || cause_swapped(ev))) {
        cause_name(found, disabled, cause, side);
        causes[side] |= bit;
      }
    }
  }
}
