# SPDX-License-Identifier: BSD-2-Clause
"""Writes iwarp/frames.py, a dataclass for each form of the field table: make_frames.py FIELD.DEF OUT."""

import csv
import re
import sys
from pathlib import Path

# Forms that have no octets of their own to decode: Fpdu has the first three, RdmapTerm the last one.
PARTS = {"MPA_FPDU", "MPA_CRC", "MPA_PAD", "RDMAP_TERM_LENGTH"}
# Classes with properties that no field of the table has.
BASES = {"MPA_STARTUP": "StartupForm", "DDP_TAGGED": "TaggedForm", "DDP_UNTAGGED": "UntaggedForm", "SCTP_CONTROL": "ControlForm", "RDMAP_CTRL": "OpcodeForm",
         "RDMAP_IMMEDIATE": "ImmediateForm", "RDMAP_TERM": "TerminateForm"}
# What a conforming sender writes where that is not zero.
DEFAULTS = {("DDP_TAGGED", "tagged"): "True", ("DDP_TAGGED", "dv"): "1", ("DDP_UNTAGGED", "dv"): "1", ("RDMAP_CTRL", "rv"): "1",
            ("MPA_STARTUP", "key"): "b\"MPA ID Req Frame\"", ("MPA_STARTUP", "rev"): "1", ("SCTP_ADAPTATION", "type"): "0xC006",
            ("SCTP_ADAPTATION", "length"): "8", ("SCTP_ADAPTATION", "indication"): "1", ("RPC_RDMA", "format"): "0xF6AB0E18",
            ("RPC_RDMA", "version"): "1"}
EXTRA = {"RDMAP_TERM": [
    ("ddp_segment_length: int | None = None", "DDP Segment Length; None: it is not there"),
    ("ddp_header: bytes = b\"\"", "the header of the DDP Segment that it is about"),
    ("rdma_header: bytes = b\"\"", "the header of the Read Request that it is about"),
    ("rest: bytes = b\"\"", "all other octets")]}

ROW = re.compile(r'\bX\((?P<args>[A-Z][A-Z_0-9]*, (?:"[^"]*"|[^()"])*)\)')


def rows(table):
    """The arguments of each row: strings without their quotes."""
    for match in ROW.finditer(table):
        yield next(csv.reader([match["args"]], skipinitialspace=True))


def class_name(form):
    return "".join(word.capitalize() for word in form.split("_"))


def field_lines(form, row):
    _, _, _, path, label, _, bits, kind, _, rfc, _ = row
    key = path.split(".")[1]
    kinds = {"FLAG": ("bool", "False"), "OCTETS": ("bytes", "b\"\"")}
    type_, default = kinds.get(kind, ("int", "0"))
    if kind == "OCTETS" and bits != "0":
        default = f"bytes({int(bits) // 8})"
    default = DEFAULTS.get((form, key), default)
    width = "octets" if bits == "0" else f"{bits} bit{'s' if bits != '1' else ''}"
    yield f"    {key}: {type_} = {default}  # {label}, {width}, {rfc}"


def class_lines(form, number, label, rfc, fields):
    yield ""
    yield ""
    yield "@dataclass(frozen=True)"
    yield f"class {class_name(form)}({BASES.get(form, 'Form')}):"
    yield f"    \"\"\"{label}, {rfc}.\"\"\""
    yield ""
    yield f"    FORM: ClassVar[int] = {number}"
    for row in fields:
        yield from field_lines(form, row)
    for declaration, comment in EXTRA.get(form, []):
        yield f"    {declaration}  # {comment}"


def module(table):
    forms = []
    fields = {}
    for row in rows(table):
        if len(row) == 6:
            forms.append(row)
        elif len(row) == 11:
            fields.setdefault(row[0], []).append(row)
    if not forms or {f[0] for f in forms} != set(fields):
        sys.exit("the field table does not look as make_frames.py expects")
    bases = sorted({"Form", *BASES.values()})
    names = [class_name(f[0]) for f in forms if f[0] not in PARTS]
    yield "# SPDX-License-Identifier: BSD-2-Clause"
    yield "# Made by make_frames.py from libiwarp/include/iwarp/field.def."
    yield "\"\"\"A dataclass for each form of the field table. Decode octets with `decode`, and encode with `encode`.\"\"\""
    yield ""
    yield "from dataclasses import dataclass"
    yield "from typing import ClassVar"
    yield ""
    yield f"from ._form import {', '.join(bases)}"
    yield ""
    yield f"__all__ = {names!r}".replace("'", '"')
    for form, number, _, label, _, rfc in forms:
        if form not in PARTS:
            yield from class_lines(form, number, label, rfc, fields[form])


def main():
    table, out = sys.argv[1:]
    Path(out).write_text("\n".join(module(Path(table).read_text(encoding="utf-8"))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
