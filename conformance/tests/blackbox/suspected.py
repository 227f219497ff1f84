#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""suspected: what formats, counts and the exit status make of a suspected finding.

suspected.py TOOL

A connection in mid-stream, whose packets are cut, has a Send with reserved bits set.  So the finding is suspected.
"""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import kit  # noqa: F401  isort: skip
import degraded

RULE = "ddp.reserved"


def run(tool, *words):
    done = subprocess.run([tool, *words], capture_output=True, check=False)
    return done.returncode, done.stdout.decode()


def lines_of(text, kind):
    return [line for line in map(json.loads, text.splitlines()) if line.get("type") == kind]


def main():
    tool = sys.argv[1]
    wrong = []

    def expect(what, is_so):
        if not is_so:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as folder:
        case = degraded.Case(1, "ddp_reserved", folder)
        path = case.paths["mid-stream, snaplen 128"]
        whole = case.paths["complete"]

        status, out = run(tool, "check", "-T", "jsonl", path)
        found = lines_of(out, "finding")
        conn, summary = lines_of(out, "connection")[0], lines_of(out, "summary")[0]
        expect("one suspected finding", [(line["rule"], line["certainty"]) for line in found] == [(RULE, "suspected")])
        expect("unless", all(line["unless"] for line in found))
        for line in (conn, summary):
            expect("counts of %s" % line["type"],
                   line["findings"] == {"violation": 0, "warning": 0, "note": 0, "suspected": 1})
        expect("summary.rules", summary["rules"] == {})
        expect("no failed rule", conn["rules"]["fail"] == 0 and conn["rules"]["inconclusive"] > 0)
        expect("status", status in (0, 4) and summary["verdict"] != "fail")

        status, out = run(tool, "check", "-T", "jsonl", whole)
        expect("certain in the whole capture", status == 1 and
               [(line["rule"], line["certainty"], "unless" in line) for line in lines_of(out, "finding")] ==
               [(RULE, "certain", False)])

        expect("--fail-on-suspected", run(tool, "check", "--fail-on-suspected", path)[0] == 1)
        expect("--fail-on-suspected, never", run(tool, "check", "--fail-on-suspected", "--fail-on", "never", path)[0] != 1)

        for word in ("text", "timeline"):
            out = run(tool, "check", "-T", word, path)[1]
            expect(word, "suspected violation" in out and "unless" in out and "1 suspected" in out)
        suite = xml.etree.ElementTree.fromstring(run(tool, "check", "-T", "junit", path)[1])
        case_of = next(item for item in suite.iter("testcase") if item.get("name") == RULE)
        expect("junit", case_of.find("failure") is None and "suspected" in "".join(case_of.itertext()))
        expect("tap", "not ok" not in run(tool, "check", "-T", "tap", path)[1].split("- verdict", maxsplit=1)[0])
        result = json.loads(run(tool, "check", "-T", "sarif", path)[1])["runs"][0]["results"][0]
        expect("sarif", (result["kind"], result["level"]) == ("review", "none"))
        expect("html", "suspected, unless" in run(tool, "check", "-T", "html", path)[1])

        expect("baseline", RULE not in run(tool, "baseline", path)[1])
        shards = []
        for number in range(2):
            shards.append(os.path.join(folder, "shard%d" % number))
            with open(shards[-1], "w", encoding="utf-8") as out:
                out.write(run(tool, "check", "--shard", "%d/2" % number, path, whole)[1])
        texts = [run(tool, "check", "-T", "jsonl", *more, path, whole) for more in ((), ("--jobs", "2"))]
        texts.append(run(tool, "merge", *shards))
        same = [(status, [line for line in text.splitlines() if '"type":"run"' not in line]) for status, text in texts]
        expect("jobs and shards", same[0] == same[1] == same[2])
    for text in wrong:
        print("differs: " + text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
