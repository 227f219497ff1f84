# SPDX-License-Identifier: BSD-2-Clause
"""The target uninstall removes what was installed, and nothing else.   uninstall.py CMAKE BUILD-DIR PREFIX"""

import shutil
import subprocess
import sys
from pathlib import Path


def main(cmake, build, prefix):
    prefix = Path(prefix)
    shutil.rmtree(prefix, ignore_errors=True)
    foreign = prefix / "include/iwarp/of_another.h"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("", encoding="utf-8")
    (prefix / "share/man").mkdir(parents=True)
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    installed = [p for p in prefix.rglob("*") if not p.is_dir()]
    assert len(installed) > 50, installed
    subprocess.run([cmake, "--build", build, "--target", "uninstall"], check=True, stdout=subprocess.DEVNULL)
    left = [p for p in prefix.rglob("*") if not p.is_dir()]
    assert left == [foreign], left
    empty = [p for p in prefix.rglob("*iwarp*") if p.is_dir() and p != foreign.parent]
    assert not empty, empty
    again = subprocess.run([cmake, "--build", build, "--target", "uninstall"], capture_output=True, text=True, check=False)
    assert again.returncode != 0 and "no install_manifest.txt" in again.stdout + again.stderr, again.stdout
    print("removed %d files" % (len(installed) - 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
