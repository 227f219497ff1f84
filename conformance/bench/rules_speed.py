#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rules_speed: what all rules cost, beside reading the capture and the CRCs.

rules_speed.py TOOL CAPTURE [ROUNDS]: runs `check -q` with all rules and with --only 'mpa.crc*' in
turn, and prints the CPU time (user and system) of the fastest run of each, and their ratio, which
is to be at most 1.5.  A large capture: `bigcap` makes one of any size.
"""

import os
import subprocess
import sys


def seconds(command):
    """The CPU time that a command takes."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


def main(tool, capture, rounds="9"):
    commands = [[tool, "check", "-q", capture], [tool, "check", "-q", "--only", "mpa.crc*", capture]]
    times = [[], []]
    for _ in range(int(rounds)):
        for of, command in zip(times, commands):
            of.append(seconds(command))
    every, crc = (min(of) for of in times)
    print("all rules %.3f s, mpa.crc* alone %.3f s, ratio %.2f" % (every, crc, every / crc))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
