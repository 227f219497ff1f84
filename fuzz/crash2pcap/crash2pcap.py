#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""crash2pcap: turns an input of a fuzz target into a capture that `iwarp` and Wireshark open.

crash2pcap.py [--bin FOLDER] TARGET INPUT OUT.pcap

The target runs once, in the stand-alone build (trace-TARGET in FOLDER, build/dev/bin unless given), and says what it
gives to the engines: octets of a connection, messages of a session, packets. They become packets with the right
numbers and checksums. A crash ends the capture with the octets that caused it. Of an input of one frame a connection
is made around it. Exit status: 0 a capture was written, 1 the input gives no packet, 2 usage.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "pcaps/tools"))
sys.dont_write_bytecode = True

import capfile  # noqa: E402
import gencaps  # noqa: E402
import gensctp  # noqa: E402

TAIL = 8  # octets of parameters, fuzz/support/fuzz.h
MSS = 1448
END_FIN, END_RST = 1, 2  # iwarp_end
ON, OFF = 2, 1  # iwarp_tristate


# ---- what a target says ----


def trace(binaries, target, path):
    """The lines that the target prints of one input, as lists of words."""
    done = subprocess.run([binaries / f"trace-{target}", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [line.split(" ") for line in done.stdout.decode("ascii", "replace").splitlines()]


def first_run(lines, begin):
    """The lines of the first engine that is given something: later ones see the same again."""
    starts = [i for i, words in enumerate(lines) if words[0] == begin]
    runs = [lines[i:j] for i, j in zip(starts, [*starts[1:], len(lines)])]
    return next((run for run in runs if any(words[0] in ("push", "gap", "packet", "message") for words in run)), lines)


# ---- connections ----


def deliver(conn, side, octets, check="good"):
    """Octets in segments that a path takes."""
    for at in range(0, len(octets), MSS):
        part = octets[at:at + MSS]
        conn.packet(side, part, capfile.PSH | capfile.ACK, check=check)
        conn.next[side] = (conn.next[side] + len(part)) & 0xFFFFFFFF


def finish(conn, side, how):
    if how == END_FIN:
        conn.packet(side, flags=capfile.FIN | capfile.ACK)
        conn.next[side] = (conn.next[side] + 1) & 0xFFFFFFFF
    elif how == END_RST:
        conn.reset(side)


def stream(lines, cap):
    """What an observer or a receive engine is given."""
    conn = cap.connection()
    rx = next((words for words in lines if words[0] == "rx-init"), None)
    from_start = any(w[:1] == ["start"] and w[2] == "1" for w in lines) or (rx and rx[1] == "1")
    if from_start:
        conn.open()
    if from_start and rx and not any(w[0] == "start" for w in lines):
        crc = int(rx[3]) != OFF
        conn.request(crc=crc)
        conn.reply(markers=int(rx[2]) == ON, crc=crc)
    for words in lines:
        if words[0] == "push":
            deliver(conn, int(words[1]), bytes.fromhex(words[3]), "bad" if words[2] == "1" else "good")
        elif words[0] == "gap":
            conn.next[int(words[1])] = (conn.next[int(words[1])] + int(words[2])) & 0xFFFFFFFF
            cap.clock += cap.step
        elif words[0] == "end":
            finish(conn, int(words[1]), int(words[2]))


def talk(lines, cap):
    """What an endpoint hears and says."""
    conn = cap.connection()
    conn.open()
    first = list(conn.next)
    for words in (w for w in lines if w[0] in ("hear", "hear-at", "say")):
        side = int(words[1])
        if words[0] != "hear-at":
            deliver(conn, side, bytes.fromhex(words[2]))
        else:
            octets, seq = bytes.fromhex(words[3]), (first[side] + int(words[2])) & 0xFFFFFFFF
            in_order = seq == conn.next[side]
            if in_order:
                deliver(conn, side, octets)
            elif octets:
                conn.packet(side, octets, capfile.PSH | capfile.ACK, seq=seq)


# ---- sessions, packets, frames ----


def session(lines, cap):
    """The messages of a session over SCTP."""
    assoc = gensctp.Association(cap)
    assoc.open()
    for words in lines:
        if words[0] == "message":
            side = int(words[1])
            for chunk in assoc.data(side, 0, int(words[2]), bytes.fromhex(words[3]) or b"\0"):
                assoc.packet(side, [chunk])
        elif words[0] == "lost":
            assoc.tsn[int(words[1])] += 1
            cap.clock += cap.step


def packets(lines, cap):
    """Packets as they are."""
    for words in lines:
        if words[0] == "packet":
            item = gencaps.Item(cap.clock, bytes.fromhex(words[3]), int(words[1]))
            item.wire_len = max(int(words[2]), len(item.data))
            cap.items.append(item)
            cap.link = int(words[1])
            cap.clock += cap.step


def one_frame(target, data, cap):
    """A connection around an input that is one frame, as its target reads the parameters."""
    body, tail = data[:-TAIL], data[-TAIL:][::-1]
    conn = cap.connection()
    conn.open()
    if target == "startup":
        deliver(conn, 0, body)
        return
    markers = target == "fpdu" and len(tail) > 1 and tail[1] & 1
    conn.request(crc=True)
    conn.reply(markers=bool(markers), crc=True)
    if target == "fpdu":
        deliver(conn, 0, body)
    elif target == "terminate":
        conn.fpdu(gencaps.INITIATOR, gencaps.untagged(7, 2, 1, payload=body[:60000]))
    else:
        conn.fpdu(gencaps.INITIATOR, body[:60000])


FRAMES = ("startup", "fpdu", "ddp", "rdmap", "terminate")


def convert(binaries, target, path, out):
    """Writes the capture; returns how many packets it has."""
    data = Path(path).read_bytes()
    if target in ("capture", "loss"):
        Path(out).write_bytes(data[:-TAIL])
        return len(capfile.parse_capture(data[:-TAIL]).packets)
    cap = gencaps.Capture()
    if target in FRAMES:
        one_frame(target, data, cap)
    else:
        make(trace(binaries, target, path), cap)
    cap.write(out)
    return len(cap.items)


def make(lines, cap):
    """Makes packets of what a target said, by what it said."""
    kinds = {words[0] for words in lines}
    if "packet" in kinds:
        packets(first_run(lines, "ingest-new"), cap)
    elif "message" in kinds:
        session(first_run(lines, "sctp-observer-init"), cap)
    elif "observer-init" in kinds:
        stream(first_run(lines, "observer-init"), cap)
    elif "rx-init" in kinds:
        stream(first_run(lines, "rx-init"), cap)
    elif kinds & {"hear", "hear-at", "say"}:
        talk(lines, cap)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.partition("\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/dev/bin", help="where trace-TARGET is (default: build/dev/bin)")
    parser.add_argument("target")
    parser.add_argument("input", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args(argv)
    if args.target not in (*FRAMES, "capture", "loss") and not (args.bin / f"trace-{args.target}").exists():
        parser.error(f"{args.target} has no packets, or {args.bin}/trace-{args.target} was not built")
    try:
        num = convert(args.bin, args.target, args.input, args.out)
    except (OSError, capfile.CaptureError) as error:
        parser.error(str(error))
    print(f"{num} packets in {args.out}")
    return 0 if num else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
