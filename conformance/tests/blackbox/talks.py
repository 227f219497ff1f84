# SPDX-License-Identifier: BSD-2-Clause
"""Conformant traffic made at random, and what networks and capture programs do to it."""
import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import variants

PORTS = (7174, 445, 5445, 4420, 443, 80, 20049, 3260, 50000)
SIZES = (0, 1, 2, 3, 4, 60, 300, 900, 1400, 4000)
SENDS = (gencaps.SEND, gencaps.SEND_INVALIDATE, gencaps.SEND_SE, gencaps.SEND_SE_INVALIDATE)


class Talk:
    """One connection: makes conformant messages of both sides, an operation at a time."""

    def __init__(self, rng, conn, extras):
        self.rng, self.conn, self.extras = rng, conn, extras
        self.room = rng.choice((40, 500, 1460, 1 << 16))
        self.requests = [[], []]  # by role: those that wait for their response
        self.waiting = [b"", b""]  # by role: FPDUs that are to share a packet with later ones

    def startup(self):
        rng, conn = self.rng, self.conn
        conn.open()
        rev = rng.choice((1, 1, 2))
        markers, crc = [rng.random() < 0.5 for _ in range(2)], [rng.random() < 0.5 for _ in range(2)]
        for role, start in enumerate((conn.request, conn.reply)):
            enhanced = (8, 8, "") if rev == 2 else None
            cuts = [rng.randrange(1, 60) for _ in range(rng.randrange(3))]
            start(markers=markers[role], crc=crc[role], rev=rev, enhanced=enhanced, cuts=cuts,
                  private_data=rng.randbytes(rng.choice((0, 0, 7, 60))))

    def emit(self, role, segments):
        """Frames segments; now and then they wait for the next ones of their side."""
        octets = self.waiting[role] + b"".join(self.conn.frame(role, segment) for segment in segments)
        self.waiting[role] = octets
        if self.rng.random() < 0.6:
            self.flush(role)

    def flush(self, role):
        octets, self.waiting[role] = self.waiting[role], b""
        if octets:
            cuts = [self.rng.randrange(1, len(octets) + 1) for _ in range(self.rng.choice((0, 0, 1, 3)))]
            cuts += range(16384, len(octets), 16384)
            self.conn.send(role, octets, cuts, ack=self.rng.random() < 0.5)

    def payload(self):
        return self.rng.randbytes(self.rng.choice(SIZES))

    def untagged(self, role, opcode, payload, ulp=0):
        msn = self.conn.next_msn(role, gencaps.QUEUE.get(opcode, 0))
        qn = gencaps.QUEUE.get(opcode, 0)
        self.emit(role, gencaps.untagged_segments(opcode, qn, msn, payload, max(self.room, 60), ulp))

    def send(self, role):
        opcode = self.rng.choice(SENDS)
        self.untagged(role, opcode, self.payload(), self.rng.randrange(1, 9) if opcode in SENDS[1::2] else 0)

    def write(self, role):
        stag, to = self.rng.randrange(1, 9), self.rng.randrange(1 << 40)
        self.emit(role, gencaps.tagged_segments(gencaps.WRITE, stag, to, self.payload(), self.room))

    def request(self, role):
        """Asks for an RDMA Read or an Atomic Operation, or answers the oldest request of the other side."""
        if self.requests[1 - role]:
            self.flush(1 - role)
            self.answer(role, *self.requests[1 - role].pop(0))
        elif len(self.requests[role]) < 4 and self.extras and self.rng.random() < 0.5:
            number = self.rng.getrandbits(32)
            self.requests[role].append((None, number, 0))
            compare = self.rng.choice(((gencaps.FETCH_ADD, 0, 2**64 - 1), (gencaps.CMP_SWAP, 2, 7)))
            header = gencaps.atomic_request_header(compare[0], number, 5, 4096, 1, 0, *compare[1:])
            self.untagged(role, gencaps.ATOMIC_REQUEST, header)
        elif len(self.requests[role]) < 4:
            asked = (self.rng.randrange(100, 109), self.rng.randrange(1 << 40), self.rng.choice(SIZES))
            self.requests[role].append(asked)
            self.untagged(role, gencaps.READ_REQUEST, gencaps.read_request_header(*asked, 77, 4096))

    def answer(self, role, stag, to, size):
        if stag is None:
            self.untagged(role, gencaps.ATOMIC_RESPONSE, gencaps.atomic_response_header(to, self.rng.getrandbits(64)))
        else:
            self.emit(role, gencaps.tagged_segments(gencaps.READ_RESPONSE, stag, to, self.rng.randbytes(size), self.room))

    def immediate(self, role):
        self.untagged(role, self.rng.choice((gencaps.IMMEDIATE, gencaps.IMMEDIATE_SE)), self.rng.randbytes(8))

    def step(self, first=False):
        role = 0 if first else self.rng.randrange(2)
        acts = [self.send, self.write, self.request] + ([self.immediate] if self.extras else [])
        self.rng.choice(acts)(role)

    def end(self):
        rng = self.rng
        how = rng.randrange(4)
        if how == 0:
            self.untagged(rng.randrange(2), gencaps.TERMINATE, gencaps.terminate_header(2, 0, 5))
        for role in (0, 1):
            self.flush(role)
        if how == 1:
            self.conn.reset(rng.randrange(2))
        elif how > 1:
            self.conn.close()


def conformant(rng):
    """A capture file's packets as gencaps makes them, and the ports of its connections."""
    link, vlans = rng.choice(((capfile.EN10MB, ()), (capfile.EN10MB, ((0x8100, 7),)), (capfile.EN10MB, ((0x88A8, 7), (0x8100, 8))),
                              (capfile.SLL, ()), (capfile.SLL2, ()), (capfile.RAW, ()), (capfile.NULL, ())))
    cap = gencaps.Capture(link=link, vlans=vlans)
    talks, ports = [], []
    for number in range(rng.choice((1, 1, 2, 3))):
        six = rng.random() < 0.4
        port = rng.choice(PORTS)
        client, server = ("fd00::1", "fd00::2") if six else ("10.0.0.1", "10.0.0.2")
        conn = cap.connection(client=(client, 40000 + number), server=(server, port),
                              isn=(rng.getrandbits(32), rng.choice((1000, 2**32 - 500))))
        ports.append(port)
        talks.append(Talk(rng, conn, rng.random() < 0.5))
    for talk in talks:
        talk.startup()
        talk.step(first=True)
        talk.flush(0)
    for _ in range(rng.randrange(10, 60)):
        rng.choice(talks).step()
    for talk in talks:
        talk.end()
    return cap, ports


def written(packets, link, path, rng):
    """Writes packets in one of the formats of captures."""
    how = rng.randrange(4)
    if how == 0:
        capfile.write_pcapng(path, packets, link)
    else:
        capfile.write_pcap(path, packets, link, order="<>"[how & 1], nano=how == 3)


# What may have happened to packets on their way, and to the capture of them.
CHANGES = {
    "cut": lambda p, rng: variants.resegmented(p, rng, 4),
    "twice": variants.duplicated,
    "recut": lambda p, rng: variants.recut(p),
    "reordered": variants.reordered,
    "lossy": lambda p, rng: variants.dropped(p, rng.choice((3, 7, 11)), rng.randrange(3)),
    "one-sided": lambda p, rng: variants.one_direction(p, rng.randrange(2)),
    "fragments": variants.fragmented,
    "sliced": lambda p, rng: variants.snapped(p, rng.choice((160, 200, 600))),
    "headers cut": lambda p, rng: variants.snapped(p, rng.choice((70, 80, 96, 128))),
}
# With these alone, what is right does not depend on how well lost FPDU boundaries are found again: an independent decoder
# must find the same.
CERTAIN = {"cut", "twice", "recut", "reordered", "fragments"}
