# SPDX-License-Identifier: BSD-2-Clause
"""mypy --strict accepts the package and a program that uses it, and finds what is wrong: check_types.py PACKAGE."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

WRONG = "import iwarp\nx: str = iwarp.Fpdu.decode(b'').crc\n"


def mypy(package, cache, *files):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *files]
    return subprocess.run(command, env={**os.environ, "MYPYPATH": str(package.parent)}, capture_output=True, text=True, check=False)


def main():
    package = Path(sys.argv[1]).resolve()
    typed = Path(__file__).with_name("typed.py")
    subprocess.run([sys.executable, "-B", typed], env={**os.environ, "PYTHONPATH": str(package.parent)}, check=True)
    with tempfile.TemporaryDirectory() as folder:
        right = mypy(package, folder, str(package), str(typed))
        wrong = Path(folder) / "wrong.py"
        wrong.write_text(WRONG, encoding="utf-8")
        found = mypy(package, folder, str(wrong))
    print(right.stdout, right.stderr)
    if right.returncode != 0:
        sys.exit("failed: mypy --strict does not accept the package")
    if found.returncode != 1 or "Incompatible types" not in found.stdout:
        print(found.stdout, found.stderr)
        sys.exit("failed: mypy finds no wrong type")


if __name__ == "__main__":
    main()
