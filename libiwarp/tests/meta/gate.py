# SPDX-License-Identifier: BSD-2-Clause
"""The gate finds what it is there for: each stage of .ci/run turns red by a defect of its kind.

gate.py                              each defect fits the source, and each stage has one
gate.py --plant [--in TREE] [STAGE...]   plants the defects of the stages, one after the other, in a copy of the tree, and runs
                                     the stage; --in: in that tree, so that its builds are used, and takes them out again

Of a run with a defect the output must show what was planted. A defect of several changes is planted at once, and each change
must be shown.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

import tree

ROOT = tree.source_root()
WITHOUT = {"packages"}  # a stage that looks at nothing


@dataclass(frozen=True)
class Change:
    """Text that a file holds once, its replacement, and how the stage reports the change."""
    file: str
    old: str
    new: str
    shows: str


@dataclass(frozen=True)
class Defect:
    stage: str
    what: str
    changes: tuple


MARKER, TERM, PORTABLE = (f"libiwarp/src/{name}" for name in ("mpa/marker.c", "rdmap/term.c", "crc32c/portable.c"))
WORD = "return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];"
PUT = "conformance/cli/jobs_share.c"
DEFECTS = [
    Defect("test", "a warning of gcc", (
        Change(MARKER, "#define MPA_MARKER_EMSS_TOP 65536u", "static int unused;\n#define MPA_MARKER_EMSS_TOP 65536u", r"-Werror=unused-variable"),)),
    Defect("test", "a wrong flag, a file that is not formatted, a field that the plugin leaves out", (
        Change(TERM, "v.m = (hdrct & RDMAP_TERM_M) != 0;", "v.m = (hdrct & RDMAP_TERM_D) != 0;", r"blackbox\.dump-made .*\*\*\*Failed"),
        Change(MARKER, "#define MPA_MARKER_EMSS_TOP 65536u", "#define MPA_MARKER_EMSS_TOP   65536u", r"meta\.format .*\*\*\*Failed"),
        Change("dissector/rules_expert.c", "add_string_format(tree, hf_iwarp.rule, ", "add_string_format(tree, hf_iwarp.rule_message, ", r"dissector\.defects .*\*\*\*Failed"))),
    Defect("test", "a protection that is left out", (
        Change("libiwarp/cmake/IwarpHarden.cmake", "    -fstack-protector-strong ", "    # ", r"compiled without -fstack-protector-strong"),)),
    Defect("asan", "a string one octet longer than its memory", (
        Change("conformance/confine/plan.c", "? malloc(len) : NULL", "? malloc(len - 1) : NULL", r"heap-buffer-overflow"),)),
    Defect("asan", "a shift into the sign", (
        Change(PORTABLE, WORD, WORD.replace("(uint32_t)p[3]", "(uint32_t)((int)p[3]").replace("<< 24", "<< 24)"), r"runtime error: left shift"),)),
    Defect("wasm", "a filter that is refused without the reason", (
        Change("conformance/platform/wasi/pcap.c", "this build has no libpcap, which filters need", "this build has none", r"FAILED: what the system lacks is said"),)),
    Defect("fuzz", "bits that are decoded and lost", (
        Change(TERM, "v.reserved = hdrct & RDMAP_TERM_RESERVED;", "v.reserved = 0;", r"fuzz\.c:\d+: rdmap_term: octet"),)),
    Defect("msan", "a member that is not initialised", (
        Change(TERM, "  iwarp_rdmap_term v = {0};\n", "  iwarp_rdmap_term v;\n", r"use-of-uninitialized-value"),)),
    Defect("tsan", "a queue of several threads without its lock", (
        Change(PUT, "  pthread_mutex_lock(&s->lock);\n", "", r"threads\.jobs\S* .*\*\*\*Failed"),
        Change(PUT, "  pthread_mutex_unlock(&s->lock);\n", "", r"threads\.jobs\S* .*\*\*\*Failed"))),
    Defect("i686", "a length of 64 bits in a size_t", (
        Change("libiwarp/src/crc32c/combine.c", "for (uint64_t n = len_b;", "for (size_t n = (size_t)len_b;", r"crc32c.*\*\*\*Failed"),)),
    Defect("s390x", "a little-endian word read as one of the machine", (
        Change(PORTABLE, WORD, "uint32_t word;\n  memcpy(&word, p, sizeof word);\n  return word;", r"crc32c.*\*\*\*Failed"),)),
    Defect("aarch64", "a wrong constant of the CRC instructions", (
        Change("libiwarp/src/crc32c/arm64.c", "iwarpi_crc32c_words[2 * words]", "iwarpi_crc32c_words[2 * words - 1]", r"crc32c.*\*\*\*Failed"),)),
    Defect("coverage", "a warning of gcc in a test", (
        Change("libiwarp/tests/unit/check_rdmap_term.c", "int main(void) {\n", "int main(void) {\n  int unused;\n", r"-Werror=unused-variable"),)),
    Defect("coverage", "a wrong flag, a branch that no test takes", (
        Change(TERM, "v.m = (hdrct & RDMAP_TERM_M) != 0;", "v.m = (hdrct & RDMAP_TERM_D) != 0;", r"unit\.rdmap-term .*\*\*\*Failed"),
        Change(MARKER, "  if (!markers) {\n", "  if (off == UINT64_C(0x123456789ABCDEF0)) {\n    v.pad = 0;\n  }\n  if (!markers) {\n", r"failed minimum"),)),
    Defect("mcdc", "a condition that no test decides", (
        Change(MARKER, "  if (!markers) {\n", "  if (!markers || off == UINT64_C(0x123456789ABCDEF0)) {\n",
               r"mpa/marker\.c:\d+: iwarp_mpa_layout_of: no pair of tests for `off == "),)),
]


def stages(root=ROOT):
    """The names of .ci/run --list."""
    done = subprocess.run([root / ".ci" / "run", "--list"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines()]


def plant(root, defect):
    """Changes the files; returns what they held."""
    before = {}
    for change in defect.changes:
        path = root / change.file
        text = path.read_text(encoding="utf-8")
        if text.count(change.old) != 1:
            raise ValueError(f"{defect.stage}: {change.file} has {text.count(change.old)} times: {change.old}")
        before.setdefault(path, text)
        path.write_text(text.replace(change.old, change.new), encoding="utf-8")
    return before


def restore(before):
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")


def found(root, defect):
    """Runs the stage with the defect; returns what it should have shown and did not, and how it ended."""
    before = plant(root, defect)
    begin = time.monotonic()
    try:
        done = subprocess.run([".ci/run", "--here", defect.stage], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
    finally:
        restore(before)
    left = ["a failure"] if done.returncode == 0 else []
    left += [change.shows for change in defect.changes if not re.search(change.shows, done.stdout)]
    head = (done.stdout.splitlines() or [""])[0]
    print(f"{'GREEN' if left else 'red  '} {time.monotonic() - begin:5.0f} s  {defect.stage}: {defect.what}: {head}", flush=True)
    if left:
        print(f"  not shown: {', '.join(left)}\n" + done.stdout, flush=True)
    return left


def plant_all(names, place):
    """Returns True if each defect was found."""
    unknown = set(names) - {defect.stage for defect in DEFECTS}
    if unknown:
        sys.exit(f"no defect of the stage {', '.join(sorted(unknown))}")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        if place is None:
            place = Path(folder)
            for file in tree.files(ROOT):
                (place / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, place / file)
        for defect in DEFECTS:
            if not names or defect.stage in names:
                missed += bool(found(place, defect))
    print(f"{missed} defects were not found" if missed else "all defects were found")
    return not missed


class Gate(unittest.TestCase):
    def test_each_defect_fits_the_source(self):
        for defect in DEFECTS:
            with tempfile.TemporaryDirectory() as folder:
                for change in defect.changes:
                    path = Path(folder) / change.file
                    path.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / change.file, path)
                before = plant(Path(folder), defect)
                self.assertTrue(all(path.read_text(encoding="utf-8") != text for path, text in before.items()), defect.what)
                restore(before)

    def test_each_stage_has_a_defect(self):
        self.assertEqual(set(stages()) - WITHOUT, {defect.stage for defect in DEFECTS})


if __name__ == "__main__":
    if "--plant" in sys.argv:
        parser = argparse.ArgumentParser(description="plant defects and run the stages of the gate that must find them")
        parser.add_argument("--plant", action="store_true", required=True)
        parser.add_argument("--in", dest="place", type=Path)
        parser.add_argument("stage", nargs="*")
        options = parser.parse_args()
        sys.exit(0 if plant_all(options.stage, options.place) else 1)
    unittest.main()
