#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""slurm_archive: an archive that Slurm checks on two nodes, one of which is drained while a task runs on it, and of whose tasks one is
killed, gives the result of one run.   slurm_archive.py TOOL PCAPS"""

import os
import signal
import subprocess
import sys
import tempfile

import local
import slurm
from slurm import until

import archive

# Stands in front of iwarp. The first run of the parts 0 and 1 waits for a line in a FIFO: one of them is killed there, one goes on
# when the node that it runs on is drained.
TOOL = """#!/bin/sh
for hold in {folder}/hold-[01]; do
  case " $* " in *" $(cat "$hold") "*)
    if mkdir "$hold.met" 2>/dev/null; then
      echo "$$ $SLURMD_NODENAME" >"$hold.new" && mv "$hold.new" "$hold.met/here"
      read -r line <"$hold.fifo"
    fi ;;
  esac
done
exec {tool} "$@"
"""


class Run:
    def __init__(self, slurm_, folder, tool, pcaps):
        self.slurm, self.folder = slurm_, folder
        self.archive, self.work = os.path.join(folder, "archive"), os.path.join(folder, "work")
        self.holds = {}
        local.make_archive(self.archive, pcaps)
        held = os.path.join(folder, "tool")
        with open(held, "w", encoding="ascii") as out:
            out.write(TOOL.format(folder=folder, tool=tool))
        os.chmod(held, 0o755)
        self.call("plan", self.work, "--part", "30k", "--split", "60k", "--tasks", "8", "--iwarp", held, ".")
        self.plan = archive.Plan(self.work)
        for task in (0, 1):
            first, last, shard, shards, _ = self.plan.parts[self.plan.tasks[task][0]]
            self.holds[task] = os.path.join(folder, "hold-%d" % task)
            with open(self.holds[task], "w", encoding="ascii") as out:
                out.write("--shard %d/%d --captures %d-%d" % (shard, shards, first, last))
            os.mkfifo(self.holds[task] + ".fifo")

    def call(self, *words):
        return subprocess.check_output([sys.executable, "-B", os.path.join(local.CLUSTER, "archive.py"), *words], cwd=self.archive,
                                       env=self.slurm.environment).decode("utf-8")

    def submit(self):
        """The ids of the array and of the merge."""
        lines = self.call("submit", self.work, "--chdir", self.folder).splitlines()
        return [line.split()[1].rstrip(":") for line in lines]

    def held(self, task):
        """The process and the node of a task that waits."""
        path = self.holds[task] + ".met/here"
        until("task %d runs" % task, lambda: os.path.exists(path))
        pid, node = local.read(path).decode("ascii").split()
        return int(pid), node

    def release(self, task):
        with open(self.holds[task] + ".fifo", "w", encoding="ascii") as out:
            out.write("go on\n")

    def nodes(self, array):
        """The node that made each part, by the logs of the tasks."""
        made = {}
        for name in os.listdir(os.path.join(self.work, "logs")):
            if name.startswith(array + "_"):
                for line in local.read(self.work, "logs", name).decode("utf-8").splitlines():
                    words = line.split()
                    if words[:1] == ["part"] and words[2:3] == ["on"]:
                        made[int(words[1])] = words[3].rstrip(":")
        return made

    def is_single_run(self, tool):
        status, lines = local.single_run(tool, self.archive)
        assert local.read(self.work, "result.jsonl").partition(b"\n")[2] == lines, "the result is not that of one run"
        assert int(local.read(self.work, "result.status")) == status


def killed_and_drained(run, tool):
    """One task is killed; the node of another one is drained while it runs there. All tasks end on the other node."""
    array, merge = run.submit()
    (pid, node), (_, drained) = run.held(0), run.held(1)
    assert node != drained, "two tasks run on one node"
    run.slurm.ask("scontrol", "update", "NodeName=" + drained, "State=DRAIN", "Reason=test")
    until("the node is drained", lambda: run.slurm.node(drained) == "draining")
    assert run.slurm.show(merge)["JobState"] == "PENDING", "the merge did not wait for the array"
    os.kill(pid, signal.SIGKILL)
    run.slurm.start_soon(array + "_0")
    run.release(1)
    assert until("the merge ends", lambda: run.slurm.over(merge)) == "COMPLETED", local.read(run.work, "logs", merge + ".log").decode()
    run.is_single_run(tool)
    made = run.nodes(array)
    assert sorted(made) == list(range(len(run.plan.parts))), made
    of_held = run.plan.tasks[1]
    assert made[of_held[0]] == drained, "the node did not finish the task that it had"
    assert all(made[part] == node for part in made if part not in of_held), "a drained node got a task: %s" % made
    log = local.read(run.work, "logs", array + "_0.log").decode("utf-8")
    assert "iwarp ended with status -9" in log and "restart 1 of 3" in log, log
    run.slurm.ask("scontrol", "update", "NodeName=" + drained, "State=RESUME")
    until("the node is back", lambda: run.slurm.node(drained) == "idle")
    print("%d parts in %d tasks; %s killed on %s, %s drained" % (len(made), len(run.plan.tasks), array + "_0", node, drained))


def missing_is_said(run, tool):
    """Where a part is missing when all tasks have ended, the merge says which and fails; the next submit makes that one alone."""
    os.unlink(run.plan.result(0))
    os.unlink(os.path.join(run.work, "result.jsonl"))
    job = archive.sbatch(["--output", os.path.join(run.work, "logs", "%j.log"), "--chdir", run.folder,
                          os.path.join(local.CLUSTER, "merge.sbatch"), archive.__file__, run.work])
    assert until("the merge ends", lambda: run.slurm.over(job)) == "FAILED"
    log = local.read(run.work, "logs", job + ".log").decode("utf-8")
    assert "part 0: capture" in log and "1 of %d parts are missing" % len(run.plan.parts) in log, log
    array, merge = run.submit()
    assert until("the merge ends", lambda: run.slurm.over(merge)) == "COMPLETED"
    assert sorted(run.nodes(array)) == [0], "parts with a result were made again"
    run.is_single_run(tool)


def main(tool, pcaps):
    slurm.need_programs()
    with tempfile.TemporaryDirectory() as folder:
        with slurm.Slurm(folder) as running:
            os.environ["SLURM_CONF"] = running.environment["SLURM_CONF"]
            run = Run(running, folder, os.path.abspath(tool), os.path.abspath(pcaps))
            killed_and_drained(run, os.path.abspath(tool))
            missing_is_said(run, os.path.abspath(tool))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
