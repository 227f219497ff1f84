# SPDX-License-Identifier: BSD-2-Clause
"""The guide's table of sizes is what the engines say: sizes.py PROGRAM GUIDE"""

import subprocess
import sys
from pathlib import Path


def main(program, guide):
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    if printed in Path(guide).read_text(encoding="utf-8"):
        print("sizes: 0 complaint(s)")
        return 0
    print(f"sizes: not in {guide}:\n{printed}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
