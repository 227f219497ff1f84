# SPDX-License-Identifier: BSD-2-Clause
"""The figures of `iwarp stats`, computed a second time: from the packets of a capture and the lines of `dump -T jsonl`.

Nothing is streamed here: each octet of a direction has an entry for the packet that owns it. Times are nanoseconds.
"""

import itertools
import struct
from decimal import ROUND_HALF_UP, Decimal

import kit  # noqa: F401  isort: skip
import capfile

NAMES = ("write", "read-request", "read-response", "send", "send-invalidate", "send-se", "send-se-invalidate", "terminate",
         "immediate", "immediate-se", "atomic-request", "atomic-response", "reserved")
FIN, SYN, RST, ACK = 1, 2, 4, 16
FAR = 1 << 30
FLIPPED = bytes([1]) + bytes(255)  # what is not 0 becomes 0
PERCENTS = (50, 90, 99)
DURATION_BOUNDS = [m * 10 ** e for e in range(3, 12) for m in (1, 2, 5)][:25]
SECOND = 10 ** 9


class Seconds(int):
    """Nanoseconds that are printed as seconds."""


def hex_number(text):
    return int(text, 16)


class Packet:
    """A TCP packet by its headers."""

    def __init__(self, packet, ip):
        data = packet.data
        at = ip.payload
        self.frame, self.time = packet.frame, packet.time
        self.sport, self.dport, self.seq, self.ack, offset, self.flags, self.window, check, _ = struct.unpack_from(
            "!HHIIBBHHH", data, at)
        header = (offset >> 4) * 4
        end = min(at + ip.length, len(data))
        self.src, self.dst = (ip.src, self.sport), (ip.dst, self.dport)
        self.length = ip.length - header
        self.captured = max(end - at - header, 0)
        octets = data[at:end]
        identification = struct.unpack_from("!H", data, ip.start + 4)[0] if ip.version == 4 else 0
        self.identification = identification
        self.same = (octets, ip.length, identification)
        self.bad = False
        if len(octets) == ip.length:
            pseudo = capfile.pseudo_header(ip.src, ip.dst, ip.length)
            right = capfile.ones_sum(pseudo + octets) == 0xFFFF
            without_length = capfile.ones_sum(capfile.pseudo_header(ip.src, ip.dst, 0))
            self.bad = not right and check not in (0, capfile.ones_sum(pseudo), without_length)
        self.clock = 0


def packets_of(path):
    """The TCP packets of a capture, or None where some need more than this reader knows."""
    out = []
    for packet in capfile.read_capture(path).packets:
        ip = capfile.ip_header(packet)
        if ip is None or ip.proto != 6:
            return None
        if ip.fragmented or len(packet.data) < ip.payload + 20:
            return None
        out.append(Packet(packet, ip))
    return out


class Side:
    """What one end sends."""

    def __init__(self):
        self.packets, self.lines, self.first = [], [], None


def distribution(values, kind=int):
    if not values:
        return None
    values = sorted(values)
    bounds = DURATION_BOUNDS if kind is Seconds else [0] + [1 << i for i in range(64)]
    counts, i = {}, 0
    for v in values:
        while i < len(bounds) and v > bounds[i]:
            i += 1
        key = kind(bounds[i]) if i < len(bounds) else None
        counts[key] = counts.get(key, 0) + 1
    out = {"count": len(values), "sum": kind(sum(values)), "min": kind(values[0])}
    for n in PERCENTS:
        out["p%d" % n] = kind(values[-(-n * len(values) // 100) - 1])
    out["max"] = kind(values[-1])
    out["histogram"] = [[bound, n] for bound, n in counts.items()]
    return out


class Octets:
    """Positions of a direction, and who owns them."""

    def __init__(self, side):
        packets = side.packets
        syn = [p for p in packets if p.flags & SYN]
        data = [p for p in packets if p.length]
        self.started = bool(syn or data)
        self.zero = 0
        if self.started:
            self.zero = (syn[0].seq + 1 if syn else data[0].seq) & 0xFFFFFFFF
        self.owner, self.captured, self.carried = [], bytearray(), bytearray()
        self.retransmitted = self.retransmitted_octets = self.out_of_order = self.keep_alives = 0
        self.by_packet = {}
        self.high = 0
        self.carry(packets)
        self.fin = None
        for p in packets:
            if p.flags & FIN and self.fin is None:
                self.fin = self.position(p) + p.length
        self.end = max(self.high, self.fin or 0)
        self.grow(self.end)
        self.latest = list(itertools.accumulate(self.owner, max))

    def position(self, p):
        return self.of_seq(p.seq + (1 if p.flags & SYN else 0))

    def of_seq(self, seq):
        away = (seq - self.zero - self.high) & 0xFFFFFFFF
        return self.high + (away if away < 1 << 31 else away - (1 << 32))

    def grow(self, end):
        more = end - len(self.owner)
        if more > 0:
            self.owner += [-1] * more
            self.captured += bytes(more)
            self.carried += bytes(more)

    def carry(self, packets):
        for p in packets:
            if not self.started:
                break
            at = self.position(p)
            if p.length <= 1 and not p.flags & (SYN | FIN | RST) and at + 1 == self.high:
                self.keep_alives += 1
                continue
            if not p.length:
                continue
            end, low = at + p.length, max(at, 0)
            self.grow(end)
            old = sum(self.carried[low:end]) + low - at
            below = self.carried[low:min(end, self.high)]
            self.retransmitted += bool(old)
            self.retransmitted_octets += old
            self.out_of_order += self.high > 0 and len(below) > sum(below)
            self.by_packet[p.frame] = old
            self.carried[low:end] = b"\1" * (end - low)
            self.captured[low:low + p.captured] = b"\1" * min(p.captured, end - low)
            self.high = max(self.high, end)
        for bad in (False, True):
            for p in packets:
                if p.length and p.bad == bad and self.started:
                    at = (p.seq + (1 if p.flags & SYN else 0) - self.zero) & 0xFFFFFFFF
                    there = self.owner[at:at + p.length]
                    self.owner[at:at + p.length] = ([p.frame] * len(there) if there.count(-1) == len(there) else
                                                    [p.frame if owner < 0 else owner for owner in there])

    def runs_missing(self):
        runs = bytes(self.carried[:self.end]).split(b"\1")
        runs = [len(r) for r in runs if r]
        return len(runs), sum(runs)


def zero_windows(packets, last):
    spans, total, since = 0, 0, None
    for p in packets:
        if p.flags & (SYN | RST):
            continue
        if p.window == 0 and since is None:
            spans, since = spans + 1, p.clock
        elif p.window and since is not None:
            total, since = total + p.clock - since, None
    return spans, Seconds(total + (last - since if since is not None else 0))


class Fpdu:
    """A known FPDU, or another line of `dump` that has a place in the stream."""

    def __init__(self, line, octets, phase):
        self.line = line
        self.name = line["rdmap"]["name"]
        ddp = line["ddp"]
        self.ddp, self.tagged, self.last, self.payload = ddp, ddp["tagged"], ddp["last"], ddp["length"]
        self.start = octets.of_seq(line["seq"])
        self.size = 2 + line["ulpdu_length"] + line["pad"] + 4
        count = line["marker_count"]
        before = (self.start - phase) % 512 == 4
        inner = markers_with(phase, self.start, self.size) - before if count else 0
        self.lead = self.start - 4 * (count - inner)
        self.end = self.start + self.size + 4 * inner


def markers_with(phase, start, length):
    """How many Markers an FPDU has, and the one right before it, if they stand at `phase`."""
    at, left, count = start, length, int((start - phase) % 512 == 4)
    while True:
        run = -(at - phase) % 512
        if run == 0:
            at, count = at + 4, count + 1
        elif run >= left:
            return count
        else:
            at, left = at + run, left - run


def phase_of(lines, octets):
    """Where the Markers of a direction stand, modulo 512; None: more than one place fits."""
    fpdus = [line for line in lines if line["pdu"] == "fpdu"]
    if not any(line["marker_count"] for line in fpdus):
        return 0
    for line in fpdus:
        if "offset" in line:
            return (octets.of_seq(line["seq"]) - line["offset"]) % 512
    fit = [phase for phase in range(512) if all(
        markers_with(phase, octets.of_seq(line["seq"]), 6 + line["ulpdu_length"] + line["pad"]) == line["marker_count"]
        for line in fpdus)]
    return fit[0] if len(fit) == 1 else None


class Unclear(Exception):
    """The lines of `dump` do not say enough."""


def is_known(line, octets, phase):
    ddp, rdmap = line.get("ddp", {}), line.get("rdmap", {})
    header = "to" in ddp if ddp.get("tagged") else "mo" in ddp
    if not header or "name" not in rdmap or line["crc"] == "bad":
        return False
    fpdu = Fpdu(line, octets, phase)
    return all(octets.carried[fpdu.start:fpdu.end]) and fpdu.end <= octets.high


class Direction:
    """The figures of a direction that need no other one."""

    def __init__(self, side):
        self.side = side
        self.octets = octets = Octets(side)
        self.time_of = {p.frame: p.clock for p in side.packets}
        self.startup = None
        self.fpdus, self.bad = [], 0
        phase = phase_of(side.lines, octets)
        if phase is None:
            raise Unclear
        for line in side.lines:
            if line["pdu"] in ("mpa-request", "mpa-reply"):
                self.startup = self.startup or line
            elif line["pdu"] == "fpdu":
                self.bad += line["crc"] == "bad"
                if is_known(line, octets, phase):
                    self.fpdus.append(Fpdu(line, octets, phase))
        self.startup_start = octets.of_seq(self.startup["seq"]) if self.startup else 0
        self.startup_end = self.startup_start + 20 + self.startup["pd_length"] if self.startup else 0
        self.holes = []  # index of the FPDU before which a hole takes effect
        at = self.startup_end if self.startup else None
        for i, fpdu in enumerate(self.fpdus):
            if fpdu.lead != at:
                self.holes.append(i)
            at = fpdu.end
        self.hole_at_end = at is None or octets.end > at
        for fpdu in self.fpdus:
            fpdu.frame = octets.latest[fpdu.end - 1]
            fpdu.time = self.time_of[fpdu.frame]

    def startup_delivered(self):
        end = min(self.startup_end, len(self.octets.latest))
        frame = self.octets.latest[end - 1]
        return frame, self.time_of[frame]

    def tcp(self, last):
        packets, octets = self.side.packets, self.octets
        spans, seconds = zero_windows(packets, last)
        gaps, missing = octets.runs_missing()
        return {"packets": len(packets), "data_packets": sum(p.length > 0 for p in packets),
                "octets": sum(p.length for p in packets), "duplicate_packets": self.side.duplicates,
                "cut_packets": sum(p.captured < p.length for p in packets),
                "retransmitted_packets": octets.retransmitted, "retransmitted_octets": octets.retransmitted_octets,
                "out_of_order_packets": octets.out_of_order, "keep_alives": octets.keep_alives,
                "zero_windows": spans, "zero_window_time": seconds, "gaps": gaps, "gap_octets": missing}

    def stream(self):
        octets = self.octets
        out = {"octets": octets.end if octets.started else 0, "payload": sum(f.payload for f in self.fpdus),
               "headers": sum(2 + (14 if f.tagged else 18) for f in self.fpdus),
               "pad": sum(f.line["pad"] for f in self.fpdus), "crc": 4 * len(self.fpdus),
               "markers": 4 * sum(f.line["marker_count"] for f in self.fpdus), "startup": 0, "streaming": 0}
        known = bytearray(len(octets.carried))
        for f in self.fpdus:
            known[f.lead:f.end] = b"\1" * (f.end - f.lead)
        if self.startup:
            end = min(self.startup_end, octets.end)
            out["startup"] = end - self.startup_start
            out["streaming"] = sum(octets.carried[:self.startup_start])
            known[:end] = b"\1" * end
            for i in range(self.startup_start):
                known[i] = octets.carried[i]
        rest = list(itertools.compress(octets.carried, known[:octets.end].translate(FLIPPED)))
        out["undecoded"], out["missing"] = sum(rest), len(rest) - sum(rest)
        return out

    def packing(self):
        octets = self.octets
        begins = {f.lead for f in self.fpdus} | {f.start for f in self.fpdus}
        ends = {f.end for f in self.fpdus}
        inside, number = bytearray(len(octets.owner)), [-1] * len(octets.owner)
        for k, f in enumerate(self.fpdus):
            inside[f.lead:f.end] = b"\1" * (f.end - f.lead)
            number[f.start:f.end] = [k] * (f.end - f.start)
        packets = aligned = 0
        per_packet = []
        for p in self.side.packets:
            at = octets.of_seq(p.seq + (1 if p.flags & SYN else 0)) if p.length else 0
            end = at + p.length
            owners = octets.owner[at:end]
            if not p.length or at < 0 or not all(inside[at:end]) or owners.count(p.frame) != len(owners):
                continue
            packets += 1
            aligned += at in begins and end in ends
            per_packet.append(len(set(number[at:end]) - {-1}))
        per_fpdu = [len(set(octets.owner[f.start:f.end])) for f in self.fpdus if all(octets.captured[f.start:f.end])]
        out = {"packets": packets, "aligned_packets": aligned, "fpdus_per_packet": distribution(per_packet),
               "packets_per_fpdu": distribution(per_fpdu)}
        return {k: v for k, v in out.items() if v is not None}

    def messages(self):
        """Figures of messages, and what pairing needs: [(FPDU, name, first, unseen, segments)] in `self.steps`."""
        found, self.unfinished, self.unseen, self.ended = {}, 0, 0, []
        self.steps, opened = [], None
        for i, f in enumerate(self.fpdus):
            key = (f.name, f.tagged) + ((f.ddp["stag"],) if f.tagged else (f.ddp["qn"], f.ddp["msn"]))
            hole = i in self.holes
            if opened and (hole or opened["key"] != key):
                self.unfinished += 1
                opened = None
            first = opened is None
            if first:
                opened = {"key": key, "octets": 0, "segments": 0, "unseen": hole if f.tagged else f.ddp["mo"] != 0}
            opened["octets"] += f.payload
            opened["segments"] += 1
            m = found.setdefault(f.name, {"count": 0, "octets": 0, "size": [], "segments": []})
            m["octets"] += f.payload
            self.steps.append((f, hole, first, opened["unseen"], opened["segments"]))
            if f.last:
                m["count"] += 1
                self.ended.append(f.time)
                if opened["unseen"]:
                    self.unseen += 1
                else:
                    m["size"].append(opened["octets"])
                    m["segments"].append(opened["segments"])
                opened = None
        self.unfinished += opened is not None
        for m in found.values():
            for key in ("size", "segments"):
                d = distribution(m.pop(key))
                if d:
                    m[key] = d
        return found


class Request:
    """A Read Request or an Atomic Request that is open, or one that was not seen."""

    def __init__(self, atomic, time, key, unseen=False):
        self.atomic, self.time, self.key, self.unseen = atomic, time, key, unseen
        self.taken, self.first_time, self.after_hole, self.response = False, None, False, None

    def fits(self, atomic, key):
        if self.unseen:
            return True
        return self.atomic == atomic and all(a is None or b is None or a == b for a, b in zip(self.key, key))


class Pairing:
    """Requests and Responses of a connection, in the order of the packets that deliver them."""

    def __init__(self, directions, last):
        self.open, self.hole = ([], []), False
        self.counts = tuple({k: {"requests": 0, "answered": 0, "left_out": 0, "after_hole": 0, "response": [], "first": []}
                             for k in ("reads", "atomics")} for _ in range(2))
        self.msn, self.check = [None, None], [False, False]
        self.overlap, self.over, self.orphan = [False, False], [False, False], [False, False]
        self.taken = [None, None]
        self.changes, self.terminated = ([], []), None
        self.answers = ([], [])
        events = []
        for side, d in enumerate(directions):
            for n, step in enumerate(d.steps):
                events.append((step[0].frame, n, side, step))
        for _, _, side, step in sorted(events, key=lambda e: (e[0], e[2], e[1])):
            self.take(side, *step)
        for side, d in enumerate(directions):
            if d.hole_at_end:
                self.take_hole(side)

    def drop(self, side, reads_only=False):
        kept = []
        for r in self.open[side]:
            if reads_only and (r.atomic or r.unseen):
                kept.append(r)
            elif not r.unseen:
                self.figures(side, r.atomic)["left_out"] += 1
        self.open[side][:] = kept

    def figures(self, side, atomic):
        return self.counts[side]["atomics" if atomic else "reads"]

    def take_hole(self, side):
        self.hole = self.check[side] = True
        self.drop(1 - side)
        for i in range(2):
            if self.overlap[i] and not self.over[i]:
                self.over[i] = True
                self.drop(i, reads_only=True)

    def take(self, side, f, hole, first, unseen, segments):
        if hole:
            self.take_hole(side)
        if f.name in ("read-request", "atomic-request") and f.last:
            self.request(side, f, unseen, segments)
        elif f.name == "read-response" and f.tagged and not unseen:
            if first:
                self.taken[1 - side] = self.find(1 - side, False, (f.ddp["stag"], f.ddp["to"]), f.time)
            if f.last:
                self.answer(1 - side, self.taken[1 - side], f.time)
        elif f.name == "atomic-response" and f.last and segments == 1:
            said = f.line.get("atomic_response")
            if said or f.payload == 12:
                self.answer(1 - side, self.find(1 - side, True, (said["request_id"] if said else None,), f.time), f.time)
            else:
                self.orphan[1 - side] = True
        elif f.name == "terminate" and self.terminated is None:
            self.terminated = f.time

    def request(self, side, f, unseen, segments):
        atomic = f.name == "atomic-request"
        said = f.line.get("atomic_request" if atomic else "read_request")
        length = 52 if atomic else 28
        fits = segments == 1 and not unseen and f.payload >= length and (said or f.payload == length)
        msn = f.ddp.get("msn", 0)
        if self.check[side] and msn != ((self.msn[side] or 0) + 1) & 0xFFFFFFFF:
            self.open[side].append(Request(atomic, f.time, (), unseen=True))
        self.check[side], self.msn[side] = False, msn
        figures = self.figures(side, atomic)
        figures["requests"] += 1
        if not fits or (self.over[side] and not atomic):
            figures["left_out"] += 1
            return
        key = ((said["request_id"],) if atomic else (said["sink_stag"], said["sink_to"])) if said else (None, None)
        self.open[side].append(Request(atomic, f.time, key))
        self.change(side, f.time, 1)

    def find(self, side, atomic, key, time):
        fit = [r for r in self.open[side] if not r.taken and r.fits(atomic, key)]
        if not fit or (len(fit) > 1 and self.hole):
            self.orphan[side] = True
            for r in fit:
                self.open[side].remove(r)
                if not r.unseen:
                    self.figures(side, r.atomic)["left_out"] += 1
            return None
        r = fit[0]
        r.taken, r.first_time, r.after_hole, r.response = True, time, self.hole, key
        return r

    def answer(self, side, r, time):
        if r is None or r not in self.open[side]:
            return
        if not r.atomic and any(o is not r and not o.unseen and o.fits(False, r.response) for o in self.open[side]):
            self.overlap[side] = True
        self.open[side].remove(r)
        if r.unseen:
            return
        figures = self.figures(side, r.atomic)
        figures["answered"] += 1
        figures["after_hole"] += r.after_hole
        figures["response"].append(time - r.time)
        self.change(side, time, -1)
        if not r.atomic:
            figures["first"].append(r.first_time - r.time)
            self.answers[side].append((time, time - r.time))

    def change(self, side, time, step):
        if self.terminated is None:
            self.changes[side].append((time, step))

    def lines(self, side, name, alone):
        figures = self.counts[side][name]
        if not figures["requests"]:
            return None
        if alone:
            return {"requests": figures["requests"]}
        out = {k: figures[k] for k in ("requests", "answered")}
        out["unanswered"] = sum(r.atomic == (name == "atomics") and not r.unseen for r in self.open[side])
        out["left_out"] = figures["left_out"]
        if figures["after_hole"]:
            out["after_hole"] = figures["after_hole"]
        for key, values in (("response_time", figures["response"]), ("first_octet_time", figures["first"])):
            if values:
                out[key] = distribution(values, Seconds)
        return out

    def outstanding(self, side, directions, last, limit):
        counts = self.counts[side]
        holes = any(d.holes or d.hole_at_end for d in directions)
        asked = sum(c["requests"] for c in counts.values())
        if not asked or holes or sum(c["left_out"] for c in counts.values()) or self.orphan[side]:
            return None
        end = last if self.terminated is None else self.terminated
        level = most = busy = area = at_limit = 0
        since = None
        for time, change in self.changes[side] + [(end, 0)]:
            if since is not None and level:
                busy += time - since
                area += level * (time - since)
                at_limit += time - since if limit is not None and level >= limit else 0
            since = time
            level += change
            most = max(most, level)
        out = {"max": most, "busy": Seconds(busy)}
        if busy:
            out["mean"] = (Decimal(area) / Decimal(busy)).quantize(Decimal("0.000001"), ROUND_HALF_UP)
        if limit is not None:
            out["limit"], out["at_limit"] = limit, Seconds(at_limit)
        return out


class Connection:
    """A connection: all figures of its line."""

    def __init__(self, packets, lines):
        self.ends = None
        kept, recent, clock = [], {}, 0
        duplicates = {}
        for p in packets:
            before = recent.setdefault(p.src, [])
            now = max(clock, p.time)
            carries = p.length > 0 or p.flags & (SYN | FIN | RST)
            if any(q.same == p.same and (p.identification or (carries and now - q.clock <= 100000)) for q in before):
                duplicates[p.src] = duplicates.get(p.src, 0) + 1
                continue
            clock = p.clock = now
            recent[p.src] = (before + [p])[-16:]
            kept.append(p)
        self.packets = kept
        roles = {line["src"]: line["dir"] for line in lines}
        initiator = [src for src, role in roles.items() if role == "initiator"]
        responder = [src for src, role in roles.items() if role == "responder"]
        first = capfile.endpoint(kept[0].src)
        other = capfile.endpoint(kept[0].dst)
        if (initiator and initiator[0] != first) or (responder and responder[0] == first):
            first, other = other, first
        self.names = (first, other)
        sides = []
        for name in self.names:
            side = Side()
            side.packets = [p for p in kept if capfile.endpoint(p.src) == name]
            side.lines = [line for line in lines if line["src"] == name]
            side.duplicates = sum(n for src, n in duplicates.items() if capfile.endpoint(src) == name)
            sides.append(side)
        self.directions = [Direction(side) for side in sides]
        self.messages = [d.messages() for d in self.directions]
        self.last = kept[-1].clock
        self.pairing = Pairing(self.directions, self.last)

    def limit(self, side):
        own, peer = self.directions[side].startup, self.directions[1 - side].startup
        if not own or not peer or "ord" not in own or "ird" not in peer:
            return None
        numbers = [n for n in (own["ord"], peer["ird"]) if n != 0x3FFF]
        return min(numbers) if numbers else None

    def idle(self):
        out = {"count": 0, "time": 0}
        longest = None
        for a, b in zip(self.packets, self.packets[1:]):
            pause = b.clock - a.clock
            if pause >= 100000000:
                out["count"] += 1
                out["time"] += pause
            if longest is None or pause > longest[0]:
                longest = (pause, b.frame)
        out["time"] = Seconds(out["time"])
        if longest:
            out["max"], out["max_frame"] = Seconds(longest[0]), longest[1]
        return out

    def startup(self):
        out = {}
        syn = next((p for p in self.packets if p.flags & (SYN | ACK) == SYN), None)
        after = [p for p in self.packets if syn and p.frame > syn.frame]
        synack = next((p for p in after if p.flags & (SYN | ACK) == SYN | ACK and p.src != syn.src), None)
        ack = next((p for p in after if synack and p.frame > synack.frame and p.src == syn.src and
                    p.flags & (SYN | ACK | RST) == ACK), None)
        if synack:
            out["syn_to_synack"] = Seconds(synack.clock - syn.clock)
        if ack:
            out["synack_to_ack"] = Seconds(ack.clock - synack.clock)
        a, b = self.directions
        fpdus = [(d.fpdus[0].frame, d.fpdus[0].time) for d in self.directions if d.fpdus]
        reply = b.startup_delivered() if b.startup else None
        if a.startup and reply and reply[0] > a.startup_delivered()[0]:
            out["request_to_reply"] = Seconds(reply[1] - a.startup_delivered()[1])
        if reply and fpdus and min(fpdus)[0] > reply[0]:
            out["reply_to_first_fpdu"] = Seconds(min(fpdus)[1] - reply[1])
        if syn and fpdus:
            out["syn_to_first_fpdu"] = Seconds(min(fpdus)[1] - syn.clock)
        return out

    def direction(self, side):
        d, peer = self.directions[side], self.directions[1 - side]
        out = {"src": self.names[side], "dst": self.names[1 - side], "tcp": d.tcp(self.last), "stream": d.stream()}
        if d.fpdus or d.bad:
            out["fpdus"] = {"count": len(d.fpdus), "bad_crc": d.bad}
        if d.fpdus:
            out["fpdus"]["size"] = distribution([f.size for f in d.fpdus])
            out["fpdus"]["active"] = Seconds(d.fpdus[-1].time - d.fpdus[0].time)
            out["packing"] = d.packing()
            out["messages"] = self.messages[side]
            out["messages_unfinished"], out["messages_begun_unseen"] = d.unfinished, d.unseen
        alone = not any(p.length for p in peer.side.packets)
        for name in ("reads", "atomics"):
            figures = self.pairing.lines(side, name, alone)
            if figures:
                out[name] = figures
        outstanding = self.pairing.outstanding(side, self.directions, self.last, self.limit(side))
        if outstanding:
            out["outstanding"] = outstanding
        return out

    def figures(self):
        directions = [self.direction(0), self.direction(1)]
        whole = all(d.startup and not d.holes and not d.hole_at_end for d in self.directions)
        whole = whole and not any(d["tcp"]["gaps"] or d["tcp"]["cut_packets"] for d in directions)
        first = self.packets[0]
        out = {"frame": first.frame, "time": "%d.%09d" % divmod(first.clock, SECOND),
               "duration": Seconds(self.last - first.clock), "packets": len(self.packets),
               "octets": sum(p.length for p in self.packets), "whole": bool(whole), "idle": self.idle()}
        startup = self.startup()
        if startup:
            out["startup"] = startup
        out["directions"] = directions
        return out

    def intervals(self, ns):
        """{index: [direction, direction]}."""
        zero, out = self.packets[0].clock, {}

        def at(time):
            return out.setdefault((time - zero) // ns, [{"packets": 0, "octets": 0, "retransmitted_octets": 0, "payload": 0,
                                                         "messages": 0} for _ in range(2)])

        for side, d in enumerate(self.directions):
            for p in d.side.packets:
                at(p.clock)[side]["packets"] += 1
                at(p.clock)[side]["octets"] += p.length
                at(p.clock)[side]["retransmitted_octets"] += d.octets.by_packet.get(p.frame, 0)
            for f in d.fpdus:
                at(f.time)[side]["payload"] += f.payload
            for time in d.ended:
                at(time)[side]["messages"] += 1
            for time, took in self.pairing.answers[side]:
                reads = at(time)[side].setdefault("read_response_time", {"count": 0, "sum": 0, "max": 0})
                reads["count"] += 1
                reads["sum"], reads["max"] = Seconds(reads["sum"] + took), Seconds(max(reads["max"], took))
        return out
