# SPDX-License-Identifier: BSD-2-Clause
"""refsctp: DDP Stream Sessions over SCTP in a capture, decoded without the project's code.

dump(PATH) yields lines as `iwarp dump -T jsonl` prints them, direction by direction.  Associations
are known by ports and Verification Tags, messages put together in the order of their TSNs, sessions
followed by their DDP-SSNs.  Meant for the captures of the repository: loss is reported, not guessed.
"""

import os
import struct
from collections import Counter

import capfile
import refdec
from crc32c import crc32c

NAMES = {1: "initiate", 2: "accept", 3: "reject", 4: "terminate", 5: "enhanced-initiate",
         6: "enhanced-accept", 7: "enhanced-reject", 0xFFFF: "experimental"}
SEGMENT, CONTROL = 16, 17


class Chunk:
    """A DATA chunk as it was first captured."""

    def __init__(self, frame, flags, body, size):
        self.frame, self.flags, self.size = frame, flags, size - 12
        _, self.stream, self.ssn, self.ppid = struct.unpack_from("!IHHI", body)
        self.octets = body[12:]


class Association:
    """Both directions: side 0 sent the INIT, or the first packet."""

    def __init__(self, ends):
        self.ends, self.tags = ends, [None, None]  # tags[i]: in packets to side i
        self.init, self.start = [None, None], [None, None]
        self.chunks = [{}, {}]
        self.base = [None, None]

    def unwrap(self, side, tsn):
        if self.base[side] is None:
            self.base[side] = (1 << 32) + tsn
        near = self.base[side]
        value = near + ((tsn - near + 0x80000000) & 0xFFFFFFFF) - 0x80000000
        self.base[side] = max(near, value)
        return value


def ip_payloads(packets):
    """Yields (packet, source, destination, octets, octets on the wire) of SCTP over IP."""
    parts = {}
    for packet in packets:
        head = capfile.ip_header(packet)
        if head is None or head.proto != 132 and not head.fragmented:
            continue
        octets = packet.data[head.payload:head.payload + head.length]
        if not head.fragmented:
            yield packet, head.src, head.dst, octets, head.length
            continue
        key = head.src, head.dst, head.frag_id, head.proto
        have = parts.setdefault(key, {})
        have[head.frag_off] = octets, head.more
        whole, at = b"", 0
        while at in have:
            whole += have[at][0]
            if not have[at][1]:
                del parts[key]
                if head.proto == 132:
                    yield packet, head.src, head.dst, whole, len(whole)
                break
            at += len(have[at][0])


def chunks_of(octets, size):
    """Yields (type, flags, captured body, octets of the chunk on the wire)."""
    at = 12
    while at + 4 <= len(octets):
        kind, flags, length = struct.unpack_from("!BBH", octets, at)
        if length < 4 or at + length > size:
            return
        yield kind, flags, octets[at + 4:at + length], length - 4
        at += (length + 3) // 4 * 4


def is_good(octets, size):
    """True, False, or None where the checksum says nothing."""
    field = octets[8:12]
    if len(octets) < size or field == b"\0\0\0\0":
        return None
    return struct.pack("<I", crc32c(octets[:8] + b"\0\0\0\0" + octets[12:])) == field


class Finder:
    """Sorts packets into associations."""

    def __init__(self):
        self.all = []

    def find(self, src, dst, tag, kinds, initiate):
        ports = src[1], dst[1]
        for assoc in reversed(self.all):
            for side in (0, 1):
                if (assoc.ends[side][1], assoc.ends[1 - side][1]) != ports:
                    continue
                ends = assoc.ends[side] == src and assoc.ends[1 - side] == dst
                if 1 in kinds:
                    if ends and assoc.tags[side] == initiate:
                        return assoc, side
                elif assoc.tags[1 - side] == tag or ends and assoc.tags[1 - side] is None:
                    return assoc, side
        if not {0, 1, 2} & set(kinds):
            return None, 0
        assoc = Association([dst, src] if 2 in kinds else [src, dst])
        self.all.append(assoc)
        return assoc, 1 if 2 in kinds else 0


def associations(packets):
    """The associations of a capture."""
    finder, proven = Finder(), set()
    for packet, src_ip, dst_ip, octets, size in ip_payloads(packets):
        if len(octets) < 12:
            continue
        sport, dport, tag = struct.unpack_from("!HHI", octets)
        found = list(chunks_of(octets, size))
        kinds = [kind for kind, _, _, _ in found]
        initiate = next((struct.unpack_from("!I", body)[0] for kind, _, body, _ in found
                         if kind in (1, 2) and len(body) >= 4), None)
        assoc, side = finder.find((src_ip, sport), (dst_ip, dport), tag, kinds, initiate)
        if assoc is None:
            continue
        good = is_good(octets, size)
        if good is False and (id(assoc), side) in proven:
            continue
        if good:
            proven.add((id(assoc), side))
        if tag:
            assoc.tags[1 - side] = tag
        for kind, flags, body, length in found:
            take(assoc, side, packet.frame, kind, flags, body, length)
    return finder.all


def take(assoc, side, frame, kind, flags, body, length):
    if kind in (1, 2) and len(body) >= 16 and assoc.init[side] is None:
        tag, _, out, into, tsn = struct.unpack_from("!IIHHI", body)
        assoc.tags[side], assoc.start[side] = tag, tsn
        assoc.init[side] = {"_frame": frame, "_pos": tsn, "pdu": "sctp-init", "ack": kind == 2,
                            "outbound_streams": out, "inbound_streams": into,
                            **adaptation(body[16:])}
        assoc.unwrap(side, tsn)
    elif kind == 0 and len(body) >= 12 and length >= 12:
        tsn = assoc.unwrap(side, struct.unpack_from("!I", body)[0])
        assoc.chunks[side].setdefault(tsn, Chunk(frame, flags, body, length))


def adaptation(parameters):
    at = 0
    while at + 4 <= len(parameters):
        kind, length = struct.unpack_from("!HH", parameters, at)
        if kind == 0xC006 and length >= 8 and at + 8 <= len(parameters):
            return {"adaptation": "0x%08x" % struct.unpack_from("!I", parameters, at + 4)[0]}
        if length < 4:
            break
        at += (length + 3) // 4 * 4
    return {}


class Message:
    """A user message."""

    def __init__(self, side, tsn, chunks):
        self.side, self.tsn, self.count = side, tsn, len(chunks)
        self.stream, self.ppid = chunks[0].stream, chunks[0].ppid
        self.frame = max(chunk.frame for chunk in chunks)
        self.size = sum(chunk.size for chunk in chunks)
        self.octets = b""
        for chunk in chunks:
            self.octets += chunk.octets
            if len(chunk.octets) < chunk.size:
                break
        self.ready = self.frame
        swapped = int.from_bytes(struct.pack("<I", self.ppid), "big")
        self.kind = swapped if swapped in (SEGMENT, CONTROL) else self.ppid
        self.ssn = struct.unpack_from("!H", self.octets)[0] if len(self.octets) >= 2 else None
        self.function = (struct.unpack_from("!H", self.octets, 2)[0]
                         if self.kind == CONTROL and len(self.octets) >= 4 else None)

    @property
    def begins(self):
        room = 4 if self.function == 5 else 0
        return (self.ssn == 0 and self.function in (1, 5)
                and room <= self.size - 4 <= 512)


def messages(assoc):
    """All messages of an association in the order in which they can be delivered."""
    out = []
    for side in (0, 1):
        run, ready = [], 0
        for tsn in sorted(assoc.chunks[side]):
            chunk = assoc.chunks[side][tsn]
            ready = max(ready, chunk.frame)
            if chunk.flags & 2:
                run = []
            elif not run or run[-1][0] + 1 != tsn or run[-1][1].stream != chunk.stream:
                run = []
                continue
            run.append((tsn, chunk))
            if chunk.flags & 1:
                message = Message(side, run[0][0], [item for _, item in run])
                message.ready = ready
                out.append(message)
                run = []
    return sorted(out, key=lambda message: (message.ready, message.frame, message.tsn))


class Session:
    """The lines of a DDP Stream Session."""

    def __init__(self, assoc, stream, known, end):
        self.assoc, self.stream, self.lines = assoc, stream, [[], []]
        self.next = [0, 0] if known else [None, None]
        self.roles = ["unknown", "unknown"]
        self.held, self.over = [{}, {}], False
        self.end = end

    def add(self, message):
        side = message.side
        if message.ssn is None or message.kind not in (SEGMENT, CONTROL):
            self.put(message, odd=True)
            return
        if self.next[side] is None:
            self.next[side] = message.ssn
        if message.kind == CONTROL and message.function is None:
            self.put(message, odd=True)
            return
        ahead = (message.ssn - self.next[side]) & 0xFFFF
        if ahead > 32766 or message.ssn in self.held[side]:
            self.put(message, odd=True)
            return
        self.held[side][message.ssn] = message
        self.flush(side)

    def passed(self, message):
        """True if this DDP-SSN was there already: the end of the session was not captured."""
        due = self.next[message.side]
        return due is not None and (message.ssn - due) & 0xFFFF > 32766

    def flush(self, side):
        while self.next[side] in self.held[side]:
            self.put(self.held[side].pop(self.next[side]))
            self.next[side] = (self.next[side] + 1) & 0xFFFF

    def finish(self):
        for side in (0, 1):
            while self.held[side]:
                least = min(self.held[side], key=lambda ssn: (ssn - self.next[side]) & 0xFFFF)
                missing = (least - self.next[side]) & 0xFFFF
                self.lines[side].append({
                    "_frame": 0, "_pos": self.end[side], "pdu": "gap", "stream": self.stream,
                    "ssn": self.next[side], "messages": missing, "_loose": ["seq"]})
                self.end[side] += missing
                self.next[side] = least
                self.flush(side)

    def put(self, message, odd=False):
        side = message.side
        line = {"_frame": message.frame, "_pos": message.tsn, "stream": self.stream,
                "length": message.size, "_loose": ["error"]}
        if message.ssn is not None and message.kind in (SEGMENT, CONTROL):
            line["ssn"] = message.ssn
        if message.function is not None:
            self.control(line, message, odd)
        elif message.kind == SEGMENT and message.ssn is not None:
            line["pdu"] = "ddp-segment"
            refdec.describe(line, message.octets[2:], message.size - 2,
                            len(message.octets) == message.size)
        else:
            line.update(pdu="undecodable", _loose=["reason", "ssn"])
        self.end[side] = max(self.end[side], message.tsn + message.count)
        self.lines[side].append(line)

    def control(self, line, message, odd):
        data = message.octets[4:]
        line.update(pdu="sctp-control", function=message.function,
                    name=NAMES.get(message.function, "unassigned"))
        if message.function in (5, 6, 7) and len(data) >= 4:
            first, second = struct.unpack("!HH", data[:4])
            line.update(ird=first & 0x3FFF, ord=second & 0x3FFF, a=bool(first & 0x8000),
                        b=bool(first & 0x4000), c=bool(second & 0x8000), d=bool(second & 0x4000))
            data = data[4:]
        line["private_data"] = data.hex()
        side = message.side
        if message.begins and not odd:
            self.roles = ["initiator" if i == side else "responder" for i in (0, 1)]
        answers = message.function in (2, 3, 6, 7) and self.roles[side] == "unknown"
        if answers and not odd and self.next[side] == 0:
            self.roles = ["responder" if i == side else "initiator" for i in (0, 1)]
        self.over = self.over or message.function in (3, 4, 7)


def sessions(assoc):
    """The sessions of an association, in the order in which they appear."""
    known = assoc.start[0] is not None and assoc.start[1] is not None
    out, open_ = [], {}
    for message in messages(assoc):
        session = open_.get(message.stream)
        if session is None and message.kind not in (SEGMENT, CONTROL):
            continue
        if session is None or message.begins and (session.over or session.passed(message)):
            end = [0, 0]
            end[message.side] = message.tsn
            session = Session(assoc, message.stream, known or message.begins, end)
            open_[message.stream] = session
            out.append(session)
        session.add(message)
    for session in out:
        session.finish()
    if out:
        for side in (0, 1):
            if assoc.init[side]:
                out[0].lines[side].insert(0, dict(assoc.init[side]))
    return out


def dump(path):
    """Returns ([[lines of one direction] ...], error) for the capture at `path`."""
    capture = capfile.read_capture(path)
    times = {packet.frame: packet.time for packet in capture.packets}
    found = [session for assoc in associations(capture.packets) for session in sessions(assoc)]
    found.sort(key=first_frame)
    out = []
    for number, session in enumerate(found):
        for side, lines in enumerate(session.lines):
            out.append([full_line(os.path.basename(path), number, session, side, line, times)
                        for line in lines])
    return out, capture.error


def first_frame(session):
    return min(line["_frame"] for lines in session.lines for line in lines
               if line["_frame"] and line["pdu"] != "sctp-init")


def full_line(name, number, session, side, line, times):
    """Completes a line with the common keys; the role may not be known before the Initiate."""
    out = {"file": name}
    if line["_frame"]:
        out["frame"] = line["_frame"]
        out["time"] = "%d.%09d" % divmod(times[line["_frame"]], 10**9)
    ends = session.assoc.ends
    out.update(conn=number, src=capfile.endpoint(ends[side]), dst=capfile.endpoint(ends[1 - side]),
               dir=session.roles[side], seq=line["_pos"] & 0xFFFFFFFF)
    out.update((key, value) for key, value in line.items() if key not in ("_frame", "_pos"))
    out["_loose"] = list(out.get("_loose", ())) + (["dir"] if line["pdu"] == "sctp-init" else [])
    return out


def counts(path):
    """PDU counts as the manifest has them."""
    directions, error = dump(path)
    if error:
        raise ValueError("%s: %s" % (path, error))
    names = Counter(line["rdmap"]["name"] if "rdmap" in line else line["pdu"]
                    for lines in directions for line in lines)
    order = ("sctp-init", "sctp-control") + refdec.NAMES[:13] + ("ddp-segment", "gap", "undecodable")
    return ",".join("%s=%d" % (item, names[item]) for item in order if item in names)
