#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""memory: the memory of `TOOL check` and `dump` does not grow with the capture.

memory.py TOOL BIGCAP --mib N   reads N MiB of conformant traffic from a pipe and fails when more than 64 MiB were
resident, or when the traffic was not found clean.
"""

import argparse
import os
import subprocess
import sys

LIMIT_MIB = 64


def peak_of(tool, words, bigcap, octets, conns, options):
    """Returns (exit status, peak resident MiB) of the tool on a made capture."""
    maker = subprocess.Popen([bigcap, str(octets), str(conns), *options], stdout=subprocess.PIPE)
    child = subprocess.Popen([tool, *words, "-"], stdin=maker.stdout, stdout=subprocess.DEVNULL)
    maker.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if maker.wait() != 0:
        sys.exit(f"memory: {bigcap}: exit status {maker.returncode}")
    return child.returncode, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("bigcap")
    parser.add_argument("--mib", type=int, default=64)
    args = parser.parse_args()
    bad = 0
    for command, words in (("check", ["check", "-q"]), ("dump", ["dump", "-T", "jsonl"]), ("timeline", ["timeline"]),
                           ("check -T html", ["check", "-T", "html"])):
        for conns, options in ((8, []), (8, ["markers"]), (200, [])):
            status, peak = peak_of(args.tool, words, args.bigcap, args.mib << 20, conns, options)
            print(f"{command}, {args.mib} MiB, {conns} connections {' '.join(options)}: exit status {status}, "
                  f"peak {peak:.1f} MiB")
            bad += status != 0 or peak > LIMIT_MIB
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
