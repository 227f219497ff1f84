# SPDX-License-Identifier: BSD-2-Clause
"""The fields of the plugin are those of `iwarp dump`, frame by frame: same_fields.py TSHARK TOOL [--every N] CAPTURE|FOLDER..."""
import sys

import run_tshark

CRC = {"bad": 0, "good": 1, "unchecked": 2}

# Display filter: what stands for it in a line of dump, or None where it has none.
FIELDS = {
    "iwarp.mpa.type": lambda p: {"mpa-request": 1, "mpa-reply": 2}.get(p["pdu"]),
    "iwarp.mpa.rev": lambda p: p.get("rev"),
    "iwarp.mpa.pd_length": lambda p: p.get("pd_length"),
    "iwarp.mpa.markers": lambda p: p.get("markers"),
    "iwarp.mpa.reject": lambda p: p.get("reject"),
    "iwarp.fpdu.ulpdu_length": lambda p: p.get("ulpdu_length"),
    "iwarp.fpdu.offset": lambda p: p.get("offset"),
    "iwarp.fpdu.markers": lambda p: p.get("marker_count"),
    "iwarp.fpdu.pad_length": lambda p: p.get("pad"),
    "iwarp.ddp.tagged": lambda p: p.get("ddp", {}).get("tagged"),
    "iwarp.ddp.last": lambda p: p.get("ddp", {}).get("last"),
    "iwarp.ddp.stag": lambda p: p.get("ddp", {}).get("stag"),
    "iwarp.ddp.to": lambda p: p.get("ddp", {}).get("to"),
    "iwarp.ddp.qn": lambda p: p.get("ddp", {}).get("qn"),
    "iwarp.ddp.msn": lambda p: p.get("ddp", {}).get("msn"),
    "iwarp.ddp.mo": lambda p: p.get("ddp", {}).get("mo"),
    "iwarp.ddp.invalidate_stag": lambda p: p.get("invalidate_stag"),
    "iwarp.rdmap.opcode": lambda p: p.get("rdmap", {}).get("opcode"),
    "iwarp.read_request.size": lambda p: p.get("read_request", {}).get("size"),
    "iwarp.read_request.sink_stag": lambda p: p.get("read_request", {}).get("sink_stag"),
    "iwarp.terminate.layer": lambda p: p.get("terminate", {}).get("layer"),
    "iwarp.terminate.code": lambda p: p.get("terminate", {}).get("code"),
    "iwarp.atomic_request.request_id": lambda p: p.get("atomic_request", {}).get("request_id"),
    "iwarp.atomic_response.original": lambda p: p.get("atomic_response", {}).get("original"),
    "iwarp.undecodable": lambda p: p.get("length") if p["pdu"] == "undecodable" else None,
    "iwarp.gap": lambda p: p.get("length") if p["pdu"] == "gap" else None,
}


def number(value):
    """A value of either side as a number."""
    if value in ("True", "False"):  # of a later Wireshark
        return int(value == "True")
    if isinstance(value, str):
        return int(value, 0)
    return int(value)


def from_dump(lines):
    """For each frame and field the values in stream order."""
    wanted = {}
    for line in lines:
        for name, of in FIELDS.items():
            value = of(line)
            if value is not None:
                wanted.setdefault((line["frame"], name), []).append(number(value))
    return wanted


def from_tshark(rows):
    shown = {}
    for frame, *cells in rows:
        for name, values in zip(FIELDS, cells):
            if values:
                shown[(int(frame[0]), name)] = [number(value) for value in values]
    return shown


def main():
    tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]

    def same(capture):
        wanted = from_dump(run_tshark.tool_lines(tool, "dump", capture))
        shown = from_tshark(tshark.fields(capture, ["frame.number", *FIELDS], "-2", "-Y", "iwarp"))
        for key in sorted(set(wanted) | set(shown)):
            run_tshark.equal(shown.get(key), wanted.get(key), f"frame {key[0]}, {key[1]}:")
        return len(wanted)

    run_tshark.on_all(run_tshark.captures(sys.argv[3:]), same)


main()
