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

/* The sender of these octets has no answer to them in TCP. */
#define AGAIN(who, number) .again[who] = {.segments = (number), .packet = 8}

const diagnose_scene scenes_ended[] = {
    {"an orderly end", "", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6), SENT_LAST(0, 7, 0)}},
    {"an end that was not captured", "", {.how = OBSERVE_UNKNOWN}, .facts = {TALK(6)}},
    {"an RST", "C reset", BY(OBSERVE_RESET, 0, 9), .facts = {TALK(6), SENT_LAST(0, 7, 0)}},

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
    {"an RST after all octets were received", "C reset", BY(OBSERVE_RESET, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}},
     .at_end = {.has_unacknowledged = true}},
    {"an RST, and acknowledgments are not known", "C reset", BY(OBSERVE_RESET, 1, 9),
     .facts.side = {{.latest = {.at = AT(7), .whole = true}}},
     .at_end = {.unacknowledged = {100, 0}}},
    {"an RST after a whole message", "C reset", BY(OBSERVE_RESET, 1, 9), .facts = {TALK(6)},
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

    /* ---- work that was left ---- */
    {"a Read that the other side leaves", "C work-unanswered", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6)}, OWED(0, 1)},
    {"Reads whose first one is known", "C work-unanswered", BY(OBSERVE_CLOSED, 0, 9),
     .facts = {TALK(6)},
     .at_end = {.has_waiting = true, .reads = 2, .owed = {0, 2}, .oldest = {0, 7}}},
    {"Atomic Operations", "C work-unanswered", BY(OBSERVE_CLOSED, 0, 9), .facts = {TALK(6)},
     .at_end = {.has_waiting = true, .atomics = 1, .owed = {0, 1}}},
    {"work of both sides", "L process-killed C work-unanswered C work-unanswered",
     BY(OBSERVE_RESET, 0, 9), .facts = {TALK(6)}, OWED(1, 1)},
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
    {"a window of 0 at the end, for less", "C reset", LEFT_AT(OBSERVE_RESET, 0, 2 * SCENE_S),
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

    {"octets sent again without an answer", "L path-lost", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .at_end = {.unacknowledged = {10, 0}},
     AGAIN(0, 3)},
    {"the same, and the connection is open",
     "L path-lost",
     {.how = OBSERVE_OPEN},
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)},
     .at_end = {.last = {8, 2 * SCENE_S}, .unacknowledged = {10, 0}},
     AGAIN(0, 3)},
    {"the same within a second", "L packets-lost", LEFT_AT(OBSERVE_CLOSED, 0, 2 * SCENE_S - 1),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .at_end = {.unacknowledged = {10, 0}},
     AGAIN(0, 3)},
    {"the same, and the first one was not seen", "", LEFT_AT(OBSERVE_CLOSED, 0, 3 * SCENE_S),
     .facts = {TALK(6), SENT_LAST(0, 7, SCENE_S)}, .at_end = {.unacknowledged = {10, 0}},
     .again[0] = {.segments = 2}},
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
