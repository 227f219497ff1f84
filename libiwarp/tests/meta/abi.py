# SPDX-License-Identifier: BSD-2-Clause
"""The types, constants and functions of the public headers equal libiwarp/libiwarp.abi: abi.py [--update] CC READELF

The layout is what the compiler writes into its debug information; the file is for machines with 64-bit pointers.
"""

import difflib
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import symbols
import tree

LIST = "libiwarp/libiwarp.abi"
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# What programs that use the library are compiled against, on a machine with 64-bit pointers: offsets and sizes in octets.
# Refreshed by .ci/symbols; a change of what is here is a change of the ABI.
"""
UNIT = "#include <iwarp/iwarp.h>\n"
POINTER = 8
SKIPPED_MACRO = re.compile(r"IWARP_VERSION|IWARP_API$|IWARP_\w+_H$")


def run(*command, text=UNIT):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


class Die:
    """One entry of the debug information: its tag, its attributes and the entries in it."""

    def __init__(self, tag):
        self.tag, self.attributes, self.children = tag, {}, []

    def number(self, name):
        return int(self.attributes.get(name, "0").split()[0], 0)

    @property
    def name(self):
        return self.attributes.get("name", "")

    def bounds(self):
        """The dimensions of an array: gcc writes the last index, clang the number."""
        for child in self.children:
            if child.tag == "subrange_type":
                yield child.number("count") if "count" in child.attributes else child.number("upper_bound") + 1


def debug_info(text):
    """Reads what readelf prints; returns {offset: entry} in order."""
    dies, parents = {}, {}
    for line in text.splitlines():
        if begin := re.match(r" <(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)", line):
            die = dies[int(begin[2], 16)] = Die(begin[3])
            depth = int(begin[1])
            parents[depth] = die
            if depth > 0:
                parents[depth - 1].children.append(die)
        elif attribute := re.match(r"    <[0-9a-f]+>   DW_AT_(\w+) *: (.*)", line):
            value = re.sub(r"^\((indirect|indexed)[^)]*\): ", "", attribute[2]).strip()
            die.attributes[attribute[1]] = re.sub(r"^\((?:data\d|sdata|udata)\) ", "", value)
    return dies


class Types:
    def __init__(self, dies):
        self.dies = dies
        self.typedefs = {}  # of a type without a name of its own
        for die in dies.values():
            if die.tag == "typedef" and "type" in die.attributes:
                self.typedefs.setdefault(id(self.of(die)), die.name)

    def of(self, die):
        reference = die.attributes.get("type")
        return self.dies[int(reference.strip("<>"), 16)] if reference else None

    def spell(self, die):
        """The type as C would nearly write it."""
        if die is None:
            return "void"
        inner = self.of(die)
        if die.tag == "const_type":
            return "const " + self.spell(inner) if inner is None or inner.tag != "pointer_type" else self.spell(inner)
        if die.tag == "pointer_type":
            return self.spell(inner) + " *"
        if die.tag == "array_type":
            return self.spell(inner) + "".join(f"[{bound}]" for bound in die.bounds())
        if die.tag == "subroutine_type":
            return "function"
        return die.name or self.typedefs.get(id(die)) or die.tag.split("_")[0]

    def size(self, die):
        if die.tag == "pointer_type":
            return POINTER
        if die.tag == "array_type":
            return math.prod(die.bounds()) * self.size(self.of(die))
        return die.number("byte_size") if "byte_size" in die.attributes else self.size(self.of(die))

    def members(self, die, indent, base):
        """Lines for the members of a struct or union; those without a type name are opened."""
        for member in die.children:
            if member.tag != "member":
                continue
            of = self.of(member)
            at = base + member.number("data_member_location")
            yield f"{at:6} {self.size(of):6}  {indent}{self.spell(of)} {member.name}".replace("* ", "*").rstrip()
            if of.tag in ("structure_type", "union_type") and not of.name and id(of) not in self.typedefs:
                yield from self.members(of, indent + "  ", at)

    def describe(self, name, die):
        if die.tag == "enumeration_type":
            lines = [f"enum {name} of {die.number('byte_size')}"]
            return lines + [f"  {c.name} = {c.number('const_value')}" for c in die.children]
        kind = die.tag.split("_")[0].replace("structure", "struct")
        if "declaration" in die.attributes:
            return [f"{kind} {name}, opaque"]
        return [f"{kind} {name} of {die.number('byte_size')}", *self.members(die, "", 0)]


def types(dies):
    """Lines about every enum, struct and union of ours, by name."""
    all_types = Types(dies)
    found = {}
    for die in dies.values():
        if die.tag in ("structure_type", "union_type", "enumeration_type"):
            name = die.name or all_types.typedefs.get(id(die), "")
            if name.startswith("iwarp_"):
                found[name] = all_types.describe(name, die)
    return [line for name in sorted(found) for line in [*found[name], ""]]


def constants(macros):
    found = re.findall(r"^#define (IWARP_\w+) +(.+)$", macros, flags=re.MULTILINE)
    return sorted(f"{name} {' '.join(value.split())}" for name, value in found if not SKIPPED_MACRO.match(name))


def functions(preprocessed):
    """{name: prototype}; `preprocessed` marks each by IWARP_API."""
    flat = " ".join(line for line in preprocessed.splitlines() if not line.startswith("#"))
    found = {}
    for text in re.findall(r"\bIWARP_API\b\s*([^;{]+);", flat):
        text = " ".join(text.split()).replace("( ", "(").replace(" )", ")")
        found[re.search(r"(\w+)\s*[(\[]", text)[1]] = text
    return found


def describe(root, cc, readelf):
    """Returns the text and the names of the functions."""
    flags = ["-x", "c", "-std=c11", f"-I{root}/libiwarp/include", "-"]
    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder) / "abi.o")
        run(cc, "-g", "-fno-eliminate-unused-debug-types", "-c", "-o", made, *flags)
        dies = debug_info(run(readelf, "--debug-dump=info", made))
    # the attribute is written as it stands, so that what is exported can be known
    kept = UNIT.replace("#include", "#include <iwarp/export.h>\n#undef IWARP_API\n#include", 1)
    calls = functions(run(cc, "-E", *flags, text=kept))
    lines = [*types(dies), *constants(run(cc, "-E", "-dM", *flags)), "", *(calls[name] for name in sorted(calls))]
    return HEAD + "\n" + "\n".join(lines) + "\n", set(calls)


def check(root, cc, readelf):
    now, names = describe(root, cc, readelf)
    before = tree.text(root, LIST)
    listed = set(symbols.listed(root))
    complaints = [f"{s}: declared in a header, not in {symbols.LIST}" for s in sorted(names - listed)]
    complaints += [f"{s}: in {symbols.LIST}, not declared in a header" for s in sorted(listed - names)]
    if now != before:
        difference = difflib.unified_diff(before.splitlines(), now.splitlines(), LIST, "the headers", n=2, lineterm="")
        complaints.append("\n".join(difference))
    return complaints


if __name__ == "__main__":
    args = sys.argv[1:]
    here = tree.source_root()
    if args[0] == "--update":
        (here / LIST).write_text(describe(here, args[1], args[2])[0], encoding="utf-8")
        sys.exit(0)
    if f"__SIZEOF_POINTER__ {POINTER}\n" not in run(args[0], "-E", "-dM", "-x", "c", "-", text=""):
        print(f"skipped: {LIST} is for pointers of {POINTER} octets")
        sys.exit(77)
    tree.finish("abi", check(here, args[0], args[1]))
