# SPDX-License-Identifier: BSD-2-Clause
"""Puts files of tests together into few sources for the compiler: together.py OUT FILE...

Writes OUT-0.c, OUT-1.c and so on, and prints their names. The files that one of them includes have no name of their own in
common. No such name stands in a header that another of the files includes. Of check_x.c main becomes main_of_check_x.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "meta"))
import tree
import united

INCLUDE = re.compile(r'^#include [<"]([^">]+)', re.M)
DECLARED = re.compile(r"^[a-z][^\n;={(#]*?\b(\w+)(?:\(|\[|;)", re.M)  # functions, objects, types of structures


class Headers:
    """What the headers of the project declare."""

    def __init__(self, root):
        self.by_name, self.known = {}, {}
        for folder in ("libiwarp", "conformance"):
            for path in sorted((root / folder).rglob("*.h")) + sorted((root / folder).rglob("*.def")):
                self.by_name.setdefault(path.name, []).append(path)

    def of(self, path):
        """The names that a file and all that it includes declare for others."""
        if path not in self.known:
            text = path.read_text(encoding="utf-8")
            self.known[path] = united.names(text) | set(DECLARED.findall(text))  # before the rest: headers may come back
            self.known[path] = self.known[path] | self.included(text)
        return self.known[path]

    def included(self, text):
        found = set()
        for name in INCLUDE.findall(text):
            for path in self.by_name.get(Path(name).name, []):
                if path.as_posix().endswith("/" + name):
                    found |= self.of(path)
        return found


def groups(texts, included):
    """Lists of files that go together; texts: by file; included(text): the names of its headers.

    A file joins the first list that it fits."""
    found = []
    for file, text in texts.items():
        own, others = united.names(text), included(text)
        for group in found:
            if not own & (group["own"] | group["others"]) and not others & group["own"]:
                break
        else:
            group = {"own": set(), "others": set(), "files": []}
            found.append(group)
        group["own"] |= own
        group["others"] |= others
        group["files"].append(file)
    return [group["files"] for group in found]


def source(files):
    return "".join(f'#define main main_of_{Path(file).stem}\n#include "{file}"\n#undef main\n' for file in files)


def main(out, files):
    texts = {file: Path(file).read_text(encoding="utf-8") for file in files}
    for number, group in enumerate(groups(texts, Headers(tree.source_root()).included)):
        path, text = Path(f"{out}-{number}.c"), source(group)
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # what is as before is not compiled again
            path.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
