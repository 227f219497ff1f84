# SPDX-License-Identifier: BSD-2-Clause
"""Diagnoses are expert infos at the frame that they name first, as `iwarp check` has them: diagnoses.py TSHARK TOOL [--every N] FILE|FOLDER...

Diagnoses of TCP connections without iWARP are the tool's alone: such frames are left to Wireshark.
"""
import sys

import agreement
import run_tshark

tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]
FIELDS = [row.split("\t")[2] for row in run_tshark.run([sys.argv[1], "-G", "fields"]).split("\n") if "\tiwarp.diagnosis." in row]


def of_tool(lines):
    """The set of (id, frame) of the connections."""
    return {(d["id"], d["frames"][0]) for line in lines if "conn" in line for d in line.get("diagnosis", ()) if d["frames"]}


def of_wireshark(capture, numbers):
    """The same of expert infos."""
    names = sorted(FIELDS)
    rows = tshark.fields(capture, ["frame.number", *names], "-2", "-Y", "iwarp")
    return {(name.removeprefix("iwarp.diagnosis."), numbers.get(int(frame[0]), int(frame[0])))
            for frame, *cells in rows for name, cell in zip(names, cells) if cell}


def compare(capture):
    lines = run_tshark.tool_lines(tool, "check", capture)
    wanted, shown = of_tool(lines), of_wireshark(capture, agreement.packets(capture))
    # The plugin does not wait for another copy of octets: which segments were sent again is counted in another way.
    wanted, shown = ({(which, 0 if which == "packets-lost" else frame) for which, frame in found} for found in (wanted, shown))
    run_tshark.equal(sorted(shown), sorted(wanted))
    return len(wanted)


run_tshark.on_all(run_tshark.captures(sys.argv[3:]), compare)
