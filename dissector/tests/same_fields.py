# SPDX-License-Identifier: BSD-2-Clause
"""The fields of the plugin equal the fields of `iwarp dump`, frame by frame. Its expert infos in these frames are the
findings of the tool. same_fields.py TSHARK TOOL [--every N] CAPTURE|FOLDER..."""
import sys

import agreement
import run_tshark


def main():
    tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]
    run_tshark.on_all(run_tshark.captures(sys.argv[3:]), lambda capture: agreement.compare(tshark, tool, capture))


main()
