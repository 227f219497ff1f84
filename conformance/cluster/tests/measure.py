#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""measure: what an archive costs on one machine.   measure.py TOOL BIGCAP FOLDER GB...

FOLDER gets a capture of 1 GB, made by bigcap. An archive of N GB is that capture under N names (hard links). So all
but the first are read from memory. Prints what the tasks and the merge take, what a shard takes, and how fast results are merged."""

import os
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import archive

GB = 10**9


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(*command):
    """Seconds that pass and of the processor, and octets printed."""
    begin, used = time.monotonic(), processor()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - begin, processor() - used, len(done.stdout)


def row(tool, folder, capture, count):
    """Plans and checks an archive of so many captures."""
    names, work = os.path.join(folder, "archive"), os.path.join(folder, "work")
    os.mkdir(names)
    for number in range(count):
        os.link(capture, os.path.join(names, "%06d.pcap" % number))
    script = [sys.executable, "-B", os.path.join(os.path.dirname(os.path.abspath(archive.__file__)), "archive.py")]
    subprocess.check_call(script + ["plan", work, "--part", "10G", "--iwarp", tool, names], stdout=subprocess.DEVNULL)
    wall, used = 0.0, 0.0
    for index in range(len(archive.Plan(work).tasks)):
        took = measured(*script, "task", work, str(index))
        wall, used = wall + took[0], used + took[1]
    merge = measured(*script, "merge", work)
    octets = os.path.getsize(os.path.join(work, "result.jsonl"))
    print("| %d GB | %d | %.1f | %.2f | %.1f | %d | %.2f |" % (count, len(archive.Plan(work).parts), wall, count / used, used, octets, merge[1]),
          flush=True)
    shutil.rmtree(names)
    shutil.rmtree(work)


def shards(tool, capture, folder, bigcap):
    whole = min(measured(tool, "check", "--shard", "0/1", capture)[1] for _ in range(3))
    for of in (4, 16):
        print("a shard of %d: %.2f of the time of the whole" % (of, sum(
            measured(tool, "check", "--shard", "%d/%d" % (n, of), capture)[1] for n in range(4)) / 4 / whole), flush=True)
    many = os.path.join(folder, "many.pcap")
    with open(many, "wb") as out:
        subprocess.check_call([bigcap, str(GB // 10), "200000", "many"], stdout=out)
    results = []
    for n in range(2):
        results.append(os.path.join(folder, "part%d" % n))
        with open(results[-1], "wb") as out:
            subprocess.call([tool, "check", "--shard", "%d/2" % n, many], stdout=out)
    size = sum(map(os.path.getsize, results))
    _, used, octets = measured(tool, "merge", *results)
    print("%d octets of capture, %d of results: merged at %.0f MB/s" % (os.path.getsize(many), octets, size / used / 1e6))


def main(tool, bigcap, folder, *counts):
    capture = os.path.join(folder, "one.pcap")
    if not os.path.exists(capture):
        with open(capture, "wb") as out:
            subprocess.check_call([bigcap, str(GB), "64"], stdout=out)
    shards(tool, capture, folder, bigcap)
    print("| Archive | Parts | Seconds | GB/s | Processor s | Octets of the result | Merge, processor s |\n|---|---|---|---|---|---|---|")
    for count in counts:
        row(tool, folder, capture, int(count))


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:4]), *sys.argv[4:])
