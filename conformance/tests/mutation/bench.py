# SPDX-License-Identifier: BSD-2-Clause
"""A scratch copy of the tree, built once, in which mutants are compiled and judged by tests."""

import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

KILLED, TIMEOUT, SURVIVED, SAME, NOT_COMPILED = "killed", "timeout", "survived", "equivalent", "not compiled"
MEMORY = 8 << 30  # octets of address space
FILE = 256 << 20  # octets of a file that a test writes
CPU_FACTOR, CPU_MORE = 20, 10  # seconds of CPU: does not depend on what else the machine does
HANG_S = 1800  # a test that sleeps for ever; one that computes is ended by its processor time


@dataclass
class Test:
    name: str
    command: list
    folder: str
    environment: dict
    targets: list
    cpu: float = 0.0


@dataclass
class Area:
    name: str
    sources: list  # folders
    archive: str  # target
    tests: object  # function of the root that yields the names of its tests
    shared: bool = False  # built as a shared library: a mutant is linked once, not with each of its tests


def tree_files(root):
    """The files of the tree, without what was built."""
    for folder, dirs, names in os.walk(root):
        dirs[:] = [d for d in dirs if d not in (".git", "__pycache__") and not (d == "build" and folder == str(root))]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def build_file(octets, area):
    """A file of CMake as a scratch needs it: no look at every folder before each build, and the kind of library."""
    octets = octets.replace(b" CONFIGURE_DEPENDS", b"")
    if area.shared:
        octets = octets.replace(b"set(CMAKE_C_VISIBILITY_PRESET hidden)", b"")
        octets = re.sub(rb"(add_library\(%s )(STATIC )?" % area.archive.encode(), rb"\1SHARED ", octets)
    return octets


def copy_tree(root, scratch, area):
    """Copies what differs, so that a scratch of an earlier run is built again only where it must be."""
    files = [f for f in tree_files(root) if (root / f).is_file()]
    for file in files:
        source, target = root / file, scratch / file
        octets = source.read_bytes()
        if file.endswith(("CMakeLists.txt", ".cmake")):
            octets = build_file(octets, area)
        if not target.exists() or target.read_bytes() != octets:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(octets)
            shutil.copymode(source, target)
    for file in set(tree_files(scratch)) - set(files):
        (scratch / file).unlink()


def targets_of(tests):
    """What must be built for tests of these names: a program of its own, or the tool."""
    compiled = ("unit", "property", "vectors", "api")
    return sorted({"test-" + name.replace(".", "-") if name.split(".")[0] in compiled else "iwarp_tool"
                   for name in tests})


class Bench:
    """One scratch: its source, its build, and the tests of one area with their times."""

    def __init__(self, scratch, area, log):
        self.scratch, self.area, self.log = Path(scratch), area, log
        self.build = self.scratch / "build"
        self.tests = []
        self.kills = {}  # (file, test): how often
        self.dirty = None
        self.linked = False  # the tests of the original are used, so that a shared library is all that changes
        self.archive = b""

    # ---- building ----

    def run(self, *command, **more):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False, **more)

    def must(self, *command):
        done = self.run(*command, cwd=self.scratch)
        if done.returncode != 0:
            raise SystemExit(f"{shlex.join(map(str, command))}:\n{done.stdout[-4000:]}")
        return done.stdout

    def ninja(self, *targets):
        return self.run("ninja", "-C", str(self.build), "-j1", *targets).returncode == 0

    def archive_file(self):
        return next(self.build.rglob(f"lib{self.area.archive}.{'so' if self.area.shared else 'a'}"))

    def prepare(self, names):
        """Builds the original, takes the times of its tests; all must pass."""
        libraries = self.build / "lib"  # programs have no path to libraries where archives are built
        shared = ["-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
                  f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={libraries}", f"-DCMAKE_INSTALL_RPATH={libraries}"] if self.area.shared else []
        self.must("cmake", "-S", ".", "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                  "-DCMAKE_C_FLAGS=-w -O1 -DCHECK_RUN_STOPS", "-DIWARP_BUILD_TESTS=ON", *shared)
        # CTest names the command of a test only when its program is there.
        self.must("ninja", "-C", str(self.build), "-j1", self.area.archive, *targets_of(names))
        shown = json.loads(self.must("ctest", "--test-dir", str(self.build), "--show-only=json-v1"))
        tests = [self.test(t) for t in shown["tests"] if t["name"] in names]
        if len(tests) != len(names):
            raise SystemExit(f"CTest knows only {len(tests)} of {len(names)} tests")
        self.archive = self.archive_file().read_bytes()
        for setup in (t for t in shown["tests"] if t["name"] == "blackbox.make-captures"):
            if any(t.name == "blackbox.dump-made" for t in tests):
                self.must(*setup["command"])
        for test in tests:
            if self.ask(test, first=True) != SURVIVED:
                raise SystemExit(f"{test.name} fails on the original")
        self.tests = tests

    def test(self, shown):
        values = {p["name"]: p["value"] for p in shown["properties"]}
        environment = dict(e.split("=", 1) for e in values.get("ENVIRONMENT", []) if e)
        return Test(shown["name"], shown["command"], values.get("WORKING_DIRECTORY", str(self.build)), environment,
                    targets_of([shown["name"]]))

    # ---- one mutant ----

    def limits(self, test, first):
        cpu = 3600 if first else int(CPU_FACTOR * test.cpu + CPU_MORE)

        def apply():
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        return apply

    def ask(self, test, first=False):
        """One test. Programs of Check run in one process, so that a crash or a hang ends them at once."""
        environment = {**os.environ, **test.environment, "CK_FORK": "no"}
        environment.pop("IWARP_UPDATE_GOLDEN", None)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(test.command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=self.limits(test, first))
        try:
            status = process.wait(timeout=HANG_S)
        except subprocess.TimeoutExpired:
            status = -signal.SIGKILL
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it began may wait for ever
        process.wait()
        if first:
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            test.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return TIMEOUT
        return SURVIVED if status == 0 else KILLED

    def restore(self):
        if self.dirty:
            path, original = self.dirty
            path.write_text(original, encoding="utf-8")
            self.dirty = None

    def link_tests(self, path):
        """Tests of a shared library are built again after a header was changed, and otherwise stay as they are."""
        if path.suffix != ".c" or not self.area.shared:
            self.linked = False
        elif not self.linked:
            self.linked = self.ninja(*sorted({target for test in self.tests for target in test.targets}))

    def promise(self, mutant, test):
        """What a test is worth asking first for: mutants of the file that it noticed, for the time that it takes."""
        return (self.kills.get((mutant.file, test.name), 0) + 0.01) / (0.01 + test.cpu)

    def judge(self, mutant):
        """(outcome, test that noticed it)."""
        path = self.scratch / mutant.file
        if self.dirty and self.dirty[0] != path:
            self.restore()
        original = self.dirty[1] if self.dirty else path.read_text(encoding="utf-8")
        self.dirty = (path, original)
        path.write_text(mutant.apply(original), encoding="utf-8")
        if not self.ninja(self.area.archive):
            return NOT_COMPILED, ""
        if self.archive_file().read_bytes() == self.archive:
            return SAME, ""
        self.link_tests(path)
        for test in sorted(self.tests, key=lambda t: self.promise(mutant, t), reverse=True):
            if not self.linked and not self.ninja(*test.targets):
                return NOT_COMPILED, ""  # a header that the test uses too
            outcome = self.ask(test)
            if outcome != SURVIVED:
                key = (mutant.file, test.name)
                self.kills[key] = self.kills.get(key, 0) + 1
                return outcome, test.name
        return (SAME if self.same_optimised(path, original, mutant) else SURVIVED), ""

    def same_optimised(self, path, original, mutant):
        """The compiler makes the same code of both when it may do more."""
        if path.suffix != ".c":
            return False
        for entry in json.loads(self.run("ninja", "-C", str(self.build), "-t", "compdb").stdout):
            if Path(entry["directory"], entry["file"]) == path and " -c " in entry["command"]:
                words = [w for w in shlex.split(entry["command"])]
                break
        else:
            return False
        words[words.index("-o") + 1] = str(self.build / "mutant.o")
        words = [w for w in words if w != "-O1"] + ["-O3"]
        made = []
        for text in (original, mutant.apply(original)):
            path.write_text(text, encoding="utf-8")
            self.run(*words, cwd=self.build)
            made.append((self.build / "mutant.o").read_bytes())
        return made[0] == made[1]
