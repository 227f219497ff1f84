# SPDX-License-Identifier: BSD-2-Clause
"""docs/states.md and the states of iwarp/endpoint.h are what the tables of the library say: states.py [--update] PROGRAM"""

import re
import subprocess
import sys

import tree

PAGE = "docs/states.md"
HEADER = "libiwarp/include/iwarp/endpoint.h"
TABLE = re.compile(r"^ \*   +push .*\n(?: \*   [A-Z_]+ .*\n)+", re.MULTILINE)
ENUMERATOR = re.compile(r"^  (IWARP_ENDPOINT_[A-Z_]+)(?: = 0)?,? +/\* (.*?) \*/", re.MULTILINE | re.DOTALL)


def printed(program, *what):
    return subprocess.run([program, *what], check=True, capture_output=True, text=True).stdout


def states_of(header):
    """The enumerators of iwarp_endpoint_state with their comments, a line each."""
    end = header.index("} iwarp_endpoint_state;")
    listed = header[header.rindex("typedef enum", 0, end):end]
    return "".join("%s: %s\n" % (name, " ".join(text.split())) for name, text in ENUMERATOR.findall(listed))


def check(root, program):
    header = tree.text(root, HEADER)
    if tree.text(root, PAGE) != printed(program):
        yield f"{PAGE}: differs from the tables of the library; states.py --update rewrites it"
    if TABLE.findall(header) != [printed(program, "table")]:
        yield f"{HEADER}: its table differs from the state machine; states.py --update rewrites it"
    if states_of(header) != printed(program, "states"):
        yield f"{HEADER}: the comments of the states differ from EP_STATE_MAP"


def update(root, program):
    (root / PAGE).write_text(printed(program), encoding="utf-8")
    header = tree.text(root, HEADER)
    (root / HEADER).write_text(TABLE.sub(lambda _: printed(program, "table"), header, 1), encoding="utf-8")


if __name__ == "__main__":
    root = tree.source_root()
    if sys.argv[1] == "--update":
        update(root, sys.argv[-1])
        sys.exit(0)
    tree.finish("states", list(check(root, sys.argv[-1])))
