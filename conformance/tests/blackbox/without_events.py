#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""without_events: `TOOL check` finds the same whether or not anybody asks for events.   without_events.py TOOL PCAPS [--all]

Ordinary FPDUs are judged without an event where no report shows PDUs. A report that shows them asks for all events: findings,
verdicts, outcomes and totals must not differ. All captures of the repository, whole and cut short; captures made here, of many
connections at the same time, in fragments of IP; and FPDUs most of which are ordinary, of one side and of both, with CRCs and
without. Some have a wrong octet, or end like the next FPDU or with a Marker; and there are Read Requests, Terminates and missing
packets. Without --all one of four captures, and fewer made ones.
"""

import os
import random
import struct
import sys
import tempfile

import kit  # isort: skip
import attacks
import gencaps
from jobs import captures, check, fragments, mixed

WORDS = (("-T", "jsonl"), ("-V",))  # findings and totals in JSON; verdicts of all rules


class Comparison:
    """Counts runs, and those in which events made a difference."""

    def __init__(self, tool, folder):
        self.tool, self.runs, self.wrong = tool, 0, []
        self.shown = os.path.join(folder, "shown")

    def __call__(self, name, path, statuses=(0, 1, 3, 4)):
        for asked in WORDS:
            without = check(self.tool, *asked, path)
            with_events = check(self.tool, *asked, "--report=timeline=" + self.shown, path)
            self.runs += 1
            if without != with_events or without[0] not in statuses:
                self.wrong.append("%s: %s, exit %d" % (name, " ".join(asked), without[0]))

    def shows(self):
        """True if the last report shows PDUs: otherwise no hook wanted events."""
        with open(self.shown, "rb") as stream:
            return b"send" in stream.read()


def misleading(chance, octets):
    """The octets, or few of them so that they end like an FPDU begins, or like a Marker."""
    end = chance.choice((b"\0\x0e\xc1\x40", struct.pack("!I", chance.randrange(1, 512)))) if chance.random() < 0.05 else b""
    return octets[:max(0, len(octets) - len(end))] + end


def messages(chance, count):
    """ULPDUs of Sends and Writes in one to three segments, their numbers right."""
    msn = 1
    for _ in range(count):
        sizes = [chance.randrange(1, 70) for _ in range(chance.randrange(1, 4))]
        send, at = chance.random() < 0.5, 0
        for i, size in enumerate(sizes):
            bits = {"last": i == len(sizes) - 1}
            octets = misleading(chance, chance.randbytes(size))
            size = len(octets)
            yield gencaps.untagged(3, 0, msn, at, octets, **bits) if send else gencaps.tagged(0, 7, at, octets, **bits)
            at += size
        msn += send


def begin(crc):
    """The startup of a connection, and what frames the FPDUs of each side."""
    framers = [gencaps.Framer(), gencaps.Framer()]
    for framer in framers:
        framer.crc = crc
    frame = b"\x40\x01\0\0" if crc else b"\0\x01\0\0"
    return attacks.startup(1, request=frame, reply=frame), framers


def almost_ordinary(seed, crc):
    """One direction of a connection: few FPDUs have an octet that is not as it should be, before or after the CRC."""
    chance = random.Random(seed)
    octets, at = b"", 1021
    packets, (framer, _) = begin(crc)
    yield from packets
    for ulpdu in messages(chance, 60):
        fault, ulpdu = chance.randrange(60), bytearray(ulpdu)
        if fault == 0:
            ulpdu[chance.randrange(len(ulpdu))] ^= 1 << chance.randrange(8)
        pad = b"\1" * ((2 - len(ulpdu)) % 4) if fault == 1 else None
        octets += framer.frame(bytes(ulpdu), pad=pad, crc="bad" if fault == 2 else None)
        if chance.random() < 0.6:
            cut = len(octets) if chance.random() < 0.8 else chance.randrange(len(octets)) + 1
            yield attacks.packet(1, True, at, 5021, attacks.ACK, octets[:cut])
            octets, at = octets[cut:], at + cut
    yield attacks.packet(1, True, at, 5021, attacks.ACK | attacks.FIN, octets)


def segments(chance, served):
    """ULPDUs of one side without end: Sends and Writes, Read Requests, Responses to the other side's, rarely a
    Terminate. `served` holds what the two sides asked for and was not answered: own first."""
    own, other = served
    msn, reads = 1, 0
    while True:
        kind = chance.randrange(40)
        if kind < 6:
            reads, size = reads + 1, chance.randrange(1, 90)
            own.append((reads, size))
            header = gencaps.read_request_header(reads, 0, size, 5, 0)
            yield gencaps.untagged(1, 1, reads, payload=header)
        elif kind < 14 and other:
            stag, size = other.pop(0)
            half = chance.randrange(size)
            for at, to in ((0, half), (half, size)):
                if at < to:
                    yield gencaps.tagged(2, stag, at, chance.randbytes(to - at), last=to == size)
        elif kind == 14 and chance.randrange(10) == 0:
            yield gencaps.untagged(7, 2, 1, payload=gencaps.terminate_header(0, 0, 1))
        else:
            for ulpdu in messages(chance, 1):
                if not ulpdu[0] & 0x80:
                    ulpdu = ulpdu[:10] + struct.pack("!I", msn) + ulpdu[14:]
                yield ulpdu
            msn += not ulpdu[0] & 0x80


def both_ways(seed, crc):
    """Both directions of a connection; now and then an FPDU has a wrong octet, or a packet is not there."""
    chance = random.Random(seed)
    queues, at = ([], []), [5021, 1021]
    makers = [segments(chance, (queues[up], queues[not up])) for up in (0, 1)]
    packets, framers = begin(crc)
    yield from packets
    for i in range(120):
        up = i == 0 or chance.random() < 0.6
        octets = b"".join(framers[up].frame(next(makers[up]), crc="bad" if chance.random() < 0.004 else None)
                          for _ in range(chance.randrange(1, 4)))
        if chance.random() > 0.01:
            yield attacks.packet(1, bool(up), at[up], at[not up], attacks.ACK, octets)
        at[up] += len(octets)
    yield attacks.packet(1, True, at[1], at[0], attacks.ACK | attacks.FIN)


def main(tool, pcaps, *option):
    every, seeds = (1, 40) if option == ("--all",) else (4 * kit.REPEATED, 12 // kit.REPEATED)
    with tempfile.TemporaryDirectory() as folder:
        compare = Comparison(tool, folder)
        made = os.path.join(folder, "made.pcap")
        for i, path in enumerate(list(captures(pcaps))[::every]):
            compare(path, path)
            if i % 5 == 0:
                with open(path, "rb") as whole, open(made, "wb") as part:
                    part.write(whole.read()[:-9])
                compare("cut short: " + path, made, statuses=(2,))
        for seed, count in ((1, 40), (2, 700)):
            attacks.write(made, mixed(count, seed))
            compare("mixed %d" % count, made)
            attacks.write(made, fragments(mixed(count, seed), seed))
            compare("fragments %d" % count, made)
        for seed, crc in ((seed, crc) for seed in range(seeds) for crc in (True, False)):
            words = "%d, %s CRCs" % (seed, "with" if crc else "without")
            attacks.write(made, almost_ordinary(seed, crc))
            compare("almost ordinary " + words, made)
            attacks.write(made, both_ways(seed, crc))
            compare("both ways " + words, made)
        if not compare.shows():
            compare.wrong.append("the report of events shows none")
    print("\n".join(compare.wrong[:20]) or "%d runs find the same with and without events" % compare.runs)
    return 1 if compare.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
