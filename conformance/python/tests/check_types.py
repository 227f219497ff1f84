# SPDX-License-Identifier: BSD-2-Clause
"""mypy --strict accepts the package and a program that uses it, and finds what is wrong: check_types.py PACKAGE."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

WRONG = "import iwarp\nx: str = iwarp.Fpdu.decode(b'').crc\n"


def mypy(package, cache, *words):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *words]
    return subprocess.run(command, env={**os.environ, "MYPYPATH": str(package.parent)}, capture_output=True, text=True, check=False)


def main():
    package = Path(sys.argv[1]).resolve()
    typed = Path(__file__).with_name("typed.py")
    subprocess.run([sys.executable, "-B", typed], env={**os.environ, "PYTHONPATH": str(package.parent)}, check=True)
    with tempfile.TemporaryDirectory() as folder:
        # A cache for each: mypy forgets the exceptions for modules that the other way of calling it has found.
        right = [mypy(package, os.path.join(folder, cache), *alone, str(package), str(typed))
                 for cache, alone in (("with", ()), ("without", ("--no-site-packages",)))]
        wrong = Path(folder) / "wrong.py"
        wrong.write_text(WRONG, encoding="utf-8")
        found = mypy(package, os.path.join(folder, "with"), str(wrong))
    for run in right:
        print(run.stdout, run.stderr)
    if any(run.returncode != 0 for run in right):
        sys.exit("failed: mypy --strict does not accept the package, with the packages of this machine or without them")
    if found.returncode != 1 or "Incompatible types" not in found.stdout:
        print(found.stdout, found.stderr)
        sys.exit("failed: mypy finds no wrong type")


if __name__ == "__main__":
    main()
