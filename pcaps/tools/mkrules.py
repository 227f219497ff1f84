#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mkrules: makes pcaps/synthetic/rules, for each rule a capture that breaks it and a near miss.

    mkrules.py write FOLDER       writes <slug>-fail.pcap and <slug>-pass.pcap of every rule
    mkrules.py compare FOLDER     makes them again in a temporary folder and compares octet by octet
    mkrules.py rows FOLDER        prints their rows of MANIFEST.tsv

What is due of each capture is said here, from the RFCs: which rule fires and for which side.  The
PDU counts of the rows come from refdec.py.  Nothing is asked of the tool under test.
"""

import os
import struct
import sys
from collections import Counter

sys.dont_write_bytecode = True

import capfile  # noqa: E402
import gencaps  # noqa: E402
import made  # noqa: E402
import refdec  # noqa: E402
import sctp_rules  # noqa: E402
from crc32c import crc32c  # noqa: E402
from gencaps import INITIATOR, RESPONDER, Capture, started, tagged, untagged  # noqa: E402

PORT = 7174
RULES = {}
ALL_ONES = 2**64 - 1


class Pair:
    """The two captures of one rule: how to make them and what is due of them."""

    def __init__(self, slug, who, fail, near, build, **more):
        self.slug, self.who, self.fail, self.near, self.build = slug, who, fail, near, build
        self.exit = more.get("exit", 1)  # of `check` on the failing one; 0: it violates nothing
        self.also = more.get("also", {})  # what the failing one cannot avoid
        self.both = more.get("both", {})  # other findings that neither capture can avoid
        self.options = more.get("options", "")
        self.snap = more.get("snap")
        self.sctp = more.get("sctp", False)
        self.connections = more.get("connections", 1)

    def captures(self):
        """Yields (file name, whether it breaks the rule)."""
        yield self.slug + "-fail.pcap", True
        yield self.slug + "-pass.pcap", False

    def findings(self, bad):
        due = Counter(self.both)
        if bad:
            due["%s@%s" % (self.slug, self.who)] += 1
            due.update(self.also)
        return ",".join("%s=%d" % item for item in sorted(due.items()))

    def write(self, path, bad):
        conn = self.build(bad)
        if self.sctp:
            conn.assoc.cap.write(path)
            return
        close(conn)
        if self.snap:
            conn.cap.snap(self.snap)
        conn.cap.write(path)


def rule(slug, who, fail, near, **more):
    """Registers a function that makes a connection; its argument says whether to break the rule.

    who: the offender's role, "unknown" without a startup; fail, near: what the two captures show.
    """

    def register(build):
        RULES[slug] = Pair(slug, who, fail, near, build, **more)
        return build

    return register


# --- connections to start from ------------------------------------------------------------------


def opened():
    """TCP is up, MPA is not."""
    conn = Capture().connection(server=("10.0.0.2", PORT))
    conn.open()
    return conn


def close(conn):
    """Both sides close; the Responder does it first where it refuses to answer the Request."""
    if getattr(conn, "ended", False):
        return
    order = (0, 1) if conn.frames[INITIATOR] is None or conn.frames[RESPONDER] else (1, 0)
    for side in order:
        conn.packet(side, flags=capfile.FIN | capfile.ACK)
        conn.next[side] += 1
        conn.packet(1 - side)


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


def pure_ack_left_out(conn):
    """Takes the last packet away, an acknowledgment without payload; the next one says the same."""
    conn.cap.items.pop()


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


# --- MPA: startup frames ------------------------------------------------------------------------


@rule("mpa.request-key", "initiator",
      "Request with the key `MPA ID Req Frama`, which the responder answers all the same",
      "`MPA ID Req Frama` is the ULP's in streaming mode, the Request comes after it")
def request_key(bad):
    conn = opened()
    if bad:
        conn.request(key=b"MPA ID Req Frama", crc=True)
        conn.reply(crc=True)
        return conn
    conn.send(INITIATOR, b"MPA ID Req Frama")
    conn.send(RESPONDER, b"what?")
    conn.request(crc=True)
    conn.reply(crc=True)
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.reply-key", "responder", "Reply with the key `MPA ID Rep Frama`",
      "the key of the Reply is cut into two segments before the octet that tells it from a Request")
def reply_key(bad):
    conn = opened()
    conn.request(crc=True)
    if bad:
        conn.reply(key=b"MPA ID Rep Frama", crc=True)
        return conn
    conn.reply(crc=True, cuts=(9,))
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.two-requests", "responder", "the Request is answered by a Request",
      "TCP sends the Request twice, a Reply answers it")
def two_requests(bad):
    conn = opened()
    conn.request(crc=True)
    if bad:
        conn.reply(key=gencaps.REQUEST_KEY, crc=True)
        return conn
    frame = gencaps.startup_frame(gencaps.REQUEST_KEY, crc=True)
    conn.packet(0, frame, capfile.PSH | capfile.ACK, seq=conn.next[0] - len(frame))
    conn.reply(crc=True)
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.reply-unasked", "responder",
      "the Reply leaves before an octet of the Request has arrived",
      "the Request comes in two segments, the Reply acknowledges both")
def reply_unasked(bad):
    conn = opened()
    if bad:
        conn.reply(crc=True)
        conn.request(crc=True)
    else:
        conn.request(crc=True, private_data=b"abcd", cuts=(20,))
        conn.reply(crc=True)
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.flags-reserved", "initiator", "flags octet `41`: reserved bit 01",
      "flags octet `d0`: M, C and S, every bit that Rev 2 has a meaning for in an accepting frame")
def flags_reserved(bad):
    if bad:
        conn = plain({"reserved": 1})
    else:
        fields = {"rev": 2, "enhanced": (4, 4, ""), "markers": True}
        conn = plain(fields, fields)
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.request-reject-flag", "initiator", "R is set in the Request",
      "R is set in the Reply")
def request_reject_flag(bad):
    conn = plain({"reject": bad}, {"reject": not bad})
    if bad:
        conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.rev", "initiator", "Request of Rev 3; the responder closes",
      "Request of Rev 2 without S, answered by the same")
def rev(bad):
    if bad:
        conn = opened()
        conn.request(crc=True, rev=3)
        return conn
    conn = plain({"rev": 2}, {"rev": 2})
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.rev-rdmac", "initiator", "Request of Rev 0; the responder closes",
      "Rev 1 with Markers and CRCs, as the RDMA Consortium's endpoints use them", exit=0)
def rev_rdmac(bad):
    if bad:
        conn = opened()
        conn.request(crc=True, markers=True, rev=0)
        return conn
    conn = plain({"markers": True}, {"markers": True})
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.rdmac-flags", "initiator", "Request of Rev 0 with C alone, M is clear",
      "Request of Rev 0 with M and C", exit=0, both={"mpa.rev-rdmac@initiator": 1})
def rdmac_flags(bad):
    conn = opened()
    conn.request(crc=True, markers=not bad, rev=0)
    return conn


@rule("mpa.rev-pairing", "responder", "Reply of Rev 2 to a Request of Rev 1",
      "Reply of Rev 1 to a Request of Rev 2 without S", exit=0)
def rev_pairing(bad):
    conn = plain({"rev": 1 if bad else 2}, {"rev": 2 if bad else 1})
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.pd-length-max", "initiator", "PD_Length 513, with as many octets",
      "PD_Length 512, with as many octets")
def pd_length_max(bad):
    conn = plain({"private_data": bytes(513 if bad else 512)})
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.pd-length-match", "initiator",
      "PD_Length 4, but 8 octets follow in the segment of the Request; the responder closes",
      "PD_Length 8; 4 octets follow in the segment of the Request, 4 in the next one")
def pd_length_match(bad):
    if bad:
        conn = opened()
        conn.request(crc=True, private_data=b"abcdefgh", pd_length=4)
        return conn
    conn = opened()
    conn.request(crc=True, private_data=b"abcdefgh", cuts=(24,))
    conn.reply(crc=True)
    conn.send_message(INITIATOR, b"hello")
    return conn


# --- MPA: enhanced connection establishment -----------------------------------------------------


@rule("mpa.enhanced-rev", "initiator",
      "Request of Rev 1 with S and the four octets of enhanced data",
      "Request of Rev 2 with S and the four octets of enhanced data")
def enhanced_rev(bad):
    if bad:
        conn = plain({"rev": 1, "enhanced": (4, 4, "")})
    else:
        conn = enhanced()
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.enhanced-length", "initiator",
      "S with PD_Length 3, one octet less than the enhanced data; the responder closes",
      "S with PD_Length 4: enhanced data and no Private Data of the ULP")
def enhanced_length(bad):
    if bad:
        conn = opened()
        conn.request(crc=True, rev=2, s_flag=True, private_data=b"\0\4\0")
        return conn
    conn = enhanced()
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.enhanced-pairing", "responder",
      "a Request with S is answered by a Reply without; the initiator closes",
      "a Request with S is rejected by a Reply with S")
def enhanced_pairing(bad):
    reply = {"rev": 2} if bad else {"rev": 2, "enhanced": (4, 4, ""), "reject": True}
    return plain({"rev": 2, "enhanced": (4, 4, "")}, reply)


@rule("mpa.model-copied", "responder",
      "A is set in the Request, clear in the Reply; the initiator closes",
      "A and B in the Request, A to D in the Reply: RTR types that were not asked for may be named")
def model_copied(bad):
    if bad:
        return enhanced((4, 4, "ab"), (4, 4, ""))
    conn = peer("b", "bcd")
    conn.send_message(INITIATOR)
    conn.send_message(RESPONDER, b"hello")
    return conn


@rule("mpa.model-flags", "initiator", "C (RDMA Write RTR) is set while A is clear",
      "A to D are clear, all other bits of the Request's enhanced data but two are set: IRD and "
      "ORD 0x3ffe")
def model_flags(bad):
    conn = enhanced((4, 4, "c") if bad else (0x3FFE, 0x3FFE, ""))
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.rtr-offered", "initiator",
      "the Request has A, but none of B, C and D; the initiator ends it with Terminate 2/0/07",
      "the Request has A and D, the last of the RTR flags", exit=0)
def rtr_offered(bad):
    conn = peer("" if bad else "d", "d")
    if bad:
        conn.terminate(INITIATOR, 2, 0, 7)
        return conn
    conn.read_request(INITIATOR)
    conn.read_response(RESPONDER)
    conn.send_message(RESPONDER, b"hello")
    return conn


@rule("mpa.rtr-supported", "responder",
      "the Reply has A, but none of B, C and D; the initiator ends it with Terminate 2/0/07",
      "the Reply names C alone, where B alone was offered; the initiator ends it with Terminate "
      "2/0/07")
def rtr_supported(bad):
    conn = peer("b", "" if bad else "c")
    conn.terminate(INITIATOR, 2, 0, 7)
    return conn


@rule("mpa.ird-unspecified", "responder", "ORD 0x3fff in the Request, IRD 16 in the Reply",
      "ORD 0x3fff in the Request, IRD 0x3fff in the Reply beside a plain ORD")
def ird_unspecified(bad):
    conn = enhanced((4, 0x3FFF, ""), (16 if bad else 0x3FFF, 4, ""))
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.ord-unspecified", "responder", "IRD 0x3fff in the Request, ORD 16 in the Reply",
      "IRD 0x3fff in the Request, ORD 0x3fff in the Reply beside a plain IRD")
def ord_unspecified(bad):
    conn = enhanced((0x3FFF, 4, ""), (4, 16 if bad else 0x3FFF, ""))
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.ord-limit", "responder", "IRD 4 in the Request, ORD 5 in the accepting Reply",
      "IRD 4 in the Request, ORD 4 in the accepting Reply")
def ord_limit(bad):
    conn = enhanced((4, 4, ""), (4, 5 if bad else 4, ""))
    conn.send_message(INITIATOR, b"hello")
    return conn


# --- MPA: who sends first, and what -------------------------------------------------------------


@rule("mpa.fpdu-before-reply", "initiator",
      "the initiator's FPDU follows the Request, the Reply comes after it",
      "the packet with the initiator's FPDU is the one that acknowledges the Reply")
def fpdu_before_reply(bad):
    conn = opened()
    conn.request(crc=True)
    if bad:
        conn.send_message(INITIATOR, b"hello")
        conn.reply(crc=True)
        return conn
    conn.reply(crc=True)
    pure_ack_left_out(conn)
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.responder-first", "responder",
      "the responder's FPDU follows its Reply, the initiator's comes after it",
      "the packet with the responder's FPDU is the one that acknowledges the initiator's")
def responder_first(bad):
    conn = plain()
    if bad:
        conn.send_message(RESPONDER, b"hello")
        conn.send_message(INITIATOR, b"hello")
        return conn
    conn.send_message(INITIATOR, b"hello")
    pure_ack_left_out(conn)
    conn.send_message(RESPONDER, b"hello")
    return conn


@rule("mpa.after-reject", "initiator",
      "the initiator goes on in streaming mode after a rejecting Reply",
      "nothing but FIN follows a rejecting Reply", exit=0)
def after_reject(bad):
    conn = plain(None, {"reject": True})
    if bad:
        conn.send(INITIATOR, b"then without MPA")
    return conn


@rule("mpa.rtr-first", "initiator",
      "peer-to-peer: the first FPDU is a Send of 5 octets, Send RTR was agreed",
      "peer-to-peer: the first FPDU is a Read Request of size 0, which has 28 octets of header; "
      "Read RTR was agreed")
def rtr_first(bad):
    conn = peer("b" if bad else "d", "bcd")
    if bad:
        conn.send_message(INITIATOR, b"hello")
        return conn
    conn.read_request(INITIATOR)
    conn.read_response(RESPONDER)
    return conn


@rule("mpa.rtr-type", "initiator",
      "a zero-length Write, but the Reply names the Read alone out of Write and Read",
      "a zero-length Read, the one that the Reply names out of Write and Read")
def rtr_type(bad):
    conn = peer("cd", "d")
    if bad:
        conn.write(INITIATOR)
        return conn
    conn.read_request(INITIATOR)
    conn.read_response(RESPONDER)
    return conn


@rule("mpa.rtr-mismatch", "initiator", "no common RTR type, the initiator sends Terminate 2/0/04",
      "no common RTR type, the initiator sends Terminate 2/0/07")
def rtr_mismatch(bad):
    conn = peer("b", "c")
    conn.terminate(INITIATOR, 2, 0, 4 if bad else 7)
    return conn


# --- MPA: FPDUs ---------------------------------------------------------------------------------


@rule("mpa.crc", "initiator", "the CRC leaves out the Marker before ULPDU_Length: `b7243ec3`",
      "figure 5 of RFC 5044: the CRC covers the Marker before ULPDU_Length: `52239983`")
def crc(bad):
    conn = markers()
    ulpdu = untagged(gencaps.SEND, 0, 1, 0, bytes(24))
    without_marker = crc32c(struct.pack("!H", len(ulpdu)) + ulpdu)
    conn.fpdu(INITIATOR, ulpdu, crc=without_marker if bad else None)
    return conn


@rule("mpa.pad-zero", "initiator", "PAD `ffffff` after 1 octet of payload, CRC right",
      "PAD `000000` after a payload `ff`")
def pad_zero(bad):
    conn = plain()
    conn.send_message(INITIATOR, b"\xff", mpa={"pad": b"\xff" * 3 if bad else None})
    return conn


@rule("mpa.ulpdu-length-max", "initiator",
      "ULPDU_Length 64769, cut by the snap length; CRCs are off",
      "ULPDU_Length 64768, cut by the snap length; CRCs are off", snap=112)
def ulpdu_length_max(bad):
    _, conn = started()
    conn.write(INITIATOR, payload=bytes(64768 + bad - 14))
    return conn


@rule("mpa.ulpdu-length-zero", "initiator", "an FPDU with ULPDU_Length 0: `00000000 c74b6748`",
      "ULPDU_Length 14, the smallest that holds a DDP header: a zero-length Write")
def ulpdu_length_zero(bad):
    conn = plain()
    conn.fpdu(INITIATOR, b"" if bad else tagged(gencaps.WRITE, 1, 0))
    conn.send_message(INITIATOR, b"hello")
    return conn


@rule("mpa.marker-first", "initiator",
      "the Reply asks for Markers, the initiator's stream begins with ULPDU_Length",
      "the Reply asks for Markers, the Request does not: the initiator's stream has them, the "
      "responder's has none")
def marker_first(bad):
    conn = markers()
    conn.framers[INITIATOR].markers = not bad
    conn.send_message(INITIATOR, b"hello")
    if not bad:
        conn.send_message(RESPONDER, b"hello")
    return conn


@rule("mpa.marker-unasked", "initiator",
      "M of the Reply is clear, the initiator's stream begins with a Marker",
      "M of the Reply is clear and of the Request set: the responder's stream has Markers, the "
      "initiator's none")
def marker_unasked(bad):
    conn = plain({"markers": True})
    conn.framers[INITIATOR].markers = bad
    conn.send_message(INITIATOR, b"hello")
    conn.send_message(RESPONDER, b"hello")
    return conn


def change_inner(change):
    """Changes (RESERVED, FPDUPTR) of the Markers inside an FPDU."""
    return lambda index, pointer: struct.pack("!HH", *(change(pointer) if index else (0, 0)))


@rule("mpa.marker-reserved", "initiator",
      "RESERVED 8000 in the Marker inside an FPDU of 618 octets, CRC right",
      "RESERVED 0000 beside FPDUPTR 01fc")
def marker_reserved(bad):
    conn = markers()
    spoil = change_inner(lambda pointer: (0x8000 if bad else 0, pointer))
    conn.send_message(INITIATOR, bytes(600), mpa={"marker": spoil})
    return conn


@rule("mpa.marker-pointer", "initiator",
      "FPDUPTR 0200 for 01fc: counted from the leading Marker; CRC right",
      "a Marker between PAD and CRC, FPDUPTR 01fc")
def marker_pointer(bad):
    conn = markers()
    spoil = change_inner(lambda pointer: (0, pointer + 4 if bad else pointer))
    conn.send_message(INITIATOR, bytes(485), mpa={"marker": spoil})
    return conn


@rule("mpa.marker-low-bits", "initiator", "FPDUPTR 0007: the two low bits are set; CRC right",
      "FPDUPTR 0004, the smallest there is: the Marker stands after the first word of its FPDU")
def marker_low_bits(bad):
    conn = markers()
    conn.send_message(INITIATOR, bytes(480))
    spoil = change_inner(lambda pointer: (0, pointer)) if not bad else (
        lambda index, pointer: struct.pack("!HH", 0, pointer | 3))
    conn.send_message(INITIATOR, b"hello", mpa={"marker": spoil if bad else None})
    return conn


@rule("mpa.framing", "initiator",
      "ULPDU_Length `1600` for 22, in the order of the host, so that it covers what follows; CRCs are off",
      "payload that looks like three FPDUs, in segments that begin with them")
def framing(bad):
    _, conn = started()
    sends = [untagged(gencaps.SEND, 0, msn, 0, b"data") for msn in (1, 2, 3)]
    if bad:
        conn.fpdu(INITIATOR, sends[0], length=0x1600)
        for ulpdu in sends[1:]:
            conn.fpdu(INITIATOR, ulpdu)
    else:
        inner = gencaps.Framer()
        payload = b"".join(inner.frame(ulpdu) for ulpdu in sends)
        conn.send_message(INITIATOR, payload, cuts=(20, 48, 76))
    return conn


@rule("mpa.startup-again", "responder", "the Reply comes twice, one right after the other",
      "payload that begins with the key of a Reply")
def startup_again(bad):
    conn = plain()
    if bad:
        conn.send(RESPONDER, gencaps.startup_frame(gencaps.REPLY_KEY, crc=True))
    conn.send_message(INITIATOR, gencaps.REPLY_KEY)
    return conn


@rule("mpa.stream-end", "initiator", "FIN after 20 of the 28 octets of an FPDU",
      "FIN after the last octet of an FPDU, which comes in a packet of its own")
def stream_end(bad):
    conn = plain()
    conn.send_message(INITIATOR, b"hello")
    octets = conn.frame(INITIATOR, untagged(gencaps.SEND, 0, 2, 0, b"data"))
    conn.send(INITIATOR, octets[:20] if bad else octets, cuts=(27,))
    return conn


@rule("mpa.marker-period", "initiator",
      "no Marker at stream offset 512, inside an FPDU of 718 octets; its CRC is right without it",
      "a Marker at stream offset 512, right before the CRC field")
def marker_period(bad):
    conn = markers()
    conn.send_message(INITIATOR, bytes(16))
    conn.framers[INITIATOR].markers = not bad
    conn.send_message(INITIATOR, bytes(700 if bad else 435))
    conn.framers[INITIATOR].markers = True
    conn.send_message(INITIATOR, bytes(700))
    return conn


# --- DDP: one segment ---------------------------------------------------------------------------


@rule("ddp.header-length", "initiator", "an Untagged segment of 17 octets, its header needs 18",
      "a Tagged segment of 14 octets: header and no payload")
def header_length(bad):
    conn = plain()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1)[:17] if bad else tagged(gencaps.WRITE, 1, 0))
    return conn


def four_controls(conn):
    """One segment with each DDP control octet there is: 01, 41, 81, c1."""
    conn.send_message(INITIATOR, bytes(16), room=8)
    conn.write(INITIATOR, payload=bytes(16), room=8)


@rule("ddp.version", "initiator", "DDP control octet `42`: DV 2",
      "DV 1 in each of the control octets 01, 41, 81, c1")
def version(bad):
    conn = plain()
    if bad:
        conn.send_message(INITIATOR, b"hello", ddp={"dv": 2})
    else:
        four_controls(conn)
    return conn


@rule("ddp.version-constant", "initiator",
      "DV 0 under Rev 0, then DV 1. Rev 0 is a note of its own: without it DV 0 is a fault in "
      "itself",
      "DV 0 under Rev 0 throughout",
      both={"mpa.rev-rdmac@initiator": 1})
def version_constant(bad):
    conn = rdmac()
    conn.send_message(INITIATOR, b"one", ddp={"dv": 0, "rv": 0})
    conn.send_message(INITIATOR, b"two", ddp={} if bad else {"dv": 0, "rv": 0})
    return conn


@rule("ddp.version-family", "initiator", "Rev 0 was agreed, but the segments have DV 1 and RV 1",
      "Rev 0 was agreed, and the segments have DV 0 and RV 0", exit=0,
      both={"mpa.rev-rdmac@initiator": 1})
def version_family(bad):
    conn = rdmac()
    conn.send_message(INITIATOR, b"hello", ddp={} if bad else {"dv": 0, "rv": 0})
    return conn


@rule("ddp.reserved", "initiator", "DDP control octet `45`: reserved bit 04",
      "the control octets 01, 41, 81, c1: all that have no reserved bit")
def ddp_reserved(bad):
    conn = plain()
    if bad:
        conn.send_message(INITIATOR, b"hello", ddp={"rsvd": 1})
    else:
        four_controls(conn)
    return conn


@rule("ddp.to-wrap", "initiator", "a Write of 17 octets at TO fffffffffffffff0 runs past 2^64",
      "a Write of 16 octets at TO fffffffffffffff0: the last one at 2^64-1")
def to_wrap(bad):
    conn = plain()
    conn.write(INITIATOR, to=2**64 - 16, payload=bytes(17 if bad else 16))
    return conn


@rule("ddp.message-length", "unknown",
      "begins in mid-stream at the end of a Send: MO ffffffe0 with 16 octets, MO fffffff0 with "
      "16: 2^32 octets",
      "begins in mid-stream at the end of a Send: MO ffffffe0 with 16 octets, MO fffffff0 with "
      "15: 2^32-1 octets",
      options="-d tcp.port==%d --crc on" % PORT)
def message_length(bad):
    conn = Capture().connection(server=("10.0.0.2", PORT))
    for framer in conn.framers:
        framer.crc = True
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 7, 2**32 - 32, bytes(16), last=False))
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 7, 2**32 - 16, bytes(16 if bad else 15)))
    return conn


@rule("ddp.zero-length", "initiator", "a Send of no octets in two segments",
      "a Send of no octets, then one of 5", also={"ddp.empty-segment@initiator": 2})
def zero_length(bad):
    conn = plain()
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, last=not bad))
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1 if bad else 2, 0, b"" if bad else b"hello"))
    return conn


@rule("ddp.empty-segment", "initiator",
      "a Send of 8 octets in two segments: all octets in the first, L in an empty second",
      "a Send of no octets: one empty segment", exit=0)
def empty_segment(bad):
    conn = plain()
    if bad:
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, bytes(8), last=False))
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 8))
    else:
        conn.send_message(INITIATOR)
    return conn


# --- DDP: how segments follow each other --------------------------------------------------------


def read(conn, size=8, sink_stag=1, sink_to=0, **how):
    """A Read by the Initiator with its answer."""
    conn.read_request(INITIATOR, sink_stag, sink_to, size)
    conn.read_response(RESPONDER, sink_stag, sink_to, bytes(size), **how)


@rule("ddp.msn-first", "initiator", "the first message of queue 0 has MSN 0, the second MSN 1",
      "the first message of queue 0 and the first of queue 1 have MSN 1")
def msn_first(bad):
    conn = enhanced()
    if bad:
        conn.send_message(INITIATOR, b"zero", msn=0)
        conn.send_message(INITIATOR, b"one", msn=1)
        return conn
    conn.send_message(INITIATOR, b"one")
    read(conn)
    return conn


@rule("ddp.msn-sequence", "initiator", "MSN 1, then MSN 3",
      "MSN 1, 2, 3 on queue 0, with a Write and a Read Request (MSN 1 on queue 1) between them")
def msn_sequence(bad):
    conn = enhanced()
    conn.send_message(INITIATOR, b"one")
    if bad:
        conn.send_message(INITIATOR, b"three", msn=3)
        return conn
    conn.write(INITIATOR, payload=b"data")
    conn.send_message(INITIATOR)
    read(conn)
    conn.send_message(INITIATOR, b"three")
    return conn


def two_segments(conn, second, payload=bytes(8)):
    """A Send whose first segment has 8 octets, MSN 1 and MO 0, and the second one that is given."""
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 0, payload, last=False))
    conn.fpdu(INITIATOR, second)


@rule("ddp.msn-constant", "initiator", "a Send of two segments: MSN 1 with MO 0, MSN 2 with MO 8",
      "a Send of two segments with MSN 1, then a Send of one segment with MSN 2")
def msn_constant(bad):
    conn = plain()
    two_segments(conn, untagged(gencaps.SEND, 0, 2 if bad else 1, 8, bytes(8)))
    if not bad:
        conn.send_message(INITIATOR, b"next", msn=2)
    return conn


@rule("ddp.mo-first", "initiator", "a Send of one segment with MO 4",
      "a Send of two segments, then one whose MO is 0 again")
def mo_first(bad):
    conn = plain()
    if bad:
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 4, bytes(8)))
        return conn
    conn.send_message(INITIATOR, bytes(16), room=8)
    conn.send_message(INITIATOR, bytes(8))
    return conn


@rule("ddp.mo-contiguous", "initiator", "a Send of two segments: 8 octets at MO 0, then MO 12",
      "a Send of three segments of unequal length: MO 0, 8, 9")
def mo_contiguous(bad):
    conn = plain()
    if bad:
        two_segments(conn, untagged(gencaps.SEND, 0, 1, 12, bytes(8)))
        return conn
    two_segments(conn, untagged(gencaps.SEND, 0, 1, 8, bytes(1), last=False))
    conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 9, bytes(8)))
    return conn


@rule("ddp.to-contiguous", "initiator",
      "a Write of two segments: 8 octets at TO fffffff8, then TO 0",
      "a Write of two segments: 8 octets at TO fffffff8, then TO 100000000")
def to_contiguous(bad):
    conn = plain()
    conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 1, 2**32 - 8, bytes(8), last=False))
    conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 1, 0 if bad else 2**32, bytes(8)))
    return conn


@rule("ddp.stag-constant", "initiator", "a Write of two segments: STag 1, then STag 2",
      "two Writes of two segments each, one after another: STag 1, then STag 2 at the TO where "
      "the first one ended")
def stag_constant(bad):
    conn = plain()
    if bad:
        conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 1, 0, bytes(8), last=False))
        conn.fpdu(INITIATOR, tagged(gencaps.WRITE, 2, 8, bytes(8)))
        return conn
    conn.write(INITIATOR, 1, 0, bytes(16), room=8)
    conn.write(INITIATOR, 2, 16, bytes(16), room=8)
    return conn


@rule("ddp.rsvdulp-constant", "initiator",
      "a message of two segments: opcode 3 (Send), then opcode 5 (Send with SE)",
      "a Send with Invalidate of two segments, both with the same STag; a Send of two segments "
      "after it")
def rsvdulp_constant(bad):
    conn = plain()
    if bad:
        two_segments(conn, untagged(gencaps.SEND_SE, 0, 1, 8, bytes(8)))
        return conn
    conn.send_message(INITIATOR, bytes(16), gencaps.SEND_INVALIDATE, stag=0x11223344, room=8)
    conn.send_message(INITIATOR, bytes(16), room=8)
    return conn


@rule("ddp.message-order", "initiator", "a Send between the two segments of a Write",
      "a Send of the other side between the two segments of a Write, a Send of the same side "
      "right after them")
def message_order(bad):
    conn = plain()
    first, last = gencaps.tagged_segments(gencaps.WRITE, 1, 0, bytes(16), 8)
    conn.fpdu(INITIATOR, first)
    conn.send_message(INITIATOR if bad else RESPONDER, b"between")
    conn.fpdu(INITIATOR, last)
    if not bad:
        conn.send_message(INITIATOR, b"behi" b"nd")
    return conn


@rule("ddp.last-flag-missing", "initiator", "a Send (MSN 1) without L, then the next (MSN 2)",
      "a Send (MSN 1) whose second segment has L, then the next (MSN 2)")
def last_flag_missing(bad):
    conn = plain()
    conn.send_message(INITIATOR, bytes(8), ddp={"last": False})
    if not bad:
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 8, bytes(8)))
    conn.send_message(INITIATOR, bytes(8))
    return conn


@rule("ddp.last-flag-early", "initiator", "a Send of two segments (MSN 1, MO 0 and 8), both with L",
      "two Sends of one segment each (MSN 1 and 2, MO 0), both with L")
def last_flag_early(bad):
    conn = plain()
    conn.send_message(INITIATOR, bytes(8))
    if bad:
        conn.fpdu(INITIATOR, untagged(gencaps.SEND, 0, 1, 8, bytes(8)))
    else:
        conn.send_message(INITIATOR, bytes(8))
    return conn


# --- RDMAP: the control field -------------------------------------------------------------------


@rule("rdmap.version", "initiator", "RDMAP control octet `83`: RV 2",
      "RDMAP control octets `40` and `43`: RV 1")
def rdmap_version(bad):
    conn = plain()
    conn.write(INITIATOR, payload=b"data")
    conn.send_message(INITIATOR, b"hello", ddp={"rv": 2} if bad else {})
    return conn


@rule("rdmap.reserved", "initiator", "RDMAP control octet `53`: reserved bit 10",
      "RDMAP control octet `46`: of the bits around the reserved ones all that may be set")
def rdmap_reserved(bad):
    conn = plain()
    if bad:
        conn.send_message(INITIATOR, b"hello", ddp={"rdmap_rsvd": 1})
    else:
        conn.send_message(INITIATOR, b"hello", gencaps.SEND_SE_INVALIDATE, stag=1)
    return conn


def atomic(conn, opcode=gencaps.FETCH_ADD, **fields):
    """An Atomic Operation of the Initiator with its answer."""
    conn.atomic_request(INITIATOR, opcode, data=1, **fields)
    conn.atomic_response(RESPONDER, fields.get("request_id", 1))


@rule("rdmap.opcode", "initiator", "opcode 12", "opcodes 10 and 11: the highest that are assigned")
def opcode(bad):
    conn = enhanced()
    if bad:
        conn.fpdu(INITIATOR, untagged(12, 0, 1, 0, b"hello"))
    else:
        atomic(conn)
    return conn


@rule("rdmap.opcode-experimental", "initiator", "opcode 15",
      "opcode 9: assigned by RFC 7306", exit=0)
def opcode_experimental(bad):
    conn = plain()
    if bad:
        conn.fpdu(INITIATOR, untagged(15, 0, 1, 0, b"hello"))
    else:
        conn.immediate(INITIATOR, bytes(8), gencaps.IMMEDIATE_SE)
    return conn


@rule("rdmap.tagged-flag", "initiator", "octets `c1 43`: a Send with T 1",
      "octets `c1 40` and `41 43`: Write and Send")
def tagged_flag(bad):
    conn = plain()
    conn.write(INITIATOR, payload=b"data")
    if bad:
        conn.fpdu(INITIATOR, tagged(gencaps.SEND, 1, 0, b"hello"))
    else:
        conn.send_message(INITIATOR, b"hello")
    return conn


@rule("rdmap.queue-number", "initiator", "a Send on queue 1",
      "a Send on queue 0, a Read Request on queue 1")
def queue_number(bad):
    conn = enhanced()
    conn.send_message(INITIATOR, b"hello", qn=1 if bad else 0)
    if not bad:
        read(conn)
    return conn


@rule("rdmap.invalidate-stag", "initiator", "Invalidate STag 11223344 in a plain Send",
      "Invalidate STag 11223344 in a Send with Invalidate, 0 in a plain one")
def invalidate_stag(bad):
    conn = plain()
    conn.send_message(INITIATOR, b"hello", gencaps.SEND if bad else gencaps.SEND_INVALIDATE,
                      stag=0x11223344)
    conn.send_message(INITIATOR, b"hello")
    return conn


# --- RDMAP: Reads -------------------------------------------------------------------------------


def read_header(size=8, sink_to=0):
    return gencaps.read_request_header(1, sink_to, size, 2, 0x1000)


@rule("rdmap.read-request-length", "initiator", "a Read Request of 29 octets",
      "a Read Request of 28 octets that asks for none, answered by none")
def read_request_length(bad):
    conn = enhanced()
    if bad:
        conn.untagged_message(INITIATOR, gencaps.READ_REQUEST, read_header() + b"\0")
    else:
        read(conn, 0)
    return conn


@rule("rdmap.read-request-last", "initiator", "a Read Request of 28 octets without L",
      "a Read Request of 28 octets with L")
def read_request_last(bad):
    conn = enhanced()
    if bad:
        conn.read_request(INITIATOR, size=8, ddp={"last": False})
    else:
        read(conn)
    return conn


@rule("rdmap.reads-outstanding", "initiator",
      "IRD 1 in the Reply, a second Read Request before the first is answered",
      "IRD 1 in the Reply, each of two Read Requests waits for the answer to the one before")
def reads_outstanding(bad):
    conn = enhanced((4, 4, ""), (1, 4, ""))
    if bad:
        conn.read_request(INITIATOR, size=8)
        conn.read_request(INITIATOR, size=8)
        conn.read_response(RESPONDER, payload=bytes(8))
        conn.read_response(RESPONDER, payload=bytes(8))
    else:
        read(conn)
        read(conn)
    return conn


@rule("rdmap.read-response-unasked", "responder", "a Read Response although there was a Send only",
      "one Read Response for each of two Read Requests")
def read_response_unasked(bad):
    conn = enhanced()
    if bad:
        conn.send_message(INITIATOR, b"hello")
        conn.read_response(RESPONDER, payload=bytes(8))
        return conn
    conn.read_request(INITIATOR, size=8)
    conn.read_request(INITIATOR, size=4)
    conn.read_response(RESPONDER, payload=bytes(8))
    conn.read_response(RESPONDER, payload=bytes(4))
    return conn


def read_with(conn, stag, to, payload=bytes(16), **how):
    """A Read of 16 octets from STag 2, TO 1000 to STag 1, TO fffffffffffff000, and this answer."""
    conn.read_request(INITIATOR, 1, 2**64 - 4096, 16, 2, 0x1000)
    conn.read_response(RESPONDER, stag, to, payload, **how)
    return conn


@rule("rdmap.read-response-stag", "responder",
      "the Read Response has STag 2, the Data Source's, for STag 1",
      "the Read Response has STag 1, that of the Data Sink")
def read_response_stag(bad):
    return read_with(enhanced(), 2 if bad else 1, 2**64 - 4096)


@rule("rdmap.read-response-to", "responder",
      "the Read Response begins at TO 1000, the Data Source's, for fffffffffffff000",
      "the Read Response begins at TO fffffffffffff000, that of the Data Sink")
def read_response_to(bad):
    return read_with(enhanced(), 1, 0x1000 if bad else 2**64 - 4096)


@rule("rdmap.read-response-length", "responder", "15 octets for a Read of 16",
      "16 octets in two segments for a Read of 16")
def read_response_length(bad):
    return read_with(enhanced(), 1, 2**64 - 4096, bytes(15 if bad else 16), room=8)


@rule("rdmap.response-order", "responder",
      "an Atomic Request, then a Read Request: the Read Response comes before the Atomic Response",
      "an Atomic Request, then a Read Request: the answers come in this order")
def response_order(bad):
    conn = enhanced()
    conn.atomic_request(INITIATOR, data=1)
    conn.read_request(INITIATOR, size=8)
    if not bad:
        conn.atomic_response(RESPONDER)
    conn.read_response(RESPONDER, payload=bytes(8))
    if bad:
        conn.atomic_response(RESPONDER)
    return conn


@rule("rdmap.request-answered", "responder",
      "a Read Request is never answered: both sides send on, then the responder closes",
      "the Read Response is the last FPDU before the responder closes")
def request_answered(bad):
    conn = enhanced()
    conn.read_request(INITIATOR, size=8)
    conn.send_message(RESPONDER, b"hello")
    conn.send_message(INITIATOR, b"hello")
    if not bad:
        conn.read_response(RESPONDER, payload=bytes(8))
    return conn


# --- RDMAP: Terminate ---------------------------------------------------------------------------


def written():
    """The Initiator wrote 8 octets."""
    conn = plain()
    conn.write(INITIATOR, payload=bytes(8))
    return conn


@rule("rdmap.terminate-length", "responder", "a Terminate of 3 octets", "a Terminate of 4 octets")
def terminate_length(bad):
    conn = written()
    conn.terminate(RESPONDER, 0, 0, 0, gencaps.terminate_header(0, 0, 0)[:3 if bad else 4])
    return conn


@rule("rdmap.terminate-code", "responder", "Terminate 0/2/00: the code is not assigned",
      "Terminate 0/0/ab: a Local Catastrophic Error may have any code")
def terminate_code(bad):
    conn = written()
    if bad:
        conn.terminate(RESPONDER, 0, 2, 0)
    else:
        conn.terminate(RESPONDER, 0, 0, 0xAB)
    return conn


@rule("rdmap.terminate-reserved", "responder", "Terminate Control `11 00 c0 01`: reserved bit 0001",
      "Terminate Control `11 00 c0 00`: M and D beside the reserved bits")
def terminate_reserved(bad):
    conn = written()
    refuse(conn, 1, 1, 0, reserved=1 if bad else 0)
    return conn


@rule("rdmap.terminate-headers", "responder",
      "M and D are set, but of the Tagged DDP header 12 octets follow for 14",
      "M, D and R are clear and 48 octets of zeros follow: the form of fixed size, RFC 5040 7.1")
def terminate_headers(bad):
    conn = written()
    if bad:
        refuse(conn, 1, 1, 0, ddp=header_of(conn, INITIATOR)[0][:12])
    else:
        conn.terminate(RESPONDER, 2, 0, 2, gencaps.terminate_header(2, 0, 2) + bytes(48))
    return conn


@rule("rdmap.terminate-rdma-header", "responder",
      "M, D and R for a Write: 28 octets of zeros stand for a Read Request",
      "M, D and R for a Read Request")
def terminate_rdma_header(bad):
    if bad:
        conn = written()
        refuse(conn, 1, 1, 0, bytes(28))
        return conn
    conn = enhanced()
    conn.untagged_message(INITIATOR, gencaps.READ_REQUEST, read_header())
    refuse(conn, 0, 1, 0, read_header())
    return conn


@rule("rdmap.terminate-flags", "responder",
      "Terminate 2/0/02 with M and D; an LLP error returns no header",
      "Terminate 2/0/02 without", exit=0)
def terminate_flags(bad):
    conn = written()
    if bad:
        refuse(conn, 2, 0, 2)
    else:
        conn.terminate(RESPONDER, 2, 0, 2)
    return conn


@rule("rdmap.terminate-cause", "responder",
      "Remote Protection Error (0/1/00) about a Write, whose STag is wrong for DDP",
      "Remote Protection Error (0/1/00) about a Send with Invalidate")
def terminate_cause(bad):
    conn = plain()
    if bad:
        conn.write(INITIATOR, payload=bytes(8))
    else:
        conn.send_message(INITIATOR, b"hello", gencaps.SEND_INVALIDATE, 7)
    refuse(conn, 0, 1, 0)
    return conn


@rule("rdmap.terminate-ddp-header", "responder",
      "the returned header has TO 8, the segment received had TO 0",
      "the returned header is that of the first of two Writes")
def terminate_ddp_header(bad):
    conn = written()
    header = tagged(gencaps.WRITE, 1, 8 if bad else 0)
    if not bad:
        conn.write(INITIATOR, to=8, payload=bytes(8))
    refuse(conn, 1, 1, 0, ddp=header)
    return conn


@rule("rdmap.terminate-segment-length", "responder",
      "DDP Segment Length is 8, that of the payload; the segment received had 22 octets",
      "two Writes have the returned header, DDP Segment Length is that of the first")
def terminate_segment_length(bad):
    conn = written()
    length = header_of(conn, INITIATOR)[1]
    header = tagged(gencaps.WRITE, 1, 0)
    if not bad:
        conn.write(INITIATOR, payload=bytes(20))
    conn.terminate(RESPONDER, 1, 1, 0, gencaps.terminate_header(
        1, 1, 0, length - 14 if bad else length, header))
    return conn


@rule("rdmap.terminate-read-header", "responder",
      "8 of 16 octets were served: the returned header has SinkTO and SrcTO moved by 8, but still "
      "asks for 16",
      "8 of 16 octets were served: the returned header has SinkTO and SrcTO moved by 8 and asks "
      "for 8")
def terminate_read_header(bad):
    conn = enhanced()
    conn.read_request(INITIATOR, 1, 0x2000, 16, 2, 0x1000)
    conn.read_response(RESPONDER, 1, 0x2000, bytes(8), ddp={"last": False})
    left = gencaps.read_request_header(1, 0x2008, 16 if bad else 8, 2, 0x1008)
    refuse(conn, 0, 2, 7, left)
    return conn


@rule("rdmap.terminate-msn", "responder", "Terminate with MSN 2",
      "Terminate with MSN 1 after a Send with MSN 2")
def terminate_msn(bad):
    conn = written()
    conn.send_message(RESPONDER, b"one")
    if bad:
        conn.terminate(RESPONDER, 0, 0, 0, msn=2)
        return conn
    conn.send_message(RESPONDER, b"two")
    conn.terminate(RESPONDER, 0, 0, 0)
    return conn


@rule("rdmap.terminate-single", "responder", "the responder sends two Terminates, both with MSN 1",
      "each side sends a Terminate")
def terminate_single(bad):
    conn = written()
    conn.terminate(RESPONDER, 0, 0, 0)
    if bad:
        conn.terminate(RESPONDER, 0, 0, 0, msn=1)
    else:
        conn.terminate(INITIATOR, 0, 0, 0)
    return conn


@rule("rdmap.terminate-final", "responder", "a Send after the Terminate of the same side",
      "a Send of the other side after a Terminate")
def terminate_final(bad):
    conn = written()
    conn.terminate(RESPONDER, 0, 0, 0)
    conn.send_message(RESPONDER if bad else INITIATOR, b"late")
    return conn


# --- RFC 7306 -----------------------------------------------------------------------------------


@rule("rdmap.immediate-length", "initiator",
      "Immediate Data of 4 octets, as other transports have them",
      "Immediate Data of 8 octets")
def immediate_length(bad):
    conn = plain()
    conn.write(INITIATOR, payload=b"data")
    conn.immediate(INITIATOR, bytes(4 if bad else 8))
    return conn


def fetch_add(request_id=1, compare=0, compare_mask=ALL_ONES):
    return gencaps.atomic_request_header(gencaps.FETCH_ADD, request_id, 1, 0, 1, 0, compare,
                                         compare_mask)


@rule("rdmap.atomic-request-length", "initiator",
      "an Atomic Request of 44 octets: the Compare Mask is left out",
      "an Atomic Request of 52 octets")
def atomic_request_length(bad):
    conn = enhanced()
    if bad:
        conn.untagged_message(INITIATOR, gencaps.ATOMIC_REQUEST, fetch_add()[:44])
    else:
        atomic(conn)
    return conn


@rule("rdmap.atomic-response-length", "responder",
      "an Atomic Response of 32 octets, the number that RFC 7306 4 has by mistake for its figure 6",
      "an Atomic Response of 12 octets")
def atomic_response_length(bad):
    conn = enhanced()
    conn.atomic_request(INITIATOR, data=1)
    header = gencaps.atomic_response_header(1, 0)
    conn.untagged_message(RESPONDER, gencaps.ATOMIC_RESPONSE, header + bytes(20 if bad else 0))
    return conn


@rule("rdmap.atomic-opcode", "initiator", "Atomic Operation Code 1, which is reserved",
      "Atomic Operation Codes 0 and 2")
def atomic_opcode(bad):
    conn = enhanced()
    if bad:
        conn.atomic_request(INITIATOR, 1)
        return conn
    atomic(conn)
    atomic(conn, gencaps.CMP_SWAP)
    return conn


@rule("rdmap.atomic-reserved", "initiator",
      "first word of the Atomic Request `00000010`: a reserved bit before FetchAdd",
      "first words of the Atomic Request `00000002 ffffffff`: CmpSwap, every bit of the "
      "identifier after it")
def atomic_reserved(bad):
    conn = enhanced()
    if bad:
        atomic(conn, 0x10)
    else:
        atomic(conn, gencaps.CMP_SWAP, request_id=2**32 - 1)
    return conn


@rule("rdmap.atomic-compare-data", "initiator", "FetchAdd with Compare Data 5",
      "CmpSwap with Compare Data 5, FetchAdd with 0")
def atomic_compare_data(bad):
    conn = enhanced()
    atomic(conn, gencaps.FETCH_ADD if bad else gencaps.CMP_SWAP, compare=5)
    atomic(conn)
    return conn


@rule("rdmap.atomic-compare-mask", "initiator", "FetchAdd with Compare Mask 0",
      "CmpSwap with Compare Mask 0, FetchAdd with ffffffffffffffff")
def atomic_compare_mask(bad):
    conn = enhanced()
    atomic(conn, gencaps.FETCH_ADD if bad else gencaps.CMP_SWAP, compare_mask=0)
    atomic(conn)
    return conn


@rule("rdmap.atomic-response-unasked", "responder",
      "an Atomic Response although there was a Send only",
      "an Atomic Response for an Atomic Request")
def atomic_response_unasked(bad):
    conn = enhanced()
    if bad:
        conn.send_message(INITIATOR, b"hello")
        conn.atomic_response(RESPONDER)
    else:
        atomic(conn)
    return conn


@rule("rdmap.atomic-response-id", "responder",
      "Original Request Identifier 2 for the Request with 1",
      "Requests 5 and 9 around a Read are answered in order: MSN 1 and 2 on queue 3 for 1 and 3 "
      "on queue 1")
def atomic_response_id(bad):
    conn = enhanced()
    if bad:
        conn.atomic_request(INITIATOR, data=1, request_id=1)
        conn.atomic_response(RESPONDER, 2)
        return conn
    conn.atomic_request(INITIATOR, data=1, request_id=5)
    conn.read_request(INITIATOR, size=8)
    conn.atomic_request(INITIATOR, data=1, request_id=9)
    conn.atomic_response(RESPONDER, 5)
    conn.read_response(RESPONDER, payload=bytes(8))
    conn.atomic_response(RESPONDER, 9)
    return conn


@rule("rdmap.terminate-reset", "responder", "RST right after the Terminate of the same side",
      "FIN after the Terminate, then an RST in answer to what still comes", exit=0)
def terminate_reset(bad):
    conn = written()
    refuse(conn, 1, 1, 0)
    if not bad:
        conn.packet(RESPONDER, flags=capfile.FIN | capfile.ACK)
        conn.next[RESPONDER] += 1
    conn.reset(RESPONDER)
    conn.ended = True
    return conn


# --- SCTP --------------------------------------------------------------------------------------

sctp_rules.register(rule)


# --- the program --------------------------------------------------------------------------------


def write_all(folder):
    """Writes all captures; returns their names."""
    os.makedirs(folder, exist_ok=True)
    names = []
    for pair in RULES.values():
        for name, bad in pair.captures():
            pair.write(os.path.join(folder, name), bad)
            names.append(name)
    return names


def pdus(path, options):
    """PDU counts by refdec, as the manifest has them."""
    ports = [PORT] if options else []
    directions, error = refdec.dump(path, refdec.Options(ports, None, None))
    if error:
        raise ValueError("%s: %s" % (path, error))
    lines = [line for lines in directions for line in lines]
    names = Counter(line.get("rdmap", {}).get("name", "fpdu") if line["pdu"] == "fpdu"
                    else line["pdu"] for line in lines if not line.get("_optional"))
    order = ("mpa-request", "mpa-reply") + refdec.NAMES[:13] + ("fpdu", "gap", "undecodable")
    return ",".join("%s=%d" % (name, names[name]) for name in order if name in names)


def rows(folder):
    """Yields the manifest's row of each capture."""
    for pair in RULES.values():
        for name, bad in pair.captures():
            path = os.path.join(folder, name)
            yield "\t".join((
                "synthetic/rules/" + name, made.digest(path), "synthetic", "BSD-2-Clause", pair.options,
                str(pair.exit if bad else 0), str(pair.connections),
                sctp_rules.pdus(path) if pair.sctp else pdus(path, pair.options), pair.findings(bad),
                pair.fail if bad else pair.near))


if __name__ == "__main__":
    sys.exit(made.main(None, "make the captures of the rules", write_all, rows))
