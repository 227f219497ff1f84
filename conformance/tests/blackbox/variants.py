#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""variants: derives captures from a capture whose findings must be the same, or not more.

variants.py CAPTURE OUTDIR writes them with an INDEX.json: for each its name, its kind ("same":
findings must not change; "less": information was taken away, no new finding may appear), the
endpoints' old names where they were changed, and how far sequence numbers were shifted.
"""

import json
import os
import random
import struct
import sys

import kit  # noqa: F401  isort: skip
import capfile
import gencaps

BAD = 0x5A5A  # what a checksum that was bad is off by afterwards


class Tcp:
    """A packet with a whole TCP header and no fragment: the parts that variants change."""

    def __init__(self, packet, ip, segment):
        self.time, self.link = packet.time, packet.link
        self.prefix = packet.data[:ip.start]
        self.ip_head = packet.data[ip.start:ip.payload]
        self.version = ip.version
        self.src, self.dst = segment.src, segment.dst
        tcp = packet.data[ip.payload:ip.payload + ip.length]
        size = (tcp[12] >> 4) * 4
        self.head, self.payload = tcp[:size], tcp[size:]
        self.seq, self.ack, self.flags = segment.seq, segment.ack, segment.flags
        self.length, self.check = segment.length, segment.check
        self.cut = not segment.whole or len(self.head) < size
        self.made = None

    def copy(self, **changes):
        other = Tcp.__new__(Tcp)
        other.__dict__.update(self.__dict__, made=None)
        other.__dict__.update(changes)
        return other

    @property
    def data(self):
        """The packet's octets."""
        return self.prefix + self.datagram

    @property
    def datagram(self):
        """The packet from its IP header on.  Made once: most variants hold most packets as they are."""
        if self.made is None:
            self.made = self.make()
        return self.made

    def make(self):
        """The octets from the IP header on, with checksums as good or as bad as they were."""
        head = struct.pack("!HHII", self.src[1], self.dst[1], self.seq, self.ack) + self.head[12:]
        head = head[:13] + bytes((self.flags,)) + head[14:]
        size = len(head) + self.length
        pseudo = capfile.pseudo_header(self.src[0], self.dst[0], size)
        if self.check == "offload":
            value = capfile.ones_sum(pseudo)
        elif not self.cut:
            value = capfile.checksum(pseudo + head[:16] + b"\0\0" + head[18:] + self.payload)
            value ^= BAD if self.check == "bad" else 0
        else:
            value = struct.unpack_from("!H", head, 16)[0]
        tcp = head[:16] + struct.pack("!H", value) + head[18:] + self.payload
        return self.ip_octets(size) + tcp

    def ip_octets(self, size):
        """The IP header for `size` octets of TCP."""
        head = self.ip_head
        if self.version == 6:
            length = len(head) - 40 + size
            word = struct.pack("!H", length if length < 65536 else 0)
            return head[:4] + word + head[6:8] + self.src[0] + self.dst[0] + head[40:]
        total = len(head) + size
        head = (head[:2] + struct.pack("!H", total if total < 65536 else 0) + head[4:10] + b"\0\0"
                + self.src[0] + self.dst[0] + head[20:])
        return head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:]

    @property
    def wire_len(self):
        return len(self.prefix) + len(self.ip_head) + len(self.head) + self.length


class Other:
    """Any other packet; it is passed on as it is."""

    def __init__(self, packet):
        self.time, self.link, self.data, self.wire_len = (packet.time, packet.link, packet.data,
                                                          packet.wire_len)


def load(capture):
    """Turns the packets of a capture into Tcp and Other objects."""
    out = []
    for packet in capture.packets:
        ip = capfile.ip_header(packet)
        segment = None
        if ip is not None and ip.proto == 6 and not ip.fragmented:
            segment = capfile.Dissector().feed(packet)
        out.append(Other(packet) if segment is None else Tcp(packet, ip, segment))
    return out


def tcp_only(packets):
    return [p for p in packets if isinstance(p, Tcp)]


def is_data(packet):
    return isinstance(packet, Tcp) and packet.length > 0


def plain_data(packet):
    return is_data(packet) and not packet.flags & (capfile.SYN | capfile.FIN | capfile.RST)


# --- the same findings --------------------------------------------------------------------------


def split(packet, cuts):
    """Cuts a data packet into several; flags that end or begin something stay where they were."""
    edges = [0] + [cut for cut in sorted(set(cuts)) if 0 < cut < packet.length] + [packet.length]
    out = []
    for start, stop in zip(edges, edges[1:]):
        flags = packet.flags
        if stop < packet.length:
            flags &= ~(capfile.FIN | capfile.PSH)
        check = "bad" if packet.check == "bad" else "good"
        out.append(packet.copy(seq=(packet.seq + start) & 0xFFFFFFFF, flags=flags, check=check,
                               payload=packet.payload[start:stop], length=stop - start))
    return out


def can_split(packet):
    return is_data(packet) and not packet.cut and not packet.flags & capfile.SYN


def resegmented(packets, rng, most):
    out = []
    for p in packets:
        if can_split(p):
            cuts = [rng.randrange(p.length + 1) for _ in range(rng.randrange(most))]
            out += split(p, cuts)
        else:
            out.append(p)
    return out


def single_octets(packets, limit=2048):
    """The first `limit` octets of each direction octet by octet."""
    out, sent = [], {}
    for p in packets:
        done = sent.get((p.src, p.dst), 0) if can_split(p) else limit
        if done < limit:
            out += split(p, range(limit - done))
            sent[p.src, p.dst] = done + p.length
        else:
            out.append(p)
    return out


def duplicated(packets, rng):
    """Every third data packet comes again, a little later."""
    out, late = [], []
    for p in packets:
        out.append(p)
        for again in [item for item in late if item[0] <= 0]:
            late.remove(again)
            out.append(again[1].copy(time=p.time))
        late = [(left - 1, item) for left, item in late]
        if plain_data(p) and rng.randrange(3) == 0:
            late.append((rng.randrange(1, 6), p))
    return out


def recut(packets):
    """After each data packet a retransmission from the middle of the one before to its own."""
    out, before = [], {}
    for p in packets:
        out.append(p)
        if not plain_data(p) or p.cut:
            continue
        prior = before.get((p.src, p.dst))
        follows = prior is not None and (prior.seq + prior.length) & 0xFFFFFFFF == p.seq
        if follows and prior.check != "bad" and p.check != "bad":
            tail, head = prior.payload[prior.length // 2:], p.payload[:p.length // 2]
            out.append(p.copy(seq=(p.seq - len(tail)) & 0xFFFFFFFF, payload=tail + head,
                              length=len(tail) + len(head), check="good"))
        before[p.src, p.dst] = p
    return out


def reordered(packets, rng):
    """Exchanges neighbouring data packets of one direction, with no data of the other between.

    Not the first one of a direction without a SYN: where its stream begins is known by it alone.
    """
    out = list(packets)
    last, begun = {}, set()
    for i, p in enumerate(packets):
        if isinstance(p, Tcp) and p.flags & capfile.SYN:
            begun.add((p.src, p.dst))
        if not is_data(p):
            continue
        if (p.src, p.dst) not in begun:
            begun.add((p.src, p.dst))
            last[tuple(sorted((p.src, p.dst)))] = None
            continue
        flow = tuple(sorted((p.src, p.dst)))
        prior = last.get(flow)
        last[flow] = i if plain_data(p) else None
        if prior is None or not plain_data(p) or packets[prior].src != p.src:
            continue
        first = packets[prior]
        if first.seq != p.seq and rng.randrange(3):
            out[prior], out[i] = p.copy(time=first.time), first.copy(time=p.time)
            last[flow] = None
    return out


def wrapped(packets):
    """Shifts sequence numbers so that they wrap in the middle of each direction."""
    first, total = {}, {}
    for p in tcp_only(packets):
        flow = p.src, p.dst
        if p.length or p.flags & capfile.SYN:
            first.setdefault(flow, p.seq)
            total[flow] = max(total.get(flow, 0), (p.seq + p.length - first[flow]) & 0x7FFFFFFF)
    shifts = {flow: -(first[flow] + max(total[flow], 2) // 2) & 0xFFFFFFFF for flow in first}
    out = []
    for p in packets:
        if isinstance(p, Tcp):
            seq = (p.seq + shifts.get((p.src, p.dst), 0)) & 0xFFFFFFFF
            ack = p.ack
            if p.flags & capfile.ACK:
                ack = (ack + shifts.get((p.dst, p.src), 0)) & 0xFFFFFFFF
            p = p.copy(seq=seq, ack=ack)
        out.append(p)
    return out, shifts


def fragmented(packets, rng):
    """Cuts IP packets with data into fragments, every other time the last one first."""
    out = []
    for number, p in enumerate(packets):
        if not is_data(p) or p.length < 40:
            out.append(p)
            continue
        size = 8 * rng.randrange(4, max(5, p.length // 16))
        parts = gencaps.fragments(p.datagram, size, 40000 + number)
        if number % 2:
            parts.reverse()
        out += [gencaps.Item(p.time, p.prefix + part, p.link) for part in parts]
    return out


def renamed(packets, change):
    """Changes endpoints; returns packets and new name -> old name."""
    names, out = {}, []
    for p in packets:
        if isinstance(p, Tcp):
            src, dst = change(p.src), change(p.dst)
            names[capfile.endpoint(src)] = capfile.endpoint(p.src)
            names[capfile.endpoint(dst)] = capfile.endpoint(p.dst)
            p = p.copy(src=src, dst=dst)
        out.append(p)
    return out, names


def other_ends(keep_ports):
    """Returns a function that changes addresses, and ports that -d does not name."""

    def change(end):
        address, port = end
        if port not in keep_ports:
            port = port ^ 0x1234 or 1
        return bytes(b ^ 0x55 for b in address[:-1]) + address[-1:], port

    return change


def as_ipv6(packets):
    """IPv6 instead of IPv4; IP options are left out."""
    out, names = renamed(packets, lambda end: (b"\xfd" + bytes(11) + end[0], end[1]))
    done = []
    for p in out:
        if isinstance(p, Tcp):
            p = p.copy(version=6, ip_head=b"\x60" + bytes(5) + b"\x06\x40" + bytes(32))
        done.append(p)
    return done, names


def relinked(packets, link, vlans=()):
    """Other link-layer headers; packets that are not IP and TCP are left out."""
    out, sides = [], {}
    for p in tcp_only(packets):
        side = sides.setdefault(tuple(sorted((p.src, p.dst))), p.src) != p.src
        data = gencaps.encapsulate(p.datagram, link, vlans, int(side))
        item = gencaps.Item(p.time, data, link)
        item.wire_len = p.wire_len - len(p.prefix) + len(data) - len(p.datagram)
        out.append(item)
    return out


# --- fewer findings -----------------------------------------------------------------------------


def dropped(packets, every, start):
    out, count = [], start
    for p in packets:
        if is_data(p):
            count += 1
            if count % every == 0:
                continue
        out.append(p)
    return out


def one_direction(packets, wanted):
    """Only the packets of one side: 0 is who was seen first on the connection's ports."""
    out, sides = [], {}
    for p in tcp_only(packets):
        first = sides.setdefault(tuple(sorted((p.src, p.dst))), p.src)
        if (p.src != first) == bool(wanted):
            out.append(p)
    return out


def snapped(packets, length):
    out = []
    for p in packets:
        item = gencaps.Item(p.time, p.data[:length], p.link)
        item.wire_len = p.wire_len
        out.append(item)
    return out


# --- all of them --------------------------------------------------------------------------------


class Variant:
    """A derived capture: what it is called, what must hold for it, and its packets."""

    def __init__(self, name, kind, packets, link, names=None, shifts=None, **write):
        self.name, self.kind, self.packets, self.link = name, kind, packets, link
        self.names, self.shifts, self.write_options = names or {}, shifts or {}, write
        self.file = name + (".pcapng" if write.get("fmt") == "pcapng" else ".pcap")

    def write(self, folder):
        path = os.path.join(folder, self.file)
        options = dict(self.write_options)
        if options.pop("fmt", "pcap") == "pcapng":
            capfile.write_pcapng(path, self.packets, self.link, **options)
        else:
            capfile.write_pcap(path, self.packets, self.link, **options)
        return path

    def entry(self):
        shifts = {"%s>%s" % tuple(map(capfile.endpoint, flow)): by
                  for flow, by in self.shifts.items()}
        return {"file": self.file, "name": self.name, "kind": self.kind, "endpoints": self.names,
                "shifts": shifts}


def derive(capture, seed=1, keep_ports=()):
    """Yields the variants of a capture that can be made of it."""
    packets, link = load(capture), capture.link
    yield from _same(packets, link, random.Random(seed), keep_ports)
    yield from _less(packets, link)


def _same(packets, link, rng, keep_ports):
    def same(name, changed, names=None, shifts=None, new_link=link, **write):
        return Variant("same-" + name, "same", changed, new_link, names, shifts, **write)

    if len({p.link for p in packets}) > 1:
        return
    yield same("pcapng", packets, fmt="pcapng")
    if link != capfile.RAW:  # libpcap takes two raw IP interfaces for two different types
        yield same("pcapng-two-interfaces", packets, fmt="pcapng", interfaces=2)
    yield same("big-endian", packets, order=">")
    yield same("nanosecond", packets, nano=True)
    if any(isinstance(p, Other) and is_fragment(p) for p in packets):
        return
    for most in (2, 4, 12):
        yield same("resegmented-%d" % most, resegmented(packets, rng, most))
    yield same("single-octets", single_octets(packets))
    yield same("duplicated", duplicated(packets, rng))
    yield same("recut", recut(packets))
    yield same("reordered", reordered(packets, rng))
    shifted, shifts = wrapped(packets)
    yield same("wrapped", shifted, shifts=shifts)
    yield same("wrapped-resegmented-reordered",
               reordered(resegmented(shifted, rng, 5), rng), shifts=shifts)
    changed, names = renamed(packets, other_ends(keep_ports))
    yield same("renamed", changed, names)
    yield from _relinked(packets, same)
    if all(p.version == 4 for p in tcp_only(packets)):
        six, names = as_ipv6(packets)
        yield same("ipv6", relinked(six, capfile.EN10MB), names, new_link=capfile.EN10MB)
        yield same("ipv6-raw", relinked(six, capfile.RAW), names, new_link=capfile.RAW)
    whole = tcp_only(packets)
    if len(whole) == len(packets) and not any(p.cut for p in whole):
        if all(p.version == 4 or len(p.ip_head) == 40 for p in whole):
            yield same("fragmented", fragmented(packets, rng))


def _relinked(packets, same):
    for name, link, vlans in (("vlan", capfile.EN10MB, [(0x8100, 7)]),
                              ("qinq", capfile.EN10MB, [(0x88A8, 7), (0x8100, 8)]),
                              ("sll", capfile.SLL, []), ("sll2", capfile.SLL2, []),
                              ("raw", capfile.RAW, []), ("null", capfile.NULL, [])):
        yield same(name, relinked(packets, link, vlans), new_link=link)


def is_fragment(other):
    ip = capfile.ip_header(capfile.Packet(0, 0, other.data, other.wire_len, other.link))
    return ip is not None and ip.fragmented


def _less(packets, link):
    def less(name, changed):
        return Variant("less-" + name, "less", changed, link)

    for every in (2, 3, 5, 7, 11, 17):
        yield less("dropped-%d" % every, dropped(packets, every, every // 2))
    for side in (0, 1):
        yield less("side-%d" % side, one_direction(packets, side))
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 12, 20):
        if count < len(packets):
            yield less("without-first-%d" % count, packets[count:])
    for length in (96, 128, 200):
        yield less("snaplen-%d" % length, snapped(packets, length))
    for third in (1, 2):
        yield less("ends-at-%d-thirds" % third, packets[:len(packets) * third // 3])
    if len(packets) > 1:
        yield less("without-last", packets[:-1])


def write_all(capture, folder, seed=1, keep_ports=()):
    """Writes all variants of a capture; returns the index."""
    os.makedirs(folder, exist_ok=True)
    index = []
    for variant in derive(capture, seed, keep_ports):
        variant.write(folder)
        index.append(variant.entry())
    return index


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if len(argv) != 2:
        print("usage: variants.py CAPTURE OUTDIR", file=sys.stderr)
        return 2
    index = write_all(capfile.read_capture(argv[0]), argv[1])
    with open(os.path.join(argv[1], "INDEX.json"), "w", encoding="utf-8") as out:
        json.dump(index, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
