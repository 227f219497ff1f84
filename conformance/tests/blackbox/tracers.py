#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""tracers: captures in the form that tracers of adapters and of operating systems write.

tracers.py TOOL PCAPS

The captures of PCAPS with one fault each become:

- a pair of files with one direction each, of which each frame is cut to 128 octets, as a Chelsio tracer writes them;
- a capture that has each packet once for each component of the network stack, as a conversion of Windows pktmon has.

The tool judges the pair as the capture cut to 128 octets.  Each certain finding of it is one of the whole capture, too.
Copies of pktmon change no finding and no connection, and nothing counts as sent again.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile

CUT = 128  # octets of a frame
COMPONENTS = 4
APART = 300  # nanoseconds between two components
NUMBERS = ("frame", "other_frame", "other_frame_file", "time", "file", "index", "end_frame", "conn_finding")


class Test:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def at(self, name):
        return os.path.join(self.folder, name)

    def lines(self, *words):
        done = subprocess.run([self.tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode in (0, 1, 4), (words, done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def check(self, *words):
        return self.lines("check", "-T", "jsonl", *words)


def findings(found):
    """What each finding says, but for the numbers of packets."""
    return sorted(json.dumps({key: value for key, value in line.items() if key not in NUMBERS}, sort_keys=True)
                  for line in found if line["type"] == "finding")


def places(found):
    """(rule, direction, sequence number) of each finding that is certain."""
    return {(line["rule"], line["dir"], line["seq"]) for line in found
            if line["type"] == "finding" and line["certainty"] == "certain"}


def connections(found):
    return [[line[key] for key in ("initiator", "responder", "outcome", "fpdus", "gaps")]
            for line in found if line["type"] == "connection"]


def tracer_pair(test, packets):
    """A file for each direction, with clocks that agree and frames that are cut; and both in one file."""
    cut = [capfile.Packet(p.frame, p.time, p.data[:CUT], p.wire_len, p.link) for p in packets]
    sent = [p for p in cut if p.data[26:30] == packets[0].data[26:30]]
    got = [p for p in cut if p.data[26:30] != packets[0].data[26:30]]
    for name, some in (("tx.pcap", sent), ("rx.pcap", got), ("cut.pcap", cut)):
        capfile.write_pcap(test.at(name), some, 1)
    return test.at("tx.pcap"), test.at("rx.pcap"), test.at("cut.pcap")


def numbered(packet, number):
    """The frame with an Identification, as Windows gives one to each packet of IPv4."""
    head = packet[14:18] + struct.pack("!H", number) + packet[20:24] + b"\0\0" + packet[26:34]
    return packet[:14] + head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + packet[34:]


def components(packets):
    """Each packet once for each component; a packet may come before the last copy of the one before."""
    copies = [capfile.Packet(0, p.time + APART * i, numbered(p.data, n + 1), p.wire_len, p.link)
              for n, p in enumerate(packets) for i in range(COMPONENTS)]
    return sorted(copies, key=lambda p: p.time)


def pair(test, path, packets):
    """Returns whether the fault was found, certain or suspected."""
    sent, got, both = tracer_pair(test, packets)
    joined, due = test.check("--join", sent, got), test.check(both)
    assert findings(joined) == findings(due), (path, "--join of two directions differs", findings(joined), findings(due))
    assert connections(joined) == connections(due), (path, connections(joined), connections(due))
    kinds = [line["kind"] for line in joined if line["type"] == "capture"]
    longer = any(p.wire_len > CUT for p in packets)
    assert "time-backwards" not in kinds and ("cut" in kinds) == longer, (path, kinds)
    whole = test.check(path)
    extra = places(joined) - places(whole)
    assert not extra, (path, "found in the cut capture alone", extra)
    alone = [line for line in test.check(sent) if line["type"] == "finding" and line["certainty"] == "certain"]
    assert places(alone) <= places(whole), (path, "found in one direction alone", alone)
    return bool({line["rule"] for line in joined if line["type"] == "finding"})


def pktmon(test, path, packets):
    copies, once = components(packets), [capfile.Packet(0, p.time, numbered(p.data, n + 1), p.wire_len, p.link)
                                         for n, p in enumerate(packets)]
    capfile.write_pcapng(test.at("pktmon.pcapng"), copies, 1)
    capfile.write_pcapng(test.at("once.pcapng"), once, 1)
    found, due = test.check(test.at("pktmon.pcapng")), test.check(test.at("once.pcapng"))
    assert findings(found) == findings(due), (path, "copies of pktmon", findings(found), findings(due))
    assert connections(found) == connections(due), (path, connections(found), connections(due))
    counts = {line["kind"]: line["count"] for line in found if line["type"] == "capture"}
    assert counts["duplicates"] == (COMPONENTS - 1) * len(packets), (path, counts)
    assert set(counts) - {line["kind"] for line in due if line["type"] == "capture"} == {"duplicates"}, (path, counts)
    for line in test.lines("stats", "-T", "jsonl", test.at("pktmon.pcapng")):
        text = json.dumps(line)
        assert '"retransmitted_packets": ' not in text.replace('"retransmitted_packets": 0', ""), (path, text)
    ladder = subprocess.run([test.tool, "timeline", test.at("pktmon.pcapng")], stdout=subprocess.PIPE, check=False).stdout
    assert b"sent again" not in ladder, (path, ladder)


def main():
    tool, pcaps = sys.argv[1:]
    folder = os.path.join(pcaps, "synthetic", "rules")
    names = sorted(name for name in os.listdir(folder) if name.endswith("-fail.pcap") and not name.startswith("sctp."))
    names = [name for name in names if not name.startswith("mpa.crc")][::4 * kit.REPEATED]
    found = 0
    with tempfile.TemporaryDirectory() as where:
        test = Test(tool, where)
        for name in names:
            path = os.path.join(folder, name)
            packets = capfile.read_capture(path).packets
            found += pair(test, path, packets)
            pktmon(test, path, packets)
    assert 3 * found >= 2 * len(names), "of %d faults %d are found in frames of %d octets" % (len(names), found, CUT)
    print("%d of %d faults in pairs of files with frames of %d octets" % (found, len(names), CUT))


if __name__ == "__main__":
    main()
