# SPDX-License-Identifier: BSD-2-Clause
"""builds: the ways in which a campaign builds the fuzz targets, each in a folder of its own."""

import os
import subprocess
from pathlib import Path

from groups import ROOT

# afl-clang-fast reads what it has to instrument from the environment.
AFL = {"CC": "afl-clang-fast", "AFL_QUIET": "1"}
VARIANTS = {
    "plain": AFL,
    "cmplog": {**AFL, "AFL_LLVM_CMPLOG": "1"},
    "laf": {**AFL, "AFL_LLVM_LAF_ALL": "1"},
    "asan": {**AFL, "AFL_USE_ASAN": "1", "AFL_USE_UBSAN": "1"},
    "tools": {"CC": "cc"},  # the mutator as a library, the dictionary, --form
    "coverage": {"CC": "gcc"},
}
OPTIONS = {
    "tools": ["-DIWARP_FUZZ_ENGINE=standalone"],
    "coverage": ["-DIWARP_FUZZ_ENGINE=standalone", "-DIWARP_COVERAGE=ON"],
}
MUTATOR = "libiwarp_fuzz_mutator.so"


class BuildError(Exception):
    """A build failed; the message says where its log lies."""


class Builds:
    """The folder of all builds."""

    def __init__(self, folder, jobs=1):
        self.folder, self.jobs = Path(folder), jobs

    def program(self, variant, target):
        return self.folder / variant / "bin" / f"fuzz-{target}"

    def mutator(self):
        return self.folder / "tools" / "fuzz" / MUTATOR

    def dictionary(self):
        return self.folder / "iwarp.dict"

    def seeds(self, target):
        return self.folder / "seeds" / target

    def run(self, variant, command, environment):
        log = self.folder / f"{variant}.log"
        with open(log, "ab") as out:
            if subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False).returncode != 0:
                raise BuildError(f"the build {variant} failed: {log}")

    def make(self, variant, goals):
        """Configures and builds; a second time only what has changed."""
        environment = {**os.environ, **VARIANTS[variant]}
        environment.pop("CMAKE_C_COMPILER_LAUNCHER", None)  # a cache does not know these settings
        place = self.folder / variant
        place.mkdir(parents=True, exist_ok=True)
        engine = OPTIONS.get(variant, ["-DIWARP_FUZZ_ENGINE=afl"])
        self.run(variant, ["cmake", "-S", ".", "-B", str(place), "-G", "Ninja", "-DIWARP_BUILD_FUZZ=ON",
                           "-DIWARP_BUILD_CONFORMANCE=ON", "-DIWARP_BUILD_TESTS=OFF", "-DIWARP_BUILD_DISSECTOR=OFF",
                           "-DCMAKE_BUILD_TYPE=" + ("Debug" if variant == "coverage" else "RelWithDebInfo"), *engine],
                 environment)
        self.run(variant, ["cmake", "--build", str(place), "-j", str(self.jobs), "--target", *goals], environment)

    def targets(self, variant, names):
        self.make(variant, [f"fuzz-{name}" for name in names])

    def inputs(self, names):
        """What every instance needs: the mutator, the dictionary, the seeds, the form of each target."""
        self.make("tools", ["iwarp_fuzz_mutator", "fuzz-mkdict", *(f"fuzz-{name}" for name in names)])
        self.run("tools", ["python3", "-B", "fuzz/tools/mkseeds.py", str(self.folder / "seeds")], dict(os.environ))
        printed = subprocess.run([self.folder / "tools/bin/fuzz-mkdict"], check=True, capture_output=True).stdout
        self.dictionary().write_bytes(printed)
        for name in names:
            self.add_corpus(name)

    def add_corpus(self, target):
        """The inputs that git holds are seeds, too; a target without any begins with an empty one."""
        place = self.seeds(target)
        place.mkdir(parents=True, exist_ok=True)
        corpus = ROOT / "fuzz/corpus" / target
        for path in sorted(corpus.iterdir()) if corpus.is_dir() else []:
            (place / path.name).write_bytes(path.read_bytes())
        if not any(place.iterdir()):
            (place / "empty").write_bytes(bytes(8))

    def form(self, target):
        """How the mutator walks the inputs of a target."""
        printed = subprocess.run([self.program("tools", target), "--form"], check=True, capture_output=True, text=True)
        return printed.stdout.split("\n", 1)[0]
