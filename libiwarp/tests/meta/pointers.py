# SPDX-License-Identifier: BSD-2-Clause
"""Only base/cursor.h and base/span.h make pointers to wire octets out of lengths, as far as text can tell. In the codec
only the cursor copies: it takes the size of an array from its type, which the proof compares with the length.

An index into a span whose length was asked before is no pointer. A line that must still make one says why it stays
inside: a comment on the line that begins with "bound:".
"""

import re

import tree

PLACES = ["libiwarp/src", "conformance/rules"]
# The choke points themselves, and the checksum, whose whole work is to walk over octets.
EXEMPT = ("libiwarp/src/base/cursor.h", "libiwarp/src/base/span.h", "libiwarp/src/crc32c/")

PATTERNS = [
    (re.compile(r"(?:\.|->)ptr\s*(?:\+|-=|--)"), "arithmetic on a span's pointer"),
    (re.compile(r"&\s*[\w.>-]+(?:\.|->)ptr\s*\["), "the address of an octet of a span"),
    (re.compile(r"\*\s*\(?\s*(?:const\s+)?(?:struct\s+\w+|uint(?:8|16|32|64)_t)\s*\*\s*\)\s*\w"),
     "octets read through a cast pointer"),
    (re.compile(r"\*\s*ptr\s*\+\+"), "a pointer walked by hand"),
]

CODEC = tuple(f"libiwarp/src/{layer}/" for layer in ("base", "ddp", "field", "mpa", "rdmap"))
COPY = (re.compile(r"\bmem(?:cpy|move|set)\("), "a copy beside the cursor")


def check(root):
    complaints = []
    for place in PLACES:
        for file in tree.c_files(root, place):
            if file.as_posix().startswith(EXEMPT):
                continue
            source = tree.text(root, file)
            patterns = PATTERNS + [COPY] if file.as_posix().startswith(CODEC) else PATTERNS
            lines = zip(source.split("\n"), tree.without_comments(source).split("\n"))
            for number, (whole, code) in enumerate(lines, 1):
                if "/* bound: " not in whole:
                    complaints += [f"{file}:{number}: {what}" for pattern, what in patterns if pattern.search(code)]
    return complaints


if __name__ == "__main__":
    tree.finish("pointers", check(tree.source_root()))
