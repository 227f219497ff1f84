# SPDX-License-Identifier: BSD-2-Clause
"""The expert infos of the plugin are the findings of the tool: same_findings.py TSHARK TOOL [--every N] CAPTURE|FOLDER..."""
import sys

import agreement
import run_tshark


def main():
    tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]

    def same(capture):
        expected = agreement.findings(tool, capture)
        agreement.same_findings(agreement.by_packet(tshark.rules(capture, "-2"), agreement.packets(capture)), expected)
        return len(expected)

    run_tshark.on_all(run_tshark.captures(sys.argv[3:]), same)


main()
