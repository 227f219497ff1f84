#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""confined: `TOOL` does the same with and without --no-sandbox, and is confined when it reads.

confined.py TOOL OLD_KERNEL PCAPS

Each command line runs three times or more: without confinement, with what this machine has, and with OLD_KERNEL as on kernels
that lack Landlock, seccomp or both; where tests take a sample, on one of these kernels, each in its turn.  Status, standard output, standard error and all files must be the same octets.  Then
the process is looked at from outside while it waits for a pipe, and an input that is replaced then cannot be opened.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import kit

TOOL, OLD_KERNEL, PCAPS = (os.path.abspath(word) for word in sys.argv[1:4])
FORMATS = kit.FORMATS
WORDS = re.compile(rb"^iwarp: (?:not )?confined: .*\n", re.MULTILINE)
MANY, OPEN = 10000 if kit.REPEATED == 1 else 1000, 1024  # operands, and descriptors that a process may have

SCENARIO = b"i> mpa-request\nr> mpa-reply\ni> send a\ni> send msn=3\nr> send\n"


def version():
    return subprocess.run([TOOL, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[1]


CONFINEMENT = version()
LANDLOCK, SECCOMP = "Landlock ABI" in CONFINEMENT, CONFINEMENT.endswith(" seccomp") and "no seccomp" not in CONFINEMENT


# A machine that has no seccomp cannot pretend to lack it.
LACKS = ("landlock", "seccomp", "both") if subprocess.run([OLD_KERNEL, "both", "/bin/true"], check=False).returncode == 0 else ()


def captures(folder):
    return sorted(os.path.join(root, name) for root, _, names in os.walk(folder) for name in names
                  if name.endswith((".pcap", ".pcapng")))


def status_of(process, task=None):
    """The lines of /proc that say how a process or one of its threads is confined."""
    path = "/proc/%d/task/%s/status" % (process, task or process)
    with open(path, encoding="ascii") as stream:
        lines = dict(line.rstrip("\n").split(":\t", 1) for line in stream if ":\t" in line)
    return lines["NoNewPrivs"], lines["Seccomp"]


class Confined(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.turn = folder.name, 0
        self.real = captures(os.path.join(PCAPS, "real", "siw"))
        for name, source in (("a.pcap", self.real[0]), ("b.pcap", self.real[-1]), ("small.pcap", min(self.real, key=os.path.getsize))):
            shutil.copy(source, self.path(name))
        with open(self.path("scenario"), "wb") as stream:
            stream.write(SCENARIO)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, *words, before=(), stdin=None, shell=False, cwd=None):
        """Runs the tool; returns its status, outputs and what it wrote to the folder "out"."""
        out = self.path("out")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        command = [*before, TOOL, *words]
        if shell:
            command = ["bash", "-c", '"${@:2}" ' + shell, "bash", "", *command]
        source = open(stdin, "rb") if stdin else subprocess.DEVNULL
        done = subprocess.run(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              cwd=cwd or self.folder)
        if stdin:
            source.close()
        files = {}
        for name in sorted(os.listdir(out)):
            with open(os.path.join(out, name), "rb") as stream:
                files[name] = stream.read()
        return done.returncode, done.stdout, WORDS.sub(b"", done.stderr), files

    def same(self, *words, lacks=("landlock", "seccomp", "both"), **how):
        """Compares all ways of running one command line; returns the status."""
        free = self.run_tool(*words, "--no-sandbox", **how)
        self.assertNotIn(free[0], (70, 126, 127, -31), free)
        self.assertEqual(free, self.run_tool(*words, **how), words)
        for lack in self.old_kernels(lacks):
            self.assertEqual(free, self.run_tool(*words, before=(OLD_KERNEL, lack), **how), (lack, words))
        return free

    def old_kernels(self, lacks=("landlock", "seccomp", "both")):
        """All of these, or the next one of them."""
        there = [lack for lack in lacks if lack in LACKS]
        self.turn += 1
        return there if kit.REPEATED == 1 else there[self.turn % len(there):][:1] if there else []

    # ---- the same results ----

    def test_every_capture_is_checked(self):
        self.same("check", "-v", *captures(PCAPS))
        self.same("check", "--jobs", "2", *captures(PCAPS))

    def test_every_format(self):
        for form in FORMATS:
            _, _, _, files = self.same("check", "-T", form, "--report", form + "=out/report", "a.pcap", "b.pcap")
            self.assertEqual(["report"], list(files))
        reports = [word for form in FORMATS for word in ("--report", "%s=out/%s" % (form, form))]
        self.assertEqual(len(FORMATS), len(self.same("check", "-q", *reports, "a.pcap", "b.pcap")[3]))

    def test_every_command(self):
        for words in (["dump", "-v"], ["dump", "-T", "jsonl", "-V", "-x"], ["timeline"], ["baseline"],
                      ["check", "--join"], ["check", "--shard", "0/2"], ["check", "--jobs", "2"],
                      ["check", "--profile", "siw"], ["check", "--color", "always", "--progress", "always"],
                      ["check", "-f", "tcp port 7174 or host 192.0.2.1"], ["check", "-f", "tcp port ("]):
            self.same(*words, "a.pcap")
        self.same("decode", "4d504120494420526571204672616d6540010000")
        self.same("decode", "-", stdin=self.path("scenario"))
        for output in ("out/made.pcap", "out/made.pcapng", "-", "/dev/null", "/dev/stdout", "nowhere/made.pcap", "out"):
            self.same("gen", "scenario", "-o", output)
        self.same("gen", "-", "-o", "out/made.pcap", stdin=self.path("scenario"))

    @unittest.skipUnless(os.path.exists("/etc/services"), "there is no /etc/services")
    def test_names_of_ports_in_a_filter(self):
        self.assertEqual(3, self.same("check", "-f", "tcp port discard", "a.pcap")[0])

    def test_annotate(self):
        for words in ([], ["--jobs", "2"], ["--join", "b.pcap"]):
            files = self.same("check", "--annotate", "out/a.pcapng", *words, "a.pcap")[3]
            self.assertEqual(["a.pcapng"], list(files))

    def test_outputs_that_exist(self):
        target = self.path("elsewhere")
        for kind in ("file", "link", "dangling", "device", "folder", "input"):
            results = []
            for words, before in ((["--no-sandbox"], ()), ([], ()), *(([], (OLD_KERNEL, lack)) for lack in self.old_kernels())):
                shutil.rmtree(target, ignore_errors=True)
                os.mkdir(target)
                path = os.path.join(target, "report")
                if kind == "file":
                    with open(path, "wb") as stream:
                        stream.write(b"before" * 100000)
                elif kind in ("link", "dangling"):
                    os.mkdir(os.path.join(target, "deep"))
                    os.symlink("deep/report", path)
                    if kind == "link":
                        with open(os.path.join(target, "deep", "report"), "wb") as stream:
                            stream.write(b"before")
                elif kind == "device":
                    os.symlink("/dev/null", path)
                elif kind == "folder":
                    os.mkdir(path)
                elif kind == "input":
                    os.symlink("../a.pcap", path)
                done = self.run_tool("check", "--report", "jsonl=elsewhere/report", *words, "a.pcap", before=before)
                octets = b""
                if os.path.isfile(path):
                    with open(path, "rb") as stream:
                        octets = stream.read()
                results.append((done, octets))
            self.assertEqual(results[:1] * len(results), results, kind)

    def test_known_findings(self):
        bad = [path for path in captures(os.path.join(PCAPS, "synthetic", "rules")) if "pad" in path][:3]
        with open(self.path("known"), "wb") as stream:
            stream.write(self.run_tool("baseline", *bad)[1])
        with open(self.path("profile"), "wb") as stream:
            stream.write(b"iwarp-profile 1\nmpa.pad-zero any own-01 PAD octets are not cleared\n")
        self.same("check", "--baseline", "known", "--profile", "profile", *bad)
        self.same("check", "--baseline", "nowhere", *bad)
        self.same("check", "--baseline", self.folder, *bad)

    def test_stats(self):
        self.same("stats", "a.pcap")
        self.same("stats", "-T", "jsonl", "--interval", "0.1", "a.pcap")
        self.same("stats", "-T", "csv", "--metrics", "out/metrics", "a.pcap")

    def test_scrub(self):
        self.same("scrub", "a.pcap", "-o", "out/public.pcap")
        self.same("scrub", "a.pcap", "--key", "scenario", "-o", "-")

    def test_merge(self):
        names = []
        for i in range(3):
            names.append("part%d" % i)
            with open(self.path(names[-1]), "wb") as stream:
                stream.write(self.run_tool("check", "--shard", "%d/3" % i, "a.pcap", "b.pcap")[1])
        self.assertIn(self.same("merge", *names)[0], (0, 1))
        self.same("merge", *names[:2])
        self.same("merge", names[0], names[0], names[1])
        self.same("merge", "part0", "-", "part2", stdin=self.path("part1"))
        self.assertIn(self.same("merge", "part0", "part2", shell="<(cat part1)")[0], (0, 1))

    def test_inputs_that_cannot_be_read(self):
        os.mkdir(self.path("folder"))
        os.symlink("nowhere", self.path("dangling"))
        os.symlink("b.pcap", self.path("link"))
        open(self.path("empty"), "wb").close()
        names = ["nowhere", "a.pcap", "folder", "dangling", "link", "empty", "a.pcap/b", "/dev/null", "scenario"]
        commands = ("check", "dump", "baseline", "merge")
        for command in commands:
            self.same(command, *names)
        each = [[command, name] for command in commands for name in names]
        each += [words for name in names for words in (["gen", name, "-o", "out/made.pcap"], ["check", "--join", name, "a.pcap"])]
        for words in each[::kit.STEP]:
            self.same(*words)

    def test_standard_input_and_pipes(self):
        each = [([*command, name], how) for command in (["check"], ["dump", "-v"], ["check", "--jobs", "2"], ["timeline"], ["baseline"])
                for name in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
                for how in ({"stdin": self.path("a.pcap")}, {"shell": "< <(cat a.pcap)"})]
        for words, how in each[::kit.STEP]:
            self.same(*words, **how)
        for words in (["check"], ["dump"], ["check", "-T", "jsonl", "--jobs", "2"]):
            first = self.same(*words, "a.pcap", shell="/dev/fd/7 7< <(cat b.pcap)")
            self.assertEqual(first[0], self.run_tool(*words, "a.pcap", "b.pcap")[0])
        self.same("check", "-q", "a.pcap", shell="--report jsonl=/dev/fd/5 5>out/five")
        self.same("check", "-q", "a.pcap", shell="--report jsonl=/dev/fd/5 5> >(cat) | cat")

    def test_standard_streams_that_are_closed(self):
        for closed in ("<&-", ">&-", "<&- >&-"):
            self.same("check", "a.pcap", "-", shell="--report jsonl=out/report " + closed)

    def test_many_operands(self):
        os.mkdir(self.path("many"))
        names = []
        for i in range(MANY):
            names.append("many/%d" % i)
            os.link(self.path("small.pcap"), self.path(names[-1]))
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN, limit[0]), limit[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limit)
        for words in (["check", "-q", "--fail-on", "never"], ["check", "-q", "--fail-on", "never", "--jobs", "2"]):
            self.assertEqual(3, self.same(*words, *names, lacks=("landlock",))[0])
        self.same("check", "-q", *names[:400], lacks=("landlock",))

    # ---- what holds ----

    def wait_on_a_pipe(self, *words, before=(), replaced=True):
        """Runs check on a FIFO and a file, which is replaced when the tool waits for the FIFO; returns what
        /proc says of each thread by then, the status and standard error."""
        fifo, file = self.path("fifo"), self.path("replaced.pcap")
        os.mkfifo(fifo)
        shutil.copy(self.path("a.pcap"), file)
        child = subprocess.Popen([*before, TOOL, "check", "--fail-on", "never", *words, fifo, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(child.communicate()[1]))
        reader.start()
        with open(fifo, "wb") as stream, open(self.path("b.pcap"), "rb") as source:  # the open ends when the tool has opened it
            octets = source.read()
            stream.write(octets[:100])
            stream.flush()
            threads = []
            while not threads or len(threads) < (1 if "--jobs" not in words else 3):
                threads = os.listdir("/proc/%d/task" % child.pid)
            states = {status_of(child.pid, thread) for thread in threads}
            if replaced:
                shutil.copy(self.path("a.pcap"), self.path("other.pcap"))
                os.rename(self.path("other.pcap"), file)
            stream.write(octets[100:])
        reader.join()
        os.unlink(fifo)
        return states, child.returncode, errors[0]

    def test_the_tool_is_confined_when_it_reads(self):
        privileges, filters = status_of(os.getpid())  # a container has a filter before
        expected = {("1" if LANDLOCK or SECCOMP else privileges, "2" if SECCOMP else filters)}
        for words in ([], ["--jobs", "2"]):
            states, status, error = self.wait_on_a_pipe("-q", *words)
            self.assertEqual(expected, states)
            if LANDLOCK:
                self.assertEqual((2, b"iwarp: %s: Permission denied\n" % self.path("replaced.pcap").encode()), (status, error))
            self.assertEqual((0, b""), self.wait_on_a_pipe("-q", *words, replaced=False)[1:])

    def test_no_sandbox_leaves_it_out(self):
        states, status, error = self.wait_on_a_pipe("-q", "--no-sandbox")
        self.assertEqual(({status_of(os.getpid())}, 0, b""), (states, status, error))

    @unittest.skipUnless(SECCOMP and LACKS, "no seccomp")
    def test_without_landlock_inputs_are_opened_first(self):
        _, status, error = self.wait_on_a_pipe("-q", before=(OLD_KERNEL, "landlock"))
        self.assertEqual((0, b""), (status, error))

    # ---- messages ----

    def reported(self, *words, before=(), limit=None):
        def lower():
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        done = subprocess.run([*before, TOOL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              preexec_fn=lower if limit else None, check=False)
        lines = WORDS.findall(done.stderr)
        return lines[0].decode().removeprefix("iwarp: ").rstrip("\n") if lines else None

    def test_what_is_in_force_is_said(self):
        self.assertRegex(CONFINEMENT, r"^confinement: (Landlock ABI [1-9]\d*|no Landlock \(.+\)|none \(.+\))(, (no )?seccomp( \(.+\))?)?$")
        self.assertIsNone(self.reported("check", "a.pcap"))
        self.assertIsNone(self.reported("dump", "a.pcap"))
        for command in ("check", "dump"):
            self.assertEqual("not confined: --no-sandbox", self.reported(command, "-v", "--no-sandbox", "a.pcap"))
        if LANDLOCK:
            self.assertEqual(CONFINEMENT.replace("confinement", "confined"), self.reported("check", "-v", "a.pcap"))

    @unittest.skipUnless(LANDLOCK and SECCOMP and LACKS, "this machine or this build has not both")
    def test_what_an_old_kernel_lacks_is_said(self):
        held = "confined: no Landlock (not in this kernel), seccomp, all inputs opened before"
        lack = "not confined: no Landlock (not in this kernel), seccomp"
        before = (OLD_KERNEL, "landlock")
        self.assertEqual(held, self.reported("check", "-v", "a.pcap", before=before))
        self.assertEqual(lack, self.reported("check", "-v", "--report", "jsonl=report", "a.pcap", before=before))
        self.assertEqual(lack, self.reported("check", "-v", *["a.pcap"] * 50, before=before, limit=128))
        self.assertEqual(held, self.reported("check", "-v", *["a.pcap"] * 40, before=before, limit=128))
        self.assertRegex(self.reported("check", "-v", "a.pcap", before=(OLD_KERNEL, "seccomp")),
                         r"^confined: Landlock ABI \d+, no seccomp \(not in this kernel\)$")
        none = "none (not in this kernel)"
        self.assertEqual("not confined: " + none, self.reported("dump", "-v", "a.pcap", before=(OLD_KERNEL, "both")))
        done = subprocess.run([OLD_KERNEL, "both", TOOL, "--version"], stdout=subprocess.PIPE, check=True)
        self.assertEqual("confinement: " + none, done.stdout.decode().split("\n")[1])


if __name__ == "__main__":
    print(CONFINEMENT)
    unittest.main(argv=sys.argv[:1])
