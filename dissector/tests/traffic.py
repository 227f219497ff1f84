# SPDX-License-Identifier: BSD-2-Clause
"""Captures made at random: conformant traffic as networks and capture programs leave it, and captures spoilt in any way."""
import pathlib
import sys

sys.dont_write_bytecode = True
TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "pcaps" / "tools"), str(TOP / "conformance" / "tests" / "blackbox")]

import capfile  # noqa: E402
import gencaps  # noqa: E402,F401
import talks  # noqa: E402
import variants  # noqa: E402

class Made:
    """A capture of conformant traffic: where it is, the options of tshark and of the tool for it, and whether all is certain."""

    def __init__(self, path, rng):
        cap, ports = talks.conformant(rng)
        cap.write(path)
        self.path, self.options, self.tool_options = path, [], []
        packets = variants.load(capfile.read_capture(path))
        middle = rng.random() < 0.3
        if middle:
            packets = packets[rng.randrange(3, len(packets) // 2 + 4):]
            for port in sorted(set(ports)):
                self.options += ["-d", f"tcp.port=={port},iwarp"]
                self.tool_options += ["-d", f"tcp.port=={port}"]
        chosen = rng.sample(sorted(talks.CHANGES), rng.choice((0, 1, 2)))
        self.changes = [name for name in talks.CHANGES if name in chosen]
        for name in self.changes:
            packets = talks.CHANGES[name](packets, rng)
        self.certain = not middle and set(self.changes) <= talks.CERTAIN
        talks.written(packets, cap.link, path, rng)


# --- spoilt captures ----------------------------------------------------------------------------

WORDS = (0, 1, 0x7F, 0x80, 0xFF)


def spoilt_octets(octets, rng):
    """Changes octets of a TCP payload, as often as not in what is a header."""
    out = bytearray(octets)
    for _ in range(rng.choice((1, 1, 2, 5))):
        place = rng.randrange(min(len(out), rng.choice((24, 64, 1 << 16))))
        out[place] = rng.choice((rng.randrange(256), out[place] ^ 1 << rng.randrange(8), rng.choice(WORDS)))
    return bytes(out)


def spoilt_length(packet, rng):
    """Takes octets out of a payload or puts some in; what follows stays where it was."""
    place, more = rng.randrange(packet.length + 1), rng.randrange(1, 9)
    payload = packet.payload[:place] + rng.choice((b"", rng.randbytes(more))) + packet.payload[place + rng.randrange(more):]
    return packet.copy(payload=payload, length=len(payload))


def spoilt_header(packet, rng):
    """Changes flags or numbers of the TCP header."""
    return rng.choice((packet.copy(flags=packet.flags ^ 1 << rng.randrange(5)),
                       packet.copy(seq=(packet.seq + rng.choice((-1, 1, 4, 600, 1 << 31))) & 0xFFFFFFFF),
                       packet.copy(ack=(packet.ack + rng.choice((-1, 1, 1000, 1 << 31))) & 0xFFFFFFFF),
                       packet.copy(check="bad")))


def spoilt_packet(packet, rng):
    if variants.is_data(packet) and not packet.cut and rng.randrange(4):
        if rng.randrange(4):
            return packet.copy(payload=spoilt_octets(packet.payload, rng))
        return spoilt_length(packet, rng)
    return spoilt_header(packet, rng) if isinstance(packet, variants.Tcp) else packet


def spoilt_order(packets, rng):
    first, second = rng.randrange(len(packets)), rng.randrange(len(packets))
    how = rng.randrange(3)
    if how == 0:
        packets[first], packets[second] = packets[second], packets[first]
    elif how == 1:
        packets.insert(first, packets[second])
    elif len(packets) > 1:
        del packets[first]


def spoil(path, rng, out):
    """Writes a spoilt copy of a capture."""
    capture = capfile.read_capture(path)
    packets = variants.load(capture)
    for _ in range(rng.choice((1, 2, 4, 8))):
        if not packets:
            break
        if rng.randrange(3):
            place = rng.randrange(len(packets))
            packets[place] = spoilt_packet(packets[place], rng)
        else:
            spoilt_order(packets, rng)
    capfile.write_pcap(out, packets, capture.link)
    if rng.randrange(4) == 0:
        with open(out, "r+b") as file:
            blob = bytearray(file.read())
            for _ in range(rng.choice((1, 3, 10))):
                if len(blob) > 60:
                    blob[rng.randrange(40, len(blob))] = rng.randrange(256)
            file.seek(0)
            file.write(blob)

