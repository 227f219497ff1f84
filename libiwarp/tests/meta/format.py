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


def failure(run):
    """How a run of clang-format failed, or None. Status 1 is right only where it names lines to change."""
    shown = run.returncode == 1 and "error: code should be clang-formatted" in run.stderr
    if run.returncode == 0 or shown:
        return None
    return f"clang-format failed with status {run.returncode}: {run.stderr.strip()[-500:]}"


def run_on(root, program, files, *options):
    return subprocess.run([program, *options, *files], cwd=root, capture_output=True, text=True, check=False)


def fix(root, program):
    """Formats the files; those that change once more, since a long comment may move again when its line has moved."""
    files = [str(f) for f in tree.c_files(root)]
    for _ in range(4):
        before = {file: (root / file).read_bytes() for file in files}
        broken = failure(run_on(root, program, files, "-i"))
        if broken:
            return [broken]
        files = [file for file in files if (root / file).read_bytes() != before[file]]
        if not files:
            return []
    return [f"{file}: clang-format changes it each time" for file in files]


def check(root, program):
    run = run_on(root, program, [str(f) for f in tree.c_files(root)], "--dry-run", "-Werror")
    # One complaint a file: the first line that would change, and how many.
    lines = {}
    for match in re.finditer(r"^(.+?):(\d+):\d+: error: ", run.stderr, re.MULTILINE):
        lines.setdefault(match.group(1), []).append(match.group(2))
    broken = failure(run)
    return ([broken] if broken else []) + [f"{file}:{numbers[0]}: {len(set(numbers))} line(s) to change; run format.py --fix"
                                           for file, numbers in sorted(lines.items())]


if __name__ == "__main__":
    option = sys.argv[1] if len(sys.argv) > 1 else ""
    found = find_clang_format()
    if found is None:
        print("skipped: the format is not checked: it is that of clang-format 14 (Debian 12), which is not here")
        sys.exit(SKIPPED)
    tree.finish("format", (fix if option == "--fix" else check)(tree.source_root(), found) + pieces(tree.source_root()))
