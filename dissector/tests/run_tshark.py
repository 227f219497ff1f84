# SPDX-License-Identifier: BSD-2-Clause
"""Runs tshark with the plugin, and the tool, on captures: what the tests of this folder share."""
import json
import pathlib
import subprocess
import sys

SKIPPED = 77


class Failed(Exception):
    """A program did not do what it must."""


def run(command, **options):
    """Runs a program; its output as text. What it says on standard error must be nothing that names a defect."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)
    errors = done.stderr.decode(errors="replace")
    for bad in ("CRITICAL", "-WARNING", "issector bug", "Couldn't load", "ASSERT"):
        if bad in errors:
            raise Failed(f"{' '.join(map(str, command))}: {errors}")
    if done.returncode not in (0, 1, 2, 3, 4):
        raise Failed(f"{' '.join(map(str, command))}: status {done.returncode}: {errors}")
    return done.stdout.decode(errors="replace")


class Tshark:
    """tshark with the plugin of the build tree."""

    def __init__(self, runner):
        self.runner = runner

    def run(self, capture, *args):
        """Standard output of tshark on a capture."""
        return run([self.runner, "-n", "-r", capture, *args])

    def fields(self, capture, names, *args):
        """For each frame the values of fields, a list for each, as text."""
        wanted = [part for name in names for part in ("-e", name)]
        out = self.run(capture, "-T", "fields", "-E", "separator=\x1f", "-E", "aggregator=\x1e", *wanted, *args)
        rows = [line.split("\x1f") for line in out.split("\n") if line]
        return [[cell.split("\x1e") if cell else [] for cell in row] for row in rows]

    def rules(self, capture, *args):
        """The set of (rule, frame)."""
        rows = self.fields(capture, ["frame.number", "iwarp.rule"], "-Y", "iwarp.rule", *args)
        return {(rule, int(frame)) for [[frame], rules] in rows for rule in rules}


def check(tool, capture, *args):
    """The findings of `iwarp check`, all of them."""
    out = run([tool, "check", "-T", "jsonl", "--max-findings", "1000000000", *args, capture])
    lines = [json.loads(line) for line in out.splitlines()]
    return [line for line in lines if line["type"] == "finding"]


def captures(*places):
    """The captures in files and folders."""
    found = []
    for place in map(pathlib.Path, places):
        found += [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.suffix in (".pcap", ".pcapng"))
    return found


def main(tests):
    """Runs the tests; each returns how much it compared. The status of the program."""
    failed = 0
    for test in tests:
        try:
            print(f"{test.__name__}: {test()}")
        except Failed as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    sys.exit(1 if failed else 0)
