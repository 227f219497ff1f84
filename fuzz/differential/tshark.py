#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tshark: the fields of generated captures as `iwarp dump` and as tshark's built-in dissectors read them.

tshark.py IWARP [--seeds N [--first S]]   makes one capture a seed and compares it field by field.

The built-in is right where one FPDU fills one TCP segment, Rev is 1, no Markers are used and CRCs are; so that is what is
generated, with any value in any field. Exit status 77 when there is no tshark, 1 when something differs.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "pcaps/tools"))

import gencaps  # noqa: E402

FPDUS = 60
# A field here, in the built-in, and the opcodes whose messages have it there (None: all of them).
TAGGED, SENDS_INV = (0, 2), (4, 6)
FIELDS = (
    ("ulpdu_length", "iwarp_mpa.ulpdulength", None),
    ("ddp.tagged", "iwarp_ddp.tagged_flag", None),
    ("ddp.last", "iwarp_ddp.last_flag", None),
    ("ddp_rsvd", "iwarp_ddp.rsvd", None),
    ("ddp.dv", "iwarp_ddp.dv", None),
    ("ddp.stag", "iwarp_ddp.stag", TAGGED),
    ("ddp.to", "iwarp_ddp.tagged_offset", TAGGED),
    ("ddp.qn", "iwarp_ddp.qn", "untagged"),
    ("ddp.msn", "iwarp_ddp.msn", "untagged"),
    ("ddp.mo", "iwarp_ddp.mo", "untagged"),
    ("ddp_invalidate_stag", "iwarp_rdma.inval_stag", SENDS_INV),
    ("rdmap.rv", "iwarp_rdma.version", None),
    ("rdmap_rsv", "iwarp_rdma.rsv", None),
    ("rdmap.opcode", "iwarp_rdma.opcode", None),
    ("read_request.sink_stag", "iwarp_rdma.sinkstag", (1,)),
    ("read_request.sink_to", "iwarp_rdma.sinkto", (1,)),
    ("read_request.size", "iwarp_rdma.rdmardsz", (1,)),
    ("read_request.source_stag", "iwarp_rdma.srcstag", (1,)),
    ("read_request.source_to", "iwarp_rdma.srcto", (1,)),
)


def any_value(rng, bits):
    """A number of so many bits: any, or one at an edge."""
    return rng.choice((rng.getrandbits(bits), 0, 1, 2**bits - 1, 2**(bits - 1)))


def a_segment(rng):
    """A DDP Segment of an opcode that both know, with any value in its fields."""
    opcode = rng.choice((0, 1, 2, 3, 4, 5, 6))
    bits = {"last": rng.random() < 0.8}
    if opcode in TAGGED:
        return gencaps.tagged(opcode, any_value(rng, 32), any_value(rng, 64), rng.randbytes(rng.randrange(200)), **bits)
    queue, payload = (1, gencaps.read_request_header(*(any_value(rng, n) for n in (32, 64, 32, 32, 64)))) if opcode == 1 else \
        (0, rng.randbytes(rng.randrange(200)))
    word = any_value(rng, 32) if opcode in SENDS_INV else 0
    return gencaps.untagged(opcode, queue, any_value(rng, 32), 0, payload, word, **{**bits, "last": opcode == 1 or bits["last"]})


def make(seed, path):
    """Writes a capture; the built-in takes a segment as iWARP once it has seen both startup frames."""
    rng = random.Random(seed)
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    for number in range(FPDUS):
        conn.fpdu(0 if number == 0 else rng.randrange(2), a_segment(rng))
    cap.write(path)


def flat(value, path=""):
    """The scalars of a JSON object by their path."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from flat(inner, f"{path}{key}.")
        else:
            yield path + key, inner


def number_of(text):
    return int(text, 16) if isinstance(text, str) and text.startswith("0x") else int(text)


def ours(tool, path):
    """{frame: {field: value}} by iwarp dump."""
    out = subprocess.run([tool, "dump", "-T", "jsonl", "-V", path], check=False, capture_output=True, text=True)
    frames = {}
    for line in out.stdout.splitlines():
        record = dict(flat(json.loads(line)))
        if "ulpdu_length" in record:
            frames[int(record["frame"])] = record
    return frames


def theirs(path):
    """The same by tshark."""
    words = ["tshark", "-n", "-r", path, "-T", "fields", "-e", "frame.number"]
    for _, name, _ in FIELDS:
        words += ["-e", name]
    out = subprocess.run(words, check=True, capture_output=True, text=True)
    frames = {}
    for line in out.stdout.splitlines():
        frame, *values = line.split("\t")
        if values[0]:
            frames[int(frame)] = {name: value for (_, name, _), value in zip(FIELDS, values)}
    return frames


def applies(which, opcode):
    return which is None or (opcode not in TAGGED if which == "untagged" else opcode in which)


def compare(tool, path):
    """Yields what differs."""
    here, there = ours(tool, path), theirs(path)
    if len(here) != FPDUS or sorted(here) != sorted(there):
        yield f"{len(here)} FPDUs, {len(there)} of tshark"
        return
    for frame, record in here.items():
        opcode = number_of(record["rdmap.opcode"])
        for own, name, which in FIELDS:
            if applies(which, opcode) and number_of(record[own]) != number_of(there[frame][name] or "-1"):
                yield f"frame {frame}: {own} {record[own]}, {name} {there[frame][name]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", help="the iwarp executable")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    if shutil.which("tshark") is None:
        print("skipped: tshark is not installed")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.seeds):
            path = str(Path(folder) / f"{seed}.pcap")
            make(seed, path)
            for difference in compare(args.tool, path):
                print(f"seed {seed}: {difference}")
                failed += 1
    print(f"{args.seeds} captures of {FPDUS} FPDUs, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
