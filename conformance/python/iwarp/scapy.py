# SPDX-License-Identifier: BSD-2-Clause
# Which of the exceptions for mypy below are needed depends on its version and on the packages that it finds.
# mypy: no-warn-unused-ignores
"""Layers for Scapy, decoded and encoded by libiwarp: import iwarp.scapy. It is the only module of the package that needs Scapy.

There is a layer for each form of the field table, of the same name and with the same fields, and `MpaFpdu`.
"""

from __future__ import annotations

from typing import Any

from scapy.fields import BitField, StrField, StrFixedLenField  # type: ignore[import]
from scapy.layers.inet import TCP  # type: ignore[import]
from scapy.packet import Packet, Raw, bind_layers  # type: ignore[import]

from . import frames
from ._errors import DecodeError
from ._form import Form
from ._frames import Fpdu, Segment

ABSENT = -1  # of the DDP Segment Length of a Terminate
TERM_PARTS = ("ddp_header", "rdma_header", "rest")


class FormLayer(Packet):  # type: ignore[misc]
    """A layer that is a form of the field table."""

    __slots__ = ["undecoded"]
    name = "iWARP"
    FORM: type[Form] = Form

    @property
    def form(self) -> Form:
        """The layer as an object of the package."""
        values: dict[str, Any] = {}
        for row in self.FORM.FIELDS:
            value = self.getfieldval(row.key)
            if row.key == "pd_length" and value is None:
                value = len(self.getfieldval("private_data"))
            values[row.key] = bytes(value) if row.kind == "octets" else bool(value) if row.kind == "flag" else int(value)
        if self.FORM is frames.RdmapTerm:
            length = self.getfieldval("ddp_segment_length")
            values.update({key: bytes(self.getfieldval(key)) for key in TERM_PARTS}, ddp_segment_length=None if length == ABSENT else length)
        return self.FORM(**values)

    def do_dissect(self, octets: bytes) -> bytes:
        """The library decodes. What it cannot decode becomes Raw."""
        self.explicit = 1  # type: ignore[misc]
        try:
            form, used = self.FORM.decode_front(octets)
        except DecodeError:
            self.undecoded = True
            return octets
        for row in self.FORM.FIELDS:
            value = getattr(form, row.key)
            self.fields[row.key] = value if row.kind == "octets" else int(value)
        if isinstance(form, frames.RdmapTerm):
            self.fields["ddp_segment_length"] = ABSENT if form.ddp_segment_length is None else form.ddp_segment_length
            self.fields.update({key: getattr(form, key) for key in TERM_PARTS})
        return bytes(octets[used:])

    def self_build(self, *_: Any) -> bytes:
        """The library encodes. A layer that could not be decoded has no octets of its own."""
        return b"" if getattr(self, "undecoded", False) else self.form.encode()

    def guess_payload_class(self, payload: bytes) -> Any:
        """After a DDP header: the header that the message has. RFC 5040 4."""
        if self.FORM not in (frames.DdpTagged, frames.DdpUntagged):
            return Raw
        header = Segment.decode(self.form.encode() + payload).header
        return Raw if header is None else LAYERS[type(header).__name__]


def _field_of(row: Any, default: Any) -> Any:
    if row.kind != "octets":
        return BitField(row.key, None if row.key == "pd_length" else int(default), row.num_bits)
    return StrFixedLenField(row.key, default, row.num_bits // 8) if row.num_bits else StrField(row.key, default)


def _layer_of(name: str) -> type[FormLayer]:
    form = getattr(frames, name)
    default = form()
    fields = [_field_of(row, getattr(default, row.key)) for row in form.FIELDS]
    if form is frames.RdmapTerm:
        fields += [BitField("ddp_segment_length", ABSENT, 17), *(StrField(key, b"") for key in TERM_PARTS)]
    return type(name, (FormLayer,), {"name": form.__doc__.split(",")[0], "fields_desc": fields, "FORM": form, "__doc__": form.__doc__,
                                      "__module__": __name__})


LAYERS: dict[str, type[FormLayer]] = {name: _layer_of(name) for name in frames.__all__}
globals().update(LAYERS)


def __getattr__(name: str) -> Any:
    """For checkers of types: the layers are made when the module is imported."""
    raise AttributeError(f"module {__name__} has no attribute {name}")


class MpaFpdu(Packet):  # type: ignore[misc]
    """An FPDU; its payload is the ULPDU. With `crc` None the CRC is computed, as are PAD and Markers.

    `markers` and `offset` say where Markers stand, as for Fpdu. Octets after an FPDU become Padding: see `fpdus`.
    """

    __slots__ = ["after", "place", "undecoded"]
    name = "FPDU"
    fields_desc = [BitField("crc", None, 32), StrField("pad", None), BitField("markers", 0, 1), BitField("offset", 0, 64)]

    def __init__(self, octets: bytes = b"", *args: Any, **fields: Any) -> None:
        self.after = b""
        self.place = (int(fields.get("offset", 0)), bool(fields.get("markers", 0)))
        super().__init__(octets, *args, **fields)

    def do_dissect(self, octets: bytes) -> bytes:
        self.explicit = 1  # type: ignore[misc]
        try:
            fpdu, used = Fpdu.decode_front(octets, *self.place)
        except DecodeError:
            self.undecoded = True
            return octets
        self.fields.update(crc=fpdu.crc, pad=fpdu.pad)
        self.after = bytes(octets[used:])
        return fpdu.ulpdu

    def extract_padding(self, octets: bytes) -> tuple[bytes, bytes]:
        return octets, self.after

    def guess_payload_class(self, payload: bytes) -> Any:
        return _ddp_class(payload)

    def self_build(self, *_: Any) -> bytes:
        return b""

    def post_build(self, octets: bytes, payload: bytes) -> bytes:
        if getattr(self, "undecoded", False):
            return bytes(payload)
        pad = self.getfieldval("pad")
        return Fpdu(ulpdu=bytes(payload), offset=self.getfieldval("offset"), markers=bool(self.getfieldval("markers")),
                    pad=pad if pad is not None and len(pad) == (2 - len(payload)) % 4 else None, crc=self.getfieldval("crc")).encode()


def _ddp_class(octets: bytes) -> Any:
    """The layer of the DDP header at the front of a ULPDU, or Raw."""
    try:
        Segment.decode(octets)
    except DecodeError:
        return Raw
    return LAYERS["DdpTagged" if octets[0] & 0x80 else "DdpUntagged"]


class Mpa(Packet):  # type: ignore[misc]
    """Chooses between a startup frame and an FPDU, by the startup keys."""

    name = "MPA"

    @classmethod
    def dispatch_hook(cls, octets: bytes | None = None, *_: Any, **__: Any) -> Any:
        return LAYERS["MpaStartup"] if octets is not None and octets.startswith(b"MPA ID Re") else MpaFpdu


def fpdus(octets: bytes, offset: int = 0, markers: bool = False) -> list[MpaFpdu]:
    """The FPDUs of a stream, from stream offset `offset` on; what is left at its end is not returned."""
    found = []
    at = 0
    while at < len(octets):
        try:
            _, used = Fpdu.decode_front(octets[at:], offset + at, markers)
        except DecodeError:
            break
        found.append(MpaFpdu(octets[at:at + used], offset=offset + at, markers=int(markers)))
        at += used
    return found


def bind(port: int) -> None:
    """Lets Scapy dissect segments of this TCP port as MPA. A segment has to begin where a frame does."""
    bind_layers(TCP, Mpa, dport=port)
    bind_layers(TCP, Mpa, sport=port)


__all__ = ["FormLayer", "LAYERS", "Mpa", "MpaFpdu", "bind", "fpdus", *LAYERS]
