#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""limits: a limit that is reached is reported, and memory keeps to its budget.

limits.py TOOL tool|table|burst|bursts   Each capture is one below a limit, where the verdict is what the connections deserve,
or at it, where it
must not be pass: the connection says which limit it was, the summary counts, the status is 4, or 1 where something
was violated.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import attacks

SLACK_MIB = 24  # of the program, its buffers and what the allocator wastes, beside the budget and a 16th of it


# A program that begins as a copy of this one counts its memory as its own, so a small one starts the tool.
START = """
import os, sys
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


class Runner:
    """Runs the tool on packets."""

    def __init__(self, tool, path):
        self.tool, self.path = tool, path

    def __call__(self, packets, *words, command="check"):
        return Run(self.tool, self.path, packets, words, command)


class Run:
    """A finished `check`, or another command, of packets."""

    def __init__(self, tool, path, packets, words=(), command="check"):
        attacks.write(path, packets)
        start = [sys.executable, "-S", "-c", START, path + ".out", tool, command, "-T", "jsonl", *words, path]
        done = subprocess.run(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        self.errors = done.stderr
        self.status, self.peak = (int(word) for word in done.stdout.split())
        self.peak /= 1024
        with open(path + ".out", encoding="utf-8") as stream:
            lines = [json.loads(line) for line in stream]
        self.lines = lines
        self.summary = lines[-1]
        self.connections = [line for line in lines if line["type"] == "connection"]

    def given_up(self):
        return {line["given_up"] for line in self.connections if "given_up" in line}


def early(octets):
    """Octets that are no Request, then a Reply."""
    yield attacks.packet(0, True, 1000, 0, attacks.SYN)
    yield attacks.packet(0, False, 5000, 1001, attacks.SYN | attacks.ACK)
    for at in range(0, octets, 512):
        yield attacks.packet(0, True, 1001 + at, 5001, attacks.ACK, b"x" * min(512, octets - at))
    yield attacks.packet(0, False, 5001, 1001 + octets, attacks.ACK, attacks.REPLY + b"\0\1\0\0")


def reads(count):
    """Read Requests without an answer, then an unsolicited Response."""
    yield from attacks.startup(0)
    seq = 1021
    for i in range(count):
        ulpdu = b"\x41\x41" + struct.pack("!IIII", 0, 1, i + 1, 0) + struct.pack("!IQIIQ", 7, 0, 4, 9, 0)
        fpdu = struct.pack("!H", len(ulpdu)) + ulpdu + b"\0" * ((2 - len(ulpdu)) % 4) + b"\0" * 4
        yield attacks.packet(0, True, seq, 5021, attacks.ACK, fpdu)
        seq += len(fpdu)
    ulpdu = b"\xc1\x42" + struct.pack("!IQ", 7, 0) + b"abcd"
    fpdu = struct.pack("!H", len(ulpdu)) + ulpdu + b"\0" * ((2 - len(ulpdu)) % 4) + b"\0" * 4
    yield attacks.packet(0, False, 5021, seq, attacks.ACK, fpdu)


def then_violation(others):
    """A connection, then others, then what the first one does wrong."""
    yield from attacks.startup(0)
    yield attacks.send(0, 1)
    yield from others
    yield attacks.send((0, 1), 77)


def mix(x):
    """The hash that a table without a key had; see colliding."""
    for _ in range(2):
        x = ((x ^ x >> 32) * 0xD6E8FEB86659FD93) & (1 << 64) - 1
    return x ^ x >> 32


def end_hash(ip, port):
    low, = struct.unpack("<Q", ip + b"\0" * 4)
    return mix((low + mix(4 << 16 | port)) & (1 << 64) - 1)


def colliding(count, bits=10):
    """SYNs whose addresses fell into the bucket of connection 0 in a table whose hash everybody knew."""
    server = end_hash(attacks.SERVER, 7174)

    def bucket(number):
        return mix((end_hash(*attacks.client(number)) + server) & (1 << 64) - 1) % (1 << bits)

    wanted, number = bucket(0), 0
    while count > 0:
        number += 1
        if bucket(number) == wanted:
            yield attacks.packet(number, True, 1000, 0, attacks.SYN)
            count -= 1


def check(found, name, run, limit, count=None, **more):
    """What must hold for a run in which `limit` was reached, or none."""
    wrong = []
    if limit is None:
        if "given_up" in run.summary or run.given_up():
            wrong.append("given up: %s" % run.summary.get("limits"))
    else:
        if run.status == 0 or run.summary["verdict"] == "pass":
            wrong.append("it passed")
        if run.summary.get("limits", {}).get(limit, 0) < (count or 1):
            wrong.append("the summary counts %s" % run.summary.get("limits"))
        if run.summary.get("given_up") != sum(run.summary.get("limits", {}).values()):
            wrong.append("the sum is wrong")
        if more.get("lines", True) and limit not in run.given_up():
            wrong.append("no connection says %s" % limit)
    if run.status != more.get("status", 0 if limit is None else 4):
        wrong.append("status %d" % run.status)
    budget = more.get("budget", 256)
    if run.peak > budget + budget / 16 + SLACK_MIB:
        wrong.append("%.0f MiB resident" % run.peak)
    print("%-55s status %d, given up %s, peak %.0f MiB%s"
          % (name, run.status, run.summary.get("limits", {}), run.peak, "".join("; " + w for w in wrong)))
    found.extend(wrong)


def of_the_tool(found, run):
    """Limits of the tool itself."""
    check(found, "4096 Requests", run(attacks.bare_requests(4096)), None)
    check(found, "50000 Requests", run(attacks.bare_requests(50000)), None)
    check(found, "1024 octets before a Reply", run(early(1024)), None, status=1)
    check(found, "1025 octets before a Reply", run(early(1025)), "early-data")
    check(found, "512 Reads", run(reads(512), "--only", "rdmap.read-response-*"), None)
    many = run(reads(513), "--only", "rdmap.read-response-*")
    check(found, "513 Reads", many, "rule-state")
    if many.connections[0]["outcome"] != "open":
        found.append("513 Reads: it was followed to its end, and the outcome is %s" % many.connections[0]["outcome"])
    dump = subprocess.run([run.tool, "dump", run.path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    if dump.stderr:
        found.append("dump complains without a limit: %s" % dump.stderr)
    run(attacks.bare_requests(10000))
    dump = subprocess.run([run.tool, "dump", "--memory", "4M", run.path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    if b" connections (memory): " not in dump.stderr or b"--memory 64M would do" not in dump.stderr:
        found.append("dump does not say the limit: %s" % dump.stderr)
    words = ["--memory", "16M"]
    check(found, "30 connections that hold 130 KB", run(attacks.held_back(30, 65000), *words), None, budget=16)
    check(found, "300 connections that hold 130 KB", run(attacks.held_back(300, 65000), *words), "memory",
          budget=16)
    check(found, "3000 Requests in little memory", run(attacks.bare_requests(3000), "--memory", "4M"), "memory",
          budget=4)


def of_a_burst(found, run, associations=(4096,), connections=8000, memories=("8M",)):
    """Connections that others push out, or not."""
    for count in (4096, 20000):
        name = "%d SYNs with Requests, then a violation" % count
        check(found, name, run(then_violation(attacks.syn_requests(1, count))), None, status=1)
    after = run(then_violation(attacks.syn_requests(1, 20000)), "--memory", "8M")
    check(found, "20000 in little memory, then a violation", after, "memory", status=1, budget=8)
    cluster = list(attacks.cluster(connections))
    for count in associations:
        check(found, "%d associations, the last packet is a violation" % count, run(attacks.sctp_sessions(count)), None, status=1)
    wanted(found, run, list(attacks.sctp_sessions(6000)), "64M", 6000)
    check(found, "%d connections, the last packet is a violation" % connections, run(cluster), None, status=1)
    for memory in memories:
        wanted(found, run, cluster, memory, connections)
    of_figures(found, run)
    few = list(attacks.cluster(600))
    whole, packed = run(few), run(few, "--memory", "4M")
    check(found, "600 connections, packed", packed, None, status=1, budget=4)
    if whole.lines != packed.lines:
        found.append("600 connections, packed: the report differs")


def of_figures(found, run, count=3000, budget=16):
    """What stats keeps of a connection is within --memory, whether iWARP was found in it or not."""
    for name, make in (("SYNs", attacks.syns), ("connections", attacks.cluster), ("associations", attacks.sctp_sessions)):
        packets = make(1, count) if make is attacks.syns else make(count)
        stats = run(packets, "--memory", "%dM" % budget, command="stats")
        said = re.search(rb"given up: (\d+) [a-zA-Z ]+ \(memory\).*\n.*--memory \d+M would do", stats.errors)
        given_up = int(said.group(1)) if said else 0
        most = count if make is not attacks.sctp_sessions else sys.maxsize  # parts of an association may count
        wrong = [] if 0 < given_up <= most else ["stats of %d %s: %r" % (count, name, stats.errors)]
        if stats.peak > budget + budget / 16 + SLACK_MIB:
            wrong.append("stats of %d %s: %.0f MiB resident" % (count, name, stats.peak))
        print("%-55s given up %d, peak %.0f MiB%s" % ("stats of %d %s" % (count, name), given_up, stats.peak,
                                                      "".join("; " + w for w in wrong)))
        found.extend(wrong)


def of_larger_bursts(found, run):
    """The same with more of them, which takes long."""
    of_a_burst(found, run, (4096, 6000), 20000, ("8M", "16M"))


def wanted(found, run, packets, memory, connections):
    """--memory as the message names it would do; each connection is counted once."""
    short = run(packets, "--memory", memory)
    message = re.search(rb"--memory %s does not hold all connections; --memory (\d+M) would do" % memory.encode(), short.errors)
    given_up = short.summary.get("given_up", 0)
    if not 0 < given_up <= connections:
        found.append("%s: %d of %d given up" % (memory, given_up, connections))
    if message is None:
        found.append("%s: no --memory is named: %r" % (memory, short.errors))
        return
    named = message.group(1).decode()
    check(found, "what %s was too little for, in %s" % (memory, named), run(packets, "--memory", named), None, status=1,
          budget=int(named[:-1]))


def of_the_table(found, run):
    """A connection that others push out, or not: it is judged, or said not to be, never passed over in silence."""
    for count in (65535, 65536, 100000):
        check(found, "%d SYNs, then a violation" % count, run(then_violation(attacks.syns(1, count))), None, status=1)
    full = run(then_violation(attacks.syns(1, 65536)), "--memory", "16M")
    check(found, "65536 SYNs in little memory, then a violation", full, "memory", lines=False, status=1, budget=16)
    check(found, "65536 SYNs in little memory", run(attacks.syns(1, 65536), "--memory", "8M"), "memory", lines=False,
          budget=8)
    for name, others in (("colliding SYNs", colliding(64)), ("66000 SYNs", attacks.syns(1, 66000))):
        after = run(then_violation(others))
        if after.summary["verdict"] == "pass" or after.status not in (1, 4):
            found.append("%s: %s" % (name, after.summary["verdict"]))
        print("%-55s status %d, given up %s" % (name + ", then a violation", after.status,
                                               after.summary.get("limits", {})))


def main(tool, part):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        of = {"tool": of_the_tool, "table": of_the_table, "burst": of_a_burst, "bursts": of_larger_bursts}[part]
        of(found, Runner(tool, os.path.join(folder, "attack.pcap")))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
