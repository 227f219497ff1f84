#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mkseeds: writes the seeds of every fuzz target, made of the vectors, the captures and long programs.

mkseeds.py OUT   makes OUT/<target>/<name>; what is there from an earlier run is replaced.

Where IWARP_FUZZ_SEEDS names a folder, the seeds are made there, unless it is there, and OUT becomes a link to it: so the stages
of the gate, which have builds of their own, make them once.
"""

import fcntl
import gzip
import json
import lzma
import os
import random
import re
import shutil
import struct
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "pcaps/tools"), str(ROOT / "conformance/tests/blackbox")]
sys.dont_write_bytecode = True

import capfile  # noqa: E402
import gencaps  # noqa: E402
import gensctp  # noqa: E402
import sentence_variants  # noqa: E402
from crc32c import crc32c  # noqa: E402

TAIL = 8  # octets of parameters, support/fuzz.h
KEEP_MSN = 0x40  # the mutator leaves MSNs as they are
SIDE, OTHER = 0x80, 0x40  # kinds of records, support/script.h
FIN, RST, PULL_SOME_OF, PULL, ACT = OTHER | 2, OTHER | 3, OTHER | 4, OTHER | 5, OTHER | 6
CAPTURE_MAX = 24 * 1024  # octets of a capture, and of a script made of one
MARKERS_UNKNOWN, MARKERS_OFF, MARKERS_ON = 0, 4, 8  # in the first parameter of rx


def remove(folder):
    """Removes a folder of seeds, or a link to one."""
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


class Seeds:
    """The folder that seeds are written to."""

    def __init__(self, folder):
        self.folder = Path(folder)
        remove(self.folder)

    def add(self, targets, name, body, *params, own=0):
        """Writes a body with its parameters, which a target reads in this order; `own` is the mutator's octet."""
        tail = bytes([own, *params]) + bytes(TAIL - 1 - len(params))
        for target in targets.split():
            self.put(target, name, body + tail[::-1])

    def put(self, target, name, octets):
        """Writes an input that has its parameters."""
        path = self.folder / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)


def record(kind, octets=b"", length=None):
    return struct.pack("!BH", kind, len(octets) if length is None else length) + octets


# --- vectors --------------------------------------------------------------------------------------


# The --layer of a vector's form, by its number in targets/fuzz_decode.c.
LAYERS = {"segment": 1, "ddp-header": 1, "sctp-segment": 3, "sctp-control": 4, "sctp-adaptation": 5, "enhanced": 6, "marker": 7,
          "erdma": 8, "smbd": 9, "smbd-le": 10, "rpc-rdma": 11}
RDMAP_LAYER = 2


def decode_vector(seeds, name, form, wire, place):
    """A vector as hex, whole and cut; of a segment the RDMAP message as well, which has no DDP header but its RsvdULP."""
    layer = LAYERS.get(form, 0)
    seeds.add("decode", name, wire.hex().encode(), layer, 0, 0, *place)
    seeds.add("decode", f"{name}-cut", wire[:len(wire) // 2].hex().encode(), layer, 0, 0, *place)
    if form == "segment" and len(wire) > 18:
        message = wire[1:2] + wire[14:] if wire[0] & 0x80 else wire[1:6] + wire[18:]
        seeds.add("decode", f"{name}-message", message.hex().encode(), RDMAP_LAYER)
        seeds.add("decode", f"{name}-message-cut", message[:5].hex().encode(), RDMAP_LAYER)


def frame_vectors(seeds):
    for path in sorted((ROOT / "libiwarp/tests/vectors").glob("*.json")):
        for v in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            wire = bytes.fromhex(v["wire"])
            name = f"{path.stem}-{v['id']}"
            off = v.get("stream_off", 0) & 0xFFFF
            place = (int(v.get("markers", False)), off & 0xFF, off >> 8)
            decode_vector(seeds, name, v["form"], wire, place)
            seeds.add("field", name, wire, *place)
            if v["form"] == "startup":
                seeds.add("startup", name, wire)
            elif v["form"] == "fpdu":
                seeds.add("fpdu", name, wire, *place)
                seeds.add("rx rx-nocrc", name, record(0, wire), MARKERS_ON if place[0] else MARKERS_OFF)
                add_segment(seeds, name, bytes.fromhex((v["value"] or {}).get("ulpdu", "")))
            elif v["form"] in ("segment", "ddp-header"):
                add_segment(seeds, name, wire)
            elif v["form"] in ("marker", "sctp-control", "sctp-segment"):
                seeds.add("markers crc", name, wire)
            else:
                seeds.add("startup crc", name, wire)


def add_segment(seeds, name, ulpdu):
    if ulpdu:
        seeds.add("ddp rdmap", name, ulpdu)
        if len(ulpdu) > 18 and ulpdu[1] & 15 == 7:
            seeds.add("terminate", name, ulpdu[18:])


def long_fpdus(seeds):
    """FPDUs with many Markers, by how many spans of the ULPDU are asked for at a time."""
    for off in (0, 4, 508):
        for ask in (0, 3, 15):
            framer = gencaps.Framer()
            framer.markers = framer.crc = True
            framer.offset = off
            wire = framer.frame(bytes(i % 251 for i in range(6 * 508 + off)))
            seeds.add("fpdu field", f"many-markers-{off}-{ask}", wire, 1, off & 0xFF, off >> 8, ask)


def long_octets(seeds):
    """As many octets as the ways of CRC32c for many take."""
    for size in (1300, 5000, 20000):
        seeds.add("crc", f"long-{size}", bytes(i * i % 251 for i in range(size)), 7, 1, 9)


def stream_vectors(seeds):
    for path in sorted((ROOT / "libiwarp/tests/vectors/streams").glob("*.json")):
        v = json.loads(path.read_text(encoding="utf-8"))
        body = b"".join(record(0, bytes.fromhex(s)) for s in v["segments"])
        markers = MARKERS_ON if v["markers"] else MARKERS_OFF
        seeds.add("rx rx-nocrc", f"stream-{path.stem}", body, markers)
        seeds.add("rx rx-nocrc", f"stream-{path.stem}-unknown", body, MARKERS_UNKNOWN)


# --- captures -------------------------------------------------------------------------------------


BORROWS, STARVES, COPIES = 32, 64, 128  # styles of support/ulp.h

# What of a capture is lost, or which request for memory is refused: the parameters of loss.
LOSSES = {
    "without-packet-5": (0, 5, 0),
    "without-packet-9": (0, 9, 0, 1, 40),
    "without-every-eighth": (1, 0, 0, 7, 3),
    "memory-refused": (1, 1, 0, 1, 12),
}


def scripts_of(path):
    """Yields for each TCP connection of a capture [(side, octets)] in the order of the streams."""
    found = {}
    for s in capfile.segments(capfile.read_capture(path).packets):
        key = tuple(sorted((s.src, s.dst)))
        conn = found.setdefault(key, {"client": s.src, "next": {}, "parts": []})
        side = 0 if s.src == conn["client"] else 1
        if s.flags & capfile.SYN:
            conn["next"][side] = (s.seq + 1) & 0xFFFFFFFF
        elif s.length > 0 and s.whole and conn["next"].setdefault(side, s.seq) == s.seq:
            conn["next"][side] = (s.seq + s.length) & 0xFFFFFFFF
            conn["parts"].append((side, b"".join(octets for _, octets in s.pieces)))
    return [conn["parts"] for conn in found.values() if conn["parts"]]


def reports(number):
    """Which options and reporters a capture goes through: parameters of capture. Each option with each reporter."""
    options, formats = 13, 6
    return number % options + number % formats * options, number % 6


def jobs(number):
    """Which options a capture goes through, and how many jobs: parameters of jobs."""
    return number % 8, number % 3


def captures(seeds):
    number = 0
    for path in sorted((ROOT / "pcaps").rglob("*.pcap*")):
        size = path.stat().st_size
        if size <= CAPTURE_MAX:
            seeds.add("capture", path.name, path.read_bytes(), *reports(number))
            seeds.add("jobs", path.name, path.read_bytes(), *jobs(number))
            seeds.add("scrub", path.name, path.read_bytes(), number % 4)
            number += 1
            for name, params in LOSSES.items():
                seeds.add("loss", f"{path.name}-{name}", path.read_bytes(), *params)
        if size > 4 * CAPTURE_MAX:
            continue
        for which, parts in enumerate(scripts_of(path)[:2]):
            body = b"".join(record(SIDE if side else 0, octets) for side, octets in parts)
            if len(body) <= CAPTURE_MAX:
                name = path.stem if which == 0 else f"{path.stem}-{which}"
                seeds.add("observer differential", name, body + record(FIN, b".") + record(SIDE | FIN, b"."), own=KEEP_MSN)
                for own in (0, 1):
                    seeds.add("endpoint", f"{name}-as-{own}", peer_script(parts, own), 0, 0x0A, 3, own, own=KEEP_MSN)
                    if number % 4 == 0:
                        style = BORROWS | (STARVES if number % 8 == 0 else 0)
                        seeds.add("endpoint", f"{name}-as-{own}-of-a-pool", peer_script(parts, own), 0, 0x0A, 3, own, style, own=KEEP_MSN)


# Link types and what stands between them and TCP, by a name: arguments of gencaps.Capture and of its connections.
V6 = {"client": ("fe80::1", 40000), "server": ("fe80::2", 7174)}
LINKS = {
    "vlan": ({"vlans": [(0x8100, 5)]}, {}), "two-vlans": ({"vlans": [(0x88A8, 5), (0x8100, 6)]}, V6),
    "raw": ({"link": capfile.RAW}, {}), "raw-v6": ({"link": capfile.RAW}, V6), "null": ({"link": capfile.NULL}, {}),
    "null-v6": ({"link": capfile.NULL}, V6), "loop": ({"link": capfile.LOOP}, {}), "loop-v6": ({"link": capfile.LOOP}, V6),
    "ipv4": ({"link": capfile.IPV4}, {}), "ipv6": ({"link": capfile.IPV6}, V6), "sll": ({"link": capfile.SLL}, {}),
    "sll-v6": ({"link": capfile.SLL}, V6), "sll2": ({"link": capfile.SLL2}, V6),
    "fragments": ({}, {"ip": {"fragment": 64}}), "fragments-v6": ({}, {**V6, "ip": {"fragment": 64}}),
    "options": ({}, {"ip": {"options": b"\x94\x04\0\0"}}),
    "extensions": ({}, {**V6, "ip": {"extensions": [(0, b"\0\x01\x04\0\0\0\0"), (60, b"\0\x01\x04\0\0\0\0")]}}),
    "routed": ({}, {"ip": {"options": b"\x01\x83\x07\x04\x0a\x00\x00\x09"}}),
    "strictly-routed": ({}, {"ip": {"options": b"\x44\x04\x05\0\x89\x03\x04\0"}}),
    "routed-v6": ({}, {**V6, "ip": {"extensions": [(43, b"\x02\0\x01\0\0\0\0" + bytes(16))]}}),
    "authenticated": ({}, {**V6, "ip": {"extensions": [(51, b"\x04" + bytes(22)), (135, b"\0\x01\x04\0\0\0\0")]}}),
    "atomic-fragments": ({}, {**V6, "ip": {"extensions": [(44, bytes(7)), (140, b"\0\x01\x04\0\0\0\0")]}}),
    "extension-too-long": ({}, {**V6, "ip": {"extensions": [(139, b"\xff" + bytes(6))]}}),
    "jumbogram": ({}, {**V6, "ip": {"extensions": [(0, b"\0\xc2\x04\0\0\x01\0")], "total_length": 0}}),
    "jumbogram-padded": ({}, {**V6, "ip": {"extensions": [(0, b"\x01\0\x01\x01\0\xc2\x04\0\0\x01\0\0\0\0\0")], "total_length": 0}}),
    "no-jumbogram": ({}, {**V6, "ip": {"extensions": [(0, b"\0\x01\x04\0\0\0\0")], "total_length": 0}}),
    "length-offloaded": ({}, {"ip": {"total_length": 0}}),
}


def broken_files(seeds):
    """Files that are no captures, or that end where none does."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    record_header = struct.pack("<IIII", 1, 2, 60, 60)
    files = {"empty": b"", "text": b"no capture\n" * 4, "half-a-header": head[:10], "no-packet": head, "half-a-record": head + record_header[:9],
             "half-a-packet": head + record_header + bytes(20), "link-147": head[:20] + struct.pack("<I", 147) + record_header + bytes(60),
             "lz4-legacy": b"\x02\x21\x4c\x18" + bytes(20), "link-250": head[:20] + struct.pack("<I", 250), "huge-packet": head + struct.pack("<IIII", 1, 2, 0x7FFFFFFF, 0x7FFFFFFF)}
    for number, (name, octets) in enumerate(files.items()):
        seeds.add("capture", f"broken-{name}", octets, 10 if number % 2 else 0, number % 6)
        seeds.add("jobs", f"broken-{name}", octets, *jobs(number))


ASCONF, ADD_IP, IPV4_ADDRESS = 0xC1, 0xC001, 5


def odd_sctp(session):
    """A side adds an address, uses it, and then has a numbering of its own that it did not announce."""
    assoc = session.assoc
    address = gensctp.parameter(IPV4_ADDRESS, bytes([10, 0, 0, 9]))
    added = gensctp.parameter(ADD_IP, struct.pack("!I", 1) + address)
    assoc.packet(0, [gensctp.chunk(ASCONF, 0, struct.pack("!I", 1) + address + added)])
    session.message(0, b"before")
    assoc.tsn[0] += 1 << 22
    for number in range(20):
        session.message(0, b"far ahead %d" % number)


def damaged_tcp(conn):
    """Segments whose checksums are wrong, in any order, those that join two others last; then they are sent again."""
    begin = conn.next[0]
    parts = [b"".join(struct.pack("!H", 20) + bytes([0x41, 0x43]) + bytes(20) for _ in range(4))] * 5
    seqs = [begin + 96 * i for i in range(5)]
    for order, check in (((0, 2, 4, 1, 3), "bad"), ((4, 0, 2, 3, 1), "good")):
        for i in order:
            conn.packet(0, parts[i], seq=seqs[i], check=check)
    conn.next[0] = begin + 96 * 5


def odd_captures(seeds):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made"
        session = gensctp.started()
        odd_sctp(session)
        session.assoc.cap.write(str(path))
        add_capture(seeds, "sctp-address-and-numbering", path.read_bytes(), 0)
        cap, conn = gencaps.started(gencaps.Capture(), request={"crc": True}, reply={"crc": True})
        damaged_tcp(conn)
        conn.close()
        cap.write(str(path))
        add_capture(seeds, "damaged-segments", path.read_bytes(), 1)
        old_captures(seeds, path.read_bytes())


WITH_A_FILTER = 10  # among the options of `check`, targets/fuzz_capture.c


def old_captures(seeds, octets):
    """A capture of pcap's version 2.3, which libpcap reads and the reader of plain files leaves to it; whole and cut."""
    old = octets[:6] + struct.pack("<H", 3) + octets[8:]
    for name, end in (("whole", len(old)), ("cut-in-a-packet", len(old) - 7), ("cut-in-a-header", 24 + 9), ("without-packets", 24)):
        for how in (0, WITH_A_FILTER):
            seeds.add("capture", f"version-2.3-{name}-{how}", old[:end], how, how)
            seeds.add("jobs", f"version-2.3-{name}-{how}", old[:end], *jobs(how))


def add_capture(seeds, name, octets, number):
    seeds.add("capture", name, octets, *reports(number))
    seeds.add("jobs", name, octets, *jobs(number))
    for label, params in LOSSES.items():
        seeds.add("loss", f"{name}-{label}", octets, *params)


def decode_packets(seeds, name, path):
    """The first packets of a capture as `iwarp decode` takes them in plain hex, whole and without their last octet."""
    for i, packet in enumerate(capfile.read_capture(path).packets[:5]):
        octets = packet.data.hex().encode()
        seeds.add("decode", f"{name}-packet-{i}", octets)
        seeds.add("decode", f"{name}-packet-{i}-cut", octets[:-2])


def link_captures(seeds):
    for number, (name, (how, ends)) in enumerate(LINKS.items()):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "made"
            cap, conn = gencaps.started(gencaps.Capture(**how), request={"crc": True, "markers": number % 3 == 0}, reply={"crc": True}, **ends)
            conn.send_message(0, b"hello" * 60)
            conn.write(1, 1, 0, b"w" * 300, room=100)
            conn.read_request(0, 1, 0, 8, 2, 0)
            conn.read_response(1, 1, 0, b"12345678")
            conn.atomic_request(0)
            conn.atomic_response(1)
            conn.immediate(0, b"12345678")
            conn.terminate(1, 1, 2, 3)
            conn.close()
            cap.write(str(path), *(("pcapng",) if number % 4 == 3 else ()))
            add_capture(seeds, f"link-{name}", path.read_bytes(), number)
            decode_packets(seeds, f"link-{name}", str(path))
            for order, nano in (("<", False), (">", False), ("<", True), (">", True)):
                cap.write(str(path), "pcap", order=order, nano=nano)
                seeds.add("capture-reader", f"link-{name}-{order == '>'}-{nano}", path.read_bytes()[:1000])


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + size + body + size


def block_captures(seeds):
    """pcapng files with each kind of block that is read, interfaces with other times, and more than one section."""
    for order, name in (("<", "little"), (">", "big")):
        section = block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
        options = {"plain": b"", "nano": struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0), "binary": struct.pack(order + "HHB3x", 9, 1, 0x94),
                   "offset": struct.pack(order + "HHBxxxHHq", 9, 1, 3, 14, 8, -5), "fine": struct.pack(order + "HHB3x", 9, 1, 12)}
        for which, option in options.items():
            interface = block(order, 1, struct.pack(order + "HHI", 1, 0, 64) + option)
            packets = block(order, 6, struct.pack(order + "IIIII", 0, 0x60000, 5, 5, 9) + b"octet")
            packets += block(order, 5, b"statistics") + interface
            packets += block(order, 2, struct.pack(order + "HHIIII", 1, 0, 0x60000, 6, 4, 4) + b"four")
            packets += block(order, 3, struct.pack(order + "I", 3) + b"one")
            seeds.add("capture-reader", f"blocks-{name}-{which}", (section + interface + packets) * 2)


def violations(seeds):
    """The captures that violate one requirement each, and of each some of its variants, by turns."""
    with tempfile.TemporaryDirectory() as folder:
        of = {}
        for variant in sentence_variants.written(folder, random.Random(1)):
            of.setdefault(variant.original, []).append(variant)
        for number, (original, variants) in enumerate(of.items()):
            chosen = [variants[(number + step) % len(variants)] for step in range(0, len(variants), 5)]
            for title, path in [(variants[0].title.split(",")[0], original)] + [(v.title, v.path) for v in chosen]:
                if Path(path).stat().st_size <= CAPTURE_MAX:
                    name = f"violation-{number}-{title.replace(', ', '-').replace(' ', '-')}"
                    seeds.add("jobs", name, Path(path).read_bytes(), *jobs(number))


def packed_captures(seeds):
    """Captures of two packets, compressed, in parts, with what may stand between them; blocks that are stored, and none."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    capture = head + (struct.pack("<IIII", 1, 2, 60, 60) + b"repeated" * 7 + b"four") * 2
    forms = {"gzip": lambda octets: gzip.compress(octets, mtime=0), "xz": lzma.compress,
             "zstd": lambda octets: b"\x28\xb5\x2f\xfd\0\x38" + struct.pack("<I", 1 | len(octets) << 3)[:3] + octets,
             "lz4": lambda octets: b"\x04\x22\x4d\x18\x60\x40\x82" + struct.pack("<I", 1 << 31 | len(octets)) + octets + bytes(4)}
    long = head + struct.pack("<IIII", 1, 2, 80000, 80000) + random.Random(1).randbytes(80000)
    for name, pack in forms.items():
        seeds.add("unpack", name, pack(capture), 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-left-to-libpcap", pack(capture[:6] + b"\3" + capture[7:]), 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-cut-left-to-libpcap", pack(capture[:6] + b"\3" + capture[7:])[:-9], 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-cut-within-a-packet", pack(capture[:-9]), 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-of-a-text", pack(b"no capture"), 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-of-nothing", pack(b""), 3, 0, 9, 0)
        seeds.add("unpack", f"{name}-long", pack(long), 255, 255, 255, 255)
        seeds.add("unpack", f"{name}-parts", pack(capture[:50]) + bytes(4) * (name in ("gzip", "xz")) + pack(capture[50:]), 90, 0, 200, 3)
        seeds.add("unpack", f"{name}-cut", pack(capture)[:-9], 1, 1, 1, 1)
    seeds.add("unpack", "skipped", b"\x50\x2a\x4d\x18\3\0\0\0abc" + forms["zstd"](capture), 7)
    seeds.add("unpack", "zstd-blocks", bytes.fromhex("28b52ffd04589d000068616e6f74686572206f6e652c20010000ce2fe665cccf"), 2, 0, 5)
    seeds.add("unpack", "lz4-blocks", bytes.fromhex("04224d186440a717000000df616e6f74686572206f6e652c200d000050"
                                                    "72206f6e650000000060b470a4"), 2, 0, 5)


def damaged_blocks(seeds):
    """pcapng files of which one block is not what it should be, by what that is: each ends the file."""
    def interface(body=struct.pack("<HHI", 1, 0, 64), options=b""):
        return block("<", 1, body + options)

    def option(code, value, length=None):
        return struct.pack("<HH", code, len(value) if length is None else length) + value + bytes(-len(value) % 4)
    section = block("<", 0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    packet = lambda **v: block("<", 6, struct.pack("<IIIII", v.get("interface", 0), 0x60000, 5, v.get("caplen", 5), 9) + b"octet")  # noqa: E731
    first = section + interface() + packet()
    last = {
        "resolution-of-two-octets": interface(options=option(9, b"\x06\x06")), "times-too-fine": interface(options=option(9, b"\x14")),
        "binary-times-too-fine": interface(options=option(9, b"\xc0")), "resolution-twice": interface(options=option(9, b"\x06") * 2),
        "offset-of-four-octets": interface(options=option(14, bytes(4))), "offset-twice": interface(options=option(14, bytes(8)) * 2),
        "option-cut": interface(options=option(9, b"\x06", 9)), "end-with-octets": interface(options=option(0, b"\x06")),
        "other-option": interface(options=option(2, b"eth0") + option(0, b"")), "short-interface": interface(b"\1\0\0\0"),
        "another-link-type": interface(struct.pack("<HHI", 101, 0, 64)), "another-snapshot-length": interface(struct.pack("<HHI", 1, 0, 65)),
        "short-section": block("<", 0x0A0D0D0A, b"\x4d\x3c\x2b\x1a"), "section-of-another-order": block("<", 0x0A0D0D0A, struct.pack(">IHHq", 0x1A2B3C4D, 1, 0, -1)),
        "section-of-another-version": block("<", 0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 2, 0, -1)),
        "length-that-no-block-has": struct.pack("<II", 5, 13) + bytes(20), "two-lengths": struct.pack("<III", 5, 12, 16) + bytes(4),
        "huge-block": struct.pack("<II", 5, 0x7FFFFFFC) + bytes(20), "unknown-interface": packet(interface=7),
        "more-than-the-snapshot-length": packet(caplen=65), "more-than-its-block": packet(caplen=60), "short-packet": block("<", 6, bytes(16)),
        "many-interfaces": interface() * 40, "cut": packet()[:9],
    }
    for name, octets in last.items():
        seeds.add("capture-reader", f"damaged-{name}", first + octets)
        seeds.add("capture", f"damaged-{name}", first + octets, *reports(len(octets)))
        seeds.add("jobs", f"damaged-{name}", first + octets, *jobs(len(octets)))
    seeds.add("capture-reader", "damaged-packet-before-an-interface", section + packet())
    seeds.add("capture-reader", "damaged-first-section", section[:12] + struct.pack("<HHq", 3, 0, -1) + section[24:] + interface())


def peer_script(parts, own):
    """What an endpoint on side `own` met: the other side's octets; it accepts after the first of them."""
    body = b""
    for side, octets in parts:
        if side != own:
            body += record(0, octets)
            body += record(ACT, bytes([9, 0 if own else 8])) + record(PULL)
    return body + record(FIN, b".")


# --- peers that know the regions of support/ulp.c ---------------------------------------------------


def fpdu(ulpdu):
    """An FPDU without Markers."""
    octets = struct.pack("!H", len(ulpdu)) + ulpdu
    octets += bytes(-len(octets) % 4)
    return octets + struct.pack("<I", crc32c(octets))


def untagged(opcode, queue, msn, payload=b"", last=True, stag=0, mo=0):
    return fpdu(struct.pack("!BBIIII", 0x41 if last else 0x01, 0x40 | opcode, stag, queue, msn, mo) + payload)


def tagged(opcode, stag, to, payload, last=True):
    return fpdu(struct.pack("!BBIQ", 0xC1 if last else 0x81, 0x40 | opcode, stag, to) + payload)


BASE = 0xFFFFFFFF00000000
SINK, WRITABLE, READABLE, ATOMIC, BOTH, FOREIGN = (0x100 * (i + 1) for i in range(6))


def read_request(msn, stag, size, to=BASE):
    return untagged(1, 1, msn, struct.pack("!IQIIQ", 0x77, 0x1000, size, stag, to))


def atomic_request(msn, to=BASE):
    return untagged(10, 1, msn, struct.pack("!IIIQQQQQ", 0, msn, ATOMIC, to, 5, 0, 0, 2**64 - 1))


# What a peer in Full Operation does, by a name that says it.
PEERS = {
    "sends": [untagged(3, 0, 1, b"hello"), untagged(5, 0, 2, b"a" * 100, last=False), untagged(5, 0, 2, b"b" * 20, mo=100)],
    "writes": [tagged(0, WRITABLE, BASE, b"w" * 200, last=False), tagged(0, WRITABLE, BASE + 200, b"x" * 300)],
    "reads": [read_request(1, READABLE, 700), read_request(2, BOTH, 0)],
    "reads-beyond-ird": [read_request(n, READABLE, 900) for n in range(1, 6)],
    "atomics": [atomic_request(1), atomic_request(2, BASE + 8)],
    "immediate": [untagged(8, 0, 1, b"12345678"), untagged(9, 0, 2, b"abcdefgh")],
    "invalidates": [untagged(4, 0, 1, b"gone", stag=WRITABLE), tagged(0, WRITABLE, BASE, b"late")],
    "invalidates-what-may-not-be": [untagged(4, 0, 1, b"gone", stag=READABLE)],
    "writes-to-no-region": [tagged(0, 0xDEAD, BASE, b"w")],
    "writes-past-the-end": [tagged(0, WRITABLE, BASE + 1020, b"12345678")],
    "writes-what-is-read-only": [tagged(0, READABLE, BASE, b"w")],
    "writes-to-another-stream": [tagged(0, FOREIGN, BASE, b"w")],
    "reads-what-is-write-only": [read_request(1, WRITABLE, 10)],
    "atomic-unaligned": [atomic_request(1, BASE + 3)],
    "sends-too-much": [untagged(3, 0, 1, b"s" * 600)],
    "sends-more-than-posted": [untagged(3, 0, n, b"s") for n in range(1, 8)],
    "skips-an-msn": [untagged(3, 0, 2, b"s")],
    "wrong-queue": [untagged(3, 5, 1, b"s")],
    "wrong-mo": [untagged(3, 0, 1, b"s" * 8, last=False), untagged(3, 0, 1, b"s", mo=4)],
    "reserved-opcode": [untagged(12, 0, 1, b"s")],
    "response-that-nobody-asked-for": [tagged(2, SINK, BASE, b"r" * 8)],
    "terminates": [untagged(7, 2, 1, bytes([0x10, 0x02, 0, 0]))],
    "terminates-after-a-write": [tagged(0, WRITABLE, BASE, b"w" * 8), untagged(7, 2, 1, bytes([0x20, 0x02, 0, 0]))],
    "half-an-fpdu": [untagged(3, 0, 1, b"cut")[:11]],
}


def startup(reply, flags=0x40, rev=1, private_data=b""):
    key = b"MPA ID Rep Frame" if reply else b"MPA ID Req Frame"
    return key + struct.pack("!BBH", flags, rev, len(private_data)) + private_data


def peers(seeds):
    for name, fpdus in PEERS.items():
        for own in (0, 1):
            hello = untagged(3, 0, 1)  # what lets a Responder send
            first = startup(own == 0)
            body = record(0, first) + record(ACT, bytes([9, 0 if own else 8, 0, 20, 0, 20])) + record(PULL)
            for octets in fpdus:
                body += record(0, octets) + record(PULL) + record(ACT, bytes([7]))
            for params in ((0x88, 0x0F, 3, own), (0x88, 0x05, 0xE4, own), (0x88, 0x0F, 3, own, 19),
                           (0x8A, 0x0F, 3, own, 8), (0x88, 0x0F, 3, own, 20)):
                label = "-".join(str(p) for p in (params[2], *params[4:]))
                seeds.add("endpoint", f"{name}-as-{own}-{label}", body + record(ACT, bytes([1, 0, 9, 2, 1, 9])) +
                          record(PULL) + record(FIN, b"."), *params, own=KEEP_MSN if "msn" in name else 0)
            streams = [record(0, startup(False)), record(SIDE, startup(True)), record(0, hello if own == 0 else b"")]
            sides = SIDE if own == 0 else 0
            body = b"".join(streams) + b"".join(record(sides, o) for o in fpdus)
            seeds.add("observer differential", f"{name}-by-{1 - own}", body)


# --- sessions over SCTP: steps of targets/fuzz_sctp_session.c ------------------------------------------

CONNECT, ACCEPT, REJECT, CLOSE, DELIVER, INTRUDE = 0, 1, 2, 3, 6, 7
INITIATE_CODE, ACCEPT_CODE, REJECT_CODE, TERMINATE_CODE = 1, 2, 3, 4


def step(node, what, how=0):
    return bytes([(0xF0 if what == INTRUDE else 0) | what << 1 | node, how])


def intrusion(node, ssn, function):
    """A Session Control message that neither side sent: 4 octets."""
    return step(node, INTRUDE, 4 << 2 | 1) + bytes([ssn, function])


BEGUN = step(0, CONNECT)
ASKED = BEGUN + step(0, DELIVER)
AGREED = ASKED + step(1, ACCEPT) + step(1, DELIVER)
# How a node comes into each state, which node that is, and the DDP-SSN expected from its peer.
SESSIONS = {
    "idle": (b"", 0, 0),
    "init-sent": (BEGUN, 0, 0),
    "pending": (ASKED, 1, 1),
    "established": (AGREED, 0, 1),
    "t-sent": (AGREED + step(0, CLOSE), 0, 1),
    "t-received": (AGREED + step(0, CLOSE) + step(0, DELIVER), 1, 2),
    "gave-up": (BEGUN + step(0, CLOSE), 0, 0),
    "abandoned": (BEGUN + step(0, CLOSE) + 2 * step(0, DELIVER), 1, 2),
    "refused": (BEGUN + intrusion(0, 0, REJECT_CODE), 0, 1),
    "refusing": (ASKED + step(1, REJECT), 1, 1),
    "drain": (AGREED + step(0, CLOSE) + intrusion(0, 1, TERMINATE_CODE), 0, 2),
}


def sessions(seeds):
    for state, (steps, node, due) in SESSIONS.items():
        seeds.add("sctp-session", f"state-{state}", steps)
        for code in range(1, 9):
            seeds.add("sctp-session", f"state-{state}-then-function-{code}", steps + intrusion(node, due, code))
        segment = step(node, INTRUDE, 3 << 2 | 2) + bytes([due])
        seeds.add("sctp-session", f"state-{state}-then-a-segment", steps + segment)


# --- calls of an endpoint: steps of targets/fuzz_calls.c ------------------------------------------------

RESPONDER, REV_1, MARKED = 1, 2, 4  # in the first parameter


def call(what, how=0, which=0):
    return bytes([which << 4 | what, how])


def says(what, how=0):
    """What the peer says, an index of support/peer.h."""
    return call(12, how, what)


DO_RECV, DO_WITHDRAW, DO_HEAR, DO_ANSWER, DO_SPOIL, DO_CONNECTION = 0, 1, 4, 6, 7, 10
TO_FULL = call(DO_CONNECTION, 0, 1) + says(0) + call(DO_HEAR) + call(DO_CONNECTION, 0, 2) + call(DO_RECV, 1) + call(3) + says(3, 1) + call(DO_HEAR)


def connect_call(which):
    """A call that brings the connection forward or ends it, by its number in fuzz_calls.c."""
    return call(DO_CONNECTION, 0, which)


(DO_CONNECT, DO_LISTEN, DO_ACCEPT, DO_REJECT, DO_CLOSE, DO_ABORT, DO_FAIL, DO_EOF, DO_LOST,
 DO_SEND_FAILED) = (connect_call(n) for n in range(10))
DO_POST_SEND, DO_PULL, DO_PASS_TIME, HEAR_ALL, HEAR_HALF = call(8), call(3), call(2, 1), call(DO_HEAR), call(DO_HEAR, 2)


def failed_sends(seeds):
    """A send fails in each state, and what may follow in the state that it leads to."""
    pending = DO_CONNECT + says(1) + HEAR_ALL
    request = DO_LISTEN + says(0) + HEAR_ALL
    message = says(3, 1)
    initiator = {"wait-reply": DO_CONNECT, "reply-pending": pending}
    responder = {"wait-request": DO_LISTEN, "request-pending": request, "await-first-fpdu": request + DO_ACCEPT, "full": TO_FULL,
                 "ending": TO_FULL + DO_POST_SEND + DO_CLOSE, "local-closed": TO_FULL + DO_CLOSE, "peer-ended": TO_FULL + DO_EOF,
                 "closing": TO_FULL + DO_POST_SEND + DO_EOF + DO_CLOSE, "terminating": TO_FULL + DO_FAIL,
                 "terminated": TO_FULL + DO_FAIL + DO_PULL, "closed": TO_FULL + DO_ABORT}
    for role, states in ((0, initiator), (RESPONDER, responder)):
        for name, steps in states.items():
            seeds.add("calls", f"send-failed-{name}", steps + DO_SEND_FAILED + DO_ACCEPT + message + HEAR_ALL, role | REV_1)
    after = {"accept": DO_ACCEPT, "reject": DO_REJECT, "listen": DO_LISTEN, "post": DO_POST_SEND, "recv": call(DO_RECV, 1),
             "close": DO_CLOSE, "abort": DO_ABORT, "again": DO_SEND_FAILED, "message": message + HEAR_ALL,
             "terminate": says(11) + HEAR_ALL, "fault": DO_FAIL, "fin": DO_EOF, "cut": message + HEAR_HALF + DO_EOF, "lost": DO_LOST,
             "timeout": DO_PASS_TIME}
    for name, steps in after.items():
        seeds.add("calls", f"after-send-failed-{name}", TO_FULL + DO_SEND_FAILED + steps, RESPONDER | REV_1)
    seeds.add("calls", "after-send-failed-connect", pending + DO_ACCEPT + DO_SEND_FAILED + DO_CONNECT, REV_1)
    seeds.add("calls", "refused-while-a-reply-is-due", DO_CONNECT + DO_CONNECT + DO_REJECT, REV_1)


def calls(seeds):
    failed_sends(seeds)
    atomic = says(8, 2 << 2)
    seeds.add("calls", "a-region-goes-before-its-second-atomic-operation",
              TO_FULL + atomic + atomic + call(DO_HEAR) + call(DO_WITHDRAW, 2 << 2 | 1) + call(DO_ANSWER), RESPONDER | REV_1)
    write = says(5, 1 << 4 | 7)
    first = 40  # octets of the Send that makes it Full Operation: ULPDU_Length of the next FPDU follows them
    seeds.add("calls", "a-longer-fpdu-over-one-that-was-placed",
              TO_FULL + write + write + call(DO_HEAR, 1) + call(DO_SPOIL, 0x80 | first) + call(DO_HEAR), RESPONDER | REV_1 | MARKED)


# --- streams that lack octets -------------------------------------------------------------------------


def holes(seeds):
    """FPDUs of which octets are missing: in the middle, at the end, all but the end."""
    for markers in (False, True):
        frames = [untagged(3, 0, n, bytes([n]) * size) for n, size in ((1, 90), (2, 701), (3, 33))]
        second = frames[1]
        for name, at, size in (("begin", 4, 30), ("middle", 200, 300), ("pad", len(second) - 12, 8), ("end", len(second) - 6, 6)):
            body = record(0, frames[0] + second[:at]) + record(OTHER, b"", size)
            body += record(0, second[at + size:] + frames[2]) + record(FIN, b".")
            start = record(0, startup(False)) + record(SIDE, startup(True))
            seeds.add("rx rx-nocrc", f"hole-{name}-{int(markers)}", body, MARKERS_ON if markers else MARKERS_OFF)
            seeds.add("observer", f"hole-{name}-{int(markers)}", start + body)


# --- programs ---------------------------------------------------------------------------------------


def long_program(rng, rounds):
    """What two ULPs do that agree: they post, send, write, read, and carry all of it. targets/fuzz_pair.c, support/ulp.c."""
    body = bytes([8 | 6, 255])
    for _ in range(rounds):
        side, size = rng.randrange(2), rng.randrange(64)
        body += bytes([1 - side, 0, 128])  # a receive buffer for what may come
        body += rng.choice((bytes([side, 1, 0, size % 16]), bytes([side, 2, 1, size]), bytes([side, 3, 4, size]), bytes([side, 4, 2]),
                            bytes([side, 5, 1])))
        body += bytes([8 | 6, rng.randrange(1, 256), 1 - side, 7, 8 | 6, 255])  # carried, an Atomic Operation done
    return body


COMMAND_LINES = (
    "check a/b", "check -T jsonl -v a/b", "dump -V -x a/b", "dump -T jsonl a/b -c 3", "rules", "rules -T jsonl mpa.*",
    "explain mpa.crc", "explain nothing", "decode 4d504120494420526571204672616d65c0020000", "decode --layer ddp 41",
    "decode -T jsonl --offset 4 00124143000000000000000000000001000000000000", "check --only mpa.* --exclude *crc* a/b",
    "--help", "check --help", "--version", "check -d tcp.port==1-5 a/b", "check --memory 8M --markers on --crc off a/b", "check --max-unpacked 64x a/b", "dump --max-unpacked 2G a",
    "check --fail-on never --level note --max-findings 1 a/b", "check -f tcp a/b", "nonsense", "check", "decode xyz",
    "check -", "check ..", "check nothing", "check -f nonsense( a/b", "dump -f nonsense( -", "dump --progress a/b", "check --progress a/b",
)


# --- two endpoints, support/ulp.c and targets/fuzz_pair.c ------------------------------------------


TALK, PULL_SOME, PUSH_SOME, PUSH_AHEAD = (8 | kind << 1 for kind in (3, 0, 1, 2))
ULP_RECV, ULP_SEND, ULP_WRITE, ULP_READ, ULP_ATOMIC_OP, ULP_IMMEDIATE, ULP_MEMORY, ULP_ANSWER, ULP_CLOCK, ULP_CONNECTION = range(10)
SIGNALLED, MISUSE = 0xF1, 0xE0
JOIN = bytes((TALK, 255, 1, ULP_CLOCK, 0, TALK, 255, 0, ULP_CLOCK, 0, TALK, 255))


def some_act(rng, who):
    """A call of the ULP of a side, mostly one that is right."""
    kind = rng.choice((ULP_RECV, ULP_RECV, ULP_SEND, ULP_SEND, ULP_WRITE, ULP_WRITE, ULP_READ, ULP_READ, ULP_ATOMIC_OP, ULP_IMMEDIATE, ULP_MEMORY, ULP_ANSWER, ULP_CLOCK,
                       SIGNALLED, SIGNALLED - 1, MISUSE))
    args = {ULP_RECV: (128,), ULP_SEND: (rng.choice((0, 1, 64, 65, 0x12, 0x46)), rng.randrange(100)),
            ULP_WRITE: (rng.choice((1, 7, 4, 12)), rng.randrange(140)), ULP_READ: (rng.choice((4, 8, 9, 20)), rng.randrange(200)),
            ULP_ATOMIC_OP: (rng.choice((2, 3, 6, 10, 11, 19)),), ULP_IMMEDIATE: (rng.randrange(2),),
            ULP_MEMORY: (rng.choice((1, 2, 3, 17, 18, 0)) + 4 * rng.randrange(6),), ULP_CLOCK: (rng.randrange(255),),
            MISUSE: (rng.randrange(50),)}.get(kind, ())
    return bytes((who, kind, *args))


def some_carrying(rng):
    who = rng.randrange(2)
    return rng.choice((bytes((TALK, 40)), bytes((who | PULL_SOME, rng.randrange(256))), bytes((who | PUSH_SOME, rng.randrange(60))),
                       bytes((who | PULL_SOME, 255, 1 - who | PUSH_AHEAD, rng.randrange(200), 1 - who | PUSH_AHEAD, rng.randrange(80)))))


def pair_programs(seeds):
    """Long programs of two ULPs: with and without Markers, CRCs, what is shared, out of order, and what ends them."""
    rng = random.Random(7)
    ends = {"closed": bytes((0, ULP_CONNECTION, 4, TALK, 255)), "failed": bytes((1, ULP_CONNECTION, 5, TALK, 255)),
            "aborted": bytes((0, ULP_CONNECTION, 0xFF)), "left": b""}
    for number in range(160):
        how = rng.choice((0x01, 0x09, 0x29, 0x11, 0x00, 0x05, 0x04, 0x0D, 0x45, 0xE7)) | rng.randrange(2) * 0x20
        params = (how, rng.choice((0x0F, 0x0A, 0x05, 0xFF, 0x1F)), rng.randrange(256), rng.choice((0, 0x11, 0x22, 0x33, 0x30)),
                  rng.choice((0, 0, 1, 3)), 0, 0)
        body = JOIN
        for _ in range(rng.choice((6, 20, 60))):
            body += some_act(rng, rng.randrange(2)) + (some_carrying(rng) if rng.randrange(3) == 0 else b"")
        name = rng.choice(list(ends))
        seeds.add("pair", f"program-{number}-{name}", body + bytes((TALK, 60)) + ends[name], *params)
    for number in range(40):  # the last octets come first
        who = rng.randrange(2)
        acts = {"writes": bytes((who, ULP_WRITE, rng.choice((1, 4)) + 8 * rng.randrange(4), 110)), "sends": bytes((who, ULP_SEND, 0, 110)),
                "answers": bytes((1 - who, ULP_READ, rng.choice((4, 8, 5)), 120))}
        name = rng.choice(list(acts))
        body = JOIN + bytes((who, ULP_RECV, 127, 1 - who, ULP_RECV, 127)) * 4 + bytes((0, ULP_SEND, 0, 0, TALK, 255, 1, ULP_SEND, 0, 0, TALK, 255))
        body += acts[name] * rng.choice((3, 6, 8))
        if name == "answers":
            body += bytes((1 - who | PULL_SOME, 255, who | PUSH_SOME, 255))
        body += bytes((who | PULL_SOME, 255, who | PULL_SOME, 255))
        for skip in sorted((rng.randrange(256) for _ in range(rng.choice((3, 6)))), reverse=rng.randrange(2) == 0):
            body += bytes((1 - who | PUSH_AHEAD, skip))
        body += rng.choice((b"", bytes((who, MISUSE, 7, 1 - who, ULP_MEMORY, 2 + 4)), bytes((TALK, 9, 0, ULP_CONNECTION, 4))))
        seeds.add("pair", f"ahead-{name}-{number}", body + bytes((TALK, 255)), rng.choice((0x09, 0x29)), 0x0F, 0x1D | rng.randrange(4) << 5,
                  rng.choice((0, 0x11, 0x22)), 0, 0, 0)
    for number in range(24):
        body = JOIN + b"".join(some_act(rng, rng.randrange(2)) + some_carrying(rng) for _ in range(12))
        seeds.add("pair", f"spoilt-{number}", body, 0x09, 0x0F, 3, 0, 8 * rng.randrange(1, 32), rng.randrange(256), rng.randrange(3))


# --- streams with Markers, to an endpoint that asked for them ---------------------------------------


class Marked:
    """A stream of FPDUs with Markers. RFC 5044 4.3"""

    def __init__(self):
        self.off = 0

    def fpdu(self, ulpdu):
        octets = struct.pack("!H", len(ulpdu)) + ulpdu
        octets += bytes(-len(octets) % 4)
        out, begin = b"", self.off
        for word in [octets[at:at + 4] for at in range(0, len(octets), 4)] + [None]:
            if self.off % 512 == 0:
                out += struct.pack("!HH", 0, self.off - begin if out else 0)
                begin += 0 if len(out) > 4 else 4
                self.off += 4
            out += word if word is not None else struct.pack("<I", crc32c(out))
            self.off += 4
        return out


def ulpdu_of(octets):
    """What an FPDU without Markers carries."""
    return octets[2:2 + int.from_bytes(octets[:2], "big")]


HELD = 4  # of a record: it comes after the next one


def marked_peers(seeds):
    many = [tagged(0, WRITABLE, BASE + 60 * n, bytes([n]) * 60, last=n == 11) for n in range(12)]
    sends = [untagged(3, 0, n, b"s" * 90) for n in range(1, 5)]
    programs = {**PEERS, "many-writes": many, "many-sends": sends, "both": [x for pair in zip(many, sends) for x in pair]}
    for name, fpdus in programs.items():
        for own in (0, 1):
            marked, begin = Marked(), record(0, startup(own == 0)) + record(ACT, bytes([9, 0 if own else 8])) + record(PULL)
            first = record(0, marked.fpdu(ulpdu_of(untagged(3, 0, 1, b"first")))) if name == "both" else b""
            records = [marked.fpdu(ulpdu_of(f)) for f in fpdus]
            late = b"".join(record(HELD, r) for r in records) + record(0, marked.fpdu(ulpdu_of(untagged(3, 0, 1, b"last"))))
            plain = b"".join(record(0, r) + record(PULL) for r in records)
            lead = record(0, Marked().fpdu(ulpdu_of(untagged(3, 0, 1, b"lead"))))
            for label, body in (("held", late), ("plain", plain), ("led", lead + late)):
                seeds.add("endpoint", f"marked-{name}-as-{own}-{label}", begin + first + body + record(FIN, b"."), 0x89, 0x0F, 0x1F,
                          own, 16 * (own ^ (label == "led")))


# --- an endpoint and what a peer answers ------------------------------------------------------------


def act(*octets):
    return record(ACT, bytes(octets))


def pull(n):
    """So many octets of the endpoint are sent."""
    return record(OTHER | 4, bytes(1), n)


def accept(own):
    return act(ULP_CONNECTION, 0 if own else 8) + record(PULL)


def response(to, octets, last=True, stag=SINK):
    return record(0, tagged(2, stag, to, octets, last=last))


def atomic_answer(request, msn=1):
    return record(0, untagged(11, 3, msn, struct.pack("!IQ", request, 77)))


END_OF_AREA = BASE + 1024
READ_100, WRITE_40, SEND_20 = act(ULP_READ, 4, 25), act(ULP_WRITE, 1, 10), act(ULP_SEND, 0, 5)
REVOKED, INVALIDATED, GONE = (act(ULP_MEMORY, how + 4 * 2) for how in (2, 1, 3))  # the readable region

# What happens in Full Operation: records.
TALKS = {
    "read-answered": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 100),
    "read-in-two": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60, last=False) + response(END_OF_AREA - 40, b"r" * 40),
    "read-too-short": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60),
    "read-too-long": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60, last=False) + response(END_OF_AREA - 40, b"r" * 44),
    "read-elsewhere": READ_100 + record(PULL) + response(END_OF_AREA - 104, b"r" * 100),
    "read-other-stag": READ_100 + record(PULL) + response(BASE, b"r" * 100, stag=WRITABLE),
    "read-unsent": READ_100 + response(END_OF_AREA - 100, b"r" * 100),
    "read-never-answered": READ_100 + record(PULL),
    "read-sink-gone": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60, last=False) + act(ULP_MEMORY, 1) +
                      response(END_OF_AREA - 40, b"r" * 40),
    "reads-two-one-answered": READ_100 * 2 + record(PULL) + response(END_OF_AREA - 100, b"r" * 100),
    "read-of-nothing": act(ULP_READ, 4, 0) + record(PULL) + response(BASE, b""),
    "read-half-then-fin": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60, last=False),
    "read-half-then-terminate": READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 60, last=False) +
                                record(0, untagged(7, 2, 1, bytes([0x01, 0x00, 0, 0]))),
    "read-refused": READ_100 + record(PULL) +
                    record(0, untagged(7, 2, 1, bytes([0x01, 0x00, 0xE0, 0, 0, 46]) + untagged(1, 1, 1)[2:20] + bytes(28))),
    "atomic-answered": act(ULP_ATOMIC_OP, 2) + record(PULL) + atomic_answer(0) + act(ULP_ATOMIC_OP, 3) + record(PULL) + atomic_answer(1, 2),
    "atomic-wrong-request": act(ULP_ATOMIC_OP, 2) + record(PULL) + atomic_answer(9),
    "atomic-answers-a-read": READ_100 + record(PULL) + atomic_answer(0),
    "atomic-short": act(ULP_ATOMIC_OP, 2) + record(PULL) + record(0, untagged(11, 3, 1, b"1234")),
    "atomic-unanswered-then-fin": act(ULP_ATOMIC_OP, 2) + record(PULL),
    "serves-and-revokes": record(0, read_request(1, READABLE, 1000)) + pull(40) + REVOKED + record(PULL),
    "serves-and-revokes-two": record(0, read_request(1, READABLE, 1000) + read_request(2, READABLE, 900)) + pull(900) + REVOKED,
    "serves-and-invalidates": record(0, read_request(1, READABLE, 1000)) + pull(40) + INVALIDATED + GONE + record(PULL),
    "serves-later": record(0, read_request(1, READABLE, 1000) + read_request(2, READABLE, 10)) + INVALIDATED + record(PULL),
    "serves-and-fin": record(0, read_request(1, READABLE, 1000)) + pull(40),
    "serves-an-atomic-later": record(0, atomic_request(1) + atomic_request(2)) + act(ULP_MEMORY, 2 + 4 * 3) + act(ULP_ANSWER) + record(PULL),
    "serves-a-read-after-an-atomic": record(0, atomic_request(1) + read_request(2, READABLE, 900)) + REVOKED + act(ULP_ANSWER) + record(PULL),
    "sends-while-a-fault-comes": SEND_20 + WRITE_40 + pull(13) + record(0, tagged(0, 0xDEAD, BASE, b"w")) + pull(7) + record(PULL),
    "writes-much-while-a-fault-comes": act(ULP_WRITE, 1, 250) * 6 + pull(301) + record(0, tagged(0, 0xDEAD, BASE, b"w")) + pull(7),
    "serves-while-a-fault-comes": record(0, read_request(1, READABLE, 1000)) + pull(300) + record(0, tagged(0, 0xDEAD, BASE, b"w")) + pull(7),
    "sends-while-a-terminate-comes": act(ULP_WRITE, 1, 250) * 4 + pull(301) + record(0, untagged(7, 2, 1, bytes([0x10, 0x02, 0, 0]))) + pull(7),
    "closes-while-a-terminate-comes": SEND_20 + act(ULP_CONNECTION, 4) + pull(5) + record(0, untagged(7, 2, 1, bytes([0x10, 0x02, 0, 0]))),
    "closed-then-asked-to-read": act(ULP_CONNECTION, 4) + record(PULL) + record(0, read_request(1, READABLE, 10)),
    "closed-then-more": act(ULP_CONNECTION, 4) + record(PULL) + record(0, untagged(3, 0, 1, b"late") + tagged(0, WRITABLE, BASE, b"w")),
    "closed-then-wrong": act(ULP_CONNECTION, 4) + record(PULL) + record(0, tagged(0, 0xDEAD, BASE, b"w")),
    "fails-itself": act(ULP_CONNECTION, 5) + pull(3) + record(PULL) + record(0, untagged(3, 0, 1, b"late")),
    "terminates-twice": record(0, untagged(7, 2, 1, bytes([0x10, 0x02, 0, 0])) + untagged(7, 2, 2, bytes([0x10, 0x02, 0, 0]))),
    "terminate-cut": record(0, untagged(7, 2, 1, bytes([0x10]))),
    "terminate-wrong-queue": record(0, untagged(7, 1, 1, bytes([0x10, 0x02, 0, 0]))),
    "idle": act(ULP_CLOCK, 255) * 4 + record(0, untagged(3, 0, 1, b"x")) + act(ULP_CLOCK, 255) * 2,
    "new-emss": SEND_20 + act(ULP_CONNECTION, 6) + record(PULL) + act(ULP_CONNECTION, 0xF6) + WRITE_40 + record(PULL),
    "time-passes-to-the-end": act(ULP_CONNECTION, 4) + act(ULP_CLOCK, 255) * 3,
    "wrong-crc": record(0, untagged(3, 0, 1, b"spoilt")[:-1] + b"?"),
    "immediate-too-long": record(0, untagged(8, 0, 1, b"123456789")),
    "immediate-in-two": record(0, untagged(8, 0, 1, b"1234", last=False) + untagged(8, 0, 1, b"5678", mo=4)),
    "another-opcode-in-the-message": record(0, untagged(3, 0, 1, b"a" * 8, last=False) + untagged(5, 0, 1, b"b" * 8, mo=8)),
    "version": record(0, fpdu(bytes([0x41, 0x83]) + bytes(16))), "ddp-version": record(0, fpdu(bytes([0x42, 0x43]) + bytes(16))),
    "short": record(0, fpdu(b"\x41\x43")), "long": record(0, struct.pack("!H", 9000) + bytes(200)),
    **{f"terminate-during-{name}-{octets}": lead + record(PULL_SOME_OF, bytes(octets)) + record(0, untagged(7, 2, 1, bytes([0x10, 2, 0, 0]))) + record(PULL)
       for octets in (5, 30, 200, 300)
       for name, lead in (("a-send", SEND_20 + SEND_20), ("writes", WRITE_40 + SEND_20 + WRITE_40), ("a-response", record(0, read_request(1, READABLE, 700))),
                          ("a-response-and-a-send", record(0, read_request(1, READABLE, 700)) + SEND_20 + WRITE_40),
                          ("a-read", READ_100 + SEND_20), ("unsignalled", act(0xF0) + SEND_20 + WRITE_40))},
    "everything-unsignalled": act(0xF0) + SEND_20 + WRITE_40 + READ_100 + record(PULL) + response(END_OF_AREA - 100, b"r" * 100) +
                              act(0xF1) + SEND_20 + record(PULL),
}


def enhanced_frame(reply, a=0, b=0, c=0, d=0, ird=4, ord=4, flags=0x50, rest=b""):
    word = struct.pack("!HH", a << 15 | b << 14 | ird, c << 15 | d << 14 | ord)
    return startup(reply, flags, 2, word + rest)


def startups(own):
    """Ways to begin, by name: records with what the peer says first."""
    frame = lambda **kw: record(0, enhanced_frame(own == 0, **kw))  # noqa: E731
    plain = startup(own == 0)
    hello = untagged(3, 0, 1)
    yield "client-server", frame() + accept(own)
    for name in ("a", "b", "c", "d", "ab", "ac", "ad", "abcd", "bcd"):
        yield f"flags-{name}", frame(**dict.fromkeys(name, 1)) + accept(own)
    yield "no-ird", frame(ird=0, a=1, b=1, d=1) + accept(own)
    yield "no-ord", frame(ord=0) + accept(own)
    yield "much-ord", frame(ord=0x3FFE, ird=0x3FFE) + accept(own)
    yield "unspecified", frame(ord=0x3FFF, ird=0x3FFF) + accept(own)
    yield "private-data", frame(rest=b"p" * 60) + act(ULP_CONNECTION, 0x30 if own else 8) + record(PULL)
    yield "rejected", record(0, startup(own == 0, 0x60)) + accept(own) + record(0, b"streaming octets") + record(0, b"more")
    yield "rejected-enhanced", frame(flags=0x70) + accept(own) + record(0, b"streaming octets")
    yield "rejects", record(0, plain) + act(ULP_CONNECTION, 3 if own else 11) + record(PULL) + record(0, b"streaming octets") + act(ULP_CONNECTION, 4)
    yield "rejects-then-lost", record(0, plain) + act(ULP_CONNECTION, 3 if own else 11) + record(PULL) + record(RST, b".")
    yield "wrong-key", record(0, b"MPA ID Rxq Frame" + plain[16:])
    yield "wrong-revision", record(0, startup(own == 0, 0x40, 3))
    yield "rdmac", record(0, startup(own == 0, 0x40, 0)) + accept(own)
    yield "erdma", record(0, startup(own == 0, 0x40, 129)) + accept(own)
    yield "s-without-room", record(0, startup(own == 0, 0x50, 2)) + accept(own)
    yield "long-private-data", record(0, plain[:18] + b"\x02\x01" + bytes(513))
    yield "an-octet-at-a-time", b"".join(record(0, plain[i:i + 1]) for i in range(20)) + accept(own)
    yield "accepts-half-a-frame", record(0, plain[:9]) + accept(own) + record(0, plain[9:])
    yield "cut-by-fin", record(0, plain[:13])
    yield "early", record(0, plain + hello) + accept(own)
    yield "early-much", record(0, plain + untagged(3, 0, 1, b"e" * 3000)) + record(0, hello * 40) + accept(own)
    yield "early-later", record(0, plain) + record(0, hello) + accept(own)
    yield "never-accepted", record(0, plain) + act(ULP_CLOCK, 255)
    yield "never-answered", act(ULP_CLOCK, 200) + act(ULP_CLOCK, 255)
    yield "aborted", act(ULP_CONNECTION, 0xFF)
    yield "closed-at-once", act(ULP_CONNECTION, 4)
    yield "posts-first", SEND_20 + record(0, plain) + accept(own)


def cut_startups(seeds):
    """Startup frames that end, or lack octets, inside their fixed part; and other octets."""
    ends = {"fin": record(FIN, b"."), "rst": record(RST, b"."), "gap": record(GAP, b"", 30) + record(0, untagged(3, 0, 1, b"one")),
            "snapped": record(SNAPPED, b"", 3) + record(0, bytes(40)), "other-octets": record(0, b"GET / HTTP/1.1") +
            record(FIN, b".")}
    for octets in (0, 1, 3, 15, 16, 19, 20):
        for name, end in ends.items():
            for own, sides in ((False, 0), (True, SIDE)):
                lead = record(0, startup(False)) if own else b""
                tail = bytes([end[0] | sides]) + end[1:]
                body = lead + record(sides, startup(own)[:octets]) + tail
                for start in (0, 1, 2, 3):
                    seeds.add("observer", f"startup-cut-after-{octets}-by-{name}-{int(own)}-{start}", body, start)


def endpoint_talks(seeds):
    for own in (0, 1):
        hello = record(0, untagged(3, 0, 1)) if own else b""  # what lets a Responder send; it takes MSN 1
        begin = record(0, startup(own == 0)) + accept(own)
        for name, talk in TALKS.items():
            lead = hello if own and "read" in name or "while" in name or "atomic" in name else b""
            for params in ((0x88, 0x0F, 3, own), (0x8A, 0x0F, 0x43, own, 27), (0xEA, 0x0F, 1, own, 8), (0x89, 0x0F, 7, own, BORROWS),
                           (0x8B, 0x0F, 0x87, own, BORROWS | STARVES | 3), (0x99, 0x0F, 0x0C, own, 4), (0x98, 0x0F, 3, own, COPIES)):
                seeds.add("endpoint", f"{name}-as-{own}-{params[0]:x}", begin + lead + talk + record(FIN, b"."), *params)
        for name, begin in startups(own):
            more = record(0, untagged(3, 0, 1, b"one")) + SEND_20 + READ_100 + record(PULL) + record(FIN, b".")
            for params in ((0x80, 0x0F, 3, own), (0x84, 0x0F, 3, own), (0x90, 0x15, 0x0B, own), (0x84, 0x20, 0xC3, own), (0x04, 0x8F, 3, own),
                           (0x04, 0xDF, 3, own), (0x04, 0x4F, 3, own), (0x04, 0x1F, 3, own)):
                label = "-".join(f"{p:x}" for p in params[:3])
                seeds.add("endpoint", f"begins-{name}-as-{own}-{label}", begin + more, *params)


# --- streams with losses -----------------------------------------------------------------------------


GAP = OTHER | 0
SNAPPED = OTHER | 1


def pieces(octets, size, lost, start=0, kind=0):
    """Records of a stream in segments of `size`; the segments whose numbers are in `lost` are gaps."""
    out = b""
    for number, at in enumerate(range(start, len(octets), size)):
        part = octets[at:at + size]
        out += record(GAP if number % 2 else SNAPPED, b"", len(part)) if number in lost else record(kind, part)
    return out


def lossy_streams(seeds):
    rng = random.Random(3)
    messages = [ulpdu_of(x) for name in ("sends", "writes", "reads", "atomics", "immediate") for x in PEERS[name]] * 3
    messages += [b"\x41\x43" + bytes(16) + bytes(rng.randrange(256) for _ in range(1400)) for _ in range(12)]
    for number in range(90):
        marked, chosen = Marked(), [rng.choice(messages) for _ in range(40)]
        markers = number % 2 == 0
        stream = b"".join(marked.fpdu(m) if markers else fpdu(m) for m in chosen)
        if number % 9 == 8:  # no CRC is right
            stream = bytes(o ^ (0x55 if at % 97 == 0 else 0) for at, o in enumerate(stream))
        if number % 10 == 7:
            stream = bytes(len(stream))
        size = rng.choice((40, 536, 1460, 97))
        lost = {rng.randrange(len(stream) // size + 1) for _ in range(rng.choice((1, 3, 9)))}
        start = rng.choice((0, 0, 13, 4 * rng.randrange(1, 900), rng.randrange(len(stream))))
        body = pieces(stream, size, lost, start, rng.choice((0, 0, 1)))
        knows = rng.choice((MARKERS_UNKNOWN, MARKERS_ON if markers else MARKERS_OFF))
        seeds.add("rx rx-nocrc", f"lossy-{number}", body, (0 if start == 0 else 3) | knows | 64 * (number % 7 == 3), 0, 0, rng.randrange(40), number, 0)
        begin = record(0, startup(False, rng.choice((0x40, 0)))) + record(SIDE, startup(True, (0x80 if markers else 0) | 0x40 * rng.randrange(2)))
        seeds.add("observer", f"lossy-{number}", (begin if rng.randrange(3) else b"") + body + record(SIDE, fpdu(messages[0])) +
                  record(FIN, b"."), rng.choice((0, 0, 1, 0x29, 0x49, 6, 192, 193)), rng.randrange(40), 3)


# Captures that cost much: which attack, packets, and how, support/attack.c.
ATTACKS = ("floods", "holes", "overlaps", "fragments", "look-alikes", "keys", "wrong-fpdus", "open-messages", "chunks")


def attacks(seeds):
    rng = random.Random(4)
    for number, name in enumerate(ATTACKS):
        for way in range(12):
            body = bytes((number, 255, way if way < 4 else rng.randrange(256), rng.randrange(256)))
            seeds.add("cost", f"{name}-{way}", body, way % 3 == 0)


def shard_result(index, of, lines, **changes):
    """The result of a shard: these lines, then a summary."""
    rules = len(re.findall(r"^RULE\(", (ROOT / "conformance/rules/catalog.def").read_text(encoding="utf-8"), re.MULTILINE))
    version = re.search(r"VERSION_STRING .([0-9.]+)", (ROOT / "libiwarp/include/iwarp/version.h").read_text(encoding="utf-8"))[1]
    beside = {"version": version, "index": index, "of": of, "digest": "0x%016x" % 7, "options": "0x%016x" % 9,
              "require_decided": False, "proven": 1, "decided": 3, "captures": [[0, 1, 0, 0, 1, 3]], "results": [[1, 0]] * rules}
    summary = {"type": "summary", "files": 1, "packets": 9, "octets": 900, "connections": 1, "outcomes": {"closed": 1},
               "fpdus": 4, "findings": {"violation": 1, "warning": 0, "note": 0}, "rules": {"mpa.crc": 1}, "given_up": 1,
               "limits": {"memory": 1}, "verdict": "fail", "shard": {**beside, **changes}}
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in (*lines, summary))


def shard_results():
    """(name, octets) of inputs of `merge`: results, a mark between two."""
    def lines(*places):
        first, found, last = places
        yield {"type": "opened", "file": "a", "conn": 0, "capture": 0, "at": first}
        yield {"type": "finding", "file": "a", "conn": 0, "rule": "mpa.crc", "at": found}
        yield {"type": "connection", "file": "a", "conn": 0, "at": last}
    yield "alone", shard_result(0, 1, lines(1, 1, 8))
    yield "empty", shard_result(0, 1, ())
    yield "two", shard_result(1, 2, lines(2, 3, 9)) + b"----\n" + shard_result(0, 2, lines(1, 4, 10))
    yield "same", (shard_result(1, 2, lines(2, 3, 9)) + b"----\n") * 2
    yield "other", shard_result(1, 2, lines(2, 3, 9)) + b"----\n" + shard_result(0, 2, (), digest="0x%016x" % 8)
    yield "missing", shard_result(1, 3, lines(2, 3, 9)) + b"----\n" + shard_result(0, 3, ())
    yield "disorder", shard_result(0, 1, lines(5, 3, 9))
    yield "inconclusive", shard_result(0, 1, lines(5, 5, 5), results=[[2, 65]], require_decided=True)


def programs(seeds):
    rng = random.Random(9)
    for target in "rules tcp sctp sctp-session sctp-observer tx values config calls".split():
        for number in range(24):
            length = rng.choice((40, 200, 900))
            body = bytes(rng.randrange(256) for _ in range(length))
            seeds.add(target, f"program-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(24):  # values of registries, assigned and not
        for value in (0, 1, 3, 0x4000 + number):
            seeds.add("values", f"registry-{number}-{value}", b"", *value.to_bytes(4, "little"), number)
    for number in range(24):  # a right conversation of which a frame is missing or late
        body = bytes(rng.randrange(0xF0) for _ in range(20 * (1 + number % 8)))
        seeds.add("rules", f"conversation-{number}", body, 1, rng.randrange(16), number & 1, 2)
    for number in range(6):
        seeds.add("pair", f"long-program-{number}", long_program(rng, 40 * (number + 1)), number, 0x05, 3 + (4 if number & 1 else 0))
    for number in range(8):
        body = bytes(rng.randrange(256) for _ in range(300 * (number + 1)))
        seeds.add("crc", f"octets-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(40):
        seeds.add("markers", f"layout-{number}", b"", rng.randrange(2), *(rng.randrange(256) for _ in range(TAIL - 2)))
    for number, path in enumerate(sorted((ROOT / "pcaps/scenarios").rglob("*.scn"))):
        seeds.add("scenario", path.stem, path.read_bytes(), number % 13)
    for number, path in enumerate(sorted((ROOT / "conformance/peer/cases").glob("*.scn"))):
        seeds.add("scenario", f"case-{path.stem}", path.read_bytes(), number % 13)
    for number in range(90):  # targets of `iwarp peer` that answer a startup, then a Read or with a Terminate
        for bits in range(4):
            seeds.add("peer", f"target-{number}-{bits}", peer_target(number, bits), number, bits | (number & 28))
    for name, octets in shard_results():
        seeds.add("merge", name, octets)
    for line in COMMAND_LINES:
        name = "".join(c if c.isalnum() else "-" for c in line)[:60]
        seeds.add("cmdline", name, "\n".join(line.split()).encode())


def peer_target(number, bits):
    """Records of the target `peer`: a kind, and for octets their number less 1."""
    key = b"MPA ID Req Frame" if bits & 1 else b"MPA ID Rep Frame"
    frame = key + (bytes.fromhex("10020004 00040004") if number & 1 else bytes.fromhex("00010000"))
    announced = bytes.fromhex("0026 4143 00000000 00000000 00000001 00000000 0000000000100000 00001000 00001000 00000000 0000")
    answer = bytes.fromhex("000e c142 50524f42 0000000000000001 00000000" if bits & 2 else
                           "0016 4147 00000000 00000002 00000001 00000000 11010000 00000000")
    return b"".join(bytes((0, len(part) - 1)) + part + b"\2" for part in (frame, announced, answer)) + bytes((7, 2, 3, 1))


def reaching(seeds):
    """Inputs that were found: by reach-NAME --seek for points that nothing else reaches, by campaigns for branches."""
    for file, prefix in (("inputs.tsv", "reach"), ("branches.tsv", "branch")):
        for line in (ROOT / "fuzz/reach" / file).read_text(encoding="utf-8").splitlines()[1:]:
            target, name, octets = line.split("\t")
            seeds.put(target, f"{prefix}-{name}", bytes.fromhex(octets))


def make(seeds):
    frame_vectors(seeds)
    long_fpdus(seeds)
    long_octets(seeds)
    stream_vectors(seeds)
    captures(seeds)
    link_captures(seeds)
    block_captures(seeds)
    packed_captures(seeds)
    violations(seeds)
    damaged_blocks(seeds)
    odd_captures(seeds)
    broken_files(seeds)
    peers(seeds)
    sessions(seeds)
    calls(seeds)
    holes(seeds)
    marked_peers(seeds)
    endpoint_talks(seeds)
    cut_startups(seeds)
    lossy_streams(seeds)
    pair_programs(seeds)
    attacks(seeds)
    programs(seeds)
    reaching(seeds)


def make_once(shared):
    """Makes the seeds in a folder of several builds, which may want them at the same time."""
    shared.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{shared}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            seeds = Seeds(f"{shared}.new")
            make(seeds)
            seeds.folder.rename(shared)


def main(argv):
    if len(argv) != 2:
        sys.exit(__doc__)
    shared = os.environ.get("IWARP_FUZZ_SEEDS")
    if not shared:
        make(Seeds(argv[1]))
        return
    make_once(Path(shared))
    out = Path(argv[1])
    remove(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.symlink_to(Path(shared).resolve())


if __name__ == "__main__":
    main(sys.argv)
