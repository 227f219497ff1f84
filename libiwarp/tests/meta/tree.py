# SPDX-License-Identifier: BSD-2-Clause
"""What the meta tests share: walking the source tree and reporting complaints."""

import os
import re
import sys
from pathlib import Path

SKIPPED_DIRS = {".git", "build", "__pycache__"}
C_SUFFIXES = {".c", ".h", ".cpp"}


def files(root, under=""):
    """Yields every file below root/under, sorted, as paths relative to root."""
    for folder, dirs, names in os.walk(Path(root) / under):
        dirs[:] = sorted(d for d in dirs if d not in SKIPPED_DIRS)
        for name in sorted(set(names) - SKIPPED_DIRS):  # in a worktree of git .git is a file
            yield (Path(folder) / name).relative_to(root)


def c_files(root, under=""):
    return [f for f in files(root, under) if f.suffix in C_SUFFIXES]


def text(root, file):
    return (Path(root) / file).read_text(encoding="utf-8", errors="surrogateescape")


def without_comments(source):
    """Blanks comments and string literals of C source, keeping the line numbers."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, source,
                  flags=re.DOTALL)


def source_root():
    return Path(__file__).resolve().parents[3]


def finish(name, complaints):
    """Prints the complaints and ends the program: 0 if there are no complaints."""
    for complaint in complaints:
        print(complaint)
    print(f"{name}: {len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)
