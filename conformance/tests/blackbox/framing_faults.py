# SPDX-License-Identifier: BSD-2-Clause
"""Faults of the chain of FPDUs in the midst of a connection, registered with the faults of faults.py."""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
from faults import fault
from gencaps import untagged


def here(t, role):
    """The sequence number of what a role sends next."""
    return t.conn.next[t.conn.side(role)] & 0xFFFFFFFF


def sends(t, role, number, size):
    """Sends some Sends; returns where their FPDUs begin."""
    return [t.send_octets(role, t.rng.randbytes(size)) for _ in range(number)]


@fault("mpa.crc", last=True)
def crc_stops(t, role):
    """From one FPDU on the CRC field is zero."""
    if not t.conn.framers[role].crc:
        return None
    t.conn.framers[role].crc = False
    t.over = True
    return sends(t, role, t.rng.randrange(1, 5), t.rng.choice((5, 60, 700)))


@fault("mpa.marker-period", "mpa.marker-first", last=True)
def markers_stop(t, role):
    """From one FPDU on no Marker is sent; the first that is missing is named."""
    framer = t.conn.framers[role]
    if not framer.markers or not framer.crc:
        return None
    framer.markers = False
    t.over = True
    while True:
        begin = framer.offset
        place = t.send_octets(role, t.rng.randbytes(t.rng.choice((20, 100, 400))))
        due = -begin % 512
        if begin + due < framer.offset:
            break
    sends(t, role, t.rng.choice((0, 2)), 700)
    t.lengths.update({(role, p): None for p in (place, (place + 4) & 0xFFFFFFFF)})  # what is read is not what was sent
    return [place, (place + 4) & 0xFFFFFFFF]


def begins(t, role, lead, places):
    """The frame is the one with the first octet of the FPDU, a Marker before it too."""
    t.lengths.update({(role, place): (start, 1) for place, start in zip(places, (0, -lead))})
    return places


@fault("mpa.marker-period", last=True)
def marker_left_out(t, role):
    """One Marker is left out of an FPDU, perhaps the last one of its side."""
    framer = t.conn.framers[role]
    size = t.rng.choice((600, 1500, 5000))
    lead = 4 if framer.offset % 512 == 0 else 0
    inner = [at for at in range(-framer.offset % 512, size, 512) if at > 40]
    if not framer.markers or t.rdmac or not inner:
        return None
    place, at = here(t, role), t.rng.choice(inner)
    octets = t.conn.frame(role, untagged(gencaps.SEND, 0, t.due(role), 0, t.rng.randbytes(size)))
    left = octets[:at] + octets[at + 4:]
    if framer.crc and t.rng.random() < 0.5:
        left = left[:-4] + struct.pack("<I", gencaps.crc32c(left[:-4]))
    t.conn.send(role, left, [t.rng.randrange(1, len(left))])
    framer.offset -= 4
    sends(t, role, t.rng.choice((0, 0, 1, 3)), t.rng.choice((5, 700)))
    t.over = t.rng.choice(("close", "reset"))
    return begins(t, role, lead, [place, (place + lead) & 0xFFFFFFFF])


@fault("mpa.marker-unasked", "mpa.framing", last=True)
def markers_start(t, role):
    """From one FPDU on Markers stand in the stream, although M is clear."""
    framer = t.conn.framers[role]
    if framer.markers or t.rdmac:
        return None
    framer.markers = True
    place = here(t, role)
    places = [place, t.send_octets(role, t.rng.randbytes(t.rng.choice((520, 700, 3000))))]
    sends(t, role, t.rng.choice((0, 0, 2)), t.rng.choice((20, 700)))
    t.lengths.update({(role, p): None for p in places})
    t.over = "close"
    return places


@fault("mpa.framing", "mpa.crc", last=True, also=["ddp.header-length", "mpa.framing", "mpa.stream-end"])
def surplus_octets(t, role):
    """Octets that belong to no FPDU, between two."""
    framer = t.conn.framers[role]
    if framer.markers or not framer.crc:
        return None
    octets = t.rng.choice((b"\xff\xff", bytes(range(1, 1 + t.rng.randrange(1, 60))), b"\r\n\r\n"))
    place = here(t, role)
    t.conn.send(role, octets)
    framer.offset += len(octets)
    places = [place] + [sent[0] for sent in t.conn.sent[role][-1:]]  # its ULPDU_Length may be what is wrong
    t.lengths.update({(role, p): None for p in places})
    t.over = True
    sends(t, role, t.rng.randrange(3, 8), t.rng.choice((5, 60, 700)))
    return places


@fault("mpa.stream-end", last=True)
def ends_inside(t, role):
    """FIN inside an FPDU."""
    framer = t.conn.framers[role]
    t.flush_all()
    lead = 4 if framer.markers and framer.offset % 512 == 0 else 0
    place = here(t, role)
    octets = t.conn.frame(role, untagged(gencaps.SEND, 0, t.due(role), 0, bytes(t.rng.choice((8, 600)))))
    if t.rdmac:
        return None
    t.conn.send(role, octets[:t.rng.randrange(lead + 8, len(octets))])
    t.conn.packet(t.conn.side(role), flags=capfile.FIN | capfile.ACK)
    t.over = "reset"
    places = [place, (place + lead) & 0xFFFFFFFF]
    t.lengths.update({(role, p): None for p in places})
    return places


@fault("mpa.ulpdu-length-max", last=True)
def ulpdu_too_long(t, role):
    segment = untagged(gencaps.SEND, 0, t.due(role), 0, bytes(64769 - 18 + t.rng.choice((0, 1, 700))))
    if t.rdmac:
        return None
    t.flush_all()
    octets = t.conn.frame(role, segment)
    t.conn.send(role, octets, range(16384, len(octets), 16384))
    return [t.conn.sent[role][-1][0]]


@fault("rdmap.opcode-experimental", last=True)
def opcode_experimental(t, role):
    t.over = True
    return [t.spoilt(role, untagged(15, 0, t.due(role), 0, b"hello"))]
