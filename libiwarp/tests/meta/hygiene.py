# SPDX-License-Identifier: BSD-2-Clause
"""Every source says its licence and purpose; no file holds paths of a machine or unfinished marks."""

import re
from pathlib import Path

import tree

SOURCES = {".c", ".h", ".def", ".cpp", ".py", ".sh", ".cmake", ".in"}
TEXTS = SOURCES | {".md", ".txt", ".json", ".tsv", ".yml", ".yaml", ".symbols", ".toml"}
LICENCE = "SPDX-License-Identifier: BSD-2-Clause"
MACHINE_PATH = re.compile(r"(?<![\w.$}>:~*/-])/(?:work|root|farm|home|Users|tmp)/")
OUTSIDE = re.compile(r"\.\./shared\b")
# Split, so that this file does not hold the words.
# TAP 14 calls the directive of an expected failure so: as a word of the format it stands in quotes or in a pattern.
TAP_DIRECTIVE = re.compile(r'" # TO' r'DO "|"TO' r'DO"|\(SKIP\|TO' r'DO\)')
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")

# Lines left out of the coverage figures say why: code that no input reaches.
EXCLUSION = re.compile(r"(?:LCOV|GCOV|GCOVR)_" r"EXCL")
REASON = re.compile(r"/\* LCOV_EXCL_LINE: (?:DefensiveCoding|FallbackCode) \*/")


def is_script(root, file):
    return file.suffix == "" and (Path(root) / file).read_bytes()[:2] == b"#!"


def is_source(root, file):
    return file.suffix in SOURCES or file.name == "CMakeLists.txt" or is_script(root, file)


def head_complaints(root, file):
    lines = tree.text(root, file).split("\n")
    if lines[0].startswith("#!"):
        lines = lines[1:]
    if LICENCE not in lines[0]:
        yield f"{file}:1: no {LICENCE}"
    elif not re.search(r"[A-Za-z]{2}.*\s", "\n".join(lines[1:3])):
        yield f"{file}:2: no line of purpose"


def text_complaints(root, file):
    source = tree.text(root, file)
    for number, line in enumerate(source.split("\n"), 1):
        if MACHINE_PATH.search(line) or OUTSIDE.search(line):
            yield f"{file}:{number}: a path of one machine"
        if UNFINISHED.search(TAP_DIRECTIVE.sub("", line)):
            yield f"{file}:{number}: an unfinished mark"
        if file.suffix != ".tsv" and line != line.rstrip():
            yield f"{file}:{number}: blanks at the end"
        if file.suffix in tree.C_SUFFIXES and EXCLUSION.search(line) and not REASON.search(line):
            yield f"{file}:{number}: a coverage exclusion without its reason"
        if file.suffix in tree.C_SUFFIXES and "\t" in line:
            yield f"{file}:{number}: a tab"
    if source and not source.endswith("\n"):
        yield f"{file}: no newline at the end"


def check(root):
    complaints = []
    for file in tree.files(root):
        if file.parts[0] == "pcaps" and file.suffix not in TEXTS:
            continue
        if is_source(root, file):
            complaints += head_complaints(root, file)
        if file.suffix in TEXTS or file.name.startswith(".") or is_source(root, file):
            complaints += text_complaints(root, file)
    return complaints


if __name__ == "__main__":
    tree.finish("hygiene", check(tree.source_root()))
