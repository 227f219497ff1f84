#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""once_wrong: situations that `check` once judged wrongly, each made at random.   once_wrong.py TOOL COUNT [--seed N]

COUNT captures of each; --seed 0 takes a new seed, which is printed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
from gencaps import INITIATOR, RESPONDER, tagged, untagged

PORT = ("-d", "tcp.port==7174")
KEYS = (gencaps.REQUEST_KEY, gencaps.REPLY_KEY)
SITUATIONS = []


def situation(make):
    SITUATIONS.append(make)
    return make


class Checked:
    """What `check` says of a capture."""

    def __init__(self, tool, path, *options):
        def run(form):
            words = [tool, "check", "-T", form, *options, path]
            return subprocess.run(words, capture_output=True, check=False)

        done = run("jsonl")
        self.status, self.error = done.returncode, done.stderr.decode()
        self.lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.text = run("text").stdout.decode()
        self.findings = self.of("finding")
        self.places = [(one["rule"], one["frame"]) for one in self.findings]

    def of(self, kind):
        return [line for line in self.lines if line["type"] == kind]


def silent(checked):
    """No finding; without the startup frames there may be no iWARP."""
    return not checked.findings


def nothing(checked):
    return silent(checked) and checked.status == 0


def just(*places):
    return lambda checked: checked.places == list(places)


def cuts(octets, size):
    return range(size, octets, size)


def frame_of(cap, item):
    return cap.items.index(item) + 1


def startup_like(rng):
    """A startup frame of any content."""
    return gencaps.startup_frame(rng.choice(KEYS), rng.random() < .5, rng.random() < .5, rng.random() < .5,
                                 rev=rng.choice((0, 1, 2, 3, 9)), private_data=rng.randbytes(rng.randrange(30)),
                                 reserved=rng.randrange(16), s_flag=rng.random() < .5)


def fpdu_like(rng):
    """An FPDU with a right CRC and an Untagged header of any content."""
    framer = gencaps.Framer()
    framer.crc = True
    return framer.frame(untagged(rng.choice((1, 3, 7, 12, 15)), rng.choice((0, 1, 2, 9)), rng.randrange(100), rng.randrange(9),
                                 rng.randbytes(rng.randrange(30)), dv=rng.randrange(4), rsvd=rng.randrange(16)))


def lose(rng, cap, number):
    """Takes away packets that are not of the handshake."""
    cap.drop(rng.sample(cap.items[3:], number))


def talk(rng, conn, payload, size):
    """Both sides send messages, cut in pieces of `size` octets; the Initiator begins, and the Responder answers."""
    for number in range(rng.randrange(3, 7)):
        role = (INITIATOR, RESPONDER)[rng.randrange(2) if number > 1 else number]
        octets = payload()
        conn.send_message(role, octets, cuts=cuts(len(octets) + 60, size))
    conn.close()


@situation
def startup_key_in_private_data(rng):
    """Startup frames stand in Private Data and payload, and packets are missing."""
    size = rng.choice((7, 17, 21, 32, 48, 100, 300))
    crc, markers = rng.random() < .5, [rng.random() < .5, rng.random() < .5]
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    for say, wanted in ((conn.request, markers[0]), (conn.reply, markers[1])):
        data = startup_like(rng) * rng.randrange(3) + rng.randbytes(rng.randrange(20))
        say(crc=crc, markers=wanted, private_data=data, cuts=cuts(20 + len(data), size))
    talk(rng, conn, lambda: rng.randbytes(rng.randrange(20)) + startup_like(rng) + rng.randbytes(5), size)
    lose(rng, cap, rng.randrange(1, 4))
    return cap, (), silent


def fpdus_in_payload(rng):
    crc, markers = rng.random() < .5, rng.random() < .5
    cap, conn = gencaps.started(request={"crc": crc, "markers": markers}, reply={"crc": crc, "markers": markers})
    octets = b"".join(fpdu_like(rng) for _ in range(rng.randrange(1, 3)))
    talk(rng, conn, lambda: rng.randbytes(rng.randrange(64)) + octets + rng.randbytes(9), rng.choice((17, 40, 100, 300)))
    return cap


@situation
def fpdu_in_payload_after_a_loss(rng):
    """FPDUs with right CRCs stand in payload, and packets are missing."""
    cap = fpdus_in_payload(rng)
    lose(rng, cap, rng.randrange(1, 3))
    return cap, (), silent


@situation
def fpdu_in_payload_of_unknown_crcs(rng):
    """FPDUs with right CRCs stand in payload, and the startup is missing: whether CRCs are in use is not known."""
    cap = fpdus_in_payload(rng)
    cap.drop(cap.items[:rng.randrange(3, len(cap.items))])
    return cap, PORT, silent


def shuffled(rng, cap, items):
    """Reorders packets among themselves."""
    for item in items:
        cap.swap(item, rng.choice(items))


@situation
def reply_in_octets_without_syn(rng):
    """Both startup frames come in a few octets a packet, reordered, and no SYN was captured."""
    size = rng.choice((1, 1, 2, 3, 5))
    cap = gencaps.Capture()
    conn = cap.connection()
    for say in conn.request, conn.reply:
        first = len(cap.items)
        say(crc=True, private_data=rng.randbytes(rng.randrange(10)), cuts=cuts(40, size))
        sent = cap.data_items()[-(len(cap.items) - first - 1):]
        for at in range(0, len(sent), 5):
            shuffled(rng, cap, sent[at:at + 5])
    conn.send_message(INITIATOR, b"hello")
    conn.send_message(RESPONDER, b"hello")
    conn.close()
    return cap, (), nothing


@situation
def acknowledged_inside_an_fpdu(rng):
    """Acknowledgements lie inside FPDUs of which nothing is missing."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True, "markers": rng.random() < .5})
    for number in range(4):
        role = (INITIATOR, RESPONDER)[number % 2]
        octets = conn.frame(role, untagged(gencaps.SEND, 0, conn.next_msn(role, 0), 0, rng.randbytes(rng.randrange(1, 600))))
        while octets:
            length = min(len(octets), rng.choice((50, 100, 333)))
            conn.send(role, octets[:length], ack=False)
            side = conn.side(role)
            conn.packet(1 - side, ack=conn.next[side] - rng.randrange(length))
            octets = octets[length:]
        conn.packet(1 - conn.side(role))
    conn.close()
    return cap, (), lambda checked: nothing(checked) and checked.of("connection")[0]["rules"]["inconclusive"] == 0


@situation
def wrong_request_key_in_octets(rng):
    """A Request key with a wrong bit comes in small packets: it is no streaming data."""
    key = bytearray(gencaps.REQUEST_KEY)
    key[rng.randrange(16)] ^= 1 << rng.randrange(8)
    size = rng.choice((1, 2, 3, 5, 9, 19, 20))
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.request(bytes(key), crc=True, cuts=cuts(20, size))
    request = frame_of(cap, cap.data_items()[-1])
    conn.reply(crc=True)
    reply = frame_of(cap, cap.data_items()[-1])
    conn.send_message(INITIATOR, b"hello")
    conn.send_message(RESPONDER, b"hello")
    return cap, (), just(("mpa.request-key", request), ("mpa.improper-accepted", reply))


@situation
def one_fault_many_times(rng):
    """A fault in every FPDU is reported once a connection, with a count; in JSON Lines a hundred times."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    number, role = rng.randrange(20, 301), rng.choice((INITIATOR, RESPONDER))
    conn.send_message(INITIATOR, b"hello")
    for _ in range(number):
        conn.send_message(role, b"x", ddp={"rdmap_rsvd": 2})
    lines = min(number, 100)

    def judge(checked):
        said = checked.text.count(": violation:") == 1 and "%d more of rdmap.reserved" % (number - 1) in checked.text
        return said and len(checked.findings) == lines and checked.of("summary")[0].get("repeated", 0) == number - lines

    return cap, (), judge


@situation
def pairing_of_s(rng):
    """S is the flag of the frame that is named."""
    request, reply = rng.choice((((4, 4, ""), None), (None, (4, 4, ""))))
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.request(crc=True, rev=2, enhanced=request)
    conn.reply(crc=True, rev=2, enhanced=reply)
    due = "S is %d in the MPA Reply, but %d in the Request" % (reply is not None, request is not None)
    frame = frame_of(cap, cap.data_items()[-1])
    return cap, (), lambda checked: just(("mpa.enhanced-pairing", frame))(checked) and checked.findings[0]["message"] == due


@situation
def frame_of_a_reordered_startup(rng):
    """A startup frame is of the packet that completes it, whichever of its octets that has."""
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.request(crc=True, reserved=3, cuts=cuts(20, rng.choice((3, 7, 11))))
    sent = cap.data_items()
    shuffled(rng, cap, sent)
    frame = max(frame_of(cap, item) for item in sent)
    conn.reply(crc=True)
    return cap, (), just(("mpa.flags-reserved", frame))


@situation
def no_iwarp(rng):
    """A connection that begins like a Request and goes on otherwise is not iWARP."""
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.send(INITIATOR, gencaps.REQUEST_KEY[:rng.randrange(1, 16)] + b"\r\n" + rng.randbytes(rng.randrange(40)))
    conn.close()
    return cap, (), lambda checked: (checked.status == 3 and "; 0 iWARP connections, " in checked.text and
                                     "verdict: no-iwarp" in checked.text)


@situation
def two_replies(_):
    """Both sides send a Reply: what is wrong is the key of the first one."""
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.request(gencaps.REPLY_KEY, crc=True)
    first = frame_of(cap, cap.data_items()[-1])
    conn.reply(crc=True)
    second = frame_of(cap, cap.data_items()[-1])
    conn.close()
    return cap, (), just(("mpa.request-key", first), ("mpa.improper-accepted", second))


@situation
def revision_0_once(rng):
    """A startup of the RDMA Consortium is reported once."""
    conn = conversations.rdmac()
    conn.send_message(INITIATOR, rng.randbytes(5), ddp={"dv": 0, "rv": 0})
    conn.send_message(RESPONDER, rng.randbytes(5), ddp={"dv": 0, "rv": 0})
    return conn.cap, (), lambda checked: [rule for rule, _ in checked.places] == ["mpa.rev-rdmac"]


@situation
def up_to_the_last_octet(rng):
    """TO plus length may come to 2^64-1, and not to 2^64."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    conn.send_message(INITIATOR, b"hello")
    length, past = rng.randrange(1, 200), rng.choice((0, 0, 1, 5))
    conn.write(INITIATOR, 7, 2**64 - 1 - length, rng.randbytes(length + past))
    frame = frame_of(cap, cap.data_items()[-1])
    conn.send_message(INITIATOR, b"hello")

    def judge(checked):
        return just(("ddp.to-wrap", frame))(checked) and "rfc5041-5.2-10" in checked.findings[0]["requirements"]

    return cap, (), judge if past else nothing


@situation
def message_inside_another(rng):
    """Which requirement is broken shows on the wire."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, b"half", last=False))
    conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 7, rng.randrange(2**32), b"other"))
    frame = frame_of(cap, cap.data_items()[-1])
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 4, b"half"))

    def judge(checked):
        return just(("ddp.message-order", frame))(checked) and "rfc5041-4.1-09" in checked.findings[0]["requirements"]

    return cap, (), judge


@situation
def proven_by_crc_beside_markers(rng):
    """After a gap an FPDU that its CRC proves is judged, though Markers are in use and none is near."""
    cap, conn = gencaps.started(request={"crc": True, "markers": True}, reply={"crc": True, "markers": True})
    length, number = rng.randrange(20, 60), rng.randrange(8, 20)
    for _ in range(number):
        conn.send_message(INITIATOR, rng.randbytes(length))
    gone = cap.data_items(side=0)[rng.randrange(3, number)]
    conn.send_message(INITIATOR, b"bad", ddp={"rsvd": 4})
    bad = cap.data_items()[-1]
    conn.send_message(INITIATOR, b"good")
    cap.drop([gone])
    return cap, (), just(("ddp.reserved", frame_of(cap, bad)))


@situation
def begin_of_an_fpdu_before_a_cut(rng):
    """The snapshot length cuts an FPDU, and leaves of the next one only a few octets, which may be one of ULPDU_Length."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    captured, begun = rng.randrange(300, 600), rng.choice((1, 1, 1, 2, 3, 4, 7))
    first = tagged(gencaps.WRITE, 7, rng.randrange(2**32), rng.randbytes(1400))
    length = 2 + len(first) + 4  # a multiple of four: no PAD
    conn.fpdus(INITIATOR, [first, untagged(gencaps.SEND, 0, 1, 0, rng.randbytes(300))], cuts=(length + begun - captured,))
    conn.send_message(RESPONDER, rng.randbytes(9))
    conn.close()
    cap.snap(14 + 20 + 20 + captured)
    return cap, (), nothing


@situation
def fpdu_after_a_reject(rng):
    """A side goes on after a Reject: its CRC proves the first FPDU, whatever its length and segments are."""
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    conn.request(crc=True)
    conn.reply(crc=True, reject=True)
    role = rng.choice((INITIATOR, RESPONDER))
    length, right = rng.choice((0, 20, 46, 47, 500, 3000, 60000)), rng.random() < .7
    first = len(cap.data_items())
    ulpdu = untagged(gencaps.SEND, 0, 1, 0, rng.randbytes(length))
    conn.fpdu(role, ulpdu, cuts=cuts(length + 30, rng.choice((9, 700, 1400, 70000))), crc=None if right else "bad")
    frame = frame_of(cap, cap.data_items()[first])
    conn.send_message(role, rng.randbytes(9))
    conn.close()
    return cap, (), just(("mpa.after-reject", frame), *([("mpa.fpdu-after-reject", frame)] if right else []))


@situation
def pd_length_too_small(rng):
    """PD_Length says less than the Private Data are: the FPDUs after them are found, and judged."""
    cap = gencaps.Capture()
    conn = cap.connection()
    conn.open()
    data = bytes(rng.randrange(32, 127) for _ in range(rng.randrange(9, 40)))
    less = rng.randrange(1, 8)
    conn.request(crc=True)
    conn.reply(crc=True, private_data=data, pd_length=len(data) - less)
    reply = frame_of(cap, cap.data_items()[-1])
    conn.send_message(INITIATOR, rng.randbytes(20))
    for _ in range(rng.randrange(1, 5)):
        conn.send_message(RESPONDER, rng.randbytes(rng.randrange(60)))
    conn.send_message(RESPONDER, b"bad", ddp={"rsvd": 4})
    bad = frame_of(cap, cap.data_items()[-1])
    conn.send_message(RESPONDER, b"good")
    conn.close()
    return cap, (), just(("mpa.pd-length-match", reply), ("ddp.reserved", bad))


@situation
def markers_from_elsewhere(rng):
    """Markers are agreed, and the sender counts them from another octet, or inserts none: later faults are found."""
    cap, conn = gencaps.started(request={"crc": True, "markers": True}, reply={"crc": True, "markers": True})
    framer = conn.framers[INITIATOR]
    framer.offset = 4 * rng.randrange(1, 128)
    framer.markers = rng.random() < .8
    for number in range(rng.randrange(1, 6)):
        conn.send_message(INITIATOR, rng.randbytes(rng.randrange(700)))
        first = frame_of(cap, cap.data_items()[-1]) if number == 0 else first
    conn.send_message(INITIATOR, b"bad", ddp={"rsvd": 4})
    bad = frame_of(cap, cap.data_items()[-1])
    conn.send_message(INITIATOR, rng.randbytes(rng.randrange(2000)))
    conn.close()
    return cap, (), just(("mpa.marker-first", first), ("ddp.reserved", bad))


@situation
def length_that_wraps(rng):
    """An FPDU has 65536 octets more than ULPDU_Length can say: one finding, and what follows is judged."""
    markers = rng.random() < .5
    cap, conn = gencaps.started(request={"crc": True, "markers": markers}, reply={"crc": True, "markers": markers})
    conn.send_message(INITIATOR, b"hello")
    ulpdu = untagged(gencaps.SEND, 0, 2, 0, rng.randbytes(65536 + rng.randrange(2000)))
    number = len(cap.data_items())
    conn.fpdu(INITIATOR, ulpdu, cuts=cuts(len(ulpdu), rng.choice((1400, 8900))), length=len(ulpdu) & 0xFFFF)
    frame = frame_of(cap, cap.data_items()[number])
    conn.send_message(INITIATOR, b"hello")
    conn.send_message(INITIATOR, b"bad", ddp={"rsvd": 4})
    bad = frame_of(cap, cap.data_items()[-1])
    conn.close()

    def judge(checked):
        framing = checked.findings[0] if checked.findings else {"rule": "", "expected": ""}
        return (framing["rule"] == "mpa.framing" and "65536" in framing["expected"] and framing["frame"] - frame < 2
                and checked.places[1:] == [("ddp.reserved", bad)])

    return cap, (), judge


@situation
def snapped_with_crcs(rng):
    """No CRC was captured, but the chain of ULPDU_Lengths is whole: a wrong header is found."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    role = rng.choice((INITIATOR, RESPONDER))
    conn.send_message(INITIATOR, rng.randbytes(300))
    for _ in range(rng.randrange(2, 9)):
        conn.send_message(role, rng.randbytes(rng.randrange(200, 1300)))
    conn.send_message(role, rng.randbytes(rng.randrange(200, 1300)), stag=0x1234)
    bad = frame_of(cap, cap.data_items()[-1])
    conn.send_message(role, rng.randbytes(300))
    for item in cap.items:
        item.data = item.data[:rng.choice((96, 128))]
    return cap, (), just(("rdmap.invalidate-stag", bad))


def differs(tool, make, seed, path):
    """What is wrong with a capture of a situation, or None."""
    cap, options, judge = make(random.Random(seed))
    cap.write(path)
    checked = Checked(tool, path, *options)
    if checked.status in (0, 1, 3, 4) and judge(checked):
        return None
    return "seed %d, %s: status %d, %r %s" % (seed, make.__name__, checked.status, checked.places, checked.error.strip())


def main():
    parser = argparse.ArgumentParser(description="check situations that were judged wrongly once")
    parser.add_argument("tool")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arg = parser.parse_args()
    first = arg.seed or random.SystemRandom().randrange(1, 1 << 32)
    print("seeds from %d on" % first)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.pcap")
        for seed in range(first, first + arg.count):
            for make in SITUATIONS:
                text = differs(arg.tool, make, seed, path)
                bad += text is not None
                if text:
                    print(text)
    print("%d captures of %d situations, %d differ" % (arg.count * len(SITUATIONS), len(SITUATIONS), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
