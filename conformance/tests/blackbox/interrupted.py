#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""interrupted: SIGINT and SIGTERM end the reading, and the report is written as at the end of the capture.

interrupted.py TOOL PCAPS

A signal is sent when the tool has taken all octets out of a pipe that stays open, so each run reads the same packets.
"""

import fcntl
import gzip
import itertools
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios

import kit  # noqa: F401  isort: skip

BROKEN = os.path.join("real", "siw", "hp-err-msn-skip.pcap")
RIGHT = os.path.join("real", "siw", "crc-rping-64.pcap")
BEFORE = b"as it was before\n"
CONNECTIONS = 500  # their octets, and the lines about them, are more than the tool reads or a pipe holds
ENDS = (signal.SIGINT, signal.SIGTERM)
SAYS = {form: b"interrupted" for form in ("text", "jsonl", "junit", "html", "timeline")}  # the name of the limit, or that there is one
SAYS.update({"tap": b"a limit was reached", "tap13": b"a limit was reached", "sarif": b'"verdict":"undecided"'})


def octets_of(path):
    with open(path, "rb") as stream:
        return stream.read()


def write(path, octets):
    with open(path, "wb") as stream:
        stream.write(octets)
    return path


def cut(capture, packets):
    """The octets of the first packets of a classic capture."""
    at = 24
    for _ in range(packets):
        at += 16 + struct.unpack_from("<I", capture, at + 8)[0]
    return capture[:at]


def until_taken(fd):
    """Until the reader has taken all octets of the pipe."""
    while struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0] > 0:
        os.sched_yield()


def until_delivered(pid):
    """Until no signal to the process waits for its handler."""
    while True:
        with open("/proc/%d/status" % pid, encoding="ascii") as stream:
            words = dict(line.split(":", 1) for line in stream)
        if int(words["SigPnd"], 16) | int(words["ShdPnd"], 16) == 0:
            return
        os.sched_yield()


def until_asleep(pid):
    """Until the process waits for something."""
    state = "R"
    while state not in "SZ":
        os.sched_yield()
        with open("/proc/%d/stat" % pid, encoding="ascii") as stream:
            state = stream.read().rsplit(") ", 1)[1][0]


def lines_of(out):
    lines = [json.loads(line) for line in out.splitlines()]
    return lines[:-1], lines[-1]


class Case:
    """A folder with whole captures, and one with FIFOs of the same names."""

    def __init__(self, tool, pcaps, folder):
        self.tool = tool
        self.whole, self.fed = os.path.join(folder, "whole"), os.path.join(folder, "fed")
        os.mkdir(self.whole)
        os.mkdir(self.fed)
        os.mkfifo(os.path.join(self.fed, "c"))
        self.broken = octets_of(os.path.join(pcaps, BROKEN))
        self.right = octets_of(os.path.join(pcaps, RIGHT))

    def start(self, words, stdin=subprocess.DEVNULL, **how):
        return subprocess.Popen([self.tool, *words], cwd=self.fed, bufsize=0, stdin=stdin, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **how)

    def read_whole(self, words, octets):
        write(os.path.join(self.whole, "c"), octets)
        done = subprocess.run([self.tool, *words], cwd=self.whole, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout

    def interrupt(self, words, octets, number, **how):
        """Status and outputs of a run that gets these octets and then the signal."""
        tool = self.start(words, **how)
        with open(os.path.join(self.fed, "c"), "wb", buffering=0) as stream:
            stream.write(octets)
            until_taken(stream.fileno())
            until_asleep(tool.pid)  # without Landlock a FIFO is opened before anything is read
            tool.send_signal(number)
            out, error = tool.communicate()
        return tool.returncode, out, error

    def temporary(self):
        return [name for name in os.listdir(self.fed) if name.startswith(".iwarp-")]


def check_report(case):
    """The findings and connections of the packets that came; only the summary says that there was a signal."""
    for number in ENDS:
        for jobs in ("1", "2"):
            for packed in (bytes, gzip.compress):
                words = ["check", "-T", "jsonl", "--jobs", jobs, "c"]
                for octets, fails in ((case.broken, True), (cut(case.broken, 9), False), (case.right, False)):
                    status, out = case.read_whole(words, octets)
                    lines, summary = lines_of(out)
                    got, end, error = case.interrupt(words, packed(octets), number)
                    what = (number, jobs, packed, status, got, error)
                    lines_end, summary_end = lines_of(end)
                    assert status == (1 if fails else 0) and got == (1 if fails else 4), what
                    assert lines_end == lines, what
                    assert summary_end["packets"] == summary["packets"], what
                    assert summary_end["limits"] == {"interrupted": 1}, what
                    assert summary_end["verdict"] == ("fail" if fails else "undecided"), what
                    assert error == b"iwarp: c: not read further than packet %d: interrupted\n" % summary["packets"], what


def check_files_whole(case):
    """Files of reports are complete, and take the place of what was there."""
    page = os.path.join(case.fed, "page")
    for number in ENDS:
        write(page, BEFORE)
        status, _, _ = case.interrupt(["check", "-q", "--report", "html=page", "c"], case.broken, number)
        octets = octets_of(page)
        assert status == 1 and octets.rstrip().endswith(b"</html>") and b"interrupted" in octets, status
        assert case.temporary() == []
    os.unlink(page)


def check_formats(case):
    """The report of each format is complete, and says that the run is undecided and why."""
    reports = [word for form in SAYS for word in ("--report", "%s=%s" % (form, form))]
    for jobs in ("1", "2"):
        status, _, _ = case.interrupt(["check", "-q", "--jobs", jobs, *reports, "c"], case.right, signal.SIGTERM)
        assert status == 4 and case.temporary() == [], (jobs, status)
        for form, words in SAYS.items():
            path = os.path.join(case.fed, form)
            assert words in octets_of(path), form
            os.unlink(path)


def check_before_packets(case):
    """A signal before the first octet, and one within the header of the capture, leave nothing to judge."""
    for octets in (b"", case.broken[:10], case.broken[:24], case.broken[:30]):
        for jobs in ("1", "2"):
            status, out, error = case.interrupt(["check", "-T", "jsonl", "--jobs", jobs, "c"], octets, signal.SIGINT)
            _, summary = lines_of(out)
            assert status == 4 and summary["limits"] == {"interrupted": 1} and summary["packets"] == 0, (status, error)


def check_standard_input(case):
    """A capture on standard input ends as one in a FIFO, with the packets before the signal."""
    reader, writer = os.pipe()
    tool = case.start(["check", "-T", "jsonl", "-"], stdin=reader)
    os.write(writer, cut(case.broken, 9))
    until_taken(writer)
    tool.send_signal(signal.SIGINT)
    out, error = tool.communicate()
    os.close(writer)
    os.close(reader)
    summary = lines_of(out)[1]
    assert tool.returncode == 4 and summary["packets"] == 9 and summary["limits"] == {"interrupted": 1}, (summary, error)


def check_waits(case):
    """What reads no capture yet ends at the first signal, by it, and leaves no temporary file."""
    target = write(os.path.join(case.fed, "o"), BEFORE)
    write(os.path.join(case.fed, "d"), case.right)
    empty = os.path.join(case.fed, "empty")
    os.mkfifo(empty)
    waits = (["gen", "empty", "-o", "o"], ["merge", "empty"], ["decode", "-"],
             ["check", "--baseline", "empty", "--report", "html=o", "d"],
             ["check", "--profile", "empty", "--report", "html=o", "d"],
             ["check", "--report", "html=o", "--report", "tap=empty", "d"])
    for words in waits:
        for number in ENDS:
            reader, writer = os.pipe()
            tool = case.start(words, stdin=reader)
            until_asleep(tool.pid)
            tool.send_signal(number)
            tool.communicate()
            os.close(reader)
            os.close(writer)
            assert tool.returncode == -number, (words, tool.returncode)
            assert octets_of(target) == BEFORE and case.temporary() == [], words
    os.unlink(empty)
    os.unlink(target)


def check_closed_input(case):
    """Nothing of the tool takes the place of a standard input that is closed."""
    tool = case.start(["check", "-"], preexec_fn=lambda: os.close(0))
    _, error = tool.communicate()
    assert tool.returncode == 2 and error == b"iwarp: standard input: Bad file descriptor\n", (tool.returncode, error)


def check_other_commands(case):
    """What judges nothing prints what it read, and ends with 2."""
    for command in (["dump"], ["dump", "-T", "jsonl"], ["timeline"], ["baseline"]):
        status, out = case.read_whole([*command, "c"], case.broken)
        got, end, error = case.interrupt([*command, "c"], case.broken, signal.SIGINT)
        assert (status, got) == (0, 2) and out == end and b"interrupted" in error, (command, status, got, error)


def check_several(case):
    """Captures after the signal are not read, and count."""
    write(os.path.join(case.fed, "d"), case.broken)
    status, out, error = case.interrupt(["check", "-T", "jsonl", "c", "d"], case.right, signal.SIGTERM)
    _, summary = lines_of(out)
    assert status == 4 and summary["limits"] == {"interrupted": 2} and summary["files"] == 2, (status, summary)
    assert b"iwarp: d: not read: interrupted\n" in error, error


def check_ignored(case):
    """A signal that is ignored, as by a job in the background, ends nothing."""
    tool = case.start(["check", "-T", "jsonl", "c"], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    with open(os.path.join(case.fed, "c"), "wb", buffering=0) as stream:
        stream.write(cut(case.broken, 5))
        until_taken(stream.fileno())
        tool.send_signal(signal.SIGINT)
        stream.write(case.broken[len(cut(case.broken, 5)):])
    out, _ = tool.communicate()
    assert tool.returncode == 1 and "limits" not in lines_of(out)[1], tool.returncode


def many(capture, times):
    """The packets of a capture again and again, each time between other addresses with the same checksums."""
    out = [capture[:24]]
    for number in range(times):
        at = 24
        while at < len(capture):
            captured = struct.unpack_from("<I", capture, at + 8)[0]
            packet = bytearray(capture[at:at + 16 + captured])
            low = 16 + 14 + 14  # of the source address: its lower half
            source, = struct.unpack_from(">H", packet, low)
            target, = struct.unpack_from(">H", packet, low + 4)
            step = number if source < target else -number
            struct.pack_into(">H", packet, low, source - step)
            struct.pack_into(">H", packet, low + 4, target + step)
            out.append(bytes(packet))
            at += 16 + captured
    return b"".join(out)


def held(case, words):
    """A tool that waits for somebody to take its output, which is too much for the pipe."""
    write(os.path.join(case.fed, "d"), many(case.broken, CONNECTIONS))
    tool = case.start([*words, "d"])
    assert tool.stdout.read(1) == b"{"
    return tool


def check_second(case):
    """A second signal ends the tool at once, and no temporary file is left."""
    target = os.path.join(case.fed, "o")
    for first, second, jobs in itertools.product(ENDS, ENDS, ("1", "2")):
        write(target, BEFORE)
        tool = held(case, ["check", "-T", "jsonl", "--jobs", jobs, "--report", "html=o", "--report", "tap=p"])
        assert len(case.temporary()) == 2
        tool.send_signal(first)
        until_delivered(tool.pid)
        tool.send_signal(second)
        assert tool.wait() == 128 + second, tool.returncode
        tool.communicate()
        assert octets_of(target) == BEFORE and case.temporary() == []
    os.unlink(target)


def check_annotated(case):
    """The copy with comments has the packets that were judged; two jobs may have judged all of them by then."""
    for jobs in ("1", "2"):
        tool = held(case, ["check", "-T", "jsonl", "--jobs", jobs, "--annotate", "o"])
        tool.send_signal(signal.SIGINT)
        until_delivered(tool.pid)
        out, error = tool.communicate()
        _, summary = lines_of(b"{" + out)
        all_read = jobs == "2" and summary["connections"] == CONNECTIONS
        assert tool.returncode == 1 and (all_read or summary["limits"] == {"interrupted": 1}), (tool.returncode, summary, error)
        assert 0 < summary["connections"] < CONNECTIONS or all_read, summary
        again = subprocess.run([case.tool, "check", "-T", "jsonl", "o"], cwd=case.fed, stdout=subprocess.PIPE, check=False)
        assert lines_of(again.stdout)[1]["packets"] == summary["packets"]


def check_order(case):
    """Of several captures one without iWARP decides nothing while another one has some; it is named."""
    def check(*names):
        done = subprocess.run([case.tool, "check", *names], cwd=case.whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode().splitlines()
    for name, octets in (("right", case.right), ("none", case.right[:24]), ("broken", case.broken)):
        write(os.path.join(case.whole, name), octets)
    for names, status, verdict in ((("right", "none"), 0, "verdict: pass"), (("none", "right"), 0, "verdict: pass"),
                                   (("none", "none"), 3, "verdict: no-iwarp"), (("none", "broken"), 1, "verdict: fail"),
                                   (("none", "right", "nowhere"), 2, "verdict: error")):
        got, last, error = check(*names)
        assert got == status and verdict in last, (names, got, last)
        assert sum("none: " in line for line in error) == names.count("none"), error


def main(tool, pcaps):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        case = Case(os.path.abspath(tool), pcaps, folder)
        for check in (check_report, check_files_whole, check_formats, check_before_packets, check_standard_input, check_waits,
                      check_closed_input, check_other_commands, check_several, check_ignored, check_second, check_annotated,
                      check_order):
            check(case)
            print("%s: right" % check.__name__, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
