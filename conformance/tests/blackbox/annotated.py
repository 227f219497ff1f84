#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""annotated: `TOOL check --annotate` writes the same packets, with each finding as a comment of its own.

annotated.py TOOL CAPTURE_FOLDER

The file is read block by block; it has the packets of the capture, and the comments of its JSON Lines.  tshark
reads it too where it is installed.  Memory does not grow with the findings.
"""

import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter

import kit  # isort: skip
import attacks

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import schema_check  # noqa: E402  (lists the captures of a folder)

NANOSECONDS = 9
GROWTH_MIB = 8
COMMENTS_OF_PACKET = 256
DENSE_OCTETS = 8 << 20  # what any file may hold while 20 packets with 256 comments each are written


def packets_of_pcap(octets):
    """[(time in ns, octets on the wire, octets)] of a pcap file, and its link type; (None, None) of a pcapng file."""
    magic = octets[:4]
    if magic == b"\n\r\r\n":
        return None, None
    order = "<" if magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    unit = 1 if magic in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    link = struct.unpack(order + "I", octets[20:24])[0]
    out, at = [], 24
    while at + 16 <= len(octets):
        seconds, fraction, captured, length = struct.unpack(order + "4I", octets[at:at + 16])
        out.append((seconds * 10**9 + fraction * unit, length, octets[at + 16:at + 16 + captured]))
        at += 16 + captured
    return link, out


def options(octets):
    """[(code, value)] up to the end of options."""
    out, at = [], 0
    while at < len(octets):
        code, length = struct.unpack("<HH", octets[at:at + 4])
        if code == 0:
            assert length == 0 and at + 4 == len(octets)
            return out
        out.append((code, octets[at + 4:at + 4 + length]))
        at += 4 + (length + 3) // 4 * 4
    assert not out, "options without an end"
    return out


def blocks(octets):
    at = 0
    while at < len(octets):
        kind, length = struct.unpack("<II", octets[at:at + 8])
        assert length % 4 == 0 and octets[at + length - 4:at + length] == octets[at + 4:at + 8]
        yield kind, octets[at + 8:at + length - 4]
        at += length


def packets_of_pcapng(octets):
    """The same of a pcapng file of one section and interface, each packet with its comments."""
    link, out = None, []
    for number, (kind, body) in enumerate(blocks(octets)):
        if number == 0:
            assert kind == 0x0A0D0D0A and body[:16] == struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)
        elif number == 1:
            link, _, snaplen = struct.unpack("<HHI", body[:8])
            assert kind == 1 and snaplen == 0 and (9, bytes([NANOSECONDS])) in options(body[8:])
        else:
            interface, high, low, captured, length = struct.unpack("<5I", body[:20])
            assert kind == 6 and interface == 0
            end = 20 + (captured + 3) // 4 * 4
            comments = [value.decode("utf-8") for code, value in options(body[end:]) if code == 1]
            out.append((high << 32 | low, length, body[20:20 + captured], comments))
    return link, out


def check_capture(tool, path, out):
    """Returns how many comments there are."""
    done = subprocess.run([tool, "check", "-v", "-T", "jsonl", "--annotate", out, path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1, 3, 4), (path, done.stderr)
    findings = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "finding"]
    with open(path, "rb") as stream:
        link, packets = packets_of_pcap(stream.read())
    with open(out, "rb") as stream:
        link_out, annotated = packets_of_pcapng(stream.read())
    assert link in (None, link_out), (path, link, link_out)
    assert packets in (None, [packet[:3] for packet in annotated]), path
    found = Counter((number, comment.split(":")[0]) for number, packet in enumerate(annotated, 1)
                    for comment in packet[3])
    wanted = Counter((f["frame"], "%s %s" % (f["severity"], f["rule"])) for f in findings)
    assert found == wanted, (path, found, wanted)
    messages = Counter(comment.split("\n")[0].split(": ", 1)[1] for packet in annotated for comment in packet[3])
    assert messages == Counter(f["message"] for f in findings), path
    return len(findings)


def check_tshark(tool, path, out):
    """Returns True if tshark could be asked."""
    if shutil.which("tshark") is None:
        return False
    check_capture(tool, path, out)
    done = subprocess.run(["tshark", "-n", "-r", out, "-Y", "frame.comment", "-T", "fields", "-e", "frame.number"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    with open(out, "rb") as stream:
        _, annotated = packets_of_pcapng(stream.read())
    wanted = [str(number) for number, packet in enumerate(annotated, 1) if packet[3]]
    assert done.returncode == 0 and done.stdout.decode().split() == wanted, (done.stderr, done.stdout)
    return True


def peak_mib(tool, path, out):
    child = subprocess.Popen([tool, "check", "-q", "--annotate", out, path], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 1
    return usage.ru_maxrss / 1024


def check_memory(tool, folder):
    """Ten times the findings, the same memory."""
    capture, out = os.path.join(folder, "many.pcap"), os.path.join(folder, "many.pcapng")
    peaks = []
    for count in (4000, 40000):
        attacks.write(capture, attacks.bad_fpdus(count))
        peaks.append(peak_mib(tool, capture, out))
    assert peaks[1] < peaks[0] + GROWTH_MIB, peaks
    return check_capture(tool, capture, out), peaks


def check_limit(tool, folder):
    """The findings of a packet beyond the limit are counted, and not written to a temporary file before that."""
    capture, out = os.path.join(folder, "dense.pcap"), os.path.join(folder, "dense.pcapng")
    attacks.write(capture, attacks.bad_fpdus(40000, 2000))
    words = [tool, "check", "-T", "jsonl", "--max-findings", "0", "--annotate", out, capture]
    limits = (DENSE_OCTETS, DENSE_OCTETS)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))
    assert done.returncode == 1, (done.returncode, done.stderr)
    with open(out, "rb") as stream:
        _, annotated = packets_of_pcapng(stream.read())
    counts = Counter(len(packet[3]) for packet in annotated)
    assert counts == {0: 4, COMMENTS_OF_PACKET + 1: 20}, counts
    said = [packet[3][-1].split(" ", 1) for packet in annotated if packet[3]]
    assert {words for _, words in said} == {"more findings about this packet"}, said
    findings = json.loads(done.stdout.splitlines()[-1])["findings"]
    total = sum(int(number) + COMMENTS_OF_PACKET for number, _ in said)
    assert total == sum(findings[key] for key in ("violation", "warning", "note")), (total, findings)
    return total


def main(tool, folder):
    paths = list(schema_check.captures([folder]))
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out.pcapng")
        counts = {path: check_capture(tool, path, out) for path in paths[::kit.REPEATED]}
        asked = check_tshark(tool, max(counts, key=counts.get), out)
        many, peaks = check_memory(tool, place)
        dense = check_limit(tool, place)
    print("%d captures, %d comments; %d comments in one capture, %.1f and %.1f MiB; %d findings in 20 packets%s" % (
        len(paths), sum(counts.values()), many, *peaks, dense, "" if asked else "; tshark is not installed and read nothing"))
    assert sum(counts.values()) > 100 // kit.REPEATED


if __name__ == "__main__":
    main(*sys.argv[1:])
