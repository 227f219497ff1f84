#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""unsuspected: `TOOL check` suspects nothing in conformant connections that were captured badly.

unsuspected.py TOOL [--seed N] [--keep DIR] COUNT: COUNT conformant connections of storage, of benchmarks and at random, each
captured in mid-stream, with losses, with cut packets, or several of these at once.  Any finding is an error.  Seed 0 takes
another one each time.
"""

import random

import kit  # noqa: F401  isort: skip
import capfile
import degraded
import faults
import gencaps
import lost_before
import random_check
import variants
from gencaps import INITIATOR, RESPONDER


# Requests that were judged after their answers.
ONCE_WRONG = (77924,)


class Ring(faults.OnePacket):
    """Reads into a ring of buffers, as many of them on the way as ORD allows: a benchmark."""

    def __init__(self, rng, conn):
        super().__init__(rng, conn, rng.random() < 0.7)
        self.room = 1408
        self.buffers, self.most = rng.randrange(1, 40), rng.choice((1, 2, 4, 8, 16, 16, 32))
        self.size = rng.choice((8, 512, 4096))

    def negotiation(self):
        flags, offered = super().negotiation()
        for fields in flags:
            fields["enhanced"] = (self.most, self.most, "")
        return flags, offered

    def read(self, role, number):
        asked = (9, 4096 * (number % self.buffers), self.size)
        self.requests[role].append(asked)
        self.untagged(role, gencaps.READ_REQUEST, gencaps.read_request_header(*asked, 77, 4096))

    def reads(self, role, number):
        """Asks for so many, and answers one when no more may be on the way, or now and then."""
        for at in range(number):
            while len(self.requests[role]) == self.most or (self.requests[role] and self.rng.random() < 0.1):
                self.answer(1 - role, *self.requests[role].pop(0))
            self.read(role, at)
        self.settle()


def storage(rng, talk):
    talk.startup()
    talk.untagged(INITIATOR, gencaps.SEND, b"")
    for _ in range(rng.randrange(10, 60)):
        talk.round()


def benchmark(rng, talk):
    talk.startup()
    talk.untagged(INITIATOR, gencaps.SEND, b"")
    for _ in range(rng.choice((1, 1, 3))):
        talk.reads(rng.choice((INITIATOR, RESPONDER)), rng.randrange(20, 150))
        for _ in range(rng.randrange(3)):
            talk.untagged(rng.randrange(2), gencaps.SEND, rng.randbytes(64))


TALKS = ((storage, lambda rng, conn: degraded.Storage(rng, conn, rng.random() < 0.7)),
         (storage, lost_before.Rounds), (benchmark, Ring))


def conversation(rng):
    """A conformant Capture: of any payload and framing, of storage, or of a benchmark."""
    kind = rng.randrange(len(TALKS) + 1)
    if kind == len(TALKS):
        return faults.conformant(rng, 60)
    run, make = TALKS[kind]
    cap, conn = degraded.opened(rng)
    run(rng, make(rng, conn))
    conn.close()
    return cap


def late(packets, rng):
    return packets[rng.randrange(len(packets) * 2 // 3):]


def lossy(packets, rng):
    share = rng.choice((0.01, 0.01, 0.05, 0.2))
    return [p for p in packets if rng.random() >= share]


def cut(packets, rng):
    return variants.snapped(packets, rng.choice((96, 128, 128, 200)))


STEPS = {"mid-stream": (late,), "loss": (lossy,), "cut": (cut,), "mid-stream, cut": (late, cut), "mid-stream, loss": (late, lossy),
         "loss, cut": (lossy, cut), "mid-stream, loss, cut": (late, lossy, cut)}


class Case:
    def __init__(self, seed, folder):
        rng = random.Random("unsuspected %d" % seed)
        self.seed, self.kind, self.name = seed, "conformant", ""
        cap = conversation(rng)
        path = "%s/%d.pcap" % (folder, seed)
        cap.write(path)
        packets = variants.load(capfile.read_capture(path))
        self.how = rng.choice(sorted(STEPS))
        for step in STEPS[self.how]:
            packets = step(packets, rng)
        capfile.write_pcap(path, packets, cap.link)
        self.paths = [path]


def differs(case, found):
    return ["%s %s" % (line["certainty"], random_check.described(line))
            for path in case.paths for line in random_check.findings(found[path.rsplit("/", 1)[1]])]


if __name__ == "__main__":
    raise SystemExit(random_check.Run("connections that were captured badly", Case, differs, ONCE_WRONG).main())
