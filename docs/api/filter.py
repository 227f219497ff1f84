# SPDX-License-Identifier: BSD-2-Clause
"""Shows a public header to Doxygen: filter.py HEADER prints it with the comments that Doxygen looks for.

The line of purpose becomes the description of the file, a comment after a member, an enumerator or a macro its
documentation. Nothing is made up: what has no comment stays undocumented, and the test of the reference says so.
"""

import re
import sys


def shown(source):
    inside = False  # of a structure or an enumeration
    lines = source.split("\n")
    lines[1] = re.sub(r"^/\* ", "/** @file\n * ", lines[1])
    for line in lines:
        inside = inside and not line.startswith("}") or line.startswith(("typedef struct", "typedef enum"))
        if re.match(r"\s*(?:#define|[^/ *\s].*[;,0-9a-z\]}]) ", line) or inside:
            line = re.sub(r"(\S\s+)/\* (?!-)", r"\1/**< ", line, count=1)
        yield line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as stream:
        print("\n".join(shown(stream.read())), end="")
