#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""icmp: errors of ICMP about TCP, by `TOOL check`.   icmp.py TOOL

A SYN and an error about it, over IPv4 and IPv6, in VLANs and tunnels, and about a tunnel: each says the same. Damaged and foreign
ones say nothing. Jobs and shards agree with one run.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

V4 = {"a": bytes((10, 0, 0, 1)), "b": bytes((10, 0, 0, 2)), "router": bytes((10, 0, 9, 9))}
V6 = {name: bytes((0xfd, 0)) + bytes(13) + bytes((i,)) for i, name in enumerate(("a", "b", "router"), 1)}

# Type and code of ICMP, of ICMPv6, what the error says, and the diagnosis.
CODES = [
    ((3, 0), (1, 0), "network unreachable", "icmp-unreachable"),
    ((3, 1), (1, 3), "host unreachable", "icmp-unreachable"),
    ((3, 2), (4, 1), "protocol unreachable", "icmp-unreachable"),
    ((3, 3), (1, 4), "port unreachable", "icmp-refused"),
    ((3, 13), (1, 1), "administratively prohibited", "icmp-refused"),
    ((3, 10), (1, 5), "administratively prohibited", "icmp-refused"),
    ((11, 0), (3, 0), "time to live exceeded", "icmp-unreachable"),
    ((3, 4), (2, 0), None, "tcp-unanswered"),
    ((3, 16), (1, 7), None, "tcp-unanswered"),
    ((11, 1), (3, 1), None, "tcp-unanswered"),
    ((12, 0), (4, 0), None, "tcp-unanswered"),
    ((8, 0), (128, 0), None, "tcp-unanswered"),
]


def summed(octets):
    octets += bytes(len(octets) % 2)
    total = sum(struct.unpack("!%dH" % (len(octets) // 2), octets))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return struct.pack("!H", 0xffff - total)


def ip4(protocol, payload, src, dst):
    head = struct.pack("!BBHHHBB2s4s4s", 0x45, 0, 20 + len(payload), 7, 0x4000, 64, protocol, bytes(2), V4[src], V4[dst])
    return head[:10] + summed(head) + head[12:] + payload


def ip6(protocol, payload, src, dst):
    return struct.pack("!IHBB16s16s", 6 << 28, len(payload), protocol, 64, V6[src], V6[dst]) + payload


def syn(six, port=4000):
    tcp = struct.pack("!HHIIBBHHH", port, 5000, 1000, 0, 0x50, 2, 65535, 0, 0)
    pseudo = (V6["a"] + V6["b"] + struct.pack("!II", len(tcp), 6)) if six else V4["a"] + V4["b"] + struct.pack("!HH", 6, len(tcp))
    tcp = tcp[:16] + summed(pseudo + tcp) + tcp[18:]
    return (ip6 if six else ip4)(6, tcp, "a", "b")


def error(six, kind, code, quoted, source="router", damaged=False, last=0):
    message = struct.pack("!BB2sI", kind, code, bytes(2), last) + quoted
    pseudo = (V6[source] + V6["a"] + struct.pack("!II", len(message), 58)) if six else b""
    message = message[:2] + summed(pseudo + message) + message[4:]
    if damaged:
        message = message[:-1] + bytes((message[-1] ^ 1,))
    return (ip6 if six else ip4)(58 if six else 1, message, source, "a")


def ether(packet):
    return bytes(12) + struct.pack("!H", 0x86dd if packet[0] >> 4 == 6 else 0x0800) + packet


def vlan(packet):
    return bytes(12) + struct.pack("!HHH", 0x8100, 5, 0x86dd if packet[0] >> 4 == 6 else 0x0800) + packet


def vxlan_packet(packet):
    inner = ether(packet)
    udp = struct.pack("!HHHHII", 50000, 4789, 16 + len(inner), 0, 8 << 24, 7 << 8) + inner
    return ip4(17, udp, "a", "b")


def vxlan(packet):
    return ether(vxlan_packet(packet))


def capture(frames):
    out = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    for seconds, frame in frames:
        out += struct.pack("<IIII", 1700000000 + seconds, 0, len(frame), len(frame)) + frame
    return out


def run(tool, path, *words):
    done = subprocess.run([tool, "check", "-T", "jsonl", *words, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout


def said(output):
    found = [json.loads(line) for line in output.splitlines()]
    return [(line.get("icmp"), line["diagnosis"][0]["id"], line["diagnosis"][0]["certainty"], line["diagnosis"][0]["frames"])
            for line in found if line["type"] == "transport"]


def scenes():
    """(name, frames, the lines that check prints)"""
    for six in (False, True):
        family = "IPv6" if six else "IPv4"
        for row in CODES:
            kind, code = row[1 if six else 0]
            packets = [syn(six), error(six, kind, code, syn(six)[:48 if six else 28])]
            due = [(row[2], row[3], "certain" if row[2] else "likely", [1, 2] if row[2] else [1])]
            for name, frame in (("Ethernet", ether), ("VLAN", vlan), ("VXLAN", vxlan)):
                yield ("%s %d/%d in %s" % (family, kind, code, name), [(0, frame(packets[0])), (2, frame(packets[1]))], due)
        kind, code = CODES[1][1 if six else 0]
        none = [(None, "tcp-unanswered", "likely", [1])]
        yield family + " damaged", [(0, ether(syn(six))), (2, ether(error(six, kind, code, syn(six), damaged=True)))], none
        yield family + " another port", [(0, ether(syn(six))), (2, ether(error(six, kind, code, syn(six, 4001))))], none
        other = bytearray(syn(six)[:48 if six else 28])
        other[-4] ^= 1
        yield family + " another number", [(0, ether(syn(six))), (2, ether(error(six, kind, code, bytes(other))))], none
        for cut in (0, 20, 27, 47 if six else 27):
            yield "%s %d octets quoted" % (family, cut), [(0, ether(syn(six))), (2, ether(error(six, kind, code, syn(six)[:cut])))], none
    part = bytearray(syn(False)[:28])
    part[6] |= 0x20  # the first fragment of the packet
    known = [("host unreachable", "icmp-unreachable", "certain", [1, 2])]
    yield "about the tunnel", [(0, vxlan(syn(False))), (2, ether(error(False, 3, 1, vxlan_packet(syn(False)))))], known
    yield "about a fragment", [(0, ether(syn(False))), (2, ether(error(False, 3, 1, bytes(part))))], known
    part[7] |= 1  # a later one, which has no ports
    yield "about a later fragment", [(0, ether(syn(False))), (2, ether(error(False, 3, 1, bytes(part))))], \
        [(None, "tcp-unanswered", "likely", [1])]
    yield "before the SYN", [(0, ether(error(False, 3, 1, syn(False)))), (0, ether(syn(False))), (2, ether(ip4(17, bytes(8), "a", "b")))], \
        [(None, "tcp-unanswered", "likely", [2])]


def check_scenes(tool, path):
    for name, frames, due in scenes():
        with open(path, "wb") as stream:
            stream.write(capture(frames))
        found = said(run(tool, path))
        if found != due:
            yield "%s: %s in place of %s" % (name, found, due)


def check_ways(tool, folder):
    """SYNs with and without an error, in one run, in jobs, and in shards."""
    path = os.path.join(folder, "many.pcap")
    frames = []
    for port in range(4000, 4040):
        frames.append((0, ether(syn(False, port))))
        if port % 3:
            frames.append((2, ether(error(False, 3, port % 3, syn(False, port)[:28]))))
    with open(path, "wb") as stream:
        stream.write(capture(frames))
    whole = run(tool, path)
    if sorted(line[0] or "" for line in said(whole)) != ["", "host unreachable", "protocol unreachable"]:
        yield "many: %s" % said(whole)
    if run(tool, path, "--jobs", "2") != whole:
        yield "jobs differ"
    parts = [os.path.join(folder, "part%d" % i) for i in range(2)]
    for i, part in enumerate(parts):
        with open(part, "wb") as stream:
            stream.write(run(tool, path, "--shard", "%d/2" % i))
    joined = subprocess.run([tool, "merge", *parts], stdout=subprocess.PIPE, check=False).stdout
    if joined.partition(b"\n")[2] != whole.partition(b"\n")[2]:
        yield "shards differ"
    text = subprocess.run([tool, "check", path], stdout=subprocess.PIPE, check=False).stdout.decode()
    if "; from frame 2 on ICMP errors say: host unreachable" not in text:
        yield "text: %s" % text


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        complaints = [*check_scenes(tool, os.path.join(folder, "icmp.pcap")), *check_ways(tool, folder)]
    print("\n".join(complaints) or "each error of ICMP is reported")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
