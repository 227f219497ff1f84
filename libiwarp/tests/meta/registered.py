# SPDX-License-Identifier: BSD-2-Clause
"""Every file with tests is run by some test of ctest, and every test carries a label: registered.py CTEST BUILD-DIR"""

import json
import re
import subprocess
import sys
from pathlib import Path

import tree

FOLDERS = ["libiwarp/tests", "conformance/tests"]
LABELS = {"unit", "api", "property", "vectors", "threads", "golden", "blackbox", "pcap", "meta", "proof", "consumer",
          "cluster", "dissector", "python", "slow", "sampled", "fuzz", "coverage", "coverage-alone"}
IMPORT = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)


def test_files(root, folder):
    """Yields the files that hold tests: C programs, and every Python program."""
    for file in tree.files(root, folder):
        if file.suffix == ".c" and "int main(void)" in tree.text(root, file) and "consumers" not in file.parts:
            yield file
        elif file.suffix == ".py" and "__main__" in tree.text(root, file):
            yield file


def with_imports(programs):
    """Adds to Python programs the modules beside them that they import, however far down."""
    found, todo = set(), [p for p in programs if p.suffix == ".py" and p.exists()]
    while todo:
        program = todo.pop()
        if program not in found:
            found.add(program)
            names = IMPORT.findall(program.read_text(encoding="utf-8"))
            todo += [m for m in (program.parent / f"{name}.py" for name in names) if m.exists()]
    return found


def check(root, tests, folders):
    """tests is what `ctest --show-only=json-v1` prints."""
    complaints = []
    commands = set()
    for test in tests:
        # ctest knows no command of a program that is not built.
        commands.update(test.get("command", ["test-" + test["name"].replace(".", "-", 1)]))
        labels = [p["value"] for p in test["properties"] if p["name"] == "LABELS"]
        if not labels or not set(labels[0]) <= LABELS or not labels[0]:
            complaints.append(f"{test['name']}: its labels are not among {', '.join(sorted(LABELS))}")
        elif test["name"].split(".")[0] not in labels[0]:
            complaints.append(f"{test['name']}: the name does not begin with one of its labels {', '.join(labels[0])}")
    programs = {Path(c).name for c in commands}
    python = with_imports([Path(c) for c in commands])
    for folder in folders:
        for file in test_files(root, folder):
            if file.suffix == ".py":
                found = Path(root) / file in python
            else:
                label = file.parent.name
                name = file.stem.removeprefix("check_").removeprefix("prop_").replace("_", "-")
                found = f"test-{label}-{name}" in programs
            if not found:
                complaints.append(f"{file}: no test runs it")
    return complaints


if __name__ == "__main__":
    ctest, build = sys.argv[1:3]
    shown = subprocess.run([ctest, "--show-only=json-v1"], cwd=build, check=True, capture_output=True).stdout
    tree.finish("registered", check(tree.source_root(), json.loads(shown)["tests"], sys.argv[3:] or FOLDERS))
