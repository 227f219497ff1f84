#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fuzz: a campaign of a libFuzzer target in tasks that share a corpus, on many machines or on one: docs/scale.md.

fuzz.py plan SHARED PROGRAM TASKS [--seconds N | --runs N] [--rounds N] [--seed N] [CORPUS...] [-- OPTION of libFuzzer...]
    Makes the folder SHARED. The inputs of each folder CORPUS go to SHARED/corpus.

fuzz.py submit SHARED [OPTION of sbatch...]
    Gives Slurm an array of the tasks that have not ended, and a job that minimizes the corpus.

fuzz.py task SHARED INDEX
    Fuzzes with a seed of its own, in rounds. After each round the new inputs and findings are there for all tasks.

fuzz.py merge SHARED
    Minimizes the corpus: SHARED/minimized has the same coverage. Fails when a task has not ended, or something was found.

fuzz.py local SHARED [PROCESSES]
    Runs all tasks and the merge on this machine.
"""

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile

import archive
from archive import Refused

FOLDERS = ("corpus", "findings", "done", "logs", "new")
OPTIONS = {"--seconds": None, "--runs": None, "--rounds": 10, "--seed": 1}


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def publish(shared, folder, name, octets):
    """Puts a file into a shared folder, whole or not at all. Equal inputs have equal names, so a second writer does no harm."""
    path = os.path.join(shared, folder, name)
    if os.path.exists(path):
        return 0
    temporary = os.path.join(shared, "new", "%s.%s.%d" % (name, socket.gethostname(), os.getpid()))
    with open(temporary, "wb") as out:
        out.write(octets)
        out.flush()
        os.fsync(out.fileno())
    os.rename(temporary, path)
    return 1


def publish_inputs(shared, folder):
    """Inputs are named by their octets, as libFuzzer names them."""
    inputs = (read(os.path.join(folder, name)) for name in sorted(os.listdir(folder)))
    return sum(publish(shared, "corpus", hashlib.sha1(octets).hexdigest(), octets) for octets in inputs)


def plan(shared, words):
    options, corpora, engine = dict(OPTIONS), words[2:], []
    if "--" in corpora:
        corpora, engine = corpora[:corpora.index("--")], corpora[corpora.index("--") + 1:]
    while corpora and corpora[0].startswith("--"):
        if corpora[0] not in OPTIONS or len(corpora) < 2 or not corpora[1].isdigit():
            raise Refused("plan: no option with a number: %s" % corpora[0])
        options[corpora[0]], corpora = int(corpora[1]), corpora[2:]
    if len(words) < 2 or not words[1].isdigit() or int(words[1]) == 0 or options["--rounds"] == 0:
        raise Refused("plan: SHARED PROGRAM TASKS, and at least one round")
    if not os.access(words[0], os.X_OK):
        raise Refused("%s: no program" % words[0])
    if (options["--seconds"] is None) == (options["--runs"] is None):
        raise Refused("plan: either --seconds or --runs")
    for folder in FOLDERS:
        os.makedirs(os.path.join(shared, folder), exist_ok=True)
    archive.write_plan(shared, {"program": os.path.abspath(words[0]), "tasks": int(words[1]), "engine": engine, **options})
    print("%d inputs" % sum(publish_inputs(shared, corpus) for corpus in corpora))


class Plan:
    def __init__(self, shared):
        self.work = os.path.abspath(shared)
        self.all = archive.read_plan(shared)

    def path(self, *names):
        return os.path.join(self.work, *names)

    def has_ended(self, index):
        return os.path.exists(self.path("done", str(index)))

    def missing(self):
        """Numbers of the tasks that have not ended."""
        return [index for index in range(self.all["tasks"]) if not self.has_ended(index)]

    def amount(self):
        """How much a round fuzzes, as libFuzzer takes it. It counts the inputs of the corpus as runs."""
        key, option = ("--seconds", "-max_total_time") if self.all["--runs"] is None else ("--runs", "-runs")
        each = max(1, self.all[key] // self.all["--rounds"])
        return "%s=%d" % (option, each + (len(os.listdir(self.path("corpus"))) if key == "--runs" else 0))


def fuzz_round(plan_, number):
    """Fuzzes into a folder of its own, then gives away what is new. Returns how many inputs and findings that are."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, findings = os.path.join(folder, "corpus"), os.path.join(folder, "findings", "")
        os.mkdir(corpus)
        os.mkdir(findings)
        command = [plan_.all["program"], "-seed=%d" % (plan_.all["--seed"] + number), plan_.amount(), "-artifact_prefix=" + findings,
                   "-print_final_stats=1"] + plan_.all["engine"] + [corpus, plan_.path("corpus")]
        status = subprocess.call(command, stdin=subprocess.DEVNULL)
        found = sum(publish(plan_.work, "findings", name, read(findings + name)) for name in sorted(os.listdir(findings)))
        if status != 0 and not os.listdir(findings):
            raise Refused("%s ended with status %d and left no input" % (plan_.all["program"], status))
        return publish_inputs(plan_.work, corpus), found


def task(plan_, index):
    if plan_.has_ended(index):
        return
    for number in range(plan_.all["--rounds"]):
        new, found = fuzz_round(plan_, index * plan_.all["--rounds"] + number)
        print("round %d of task %d on %s: %d new inputs, %d findings" % (
            number, index, os.environ.get("SLURMD_NODENAME", socket.gethostname()), new, found), flush=True)
    publish(plan_.work, "done", str(index), b"")


def merge(plan_):
    missing = plan_.missing()
    if missing:
        print("tasks that have not ended: %s; fuzz.py submit runs them again" % archive.ranges(missing), file=sys.stderr)
        return 1
    new = plan_.path("minimized.new")
    shutil.rmtree(new, ignore_errors=True)
    os.mkdir(new)
    if subprocess.call([plan_.all["program"], "-merge=1"] + plan_.all["engine"] + [new, plan_.path("corpus")], stdin=subprocess.DEVNULL) != 0:
        raise Refused("%s -merge=1 failed" % plan_.all["program"])
    shutil.rmtree(plan_.path("minimized"), ignore_errors=True)
    os.rename(new, plan_.path("minimized"))
    findings = sorted(os.listdir(plan_.path("findings")))
    print("%d inputs, %d of them in %s; %d findings" % (
        len(os.listdir(plan_.path("corpus"))), len(os.listdir(plan_.path("minimized"))), plan_.path("minimized"), len(findings)))
    for name in findings:
        print("found: %s" % plan_.path("findings", name))
    return 1 if findings else 0


def run(command, shared, words):
    if command == "plan":
        plan(shared, words)
        return 0
    plan_ = Plan(shared)
    if command == "task" and len(words) == 1 and words[0].isdigit() and int(words[0]) < plan_.all["tasks"]:
        task(plan_, int(words[0]))
        return 0
    if command == "submit":
        archive.submit(plan_, __file__, ["--mem", "3G"] + words)
        return 0
    if command == "local" and len(words) < 2:
        archive.run_tasks(plan_, __file__, int(words[0]) if words else 1)
        return merge(plan_)
    if command == "merge" and not words:
        return merge(plan_)
    raise Refused("not known: %s" % command)


def main(words):
    return archive.command_line("fuzz.py", __doc__, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
