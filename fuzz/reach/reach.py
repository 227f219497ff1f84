#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""reach: which states and paths the inputs of the fuzz targets reach, by name, and which input reaches each.

reach.py [--list] BIN CORPUS SEEDS   runs BIN/reach-* on the folders of their targets in CORPUS and SEEDS. Every point is to
be reached by some target, but those that unreached.tsv names with the reason. --list prints a line for each point: its
name, the target, the input. Exit status 1 when one is missing, or one of unreached.tsv is reached.
"""

import subprocess
import sys
from pathlib import Path

WAIVED = Path(__file__).with_name("unreached.tsv")


def waived(path=WAIVED):
    """{point: why}, of a table with a head."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {point: why for point, why in rows}


def printed(program, folders):
    """[(point, input or "")] as a program prints it."""
    done = subprocess.run([program, *folders], stdout=subprocess.PIPE, text=True, check=True)
    return [tuple(line.split("\t")) for line in done.stdout.splitlines() if "\t" in line]


def merge(found):
    """{point: (target, input) or None} of {target: [(point, input)]}; the first target that reaches a point stands for it."""
    points = {}
    for target, rows in found.items():
        for point, path in rows:
            points[point] = points.get(point) or ((target, path) if path else None)
    return points


def complaints(points, exempt):
    for point, by in points.items():
        if by is None and point not in exempt:
            yield f"not reached: {point}"
        elif by is not None and point in exempt:
            yield f"{WAIVED.name}: {point} is reached by {by[1]}"
    yield from (f"{WAIVED.name}: there is no point {p}" for p in exempt if p not in points)


def main(argv):
    words = [w for w in argv if w != "--list"]
    if len(words) != 3:
        sys.exit(__doc__)
    binaries, *places = map(Path, words)
    found = {}
    for program in sorted(binaries.glob("reach-*")):
        target = program.name.removeprefix("reach-")
        found[target] = printed(program, [p / target for p in places if (p / target).is_dir()])
    points, exempt = merge(found), waived()
    if "--list" in argv:
        for point, by in points.items():
            print(f"{point}\t{by[0]}\t{by[1]}" if by else f"{point}\t\t{exempt.get(point, '')}")
    wrong = list(complaints(points, exempt))
    print("\n".join(wrong), file=sys.stderr)
    print(f"reach: {sum(by is not None for by in points.values())} of {len(points)} points, {len(exempt)} named as out of reach")
    return 1 if wrong or not points else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
