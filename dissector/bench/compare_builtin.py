#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare_builtin: tshark with the plugin against tshark with its own dissectors, on one large capture.

    compare_builtin.py build/release/bin/tshark-iwarp CAPTURE [--rounds N] [--scratch FOLDER]

Runs both in turn, a warm-up round first, and prints for each command the median of the ratios of the time of the processor
(user and system), and of the memory. Then the same of one direction of the capture alone, and how the time grows from a
quarter of it to all of it. No time is judged: machines are shared. Exit status 2 when a program is missing or fails.
"""
import argparse
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


def compare(args, home, capture, rounds):
    for name, (ours, theirs) in COMMANDS.items():
        times, memory = [], []
        for number in range(rounds + 1):
            mine = run([args.tshark, "-n", "-r", capture, *ours], home)
            other = run([args.builtin, "-n", "-r", capture, *theirs], home)
            if number > 0:
                times.append(mine[0] / other[0])
                memory.append(mine[1] / other[1])
        print(f"{name}: processor {statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f}), "
              f"memory {statistics.median(memory):.2f}; median of {rounds} ratios", flush=True)


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


def growth(args, home, scratch):
    size, times = os.path.getsize(args.capture), {}
    for part in (4, 1):
        path = os.path.join(scratch, f"one-sided-{part}.pcap")
        one_sided(args.capture, path, size // 2 // part)
        rounds = [run([args.tshark, "-n", "-r", path, "-q", "-z", "io,stat,0"], home)[0] for _ in range(3)]
        times[part] = os.path.getsize(path), statistics.median(rounds)
    (small, quick), (large, slow) = times[4], times[1]
    print(f"one direction alone: {large / small:.1f} times the octets take {slow / quick:.1f} times as long")
    compare(args, home, path, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tshark", help="tshark-iwarp of the build tree")
    parser.add_argument("capture")
    parser.add_argument("--builtin", default="tshark", help="tshark without the plugin")
    parser.add_argument("--rounds", type=int, default=11)
    args = parser.parse_args()
    if shutil.which(args.builtin) is None:
        print("compare_builtin: tshark is not installed", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        compare(args, scratch, args.capture, args.rounds)
        growth(args, scratch, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
