#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""files: captures of several interfaces, of all link types that are read, and files that are no captures.

files.py TOOL PCAPS [SEED [ROUNDS]]

Each round deals the packets of a capture to interfaces of random link types, snapshot lengths and clocks, in sections of
both byte orders.  Packets of a link type that is not read lie between them.  Connections and findings stay the same, for one
job, for several, for merged shards and for the copy that --annotate writes.  A file of a foreign format is named in one
line that says what to do.
"""

import base64
import bz2
import gzip
import io
import json
import lzma
import os
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import kit  # isort: skip
import capfile
import encapsulated

MACS = encapsulated.MACS
UNREAD = 105  # IEEE 802.11


def six(packet):
    return packet[0] >> 4 == 6


def ethertype(packet):
    return struct.pack("!H", encapsulated.ethertype(packet))


def erf(chance, packet, wire):
    """A record with extension headers, of a type that has IP or Ethernet inside; padding follows it."""
    kind, head = chance.choice(((2, 18), (11, 18), (16, 18), (26, 18), (22, 0), (23, 0)))
    inner = (b"\0\0" + MACS + ethertype(packet) if head else b"") + packet
    extensions = chance.randrange(4)
    words = [bytes([(3 | 0x80) if left else 3]) + bytes(7) for left in reversed(range(extensions))]
    length = wire + (14 if head else 0)
    return bytes(8) + struct.pack("!BBHHH", kind | (0x80 if extensions else 0), 4, 0, 0, length) + b"".join(words) + inner


def nflog(chance, packet, wire):
    """The packet among other TLVs, in the byte order of some machine."""
    order = chance.choice("<>")
    others = [struct.pack(order + "HH", 4 + size, kind) + bytes((size + 3) // 4 * 4) for kind, size in ((1, 4), (10, 5), (4, 4))]
    chance.shuffle(others)
    return b"\2\0\0\0" + b"".join(others) + struct.pack(order + "HH", 4 + wire, 9) + packet


def ppp(chance, packet, wire):
    """With address and control or without, the protocol in two octets or in one."""
    number = b"\0\x57" if six(packet) else b"\0\x21"
    return chance.choice((b"\xff\3", b"")) + chance.choice((number, number[1:])) + packet


def loopback(chance, packet, wire):
    family = chance.choice((10, 23, 24, 28, 30)) if six(packet) else 2
    return struct.pack(chance.choice("<>") + "I", family) + packet


def sll2(chance, packet, wire):
    return ethertype(packet) + struct.pack("!HIHBB8s", 0, 1, 1, 0, 6, MACS[:8]) + packet


def pppoe(chance, packet, wire):
    return struct.pack("!HHH", 0x1100, 1, wire + 2) + (b"\0\x57" if six(packet) else b"\0\x21") + packet


# Numbers of link types, and how an IP packet is put inside.
LINKS = [(1, lambda chance, packet, wire: MACS + ethertype(packet) + packet),
         (101, lambda chance, packet, wire: packet), (0, loopback),
         (108, lambda chance, packet, wire: struct.pack("!I", 28 if six(packet) else 2) + packet),
         (113, lambda chance, packet, wire: struct.pack("!HHH8s", 0, 1, 6, MACS[:8]) + ethertype(packet) + packet),
         (276, sll2), (9, ppp), (50, ppp), (51, pppoe),
         (204, lambda chance, packet, wire: chance.choice((b"\0", b"\1")) + ppp(chance, packet, wire)),
         (197, erf), (239, nflog), (104, lambda chance, packet, wire: b"\x0f\0" + ethertype(packet) + packet),
         (109, lambda chance, packet, wire: bytes(12) + packet), (117, lambda chance, packet, wire: b"\x3d" + bytes(63) + packet),
         (192, lambda chance, packet, wire: struct.pack("<BBHI", 0, 0, 8, 1) + MACS + ethertype(packet) + packet),
         (242, lambda chance, packet, wire: bytes(40) + ethertype(packet) + bytes(2) + packet)]


def link_for(chance, packet):
    """Any of them, or the one of the packet's version of IP."""
    number, inside = chance.choice(LINKS + [(None, None)])
    return (number, inside) if inside else (229 if six(packet) else 228, LINKS[1][1])


def relinked(chance, packet, link, inside):
    """The packet with another link layer."""
    cut = packet.wire_len - len(packet.data)
    data = inside(chance, packet.data, len(packet.data) + cut)
    return capfile.Packet(packet.frame, packet.time, data, len(data) + cut, link)


# --- pcapng -------------------------------------------------------------------------------------


class Section:
    """A section and its interfaces, each for a link type."""

    def __init__(self, chance):
        self.chance, self.order, self.links = chance, chance.choice("<>"), {}
        self.blocks = [self.block(0x0A0D0D0A, struct.pack(self.order + "IHHq", 0x1A2B3C4D, 1, chance.choice((0, 2)), -1))]

    def block(self, kind, body):
        size = struct.pack(self.order + "I", 12 + len(body))
        return struct.pack(self.order + "I", kind) + size + body + size

    def interface(self, link):
        """One of the interfaces for the link type; a snapshot length need not be true."""
        if link not in self.links or self.chance.random() < 0.1:
            clock = self.chance.choice(((9, 1), (6, 1000), (None, 1000), (10, 0), (0x80 | 30, 0)))
            options = struct.pack(self.order + "HHB3xHH", 9, 1, clock[0], 0, 0) if clock[0] is not None else b""
            body = struct.pack(self.order + "HHI", link, 0, self.chance.choice((0, 60, 96, 1600, 262144))) + options
            self.blocks.append(self.block(1, body))
            self.links[link] = (sum(1 for block in self.blocks if block[:4] == struct.pack(self.order + "I", 1)) - 1, clock)
        return self.links[link]

    def put(self, packet):
        number, clock = self.interface(packet.link)
        units = packet.time // clock[1] if clock[1] else packet.time * 10 if clock[0] == 10 else -(-(packet.time << 30) // 10**9)
        fields = struct.pack(self.order + "IIIII", number, units >> 32, units & 0xFFFFFFFF, len(packet.data), packet.wire_len)
        self.blocks.append(self.block(6, fields + packet.data + bytes(-len(packet.data) % 4)))


def write_sections(chance, path, packets):
    """The packets in interfaces and sections as chance has it; returns how many are of a link type that is not read."""
    section, unread, written = Section(chance), 0, []
    for packet in packets:
        if chance.random() < 0.1:
            written += section.blocks
            section = Section(chance)
        if chance.random() < 0.1:
            section.put(capfile.Packet(0, packet.time, bytes(40), 40, UNREAD))
            unread += 1
        section.put(relinked(chance, packet, *link_for(chance, packet.data)))
    with open(path, "wb") as out:
        out.write(b"".join(written + section.blocks))
    return unread


def judged(answer, exact):
    """Status and lines without what link layers change; without packets in between (exact) also frames are the same."""
    status, found, _ = answer
    kept = []
    for line in found:
        if line["type"] in ("run", "capture"):
            continue
        line = {key: value for key, value in line.items() if key not in ("octets", "encapsulation", "packets") or
                (key == "octets" and line["type"] == "connection")}
        if not exact:
            line = {key: value for key, value in line.items() if key not in ("message", "text", "terminate", "undecodable", "diagnosis", "at_end") and not key.endswith("frame")}
        kept.append(line)
    return status, kept


class Rounds(encapsulated.Rounds):
    """Rounds of whole captures in pcapng files of many interfaces."""

    def expect(self, condition, what):
        if not condition:
            self.wrong.append(what)

    def round(self, chance, name, packets):
        plain, path = self.path("plain", name), self.path("mixed", name)
        capfile.write_pcap(plain, packets, capfile.RAW, nano=True)
        unread = write_sections(chance, path, packets)
        due = judged(encapsulated.lines(self.tool, plain), unread == 0)
        one = encapsulated.lines(self.tool, path)
        got = judged(one, unread == 0)
        self.expect(got == due, "%s: judged in another way\n%s\n%s" % (name, due, got))
        lines = [(line["protocol"], line["count"]) for line in one[1] if line.get("kind") == "not-decoded"]
        self.expect(lines == ([("link type 105 (IEEE802_11)", unread)] if unread else []), "%s: %s" % (name, lines))
        self.expect(encapsulated.lines(self.tool, path, "--jobs", "3")[2] == one[2], "%s: other output with --jobs 3" % name)
        if self.done % 4 == 0:
            self.expect(kit.lines_of_run(self.shards(path)) == kit.lines_of_run(one[2]), "%s: other output from shards" % name)
            copy = self.path("copy", name)
            encapsulated.lines(self.tool, path, "--annotate", copy)
            self.expect(encapsulated.lines(self.tool, copy)[2] == one[2], "%s: other output of the annotated copy" % name)
        self.done += 1


# --- pcap ---------------------------------------------------------------------------------------


def link_types(test, chance, name, packets):
    """A pcap file of each link type, in both byte orders, with a snapshot length that is not true."""
    plain = test.path("plain", name)
    capfile.write_pcap(plain, packets, capfile.RAW, nano=True)
    due = judged(encapsulated.lines(test.tool, plain), True)
    for link, inside in LINKS:
        path = test.path("linked", name)
        order = chance.choice("<>")
        capfile.write_pcap(path, [relinked(chance, packet, link, inside) for packet in packets], link, order, True)
        with open(path, "r+b") as stream:
            stream.seek(16)
            stream.write(struct.pack(order + "I", 68))
        got = judged(encapsulated.lines(test.tool, path), True)
        test.expect(got == due, "%s: link type %d: judged in another way\n%s\n%s" % (name, link, due, got))


def only_unread(test):
    """A file without a packet that is read is an error, whichever format it has."""
    path = test.path("linked", "unread")
    section = Section(random.Random(1))
    section.put(capfile.Packet(1, 0, bytes(40), 40, UNREAD))
    section.put(capfile.Packet(1, 0, bytes(40), 40, 9999))
    with open(path, "wb") as out:
        out.write(b"".join(section.blocks))
    for _ in range(2):
        done = subprocess.run([test.tool, "check", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        test.expect(done.returncode == 2 and b"link type 105 (IEEE802_11) is not supported" in done.stderr, "unread: %s" % done.stderr)
        capfile.write_pcap(path, [], UNREAD)


def many_interfaces(test, packets):
    """More interfaces than a section may have end the reading; fewer are read, in little memory and time."""
    for count, status in ((5000, None), (70000, 2)):
        section = Section(random.Random(1))
        for link in range(count):
            section.blocks.append(section.block(1, struct.pack(section.order + "HHI", 300 + link % 60000, 0, 0)))
        section.links = {1: (count, (9, 1))}
        section.blocks.append(section.block(1, struct.pack(section.order + "HHIHHB3xHH", 1, 0, 0, 9, 1, 9, 0, 0)))
        for packet in packets:
            section.put(relinked(None, packet, *LINKS[0]))
        path = test.path("linked", "many")
        with open(path, "wb") as out:
            out.write(b"".join(section.blocks))
        plain = test.path("plain", "many")
        capfile.write_pcap(plain, packets, capfile.RAW, nano=True)
        got, due = encapsulated.lines(test.tool, path), encapsulated.lines(test.tool, plain)
        test.expect(got[0] == (due[0] if status is None else status), "%d interfaces: status %d" % (count, got[0]))


# --- connections --------------------------------------------------------------------------------

SEVERAL = ("real/siw/crc-rping-odd.pcap", "real/siw/crc-ib_write_bw-20000.pcap")


def output(test, command, path, *words):
    done = subprocess.run([test.tool, command, "-T", "jsonl", *words, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, kit.lines_of_run(done.stdout).splitlines()


def with_a_fault(path, packets):
    """The packets, with one octet of the longest payload changed and the TCP checksum left out of account."""
    frame = max(range(len(packets)), key=lambda i: len(packets[i].data))
    packet = packets[frame]
    data = bytearray(packet.data)
    data[-1] ^= 1
    head = (data[0] & 15) * 4
    data[head + 16:head + 18] = bytes(2)
    segment = bytes(data[head:])
    data[head + 16:head + 18] = struct.pack("!H", capfile.checksum(bytes(data[12:20]) + struct.pack("!HH", 6, len(segment)) + segment))
    packets[frame] = capfile.Packet(packet.frame, packet.time, bytes(data), packet.wire_len, packet.link)
    capfile.write_pcap(path, packets, capfile.RAW, nano=True)


def conns(test, folder):
    """--conn keeps the lines of a connection, with counts and a status of their own."""
    for name in SEVERAL:
        path = test.path("conns", os.path.basename(name))
        with_a_fault(path, encapsulated.raw(capfile.read_capture(os.path.join(folder, name))))
        status, whole = output(test, "check", path)
        dumped, statuses = output(test, "dump", path)[1], set()
        lines = [json.loads(line) for line in whole]
        number = sum(line["type"] == "connection" for line in lines)
        for kept in [(i,) for i in range(number)] + [(0, number - 1)]:
            option = [word for i in kept for word in ("--conn", str(i))]
            due = [line for line, item in zip(whole, lines) if item.get("conn") in kept]
            got = output(test, "check", path, *option)
            test.expect(got[1][:-1] == [line for line in due if json.loads(line)["type"] != "summary"], "%s %s: other lines" % (name, option))
            summary, mine = json.loads(got[1][-1]), [item for item in lines if item["type"] == "connection" and item["conn"] in kept]
            test.expect((summary["connections"], summary["findings"]["violation"]) ==
                        (len(mine), sum(item["findings"]["violation"] for item in mine)), "%s %s: %s" % (name, option, summary))
            test.expect(got[0] == (1 if summary["findings"]["violation"] else 0), "%s %s: status %d" % (name, option, got[0]))
            test.expect(output(test, "check", path, "--jobs", "3", *option) == got, "%s %s: other output with --jobs 3" % (name, option))
            test.expect(output(test, "dump", path, *option)[1] == [line for line in dumped if json.loads(line)["conn"] in kept],
                        "%s %s: other PDUs" % (name, option))
            statuses.add(got[0])
        test.expect(status == 1 and statuses == {0, 1}, "%s: status %d, and of connections %s" % (name, status, statuses))
        for command in "check", "dump":
            done = subprocess.run([test.tool, command, "--conn", str(number), path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            test.expect(done.returncode == 2 and b"numbers go from 0 to %d" % (number - 1) in done.stderr, "%s: %s" % (command, done.stderr))


# --- folders ------------------------------------------------------------------------------------


def said(test, *words, cwd=None):
    done = subprocess.run([test.tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def folders(test, packets):
    """The captures of a folder, by name; what else is in it is counted."""
    folder = test.path("folder", "")
    names = ["b.pcap", "a.bin", "c.gz"]
    for name in names:
        capfile.write_pcap(os.path.join(folder, name), packets, capfile.RAW, nano=True)
    section = Section(random.Random(5))
    for packet in packets:
        section.put(relinked(random.Random(5), packet, *LINKS[0]))
    with open(os.path.join(folder, "d"), "wb") as out:
        out.write(b"".join(section.blocks))
    with open(os.path.join(folder, "c.gz"), "rb") as stream:
        octets = gzip.compress(stream.read())
    for name, content in (("c.gz", octets), ("readme.txt", b"a text that is no capture\n" * 9), ("log.gz", gzip.compress(b"a log\n" * 99)),
                          ("empty", b""), (".hidden", b"\0" * 99)):
        with open(os.path.join(folder, name), "wb") as out:
            out.write(content)
    os.mkdir(os.path.join(folder, "below"))
    capfile.write_pcap(os.path.join(folder, "below", "deep.pcap"), packets, capfile.RAW)
    os.symlink("b.pcap", os.path.join(folder, "link.pcap"))
    due = ["a.bin", "b.pcap", "c.gz", "d"]
    for given in (folder, folder.rstrip("/"), "."):
        for extra in ((), ("--jobs", "3"), ("--no-sandbox",)):
            status, out, err = said(test, "check", "-T", "jsonl", *extra, given, cwd=folder)
            files = [item["file"] for item in map(json.loads, out.splitlines()) if item["type"] == "connection"]
            whole = said(test, "check", "-T", "jsonl", *due, cwd=folder)
            test.expect((status, out) == whole[:2] and sorted(set(files)) == due, "folder %s: %d, %s" % (given, status, files))
            test.expect("%s: 6 entries that are no capture are left out\n" % given in err, "folder %s: %s" % (given, err))
    for command in "dump", "timeline", "baseline":
        status, out, err = said(test, command, ".", cwd=folder)
        test.expect((status, out) == said(test, command, *due, cwd=folder)[:2] or command == "timeline" and status == 0, "%s of a folder: %s" % (command, err))
    status, out, err = said(test, "check", "-T", "jsonl", os.path.join(folder, "below"), folder)
    test.expect(json.loads(out.splitlines()[-1])["files"] == 5, "two folders: %s" % out[-300:])
    for name in "none", "nothing":
        other = test.path(name, "")
        if name == "none":
            os.symlink("../folder/b.pcap", os.path.join(other, "link.pcap"))
            with open(os.path.join(other, "text"), "wb") as out:
                out.write(b"text")
        status, out, err = said(test, "check", other)
        test.expect(status == 2 and "a directory that holds no capture" in err, "%s: %d %s" % (name, status, err))
        test.expect(name == "nothing" or "2 entries" in err, "%s: %s" % (name, err))
        status, out, err = said(test, "check", "-T", "jsonl", other, os.path.join(folder, "b.pcap"))
        summary = json.loads(out.splitlines()[-1])
        test.expect((status, summary["verdict"], summary["files"]) == (2, "error", 2), "%s and a capture: %s" % (name, summary))


ROTATED = (("trace.pcap", "trace.pcap1", "trace.pcap2"), ("t_00001_20260101120000.pcapng", "t_00002_20260101120500.pcapng"),
           ("trace-2026-01-01-1200.pcap", "trace-2026-01-01-1300.pcap"), ("eth0.pcap00", "eth0.pcap01"), ("t.pcap1", "t.pcap10", "t.pcap2"))
OTHERS = (("client.pcap", "server.pcap"), ("a.pcap", "a.pcapng"), ("pd-0.pcap", "pd-512.pcap"), ("one.pcap",),
          ("7.pcap", "8.pcap"), ("run1.pcap", "run2.pcap"), ("run1", "run2"), ("t1.pcap1", "t2.pcap2"))


def rotated(test, packets):
    """Files that are named like a rotation get the hint --join, in a folder and on the command line."""
    for names in ROTATED + OTHERS:
        folder = tempfile.mkdtemp(dir=test.folder)
        for i, name in enumerate(names):
            capfile.write_pcap(os.path.join(folder, name), packets[i * len(packets) // len(names):(i + 1) * len(packets) // len(names)],
                               capfile.RAW, nano=True)
        for given in ((".",), names):
            hint = "--join reads them as one" in said(test, "check", *given, cwd=folder)[2]
            test.expect(hint == (names in ROTATED), "%s: hint %s" % (given, hint))
            status, out, err = said(test, "check", "-T", "jsonl", "--join", *given, cwd=folder)
            test.expect("--join" not in err and json.loads(out.splitlines()[-1])["connections"] == 1, "%s joined: %s" % (given, err))


# --- what is no capture -------------------------------------------------------------------------


def archive(kind, octets):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive_file:
            archive_file.writestr("trace.pcap", octets)
    else:
        with tarfile.open(fileobj=out, mode="w") as archive_file:
            entry = tarfile.TarInfo("trace.pcap")
            entry.size = len(octets)
            archive_file.addfile(entry, io.BytesIO(octets))
    return out.getvalue()


def snoop(packets):
    records = [struct.pack("!IIIIII", len(p.data), len(p.data), 24 + (len(p.data) + 3) // 4 * 4, 0, 0, 0) + p.data + bytes(-len(p.data) % 4)
               for p in packets]
    return b"snoop\0\0\0" + struct.pack("!II", 2, 4) + b"".join(records)


def erf_file(packets):
    return b"".join(struct.pack("<II", 0, 1700000000 + i) + struct.pack("!BBHHH", 2, 4, 18 + len(p.data), 0, len(p.data)) + b"\0\0" + p.data
                    for i, p in enumerate(packets))


def foreign(octets, packets):
    """Files, and words that the one line about each must have."""
    dump = "".join("\t0x%04x:  4500 0034 1234 4000 4006 0000 c000 0201\n" % at for at in range(0, 64, 16))
    ng = b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\1\0\0\0" + b"\xff" * 8 + b"\x1c\0\0\0"
    yield "snoop", snoop(packets), ("snoop", "editcap")
    yield "netmon1", b"RTSS\1\1" + bytes(130), ("1.x", "netmon", "editcap")
    yield "netmon2", b"GMBU\0\2" + bytes(130), ("2.x", "netmon", "editcap")
    yield "iptrace", b"iptrace 2.0" + bytes(64), ("iptrace", "editcap")
    yield "etl", struct.pack("<IIII", 65536, 1944, 1944, 0) + bytes(496), (".etl", "etl2pcapng", "pktmon")
    yield "erf", erf_file(packets), ("ERF", "editcap")
    yield "sniffer", b"TRSNIFF data    \x1a" + bytes(64), ("Sniffer", "editcap")
    yield "netxray", b"XCP\0" + bytes(64), ("NetXray", "editcap")
    yield "omnipeek", b"\x7fver\0\0\0\1" + bytes(64), ("OmniPeek", "editcap")
    yield "observer", b"ObserverPktBufferVersion=15.00" + bytes(64), ("Observer", "editcap")
    yield "k12", b"\0\0\2\0\x12\5\0\x10" + bytes(64), ("K12", "editcap")
    yield "k12text", b"+---------+---------------+----------+\r\n12:00:00,000,000   ETHER\r\n|0   |00|\r\n", ("K12", "editcap")
    yield "ixia", b"\x1c\0\1\xac" + bytes(64), ("Ixia", "editcap")
    yield "bz2", bz2.compress(octets), ("bzip2", "unpack")
    yield "zip", archive("zip", octets), ("zip", "unpack")
    yield "7z", b"7z\xbc\xaf\x27\x1c" + bytes(64), ("7z", "unpack")
    yield "rar", b"Rar!\x1a\7\1\0" + bytes(64), ("rar", "unpack")
    yield "tar", archive("tar", octets), ("tar archive", "unpack")
    yield "tar.gz", gzip.compress(archive("tar", octets)), ("tar archive", "compressed with gzip", "unpack")
    yield "zip.xz", lzma.compress(archive("zip", octets)), ("zip archive", "compressed with xz", "unpack")
    yield "snoop.gz", gzip.compress(snoop(packets)), ("snoop", "compressed with gzip", "editcap")
    yield "text.gz", gzip.compress(b"some text that is no capture at all\n" * 9), ("text", "compressed with gzip", "-w FILE")
    yield "dump", dump.encode(), ("hex dump", "iwarp decode", "text2pcap")
    yield "tcpdump", ("12:00:00.000000 IP 192.0.2.1.4791 > 192.0.2.2.1: Flags [P.], length 32\n" + dump).encode(), ("hex dump", "text2pcap")
    yield "text", b"12:00:00.000000 IP 192.0.2.1.4791 > 192.0.2.2.1: Flags [P.], length 32\n" * 9, ("text", "-w FILE")
    yield "csv", b'"No.","Time","Source","Destination","Protocol","Length","Info"\r\n"1","0.0","a","b","TCP","74",""\r\n', ("table", "-w FILE")
    yield "json", b'[\n  {\n    "_index": "packets-2026-01-01",\n    "_type": "doc"\n', ("JSON", "-w FILE")
    yield "pdml", b'<?xml version="1.0" encoding="utf-8"?>\n<pdml version="0">\n', ("XML", "-w FILE")
    yield "html", b"\n<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>\n", ("HTML", "page")
    yield "utf16", b"\xff\xfe" + "\ufffd\u00d4\u00c3".encode("utf-16-le") * 20, ("UTF-16", "PowerShell", "-w FILE")
    yield "base64", base64.encodebytes(octets), ("base64",)
    yield "hex", octets[:200].hex().encode() + b"\n", ("hex", "xxd -r -p")
    yield "ascii", ng.replace(b"\r\n", b"\n"), ("line ends", "binary")
    yield "zeros", bytes(4096), ("zeros",)
    yield "lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", ("LFS", "git lfs pull")
    yield "empty", b"", ("empty",)
    yield "empty.gz", gzip.compress(b""), ("not a capture",)
    yield "random", bytes(random.Random(3).randbytes(500)), ("not a capture: neither pcap nor pcapng",)


def foreign_files(test, plain, packets):
    """Each is named in one line, as a file and in a pipe."""
    with open(plain, "rb") as stream:
        octets = stream.read()
    frames = [relinked(random.Random(1), packet, *LINKS[0]) for packet in packets]
    for name, content, words in foreign(octets, frames):
        path = test.path("foreign", name)
        with open(path, "wb") as out:
            out.write(content)
        for operand, given in ((path, None), ("-", content)):
            done = subprocess.run([test.tool, "check", operand], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            line = done.stderr.decode()
            test.expect(done.returncode == 2 and line.count("\n") == 1, "%s as %s: status %d: %s" % (name, operand, done.returncode, line))
            test.expect(all(word in line for word in words), "%s as %s: %s" % (name, operand, line))


def main():
    tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 40 // min(kit.REPEATED, 2)
    print("files: seed %d, %d rounds" % (seed, rounds))
    with tempfile.TemporaryDirectory() as work:
        test, chance, seen = Rounds(tool, work), random.Random(seed), 0
        paths = encapsulated.captures(folder)
        while test.done < rounds:
            path = chance.choice(paths)
            packets = encapsulated.raw(capfile.read_capture(path))
            for packet in packets or ():
                packet.time -= packet.time % 1000  # which all clocks can say
            if packets and len(packets) < 400:
                test.round(random.Random("%d %d" % (seed, test.done)), os.path.basename(path), packets)
                if seen < 4:
                    link_types(test, chance, os.path.basename(path), packets)
                seen += 1
        rping = encapsulated.raw(capfile.read_capture(os.path.join(folder, "real", "siw", "crc-rping-64.pcap")))
        folders(test, rping)
        rotated(test, rping)
        only_unread(test)
        conns(test, folder)
        many_interfaces(test, packets)
        foreign_files(test, test.path("plain", os.path.basename(path)), packets)
    for complaint in test.wrong[:5]:
        print("files: " + complaint)
    print("files: %d captures in many interfaces, %d complaints" % (test.done, len(test.wrong)))
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
