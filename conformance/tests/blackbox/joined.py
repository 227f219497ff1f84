#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""joined: captures that are one cut into files show with --join what the one shows.   joined.py TOOL PCAPS [--all]

Each capture is cut at some packets, the files are given in another order and some of them compressed; what JSON Lines say of
the one and of the files is the same, frame for frame once frames are counted through.  Captures are also dealt to files that
overlap in time, packet by packet or by direction.  Every reporter, --jobs, --shard,
--annotate, -c and -f take them; what cannot be joined is refused.  --all takes more of the captures.
"""

import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import schema_check  # noqa: E402

FRAMES = ("frame", "end_frame", "other_frame", "about_frame")
FORMATS = kit.FORMATS


def run(tool, *words, cwd=None, stdin=None):
    done = subprocess.run([tool, *words], cwd=cwd, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def write(path, packets, link):
    capfile.write_pcap(path, packets, link, nano=True)


def packed(path):
    with open(path, "rb") as stream:
        octets = gzip.compress(stream.read())
    with open(path, "wb") as out:
        out.write(octets)


class Cut:
    """A capture cut into files, as packets `before` each of them."""

    def __init__(self, folder, capture, parts, compress):
        self.folder, self.frames = folder, {}
        self.names = ["part%d.pcap" % number for number in range(len(parts))]
        for name, part in zip(self.names, parts):
            path = os.path.join(folder, name)
            write(path, [capture.packets[at] for at in part], capture.link)
            if compress and part[0] % 2:
                packed(path)
            self.frames[name] = [at + 1 for at in part]

    def diagnosed(self, item, file):
        """A diagnosis with its frames counted through."""
        files = item.get("frames_file", [file] * len(item["frames"]))
        frames = [self.frames[place][frame - 1] for place, frame in zip(files, item["frames"])]
        return {**{key: value for key, value in item.items() if key != "frames_file"}, "frames": frames}

    def counted(self, item, file=None):
        """The same line as of the one capture: frames counted through, and no files."""
        file = item.get("file", file)
        out = {}
        for key, value in item.items():
            if isinstance(value, dict):
                value = self.counted(value, file)
            if key == "diagnosis":
                value = [self.diagnosed(each, file) for each in value]
            if key in FRAMES:
                place = item.get(key + "_file", file)
                if place != file or key + "_file" not in item:
                    value = self.frames[place][value - 1]
            if key != "file" and not key.endswith("_file"):
                out[key] = value
        return out


def cut_at(cuts, num):
    """The packets of each file, in order."""
    bounds = [0, *cuts, num]
    return [list(range(first, last)) for first, last in zip(bounds, bounds[1:])]


def dealt(chance, packets):
    """The packets of each file, where files overlap: by direction or by chance."""
    num = chance.choice((2, 2, 5))
    by_sender = chance.random() < 0.5
    senders = {}
    parts = [[] for _ in range(num)]
    for at, packet in enumerate(packets):
        sender = senders.setdefault(packet.data[6:12] + packet.data[26:30], len(senders))
        parts[(sender if by_sender else chance.randrange(num)) % num].append(at)
    return [part for part in parts if part]


def lines(output):
    return [json.loads(line) for line in output.splitlines()]


def plain(item):
    """A line without files, and without texts that name them or frames."""
    out = {key: value for key, value in item.items() if key not in ("file", "files") and not (key == "text" and item["type"] == "capture")}
    if "diagnosis" in out:
        out["diagnosis"] = [{key: value for key, value in each.items() if key != "text"} for each in out["diagnosis"]]
    return out


class Test:
    def __init__(self, tool, folder, schemas):
        self.schemas = {name: schema_check.Schema(os.path.join(schemas, name + ".schema.json")) for name in ("check", "dump")}
        self.tool, self.folder, self.runs, self.wrong, self.elsewhere, self.named = tool, folder, 0, [], 0, 0

    def expect(self, condition, what):
        self.runs += 1
        if not condition:
            self.wrong.append(what)

    def same(self, path, cut, given, *words):
        """The same lines, and the same status."""
        one = run(self.tool, *words, path)
        many = run(self.tool, *words, "--join", *given, cwd=cut.folder)
        for line in lines(many[1]):
            complaint = self.schemas[words[0]].complaint(line)
            self.expect(complaint is None, "%s: %s: %s" % (path, " ".join(words), complaint))
        self.elsewhere += many[1].count(b'_file":')
        expected = [plain(line) for line in lines(one[1])]
        found = [cut.counted(plain(line), line.get("file")) for line in lines(many[1])]
        for line in found:
            line.pop("files", None)
        differ = next((pair for pair in zip(expected, found) if pair[0] != pair[1]), None)
        self.expect(one[0] == many[0] and len(expected) == len(found) and differ is None,
                    "%s: %s: %d, not %d: %.400s" % (path, " ".join(words), many[0], one[0], differ))

    def shards(self, cut, given):
        """All shards together are one run."""
        parts = []
        for number in range(2):
            parts.append(os.path.join(self.folder, "shard%d" % number))
            with open(parts[-1], "wb") as out:
                out.write(run(self.tool, "check", "--shard", "%d/2" % number, "--join", *given, cwd=cut.folder)[1])
        whole = run(self.tool, "check", "-T", "jsonl", "--join", *given, cwd=cut.folder)
        merged = run(self.tool, "merge", *parts)
        self.expect(merged[0] == whole[0] and kit.lines_of_run(merged[1]) == kit.lines_of_run(whole[1]),
                    "shards of joined captures are not joined")

    def annotated(self, path, cut, given):
        """The packets of all files, each with its comments."""
        out = [os.path.join(self.folder, name) for name in ("one.pcapng", "many.pcapng")]
        run(self.tool, "check", "--annotate", out[0], path)
        status, _, said = run(self.tool, "check", "--annotate", out[1], "--join", *given, cwd=cut.folder)
        counts = [run(self.tool, "dump", "-T", "jsonl", name) for name in out]
        self.expect(status in (0, 1, 4) and counts[0][1].replace(b"one.pcapng", b"many.pcapng") == counts[1][1],
                    "%s annotated: %d: %r" % (path, status, said))
        octets = [open(name, "rb").read().count(b"why: iwarp explain") for name in out]
        self.expect(octets[0] == octets[1], "%s annotated: %d comments, not %d" % (path, octets[1], octets[0]))

    def capture(self, path, chance):
        capture = capfile.read_capture(path)
        if len(capture.packets) < 6:
            return
        cuts = sorted(chance.sample(range(1, len(capture.packets)), 3))
        if len({capture.packets[at].time for at in (0, *cuts)}) < 4:  # files that begin at the same time are read as they are given
            return
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            cut = Cut(folder, capture, cut_at(cuts, len(capture.packets)), self.compress)
            given = chance.sample(cut.names, len(cut.names))
            for words in (("check", "-T", "jsonl"), ("dump", "-T", "jsonl"), ("check", "-T", "jsonl", "--jobs", "3"),
                          ("dump", "-T", "jsonl", "-c", str(cuts[1] + 1)), ("check", "-T", "jsonl", "-d", "tcp.port==7174"),
                          ("check", "-T", "jsonl", "-f", "greater 0")):
                self.same(path, cut, given, *words)
            if chance.random() < 0.1:
                self.others(path, cut, given)

    def overlapping(self, path, chance):
        """Files that overlap: each packet has a time of its own."""
        capture = capfile.read_capture(path)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            for number, packet in enumerate(capture.packets):
                packet.time = capture.packets[0].time + number * 1000
            whole = os.path.join(folder, "whole.pcap")
            write(whole, capture.packets, capture.link)
            cut = Cut(folder, capture, dealt(chance, capture.packets), self.compress)
            given = chance.sample(cut.names, len(cut.names))
            for words in (("check", "-T", "jsonl"), ("dump", "-T", "jsonl"), ("check", "-T", "jsonl", "--jobs", "3"),
                          ("dump", "-T", "jsonl", "-c", str(len(capture.packets) * 2 // 3))):
                self.same(whole, cut, given, *words)
            if chance.random() < 0.2:
                self.shards(cut, given)
                self.annotated(whole, cut, given)

    def others(self, path, cut, given):
        for form in FORMATS:
            alone = run(self.tool, "check", "-T", form, path)
            joined = run(self.tool, "check", "-T", form, "--join", path)
            self.expect(alone == joined, "%s: one capture joined is another one: %s" % (path, form))
            together = run(self.tool, "check", "-T", form, "--join", *given, cwd=cut.folder)
            again = run(self.tool, "check", "-T", form, "--join", *reversed(given), cwd=cut.folder)
            self.expect(together == again and together[0] == alone[0], "%s: the order that is given counts: %s" % (path, form))
        timeline = run(self.tool, "timeline", "--join", *given, cwd=cut.folder)
        self.expect(timeline[0] == 0, "%s: timeline: %r" % (path, timeline[2]))
        self.named += timeline[1].count(b"frames of part")
        text = run(self.tool, "dump", "--join", *given, cwd=cut.folder)
        self.expect(text[0] == 0 and b" frame part" in text[1] and b"==>" not in text[1], "%s: dump: %r" % (path, text[2]))
        known = os.path.join(self.folder, "known")
        with open(known, "wb") as out:
            out.write(run(self.tool, "baseline", "--join", *given, cwd=cut.folder)[1])
        status, _, said = run(self.tool, "check", "--baseline", known, "--join", *given, cwd=cut.folder)
        self.expect(status in (0, 4) and said == b"", "%s: baseline: %d %r" % (path, status, said))
        self.shards(cut, given)
        self.annotated(path, cut, given)

    def refused(self, path):
        for words, said in ((("check", "--join", "-"), b"'-' is no file"), (("dump", "--join", path, "-"), b"'-' is no file"),
                            (("timeline", path, path), b"one operand too many"), (("rules", "--join"), b"--join")):
            status, output, message = run(self.tool, *words)
            self.expect(status == 2 and output == b"" and said in message and message.count(b"\n") == 1, "%s: %r" % (words, message))
        fifo = os.path.join(self.folder, "fifo")
        os.mkfifo(fifo)
        status, _, message = run(self.tool, "check", "--join", path, fifo)
        self.expect(status == 2 and b"a pipe does not allow" in message, "a FIFO: %d %r" % (status, message))
        status, output, message = run(self.tool, "check", "-T", "jsonl", "--join", path, "/missing.pcap")
        self.expect(status == 2 and message.count(b"\n") == 1 and lines(output)[-1]["files"] == 2 and lines(output)[-1]["connections"] > 0,
                    "a file that is missing: %d %r" % (status, message))

    def ties(self, path):
        """Files that begin at the same time are read in the order that they are given in."""
        capture = capfile.read_capture(path)
        for packet in capture.packets:
            packet.time = capture.packets[0].time
        half = len(capture.packets) // 2
        names = []
        for name, part in (("second", capture.packets[half:]), ("first", capture.packets[:half])):
            names.append(os.path.join(self.folder, name))
            write(names[-1], part, capture.link)
        whole = os.path.join(self.folder, "whole")
        write(whole, capture.packets, capture.link)
        counts = [lines(run(self.tool, "check", "-T", "jsonl", *words)[1])[-1]
                  for words in ((whole,), ("--join", names[1], names[0]), ("--join", *names))]
        self.expect(plain(counts[0]) == plain(counts[1]), "a tie is not read as given: %r" % counts[1])
        self.expect(counts[0]["connections"] == counts[1]["connections"] and counts[2] != counts[1], "ties have an order of their own")

    def many(self, path):
        """Up to 64 files may overlap at a time; with more of them a message says that packets come late."""
        capture = capfile.read_capture(path)
        for count, due in ((64, 0), (66, 2)):
            names = []
            for number in range(count):
                names.append(os.path.join(self.folder, "many%02d" % number))
                packets = [capfile.Packet(0, time * 10**9 + number, p.data, p.wire_len, p.link) for time, p in enumerate(capture.packets[:2])]
                write(names[-1], packets, capture.link)
            status, _, message = run(self.tool, "dump", "--join", *names)
            late = b"more than 64 captures overlap in time" in message
            self.expect((status, late) == (due, due != 0), "%d files: %d %r" % (count, status, message))


def reads_gzip(tool, folder):
    """True if this build reads compressed captures: then some of the files are compressed."""
    path = os.path.join(folder, "empty.gz")
    with open(path, "wb") as out:
        out.write(gzip.compress(b""))
    return b"which this build cannot read" not in run(tool, "dump", path)[2]


def main(tool, pcaps, *option):
    cut, overlapping = (5, 9) if option == ("--all",) else (9 * kit.REPEATED, 17 * kit.REPEATED)
    chance = random.Random(44)
    tool = os.path.abspath(tool)
    paths = [os.path.join(root, name) for root, _, names in sorted(os.walk(os.path.abspath(pcaps))) for name in sorted(names)
             if name.endswith(".pcap")]
    with tempfile.TemporaryDirectory() as folder:
        test = Test(tool, folder, os.path.join(HERE, "..", "..", "schema"))
        test.compress = reads_gzip(tool, folder)
        for path in paths[::cut]:
            test.capture(path, chance)
        for path in paths[2::overlapping]:
            test.overlapping(path, chance)
        real = next(path for path in paths if os.sep + "siw" + os.sep in path)
        test.refused(real)
        test.ties(real)
        test.many(real)
        test.expect(test.elsewhere > 100 // kit.REPEATED and test.named > 5 // kit.REPEATED, "only %d references into other files" % test.elsewhere)
    print("\n".join(test.wrong[:20]) or "%d runs of joined captures show what the one shows" % test.runs)
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
