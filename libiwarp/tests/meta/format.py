# SPDX-License-Identifier: BSD-2-Clause
"""clang-format 14 has nothing to change, and has left nothing in pieces: format.py [--fix]. Without clang-format 14 the
test is skipped."""

import re
import shutil
import subprocess
import sys

import tree

SKIPPED = 77


def find_clang_format():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(r"version 14\.", version):
                return program
    return None


BROKEN = (
    (re.compile(r"^ +(?:const )?\w+\n +\*?\w+; ", re.MULTILINE),
     "a declaration in two lines: shorten its comment, or put it before"),
    (re.compile(r"^ \* -{8,}", re.MULTILINE), "a ruler that is cut: write /* ---- text ---- */"),
)


def pieces(root):
    """Lines that clang-format has cut in a place that no author would choose."""
    complaints = []
    for file in tree.c_files(root):
        source = tree.text(root, file)
        for pattern, complaint in BROKEN:
            complaints += [f"{file}:{source.count(chr(10), 0, m.start()) + 1}: {complaint}"
                           for m in pattern.finditer(source)]
    return complaints


def check(root, program, fix=False):
    files = [str(f) for f in tree.c_files(root)]
    args = ["-i"] if fix else ["--dry-run", "-Werror"]
    run = subprocess.run([program, *args, *files], cwd=root, capture_output=True, text=True,
                         check=False)
    # One complaint a file: the first line that would change, and how many.
    lines = {}
    for match in re.finditer(r"^(.+?):(\d+):\d+: error: ", run.stderr, re.MULTILINE):
        lines.setdefault(match.group(1), []).append(match.group(2))
    return [f"{file}:{numbers[0]}: {len(set(numbers))} line(s) to change; run format.py --fix"
            for file, numbers in sorted(lines.items())]


if __name__ == "__main__":
    option = sys.argv[1] if len(sys.argv) > 1 else ""
    found = find_clang_format()
    if found is None:
        print("skipped: the format is not checked: it is that of clang-format 14 (Debian 12), which is not here")
        sys.exit(SKIPPED)
    tree.finish("format", check(tree.source_root(), found, option == "--fix") + pieces(tree.source_root()))
