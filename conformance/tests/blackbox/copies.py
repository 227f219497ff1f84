#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""copies: octets that were captured twice with different values.

copies.py TOOL

Each capture is one connection with CRCs, over IPv4 and IPv6, near the wrap of the sequence number or not.  Its second
Send was captured in two copies that differ.  Which one counts follows from what its receiver acknowledged.  The same
holds for the DATA chunks of a session over SCTP.
"""

import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
import gencaps
import gensctp
from crc32c import crc32c

SYN, ACK, PSH, FIN = 2, 16, 8, 1
ENDS = {4: (b"\x0a\0\0\x01", b"\x0a\0\0\x02"),
        6: (bytes.fromhex("fd000000000000000000000000000001"), bytes.fromhex("fd000000000000000000000000000002"))}
RAW_IP = 101


def fpdu(ulpdu, right=True):
    body = struct.pack("!H", len(ulpdu)) + ulpdu
    body += bytes(-len(body) % 4)
    return body + struct.pack("<I", crc32c(body) ^ (0 if right else 0x5A5A5A5A))


def sack(start, end):
    return b"\1\1\5\x0a" + struct.pack("!II", start & 0xFFFFFFFF, end & 0xFFFFFFFF)


REPLY = b"MPA ID Rep Frame" + b"\x40\1\0\0"


class Talk:
    """Packets of a connection; side 0 is the Initiator."""

    def __init__(self, family, start):
        self.family, self.seq, self.packets = family, [start, 7000], []

    def send(self, side, payload=b"", flags=ACK, seq=None, ack=None, options=b"", check="good"):
        src, dst = ENDS[self.family][side], ENDS[self.family][1 - side]
        ports = (40000, 7174) if side == 0 else (7174, 40000)
        own = self.seq[side] if seq is None else seq
        flags |= PSH if payload and not flags & FIN else 0
        head = gencaps.tcp_header(src, dst, *ports, own, self.seq[1 - side] if ack is None else ack, flags, payload,
                                  options, check)
        self.packets.append(gencaps.ip_packet(src, dst, head))
        if seq is None:
            self.seq[side] = own + len(payload) + (flags & (SYN | FIN) != 0) & 0xFFFFFFFF
        return len(self.packets)

    def bare(self, side, payload, seq):
        """A bare acknowledgment whose padding is counted."""
        src, dst = ENDS[self.family][side], ENDS[self.family][1 - side]
        ports = (40000, 7174) if side == 0 else (7174, 40000)
        head = gencaps.tcp_header(src, dst, *ports, seq, self.seq[1 - side], ACK, payload)
        self.packets.append(gencaps.ip_packet(src, dst, head))
        return len(self.packets)

    def open(self, *wrong):
        """`wrong`: copies of the Reply before the right one."""
        self.send(0, flags=SYN, ack=0)
        self.send(1, flags=SYN | ACK)
        self.send(0)
        self.send(0, b"MPA ID Req Frame" + b"\x40\1\0\0")
        for copy in wrong:
            self.send(1, copy, seq=self.seq[1])
        self.send(1, REPLY)
        self.send(0)
        self.send(0, fpdu(gencaps.untagged(3, 0, 1, payload=b"first")))
        self.send(1)

    def close(self):
        self.send(0, fpdu(gencaps.untagged(3, 0, 3, payload=b"third")))
        self.send(1)
        self.send(0, flags=ACK | FIN)
        self.send(1, flags=ACK | FIN)
        self.send(0)

    def write(self, path):
        packets = [capfile.Packet(i + 1, 10**18 + 1000000 * i, p, len(p), RAW_IP) for i, p in enumerate(self.packets)]
        capfile.write_pcap(path, packets, RAW_IP)


GOOD = fpdu(gencaps.untagged(3, 0, 2, payload=b"payload one"))
OTHER = fpdu(gencaps.untagged(3, 0, 2, payload=b"payload two"))
WRONG = GOOD[:-10] + b"?" + GOOD[-9:]
RESERVED = fpdu(gencaps.untagged(3, 0, 2, payload=b"payload one", rsvd=5))
MSN = fpdu(gencaps.untagged(3, 0, 9, payload=b"payload one"))


def twice(t, first, second, between=None):
    """Both copies; `between` sends the packets between them."""
    t.open()
    at = t.seq[0]
    one = t.send(0, first)
    if between is not None:
        between(t, at)
    two = t.send(0, second, seq=at)
    t.send(1)
    t.close()
    return one, two


def acked(t, _at):
    t.send(1)


def lacked(t, at):
    """The octets after these arrive, these do not."""
    end = t.seq[0]
    t.send(0, fpdu(gencaps.untagged(3, 0, 3, payload=b"ahead")))
    t.send(1, ack=at, options=sack(end, t.seq[0]))


# name: the copies, the packets between them; the copy accepted; rules that fail, whether mpa.crc is inconclusive
CASES = (
    ("right, then wrong", GOOD, WRONG, None, "unknown", set(), True),
    ("wrong, then right", WRONG, GOOD, None, "unknown", set(), True),
    ("both right", GOOD, OTHER, None, "unknown", set(), False),
    ("another field of the header", GOOD, RESERVED, None, "unknown", set(), True),
    ("acknowledged, then wrong", GOOD, WRONG, acked, "first", set(), False),
    ("acknowledged, then another header", GOOD, MSN, acked, "first", set(), False),
    ("wrong and acknowledged, then right", WRONG, GOOD, acked, "first", {"mpa.crc"}, False),
)


def check(tool, path, *words):
    done = subprocess.run([tool, "check", "-T", "jsonl", *words, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done


def of(lines, kind):
    return [line for line in lines if line["type"] == kind]


def fails(lines):
    return {line["rule"] for line in of(lines, "finding") if line["severity"] != "note"}


def expect(what, name, lines):
    if not what:
        raise AssertionError(f"{name}: {[{k: v for k, v in line.items() if k != 'text'} for line in lines]}")


def differ(tool, path, family, start):
    for name, first, second, between, accepted, rules, doubt in CASES:
        t = Talk(family, start)
        one, two = twice(t, first, second, between)
        t.write(path)
        lines, _ = check(tool, path)
        found = of(lines, "capture")
        expect([(x["kind"], x["frame"], x["other_frame"], x["accepted"]) for x in found] ==
               [("octets-differ", one, two, accepted)], name, lines)
        connection, = of(lines, "connection")
        expect(fails(lines) == rules, name, lines)
        expect(("octets-differ" in connection["inconclusive"]) == doubt, name, lines)
        expect(check(tool, path, "--jobs", "2")[0] == lines, name + ", two jobs", lines)
        text = subprocess.run([tool, "check", path], stdout=subprocess.PIPE, check=False).stdout.decode()
        expect(f"  frames {one} and {two} hold different octets" in text, name + ", text", lines)
        ladder = subprocess.run([tool, "timeline", path], stdout=subprocess.PIPE, check=False).stdout.decode()
        expect("sent again" not in ladder, name + ", timeline", lines)


def lost(tool, path, family, start):
    """A SACK shows that the receiver lacked the first copy: the second one counts."""
    for second, rules in ((WRONG, {"mpa.crc"}), (GOOD, set())):
        t = Talk(family, start)
        t.open()
        at = t.seq[0]
        one = t.send(0, GOOD if second is WRONG else WRONG)
        lacked(t, at)
        two = t.send(0, second, seq=at)
        t.send(1)
        t.send(0, flags=ACK | FIN)
        t.send(1, flags=ACK | FIN)
        t.send(0)
        t.write(path)
        lines, _ = check(tool, path)
        expect([(x["frame"], x["other_frame"], x["accepted"]) for x in of(lines, "capture")] == [(one, two, "second")], "SACK", lines)
        expect(fails(lines) & {"mpa.crc"} == rules, "SACK", lines)
        expect(all(x["frame"] == two for x in of(lines, "finding") if x["rule"] == "mpa.crc"), "SACK", lines)


def padding(tool, path, family, start):
    """Bare acknowledgments whose padding is counted before the octets that really stand there."""
    for size in (1, 2, 5, 6):
        t = Talk(family, start)
        t.open()
        one = t.bare(0, bytes(size), t.seq[0])
        two = t.send(0, GOOD)
        t.send(1)
        t.close()
        t.write(path)
        lines, _ = check(tool, path)
        same = bytes(size) == GOOD[:size]
        expect(not fails(lines), f"padding of {size}", lines)
        expect([(x["frame"], x["other_frame"]) for x in of(lines, "capture")] == ([] if same else [(one, two)]), f"padding of {size}", lines)


def keepalive(tool, path, family, start):
    """An octet that was acknowledged is sent again as another one, after a segment with a stale checksum."""
    for sum_ in ("good", "bad"):
        t = Talk(family, start)
        t.open()
        one = t.send(0, GOOD, check=sum_)
        t.send(1)
        two = t.send(0, b"!", seq=t.seq[0] - 1 & 0xFFFFFFFF)
        t.send(1)
        t.close()
        t.write(path)
        lines, _ = check(tool, path)
        found = of(lines, "capture")
        expect(not fails(lines), "keepalive", lines)
        expect([(x["frame"], x["other_frame"], x["accepted"]) for x in found if x["kind"] == "octets-differ"] ==
               [(one, two, "first")], "keepalive", lines)
        wrong = [(x["frame"], x["count"]) for x in found if x["kind"] == "checksum-wrong"]
        expect(wrong == ([(one, 1)] if sum_ == "bad" else []), "keepalive", lines)


def checksums(tool, path, family, start):
    """Segments have stale checksums and nothing is missing: right CRCs prove the FPDUs, and no reason is a gap."""
    t = Talk(family, start)
    t.open()
    for msn in (2, 3, 4):
        t.send(0, fpdu(gencaps.untagged(3, 0, msn, payload=b"stale")), check="bad")
        t.send(1)
    t.send(0, flags=ACK | FIN)
    t.send(1, flags=ACK | FIN)
    t.send(0)
    t.write(path)
    lines, _ = check(tool, path)
    connection, = of(lines, "connection")
    expect("gap" not in connection["inconclusive"] and not fails(lines), "checksums", lines)
    expect(connection["fpdus"] == {"initiator": 4, "responder": 0}, "checksums", lines)
    expect([(x["kind"], x["count"]) for x in of(lines, "capture")] == [("checksum-wrong", 3)], "checksums", lines)


def flipped(octets, at, bits):
    return octets[:at] + bytes([octets[at] ^ bits]) + octets[at + 1:]


def undecided(tool, path, t, one, most, name):
    """Frame `one` and the next one differ: nothing is found, and at most so many rules are in doubt."""
    t.write(path)
    lines, _ = check(tool, path)
    connection, = of(lines, "connection")
    expect([(x["frame"], x["other_frame"], x["accepted"]) for x in of(lines, "capture")] == [(one, one + 1, "unknown")], name, lines)
    expect(not fails(lines) and "octets-differ" in connection["inconclusive"], name, lines)
    expect(0 < connection["rules"]["inconclusive"] <= most, name, lines)


def halves(tool, path, family, start):
    """The first half of an FPDU has a wrong octet, and its right copy follows before the other half."""
    half = len(GOOD) // 2
    for at, most in ((0, 40), (1, 40), (2, 40), (9, 40)):
        t = Talk(family, start)
        t.open()
        one = t.send(0, flipped(GOOD[:half], at, 4), seq=t.seq[0])
        t.send(0, GOOD[:half])
        t.send(0, GOOD[half:])
        t.send(1)
        t.close()
        undecided(tool, path, t, one, most, f"octet {at} of a half")


def payload(tool, path, family, start):
    """Of the payload no rule speaks but that on CRCs."""
    t = Talk(family, start)
    t.open()
    one = t.send(0, flipped(GOOD[:26], 24, 4), seq=t.seq[0])
    t.send(0, GOOD[:26])
    t.send(0, GOOD[26:])
    t.send(1)
    t.close()
    undecided(tool, path, t, one, 1, "payload")


def frames(tool, path, family, start):
    """The Reply has a wrong octet, and its right copy follows: the FPDUs are judged where these agree on what is used."""
    for at, bits, most in ((11, 1, 6), (16, 1, 60), (17, 8, 60), (18, 8, 60)):
        t = Talk(family, start)
        t.open(flipped(REPLY, at, bits))
        t.send(0, GOOD)
        t.close()
        undecided(tool, path, t, 5, most, f"octet {at} of a Reply")


REQUEST = b"MPA ID Req Frame" + b"\x40\1\0\0"
ENHANCED = b"MPA ID Req Frame" + b"\xd0\2\0\4\0\1\0\4"


def parts(t, *octets):
    """The connection up to the Request, which has a packet for each of its parts."""
    t.send(0, flags=SYN, ack=0)
    t.send(1, flags=SYN | ACK)
    t.send(0)
    for part in octets:
        t.send(0, part)


def request(tool, path, family, start):
    """A part of the Request has a wrong octet, and its right copy follows: nothing is found in what rests on either."""
    cases = [(REQUEST, cut, at, bits) for cut in (1, 4, 10, 15) for at, bits in ((16, 1), (16, 0x20), (17, 0x40), (18, 8))]
    cases += [(ENHANCED, 0, 22, 0x40), (ENHANCED, 0, 16, 8), (ENHANCED, 12, 20, 0x80), (ENHANCED, 0, 20, 0x80)]
    for right, cut, at, bits in cases:
        t = Talk(family, start)
        parts(t, right[:cut] if cut > 0 else b"")
        one = t.send(0, flipped(right[cut:], at - cut, bits), seq=t.seq[0])
        t.send(0, right[cut:])
        t.send(1)
        t.send(1, REPLY if right == REQUEST else b"MPA ID Rep Frame" + b"\x50\2\0\4\0\4\0\1")
        t.send(0, fpdu(gencaps.untagged(3, 0, 1, payload=b"first")) + GOOD)
        t.send(1)
        t.close()
        undecided(tool, path, t, one, 60, f"octet {at} of a Request cut at {cut}")


def hidden_request(tool, path, family, start):
    """The key of the Request has wrong octets, and its Private Data hold what looks like a frame and an FPDU."""
    inner = b"MPA ID Req Frame" + b"\x48\0\0\0" + fpdu(gencaps.untagged(3, 1, 1, payload=b"hidden", rsvd=5))
    frame = b"MPA ID Req Frame" + struct.pack("!BBH", 0x40, 1, len(inner)) + inner
    t = Talk(family, start)
    parts(t)
    one = t.send(0, b"?????" + frame[5:16] + b"\x4d" + frame[17:19], seq=t.seq[0])
    t.send(0, frame[:19])
    t.send(0, frame[19:])
    t.send(1)
    t.send(1, REPLY)
    t.send(0, fpdu(gencaps.untagged(3, 0, 1, payload=b"first")) + GOOD)
    t.send(1)
    t.close()
    undecided(tool, path, t, one, 60, "a Request in a Request")


def unfinished(tool, path, family, start):
    """Where CRCs are off, a wrong ULPDU_Length hides the answer to a Read: no rule says that it is outstanding."""
    read = struct.pack("!IQIIQ", 1, 0, 4, 2, 0x1000)
    answer = fpdu(gencaps.tagged(2, 1, 0, payload=b"data"))
    t = Talk(family, start)
    parts(t, b"MPA ID Req Frame" + b"\x10\2\0\4\xc0\1\0\1")
    t.send(1, b"MPA ID Rep Frame" + b"\x10\2\0\4\xc0\1\0\1")
    t.send(0, fpdu(gencaps.untagged(3, 0, 1)) + GOOD)
    t.send(1)
    t.send(1, fpdu(gencaps.untagged(1, 1, 1, payload=read)))
    t.send(0)
    one = t.send(0, flipped(answer[:2], 0, 0xd0), seq=t.seq[0])
    t.send(0, answer[:2])
    t.send(0, answer[2:])
    t.send(1)
    t.send(1, fpdu(gencaps.untagged(1, 1, 2, payload=read)))
    t.send(0)
    t.close()
    undecided(tool, path, t, one, 60, "an answer with a wrong length")


def damaged_header(tool, path, start):
    """A wrong checksum of an IPv4 header is reported, and the octets, whose TCP checksum is right, are used."""
    for octets, wrong in ((b"\x3f", True), (None, False)):
        t = Talk(4, start)
        t.open()
        one = t.send(0, GOOD)
        t.send(1)
        t.close()
        packet = t.packets[one - 1]
        t.packets[one - 1] = packet[:8] + octets + packet[9:] if wrong else packet[:10] + b"\0\0" + packet[12:]
        t.write(path)
        lines, _ = check(tool, path)
        found = [(x["kind"], x["frame"], x["count"], x["text"]) for x in of(lines, "capture")]
        text = f"1 packet has a wrong checksum of the IPv4 header: frame {one}"
        expect(found == ([("checksum-wrong", one, 1, text)] if wrong else []), "damaged header", lines)
        expect(not fails(lines), "damaged header", lines)
        connection, = of(lines, "connection")
        expect(connection["fpdus"] == {"initiator": 3, "responder": 0}, "damaged header", lines)
        expect("gap" not in connection["inconclusive"], "damaged header", lines)
        expect(check(tool, path, "--jobs", "2")[0] == lines, "damaged header, two jobs", lines)


# which copies of a fragment are wrong, which one counts, and whether it is in doubt
FRAGMENTS = (((True, False), "second", False), ((False, True), "first", False), ((True, True), "unknown", True))


def fragmented(tool, path, family, start):
    """A fragment was captured twice with different octets: the checksum of the segment tells which one counts."""
    for (first, second), accepted, doubt in FRAGMENTS:
        t = Talk(family, start)
        t.open()
        at = t.send(0, GOOD)
        packet = t.packets.pop()
        pieces = gencaps.fragments(packet, 24, 5)
        k = len(pieces) - 2
        wrong = [pieces[k][:-9] + bytes((octet,)) + pieces[k][-8:] for octet in b"!?"]
        t.packets += pieces[:k] + [wrong[0] if first else pieces[k], wrong[1] if second else pieces[k]] + pieces[k + 1:]
        t.send(1)
        t.close()
        t.write(path)
        lines, _ = check(tool, path)
        found = [x for x in of(lines, "capture") if x["kind"] == "octets-differ"]
        expect([(x["frame"], x["other_frame"], x["length"], x["accepted"]) for x in found] ==
               [(at + k, at + k + 1, 1, accepted)], "fragments", lines)
        expect(all(x["conn"] == 0 and x["dir"] == "initiator" for x in found), "fragments", lines)
        connection, = of(lines, "connection")
        expect(not fails(lines) and connection["fpdus"] == {"initiator": 3, "responder": 0}, "fragments", lines)
        expect(("octets-differ" in connection["inconclusive"]) == doubt, "fragments", lines)
        expect(check(tool, path, "--jobs", "2")[0] == lines, "fragments, two jobs", lines)


def after_the_end(tool, path, family, start):
    """Octets come again after the FIN of their side, and others stand there."""
    t = Talk(family, start)
    t.open()
    at = t.seq[0]
    one = t.send(0, GOOD)
    t.send(0, flags=ACK | FIN)
    t.send(1)
    t.send(0, GOOD, seq=at)
    two = t.send(0, OTHER, seq=at)
    t.send(1, flags=ACK | FIN)
    t.send(0)
    t.write(path)
    lines, _ = check(tool, path)
    expect([(x["kind"], x["frame"], x["other_frame"], x["accepted"], x["conn"]) for x in of(lines, "capture")] ==
           [("octets-differ", one, two, "first", 0)], "after the end", lines)
    expect(not fails(lines) and check(tool, path, "--jobs", "2")[0] == lines, "after the end", lines)


def many(tool, path):
    """At most 100 of a file have a line each, and the others are counted."""
    t = Talk(4, 1000)
    t.open()
    for _ in range(150):
        t.send(0, b"?", seq=t.seq[0] - 1)
    t.close()
    t.write(path)
    lines, _ = check(tool, path)
    found = of(lines, "capture")
    expect(len(found) == 101 and found[-1]["count"] == 50 and "other_frame" not in found[-1], "many", lines)


# --- over SCTP ---


class Session:
    """A session over SCTP of which some packets are made by hand."""

    def __init__(self, tsn):
        self.cap = gencaps.Capture()
        self.assoc = gensctp.Association(self.cap, tsn=(tsn, 5000)).open()
        self.session = gensctp.Session(self.assoc, 3)

    def start(self):
        self.session.start()
        self.session.message(0, b"first")
        self.assoc.sack(1)

    def send(self, chunk):
        """Sends a DATA chunk without an acknowledgment; returns its frame."""
        self.assoc.packet(0, [chunk], sack=False)
        return len(self.cap.items)

    def chunk(self, body, ppid=gensctp.SEGMENT):
        chunk, = self.session.chunks(0, ppid, body)
        return chunk

    def again(self, tsn, ssn):
        """The next chunk has these numbers."""
        self.assoc.tsn[0], self.session.ssn[0] = tsn, ssn

    def close(self, msn=2):
        self.session.msn[0][0] = msn
        self.session.message(0, b"third")
        self.assoc.sack(1)
        self.session.end()
        self.assoc.close()


SEND = gencaps.untagged(3, 0, 2, payload=b"payload one")
SCTP_OTHER = gencaps.untagged(3, 0, 2, payload=b"payload two")
SCTP_RESERVED = gencaps.untagged(3, 0, 2, payload=b"payload one", rsvd=5)
SCTP_MSN = gencaps.untagged(3, 0, 9, payload=b"payload one")


def sctp_acked(s, _tsn):
    s.assoc.sack(1)


# as CASES, with the number of octets that differ
SCTP_CASES = (
    ("right, then wrong", SEND, SCTP_RESERVED, None, "unknown", 1, set(), True),
    ("wrong, then right", SCTP_RESERVED, SEND, None, "unknown", 1, set(), True),
    ("another MSN", SCTP_MSN, SEND, None, "unknown", 1, set(), True),
    ("another payload", SEND, SCTP_OTHER, None, "unknown", 3, set(), False),
    ("acknowledged, then wrong", SEND, SCTP_RESERVED, sctp_acked, "first", 1, set(), False),
    ("wrong and acknowledged, then right", SCTP_RESERVED, SEND, sctp_acked, "first", 1, {"ddp.reserved"}, False),
)


def sctp_expect(tool, path, s, name, one, two, accepted, length, rules, doubt, overtaken=False):
    s.cap.write(path)
    lines, _ = check(tool, path)
    tsn = int.from_bytes(s.cap.items[one - 1].data[14 + 20 + 12 + 4:][:4], "big")
    expect([(x["kind"], x["frame"], x["other_frame"], x["seq"], x["length"], x["accepted"]) for x in of(lines, "capture")] ==
           [("octets-differ", one, two, tsn, length, accepted)], name, lines)
    expect(all(x["conn"] == 0 and x["dir"] == "initiator" for x in of(lines, "capture")), name, lines)
    connection, = of(lines, "connection")
    expect(fails(lines) == rules and ("octets-differ" in connection["inconclusive"]) == doubt, name, lines)
    expect("gap" not in connection["inconclusive"], name, lines)
    expect(check(tool, path, "--jobs", "2")[0] == lines, name + ", two jobs", lines)
    text = subprocess.run([tool, "check", path], stdout=subprocess.PIPE, check=False).stdout.decode()
    expect(f"  frames {one} and {two} hold different octets" in text and "of the DATA chunk with TSN" in text, name, lines)
    ladder = subprocess.run([tool, "timeline", path], stdout=subprocess.PIPE, check=False).stdout.decode()
    expect(("sent again" in ladder) == overtaken, name + ", timeline", lines)


def sctp_differ(tool, path, tsn):
    for name, first, second, between, accepted, length, rules, doubt in SCTP_CASES:
        s = Session(tsn)
        s.start()
        number, ssn = s.assoc.tsn[0], s.session.ssn[0]
        one = s.send(s.chunk(first))
        if between is not None:
            between(s, number)
        s.again(number, ssn)
        two = s.send(s.chunk(second))
        s.close()
        sctp_expect(tool, path, s, "SCTP, " + name, one, two, accepted, length, rules, doubt)


def sctp_block(tool, path, tsn):
    """A gap block reports the chunk before its second copy is sent; the one before it comes after both."""
    s = Session(tsn)
    s.start()
    number, ssn = s.assoc.tsn[0], s.session.ssn[0]
    before = s.chunk(SEND)
    one = s.send(s.chunk(gencaps.untagged(3, 0, 3, payload=b"ahead")))
    s.assoc.packet(1, [s.assoc.sack_chunk(1, number - 1, ((2, 2),))], sack=False)
    s.again(number + 1, ssn + 1)
    two = s.send(s.chunk(gencaps.untagged(3, 0, 3, payload=b"ahead", rsvd=5)))
    s.send(before)
    s.assoc.sack(1)
    s.close(3)
    sctp_expect(tool, path, s, "SCTP, gap block", one, two, "first", 1, set(), False, True)


def sctp_lost(tool, path, tsn):
    """A SACK reports what was sent after the chunk, and lacks that: its second copy counts."""
    for first, second, rules in ((SEND, SCTP_RESERVED, {"ddp.reserved"}), (SCTP_RESERVED, SEND, set())):
        s = Session(tsn)
        s.start()
        number, ssn = s.assoc.tsn[0], s.session.ssn[0]
        one = s.send(s.chunk(first))
        s.send(s.chunk(gencaps.untagged(3, 0, 3, payload=b"ahead")))
        s.assoc.packet(1, [s.assoc.sack_chunk(1, number - 1, ((2, 2),))], sack=False)
        s.again(number, ssn)
        two = s.send(s.chunk(second))
        s.again(number + 2, ssn + 2)
        s.assoc.sack(1)
        s.close(3)
        sctp_expect(tool, path, s, "SCTP, SACK", one, two, "second", 1, rules, False)


def sctp_fragmented(tool, path, tsn):
    """A fragment was captured twice with different octets: the checksum of the packet tells which one counts."""
    for (first, second), accepted, doubt in FRAGMENTS[:2]:
        for where in (SEND, gencaps.untagged(3, 0, 2, payload=bytes(200))):
            s = Session(tsn)
            s.start()
            at = s.send(s.chunk(where))
            item = s.cap.items.pop()
            pieces = gencaps.fragments(item.data[14:], 24, 5)
            wrong = [pieces[1][:-1] + bytes((pieces[1][-1] ^ bits,)) for bits in (1, 2)]
            for piece in (pieces[0], wrong[0] if first else pieces[1], wrong[1] if second else pieces[1], *pieces[2:]):
                s.cap.add(piece, s.assoc, 0, 1)
            s.assoc.sack(1)
            s.close()
            s.cap.write(path)
            lines, _ = check(tool, path)
            found = [(x["frame"], x["other_frame"], x["seq"], x["length"], x["accepted"]) for x in of(lines, "capture")]
            expect(found == [(at + 1, at + 2, tsn + 2 & 0xFFFFFFFF, 1, accepted)], "SCTP, fragments", lines)
            connection, = of(lines, "connection")
            expect(not fails(lines) and connection["fpdus"]["initiator"] == 3, "SCTP, fragments", lines)
            expect(("octets-differ" in connection["inconclusive"]) == doubt, "SCTP, fragments", lines)
            expect(check(tool, path, "--jobs", "2")[0] == lines, "SCTP, fragments, two jobs", lines)


def sctp_startup(tool, path, tsn):
    """The Initiate has a wrong copy before it: nothing is found, of what follows either."""
    for at, octet in ((2, 1), (3, 2), (3, 7), (1, 5), (5, 1)):
        s = Session(tsn)
        right = s.chunk(b"\0\1ping", gensctp.CONTROL)
        one = s.send(right[:16 + at] + bytes((right[16 + at] ^ octet,)) + right[17 + at:])
        two = s.send(right)
        s.session.control(1, gensctp.ACCEPT, b"pong")
        s.session.message(0, b"first")
        s.close(1)
        s.cap.write(path)
        lines, _ = check(tool, path)
        expect([(x["frame"], x["other_frame"], x["accepted"]) for x in of(lines, "capture")] == [(one, two, "unknown")], "Initiate", lines)
        expect(not fails(lines), "Initiate", lines)
        reasons = of(lines, "connection")[0]["inconclusive"]
        expect(("octets-differ" in reasons) == (at < 4), "Initiate", lines)


def sctp_enhanced(tool, path, tsn):
    """An Enhanced Initiate has a copy with another code, A, IRD, flag or ORD, before it or after it: the Accept is not compared."""
    for before in (True, False):
        for at, octet in ((3, 4), (4, 0x80), (5, 5), (6, 0x40), (7, 6)):
            s = Session(tsn)
            right = s.chunk(b"\0\5\0\1\0\1ping", gensctp.CONTROL)
            wrong = right[:16 + at] + bytes((right[16 + at] ^ octet,)) + right[17 + at:]
            one = s.send(wrong if before else right)
            two = s.send(right if before else wrong)
            s.session.control(1, 6, b"\0\1\0\1pong")
            s.session.message(0, b"first")
            s.close(1)
            s.cap.write(path)
            lines, _ = check(tool, path)
            expect([(x["frame"], x["other_frame"], x["accepted"]) for x in of(lines, "capture")] == [(one, two, "unknown")], "Enhanced", lines)
            expect(not fails(lines) and "octets-differ" in of(lines, "connection")[0]["inconclusive"], "Enhanced", lines)


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "copies.pcap")
        # In a sample a test has two of the kinds, one of each family, and the next test has others.
        kinds, step = list(itertools.product((4, 6), (1000, 2**32 - 90, 2**32 - 130))), min(kit.REPEATED, 3)
        for number, test in enumerate((differ, lost, padding, keepalive, checksums, halves, payload, frames, request, hidden_request,
                                       unfinished, fragmented, after_the_end)):
            for family, start in kinds[number % step::step]:
                test(tool, path, family, start)
        for _, start in kinds[:3:step]:
            damaged_header(tool, path, start)
        many(tool, path)
        for tsn in (1000, 2**32 - 3):
            for test in (sctp_differ, sctp_block, sctp_lost, sctp_fragmented, sctp_startup, sctp_enhanced):
                test(tool, path, tsn)


main()
