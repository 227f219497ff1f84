# SPDX-License-Identifier: BSD-2-Clause
"""Captures that cost a reader as much as they can: many connections, many findings, much held back, much unpacked."""

import gzip
import lzma
import struct

import kit  # noqa: F401  isort: skip
import gencaps
import gensctp

REQUEST, REPLY = b"MPA ID Req Frame", b"MPA ID Rep Frame"
SYN, ACK, RST, FIN = 2, 16, 4, 1
SERVER = b"\x0a\x00\x00\x02"
RAW_IP = 101


def client(number):
    """The address and port of client `number`."""
    return struct.pack("!I", 0x0B000000 + number // 60000), 1024 + number % 60000


def packet(number, up, seq, ack, flags, payload=b"", port=7174):
    """A packet of connection `number`, from its client when `up`."""
    ip, own = client(number)
    src, dst = (ip, SERVER) if up else (SERVER, ip)
    ports = (own, port) if up else (port, own)
    return gencaps.ip_packet(src, dst, gencaps.tcp_header(src, dst, *ports, seq, ack, flags, payload))


def startup(number, request=b"\0\1\0\0", reply=b"\0\1\0\0"):
    """SYN, SYN+ACK, Request and Reply; the next octets are 1021 and 5021."""
    yield packet(number, True, 1000, 0, SYN)
    yield packet(number, False, 5000, 1001, SYN | ACK)
    yield packet(number, True, 1001, 5001, ACK, REQUEST + request)
    yield packet(number, False, 5001, 1021, ACK, REPLY + reply)


def send(number, msn, **bits):
    """A packet with one Send of 4 octets without a CRC; right but for its MSN."""
    ulpdu = gencaps.untagged(3, 0, msn, payload=b"abcd", **bits)
    at = 1021 + 28 * (number[1] if isinstance(number, tuple) else 0)
    conn = number[0] if isinstance(number, tuple) else number
    return packet(conn, True, at, 5021, ACK, struct.pack("!H", len(ulpdu)) + ulpdu + b"\0" * 4)


def bare_requests(count):
    """Connections of one packet each."""
    for i in range(count):
        yield packet(i, True, 1000, 1, ACK, REQUEST + b"\0\1\0\0")


def wrong_requests(count):
    """The same, and each Request breaks what it can."""
    for i in range(count):
        yield packet(i, True, 1000, 1, ACK, REQUEST + b"\x2f\7\xff\xff")


def bad_fpdus(count, a_packet=60):
    """One connection, then FPDUs of 20 octets that break several rules each, so many in a packet."""
    yield from startup(0)
    # a tagged DDP header: reserved bits, another version, an unknown opcode, PAD that is not zero
    fpdu = struct.pack("!H", 14) + b"\xbd\x7f" + struct.pack("!IQ", 1, 2**64 - 1) + b"\0\0\0\1"
    other = struct.pack("!H", 18) + b"\x7d\x73" + struct.pack("!IIII", 9, 7, 77, 5) + b"\0\0\0\1"
    seq, body = 1021, (fpdu + other) * (a_packet // 2)
    for _ in range(count // a_packet):
        yield packet(0, True, seq & 0xFFFFFFFF, 5021, ACK, body)
        seq += len(body)


LONG_ADDRESSES = (bytes.fromhex("20010db8111122223333444455556666"), bytes.fromhex("20010db8aaaabbbbccccddddeeeeffff"))


def empty_fpdus(count):
    """One connection over IPv6, then FPDUs of 8 octets, as many as fit in a packet: lines of dump for little."""
    seqs = [3000001000, 4000001000]

    def long_packet(up, flags, payload=b""):
        src, dst = LONG_ADDRESSES if up else LONG_ADDRESSES[::-1]
        ports = (40000, 50000) if up else (50000, 40000)
        seq = seqs[0 if up else 1]
        segment = gencaps.tcp_header(src, dst, *ports, seq, seqs[1 if up else 0], flags, payload)
        seqs[0 if up else 1] = seq + len(payload) + (flags & SYN != 0) & 0xFFFFFFFF
        return gencaps.ip_packet(src, dst, segment)

    yield long_packet(True, SYN)
    yield long_packet(False, SYN | ACK)
    yield long_packet(True, ACK, REQUEST + b"\0\1\0\0")
    yield long_packet(False, ACK, REPLY + b"\0\1\0\0")
    for _ in range(count // 8000):
        yield long_packet(True, ACK, b"\0" * 8 * 8000)


def bad_connections(count):
    """Connections with a startup and two FPDUs that break rules."""
    for i in range(count):
        yield from startup(i, b"\x0f\1\0\0", b"\x0f\1\0\0")
        yield send(i, 77, rsvd=15, rdmap_rsvd=3)
        yield packet(i, False, 5021, 1049, ACK, struct.pack("!H", 14) + b"\xff\xff" + b"\xff" * 18)


def open_connections(count):
    """Connections that stay open to the end; each breaks rules of the startup, of FPDUs and of their order."""
    def fpdu(ulpdu, pad=b"\0\0"):
        return struct.pack("!H", len(ulpdu)) + ulpdu + pad[:-(len(ulpdu) + 2) % 4] + b"\0" * 4

    body = b"".join((fpdu(gencaps.untagged(3, 0, 77, payload=b"ab", rsvd=15, rdmap_rsvd=3), b"\1\1"),
                     fpdu(gencaps.untagged(3, 7, 0, mo=9, last=False)), fpdu(gencaps.untagged(1, 1, 9)),
                     fpdu(gencaps.untagged(7, 2, 5, payload=b"\xff" * 4)), fpdu(b"\xbd\x7f" + b"\xff" * 12)))
    for i in range(count):
        yield from startup(i, b"\x2f\7\0\0", b"\x6f\1\0\0")
        yield packet(i, True, 1021, 5021, ACK, body)
        yield packet(i, False, 5021, 1021 + len(body), ACK, body)


def single_octets(count):
    """Connections of one octet, which -d takes as iWARP."""
    for i in range(count):
        yield packet(i, True, 1000, 1, ACK, b"x")


def sctp_streams(count):
    """One association; each stream is a session, and its only message breaks what it can."""
    ports, tsn = (40000, 7174), 1000
    src, dst = b"\x0a\0\0\1", SERVER
    for base in range(0, count, 40):
        chunks = []
        for stream in range(base, min(base + 40, count)):
            body = struct.pack("!IHHI", tsn, stream, 0, 17) + b"\0\7\xff\xff"
            chunks.append(gensctp.chunk(0, 3, body))
            tsn += 1
        yield gensctp.ip_packet(src, dst, gensctp.sctp_packet(*ports, 0x11223344, chunks))


def sctp_messages(count):
    """One association and one stream; its messages break what they can, as many as fit in a packet."""
    src, dst = b"\x0a\0\0\1", SERVER
    for base in range(0, count, 3000):
        chunks = [gensctp.chunk(0, 3, struct.pack("!IHHI", 1000 + i, 1, i & 0xFFFF, 17) + b"\0\7\xff\xff")
                  for i in range(base, base + 3000)]
        yield gensctp.ip_packet(src, dst, gensctp.sctp_packet(40000, 7174, 0x11223344, chunks))


def sctp_chunks(count, chunk):
    """Packets of one association that are full of such chunks, after an INIT."""
    src, dst = b"\x0a\0\0\1", SERVER
    init = gensctp.chunk(1, 0, struct.pack("!IIHHI", 1, 65535, 10, 10, 1000))
    yield gensctp.ip_packet(src, dst, gensctp.sctp_packet(40000, 7174, 0, [init]))
    full = gensctp.ip_packet(src, dst, gensctp.sctp_packet(40000, 7174, 0x11223344, [chunk] * (65000 // len(chunk))))
    for _ in range(count * len(chunk) // 65000):
        yield full


def wrong_crcs(count):
    """One connection, then FPDUs of 20 octets with wrong CRCs, many in a packet; after zeros no FPDU is found among them."""
    yield from startup(0, b"\x40\1\0\0", b"\x40\1\0\0")
    body = (struct.pack("!H", 14) + b"\xc1\x40" + struct.pack("!IQ", 7, 0) + b"\0\0\0\1") * 2700 + bytes(1000)
    for i in range(count // 2700):
        yield packet(0, True, 1021 + i * len(body) & 0xFFFFFFFF, 5021, ACK, body)


def differing_copies(count):
    """One connection, then copies of its first octets with different values."""
    yield from startup(0)
    copies = [packet(0, True, 1021, 5021, ACK, bytes([i]) * 8) for i in range(256)]
    for i in range(count):
        yield copies[i % 256]


def honest_sends(count, octets, a_packet=1448):
    """One connection with Sends of zeros, which no rule finds fault with."""
    yield from startup(0)
    sent = b""
    seq = 1021
    for msn in range(1, count + 1):
        ulpdu = gencaps.untagged(3, 0, msn, payload=bytes(octets))
        sent += struct.pack("!H", len(ulpdu)) + ulpdu + bytes(-(len(ulpdu) + 2) % 4 + 4)
        while len(sent) >= a_packet or (sent and msn == count):
            yield packet(0, True, seq & 0xFFFFFFFF, 5021, ACK, sent[:a_packet])
            seq += len(sent[:a_packet])
            sent = sent[a_packet:]


def syns(first, count):
    """Connections that never say anything."""
    for i in range(first, first + count):
        yield packet(i, True, 1000, 0, SYN)


def refused(count):
    """Refused connections, two of each client: half as many lines about them."""
    for i in range(count):
        src = struct.pack("!I", 0x0C000000 + i % (count // 2))
        for own, dst, ports, seq, ack, flags in ((src, SERVER, (1000 + i, 7174), 1000, 0, SYN),
                                                 (SERVER, src, (7174, 1000 + i), 0, 1001, RST | ACK)):
            yield gencaps.ip_packet(own, dst, gencaps.tcp_header(own, dst, *ports, seq, ack, flags, b""))


def syn_requests(first, count):
    """Connections without an answer: a SYN, and a Request at once."""
    for i in range(first, first + count):
        yield packet(i, True, 1000, 0, SYN)
        yield packet(i, True, 1001, 0, ACK, REQUEST + b"\0\1\0\0")


def cluster(count):
    """Connections that are all open at a time, and speak in turn; the last packet breaks a rule."""
    for i in range(count):
        yield from startup(i)
    for i in range(count):
        yield send(i, 1)
    for i in range(count):
        yield send((i, 1), 2 if i + 1 < count else 77)


def reused(count):
    """Connections one after the other, all of the same two ports."""
    for i in range(count):
        first, second = 100000 * i & 0xFFFFFFFF, 100000 * i + 1 & 0xFFFFFFFF
        after = second + 20 & 0xFFFFFFFF
        yield packet(0, True, first, 0, SYN)
        yield packet(0, False, first, second, SYN | ACK)
        yield packet(0, True, second, second, ACK, REQUEST + b"\0\1\0\0")
        yield packet(0, False, second, after, ACK, REPLY + b"\0\1\0\0")
        yield packet(0, True, after, after, RST | ACK)


def held_back(count, octets):
    """Connections that leave `octets` of an unfinished FPDU on each side."""
    for i in range(count):
        yield from startup(i)
        for up, seq, ack in ((True, 1021, 5021), (False, 5021, 1021)):
            # a Send, so that the other side's octets are FPDUs too
            first = struct.pack("!H", 0xFFF0) + gencaps.untagged(3, 0, 1)
            body = first + b"\0" * (octets - len(first))
            for at in range(0, len(body), 32768):
                yield packet(i, up, seq + at, ack, ACK, body[at:at + 32768])


PCAP_HEAD = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, RAW_IP)
PCAPNG_HEAD = (struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
               + struct.pack("<IIHHII", 1, 20, RAW_IP, 0, 0, 20))
# What a bomb repeats: (head of the file, one block, whether the block is a packet).
EMPTY_BLOCKS = {
    "empty records": (PCAP_HEAD, bytes(16), True),
    "records of one octet": (PCAP_HEAD, struct.pack("<IIII", 0, 0, 1, 1) + b"E", True),
    "packets without octets": (PCAPNG_HEAD, struct.pack("<IIIIIIII", 6, 32, 0, 0, 0, 0, 60, 32), True),
    "simple packets without octets": (PCAPNG_HEAD, struct.pack("<IIII", 3, 16, 0, 16), True),
    "unknown blocks": (PCAPNG_HEAD, struct.pack("<III", 0xBAD, 12, 12), False),
}


LZ4_HEAD = b"\x04\x22\x4d\x18\x60\x70\x73"  # independent blocks of 4 MiB at most, no checksums


def zstd_bomb(head, zeros):
    """A frame of zstd: `head`, of 128 KiB at most, then so many zeros, 128 KiB for four octets."""
    size = 1 << 17
    blocks = [struct.pack("<I", len(head) << 3)[:3] + head]
    blocks += [struct.pack("<I", 1 << 1 | size << 3)[:3] + b"\0"] * (zeros // size)
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(blocks) + struct.pack("<I", 1)[:3]


def lz4_bomb(head, zeros):
    """A frame of lz4 likewise: a block that is stored, then 4 MiB of zeros for 16 KiB."""
    size = 4 << 20
    match = size - 1 - 5 - 4 - 15
    block = b"\x1f\0\1\0" + b"\xff" * (match // 255) + bytes([match % 255]) + b"\x50" + bytes(5)
    blocks = struct.pack("<I", len(block)) + block
    return (LZ4_HEAD + struct.pack("<I", 1 << 31 | len(head)) + head
            + blocks * (zeros // size) + bytes(4))


def bombs(head, zeros):
    """(form, octets) of `head` and so many zeros, compressed."""
    octets = head + bytes(zeros)
    yield "gzip", gzip.compress(octets, mtime=0)
    yield "xz", lzma.compress(octets, preset=0)
    yield "zstd", zstd_bomb(head, zeros)
    yield "lz4", lz4_bomb(head, zeros)


def empty_parts(count):
    """(form, octets) of so many members, frames or streams with nothing in them."""
    yield "gzip", gzip.compress(b"", mtime=0) * count
    yield "xz", lzma.compress(b"") * count
    yield "zstd", zstd_bomb(b"", 0) * count
    yield "lz4", (LZ4_HEAD + bytes(4)) * count


class Packets:
    """What gensctp.Association adds its packets to."""

    clock, step = 0, 1

    def __init__(self):
        self.items = []

    def add(self, octets, *_):
        self.items.append(octets)

    def take(self):
        taken, self.items = self.items, []
        return taken


def sctp_sessions(count):
    """Associations with a session each, all of them open; in the end the first one breaks a rule."""
    cap = Packets()
    first = None
    for number in range(count):
        tags = (0x10000000 + number, 0x20000000 + number)
        assoc = gensctp.Association(cap, client=("10.0.%d.%d" % divmod(number, 256), 40000), tags=tags)
        assoc.check = "zero"
        session = gensctp.Session(assoc.open()).start(b"", b"")
        session.message(gensctp.ACTIVE, b"")
        first = first or session
        yield from cap.take()
    first.next_msn(gensctp.ACTIVE, 0)
    first.message(gensctp.ACTIVE, b"")
    yield from cap.take()


def write(path, packets):
    """Writes a pcap file of today; returns its octets."""
    with open(path, "wb") as out:
        out.write(PCAP_HEAD)
        for i, octets in enumerate(packets):
            out.write(struct.pack("<IIII", 1700000000 + i // 1000000, i % 1000000, len(octets), len(octets)))
            out.write(octets)
        return out.tell()
