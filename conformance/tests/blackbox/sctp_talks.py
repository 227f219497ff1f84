# SPDX-License-Identifier: BSD-2-Clause
"""Conformant DDP Stream Sessions made at random, several on an association."""

import struct

import kit  # noqa: F401  isort: skip
import faults
import gencaps
import gensctp
from gensctp import ACCEPT, ACTIVE, CONTROL, ENHANCED, INITIATE, PASSIVE, REJECT, SEGMENT, TERMINATE

ROOM = 1436  # octets of user data that fit into a packet of an Ethernet


class Conn:
    """A session with the names that faults.py knows of a TCP connection."""

    def __init__(self, session):
        self.session, self.sent = session, [[], []]
        self.msn, self.next_msn = session.msn, session.next_msn

    def close(self):
        """Nothing: the association is closed once, with all its sessions."""

    reset = close


class Dialogue(faults.Dialogue):
    """One session with any payload."""

    BARE = (0, 0, 1)  # RFC 5043 has no codes of its own

    def __init__(self, rng, assoc, stream):
        session = gensctp.Session(assoc, stream, rng.choice((0, 0, 0, 1)))
        super().__init__(rng, Conn(session), rng.random() < 0.5)
        self.session, self.assoc = session, assoc
        self.room = rng.choice((40, 500, 1400, 1400, 9000))
        self.model = rng.choice(("plain", "plain", "enhanced"))
        self.frames = {}  # of messages, by TSN: the packets of each
        self.ended = [False, False]
        self.one_suffices = False  # else the last acknowledgments show what each side had received

    # messages

    def raw(self, role, ppid, body, **more):
        """Sends a message; returns its TSN."""
        side = self.session.side(role)
        tsn = self.assoc.tsn[side] & 0xFFFFFFFF
        size = more.pop("size", ROOM if len(body) > ROOM - 2 else None)
        first = len(self.assoc.cap.items) + 1
        self.session.send(role, ppid, body, size=size, **more)
        self.frames[tsn] = range(first, len(self.assoc.cap.items) + 1)
        return tsn

    def control(self, role, function, private=b"", **more):
        return self.raw(role, CONTROL, struct.pack("!H", function) + private, **more)

    def spoilt(self, role, segment, **more):
        tsn = self.raw(role, SEGMENT, segment, **more)
        self.conn.sent[role].append((tsn, segment, segment))
        return tsn

    def emit(self, role, segments):
        for segment in segments:
            self.spoilt(role, segment)

    def flush(self, role):
        """Nothing waits: SCTP keeps messages apart."""

    # beginning and end

    def words(self):
        """Enhanced data of Initiate and Accept."""
        self.credit = [self.rng.choice((1, 2, 4)) for _ in range(2)]
        return [gensctp.word(self.credit[1], self.credit[0]), gensctp.word(self.credit[0], self.credit[1])]

    def startup(self):
        enhanced = ENHANCED if self.model == "enhanced" else 0
        front = self.words() if enhanced else [b"", b""]
        self.control(ACTIVE, INITIATE + enhanced, front[0] + self.private_data(508))
        self.control(PASSIVE, ACCEPT + enhanced, front[1] + self.private_data(508))

    def end(self):
        self.settle()
        self.finish()

    def finish(self):
        """Both sides terminate, unless they did; where one suffices the other may not."""
        first = self.rng.randrange(2)
        for role in (first, 1 - first):
            suffices = self.one_suffices and any(self.ended) and self.rng.random() < 0.3
            if not self.ended[role] and not suffices:
                self.control(role, TERMINATE)
                self.ended[role] = True


def unopened(rng, **more):
    """A capture with an association, and a Dialogue on it that has sent nothing."""
    cap = gencaps.Capture()
    assoc = gensctp.Association(cap, tsn=(rng.choice((rng.getrandbits(32), 2**32 - 5)), rng.randrange(2**32)), **more)
    return cap, Dialogue(rng, assoc, rng.randrange(4))


def begun(rng):
    """A capture with one to three sessions under way."""
    cap, talk = unopened(rng)
    talk.assoc.open()
    talks = [talk] + [Dialogue(rng, talk.assoc, 4 + n) for n in range(rng.choice((0, 0, 1, 2)))]
    for each in talks:
        each.startup()
    goes_on(rng, talks)
    return cap, talks


SECOND = [gencaps.pack_ip("10.1.0.1"), gencaps.pack_ip("10.1.0.2")]


def goes_on(rng, talks):
    for _ in range(rng.randrange(20) if talks else 0):
        rng.choice(talks).step()
        if rng.random() < 0.02:  # the sides go on from other addresses, or from the first again
            talks[0].assoc.others = [rng.choice((None, address)) for address in SECOND]


def finish(talks):
    """The ends of the sessions, acknowledged."""
    for talk in talks:
        if talk.over is False:
            talk.settle()
        talk.finish()
    assoc = talks[0].assoc
    assoc.sack(0)
    assoc.sack(1)


def close(talks):
    """The ends of the sessions, and of their association."""
    finish(talks)
    talks[0].assoc.close(talks[0].rng.randrange(2))


def again(rng, talks):
    """Other sessions on the streams of these, which are over; some are refused."""
    finish(talks)
    out = [Dialogue(rng, talk.assoc, talk.session.stream) for talk in talks]
    for talk in out:
        talk.one_suffices = talks[0].one_suffices
        if rng.random() < 0.3:
            talk.control(ACTIVE, INITIATE)
            talk.control(PASSIVE, rng.choice((REJECT, TERMINATE)))
            talk.assoc.sack(talk.session.side(ACTIVE))
            talk.ended, talk.over = [True, True], True
        else:
            talk.startup()
    goes_on(rng, [talk for talk in out if not talk.over])
    return out
