/* SPDX-License-Identifier: BSD-2-Clause */
/* The opcode table and the RDMAP Control Field: RFC 5040 4.1, RFC 7306 4.1, RFC 6580 3.4. */
#include <iwarp/rdmap.h>

#define RDMAP_OPS_TERM_MIN 4u /* octets of a Terminate Header's control field */
#define RDMAP_OPS_RV_SHIFT 6
#define RDMAP_OPS_RSV_SHIFT 4

/* Octets after an opcode without an assignment have no known meaning; they may be payload. */
#define RDMAP_OPS_RESERVED(label_, rfc_)                                                           \
  { .name = "reserved", .label = (label_), .payload = true, .rfc = (rfc_) }

static const iwarp_rdmap_op rdmap_ops_table[] = {
    [IWARP_RDMAP_OP_WRITE] = {.name = "write",
                              .label = "RDMA Write",
                              .cls = IWARP_RDMAP_CLASS_WRITE,
                              .assigned = true,
                              .base = true,
                              .tagged = true,
                              .payload = true,
                              .rfc = "RFC 5040 4.3"},
    [IWARP_RDMAP_OP_READ_REQ] = {.name = "read-request",
                                 .label = "RDMA Read Request",
                                 .cls = IWARP_RDMAP_CLASS_READ_REQ,
                                 .kind = IWARP_RDMAP_KIND_READ_REQ,
                                 .form = IWARP_FORM_RDMAP_READ_REQ,
                                 .assigned = true,
                                 .base = true,
                                 .qn = IWARP_RDMAP_QN_READ_REQ,
                                 .hdr_len = IWARP_RDMAP_READ_REQ_LEN,
                                 .rfc = "RFC 5040 4.4"},
    [IWARP_RDMAP_OP_READ_RESP] = {.name = "read-response",
                                  .label = "RDMA Read Response",
                                  .cls = IWARP_RDMAP_CLASS_READ_RESP,
                                  .assigned = true,
                                  .base = true,
                                  .tagged = true,
                                  .payload = true,
                                  .rfc = "RFC 5040 4.5"},
    [IWARP_RDMAP_OP_SEND] = {.name = "send",
                             .label = "Send",
                             .cls = IWARP_RDMAP_CLASS_SEND,
                             .assigned = true,
                             .base = true,
                             .qn = IWARP_RDMAP_QN_SEND,
                             .payload = true,
                             .rfc = "RFC 5040 4.6"},
    [IWARP_RDMAP_OP_SEND_INV] = {.name = "send-invalidate",
                                 .label = "Send with Invalidate",
                                 .cls = IWARP_RDMAP_CLASS_SEND,
                                 .assigned = true,
                                 .base = true,
                                 .qn = IWARP_RDMAP_QN_SEND,
                                 .payload = true,
                                 .invalidates = true,
                                 .rfc = "RFC 5040 4.7"},
    [IWARP_RDMAP_OP_SEND_SE] = {.name = "send-se",
                                .label = "Send with Solicited Event",
                                .cls = IWARP_RDMAP_CLASS_SEND,
                                .assigned = true,
                                .base = true,
                                .qn = IWARP_RDMAP_QN_SEND,
                                .payload = true,
                                .solicited = true,
                                .rfc = "RFC 5040 4.6"},
    [IWARP_RDMAP_OP_SEND_SE_INV] = {.name = "send-se-invalidate",
                                    .label = "Send with Solicited Event and Invalidate",
                                    .cls = IWARP_RDMAP_CLASS_SEND,
                                    .assigned = true,
                                    .base = true,
                                    .qn = IWARP_RDMAP_QN_SEND,
                                    .payload = true,
                                    .invalidates = true,
                                    .solicited = true,
                                    .rfc = "RFC 5040 4.7"},
    [IWARP_RDMAP_OP_TERMINATE] = {.name = "terminate",
                                  .label = "Terminate",
                                  .cls = IWARP_RDMAP_CLASS_TERMINATE,
                                  .kind = IWARP_RDMAP_KIND_TERM,
                                  .form = IWARP_FORM_RDMAP_TERM,
                                  .assigned = true,
                                  .base = true,
                                  .qn = IWARP_RDMAP_QN_TERMINATE,
                                  .hdr_len = RDMAP_OPS_TERM_MIN,
                                  .rfc = "RFC 5040 4.8"},
    [IWARP_RDMAP_OP_IMMEDIATE] = {.name = "immediate",
                                  .label = "Immediate Data",
                                  .cls = IWARP_RDMAP_CLASS_IMMEDIATE,
                                  .kind = IWARP_RDMAP_KIND_IMMEDIATE,
                                  .form = IWARP_FORM_RDMAP_IMMEDIATE,
                                  .assigned = true,
                                  .qn = IWARP_RDMAP_QN_SEND,
                                  .hdr_len = IWARP_RDMAP_IMMEDIATE_LEN,
                                  .rfc = "RFC 7306 6.2"},
    [IWARP_RDMAP_OP_IMMEDIATE_SE] = {.name = "immediate-se",
                                     .label = "Immediate Data with Solicited Event",
                                     .cls = IWARP_RDMAP_CLASS_IMMEDIATE,
                                     .kind = IWARP_RDMAP_KIND_IMMEDIATE,
                                     .form = IWARP_FORM_RDMAP_IMMEDIATE,
                                     .assigned = true,
                                     .qn = IWARP_RDMAP_QN_SEND,
                                     .hdr_len = IWARP_RDMAP_IMMEDIATE_LEN,
                                     .solicited = true,
                                     .rfc = "RFC 7306 6.2"},
    [IWARP_RDMAP_OP_ATOMIC_REQ] = {.name = "atomic-request",
                                   .label = "Atomic Request",
                                   .cls = IWARP_RDMAP_CLASS_ATOMIC_REQ,
                                   .kind = IWARP_RDMAP_KIND_ATOMIC_REQ,
                                   .form = IWARP_FORM_RDMAP_ATOMIC_REQ,
                                   .assigned = true,
                                   .qn = IWARP_RDMAP_QN_READ_REQ,
                                   .hdr_len = IWARP_RDMAP_ATOMIC_REQ_LEN,
                                   .rfc = "RFC 7306 5.2.1"},
    [IWARP_RDMAP_OP_ATOMIC_RESP] = {.name = "atomic-response",
                                    .label = "Atomic Response",
                                    .cls = IWARP_RDMAP_CLASS_ATOMIC_RESP,
                                    .kind = IWARP_RDMAP_KIND_ATOMIC_RESP,
                                    .form = IWARP_FORM_RDMAP_ATOMIC_RESP,
                                    .assigned = true,
                                    .qn = IWARP_RDMAP_QN_ATOMIC_RESP,
                                    .hdr_len = IWARP_RDMAP_ATOMIC_RESP_LEN,
                                    .rfc = "RFC 7306 5.2.2"},
    [IWARP_RDMAP_OP_RESERVED_12] = RDMAP_OPS_RESERVED("Unassigned", "RFC 6580 3.4"),
    [IWARP_RDMAP_OP_RESERVED_13] = RDMAP_OPS_RESERVED("Unassigned", "RFC 6580 3.4"),
    [IWARP_RDMAP_OP_RESERVED_14] = RDMAP_OPS_RESERVED("Unassigned", "RFC 6580 3.4"),
    [IWARP_RDMAP_OP_EXPERIMENTAL] = RDMAP_OPS_RESERVED("Reserved (Experimental)", "RFC 6580 3.4"),
};

_Static_assert(sizeof rdmap_ops_table / sizeof rdmap_ops_table[0] == IWARP_RDMAP_CTRL_OPCODE + 1u,
               "one row for each value of the Opcode field");

const iwarp_rdmap_op *iwarp_rdmap_op_get(uint8_t opcode) {
  return &rdmap_ops_table[opcode & IWARP_RDMAP_CTRL_OPCODE];
}

iwarp_rdmap_ctrl iwarp_rdmap_ctrl_decode(uint8_t octet) {
  return (iwarp_rdmap_ctrl){
      .rv = (uint8_t)((octet & IWARP_RDMAP_CTRL_RV) >> RDMAP_OPS_RV_SHIFT),
      .rsv = (uint8_t)((octet & IWARP_RDMAP_CTRL_RSV) >> RDMAP_OPS_RSV_SHIFT),
      .opcode = (uint8_t)(octet & IWARP_RDMAP_CTRL_OPCODE),
  };
}

uint8_t iwarp_rdmap_ctrl_encode(iwarp_rdmap_ctrl v) {
  uint32_t octet = ((uint32_t)v.rv << RDMAP_OPS_RV_SHIFT & IWARP_RDMAP_CTRL_RV) |
                   ((uint32_t)v.rsv << RDMAP_OPS_RSV_SHIFT & IWARP_RDMAP_CTRL_RSV) |
                   (v.opcode & IWARP_RDMAP_CTRL_OPCODE);
  return (uint8_t)octet;
}
