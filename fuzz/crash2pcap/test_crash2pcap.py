# SPDX-License-Identifier: BSD-2-Clause
"""Every input of the stream and packet targets becomes a capture: test_crash2pcap.py BIN SEEDS TOOL

A whole connection comes back octet for octet: what the tool decodes of the capture is what the seed holds.
"""

import io
import json
import contextlib
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import crash2pcap

BIN, SEEDS, TOOL = Path(), Path(), Path()
# Seeds of a target, taken evenly; in the gate a third of them.
EACH = 12 // min(int(os.environ.get("IWARP_PROPERTY_SAMPLE", "1")), 3)


def every(target):
    return sorted((SEEDS / target).iterdir())


def some(target):
    paths = every(target)
    return paths[::max(1, len(paths) // EACH)]


class Crash2Pcap(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.out = Path(place.name, "out.pcap")

    def convert(self, target, path):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = crash2pcap.main(["--bin", str(BIN), target, str(path), str(self.out)])
        return status, out.getvalue()

    def dump(self):
        """(status, lines) of `iwarp dump`."""
        done = subprocess.run([TOOL, "dump", "-T", "jsonl", self.out], capture_output=True, text=True, check=False)
        return done.returncode, [line for line in map(json.loads, done.stdout.splitlines()) if "pdu" in line]

    def test_every_target_gives_captures_that_the_tool_opens(self):
        for target in ("rx", "rx-nocrc", "observer", "differential", "endpoint", "pair", "calls", "sctp-session",
                       "sctp-observer", "tcp", "sctp", "cost", "startup", "fpdu", "ddp", "rdmap", "terminate"):
            opened = 0
            for path in some(target):
                status, _ = self.convert(target, path)
                self.assertIn(status, (0, 1), path)
                if status == 0:
                    self.assertEqual(self.dump()[0], 0, path)
                    opened += 1
            self.assertGreater(opened, 0, target)

    def test_a_capture_stays_as_it_is(self):
        path = next(p for p in every("capture") if p.name.endswith(".pcap"))
        self.convert("capture", path)
        self.assertEqual(self.out.read_bytes(), path.read_bytes()[:-8])

    def test_what_an_endpoint_says_and_hears_is_there(self):
        self.assertEqual(self.convert("endpoint", SEEDS / "endpoint/writes-as-1-3")[0], 0)
        _, lines = self.dump()
        self.assertEqual([line["pdu"] for line in lines[:2]], ["mpa-request", "mpa-reply"])
        self.assertIn("write", [line["rdmap"]["name"] for line in lines if line["pdu"] == "fpdu"])

    def test_two_endpoints_make_a_whole_connection(self):
        self.assertEqual(self.convert("pair", SEEDS / "pair/long-program-0")[0], 0)
        _, lines = self.dump()
        self.assertGreater(sum(line["pdu"] == "fpdu" for line in lines), 20)
        self.assertNotIn("undecodable", [line["pdu"] for line in lines])
        checked = subprocess.run([TOOL, "check", self.out], capture_output=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout.decode())

    def test_a_receive_engine_gets_its_startup_frames(self):
        path = next(p for p in every("rx") if p.name.startswith("stream-") and not p.name.endswith("unknown"))
        self.convert("rx", path)
        _, lines = self.dump()
        self.assertEqual([line["pdu"] for line in lines[:2]], ["mpa-request", "mpa-reply"])
        self.assertIn("fpdu", [line["pdu"] for line in lines])

    def test_a_gap_is_a_gap(self):
        self.convert("observer", SEEDS / "observer/hole-middle-0")
        _, lines = self.dump()
        self.assertIn("gap", [line["pdu"] for line in lines])

    def test_messages_of_a_session_are_there(self):
        self.assertEqual(self.convert("sctp-session", SEEDS / "sctp-session/state-established")[0], 0)
        _, lines = self.dump()
        self.assertEqual([line["name"] for line in lines if line["pdu"] == "sctp-control"], ["initiate", "accept"])

    def test_messages_of_an_observer_over_sctp_are_there_once(self):
        lines = [["sctp-observer-init"], ["message", "0", "17", "00000001"], ["lost", "0"], ["message", "1", "17", "00000002"],
                 ["sctp-observer-init"], ["message", "0", "17", "00000001"]]
        cap = crash2pcap.gencaps.Capture()
        crash2pcap.make(lines, cap)
        cap.write(self.out)
        _, dumped = self.dump()
        self.assertEqual([line["name"] for line in dumped if line["pdu"] == "sctp-control"], ["initiate", "accept"])

    def test_what_came_before_a_crash_is_kept(self):
        lines = [["observer-init"], ["start", "0", "1"], ["push", "0", "0", "4d50"], ["push", "0", "0", "ff"]]
        cap = crash2pcap.gencaps.Capture()
        crash2pcap.make(lines, cap)
        self.assertEqual([item.data[-1] for item in cap.items if item.length], [0x50, 0xFF])

    def test_a_second_look_at_the_same_octets_is_left_out(self):
        lines = [["rx-init", "1", "1", "2"], ["push", "0", "0", "0102"], ["rx-init", "1", "1", "2"], ["push", "0", "0", "01"]]
        cap = crash2pcap.gencaps.Capture()
        crash2pcap.make(lines, cap)
        self.assertEqual(sum(item.length for item in cap.items if item.side == 0), 20 + 2)

    def test_what_has_no_packets_is_said(self):
        for words in (["crc", "in", "out"], ["nothing", "in", "out"]):
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
                crash2pcap.main(["--bin", str(BIN), *words])
            self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    BIN, SEEDS, TOOL = map(Path, sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
