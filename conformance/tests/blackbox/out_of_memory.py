#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""out_of_memory: each command without each of its allocations.   out_of_memory.py TOOL LIBRARY PCAPS [--all] [CASE...]

LIBRARY is preload/alloc_fail.c, which runs the tool once for each allocation: it fails alone, or with all after it.  Such
a run ends with status 70 and "out of memory", and each of its outputs is a beginning of the undisturbed output, without
a verdict; or status and outputs equal the undisturbed run, since a library does without a buffer.  Without --all
the first allocations and a sample of the others fail; with it all do, on more captures.  Where tests take a sample,
a case has one of the two ways of failing.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import compressed

import kit

MODES = ("from", "only")
DENSE, ALL = 8, 1 << 30  # allocations that fail one after the other, before they are sampled
INTERNAL = 70
VERDICT = re.compile(rb'verdict"?: ?"?(pass|undecided|no-iwarp)')
SCENARIO = b"i> mpa-request\nr> mpa-reply\ni> send len=9 segment=4\ni> write len=5\ni> read-request len=5\nr> send\n"


class Inputs:
    """Files that the commands read."""

    def __init__(self, tool, pcaps, folder):
        self.tool, self.folder = tool, folder
        rules = os.path.join(pcaps, "synthetic", "rules")
        self.capture = os.path.join(rules, "ddp.msn-sequence-fail.pcap")
        self.other = os.path.join(rules, "mpa.crc-fail.pcap")
        self.passes = os.path.join(rules, "mpa.crc-pass.pcap")
        self.sctp = os.path.join(pcaps, "synthetic", "sctp", "fragments.pcap")
        self.traffic = os.path.join(pcaps, "synthetic", "traffic", "embedded-fpdus.pcap")
        self.scenario = self.write("s.scn", SCENARIO)
        self.profile = self.write("mine.profile", b"iwarp-profile 1\nmpa.crc any mine a text\nddp.msn-sequence any mine a text\n")
        self.baseline = self.write("known.baseline", self.run("baseline", self.capture, self.other))
        self.shards = [self.write(f"shard{i}", self.run("check", "--shard", f"{i}/2", self.capture, self.other)) for i in (0, 1)]
        self.many = self.write("many.pcap", many(self.capture, 9))
        with open(self.capture, "rb") as stream:
            octets = stream.read()
        self.packed = {f"{form} {i}": self.write(f"packed{i}.{form}", pack(octets)) for i, (form, _, pack) in
                       enumerate(compressed.packers())}

    def write(self, name, octets):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(octets)
        return path

    def run(self, *words):
        return subprocess.run([self.tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def many(path, times):
    """The packets of a capture of IPv4 in Ethernet, again from other addresses: more connections with findings."""
    with open(path, "rb") as stream:
        octets = stream.read()
    order = "little" if octets[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else "big"
    out = [octets[:24]]
    link = int.from_bytes(octets[20:24], order) & 0xffff
    ip = {1: 14, 101: 0}[link]
    for i in range(times):
        at = 24
        while at < len(octets):
            end = at + 16 + int.from_bytes(octets[at + 8:at + 12], order)
            packet = bytearray(octets[at:end])
            for address in (12, 16):  # both ends get another address; TCP's checksum, where it is wrong, is noted at most
                packet[16 + ip + address + 1] = (packet[16 + ip + address + 1] + i) & 255
            out.append(bytes(packet))
            at = end
    return b"".join(out)


def more_cases(pcaps):
    """The same for other captures."""
    for topic in ("sctp", "traffic", "wireshark-defects"):
        folder = os.path.join(pcaps, "synthetic", topic)
        for name in sorted(os.listdir(folder)):
            if name.endswith((".pcap", ".pcapng")):
                yield f"check {name}", ["check", os.path.join(folder, name)], None
                yield f"dump {name}", ["dump", "-T", "jsonl", os.path.join(folder, name)], None


def cases(has):
    """Yields (name, words, path of the standard input or None)."""
    for form in ("text", "jsonl", "junit", "sarif", "tap", "html"):
        yield f"check {form}", ["check", "-T", form, has.capture, has.other], None
    yield "check text of many", ["check", has.many], None
    yield "check passes", ["check", has.passes], None
    yield "check of streams", ["check", "-V", has.traffic], None
    yield "check sctp", ["check", "-T", "jsonl", has.sctp], None
    yield "check -v -V -x", ["check", "-v", "-V", "-x", has.capture], None
    yield "check --only --exclude -f", ["check", "--only", "mpa.*", "--only", "ddp.*", "--exclude", "mpa.crc", "-f", "tcp",
                                        has.capture], None
    yield "check -d", ["check", "-d", "tcp.port==7174", has.capture], None
    yield "check wrong words", ["check", "--only", "mpa.crk", has.capture], None
    yield "check standard input", ["check", "-"], has.capture
    yield "check standard input, compressed", ["check", "-"], has.packed["gzip 0"]
    yield "check reports", ["check", "-q", "--report", "jsonl=a.jsonl", "--report", "html=a.html", "--report", "junit=a.xml",
                            "--report", "sarif=a.sarif", "--report", "tap=a.tap", has.capture], None
    yield "check --annotate", ["check", "--annotate", "a.pcapng", has.capture], None
    yield "check --jobs", ["check", "--jobs", "2", "-T", "jsonl", has.capture, has.other], None
    yield "check --jobs of many", ["check", "--jobs", "2", has.many], None
    yield "check --jobs sctp", ["check", "--jobs", "2", has.sctp], None
    yield "check --join", ["check", "--join", has.other, has.capture], None
    yield "check --profile", ["check", "--profile", has.profile, has.capture], None
    yield "check --profile siw", ["check", "--profile", "siw", has.capture], None
    yield "check --baseline", ["check", "-T", "jsonl", "--baseline", has.baseline, has.capture, has.other], None
    yield "check --baseline, missing", ["check", "--baseline", has.baseline, has.passes, has.other], None
    yield "check --shard", ["check", "--shard", "0/2", has.capture, has.other], None
    for name, path in has.packed.items():
        yield f"check {name}", ["check", path], None
    yield "dump text", ["dump", has.capture, has.sctp], None
    yield "dump -V -x", ["dump", "-V", "-x", has.capture], None
    yield "dump jsonl", ["dump", "-T", "jsonl", has.capture, has.sctp], None
    yield "dump fragments", ["dump", has.sctp], None
    yield "timeline", ["timeline", has.many], None
    yield "timeline sctp", ["timeline", has.sctp], None
    yield "baseline", ["baseline", has.capture, has.other], None
    yield "merge", ["merge", *has.shards], None
    yield "stats", ["stats", has.capture, has.sctp], None
    yield "stats --metrics", ["stats", "-T", "csv", "--metrics", "metrics", has.capture, has.sctp], None
    yield "stats html", ["stats", "-T", "html", has.capture, has.sctp], None
    yield "stats jsonl", ["stats", "-T", "jsonl", "--interval", "0.001", has.capture, has.other], None
    yield "scrub", ["scrub", has.capture, "-o", "out.pcap"], None
    yield "scrub sctp", ["scrub", "--keep-private-data", has.sctp, "-o", "out.pcapng"], None
    for variant in (None, "reordered"):
        yield f"gen {variant or 'plain'}", ["gen", *(["--variant", variant] if variant else []), "-o", "out.pcap", has.scenario], None
    yield "gen to standard output", ["gen", "-o", "-", has.scenario], None
    yield "decode", ["decode", "00000000"], None
    yield "decode of standard input", ["decode", "-"], has.write("hex", b"0000 0000 1234\n")
    yield "rules", ["rules"], None
    yield "rules jsonl", ["rules", "-T", "jsonl"], None
    yield "explain", ["explain", "mpa.crc"], None
    yield "explain, wrong word", ["explain", "mpa.crk"], None
    yield "coverage", ["coverage", "7146"], None
    yield "help", ["help", "check"], None


class Outcome:
    """What a run left: its status and its files by name, less the messages."""

    def __init__(self, folder, status):
        self.status = os.waitstatus_to_exitcode(status)
        self.files = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as stream:
                self.files[name] = stream.read()
        self.messages = self.files.pop("err")


def complaint(run, whole):
    """What is wrong with a run that lacked memory, or None."""
    if run.status == whole.status and run.files == whole.files:
        return None
    if run.status != INTERNAL:
        return f"status {run.status}"
    if run.messages.count(b"out of memory") != 1 or b"internal error" in run.messages:
        return "no word of memory"
    for name, octets in run.files.items():
        if name not in whole.files and octets:
            return f"{name}: is left over"
        if name in whole.files and not whole.files[name].startswith(octets):
            return f"{name}: is no beginning of the undisturbed one"
        if VERDICT.search(octets) and octets != whole.files[name]:
            return f"{name}: has a verdict"
    return None


def starve(args, case, mode, folder):
    """Runs a case once for each allocation; returns (runs, complaints)."""
    name, words, stdin = case
    out = os.path.join(folder, "out")
    os.mkdir(out)
    environment = dict(os.environ, LD_PRELOAD=args.library, ALLOC_FAIL=mode, ALLOC_OUT=out,
                       ALLOC_DENSE=str(ALL if args.all else DENSE), TERM="dumb")
    with open(stdin or os.devnull, "rb") as given:
        done = subprocess.run([args.tool, *words], env=environment, stdin=given, stdout=subprocess.PIPE, check=True)
    rows = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    whole, wrong = None, []
    for n, status, failures in rows:
        run = Outcome(os.path.join(out, str(n)), status)
        whole = whole or run
        problem = complaint(run, whole)
        if problem:
            wrong.append(f"{name}: {mode} {n} ({failures} failed): {problem}: {run.messages.decode(errors='replace').strip()}")
    shutil.rmtree(out)
    if len(rows) < 2:
        wrong.append(f"{name}: ran {len(rows)} times")
    return len(rows), wrong


def modes(number, everything):
    """How the allocations of a case fail: in a sample, one case in the one way and the next one in the other."""
    return MODES if everything or kit.REPEATED == 1 else MODES[number % 2:][:1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("pcaps", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    runs, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        chosen = list(cases(Inputs(args.tool, args.pcaps, folder)))
        for number, case in enumerate(chosen + (list(more_cases(args.pcaps)) if args.all else [])):
            if not args.cases or case[0] in args.cases:
                for mode in modes(number, args.all or args.cases):
                    more, found = starve(args, case, mode, folder)
                    runs += more
                    wrong += found
    for line in wrong:
        print(line)
    print(f"out_of_memory: {runs} runs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
