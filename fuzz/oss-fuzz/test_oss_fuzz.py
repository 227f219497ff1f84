# SPDX-License-Identifier: BSD-2-Clause
"""build.sh does what OSS-Fuzz asks for, as far as that can be tried without its service: test_oss_fuzz.py [CLANG]

Every target has its corpus, dictionary and options, finds its libraries beside it, and runs.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLANG = "clang"


def targets():
    return sorted("fuzz-" + p.stem.removeprefix("fuzz_").replace("_", "-") for p in (ROOT / "fuzz/targets").glob("fuzz_*.c"))


class OssFuzz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.place = Path(place.name)
        (cls.place / "src").mkdir()
        (cls.place / "src/libiwarp").symlink_to(ROOT)
        cls.out = cls.place / "out"
        environment = {**os.environ, "SRC": str(cls.place / "src"), "OUT": str(cls.out), "WORK": str(cls.place / "work"),
                       "CC": CLANG, "CXX": CLANG + "++", "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
                       "CFLAGS": "-O1 -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link",
                       "CXXFLAGS": "-O1 -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link"}
        (cls.place / "work").mkdir()
        done = subprocess.run([ROOT / "fuzz/oss-fuzz/build.sh"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout[-4000:])

    def test_every_target_has_what_belongs_to_it(self):
        for name in targets():
            for file in (name, f"{name}.dict", f"{name}.options", f"{name}_seed_corpus.zip"):
                self.assertTrue((self.out / file).is_file(), file)
            with zipfile.ZipFile(self.out / f"{name}_seed_corpus.zip") as seeds:
                self.assertTrue(seeds.namelist(), name)
                self.assertFalse([n for n in seeds.namelist() if "/" in n], name)
            self.assertIn(f"dict = {name}.dict", (self.out / f"{name}.options").read_text(encoding="utf-8"))

    def test_nothing_else_is_taken_for_a_target(self):
        programs = {p.name for p in self.out.iterdir() if p.is_file() and os.access(p, os.X_OK)}
        self.assertEqual(programs, set(targets()))

    def test_libraries_are_found_beside_the_targets(self):
        shown = subprocess.run(["ldd", self.out / "fuzz-capture"], capture_output=True, text=True, check=True).stdout
        found = re.search(r"libpcap\S* => (\S+)", shown)
        self.assertIsNotNone(found, shown)
        self.assertEqual(Path(found.group(1)).parent.resolve(), (self.out / "lib").resolve())

    def test_every_target_runs_its_corpus_with_its_dictionary(self):
        for name in targets():
            with tempfile.TemporaryDirectory() as place:
                corpus = Path(place, "corpus")
                with zipfile.ZipFile(self.out / f"{name}_seed_corpus.zip") as seeds:
                    seeds.extractall(corpus)
                done = subprocess.run([self.out / name, f"-dict={self.out / name}.dict", "-runs=300", "-max_len=8192",
                                       f"-artifact_prefix={place}/", corpus], capture_output=True, text=True, errors="replace",
                                      check=False, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
                self.assertEqual(done.returncode, 0, f"{name}: {done.stderr[-2000:]}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        CLANG = sys.argv[1]
    if not shutil.which(CLANG):
        print(f"skipped: there is no {CLANG}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
