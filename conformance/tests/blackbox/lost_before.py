#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""lost_before: `TOOL check` finds a fault though a packet before it is missing from the capture.

lost_before.py TOOL [--seed N] COUNT: COUNT conversations for each fault, distance and direction of
the missing packet.  Each conversation is captured whole and without that packet.  The fault of the
whole capture is found in both, of the same octets; nothing else is found.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import faults
import gencaps
import variants
from gencaps import tagged, untagged

DISTANCES = (60, 150, 280)
AFTER = 10  # rounds of the conversation after the fault


def response_order(t, role):
    """The later of two Reads is answered first."""
    t.settle()
    for sink in (4096, 8192):
        header = gencaps.read_request_header(1, sink, 16, 2, 8192)
        t.spoilt(1 - role, untagged(gencaps.READ_REQUEST, 1, t.due(1 - role, 1), 0, header))
    place = t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 8192, bytes(16)))
    t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 4096, bytes(16)))
    return [place]


def short_response(t, role):
    faults.asked(t, role)
    return [t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 4096, bytes(15)))]


FAULTS = {
    "rdmap.read-response-stag": faults.read_response_stag,
    "rdmap.read-response-length": short_response,
    "rdmap.reads-outstanding": faults.reads_outstanding,
    "rdmap.response-order": response_order,
    "rdmap.atomic-response-id": faults.atomic_response_id,
}


class Rounds(faults.OnePacket):
    """Rounds of Sends, Writes, Reads and Atomic Operations of both sides, with CRCs."""

    def __init__(self, rng, conn):
        super().__init__(rng, conn, True)
        self.room, self.sink = 1400, 0

    def read(self, role):
        self.sink += 4096
        asked = (5, self.sink, self.rng.choice((0, 100, 1400, 3000)))
        self.requests[role].append(asked)
        self.untagged(role, gencaps.READ_REQUEST, gencaps.read_request_header(*asked, 77, 4096))

    def atomic(self, role):
        number = self.rng.getrandbits(32)
        self.requests[role].append((None, number, 0))
        header = gencaps.atomic_request_header(gencaps.FETCH_ADD, number, 5, 4096, 1, 0, 0, faults.ALL_ONES)
        self.untagged(role, gencaps.ATOMIC_REQUEST, header)

    def round(self):
        for role in self.rng.sample((0, 1), 2):
            self.untagged(role, gencaps.SEND, self.rng.randbytes(64))
            self.write(role)
            for ask in self.rng.sample((self.read, self.atomic), self.rng.choice((1, 2))):
                ask(role)
        self.settle()


def conversation(rng, rule, role, distance):
    """A Capture with the fault, and where its octets begin; at least `distance` packets precede it."""
    cap = gencaps.Capture(link=capfile.EN10MB)
    conn = cap.connection(client=("10.0.0.1", 40000), server=("10.0.0.2", 7174),
                          isn=(rng.getrandbits(32), rng.getrandbits(32)))
    talk = Rounds(rng, conn)
    talk.startup()
    talk.untagged(0, gencaps.SEND, b"")
    while len(cap.items) < distance + 60:
        talk.round()
    places = FAULTS[rule](talk, role)
    for _ in range(AFTER):
        talk.round()
    conn.close()
    return cap, conn, places[0]


def without(packets, fault, distance, source):
    """The same without the packet with payload of `source` that is `distance` packets before the fault."""
    at = fault - distance
    while not (variants.plain_data(packets[at]) and packets[at].src == source):
        at -= 1
    return packets[:at] + packets[at + 1:]


class Case:
    def __init__(self, seed, rule, distance, lost_role, folder):
        rng = random.Random("%d %s %d %d" % (seed, rule, distance, lost_role))
        self.rule, self.role = rule, rng.randrange(2)
        self.name = "seed %d, %s, %d packets, %s lost" % (seed, rule, distance, "ir"[lost_role])
        cap, conn, self.place = conversation(rng, rule, self.role, distance)
        path = os.path.join(folder, "made.pcap")
        cap.write(path)
        packets = variants.load(capfile.read_capture(path))
        source = conn.ends[conn.side(self.role)]
        fault = next(n for n, p in enumerate(packets) if p.src == source and p.length
                     and (self.place - p.seq) & 0xFFFFFFFF < p.length)
        lost = conn.ends[conn.side(lost_role)]
        self.paths = []
        for word, some in (("whole", packets), ("less", without(packets, fault, distance, lost))):
            self.paths.append(os.path.join(folder, "%s.pcap" % word))
            capfile.write_pcap(self.paths[-1], some, cap.link)

    def differs(self, tool):
        out = []
        for path in self.paths:
            done = subprocess.run([tool, "check", "-T", "jsonl", path], capture_output=True, check=False)
            lines = [json.loads(text) for text in done.stdout.decode().splitlines()]
            got = [(line["rule"], line["dir"], line["seq"], line.get("certainty", "certain"))
                   for line in lines if line["type"] == "finding"]
            due = (self.rule, ("initiator", "responder")[self.role], self.place, "certain")
            if got != [due]:
                out.append("%s, %s: due %s, found %s" % (self.name, os.path.basename(path), due, got))
        return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    print("seeds from %d on" % seed)
    cases = [(seed + n, rule, distance, lost) for n in range(args.count) for rule in sorted(FAULTS)
             for distance in DISTANCES for lost in range(2)]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            for text in Case(*case, folder).differs(args.tool):
                bad += 1
                print(text)
    print("%d captures, %d differ" % (2 * len(cases), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
