# SPDX-License-Identifier: BSD-2-Clause
"""instance: one run of afl-fuzz on one target: what it is started with, what it says, what it used."""

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
LIMIT_MS = 10000  # of one execution: the machine may be busy with other things
LOWEST = 19  # priority
GRACE_S = 60  # that afl-fuzz may take to end after its time


@dataclass(frozen=True)
class Role:
    """A main or secondary instance, and how it differs from the others."""
    name: str
    build: str = "plain"
    options: tuple = ()
    mutator: bool = True


# A secondary instance that differs helps more than one that is the same.
ROLES = [
    Role("main", options=("-M",)),
    Role("cmplog", options=("-S", "-l", "2AT")),
    Role("asan", build="asan", options=("-S",)),
    Role("laf", build="laf", options=("-S",)),
    Role("own", options=("-S", "-p", "explore"), mutator=False),
]
SCHEDULES = ("rare", "coe", "exploit", "lin", "quad", "fast")


def roles(num):
    """At least `num` roles, all with different names."""
    more = [Role(f"more-{i}", options=("-S", "-p", SCHEDULES[i % len(SCHEDULES)])) for i in range(num - len(ROLES))]
    return ROLES + more


def read_stats(path):
    """The numbers of a fuzzer_stats file; empty if the file does not exist yet."""
    found = {}
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return found
    for line in lines:
        key, _, value = line.partition(":")
        try:
            found[key.strip()] = float(value.strip().rstrip("%"))
        except ValueError:
            continue
    return found


def process_stats():
    """{process: (parent, seconds of processor time, including its children that have ended)}."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                text = Path("/proc", entry, "stat").read_text(encoding="ascii", errors="replace")
                fields = text.rpartition(")")[2].split()
                found[int(entry)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def descendants(root, stats):
    """A process and all that it began, as long as they run."""
    found = {root}
    while True:
        more = {process for process, (parent, _) in stats.items() if parent in found} - found
        if not more:
            return found
        found |= more


def tree_cpu(root, stats):
    """Seconds of processor time of a process and all that it began, as long as they run."""
    return sum(stats[process][1] for process in descendants(root, stats) if process in stats)


def give_way(processes):
    """Lets all other work have the processors first. The kernel weighs sessions before processes, and each fork server is a session."""
    for process in processes:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, LOWEST)
        with contextlib.suppress(OSError):
            Path(f"/proc/{process}/autogroup").write_text(str(LOWEST), encoding="ascii")


class Instance:
    """One run of a role on a target, in the folder <out>/<target>/<role>."""

    def __init__(self, builds, out, target, role, limits):
        self.builds, self.target, self.role, self.limits = builds, target, role, limits
        self.out = Path(out) / target
        self.process = None
        self.cpu = 0.0
        self.before = self.stats()

    def folder(self):
        return self.out / self.role.name

    def stats(self):
        return read_stats(self.folder() / "fuzzer_stats")

    def executions(self):
        """Of this run alone. What a later run of the same instance says goes on from an earlier one."""
        now, before = self.stats().get("execs_done", 0), self.before.get("execs_done", 0)
        return int(now - before if now >= before else now)

    def command(self):
        words = ["afl-fuzz", "-i", str(self.builds.seeds(self.target)), "-o", str(self.out), "-m", "none",
                 "-t", f"{LIMIT_MS}+", "-x", str(self.builds.dictionary()), "-G", str(self.limits.octets)]
        for option in self.role.options:
            words.append(option)
            if option in ("-M", "-S"):
                words.append(self.role.name)
        if self.role.name == "cmplog":
            words += ["-c", str(self.builds.program("cmplog", self.target))]
        if self.role.name == "main":
            for folder in self.limits.foreign(self.target):
                words += ["-F", str(folder)]
        words += ["-E", str(self.limits.executions)] if self.limits.executions else ["-V", str(self.limits.turn_s)]
        if self.limits.seed:
            words += ["-s", str(self.limits.seed)]
        return [*words, "--", str(self.builds.program(self.role.build, self.target))]

    def environment(self):
        more = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_AUTORESUME": "1",
                "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_IMPORT_FIRST": "1", "AFL_FAST_CAL": "1",
                "AFL_CMPLOG_ONLY_NEW": "1", "AFL_HANG_TMOUT": str(6 * LIMIT_MS), "AFL_SKIP_CRASHES": "1",
                "AFL_FORKSRV_INIT_TMOUT": str(6 * LIMIT_MS), "AFL_NO_CRASH_README": "1", "AFL_IGNORE_PROBLEMS": "1",
                "IWARP_FUZZ_FORM": self.limits.form(self.target)}
        if self.role.mutator:
            more["AFL_CUSTOM_MUTATOR_LIBRARY"] = str(self.builds.mutator())
        return {**os.environ, **more}

    def start(self):
        self.out.mkdir(parents=True, exist_ok=True)
        self.end_rest()  # of a campaign that was killed
        with open(self.out / f"{self.role.name}.log", "ab") as log:
            self.process = subprocess.Popen(self.command(), env=self.environment(), stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def wait(self, stopping, look_s=1.0):
        """Waits for the end of the run; counts its processor time."""
        end = time.monotonic() + self.limits.turn_s + GRACE_S
        while self.process.poll() is None:
            stats = process_stats()
            self.cpu = max(self.cpu, tree_cpu(self.process.pid, stats))
            if self.limits.background:
                give_way(descendants(self.process.pid, stats))
            late = not self.limits.executions and time.monotonic() > end
            if stopping() or late:
                self.stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(look_s)
        self.end_rest()
        return self.process.returncode

    def end_rest(self):
        """afl-fuzz leaves a fork server of cmplog running when it ends, and what that forked: they hold the lock on its folder.

        They are known by the name that they were started with: the file that they run may be another one.
        """
        program = os.fsencode(self.builds.program("cmplog", self.target))
        for process in process_stats() if self.role.name == "cmplog" else ():
            with contextlib.suppress(OSError):
                if Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0] == program:
                    os.kill(process, signal.SIGKILL)

    def stop(self):
        """Asks afl-fuzz to end: it writes its figures first."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def failed(self):
        """Why the run failed, or None."""
        if self.process.returncode not in (0, -signal.SIGINT) and self.executions() == 0:
            return f"{self.target} {self.role.name}: afl-fuzz ended with {self.process.returncode}: {self.out / self.role.name}.log"
        return None
