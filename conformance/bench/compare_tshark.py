#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare_tshark: `iwarp check` against `tshark -q -z io,stat,0` on one capture, side by side.

Runs both in turn, after a warm-up round. Prints the ratios of CPU time and of elapsed time for each round, their
medians, and the peak memory of both.  No time is judged: machines are
shared.  Exit status 2 when a program is missing or fails.
"""

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time


def run(words):
    """Runs a program; returns (elapsed seconds, CPU seconds, peak resident KiB)."""
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit("compare_tshark: %s: exit status %d" % (words[0], child.returncode))
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", help="the iwarp executable")
    parser.add_argument("capture")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if shutil.which("tshark") is None:
        print("compare_tshark: tshark is not installed", file=sys.stderr)
        return 2
    ours = shlex.split(args.tool) + ["check", "-q", args.capture]
    theirs = ["tshark", "-r", args.capture, "-q", "-z", "io,stat,0"]
    elapsed, cpu, peak = [], [], [0, 0]
    for number in range(args.rounds + 1):
        mine, other = run(ours), run(theirs)
        peak = [max(peak[0], mine[2]), max(peak[1], other[2])]
        if number == 0:
            continue
        elapsed.append(other[0] / mine[0])
        cpu.append(other[1] / mine[1])
        print("round %d: tshark/iwarp elapsed %.1f, CPU %.1f" % (number, elapsed[-1], cpu[-1]))
    print("median of %d rounds: tshark/iwarp elapsed %.1f, CPU %.1f" %
          (args.rounds, statistics.median(elapsed), statistics.median(cpu)))
    print("peak memory: iwarp %.1f MiB, tshark %.1f MiB" % (peak[0] / 1024, peak[1] / 1024))
    return 0


if __name__ == "__main__":
    sys.exit(main())
