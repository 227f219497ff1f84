#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""degraded: what `TOOL check` finds of faults in storage-like traffic that was captured badly.

degraded.py TOOL [--seed N] [--count N] [--least]: each fault of faults.py, in COUNT conversations.
Each conversation is captured whole, and in the ways of `WAYS`.  The program prints a table of how
many faults each way still shows, as certain and suspected findings.  A certain finding that the
whole capture lacks is an error.  So is any finding in a conversation without a fault, and with
--least a number below `LEAST`.
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
import random_check
import startup_faults
import variants

BEFORE, AFTER = 25, 12  # rounds of the conversation before and after the fault


class Storage(faults.OnePacket):
    """Commands of the Initiator with data read or written, and answers."""

    def __init__(self, rng, conn, crc):
        super().__init__(rng, conn, crc)
        self.room, self.sink = 1408, 0

    def spoilt(self, role, segment, **mpa):
        """As the base does, in one packet."""
        self.flush_all()
        self.conn.send(role, self.conn.frame(role, segment, **mpa), ())
        return self.conn.sent[role][-1][0]

    def round(self):
        rng = self.rng
        size = rng.choice((512, 4096, 8192))
        self.untagged(0, gencaps.SEND, rng.randbytes(64))
        if rng.random() < 0.5:
            self.emit(1, gencaps.tagged_segments(gencaps.WRITE, rng.randrange(1, 1 << 32), 4096 * rng.randrange(99),
                                                 rng.randbytes(size), self.room))
        else:
            self.sink += 8192
            asked = (9, self.sink, size)
            self.requests[1].append(asked)
            self.untagged(1, gencaps.READ_REQUEST, gencaps.read_request_header(*asked, 77, 4096))
            self.settle()
        if rng.random() < 0.1:
            self.requests[0].append((None, self.sink, 0))
            header = gencaps.atomic_request_header(gencaps.FETCH_ADD, self.sink, 5, 4096, 1, 0, 0, faults.ALL_ONES)
            self.untagged(0, gencaps.ATOMIC_REQUEST, header)
            self.settle()
        self.untagged(1, rng.choice((gencaps.SEND, gencaps.SEND_INVALIDATE)), rng.randbytes(16), 0)


class Begun(Storage):
    """The same with a startup of any model, and Private Data as storage protocols have."""

    def __init__(self, rng, conn, crc, model):
        super().__init__(rng, conn, crc)
        self.model = model or rng.choice(("plain", "enhanced", "peer"))

    def open(self):
        self.conn.open()

    def private_data(self, most):
        return self.rng.randbytes(self.rng.choice((0, 32, 32, 56)))[:most]

    def startup_frame(self, role, fields, **how):
        """In one packet."""
        conn = self.conn
        place = conn.next[conn.side(role)] & 0xFFFFFFFF
        fields = {"private_data": self.private_data(508 if fields.get("enhanced") else 512), **fields}
        (conn.request, conn.reply)[role](**fields, **how)
        self.lengths[role, place] = (conn.next[conn.side(role)] - place) & 0xFFFFFFFF
        return place

    def negotiation(self):
        flags = [{"markers": False, "crc": self.crc, "rev": 1} for _ in range(2)]
        if self.model == "enhanced":
            self.enhanced(flags, "", "")
        if self.model != "peer":
            return flags, ""
        offered = self.rng.choice(("b", "c", "d", "bc", "bcd"))
        chosen = self.rng.choice(offered)
        self.enhanced(flags, "a" + offered, "a" + chosen)
        return flags, chosen


def opened(rng):
    """A Capture with one connection to come."""
    cap = gencaps.Capture(link=capfile.EN10MB)
    return cap, cap.connection(client=("10.0.0.1", 40000), server=("10.0.0.2", 4420),
                               isn=(rng.getrandbits(32), rng.getrandbits(32)))


def begun(rng, name):
    """As conversation() does, with a fault of the startup."""
    function, rules, role, model, _ = startup_faults.STARTUPS[name]
    cap, conn = opened(rng)
    talk = Begun(rng, conn, rng.random() < 0.7 or "mpa.crc" in rules, model)
    role = rng.randrange(2) if role is None else role
    places = function(talk, role)
    if places is None:
        return None
    if talk.over:
        faults.finish(talk)
        return cap, (rules, ("initiator", "responder")[role], places), None
    talk.untagged(0, gencaps.SEND, b"")
    for _ in range(AFTER):
        talk.round()
    conn.close()
    return cap, (rules, ("initiator", "responder")[role], places), None


def conversation(rng, name):
    """A Capture with the fault, or none; (rules, role, places) of the fault; how many packets precede it, None: it is in
    the startup."""
    if name in startup_faults.STARTUPS:
        return begun(rng, name)
    crc = rng.random() < 0.7 or name == "crc"
    cap, conn = opened(rng)
    talk = Storage(rng, conn, crc)
    talk.startup()
    talk.untagged(0, gencaps.SEND, b"")
    for _ in range(BEFORE):
        talk.round()
    begin, due = len(cap.items), None
    if name is not None:
        function, rules, _, last = faults.FAULTS[name]
        talk.settle()
        role = rng.randrange(2)
        places = function(talk, role)
        if places is None:
            return None
        due = (rules, ("initiator", "responder")[role], places)
    over = name is not None and (talk.over or last)
    for _ in range(0 if over else AFTER):
        talk.round()
    conn.close()
    return cap, due, begin


def swapped(packets, rng):
    """A mirror swaps 10 % of neighbouring packets."""
    out, at = list(packets), 3
    while at + 1 < len(out):
        if rng.random() < 0.1:
            out[at], out[at + 1] = out[at + 1].copy(time=out[at].time), out[at].copy(time=out[at + 1].time)
            at += 1
        at += 1
    return out


def lossy(packets, rng):
    return packets[:5] + [p for p in packets[5:] if rng.random() >= 0.01]


def late(packets, begin):
    """Without the first packets; the fault follows a good while later."""
    return packets[begin // 3:]


WAYS = {
    "complete": lambda p, rng, begin: p,
    "merged": lambda p, rng, begin: random_check.merged(p, rng),
    "swapped": lambda p, rng, begin: swapped(p, rng),
    "loss 1 %": lambda p, rng, begin: lossy(p, rng),
    "snaplen 128": lambda p, rng, begin: variants.snapped(p, 128),
    "snaplen 96": lambda p, rng, begin: variants.snapped(p, 96),
    "mid-stream": lambda p, rng, begin: late(p, begin),
    "mid-stream, snaplen 128": lambda p, rng, begin: variants.snapped(late(p, begin), 128),
}


# Faults of each kind that are found at least, of those in one conversation each.
LEAST = {"complete": (34, 8, 56), "merged": (34, 8, 56), "swapped": (34, 8, 56), "loss 1 %": (34, 6, 55),
         "snaplen 128": (29, 3, 56), "snaplen 96": (25, 3, 46), "mid-stream": (0, 7, 47),
         "mid-stream, snaplen 128": (0, 2, 42)}
NOTED = ("opcode_experimental", "rtr_offered")  # no violation or warning tells of them
KINDS = ("startup", "MPA", "DDP, RDMAP")


def kind_of(name):
    if name in startup_faults.STARTUPS:
        return "startup"
    return "MPA" if faults.FAULTS[name][1][0].startswith("mpa.") else "DDP, RDMAP"


class Case:
    """A conversation, written whole and in each way."""

    def __init__(self, seed, name, folder):
        rng = random.Random("%d %s" % (seed, name))
        self.name, self.seed = name, seed
        made = None
        for _ in range(20):
            made = made or conversation(rng, name)
        self.made = made is not None
        self.paths = {}
        if not self.made:
            return
        cap, self.due, begin = made
        path = os.path.join(folder, "made.pcap")
        cap.write(path)
        packets = variants.load(capfile.read_capture(path))
        for number, (way, change) in enumerate(WAYS.items()):
            if begin is None and way.startswith("mid-stream"):
                continue
            self.paths[way] = os.path.join(folder, "%s-%d-%d.pcap" % (name, seed, number))
            capfile.write_pcap(self.paths[way], change(packets, random.Random(seed), begin), cap.link)

    def read(self, tool):
        done = subprocess.run([tool, "check", "-T", "jsonl", "-v", *self.paths.values()], capture_output=True, check=False)
        by_path = {os.path.basename(path): [] for path in self.paths.values()}
        for text in done.stdout.decode().splitlines():
            line = json.loads(text)
            if line["type"] == "finding" and line["severity"] != "note":
                by_path[os.path.basename(line["file"])].append(line)
        return {way: by_path[os.path.basename(path)] for way, path in self.paths.items()}

    def is_due(self, line):
        rules, role, places = self.due
        return line["rule"] in rules and line["dir"] in (role, "unknown") and line.get("seq") in places


def certain(line):
    return line.get("certainty", "certain") == "certain"


def described(line):
    return "%s %s frame %s seq %s" % (line.get("certainty", "certain"), line["rule"], line["frame"], line.get("seq"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--least", action="store_true", help="fail below the numbers of a single conversation")
    parser.add_argument("--only", help="one fault alone")
    parser.add_argument("--keep", help="folder for the captures")
    parser.add_argument("-v", action="store_true", help="name each fault that is not found")
    args = parser.parse_args()
    names = [args.only] if args.only else [name for name in sorted(startup_faults.STARTUPS) + sorted(faults.FAULTS)
                                              if name not in NOTED]
    table = {(way, kind): [0, 0, 0] for way in WAYS for kind in KINDS}
    errors = missed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        for name in [*names, None]:
            for seed in range(args.seed, args.seed + args.count):
                case = Case(seed, name, folder)
                if not case.made:
                    continue
                found = case.read(args.tool)
                whole = {(line["rule"], line["src"]) for line in found["complete"]}  # it may show elsewhere
                for way, lines in found.items():
                    new = [line for line in lines if certain(line) and (line["rule"], line["src"]) not in whole]
                    if name is None:
                        new = lines
                    for line in new:
                        errors += 1
                        print("error: %s, seed %d, %s: %s" % (name, seed, way, described(line)))
                    if name is None:
                        continue
                    cell = table[way, kind_of(name)]
                    cell[0] += 1
                    hits = [line for line in lines if case.is_due(line)]
                    cell[1] += any(certain(line) for line in hits)
                    cell[2] += bool(hits) and not any(certain(line) for line in hits)
                    if not hits and args.v:
                        print("missed: %s, seed %d, %s; found %s" % (name, seed, way, "; ".join(map(described, lines))))
                    missed += not hits
    print("%-26s %s" % ("found (certain+suspected)", "".join("%-22s" % kind for kind in KINDS)))
    for way in WAYS:
        cells = ["%d of %d (%d + %d)" % (c[1] + c[2], c[0], c[1], c[2])
                 for c in (table[way, kind] for kind in KINDS)]
        print("%-26s %s" % (way, "".join("%-22s" % cell for cell in cells)))
        least = [table[way, kind][1] + table[way, kind][2] for kind in KINDS]
        if args.least and any(number < due for number, due in zip(least, LEAST[way])):
            errors += 1
            print("error: at least %d, %d and %d are due" % LEAST[way])
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
