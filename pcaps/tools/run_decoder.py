#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""run_decoder: runs another project's decoder on the captures, and compares the result with the counts of the manifest.

run_decoder.py [--under FOLDER] COMMAND...

Runs COMMAND with the path of each capture, and the row's options after it, as further arguments.  It prints the name of a PDU
on each line, in any order, and ends with status 0.  One that prints nothing and ends with status 77 has not this kind of
capture, which is left out; any other status is wrong, whatever was printed.
"""

import argparse
import csv
import os
import shlex
import subprocess
import sys
from collections import Counter

PCAPS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEFT_OUT = 77


def expected(row):
    """The PDUs of a row, by name."""
    return Counter({name: int(count) for name, count in (item.rsplit("=", 1) for item in row["pdus"].split(",") if item)})


def attempt(command, row):
    """How the decoder ends on a capture, and what it prints, by name."""
    words = [*command, os.path.join(PCAPS, row["file"]), *shlex.split(row["options"])]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, errors="replace", check=False)
    return done.returncode, Counter(done.stdout.split())


def compare(row, status, found):
    """What is wrong about that, a phrase each."""
    due = expected(row)
    ended = ["ended with status %d" % status if status > 0 else "ended by signal %d" % -status] if status != 0 else []
    return ended + ["%s: %d, not %d" % (name, found[name], due[name]) for name in sorted(due | found) if due[name] != found[name]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--under", default="", help="only captures below this folder of pcaps/, such as real/siw")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.command:
        parser.error("COMMAND is missing")
    with open(os.path.join(PCAPS, "MANIFEST.tsv"), encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    right, wrong, left_out = 0, 0, 0
    for row in (row for row in rows if row["file"].startswith(args.under)):
        try:
            status, found = attempt(args.command, row)
        except OSError as error:
            print("run_decoder.py: cannot run %s: %s" % (args.command[0], error.strerror), file=sys.stderr)
            return 2
        if status == LEFT_OUT and not found:
            left_out += 1
            continue
        differences = compare(row, status, found)
        right, wrong = right + (not differences), wrong + bool(differences)
        if differences:
            print("%s: %s (%s)" % (row["file"], "; ".join(differences), row["notes"]))
    print("%d captures are right, %d are not, %d left out" % (right, wrong, left_out))
    return 1 if wrong or right == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
