# SPDX-License-Identifier: BSD-2-Clause
"""Runs Frama-C's WP over the contracts of the cursor, contracts_cursor.c.

contracts.py check FRAMA-C       every function of the cursor has a contract, and every goal of it is proved
contracts.py selftest FRAMA-C    goals stay open where the cursor or a contract is broken
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from prove import ROOT, check_warnings, finish, functions_of

CURSOR = "libiwarp/src/base/cursor.h"
CONTRACTS = "libiwarp/tests/proof/contracts_cursor.c"

# The provers, and the Debian packages that hold them and what calls them.
PROVERS = {"z3": "z3", "cvc4": "cvc4"}
TOOLS = {"why3": "why3", **PROVERS}

SKIPPED = 77
GOAL_S = 600  # ends a prover that hangs; each goal that can be proved takes less than a second
FAULT_S = 10  # goals of broken code stay open

OPTIONS = [
    "-c11", "-machdep", "x86_64", "-kernel-verbose", "0", "-warn-signed-downcast", "-warn-right-shift-negative",
    "-wp", "-wp-rte", "-wp-prover", ",".join(PROVERS), "-wp-par", "2",
    # The stubs of the C library and pointers returned are as exact as they have to be.
    "-wp-warn-key", "pedantic-assigns=inactive",
]


def skip_where_missing(frama_c):
    """Ends the program with the reason where there is no Frama-C, or no prover."""
    missing = [] if shutil.which(frama_c) else ["frama-c-base"]
    missing += [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if missing:
        print(f"skipped: contracts are not proved without the packages of Debian 12: {' '.join(missing)}")
        sys.exit(SKIPPED)


def run(frama_c, root, seconds, functions):
    """Runs WP; returns its output. Without functions it proves all of them."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "why3.conf"
        env = {**os.environ, "WHY3CONFIG": str(config)}
        subprocess.run(["why3", "-C", config, "config", "detect"], env=env, check=True, capture_output=True)
        library = root / "libiwarp"
        args = [frama_c, *OPTIONS, "-wp-timeout", str(seconds), *(["-wp-fct", ",".join(functions)] if functions else []),
                f"-cpp-extra-args=-U__GNUC__ -I{library}/include -I{library}/src", root / CONTRACTS]
        result = subprocess.run(args, env=env, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"proof.contracts: frama-c ended with {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def contracted(text):
    """The functions that a declaration right after a contract names."""
    return set(re.findall(r"\*/\nstatic inline [^;{]*?\b(\w+)\([^;{]*\);", text))


def check(frama_c, root, seconds=GOAL_S, functions=()):
    """Returns the complaints, and a line about what was proved."""
    cursor = set(functions_of((root / CURSOR).read_text(encoding="utf-8")))
    named = contracted((root / CONTRACTS).read_text(encoding="utf-8"))
    output = run(frama_c, root, seconds, functions)
    complaints = [f"{f}: of {CURSOR}, has no contract" for f in sorted(cursor - named)]
    complaints += [f"{goal}: not proved" for goal in re.findall(r"^\[wp\] \[(?!Qed|Z3|CVC4)\S+\] Goal (\S+)", output, re.MULTILINE)]
    complaints += check_warnings(output)
    counts = re.search(r"^\[wp\] Proved goals: +(\d+) / (\d+)", output, re.MULTILINE)
    if counts is None or counts.group(1) != counts.group(2) or int(counts.group(2)) < len(functions or cursor):
        complaints.append("WP does not say that every goal is proved")
    return complaints, f"{len(cursor)} functions, goals proved: {' of '.join(counts.groups()) if counts else 'none'}"


# Faults put into a copy of the tree: (function whose goals must stay open, file, before, after).
FAULTS = [
    ("rd_take", CURSOR, "if (n > r->left) {", "if (n > r->left + 1) {"),
    ("rd_take", CURSOR, "r->used += n;", "r->used += 1;"),
    ("rd_u16", CURSOR, "(uint32_t)q[0] << 8 | q[1]", "(uint32_t)q[1] << 8 | q[0]"),
    ("rd_octets", CURSOR, "memcpy(dst, q, n);", "memcpy(dst, q, n - 1);"),
    ("wr_take", CURSOR, "n > w->cap - at", "n > w->cap - at + 1"),
    ("wr_u16", CURSOR, "q[1] = (uint8_t)(v & 0xFF);", ""),
    ("wr_span", CURSOR, "memcpy(q, v.ptr, v.len);", "memcpy(q, v.ptr, v.len + 1);"),
    ("rd_u8", CONTRACTS, "ensures \\result == \\old(r->p[0])", "ensures \\result == \\old(r->p[0]) + 1"),
    ("wr_take", CONTRACTS, "n <= w->cap - w->len;", "n < w->cap - w->len;"),
]


def broken(frama_c, function, file, before, after):
    """True if a goal of the function stays open when a file is changed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(ROOT / "libiwarp", root / "libiwarp")
        text = (root / file).read_text(encoding="utf-8")
        if before not in text:
            sys.exit(f"{file} does not hold: {before}")
        (root / file).write_text(text.replace(before, after, 1), encoding="utf-8")
        complaints, _ = check(frama_c, root, FAULT_S, [function])
    print(f"{function} with a fault in {file}: {complaints[0] if complaints else 'NOT SEEN'}")
    return bool(complaints)


if __name__ == "__main__":
    command, tool = sys.argv[1:]
    skip_where_missing(tool)
    if command == "check":
        finish("contracts", *check(tool, ROOT))
    missed = [f"{fault[1]}: {fault[3]}: not seen" for fault in FAULTS if not broken(tool, *fault)]
    finish("contracts-selftest", missed, f"{len(FAULTS)} faults")
