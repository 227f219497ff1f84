# SPDX-License-Identifier: BSD-2-Clause
"""Sentences of RFC 5041 about DDP Segments and how they follow each other, and their like in RFC 5040 and 7306."""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import conversations
import gencaps
from cited import here, packets, sentence
from gencaps import INITIATOR, RESPONDER, tagged, untagged


def send(msn=1, mo=0, payload=b"hello", qn=0, **bits):
    return untagged(gencaps.SEND, qn, msn, mo, payload, **bits)


def write(to=0, payload=bytes(8), stag=1, **bits):
    return tagged(gencaps.WRITE, stag, to, payload, **bits)


def response(to=0, payload=bytes(8), stag=1, **bits):
    return tagged(gencaps.READ_RESPONSE, stag, to, payload, **bits)


def segments(rule, ulpdus, *ids, begun=conversations.plain, after=()):
    """The Initiator sends these segments; the last one completes the fault."""

    @sentence(rule, *ids)
    def sent():
        conn = begun()
        for ulpdu in ulpdus:
            conn.fpdu(INITIATOR, ulpdu)
        here(conn)
        for ulpdu in after:
            conn.fpdu(INITIATOR, ulpdu)
        return conn


MORE = {"last": False}
ATOMIC = gencaps.atomic_request_header(gencaps.FETCH_ADD, 1, 1, 0, 1, 0, 0, 2**64 - 1)


# --- one segment --------------------------------------------------------------------------------

segments("ddp.empty-segment", [write(**MORE), write(8, b"", **MORE)], "rfc5041-4.4-02", "rfc5041-5.2-11", after=[write(8)])
segments("ddp.empty-segment", [send(**MORE), send(mo=5, payload=b"")], "rfc5041-4.4-02", "rfc5041-5.2-11")
segments("ddp.reserved", [send(rsvd=8)], "rfc5041-4.1-10")
segments("ddp.reserved", [write(rsvd=1)], "rfc5041-4.1-10")
segments("ddp.version", [send(dv=0)], "rfc5041-4.1-12")
segments("ddp.version", [write(dv=3)], "rfc5041-4.1-12")
segments("ddp.version-constant", [send(dv=0, rv=0), send(2)], "rfc5041-4.1-13", begun=conversations.rdmac)
segments("ddp.version-family", [send()], "rfc5044-C.1-02", "rfc5044-3-16", begun=conversations.rdmac)
segments("rdmap.version", [send(dv=0, rv=0), send(2, dv=0)], "rfc5044-C.1-02", begun=conversations.rdmac)
segments("ddp.to-wrap", [write(2**64 - 8)], "rfc5041-4.2-14")
segments("ddp.to-wrap", [write(2**64 - 16, **MORE), write(2**64 - 8)], "rfc5041-5.2-10")
segments("ddp.message-length", [send(**MORE), send(mo=2**32 - 4)], "rfc5041-1.2-05", "rfc5041-5.2-03", "rfc5040-1.1-03")




# --- messages -----------------------------------------------------------------------------------

segments("ddp.last-flag-early", [send(**MORE), send(mo=5), send(mo=10)], "rfc5041-4.1-05", "rfc5041-4.1-06", "rfc5041-4.1-07",
         "rfc5040-3.1-05")
segments("ddp.last-flag-early", [send(**MORE), send(mo=10, **MORE), send(mo=5)], "rfc5041-4.1-07")
segments("ddp.last-flag-missing", [send(**MORE), send(2)], "rfc5041-4.1-04")
segments("rdmap.read-request-last", [untagged(gencaps.READ_REQUEST, 1, 1, 0, conversations.read_header(), **MORE)],
         "rfc5041-4.1-04", begun=conversations.enhanced)
segments("ddp.last-flag-missing", [untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8), **MORE)], "rfc5041-4.1-04")
segments("ddp.last-flag-missing", [untagged(gencaps.IMMEDIATE_SE, 0, 1, 0, bytes(8), **MORE)], "rfc5041-4.1-04",
         after=[send(2), write()])
segments("ddp.last-flag-missing", [untagged(gencaps.ATOMIC_REQUEST, 1, 1, 0, ATOMIC, **MORE)], "rfc5041-4.1-04",
         begun=conversations.enhanced)
segments("ddp.message-order", [send(**MORE), write()], "rfc5041-4.1-09", "rfc5041-5.3-02", "rfc5040-1.1-05", after=[send(mo=5)])
segments("ddp.message-order", [write(**MORE), send()], "rfc5041-4.1-09", "rfc5041-5.3-02", "rfc5040-1.1-05", after=[write(8)])


@sentence("ddp.last-flag-missing", "rfc5041-4.1-04")
def atomic_response_without_an_end():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR)
    conn.fpdu(RESPONDER, untagged(gencaps.ATOMIC_RESPONSE, 3, 1, 0, gencaps.atomic_response_header(1, 0), **MORE))
    here(conn)
    conn.close()
    return conn


@sentence("ddp.last-flag-missing", "rfc5041-4.1-04")
def read_response_without_an_end():
    """The Initiator closes first."""
    conn = conversations.enhanced()
    conn.fpdu(INITIATOR, send())
    conn.read_request(RESPONDER, 1, 0, 16)
    conn.fpdu(INITIATOR, response(**MORE))
    conn.fpdu(INITIATOR, response(8, **MORE))
    here(conn)
    conn.close()
    return conn


@sentence("ddp.stream-end", "rfc5041-6.2.1-02")
def closed_inside_a_message():
    conn = conversations.plain()
    conn.fpdu(INITIATOR, send(**MORE))
    conn.due_frame = len(packets(conn)) + 1
    conn.close()
    return conn


segments("ddp.mo-first", [send(mo=4)], "rfc5041-1.2-02", "rfc5041-4.3-17")
segments("ddp.mo-contiguous", [send(**MORE), send(mo=9)], "rfc5041-5.2-01", "rfc5041-5.2-04", "rfc5041-5.2-08")
segments("ddp.mo-contiguous", [send(**MORE), send(mo=0)], "rfc5041-5-01", "rfc5041-5.2-08")
segments("ddp.to-contiguous", [write(**MORE), write(9)], "rfc5041-5.2-04", "rfc5041-5.2-10")
segments("ddp.segment-order", [send(**MORE), send(mo=10, **MORE)], "rfc5041-5.3-03",
         after=[send(mo=5, **MORE), send(mo=15)])
segments("ddp.segment-order", [write(8, **MORE), write(0)], "rfc5041-5.3-04")
segments("ddp.msn-constant", [send(**MORE), send(2, mo=5)], "rfc5041-4.3-15", "rfc5041-4.3-16")
segments("ddp.msn-first", [send(0)], "rfc5041-4.3-13")
segments("ddp.msn-first", [untagged(gencaps.READ_REQUEST, 1, 2, 0, conversations.read_header())], "rfc5041-4.3-13",
         begun=conversations.enhanced)
segments("ddp.msn-sequence", [send(), send(3)], "rfc5041-4.3-12", "rfc5041-4.3-14")
segments("ddp.msn-sequence", [send(), send()], "rfc5041-5.2-07")
segments("ddp.msn-sequence", [untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8)), send(1)], "rfc7306-6.3-03")
segments("ddp.rsvdulp-constant", [write(**MORE), response(8)], "rfc5041-4.2-06", "rfc5041-4.2-07")
segments("ddp.rsvdulp-constant", [send(**MORE), untagged(gencaps.SEND_SE, 0, 1, 5, b"hello")], "rfc5041-4.3-06")
segments("ddp.stag-constant", [write(**MORE), write(8, stag=2)], "rfc5041-4.2-11", "rfc5041-4.2-13", "rfc5040-5.1-10",
         "rfc5040-5.1-11")


@sentence("ddp.msn-sequence", "rfc5041-4.3-14")
def msn_one_after_the_largest():
    """After a loss any MSN is accepted: 2^32-1, and then 1."""
    conn = conversations.plain()
    conn.fpdu(INITIATOR, send(), lose=True)
    conn.fpdu(INITIATOR, send(2**32 - 1))
    conn.fpdu(INITIATOR, send(1))
    return here(conn)


@sentence("ddp.stag-constant", "rfc5040-5.2.2-10")
def response_to_two_buffers():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0, 16)
    conn.fpdu(RESPONDER, response(**MORE))
    conn.fpdu(RESPONDER, response(8, stag=2))
    return here(conn)


@sentence("ddp.to-wrap", "rfc5040-4.4-04")
def read_past_the_end():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 2**64 - 8, 16)
    here(conn)
    conn.read_response(RESPONDER, 1, 2**64 - 8, bytes(16))
    return conn


@sentence("ddp.msn-sequence", "rfc7306-5.2.1-17")
def atomic_that_takes_no_msn():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR)
    conn.atomic_response(RESPONDER)
    conn.untagged_message(INITIATOR, gencaps.READ_REQUEST, conversations.read_header(), msn=1)
    return here(conn)


@sentence("ddp.msn-sequence", "rfc7306-5.2.2-05")
def atomic_responses_of_one_msn():
    conn = conversations.enhanced()
    for _ in range(2):
        conn.atomic_request(INITIATOR)
        conn.untagged_message(RESPONDER, gencaps.ATOMIC_RESPONSE, gencaps.atomic_response_header(1, 0), msn=1)
    return here(conn)


def cut_packet(conn, octets, length):
    """A packet of the Initiator with `length` octets, of which the capture has the first ones."""
    side = conn.side(INITIATOR)
    (src, sport), (dst, dport) = conn.ends[side], conn.ends[1 - side]
    head = gencaps.tcp_header(src, dst, sport, dport, conn.next[side], conn.next[1 - side], capfile.ACK, octets)
    conn.cap.add(gencaps.ip_packet(src, dst, head, total_length=40 + length), conn, side, length)
    conn.cap.items[-1].wire_len = 54 + length
    conn.next[side] += length


@sentence("ddp.message-length", "rfc5040-1.1-01", "rfc5041-1.2-05")
def write_of_4_gib():
    """2^32 octets in segments that share a packet with nothing, cut after their headers."""
    conn = gencaps.started()[1]
    room = 64768 - 14
    for at in range(0, 2**32, room):
        payload = min(room, 2**32 - at)
        octets = struct.pack("!H", payload + 14) + write(at, b"", last=at + payload == 2**32)
        cut_packet(conn, octets, 2 + 14 + payload + -(16 + payload) % 4 + 4)
    return here(conn)
