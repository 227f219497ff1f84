# SPDX-License-Identifier: BSD-2-Clause
"""The expert infos of the plugin are the findings of `iwarp check`: same_findings.py TSHARK-IWARP TOOL CAPTURE|FOLDER..."""
import concurrent.futures
import os
import sys

import run_tshark


def main():
    runner, tool, *places = sys.argv[1:]
    tshark = run_tshark.Tshark(runner)
    files = run_tshark.captures(*places)

    def one(capture):
        expected = {(f["rule"], f["frame"]) for f in run_tshark.check(tool, capture)}
        try:
            shown = tshark.rules(capture, "-2")
        except run_tshark.Failed as error:
            return error, 0
        if shown != expected:
            return f"{capture}: only in Wireshark {sorted(shown - expected)[:9]}, only in the tool {sorted(expected - shown)[:9]}", 0
        return None, len(expected)

    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("CTEST_PARALLEL_LEVEL") or 2)) as pool:
        for error, count in pool.map(one, files):
            total += count
            if error:
                failed += 1
                print("FAILED", error)
    print(f"{len(files)} captures, {total} pairs of rule and frame")
    sys.exit(1 if failed or not files else 0)


main()
