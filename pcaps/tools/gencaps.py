# SPDX-License-Identifier: BSD-2-Clause
"""gencaps: builds iWARP captures octet by octet.

    cap = Capture()
    conn = cap.connection(isn=(1000, 5000))
    conn.open()
    conn.request(markers=True, crc=True)      # MPA Request, Rev 1
    conn.reply()                              # flags settle markers and CRC of both directions
    conn.send_message(INITIATOR, b"hello")    # an RDMAP Send, MSN counted
    conn.write(RESPONDER, 0x1234, 0x1000, b"data", mpa={"crc": "bad"})
    conn.close()
    cap.write("x.pcap")

Nothing is judged here: every field can be set to a wrong value.  Keyword `mpa` holds what framing
may get wrong (see Framer.frame), keyword `ddp` the DDP and RDMAP control bits (see control).
"""

import socket
import struct

import capfile
from crc32c import crc32c

INITIATOR, RESPONDER = 0, 1
REQUEST_KEY = b"MPA ID Req Frame"
REPLY_KEY = b"MPA ID Rep Frame"

(WRITE, READ_REQUEST, READ_RESPONSE, SEND, SEND_INVALIDATE, SEND_SE, SEND_SE_INVALIDATE,
 TERMINATE, IMMEDIATE, IMMEDIATE_SE, ATOMIC_REQUEST, ATOMIC_RESPONSE) = range(12)
FETCH_ADD, CMP_SWAP = 0, 2
QUEUE = {READ_REQUEST: 1, ATOMIC_REQUEST: 1, TERMINATE: 2, ATOMIC_RESPONSE: 3}


# --- DDP and RDMAP ------------------------------------------------------------------------------


def control(tagged, opcode, last=True, dv=1, rsvd=0, rv=1, rdmap_rsvd=0):
    """The two control octets of a DDP segment."""
    return bytes((tagged << 7 | last << 6 | rsvd << 2 | dv, rv << 6 | rdmap_rsvd << 4 | opcode))


def tagged(opcode, stag, to, payload=b"", **bits):
    """A tagged DDP segment."""
    return control(1, opcode, **bits) + struct.pack("!IQ", stag, to) + payload


def untagged(opcode, qn, msn, mo=0, payload=b"", ulp=0, **bits):
    """An untagged DDP segment; `ulp` is the Invalidate STag field."""
    return control(0, opcode, **bits) + struct.pack("!IIII", ulp, qn, msn, mo) + payload


def read_request_header(sink_stag, sink_to, size, source_stag, source_to):
    return struct.pack("!IQIIQ", sink_stag, sink_to, size, source_stag, source_to)


def atomic_request_header(opcode, request_id, stag, to, data, mask, compare, compare_mask):
    return struct.pack("!IIIQQQQQ", opcode, request_id, stag, to, data, mask, compare,
                       compare_mask)


def atomic_response_header(request_id, original):
    return struct.pack("!IQ", request_id, original)


def terminate_header(layer, etype, code, length=None, ddp=b"", rdma=b"", bits=None, reserved=0):
    """A Terminate Header; M, D and R follow from what is given unless `bits` says otherwise."""
    if bits is None:
        bits = (length is not None) << 2 | bool(ddp) << 1 | bool(rdma)
    out = struct.pack("!BBH", layer << 4 | etype, code, bits << 13 | reserved)
    if length is not None or ddp:
        out += struct.pack("!H", length or 0)
    return out + ddp + rdma


def tagged_segments(opcode, stag, to, payload, room, **bits):
    """The segments of a tagged message with at most `room` payload octets each."""
    cuts = range(0, max(len(payload), 1), room)
    return [tagged(opcode, stag, (to + at) % 2**64, payload[at:at + room],
                   **{"last": at + room >= len(payload), **bits}) for at in cuts]


def untagged_segments(opcode, qn, msn, payload, room, ulp=0, **bits):
    """The segments of an untagged message with at most `room` payload octets each."""
    cuts = range(0, max(len(payload), 1), room)
    return [untagged(opcode, qn, msn, at, payload[at:at + room], ulp,
                     **{"last": at + room >= len(payload), **bits}) for at in cuts]


# --- MPA ----------------------------------------------------------------------------------------


def startup_frame(key, markers=False, crc=False, reject=False, enhanced=None, rev=1,
                  private_data=b"", pd_length=None, reserved=0, s_flag=None):
    """An MPA Request or Reply; `enhanced` is (ird, ord, flags), flags a string out of "abcd"."""
    s_flag = enhanced is not None if s_flag is None else s_flag
    if enhanced is not None:
        ird, ord_, flags = enhanced
        word = ird << 16 | ord_
        for letter, bit in (("a", 31), ("b", 30), ("c", 15), ("d", 14)):
            word |= (letter in flags) << bit
        private_data = struct.pack("!I", word) + private_data
    length = len(private_data) if pd_length is None else pd_length
    octet = markers << 7 | crc << 6 | reject << 5 | s_flag << 4 | reserved
    return key + struct.pack("!BBH", octet, rev, length) + private_data


class Framer:
    """Makes FPDUs of one direction: knows its markers, its CRC use and its stream offset."""

    def __init__(self):
        self.markers = self.crc = False
        self.origin = None  # sequence number of the first octet of Full Operation
        self.offset = 0

    def frame(self, ulpdu, length=None, pad=None, crc=None, marker=None):
        """Returns the FPDU for `ulpdu` and moves on by its length.

        length: the ULPDU_Length to write; pad: the pad octets; crc: a number, or "bad";
        marker: function (index, pointer) -> the marker's four octets (index 0 is the marker
        before ULPDU_Length, if there is one, else the first inside).
        """
        if pad is None:
            pad = b"\0" * ((2 - len(ulpdu)) % 4)
        length = len(ulpdu) if length is None else length
        marker = marker or (lambda index, pointer: struct.pack("!HH", 0, pointer & 0xFFFF))
        body = struct.pack("!H", length) + ulpdu + pad
        out, index, at, start = [], 0, self.offset, self.offset
        if self.markers and at % 512 == 0:
            out.append(marker(0, 0))
            index, at, start = 1, at + 4, at + 4
        done = 0
        while True:
            if self.markers and at % 512 == 0:
                out.append(marker(index, at - start))
                index, at = index + 1, at + 4
            if done == len(body):
                break
            room = 512 - at % 512 if self.markers else len(body)
            piece = body[done:done + room]
            out.append(piece)
            done, at = done + len(piece), at + len(piece)
        covered = b"".join(out)
        if crc is None:
            value = crc32c(covered) if self.crc else 0
        else:
            value = crc32c(covered) ^ 0x01000001 if crc == "bad" else crc
        self.offset = at + 4
        return covered + struct.pack("<I", value)


# --- TCP and below ------------------------------------------------------------------------------


class Item:
    """A packet of the capture, with what is needed to select it later."""

    def __init__(self, time, data, link, conn=None, side=None, length=0):
        self.time, self.data, self.wire_len = time, data, len(data)
        self.link, self.conn, self.side, self.length = link, conn, side, length


def pack_ip(text):
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    return socket.inet_pton(family, text)


def tcp_header(src, dst, sport, dport, seq, ack, flags, payload, options=b"", check="good"):
    """A TCP segment; `check` is "good", "bad" or "offload" (the pseudo header's sum only)."""
    size = 20 + len(options)
    head = struct.pack("!HHIIBBHHH", sport, dport, seq & 0xFFFFFFFF, ack & 0xFFFFFFFF,
                       size // 4 << 4, flags, 65535, 0, 0) + options
    pseudo = capfile.pseudo_header(src, dst, size + len(payload))
    if check == "offload":
        value = capfile.ones_sum(pseudo)
    else:
        value = capfile.checksum(pseudo + head + payload) ^ (0x5A5A if check == "bad" else 0)
    return head[:16] + struct.pack("!H", value) + head[18:] + payload


def ip_packet(src, dst, payload, number=0, options=b"", extensions=(), total_length=None, protocol=6):
    """An IP packet with TCP or another protocol inside; IPv4 options or IPv6 extension headers as given.

    extensions: list of (type, octets); the octets of each without the next-header octet.
    """
    if len(src) == 4:
        size = 20 + len(options)
        total = size + len(payload) if total_length is None else total_length
        head = struct.pack("!BBHHHBBH", 0x40 | size // 4, 0, total, number & 0xFFFF, 0x4000, 64,
                           protocol, 0) + src + dst + options
        return head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + payload
    inner, kind = payload, protocol
    for number_, octets in reversed(extensions):
        inner, kind = bytes((kind,)) + octets + inner, number_
    length = len(inner) if total_length is None else total_length
    return struct.pack("!IHBB", 0x60000000, length, kind, 64) + src + dst + inner


def fragments(packet, size, number=1):
    """Cuts an IP packet into fragments of `size` payload octets (a multiple of 8)."""
    out = []
    if packet[0] >> 4 == 4:
        header = (packet[0] & 15) * 4
        body = packet[header:]
        for at in range(0, len(body), size):
            piece = body[at:at + size]
            word = at // 8 | (0x2000 if at + size < len(body) else 0)
            head = (packet[:2] + struct.pack("!HHH", header + len(piece), number & 0xFFFF, word)
                    + packet[8:10] + b"\0\0" + packet[12:header])
            out.append(head[:10] + struct.pack("!H", capfile.checksum(head)) + head[12:] + piece)
        return out
    body = packet[40:]
    for at in range(0, len(body), size):
        piece = body[at:at + size]
        word = at | (1 if at + size < len(body) else 0)
        frag = struct.pack("!BBHI", packet[6], 0, word, number)
        head = packet[:4] + struct.pack("!HB", 8 + len(piece), 44) + packet[7:40]
        out.append(head + frag + piece)
    return out


ETHERNET_PAIR = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")


def encapsulate(packet, link, vlans=(), side=0):
    """Puts a link-layer header before an IP packet; vlans: list of (ethertype, tag)."""
    kind = 0x86DD if packet[0] >> 4 == 6 else 0x0800
    if link in capfile.RAW_TYPES or link in (capfile.IPV4, capfile.IPV6):
        return packet
    if link == capfile.NULL:
        return struct.pack("<I", 10 if kind == 0x86DD else 2) + packet
    if link == capfile.LOOP:
        return struct.pack("!I", 24 if kind == 0x86DD else 2) + packet
    tags = b""
    for ethertype, tag in vlans:
        tags += struct.pack("!HH", ethertype, tag)
    tags += struct.pack("!H", kind)
    if link == capfile.EN10MB:
        return ETHERNET_PAIR[1 - side] + ETHERNET_PAIR[side] + tags + packet
    if link == capfile.SLL:
        return struct.pack("!HHH", 0, 1, 6) + ETHERNET_PAIR[side] + b"\0\0" + tags + packet
    if link == capfile.SLL2:
        head = struct.pack("!HIHBB", 0, 1, 1, 0, 6) + ETHERNET_PAIR[side] + b"\0\0"
        return tags[:2] + head + tags[2:] + packet
    raise ValueError("no encapsulation for link type %d" % link)


class Capture:
    """A capture in the making."""

    def __init__(self, link=capfile.EN10MB, vlans=(), time=1700000000, step=10000):
        self.items = []
        self.link, self.vlans = link, vlans
        self.clock, self.step = time * 10**9, step
        self.connections = []

    def connection(self, **arguments):
        conn = Connection(self, **arguments)
        self.connections.append(conn)
        return conn

    def add(self, packet, conn=None, side=0, length=0):
        """Appends an IP packet."""
        data = encapsulate(packet, self.link, self.vlans, side)
        self.items.append(Item(self.clock, data, self.link, conn, side, length))
        self.clock += self.step

    def data_items(self, conn=None, side=None):
        """The packets that carry TCP payload, optionally of one connection or side."""
        return [item for item in self.items if item.length
                and conn in (None, item.conn) and side in (None, item.side)]

    def drop(self, items):
        """Takes packets away again: as if the capture had missed them."""
        gone = set(map(id, items))
        self.items = [item for item in self.items if id(item) not in gone]

    def swap(self, first, second):
        """Exchanges two packets; the time stamps stay in order."""
        i, j = self.items.index(first), self.items.index(second)
        self.items[i], self.items[j] = second, first
        first.time, second.time = second.time, first.time

    def snap(self, length):
        """Cuts every packet as `tcpdump -s length` does."""
        for item in self.items:
            item.data = item.data[:length]

    def write(self, path, fmt="pcap", order="<", nano=False, interfaces=1):
        if fmt == "pcapng":
            capfile.write_pcapng(path, self.items, self.link, order, interfaces)
        else:
            capfile.write_pcap(path, self.items, self.link, order, nano)


class Connection:
    """A TCP connection; side 0 sends the SYN and is the MPA initiator unless said otherwise."""

    def __init__(self, cap, client=("10.0.0.1", 40000), server=("10.0.0.2", 7174),
                 isn=(1000, 5000), initiator=0, ip=None):
        self.cap = cap
        self.ends = [(pack_ip(client[0]), client[1]), (pack_ip(server[0]), server[1])]
        self.next = list(isn)
        self.initiator = initiator
        self.ip = ip or {}
        self.framers = [Framer(), Framer()]
        self.frames = [None, None]
        self.msn = [{}, {}]
        self.number = 1
        self.sent = [[], []]  # by role: (TCP sequence number of ULPDU_Length, ULPDU, FPDU)

    def side(self, role):
        """The TCP side of an MPA role."""
        return self.initiator if role == INITIATOR else 1 - self.initiator

    def packet(self, side, payload=b"", flags=capfile.ACK, seq=None, ack=None, check="good"):
        """Adds one TCP segment; `seq` and `ack` default to the expected numbers."""
        src, dst = self.ends[side], self.ends[1 - side]
        seq = self.next[side] if seq is None else seq
        ack = self.next[1 - side] if ack is None else ack
        segment = tcp_header(src[0], dst[0], src[1], dst[1], seq,
                             ack if flags & capfile.ACK else 0, flags, payload, check=check)
        ip = dict(self.ip)
        fragment = ip.pop("fragment", None)
        whole = ip_packet(src[0], dst[0], segment, self.number, **ip)
        parts = fragments(whole, fragment, self.number) if fragment else [whole]
        self.number += 1
        for part in parts[::-1] if self.number % 2 else parts:
            self.cap.add(part, self, side, len(payload))

    def open(self):
        self.packet(0, flags=capfile.SYN)
        self.next[0] += 1
        self.packet(1, flags=capfile.SYN | capfile.ACK)
        self.next[1] += 1
        self.packet(0)

    def send(self, role, octets, cuts=(), ack=True, check="good", lose=False):
        """Sends octets, cut at the given places; `lose` keeps the packets out of the capture."""
        side = self.side(role)
        edges = [0] + sorted({cut for cut in cuts if 0 < cut < len(octets)}) + [len(octets)]
        for start, stop in zip(edges, edges[1:]):
            if not lose:
                self.packet(side, octets[start:stop], capfile.PSH | capfile.ACK, check=check)
            self.next[side] += stop - start
        if ack:
            self.packet(1 - side)

    def close(self):
        for side in (0, 1):
            self.packet(side, flags=capfile.FIN | capfile.ACK)
            self.next[side] += 1
            self.packet(1 - side)

    def reset(self, side=0):
        self.packet(side, flags=capfile.RST | capfile.ACK)

    # MPA

    def startup(self, role, key, cuts=(), lose=False, **fields):
        """Sends a startup frame and settles what its flags settle."""
        self.frames[role] = fields
        self.send(role, startup_frame(key, **fields), cuts, lose=lose)
        seen = [f for f in self.frames if f]
        self.framers[1 - role].markers = bool(fields.get("markers"))
        for framer in self.framers:
            framer.crc = any(f.get("crc") for f in seen)

    def request(self, key=REQUEST_KEY, **fields):
        self.startup(INITIATOR, key, **fields)

    def reply(self, key=REPLY_KEY, **fields):
        self.startup(RESPONDER, key, **fields)

    def frame(self, role, ulpdu, **mpa):
        """Makes an FPDU without sending it; send() must follow in order."""
        framer = self.framers[role]
        if framer.origin is None:
            framer.origin = self.next[self.side(role)]
        lead = 4 if framer.markers and framer.offset % 512 == 0 else 0
        start = framer.origin + framer.offset + lead
        octets = framer.frame(ulpdu, **mpa)
        self.sent[role].append((start & 0xFFFFFFFF, ulpdu, octets))
        return octets

    def fpdu(self, role, ulpdu, cuts=(), ack=True, lose=False, **mpa):
        """Frames and sends one ULPDU."""
        self.send(role, self.frame(role, ulpdu, **mpa), cuts, ack=ack, lose=lose)

    def fpdus(self, role, ulpdus, cuts=(), ack=True, lose=False):
        """Frames several ULPDUs and sends them as one piece, cut at the given places."""
        octets = b"".join(self.frame(role, ulpdu) for ulpdu in ulpdus)
        self.send(role, octets, cuts, ack=ack, lose=lose)

    # RDMAP messages, one FPDU each unless `room` cuts them

    def next_msn(self, role, qn):
        self.msn[role][qn] = (self.msn[role].get(qn, 0) + 1) & 0xFFFFFFFF
        return self.msn[role][qn]

    def message(self, role, segments, mpa=None, **how):
        for segment in segments:
            self.fpdu(role, segment, **how, **(mpa or {}))

    def untagged_message(self, role, opcode, payload, room=1 << 20, msn=None, qn=None, ulp=0,
                         ddp=None, **how):
        qn = QUEUE.get(opcode, 0) if qn is None else qn
        msn = self.next_msn(role, qn) if msn is None else msn
        self.message(role, untagged_segments(opcode, qn, msn, payload, room, ulp, **(ddp or {})),
                     **how)

    def tagged_message(self, role, opcode, stag, to, payload, room=1 << 20, ddp=None, **how):
        self.message(role, tagged_segments(opcode, stag, to, payload, room, **(ddp or {})), **how)

    def send_message(self, role, payload=b"", opcode=SEND, stag=0, **how):
        self.untagged_message(role, opcode, payload, ulp=stag, **how)

    def write(self, role, stag=1, to=0, payload=b"", **how):
        self.tagged_message(role, WRITE, stag, to, payload, **how)

    def read_response(self, role, stag=1, to=0, payload=b"", **how):
        self.tagged_message(role, READ_RESPONSE, stag, to, payload, **how)

    def read_request(self, role, sink_stag=1, sink_to=0, size=0, source_stag=2, source_to=0,
                     **how):
        header = read_request_header(sink_stag, sink_to, size, source_stag, source_to)
        self.untagged_message(role, READ_REQUEST, header, **how)

    def terminate(self, role, layer, etype, code, header=None, **how):
        header = terminate_header(layer, etype, code) if header is None else header
        self.untagged_message(role, TERMINATE, header, **how)

    def immediate(self, role, data, opcode=IMMEDIATE, **how):
        self.untagged_message(role, opcode, data, **how)

    def atomic_request(self, role, opcode=FETCH_ADD, request_id=1, stag=1, to=0, data=0, mask=0,
                       compare=0, compare_mask=2**64 - 1, **how):
        header = atomic_request_header(opcode, request_id, stag, to, data, mask, compare,
                                       compare_mask)
        self.untagged_message(role, ATOMIC_REQUEST, header, **how)

    def atomic_response(self, role, request_id=1, original=0, **how):
        self.untagged_message(role, ATOMIC_RESPONSE, atomic_response_header(request_id, original),
                              **how)


def started(cap=None, request=None, reply=None, **arguments):
    """A capture with one connection that has its startup after it; returns (cap, conn)."""
    cap = cap or Capture()
    conn = cap.connection(**arguments)
    conn.open()
    conn.request(**(request or {}))
    conn.reply(**(reply or {}))
    return cap, conn
