#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mktraffic: makes pcaps/synthetic/traffic, captures of traffic that is easily misread.

    mktraffic.py write FOLDER       writes <name>.pcap of every case
    mktraffic.py compare FOLDER     makes them again in a temporary folder and compares octet by octet
    mktraffic.py rows FOLDER        prints their rows of MANIFEST.tsv

Findings are said here, from the RFCs; PDU counts of the rows come from refdec.py.  Nothing is asked
of the tool under test.
"""

import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import capfile  # noqa: E402
import made  # noqa: E402
import refdec  # noqa: E402
import gencaps  # noqa: E402
from gencaps import INITIATOR, RESPONDER, Capture, Framer, started, tagged, untagged  # noqa: E402

PORT = 7174
CASES = {}


class Case:
    """A capture: how to make it and what is due of it."""

    def __init__(self, build, notes, options="", findings="", **more):
        self.build, self.notes, self.options = build, notes, options
        self.findings, self.connections = findings, more.get("connections", 1)
        self.exit = more.get("exit", 1 if findings else 0)


def case(name, notes, **due):
    """Registers a function that makes a Capture."""

    def register(build):
        CASES[name] = Case(build, notes, **due)
        return build

    return register


# --- payload that looks like iWARP itself -------------------------------------------------------

TAKEN = "-d tcp.port==%d " % PORT


def inner_fpdus(count):
    """A right stream of FPDUs with CRCs, as a replayed capture may be."""
    framer, out = Framer(), []
    framer.crc = True
    for msn in range(1, count + 1):
        header = gencaps.read_request_header(1, 2, 3, 4, 5)
        out.append(framer.frame(untagged(gencaps.READ_REQUEST, 1, msn, 0, header)))
        out.append(framer.frame(untagged(gencaps.SEND, 0, msn, 0, b"inner")))
        out.append(framer.frame(tagged(gencaps.WRITE, 7, msn * 100, b"w" * (msn % 60))))
    out.append(framer.frame(untagged(gencaps.TERMINATE, 2, 1, 0, bytes(4))))
    return b"".join(out)


def talk(conn, payload, seed=1):
    """Sends and Writes of both sides with `payload` in them, cut into packets anyhow."""
    rng = random.Random(seed)
    at = 0
    for number in range(40):
        role = number and rng.randrange(2)
        part = payload[at:at + rng.choice((3, 30, 300, 900, 2000))]
        at = (at + len(part)) % max(1, len(payload) - 2000)
        if number % 4:
            msn = conn.next_msn(role, 0)
            segments = gencaps.untagged_segments(gencaps.SEND, 0, msn, part, 1000)
        else:
            segments = gencaps.tagged_segments(gencaps.WRITE, 5, number << 20, part, 1000)
        octets = b"".join(conn.frame(role, segment) for segment in segments)
        conn.send(role, octets, cuts=[rng.randrange(1, len(octets)) for _ in range(number % 3)])
    conn.close()


@case("embedded-fpdus", "payload that holds right FPDUs: after a loss one of them may be taken for a boundary",
      options=TAKEN + "--markers off --crc on")
def _embedded_fpdus():
    cap, conn = started(request={"crc": True}, reply={"crc": True}, server=("10.0.0.2", PORT))
    talk(conn, inner_fpdus(100))
    return cap


@case("marker-words", "payload whose words look like the Markers of the FPDU that holds them",
      options=TAKEN + "--markers on --crc on")
def _marker_words():
    both = {"crc": True, "markers": True}
    cap, conn = started(request=both, reply=both, server=("10.0.0.2", PORT))
    talk(conn, b"".join(struct.pack("!HH", 0, 4 * i + 20) for i in range(500)) * 6)
    return cap


@case("two-requests-markers", "both sides send a Request; without the first one Markers look like a frame with a wrong key",
      findings="mpa.fpdu-before-reply@initiator=1,mpa.two-requests@responder=1")
def _two_requests():
    cap = Capture()
    conn = cap.connection(server=("10.0.0.2", PORT))
    conn.open()
    conn.request()
    conn.reply(key=gencaps.REQUEST_KEY, markers=True)
    conn.send_message(INITIATOR, b"m" * 900)
    conn.send_message(RESPONDER, b"abc")
    conn.close()
    return cap


@case("crossing-requests", "both sides send a Request before that of the other one arrives, and close")
def _crossing_requests():
    cap = Capture()
    conn = cap.connection(server=("10.0.0.2", PORT))
    conn.open()
    frame = gencaps.startup_frame(gencaps.REQUEST_KEY, crc=True)
    conn.packet(0, frame, capfile.PSH | capfile.ACK)
    conn.packet(1, frame, capfile.PSH | capfile.ACK)
    conn.next = [at + len(frame) for at in conn.next]
    conn.close()
    return cap


# --- ports used again ---------------------------------------------------------------------------


def twice(end):
    """Two connections of the same ports; the SYNs of the second are not in the capture."""
    cap, conn = started(server=("10.0.0.2", PORT))
    conn.send_message(INITIATOR, b"first")
    end(conn)
    later = cap.connection(server=("10.0.0.2", PORT), isn=(7777777, 999999))
    later.request(markers=True)
    later.reply()
    later.send_message(INITIATOR, b"second")
    later.write(RESPONDER, 1, 2, b"abc")
    later.close()
    return cap


@case("reuse-after-fin", "the same ports again after FIN both ways, without SYNs", connections=2)
def _reuse_after_fin():
    return twice(lambda conn: conn.close())


@case("reuse-after-rst", "the same ports again after a RST, without SYNs", connections=2)
def _reuse_after_rst():
    return twice(lambda conn: conn.reset())


# --- frames cut or in pieces ---------------------------------------------------------------------


@case("request-cut-by-fin", "the Initiator closes inside its Private Data, before it received anything",
      findings="mpa.pd-length-match@initiator=1")
def _request_cut():
    cap = Capture()
    conn = cap.connection(server=("10.0.0.2", PORT))
    conn.open()
    conn.request(private_data=b"abcd", pd_length=20)
    conn.close()
    return cap


@case("terminate-in-two", "a Terminate in two segments is one")
def _terminate_in_two():
    cap, conn = started(server=("10.0.0.2", PORT))
    conn.send_message(INITIATOR, b"hello")
    header = gencaps.terminate_header(2, 0, 2) + bytes(20)
    conn.untagged_message(INITIATOR, gencaps.TERMINATE, header, room=10)
    conn.close()
    return cap


@case("first-marker-reserved", "RESERVED of the first Marker is 1, without CRCs",
      findings="mpa.marker-reserved@initiator=1")
def _first_marker_reserved():
    cap, conn = started(reply={"markers": True}, server=("10.0.0.2", PORT))
    conn.send_message(INITIATOR, b"hello", mpa={"marker": lambda index, at: bytes((0, 1, 0, at))})
    conn.close()
    return cap


# --- a Responder of the RDMA Consortium ----------------------------------------------------------


def rdmac_reply(spoil=None):
    """A Rev 1 Request without M, a Rev 0 Reply: Markers and CRCs both ways, DV and RV 0 (RFC 5044 C.2.5)."""
    cap, conn = started(request={}, reply={"rev": 0, "markers": True, "crc": True}, server=("10.0.0.2", PORT))
    conn.framers[RESPONDER].markers = True
    for number in range(6):
        conn.send_message(INITIATOR, b"i" * 300, ddp={"dv": 0, "rv": 0})
        mpa = {"marker": spoil} if spoil and number == 3 else {}
        conn.send_message(RESPONDER, b"r" * 500, ddp={"dv": 0, "rv": 0}, mpa=mpa)
    conn.close()
    return cap


RDMAC_NOTE = "mpa.rev-rdmac@responder=1"


@case("rdmac-reply", "a Reply of Rev 0 brings Markers and CRCs both ways, though the Request asked for none",
      findings=RDMAC_NOTE, exit=0)
def _rdmac_reply():
    return rdmac_reply()


@case("rdmac-reply-marker", "the same; a Marker of the Responder points to no FPDU",
      findings="mpa.marker-pointer@responder=1," + RDMAC_NOTE, exit=1)
def _rdmac_reply_marker():
    return rdmac_reply(lambda index, at: struct.pack("!HH", 0, at + 8))


# --- no iWARP at all ----------------------------------------------------------------------------


@case("no-iwarp", "a conversation in text; -d alone makes no iWARP of it", options=TAKEN.strip(),
      connections=1, exit=3)
def _no_iwarp():
    cap = Capture()
    conn = cap.connection(server=("10.0.0.2", PORT))
    conn.open()
    conn.send(INITIATOR, b"GET /index.html HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
    conn.send(RESPONDER, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    conn.close()
    return cap


@case("atomic-in-two", "an Atomic Request in two segments")
def _atomic_in_two():
    cap, conn = started(server=("10.0.0.2", PORT))
    conn.send_message(INITIATOR, b"hello")
    conn.atomic_request(INITIATOR, room=40)
    conn.atomic_response(RESPONDER)
    conn.close()
    return cap


# --- files --------------------------------------------------------------------------------------


def write_all(folder):
    """Writes all captures; returns their names."""
    os.makedirs(folder, exist_ok=True)
    for name, case in CASES.items():
        case.build().write(os.path.join(folder, name + ".pcap"))
    return [name + ".pcap" for name in CASES]


def pdus(path, options):
    return refdec.counts(path, refdec.Options([PORT] if options else [], None, None))


def rows(folder):
    """Yields the manifest's row of each capture."""
    for name, case in CASES.items():
        path = os.path.join(folder, name + ".pcap")
        yield "\t".join((
            "synthetic/traffic/%s.pcap" % name, made.digest(path), "synthetic", "BSD-2-Clause", case.options,
            str(case.exit), str(case.connections), pdus(path, case.options), case.findings,
            case.notes))


if __name__ == "__main__":
    sys.exit(made.main(None, "make the captures of traffic easily misread", write_all, rows))
