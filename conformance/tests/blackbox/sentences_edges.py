# SPDX-License-Identifier: BSD-2-Clause
"""Captures at the edge of what a rule judges, or with payload that looks like more: what speaks is all that may."""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import conversations
import gencaps
import gensctp
from cited import edge
from gencaps import INITIATOR, RESPONDER, tagged, untagged
from gensctp import ACCEPT, ACTIVE, CONTROL, INITIATE, PASSIVE, SEGMENT, Session


def send(msn=1, payload=b"hello", **bits):
    return untagged(gencaps.SEND, 0, msn, 0, payload, **bits)


# --- the first segment --------------------------------------------------------------------------


def first_at_the_last_octet(message, payload):
    @edge("ddp.mo-first")
    def offset():
        """MO of the only segment of a message is the highest that there is."""
        conn = conversations.enhanced()
        conn.fpdu(INITIATOR, untagged(message, gencaps.QUEUE.get(message, 0), 1, 2**32 - 1, payload))
        return conn


first_at_the_last_octet(gencaps.SEND, b"hello")
first_at_the_last_octet(gencaps.IMMEDIATE, bytes(8))
first_at_the_last_octet(gencaps.READ_REQUEST, conversations.read_header())
first_at_the_last_octet(gencaps.TERMINATE, gencaps.terminate_header(2, 0, 2))


# --- framing ------------------------------------------------------------------------------------


def too_long_by(octets):
    @edge("mpa.framing")
    def length():
        """The next FPDU begins so many octets before the end that ULPDU_Length tells."""
        conn = gencaps.started()[1]
        conn.fpdu(INITIATOR, send(payload=bytes(48)), length=66 + octets)
        for number in (2, 3, 4):
            conn.fpdu(INITIATOR, send(number, bytes(range(7, 51))))
        return conn


too_long_by(16)  # as many as are remembered
too_long_by(20)


def response_without_last(octets, follows):
    @edge("ddp.last-flag-missing")
    def response():
        """All octets of a Response have come, and no L: its missing end is reported once."""
        conn = conversations.enhanced()
        conn.read_request(INITIATOR, 1, 0, 8)
        conn.atomic_request(INITIATOR)
        conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, 1, 0, octets, last=False))
        if follows:
            conn.send_message(RESPONDER, b"hello")
        conn.atomic_response(RESPONDER)
        for role in (INITIATOR, RESPONDER):
            conn.send_message(role, b"hello")
        return conn


response_without_last(bytes(8), False)
response_without_last(bytes(8), True)


@edge("ddp.last-flag-missing")
def last_response_without_last():
    """The same of the only Request, with which both sides go on."""
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0, 8)
    conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, 1, 0, bytes(8), last=False))
    for role in (RESPONDER, INITIATOR, RESPONDER):
        conn.send_message(role, b"hello")
    return conn


def fin(conn, role):
    side = conn.side(role)
    conn.packet(side, flags=capfile.FIN | capfile.ACK)
    conn.next[side] += 1
    conn.packet(1 - side)


def unanswered_surplus(octets, ends):
    @edge("mpa.pd-length-match")
    def surplus():
        """Nothing answers a Request after which a few octets come: what they begin never comes."""
        conn = gencaps.Capture().connection()
        conn.open()
        conn.request(crc=True)
        conn.send(INITIATOR, octets)
        for role in ends:
            fin(conn, role)
        return conn


for few in (bytes(2), bytes(4), b"\0\x1b\x41\x43"):
    unanswered_surplus(few, (INITIATOR,))
    unanswered_surplus(few, (INITIATOR, RESPONDER))
    unanswered_surplus(few, (RESPONDER, INITIATOR))


def markers_left_out_of_zeros(size, goes_on):
    @edge("mpa.marker-period")
    def zeros():
        """Without CRCs the next FPDU alone tells that zeros are no Marker with a wrong FPDUPTR."""
        conn = gencaps.started(reply={"markers": True})[1]
        conn.send_message(INITIATOR, b"hello")
        conn.framers[INITIATOR].markers = False
        conn.send_message(INITIATOR, bytes(size))
        conn.framers[INITIATOR].markers = goes_on
        for _ in range(2):
            conn.send_message(INITIATOR, b"hello you")
        return conn


markers_left_out_of_zeros(600, True)
markers_left_out_of_zeros(600, False)
markers_left_out_of_zeros(1400, False)


@edge("mpa.marker-pointer")
def marker_of_zeros():
    """The next FPDU begins where it is expected."""
    conn = gencaps.started(reply={"markers": True})[1]
    conn.fpdu(INITIATOR, send(payload=bytes(600)), marker=lambda index, pointer: bytes(4))
    for number in (2, 3):
        conn.fpdu(INITIATOR, send(number, b"hello you"))
    return conn


@edge("mpa.framing")
def requests_swallowed():
    """Octets that are no FPDU announce one of 18245 octets, and a Read Request that is answered lies in it."""
    conn = gencaps.started()[1]
    conn.send_message(INITIATOR, b"hello")
    conn.send(INITIATOR, b"GET / HTTP/1.1\r\n\r\n\0\0")
    conn.read_request(INITIATOR, size=8)
    conn.read_response(RESPONDER, payload=bytes(8))
    conn.send_message(RESPONDER, b"hello")
    conn.close()
    return conn


# --- Markers -------------------------------------------------------------------------------------


def unlike_markers(number, size):
    return send(number, (bytes(range(1, 201)) * (size // 200 + 1))[:size])


def markers_of_last(rule, crc, due, size, others):
    """Markers are missing in the last FPDU of a stream, or in that and others; or they stand in it though Markers are off."""

    @edge(rule)
    def last_fpdus():
        conn = conversations.plain({"crc": crc}, {"crc": crc, "markers": due})
        conn.fpdu(INITIATOR, send())
        conn.framers[INITIATOR].markers = not due
        for number in range(2, 3 + others):
            conn.fpdu(INITIATOR, unlike_markers(number, size))
        return conn


for checked in (True, False):
    for octets in (456, 460, 600, 3000):  # with 456 the Marker would stand before the CRC field
        markers_of_last("mpa.marker-period", checked, True, octets, 0)
    markers_of_last("mpa.marker-period", checked, True, 600, 3)
    markers_of_last("mpa.marker-unasked" if checked else "mpa.framing", checked, False, 600, 0)
    markers_of_last("mpa.marker-unasked" if checked else "mpa.framing", checked, False, 600, 3)


def one_marker_left_out(crc, which, others):
    """One of three Markers of an FPDU is left out; the other Markers stand where they should."""

    @edge("mpa.marker-period")
    def left_out():
        conn = conversations.plain({"crc": crc}, {"crc": crc, "markers": True})
        conn.fpdu(INITIATOR, send())
        at = 512 * which - conn.framers[INITIATOR].offset
        octets = conn.frame(INITIATOR, unlike_markers(2, 1500))
        conn.send(INITIATOR, octets[:at] + octets[at + 4:])
        conn.framers[INITIATOR].offset -= 4
        for number in range(3, 3 + others):
            conn.fpdu(INITIATOR, unlike_markers(number, 700))
        return conn


for checked in (True, False):
    for marker in (1, 3):
        one_marker_left_out(checked, marker, 0)
        one_marker_left_out(checked, marker, 3)


@edge()
def ends_with_a_marker():
    """The Marker between two FPDUs is the last of the stream: nothing of an FPDU is missing."""
    conn = conversations.plain({}, {"markers": True})
    conn.fpdu(INITIATOR, send(payload=bytes(484)))  # with its Marker 512 octets
    conn.send(INITIATOR, bytes(4))
    conn.close()
    return conn


# --- messages that are mixed ---------------------------------------------------------------------


def mixed(rule, *segments):
    """Segments of two messages, after which another one begins; or the same where L is missing."""

    @edge(rule)
    def by_turns():
        conn = conversations.plain()
        for segment in segments + (send(3),):
            conn.fpdu(INITIATOR, segment)
        return conn


def part(msn, offset, last):
    return untagged(gencaps.SEND, 0, msn, offset, bytes(8), last=last)


def written(stag, offset, last):
    return tagged(gencaps.WRITE, stag, 1000 * stag + offset, bytes(8), last=last)


for piece in (part, written):
    after = (send(1), send(2)) if piece is written else ()
    mixed("ddp.message-order", piece(1, 0, False), piece(2, 0, False), piece(1, 8, True), piece(2, 8, True), *after)
    mixed("ddp.message-order", piece(1, 0, False), piece(2, 0, True), piece(1, 8, True), *after)
    mixed("ddp.message-order", piece(1, 0, False), piece(2, 0, False), piece(1, 8, False), piece(2, 8, False),
          piece(1, 16, True), piece(2, 16, True), *after)
    mixed("ddp.last-flag-missing", piece(1, 0, False), piece(2, 0, True), *after)


# --- PD_Length -----------------------------------------------------------------------------------


def too_long(request, reply, *rules, crc=True, sends=3, size=40):
    """PD_Length of one frame or both is too large by so much; each side goes by what was sent."""

    @edge(*rules)
    def lengths():
        conn = gencaps.Capture().connection()
        conn.open()
        conn.request(crc=crc, pd_length=request)
        conn.reply(crc=crc, pd_length=reply)
        for number in range(1, 1 + sends):
            for role in (INITIATOR, RESPONDER):
                conn.fpdu(role, send(number, bytes(size)))
        return conn


for checked in (True, False):
    for octets in (40, 64, 100):  # an FPDU has 64
        too_long(octets, octets, "mpa.pd-length-match", crc=checked)
    too_long(600, 0, "mpa.pd-length-max", "mpa.improper-accepted", crc=checked, sends=30)
    too_long(0, 600, "mpa.pd-length-max", "mpa.improper-accepted", crc=checked, sends=30)


def ends_after_the_reply(first):
    """The Responder says that Private Data follow its Reply, sends none, and closes; the Initiator sends an FPDU."""

    @edge("mpa.pd-length-match")
    def reply():
        conn = gencaps.Capture().connection(initiator=first)
        conn.open()
        conn.request(crc=True)
        conn.reply(crc=True, pd_length=40)
        conn.fpdu(INITIATOR, send())
        return conn


ends_after_the_reply(0)  # side 0 sends its FIN first
ends_after_the_reply(1)


@edge("mpa.request-answered")
def closed_instead_of_a_reply():
    """A ULP may refuse a Request so, but should let MPA say it. RFC 5044 7.1.2, 7.1.3"""
    conn = gencaps.Capture().connection(initiator=1)
    conn.open()
    conn.request(crc=True)
    return conn


# --- look-alikes after a loss -------------------------------------------------------------------


def lost_beginning(opened, octets):
    """A Reply whose first octets are missing; FPDUs lie in its Private Data, and others follow up to
    where it can end at most, and after that.

    opened: the SYNs were captured."""

    @edge()
    def private_data():
        cap = gencaps.Capture()
        conn = cap.connection()
        conn.open()
        if not opened:
            cap.items.clear()
        conn.request(crc=True)
        framer = gencaps.Framer()
        framer.crc = True
        inner = b"".join(framer.frame(ulpdu) for ulpdu in (
            send(77), untagged(gencaps.READ_REQUEST, 1, 9, 0, conversations.read_header()), send(78)))
        lost = bytes(octets)
        frame = gencaps.startup_frame(gencaps.REPLY_KEY, crc=True, private_data=lost + inner)
        conn.framers[0].crc = conn.framers[1].crc = True
        at = 20 + len(lost)
        conn.send(RESPONDER, frame[:at], lose=True, ack=False)
        conn.send(RESPONDER, frame[at:], ack=False)
        conn.send_message(INITIATOR, b"hello")
        for number in range(12):
            conn.fpdu(RESPONDER, send(number + 1, bytes(100)))
        conn.read_request(RESPONDER, size=8)
        conn.read_response(INITIATOR, payload=bytes(8))
        return conn


for known in (True, False):
    lost_beginning(known, 0)
    lost_beginning(known, 30)


# --- Reads and Terminates -----------------------------------------------------------------------


@edge("ddp.stag-constant")
def response_goes_on_at_another_stag():
    """After that the length of the Response is not reported."""
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0, 24)
    for at, stag in enumerate((1, 2, 2, 2)):
        conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, stag, 8 * at, bytes(8), last=at == 3))
    return conn


def unknown_header(count, *rules):
    """A Terminate that returns the header of a segment that it had not received, after so many that were."""

    @edge(*rules)
    def terminate():
        conn = conversations.plain()
        for _ in range(count):
            conn.write(INITIATOR, payload=bytes(4), ack=False)
        header = gencaps.terminate_header(1, 1, 0, 18, tagged(gencaps.WRITE, 99, 0))
        conn.untagged_message(RESPONDER, gencaps.TERMINATE, header)
        return conn


unknown_header(256, "rdmap.terminate-ddp-header")
unknown_header(257, "rdmap.terminate-ddp-header")


# --- SCTP ---------------------------------------------------------------------------------------


@edge("sctp.overtaking")
def two_segments_beside_the_initiate():
    session = Session(gensctp.opened())
    chunks = session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    for number in (1, 2):
        chunks += session.chunks(ACTIVE, SEGMENT, send(number))
    session.assoc.packet(0, chunks)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return session


@edge()
def accept_captured_before_its_initiate():
    """The Accept acknowledges the Initiate: their order in the capture is not the order in which the sides sent them."""
    session = gensctp.started()
    session.message(ACTIVE)
    session.end()
    items = session.assoc.cap.items
    items[4], items[5] = items[5], items[4]
    return session


@edge("sctp.ppid")
def foreign_message_took_a_number():
    """A message of another PPID has the DDP-SSN that its stream was at."""
    session = gensctp.started()
    session.message(ACTIVE, b"one")
    session.send(ACTIVE, 18, send(2), ssn=None)
    session.message(ACTIVE, b"two")
    session.end()
    session.assoc.close()
    return session
