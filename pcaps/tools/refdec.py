#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""refdec: an independent iWARP decoder that prints the lines of `iwarp dump -T jsonl`.

It shares no code with the product: the tests compare the two.  A capture is read whole, each TCP
stream is rebuilt whole, then decoded in one pass.  Keys that begin with an underscore are notes
for compare.py (what the contract leaves open in that line) and are not printed.
"""

import argparse
import bisect
import json
import os
import sys
from collections import Counter

import capfile
import crc32c

REQUEST_KEY = b"MPA ID Req Frame"
REPLY_KEY = b"MPA ID Rep Frame"
KEYS = {"mpa-request": REQUEST_KEY, "mpa-reply": REPLY_KEY}

NAMES = ("write", "read-request", "read-response", "send", "send-invalidate", "send-se",
         "send-se-invalidate", "terminate", "immediate", "immediate-se", "atomic-request",
         "atomic-response", "reserved", "reserved", "reserved", "reserved")
TAGGED_OPCODES = (0, 2)
QUEUES = {1: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 2, 8: 0, 9: 0, 10: 1, 11: 3}
FAR = 1 << 20  # a segment with a bad checksum further off than this is noise


# --- TCP streams --------------------------------------------------------------------------------


def nearest(seq, base, last):
    """Returns the stream position of `seq` that lies nearest to position `last`."""
    delta = (seq - base - last) & 0xFFFFFFFF
    return last + (delta - (1 << 32) if delta >= 1 << 31 else delta)


class Stream:
    """One direction of a TCP connection: its octets by position, with the packets they came in.

    Position 0 is the first octet after the SYN, or the first one seen when there is no SYN.
    """

    def __init__(self, src, dst):
        self.src, self.dst = src, dst
        self.isn = None
        self.segments = []
        self.fin = None
        self.acks = []  # acknowledgment numbers that the other side sent

    def low(self):
        """Lowest sequence number seen, taken near the first one; None without data."""
        if not self.segments:
            return None
        base = self.segments[0].seq
        return (base + min(nearest(s.seq, base, 0) for s in self.segments)) & 0xFFFFFFFF

    def never_had(self, number):
        """True if a sequence number lies 64 KiB beyond all that was sent, or before its start."""
        ends = [(s.seq + s.length) & 0xFFFFFFFF for s in self.segments] + self.acks
        if self.isn is not None:
            ends.append((self.isn + 1) & 0xFFFFFFFF)
        if not ends:
            return False
        places = [nearest(end, ends[0], 0) for end in ends]
        place = nearest(number, ends[0], 0)
        before = 65536 if self.isn is not None else 1 << 24
        first = nearest(self.isn + 1, ends[0], 0) if self.isn is not None else min(places)
        return place > max(places) + 65536 or place < first - before

    def build(self):
        """Rebuilds the octets: good checksums before bad ones, then first come, first kept."""
        self.begin_known = self.isn is not None
        if self.begin_known:
            self.base = (self.isn + 1) & 0xFFFFFFFF
        else:
            trusted = [s for s in self.segments if s.check != "bad"] or self.segments
            self.base = trusted[0].seq if trusted else 0
        self.parts = []  # (start, end, octets, frame), sorted, disjoint
        self.ends = []
        self.heads = set()
        self.time_of = {}
        last, placed = 0, []
        for seg in self.segments:
            pos = nearest(seg.seq, self.base, last)
            placed.append((pos, seg))
            if seg.check != "bad":
                last = pos
        good = [item for item in placed if item[1].check != "bad"]
        for pos, seg in good:
            self._place(pos, seg)
        low = self.parts[0][0] - FAR if good and self.parts else None
        high = self.parts[-1][1] + FAR if good and self.parts else None
        for pos, seg in placed:
            if seg.check == "bad" and (low is None or low <= pos <= high):
                self._place(pos, seg)
        self._join(good)

    def _place(self, pos, seg):
        self.time_of[seg.frame] = seg.time
        for at, octets in seg.pieces:
            start, end = pos + at, pos + at + len(octets)
            if self.begin_known and start < 0:
                octets, start = octets[-start:], 0
            while start < end:
                i = bisect.bisect_right(self.ends, start)
                free = self.parts[i][0] if i < len(self.parts) else end
                if free <= start:  # already there
                    skip = self.parts[i][1] - start
                    octets, start = octets[skip:], self.parts[i][1]
                    continue
                stop = min(end, free)
                self.parts.insert(i, (start, stop, octets[:stop - start], seg.frame))
                self.ends.insert(i, stop)
                if start == pos:
                    self.heads.add(pos)
                octets, start = octets[stop - start:], stop

    def _join(self, good):
        self.runs = []
        for start, end, octets, _ in self.parts:
            if self.runs and self.runs[-1][1] == start:
                self.runs[-1][1] = end
                self.runs[-1][2].append(octets)
            else:
                self.runs.append([start, end, [octets]])
        self.runs = [(start, end, b"".join(octets)) for start, end, octets in self.runs]
        self.run_ends = [run[1] for run in self.runs]
        self.begin = 0 if self.begin_known else (self.runs[0][0] if self.runs else 0)
        self.captured_end = self.runs[-1][1] if self.runs else self.begin
        self.end = self.captured_end
        for pos, seg in good:  # octets that a snapped packet announces count as missing ones
            if seg.length and pos + seg.length > self.end:
                self.end = pos + seg.length
        self.tail_inferred = False
        if self.runs or self.begin_known:
            self._extend_to_evidence()
        self.prefixes = {}

    def _extend_to_evidence(self):
        """Octets before a FIN, or acknowledged by the peer, exist although they were not captured."""
        proven = self.end
        fin = None if self.fin is None else nearest(self.fin, self.base, self.end)
        if fin is not None and fin < self.end + FAR:
            proven = max(proven, fin)
        for ack in self.acks:
            acked = nearest(ack, self.base, self.end)
            if fin is not None:
                acked = min(acked, fin)
            elif acked == self.end + 1:  # that may be the FIN
                continue
            if acked < self.end + FAR:
                proven = max(proven, acked)
        if proven > self.end:
            self.end, self.tail_inferred = proven, True

    def run_at(self, pos):
        """Returns the run (start, end, octets) that holds `pos`, or None."""
        i = bisect.bisect_right(self.run_ends, pos)
        if i < len(self.runs) and self.runs[i][0] <= pos:
            return self.runs[i]
        return None

    def hole_begin(self, pos):
        """Returns where the hole at `pos` begins."""
        i = bisect.bisect_right(self.run_ends, pos)
        return self.runs[i - 1][1] if i else self.begin

    def get(self, start, end):
        """Returns the octets [start, end), or None if one is missing."""
        run = self.run_at(start)
        if start == end:
            return b""
        if run is None or end > run[1]:
            return None
        return run[2][start - run[0]:end - run[0]]

    def hole_at(self, pos):
        """Returns where the hole at `pos` ends."""
        i = bisect.bisect_right(self.run_ends, pos)
        return self.runs[i][0] if i < len(self.runs) else self.end

    def pieces(self, start, end):
        """Yields (is_there, from, to) for the runs and holes of [start, end)."""
        while start < end:
            run = self.run_at(start)
            stop = min(end, run[1] if run else self.hole_at(start))
            yield run is not None, start, stop
            start = stop

    def crc(self, start, end):
        """Returns the CRC32c of octets that lie in one run, through its prefix sums."""
        run = self.run_at(start)
        if run[0] not in self.prefixes:
            self.prefixes[run[0]] = crc32c.Prefix(run[2])
        return self.prefixes[run[0]].crc(start - run[0], end - run[0])

    def frame(self, start, end):
        """Returns the largest packet number among those that supplied [start, end), or None."""
        i = bisect.bisect_right(self.ends, start)
        best = None
        while i < len(self.parts) and self.parts[i][0] < end:
            best = max(best or 0, self.parts[i][3])
            i += 1
        return best

    def first_frame_from(self, pos):
        """Returns the lowest packet number that supplied an octet at `pos` or later."""
        i = bisect.bisect_right(self.ends, pos)
        return min((part[3] for part in self.parts[i:]), default=None)

    def supplied_by(self, pos, frame):
        """Returns up to where the octets from `pos` on came in packets before `frame`."""
        i = bisect.bisect_right(self.ends, pos)
        while i < len(self.parts) and self.parts[i][0] <= pos and self.parts[i][3] < frame:
            pos = self.parts[i][1]
            i += 1
        return pos

    def seq(self, pos):
        """Returns the TCP sequence number of a position."""
        return (self.base + pos) & 0xFFFFFFFF

    def position(self, seq):
        """Returns the position of a sequence number, near the stream's beginning."""
        return nearest(seq, self.base, self.begin)

    def segment_of_frame(self, frame):
        """Returns the data segment that packet `frame` carried."""
        for seg in self.segments:
            if seg.frame == frame:
                return seg
        return None


class Connection:
    """A TCP connection: two streams, in the order in which the sides were first seen."""

    def __init__(self, src, dst):
        self.streams = (Stream(src, dst), Stream(dst, src))
        self.first_frame = None
        self.any_good = False
        self.reset = False

    def stream_from(self, src):
        return self.streams[0] if self.streams[0].src == src else self.streams[1]

    def add(self, seg):
        mine = self.stream_from(seg.src)
        if self.first_frame is None:
            self.first_frame = seg.frame
        trusted = seg.check != "bad"
        self.any_good = self.any_good or trusted
        if seg.flags & capfile.SYN:
            if trusted or not self.any_good:
                mine.isn = seg.seq
                other = self.stream_from(seg.dst)
                if seg.flags & capfile.ACK and other.isn is None:  # it tells of a missed SYN
                    other.isn = (seg.ack - 1) & 0xFFFFFFFF
            seg.seq = (seg.seq + 1) & 0xFFFFFFFF
        if seg.length:
            mine.segments.append(seg)
        if seg.flags & capfile.ACK and trusted:
            self.stream_from(seg.dst).acks.append(seg.ack)
        if seg.flags & capfile.FIN and trusted:
            mine.fin = (seg.seq + seg.length) & 0xFFFFFFFF
        self.reset = self.reset or seg.flags & capfile.RST and trusted

    def _is_left_over(self, seg):
        """True if data without a SYN has numbers that a connection that ended never had."""
        ended = self.reset or all(s.fin is not None for s in self.streams)
        if not ended or not seg.length or seg.check == "bad":
            return False
        pairs = [(self.stream_from(seg.src), seg.seq)]
        if seg.flags & capfile.ACK:
            pairs.append((self.stream_from(seg.dst), seg.ack))
        return any(stream.never_had(number) for stream, number in pairs)

    def reopened_by(self, seg):
        """True if a segment belongs to another connection on the same ports."""
        if not seg.flags & capfile.SYN:
            return self._is_left_over(seg)
        if seg.check == "bad" and self.any_good:
            return False
        mine = self.stream_from(seg.src)
        other = self.stream_from(seg.dst)
        after = (seg.seq + 1) & 0xFFFFFFFF
        if mine.isn is not None:
            return mine.isn != seg.seq
        if mine.segments:
            return (mine.low() - after) & 0xFFFFFFFF >= FAR
        if seg.flags & capfile.ACK:
            if other.isn is not None:
                return (other.isn + 1) & 0xFFFFFFFF != seg.ack
            return other.low() is not None and (other.low() - seg.ack) & 0xFFFFFFFF >= FAR
        return other.isn is None and other.low() is not None


def connections(packets):
    """Returns the TCP connections of a capture, each with its streams rebuilt."""
    current, everything = {}, []
    for seg in capfile.segments(packets):
        key = tuple(sorted((seg.src, seg.dst)))
        conn = current.get(key)
        if conn is None or conn.reopened_by(seg):
            conn = Connection(seg.src, seg.dst)
            current[key] = conn
            everything.append(conn)
        conn.add(seg)
    for conn in everything:
        for stream in conn.streams:
            stream.build()
    return everything


# --- startup frames -----------------------------------------------------------------------------


def find_key(stream):
    """Returns (position, pdu) of the first startup key in the stream, or None."""
    for begin, _, octets in stream.runs:
        found = [(begin + octets.find(key), pdu) for pdu, key in KEYS.items() if key in octets]
        if found:
            return min(found)
    return None


class Startup:
    """A startup frame as it stands in the stream: its place, fields and output line."""

    def __init__(self, stream, pos, pdu):
        self.stream, self.pos, self.pdu = stream, pos, pdu
        self.line, self.end, self.whole = None, None, False
        self.flags = 0
        self.complete_frame = stream.frame(pos, pos + 1) or 0
        fixed = stream.get(pos, pos + 20)
        if fixed is None:
            return
        self.flags, rev, length = fixed[16], fixed[17], int.from_bytes(fixed[18:20], "big")
        self.end = pos + 20 + length
        captured = min(self.end, stream.run_at(pos)[1])
        private = stream.get(pos + 20, captured)
        self.whole = captured == self.end
        frame = stream.frame(pos, self.end)
        self.complete_frame = frame
        line = {"pdu": pdu, "markers": self.markers, "crc": self.crc,
                "reject": bool(self.flags & 0x20), "enhanced": bool(self.flags & 0x10),
                "rev": rev, "pd_length": length, "_frame": frame, "_pos": pos, "_loose": []}
        if self.flags & 0x10 and rev == 2:
            private = self._enhanced(line, private, length)
        line["private_data"] = private.hex()
        if not self.whole:
            line["error"] = "private data is not complete"
            if self.end <= stream.end:
                line["_loose"].append("error")
        if fixed[:16] != KEYS[pdu]:
            line["key"] = fixed[:16].hex()
        self.line = line

    def _enhanced(self, line, private, length):
        if len(private) < 4:
            if length < 4:
                line["error"] = "no room for the enhanced data"
                line["_loose"].append("error")
            line["_loose"].append("private_data")
            return private
        word = int.from_bytes(private[:4], "big")
        line.update(ird=word >> 16 & 0x3FFF, ord=word & 0x3FFF, a=bool(word >> 31),
                    b=bool(word >> 30 & 1), c=bool(word >> 15 & 1), d=bool(word >> 14 & 1))
        return private[4:]

    @property
    def seen(self):
        return self.line is not None

    @property
    def markers(self):
        return bool(self.flags & 0x80)

    @property
    def rdmac(self):
        """A Reply of the RDMA Consortium: its sender may use Markers though M=0 was asked (RFC 5044 C.2.5)."""
        return self.seen and self.pdu == "mpa-reply" and self.line["rev"] == 0 and self.markers

    @property
    def crc(self):
        return bool(self.flags & 0x40)

    @property
    def rejects(self):
        return self.seen and self.pdu == "mpa-reply" and bool(self.flags & 0x20)


# --- FPDUs --------------------------------------------------------------------------------------


def pad_of(length):
    return (2 - length) % 4


class Direction:
    """Decodes one direction in Full Operation and collects its lines in stream order."""

    def __init__(self, stream, role):
        self.stream, self.role = stream, role
        self.lines = []
        self.base = None  # position of the first octet of Full Operation, if known
        self.phase = None  # a position where a marker would be
        self.markers = None  # None: not settled
        self.crc = None
        self.unproven = False  # framing rests on a TCP segment that begins plausibly
        self.lead_lost = None

    # lines

    def emit(self, pos, line):
        line["_pos"] = pos
        self.lines.append(line)

    def undecodable(self, start, end, reason):
        """Emits `undecodable` for what is there of [start, end) and `gap` for what is not."""
        for there, a, b in self.stream.pieces(start, end):
            if there:
                self.emit(a, {"pdu": "undecodable", "length": b - a, "reason": reason,
                              "_frame": self.stream.frame(a, b), "_loose": []})
            else:
                self.gap(a, b)

    def gap(self, start, end):
        frame = self.stream.first_frame_from(end) or self.stream.frame(0, start)
        line = {"pdu": "gap", "length": end - start, "_frame": frame, "_loose": []}
        if end == self.stream.end and self.stream.tail_inferred:
            line["_optional"] = True
        self.emit(start, line)

    # geometry (RFC 5044 4.3)

    def at_marker(self, pos):
        return bool(self.markers) and self.phase is not None and (pos - self.phase) % 512 == 0

    def extent(self, start, length):
        """Returns (position after the FPDU, markers inside) for ULPDU_Length at `start`."""
        size = 6 + length + pad_of(length)
        inside = 0
        if self.markers and self.phase is not None:
            room = 512 - (start - self.phase) % 512
            if size > room:
                inside = -(-(size - room) // 508)
        return start + size + 4 * inside, inside

    def gather(self, start, count):
        """Returns up to `count` octets from `start` on without markers, as far as captured."""
        out, pos = b"", start
        while len(out) < count:
            if pos != start and self.at_marker(pos):
                pos += 4
                continue
            stop = pos + count - len(out)
            if self.markers and self.phase is not None:
                stop = min(stop, pos + 512 - (pos - self.phase) % 512)
            run = self.stream.run_at(pos)
            if run is None:
                break
            stop = min(stop, run[1])
            out += self.stream.get(pos, stop)
            pos = stop
        return out

    def head(self, pos):
        """Returns (ULPDU_Length position, its value or None) of an FPDU that begins at `pos`."""
        start = pos
        if self.at_marker(pos) and self.lead_lost != pos:
            start += 4
        octets = self.stream.get(start, start + 2)
        return start, None if octets is None else int.from_bytes(octets, "big")

    def plausible(self, pos):
        """True if the octets at `pos` can be the beginning of an ordinary FPDU."""
        start, length = self.head(pos)
        if length is None:
            return False
        octets = self.gather(start, 2 + 10)
        if len(octets) < 4:
            return False
        control, rdmap = octets[2], octets[3]
        opcode = rdmap & 15
        tagged = control >= 0x80
        if control not in (0x01, 0x41, 0x81, 0xC1) or rdmap & 0xF0 != 0x40 or NAMES[opcode] == "reserved":
            return False
        if tagged != (opcode in TAGGED_OPCODES) or length < (14 if tagged else 18):
            return False
        if tagged or len(octets) < 12:
            return True
        return int.from_bytes(octets[8:12], "big") == QUEUES[opcode]

    def crc_proven(self, pos, limit):
        """True if a complete FPDU with a right CRC begins at `pos` and ends by `limit`."""
        start, length = self.head(pos)
        if length is None:
            return False
        end, _ = self.extent(start, length)
        if end > limit:
            return False
        field = self.stream.get(end - 4, end)
        return field == self.stream.crc(pos, end - 4).to_bytes(4, "little")

    # what the startup did not settle

    def infer(self, pos, options):
        """Settles markers and CRC from the options or from the octets at `pos` on."""
        if self.markers is None:
            self.markers = options.markers
        if self.crc is None:
            self.crc = options.crc
        if self.markers is None and self.base is not None and self.stream.get(pos, pos + 4):
            self.markers = self.stream.get(pos, pos + 4) == b"\0\0\0\0"
        if self.base is not None:
            self.phase = self.base
        if self.markers is None or self.markers and self.phase is None:
            self._infer_phase(pos)
        if self.crc is None and self.base is None:
            self._infer_crc(pos)

    def _infer_phase(self, low):
        """Looks for the phase at which every marker captured from `low` on is a right one."""
        wanted = self.markers
        phases = range(512) if self.phase is None else (self.phase % 512,)
        self.markers = True
        best = (0, None)
        for phase in phases:
            self.phase = phase
            right, wrong = self._count_markers(phase, low)
            if right > best[0] and right >= 9 * wrong:
                best = (right, phase)
        if best[0] >= (1 if wanted or self.base is not None else 2):
            self.phase = best[1]
        else:
            self.phase = self.base
            self.markers = bool(wanted) if wanted is not None else False

    def _count_markers(self, phase, low):
        right = wrong = 0
        for begin, end, octets in self.stream.runs:
            first = max(begin, low)
            for at in range(first - begin + (phase - first) % 512, end - begin - 3, 512):
                if octets[at] or octets[at + 1] or octets[at + 3] & 3:
                    wrong += 1
                elif self._marker_target(begin + at, first) is not None:
                    right += 1
                elif octets[at + 2] == 0 and octets[at + 3] == 0 and begin + at + 8 <= end:
                    wrong += 1
                if wrong > 2 and wrong > right:
                    return right, wrong
        return right, wrong

    def _marker_target(self, at, low):
        """Returns the FPDU that the marker at `at` proves, if it begins at `low` or later."""
        value = self.stream.get(at, at + 4)
        if value is None:
            return None
        pointer = int.from_bytes(value[2:], "big") & 0xFFFC
        if pointer == 0:
            return at if self.plausible(at) else None
        start = at - pointer
        if start < low:
            return None
        lead = self.at_marker(start - 4) and start - 4 >= low
        start = start - 4 if lead else start
        first, length = self.head(start)
        if length is None or self.extent(first, length)[0] <= at:
            return None
        return start if self.plausible(start) else None

    def _infer_crc(self, pos):
        """CRC is on if it is right in one of the first FPDUs found without its help."""
        tried = 0
        for run in self.stream.runs:
            at = max(run[0], pos)
            if self.markers:
                sync = None if self.phase is None else self._sync_by_marker(at, run[1])
                spots = [] if sync is None else [sync]
            else:
                spots = [h for h in sorted(self.stream.heads) if at <= h < run[1]]
            for spot in spots:
                if self.plausible(spot):
                    tried += 1
                    if self.crc_proven(spot, run[1]):
                        self.crc = True
                        return
                if tried >= 16:
                    self.crc = False
                    return
        self.crc = False
        for run in self.stream.runs if not tried else ():
            if self._sync_by_crc(max(run[0], pos), run[1], plausible=True) is not None:
                self.crc = True
                return

    # after a hole, or at a start in mid-stream

    def resync(self, pos):
        """Skips to the next FPDU that can be trusted; returns where it begins."""
        stream = self.stream
        while pos < stream.end:
            run = stream.run_at(pos)
            if run is None:
                stop = stream.hole_at(pos)
                self.gap(pos, stop)
                pos = stop
                continue
            found = self.find_sync(pos, run[1])
            if found is None:
                self.undecodable(pos, run[1], "no FPDU start found")
                if run[1] == stream.end:
                    self.lines[-1]["_loose"].append("reason")
                pos = run[1]
                continue
            if found > pos:
                self.undecodable(pos, found, "no FPDU start found")
            return found
        return pos

    def find_sync(self, low, high):
        if self.markers:
            found = None if self.phase is None else self._sync_by_marker(low, high)
            if self.crc:  # an FPDU may be proven either way
                earlier = self._sync_by_crc(low, high, stop=found)
                found = found if earlier is None else earlier
            return found
        if self.crc:
            return self._sync_by_crc(low, high)
        self.unproven = True
        for head in sorted(self.stream.heads):
            if low <= head < high and self.plausible(head):
                return head
        return None

    def _sync_by_marker(self, low, high):
        at = low + (self.phase - low) % 512
        while at + 4 <= high:
            value = int.from_bytes(self.stream.get(at + 2, at + 4), "big") & 0xFFFC
            if value == 0:
                return at
            start = at - value
            if start >= low:
                lead = self.at_marker(start - 4)
                if lead and start - 4 >= low:
                    start -= 4
                elif lead:
                    self.lead_lost = start
                first, length = self.head(start)
                if length is not None and self.extent(first, length)[0] > at:
                    return start
                self.lead_lost = None
            at += 512
        return None

    def _sync_by_crc(self, low, high, plausible=False, stop=None):
        step, first = 1, low
        if self.base is not None:
            step, first = 4, low + (self.base - low) % 4
        for pos in range(first, high - 7 if stop is None else stop, step):
            if plausible and not self.plausible(pos):
                continue
            if self.crc_proven(pos, high):
                return pos
        return None

    def lacks_first_marker(self, pos):
        """True if a Marker is expected at `pos`, where Full Operation begins, and an FPDU stands there without it."""
        if not self.at_marker(pos) or self.plausible(pos):
            return False
        markers, self.markers = self.markers, False
        lacks = self.plausible(pos)
        self.markers = markers
        return lacks

    def proven_anywhere(self, pos):
        """Where an FPDU begins that its CRC proves, at any octet from `pos` on; PD_Length may be wrong."""
        run = self.stream.run_at(pos)
        if not self.crc or self.markers or run is None:
            return None
        return next((at for at in range(pos, run[1] - 7) if self.crc_proven(at, run[1])), None)

    # decoding

    def decode(self, pos):
        """Decodes from an FPDU boundary (or the beginning of a hole) to the stream's end."""
        stream = self.stream
        while pos < stream.end:
            run = stream.run_at(pos)
            if run is None:
                pos = self.resync(pos)
                continue
            start, length = self.head(pos)
            if length is None:
                if run[1] >= stream.end:
                    self.undecodable(pos, stream.end, "unfinished")
                    return
                self.undecodable(pos, run[1], "ULPDU_Length is not captured")
                if stream.hole_at(run[1]) >= stream.end:
                    self.lines[-1]["_loose"].append("reason")
                pos = self.resync(run[1])
                continue
            end, inside = self.extent(start, length)
            if end > stream.end:
                self.undecodable(pos, stream.end, "unfinished")
                return
            self.fpdu(pos, start, length, end, inside)
            unconfirmed = self.unproven or self.lines[-1]["crc"] == "bad"
            pos = self._after(pos, end)
            run = stream.run_at(pos)
            if unconfirmed and run and not self.plausible(pos) and not self.crc_proven(pos, run[1]):
                pos = self.resync(pos)

    def _after(self, pos, end):
        """Emits the gaps inside an FPDU; returns where decoding goes on."""
        stream, at = self.stream, pos
        while at < end:
            run = stream.run_at(at)
            if run is not None:
                at = run[1]
                continue
            stop = stream.hole_at(at)
            self.gap(at, stop)
            if stop > end:
                return self.resync(stop)
            at = stop
        return end

    def fpdu(self, pos, start, length, end, inside):
        stream = self.stream
        field = stream.get(end - 4, end)
        covered = None
        if stream.get(pos, end) is not None and self.lead_lost != pos:
            covered = stream.crc(pos, end - 4)
        if self.crc is None and covered is not None:
            self.crc = field == covered.to_bytes(4, "little")
        verdict = "unchecked"
        if self.crc and covered is not None:
            verdict = "good" if field == covered.to_bytes(4, "little") else "bad"
        lead = start != pos or self.lead_lost == pos
        loose = ["marker_count"] if self.lead_lost == pos else []
        line = {"pdu": "fpdu", "ulpdu_length": length, "pad": pad_of(length), "crc": verdict,
                "marker_count": inside + (1 if lead else 0),
                "_frame": stream.frame(pos, end), "_loose": loose}
        if self.base is not None:
            line["offset"] = start - self.base
        if field is not None:
            line["crc_value"] = "0x%08x" % int.from_bytes(field, "little")
        whole = stream.get(pos, end) is not None
        segment = self.gather(start, 2 + min(length, 512))[2:]
        describe(line, segment, length, whole)
        if not whole and stream.tail_inferred and stream.captured_end < end:
            line["_or_unfinished"] = True
        self.lead_lost = None
        self.emit(start, line)


# --- DDP and RDMAP ------------------------------------------------------------------------------


class Fields:
    """Reads big-endian fields of a header prefix; a field that is cut reads as None."""

    def __init__(self, octets):
        self.octets = octets

    def number(self, at, size):
        part = self.octets[at:at + size]
        return int.from_bytes(part, "big") if len(part) == size else None

    def hex(self, at, size):
        value = self.number(at, size)
        return None if value is None else "0x%0*x" % (2 * size, value)

    def raw(self, at, size):
        part = self.octets[at:at + size]
        return part.hex() if len(part) == size else None


def known(**fields):
    return {name: value for name, value in fields.items() if value is not None}


def describe(line, segment, length, whole):
    """Adds the DDP and RDMAP objects of a DDP segment, given its captured beginning."""
    f = Fields(segment)
    if not segment:
        if whole:
            line["error"] = "no room for a DDP header"
        else:
            line["_loose"] += ["ddp", "rdmap", "error"]
        return
    tagged = segment[0] >= 0x80
    size = 14 if tagged else 18
    if length < size:
        line["error"] = "ULPDU too short for its DDP header"
        line["_loose"] += [] if whole else ["error"]
        return
    if len(segment) < size:
        line["_loose"] += ["ddp", "rdmap", "error"]
    ddp = {"tagged": tagged, "last": bool(segment[0] & 0x40), "dv": segment[0] & 3,
           "length": length - size}
    if tagged:
        ddp.update(known(stag=f.hex(2, 4), to=f.hex(6, 8)))
    else:
        ddp.update(known(qn=f.number(6, 4), msn=f.number(10, 4), mo=f.number(14, 4)))
    line["ddp"] = ddp
    if len(segment) < 2:
        return
    opcode = segment[1] & 15
    line["rdmap"] = {"rv": segment[1] >> 6, "opcode": opcode, "name": NAMES[opcode]}
    if tagged or opcode in TAGGED_OPCODES:
        if tagged != (opcode in TAGGED_OPCODES):
            line["_loose"] += ["read_request", "terminate", "immediate", "atomic_request",
                               "atomic_response", "invalidate_stag", "error"]
        return
    if opcode in (4, 6) and f.hex(2, 4):
        line["invalidate_stag"] = f.hex(2, 4)
    by_message(line, opcode, ddp, Fields(segment[18:]), length - 18, whole)


MESSAGES = {1: ("read_request", 28), 7: ("terminate", 4), 8: ("immediate", 8),
            9: ("immediate", 8), 10: ("atomic_request", 52), 11: ("atomic_response", 12)}


def by_message(line, opcode, ddp, f, length, whole):
    """Adds the object of a message with an RDMAP header; `length` octets belong to it."""
    if opcode not in MESSAGES:
        return
    name, need = MESSAGES[opcode]
    if ddp.get("mo") != 0:
        line["_loose"] += [name, "error"]
        return
    if length < need and not ddp.get("last"):
        return  # the rest of the header is in the next segment
    if length < need:
        line["error"] = "ULPDU too short for its RDMAP header"
        line["_loose"] += [] if whole else ["error"]
        return
    if len(f.octets) < need:
        line["_loose"] += [name, "error"]
        return
    if opcode == 1:
        line[name] = {"sink_stag": f.hex(0, 4), "sink_to": f.hex(4, 8), "size": f.number(12, 4),
                      "source_stag": f.hex(16, 4), "source_to": f.hex(20, 8)}
    elif opcode == 7:
        terminate(line, f, length, whole)
    elif opcode in (8, 9):
        line[name] = f.raw(0, 8)
    elif opcode == 10:
        line[name] = {"opcode": f.number(3, 1) & 15, "request_id": f.number(4, 4),
                      "stag": f.hex(8, 4), "to": f.hex(12, 8), "add_swap_data": f.hex(20, 8),
                      "add_swap_mask": f.hex(28, 8), "compare_data": f.hex(36, 8),
                      "compare_mask": f.hex(44, 8)}
    else:
        line[name] = {"request_id": f.number(0, 4), "original": f.hex(4, 8)}


def terminate(line, f, length, whole):
    """Adds the Terminate header (RFC 5040 4.8); what it announces but lacks is an error."""
    first, code, bits = f.octets[0], f.octets[1], f.octets[2]
    m, d, r = bool(bits & 0x80), bool(bits & 0x40), bool(bits & 0x20)
    out = {"layer": first >> 4, "etype": first & 15, "code": code, "m": m, "d": d, "r": r}
    line["terminate"] = out
    need, at = 4, 4
    if m or d:
        out.update(known(ddp_segment_length=f.number(4, 2)))
        need = at = 6
        if not m:
            line["_loose"].append("terminate.ddp_segment_length")
    if d:
        inner = f.number(6, 1)
        size = 14 if inner is not None and inner >= 0x80 else 18
        out.update(known(ddp_header=f.raw(6, size)))
        need = at = 6 + size
    if r and d:
        out.update(known(rdma_header=f.raw(at, 28)))
        need = at + 28
    if r and not d:
        line["_loose"].append("error")
    if length < need:
        line["error"] = "Terminate too short for the headers it announces"
        line["_loose"] += [] if whole else ["error"]
    elif len(f.octets) < need:
        line["_loose"] += ["terminate", "error"]


# --- connections --------------------------------------------------------------------------------


class Options:
    """What the command line says about connections without a captured startup."""

    def __init__(self, ports=(), markers=None, crc=None):
        self.ports, self.markers, self.crc = set(ports), markers, crc


class Iwarp:
    """An iWARP connection: which stream is whose, and the lines of both directions."""

    def __init__(self, conn, options):
        self.conn, self.options = conn, options
        self.startups = []
        self.order = None
        self.directions = []
        self.starts = {}  # by role: where a direction without a startup frame begins

    def recognise(self):
        """Finds the startup frames; returns whether this is an iWARP connection."""
        keys = [find_key(stream) for stream in self.conn.streams]
        frames = [Startup(stream, *key) if key else None
                  for stream, key in zip(self.conn.streams, keys)]
        present = [i for i in (0, 1) if frames[i]]
        if not present:
            ports = {side[1] for side in (s.src for s in self.conn.streams)}
            if not ports & self.options.ports or not any(s.runs for s in self.conn.streams):
                return False
            self.order = min(s.first_frame_from(s.begin) for s in self.conn.streams if s.runs)
            for stream in self.conn.streams:
                direction = Direction(stream, "unknown")
                self._midstream(direction, stream.begin)
                self.directions.append(direction)
            return True
        if len(present) == 2 and frames[0].pdu == frames[1].pdu:
            first = min(present, key=lambda i: frames[i].complete_frame)
            initiator = first if frames[first].pdu == "mpa-request" else 1 - first
        else:
            one = present[0]
            initiator = one if frames[one].pdu == "mpa-request" else 1 - one
        self.request = frames[initiator]
        self.reply = frames[1 - initiator]
        self.sides = [self.conn.streams[initiator], self.conn.streams[1 - initiator]]
        if self.reply is None:
            self.reply = self._wrong_reply()
        elif self.request is None:
            self.request = self._wrong_request()
        done = [f for f in (self.request, self.reply) if f and f.whole]
        known_frames = done or [f for f in (self.request, self.reply) if f]
        self.order = min(f.complete_frame for f in known_frames)
        self._decode()
        return True

    def _acked(self, frame, role):
        """Position in the stream of `role` that the packet with `frame` acknowledges, or None."""
        seg = frame.stream.segment_of_frame(frame.stream.frame(frame.pos, frame.pos + 1))
        other = self.sides[role]
        if seg is None or not seg.flags & capfile.ACK or not other.runs:
            return None
        return other.position(seg.ack)

    def _wrong_reply(self):
        """The frame with a wrong key where a Reply should be, if there is one.

        It begins after what the initiator had received when it sent the Request.
        """
        other = self.sides[1]
        pos = self._acked(self.request, 1)
        if pos is None or other.begin_known and pos < 0:
            pos = other.begin
        self.starts[1] = max(pos, other.begin)
        return self._other_frame(other, pos, "mpa-reply")

    def _wrong_request(self):
        """The frame with a wrong key where a Request should be, sent before the Reply."""
        other = self.sides[0]
        pos = self._acked(self.reply, 0)
        if pos is not None and pos > other.begin:
            self.starts[0] = pos
            if other.run_at(pos - 1) is None:  # the Request is in a hole: it shows as a gap
                self.starts[0] = other.hole_begin(pos - 1)
                return None
        if not other.begin_known or pos is not None and pos <= 0:
            return None
        return self._other_frame(other, 0, "mpa-request")

    @staticmethod
    def _other_frame(stream, pos, pdu):
        """The frame at `pos`, if its fixed octets are there or are all that was sent."""
        run = stream.run_at(pos)
        if run is None or run[1] < min(pos + 20, stream.end):
            return None
        return Startup(stream, pos, pdu)

    def _midstream(self, direction, pos):
        direction.infer(pos, self.options)
        direction.decode(direction.resync(pos))

    def _decode(self):
        both = [f for f in (self.request, self.reply) if f and f.seen]
        crc = True if any(f.crc for f in both) else (False if len(both) == 2 else None)
        rejected = bool(self.reply and self.reply.rejects)
        for role, mine, theirs, stream in (
                ("initiator", self.request, self.reply, self.sides[0]),
                ("responder", self.reply, self.request, self.sides[1])):
            d = Direction(stream, role)
            d.crc = crc
            d.markers = theirs.markers if theirs and theirs.seen else None
            if mine and mine.rdmac and not d.markers:  # the first octets tell
                first = stream.get(mine.end, mine.end + 4)
                d.markers = None if first is None else first == b"\0\0\0\0"
            self.directions.append(d)
            if mine is None:
                self._without_frame(d, rejected)
                continue
            if not mine.seen:
                self._unreadable_frame(d, mine)
                continue
            self._frame_lines(d, mine)
            if mine.end >= stream.end:
                continue
            d.base = mine.end
            if rejected:
                self._rejected(d, mine)
            else:
                self._full_operation(d, mine, theirs)

    def _rejected(self, d, mine):
        """Octets after a reject; FPDUs that the initiator had sent before it are decoded."""
        start = self._after_frame(d.stream, mine)
        cut = start
        if d.role == "initiator":
            cut = d.stream.supplied_by(start, self.reply.complete_frame)
        if cut > start:
            early = Direction(d.stream, d.role)
            early.base, early.crc = d.base, d.crc
            self._full_operation(early, mine, None)
            for line in early.lines:
                if line["pdu"] != "fpdu":
                    break
                end = early.extent(line["_pos"], line["ulpdu_length"])[0]
                if end > cut:
                    break
                d.lines.append(line)
                start = end
        d.undecodable(start, d.stream.end, "after reject")

    def _without_frame(self, d, rejected):
        """A direction of which no startup frame was captured."""
        start = self.starts.get(("initiator", "responder").index(d.role), d.stream.begin)
        if rejected:
            d.undecodable(start, d.stream.end, "after reject")
        else:
            self._midstream(d, start)

    def _unreadable_frame(self, d, frame):
        """A startup frame of which the 20 fixed octets are not all there."""
        stream = d.stream
        run = stream.run_at(frame.pos)
        if run[1] >= stream.end or run[1] == stream.captured_end and stream.tail_inferred:
            d.undecodable(frame.pos, stream.end, "unfinished")
            return
        d.undecodable(frame.pos, run[1], "startup frame is not captured")
        d.lines[-1]["_loose"].append("reason")
        d.infer(run[1], self.options)
        d.decode(d.resync(run[1]))

    def _frame_lines(self, d, frame):
        line = frame.line
        d.emit(frame.pos, line)
        for there, a, _ in d.stream.pieces(frame.pos, min(frame.end, d.stream.end)):
            if not there:
                d.gap(a, d.stream.hole_at(a))

    @staticmethod
    def _after_frame(stream, frame):
        """Position after a startup frame and after a hole that covers its end."""
        if frame.end > 0 and stream.run_at(frame.end - 1) is None:
            return stream.hole_at(frame.end - 1)
        return frame.end

    def _full_operation(self, d, mine, theirs):
        stream = d.stream
        pos = self._after_frame(stream, mine)
        unsettled = d.markers is None
        d.infer(mine.end, self.options)
        if pos > mine.end:
            d.decode(d.resync(pos))
            return
        early = unsettled
        if d.role == "responder":
            early = early or not self._initiator_was_first(stream, pos)
        if d.lacks_first_marker(pos):
            d.markers = d.phase = None
            d._infer_phase(pos)
        elif early and stream.run_at(pos) and not d.plausible(pos):
            octets = d.gather(d.head(pos)[0], 4)
            found = d.proven_anywhere(pos)
            d.undecodable(pos, stream.end if found is None else found, "not an FPDU")
            if len(octets) < 4:
                d.lines[-1]["_loose"].append("reason")
            if found is None:
                return
            pos = found
        d.decode(pos)

    def _initiator_was_first(self, stream, pos):
        """True if the initiator was in Full Operation before the responder's octet at `pos`."""
        frame = stream.frame(pos, pos + 1)
        if frame is None:
            return True
        other = self.sides[0]
        start = self.request.end if self.request and self.request.seen else other.begin
        seg = stream.segment_of_frame(frame)
        if seg is not None and seg.flags & capfile.ACK and other.runs:
            if other.position(seg.ack) > start:
                return True
        first = other.first_frame_from(start)
        return first is not None and first < frame


def decode_packets(packets, options=None):
    """Returns the iWARP connections of a capture, in the order of `conn`."""
    options = options or Options()
    found = []
    for conn in connections(packets):
        iwarp = Iwarp(conn, options)
        if iwarp.recognise():
            found.append(iwarp)
    found.sort(key=lambda c: c.order)
    return found


def full_line(name, number, direction, line, times):
    """Completes a line with the common keys."""
    stream = direction.stream
    out = {"file": name}
    if line["_frame"]:
        out["frame"] = line["_frame"]
        out["time"] = "%d.%09d" % divmod(times[line["_frame"]], 10**9)
    out.update(conn=number, src=capfile.endpoint(stream.src), dst=capfile.endpoint(stream.dst),
               dir=direction.role, seq=stream.seq(line["_pos"]))
    out.update((key, value) for key, value in line.items() if key not in ("_frame", "_pos"))
    return out


def dump(path, options=None):
    """Returns ([[lines of one direction] ...], error) for the capture at `path`."""
    capture = capfile.read_capture(path)
    times = {p.frame: p.time for p in capture.packets}
    name = os.path.basename(path)
    out = []
    for number, iwarp in enumerate(decode_packets(capture.packets, options)):
        for direction in iwarp.directions:
            out.append([full_line(name, number, direction, line, times)
                        for line in direction.lines])
    return out, capture.error


def counts(path, options=None):
    """PDU counts as the manifest has them."""
    directions, error = dump(path, options)
    if error:
        raise ValueError("%s: %s" % (path, error))
    lines = [line for lines in directions for line in lines]
    names = Counter(line.get("rdmap", {}).get("name", "fpdu") if line["pdu"] == "fpdu"
                    else line["pdu"] for line in lines if not line.get("_optional"))
    order = ("mpa-request", "mpa-reply") + NAMES[:13] + ("fpdu", "gap", "undecodable")
    return ",".join("%s=%d" % (name, names[name]) for name in order if name in names)


def merged(directions):
    """Puts the lines of all directions in the order of their packets, each direction's kept."""
    keyed = []
    for index, lines in enumerate(directions):
        latest = 0
        for at, line in enumerate(lines):
            latest = max(latest, line.get("frame", 0))
            keyed.append((latest, index, at, line))
    return [item[3] for item in sorted(keyed, key=lambda item: item[:3])]


def add_options(parser):
    """Adds the options that settle what a startup that was not captured would have settled."""
    parser.add_argument("--decode-port", type=int, action="append", default=[], metavar="N")
    parser.add_argument("--markers", choices=("on", "off"))
    parser.add_argument("--crc", choices=("on", "off"))


def options_of(args):
    choice = {"on": True, "off": False, None: None}
    return Options(args.decode_port, choice[args.markers], choice[args.crc])


def main(argv=None):
    parser = argparse.ArgumentParser(description="independent decoder of iWARP captures")
    parser.add_argument("capture")
    add_options(parser)
    args = parser.parse_args(argv)
    try:
        directions, error = dump(args.capture, options_of(args))
    except (OSError, capfile.CaptureError) as problem:
        print("refdec: %s: %s" % (args.capture, problem), file=sys.stderr)
        return 2
    for line in merged(directions):
        print(json.dumps({k: v for k, v in line.items() if not k.startswith("_")}))
    if error:
        print("refdec: %s: %s" % (args.capture, error), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
