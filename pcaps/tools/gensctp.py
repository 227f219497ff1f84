# SPDX-License-Identifier: BSD-2-Clause
"""gensctp: SCTP associations with DDP Stream Sessions, octet by octet (RFC 9260, RFC 5043).

An Association makes packets in a gencaps.Capture; a Session sends Session Control messages and DDP
Segments on one of its streams.  Whatever a conforming endpoint would do is the default, and each
field can be given another value.
"""

import struct

import gencaps
from crc32c import crc32c
from gencaps import pack_ip

DATA, INIT, INIT_ACK, SACK, HEARTBEAT, ABORT, SHUTDOWN, SHUTDOWN_ACK = 0, 1, 2, 3, 4, 6, 7, 8
COOKIE_ECHO, COOKIE_ACK, SHUTDOWN_COMPLETE, FORWARD_TSN = 10, 11, 14, 192
SEGMENT, CONTROL = 16, 17  # Payload Protocol Identifiers
INITIATE, ACCEPT, REJECT, TERMINATE = 1, 2, 3, 4
ENHANCED = 4  # added to the first three, RFC 6581 7
ADAPTATION, DDP = 0xC006, 1
ACTIVE, PASSIVE = 0, 1
E, B, U = 1, 2, 4


def chunk(kind, flags, body):
    """A chunk with its padding."""
    return struct.pack("!BBH", kind, flags, 4 + len(body)) + body + b"\0" * (-len(body) % 4)


def parameter(kind, body):
    return struct.pack("!HH", kind, 4 + len(body)) + body + b"\0" * (-len(body) % 4)


def sctp_packet(sport, dport, tag, chunks, check="good"):
    """A packet; `check` is "good", "bad", or "zero" as left to the card."""
    head = struct.pack("!HHI", sport, dport, tag)
    body = b"".join(chunks)
    value = crc32c(head + b"\0\0\0\0" + body)
    value = {"good": value, "bad": value ^ 0x5A5A5A5A, "zero": 0}[check]
    return head + struct.pack("<I", value) + body


def ip_packet(src, dst, payload, number=0):
    """An IPv4 or IPv6 packet with SCTP inside."""
    return gencaps.ip_packet(src, dst, payload, number, protocol=132)


class Association:
    """An SCTP association; side 0 sends the INIT."""

    def __init__(self, cap, client=("10.0.0.1", 40000), server=("10.0.0.2", 7174),
                 tags=(0x11223344, 0x99AABBCC), tsn=(1000, 5000), streams=((8, 8), (8, 8)),
                 adaptation=(DDP, DDP), mtu=1500):
        self.cap = cap
        self.ends = [(pack_ip(client[0]), client[1]), (pack_ip(server[0]), server[1])]
        self.others = [None, None]  # a second address of a side, to be used from now on
        self.tags = list(tags)  # in packets from this side; the peer chose them
        self.tsn = list(tsn)
        self.first = list(tsn)
        self.streams, self.adaptation, self.mtu = streams, adaptation, mtu
        self.number = 1
        self.fragment = None  # octets of IP payload in a fragment
        self.check = "good"

    # --- packets ---

    def packet(self, side, chunks, tag=None, sack=True, lose=False, check=None):
        """Adds a packet; with `sack` it acknowledges all that the other side sent."""
        src, dst = self.ends[side], self.ends[1 - side]
        if sack and self.tsn[1 - side] != self.first[1 - side]:
            chunks = [self.sack_chunk(side)] + list(chunks)
        octets = sctp_packet(src[1], dst[1], self.tags[side] if tag is None else tag, chunks,
                             check or self.check)
        source = self.others[side] or src[0]
        target = self.others[1 - side] or dst[0]
        whole = ip_packet(source, target, octets, self.number)
        parts = [whole]
        if self.fragment and len(octets) > self.fragment:
            parts = gencaps.fragments(whole, self.fragment, self.number)
        self.number += 1
        for part in parts:
            if lose:
                self.cap.clock += self.cap.step
            else:
                self.cap.add(part, self, side, len(octets) - 12)
        return self.cap.items[-1] if self.cap.items else None

    def sack_chunk(self, side, cumulative=None, gaps=()):
        tsn = self.tsn[1 - side] - 1 if cumulative is None else cumulative
        body = struct.pack("!IIHH", tsn & 0xFFFFFFFF, 65536, len(gaps), 0)
        return chunk(SACK, 0, body + b"".join(struct.pack("!HH", *gap) for gap in gaps))

    def sack(self, side, **more):
        self.packet(side, [self.sack_chunk(side)], sack=False, **more)

    # --- beginning and end ---

    def init_chunk(self, side, kind):
        out, into = self.streams[side]
        body = struct.pack("!IIHHI", self.tags[1 - side], 65536, out, into, self.tsn[side] & 0xFFFFFFFF)
        if self.adaptation[side] is not None:
            value = self.adaptation[side]
            body += parameter(ADAPTATION, value if isinstance(value, bytes) else struct.pack("!I", value))
        if kind == INIT_ACK:
            body += parameter(7, b"cookie--")
        return chunk(kind, 0, body)

    def open(self):
        self.packet(0, [self.init_chunk(0, INIT)], tag=0)
        self.packet(1, [self.init_chunk(1, INIT_ACK)])
        self.packet(0, [chunk(COOKIE_ECHO, 0, b"cookie--")])
        self.packet(1, [chunk(COOKIE_ACK, 0, b"")])
        return self

    def close(self, side=0):
        """The orderly shutdown."""
        cumulative = struct.pack("!I", (self.tsn[1 - side] - 1) & 0xFFFFFFFF)
        self.packet(side, [chunk(SHUTDOWN, 0, cumulative)], sack=False)
        self.packet(1 - side, [chunk(SHUTDOWN_ACK, 0, b"")], sack=False)
        self.packet(side, [chunk(SHUTDOWN_COMPLETE, 0, b"")], sack=False)

    def abort(self, side=0):
        self.packet(side, [chunk(ABORT, 0, b"")], sack=False)

    # --- DATA ---

    def data(self, side, stream, ppid, user, flags=U, size=None, ssn=0):
        """The DATA chunks of a message, of `size` octets of user data each."""
        size = size or max(len(user), 1)
        pieces = [user[at:at + size] for at in range(0, len(user), size)] or [b""]
        out = []
        for i, piece in enumerate(pieces):
            bits = flags | (B if i == 0 else 0) | (E if i == len(pieces) - 1 else 0)
            out.append(chunk(DATA, bits, struct.pack("!IHHI", self.tsn[side] & 0xFFFFFFFF, stream,
                                                     ssn, ppid) + piece))
            self.tsn[side] += 1
        return out


class Session:
    """A DDP Stream Session on a stream; the active side of it is side `active`."""

    def __init__(self, assoc, stream=0, active=0):
        self.assoc, self.stream, self.active = assoc, stream, active
        self.ssn = [0, 0]  # by role
        self.msn = [{}, {}]
        self.sent = [[], []]

    def side(self, role):
        return self.active if role == ACTIVE else 1 - self.active

    def chunks(self, role, ppid, body, ssn=None, flags=U, size=None, stream=None, number=True):
        """The DATA chunks of a message that begins with its DDP-SSN."""
        value = self.ssn[role] if ssn is None else ssn
        if ssn is None:
            self.ssn[role] = (self.ssn[role] + 1) & 0xFFFF
        user = (struct.pack("!H", value) if number else b"") + body
        return self.assoc.data(self.side(role), self.stream if stream is None else stream, ppid,
                               user, flags, size)

    def send(self, role, ppid, body, lose=False, sack=True, check=None, **more):
        """Sends a message, each of its chunks in a packet of its own."""
        for piece in self.chunks(role, ppid, body, **more):
            item = self.assoc.packet(self.side(role), [piece], lose=lose, sack=sack, check=check)
        return item

    def control(self, role, function, private=b"", **more):
        return self.send(role, CONTROL, struct.pack("!H", function) + private, **more)

    def segment(self, role, segment, **more):
        self.sent[role].append(segment)
        return self.send(role, SEGMENT, segment, **more)

    def start(self, request=b"ping", reply=b"pong"):
        self.control(ACTIVE, INITIATE, request)
        self.control(PASSIVE, ACCEPT, reply)
        return self

    def start_enhanced(self, request=(4, 4, ""), reply=(4, 4, "")):
        self.control(ACTIVE, INITIATE + ENHANCED, word(*request))
        self.control(PASSIVE, ACCEPT + ENHANCED, word(*reply))
        return self

    def end(self, first=ACTIVE):
        """Both sides terminate; what is left is acknowledged."""
        self.control(first, TERMINATE)
        self.control(1 - first, TERMINATE)
        self.assoc.sack(self.side(first))

    # --- RDMAP messages ---

    def next_msn(self, role, queue):
        self.msn[role][queue] = (self.msn[role].get(queue, 0) + 1) & 0xFFFFFFFF
        return self.msn[role][queue]

    def message(self, role, payload=b"hello", opcode=3, queue=0, size=None, ulp=0, **more):
        """An untagged message, cut into segments of `size` octets of payload."""
        msn, size = self.next_msn(role, queue), size or max(len(payload), 1)
        for at in range(0, max(len(payload), 1), size):
            self.segment(role, gencaps.untagged(opcode, queue, msn, at, payload[at:at + size], ulp,
                                                last=at + size >= len(payload)), **more)

    def write(self, role, stag=0x1000, to=0, payload=bytes(64), **more):
        self.segment(role, gencaps.tagged(0, stag, to, payload), **more)

    def read(self, role, size=8, sink=(0x2000, 0), source=(0x3000, 0), answer=True):
        """An RDMA Read Request and its Response."""
        header = gencaps.read_request_header(sink[0], sink[1], size, source[0], source[1])
        self.message(role, header, 1, 1)
        if answer:
            self.segment(1 - role, gencaps.tagged(2, sink[0], sink[1], bytes(size)))


def word(ird, ord_, flags=""):
    """The four octets of RFC 6581 9: A, B, IRD, C, D, ORD."""
    bits = {name: int(name in flags) for name in "abcd"}
    return struct.pack("!HH", bits["a"] << 15 | bits["b"] << 14 | ird,
                       bits["c"] << 15 | bits["d"] << 14 | ord_)


def opened(**more):
    """An association that is up, in a capture of its own."""
    return Association(gencaps.Capture(), **more).open()


def started(stream=0, active=0, **more):
    """A session that is accepted, on an association of its own."""
    return Session(opened(**more), stream, active).start()
