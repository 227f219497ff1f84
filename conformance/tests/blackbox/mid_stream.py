#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mid_stream: connections whose startup was not captured are found without -d where their data prove it.

mid_stream.py TOOL

What proves a connection, and what does not; its number; what -d finds is what is found without.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import variants

PORT = 9999


def sends(conn, role, count, size=100, crc=None):
    """FPDUs with one Send each."""
    for _ in range(count):
        segment = gencaps.untagged(gencaps.SEND, 0, conn.next_msn(role, 0), 0, bytes(size))
        yield conn.frame(role, segment, **({} if crc is None else {"crc": crc}))


def begun(crc=True, markers=False, **how):
    """A connection after its startup; its packets so far are to be left out."""
    fields = {"crc": crc, "markers": markers}
    cap, conn = gencaps.started(request=fields, reply=fields, server=("10.0.0.2", PORT), **how)
    for role in (0, 1):  # the FPDU before the capture
        for octets in sends(conn, role, 3):
            conn.send(role, octets)
    return cap, conn, len(cap.items)


def packets_of(cap, begin, path):
    cap.write(path)
    return variants.load(capfile.read_capture(path))[begin:]


class Case:
    """A capture, and how many connections are found in it."""

    def __init__(self, name, found, packets, link=capfile.EN10MB):
        self.name, self.found, self.packets, self.link = name, found, packets, link


def cases(folder, rng):
    made = os.path.join(folder, "made.pcap")

    def talk(octets, cuts=(), change=None, **how):
        """What the Initiator of a connection sends, in segments that end at `cuts`."""
        cap, conn, begin = begun(**how)
        stream = b"".join(octets(conn))
        conn.send(0, stream, cuts(conn) if callable(cuts) else cuts)
        packets = packets_of(cap, begin, made)
        return change(packets) if change else packets

    def each(conn):
        """Ends of the FPDUs."""
        ends, at = [], 0
        for _, _, octets in conn.sent[0][-30:]:
            at += len(octets)
            ends.append(at)
        return ends

    def every(size, last=60000):
        return range(size, last, size)

    def of(count, **how):
        return lambda conn: sends(conn, 0, count, **how)

    yield Case("two right CRCs", 1, talk(of(2), [124]))
    yield Case("two right CRCs in one segment", 1, talk(of(2)))
    yield Case("one right CRC", 0, talk(of(1)))
    yield Case("two CRCs, one wrong", 0, talk(lambda c: [*sends(c, 0, 1), *sends(c, 0, 1, crc="bad")], [124]))
    for count, found in ((8, 1), (7, 0)):
        yield Case("%d FPDUs without CRCs" % count, found, talk(of(count), [124 * n for n in range(1, count)], crc=False))
        yield Case("%d FPDUs without CRCs in segments of two" % count, found,
                   talk(of(count), [248 * n for n in range(1, count)], crc=False))
    whole = [124 * n for n in range(1, 20)]
    yield Case("20 cut FPDUs without CRCs", 1, talk(of(20), whole, lambda p: variants.snapped(p, 100), crc=False))
    yield Case("20 cut FPDUs with CRCs", 1, talk(of(20), whole, lambda p: variants.snapped(p, 100)))
    yield Case("FPDUs without CRCs whose headers do not fit", 0, talk(
        lambda c: [c.frame(0, gencaps.untagged(gencaps.SEND, 0, 7, 0, bytes(100))) for _ in range(20)], whole, crc=False))
    yield Case("segments that begin anywhere", 1, talk(of(30), every(1000)))
    yield Case("segments that begin anywhere, long FPDUs", 1, talk(of(30, size=3000), every(1000, 90000)))
    yield Case("Markers", 1, talk(of(30), each, markers=True))
    yield Case("Markers without CRCs", 1, talk(of(30), each, markers=True, crc=False))
    yield Case("a packet is missing", 1, talk(of(20), whole, lambda p: p[:1] + p[2:]))

    def lost_startup(lost):
        cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True}, server=("10.0.0.2", PORT))
        frames = [item for item in cap.items if item.length]
        for octets in sends(conn, 0, 5):
            conn.send(0, octets)
        cap.drop(frames[:lost])
        return packets_of(cap, 0, made)

    yield Case("SYN without startup frames", 1, lost_startup(2))
    yield Case("a Request is missing", 1, lost_startup(1))


def run(tool, *words):
    done = subprocess.run([tool, *words], capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def lines_of(text, kind):
    return [line for line in map(json.loads, text.splitlines()) if line.get("type") == kind]


def check_cases(tool, folder, rng):
    bad = 0
    path = os.path.join(folder, "case.pcap")
    for case in cases(folder, rng):
        capfile.write_pcap(path, case.packets, case.link)
        status, out, _ = run(tool, "check", "-T", "jsonl", path)
        conns = lines_of(out, "connection")
        if len(conns) != case.found or (status == 3) != (case.found == 0):
            bad += 1
            print("%s: %d connections, due %d; exit status %d" % (case.name, len(conns), case.found, status))
        if "SYN" in case.name or "Request" in case.name or not case.found:
            continue
        named = [run(tool, word, "-T", "jsonl", "-d", "tcp.port==%d%s" % (PORT, more), path)[1]
                 for word in ("check", "dump") for more in ("", ",iwarp")]
        found = [run(tool, word, "-T", "jsonl", path)[1] for word in ("check", "dump")]
        if named != [found[0], found[0], found[1], found[1]]:
            bad += 1
            print("%s: -d finds something else" % case.name)
    return bad


def check_numbers(tool, folder, rng):
    """Connections are numbered by the packets that complete their proofs; with -d by their first packets."""
    cap = gencaps.Capture()
    conns = []
    for number in range(3):
        fields = {"crc": True}
        conns.append(gencaps.started(cap, request=fields, reply=fields, client=("10.0.0.1", 40000 + number),
                                     server=("10.0.0.2", PORT))[1])
    begin = len(cap.items)
    for turn in (0, 1, *[2] * 20, *[0] * 20, *[1] * 20):
        conns[turn].send(0, next(sends(conns[turn], 0, 1)))
    path = os.path.join(folder, "numbers.pcap")
    packets = packets_of(cap, begin, path)
    capfile.write_pcap(path, packets, cap.link)
    bad = 0
    for options, due in (((), [40002, 40000, 40001]), (("-d", "tcp.port==%d" % PORT), [40000, 40001, 40002])):
        texts = []
        for more in ((), ("--jobs", "3")):
            _, out, _ = run(tool, "check", "-T", "jsonl", *options, *more, path)
            texts.append(out)
            ends = {line["conn"]: line["initiator"] + line["responder"] for line in lines_of(out, "connection")}
            got = [next(port for port in due if str(port) in ends.get(number, "")) for number in range(3)
                   if any(str(port) in ends.get(number, "") for port in due)]
            if got != due:
                bad += 1
                print("numbers %s: %s, due %s" % (options + more, got, due))
        shards = []
        for number in range(3):
            shards.append(os.path.join(folder, "shard%d" % number))
            with open(shards[-1], "w", encoding="utf-8") as out:
                out.write(run(tool, "check", "--shard", "%d/3" % number, *options, path)[1])
        merged = run(tool, "merge", *shards)[1]
        same = [lines_of(text, kind) for text in (texts[0], merged) for kind in ("connection", "finding")]
        if texts[0] != texts[1] or same[:2] != same[2:]:
            bad += 1
            print("numbers %s: jobs or shards differ" % (options,))
    return bad


def check_memory(tool, folder, rng):
    """Many connections that may be iWARP, in little memory: the run keeps to it, and says what it gave up."""
    cap = gencaps.Capture()
    conn = gencaps.started(cap, request={"crc": True}, reply={"crc": True})[1]
    octets = next(sends(conn, 0, 1, size=1200))
    packets = []
    for number in range(3000):
        src, dst = b"\x0a\0\0\1", b"\x0a\1" + number.to_bytes(2, "big")
        header = gencaps.tcp_header(src, dst, 40000, 5000, 1000, 1, 0x10, octets)
        packets.append(gencaps.Item(1, gencaps.ip_packet(src, dst, header), capfile.RAW))
    path = os.path.join(folder, "many.pcap")
    capfile.write_pcap(path, packets, capfile.RAW)
    status, out, _ = run(tool, "check", "-T", "jsonl", "--memory", "8M", path)
    summary = lines_of(out, "summary")[-1]
    if status != 4 or "early-data" not in summary.get("limits", {}):
        print("many connections: exit status %d, given up %s" % (status, summary.get("limits")))
        return 1
    status, out, _ = run(tool, "check", "-T", "jsonl", path)
    summary = lines_of(out, "summary")[-1]
    if status != 3 or summary.get("given_up"):
        print("many connections, memory enough: exit status %d, given up %s" % (status, summary.get("given_up")))
        return 1
    return 0


def main():
    if len(sys.argv) != 2:
        print("usage: mid_stream.py TOOL", file=sys.stderr)
        return 2
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_cases, check_numbers, check_memory):
            bad += check(sys.argv[1], folder, random.Random(1))
    print("%d differ" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
