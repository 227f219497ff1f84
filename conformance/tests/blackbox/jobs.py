#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""jobs: `TOOL check --jobs` prints what one job prints, octet for octet.   jobs.py TOOL PIECES PCAPS [--all]

PIECES is TOOL again, built to read files in pieces that most packets are longer than.
All captures of the repository, whole, cut short and through a pipe; captures made here, of many connections at the same time,
in fragments of IP, or beyond a limit; and every option that shapes what is printed.
Without --all one of three captures that are not large is taken, most of them by three jobs only. Where tests take a sample, there
are fewer connections, and one of the two programs reads a capture if one number of jobs does.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import kit  # isort: skip
import attacks

FEW, JOBS = ("3",), ("2", "3", "8")
BATCH = 16  # captures of a run; fuzz.jobs takes them one by one
LINK_RAW = 101
LIMITS = [(count, memory, ("2", "2", "5", "5")) for count, memory in ((4000, "256M"), (6000, "256M"), (4000, "4M"), (9000, "12M"))]
FEW_LIMITS = ((2000, "256M", ("2", "2")), (4000, "4M", ("2", "2", "5", "5")), (9000, "12M", ("5", "5")))
FEW_OCTETS = 64 << 10  # nine of ten captures of the repository have no more; together they are a tenth of it


def check(tool, *words, stdin=None):
    done = subprocess.run([tool, "check", *words], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def captures(folder, most=None):
    """Captures below a folder, of at most so many octets."""
    for root, _, names in sorted(os.walk(folder)):
        paths = (os.path.join(root, name) for name in sorted(names) if name.endswith((".pcap", ".pcapng")))
        yield from (path for path in paths if most is None or os.path.getsize(path) <= most)


class Comparison:
    """Counts runs, and those that differ from one job."""

    def __init__(self, tool, pieces, usual):
        self.tool, self.pieces, self.usual, self.runs, self.wrong, self.turn = tool, pieces, usual, 0, [], 0

    def __call__(self, *words, jobs=None):
        one, jobs = check(self.tool, *words), jobs or self.usual
        runs = [(self.tool, number) for number in jobs] + [(self.pieces, jobs[-1])]
        self.turn += 1
        for tool, number in runs if kit.REPEATED == 1 or len(jobs) > 1 else runs[self.turn % 2:][:1]:
            self.runs += 1
            if check(tool, "--jobs", number, *words) != one:
                self.wrong.append("%s --jobs %s %s" % (tool, number, " ".join(words)))
        return one

    def pipe(self, path):
        with open(path, "rb") as one, open(path, "rb") as many:
            self.runs += 1
            if check(self.tool, "-T", "jsonl", "-", stdin=one) != check(self.tool, "--jobs", "2", "-T", "jsonl", "-", stdin=many):
                self.wrong.append("through a pipe: " + path)

    def files(self, option, folder, *words):
        """What is written to files."""
        written = []
        for number in ("1", "4"):
            path = os.path.join(folder, "written")
            check(self.tool, "--jobs", number, option % path, *words)
            with open(path, "rb") as stream:
                written.append(stream.read())
            os.unlink(path)
        self.runs += 1
        if written[0] != written[1] or not written[0]:
            self.wrong.append("%s %s" % (option, " ".join(words)))


# ---- captures made here ----


def mixed(count, seed):
    """Packets of many connections, shuffled as a network would: some right, some wrong, some ended, some not iWARP."""
    chance = random.Random(seed)
    talks = []
    for i in range(count):
        talk = list(attacks.startup(i, request=b"\x00\x01\0\0" if i % 3 else b"\x2f\7\0\0"))
        talk += [attacks.send((i, n), n + 1 if i % 4 else 9) for n in range(i % 7)]
        if i % 5 == 0:
            talk += [attacks.packet(i, up, 1021 + 28 * (i % 7) if up else 5021, 5021, attacks.ACK | attacks.FIN) for up in (1, 0)]
        if i % 11 == 0:
            talk = [attacks.packet(i, True, 1000 + 8 * n, 1, attacks.ACK, b"noniwarp") for n in range(4)]
        talks.append(talk)
    while talks:
        talk = talks[chance.randrange(min(len(talks), 50))]
        yield talk.pop(0)
        if not talk:
            talks.remove(talk)


def fragments(packets, seed):
    """The same packets over IPv4, most of them in fragments, some of these out of order."""
    chance = random.Random(seed)
    for number, packet in enumerate(packets):
        head, body = bytearray(packet[:20]), packet[20:]
        pieces = []
        cut = 8 * chance.randrange(0, (len(body) - 1) // 8 + 1)
        for at, part, more in ((0, body[:cut], 0x2000), (cut, body[cut:], 0)) if cut else ((0, body, 0),):
            struct.pack_into("!HHH", head, 2, 20 + len(part), number & 0xFFFF, more | at // 8)
            pieces.append(bytes(head) + part)
        yield from pieces if chance.random() < 0.7 else reversed(pieces)


def among_others(packets):
    """The same packets, each before a large one that is of no connection: between few events a capture is read on far."""
    other = bytes((0x45, 0, 16, 0, 0, 0, 0, 0, 64, 17)) + bytes(4096 - 10)
    for packet in packets:
        yield packet
        yield other


def ended(count, seed):
    """Connections that end, and then thousands of packets of others: each is closed by a packet that is not its own."""
    chance = random.Random(seed)
    for i in range(count):
        yield from attacks.startup(i)
        yield attacks.send((i, 0), 1)
        for up in chance.sample((0, 1), 2):
            yield attacks.packet(i, up, 1021 + 28 if up else 5021, 5021, attacks.ACK | attacks.FIN)
        for n in range(chance.randrange(200)):
            yield attacks.packet(60000 + n % 7, True, 1000 + 8 * (i * 200 + n), 1, attacks.ACK, b"noniwarp")


def cut_file(path, to, octets):
    """The same capture, ending early: in a header, in a packet, between two."""
    with open(path, "rb") as whole, open(to, "wb") as part:
        part.write(whole.read()[:octets])


def snapped(path, to, lengths):
    """The same capture, of some packets of which only so many octets were captured."""
    with open(path, "rb") as whole, open(to, "wb") as part:
        part.write(whole.read(24))
        for number in range(1 << 30):
            record = whole.read(16)
            if len(record) < 16:
                return
            caplen = struct.unpack_from("<I", record, 8)[0]
            octets = whole.read(caplen)[:lengths[number % len(lengths)]]
            part.write(record[:8] + struct.pack("<I", len(octets)) + record[12:] + octets)


def set_link(path, link):
    with open(path, "r+b") as out:
        out.seek(20)
        out.write(struct.pack("<I", link))


def many(compare, folder, connections):
    path = os.path.join(folder, "mixed.pcap")
    for seed, count in ((1, 40), (2, 400), (3, connections)):
        attacks.write(path, mixed(count, seed))
        if seed > 1:
            set_link(path, LINK_RAW)
        for words in ((), ("-T", "jsonl"), ("-T", "jsonl", "-d", "tcp.port==7174"), ("-q",), ("-V",)):
            compare(*words, path)
    for words in (("--max-findings", "7"), ("--level", "must"), ("--only", "mpa.*"), ("--fail-on", "never"), ("-c", "501"),
                  ("-f", "tcp port 1030"), ("-f", "udp"), ("-d", "tcp.port==9"), ("--require-decided",), ("-t", "d"),
                  ("-t", "a"), ("-v",), ("-x",), ("--profile", "siw"), ("-T", "html"), ("-T", "tap"), ("-T", "junit")):
        compare(*words, path, jobs=("3",))
    for option in ("--report=sarif=%s", "--report=jsonl=%s", "--report=html=%s", "--annotate=%s"):
        compare.files(option, folder, path)
    compare.pipe(path)
    attacks.write(path + "2", attacks.bad_fpdus(20 * connections))
    compare("-T", "jsonl", path + "2")
    attacks.write(path + "2", fragments(mixed(400, 4), 5))
    compare("-T", "jsonl", path + "2")
    attacks.write(path + "2", among_others(mixed(700, 6)))
    set_link(path + "2", LINK_RAW)
    compare("-T", "jsonl", path + "2")
    compare("-T", "jsonl", path, path + "2", "/missing", path)
    attacks.write(path + "2", ended(connections // 3, 7))
    set_link(path + "2", LINK_RAW)
    compare("-T", "jsonl", path + "2", jobs=("2", "3", "7", "8"))
    for i in ("0", "1"):
        compare("-T", "jsonl", "--shard", i + "/2", path + "2", jobs=("2", "5"))
    snapped(path, path + "2", (4096, 4096, 70, 60, 4096, 96))
    compare("-T", "jsonl", path + "2")
    size = os.path.getsize(path)
    for octets in (24, 25, 40, 41, 331, 331 + 24, 2 * 331 + 24, size - 1, size - 17, size // 2):
        cut_file(path, path + "2", octets)
        compare("-T", "jsonl", path + "2", jobs=("2",))


def limits(compare, folder):
    """One job reports a limit that it reaches; below it nothing differs."""
    path = os.path.join(folder, "limit.pcap")
    for count, memory, numbers in LIMITS if kit.REPEATED == 1 else FEW_LIMITS:
        attacks.write(path, attacks.bare_requests(count))
        runs = [check(compare.tool, "--jobs", jobs, "-T", "jsonl", "--memory", memory, path) for jobs in ("1", *numbers)]
        said = [json.loads(run[1].splitlines()[-1]).get("given_up", 0) for run in runs]
        compare.runs += len(runs)
        if runs[1::2] != runs[2::2]:
            compare.wrong.append("%d connections, %s: not the same each time" % (count, memory))
        if not any(said) and runs[0] != runs[1]:
            compare.wrong.append("%d connections, %s: no limit, and not the same" % (count, memory))
        if (said[0] > 0) != (memory != "256M"):
            compare.wrong.append("%d connections, %s: one job gave up %d" % (count, memory, said[0]))
        if memory != "256M" and not all(said[1:]):
            compare.wrong.append("%d connections, %s: jobs together keep to no budget" % (count, memory))


def main(tool, pieces, pcaps, *option):
    most, connections = (None, 3000) if option == ("--all",) else (FEW_OCTETS, 900 if kit.REPEATED == 1 else 300)
    compare = Comparison(tool, pieces, JOBS if most is None else FEW)
    each = list(captures(pcaps, most))[::1 if most is None else 3 * kit.REPEATED]
    for first in range(0, len(each), BATCH):
        compare("-T", "jsonl", *each[first:first + BATCH], jobs=("3",))
        compare(*each[first:first + BATCH], jobs=("2",))
    every = [*captures(os.path.join(pcaps, "real", "siw"), most), *captures(os.path.join(pcaps, "synthetic", "sctp"))][::kit.REPEATED]
    compare("-T", "jsonl", *every)
    compare(*every)
    with tempfile.TemporaryDirectory() as folder:
        cut = os.path.join(folder, "cut.pcap")
        for path in every[::5]:
            with open(path, "rb") as whole, open(cut, "wb") as part:
                part.write(whole.read()[:-9])
            compare("-T", "jsonl", cut, jobs=("4",))
        many(compare, folder, connections)
        limits(compare, folder)
    for words in (("--jobs", "0"), ("--jobs", "257"), ("--jobs", "x"), ("--jobs",)):
        if check(tool, *words, every[0])[0] != 2:
            compare.wrong.append("%s is taken" % " ".join(words))
    print("\n".join(compare.wrong[:20]) or "%d runs are what one job makes of them" % compare.runs)
    return 1 if compare.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
