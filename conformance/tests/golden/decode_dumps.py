#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""decode_dumps: `iwarp decode -` finds the frame in a hexdump of a packet, however it is written.

decode_dumps.py TOOL PCAPS
"""

import functools
import os
import re
import struct
import subprocess
import sys
import unittest

from schema_check import kit

TOOL, PCAPS = sys.argv[1], sys.argv[2]


@functools.lru_cache(maxsize=None)
def decode(text, *words, stdin=True):
    done = subprocess.run([TOOL, "decode", *words, *(["-"] if stdin else [])], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


def packets(name):
    """The packets of a pcap file in this machine's order, with Ethernet headers."""
    with open(os.path.join(PCAPS, name), "rb") as stream:
        octets = stream.read()
    at = 24
    while at < len(octets):
        length = struct.unpack_from("<I", octets, at + 8)[0]
        yield octets[at + 16:at + 16 + length]
        at += 16 + length


def payload(frame):
    """What a packet of Ethernet, IPv4 and TCP carries."""
    ip = frame[14:]
    header = (ip[0] & 15) * 4
    tcp = ip[header:int.from_bytes(ip[2:4], "big")]
    return tcp[(tcp[12] >> 4) * 4:]


def printable(octets):
    return "".join(chr(c) if 32 <= c < 127 else "." for c in octets)


def lines(octets, line):
    return "".join(line(at, octets[at:at + 16]) + "\n" for at in range(0, len(octets), 16))


def pairs(row):
    return " ".join(row[i:i + 2].hex() for i in range(0, len(row), 2))


def tcpdump(octets, characters=False):
    return "12:00:00.000000 IP 10.0.0.1.5 > 10.0.0.2.6: Flags [P.], length 40\n" + lines(
        octets, lambda at, row: f"\t0x{at:04x}:  {pairs(row):<39}" + (f"  {printable(row)}" if characters else ""))


def xxd(octets):
    return lines(octets, lambda at, row: f"{at:08x}: {pairs(row):<39}  {printable(row)}")


def hexdump_c(octets):
    return lines(octets, lambda at, row: f"{at:08x}  {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  |{printable(row)}|") \
        + f"{len(octets):08x}\n"


def tshark(octets):
    return lines(octets, lambda at, row: f"{at:04x}  {row.hex(' '):<47}  {printable(row)}")


def wireshark(octets):
    return lines(octets, lambda at, row: f"{at:04x}   {row.hex(' ')}")


def od(octets):
    return lines(octets, lambda at, row: f"{at:06x} {row.hex(' ')}") + f"{len(octets):06x}\n"


def xxd_i(octets):
    listed = ",\n  ".join(", ".join(f"0x{c:02x}" for c in octets[at:at + 12]) for at in range(0, len(octets), 12))
    return f"unsigned char packet_bin[] = {{\n  {listed}\n}};\nunsigned int packet_bin_len = {len(octets)};\n"


def c_array(octets):
    """As Wireshark exports a packet."""
    rows = [octets[at:at + 8] for at in range(0, len(octets), 8)]
    listed = "".join(", ".join(f"0x{c:02x}" for c in row) + (", " if row != rows[-1] else " ") + f"/* {printable(row)} */\n" for row in rows)
    return f"/* Frame ({len(octets)} bytes) */\nstatic const unsigned char pkt1[{len(octets)}] = {{\n{listed}}};\n\n"


def escaped(octets):
    """As Wireshark copies a packet as an escaped string."""
    return "".join('"' + "".join(f"\\x{c:02x}" for c in octets[at:at + 16]) + '"' + (" \\\n" if at + 16 < len(octets) else "\n")
                   for at in range(0, len(octets), 16))


def kernel(place, before="[ 1234.567890] "):
    """As print_hex_dump of Linux writes octets to the log."""
    return lambda octets: lines(octets, lambda at, row: f"{before}siw: {place(at)}{row.hex(' '):<47}  {printable(row)}")


def hidden(at):
    """The address of a row as the kernel hides it."""
    return f"{0xffff888000000000 | (at * 2654435761 + 99) & 0xffffffff:016x}: "


KERNEL = {"offsets": kernel(lambda at: f"{at:08x}: "), "addresses": kernel(lambda at: f"{0xffff88810a3c4000 + at:016x}: "),
          "hidden addresses": kernel(hidden), "of 32 bits": kernel(lambda at: f"{0xc1234560 + at:08x}: "),
          "nothing": kernel(lambda at: ""), "syslog": kernel(lambda at: f"{at:08x}: ", "Nov 29 12:00:00 host kernel: [    1.5] "),
          "dmesg -T": kernel(lambda at: f"{at:08x}: ", "[Sun Nov 29 12:00:00 2026] "),
          "dmesg -t": kernel(lambda at: f"{at:08x}: ", "")}
WRITERS = {"tcpdump": tcpdump, "tcpdump -X": lambda o: tcpdump(o, True), "xxd": xxd, "hexdump -C": hexdump_c,
           "tshark": tshark, "wireshark": wireshark, "od -Ax -tx1": od, "CRLF": lambda o: xxd(o).replace("\n", "\r\n"), "xxd -i": xxd_i,
           "C array": c_array, "escaped string": escaped, "list": lambda o: ", ".join(f"0x{c:02X}" for c in o)}
SAMPLE = "real/siw/crc-rping-64.pcap"


def with_payload():
    return [p for p in packets(SAMPLE) if payload(p)]


def some_with_payload():
    return with_payload()[:6:min(kit.REPEATED, 3)]


class Dumps(unittest.TestCase):
    def check(self, text, frame, *words):
        status, out, err = decode(text, *words)
        self.assertEqual((status, out), decode(frame.hex(), *words)[:2], err)
        self.assertTrue(out)

    def test_each_writer_with_and_without_link_header(self):
        for packet in some_with_payload():
            for name, write in WRITERS.items():
                with self.subTest(writer=name):
                    self.check(write(packet), payload(packet))
                    self.check(write(packet[14:]), payload(packet))
                    self.check(write(payload(packet)), payload(packet))

    def test_each_log_of_the_kernel(self):
        for packet in some_with_payload():
            for name, write in KERNEL.items():
                with self.subTest(writer=name):
                    self.check(write(packet), payload(packet))
                    self.check("[ 1234.5] siw: an error\n" + write(payload(packet)) + "[ 1234.6] siw: ad hoc\n", payload(packet))

    def test_a_log_of_several_packets(self):
        every = [packet for packet in list(packets(SAMPLE)) if len(packet) % 16]
        first = next(i for i, p in enumerate(every) if payload(p))
        for name, write in KERNEL.items():
            with self.subTest(writer=name):
                status, out, err = decode("".join(map(write, every)))
                self.assertEqual((status, out), decode(payload(every[first]).hex())[:2])
                self.assertEqual(err, f"iwarp: decode: packet {first + 1} of {len(every)} is decoded, the first one that "
                                      "carries octets\n")

    def test_words_of_a_log_have_no_order(self):
        status, out, err = decode("[ 1.5] siw: 00000000: 43411d00 00000000 00000000 00000001\n")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("line 1: words, whose octets are in the order of that machine", err)

    def test_link_layers(self):
        packet = with_payload()[0]
        heads = {"VLAN": packet[:12] + bytes.fromhex("81000064") + packet[12:14],
                 "two VLAN tags": packet[:12] + bytes.fromhex("88a8000a81000064") + packet[12:14],
                 "SLL": bytes.fromhex("00000001000600000000000000000800"),
                 "SLL2": bytes.fromhex("0800000000000002000104060000000000000000"),
                 "null": bytes.fromhex("02000000"), "loop": bytes.fromhex("00000002")}
        for name, head in heads.items():
            with self.subTest(link=name):
                self.check(xxd(head + packet[14:]), payload(packet))

    def test_ipv6(self):
        tcp = with_payload()[0][14 + 20:]
        self.check(xxd(struct.pack(">IHBB", 6 << 28, len(tcp), 6, 64) + bytes(15) + b"\1" + bytes(15) + b"\2" + tcp),
                   payload(with_payload()[0]))

    def test_sctp_tells_the_layer(self):
        for packet in packets("synthetic/sctp/terminate.pcap"):
            sctp = packet[14 + 20:]
            if sctp[12] == 0 and sctp[24:28] in (b"\0\0\0\x10", b"\0\0\0\x11"):
                layer = "sctp-segment" if sctp[27] == 16 else "sctp-control"
                user = sctp[28:12 + int.from_bytes(sctp[14:16], "big")]
                self.assertEqual(decode(xxd(packet))[:2], decode(user.hex(), "--layer", layer)[:2])

    def test_the_first_packet_that_carries_something(self):
        every = list(packets(SAMPLE))
        text = "\n".join(tcpdump(p[14:]) for p in every)
        first = next(i for i, p in enumerate(every) if payload(p))
        status, out, err = decode(text)
        self.assertEqual((status, out), decode(payload(every[first]).hex())[:2])
        self.assertEqual(err, f"iwarp: decode: packet {first + 1} of {len(every)} is decoded, the first one that carries "
                              "octets\n")

    def test_c_arrays_of_several_packets(self):
        every = list(packets(SAMPLE))[:6]
        first = next(i for i, p in enumerate(every) if payload(p))
        status, out, err = decode("".join(map(c_array, every)))
        self.assertEqual((status, out), decode(payload(every[first]).hex())[:2])
        self.assertEqual(err, f"iwarp: decode: packet {first + 1} of {len(every)} is decoded, the first one that carries "
                              "octets\n")

    def test_a_comment_holds_no_octets(self):
        self.check("0x00, 0x02, /* 0x99, 0x99 */\n0x41, 0x43, // 0x99\n0x00, 0x00, 0x00, 0x00\n", bytes.fromhex("0002414300000000"))

    def test_no_octet_of_a_list_is_left_out(self):
        for text in ("0x00, 0x02, 65, 0x43", repr(with_payload()[0]), "0x00, 0x02, 0x4, 0x43"):
            status, out, err = decode(text)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("is not what an octet in hex is made of", err)

    def test_bits_are_no_octets(self):
        """xxd -b: six octets a line, of eight digits each."""
        octets = with_payload()[0]
        text = "".join(f"{at:08x}: {' '.join(f'{c:08b}' for c in octets[at:at + 6])}  {printable(octets[at:at + 6])}\n"
                       for at in range(0, len(octets), 6))
        status, out, err = decode(text)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err, "iwarp: decode: line 1: more octets than the next offset leaves room for\n")

    def test_plain_hex_of_a_packet(self):
        """As xxd -p writes it, on standard input and as operands."""
        for packet in some_with_payload():
            for octets in (packet, packet[14:]):
                status, out, err = decode("\n".join(octets.hex()[i:i + 60] for i in range(0, 2 * len(octets), 60)) + "\n")
                frame = payload(packet)
                self.assertEqual((status, out), decode(frame.hex())[:2])
                self.assertEqual(err.splitlines()[0], "iwarp: decode: the octets are a packet; the frame begins at octet "
                                 f"{len(octets) - len(frame)} of it")
                self.assertEqual(decode("", octets[:9].hex(), octets[9:].hex(), stdin=False), (status, out, err))
        bare = next(p for p in packets(SAMPLE) if not payload(p))
        self.assertEqual(decode(bare.hex()), (2, "", "iwarp: decode: the packet carries no octets of a stream\n"))

    def test_plain_hex_that_is_no_packet_for_certain(self):
        packet = with_payload()[0]
        for octets in (packet[:-1], packet[14:-1], packet[14:24] + b"\0\0" + packet[26:]):
            self.assertNotIn("packet", decode(octets.hex())[2])
        self.assertEqual(decode(payload(packet).hex())[2], "")

    def test_the_example_of_the_help(self):
        """It decodes the first frame of a capture, whatever stands before it: ARP, other protocols, the handshake of TCP."""
        text = subprocess.run([TOOL, "help", "decode"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        num = int(re.search(r"^  tcpdump -r trace\.pcap -c (\d+) -xx \| iwarp decode -$", text, re.MULTILINE)[1])
        for name in ("real/siw/crc-rping-64.pcap", "real/siw/vlan-rping.pcap", "real/siw/qinq-rping.pcap",
                     "synthetic/rules/mpa.crc-fail.pcap", "synthetic/rules/sctp.ppid-pass.pcap"):
            status, out, err = decode("".join(tcpdump(p) for p in list(packets(name))[:num]))
            self.assertEqual((status, out != ""), (0, True), (name, err))

    def test_what_carries_nothing(self):
        bare = next(p for p in packets(SAMPLE) if not payload(p))
        self.assertEqual(decode(xxd(bare)), (2, "", "iwarp: decode: no packet of the dump carries octets of a stream\n"))

    def test_a_missing_line(self):
        text = xxd(with_payload()[0]).splitlines(keepends=True)
        del text[2]
        status, out, err = decode("".join(text))
        self.assertEqual((status, err), (2, "iwarp: decode: line 3: the offset is 0x30, 0x20 octets came before\n"))

    def test_characters_that_look_like_hex(self):
        frame = bytes.fromhex("001a4143000000000000000000000001000000006161206261626162000000000000")
        self.check(lines(frame, lambda at, row: f"{at:08x}: {pairs(row):<39}  " + "ab " * 5 + "a"), frame)
        eight = "".join(f"{at:08x}: {pairs(frame[at:at + 8])}  ab ab ab\n" for at in range(0, 32, 8))
        self.check(eight + f"00000020: {frame[32:].hex()}\n", frame)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
