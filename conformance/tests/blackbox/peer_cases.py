#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""peer-cases: the page of every case is a capture of a conversation with a conforming target.

`TOOL gen` writes its first alternatives. `TOOL check` then finds nothing against the tested side. What it finds
against the tester is what the page says with `expect fail`.

peer_cases.py TOOL PEER
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SENDERS = {"i": "10.0.0.1:", "r": "10.0.0.2:"}


def said(text):
    """The rules that the tester breaks on purpose, and its address."""
    rules, side = set(), None
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words[:2] == ["expect", "fail"]:
            rules.add(words[2])
        elif words[:1] == ["play"]:
            side = side or SENDERS[words[1]]
    return rules, side


def complaints(tool, path, folder):
    rules, tester = said(path.read_text(encoding="utf-8"))
    capture = os.path.join(folder, path.stem + ".pcap")
    made = subprocess.run([tool, "gen", path, "-o", capture], check=False, stderr=subprocess.PIPE, text=True)
    if made.returncode != 0:
        return [made.stderr.strip()]
    lines = subprocess.run([tool, "check", "-T", "jsonl", capture], check=False, stdout=subprocess.PIPE, text=True).stdout
    found = [line for line in map(json.loads, lines.splitlines()) if line["type"] == "finding" and line["severity"] != "note"]
    wrong = [f"{path.stem}: {f['message']} [{f['rule']}, {f['src']}]" for f in found
             if not f["src"].startswith(tester) or f["rule"] not in rules]
    seen = {f["rule"] for f in found if f["src"].startswith(tester)}
    return wrong + [f"{path.stem}: expects {rule}, which check does not find" for rule in sorted(rules - seen)]


def main(tool, peer):
    pages = [p for p in sorted(Path(peer, "cases").glob("*.scn")) if not p.stem.endswith(("-fail", "-near"))]
    pages.append(Path(peer, "canary.scn"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [c for found in pool.map(lambda page: complaints(tool, page, folder), pages) for c in found]
    print("\n".join(wrong))
    print(f"peer-cases: {len(pages)} page(s), {len(wrong)} complaint(s)")
    return 1 if wrong or len(pages) < 2 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
