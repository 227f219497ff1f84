#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""random_check: `TOOL check` on connections made at random, conformant or with one fault.

random_check.py TOOL [--seed N] [--keep DIR] COUNT: of every three one is conformant, one has a
fault, and one lacks packets.  What travels is made by faults.py, how it travels by variants.py.
Conformant: no violation, no warning, the verdict pass.  A fault: one of the expected rules reports it, with the right
side and FPDU, in the frame that completes it. No other rule does; none
need where a limit ended the judgement and the connection says so.
Packets taken away: no finding that the whole capture has not; a fault may be suspected under another rule.  Seed 0 takes another one each time;
a difference names its own.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import faults
import framing_faults  # noqa: F401
import gencaps
import talks
import terminate_faults  # noqa: F401
import variants

BATCH = 40  # captures that one run of the tool reads
GRAVE = ("violation", "warning")

SAME = {
    "as sent": lambda p, rng: p,
    "cut": lambda p, rng: variants.resegmented(p, rng, 4),
    "octets": lambda p, rng: variants.single_octets(p, 700),
    "twice": variants.duplicated,
    "recut": lambda p, rng: variants.recut(p),
    "reordered": variants.reordered,
    "cut and reordered": lambda p, rng: variants.reordered(variants.resegmented(p, rng, 6), rng),
    "merged": lambda p, rng: merged(p, rng),
}
# A Request with a wrong key and a Reply of which octets were lost, and the key of a Reply in payload.
ONCE_WRONG = (6100003400,)

LESS = {
    "dropped": lambda p, rng: variants.dropped(p, rng.choice((2, 3, 5, 11)), rng.randrange(3)),
    "one lost": lambda p, rng: one_lost(p, rng),
    "begins later": lambda p, rng: p[rng.randrange(1, max(2, len(p) * 2 // 3)):],
    "ends earlier": lambda p, rng: p[:rng.randrange(1, len(p) + 1)],
    "one direction": lambda p, rng: variants.one_direction(p, rng.randrange(2)),
    "cut short": lambda p, rng: variants.snapped(p, rng.choice((60, 70, 90, 96, 128, 200, 600))),
    "lost and late": lambda p, rng: one_lost(p, rng)[rng.randrange(1, max(2, len(p) // 2)):],
}


def one_lost(packets, rng, most=4):
    """A run of packets is missing."""
    first = rng.randrange(len(packets))
    return packets[:first] + packets[first + min(rng.choice((1, 1, 1, 2, 4)), most):]


def merged(packets, rng):
    """Neighbouring data packets of a side come as one, as segmentation offload leaves them."""
    out = []
    for p in packets:
        last = out[-1] if out else None
        if (last is not None and variants.plain_data(p) and variants.plain_data(last)
                and p.src == last.src and p.seq == (last.seq + last.length) & 0xFFFFFFFF
                and last.length + p.length < 40000 and rng.random() < 0.7):
            out[-1] = p.copy(seq=last.seq, payload=last.payload + p.payload,
                             length=last.length + p.length)
        else:
            out.append(p)
    return out


class Case:
    """A capture, its original, and the expected findings."""

    def __init__(self, seed, folder):
        rng = random.Random(seed)
        self.seed, self.kind = seed, ("conformant", "fault", "less")[seed % 3]
        self.paths, self.due, self.name = [], None, ""
        if self.kind == "fault" or (self.kind == "less" and rng.random() < 0.5):
            cap, self.name, self.due = faults.faulty(rng)
        else:
            cap = faults.conformant(rng)
        self.conn = cap.connections[0]
        path = os.path.join(folder, "%d-made.pcap" % seed)
        cap.write(path)
        packets = variants.load(capfile.read_capture(path))
        os.unlink(path)
        self.rng, self.link, self.folder, self.options = rng, cap.link, folder, []
        if self.kind == "less":
            self.write("whole", packets)
            self.how = rng.choice(sorted(LESS))
            packets = LESS[self.how](packets, rng)
        else:
            self.how = rng.choice(sorted(SAME))
            packets = SAME[self.how](packets, rng)
        self.packets = packets
        self.write(self.kind, packets)

    def write(self, word, packets):
        path = os.path.join(self.folder, "%d-%s.pcap" % (self.seed, word))
        talks.written(packets, self.link, path, self.rng)
        self.paths.append(path)

    def frame_of(self, place):
        """The packet that completes what stands at this sequence number, as the capture has it.

        None: that is not what shows the fault.
        """
        side = self.conn.side(self.due.role)
        source, number = self.conn.ends[side], {}
        for frame, p in enumerate(self.packets, 1):
            if isinstance(p, variants.Tcp) and p.src == source:
                for at in range(p.length):
                    number.setdefault((p.seq + at) & 0xFFFFFFFF, frame)
        begin, length = self.extent(place)
        if length is None:
            return None
        return max(number.get((begin + at) & 0xFFFFFFFF, 0) for at in range(length))

    def extent(self, place):
        """Where the octets of what stands there begin, a Marker before it too, and how many they are."""
        if (self.due.role, place) in self.due.lengths:
            length = self.due.lengths[self.due.role, place]
            offset, length = length if isinstance(length, tuple) else (0, length)
            return place + offset, length
        sent = [item for item in self.conn.sent[self.due.role] if item[0] == place]
        _, ulpdu, octets = sent[-1]
        # An FPDU without a ULPDU begins with four zeros itself; a Marker after these points back to them.
        lead = 4 if octets[:4] == bytes(4) and (ulpdu or octets[4:8] == bytes(4)) else 0
        return place - lead, len(octets)


def run_tool(tool, paths):
    """Runs check on captures; returns {path's base name: lines}, and what went wrong."""
    command = [tool, "check", "-T", "jsonl", "-v"] + paths
    done = subprocess.run(command, capture_output=True, check=False)
    found = {os.path.basename(path): [] for path in paths}
    if done.returncode not in (0, 1, 3, 4):
        return found, "exit status %d: %s" % (done.returncode, done.stderr.decode()[-300:])
    for text in done.stdout.decode().splitlines():
        line = json.loads(text)
        if "file" in line:
            found[os.path.basename(line["file"])].append(line)
    return found, None


def findings(lines):
    return [line for line in lines if line["type"] == "finding" and line["severity"] in GRAVE]


def described(line):
    return "%s of the %s in frame %s (seq %s)" % (line["rule"], line["dir"], line["frame"],
                                                 line.get("seq"))


def judge_conformant(case, lines):
    out = ["false alarm: " + described(line) for line in findings(lines)]
    conns = [line for line in lines if line["type"] == "connection"]
    if len(conns) != 1:
        out.append("%d connections" % len(conns))
    for conn in conns:
        if conn.get("undecodable") or conn.get("given_up"):
            out.append("undecided: %s" % {**conn.get("undecodable", {}), "limit":
                                          conn.get("given_up")})
        if set(conn["inconclusive"]) - {"no-negotiation"}:  # IRD and ORD may be none of MPA's
            out.append("inconclusive: " + ", ".join(conn["inconclusive"]))
    return out


def judge_answers(due, got):
    """The findings expected of the side that answers the fault, and the differences."""
    right, out = [], []
    for rule, role, seq in due.answers:
        of_it = [line for line in got if place(line) == (rule, ("initiator", "responder")[role], seq)]
        right += of_it
        if len(of_it) != 1:
            out.append("%d findings, due one: %s of the %s at %s" % (len(of_it), rule, ("initiator", "responder")[role], seq))
    return right, out


def judge_fault(case, lines):
    due, out = case.due, []
    got = [line for line in lines if line["type"] == "finding"
           and (line["severity"] in GRAVE or line["rule"] in due.rules)]
    role = ("initiator", "responder")[due.role]
    right = [line for line in got if line["rule"] in due.rules and line["dir"] == role
             and line.get("seq") in due.places]
    if not right and not any(line.get("given_up") for line in lines):  # silence that is explained
        out.append("missed, due %s of the %s at %s" % (" or ".join(due.rules), role, due.places))
    for line in right:
        frame = case.frame_of(line["seq"])
        if frame not in (None, line["frame"]):
            out.append("wrong frame: %s, due %d" % (described(line), frame))
    answers, differ = judge_answers(due, got)
    out += differ
    for line in got:
        if line not in right + answers and line["rule"] not in due.also:
            out.append("also: " + described(line))
    return out


def place(line):
    return line["rule"], line["dir"], line.get("seq")


def judge_less(case, whole, less, side="src", passed=()):
    """What was made, and what follows from it, may show elsewhere, but of the same side, which this key names; the
    rules `passed` may speak of either."""
    before = {(rule, seq) for rule, _, seq in map(place, findings(whole))}
    due = case.due
    rules = {*due.rules, *due.also, *(answer[0] for answer in due.answers)} if due else set()
    made = {(line["rule"], line[side]) for line in findings(whole) if line["rule"] in rules}
    return ["new finding: " + described(line) for line in findings(less)
            if not (due and line["certainty"] == "suspected") and (line["rule"], line.get("seq")) not in before
            and (line["rule"], line[side]) not in made and line["rule"] not in passed]


def judge(case, found):
    lines = [found[os.path.basename(path)] for path in case.paths]
    if case.kind == "less":
        return judge_less(case, *lines)
    return (judge_conformant if case.kind == "conformant" else judge_fault)(case, *lines)


class Run:
    """Captures of a kind: a function that makes one from a seed, and a function that says how its findings differ from
    the expected ones.  Each run takes the seeds that were judged wrongly once, too."""

    def __init__(self, what, make, differs, once_wrong=()):
        self.what, self.make, self.differs, self.once_wrong = what, make, differs, once_wrong

    def batch(self, tool, seeds, folder, keep):
        """Checks the captures of some seeds; prints and counts those that differ."""
        cases = [self.make(seed, folder) for seed in seeds]
        found, problem = run_tool(tool, [path for case in cases for path in case.paths])
        bad = 0
        if problem:
            print("seeds %d to %d: %s" % (seeds[0], seeds[-1], problem))
            bad = 1
        for case in cases:
            texts = [] if problem else self.differs(case, found)
            bad += bool(texts)
            for text in texts[:4]:
                print("seed %d, %s %s, %s: %s" % (case.seed, case.kind, case.name, case.how, text))
            for path in case.paths:
                if keep and (texts or problem):
                    shutil.copy(path, keep)
                os.unlink(path)
        return bad

    def main(self):
        parser = argparse.ArgumentParser(description="check %s made at random" % self.what)
        parser.add_argument("tool")
        parser.add_argument("count", type=int)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--keep", help="folder for the captures that differ")
        args = parser.parse_args()
        seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
        seeds = [*self.once_wrong, *range(seed, seed + args.count)]
        print("seeds from %d on" % seed)
        bad = 0
        with tempfile.TemporaryDirectory() as folder:
            for first in range(0, len(seeds), BATCH):
                bad += self.batch(args.tool, seeds[first:first + BATCH], folder, args.keep)
        print("%d captures, %d differ" % (len(seeds), bad))
        return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(Run("connections", Case, judge, ONCE_WRONG).main())
