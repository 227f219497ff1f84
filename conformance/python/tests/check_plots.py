# SPDX-License-Identifier: BSD-2-Clause
"""The plots of the worked example are drawn, and show what the page shows: check_plots.py ROOT."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

READS, MIX = "pcaps/real/siw/ird-ord-128.pcap", "pcaps/real/siw/veth-tso-mix.pcap"
PLOTS = ("sizes.svg", "latency.svg", "outstanding.svg")


def shown(file):
    """The texts of a plot, and how many points its paths have: these do not depend on the version of matplotlib."""
    text = file.read_text(encoding="utf-8")
    return sorted(t.strip() for t in re.findall(r"<text[^>]*>([^<]*)</text>", text)), len(re.findall(r"<use ", text)) > 0


def main():
    root = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", root / "docs/python/plots.py", READS, MIX, folder], cwd=root, check=True)
        for name in PLOTS:
            if shown(Path(folder) / name) != shown(root / "docs/python" / name):
                sys.exit(f"failed: docs/python/{name} does not show what plots.py draws")


if __name__ == "__main__":
    main()
