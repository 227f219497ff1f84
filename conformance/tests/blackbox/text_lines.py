#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""text_lines: how long the text of `check` is for one connection.   text_lines.py TOOL PCAPS

With one cause at most 15 lines, from its first line to the one with what was negotiated; with any number of causes at most 20. Each
cause has a line, or its rule stands in one.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys

ONE, ANY = 15, 20
FOLDERS = ("synthetic/rules/*-fail.pcap", "synthetic/wireshark-defects/*.pcap", "real/siw/hp-*.pcap", "real/siw/term-*.pcap",
           "real/siw/rev*.pcap", "real/siw/stalled*.pcap", "real/siw/ird-*.pcap")


def run(tool, *words):
    return subprocess.run([tool, "check", "--progress", "never", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode()


def blocks(text):
    """{(file, number of the connection): its lines}."""
    out, now = collections.defaultdict(list), None
    for line in text.splitlines():
        head = re.match(r"(\S+): conn (\d+): ", line)
        now = now or (head and (head.group(1), int(head.group(2))))
        if now:
            out[now].append(line)
        now = None if "; rules: " in line else now
    return out


def main(tool, pcaps):
    paths = sorted(path for one in FOLDERS for path in glob.glob(os.path.join(pcaps, one)))
    causes = collections.defaultdict(dict)
    for line in map(json.loads, run(tool, "-T", "jsonl", *paths).splitlines()):
        if line["type"] == "finding":
            causes[line["file"], line["conn"]].setdefault(line.get("cause", line["rule"]), []).append(line["rule"])
    wrong, texts = [], blocks(run(tool, *paths))
    for key, lines in texts.items():
        of = causes.get(key, {})
        if len(lines) > (ONE if len(of) <= 1 else ANY):
            wrong.append("%s: %d causes, %d lines" % (key, len(of), len(lines)))
        shown = "\n".join(lines)
        wrong += ["%s: nothing of %s" % (key, name) for name, rules in of.items() if not any(rule in shown for rule in rules)]
    if len(texts) < 300 or not any(len(of) > 3 for of in causes.values()) or not set(causes) <= set(texts):
        wrong.append("%d captures, %d connections with text" % (len(paths), len(texts)))
    print("\n".join(wrong[:20]) or "%d connections" % len(texts))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
