#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rules_shown: each rule of the catalogue is shown by captures of pcaps/, and is what shows them.

rules_shown.py TOOL PCAPS PAGES

For each rule: its -fail capture yields it, its -pass capture exercises it and passes; with --exclude
its findings are gone and all others stay; its page names captures that exist and show it, the -fail
one among them.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter

from manifest import groups, lines_of, read_manifest

FOLDER = "synthetic/rules/"


class Tool:
    """The tool under test, with the options that the manifest has for each capture."""

    def __init__(self, path, pcaps):
        self.path, self.pcaps = os.path.abspath(path), pcaps
        rows = read_manifest(os.path.join(pcaps, "MANIFEST.tsv"))
        self.options = {row["file"]: shlex.split(row["options"]) for row in rows}
        self.found = {}
        for group in groups(rows):
            for file, lines in lines_of(self.path, "check", group, pcaps)[1].items():
                self.found[file] = findings(lines)

    def lines(self, *words):
        done = subprocess.run([self.path, *words], capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [line for line in lines if line["type"] != "run"]

    def slugs(self):
        return [line["rule"] for line in self.lines("rules", "-T", "jsonl")]

    def check(self, file, *words):
        """Returns (findings as a Counter of (rule, dir, frame), verdicts of the connections) of a run with more options."""
        path = os.path.join(self.pcaps, file)
        lines = self.lines("check", "-T", "jsonl", *self.options[file], *words, path)
        return findings(lines), [line["rules"] for line in lines if line["type"] == "connection"]


def findings(lines):
    return Counter((line["rule"], line.get("dir"), line.get("frame")) for line in lines if line["type"] == "finding")


def of(found, slug):
    return sum(number for key, number in found.items() if key[0] == slug)


def judge_fail(tool, slug, file):
    found = tool.found[file]
    if not of(found, slug):
        yield f"{file}: does not yield the rule"
    without, _ = tool.check(file, "--exclude", slug)
    if without != Counter({key: number for key, number in found.items() if key[0] != slug}):
        yield f"{file}: --exclude changes more or less than this rule's findings"


def judge_pass(tool, slug, file):
    if of(tool.found[file], slug):
        yield f"{file}: yields the rule"
    _, verdicts = tool.check(file, "--only", slug)
    if not verdicts or any(verdict["pass"] != 1 for verdict in verdicts):
        yield f"{file}: the rule's verdict is not pass: {json.dumps(verdicts)}"


def seen_in(page):
    """The captures that a page names under "Seen in", as paths below pcaps/."""
    with open(page, encoding="utf-8") as stream:
        parts = re.split(r"^## Seen in$", stream.read(), flags=re.MULTILINE)
    return re.findall(r"`pcaps/([^`]+)`", parts[1].split("\n## ")[0]) if len(parts) == 2 else []


def judge_page(tool, slug, file, page):
    if not os.path.exists(page):
        yield f"{os.path.basename(page)}: does not exist"
        return
    named = seen_in(page)
    if file not in named:
        yield f"its page does not name {file}"
    for capture in named:
        if capture not in tool.options:
            yield f"its page names {capture}, which has no row in the manifest"
        elif capture != file and not of(tool.found[capture], slug):
            yield f"its page names {capture}, which does not show it"


def complaints(tool, pages):
    slugs = tool.slugs()
    due = {FOLDER + slug + end for slug in slugs for end in ("-fail.pcap", "-pass.pcap")}
    there = {name for name in tool.options if name.startswith(FOLDER)}
    for name in sorted(there - due):
        yield f"{name}: belongs to no rule"
    for slug in slugs:
        fail, near = (FOLDER + slug + end for end in ("-fail.pcap", "-pass.pcap"))
        if fail not in there or near not in there:
            yield f"{slug}: has not both captures in the manifest"
            continue
        for judge in (judge_fail(tool, slug, fail), judge_pass(tool, slug, near),
                      judge_page(tool, slug, fail, os.path.join(pages, slug + ".md"))):
            for text in judge:
                yield f"{slug}: {text}"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tool = Tool(sys.argv[1], sys.argv[2])
    found = list(complaints(tool, sys.argv[3]))
    for text in found:
        print(text)
    print(f"{len(tool.slugs())} rules, {len(found)} complaint(s)")
    return 1 if found or not tool.slugs() else 0


if __name__ == "__main__":
    sys.exit(main())
