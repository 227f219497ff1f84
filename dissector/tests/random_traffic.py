# SPDX-License-Identifier: BSD-2-Clause
"""Random captures of conformant traffic: the plugin's fields and findings equal the tool's, whose fields equal an
independent decoder's: random_traffic.py TSHARK TOOL [--seed N] COUNT. Seed 0 takes another one each time; a failure
names its own."""
import os
import random
import shutil
import tempfile

import agreement
import run_tshark
import traffic

import compare
import refdec


def same_as_independent(tool, made):
    """The tool's fields equal the fields of a decoder that shares no code with it."""
    _, found = compare.compare_capture(tool, made.path, refdec.Options())
    if found:
        raise run_tshark.Failed(f"the independent decoder: {found[:3]}")


def main():
    args = run_tshark.seeded()
    tshark = run_tshark.Tshark(args.tshark)
    scratch = tempfile.mkdtemp()
    os.chmod(scratch, 0o755)
    kept = []

    def one(seed):
        made = traffic.Made(os.path.join(scratch, f"{seed}.pcap"), random.Random(seed))
        kept.append(made.certain)
        num = agreement.compare(tshark, args.tool, made.path, made.options, made.tool_options)
        if made.certain:
            same_as_independent(args.tool, made)
        os.unlink(made.path)
        return num

    print(f"seeds from {args.seed} on")
    try:
        run_tshark.on_all(range(args.seed, args.seed + args.count), one)
    finally:
        print(f"{sum(kept)} of them by the independent decoder too")
        shutil.rmtree(scratch)


main()
