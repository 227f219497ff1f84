# SPDX-License-Identifier: BSD-2-Clause
"""docs/states.md is what the tables of the library say: states.py [--update] PROGRAM"""

import subprocess
import sys

import tree

PAGE = "docs/states.md"


def check(root, printed):
    if tree.text(root, PAGE) == printed:
        return []
    return [f"{PAGE}: differs from the tables of the library; states.py --update rewrites it"]


if __name__ == "__main__":
    root = tree.source_root()
    printed = subprocess.run([sys.argv[-1]], check=True, capture_output=True, text=True).stdout
    if sys.argv[1] == "--update":
        (root / PAGE).write_text(printed, encoding="utf-8")
        sys.exit(0)
    tree.finish("states", check(root, printed))
