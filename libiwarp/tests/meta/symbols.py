# SPDX-License-Identifier: BSD-2-Clause
"""The shared library exports what libiwarp/libiwarp.symbols lists: symbols.py [--update] NM LIBRARY"""

import subprocess
import sys

import tree

LIST = "libiwarp/libiwarp.symbols"
NAMES_TEST = "libiwarp/tests/unit/check_names.c"
HEAD = """# SPDX-License-Identifier: BSD-2-Clause
# Symbols that the shared library exports. Refreshed by .ci/symbols.
"""


def exported(nm, library):
    out = subprocess.run([nm, "-D", "-P", "--defined-only", library], check=True, capture_output=True,
                         text=True).stdout
    return sorted(line.split()[0].split("@")[0] for line in out.splitlines())


def listed(root):
    return [s for s in tree.text(root, LIST).splitlines() if s and not s.startswith("#")]


def names_untested(root):
    """Functions iwarp_..._name share one convention, which one test holds for all of them."""
    test = tree.text(root, NAMES_TEST)
    return [f"{s}: {NAMES_TEST} does not try it" for s in listed(root) if s.endswith("_name") and f"{s}(" not in test]


def check(root, nm, library):
    now, before = exported(nm, library), listed(root)
    complaints = [f"{s}: exported, not in {LIST}" for s in now if s not in before]
    complaints += [f"{s}: in {LIST}, not exported" for s in before if s not in now]
    complaints += [f"{s}: exported without the prefix iwarp_" for s in now if not s.startswith("iwarp_")]
    complaints += names_untested(root)
    if not complaints and before != sorted(set(before)):
        complaints.append(f"{LIST}: not sorted")
    return complaints


if __name__ == "__main__":
    args = sys.argv[1:]
    root = tree.source_root()
    if args[0] == "--update":
        lines = exported(args[1], args[2])
        (root / LIST).write_text(HEAD + "".join(s + "\n" for s in lines), encoding="utf-8")
        print(f"{LIST}: {len(lines)} symbols")
        sys.exit(0)
    tree.finish("symbols", check(root, args[0], args[1]))
