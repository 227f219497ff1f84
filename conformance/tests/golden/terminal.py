#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""terminal: what the tool does with terminals, closed pipes and full disks.   terminal.py TOOL PCAPS"""

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "blackbox"))
import kit

TOOL = PCAPS = ""
ESCAPE = b"\033["
CONFINED = rb"\A(?:iwarp: (?:not )?confined: [^\n]*\n)?\Z"


def capture(name):
    return os.path.join(PCAPS, "real", "siw", name)


def environment(**more):
    base = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    return {**base, "TERM": "xterm", **more}


def drain(fd):
    out = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:  # the other end of a terminal is closed
            break
        if not part:
            break
        out += part
    os.close(fd)
    return out


def on_terminal(words, out=True, err=True, columns=0, **more):
    """Runs the tool with a terminal as its output; returns (status, standard output, standard error)."""
    ends = [pty.openpty() if terminal else os.pipe() for terminal in (out, err)]
    if out:
        fcntl.ioctl(ends[0][1], termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    (out_read, out_write), (err_read, err_write) = ends
    child = subprocess.Popen([TOOL, *words], stdin=subprocess.DEVNULL, stdout=out_write,
                             stderr=err_write, env=kit.some_search_leaks(environment(**more)))
    os.close(out_write)
    os.close(err_write)
    got = drain(out_read), drain(err_read)
    return child.wait(), *got


class Terminal(unittest.TestCase):
    bad = ["check", "--only", "mpa.pad-zero"]

    def setUp(self):
        self.bad = [*Terminal.bad, capture("hp-err-pad-nonzero.pcap")]

    def test_colour_only_on_a_terminal(self):
        self.assertIn(ESCAPE, on_terminal(self.bad)[1])
        self.assertNotIn(ESCAPE, on_terminal(self.bad, out=False)[1])

    def test_no_color_is_honoured_and_color_overrides_it(self):
        self.assertNotIn(ESCAPE, on_terminal(self.bad, NO_COLOR="1")[1])
        self.assertIn(ESCAPE, on_terminal(self.bad, NO_COLOR="")[1])
        self.assertIn(ESCAPE, on_terminal([*self.bad, "--color=always"], NO_COLOR="1")[1])
        self.assertNotIn(ESCAPE, on_terminal([*self.bad, "--color", "never"])[1])
        self.assertIn(ESCAPE, on_terminal([*self.bad, "--color=always"], out=False)[1])

    def test_a_dumb_terminal_has_no_colour(self):
        self.assertNotIn(ESCAPE, on_terminal(self.bad, TERM="dumb")[1])
        self.assertIn(ESCAPE, on_terminal(self.bad, TERM="")[1])
        self.assertIn(ESCAPE, on_terminal([*self.bad, "--color=always"], TERM="dumb")[1])
        self.assertEqual(b"", on_terminal(self.bad, out=False, TERM="dumb")[2])
        self.assertIn(b"packets", on_terminal([*self.bad, "--progress=always"], out=False, TERM="dumb")[2])

    def test_lines_of_dump_fit_the_terminal(self):
        for words in (["dump", capture("rping-64.pcap")], ["dump", "-V", "-x", capture("rping-64.pcap")]):
            whole = on_terminal(words, out=False)[1].decode().splitlines()
            for columns in (40, 80, 1000):
                lines = on_terminal(words, columns=columns)[1].decode().splitlines()
                self.assertTrue(all(len(line) <= columns for line in lines), lines)
                # Nothing is cut: after its head each line has the words that it has elsewhere.
                tails = [re.sub(r"^\d+\.\d+ frame \d+ conn \d+ \S+ > \S+: ", "", line) for line in whole]
                shown = re.sub(r"(?m)^ *\d+\.\d+ +\d+ \d+ [AB]>[AB] ", "", "\n".join(lines))
                legend = "conn0:A10.7.0.2:52631,B10.7.0.1:7174"
                self.assertEqual(legend + "".join("".join(tails).split()), "".join(shown.split()))
            self.assertEqual(whole, on_terminal(words)[1].decode().splitlines())  # a terminal without a width
        words = ["dump", "-T", "jsonl", capture("rping-64.pcap")]
        self.assertEqual(on_terminal(words, out=False)[1].splitlines(), on_terminal(words, columns=40)[1].splitlines())

    def test_progress_only_on_a_terminal(self):
        for words in (self.bad, ["dump", capture("rping-64.pcap")]):
            self.assertIn(b"packets", on_terminal(words, out=False)[2])
            self.assertEqual(b"", on_terminal(words, out=False, err=False)[2])
            self.assertEqual(b"", on_terminal([*words, "--progress=never"], out=False)[2])
            always = on_terminal([*words, "--progress=always"], out=False, err=False)
            self.assertIn(b"packets", always[2])

    def test_progress_is_erased_and_leaves_results_alone(self):
        plain = on_terminal(self.bad, out=False, err=False)
        shown = on_terminal(self.bad, out=False)
        self.assertEqual(plain[:2], shown[:2])
        self.assertTrue(shown[2].endswith(b"\r\033[K"), shown[2])

    def test_messages_stand_on_a_line_of_their_own(self):
        words = ["dump", capture("rping-64.pcap"), "nowhere"]
        err = on_terminal(words, out=False)[2]
        self.assertIn(b"\r\033[Kiwarp: nowhere: No such file or directory", err)

    def test_a_closed_pipe_ends_quietly(self):
        for words in (["dump", "-T", "jsonl"], ["check", "-v"]):
            files = [capture("big-write-read.pcap")] * 40
            for ignored in (False, True):
                def before():
                    if ignored:
                        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
                child = subprocess.Popen([TOOL, *words, *files], stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, preexec_fn=before,
                                         restore_signals=not ignored)
                child.stdout.close()
                self.assertRegex(child.stderr.read(), CONFINED)
                child.stderr.close()
                self.assertEqual(-signal.SIGPIPE, child.wait())

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_reported(self):
        for words in (["dump", capture("rping-64.pcap")], self.bad, ["rules"], ["--help"],
                      ["explain", "mpa.pad-zero"], ["--version"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TOOL, *words], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(2, done.returncode, words)
            self.assertRegex(done.stderr, rb"^iwarp: standard output[^\n]*\n$")

    def test_a_closed_standard_stream_is_not_a_report(self):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report")
            words = ["check", "--report", "jsonl=" + report]
            done = subprocess.run([TOOL, *words, "-"], stderr=subprocess.PIPE, preexec_fn=lambda: os.close(0), check=False)
            self.assertEqual((2, b"iwarp: standard input: Bad file descriptor\n"), (done.returncode, done.stderr))
            done = subprocess.run([TOOL, *words, capture("rping-64.pcap")], stderr=subprocess.PIPE,
                                  preexec_fn=lambda: os.close(1), check=False)
            self.assertEqual(2, done.returncode, done.stderr)
            with open(report, "rb") as stream:
                self.assertTrue(all(line.startswith(b"{") for line in stream))

    def test_names_cannot_steer_a_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a\033[31m\nb.pcap")
            for words in (["check", "-q"], ["check"], ["check", "-v"], ["dump", "-V"]):
                missing = subprocess.run([TOOL, *words, name], stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, check=False)
                self.assertEqual(2 if "-v" in words else 1, missing.stderr.count(b"\n"))
                self.assertNotIn(ESCAPE, missing.stderr)
            shutil.copy(capture("hp-err-pad-nonzero.pcap"), name)
            for words in (["check"], ["check", "-v"], ["dump", "-V"], ["dump", "-T", "jsonl"]):
                done = subprocess.run([TOOL, *words, name, name], stdout=subprocess.PIPE, check=False)
                self.assertNotIn(ESCAPE, done.stdout)
                self.assertNotIn(b"\nb.pcap", done.stdout)

    def test_equal_input_gives_equal_output_wherever_it_lies(self):
        words = ["check", "-v", "-T"]
        for form in ("text", "jsonl"):
            done = [subprocess.run([TOOL, *words, form, os.path.relpath(capture("rping-64.pcap"), at)],
                                   cwd=at, stdout=subprocess.PIPE, check=False).stdout
                    for at in (PCAPS, os.path.dirname(TOOL))]
            done.append(subprocess.run([TOOL, *words, form, capture("rping-64.pcap")],
                                       stdout=subprocess.PIPE, check=False).stdout)
            self.assertEqual(1, len(set(done)))
            self.assertNotIn(PCAPS.encode(), done[0])


if __name__ == "__main__":
    TOOL, PCAPS = (os.path.abspath(word) for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
