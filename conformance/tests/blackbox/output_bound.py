#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""output_bound: no capture makes a report of `TOOL check` longer than 20 octets per octet of input. Nor does any make
`TOOL dump` print more than its lines for the shortest PDUs.

output_bound.py TOOL [--times N]   N times as many connections and findings.  What is not printed is counted: the
summary has the same numbers as in a run with -v, which prints everything.  Forms that are documents of their own
may have their frame besides: the page, the rules, the test cases of rules that did not arise.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import attacks

import kit

RATIO = 20
DUMP_RATIO = ((32, []), (54, ["-T", "jsonl"]), (64, ["-T", "jsonl", "-V"]))  # and the name in JSON: docs/design.md
SHORTEST_PDU = 8
FORMS = kit.FORMATS
FRAME = 160 * 1024
ATTACKS = (
    ("bare Requests", attacks.bare_requests, 1500, []),
    ("wrong Requests", attacks.wrong_requests, 1500, []),
    ("wrong Requests in a file with a long name", attacks.wrong_requests, 1500, []),
    ("FPDUs that break rules", attacks.bad_fpdus, 6000, []),
    ("connections that break rules", attacks.bad_connections, 400, []),
    ("connections that stay open", attacks.open_connections, 500, []),
    ("connections of one octet", attacks.single_octets, 1500, ["-d", "tcp.port==7174"]),
    ("SCTP streams", attacks.sctp_streams, 1000, []),
    ("SCTP associations", attacks.sctp_sessions, 1000, []),
    ("FPDUs of 8 octets", attacks.empty_fpdus, 32000, []),
)


def run(tool, words, path):
    done = subprocess.run([tool, "check", *words, path], capture_output=True, check=False)
    if done.returncode not in (0, 1, 3, 4):
        sys.exit("output_bound: exit status %d: %s" % (done.returncode, done.stderr[-300:]))
    return done.stdout


def dumped(tool, words, path):
    """How many octets a dump takes."""
    return len(subprocess.run([tool, "dump", *words, path], stdout=subprocess.PIPE, check=True).stdout)


def counts(output):
    """What the summary counts, whatever was printed."""
    summary = json.loads(output.splitlines()[-1])
    return {key: summary[key] for key in ("connections", "fpdus", "findings", "rules", "verdicts", "verdict")}


def printed(output):
    """The findings of a run in JSON Lines: printed, and only counted."""
    lines = [json.loads(line) for line in output.splitlines()]
    return sum(line["type"] == "finding" for line in lines) + lines[-1].get("repeated", 0)


def left_out(octets):
    """True if a report says that it left something out, and how much."""
    return re.search(rb"[1-9]\d* [^\n]* not shown|connections not shown: [1-9]|\"(?:withheld|plots_left_out)\":[1-9]|\"repeated\":[1-9]|and [1-9]\d* more|"
                     rb", [1-9]\d* times", octets)


VERBOSE = ["-v"]
WAYS = ([], ["-q"], VERBOSE)  # of running check


def reports(tool, folder, number, words, path, size):
    """All forms of one run, in files and on standard output with -q, without, and with -v; returns how many are too long.

    In a sample an attack tries each form in one of these ways on standard output, the attack with the next number in another one.
    """
    files = {form: os.path.join(folder, "report." + form) for form in FORMS}
    run(tool, [word for form in FORMS for word in ("--report", "%s=%s" % (form, files[form]))] + words, path)
    ratios, bad, step = [], 0, min(kit.REPEATED, len(WAYS))
    for place, (form, name) in enumerate(files.items(), number):
        with open(name, "rb") as stream:
            octets = stream.read()
        ways = WAYS[-place % step::step]
        longest = max([len(octets)] + [len(run(tool, [*way, "-T", form, *words], path)) for way in ways if way != VERBOSE])
        ratios.append("%s %.1f" % (form, longest / size))
        if longest > RATIO * size + FRAME * (form not in ("text", "jsonl")):
            print("    %s: %d octets" % (form, longest))
            bad += 1
        all_shown = VERBOSE in ways and form != "text"  # -v of text has all verdicts too
        whole = len(run(tool, ["-v", "-T", form, *words], path)) if all_shown else 0
        if whole > RATIO * size + FRAME and not left_out(octets):
            print("    %s: does not say what was left out" % form)
            bad += 1
    print("    " + ", ".join(ratios))
    return bad


def attack(tool, folder, number, name, make, count, words):
    path = os.path.join(folder, "n" * 250 if "long name" in name else "attack.pcap")
    size = attacks.write(path, make(count))
    bad = reports(tool, folder, number, words, path, size)
    text = len(run(tool, words, path))
    jsonl = run(tool, [*words, "-T", "jsonl"], path)
    whole = run(tool, [*words, "-T", "jsonl", "-v"], path)
    dumps = [dumped(tool, [*how, *words], path) / size for _, how in DUMP_RATIO]
    print("%s: %d octets; text %.1f, jsonl %.1f (-v %.1f) an octet; dump %.1f, jsonl %.1f (-V %.1f)"
          % (name, size, text / size, len(jsonl) / size, len(whole) / size, *dumps))
    for ratio, (limit, how) in zip(dumps, DUMP_RATIO):
        if ratio > limit + (len(os.path.basename(path)) / SHORTEST_PDU if how else 0):
            print("    dump %s: more than %d octets an octet of input" % (" ".join(how), limit))
            bad += 1
    if max(text, len(jsonl)) > RATIO * size:
        print("    more than %d octets an octet of input" % RATIO)
        bad += 1
    if counts(jsonl) != counts(whole):
        print("    the summary counts otherwise than with -v")
        bad += 1
    if printed(jsonl) != printed(whole):
        print("    findings were neither printed nor counted")
        bad += 1
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--times", type=float, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bad = sum(attack(args.tool, folder, number, name, make, int(count * args.times), words)
                  for number, (name, make, count, words) in enumerate(ATTACKS))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
