#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sentences: captures that violate one requirement each, in the words of that requirement.

    sentences.py TOOL COVERAGE

The ledger says of each id that a rule decides it: that rule must fail on the capture, and cite the id.
"""

import csv
import os
import struct
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
import gensctp
import random_check
from gencaps import INITIATOR, RESPONDER, tagged, untagged
from gensctp import ACTIVE, CONTROL, INITIATE, PASSIVE, TERMINATE, Session

CASES = []


def sentence(rule, *ids):
    """Registers a function that makes a capture; `rule` must fail on it, and cite each id."""

    def register(function):
        CASES.append((function, rule, ids))
        return function

    return register


# --- framing and Markers ------------------------------------------------------------------------


@sentence("mpa.framing", "rfc5044-4.1-01")
def no_crc_field():
    conn = conversations.plain()
    octets = conn.frame(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello you"))
    conn.send(INITIATOR, octets[:-4])
    for number in (2, 3):
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, number, 0, b"hello you"))
    return conn


@sentence("mpa.framing", "rfc5044-4.1-02")
def length_of_all_octets():
    """ULPDU_Length counts header and CRC field, too."""
    conn = conversations.plain()
    for number in (1, 2, 3):
        segment = untagged(gencaps.SEND, 0, number, 0, b"hello you.")
        conn.fpdu(INITIATOR, segment, length=len(segment) + 6)
    return conn


@sentence("mpa.marker-period", "rfc5044-4.3-04", "rfc5044-4.3-11")
def markers_stop():
    conn = conversations.markers()
    conn.send_message(INITIATOR, b"hello")
    conn.framers[INITIATOR].markers = False
    for _ in range(3):
        conn.send_message(INITIATOR, bytes(600))
    return conn


@sentence("mpa.crc", "rfc5044-4.4-09")
def crc_stops():
    conn = conversations.plain()
    conn.send_message(INITIATOR, b"hello")
    conn.framers[INITIATOR].crc = False
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("mpa.crc", "rfc5044-4.3-08")
def marker_not_covered():
    """The CRC of the FPDU after a Marker does not cover that."""
    conn = conversations.markers()
    bare = gencaps.Framer()
    bare.crc = True
    segment = untagged(gencaps.SEND, 0, 1, 0, b"hello")
    octets = bare.frame(segment)
    conn.fpdu(INITIATOR, segment, crc=struct.unpack("<I", octets[-4:])[0])
    return conn


@sentence("mpa.framing", "rfc5040-6.1-03")
def other_octets():
    conn = conversations.plain()
    conn.send_message(INITIATOR, b"hello")
    conn.send(INITIATOR, b"QUIT now, please, and do not come again\r\n")
    return conn


# --- RDMAP --------------------------------------------------------------------------------------


@sentence("rdmap.request-answered", "rfc5040-5.2.1-14")
def read_unanswered():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    conn.send_message(RESPONDER, b"hello")
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("rdmap.request-answered", "rfc7306-5.2.1-25")
def atomic_unanswered():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR)
    for role in (RESPONDER, INITIATOR):
        conn.send_message(role, b"hello")
    return conn


@sentence("rdmap.response-order", "rfc5040-5.5-26")
def reads_answered_in_another_order():
    conn = conversations.enhanced()
    for stag in (1, 2):
        conn.read_request(INITIATOR, stag, 0, 8)
    for stag in (2, 1):
        conn.read_response(RESPONDER, stag, 0, bytes(8))
    return conn


@sentence("rdmap.response-order", "rfc7306-5.4-11", "rfc7306-5.2.2-13")
def atomics_answered_in_another_order():
    conn = conversations.enhanced()
    for number in (1, 2):
        conn.atomic_request(INITIATOR, request_id=number)
    for number in (2, 1):
        conn.atomic_response(RESPONDER, request_id=number)
    return conn


@sentence("rdmap.response-order", "rfc7306-7-11")
def atomic_answered_after_the_next_read():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR, data=1)
    conn.read_request(INITIATOR, size=8)
    conn.read_response(RESPONDER, payload=bytes(8))
    conn.atomic_response(RESPONDER)
    return conn


@sentence("ddp.zero-length", "rfc5041-5.2-12")
def nothing_in_two_segments():
    conn = conversations.plain()
    for last in (False, True):
        conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 1, 0, last=last))
    return conn


# --- Terminates ---------------------------------------------------------------------------------


@sentence("rdmap.terminate-cause", "rfc5040-4.8-19")
def protection_error_of_a_write():
    conn = conversations.written()
    conversations.refuse(conn, 0, 1, 0)
    return conn


@sentence("rdmap.terminate-flags", "rfc5040-7.1-06")
def ddp_error_without_header():
    conn = conversations.written()
    conn.terminate(RESPONDER, 1, 1, 0)
    return conn


@sentence("rdmap.terminate-flags", "rfc5040-7.1-08")
def read_error_without_read_header():
    conn = conversations.enhanced()
    conn.untagged_message(INITIATOR, gencaps.READ_REQUEST, conversations.read_header())
    conversations.refuse(conn, 0, 1, 0)
    return conn


@sentence("rdmap.terminate-read-header", "rfc5040-4.8-33")
def read_header_not_moved_on():
    """8 of 16 octets were served: what is left is still 16."""
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, 1, 0x2000, 16, 2, 0x1000)
    conn.read_response(RESPONDER, 1, 0x2000, bytes(8), ddp={"last": False})
    conversations.refuse(conn, 0, 2, 7, gencaps.read_request_header(1, 0x2008, 16, 2, 0x1008))
    return conn


@sentence("rdmap.terminate-reset", "rfc5040-6.2.1-04")
def reset_after_terminate():
    conn = conversations.written()
    conn.terminate(RESPONDER, 2, 0, 2)
    conn.reset(conn.side(RESPONDER))
    return conn


# --- RFC 6581 -----------------------------------------------------------------------------------


@sentence("mpa.rtr-first", "rfc6581-9.2-16")
def goes_on_without_a_match():
    conn = conversations.peer("b", "c")
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("mpa.ird-terminate", "rfc6581-9.1-20")
def other_code_for_ird():
    conn = conversations.enhanced((1, 4, ""), (4, 9, ""))
    conn.terminate(INITIATOR, 2, 0, 2)
    return conn


def words(rule, request, reply, *ids):
    """The same fault of enhanced data over TCP and over SCTP."""

    @sentence(rule, *ids)
    def over_tcp():
        return conversations.enhanced(request, reply)

    @sentence(rule, *ids)
    def over_sctp():
        session = Session(gensctp.opened()).start_enhanced(request, reply)
        session.end()
        return session


words("mpa.ord-limit", (1, 4, ""), (4, 2, ""), "rfc6581-9.1-12")
words("mpa.ird-unspecified", (4, 0x3FFF, ""), (4, 4, ""), "rfc6581-9.1-25")
words("mpa.ord-unspecified", (0x3FFF, 4, ""), (4, 4, ""), "rfc6581-9.1-28")
words("mpa.model-copied", (4, 4, "ab"), (4, 4, ""), "rfc6581-9.2-08")
words("mpa.model-copied", (4, 4, ""), (4, 4, "ab"), "rfc6581-9.2-20")
words("mpa.rtr-supported", (4, 4, "ab"), (4, 4, "a"), "rfc6581-9.2-13")
words("mpa.model-flags", (4, 4, "b"), (4, 4, ""), "rfc6581-9.2-21")


# --- RDMA Consortium ----------------------------------------------------------------------------


@sentence("ddp.version-constant", "rfc5044-C.1-04")
def versions_of_two_directions():
    conn = conversations.rdmac()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    conn.fpdu(RESPONDER, untagged(gencaps.SEND, 0, 1, 0, b"hello"))
    return conn


@sentence("mpa.crc", "rfc5044-7.1.1-14")  # rfc5044-C.1-05
def no_crc_for_a_consortium_peer():
    conn = conversations.rdmac()
    conn.framers[INITIATOR].crc = False
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    return conn


@sentence("mpa.marker-first", "rfc5044-7.1.1-11")  # rfc5044-C.2.5-04
def no_markers_for_a_consortium_peer():
    conn = conversations.rdmac()
    conn.framers[INITIATOR].markers = False
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    return conn


# --- RFC 5043 -----------------------------------------------------------------------------------


@sentence("sctp.ppid", "rfc5043-5.1-02")
def other_protocol_without_a_session():
    session = gensctp.started()
    assoc = session.assoc
    assoc.packet(0, assoc.data(0, 6, 46, b"some other protocol"))
    session.end()
    return session


@sentence("sctp.fragmentation", "rfc5043-9-05")
def fragments_that_fit():
    session = gensctp.started()
    session.segment(ACTIVE, tagged(gencaps.WRITE, 1, 0, bytes(100)), size=60)
    session.end()
    return session


@sentence("sctp.stream-reuse", "rfc5043-6.6-04")
def stream_used_again():
    session = gensctp.started()
    session.control(PASSIVE, TERMINATE)
    again = Session(session.assoc)
    chunks = session.chunks(ACTIVE, CONTROL, struct.pack("!H", TERMINATE))
    session.assoc.packet(0, chunks + again.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE)))
    again.control(PASSIVE, gensctp.ACCEPT)
    again.end()
    return again


def write(made, path):
    """Ends what is made in order, and writes it."""
    if isinstance(made, gencaps.Connection):
        made.close()
        made.cap.write(path)
    else:
        made.assoc.close()
        made.assoc.cap.write(path)


def ledger(path):
    with open(path, encoding="utf-8", newline="") as rows:
        return {row["id"]: row for row in csv.DictReader(rows, delimiter="\t")}


def judge(rule, ids, rows, lines):
    found = [line for line in lines if line["type"] == "finding" and line["rule"] == rule]
    for name in ids:
        if rows[name]["state"] != "rule" or rule not in rows[name]["by"].split():
            yield "the ledger says of %s: %s %s" % (name, rows[name]["state"], rows[name]["by"])
        elif not found:
            yield "%s does not fail: %s" % (rule, sorted({line["rule"] for line in lines if "rule" in line}))
        elif name not in found[0]["requirements"]:
            yield "%s does not cite %s" % (rule, name)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows, bad = ledger(sys.argv[2]), 0
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (make, _, _) in enumerate(CASES):
            paths.append(os.path.join(folder, "%02d-%s.pcap" % (number, make.__name__)))
            write(make(), paths[-1])
        found, problem = random_check.run_tool(os.path.abspath(sys.argv[1]), paths)
        for path, (_, rule, ids) in zip(paths, CASES):
            for text in judge(rule, ids, rows, found[os.path.basename(path)]):
                print("%s: %s" % (os.path.basename(path), text))
                bad += 1
    print("%d captures, %d complaints" % (len(CASES), bad))
    return 1 if bad or problem else 0


if __name__ == "__main__":
    sys.exit(main())
