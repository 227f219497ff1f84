# SPDX-License-Identifier: BSD-2-Clause
"""A read filter (-2 -R) drops frames and gives their numbers to others: findings, links and parts are shown in the frames that are left,
under their new numbers: read_filter.py TSHARK TOOL [--every N] FILE|FOLDER..."""
import sys

import agreement
import run_tshark

runner, tool, *args = sys.argv[1:]
tshark = run_tshark.Tshark(runner)
FILTERS = ("tcp.len > 0 or sctp", "frame.len > 90 and frame.len < 200")
LINKS = ("iwarp.request_in", "iwarp.response_in", "iwarp.fpdu.first_frame", "iwarp.fpdu.completed_in", "iwarp.message.first",
         "iwarp.message.last", "iwarp.stag.first_frame", "iwarp.accused_frame", "iwarp.nvme.command_in")


def shown(capture, *options):
    """For each frame, by its time and length, the frames that it names."""
    rows = tshark.fields(capture, ["frame.number", *LINKS], "-2", *options)
    return [(int(row[0][0]), [[int(frame) for frame in cell] for cell in row[1:]]) for row in rows]


def renumbered(rows, left):
    """The rows of the frames that are left, as they are after the others are dropped."""
    new = {old: place for place, old in enumerate(left, 1)}
    return [(new[frame], [sorted(new[to] for to in cell if to in new) for cell in cells]) for frame, cells in rows if frame in new]


def one(capture):
    num = 0
    whole = shown(capture)
    findings = agreement.findings(tool, capture)
    for chosen in FILTERS:
        left = [int(frame) for frame in [row[0][0] for row in tshark.fields(capture, ["frame.number"], "-2", "-Y", chosen)]]
        new = {old: place for place, old in enumerate(left, 1)}
        # The last frame of the file, if it is dropped, keeps a number after all others.
        got = [(frame, [sorted(to for to in cell if to <= len(left)) for cell in cells]) for frame, cells in shown(capture, "-R", chosen)]
        run_tshark.equal(got, renumbered(whole, left), chosen)
        agreement.same_findings(tshark.rules(capture, "-2", "-R", chosen),
                                {(rule, new[frame]) for rule, frame in findings if frame in new})
        num += len(left)
    return num


run_tshark.on_all(run_tshark.captures(args), one)
