#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""dumped: the captures on which compare.py holds `TOOL dump` against refdec.

dumped.py TOOL OUTDIR writes them, with an INDEX.json of the options that each needs. They are made by `TOOL gen` of

- the pages dumped/*.scn, those whose startup says nothing else with each of SETTINGS;
- pages written at random (random_page);

and of these by what no page can say: other link layers, headers and files, wrong checksums, packets cut or taken away
(wrapped, damaged, and the variants of variants.py).
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import variants

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dumped")
# Pages of which packets with octets are taken away: their numbers.
LACKING = {"tail-lost": (4, 5), "tail-lost-fin": (4, 5), "tail-unfinished": (4, 5, 7), "lost-lead-marker": (3,)}
# What the Request and the Reply say.
SETTINGS = (("", ""), ("C", ""), ("M", ""), ("", "M C"), ("M", "M"), ("M C", "M"))
# The settings of both sides if the startup frames or the first octets are not captured: both the same. If they
# differed, each decoder would find out in its own way.
ALIKE = (("", ""), ("C", "C"), ("M C", "M C"))
FIXED = {"no-reply-junk"}
# Captures in which the tool finds the first FPDU later than refdec: by a Marker, where refdec tries the CRC before it.
LATER = {"busy-iMC-rMC-less-dropped-2", "busy-packed-iMC-rMC-less-dropped-2", "busy-packed-iMC-rMC-less-without-first-12",
         "busy-packed-iMC-rMC-less-without-first-20"}
PORT = ["--decode-port", "7174"]
V6_OPTIONS = [(0, b"\0" + bytes(6)), (60, b"\1" + bytes(14)), (43, b"\0" + bytes(6))]


class Made:
    """A capture: its packets, how they are written, and the options of refdec for it."""

    def __init__(self, packets, link=capfile.EN10MB, args=(), **write):
        self.packets, self.link, self.args, self.how = packets, link, list(args), write

    def write(self, path):
        how = dict(self.how)
        ng = how.pop("fmt", "pcap") == "pcapng"
        (capfile.write_pcapng if ng else capfile.write_pcap)(path, self.packets, self.link, **how)


# --- pages --------------------------------------------------------------------------------------


def page_names():
    return sorted(name[:-len(".scn")] for name in os.listdir(PAGES) if name.endswith(".scn"))


def page(name, request="", reply=""):
    """The text of a page, its startup frames with these flags too."""
    with open(os.path.join(PAGES, name + ".scn"), encoding="utf-8") as stream:
        text = stream.read()
    for item, flags in (("i> mpa-request", request), ("r> mpa-reply", reply)):
        text = text.replace(item, item + " " + flags) if flags else text
    return text


def settings(name, text):
    """What the startup of a page may say: anything where both frames are there, without flags."""
    frames = re.findall(r"^(i> mpa-request|r> mpa-reply)(.*)$", text, re.M)
    words = " ".join(more for _, more in frames).split()
    if len({frame for frame, _ in frames}) < 2 or {"M", "C", "S", "R"} & set(words) or "key=" in text or name in FIXED:
        return SETTINGS[:1]
    return ALIKE if " lost" in text else SETTINGS


def setting_name(request, reply):
    return "".join("-%s%s" % (side, flags.replace(" ", "")) for side, flags in (("i", request), ("r", reply)) if flags)


def random_page(seed):
    """A page by the dice: every message, fields of any value, FPDUs anywhere in segments; of odd seeds something is lost."""
    rng = random.Random(seed)
    lines = ["ipv6"] * (rng.random() < 0.3) + ["connection 1 passive"] * (rng.random() < 0.5) + ["open"]
    lines += ["%s%s%s rev=%d" % (frame, " M" * (rng.random() < .5), " C" * (rng.random() < .5), rng.randrange(3))
              for frame in ("i> mpa-request", "r> mpa-reply")] + ["i> send len=2"]
    for _ in range(12):
        side, num = rng.choice("ir"), rng.randrange(1, 9)
        lost = " lost" * (seed % 2 and rng.random() < 0.2)
        for left in reversed(range(num)):
            opcode, size = rng.randrange(12), rng.choice((0, 1, 2, 3, 8, 28, 52, 400, 1400))
            fields = ("write stag=%d to=%d last=%d" % (rng.getrandbits(32), rng.getrandbits(64), rng.random() < 0.6)
                      if opcode in (0, 2) else "send qn=%d msn=%d" % (gencaps.QUEUE.get(opcode, 0), rng.randrange(1, 13)))
            travel = " bundled" if left else " segment=%d%s" % (rng.choice((100, 999, 1448, 20000)), lost)
            lines.append("%s> %s opcode=%d data=%s%s" % (side, fields, opcode, rng.randbytes(size).hex(), travel))
    return "\n".join(lines) + "\n"


def texts():
    """Yields (name, text) of all pages."""
    for name in sorted(set(page_names()) - {"overlaps", *LACKING}):
        for request, reply in settings(name, page(name)):
            yield name + setting_name(request, reply), page(name, request, reply)
    for seed in range(40):
        yield "random-%02d" % seed, random_page(seed)


def generated(tool, text, args=()):
    """The capture of a page."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "page.pcap")
        subprocess.run([tool, "gen", "-", "-o", path], input=text.encode(), check=True)
        return Made(capfile.read_capture(path).packets, args=args)


# --- what no page can say -----------------------------------------------------------------------


def wrapped(whole):
    """Yields (name, capture): the same in link layers and with headers of IP that variants.py does not know."""
    packets = variants.tcp_only(variants.load(whole))
    six, _ = variants.as_ipv6(packets)
    for name, link, vlans, those in (("triple-tag", capfile.EN10MB, [(0x9100, 5), (0x88A8, 5), (0x8100, 6)], six),
                                     ("sll-v6", capfile.SLL, [], six), ("sll2-v6", capfile.SLL2, [], six),
                                     ("null-v6", capfile.NULL, [], six), ("loop", capfile.LOOP, [], packets),
                                     ("loop-v6", capfile.LOOP, [], six), ("ipv4", capfile.IPV4, [], packets),
                                     ("ipv6", capfile.IPV6, [], six)):
        yield "link-" + name, Made(variants.relinked(those, link, vlans), link)
    for name, those, change in (("options", packets, {"options": b"\x94\x04\0\0" + b"\1" * 8}),
                                ("extensions", six, {"extensions": V6_OPTIONS}),
                                ("total-length-0", packets, {"total_length": 0}),
                                ("payload-length-0", six, {"total_length": 0})):
        ip = [gencaps.ip_packet(p.src[0], p.dst[0], p.copy(prefix=b"").data[len(p.ip_head):], **change) for p in those]
        yield "ip-" + name, Made([gencaps.Item(p.time, gencaps.encapsulate(octets, capfile.EN10MB), capfile.EN10MB)
                                  for p, octets in zip(those, ip)])
    yield "padded", Made([gencaps.Item(p.time, p.data + bytes(max(0, 60 - len(p.data))), p.link) for p in packets])
    for name, how in (("be", {"fmt": "pcapng", "order": ">"}), ("3", {"fmt": "pcapng", "interfaces": 3})):
        yield "pcapng-" + name, Made(packets, **how)
    yield "pcapng-raw-3", Made(variants.relinked(packets, capfile.RAW, []), capfile.RAW, fmt="pcapng", interfaces=3)
    yield "nanosecond-be", Made(packets, nano=True, order=">")


def to_port(whole, port):
    """The same connection to another port of the server."""
    packets, _ = variants.renamed(variants.load(whole), lambda end: (end[0], port if end[1] == 7174 else end[1]))
    return Made(packets)


def overlapping(whole):
    """A bad copy first, then a good one; a second copy with other octets; partial overlaps; an octet of before."""
    packets = variants.load(whole)
    first = next(i for i, p in enumerate(packets) if p.length and p.payload[:3] != b"MPA")
    frame = packets[first]
    octets = frame.payload
    wrong = bytes(b ^ 0x55 for b in octets)
    cuts = ((0, 100, wrong, "bad"), (0, 100), (100, 200), (100, 200, wrong), (150, 320), (300, 500, wrong, "bad"),
            (400, 600), (280, 420), (600, 640, octets, "offload"), (600, 640, wrong, "bad"), (630, len(octets)))
    made = [frame.copy(seq=frame.seq + cut[0], payload=(cut + (octets,))[2][cut[0]:cut[1]], length=cut[1] - cut[0],
                       check=(cut + ("good", "good"))[3] if len(cut) == 4 else "good") for cut in cuts]
    made.append(frame.copy(seq=frame.seq - 1, payload=b"\0", length=1))
    return Made(packets[:first] + made + packets[first + 1:])


def lacking(whole, numbers):
    """Without the packets with these numbers, of those with octets."""
    packets = variants.load(whole)
    data = [p for p in packets if variants.is_data(p)]
    return Made([p for p in packets if p not in [data[number] for number in numbers]])


def spoilt(whole, number):
    """The TCP checksum of the packet with this number, of those with octets, is wrong."""
    packets = variants.load(whole)
    data = [p for p in packets if variants.is_data(p)]
    return Made([p.copy(check="bad") if p is data[number] else p for p in packets])


def offloaded(whole):
    """TCP checksums are left to the card: the sum of the pseudo header is in their place."""
    return Made([p.copy(check="offload") for p in variants.load(whole)])


def derived(name, whole, seed, kinds=("same", "less")):
    """Yields (name, capture) of variants.py; what begins late needs its port."""
    for variant in variants.derive(whole, seed):
        if variant.kind in kinds:
            args = PORT if variant.name.startswith("less-without-first") else []
            yield "%s-%s" % (name, variant.name), Made(variant.packets, variant.link, args, **variant.write_options)


def damaged(tool):
    """Yields (name, capture) of all that is made of a page's capture without `TOOL gen`."""
    opcodes = generated(tool, page("opcodes", "C", "M"))
    yield from wrapped(opcodes)
    yield from derived("opcodes", opcodes, 1, ("same",))
    for number, (request, reply) in enumerate(ALIKE):
        for name in ("busy", "busy-packed"):
            whole = generated(tool, page(name, request, reply))
            yield from derived(name + setting_name(request, reply), whole, number, ("same", "less") if number == 2 else ("less",))
            late = whole.packets[20:]
            given = ["--markers", "on" if "M" in reply else "off", "--crc", "on" if "C" in reply else "off"]
            yield name + setting_name(request, reply) + "-given", Made(late, args=PORT + given)
    for port in (5445, 4420, 445, 443, 80, 20049, 3260):
        yield "port-%d" % port, to_port(generated(tool, page("lost-reply")), port)
    for name, numbers in LACKING.items():
        yield name, lacking(generated(tool, page(name)), numbers)
    yield "overlaps", overlapping(generated(tool, page("overlaps")))
    yield "bad-checksum", spoilt(generated(tool, page("busy", "C")), 9)
    yield "offloaded", offloaded(generated(tool, page("super-segment")))


def captures(tool):
    """Yields (name, capture) of all."""
    for name, text in texts():
        yield name, generated(tool, text)
    yield from ((name, made) for name, made in damaged(tool) if name not in LATER)


def main(tool, folder):
    os.makedirs(folder, exist_ok=True)
    index = []
    for name, made in captures(tool):
        file = name + (".pcapng" if made.how.get("fmt") == "pcapng" else ".pcap")
        made.write(os.path.join(folder, file))
        index.append({"file": file, "args": made.args})
    with open(os.path.join(folder, "INDEX.json"), "w", encoding="utf-8") as out:
        json.dump(index, out, indent=1)
    print("%d captures" % len(index))


if __name__ == "__main__":
    main(*sys.argv[1:])
