#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare_builtin: tshark with the plugin against tshark with its own dissectors, on one large capture.

    compare_builtin.py build/release/bin/tshark-iwarp CAPTURE [--only PART] [--rounds N] [--record FILE]

Runs both in turn, after a warm-up round. Prints the median and the quartiles of the ratios for each command: processor
time (user and system), and memory. Then the same of one direction of the capture alone, and how the time grows
from a quarter of it to all of it. --only fields, io,stat, one-sided or growth: that part alone. --record keeps the rounds in a
file, and those that it holds already count: so they can be run a few at a time, while the machine is quiet. No time is judged:
machines are shared. Exit status 2 when a program is missing or fails.
"""
import argparse
import json
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

# What both are asked for: the options with the plugin, and without.
COMMANDS = {
    "fields": (["-T", "fields", "-e", "iwarp.rdmap.opcode"], ["-T", "fields", "-e", "iwarp_rdma.opcode"]),
    "io,stat": (["-q", "-z", "io,stat,0"],) * 2,
}


def run(words, home):
    """Runs a program; returns (seconds of the processor, peak resident KiB)."""
    environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home}
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"compare_builtin: {words[0]}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


class Record:
    """The rounds of each command, by its name: pairs of (seconds, KiB) with the plugin and without; kept in a file, if any."""

    def __init__(self, path):
        self.path, self.rounds = path, {}
        if path is not None and os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                self.rounds = json.load(stream)

    def add(self, name, mine, other):
        self.rounds.setdefault(name, []).append((mine, other))
        if self.path is not None:
            with open(self.path, "w", encoding="utf-8") as stream:
                json.dump(self.rounds, stream)

    def ratios(self, name, which):
        return [mine[which] / other[which] for mine, other in self.rounds[name]]


def spread(values):
    """Median and quartiles in words."""
    low, middle, high = statistics.quantiles(values, method="inclusive") if len(values) > 1 else values * 3
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def compare(args, home, capture, command, name, rounds):
    ours, theirs = COMMANDS[command]
    for number in range(rounds + 1):
        mine = run([args.tshark, "-n", "-r", capture, *ours], home)
        other = run([args.builtin, "-n", "-r", capture, *theirs], home)
        if number > 0:
            args.record.add(name, mine, other)
    times = args.record.ratios(name, 0)
    print(f"{name}: processor {spread(times)}, memory {spread(args.record.ratios(name, 1))}; median and quartiles of "
          f"{len(times)} ratios", flush=True)


def records(capture):
    """The header and the records of a pcap file, least significant octet first, of Ethernet and IPv4 without options."""
    with open(capture, "rb") as stream:
        yield stream.read(24)
        while len(head := stream.read(16)) == 16:
            yield head + stream.read(struct.unpack_from("<I", head, 8)[0])


def one_sided(capture, path, octets):
    """Writes the packets of those who send a SYN first, `octets` of them at most."""
    firsts, parts = set(), records(capture)
    with open(path, "wb") as out:
        out.write(next(parts))
        for record in parts:
            ends = record[16 + 26:16 + 38]
            if record[16 + 47] & 0x12 == 2:
                firsts.add(ends)
            if ends in firsts:
                out.write(record)
            if out.tell() > octets:
                break
    os.chmod(path, 0o644)


def halves(args, scratch):
    """One direction of the capture, and a quarter of it."""
    size, paths = os.path.getsize(args.capture), []
    for part in (1, 4):
        paths.append(os.path.join(scratch, f"one-sided-{part}.pcap"))
        one_sided(args.capture, paths[-1], size // 2 // part)
    return paths


def growth(args, home, large, small):
    times = {path: [] for path in (small, large)}
    for _ in range(args.rounds):
        for path, taken in times.items():
            taken.append(run([args.tshark, "-n", "-r", path, "-q", "-z", "io,stat,0"], home)[0])
    ratios = [slow / quick for quick, slow in zip(times[small], times[large])]
    more = os.path.getsize(large) / os.path.getsize(small)
    print(f"growth: one direction alone, {more:.1f} times the octets take {spread(ratios)} times as long")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tshark", help="tshark-iwarp of the build tree")
    parser.add_argument("capture")
    parser.add_argument("--builtin", default="tshark", help="tshark without the plugin")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", choices=[*COMMANDS, "one-sided", "growth"])
    parser.add_argument("--record", type=Record, default=Record(None), help="file of the rounds")
    args = parser.parse_args()
    if shutil.which(args.builtin) is None:
        print("compare_builtin: tshark is not installed", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        for name in COMMANDS:
            if args.only in (None, name):
                compare(args, scratch, args.capture, name, name, args.rounds)
        if args.only in (None, "one-sided", "growth"):
            large, small = halves(args, scratch)
        if args.only in (None, "one-sided"):
            compare(args, scratch, large, "io,stat", "one-sided", min(args.rounds, 3))
        if args.only in (None, "growth"):
            growth(args, scratch, large, small)
    return 0


if __name__ == "__main__":
    sys.exit(main())
