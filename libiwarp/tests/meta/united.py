# SPDX-License-Identifier: BSD-2-Clause
"""The files of a library that IWARP_UNITY compiles as one source have different names for what is their own.

united.py FILE:FILE...   an argument for each library
"""

import collections
import re
import sys
import unittest
from pathlib import Path

LIBRARIES = []  # the lists of files

# Functions and objects that are static, macros, and tags: what begins in the first column.
NAMES = (
    re.compile(r"^(?:_Alignas\([^)]*\) )?static (?:inline )?[\w \*]*?\b([a-z_]\w*)(?:\(|\[| =|;|$)", re.M),
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.M),
)
MACRO = re.compile(r"^#define (\w+)\b(.*(?:\\\n.*)*)", re.M)
GUARDED = re.compile(r"^_\w+_SOURCE$")  # what a file wants of the headers of the system


def names(text):
    """What the text of a file calls its own: each function, object and tag, and each macro that it leaves defined."""
    found = {match for pattern in NAMES for match in pattern.findall(text)}
    left = {name for name, _ in MACRO.findall(text) if f"#undef {name}\n" not in text and not GUARDED.match(name)}
    return found | left


def shared(texts):
    """A dictionary of names and their files, for those that several of the files have; texts: by file."""
    where = collections.defaultdict(list)
    for file, text in texts.items():
        for name in names(text):
            where[name].append(file)
    return {name: sorted(files) for name, files in where.items() if len(files) > 1}


class United(unittest.TestCase):
    def test_each_name_is_in_one_file(self):
        for files in LIBRARIES:
            texts = {file: Path(file).read_text(encoding="utf-8") for file in files}
            self.assertEqual(shared(texts), {}, "the stages of the gate with IWARP_UNITY compile these files as one source")

    def test_what_is_found(self):
        one = "static int depth;\nstatic const char *const *names_of(void) {\n#define TOP 2\ntypedef struct pair {\n"
        self.assertEqual(names(one), {"depth", "names_of", "TOP", "pair"})
        self.assertEqual(shared({"a.c": one, "b.c": "static bool depth(void) {\n#define TOP 3\n#undef TOP\n  static int pair;\n"}),
                         {"depth": ["a.c", "b.c"]})


if __name__ == "__main__":
    LIBRARIES = [argument.split(":") for argument in sys.argv[1:]]
    unittest.main(argv=sys.argv[:1])
