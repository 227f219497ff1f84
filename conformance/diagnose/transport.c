/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP. */
#include <string.h>

#include "parts.h"

void iwarp_diagnose_transport(iwarp_diagnoses *out, const observe_transport *what) {
  const diagnose_case c = {.out = out};
  iwarp_diagnosis *d = NULL;
  out->num = 0;
  switch (what->state) {
  case OBSERVE_TRANSPORT_REFUSED:
    d = diagnose_add(&c, IWARP_DIAGNOSIS_TCP_REFUSED, true, 1,
                     "%s refused the TCP connection of %p: an RST in frame %1 answers the SYN in "
                     "frame %0");
    break;
  case OBSERVE_TRANSPORT_UNANSWERED:
    d = diagnose_add(&c, IWARP_DIAGNOSIS_TCP_UNANSWERED, what->waited_ns >= DIAGNOSE_LONG_NS / 3, 1,
                     "%s did not answer the SYN of %p in frame %0, within %t");
    d->number[2] = what->waited_ns;
    break;
  case OBSERVE_TRANSPORT_RESET:
    d = diagnose_add(&c, IWARP_DIAGNOSIS_TCP_RESET, false, what->ended_by_server ? 1 : 0,
                     "%s reset the TCP connection in frame %1, before any payload");
    break;
  case OBSERVE_TRANSPORT_NO_PAYLOAD:
    if (!what->cut && what->ended != 0) {
      d = diagnose_add(&c, IWARP_DIAGNOSIS_NO_REQUEST, false, 0,
                       what->ended_by_server
                           ? "%s opened the TCP connection in frame %0 and sent nothing, until %p "
                             "closed it in frame %1"
                           : "%s opened the TCP connection in frame %0 and left it in frame %1 "
                             "without any payload");
    }
    break;
  case OBSERVE_TRANSPORT_NO_STARTUP:
    if (what->looks_like != NULL && strcmp(what->looks_like, "mpa") == 0) {
      d = diagnose_add(&c, IWARP_DIAGNOSIS_KEY_WRONG, false, 0,
                       "%s opened the TCP connection in frame %0, and its first octets are almost "
                       "the key of a startup frame: some of them differ, or are missing");
    }
    break;
  case OBSERVE_TRANSPORT_LATE: break;
  }
  if (d != NULL) {
    diagnose_frames(d, what->packet, what->ended, 0);
  }
}
