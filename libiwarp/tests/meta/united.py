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

# Functions and objects that are static, tests of Check, tags, and types: what begins in the first column.
NAMES = (
    re.compile(r"^(?:_Alignas\([^)]*\) )?(?:static|_Thread_local) (?:_Thread_local )?(?:inline )?[^=;(]*?\b(\w+)(?:\(|\[| =|;|$)", re.M),
    re.compile(r"^START_TEST\((\w+)\)", re.M),
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.M),
    re.compile(r"^(?:typedef (?!struct )[^{;]*\b|\} ?)(\w+);", re.M),
    re.compile(r"^typedef [^{;]*\(\*(\w+)\)", re.M),
)
ENUM = re.compile(r"^(?:typedef |static const )?enum \w*\s*\{([^}]*)\}", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
MACRO = re.compile(r"^#define (\w+)\b(.*(?:\\\n.*)*)", re.M)
GUARDED = re.compile(r"^_\w+_SOURCE$")  # what a file wants of the headers of the system


def names(text):
    """What the text of a file calls its own: each function, object, type and enumerator, and each macro that it leaves defined."""
    found = {match for pattern in NAMES for match in pattern.findall(text)}
    for items in ENUM.findall(COMMENT.sub("", text)):
        found |= set(re.findall(r"(?:^|,)\s*(\w+)", items))
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
        more = "enum { LEAST = 2, /* of all, too */\n  MOST };\nSTART_TEST(all_fit) {\n} two;\ntypedef void (*call)(void);\ntypedef struct far far;\n"
        self.assertEqual(names(more), {"LEAST", "MOST", "all_fit", "two", "call"})
        self.assertEqual(shared({"a.c": one, "b.c": "static bool depth(void) {\n#define TOP 3\n#undef TOP\n  static int pair;\n"}),
                         {"depth": ["a.c", "b.c"]})

    def test_files_of_tests_go_together(self):
        texts = {"a.c": "static int x;\n", "b.c": "static bool x;\n", "c.c": "static int y;\n", "d.c": "static int z;\n"}
        self.assertEqual(together.groups(texts, lambda text: set()), [["a.c", "c.c", "d.c"], ["b.c"]])
        y_is_in_its_header = {texts["a.c"]: {"y"}}
        self.assertEqual(together.groups(texts, lambda text: y_is_in_its_header.get(text, set())), [["a.c", "d.c"], ["b.c", "c.c"]])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake"))
    import together  # imports this file

    LIBRARIES = [argument.split(":") for argument in sys.argv[1:]]
    unittest.main(argv=sys.argv[:1])
