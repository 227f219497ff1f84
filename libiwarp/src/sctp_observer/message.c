/* SPDX-License-Identifier: BSD-2-Clause */
/* The classification of a captured message over SCTP by its octets alone. */
#include "state.h"

uint32_t iwarp_sctp_ppid_host(uint32_t ppid) {
  const uint32_t swapped =
      ppid >> 24 | (ppid >> 8 & 0xFF00u) | (ppid << 8 & 0xFF0000u) | ppid << 24;
  return iwarp_name_known(iwarp_sctp_ppid_name(swapped)) ? swapped : ppid;
}

/* Octets that must be there for the engine to tell what the message is. */
bool iwarp_sctp_captured_enough(const iwarp_sctp_captured *msg) {
  const size_t least = iwarp_sctp_ppid_host(msg->ppid) == IWARP_SCTP_PPID_CONTROL
                           ? IWARP_SCTP_CONTROL_LEN + IWARP_SCTP_ENHANCED_LEN
                           : IWARP_SCTP_SEGMENT_LEN;
  return msg->user_data.len >= least || msg->user_data.len == msg->length;
}

bool iwarpi_sctp_observer_control(const iwarp_sctp_captured *msg, iwarp_sctp_control *v) {
  return iwarp_sctp_ppid_host(msg->ppid) == IWARP_SCTP_PPID_CONTROL &&
         iwarp_sctp_control_decode(v, msg->user_data).err == IWARP_OK;
}

static bool message_initiates(uint16_t function) {
  return function == IWARP_SCTP_INITIATE || function == IWARP_SCTP_ENHANCED_INITIATE;
}

bool iwarpi_sctp_observer_is_initiate(const iwarp_sctp_captured *msg) {
  iwarp_sctp_control v;
  return iwarpi_sctp_observer_control(msg, &v) && v.ssn == 0 && message_initiates(v.function);
}
