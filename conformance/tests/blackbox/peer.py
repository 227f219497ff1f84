#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""peer: `iwarp peer` over loopback against a target of iwarp_endpoint, with and without a defect, and against targets that misbehave.

peer.py TOOL TARGET SCHEMA_FOLDER     TARGET is test-net-target
"""

import html.parser
import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import schema_check  # noqa: E402

TOOL, TARGET = sys.argv[1:3]
SCHEMA = schema_check.Schema(os.path.join(sys.argv[3], "peer.schema.json"))
# Cases of all areas that take little time.
SMOKE = ("startup.reply", "startup.enhanced", "startup.split", "startup.crc", "startup.client-server", "startup.pd-length.*",
         "mpa.split-crc.*", "mpa.ulpdu-short.*", "ddp.qn.*", "rdmap.opcode.*", "rdmap.read-length.*", "rdmap.send", "rdmap.send-tagged",
         "rdmap.version.*")
BROKEN = "rdmap.send-tagged"  # a case whose Terminate the target with the defect does not send
WHOLE = "startup.reply"       # a case that this target passes


def only(*globs):
    return [word for glob in globs for word in ("--only", glob)]


class Target:
    """test-net-target, which listens until it is closed."""

    def __init__(self, *words):
        self.process = subprocess.Popen([TARGET, "listen", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Gate:
    """Connections of one port: the function `serve` gets each one with its number, from 0 on."""

    def __init__(self, serve):
        self.serve = serve
        self.door = socket.socket()
        self.door.bind(("127.0.0.1", 0))
        self.door.listen(8)
        self.port = self.door.getsockname()[1]
        self.thread = threading.Thread(target=self.run)

    def run(self):
        number = 0
        while True:
            try:
                conn = self.door.accept()[0]
            except OSError:
                return
            with conn:
                try:
                    self.serve(conn, number)
                except OSError:
                    pass
            number += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.close()
        self.thread.join()

    def close(self):
        try:
            self.door.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.door.close()


def forward(conn, port):
    """Carries octets between the tester and a target until both ends are closed."""
    with socket.create_connection(("127.0.0.1", port)) as other:
        other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def carry(source, sink):
            try:
                while True:
                    octets = source.recv(65536)
                    if not octets:
                        break
                    sink.sendall(octets)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        back = threading.Thread(target=carry, args=(other, conn))
        back.start()
        carry(conn, other)
        back.join()


def until_closed(conn):
    while conn.recv(65536):
        pass


def closes(conn):
    conn.close()


def garbage(conn):
    conn.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    until_closed(conn)


def floods(conn):
    while True:
        conn.sendall(b"MPA ID Rep Frame\x40\x01\x00\x00" + bytes(65536))


def drips(conn):
    never = threading.Event()
    for octet in b"MPA ID Rep Frame\x40\x01\x00\x00" + bytes(1000):
        conn.sendall(bytes((octet,)))
        never.wait(0.02)


def dies(conn):
    conn.recv(1)
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


HOSTILE = (closes, until_closed, garbage, floods, drips, dies)


class Peer(unittest.TestCase):
    def run_tool(self, *words):
        done = subprocess.run([TOOL, "peer", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def lines(self, text):
        lines = [json.loads(line) for line in text.splitlines()]
        for line in lines:
            self.assertIsNone(SCHEMA.complaint(line), line)
        self.assertEqual((lines[0]["type"], lines[0]["command"]), ("run", "peer"))
        return lines

    def play(self, port, *words):
        """Status, {case: line}, the summary and the messages of a run."""
        status, text, messages = self.run_tool("connect", "127.0.0.1:%d" % port, "-T", "jsonl", *words)
        lines = self.lines(text)
        self.assertEqual(lines[-1]["type"], "summary")
        self.assertEqual(lines[-1]["status"], status)
        cases = {line["case"]: line for line in lines if line["type"] == "case"}
        self.assertEqual(sum(lines[-1]["verdicts"].values()), len(cases))
        return status, cases, lines[-1], messages

    # ---- a target of the library

    def test_cases_over_loopback(self):
        with Target() as target, tempfile.TemporaryDirectory() as folder:
            captures = os.path.join(folder, "captures")
            status, cases, summary, messages = self.play(target.port, "--ulp", "echo", "-w", captures, *only(*SMOKE))
            self.assertEqual((status, messages), (0, ""))
            self.assertGreaterEqual(len(cases), 20)
            self.assertEqual({line["verdict"] for line in cases.values()} - {"pass", "allowed"}, set(), cases)
            self.assertEqual(summary["findings"], {})
            self.captures(captures, cases)

    def captures(self, folder, cases):
        """Each file has its comments, and `check` finds nothing about the target."""
        self.assertEqual(set(os.listdir(folder)), {name + ".pcapng" for name in cases})
        for name, line in cases.items():
            self.assertEqual(line["file"], os.path.join(folder, name + ".pcapng"))
            with open(line["file"], "rb") as stream:
                octets = stream.read()
            self.assertIn(b"segments invented", octets[:200])
            self.assertIn(("%s: %s" % (name, line["verdict"])).encode(), octets)
            self.assertIn(("%s: line " % name).encode(), octets)
        done = subprocess.run([TOOL, "check", "-T", "jsonl", *(line["file"] for line in cases.values())],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        found = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertEqual([line for line in found if line["type"] == "finding" and line["dir"] == "responder"], [])

    def test_a_target_that_connects(self):
        status, text, messages = self.run_tool(
            "listen", "0", "--run", "%s connect {addr} {port}" % shlex.quote(TARGET), "-T", "jsonl", "--ulp", "echo",
            *only("rdmap.read-length.*", "rdmap.version.*", "mpa.split-crc.*"))
        cases = [line for line in self.lines(text) if line["type"] == "case"]
        self.assertEqual((status, messages), (0, ""))
        self.assertGreater(len(cases), 5)
        self.assertEqual({line["verdict"] for line in cases} - {"pass", "allowed"}, set(), cases)
        self.assertEqual({line["role"] for line in cases}, {"responder"})

    def test_memory_that_is_read_back(self):
        """It outlives a connection in a process that connects again; a command that is started again has other memory."""
        for words, verdict, why in (("--again", "pass", ""), ("", "undecided", "COMMAND was started again: its memory may be new")):
            _, text, _ = self.run_tool(
                "listen", "0", "--run", "%s connect {addr} {port} %s" % (shlex.quote(TARGET), words), "-T", "jsonl", "--ulp", "echo",
                *only("ddp.write-lands", "ddp.untouched"))
            cases = [line for line in self.lines(text) if line["type"] == "case"]
            self.assertEqual([(line["verdict"], line.get("why", "")) for line in cases], [(verdict, why)] * 2)

    def test_a_command_that_does_not_know_a_case(self):
        command = "test {case} = canary || exit 127; exec %s connect {addr} {port}" % shlex.quote(TARGET)
        status, text, _ = self.run_tool("listen", "127.0.0.1:0", "--run", command, "-T", "jsonl", *only("rdmap.version.*"))
        cases = [line for line in self.lines(text) if line["type"] == "case"]
        self.assertEqual(status, 4)
        for line in cases:
            self.assertEqual(line["verdict"], "skipped")
            self.assertIn("unsupported", line["why"])

    def test_a_command_that_does_not_connect(self):
        status, text, _ = self.run_tool("listen", "0", "--run", "exit 3", "-T", "jsonl", *only("rdmap.version.*"))
        self.assertEqual(status, 3)
        self.assertIn("status 3", self.lines(text)[-1]["seen"])

    def test_what_the_application_does_not_offer_is_skipped(self):
        with Target("--none") as target:
            status, cases, _, _ = self.play(target.port, *only("rdmap.read-length.*", "rdmap.version.*"))
        self.assertEqual(status, 0)
        self.assertEqual({line["verdict"] for name, line in cases.items() if name.startswith("rdmap.read-length")}, {"skipped"})
        self.assertTrue(all("needs" in line["why"] for line in cases.values() if line["verdict"] == "skipped"))

    # ---- a defect, and what is made of it

    def test_a_defect_is_found_and_expected(self):
        with Target("--mute") as target, tempfile.TemporaryDirectory() as folder:
            files = {name: os.path.join(folder, name) for name in ("baseline", "junit", "tap", "html", "text")}
            reports = [word for name, path in files.items() for word in ("--report", "%s=%s" % (name, path))]
            wanted = ["--ulp", "echo", *only(BROKEN, WHOLE)]
            status, cases, _, _ = self.play(target.port, *wanted, *reports)
            self.assertEqual(status, 1)
            self.assertEqual({name: line["verdict"] for name, line in cases.items()}, {BROKEN: "fail", WHOLE: "pass"})
            broken = cases[BROKEN]
            self.assertEqual((broken["plays"], broken["seen"]), (3, "FIN"))
            self.assertIn("terminate", broken["due"])
            self.reports(files, broken)
            self.assertEqual(self.play(target.port, *wanted, "--fail-on", "never")[0], 0)
            self.expected(target, files["baseline"], wanted)

    def reports(self, files, broken):
        suite = ElementTree.parse(files["junit"]).getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("3", "1", "0"))
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        self.assertEqual(failed, [BROKEN])
        with open(files["tap"], encoding="utf-8") as stream:
            tap = stream.read()
        self.assertIn("not ok ", tap)
        self.assertIn("1..2", tap)
        with open(files["html"], encoding="utf-8") as stream:
            page = stream.read()
        html.parser.HTMLParser().feed(page)
        self.assertIn(BROKEN, page)
        with open(files["text"], encoding="utf-8") as stream:
            text = stream.read()
        self.assertEqual(text.split("recap:")[1].count(BROKEN), 1)
        self.assertIn("1 pass, 1 fail", text)
        with open(files["baseline"], encoding="utf-8") as stream:
            self.assertIn("%s fail %s\n" % (BROKEN, broken["seen"]), stream.read())

    def expected(self, target, baseline, wanted):
        status, cases, _, _ = self.play(target.port, *wanted, "--baseline", baseline)
        self.assertEqual((status, cases[BROKEN]["known"]), (0, "xfail"))
        tap = self.run_tool("connect", "127.0.0.1:%d" % target.port, "-T", "tap", *wanted, "--baseline", baseline)[1]
        self.assertRegex(tap, r"(?m)^not ok 1 - %s # [A-Z]+ expected$" % BROKEN)
        for text, known in ("%s fail RST\n" % BROKEN, "changed"), ("%s fail *\n%s fail FIN\n" % (BROKEN, WHOLE), "xpass"):
            with open(baseline, "w", encoding="utf-8") as stream:
                stream.write(text)
            status, cases, _, _ = self.play(target.port, *wanted, "--baseline", baseline)
            self.assertEqual((status, cases[BROKEN if known == "changed" else WHOLE]["known"]), (1, known))
        status, cases, _, _ = self.play(target.port, *wanted, "--profile", baseline)
        self.assertEqual((status, "known" in cases[WHOLE]), (0, False))

    # ---- targets that misbehave

    def test_targets_that_never_pass_the_canary(self):
        for hostile in HOSTILE:
            with Gate(lambda conn, number, hostile=hostile: hostile(conn)) as gate:
                status, cases, _, _ = self.play(gate.port, "--timeout", "0.5", *only("rdmap.version.*"))
            self.assertEqual(status, 3, hostile)
            self.assertTrue(all(line["plays"] == 0 and line["verdict"] == "undecided" for line in cases.values()))

    def test_targets_that_misbehave_in_a_case(self):
        with Target() as target:
            for hostile in HOSTILE:
                def serve(conn, number, hostile=hostile):
                    if number == 1:
                        hostile(conn)
                    else:
                        forward(conn, target.port)
                with Gate(serve) as gate:
                    status, cases, _, _ = self.play(gate.port, "--timeout", "2", "--ulp", "echo", *only("rdmap.version.2", WHOLE))
                self.assertIn(status, (0, 1, 4), hostile)
                first = min(cases)
                self.assertNotIn(cases[first]["verdict"], ("pass", "error"), hostile)
                self.assertEqual(cases[WHOLE]["verdict"], "pass", hostile)

    def test_a_target_that_is_lost_and_brought_back(self):
        with Target() as target, tempfile.TemporaryDirectory() as folder:
            dead = os.path.join(folder, "dead")

            def serve(conn, number):
                if number == 1:
                    open(dead, "w", encoding="utf-8").close()
                if os.path.exists(dead):
                    closes(conn)
                else:
                    forward(conn, target.port)
            for restart, status in ((), (1, 4)), (("--restart", "rm %s" % shlex.quote(dead)), (0, 1, 4)), (("--restart", "false"), (1, 4)):
                if os.path.exists(dead):
                    os.remove(dead)
                with Gate(serve) as gate:
                    got, cases, _, messages = self.play(gate.port, "--ulp", "echo", *restart, *only("rdmap.version.*"))
                names = sorted(cases)
                self.assertIn(got, status)
                self.assertIn("target lost after %s" % names[0], messages)
                self.assertTrue(cases[names[0]]["target_lost"])
                if restart[1:2] == ("false",) or not restart:
                    self.assertIn("not run", cases[names[1]]["why"])
                else:
                    self.assertEqual(cases[names[1]]["verdict"], "pass")

    # ---- without a target

    def test_the_list(self):
        status, text, _ = self.run_tool("--list", "-T", "jsonl")
        listed = self.lines(text)[1:]
        self.assertEqual(status, 0)
        names = [line["case"] for line in listed]
        self.assertEqual(names, sorted(set(names), key=names.index))
        status, text, _ = self.run_tool("listen", "--list", "-T", "jsonl", *only("mpa.*"))
        some = self.lines(text)[1:]
        self.assertTrue(some and all(line["case"].startswith("mpa.") and "responder" in line["roles"] for line in some))
        status, text, _ = self.run_tool("--list")
        self.assertTrue(status == 0 and all("\n%s: " % name in "\n" + text for name in names))

    def test_explain(self):
        for word in "case." + WHOLE, WHOLE:
            done = subprocess.run([TOOL, "explain", word], stdout=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 0)
            for part in b"case." + WHOLE.encode(), b"Due", b"rfc", b"mpa-reply":
                self.assertIn(part, done.stdout)

    def test_usage_errors(self):
        for words in ((), ("connect",), ("listen", "7174"), ("connect", "nowhere"), ("connect", "127.0.0.1:1", "--run", "true"),
                      ("connect", "127.0.0.1:1", "--only", "no.such"), ("connect", "127.0.0.1:1", "--exclude", "no.such"),
                      ("connect", "127.0.0.1:1", "--ulp", "what"), ("connect", "127.0.0.1:1", "--baseline", "/no/such/file"),
                      ("--list", "-T", "junit"), ("play", "127.0.0.1:1"), ("connect", "127.0.0.1:1", "-w", "/no/such/folder")):
            status, text, messages = self.run_tool(*words)
            self.assertEqual((status, text, messages.count("\n")), (2, "", 1), words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
