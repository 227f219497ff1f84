# SPDX-License-Identifier: BSD-2-Clause
"""Faults of Terminates and of answers to Reads, registered with the faults of faults.py."""

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
from faults import asked, fault, read_header, terminate
from framing_faults import here
from gencaps import tagged, untagged


def written(t, role):
    """The other side writes 8 octets; returns header and length of the segment."""
    t.settle()
    segment = tagged(gencaps.WRITE, t.rng.randrange(1, 1 << 32), t.rng.randrange(1 << 40), bytes(8))
    t.spoilt(1 - role, segment)
    ulpdu = t.conn.sent[1 - role][-1][1]
    return ulpdu[:14], len(ulpdu)


REMEMBERED = 256  # headers of a side; after more the rules say nothing against one


def ending(t, role):
    """Where the stream of a role ends; the frame is the one with its FIN or RST."""
    place = here(t, role)
    t.lengths[role, place] = None
    return [place]


@fault("rdmap.terminate-headers", last=True)
def terminate_headers(t, role):
    """M and D, and fewer octets than the header has."""
    header, length = written(t, role)
    return terminate(t, role, gencaps.terminate_header(1, 1, 0, length, header[:t.rng.randrange(1, 14)]))


@fault("rdmap.terminate-rdma-header", last=True)
def terminate_rdma_header(t, role):
    """R, and what is returned was no Read Request."""
    header, length = written(t, role)
    return terminate(t, role, gencaps.terminate_header(1, 1, 0, length, header, bytes(28)))


@fault("rdmap.terminate-flags", last=True)
def terminate_flags(t, role):
    """Headers with an error of the LLP."""
    header, length = written(t, role)
    return terminate(t, role, gencaps.terminate_header(*t.BARE, length, header))


@fault("rdmap.terminate-ddp-header", last=True)
def terminate_ddp_header(t, role):
    """The header of a segment that was never sent, where all are remembered."""
    header, length = written(t, role)
    if len(t.conn.sent[1 - role]) >= REMEMBERED:
        return None
    at = t.rng.randrange(2, 14)
    spoilt = header[:at] + bytes((header[at] ^ 0x10,)) + header[at + 1:]
    return terminate(t, role, gencaps.terminate_header(1, 1, 0, length, spoilt))


@fault("rdmap.terminate-segment-length", last=True)
def terminate_segment_length(t, role):
    header, length = written(t, role)
    return terminate(t, role, gencaps.terminate_header(1, 1, 0, length + t.rng.choice((-14, 2, -1, 400)), header))


NOT_OF_A_WRITE = ((0, 1, 0), (0, 1, 9), (0, 2, 5), (0, 2, 9), (1, 1, 3), (1, 1, 4), (1, 2, 2), (1, 2, 6))


@fault("rdmap.terminate-cause", last=True)
def terminate_cause(t, role):
    """An error that a Write cannot have: of RDMAP, of Untagged segments, or about what is right in it."""
    header, length = written(t, role)
    return terminate(t, role, gencaps.terminate_header(*t.rng.choice(NOT_OF_A_WRITE), length, header))


@fault("rdmap.terminate-read-header", last=True)
def terminate_read_header(t, role):
    """The returned Read Request is another one than was sent."""
    asked(t, role)
    ulpdu = t.conn.sent[1 - role][-1][1]
    at = t.rng.randrange(28)
    read = bytearray(ulpdu[18:])
    read[at] ^= 0x20
    return terminate(t, role, gencaps.terminate_header(0, 1, 0, len(ulpdu), ulpdu[:18], bytes(read)))


@fault("rdmap.terminate-reset", last=True)
def terminate_reset(t, role):
    """RST right after the Terminate of its side."""
    terminate(t, role, gencaps.terminate_header(*t.BARE))
    t.conn.packet(t.conn.side(role), flags=capfile.RST | capfile.ACK)
    t.over = "reset"
    return ending(t, role)


@fault("rdmap.response-order", last=True, also=["rdmap.read-response-stag", "rdmap.read-response-to"])
def response_order(t, role):
    """Two Reads are answered in the wrong order."""
    if t.credit[1 - role] < 2:
        return None
    t.settle()
    for stag in (1, 2):
        header = gencaps.read_request_header(stag, 4096, 8, 9, 8192)
        t.spoilt(1 - role, untagged(gencaps.READ_REQUEST, 1, t.due(1 - role, 1), 0, header))
    places = [t.spoilt(role, tagged(gencaps.READ_RESPONSE, stag, 4096, bytes(8))) for stag in (2, 1)]
    return places


@fault("rdmap.request-answered", last=True)
def request_answered(t, role):
    """A Read Request that gets no answer, though both sides go on and the connection ends in order."""
    t.settle()
    t.spoilt(1 - role, untagged(gencaps.READ_REQUEST, 1, t.due(1 - role, 1), 0, read_header()))
    for side in (role, 1 - role, role):
        t.send_octets(side, b"no answer")
    t.over = "close"
    return ending(t, role)
