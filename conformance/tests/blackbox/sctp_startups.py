# SPDX-License-Identifier: BSD-2-Clause
"""Faults of RFC 5043 and of RFC 6581 9 over SCTP, each in a session of a random association.

Each function is given a sctp_talks.Dialogue and a role, and returns the TSNs at which the fault
may be reported, or None.  Those of STARTS do the startup of the session themselves.
"""

import struct

import kit  # noqa: F401  isort: skip
import faults
import gensctp
import sctp_talks
from gencaps import untagged
from gensctp import ACCEPT, ACTIVE, CONTROL, DDP, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT, TERMINATE, word

STARTS, MIDST = {}, {}


def start(*rules, role=None, also=(), **association):
    def register(function):
        STARTS[function.__name__] = (function, rules, role, also, association)
        return function

    return register


def midst(*rules, role=None, also=()):
    def register(function):
        MIDST[function.__name__] = (function, rules, role, also)
        return function

    return register


def faulty(rng):
    """Returns a Capture with one fault, its name, the expected findings and its Dialogue; or None."""
    name = rng.choice(sorted(STARTS) + sorted(MIDST))
    return begun_badly(rng, name) if name in STARTS else goes_wrong(rng, name)


def begun_badly(rng, name):
    function, rules, role, also, association = STARTS[name]
    cap, talk = sctp_talks.unopened(rng, **association)
    role = rng.randrange(2) if role is None else role
    talk.assoc.open()
    places = function(talk, role)
    if places is None:
        return None
    if not talk.over:
        sctp_talks.goes_on(rng, [talk])
    sctp_talks.close([talk])
    return cap, name, faults.Due(rules, role, places, also), talk


def goes_wrong(rng, name):
    function, rules, role, also = MIDST[name]
    cap, talks = sctp_talks.begun(rng)
    role = rng.randrange(2) if role is None else role
    for talk in talks:
        talk.settle()
    places = function(talks[0], role)
    if places is None:
        return None
    if not talks[0].over:
        sctp_talks.goes_on(rng, talks)
    sctp_talks.close(talks)
    return cap, name, faults.Due(rules, role, places, also), talks[0]


# --- the association ----------------------------------------------------------------------------


def init_of(talk, side):
    """The place of the INIT or INIT ACK of a side."""
    place = talk.assoc.first[side] & 0xFFFFFFFF
    talk.frames[place] = range(1 + side, 2 + side)
    return [place]


def unjudged(talk, role, side):
    """Who is initiator does not follow from who sends the INIT."""
    talk.startup()
    place = init_of(talk, side)
    return place if talk.session.side(role) == side else None


@start("sctp.adaptation", adaptation=(DDP, None))
def no_adaptation(talk, role):
    return unjudged(talk, role, 1)


@start("sctp.adaptation", adaptation=(7, DDP))
def other_adaptation(talk, role):
    return unjudged(talk, role, 0)


@start("sctp.stream-count", streams=((8, 16), (8, 8)))
def stream_count(talk, role):
    return unjudged(talk, role, 0)


# --- Initiate and its answer --------------------------------------------------------------------


def exchanged(talk, role, functions, private, over=False):
    """Initiate and answer; returns the place of one of them."""
    places = [talk.control(side, functions[side], private[side]) for side in (ACTIVE, PASSIVE)]
    talk.over = over
    return [places[role]]


@start("sctp.private-data-length")
def private_data_length(talk, role):
    private = [b"", b""]
    private[role] = bytes(talk.rng.choice((513, 600, 1400)))
    return exchanged(talk, role, (INITIATE, ACCEPT), private, over=True)


@start("sctp.enhanced-length")
def enhanced_length(talk, role):
    private = [word(4, 4), word(4, 4)]
    private[role] = bytes(talk.rng.randrange(4))
    return exchanged(talk, role, (INITIATE + ENHANCED, ACCEPT + ENHANCED), private, over=True)


@start("sctp.enhanced-pairing", role=PASSIVE)
def pairing(talk, role):
    enhanced = talk.rng.random() < 0.5
    functions = (INITIATE + ENHANCED, ACCEPT) if enhanced else (INITIATE, ACCEPT + ENHANCED)
    return exchanged(talk, role, functions, [word(4, 4), word(4, 4)], over=True)


def words(talk, role, request, reply):
    functions = (INITIATE + ENHANCED, ACCEPT + ENHANCED)
    return exchanged(talk, role, functions, [word(*request), word(*reply)], over=True)


@start("mpa.model-copied", role=PASSIVE, also=["mpa.rtr-supported"])
def model_copied(talk, role):
    flags = ("a" + talk.rng.choice("bcd"), "")
    return words(talk, role, *((4, 4, f) for f in (flags if talk.rng.random() < 0.5 else flags[::-1])))


@start("mpa.model-flags")
def model_flags(talk, role):
    flags = ["", ""]
    flags[role] = talk.rng.choice(("b", "c", "d", "bd"))
    return words(talk, role, *((4, 4, f) for f in flags))


@start("mpa.rtr-supported", role=PASSIVE)
def rtr_supported(talk, role):
    return words(talk, role, (4, 4, "ab"), (4, 4, "a"))


@start("mpa.ird-unspecified", role=PASSIVE)
def ird_unspecified(talk, role):
    return words(talk, role, (4, 0x3FFF, ""), (4, 4, ""))


@start("mpa.ord-unspecified", role=PASSIVE)
def ord_unspecified(talk, role):
    return words(talk, role, (0x3FFF, 4, ""), (4, 4, ""))


@start("mpa.ord-limit", role=PASSIVE)
def ord_limit(talk, role):
    low = talk.rng.choice((0, 1, 7))
    return words(talk, role, (low, 4, ""), (4, low + talk.rng.choice((1, 50)), ""))


@start("sctp.ddp-ssn", role=ACTIVE)
def initiate_numbered(talk, role):
    """The Initiate has another DDP-SSN than 0."""
    talk.session.ssn[ACTIVE] = talk.rng.choice((1, 2, 900))
    place = talk.control(ACTIVE, INITIATE)
    talk.control(PASSIVE, ACCEPT)
    talk.over = True
    return [place]


@start("sctp.session-order", role=ACTIVE)
def initiate_twice(talk, role):
    talk.control(ACTIVE, INITIATE)
    place = talk.control(ACTIVE, INITIATE)
    talk.control(PASSIVE, ACCEPT)
    return [place]


@start("sctp.ddp-ssn", role=ACTIVE)
def initiate_again(talk, role):
    """Another Initiate with DDP-SSN 0, before any answer."""
    talk.control(ACTIVE, INITIATE)
    if talk.rng.random() < 0.5:
        talk.assoc.sack(talk.session.side(PASSIVE))
    talk.session.ssn[ACTIVE] = 0
    place = talk.control(ACTIVE, INITIATE)
    talk.control(PASSIVE, ACCEPT)
    talk.over = True
    return [place]


@start("sctp.session-order", role=PASSIVE)
def both_initiate(talk, role):
    talk.control(ACTIVE, INITIATE)
    place = talk.control(PASSIVE, INITIATE)
    talk.over = True
    return [place]


@start("sctp.session-order", role=ACTIVE)
def after_reject(talk, role):
    talk.control(ACTIVE, INITIATE)
    talk.control(PASSIVE, REJECT, b"no")
    talk.ended = [True, True]
    talk.over = True
    return [talk.spoilt(ACTIVE, untagged(3, 0, 1, 0, b"hello"))]


@start("sctp.segment-before-answer", role=ACTIVE)
def segment_before_answer(talk, role):
    talk.control(ACTIVE, INITIATE)
    talk.assoc.sack(talk.session.side(PASSIVE))
    talk.assoc.sack(talk.session.side(ACTIVE))
    chunks = talk.session.chunks(ACTIVE, SEGMENT, untagged(3, 0, talk.due(ACTIVE), 0, b"hello"))
    side = talk.session.side(ACTIVE)
    place = (talk.assoc.tsn[side] - 1) & 0xFFFFFFFF
    talk.assoc.packet(side, [talk.assoc.sack_chunk(side)] + chunks, sack=False)
    talk.control(PASSIVE, ACCEPT)
    return [place]


@start("sctp.overtaking", role=ACTIVE, also=["sctp.segment-before-answer"])
def overtaking(talk, role):
    first = talk.session.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE))
    place = talk.assoc.tsn[talk.session.side(ACTIVE)] & 0xFFFFFFFF
    second = talk.session.chunks(ACTIVE, SEGMENT, untagged(3, 0, talk.due(ACTIVE), 0, b"hello"))
    talk.assoc.packet(talk.session.side(ACTIVE), first + second)
    talk.control(PASSIVE, ACCEPT)
    return [place]


# --- a message in the midst ---------------------------------------------------------------------


@midst("sctp.unordered")
def ordered(talk, role):
    return [talk.spoilt(role, untagged(3, 0, talk.due(role), 0, b"hello"), flags=0)]


@midst("sctp.ppid")
def other_ppid(talk, role):
    return [talk.raw(role, talk.rng.choice((0, 1, 15, 18, 46)), b"some other protocol", ssn=0, number=False)]


@midst("sctp.fragmentation")
def needless_fragments(talk, role):
    return [talk.spoilt(role, untagged(3, 0, talk.due(role), 0, bytes(100)), size=talk.rng.choice((20, 61)))]


@midst("sctp.message-length", also=["sctp.ddp-ssn"])
def message_length(talk, role):
    talk.over = True
    return [talk.raw(role, CONTROL, bytes(talk.rng.randrange(2)))]


@midst("sctp.function-code")
def function_code(talk, role):
    talk.over = True
    return [talk.control(role, talk.rng.choice((0, 8, 9, 0x100, 0xFFFE)))]


@midst("sctp.terminate-private-data")
def terminate_private_data(talk, role):
    talk.ended[role] = talk.over = True
    return [talk.control(role, TERMINATE, bytes(talk.rng.choice((1, 4, 100))))]


@midst("sctp.ddp-ssn", also=["ddp.message-order", "ddp.msn-sequence", "ddp.mo-contiguous", "ddp.to-contiguous",
                              "ddp.last-flag-missing"])
def number_again(talk, role):
    """The DDP-SSN of the message before: where that is missing, this one stands in its place."""
    talk.session.ssn[role] -= 1
    place = talk.spoilt(role, untagged(3, 0, talk.due(role), 0, b"again"))
    talk.over = True
    return [place]


@midst("sctp.ddp-ssn")
def number_ahead(talk, role):
    talk.session.ssn[role] += talk.rng.choice((1, 2, 40, 20000))
    place = talk.spoilt(role, untagged(3, 0, talk.due(role), 0, b"ahead"))
    talk.over = True
    return [place]


@midst("sctp.session-order")
def control_again(talk, role):
    return [talk.control(role, talk.rng.choice((INITIATE, ACCEPT, REJECT)))]


@midst("sctp.session-order")
def begins_again(talk, role):
    """The Initiate of another session, though neither side has terminated this one.

    That one is terminated: where the end of this one may be missing, nothing that is there is wrong.
    """
    talk.session.ssn = [0, 0]
    talk.over = True
    place = talk.control(role, INITIATE)
    talk.control(1 - role, ACCEPT)
    return [place]


@midst("sctp.session-order")
def after_terminate(talk, role):
    talk.ended[role] = talk.over = True
    talk.control(role, TERMINATE)
    return [talk.spoilt(role, untagged(3, 0, talk.due(role), 0, b"late"))]


@midst("sctp.terminate-missing")
def terminate_missing(talk, role):
    talk.ended = [True, True]
    talk.over = True
    return []


@midst("sctp.stream-reuse", role=ACTIVE)
def stream_reuse(talk, role):
    """The Initiate of the next session beside the Terminate of this one."""
    session = talk.session
    side = session.side(ACTIVE)
    talk.control(PASSIVE, TERMINATE)
    chunks = session.chunks(ACTIVE, CONTROL, struct.pack("!H", TERMINATE))
    place = talk.assoc.tsn[side] & 0xFFFFFFFF
    again = gensctp.Session(talk.assoc, session.stream, session.active)
    talk.assoc.packet(side, chunks + again.chunks(ACTIVE, CONTROL, struct.pack("!H", INITIATE)))
    talk.session = again
    talk.control(PASSIVE, ACCEPT)
    talk.over = True
    return [place]
