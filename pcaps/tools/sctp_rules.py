# SPDX-License-Identifier: BSD-2-Clause
"""The captures of the rules on DDP over SCTP; mkrules.py writes them with the others."""

import struct

import gencaps
import gensctp
import refsctp
from gensctp import (ACCEPT, ACTIVE, CONTROL, DDP, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT,
                     TERMINATE, Session, opened, started)


def pdus(path):
    """PDU counts by refsctp."""
    return refsctp.counts(path)


def finish(session):
    """The end of a session and of its association, where the captures of a rule leave it to here."""
    session.end()
    session.assoc.close()
    return session


def register(rule):
    """Registers all pairs; `rule` is the decorator of mkrules."""

    def sctp(slug, who, fail, near, **more):
        return rule("sctp." + slug, who, fail, near, sctp=True, **more)

    @sctp("adaptation", "unknown", "the INIT ACK carries no Adaptation Layer Indication",
          "INIT and INIT ACK carry it, with 1")
    def adaptation(bad):
        session = started(adaptation=(DDP, None if bad else DDP))
        session.message(ACTIVE)
        return finish(session)

    @sctp("stream-count", "unknown", "INIT with 8 outbound streams and 16 inbound ones",
          "INIT ACK with 4 outbound streams of 8, since the INIT takes 4")
    def stream_count(bad):
        session = started(streams=((8, 16), (8, 8)) if bad else ((4, 4), (4, 8)))
        session.message(ACTIVE)
        return finish(session)

    @sctp("unordered", "initiator", "a DDP Segment without the U flag",
          "all with U, and with the I flag of RFC 7053 beside it")
    def unordered(bad):
        session = started()
        session.message(ACTIVE, flags=0 if bad else gensctp.U | 8)
        return finish(session)

    @sctp("ppid", "initiator", "a message with Payload Protocol Identifier 18",
          "16 and 17, in network byte order")
    def ppid(bad):
        session = started()
        session.message(ACTIVE)
        if bad:
            session.send(ACTIVE, 18, b"what?", number=False, ssn=0)
        return finish(session)

    @sctp("fragmentation", "initiator", "a Write of 100 octets in two DATA chunks of one packet's size",
          "a Write of 2000 octets in two, as the path takes no more than 1500")
    def fragmentation(bad):
        session = started()
        if bad:
            segment = gencaps.tagged(0, 0x1000, 0, bytes(100))
            pieces = session.chunks(ACTIVE, SEGMENT, segment, size=60)
            session.assoc.packet(0, pieces)
        else:
            session.segment(ACTIVE, gencaps.tagged(0, 0x1000, 0, bytes(2000)), size=1440)
        return finish(session)

    @sctp("message-length", "initiator", "a Session Control message without Function Code",
          "Session Control messages of 4 octets")
    def message_length(bad):
        session = Session(opened()).start(b"", b"")
        if bad:
            session.send(ACTIVE, CONTROL, b"", ssn=1)
        return finish(session)

    @sctp("function-code", "initiator", "Function Code 8", "Function Code 7, the last assigned one")
    def function_code(bad):
        if bad:
            session = started()
            session.control(ACTIVE, 8)
            return finish(session)
        session = Session(opened())
        session.control(ACTIVE, INITIATE + ENHANCED, gensctp.word(4, 4))
        session.control(PASSIVE, REJECT + ENHANCED, gensctp.word(4, 4) + b"no")
        session.assoc.sack(0)
        session.assoc.close()
        return session

    @sctp("private-data-length", "unknown", "an Initiate with 513 octets of Private Data",
          "an Initiate with 512 and an Accept with 0")
    def private_data_length(bad):
        session = Session(opened())
        if bad:
            session.control(ACTIVE, INITIATE, bytes(513))
            session.assoc.sack(1)
            session.assoc.close()
            return session
        return finish(session.start(bytes(512), b""))

    @sctp("terminate-private-data", "responder", "a Terminate with 4 octets of Private Data",
          "a Terminate of 4 octets")
    def terminate_private_data(bad):
        session = started()
        session.message(ACTIVE)
        session.control(PASSIVE, TERMINATE, b"bye!" if bad else b"")
        session.control(ACTIVE, TERMINATE)
        session.assoc.close()
        return session

    @sctp("enhanced-length", "responder", "an Enhanced Accept with 3 octets of Private Data",
          "Enhanced Initiate and Accept with 4")
    def enhanced_length(bad):
        session = Session(opened())
        session.control(ACTIVE, INITIATE + ENHANCED, gensctp.word(4, 4))
        if bad:
            session.control(PASSIVE, ACCEPT + ENHANCED, b"abc")
        else:
            session.control(PASSIVE, ACCEPT + ENHANCED, gensctp.word(4, 4))
        return finish(session)

    @sctp("enhanced-pairing", "responder", "a plain Accept for an Enhanced Initiate",
          "an Enhanced Accept")
    def enhanced_pairing(bad):
        session = Session(opened())
        session.control(ACTIVE, INITIATE + ENHANCED, gensctp.word(4, 4))
        if bad:
            session.control(PASSIVE, ACCEPT, b"pong")
        else:
            session.control(PASSIVE, ACCEPT + ENHANCED, gensctp.word(4, 4))
        return finish(session)

    @sctp("ddp-ssn", "initiator", "two Sends with DDP-SSN 1",
          "DDP-SSN 2 before 1 on the way: SCTP may send them so")
    def ddp_ssn(bad):
        session = started()
        one = session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, 1, 0, b"one"))
        if bad:
            session.assoc.packet(0, one)
            session.send(ACTIVE, SEGMENT, gencaps.untagged(3, 0, 2, 0, b"two"), ssn=1)
            return finish(session)
        session.assoc.tsn[0] -= 1
        two = session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, 2, 0, b"two"))
        session.assoc.packet(0, two)
        session.ssn[ACTIVE] = 1
        session.assoc.packet(0, session.chunks(ACTIVE, SEGMENT,
                                               gencaps.untagged(3, 0, 1, 0, b"one")))
        session.ssn[ACTIVE] = 3
        return finish(session)

    @sctp("session-order", "responder", "a Send after the Session Terminate of the same side",
          "a Send after the Session Terminate of the other side")
    def session_order(bad):
        session = started()
        session.message(ACTIVE)
        session.control(PASSIVE, TERMINATE)
        if bad:
            session.message(PASSIVE)
        else:
            session.message(ACTIVE)
        session.control(ACTIVE, TERMINATE)
        session.assoc.sack(1)
        session.assoc.close()
        return session

    @sctp("segment-before-answer", "initiator", "a Send after the acknowledgment of the Initiate",
          "a Send of the passive side right after its Accept", exit=0)
    def segment_before_answer(bad):
        session = Session(opened())
        session.control(ACTIVE, INITIATE)
        if bad:  # the acknowledgment shows that nothing came from the passive side yet
            session.assoc.sack(1)
            send = session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, 1, 0, b"hello"))
            session.assoc.packet(0, [session.assoc.sack_chunk(0)] + send)
        session.control(PASSIVE, ACCEPT)
        if not bad:
            session.message(PASSIVE)
            session.message(ACTIVE)
        return finish(session)

    @sctp("overtaking", "initiator", "Initiate and Send in one packet",
          "Initiate in one packet, a Send after the Accept")
    def overtaking(bad):
        session = Session(opened())
        if bad:
            first = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
            second = session.chunks(ACTIVE, SEGMENT, gencaps.untagged(3, 0, 1, 0, b"hello"))
            session.assoc.packet(0, first + second)
            session.control(PASSIVE, ACCEPT)
        else:
            session.start()
            session.message(ACTIVE)
        return finish(session)

    @sctp("terminate-missing", "responder", "SHUTDOWN of the association, no Terminate before it",
          "one Terminate, of the passive side")
    def terminate_missing(bad):
        session = started()
        session.message(ACTIVE)
        if not bad:
            session.control(PASSIVE, TERMINATE)
        session.assoc.sack(0)
        session.assoc.sack(1)
        session.assoc.close()
        return session

    @sctp("stream-reuse", "initiator", "the Terminate of a session and the Initiate of the next one in one packet",
          "the Initiate of the next session once both Terminates are acknowledged", connections=2)
    def stream_reuse(bad):
        session = started()
        session.message(ACTIVE)
        session.control(PASSIVE, TERMINATE)
        again = Session(session.assoc)
        chunks = session.chunks(ACTIVE, CONTROL, struct.pack("!H", TERMINATE))
        if not bad:
            session.assoc.packet(0, chunks)
            session.assoc.sack(1)
            chunks = []
        session.assoc.packet(0, chunks + again.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE)))
        again.control(PASSIVE, ACCEPT)
        return finish(again)
