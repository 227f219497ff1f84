# SPDX-License-Identifier: BSD-2-Clause
"""What networks and capture programs do to the packets of an SCTP association."""

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
    """The DATA chunks of a packet that has nothing but DDP Segments, besides SACKs; or none."""
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


SAME = {
    "as sent": lambda p, rng: (p, capfile.EN10MB),
    "relinked": relinked,
    "IPv6": as_ipv6,
    "twice": twice,
    "reordered": reordered,
    "bundled": bundled,
    "reordered and twice": lambda p, rng: twice(reordered(p, rng)[0], rng),
}


# --- less of it ---------------------------------------------------------------------------------


def swapped(packets, rng):
    """Any neighbours change places: what their senders had received is not as it seems."""
    out = list(packets)
    for at in range(len(out) - 1):
        if rng.random() < 0.3:
            out[at], out[at + 1] = out[at + 1], out[at]
    return out


def without_acks(packets, rng):
    """All SACKs are missing."""
    made = sctp_variants.acks_apart([with_link(p) for p in packets], 0)
    return packets if made is None else [Packet(p.time, ether(p.data), len(p.data) + 14) for p in made]


def with_link(packet):
    packet.link = capfile.EN10MB
    return packet


def ether(ip):
    return gencaps.encapsulate(ip, capfile.EN10MB)


def cut_short(packets, rng):
    length = rng.choice((60, 66, 74, 80, 90, 120))
    return [p.copy(p.data[:length], p.wire_len) for p in packets]


def one_direction(packets, rng):
    side = rng.choice(packets).side
    return [p for p in packets if p.side == side]


LESS = {
    "dropped": lambda p, rng: [q for q in p if rng.random() < 0.8],
    "one lost": random_check.one_lost,
    "begins later": random_check.LESS["begins later"],
    "ends earlier": random_check.LESS["ends earlier"],
    "one direction": one_direction,
    "swapped": swapped,
    "without SACKs": without_acks,
    "cut short": cut_short,
    "reordered and dropped": lambda p, rng: [q for q in reordered(p, rng)[0] if rng.random() < 0.8],
    "bundled and one lost": lambda p, rng: random_check.one_lost(bundled(p, rng)[0], rng),
}
