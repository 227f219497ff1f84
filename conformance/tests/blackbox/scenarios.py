#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scenarios: every rule has a scenario that passes, one that fails and one that nearly does.

`TOOL gen` makes the same capture of a scenario in every locale and time zone. `TOOL check` reports the findings that
the scenario expects. It reports the same of the variants, or no more if octets are missing. So it does of the same
packets in another file at another time, and of packets cut at places that the variants do not reach. The same holds
without each packet, without the packets before it, and without the packets after it.

scenarios.py TOOL FOLDER [--all]

Of four scenarios that follow each other, each has another quarter of the variants, the cuts and the packets that are left out;
of eight, one is made in other locales and formats. --all takes all of them with each scenario.
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


def verdicts_of(tool, capture):
    """{rule: its gravest verdict in any connection}."""
    text = subprocess.run([tool, "check", "-V", capture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode()
    there = re.findall(r"^    (pass|fail|inconclusive|not-seen) +([a-z0-9.-]+)", text, re.M)
    return {rule: verdict for grave in GRAVE for verdict, rule in there if verdict == grave}


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


def write_moved(place, packets, link):
    """The packets as pcapng, many years later."""
    path = os.path.join(place, "moved.pcapng")
    capfile.write_pcapng(path, [copy(p, time=YEARS) for p in packets], link)
    return path


def write_parts(place, packets, link, number):
    """Captures with less in them, of a scenario with a number a quarter; returns their paths."""
    parts = {"cut-%d" % cut: [copy(p, cut=cut) for p in packets] for cut in CUTS}
    for i in range(len(packets)):
        parts["without-%d" % i] = packets[:i] + packets[i + 1:]
        parts["from-%d" % i] = packets[i:]
        parts["to-%d" % i] = packets[:i]
    if number is not None:
        parts = {name: parts[name] for name in list(parts)[number % (4 * kit.REPEATED)::4 * kit.REPEATED]}
    for name, left in parts.items():
        capfile.write_pcap(os.path.join(place, name), left, link)
    return [os.path.join(place, name) for name in parts]


def positions(found, isn):
    """What is found of which side, and where in its stream."""
    return sorted((f["rule"], f["dir"], (f["seq"] - isn) % 2**32) for f in found)


def check_expected(wanted, found, verdicts):
    for verdict, rule, *place in wanted.expect:
        assert verdicts[rule] == verdict, (rule, verdicts[rule])
        places = [[f["dir"], "frame=%d" % f["frame"]] for f in found if f["rule"] == rule]
        assert not place or place in places, (rule, place, places)
    for glob in wanted.forbid:
        assert not fnmatch.filter((f["rule"] for f in found), glob), (glob, sides(found))


def check_alone(tool, capture, found, options):
    """A rule finds the same without the other rules."""
    for rule in {f["rule"] for f in found}:
        alone = findings(tool, [capture], "--only", rule, *options)[os.path.basename(capture)]
        assert sides(alone) == {(r, side) for r, side in sides(found) if r == rule}, rule


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


def check_derived(tool, scenario, place, base, isn, number):
    """The same packets elsewhere, and fewer of them; returns how many captures there are."""
    name, options = scenario
    capture = capfile.read_capture(os.path.join(place, "base.pcap"))
    packets, link = capture.packets, capture.link
    moved, parts = write_moved(place, packets, link), write_parts(place, packets, link, number)
    said = lines(tool, [moved, *parts], *options)
    there = positions(said.pop("moved.pcapng")["finding"], isn)
    assert there == positions(base, isn), ("moved", there)
    check_less(name, said, base)
    return 1 + len(parts)


def check_made(tool, path, capture, octets):
    """It is the same capture on standard output, in another locale and in the other format."""
    assert octets == printed(tool, path), "%s: -o - is another capture" % path
    assert octets == made(tool, path, capture, TZ="Asia/Tokyo", LC_ALL="tr_TR.UTF-8")
    check_pcapng(tool, path, capture)


def check_same(found, base, over):
    """The variants with the same octets show the same."""
    there = positions(base, ISN[over])
    for name in SAME:
        if name + ".pcap" in found:
            then = positions(found[name + ".pcap"], (ISN_WRAP if name == "seqwrap" else ISN)[over])
            due = [place for place in there if name != "ipfrag" or place[0] != NARROW]
            assert then == due, (name, then, due)
    if "swap.pcap" in found:
        assert ends(found["swap.pcap"]) == sorted((rule, src, dst) for rule, dst, src in ends(base)), "swap: ends"


def check_scenario(tool, path, number=None):
    """Returns ((rule, kind) of the scenario or None for one that is of no rule, number of captures). The number of a scenario
    chooses its variants; without one it has all of them."""
    wanted = Scenario(path)
    with tempfile.TemporaryDirectory() as place:
        over, options = wanted.over, wanted.options().split()
        chosen = [name for i, name in enumerate(SAME + LESS) if (over == "tcp" or name not in STREAM) and
                  (number is None or (i + number) % (4 * kit.REPEATED) == 0)]
        captures = {name: os.path.join(place, name + ".pcap") for name in ("base", *chosen)}
        octets = made(tool, path, captures["base"])
        if number is None or number % (8 * kit.REPEATED) == 0:
            check_made(tool, path, captures["base"], octets)
        for variant in captures.keys() - {"base"}:
            made(tool, path, captures[variant], "--variant", variant)
        said = lines(tool, captures.values(), *options)
        found = {name: there["finding"] for name, there in said.items()}
        base = found["base.pcap"]
        check_expected(wanted, base, verdicts_of(tool, captures["base"]))
        check_alone(tool, captures["base"], base, options)
        check_same(found, base, over)
        name = os.path.basename(path)[:-len(".scn")]
        check_less(name, {variant: said[variant + ".pcap"] for variant in chosen if variant in LESS}, base)
        derived = check_derived(tool, (name, options), place, base, ISN[over], number)
    return check_kind(path, wanted, base), len(captures) + derived


def check_rules(tool, shown):
    """Every rule has all three; returns how many there are."""
    done = subprocess.run([tool, "rules"], stdout=subprocess.PIPE, check=True)
    rules = [line.split()[0] for line in done.stdout.decode().splitlines() if line]
    without = [rule for rule in rules if not all((rule, kind) in shown for kind in KINDS)]
    assert not without, ("not all three", without)
    assert {rule for rule, _ in shown} <= set(rules), "a scenario of a rule that is none"
    return len(rules)


def attempt(tool, path, number):
    """((rule, kind) or None, number of captures, what is wrong or None)."""
    try:
        return (*check_scenario(tool, path, number), None)
    except (AssertionError, subprocess.CalledProcessError) as problem:
        return None, 0, "%s: %s" % (os.path.basename(path), problem)


def main(tool, folder, *option):
    paths = sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".scn"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        numbers = [None if option == ("--all",) else number for number in range(len(paths))]
        results = list(pool.map(lambda path, number: attempt(tool, path, number), paths, numbers))
    wrong = [problem for _, _, problem in results if problem]
    assert not wrong, "\n".join(wrong)
    rules = check_rules(tool, {shown for shown, _, _ in results if shown})
    print("%d scenarios, %d captures, %d rules" % (len(paths), sum(captures for _, captures, _ in results), rules))


if __name__ == "__main__":
    main(*sys.argv[1:])
