# SPDX-License-Identifier: BSD-2-Clause
"""The fields of the plugin equal the fields of `iwarp dump`, frame by frame: same_fields.py TSHARK TOOL [--every N]
CAPTURE|FOLDER..."""
import sys

import agreement
import run_tshark


def main():
    tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]

    def same(capture):
        wanted = agreement.from_dump(run_tshark.tool_lines(tool, "dump", capture, "-V"))
        shown = agreement.from_tshark(tshark.fields(capture, ["frame.number", *agreement.FIELDS], "-2", "-Y", "iwarp"),
                                      agreement.packets(capture))
        agreement.same_fields(shown, wanted)
        return len(wanted)

    run_tshark.on_all(run_tshark.captures(sys.argv[3:]), same)


main()
