# SPDX-License-Identifier: BSD-2-Clause
"""Shows a public header to Doxygen: filter.py HEADER prints it with the comments that Doxygen looks for.

The line of purpose becomes the description of the file, a comment behind a member, an enumerator or a macro its
documentation. By the house style a name that says all has no comment; such a one refers to what it is a part of.
Functions, types and whatever stands by itself must have a comment of their own.
"""

import re
import sys

PART = re.compile(r"^\s+(?:\}|(?:[\w*]+\s+)*)[\w* ]+(?:\[\w+\])?;$")  # a member
ENUMERATOR = re.compile(r"^\s+IWARP_\w+(?: = [^,{}]+)?(,?)$")
MACRO = re.compile(r"^#define IWARP_\w+ [^\\]*[^\\\s]$")
LIST = re.compile(r"^#define IWARP_\w+\(")  # the rows of a table, or what makes an enumerator of a row
SEE = " /**< See there. */"


def shown(source):
    inside = False  # of a structure or an enumeration
    lines = source.split("\n")
    lines[1] = re.sub(r"^/\* ", "/** @file\n * ", lines[1])
    for line in lines:
        inside = inside and not line.startswith("}") or line.startswith(("typedef struct", "typedef enum"))
        if re.match(r"\s*(?:#define|[^/ *\s].*[;,0-9a-z\]}]) ", line) or inside:
            line = re.sub(r"(\S\s+)/\* (?!-)", r"\1/**< ", line, count=1)
        if "/*" not in line and (inside and (PART.match(line) or ENUMERATOR.match(line)) or MACRO.match(line)):
            line += SEE
        if LIST.match(line):
            yield "/** Rows of a table, or what becomes of one. */"
        yield line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as stream:
        print("\n".join(shown(stream.read())), end="")
