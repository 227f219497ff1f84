#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""probe: `iwarp probe` against a server of iwarp_endpoint, servers written here octet by octet, and other servers.

probe.py TOOL TARGET SCHEMA_FOLDER     TARGET is test-net-target
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import kit  # noqa: F401  isort: skip
import crc32c

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import schema_check  # noqa: E402

TOOL, TARGET = sys.argv[1:3]
SCHEMA = schema_check.Schema(os.path.join(sys.argv[3], "probe.schema.json"))
TIMEOUT = "0.3"  # of servers that are silent: their tests wait so long
KEY_REQUEST = b"MPA ID Req Frame"
KEY_REPLY = b"MPA ID Rep Frame"


def reply(flags=0x40, rev=1, private=b"", key=KEY_REPLY):
    return key + bytes((flags, rev)) + len(private).to_bytes(2, "big") + private


def enhanced(ird, ord_, private=b"", flags=0x50):
    """A Reply of RFC 6581; the flags A to D are the highest bits of the two numbers."""
    return reply(flags, 2, ird.to_bytes(2, "big") + ord_.to_bytes(2, "big") + private)


def take(conn, size):
    octets = b""
    while len(octets) < size:
        more = conn.recv(size - len(octets))
        if not more:
            raise EOFError
        octets += more
    return octets


def take_request(conn):
    head = take(conn, 20)
    return head + take(conn, int.from_bytes(head[18:20], "big"))


def take_fpdu(conn):
    """The ULPDU of the next FPDU, whose CRC must be right."""
    head = take(conn, 2)
    length = int.from_bytes(head, "big")
    rest = take(conn, length + (-(length + 2)) % 4)
    assert take(conn, 4) == crc32c.crc32c(head + rest).to_bytes(4, "little"), "CRC"
    return rest[:length]


def fpdu(ulpdu):
    octets = len(ulpdu).to_bytes(2, "big") + ulpdu
    octets += bytes(-len(octets) % 4)
    return octets + crc32c.crc32c(octets).to_bytes(4, "little")


class Server:
    """Connections of one port, each served by the next function of a list."""

    def __init__(self, *serve, family=socket.AF_INET):
        self.serve = serve
        self.failed = None
        self.requests = []
        self.door = socket.socket(family)
        self.door.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        self.door.listen(4)
        self.port = self.door.getsockname()[1]
        self.thread = threading.Thread(target=self.run)

    def run(self):
        try:
            for serve in self.serve:
                conn = self.door.accept()[0]
                with conn:
                    conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    serve(self, conn)
        except OSError:  # the probe left, or the test closed the door
            pass
        except Exception as error:  # pylint: disable=broad-except
            self.failed = error
        finally:
            self.door.close()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        try:
            self.door.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join()
        if self.failed is not None:
            raise self.failed


def until_closed(conn):
    while conn.recv(65536):
        pass


def closes_at_once(_, conn):
    conn.close()


def resets(_, conn):
    take_request(conn)
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def closes_on_request(server, conn):
    server.requests.append(take_request(conn))


def is_silent(server, conn):
    server.requests.append(take_request(conn))
    until_closed(conn)


def floods(_, conn):
    """Octets without end, whatever the probe sends."""
    while True:
        conn.sendall(bytes(65536))


def drips(_, conn):
    """One octet of a Reply for each turn of a wait without an event."""
    octets = reply(rev=1) * 1000
    never = threading.Event()
    for i in range(len(octets)):
        conn.sendall(octets[i % 20:i % 20 + 1] if i < 19 else octets[:0])
        if never.wait(0.02) or i > 1000:
            return


def answers(octets):
    def serve(server, conn):
        server.requests.append(take_request(conn))
        conn.sendall(octets)
        until_closed(conn)
    return serve


def answers_reads(octets, times):
    """A Reply, then Read Responses of length 0; after so many the Reads get no answer."""
    def serve(server, conn):
        server.requests.append(take_request(conn))
        conn.sendall(octets)
        left = times
        try:
            while True:
                ulpdu = take_fpdu(conn)
                if ulpdu[1] & 0x0F == 1 and left > 0:
                    left -= 1
                    conn.sendall(fpdu(b"\xc1\x42" + ulpdu[18:22] + ulpdu[22:30]))
        except EOFError:
            pass
    return serve


class Probe(unittest.TestCase):
    def probe(self, server, *options, host="127.0.0.1"):
        port = server if isinstance(server, int) else server.port
        done = subprocess.run([TOOL, "probe", "-T", "jsonl", "--timeout", TIMEOUT, *options, "%s:%d" % (host, port)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.stderr, b"")
        run, line = [json.loads(text) for text in done.stdout.decode().splitlines()]
        self.assertEqual((run["type"], run["command"]), ("run", "probe"))
        self.valid(run)
        self.valid(line)
        return done.returncode, line

    def valid(self, line):
        self.assertIsNone(SCHEMA.complaint(line), line)
        if line.get("answer") in ("accepted", "rejected"):
            self.assertLessEqual({"rev", "enhanced", "markers", "crc", "private_data", "seconds"}, set(line))
            self.assertEqual(line["enhanced"], {"ird", "ord", "peer_to_peer", "rtr"} <= set(line))
        elif line["type"] == "probe":
            self.assertEqual(set(line) - {"fell_back"}, {"type", "target", "address", "answer", "why"})

    def answer(self, status, answer, server, *options, **how):
        got, line = self.probe(server, *options, **how)
        self.assertEqual((got, line["answer"]), (status, answer), line)
        return line

    # ---- answers of iWARP

    def test_every_term_of_an_enhanced_reply(self):
        with Server(answers_reads(enhanced(0x8003, 0xC007, b"hello"), 0)) as server:
            line = self.answer(0, "accepted", server)
        for key, value in {"rev": 2, "enhanced": True, "ird": 3, "ord": 7, "markers": False, "crc": True, "peer_to_peer": True,
                           "rtr": ["write", "read"], "private_data": b"hello".hex()}.items():
            self.assertEqual(line[key], value, key)
        self.assertNotIn("fell_back", line)
        self.assertEqual(server.requests[0][:16], KEY_REQUEST)
        self.assertEqual(server.requests[0][16:18], b"\x50\2")

    def test_markers_and_no_crc(self):
        with Server(answers(enhanced(0x8003, 0x8001, flags=0x90))) as server:
            line = self.answer(0, "accepted", server)
        self.assertEqual((line["markers"], line["crc"]), (True, False))

    def test_depths_that_are_left_to_the_ulp(self):
        with Server(answers(enhanced(0xBFFF, 0xBFFF))) as server:
            line = self.answer(0, "accepted", server)
        self.assertEqual((line["ird"], line["ord"]), (16383, 16383))

    def test_a_rejecting_reply(self):
        with Server(answers(enhanced(0x8001, 0x8001, b"no", flags=0x70))) as server:
            line = self.answer(1, "rejected", server)
        self.assertEqual((line["rev"], line["private_data"]), (2, b"no".hex()))

    def test_a_reply_in_pieces(self):
        octets = enhanced(0x8003, 0x8001, bytes(500))

        def serve(server, conn):
            server.requests.append(take_request(conn))
            for octet in octets:
                conn.sendall(bytes((octet,)))
            until_closed(conn)
        with Server(serve) as server:
            line = self.answer(0, "accepted", server, "--timeout", "20")
        self.assertEqual(line["private_data"], bytes(500).hex())

    def test_the_fallback_of_rfc_6581(self):
        with Server(closes_on_request, answers(reply(0x00, 1, b"old"))) as server:
            line = self.answer(0, "accepted", server)
        self.assertEqual((line["rev"], line["enhanced"], line["fell_back"], line["private_data"]), (1, False, True, b"old".hex()))
        self.assertNotIn("ird", line)
        self.assertEqual([request[16:18] for request in server.requests], [b"\x50\2", b"\x40\1"])

    def test_the_fallback_after_a_reset_and_a_plain_reply(self):
        for first in resets, answers(reply(0x40, 1)):
            with Server(first, answers(reply(0x60, 1))) as server:
                line = self.answer(1, "rejected", server)
            self.assertTrue(line["fell_back"])

    # ---- pings

    def test_pings(self):
        for octets, fallback in ((enhanced(0x8004, 0xC001), False), (reply(0x40, 1), True)):
            serve = [answers_reads(octets, 10)]
            with Server(*([closes_on_request] if fallback else []) + serve) as server:
                line = self.answer(0, "accepted", server, "--ping", "10", "--timeout", "20")
            self.assertEqual(len(line["pings"]), 10)
            self.assertTrue(all(0 < seconds < 20 for seconds in line["pings"]))
            self.assertNotIn("note", line)

    def test_pings_that_get_no_answer(self):
        with Server(answers_reads(enhanced(0x8004, 0xC001), 3)) as server:
            line = self.answer(0, "accepted", server, "--ping", "10")
        self.assertEqual(len(line["pings"]), 3)
        self.assertIn("did not answer the Read", line["note"])

    def test_no_read_where_ird_is_0(self):
        with Server(answers_reads(enhanced(0x8000, 0x8001), 3)) as server:
            line = self.answer(0, "accepted", server, "--ping", "2")
        self.assertEqual(line["pings"], [])
        self.assertIn("IRD is 0", line["note"])

    # ---- an endpoint of the library

    def endpoint(self, *words):
        target = subprocess.Popen([TARGET, "listen", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(target.wait, 30)
        self.addCleanup(target.stdout.close)
        self.addCleanup(target.stdin.close)
        return int(target.stdout.readline())

    def test_an_endpoint(self):
        line = self.answer(0, "accepted", self.endpoint(), "--ping", "5", "--timeout", "20")
        self.assertEqual((line["rev"], line["ird"], line["rtr"], len(line["pings"])), (2, 16, ["send", "write", "read"], 5))
        self.assertNotIn("note", line)

    def test_an_endpoint_of_rfc_5044(self):
        line = self.answer(0, "accepted", self.endpoint("--rev", "1"), "--ping", "5", "--timeout", "20")
        self.assertEqual((line["rev"], line["fell_back"], len(line["pings"])), (1, True, 5))
        self.assertNotIn("note", line)

    def test_an_endpoint_that_rejects(self):
        line = self.answer(1, "rejected", self.endpoint("--reject"))
        self.assertEqual(line["rev"], 2)

    def test_what_was_kept_is_a_capture_without_findings(self):
        with tempfile.TemporaryDirectory() as folder:
            for words in (), ("--rev", "1"), ("--reject",):
                path = os.path.join(folder, "kept.pcapng")
                self.probe(self.endpoint(*words), "-w", path, "--ping", "2", "--timeout", "20")
                with open(path, "rb") as stream:
                    self.assertIn(b"segments invented", stream.read(200))
                done = subprocess.run([TOOL, "check", "-T", "jsonl", "--fail-on", "note", path], stdout=subprocess.PIPE, check=False)
                lines = [json.loads(text) for text in done.stdout.decode().splitlines()]
                self.assertEqual([line for line in lines if line["type"] == "finding"], [])
                self.assertEqual(done.returncode, 0)
                messages = [line["messages"] for line in lines if line["type"] == "connection"]
                self.assertEqual(messages[-1].get("read-response", 0), 0 if words == ("--reject",) else 2)
                self.assertEqual(len(messages), 2 if words == ("--rev", "1") else 1)

    # ---- no iWARP

    def test_servers_that_are_no_iwarp(self):
        for serve in (closes_at_once, closes_at_once), (closes_on_request, closes_on_request), (resets, resets):
            with Server(*serve) as server:
                line = self.answer(1, "not-iwarp", server)
            self.assertIn("sent no Reply", line["why"])
        with Server(answers(b"HTTP/1.1 400 Bad Request\r\n")) as server:
            self.assertIn('"HTTP/1.1 400 Bad"', self.answer(1, "not-iwarp", server)["why"])
        with Server(answers(bytes(range(128, 160)))) as server:
            self.assertIn('"808182', self.answer(1, "not-iwarp", server)["why"])
        with Server(floods) as server:
            self.answer(1, "not-iwarp", server)
        with Server(answers(KEY_REPLY + b"\x50\2\xff\xff")) as server:
            self.assertIn("Reply is wrong", self.answer(1, "not-iwarp", server)["why"])
        with Server(answers(enhanced(0x8003, 0x8001)[:23])) as server:
            self.assertIn("no whole Reply", self.answer(4, "silent", server)["why"])

    def test_a_server_that_takes_one_connection(self):
        with Server(closes_on_request) as server:
            self.assertIn("sent no Reply", self.answer(1, "not-iwarp", server)["why"])

    def test_a_reply_and_then_a_flood(self):
        def serve(server, conn):
            server.requests.append(take_request(conn))
            conn.sendall(enhanced(0x8003, 0x8001) + bytes(64))
            floods(server, conn)
        with Server(serve) as server:
            line = self.answer(0, "accepted", server, "--ping", "3")
        self.assertEqual(line["pings"], [])
        self.assertIn("note", line)

    def test_silence(self):
        for serve in is_silent, drips:
            with Server(serve) as server:
                self.answer(4, "silent", server)

    def test_no_server(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            line = self.answer(4, "refused", unused.getsockname()[1])
        self.assertNotIn("rev", line)

    # ---- names and addresses

    def test_ipv6(self):
        try:
            server = Server(answers(enhanced(0x8003, 0x8001)), family=socket.AF_INET6)
        except OSError:
            self.skipTest("this machine has no IPv6")
        with server:
            line = self.answer(0, "accepted", server, host="[::1]")
        self.assertEqual(line["address"], "[::1]:%d" % server.port)

    def test_a_name(self):
        with Server(answers(enhanced(0x8003, 0x8001))) as server:
            line = self.answer(0, "accepted", server, host="localhost")
        self.assertEqual((line["target"], line["address"]), ("localhost:%d" % server.port, "127.0.0.1:%d" % server.port))

    def test_what_is_no_target(self):
        for word in "", "host", "host:", ":1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x", "::1:7174", "[::1]", "no.such.name.invalid:1":
            done = subprocess.run([TOOL, "probe", word], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b""), word)
            self.assertEqual(done.stderr.count(b"\n"), 1)

    # ---- the process

    def test_text(self):
        with Server(answers_reads(enhanced(0x8004, 0xC001, b"hi"), 2)) as server:
            done = subprocess.run([TOOL, "probe", "--ping", "2", "127.0.0.1:%d" % server.port], stdout=subprocess.PIPE, check=False)
        text = done.stdout.decode()
        for part in ("127.0.0.1:%d speaks iWARP and accepted" % server.port, "Rev 2, enhanced", "IRD 4, ORD 1", "RTR write or read",
                     "2 octets 6869", "Read 1 of 0 octets", "2 of 2 Reads answered"):
            self.assertIn(part, text)

    def test_a_file_that_cannot_be_written(self):
        with Server(answers(enhanced(0x8003, 0x8001))) as server:
            done = subprocess.run([TOOL, "probe", "-w", "/no/such/folder/x.pcapng", "127.0.0.1:%d" % server.port],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(server.requests, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
