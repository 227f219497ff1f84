# SPDX-License-Identifier: BSD-2-Clause
"""The planted defects fit the source, and one that does not is refused loudly."""

import tempfile
import unittest
from pathlib import Path

import planted

SOURCE = "int f(int x) {\n  return x < 3;\n}\n\nint g(int x) {\n  return x < 3;\n}\n"
PATCH = "what: one too many\ntargets: rx\n--- a.c\n int f(int x) {\n-  return x < 3;\n+  return x <= 3;\n"


class Planted(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        self.write("a.c", SOURCE)

    def write(self, name, text):
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        return path

    def defect(self, text):
        return planted.read(self.write("01-some.patch", text))

    def source(self):
        return (self.root / "a.c").read_text(encoding="utf-8")

    def test_all_of_the_tree_fit(self):
        self.assertEqual(list(planted.complaints()), [])

    def test_there_are_at_least_twenty_in_all_three_parts(self):
        found = planted.defects()
        self.assertGreaterEqual(len(found), 20)
        files = " ".join(c.path for d in found for c in d.changes)
        for part in ("libiwarp/src/mpa/", "libiwarp/src/endpoint/", "conformance/rules/", "conformance/ingest/"):
            self.assertIn(part, files)

    def test_a_defect_is_planted_and_taken_out(self):
        before = planted.plant(self.root, self.defect(PATCH))
        self.assertEqual(self.source(), SOURCE.replace("x < 3", "x <= 3", 1))
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")
        self.assertEqual(self.source(), SOURCE)

    def test_lines_that_moved_still_fit(self):
        self.write("a.c", "\n\n/* more */\n" + SOURCE)
        planted.plant(self.root, self.defect(PATCH))
        self.assertIn("x <= 3", self.source())

    def test_what_fits_nowhere_or_twice_is_refused_and_changes_nothing(self):
        for text in (PATCH.replace(" int f(int x) {\n", ""), PATCH.replace("x < 3", "x < 4"),
                     PATCH.replace("--- a.c", "--- b.c"), PATCH + "--- a.c\n-nothing\n+else\n"):
            with self.assertRaises(planted.PatchError):
                planted.plant(self.root, self.defect(text))
            self.assertEqual(self.source(), SOURCE)

    def test_a_part_of_a_line_is_no_line(self):
        with self.assertRaises(planted.PatchError):
            planted.plant(self.root, self.defect("what: w\ntargets: rx\n--- a.c\n-int f(int x)\n+int h(int x)\n"))

    def test_what_is_no_patch_is_refused(self):
        for text in ("", "what: w\n", "what: w\ntargets: rx\n", "what: w\ntargets: rx\n--- a.c\n same\n",
                     "what: w\ntargets: rx\nrubbish\n", PATCH + "@@ -1 +1 @@\n"):
            with self.assertRaises(planted.PatchError, msg=text):
                self.defect(text)

    def test_complaints_name_the_file(self):
        (self.root / "fuzz/targets").mkdir(parents=True)
        self.write("01-some.patch", PATCH)
        self.write("02-other.patch", PATCH.replace("x < 3", "x < 9"))
        found = list(planted.complaints(self.root, self.root))
        self.assertEqual(len(found), 2)
        self.assertIn("01-some.patch: there is no target rx", found[0])
        self.assertIn("02-other.patch: a.c: the lines to change stand there 0 times", found[1])

    def test_the_search_in_the_middle_counts(self):
        looks = [planted.Look(f, n, 1.0, 0) for f, n in ((True, 50), (False, 10), (True, 900))]
        self.assertEqual(planted.middle(looks).executions, 900)
        self.assertEqual(planted.middle(looks[:2]).executions, 50)

    def test_the_table_says_what_was_not_found(self):
        row = {"what": "w", "seeds": 2, "searches": [
            {"target": "rx", "mutator": True, "found": 1, "of": 1, "executions": 1200, "cpu_s": 3.0},
            {"target": "rx", "mutator": False, "found": 0, "of": 1, "executions": 200000, "cpu_s": 90.0}]}
        self.assertEqual(list(planted.markdown([row]))[-1], "| w | 2 | 1,200, 3 s, `rx` | not in 200,000, 90 s |")


if __name__ == "__main__":
    unittest.main()
