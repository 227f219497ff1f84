/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP. */
#include <string.h>

#include "parts.h"

#define TRANSPORT_IDLE_NS UINT64_C(30000000000) /* longest idle time without a Request */

/* Returns true if the first octets that were not MPA show a fault of their sender. */
static bool transport_is_key(const observe_transport *what) {
  return what->looks_like != NULL && strcmp(what->looks_like, "mpa") == 0 && !what->cut &&
         what->ended != 0;
}

/* An error of ICMP says why the SYN, or the SYN+ACK, got no answer: whoever sent it, nothing came
 * of the other side. */
static iwarp_diagnosis *transport_icmp(const diagnose_case *c, const observe_transport *what,
                                       uint8_t side, bool certain, const char *text) {
  const observe_icmp *icmp = &what->icmp[side];
  if (icmp->says == NULL || !icmp->open) {
    return NULL;
  }
  iwarp_diagnosis *d = diagnose_add(
      c, icmp->refused ? IWARP_DIAGNOSIS_ICMP_REFUSED : IWARP_DIAGNOSIS_ICMP_UNREACHABLE,
      certain && what->waited_ns >= DIAGNOSE_SHORT_NS, 1 - side, text);
  d->word[0] = icmp->says;
  return d;
}

/* The server, which may wait for a Request, ended the connection without a word. */
static bool transport_is_refused(const observe_transport *what) {
  return what->server_silent && what->ended != 0 && what->ended_by_server && !what->cut &&
         !what->client_unseen && !what->datagrams;
}

static iwarp_diagnosis *transport_silent(const diagnose_case *c, const observe_transport *what) {
  const bool long_ago = what->waited_ns >= DIAGNOSE_SHORT_NS;
  if (what->unfinished && what->ended == 0 && long_ago) {
    iwarp_diagnosis *d =
        transport_icmp(c, what, 1, false,
                       "%s never acknowledged the SYN+ACK with which %p answered its SYN in frame "
                       "%0: an ICMP error in frame %2 says of the SYN+ACK: %v");
    if (d != NULL) {
      return d;
    }
    d = diagnose_add(c, IWARP_DIAGNOSIS_HANDSHAKE_UNFINISHED, false, 0,
                     "%s never acknowledged the SYN+ACK with which %p answered its SYN, in the %t "
                     "after frame %0: the answers were likely lost on the way");
    return d;
  }
  if (what->ended == 0) {
    return what->waited_ns < TRANSPORT_IDLE_NS
               ? NULL
               : diagnose_add(c, IWARP_DIAGNOSIS_NO_REQUEST, false, 0,
                              "%s opened the TCP connection in frame %0 and sent nothing for %t, "
                              "until the capture ends");
  }
  return diagnose_add(c, IWARP_DIAGNOSIS_NO_REQUEST, false, 0,
                      what->ended_by_server
                          ? "%s opened the TCP connection in frame %0 and sent nothing, until %p "
                            "closed it in frame %1"
                          : "%s opened the TCP connection in frame %0 and left it in frame %1 "
                            "without any payload");
}

static iwarp_diagnosis *transport_unanswered(const diagnose_case *c,
                                             const observe_transport *what) {
  iwarp_diagnosis *d =
      transport_icmp(c, what, 0, true,
                     what->icmp[0].by_host
                         ? "%s cannot be reached by %p: its own address answers the SYN in frame "
                           "%0 with an ICMP error, in frame %2: %v"
                         : "%s cannot be reached by %p: an ICMP error in frame %2, from the way "
                           "between the two, answers the SYN in frame %0: %v");
  return d != NULL
             ? d
             : diagnose_add(
                   c, IWARP_DIAGNOSIS_TCP_UNANSWERED,
                   what->syn_again && what->waited_ns >= DIAGNOSE_SHORT_NS, 1,
                   what->syn_again
                       ? "%s gave no answer that reached %p to its SYN in frame %0, within %t"
                       : "the capture has no answer of %s to the SYN of %p in frame %0, within %t");
}

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
  case OBSERVE_TRANSPORT_UNANSWERED: d = transport_unanswered(&c, what); break;
  case OBSERVE_TRANSPORT_RESET:
    if (what->client_unseen) {
      break;
    }
    d = diagnose_add(&c, IWARP_DIAGNOSIS_TCP_RESET, false, what->ended_by_server ? 1 : 0,
                     "%s reset the TCP connection in frame %1, before any payload");
    break;
  case OBSERVE_TRANSPORT_NO_PAYLOAD:
    d = what->cut || what->client_unseen ? NULL : transport_silent(&c, what);
    break;
  case OBSERVE_TRANSPORT_NO_STARTUP:
    if (transport_is_key(what)) {
      d = diagnose_add(&c, IWARP_DIAGNOSIS_KEY_WRONG, false, 0,
                       "%s opened the TCP connection in frame %0, and its first octets are almost "
                       "the key of a startup frame: some of them differ, or are missing");
    } else if (transport_is_refused(what)) {
      d = diagnose_add(&c, IWARP_DIAGNOSIS_CLIENT_NOT_IWARP, false, 0,
                       what->looks_like != NULL
                           ? "%s, which opened the TCP connection in frame %0, sent %v in the "
                             "place of an MPA Request, and %p ended it in frame %1 without any "
                             "payload"
                           : "%s, which opened the TCP connection in frame %0, sent octets that "
                             "are no MPA Request, and %p ended it in frame %1 without any payload");
      d->word[0] = what->looks_like;
    }
    break;
  case OBSERVE_TRANSPORT_LATE: break;
  }
  if (d != NULL) {
    d->number[2] = what->waited_ns;
    const bool icmp =
        d->id == IWARP_DIAGNOSIS_ICMP_UNREACHABLE || d->id == IWARP_DIAGNOSIS_ICMP_REFUSED;
    diagnose_frames(d, what->packet, what->ended, icmp ? what->icmp[1 - d->side].first : 0);
  }
}
