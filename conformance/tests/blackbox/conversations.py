# SPDX-License-Identifier: BSD-2-Clause
"""Connections over TCP as far as many captures have them, and the Terminate that refuses a segment."""

import gencaps
from gencaps import INITIATOR, RESPONDER, started


def plain(request=None, reply=None):
    """A Rev 1 connection with CRCs and without Markers."""
    fields = {"crc": True}
    return started(request={**fields, **(request or {})}, reply={**fields, **(reply or {})})[1]


def markers():
    """A Rev 1 connection with CRCs, and with Markers in the Initiator's stream alone."""
    return plain(reply={"markers": True})


def rdmac(**fields):
    """A connection of RDMA Consortium endpoints: Rev 0, Markers and CRCs both ways."""
    both = {"rev": 0, "markers": True, **fields}
    return plain(both, both)


def enhanced(request=(4, 4, ""), reply=(4, 4, "")):
    """A Rev 2 connection; what is given are IRD, ORD and the control flags."""
    return plain({"rev": 2, "enhanced": request}, {"rev": 2, "enhanced": reply})


def peer(offered, named):
    """A Rev 2 connection of the peer-to-peer model with these RTR flags."""
    return enhanced((4, 4, "a" + offered), (4, 4, "a" + named))


def written():
    """The Initiator wrote 8 octets."""
    conn = plain()
    conn.write(INITIATOR, payload=bytes(8))
    return conn


def header_of(conn, role):
    """(DDP header, length) of the segment that this side sent last."""
    ulpdu = conn.sent[role][-1][1]
    return ulpdu[:14 if ulpdu[0] & 0x80 else 18], len(ulpdu)


def refuse(conn, layer, etype, code, rdma=b"", **changes):
    """The Responder's Terminate that returns the header of the Initiator's last segment."""
    ddp, length = header_of(conn, INITIATOR)
    ddp = changes.pop("ddp", ddp)
    header = gencaps.terminate_header(layer, etype, code, length, ddp, rdma, **changes)
    conn.terminate(RESPONDER, layer, etype, code, header)


def read_header(size=8, sink_to=0):
    return gencaps.read_request_header(1, sink_to, size, 2, 0x1000)
