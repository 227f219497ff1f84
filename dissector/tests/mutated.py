# SPDX-License-Identifier: BSD-2-Clause
"""Spoilt captures: no complaint of GLib or Wireshark, and the same fields and findings as the tool:
mutated.py TSHARK TOOL [--seed N] [--times N] [--every N] CAPTURE|FOLDER... Seed 0 takes another one each time."""
import argparse
import os
import random
import shutil
import tempfile

import agreement
import run_tshark
import traffic


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("tshark")
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=1, help="copies of each capture")
    parser.add_argument("--every", type=int, default=1, help="of so many captures one")
    parser.add_argument("--keep", help="folder for the copies that fail")
    parser.add_argument("captures", nargs="+")
    args = parser.parse_args()
    args.seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    return args


def differs(tool, capture):
    """True if the capture holds octets twice with different values: the plugin does not wait for the copy that counts."""
    return any(line.get("kind") == "octets-differ" for line in run_tshark.tool_lines(tool, "check", capture))


def main():
    args = arguments()
    excused = []
    tshark = run_tshark.Tshark(args.tshark)
    scratch = args.keep or tempfile.mkdtemp()
    os.makedirs(scratch, exist_ok=True)
    os.chmod(scratch, 0o755)
    sources = run_tshark.captures(["--every", str(args.every), *args.captures])

    def one(item):
        number, source = item
        path = os.path.join(scratch, f"{source.stem}-{number}.pcap")
        traffic.spoil(source, random.Random(f"{args.seed} {number}"), path)
        try:
            num = agreement.compare(tshark, args.tool, path)
        except run_tshark.Failed:
            if not differs(args.tool, path):
                raise
            excused.append(path)
            num = 0
        tshark.run(path, "-V")  # all texts, in one pass
        os.unlink(path)
        return num

    print(f"seed {args.seed}")
    try:
        run_tshark.on_all([(number, source) for source in sources for number in range(args.times)], one)
    finally:
        print(f"{len(excused)} captures with copies of octets that differ are shown in another way")
        if not args.keep:
            shutil.rmtree(scratch)


main()
