# SPDX-License-Identifier: BSD-2-Clause
"""Spoilt captures: no complaint of GLib or Wireshark, and the same fields and findings as the tool:
mutated.py TSHARK TOOL [--seed N] [--times N] [--every N] CAPTURE|FOLDER... Seed 0 takes another one each time."""
import argparse
import os
import random
import shutil
import tempfile

import agreement
import run_tshark
import traffic

import capfile
import variants


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("tshark")
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=1, help="copies of each capture")
    parser.add_argument("--every", type=int, default=1, help="of so many captures one")
    parser.add_argument("--keep", help="folder for the copies that fail")
    parser.add_argument("captures", nargs="+")
    args = parser.parse_args()
    args.seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    return args


def differs(tool, capture):
    """True if the capture holds octets twice with different values: the plugin does not wait for the copy that counts."""
    return any(line.get("kind") == "octets-differ" for line in run_tshark.tool_lines(tool, "check", capture))


def goes_back(capture):
    """True if later octets acknowledge less than earlier ones, as no TCP does: octets that wait learn of it, the plugin's do not."""
    last = {}
    for packet in variants.load(capfile.read_capture(capture)):
        if not isinstance(packet, variants.Tcp) or packet.length == 0:
            continue
        before = last.setdefault((packet.src, packet.dst), packet)
        if 0 < (packet.seq - before.seq) % 2**32 < 2**31:
            if 0 < (before.ack - packet.ack) % 2**32 < 2**31:
                return True
            last[packet.src, packet.dst] = packet
    return False


def goes_on(capture):
    """True if a side sends octets after its RST, as no TCP does: the RST ends the connection where no octets before it wait."""
    reset = {}
    for packet in variants.load(capfile.read_capture(capture)):
        if not isinstance(packet, variants.Tcp):
            continue
        ends = (packet.src, packet.dst)
        if packet.flags & 2:
            reset.pop(ends, None)
        elif packet.flags & 4:
            reset.setdefault(ends, packet.seq)
        elif packet.length > 0 and ends in reset and (packet.seq - reset[ends]) % 2**32 < 2**31:
            return True
    return False


def reason(tool, capture):
    """Why the plugin, for which no octets wait, may show another result than the tool; None: it must not."""
    if differs(tool, capture):
        return "copies of octets differ"
    if goes_back(capture):
        return "acknowledgments go back"
    return "a side goes on after its RST" if goes_on(capture) else None


def main():
    args = arguments()
    excused = []
    tshark = run_tshark.Tshark(args.tshark)
    scratch = args.keep or tempfile.mkdtemp()
    os.makedirs(scratch, exist_ok=True)
    os.chmod(scratch, 0o755)
    sources = run_tshark.captures(["--every", str(args.every), *args.captures])

    def one(item):
        number, source = item
        path = os.path.join(scratch, f"{source.stem}-{number}.pcap")
        traffic.spoil(source, random.Random(f"{args.seed} {number}"), path)
        try:
            num = agreement.compare(tshark, args.tool, path)
        except run_tshark.Failed:
            why = reason(args.tool, path)
            if why is None:
                raise
            excused.append(f"{source.name}, copy {number}: {why}")
            num = 0
        tshark.run(path, "-V")  # all texts, in one pass
        os.unlink(path)
        return num

    print(f"seed {args.seed}")
    try:
        run_tshark.on_all([(number, source) for source in sources for number in range(args.times)], one)
    finally:
        print(*excused, f"{len(excused)} captures that ingest tells apart only if octets wait are shown in another way", sep="\n")
        if not args.keep:
            shutil.rmtree(scratch)


main()
