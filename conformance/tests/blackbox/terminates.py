#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""terminates: `TOOL dump`, `check`, `check --report` and `timeline` read a Terminate by the messages before it.

terminates.py TOOL SIW

Scenarios give the place of a Terminate whose octets have two meanings; SIW is the folder of the captures of Linux siw.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL, SIW = sys.argv[1:3]
START = "i> mpa-request C\nr> mpa-reply C\n"
PEER = "i> mpa-request S C ird=4 ord=4 a b c d\nr> mpa-reply S C ird=4 ord=4 a b c d\n"
MPA, OPERATION = "layer=2 code=%d", "etype=2 code=%d"

# name, lines before the Terminate, its sender, its numbers, the other reading (or None)
PLACES = (
    ("after data", START + "i> send len=4\n", "r", MPA, (0, 2)),
    ("after data of both", START + "i> send len=4\nr> send len=4\n", "i", MPA, (0, 2)),
    ("an opcode alone", START + "i> send opcode=15\n", "r", MPA, (0, 2)),
    ("an opcode of RFC 7306", PEER + "i> immediate\n", "r", MPA, (0, 2)),
    ("another version alone", PEER + "i> send rv=2\n", "r", MPA, (0, 2)),
    ("an RTR frame alone", PEER + "i> send\n", "r", MPA, None),
    ("an empty Send that is no RTR frame", START + "i> send\n", "r", MPA, (0, 2)),
    ("data after the RTR frame", PEER + "i> send\ni> send len=4\n", "r", MPA, (0, 2)),
    ("in the startup", START, "i", MPA, None),
    ("about a segment in the startup", START, "i", OPERATION, (2, 0)),
    ("about a segment in the startup, by the Responder", START, "r", OPERATION, (2, 0)),
    ("after own data", START + "i> send len=4\n", "i", OPERATION, None),
    ("after an own RTR frame", PEER + "i> send\n", "i", OPERATION, (2, 0)),
    ("after data, about a segment", START + "i> send len=4\n", "r", OPERATION, None),
)


def run(*args):
    return subprocess.run([TOOL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def lines(*args):
    return [line for line in map(json.loads, run(*args).stdout.decode().splitlines()) if line.get("type") != "run"]


def likely(terminate):
    other = terminate.get("likely")
    return other and (other["layer"], other["etype"], other["code"])


class Places(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.pcap")

    def gen(self, text):
        scenario = os.path.join(self.folder.name, "a.scn")
        with open(scenario, "w", encoding="utf-8") as stream:
            stream.write("# SPDX-License-Identifier: BSD-2-Clause\n" + text)
        made = run("gen", scenario, "-o", self.path)
        self.assertEqual(made.returncode, 0, made.stderr)

    def shown(self, path):
        """The likely reading of the Terminate, which dump and check must agree on, in numbers and in words."""
        found = [p["terminate"] for p in lines("dump", "-T", "jsonl", path) if "terminate" in p]
        ended = [c["terminate"] for c in lines("check", "-T", "jsonl", path) if "terminate" in c]
        self.assertEqual([likely(t) for t in found], [likely(t) for t in ended], path)
        word = "likely meant" if likely(found[0]) else None
        for args in (("dump",), ("check",), ("timeline",), ("check", "-T", "html")):
            text = run(*args, path).stdout.decode()
            self.assertEqual("likely meant" in text, word is not None, "%s %s" % (args, path))
        return likely(found[0])

    def test_scenarios(self):
        for name, before, sender, numbers, want in PLACES:
            for code in (5, 6, 7):
                with self.subTest(place=name, code=code):
                    self.gen(before + "%s> terminate %s\n" % (sender, numbers % code))
                    self.assertEqual(self.shown(self.path), want and want + (code,))

    def test_other_codes(self):
        """Only the errors that the startup shares with segments depend on the place."""
        for numbers, code in ((MPA, 2), (MPA, 4), (OPERATION, 9)):
            for before, sender in ((START, "i"), (START + "i> send len=4\n", "r")):
                self.gen(before + "%s> terminate %s\n" % (sender, numbers % code))
                self.assertIsNone(self.shown(self.path), (numbers, code, before))

    def test_lost_octets(self):
        """Where octets of the other side are missing, or the connection was joined late, nothing is concluded."""
        self.gen(START + "i> send len=4 lost\nr> terminate %s\n" % (OPERATION % 6))
        self.assertIsNone(self.shown(self.path))
        self.gen(START + "i> send len=4\nr> terminate %s unacked=28\n" % (OPERATION % 6))
        self.assertEqual(self.shown(self.path), (2, 0, 6))  # the Send is on the way
        self.gen(START + "i> send len=4 lost\ni> send len=4\nr> terminate %s\n" % (MPA % 6))
        self.assertEqual(self.shown(self.path), (0, 2, 6))

    def test_sctp(self):
        for before, sender, numbers, want in (("i> send len=4\n", "r", MPA, (0, 2, 6)), ("", "i", OPERATION, (2, 0, 6)),
                                              ("", "i", MPA, None), ("i> send lost\n", "r", OPERATION, None)):
            self.gen("sctp\ni> session-initiate\nr> session-accept\n" + before + "%s> terminate %s\n" % (sender, numbers % 6))
            self.assertEqual(self.shown(self.path), want, (before, numbers))

    def test_siw(self):
        """What siw means stands in its source: the README of the captures has it."""
        want = {"hp-err-opcode-8": (0, 2, 6), "hp-err-opcode-15": (0, 2, 6), "hp-err-opcode-10-atomic": (0, 2, 6),
                "hp-err-rdmap-version": (0, 2, 5), "hp-err-rdmap-version-0": (0, 2, 5),
                "hp-err-read-too-many": (0, 2, 7), "hp-srv-ird-ord-max": (2, 0, 6),
                "hp-term-from-host": None, "hp-term-from-host-bad-msn": None, "hp-term-from-host-with-headers": None}
        for name, reading in want.items():
            self.assertEqual(self.shown(os.path.join(SIW, name + ".pcap")), reading, name)

    def test_long_connection(self):
        """Of headers that left the table after 256 others, it is known which ones were never there."""
        header = "c140000000000000000000000000"
        for data, want in (("0008" + header, {"rdmap.terminate-segment-length"}),
                           ("001a" + header, set()),
                           ("001a" + header.replace("c140", "c143"), {"rdmap.terminate-ddp-header"})):
            self.gen(START + "i> send len=20 times=1000\ni> write len=12\n"
                     "r> terminate layer=1 etype=1 m d data=%s\n" % data)
            found = lines("check", "-T", "jsonl", "--only", "rdmap.terminate-*", self.path)
            self.assertEqual({f["rule"] for f in found if f["type"] == "finding"}, want)
            self.assertNotIn("given_up", found[-1].get("limits", {}), data)
            connection = next(c for c in found if c["type"] == "connection")
            self.assertNotIn("limit", str(connection.get("inconclusive")), data)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
