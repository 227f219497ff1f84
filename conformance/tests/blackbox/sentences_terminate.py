# SPDX-License-Identifier: BSD-2-Clause
"""Sentences of RFC 5040 4.8 and 5.4 about Terminates, and of the registries of their codes."""

import struct

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
from cited import here, sentence
from gencaps import INITIATOR, RESPONDER, terminate_header


def terminate(rule, header, *ids, begun=conversations.written):
    """The Responder's Terminate with this header; where it is a function, of the connection."""

    @sentence(rule, *ids)
    def sent():
        conn = begun()
        conn.untagged_message(RESPONDER, gencaps.TERMINATE, header(conn) if callable(header) else header)
        return here(conn)


# --- length, flags and what they announce -------------------------------------------------------

terminate("rdmap.terminate-length", b"", "rfc5040-4.8-01", "rfc5040-4.8-02")
terminate("rdmap.terminate-length", terminate_header(2, 0, 2)[:3], "rfc5040-4.8-03")
terminate("rdmap.terminate-reserved", terminate_header(2, 0, 2, reserved=1), "rfc5040-4.8-23")
terminate("rdmap.terminate-reserved", terminate_header(2, 0, 2, reserved=0x1000), "rfc5040-4.8-23")


def refused(layer, etype, code, **changes):
    """A Terminate that returns the Write with its length."""

    def header(conn):
        ddp, length = conversations.header_of(conn, INITIATOR)
        return terminate_header(layer, etype, code, **{"length": length, "ddp": ddp, **changes})

    return header


terminate("rdmap.terminate-headers", refused(1, 1, 0, ddp=b"", bits=6), "rfc5040-4.8-02", "rfc5040-4.8-29")
terminate("rdmap.terminate-headers", terminate_header(1, 1, 0, bits=6), "rfc5040-4.8-26")
terminate("rdmap.terminate-headers", lambda conn: refused(1, 1, 0)(conn) + b"what was it?", "rfc5040-4.2-03")
terminate("rdmap.terminate-ddp-header", refused(1, 1, 0, ddp=gencaps.tagged(0, 9, 9)), "rfc5040-4.8-27")
terminate("rdmap.terminate-segment-length", refused(1, 1, 0, length=8), "rfc5040-4.8-25")
terminate("rdmap.terminate-rdma-header", refused(0, 1, 0, rdma=bytes(28)), "rfc5040-4.8-30")


def flags(header, *ids, begun=conversations.written):
    terminate("rdmap.terminate-flags", header, *ids, begun=begun)


flags(refused(0, 0, 0), "rfc5040-4.8-17", "rfc5040-4.8-28", "rfc5040-4.8-14")
flags(refused(1, 1, 0, bits=2), "rfc5040-4.8-14", "rfc5040-4.8-21")
flags(terminate_header(1, 2, 3), "rfc5040-4.8-15", "rfc5040-4.8-21")
flags(refused(2, 0, 2), "rfc5040-4.8-22", "rfc5040-4.8-14", "rfc5040-4.8-15")


def asked():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0x2000, 16, 2, 0x1000)
    return conn


def atomic():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR)
    return conn


def with_read(layer, etype, code, **changes):
    """The same of a Read Request, with its header."""

    def header(conn):
        ulpdu = conn.sent[INITIATOR][-1][1]
        ddp, length = conversations.header_of(conn, INITIATOR)
        return terminate_header(layer, etype, code, length, ddp, **{"rdma": ulpdu[18:46], **changes})

    return header


flags(with_read(0, 1, 0, rdma=b""), "rfc5040-4.8-16", "rfc5040-4.8-18", begun=asked)
flags(with_read(2, 0, 2), "rfc5040-4.8-16", begun=asked)
terminate("rdmap.terminate-headers", with_read(0, 1, 0, rdma=bytes(4)), "rfc5040-4.8-31", begun=asked)
terminate("rdmap.terminate-rdma-header", with_read(0, 1, 0), "rfc7306-8.1-04", begun=atomic)
flags(refused(0, 0, 0), "rfc7306-8.1-02", begun=atomic)


@sentence("rdmap.terminate-rdma-header", "rfc5040-4.8-30")
def remote_operation_error_with_rdma_header():
    """5.3 of a Send: R is not for it."""
    conn = conversations.enhanced()
    conn.send_message(INITIATOR, bytes(28))
    conn.untagged_message(RESPONDER, gencaps.TERMINATE, with_read(0, 2, 6)(conn))
    return here(conn)


# --- the Read Request that is returned ----------------------------------------------------------


def returned(served, change, *ids):
    """`served` octets of the Read were sent; its header comes back moved on, and then changed."""

    @sentence("rdmap.terminate-read-header", *ids)
    def sent():
        conn = asked()
        ddp, length = conversations.header_of(conn, INITIATOR)
        if served:
            conn.read_response(RESPONDER, 1, 0x2000, bytes(served), ddp={"last": False})
        right = [1, 0x2000 + served, 16 - served, 2, 0x1000 + served]
        header = terminate_header(0, 1, 1, length, ddp, gencaps.read_request_header(*change(right)))
        conn.untagged_message(RESPONDER, gencaps.TERMINATE, header)
        return here(conn)


def other(at, step):
    """The same with another number in one place."""
    return lambda right: [value + step * (i == at) for i, value in enumerate(right)]


def moved(step):
    return lambda right: [right[0], right[1] + step, right[2] - step, right[3], right[4] + step]


returned(0, other(1, 4), "rfc5040-4.8-32")
returned(0, moved(8), "rfc5040-4.8-32")
returned(8, moved(-8), "rfc5040-4.8-33")
returned(8, moved(-4), "rfc5040-4.8-33")
returned(8, other(0, 1), "rfc5040-4.8-34")
returned(8, other(1, -8), "rfc5040-4.8-35")
returned(8, other(2, 8), "rfc5040-4.8-36")
returned(8, other(3, 256), "rfc5040-4.8-37")
returned(8, other(4, -8), "rfc5040-4.8-38")


# --- codes --------------------------------------------------------------------------------------

for triple, wanted in (
        ((3, 0, 0), "rfc5040-4.8-05 rfc5040-4.8-04"),
        ((0, 3, 0), "rfc5040-4.8-06 rfc6580-3.1-01 rfc6580-3.1-08 rfc5040-4.8-07"),
        ((0, 1, 5), "rfc5040-4.8-08 rfc6580-3.1-07 rfc6580-3.1-02"), ((0, 1, 0xFE), "rfc5040-4.8-08"),
        ((0, 2, 4), "rfc5040-4.8-09 rfc6580-3.1-07"),
        ((1, 0, 1), "rfc5040-4.8-10 rfc6580-3.2-08 rfc6580-3.2-02"),
        ((1, 1, 5), "rfc5040-4.8-10 rfc6580-3.2-08"), ((1, 2, 0), "rfc6580-3.2-09 rfc6580-3.2-01"),
        ((1, 4, 0), "rfc6580-3.2-09 rfc6580-3.2-03"),
        ((2, 1, 1), "rfc5040-4.8-11 rfc6580-3.3-01"), ((2, 0, 0), "rfc6580-3.3-02 rfc6580-3.3-05 rfc6580-3.3-06"),
        ((2, 0, 8), "rfc6580-3.3-06 rfc6581-11-04 rfc6581-11-05 rfc6581-11-06")):
    terminate("rdmap.terminate-code", terminate_header(*triple), *wanted.split())


# --- the error, and what it is about -------------------------------------------------------------


def blamed(error, *ids, opcode=gencaps.SEND, payload=bytes(8), begun=conversations.plain, **changes):
    """The Responder's Terminate about a message of the Initiator: Layer, Error Type and Error Code."""

    @sentence("rdmap.terminate-cause", *ids)
    def message():
        conn = begun()
        changed = dict(changes)
        if opcode in (gencaps.WRITE, gencaps.READ_RESPONSE):
            conn.tagged_message(INITIATOR, opcode, 1, changed.pop("to", 0), payload, ddp=changed)
        else:
            conn.untagged_message(INITIATOR, opcode, payload, qn=changed.pop("qn", None), ddp=changed)
        rdma = payload if opcode == gencaps.READ_REQUEST and error[:2] == (0, 1) else b""
        conversations.refuse(conn, *error, rdma=rdma)
        return here(conn)


ATOMIC = gencaps.atomic_request_header(0, 1, 1, 0, 0, 0, 0, 2**64 - 1)
READ = conversations.read_header()

blamed((1, 1, 3), "rfc5041-7.2-06", opcode=gencaps.WRITE)
blamed((1, 1, 4), "rfc5041-7.2-07", opcode=gencaps.WRITE)
blamed((1, 2, 6), "rfc5041-7.2-13")
blamed((0, 2, 6), "rfc5041-7.2-13", "rfc5040-7.2-02", dv=2)
blamed((0, 2, 6), "rfc5041-7.2-07", "rfc5040-7.2-02", opcode=gencaps.WRITE, dv=2)
blamed((1, 2, 6), "rfc5041-7.2-08", qn=9)
blamed((0, 2, 6), "rfc5041-7.2-08", "rfc5040-7.2-02", qn=9)
blamed((1, 1, 0), "rfc5041-5.2-14", opcode=gencaps.WRITE, payload=b"")
blamed((0, 2, 5), "rfc5040-7.2-03", opcode=12)
blamed((0, 2, 5), "rfc5040-7.2-04")
blamed((0, 2, 9), "rfc5040-7.2-04", rv=2)
blamed((0, 2, 6), "rfc5040-7.2-08", opcode=gencaps.READ_REQUEST, payload=READ, dv=2)
blamed((0, 2, 5), "rfc5040-7.2-09", opcode=12, payload=READ, qn=1)
blamed((0, 1, 0), "rfc5040-7.2-10", opcode=gencaps.READ_REQUEST, payload=READ, rv=2)
blamed((0, 1, 0), "rfc5040-5.2.1-17", opcode=gencaps.READ_REQUEST, payload=conversations.read_header(0))
blamed((0, 2, 5), "rfc5040-4.1-21", begun=conversations.rdmac, dv=0, rv=0)
blamed((0, 2, 6), "rfc7306-8.2-02", opcode=gencaps.ATOMIC_REQUEST, payload=ATOMIC, begun=conversations.enhanced, dv=2)
blamed((0, 2, 5), "rfc7306-8.2-03", opcode=12, payload=ATOMIC, qn=1, begun=conversations.enhanced)
blamed((0, 1, 0), "rfc7306-8.2-04", opcode=gencaps.ATOMIC_REQUEST, payload=ATOMIC, begun=conversations.enhanced, rv=2)


def unchecked():
    return conversations.plain({"crc": False}, {"crc": False})


def crc_error():
    """The CRC field of a Send is no CRC, and none is in use."""
    conn = unchecked()
    conn.fpdu(INITIATOR, gencaps.untagged(gencaps.SEND, 0, 1, 0, bytes(8)), crc=0x64636261)
    return conn


terminate("rdmap.terminate-cause", terminate_header(2, 0, 2), "rfc5044-4.1-08", "rfc5044-4.4-06", "rfc5044-4.4-11",
          "rfc5044-7.1.1-12", "rfc5044-7.1.1-17", begun=crc_error)

# --- one, and the last --------------------------------------------------------------------------


@sentence("rdmap.terminate-msn", "rfc5041-4.3-13")
def numbered_from_zero():
    conn = conversations.written()
    conn.untagged_message(RESPONDER, gencaps.TERMINATE, terminate_header(2, 0, 2), msn=0)
    return here(conn)


@sentence("rdmap.terminate-single", "rfc5040-5.4-01", "rfc5040-5.4-12")
def two_of_them():
    conn = conversations.written()
    for code in (2, 5):
        conn.terminate(RESPONDER, 2, 0, code)
    return here(conn)


@sentence("rdmap.terminate-final", "rfc5040-5.4-01", "rfc5040-5.4-12", "rfc5040-7-04")
def goes_on():
    conn = conversations.written()
    conn.terminate(RESPONDER, 2, 0, 2)
    conn.write(RESPONDER, payload=struct.pack("!I", 7))
    return here(conn)
