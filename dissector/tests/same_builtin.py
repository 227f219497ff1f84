# SPDX-License-Identifier: BSD-2-Clause
"""Where the built-in dissectors are right the plugin shows the same values: same_builtin.py TSHARK [--every N] FILE|FOLDER...

Frames are compared in which both find FPDUs of the same lengths, and as many startup frames: where the built-in misses some, or
reads at wrong places, it is not right. Fields that it is known to get wrong (defects.py) are left out.
"""
import sys

import agreement
import run_tshark

# Filter of the plugin: filter of the built-in.
PAIRS = {
    "iwarp.mpa.rev": "iwarp_mpa.rev", "iwarp.mpa.markers": "iwarp_mpa.marker_flag", "iwarp.mpa.crc": "iwarp_mpa.crc_flag",
    "iwarp.mpa.reject": "iwarp_mpa.rej_flag", "iwarp.mpa.pd_length": "iwarp_mpa.pdlength",
    "iwarp.fpdu.ulpdu_length": "iwarp_mpa.ulpdulength", "iwarp.crc.crc_value": "iwarp_mpa.crc",
    "iwarp.ddp.tagged": "iwarp_ddp.tagged_flag", "iwarp.ddp.last": "iwarp_ddp.last_flag", "iwarp.ddp.dv": "iwarp_ddp.dv",
    "iwarp.ddp.stag": "iwarp_ddp.stag", "iwarp.ddp.to": "iwarp_ddp.tagged_offset", "iwarp.ddp.qn": "iwarp_ddp.qn",
    "iwarp.ddp.msn": "iwarp_ddp.msn", "iwarp.ddp.mo": "iwarp_ddp.mo", "iwarp.ddp.invalidate_stag": "iwarp_rdma.inval_stag",
    "iwarp.rdmap.rv": "iwarp_rdma.version", "iwarp.rdmap.opcode": "iwarp_rdma.opcode",
    "iwarp.read_request.sink_stag": "iwarp_rdma.sinkstag", "iwarp.read_request.sink_to": "iwarp_rdma.sinkto",
    "iwarp.read_request.size": "iwarp_rdma.rdmardsz", "iwarp.read_request.source_stag": "iwarp_rdma.srcstag",
    "iwarp.read_request.source_to": "iwarp_rdma.srcto", "iwarp.terminate.layer": "iwarp_rdma.term_layer",
}
ENHANCED = {
    "iwarp.mpa.enhanced": "iwarp_mpa.enhanced_flag",
    "iwarp.enhanced.a": "iwarp_mpa.enhanced.a", "iwarp.enhanced.b": "iwarp_mpa.enhanced.b", "iwarp.enhanced.ird": "iwarp_mpa.enhanced.ird",
    "iwarp.enhanced.c": "iwarp_mpa.enhanced.c", "iwarp.enhanced.d": "iwarp_mpa.enhanced.D", "iwarp.enhanced.ord": "iwarp_mpa.enhanced.ord",
}
LENGTH, COUNTED = "iwarp.fpdu.ulpdu_length", ("iwarp.mpa.rev", "iwarp.rdmap.opcode")
# Captures with incomplete headers, of which the built-in shows fields that are not there. In the last capture CRCs are
# not in use, and the built-in shows the CRC fields in the other octet order.
CUT = ("hp-err-read-req-short", "hp-err-ulpdu-2", "terminate-in-two", "rdmap.terminate-length-fail", "hp-err-crc-garbage-when-off")

# From 4.6 on the built-in reads RFC 6581, and its PD_Length is what the enhanced data leaves of it.
if run_tshark.release(sys.argv[1]) >= (4, 6):
    del PAIRS["iwarp.mpa.pd_length"]
    PAIRS.update(ENHANCED)

plugin, builtin = run_tshark.Tshark(sys.argv[1]), run_tshark.Tshark(sys.argv[1], plugin=False)


def shown(tshark, capture, names):
    """For each frame the values of each field, by the plugin's name of it."""
    rows = tshark.fields(capture, ["frame.number", *names], "-2", "-Y", " or ".join(names))
    return {int(frame[0]): {name: [agreement.number(value) for value in cell] for name, cell in zip(PAIRS, cells)}
            for frame, *cells in rows}


def same_values(ours, theirs, what):
    """Where the built-in has values, such as CRCs only of FPDUs of one segment, they are the same."""
    for name, values in theirs.items():
        if values:
            run_tshark.equal(ours[name], values, f"{what}{name}:")


def compare(capture):
    """Returns how many frames were compared."""
    ours, theirs, compared = shown(plugin, capture, list(PAIRS)), shown(builtin, capture, list(PAIRS.values())), 0
    for frame in sorted(set(ours) & set(theirs)):
        mine, other = ours[frame], theirs[frame]
        if mine[LENGTH] == other[LENGTH] and all(len(mine[name]) == len(other[name]) for name in COUNTED):
            same_values(mine, other, f"frame {frame}, ")
            compared += 1
    return compared


run_tshark.on_all([capture for capture in run_tshark.captures(sys.argv[2:]) if capture.stem not in CUT], compare)
