# SPDX-License-Identifier: BSD-2-Clause
"""Frames that consist of more than one form: DDP Segments and FPDUs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._errors import DecodeError, EncodeError, name_of
from ._form import Octets, encoded, fail, span_of
from ._native import ffi, lib
from .frames import (DdpTagged, DdpUntagged, MpaMarker, RdmapAtomicReq, RdmapAtomicResp, RdmapCtrl, RdmapImmediate, RdmapReadReq,
                     RdmapTerm)

RdmapHeader = RdmapReadReq | RdmapTerm | RdmapImmediate | RdmapAtomicReq | RdmapAtomicResp
_HEADERS: tuple[type[RdmapHeader], ...] = (RdmapReadReq, RdmapTerm, RdmapImmediate, RdmapAtomicReq, RdmapAtomicResp)
HEADERS: dict[int, type[RdmapHeader]] = {cls.FORM: cls for cls in _HEADERS}
ULPDU_MAX = 65535  # octets


class Terminate(NamedTuple):
    """Layer, Error Type and Error Code of a Terminate."""

    layer: int
    etype: int
    code: int


def ddp_front(octets: Octets) -> tuple[DdpTagged | DdpUntagged, int]:
    """The DDP header at the front of `octets`, and how many octets it has."""
    head = bytes(memoryview(octets).cast("B")[:1])
    tagged = bool(head) and bool(head[0] & 0x80)
    if tagged:
        return DdpTagged.decode_front(octets)
    return DdpUntagged.decode_front(octets)


def terminate_for(error: str) -> Terminate | None:
    """The Terminate that tells a peer of an error of iwarp/base.h, or None where none does."""
    for value in range(-400, 0):
        if name_of(value) == error:
            numbers = [ffi.new("uint8_t *") for _ in range(3)]
            found = lib.iwarp_err_to_terminate(*numbers, value)
            return Terminate(*(n[0] for n in numbers)) if found else None
    return None


@dataclass(frozen=True)
class Segment:
    """A DDP Segment: its DDP header, the header of its RDMAP message if it has one, and its payload. RFC 5041 4."""

    ddp: DdpTagged | DdpUntagged
    header: RdmapHeader | None = None
    payload: bytes = b""

    @property
    def rdmap(self) -> RdmapCtrl:
        """The RDMAP Control Field, which is the first octet of RsvdULP."""
        return RdmapCtrl.decode(bytes([self.ddp.rsvdulp]))

    @property
    def error(self) -> str | None:
        """What is wrong with the lengths of the segment, as an error of iwarp/base.h, or None."""
        native = _segment_of(self.encode())
        err = lib.iwarp_rdmap_seg_check(native)
        return None if err == lib.IWARP_OK else name_of(err)

    @classmethod
    def decode(cls, octets: Octets) -> Segment:
        """Decodes a whole segment. DecodeError: it is too short for its DDP header."""
        octets = bytes(octets)
        native = _segment_of(octets)
        if not native.has_ddp:
            raise DecodeError("the segment is too short for its DDP header", name_of(native.err))
        ddp, used = ddp_front(octets)
        rest = octets[used:]
        if native.kind == lib.IWARP_RDMAP_KIND_NONE:
            return cls(ddp, None, rest)
        header, size = HEADERS[lib.iwarp_rdmap_op_get(native.ctrl.opcode).form].decode_front(rest)
        return cls(ddp, header, rest[size:])

    def encode(self) -> bytes:
        """Encodes the segment; raises EncodeError where a value does not fit."""
        return self.ddp.encode() + (self.header.encode() if self.header is not None else b"") + self.payload


def _segment_of(octets: bytes) -> Any:
    native = ffi.new("iwarp_rdmap_seg *")
    span, held = span_of(octets)
    lib.iwarp_rdmap_seg_decode(native, span[0], len(octets))
    del held
    return native


@dataclass(frozen=True)
class Fpdu:
    """An FPDU: ULPDU_Length, the ULPDU, PAD, CRC, and Markers where it has some. RFC 5044 4.1.

    `offset` is the stream offset of its first octet, which says where Markers stand. With `crc` None and `marker_list` None,
    `encode` computes them.
    """

    ulpdu: bytes = b""
    offset: int = 0
    markers: bool = False
    pad: bytes | None = None
    crc: int | None = None
    marker_list: tuple[MpaMarker, ...] | None = None
    crc_computed: int | None = field(default=None, compare=False)

    @property
    def segment(self) -> Segment:
        """The DDP Segment that is the ULPDU; raises DecodeError where it is too short."""
        return Segment.decode(self.ulpdu)

    @property
    def error(self) -> str | None:
        """What is wrong with CRC, Markers or segment, as an error of iwarp/base.h, or None."""
        native, held = _fpdu_of(self.encode(), self.offset, self.markers)
        if native.crc != lib.iwarp_mpa_fpdu_crc(native):
            return "MPA_CRC"
        if not lib.iwarp_mpa_fpdu_markers_agree(native):
            return "MPA_MARKER"
        del held
        err = lib.iwarp_rdmap_seg_check(_segment_of(self.ulpdu))
        return None if err == lib.IWARP_OK else name_of(err)

    @classmethod
    def decode(cls, octets: Octets, offset: int = 0, markers: bool = False) -> Fpdu:
        """Decodes octets that are exactly one FPDU; raises DecodeError otherwise."""
        fpdu, used = cls.decode_front(octets, offset, markers)
        if used != len(memoryview(octets).cast("B")):
            raise DecodeError(f"the FPDU ends after {used} octets, and more octets follow", offset=used)
        return fpdu

    @classmethod
    def decode_front(cls, octets: Octets, offset: int = 0, markers: bool = False) -> tuple[Fpdu, int]:
        """Decodes the FPDU at the front of `octets`, and returns it and how many octets it has."""
        native, held = _fpdu_of(octets, offset, markers)
        ulpdu = ffi.new("uint8_t[]", max(native.ulpdu_length, 1))
        num = lib.iwarp_mpa_fpdu_ulpdu_copy(ulpdu, native.ulpdu_length, native, 0)
        found = tuple(MpaMarker(m.reserved, m.fpduptr) for m in _markers_of(native)) if markers else None
        fpdu = cls(ulpdu=bytes(ffi.buffer(ulpdu, num)), offset=offset, markers=markers,
                   pad=bytes(ffi.buffer(native.pad, native.layout.pad)), crc=native.crc, marker_list=found,
                   crc_computed=lib.iwarp_mpa_fpdu_crc(native))
        del held
        return fpdu, int(native.layout.wire_len)

    def encode(self) -> bytes:
        """Encodes the FPDU; raises EncodeError where a value does not fit."""
        desc = ffi.new("iwarp_mpa_fpdu_desc *")
        if len(self.ulpdu) > ULPDU_MAX:
            raise EncodeError(f"the ULPDU has {len(self.ulpdu)} octets, more than {ULPDU_MAX}")
        span, held = span_of(self.ulpdu)
        desc.ulpdu = span[0]
        desc.off = _offset(self.offset)
        desc.markers = self.markers
        pad = self.pad or b""
        if self.pad is not None and len(pad) != (2 - len(self.ulpdu)) % 4:
            raise EncodeError(f"PAD has {len(pad)} octets, not {(2 - len(self.ulpdu)) % 4}")
        for i, octet in enumerate(pad):
            desc.pad[i] = octet
        if self.crc is not None:
            if not 0 <= self.crc < 1 << 32:
                raise EncodeError(f"crc is {self.crc}, which 32 bits cannot hold")
            desc.crc_given = True
            desc.crc = self.crc
        values = None
        if self.marker_list is not None:
            for marker in self.marker_list:
                marker._check()
            values = ffi.new("iwarp_mpa_marker[]", [{"reserved": m.reserved, "fpduptr": m.fpduptr} for m in self.marker_list])
            desc.marker_values = values
            desc.num_marker_values = len(self.marker_list)
        octets = encoded(lib.iwarp_mpa_fpdu_encode, desc)
        del held, values
        return octets


def _offset(offset: int) -> int:
    if not 0 <= offset < 1 << 64:
        raise EncodeError(f"offset is {offset}, which 64 bits cannot hold")
    return offset


def _fpdu_of(octets: Octets, offset: int, markers: bool) -> tuple[Any, Any]:
    """A decoded FPDU, and what has to live as long as it."""
    native = ffi.new("iwarp_mpa_fpdu *")
    span, held = span_of(octets)
    dec = lib.iwarp_mpa_fpdu_decode(native, span[0], _offset(offset), markers)
    if dec.err != lib.IWARP_OK:
        raise fail(dec)
    return native, held


def _markers_of(native: Any) -> list[Any]:
    found = []
    marker, expected, at = ffi.new("iwarp_mpa_marker *"), ffi.new("iwarp_mpa_marker *"), ffi.new("size_t *")
    for i in range(native.layout.num_markers):
        lib.iwarp_mpa_fpdu_marker(marker, expected, at, native, i)
        found.append(ffi.new("iwarp_mpa_marker *", {"reserved": marker.reserved, "fpduptr": marker.fpduptr}))
    return found


__all__ = ["Fpdu", "RdmapHeader", "Segment", "Terminate", "ddp_front", "terminate_for"]
