# SPDX-License-Identifier: BSD-2-Clause
"""What frames are called that hold a part of something, messages of several segments again and again, and Custom Blocks, which
Wireshark counts as frames: parts.py TSHARK TOOL"""
import os
import shutil
import struct
import sys
import tempfile

import agreement
import run_tshark

runner, tool = sys.argv[1:]
tshark = run_tshark.Tshark(runner)
scratch = tempfile.mkdtemp()
os.chmod(scratch, 0o755)

CUSTOM_COPY, CUSTOM_KEEP, PEN = 0xBAD, 0x40000BAD, 32473
PARTS = ["i> mpa-request C len=60 segment=40", "r> mpa-reply C len=60 segment=40", "i> send len=100 segment=70",
         "i> octets " + "ff" + "00" * 38 + " segment=20"]
RULES = ["i> mpa-request C", "r> mpa-reply C", "i> send len=4 crc=bad", "r> send len=4 msn=7", "i> send len=100 segment=50"]


def made(name, lines):
    """The capture of a scenario."""
    return run_tshark.scenario(tool, scratch, name, lines)


def block(kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + size + body + size


def with_custom_blocks(path):
    """The same packets as pcapng, with Custom Blocks before the first one and after each second one."""
    with open(path, "rb") as file:
        octets = file.read()
    custom = [block(kind, struct.pack("<I", PEN) + b"custom") for kind in (CUSTOM_COPY, CUSTOM_KEEP)]
    out = [block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)), block(1, struct.pack("<HHI", 1, 0, 0)), custom[0]]
    place, num = 24, 0
    while place < len(octets):
        seconds, part, caplen, size = struct.unpack_from("<IIII", octets, place)
        time = seconds * 1000000 + (part // 1000 if octets[:4] == b"\x4d\x3c\xb2\xa1" else part)
        out.append(block(6, struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, caplen, size) + octets[place + 16:place + 16 + caplen]))
        place, num = place + 16 + caplen, num + 1
        out += [custom[num // 2 % 2]] if num % 2 == 0 else []
    result = path + "ng"
    with open(result, "wb") as file:
        file.write(b"".join(out))
    os.chmod(result, 0o644)
    return result


def infos(capture, *args):
    return [cell[0][0] for cell in tshark.fields(capture, ["_ws.col.Info"], *args) if cell[0] and "Part of" in cell[0][0]]


def a_part_is_called_what_it_is():
    capture = made("parts", PARTS)
    run_tshark.equal(infos(capture, "-2"), ["Part of an MPA Request completed in frame 5", "Part of an MPA Reply completed in frame 7",
                                            "Part of an FPDU completed in frame 9",
                                            "Part of undecodable octets up to frame 11: no FPDU start found"])
    tree = tshark.run(capture, "-2", "-O", "iwarp", "-Y", "iwarp.fpdu.completed_in")
    run_tshark.equal([line.strip(" []\r") for line in tree.split("\n") if "Part of" in line], infos(capture, "-2"))


def one_pass_claims_nothing_of_a_part():
    run_tshark.equal(set(infos(made("once", PARTS))), {"Part of an incomplete iWARP PDU"})


def capsule(number):
    """A Read command of NVMe over Fabrics with this identifier, in two segments of a Send."""
    octets = struct.pack("<BBH", 2, 0x40, number) + bytes(60)
    return [f"i> send msn={number} last=0 data={octets[:30].hex()}", f"i> send msn={number} mo=30 data={octets[30:].hex()}"]


def each_message_is_put_together_like_the_first():
    """After the first ones the segments need no event. With CRCs and without."""
    names = ["iwarp.nvme.opcode", "iwarp.nvme.cid", "iwarp.message.length", "iwarp.message.first", "iwarp.message.last"]
    for word in ("C", ""):
        lines = [f"i> mpa-request {word}", f"r> mpa-reply {word}"]
        for number in range(1, 9):
            lines += capsule(number)
        capture = made("again" + word, lines)
        rows = tshark.fields(capture, names, "-2", "-d", "iwarp.payload,iwarp.nvme", "-Y", "iwarp.ddp.last == 1")
        frames = sorted(int(frame) for frame in tshark.values(capture, "frame.number", "-2", "-Y", "iwarp.ddp"))
        wanted = [(number, 64, frames[2 * number - 2], frames[2 * number - 1]) for number in range(1, 9)]
        run_tshark.equal([tuple(int(cell[0], 0) for cell in row[1:]) for row in rows], wanted, f"flags {word}:")
        run_tshark.equal({row[0][0] for row in rows}, {rows[0][0][0]})


def custom_blocks_are_frames_of_wireshark_alone():
    """The comparison takes that into account, and findings and fields are the same."""
    plain = made("custom", RULES)
    capture = with_custom_blocks(plain)
    numbers = agreement.packets(capture)
    run_tshark.equal(agreement.packets(plain), {})
    run_tshark.equal([numbers[frame] for frame in sorted(numbers)][:3], [1, 2, 3])
    run_tshark.equal(sorted(numbers)[:3], [2, 3, 5])
    run_tshark.equal(agreement.findings(tool, capture), agreement.findings(tool, plain))
    run_tshark.equal(agreement.by_packet(tshark.rules(capture, "-2"), numbers), tshark.rules(plain, "-2"))
    agreement.compare(tshark, tool, capture)


try:
    run_tshark.on_each([a_part_is_called_what_it_is, one_pass_claims_nothing_of_a_part,
                        each_message_is_put_together_like_the_first, custom_blocks_are_frames_of_wireshark_alone])
finally:
    shutil.rmtree(scratch)
