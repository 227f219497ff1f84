#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""outcomes: how connections end by `TOOL check` and by their TCP flags and PDUs.   outcomes.py TOOL CAPTURE_FOLDER...

For each connection over TCP whose ports were used once: a reader of FINs, RSTs, Replies and Terminates must come to the
tool's outcome, with its side and its frame. A Terminate is about the latest FPDU of the other side with the header that
it returns.
"""

import json
import os
import subprocess
import sys

import kit  # isort: skip
import capfile

FINAL = ("reset", "closed", "half-closed", "open", "unknown")


def lines(tool, *words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [line for line in map(json.loads, done.stdout.splitlines()) if line.get("type") != "run"]


class Ends:
    """The packets with which the connections between two ends end."""

    def __init__(self):
        self.fins, self.rst, self.syns = {}, None, set()

    def add(self, seg):
        if seg.check == "bad":
            return
        if seg.flags & capfile.SYN:
            self.syns.add((seg.src, seg.seq))
        if seg.flags & capfile.RST:
            self.rst = self.rst or (seg.frame, capfile.endpoint(seg.src))
        elif seg.flags & capfile.FIN:
            self.fins.setdefault(capfile.endpoint(seg.src), seg.frame)

    def outcomes(self):
        """{outcome: (frame, address)} of what the flags allow, without regard to octets that are missing."""
        fins = sorted((frame, side) for side, frame in self.fins.items())
        if self.rst and (len(fins) < 2 or self.rst[0] < fins[1][0]):
            return {"reset": self.rst}
        if fins:
            return {"closed" if len(fins) == 2 else "half-closed": fins[0]}
        return {"open": None, "unknown": None}

    def first(self):
        """Whoever left first, or None."""
        return min([(frame, side) for side, frame in self.fins.items()] + ([self.rst] if self.rst else []),
                   default=None)


def header(pdu):
    """What tells the DDP header of a PDU of `dump` from others."""
    ddp, rdmap = pdu.get("ddp"), pdu.get("rdmap")
    if not ddp or not rdmap:
        return None
    control = ddp["tagged"] << 7 | ddp["last"] << 6 | pdu.get("ddp_rsvd", 0) << 2 | ddp["dv"]
    start = "%02x%02x" % (control, rdmap["rv"] << 6 | pdu.get("rdmap_rsv", 0) << 4 | rdmap["opcode"])
    if ddp["tagged"]:
        return start + ddp["stag"][2:] + ddp["to"][2:]
    word = pdu.get("invalidate_stag", pdu.get("ddp_invalidate_stag", "0x00000000"))[2:]
    return start + word + "%08x%08x%08x" % (ddp["qn"], ddp["msn"], ddp["mo"])


def read_header(pdu):
    """The RDMA header of a Read Request, or None."""
    read = pdu.get("read_request")
    return read and "%s%s%08x%s%s" % tuple(v[2:] if isinstance(v, str) else v for v in (
        read["sink_stag"], read["sink_to"], read["size"], read["source_stag"], read["source_to"]))


def about(pdus, end_frame, terminate):
    """The latest frame before a Terminate with an FPDU of the other side whose header it returns."""
    ender = next(p["dir"] for p in pdus if p["frame"] == end_frame and "terminate" in p)
    meant = terminate.get("likely", terminate)
    wanted, read = meant.get("ddp_header"), meant.get("rdma_header")
    before = [p for p in pdus if p["pdu"] == "fpdu" and p["dir"] != ender and p["frame"] < end_frame]
    found = [p["frame"] for p in before if wanted and header(p) == wanted]
    if not found and read and wanted[20:28] == read[24:32]:  # siw has the size in the place of the MSN
        found = [p["frame"] for p in before if read_header(p) == read]
    return max(found, default=None)


def judge(conn, ends, pdus):
    """Returns what is wrong with the outcome of a connection, or None."""
    said, frame = conn["outcome"], conn.get("end_frame")
    side = conn.get(conn.get("ended_by"))
    wants = ends.outcomes()
    rejects = [p for p in pdus if p["pdu"] == "mpa-reply" and p.get("reject") and "key" not in p]
    if rejects or said == "rejected":
        right = rejects and said == "rejected" and frame == rejects[0]["frame"] and side == rejects[0]["src"]
        return None if right else "a Reject in %s" % [p["frame"] for p in rejects]
    if said == "terminated":
        terminate = dict(conn["terminate"])
        found = about(pdus, frame, terminate)
        if terminate.pop("about_frame", None) != found:
            return "the Terminate is about frame %s" % found
        shown = [p["terminate"] for p in pdus if p["frame"] == frame and "terminate" in p]
        return None if terminate in shown else "dump has another Terminate in frame %d" % frame
    if said in ("no-reply", "startup-failed"):
        if said == "startup-failed" and any(p["pdu"] == "fpdu" for p in pdus):
            return "it has FPDUs"
        if said == "no-reply" and {p["dir"] for p in pdus} != {"initiator"}:
            return "the Responder sent something"
        first = ends.first()
        return None if (first and first[0]) == frame else "the first to leave is %s" % (first,)
    if said not in wants:
        return "by its flags it is %s" % wants
    if wants[said] and (frame != wants[said][0] or (side and side != wants[said][1])):
        return "the frame is %s of %s" % wants[said]
    return None


def check_capture(tool, path):
    """Returns how many connections were compared, and complaints."""
    conns = [c for c in lines(tool, "check", "-T", "jsonl", path)
             if c["type"] == "connection" and c["transport"] == "tcp"]
    ends = {}
    for seg in capfile.segments(capfile.read_capture(path).packets) if conns else ():
        ends.setdefault(frozenset(map(capfile.endpoint, (seg.src, seg.dst))), Ends()).add(seg)
    pdus = lines(tool, "dump", "-V", "-T", "jsonl", path) if conns else []
    complaints, compared = [], 0
    for conn in conns:
        pair = frozenset((conn["initiator"], conn["responder"]))
        if len(ends[pair].syns) > 2 or sum(frozenset((c["initiator"], c["responder"])) == pair for c in conns) > 1:
            continue  # which flags are of which connection is another question
        compared += 1
        found = judge(conn, ends[pair], [p for p in pdus if p["conn"] == conn["conn"]])
        if found:
            complaints.append("%s: conn %d: %s by %s in frame %s, but %s" % (
                os.path.basename(path), conn["conn"], conn["outcome"], conn.get("ended_by"),
                conn.get("end_frame"), found))
    return compared, complaints


def main(tool, folders):
    total, complaints = 0, []
    for folder in folders:
        for name in sorted(os.listdir(folder))[::kit.REPEATED]:
            if name.endswith((".pcap", ".pcapng")):
                compared, found = check_capture(tool, os.path.join(folder, name))
                total += compared
                complaints += found
    print("\n".join(complaints + ["%d connections, %d complaints" % (total, len(complaints))]))
    return 1 if complaints or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
