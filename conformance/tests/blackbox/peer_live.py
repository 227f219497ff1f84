#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""peer-live: with -i the captures of `iwarp peer` have the packets of an interface.

peer_live.py TOOL TARGET     TARGET is test-net-target

Works on the loopback interface of a network namespace of its own.  Without such a namespace the test is skipped, and says why.
"""

import json
import os
import subprocess
import sys
import tempfile

import live
import capfile

CASES = ("rdmap.send", "rdmap.read-zero", "startup.crc")
ONLY = [word for case in CASES for word in ("--only", case)]


class PeerLive:
    def __init__(self, tool, target, folder):
        self.tool, self.target, self.folder, self.wrong = tool, target, folder, []

    def run(self, *words):
        done = subprocess.run([self.tool, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              check=False)  # another user may not be able to reach the folder by its whole name
        return done.returncode, done.stdout, done.stderr.decode()

    def expect(self, what, found, due):
        if found != due:
            self.wrong.append("%s: %r, not %r" % (what, found, due))

    def captures(self, name, words):
        """Plays the cases and reads their captures; returns what the sections say about the segments."""
        status, out, error = self.run("peer", *words, "--ulp", "echo", "-T", "jsonl", "-w", name, *ONLY)
        self.expect(name, (status, error), (0, ""))
        cases = [line for line in map(json.loads, out.splitlines()) if line["type"] == "case"]
        self.expect(name + ": verdicts", {line["case"]: line["verdict"] for line in cases}, dict.fromkeys(CASES, "pass"))
        said = set()
        for line in cases:
            with open(os.path.join(self.folder, line["file"]), "rb") as stream:
                octets = stream.read()
            said.add("real" if b"real packets" in octets[:200] else "invented" if b"segments invented" in octets[:200] else "nothing")
            if b"real packets" in octets[:200]:
                self.packets(line, octets)
            status, found, _ = self.run("check", "-T", "jsonl", line["file"])
            rows = [row for row in map(json.loads, found.splitlines()) if row["type"] in ("finding", "summary")]
            self.expect(line["case"] + ": findings", [row for row in rows if row["type"] == "finding"], [])
        return said

    def packets(self, line, octets):
        """One whole connection: a SYN, the octets, an acknowledgment of the last FIN. The verdict stands on the last packet."""
        flags = []
        for packet in capfile.read_capture(os.path.join(self.folder, line["file"])).packets:
            at = capfile.link_payload(packet)[0]
            flags.append(packet.data[at + (packet.data[at] & 15) * 4 + 13])
        self.expect(line["case"] + ": first flags", flags[:3], [0x02, 0x12, 0x10])
        self.expect(line["case"] + ": last flags", flags[-1], 0x10)
        self.expect(line["case"] + ": SYNs", sum(flag & 2 for flag in flags), 4)
        verdict = ("%s: pass" % line["case"]).encode()
        self.expect(line["case"] + ": comments", (octets.count(verdict), b": line " in octets, octets.rfind(b": line ") < octets.find(verdict)),
                    (1, True, True))

    def all(self):
        listening = subprocess.Popen([self.target, "listen"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        port = int(listening.stdout.readline())
        connect = ("connect", "127.0.0.1:%d" % port)
        self.expect("connect", self.captures("connect", (*connect, "-i", "lo")), {"real"})
        self.expect("without -i", self.captures("without", connect), {"invented"})
        self.expect("another interface", self.captures("other", (*connect, "-i", "near")), {"invented"})
        listening.stdin.close()
        listening.stdout.close()
        listening.wait()
        command = "%s connect {addr} {port}" % self.target
        self.expect("listen", self.captures("listen", ("listen", "127.0.0.1:7174", "--run", command, "-i", "lo")), {"real"})
        for words in ((*connect, "-i", "lo"), (*connect, "-i", "nowhere", "-w", "x"), ("listen", "0", "--run", command, "-i", "lo", "-w", "x")):
            status, out, error = self.run("peer", *words)
            self.expect("usage: %s" % " ".join(words), (status, out, error.count("\n")), (2, b"", 1))


def main():
    if live.INSIDE not in os.environ:
        return live.enter()
    made = live.ip("link", "set", "lo", "up")
    made = made if made.returncode != 0 else live.ip("link", "add", "near", "type", "veth", "peer", "name", "far")
    made = made if made.returncode != 0 else live.ip("link", "set", "near", "up")
    if made.returncode != 0:
        print("skipped: no interfaces: %s" % made.stdout.decode().strip())
        return live.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # root becomes another user
        test = PeerLive(*sys.argv[1:3], folder)
        test.all()
    for line in test.wrong[:10]:
        print(line)
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
