# SPDX-License-Identifier: BSD-2-Clause
"""A program does not load a library that lies in the working directory: planted.py CC PROGRAM...

Each library that a program needs is planted there in turn. Its code prints a word when it is loaded.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import elf
import tree

WORD = b"the planted library runs"
SOURCE = """#include <unistd.h>
__attribute__((constructor)) static void run(void) { if (write(2, "%s\\n", %d) < 0) { _exit(1); } }
""" % (WORD.decode(), len(WORD) + 1)
# The loader has these before it looks for any, or they are what the planted library itself needs.
LOADED = ("libc.so", "ld-linux", "linux-vdso")


def run(program, folder, **environment):
    keep = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD")}
    done = subprocess.run([program, "--version"], cwd=folder, env={**keep, **environment}, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def plant(cc, folder, name):
    subprocess.run([cc, "-shared", "-fPIC", "-x", "c", "-o", str(Path(folder) / name), "-"], input=SOURCE, text=True, check=True)


def complaints_of(cc, program):
    """The program runs as it does elsewhere. Where LD_LIBRARY_PATH names the folder, it does not: the planted library works."""
    with tempfile.TemporaryDirectory() as folder:
        usual = run(program, folder)
    if usual[0] != 0:
        yield f"{program}: ends with {usual[0]}: {usual[2]!r}"
    names = [name for name in elf.read(program).needed() if not name.startswith(LOADED)]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            plant(cc, folder, name)
            if run(program, folder) != usual:
                yield f"{program}: loads {name} from the working directory"
            if run(program, folder, LD_LIBRARY_PATH=folder) == usual:
                yield f"{program}: does not load the planted {name} at all"
    if not names:
        yield f"{program}: needs no library that could be planted"


def check(cc, programs):
    return [complaint for program in programs for complaint in complaints_of(cc, program)]


if __name__ == "__main__":
    tree.finish("planted", check(sys.argv[1], sys.argv[2:]))
