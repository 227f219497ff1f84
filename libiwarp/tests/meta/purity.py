# SPDX-License-Identifier: BSD-2-Clause
"""The pure archives need only memcpy, memset, memcmp and memmove, and in ingest what the compiler's own runtime knows
of the processor: purity.py [--hardened] NM ARCHIVE[:FILE-NOT-PURE]...

With --hardened they also need what the protections of the compiler call: functions that end the program where a frame or the
end of an object was overwritten.
"""

import subprocess
import sys
from pathlib import Path

import tree

ALLOWED = {"memcpy", "memset", "memcmp", "memmove"}
HARDENED = {"__stack_chk_fail", "__stack_chk_fail_local", "__stack_chk_guard"} | {f"__{name}_chk" for name in ALLOWED}
LINKER = {"_GLOBAL_OFFSET_TABLE_"}
PROCESSOR = {"libiwarp_ingest.a(sum.c.o)": {"__cpu_model"}}


def read_symbols(nm, archive):
    """Returns {member: (undefined, defined)} of an archive."""
    members = {}
    out = subprocess.run([nm, "-A", "-P", archive], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        place, rest = line.split(": ", 1)
        member = place[place.index("[") + 1:place.rindex("]")]
        fields = rest.split()
        undefined, defined = members.setdefault(member, (set(), set()))
        (undefined if fields[1] in "Uw" else defined).add(fields[0])
    return members


def check(nm, archives, hardened=False):
    """Archives may use each other, so they are given together, each with the members that are not pure."""
    allowed = ALLOWED | LINKER | (HARDENED if hardened else set())
    symbols = {}
    for archive in archives:
        path, *impure = archive.split(":")
        members = read_symbols(nm, path)
        if not members:
            return [f"{path}: no member"]
        for name in impure:
            if members.pop(name + ".o", None) is None:
                return [f"{path}: no member {name}.o"]
        symbols[path] = members
    known = set().union(*(d for m in symbols.values() for _, d in m.values()))
    return [f"{path}({member}): {symbol} is undefined"
            for path, members in symbols.items()
            for member, (undefined, _) in sorted(members.items())
            for symbol in sorted(undefined - known - allowed - PROCESSOR.get(f"{Path(path).name}({member})", set()))]


if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_hardened = arguments[0] == "--hardened"
    nm, *archives = arguments[1:] if is_hardened else arguments
    tree.finish("purity", check(nm, archives, is_hardened))
