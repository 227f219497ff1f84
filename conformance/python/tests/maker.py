# SPDX-License-Identifier: BSD-2-Clause
"""Captures for tests: a connection over TCP in a pcap file of raw IP packets."""

import struct

import iwarp

CLIENT, SERVER = b"\x0a\0\0\1", b"\x0a\0\0\2"
PORTS = (40000, 7174)
SYN, ACK, FIN = 2, 16, 1


class Maker:
    """Writes packets of one connection. Sequence numbers begin at 1000 and 5000."""

    def __init__(self, file):
        self.file = file
        self.time_us = 1_000_000_000_000_000
        self.seq = [1000, 5000]
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101))
        self.packet(0, SYN)
        self.packet(1, SYN | ACK)
        self.packet(0, ACK)

    def packet(self, side, flags, data=b""):
        ports = PORTS if side == 0 else PORTS[::-1]
        ends = (CLIENT, SERVER) if side == 0 else (SERVER, CLIENT)
        ack = self.seq[1 - side] if flags & ACK else 0
        tcp = struct.pack(">HHIIBBHHH", *ports, self.seq[side], ack, 0x50, flags, 65535, 0, 0)
        tcp = tcp[:16] + struct.pack(">H", checksum(ends[0] + ends[1] + struct.pack(">HH", 6, len(tcp) + len(data)) + tcp + data)) + tcp[18:]
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(data), 0, 0, 64, 6, 0, *ends)
        ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
        octets = ip + tcp + data
        self.file.write(struct.pack("<IIII", self.time_us // 1_000_000, self.time_us % 1_000_000, len(octets), len(octets)) + octets)
        self.time_us += 10
        self.seq[side] = (self.seq[side] + len(data) + bool(flags & (SYN | FIN))) & 0xFFFFFFFF

    def send(self, side, data):
        self.packet(side, ACK, data)

    def startup(self):
        self.send(0, iwarp.MpaStartup.request(b"", crc=True).encode())
        self.send(1, iwarp.MpaStartup.reply(b"", crc=True).encode())

    def end(self):
        self.packet(0, FIN | ACK)
        self.packet(1, FIN | ACK)
        self.packet(0, ACK)


def checksum(octets):
    octets += b"\0" * (len(octets) % 2)
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def send(msn, payload=b"", last=True):
    """The FPDU of a Send."""
    return iwarp.Fpdu(iwarp.Segment(iwarp.DdpUntagged(last=last, rsvdulp=0x43, msn=msn), payload=payload).encode()).encode()


def sends(path, num, each=16, size=32):
    """A connection with `num` Sends, `each` of them in a packet."""
    with open(path, "wb") as file:
        maker = Maker(file)
        maker.startup()
        payload = bytes(size)
        for first in range(1, num + 1, each):
            maker.send(0, b"".join(send(msn, payload) for msn in range(first, min(first + each, num + 1))))
        maker.end()
