# SPDX-License-Identifier: BSD-2-Clause
"""scenarios: the synthetic captures that gencaps.py writes, each a function of its name."""

import os
import random

import capfile
import gencaps
from gencaps import Capture, INITIATOR, RESPONDER, started

SCENARIOS = []
OFF, ON = {}, {"markers": True}


def scenario(name=None, args=(), variants=True, **write):
    """Registers a function that returns a Capture.

    args: options of refdec and the tool; variants: whether check_variants.py can derive from it
    (not from nonsense: what is wrong in it depends on what went before).
    """

    def register(function):
        label = name or function.__name__.replace("_", "-")
        SCENARIOS.append((label, function, {"args": list(args), "variants": variants}, write))
        return function

    return register


def write_all(folder):
    """Writes every scenario; returns the index: file names and how to treat them."""
    index = []
    for name, function, entry, write in SCENARIOS:
        suffix = "pcapng" if write.get("fmt") == "pcapng" else "pcap"
        file = "%s.%s" % (name, suffix)
        function().write(os.path.join(folder, file), **write)
        index.append(dict(file=file, **entry))
    return index


def octets(rng, count):
    return bytes(rng.getrandbits(8) for _ in range(count))


def every_opcode(conn, rng):
    """Each of the twelve messages, in both directions, with answers where they have one."""
    for role in (INITIATOR, RESPONDER):
        peer = 1 - role
        conn.send_message(role, octets(rng, 5))
        conn.send_message(role, octets(rng, 7), gencaps.SEND_SE)
        conn.send_message(role, octets(rng, 100), gencaps.SEND_INVALIDATE, stag=0x11223344)
        conn.send_message(role, b"", gencaps.SEND_SE_INVALIDATE, stag=0xFFFFFFFF)
        conn.write(role, 0x8001, 2**64 - 700, octets(rng, 600), room=250)
        conn.read_request(role, 0x77, 0x1234, 1300, 0x99, 2**63)
        conn.read_response(peer, 0x77, 0x1234, octets(rng, 1300), room=500)
        conn.immediate(role, octets(rng, 8))
        conn.immediate(role, octets(rng, 8), gencaps.IMMEDIATE_SE)
        conn.atomic_request(role, gencaps.FETCH_ADD, 7, 0x99, 64, 5, 0)
        conn.atomic_response(peer, 7, 2**64 - 1)
        conn.atomic_request(role, gencaps.CMP_SWAP, 8, 0x99, 72, 5, 2**64 - 1, 3, 2**32)
        conn.atomic_response(peer, 8, 0)
        conn.send_message(role, octets(rng, 3000), room=700)
    conn.terminate(RESPONDER, 0, 0, 0)


def _opcodes(mine, theirs, crc, rev):
    def build():
        cap, conn = started(request={"markers": mine, "crc": crc, "rev": rev},
                            reply={"markers": theirs, "rev": rev})
        every_opcode(conn, random.Random(1))
        conn.close()
        return cap

    return build


for _mine in (False, True):
    for _theirs in (False, True):
        for _crc in (False, True):
            _rev = (_mine + _theirs + _crc) % 3
            scenario("opcodes-m%d%d-c%d-rev%d" % (_mine, _theirs, _crc, _rev))(
                _opcodes(_mine, _theirs, _crc, _rev))


# --- framing ------------------------------------------------------------------------------------


def _marker_sweep(crc):
    """A small FPDU at every place between two markers, with every pad length."""

    def build():
        cap, conn = started(request=ON, reply=dict(ON, crc=crc))
        rng = random.Random(2)
        for size in (14, 15, 16, 17, 26, 27, 28, 29, 460, 461, 462, 463, 1000):
            for _ in range(24):
                conn.write(INITIATOR, 1, 0, octets(rng, size - 14), ack=False)
                if size != 1000:
                    conn.write(RESPONDER, 1, 0, octets(rng, size - 14), ack=False)
        return cap

    return build


scenario("marker-sweep")(_marker_sweep(False))
scenario("marker-sweep-crc")(_marker_sweep(True))


@scenario(variants=False)
def marker_every_word():
    """FPDUs of 8 to 24 octets packed one after another through several marker periods."""
    cap, conn = started(request=dict(ON, crc=True), reply=ON)
    ulpdus = [bytes([0xC1, 0x40] + [9] * 16)[:1 + n % 18] for n in range(700)]
    for role in (INITIATOR, RESPONDER):
        octets_ = b"".join(conn.frame(role, u) for u in ulpdus)
        conn.send(role, octets_, cuts=range(0, len(octets_), 1448))
    return cap


def _lengths(markers, crc):
    def build():
        cap, conn = started(request={"markers": markers, "crc": crc}, reply={"markers": markers})
        rng = random.Random(3)
        conn.send_message(INITIATOR, b"first")
        conn.send_message(RESPONDER, b"first")
        samples = (0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 18, 19, 20, 45, 46, 47, 505, 506, 507,
                   508, 509, 510, 511, 512, 513, 1014, 1018, 1020, 4090, 16384, 64768, 64769,
                   65022, 65023, 65526, 65527, 65535)
        for length in samples:
            body = octets(rng, max(length - 14, 0))
            ulpdu = gencaps.tagged(gencaps.WRITE, 5, length, body)[:length]
            frame = conn.frame(INITIATOR if length % 2 else RESPONDER, ulpdu)
            conn.send(INITIATOR if length % 2 else RESPONDER, frame,
                      cuts=range(1000, len(frame), 20000))
        return cap

    return build


for _markers in (False, True):
    for _crc in (False, True):
        scenario("lengths-m%d-c%d" % (_markers, _crc), variants=False)(_lengths(_markers, _crc))


@scenario()
def many_fpdus_per_segment():
    cap, conn = started(request={"crc": True})
    for role in (INITIATOR, RESPONDER):
        for burst in range(5):
            ulpdus = [gencaps.untagged(3, 0, burst * 30 + i + 1, 0, bytes(i)) for i in range(30)]
            conn.fpdus(role, ulpdus)
    return cap


@scenario()
def fpdus_across_segments():
    cap, conn = started(request=dict(ON, crc=True), reply=ON)
    rng = random.Random(4)
    for role in (INITIATOR, RESPONDER):
        ulpdus = [gencaps.tagged(0, 1, i, octets(rng, i * 37 % 900)) for i in range(60)]
        octets_ = b"".join(conn.frame(role, u) for u in ulpdus)
        cuts = [rng.randrange(len(octets_)) for _ in range(90)] + list(range(2000))
        conn.send(role, octets_, cuts=cuts, ack=False)
    return cap


@scenario()
def one_huge_fpdu_many_segments():
    cap, conn = started(request=ON, reply=dict(ON, crc=True))
    conn.fpdu(INITIATOR, gencaps.tagged(0, 1, 0, bytes(range(256)) * 250),
              cuts=range(0, 66000, 1448))
    conn.send_message(INITIATOR, b"after")
    return cap


@scenario()
def bad_frames():
    """Wrong CRC, pad and markers in FPDUs of right length."""
    cap, conn = started(request=dict(ON, crc=True), reply=ON)
    for role in (INITIATOR, RESPONDER):
        conn.send_message(role, b"ok")
        conn.send_message(role, b"crc", mpa={"crc": "bad"})
        conn.send_message(role, b"ok again")
        conn.send_message(role, b"pad", mpa={"pad": b"\xff"})
        conn.send_message(role, bytes(600), mpa={"marker": lambda i, p: b"\x80\0\xff\xff"})
        conn.send_message(role, b"between")
        conn.send_message(role, bytes(700), mpa={"marker": lambda i, p: b"\0\0\0\0"})
        conn.send_message(role, bytes(482), mpa={"crc": 0})
        conn.send_message(role, bytes(48))
    return cap


def _broken_length(markers, crc, length):
    """An FPDU whose ULPDU_Length is not the one of what follows."""

    def build():
        cap, conn = started(request={"crc": crc}, reply={"markers": markers})
        for i in range(12):
            conn.send_message(INITIATOR, bytes((i,)) * 200,
                              mpa={"length": length} if i == 2 else None)
        return cap

    return build


for _markers in (False, True):
    for _length in (60, 230):
        scenario("broken-length-m%d-%d" % (_markers, _length))(
            _broken_length(_markers, True, _length))


def _wrap(isn, markers):
    def build():
        cap, conn = started(request={"markers": markers, "crc": True},
                            reply={"markers": markers}, isn=isn)
        rng = random.Random(5)
        for _ in range(8):
            conn.write(INITIATOR, 1, 0, octets(rng, 400), room=150)
            conn.send_message(RESPONDER, octets(rng, 777), room=300)
        conn.close()
        return cap

    return build


for _i, _isn in enumerate(((2**32 - 1, 2**32 - 20), (2**32 - 30, 2**32 - 2),
                           (2**32 - 1000, 2**32 - 2049), (2**31 - 500, 2**31 - 1))):
    scenario("wrap-%d" % _i)(_wrap(_isn, True))
    scenario("wrap-%d-plain" % _i)(_wrap(_isn, False))


# --- startup ------------------------------------------------------------------------------------


@scenario()
def enhanced_rtr():
    """Three connections, each with another kind of RTR message."""
    cap = Capture()
    for i, (flag, rtr) in enumerate((("b", "send"), ("c", "write"), ("d", "read"))):
        conn = cap.connection(client=("10.0.0.1", 40000 + i), isn=(i * 99999, i * 77777))
        conn.open()
        conn.request(rev=2, enhanced=(8, 0x3FFF, "a" + flag), private_data=b"hello", crc=i > 0)
        conn.reply(rev=2, enhanced=(0x3FFF, 8, "abcd"), private_data=b"")
        if rtr == "send":
            conn.send_message(INITIATOR)
        elif rtr == "write":
            conn.write(INITIATOR)
        else:
            conn.read_request(INITIATOR)
            conn.read_response(RESPONDER)
        conn.send_message(RESPONDER, b"now")
        conn.close()
    return cap


@scenario()
def revisions():
    cap = Capture()
    for i, (rev, s_flag, private) in enumerate((
            (0, False, b""), (1, True, b"abcdef"), (2, False, b"abcd"), (2, True, b"abcd"),
            (2, True, b"abc"), (2, True, b""), (3, True, b"abcd"), (255, False, b"x" * 512),
            (1, False, b"y" * 513), (1, False, b"z" * 1500))):
        conn = cap.connection(client=("10.0.0.1", 41000 + i), isn=(i * 5000, i * 6000))
        conn.open()
        conn.request(rev=rev, s_flag=s_flag, private_data=private, reserved=i % 16)
        conn.reply(rev=rev, s_flag=s_flag, private_data=private[::-1])
        conn.send_message(INITIATOR, b"ab")
        conn.send_message(RESPONDER, b"abc")
    return cap


@scenario()
def split_startup():
    """Startup frames octet by octet, then FPDUs likewise."""
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request(private_data=b"0123456789", crc=True, cuts=range(30))
    conn.reply(private_data=b"9876543210", cuts=range(30))
    conn.send_message(INITIATOR, b"octet by octet", cuts=range(60))
    return cap


def _prologue(lead):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.send(INITIATOR, b"HELLO " * lead)
        conn.send(RESPONDER, b"HELLO ACK " * lead)
        conn.request(crc=True)
        conn.reply(markers=True)
        for _ in range(5):
            conn.send_message(INITIATOR, bytes(300))
            conn.send_message(RESPONDER, bytes(100))
        return cap

    return build


for _lead in (1, 3, 700):
    scenario("prologue-%d" % _lead)(_prologue(_lead))


@scenario()
def prologue_in_the_same_segment():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.send(INITIATOR, b"streaming data, then MPA ID Re" +
              gencaps.startup_frame(gencaps.REQUEST_KEY), cuts=(37,))
    conn.send(RESPONDER, b"answer" + gencaps.startup_frame(gencaps.REPLY_KEY, crc=True))
    for framer in conn.framers:
        framer.crc = True
    conn.send_message(INITIATOR, b"x")
    conn.send_message(RESPONDER, b"y")
    return cap


@scenario()
def plain_tcp():
    """No iWARP at all."""
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.send(INITIATOR, b"GET / HTTP/1.0\r\n\r\n")
    conn.send(RESPONDER, b"HTTP/1.0 200 OK\r\n\r\nMPA ID Re")
    conn.close()
    return cap


def _two_requests(markers, crc):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.request(crc=crc, private_data=b"one")
        conn.reply(key=gencaps.REQUEST_KEY, markers=markers, private_data=b"two")
        conn.send_message(INITIATOR, bytes(900))
        conn.send_message(RESPONDER, b"xyz")
        return cap

    return build


scenario("two-requests")(_two_requests(False, True))
scenario("two-requests-markers")(_two_requests(True, False))


@scenario()
def server_is_initiator():
    cap, conn = started(initiator=1, request={"markers": True}, reply={"crc": True})
    every_opcode(conn, random.Random(6))
    return cap


def _reject(early):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.request(crc=True)
        if early:
            conn.send_message(INITIATOR, b"too early")
        conn.reply(reject=True, private_data=b"no")
        conn.send(INITIATOR, b"streaming again")
        conn.send(RESPONDER, b"streaming answer", cuts=(4,))
        conn.send(INITIATOR, b"and more")
        conn.close()
        return cap

    return build


scenario("reject")(_reject(False))
scenario("reject-early-fpdu")(_reject(True))


@scenario()
def reject_with_hole():
    cap, conn = started(reply={"reject": True})
    for i in range(6):
        conn.send(INITIATOR, b"streaming %d " % i, lose=i in (2, 3))
        conn.send(RESPONDER, b"answer %d" % i, lose=i == 0)
    return cap


@scenario()
def reply_with_wrong_key():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request(crc=True)
    conn.reply(key=b"MPA ID Rep Frama", private_data=b"pd")
    conn.terminate(INITIATOR, 2, 0, 4)
    return cap


@scenario()
def reply_is_http():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request()
    conn.send(RESPONDER, b"HTTP/1.0 400 Bad Request\r\n\r\n")
    conn.close()
    return cap


@scenario()
def reply_is_short():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request()
    conn.send(RESPONDER, b"220 hello")
    conn.close()
    return cap


@scenario()
def request_with_wrong_key():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request(key=b"MPA id Req Frame", private_data=b"pd", crc=True)
    conn.reply()
    conn.send_message(INITIATOR, b"a")
    conn.send_message(RESPONDER, b"b")
    return cap


@scenario()
def reply_key_first():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request(key=gencaps.REPLY_KEY)
    conn.close()
    return cap


def _cut_startup(role, count, pd_length):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        key = gencaps.REQUEST_KEY
        if role == RESPONDER:
            conn.request(private_data=b"whole")
            key = gencaps.REPLY_KEY
        frame = gencaps.startup_frame(key, rev=2, s_flag=True, private_data=bytes(range(40)),
                                      pd_length=pd_length)
        conn.send(role, frame[:count])
        conn.close()
        return cap

    return build


for _role in (INITIATOR, RESPONDER):
    for _count in (10, 16, 19, 20, 22, 24, 50):
        scenario("cut-startup-%d-%d" % (_role, _count))(_cut_startup(_role, _count, 40))


@scenario()
def fpdu_before_reply():
    cap = Capture()
    conn = cap.connection()
    conn.open()
    conn.request(crc=True)
    conn.send_message(INITIATOR, b"early", ack=False)
    conn.reply()
    conn.send_message(INITIATOR, b"late")
    conn.send_message(RESPONDER, b"answer")
    return cap


def _no_reply(markers, crc, junk):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.request()
        conn.framers[INITIATOR].markers = markers
        conn.framers[INITIATOR].crc = crc
        if junk:
            conn.send(INITIATOR, b"this is no FPDU at all, whatever one may think of it")
        for i in range(4):
            conn.send_message(INITIATOR, bytes(333 * i))
        return cap

    return build


for _markers in (False, True):
    for _crc in (False, True):
        scenario("no-reply-m%d-c%d" % (_markers, _crc))(_no_reply(_markers, _crc, False))
scenario("no-reply-junk")(_no_reply(False, False, True))


def _responder_first(junk):
    def build():
        cap, conn = started(reply={"crc": True})
        if junk:
            conn.send(RESPONDER, b"surplus octets of the private data")
        else:
            conn.send_message(RESPONDER, b"too early")
        conn.send_message(INITIATOR, b"first")
        conn.send_message(RESPONDER, b"second")
        return cap

    return build


scenario("responder-first")(_responder_first(False))
scenario("responder-first-junk")(_responder_first(True))


# --- RDMAP --------------------------------------------------------------------------------------


@scenario()
def terminates():
    """The Terminate in all forms, complete and cut, one connection each."""
    inner_tagged = gencaps.tagged(0, 1, 2)
    inner_untagged = gencaps.untagged(1, 1, 1)
    rdma = gencaps.read_request_header(1, 2, 3, 4, 5)
    term = gencaps.terminate_header
    headers = [term(0, 0, 0), term(1, 2, 5, 46), term(0, 1, 0, 46, inner_untagged, rdma),
               term(1, 1, 1, 18, inner_tagged), term(2, 0, 2), term(2, 3, 2, reserved=0x1FFF),
               term(0, 2, 6, None, inner_tagged, bits=2), term(0, 2, 7, None, inner_untagged),
               term(0, 1, 0, None, inner_untagged, rdma, bits=3), term(15, 15, 255, bits=0)]
    headers += [headers[2] + b"surplus", headers[2][:50], headers[2][:23], headers[3][:19],
                headers[1][:5], headers[0][:3], b"", term(0, 1, 0, rdma=rdma, bits=1)]
    cap = Capture()
    for i, header in enumerate(headers):
        conn = cap.connection(client=("10.0.0.1", 42000 + i))
        conn.open()
        conn.request(markers=i % 2 == 1, crc=True)
        conn.reply()
        conn.send_message(INITIATOR, b"x")
        conn.terminate(RESPONDER, 0, 0, 0, header)
        conn.close()
    return cap


@scenario(variants=False)
def odd_messages():
    """Reserved opcodes and bits, versions, wrong T, wrong queues, headers cut or too long."""
    cap, conn = started(request={"crc": True})
    for opcode in range(16):
        conn.fpdu(INITIATOR, gencaps.untagged(opcode, 7, 2**32 - 1, 0, bytes(60)))
        conn.fpdu(INITIATOR, gencaps.tagged(opcode, 2**32 - 1, 2**64 - 1, bytes(60)))
    for bits in ({"dv": 0}, {"dv": 3}, {"rv": 0}, {"rv": 2}, {"rsvd": 15}, {"rdmap_rsvd": 3},
                 {"last": False}):
        conn.send_message(RESPONDER, b"bits", ddp=bits)
    for opcode, size in ((1, 28), (8, 8), (9, 8), (10, 52), (11, 12), (7, 4)):
        for more in (-size, -1, 1, 8):
            conn.fpdu(RESPONDER, gencaps.untagged(opcode, 1, 1, 0, bytes(size + more)))
    conn.fpdu(INITIATOR, gencaps.untagged(1, 1, 1, 28, bytes(28)))
    for size in range(20):
        conn.fpdu(INITIATOR, gencaps.untagged(3, 0, 1, 0)[:size])
        conn.fpdu(RESPONDER, gencaps.tagged(0, 0, 1)[:size])
    return cap


# --- losses -------------------------------------------------------------------------------------


def _busy(markers, crc, aligned, seed, count=60):
    """A connection with much data both ways, FPDUs at segment starts or not."""
    cap, conn = started(request={"markers": markers, "crc": crc}, reply={"markers": markers})
    rng = random.Random(seed)
    conn.send_message(INITIATOR, b"go")
    for role in (INITIATOR, RESPONDER):
        ulpdus = []
        for i in range(count):
            payload = octets(rng, rng.choice((0, 5, 30, 300, 1200)))
            ulpdus.append(gencaps.tagged(0, 7, i, payload) if i % 3 else
                          gencaps.untagged(3, 0, conn.next_msn(role, 0), 0, payload))
        if aligned:
            for ulpdu in ulpdus:
                conn.fpdu(role, ulpdu, ack=False)
        else:
            octets_ = b"".join(conn.frame(role, u) for u in ulpdus)
            conn.send(role, octets_, cuts=range(0, len(octets_), 1000), ack=False)
    return cap, conn


def _loss(markers, crc, aligned, seed):
    def build():
        cap, _ = _busy(markers, crc, aligned, seed)
        rng = random.Random(seed + 100)
        items = cap.data_items()[3:]
        cap.drop([item for item in items if rng.random() < 0.12])
        return cap

    return build


for _markers in (False, True):
    for _crc in (False, True):
        for _aligned in (False, True):
            for _seed in (11, 12):
                scenario("loss-m%d-c%d-a%d-%d" % (_markers, _crc, _aligned, _seed))(
                    _loss(_markers, _crc, _aligned, _seed))


@scenario()
def lost_lead_marker():
    """The hole ends between a marker with FPDUPTR 0 and the ULPDU_Length after it."""
    cap, conn = started(request={"crc": True}, reply=ON)
    conn.send_message(INITIATOR, bytes(100))
    lost = conn.frame(INITIATOR, gencaps.untagged(3, 0, 2, 0, bytes(360)))
    frame = conn.frame(INITIATOR, gencaps.untagged(3, 0, 3, 0, bytes(700)))
    conn.send(INITIATOR, lost + frame[:4], lose=True)
    conn.send(INITIATOR, frame[4:])
    conn.send_message(INITIATOR, bytes(9), msn=4)
    return cap


def _lost_startup(which, markers, crc):
    def build():
        cap = Capture()
        conn = cap.connection()
        conn.open()
        conn.request(markers=markers, crc=crc, lose="request" in which)
        conn.reply(markers=markers, crc=crc, lose="reply" in which)
        for i in range(6):
            conn.send_message(INITIATOR, bytes(200 * i), lose="first" in which and i == 0)
            conn.send_message(RESPONDER, bytes(150 * i), lose="first" in which and i == 0)
        conn.close()
        return cap

    return build


for _which in ("request", "reply", "first", "request-first", "reply-first"):
    for _flags in ((False, False), (False, True), (True, True)):
        scenario("lost-%s-m%d-c%d" % ((_which,) + _flags))(_lost_startup(_which, *_flags))


def _tail(fin, unfinished):
    def build():
        cap, conn = started(request={"crc": True})
        conn.send_message(INITIATOR, bytes(100))
        frame = conn.frame(INITIATOR, gencaps.untagged(3, 0, 2, 0, bytes(2000)))
        conn.send(INITIATOR, frame[:1000], ack=False)
        conn.send(INITIATOR, frame[1000:], lose=True, ack=False)
        if unfinished:
            frame = conn.frame(RESPONDER, gencaps.untagged(3, 0, 1, 0, bytes(500)))
            conn.send(RESPONDER, frame[:unfinished])
        if fin:
            conn.close()
        return cap

    return build


scenario("tail-lost")(_tail(False, 1))
scenario("tail-lost-fin")(_tail(True, 5))
scenario("tail-unfinished")(_tail(False, 300))


def _one_side(role, markers, crc):
    def build():
        cap, conn = _busy(markers, crc, True, 13, 20)
        cap.items = [item for item in cap.items if item.side == conn.side(role)]
        return cap

    return build


for _role in (INITIATOR, RESPONDER):
    for _flags in ((False, False), (False, True), (True, False), (True, True)):
        scenario("one-side-%d-m%d-c%d" % ((_role,) + _flags))(_one_side(_role, *_flags))


def _midstream(markers, crc, aligned, skip):
    def build():
        cap, _ = _busy(markers, crc, aligned, 14)
        first = cap.data_items()[skip]
        cap.items = cap.items[cap.items.index(first):]
        return cap

    return build


for _markers in (False, True):
    for _crc in (False, True):
        for _aligned in (False, True):
            scenario("midstream-m%d-c%d-a%d" % (_markers, _crc, _aligned),
                     args=["--decode-port", "7174"])(_midstream(_markers, _crc, _aligned, 9))
scenario("midstream-unasked")(_midstream(False, True, True, 9))
scenario("midstream-reported", args=["--decode-port", "7174", "--markers", "off", "--crc", "on"])(
    _midstream(False, True, False, 9))
scenario("midstream-reported-markers",
         args=["--decode-port", "7174", "--markers", "on", "--crc", "off"])(
             _midstream(True, False, False, 9))
scenario("midstream-with-startup", args=["--decode-port", "7174"])(_loss(True, True, True, 15))


def _snapped(length, markers, crc):
    def build():
        cap, _ = _busy(markers, crc, True, 16, 30)
        cap.snap(length)
        return cap

    return build


for _length in (96, 128, 400):
    scenario("snap-%d" % _length)(_snapped(_length, False, False))
    scenario("snap-%d-crc" % _length)(_snapped(_length, False, True))
    scenario("snap-%d-markers" % _length)(_snapped(_length, True, True))
scenario("snap-in-header")(_snapped(70, False, False))
scenario("snap-in-key")(_snapped(72, False, False))


# --- TCP, IP and the link -----------------------------------------------------------------------


@scenario()
def port_reuse():
    cap = Capture()
    for i in range(3):
        conn = cap.connection(isn=(1000 + i * 2**30, 5000 + i * 2**29))
        conn.open()
        conn.request(crc=i != 1)
        conn.reply(markers=i == 2)
        conn.send_message(INITIATOR, bytes(600 + i))
        conn.send_message(RESPONDER, bytes(10 + i))
        if i:
            conn.close()
        else:
            conn.reset()
    return cap


@scenario()
def interleaved_connections():
    cap = Capture()
    conns = []
    for i in range(6):
        conn = cap.connection(client=("10.0.0.%d" % (i // 2 + 1), 40000 + i % 2), isn=(i, i * 7))
        conn.open()
        conns.append(conn)
    for i in (3, 1, 5, 0, 2, 4):
        conns[i].request(markers=i % 2 == 0, crc=i % 3 == 0, private_data=bytes(i))
    for i in (5, 4, 3, 2, 1, 0):
        conns[i].reply(markers=i > 3)
    for n in range(5):
        for conn in conns:
            conn.send_message(INITIATOR, bytes(100 * n))
            conn.send_message(RESPONDER, bytes(90 * n))
    return cap


@scenario(variants=False)  # with one copy less, another copy's octets count
def overlaps():
    """A bad copy first, then a good one; a second copy with other octets; partial overlaps."""
    cap, conn = started(request={"crc": True})
    base = conn.next[0]
    octets_ = b"".join(conn.frame(INITIATOR, gencaps.untagged(3, 0, i + 1, 0, bytes([i]) * 50))
                       for i in range(12))
    wrong = bytes(b ^ 0x55 for b in octets_)
    flags = capfile.PSH | capfile.ACK

    def put(start, stop, source=octets_, check="good"):
        conn.packet(0, source[start:stop], flags, seq=base + start, check=check)

    put(0, 100, wrong, "bad")
    put(0, 100)
    put(100, 200)
    put(100, 200, wrong)
    put(150, 320)
    put(300, 500, wrong, "bad")
    put(400, 600)
    put(280, 420)
    put(600, 640, octets_, "offload")
    put(600, 640, wrong, "bad")
    put(630, len(octets_))
    conn.next[0] += len(octets_)
    conn.packet(1)
    conn.packet(0, b"\0", flags, seq=base - 1)
    return cap


@scenario()
def bad_checksums_only():
    cap, conn = started(request={"crc": True})
    for i in range(5):
        frame = conn.frame(INITIATOR, gencaps.untagged(3, 0, i + 1, 0, bytes(i)))
        conn.send(INITIATOR, frame, check="bad" if i == 2 else "good")
    return cap


def _shuffled(seed, markers):
    def build():
        cap, conn = _busy(markers, True, False, seed, 40)
        rng = random.Random(seed)
        for side in (0, 1):
            items = cap.data_items(conn, side)[2:]
            for first, second in zip(items[::2], items[1::2]):
                if rng.random() < 0.7:
                    cap.swap(first, second)
        for item in rng.sample(cap.data_items(), 15):
            again = gencaps.Item(item.time, item.data, item.link, conn, item.side, item.length)
            cap.items.insert(min(len(cap.items), cap.items.index(item) + rng.randrange(1, 9)),
                             again)
        return cap

    return build


for _seed in range(4):
    scenario("shuffled-%d" % _seed)(_shuffled(20 + _seed, _seed % 2 == 0))


def _linked(link, vlans, client, server, ip):
    def build():
        cap, conn = started(Capture(link=link, vlans=vlans), request={"crc": True},
                            reply={"markers": True}, client=(client, 40000),
                            server=(server, 7174), ip=ip)
        every_opcode(conn, random.Random(7))
        conn.close()
        return cap

    return build


V4 = ("10.0.0.1", "10.0.0.2")
V6 = ("fd00::1", "fe80::ffff:1.2.3.4")
HOP = [(0, b"\0" + bytes(6)), (60, b"\1" + bytes(14)), (43, b"\0" + bytes(6))]
for _name, _link, _vlans, _ends, _ip in (
        ("vlan", 1, [(0x8100, 5)], V4, {}), ("qinq", 1, [(0x88A8, 5), (0x8100, 6)], V4, {}),
        ("triple-tag", 1, [(0x9100, 5), (0x88A8, 5), (0x8100, 6)], V6, {}),
        ("sll", 113, [], V4, {}), ("sll-v6", 113, [], V6, {}), ("sll2", 276, [], V4, {}),
        ("sll2-v6", 276, [], V6, {}), ("raw", 101, [], V4, {}), ("raw-v6", 101, [], V6, {}),
        ("ipv4", 228, [], V4, {}), ("ipv6", 229, [], V6, {}), ("null", 0, [], V4, {}),
        ("null-v6", 0, [], V6, {}), ("loop", 108, [], V4, {}), ("loop-v6", 108, [], V6, {}),
        ("options", 1, [], V4, {"options": b"\x94\x04\0\0" + b"\1" * 8}),
        ("extensions", 1, [], V6, {"extensions": HOP}),
        ("fragments", 1, [], V4, {"fragment": 104}), ("fragments-v6", 1, [], V6, {"fragment": 64}),
        ("total-length-0", 1, [], V4, {"total_length": 0}),
        ("payload-length-0", 1, [], V6, {"total_length": 0})):
    scenario("link-" + _name)(_linked(_link, _vlans, _ends[0], _ends[1], _ip))
for _name, _write in (("ng", {"fmt": "pcapng"}), ("ng-be", {"fmt": "pcapng", "order": ">"}),
                      ("ng-3", {"fmt": "pcapng", "interfaces": 3}), ("be", {"order": ">"}),
                      ("nano", {"nano": True}), ("nano-be", {"nano": True, "order": ">"})):
    scenario("format-" + _name, **_write)(_linked(1, [], V4[0], V4[1], {}))


@scenario()
def ethernet_padding():
    """Frames padded to 60 octets: the pad is no TCP payload."""
    cap, conn = started()
    conn.send_message(INITIATOR, b"")
    for item in cap.items:
        item.data += bytes(max(0, 60 - len(item.data)))
        item.wire_len = len(item.data)
    return cap


@scenario()
def super_segments():
    cap, conn = started(request={"crc": True})
    ulpdus = [gencaps.tagged(0, 1, i, bytes(1400)) for i in range(40)]
    octets_ = b"".join(conn.frame(INITIATOR, u) for u in ulpdus)
    conn.send(INITIATOR, octets_, check="offload")
    return cap


@scenario()
def well_known_ports():
    cap = Capture()
    for port in (5445, 4420, 445, 443, 80, 20049, 3260):
        conn = cap.connection(server=("10.0.0.2", port))
        conn.open()
        conn.request()
        conn.reply()
        conn.send_message(INITIATOR, b"port")
    return cap


def _random(seed):
    """Everything at once, by the dice; nothing is lost for even seeds."""

    def build():
        rng = random.Random(1000 + seed)
        v6 = rng.random() < 0.3
        flags = [{"markers": rng.random() < 0.5, "crc": rng.random() < 0.5,
                  "rev": rng.randrange(3)} for _ in (0, 1)]
        cap, conn = started(request=flags[0], reply=flags[1], initiator=rng.randrange(2),
                            client=((V6 if v6 else V4)[0], 40000),
                            server=((V6 if v6 else V4)[1], rng.randrange(1, 65536)),
                            isn=(rng.getrandbits(32), rng.getrandbits(32)))
        conn.send_message(INITIATOR, b"go")
        for burst in range(12):
            role = rng.randrange(2)
            ulpdus = []
            for _ in range(rng.randrange(1, 9)):
                opcode, size = rng.randrange(12), rng.choice((0, 1, 2, 3, 8, 28, 52, 400, 1400))
                if opcode in (0, 2):
                    ulpdus.append(gencaps.tagged(opcode, rng.getrandbits(32), rng.getrandbits(64),
                                                 octets(rng, size), last=rng.random() < 0.6))
                else:
                    ulpdus.append(gencaps.untagged(opcode, gencaps.QUEUE.get(opcode, 0), burst + 1,
                                                   0, octets(rng, size)))
            octets_ = b"".join(conn.frame(role, u) for u in ulpdus)
            cuts = [rng.randrange(len(octets_)) for _ in range(rng.randrange(6))]
            conn.send(role, octets_, cuts, ack=rng.random() < 0.8)
        if seed % 2:
            items = cap.data_items()[3:]
            cap.drop(rng.sample(items, max(1, len(items) // 12)))
        return cap

    return build


for _seed in range(40):
    scenario("random-%02d" % _seed, variants=False)(_random(_seed))


def _clean(seed):
    """Conformant traffic by the dice: every Read and Atomic answered, every MSN in its order."""

    def build():
        rng = random.Random(2000 + seed)
        flags = [{"markers": rng.random() < 0.5, "crc": rng.random() < 0.5} for _ in (0, 1)]
        cap, conn = started(request=flags[0], reply=flags[1], initiator=rng.randrange(2),
                            isn=(rng.getrandbits(32), rng.getrandbits(32)))
        conn.send_message(INITIATOR, b"go")
        for number in range(30):
            role, room = rng.randrange(2), rng.choice((100, 700, 1400))
            payload = octets(rng, rng.choice((0, 1, 2, 3, 64, 900, 4000)))
            cuts = [rng.randrange(1, 1500) for _ in range(rng.randrange(3))]
            how = {"room": room, "cuts": cuts}
            kind = rng.randrange(6)
            if kind == 0:
                conn.send_message(role, payload, rng.choice((3, 5)), **how)
            elif kind == 1:
                conn.send_message(role, payload, rng.choice((4, 6)), stag=0x1000 + number, **how)
            elif kind == 2:
                conn.write(role, 0x2000, rng.getrandbits(40), payload, **how)
            elif kind == 3:
                conn.read_request(role, 0x3000, 4096, len(payload), 0x4000, 0)
                conn.read_response(1 - role, 0x3000, 4096, payload, **how)
            elif kind == 4:
                conn.immediate(role, octets(rng, 8), rng.choice((8, 9)))
            else:
                conn.atomic_request(role, gencaps.FETCH_ADD, number, 0x4000, 8, 1)
                conn.atomic_response(1 - role, number, rng.getrandbits(64))
        conn.close()
        return cap

    return build


for _seed in range(20):
    scenario("clean-%02d" % _seed)(_clean(_seed))
