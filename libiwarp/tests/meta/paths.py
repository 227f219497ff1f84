# SPDX-License-Identifier: BSD-2-Clause
"""Files that the documents name in backticks are there, and so are functions, types, macros and members."""

import re
from pathlib import Path

import tree

NAMED = re.compile(r"`([\w./-]+\.(?:c|h|def|py|md|tsv|cmake))`")
CALLED = re.compile(r"`((?:iwarp|iwarpi|rules|rulesi|ingest|observe|ep|IWARP|IWARPI)_\w+)(?:\(\))?`")
HEADER = re.compile(r"(?<![\w/`.<-])(iwarp/\w+\.(?:h|def))")
HOLDS = re.compile(r"`(\w+)` \((iwarp/\w+\.(?:h|def))\)")  # a name, and the header that declares it
WORD = re.compile(r"`([A-Za-z_]\w*)`")
ELSEWHERE = re.compile(r"^(?:pcaps|docs/rules)/")  # captures and rule pages name what the lab and the RFCs have

# Display filters of Wireshark's fields, such as the filter of the control flag C.
FILTER = re.compile(r"^iwarp\w*\.[\w.]+\.c$|^enhanced\.c$")  # and the path of this field

# What embedders read: each word in backticks is one of the public headers or of the examples, or the end of one.
EMBEDDERS = {"docs/guide.md", "docs/api-conventions.md"}
PUBLIC = ("libiwarp/include", "conformance/rules/include", "docs/examples")
FOREIGN = {"add_subdirectory", "getsockopt", "tso_segsz", "rte_pktmbuf_attach_extbuf"}

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


def called_complaints(file, text, words):
    for number, line in enumerate(text.split("\n"), 1):
        for name in CALLED.findall(line):
            name = name.removesuffix("_total")  # a counter of OpenMetrics
            if name not in words and not name.endswith("_"):  # one that ends so names many
                yield f"{file}:{number}: nothing is called {name}"


def header_complaints(root, file, text):
    """Headers outside backticks too; and where a document says what a header declares, it does."""
    for number, line in enumerate(text.split("\n"), 1):
        for name in HEADER.findall(line):
            if public_header(root, name) is None:
                yield f"{file}:{number}: there is no {name}"
        for name, header in HOLDS.findall(line):
            path = public_header(root, header)
            if path is not None and not re.search(rf"\b{name}\b", tree.without_comments(tree.text(root, path))):
                yield f"{file}:{number}: {name} is not in {header}"


def public_header(root, name):
    return next((f"{folder}/{name}" for folder in PUBLIC if (root / folder / name).exists()), None)


def public_words(root):
    """Names in code, not in comments: an old name lives on there."""
    files = [file for folder in PUBLIC for file in tree.files(root, folder)]
    return FOREIGN | {word for file in files for word in re.findall(r"\w+", tree.without_comments(tree.text(root, file)))}


def member_complaints(file, text, words):
    for number, line in enumerate(text.split("\n"), 1):
        for name in WORD.findall(line):
            known = any(word.endswith(name) for word in words) if name.startswith("_") else name in words
            if not known and not name.endswith("_"):
                yield f"{file}:{number}: no public header and no example has {name}"


def words_of(root):
    return {word for file in tree.files(root) if file.suffix in SOURCES for word in re.findall(r"\w+", tree.text(root, file))}


def check(root):
    words = words_of(root)
    files = {file.as_posix() for file in tree.files(root)}
    ends = {"/".join(name.split("/")[i:]) for name in files for i in range(name.count("/") + 1)}
    public = public_words(root)
    complaints = []
    for file in tree.files(root):
        if file.suffix == ".md" and not ELSEWHERE.match(file.as_posix()):
            text = tree.text(root, file)
            complaints += named_complaints(file, text, files, ends)
            if file.as_posix() != HISTORY:
                complaints += called_complaints(file, text, words)
                complaints += header_complaints(Path(root), file, text)
            if file.as_posix() in EMBEDDERS:
                complaints += member_complaints(file, text, public)
    return complaints


if __name__ == "__main__":
    tree.finish("paths", check(tree.source_root()))
