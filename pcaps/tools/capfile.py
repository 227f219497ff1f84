# SPDX-License-Identifier: BSD-2-Clause
"""capfile: capture files and the way from a packet to its TCP segment, for the black-box tests.

Reads pcap (both byte orders, microseconds and nanoseconds) and pcapng, and writes both. Dissects Ethernet (with VLAN
tags), Linux cooked v1 and v2, raw IP and null/loopback down to TCP. Puts IP fragments together.  A whole capture is
held in memory.
"""

import socket
import struct

EN10MB, NULL, LOOP, SLL, SLL2 = 1, 0, 108, 113, 276
RAW_TYPES = (12, 14, 101)
RAW, IPV4, IPV6 = 101, 228, 229

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16

ETHERTYPE_IPV4, ETHERTYPE_IPV6 = 0x0800, 0x86DD
VLAN_TYPES = (0x8100, 0x88A8, 0x9100, 0x9200)
INET6_FAMILIES = (10, 24, 28, 30)
MAX_CAPLEN = 262144


class CaptureError(Exception):
    """The file is no capture that can be read."""


class Packet:
    """One captured packet: its number, time in nanoseconds, octets and length on the wire."""

    __slots__ = ("frame", "time", "data", "wire_len", "link", "end")

    def __init__(self, frame, time, data, wire_len, link, end=0):
        self.frame = frame
        self.time = time
        self.data = data
        self.wire_len = max(wire_len, len(data))
        self.link = link
        self.end = end  # file offset after the packet's record


class Capture:
    """A capture file as read: packets, the link type of the first, and what went wrong."""

    def __init__(self, packets, link, fmt, error=None, clean_ends=()):
        self.packets = packets
        self.link = link
        self.format = fmt
        self.error = error
        self.clean_ends = clean_ends  # file lengths at which a cut file is a whole capture


# --- reading ------------------------------------------------------------------------------------


def read_capture(path):
    """Reads the capture at `path`; raises CaptureError if it is not a capture."""
    with open(path, "rb") as stream:
        return parse_capture(stream.read())


def parse_capture(blob):
    """Parses the octets of a pcap or pcapng file."""
    magic = blob[:4]
    if magic == b"\x0a\x0d\x0d\x0a":
        return _parse_pcapng(blob)
    for order in "<>":
        for number, unit, header in ((0xA1B2C3D4, 1000, 16), (0xA1B23C4D, 1, 16),
                                     (0xA1B2CD34, 1000, 24)):
            if magic == struct.pack(order + "I", number):
                return _parse_pcap(blob, order, unit, header)
    raise CaptureError("not a capture file")


def _parse_pcap(blob, order, unit, header):
    if len(blob) < 24:
        raise CaptureError("pcap file header cut short")
    link = struct.unpack_from(order + "I", blob, 20)[0] & 0x03FFFFFF
    packets, pos, error, ends = [], 24, None, [24]
    while pos < len(blob):
        if pos + header > len(blob):
            error = "cut in a packet header"
            break
        sec, frac, caplen, wire = struct.unpack_from(order + "IIII", blob, pos)
        if caplen > MAX_CAPLEN:
            error = "impossible packet length"
            break
        if pos + header + caplen > len(blob):
            error = "cut in a packet"
            break
        data = blob[pos + header:pos + header + caplen]
        pos += header + caplen
        ends.append(pos)
        time = sec * 10**9 + frac * unit
        packets.append(Packet(len(packets) + 1, time, data, wire, link, pos))
    return Capture(packets, link, "pcap", error, ends)


def _tsresol(options, order):
    """Returns (units per second, offset in seconds) from the options of an interface block."""
    units, offset, pos = 10**6, 0, 0
    while pos + 4 <= len(options):
        code, length = struct.unpack_from(order + "HH", options, pos)
        value = options[pos + 4:pos + 4 + length]
        if code == 0:
            break
        if code == 9 and length == 1:
            units = 2 ** (value[0] & 127) if value[0] & 128 else 10 ** value[0]
        if code == 14 and length == 8:
            offset = struct.unpack(order + "q", value)[0]
        pos += 4 + (length + 3) // 4 * 4
    return units, offset


def _parse_pcapng(blob):
    packets, pos, error, ends = [], 0, None, []
    order, interfaces, links = "<", [], []
    while pos < len(blob):
        if pos + 12 > len(blob):
            error = "cut in a block header"
            break
        if blob[pos:pos + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if blob[pos + 8:pos + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            interfaces = []
        kind, length = struct.unpack_from(order + "II", blob, pos)
        if length < 12 or length % 4:
            error = "impossible block length"
            break
        if pos + length > len(blob):
            error = "cut in a block"
            break
        body = blob[pos + 8:pos + length - 4]
        pos += length
        if kind == 1:
            link, _, snap = struct.unpack_from(order + "HHI", body)
            interfaces.append((link, snap) + _tsresol(body[8:], order))
            links.append(link)
        elif kind in (2, 3, 6):
            packet = _pcapng_packet(kind, body, order, interfaces, len(packets) + 1, pos)
            if packet is None:
                error = "packet of an unknown interface"
                break
            packets.append(packet)
        if links:
            ends.append(pos)
    if not links:
        raise CaptureError("pcapng file without an interface")
    return Capture(packets, links[0], "pcapng", error, ends)


def _pcapng_packet(kind, body, order, interfaces, frame, end):
    if kind == 3:
        number, high, low = 0, 0, 0
        wire = struct.unpack_from(order + "I", body)[0]
        start, caplen = 4, min(wire, len(body) - 4)
        if interfaces and interfaces[0][1]:
            caplen = min(caplen, interfaces[0][1])
    elif kind == 6:
        number, high, low, caplen, wire = struct.unpack_from(order + "IIIII", body)
        start = 20
    else:
        number, _, high, low, caplen, wire = struct.unpack_from(order + "HHIIII", body)
        start = 20
    if number >= len(interfaces):
        return None
    link, _, units, offset = interfaces[number]
    time = ((high << 32 | low) * 10**9) // units + offset * 10**9
    return Packet(frame, time, body[start:start + caplen], wire, link, end)


# --- writing ------------------------------------------------------------------------------------


def write_pcap(path, packets, link, order="<", nano=False):
    """Writes packets (objects with time, data, wire_len) as a pcap file."""
    magic, unit = (0xA1B23C4D, 1) if nano else (0xA1B2C3D4, 1000)
    parts = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, MAX_CAPLEN, link)]
    record = struct.Struct(order + "IIII").pack
    for p in packets:
        sec, frac = divmod(p.time, 10**9)
        data = p.data  # which some packets make when they are asked
        parts += record(sec, frac // unit, len(data), p.wire_len), data
    with open(path, "wb") as out:
        out.write(b"".join(parts))


def write_pcapng(path, packets, link, order="<", interfaces=1):
    """Writes packets as a pcapng file, dealt to `interfaces` interfaces in turn."""

    def block(kind, body):
        length = 12 + len(body)
        return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)

    with open(path, "wb") as out:
        out.write(block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)))
        options = struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0)
        for _ in range(interfaces):
            out.write(block(1, struct.pack(order + "HHI", link, 0, MAX_CAPLEN) + options))
        for i, p in enumerate(packets):
            data = p.data
            pad = b"\0" * (-len(data) % 4)
            head = struct.pack(order + "IIIII", i % interfaces, p.time >> 32,
                               p.time & 0xFFFFFFFF, len(data), p.wire_len)
            out.write(block(6, head + data + pad))


# --- checksums ----------------------------------------------------------------------------------


def ones_sum(data):
    """Returns the 16-bit one's complement sum of `data`."""
    if len(data) % 2:
        data += b"\0"
    total = int.from_bytes(data, "big")
    return total % 0xFFFF or (0xFFFF if total else 0)  # 2^16 leaves 1: the sum of the words, folded


def checksum(data):
    """Returns the Internet checksum of `data`."""
    return ones_sum(data) ^ 0xFFFF


def pseudo_header(src, dst, length):
    """Returns the TCP pseudo header for packed addresses of either family."""
    if len(src) == 4:
        return src + dst + struct.pack("!HH", 6, length & 0xFFFF)
    return src + dst + struct.pack("!II", length, 6)


# --- from packet to TCP segment -----------------------------------------------------------------


def link_payload(packet):
    """Returns (offset, ethertype) of the network layer, or None."""
    data, link = packet.data, packet.link
    if link in RAW_TYPES or link in (IPV4, IPV6):
        kind = ETHERTYPE_IPV6 if data[:1] and data[0] >> 4 == 6 else ETHERTYPE_IPV4
        return 0, kind
    if link in (NULL, LOOP):
        if len(data) < 4:
            return None
        for order in "<>":
            family = struct.unpack_from(order + "I", data)[0]
            if family == 2:
                return 4, ETHERTYPE_IPV4
            if family in INET6_FAMILIES:
                return 4, ETHERTYPE_IPV6
        return None
    if link == EN10MB:
        pos = 14
        kind = data[12:14]
    elif link == SLL:
        pos = 16
        kind = data[14:16]
    elif link == SLL2:
        pos = 20
        kind = data[0:2]
    else:
        return None
    if len(data) < pos:
        return None
    kind = int.from_bytes(kind, "big")
    while kind in VLAN_TYPES and len(data) >= pos + 4:
        kind = int.from_bytes(data[pos + 2:pos + 4], "big")
        pos += 4
    return pos, kind


class IpHeader:
    """What is needed of an IPv4 or IPv6 header: addresses, payload place, fragment fields."""

    __slots__ = ("version", "start", "payload", "length", "src", "dst", "proto", "frag_id",
                 "frag_off", "more", "fragmented")


def ip_header(packet):
    """Parses the IP header of a packet; returns None when there is no complete one."""
    place = link_payload(packet)
    if place is None:
        return None
    pos, kind = place
    data = packet.data
    if kind == ETHERTYPE_IPV4:
        return _ipv4(data, pos, packet.wire_len)
    if kind == ETHERTYPE_IPV6:
        return _ipv6(data, pos, packet.wire_len)
    return None


def _ipv4(data, pos, wire_len):
    if len(data) < pos + 20 or data[pos] >> 4 != 4:
        return None
    h = IpHeader()
    h.version, h.start = 4, pos
    header = (data[pos] & 15) * 4
    total, h.frag_id, frag = struct.unpack_from("!HHH", data, pos + 2)
    if total == 0:
        total = wire_len - pos  # left to the segmentation offload
    if header < 20 or total < header:
        return None
    h.payload, h.length = pos + header, total - header
    h.proto = data[pos + 9]
    h.src, h.dst = data[pos + 12:pos + 16], data[pos + 16:pos + 20]
    h.frag_off, h.more = (frag & 0x1FFF) * 8, bool(frag & 0x2000)
    h.fragmented = h.more or h.frag_off > 0
    return h


def _ipv6(data, pos, wire_len):
    if len(data) < pos + 40 or data[pos] >> 4 != 6:
        return None
    h = IpHeader()
    h.version, h.start = 6, pos
    length, proto = struct.unpack_from("!HB", data, pos + 4)
    if length == 0:
        length = wire_len - pos - 40
    h.src, h.dst = data[pos + 8:pos + 24], data[pos + 24:pos + 40]
    h.fragmented, h.frag_off, h.more, h.frag_id = False, 0, False, 0
    p, end = pos + 40, pos + 40 + length
    while proto in (0, 43, 44, 51, 60, 135) and p + 8 <= len(data):
        if proto == 44:
            word, h.frag_id = struct.unpack_from("!HI", data, p + 2)
            h.frag_off, h.more = word & 0xFFF8, bool(word & 1)
            h.fragmented = h.more or h.frag_off > 0
            size = 8
        elif proto == 51:
            size = (data[p + 1] + 2) * 4
        else:
            size = (data[p + 1] + 1) * 8
        proto = data[p]
        p += size
        if h.fragmented:
            break
    if end < p:
        return None
    h.payload, h.length, h.proto = p, end - p, proto
    return h


class Segment:
    """A TCP segment: header fields and the captured pieces [(offset, octets)] of its payload."""

    __slots__ = ("frame", "time", "src", "dst", "seq", "ack", "flags", "length", "pieces", "check")

    @property
    def whole(self):
        """True if every payload octet was captured."""
        return sum(len(octets) for _, octets in self.pieces) == self.length


def _segment(packet, src, dst, length, pieces):
    """Makes a Segment out of an IP payload of `length` octets given as captured pieces."""
    if not pieces or pieces[0][0] != 0:
        return None
    head = pieces[0][1]
    if len(head) < 20 or length < 20:
        return None
    sport, dport, seq, ack, off, flags, _, check, _ = struct.unpack_from("!HHIIBBHHH", head)
    header = (off >> 4) * 4
    if header < 20 or header > length:
        return None
    s = Segment()
    s.frame, s.time = packet.frame, packet.time
    s.src, s.dst = (src, sport), (dst, dport)
    s.seq, s.ack, s.flags, s.length = seq, ack, flags, length - header
    s.pieces = []
    for at, octets in pieces:
        octets = octets[max(header - at, 0):]
        at = max(at, header) - header
        if octets:
            s.pieces.append((at, octets))
    s.check = "unknown"
    if sum(len(octets) for _, octets in pieces) == length:
        pseudo = pseudo_header(src, dst, length)
        if ones_sum(pseudo + b"".join(octets for _, octets in pieces)) == 0xFFFF:
            s.check = "good"
        elif check == ones_sum(pseudo):
            s.check = "offload"
        else:
            s.check = "bad"
    return s


class Dissector:
    """Turns packets into TCP segments, keeping IP fragments until their datagram is whole."""

    def __init__(self):
        self.datagrams = {}

    def feed(self, packet):
        """Returns the Segment that `packet` carries or completes, or None."""
        ip = ip_header(packet)
        if ip is None or ip.proto != 6:
            return None
        octets = packet.data[ip.payload:ip.payload + ip.length]
        if not ip.fragmented:
            return _segment(packet, ip.src, ip.dst, ip.length, [(0, octets)])
        key = (ip.src, ip.dst, ip.frag_id)
        parts, total = self.datagrams.get(key, ({}, None))
        parts.setdefault(ip.frag_off, (ip.length, octets))
        if not ip.more:
            total = ip.frag_off + ip.length
        self.datagrams[key] = parts, total
        return self._complete(packet, ip, key, parts, total)

    def _complete(self, packet, ip, key, parts, total):
        pieces, at = [], 0
        for off in sorted(parts):
            length, octets = parts[off]
            if off > at:
                return None
            skip = at - off
            if length > skip:
                if octets[skip:]:
                    pieces.append((at, octets[skip:]))
                at = off + length
        if total is None or at < total:
            return None
        del self.datagrams[key]
        return _segment(packet, ip.src, ip.dst, total, _joined(pieces))


def _joined(pieces):
    """Joins adjacent pieces, so that a TCP header cut by a fragment is in one of them."""
    out = []
    for at, octets in pieces:
        if out and out[-1][0] + len(out[-1][1]) == at:
            out[-1] = (out[-1][0], out[-1][1] + octets)
        else:
            out.append((at, octets))
    return out


def segments(packets):
    """Yields the TCP segments of `packets` in capture order."""
    dissector = Dissector()
    for packet in packets:
        segment = dissector.feed(packet)
        if segment is not None:
            yield segment


def endpoint(address):
    """Formats (packed address, port) as the command line prints it."""
    ip, port = address
    if len(ip) == 4:
        return "%s:%d" % (socket.inet_ntop(socket.AF_INET, ip), port)
    return "[%s]:%d" % (socket.inet_ntop(socket.AF_INET6, ip), port)
