# SPDX-License-Identifier: BSD-2-Clause
"""The proxy between two endpoints of the library: test_proxy.py PROXY PEER FUZZ-OBSERVER

What is not changed passes untouched; changed octets make a peer answer with a Terminate or close, and never crash.
"""

import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROXY, PEER, OBSERVER = "", "", ""
LINE = re.compile(r"connection (\d+): initiator (\d+) octets, (\d+) FPDUs, (\d+) changed(, Terminate [\d/]+)?; "
                  r"responder (\d+) octets, (\d+) FPDUs, (\d+) changed(, Terminate [\d/]+)?; (closed|reset)")
LONG = ["--seconds", "100000"]  # no test ends by the clock


class Proxy(unittest.TestCase):
    def start(self, *words):
        """A program that says which port it listens on: (process, port)."""
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, re.search(r"port (\d+)", process.stdout.readline()).group(1)

    def run_connections(self, num, *options):
        """Connections one after the other; returns (statuses of the Initiators, lines, statuses of target and proxy)."""
        target, port = self.start(PEER, "listen", str(num))
        proxy, through = self.start(PROXY, *LONG, "--connections", str(num), *options, "127.0.0.1:0", f"127.0.0.1:{port}")
        statuses = [subprocess.run([PEER, "connect", through], check=False).returncode for _ in range(num)]
        out, error = proxy.communicate()
        target.communicate()
        self.assertEqual(error, "")
        return statuses, [LINE.fullmatch(line) for line in out.splitlines()], (target.returncode, proxy.returncode)

    def test_what_is_not_changed_passes(self):
        statuses, lines, ends = self.run_connections(2, "--every", "0")
        self.assertEqual((statuses, ends), ([0, 0], (0, 0)))
        self.assertEqual([line.group(10) for line in lines], ["closed", "closed"])

    def test_what_is_seldom_changed_is_seen(self):
        statuses, lines, ends = self.run_connections(1, "--every", "1000000000")
        self.assertEqual((statuses, ends), ([0], (0, 0)))
        self.assertGreater(int(lines[0].group(3)), 48)
        self.assertEqual(lines[0].group(4), "0")

    def test_changes_make_a_peer_end_the_connection_and_never_crash(self):
        with tempfile.TemporaryDirectory() as place:
            statuses, lines, ends = self.run_connections(25, "--every", "6", "--startup", "--save", place)
            saved = sorted(Path(place).iterdir())
            self.assertEqual(len(saved), 25)
            subprocess.run([OBSERVER, place], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(ends, (0, 0))
        self.assertLessEqual(set(statuses), {0, 3})  # a signal would be below 0
        self.assertGreater(statuses.count(3), 10)
        self.assertTrue(all(lines))
        self.assertGreater(sum(1 for line in lines if line.group(5) or line.group(9)), 5, "Terminates")
        self.assertGreater(sum(int(line.group(4)) + int(line.group(8)) for line in lines), 25)

    def test_the_rate_is_bounded(self):
        """The first fifth of a second may bring what a fifth of the rate is; the rest has to wait for its time."""
        target, port = self.start(PEER, "listen", "1")
        proxy, through = self.start(PROXY, *LONG, "--rate", "1", "127.0.0.1:0", f"127.0.0.1:{port}")
        client = subprocess.Popen([PEER, "connect", through])
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        proxy.send_signal(signal.SIGINT)
        out, _ = proxy.communicate()
        self.assertEqual(proxy.returncode, 0)
        for line in out.splitlines():
            self.assertLess(int(LINE.fullmatch(line).group(6)), 100, "the Responder's Reply cannot be through")
        target.kill()

    def test_signals_end_it_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            proxy, _ = self.start(PROXY, *LONG, "127.0.0.1:0", "127.0.0.1:9")
            proxy.send_signal(number)
            proxy.communicate()
            self.assertEqual(proxy.returncode, 0)

    def test_a_target_that_answers_no_more_is_said(self):
        target, port = self.start(PEER, "listen", "1")
        proxy, through = self.start(PROXY, *LONG, "127.0.0.1:0", f"127.0.0.1:{port}")
        subprocess.run([PEER, "connect", through], check=False)
        target.communicate()
        subprocess.run([PEER, "connect", through], check=False)
        _, error = proxy.communicate()
        self.assertEqual(proxy.returncode, 1)
        self.assertIn("the target takes no connection", error)

    def test_only_the_loopback_interface_is_used(self):
        for words, said in ((["127.0.0.1:0", "192.0.2.1:7174"], "loopback"), (["0.0.0.0:0", "127.0.0.1:1"], "loopback"),
                            (["127.0.0.1:0", "[2001:db8::1]:7"], "loopback"), (["127.0.0.1:0", "127.0.0.1"], "ADDRESS:PORT"),
                            (["127.0.0.1:0"], "needed"), (["--side", "nobody", "127.0.0.1:0", "127.0.0.1:1"], "side"),
                            (["--every", "x", "127.0.0.1:0", "127.0.0.1:1"], "number"),
                            (["--rate", "0", "127.0.0.1:0", "127.0.0.1:1"], "number"), (["127.0.0.1:0", "here:70000"], "ADDRESS:PORT")):
            done = subprocess.run([PROXY, *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)

    def test_help_and_manual_name_the_same_options(self):
        shown = subprocess.run([PROXY, "--help"], capture_output=True, text=True, check=True).stdout
        page = (Path(__file__).resolve().parents[2] / "docs/man/iwarp-fuzz-proxy.1").read_text(encoding="utf-8")
        options = set(re.findall(r"--[a-z]+", shown))
        self.assertGreater(len(options), 8)
        self.assertEqual(options, {f"--{name}" for name in re.findall(r"^\.It Fl -([a-z]+)", page, re.MULTILINE)})


if __name__ == "__main__":
    PROXY, PEER, OBSERVER = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
