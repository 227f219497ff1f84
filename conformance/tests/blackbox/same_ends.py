#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""same-ends: connections with the same addresses and ports in several VLANs and tunnels.

same_ends.py TOOL

VLANs and numbers of tunnels tell connections apart where packets show two sequence spaces, and else they are ignored.
"""

import struct
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import capture_lines
import gencaps

MACS = gencaps.ETHERNET_PAIR[0] + gencaps.ETHERNET_PAIR[1]


def plain(packet):
    return MACS + struct.pack("!H", 0x86DD if packet[0] >> 4 == 6 else 0x0800) + packet


def vlan(number):
    return lambda packet: MACS + struct.pack("!HH", 0x8100, 0x6000 | number) + plain(packet)[12:]


def udp(port, body):
    head = struct.pack("!BBHHHBBH", 0x45, 0, 28 + len(body), 0, 0, 64, 17, 0) + b"\xc0\0\2\1\xc0\0\2\2"
    head = head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:]
    return plain(head + struct.pack("!HHHH", 0xC000, port, 8 + len(body), 0) + body)


def vxlan(number):
    return lambda packet: udp(4789, struct.pack("!II", 0x08000000, number << 8) + plain(packet))


def geneve(number):
    return lambda packet: udp(6081, struct.pack("!HHI", 0, 0x6558, number << 8) + plain(packet))


def gre(number):
    def around(packet):
        body = struct.pack("!HHI", 0x2000, 0x0800, number) + packet
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 47, 0) + b"\xc0\0\2\1\xc0\0\2\2"
        return plain(head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + body)
    return around


def mpls(number):
    return lambda packet: MACS + struct.pack("!HI", 0x8847, number << 12 | 0x140) + packet


def pppoe(number):
    return lambda packet: MACS + struct.pack("!HHHHH", 0x8864, 0x1100, number, len(packet) + 2, 0x0021) + packet


NUMBERED = (vlan, vxlan, geneve, gre, mpls, pppoe)


class Talk(capture_lines.Talk):
    """A conversation whose sequence numbers begin elsewhere, in lanes by side."""

    def __init__(self, lanes, first=(1000, 7000), **more):
        super().__init__(**more)
        self.lanes, self.first, self.next, self.sides = lanes, first, [first[0] + 1, first[1] + 1], []

    def packet(self, side, seq, ack, flags, payload=b""):
        self.sides.append(side)
        moved = {1000: self.first[0], 7000: self.first[1], 1001: self.first[0] + 1}
        if flags & capture_lines.SYN:
            seq, ack = moved[seq], moved.get(ack, ack)
        return super().packet(side, seq, ack, flags, payload)

    def wrapped(self):
        return [(time, self.lanes[side](packet)) for (time, packet), side in zip(self.packets, self.sides)]


def mixed(*talks):
    """The packets of all conversations in turn."""
    longest = max(len(talk) for talk in talks)
    return [talk[i] for i in range(longest) for talk in talks if i < len(talk)]


def judged(check, packets, connections, kinds, what):
    """Each connection has 8 FPDUs and one wrong CRC."""
    timed = [(capture_lines.START + i * capture_lines.MS, packet) for i, (_, packet) in enumerate(packets)]
    found, rules, lines = check.kinds(timed, 1)
    whole = [line for line in lines if line["type"] == "connection" and line["fpdus"]["initiator"] == 8 and line["gaps"] == 0]
    capture_lines.expect((len(whole), rules, found), (connections, ["mpa.crc"] * connections, kinds), what)
    others = [line for line in lines if line["type"] not in ("connection", "finding", "capture", "summary")]
    assert all(line["type"] == "run" for line in others), (what, others)


def at_a_time(check):
    for around in NUMBERED:
        for first in ((5000, 300), (777000, 333), (1001, 7000), (1000, 8000)):
            one = Talk((around(5), around(5))).whole().wrapped()
            two = Talk((around(6), around(6)), first).whole().wrapped()
            equal = first[0] == 1000  # both have the same SYN
            judged(check, mixed(one, two), 2, {"duplicates": (1, 2)} if equal else {}, around.__name__)
            judged(check, one[:12] + mixed(one[12:], two), 2, {"duplicates": (1, 14)} if equal else {}, around.__name__ + " later")


def directions_apart(check):
    """Each direction has a VLAN of its own, of one connection and of two."""
    one = Talk((vlan(10), vlan(11))).whole().wrapped()
    two = Talk((vlan(20), vlan(21)), (5000, 300)).whole().wrapped()
    judged(check, one, 1, {}, "two VLANs of one")
    judged(check, mixed(one, two), 2, {}, "two VLANs of each of two")


def both_sides(check):
    """A connection outside and inside of a tunnel is one, and so is the next one between the same ends."""
    for around in NUMBERED:
        talk = Talk((plain, plain)).whole()
        number = len(talk.packets)
        again = Talk((plain, plain), (900000, 5)).whole()
        packets = []
        for one in (talk, again):
            inner = one.wrapped()
            packets += mixed(inner, [(time, around(7)(packet)) for time, packet in one.packets])
        judged(check, packets, 2, {"duplicates": (2 * number, 2)}, around.__name__ + " on both sides")


def many(check):
    talks = [Talk((vlan(i), vlan(i)), (1000 + 5000 * i, 7000 + 300 * i)).whole().wrapped() for i in range(1, 60)]
    judged(check, mixed(*talks), len(talks), {}, "many VLANs")


def resets(check):
    """An RST of another VLAN ends nothing where its numbers do not fit."""
    talk = Talk((vlan(5), vlan(5))).whole()
    packets = talk.wrapped()
    reset = vlan(6)(capture_lines.Talk.packet(talk, 1, 5, 9, capture_lines.RST | capture_lines.ACK))
    judged(check, packets[:10] + [(packets[9][0], reset)] + packets[10:], 1, {"outside": (1, 11)}, "RST")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check = capture_lines.Check(sys.argv[1], folder)
        for test in (at_a_time, directions_apart, both_sides, many, resets):
            test(check)


if __name__ == "__main__":
    main()
