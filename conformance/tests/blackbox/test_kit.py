#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""test_kit: tests of the black-box kit itself: decoder, generator, variants and judges. test_kit.py MADE, a folder of dumped.py.

The decoder is compared with the RFCs' own hex, with the generator's octets, and with the counts of pcaps/MANIFEST.tsv.
"""

import argparse
import io
import itertools
import json
import os
import random
import sys
import tempfile
import unittest
from collections import Counter
from contextlib import redirect_stdout
from unittest import mock

import kit  # isort: skip
import capfile
import check_variants
import compare
import crc32c
import dumped
import gencaps
import gensctp
import hostile
import refdec
import refsctp
import variants
from gencaps import Capture, INITIATOR, RESPONDER, started

HERE = os.path.dirname(os.path.abspath(__file__))
MADE = None  # a folder of captures that dumped.py wrote
PCAPS = os.path.normpath(os.path.join(HERE, "..", "..", "..", "pcaps"))

# Stands for the tool: answers `dump` by refdec and `check` by one rule, with a fault on demand.
STAND_IN = '''
import json, os, signal, sys
sys.path.insert(0, sys.argv.pop(1))
import capfile, refdec
fault, words = sys.argv[1], sys.argv[2:]
files = [w for w in words[1:] if not w.startswith("-") and w != "jsonl" and "==" not in w]
ports = [int(w.split("==")[1]) for w in words if w.startswith("tcp.port==")]
status, found, failed = 0, False, False
for path in files:
    try:
        directions, error = refdec.dump(path, refdec.Options(ports))
    except (capfile.CaptureError, OSError) as problem:
        directions, error = [], str(problem)
    for line in refdec.merged(directions):
        found = True
        line = {k: v for k, v in line.items() if not k.startswith("_")}
        if fault == "field" and "ddp" in line:
            line["ddp"]["length"] += 1
        if fault == "lose" and line["pdu"] == "gap":
            continue
        if words[0] == "dump":
            print(json.dumps(line) if "jsonl" in words else line["pdu"])
        elif line.get("crc") == "bad" or "error" in line or fault == "gaps" and (
                line["pdu"] == "gap"):
            failed = True
            line.update(type="finding", rule="r", severity="violation")
            if fault == "frames":
                line["seq"] = line["frame"]
            print(json.dumps(line))
    if error:
        status = 2
        if fault != "silent":
            print("%s: %s" % (path, error), file=sys.stderr)
        if fault == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
if fault == "text":
    print("this is no JSON")
if fault == "status":
    status = 70
if words[0] == "check" and not status:
    status = 1 if failed else 0 if found else 3
sys.exit(status)
'''


def decoded(items, options=None):
    """What refdec says of packets that are one capture."""
    packets = [capfile.Packet(i + 1, item.time, item.data, item.wire_len, item.link) for i, item in enumerate(items)]
    return refdec.decode_packets(packets, options)


def fpdus(capture, options=None, number=0):
    """Decodes a Capture in memory; returns the lines of (initiator, responder) of a connection."""
    return [direction.lines for direction in decoded(capture.items, options)[number].directions]


def one(ulpdu, **framing):
    """The line of one ULPDU sent by the initiator with CRC on."""
    cap, conn = started(request={"crc": True})
    conn.fpdu(INITIATOR, ulpdu, **framing)
    return fpdus(cap)[0][1]


def raw_stream(*parts, markers=False):
    """A started connection whose initiator sends the given FPDU octets as they are."""
    cap, conn = started(request={"crc": True}, reply={"markers": markers})
    conn.send(INITIATOR, bytes.fromhex("".join(parts)))
    return fpdus(cap)[0][1:]


class Crc(unittest.TestCase):
    VECTORS = ((b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43),
               (bytes(range(32)), 0x46DD794E), (bytes(range(31, -1, -1)), 0x113FDB5C))

    def test_vectors(self):
        for data, value in self.VECTORS:
            self.assertEqual(crc32c.crc32c(data), value)

    def test_prefix_sums(self):
        data = bytes(i * 7 & 255 for i in range(3000))
        prefix = crc32c.Prefix(data)
        for start, end in ((0, 1), (0, 3000), (5, 2999), (700, 700), (2047, 2049)):
            self.assertEqual(prefix.crc(start, end), crc32c.crc32c(data[start:end]))


class Framing(unittest.TestCase):
    """RFC 5044: the hex of the RFC and of the worked examples."""

    FIG5 = "00000000002a41430000000000000000000000010000000" + "0" + "00" * 24 + "52239983"

    def test_first_fpdu_with_marker(self):
        (line,) = raw_stream(self.FIG5, markers=True)
        self.assertEqual((line["ulpdu_length"], line["crc"], line["crc_value"]),
                         (42, "good", "0x83992352"))
        self.assertEqual((line["marker_count"], line["offset"]), (1, 4))
        self.assertEqual(line["ddp"], {"tagged": False, "last": True, "dv": 1, "length": 24,
                                       "qn": 0, "msn": 1, "mo": 0})
        self.assertEqual(line["rdmap"], {"rv": 1, "opcode": 3, "name": "send"})

    def test_second_fpdu_with_marker_inside(self):
        cap, conn = started(request={"crc": True}, reply={"markers": True})
        conn.fpdu(INITIATOR, gencaps.untagged(3, 0, 1, 0, bytes(482 - 18)))
        second = conn.frame(INITIATOR, gencaps.untagged(3, 0, 2, 0, bytes(24)))
        conn.send(INITIATOR, second)
        self.assertEqual(second.hex(), "002a4143000000000000000000000002000000000000001"
                         + "4" + "00" * 24 + "84925898")
        line = fpdus(cap)[0][2]
        self.assertEqual((line["offset"], line["marker_count"], line["crc_value"], line["crc"]),
                         (492, 1, "0x98589284", "good"))

    def test_marker_between_pad_and_crc(self):
        for start, ulpdu, wire in ((508, "aabb", "0002aabb000000043fdfbece"),
                                   (504, "aabbcc", "0003aabbcc00000000000008adcc4a79"),
                                   (508, "112233445566", "000611220000000433445566f6421528"),
                                   (504, "aabb", "0002aabb952a8d12"),
                                   (512, "aabb", "000000000002aabbd8d3c2d6"),
                                   (500, "aabbccddee", "0005aabbccddee00a0f30bd0"),
                                   (500, "000102030405060708090a0b0c0d0e0f", "00100001020304050607"
                                    "08090000000c0a0b0c0d0e0f0000105b1c88")):
            cap, conn = started(request={"crc": True}, reply={"markers": True})
            # 4 + 6 + L + pad + inner markers octets bring the stream to `start`
            length = start - 10 if start <= 512 else start - 14
            conn.fpdu(INITIATOR, b"\xc1\x40" + bytes(length - 2))
            frame = conn.frame(INITIATOR, bytes.fromhex(ulpdu))
            conn.send(INITIATOR, frame)
            self.assertEqual(frame.hex(), wire)
            line = fpdus(cap)[0][2]
            self.assertEqual((line["crc"], line["ulpdu_length"]), ("good", len(ulpdu) // 2))
            self.assertEqual(line["marker_count"], (len(wire) // 2 - 6 - line["ulpdu_length"]
                                                    - line["pad"]) // 4)

    def test_small_fpdus(self):
        for wire in ("00000000c74b6748", "00015a006a1da597", "00025a5af22f4c47",
                     "00035a5a5a000000d2657847", "00045a5a5a5a0000c044649a",
                     "00055a5a5a5a5a00dbace488", "00065a5a5a5a5a5a682b260a"):
            (line,) = raw_stream(wire)
            self.assertEqual(line["crc"], "good")
            self.assertEqual(line["pad"], len(wire) // 2 - 6 - line["ulpdu_length"])
            self.assertIn("error", line)

    def test_crc_in_wrong_order(self):
        (line,) = raw_stream(self.FIG5[:-8], "83992352", markers=True)
        self.assertEqual((line["crc"], line["crc_value"]), ("bad", "0x52239983"))

    def test_several_markers(self):
        _, conn = started(request={"crc": True}, reply={"markers": True})
        sizes = [len(conn.frame(INITIATOR, b"\xc1\x40" + bytes(1440))) for _ in range(3)]
        self.assertEqual(sizes, [1460, 1460, 1460])
        self.assertEqual(conn.sent[0][2][2][152:156], bytes.fromhex("00000098"))
        framer = gencaps.Framer()
        framer.markers = True
        self.assertEqual(len(framer.frame(bytes(64768))), 65288)


class Rdmap(unittest.TestCase):
    """RFC 5040 and 7306: worked examples."""

    def test_write(self):
        line = one(bytes.fromhex("C140001122330000000000001000DEADBEEF"))
        self.assertEqual(line["ddp"], {"tagged": True, "last": True, "dv": 1, "length": 4,
                                       "stag": "0x00112233", "to": "0x0000000000001000"})
        self.assertEqual(line["rdmap"]["name"], "write")

    def test_rtr_messages(self):
        for wire, name in (("000EC1400000000100000000" + "00000000EBD34C5F", "write"),
                           ("002E41410000000000000001000000010000000000000001" + "00" * 12
                            + "00000001" + "00" * 8 + "27DBD7E7", "read-request"),
                           ("000EC142000000010000000000000000" + "21A3E83E", "read-response"),
                           ("0012414300000000000000000000000100000000587BE8C4", "send")):
            (line,) = raw_stream(wire)
            self.assertEqual((line["crc"], line["rdmap"]["name"]), ("good", name))

    def test_read_request(self):
        line = one(bytes.fromhex("41410000000000000001000000010000" + "0000" + "0A0B0C0D"
                                 "0000000000002000" "00001000" "11223344" "0000000100000000"))
        self.assertEqual(line["read_request"], {
            "sink_stag": "0x0a0b0c0d", "sink_to": "0x0000000000002000", "size": 4096,
            "source_stag": "0x11223344", "source_to": "0x0000000100000000"})

    def test_invalidate(self):
        line = one(bytes.fromhex("414411223344000000000000000300000000" "68656C6C6F"))
        self.assertEqual(line["invalidate_stag"], "0x11223344")
        self.assertEqual(line["ddp"]["msn"], 3)
        self.assertNotIn("invalidate_stag", one(bytes.fromhex("4143112233440000000000000003"
                                                              "00000000")))

    def test_terminates(self):
        start = "414700000000000000020000000100000000"
        inner = "414100000000000000010000000100000000"
        rdma = "0A0B0C0D00000000000020000000100011223344" + "0000000100000000"
        line = one(bytes.fromhex(start + "0100E000002E" + inner + rdma))
        self.assertEqual(line["terminate"], {
            "layer": 0, "etype": 1, "code": 0, "m": True, "d": True, "r": True,
            "ddp_segment_length": 46, "ddp_header": inner, "rdma_header": rdma.lower()})
        line = one(bytes.fromhex(start + "0206C0000012C14C001122330000000000001000"))
        self.assertEqual(line["terminate"]["ddp_header"], "c14c001122330000000000001000")
        line = one(bytes.fromhex(start + "20020000"))
        self.assertEqual(line["terminate"], {"layer": 2, "etype": 0, "code": 2, "m": False,
                                             "d": False, "r": False})
        self.assertIn("error", one(bytes.fromhex(start + "0206C0000012C14C")))
        self.assertNotIn("terminate", one(bytes.fromhex(start + "0206")))

    def test_atomics_and_immediate(self):
        (line,) = raw_stream("0046414A00000000000000010000000200000000" "0000000200000012"
                             "12345678000000001000200800000000000000AA00000000000000FF"
                             "000000000000000F00000000000000FFAB0673BC")
        self.assertEqual(line["crc"], "good")
        self.assertEqual(line["atomic_request"], {
            "opcode": 2, "request_id": 18, "stag": "0x12345678", "to": "0x0000000010002008",
            "add_swap_data": "0x00000000000000aa", "add_swap_mask": "0x00000000000000ff",
            "compare_data": "0x000000000000000f", "compare_mask": "0x00000000000000ff"})
        (line,) = raw_stream("001E414B00000000000000030000000100000000"
                             "00000011000000000000000A1E1D179D")
        self.assertEqual((line["crc"], line["atomic_response"]),
                         ("good", {"request_id": 17, "original": "0x000000000000000a"}))
        (line,) = raw_stream("001A41490000000000000000000000030000000001020304050607085179B84A")
        self.assertEqual((line["crc"], line["immediate"]), ("good", "0102030405060708"))

    def test_short_headers(self):
        for ulpdu in (b"", b"\x41", b"\x41\x43" + bytes(15), b"\xc1\x40" + bytes(11)):
            line = one(ulpdu)
            self.assertIn("error", line)
            self.assertNotIn("ddp", line)
        line = one(gencaps.untagged(1, 1, 1, 0, bytes(27)))
        self.assertIn("error", line)
        self.assertIn("ddp", line)
        self.assertNotIn("read_request", line)


class Startup(unittest.TestCase):
    def test_worked_startup(self):
        """RFC 5044 digest example: markers and CRC asymmetric."""
        self.assertEqual(gencaps.startup_frame(gencaps.REQUEST_KEY, markers=True, crc=True,
                                               private_data=b"ABCD").hex(),
                         "4d504120494420526571204672616d65c001000441424344")
        cap, conn = started(request={"markers": True, "crc": True, "private_data": b"ABCD"},
                            reply={"crc": True})
        for role in (INITIATOR, RESPONDER):
            conn.send_message(role, bytes(24))
        first, second = fpdus(cap)
        self.assertEqual(first[0]["private_data"], "41424344")
        self.assertEqual((first[0]["markers"], second[0]["markers"]), (True, False))
        self.assertEqual((first[1]["marker_count"], second[1]["marker_count"]), (0, 1))
        self.assertEqual((first[1]["crc_value"], second[1]["crc_value"]),
                         ("0xc33e24b7", "0x83992352"))
        self.assertEqual((first[1]["_pos"] + 1001, second[1]["_pos"] + 5001), (1025, 5025))

    def test_enhanced_word(self):
        for word, fields in (("8008C004", (8, 4, True, False, True, True)),
                             ("80044008", (4, 8, True, False, False, True)),
                             ("C0010000", (1, 0, True, True, False, False)),
                             ("3FFF3FFF", (16383, 16383, False, False, False, False)),
                             ("FFFFFFFF", (16383, 16383, True, True, True, True))):
            cap, _ = started(request={"rev": 2, "s_flag": True,
                                      "private_data": bytes.fromhex(word) + b"x"})
            line = fpdus(cap)[0][0]
            self.assertEqual(tuple(line[k] for k in ("ird", "ord", "a", "b", "c", "d")), fields)
            self.assertEqual(line["private_data"], "78")

    def test_s_flag_without_rev_2(self):
        cap, _ = started(request={"rev": 1, "s_flag": True, "private_data": b"abcd"})
        line = fpdus(cap)[0][0]
        self.assertEqual((line["enhanced"], line["private_data"]), (True, "61626364"))
        self.assertNotIn("ird", line)

    def test_roles_follow_the_request(self):
        cap, _ = started(initiator=1)
        packets = [capfile.Packet(i + 1, 0, p.data, p.wire_len, p.link)
                   for i, p in enumerate(cap.items)]
        (iwarp,) = refdec.decode_packets(packets)
        self.assertEqual(iwarp.sides[0].src[1], 7174)


def made_capture(name):
    """A capture that dumped.py made."""
    capture = capfile.read_capture(os.path.join(MADE, name + ".pcap"))
    cap = Capture(link=capture.link)
    cap.items = capture.packets
    return cap


def kinds(lines):
    return [(line["pdu"], line.get("reason")) for line in lines]


class Streams(unittest.TestCase):
    """What is fixed for startup frames gone wrong, holes and starts in mid-stream."""

    def lines(self, name, role):
        return fpdus(made_capture(name))[role]

    def test_wrong_keys(self):
        line = self.lines("reply-wrong-key", 1)[0]
        self.assertEqual((line["pdu"], line["key"]), ("mpa-reply", b"MPA ID Rep Frama".hex()))
        line = self.lines("request-wrong-key", 0)[0]
        self.assertEqual((line["pdu"], line["key"]), ("mpa-request", b"MPA id Req Frame".hex()))
        self.assertEqual([d[0]["pdu"] for d in fpdus(made_capture("two-requests"))],
                         ["mpa-request", "mpa-request"])
        self.assertEqual(kinds(self.lines("reply-key-first", 1)), [("mpa-reply", None)])

    def test_cut_frames(self):
        numbers = {iwarp.sides[0].src[1]: number for number, iwarp in enumerate(decoded(made_capture("cut-requests").items))}
        lines = fpdus(made_capture("cut-requests"), number=numbers[40002])[0]  # 19 octets
        self.assertEqual(kinds(lines), [("undecodable", "unfinished")])
        line = fpdus(made_capture("cut-replies"), number=5)[1][0]  # 24 octets
        self.assertEqual((line["pdu"], line["private_data"]), ("mpa-reply", ""))
        self.assertIn("error", line)

    def test_reject(self):
        first, second = fpdus(made_capture("reject"))
        self.assertEqual(kinds(first), [("mpa-request", None), ("undecodable", "after reject")])
        self.assertEqual(kinds(second), [("mpa-reply", None), ("undecodable", "after reject")])

    def test_reject_after_an_early_fpdu(self):
        first, _ = fpdus(made_capture("reject-early-fpdu"))
        self.assertEqual(kinds(first), [("mpa-request", None), ("fpdu", None),
                                        ("undecodable", "after reject")])
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.request()
        half = conn.frame(INITIATOR, gencaps.untagged(3, 0, 1, 0, bytes(100)))
        conn.send(INITIATOR, half[:50])
        conn.reply(reject=True)
        conn.send(INITIATOR, half[50:])
        self.assertEqual(kinds(fpdus(cap)[0])[1:], [("undecodable", "after reject")])

    def test_beginning_shown_by_the_peer(self):
        """Without the SYN, the SYN/ACK still says where the stream begins."""
        cap = made_capture("request-wrong-key")
        cap.drop(cap.items[:1])
        self.assertEqual([line["pdu"] for line in fpdus(cap)[0]], ["mpa-request", "fpdu"])
        cap.drop(cap.items[:1])
        self.assertEqual([line["pdu"] for line in fpdus(cap)[0]], ["fpdu"])

    def test_tail_shown_by_the_peer(self):
        lines = self.lines("tail-lost", 0)[2:]
        self.assertEqual([(line["pdu"], line.get("length")) for line in lines],
                         [("fpdu", None), ("gap", 1024)])
        self.assertTrue(lines[1]["_optional"])
        cap, conn = started()
        conn.send_message(INITIATOR, b"x")
        conn.packet(1, ack=conn.next[0] + 1)  # the FIN, which was not captured
        self.assertEqual([line["pdu"] for line in fpdus(cap)[0]], ["mpa-request", "fpdu"])

    def test_unsettled_markers(self):
        """The first FPDU after a hole may be proven by its CRC, too."""
        lines = self.lines("lost-request-first-iMC-rMC", 1)[1:3]
        self.assertEqual([(line["pdu"], line["_pos"], line.get("crc")) for line in lines],
                         [("gap", 20, None), ("fpdu", 48, "good")])

    def test_implausible_octets(self):
        self.assertEqual(kinds(self.lines("no-reply-junk", 0))[1:],
                         [("undecodable", "not an FPDU")])
        self.assertEqual(kinds(self.lines("responder-first-junk", 1))[1:],
                         [("undecodable", "not an FPDU"), ("fpdu", None)])
        self.assertEqual([line["pdu"] for line in self.lines("responder-first", 1)],
                         ["mpa-reply", "fpdu", "fpdu"])

    def test_markers_and_crc_inferred(self):
        for markers in (0, 1):
            for crc in (0, 1):
                lines = self.lines("no-reply-m%d-c%d" % (markers, crc), 0)[1:]
                self.assertEqual([line["crc"] for line in lines],
                                 ["good" if crc else "unchecked"] * 4)
                self.assertEqual(lines[0]["marker_count"], markers)

    def test_hole_inside_an_fpdu(self):
        cap, conn = started(request={"crc": True})
        frame = conn.frame(INITIATOR, gencaps.untagged(3, 0, 1, 0, bytes(900)))
        conn.send(INITIATOR, frame[:300])
        conn.send(INITIATOR, frame[300:600], lose=True)
        conn.send(INITIATOR, frame[600:])
        conn.send_message(INITIATOR, b"next", msn=2)
        lines = fpdus(cap)[0][1:]
        self.assertEqual([line["pdu"] for line in lines], ["fpdu", "gap", "fpdu"])
        self.assertEqual((lines[0]["crc"], lines[1]["length"], lines[2]["crc"]),
                         ("unchecked", 300, "good"))
        self.assertIn("crc_value", lines[0])

    def test_broken_length(self):
        for name in ("broken-length-60", "broken-length-60-markers"):
            lines = self.lines(name, 0)
            crcs = Counter(line.get("crc") for line in lines if line["pdu"] == "fpdu")
            self.assertEqual(crcs, Counter(good=11, bad=1))

    def test_lost_lead_marker(self):
        lines = self.lines("lost-lead-marker", 0)[1:]
        self.assertEqual([(line["pdu"], line.get("crc"), line.get("marker_count"))
                          for line in lines], [("fpdu", "good", 1), ("gap", None, None),
                                               ("fpdu", "unchecked", 2), ("fpdu", "good", 0)])
        self.assertEqual(lines[2]["offset"], 516)

    def test_junk_after_the_first_fpdu(self):
        """Octets that follow the initiator's first FPDU are FPDUs, plausible or not."""
        cap, conn = started()
        early = conn.next[0]
        conn.send_message(INITIATOR, b"first", ack=False)
        conn.packet(1, b"\0\x02junk" + bytes(4), ack=early)
        self.assertEqual([line["pdu"] for line in fpdus(cap)[1]],
                         ["mpa-reply", "fpdu", "undecodable"])

    def test_far_noise(self):
        """A corrupted sequence number does not make a gap of gigabytes."""
        cap, conn = started()
        conn.send_message(INITIATOR, b"x")
        conn.packet(0, b"noise", capfile.ACK, seq=conn.next[0] + 2**30, check="bad")
        conn.send_message(INITIATOR, b"y")
        self.assertEqual([line["pdu"] for line in fpdus(cap)[0]], ["mpa-request", "fpdu", "fpdu"])

    def test_bad_copy_gives_way(self):
        lines = self.lines("overlaps", 0)[1:]
        self.assertEqual([line["crc"] for line in lines], ["good"] * 12)

    def test_midstream_needs_the_port(self):
        cap = made_capture("busy-packed-iMC-rMC-given")
        self.assertEqual(decoded(cap.items), [])
        lines = fpdus(cap, refdec.Options([7174]))[1]
        self.assertEqual(Counter(line.get("crc") for line in lines if line["pdu"] == "fpdu"),
                         Counter(good=sum(line["pdu"] == "fpdu" for line in lines)))
        self.assertTrue(all("offset" not in line for line in lines))


def random_conversation(rng):
    """Messages by the dice, in segments that are cut anywhere."""
    request, reply = ({"markers": rng.random() < 0.5, "crc": rng.random() < 0.5, "rev": rng.randrange(3)} for _ in (0, 1))
    cap, conn = started(request=request, reply=reply, initiator=rng.randrange(2), isn=(rng.getrandbits(32), rng.getrandbits(32)))
    conn.send_message(INITIATOR, b"go")
    for burst in range(12):
        role, ulpdus = rng.randrange(2), []
        for _ in range(rng.randrange(1, 9)):
            opcode, payload = rng.randrange(12), rng.randbytes(rng.choice((0, 1, 2, 3, 8, 28, 52, 400, 1400)))
            if opcode in (0, 2):
                ulpdus.append(gencaps.tagged(opcode, rng.getrandbits(32), rng.getrandbits(64), payload, last=rng.random() < 0.6))
            else:
                ulpdus.append(gencaps.untagged(opcode, gencaps.QUEUE.get(opcode, 0), burst + 1, 0, payload))
        octets = b"".join(conn.frame(role, ulpdu) for ulpdu in ulpdus)
        conn.send(role, octets, [rng.randrange(len(octets)) for _ in range(rng.randrange(6))], ack=rng.random() < 0.8)
    return cap


def messages_said(text):
    """How many messages a page has that says nothing else after the startup but them, whole; or None."""
    said = 0
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if {"lost", "R", "ulpdu_length", "marker", "octets"} & {word.partition("=")[0] for word in words}:
            return None
        if words and words[0] in ("i>", "r>") and words[1] not in ("mpa-request", "mpa-reply", "fin", "rst"):
            said += int(dict(word.split("=") for word in words[2:] if "=" in word).get("times", 1))
    return said


class Truth(unittest.TestCase):
    """What refdec finds is what the generator put there, and nothing else."""

    def check(self, name, capture):
        truth = {}
        for conn in capture.connections:
            for role in (INITIATOR, RESPONDER):
                side = conn.side(role)
                for seq, ulpdu, octets in conn.sent[role]:
                    truth[conn.ends[side], conn.ends[1 - side], seq] = ulpdu, octets
        found = set()
        for iwarp in decoded(capture.items):
            for d in iwarp.directions:
                for line in d.lines:
                    if line["pdu"] != "fpdu":
                        continue
                    key = d.stream.src, d.stream.dst, d.stream.seq(line["_pos"])
                    self.assertIn(key, truth, name)
                    found.add(key)
                    self.same(name, line, *truth[key])
        return truth, found

    def same(self, name, line, ulpdu, octets):
        self.assertEqual(line["ulpdu_length"], len(ulpdu), name)
        self.assertNotEqual(line["crc"], "bad", name)
        self.assertEqual(line["marker_count"] * 4 + 6 + line["pad"] + len(ulpdu), len(octets),
                         name)
        if line["crc"] == "good":
            self.assertEqual(line["crc_value"], "0x%08x" % int.from_bytes(octets[-4:], "little"))
        ddp = line.get("ddp", {})
        if ddp.get("tagged") and "to" in ddp:
            self.assertEqual(ulpdu[:14], bytes((0x80 | ddp["last"] << 6 | ulpdu[0] & 0x3F,
                                                ulpdu[1])) + bytes.fromhex(
                                                    ddp["stag"][2:] + ddp["to"][2:]), name)
        elif "mo" in ddp:
            self.assertEqual([ddp["qn"], ddp["msn"], ddp["mo"]],
                             [int.from_bytes(ulpdu[at:at + 4], "big") for at in (6, 10, 14)], name)

    def test_conversations_at_random(self):
        for seed in range(40):
            cap = random_conversation(random.Random(seed))
            if seed % 2:
                items = cap.data_items()[3:]
                cap.drop(items[seed % 5::12])
            truth, found = self.check(seed, cap)
            self.assertTrue(found, seed)
            if seed % 2 == 0:
                self.assertEqual(set(truth), found, seed)

    def test_pages(self):
        """Of a page of which nothing is lost, refdec finds as many FPDUs as it says messages."""
        shown = 0
        for name, text in dumped.texts():
            said = messages_said(text)
            if said is None:
                continue
            lines = [line for iwarp in decoded(made_capture(name).items) for d in iwarp.directions for line in d.lines]
            self.assertEqual(sum(line["pdu"] == "fpdu" for line in lines), said, name)
            shown += 1
        self.assertGreater(shown, 70)

    def test_every_octet_has_its_line(self):
        """After the startup the lines of a direction cover the stream without overlap."""
        parser = argparse.ArgumentParser()
        refdec.add_options(parser)
        for path, args in list(compare.captures([MADE], []))[::4]:
            capture = capfile.read_capture(path)
            options = refdec.options_of(parser.parse_args(args))
            for iwarp in refdec.decode_packets(capture.packets, options):
                for d in iwarp.directions:
                    self.covered(os.path.basename(path), d)

    def covered(self, name, d):
        at, holes = None, set()
        for line in d.lines:
            if line["pdu"] == "gap":
                start, end = line["_pos"], line["_pos"] + line["length"]
                holes.add((start, end))
            elif line["pdu"] == "undecodable":
                start, end = line["_pos"], line["_pos"] + line["length"]
            elif line["pdu"] == "fpdu":
                end, inside = d.extent(line["_pos"], line["ulpdu_length"])
                start = line["_pos"] - 4 * (line["marker_count"] - inside)
            else:
                start, end = line["_pos"], line["_pos"] + 20 + line["pd_length"]
                end = min(end, d.stream.end)
            if line["pdu"] == "gap":
                self.assertLessEqual(start, at if at is not None else start, name)
                at = max(at or end, end)
                continue
            if at is not None and start != at:  # a lead marker in the hole before
                self.assertEqual(start + 4, at, name)
            at = max(at or end, end)
        if at is not None:
            self.assertEqual(at, d.stream.end, name)
        missing = {(a, b) for there, a, b in d.stream.pieces(d.lines[0]["_pos"], d.stream.end)
                   if not there} if d.lines else set()
        self.assertEqual(missing, holes, name)


class Sctp(unittest.TestCase):
    """The builder of SCTP packets against octets written by hand from RFC 9260 and RFC 5043."""

    def test_chunks(self):
        assoc = gensctp.Association(Capture(), tsn=(0x10, 0x900))
        session = gensctp.Session(assoc, 5)
        made = [
            session.chunks(0, 17, b"\0\1ping"), session.chunks(1, 17, b"\0\2"),
            session.chunks(0, 16, gencaps.untagged(3, 0, 1, 0, b"\xde\xad\xbe\xef")),
            session.chunks(1, 17, b"\0\4"), session.chunks(0, 17, b"\0\4"),
            session.chunks(1, 17, b"\0\3no", ssn=0),
        ]
        due = [
            "00070018 00000010 00050000 00000011 00000001 70696e67",
            "00070014 00000900 00050000 00000011 00000002",
            "00070028 00000011 00050000 00000010 00014143 00000000 00000000 00000001 00000000 "
            "deadbeef",
            "00070014 00000901 00050000 00000011 00010004",
            "00070014 00000012 00050000 00000011 00020004",
            "00070016 00000902 00050000 00000011 00000003 6e6f0000",
        ]
        self.assertEqual([piece.hex() for pieces in made for piece in pieces],
                         [text.replace(" ", "") for text in due])

    def test_init(self):
        assoc = gensctp.Association(Capture(), tags=(0x0A0B0C0D, 0x01020304), tsn=(7, 8))
        self.assertEqual(assoc.init_chunk(0, gensctp.INIT).hex(),
                         "0100001c" "01020304" "00010000" "00080008" "00000007" "c0060008" "00000001")

    def test_fragments(self):
        assoc = gensctp.Association(Capture(), tsn=(1, 1))
        made = assoc.data(0, 3, 16, b"abcdefg", size=3)
        self.assertEqual([piece[1] for piece in made], [6, 4, 5])
        self.assertEqual(assoc.tsn, [4, 1])

    def test_checksum(self):
        packet = gensctp.sctp_packet(1, 2, 3, [gensctp.chunk(11, 0, b"")])
        self.assertIs(refsctp.is_good(packet, len(packet)), True)
        self.assertIs(refsctp.is_good(packet[:-1] + b"\1", len(packet)), False)


class Files(unittest.TestCase):
    """Capture formats, and the real captures by the manifest."""

    def test_formats_agree(self):
        with tempfile.TemporaryDirectory() as folder:
            cap = made_capture("enhanced-rtr")
            cap.items[0].time += 123
            times = [item.time for item in cap.items]
            for i, write in enumerate(({}, {"order": ">"}, {"nano": True}, {"fmt": "pcapng"},
                                       {"nano": True, "order": ">"},
                                       {"fmt": "pcapng", "order": ">", "interfaces": 2})):
                path = os.path.join(folder, str(i))
                cap.write(path, **write)
                got = capfile.read_capture(path)
                unit = 1 if write.get("nano") or "fmt" in write else 1000
                self.assertEqual([p.time for p in got.packets], [t // unit * unit for t in times])
                self.assertEqual([p.data for p in got.packets], [p.data for p in cap.items])

    def test_checksums(self):
        for check in ("good", "bad", "offload"):
            for link, client, server in ((capfile.EN10MB, "10.0.0.1", "10.0.0.2"),
                                         (capfile.SLL2, "fd00::1", "fd00::2")):
                cap = Capture(link=link)
                conn = cap.connection(client=(client, 1), server=(server, 2))
                conn.packet(0, b"odd", check=check)
                (item,) = cap.items
                packet = capfile.Packet(1, 0, item.data, item.wire_len, link)
                (segment,) = capfile.segments([packet])
                self.assertEqual((segment.check, segment.length), (check, 3))
                packet = capfile.Packet(1, 0, item.data[:-1], item.wire_len, link)
                (segment,) = capfile.segments([packet])
                self.assertEqual((segment.check, segment.pieces), ("unknown", [(0, b"od")]))

    def test_cut_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x")
            for write in ({}, {"fmt": "pcapng"}):
                made_capture("reject").write(path, **write)
                with open(path, "rb") as stream:
                    blob = stream.read()
                ends = capfile.parse_capture(blob).clean_ends
                for end in ends:
                    self.assertIsNone(capfile.parse_capture(blob[:end]).error)
                    if end != ends[-1]:
                        self.assertIsNotNone(capfile.parse_capture(blob[:end + 5]).error)
        for blob in (b"", b"\0" * 100, b"text"):
            with self.assertRaises(capfile.CaptureError):
                capfile.parse_capture(blob)

    def test_manifest(self):
        """The PDU counts of captures in pcaps/. Those of all follow: pcap.manifest and blackbox.dump-pcaps hold the tool against both."""
        rows = compare.manifest(os.path.join(PCAPS, "MANIFEST.tsv"))[::6]
        self.assertGreater(len(rows), 0)
        parser = argparse.ArgumentParser()
        refdec.add_options(parser)
        for row in rows:
            words = compare.refdec_words(row["options"])
            directions, _ = refdec.dump(row["file"], refdec.options_of(parser.parse_args(words)))
            directions = directions + refsctp.dump(row["file"])[0]
            lines = [line for direction in directions for line in direction]
            names = Counter(line.get("rdmap", {}).get("name", line["pdu"]) for line in lines)
            expected = Counter()
            for part in filter(None, row["pdus"].split(",")):
                name, number = part.rsplit("=", 1)
                expected[name] = int(number)
            self.assertEqual(names, expected, row["file"])
            self.assertEqual(len({line["conn"] for line in lines}), int(row["connections"]),
                             row["file"])


class Judges(unittest.TestCase):
    """compare, check_variants and hostile must see what is wrong."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.stand_in = os.path.join(cls.folder.name, "tool.py")
        with open(cls.stand_in, "w", encoding="utf-8") as out:
            out.write(STAND_IN)
        cls.path = os.path.join(cls.folder.name, "loss.pcap")
        cap, conn = started(request={"crc": True})
        for i in range(8):
            conn.send_message(INITIATOR, bytes(300), lose=i == 3)
            conn.send_message(RESPONDER, b"x", mpa={"crc": "bad"} if i == 5 else None)
        cap.write(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def tool(self, fault="none"):
        return "%s -I -S -B %s %s %s" % (sys.executable, self.stand_in, os.path.join(PCAPS, "tools"), fault)

    def run_main(self, main, *argv):
        text = io.StringIO()
        with redirect_stdout(text):
            status = main(list(argv))
        return status, text.getvalue()

    def test_compare(self):
        self.assertEqual(self.run_main(compare.main, self.tool(), self.path)[0], 0)
        for fault, word in (("field", "ddp.length"), ("lose", "gap"), ("status", "exit status"),
                            ("text", "no JSON")):
            status, text = self.run_main(compare.main, self.tool(fault), self.path)
            self.assertEqual(status, 1)
            self.assertIn(word, text)

    def test_compare_details(self):
        base = {"file": "/a/x", "frame": 3, "time": "1.0", "conn": 0, "src": "a", "dst": "b",
                "dir": "initiator", "seq": 5, "pdu": "undecodable", "length": 4,
                "reason": "unfinished"}
        self.assertEqual(compare.compare_lines(base, dict(base, file="x", frame=9, more=1)), [])
        self.assertTrue(compare.compare_lines(base, dict(base, reason="other")))
        self.assertTrue(compare.compare_lines(base, dict(base, error="x")))
        self.assertTrue(compare.compare_lines(base, dict(base, length=True)))
        free = dict(base, reason="mine")
        self.assertEqual(compare.compare_lines(free, dict(base, reason="other")), [])
        self.assertTrue(compare.compare_lines(free, base))
        self.assertEqual(compare.compare_lines(dict(free, _loose=["reason"]), base), [])
        fpdu = {k: v for k, v in base.items() if k != "reason"} | {"pdu": "fpdu", "pad": 0}
        self.assertTrue(compare.compare_lines(fpdu, dict(fpdu, frame=4)))
        self.assertTrue(compare.compare_lines(fpdu, dict(fpdu, ddp={})))
        self.assertEqual(compare.compare_lines(fpdu, dict(fpdu, offset=4)), [])
        self.assertTrue(compare.compare_lines(dict(fpdu, offset=4), fpdu))

    def test_check_variants(self):
        self.assertEqual(self.run_main(check_variants.main, self.tool(), self.path)[0], 0)
        status, text = self.run_main(check_variants.main, self.tool("frames"), self.path)
        self.assertEqual(status, 1)
        self.assertIn("same-", text)
        status, text = self.run_main(check_variants.main, self.tool("gaps"), self.path)
        self.assertEqual(status, 1)
        self.assertIn("less-", text)
        self.assertNotIn("same-", text)

    def test_judge(self):
        finding = {"rule": "r", "dir": "initiator", "src": "a", "dst": "b", "conn": 0, "seq": 7,
                   "severity": "violation"}
        other = dict(finding, seq=8)
        same = dict(check_variants.ORIGINAL, kind="same")
        less = dict(check_variants.ORIGINAL, kind="less")
        judge = check_variants.judge
        self.assertEqual(judge([finding], [finding], same), [])
        self.assertEqual([t.split()[0] for t in judge([finding], [], same)], ["missing"])
        self.assertEqual([t.split()[0] for t in judge([], [finding], same)], ["new"])
        self.assertEqual(len(judge([finding], [finding, finding], same)), 1)
        self.assertEqual(len(judge([finding], [other], same)), 2)
        self.assertEqual(judge([finding], [], less), [])
        self.assertEqual(len(judge([finding], [finding, other], less)), 1)
        self.assertEqual(judge([], [dict(finding, severity="note")], less), [])
        moved = dict(same, shifts={"c>d": 2**32 - 5}, endpoints={"c": "a", "d": "b"})
        self.assertEqual(judge([finding], [dict(finding, src="c", dst="d", seq=2)], moved), [])
        again = dict(finding, conn=1)
        self.assertEqual(len(judge([finding, again], [finding, finding], same)), 2)

    def test_hostile(self):
        few = ("--limit", "3")
        self.assertEqual(self.run_main(hostile.main, self.tool(), self.path, *few)[0], 0)
        for fault, word in (("crash", "signal 11"), ("silent", "0 lines on standard error"),
                            ("text", "no JSON"), ("status", "exit status 70")):
            status, text = self.run_main(hostile.main, self.tool(fault), self.path, *few)
            self.assertEqual(status, 1, fault)
            self.assertIn(word, text)

    def test_hostile_mutants(self):
        items = list(hostile.mutants(self.path, 97, 0))
        size = os.path.getsize(self.path)
        self.assertEqual(len(items), 2 * ((size + 96) // 97))
        self.assertEqual([len(m.octets) for m in items[::2]], list(range(0, size, 97)))
        self.assertTrue(items[0].broken)
        flipped = items[3].octets
        with open(self.path, "rb") as stream:
            blob = stream.read()
        self.assertEqual([i for i in range(size) if flipped[i] != blob[i]], [97])


class Leaks(unittest.TestCase):
    def test_one_start_of_so_many_searches(self):
        for repeated in (1, 2, 8):
            with mock.patch.multiple(kit, REPEATED=repeated, STARTS=itertools.count()):
                given = {"HOME": "/", "ASAN_OPTIONS": "exitcode=99"}
                starts = [kit.some_search_leaks(given) for _ in range(16)]
            self.assertEqual(starts.count(given), 16 // repeated)
            self.assertEqual(starts[0], given)
            others = [start for start in starts if start != given]
            self.assertEqual(others, [{"HOME": "/", "ASAN_OPTIONS": "exitcode=99:detect_leaks=0"}] * len(others))
        with mock.patch.multiple(kit, REPEATED=2, STARTS=itertools.count(1)):
            self.assertEqual(kit.some_search_leaks({}), {"ASAN_OPTIONS": "detect_leaks=0"})


class Variants(unittest.TestCase):
    """refdec itself must find the same FPDUs in what variants.py derives."""

    CAPTURES = ("opcodes-iMC-rM", "busy-iMC-rMC-same-reordered", "interleaved", "port-reuse", "link-sll2-v6", "super-segment",
                "busy-iMC-rMC-less-snaplen-128", "busy-iMC-rMC-less-dropped-7")

    @staticmethod
    def content(path, entry):
        directions, _ = refdec.dump(path)
        names, out = entry["endpoints"], {}
        for lines in directions:
            for line in lines:
                key = names.get(line["src"], line["src"]), names.get(line["dst"], line["dst"])
                shift = entry["shifts"].get("%s>%s" % (line["src"], line["dst"]), 0)
                skip = ("file", "frame", "time", "src", "dst", "conn", "seq")
                rest = {k: v for k, v in line.items() if k not in skip}
                rest["seq"] = (line["seq"] - shift) & 0xFFFFFFFF
                out.setdefault(key, []).append(rest)
        return out

    def test_same(self):
        for name in self.CAPTURES:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "original")
                made_capture(name).write(path)
                before = self.content(path, check_variants.ORIGINAL)
                count = Counter()
                for variant in variants.derive(capfile.read_capture(path)):
                    count[variant.kind] += 1
                    if variant.kind == "same":
                        after = self.content(variant.write(folder), variant.entry())
                        self.assertEqual(before, after, "%s %s" % (name, variant.name))
                self.assertGreater(count["same"], 15)
                self.assertGreater(count["less"], 15)

    def test_bad_checksums_stay_bad(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "original")
            made_capture("bad-checksum").write(path)
            for variant in variants.derive(capfile.read_capture(path)):
                if variant.kind != "same":
                    continue
                got = capfile.read_capture(variant.write(folder))
                checks = Counter(s.check for s in capfile.segments(got.packets))
                self.assertGreater(checks["bad"], 0, variant.name)
                self.assertGreater(checks["good"], checks["bad"], variant.name)

    def test_wrap(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "original")
            made_capture("opcodes-iC").write(path)
            packets, shifts = variants.wrapped(variants.load(capfile.read_capture(path)))
            for flow in shifts:
                seqs = [p.seq for p in packets if (p.src, p.dst) == flow and p.length]
                self.assertGreater(seqs[0], seqs[-1])
            for p in packets[1:]:
                peer = [q for q in packets if q.src == p.dst]
                ends = {(q.seq + q.length + bool(q.flags & 3)) & 0xFFFFFFFF for q in peer}
                self.assertIn(p.ack, ends)


if __name__ == "__main__":
    MADE = sys.argv.pop(1)
    unittest.main()
