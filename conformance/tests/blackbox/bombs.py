#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""bombs: a small compressed capture that unpacks to a large one is read up to --max-unpacked.   bombs.py TOOL [--all]

At the limit the results so far are reported. The report and standard error name the limit. `check` ends with 4, or with
1 if a rule was violated; commands that judge nothing end with 2. Jobs and --join change nothing of it. Empty
records are packets, and empty members, frames and streams cost no more than their octets. FPDUs and SCTP messages count too.
Without --all some of the captures of many PDUs are left out.
"""

import functools
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import attacks

ABSENT = b"which this build cannot read"
MIB = 1 << 20
LITTLE = ("--max-unpacked", "1M")  # and so 8192 blocks


class Bombs:
    """Runs the tool, and counts what is wrong."""

    def __init__(self, tool, folder, every):
        self.tool, self.folder, self.every, self.wrong, self.runs = tool, folder, every, [], 0

    def some(self, table, *names):
        """The names and values of a table; without --all only of these names."""
        return [row for row in table.items() if self.every or row[0] in names]

    def path(self, octets, name="bomb"):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(octets)
        return path

    def run(self, *words, octets=None):
        """(status, standard output, standard error)"""
        self.runs += 1
        done = subprocess.run([self.tool, *words], input=octets, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout, done.stderr

    def check(self, *words, octets=None):
        """(status, summary, standard error) of check."""
        status, out, err = self.run("check", "-T", "jsonl", *words, octets=octets)
        return status, json.loads(out.splitlines()[-1]), err

    def expect(self, condition, what):
        if not condition:
            self.wrong.append(what)

    def limited(self, what, run, status=4, captures=1):
        """True if the limit was reached and is named, wherever it has to be."""
        got, summary, err = run
        self.expect(got == status, "%s: status %d" % (what, got))
        self.expect(summary.get("limits") == {"unpacked": captures}, "%s: %s" % (what, summary.get("limits")))
        self.expect(err.count(b"--max-unpacked") == captures, "%s: it is not named: %r" % (what, err))

    def built(self, octets):
        return ABSENT not in self.run("check", self.path(octets, "built"))[2]


def talk():
    """A capture with a violation, as a file begins with it."""
    packets = [*attacks.startup(0), attacks.send(0, 77)]
    return attacks.PCAP_HEAD + b"".join(
        attacks.struct.pack("<IIII", 1700000000, i, len(p), len(p)) + p for i, p in enumerate(packets))


def every_form(bombs):
    """Zeros are empty records."""
    for form, octets in attacks.bombs(talk(), 8 * MIB):
        if not bombs.built(octets):
            print("skipped: %s" % form)
            continue
        path = bombs.path(octets)
        runs = [bombs.check(*LITTLE, "--jobs", jobs, path) for jobs in ("1", "2", "5")]
        bombs.limited(form, runs[0], status=1)
        bombs.expect(runs[0] == runs[1] == runs[2], "%s: jobs differ" % form)
        bombs.expect(8192 <= runs[0][1]["packets"] < 65536, "%s: %d packets" % (form, runs[0][1]["packets"]))
        bombs.limited("%s, from a pipe" % form, bombs.check(*LITTLE, "-", octets=octets), status=1)
        joined = bombs.check(*LITTLE, "--join", path, bombs.path(octets, "other"))
        bombs.limited("%s, joined" % form, joined, status=1, captures=2)
        bombs.expect(joined[1]["packets"] == 2 * runs[0][1]["packets"], "%s: joined, %d packets" % (form, joined[1]["packets"]))
        whole = bombs.check("--max-unpacked", "2G", path)
        bombs.expect(whole[0] == 1 and "given_up" not in whole[1] and whole[1]["packets"] == 8 * MIB // 16 + 5,
                     "%s, with room: %s" % (form, whole[1]))


def every_command(bombs):
    """Those that judge nothing end with 2, and print what was read."""
    octets = gzip.compress(talk() + bytes(8 * MIB))
    path = bombs.path(octets)
    if not bombs.built(octets):
        return
    for command in ("dump", "timeline", "baseline"):
        status, out, err = bombs.run(command, *LITTLE, path)
        bombs.expect(status == 2 and out and b"--max-unpacked" in err, "%s: %d %r" % (command, status, err))
    status, out, _ = bombs.run("check", *LITTLE, "--only", "mpa.*", path)
    bombs.expect(status == 4 and b"given up: 1 capture (unpacked 1)" in out and b"undecided (a limit was reached)" in out,
                 "text: %r" % out[-400:])
    comments = os.path.join(bombs.folder, "comments.pcapng")
    bombs.limited("annotate", bombs.check(*LITTLE, "--annotate", comments, path), status=1)
    # scrub reads three times, and writes: it gives up at a third of the packets, and some that were read ahead
    head, block, _ = attacks.EMPTY_BLOCKS["empty records"]
    path = bombs.path(gzip.compress(head + block * (MIB // 2)))
    read = [re.search(rb"packet (\d+)", bombs.run(*words, "--max-unpacked", "8M", path)[2]) for words in
            (("check",), ("scrub", "-o", os.path.join(bombs.folder, "scrubbed.pcap")))]
    bombs.expect(all(read) and int(read[1].group(1)) < int(read[0].group(1)) / 2, "scrub reads on: %s" % read)
    first, second = (bombs.check(*LITTLE, "--shard", shard, path) for shard in ("0/2", "1/2"))
    bombs.expect(sum(part[1].get("given_up", 0) for part in (first, second)) == 1, "shards count it more than once, or never")


def every_block(bombs):
    """Blocks are counted, whether they are packets or not."""
    for name, (head, block, is_packet) in attacks.EMPTY_BLOCKS.items():
        count = 100000
        path = bombs.path(gzip.compress(head + block * count))
        if not bombs.built(gzip.compress(head)):
            return
        for jobs in ("1", "3"):
            run = bombs.check(*LITTLE, "--jobs", jobs, path)
            bombs.limited(name, run)
            bombs.expect(run[1]["packets"] < count, "%s: %d packets" % (name, run[1]["packets"]))
        plain = bombs.path(head + block * count, "plain")
        for words in ((path,), (plain,), ("--jobs", "2", plain), ("--jobs", "2", path), ("-f", "not tcp", plain)):
            status, summary, _ = bombs.check(*words)
            packets = count if is_packet and (words[0] != "-f" or summary["packets"] > 0) else 0
            bombs.expect(status == 3 and summary["packets"] == packets, "%s, %s: %s" % (name, words, summary))
        status, summary, _ = bombs.check("-c", "77", plain)
        bombs.expect(summary["packets"] == (77 if is_packet else 0), "%s, -c: %s" % (name, summary))


def at_the_limit(bombs):
    """A file that unpacks to just what it may is read to its end."""
    large = attacks.struct.pack("<IIII", 0, 0, 60000, 60000) + bytes(60000)
    octets = talk() + large * 20
    path = bombs.path(gzip.compress(octets))
    if not bombs.built(gzip.compress(octets)):
        return
    size = len(octets)
    for most in (size, size + 1, 2 * size):
        run = bombs.check("--max-unpacked", str(most), path)
        bombs.expect("given_up" not in run[1] and run[0] == 1, "%d of %d octets: %s" % (most, size, run[1]))
    for most in (size - 1, size - 60000, 300000):
        run = bombs.check("--max-unpacked", str(most), path)
        bombs.limited("%d of %d octets" % (most, size), run, status=1)
        bombs.expect(run[1]["packets"] == 5 + (most - len(talk())) // len(large), "%d octets: %s" % (most, run[1]))
    run = bombs.check("--max-unpacked", "1x", path)
    bombs.expect(run[0] == 1 and "given_up" not in run[1], "1x, below 1 GiB: %s" % run[1])


def by_default(bombs):
    """2 GiB of zeros: the limit is 1 GiB, and 8388608 blocks of that."""
    octets = attacks.zstd_bomb(attacks.PCAP_HEAD, 2048 * MIB)
    if bombs.built(octets):
        run = bombs.check(bombs.path(octets))
        bombs.limited("2 GiB", run)
        bombs.expect(8 * MIB < run[1]["packets"] < 9 * MIB, "2 GiB: %d packets" % run[1]["packets"])


def many_parts(bombs):
    """Empty members and the like before a capture: it is read."""
    for form, octets in attacks.empty_parts(50000):
        packed = dict(attacks.bombs(talk(), 0))[form]
        if bombs.built(packed):
            run = bombs.check(bombs.path(octets + packed))
            bombs.expect(run[0] == 1 and run[1]["packets"] == 5 and "given_up" not in run[1], "%s: %s %r" % (form, run[1], run[2]))


def packed(packets):
    """A pcap file of such packets, in a gzip file."""
    record = attacks.struct.pack
    return gzip.compress(attacks.PCAP_HEAD + b"".join(
        record("<IIII", 1700000000, 0, len(octets), len(octets)) + octets for octets in packets), 1, mtime=0)


DENSE = {"empty FPDUs": (attacks.empty_fpdus, 3000000),
         "wrong FPDUs": (attacks.bad_fpdus, 1200000),
         "SCTP messages": (attacks.sctp_messages, 1000000)}


@functools.lru_cache
def dense(name):
    """A compressed capture of about 24 MB: few records, many PDUs in each."""
    make, count = DENSE[name]
    return packed(make(count))


def every_pdu(bombs):
    """PDUs count as two blocks each: with room for all octets the capture is cut, at one packet whatever reads it. Of FPDUs that
    break rules, which take longest, two numbers of jobs are enough; pipes and joined captures differ in what reads the octets,
    so one kind of PDU is."""
    for name, _ in bombs.some(DENSE, "empty FPDUs"):
        octets = dense(name)
        path = bombs.path(octets)
        if not bombs.built(octets):
            return
        runs = [bombs.check("--max-unpacked", "40M", "--jobs", jobs, path) for jobs in ("1", "3")]
        bombs.limited(name, runs[0], status=1)
        bombs.expect(all(run == runs[0] for run in runs), "%s: jobs differ: %s" % (name, [run[1]["packets"] for run in runs]))
        if name == "wrong FPDUs" or not bombs.every:
            continue
        whole = bombs.check("--max-unpacked", "8G", path)
        bombs.expect("given_up" not in whole[1] and whole[1]["packets"] > runs[0][1]["packets"], "%s, with room: %s" % (name, whole))
        if name != "empty FPDUs":
            continue
        piped = bombs.check("--max-unpacked", "40M", "--jobs", "2", "-", octets=octets)
        bombs.limited("%s, from a pipe" % name, piped, status=1)
        joined = [bombs.check("--max-unpacked", "40M", "--jobs", jobs, "--join", path, bombs.path(octets, "other")) for jobs in ("1", "3")]
        bombs.limited("%s, joined" % name, joined[0], status=1, captures=2)
        bombs.expect(joined[0] == joined[1], "%s, joined: jobs differ" % name)


def every_connection(bombs):
    """A connection counts as 64 blocks: it costs more than its packets and PDUs."""
    if not bombs.every:
        return
    octets = packed(attacks.bare_requests(200000))
    if not bombs.built(octets):
        return
    status, summary, err = bombs.check("--memory", "32M", "--max-unpacked", "200M", bombs.path(octets))
    bombs.expect(status == 4 and summary["limits"].get("unpacked") == 1 and err.count(b"--max-unpacked") == 1
                 and summary["packets"] < 200000, "connections: %s" % summary)


def every_cost(bombs):
    """What costs as much as PDUs counts as PDUs do, though there are few packets and none of them."""
    captures = {"chunks": lambda: attacks.sctp_chunks(5000000, attacks.gensctp.chunk(0xBF, 0, b"")),
                "SACKs": lambda: attacks.sctp_chunks(1000000, attacks.gensctp.chunk(3, 0, attacks.struct.pack("!IIHH", 999, 65535, 0, 0))),
                "octets without an FPDU": lambda: attacks.wrong_crcs(1000000),
                "copies that differ": lambda: attacks.differing_copies(200000),
                "connections without octets": lambda: attacks.syns(0, 200000)}
    for name, make in bombs.some(captures, "octets without an FPDU", "connections without octets"):
        octets = packed(make())
        path = bombs.path(octets)
        if not bombs.built(octets):
            return
        runs = [bombs.check("--max-unpacked", "32M", "--jobs", jobs, path) for jobs in ("1", "3")]
        bombs.expect(runs[0][1].get("limits", {}).get("unpacked") == 1 and runs[0][2].count(b"records, blocks and PDUs (--max-unpacked)") == 1,
                     "%s: %s %r" % (name, runs[0][1].get("limits"), runs[0][2]))
        bombs.expect(runs[0] == runs[1], "%s: jobs differ: %s" % (name, [run[1]["packets"] for run in runs]))


def honest(bombs):
    """Captures of zeros that no rule finds fault with stay whole, as if they unpacked to 126 times their octets."""
    for octets, a_packet in ((64, 92), (16, 65000)) + ((0, 1448), (1400, 1448), (64000, 1448)) * bombs.every:
        plain = bombs.path(b"", "plain")
        size = attacks.write(plain, attacks.honest_sends(4000000 // (octets + 24), octets, a_packet))
        with open(plain, "rb") as capture:
            path = bombs.path(gzip.compress(capture.read(), 1))
        status, summary, err = bombs.check("--max-unpacked", str(size * 1024 // 126), path)
        if ABSENT in err:
            return
        bombs.expect(status == 0 and "given_up" not in summary, "Sends of %d octets: %d %s" % (octets, status, summary.get("limits")))


def pdus_of_commands(bombs):
    """The limit holds for those that judge nothing too, and an annotated copy ends where the check did."""
    octets = dense("SCTP messages" if bombs.every else "empty FPDUs")
    path = bombs.path(octets)
    if not bombs.built(octets):
        return
    status, _, err = bombs.run("baseline", "--max-unpacked", "4M", path)
    bombs.expect(status in (2, 4) and b"--max-unpacked" in err, "baseline: %d %r" % (status, err))
    copy = os.path.join(bombs.folder, "copy.pcapng")
    first = bombs.check("--max-unpacked", "40M", "--annotate", copy, path)
    again = bombs.check(copy)
    bombs.expect(first[1]["packets"] == again[1]["packets"], "annotate: %s and %s" % (first[1]["packets"], again[1]["packets"]))


def main(tool, *option):
    with tempfile.TemporaryDirectory() as folder:
        bombs = Bombs(tool, folder, option == ("--all",))
        for part in (every_form, every_command, every_block, at_the_limit, by_default, many_parts,
                     every_pdu, every_connection, every_cost, honest, pdus_of_commands):
            part(bombs)
    for wrong in bombs.wrong:
        print(wrong)
    print("%d runs, %d wrong" % (bombs.runs, len(bombs.wrong)))
    return 1 if bombs.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
