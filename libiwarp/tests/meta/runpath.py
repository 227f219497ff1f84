# SPDX-License-Identifier: BSD-2-Clause
"""No program and no library of a build looks for libraries in the working directory: runpath.py BUILD-DIR [SKIPPED-DIR]...

An empty element of RPATH or RUNPATH, and one that is relative, is the working directory or lies in it. The build's own folders
are named from $ORIGIN, so that no path of the machine that built it is in a file.
"""

import re
import sys

import elf
import tree

ORIGIN = re.compile(r"^(\$ORIGIN|\$\{ORIGIN\})(/|$)")


def complaints_of(path, element, build):
    if element == "":
        yield f"{path}: an empty element: the working directory"
    elif not element.startswith("/") and not ORIGIN.match(element):
        yield f"{path}: {element} is relative to the working directory"
    elif element == build or element.startswith(build + "/"):
        yield f"{path}: {element} is a folder of the build"


def check(build, without=()):
    complaints, seen = [], 0
    for path, file in elf.linked_files(build, without):
        seen += 1
        for element in file.paths():
            complaints += complaints_of(path, element, build)
    return complaints if seen else [f"{build}: no program and no library"]


if __name__ == "__main__":
    tree.finish("runpath", check(sys.argv[1], sys.argv[2:]))
