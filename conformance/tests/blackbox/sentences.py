#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sentences: captures that violate one requirement each, in the words of that requirement.

    sentences.py TOOL COVERAGE FINDINGS     IWARP_UPDATE_GOLDEN=1 writes the findings into the file.

The ledger says of each id that a rule decides it: that rule must fail on the capture, in the frame that
completes the fault, and cite the id; and no id is without a capture.  FINDINGS has what else is found.
"""

import csv
import difflib
import os
import struct
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
import gensctp
import random_check
import sentences_ddp  # noqa: F401
import sentences_duties  # noqa: F401
import sentences_edges  # noqa: F401
import sentences_mpa  # noqa: F401
import sentences_rdmap  # noqa: F401
import sentences_sctp  # noqa: F401
import sentences_terminate  # noqa: F401
from cited import CASES, EDGES, packets, sentence  # noqa: F401
from gencaps import INITIATOR, RESPONDER, tagged, untagged
from gensctp import ACTIVE, CONTROL, INITIATE, PASSIVE, TERMINATE, Session

# --- framing and Markers ------------------------------------------------------------------------


@sentence("mpa.framing", "rfc5044-4.1-01", "rfc5044-A.1-04")
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


@sentence("mpa.framing", "rfc5040-6.1-03", "rfc5040-3.1-01")
def other_octets():
    conn = conversations.plain()
    conn.send_message(INITIATOR, b"hello")
    conn.send(INITIATOR, b"QUIT now, please, and do not come again\r\n")
    return conn


# --- RDMAP --------------------------------------------------------------------------------------


@sentence("rdmap.request-answered", "rfc5040-5.2.1-14", "rfc5040-5.2.1-04")
def read_unanswered():
    conn = conversations.enhanced()
    conn.read_request(INITIATOR, size=8)
    conn.send_message(RESPONDER, b"hello")
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("rdmap.request-answered", "rfc7306-5.2.1-25", "rfc7306-5.2.1-18")
def atomic_unanswered():
    conn = conversations.enhanced()
    conn.atomic_request(INITIATOR)
    for role in (RESPONDER, INITIATOR):
        conn.send_message(role, b"hello")
    return conn


@sentence("rdmap.response-order", "rfc5040-5.5-26", "rfc5040-5.2.2-08")
def reads_answered_in_another_order():
    conn = conversations.enhanced()
    for stag in (1, 2):
        conn.read_request(INITIATOR, stag, 0, 8)
    for stag in (2, 1):
        conn.read_response(RESPONDER, stag, 0, bytes(8))
    return conn


@sentence("rdmap.response-order", "rfc5040-5.5-26", "rfc5040-5.2.1-10")
def reads_of_one_sink_answered_in_another_order():
    """The sizes tell the Responses apart."""
    conn = conversations.enhanced()
    for size in (8, 20):
        conn.read_request(INITIATOR, 1, 0, size)
    for size in (20, 8):
        conn.read_response(RESPONDER, 1, 0, bytes(size))
    return conn


@sentence("rdmap.response-order", "rfc5040-5.5-26", "rfc5040-5.2.1-10")
def read_passed_over():
    """The first Request is never answered, those after it are."""
    conn = conversations.enhanced()
    for stag in (1, 2, 3):
        conn.read_request(INITIATOR, stag, 0, 8)
    for stag in (2, 3):
        conn.read_response(RESPONDER, stag, 0, bytes(8))
    for role in (RESPONDER, INITIATOR):
        conn.send_message(role, b"hello")
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


@sentence("rdmap.terminate-final", "rfc6581-9.2-16")
def goes_on_after_saying_that_nothing_matches():
    conn = conversations.peer("b", "c")
    conn.terminate(INITIATOR, 2, 0, 7)
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("mpa.framing", "rfc6581-4.2-01")
def padding_left_out_after_an_enhanced_startup():
    conn = conversations.enhanced()
    for number in (1, 2, 3):
        octets = conn.frame(INITIATOR, untagged(gencaps.SEND, 0, number, 0, b"hello"))
        conn.send(INITIATOR, octets[:25] + octets[26:])
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
words("mpa.model-copied", (4, 4, "ab"), (4, 4, ""), "rfc6581-9.2-08", "rfc6581-9.3-02")
words("mpa.model-copied", (4, 4, ""), (4, 4, "ab"), "rfc6581-9.2-20", "rfc6581-9.3-02")
words("mpa.rtr-supported", (4, 4, "ab"), (4, 4, "a"), "rfc6581-9.2-13")
words("mpa.model-flags", (4, 4, "b"), (4, 4, ""), "rfc6581-9.2-21")


# --- RDMA Consortium ----------------------------------------------------------------------------


@sentence("ddp.version-constant", "rfc5044-C.1-04")
def versions_of_two_directions():
    conn = conversations.rdmac()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    conn.fpdu(RESPONDER, untagged(gencaps.SEND, 0, 1, 0, b"hello"))
    return conn


@sentence("mpa.crc", "rfc5044-7.1.1-14", "rfc5044-C.1-05")
def no_crc_for_a_consortium_peer():
    conn = conversations.rdmac()
    conn.framers[INITIATOR].crc = False
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    return conn


def permissive(**missing):
    """An Initiator that asked for Rev 1, without Markers and CRC; the Reply has Rev 0."""
    conn = conversations.plain({"crc": False}, {"rev": 0, "markers": True})
    vars(conn.framers[INITIATOR]).update(missing)
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"hello", dv=0, rv=0))
    return conn


@sentence("mpa.marker-first", "rfc5044-7.1.1-11", "rfc5044-C.2.5-04")
def no_markers_for_a_consortium_peer():
    return permissive(markers=False)


@sentence("mpa.crc", "rfc5044-C.2.5-04")
def no_crc_for_a_consortium_peer_of_rev_1():
    return permissive(crc=False)


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


@sentence("sctp.terminate-burst", "rfc5043-11.3-02")
def terminates_before_the_end():
    """The same Terminate on each of two streams, and the end of the association."""
    first = gensctp.started()
    second = Session(first.assoc, 3).start()
    for session in (first, second):
        session.segment(ACTIVE, untagged(gencaps.TERMINATE, 2, 1, 0, bytes(4)))
    second.aborted = True
    return second


def write(made, path):
    """Ends what is made, in order unless it says otherwise, and writes it."""
    if isinstance(made, gencaps.Connection):
        made.close()
        made.cap.write(path)
    else:
        (made.assoc.abort if getattr(made, "aborted", False) else made.assoc.close)()
        made.assoc.cap.write(path)


def ledger(path):
    with open(path, encoding="utf-8", newline="") as rows:
        return {row["id"]: row for row in csv.DictReader(rows, delimiter="\t")}


def judge(rule, ids, due, rows, lines):
    found = [line for line in lines if line["type"] == "finding" and line["rule"] == rule]
    for name in ids:
        if rows[name]["state"] != "rule" or rule not in rows[name]["by"].split():
            yield "the ledger says of %s: %s %s" % (name, rows[name]["state"], rows[name]["by"])
        elif not found:
            yield "%s does not fail: %s" % (rule, sorted({line["rule"] for line in lines if "rule" in line}))
        elif name not in found[0]["requirements"]:
            yield "%s does not cite %s" % (rule, name)
        elif due not in (None, *(line["frame"] for line in found)):
            yield "%s fails in frame %d, due %d" % (rule, found[0]["frame"], due)


def without(rows):
    """Requirements that a rule decides, and no capture violates."""
    violated = {name for _, _, ids in CASES for name in ids}
    return sorted(name for name, row in rows.items() if row["state"] == "rule" and name not in violated)


def described(title, lines):
    """The findings of a capture as the file of findings has them."""
    yield title
    for line in lines:
        if line["type"] == "finding":
            yield "  %s %s frame %d seq %s octets %s/%s: expected %s, observed %s" % (
                line["rule"], line["dir"], line["frame"], line.get("seq"), line.get("octet_seq"), line.get("octet_length"),
                line.get("expected"), line.get("observed"))
        elif line["type"] == "connection":
            counts = "  %(pass)d pass, %(fail)d fail, %(inconclusive)d inconclusive" % line["rules"]
            yield " ".join([counts, *line["inconclusive"]])


def judge_edge(rules, lines):
    named = {line["rule"] for line in lines if line["type"] == "finding"}
    if named != set(rules):
        yield "%s speak, due %s" % (sorted(named), sorted(rules))


def compared(path, texts):
    """Where the findings differ from the file; or writes the file."""
    if os.environ.get("IWARP_UPDATE_GOLDEN") == "1":
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(text + "\n" for text in texts)
    with open(path, encoding="utf-8") as golden:
        return list(difflib.unified_diff(golden.read().splitlines(), texts, path, "now", lineterm="", n=1))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    rows = ledger(sys.argv[2])
    complaints = ["no capture violates %s" % name for name in without(rows)]
    texts = []
    with tempfile.TemporaryDirectory() as folder:
        made = [(make(), make.__name__) for make, *_ in CASES + EDGES]
        paths = [os.path.join(folder, "%03d-%s.pcap" % (number, name)) for number, (_, name) in enumerate(made)]
        for (capture, _), path in zip(made, paths):
            write(capture, path)
        found, problem = random_check.run_tool(os.path.abspath(sys.argv[1]), paths)
        complaints += [problem] if problem else []
        for path, (capture, name), case in zip(paths, made, CASES + EDGES):
            lines = found[os.path.basename(path)]
            due = getattr(capture, "due_frame", None)
            wrong = judge(*case[1:], due, rows, lines) if len(case) == 3 else judge_edge(case[1], lines)
            complaints += ["%s: %s" % (os.path.basename(path), text) for text in wrong]
            title = "%s of %s" % (case[1], " ".join(case[2])) if len(case) == 3 else " ".join(case[1])
            texts += described(("%s: %s" % (name, title)).rstrip(), lines)
    complaints += compared(sys.argv[3], texts)
    print("\n".join(complaints + ["%d captures, %d complaints" % (len(paths), len(complaints))]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
