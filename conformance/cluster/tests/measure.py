#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""measure: what an archive costs on one machine.   measure.py TOOL BIGCAP FOLDER GB...

FOLDER gets a capture of 1 GB with 64 connections, and one with 20,000 small ones, made by bigcap. An archive of N GB is the first
capture under N names (hard links). So all but the first are read from memory. Prints what the tasks and the merge take, what a shard
takes, and how fast results are merged."""

import os
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import archive

GB = 10**9
PROCESSES = 4


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(*command):
    """Seconds of the processor, and octets printed."""
    used = processor()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return processor() - used, len(done.stdout)


def row(tool, folder, capture, count):
    """Plans and checks an archive of so many captures."""
    names, work = os.path.join(folder, "archive"), os.path.join(folder, "work")
    os.mkdir(names)
    for number in range(count):
        os.link(capture, os.path.join(names, "%06d.pcap" % number))
    script = [sys.executable, "-B", os.path.join(os.path.dirname(os.path.abspath(archive.__file__)), "archive.py")]
    subprocess.check_call(script + ["plan", work, "--part", "10G", "--iwarp", tool, names], stdout=subprocess.DEVNULL)
    plan, used = archive.Plan(work), processor()
    archive.run_tasks(plan, script[-1], PROCESSES)
    used = processor() - used
    merge = measured(*script, "merge", work)[0]
    octets = os.path.getsize(os.path.join(work, "result.jsonl"))
    print("| %d GB | %d | %.1f | %.2f | %d | %.2f |" % (count, len(plan.parts), used, count / used, octets, merge), flush=True)
    shutil.rmtree(names)
    shutil.rmtree(work)


def shards(tool, bigcap, folder, name, *words):
    """What a shard takes of the time of the whole, for a capture that bigcap makes, and how fast its results are merged."""
    capture = os.path.join(folder, name + ".pcap")
    if not os.path.exists(capture):
        with open(capture, "wb") as out:
            subprocess.check_call([bigcap, *words], stdout=out)
    results = [os.path.join(folder, "part%d" % n) for n in range(2)]
    for n, path in enumerate(results):
        with open(path, "wb") as out:
            subprocess.call([tool, "check", "--shard", "%d/2" % n, capture], stdout=out)
    whole = measured(tool, "check", "--shard", "0/1", capture)[0]
    parts = ["%.2f of 1 for %d" % (measured(tool, "check", "--shard", "0/%d" % of, capture)[0] / whole, of) for of in (4, 16)]
    size = os.path.getsize(capture)
    merge, octets = measured(tool, "merge", *results)
    print("%s: %.2f GB/s; a shard %s; %.2g octets of results an octet of capture, merged at %.0f MB/s" % (
        name, size / whole / 1e9, ", ".join(parts), octets / size, octets / merge / 1e6), flush=True)
    return capture


def main(tool, bigcap, folder, *counts):
    capture = shards(tool, bigcap, folder, "bulk", str(GB), "64")
    shards(tool, bigcap, folder, "small", str(GB // 10), "20000", "many")
    print("| Archive | Parts | Tasks, processor s | GB/s of a processor | Octets of the result | Merge, processor s |\n|---|---|---|---|---|---|")
    for count in counts:
        row(tool, folder, capture, int(count))


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:4]), *sys.argv[4:])
