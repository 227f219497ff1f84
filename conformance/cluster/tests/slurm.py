# SPDX-License-Identifier: BSD-2-Clause
"""A Slurm of two nodes on this machine: munged, slurmctld and a slurmd for each node, in a temporary folder, on the loopback interface.
It touches nothing outside of the folder, and ends only what it started."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo")
NODES = ("node1", "node2")
# What takes more seconds hangs.
HANG_S = 1800
# No cgroups, no systemd, no accounting: slurmd follows the processes of a job by their parents.
CONFIG = """ClusterName=iwarp
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=4096
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=4096
PartitionName=test Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
"""
# Slurmd looks beside slurm.conf for this file. By itself it asks which kind of cgroups is mounted, and ends where none is, although
# nothing here uses any; with a kind that is named it does not ask.
CGROUP_CONFIG = "CgroupPlugin=cgroup/v1\n"


def need_programs():
    """Without Slurm there is nothing to test: exit status 77, which ctest calls skipped."""
    path = os.environ["PATH"] + ":/usr/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    os.environ["PATH"] = path
    if missing:
        print("skipped: no %s (Debian 12: slurmctld slurmd slurm-client munge; or .ci/cluster)" % ", ".join(missing))
        sys.exit(77)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def until(what, condition):
    """Asks until the condition is true, and returns what it returned."""
    end = time.monotonic() + HANG_S
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("not within %d s: %s" % (HANG_S, what))


class Slurm:
    def __init__(self, folder):
        self.folder, self.children = folder, []
        self.environment = {**os.environ, "SLURM_CONF": os.path.join(folder, "slurm.conf")}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            self.tell()
            raise
        return self

    def __exit__(self, kind, *_):
        self.stop()
        if kind is not None:
            self.tell()

    def tell(self):
        """Prints the ends of all logs, for whoever looks for the cause of a failure."""
        for folder, _, names in os.walk(self.folder):
            for name in sorted(names):
                if name.endswith((".out", ".log")):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as stream:
                        print("".join("%s: %s" % (name, line) for line in stream.readlines()[-30:]), file=sys.stderr)

    def path(self, name):
        return os.path.join(self.folder, name)

    def daemon(self, *words):
        with open(self.path(os.path.basename(words[0]) + ".out"), "ab") as out:
            self.children.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment))

    def started(self, what, condition):
        """Waits until a daemon answers; one that ended never does."""
        def look():
            assert all(child.poll() is None for child in self.children), "a daemon ended"
            return condition()
        until(what, look)

    def start(self):
        os.chmod(self.folder, 0o755)  # munged wants its socket to be within reach of all users
        for name in ("state", "spool.node1", "spool.node2"):
            os.mkdir(self.path(name))
        with open(self.path("cgroup.conf"), "w", encoding="ascii") as out:
            out.write(CGROUP_CONFIG)
        with open(self.path("key"), "wb") as out:
            os.chmod(out.fileno(), 0o400)
            out.write(secrets.token_bytes(128))
        with open(self.path("slurm.conf"), "w", encoding="ascii") as out:
            out.write(CONFIG.format(folder=self.folder, host=socket.gethostname().split(".")[0], ports=free_ports(3),
                                    user=pwd.getpwuid(os.getuid()).pw_name))
        self.daemon("munged", "--foreground", "--key-file", self.path("key"), "--socket", self.path("munge.socket"), "--pid-file",
                    self.path("munged.pid"), "--log-file", self.path("munged.log"), "--seed-file", self.path("munged.seed"))
        self.started("munged listens", lambda: os.path.exists(self.path("munge.socket")))
        self.daemon("slurmctld", "-D", "-f", self.path("slurm.conf"))
        for node in NODES:
            self.daemon("slurmd", "-D", "-N", node, "-f", self.path("slurm.conf"))
        self.started("both nodes are idle", lambda: all(self.node(node) == "idle" for node in NODES))

    def stop(self):
        """Ends the jobs, then the daemons: slurmd and slurmctld before munged."""
        if len(self.children) > 1 and self.children[1].poll() is None:
            try:
                for job in self.ask("squeue", "-h", "-o", "%A").split():
                    self.ask("scancel", job)
                until("no job is left", lambda: not self.ask("squeue", "-h", "-o", "%A"))
            except (AssertionError, subprocess.SubprocessError) as why:
                print("jobs are left: %s" % why, file=sys.stderr)
        for child in reversed(self.children):
            child.terminate()
            try:
                child.wait(HANG_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def ask(self, *words):
        """The output of a command of Slurm; empty where it fails, as it may while daemons start."""
        return subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, timeout=HANG_S).stdout.decode("utf-8").strip()

    def node(self, name):
        return self.ask("sinfo", "-h", "-n", name, "-o", "%T").strip("*")

    def show(self, job):
        """The fields of a job; an array task is JOB_INDEX."""
        text = self.ask("scontrol", "-o", "show", "job", job)
        return dict(word.partition("=")[::2] for word in text.split() if "=" in word)

    def over(self, job):
        """The state of a job that has ended, or None."""
        state = self.show(job).get("JobState", "")
        return state if state in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL") else None

    def start_soon(self, job):
        """A job that goes back into the queue waits for two minutes; here three seconds. Slurmd starts no job in the second in which
        it has killed it."""
        def again():
            fields = self.show(job)
            assert fields.get("JobState") != "FAILED", "%s was not put back into the queue" % job
            return fields.get("JobState") == "PENDING" and fields.get("Restarts") != "0"
        until("%s is in the queue again" % job, again)
        until("%s may start" % job, lambda: subprocess.call(["scontrol", "update", "JobId=" + job, "StartTime=now+3"], env=self.environment,
                                                            stderr=subprocess.DEVNULL) == 0)
