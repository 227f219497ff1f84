#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""local: an archive that is checked in parts on one machine gives the result of one run.   local.py TOOL PCAPS"""

import contextlib
import gzip
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, CLUSTER)
import archive

TOOL, PCAPS = "", ""


def make_archive(folder, pcaps):
    """Captures in three folders: names that are there twice, a compressed one, a large one, and a file of another kind."""
    siw = os.path.join(pcaps, "real", "siw")
    names = sorted(name for name in os.listdir(siw) if name.endswith(".pcap") and os.path.getsize(os.path.join(siw, name)) < 20000)
    for number, name in enumerate(names[:6]):
        for day in ("mon", "tue")[:1 + number % 2]:
            os.makedirs(os.path.join(folder, day), exist_ok=True)
            shutil.copy(os.path.join(siw, name), os.path.join(folder, day, name))
    os.makedirs(os.path.join(folder, "wed"))
    large = min((n for n in os.listdir(siw) if n.endswith(".pcap") and os.path.getsize(os.path.join(siw, n)) > 100000),
                key=lambda n: os.path.getsize(os.path.join(siw, n)))
    shutil.copy(os.path.join(siw, large), os.path.join(folder, "wed", "large.pcap"))
    with open(os.path.join(siw, names[0]), "rb") as stream, gzip.open(os.path.join(folder, "tue", "packed.pcap.gz"), "wb") as out:
        out.write(stream.read())
    with open(os.path.join(folder, "notes.txt"), "w", encoding="ascii") as out:
        out.write("no capture\n")


def single_run(tool, folder, options=()):
    """The status and the lines of one run over all captures, without the first line, which names the command."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        paths = archive.captures_in(["."])[0]
    finally:
        os.chdir(here)
    done = subprocess.run([tool, "check", "-T", "jsonl", *options, "--", *paths], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout.partition(b"\n")[2]


def read(*names):
    with open(os.path.join(*names), "rb") as stream:
        return stream.read()


class Parts(unittest.TestCase):
    """The plan alone."""

    def test_parts_tile_the_captures(self):
        chance = random.Random(1)
        for _ in range(300):
            sizes = [chance.choice((0, 1, 50, 99, 100, 101, 250, 1000)) for _ in range(chance.randrange(1, 40))]
            parts = archive.parts_of(sizes, 100, 240)
            next_, shard = 0, 0
            for first, last, index, of, octets in parts:
                self.assertEqual((first, index), (next_, shard))
                self.assertEqual(octets, sum(sizes[first:last + 1]))
                self.assertTrue(of == 1 or (first == last and of == -(-sizes[first] // 240)))
                self.assertTrue(first == last or all(size <= 240 for size in sizes[first:last + 1]))
                self.assertLess(sum(sizes[first:last]), 100)
                shard = (index + 1) % of
                next_ = last + 1 if shard == 0 else next_
            self.assertEqual((next_, shard), (len(sizes), 0))

    def test_tasks_have_each_part_once_and_like_loads(self):
        chance = random.Random(2)
        for tasks in (1, 3, 7, 100):
            parts = [(n, n, 0, 1, chance.randrange(1000)) for n in range(60)]
            deal = archive.dealt(parts, tasks)
            self.assertEqual(sorted(n for numbers in deal for n in numbers), list(range(60)))
            loads = [sum(parts[n][4] for n in numbers) for numbers in deal]
            self.assertLessEqual(max(loads) - min(loads), 1000)
            self.assertLessEqual(len(deal), tasks)

    def test_ranges_of_slurm(self):
        self.assertEqual(archive.ranges([7, 0, 2, 1, 9]), "0-2,7,9")
        self.assertEqual(archive.ranges([]), "")

    def test_sizes(self):
        self.assertEqual([archive.size_of(t) for t in ("1", "2k", "3M", "1G", "1T")], [1, 2048, 3 << 20, 1 << 30, 1 << 40])
        for text in ("", "0", "-1", "G", "1.5G", "1X"):
            with self.assertRaises(archive.Refused):
                archive.size_of(text)


class Local(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "archive")
        self.work = os.path.join(folder.name, "work")
        make_archive(self.folder, PCAPS)

    def archive(self, *words, status=0):
        """Does what archive.py does; returns what it printed."""
        text = io.StringIO()
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                self.assertEqual(archive.main(list(words)), status, text.getvalue())
        finally:
            os.chdir(here)
        return text.getvalue()

    def plan(self, *words, tool=None):
        return self.archive("plan", self.work, "--part", "30k", "--split", "60k", "--tasks", "5", "--iwarp", tool or TOOL, ".", *words)

    def tool_that(self, text):
        """A program in the place of iwarp."""
        path = os.path.join(os.path.dirname(self.work), "tool")
        with open(path, "w", encoding="ascii") as out:
            out.write("#!/bin/sh\n%s\n" % text)
        os.chmod(path, 0o755)
        return path

    def results(self):
        return sorted(os.listdir(os.path.join(self.work, "results")))

    def assert_is_single_run(self, *options):
        status, lines = single_run(TOOL, self.folder, options)
        self.assertEqual(read(self.work, "result.jsonl").partition(b"\n")[2], lines)
        self.assertEqual(int(read(self.work, "result.status")), status)

    def test_all_parts_are_the_single_run(self):
        text = self.plan("--", "--require-decided")
        self.assertIn("11 captures", text)
        self.assertIn("1 files are not captures by their names", text)
        plan = archive.Plan(self.work)
        self.assertTrue(any(of > 1 for _, _, _, of, _ in plan.parts), "none is cut into shards")
        self.assertTrue(any(last > first for first, last, _, _, _ in plan.parts), "none has several captures")
        self.archive("local", self.work, "2")
        self.assert_is_single_run("--require-decided")
        self.archive("plan", self.work, ".", status=2)

    def test_a_missing_result_is_named_and_made_again(self):
        self.plan()
        self.archive("local", self.work)
        before = {name: os.stat(os.path.join(self.work, "results", name)).st_ino for name in self.results()}
        os.unlink(os.path.join(self.work, "results", "000002.jsonl"))
        os.unlink(os.path.join(self.work, "result.jsonl"))
        for command in ("status", "merge"):
            text = self.archive(command, self.work, status=1)
            self.assertIn("part 2: captures ", text)
            self.assertIn("1 of %d parts are missing" % len(before), text)
        for task in range(len(archive.Plan(self.work).tasks)):
            self.archive("task", self.work, str(task))
        after = {name: os.stat(os.path.join(self.work, "results", name)).st_ino for name in self.results()}
        self.assertEqual([n for n in before if before[n] != after[n] and n != "000002.jsonl"], [], "made again")
        self.archive("merge", self.work)
        self.assert_is_single_run()

    def test_a_tool_that_is_killed_leaves_no_result(self):
        self.plan(tool=self.tool_that("exec 3>&1; '%s' \"$@\" | head -c 300 >&3; kill -9 $$" % TOOL))
        self.assertIn("iwarp ended with status -9", self.archive("task", self.work, "0", status=1))
        self.assertEqual(self.results(), [])
        self.archive("merge", self.work, status=1)

    def test_a_result_that_a_signal_cut_short_is_none(self):
        self.plan(tool=self.tool_that("trap : TERM; kill -TERM $$; '%s' \"$@\" | sed 's/\"verdict\"/\"limits\":{\"interrupted\":1},&/'; exit 4" % TOOL))
        self.assertIn("iwarp was interrupted", self.archive("task", self.work, "0", status=1))
        self.assertEqual(self.results(), [])

    def test_the_tool_calls_that_limit_interrupted(self):
        """A signal before the first packet: the summary has the name that a task looks for."""
        path = os.path.join(self.work, "out")
        os.makedirs(self.work)
        fifo = os.path.join(self.work, "fifo.pcap")
        os.mkfifo(fifo)
        with open(path, "wb") as out:
            with subprocess.Popen([TOOL, "check", "--shard", "0/1", fifo], stdout=out, stderr=subprocess.PIPE) as child:
                with open(fifo, "wb") as feed:  # opens when the tool has opened it
                    feed.write(read(self.folder, "wed", "large.pcap")[:24])
                    feed.flush()
                    child.send_signal(signal.SIGTERM)
                    child.stderr.read()
        self.assertIn(child.wait(), archive.JUDGED)
        self.assertEqual(archive.whole(path, child.returncode), "iwarp was interrupted")

    def test_a_capture_that_changed_is_refused(self):
        self.plan()
        with open(os.path.join(self.folder, "wed", "large.pcap"), "ab") as out:
            out.write(b"more")
        plan = archive.Plan(self.work)
        task = next(index for index, parts in enumerate(plan.tasks) if any(plan.parts[part][3] > 1 for part in parts))
        self.assertIn("when the plan was made", self.archive("task", self.work, str(task), status=1))

    def test_what_is_not_asked_right(self):
        self.archive("plan", self.work, "--part", "none", ".", status=2)
        self.archive("plan", self.work, "--color", "never", ".", status=2)
        self.archive("plan", self.work, "absent.pcap", status=2)
        self.archive("plan", self.work, status=2)
        self.archive("task", self.work, "0", status=2)
        self.plan()
        self.archive("task", self.work, "99", status=2)
        self.archive("--help")


if __name__ == "__main__":
    TOOL, PCAPS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
