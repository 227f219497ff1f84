#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""outputs: the files of `TOOL check --report`, `--annotate` and `TOOL gen -o` are whole, or as they were before.

outputs.py TOOL PCAPS

Files that the run reads are refused through links too.  The disk is made full by a limit on the size of files, and a
process is killed while it reads a pipe.
"""

import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile

BROKEN = os.path.join("real", "siw", "hp-err-msn-skip.pcap")
SCENARIO = os.path.join("scenarios", "ddp.header-length-pass.scn")
BEFORE = b"as it was before\n"


def write(path, octets=BEFORE):
    with open(path, "wb") as stream:
        stream.write(octets)
    return path


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def run(words, **how):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **how)
    return done.returncode, done.stderr.decode()


def refused(words, text, **how):
    """One line on standard error, and status 2."""
    status, error = run(words, **how)
    assert status == 2 and error.count("\n") == 1 and text in error, (words, status, error)


def alone(folder, *names):
    """No temporary file is left."""
    assert sorted(os.listdir(folder)) == sorted(names), os.listdir(folder)


class Case:
    """A folder with a capture that breaks rules, its baseline, a profile and a scenario."""

    def __init__(self, tool, pcaps, folder):
        self.tool, self.folder = tool, folder
        self.capture = write(self.at("c.pcap"), read(os.path.join(pcaps, BROKEN)))
        self.scenario = write(self.at("s.scn"), read(os.path.join(pcaps, SCENARIO)))
        self.profile = write(self.at("p.profile"), b"iwarp-profile 1\n")
        done = subprocess.run([tool, "baseline", self.capture], stdout=subprocess.PIPE, check=True)
        self.baseline = write(self.at("b.txt"), done.stdout)
        self.names = os.listdir(folder)

    def at(self, name):
        return os.path.join(self.folder, name)

    def check(self, *words):
        return [self.tool, "check", "-q", *words]

    def alone(self, *names):
        alone(self.folder, *self.names, *names)


def check_inputs(case):
    """Each file that is read, by its name, a hard link and a symbolic link."""
    known = ["--baseline", case.baseline, "--profile", case.profile]
    for path in (case.capture, case.baseline, case.profile, case.scenario):
        kept = read(path)
        hard, soft = case.at("hard"), case.at("soft")
        os.link(path, hard)
        os.symlink(os.path.basename(path), soft)
        for name in (path, hard, soft):
            if path == case.scenario:
                refused([case.tool, "gen", path, "-o", name], "is read by this run")
                continue
            refused(case.check(*known, "--report", "junit=" + name, case.capture), "is read by this run")
            refused(case.check(*known, "--annotate", name, case.capture), "is read by this run")
        assert read(path) == kept
        os.unlink(hard)
        os.unlink(soft)
    case.alone()


def check_one_another(case):
    """Outputs that are one file in the end, though none exists yet; those before them stay as they were."""
    first = write(case.at("first"))
    os.symlink("new", case.at("link"))
    new = case.at("new")
    for second in (case.at("link"), case.at("link"), os.path.join(case.folder, ".", "new")):
        refused(case.check("--report", "junit=" + first, "--report", "tap=" + new, "--report", "sarif=" + second, case.capture),
                "is the same file as")
        refused(case.check("--report", "junit=" + first, "--report", "tap=" + new, "--annotate", second, case.capture),
                "is the same file as")
    refused(case.check("--report", "junit=" + first, "--report", "tap=" + case.at("no/folder"), case.capture), "No such file")
    assert read(first) == BEFORE
    case.alone("first", "link")
    os.unlink(first)
    os.unlink(case.at("link"))


def check_standard_output(case):
    """Two writers of one file would mix."""
    with open(case.at("out"), "wb") as stream:
        done = subprocess.run(case.check("--report", "junit=" + case.at("out"), case.capture), stdout=stream,
                              stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"is standard output of this run" in done.stderr, done
    os.unlink(case.at("out"))


def check_in_place(case):
    """Two outputs in one pipe or terminal would mix, by whatever names; /dev/null takes both."""
    fifo = case.at("fifo")
    os.mkfifo(fifo)
    os.symlink("fifo", case.at("link"))
    kept = os.open(fifo, os.O_RDWR)  # so that no output waits for a reader
    streams = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
    for first, second in (*((one, other) for one in streams for other in streams if one != other),
                          (fifo, case.at("link"))):
        for words in (["--report", "tap=" + second], ["--annotate", second]):
            refused(case.check("--report", "junit=" + first, *words, case.capture), "%s: is the same file as %s" % (second, first))
    os.close(kept)
    ours, terminal = os.openpty()
    done = subprocess.run(case.check("--report", "junit=/dev/stdout", "--report", "tap=/dev/fd/1", case.capture), stdout=terminal,
                          stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"/dev/fd/1: is the same file as /dev/stdout" in done.stderr, done
    os.close(terminal)
    os.close(ours)
    os.unlink(case.at("link"))
    os.symlink("/dev/null", case.at("link"))
    assert run(case.check("--report", "junit=/dev/null", "--report", "tap=" + case.at("link"), case.capture)) == (1, "")
    assert run(case.check("--report", "junit=/dev/stdout", "--report", "tap=/dev/stderr", case.capture))[0] == 1
    os.unlink(case.at("link"))
    os.unlink(fifo)
    case.alone()


def check_no_capture(case):
    """What is no capture has no copy with comments: an empty file would not be one."""
    junk = write(case.at("junk"), b"no capture")
    for before in ((), ("o",)):
        for name in before:
            write(case.at(name))
        refused(case.check("--annotate", case.at("o"), junk), "not pcap or pcapng, but text")
        assert all(read(case.at(name)) == BEFORE for name in before)
        case.alone("junk", *before)
    os.unlink(case.at("o"))
    os.unlink(junk)


def check_full_disk(case):
    """A report, a capture with comments and a scenario that do not fit."""
    limit = (resource.RLIMIT_FSIZE, (512, 512))
    words = (case.check("--report", "junit=" + case.at("o"), case.capture),
             case.check("--annotate", case.at("o"), case.capture),
             [case.tool, "gen", case.scenario, "-o", case.at("o")])
    for before in (None, BEFORE):
        for one in words:
            if before is not None:
                write(case.at("o"), before)
            refused(one, ": File too large", preexec_fn=lambda: resource.setrlimit(*limit))
            if before is None:
                case.alone()
            else:
                assert read(case.at("o")) == before, one
                case.alone("o")
    os.unlink(case.at("o"))
    refused(case.check("--report", "junit=/dev/full", case.capture), "/dev/full: No space left on device")


def check_killed(case):
    """A process that is killed while it reads: the report is there as before, and no other user may read the new file."""
    fifo = case.at("fifo")
    os.mkfifo(fifo)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tool inherits it: nohup(1) has it ignored
    for number, left in ((signal.SIGHUP, 0), (signal.SIGKILL, 1)):
        target = write(case.at("o"))
        tool = subprocess.Popen(case.check("--report", "junit=" + target, fifo), stdin=subprocess.DEVNULL)
        with open(fifo, "wb"):  # the tool reads it now
            temporary, = (name for name in os.listdir(case.folder) if name.startswith(".iwarp-"))
            assert stat.S_IMODE(os.stat(case.at(temporary)).st_mode) == 0o600
            tool.send_signal(number)
            assert tool.wait() == -number, tool.returncode
        assert read(target) == BEFORE
        case.alone("o", "fifo", *[temporary] * left)
    os.unlink(case.at(temporary))
    os.unlink(fifo)
    os.unlink(target)


def check_replaced(case):
    """A link stays, what it leads to is replaced by a whole file with the mode of before."""
    os.mkdir(case.at("far"))
    target = write(case.at("far/o"))
    os.chmod(target, 0o640)
    os.symlink("far/o", case.at("link"))
    for words in (["--report", "jsonl=" + case.at("link")], ["--annotate", case.at("link")]):
        with open(target, "rb") as before:
            assert run(case.check(*words, case.capture))[0] == 1
            assert os.path.islink(case.at("link")) and not os.path.samestat(os.stat(target), os.fstat(before.fileno()))
        assert stat.S_IMODE(os.stat(target).st_mode) == 0o640
        alone(case.at("far"), "o")
    mask = os.umask(0o022)
    assert run([case.tool, "gen", case.scenario, "-o", case.at("far/n")])[0] == 0
    os.umask(mask)
    assert stat.S_IMODE(os.stat(case.at("far/n")).st_mode) == 0o644


def check_unwritable(case):
    """A folder that takes no files is an error before anything is read; nothing reads the pipe here."""
    fifo = case.at("fifo")
    os.mkfifo(fifo)
    # Root may write everywhere, unless it gives up its capabilities.
    ordinary = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
    os.chmod(case.at("far"), 0o555)
    refused([*ordinary, *case.check("--report", "junit=" + case.at("far/new"), fifo)],
            "its folder takes no temporary file: Permission denied")
    os.chmod(case.at("far/o"), 0o444)
    refused([*ordinary, *case.check("--report", "junit=" + case.at("far/o"), fifo)], "far/o: Permission denied")
    os.chmod(case.at("far"), 0o755)
    os.unlink(fifo)


def main(tool, pcaps):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(os.path.abspath(tool), pcaps, folder)
        for check in (check_inputs, check_one_another, check_standard_output, check_in_place, check_no_capture, check_full_disk,
                      check_killed, check_replaced, check_unwritable):
            check(case)
            print("%s: right" % check.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
