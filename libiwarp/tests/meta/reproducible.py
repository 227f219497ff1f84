# SPDX-License-Identifier: BSD-2-Clause
"""Two builds of the tool have the same octets, and no archive beside them holds a path: reproducible.py CMAKE CC.

The tree is copied to two folders whose paths have different lengths.  Each copy is built as the preset `release` has
it, without a compiler cache, which could hand the files of one build to the other.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tree

FOLDERS = ("one", os.path.join("a-folder", "whose-path-is-a-good-deal-longer", "than-that-of-the-first-one"))
CACHES = ("CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")


def copy(root, to):
    for name in tree.files(root):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, to / name)
        shutil.copymode(root / name, to / name)


def build(cmake, cc, folder):
    """The octets of the tool that is built in the folder."""
    environment = {name: value for name, value in os.environ.items() if name not in CACHES}
    for words in (["--preset", "release", "-D", "CMAKE_C_COMPILER=" + cc], ["--build", "--preset", "release", "--target", "iwarp_tool"]):
        done = subprocess.run([cmake, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout.decode(errors="replace"))
    return (folder / "build/release/bin/iwarp").read_bytes()


def archives_with_path(folder):
    return [path for path in sorted((folder / "build/release").rglob("libiwarp*.a")) if os.fsencode(folder) in path.read_bytes()]


def complaints_of(tools, paths):
    """What is wrong with two builds of the tool in these folders."""
    one, two = tools
    if one != two:
        at = next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
        yield f"bin/iwarp: {len(one)} and {len(two)} octets, which differ from octet {at} on"
    for tool, path in zip(tools, paths):
        if os.fsencode(path) in tool:
            yield f"bin/iwarp: holds the path of its build, {path}"


def check(cmake, cc):
    with tempfile.TemporaryDirectory() as place:
        paths = [Path(place) / folder for folder in FOLDERS]
        for path in paths:
            copy(tree.source_root(), path)
        complaints = list(complaints_of([build(cmake, cc, path) for path in paths], paths))
        return complaints + [f"{archive}: holds the path of its build" for path in paths for archive in archives_with_path(path)]


if __name__ == "__main__":
    tree.finish("reproducible", check(*sys.argv[1:]))
