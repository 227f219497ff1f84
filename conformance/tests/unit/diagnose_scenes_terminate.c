/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that the Responder ended by a Terminate in frame 9, about a message of frame 7. */
#include "diagnose_scenes.h"

#define BY_TERMINATE BY(OBSERVE_TERMINATED, 1, 9)
#define STAG 0x11223344u

/* DDP headers: of a Write to the STag, of a Send with MSN 3, of a Read Request; and its RDMAP
 * header. */
static const uint8_t write_octets[] = {0xC1, 0x40, 0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0, 0, 0, 0, 0};
static const uint8_t send_octets[] = {0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
static const uint8_t read_octets[] = {0x41, 0x41, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0};
static const uint8_t source_octets[] = {0, 0, 0,    1,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0,
                                        0, 8, 0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0, 0, 0, 0, 0};
/* What follows the control field in the bit order of siw: the length, and the Send. */
static const uint8_t siw_octets[] = {0, 40, 0x41, 0x43, 0, 0, 0, 0, 0, 0,
                                     0, 0,  0,    0,    0, 3, 0, 0, 0, 0};

#define SPAN(octets)                                                                               \
  { (octets), sizeof(octets) }

/* A Terminate about frame 7, or about no captured message, with the headers that it returns. */
#define TERMINATE(layer_, etype_, code_, headers)                                                  \
  .term = {.term = {.layer = (layer_), .etype = (etype_), .code = (code_), headers}, .about = 7}
#define TERMINATE_ALONE(layer_, etype_, code_, headers)                                            \
  .term = {.term = {.layer = (layer_), .etype = (etype_), .code = (code_), headers}}

/* As siw writes it, with the header of the Send. */
#define SIW(layer_, etype_, code_)                                                                 \
  .term = {.term = {.layer = (etype_),                                                             \
                    .etype = (layer_),                                                             \
                    .code = (code_),                                                               \
                    .reserved = 0x300,                                                             \
                    .tail = SPAN(siw_octets),                                                      \
                    .tail_len = sizeof siw_octets},                                                \
           .about = 7}

#define NO_HEADER .m = false
#define OF_WRITE .ddp_header = SPAN(write_octets)
#define OF_SEND .ddp_header = SPAN(send_octets)
#define OF_READ .ddp_header = SPAN(read_octets)
#define OF_SOURCE OF_READ, .rdma_header = SPAN(source_octets)

/* The latest message of the Initiator is in frame 7. */
#define LATEST(op) .latest = FPDU(7, op)
#define PEER(...) .facts.side = {{__VA_ARGS__}}

#define STARTUPS .facts.side = {{.startup = REQUEST(.rev = 2)}, {.startup = REPLY(.rev = 2)}}

#define SENDS(before, now)                                                                         \
  .num_sends = 2,                                                                                  \
  .sends = {{.packet = 6, .msn = 2, .octets = (before)}, {.packet = 7, .msn = 3, .octets = (now)}}

const diagnose_scene scenes_terminate[] = {
    /* ---- STags ---- */
    {"an STag that is not known", "C term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, OF_WRITE)},
    {"an STag, by DDP", "C term-stag", BY_TERMINATE, TERMINATE(1, 1, 0, OF_WRITE)},
    {"the STag of a source", "C term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, OF_SOURCE)},
    {"an STag that is not returned", "L term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, NO_HEADER)},
    {"a header that no captured message has", "L term-stag", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, OF_WRITE), PEER(LATEST(IWARP_RDMAP_OP_WRITE))},
    {"an STag that was used before", "C term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, OF_WRITE),
     PEER(.num_stags = 1, .stags = {{.first = 6, .latest = 7, .stag = STAG}})},
    {"an STag that was invalidated before", "C term-stag-invalidated", BY_TERMINATE,
     TERMINATE(0, 1, 0, OF_WRITE),
     PEER(.num_stags = 2,
          .stags = {{.first = 6, .latest = 6, .stag = STAG, .use = OBSERVE_STAG_INVALIDATED},
                    {.first = 7, .latest = 7, .stag = STAG}})},
    {"another STag that was invalidated", "C term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, OF_WRITE),
     PEER(.num_stags = 1,
          .stags = {{.first = 6, .latest = 6, .stag = STAG + 1, .use = OBSERVE_STAG_INVALIDATED}})},
    {"an STag that was invalidated afterwards", "C term-stag", BY_TERMINATE,
     TERMINATE(0, 1, 0, OF_WRITE),
     PEER(.num_stags = 1,
          .stags = {{.first = 8, .latest = 8, .stag = STAG, .use = OBSERVE_STAG_INVALIDATED}})},
    {"an STag that was invalidated long before", "C term-stag", BY_TERMINATE,
     TERMINATE(0, 1, 0, OF_WRITE), PEER(.num_stags = 20)},
    {"the only request that waits", "L term-stag", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, NO_HEADER),
     PEER(.requests = {.reads = 1, .num = 1, .of = {{.packet = 6}}})},
    {"one of two requests that wait", "L term-stag", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, NO_HEADER),
     PEER(.startup = REQUEST(.rev = 1),
          .requests = {.reads = 2, .num = 2, .of = {{.packet = 5}, {.packet = 6}}})},
    {"a request that may have been answered", "L term-stag", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, NO_HEADER),
     PEER(.startup = REQUEST(.rev = 1),
          .requests = {.reads = 1, .num = 1, .uncertain = true, .of = {{.packet = 6}}})},

    /* ---- regions ---- */
    {"bounds", "C term-bounds", BY_TERMINATE, TERMINATE(0, 1, 1, OF_WRITE)},
    {"bounds, by DDP", "C term-bounds", BY_TERMINATE, TERMINATE(1, 1, 1, NO_HEADER)},
    {"rights", "C term-rights", BY_TERMINATE, TERMINATE(0, 1, 2, OF_WRITE)},
    {"rights, and no header", "C term-rights", BY_TERMINATE, TERMINATE(0, 1, 2, NO_HEADER)},
    {"another stream", "C term-stream", BY_TERMINATE, TERMINATE(0, 1, 3, OF_WRITE)},
    {"another stream, by DDP", "C term-stream", BY_TERMINATE, TERMINATE(1, 1, 2, NO_HEADER)},
    {"a wrap", "C term-wrap", BY_TERMINATE, TERMINATE(0, 1, 4, OF_WRITE)},
    {"a wrap, by DDP", "C term-wrap", BY_TERMINATE, TERMINATE(1, 1, 3, NO_HEADER)},
    {"an STag that cannot be invalidated", "C term-invalidate", BY_TERMINATE,
     TERMINATE(0, 1, 9, NO_HEADER)},
    {"the same, of the operation", "C term-invalidate", BY_TERMINATE,
     TERMINATE(0, 2, 9, NO_HEADER)},

    /* ---- receives ---- */
    {"no receive", "C term-no-receive", BY_TERMINATE, TERMINATE(1, 2, 2, OF_SEND)},
    {"no receive for the first Send", "C term-no-receive", BY_TERMINATE,
     TERMINATE(1, 2, 2, OF_SEND),
     PEER(.num_sends = 1, .sends = {{.packet = 7, .msn = 3, .octets = 9}})},
    {"no receive, and Sends before", "L term-no-receive-again", BY_TERMINATE,
     TERMINATE(1, 2, 2, OF_SEND), PEER(SENDS(64, 64))},
    {"no receive for a longer Send", "L term-no-receive-again", BY_TERMINATE,
     TERMINATE(1, 2, 2, OF_SEND), PEER(SENDS(64, 65))},
    {"no receive for a Send that is not kept", "C term-no-receive", BY_TERMINATE,
     TERMINATE(1, 2, 2, OF_WRITE), PEER(SENDS(64, 64))},
    {"no receive, and no header", "L term-no-receive-again", BY_TERMINATE,
     TERMINATE(1, 2, 2, NO_HEADER), PEER(SENDS(64, 64))},
    {"no receive after many Sends", "L term-no-receive-again", BY_TERMINATE,
     TERMINATE(1, 2, 2, NO_HEADER), PEER(.num_sends = 20, .longest = 64)},
    {"siw, and a Send like those before", "L term-no-receive-again", BY_TERMINATE, SIW(1, 2, 2),
     PEER(SENDS(64, 64))},
    {"siw, and a longer Send", "L term-too-long", BY_TERMINATE, SIW(1, 2, 2), PEER(SENDS(64, 65))},
    {"siw, and the first Send", "L term-no-receive", BY_TERMINATE, SIW(1, 2, 2),
     PEER(.num_sends = 1, .sends = {{.packet = 7, .msn = 3, .octets = 9}})},
    {"a Send that is too long", "C term-too-long", BY_TERMINATE, TERMINATE(1, 2, 5, OF_SEND),
     PEER(SENDS(64, 65))},
    {"a message that is too long", "C term-too-long", BY_TERMINATE, TERMINATE(1, 2, 5, NO_HEADER)},

    /* ---- faults of the message ---- */
    {"Reads by the queue", "C term-reads", BY_TERMINATE, TERMINATE(1, 2, 2, OF_READ)},
    {"Reads by a finding", "C term-reads", BY_TERMINATE, TERMINATE(0, 2, 8, NO_HEADER),
     .faults = {{"rdmap.reads-outstanding", 0, 7}}},
    {"a finding of the message", "C term-peer-fault", BY_TERMINATE, TERMINATE(0, 1, 0, OF_WRITE),
     .faults = {{"mpa.crc", 0, 6}, {"mpa.ulpdu-length-zero", 0, 7}}},
    {"a finding of another message", "C term-stag", BY_TERMINATE, TERMINATE(0, 1, 0, OF_WRITE),
     .faults = {{"mpa.ulpdu-length-zero", 0, 6}}},
    {"a finding, and no header", "C term-peer-fault", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, NO_HEADER), .faults = {{"mpa.ulpdu-length-zero", 0, 6}}},
    {"a finding, and a header of no message", "L term-peer-fault", BY_TERMINATE,
     TERMINATE_ALONE(0, 1, 0, OF_WRITE), .faults = {{"mpa.ulpdu-length-zero", 0, 6}}},
    {"a finding after the Terminate", "L term-local", BY_TERMINATE,
     TERMINATE_ALONE(1, 0, 0, NO_HEADER), STARTUPS, .faults = {{"mpa.ulpdu-length-zero", 0, 10}}},
    {"a finding of the startup", "L term-local", BY_TERMINATE, TERMINATE_ALONE(1, 0, 0, NO_HEADER),
     PEER(.startup = REQUEST(.rev = 2)), .faults = {{"mpa.enhanced-length", 0, 4}}},
    {"a finding of the first message", "L term-local", BY_TERMINATE,
     TERMINATE_ALONE(1, 0, 0, NO_HEADER), .faults = {{"mpa.responder-first", 0, 6}}},
    {"a wrong CRC", "C term-crc", BY_TERMINATE, TERMINATE(2, 0, 2, NO_HEADER),
     .faults = {{"mpa.crc", 0, 7}}},
    {"a wrong CRC among many that are right", "L term-crc", BY_TERMINATE,
     TERMINATE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 8, .crc_bad = 1),
     .faults = {{"mpa.crc", 0, 7}}, .words = "changed on the way"},
    {"a wrong CRC among few that are right", "C term-crc", BY_TERMINATE,
     TERMINATE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 7, .crc_bad = 1),
     .faults = {{"mpa.crc", 0, 7}}},
    {"octets that are no FPDUs, and CRCs that are right", "L framing-lost", BY_TERMINATE,
     TERMINATE_ALONE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 7),
     .undecodable[0] = {.octets = 50, .packet = 8}},
    {"such octets after the Terminate", "L term-crc-path", BY_TERMINATE,
     TERMINATE_ALONE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 7),
     .undecodable[0] = {.octets = 50, .packet = 10}},
    {"an STag that earlier segments of the Write use", "C term-stag", BY_TERMINATE,
     TERMINATE(1, 1, 0, OF_WRITE),
     PEER(.num_stags = 1, .stags = {{.first = 6, .latest = 6, .stag = STAG}}),
     .words = "does not know"},
    {"an STag that an earlier Write uses", "C term-stag", BY_TERMINATE,
     TERMINATE(1, 1, 0, OF_WRITE),
     PEER(.num_stags = 1, .stags = {{.first = 5, .latest = 6, .stag = STAG}}),
     .words = "does not accept any more"},
    {"RTR in the startup", "C term-rtr", BY_TERMINATE,
     .term = {.term = {.layer = 2, .code = 7}, .place = IWARP_RDMAP_TERM_PLACE_STARTUP},
     .facts.side = {{.startup = REQUEST(.rev = 2, .enhanced = true, .enh = {.a = true, .c = true})},
                    {.startup = REPLY(.rev = 2, .enhanced = true, .enh = {.a = true, .d = true})}}},
    {"RTR in the startup, though there is one in common", "L term-rtr", BY_TERMINATE,
     .term = {.term = {.layer = 2, .code = 7}, .place = IWARP_RDMAP_TERM_PLACE_STARTUP}, STARTUPS},
    {"an RTR message of another type", "C term-peer-fault", BY_TERMINATE,
     .term = {.term = {.layer = 2, .code = 7}, .place = IWARP_RDMAP_TERM_PLACE_STARTUP}, STARTUPS,
     .faults = {{"mpa.rtr-type", 0, 7}}},
    {"the Request in answer to it, and a Terminate", "L not-iwarp", BY(OBSERVE_TERMINATED, 0, 9),
     TERMINATE_ALONE(2, 0, 4, NO_HEADER),
     .facts.side = {{.startup = REQUEST(.rev = 2)},
                    {.startup = {.at = AT(5), .whole = true, .rev = 2}}}},
    {"a Read in Rev 1", "C term-reads L rev1-no-reads", BY_TERMINATE, TERMINATE(1, 2, 2, OF_READ),
     .facts.side = {{.startup = REQUEST(.rev = 1)}, {.startup = REPLY(.rev = 1)}}},
    {"a Read beyond IRD", "C term-reads", BY_TERMINATE, TERMINATE(1, 2, 2, OF_READ),
     .facts.side = {{.startup = REQUEST(DEPTHS(1, 1))}, {.startup = REPLY(DEPTHS(1, 1))}},
     .words = "its IRD is"},
    {"a local error of MPA in full operation", "L term-local", BY_TERMINATE,
     .term = {.term = {.layer = 2, .code = 5}, .place = IWARP_RDMAP_TERM_PLACE_FULL}, STARTUPS},
    {"a local error of siw", "C term-local", BY_TERMINATE, TERMINATE_ALONE(0, 0, 255, NO_HEADER),
     STARTUPS},
    {"a local error, and nothing of the other side", "L term-unexplained", BY_TERMINATE,
     TERMINATE_ALONE(0, 0, 0, NO_HEADER)},
    {"a header that the capture cuts off", "L term-stag", BY_TERMINATE,
     TERMINATE_ALONE(1, 1, 0, .d = true), STARTUPS},
    {"CRCs that are right", "L term-crc-path", BY_TERMINATE, TERMINATE(2, 0, 2, NO_HEADER),
     PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 5)},
    {"a CRC that is wrong elsewhere", "L term-unexplained", BY_TERMINATE,
     TERMINATE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND), .crc_good = 5, .crc_bad = 1)},
    {"CRCs that could not be checked", "L term-unexplained", BY_TERMINATE,
     TERMINATE(2, 0, 2, NO_HEADER), PEER(LATEST(IWARP_RDMAP_OP_SEND))},
    {"Immediate Data", "C term-opcode", BY_TERMINATE, TERMINATE(0, 2, 6, NO_HEADER),
     PEER(LATEST(IWARP_RDMAP_OP_TERMINATE + 1u))},
    {"an opcode that all know", "L term-unexplained", BY_TERMINATE, TERMINATE(0, 2, 6, NO_HEADER),
     PEER(LATEST(IWARP_RDMAP_OP_SEND))},
    {"an opcode without its header", "L term-unexplained", BY_TERMINATE,
     TERMINATE(0, 2, 6, NO_HEADER),
     PEER(.latest = {.at = AT(7), .opcode = IWARP_RDMAP_OP_TERMINATE + 1u})},

    /* ---- the startup ---- */
    {"a startup frame", "C term-startup", BY_TERMINATE, TERMINATE_ALONE(2, 0, 4, NO_HEADER),
     STARTUPS},
    {"a startup frame with a fault", "C term-startup", BY_TERMINATE,
     TERMINATE_ALONE(2, 0, 4, NO_HEADER), STARTUPS, .faults = {{"mpa.enhanced-length", 0, 4}}},
    {"IRD", "L term-ird", BY_TERMINATE, TERMINATE_ALONE(2, 0, 6, NO_HEADER), STARTUPS},
    {"RTR", "L term-rtr", BY_TERMINATE, TERMINATE_ALONE(2, 0, 7, NO_HEADER), STARTUPS,
     .faults = {{"mpa.enhanced-length", 0, 4}}},
    {"IRD in the bit order of siw", "L term-ird", BY_TERMINATE, STARTUPS,
     .term = {.term = {.etype = 2, .code = 6}, .place = IWARP_RDMAP_TERM_PLACE_STARTUP}},

    /* ---- what has no cause in the other side ---- */
    {"catastrophic", "C term-local", BY_TERMINATE, TERMINATE_ALONE(0, 0, 0, NO_HEADER), STARTUPS},
    {"catastrophic, of the stream", "L term-local", BY_TERMINATE,
     TERMINATE_ALONE(0, 2, 7, NO_HEADER), STARTUPS},
    {"catastrophic, of all", "C term-local", BY_TERMINATE, TERMINATE_ALONE(0, 2, 8, NO_HEADER),
     STARTUPS},
    {"a local error of MPA", "L term-local", BY_TERMINATE, TERMINATE_ALONE(2, 0, 5, NO_HEADER),
     STARTUPS},
    {"a version that is right", "L term-unexplained", BY_TERMINATE, TERMINATE(0, 2, 5, NO_HEADER)},
    {"an error that is not assigned", "L term-unexplained", BY_TERMINATE,
     TERMINATE(3, 3, 3, NO_HEADER)},
};
const size_t scenes_terminate_num = sizeof scenes_terminate / sizeof scenes_terminate[0];
