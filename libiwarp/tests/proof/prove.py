# SPDX-License-Identifier: BSD-2-Clause
"""Runs Frama-C's Eva over the drivers of this folder.

prove.py list                          docs/proof.md against the list of symbols and the drivers
prove.py area FRAMA-C AREA             no alarm, nothing unproved, nothing unreached in prove_AREA.c
prove.py selftest FRAMA-C              the proofs fail where the library or a driver is broken
"""

import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = "docs/proof.md"
SYMBOLS = "libiwarp/libiwarp.symbols"

ROW = re.compile(r"^\| `(\w+)` \| (.+?) \|$", re.MULTILINE)
PROVED = re.compile(r"^proof\.([\w-]+)$")

# Without __GNUC__ the headers carry no attribute on functions, which Eva would take for part of the type returned.
OPTIONS = [
    "-c11", "-machdep", "x86_64", "-main", "prove", "-kernel-verbose", "0",
    # Invalid pointers count even when nothing is read through them.
    "-warn-invalid-pointer", "-warn-signed-downcast", "-warn-right-shift-negative",
    # Every block is an object of its own, of exactly its size.
    "-eva-alloc-builtin", "fresh", "-eva-no-alloc-returns-null",
    "-eva", "-eva-slevel", "1000", "-eva-split-return", "full",
    "-eva-print-callstacks", "-eva-no-show-progress", "-eva-msg-key=-initial-state,-final-states",
]

# What a property may be. Specifications of Frama-C's own C library are taken for granted.
FINE = {"Valid", "Dead", "Considered valid"}

# Statements that stay unreached, and why.
UNREACHED = {
    # Only the portable variant is analysed, and it needs nothing of the processor.
    ("crc32c", "iwarp_crc32c_impl"): 2,
}


def page_rows(root):
    return dict(ROW.findall((root / PAGE).read_text(encoding="utf-8")))


def symbols_of(root):
    return [s for s in (root / SYMBOLS).read_text(encoding="utf-8").split() if s.startswith("iwarp_")]


def area_of(cell):
    match = PROVED.match(cell)
    return match.group(1).replace("-", "_") if match else None


def home_of(root, area):
    """The area whose entry points an area analyses: itself, or the area that it adds to."""
    homes = {area_of(cell) for cell in page_rows(root).values()}
    return area if area in homes else area.rpartition("_")[0]


def check_list(root, areas):
    """The page says of each symbol where it is proved or why not, and names each driver."""
    rows, symbols = page_rows(root), symbols_of(root)
    complaints = [f"{s}: not in {PAGE}" for s in symbols if s not in rows]
    complaints += [f"{s}: in {PAGE}, not in {SYMBOLS}" for s in rows if s not in symbols]
    used = {area_of(cell) for cell in rows.values()} - {None}
    complaints += [f"proof.{a}: in {PAGE}, but there is no prove_{a}.c" for a in sorted(used - areas)]
    page = (root / PAGE).read_text(encoding="utf-8")
    names = {a: "proof." + a.replace("_", "-") for a in areas}
    complaints += [f"{names[a]}: not in {PAGE}" for a in sorted(areas) if f"`{names[a]}`" not in page]
    return complaints


def analyse(frama_c, root, area, out):
    """Runs Eva; returns its output."""
    library = root / "libiwarp"
    proof = library / "tests" / "proof"
    cpp = f"-U__GNUC__ -I{library}/include -I{library}/src -I{proof} -I{proof}/stub"
    driver = proof / f"prove_{area}.c"
    args = [frama_c, *OPTIONS, f"-cpp-extra-args={cpp}", driver,
            "-then", "-report-csv", out, "-then", "-metrics", "-metrics-eva-cover"]
    run = subprocess.run(args, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(run.stdout + run.stderr)
        sys.exit(f"proof.{area}: frama-c ended with {run.returncode}")
    return run.stdout


def functions_of(source):
    """Maps the functions that C source defines to their text; the layout is clang-format's."""
    found = re.finditer(r"^(\w[^\n;]*?(\w+)\((?:[^;{}]*)\)) \{\n(.*?)^\}", source, re.MULTILINE | re.DOTALL)
    return {m.group(2): m.group(1) + "\n" + m.group(3) for m in found}


def jumps(text):
    """How many statements Frama-C adds after the cases of a switch that leave it: one for each value returned."""
    cases = len(re.findall(r"^\s*case \w+:[^\n]* *(?:return\b[^\n]*|break);", text, re.MULTILINE))
    return min(cases, 1) if re.match(r"(?:static )?void ", text) else cases


def check_warnings(output):
    """Each warning is a line with its place, and what it says in the next."""
    lines = output.splitlines() + [""]
    pairs = zip(lines, lines[1:])
    return [f"{line} {after.strip()}" for line, after in pairs if re.search(r"\b(Warning|Error):", line)]


def check_properties(report):
    rows = list(csv.DictReader(report.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    bad = [r for r in rows if r["status"] not in FINE
           or (r["status"] == "Considered valid" and not r["directory"].startswith("FRAMAC_SHARE"))]
    if not rows:
        return ["no property at all"], 0
    return [f"{r['file']}:{r['line']}: {r['function']}: {r['property kind']}: {r['status']}: {r['property']}"
            for r in bad], sum(r["status"] == "Valid" for r in rows)


def check_coverage(output, area, driver, source_functions, entry_points):
    """Every function of the driver and of the library's sources is analysed to its last statement."""
    covered = output.split("Statements analyzed by Eva")[-1]
    counts = re.findall(r"^  (\w+): (\d+) stmts out of (\d+) \(", covered, re.MULTILINE)
    seen = {name: int(total) - int(reached) for name, reached, total in counts}
    complaints = [f"{f}: not analysed" for f in sorted(entry_points) if f not in seen]
    complaints += [f"{f}: of prove_{area}.c, not analysed" for f in functions_of(driver) if f not in seen]
    texts = {**source_functions, **functions_of(driver)}
    if area.endswith("_large"):  # more inputs for functions that another area goes through
        texts = functions_of(driver)
    for function, missing in sorted(seen.items()):
        if function in texts:
            fine = UNREACHED.get((area, function), jumps(texts[function]))
            if missing > fine:
                complaints.append(f"{function}: {missing} statements are not reached, {fine} may be")
    return complaints, sum(f in source_functions for f in seen)


def library_functions(root, area):
    """The functions of the library's .c files. The cursor's functions are those that its headers define, in the
    cursor's own area."""
    suffix = "*/*.h" if area == "cursor" else "*/*.c"
    functions = {}
    for file in sorted((root / "libiwarp" / "src").glob(suffix)):
        functions.update(functions_of(re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)))
    return functions


def check_area(frama_c, root, area):
    """Returns the complaints about one driver and a line about what was seen."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.csv"
        output = analyse(frama_c, root, area, report)
        complaints, valid = check_properties(report)
    complaints += check_warnings(output)
    driver = (root / "libiwarp" / "tests" / "proof" / f"prove_{area}.c").read_text(encoding="utf-8")
    entry_points = {s for s, cell in page_rows(root).items() if area_of(cell) == home_of(root, area)}
    found, num = check_coverage(output, area, driver, library_functions(root, area), entry_points)
    if not re.search(r"^  0 alarms generated", output, re.MULTILINE):
        complaints.append("Eva does not say that there is no alarm")
    seen = f"{num} functions of the library, {len(entry_points)} entry points, {valid} properties valid"
    return complaints + found, seen


# Faults put into a copy of the tree, and what must go red: (area, file below libiwarp, before, after).
FAULTS = [
    ("cursor", "src/base/cursor.h", "if (n > r->left) {", "if (n > r->left + 1) {"),
    ("cursor", "src/base/cursor.h", "n > w->cap - at", "n > w->cap - at + 1"),
    ("cursor", "src/base/span.h", "n <= s.len - off", "n <= s.len - off + 1"),
    ("mpa", "src/mpa/startup.c", "if (in.len < IWARP_MPA_KEY_LEN) {", "if (in.len < IWARP_MPA_KEY_LEN - 1) {"),
    ("fpdu", "src/mpa/fpdu.c", "rd_front(&pad, out->pad, layout.pad);", "rd_front(&pad, out->pad, layout.pad + 1u);"),
    ("mpa", "src/mpa/startup.c", "rd_array(&fixed, v.key);", "rd_front(&fixed, v.key, sizeof v.key + 1);"),
    ("rdmap", "src/rdmap/ops.c", "opcode & IWARP_RDMAP_CTRL_OPCODE];", "opcode];"),
    ("ddp", "tests/proof/prove_ddp.c", "  iwarp_ddp_hdr_peek(&v, in);\n  ddp_sum(&v);", "  ddp_sum(&v);"),
    ("ddp", "tests/proof/prove_ddp.c", "  proof_inputs(ddp_get);\n", ""),
    ("ddp", "src/ddp/hdr.c", "v.rsvdulp = rd_u8(hdr);", "if (v.dv > 3) {\n    v.rsvdulp = rd_u8(hdr);\n  }"),
]


def broken(frama_c, area, file, before, after):
    """True if the proof of an area fails when a file is changed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("libiwarp", "docs"):
            shutil.copytree(ROOT / name, root / name)
        path = root / "libiwarp" / file
        text = path.read_text(encoding="utf-8")
        if before not in text:
            sys.exit(f"{file} does not hold: {before}")
        path.write_text(text.replace(before, after, 1), encoding="utf-8")
        complaints, _ = check_area(frama_c, root, area)
    print(f"proof.{area} with a fault in {file}: {complaints[0] if complaints else 'NOT SEEN'}")
    return bool(complaints)


def finish(name, complaints, seen):
    for complaint in complaints:
        print(complaint)
    print(f"proof.{name}: {seen}: {len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "list":
        all_areas = {f.stem.removeprefix("prove_") for f in HERE.glob("prove_*.c")}
        finish("list", check_list(ROOT, all_areas), f"{len(symbols_of(ROOT))} symbols, {len(all_areas)} areas")
    elif command == "area":
        finish(words[1], *check_area(words[0], ROOT, words[1]))
    else:
        missed = [f"{fault[1]}: {fault[3]}: not seen" for fault in FAULTS if not broken(words[0], *fault)]
        finish("selftest", missed, f"{len(FAULTS)} faults")
