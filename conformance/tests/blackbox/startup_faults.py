# SPDX-License-Identifier: BSD-2-Clause
"""Faults of the startup of a connection, and of what its first FPDUs must be.

Each function does the whole startup of a faults.Dialogue with one fault in it. It returns the place of the fault, or
None if the connection drawn has no place for it.  `t.over`: nothing follows.
"""

import struct

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
from gencaps import INITIATOR, RESPONDER, tagged, untagged

STARTUPS = {}
KEYS = (gencaps.REQUEST_KEY, gencaps.REPLY_KEY)
NUMERIC = 0x3FFE  # the largest depth; the next number says that the ULP takes care of it
UNSPECIFIED = 0x3FFF


def startup(*rules, role=None, model=None, also=()):
    """Registers a fault of one role, or of any; of one model of connection, or of any."""

    def register(function):
        STARTUPS[function.__name__] = (function, rules, role, model, also)
        return function

    return register


def changed(t, role, more, over=False):
    """A startup with other fields in the frame of a role."""
    t.open()
    flags, offered = t.negotiation()
    flags[role].update(more)
    places = t.exchange(flags)
    t.over = over
    if offered and not over:
        t.ready(offered)
    return [places[role]]


def word(t, role, ird=None, ord_=None, flags=None):
    """The same with other enhanced data: IRD, ORD or the letters of the control flags."""
    t.open()
    fields, offered = t.negotiation()
    old = fields[role]["enhanced"]
    fields[role]["enhanced"] = (old[0] if ird is None else ird, old[1] if ord_ is None else ord_,
                                old[2] if flags is None else flags)
    return t.exchange(fields)[role], fields, offered


# --- keys and the order of the frames -----------------------------------------------------------


def goes_on(t, place):
    """The Initiator's first FPDU, which accepts what it took for the Reply."""
    t.answers = [("mpa.improper-accepted", INITIATOR, place)]


def other_key(t, key):
    """A key with one octet changed, or of other letters."""
    at = t.rng.randrange(16)
    spoilt = key[:at] + bytes((key[at] ^ 1 << t.rng.randrange(8),)) + key[at + 1:]
    return t.rng.choice((key.upper(), bytes(16), key[::-1]) if spoilt in KEYS else (spoilt,))


@startup("mpa.request-key", role=INITIATOR, model="plain")
def request_key(t, role):
    """Right keys may lie in the Private Data."""
    t.conn.open()
    flags, _ = t.negotiation()
    flags[role]["key"] = other_key(t, gencaps.REQUEST_KEY)
    places = t.exchange(flags)
    t.answers = [("mpa.improper-accepted", RESPONDER, places[RESPONDER])]
    return [places[role]]


@startup("mpa.reply-key", role=RESPONDER, also=["mpa.framing"])
def reply_key(t, role):
    """After streaming data in one direction nothing would tell a key in its Private Data from a right one."""
    t.conn.open()
    flags, _ = t.negotiation()
    flags[role]["key"] = other_key(t, gencaps.REPLY_KEY)
    t.over = True
    places = t.exchange(flags)
    if t.rng.random() < 0.5 and not flags[role]["markers"]:  # which nothing else tells
        goes_on(t, t.send_octets(INITIATOR, bytes(20)))
    return [places[role]]


@startup("mpa.two-requests", role=RESPONDER)
def two_requests(t, role):
    return changed(t, role, {"key": gencaps.REQUEST_KEY}, over=True)


@startup("mpa.reply-unasked", role=RESPONDER)
def reply_unasked(t, role):
    t.conn.open()
    flags, offered = t.negotiation()
    place = t.startup_frame(RESPONDER, flags[RESPONDER])
    t.startup_frame(INITIATOR, flags[INITIATOR])
    if offered:
        t.ready(offered)
    return [place]


@startup("mpa.startup-again")
def startup_again(t, role):
    """The same frame twice: the second one stands where FPDUs begin."""
    t.open()
    flags, _ = t.negotiation()
    t.exchange(flags)
    conn = t.conn
    place = conn.next[conn.side(role)] & 0xFFFFFFFF
    conn.send(role, gencaps.startup_frame(KEYS[role], private_data=bytes(8), **flags[role]))
    t.lengths[role, place] = 20  # the fixed part of the frame
    t.over = True
    return [place]


# --- fields of the frames -----------------------------------------------------------------------


@startup("mpa.flags-reserved")
def flags_reserved(t, role):
    return changed(t, role, {"reserved": t.rng.randrange(1, 16)})


@startup("mpa.request-reject-flag", role=INITIATOR)
def request_reject_flag(t, role):
    return changed(t, role, {"reject": True})


@startup("mpa.rev", model="plain")
def rev(t, role):
    return changed(t, role, {"rev": t.rng.choice((3, 4, 7, 127, 255))}, over=t.rng.random() < 0.5)


@startup("mpa.pd-length-max", model="plain")
def pd_length_max(t, role):
    """The other side accepts the frame: the Responder with its Reply, the Initiator with its first FPDU."""
    t.open()
    flags, _ = t.negotiation()
    flags[role].update(private_data=t.rng.randbytes(t.rng.choice((513, 514, 600, 4000))))
    places = t.exchange(flags)
    if role == INITIATOR:
        t.answers = [("mpa.improper-accepted", RESPONDER, places[RESPONDER])]
    else:
        goes_on(t, t.send_octets(INITIATOR, bytes(20)))
    return [places[role]]


@startup("mpa.pd-length-max", model="plain")
def pd_length_max_refused(t, role):
    """The other side closes, rejects, or sends nothing more."""
    t.open()
    flags, _ = t.negotiation()
    flags[role].update(private_data=t.rng.randbytes(t.rng.choice((513, 514, 600, 4000))))
    flags[RESPONDER]["reject"] = role == INITIATOR and t.rng.random() < 0.5
    if flags[RESPONDER]["reject"] or role == RESPONDER:
        place = t.exchange(flags)[role]
    else:
        place = t.startup_frame(role, flags[role])
    t.over = t.rng.choice(("close", "reset"))
    return [place]


@startup("mpa.pd-length-match", model="plain")
def pd_length_long(t, role):
    """PD_Length says more than the Private Data have, and the traffic goes on: FPDUs stand where the others would."""
    t.open()
    flags, _ = t.negotiation()
    held = t.rng.choice((0, 1, 4, 30))
    flags[role].update(private_data=t.rng.randbytes(held),
                       pd_length=held + t.rng.choice((1, 2, 4, 15, 40, 100, 300)))
    place = t.exchange(flags)[role]
    t.lengths[role, place] = 20  # the fixed part of the frame
    for number in range(t.rng.randrange(2, 6)):
        for sender in (INITIATOR, RESPONDER):
            t.untagged(sender, gencaps.SEND, t.rng.randbytes(t.rng.randrange(60)))
            t.flush(sender)
    t.over = "close"
    return [place]


@startup("mpa.reply-unasked", role=RESPONDER, model="plain")
def reply_inside(t, role):
    """The Reply comes when a part of the Request is there; the rest of it is no FPDU, and nothing follows."""
    t.conn.open()
    flags, _ = t.negotiation()
    request = gencaps.startup_frame(gencaps.REQUEST_KEY, private_data=b"\xff" * t.rng.choice((1, 4, 12, 60, 512)),
                                    **flags[INITIATOR])
    part = t.rng.randrange(1, len(request))
    t.conn.send(INITIATOR, request[:part])
    place = t.startup_frame(RESPONDER, flags[RESPONDER])
    t.conn.send(INITIATOR, request[part:])
    t.over = "close"
    return [place]


@startup("mpa.pd-length-match", role=RESPONDER, model="plain")
def pd_length_and_end(t, role):
    """PD_Length of the Reply is too large, and the Responder sends nothing more but a FIN."""
    t.open()
    flags, _ = t.negotiation()
    held = t.rng.choice((0, 1, 30))
    flags[role].update(private_data=bytes(held), pd_length=held + t.rng.choice((1, 40, 300)))
    place = t.exchange(flags)[role]
    for _ in range(t.rng.randrange(1, 4)):
        t.send_octets(INITIATOR, t.rng.randbytes(t.rng.randrange(60)))
    t.over = "close"
    return [place]


@startup("mpa.responder-first", role=RESPONDER, model="plain", also=["mpa.crc"])
def answers_invalid(t, role):
    """The CRC of all that the Initiator has sent is wrong."""
    t.open()
    flags, _ = t.negotiation()
    flags[role]["crc"] = True
    t.exchange(flags)
    t.spoilt(INITIATOR, untagged(gencaps.SEND, 0, t.due(INITIATOR), 0, bytes(50)), crc="bad")
    place = t.send_octets(RESPONDER, bytes(20))
    t.over = True
    if t.conn.framers[RESPONDER].markers:
        t.lengths[role, place] = (-4, 1)
    return [place]


@startup("mpa.pd-length-match", model="plain")
def pd_length_short(t, role):
    """Less Private Data than PD_Length says, and the stream ends."""
    t.conn.open()
    flags, _ = t.negotiation()
    if role == RESPONDER:
        t.startup_frame(INITIATOR, flags[INITIATOR])
    held = t.rng.choice((0, 1, 4, 30))
    flags[role].update(private_data=t.rng.randbytes(held),
                       pd_length=held + t.rng.choice((1, 4, 200)))
    place = t.startup_frame(role, flags[role])
    t.conn.packet(t.conn.side(role), flags=capfile.FIN | capfile.ACK)
    t.over = "reset"  # what the other side does is of no account
    return [place]


@startup("mpa.pd-length-match", role=RESPONDER, model="plain")
def pd_length_covers(t, role):
    """PD_Length of the Reply covers the Responder's first FPDU at least; the Initiator goes by what was sent."""
    t.open()
    flags, _ = t.negotiation()
    held = t.rng.choice((0, 1, 4, 30, 100))
    flags[role].update(crc=True, private_data=t.rng.randbytes(held),
                       pd_length=held + t.rng.choice((36, 37, 60, 100, 400)))
    place = t.exchange(flags)[role]
    t.send_octets(INITIATOR, bytes(20))
    t.send_octets(RESPONDER, bytes(8))
    for _ in range(t.rng.randrange(5)):
        t.step()
    t.settle()
    t.over = "close"  # without a FIN less is certain
    t.lengths[role, place] = 20  # the fixed part of the frame
    return [place]


@startup("mpa.pd-length-match", model="plain")
def pd_length_surplus(t, role):
    """More Private Data than PD_Length says, before the other side can have let the sender go on."""
    t.conn.open()
    flags, _ = t.negotiation()
    if role == RESPONDER:
        t.startup_frame(INITIATOR, flags[INITIATOR])
    said = t.rng.choice((0, 1, 4, 30))
    surplus = b"\xff" * t.rng.choice((24, 50, 300))
    flags[role].update(private_data=bytes(said) + surplus, pd_length=said)
    place = t.startup_frame(role, flags[role])
    t.over = True
    place = (place + t.lengths[role, place] - len(surplus)) & 0xFFFFFFFF  # the surplus is an item of its own
    t.lengths[role, place] = len(surplus)
    if role == INITIATOR and t.rng.random() < 0.5:
        t.startup_frame(RESPONDER, flags[RESPONDER])
    return [place]


# --- enhanced connection establishment ----------------------------------------------------------


@startup("mpa.enhanced-rev", model="plain")
def enhanced_rev(t, role):
    return changed(t, role, {"s_flag": True, "private_data": bytes(8)})


@startup("mpa.enhanced-length", model="enhanced")
def enhanced_length(t, role):
    """S, and fewer than four octets of Private Data."""
    more = {"enhanced": None, "s_flag": True, "private_data": bytes(t.rng.randrange(4))}
    return changed(t, role, more, over=True)


@startup("mpa.enhanced-pairing", role=RESPONDER, model="enhanced")
def enhanced_dropped(t, role):
    return changed(t, role, {"enhanced": None, "rev": t.rng.choice((1, 2))})


@startup("mpa.enhanced-pairing", role=RESPONDER, model="plain", also=["mpa.rev-pairing"])
def enhanced_unasked(t, role):
    return changed(t, role, {"enhanced": (4, 4, ""), "rev": 2})


@startup("mpa.model-copied", role=RESPONDER)
def model_copied(t, role):
    if t.model not in ("enhanced", "peer"):
        return None
    letters = "a" + t.rng.choice("bcd") if t.model == "enhanced" else ""
    place, _, _ = word(t, role, flags=letters)
    t.over = True
    return [place]


@startup("mpa.model-flags", model="enhanced")
def model_flags(t, role):
    place, _, _ = word(t, role, flags=t.rng.choice(("b", "c", "d", "bcd")))
    return [place]


@startup("mpa.rtr-supported", role=RESPONDER, model="peer")
def rtr_supported(t, role):
    place, _, _ = word(t, role, flags="a")
    t.over = True
    return [place]


@startup("mpa.rtr-offered", role=INITIATOR, model="peer")
def rtr_offered(t, role):
    place, _, _ = word(t, role, flags="a")
    t.over = True
    return [place]


def unspecified(t, asked, answer):
    t.open()
    flags, offered = t.negotiation()
    flags[INITIATOR]["enhanced"] = asked(flags[INITIATOR]["enhanced"])
    flags[RESPONDER]["enhanced"] = answer(flags[RESPONDER]["enhanced"])
    places = t.exchange(flags)
    if offered:
        t.ready(offered)
    return [places[RESPONDER]]


@startup("mpa.ird-unspecified", role=RESPONDER, model="enhanced")
def ird_unspecified(t, role):
    return unspecified(t, lambda e: (e[0], UNSPECIFIED, e[2]), lambda e: e)


@startup("mpa.ord-unspecified", role=RESPONDER, model="enhanced")
def ord_unspecified(t, role):
    return unspecified(t, lambda e: (UNSPECIFIED, e[1], e[2]), lambda e: e)


@startup("mpa.ord-limit", role=RESPONDER, also=["rdmap.reads-outstanding"])
def ord_limit(t, role):
    if t.model not in ("enhanced", "peer"):
        return None
    low = t.rng.choice((0, 1, 3, 500))
    high = t.rng.choice((low + 1, low + 9, NUMERIC))
    return unspecified(t, lambda e: (low, e[1], e[2]), lambda e: (e[0], high, e[2]))


# --- who sends first, and what ------------------------------------------------------------------


def first_fpdu(t, role, octets):
    """Sends octets that are or begin with one FPDU of a role; returns its place."""
    t.conn.send(role, octets)
    return [t.conn.sent[role][-1][0]]


@startup("mpa.fpdu-before-reply", role=INITIATOR)
def fpdu_before_reply(t, role):
    if t.model == "peer":
        return None
    t.open()
    flags, _ = t.negotiation()
    t.startup_frame(INITIATOR, flags[INITIATOR])
    t.conn.framers[INITIATOR].markers = flags[RESPONDER]["markers"]
    t.conn.framers[INITIATOR].crc = flags[INITIATOR]["crc"] or flags[RESPONDER]["crc"]
    segment = untagged(gencaps.SEND, 0, t.due(INITIATOR), 0, bytes(20))
    if t.rdmac:
        segment = bytes((segment[0] & 0xFC, segment[1] & 0x3F)) + segment[2:]
    places = first_fpdu(t, INITIATOR, t.conn.frame(INITIATOR, segment))
    t.startup_frame(RESPONDER, flags[RESPONDER])
    return places


@startup("mpa.responder-first", role=RESPONDER)
def responder_first(t, role):
    if t.model == "peer":
        return None
    t.open()
    flags, _ = t.negotiation()
    t.exchange(flags)
    place = t.send_octets(RESPONDER, bytes(20))
    if t.conn.framers[RESPONDER].markers:
        t.lengths[role, place] = (-4, 1)  # the leading Marker begins it
    return [place]


def instead_of_rtr(t, segment):
    t.open()
    flags, _ = t.negotiation()
    t.exchange(flags)
    t.spoilt(INITIATOR, segment)
    return [t.conn.sent[INITIATOR][-1][0]]


@startup("mpa.rtr-first", role=INITIATOR, model="peer")
def rtr_first(t, role):
    """A message of the ULP in place of the RTR message."""
    send = t.rng.random() < 0.5
    return instead_of_rtr(t, untagged(gencaps.SEND, 0, t.due(INITIATOR), 0, b"hello") if send
                          else tagged(gencaps.WRITE, 1, 0, b"hello"))


@startup("mpa.rtr-type", role=INITIATOR, model="peer")
def rtr_type(t, role):
    """A type that the Reply does not name."""
    t.open()
    flags, chosen = t.negotiation()
    t.exchange(flags)
    t.ready(t.rng.choice(sorted({"b", "c", "d"} - {chosen})))
    return [t.conn.sent[INITIATOR][0][0]]


@startup("mpa.rtr-mismatch", role=INITIATOR, model="peer")
def rtr_mismatch(t, role):
    """No type is common, and the Terminate says something else."""
    t.open()
    flags, _ = t.negotiation()
    asked = t.rng.choice("bcd")
    answer = t.rng.choice(sorted({"b", "c", "d"} - {asked}))
    for side, letter in ((INITIATOR, asked), (RESPONDER, answer)):
        ird, ord_, _ = flags[side]["enhanced"]
        flags[side]["enhanced"] = (ird, ord_, "a" + letter)
    t.exchange(flags)
    header = gencaps.terminate_header(2, 0, t.rng.choice((1, 2, 3, 4)))  # 5 may be said of any fault
    t.over = "close"
    return [t.spoilt(INITIATOR, untagged(gencaps.TERMINATE, 2, 1, 0, header))]


# --- what both agreed on ------------------------------------------------------------------------


def framed_otherwise(t, role, **how):
    """Full Operation of a side that frames as it was not agreed."""
    t.open()
    flags, offered = t.negotiation()
    t.exchange(flags)
    agreed = getattr(t.conn.framers[role], next(iter(how)))
    if agreed == next(iter(how.values())) or offered:
        return None
    if role == RESPONDER:
        t.send_octets(INITIATOR, b"first")
    vars(t.conn.framers[role]).update(how)
    t.over = True
    size = t.rng.choice((4, 100, 700))
    if t.rng.random() < 0.5:
        t.spoilt(role, tagged(gencaps.WRITE, t.rng.getrandbits(32), 0, bytes(size)))
    for _ in range(t.rng.randrange(3, 9)):
        t.send_octets(role, t.rng.randbytes(size))
    return [t.conn.sent[role][0][0]]


@startup("mpa.marker-unasked")
def marker_unasked(t, role):
    places = framed_otherwise(t, role, markers=True)
    if places:  # the Marker is taken for an FPDU of no octets
        places[0] = (places[0] - 4) & 0xFFFFFFFF
        t.lengths[role, places[0]] = 8
    return places


@startup("mpa.marker-first")
def marker_first(t, role):
    places = framed_otherwise(t, role, markers=False)
    if places:  # the first four octets are taken for the Marker, or are all that is known
        t.lengths[role, places[0]] = 1
        places.append((places[0] + 4) & 0xFFFFFFFF)
        t.lengths[role, places[1]] = None
    return places


@startup("mpa.crc")
def crc_not_used(t, role):
    return framed_otherwise(t, role, crc=False)
