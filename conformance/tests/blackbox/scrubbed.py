#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scrubbed: what `iwarp scrub` writes is judged as the capture is, and nothing private of it is left.

scrubbed.py TOOL PCAPS [--all]

Captures of the repository, as they are and inside random tags, tunnels and fragments.  Without --all a sample of them.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import attacks
import capfile
import encapsulated
import gencaps
import same_ends

# What a scrub changes: the ends of connections, and values that are payload or depend on it.
CHANGED = {"src", "dst", "initiator", "responder", "client", "server", "file", "expected", "observed", "message", "text"}
PAYLOAD = {"write", "read-response", "send", "send-se", "send-invalidate", "send-se-invalidate"}
RUN = 8  # octets
HEAD = 48  # octets: longer than all headers but Terminates and Atomic Requests


def run(tool, *words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def lines(tool, command, path, *words):
    status, out, _ = run(tool, command, "-T", "jsonl", *words, path)
    return status, [json.loads(line) for line in out.splitlines()]


def without_port(value):
    return "UDP" if str(value).startswith("UDP, such as port ") else value


def without_changed(line):
    return {key: without_port(value) for key, value in line.items() if key not in CHANGED}


def unchanged(found):
    """The lines without what a scrub changes, also in their diagnoses: the ids, certainties, frames and advice stay."""
    return [{key: list(map(without_changed, value)) if key == "diagnosis" else value
             for key, value in without_changed(line).items()} for line in found]


def plain(octets):
    """Octets of which a run says nothing, such as zeros."""
    return len(set(octets)) < 5


def runs(octets):
    return {octets[at:at + RUN] for at in range(len(octets) - RUN + 1) if not plain(octets[at:at + RUN])}


def streams(packets):
    """Octets by (source, destination, sequence number), of the first copy."""
    found = {}
    for segment in capfile.segments(packets):
        for at, octets in segment.pieces:
            place = found.setdefault((capfile.endpoint(segment.src), capfile.endpoint(segment.dst)), {})
            for i, octet in enumerate(octets):
                place.setdefault((segment.seq + at + i) & 0xFFFFFFFF, octet)
    return found


def payloads(tool, path, words, packets):
    """Runs of octets of the ULP: payload of messages, and Private Data; but for what headers say, too, such as a TO."""
    found, heads, octets = set(), set(), streams(packets)
    for line in lines(tool, "dump", path, *words)[1]:
        if line.get("pdu") in ("mpa-request", "mpa-reply"):
            found |= runs(bytes.fromhex(line.get("private_data", "")))
        if line.get("pdu") == "fpdu":
            stream = octets.get((line["src"], line["dst"]), {})
            heads |= runs(bytes(stream.get((line["seq"] + at) & 0xFFFFFFFF, 0) for at in range(HEAD)))
            values = {**line.get("ddp", {}), **line.get("read_request", {})}
            heads |= {bytes.fromhex(values[key][2:]) for key in ("to", "sink_to", "source_to") if key in values}
        if line.get("rdmap", {}).get("name") not in PAYLOAD or line.get("marker_count", 0) or "ddp" not in line:
            continue
        stream = octets.get((line["src"], line["dst"]), {})
        begin = line["seq"] + 2 + (14 if line["ddp"]["tagged"] else 18)
        places = range(begin, begin + line["ddp"]["length"])
        found |= runs(bytes(stream.get(at & 0xFFFFFFFF, 0) for at in places))
    return found - heads


def ends(found):
    """Addresses and ports of the connections of a check."""
    names = [line[key] for line in found for key in ("initiator", "responder", "client", "server")
             if isinstance(line.get(key), str) and ":" in line[key]]
    return {name.rsplit(":", 1)[0] for name in names}, {name.rsplit(":", 1)[1] for name in names}


def block(kind, body):
    """A block of pcapng."""
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


class Halves(same_ends.Talk):
    """A conversation with two packets for each FPDU."""

    def say(self, side, payload=b"", flags=0x18):
        half = len(payload) // 2 if len(payload) > 60 else 0
        if half:
            super().say(side, payload[:half], flags)
        super().say(side, payload[half:], flags)


class Scrub:
    def __init__(self, tool, pcaps, folder):
        self.tool, self.pcaps, self.folder, self.wrong = tool, pcaps, folder, []

    def at(self, name):
        return os.path.join(self.folder, name)

    def fail(self, *words):
        self.wrong.append(" ".join(str(word) for word in words))

    def scrub(self, path, *words, out="out.pcapng"):
        out = self.at(out)
        if os.path.exists(out):
            os.unlink(out)
        status, _, error = run(self.tool, "scrub", *words, path, "-o", out)
        return status, out, error

    def same(self, name, path, words=(), hosts=()):
        """The capture and what becomes of it are judged alike, and no address, port or run of payload stays."""
        status, out, error = self.scrub(path, *words)
        due = lines(self.tool, "check", path, *words)
        if status != 0 or error:
            if due[0] != 2:
                self.fail(name, "status", status, error)
            return
        got = lines(self.tool, "check", out, *words)
        for one, other in zip(unchanged(due[1]), unchanged(got[1])):
            if one != other:
                self.fail(name, "due:", one, "got:", other)
                break
        if (due[0], len(due[1])) != (got[0], len(got[1])):
            self.fail(name, "status", due[0], got[0])
        self.private(name, path, out, words, hosts)
        was, now = ends(due[1]), ends(got[1])
        named = {word.rsplit("=", 1)[1] for word in words if "==" in word}
        if was[0] & now[0] or (was[1] & now[1]) - named:
            self.fail(name, "ends are left:", was, now)

    def private(self, name, path, out, words, hosts):
        try:
            before, after = capfile.read_capture(path).packets, capfile.read_capture(out).packets
        except capfile.CaptureError:
            return
        if [(p.time, p.wire_len, len(p.data)) for p in before] != [(p.time, p.wire_len, len(p.data)) for p in after]:
            self.fail(name, "packets have other times or lengths")
        octets = b"\n".join(packet.data for packet in after)
        left = [piece for piece in payloads(self.tool, path, words, before) if piece in octets]
        if left:
            self.fail(name, "payload is left:", left[0].hex())
        for host in hosts:
            if host in octets:
                self.fail(name, "an outer address is left:", host.hex())

    # ---- the corpus ----

    def corpus(self, pcaps, step):
        with open(os.path.join(pcaps, "MANIFEST.tsv"), encoding="utf-8") as rows:
            table = [row.rstrip("\n").split("\t") for row in rows][1:]
        for row in table[::step]:
            self.same(row[0], os.path.join(pcaps, row[0]), row[4].split())

    def inside(self, paths, rounds):
        chance = random.Random(rounds)
        hosts = [b"".join(encapsulated.HOSTS[4]), b"".join(encapsulated.HOSTS[6]), encapsulated.MACS[:6]]
        while rounds > 0:
            path = chance.choice(paths)
            try:
                packets = encapsulated.raw(capfile.read_capture(path))
            except capfile.CaptureError:
                continue
            if not packets or max(packet.wire_len for packet in packets) + encapsulated.ROOM >= 65536:
                continue
            rounds -= 1
            layers, link = encapsulated.stack(chance)
            wrapped, _ = encapsulated.wrap(chance, packets, layers, link)
            name = "%s in %s" % (os.path.basename(path), [layer[0] for layer in layers] + [link[1]])
            capfile.write_pcap(self.at("in.pcap"), wrapped, link[0])
            self.same(name, self.at("in.pcap"), (), hosts)
            if layers and layers[-1][2] == "ip" and all(packet.wire_len == len(packet.data) for packet in packets):
                self.fragments(chance, name, packets, layers)

    def fragments(self, chance, name, packets, layers):
        out, seeds = [], [chance.random() for _ in layers]
        for packet in packets:
            data, _ = encapsulated.inside(seeds, layers, packet)
            pieces = gencaps.fragments(data, 8 * chance.randint(20, 90), packet.frame) if len(data) > 800 else [data]
            chance.shuffle(pieces)
            out += [capfile.Packet(0, packet.time, piece, len(piece), capfile.RAW) for piece in pieces]
        capfile.write_pcap(self.at("in.pcap"), out, capfile.RAW)
        self.same(name + " in fragments", self.at("in.pcap"))

    def beside(self):
        """Connections with the same ends in two VLANs or tunnels at a time, also with the same sequence numbers."""
        for around in (same_ends.vlan, same_ends.vxlan, same_ends.gre):
            for first in ((777000, 333), (1001, 7000), (1000, 8000)):
                one = Halves((around(5), around(5))).whole().wrapped()
                two = Halves((around(6), around(6)), first).whole().wrapped()
                packets = [capfile.Packet(0, 1000 * i, octets, len(octets), 1)
                           for i, (_, octets) in enumerate(same_ends.mixed(one, two))]
                capfile.write_pcap(self.at("in.pcap"), packets, 1)
                self.same("%s beside %s" % (around.__name__, first), self.at("in.pcap"))

    # ---- what is no stream ----

    def others(self):
        """Packets that are not decoded have no octets of their own left after their headers."""
        secret = bytes(range(0x61, 0x79))
        hosts = (bytes((192, 0, 2, 77)), bytes((198, 51, 100, 9)))
        macs = bytes.fromhex("00c0ffee0001") + bytes.fromhex("00c0ffee0002")

        def ip(protocol, body, options=b""):
            return gencaps.ip_packet(*hosts, body, options=options, protocol=protocol)

        def frame(kind, body):
            return macs + struct.pack("!H", kind) + body

        tcp = gencaps.tcp_header(*hosts, 40111, 7222, 5, 6, 0x18, b"", options=b"\xfd\x0a" + hosts[0] + hosts[1] + b"\1\1")
        added = struct.pack("!HHIHH", 0xC001, 16 + len(secret), 1, 0xC001, 8 + len(secret)) + bytes(4) + secret
        added += struct.pack("!HHIHH", 0xC001, 16, 2, 5, 8) + hosts[0]
        moved = attacks.gensctp.chunk(193, 0, bytes(4) + struct.pack("!HH", 5, 8) + hosts[1] + added)
        packets = [
            frame(0x0800, ip(132, attacks.gensctp.sctp_packet(40111, 7222, 9, [moved]))),
            frame(0x0806, bytes.fromhex("0001080006040001") + macs[:6] + hosts[0] + macs[6:] + hosts[1] + secret),
            frame(0x0800, ip(17, struct.pack("!HHHH", 40111, 53, 8 + len(secret), 0) + secret)),
            frame(0x0800, ip(1, b"\3\1\0\0\0\0\0\0" + ip(6, tcp[:8] + secret))),
            frame(0x0800, ip(1, b"\x08\0\0\0\x12\x34\0\1" + secret)),
            frame(0x0800, ip(50, secret)),
            frame(0x0800, ip(6, tcp, b"\x83\x0b\4" + hosts[1] + hosts[0] + b"\0")),
            frame(0x0800, ip(6, tcp, b"\1\1\1\0" + secret)),
            frame(0x0800, ip(6, tcp)) + secret,
            frame(0x88CC, secret),
            frame(0x88B5, secret),
            frame(0x0800, ip(17, struct.pack("!HHHH", 40111, 4789, 8 + len(secret), 0) + b"\0" + secret)),
            frame(0x86DD, struct.pack("!IHBB", 0x60000000, len(secret), 59, 64) + hosts[0] * 4 + hosts[1] * 4 + secret),
        ]
        capfile.write_pcap(self.at("in.pcap"), [capfile.Packet(0, 0, p, len(p), 1) for p in packets], 1)
        self.same("packets of other protocols", self.at("in.pcap"), (), (macs[:6], macs[6:], *hosts))
        octets = b"\n".join(packet.data for packet in capfile.read_capture(self.at("out.pcapng")).packets)
        for what, value in (("secret", secret[:RUN]), ("secret's end", secret[-RUN:]), ("port", struct.pack("!H", 40111))):
            if value in octets:
                self.fail("others: the", what, "is left")

    def damaged(self):
        """Headers of TCP that cannot be read, or are cut, stay so."""
        source = capfile.read_capture(os.path.join(self.pcaps, "real/siw/any-sll.pcap"))
        chance, packets = random.Random(5), encapsulated.raw(source)
        for number in range(40):
            out = []
            for packet in packets[:12]:
                data = bytearray(packet.data)
                if chance.random() < 0.4:
                    data[chance.choice((0, 3, 6, 9, 12, 16, 32, 33))] = chance.randrange(256)
                if chance.random() < 0.2:
                    data = data[:chance.randrange(1, len(data))]
                out.append(capfile.Packet(0, packet.time, bytes(data), packet.wire_len, capfile.RAW))
            capfile.write_pcap(self.at("in.pcap"), out, capfile.RAW)
            status, _, error = self.scrub(self.at("in.pcap"))
            if status != 0 or error:
                self.fail("damaged headers:", number, status, error)

    def links(self):
        """Packets of many link types, of which most are not known, stay packets of these."""
        links = [1, *range(300, 340)]
        capture = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        capture += b"".join(block(1, struct.pack("<HHI", link, 0, 0)) for link in links)
        packet = bytes(12) + b"\x88\xb5" + bytes(20)
        for interface in range(len(links)):
            capture += block(6, struct.pack("<IIIII", interface, 0, 5, len(packet), len(packet)) + packet)
        with open(self.at("links.pcapng"), "wb") as out:
            out.write(capture)
        status, out, error = self.scrub(self.at("links.pcapng"))
        if (status, error) != (0, "") or [p.link for p in capfile.read_capture(out).packets] != links:
            self.fail("links:", status, error)

    def names(self):
        """Blocks and options of pcapng that name people, hosts or keys are left out."""
        def option(code, text):
            return struct.pack("<HH", code, len(text)) + text + bytes(-len(text) % 4)

        words = [b"person-%d" % i for i in range(8)]
        packet = bytes(12) + b"\x88\xb5" + bytes(20)
        capture = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + option(1, words[0]) + option(2, words[1]))
        capture += block(1, struct.pack("<HHI", 1, 0, 0) + option(2, words[2]) + option(3, words[3]))
        capture += block(4, struct.pack("<HH", 1, 13) + b"\xc0\0\2\1" + words[4] + b"\0" + bytes(3) + bytes(4))
        capture += block(10, struct.pack("<II", 0x544C534B, len(words[5])) + words[5])
        capture += block(6, struct.pack("<IIIII", 0, 0, 5, len(packet), len(packet)) + packet + bytes(-len(packet) % 4) + option(1, words[6]))
        capture += block(5, struct.pack("<III", 0, 0, 0) + option(1, words[7]))
        with open(self.at("named.pcapng"), "wb") as out:
            out.write(capture)
        status, out, error = self.scrub(self.at("named.pcapng"))
        with open(out, "rb") as written:
            text = written.read()
        if (status, error) != (0, "") or any(word in text for word in words):
            self.fail("names: status", status, error, "or a name is left")

    def tunnels(self, pcaps):
        """A tunnel over a port that -d names: the port stays, and what is inside is mapped."""
        packets = encapsulated.raw(capfile.read_capture(os.path.join(pcaps, "real/siw/any-sll.pcap")))
        port, out = 45678, []
        for packet in packets:
            frame = encapsulated.ethernet(None, packet.data, 0)
            data = encapsulated.udp(random.Random(3), port, b"\x08\0\0\0\0\0\7\0" + frame, 8 + len(frame))
            out.append(capfile.Packet(0, packet.time, data, len(data), capfile.RAW))
        capfile.write_pcap(self.at("in.pcap"), out, capfile.RAW)
        words = ("-d", "udp.port==%d,vxlan" % port)
        self.same("a tunnel of -d", self.at("in.pcap"), words)
        found = lines(self.tool, "check", self.at("out.pcapng"), *words)[1]
        if found[-1]["connections"] != 1:
            self.fail("a tunnel of -d: no connection is found", found[-1])

    # ---- time ----

    def seconds(self, *words):
        """Processor time of a run."""
        with subprocess.Popen([self.tool, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0
        return usage.ru_utime + usage.ru_stime

    def costs(self):
        """Time grows with the capture: scrub takes no more than some times the time of a check."""
        data = attacks.gensctp.chunk(0, 3, struct.pack("!IHHI", 1000, 1, 0, 17) + b"\0\7\xff\xff")
        for name, packets in (("connections of the same ports", attacks.reused(20000)),
                              ("SCTP chunks", attacks.sctp_chunks(60000, data))):
            attacks.write(self.at("in.pcap"), packets)
            check = self.seconds("check", self.at("in.pcap"))
            scrub = self.seconds("scrub", self.at("in.pcap"), "-o", self.at("out.pcap"))
            if scrub > 8 * check + 0.5:
                self.fail("costs:", name, "scrub takes", scrub, "check", check)

    # ---- the command ----

    def options(self, pcaps):
        path = os.path.join(pcaps, "real/siw/any-sll.pcap")
        first = self.scrub(path)[1]
        with open(first, "rb") as written:
            text = written.read()
        with open(self.scrub(path, out="again.pcapng")[1], "rb") as written:
            if written.read() != text:
                self.fail("options: equal captures become different ones")
        with open(self.at("key"), "wb") as out:
            out.write(b"a secret")
        with open(self.scrub(path, "--key", self.at("key"), out="again.pcapng")[1], "rb") as written:
            if written.read() == text:
                self.fail("options: --key changes nothing")
        halves = []
        packets = capfile.read_capture(path)
        for side in range(2): # the two directions of a connection, in a capture each, still fit one another
            heads = [(capfile.ip_header(packet), packet) for packet in packets.packets]
            kept = [packet for ip, packet in heads if ip is not None and (ip.src < ip.dst) == (side == 0)]
            capfile.write_pcap(self.at("half.pcap"), kept, packets.link)
            halves.append(self.scrub(self.at("half.pcap"), "--key", self.at("key"), out="half%d.pcap" % side)[1])
        joined = [json.loads(line) for line in run(self.tool, "dump", "-T", "jsonl", *halves)[1].splitlines()]
        sources, peers = ([{line[key] for line in joined if key in line and line.get("file", "").endswith("half%d.pcap" % side)}
                           for side in range(2)] for key in ("src", "dst"))
        if sources[0] != peers[1] or sources[1] != peers[0]:
            self.fail("options: with --key addresses of two captures do not fit", sources, peers)
        secret = b"not to be seen"
        cap = gencaps.Capture()
        conn = cap.connection()
        conn.open()
        conn.request(private_data=secret)
        conn.reply(private_data=secret)
        conn.send_message(gencaps.INITIATOR, bytes(range(40, 80)))
        conn.close()
        cap.write(self.at("private.pcap"))
        for words, seen in ((), False), (("--keep-private-data",), True):
            status, out, error = self.scrub(self.at("private.pcap"), *words)
            with open(out, "rb") as written:
                if (status, error, secret in written.read()) != (0, "", seen):
                    self.fail("options: Private Data with", words, status, error)

    def rejects(self):
        """A diagnosis names the upper layer, or the reason, of a Reject as before."""
        nvme = "00000100" + "20001f0001000000" + "00" * 18 + "aaaa"
        for name, request, reply in (("NVMe/RDMA gives the reason invalid ORD (8)", nvme, "00000800"),
                                     ("likely an NVMe/RDMA subsystem", nvme, ""),
                                     ("RPC-over-RDMA", "aabbf6ab0e1801000303", ""),
                                     ("a server of SMB Direct", "0000000400000004", ""),
                                     ("likely an iSER target", "c0000000", ""),
                                     ("its application refused", "0102030405", "")):
            text = "i> mpa-request pd=%s\nr> mpa-reply R%s\n" % (request, " pd=" + reply if reply else "")
            path = self.at("reject.pcap")
            with open(path, "wb") as stream:
                stream.write(subprocess.run([self.tool, "gen", "-", "-o", "-"], input=text.encode(), stdout=subprocess.PIPE,
                                            check=True).stdout)
            for one in (path, self.scrub(path)[1]):
                said = [d["text"] for line in lines(self.tool, "check", one)[1] for d in line.get("diagnosis", [])]
                if len(said) != 1 or name not in said[0]:
                    self.fail("Reject", name, said)

    def refused(self, pcaps):
        path = os.path.join(pcaps, "real/siw/any-sll.pcap")
        with open(path, "rb") as capture:
            text = capture.read()
        with open(self.at("own.pcap"), "wb") as out:
            out.write(text)
        os.symlink("own.pcap", self.at("link.pcap"))
        for words, due in ((("own.pcap", "-o", "own.pcap"), "is read by this run"), (("own.pcap", "-o", "link.pcap"), "is read by this run"),
                           (("own.pcap",), "-o FILE is missing"), (("-", "-o", "new.pcap"), "which a pipe does not allow"),
                           (("none.pcap", "-o", "new.pcap"), "No such file"), (("own.pcap", "own.pcap", "-o", "new.pcap"), "one operand too many")):
            done = subprocess.run([self.tool, "scrub", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  cwd=self.folder, check=False)
            if done.returncode != 2 or due not in done.stderr.decode() or os.path.exists(self.at("new.pcap")):
                self.fail("refused:", words, done.returncode, done.stderr)
        with open(self.at("own.pcap"), "rb") as capture:
            if capture.read() != text:
                self.fail("refused: the capture was overwritten")
        with open(self.at("own.pcap"), "wb") as out:
            out.write(text[:-5])
        status, out, error = self.scrub(self.at("own.pcap"))
        if status != 2 or "cut short" not in error or len(capfile.read_capture(out).packets) != len(capfile.parse_capture(text).packets) - 1:
            self.fail("refused: a capture that is cut short", status, error)


def main():
    tool, pcaps = sys.argv[1:3]
    everything = "--all" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        test = Scrub(tool, pcaps, folder)
        test.corpus(pcaps, 1 if everything else 23 * min(kit.REPEATED, 2))
        test.inside(encapsulated.captures(pcaps), 200 if everything else 12 // min(kit.REPEATED, 2))
        test.beside()
        test.others()
        test.rejects()
        test.damaged()
        test.links()
        test.names()
        test.tunnels(pcaps)
        test.options(pcaps)
        test.refused(pcaps)
        if kit.REPEATED == 1:
            test.costs()
    for line in test.wrong[:10]:
        print(line)
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
