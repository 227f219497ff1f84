# SPDX-License-Identifier: BSD-2-Clause
"""An INIT or INIT ACK that was captured after messages of its association is shown like any other one, and `iwarp dump` shows
it, too: late_init.py TSHARK TOOL CAPTURE..."""
import os
import shutil
import sys
import tempfile

import agreement
import run_tshark
import traffic  # noqa: F401  isort: skip
import capfile

tshark, tool, captures = run_tshark.Tshark(sys.argv[1]), sys.argv[2], sys.argv[3:]
scratch = tempfile.mkdtemp()
os.chmod(scratch, 0o755)
INIT, INIT_ACK = 0, 1  # places in the capture


def moved(capture, which, place):
    """The capture with a packet at another place; the times stay in order."""
    read = capfile.read_capture(capture)
    times = [packet.time for packet in read.packets]
    read.packets.insert(place, read.packets.pop(which))
    for packet, time in zip(read.packets, times):
        packet.time = time
    path = os.path.join(scratch, f"{which}-{place}.pcap")
    capfile.write_pcap(path, read.packets, read.link)
    os.chmod(path, 0o644)
    return path


def compare(capture):
    """Moves either packet to later places before the SHUTDOWN."""
    last, compared = len(capfile.read_capture(capture).packets) - 3, 0
    for which in (INIT, INIT_ACK):
        for place in range(which + 1, last, 3):
            path = moved(capture, which, place)
            frames = tshark.fields(path, ["frame.number"], "-2", "-Y", "iwarp.sctp_adaptation")
            run_tshark.equal(frames, [[["1"]], [[str(place + 1)]]], f"{path}:")
            compared += agreement.compare(tshark, tool, path)
    return compared


try:
    run_tshark.on_all(captures, compare)
finally:
    shutil.rmtree(scratch)
