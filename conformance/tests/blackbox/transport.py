#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""transport: TCP connections without iWARP, and how far they came.

transport.py TOOL

Each capture holds connections to one server port that end before the MPA startup.  The lines `transport` must name the
state of each kind of them, with one job, with two, and joined from three shards.
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
RAW_IP = 101
ENDS = {4: (b"\x0a\0\0\x01", b"\x0a\0\0\x02"),
        6: (bytes.fromhex("fd000000000000000000000000000001"), bytes.fromhex("fd000000000000000000000000000002"))}
HOSTS = {4: ("10.0.0.1", "10.0.0.2"), 6: ("[fd00::1]", "[fd00::2]")}

LIKE = {"mpa": b"MPA ID Req Frome" + bytes((0, 1, 0, 0)),
        "http": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "http2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "ssh": b"SSH-2.0-server\r\n        ",
        "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(20),
        "smb": b"\0\0\0\x40\xffSMB" + bytes(24),
        "smb2": b"\0\0\0\x40\xfeSMB" + bytes(24),
        "nvme-tcp": bytes((0, 0, 128, 0, 128, 0, 0, 0)) + bytes(120),
        "iscsi": bytes((0x43, 0x87, 0, 0, 0, 0, 0, 64)) + bytes(40),
        "rpc": b"\x80\0\0\x28" + b"abcd" + bytes(4) + struct.pack("!I", 2) + bytes(24),
        None: b"nothing that is known   "}


class Capture:
    """Packets of connections between the two ends; the state of a connection is the tape of its packets."""

    def __init__(self, family):
        self.family, self.packets = family, []

    def send(self, side, ports, seq, ack, flags, payload=b"", kept=None):
        src, dst = ENDS[self.family][side], ENDS[self.family][1 - side]
        pair = ports if side == 0 else ports[::-1]
        packet = gencaps.ip_packet(src, dst, gencaps.tcp_header(src, dst, *pair, seq, ack, flags, payload))
        size = len(packet) if kept is None else len(packet) - len(payload) + kept
        self.packets.append((packet[:size], len(packet)))

    def connection(self, state, ports, first=b""):
        """Sends what a connection of this state consists of."""
        late = state == "not-captured-from-start"
        if not late:
            self.send(0, ports, 1000, 0, SYN)
        if state == "refused":
            self.send(1, ports, 0, 1001, RST | ACK)
        elif state == "unanswered":
            self.send(0, ports, 1000, 0, SYN)
        else:
            if not late:
                self.send(1, ports, 7000, 1001, SYN | ACK)
                self.send(0, ports, 1001, 7001, ACK)
            self.established(state, ports, first)

    def established(self, state, ports, first):
        at = 1001
        if state == "reset":
            self.send(1, ports, 7001, at, RST | ACK)
            return
        if state in ("no-startup", "not-captured-from-start", "cut"):
            self.send(0, ports, at, 7001, ACK | PSH, first, 0 if state == "cut" else None)
            at += len(first)
            self.send(1, ports, 7001, at, ACK)
        self.send(0, ports, at, 7001, ACK | FIN)
        self.send(1, ports, 7001, at + 1, ACK | FIN)
        self.send(0, ports, at + 1, 7002, ACK)

    def write(self, path):
        packets = [capfile.Packet(i + 1, 10**18 + 1000000 * i, p, size, RAW_IP) for i, (p, size) in enumerate(self.packets)]
        capfile.write_pcap(path, packets, RAW_IP)


def run(tool, *words):
    return subprocess.run((tool,) + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def lines_of(tool, path, folder):
    """The lines of one run, which two jobs and three shards must write too."""
    whole = run(tool, "check", "-T", "jsonl", path).stdout
    jobs = run(tool, "check", "-T", "jsonl", "--jobs", "2", path).stdout
    parts = []
    for i in range(3):
        parts.append(os.path.join(folder, "part%d" % i))
        with open(parts[i], "wb") as part:
            part.write(run(tool, "check", "-T", "jsonl", "--shard", "%d/3" % i, path).stdout)
    merged = run(tool, "merge", *parts)
    assert jobs == whole, "two jobs differ"
    assert kit.lines_of_run(merged.stdout) == kit.lines_of_run(whole), "shards differ:\n%s\n%s\n%s" % (whole, merged.stdout, merged.stderr)
    return [json.loads(line) for line in whole.splitlines()]


def found_in(tool, path, folder):
    return [{k: v for k, v in line.items() if k not in ("type", "file", "diagnosis")}
            for line in lines_of(tool, path, folder) if line["type"] == "transport"]


def expect(found, wanted, what):
    assert found == wanted, "%s: expected %s, found %s" % (what, wanted, found)


def states(tool, path, folder, family):
    """One connection, then three of each state."""
    client, server = HOSTS[family]
    for state, words in (("refused", "refused: an RST answers"), ("unanswered", "got no answer"), ("reset", "reset before any payload"),
                         ("no-startup", "no MPA startup frame"), ("no-payload", "no payload"), ("cut", "the snapshot length cut it off"),
                         ("not-captured-from-start", "if that is iWARP, try -d tcp.port==7174")):
        for number in (1, 3):
            capture = Capture(family)
            for i in range(number):
                capture.connection(state, (40000 + i, 7174), b"nothing that is known   ")
            capture.write(path)
            line = {"frame": 1, "client": client + ":40000", "server": server + ":7174",
                    "state": "no-payload" if state == "cut" else state, "count": number}
            if state == "cut":
                line["cut"] = True
            expect(found_in(tool, path, folder), [line], state)
            text = run(tool, "check", path)
            assert words in text.stdout.decode(), (words, text.stdout)
            assert b"no iWARP found: %d TCP connection" % number in text.stderr, text.stderr


def protocols(tool, path, folder, family):
    for name, first in LIKE.items():
        capture = Capture(family)
        capture.connection("no-startup", (40000, 7174), first)
        capture.write(path)
        expect([line.get("looks_like") for line in found_in(tool, path, folder)], [name], name)


def refused_by_the_client(tool, path, folder):
    """An RST of the client answers no SYN: the server stays silent."""
    capture = Capture(4)
    capture.send(0, (40000, 7174), 1000, 0, SYN)
    capture.send(0, (40000, 7174), 1001, 0, RST)
    capture.write(path)
    expect([line["state"] for line in found_in(tool, path, folder)], ["unanswered"], "RST of the client")


def rocev2(tool, path, folder):
    """RoCEv2 has a line for each pair of hosts, whoever sends."""
    def packet(src, dst, port, octet=0):
        bth = bytes((4, octet)) + b"\xff\xff" + struct.pack("!II", 0x12, 0x80000001) + bytes(32)
        head = struct.pack("!BBHHHBBH", 0x45, 0, 28 + len(bth), 0, 0, 64, 17, 0) + src + dst
        return head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + struct.pack(
            "!HHHH", port, 4791, 8 + len(bth), 0) + bth
    one, two = ENDS[4]
    three = b"\x0a\0\0\3"
    capture = Capture(4)
    capture.connection("refused", (40000, 7174))
    packets = [packet(two, one, 50001, 1), packet(one, two, 50000), packet(two, one, 50001), packet(three, two, 50002)] * 3
    capture.packets += [(octets, len(octets)) for octets in packets]
    capture.write(path)
    line = {"state": "no-startup", "looks_like": "rocev2", "count": 1}
    expect(found_in(tool, path, folder)[1:], [
        dict(line, frame=4, client="10.0.0.1:50000", server="10.0.0.2:4791"),
        dict(line, frame=6, client="10.0.0.3:50002", server="10.0.0.2:4791")], "RoCEv2")
    text = run(tool, "check", path)
    assert b"10.0.0.2:4791 is RoCEv2" in text.stdout and b"1 TCP connection (refused), RoCEv2 over UDP" in text.stderr, text


def iwarp_has_no_line(tool, path, folder):
    """A connection with a Request is iWARP; one that is refused before it still has its line."""
    capture = Capture(4)
    capture.connection("refused", (39999, 7174))
    capture.connection("no-startup", (40000, 7174), b"MPA ID Req Frame" + b"\x40\1\0\0")
    capture.write(path)
    found = lines_of(tool, path, folder)
    expect([line["type"] for line in found], ["run", "connection", "transport", "summary"], "beside iWARP")
    expect(found[2]["state"], "refused", "beside iWARP")


def many_kinds(tool, path):
    """100 kinds have lines; all further connections have one."""
    capture = Capture(4)
    for i in range(150):
        for client in range(2):
            capture.connection("refused", (40000 + client, 1000 + i))
    capture.write(path)
    found = [json.loads(line) for line in run(tool, "check", "-T", "jsonl", path).stdout.splitlines()]
    found = [line for line in found if line["type"] == "transport"]
    expect((len(found), [line["count"] for line in found[:100]], found[100]["state"], found[100]["count"]),
           (101, [2] * 100, "other", 100), "many kinds")


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "transport.pcap")
        for family in (4, 6):
            states(tool, path, folder, family)
            protocols(tool, path, folder, family)
        refused_by_the_client(tool, path, folder)
        rocev2(tool, path, folder)
        iwarp_has_no_line(tool, path, folder)
        many_kinds(tool, path)


main()
