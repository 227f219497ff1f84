#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mkcaptures: makes the captures of pcaps/synthetic/rules, traffic and sctp of their scenarios.

    mkcaptures.py write TOOL FOLDER       `TOOL gen` writes NAME.pcap of every scenario of this folder
    mkcaptures.py compare TOOL FOLDER     makes them again in a temporary folder and compares octet by octet
    mkcaptures.py rows TOOL FOLDER        prints their rows of MANIFEST.tsv

FOLDER is .../rules, made of RULE-pass.scn and RULE-fail.scn of every rule; or .../traffic, .../sctp, made of all scenarios of
scenarios/traffic, scenarios/sctp. The scenario of a capture states its expected findings. The PDU counts of the rows come from
refdec.py and refsctp.py, which share no code with the tool; the tool provides only the severity of rules.
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


def of_rules():
    """The scenarios of rules that are captures of the corpus."""
    return [name for name in sorted(os.listdir(SCENARIOS)) if name.endswith(KINDS) and "." in name[:-len(KINDS[0])]]


def scenarios(topic):
    """{capture: path of its scenario}."""
    folder = SCENARIOS if topic == "rules" else os.path.join(SCENARIOS, topic)
    names = of_rules() if topic == "rules" else sorted(os.listdir(folder))
    return {name[:-len(".scn")] + ".pcap": os.path.join(folder, name) for name in names if name.endswith(".scn")}


def write_all(tool, topic, folder):
    """Writes all captures; returns their names."""
    os.makedirs(folder, exist_ok=True)
    for name, path in scenarios(topic).items():
        subprocess.run([tool, "gen", path, "-o", os.path.join(folder, name)], check=True)
    return list(scenarios(topic))


def severities(tool):
    """{rule: severity}."""
    done = subprocess.run([tool, "rules", "-T", "jsonl"], stdout=subprocess.PIPE, check=True)
    return {rule["rule"]: rule["severity"] for rule in map(json.loads, done.stdout.splitlines()) if rule["type"] == "rule"}


def status(scenario, severity):
    """The expected exit status of `check`."""
    broken = any(severity[rule] == "violation" for rule, _ in scenario.findings())
    return int(scenario.meta.get("exit", broken))


def pdus(scenario, path):
    """(PDU counts, number of connections)."""
    if scenario.over == "sctp":
        counts, found = refsctp.counts(path), refsctp.dump(path)[0]
    else:
        ports = [int(scenario.meta["port"])] if "port" in scenario.meta else []
        options = refdec.Options(ports, None, None)
        counts, found = refdec.counts(path, options), refdec.dump(path, options)[0]
    return counts, scenario.meta.get("connections", len(found) // 2)


def rows(tool, topic, folder):
    """Yields the manifest's row of each capture."""
    severity = severities(tool)
    for name, source in scenarios(topic).items():
        scenario = scenario_text.Scenario(source)
        path = os.path.join(folder, name)
        counts, connections = pdus(scenario, path)
        found = Counter("%s@%s" % finding for finding in scenario.findings())
        yield "\t".join((
            "synthetic/%s/%s" % (topic, name), made.digest(path), "synthetic", "BSD-2-Clause", scenario.options(),
            str(status(scenario, severity)), str(connections), counts,
            ",".join("%s=%d" % item for item in sorted(found.items())), scenario.comment))


def main(words):
    if len(words) != 3:
        sys.exit(__doc__)
    command, tool, folder = words
    topic = os.path.basename(os.path.abspath(folder))
    if topic not in ("rules", "traffic", "sctp"):
        sys.exit("mkcaptures: %s: is none of rules, traffic and sctp" % folder)
    return made.main([command, folder], "make captures of scenarios", functools.partial(write_all, tool, topic),
                     functools.partial(rows, tool, topic))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
