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
KEEP_MSN = 0x40  # the mutator leaves MSNs as they are
SIDE, OTHER = 0x80, 0x40  # kinds of records, support/script.h
FIN, RST, PULL, ACT = OTHER | 2, OTHER | 3, OTHER | 5, OTHER | 6
CAPTURE_MAX = 24 * 1024  # octets of a capture, and of a script made of one
MARKERS_UNKNOWN, MARKERS_OFF, MARKERS_ON = 0, 4, 8  # in the first parameter of rx


class Seeds:
    """The folder that seeds are written to."""

    def __init__(self, folder):
        self.folder = Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

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
                seeds.add("observer", name, body + record(FIN, b".") + record(SIDE | FIN, b"."), own=KEEP_MSN)
                for own in (0, 1):
                    seeds.add("endpoint", f"{name}-as-{own}", peer_script(parts, own), 0, 0x0A, 3, own, own=KEEP_MSN)


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
                          record(PULL) + record(FIN, b"."), *params, own=KEEP_MSN if "msn" in name else 0)
            streams = [record(0, startup(False)), record(SIDE, startup(True)), record(0, hello if own == 0 else b"")]
            sides = SIDE if own == 0 else 0
            seeds.add("observer", f"{name}-by-{1 - own}", b"".join(streams) + b"".join(record(sides, o) for o in fpdus))


# --- sessions over SCTP: steps of targets/fuzz_sctp_session.c ------------------------------------------

CONNECT, ACCEPT, REJECT, CLOSE, DELIVER, INTRUDE = 0, 1, 2, 3, 6, 7
INITIATE_CODE, ACCEPT_CODE, REJECT_CODE, TERMINATE_CODE = 1, 2, 3, 4


def step(node, what, how=0):
    return bytes([(0xF0 if what == INTRUDE else 0) | what << 1 | node, how])


def intrusion(node, ssn, function):
    """A Session Control message that nobody sent: 4 octets."""
    return step(node, INTRUDE, 4 << 2 | 1) + bytes([ssn, function])


BEGUN = step(0, CONNECT)
ASKED = BEGUN + step(0, DELIVER)
AGREED = ASKED + step(1, ACCEPT) + step(1, DELIVER)
# How a node comes into each state, which node that is, and the DDP-SSN that is due from its peer.
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


RECV, WITHDRAW, HEAR, ANSWER, SPOIL, CONNECTION = 0, 1, 4, 6, 7, 10
TO_FULL = call(CONNECTION, 0, 1) + says(0) + call(HEAR) + call(CONNECTION, 0, 2) + call(RECV, 1) + call(3) + says(3, 1) + call(HEAR)


def calls(seeds):
    atomic = says(8, 2 << 2)
    seeds.add("calls", "a-region-goes-before-its-second-atomic-operation",
              TO_FULL + atomic + atomic + call(HEAR) + call(WITHDRAW, 2 << 2 | 1) + call(ANSWER), RESPONDER | REV_1)
    write = says(5, 1 << 4 | 7)
    first = 40  # octets of the Send that makes it Full Operation: ULPDU_Length of the next FPDU follows them
    seeds.add("calls", "a-longer-fpdu-over-one-that-was-placed",
              TO_FULL + write + write + call(HEAR, 1) + call(SPOIL, 0x80 | first) + call(HEAR), RESPONDER | REV_1 | MARKED)


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
    "--help", "check --help", "--version", "check -d tcp.port==1-5 a/b", "check --memory 8M --markers on --crc off a/b",
    "check --fail-on never --level note --max-findings 1 a/b", "check -f tcp a/b", "nonsense", "check", "decode xyz",
)


def programs(seeds):
    rng = random.Random(9)
    for target in "pair rules tcp sctp sctp-session calls".split():
        for number in range(24):
            length = rng.choice((40, 200, 900))
            body = bytes(rng.randrange(256) for _ in range(length))
            seeds.add(target, f"program-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(6):
        seeds.add("pair", f"long-program-{number}", long_program(rng, 40 * (number + 1)), number, 0x05, 3 + (4 if number & 1 else 0))
    for number in range(8):
        body = bytes(rng.randrange(256) for _ in range(300 * (number + 1)))
        seeds.add("crc", f"octets-{number}", body, *(rng.randrange(256) for _ in range(TAIL - 1)))
    for number in range(40):
        seeds.add("markers", f"layout-{number}", b"", rng.randrange(2), *(rng.randrange(256) for _ in range(TAIL - 2)))
    for line in COMMAND_LINES:
        name = "".join(c if c.isalnum() else "-" for c in line)[:60]
        seeds.add("cmdline", name, "\n".join(line.split()).encode())


def reaching(seeds):
    """Inputs found by reach-NAME --seek, for points that nothing else reaches."""
    for line in (ROOT / "fuzz/reach/inputs.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        target, name, octets = line.split("\t")
        seeds.put(target, f"reach-{name}", bytes.fromhex(octets))


def main(argv):
    if len(argv) != 2:
        sys.exit(__doc__)
    seeds = Seeds(argv[1])
    frame_vectors(seeds)
    stream_vectors(seeds)
    captures(seeds)
    peers(seeds)
    sessions(seeds)
    calls(seeds)
    holes(seeds)
    programs(seeds)
    reaching(seeds)


if __name__ == "__main__":
    main(sys.argv)
