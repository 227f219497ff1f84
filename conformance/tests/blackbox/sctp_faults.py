#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sctp_faults: each fault of an association is found, though another one came before it.

    sctp_faults.py TOOL

A message without a place, or one that was lost, says nothing against the sessions after it where
acknowledgments prove their order.
"""

import collections
import os
import struct
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import gencaps
import gensctp
import sctp_variants
from gencaps import atomic_response_header, read_request_header, tagged, untagged
from gensctp import (ACCEPT, ACTIVE, CONTROL, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT, TERMINATE, Session, opened,
                     word)


def pairing():
    """A plain Accept of an Enhanced Initiate, three times on a stream."""
    assoc = opened()
    for _ in range(3):
        session = Session(assoc, 5)
        session.control(ACTIVE, INITIATE + ENHANCED, word(4, 4))
        session.control(PASSIVE, ACCEPT, b"pong")
        session.control(ACTIVE, TERMINATE)
        session.control(PASSIVE, TERMINATE)
    return assoc, {"sctp.enhanced-pairing": 3}


def order():
    """An Initiate and an Accept in the midst of each of three sessions."""
    assoc = opened()
    for _ in range(3):
        session = Session(assoc, 5).start()
        session.control(ACTIVE, INITIATE)
        session.message(PASSIVE)
        session.control(PASSIVE, ACCEPT)
        session.end()
    return assoc, {"sctp.session-order": 6}


def after_code():
    """A Function Code that does not exist, then an Accept in the midst."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.control(ACTIVE, 9)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return assoc, {"sctp.function-code": 1, "sctp.session-order": 1}


def after_terminate():
    """Segments after the Terminate of their side, in two sessions."""
    assoc = opened()
    for _ in range(2):
        session = Session(assoc, 5).start()
        for role in (ACTIVE, PASSIVE):
            session.control(role, TERMINATE)
            session.message(role, b"late")
        assoc.sack(0)
    return assoc, {"sctp.session-order": 4}


def after_loss():
    """A message was lost in a session; the next ones are available."""
    assoc = opened()
    session = Session(assoc, 1).start()
    session.message(ACTIVE, lose=True)
    for _ in range(90):
        session.message(PASSIVE)
        session.message(ACTIVE)
    session.end()
    for stream in (1, 2):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE + ENHANCED, word(4, 4))
        session.control(PASSIVE, ACCEPT, b"pong")
        session.control(ACTIVE, INITIATE)
        session.end()
    return assoc, {"sctp.enhanced-pairing": 2, "sctp.session-order": 2}


def no_initiate():
    """An answer, a Terminate and a segment, each on a stream that no Initiate came on."""
    assoc = opened()
    for stream, function in ((1, ACCEPT), (2, REJECT), (3, TERMINATE)):
        Session(assoc, stream).control(PASSIVE, function)
    Session(assoc, 4).send(ACTIVE, SEGMENT, untagged(3, 0, 1, 0, b"alone"), ssn=1)
    assoc.sack(1)
    return assoc, {"sctp.session-order": 4}


def foreign():
    """Another Payload Protocol Identifier, on a stream with a session and on one without."""
    assoc = opened()
    session = Session(assoc, 5).start()
    for stream in (5, 6):
        assoc.packet(0, assoc.data(0, stream, 46, b"some other protocol"))
    session.end()
    return assoc, {"sctp.ppid": 2}


def numbers():
    """An Initiate with DDP-SSN 1; DDP-SSNs that go on 20000 higher, and what follows is not said again."""
    assoc = opened()
    late = Session(assoc, 2)
    late.ssn[ACTIVE] = 1
    late.control(ACTIVE, INITIATE)
    late.control(PASSIVE, ACCEPT)
    session = Session(assoc, 1).start()
    session.ssn[ACTIVE] += 20000
    session.message(ACTIVE)
    session.message(ACTIVE)
    session.end()
    return assoc, {"sctp.ddp-ssn": 2}


def malformed():
    """513 octets of Private Data in an Initiate; that its Accept has no session follows from it."""
    assoc = opened()
    session = Session(assoc, 5)
    session.control(ACTIVE, INITIATE, bytes(513))
    session.control(PASSIVE, ACCEPT)
    assoc.sack(0)
    return assoc, {"sctp.private-data-length": 1}


def renumbered():
    """The next session goes on with the DDP-SSNs of the last one."""
    assoc = opened()
    Session(assoc, 5).start().end()
    again = Session(assoc, 5)
    again.ssn = [2, 2]
    again.start()
    again.end()
    return assoc, {"sctp.ddp-ssn": 1}


def unasked():
    """A Read Response and an Atomic Response that nothing asked for, in packets that acknowledge nothing."""
    assoc = opened()
    for stream, segment in ((5, tagged(2, 0x2000, 0, b"octets")),
                            (6, untagged(11, 3, 1, 0, atomic_response_header(1, 2)))):
        session = Session(assoc, stream).start()
        session.message(ACTIVE)
        session.segment(PASSIVE, segment, sack=False)
        session.message(ACTIVE)
        session.end()
    return assoc, {"rdmap.read-response-unasked": 1, "rdmap.atomic-response-unasked": 1}


def answered_again():
    """A Read Response that comes twice; the second one acknowledges nothing."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.read(ACTIVE)
    session.segment(PASSIVE, tagged(2, 0x2000, 0, bytes(8)), sack=False)
    session.end()
    return assoc, {"rdmap.read-response-unasked": 1}


def unasked_twice():
    """Two Read Responses and an Atomic Response that nothing asked for: a message after them shows it of each."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.message(ACTIVE)
    for segment in (tagged(2, 0x2000, 0, b"octets"), tagged(2, 0x3000, 0, b"octets"),
                    untagged(11, 3, 1, 0, atomic_response_header(1, 2))):
        session.segment(PASSIVE, segment, sack=False)
    session.end()
    return assoc, {"rdmap.read-response-unasked": 2, "rdmap.atomic-response-unasked": 1}


def asked_last_lost():
    """The Read Request, all that its side sent after it, and what acknowledges these are not in the capture."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.message(ACTIVE)
    session.message(PASSIVE)
    header = read_request_header(0x2000, 0, 8, 0x3000, 0)
    session.message(ACTIVE, header, 1, 1, lose=True)
    session.segment(PASSIVE, tagged(2, 0x2000, 0, bytes(8)), sack=False)
    session.control(PASSIVE, TERMINATE, sack=False)
    session.control(ACTIVE, TERMINATE, lose=True)
    return assoc, {}


def asked_later():
    """The Read Request was captured after its Response; it acknowledges no more than its sender had."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.message(ACTIVE)
    session.segment(PASSIVE, tagged(2, 0x2000, 0, bytes(8)), sack=False)
    session.message(ACTIVE, read_request_header(0x2000, 0, 8, 0x3000, 0), 1, 1, sack=False)
    session.end()
    return assoc, {}


def asked_lost():
    """The Read Request is not in the capture."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.message(ACTIVE, lose=True)
    session.segment(PASSIVE, tagged(2, 0x2000, 0, bytes(8)), sack=False)
    session.message(ACTIVE)
    session.end()
    return assoc, {}


def answered_past_a_hole():
    """An Initiate that a gap block acknowledges, and its answer; what lacks before it is sent again much later."""
    assoc = opened()
    session = Session(assoc, 1).start()
    late = session.chunks(PASSIVE, SEGMENT, untagged(3, 0, session.next_msn(PASSIVE, 0), 0, b"late"))
    other = Session(assoc, 2, active=1)
    other.control(ACTIVE, INITIATE)
    assoc.packet(0, [assoc.sack_chunk(0, assoc.tsn[1] - 3, [(2, 2)])], sack=False)
    other.control(PASSIVE, ACCEPT, sack=False)
    assoc.sack(1)
    other.message(PASSIVE, sack=False)
    assoc.packet(1, late)
    other.end()
    session.end()
    return assoc, {}


def answered_after_a_gap():
    """An Initiate that a SACK names after a gap is answered before the gap is filled; nothing is wrong."""
    assoc = opened()
    other = Session(assoc, 5).start()
    first = Session(assoc, 2, active=1)
    first.control(ACTIVE, INITIATE)
    first.control(PASSIVE, TERMINATE)
    assoc.sack(1)
    late = other.chunks(ACTIVE, SEGMENT, untagged(3, 0, 1, 0, b"late"))
    again = Session(assoc, 2)
    again.control(ACTIVE, INITIATE)
    assoc.packet(1, [assoc.sack_chunk(1, assoc.tsn[0] - 3, [(2, 2)])], sack=False)
    again.control(PASSIVE, TERMINATE, sack=False)
    assoc.packet(0, late)
    other.end()
    return assoc, {}


def begun_again():
    """Initiates of either side in sessions that were not terminated; messages of the next session are not reported too."""
    assoc = opened()
    for stream, active in ((5, 0), (6, 1)):
        first = Session(assoc, stream).start()
        first.message(ACTIVE)
        first.message(PASSIVE)
        again = Session(assoc, stream, active).start()
        again.message(ACTIVE)
        again.message(PASSIVE)
        again.end()
    return assoc, {"sctp.session-order": 2}


def begun_again_acknowledged_apart():
    """The same; each acknowledgment is a packet of its own."""
    assoc = opened()
    first, again = Session(assoc, 5), Session(assoc, 5)
    for session in (first, again):
        session.control(ACTIVE, INITIATE, sack=False)
        assoc.sack(1)
        session.control(PASSIVE, ACCEPT, sack=False)
        assoc.sack(0)
        for role in (ACTIVE, PASSIVE):
            session.message(role, sack=False)
            assoc.sack(1 - role)
    return assoc, {"sctp.session-order": 1}


def begun_again_last():
    """Nothing follows the second Initiate: that no side terminated the session is not said as well."""
    assoc = opened()
    Session(assoc, 5).start()
    Session(assoc, 5).control(ACTIVE, INITIATE)
    assoc.sack(1)
    return assoc, {"sctp.session-order": 1}


def refused_before_it_was_captured():
    """A refusal that acknowledges nothing was captured before its Initiate; the next Initiate is another session's."""
    assoc = opened()
    session = Session(assoc, 2)
    late = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    session.control(PASSIVE, TERMINATE, sack=False)
    assoc.packet(0, late, sack=False)
    again = Session(assoc, 2)
    again.control(ACTIVE, INITIATE, sack=False)
    again.control(PASSIVE, TERMINATE)
    return assoc, {}


def init_damaged():
    """The INIT seems to be wrong, in a packet with a wrong checksum; so its receiver did not take it so."""
    assoc = gensctp.Association(gencaps.Capture())
    assoc.adaptation, assoc.streams = (7, gensctp.DDP), ((8, 4), (8, 8))
    assoc.packet(0, [assoc.init_chunk(0, gensctp.INIT)], tag=0, check="bad")
    for side, kind in ((1, gensctp.INIT_ACK), (0, gensctp.COOKIE_ECHO), (1, gensctp.COOKIE_ACK)):
        chunk = assoc.init_chunk(side, kind) if side == 1 and kind == gensctp.INIT_ACK else gensctp.chunk(kind, 0, b"")
        assoc.packet(side, [chunk])
    Session(assoc, 5).start().end()
    return assoc, {}


def answered_elsewhere():
    """The Accept comes on another stream, and the session goes on: that its own stream lacks a DDP-SSN is not said."""
    assoc = opened()
    session = Session(assoc, 1)
    session.control(ACTIVE, INITIATE)
    session.control(PASSIVE, ACCEPT, stream=2)
    session.message(ACTIVE)
    session.message(PASSIVE)
    session.end()
    return assoc, {"sctp.session-order": 1}


def answered_elsewhere_and_over():
    """The Accept comes on another stream, no message follows, and the association ends in order."""
    assoc = opened()
    session = Session(assoc, 2)
    session.control(ACTIVE, INITIATE)
    assoc.sack(1)
    session.control(PASSIVE, ACCEPT, stream=1, sack=False)
    assoc.sack(0)
    return assoc, {"sctp.session-order": 1}


def initiate_twice():
    """Two Initiates with DDP-SSN 0, and the answer: said once, whatever acknowledges what."""
    assoc = opened()
    Session(assoc, 1).start().end()
    for stream, apart in ((2, False), (3, True)):
        for _ in range(2):
            Session(assoc, stream).control(ACTIVE, INITIATE, sack=not apart)
            assoc.sack(1)
        Session(assoc, stream).control(PASSIVE, REJECT)
    return assoc, {"sctp.ddp-ssn": 2}


def answer_alone():
    """Nothing that the active side sent between its COOKIE ECHO and its SHUTDOWN was captured, nor what acknowledges
    it."""
    assoc = opened()
    for stream, function in ((1, ACCEPT), (2, REJECT), (3, TERMINATE)):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE, lose=True)
        assoc.sack(1, lose=True)
        session.control(PASSIVE, function, sack=False)
        assoc.sack(0, lose=True)
    return assoc, {}


def last_answer_alone():
    """As answer_alone, after a session that was captured whole."""
    assoc = opened()
    Session(assoc, 5).start().end()
    session = Session(assoc, 6)
    session.control(ACTIVE, INITIATE, lose=True)
    assoc.sack(1, lose=True)
    session.control(PASSIVE, REJECT, sack=False)
    return assoc, {}


def last_terminate_lost():
    """Conformant, but no SACK was captured, and of the side that shuts down not its last message, a Terminate."""
    assoc = opened()
    session = Session(assoc, 1)
    session.control(ACTIVE, INITIATE)
    session.control(PASSIVE, ACCEPT, sack=False)
    session.message(ACTIVE, sack=False)
    session.control(ACTIVE, TERMINATE, sack=False, lose=True)
    return assoc, {}


def last_initiate_lost():
    """Conformant, but no SACK was captured, and of the side that shuts down not its last message, an Initiate: the
    Terminate that refuses it has a DDP-SSN that its side has used."""
    assoc = opened()
    for lost in (False, True):
        session = Session(assoc, 1)
        session.control(ACTIVE, INITIATE, sack=False, lose=lost)
        session.control(PASSIVE, TERMINATE if lost else REJECT, sack=False)
    return assoc, {}


def skipped_without_acknowledgments():
    """No SACK was captured; what follows the gap is not the last message of its side, or is."""
    assoc = opened()
    for stream, more in ((1, True), (2, False)):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE, sack=False)
        session.control(PASSIVE, ACCEPT, sack=False)
        session.ssn[ACTIVE] += 1
        for _ in range(2 if more else 0):
            session.message(ACTIVE, sack=False)
        session.control(ACTIVE, TERMINATE, sack=False)
        session.control(PASSIVE, TERMINATE, sack=False)
    return assoc, {"sctp.ddp-ssn": 1}


def no_initiate_by_a_later_acknowledgment():
    """An answer on a stream without an Initiate; what its sender acknowledges later was all captured."""
    assoc = opened()
    session = Session(assoc, 1)
    session.control(ACTIVE, INITIATE)
    assoc.sack(1)
    Session(assoc, 2).control(PASSIVE, ACCEPT, sack=False)
    session.message(ACTIVE, sack=False)
    assoc.sack(1)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return assoc, {"sctp.session-order": 1}


def misnumbered_initiate_after_its_answer():
    """An Initiate with DDP-SSN 1 that was captured after its answer: the answer is not wrong."""
    assoc = opened()
    session = Session(assoc, 1)
    session.ssn[ACTIVE] = 1
    late = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    session.control(PASSIVE, ACCEPT, sack=False)
    assoc.packet(0, late, sack=False)
    assoc.sack(1)
    return assoc, {}


def no_initiate_by_the_end():
    """An answer to nothing; the SHUTDOWN of its sender says that nothing had come."""
    assoc = opened()
    Session(assoc, 2).control(PASSIVE, REJECT)
    assoc.sack(0)
    assoc.close(1)
    return assoc, {"sctp.session-order": 1}


def begun_wrong(function, private, ppid=CONTROL):
    """The Initiate of a second session is wrong in itself; what follows may be of that session."""
    assoc = opened()
    Session(assoc, 2).start().end()
    session = Session(assoc, 2)
    session.send(ACTIVE, ppid, struct.pack("!H", function) + private)
    session.control(PASSIVE, ACCEPT + (function & ENHANCED), word(4, 4))
    session.message(ACTIVE)
    session.message(PASSIVE)
    session.end()
    return assoc


def begun_without_the_enhanced_data():
    return begun_wrong(INITIATE + ENHANCED, b"ab"), {"sctp.enhanced-length": 1}


def begun_with_much_private_data():
    return begun_wrong(INITIATE, bytes(513)), {"sctp.private-data-length": 1}


def begun_by_another_identifier():
    return begun_wrong(INITIATE, b"ping", ppid=SEGMENT), {"sctp.ppid": 1}


def begun_by_another_code():
    return begun_wrong(9, b""), {"sctp.function-code": 1}


def rejected_in_the_other_form():
    """An Enhanced Reject of a plain Initiate: another session may begin."""
    assoc = opened()
    session = Session(assoc, 2)
    session.control(ACTIVE, INITIATE)
    session.control(PASSIVE, REJECT + ENHANCED, word(1, 1))
    Session(assoc, 2).start_enhanced().end()
    return assoc, {"sctp.enhanced-pairing": 1}


def answered_without_a_code():
    """Two octets answer an Initiate, maybe the end of the session: the other side begins another."""
    assoc = opened()
    session = Session(assoc, 2)
    session.control(ACTIVE, INITIATE)
    session.send(PASSIVE, CONTROL, b"")
    session = Session(assoc, 2, active=1)
    session.start()
    session.end()
    return assoc, {"sctp.message-length": 1}


def answer_before(lost=(), reported=False):
    """An Accept without an Initiate before it, that is captured once it was sent again; the packets of the handshake
    that are not captured, and whether its receiver reports a copy of another message."""
    assoc = gensctp.Association(gencaps.Capture())
    for number, (side, kind) in enumerate(((0, gensctp.INIT), (1, gensctp.INIT_ACK), (0, gensctp.COOKIE_ECHO),
                                           (1, gensctp.COOKIE_ACK))):
        chunk = assoc.init_chunk(side, kind) if number < 2 else gensctp.chunk(kind, 0, b"cookie--"[:8 * (3 - number)])
        assoc.packet(side, [chunk], tag=0 if number == 0 else None, lose=kind in lost)
    if reported:
        Session(assoc, 1).start().end()
        assoc.packet(1, [gensctp.chunk(gensctp.SACK, 0, struct.pack("!IIHHI", assoc.tsn[0] - 1, 65536, 0, 1, 1000))],
                     sack=False)
    session = Session(assoc, 2)
    initiate = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    session.control(PASSIVE, ACCEPT, sack=False)
    assoc.packet(0, initiate)
    session.message(ACTIVE)
    session.end()
    return assoc


def answered_before():
    """The message after the Accept acknowledges it, and the Initiate too, which may be another copy than the first."""
    return answer_before(), {}


def answered_before_no_echo():
    """The COOKIE ECHO is missing; the Initiate may have stood in its packet."""
    return answer_before(lost=(gensctp.COOKIE_ECHO,)), {}


def answered_before_no_echo_answer():
    return answer_before(lost=(gensctp.COOKIE_ACK,)), {}


def answered_before_again():
    """A copy of a message is reported that was not captured: so the Initiate may have had such a copy, too."""
    return answer_before(reported=True), {}


def answered_from_another_address():
    """The INIT ACK comes from another address of its sender, which names both."""
    assoc = gensctp.Association(gencaps.Capture())
    assoc.packet(0, [assoc.init_chunk(0, gensctp.INIT)], tag=0)
    ack = assoc.init_chunk(1, gensctp.INIT_ACK)[4:]
    ack += b"".join(gensctp.parameter(5, gencaps.pack_ip(address)) for address in ("10.0.0.2", "10.0.1.2"))
    assoc.others[1] = gencaps.pack_ip("10.0.1.2")
    assoc.packet(1, [gensctp.chunk(gensctp.INIT_ACK, 0, ack)])
    assoc.others[1] = None
    assoc.packet(0, [gensctp.chunk(gensctp.COOKIE_ECHO, 0, b"cookie--")])
    assoc.packet(1, [gensctp.chunk(gensctp.COOKIE_ACK, 0, b"")])
    session = Session(assoc, 5).start()
    session.control(PASSIVE, ACCEPT)
    session.end()
    return assoc, {"sctp.session-order": 1}


def restarted(side, tsn):
    """An end begins the association again, RFC 9260 5.2.4: what was under way goes with it, the next session is judged."""
    assoc = opened()
    Session(assoc, 1).start().message(ACTIVE)
    assoc.tags, assoc.tsn, assoc.first = [0x7777, 0x8888], list(tsn), list(tsn)
    assoc.packet(side, [assoc.init_chunk(side, gensctp.INIT)], tag=0)
    assoc.packet(1 - side, [assoc.init_chunk(1 - side, gensctp.INIT_ACK)])
    assoc.packet(side, [gensctp.chunk(gensctp.COOKIE_ECHO, 0, b"cookie--")])
    assoc.packet(1 - side, [gensctp.chunk(gensctp.COOKIE_ACK, 0, b"")])
    session = Session(assoc, 1).start()
    session.control(PASSIVE, ACCEPT)
    session.end()
    return assoc, {"sctp.session-order": 1}


def restarted_by_the_client():
    return restarted(0, (90000, 200))


def restarted_by_the_server():
    return restarted(1, (1001, 5001))


def chunks_of_another_kind():
    """A message in an I-DATA chunk, RFC 8260, is not read: it may be any message, so no rule fails on what it leaves open."""
    assoc = opened()
    session = Session(assoc, 1).start()
    body = struct.pack("!IHHII", assoc.tsn[0], 1, 0, 0, SEGMENT) + b"\0\1ab"
    assoc.tsn[0] += 1
    assoc.packet(0, [gensctp.chunk(64, 7, body)])
    session.ssn[ACTIVE] = 2
    session.message(ACTIVE)
    session.message(PASSIVE)
    session.end()
    return assoc, {}


CASES = (restarted_by_the_client, restarted_by_the_server, chunks_of_another_kind, answered_from_another_address,
         begun_without_the_enhanced_data, begun_with_much_private_data, begun_by_another_identifier, begun_by_another_code,
         rejected_in_the_other_form, answered_without_a_code, answered_before, answered_before_no_echo, answered_before_no_echo_answer, answered_before_again, pairing, order, after_code, after_terminate, after_loss, no_initiate, foreign, numbers, malformed, renumbered,
         unasked, unasked_twice, answered_again, asked_later, asked_lost, asked_last_lost,
         answered_past_a_hole, answered_after_a_gap, begun_again, begun_again_acknowledged_apart, begun_again_last,
         initiate_twice, init_damaged, answered_elsewhere, answered_elsewhere_and_over, refused_before_it_was_captured, answer_alone, last_answer_alone, last_terminate_lost, last_initiate_lost, skipped_without_acknowledgments, no_initiate_by_a_later_acknowledgment,
         misnumbered_initiate_after_its_answer, no_initiate_by_the_end)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for make in CASES:
            assoc, due = make()
            assoc.close()
            path = os.path.join(folder, make.__name__ + ".pcap")
            assoc.cap.write(path)
            lines = sctp_variants.findings(os.path.abspath(sys.argv[1]), [path])
            found = collections.Counter(line["rule"] for line in lines[os.path.basename(path)])
            if found != due:
                print("%s: %s instead of %s" % (make.__name__, dict(found), due))
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
