#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The ledger: conformance/requirements/coverage.tsv, a row for each requirement of the catalogues.

    ledger.py write     writes it again: rows of rules from catalog.def, all others as they stand, new ones as open
    ledger.py check     says where it is not what `write` would write, or a row cannot be right

Columns: id, state, by, reason. The states:

    rule          the rules in `by` decide it; they are those that cite it
    peer          only somebody who drives a live implementation sees it
    api           only the user of a stack sees it; `by` is a test of libiwarp that shows it, file:test
    local         nobody outside the implementation sees it
    out-of-scope  nothing that is sent can break it, or no capture can show that it was broken
    duplicate-of  the requirement in `by` says the same
    open          not decided yet; `check` wants none
"""

import argparse
import re
import sys
from pathlib import Path

import new_rule

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = "conformance/requirements"
LEDGER = f"{CATALOGUES}/coverage.tsv"
HEAD = "id\tstate\tby\treason"
WRITTEN = ("peer", "api", "local", "out-of-scope", "duplicate-of")
TESTS = "libiwarp/tests"
# States that a requirement of this visibility may not have: what is on the wire is not hidden.
REFUSED = {"wire": ("peer", "api", "local"), "peer": ("api",)}
REASON = (12, 240)


def requirements(root):
    """The columns of each requirement, in the order of the catalogues."""
    for path in sorted((root / CATALOGUES).glob("rfc*.tsv")):
        for row in path.read_text(encoding="utf-8").splitlines()[1:]:
            yield row.split("\t")


def cited(root):
    """Requirement id -> slugs of the rules that cite it."""
    by = {}
    for slug, names in new_rule.rules(root):
        for name in names:
            by.setdefault(name, []).append(slug)
    return by


def rows(root):
    """Requirement id -> (state, by, reason), as they stand."""
    text = (root / LEDGER).read_text(encoding="utf-8").splitlines() if (root / LEDGER).exists() else [HEAD]
    return {cells[0]: tuple(cells[1:]) for cells in (row.split("\t") for row in text[1:])}


def due(root):
    """The lines of the ledger as they must be."""
    rules, written = cited(root), rows(root)
    yield HEAD
    for columns in requirements(root):
        name = columns[0]
        state, by, reason = written.get(name, ("open", "-", "-"))
        if name in rules:
            state, by = "rule", " ".join(rules[name])
            reason = reason if written.get(name, ("",))[0] == "rule" else "-"
        elif state == "rule":
            state, by, reason = "open", "-", "-"
        yield "\t".join((name, state, by, reason))


def test_exists(root, by):
    """Returns true if `by`, file:test, is a test of libiwarp."""
    name, _, test = by.partition(":")
    found = list((root / TESTS).glob(f"*/{name}.c"))
    return len(found) == 1 and re.search(rf"\b{re.escape(test)}\b", found[0].read_text(encoding="utf-8")) is not None


def complaints_of(root, columns, row, written):
    """What is wrong with the row of one requirement."""
    name, visibility = columns[0], columns[4]
    state, by, reason = row
    if state not in WRITTEN + ("rule", "open"):
        yield f"{name}: no such state: {state}"
    if state == "open":
        yield f"{name}: not decided: {columns[5]}"
    if state in REFUSED.get(visibility, ()):
        yield f"{name}: visible as {visibility}, so it cannot be {state}"
    if state in WRITTEN and not REASON[0] <= len(reason) <= REASON[1]:
        yield f"{name}: a reason has {REASON[0]} to {REASON[1]} characters"
    if state == "api" and not test_exists(root, by):
        yield f"{name}: no test {by} in {TESTS}"
    if state == "duplicate-of" and written.get(by, ("open",))[0] in ("open", "duplicate-of"):
        yield f"{name}: {by} is not decided itself"
    if state in ("peer", "local", "out-of-scope", "open") and by != "-":
        yield f"{name}: by is - where the state is {state}"


def complaints(root):
    lines = list(due(root))
    if (root / LEDGER).read_text(encoding="utf-8").splitlines() != lines:
        yield f"{LEDGER} is stale: run conformance/rules/ledger.py write"
    written = rows(root)
    for columns in requirements(root):
        yield from complaints_of(root, columns, written.get(columns[0], ("open", "-", "-")), written)


def main(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", type=Path, default=ROOT, help="the tree, when it is not the script's own")
    p.add_argument("command", choices=("write", "check"))
    arg = p.parse_args(argv)
    if arg.command == "write":
        text = "\n".join(due(arg.root)) + "\n"
        (arg.root / LEDGER).write_text(text, encoding="utf-8")
        return 0
    found = list(complaints(arg.root))
    for line in found:
        print(line)
    print(f"ledger: {len(found)} complaint(s)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
