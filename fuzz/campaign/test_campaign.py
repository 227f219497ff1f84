# SPDX-License-Identifier: BSD-2-Clause
"""The campaign: turns, figures, report and record, with a stand-in for afl-fuzz that needs no build."""

import collections
import contextlib
import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import campaign
import coverage
import findings
import groups
import instance
import record
import report
from builds import Builds

# Writes what afl-fuzz writes: its figures, a queue, and a crash for the target named in CRASH.
AFL_FUZZ = r"""import json, os, signal, sys
from pathlib import Path
words = sys.argv[1:]
name = words[words.index("-M" if "-M" in words else "-S") + 1]
if os.environ.get("SLOW") == name:  # before `calls` is there, at which the test sends the signal
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
out = Path(words[words.index("-o") + 1])
place = out / name
for folder in ("queue", "crashes", "hangs"):
    (place / folder).mkdir(parents=True, exist_ok=True)
stats = place / "fuzzer_stats"
before = int(stats.read_text().split("execs_done : ")[1].split()[0]) if stats.exists() else 0
stats.write_text(f"execs_done : {before + 1000}\ncorpus_count : 3\nsaved_crashes : 1\nedges_found : 40\ntotal_edges : 100\n"
                 "command_line : afl-fuzz\nbitmap_cvg : 40.00%\n")
(place / "queue" / "id:000000,orig:a").write_bytes(b"a")
(place / "queue" / "id:000001,sync:main,src:000002").write_bytes(b"b")
if os.environ.get("CRASH") == out.name:
    (place / "crashes" / "id:000000,sig:06").write_bytes(b"crash")
with open(out / "calls", "a") as calls:
    calls.write(json.dumps([name, words, {k: v for k, v in os.environ.items() if k[:4] in ("AFL_", "IWAR")}]) + "\n")
if os.environ.get("BROKEN") == name:
    stats.unlink()
    sys.exit(1)
if os.environ.get("SLOW") == name:
    signal.pause()
"""
AFL_CMIN = r"""import os, shutil, sys
words = sys.argv[1:]
if os.environ.get("BROKEN") == "cmin":
    sys.exit(3)
shutil.copytree(words[words.index("-i") + 1], words[words.index("-o") + 1])
"""
PYTHON = f"#!{sys.executable} -IS\n"  # it starts without what the scripts do not use
# What stands in for a target: a form, and an oracle that some inputs do not pass.
TARGET = """#!/bin/sh
[ "$1" != --form ] || { echo script; exit; }
for path in "$@"; do
  if [ -f "$path" ] && grep -q crash "$path"; then echo "some_oracle.c:12: $(wc -c <"$path") octets are wrong" >&2; exit 134; fi
done
"""


class Run(unittest.TestCase):
    """A campaign with stand-ins for all that is built."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        for name, text in (("afl-fuzz", AFL_FUZZ), ("afl-cmin", AFL_CMIN)):
            self.program(self.place / "bin" / name, PYTHON + text)
        self.environment = {"PATH": f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}"}

    def program(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def make(self, builds, args):
        """In place of the builds."""
        for target in args.targets:
            builds.seeds(target).mkdir(parents=True, exist_ok=True)
            (builds.seeds(target) / "seed").write_bytes(b"seed")
            for variant in ("plain", "asan", "tools"):
                self.program(builds.program(variant, target), TARGET)

    def run_campaign(self, *words, **environment):
        words = ["--build", str(self.place / "build"), "--out", str(self.place / "out"), "--no-coverage", "--executions", "10",
                 "--jobs", "2", *words]
        out = io.StringIO()
        with mock.patch.dict(os.environ, {**self.environment, **environment}), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out), mock.patch.object(campaign, "build", self.make), \
                mock.patch.object(campaign.signal, "signal"):
            status = campaign.main(words)
        path = self.place / "out/report.json"
        return status, out.getvalue(), json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def calls(self, target):
        text = (self.place / "out" / target / "calls").read_text(encoding="utf-8")
        return {name: (words, environment) for name, words, environment in map(json.loads, text.splitlines())}

    def test_every_role_plays_on_every_target(self):
        status, shown, result = self.run_campaign("rx", "pair")
        self.assertEqual(status, 0, shown)
        for target in ("rx", "pair"):
            self.assertEqual(set(self.calls(target)), {r.name for r in instance.ROLES})
        rows = {r["target"]: r for r in result["targets"]}
        self.assertEqual(rows["rx"]["executions"], 1000 * len(instance.ROLES))
        self.assertEqual(rows["rx"]["paths"], len(instance.ROLES))  # inputs from another role do not count
        self.assertEqual(rows["rx"]["edges"], "40 of 100")
        self.assertEqual(rows["rx"]["kept"], len(instance.ROLES))

    def test_roles_differ_as_they_should(self):
        self.run_campaign("rx")
        calls = self.calls("rx")
        self.assertIn("-M", calls["main"][0])
        self.assertEqual(calls["cmplog"][0][calls["cmplog"][0].index("-c") + 1], str(self.place / "build/cmplog/bin/fuzz-rx"))
        self.assertEqual(calls["laf"][0][-1], str(self.place / "build/laf/bin/fuzz-rx"))
        self.assertEqual(calls["asan"][0][-1], str(self.place / "build/asan/bin/fuzz-rx"))
        self.assertNotIn("AFL_CUSTOM_MUTATOR_LIBRARY", calls["own"][1])
        for name in ("main", "cmplog", "laf", "asan"):
            self.assertTrue(calls[name][1]["AFL_CUSTOM_MUTATOR_LIBRARY"].endswith("libiwarp_fuzz_mutator.so"))
            self.assertEqual(calls[name][1]["IWARP_FUZZ_FORM"], "script")

    def test_processes_that_cmplog_leaves_end(self):
        """Whatever their parent and their file are: the lock on the folder of the instance is theirs, too."""
        program = self.place / "build/cmplog/bin/fuzz-rx"
        builds = types.SimpleNamespace(program=lambda variant, target: self.place / "build" / variant / "bin" / f"fuzz-{target}")
        for name, ends in (("laf", False), ("cmplog", True)):
            left = subprocess.Popen([program], executable=shutil.which("cat"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            self.addCleanup(left.communicate)
            self.addCleanup(left.kill)
            left.stdin.write(b"x")
            self.assertEqual(left.stdout.read(1), b"x")  # until here the kernel may not show its name: Popen returns while it starts
            role = next(role for role in instance.ROLES if role.name == name)
            instance.Instance(builds, self.place / "out", "rx", role, None).end_rest()
            if ends:
                self.assertEqual(left.wait(60), -signal.SIGKILL)
            self.assertEqual(left.poll() is not None, ends)

    def test_a_crash_is_a_finding(self):
        status, shown, result = self.run_campaign("rx", "pair", CRASH="pair")
        self.assertEqual(status, 1, shown)
        self.assertEqual([(f["target"], f["reason"], f["inputs"]) for f in result["findings"]],
                         [("pair", "some_oracle.c:12: 5 octets are wrong", len(instance.ROLES))])
        self.assertEqual(Path(result["findings"][0]["input"]).read_bytes(), b"crash")
        self.assertIn("some_oracle.c:12", (self.place / "out/report.md").read_text(encoding="utf-8"))

    def test_a_second_campaign_counts_its_own_executions(self):
        self.run_campaign("--roles", "main", "rx")
        _, _, result = self.run_campaign("--roles", "main", "rx")
        self.assertEqual(result["targets"][0]["executions"], 1000)

    def test_an_instance_that_fails_plays_no_more_and_is_named(self):
        status, shown, result = self.run_campaign("rx", BROKEN="laf")
        self.assertEqual(status, 0)
        self.assertIn("rx laf: afl-fuzz ended with 1", shown)
        self.assertEqual(result["targets"][0]["executions"], 1000 * (len(instance.ROLES) - 1))
        status, _, _ = self.run_campaign("--roles", "laf", "rx", "--out", str(self.place / "other"), BROKEN="laf")
        self.assertEqual(status, 2)

    def test_a_corpus_that_is_not_minimised_is_said(self):
        _, shown, result = self.run_campaign("rx", BROKEN="cmin")
        self.assertIn("rx: afl-cmin ended with 3, see ", shown)
        self.assertEqual(result["targets"][0]["kept"], 0)

    def test_no_instance_plays_twice_at_a_time(self):
        args = campaign.arguments(["--jobs", "9", "--roles", "main,laf", "rx", "pair"])
        run = campaign.Campaign(args, None, None)
        taken = [run.take() for _ in range(5)]
        self.assertEqual(len(set(taken[:4])), 4)
        self.assertIsNone(taken[4])
        run.busy.discard(taken[2])
        self.assertEqual(run.take(), taken[2])

    def test_machines_share_what_they_find(self):
        shared = self.place / "shared"
        for name in ("one", "two"):
            self.run_campaign("--roles", "main", "--shared", str(shared), "--name", name, "--out", str(self.place / name), "rx")
        self.assertEqual((shared / "one/rx/id:000000,orig:a").read_bytes(), b"a")
        first, second = (json.loads((self.place / n / "rx/calls").read_text(encoding="utf-8"))[1] for n in ("one", "two"))
        self.assertNotIn("-F", first)
        self.assertEqual(second[second.index("-F") + 1], str(shared / "one/rx"))

    def test_an_instance_that_is_interrupted_ends_in_order(self):
        args = campaign.arguments(["--build", str(self.place / "build"), "--out", str(self.place / "out"), "--turn", "7200", "rx"])
        builds = Builds(args.build)
        self.make(builds, args)
        with mock.patch.dict(os.environ, {**self.environment, "SLOW": "main"}):
            run = instance.Instance(builds, args.out, "rx", instance.ROLES[0], campaign.Limits(args, {"rx": "script"}))
            run.start()
            begun = self.place / "out/rx/calls"
            self.assertEqual(run.wait(begun.exists, look_s=0.1), 0)
        self.assertEqual(run.executions(), 1000)
        self.assertIsNone(run.failed())

    def test_an_instance_in_the_background_gives_way(self):
        args = campaign.arguments(["--build", str(self.place / "build"), "--out", str(self.place / "out"), "--background",
                                   "--turn", "7200", "rx"])
        builds = Builds(args.build)
        self.make(builds, args)
        with mock.patch.dict(os.environ, {**self.environment, "SLOW": "main"}):
            run = instance.Instance(builds, args.out, "rx", instance.ROLES[0], campaign.Limits(args, {"rx": "script"}))
            run.start()
            begun, seen = self.place / "out/rx/calls", []

            def stopping():
                if begun.exists() and not seen:
                    seen.append(os.getpriority(os.PRIO_PROCESS, run.process.pid))
                    with contextlib.suppress(OSError):
                        seen.append(Path(f"/proc/{run.process.pid}/autogroup").read_text(encoding="ascii").split()[-1])
                return bool(seen)

            self.assertEqual(run.wait(stopping, look_s=0.1), 0)
        self.assertEqual(seen[0], instance.LOWEST)
        self.assertIn(seen[1:], ([], [str(instance.LOWEST)]))  # not every kernel groups sessions

    def test_no_afl_is_said(self):
        with mock.patch.object(campaign.shutil, "which", return_value=None), self.assertRaises(SystemExit) as ended:
            campaign.main(["--out", str(self.place / "out"), "rx"])
        self.assertEqual(ended.exception.code, "campaign: afl-fuzz is not installed")


class Parts(unittest.TestCase):
    def test_every_target_is_in_one_group(self):
        named = [t for names in groups.GROUPS.values() for t in names]
        self.assertEqual(sorted(named), sorted(set(named)))
        self.assertEqual(set(groups.targets()) - set(named), set())

    def test_turns_are_even_among_groups(self):
        turns = itertools.islice(campaign.even_turns(groups.in_turn(groups.targets()), instance.ROLES), 40 * len(groups.GROUPS))
        counted = collections.Counter(groups.group_of(target) for target, _ in turns)
        self.assertEqual(counted, dict.fromkeys(groups.GROUPS, 40))

    def test_turns_visit_all_groups_first(self):
        order = groups.in_turn(groups.targets())
        self.assertEqual(sorted(order), groups.targets())
        self.assertEqual({groups.group_of(t) for t in order[:len(groups.GROUPS)]}, set(groups.GROUPS))

    def test_more_jobs_than_roles_make_more_roles(self):
        names = [r.name for r in instance.roles(9)]
        self.assertEqual(len(names), 9)
        self.assertEqual(len(set(names)), 9)

    def test_wrong_words_are_refused(self):
        for words in (["nothing"], ["--jobs", "0"], ["--roles", "nobody"], ["--hours", "0"]):
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
                campaign.arguments(words)
            self.assertEqual(ended.exception.code, 2)

    def test_turns_fit_the_time(self):
        self.assertEqual(campaign.arguments(["--hours", "100", "rx"]).turn, 600)
        self.assertEqual(campaign.arguments(["--hours", "0.1"]).turn, 20)

    def test_reasons_that_differ_in_numbers_are_one(self):
        self.assertEqual(findings.same("a.c:7: octet 5 is 0x12"), findings.same("a.c:7: octet 81 is 0x00"))
        self.assertNotEqual(findings.same("a.c:7: octet 5"), findings.same("a.c:8: octet 5"))

    def test_processor_time_is_that_of_all_descendants(self):
        stats = {1: (0, 100.0), 10: (1, 1.0), 11: (10, 2.0), 12: (11, 4.0), 20: (1, 8.0), 30: (99, 16.0)}
        self.assertEqual(instance.tree_cpu(10, stats), 7.0)
        self.assertEqual(instance.descendants(10, stats), {10, 11, 12})  # which alone are made to give way
        self.assertIn(os.getpid(), instance.process_stats())

    def test_coverage_is_summed_by_area(self):
        file = {"line_covered": 8, "line_total": 10, "branch_covered": 1, "branch_total": 4}
        found = coverage.by_area([{**file, "filename": "libiwarp/src/mpa/fpdu.c"}, {**file, "filename": "libiwarp/src/ddp/hdr.c"},
                                  {**file, "filename": "conformance/rules/engine.c"}, {**file, "filename": "fuzz/x.c"}])
        self.assertEqual(found["libiwarp"], {"lines": [16, 20], "branches": [2, 8]})
        self.assertEqual(found["rules"]["lines"], [8, 10])
        self.assertEqual(found["ingest"]["lines"], [0, 0])

    def test_the_report_shows_coverage(self):
        shown = "\n".join(report.coverage({"libiwarp": {"lines": [16, 20], "branches": [2, 8]}}))
        self.assertIn("| libiwarp | 16 | 20 | 80.0 | 2 | 8 | 25.0 |", shown)

    def test_records_add_up(self):
        row = {"date": "2026-01-01", "commit": "c", "group": "rx", "cpu_s": 1800, "executions": 5, "findings": 1}
        with tempfile.TemporaryDirectory() as place:
            path = Path(place, "record.tsv")
            record.append([row, {**row, "group": "pair"}], path)
            record.append([row], path)
            found = record.rows(path)
        self.assertEqual(record.sums(found)["rx"], {"cpu_s": 3600, "executions": 10, "findings": 2})
        self.assertIn("| rx | 1.00 | 10 | 2 |", record.table(found))
        self.assertIn("| all | 1.50 | 15 | 3 |", record.table(found))

    def test_the_page_has_the_tables_of_the_record(self):
        text = record.PAGE.read_text(encoding="utf-8")
        self.assertEqual(record.page(text, record.rows()), text, "record.py --write puts them there")
        more = [{**record.rows()[-1], "date": "2000-01-01"}]
        self.assertIn("| 2000-01-01 |", record.page(text, more))
        self.assertRaises(ValueError, record.page, "no place", more)

    def test_the_record_of_the_tree_can_be_read(self):
        self.assertLessEqual({r["group"] for r in record.rows()}, set(groups.GROUPS))


if __name__ == "__main__":
    unittest.main()
