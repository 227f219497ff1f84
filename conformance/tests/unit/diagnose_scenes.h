/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenes of the diagnoses, a table for each part, and what they are made of. */
#ifndef DIAGNOSE_SCENES_H
#define DIAGNOSE_SCENES_H

#include <diagnose/diagnose.h>

#define SCENE_MS UINT64_C(1000000)
#define SCENE_S UINT64_C(1000000000)

#define SCENE_FAULTS 2u

/* A connection and its diagnoses: certainty and id of each, in their order, such as
 * "C no-reply-close L ird-ord-refused". Side 0 is the Initiator. */
typedef struct diagnose_scene {
  const char *what;
  const char *due;
  observe_outcome outcome;
  observe_terminate term; /* where the outcome is TERMINATED */
  observe_facts facts;
  observe_at_end at_end; /* without `heard`: */
  bool unheard[2];       /* no packet of the side is in the capture */
  observe_undecodable undecodable[2];
  observe_resent again[2];
  observe_resent late[2];
  observe_alone alone[2];
  observe_shut shut[2];
  observe_icmp unreachable[2];
  observe_icmp too_big[2];
  uint64_t fpdus[2];
  const char *words; /* that the text of the first diagnosis has, or NULL */
  struct {
    const char *rule; /* NULL: none */
    uint8_t side;
    uint64_t packet;
  } faults[SCENE_FAULTS]; /* findings */
} diagnose_scene;

#define DIAGNOSE_SCENES(name)                                                                      \
  extern const diagnose_scene name[];                                                              \
  extern const size_t name##_num;
DIAGNOSE_SCENES(scenes_startup)
DIAGNOSE_SCENES(scenes_terminate)
DIAGNOSE_SCENES(scenes_ended)
#undef DIAGNOSE_SCENES

/* A packet, each a millisecond after the one before. */
#define AT(number)                                                                                 \
  { .packet = (number), .time_ns = (number)*SCENE_MS }

/* How it ended, by whom, in which packet. */
#define BY(how_, side_, number)                                                                    \
  {                                                                                                \
    .how = (how_), .ended = true, .side = (side_), .packet = (number),                             \
    .time_ns = (number)*SCENE_MS                                                                   \
  }

/* A Request in frame 4 and a Reply in frame 5, with more members. */
#define REQUEST(...)                                                                               \
  { .at = AT(4), .whole = true, __VA_ARGS__ }
#define REPLY(...)                                                                                 \
  { .at = AT(5), .whole = true, .reply = true, __VA_ARGS__ }
#define DEPTHS(ird_, ord_) .rev = 2, .enhanced = true, .enh = {.ird = (ird_), .ord = (ord_)}

/* An FPDU with its opcode, the last one of its message. */
#define FPDU(number, op)                                                                           \
  { .at = AT(number), .opcode = (op), .last = true, .whole = true }

#endif
