#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""html_ratio: the HTML report of a long connection beside a plain page of the same octets, drawn by headless Chromium.

html_ratio.py TOOL BIGCAP [--pdus N] [--rounds N]

Draws three pages in turn, a warm-up round first: the report, the same octets as text of one element, and nothing.  Prints
medians of the elapsed times, and the ratio of the first two, as they are and without what the empty page takes.  No time is
judged: machines are shared.  Exit status 2 when a program is missing or fails.
"""

import argparse
import html
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OCTETS_OF_A_PDU = 1700  # of bigcap's
PLAIN = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>plain</title></head><body><pre>%s</pre></body></html>\n"


def draw(browser, path, folder):
    """Seconds from start to end of a browser that draws a page."""
    words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
             "--user-data-dir=" + os.path.join(folder, "profile"), "--screenshot=" + os.path.join(folder, "drawn.png"),
             "file://" + path]
    begun = time.monotonic()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(2)
    return time.monotonic() - begun


def write_pages(tool, bigcap, pdus, folder):
    """{name: path} of the pages."""
    capture = os.path.join(folder, "many.pcap")
    with open(capture, "wb") as stream:
        subprocess.run([bigcap, str(pdus * OCTETS_OF_A_PDU), "1"], stdout=stream, check=True)
    report = subprocess.run([tool, "check", "-T", "html", capture], stdout=subprocess.PIPE, check=False).stdout.decode("utf-8")
    paths = {}
    for name, text in (("report", report), ("plain", PLAIN % html.escape(report)), ("empty", PLAIN % "")):
        paths[name] = os.path.join(folder, name + ".html")
        with open(paths[name], "w", encoding="utf-8") as out:
            out.write(text)
    print("%d PDUs, %.1f MB" % (report.count('["p",'), len(report) / 1e6))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("bigcap")
    parser.add_argument("--pdus", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("html_ratio: none of %s is installed" % ", ".join(BROWSERS), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        paths = write_pages(args.tool, args.bigcap, args.pdus, folder)
        times = {name: [] for name in paths}
        for number in range(args.rounds + 1):
            for name, path in paths.items():
                seconds = draw(browser, path, folder)
                if number > 0:
                    times[name].append(seconds)
    median = {name: statistics.median(values) for name, values in times.items()}
    print("report %(report).2f s, plain page %(plain).2f s, empty page %(empty).2f s" % median)
    print("report/plain: %.2f; without the empty page: %.2f" %
          (median["report"] / median["plain"],
           max(median["report"] - median["empty"], 0) / max(median["plain"] - median["empty"], 1e-3)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
