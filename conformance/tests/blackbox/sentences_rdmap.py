# SPDX-License-Identifier: BSD-2-Clause
"""Sentences of RFC 5040, 6580 and 7306 about RDMAP's control fields, Reads and Atomic Operations."""

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
from cited import here, sentence
from gencaps import INITIATOR, RESPONDER, tagged, untagged

READ = conversations.read_header()
ATOMIC = gencaps.atomic_request_header(gencaps.FETCH_ADD, 1, 1, 0, 1, 0, 0, 2**64 - 1)
TERMINATE = gencaps.terminate_header(2, 0, 2)


def segment(rule, ulpdu, *ids, role=INITIATOR):
    """The segment of `role` is the fault."""

    @sentence(rule, *ids)
    def sent():
        conn = conversations.enhanced()
        if role == RESPONDER:
            conn.send_message(INITIATOR, b"hello")
        conn.fpdu(role, ulpdu)
        return here(conn)


# --- the control field --------------------------------------------------------------------------

segment("rdmap.version", untagged(gencaps.SEND, 0, 1, rv=0), "rfc5040-4.1-19")
segment("rdmap.version", tagged(gencaps.WRITE, 1, 0, b"hello", rv=2), "rfc5040-4.1-19")
segment("rdmap.version", b"\x41\x31" + untagged(gencaps.SEND, 0, 1)[2:], "rfc5040-4.1-02")  # the lowest bits first
segment("rdmap.version", b"\x41\0\0\0\0\x43" + untagged(gencaps.SEND, 0, 1)[6:], "rfc5040-4.1-01", "rfc5040-4-01")
segment("rdmap.version", untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8), rv=3), "rfc7306-4.1-01")
segment("rdmap.version", untagged(gencaps.ATOMIC_REQUEST, 1, 1, 0, ATOMIC, rv=0), "rfc7306-4.1-01")
segment("rdmap.reserved", untagged(gencaps.SEND, 0, 1, rdmap_rsvd=1), "rfc5040-4.1-22")
segment("rdmap.reserved", tagged(gencaps.WRITE, 1, 0, b"hello", rdmap_rsvd=2), "rfc5040-4.1-22")
segment("rdmap.reserved", untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8), rdmap_rsvd=1), "rfc7306-4.1-09")
segment("rdmap.opcode", untagged(12, 0, 1), "rfc5040-4.1-06", "rfc5040-4.1-08", "rfc5040-4.1-17", "rfc6580-3.4-01",
        "rfc6580-3.4-04", "rfc6580-3.4-06", "rfc7306-4.1-02")
segment("rdmap.opcode", untagged(13, 1, 1, 0, ATOMIC), "rfc7306-5.2-04", "rfc7306-10-01")
segment("rdmap.opcode", untagged(14, 0, 1, 0, bytes(8)), "rfc7306-10-01", "rfc7306-4.1-02")
segment("rdmap.opcode-experimental", untagged(15, 0, 1), "rfc6580-3.4-05")

for message, head, wanted in (
        (gencaps.SEND, b"", "rfc5040-4.1-25"), (gencaps.SEND_SE, b"", "rfc5040-4.1-25 rfc5040-A-01"),
        (gencaps.READ_REQUEST, READ, "rfc5040-4.1-25 rfc5040-A-01"), (gencaps.TERMINATE, TERMINATE, "rfc5040-4.1-25"),
        (gencaps.IMMEDIATE, bytes(8), "rfc7306-4.1-03"), (gencaps.IMMEDIATE_SE, bytes(8), "rfc7306-4.1-03"),
        (gencaps.ATOMIC_REQUEST, ATOMIC, "rfc7306-4.1-03")):
    segment("rdmap.invalidate-stag", untagged(message, gencaps.QUEUE.get(message, 0), 1, 0, head, ulp=7), *wanted.split())

# What is Tagged must be Untagged, and the other way round.
for message, wanted in (
        (gencaps.READ_REQUEST, "rfc5040-4.1-10 rfc5040-5.2.1-01 rfc5040-5.2.1-02"),
        (gencaps.SEND, "rfc5040-4.1-05 rfc5040-4.1-12 rfc5040-5.3-01 rfc5040-5.3-02 rfc5041-4.3-02"),
        (gencaps.SEND_INVALIDATE, "rfc5040-4.1-13 rfc5040-5.3-01 rfc5040-5.3-02"),
        (gencaps.SEND_SE, "rfc5040-4.1-14 rfc5040-5.3-01 rfc5040-5.3-02"),
        (gencaps.SEND_SE_INVALIDATE, "rfc5040-4.1-15 rfc5040-5.3-01 rfc5040-5.3-02"),
        (gencaps.TERMINATE, "rfc5040-4.1-16 rfc5040-5.4-02 rfc5040-5.4-03"),
        (gencaps.IMMEDIATE, "rfc7306-4.1-05 rfc7306-6.3-01 rfc7306-6.3-02"),
        (gencaps.IMMEDIATE_SE, "rfc7306-4.1-05 rfc7306-6.3-01 rfc7306-6.3-02"),
        (gencaps.ATOMIC_REQUEST, "rfc7306-4.1-05 rfc7306-5.2.1-15 rfc7306-5.2.1-16"),
        (gencaps.ATOMIC_RESPONSE, "rfc7306-4.1-05 rfc7306-5.2.2-06")):
    segment("rdmap.tagged-flag", tagged(message, 1, 0, bytes(52)), *wanted.split())
segment("rdmap.tagged-flag", untagged(gencaps.WRITE, 0, 1, 0, b"hello"), "rfc5040-4.1-05", "rfc5040-4.1-09",
        "rfc5040-5.1-01", "rfc5040-5.1-02", "rfc5041-4.2-02")
segment("rdmap.tagged-flag", untagged(gencaps.READ_RESPONSE, 0, 1, 0, b"hello"), "rfc5040-4.1-11", "rfc5040-5.2.2-02",
        "rfc5040-5.2.2-03", role=RESPONDER)

for message, wrong, head, wanted in (
        (gencaps.READ_REQUEST, 0, READ, "rfc5040-2.4-02 rfc5040-4.1-10 rfc5040-5.2.1-07 rfc5040-5.2.1-08 rfc5040-3.1-02"),
        (gencaps.SEND, 1, b"", "rfc5040-4.1-07 rfc5040-4.1-12 rfc5040-5.3-11 rfc5040-3.1-03"),
        (gencaps.SEND_INVALIDATE, 2, b"", "rfc5040-4.1-13 rfc5040-5.3-11 rfc5040-3.1-04"),
        (gencaps.SEND_SE, 3, b"", "rfc5040-4.1-14 rfc5040-5.3-11 rfc7306-4.1-08"),
        (gencaps.SEND_SE_INVALIDATE, 2**32 - 1, b"", "rfc5040-4.1-15 rfc5040-5.3-11"),
        (gencaps.TERMINATE, 0, TERMINATE, "rfc5040-4.1-16 rfc5040-5.4-04 rfc5040-5.4-05 rfc5040-3.1-02"),
        (gencaps.IMMEDIATE, 1, bytes(8), "rfc7306-4.1-06 rfc7306-6.3-05 rfc7306-10.2-01"),
        (gencaps.IMMEDIATE_SE, 2, bytes(8), "rfc7306-4.1-06 rfc7306-6.3-05"),
        (gencaps.ATOMIC_REQUEST, 0, ATOMIC, "rfc7306-5.2-01 rfc7306-5.2.1-21 rfc7306-5.2.1-22"),
        (gencaps.ATOMIC_RESPONSE, 1, bytes(12),
         "rfc7306-5-10 rfc7306-5.2-03 rfc7306-5.2.2-07 rfc7306-5.2.2-08 rfc7306-4.1-08")):
    segment("rdmap.queue-number", untagged(message, wrong, 1, 0, head), *wanted.split())


@sentence("rdmap.queue-number", "rfc5041-4.3-09")
def other_queue_in_the_second_segment():
    conn = conversations.enhanced()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", last=False))
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 1, 1, 5, b"hello"))
    return here(conn)


# --- Reads --------------------------------------------------------------------------------------


def request(rule, payload, *ids, opcode=gencaps.READ_REQUEST):
    @sentence(rule, *ids)
    def asked():
        conn = conversations.enhanced()
        conn.untagged_message(INITIATOR, opcode, payload)
        return here(conn)


request("rdmap.read-request-length", READ + b"data", "rfc5040-4.2-02", "rfc5040-4.4-02")
request("rdmap.read-request-length", READ[:24], "rfc5040-4.2-01", "rfc5040-4.4-01", "rfc5040-4-03")
request("rdmap.read-request-length", b"", "rfc5040-4.4-01", "rfc5040-4.2-01")


def answer(rule, *ids, size=8, **response):
    """A Read of `size` octets at STag 1 and TO 4096, and what is sent for its Response."""

    @sentence(rule, *ids)
    def answered():
        conn = conversations.enhanced()
        conn.read_request(INITIATOR, 1, 4096, size)
        conn.read_response(RESPONDER, **{"stag": 1, "to": 4096, "payload": bytes(size), **response})
        return here(conn)


answer("rdmap.read-response-stag", "rfc5040-4.4-03", stag=0x01000000)
answer("rdmap.read-response-to", "rfc5040-4.4-04", to=0)
answer("rdmap.read-response-length", "rfc5040-4.4-07", payload=bytes(9))
answer("rdmap.read-response-length", "rfc5040-4.4-07", "rfc5040-5.2.1-14", payload=bytes(7))
answer("rdmap.read-response-length", "rfc5040-5.2.1-18", size=0, payload=b"all")


@sentence("rdmap.read-response-unasked", "rfc5040-5.2-01")
def response_twice():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    for _ in range(2):
        conn.read_response(RESPONDER, payload=bytes(8))
    return here(conn)


@sentence("rdmap.read-response-unasked", "rfc5040-5.2.2-01")
def response_of_the_side_that_asked():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    conn.read_response(INITIATOR, payload=bytes(8))
    return here(conn)


def response_to_another(stag, to):
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0, 8)
    conn.read_response(RESPONDER, stag, to, bytes(8))
    return here(conn)


@sentence("rdmap.read-response-stag", "rfc5040-5.2.2-08")
def second_read_first():
    """The sizes say which Request is meant: by STag and TO the Response answers neither."""
    return response_to_another(2, 0)


@sentence("rdmap.read-response-to", "rfc5040-5.2.2-08")
def second_part_first():
    return response_to_another(1, 8)


@sentence("rdmap.response-order", "rfc5040-5.2.1-10", "rfc5040-B-09")
def reads_the_other_way_round():
    conn = conversations.enhanced()
    for at in (0, 4096):
        conn.read_request(INITIATOR, 1, at, 8)
    for at in (4096, 0):
        conn.read_response(RESPONDER, 1, at, bytes(8))
    return conn


@sentence("rdmap.response-order", "rfc7306-7-12")
def atomics_the_other_way_round():
    conn = conversations.enhanced()
    for number in (8, 9):
        conn.atomic_request(INITIATOR, request_id=number)
    conn.atomic_response(RESPONDER, request_id=9)
    return here(conn)


@sentence("rdmap.response-order", "rfc7306-7-15")
def atomic_before_the_read():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    conn.atomic_request(INITIATOR)
    conn.atomic_response(RESPONDER)
    return here(conn)


def outstanding(make, *ids, depth=(2, 2, "")):
    """One more than the Reply's IRD allows."""

    @sentence("rdmap.reads-outstanding", *ids)
    def asked():
        conn = conversations.enhanced((4, 4, ""), depth)
        for _ in range(depth[0] + 1):
            make(conn)
        return here(conn)


outstanding(lambda conn: conn.read_request(INITIATOR, size=8), "rfc5040-6.1-04", "rfc5040-6.1-11", "rfc6581-3-01",
            "rfc6581-4.1-01", "rfc6581-9.1-05", "rfc6581-9.1-07", "rfc6581-9.1-17")
outstanding(lambda conn: conn.atomic_request(INITIATOR), "rfc7306-5.2-02")
outstanding(lambda conn: conn.read_request(INITIATOR, size=8), "rfc6581-9.1-17", depth=(0, 4, ""))


@sentence("rdmap.reads-outstanding", "rfc6581-4.1-01", "rfc6581-9.1-12", "rfc6581-9.1-03")
def responder_asks_for_more_than_its_ord():
    conn = conversations.enhanced((1, 4, ""), (4, 1, ""))
    conn.send_message(INITIATOR, b"hello")
    for _ in range(2):
        conn.read_request(RESPONDER, size=8)
    return here(conn)


# --- RFC 7306 -----------------------------------------------------------------------------------


def atomic(opcode=gencaps.FETCH_ADD, compare=0, mask=2**64 - 1):
    return gencaps.atomic_request_header(opcode, 1, 1, 0, 1, 0, compare, mask)


ASKED = {"opcode": gencaps.ATOMIC_REQUEST}
request("rdmap.atomic-request-length", ATOMIC[:44], "rfc7306-4-02", "rfc7306-5.2.1-01", **ASKED)
request("rdmap.atomic-request-length", ATOMIC + bytes(4), "rfc7306-4-02", "rfc7306-4.2-01", **ASKED)
request("rdmap.atomic-opcode", atomic(1), "rfc7306-10.1-01", **ASKED)
request("rdmap.atomic-opcode", atomic(15), "rfc7306-10.1-01", **ASKED)
request("rdmap.atomic-reserved", atomic(0x10), "rfc7306-5.2.1-02", **ASKED)
request("rdmap.atomic-reserved", atomic(0x80000002), "rfc7306-5.2.1-02", **ASKED)
request("rdmap.atomic-compare-data", atomic(compare=1), "rfc7306-5.2.1-11", **ASKED)
request("rdmap.atomic-compare-mask", atomic(mask=0), "rfc7306-5.2.1-13", **ASKED)
request("rdmap.immediate-length", bytes(4), "rfc7306-4-01", "rfc7306-6.2-01", "rfc7306-6.3-06", opcode=gencaps.IMMEDIATE)
request("rdmap.immediate-length", bytes(12), "rfc7306-4-01", "rfc7306-4.2-01", "rfc7306-6.3-06", opcode=gencaps.IMMEDIATE_SE)


def atomic_answer(rule, payload, *ids, role=RESPONDER):
    @sentence(rule, *ids)
    def answered():
        conn = conversations.enhanced()
        conn.atomic_request(INITIATOR, request_id=8)
        conn.untagged_message(role, gencaps.ATOMIC_RESPONSE, payload)
        return here(conn)


ANSWER = gencaps.atomic_response_header(8, 5)
atomic_answer("rdmap.atomic-response-length", ANSWER + bytes(20), "rfc7306-4-03", "rfc7306-4.2-01")
atomic_answer("rdmap.atomic-response-length", ANSWER[:8], "rfc7306-4-03", "rfc7306-5.2.2-01")
atomic_answer("rdmap.atomic-response-id", gencaps.atomic_response_header(7, 5), "rfc7306-5.2.1-05", "rfc7306-5.2.2-02")
atomic_answer("rdmap.atomic-response-unasked", ANSWER, "rfc7306-5.2.2-04", role=INITIATOR)


# --- a message with an error, or after it, is answered ------------------------------------------


def answered(ulpdu, *ids, crc=None, msn=1):
    """The segment is to be refused, but the Read Request after it is answered."""

    @sentence("rdmap.error-answered", *ids)
    def sent():
        conn = conversations.enhanced()
        if crc is None:
            conn.fpdu(INITIATOR, ulpdu)
        else:
            conn.fpdu(INITIATOR, ulpdu, crc=crc)
        conn.fpdu(INITIATOR, untagged(gencaps.READ_REQUEST, 1, msn, 0, READ))
        conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, 1, 0, bytes(8)))
        return here(conn)


TERMINATES = ("rfc5040-7.1-02", "rfc5040-6.2.1-01")
answered(untagged(12, 0, 1), "rfc5040-7.2-03", "rfc7306-8.2-03", *TERMINATES)
answered(untagged(12, 1, 1, 0, READ), "rfc5040-7.2-09", msn=2)
answered(untagged(gencaps.SEND, 0, 1, rv=2), "rfc5040-7.2-04", *TERMINATES)
answered(untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8), rv=2), "rfc7306-8.2-04")
answered(untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=2), "rfc5040-7.2-02", "rfc5041-7.1-19")
answered(untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(8), dv=2), "rfc7306-8.2-02")
answered(untagged(gencaps.SEND, 9, 1, 0, b"hello"), "rfc5041-7.1-01", "rfc5041-7.1-19", "rfc5040-7.2-02")
answered(tagged(gencaps.WRITE, 1, 2**64 - 4, b"hello"), "rfc5041-7.1-15", "rfc5041-7.1-19", "rfc5040-7.2-02")
answered(untagged(gencaps.IMMEDIATE, 0, 1, 0, bytes(7)), "rfc7306-6.3-08")
answered(untagged(gencaps.SEND, 0, 1, 0, b"hello"), "rfc5044-4.4-19", "rfc5044-4.4-20", "rfc5044-4.4-21", "rfc5044-6-01",
         "rfc5044-6-03", "rfc5044-7.1.1-15", *TERMINATES, crc="bad")


def request_answered(ulpdu, *ids):
    """The Read Request itself is to be refused."""

    @sentence("rdmap.error-answered", *ids)
    def sent():
        conn = conversations.enhanced()
        conn.send_message(INITIATOR, b"hello")
        conn.fpdu(INITIATOR, ulpdu)
        conn.fpdu(RESPONDER, tagged(gencaps.READ_RESPONSE, 1, 0, bytes(8)))
        return here(conn)


request_answered(untagged(gencaps.READ_REQUEST, 1, 1, 0, READ, rv=2), "rfc5040-7.2-10")
request_answered(untagged(gencaps.READ_REQUEST, 1, 1, 0, READ, dv=2), "rfc5040-7.2-08")
request_answered(untagged(gencaps.READ_REQUEST, 1, 1, 0, gencaps.read_request_header(1, 0, 8, 2, 2**64 - 4)),
                 "rfc5040-7.2-15")
