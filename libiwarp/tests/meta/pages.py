# SPDX-License-Identifier: BSD-2-Clause
"""docs/man/pages.py makes a page of each public header, which names all of its functions, and mandoc has no diagnostic."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import symbols
import tree

RULES = "conformance/rules/include/iwarp/rules.h"


def functions(root):
    return set(symbols.listed(root)) | set(re.findall(r"^IWARP_API .*?(iwarp_\w+)\(", tree.text(root, RULES), re.MULTILINE))


def complaints_of(root, out):
    made = {path.name: path for path in Path(out).rglob("*.[35]")}
    headers = [f for f in tree.files(root) if f.suffix == ".h" and f.parent.name == "iwarp" and f.parent.parent.name == "include"]
    wanted = {f"iwarp_{header.name}.3" for header in headers} | {"libiwarp.3", "iwarp-scenario.5"}
    yield from (f"no page {name}" for name in sorted(wanted - set(made)))
    yield from (f"no page {name}.3" for name in sorted(functions(root)) if f"{name}.3" not in made)
    for name, path in sorted(made.items()):
        text = path.read_text(encoding="utf-8")
        if text.startswith(".so "):
            target = Path(out) / text.split()[1]
            if not target.exists() or f"\n.Nm {path.stem}" not in target.read_text(encoding="utf-8"):
                yield f"{name} leads to {target.name}, which does not name it"
        elif name not in wanted:
            yield f"{name} is a page of nothing"
        elif shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True, check=False)
            yield from done.stdout.splitlines()
    scenario = made["iwarp-scenario.5"].read_text(encoding="utf-8")
    words = set(re.findall(r"`([\w-]+)", "".join(re.findall(r"^\|([^|]*)\|", tree.text(root, "docs/scenarios.md"), re.MULTILINE))))
    yield from (f"iwarp-scenario(5) lacks {word}" for word in sorted(words) if f"\\fB{word}" not in scenario)


if __name__ == "__main__":
    here = tree.source_root()
    if shutil.which("mandoc") is None:
        print("skipped: mandoc is not installed, so the form of the pages is not checked")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", here / "docs/man/pages.py", Path(folder) / "man"], check=True)
        tree.finish("pages", list(complaints_of(here, Path(folder) / "man")))
