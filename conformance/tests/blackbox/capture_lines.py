#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""capture-lines: what a capture is like beside its connections.

capture_lines.py TOOL PCAPS

Each capture holds one conversation, captured in a way that the lines `capture` must name: packets twice, times that run
backwards, segments of no connection, packets that are cut.  One job, two jobs and three merged shards print the same
lines, and the connection is judged as without.  The captures of PCAPS give the reason `gap` only where octets are missing.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
import gencaps

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
HOSTS = {4: (b"\x0a\0\0\x01", b"\x0a\0\0\x02"),
         6: (bytes.fromhex("fd000000000000000000000000000001"), bytes.fromhex("fd000000000000000000000000000002"))}
MS = 1000000
START = 10**18


class Talk:
    """A conversation as packets: (time, octets of IP).  Its second Send has a wrong CRC."""

    def __init__(self, family=4, numbered=True):
        self.family, self.numbered, self.packets, self.next = family, numbered, [], [1001, 7001]
        self.number = 0

    def packet(self, side, seq, ack, flags, payload=b""):
        src, dst = HOSTS[self.family][side], HOSTS[self.family][1 - side]
        ports = (40000, 7174) if side == 0 else (7174, 40000)
        self.number += 1
        header = gencaps.tcp_header(src, dst, *ports, seq, ack, flags, payload)
        return gencaps.ip_packet(src, dst, header, self.number if self.numbered else 0)

    def put(self, packet):
        self.packets.append((START + len(self.packets) * MS, packet))

    def say(self, side, payload=b"", flags=ACK | PSH):
        self.put(self.packet(side, self.next[side], self.next[1 - side], flags, payload))
        self.next[side] += len(payload) + (flags & FIN)

    def answer(self, side):
        self.say(side, flags=ACK)

    def whole(self):
        self.put(self.packet(0, 1000, 0, SYN))
        self.put(self.packet(1, 7000, 1001, SYN | ACK))
        self.answer(0)
        framer = gencaps.Framer()
        framer.crc = True
        self.say(0, gencaps.startup_frame(gencaps.REQUEST_KEY, crc=True))
        self.say(1, gencaps.startup_frame(gencaps.REPLY_KEY, crc=True))
        self.answer(0)
        for msn in range(1, 9):
            send = gencaps.untagged(gencaps.SEND, 0, msn, payload=bytes(range(64)))
            self.say(0, framer.frame(send, crc="bad" if msn == 2 else None))
            self.answer(1)
        self.say(0, flags=ACK | FIN)
        self.say(1, flags=ACK | FIN)
        self.answer(0)
        return self


class Check:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.path = tool, folder, os.path.join(folder, "capture.pcap")

    def run(self, *words):
        return subprocess.run((self.tool,) + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def write(self, packets, link=capfile.RAW):
        """Writes packets (time, octets[, length on the wire])."""
        made = [capfile.Packet(i + 1, p[0], p[1], p[2] if len(p) > 2 else len(p[1]), link) for i, p in enumerate(packets)]
        capfile.write_pcap(self.path, made, link, nano=True)

    def lines(self):
        """The lines of one run, which two jobs and three shards must write too."""
        whole = self.run("check", "-T", "jsonl", self.path).stdout
        jobs = self.run("check", "-T", "jsonl", "--jobs", "2", self.path).stdout
        parts = []
        for i in range(3):
            parts.append(os.path.join(self.folder, "part%d" % i))
            with open(parts[i], "wb") as part:
                part.write(self.run("check", "-T", "jsonl", "--shard", "%d/3" % i, self.path).stdout)
        merged = self.run("merge", *parts)
        assert jobs == whole, "two jobs differ:\n%s\n%s" % (whole, jobs)
        assert kit.lines_of_run(merged.stdout) == kit.lines_of_run(whole), "shards differ:\n%s\n%s\n%s" % (whole, merged.stdout, merged.stderr)
        return [json.loads(line) for line in whole.splitlines()]

    def kinds(self, packets, link=capfile.RAW):
        """What the lines `capture` say: {kind: (count, frame)}; and the rules that were violated."""
        self.write(packets, link)
        lines = self.lines()
        found = [line for line in lines if line["type"] == "capture"]
        kinds = {line["kind"]: (line["count"], line["frame"]) for line in found}
        assert len(kinds) == len(found), found
        return kinds, sorted(line["rule"] for line in lines if line["type"] == "finding"), lines


def expect(found, wanted, what):
    assert found == wanted, "%s: expected %s, found %s" % (what, wanted, found)


def plain(check):
    kinds, rules, _ = check.kinds(Talk().whole().packets)
    expect((kinds, rules), ({}, ["mpa.crc"]), "plain")


def twice(packets, after, change=lambda packet: packet):
    """Each packet, and `after` ns later a copy."""
    return [copy for time, packet in packets for copy in ((time, packet), (time + after, change(packet)))]


def other_hop(packet):
    """The packet after a router: another TTL, and so another checksum of the header."""
    head = packet[:8] + bytes((packet[8] - 1,)) + packet[9:10] + b"\0\0" + packet[12:20]
    return head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + packet[20:]


def duplicates(check):
    talk = Talk().whole().packets
    number = len(talk)
    for after, change in ((0, lambda p: p), (50000, other_hop), (5 * MS // 10, other_hop)):
        kinds, rules, lines = check.kinds(twice(talk, after, change))
        expect((kinds, rules), ({"duplicates": (number, 2)}, ["mpa.crc"]), "duplicates")
        expect([line["fpdus"] for line in lines if line["type"] == "connection"], [{"initiator": 8, "responder": 0}], "duplicates")
    assert b"again" not in check.run("timeline", check.path).stdout, check.run("timeline", check.path).stdout
    text = check.run("check", check.path).stdout.decode()
    assert text.index("\ncapture: ") < text.index("\nverdict: ") and "as mirror ports do" in text, text


def without_identification(check):
    """Packets without an Identification that carry something are copies within 100 us."""
    for family in 4, 6:
        talk = Talk(family, numbered=False).whole().packets
        carries = sum(1 for _, packet in talk if len(packet) > (40 if family == 4 else 60)) + 4
        kinds, rules, _ = check.kinds(twice(talk, 100000))
        expect((kinds, rules), ({"duplicates": (carries, 2)}, ["mpa.crc"]), "no Identification")
        kinds, rules, _ = check.kinds(twice(talk, 100001))
        expect((kinds, rules), ({}, ["mpa.crc"]), "no Identification, later")


def far_copies(check):
    """A packet is a copy of one of the 16 packets before it of its direction."""
    for between, copies in ((14, 1), (15, 1), (16, 0)):
        talk = Talk()
        talk.whole()
        first = talk.packets[3][1]
        talk.packets = talk.packets[:4]
        for _ in range(between):
            talk.put(talk.packet(0, 1021, 7001, ACK))
        talk.put(first)
        kinds, _, _ = check.kinds(talk.packets)
        expect(kinds.get("duplicates", (0, 0))[0], copies, "%d packets between" % between)


def not_equal(check):
    """A packet whose octets were exchanged has the same checksum, and is no copy."""
    talk = Talk().whole()
    at = next(i for i, (_, packet) in enumerate(talk.packets) if len(packet) > 100)
    packet = talk.packets[at][1]
    changed = packet[:-12] + packet[-10:-8] + packet[-12:-10] + packet[-8:]
    assert changed != packet
    talk.packets.insert(at + 1, (talk.packets[at][0] + 1000, changed))
    kinds, _, _ = check.kinds(talk.packets)
    expect(kinds, {"octets-differ": (1, at + 1)}, "octets exchanged")


def times(check):
    talk = Talk().whole().packets
    talk[5], talk[6] = (talk[6][0], talk[5][1]), (talk[5][0], talk[6][1])
    talk[9] = (START, talk[9][1])
    kinds, rules, _ = check.kinds(talk)
    expect((kinds, rules), ({"time-backwards": (2, 7)}, ["mpa.crc"]), "times")
    text = check.run("check", check.path).stdout
    assert b"reordercap" in text and b"--join" in text, text


def outside(check):
    talk = Talk().whole()
    alone = talk.packet(0, 5, 0, RST)
    wild = talk.packet(1, 7001 + 2**30, 1001, RST | ACK)
    late = talk.packet(0, 2**31, 77, ACK)
    packets = [(START - MS, alone)] + talk.packets[:9] + [(talk.packets[9][0], wild), (talk.packets[9][0], late)] + talk.packets[9:]
    kinds, rules, _ = check.kinds(packets)
    expect((kinds, rules), ({"outside": (3, 1)}, ["mpa.crc"]), "outside")
    ended = len(talk.packets)
    for side in (0, 1):
        talk.say(side, bytes(range(64)))
    kinds, rules, _ = check.kinds(talk.packets)
    expect((kinds, rules), ({"outside": (2, ended + 1)}, ["mpa.crc"]), "octets after the FINs")


def cut(check):
    talk = Talk().whole().packets
    longer = sum(1 for _, packet in talk if len(packet) > 60)
    kinds, _, lines = check.kinds([(time, packet[:60], len(packet)) for time, packet in talk])
    first = next(i for i, (_, packet) in enumerate(talk) if len(packet) > 60) + 1
    expect(kinds, {"cut": (longer, first)}, "cut")
    expect([line["snaplen"] for line in lines if line["type"] == "capture"], [60], "cut")
    carries = sum(1 for _, packet in talk if len(packet) > 40)
    kinds, _, lines = check.kinds([(time, packet[:40], len(packet)) for time, packet in talk])
    expect(kinds, {"cut": (carries, 4), "no-payload": (carries, 4)}, "no payload")
    expect([line["state"] for line in lines if line["type"] == "transport"], ["no-payload"], "no payload")


def other_protocols(check):
    """Where half of the packets hold nothing that is judged, lines name them; a tunnel has its own in any case."""
    talk = Talk().whole().packets
    src, dst = HOSTS[4]

    def datagram(source, port):
        return gencaps.ip_packet(src, dst, struct.pack("!HHHH", source, port, 24, 0) + bytes(16), 0, protocol=17)

    for number, lines in ((len(talk), {"not-decoded": (len(talk), 3)}), (len(talk) - 1, {})):
        packets = talk[:2] + [(talk[1][0], datagram(50000, 9999))] + [(talk[1][0], datagram(53, 60000))] * (number - 1) + talk[2:]
        kinds, rules, found = check.kinds(packets)
        expect((kinds, rules), (lines, ["mpa.crc"]), "%d packets of UDP" % number)
        expect([line["protocol"] for line in found if line["type"] == "capture"], ["UDP, such as port 9999"] * len(lines), "UDP")
    more = [(talk[2][0], datagram(4500, 4500))]
    for times in 1, len(talk):
        kinds, _, found = check.kinds(talk[:3] + more * times + talk[3:])
        expect([line["protocol"] for line in found if line["type"] == "capture"], ["ESP in UDP"], "a tunnel")
    ping = (talk[2][0], gencaps.ip_packet(src, dst, b"\x08\0" + bytes(14), 0, protocol=1))
    name = (talk[2][0], datagram(50000, 53))
    all_of_them = ["ESP in UDP", "ICMP", "UDP, such as port 53"]
    for number, protocols in ((len(talk) - 2, all_of_them), (len(talk) - 3, all_of_them[:1])):
        check.write(talk[:3] + [ping] * number + more + [name] + talk[3:], capfile.RAW)
        found = check.lines()
        expect([line["protocol"] for line in found if line["type"] == "capture"], protocols, "half of it")
        expect([line["rule"] for line in found if line["type"] == "finding"], ["mpa.crc"], "half of it")


def gaps(check, pcaps):
    """A rule is inconclusive for the reason `gap` only in a capture of which octets or messages are missing."""
    folders = [os.path.join(pcaps, name) for name in ("synthetic/rules", "synthetic/sctp", "synthetic/traffic", "real/siw")]
    paths = {name: os.path.join(folder, name) for folder in folders for name in os.listdir(folder)}
    found = [json.loads(line) for line in check.run("check", "-T", "jsonl", *folders).stdout.splitlines()]
    named = [line for line in found if line["type"] == "connection" and "gap" in line["inconclusive"]]
    assert named, "no capture of the repository has a gap"
    for line in named:
        dumped = check.run("dump", "-T", "jsonl", paths[os.path.basename(line["file"])]).stdout
        assert b'"pdu":"gap"' in dumped, "nothing of %s is missing" % line["file"]


def unproven(check):
    """Without CRCs a segment with a stale checksum, or two copies of one, leave rules open; nothing is missing."""
    for reason in ("checksum-wrong", "octets-differ"):
        cap = gencaps.Capture()
        conn = cap.connection()
        conn.open()
        conn.request()
        conn.reply()
        conn.send_message(0, b"first")
        begins = conn.next[0]
        octets = conn.frame(0, gencaps.untagged(gencaps.SEND, 0, conn.next_msn(0, 0), payload=b"second"))
        conn.send(0, octets, ack=False, check="bad" if reason == "checksum-wrong" else "good")
        if reason == "octets-differ":
            conn.packet(0, octets[:9] + b"?" + octets[10:], seq=begins)
        for _ in range(3):
            conn.send_message(0, b"later")
        conn.close()
        cap.write(check.path)
        reasons = [line["inconclusive"] for line in check.lines() if line["type"] == "connection"]
        assert len(reasons) == 1 and reason in reasons[0] and "gap" not in reasons[0], (reason, reasons)


def main():
    tool, pcaps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check = Check(tool, folder)
        for test in (plain, duplicates, without_identification, far_copies, not_equal, times, outside, cut, other_protocols):
            test(check)
        unproven(check)
        gaps(check, pcaps)


if __name__ == "__main__":
    main()
