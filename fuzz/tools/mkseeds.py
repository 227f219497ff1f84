#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mkseeds: writes the seeds of every fuzz target, made of the vectors, the captures and long programs.

mkseeds.py OUT   makes OUT/<target>/<name>; what is there from an earlier run is replaced.
"""

import json
import random
import shutil
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "pcaps/tools"))
sys.dont_write_bytecode = True

import capfile  # noqa: E402
from crc32c import crc32c  # noqa: E402

TAIL = 8  # octets of parameters, support/fuzz.h
SIDE, OTHER = 0x80, 0x40  # kinds of records, support/script.h
FIN, RST, PULL, ACT = OTHER | 2, OTHER | 3, OTHER | 5, OTHER | 6
CAPTURE_MAX = 24 * 1024  # octets of a capture, and of a script made of one
MARKERS_UNKNOWN, MARKERS_OFF, MARKERS_ON = 0, 4, 8  # in the first parameter of rx


class Seeds:
    """The folder that seeds are written to."""

    def __init__(self, folder):
        self.folder = Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, targets, name, body, *params):
        """Writes a body with its parameters, which a target reads in this order."""
        tail = bytes([0, *params]) + bytes(TAIL - 1 - len(params))
        for target in targets.split():
            path = self.folder / target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body + tail[::-1])


def record(kind, octets=b"", length=None):
    return struct.pack("!BH", kind, len(octets) if length is None else length) + octets


# --- vectors --------------------------------------------------------------------------------------


def frame_vectors(seeds):
    for path in sorted((ROOT / "libiwarp/tests/vectors").glob("*.json")):
        for v in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            wire = bytes.fromhex(v["wire"])
            name = f"{path.stem}-{v['id']}"
            off = v.get("stream_off", 0) & 0xFFFF
            place = (int(v.get("markers", False)), off & 0xFF, off >> 8)
            seeds.add("decode", name, v["wire"].encode(), *([1] if v["form"] == "segment" else []))
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


def stream_vectors(seeds):
    for path in sorted((ROOT / "libiwarp/tests/vectors/streams").glob("*.json")):
        v = json.loads(path.read_text(encoding="utf-8"))
        body = b"".join(record(0, bytes.fromhex(s)) for s in v["segments"])
        markers = MARKERS_ON if v["markers"] else MARKERS_OFF
        seeds.add("rx rx-nocrc", f"stream-{path.stem}", body, markers)
        seeds.add("rx rx-nocrc", f"stream-{path.stem}-unknown", body, MARKERS_UNKNOWN)


# --- captures -------------------------------------------------------------------------------------


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


def captures(seeds):
    for path in sorted((ROOT / "pcaps").rglob("*.pcap*")):
        size = path.stat().st_size
        if size <= CAPTURE_MAX:
            seeds.add("capture", path.name, path.read_bytes())
        if size > 4 * CAPTURE_MAX:
            continue
        for number, parts in enumerate(scripts_of(path)[:2]):
            body = b"".join(record(SIDE if side else 0, octets) for side, octets in parts)
            if len(body) <= CAPTURE_MAX:
                name = path.stem if number == 0 else f"{path.stem}-{number}"
                seeds.add("observer", name, body + record(FIN, b".") + record(SIDE | FIN, b"."))
                for own in (0, 1):
                    seeds.add("endpoint", f"{name}-as-{own}", peer_script(parts, own), 0, 0x0A, 3, own)


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
            for params in ((0x88, 0x0F, 3, own), (0x88, 0x05, 0xE4, own)):
                seeds.add("endpoint", f"{name}-as-{own}-{params[2]}", body + record(ACT, bytes([1, 0, 9, 2, 1, 9])) +
                          record(PULL) + record(FIN, b"."), *params)
            streams = [record(0, startup(False)), record(SIDE, startup(True)), record(0, hello if own == 0 else b"")]
            sides = SIDE if own == 0 else 0
            seeds.add("observer", f"{name}-by-{1 - own}", b"".join(streams) + b"".join(record(sides, o) for o in fpdus))


# --- programs ---------------------------------------------------------------------------------------


COMMAND_LINES = (
    "check a/b", "check -T jsonl -v a/b", "dump -V -x a/b", "dump -T jsonl a/b -c 3", "rules", "rules -T jsonl mpa.*",
    "explain mpa.crc", "explain nothing", "decode 4d504120494420526571204672616d65c0020000", "decode --layer ddp 41",
    "decode -T jsonl --offset 4 00124143000000000000000000000001000000000000", "check --only mpa.* --exclude *crc* a/b",
    "--help", "check --help", "--version", "check -d tcp.port==1-5 a/b", "check --memory 8M --markers on --crc off a/b",
    "check --fail-on never --level note --max-findings 1 a/b", "check -f tcp a/b", "nonsense", "check", "decode xyz",
)


def programs(seeds):
    rng = random.Random(9)
    for target in "pair rules tcp sctp sctp-session".split():
        for number in range(24):
            length = rng.choice((40, 200, 900))
            body = bytes(rng.randrange(256) for _ in range(length))
            seeds.add(target, f"program-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(8):
        body = bytes(rng.randrange(256) for _ in range(300 * (number + 1)))
        seeds.add("crc", f"octets-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(40):
        seeds.add("markers", f"layout-{number}", b"", rng.randrange(2), *(rng.randrange(256) for _ in range(TAIL - 2)))
    for line in COMMAND_LINES:
        name = "".join(c if c.isalnum() else "-" for c in line)[:60]
        seeds.add("cmdline", name, "\n".join(line.split()).encode())


def main(argv):
    if len(argv) != 2:
        sys.exit(__doc__)
    seeds = Seeds(argv[1])
    frame_vectors(seeds)
    stream_vectors(seeds)
    captures(seeds)
    peers(seeds)
    programs(seeds)


if __name__ == "__main__":
    main(sys.argv)
