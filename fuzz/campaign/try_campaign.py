# SPDX-License-Identifier: BSD-2-Clause
"""A campaign with AFL++ itself, on two machines that share a folder: both are this one, in output folders of their own."""

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import campaign


class Try(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def run_campaign(self, name, *words):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = campaign.main(["--build", str(self.place / "build"), "--out", str(self.place / name), "--executions", "3000",
                                    "--seed", "1", "--jobs", "1", "--shared", str(self.place / "shared"), "--name", name, *words])
        self.assertEqual(status, 0, out.getvalue())
        self.assertNotIn("afl-cmin ended", out.getvalue())
        return json.loads((self.place / name / "report.json").read_text(encoding="utf-8"))

    def test_two_machines_learn_from_each_other(self):
        first = self.run_campaign("one", "--no-coverage", "ddp")
        rows = first["targets"][0]
        self.assertGreaterEqual(rows["executions"], 3000)
        self.assertGreater(rows["kept"], 0)
        given = {p.read_bytes() for p in (self.place / "shared/one/ddp").iterdir()}
        self.assertTrue(given)
        second = self.run_campaign("two", "--roles", "main", "ddp")
        self.assertGreater(second["coverage"]["libiwarp"]["lines"][0], 0)
        log = (self.place / "two/ddp/main.log").read_text(encoding="utf-8", errors="replace")
        self.assertIn(str(self.place / "shared/one/ddp"), log + " ".join(self.foreign()))

    def foreign(self):
        """What the main instance of the second machine was started with."""
        text = (self.place / "two/ddp/main/fuzzer_stats").read_text(encoding="utf-8")
        return [line for line in text.splitlines() if line.startswith("command_line")]


if __name__ == "__main__":
    if not shutil.which("afl-fuzz") or not shutil.which("gcovr"):
        print("skipped: AFL++ or gcovr is not installed")
        sys.exit(77)
    unittest.main()
