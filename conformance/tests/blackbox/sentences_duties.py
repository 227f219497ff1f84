# SPDX-License-Identifier: BSD-2-Clause
"""Sentences about what the other side calls for: a Reply, a Terminate, an answer that waits for what was sent before it."""

import kit  # noqa: F401  isort: skip
import capfile
import conversations
import gencaps
from cited import here, sentence
from gencaps import INITIATOR, RESPONDER, tagged, untagged

READ = conversations.read_header()


def passive(**frames):
    """A Rev 1 connection with CRCs; the Responder has opened it, and is the first to close."""
    return gencaps.started(request={"crc": True, **frames}, reply={"crc": True}, initiator=1)[1]


# --- the startup --------------------------------------------------------------------------------


@sentence("mpa.request-answered", "rfc5044-7.1.2-06", "rfc5044-7.1.2-11", "rfc5044-7.1.2-28", "rfc5044-7.1.4.2-03")
def closed_in_place_of_a_reply():
    conn = gencaps.Capture().connection(initiator=1)
    conn.open()
    conn.request(crc=True, private_data=b"let me in")
    return conn


def after_a_reject(role, name):
    @sentence("mpa.fpdu-after-reject", name)
    def goes_on():
        conn = conversations.plain(reply={"reject": True})
        conn.send_message(role, b"hello")
        return here(conn)


after_a_reject(RESPONDER, "rfc5044-7.1.2-08")
after_a_reject(INITIATOR, "rfc5044-7.1.2-19")


@sentence("mpa.rtr-mismatch", "rfc6581-9.2-22")
def flags_read_without_a():
    conn = conversations.enhanced((4, 4, ""), (4, 4, "b"))
    conn.terminate(INITIATOR, 2, 0, 7)
    return here(conn)


@sentence("mpa.rtr-mismatch", "rfc6581-9.2-15", "rfc6581-9.3-05", "rfc6581-8-01")
def closed_where_nothing_matches():
    return conversations.peer("b", "c")


@sentence("rdmap.terminate-final", "rfc6581-9.1-19")
def goes_on_after_saying_that_it_lacks_room():
    conn = conversations.enhanced((1, 4, ""), (4, 9, ""))
    conn.terminate(INITIATOR, 2, 0, 6)
    conn.send_message(INITIATOR, b"hello")
    return here(conn)


# --- CRCs ---------------------------------------------------------------------------------------


@sentence("mpa.crc", "rfc5044-4.4-01")
def no_crcs_at_all():
    conn = conversations.plain()
    conn.framers[INITIATOR].crc = False
    conn.send_message(INITIATOR, b"hello")
    return here(conn)


@sentence("rdmap.error-answered", "rfc5044-4.4-10", "rfc5044-8-02", "rfc5044-9.1-01", "rfc5044-4.4-01")
def crcs_are_looked_at_no_more():
    """Many right ones, one that is wrong, and the answer to what follows it."""
    conn = conversations.enhanced()
    for _ in range(20):
        conn.send_message(INITIATOR, b"hello")
    conn.send_message(INITIATOR, b"hello", mpa={"crc": "bad"})
    conn.read_request(INITIATOR, size=8)
    conn.read_response(RESPONDER, payload=bytes(8))
    return here(conn)


# --- a Terminate is required --------------------------------------------------------------------


def closed(ulpdu, *ids):
    """The Responder closes when it has the segment, and sends no Terminate."""

    @sentence("rdmap.error-answered", *ids)
    def ends():
        conn = passive()
        conn.fpdu(INITIATOR, ulpdu)
        return conn


closed(untagged(gencaps.SEND, 0, 1, rv=2), "rfc5040-3.2-08", "rfc5040-5.3-09", "rfc5040-7.1-02", "rfc5040-7.1-05", "rfc5040-7.2-01")
closed(tagged(gencaps.WRITE, 1, 0, b"hello", rv=2), "rfc5040-3.2-14", "rfc5040-5.1-04", "rfc5040-7.1-05", "rfc5040-7.2-01")
closed(tagged(gencaps.WRITE, 1, 2**64 - 4, b"hello"), "rfc5040-3.2-14")
closed(untagged(gencaps.READ_REQUEST, 1, 1, 0, READ, rv=2), "rfc5040-3.2-20", "rfc5040-5.2.1-06", "rfc5040-7.1-07", "rfc5040-7.2-07")
closed(untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(7)), "rfc7306-6.1-05", "rfc7306-8-01", "rfc7306-8.1-03", "rfc7306-8.2-01")


def response_closed(sink_to, *ids, **bits):
    """The Initiator closes when it has the Response, and sends no Terminate."""

    @sentence("rdmap.error-answered", *ids)
    def ends():
        conn = conversations.enhanced()
        conn.read_request(INITIATOR, 1, sink_to, 8)
        conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, 1, sink_to, bytes(8), **bits))
        return conn


response_closed(2**64 - 4, "rfc5040-4.4-06")
response_closed(0, "rfc5040-5.2.2-06", "rfc5040-7.2-01", rv=2)


@sentence("rdmap.error-answered", "rfc7306-5.2.1-20")
def answer_to_no_atomic_operation():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR, opcode=3, request_id=8, mask=2**64 - 1)
    conn.atomic_response(RESPONDER, request_id=8)
    return here(conn)


@sentence("rdmap.error-answered", "rfc5040-7.1-09")
def refused_for_what_came_later():
    conn = conversations.enhanced()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", rv=2))
    conn.write(INITIATOR, 7, 0, b"hello")
    conversations.refuse(conn, 1, 1, 0)
    return here(conn)


@sentence("rdmap.terminate-final", "rfc5041-3-11")
def data_after_the_stream_was_given_up():
    conn = conversations.plain()
    conn.write(INITIATOR, 7, 0, b"hello")
    conversations.refuse(conn, 1, 1, 0)
    conn.write(RESPONDER, 7, 0, b"hello")
    return here(conn)


# --- what a Terminate says ----------------------------------------------------------------------


def invalidation(etype_code, *ids):
    @sentence("rdmap.terminate-cause", *ids)
    def refused():
        conn = conversations.plain()
        conn.send_message(INITIATOR, b"hello", gencaps.SEND_INVALIDATE, 7)
        conversations.refuse(conn, 0, *etype_code)
        return here(conn)


invalidation((1, 0), "rfc5040-7.2-05", "rfc5040-5.3-19")
invalidation((1, 3), "rfc5040-7.2-06", "rfc5040-5.3-19")


def nothing(code, name):
    @sentence("rdmap.terminate-cause", name)
    def refused():
        conn = conversations.plain()
        conn.send_message(INITIATOR)
        conversations.refuse(conn, 1, 2, code)
        return here(conn)


nothing(4, "rfc5041-7.2-11")
nothing(5, "rfc5041-7.2-12")


@sentence("rdmap.terminate-cause", "rfc5042-6.3.5-04")
def stag_of_a_read_of_size_0():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=0)
    conversations.refuse(conn, 0, 1, 0, gencaps.read_request_header(1, 0, 0, 2, 0))
    return here(conn)


@sentence("rdmap.terminate-cause", "rfc5040-5.2.2-04", "rfc5041-7.2-09", "rfc6581-9.1-04", "rfc6581-9.3-03")
def no_buffer_for_the_first_read():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    conversations.refuse(conn, 1, 2, 2)
    return here(conn)


@sentence("rdmap.terminate-cause", "rfc6581-9.1-16", "rfc5040-5.2.2-04", "rfc6581-9.1-01")
def no_room_for_the_ord_of_the_reply():
    """The Responder has as many Reads outstanding as its Reply says, the Initiator has buffers for one."""
    conn = conversations.enhanced((4, 4, ""), (4, 3, ""))
    conn.send_message(INITIATOR, b"hello")
    for _ in range(3):
        conn.read_request(RESPONDER, size=8)
    ddp, length = conversations.header_of(conn, RESPONDER)
    conn.terminate(INITIATOR, 1, 2, 2, gencaps.terminate_header(1, 2, 2, length, ddp))
    return here(conn)


# --- an answer waits for what was sent before its request ---------------------------------------


def answered_ahead(conn, before, answer):
    """The Responder had received nothing from `before` on when it sent this."""
    octets = conn.frame(RESPONDER, answer)
    side = conn.side(RESPONDER)
    conn.packet(side, octets, capfile.PSH | capfile.ACK, ack=before)
    conn.next[side] += len(octets)
    return here(conn)


def ahead(rule, opcode, answer, *ids, first=gencaps.SEND, less=0):
    """What stands before the request has not come, or `less` octets of the request itself."""

    @sentence(rule, *ids)
    def early():
        conn = conversations.enhanced()
        conn.send_message(INITIATOR, b"hello")
        side = conn.side(INITIATOR)
        before = conn.next[side]
        conn.untagged_message(INITIATOR, first, bytes(8), ack=False)
        if opcode == gencaps.READ_REQUEST:
            conn.read_request(INITIATOR, 1, 0, 8, ack=False)
        else:
            conn.atomic_request(INITIATOR, request_id=8, mask=2**64 - 1, ack=False)
        return answered_ahead(conn, conn.next[side] - less if less else before, answer)


RESPONSE = tagged(gencaps.READ_RESPONSE, 1, 0, bytes(8))
ATOMIC_ANSWER = untagged(gencaps.ATOMIC_RESPONSE, 3, 1, 0, gencaps.atomic_response_header(8, 5))
ahead("rdmap.read-response-unasked", gencaps.READ_REQUEST, RESPONSE, "rfc5040-5.5-15", "rfc5040-5.5-23", "rfc5040-B-03")
ahead("rdmap.read-response-unasked", gencaps.READ_REQUEST, RESPONSE, "rfc7306-7-03", first=gencaps.IMMEDIATE)
ahead("rdmap.read-response-unasked", gencaps.READ_REQUEST, RESPONSE, "rfc5044-6-09", less=1)
ahead("rdmap.atomic-response-unasked", gencaps.ATOMIC_REQUEST, ATOMIC_ANSWER, "rfc7306-5.4-05", "rfc7306-5.4-07", "rfc7306-7-13")
ahead("rdmap.atomic-response-unasked", gencaps.ATOMIC_REQUEST, ATOMIC_ANSWER, "rfc7306-7-04", first=gencaps.IMMEDIATE)
ahead("rdmap.atomic-response-unasked", gencaps.ATOMIC_REQUEST, ATOMIC_ANSWER, "rfc5044-6-09", less=1)
