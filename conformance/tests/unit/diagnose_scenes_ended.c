/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that came up, and ended without a Terminate or not at all. */
#include "diagnose_scenes.h"

#define OP_SEND IWARP_RDMAP_OP_SEND
#define OP_READ IWARP_RDMAP_OP_READ_REQ
#define OP_ANSWER IWARP_RDMAP_OP_READ_RESP

/* The Responder sent its first message in frame 6 and its latest one in frame `number`; of the
 * Initiator it is frame 7. */
#define TALK(number)                                                                               \
  .side = {                                                                                        \
      {.startup = REQUEST(.rev = 1), .first = FPDU(7, OP_SEND), .latest = FPDU(7, OP_SEND)},       \
      {.startup = REPLY(.rev = 1), .first = FPDU(6, OP_SEND), .latest = FPDU(number, OP_SEND)}}

/* The Responder reads, and the Initiator has answered all of it. */
#define ROUNDS(followed, reads)                                                                    \
  .side = {                                                                                        \
      {.startup = REQUEST(.rev = 1), .first = FPDU(7, OP_SEND), .latest = FPDU(7, OP_ANSWER)},     \
      {.startup = REPLY(.rev = 1),                                                                 \
       .first = FPDU(6, OP_READ),                                                                  \
       .latest = FPDU(6, OP_READ),                                                                 \
       .num_reads = (reads),                                                                       \
       .reads_followed = (followed)}}

/* The latest FPDU of both sides: its sender, its frame and its time. */
#define SENT_LAST(who, number, ns)                                                                 \
  .latest_side = (who), .latest = {.packet = (number), .time_ns = (ns)}

#define LEFT_AT(how_, side_, ns)                                                                   \
  { .how = (how_), .ended = true, .side = (side_), .packet = 9, .time_ns = (ns) }

/* The requests that side 0 and side 1 did not answer. */
#define OWED(zero, one)                                                                            \
  .at_end = {.has_waiting = true, .reads = (zero) + (one), .owed = {(zero), (one)}}

/* Octets that were sent again. */
#define AGAIN(who, number) .again[who] = {.segments = (number), .packet = 8, .latest = 8}

/* Packets to which nothing came. */
#define ICMP(which, words_, ...)                                                                   \
  .which[0] = {.says = (words_), .first = 8, .latest = 8, __VA_ARGS__}
#define ALONE(who, number)                                                                         \
  .alone[who] = {.segments = (number), .first = {8, SCENE_S}, .latest = {9, 2 * SCENE_S}}
#define UNACKNOWLEDGED(octets) .at_end = {.unacknowledged = {(octets), 0}}
#define LONG_FPDU(octets, before)                                                                  \
  { .largest = (octets), .largest_pos = 100, .smaller = (before), .end = 100 + (octets) }

/* The Responder answered so many Sends of the Initiator, whose latest one is in frame 7. */
#define TURNS(answers, passes)                                                                     \
  .side = {{.first = FPDU(5, OP_SEND), .latest = FPDU(7, OP_SEND), .num_sends = 9},                \
           {.first = FPDU(6, OP_SEND),                                                             \
            .latest = FPDU(6, OP_SEND),                                                            \
            .answered = (answers),                                                                 \
            .passed = (passes)}},                                                                  \
  SENT_LAST(0, 7, 7 * SCENE_MS)

/* The Initiator sent one message in frame 7, and the Responder none. */
#define ASKED(request, reply)                                                                      \
  .side = {{.startup = REQUEST(request),                                                           \
            .first = FPDU(7, OP_SEND),                                                             \
            .latest = FPDU(7, OP_SEND),                                                            \
            .num_sends = 1},                                                                       \
           {.startup = REPLY(reply)}},                                                             \
  SENT_LAST(0, 7, 7 * SCENE_MS)
#define IN_REV_2 .rev = 2

const diagnose_scene scenes_ended[] = {
    {"an orderly end", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6), SENT_LAST(0, 7, 0)}},
    {"an end that was not captured", "", {.how = OBSERVE_UNKNOWN}, .facts = {TALK(6)}},
    {"an RST", "L reset", BY(OBSERVE_RESET, 0, 9), .facts = {TALK(6), SENT_LAST(0, 7, 0)}},

    /* ---- processes that are gone ---- */
    {"a FIN in a message", "L process-killed", BY(OBSERVE_CLOSED, 0, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}}},
    {"a FIN in a message of the other side", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}}},
    {"a FIN after a segment without its header", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts.side = {{.latest = {.at = AT(7)}}}},
    {"a FIN in an FPDU", "L process-killed", BY(OBSERVE_HALF_CLOSED, 0, 9),
     .facts.side = {{.latest = FPDU(7, OP_SEND), .cut = AT(8)}}},
    {"a FIN that leaves a Read", "L process-killed C work-unanswered", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {TALK(6)}, OWED(0, 1)},
    {"an RST in a message of the other side", "L process-killed", BY(OBSERVE_RESET, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}},
     .at_end = {.has_unacknowledged = true, .unacknowledged = {100, 0}}},
    {"an RST after all octets were received", "L reset", BY(OBSERVE_RESET, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}},
     .at_end = {.has_unacknowledged = true}},
    {"an RST, and acknowledgments are not known", "L reset", BY(OBSERVE_RESET, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}},
     .at_end = {.unacknowledged = {100, 0}}},
    {"an RST after a whole message", "L reset", BY(OBSERVE_RESET, 1, 9), .facts = {TALK(6)},
     .at_end = {.has_unacknowledged = true, .unacknowledged = {100, 0}}},
    {"a FIN after a whole message", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(6)},
     .at_end = {.has_unacknowledged = true, .unacknowledged = {100, 0}}},

    {"a FIN after a Read of many", "L process-killed", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ROUNDS(4, 5), SENT_LAST(0, 7, 0)}, OWED(0, 0)},
    {"the same, and the other side left", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {ROUNDS(4, 5), SENT_LAST(0, 7, 0)}, OWED(0, 0)},
    {"a FIN after a Read of few", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ROUNDS(3, 4), SENT_LAST(0, 7, 0)}, OWED(0, 0)},
    {"a FIN after Reads that no message followed", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ROUNDS(4, 6), SENT_LAST(0, 7, 0)}, OWED(0, 0)},
    {"a FIN after a Read, and octets are missing", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ROUNDS(4, 5), SENT_LAST(0, 7, 0)}},
    {"a FIN after a Read that was not answered last", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ROUNDS(4, 5), SENT_LAST(1, 7, 0)}, OWED(0, 0)},

    {"a FIN in place of an answer", "L process-killed", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {TURNS(4, 0)}, OWED(0, 0), .words = "each of the %a before"},
    {"a FIN after few answers", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TURNS(3, 0)}, OWED(0, 0)},
    {"a FIN after Sends that had no answer", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TURNS(4, 1)},
     OWED(0, 0)},
    {"a FIN after the question of the same side", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TURNS(4, 0)}, OWED(0, 0)},
    {"a FIN in place of an answer, and octets are missing", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {TURNS(4, 0)}},
    {"no answer to the first Send", "L no-answer", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ASKED(IN_REV_2, IN_REV_2)}, OWED(0, 0)},
    {"the same, and the side may not read", "L no-answer", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ASKED(DEPTHS(0, 0), DEPTHS(1, 1))}, OWED(0, 0), .words = "it cannot read"},
    {"the same, since its own ORD is 0", "L no-answer", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ASKED(DEPTHS(1, 1), DEPTHS(1, 0))}, OWED(0, 0), .words = "it cannot read"},
    {"the same, and it may read", "L no-answer", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {ASKED(DEPTHS(1, 1), DEPTHS(1, 1))}, OWED(0, 0), .words = "to the first message of"},
    {"a first Send, and its sender left", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {ASKED(IN_REV_2, IN_REV_2)}, OWED(0, 0)},
    {"no answer to a Write", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts = {.side = {{.startup = REQUEST(.rev = 2),
                         .first = FPDU(7, IWARP_RDMAP_OP_WRITE),
                         .latest = FPDU(7, IWARP_RDMAP_OP_WRITE)},
                        {.startup = REPLY(.rev = 2)}},
               SENT_LAST(0, 7, 7 * SCENE_MS)},
     OWED(0, 0)},

    /* ---- work that was left ---- */
    {"a Read that the other side leaves", "L process-killed", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6)}, OWED(0, 1)},
    {"Reads whose first one is known", "L process-killed", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6)},
     .at_end = {.has_waiting = true, .reads = 2, .owed = {0, 2}, .oldest = {0, 7}}},
    {"a Read that its side leaves after 4 seconds", "C work-unanswered",
     LEFT_AT(OBSERVE_CLOSED, 0, 4 * SCENE_S), .facts = {TALK(6)}, OWED(0, 1)},
    {"Atomic Operations", "L process-killed", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)},
     .at_end = {.has_waiting = true, .atomics = 1, .owed = {0, 1}}},
    {"work of both sides", "L process-killed C work-unanswered", BY(OBSERVE_RESET, 0, 9),
     .facts = {TALK(6)}, OWED(1, 1)},
    {"a FIN of the side that waits", "", BY(OBSERVE_HALF_CLOSED, 0, 9), .facts = {TALK(6)},
     OWED(0, 1)},
    {"a FIN of the side that has to answer", "L process-killed C work-unanswered",
     BY(OBSERVE_HALF_CLOSED, 1, 9), .facts = {TALK(6)}, OWED(0, 1)},
    {"a Read that waits while the connection is open",
     "",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6)},
     OWED(0, 1)},
    {"what waits is not known", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(6)},
     .at_end = {.reads = 1, .owed = {0, 1}}},

    /* ---- faults ---- */
    {"a FIN after a fault", "L left-after-fault", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(8)},
     .faults = {{"mpa.crc", 1, 8}}},
    {"a FIN after a fault before the latest message", "L left-after-fault",
     BY(OBSERVE_CLOSED, 0, 10), .facts = {TALK(9)}, .faults = {{"mpa.crc", 1, 8}}},
    {"an answer to what had to be refused", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(8)},
     .faults = {{"rdmap.error-answered", 1, 8}}},
    {"a fault that was answered", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)},
     .faults = {{"mpa.crc", 1, 6}}},
    {"a fault after the FIN", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(10)},
     .faults = {{"mpa.crc", 1, 10}}},
    {"a fault of the side that left", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(8)},
     .faults = {{"mpa.crc", 1, 8}}},
    {"a fault in a connection that nobody left",
     "",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(8)},
     .faults = {{"mpa.crc", 1, 8}}},
    {"octets that are no FPDUs, and the other side left", "L framing-lost",
     BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(6)}, .undecodable[0] = {.octets = 50, .packet = 7},
     .faults = {{"mpa.framing", 0, 7}}, .words = "left in"},
    {"octets that are no FPDUs, and another fault before", "L left-after-fault L framing-lost",
     BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(6)}, .undecodable[0] = {.octets = 50, .packet = 7},
     .faults = {{"mpa.crc", 0, 7}}},
    {"octets that are no FPDUs", "L framing-lost", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)},
     .undecodable[1] = {.octets = 50, .packet = 6}},
    {"octets that the end cuts", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)},
     .undecodable[1] = {.octets = 50, .packet = 6, .cut = 50}},

    /* ---- Rev 1 ---- */
    {"a Responder that leaves without a message", "L rev1-no-reads", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1),
                     .first = FPDU(7, OP_SEND),
                     .latest = FPDU(7, OP_SEND)},
                    {.startup = REPLY(.rev = 1)}}},
    {"an Initiator that leaves so", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1),
                     .first = FPDU(7, OP_SEND),
                     .latest = FPDU(7, OP_SEND)},
                    {.startup = REPLY(.rev = 1)}}},
    {"a Responder that leaves in Rev 2", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 2),
                     .first = FPDU(7, OP_SEND),
                     .latest = FPDU(7, OP_SEND)},
                    {.startup = REPLY(.rev = 1)}}},
    {"a Responder that answers in Rev 2", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1),
                     .first = FPDU(7, OP_SEND),
                     .latest = FPDU(7, OP_SEND)},
                    {.startup = REPLY(.rev = 2)}}},
    {"a side that could read", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1),
                     .first = FPDU(7, OP_READ),
                     .latest = FPDU(7, OP_READ),
                     .num_reads = 1},
                    {.startup = REPLY(.rev = 1)}}},
    {"a Responder that sent a message", "", BY(OBSERVE_CLOSED, 1, 9), .facts = {TALK(6)}},
    {"a Responder that had no message", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1)}, {.first = FPDU(7, OP_SEND)}}},
    {"a Reply that was not captured", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.startup = REQUEST(.rev = 1),
                     .first = FPDU(7, OP_SEND),
                     .latest = FPDU(7, OP_SEND)}}},
    {"a Request that was not captured", "", BY(OBSERVE_CLOSED, 1, 9),
     .facts.side = {{.first = FPDU(7, OP_SEND)}, {.startup = REPLY(.rev = 1)}}},

    /* ---- time ---- */
    {"silence of 3 seconds", "L silent-peer", LEFT_AT(OBSERVE_CLOSED, 0, 4 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}},
    {"silence of less", "", LEFT_AT(OBSERVE_CLOSED, 0, 4 * SCENE_S - 1),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}},
    {"silence that the silent side ends", "", LEFT_AT(OBSERVE_CLOSED, 1, 9 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}},
    {"silence that a side ends without any message", "L silent-peer",
     LEFT_AT(OBSERVE_CLOSED, 1, 4 * SCENE_S),
     .facts = {.side = {{.first = FPDU(6, OP_SEND)}, {.startup = REPLY(.rev = 2)}},
               SENT_LAST(0, 7, SCENE_S)}},
    {"silence of less that such a side ends", "", LEFT_AT(OBSERVE_CLOSED, 1, 4 * SCENE_S - 1),
     .facts = {.side = {{.first = FPDU(6, OP_SEND)}, {.startup = REPLY(.rev = 2)}},
               SENT_LAST(0, 7, SCENE_S)}},
    {"silence after the startup", "", LEFT_AT(OBSERVE_CLOSED, 0, 9 * SCENE_S),
     .facts = {.side = {{.startup = REQUEST(.rev = 1)}, {.first = FPDU(6, OP_SEND)}},
               SENT_LAST(0, 4, SCENE_S)}},
    {"silence before what is the last time", "", LEFT_AT(OBSERVE_CLOSED, 0, SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, 9 * SCENE_S)}},
    {"silence until the capture ends",
     "L silent-peer",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .at_end = {.last = {8, 2 * SCENE_S}, .has_idle = true, .idle_ns = 2 * SCENE_S}},
    {"an end of the capture that is not known",
     "",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .at_end = {.last = {8, 2 * SCENE_S}}},
    {"silence, and an RST", "L silent-peer", LEFT_AT(OBSERVE_RESET, 0, 9 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}},
    {"an answer after 3 seconds", "L slow-answer", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}}},
    {"an answer after less", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S - 1, .before = 6, .after = 7, .speaker = 1}}},
    {"a pause of one side", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 9 * SCENE_S, .before = 6, .after = 7}}},

    {"an answer after 3 seconds in which packets were lost", "L packets-lost",
     BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 9, .speaker = 1}},
     AGAIN(1, 1), .words = "for up to %t"},
    {"the same, and their octets were not captured", "", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 9, .speaker = 1}},
     .late[1] = {.segments = 1, .packet = 8, .latest = 8}},
    {"an answer after 3 seconds, and packets were lost before", "L slow-answer",
     BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 8, .after = 9, .speaker = 1}},
     AGAIN(1, 1)},
    {"an answer after 3 seconds, and packets were lost later", "L slow-answer",
     BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}},
     AGAIN(1, 1)},
    {"silence of a side that began to talk, until the capture ends",
     "",
     {.how = OBSERVE_OPEN},
     .facts = {.side = {{.first = FPDU(5, OP_SEND)}, {.first = FPDU(6, OP_SEND)}},
               SENT_LAST(1, 7, SCENE_S)},
     .at_end =
         {.has_waiting = true, .last = {8, 2 * SCENE_S}, .has_idle = true, .idle_ns = 9 * SCENE_S}},
    {"the same, and it owes an answer",
     "L silent-peer",
     {.how = OBSERVE_OPEN},
     .facts = {.side = {{.first = FPDU(5, OP_SEND)}, {.first = FPDU(6, OP_SEND)}},
               SENT_LAST(1, 7, SCENE_S)},
     .at_end = {.has_waiting = true,
                .owed = {1, 0},
                .last = {8, 2 * SCENE_S},
                .has_idle = true,
                .idle_ns = 9 * SCENE_S}},
    {"silence of a side that was not captured", "", LEFT_AT(OBSERVE_CLOSED, 0, 4 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .unheard = {false, true}},

    /* ---- resets ---- */
    {"an RST after an hour without a message", "L reset-after-idle",
     LEFT_AT(OBSERVE_RESET, 1, 61 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, 60 * SCENE_S),
               .silence = {.ns = 60 * SCENE_S, .before = 6, .after = 7, .speaker = 1}}},
    {"the same after less", "L reset L slow-answer", LEFT_AT(OBSERVE_RESET, 1, 61 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, 60 * SCENE_S),
               .silence = {.ns = 60 * SCENE_S - 1, .before = 6, .after = 7, .speaker = 1}}},
    {"an RST of the side that broke the silence", "L reset L slow-answer",
     LEFT_AT(OBSERVE_RESET, 0, 61 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, 60 * SCENE_S),
               .silence = {.ns = 60 * SCENE_S, .before = 6, .after = 7, .speaker = 1}}},
    {"an RST after an answer to it", "L reset L slow-answer",
     LEFT_AT(OBSERVE_RESET, 1, 61 * SCENE_S),
     .facts = {TALK(8), SENT_LAST(0, 7, 60 * SCENE_S),
               .silence = {.ns = 60 * SCENE_S, .before = 6, .after = 7, .speaker = 1}}},
    {"an RST long after it", "L reset L slow-answer", LEFT_AT(OBSERVE_RESET, 1, 64 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, 60 * SCENE_S),
               .silence = {.ns = 60 * SCENE_S, .before = 6, .after = 7, .speaker = 1}}},
    {"an RST after a FIN of the same side", "L reset", BY(OBSERVE_RESET, 0, 9),
     .facts.side = {{.latest = FPDU(7, OP_SEND), .fin = AT(8)}, {.latest = FPDU(6, OP_SEND)}},
     .words = "still used it"},
    {"an RST after a FIN of the other side", "L reset", BY(OBSERVE_RESET, 0, 9),
     .facts.side = {{.latest = FPDU(7, OP_SEND)}, {.latest = FPDU(6, OP_SEND), .fin = AT(8)}},
     .words = "had left it"},

    /* ---- packets that were lost ---- */
    /* ---- windows ---- */
    {"a window of 0 for 3 seconds", "L zero-window", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}},
     .shut[1] = {.ns = 3 * SCENE_S, .first = 6, .last = 7}, .words = "to frame %1"},
    {"a window of 0 for less", "L slow-answer", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}},
     .shut[1] = {.ns = 3 * SCENE_S - 1, .first = 6, .last = 7}},
    {"a window of 0 at the end", "L zero-window", LEFT_AT(OBSERVE_RESET, 0, 4 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .shut[1] = {.ns = SCENE_S, .first = 7, .last = 9, .open = true}, .words = "on, for %t"},
    {"a window of 0 at the end, for less", "L reset", LEFT_AT(OBSERVE_RESET, 0, 2 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .shut[1] = {.ns = SCENE_S - 1, .first = 7, .last = 9, .open = true}},
    {"a window of 0 when the capture ends",
     "L zero-window",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .shut[0] = {.ns = 3 * SCENE_S, .first = 7, .last = 9, .open = true}},
    {"a window of 0 when the capture ends, for less",
     "",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .shut[0] = {.ns = 3 * SCENE_S - 1, .first = 7, .last = 9, .open = true}},

    {"packets without an answer", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, ALONE(0, 3), .words = "until the connection"},
    {"the same, and the connection is open",
     "L path-lost",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 3),
     .words = "without any answer of %p"},
    {"the same, and an RST answers",
     "L path-lost",
     {.how = OBSERVE_RESET,
      .ended = true,
      .reset = true,
      .side = 1,
      .packet = 9,
      .time_ns = 3 * SCENE_S},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 3),
     .words = "started again"},
    {"the same, and a Read waits", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, OWED(0, 1), ALONE(0, 3)},
    {"the same, with octets sent again and a late answer", "L path-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S),
               .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}},
     ALONE(0, 3), AGAIN(0, 3)},
    {"the same within a second", "", LEFT_AT(OBSERVE_CLOSED, 0, 2 * SCENE_S - 1),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .alone[0] = {.segments = 3, .first = {8, SCENE_S}, .latest = {8, SCENE_S}}},
    {"the same, and the other side was not captured", "", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .unheard = {false, true}, ALONE(0, 3)},
    {"two packets without an answer", "", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, ALONE(0, 2)},
    {"octets that are not acknowledged any more", "L path-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     UNACKNOWLEDGED(10), AGAIN(0, 3), .words = "acknowledged nothing"},
    {"octets that were sent again before the latest ones", "L packets-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 9, SCENE_S)},
     UNACKNOWLEDGED(10), AGAIN(0, 3)},
    {"octets that are not acknowledged within a second", "L packets-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 2 * SCENE_S - 1), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     UNACKNOWLEDGED(10), AGAIN(0, 3)},
    {"a long FPDU without an answer", "L path-mtu", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts.side = {LONG_FPDU(1420, 84)}, UNACKNOWLEDGED(1420), ALONE(0, 3)},
    {"a long FPDU, and others that are almost as long", "L path-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts.side = {LONG_FPDU(1420, 1000)},
     UNACKNOWLEDGED(1420), ALONE(0, 3)},
    {"a short FPDU", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts.side = {LONG_FPDU(499, 84)}, UNACKNOWLEDGED(499), ALONE(0, 3)},
    {"a long FPDU without shorter ones", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts.side = {LONG_FPDU(1420, 0)}, UNACKNOWLEDGED(1420), ALONE(0, 3)},
    {"a long FPDU that was received", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts.side = {{.largest = 1420, .largest_pos = 100, .smaller = 84, .end = 2000}},
     UNACKNOWLEDGED(84), ALONE(0, 3)},
    {"nothing that waits for an acknowledgment", "L path-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts.side = {LONG_FPDU(1420, 84)}, ALONE(0, 3)},
    {"a packet without an answer, and no host", "L icmp-unreachable",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 1), ICMP(unreachable, "host unreachable", .open = true)},
    {"packets without an answer, and a firewall", "L icmp-refused",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 3), ICMP(unreachable, "port unreachable", .refused = true, .open = true)},
    {"packets without an answer, and an error about one that was received", "L path-lost",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 3), ICMP(unreachable, "host unreachable", .open = false)},
    {"a packet without an answer, which is too big", "L path-mtu",
     LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S), .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     ALONE(0, 1), ICMP(too_big, "packet too big", .mtu = 1400, .open = true), .words = "%b octets"},
    {"the same, and the error has no MTU", "L path-mtu", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, ALONE(0, 1),
     ICMP(too_big, "packet too big", .open = true), .words = "they do not fit"},
    {"octets sent again and received", "L packets-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, AGAIN(0, 3)},
    {"two segments sent again", "", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .at_end = {.unacknowledged = {10, 0}},
     AGAIN(0, 2)},
    {"one in fifty", "L packets-lost", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)}, AGAIN(1, 4),
     .fpdus = {0, 200}},
    {"less than one in fifty", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)}, AGAIN(1, 4),
     .fpdus = {0, 201}},

    {"more than fits into the list",
     "L process-killed L framing-lost L framing-lost C work-unanswered", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6), .silence = {.ns = 3 * SCENE_S, .before = 6, .after = 7, .speaker = 1}},
     OWED(1, 1), .undecodable = {{.octets = 50, .packet = 7}, {.octets = 50, .packet = 6}}},
};
const size_t scenes_ended_num = sizeof scenes_ended / sizeof scenes_ended[0];
