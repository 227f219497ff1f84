#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""archive: checks an archive of captures in parts, on many machines or on one: docs/scale.md.

archive.py plan WORK [--part SIZE] [--split SIZE] [--tasks N] [--iwarp TOOL] CAPTURE|FOLDER... [-- OPTION of check...]
    Writes the folder WORK: the captures, and the parts of the run.

archive.py submit WORK [OPTION of sbatch...]
    Gives Slurm an array of the tasks whose results are missing, and a job that joins all results.

archive.py task WORK INDEX
    Makes the results of one task. Results that are there already stay.

archive.py merge WORK
    Joins the results: WORK/result.jsonl is what `iwarp check -T jsonl` prints for all captures.

archive.py local WORK [PROCESSES]
    Runs all tasks and the merge on this machine.

archive.py status WORK
    Says what is missing.

The commands merge, local and status exit with 0 when all results are there, and with 1 when some are missing. The exit
status of `iwarp check` stands in WORK/result.status.
"""

import heapq
import json
import os
import shlex
import signal
import socket
import subprocess
import sys

FORMAT = 1
HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
ENDS = tuple(kind + packed for kind in (".pcap", ".pcapng", ".cap") for packed in ("", ".gz", ".zst", ".lz4", ".xz"))
SHARDS_MAX = 1024
# A result is whole with one of these: passed, violated, unreadable input, no iWARP, undecided.
JUDGED = (0, 1, 2, 3, 4)


class Refused(Exception):
    """What is asked for cannot be done; the text says why."""


# ---- the plan ----

def size_of(text):
    """Octets of a size such as 64G."""
    number, unit = (text[:-1], SIZES[text[-1]]) if text[-1:] in SIZES else (text, 1)
    if not number.isdigit() or int(number) == 0:
        raise Refused("%r is no size" % text)
    return int(number) * unit


def captures_in(operands):
    """The paths of all captures, and how many files of folders have another kind of name. Folders are searched to any depth, in
    the order of names."""
    found, others = [], 0
    for operand in operands:
        if not os.path.isdir(operand):
            found.append(operand)
            continue
        for folder, folders, names in os.walk(operand):
            folders.sort()
            for name in sorted(names):
                if name.endswith(ENDS):
                    found.append(os.path.join(folder, name))
                else:
                    others += 1
    return found, others


def parts_of(sizes, part, split):
    """The parts of a run, as (first capture, last one, shard, shards, octets to read). Captures that follow one another are one part
    until they have `part` octets. A capture of more than `split` octets is cut into shards, each of which reads all of it."""
    parts = []
    begin, octets = 0, 0
    for number, size in enumerate(sizes):
        if size > split:
            if begin < number:
                parts.append((begin, number - 1, 0, 1, octets))
            shards = min(-(-size // split), SHARDS_MAX)
            parts += [(number, number, shard, shards, size) for shard in range(shards)]
            begin, octets = number + 1, 0
            continue
        octets += size
        if octets >= part:
            parts.append((begin, number, 0, 1, octets))
            begin, octets = number + 1, 0
    if begin < len(sizes):
        parts.append((begin, len(sizes) - 1, 0, 1, octets))
    return parts


def dealt(parts, tasks):
    """Numbers of the parts of each task. Each part goes to the task with the fewest octets, the largest
    part first: so the tasks end at about the same time."""
    loads = [(0, index) for index in range(min(tasks, len(parts)))]  # a heap: sorted
    deal = [[] for _ in loads]
    for number in sorted(range(len(parts)), key=lambda n: (-parts[n][4], n)):
        octets, index = loads[0]
        heapq.heapreplace(loads, (octets + parts[number][4], index))
        deal[index].append(number)
    return deal


def fits_command_line(paths):
    """The system limits the octets of a command line, each of whose words costs a pointer and an end as well."""
    room = os.sysconf("SC_ARG_MAX") - sum(len(os.fsencode(k + v)) + 10 for k, v in os.environ.items()) - 16384
    return sum(len(os.fsencode(path)) + 9 for path in paths) < room


def write_plan(work, made):
    """Writes a plan into its folder once: results belong to the plan that they were made for."""
    try:
        with open(os.path.join(work, "plan.json"), "x", encoding="utf-8", errors="surrogateescape") as out:
            json.dump(made, out)
    except FileExistsError:
        raise Refused("%s: holds a plan already" % work) from None


def read_plan(work):
    try:
        with open(os.path.join(work, "plan.json"), encoding="utf-8", errors="surrogateescape") as stream:
            return json.load(stream)
    except (OSError, ValueError) as why:
        raise Refused("%s: no plan: %s" % (work, why)) from None


def plan(work, words):
    options = {"--part": "64G", "--split": "256G", "--tasks": "1000", "--iwarp": "iwarp"}
    operands, check = words, []
    if "--" in words:
        operands, check = words[:words.index("--")], words[words.index("--") + 1:]
    while operands and operands[0].startswith("--"):
        if operands[0] not in options or len(operands) < 2:
            raise Refused("plan: no option: %s" % operands[0])
        options[operands[0]], operands = operands[1], operands[2:]
    paths, others = captures_in(operands)
    if not paths:
        raise Refused("there are no captures (names that end with .pcap, .pcapng or .cap, compressed or not)")
    missing = [path for path in paths if not os.path.isfile(path)]
    if missing:
        raise Refused("%s: no such file" % missing[0])
    if len(paths) > 1 << 20 or not fits_command_line(paths):
        raise Refused("%d captures do not fit in a command line: make a plan for each folder" % len(paths))
    sizes = [os.path.getsize(path) for path in paths]
    parts = parts_of(sizes, size_of(options["--part"]), size_of(options["--split"]))
    tool = options["--iwarp"]  # tasks run in another folder
    made = {"format": FORMAT, "iwarp": os.path.abspath(tool) if os.sep in tool else tool, "folder": os.getcwd(), "options": check, "captures": paths,
            "sizes": sizes, "parts": parts, "tasks": dealt(parts, size_of(options["--tasks"]))}
    os.makedirs(work, exist_ok=True)
    write_plan(work, made)
    for folder in ("results", "logs"):
        os.makedirs(os.path.join(work, folder), exist_ok=True)
    print("%d captures, %.3f GB, in %d parts and %d tasks%s" % (
        len(paths), sum(sizes) / 1e9, len(parts), len(made["tasks"]),
        "; %d files are not captures by their names" % others if others else ""))


class Plan:
    """A plan that was written, and the results so far."""

    def __init__(self, work):
        self.work = os.path.abspath(work)
        self.all = read_plan(work)
        if self.all["format"] != FORMAT:
            raise Refused("%s: the plan is of another version" % work)
        self.parts, self.tasks = self.all["parts"], self.all["tasks"]

    def result(self, number):
        return os.path.join(self.work, "results", "%06d.jsonl" % number)

    def missing(self):
        """Numbers of the parts without a result, by task."""
        parts = [[n for n in numbers if not os.path.exists(self.result(n))] for numbers in self.tasks]
        return {index: numbers for index, numbers in enumerate(parts) if numbers}

    def words(self, number):
        """What a part is called in messages."""
        first, last, shard, shards, _ = self.parts[number]
        of = "captures %d to %d" % (first, last) if last > first else "capture %d (%s)" % (first, self.all["captures"][first])
        return of + (", shard %d of %d" % (shard, shards) if shards > 1 else "")


# ---- a task ----

def summary_of(path):
    """The summary at the end of a result, or None."""
    with open(path, "rb") as stream:
        stream.seek(0, os.SEEK_END)
        size = stream.tell()
        length = 4096
        while True:
            stream.seek(max(size - length, 0))
            tail = stream.read()
            begin = tail.rfind(b"\n", 0, len(tail) - 1)
            if begin >= 0 or length >= size:
                break
            length *= 4
    try:
        line = json.loads(tail[begin + 1:].decode("utf-8")) if tail.endswith(b"\n") else {}
    except ValueError:
        return None
    return line if line.get("type") == "summary" else None


def whole(path, status):
    """Why a result cannot be used, or None. A signal ends the reading early, and the result then looks whole but for a limit."""
    summary = summary_of(path)
    if status not in JUDGED or summary is None:
        return "iwarp ended with status %d%s" % (status, "" if summary else " and without a summary")
    return "iwarp was interrupted" if "interrupted" in summary.get("limits", {}) else None


def unchanged(plan_, number):
    first, last = plan_.parts[number][:2]
    for n in range(first, last + 1):
        path = os.path.join(plan_.all["folder"], plan_.all["captures"][n])
        try:
            size = os.path.getsize(path)
        except OSError:
            continue  # iwarp says so in the result
        if size != plan_.all["sizes"][n]:
            raise Refused("%s: has %d octets; it had %d when the plan was made" % (path, size, plan_.all["sizes"][n]))


def written(command, path, folder, check):
    """Lets a command write a file, which is whole or absent: its octets go to a name of their own, which becomes `path` when `check`
    finds nothing wrong. Returns the status of the command."""
    temporary = "%s.%s.%d.tmp" % (path, socket.gethostname(), os.getpid())
    try:
        with open(temporary, "wb") as out:
            status = subprocess.call(command, stdout=out, stdin=subprocess.DEVNULL, cwd=folder)
            os.fsync(out.fileno())
        wrong = check(temporary, status)
        if wrong is not None:
            raise Refused(wrong)
        os.rename(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return status


def make_part(plan_, number):
    first, last, shard, shards, _ = plan_.parts[number]
    jobs = os.environ.get("SLURM_CPUS_PER_TASK", "1")
    unchanged(plan_, number)
    command = [plan_.all["iwarp"], "check", "--shard", "%d/%d" % (shard, shards), "--captures", "%d-%d" % (first, last), "--jobs", jobs,
               "--progress", "never"] + plan_.all["options"] + ["--"] + plan_.all["captures"]
    written(command, plan_.result(number), plan_.all["folder"], whole)


def task(plan_, index):
    """Makes the results of a task that are missing; returns how many could not be made."""
    failed = 0
    for number in plan_.tasks[index]:
        if os.path.exists(plan_.result(number)):
            continue
        try:
            make_part(plan_, number)
            print("part %d on %s: %s" % (number, os.environ.get("SLURMD_NODENAME", socket.gethostname()), plan_.words(number)), flush=True)
        except (Refused, OSError) as why:
            failed += 1
            print("part %d: %s: %s" % (number, plan_.words(number), why), file=sys.stderr, flush=True)
    return failed


# ---- the result ----

def tell_missing(plan_):
    missing = plan_.missing()
    for index, numbers in missing.items():
        for number in numbers:
            print("missing: task %d, part %d: %s" % (index, number, plan_.words(number)), file=sys.stderr)
    if missing:
        print("%d of %d parts are missing; archive.py submit runs their tasks again" % (
            sum(map(len, missing.values())), len(plan_.parts)), file=sys.stderr)
    return bool(missing)


def merge(plan_):
    if tell_missing(plan_):
        return 1
    results = os.path.join(plan_.work, "results")
    names = [os.path.basename(plan_.result(n)) for n in range(len(plan_.parts))]
    target = os.path.join(plan_.work, "result.jsonl")

    def joined(path, status):
        return None if status in JUDGED and summary_of(path) else "iwarp merge ended with status %d" % status

    status = written([plan_.all["iwarp"], "merge"] + names, target, results, joined)
    temporary = os.path.join(plan_.work, "result.status.tmp")
    with open(temporary, "w", encoding="ascii") as out:
        out.write("%d\n" % status)
    os.rename(temporary, os.path.join(plan_.work, "result.status"))
    for name in os.listdir(results):  # what killed tasks left
        if name.endswith(".tmp"):
            os.unlink(os.path.join(results, name))
    print("%s: verdict %s, exit status %d" % (target, summary_of(target)["verdict"], status))
    return 0


def run_tasks(plan_, script, processes):
    """Runs the tasks that are missing in processes of their own, so many at a time."""
    waiting, running = sorted(plan_.missing()), []
    while waiting or running:
        while waiting and len(running) < processes:
            running.append(subprocess.Popen([sys.executable, "-B", script, "task", plan_.work, str(waiting.pop(0))]))
        ended = os.wait()[0]
        for process in running:
            if process.pid == ended:
                process.returncode = 0  # its results tell how it went
        running = [process for process in running if process.pid != ended]


# ---- Slurm ----

def ranges(numbers):
    """Numbers as Slurm writes them: 0-3,7."""
    out = []
    for number in sorted(numbers):
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return ",".join("%d-%d" % (a, b) if a < b else "%d" % a for a, b in out)


def sbatch(words):
    """Gives Slurm a job; returns its id."""
    out = subprocess.check_output(["sbatch", "--parsable"] + words)
    return out.decode("ascii").strip().split(";")[0]


def submit(plan_, script, options):
    """Gives Slurm an array of the tasks of a plan that are missing, and the merge, both as commands of a script."""
    missing = plan_.missing()
    script = os.path.abspath(script)
    logs = os.path.join(plan_.work, "logs")
    after = []
    if missing:
        array = sbatch(["--array", ranges(missing), "--output", os.path.join(logs, "%A_%a.log")] + options +
                       [os.path.join(HERE, "task.sbatch"), script, plan_.work])
        print("array %s: tasks %s" % (array, ranges(missing)))
        after = ["--dependency", "afterany:" + array]
    job = sbatch(after + ["--output", os.path.join(logs, "%j.log")] + options + [os.path.join(HERE, "merge.sbatch"), script, plan_.work])
    print("merge %s" % job)


def run(command, work, words):
    if command == "plan":
        plan(work, words)
        return 0
    plan_ = Plan(work)
    if command == "task" and len(words) == 1 and words[0].isdigit() and int(words[0]) < len(plan_.tasks):
        return 1 if task(plan_, int(words[0])) else 0
    if command == "submit":
        submit(plan_, __file__, words)
        return 0
    if command == "local" and len(words) < 2:
        run_tasks(plan_, __file__, int(words[0]) if words else 1)
        return merge(plan_)
    if command in ("merge", "status") and not words:
        return merge(plan_) if command == "merge" else int(tell_missing(plan_))
    raise Refused("not known: %s" % " ".join(shlex.quote(word) for word in [command] + words))


def command_line(script, manual, command, words):
    """Lets a script run its command (name, folder, further words); returns the exit status. `manual` is what --help prints."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which takes files that are not whole away
    if len(words) < 2 or words[0] in ("-h", "--help"):
        print(manual)
        return 0 if words[:1] in (["-h"], ["--help"]) else 2
    try:
        return command(words[0], words[1], words[2:])
    except (Refused, OSError, ValueError, subprocess.CalledProcessError) as why:
        print("%s: %s" % (script, why), file=sys.stderr)
        return 2


def main(words):
    return command_line("archive.py", __doc__, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
