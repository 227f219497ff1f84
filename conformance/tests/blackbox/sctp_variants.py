#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sctp_variants: findings of `TOOL check` on the SCTP captures of a manifest and on their variants.

    sctp_variants.py TOOL MANIFEST

The same octets in other packets (doubled, tagged, fragmented by IP, over IPv6, other link types)
must give the same findings.  A capture with less in it must show no violation or warning that the whole has not. It
lacks a packet, a side or the beginning, or its packets are cut or exchanged.
Acknowledgments in packets of their own, before the DATA that they stood beside, must give the
findings again, and no other ones; after it, or not there, no other ones.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter

import kit  # noqa: F401  isort: skip
import capfile
import compare
import gencaps
import gensctp
import refsctp
from crc32c import crc32c

GRAVE = ("violation", "warning")
BATCH = 200


class Packet:
    """What a capture file is written of."""

    def __init__(self, time, data, wire_len=None):
        self.time, self.data, self.wire_len = time, data, wire_len or len(data)


def findings(tool, paths):
    """Returns {base name: list of findings}."""
    out = {os.path.basename(path): [] for path in paths}
    for at in range(0, len(paths), BATCH):
        words = [tool, "check", "-T", "jsonl", *paths[at:at + BATCH]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            sys.exit("exit status %d: %s" % (done.returncode, done.stderr[-300:]))
        for line in map(json.loads, done.stdout.splitlines()):
            if line["type"] == "finding":
                out[line["file"]].append(line)
    return out


def key(line, ends):
    """What a finding is, whatever the packets were that brought it."""
    names = ends.get(line["src"], line["src"])
    return line["rule"], names, line["stream"], line.get("seq"), line["message"]


def grave(line, ends):
    return line["severity"] in GRAVE and key(line, ends)[:4]


class Variant:
    def __init__(self, name, less, packets, link, ends=None, keeps=False):
        self.name, self.less, self.packets, self.link = name, less, packets, link
        self.ends, self.keeps = ends or {}, keeps  # whether the findings stay, too


def sctp_of(packet):
    """(IP packet, octets of SCTP) of a packet that is not fragmented."""
    head = capfile.ip_header(packet)
    if head is None or head.proto != 132 or head.fragmented:
        return None, None
    ip = packet.data[head.start:]
    return ip, packet.data[head.payload:head.payload + head.length]


def as_ipv6(packet):
    """The same over IPv6."""
    head = capfile.ip_header(packet)
    _, octets = sctp_of(packet)
    src, dst = (b"\xfe\x80" + bytes(10) + address for address in (head.src, head.dst))
    return gensctp.ip_packet(src, dst, octets)


def chunks_of(octets):
    """The chunks of an SCTP packet, with their padding."""
    at, out = 12, []
    while at + 4 <= len(octets):
        size = int.from_bytes(octets[at + 2:at + 4], "big")
        if size < 4:
            return None
        out.append(octets[at:at + (size + 3) // 4 * 4])
        at += len(out[-1])
    return out


def with_chunks(packet, octets, chunks, later=0):
    """The packet with other chunks."""
    head = capfile.ip_header(packet)
    sport, dport, tag = struct.unpack("!HHI", octets[:8])
    check = "zero" if octets[8:12] == bytes(4) else "good"
    sctp = gensctp.sctp_packet(sport, dport, tag, chunks, check)
    return Packet(packet.time + later, gensctp.ip_packet(head.src, head.dst, sctp))


def acks_apart(packets, where):
    """SACKs in packets of their own: 1 before the DATA, -1 after it, 0 not at all."""
    out = []
    for packet in packets:
        _, octets = sctp_of(packet)
        chunks = octets and len(octets) % 4 == 0 and chunks_of(octets)
        if not chunks or packet.wire_len != len(packet.data) or not is_good(octets):
            return None
        acks = [c for c in chunks if c[0] == gensctp.SACK]
        rest = [c for c in chunks if c[0] != gensctp.SACK]
        if acks and where == 1:
            out.append(with_chunks(packet, octets, acks))
        if rest:
            out.append(with_chunks(packet, octets, rest))
        if acks and where == -1:
            out.append(with_chunks(packet, octets, acks))
    return out


def is_good(octets):
    zero = octets[:8] + bytes(4) + octets[12:]
    return octets[8:12] in (bytes(4), struct.pack("<I", crc32c(zero)))


def relinked(packets, link, vlans=()):
    return [Packet(p.time, gencaps.encapsulate(sctp_of(p)[0], link, vlans)) for p in packets]


def same(packets, link):
    """Variants that say the same."""
    yield Variant("doubled", False, [p for p in packets for _ in (0, 1)], link)
    if not all(sctp_of(p)[0] for p in packets):
        return
    for other, vlans, name in ((capfile.SLL, (), "sll"), (capfile.SLL2, (), "sll2"),
                               (capfile.RAW, (), "raw"), (capfile.NULL, (), "null"),
                               (capfile.EN10MB, ((0x88A8, 5), (0x8100, 6)), "vlan")):
        yield Variant(name, False, relinked(packets, other, vlans), other)
    parts = []
    for number, p in enumerate(packets):
        ip = sctp_of(p)[0]
        for part in reversed(gencaps.fragments(ip, 48, number + 1)):
            parts.append(Packet(p.time, part))
    yield Variant("ip-fragments", False, parts, capfile.RAW)
    if all(capfile.ip_header(p).version == 4 for p in packets):
        ends = {}
        for p in packets:
            octets = sctp_of(p)[1]
            for at, address in ((0, capfile.ip_header(p).src), (2, capfile.ip_header(p).dst)):
                port = int.from_bytes(octets[at:at + 2], "big")
                six = b"\xfe\x80" + bytes(10) + address
                ends[capfile.endpoint((six, port))] = capfile.endpoint((address, port))
        yield Variant("ipv6", False, [Packet(p.time, as_ipv6(p)) for p in packets], capfile.RAW,
                      ends)


def acks(packets):
    """Variants with their acknowledgments elsewhere."""
    for where, name, keeps in ((1, "acks-before", True), (-1, "acks-after", False), (0, "no-acks", False)):
        made = acks_apart(packets, where)
        if made:
            yield Variant(name, True, made, capfile.RAW, keeps=keeps)


def less(packets, link):
    """Variants that say less."""
    for i in range(len(packets)):
        yield Variant("without-%d" % (i + 1), True, packets[:i] + packets[i + 1:], link)
        yield Variant("from-%d" % (i + 1), True, packets[i:], link)
        yield Variant("to-%d" % (i + 1), True, packets[:i], link)
    for i in range(len(packets) - 1):
        yield Variant("swapped-%d" % (i + 1), True,
                      packets[:i] + [packets[i + 1], packets[i]] + packets[i + 2:], link)
    for every in (2, 3, 5):
        for start in range(every):
            kept = [p for i, p in enumerate(packets) if i % every != start]
            yield Variant("every-%d-%d" % (every, start), True, kept, link)
    sides = sorted({capfile.ip_header(p).src for p in packets if capfile.ip_header(p)})
    for i, side in enumerate(sides):
        yield Variant("side-%d" % i, True,
                      [p for p in packets if capfile.ip_header(p).src == side], link)
    for length in (46, 50, 62, 66, 70, 74, 78, 80, 84, 90, 100, 120):
        yield Variant("snap-%d" % length, True,
                      [Packet(p.time, p.data[:length], p.wire_len) for p in packets], link)


def judge(before, after, variant):
    if variant.name == "ip-fragments":  # where IP fragments, SCTP may: RFC 5043 9
        before = [line for line in before if line["rule"] != "sctp.fragmentation"]
    if variant.less:
        old = {grave(line, {}) for line in before}
        new = {grave(line, variant.ends) for line in after}
        out = ["new finding %s" % (item,) for item in sorted(new - old - {False}, key=str)]
        if variant.keeps:
            out += ["missing %s" % (item,) for item in sorted(old - new - {False}, key=str)]
        return out
    old = Counter(key(line, {}) for line in before)
    new = Counter(key(line, variant.ends) for line in after)
    return (["missing %s" % (item,) for item in sorted(old - new, key=str)]
            + ["new finding %s" % (item,) for item in sorted(new - old, key=str)])


def check_capture(tool, path):
    """Returns (number of variants, texts)."""
    capture = capfile.read_capture(path)
    packets = [Packet(p.time, p.data, p.wire_len) for p in capture.packets]
    for packet in packets:
        packet.link = capture.link
    made, out = [*same(packets, capture.link), *acks(packets), *less(packets, capture.link)], []
    before = findings(tool, [path])[os.path.basename(path)]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, variant in enumerate(made):
            paths.append(os.path.join(folder, "%d.pcap" % i))
            capfile.write_pcap(paths[-1], variant.packets, variant.link)
        after = findings(tool, paths)
        for i, variant in enumerate(made):
            out += ["%s: %s" % (variant.name, text)
                    for text in judge(before, after["%d.pcap" % i], variant)]
    return len(made), out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    total = bad = count = 0
    for row in compare.manifest(sys.argv[2]):
        if not refsctp.associations(capfile.read_capture(row["file"]).packets):
            continue
        made, found = check_capture(os.path.abspath(sys.argv[1]), row["file"])
        total, count, bad = total + 1, count + made, bad + bool(found)
        for text in found[:10]:
            print("%s: %s" % (row["file"], text))
    print("%d captures, %d variants, %d captures differ" % (total, count, bad))
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
