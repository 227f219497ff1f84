#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mkrules: makes pcaps/synthetic/rules of the scenarios of each rule, RULE-pass.scn and RULE-fail.scn.

    mkrules.py write TOOL FOLDER       `TOOL gen` writes RULE-pass.pcap and RULE-fail.pcap of every rule
    mkrules.py compare TOOL FOLDER     makes them again in a temporary folder and compares octet by octet
    mkrules.py rows TOOL FOLDER        prints their rows of MANIFEST.tsv

What is due of each capture is what its scenario says. The PDU counts of the rows come from refdec.py and refsctp.py, which
share no code with the tool; of the tool nothing is asked but how severe a rule is.
"""

import functools
import json
import os
import subprocess
import sys
from collections import Counter

sys.dont_write_bytecode = True

import made  # noqa: E402
import refdec  # noqa: E402
import refsctp  # noqa: E402
import scenario_text  # noqa: E402

SCENARIOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenarios")
KINDS = ("-pass.scn", "-fail.scn")


def scenarios():
    """{capture: path of its scenario}."""
    return {name[:-len(".scn")] + ".pcap": os.path.join(SCENARIOS, name)
            for name in sorted(os.listdir(SCENARIOS)) if name.endswith(KINDS) and "." in name[:-len(KINDS[0])]}


def write_all(tool, folder):
    """Writes all captures; returns their names."""
    os.makedirs(folder, exist_ok=True)
    for name, path in scenarios().items():
        subprocess.run([tool, "gen", path, "-o", os.path.join(folder, name)], check=True)
    return list(scenarios())


def severities(tool):
    """{rule: severity}."""
    done = subprocess.run([tool, "rules", "-T", "jsonl"], stdout=subprocess.PIPE, check=True)
    return {rule["rule"]: rule["severity"] for rule in map(json.loads, done.stdout.splitlines())}


def status(scenario, severity):
    """The exit status of `check` that is due."""
    broken = any(severity[rule] == "violation" for rule, _ in scenario.findings())
    return int(scenario.meta.get("exit", broken))


def pdus(scenario, path):
    """(PDU counts, number of connections)."""
    decoder = refsctp if scenario.over == "sctp" else refdec
    return decoder.counts(path), len(decoder.dump(path)[0]) // 2


def rows(tool, folder):
    """Yields the manifest's row of each capture."""
    severity = severities(tool)
    for name, source in scenarios().items():
        scenario = scenario_text.Scenario(source)
        path = os.path.join(folder, name)
        counts, connections = pdus(scenario, path)
        found = Counter("%s@%s" % finding for finding in scenario.findings())
        yield "\t".join((
            "synthetic/rules/" + name, made.digest(path), "synthetic", "BSD-2-Clause", "",
            str(status(scenario, severity)), str(connections), counts,
            ",".join("%s=%d" % item for item in sorted(found.items())), scenario.comment))


def main(words):
    if len(words) != 3:
        sys.exit(__doc__)
    command, tool, folder = words
    return made.main([command, folder], "make the captures of the rules", functools.partial(write_all, tool),
                     functools.partial(rows, tool))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
