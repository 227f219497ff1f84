#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""encapsulated: captures inside tags and tunnels are judged as without them.

encapsulated.py TOOL PCAPS [SEED [ROUNDS]]

Each round takes a capture of the repository and puts all its packets into one random stack of up to eight tags and
tunnels.  Connections and findings stay the same, for one job, for several, and for shards that are merged.  The summary
counts the layers.  In further rounds packets of the outermost tunnel come in fragments.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
import gencaps

HOSTS = {4: (b"\xc0\0\2\1", b"\xc0\0\2\2"),
         6: (bytes.fromhex("20010db8000000000000000000000001"), bytes.fromhex("20010db8000000000000000000000002"))}
MACS = gencaps.ETHERNET_PAIR[0] + gencaps.ETHERNET_PAIR[1]
ROOM = 1400  # octets that the layers may add to a packet of up to 64 KiB


def ethertype(packet):
    return 0x86DD if packet[0] >> 4 == 6 else 0x0800


def outer_ip(chance, protocol, body, wire):
    """An IP packet around `body`, whose length on the wire is `wire`."""
    if chance.random() < 0.5:
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + wire, 7, 0, 64, protocol, 0) + b"".join(HOSTS[4])
        return head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + body
    return struct.pack("!IHBB", 0x60000000, wire, protocol, 64) + b"".join(HOSTS[6]) + body


def udp(chance, port, body, wire):
    return outer_ip(chance, 17, struct.pack("!HHHH", 0xC000, port, 8 + wire, 0) + body, 8 + wire)


# Each takes (chance, octets, octets that were cut off) and returns the octets with one layer more.
def tag(number, middle):
    return lambda _, frame, cut: frame[:12] + struct.pack("!H", number) + middle + frame[12:]


def pbb(_, frame, cut):
    return MACS + struct.pack("!HI", 0x88E7, 100) + frame


def mpls_ip(chance, packet, cut):
    labels = b"".join(struct.pack("!I", 99 << 12 | 64) for _ in range(chance.randrange(3)))
    return MACS + struct.pack("!H", chance.choice((0x8847, 0x8848))) + labels + struct.pack("!I", 7 << 12 | 0x140) + packet


def mpls_ethernet(chance, frame, cut):
    control = chance.choice((b"", bytes(4)))
    return MACS + struct.pack("!HI", 0x8847, 7 << 12 | 0x140) + control + frame


def ppp(packet):
    return struct.pack("!H", 0x0057 if packet[0] >> 4 == 6 else 0x0021) + packet


def pppoe(_, packet, cut):
    body = ppp(packet)
    return MACS + struct.pack("!HHHH", 0x8864, 0x1100, 1, len(body) + cut) + body


def in_ip(chance, packet, cut):
    protocol = 41 if packet[0] >> 4 == 6 else 4
    return outer_ip(chance, protocol, packet, len(packet) + cut)


def gre(protocol, between=b"", sequence=False):
    def around(chance, octets, cut):
        kind = protocol or ethertype(octets)
        flags = chance.choice((0, 0x2000, 0x8000, 0xA000)) | (0x1000 if sequence else 0)
        fields = bytes(4 * bin(flags).count("1"))
        body = struct.pack("!HH", flags, kind) + fields + between + octets
        return outer_ip(chance, 47, body, len(body) + cut)
    return around


def vxlan(chance, frame, cut):
    body = struct.pack("!II", 0x08000000, 5 << 8) + frame
    return udp(chance, 4789, body, len(body) + cut)


def geneve(chance, octets, cut, kind=0x6558):
    words = chance.randrange(4)
    body = struct.pack("!BBHI", words, 0, kind, 5 << 8) + bytes(4 * words) + octets
    return udp(chance, 6081, body, len(body) + cut)


def geneve_ip(chance, packet, cut):
    return geneve(chance, packet, cut, ethertype(packet))


def tzsp(chance, frame, cut):
    body = b"\1\0\0\1" + chance.choice((b"", b"\0\x0a\1\5")) + b"\1" + frame
    return udp(chance, 37008, body, len(body) + cut)


def pptp(chance, packet, cut):
    body = chance.choice((b"\xff\3", b"")) + ppp(packet)
    ack = chance.choice((b"", bytes(4)))
    head = struct.pack("!HHHHI", 0x3081 if ack else 0x3001, 0x880B, len(body) + cut, 7, 1) + ack
    return outer_ip(chance, 47, head + body, len(head + body) + cut)


def wccp(chance, packet, cut):
    body = b"\0\0\x88\x3e" + (b"" if packet[0] >> 4 == 4 and chance.random() < 0.5 else bytes(4)) + packet
    return outer_ip(chance, 47, body, len(body) + cut)


def in_udp(port, head):
    def around(chance, octets, cut):
        body = head(chance, octets, cut) + octets
        return udp(chance, port, body, len(body) + cut)
    return around


def nsh_head(chance, following):
    words = chance.randrange(3)
    return struct.pack("!HBBI", 0x0FC0 | 2 + words, 2, following, 0x64FF) + chance.randbytes(4 * words)


def following(packet):
    return 2 if packet[0] >> 4 == 6 else 1


def nsh(chance, packet, cut):
    return MACS + b"\x89\x4f" + nsh_head(chance, following(packet)) + packet


def gpe_head(kind):
    def head(chance, octets, cut):
        what = kind or following(octets)
        return struct.pack("!BBBBI", 0x0C, 0, 0, what, 5 << 8)
    return head


def gpe_nsh(chance, frame, cut):
    body = struct.pack("!BBBBI", 0x0C, 0, 0, 4, 5 << 8) + nsh_head(chance, 3) + frame
    return udp(chance, 4790, body, len(body) + cut)


def gtpu_head(chance, packet, cut):
    more = chance.choice((b"", struct.pack("!HBB", 7, 0, 0), b"\0\0\0\x85\1\7\7\xc0\2" + bytes(7)))
    flags = 0x30 if not more else 0x34 if more[3] else 0x32
    return struct.pack("!BBHI", flags, 255, len(more) + len(packet) + cut, 9) + more


def l2tp(chance, packet, cut):
    body = chance.choice((b"\xff\3", b"")) + ppp(packet)
    flags, fields = 2, struct.pack("!HH", 3, 4)
    if chance.random() < 0.5:
        flags, fields = flags | 0x0800, fields + bytes(4)
    if chance.random() < 0.5:
        flags, fields = flags | 0x0200, fields + b"\0\3abc"
    if chance.random() < 0.5:
        flags, fields = flags | 0x4000, struct.pack("!H", 4 + len(fields) + len(body) + cut) + fields
    body = struct.pack("!H", flags) + fields + body
    return udp(chance, 1701, body, len(body) + cut)


def etherip(chance, frame, cut):
    number, head = chance.choice(((97, b"\x30\0"), (143, b"")))
    return outer_ip(chance, number, head + frame, len(head + frame) + cut)


def trill(chance, frame, cut):
    words = chance.randrange(3)
    return MACS + struct.pack("!HHHH", 0x22F3, words << 6 | 9, 1, 2) + bytes(4 * words) + frame


def isl(frame, wire):
    """No tag may follow its addresses, so it is the outermost layer."""
    return b"\1\0\x0c\0\0\0" + MACS[6:] + struct.pack("!H", (26 + wire) % 1500) + b"\xaa\xaa\3\2\0\0" + bytes(6) + frame


def bridged(chance, frame, cut):
    body = b"\0\x31" + chance.choice((b"\0\1", b"\x40\1\0\0\0\7")) + frame
    return MACS + struct.pack("!HHHH", 0x8864, 0x1100, 1, len(body) + cut) + body


def macsec(chance, frame, cut):
    return frame[:12] + b"\x88\xe5" + chance.choice((bytes(6), b"\x20" + bytes(5) + MACS[:6] + b"\0\1")) + frame[12:]


def ethernet(_, packet, cut):
    return MACS + struct.pack("!H", ethertype(packet)) + packet


ERSPAN2 = struct.pack("!II", 0x10640000, 0)
ERSPAN3 = struct.pack("!III", 0x20640000, 1, 0)

# names of the layers, what they take, what they make, how
LAYERS = [
    (("vlan",), "ethernet", "ethernet", tag(0x8100, b"\0\1")), (("vlan",), "ethernet", "ethernet", tag(0x88A8, b"\0\2")),
    (("vlan",), "ethernet", "ethernet", tag(0x9100, b"\0\3")), (("vlan",), "ethernet", "ethernet", tag(0x9200, b"\0\4")),
    (("802.1br",), "ethernet", "ethernet", tag(0x893F, bytes(6))), (("vn-tag",), "ethernet", "ethernet", tag(0x8926, bytes(4))),
    (("cmd",), "ethernet", "ethernet", tag(0x8909, b"\1\1\0\1\0\7")), (("ttag",), "ethernet", "ethernet", tag(0x8988, bytes(4))),
    (("hsr",), "ethernet", "ethernet", tag(0x892F, b"\0\x40\0\1")), (("pbb",), "ethernet", "ethernet", pbb),
    (("mpls",), "ip", "ethernet", mpls_ip), (("mpls",), "ethernet", "ethernet", mpls_ethernet),
    (("pppoe", "ppp"), "ip", "ethernet", pppoe), (("gre",), "ip", "ip", gre(0)), (("gre",), "ethernet", "ip", gre(0x6558)),
    (("gre", "erspan"), "ethernet", "ip", gre(0x88BE)), (("gre", "erspan"), "ethernet", "ip", gre(0x88BE, ERSPAN2, True)),
    (("gre", "erspan"), "ethernet", "ip", gre(0x22EB, ERSPAN3, True)), (("vxlan",), "ethernet", "ip", vxlan),
    (("geneve",), "ethernet", "ip", geneve), (("geneve",), "ip", "ip", geneve_ip), (("tzsp",), "ethernet", "ip", tzsp),
    (("ipip",), "ip", "ip", in_ip), ((), "ip", "ethernet", ethernet),
    (("r-tag",), "ethernet", "ethernet", tag(0xF1C1, bytes(4))), (("macsec",), "ethernet", "ethernet", macsec),
    (("trill",), "ethernet", "ethernet", trill), (("nsh",), "ip", "ethernet", nsh),
    (("pppoe", "ppp"), "ethernet", "ethernet", bridged), (("gre", "ppp"), "ip", "ip", pptp), (("gre",), "ip", "ip", wccp),
    (("etherip",), "ethernet", "ip", etherip), (("vxlan-gpe",), "ip", "ip", in_udp(4790, gpe_head(0))),
    (("vxlan-gpe",), "ethernet", "ip", in_udp(4790, gpe_head(3))), (("vxlan-gpe", "nsh"), "ethernet", "ip", gpe_nsh),
    (("gtp-u",), "ip", "ip", in_udp(2152, gtpu_head)), (("l2tp", "ppp"), "ip", "ip", l2tp),
    (("lisp",), "ip", "ip", in_udp(4341, lambda *_: struct.pack("!II", 0x80000001, 1))),
    (("mpls",), "ip", "ip", in_udp(6635, lambda *_: struct.pack("!I", 7 << 12 | 0x140))),
    (("gre",), "ip", "ip", in_udp(4754, lambda _, packet, cut: struct.pack("!HH", 0, ethertype(packet)))),
]

# Link layers for IP packets: number, name of the layer that counts, and how the packet is put inside.
LINKS = [(101, (), lambda packet, wire: packet), (1, (), lambda packet, wire: ethernet(None, packet, 0)),
         (9, ("ppp",), lambda packet, wire: b"\xff\3" + ppp(packet)),
         (197, ("erf",), lambda packet, wire: bytes(8) + struct.pack("!BBHHH", 22, 4, 0, 0, wire) + packet),
         (239, ("nflog",), lambda packet, wire: b"\2\0\0\0" + struct.pack("<HH", 4 + wire, 9) + packet),
         (1, ("isl",), lambda packet, wire: isl(ethernet(None, packet, 0), wire))]
PLAIN_ETHERNET = (1, (), lambda frame, wire: frame)


def stack(chance):
    """A random list of layers from the innermost on, at most eight that count, and the link layer."""
    chosen, kind, num, room = [], "ip", 0, chance.randint(1, 8)
    while True:
        layer = chance.choice([entry for entry in LAYERS if entry[1] == kind])
        if num + len(layer[0]) > room:
            break
        chosen.append(layer)
        num += len(layer[0])
        kind = layer[2]
    links = [link for link in LINKS if num + len(link[1]) <= 8]
    return chosen, chance.choice(links) if kind == "ip" else PLAIN_ETHERNET


def raw(capture):
    """The IP packets of a capture of any link type; None if one is not IP."""
    packets = []
    for packet in capture.packets:
        place = capfile.link_payload(packet)
        if place is None or place[1] not in (0x0800, 0x86DD) or place[0] >= len(packet.data):
            return None
        data = packet.data[place[0]:]
        if data[0] >> 4 not in (4, 6):
            return None
        packets.append(capfile.Packet(packet.frame, packet.time, data, packet.wire_len - place[0], capfile.RAW))
    return packets


def inside(seeds, layers, packet):
    """The octets of a packet in the layers, and their names."""
    data, cut, names = packet.data, packet.wire_len - len(packet.data), set()
    for seed, layer in zip(seeds, layers):
        was_six = data[0] >> 4 == 6
        data = layer[3](random.Random(seed), data, cut)
        names |= {"6in4"} if layer[3] is in_ip and was_six and data[0] >> 4 == 4 else set(layer[0])
    return data, names


def wrap(chance, packets, layers, link):
    """The packets in the layers, and how many packets have each.  A layer draws the same for each packet."""
    seeds = [chance.random() for _ in layers]
    out, counts = [], {}
    for packet in packets:
        cut = packet.wire_len - len(packet.data)
        data, names = inside(seeds, layers, packet)
        data = link[2](data, len(data) + cut)
        for name in names | set(link[1]):
            counts[name] = counts.get(name, 0) + 1
        out.append(capfile.Packet(packet.frame, packet.time, data, len(data) + cut, link[0]))
    return out, counts


def lines(tool, path, *words):
    done = subprocess.run([tool, "check", "-T", "jsonl", *words, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stdout


def judged(answer, mapping=None):
    """Status and lines of a run without what the layers may change."""
    status, found, _ = answer
    kept = []
    for line in found:
        if line["type"] == "summary":
            line = {key: value for key, value in line.items() if key not in ("octets", "encapsulation", "packets")}
        if line.get("kind") == "cut":  # what is left of a packet includes the layers
            line = {key: value for key, value in line.items() if key not in ("snaplen", "text")}
        if mapping and line["type"] == "finding":
            line = dict(line, **{key: mapping.get(line[key]) for key in ("frame", "other_frame") if key in line})
            line.pop("message", None)
            line.pop("text", None)
        if mapping and line["type"] != "finding" and line["type"] != "summary":
            continue
        kept.append(line)
    return status, kept


class Rounds:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.wrong, self.done, self.split = tool, folder, [], 0, 0

    def path(self, kind, name):
        os.makedirs(os.path.join(self.folder, kind), exist_ok=True)
        return os.path.join(self.folder, kind, name)

    def shards(self, path):
        parts = []
        for index in range(2):
            parts.append(self.path("parts", "part%d" % index))
            with open(parts[-1], "wb") as out:
                out.write(lines(self.tool, path, "--shard", "%d/2" % index)[2])
        return subprocess.run([self.tool, "merge", *parts], stdout=subprocess.PIPE, check=False).stdout

    def round(self, chance, name, packets):
        plain, path = self.path("plain", name), self.path("inside", name)
        capfile.write_pcap(plain, packets, capfile.RAW)
        layers, link = stack(chance)
        wrapped, counts = wrap(chance, packets, layers, link)
        capfile.write_pcap(path, wrapped, link[0])
        what = "%s in %s" % (name, " ".join("+".join(layer[0]) or "ethernet" for layer in layers + [(link[1],)]))
        due = judged(lines(self.tool, plain))
        one = lines(self.tool, path, "--jobs", "1")
        if judged(one) != due:
            self.wrong.append("%s: judged in another way\n%s\n%s" % (what, due, judged(one)))
        if one[1] and one[1][-1].get("encapsulation", {}) != counts:
            self.wrong.append("%s: counts %s, expected %s" % (what, one[1][-1].get("encapsulation"), counts))
        many = lines(self.tool, path, "--jobs", "3")
        if many[2] != one[2]:
            self.wrong.append("%s: other output with --jobs 3" % what)
        if self.done % 4 == 0 and kit.lines_of_run(self.shards(path)) != kit.lines_of_run(one[2]):
            self.wrong.append("%s: other output from shards" % what)
        self.done += 1
        if layers and layers[-1][2] == "ip":
            self.fragments(chance, name, packets, layers, due[0])

    def fragments(self, chance, name, packets, layers, status):
        """The same with the outermost IP packets in fragments."""
        out, mapping = [], {}
        seeds = [chance.random() for _ in layers]
        size = 8 * chance.randint(20, 180)
        for packet in packets:
            if packet.wire_len != len(packet.data):
                return
            data, _ = inside(seeds, layers, packet)
            pieces = gencaps.fragments(data, size, packet.frame) if len(data) - 40 > size else [data]
            chance.shuffle(pieces)
            for piece in pieces:
                out.append(capfile.Packet(len(out) + 1, packet.time, piece, len(piece), capfile.RAW))
            mapping[len(out)] = packet.frame
        path = self.path("inside", name)
        capfile.write_pcap(path, out, capfile.RAW)
        due = judged(lines(self.tool, self.path("plain", name)), {packet.frame: packet.frame for packet in packets})
        got = judged(lines(self.tool, path), mapping)
        if got != due:
            self.wrong.append("%s in fragments of %d: status %d\n%s\n%s" % (name, size, status, due, got))
        if lines(self.tool, path, "--jobs", "3")[2] != lines(self.tool, path, "--jobs", "1")[2]:
            self.wrong.append("%s in fragments: other output with --jobs 3" % name)
        self.split += 1


def unread():
    """Packets that may hide iWARP: (link type, octets, the protocol that a line `capture` names)."""
    ip4 = b"".join(HOSTS[4])

    def ip(protocol, body):
        return MACS + b"\x08\0" + struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(body), 7, 0, 64, protocol, 0) + ip4 + body

    def port(number, body=b""):
        return ip(17, struct.pack("!HHHH", 0xC000, number, 8 + len(body), 0) + body)

    yield 1, ip(50, bytes(16)), "ESP"
    yield 1, ip(97, bytes(16)), "a header of etherip that is cut or of another form"
    yield 1, ip(108, bytes(16)), "IPComp"
    yield 1, ip(115, bytes(16)), "L2TPv3"
    yield 1, port(4500), "ESP in UDP"
    yield 1, port(8472), "UDP port 8472: if it is VXLAN, -d udp.port==8472,vxlan"
    yield 1, port(51820), "WireGuard"
    yield 9, b"\xff\3\0\x2d" + bytes(16), "PPP protocol 0x002d"
    yield 1, port(2152), "a header of gtp-u that is cut or of another form"
    yield 1, port(4789, bytes(30)), "a header of vxlan that is cut or of another form"
    yield 1, MACS + b"\x88\xe5\x0c" + bytes(16), "MACsec"
    yield 1, MACS + b"\x88\xb5" + bytes(16), "EtherType 0x88b5"
    yield 1, MACS + b"\x81\0\0\1" * 9 + b"\x08\0" + bytes(20), "more than 8 tags and tunnels"
    # What hides nothing has a line where it is half of the packets.
    yield 1, MACS + b"\x08\6" + bytes(28), "ARP"
    yield 1, ip(1, b"\x08\0" + bytes(14)), "ICMP"
    yield 1, ip(99, bytes(16)), "IP protocol 99"
    yield 1, port(53), "UDP, such as port 53"
    yield 1, MACS + b"\0\x26\x42\x42\3" + bytes(35), "STP"
    yield 1, MACS + b"\0\x26\x12\x34\3" + bytes(35), "LLC access point 0x12"
    yield 1, MACS + b"\x08\0\x44" + bytes(20), "a header that is cut or wrong"
    yield 1, port(2152, b"\x30\1" + bytes(6)), "gtp-u without a packet inside"
    yield 9, b"\xff\3\xc0\x21" + bytes(16), "PPP control protocol 0xc021"
    yield 197, bytes(8) + struct.pack("!BBHHH", 5, 4, 0, 0, 40) + bytes(40), "ERF type 5"


def not_decoded(test):
    """Each such packet has a line; kinds beyond sixteen share one."""
    path = test.path("inside", "unread.pcap")
    for link, octets, protocol in unread():
        capfile.write_pcap(path, [capfile.Packet(1, 0, octets, len(octets), link)] * 2, link)
        for jobs in "1", "3":
            found = [line for line in lines(test.tool, path, "--jobs", jobs)[1] if line["type"] == "capture"]
            if [(line["kind"], line["protocol"], line["count"], line["frame"]) for line in found] != [
                    ("not-decoded", protocol, 2, 1)]:
                test.wrong.append("%s, %s jobs: %s" % (protocol, jobs, found))
    many = [MACS + struct.pack("!H", 0x9900 + i) + bytes(20) for i in range(40)]
    capfile.write_pcap(path, [capfile.Packet(1, 0, octets, len(octets), 1) for octets in many], 1)
    found = [line for line in lines(test.tool, path)[1] if line["type"] == "capture"]
    if len(found) != 17 or (found[-1]["protocol"], found[-1]["count"]) != ("other protocols", 24):
        test.wrong.append("many kinds: %s" % found)
    inner = MACS + struct.pack("!HH", 0x8100, 1) + b"\x08\x06" + bytes(28)
    capfile.write_pcap(path, [capfile.Packet(1, 0, inner, len(inner), 1)], 1)
    text = subprocess.run([test.tool, "check", "-v", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).stdout
    if b"  encapsulation: vlan in 1 packet\n" not in text:
        test.wrong.append("text: %s" % text)


def named_ports(test, name, packets):
    """A tunnel over another port is read where -d names the port, in both directions, and only there."""
    plain, path = test.path("plain", name), test.path("inside", name)
    capfile.write_pcap(plain, packets, capfile.RAW)
    due = judged(lines(test.tool, plain))
    for around, kind in ((vxlan, "vxlan"), (geneve_ip, "geneve"), (tzsp, "tzsp")):
        out = []
        for packet in packets:
            cut = packet.wire_len - len(packet.data)
            inner = packet.data if kind == "geneve" else ethernet(None, packet.data, 0)
            data = around(random.Random(1), inner, cut)
            head = 40 if data[0] >> 4 == 6 else 20
            ports = (8472, 49152) if len(out) % 2 else (49152, 8472)
            data = data[:head] + struct.pack("!HH", *ports) + data[head + 4:]
            out.append(capfile.Packet(packet.frame, packet.time, data, len(data) + cut, capfile.RAW))
        capfile.write_pcap(path, out, capfile.RAW)
        option = ("-d", "udp.port==8472," + kind)
        if judged(lines(test.tool, path, *option)) != due:
            test.wrong.append("%s over another port: judged in another way" % kind)
        if lines(test.tool, path, "--jobs", "3", *option)[2] != lines(test.tool, path, *option)[2]:
            test.wrong.append("%s over another port: other output with --jobs 3" % kind)
        if lines(test.tool, path, "-d", "udp.port==8473," + kind)[0] != 3:
            test.wrong.append("%s over a port that is not named is read" % kind)
        done = subprocess.run([test.tool, "check", "-d", "udp.port==8473," + kind, path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        if b"-d udp.port==8473,%s: no packet has this port" % kind.encode() not in done.stderr:
            test.wrong.append("a port that no packet has: %s" % done.stderr)


def captures(folder):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if name.endswith((".pcap", ".pcapng"))]
    return sorted(path for path in found if os.path.getsize(path) < 100000)


def main():
    tool, folder = sys.argv[1:3]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 60 // min(kit.REPEATED, 3)
    chance = random.Random(seed)
    paths = captures(folder)
    with tempfile.TemporaryDirectory() as made:
        test = Rounds(tool, made)
        while test.done < rounds:
            path = chance.choice(paths)
            try:
                packets = raw(capfile.read_capture(path))
            except capfile.CaptureError:
                continue
            if packets and max(packet.wire_len for packet in packets) + ROOM < 65536:
                test.round(chance, os.path.basename(path).replace(".pcapng", ".pcap"), packets)
        not_decoded(test)
        named_ports(test, "named.pcap", raw(capfile.read_capture(os.path.join(folder, "real", "siw", "crc-rping-64.pcap"))))
    for line in test.wrong[:10]:
        print(line)
    print("encapsulated: %d rounds, %d with fragments, seed %d: %d differ" % (test.done, test.split, seed, len(test.wrong)))
    return 1 if test.wrong or test.split == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
