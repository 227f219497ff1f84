#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""live: packets of an interface are judged like packets of a file.

live.py TOOL PCAPS

Works in a network namespace of its own, where the octets of captures go through a pair of virtual interfaces.  Without
such a namespace the test is skipped, and says why.
"""

import collections
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading

import kit  # noqa: F401  isort: skip
import capfile
from stats import metrics_of

SKIPPED = 77
INSIDE = "IWARP_TEST_NAMESPACE"
BROKEN = os.path.join("real", "siw", "hp-err-msn-skip.pcap")
RIGHT = os.path.join("real", "siw", "crc-rping-64.pcap")
CHANGED = ("time", "file")  # of a line: the packets are captured again
OVERFLOW = 30000  # packets, more than the tool has room for


def enter():
    """Runs the test again in a namespace; returns its status."""
    ways = (["unshare", "-n"], ["unshare", "-rn"])
    for way in ways:
        try:
            probe = subprocess.run([*way, sys.executable, "-c", ""], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except OSError as error:
            print("skipped: unshare cannot be run: %s" % error)
            return SKIPPED
        if probe.returncode == 0:
            return subprocess.run([*way, sys.executable, "-B", *sys.argv], env={**os.environ, INSIDE: "1"}, check=False).returncode
    print("skipped: no network namespace can be made: %s" % probe.stdout.decode().strip())
    return SKIPPED


def ip(*words):
    return subprocess.run(["ip", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def frames(path):
    """The IP packets of a capture over TCP, in Ethernet frames that fit an interface."""
    found = []
    for packet in capfile.read_capture(path).packets:
        at = capfile.link_payload(packet)[0]
        head = b"\2\0\0\0\0\1\2\0\0\0\0\2" + (b"\x86\xdd" if packet.data[at] >> 4 == 6 else b"\x08\0")
        found.append(head + packet.data[at:])
    return found


class Live:
    def __init__(self, tool, pcaps, folder):
        self.tool, self.pcaps, self.folder, self.wrong = tool, pcaps, folder, []
        self.root = os.geteuid() == 0 and "4294967295" in open("/proc/self/uid_map", encoding="ascii").read()
        self.wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.wire.bind(("far", 0))
        os.chmod(folder, 0o777)

    def at(self, name):
        return os.path.join(self.folder, name)

    def fail(self, *words):
        self.wrong.append(" ".join(str(word) for word in words))

    def start(self, *words, before=None):
        """Starts the tool, and returns when it captures."""
        run = subprocess.Popen([self.tool, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=self.folder, preexec_fn=before)
        said = run.stderr.readline()
        if b"capturing on near" not in said:
            self.fail(words, "does not capture:", said, run.stderr.read())
        return run

    def end(self, run):
        out, error = run.communicate()
        return run.returncode, out, error.decode()

    def send(self, packets):
        for packet in packets:
            self.wire.send(packet)

    def lines(self, out):
        found = [json.loads(line) for line in out.splitlines()]
        return [{key: value for key, value in line.items() if key not in CHANGED} for line in found]

    # ---- the same as of a file ----

    def same(self):
        for name in BROKEN, RIGHT:
            packets = frames(os.path.join(self.pcaps, name))
            capfile.write_pcap(self.at("file.pcap"), [capfile.Packet(0, 0, p, len(p), 1) for p in packets], 1)
            for command in "check", "dump":
                done = subprocess.run([self.tool, command, "-T", "jsonl", self.at("file.pcap")], stdout=subprocess.PIPE, check=False)
                run = self.start(command, "-T", "jsonl", "-i", "near", "-f", "tcp", "-c", str(len(packets)))
                self.send(packets)
                status, out, error = self.end(run)
                if (status, self.lines(out)) != (done.returncode, self.lines(done.stdout)) or error:
                    self.fail("same:", command, name, status, done.returncode, error, out[-300:])

    def metrics(self):
        """The metrics of a live capture: what the lines of `stats` say, at its end."""
        packets = frames(os.path.join(self.pcaps, RIGHT))
        run = self.start("stats", "-T", "jsonl", "-i", "near", "-f", "tcp", "-c", str(len(packets)), "--interval", "0.000001",
                         "--metrics", "metrics")
        self.send(packets)
        status, out, error = self.end(run)
        found = [line for line in map(json.loads, out.splitlines()) if line["type"] == "stats"]
        with open(self.at("metrics"), encoding="utf-8") as stream:
            text = stream.read()
        want = ["iwarp_connections_total %d\n" % len(found)]
        want += ['iwarp_packets_total{dir="%s"} %d\n' % (d["dir"], d["tcp"]["packets"]) for d in found[0]["directions"]]
        if status != 0 or error or not found or any(line not in text for line in want):
            self.fail("metrics:", status, error, text[:600])

    def growing(self):
        """No figure of the metrics falls from one packet to the next, and there are figures before a packet comes."""
        packets = frames(os.path.join(self.pcaps, RIGHT))
        path = self.at("grows")
        os.mkfifo(path)
        os.chmod(path, 0o666)
        texts, self.first, self.ended = [], threading.Event(), False
        read = threading.Thread(target=self.read_texts, args=(path, texts))
        read.start()
        run = self.start("stats", "-i", "near", "-f", "tcp", "-c", str(len(packets)), "--interval", "0.000001",
                         "--metrics", "grows", "--metrics-label", "interface=near")
        self.first.wait()
        self.send(packets)
        status, _, error = self.end(run)
        self.ended = True
        with open(path, "wb"):  # the reader may wait for one more text
            pass
        read.join()
        last = collections.Counter()
        for text in texts:
            now = metrics_of(text)
            fallen = {key: (last[key], now.get(key)) for key in last if now.get(key, -1) < last[key]}
            if fallen:
                self.fail("growing:", fallen)
            last.update({key: now[key] - last[key] for key in now})
        some = {key: value for key, value in last.items() if key[0] == "iwarp_response_time_seconds_count"}
        if status != 0 or error or len(texts) < len(packets) or sum(some.values()) < 1:
            self.fail("growing:", status, error, len(texts), some)
        if any(("interface", "near") not in key[1] for key in last):
            self.fail("growing: a figure without the label:", sorted(last))

    def read_texts(self, path, texts):
        """Reads a pipe until the run ended: each text ends with a line of its own."""
        rest = ""
        while not self.ended:
            with open(path, encoding="utf-8") as stream:
                for line in stream:
                    rest += line
                    if line == "# EOF\n":
                        texts.append(rest)
                        self.first.set()
                        rest = ""

    def at_once(self):
        """Text of a connection comes at its end, so that each finding is a message before that."""
        packets = frames(os.path.join(self.pcaps, BROKEN))
        run = self.start("check", "-i", "near", "-f", "tcp")
        self.send(packets[:12])
        line = run.stderr.readline().decode()
        run.send_signal(signal.SIGINT)
        status, out, error = self.end(run)
        if status != 1 or "near:10: conn 0: violation: MSN is 5" not in line or b"verdict: fail" not in out:
            self.fail("at once:", status, line, error, out[-200:])

    def timeline(self):
        packets = frames(os.path.join(self.pcaps, BROKEN))
        run = self.start("timeline", "-i", "near", "-f", "tcp", "-c", str(len(packets)))
        self.send(packets)
        status, out, error = self.end(run)
        if status != 0 or b"ddp.msn-sequence" not in out or error:
            self.fail("timeline:", status, out[-200:], error)

    # ---- as they become certain, and the end by a signal ----

    def signals(self):
        packets = frames(os.path.join(self.pcaps, BROKEN))
        for number in signal.SIGINT, signal.SIGTERM:
            run = self.start("check", "-T", "jsonl", "-i", "near", "-f", "tcp", "-w", "kept.pcap")
            self.rights(run.pid)
            self.send(packets)
            line = b""
            while b'"finding"' not in line:
                line = run.stdout.readline()
                if not line:
                    self.fail("signals: no finding while packets come", run.stderr.read())
                    return
            kept = capfile.read_capture(self.at("kept.pcap"))
            if kept.error or not kept.packets:
                self.fail("signals: the file is no capture while packets come", kept.error)
            run.send_signal(number)
            status, out, error = self.end(run)
            last = json.loads(out.splitlines()[-1])
            if status != 1 or error or last["type"] != "summary" or last["verdict"] != "fail" or "limits" in last:
                self.fail("signals:", number, status, last, error)
            kept = capfile.read_capture(self.at("kept.pcap"))
            if [packet.data for packet in kept.packets] != packets[:len(kept.packets)] or len(kept.packets) < 10:
                self.fail("signals: other packets were kept", len(kept.packets))
        run = self.start("check", "-i", "near", "-f", "tcp")
        run.send_signal(signal.SIGINT)
        status, out, error = self.end(run)
        if status != 3 or b"verdict: no-iwarp" not in out or "no packet matches" not in error:
            self.fail("signals: without packets", status, out, error)

    def rights(self, pid):
        """The process has neither root's user nor a capability any more, and its system calls are filtered."""
        with open("/proc/%d/status" % pid, encoding="ascii") as stream:
            has = dict(line.rstrip("\n").split(":\t", 1) for line in stream if ":\t" in line)
        if int(has["CapEff"], 16) or int(has["CapPrm"], 16):
            self.fail("rights: capabilities are left", has["CapEff"])
        if self.root and set(has["Uid"].split()) & {"0"}:
            self.fail("rights: the process is still root", has["Uid"])
        if "seccomp" in subprocess.run([self.tool, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().replace("no seccomp", ""):
            if has["Seccomp"] != "2":
                self.fail("rights: system calls are not confined", has["Seccomp"])

    def duration(self):
        run = self.start("check", "-T", "jsonl", "-i", "near", "--duration", "0.3")
        status, out, error = self.end(run)
        if status != 3 or not out:
            self.fail("duration:", status, out, error)

    # ---- what goes wrong ----

    def full(self):
        """A file that cannot grow ends the capture, and holds whole packets."""
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))

        packets = frames(os.path.join(self.pcaps, BROKEN))
        run = self.start("check", "-q", "-i", "near", "-f", "tcp", "-w", "full.pcap", before=small)
        self.send(packets)
        status, _, error = self.end(run)
        kept = capfile.read_capture(self.at("full.pcap"))
        if status != 2 or "full.pcap: " not in error or kept.error or not kept.packets:
            self.fail("full:", status, error, kept.error)
        run = self.start("check", "-q", "-i", "near", "-f", "tcp", "-w", "none.pcap",
                         before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)))
        run.send_signal(signal.SIGINT)
        status, _, error = self.end(run)
        if status != 2 or "none.pcap: " not in error or os.path.getsize(self.at("none.pcap")) != 0:
            self.fail("full: without packets", status, error)

    def loss(self):
        run = self.start("check", "-i", "near")
        run.send_signal(signal.SIGSTOP)
        self.send([b"\2\0\0\0\0\1\2\0\0\0\0\2\x88\xb5" + bytes(1400)] * OVERFLOW)
        run.send_signal(signal.SIGCONT)
        run.send_signal(signal.SIGINT)
        status, _, error = self.end(run)
        if status != 3 or "near: the kernel lost " not in error:
            self.fail("loss:", status, error)

    def usage(self):
        os.mkdir(self.at("closed"), 0o700)
        known = (("check", "-i", "none", "-w", "new"), ("check", "-w", "new"), ("check", "--duration", "1", "file.pcap"),
                 ("check", "-i", "near", "file.pcap"), ("check", "-i", "near", "--duration", "x"), ("check", "-i", "near", "--annotate", "new"),
                 ("check", "-i", "near", "--join"), ("check", "-i", "near", "--shard", "0/2"), ("check", "-i", "near", "-w", "nowhere/new"),
                 ("check", "-i", "near", "--report", "jsonl=nowhere/new"), ("check", "-i", "near", "-f", "no filter"),
                 ("check", "-i", "near", "-w", "new", "--report", "jsonl=new"))
        root = (("check", "-i", "near", "-w", "closed/new"), ("check", "-i", "near", "--report", "jsonl=closed/new"))
        for words in known + (root if self.root else ()):
            done = subprocess.run([self.tool, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  cwd=self.folder, check=False)
            if done.returncode != 2 or not done.stderr or os.path.exists(self.at("closed/new")):
                self.fail("usage:", words, done.returncode, done.stderr)


def main():
    if INSIDE not in os.environ:
        return enter()
    made = ip("link", "add", "near", "type", "veth", "peer", "name", "far") if os.path.exists("/usr/sbin/ip") or os.path.exists("/sbin/ip") else None
    if made is None or made.returncode != 0:
        print("skipped: no pair of virtual interfaces: %s" % (made.stdout.decode().strip() if made else "there is no program ip"))
        return SKIPPED
    for name in "near", "far":
        ip("link", "set", name, "mtu", "65535", "up")
    with tempfile.TemporaryDirectory() as folder:
        test = Live(*sys.argv[1:3], folder)
        for part in test.same, test.metrics, test.growing, test.at_once, test.timeline, test.signals, test.duration, test.full, test.loss, test.usage:
            part()
    for line in test.wrong[:10]:
        print(line)
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
