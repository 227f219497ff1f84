# SPDX-License-Identifier: BSD-2-Clause
"""Files that the documents name are there, in links and in backticks, and so are functions, types and macros."""

import re

import tree

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
NAMED = re.compile(r"`([\w./-]+\.(?:c|h|def|py|md|tsv|cmake))`")
CALLED = re.compile(r"`((?:iwarp|iwarpi|rules|rulesi|ingest|observe|ep|IWARP|IWARPI)_\w+)(?:\(\))?`")
ELSEWHERE = re.compile(r"^(?:pcaps|docs/rules)/")  # captures and rule pages name what the lab and the RFCs have

# Display filters of Wireshark's fields, such as that of the control flag C.
FILTER = re.compile(r"^iwarp\w*\.[\w.]+\.c$")

SOURCES = {".c", ".h", ".def", ".in", ".py", ".cmake", ".txt", ".lua"}
HISTORY = "docs/CHANGELOG.md"  # what was once

# What a build makes.
MADE = {"amalgamation/iwarp.c", "iwarp.c"}


def named_complaints(file, text, files, ends):
    for number, line in enumerate(text.split("\n"), 1):
        for name in NAMED.findall(line):
            if FILTER.match(name) or name in MADE:
                continue
            if name not in ends and (file.parent / name).as_posix() not in files:
                yield f"{file}:{number}: there is no {name}"


def link_complaints(root, file, text):
    for number, line in enumerate(text.split("\n"), 1):
        for target in LINK.findall(line):
            if not (root / file.parent / target).exists():
                yield f"{file}:{number}: the link to {target} leads nowhere"


def called_complaints(file, text, words):
    for number, line in enumerate(text.split("\n"), 1):
        for name in CALLED.findall(line):
            if name not in words and not name.endswith("_"):  # one that ends so names many
                yield f"{file}:{number}: nothing is called {name}"


def words_of(root):
    return {word for file in tree.files(root) if file.suffix in SOURCES for word in re.findall(r"\w+", tree.text(root, file))}


def check(root):
    words = words_of(root)
    files = {file.as_posix() for file in tree.files(root)}
    ends = {"/".join(name.split("/")[i:]) for name in files for i in range(name.count("/") + 1)}
    complaints = []
    for file in tree.files(root):
        if file.suffix == ".md" and not ELSEWHERE.match(file.as_posix()):
            text = tree.text(root, file)
            complaints += named_complaints(file, text, files, ends)
            complaints += link_complaints(root, file, text)
            if file.as_posix() != HISTORY:
                complaints += called_complaints(file, text, words)
    return complaints


if __name__ == "__main__":
    tree.finish("paths", check(tree.source_root()))
