#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sctp_random: `TOOL check` on DDP Stream Sessions made at random, conformant or with one fault.

sctp_random.py TOOL [--seed N] [--keep DIR] COUNT: as random_check.py for DDP over SCTP.  The messages of the sessions,
and the faults of segments, come from faults.py; sctp_startups.py has
the faults of RFC 5043 and of the enhanced messages.
"""

import os
import random
import sys

import kit  # noqa: F401  isort: skip
import capfile
import faults
import random_check
import sctp_paths
import sctp_startups
import sctp_talks
import terminate_faults  # noqa: F401

# What these say rests on what a side is known to have received.
RECEIVED = ("after_reject", "terminate_missing")
TCP_ONLY = ("mpa.", "rdmap.request-answered", "rdmap.terminate-reset")  # the second one ends a stream of TCP


def segment_faults():
    """The faults of faults.py that SCTP knows too."""
    return sorted(name for name, entry in faults.FAULTS.items()
                  if not any(rule.startswith(TCP_ONLY) for rule in entry[1]))


def conformant(rng):
    cap, talks = sctp_talks.begun(rng)
    sctp_talks.goes_on(rng, talks)
    for talk in talks:
        talk.one_suffices = True
    for _ in range(rng.choice((0, 0, 1, 2))):
        talks = sctp_talks.again(rng, talks)
    sctp_talks.close(talks)
    return cap


def faulty(rng):
    """Returns a Capture with one fault, its name, the expected findings and the stream."""
    made = None
    while made is None:
        if rng.random() < 0.5:
            made = sctp_startups.faulty(rng)
        else:
            made = spoilt(rng, rng.choice(segment_faults()))
    return made


def spoilt(rng, name):
    """A fault in a segment of the first session; None where it has no place for it."""
    cap, talks = sctp_talks.begun(rng)
    function, rules, also, last = faults.FAULTS[name]
    talk, role = talks[0], rng.randrange(2)
    if last:
        talk.settle()
    places = function(talk, role)
    if places is None:
        return None
    if last or talk.over:
        talk.settle()
    else:
        sctp_talks.goes_on(rng, talks)
    sctp_talks.close(talks)
    return cap, name, faults.Due(rules, role, places, also), talk


class Case:
    """A capture, its whole where packets are missing, and the expected findings."""

    def __init__(self, seed, folder):
        rng = random.Random(seed)
        self.seed, self.kind = seed, ("conformant", "fault", "less")[seed % 3]
        self.name, self.due, self.talk, self.how, self.paths = "", None, None, "", []
        if self.kind == "fault" or (self.kind == "less" and rng.random() < 0.5):
            cap, self.name, self.due, self.talk = faulty(rng)
        else:
            cap = conformant(rng)
        packets = sctp_paths.of_capture(cap)
        if self.kind == "less":
            self.write(folder, "whole", packets)
            self.how = rng.choice(sorted(sctp_paths.LESS))
            self.packets = sctp_paths.LESS[self.how](packets, rng)
            self.write(folder, "less", self.packets)
        else:
            ways = {**sctp_paths.SAME, **(sctp_paths.SAID_LESS if self.name not in RECEIVED else {})}
            self.how = rng.choice(sorted(ways))
            self.packets, link = ways[self.how](packets, rng)
            self.write(folder, self.kind, self.packets, link)

    def write(self, folder, word, packets, link=capfile.EN10MB):
        path = os.path.join(folder, "%d-%s.pcap" % (self.seed, word))
        capfile.write_pcap(path, packets, link)
        self.paths.append(path)


def judge_fault(case, lines):
    """Without places the expected findings are about a whole session, whose sides are both to blame."""
    due, out = case.due, []
    role = ("initiator", "responder")[due.role]
    got = [line for line in lines if line["type"] == "finding"
           and (line["severity"] in random_check.GRAVE or line["rule"] in due.rules)]
    right = [line for line in got if line["rule"] in due.rules
             and (due.places == [] or line.get("seq") in due.places)]
    if not right:
        out.append("missed, due %s of the %s at %s" % (" or ".join(due.rules), role, due.places))
    for line in right:
        frame = sctp_paths.frame_of(case.packets, case.talk.frames.get(line["seq"]))
        if frame is not None and line["frame"] != frame:
            out.append("wrong frame: %s, due %d" % (random_check.described(line), frame))
        if line["dir"] not in (role, "unknown") and due.places:
            out.append("wrong side: " + random_check.described(line))
    out += ["also: " + random_check.described(line) for line in got
            if line not in right and line["rule"] not in due.also]
    return out


def judge_conformant(lines):
    out = ["false alarm: " + random_check.described(line) for line in random_check.findings(lines)]
    for line in lines:
        if line["type"] == "connection" and line.get("undecodable"):
            out.append("undecodable: %s" % line["undecodable"])
    return out


def judge(case, found):
    lines = [found[os.path.basename(path)] for path in case.paths]
    if case.kind == "conformant":
        return judge_conformant(lines[0])
    if case.kind == "fault":
        return judge_fault(case, lines[0])
    # Not by address: which one of a side is its first depends on what was captured.
    return random_check.judge_less(case, *lines, side="dir", passed=case.due.also if case.due else ())


if __name__ == "__main__":
    sys.exit(random_check.Run("DDP Stream Sessions", Case, judge).main())
