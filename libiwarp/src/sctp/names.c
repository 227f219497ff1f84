/* SPDX-License-Identifier: BSD-2-Clause */
/* The Function Codes and the Payload Protocol Identifiers: RFC 6580 3.5, RFC 5043 12. */
#include <iwarp/sctp.h>

static const iwarp_sctp_function_info sctp_names_functions[] = {
    {.code = IWARP_SCTP_INITIATE,
     .assigned = true,
     .private_data = true,
     .name = "initiate",
     .label = "DDP Stream Session Initiate",
     .rfc = "RFC 5043 5.2.3"},
    {.code = IWARP_SCTP_ACCEPT,
     .assigned = true,
     .private_data = true,
     .name = "accept",
     .label = "DDP Stream Session Accept",
     .rfc = "RFC 5043 5.2.3"},
    {.code = IWARP_SCTP_REJECT,
     .assigned = true,
     .private_data = true,
     .name = "reject",
     .label = "DDP Stream Session Reject",
     .rfc = "RFC 5043 5.2.3"},
    {.code = IWARP_SCTP_TERMINATE,
     .assigned = true,
     .name = "terminate",
     .label = "DDP Stream Session Terminate",
     .rfc = "RFC 5043 5.2.3"},
    {.code = IWARP_SCTP_ENHANCED_INITIATE,
     .assigned = true,
     .private_data = true,
     .enhanced = true,
     .name = "enhanced-initiate",
     .label = "Enhanced DDP Stream Session Initiate",
     .rfc = "RFC 6581 7"},
    {.code = IWARP_SCTP_ENHANCED_ACCEPT,
     .assigned = true,
     .private_data = true,
     .enhanced = true,
     .name = "enhanced-accept",
     .label = "Enhanced DDP Stream Session Accept",
     .rfc = "RFC 6581 7"},
    {.code = IWARP_SCTP_ENHANCED_REJECT,
     .assigned = true,
     .private_data = true,
     .enhanced = true,
     .name = "enhanced-reject",
     .label = "Enhanced DDP Stream Session Reject",
     .rfc = "RFC 6581 7"},
    {.code = IWARP_SCTP_EXPERIMENTAL,
     .private_data = true, /* octets after the code have no known meaning */
     .name = "experimental",
     .label = "Reserved (Experimental)",
     .rfc = "RFC 6580 3.5"},
};

const iwarp_sctp_function_info *iwarp_sctp_function_at(size_t index) {
  size_t num = sizeof sctp_names_functions / sizeof sctp_names_functions[0];
  return index < num ? &sctp_names_functions[index] : NULL;
}

const iwarp_sctp_function_info *iwarp_sctp_function_get(uint16_t code) {
  const iwarp_sctp_function_info *row = NULL;
  for (size_t i = 0; (row = iwarp_sctp_function_at(i)) != NULL; i++) {
    if (row->code == code) {
      return row;
    }
  }
  return NULL;
}

const char *iwarp_sctp_ppid_name(uint32_t ppid) {
  switch (ppid) {
  case IWARP_SCTP_PPID_SEGMENT: return "DDP Segment Chunk";
  case IWARP_SCTP_PPID_CONTROL: return "DDP Stream Session Control";
  }
  return IWARP_NAME_UNKNOWN;
}
