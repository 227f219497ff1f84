# SPDX-License-Identifier: BSD-2-Clause
"""The mutation runner itself: on a program so small that the outcome of each mutant is known."""

import contextlib
import dataclasses
import io
import shutil
import tempfile
import unittest
from pathlib import Path

import bench
import mutants
import mutation
import survivors

CMAKE = """
cmake_minimum_required(VERSION 3.22)
project(tiny C)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
add_library(tiny STATIC src/large.c src/rest.c)
add_executable(test-unit-tiny test.c)
target_link_libraries(test-unit-tiny tiny)
add_test(NAME unit.tiny COMMAND test-unit-tiny WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
"""
SOURCES = {
    "early.h": """static inline int tiny_early(int x) {
  return x + 1;
}
""",
    "large.c": """int tiny_large(int x) {
  return x > 10;
}
""",
    "rest.c": """#include "early.h"

int tiny_next(int x) {
  return tiny_early(x);
}

int tiny_negative(int x) {
  return x < 0;
}

int tiny_same(int x) {
  return x * 1;
}

void tiny_wait(const volatile int *done) {
  while (*done == 0) {
  }
}
""",
}
TEST = """
#include "src/early.h"
int tiny_large(int x);
int tiny_next(int x);
int tiny_negative(int x);
int tiny_same(int x);
void tiny_wait(const volatile int *done);
int main(void) {
  const int done = 1;
  tiny_wait(&done);
  return !(tiny_negative(-1) && !tiny_negative(0) && !tiny_negative(1) && tiny_large(99) && !tiny_large(1) &&
           tiny_same(7) == 7 && tiny_next(1) == 2 && tiny_early(1) == 2);
}
"""
LARGE = ("src/large.c", "tiny_large", "return x > 10;")
ROWS = [(*LARGE, f"return x {text};", "accepted", "the test asks far from it") for text in (">= 10", "> 11", "> 9")]


class Texts(unittest.TestCase):
    def texts(self, source, file="a.c"):
        return [m.mutated for m in mutants.of_source(file, source)]

    def test_operators_with_two_operands(self):
        self.assertEqual(self.texts("void f(void) {\n  a = b < c;\n}\n"), ["a = b <= c;", "a = b >= c;"])
        self.assertEqual(self.texts("void f(void) {\n  a += b && c;\n}\n"), ["a -= b && c;", "a += b || c;"])

    def test_a_choice_of_two_that_are_the_same_is_none(self):
        self.assertEqual(self.texts("void f(void) {\n  a = b < c->d ? b : c->d;\n}\n"), ["a = b >= c->d ? b : c->d;"])
        self.assertEqual(self.texts("void f(void) {\n  a = g(b) >= c ? c : g(b);\n}\n"), ["a = g(b) < c ? c : g(b);"])
        self.assertEqual(len(self.texts("void f(void) {\n  a = b > c ? b : d;\n}\n")), 2)

    def test_pointers_addresses_and_members_are_no_operators(self):
        self.assertEqual(self.texts("char *f(char *p) {\n  g(&p, *p, p->q);\n}\n"), [])

    def test_operators_with_one_operand(self):
        self.assertEqual(self.texts("void f(void) {\n  g(!a, i++);\n}\n"), ["g(a, i++);", "g(!a, i--);"])

    def test_constants_keep_base_and_suffix(self):
        self.assertEqual(self.texts("void f(void) {\n  g(0x0fu);\n}\n"), ["g(0x10u);", "g(0xeu);", "g(0x0u);"])
        self.assertEqual(self.texts("void f(void) {\n  g(1, true);\n}\n"), ["g(2, true);", "g(0, true);", "g(1, false);"])

    def test_what_is_returned(self):
        self.assertEqual(self.texts("int f(void) {\n  return g(a);\n}\n"), ["return 0;"])
        self.assertEqual(self.texts("int f(void) {\n  return false;\n}\n"), ["return true;"])

    def test_what_is_left_out(self):
        source = '#define A 1 + \\\n  2\n/* 1 < 2 */\n_Static_assert(1 < 2, "1");\nconst char *a = "1 + 2"; // 3\n'
        self.assertEqual(self.texts(source), [])
        self.assertEqual(self.texts("static const int t[] = {\n    1, 2, 3, 4, 0x5,\n};\n"), [])
        self.assertEqual(self.texts("struct s {\n  int a[7];\n};\n", "a.h"), [])
        self.assertEqual(self.texts("void f(int a[7]) {\n  g(a);\n}\n"), [])

    def test_a_key_does_not_depend_on_the_place(self):
        body = "int f(int x) {\n  return x > 1;\n}\n"
        first, later = mutants.of_source("a.c", body), mutants.of_source("a.c", "int other;\n\n" + body)
        self.assertEqual([(m.id, m.key()) for m in first], [(m.id, m.key()) for m in later])


class Runner(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name).resolve()
        (cls.root / "src").mkdir()
        (cls.root / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
        for name, text in SOURCES.items():
            (cls.root / "src" / name).write_text(text, encoding="utf-8")
        (cls.root / "test.c").write_text(TEST, encoding="utf-8")
        cls.area = bench.Area("tiny", ["src"], "tiny", lambda root: ["unit.tiny"])
        cls.more, bench.CPU_MORE = bench.CPU_MORE, 1

    @classmethod
    def tearDownClass(cls):
        bench.CPU_MORE = cls.more
        cls.folder.cleanup()

    def run_tiny(self, rows, *words, areas=None):
        path = self.root / "build/rows.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join("\t".join(r) for r in [survivors.HEAD, *rows]) + "\n", encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = mutation.main(["--root", str(self.root), "--survivors", str(path), "--seed", "1", "--count", "0",
                                    "--verbose", *words], areas or [self.area])
        return status, out.getvalue()

    def test_all_of_it(self):
        status, text = self.run_tiny(ROWS, "--min", "50")
        self.assertEqual(status, 0, text)
        self.assertIn("3 survived", text)
        self.assertRegex(text, r"equivalent +\w+ src/rest.c:\d+ tiny_same: return x \* 1; +=> +return x / 1;")
        self.assertRegex(text, r"timeout +\w+ src/rest.c:\d+ tiny_wait: while \(\*done == 0\) {  =>  while \(\*done != 0\)")
        self.assertRegex(text, r"killed +\w+ src/rest.c:\d+ tiny_negative: return x < 0; +=> +return x <= 0;")
        for name, source in SOURCES.items():
            self.assertEqual((self.root / "build/mutation/tiny-0/src" / name).read_text(encoding="utf-8"), source)

    def test_a_shared_library(self):
        area = dataclasses.replace(self.area, name="tiny-shared", shared=True)
        status, text = self.run_tiny(ROWS, "--min", "50", areas=[area])
        self.assertEqual(status, 0, text)
        self.assertIn("3 survived", text)
        built = self.root / "build/mutation/tiny-shared-0/build"
        self.assertTrue(list(built.rglob("libtiny.so")))
        self.assertFalse(list(built.rglob("libtiny.a")))
        self.assertRegex(text, r"killed +\w+ src/early.h:\d+ tiny_early")  # before the others, whose test has it too

    def test_some_of_the_tests(self):
        area = dataclasses.replace(self.area, tests=lambda root: ["unit.tiny", "pcap.of-another-tree"])
        status, text = self.run_tiny(ROWS, "--file", "large.c", "--min", "0", "--tests", "unit.", areas=[area])
        self.assertEqual(status, 0, text)
        self.assertIn("3 survived", text)

    def test_a_survivor_that_is_not_listed(self):
        status, text = self.run_tiny(ROWS[1:], "--file", "large.c", "--min", "0")
        self.assertEqual(status, 1)
        self.assertIn("survived, and not in rows.tsv", text)
        self.assertIn("return x >= 10;", text)

    def test_a_row_for_what_is_not_there(self):
        stale = (*LARGE[:2], "return x > 12;", "return x > 13;", "equivalent", "it was")
        status, text = self.run_tiny([*ROWS, stale], "--list")
        self.assertEqual(status, 1)
        self.assertIn("stale, not in the source: src/large.c | tiny_large | return x > 12;", text)

    def test_a_row_for_what_a_test_notices(self):
        noticed = (*LARGE, "return x > 0;", "equivalent", "no")
        status, text = self.run_tiny([*ROWS, noticed], "--file", "large.c", "--min", "0")
        self.assertEqual(status, 1)
        self.assertIn("unit.tiny notices it now", text)

    def test_the_limit(self):
        status, text = self.run_tiny(ROWS, "--file", "large.c")
        self.assertEqual(status, 1)
        self.assertIn("tiny: below 95 %", text)

    def test_equivalent_ones_do_not_count(self):
        rows = [(*r[:4], "equivalent", r[5]) for r in ROWS]
        status, text = self.run_tiny(rows, "--file", "large.c")
        self.assertEqual(status, 0, text)
        self.assertIn("tiny: 100.0% killed", text)

    def test_a_sample_is_the_same_for_the_same_seed(self):
        first = self.run_tiny(ROWS, "--list", "--count", "5")
        self.assertEqual(first, self.run_tiny(ROWS, "--list", "--count", "5"))
        self.assertEqual(len(first[1].splitlines()), 5)

    def test_a_row_of_the_wrong_form(self):
        status, text = self.run_tiny([("src/large.c", "f", "a", "b", "perhaps", "why")], "--list")
        self.assertEqual(status, 1)
        self.assertIn("an unknown kind", text)


class TheList(unittest.TestCase):
    def test_no_row_is_stale(self):
        rows = survivors.Rows(mutation.LIST)
        root = Path(__file__).resolve().parents[3]
        found = [m for area in mutation.AREAS for m in mutation.all_mutants(root, area)]
        self.assertEqual(rows.complaints + rows.stale(found), [])


if __name__ == "__main__":
    if not shutil.which("ninja"):
        print("no ninja")
        raise SystemExit(77)
    unittest.main()
