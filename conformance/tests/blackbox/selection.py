#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""selection: what a rule finds depends on the capture alone.   selection.py TOOL PCAPS [--all]

`TOOL check` reads captures with every format, report and option that shapes what is printed, with some rules alone and
without some rules: the findings of each rule stay the same in all fields. `conn_finding`, `cause`, counts and the verdict
follow the selection. `timeline` shows as many findings of each rule. 50 captures of the repository and some that are made
here, or with --all all of them.
"""

import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import attacks
import without_events
from jobs import captures, check

import kit

GATE = 50
BATCH = 10  # captures of a run
FORMATS = tuple(form for form in kit.FORMATS if form not in ("jsonl", "timeline"))
FOLLOWS = ("conn_finding", "cause")  # these are of the selection
# FPDUs without PAD, which mpa.framing explains; an error, and FPDUs without events that show that its receiver had it.
SCENARIOS = ("""i> mpa-request%s
r> mpa-reply%s
i> send len=4
i> octets 0013414300000000000000000000000200000000640a1b2c3d
i> octets 00164143000000000000000000000003000000006461746100000000
""", """i> mpa-request%s
r> mpa-reply%s
i> send len=50
r> send len=53
r> write len=40 rv=2
i> send len=50
r> send len=53
i> fin
r> fin
""")


class Findings:
    """What a run finds: by capture and rule the findings, and the summary."""

    def __init__(self, octets):
        lines = [json.loads(line) for line in octets.decode().splitlines()]
        self.found = [line for line in lines if line["type"] == "finding"]
        self.conns = [line for line in lines if line["type"] == "connection"]
        self.summary = next(line for line in lines if line["type"] == "summary")

    def of(self, wanted):
        """The findings of these rules, without what follows the selection."""
        return [{key: value for key, value in f.items() if key not in FOLLOWS} for f in self.found if wanted(f["rule"])]

    def rules(self):
        return {f["rule"] for f in self.found}

    def numbered(self):
        """True if the findings of each connection are numbered from 0 on."""
        last = collections.Counter()
        for f in self.found:
            if f["conn_finding"] != last[f["file"], f["conn"]]:
                return False
            last[f["file"], f["conn"]] += 1
        return True

    def counted(self):
        """Returns True if connections and summary count the findings of a report that prints all of them."""
        counts = collections.Counter(f["severity"] if f["certainty"] == "certain" else "suspected" for f in self.found)
        rules = collections.Counter(f["rule"] for f in self.found if f["certainty"] == "certain")
        conns = collections.Counter()
        for conn in self.conns:
            conns.update(conn["findings"])
        return +conns == counts and +collections.Counter(self.summary["findings"]) == counts and self.summary["rules"] == rules


class Comparison:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.runs, self.wrong = tool, folder, 0, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words):
        """The findings in JSON Lines on standard output, or of the report in them."""
        report = self.path("report.jsonl")
        to_report = "jsonl" not in words
        self.runs += 1
        _, out, err = check(self.tool, "--max-findings", "100000", *(("--report=jsonl=" + report,) if to_report else ()), *words)
        usual = (b": confined: ", b": not confined: ", b": --join reads them as one")
        err = b"".join(line for line in err.splitlines(True) if not any(text in line for text in usual))
        if err and b"no iWARP" not in err:
            self.wrong.append("%s: %s" % (" ".join(words), err.decode()))
        if to_report:
            with open(report, "rb") as stream:
                out = stream.read()
        return Findings(out)

    def same(self, base, words, files, wanted=lambda rule: True):
        is_ = self.run(*words, *files)
        what = " ".join(words) + " " + files[0]
        if is_.of(lambda rule: True) != base.of(wanted):
            self.wrong.append("%s: %s, not %s" % (what, sorted(is_.rules()), sorted(filter(wanted, base.rules()))))
        if not is_.numbered() or not is_.counted():
            self.wrong.append(what + ": the numbers or the counts do not follow the selection")

    def formats(self, base, files):
        written = self.path("written")
        for form in FORMATS:
            self.same(base, ("-T", form), files)
        for form in (*FORMATS, "jsonl", "timeline"):
            self.same(base, ("-T", "jsonl", "--report=%s=%s" % (form, written)), files)
        for word in ("-V", "-v", "-x"):
            self.same(base, ("-T", "jsonl", word), files)
            self.same(base, (word,), files)
        self.same(base, ("--jobs", "2", "-T", "jsonl"), files)
        self.same(base, ("--jobs", "2"), files)

    def quiet(self, base, files):
        """With -q only the summary is there, with --max-findings 1 the first finding."""
        self.runs += 2
        quiet = Findings(check(self.tool, "-q", "-T", "jsonl", *files)[1])
        few = Findings(check(self.tool, "--max-findings", "1", "-T", "jsonl", *files)[1])
        first = all(f in base.of(lambda rule: True) for f in few.of(lambda rule: True))
        if quiet.summary != base.summary or few.summary["rules"] != base.summary["rules"] or not first:
            self.wrong.append("-q or --max-findings 1: %s" % files[0])

    def selections(self, base, files, chance, rules):
        some = sorted(base.rules())
        for rule in {*chance.sample(some, min(3, len(some))), *chance.sample(rules, 2)}:
            self.same(base, ("-T", "jsonl", "--only", rule), files, lambda is_, rule=rule: is_ == rule)
            self.same(base, ("-T", "jsonl", "--exclude", rule), files, lambda is_, rule=rule: is_ != rule)
            self.same(base, ("-T", "jsonl", "--only", rule, "--report=html=" + self.path("written")), files,
                      lambda is_, rule=rule: is_ == rule)
        self.same(base, ("-T", "jsonl", "--only", "mpa.*", "--exclude", "mpa.crc"), files,
                  lambda rule: rule.startswith("mpa.") and rule != "mpa.crc")

    def single(self, path):
        """What reads one capture: the comments on packets, and the ladder."""
        base = self.run("-T", "jsonl", path)
        if base.conns:
            self.same(base, ("-T", "jsonl", "--annotate", self.path("written.pcapng")), [path])
            out = timeline(self.tool, path)
            self.runs += 1
            shown = collections.Counter(re.findall(rb"  ! \w+ ([a-z0-9.-]+):", out))
            if {rule.decode(): n for rule, n in shown.items()} != base.summary["rules"]:
                self.wrong.append("timeline %s: %s" % (path, dict(shown)))
        return base


def timeline(tool, path):
    return subprocess.run([tool, "timeline", path], stdout=subprocess.PIPE, check=False).stdout


def made(tool, folder):
    """Captures made here: of the scenarios above, and of both directions of connections with faults."""
    for i, (text, flag) in enumerate(itertools.product(SCENARIOS, ("", " C"))):
        scenario, path = os.path.join(folder, "made.scn"), os.path.join(folder, "made-%d.pcap" % i)
        with open(scenario, "w", encoding="utf-8") as stream:
            stream.write(text % (flag, flag))
        subprocess.run([tool, "gen", scenario, "-o", path], check=True)
        yield path
    for seed in range(6):
        path = os.path.join(folder, "both-ways-%d.pcap" % seed)
        attacks.write(path, without_events.both_ways(seed, crc=True))
        yield path


def main(tool, pcaps, every=False):
    chance = random.Random(1)
    rules = [line["rule"] for line in map(json.loads, rules_of(tool).splitlines()) if line["type"] == "rule"]
    paths = list(captures(pcaps))
    paths = paths if every else paths[::len(paths) // GATE]
    with tempfile.TemporaryDirectory() as folder:
        compare = Comparison(tool, folder)
        paths += made(tool, folder)
        found = set()
        for at in range(0, len(paths), BATCH):
            files = paths[at:at + BATCH]
            base = compare.run("-T", "jsonl", *files)
            compare.formats(base, files)
            compare.quiet(base, files)
            compare.selections(base, files, chance, rules)
            for path in files:
                found |= compare.single(path).rules()
        if len(found) < 20:
            compare.wrong.append("findings of %d rules only" % len(found))
    print("\n".join(compare.wrong[:20]) or "%d runs find the same in %d captures, of %d rules" % (
        compare.runs, len(paths), len(found)))
    return 1 if compare.wrong else 0


def rules_of(tool):
    return subprocess.run([tool, "rules", "-T", "jsonl"], stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--all" in sys.argv[3:]))
