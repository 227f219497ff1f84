# SPDX-License-Identifier: BSD-2-Clause
"""What reach.py makes of what the programs print."""

import tempfile
import unittest
from pathlib import Path

import reach


class Reach(unittest.TestCase):
    def test_a_point_is_reached_by_the_first_target_that_does(self):
        found = {"rx": [("a", ""), ("b", "rx/1")], "pair": [("a", "pair/2"), ("b", "pair/3")], "calls": [("c", "")]}
        self.assertEqual(reach.merge(found), {"a": ("pair", "pair/2"), "b": ("rx", "rx/1"), "c": None})

    def test_what_is_not_reached_is_named(self):
        self.assertEqual(list(reach.complaints({"a": None, "b": ("rx", "1")}, {})), ["not reached: a"])

    def test_an_exception_that_is_none_is_named(self):
        self.assertEqual(list(reach.complaints({"a": None}, {"a": "why"})), [])
        self.assertIn("a is reached by 1", next(reach.complaints({"a": ("rx", "1")}, {"a": "why"})))
        self.assertIn("there is no point z", next(reach.complaints({}, {"z": "why"})))

    def test_lines_that_are_no_points_are_left_out(self):
        with tempfile.TemporaryDirectory() as place:
            program = Path(place, "reach-x")
            program.write_text("#!/bin/sh\nprintf 'point\\tinput\\nnote\\nother\\t\\n'\n", encoding="utf-8")
            program.chmod(0o755)
            self.assertEqual(reach.printed(program, []), [("point", "input"), ("other", "")])

    def test_every_exception_says_why(self):
        self.assertTrue(all(reach.waived().values()))


if __name__ == "__main__":
    unittest.main()
