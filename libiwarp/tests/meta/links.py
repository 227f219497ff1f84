# SPDX-License-Identifier: BSD-2-Clause
"""Links between the Markdown pages lead to files and headings that exist, and docs/README.md leads to every page."""

import posixpath
import re
from pathlib import Path

import tree

BLOCK = r"(?ms)^( *)(```+|~~~+)[^\n]*\n.*?^ *\2|<!--.*?-->"  # of code, or a comment
CODE = re.compile(BLOCK + r"|`[^`\n]*`|^(?: {4}|\t)[^\n]*$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"(?m)^#{1,6} +(.*?) *#*$")
INDEX = "docs/README.md"
APART = ("docs/rules/", "docs/cases/")  # their pages have a list of their own


def anchor(title):
    """The anchor that GitHub gives to a heading: small letters, digits, hyphens and underscores; a space is a hyphen."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def plain(heading):
    """The words of a heading, without marks."""
    return re.sub(r"[`*]|!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)


def anchors(text):
    """All anchors of a page. Headings with the same words are numbered."""
    found = {}
    for heading in HEADING.findall(re.sub(BLOCK, "", text)):
        name = anchor(plain(heading))
        found[name] = found.get(name, -1) + 1
    return {name if n == 0 else f"{name}-{n}" for name, count in found.items() for n in range(count + 1)}


def links(text):
    """Yields line and target of each link that leads into the tree."""
    bare = CODE.sub(lambda code: re.sub(r"[^\n]", "", code[0]), text)
    for found in LINK.finditer(bare):
        if not re.match(r"[a-z]+:", found[1]):
            yield bare.count("\n", 0, found.start()) + 1, found[1]


def check(root):
    root = Path(root)
    pages = {file.as_posix(): tree.text(root, file) for file in tree.files(root) if file.suffix == ".md"}
    known = {name: anchors(text) for name, text in pages.items()}
    targets = {}
    for name, text in pages.items():
        for line, target in links(text):
            path, _, part = target.partition("#")
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            targets.setdefault(name, set()).add(path)
            if not (root / path).exists():
                yield f"{name}:{line}: the link to {target} leads nowhere"
            elif part and part not in known.get(path, ()):
                yield f"{name}:{line}: {path} has no heading for #{part}"
    for name in pages:
        if name != INDEX and not name.startswith(APART) and name not in targets.get(INDEX, ()):
            yield f"{INDEX}: has no link to {name}"


if __name__ == "__main__":
    tree.finish("links", list(check(tree.source_root())))
