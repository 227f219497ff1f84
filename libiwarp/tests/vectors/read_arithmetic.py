# SPDX-License-Identifier: BSD-2-Clause
"""Reads the arithmetic and the stream vectors without the library, as read_vectors.py reads the frames."""

import json
import sys

from read_vectors import ANSWERS, HERE, crc32c, decode_fpdu, encode_fpdu, fits, refuse_double_keys, walk

ALL = (1 << 64) - 1

# ---- functions, from the text of the RFCs: each takes the arguments and returns the results ----


def fetch_add(given):
    """RFC 7306 5.1.1, one bit after another: a set bit of the mask ends a field, and its carry is dropped."""
    old, add, mask = (int(given[key], 16) for key in ("old", "add", "mask"))
    new, carry = 0, 0
    for bit in range(64):
        total = (old >> bit & 1) + (add >> bit & 1) + carry
        new |= (total & 1) << bit
        carry = 0 if mask >> bit & 1 else total >> 1
    return {"new": f"0x{new:016x}"}


def cmp_swap(given):
    """RFC 7306 5.1.2"""
    keys = ("old", "swap", "swap_mask", "compare", "compare_mask")
    old, swap, swap_mask, compare, compare_mask = (int(given[key], 16) for key in keys)
    if old & compare_mask == compare & compare_mask:
        old = old & (ALL ^ swap_mask) | swap & swap_mask
    return {"new": f"0x{old:016x}"}


def crc(given):
    value = crc32c(bytes.fromhex(given["octets"]) * given["times"])
    return {"crc": f"0x{value:08x}", "field": value.to_bytes(4, "little").hex()}


def mulpdu(given):
    """RFC 5044 4.5, in the range of section 3."""
    emss = given["emss"]
    most = emss - (6 + 4 * -(-emss // 512) if given["markers"] else 6) - emss % 4
    return {"mulpdu": min(max(most, 128), 64768)}


def segmentation(given):
    """RFC 5041 5.2: full segments and a last one, which begins with the payload that the others left."""
    most = mulpdu({"emss": given["emss"], "markers": False})["mulpdu"]
    room = most - (14 if given["tagged"] else 18)
    segments = max(1, -(-given["length"] // room))
    offset = (segments - 1) * room
    return {"mulpdu": most, "segments": segments, "last_offset": offset, "last_payload": given["length"] - offset}


def layout(given):
    """RFC 5044 4.1 to 4.3: an FPDU octet for octet."""
    off, length = given["stream_off"], given["ulpdu_length"]
    pad = -(2 + length) % 4
    kinds = list(walk(off, given["markers"], 2 + length + pad + 4))
    places = [at for at, kind in enumerate(kinds) if kind and (off + at) % 512 == 0]
    lead = 4 if places[:1] == [0] else 0
    pointer = max(places[-1] - lead, 0) if places else None
    return {"lead": lead, "pad": pad, "markers": len(places), "last_fpduptr": pointer, "crc_off": len(kinds) - 4,
            "wire_len": len(kinds), "error": "MPA_ULPDU_LENGTH" if (pointer or 0) > 0xFFFF else None}


def sctp_mulpdu(given):
    """RFC 5043 9: what the path carries less IP, SCTP and chunk headers and the DDP-SSN, at least 516, in whole words."""
    most = (given["path_mtu"] - given["ip_header"] - 12) // 4 * 4 - given["bundled"] - 16
    return {"mulpdu": max(most - 2, 516)}


def ssn_distance(given):
    """RFC 5043 10"""
    distance = (given["ssn"] - given["next"]) % 65536
    return {"distance": distance, "valid": distance < 32767}


def rpc_rdma_size(given):
    """RFC 8797 4.2"""
    return {"octets": (given["size"] + 1) * 1024}


def terminate_of(given):
    return dict(zip(("layer", "etype", "code"), ANSWERS.get(given["error"], (None, None, None))))


def reserved_flags(given):
    names = {4: "max FPDU 16 KiB", 8: "siw GSO, or max FPDU 32 KiB", 12: "max FPDU 64 KiB"}
    return {"name": names.get(given["flags"] % 16)}


FUNCTIONS = {"fetch-add": fetch_add, "cmp-swap": cmp_swap, "crc32c": crc, "mulpdu": mulpdu, "layout": layout,
             "segmentation": segmentation, "sctp-mulpdu": sctp_mulpdu, "ssn-distance": ssn_distance,
             "rpc-rdma-size": rpc_rdma_size, "terminate-of": terminate_of, "reserved-flags": reserved_flags}


def check_arithmetic(content, name):
    if content["function"] != name:
        yield f"it says it holds {content['function']}"
    for case in content["cases"]:
        got = FUNCTIONS[content["function"]](case["in"])
        if got != case["out"]:
            yield f"{case['id']}: {got}, not {case['out']}"


# ---- streams ----

def opcode_of(value):
    return value["rdmap"]["opcode"] if "rdmap" in value else None


def check_stream(content, name):
    """Decodes the FPDUs one after another, and puts them together again."""
    stream, at, made, markers = bytes.fromhex("".join(content["segments"])), 0, b"", content["markers"]
    if content["id"] != name:
        yield f"it says it is {content['id']}"
    for number, fpdu in enumerate(content["fpdus"]):
        place = {"stream_off": at, "markers": markers}
        front = list(walk(at, markers, 2))
        length = int.from_bytes(stream[at + len(front) - 2:at + len(front)], "big")
        size = len(list(walk(at, markers, 2 + length + -(2 + length) % 4 + 4)))
        value, _ = decode_fpdu(stream[at:at + size], place)
        got = {"offset": at + len(front) - 2, "opcode": opcode_of(value), "ulpdu": value["ulpdu"],
               "markers": [at + marker["at"] for marker in value["markers"]],
               "crc_value": value["crc"]["crc_value"]}
        if got != fpdu:
            yield f"FPDU {number} is {got}"
        if any(marker["fpduptr"] != marker["expected"] for marker in value["markers"]):
            yield f"FPDU {number}: a Marker points elsewhere"
        if content["crc"] and value["crc_computed"] != fpdu["crc_value"]:
            yield f"FPDU {number}: CRC {value['crc_computed']}"
        made, at = made + encode_fpdu(value, place), at + size
    if made != stream:
        yield "the FPDUs do not make the stream"


# ---- the files ----

def check_folder(folder, check, least):
    schema = json.loads((HERE / "schema" / f"{folder}.schema.json").read_text(encoding="utf-8"))
    ids = []
    for path in sorted((HERE / folder).glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=refuse_double_keys)
        complaints = list(fits(schema, schema, content, path.name)) or list(check(content, path.stem))
        yield from (f"{path.name}: {text}" for text in complaints)
        ids += [case["id"] for case in content.get("cases", [content])]
    if len(set(ids)) != len(ids):
        yield f"{folder}: an id stands twice"
    if len(ids) < least:
        yield f"{folder}: only {len(ids)} vectors"
    print(f"{folder}: {len(ids)} vectors")


def self_test():
    """A reader that takes everything would be of no use."""
    case = {"id": "a", "in": {"size": 3}, "out": {"octets": 4096}}
    content = {"function": "rpc-rdma-size", "cases": [case]}
    assert not list(check_arithmetic(content, "rpc-rdma-size")) and list(check_arithmetic(content, "mulpdu"))
    assert list(check_arithmetic({**content, "cases": [{**case, "out": {"octets": 4097}}]}, "rpc-rdma-size"))
    fpdu = {"offset": 0, "opcode": None, "ulpdu": "5a", "markers": [], "crc_value": "0x97a51d6a"}
    stream = {"id": "s", "markers": False, "crc": True, "segments": ["00015a", "006a1da597"], "fpdus": [fpdu]}
    assert not list(check_stream(stream, "s"))
    for change in ({"segments": ["00015a", "006a1da598"]}, {"segments": ["00015a", "006a1da59700"]}, {"id": "t"},
                   {"fpdus": [{**fpdu, "offset": 4}]}, {"fpdus": [{**fpdu, "opcode": 3}]}):
        assert list(check_stream({**stream, **change}, "s")), change


def main():
    self_test()
    complaints = [*check_folder("arithmetic", check_arithmetic, 100), *check_folder("streams", check_stream, 8)]
    for complaint in complaints:
        print(complaint[:2000])
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
