/* SPDX-License-Identifier: BSD-2-Clause */
/* A peer of an endpoint that sends chosen items, legal or not, with right framing. */
#ifndef FUZZ_SUPPORT_PEER_H
#define FUZZ_SUPPORT_PEER_H

#include <iwarp/endpoint.h>

#include "fuzz.h"

/* The items that a peer can send: X(name). */
#define PEER_SAYS_MAP(X)                                                                           \
  X(REQUEST)                                                                                       \
  X(REPLY)                                                                                         \
  X(REJECT)                                                                                        \
  X(SEND)                                                                                          \
  X(SEND_INVALIDATE)                                                                               \
  X(WRITE)                                                                                         \
  X(READ_REQUEST)                                                                                  \
  X(READ_RESPONSE)                                                                                 \
  X(ATOMIC_REQUEST)                                                                                \
  X(ATOMIC_RESPONSE)                                                                               \
  X(IMMEDIATE)                                                                                     \
  X(TERMINATE)                                                                                     \
  X(OCTETS)

typedef enum peer_says {
#define PEER_SAYS_ENUM(name) PEER_##name,
  PEER_SAYS_MAP(PEER_SAYS_ENUM)
#undef PEER_SAYS_ENUM
      PEER_NUM_SAYS
} peer_says;

/* All octets that a peer has said, and where its Full Operation begins. */
typedef struct peer {
  uint8_t octets[FUZZ_BODY_MAX];
  size_t len;
  size_t last;     /* place where the last item begins */
  size_t startup;  /* octets of the startup frame */
  bool framed;     /* a startup frame was sent */
  uint32_t msn[4]; /* MSN of the next message on each queue */
  uint32_t mo;     /* MO of a Send that goes on */
  uint64_t to;     /* Tagged Offset of a Response that goes on */
} peer;

/* An STag of the endpoint that a peer may name, and where its octets begin. */
#define PEER_STAG(i) (0x100u * (1u + (i)))
#define PEER_BASE UINT64_C(0xFFFFFFFFFFFF0000)

/*
 * peer_say appends what it says. `how` chooses among its kinds: a segment that is not the last one,
 * an STag, a length, a wrong field. FPDUs have Markers as `markers` says, after a startup frame.
 */
void peer_say(peer *p, peer_says what, uint8_t how, bool markers);

/* peer_spoil changes an octet of what it said last, or after its startup frame. */
void peer_spoil(peer *p, uint8_t at);

#endif
