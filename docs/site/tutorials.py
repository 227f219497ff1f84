# SPDX-License-Identifier: BSD-2-Clause
"""Each command of a tutorial runs, and prints what stands below it: tutorials.py ROOT NAME=PROGRAM PAGE...

A block `console` has commands, each after `$ `, and lines of their output. They run in an empty folder with the captures in it, where
NAME runs PROGRAM. A line `...` stands for any lines. Each line of a block `sh` stands in a page that other tests hold.
A block `python` belongs to the tests of the Python package.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
TESTED = ["README.md", "docs/guide.md", "docs/dissector.md", "docs/web.md", "docs/CONTRIBUTING.md", "pcaps/README.md"]
LEFT_OUT = "..."


def blocks(page):
    """Yields the kind of each block, and its lines without their indentation."""
    for indentation, kind, text in BLOCK.findall(page):
        yield kind, [line.removeprefix(indentation) for line in text.split("\n")[:-1]]


def commands(lines):
    """Pairs of a command and the lines that are shown below it."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            sys.exit(f"tutorials: output before any command: {line}")
    return found


def matches(shown, printed):
    """True if the printed lines are the shown ones. LEFT_OUT stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == LEFT_OUT else re.escape(line + "\n") for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def run(command, folder):
    environment = {**os.environ, "PATH": f"{folder}/bin{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.splitlines(), done.stderr, done.returncode


def complaints_of(root, program, page, tested):
    text = page.read_text(encoding="utf-8")
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pcaps").symlink_to(root / "pcaps")
        (Path(folder) / "bin").mkdir()
        name, _, path = program.partition("=")
        (Path(folder) / "bin" / name).symlink_to(Path(path).resolve())
        for kind, lines in blocks(text):
            if kind == "sh":
                number += len(lines)
                yield from (f"{page.name}: no tested page has the line: {line}" for line in lines if line.strip() not in tested)
            elif kind == "python":
                number += len(lines)
            elif kind != "console":
                yield f"{page.name}: a block of the kind {kind or 'none'}: {lines[:1]}"
            else:
                for command, shown in commands(lines):
                    number += 1
                    printed, errors, status = run(command, folder)
                    if not matches(shown, printed) or status not in (0, 1) or (status and not shown):
                        yield f"{page.name}: `{command}` ends with {status} and prints\n" + "\n".join(printed) + errors
    if number == 0:
        yield f"{page.name}: has no command"


def main():
    root, program = Path(sys.argv[1]).resolve(), sys.argv[2]
    tested = {line.strip() for name in TESTED for line in (root / name).read_text(encoding="utf-8").split("\n")}
    tested |= {code for name in TESTED for code in re.findall(r"`([^`\n]+)`", (root / name).read_text(encoding="utf-8"))}
    complaints = [line for page in sys.argv[3:] for line in complaints_of(root, program, Path(page), tested)]
    for complaint in complaints:
        print(complaint)
    print(f"tutorials: {len(sys.argv) - 3} pages, {len(complaints)} complaints")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
