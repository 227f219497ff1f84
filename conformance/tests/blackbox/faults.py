# SPDX-License-Identifier: BSD-2-Clause
"""Random connections that are conformant, or break one rule once at a place that is known.

A Dialogue is a talks.Talk with every kind of startup and payload that looks like FPDUs, keys and
Markers.  Each function registered with @fault sends one fault and returns a Due: which rules may
speak, and where.
"""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import startup_faults
import talks
from gencaps import INITIATOR, RESPONDER, tagged, untagged

ALL_ONES = 2**64 - 1
FAULTS = {}


# What the other side has to refuse: the conversation still goes on, and that side may answer later messages.
REFUSED = {"mpa.crc", "ddp.version", "ddp.to-wrap", "rdmap.version", "rdmap.opcode", "rdmap.queue-number",
           "rdmap.immediate-length", "rdmap.atomic-opcode"}


class Due:
    """The expected findings of a fault: one of these rules, of this role, at one of these FPDUs or frames.

    answers: further expected findings, of the side that answers the fault in a wrong way, as rule, role and place.
    """

    def __init__(self, rules, role, places, also=(), lengths=None, answers=()):
        self.rules, self.role, self.places = rules, role, places
        self.also = (*also, "rdmap.error-answered") if REFUSED & set(rules) else also
        self.answers = answers
        self.lengths = lengths or {}  # of startup frames, by role and place


def fault(*rules, **more):
    """Registers a fault; its function returns what it spoilt: places, or None where it cannot.

    also: rules that may report findings in addition to the expected ones.  last: nothing can follow.
    """

    def register(function):
        FAULTS[function.__name__] = (function, rules, tuple(more.get("also", ())), more.get("last"))
        return function

    return register


# --- conformant connections ---------------------------------------------------------------------


def inner(rng, markers):
    """Octets that are FPDUs with right CRCs, most of them faulty in what they say."""
    framer, out = gencaps.Framer(), []
    framer.crc, framer.markers = True, markers
    for number in range(rng.randrange(1, 12)):
        body = rng.randbytes(rng.choice((0, 4, 5, 8, 28, 100)))
        out.append(framer.frame(rng.choice((
            untagged(gencaps.SEND, 0, rng.choice((number, 1, 77)), 0, body),
            untagged(gencaps.SEND, 1, 2, 8, body, ulp=5),
            untagged(gencaps.READ_REQUEST, 1, number + 1, 0, body),
            untagged(gencaps.TERMINATE, 2, 1, 0, body[:4]),
            tagged(gencaps.WRITE, 7, 2**64 - 3, body),
            tagged(gencaps.READ_RESPONSE, 7, 100, body, rsvd=rng.randrange(16)),
            rng.randbytes(rng.randrange(3, 40))))))
    return b"".join(out)


def keys(rng):
    """Startup frames, right and wrong ones."""
    key = rng.choice((gencaps.REQUEST_KEY, gencaps.REPLY_KEY))
    return gencaps.startup_frame(key, markers=rng.random() < .5, crc=rng.random() < .5,
                                 rev=rng.choice((0, 1, 2, 3, 9)), reject=rng.random() < .5,
                                 private_data=rng.randbytes(rng.choice((0, 4, 30))),
                                 reserved=rng.choice((0, 0, 8)))


def alike(rng):
    """Payload that looks like what MPA and DDP send."""
    how = rng.randrange(5)
    if how == 0:
        return inner(rng, False)
    if how == 1:
        return inner(rng, True)
    if how == 2:
        return keys(rng) * rng.randrange(1, 3)
    if how == 3:
        return b"".join(struct.pack("!HH", 0, 4 * at + rng.choice((4, 8, 20)))
                        for at in range(rng.randrange(1, 300)))
    return rng.randbytes(rng.randrange(8)) + inner(rng, False) + keys(rng) + inner(rng, True)


class Dialogue(talks.Talk):
    """One connection with any startup and any payload."""

    BARE = (2, 0, 5)  # Layer, EType and Error Code of a Terminate that returns no header

    def __init__(self, rng, conn, extras):
        super().__init__(rng, conn, extras)
        self.rdmac = False
        self.credit = [4, 4]  # by role: Reads and Atomic Operations that may wait
        self.model = rng.choice(("plain", "plain", "plain", "enhanced", "peer", "rdmac"))
        self.lengths = {}  # of startup frames, by role and where they begin; an offset and a length, or None: unknown
        self.over = False  # nothing is sent any more; "close", "reset": the expected end
        self.answers = []  # see Due

    def payload(self):
        return alike(self.rng) if self.rng.random() < 0.3 else super().payload()

    def private_data(self, most):
        rng = self.rng
        octets = alike(rng) if rng.random() < 0.2 else rng.randbytes(rng.choice((0, 0, 7, 60, 508)))
        return octets[:most]

    def startup(self):
        self.open()
        flags, offered = self.negotiation()
        self.exchange(flags)
        if offered:
            self.ready(offered)

    def open(self):
        """The TCP handshake, and now and then what both sides say before MPA."""
        self.conn.open()
        if self.rng.random() < 0.1:
            self.conn.send(INITIATOR, b"we shall talk MPA\r\n")
            self.conn.send(RESPONDER, b"very well\r\n")

    def negotiation(self):
        """The fields of Request and Reply, and the RTR type that both name, if one is needed."""
        rng = self.rng
        flags = [{"markers": rng.random() < 0.5, "crc": rng.random() < 0.6, "rev": 1}
                 for _ in range(2)]
        if self.model == "rdmac":
            self.rdmac, self.extras = True, False
            return [{"markers": True, "crc": True, "rev": 0} for _ in range(2)], ""
        if self.model == "enhanced":
            self.enhanced(flags, "", "")
        if self.model != "peer":
            return flags, ""
        offered = rng.choice(("b", "c", "d", "bc", "cd", "bcd"))
        chosen = rng.choice(offered)
        self.enhanced(flags, "a" + offered, "a" + chosen)
        return flags, chosen

    def exchange(self, flags):
        """Request and Reply; returns where each of them begins."""
        return [self.startup_frame(role, flags[role]) for role in (INITIATOR, RESPONDER)]

    def startup_frame(self, role, fields, **how):
        """A startup frame; returns where it begins."""
        rng, conn = self.rng, self.conn
        most = 508 if fields.get("enhanced") else 512
        cuts = [rng.randrange(1, 60) for _ in range(rng.randrange(3))]
        fields = {"private_data": self.private_data(most), **fields}
        place = conn.next[conn.side(role)] & 0xFFFFFFFF
        (conn.request, conn.reply)[role](cuts=cuts, **fields, **how)
        self.lengths[role, place] = (conn.next[conn.side(role)] - place) & 0xFFFFFFFF
        return place

    def enhanced(self, flags, request, reply):
        """Rev 2: IRD and ORD of both sides; the Reply's ORD is not above the Request's IRD."""
        rng = self.rng
        self.credit = [rng.choice((1, 2, 4)), rng.choice((1, 2, 4))]
        theirs = (self.credit[INITIATOR], self.credit[RESPONDER])
        flags[INITIATOR].update(rev=2, enhanced=(theirs[1], theirs[0], request))
        flags[RESPONDER].update(rev=2, enhanced=(theirs[0], theirs[1], reply))

    def ready(self, kind):
        """The first FPDU of the peer-to-peer model."""
        if kind == "b":
            self.untagged(INITIATOR, gencaps.SEND, b"")
        elif kind == "c":
            self.emit(INITIATOR, [tagged(gencaps.WRITE, 0, 0)])
        else:
            header = gencaps.read_request_header(0, 0, 0, 0, 0)
            self.untagged(INITIATOR, gencaps.READ_REQUEST, header)
            self.flush(INITIATOR)
            self.emit(RESPONDER, [tagged(gencaps.READ_RESPONSE, 0, 0)])
        self.flush(INITIATOR)
        self.flush(RESPONDER)

    def emit(self, role, segments):
        if self.rdmac:
            segments = [bytes((s[0] & 0xFC, s[1] & 0x3F)) + s[2:] for s in segments]
        super().emit(role, segments)

    def request(self, role):
        self.flush(1 - role)  # an answer that waits does not count yet
        if self.requests[1 - role] or len(self.requests[role]) < self.credit[role]:
            super().request(role)

    def flush_all(self):
        self.flush(INITIATOR)
        self.flush(RESPONDER)

    def settle(self):
        """Answers what was asked, so that the connection may end in order."""
        for role in (INITIATOR, RESPONDER):
            while self.requests[role]:
                self.flush(role)
                self.answer(1 - role, *self.requests[role].pop(0))
        self.flush_all()

    def end(self):
        self.settle()
        super().end()

    # what faults are made of

    def spoilt(self, role, segment, **mpa):
        """Sends one segment as it stands; returns where its FPDU begins."""
        self.flush_all()
        if self.rdmac and len(segment) > 1:
            segment = bytes((segment[0] & 0xFC, segment[1] & 0x3F)) + segment[2:]
        octets = self.conn.frame(role, segment, **mpa)
        cuts = [self.rng.randrange(1, len(octets)) for _ in range(self.rng.choice((0, 0, 1, 2)))]
        self.conn.send(role, octets, cuts)
        return self.conn.sent[role][-1][0]

    def due(self, role, qn=0):
        return self.conn.next_msn(role, qn)

    def send_octets(self, role, payload, **bits):
        return self.spoilt(role, untagged(gencaps.SEND, 0, self.due(role), 0, payload, **bits))


class OnePacket(Dialogue):
    """Each FPDU in a packet of its own, after an enhanced startup without Private Data and Markers."""

    def __init__(self, rng, conn, crc):
        super().__init__(rng, conn, True)
        self.model, self.crc = "enhanced", crc

    def private_data(self, most):
        return b""

    def negotiation(self):
        flags = [{"markers": False, "crc": self.crc, "rev": 1} for _ in range(2)]
        self.enhanced(flags, "", "")
        self.credit = [2, 2]
        for fields in flags:
            fields["enhanced"] = (2, 2, "")
        return flags, ""

    def flush(self, role):
        octets, self.waiting[role] = self.waiting[role], b""
        if octets:
            self.conn.send(role, octets, (), ack=True)

    def emit(self, role, segments):
        for segment in segments:
            super().emit(role, [segment])
            self.flush(role)



# --- faults of one FPDU -------------------------------------------------------------------------


@fault("mpa.crc", last=True)
def crc(t, role):
    if t.conn.framers[role].crc:
        msn = t.due(role)
        return [t.spoilt(role, untagged(gencaps.SEND, 0, msn, 0, b"x" * 50), crc="bad")]
    return None


@fault("mpa.pad-zero")
def pad(t, role):
    size = t.rng.choice((1, 2, 3, 45, 46, 47, 601))
    segment = untagged(gencaps.SEND, 0, 1, 0, bytes(size))
    octets = (2 - len(segment)) % 4
    if octets == 0:
        return None
    segment = untagged(gencaps.SEND, 0, t.due(role), 0, bytes(size))
    return [t.spoilt(role, segment, pad=t.rng.choice((b"\xff", b"\1")) + bytes(octets - 1))]


def spoilt_marker(t, role, change):
    if not t.conn.framers[role].markers:
        return None
    hit = []

    def marker(_, pointer):
        bad = pointer != 0 and not hit
        hit.extend([1] * bad)
        return struct.pack("!HH", *(change(pointer) if bad else (0, pointer)))

    segment = untagged(gencaps.SEND, 0, t.due(role), 0, bytes(600))
    return [t.spoilt(role, segment, marker=marker)]


@fault("mpa.marker-reserved")
def marker_reserved(t, role):
    return spoilt_marker(t, role, lambda pointer: (1 << t.rng.randrange(16), pointer))


@fault("mpa.marker-pointer")
def marker_pointer(t, role):
    return spoilt_marker(t, role, lambda pointer: (0, pointer + 4 * t.rng.choice((1, 5, 900))))


@fault("mpa.marker-low-bits")
def marker_low_bits(t, role):
    return spoilt_marker(t, role, lambda pointer: (0, pointer | t.rng.randrange(1, 4)))


@fault("mpa.ulpdu-length-zero", last=True)
def ulpdu_zero(t, role):
    return [t.spoilt(role, b"")] if t.conn.framers[role].crc else None


@fault("ddp.header-length", last=True)
def short_header(t, role):
    if t.rng.random() < 0.5:
        return [t.spoilt(role, untagged(gencaps.SEND, 0, t.due(role))[:t.rng.randrange(14, 18)])]
    return [t.spoilt(role, tagged(gencaps.WRITE, 1, 0)[:t.rng.randrange(2, 14)])]


@fault("ddp.version", "ddp.version-constant")
def ddp_version(t, role):
    if t.rdmac:
        return None
    return [t.send_octets(role, b"hello", dv=t.rng.choice((0, 2, 3)))]


@fault("rdmap.version")
def rdmap_version(t, role):
    if t.rdmac:
        return None
    return [t.send_octets(role, b"hello", rv=t.rng.choice((0, 2, 3)))]


@fault("ddp.reserved")
def ddp_reserved(t, role):
    return [t.send_octets(role, b"hello", rsvd=t.rng.randrange(1, 16))]


@fault("rdmap.reserved")
def rdmap_reserved(t, role):
    return [t.send_octets(role, b"hello", rdmap_rsvd=t.rng.randrange(1, 4))]


@fault("ddp.to-wrap")
def to_wrap(t, role):
    left = t.rng.randrange(1, 20)
    return [t.spoilt(role, tagged(gencaps.WRITE, 1, 2**64 - left, bytes(left)))]


@fault("rdmap.opcode")
def opcode(t, role):
    return [t.spoilt(role, untagged(t.rng.choice((12, 13, 14)), 0, t.due(role), 0, b"hello"))]


@fault("rdmap.tagged-flag")
def tagged_flag(t, role):
    if t.rng.random() < 0.5:
        return [t.spoilt(role, tagged(gencaps.SEND, 1, 0, b"hello"))]
    return [t.spoilt(role, untagged(gencaps.WRITE, 0, t.due(role), 0, b"hello"))]


@fault("rdmap.queue-number")
def queue_number(t, role):
    qn = t.rng.choice((1, 2, 3, 4, 9, 2**32 - 1))
    return [t.spoilt(role, untagged(gencaps.SEND, qn, 1, 0, b"hello"))]


@fault("rdmap.invalidate-stag")
def invalidate_stag(t, role):
    return [t.spoilt(role, untagged(gencaps.SEND, 0, t.due(role), 0, b"hello", ulp=5))]


@fault("rdmap.immediate-length")
def immediate_length(t, role):
    size = t.rng.choice((0, 4, 7, 9, 16))
    return [t.spoilt(role, untagged(gencaps.IMMEDIATE, 0, t.due(role), 0, bytes(size)))]


# --- faults of how segments follow each other ---------------------------------------------------


@fault("ddp.msn-sequence", "ddp.msn-first")
def msn(t, role):
    t.due(role)
    at = t.conn.msn[role]
    at[0] = (at[0] + t.rng.choice((1, 2, 1000, -1, -2))) & 0xFFFFFFFF
    return [t.spoilt(role, untagged(gencaps.SEND, 0, at[0], 0, b"hello"))]


@fault("ddp.mo-first")
def mo_first(t, role):
    return [t.spoilt(role, untagged(gencaps.SEND, 0, t.due(role), t.rng.choice((1, 4, 2**31)), b"x"))]


def two(t, role, first, second):
    """Two segments; what is wrong is the second, or is certain with it."""
    t.spoilt(role, first)
    return [t.spoilt(role, second)]


@fault("ddp.mo-contiguous")
def mo_jump(t, role):
    number = t.due(role)
    return two(t, role, untagged(gencaps.SEND, 0, number, 0, bytes(8), last=False),
               untagged(gencaps.SEND, 0, number, t.rng.choice((4, 9, 12)), bytes(8)))


@fault("ddp.to-contiguous")
def to_jump(t, role):
    return two(t, role, tagged(gencaps.WRITE, 1, 0, bytes(8), last=False),
               tagged(gencaps.WRITE, 1, t.rng.choice((0, 7, 9, 2**33)), bytes(8)))


@fault("ddp.stag-constant")
def stag_change(t, role):
    return two(t, role, tagged(gencaps.WRITE, 1, 0, bytes(8), last=False),
               tagged(gencaps.WRITE, 2, 8, bytes(8)))


@fault("ddp.rsvdulp-constant")
def opcode_change(t, role):
    number = t.due(role)
    return two(t, role, untagged(gencaps.SEND, 0, number, 0, bytes(8), last=False),
               untagged(gencaps.SEND_SE, 0, number, 8, bytes(8)))


@fault("ddp.msn-constant")
def msn_change(t, role):
    number = t.due(role)
    return two(t, role, untagged(gencaps.SEND, 0, number, 0, bytes(8), last=False),
               untagged(gencaps.SEND, 0, t.due(role), 8, bytes(8)))


@fault("ddp.message-order")
def interleaved(t, role):
    t.spoilt(role, tagged(gencaps.WRITE, 1, 0, bytes(8), last=False))
    place = t.send_octets(role, b"between")
    t.spoilt(role, tagged(gencaps.WRITE, 1, 8, bytes(8)))
    return [place]


@fault("ddp.message-order")
def mixed_sends(t, role):
    """Segments of two Sends, or of two Writes, by turns; of the second one the last may come first."""
    one, other = t.due(role), t.due(role)
    whole = t.rng.random() < 0.3

    def piece(number, at, last):
        return untagged(gencaps.SEND, 0, (one, other)[number], 8 * at, bytes(8), last=last)

    def written(number, at, last):
        return tagged(gencaps.WRITE, 1 + number, 4096 * number + 8 * at, bytes(8), last=last)

    make = t.rng.choice((piece, written))
    if make is written:
        t.conn.msn[role][0] -= 2
    t.spoilt(role, make(0, 0, False))
    place = t.spoilt(role, make(1, 0, whole))
    t.spoilt(role, make(0, 1, True))
    if not whole:
        t.spoilt(role, make(1, 1, True))
    return [place]


@fault("ddp.last-flag-missing")
def last_missing(t, role):
    return two(t, role, untagged(gencaps.SEND, 0, t.due(role), 0, bytes(8), last=False),
               untagged(gencaps.SEND, 0, t.due(role), 0, bytes(8)))


@fault("ddp.last-flag-missing")
def immediate_last_missing(t, role):
    if t.rdmac:  # which has no such message
        return None
    opcode = t.rng.choice((gencaps.IMMEDIATE, gencaps.IMMEDIATE_SE))
    return [t.spoilt(role, untagged(opcode, 0, t.due(role), 0, bytes(8), last=False))]


@fault("ddp.last-flag-early")
def last_early(t, role):
    number = t.due(role)
    return two(t, role, untagged(gencaps.SEND, 0, number, 0, bytes(8)),
               untagged(gencaps.SEND, 0, number, 8, bytes(8)))


@fault("ddp.zero-length")
def zero_in_two(t, role):
    number = t.due(role)
    return two(t, role, untagged(gencaps.SEND, 0, number, 0, last=False),
               untagged(gencaps.SEND, 0, number, 0))


# --- faults of Reads and Atomic Operations ------------------------------------------------------


def read_header(size=8):
    return gencaps.read_request_header(1, 4096, size, 2, 8192)


@fault("rdmap.read-request-length")
def read_request_length(t, role):
    size = t.rng.choice((0, 4, 27, 29, 32))
    t.settle()
    header = (read_header() + bytes(8))[:size]
    return [t.spoilt(role, untagged(gencaps.READ_REQUEST, 1, t.due(role, 1), 0, header))]


@fault("rdmap.read-request-last")
def read_request_last(t, role):
    t.settle()
    return [t.spoilt(role, untagged(gencaps.READ_REQUEST, 1, t.due(role, 1), 0, read_header(),
                                    last=False))]


def asked(t, role, size=16):
    """The other side asks for a Read."""
    t.settle()
    t.spoilt(1 - role, untagged(gencaps.READ_REQUEST, 1, t.due(1 - role, 1), 0, read_header(size)))


@fault("rdmap.read-response-unasked")
def read_response_unasked(t, role):
    t.settle()
    return [t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 4096, bytes(8)))]


@fault("rdmap.read-response-stag")
def read_response_stag(t, role):
    asked(t, role)
    return [t.spoilt(role, tagged(gencaps.READ_RESPONSE, 2, 4096, bytes(16)))]


@fault("rdmap.read-response-to")
def read_response_to(t, role):
    asked(t, role)
    return [t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 4095, bytes(16)))]


@fault("rdmap.read-response-length")
def read_response_length(t, role):
    asked(t, role)
    size = t.rng.choice((0, 15, 17, 100))
    return [t.spoilt(role, tagged(gencaps.READ_RESPONSE, 1, 4096, bytes(size)))]


def atomic_header(code=gencaps.FETCH_ADD, compare=0, mask=ALL_ONES):
    return gencaps.atomic_request_header(code, 7, 1, 0, 1, 0, compare, mask)


def atomic(t, role, header):
    t.settle()
    place = t.spoilt(role, untagged(gencaps.ATOMIC_REQUEST, 1, t.due(role, 1), 0, header))
    if len(header) == 52:
        answer = gencaps.atomic_response_header(7, 0)
        t.spoilt(1 - role, untagged(gencaps.ATOMIC_RESPONSE, 3, t.due(1 - role, 3), 0, answer))
    return [place]


@fault("ddp.last-flag-missing")
def atomic_last_missing(t, role):
    if t.rdmac:
        return None
    t.settle()
    return [t.spoilt(role, untagged(gencaps.ATOMIC_REQUEST, 1, t.due(role, 1), 0, atomic_header(), last=False))]


@fault("rdmap.atomic-request-length")
def atomic_request_length(t, role):
    return atomic(t, role, (atomic_header() + bytes(8))[:t.rng.choice((0, 44, 51, 53, 60))])


@fault("rdmap.atomic-opcode")
def atomic_opcode(t, role):
    return atomic(t, role, atomic_header(t.rng.choice((1, 3, 7, 15)), 5, 5))


@fault("rdmap.atomic-reserved")
def atomic_reserved(t, role):
    return atomic(t, role, atomic_header(gencaps.CMP_SWAP | 16 << t.rng.randrange(28)))


@fault("rdmap.atomic-compare-data")
def atomic_compare_data(t, role):
    return atomic(t, role, atomic_header(compare=t.rng.randrange(1, 99)))


@fault("rdmap.atomic-compare-mask")
def atomic_compare_mask(t, role):
    return atomic(t, role, atomic_header(mask=t.rng.randrange(ALL_ONES)))


@fault("rdmap.atomic-response-unasked")
def atomic_response_unasked(t, role):
    t.settle()
    answer = gencaps.atomic_response_header(7, 0)
    return [t.spoilt(role, untagged(gencaps.ATOMIC_RESPONSE, 3, t.due(role, 3), 0, answer))]


def atomic_answer(t, role, answer):
    t.settle()
    t.spoilt(1 - role, untagged(gencaps.ATOMIC_REQUEST, 1, t.due(1 - role, 1), 0, atomic_header()))
    return [t.spoilt(role, untagged(gencaps.ATOMIC_RESPONSE, 3, t.due(role, 3), 0, answer))]


@fault("rdmap.atomic-response-id")
def atomic_response_id(t, role):
    return atomic_answer(t, role, gencaps.atomic_response_header(8, 0))


@fault("rdmap.atomic-response-length")
def atomic_response_length(t, role):
    answer = gencaps.atomic_response_header(7, 0) + bytes(20)
    return atomic_answer(t, role, answer[:t.rng.choice((0, 4, 11, 13, 32))])


@fault("rdmap.reads-outstanding")
def reads_outstanding(t, role):
    if t.model not in ("enhanced", "peer"):
        return None
    t.settle()
    places = [t.spoilt(role, untagged(gencaps.READ_REQUEST, 1, t.due(role, 1), 0, read_header(0)))
              for _ in range(t.credit[role] + 1)]
    for _ in places:
        t.spoilt(1 - role, tagged(gencaps.READ_RESPONSE, 1, 4096))
    return places[-1:]


# --- faults that end the connection -------------------------------------------------------------


def terminate(t, role, header, number=1):
    return [t.spoilt(role, untagged(gencaps.TERMINATE, 2, number, 0, header))]


@fault("rdmap.terminate-code", last=True)
def terminate_code(t, role):
    layer, etype, code = t.rng.choice(((0, 2, 0), (0, 3, 0), (1, 1, 9), (2, 0, 99), (5, 0, 0)))
    return terminate(t, role, gencaps.terminate_header(layer, etype, code))


@fault("rdmap.terminate-reserved", last=True)
def terminate_reserved(t, role):
    header = gencaps.terminate_header(*t.BARE, reserved=1 << t.rng.randrange(13))
    return terminate(t, role, header)


@fault("rdmap.terminate-length", last=True)
def terminate_length(t, role):
    return terminate(t, role, gencaps.terminate_header(*t.BARE)[:t.rng.randrange(4)])


@fault("rdmap.terminate-msn", last=True)
def terminate_msn(t, role):
    return terminate(t, role, gencaps.terminate_header(*t.BARE), t.rng.choice((0, 2, 77)))


@fault("rdmap.terminate-single", last=True)
def terminate_single(t, role):
    terminate(t, role, gencaps.terminate_header(*t.BARE))
    return terminate(t, role, gencaps.terminate_header(*t.BARE))


@fault("rdmap.terminate-final", last=True)
def terminate_final(t, role):
    terminate(t, role, gencaps.terminate_header(*t.BARE))
    return [t.send_octets(role, b"late")]




# --- whole captures -----------------------------------------------------------------------------

LINKS = ((capfile.EN10MB, ()), (capfile.EN10MB, ((0x8100, 7),)),
         (capfile.EN10MB, ((0x88A8, 7), (0x8100, 8))), (capfile.SLL, ()), (capfile.SLL2, ()),
         (capfile.RAW, ()), (capfile.NULL, ()))


def unopened(rng):
    """A capture with one connection to come, and its Dialogue."""
    link, vlans = rng.choice(LINKS)
    cap = gencaps.Capture(link=link, vlans=vlans)
    client, server = rng.choice((("10.0.0.1", "10.0.0.2"), ("fd00::1", "fd00::2")))
    isn = (rng.choice((rng.getrandbits(32), 2**32 - 300)), rng.choice((1000, 2**32 - 500)))
    conn = cap.connection(client=(client, 40000), server=(server, rng.choice(talks.PORTS)), isn=isn,
                          initiator=rng.choice((0, 0, 0, 1)))
    return cap, Dialogue(rng, conn, rng.random() < 0.5)


def dialogue(rng, steps):
    """The same with the connection under way."""
    cap, talk = unopened(rng)
    talk.startup()
    talk.step(first=True)
    talk.flush(INITIATOR)
    for _ in range(rng.randrange(steps)):
        talk.step()
    return cap, talk


def conformant(rng, steps=30):
    """Returns a Capture without a fault."""
    cap, talk = dialogue(rng, steps)
    talk.end()
    return cap


def finish(talk):
    """The end of a connection that is over: in order where that is asked for."""
    if talk.over == "close" or (talk.over != "reset" and talk.rng.random() < 0.5):
        talk.conn.close()
    else:
        talk.conn.reset(talk.rng.randrange(2))


def badly_begun(rng, steps):
    """Returns a Capture with one fault in the startup, its name and the expected findings."""
    while True:
        name = rng.choice(sorted(startup_faults.STARTUPS))
        function, rules, role, model, also = startup_faults.STARTUPS[name]
        cap, talk = unopened(rng)
        role = rng.randrange(2) if role is None else role
        talk.model = model or talk.model
        places = function(talk, role)
        if places is not None:
            break
    if not talk.over:
        talk.step(first=True)
        talk.flush(INITIATOR)
        for _ in range(rng.randrange(steps)):
            talk.step()
        talk.end()
    else:
        finish(talk)
    return cap, name, Due(rules, role, places, also, talk.lengths, talk.answers)


def faulty(rng, steps=20):
    """Returns a Capture with one fault, its name and the expected findings."""
    if rng.random() < 0.35:
        return badly_begun(rng, steps)
    made = None
    while made is None:
        made = spoilt(rng, steps, rng.choice(sorted(FAULTS)))
    return made


def spoilt(rng, steps, name):
    """The same with this fault in the midst; None where the connection drawn has no place for it."""
    cap, talk = dialogue(rng, steps)
    function, rules, also, last = FAULTS[name]
    role = rng.randrange(2)
    if last:
        talk.settle()
    places = function(talk, role)
    if places is None:
        return None
    if talk.over:
        finish(talk)
    elif last or rng.random() < 0.3:
        talk.settle()
        if name.startswith("terminate_") or rng.random() < 0.7:
            talk.conn.close()
        else:
            talk.conn.reset(rng.randrange(2))
    else:
        for _ in range(rng.randrange(steps)):
            talk.step()
        talk.end()
    return cap, name, Due(rules, role, places, also, talk.lengths)
