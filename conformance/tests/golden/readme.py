#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""readme: the output that README.md shows is the output of the tool.   readme.py TOOL ROOT

A block of output begins with a line `$ iwarp ...`.  A line `...` stands for lines that are left out; all others are lines
of the output, in its order.
"""

import os
import re
import shlex
import subprocess
import sys


def blocks(text):
    """Yields (words of the command, lines that are shown)."""
    for block in re.findall(r"^    \$ iwarp .*\n(?:    .*\n)+", text, re.MULTILINE):
        lines = [line[4:] for line in block.splitlines()]
        yield shlex.split(lines[0])[2:], lines[1:]


def complaint(shown, printed):
    """The first shown line that the output does not have at its place, or None."""
    at, skip = 0, False
    for line in shown:
        if line == "...":
            skip = True
            continue
        found = printed.index(line, at) if line in printed[at:] else -1
        if found < 0 or (found > at and not skip):
            return line
        at, skip = found + 1, False
    return None


def main(tool, root):
    with open(os.path.join(root, "README.md"), encoding="utf-8") as stream:
        found = list(blocks(stream.read()))
    wrong = []
    for words, shown in found:
        done = subprocess.run([tool, *words], cwd=root, stdout=subprocess.PIPE, check=False)
        line = complaint(shown, done.stdout.decode().splitlines())
        if line is not None:
            wrong.append(f"README.md: `iwarp {' '.join(words)}` does not print at this place: {line}")
    if not found:
        wrong.append("README.md: shows no output")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
