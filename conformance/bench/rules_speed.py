#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rules_speed: what all rules cost, beside reading the capture and the CRCs.

rules_speed.py TOOL CAPTURE [ROUNDS]: runs `check -q` with all rules and with --only 'mpa.crc*' in
turn, and prints the CPU time (user and system) of the fastest run of each, and their ratio, which
is to be at most 1.5.  A large capture: `bigcap` makes one of any size.
"""

import argparse
import os
import subprocess


def seconds(command):
    """The CPU time that a command takes."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


def main():
    parser = argparse.ArgumentParser(description="CPU time of check with all rules beside that of the CRC rules alone.")
    parser.add_argument("tool")
    parser.add_argument("capture")
    parser.add_argument("rounds", nargs="?", type=int, default=9)
    args = parser.parse_args()
    commands = [[args.tool, "check", "-q", args.capture],
                [args.tool, "check", "-q", "--only", "mpa.crc*", args.capture]]
    times = [[], []]
    for _ in range(args.rounds):
        for of, command in zip(times, commands):
            of.append(seconds(command))
    every, crc = (min(of) for of in times)
    print("all rules %.3f s, mpa.crc* alone %.3f s, ratio %.2f" % (every, crc, every / crc))


if __name__ == "__main__":
    main()
