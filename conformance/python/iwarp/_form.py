# SPDX-License-Identifier: BSD-2-Clause
"""What all forms share: the field table, and the decoders and encoders of libiwarp."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable, ClassVar, NamedTuple, Self

from ._errors import DecodeError, EncodeError, name_of, sentence_of
from ._native import ffi, lib

if TYPE_CHECKING:
    from .frames import DdpTagged, DdpUntagged, MpaEnhanced, RpcRdma, SmbdDepths, SmbdDepthsLe

Octets = bytes | bytearray | memoryview

ENCODED_MAX = 1 << 17  # octets of a frame, at most


class Field(NamedTuple):
    """A row of the field table (iwarp/field.h)."""

    path: str
    key: str
    label: str
    rfc: str
    bit_off: int
    num_bits: int
    kind: str
    values: dict[int, str]


KINDS = {1: "uint", 2: "hex", 3: "flag", 4: "octets", 5: "hex-le", 6: "uint-le"}


def _text(at: Any) -> str:
    return str(ffi.string(at).decode())


def octets_of(span: Any) -> bytes:
    """A copy of the octets of a span."""
    return bytes(ffi.buffer(span.ptr, span.len)) if span.len else b""


def span_of(octets: Octets) -> tuple[Any, Any]:
    """A span of octets, and what has to live as long as it."""
    held = ffi.from_buffer("uint8_t[]", octets)
    span = ffi.new("iwarp_span *")
    span.ptr = held
    span.len = len(held)
    return span, held


def fail(dec: Any) -> DecodeError:
    """The exception for the result of a decoder."""
    name = name_of(dec.err)
    if name == "NEED_MORE":
        return DecodeError(f"{dec.need} octets are needed", name, need=dec.need)
    return DecodeError(sentence_of(dec.err), name, offset=dec.used)


def encoded(encode: Callable[..., int], value: Any) -> bytes:
    """The octets that an encoder of the library makes."""
    num = ffi.new("size_t *")
    err = encode(ffi.NULL, 0, num, value)
    if err != lib.IWARP_OK and not (name_of(err) == "NOBUF" and num[0] <= ENCODED_MAX):
        raise EncodeError(sentence_of(err))
    out = ffi.new("uint8_t[]", max(num[0], 1))
    err = encode(out, num[0], num, value)
    if err != lib.IWARP_OK:
        raise EncodeError(sentence_of(err))
    return bytes(ffi.buffer(out, num[0]))


class _Codec(NamedTuple):
    """How the library calls a form: its struct, its functions, and members with another name than their field."""

    struct: str
    decode: Callable[[Any, Any], Any]
    encode: Callable[..., int]
    members: dict[str, str] = {}


def _smbd(order: int) -> _Codec:
    return _Codec("iwarp_smbd_depths *", lambda out, span: lib.iwarp_smbd_depths_decode(out, span, order),
                  lambda dst, cap, num, value: int(lib.iwarp_smbd_depths_encode(dst, cap, num, value, order)))


_CODECS: dict[str, _Codec] = {
    "MpaStartup": _Codec("iwarp_mpa_startup *", lib.iwarp_mpa_startup_decode, lib.iwarp_mpa_startup_encode),
    "MpaEnhanced": _Codec("iwarp_mpa_enhanced *", lib.iwarp_mpa_enhanced_decode, lib.iwarp_mpa_enhanced_encode),
    "MpaMarker": _Codec("iwarp_mpa_marker *", lib.iwarp_mpa_marker_decode, lib.iwarp_mpa_marker_encode),
    "DdpTagged": _Codec("iwarp_ddp_hdr *", lib.iwarp_ddp_hdr_decode, lib.iwarp_ddp_hdr_encode),
    "DdpUntagged": _Codec("iwarp_ddp_hdr *", lib.iwarp_ddp_hdr_decode, lib.iwarp_ddp_hdr_encode,
                          {"invalidate_stag": "rsvdulp_word"}),
    "RdmapReadReq": _Codec("iwarp_rdmap_read_req *", lib.iwarp_rdmap_read_req_decode, lib.iwarp_rdmap_read_req_encode),
    "RdmapTerm": _Codec("iwarp_rdmap_term *", lib.iwarp_rdmap_term_decode, lib.iwarp_rdmap_term_encode),
    "RdmapAtomicReq": _Codec("iwarp_rdmap_atomic_req *", lib.iwarp_rdmap_atomic_req_decode,
                             lib.iwarp_rdmap_atomic_req_encode, {"opcode": "aopcode"}),
    "RdmapAtomicResp": _Codec("iwarp_rdmap_atomic_resp *", lib.iwarp_rdmap_atomic_resp_decode,
                              lib.iwarp_rdmap_atomic_resp_encode),
    "SctpSegment": _Codec("iwarp_sctp_segment *", lib.iwarp_sctp_segment_decode, lib.iwarp_sctp_segment_encode),
    "SctpControl": _Codec("iwarp_sctp_control *", lib.iwarp_sctp_control_decode, lib.iwarp_sctp_control_encode),
    "SctpAdaptation": _Codec("iwarp_sctp_adaptation *", lib.iwarp_sctp_adaptation_decode,
                             lib.iwarp_sctp_adaptation_encode),
    "ErdmaExt": _Codec("iwarp_erdma_ext *", lib.iwarp_erdma_ext_decode, lib.iwarp_erdma_ext_encode),
    "SmbdDepths": _smbd(lib.IWARP_BYTE_ORDER_BIG),
    "SmbdDepthsLe": _smbd(lib.IWARP_BYTE_ORDER_LITTLE),
    "RpcRdma": _Codec("iwarp_rpc_rdma *", lib.iwarp_rpc_rdma_decode, lib.iwarp_rpc_rdma_encode),
}

_STARTUP_FLAGS = {"markers": lib.IWARP_MPA_FLAG_M, "crc": lib.IWARP_MPA_FLAG_C, "reject": lib.IWARP_MPA_FLAG_R,
                  "enhanced": lib.IWARP_MPA_FLAG_S}


def table_of(form: int) -> tuple[Field, ...]:
    """The rows of a form, in wire order."""
    info = lib.iwarp_form_get(form)
    return tuple(
        Field(_text(f.path), _text(f.key), _text(f.label), _text(f.rfc), f.bit_off, f.num_bits, KINDS[f.kind],
              {f.values[i].value: _text(f.values[i].name) for i in range(f.num_values)})
        for f in (info.fields[i] for i in range(info.num_fields)))


def _fits(path: str, value: Any, num_bits: int) -> None:
    """A number that its field cannot hold is never cut, and a fraction is never rounded."""
    try:
        number = operator.index(value)
    except TypeError:
        raise EncodeError(f"{path} is {value!r}, which is no whole number") from None
    if not 0 <= number < 1 << num_bits:
        raise EncodeError(f"{path} is {value}, which {num_bits} bit{'s' if num_bits != 1 else ''} cannot hold")


def _front(octets: Octets, num: int) -> bytes:
    """The first `num` octets."""
    front = bytes(memoryview(octets).cast("B")[:num])
    if len(front) < num:
        raise DecodeError(f"{num} octets are needed", "NEED_MORE", need=num)
    return front


class Form:
    """A form of the field table. Forms are equal if their fields are."""

    FORM: ClassVar[int] = 0
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    _codec: ClassVar[_Codec]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "FORM" in cls.__dict__:
            cls.FIELDS = table_of(cls.FORM)
            if cls.__name__ in _CODECS:
                cls._codec = _CODECS[cls.__name__]

    @classmethod
    def decode(cls, octets: Octets) -> Self:
        """Decodes octets that are exactly this form; raises DecodeError otherwise."""
        value, used = cls.decode_front(octets)
        if used != len(memoryview(octets).cast("B")):
            raise DecodeError(f"the form ends after {used} octets, and more octets follow", offset=used)
        return value

    @classmethod
    def decode_front(cls, octets: Octets) -> tuple[Self, int]:
        """Decodes the form at the front of `octets`, and returns it and how many octets it has."""
        codec = cls._codec
        span, held = span_of(octets)
        out = ffi.new(codec.struct)
        dec = codec.decode(out, span[0])
        if dec.err != lib.IWARP_OK:
            raise fail(dec)
        value = cls._from_native(out)
        del held
        return value, int(dec.used)

    def encode(self) -> bytes:
        """Encodes the form; raises EncodeError where a value does not fit."""
        self._check()
        out = ffi.new(self._codec.struct)
        held = self._to_native(out)
        octets = encoded(self._codec.encode, out)
        del held
        return octets

    def name_of(self, key: str) -> str | None:
        """The name that the value of a field has, or None."""
        for field in self.FIELDS:
            if field.key == key:
                return None if field.kind == "octets" else field.values.get(int(getattr(self, key)))
        raise AttributeError(f"{type(self).__name__} has no field {key}")

    def _check(self) -> None:
        for field in self.FIELDS:
            value = getattr(self, field.key)
            if field.kind == "octets":
                if field.num_bits and len(value) * 8 != field.num_bits:
                    raise EncodeError(f"{field.path} has {len(value)} octets, not {field.num_bits // 8}")
            elif value is not None:
                _fits(field.path, value, field.num_bits)

    @classmethod
    def _from_native(cls, native: Any) -> Self:
        members = cls._codec.members
        values: dict[str, Any] = {}
        for field in cls.FIELDS:
            value = getattr(native, members.get(field.key, field.key))
            values[field.key] = octets_of(value) if field.kind == "octets" else value
        return cls(**values)

    def _to_native(self, native: Any) -> list[Any]:
        """Sets the members of the struct; returns what has to live as long as it."""
        held = []
        for field in self.FIELDS:
            value = getattr(self, field.key)
            member = self._codec.members.get(field.key, field.key)
            if field.kind == "octets":
                span, octets = span_of(value)
                setattr(native, member, span[0])
                held += [span, octets]
            else:
                setattr(native, member, int(value))
        return held


class PrivateDataForm(Form):
    """What Private Data hold beyond the RFCs of iWARP."""

    if TYPE_CHECKING:
        private_data: bytes

    @property
    def rpc_rdma(self) -> RpcRdma | None:
        """The Private Data of RPC-over-RDMA (RFC 8797), or None."""
        from .frames import RpcRdma

        span, held = span_of(self.private_data)
        found = octets_of(lib.iwarp_rpc_rdma_find(span[0]))
        del held
        return RpcRdma.decode(found) if found else None


class StartupForm(PrivateDataForm):
    """What an MPA Request or Reply Frame says beyond its fields."""

    if TYPE_CHECKING:
        key: bytes
        markers: bool
        crc: bool
        reject: bool
        enhanced: bool
        reserved: int
        rev: int
        pd_length: int
        private_data: bytes

    @classmethod
    def request(cls, private_data: bytes = b"", **fields: Any) -> Self:
        """A Request with this Private Data; `fields` as of the constructor."""
        return cls._with_key(lib.IWARP_MPA_KEY_REQUEST, private_data, fields)

    @classmethod
    def reply(cls, private_data: bytes = b"", **fields: Any) -> Self:
        """A Reply with this Private Data; `fields` as of the constructor."""
        return cls._with_key(lib.IWARP_MPA_KEY_REPLY, private_data, fields)

    @classmethod
    def _with_key(cls, key: int, private_data: bytes, fields: dict[str, Any]) -> Self:
        octets = bytes(ffi.buffer(lib.iwarp_mpa_key_octets(key), 16))
        return cls(key=octets, pd_length=len(private_data), private_data=private_data, **fields)  # type: ignore[call-arg]

    @property
    def frame(self) -> str:
        """ "request", "reply", or "unknown" where the key is neither."""
        span, held = span_of(self.key)
        kind = lib.iwarp_mpa_key_classify(span[0])
        del held
        return {lib.IWARP_MPA_KEY_REQUEST: "request", lib.IWARP_MPA_KEY_REPLY: "reply"}.get(kind, "unknown")

    @property
    def error(self) -> str | None:
        """The first thing that a receiver finds wrong, as an error of iwarp/base.h, or None. RFC 5044 7.1.2."""
        if self.frame == "unknown":
            return "MPA_KEY"
        native = ffi.new("iwarp_mpa_startup *")
        held = self._to_native(native)
        err = lib.iwarp_mpa_startup_check(native)
        del held
        return None if err == lib.IWARP_OK else name_of(err)

    @property
    def enhanced_data(self) -> MpaEnhanced | None:
        """The enhanced data of RFC 6581, or None."""
        from .frames import MpaEnhanced

        native = ffi.new("iwarp_mpa_startup *")
        held = self._to_native(native)
        has = lib.iwarp_mpa_startup_is_enhanced(native)
        del held
        return MpaEnhanced.decode_front(self.private_data)[0] if has else None

    @property
    def ulp_data(self) -> bytes:
        """The Private Data without the enhanced data and without the octets of Rev 129."""
        if self.rev == lib.IWARP_MPA_REV_ERDMA:
            return self.private_data[8:]
        return self.private_data[4:] if self.enhanced_data is not None else self.private_data

    @property
    def smbd_depths(self) -> SmbdDepths | SmbdDepthsLe | None:
        """IRD and ORD as SMB Direct sends them, or None. It is a guess: nothing in the frame says so."""
        from .frames import SmbdDepths, SmbdDepthsLe

        span, held = span_of(self.ulp_data)
        order = lib.iwarp_smbd_depths_guess(span[0])
        del held
        if self.rev not in (1, 2) or order == lib.IWARP_BYTE_ORDER_UNKNOWN:
            return None
        if order == lib.IWARP_BYTE_ORDER_BIG:
            return SmbdDepths.decode(self.ulp_data)
        return SmbdDepthsLe.decode(self.ulp_data)

    @classmethod
    def _from_native(cls, native: Any) -> Self:
        flags = {key: bool(native.flags & flag) for key, flag in _STARTUP_FLAGS.items()}
        return cls(key=bytes(ffi.buffer(native.key)), reserved=native.flags & lib.IWARP_MPA_FLAG_RES, rev=native.rev,  # type: ignore[call-arg]
                   pd_length=native.pd_length, private_data=octets_of(native.private_data), **flags)

    def _to_native(self, native: Any) -> list[Any]:
        span, held = span_of(self.private_data)
        native.key = self.key
        native.flags = sum(flag for key, flag in _STARTUP_FLAGS.items() if getattr(self, key)) | self.reserved
        native.rev = self.rev
        native.pd_length = self.pd_length
        native.private_data = span[0]
        return [span, held]


class TaggedForm(Form):
    """A DDP header, whose T flag says which of the two forms it is. RFC 5041 4.1."""

    T: ClassVar[bool] = True

    if TYPE_CHECKING:
        tagged: bool

    @classmethod
    def decode_front(cls, octets: Octets) -> tuple[Self, int]:
        value, used = super().decode_front(octets)
        if value.tagged != cls.T:
            raise DecodeError(f"T is {int(value.tagged)}, so the octets are no {cls.__name__}")
        return value, used

    def _check(self) -> None:
        super()._check()
        if self.tagged != self.T:
            raise EncodeError(f"ddp.tagged is {int(self.tagged)}, which {type(self).__name__} cannot have")


class UntaggedForm(TaggedForm):
    """The same without T."""

    T: ClassVar[bool] = False


class OpcodeForm(Form):
    """What the RDMAP Control Field says beyond its fields, and its one octet. RFC 5040 4.1."""

    if TYPE_CHECKING:
        rv: int
        rsv: int
        opcode: int

    @property
    def label(self) -> str:
        """The message as the RFC spells it: "RDMA Write"."""
        return _text(lib.iwarp_rdmap_op_get(self.opcode).label)

    @classmethod
    def decode_front(cls, octets: Octets) -> tuple[Self, int]:
        octet = _front(octets, 1)[0]
        v = lib.iwarp_rdmap_ctrl_decode(octet)
        return cls(rv=v.rv, rsv=v.rsv, opcode=v.opcode), 1  # type: ignore[call-arg]

    def encode(self) -> bytes:
        self._check()
        v = ffi.new("iwarp_rdmap_ctrl *", {"rv": self.rv, "rsv": self.rsv, "opcode": self.opcode})
        return bytes([lib.iwarp_rdmap_ctrl_encode(v[0])])


class ImmediateForm(Form):
    """Immediate Data are eight octets without an order of their own. RFC 7306 6.2."""

    if TYPE_CHECKING:
        immediate: bytes

    @classmethod
    def decode_front(cls, octets: Octets) -> tuple[Self, int]:
        return cls(immediate=_front(octets, 8)), 8  # type: ignore[call-arg]

    def encode(self) -> bytes:
        self._check()
        return bytes(self.immediate)


class ControlForm(PrivateDataForm):
    """What a DDP Stream Session Control message says beyond its fields."""

    if TYPE_CHECKING:
        function: int
        private_data: bytes

    @property
    def enhanced_data(self) -> MpaEnhanced | None:
        """The enhanced data of RFC 6581 7, or None."""
        from .frames import MpaEnhanced

        native = ffi.new("iwarp_sctp_control *")
        held = self._to_native(native)
        octets = octets_of(lib.iwarp_sctp_control_enhanced(native))
        del held
        return MpaEnhanced.decode(octets) if octets else None

    @property
    def ulp_data(self) -> bytes:
        """The Private Data without the enhanced data."""
        return self.private_data[4:] if self.enhanced_data is not None else self.private_data


_TERM_SPANS = ("ddp_header", "rdma_header", "rest")


class TerminateForm(Form):
    """What a Terminate Header says beyond its fields. RFC 5040 4.8."""

    if TYPE_CHECKING:
        layer: int
        etype: int
        code: int
        ddp_segment_length: int | None
        ddp_header: bytes
        rdma_header: bytes
        rest: bytes

    @property
    def text(self) -> str:
        """Layer, Error Type and Error Code in words, "unknown" for each that is not assigned."""
        return ": ".join(_text(name) for name in (
            lib.iwarp_rdmap_term_layer_name(self.layer), lib.iwarp_rdmap_term_etype_name(self.layer, self.etype),
            lib.iwarp_rdmap_term_code_name(self.layer, self.etype, self.code)))

    @property
    def error(self) -> str | None:
        """What is wrong after the control field, as an error of iwarp/base.h, or None."""
        native = ffi.new("iwarp_rdmap_term *")
        octets = self.encode()
        span, held = span_of(octets)
        lib.iwarp_rdmap_term_decode(native, span[0])
        del held
        return None if native.tail_err == lib.IWARP_OK else name_of(native.tail_err)

    @property
    def returned_ddp(self) -> DdpTagged | DdpUntagged | None:
        """The header of the DDP Segment that the Terminate is about, or None."""
        from ._frames import ddp_front

        return ddp_front(self.ddp_header)[0] if self.ddp_header else None

    def _check(self) -> None:
        super()._check()
        if self.ddp_segment_length is not None:
            _fits("terminate.ddp_segment_length", self.ddp_segment_length, 16)

    @classmethod
    def _from_native(cls, native: Any) -> Self:
        values = {field.key: getattr(native, field.key) for field in cls.FIELDS}
        for key in _TERM_SPANS:
            values[key] = octets_of(getattr(native, key))
        length = native.ddp_segment_length if native.has_ddp_segment_length else None
        return cls(ddp_segment_length=length, **values)  # type: ignore[call-arg]

    def _to_native(self, native: Any) -> list[Any]:
        held = []
        for field in self.FIELDS:
            setattr(native, field.key, int(getattr(self, field.key)))
        for key in _TERM_SPANS:
            span, octets = span_of(getattr(self, key))
            setattr(native, key, span[0])
            held += [span, octets]
        native.has_ddp_segment_length = self.ddp_segment_length is not None
        native.ddp_segment_length = self.ddp_segment_length or 0
        return held
