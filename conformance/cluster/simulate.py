#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""simulate: how long an archive takes on many machines, by a simulation and by the formula of docs/scale.md.

simulate.py [NAME=VALUE...]       one archive, such as total=1e15 processors=1000 storage=50e9
simulate.py --table               the table of docs/scale.md

    total        octets of the archive
    capture      octets of a capture
    part         octets of a part, as archive.py plan takes them
    split        captures with more octets are cut into shards
    processors   tasks that run at a time
    rate         octets that one processor checks in a second
    shard        time of a shard of N in place of the whole: shard + (1 - shard) / N
    storage      octets that the file system reads in a second, for all
    start        seconds until a task runs
    slow         share of the tasks that run on a slow machine,
    slower       and how many times slower it is
    fails        share of the tasks that are killed, at a random moment, and run again
    result       octets of results for an octet of capture
    merge        octets of results that the merge joins in a second
    seed         of the random numbers
"""

import heapq
import random
import sys

import archive

# As measured with tests/measure.py: captures of bulk transfers, and of connections of 13 kB.
DEFAULTS = {"total": 1e15, "capture": 1e9, "part": 64e9, "split": 256e9, "processors": 1000, "rate": 1e9, "shard": 0.7, "storage": 50e9,
            "start": 2, "slow": 0.02, "slower": 3, "fails": 0.01, "result": 5e-5, "merge": 3.2e7, "seed": 1}
SMALL = {"rate": 1.8e8, "shard": 0.25, "result": 0.056}


class Shared:
    """Tasks that share the file system: all that run read at the same speed, and none faster than a processor checks. So in
    any time all tasks read the same, and the task with the fewest octets left ends next."""

    def __init__(self, v):
        self.v, self.now, self.read, self.running, self.idle = v, 0.0, 0.0, [], []
        self.octets = 0.0

    def speed(self):
        return min(self.v["rate"], self.v["storage"] / len(self.running)) if self.running else 0.0

    def begin(self, work, at):
        """A task with so many octets of work begins at a time, which is not before now."""
        heapq.heappush(self.idle, (at, work))

    def step(self):
        """Goes on to the next moment at which a task begins or ends; returns True if one ended."""
        ends = self.now + (self.running[0] - self.read) / self.speed() if self.running else float("inf")
        begins = self.idle[0][0] if self.idle else float("inf")
        then = min(ends, begins)
        went = (then - self.now) * self.speed()
        self.read += went
        self.octets += went * len(self.running)
        self.now = then
        if begins <= ends:
            heapq.heappush(self.running, self.read + heapq.heappop(self.idle)[1])
            return False
        heapq.heappop(self.running)
        return True


def parts_of(v):
    """Octets of work of each part: a slow machine makes it more, and so does a run that is killed."""
    chance = random.Random(v["seed"])
    captures = [int(v["capture"])] * max(1, round(v["total"] / v["capture"]))
    parts = [octets * (v["shard"] + (1 - v["shard"]) / of if of > 1 else 1) for _, _, _, of, octets in
             archive.parts_of(captures, int(v["part"]), int(v["split"]))]
    work = []
    for octets in sorted(parts, reverse=True):
        octets *= v["slower"] if chance.random() < v["slow"] else 1
        work.append(octets * (1 + chance.random() if chance.random() < v["fails"] else 1))
    return work


def simulate(v):
    """Seconds of the array and of the merge, and the number of parts."""
    waiting = parts_of(v)[::-1]  # the largest is taken first
    parts = len(waiting)
    machine = Shared(v)
    for _ in range(min(int(v["processors"]), parts)):
        machine.begin(waiting.pop(), v["start"])
    running = min(int(v["processors"]), parts)
    while running > 0:
        if machine.step():
            if waiting:
                machine.begin(waiting.pop(), machine.now + v["start"])
            else:
                running -= 1
    return machine.now, v["total"] * v["result"] / v["merge"], parts


def formula(v):
    """The same by docs/scale.md: all work at the least of both speeds, then the last task, which may be on a slow machine."""
    parts_ = parts_of(v)
    work, parts, most = sum(parts_), len(parts_), max(parts_)
    busy = min(v["processors"], parts)
    speed = min(busy * v["rate"], v["storage"])
    rounds = parts / busy
    array = max(work / speed + v["start"] * rounds, most / min(v["rate"], v["storage"]) + v["start"])
    return array, v["total"] * v["result"] / v["merge"]


def table():
    rows = (("1 PB", {}), ("1 PB, storage of 200 GB/s", {"storage": 2e11}), ("1 PB, storage of 1,000 GB/s", {"storage": 1e12}),
            ("1 PB, 250 processors, 200 GB/s", {"processors": 250, "storage": 2e11}),
            ("1 PB, parts of 1 TB, 1,000 GB/s", {"part": 1e12, "storage": 1e12}),
            ("1 PB, no slow machine, 1,000 GB/s", {"slow": 0, "fails": 0, "storage": 1e12}),
            ("1 PB of small connections", SMALL), ("1 TB of small connections", {**SMALL, "total": 1e12}),
            ("one capture of 1 TB, 16 processors, not cut", {"total": 1e12, "capture": 1e12, "split": 1e13, "processors": 16}),
            ("the same, in 16 shards", {"total": 1e12, "capture": 1e12, "split": 63e9, "processors": 16}),
            ("the same, of small connections, in 16 shards", {**SMALL, "total": 1e12, "capture": 1e12, "split": 63e9, "processors": 16}))
    print("| Archive | Parts | Array, simulated | By the formula | Merge |\n|---|---|---|---|---|")
    for name, changed in rows:
        v = {**DEFAULTS, **changed}
        array, merge, parts = simulate(v)
        print("| %s | %d | %s | %s | %s |" % (name, parts, words(array), words(formula(v)[0]), words(merge)))


def words(seconds):
    return "%.1f d" % (seconds / 86400) if seconds >= 86400 else "%.1f h" % (seconds / 3600) if seconds >= 3600 else "%.1f min" % (seconds / 60) if seconds >= 60 else "%.1f s" % seconds


def main(arguments):
    if arguments == ["--table"]:
        table()
        return 0
    v = dict(DEFAULTS)
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name not in v:
            print(__doc__)
            return 2
        v[name] = float(value)
    array, merge, parts = simulate(v)
    print("%d parts: array %s (formula: %s), merge %s" % (parts, words(array), words(formula(v)[0]), words(merge)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
