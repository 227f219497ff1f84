# SPDX-License-Identifier: BSD-2-Clause
"""Every public header compiles alone, twice over, as C11 and as C++17: headers.py CC CXX INCLUDE-DIR..."""

import subprocess
import sys
from pathlib import Path

import tree

FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wundef", "-Werror"]


def compile_header(command, language, standard, include_dirs, name):
    line = f"#include <iwarp/{name}>\n"
    args = [*command, *FLAGS, f"-std={standard}", *(f"-I{d}" for d in include_dirs), "-x", language, "-"]
    return subprocess.run(args, input=line + line + "extern int not_empty;\n", capture_output=True, text=True, check=False)


def check(cc, cxx, include_dirs):
    complaints = []
    names = sorted(f.name for d in include_dirs for f in (Path(d) / "iwarp").glob("*.h"))
    if not names:
        return ["no public header"]
    for name in names:
        for command, language, standard in (([cc], "c", "c11"), ([cxx], "c++", "c++17")):
            run = compile_header(command, language, standard, include_dirs, name)
            if run.returncode != 0:
                complaints.append(f"<iwarp/{name}> as {standard}:\n{run.stderr}")
    return complaints


if __name__ == "__main__":
    tree.finish("headers", check(sys.argv[1], sys.argv[2], sys.argv[3:]))
