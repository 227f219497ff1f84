#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""stats_ratio: the CPU time of `iwarp stats` beside the CPU time of `iwarp check`, on one capture that bigcap makes.

stats_ratio.py TOOL BIGCAP [--octets N] [--kind KIND] [--rounds N]

Runs both in turn, a warm-up round first, and prints the median of the ratios of each pair.  No time is judged: machines are
shared.  Exit status 2 when a program fails.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile


def cpu_time(words):
    """Seconds of user and system time that a program takes."""
    before = os.times()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    if done.returncode != 0:
        sys.exit(2)
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("bigcap")
    parser.add_argument("--octets", type=int, default=600000000)
    parser.add_argument("--kind", default="mixed")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "big.pcap")
        with open(path, "wb") as stream:
            subprocess.run([args.bigcap, str(args.octets), "64", args.kind], stdout=stream, check=True)
        cpu_time([args.tool, "check", path])
        pairs = [(cpu_time([args.tool, "check", path]), cpu_time([args.tool, "stats", path])) for _ in range(args.rounds)]
    ratio = statistics.median(stats / check for check, stats in pairs)
    print("check %.3f s, stats %.3f s, ratio %.2f" % (statistics.median(c for c, _ in pairs), statistics.median(s for _, s in pairs),
                                                      ratio))
    return 0


if __name__ == "__main__":
    sys.exit(main())
