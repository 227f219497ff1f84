#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare_builtin: tshark with the plugin against tshark with its own dissectors, on one large capture.

    compare_builtin.py build/release/bin/tshark-iwarp CAPTURE [--only PART] [--rounds N] [--record FILE] [--instructions]
    compare_builtin.py build/release/bin/tshark-iwarp --fpdus N [--packed] ...

Runs both in turn, each first in every other round, after a warm-up round. Prints the median and the quartiles of the ratios
for each command: processor time (user and system), and memory. Then the same of one direction of the capture alone, and how the time grows
from a quarter of it to all of it. --only NAME: that part alone. --record keeps the rounds in a
file, and those that it holds already count: so they can be run a few at a time, while the machine is quiet. No time is judged:
machines are shared. --instructions counts instructions by callgrind in place of the time, once, less what the start of
tshark takes. --fpdus makes the capture: RDMA Writes of 256 octets an FPDU without CRC, one a packet, or with --packed five, the best
case of the built-in. Exit status 2 when a program is missing or fails.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

# What both are asked for: the options with the plugin, and without.
COMMANDS = {
    "fields": (["-T", "fields", "-e", "iwarp.rdmap.opcode"], ["-T", "fields", "-e", "iwarp_rdma.opcode"]),
    "fields-2": (["-2", "-T", "fields", "-e", "iwarp.rdmap.opcode"], ["-2", "-T", "fields", "-e", "iwarp_rdma.opcode"]),
    "io,stat": (["-q", "-z", "io,stat,0"],) * 2,
    "V": (["-V"],) * 2,
}
START = ["-c", "1", "-q", "-z", "io,stat,0"]


def run(args, home, plugin, options):
    """Runs tshark in the same shell script, with the plugin or with Wireshark's own plugins alone; returns (seconds of the processor,
    peak resident KiB)."""
    environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home}
    if not plugin:
        environment["IWARP_WIRESHARK_PLUGINS"] = args.plugins
    words = [args.tshark, "-n", *options]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"compare_builtin: {' '.join(words)}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def counted(args, plugin, options):
    """The instructions of a run."""
    environment = {**os.environ, "IWARP_WIRESHARK": shutil.which("valgrind") or "valgrind"}
    if not plugin:
        environment["IWARP_WIRESHARK_PLUGINS"] = args.plugins
    words = [args.tshark, "--tool=callgrind", "--callgrind-out-file=/dev/null", shutil.which("tshark"), "-n", *options]
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, env=environment)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(f"compare_builtin: {' '.join(words)}: exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return int(found[1])


def instructions(args, names):
    starts = [counted(args, plugin, ["-r", args.capture, *START]) for plugin in (True, False)]
    for name in names:
        totals = [counted(args, plugin, ["-r", args.capture, *COMMANDS[name][not plugin]]) for plugin in (True, False)]
        mine, other = (total - start for total, start in zip(totals, starts))
        print(f"{name}: {mine / 1e6:.0f} million instructions, the built-in {other / 1e6:.0f}: {mine / other:.2f}", flush=True)


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
        taken = {}
        for plugin in (True, False) if number % 2 else (False, True):
            taken[plugin] = run(args, home, plugin, ["-r", capture, *(ours if plugin else theirs)])
        if number > 0:
            args.record.add(name, taken[True], taken[False])
    times = args.record.ratios(name, 0)
    print(f"{name}: processor {spread(times)}, memory {spread(args.record.ratios(name, 1))}; median and quartiles of "
          f"{len(times)} ratios", flush=True)


# --- a capture of small FPDUs -------------------------------------------------------------------


def segments(num, packed):
    """Yields (sender, TCP flags, payload): a startup without CRC, then Writes, acknowledged after each second packet."""
    yield from ((0, 0x02, b""), (1, 0x12, b""), (0, 0x10, b""))
    yield from ((0, 0x18, b"MPA ID Req Frame\0\1\0\0"), (1, 0x18, b"MPA ID Rep Frame\0\1\0\0"))
    fpdus = [struct.pack("!HBBIQ", 250, 0xC1, 0x40, 0x11223344, 236 * number) + bytes(240) for number in range(num)]
    for number, first in enumerate(range(0, num, packed)):
        yield 0, 0x18, b"".join(fpdus[first:first + packed])
        if number % 2:
            yield 1, 0x10, b""


def write_fpdus(path, num, packed):
    ends, ports, sequence = (b"\x0a\0\0\1", b"\x0a\0\0\2"), (40000, 4791), [0, 0]
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number, (sender, flags, payload) in enumerate(segments(num, packed)):
            ack = sequence[1 - sender] if flags & 0x10 else 0
            tcp = struct.pack("!HHIIBBHHH", ports[sender], ports[1 - sender], sequence[sender], ack, 0x50, flags, 65535, 0, 0)
            ip = struct.pack("!BBHHHBBH", 0x45, 0, 40 + len(payload), number % 65536, 0x4000, 64, 6, 0) + ends[sender] + ends[1 - sender]
            frame = bytes(12) + b"\x08\0" + ip + tcp + payload
            out.write(struct.pack("<IIII", number // 10000, number % 10000 * 100, len(frame), len(frame)) + frame)
            sequence[sender] = (sequence[sender] + len(payload) + (flags >> 1 & 1)) % 2**32
    os.chmod(path, 0o644)


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
            taken.append(run(args, home, True, ["-r", path, "-q", "-z", "io,stat,0"])[0])
    ratios = [slow / quick for quick, slow in zip(times[small], times[large])]
    more = os.path.getsize(large) / os.path.getsize(small)
    print(f"growth: one direction alone, {more:.1f} times the octets take {spread(ratios)} times as long")


def wireshark_plugins():
    """The folder of Wireshark's own plugins."""
    listed = subprocess.run(["tshark", "-G", "folders"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    return os.path.dirname(re.search(r"^Global Plugins:\s*(.*)$", listed, re.MULTILINE)[1].strip())


def compare_all(args, scratch):
    for name in COMMANDS:
        if args.only in (None, name):
            compare(args, scratch, args.capture, name, name, args.rounds)
    if args.fpdus is not None or args.only in COMMANDS:
        return
    large, small = halves(args, scratch)
    if args.only in (None, "one-sided"):
        compare(args, scratch, large, "io,stat", "one-sided", min(args.rounds, 3))
    if args.only in (None, "growth"):
        growth(args, scratch, large, small)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tshark", help="tshark-iwarp of the build tree")
    parser.add_argument("capture", nargs="?")
    parser.add_argument("--fpdus", type=int, help="make a capture of so many FPDUs in place of CAPTURE")
    parser.add_argument("--packed", action="store_true", help="with five of them in a packet")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", choices=[*COMMANDS, "one-sided", "growth"])
    parser.add_argument("--record", type=Record, default=Record(None), help="file of the rounds")
    parser.add_argument("--instructions", action="store_true", help="count instructions")
    args = parser.parse_args()
    if (args.capture is None) == (args.fpdus is None):
        parser.error("either CAPTURE or --fpdus")
    missing = [name for name in ("tshark", *(["valgrind"] if args.instructions else [])) if shutil.which(name) is None]
    if missing:
        print("compare_builtin: not installed:", *missing, file=sys.stderr)
        return 2
    args.plugins = wireshark_plugins()
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        if args.fpdus is not None:
            args.capture = os.path.join(scratch, "fpdus.pcap")
            write_fpdus(args.capture, args.fpdus, 5 if args.packed else 1)
        if args.instructions:
            instructions(args, [name for name in COMMANDS if args.only in (None, name)])
        else:
            compare_all(args, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
