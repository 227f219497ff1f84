#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""manifest: every capture of pcaps/ is in MANIFEST.tsv and is what its row says; the tool says of it what the row says.

manifest.py TOOL PCAPS [--record]   --record fills in findings that are "?"; prove each from the octets first.
"""

import argparse
import csv
import hashlib
import json
import os
import shlex
import subprocess
import sys
from collections import Counter

TOGETHER = ("0", "1", "3")  # exit statuses of captures that one run may read: any other line or status shows a wrong one
CAPTURES = (".pcap", ".pcapng")
COLUMNS = ["file", "sha256", "origin", "licence", "options", "exit", "connections", "pdus", "findings", "notes"]
NOT_RECORDED = "?"


def read_manifest(path):
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or list(rows[0]) != COLUMNS:
        sys.exit(f"{path}: its columns are not {' '.join(COLUMNS)}")
    return rows


def write_manifest(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None,
                                lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def captures_below(folder):
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(CAPTURES):
                yield os.path.relpath(os.path.join(place, name), folder)


def lines_of(tool, command, rows, pcaps):
    """Returns (exit status, {file: JSON lines}) of the tool for captures that have the same options and different names."""
    words = [tool, command, "-T", "jsonl", *shlex.split(rows[0]["options"]), *(os.path.join(pcaps, row["file"]) for row in rows)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    names = {os.path.basename(row["file"]): row["file"] for row in rows}
    lines = {file: [] for file in names.values()}
    for line in map(json.loads, done.stdout.splitlines()):
        if line.get("file") in names:
            lines[names[line["file"]]].append(line)
    return done.returncode, lines


def counts(text):
    """"a=1,b=2" as a Counter."""
    pairs = (item.rsplit("=", 1) for item in text.split(",") if item)
    return Counter({name: int(number) for name, number in pairs})


def as_text(counter):
    return ",".join(f"{name}={number}" for name, number in sorted(counter.items()))


def pdu_name(line):
    return line.get("rdmap", {}).get("name", "fpdu") if line["pdu"] in ("fpdu", "ddp-segment") else line["pdu"]


def seen_of(dump_status, dump, status, check):
    """What the tool says of a capture, in the manifest's terms."""
    found = [line for line in check if line["type"] == "finding"]
    return {
        "dump exit": dump_status,
        "exit": status,
        "connections": sum(line["type"] == "connection" for line in check),
        "pdus": Counter(pdu_name(line) for line in dump),
        "findings": Counter(f"{line['rule']}@{line.get('dir', 'unknown')}" for line in found),
        "fails": any(line["severity"] == "violation" and line["certainty"] == "certain" for line in found),
    }


def observe(tool, rows, pcaps):
    """Yields (row, what the tool says of it). Rows whose captures together do not end as each of them has to are read alone."""
    dump_status, dump = lines_of(tool, "dump", rows, pcaps)
    status, check = lines_of(tool, "check", rows, pcaps)
    if len(rows) > 1 and (str(status) != rows[0]["exit"] or dump_status != dump_exit(rows[0])):
        for row in rows:
            yield from observe(tool, [row], pcaps)
        return
    for row in rows:
        yield row, seen_of(dump_status, dump[row["file"]], status, check[row["file"]])


def groups(rows):
    """The rows that one run can observe."""
    together = {}
    for row in rows:
        alone = row["file"] if row["exit"] not in TOGETHER else ""
        together.setdefault((os.path.dirname(row["file"]), row["options"], row["exit"], alone), []).append(row)
    return together.values()


def dump_exit(row):
    return 2 if row["exit"] == "2" else 0


def differences(row, seen):
    """Yields how what was seen differs from the row."""
    if seen["dump exit"] != dump_exit(row):
        yield f"exit status of dump: {seen['dump exit']}"
    for name in ("exit", "connections"):
        if str(seen[name]) != row[name]:
            yield f"{name}: the manifest has {row[name]}, the tool {seen[name]}"
    if seen["fails"] != (row["exit"] == "1"):
        yield f"exit: the manifest has {row['exit']}, and there is {'a' if seen['fails'] else 'no'} certain violation"
    for name in ("pdus", "findings"):
        expected = counts("" if row[name] == NOT_RECORDED else row[name])
        if row[name] == NOT_RECORDED:
            yield f"{name}: not recorded; the tool has \"{as_text(seen[name])}\""
        for item in sorted(set(expected) | set(seen[name])):
            if row[name] != NOT_RECORDED and expected[item] != seen[name][item]:
                yield f"{name}: {item}: the manifest has {expected[item]}, the tool {seen[name][item]}"


def check_files(rows, pcaps):
    """Yields what is wrong with the manifest itself."""
    names = [row["file"] for row in rows]
    if names != sorted(names, key=os.fsencode) or len(set(names)) != len(names):
        yield "the rows are not sorted by file, or one is there twice"
    for name in sorted(set(captures_below(pcaps)) - set(names)):
        yield f"{name}: has no row"
    for row in rows:
        path = os.path.join(pcaps, row["file"])
        if not os.path.exists(path):
            yield f"{row['file']}: does not exist"
            continue
        with open(path, "rb") as stream:
            if hashlib.sha256(stream.read()).hexdigest() != row["sha256"]:
                yield f"{row['file']}: its sha256 differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("pcaps")
    parser.add_argument("--record", action="store_true", help="fill in findings that are \"?\"")
    args = parser.parse_args()
    manifest = os.path.join(args.pcaps, "MANIFEST.tsv")
    rows = read_manifest(manifest)
    complaints = list(check_files(rows, args.pcaps))
    for group in groups(row for row in rows if os.path.exists(os.path.join(args.pcaps, row["file"]))):
        for row, seen in observe(os.path.abspath(args.tool), group, args.pcaps):
            if args.record and row["findings"] == NOT_RECORDED:
                row["findings"] = as_text(seen["findings"])
            complaints += [f"{row['file']}: {text}" for text in differences(row, seen)]
    if args.record:
        write_manifest(manifest, rows)
    for complaint in complaints:
        print(complaint)
    print(f"{len(rows)} captures, {len(complaints)} complaint(s)")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
