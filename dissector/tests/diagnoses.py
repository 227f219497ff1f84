# SPDX-License-Identifier: BSD-2-Clause
"""Diagnoses and lines about the capture are expert infos, as `iwarp check` has them: diagnoses.py TSHARK TOOL MADE [--every N] FILE|FOLDER...

A diagnosis is at the frame that it names first. A line about the capture is at the frame that it names; where that carries no
iWARP, at the first frame that does. The capture MADE is changed so that it has lines which no other capture has. Diagnoses of TCP
connections without iWARP are the tool's alone: such frames are left to Wireshark.
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile

import agreement
import run_tshark
import traffic

tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]
NAMES = sorted(re.findall(r"\tiwarp\.((?:diagnosis|capture)\.[a-z0-9-]+)\t", run_tshark.about(sys.argv[1], "-G", "fields")))


def of_tool(lines, frames):
    """The (kind, frame) of the diagnoses of connections, and of the lines about the capture."""
    found = {("diagnosis." + d["id"], d["frames"][0]) for line in lines if "conn" in line for d in line.get("diagnosis", ()) if d["frames"]}
    return [*found, *(("capture." + line["kind"], line["frame"] if line["frame"] in frames else frames[0])
                      for line in lines if frames and line.get("type") == "capture")]


def compare(capture):
    rows = tshark.fields(capture, ["frame.number", *(f"iwarp.{name}" for name in NAMES)], "-2", "-Y", "iwarp")
    numbers = agreement.packets(capture)
    frames = [numbers.get(int(frame[0]), int(frame[0])) for frame, *_ in rows]
    shown = [(name, frame) for frame, (_, *cells) in zip(frames, rows) for name, cell in zip(NAMES, cells)
             for _ in (cell if name.startswith("capture.") else cell[:1])]
    wanted = of_tool(run_tshark.tool_lines(tool, "check", capture), frames)
    # The plugin does not wait for another copy of octets: which segments were sent again is counted in another way.
    wanted, shown = (sorted((which, 0 if which == "diagnosis.packets-lost" else frame) for which, frame in found)
                     for found in (wanted, shown))
    run_tshark.equal(shown, wanted)
    return len(wanted)


# --- a capture with lines of further kinds -------------------------------------------------------


def differing(packets):
    """A segment is captured again with another octet in its payload."""
    place = [number for number, packet in enumerate(packets) if traffic.variants.plain_data(packet)][3]
    payload = bytearray(packets[place].payload)
    payload[-1] ^= 1
    return packets[:place + 1] + [packets[place].copy(payload=bytes(payload))] + packets[place + 1:]


def backwards(packets):
    """A packet in the midst has the time of the first one."""
    changed = list(packets)
    changed[len(packets) // 2] = packets[len(packets) // 2].copy(time=packets[0].time)
    return changed


def unread(packets):
    """A copy of the first packet has a MACsec tag: EtherType 0x88e5."""
    tagged = traffic.variants.Other(packets[0])
    tagged.data = tagged.data[:12] + b"\x88\xe5" + tagged.data[14:]
    return [tagged, *packets]


def made(source, path):
    capture = traffic.capfile.read_capture(source)
    packets = unread(backwards(differing(traffic.variants.load(capture))))
    traffic.capfile.write_pcap(path, packets, capture.link)
    os.chmod(path, 0o644)
    kinds = {line["kind"] for line in run_tshark.tool_lines(tool, "check", path) if line.get("type") == "capture"}
    run_tshark.equal(kinds, {"octets-differ", "time-backwards", "not-decoded"}, "lines of the tool:")
    (copies,) = [message for (cell,) in tshark.fields(path, ["_ws.expert.message"], "-2", "-Y", "iwarp.capture.octets-differ")
                 for message in cell if "octet" in message]
    run_tshark.equal(copies.partition("; the tree ")[2], "may show the other copy", "reason of the plugin:")
    return pathlib.Path(path)


scratch = tempfile.mkdtemp()
os.chmod(scratch, 0o755)
try:
    run_tshark.on_all([made(sys.argv[3], os.path.join(scratch, "made.pcap")), *run_tshark.captures(sys.argv[4:])], compare)
finally:
    shutil.rmtree(scratch)
