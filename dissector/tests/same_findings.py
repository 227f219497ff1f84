# SPDX-License-Identifier: BSD-2-Clause
"""The expert infos of the plugin are the findings of the tool: same_findings.py TSHARK TOOL [--every N] CAPTURE|FOLDER..."""
import sys

import run_tshark


def main():
    tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]

    def same(capture):
        expected = {(f["rule"], f["frame"]) for f in run_tshark.findings(tool, capture)}
        shown = tshark.rules(capture, "-2")
        if shown != expected:
            raise run_tshark.Failed(f"only in Wireshark {sorted(shown - expected)[:9]}, "
                                    f"only in the tool {sorted(expected - shown)[:9]}")
        return len(expected)

    run_tshark.on_all(run_tshark.captures(sys.argv[3:]), same)


main()
