# SPDX-License-Identifier: BSD-2-Clause
"""No state outlives a call: the archives hold no writable object but what is named: writable.py OBJDUMP ARCHIVE[:SYMBOL]..."""

import re
import subprocess
import sys

import tree

# Constants that hold pointers lie in .data.rel.ro until the loader has filled them in; they are not written after that.
WRITABLE = re.compile(r"^\.(?:t?data|t?bss|sdata|sbss)(?:\.(?!rel\.ro)|$)|^\*COM\*$")
MEMBER = re.compile(r"^(\S+):\s+file format ")
SYMBOL = re.compile(r"^[0-9a-f]+ .{7} (\S+)\t([0-9a-f]+)\s+(?:\.hidden |\.protected )?(\S+)$")


def objects(objdump, archive):
    """Yields (member, section, size, name) of each symbol; "size" of a common symbol is its alignment, never 0."""
    member = None
    out = subprocess.run([objdump, "-t", archive], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        begin = MEMBER.match(line)
        symbol = SYMBOL.match(line)
        if begin:
            member = begin.group(1)
        elif symbol:
            yield member, symbol.group(1), int(symbol.group(2), 16), symbol.group(3)


def check(objdump, archives):
    complaints = []
    for archive in archives:
        path, *allowed = archive.split(":")
        found, seen = set(), 0
        for member, section, size, name in objects(objdump, path):
            seen += 1
            if size > 0 and WRITABLE.match(section):
                found.add(name)
                if name not in allowed:
                    complaints.append(f"{path}({member}): {name} is writable, in {section}")
        if seen == 0:
            complaints.append(f"{path}: no symbol")
        complaints += [f"{path}: {name} is allowed to be writable, and is not there" for name in allowed if name not in found]
    return complaints


if __name__ == "__main__":
    tree.finish("writable", check(sys.argv[1], sys.argv[2:]))
