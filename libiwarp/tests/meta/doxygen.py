# SPDX-License-Identifier: BSD-2-Clause
"""No public symbol is undocumented: Doxygen has nothing to say about docs/api/Doxyfile. Without Doxygen: skipped.

Doxygen does not miss the comment of an enumerator or of a member of a union: those are looked for here.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tree

SKIPPED = 77
DOXYFILE = "docs/api/Doxyfile"
# Each is a symbol whose comment is taken away: the test must see it.
REMOVED = [("ddp.h", "/** iwarp_ddp_hdr_len returns"), ("base.h", "/** iwarp_err is the result"),
           ("mpa.h", "/** iwarp_mpa_key tells"), ("base.h", "/* the first octet"), ("mpa.h", "/* octets, RFC 5044 4.5")]
# A line of a structure, union or enumeration that declares something, whole; the rows of a list are elsewhere.
DECLARES = re.compile(r"^ +(?:(?:const |struct )*\w+ \**\w+(?:\[\w+\])?;|\} \w+;|IWARP_\w+(?: = [^,]+)?,?)$")


def run(root, program, **changes):
    """Returns what Doxygen says, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        changes.setdefault("OUTPUT_DIRECTORY", folder)
        config = tree.text(root, DOXYFILE) + "".join(f"{key} = {value}\n" for key, value in changes.items())
        done = subprocess.run([program, "-"], cwd=root, input=config, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if line.strip()]
    return said or ([f"exit status {done.returncode}"] if done.returncode != 0 else [])


def without_comment(source, begin):
    at = source.index(begin)
    return source[:at] + source[source.index("*/", at) + 2:]


def bare_lines(source):
    """Yields the numbers of lines that declare a member or an enumerator and have no comment on or above them."""
    inside, above = False, ""
    for number, line in enumerate(source.split("\n"), 1):
        inside = inside and not line.startswith("}") or line.startswith(("typedef struct", "typedef enum"))
        if inside and DECLARES.match(line) and not above.endswith("*/"):
            yield number
        # A comment after a member is its own: only one on lines of its own belongs to what follows.
        above = line if re.match(r" +(?:/\*\*| \*)", line) else ""


def undocumented(root):
    for folder in ("libiwarp/include", "conformance/rules/include"):
        for file in tree.c_files(root, folder):
            for number in bare_lines(tree.text(root, file)):
                yield f"{file}:{number}: has no comment"


def check(root, program):
    complaints = run(root, program) + list(undocumented(root))
    headers = root / "libiwarp" / "include" / "iwarp"
    for name, begin in REMOVED:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_text(without_comment(tree.text(headers, name), begin), encoding="utf-8")
            if not run(root, program, INPUT=folder):
                complaints.append(f"{name}: a comment is missing, and Doxygen does not say so")
    return complaints


if __name__ == "__main__":
    found = shutil.which("doxygen")
    if found is None:
        print("skipped: the reference is not checked: no doxygen on this machine (Debian: doxygen)")
        sys.exit(SKIPPED)
    tree.finish("doxygen", check(tree.source_root(), found))
