#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scenarios: `TOOL gen` makes the same capture each time, and `TOOL check` says of it and of its variants what the scenario
expects.

scenarios.py TOOL FOLDER
"""

import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

SAME = ("seg1", "tso", "ooo", "dup", "seqwrap", "ipv6", "vlan")
LESS = ("gap", "mid", "oneway", "snap")


def statements(path):
    """{"expect": [(verdict, rule)], "forbid": [glob]}."""
    out = {"expect": [], "forbid": []}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words = line.split("#")[0].split()
            if words and words[0] == "expect":
                out["expect"].append(tuple(words[1:]))
            elif words and words[0] == "forbid":
                out["forbid"] += words[1:]
    return out


def made(tool, path, out, *words):
    """The octets of a capture, which are the same again in another time zone and locale."""
    octets = []
    for more in ({}, {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}):
        subprocess.run([tool, "gen", *words, path, "-o", out], check=True, env={**os.environ, **more})
        with open(out, "rb") as stream:
            octets.append(stream.read())
    assert octets[0] == octets[1], path
    return octets[0]


def checked(tool, capture):
    """(findings as {(rule, side)}, verdicts as {rule: verdict})."""
    done = subprocess.run([tool, "check", "-T", "jsonl", "-v", capture], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    text = subprocess.run([tool, "check", "-V", capture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode()
    verdicts = dict(reversed(m) for m in re.findall(r"^    (pass|fail|inconclusive|not-seen) +([a-z0-9.-]+)", text, re.M))
    return {(f["rule"], f["dir"]) for f in lines if f["type"] == "finding"}, verdicts


def check_scenario(tool, path, place):
    """Returns how many captures were made."""
    wanted, out = statements(path), os.path.join(place, "out.pcap")
    made(tool, path, out)
    found, verdicts = checked(tool, out)
    for verdict, rule in wanted["expect"]:
        assert verdicts[rule] == verdict, (path, rule, verdicts[rule])
    for glob in wanted["forbid"]:
        assert not [rule for rule, _ in found if fnmatch.fnmatch(rule, glob)], (path, glob, found)
    for variant in SAME + LESS:
        made(tool, path, out, "--variant", variant)
        then, _ = checked(tool, out)
        assert then == found if variant in SAME else then <= found, (path, variant, then, found)
    return 1 + len(SAME) + len(LESS)


def main(tool, folder):
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".scn"))
    with tempfile.TemporaryDirectory() as place:
        captures = sum(check_scenario(tool, path, place) for path in paths)
    print("%d scenarios, %d captures" % (len(paths), captures))
    assert paths


if __name__ == "__main__":
    main(*sys.argv[1:])
