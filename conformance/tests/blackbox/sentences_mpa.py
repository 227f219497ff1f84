# SPDX-License-Identifier: BSD-2-Clause
"""Sentences of RFC 5044 and RFC 6581 about startup frames, Markers, CRCs and who sends first."""

import struct

import kit  # noqa: F401  isort: skip
import conversations
import gencaps
from cited import here, sentence
from crc32c import crc32c
from gencaps import INITIATOR, REPLY_KEY, REQUEST_KEY, RESPONDER, tagged, untagged


def opened():
    conn = gencaps.Capture().connection()
    conn.open()
    return conn


def send_of(size, msn=1):
    return untagged(gencaps.SEND, 0, msn, 0, bytes(size))


# --- startup frames -----------------------------------------------------------------------------


def frames(rule, request, reply, *ids, wrong=RESPONDER):
    """Startup frames with these fields; the field in `wrong` has the fault."""

    @sentence(rule, *ids)
    def startup():
        conn = opened()
        conn.request(**request)
        if wrong == INITIATOR:
            here(conn)
        conn.reply(**reply)
        return conn if wrong == INITIATOR else here(conn)


def other_letter(key):
    return key[:-1] + b"E"


KEY = {"key": other_letter(REQUEST_KEY)}, {}
frames("mpa.request-key", *KEY, "rfc5044-7.1.1-01", "rfc5044-7.1.2-01", "rfc6581-6-01", wrong=INITIATOR)
frames("mpa.reply-key", {}, {"key": other_letter(REPLY_KEY)}, "rfc5044-7.1.1-04", "rfc6581-6-01")
frames("mpa.two-requests", {}, {"key": REQUEST_KEY}, "rfc5044-7.1.1-04", "rfc5044-7.1.2-31")
frames("mpa.flags-reserved", {"reserved": 8}, {}, "rfc5044-7.1.1-21", wrong=INITIATOR)
frames("mpa.flags-reserved", {"rev": 2, "enhanced": (4, 4, "")}, {"rev": 2, "enhanced": (4, 4, ""), "reserved": 1},
       "rfc5044-7.1.1-21", "rfc6581-6-04")
frames("mpa.request-reject-flag", {"reject": True}, {}, "rfc5044-7.1.1-18", wrong=INITIATOR)
frames("mpa.rev", {"rev": 3}, {}, "rfc5044-7.1.1-23", wrong=INITIATOR)
frames("mpa.rev", {}, {"rev": 255}, "rfc5044-7.1.1-23")
frames("mpa.rev-pairing", {}, {"rev": 2}, "rfc5044-C.1-03")
frames("mpa.pd-length-max", {"private_data": bytes(513)}, {}, "rfc5044-7.1.1-34", wrong=INITIATOR)
frames("mpa.pd-length-max", {"rev": 2, "enhanced": (4, 4, "")},
       {"rev": 2, "enhanced": (4, 4, ""), "private_data": bytes(509)}, "rfc6581-9-02")
frames("mpa.enhanced-rev", {"rev": 1, "enhanced": (4, 4, "")}, {}, "rfc6581-6-03", "rfc6581-6-07", wrong=INITIATOR)
frames("mpa.enhanced-length", {"rev": 2, "s_flag": True}, {}, "rfc6581-6-11", "rfc6581-6-10", "rfc6581-6-03",
       wrong=INITIATOR)
frames("mpa.enhanced-pairing", {"rev": 2, "enhanced": (4, 4, "")}, {"rev": 2}, "rfc6581-10-02", "rfc6581-10-08")
frames("mpa.enhanced-pairing", {"rev": 2}, {"rev": 2, "enhanced": (4, 4, "")}, "rfc6581-10-04", "rfc6581-10-09")


def accepted(request, reply, *ids, by=RESPONDER):
    """One of the frames with these fields is not properly formatted, and its receiver goes on."""

    @sentence("mpa.improper-accepted", *ids)
    def improper():
        conn = opened()
        conn.request(**request)
        conn.reply(**reply)
        if by == RESPONDER:
            here(conn)
        conn.send_message(INITIATOR, b"hello")
        return conn if by == RESPONDER else here(conn)


ANY_ROLE = "rfc5044-8-09", "rfc5044-7.1.2-24"
LONG = "rfc5044-7.1.1-31", "rfc5044-7.1.2-33", "rfc5044-7.1.2-36", "rfc5044-8-09"
accepted(*KEY, "rfc5044-7.1.1-02", "rfc5044-7.1.2-04", "rfc5044-8-04", "rfc5044-7.1.3-01", "rfc5044-7.1.4.2-02", *ANY_ROLE)
accepted({}, {"key": other_letter(REPLY_KEY)}, "rfc5044-7.1.1-05", "rfc5044-7.1.2-17", *ANY_ROLE, by=INITIATOR)
accepted({"private_data": bytes(513)}, {}, *LONG, "rfc5044-7.1.2-04")
accepted({}, {"private_data": bytes(513)}, *LONG, "rfc5044-7.1.2-17", by=INITIATOR)
accepted({}, {"key": REQUEST_KEY}, "rfc5044-7.1.1-05", "rfc5044-7.1.2-24", "rfc5044-7.1-10", by=INITIATOR)


@sentence("mpa.two-requests", "rfc5044-7.1.2-31")
def both_begin_and_one_has_received():
    """Requests that cross are right; this Responder had received the other one."""
    conn = opened()
    conn.request()
    conn.startup(RESPONDER, REQUEST_KEY)
    return here(conn)


@sentence("mpa.reply-unasked", "rfc5044-7.1.2-03", "rfc5044-7.1.2-15")
def reply_before_request():
    conn = opened()
    conn.reply()
    here(conn)
    conn.request()
    return conn


@sentence("mpa.pd-length-match", "rfc5044-7.1.1-28")
def less_private_data_than_said():
    conn = opened()
    conn.request(private_data=bytes(8), pd_length=12)
    return here(conn)


@sentence("mpa.pd-length-match", "rfc5044-7.1.1-29")
def private_data_of_no_length():
    conn = opened()
    conn.request(private_data=b"who is there?" * 2, pd_length=0)
    here(conn)
    conn.reply()
    return conn


@sentence("mpa.pd-length-match", "rfc5044-7.1-05")
def request_with_a_crc_field():
    conn = opened()
    conn.request(private_data=struct.pack("<I", 0x12345678), pd_length=0)
    here(conn)
    conn.reply()
    return conn


@sentence("mpa.pd-length-match", "rfc6581-6-10")
def enhanced_data_not_counted():
    conn = opened()
    conn.request(rev=2, enhanced=(4, 4, ""), private_data=b"who is there?", pd_length=13)
    here(conn)
    conn.reply(rev=2, enhanced=(4, 4, ""))
    return conn


@sentence("mpa.after-reject", "rfc5044-7.1.1-20")
def goes_on_after_a_reject():
    conn = conversations.plain(reply={"reject": True})
    conn.send_message(INITIATOR, b"hello")
    return here(conn)


# --- RDMA Consortium ----------------------------------------------------------------------------

BOTH = {"rev": 0, "markers": True, "crc": True}
frames("mpa.rev-rdmac", BOTH, BOTH, "rfc5044-C.3-01", wrong=INITIATOR)
frames("mpa.rdmac-flags", {**BOTH, "markers": False}, BOTH, "rfc5044-C.2.1-01", wrong=INITIATOR)
frames("mpa.rdmac-flags", {"crc": True}, {**BOTH, "markers": False}, "rfc5044-C.2.2-01", "rfc5044-C.2.5-02")
frames("mpa.rdmac-flags", BOTH, {**BOTH, "markers": False}, "rfc5044-C.2.3-01", "rfc5044-C.2.5-02")
frames("mpa.rdmac-flags", BOTH, {**BOTH, "crc": False}, "rfc5044-C.2.4-01")


# --- RFC 6581 -----------------------------------------------------------------------------------


def depths(rule, request, reply, *ids, wrong=RESPONDER):
    frames(rule, {"rev": 2, "enhanced": request}, {"rev": 2, "enhanced": reply}, *ids, wrong=wrong)


depths("mpa.ord-limit", (3, 4, ""), (4, 5, ""), "rfc6581-9.1-06", "rfc6581-9.1-08", "rfc6581-9.1-10")
depths("mpa.rtr-offered", (4, 4, "a"), (4, 4, "a"), "rfc6581-9.3-01", wrong=INITIATOR)
depths("mpa.rtr-supported", (4, 4, "abcd"), (4, 4, "a"), "rfc6581-9.2-11")


@sentence("mpa.rtr-first", "rfc6581-1.1-02")
def ready_with_payload():
    conn = conversations.peer("b", "b")
    conn.send_message(INITIATOR, b"ready")
    return here(conn)


@sentence("mpa.rtr-first", "rfc6581-3-02", "rfc6581-5-02", "rfc6581-9.3-04", "rfc6581-9.2-14")
def message_before_ready():
    conn = conversations.peer("c", "c")
    conn.write(INITIATOR, payload=b"hello")
    here(conn)
    conn.write(INITIATOR)
    return conn


@sentence("mpa.rtr-type", "rfc6581-1.1-03", "rfc6581-9.2-14")
def ready_of_a_type_that_one_side_lacks():
    conn = conversations.peer("bcd", "bd")
    conn.write(INITIATOR)
    return here(conn)


@sentence("mpa.rtr-type", "rfc6581-8-01", "rfc6581-9.2-15", "rfc6581-9.2-16", "rfc6581-9.3-05")
def ready_although_no_type_is_common():
    conn = conversations.peer("b", "c")
    conn.write(INITIATOR)
    return here(conn)


def no_match(triple, *ids):
    @sentence("mpa.rtr-mismatch", *ids)
    def terminate():
        conn = conversations.peer("b", "c")
        conn.terminate(INITIATOR, *triple)
        return here(conn)


no_match((2, 0, 2), "rfc6581-8-03", "rfc6581-9.2-17", "rfc6581-9.2-15")
no_match((1, 0, 0), "rfc6581-8-02", "rfc6581-8-01", "rfc6581-9.3-05")


# --- who sends first ----------------------------------------------------------------------------


@sentence("mpa.fpdu-before-reply", "rfc5042-4-01", "rfc5040-6.1-01", "rfc5044-7.1.2-14", "rfc5044-7.1.2-16")
def fpdu_beside_the_request():
    conn = opened()
    conn.request(crc=True)
    conn.send_message(INITIATOR, b"hello")
    here(conn)
    conn.reply(crc=True)
    return conn


@sentence("mpa.responder-first", "rfc5044-7.1.2-23", "rfc5044-7.1.3-02", "rfc6581-3-03")
def fpdu_beside_the_reply():
    conn = conversations.plain()
    conn.send_message(RESPONDER, b"hello")
    here(conn)
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("mpa.responder-first", "rfc5044-7.1.2-23")
def answers_an_fpdu_with_a_wrong_crc():
    """It cannot have validated one."""
    conn = conversations.plain()
    conn.fpdu(INITIATOR, send_of(8), crc="bad")
    conn.send_message(RESPONDER, b"hello")
    return here(conn)


@sentence("mpa.responder-first", "rfc5044-7.1.2-23")
def marker_beside_the_reply():
    """Not even a Marker before the first FPDU."""
    conn = conversations.plain(request={"markers": True})
    octets = conn.frame(RESPONDER, send_of(8))
    conn.send(RESPONDER, octets[:4])
    here(conn)
    conn.send_message(INITIATOR, b"hello")
    conn.send(RESPONDER, octets[4:])
    return conn


# --- CRC and PAD --------------------------------------------------------------------------------


def wrong_crc(value_of, *ids, segment=None, markers=None):
    """The CRC of the last FPDU of the Initiator is another function of its octets; `markers`:
    octets that are sent before."""

    @sentence("mpa.crc", *ids)
    def crc():
        conn = conversations.plain() if markers is None else conversations.markers()
        if markers:
            conn.fpdu(INITIATOR, send_of(markers))
        ulpdu = segment or send_of(9, 2 if markers else 1)
        begin = conn.framers[INITIATOR].offset
        octets = conn.frame(INITIATOR, ulpdu)
        conn.send(INITIATOR, octets[:-4] + struct.pack("<I", value_of(octets[:-4], begin)))
        return here(conn)


def swapped(value):
    return struct.unpack("<I", struct.pack(">I", value))[0]


def without_markers(octets, begin):
    """The octets of an FPDU that begins at this offset, without Markers."""
    return b"".join(octets[at:at + 1] for at in range(len(octets)) if (begin + at) % 512 >= 4)


wrong_crc(lambda octets, _: crc32c(octets[:-1] + b"x"), "rfc5044-4.1-06")
wrong_crc(lambda octets, _: swapped(crc32c(octets)), "rfc5044-4.4-14")
wrong_crc(lambda octets, _: crc32c(octets[2:]), "rfc5044-4.4-15")
wrong_crc(lambda octets, _: crc32c(octets[:-3]), "rfc5044-4.4-15")  # not the PAD
wrong_crc(lambda octets, _: 0, "rfc5044-4.4-18")
wrong_crc(lambda octets, at: crc32c(without_markers(octets, at)), "rfc5044-4.3-01", markers=490 - 34)
wrong_crc(lambda octets, at: crc32c(without_markers(octets, at)), "rfc5044-4.4-17", markers=512 - 28)
# 4 + 2 + 18 + 444 + 4 octets, then 2 + 18 + 20: the Marker stands where the CRC would begin
wrong_crc(lambda octets, _: crc32c(octets[:-4]), "rfc5044-4.4-16", markers=444, segment=send_of(20, 2))


@sentence("mpa.framing", "rfc5044-4.1-05", "rfc5044-4.4-13")
def no_pad():
    conn = conversations.plain()
    for number in (1, 2, 3):
        conn.fpdu(INITIATOR, send_of(9, number), pad=b"")
    return conn


def no_crc_field(crc, *ids):
    @sentence("mpa.framing", *ids)
    def ends_with_payload():
        conn = gencaps.started(request={"crc": crc}, reply={"crc": crc})[1]
        for number in range(1, 8):
            conn.send(INITIATOR, conn.frame(INITIATOR, send_of(14, number))[:-4])
        return conn


no_crc_field(False, "rfc5044-4.1-07", "rfc5044-7.1.1-16")
no_crc_field(True, "rfc5044-4.4-13", "rfc5044-4.1-07")


@sentence("mpa.pad-zero", "rfc5044-4.1-03")
def pad_of_ones():
    conn = conversations.plain()
    conn.fpdu(INITIATOR, send_of(9), pad=b"\0\0\1")
    return here(conn)


@sentence("mpa.framing", "rfc5044-7.1.2-30")
def other_octets_before_the_first_fpdu():
    conn = conversations.plain()
    conn.send(INITIATOR, b"MPA\n")
    for number in (1, 2, 3):
        conn.fpdu(INITIATOR, send_of(8, number))
    return conn


def request_again(conn):
    conn.send(INITIATOR, gencaps.startup_frame(REQUEST_KEY, crc=True))
    here(conn)
    conn.send_message(INITIATOR, b"hello")
    return conn


@sentence("mpa.startup-again", "rfc5044-7.1.2-30")
def request_again_before_the_first_fpdu():
    return request_again(conversations.plain())


@sentence("mpa.startup-again", "rfc5044-7.1.2-29")
def request_again_where_a_marker_is_due():
    return request_again(conversations.markers())


@sentence("mpa.ulpdu-length-max", "rfc5044-3-07")
def ulpdu_longer_than_any():
    conn = conversations.plain()
    octets = conn.frame(INITIATOR, send_of(64769 - 18))
    conn.send(INITIATOR, octets, range(1400, len(octets), 1400))
    return here(conn)


def empty_ulpdu(rule, ulpdu, *ids):
    @sentence(rule, *ids)
    def short():
        conn = conversations.plain()
        conn.fpdu(INITIATOR, ulpdu)
        return here(conn)


empty_ulpdu("mpa.ulpdu-length-zero", b"", "rfc5044-3-08", "rfc5041-4.4-01")
empty_ulpdu("ddp.header-length", send_of(0)[:17], "rfc5041-4.3-01", "rfc5041-4.4-01", "rfc5040-3.1-10")
empty_ulpdu("ddp.header-length", tagged(gencaps.WRITE, 1, 0)[:13], "rfc5041-4.2-01", "rfc5041-4.4-01")
empty_ulpdu("ddp.header-length", tagged(gencaps.WRITE, 1, 0)[:2], "rfc5041-2.3-04", "rfc5041-4.1-01")


# --- Markers ------------------------------------------------------------------------------------


def marked(rule, change, *ids, sizes=(600,), reply=None):
    """FPDUs whose Markers are `change(index, pointer)`; None: as they should be."""

    @sentence(rule, *ids)
    def markers():
        conn = conversations.plain(reply={"markers": True, **(reply or {})})
        for number, size in enumerate(sizes, 1):
            last = number == len(sizes)
            conn.fpdu(INITIATOR, send_of(size, number), **({"marker": change} if last else {}))
        return here(conn)


def word(reserved, pointer):
    return struct.pack("!HH", reserved, pointer & 0xFFFF)


def but(index, wrong):
    """All Markers as they should be but one."""
    return lambda at, pointer: wrong(pointer) if at == index else word(0, pointer)


marked("mpa.marker-pointer", but(1, lambda p: word(p, 0)), "rfc5044-4.2-01")
marked("mpa.marker-pointer", but(1, lambda p: word(0, p + 4)), "rfc5044-4.2-04", "rfc5044-4.3-05")
marked("mpa.marker-pointer", but(2, lambda p: word(0, p - 512)), "rfc5044-4.3-13", sizes=(1200,))
marked("mpa.marker-pointer", but(0, lambda p: word(0, p + 44)), "rfc5044-4.3-14", sizes=(20, 20, 600))
marked("mpa.marker-pointer", but(0, lambda p: word(0, 484)), "rfc5044-4.3-07", "rfc5044-4.3-15", sizes=(484, 20))
marked("mpa.marker-low-bits", but(1, lambda p: word(0, p | 3)), "rfc5044-4.2-05")
marked("mpa.marker-reserved", but(1, lambda p: word(1, p)), "rfc5044-4.2-02")
marked("mpa.marker-pointer", but(0, lambda p: word(0, 8)), "rfc5044-4.3-12")


def no_first_marker(role, *ids):
    @sentence("mpa.marker-first", *ids)
    def unmarked():
        both = {"markers": True}
        conn = conversations.plain(both, both)
        if role == RESPONDER:
            conn.send_message(INITIATOR, b"hello")
        conn.framers[role].markers = False
        conn.send_message(role, b"hello")
        return here(conn)


no_first_marker(INITIATOR, "rfc5044-4.3-10", "rfc5044-7.1.2-29", "rfc5044-4.3-03", "rfc5044-4.3-04", "rfc5044-7.1.1-09")
no_first_marker(RESPONDER, "rfc5044-4.3-10", "rfc5044-4.3-03", "rfc5044-4.3-04", "rfc5044-7.1.1-08")


def no_later_marker(role, *ids):
    @sentence("mpa.marker-period", *ids)
    def unmarked():
        both = {"markers": True}
        conn = conversations.plain(both, both)
        conn.send_message(INITIATOR, b"hello")
        conn.send_message(role, b"hello")
        conn.framers[role].markers = False
        for _ in range(3):
            conn.send_message(role, bytes(600))
        return conn


no_later_marker(RESPONDER, "rfc5044-7.1.1-08")
no_later_marker(INITIATOR, "rfc5044-7.1.1-09")


@sentence("mpa.marker-period", "rfc5044-4.3-04")
def markers_stop_where_no_crc_says_so():
    conn = conversations.plain({"crc": False}, {"crc": False, "markers": True})
    conn.send_message(INITIATOR, b"hello")
    conn.framers[INITIATOR].markers = False
    for number in (2, 3):
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, number, 0, bytes(range(1, 101)) * 6))
    return conn


@sentence("mpa.marker-period", "rfc5044-4.3-04", "rfc5044-4.3-11")
def marker_one_word_late():
    """The CRC covers the octets as they stand, so that it is right."""
    conn = conversations.markers()
    conn.send_message(INITIATOR, b"hello")
    at = 512 - conn.framers[INITIATOR].offset
    octets = conn.frame(INITIATOR, untagged(gencaps.SEND, 0, 2, 0, bytes(range(1, 101)) * 6))
    moved = octets[:at] + octets[at + 4:at + 8] + octets[at:at + 4] + octets[at + 8:-4]
    conn.send(INITIATOR, moved + struct.pack("<I", gencaps.crc32c(moved)))
    return here(conn)


def unasked(role, *ids):
    @sentence("mpa.marker-unasked", *ids)
    def marked_all_the_same():
        conn = conversations.plain()
        if role == RESPONDER:
            conn.send_message(INITIATOR, b"hello")
        conn.framers[role].markers = True
        conn.send_message(role, b"hello")
        return here(conn)


unasked(INITIATOR, "rfc5044-1.2-02", "rfc5044-7.1.1-10")
unasked(RESPONDER, "rfc5044-1.2-02", "rfc5044-7.1.1-10")
