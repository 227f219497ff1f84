#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mksctp: makes pcaps/synthetic/sctp, DDP Stream Sessions over SCTP as they may be met on the wire.

    mksctp.py write FOLDER       writes the captures
    mksctp.py compare FOLDER     makes them again in a temporary folder and compares octet by octet
    mksctp.py rows FOLDER        prints their rows of MANIFEST.tsv

What is due of each is said here, from RFC 5043; the PDU counts of the rows come from refsctp.py.
"""

import os
import sys

sys.dont_write_bytecode = True

import capfile  # noqa: E402
import gencaps  # noqa: E402
import gensctp  # noqa: E402
import made  # noqa: E402
import refsctp  # noqa: E402
from gensctp import (ACCEPT, ACTIVE, CONTROL, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT,  # noqa: E402
                     TERMINATE, Association, Session, opened, started)

CAPTURES = {}


class Row:
    """A capture and what is due of it."""

    def __init__(self, build, connections, notes, findings, more):
        self.build, self.connections, self.notes = build, connections, notes
        self.findings, self.exit = findings, more.get("exit", 1 if findings else 0)
        self.pdus = more.get("pdus")  # where refsctp, which guesses nothing, cannot say them


def capture(name, connections, notes, findings="", **more):
    def register(build):
        CAPTURES[name + ".pcap"] = Row(build, connections, notes, findings, more)
        return build
    return register


def talk(session):
    """A bit of everything in both directions."""
    session.message(ACTIVE, b"hello")
    session.message(PASSIVE, bytes(range(256)) * 10, size=1400)
    session.write(ACTIVE, payload=bytes(1000))
    session.read(ACTIVE, 64)
    session.read(PASSIVE, 8)
    session.message(ACTIVE, b"", opcode=5)
    return session


@capture("sessions", 4, "four sessions on three streams of an association, one stream used twice")
def sessions():
    assoc = opened()
    one, two = Session(assoc, 5).start(), Session(assoc, 0, 1).start(b"", b"")
    talk(one)
    three = Session(assoc, 7).start_enhanced((4, 2, ""), (2, 4, ""))
    talk(two)
    one.end(PASSIVE)
    talk(three)
    again = talk(Session(assoc, 5, 1).start())
    three.end()
    again.end()
    two.end(PASSIVE)
    assoc.close()
    return assoc


@capture("reject", 3, "refused by the ULP with Private Data, refused without the ULP, refused enhanced")
def reject():
    assoc = opened()
    for stream, private, function, answer in ((1, b"ping", REJECT, b"no"), (2, b"", TERMINATE, b""),
                                              (3, gensctp.word(1, 1), REJECT + ENHANCED, gensctp.word(0, 1) + b"never")):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE + (ENHANCED if stream == 3 else 0), private)
        session.control(PASSIVE, function, answer)
        assoc.sack(0)
    assoc.close()
    return assoc


@capture("terminate", 1, "an RDMAP Terminate returns the header of a Write, then both sides terminate")
def terminate():
    session = started()
    session.write(ACTIVE, stag=0xBAD)
    segment = session.sent[ACTIVE][-1]
    header = gencaps.terminate_header(1, 1, 0, len(segment), segment[:14])
    session.message(PASSIVE, header, 7, 2)
    session.end(PASSIVE)
    session.assoc.close()
    return session.assoc


@capture("fragments", 1, "DDP Segments of up to 60000 octets in many DATA chunks; one put together "
         "across an IP fragment")
def fragments():
    session = started()
    session.segment(ACTIVE, gencaps.tagged(0, 0x77, 0, bytes(1436)), sack=False)
    for size in (1437, 2900, 60000):
        session.segment(ACTIVE, gencaps.tagged(0, 0x77, 0, bytes(size)), size=1424)
    session.assoc.fragment = 512
    session.segment(PASSIVE, gencaps.tagged(0, 0x78, 0, bytes(3000)), size=3016)
    session.assoc.fragment = None
    session.end()
    session.assoc.close()
    return session.assoc


@capture("bundled", 2, "chunks of two streams and a SACK in one packet, untagged messages beside them")
def bundled():
    assoc = opened()
    one, two = Session(assoc, 1).start(), Session(assoc, 2).start()
    for _ in range(3):
        chunks = []
        for session in (one, two, one):
            msn = session.next_msn(ACTIVE, 0)
            chunks += session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, msn, 0, b"bundle"))
        assoc.packet(0, chunks)
    one.end()
    two.end()
    assoc.close()
    return assoc


@capture("reordered", 1, "unordered delivery: chunks with DDP-SSN 4, 2, 5, 3, 1 in the order of their "
         "TSNs, the Accept after two segments")
def reordered():
    session = Session(opened())
    session.control(ACTIVE, INITIATE)
    order(session, PASSIVE, (2, 0, 1))
    order(session, ACTIVE, (4, 2, 5, 3, 1))
    session.ssn = [6, 3]
    session.end()
    session.assoc.close()
    return session.assoc


def order(session, role, numbers):
    """Sends with these DDP-SSNs, one after the other; 0 is the Accept."""
    for number in numbers:
        if number == 0:
            session.control(role, ACCEPT, b"pong", ssn=0)
        else:
            session.send(role, SEGMENT, gencaps.untagged(3, 0, number, 0, b"n%d" % number),
                         ssn=number)


@capture("retransmitted", 1, "packets lost on the way and sent again, some twice, some in another order")
def retransmitted():
    session = started()
    assoc = session.assoc
    for i in range(12):
        msn = session.next_msn(ACTIVE, 0)
        chunks = session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, msn, 0, b"%d" % i))
        first = assoc.tsn[0] - 1
        assoc.packet(0, chunks, lose=i % 3 == 1)
        if i % 3 == 2:
            assoc.packet(1, [assoc.sack_chunk(1, first - 2, [(2, 2)])], sack=False)
            again = gensctp.Session(assoc)
            again.ssn[ACTIVE], assoc.tsn[0] = session.ssn[ACTIVE] - 2, first - 1
            lost = again.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, msn - 1, 0, b"%d" % (i - 1)))
            assoc.tsn[0] = first + 1
            assoc.packet(0, lost)
            assoc.packet(0, lost)
    session.end()
    assoc.close()
    return assoc


@capture("wrap-tsn", 1, "TSNs of both sides wrap in mid-session")
def wrap_tsn():
    session = started(tsn=(0xFFFFFFFA, 0xFFFFFFFD))
    for _ in range(6):
        session.message(ACTIVE)
        session.message(PASSIVE)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("wrap-ssn", 1, "the DDP-SSNs of both sides wrap in a session whose beginning was not captured")
def wrap_ssn():
    session = started()
    session.assoc.cap.items.clear()
    session.ssn = [65530, 65535]
    for _ in range(9):
        session.message(ACTIVE)
        session.message(PASSIVE)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("lost", 2, "two chunks that the capture does not hold, though they were acknowledged")
def lost():
    assoc = opened()
    session, other = Session(assoc, 1).start(), Session(assoc, 2).start()
    for i in range(40):
        session.message(ACTIVE, b"%d" % i, lose=i in (7, 8))
        other.message(PASSIVE)
    session.end()
    other.end()
    assoc.close()
    return assoc


@capture("lost-many", 1, "200 messages of a session in a row that the capture does not hold")
def lost_many():
    session = started(1)
    for i in range(260):
        session.message(ACTIVE, b"%d" % i, lose=20 <= i < 220)
        if i % 10 == 0:
            session.message(PASSIVE)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("end-lost", 2, "the end of a session is not in the capture, the next one on its stream is")
def end_lost():
    session = talk(started(1))
    session.control(PASSIVE, TERMINATE, lose=True)
    session.control(ACTIVE, TERMINATE, lose=True)
    again = talk(Session(session.assoc, 1).start())
    again.end()
    session.assoc.close()
    return session.assoc


@capture("ssn-gap", 1, "DDP-SSN 2 is left out, no TSN is missing, and the association is shut down in "
         "order", "sctp.ddp-ssn@initiator=1")
def ssn_gap():
    session = started(1)
    session.message(ACTIVE)
    session.ssn[ACTIVE] += 1
    session.message(ACTIVE)
    session.control(PASSIVE, TERMINATE)
    session.assoc.sack(0)
    session.assoc.close()
    return session.assoc


@capture("mid-stream", 2, "begins in the middle of a session; a second one begins later")
def mid_stream():
    session = talk(started(3))
    assoc = session.assoc
    assoc.cap.items.clear()
    talk(session)
    other = talk(Session(assoc, 4).start())
    session.end()
    other.end()
    assoc.close()
    return assoc


@capture("one-direction", 1, "only what the active side sent")
def one_direction():
    session = talk(started())
    session.end()
    session.assoc.close()
    cap = session.assoc.cap
    cap.items = [item for item in cap.items if item.side == 0]
    return session.assoc


@capture("snapped", 1, "packets cut after 96 octets")
def snapped():
    session = talk(started())
    session.end()
    session.assoc.close()
    session.assoc.cap.snap(96)
    return session.assoc


@capture("multihomed", 1, "both sides go on from their second address")
def multihomed():
    session = talk(started())
    session.assoc.others = [gencaps.pack_ip("10.1.0.1"), gencaps.pack_ip("10.1.0.2")]
    talk(session)
    session.assoc.others[1] = None
    talk(session)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("ports-reused", 2, "the same ports again, distinguished by the Verification Tags; the first "
         "association is aborted")
def ports_reused():
    cap = gencaps.Capture()
    first = Association(cap).open()
    talk(Session(first, 1).start())
    first.abort()
    second = Association(cap, tags=(0x01010101, 0x02020202), tsn=(77, 0x80000000)).open()
    talk(Session(second, 1).start()).end()
    second.close()
    return second


@capture("ipv6-vlan", 1, "over IPv6, in a VLAN")
def ipv6_vlan():
    cap = gencaps.Capture(vlans=((0x8100, 42),))
    assoc = Association(cap, ("fe80::1", 1), ("fe80::2", 65535)).open()
    talk(Session(assoc, 65535).start()).end()
    assoc.close()
    return assoc


@capture("checksums", 1, "one side's checksums are left to the card; of the other one packet is "
         "broken on the way and sent again")
def checksums():
    assoc = Association(gencaps.Capture())
    assoc.open()
    session = Session(assoc, 1)
    session.control(ACTIVE, INITIATE, check="zero")
    session.control(PASSIVE, ACCEPT)
    session.message(ACTIVE, check="zero")
    chunks = session.chunks(PASSIVE, SEGMENT, gencaps.untagged(3, 0, 1, 0, b"good"))
    broken = [chunks[0].replace(b"good", b"evil")]
    assoc.packet(1, broken, check="bad")
    assoc.packet(1, chunks)
    session.end()
    assoc.close()
    return assoc


@capture("ddp-faults", 1, "over SCTP too: MSN 3 where 2 is due, a Read Response without a Request, a "
         "second RDMAP Terminate",
         "ddp.msn-sequence@initiator=1,rdmap.read-response-unasked@responder=1,"
         "rdmap.terminate-single@responder=1")
def ddp_faults():
    session = started()
    session.message(ACTIVE)
    session.msn[ACTIVE][0] += 1
    session.message(ACTIVE)
    session.segment(PASSIVE, gencaps.tagged(2, 0x55, 0, bytes(8)))
    for _ in range(2):
        session.message(PASSIVE, gencaps.terminate_header(0, 2, 0xFF), 7, 2)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("enhanced-faults", 8, "RFC 6581 9 in enhanced sessions, a fault in each: ORD above IRD, IRD and ORD not "
         "0x3fff, A cleared, A set, B without A on either side, A without B, C and D",
         "mpa.ird-unspecified@responder=1,mpa.model-copied@responder=2,mpa.model-flags@initiator=1,"
         "mpa.model-flags@responder=1,mpa.ord-limit@responder=1,mpa.ord-unspecified@responder=1,"
         "mpa.rtr-supported@responder=1")
def enhanced_faults():
    assoc = opened()
    faults = (((4, 4, ""), (4, 8, "")), ((4, 0x3FFF, ""), (4, 4, "")), ((0x3FFF, 4, ""), (4, 4, "")),
              ((4, 4, "ab"), (4, 4, "")), ((4, 4, ""), (4, 4, "ac")), ((4, 4, "b"), (4, 4, "")),
              ((4, 4, ""), (4, 4, "c")), ((4, 4, "ab"), (4, 4, "a")))
    for stream, (asked, answered) in enumerate(faults):
        Session(assoc, stream).start_enhanced(asked, answered).end()
    assoc.close()
    return assoc


@capture("enhanced-right", 6, "RFC 6581 9 in enhanced sessions as it must be: 0x3fff answered, less than asked for, "
         "peer-to-peer with other types, a Reject that names the ORD it needs, one without enhanced data, after which it is tried again")
def enhanced_right():
    assoc = opened()
    for stream, (asked, answered) in enumerate((((0x3FFF, 0x3FFF, ""), (0x3FFF, 0x3FFF, "")),
                                                ((4, 4, ""), (2, 3, "")), ((4, 4, "ab"), (4, 4, "ac")))):
        Session(assoc, stream).start_enhanced(asked, answered).end()
    for stream, answer in ((3, gensctp.word(4, 9)), (4, b"")):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE + ENHANCED, gensctp.word(4, 4))
        session.control(PASSIVE, REJECT + ENHANCED, answer)
    assoc.sack(0)
    Session(assoc, 4).start_enhanced().end()
    assoc.close()
    return assoc


@capture("after-refusal", 3, "the active side goes on though it has received the Reject, or the Terminate that "
         "refused it; and a Terminate that crossed the Reject, which is right",
         "sctp.session-order@initiator=3")
def after_refusal():
    assoc = opened()
    for stream, refusal in ((1, REJECT), (2, TERMINATE)):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE)
        session.control(PASSIVE, refusal)
        session.message(ACTIVE)
        if refusal == REJECT:
            session.control(ACTIVE, TERMINATE)
    session = Session(assoc, 3)
    session.control(ACTIVE, INITIATE)
    assoc.sack(1)
    received = assoc.tsn[1] - 1
    session.control(PASSIVE, REJECT)
    late = session.chunks(ACTIVE, gensctp.CONTROL, b"\0\4")
    assoc.packet(0, [assoc.sack_chunk(0, received)] + late, sack=False)
    assoc.sack(0)
    assoc.sack(1)
    assoc.close()
    return assoc


@capture("ssn-jump", 1, "DDP-SSNs go on 100 higher; no TSN is missing, and the association is shut down in order",
         "sctp.ddp-ssn@initiator=1")
def ssn_jump():
    session = started(1)
    session.message(ACTIVE)
    session.ssn[ACTIVE] += 100
    session.message(ACTIVE)
    session.end()
    session.assoc.close()
    return session.assoc


@capture("small-fragments", 1, "an Initiate and a Write of 100 octets in fragments of 60, each in a packet of its own; a "
         "Write of 1300 octets in two, which a narrow path may ask for; one of 100 on a path so narrow that IP fragments", "sctp.fragmentation@initiator=2")
def small_fragments():
    session = Session(opened())
    session.control(ACTIVE, INITIATE, bytes(100), size=60)
    session.control(PASSIVE, ACCEPT)
    session.write(ACTIVE, payload=bytes(100), size=60)
    session.write(ACTIVE, payload=bytes(1300), size=900)
    session.assoc.fragment = 64
    session.write(ACTIVE, payload=bytes(100), size=60)
    session.assoc.fragment = None
    session.end()
    session.assoc.close()
    return session.assoc


@capture("terminate-shapes", 3, "RDMAP Terminates of the wrong shape: no headers about a Write, no RDMA Read Request "
         "Header about a Read Request, headers about an error that came of no message",
         "rdmap.terminate-flags@responder=3", exit=0)
def terminate_shapes():
    assoc = opened()
    request = gencaps.read_request_header(0x2000, 0, 8, 0xBAD, 0)
    for stream in (1, 2, 3):
        session = Session(assoc, stream).start()
        if stream == 1:
            session.write(ACTIVE, stag=0xBAD)
            session.message(PASSIVE, gencaps.terminate_header(1, 1, 0), 7, 2)
        elif stream == 2:
            session.message(ACTIVE, request, 1, 1)
            segment = session.sent[ACTIVE][-1]
            session.message(PASSIVE, gencaps.terminate_header(0, 1, 0, len(segment), segment[:18]), 7, 2)
        else:
            session.message(ACTIVE)
            segment = session.sent[ACTIVE][-1]
            session.message(PASSIVE, gencaps.terminate_header(0, 0, 0, len(segment), segment[:18]), 7, 2)
        session.end(PASSIVE)
    assoc.close()
    return assoc


@capture("not-ddp", 0, "SCTP without DDP: other Payload Protocol Identifiers, ordered, no indication",
         exit=3)
def not_ddp():
    assoc = opened(adaptation=(None, None))
    for ppid in (0, 46, 60):
        assoc.packet(0, assoc.data(0, 1, ppid, b"some other protocol", 0))
        assoc.packet(1, assoc.data(1, 1, ppid, b"and its answer", 0))
    assoc.close()
    return assoc


# --- the program --------------------------------------------------------------------------------


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    for name, row in CAPTURES.items():
        row.build().cap.write(os.path.join(folder, name))
    return list(CAPTURES)


def rows(folder):
    """Yields the manifest's row of each capture."""
    for name, row in CAPTURES.items():
        path = os.path.join(folder, name)
        yield "\t".join(("synthetic/sctp/" + name, made.digest(path), "synthetic", "BSD-2-Clause", "",
                         str(row.exit), str(row.connections),
                         row.pdus if row.pdus is not None else refsctp.counts(path),
                         row.findings, row.notes))


if __name__ == "__main__":
    sys.exit(made.main(None, "make captures of DDP over SCTP", write_all, rows))
