# SPDX-License-Identifier: BSD-2-Clause
"""No test has a limit of time that a slow machine meets: what ends a hanging test takes half an hour or more."""

import re

import tree

MIN_S = 1800
CMAKE = re.compile(r"\bTIMEOUT[ \n]+\"?([^\s\")]+)|\bset\(IWARP_HANG\w*_S (\d+)\)|CK_DEFAULT_TIMEOUT=(\d+)")
CMAKE_NAMES = {"${IWARP_HANG_S}", "${IWARP_HANG_SLOW_S}", "${hang_s}"}
PYTHON = re.compile(r"\btimeout ?= ?([\w.]+)|\bHANG_S ?= ?(\d+)")
C = re.compile(r"\b(?:tcase_set_timeout|alarm|setitimer) ?\(")
SHELL = re.compile(r"\btimeout (?:-\S+ )*(\d+)|--timeout[ =](\d+)")


def too_short(match, names):
    """Tells whether the first group that matched is neither a limit that is long enough nor one of the names."""
    value = next(group for group in match.groups() if group is not None)
    return value not in names and not (value.isdigit() and int(value) >= MIN_S)


def line_of(source, match):
    return source.count("\n", 0, match.start()) + 1


def complaints_of(file, source):
    if file.name == "CMakeLists.txt" or file.suffix == ".cmake":
        for match in CMAKE.finditer(re.sub(r"#[^\n]*", "", source)):
            # Check's own limit must be off: one test of many minutes is no fault.
            if match.group(3) not in (None, "0") or match.group(3) is None and too_short(match, CMAKE_NAMES):
                yield line_of(source, match), match.group(0)
    elif file.suffix == ".py":
        for match in PYTHON.finditer(source):
            if too_short(match, {"HANG_S", "None"}):
                yield line_of(source, match), match.group(0)
    elif file.suffix in tree.C_SUFFIXES:
        source = tree.without_comments(source)
        for match in C.finditer(source):
            yield line_of(source, match), match.group(0) + ")"
    elif file.suffix == ".sh" or file.parts[0] == ".ci":
        for match in SHELL.finditer(source):
            if too_short(match, set()):
                yield line_of(source, match), match.group(0)


def is_of_tests(file):
    return file.parts[0] == ".ci" or "tests" in file.parts or file.name == "CMakeLists.txt" or file.suffix == ".cmake"


def check(root):
    return [f"{file}:{number}: {what}: a limit of time that a slow machine may meet"
            for file in tree.files(root) if is_of_tests(file) and file.parts[0] != "pcaps" and file.name not in ("limits.py", "selftest.py")
            for number, what in complaints_of(file, tree.text(root, file))]


if __name__ == "__main__":
    tree.finish("limits", check(tree.source_root()))
