#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""slurm_fuzz: two tasks of a campaign on two nodes of a Slurm share a corpus; one is killed and runs again.   slurm_fuzz.py TARGET"""

import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile

import slurm
from slurm import until

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import fuzz

RUNS = 4000
SEEDS = 9
# Stands in front of the target. The first run of the second task waits, and is killed.
PROGRAM = """#!/bin/sh
case " $* " in *" -seed={seed} "*)
  if mkdir {folder}/met 2>/dev/null; then
    echo "$$" >{folder}/new && mv {folder}/new {folder}/met/here
    read -r line <{folder}/fifo
  fi ;;
esac
exec {target} "$@"
"""


def features(target, *corpora):
    """What libFuzzer counts of the coverage of all inputs."""
    text = subprocess.run([target, "-runs=0", "-seed=1", *corpora], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=True).stdout.decode("utf-8")
    return max(int(n) for n in re.findall(r" ft: (\d+)", text))


def campaign(running, folder, target):
    shared, program = os.path.join(folder, "shared"), os.path.join(folder, "program")
    os.mkfifo(os.path.join(folder, "fifo"))
    with open(program, "w", encoding="ascii") as out:
        out.write(PROGRAM.format(folder=folder, target=target, seed=SEEDS + 2))
    os.chmod(program, 0o755)
    call = [sys.executable, "-B", fuzz.__file__]
    subprocess.check_call(call + ["plan", shared, program, "2", "--runs", str(RUNS), "--rounds", "2", "--seed", str(SEEDS)])
    lines = subprocess.check_output(call + ["submit", shared, "--chdir", folder], env=running.environment).decode("ascii").splitlines()
    array, merge = [line.split()[1].rstrip(":") for line in lines]
    here = os.path.join(folder, "met", "here")
    until("the second task runs", lambda: os.path.exists(here))
    until("the first task ends", lambda: os.path.exists(os.path.join(shared, "done", "0")))
    assert running.show(merge)["JobState"] == "PENDING", "the merge did not wait for the array"
    os.kill(int(fuzz.read(here)), signal.SIGKILL)
    running.start_soon(array + "_1")
    state = until("the merge ends", lambda: running.over(merge))
    assert state == "COMPLETED", fuzz.read(os.path.join(shared, "logs", merge + ".log")).decode("utf-8", "replace")
    return shared, array


def judged(shared, array, target):
    log = fuzz.read(os.path.join(shared, "logs", array + "_1.log")).decode("utf-8", "replace")
    assert "ended with status -9" in log and "restart 1 of 3" in log, log
    names = os.listdir(os.path.join(shared, "corpus"))
    for name in names:
        assert hashlib.sha1(fuzz.read(os.path.join(shared, "corpus", name))).hexdigest() == name, "%s is not whole" % name
    assert os.listdir(os.path.join(shared, "new")) == []
    assert re.search(r"files found in \S*/shared/corpus|INITED", log), "the second task did not read the corpus: %s" % log
    minimized = os.listdir(os.path.join(shared, "minimized"))
    assert 0 < len(minimized) <= len(names)
    whole, least = (features(target, os.path.join(shared, folder)) for folder in ("corpus", "minimized"))
    assert least == whole, "minimized has %d features of %d" % (least, whole)
    print("%d inputs of two tasks, %d of them minimized, %d features in both" % (len(names), len(minimized), whole))


def main(target):
    slurm.need_programs()
    if not os.path.exists(target):
        print("skipped: no %s (.ci/cluster builds it)" % target)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with slurm.Slurm(folder) as running:
            shared, array = campaign(running, folder, os.path.abspath(target))
        judged(shared, array, os.path.abspath(target))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
