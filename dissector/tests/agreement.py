# SPDX-License-Identifier: BSD-2-Clause
"""What the plugin shows of a capture against what the tool says of it: fields with `iwarp dump`, expert infos with `iwarp check`."""
import struct

import run_tshark

CRC = {"bad": 0, "good": 1, "unchecked": 2}
ROLES = {"unknown": 0, "initiator": 1, "responder": 2}
MPA, FPDU = ("mpa-request", "mpa-reply"), ("fpdu", "ddp-segment")


def at(*path):
    """The value in a line of dump at a path of keys."""

    def of(line):
        for key in path:
            line = line.get(key) if isinstance(line, dict) else None
        return line

    return of


def only(kinds, of):
    """The same for these kinds of PDU alone."""
    return lambda line: of(line) if line["pdu"] in kinds else None


def returned_ddp(line):
    """The fields of the DDP header that a Terminate returns, as they lie in its octets."""
    octets = bytes.fromhex(line.get("terminate", {}).get("ddp_header") or "")
    if len(octets) < 14:
        return {}
    out = {"tagged": octets[0] >> 7, "last": octets[0] >> 6 & 1, "dv": octets[0] & 3}
    if out["tagged"]:
        out["stag"], out["to"] = struct.unpack_from("!IQ", octets, 2)
    elif len(octets) == 18:
        out["qn"], out["msn"], out["mo"] = struct.unpack_from("!III", octets, 6)
    return out


def returned_read(line):
    """The same for the RDMA Read Request header."""
    octets = bytes.fromhex(line.get("terminate", {}).get("rdma_header") or "")
    names = ("sink_stag", "sink_to", "size", "source_stag", "source_to")
    return dict(zip(names, struct.unpack("!IQIIQ", octets))) if len(octets) == 28 else {}


def returned(part, key):
    return lambda line: part(line).get(key)


def nested(form, *keys):
    return {f"iwarp.{form}.{key}": at(form, key) for key in keys}


# Display filter: what stands for it in a line of `dump -V`; None where it has none, a list where it may have several.
FIELDS = {
    "iwarp.mpa.type": lambda p: {"mpa-request": 1, "mpa-reply": 2}.get(p["pdu"]),
    **{f"iwarp.mpa.{key}": only(MPA, at(key)) for key in ("markers", "crc", "reject", "enhanced", "rev", "pd_length")},
    "iwarp.mpa.reserved": only(MPA, at("mpa_reserved")),
    **{f"iwarp.enhanced.{key}": only((*MPA, "sctp-control"), at(key)) for key in ("a", "b", "ird", "c", "d", "ord")},
    **nested("smbd", "ird", "ord"),
    **nested("smbd_le", "ird", "ord"),
    **nested("erdma", "cookie", "cc"),
    **nested("rpc_rdma", "format", "version", "remote_invalidation", "send_size", "receive_size"),
    "iwarp.role": lambda p: None if p["pdu"] == "sctp-init" and "adaptation" not in p else ROLES[p["dir"]],
    "iwarp.fpdu.ulpdu_length": only(FPDU, at("ulpdu_length")),
    "iwarp.fpdu.offset": only(FPDU, at("offset")),
    "iwarp.fpdu.markers": at("marker_count"),
    "iwarp.fpdu.pad_length": at("pad"),
    "iwarp.fpdu.pad": lambda p: p.get("pad_octets") or None,
    "iwarp.marker.fpduptr": lambda p: [m["fpduptr"] for m in p.get("marker_list", ())],
    "iwarp.marker.reserved": lambda p: [m["reserved"] for m in p.get("marker_list", ())],
    "iwarp.crc.status": lambda p: CRC[p["crc"]] if p["pdu"] == "fpdu" else None,
    "iwarp.crc.crc_value": at("crc_value"),
    "iwarp.crc.expected": at("crc_computed"),
    **nested("ddp", "tagged", "last", "dv", "length", "stag", "to", "qn", "msn", "mo"),
    "iwarp.ddp.rsvd": at("ddp_rsvd"),
    "iwarp.ddp.rsvdulp": at("ddp_rsvdulp"),
    "iwarp.ddp.invalidate_stag": at("invalidate_stag"),
    **nested("rdmap", "rv", "opcode"),
    "iwarp.rdmap.rsv": at("rdmap_rsv"),
    **nested("read_request", "sink_stag", "sink_to", "size", "source_stag", "source_to"),
    **nested("terminate", "layer", "etype", "code", "m", "d", "r", "ddp_segment_length"),
    "iwarp.terminate.reserved": at("terminate_reserved"),
    **{f"iwarp.returned.ddp.{key}": returned(returned_ddp, key)
       for key in ("tagged", "last", "dv", "stag", "to", "qn", "msn", "mo")},
    **{f"iwarp.returned.read_request.{key}": returned(returned_read, key)
       for key in ("sink_stag", "sink_to", "size", "source_stag", "source_to")},
    "iwarp.immediate.immediate": at("immediate"),
    **nested("atomic_request", "opcode", "request_id", "stag", "to", "add_swap_data", "add_swap_mask", "compare_data",
             "compare_mask"),
    **nested("atomic_response", "request_id", "original"),
    "iwarp.sctp_segment.ssn": only(("ddp-segment",), at("ssn")),
    "iwarp.sctp_control.ssn": only(("sctp-control",), at("ssn")),
    "iwarp.sctp_control.function": only(("sctp-control",), at("function")),
    "iwarp.sctp_adaptation.indication": at("adaptation"),
    "iwarp.undecodable": lambda p: p.get("length") if p["pdu"] == "undecodable" else None,
    "iwarp.gap": lambda p: p.get("length") if p["pdu"] == "gap" else None,
}


def number(value):
    """A value of either side as a number, octets as text."""
    if value in ("True", "False"):  # of a later Wireshark
        return int(value == "True")
    if not isinstance(value, str):
        return int(value)
    try:
        return int(value, 0)
    except ValueError:
        return value


def from_dump(lines):
    """For each frame and field the values in stream order."""
    wanted = {}
    for line in lines:
        for name, of in FIELDS.items():
            value = of(line)
            values = value if isinstance(value, list) else [] if value is None else [value]
            if values:
                wanted.setdefault((line["frame"], name), []).extend(map(number, values))
    return wanted


CUSTOM, PACKETS = (0xBAD, 0x40000BAD), (2, 3, 6)
SECTION, BYTE_ORDER = b"\n\r\r\n", b"\x4d\x3c\x2b\x1a"


def blocks(path):
    """The types of the blocks of a pcapng file; none of another file."""
    with open(path, "rb") as file:
        octets = file.read()
    place, order = 0, "<"
    while octets[:4] == SECTION and place + 12 <= len(octets):
        if octets[place:place + 4] == SECTION:
            order = "<" if octets[place + 8:place + 12] == BYTE_ORDER else ">"
        kind, size = struct.unpack_from(order + "II", octets, place)
        if size < 12:
            return
        yield kind
        place += size


def packets(path):
    """Maps frame numbers of Wireshark to packet numbers of the tool: Wireshark counts Custom Blocks of pcapng as
    frames, the tool does not. Prints a line if they differ; otherwise the map is empty."""
    counted = [kind for kind in blocks(path) if kind in PACKETS + CUSTOM]
    if all(kind in PACKETS for kind in counted):
        return {}
    print(f"{path}: {sum(kind in CUSTOM for kind in counted)} Custom Blocks are frames of Wireshark and no packets of the tool")
    numbers, packet = {}, 0
    for frame, kind in enumerate(counted, 1):
        packet += kind in PACKETS
        if kind in PACKETS:
            numbers[frame] = packet
    return numbers


def from_tshark(rows, numbers):
    """The same of rows of frame.number and all fields; `numbers` is what packets() tells of the capture."""
    shown = {}
    for frame, *cells in rows:
        for name, values in zip(FIELDS, cells):
            if values:
                shown[(numbers.get(int(frame[0]), int(frame[0])), name)] = [number(value) for value in values]
    return shown


def same_fields(shown, wanted):
    """Fails unless both are equal."""
    for key in sorted(set(wanted) | set(shown)):
        run_tshark.equal(shown.get(key), wanted.get(key), f"frame {key[0]}, {key[1]}:")


def same_findings(shown, expected):
    """The same for sets of (rule, frame)."""
    if shown != expected:
        raise run_tshark.Failed(f"only in Wireshark {sorted(shown - expected)[:9]}, "
                                f"only in the tool {sorted(expected - shown)[:9]}")


def by_packet(shown, numbers):
    """A set of (rule, frame) by the numbers of the tool."""
    return {(rule, numbers.get(frame, frame)) for rule, frame in shown}


def findings(tool, capture, *args):
    return {(f["rule"], f["frame"]) for f in run_tshark.findings(tool, capture, *args)}


def compare(tshark, tool, capture, options=(), tool_options=()):
    """Compares both; returns how many fields and findings were compared."""
    wanted = from_dump(run_tshark.tool_lines(tool, "dump", capture, "-V", *tool_options))
    expected = findings(tool, capture, *tool_options)
    rows = tshark.fields(capture, ["frame.number", *FIELDS, "iwarp.rule"], "-2", "-Y", "iwarp", *options)
    numbers = packets(capture)
    same_fields(from_tshark([row[:-1] for row in rows], numbers), wanted)
    same_findings(by_packet({(rule, int(frame[0])) for frame, *_, rules in rows for rule in rules}, numbers), expected)
    return len(wanted) + len(expected)
