# SPDX-License-Identifier: BSD-2-Clause
"""Conditions without an independence pair are those that docs/coverage.md lists: mcdc.py [EXPORT.json]

Without a file only the page is checked: each row must name a condition that is in the source. EXPORT.json is what
`llvm-cov export` prints; then the figures are printed, and each gap must have its row and each row its gap.
"""

import json
import sys
from pathlib import Path

import tree

PAGE = "docs/coverage.md"
HEAD = ["file", "function", "condition", "why"]
SOURCES = "libiwarp/src/"
LIMIT = 95.0
MCDC_BRANCH = 6  # kind of region: one condition of a decision


def words(text):
    return " ".join(text.split())


def rows(page):
    """Yields [file, function, condition, why] of the table of gaps."""
    inside = False
    for line in page.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").replace("\\|", "\0").split("|")]
        cells = [c.replace("\0", "|").strip("`") for c in cells]
        inside = line.startswith("|") and (inside or cells == HEAD)
        if inside and cells != HEAD and set(line) - set("|- "):
            yield cells


def check_page(root, page):
    complaints = []
    seen = set()
    for cells in rows(page):
        where = f"{PAGE}: {' '.join(cells[:3])}"
        if len(cells) != len(HEAD) or not all(cells):
            complaints.append(f"{where}: a row has {len(HEAD)} cells, none empty")
            continue
        file = Path(root) / SOURCES / cells[0]
        if not file.is_file():
            complaints.append(f"{where}: no such file")
        elif cells[1] + "(" not in tree.text(root, file) or cells[2] not in words(tree.text(root, file)):
            complaints.append(f"{where}: not in the source")
        if tuple(cells[:3]) in seen:
            complaints.append(f"{where}: listed twice")
        seen.add(tuple(cells[:3]))
    return complaints


def between(source, region):
    """The source text of [line, column, line, column]."""
    line, column, end_line, end_column = region
    part = source[line - 1:end_line]
    part[-1] = part[-1][:end_column - 1]
    part[0] = part[0][column - 1:]
    return words(" ".join(part))


def conditions(root, export):
    """Returns {(file, function, decision, index): (condition, covered)}; a copy in any unit may cover."""
    found = {}
    sources = {}
    for function in export["data"][0]["functions"]:
        file = function["filenames"][0]
        if SOURCES not in file:
            continue
        file = file.rsplit(SOURCES, 1)[1]
        source = sources.setdefault(file, tree.text(root, Path(SOURCES) / file).splitlines())
        name = function["name"].rsplit(":", 1)[-1]
        leaves = [b[:4] for b in function["branches"] if b[6] == 0 and b[8] == MCDC_BRANCH]
        for record in function["mcdc_records"]:
            decision, covered = tuple(record[:4]), record[-1]
            inside = sorted(b for b in leaves if decision[:2] <= tuple(b[:2]) and tuple(b[2:]) <= decision[2:])
            assert len(inside) == len(covered), f"{file}:{decision}"
            for i, (leaf, yes) in enumerate(zip(inside, covered)):
                key = (file, name, decision, i)
                found[key] = (between(source, leaf), yes or found.get(key, ("", False))[1])
    return found


def print_figures(found):
    for file in sorted({key[0] for key in found}):
        mine = [yes for key, (_, yes) in found.items() if key[0] == file]
        print(f"{file:28} {sum(mine):4} of {len(mine):4}  {100 * sum(mine) / len(mine):5.1f}%")
    every = [yes for _, yes in found.values()]
    percent = 100 * sum(every) / len(every) if every else 0.0
    print(f"mcdc: {percent:.1f}% ({sum(every)} out of {len(every)})")
    return percent


def check_export(root, page, export):
    found = conditions(root, export)
    gaps = {}
    for (file, name, decision, _), (condition, yes) in found.items():
        if not yes:
            gaps[(file, name, condition)] = decision[0]
    listed = {tuple(cells[:3]) for cells in rows(page)}
    complaints = [f"{SOURCES}{g[0]}:{line}: {g[1]}: no pair of tests for `{g[2]}`, not in {PAGE}"
                  for g, line in sorted(gaps.items()) if g not in listed]
    complaints += [f"{PAGE}: {' '.join(row)}: tests cover it now" for row in sorted(listed - set(gaps))]
    if print_figures(found) < LIMIT:
        complaints.append(f"below {LIMIT:.0f} %")
    return complaints


if __name__ == "__main__":
    here = tree.source_root()
    text = tree.text(here, PAGE)
    faults = check_page(here, text)
    if len(sys.argv) > 1:
        faults += check_export(here, text, json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    tree.finish("mcdc", faults)
