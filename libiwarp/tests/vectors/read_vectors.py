# SPDX-License-Identifier: BSD-2-Clause
"""Reads the frame vectors without the library: fits them to their schema, decodes each with code of its own, compares,
encodes again. Other languages may take it as the pattern of a reader: read_vectors.py [FILE...]
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCHEMA = HERE / "schema" / "vectors.schema.json"
LEAST = 250  # vectors in all: a loop over nothing must not pass

# ---- the schema: the part of JSON Schema (draft 2020-12) that it uses ----

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}


def fits(root, schema, value, path):
    """Yields what is wrong with a value."""
    if "$ref" in schema:
        yield from fits(root, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, path)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(type(value) is TYPES[name] for name in names):
            yield f"{path}: {value!r} is no {' or '.join(names)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{path}: {value} is out of range"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{path}: {value!r} does not match {schema['pattern']}"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: too few items"
        for number, item in enumerate(value):
            yield from fits(root, schema.get("items", {}), item, f"{path}/{number}")
    if isinstance(value, dict):
        yield from fits_object(root, schema, value, path)


def fits_object(root, schema, value, path):
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield f"{path}: {key} is missing"
    for key, inner in value.items():
        if key not in known and others is False:
            yield f"{path}: {key} is not described"
        else:
            yield from fits(root, known.get(key, others or {}), inner, f"{path}/{key}")


# ---- layouts, from the figures of the RFCs: (key, bits, how it is written) in wire order ----

FLAG, NUMBER, LITTLE, HEX, OCTETS = "flag", "number", "least significant octet first", "hex", "octets"
DDP_CONTROL = [("tagged", 1, FLAG), ("last", 1, FLAG), ("rsvd", 4, HEX), ("dv", 2, NUMBER), ("rsvdulp", 8, HEX)]
LAYOUTS = {
    "mpa": [("key", 128, OCTETS), ("markers", 1, FLAG), ("crc", 1, FLAG), ("reject", 1, FLAG), ("enhanced", 1, FLAG),
            ("reserved", 4, HEX), ("rev", 8, NUMBER), ("pd_length", 16, NUMBER)],
    "enhanced": [("a", 1, FLAG), ("b", 1, FLAG), ("ird", 14, NUMBER), ("c", 1, FLAG), ("d", 1, FLAG),
                 ("ord", 14, NUMBER)],
    "marker": [("reserved", 16, HEX), ("fpduptr", 16, NUMBER)],
    "fpdu": [("ulpdu_length", 16, NUMBER)],
    "tagged": DDP_CONTROL + [("stag", 32, HEX), ("to", 64, HEX)],
    "untagged": DDP_CONTROL + [("invalidate_stag", 32, HEX), ("qn", 32, NUMBER), ("msn", 32, NUMBER),
                               ("mo", 32, NUMBER)],
    "rdmap": [("rv", 2, NUMBER), ("rsv", 2, HEX), ("opcode", 4, NUMBER)],
    "read_request": [("sink_stag", 32, HEX), ("sink_to", 64, HEX), ("size", 32, NUMBER), ("source_stag", 32, HEX),
                     ("source_to", 64, HEX)],
    "terminate": [("layer", 4, NUMBER), ("etype", 4, NUMBER), ("code", 8, HEX), ("m", 1, FLAG), ("d", 1, FLAG),
                  ("r", 1, FLAG), ("reserved", 13, HEX)],
    "immediate": [("immediate", 64, OCTETS)],
    "atomic_request": [("reserved", 28, HEX), ("opcode", 4, NUMBER), ("request_id", 32, NUMBER), ("stag", 32, HEX),
                       ("to", 64, HEX), ("add_swap_data", 64, HEX), ("add_swap_mask", 64, HEX),
                       ("compare_data", 64, HEX), ("compare_mask", 64, HEX)],
    "atomic_response": [("request_id", 32, NUMBER), ("original", 64, HEX)],
    "sctp_segment": [("ssn", 16, NUMBER)],
    "sctp_control": [("ssn", 16, NUMBER), ("function", 16, NUMBER)],
    "sctp_adaptation": [("type", 16, HEX), ("length", 16, NUMBER), ("indication", 32, HEX)],
    "erdma": [("cookie", 32, HEX), ("reserved", 28, HEX), ("cc", 4, NUMBER)],
    "smbd": [("ird", 32, NUMBER), ("ord", 32, NUMBER)],
    "smbd_le": [("ird", 32, LITTLE), ("ord", 32, LITTLE)],
    "rpc_rdma": [("format", 32, HEX), ("version", 8, NUMBER), ("reserved", 7, HEX), ("remote_invalidation", 1, FLAG),
                 ("send_size", 8, NUMBER), ("receive_size", 8, NUMBER)],
}
MESSAGES = {1: "read_request", 7: "terminate", 8: "immediate", 9: "immediate", 10: "atomic_request",
            11: "atomic_response"}
# What tells the peer of an error: layer, error type and code of a Terminate.
ANSWERS = {"MPA_KEY": (2, 0, 4), "MPA_REV": (2, 0, 4), "MPA_PD_LENGTH": (2, 0, 4), "MPA_ENHANCED": (2, 0, 4),
           "MPA_CRC": (2, 0, 2), "MPA_MARKER": (2, 0, 3), "MPA_ULPDU_LENGTH": (2, 0, 3), "DDP_SHORT": (1, 0, 0),
           "RDMAP_SHORT": (0, 2, 0xFF), "RDMAP_LONG": (0, 2, 0xFF)}


def octets_of(layout):
    return sum(bits for _, bits, _ in LAYOUTS[layout]) // 8


def swapped(value, bits):
    return int.from_bytes(value.to_bytes(bits // 8, "big"), "little")


def read(layout, octets):
    """The fields at the front of the octets, as JSON writes them."""
    size = octets_of(layout)
    number, left, out = int.from_bytes(octets[:size], "big"), 8 * size, {}
    for key, bits, how in LAYOUTS[layout]:
        left -= bits
        value = number >> left & (1 << bits) - 1
        if how == FLAG:
            value = bool(value)
        elif how == HEX:
            value = f"0x{value:0{(bits + 3) // 4}x}"
        elif how == OCTETS:
            value = f"{value:0{bits // 4}x}"
        elif how == LITTLE:
            value = swapped(value, bits)
        out[key] = value
    return out


def write(layout, fields):
    number = 0
    for key, bits, how in LAYOUTS[layout]:
        value = int(fields[key], 16) if how in (HEX, OCTETS) else int(fields[key])
        if value >> bits:
            raise ValueError(f"{key} is too large")
        if how == LITTLE:
            value = swapped(value, bits)
        number = number << bits | value
    return number.to_bytes(octets_of(layout), "big")


def crc32c(octets):
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


class Short(Exception):
    """More octets are needed: how many in all."""


# ---- decoders: (value, error) ----

KEYS = {b"MPA ID Req Frame": "request", b"MPA ID Rep Frame": "reply"}


RPC_RDMA = bytes.fromhex("f6ab0e18" "01")  # format identifier and version, RFC 8797 4
ENHANCED_FUNCTIONS = (5, 6, 7)  # RFC 6581 7


def private_data_forms(rev, octets, ulp_data):
    """What Private Data hold beyond the RFCs of iWARP: eight octets each."""
    found = {}
    if rev == 129 and len(octets) >= 8:
        found["erdma"] = read("erdma", octets)
    at = octets.find(RPC_RDMA, 0, len(octets) - 3) if len(octets) >= 8 else -1
    if at >= 0:
        found["rpc_rdma"] = read("rpc_rdma", octets[at:])
    if rev in (1, 2) and len(ulp_data) == 8:  # a guess: two numbers below 65536, not both 0
        for layout in ("smbd", "smbd_le"):
            depths = read(layout, ulp_data)
            if max(depths.values()) < 65536 and any(depths.values()):
                found[layout] = depths
                break
    return found


def decode_startup(wire, _):
    if len(wire) < 20:
        raise Short(20)
    fields = read("mpa", wire)
    size = 20 + fields["pd_length"] + (8 if fields["rev"] == 129 else 0)
    if len(wire) < size:
        raise Short(size)
    value = {"frame": KEYS.get(wire[:16], "unknown"), "mpa": {**fields, "private_data": wire[20:].hex()}}
    enhanced = fields["enhanced"] and fields["rev"] == 2
    if enhanced and len(wire) >= 24:
        value["enhanced"] = read("enhanced", wire[20:])
    value.update(private_data_forms(fields["rev"], wire[20:], wire[24 if "enhanced" in value else 20:]))
    error = ("MPA_KEY" if value["frame"] == "unknown" else "MPA_REV" if fields["rev"] > 2 else
             "MPA_PD_LENGTH" if fields["pd_length"] > 512 else
             "MPA_ENHANCED" if enhanced and len(wire) < 24 else None)
    return value, error


def decode_form(layout):
    def decode(wire, _):
        if len(wire) < octets_of(layout):
            raise Short(octets_of(layout))
        return {layout: read(layout, wire)}, None
    return decode


def decode_sctp_segment(wire, _):
    if len(wire) < 2:
        raise Short(2)
    segment, error = decode_segment(wire[2:], None)
    return {"sctp_segment": {**read("sctp_segment", wire), "segment": wire[2:].hex()}, **(segment or {})}, error


def decode_sctp_control(wire, _):
    if len(wire) < 4:
        raise Short(4)
    fields = read("sctp_control", wire)
    value = {"sctp_control": {**fields, "private_data": wire[4:].hex()}}
    if fields["function"] in ENHANCED_FUNCTIONS and len(wire) >= 8:
        value["enhanced"] = read("enhanced", wire[4:])
    value.update(private_data_forms(0, wire[4:], wire[4:]))
    return value, None


def decode_ddp_header(wire, _):
    layout = "tagged" if wire and wire[0] & 0x80 else "untagged"
    if len(wire) < octets_of(layout):
        raise Short(octets_of(layout) if wire else 14)
    return {"ddp": read(layout, wire)}, None


def decode_terminate(octets):
    fields, rest, error = read("terminate", octets), octets[4:], None
    wanted = [("ddp_segment_length", 2)] if fields["m"] or fields["d"] else []
    if fields["d"]:
        wanted.append(("ddp_header", 14 if rest[2:3] >= b"\x80" else 18))
    if fields["r"]:
        wanted.append(("rdma_header", 28 if fields["d"] else None))
    for key, size in wanted:
        if size is None:
            error = "RDMAP_TERM_HDRCT"
            break
        if len(rest) < size:
            error = "RDMAP_TERM_TRUNCATED"
            break
        part, rest = rest[:size], rest[size:]
        fields[key] = int.from_bytes(part, "big") if key == "ddp_segment_length" else part.hex()
    fields["rest"] = rest.hex()
    return fields, error


def decode_segment(wire, _):
    layout = "tagged" if not wire or wire[0] & 0x80 else "untagged"
    size = octets_of(layout)
    if len(wire) < size:
        return None, "DDP_SHORT"
    value = {"ddp": read(layout, wire), "rdmap": read("rdmap", wire[1:])}
    payload, error = wire[size:], None
    name = MESSAGES.get(value["rdmap"]["opcode"])
    if name is None or layout == "tagged" or value["ddp"]["mo"] != 0:
        value["payload"] = payload.hex()
    elif len(payload) < octets_of(name):
        value["payload"], error = payload.hex(), "RDMAP_SHORT"
    elif name == "terminate":
        value[name], error = decode_terminate(payload)
    else:
        value[name] = read(name, payload)
        value["payload"] = payload[octets_of(name):].hex()
        error = "RDMAP_LONG" if value["payload"] else None
    return value, error


def walk(off, markers, count):
    """Yields for each octet of the wire whether it is of a Marker, until `count` others have passed."""
    at = off
    while count > 0:
        if markers and at % 512 == 0:
            yield from [True] * 4
            at += 4
        yield False
        at, count = at + 1, count - 1


def decode_fpdu(wire, vector):
    off, markers = vector["stream_off"], vector["markers"]
    front = list(walk(off, markers, 2))
    if len(wire) < len(front):
        raise Short(len(front))
    length = int.from_bytes(wire[len(front) - 2:len(front)], "big")
    pad = -(2 + length) % 4
    kinds = list(walk(off, markers, 2 + length + pad + 4))
    if len(wire) < len(kinds):
        raise Short(len(kinds))
    data = bytes(octet for octet, marker in zip(wire, kinds) if not marker)
    places = [at for at, kind in enumerate(kinds) if kind and (off + at) % 512 == 0]
    start = len(front) - 2
    found = [{"at": at, **read("marker", wire[at:]), "expected": max(at - start, 0)} for at in places]
    value = {"fpdu": {"ulpdu_length": length}, "markers": found, "ulpdu": data[2:2 + length].hex(),
             "pad": data[2 + length:-4].hex(), "crc": {"crc_value": f"0x{int.from_bytes(data[-4:], 'little'):08x}"},
             "crc_computed": f"0x{crc32c(wire[:-4]):08x}"}
    segment, error = decode_segment(data[2:2 + length], None)
    value.update({key: inner for key, inner in (segment or {}).items()})
    if any(marker["fpduptr"] & ~3 != marker["expected"] for marker in found):
        error = "MPA_MARKER"
    if value["crc"]["crc_value"] != value["crc_computed"]:
        error = "MPA_CRC"
    return value, error


FORMS = {name.replace("_", "-"): name for name in
         ("enhanced", "marker", "sctp_adaptation", "erdma", "smbd", "smbd_le", "rpc_rdma")}
DECODERS = {"startup": decode_startup, "ddp-header": decode_ddp_header, "segment": decode_segment, "fpdu": decode_fpdu,
            "sctp-segment": decode_sctp_segment, "sctp-control": decode_sctp_control,
            **{form: decode_form(layout) for form, layout in FORMS.items()}}


# ---- encoders ----

def encode_segment(value):
    out = write("tagged" if value["ddp"]["tagged"] else "untagged", value["ddp"])
    for name in LAYOUTS:
        if name in value and name in MESSAGES.values():
            out += write(name, value[name])
    if "terminate" in value:
        fields = value["terminate"]
        if "ddp_segment_length" in fields:
            out += fields["ddp_segment_length"].to_bytes(2, "big")
        for key in ("ddp_header", "rdma_header", "rest"):
            out += bytes.fromhex(fields.get(key, ""))
    return out + bytes.fromhex(value.get("payload", ""))


def encode_fpdu(value, vector):
    data = write("fpdu", value["fpdu"]) + bytes.fromhex(value["ulpdu"] + value["pad"])
    data = iter(data + int(value["crc"]["crc_value"], 16).to_bytes(4, "little"))
    markers = iter(b"".join(write("marker", marker) for marker in value["markers"]))
    size = 2 + len(value["ulpdu"] + value["pad"]) // 2 + 4
    return bytes(next(markers if kind else data) for kind in walk(vector["stream_off"], vector["markers"], size))


def encode(vector):
    value, form = vector["value"], vector["form"]
    if form == "startup":
        return write("mpa", value["mpa"]) + bytes.fromhex(value["mpa"]["private_data"])
    if form == "fpdu":
        return encode_fpdu(value, vector)
    if form in ("segment", "ddp-header"):
        return encode_segment(value)
    if form == "sctp-segment":
        head = write("sctp_segment", value["sctp_segment"])
        return head + (encode_segment(value) if "ddp" in value else bytes.fromhex(value["sctp_segment"]["segment"]))
    if form == "sctp-control":
        return write("sctp_control", value["sctp_control"]) + bytes.fromhex(value["sctp_control"]["private_data"])
    return write(FORMS[form], value[FORMS[form]])


# ---- the files ----

def check_vector(vector):
    """Yields what is wrong with a vector."""
    wire, need = bytes.fromhex(vector["wire"]), None
    try:
        value, error = DECODERS[vector["form"]](wire, vector)
    except Short as short:
        value, error, need = None, "NEED_MORE", short.args[0]
    answer = ANSWERS.get(error)
    answer = dict(zip(("layer", "etype", "code"), answer)) if answer else None
    for key, own in (("value", value), ("error", error), ("need", need), ("answer", answer)):
        if vector.get(key) != own:
            yield f"{key} is {vector.get(key)}, decoded {own}"
    if vector["direction"] != ("decode" if value is None else "both"):
        yield f"direction {vector['direction']}"
    if vector["value"] is not None and encode(vector) != wire:
        yield f"encodes to {encode(vector).hex()}"


def refuse_double_keys(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a key stands twice among {[key for key, _ in pairs]}")
    return dict(pairs)


def check_file(path, schema, ids):
    content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=refuse_double_keys)
    complaints = list(fits(schema, schema, content, path.name))
    if complaints:
        return complaints
    if content["message"] != path.stem:
        complaints.append(f"{path.name}: it says it holds {content['message']}")
    used = {flag for vector in content["vectors"] for flag in vector["flags"]}
    if used != set(content["flags"]):
        complaints.append(f"{path.name}: flags explained {sorted(content['flags'])}, used {sorted(used)}")
    for vector in content["vectors"]:
        if vector["id"] in ids:
            complaints.append(f"{path.name}: {vector['id']} stands twice")
        ids.add(vector["id"])
        complaints += [f"{path.name}: {vector['id']}: {text}" for text in check_vector(vector)]
    return complaints


def self_test(schema):
    """A reader that takes everything would be of no use."""
    vector = {"id": "a", "comment": "A.", "rfc": ["RFC 5041 4.2"], "flags": ["f"], "form": "segment", "direction": "decode",
              "wire": "c1400000000100000000000000", "value": None, "error": "DDP_SHORT",
              "answer": {"layer": 1, "etype": 0, "code": 0}}
    good = {"schema": "vectors", "message": "a", "comment": "A.", "flags": {"f": "F."}, "vectors": [vector]}
    assert not list(fits(schema, schema, good, "")) and not list(check_vector(vector))
    for change in ({"wire": "C1"}, {"wire": "c"}, {"form": "frame"}, {"rfc": []}, {"error": "SHORT"}, {"extra": 1},
                   {"value": {"ddp": {}}}, {"answer": {"layer": 1}}, {"id": "A b"}):
        assert list(fits(schema, schema, {**good, "vectors": [{**vector, **change}]}, "")), change
    for change in ({"error": None}, {"wire": vector["wire"] + "00"}, {"answer": None}, {"need": 14}, {"direction": "both"}):
        assert list(check_vector({**vector, **change})), change
    assert crc32c(b"123456789") == 0xE3069283


def main(names):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    self_test(schema)
    complaints, ids = [], set()
    for path in [Path(name) for name in names] or sorted(HERE.glob("*.json")):
        complaints += check_file(path, schema, ids)
    if not names and len(ids) < LEAST:
        complaints.append(f"only {len(ids)} vectors")
    for complaint in complaints:
        print(complaint[:2000])
    print(f"{len(ids)} vectors, {len(complaints)} complaint(s)")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
