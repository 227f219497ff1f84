# SPDX-License-Identifier: BSD-2-Clause
"""Scripts can be run and say how; scripts in .ci install what they need on a machine that has nothing, and wait for
another package manager."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import tree

ROOT = tree.source_root()
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)\nE: Unable to lock directory\n"
# What stands in for a program: it notes its arguments and answers with the next of its answers, then with nothing.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"{folder}/calls"
answer=$(ls "{folder}"/answer-* 2>/dev/null | head -n 1)
case $0 in *apt-get) [ -z "$answer" ] || { cat "$answer" >&2; rm "$answer"; exit 100; } ;; esac
exit 0
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("apt-get", "sleep", "dpkg-query", "sudo"):
            program = self.folder / name
            program.write_text(STAND_IN.replace("{folder}", str(self.folder)), encoding="utf-8")
            program.chmod(0o755)

    def shell(self, text, *answers):
        """Runs text after lib.sh with stand-ins for what changes a machine; returns the run and the calls."""
        for number, answer in enumerate(answers):
            (self.folder / f"answer-{number}").write_text(answer, encoding="utf-8")
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(["sh", "-euc", f". .ci/lib.sh\n{text}"], cwd=ROOT, env={**os.environ, "PATH": path},
                              capture_output=True, text=True, check=False)
        calls = self.folder / "calls"
        return done, calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []

    def packages(self, name):
        return self.shell(f'echo "$PACKAGES_{name}"')[0].stdout.split()

    def test_locks_are_waited_for(self):
        done, calls = self.shell("as_root=; apt_get update", LOCKED, LOCKED)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([c.split()[0] for c in calls], ["apt-get", "sleep", "apt-get", "sleep", "apt-get"])
        self.assertIn("DPkg::Lock::Timeout=-1", calls[0])
        self.assertEqual(done.stdout.count("waiting"), 1)

    def test_other_failures_are_shown_at_once(self):
        for answer in ("E: Unable to locate package none\n", "E: Could not open lock file (13: Permission denied)\nE: Unable to lock directory\n"):
            done, calls = self.shell("as_root=; apt_get install none", answer)
            self.assertEqual(done.returncode, 1)
            self.assertIn(answer, done.stderr)
            self.assertEqual(len([c for c in calls if c.startswith("sleep")]), 0)

    def test_each_cross_compiler_has_its_c_library(self):
        packages = self.packages("cross")
        compilers = [p for p in packages if re.fullmatch(r"gcc-\w+-linux-gnu", p)]
        self.assertGreater(len(compilers), 1)
        for compiler in compilers:
            machine = compiler.split("-")[1]
            machine = {"i686": "i386", "aarch64": "arm64"}.get(machine, machine)
            self.assertIn(f"libc6-dev-{machine}-cross", packages, "no recommended package is installed")

    def scripts(self):
        return sorted(file for file in (ROOT / ".ci").iterdir() if file.is_file() and file.name != "lib.sh")

    def run_script(self, script, *arguments):
        return subprocess.run([script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)

    def test_each_script_says_how_it_is_called(self):
        for script in self.scripts():
            done = self.run_script(script, "--help")
            self.assertEqual(done.returncode, 0, script.name)
            self.assertTrue(done.stdout.startswith(f"Usage: .ci/{script.name}"), done.stdout)

    def test_each_script_refuses_what_it_does_not_know(self):
        for script in self.scripts():
            done = self.run_script(script, "--no-such-option")
            self.assertEqual((done.returncode, done.stdout), (2, ""), script.name)
            self.assertIn("usage: ", done.stderr.lower())
        for name in ("run", "test", "dissector", "cross"):
            self.assertEqual(self.run_script(ROOT / ".ci" / name, "nothing").returncode, 2, name)

    def test_what_names_its_interpreter_can_be_run(self):
        for file in tree.files(ROOT):
            with open(ROOT / file, "rb") as opened:
                if opened.read(2) == b"#!" and file.suffix != ".in":
                    self.assertTrue(os.access(ROOT / file, os.X_OK), f"{file}: chmod +x")

    def test_each_script_asks_for_a_set_that_is_there(self):
        for script in self.scripts():
            for name in re.findall(r"install_packages (\w+)", script.read_text(encoding="utf-8")):
                self.assertTrue(self.packages(name), f"{script.name}: {name}")


if __name__ == "__main__":
    unittest.main()
