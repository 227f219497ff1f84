# SPDX-License-Identifier: BSD-2-Clause
"""What networks and capture programs do to the packets of an SCTP association."""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import gensctp
import random_check
import sctp_variants


class Packet:
    """What a capture file is written of; `of` are the numbers of the packets that it was made of."""

    def __init__(self, time, data, wire_len, of=()):
        self.time, self.data, self.wire_len, self.of = time, data, wire_len, of

    def copy(self, data, wire_len=None):
        return Packet(self.time, data, wire_len or len(data), self.of)

    @property
    def side(self):
        return self.data[6:12]


def of_capture(cap):
    """The packets of an association over Ethernet."""
    return [Packet(item.time, item.data, item.wire_len, (number,)) for number, item in enumerate(cap.items, 1)]


def frame_of(packets, numbers):
    """The packet with which all that these packets of the original have is there; or None."""
    if not numbers:
        return None
    return max(next(at for at, p in enumerate(packets, 1) if number in p.of) for number in numbers)


def ip_of(packet):
    return packet.data[14:]


def segments(packet):
    """The DATA chunks of a packet that has only DDP Segments, besides SACKs; or none."""
    chunks = sctp_variants.chunks_of(ip_of(packet)[20:])
    data = [c for c in chunks if c[0] == gensctp.DATA]
    plain = all(c[0] in (gensctp.DATA, gensctp.SACK) for c in chunks)
    return data if plain and all(int.from_bytes(c[12:16], "big") == gensctp.SEGMENT for c in data) else []


# --- the same octets otherwise ------------------------------------------------------------------


def relinked(packets, rng):
    link, vlans = rng.choice(((capfile.EN10MB, ((0x8100, 7),)), (capfile.EN10MB, ((0x88A8, 7), (0x8100, 8))),
                              (capfile.SLL, ()), (capfile.SLL2, ()), (capfile.RAW, ()), (capfile.NULL, ())))
    return [p.copy(gencaps.encapsulate(ip_of(p), link, vlans)) for p in packets], link


def as_ipv6(packets, rng):
    out = []
    for p in packets:
        ip = ip_of(p)
        src, dst = (b"\xfe\x80" + bytes(10) + ip[at:at + 4] for at in (12, 16))
        out.append(p.copy(gensctp.ip_packet(src, dst, ip[20:])))
    return out, capfile.RAW


def twice(packets, rng):
    """Some packets come again, a little later: the network doubled them, or their sender sent them again."""
    out, late = [], []
    for p in packets:
        out.append(p)
        out += [again for left, again in late if left == 0]
        late = [(left - 1, again) for left, again in late if left > 0]
        if rng.random() < 0.3:
            late.append((rng.randrange(6), p))
    return out, capfile.EN10MB


def reordered(packets, rng):
    """Neighbours of one side change places, where nothing of the other side came between."""
    out = list(packets)
    for at in range(len(out) - 1):
        if out[at].side == out[at + 1].side and segments(out[at]) and segments(out[at + 1]) and rng.random() < 0.6:
            out[at], out[at + 1] = out[at + 1], out[at]
    return out, capfile.EN10MB


def bundled(packets, rng):
    """Neighbours of one side come in one packet, where there is room."""
    out = []
    for p in packets:
        last = out[-1] if out else None
        if (last is not None and last.side == p.side and segments(last) and segments(p)
                and len(last.data) + len(p.data) < 1500 and rng.random() < 0.7):
            ip = ip_of(last)
            octets = ip[20:] + b"".join(segments(p))
            octets = octets[:8] + bytes(4) + octets[12:]
            made = last.copy(last.data[:14] + gensctp.ip_packet(ip[12:16], ip[16:20], octets))
            made.of = last.of + p.of
            out[-1] = made
        else:
            out.append(p)
    return out, capfile.EN10MB


def with_chunks(packet, chunks):
    """The packet with other chunks."""
    ip = ip_of(packet)
    sport, dport, tag = struct.unpack("!HHI", ip[20:28])
    octets = gensctp.sctp_packet(sport, dport, tag, chunks, "good" if any(ip[28:32]) else "zero")
    return packet.copy(packet.data[:14] + gensctp.ip_packet(ip[12:16], ip[16:20], octets))


def parted(packet):
    """Its SACKs, and its other chunks."""
    chunks = sctp_variants.chunks_of(ip_of(packet)[20:])
    acks = [c for c in chunks if c[0] == gensctp.SACK]
    return acks, [c for c in chunks if c[0] != gensctp.SACK]


def acknowledged_apart(packets, rng):
    """SACKs come in packets of their own, before the DATA."""
    out = []
    for p in packets:
        acks, rest = parted(p)
        if acks and rest:
            ack = with_chunks(p, acks)
            ack.of = ()
            out += [ack, with_chunks(p, rest)]
        else:
            out.append(p)
    return out, capfile.EN10MB


def on_a_lossy_way(packets):
    """A SACK has gap blocks, or a chunk is sent again."""
    acks = [c for p in packets for c in parted(p)[0]]
    tsns = [(p.side, c[4:8]) for p in packets for c in parted(p)[1] if c[0] == gensctp.DATA]
    return any(any(c[12:14]) for c in acks) or len(set(tsns)) < len(tsns)


def acknowledged_at_once(packets, rng):
    """Each packet with DATA is acknowledged right after it, in a packet of its own, and nowhere else; not
    where packets are lost on their way."""
    if on_a_lossy_way(packets):
        return packets, capfile.EN10MB
    out = []
    tags = {ip_of(p)[20:24]: ip_of(p)[24:28] for p in packets}  # by ports: the addresses may change
    for p in packets:
        rest = parted(p)[1]
        ip = ip_of(p)
        tsns = [int.from_bytes(c[4:8], "big") for c in rest if c[0] == gensctp.DATA]
        if rest:
            out.append(with_chunks(p, rest))
        if tsns:
            body = struct.pack("!IIHH", tsns[-1], 65536, 0, 0)
            octets = gensctp.sctp_packet(*struct.unpack("!HH", ip[22:24] + ip[20:22]),
                                         int.from_bytes(tags[ip[22:24] + ip[20:22]], "big"), [gensctp.chunk(gensctp.SACK, 0, body)])
            ack = p.copy(p.data[6:12] + p.data[:6] + p.data[12:14] + gensctp.ip_packet(ip[16:20], ip[12:16], octets))
            ack.of = ()
            out.append(ack)
    return out, capfile.EN10MB


def not_acknowledged(packets, rng):
    """No SACK is in the capture."""
    out = []
    for p in packets:
        acks, rest = parted(p)
        if rest or not acks:
            out.append(with_chunks(p, rest) if acks else p)
    return out, capfile.EN10MB


SAME = {
    "as sent": lambda p, rng: (p, capfile.EN10MB),
    "relinked": relinked,
    "IPv6": as_ipv6,
    "twice": twice,
    "reordered": reordered,
    "bundled": bundled,
    "acknowledged apart": acknowledged_apart,
    "acknowledged at once": acknowledged_at_once,
    "reordered and twice": lambda p, rng: twice(reordered(p, rng)[0], rng),
}

# What a sender had received is not known of every message.
SAID_LESS = {"not acknowledged": not_acknowledged}


# --- less of it ---------------------------------------------------------------------------------


def swapped(packets, rng):
    """Any neighbours change places: what their senders had received is not as it seems."""
    out = list(packets)
    for at in range(len(out) - 1):
        if rng.random() < 0.3:
            out[at], out[at + 1] = out[at + 1], out[at]
    return out


def without_acks(packets, rng):
    return not_acknowledged(packets, rng)[0]


def without_the_last(packets, rng):
    """All SACKs are missing, and what the sides sent last."""
    out = without_acks(packets, rng)
    data = [p for p in out if any(c[0] == gensctp.DATA for c in parted(p)[1])]
    gone = {id(p) for p in data[-rng.randrange(1, 6):] if rng.random() < 0.6}
    return [p for p in out if id(p) not in gone]


def cut_short(packets, rng):
    length = rng.choice((60, 66, 74, 80, 90, 120))
    return [p.copy(p.data[:length], p.wire_len) for p in packets]


def one_direction(packets, rng):
    side = rng.choice(packets).side
    return [p for p in packets if p.side == side]


def apart_and_lost(packets, rng):
    """Not so many are lost that a message and all SACKs of it are: nothing would show that they were there."""
    return random_check.one_lost(acknowledged_apart(packets, rng)[0], rng, 2)


LESS = {
    "dropped": lambda p, rng: [q for q in p if rng.random() < 0.8],
    "one lost": random_check.one_lost,
    "begins later": random_check.LESS["begins later"],
    "ends earlier": random_check.LESS["ends earlier"],
    "one direction": one_direction,
    "swapped": swapped,
    "without SACKs": without_acks,
    "without SACKs, one lost": lambda p, rng: random_check.one_lost(without_acks(p, rng), rng),
    "without SACKs, the last lost": without_the_last,
    "cut short": cut_short,
    "reordered and dropped": lambda p, rng: [q for q in reordered(p, rng)[0] if rng.random() < 0.8],
    "acknowledged at once and dropped": lambda p, rng: [q for q in acknowledged_at_once(p, rng)[0] if rng.random() < 0.8],
    "acknowledged apart and one lost": apart_and_lost,
    "acknowledged apart, reordered and dropped":
        lambda p, rng: [q for q in reordered(acknowledged_apart(p, rng)[0], rng)[0] if rng.random() < 0.8],
    "bundled and one lost": lambda p, rng: random_check.one_lost(bundled(p, rng)[0], rng),
}
