#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""local_fuzz: a campaign in tasks on one machine, with a program in the place of a libFuzzer target; and the simulation of an
archive.   local_fuzz.py"""

import contextlib
import hashlib
import io
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import fuzz
import simulate

# Writes two inputs, one for all seeds and one of its own, and what it has read of the corpus; -merge=1 keeps inputs of one octet.
TARGET = """#!/bin/sh
for word; do
  case $word in
    -seed=*) seed=${word#-seed=} ;;
    -artifact_prefix=*) findings=${word#-artifact_prefix=} ;;
    -merge=1) merge=1 ;;
    -*) ;;
    *) [ -n "${mine-}" ] || mine=$word; corpus=$word ;;
  esac
done
if [ -n "${merge-}" ]; then
  find "$corpus" -size -2c -type f -exec cp {} "$mine" ';'
  exit 0
fi
printf a >"$mine/any"
printf 'seed %s' "$seed" >"$mine/other"
[ ! -e "$0.crash" ] || { printf x >"${findings}crash-1"; exit 77; }
[ ! -e "$0.dies" ] || kill -9 $$
"""


class Campaign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.shared = folder.name, os.path.join(folder.name, "shared")
        self.program = os.path.join(folder.name, "target")
        with open(self.program, "w", encoding="ascii") as out:
            out.write(TARGET)
        os.chmod(self.program, 0o755)

    def fuzz(self, *words, status=0):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            self.assertEqual(fuzz.main(list(words)), status, text.getvalue())
        return text.getvalue()

    def plan(self, *words, status=0):
        return self.fuzz("plan", self.shared, self.program, *words, status=status)

    def inputs(self, folder="corpus"):
        found = {}
        for name in os.listdir(os.path.join(self.shared, folder)):
            found[name] = fuzz.read(os.path.join(self.shared, folder, name))
        return found

    def test_tasks_share_their_inputs_under_names_of_their_octets(self):
        os.mkdir(os.path.join(self.folder, "given"))
        shutil.copy(self.program, os.path.join(self.folder, "given", "one"))
        self.assertIn("1 inputs", self.plan("2", "--runs", "8", "--rounds", "2", "--seed", "5", os.path.join(self.folder, "given")))
        self.fuzz("task", self.shared, "1")
        self.assertIn("tasks that have not ended: 0;", self.fuzz("merge", self.shared, status=1))
        self.fuzz("task", self.shared, "0")
        self.fuzz("task", self.shared, "0")  # has ended
        self.assertEqual(sorted(self.inputs().values())[1:], [b"a", b"seed 5", b"seed 6", b"seed 7", b"seed 8"])
        for name, octets in self.inputs().items():
            self.assertEqual(name, hashlib.sha1(octets).hexdigest())
        self.assertEqual(os.listdir(os.path.join(self.shared, "new")), [])
        self.assertIn("6 inputs, 1 of them", self.fuzz("merge", self.shared))
        self.assertEqual(list(self.inputs("minimized").values()), [b"a"])
        self.plan("2", "--runs", "8", status=2)

    def test_findings_are_kept_and_fail_the_merge(self):
        self.plan("1", "--runs", "1", "--rounds", "1")
        with open(self.program + ".crash", "wb"):
            pass
        self.fuzz("task", self.shared, "0")
        self.assertEqual(self.inputs("findings"), {"crash-1": b"x"})
        self.assertIn("found: ", self.fuzz("merge", self.shared, status=1))

    def test_a_target_that_is_killed_has_not_ended(self):
        self.plan("1", "--seconds", "1", "--rounds", "1")
        with open(self.program + ".dies", "wb"):
            pass
        self.assertIn("ended with status -9", self.fuzz("task", self.shared, "0", status=2))
        self.assertEqual(self.inputs("done"), {})
        os.unlink(self.program + ".dies")
        self.fuzz("local", self.shared)
        self.assertEqual(list(self.inputs("done")), ["0"])

    def test_what_is_not_asked_right(self):
        for words in (["0", "--runs", "1"], ["1"], ["1", "--runs", "1", "--seconds", "1"], ["1", "--runs", "x"], ["x", "--runs", "1"]):
            self.plan(*words, status=2)
        self.fuzz("task", self.shared, "0", status=2)


class Simulation(unittest.TestCase):
    def both(self, **changed):
        v = {**simulate.DEFAULTS, "total": 1e14, "capture": 8e9, "slow": 0, "fails": 0, **changed}
        return simulate.simulate(v)[0], simulate.formula(v)[0]

    def test_the_formula_is_near(self):
        for changed in ({}, {"processors": 10}, {"storage": 1e9}, {"storage": 1e12}, {"part": 4e9}, {"slow": 0.02, "fails": 0.01},
                        {"capture": 5e12, "split": 64e9, "total": 5e12, "processors": 20}):
            simulated, formula = self.both(**changed)
            self.assertLess(abs(simulated / formula - 1), 0.35, changed)

    def test_one_processor_reads_everything_one_after_the_other(self):
        simulated, _ = self.both(total=1e12, processors=1, start=0, storage=1e12)
        self.assertAlmostEqual(simulated * simulate.DEFAULTS["rate"], 1e12, delta=1e6)

    def test_the_file_system_is_a_limit_for_all(self):
        simulated, _ = self.both(total=1e13, storage=1e9, start=0)
        self.assertAlmostEqual(simulated, 1e4, delta=1)

    def test_a_slow_machine_is_waited_for(self):
        fast = self.both(total=64e12, processors=1000, storage=1e15, start=0)[0]
        slow = self.both(total=64e12, processors=1000, storage=1e15, start=0, slow=0.02, slower=3)[0]
        self.assertAlmostEqual(slow, 3 * fast, delta=fast / 100)


if __name__ == "__main__":
    unittest.main()
