#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scenarios: every rule has a scenario that passes, one that fails and one that nearly does.

`TOOL gen` makes the same capture of a scenario in every locale and time zone. `TOOL check` reports the findings that
the scenario expects. It reports the same of the variants, or no more if octets are missing. So it does of the same
packets in another file at another time, and of packets cut at places that the variants do not reach. The same holds
without each packet, without the packets before it, and without the packets after it.

scenarios.py TOOL FOLDER [--all]

Of four scenarios that follow each other, each has another quarter of the variants, the cuts and the packets that are left out;
of eight, one is made in other locales and formats. --all takes all of them with each scenario. One run of the tool checks the
captures of several scenarios.
"""

import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
from scenario_text import Scenario

SAME = ("seg1", "tso", "ooo", "dup", "seqwrap", "ipv6", "vlan", "ipfrag", "swap")
STREAM = ("seg1", "tso")  # what only a stream of octets can be cut into
LESS = ("gap", "mid", "oneway", "snap")
CUTS = (58, 66, 70, 76, 80, 84, 90)  # within the headers of MPA, DDP and RDMAP
YEARS = 7 * 10**17  # nanoseconds
GRAVE = ("not-seen", "pass", "inconclusive", "fail")  # the gravest verdict is the last one
NARROW = "sctp.fragmentation"  # on a path on which IP fragments, small DATA chunks are right: RFC 5043 9
# Where a finding is gone and nothing can say so, by rule: (scenario, capture).
SILENT = {
    # The other Request is not in the capture: whether this one is the only one, nothing tells.
    "mpa.two-requests": {("mpa.two-requests-fail", "oneway"), ("mpa.two-requests-fail", "from-4")},
    # Without a SYN the frame may be payload, and what follows it anything: it is right as far as it goes.
    "mpa.pd-length-match": {("mpa.pd-length-match-fail", "from-2"), ("mpa.pd-length-match-fail", "from-3")},
    # The last packet of a side is missing, and its octets were not acknowledged: a capture that ends there looks the same.
    "ddp.stream-end": {("ddp.stream-end-fail", "without-7")},
    "mpa.request-answered": {("mpa.request-answered-fail", "without-4")},
    "rdmap.error-answered": {("error-acknowledged-late", "without-10")},
    "rdmap.request-answered": {("rdmap.request-answered-fail", "without-8")},
    "rdmap.terminate-reset": {("rdmap.terminate-reset-fail", "without-6"), ("rdmap.terminate-reset-fail", "without-7")},
    "sctp.terminate-missing": {("sctp.terminate-missing-fail", "without-8")},
    "sctp.terminate-burst": {("sctp.terminate-burst-fail", "without-11"), ("sctp.terminate-burst-fail", "without-12")},
    # The message was acknowledged, but of which stream it was, and so of which session, nothing tells.
    "sctp.terminate-private-data": {("sctp.terminate-private-data-fail", "without-8")},
}
KINDS = ("pass", "fail", "near")
BATCH = 24  # scenarios whose captures one run checks
ISN, ISN_WRAP = {"tcp": 1000, "sctp": 1000}, {"tcp": 2**32 - 41, "sctp": 2**32 - 2}


def made(tool, path, out, *words, **more):
    """The octets of a capture."""
    subprocess.run([tool, "gen", *words, path, "-o", out], check=True, env={**os.environ, **more})
    with open(out, "rb") as stream:
        return stream.read()


def printed(tool, path):
    """The same octets on standard output."""
    with open(path, "rb") as scenario:
        return subprocess.run([tool, "gen", "-", "-o", "-"], check=True, stdin=scenario, stdout=subprocess.PIPE).stdout


def content(path):
    capture = capfile.read_capture(path)
    return capture.format, [(p.time, p.data, p.wire_len, p.link) for p in capture.packets]


def check_pcapng(tool, path, base):
    """A name that ends in .pcapng asks for that format: the same packets in another file."""
    made(tool, path, base + "ng")
    assert content(base + "ng") == ("pcapng", content(base)[1]), "the pcapng holds other packets"


def lines(tool, paths, *words):
    """{name of a capture: {"finding": lines, "connection": lines}} of captures that one process checks."""
    done = subprocess.run([tool, "check", "-T", "jsonl", "-v", *words, *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    out = {os.path.basename(path): {"finding": [], "connection": []} for path in paths}
    for line in map(json.loads, done.stdout.splitlines()):
        if line["type"] in ("finding", "connection"):
            out[line["file"]][line["type"]].append(line)
    return out


def findings(tool, paths, *words):
    """{name of a capture: [finding]}."""
    return {name: there["finding"] for name, there in lines(tool, paths, *words).items()}


def verdicts_of(tool, paths, *words):
    """{name of a capture: {rule: its gravest verdict in any connection}}."""
    text = subprocess.run([tool, "check", "-V", *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode()
    there = {os.path.basename(path): {} for path in paths}
    for name, verdict, rule in re.findall(r"^(?:(\S+): conn |    (pass|fail|inconclusive|not-seen) +([a-z0-9.-]+))", text, re.M):
        if name:
            verdicts = there[name]
        else:
            verdicts[rule] = max(verdict, verdicts.get(rule, verdict), key=GRAVE.index)
    return there


def sides(found):
    return {(f["rule"], f["dir"]) for f in found}


def new_sides(found, base):
    """What is found of which side, and was not.

    Over SCTP a capture without a right Initiate leaves open who is who.  A fault may be suspected under another rule where
    the capture shows less of it: a missing Marker among octets that were cut off leaves an FPDU that ends too early.
    """
    there = sides(base)
    faulty = {f["dir"] for f in base}
    there |= {(f["rule"], f["dir"]) for f in found if f["certainty"] == "suspected" and f["dir"] in faulty}
    return {(rule, side) for rule, side in sides(found) - there
            if (rule, "unknown") not in there and (side != "unknown" or not any(r == rule for r, _ in there))}


def ends(found):
    return sorted((f["rule"], f["src"], f["dst"]) for f in found)


def copy(p, time=0, cut=None):
    return capfile.Packet(p.frame, p.time + time, p.data[:cut], p.wire_len, p.link)


def write_derived(folder, name, number):
    """The packets of a capture in pcapng, many years later, and captures with less in them; a scenario with a number has a quarter
    of these. Returns the paths."""
    capture = capfile.read_capture(os.path.join(folder, name + "+base.pcap"))
    packets, link = capture.packets, capture.link
    parts = {"cut-%d" % cut: [copy(p, cut=cut) for p in packets] for cut in CUTS}
    for i in range(len(packets)):
        parts["without-%d" % i] = packets[:i] + packets[i + 1:]
        parts["from-%d" % i] = packets[i:]
        parts["to-%d" % i] = packets[:i]
    if number is not None:
        parts = {part: parts[part] for part in list(parts)[number % (4 * kit.REPEATED)::4 * kit.REPEATED]}
    paths = [os.path.join(folder, name + "+" + part) for part in ("moved.pcapng", *parts)]
    capfile.write_pcapng(paths[0], [copy(p, time=YEARS) for p in packets], link)
    for path, left in zip(paths[1:], parts.values()):
        capfile.write_pcap(path, left, link)
    return paths


def positions(found, isn):
    """What is found of which side, and where in its stream."""
    return sorted((f["rule"], f["dir"], (f["seq"] - isn) % 2**32) for f in found)


def check_expected(wanted, found, verdicts):
    for verdict, rule, *place in wanted.expect:
        assert verdicts.get(rule) == verdict, (rule, verdicts.get(rule))
        places = [[f["dir"], "frame=%d" % f["frame"]] for f in found if f["rule"] == rule]
        assert not place or place in places, (rule, place, places)
    for glob in wanted.forbid:
        assert not fnmatch.filter((f["rule"] for f in found), glob), (glob, sides(found))


def check_alone(tool, bases, options):
    """A rule finds the same in captures, {path: findings}, without the other rules; returns {path: the rules that do not}."""
    wrong = {path: [] for path in bases}
    for rule in sorted({f["rule"] for found in bases.values() for f in found}):
        paths = [path for path, found in bases.items() if any(f["rule"] == rule for f in found)]
        alone = findings(tool, paths, "--only", rule, *options)
        for path in paths:
            if sides(alone[os.path.basename(path)]) != {(r, side) for r, side in sides(bases[path]) if r == rule}:
                wrong[path].append(rule)
    return wrong


def check_kind(path, wanted, found):
    """A scenario says every finding, and one of a rule what its name does, RULE-KIND.scn; returns (rule, kind) or None."""
    there = sorted((f["rule"], f["dir"]) for f in found)
    assert sorted(wanted.findings()) == there, ("found", there)
    assert all("RFC " + section in wanted.comment for section in wanted.sections), "no comment says what it shows"
    rule, _, kind = os.path.basename(path)[:-len(".scn")].rpartition("-")
    if "." not in rule:
        return None
    assert wanted.meta.get("rule") == rule and wanted.sections, wanted.meta
    if kind == "near":
        assert any(fnmatch.fnmatch(rule, glob) for glob in wanted.forbid), wanted.forbid
    else:
        assert [kind, rule] in [words[:2] for words in wanted.expect], wanted.expect
    return rule, kind


def admits(connection):
    """Returns True if a report says that the capture does not show all of a connection."""
    return (connection["gaps"] or connection["inconclusive"] or connection.get("given_up") or
            connection["outcome"] in ("unknown", "startup-failed"))


def check_lost(scenario, name, there, base):
    """A finding that the capture without some octets does not show is inconclusive: the missing octets are reported."""
    lost = {f["rule"] for f in base} - {f["rule"] for f in there["finding"]}
    shown = there["connection"] and not name.startswith("to-")  # what ends early lacks nothing that it could show
    if lost and shown and not any(map(admits, there["connection"])):
        silent = {rule for rule in lost if (scenario, name) not in SILENT.get(rule, ())}
        assert not silent, ("silent", name, silent)


def check_less(scenario, there, base):
    """Less in a capture shows no more, and what it does not show is no pass without a word."""
    for name, said in there.items():
        more = new_sides(said["finding"], base)
        assert not more, (name, more)
        check_lost(scenario, name, said, base)


def check_made(tool, path, capture, octets):
    """It is the same capture on standard output, in another locale and in the other format."""
    assert octets == printed(tool, path), "%s: -o - is another capture" % path
    assert octets == made(tool, path, capture, TZ="Asia/Tokyo", LC_ALL="tr_TR.UTF-8")
    check_pcapng(tool, path, capture)


def check_same(found, base, over):
    """The variants with the same octets show the same."""
    there = positions(base, ISN[over])
    for name in SAME:
        if name in found:
            then = positions(found[name], (ISN_WRAP if name == "seqwrap" else ISN)[over])
            due = [place for place in there if name != "ipfrag" or place[0] != NARROW]
            assert then == due, (name, then, due)
    if "swap" in found:
        assert ends(found["swap"]) == sorted((rule, src, dst) for rule, dst, src in ends(base)), "swap: ends"


class Case:
    """A scenario, and the captures that are made of it in a folder. Its number chooses its variants; without one it has all."""

    def __init__(self, path, number):
        self.path, self.number, self.wanted, self.problem = path, number, Scenario(path), None
        self.name = os.path.basename(path)[:-len(".scn")]
        self.options = tuple(self.wanted.options().split())
        self.variants = [name for i, name in enumerate(SAME + LESS) if (self.wanted.over == "tcp" or name not in STREAM) and
                         (number is None or (i + number) % (4 * kit.REPEATED) == 0)]
        self.base, self.captures = None, []

    def attempt(self, work, *args):
        """What work returns, or None if it finds the scenario wrong."""
        try:
            return work(*args)
        except (AssertionError, subprocess.CalledProcessError) as problem:
            self.problem = self.problem or "%s: %s" % (os.path.basename(self.path), problem)
            return None

    def make(self, tool, folder):
        """Makes its captures in a folder."""
        paths = [os.path.join(folder, "%s+%s.pcap" % (self.name, variant)) for variant in ("base", *self.variants)]
        octets = made(tool, self.path, paths[0])
        if self.number is None or self.number % (8 * kit.REPEATED) == 0:
            check_made(tool, self.path, paths[0], octets)
        for variant, path in zip(self.variants, paths[1:]):
            made(tool, self.path, path, "--variant", variant)
        self.captures = paths + write_derived(folder, self.name, self.number)
        self.base = paths[0]

    def judge(self, said, verdicts, not_alone):
        """Returns (rule, kind) of the scenario or None for one that is of no rule."""
        there = {os.path.basename(path).partition("+")[2]: said[os.path.basename(path)] for path in self.captures}
        base, isn = there.pop("base.pcap")["finding"], ISN[self.wanted.over]
        check_expected(self.wanted, base, verdicts)
        assert not not_alone, ("alone", not_alone)
        moved = positions(there.pop("moved.pcapng")["finding"], isn)
        assert moved == positions(base, isn), ("moved", moved)
        check_same({name: there.pop(name + ".pcap")["finding"] for name in SAME if name + ".pcap" in there}, base, self.wanted.over)
        check_less(self.name, {name.removesuffix(".pcap"): less for name, less in there.items()}, base)
        return check_kind(self.path, self.wanted, base)


def check_batch(tool, cases):
    """Judges scenarios whose captures are checked with the same options; returns [(rule, kind) or None]."""
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            case.attempt(case.make, tool, folder)
        good, options = [case for case in cases if case.base], cases[0].options
        said = lines(tool, [path for case in good for path in case.captures], *options)
        bases = {case.base: said[os.path.basename(case.base)]["finding"] for case in good}
        verdicts = verdicts_of(tool, list(bases), *options)
        alone = check_alone(tool, bases, options)
        return [case.attempt(case.judge, said, verdicts[os.path.basename(case.base)], alone[case.base]) for case in good]


def batches(cases):
    """Scenarios that have the same options, in groups of so many."""
    for options in sorted({case.options for case in cases}):
        same = [case for case in cases if case.options == options]
        yield from (same[at:at + BATCH] for at in range(0, len(same), BATCH))


def check_rules(tool, shown):
    """Every rule has all three; returns how many there are."""
    done = subprocess.run([tool, "rules"], stdout=subprocess.PIPE, check=True)
    rules = [line.split()[0] for line in done.stdout.decode().splitlines() if line]
    without = [rule for rule in rules if not all((rule, kind) in shown for kind in KINDS)]
    assert not without, ("not all three", without)
    assert {rule for rule, _ in shown} <= set(rules), "a scenario of a rule that is none"
    return len(rules)


def main(tool, folder, *option):
    paths = sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".scn"))
    cases = [Case(path, None if option == ("--all",) else number) for number, path in enumerate(paths)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        shown = {kind for kinds in pool.map(lambda batch: check_batch(tool, batch), batches(cases)) for kind in kinds if kind}
    wrong = [case.problem for case in cases if case.problem]
    assert not wrong, "\n".join(wrong)
    rules = check_rules(tool, shown)
    print("%d scenarios, %d captures, %d rules" % (len(paths), sum(len(case.captures) for case in cases), rules))


if __name__ == "__main__":
    main(*sys.argv[1:])
