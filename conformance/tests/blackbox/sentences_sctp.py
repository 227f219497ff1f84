# SPDX-License-Identifier: BSD-2-Clause
"""Sentences of RFC 5043 and of RFC 6581 7 and 9, over SCTP."""

import struct

import kit  # noqa: F401  isort: skip
import gencaps
import gensctp
from cited import edge, here, sentence
from gencaps import tagged, untagged
from gensctp import ACCEPT, ACTIVE, CONTROL, DDP, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT, TERMINATE, Session, word


def send(msn=1, payload=b"hello"):
    return untagged(gencaps.SEND, 0, msn, 0, payload)


def unopened(**more):
    return Session(gensctp.opened(**more))


def association(rule, *ids, **more):
    """A right session on a wrong association."""

    @sentence(rule, *ids)
    def used():
        session = gensctp.started(**more)
        session.message(ACTIVE)
        session.end()
        return session


association("sctp.adaptation", "rfc5043-5.1-04", "rfc5043-11.1-01", "rfc5043-11.1-03", adaptation=(DDP, None))
association("sctp.adaptation", "rfc5043-5.1-05", "rfc5043-11.1-04", "rfc5043-11.1-05", "rfc5043-12-01", adaptation=(2, DDP))
association("sctp.adaptation", "rfc5043-5.1-04", "rfc5043-11.1-01", adaptation=(None, DDP))
association("sctp.adaptation", "rfc5043-5.1-04", adaptation=(struct.pack("!II", DDP, 0), DDP))
association("sctp.adaptation", "rfc5043-5.1-04", adaptation=(DDP, b"\0\1"))
association("sctp.stream-count", "rfc5043-2-03", "rfc5043-8-01", "rfc5043-8-06", streams=((8, 4), (8, 8)))
association("sctp.stream-count", "rfc5043-8-06", streams=((8, 8), (2, 8)))


def said(rule, messages, *ids, over=False, begun=unopened):
    """Messages of sides, (role, Function Code or segment, Private Data and how); the last is the fault.

    over: nothing follows but an ABORT, or the orderly "shutdown"."""

    @sentence(rule, *ids)
    def talk():
        session = begun()
        for role, what, *more in messages:
            private, how = (more + [b"", {}])[:2] if len(more) != 1 else (more[0], {})
            if isinstance(what, int):
                session.control(role, what, private, **how)
            else:
                session.segment(role, what, **how)
        here(session)
        session.aborted = over is True
        if not over:
            session.end()
        return session


ASK, YES, NO = (ACTIVE, INITIATE), (PASSIVE, ACCEPT), (PASSIVE, REJECT)
DATA, ANSWER = (ACTIVE, send()), (PASSIVE, send())
FINAL = {"over": True}

# --- form of a message --------------------------------------------------------------------------

ORDERED = b"", {"flags": 0}
for who in (ACTIVE, PASSIVE):
    said("sctp.unordered", [ASK, YES, (who, send(), *ORDERED)], "rfc5043-4-01", "rfc5043-5.2.1-03", "rfc5043-8-04", "rfc5043-10-01")
said("sctp.unordered", [(ACTIVE, INITIATE, *ORDERED)], "rfc5043-5.2.1-03", "rfc5043-10-01", over=True)


def other_ppid(ppid, *ids):
    @sentence("sctp.ppid", *ids)
    def other():
        session = gensctp.started()
        session.send(ACTIVE, ppid, send(), number=True)
        here(session)
        session.assoc.sack(session.side(PASSIVE))
        return session


other_ppid(46, "rfc5043-5.1-03")
other_ppid(0, "rfc5043-5.2-01", "rfc5043-12-02")
other_ppid(18, "rfc5043-5.2-02", "rfc5043-12-03")


def of_other_kind(ppid, octets, *ids):
    """The identifier is the other one of the two."""

    @sentence("sctp.ppid", *ids)
    def other():
        session = gensctp.started()
        session.send(ACTIVE, ppid, octets, number=True)
        here(session)
        if ppid == CONTROL:
            session.segment(ACTIVE, send(2))
        session.segment(PASSIVE, send())
        session.control(PASSIVE, TERMINATE)
        session.assoc.sack(session.side(ACTIVE))
        return session


of_other_kind(CONTROL, send(), "rfc5043-5.2-01", "rfc5043-12-02")
of_other_kind(SEGMENT, struct.pack("!H", TERMINATE), "rfc5043-5.2-02", "rfc5043-12-03")


@sentence("sctp.fragmentation", "rfc5043-9-01")
def fragments_in_one_packet():
    session = gensctp.started()
    chunks = session.chunks(PASSIVE, SEGMENT, tagged(gencaps.WRITE, 1, 0, bytes(1000)), size=600)
    session.assoc.packet(1, chunks)
    here(session)
    session.end()
    return session


@sentence("sctp.fragmentation", "rfc5043-9-05")
def fragments_where_a_longer_packet_was_received():
    session = gensctp.started()
    session.message(ACTIVE, bytes(1400))
    session.message(PASSIVE)
    session.segment(ACTIVE, untagged(gencaps.SEND, 0, 2, 0, bytes(1000)), size=510)
    here(session)
    session.end()
    return session


def short(ppid, octets, *ids):
    @sentence("sctp.message-length", *ids)
    def cut():
        session = gensctp.started()
        session.send(ACTIVE, ppid, octets, number=False)
        here(session)
        session.assoc.sack(session.side(PASSIVE))
        return session


short(SEGMENT, b"\0", "rfc5043-4-02", "rfc5043-5.2.1-01", "rfc5043-5.2.2-01")
short(CONTROL, b"\0\1\0", "rfc5043-5.2.3-01")
short(CONTROL, b"\0", "rfc5043-5.2.1-01", "rfc5043-5.2.3-01")

for code, wanted in (
        (0, "rfc5043-5.2.3-02 rfc6580-3.5-01 rfc6580-3.5-06"), (8, "rfc6581-7-02 rfc6580-3.5-06 rfc6581-11-03"),
        (0x0100, "rfc6580-3.5-01 rfc6580-3.5-04"), (0x0500, "rfc6581-11-01 rfc6581-7-02"), (0x0600, "rfc6581-11-02")):
    said("sctp.function-code", [ASK, YES, DATA, (ACTIVE, code)], *wanted.split())

said("sctp.private-data-length", [(ACTIVE, INITIATE, bytes(513))], "rfc5043-5.2.3-05", **FINAL)
said("sctp.private-data-length", [ASK, (PASSIVE, REJECT, bytes(513))], "rfc5043-5.2.3-05", **FINAL)
said("sctp.private-data-length", [(ACTIVE, INITIATE + ENHANCED, word(4, 4) + bytes(509))], "rfc6581-7-07", **FINAL)
said("sctp.terminate-private-data", [ASK, YES, (ACTIVE, TERMINATE, b"bye")], "rfc5043-5.2.3-06", **FINAL)
said("sctp.terminate-private-data",
     [(ACTIVE, INITIATE + ENHANCED, word(4, 4)), (PASSIVE, ACCEPT + ENHANCED, word(4, 4)), (PASSIVE, TERMINATE, b"bye")],
     "rfc6581-7-08", **FINAL)
said("sctp.enhanced-length", [(ACTIVE, INITIATE + ENHANCED)], "rfc6581-7-01", "rfc6581-7-06", "rfc6581-9-01", **FINAL)
said("sctp.enhanced-length", [(ACTIVE, INITIATE + ENHANCED, word(4, 4)), (PASSIVE, ACCEPT + ENHANCED, b"abc")],
     "rfc6581-7-01", "rfc6581-7-06", "rfc6581-9-01", **FINAL)

# --- sessions -----------------------------------------------------------------------------------

ASK_ENHANCED = (ACTIVE, INITIATE + ENHANCED, word(4, 4))
said("sctp.enhanced-pairing", [ASK_ENHANCED, YES], "rfc6581-7-14", "rfc6581-7-04")
said("sctp.enhanced-pairing", [ASK, (PASSIVE, ACCEPT + ENHANCED, word(4, 4))], "rfc6581-7-14", "rfc6581-7-04")
said("sctp.enhanced-pairing", [ASK, (PASSIVE, REJECT + ENHANCED, word(4, 4))], "rfc6581-7-15", **FINAL)
said("sctp.session-order", [ASK, YES, (PASSIVE, ACCEPT)], "rfc5043-6.1-03", "rfc5043-6.2-02")
said("sctp.session-order", [ASK, YES, ASK], "rfc5043-6.2-01", "rfc5043-6.1-03")
said("sctp.session-order", [ASK, NO, (PASSIVE, TERMINATE)], "rfc5043-6.3-04", **FINAL)
said("sctp.session-order", [ASK, NO, DATA], "rfc5043-6.3-04", **FINAL)
said("sctp.session-order", [ASK, (PASSIVE, TERMINATE), (PASSIVE, send())], "rfc5043-6.4-05", **FINAL)
said("sctp.session-order", [ASK_ENHANCED, (PASSIVE, TERMINATE), (PASSIVE, send())], "rfc6581-7-16", **FINAL)
said("sctp.session-order", [ASK, YES, DATA, (ACTIVE, TERMINATE), (ACTIVE, send(2))], "rfc5043-6.2-06", "rfc5043-6-02",
     "rfc5043-6-03", **FINAL)
said("sctp.session-order", [ASK, YES, (PASSIVE, TERMINATE), (PASSIVE, TERMINATE)], "rfc5043-6.2-06", **FINAL)
said("sctp.session-order",
     [ASK, YES, DATA, (PASSIVE, TERMINATE),
      (PASSIVE, untagged(gencaps.TERMINATE, 2, 1, 0, gencaps.terminate_header(0, 0, 1)))], "rfc5043-6.2-07", **FINAL)
said("sctp.session-order", [ASK_ENHANCED, (PASSIVE, ACCEPT + ENHANCED, word(4, 4)), (PASSIVE, REJECT + ENHANCED)],
     "rfc6581-7-13", **FINAL)
said("sctp.session-order", [ASK, (PASSIVE, send())], "rfc5043-6.2-02", "rfc5043-6.2-03", **FINAL)


@sentence("sctp.session-order", "rfc5043-6-01")
def accepted_on_another_stream():
    session = gensctp.Session(gensctp.opened())
    session.control(ACTIVE, INITIATE)
    session.control(PASSIVE, ACCEPT, stream=1)
    here(session)
    session.control(ACTIVE, TERMINATE)
    return session


def left_without_answer(opcode, body, *ids):
    """Both sides send on past a request, then both terminate the session."""

    @sentence("rdmap.request-answered", *ids)
    def left():
        session = gensctp.started()
        session.segment(PASSIVE, untagged(opcode, 1, 1, 0, body))
        for role in (ACTIVE, PASSIVE):
            session.segment(role, send())
            session.assoc.sack(session.side(PASSIVE if role == ACTIVE else ACTIVE))
        session.control(ACTIVE, TERMINATE)
        here(session)
        session.control(PASSIVE, TERMINATE)
        session.assoc.sack(session.side(ACTIVE))
        return session


for octets in (0, 8):
    left_without_answer(gencaps.READ_REQUEST, gencaps.read_request_header(1, 0, octets, 2, 0), "rfc5040-5.2.1-14", "rfc5040-5.2.1-04")
left_without_answer(gencaps.ATOMIC_REQUEST, gencaps.atomic_request_header(gencaps.FETCH_ADD, 1, 1, 0, 0, 0, 0, 2**64 - 1), "rfc7306-5.2.1-25")


@sentence("sctp.terminate-missing", "rfc5043-6.2-05")
def shut_down_without_a_terminate():
    session = gensctp.started()
    session.message(ACTIVE)
    session.assoc.sack(1)
    return session


def numbered(numbers, *ids, role=ACTIVE, over=True):
    """DDP-SSNs of segments after the startup; the last one is wrong."""

    @sentence("sctp.ddp-ssn", *ids)
    def counted():
        session = gensctp.started()
        for at, number in enumerate(numbers, 1):
            session.segment(role, send(at), ssn=number)
        here(session)
        session.ssn[role] = numbers[-1] + 1
        session.message(1 - role)
        session.end()
        return session


numbered([1, 1], "rfc5043-5.2.1-02", "rfc5043-2-05")
numbered([1, 3], "rfc5043-6-04", "rfc5043-5.2.1-02")
numbered([1, 0x0200], "rfc5043-2-05", role=PASSIVE)
said("sctp.ddp-ssn", [(ACTIVE, INITIATE, b"", {"ssn": 1})], "rfc5043-6.1-01", over="shutdown")
said("sctp.ddp-ssn", [ASK, (PASSIVE, ACCEPT, b"", {"ssn": 1})], "rfc5043-6.1-01", over="shutdown")


@sentence("sctp.session-order", "rfc5043-6-01", "rfc5043-6-03")
def segment_without_a_session():
    session = gensctp.started()
    Session(session.assoc, 5).segment(ACTIVE, send(1), ssn=1)
    here(session)
    session.message(PASSIVE)
    session.message(ACTIVE)
    session.end()
    return session


# --- certain though the association is not shut down ---------------------------------------------


def unfinished(rule, *ids):
    """Nothing follows but an ABORT."""

    def register(function):
        @sentence(rule, *ids)
        def talk():
            session = function(gensctp.started())
            session.aborted = True
            return session

        talk.__name__ = function.__name__
        return talk

    return register


@unfinished("sctp.ddp-ssn", "rfc5043-6-04", "rfc5043-5.2.1-02")
def number_left_out(session):
    session.segment(ACTIVE, send(1))
    session.segment(ACTIVE, send(2), ssn=3)
    here(session)
    session.message(PASSIVE)
    for number in range(3, 7):
        session.segment(ACTIVE, send(number, bytes(1000)), ssn=number + 1)  # each fills a packet
    return session


@unfinished("sctp.session-order", "rfc5043-6-01", "rfc5043-6-03")
def answer_without_an_initiate(session):
    Session(session.assoc, 5).control(PASSIVE, ACCEPT)
    here(session)
    session.message(ACTIVE)
    return session


@unfinished("sctp.session-order", "rfc5043-6.1-03", "rfc5043-6.2-01")
def both_initiate_at_once(session):
    other = Session(session.assoc, 5)
    other.control(ACTIVE, INITIATE, sack=False)
    other.control(PASSIVE, INITIATE, sack=False)
    here(session)
    return session


@edge()
def sent_in_another_order():
    """The DDP-SSNs do not come in the order of the TSNs, and an ABORT ends all."""
    session = gensctp.started()
    session.segment(ACTIVE, send(3), ssn=3)
    session.segment(ACTIVE, send(1), ssn=1)
    session.segment(ACTIVE, send(5), ssn=5)
    session.segment(ACTIVE, send(2), ssn=2)
    session.segment(ACTIVE, send(4), ssn=4)
    session.assoc.sack(1)
    session.aborted = True
    return session


# --- too early ----------------------------------------------------------------------------------


def beside_initiate(rule, chunk, *ids):
    """Initiate and another message in one packet."""

    @sentence(rule, *ids)
    def early():
        session = Session(gensctp.opened())
        first = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
        session.assoc.packet(0, first + chunk(session))
        here(session)
        session.control(PASSIVE, ACCEPT)
        return session


beside_initiate("sctp.overtaking", lambda s: s.chunks(ACTIVE, SEGMENT, send()), "rfc5043-6.6-02", "rfc5043-6.6-03")
beside_initiate("sctp.overtaking", lambda s: s.chunks(ACTIVE, CONTROL, struct.pack("!H", TERMINATE)), "rfc5043-6.6-01")


def overtakes(send):
    """The other side acknowledges the second message, after a gap in place of the first."""

    @sentence("sctp.overtaking", "rfc5043-6.6-01", "rfc5043-6.6-02")
    def overtaken():
        session = Session(gensctp.opened())
        assoc, first = session.assoc, session.assoc.tsn[0]
        session.control(ACTIVE, INITIATE)
        send(session)
        here(session)
        assoc.packet(1, [assoc.sack_chunk(1, first - 1, [(2, 2)])], sack=False)
        session.assoc.sack(1)
        session.control(PASSIVE, ACCEPT)
        session.control(PASSIVE, TERMINATE)
        return session


overtakes(lambda s: s.message(ACTIVE))
overtakes(lambda s: s.control(ACTIVE, TERMINATE))


@sentence("sctp.overtaking", "rfc5043-6.6-02", "rfc5043-6.6-03")
def segment_beside_the_initiate_sent_again():
    session = Session(gensctp.opened())
    again = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    session.assoc.packet(0, again)
    session.assoc.packet(0, again + session.chunks(ACTIVE, SEGMENT, send()))
    here(session)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return session


@sentence("sctp.segment-before-answer", "rfc5043-6.2-03", "rfc5043-6.3-01")
def segment_right_after_the_initiate():
    session = Session(gensctp.opened())
    session.control(ACTIVE, INITIATE)
    session.message(ACTIVE)
    here(session)
    session.assoc.sack(1)
    session.control(PASSIVE, ACCEPT, sack=False)
    session.end()
    return session


@sentence("rdmap.terminate-code", "rfc5040-4.8-11")
def code_of_mpa():
    session = gensctp.started()
    session.message(PASSIVE)
    session.message(ACTIVE, gencaps.terminate_header(2, 0, 2), gencaps.TERMINATE, 2)
    here(session)
    session.end()
    return session


@sentence("sctp.segment-before-answer", "rfc5043-6.2-03", "rfc5043-6.3-01")
def segment_before_the_answer():
    session = Session(gensctp.opened())
    session.control(ACTIVE, INITIATE)
    session.assoc.sack(1)
    chunks = session.chunks(ACTIVE, SEGMENT, send())
    session.assoc.packet(0, [session.assoc.sack_chunk(0)] + chunks, sack=False)
    here(session)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return session


def enhanced(rule, request, reply, *ids, wrong=PASSIVE):
    @sentence(rule, *ids)
    def words():
        session = Session(gensctp.opened())
        session.control(ACTIVE, INITIATE + ENHANCED, word(*request))
        if wrong == ACTIVE:
            here(session)
        session.control(PASSIVE, ACCEPT + ENHANCED, word(*reply))
        if wrong == PASSIVE:
            here(session)
        session.end()
        return session


enhanced("mpa.ord-limit", (3, 4, ""), (4, 5, ""), "rfc6581-9.1-06", "rfc6581-9.1-08", "rfc6581-9.1-10")
enhanced("mpa.rtr-supported", (4, 4, "abcd"), (4, 4, "a"), "rfc6581-9.2-11")
enhanced("mpa.model-flags", (4, 4, "c"), (4, 4, ""), "rfc6581-9.2-21", wrong=ACTIVE)
