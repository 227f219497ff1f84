# SPDX-License-Identifier: BSD-2-Clause
# Which of the exceptions for mypy below are needed depends on its version and on the packages that it finds.
# mypy: no-warn-unused-ignores
"""Captures: what all readers share, and the columns of PDUs."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import CaptureError, name_of
from ._frames import Fpdu, Segment
from ._native import ffi, lib
from .frames import MpaStartup, SctpControl, SctpSegment

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
TRISTATE = {None: 0, False: 1, True: 2}
TCP_PORTS = 65536


def text_of(at: Any) -> str:
    return str(ffi.string(at).decode("utf-8", "backslashreplace"))


def text_or_none(at: Any) -> str | None:
    return None if at == ffi.NULL else text_of(at)


class Transport(NamedTuple):
    """A TCP connection in which no iWARP was found."""

    client: str
    server: str
    state: str
    looks_like: str | None
    packet: int
    text: str | None


@dataclass(frozen=True)
class Summary:
    """What was read of a capture. After the last record it is all of it.

    `error` says why the capture was not read to its end. `given_up` counts by limit what could not be followed.
    """

    packets: int
    octets: int
    connections: int
    tcp: int
    sctp: int
    without_iwarp: dict[str, int]
    transports: tuple[Transport, ...]
    given_up: dict[str, int]
    checksum_wrong: int
    duplicates: int
    outside: int
    no_payload: int
    not_decoded_sctp: int
    error: str | None


class Capture:
    """A capture that is read as far as somebody asks. It can be iterated over again: each time it is opened again."""

    _want: int

    def __init__(self, path: Path, *, filter: str | None = None, ports: Iterable[int] = (), markers: bool | None = None,  # noqa: A002
                 crc: bool | None = None, memory: int = lib.OBSERVE_BUDGET_DEFAULT, strict: bool = True) -> None:
        self.path = os.fsdecode(path)
        self._filter = filter
        self._ports = sorted(set(ports))
        self._markers = markers
        self._crc = crc
        self._memory = memory
        self._strict = strict
        self.summary: Summary | None = None
        if memory < lib.OBSERVE_BUDGET_LEAST:
            raise ValueError(f"memory is {memory}, less than {lib.OBSERVE_BUDGET_LEAST} bytes")
        if markers not in TRISTATE or crc not in TRISTATE:
            raise ValueError("markers and crc are True, False or None")
        if any(not 0 < port < TCP_PORTS for port in self._ports):
            raise ValueError("a port is not between 1 and 65535")
        if not self.path or "\0" in self.path:
            raise ValueError("the path is empty, or has an octet of zero")
        os.stat(self.path)  # for the exception of the system where there is no such file

    def _open(self, **options: Any) -> Reader:
        """Begins a pass; `options` are members of records_cfg."""
        return Reader(self, options)


class Reader:
    """One pass over a capture. Only one thread uses the library's object at a time."""

    def __init__(self, capture: Capture, options: dict[str, Any]) -> None:
        self._capture = capture
        self._lock = threading.Lock()
        cfg = ffi.new("records_cfg *")
        path = "./-" if capture.path == "-" else capture.path  # the library has another meaning for it
        held = [ffi.new("char[]", os.fsencode(path)), ffi.new("uint16_t[]", capture._ports)]
        cfg.want = capture._want
        cfg.path = held[0]
        if capture._filter is not None:
            held.append(ffi.new("char[]", capture._filter.encode()))
            cfg.filter = held[2]
        cfg.ports, cfg.num_ports = held[1], len(capture._ports)
        cfg.markers, cfg.crc = TRISTATE[capture._markers], TRISTATE[capture._crc]
        cfg.memory = capture._memory
        for name, value in options.items():
            setattr(cfg, name, value)
        error = ffi.new("char[]", lib.RECORDS_ERROR_LEN)
        native = lib.records_open(cfg, error)
        if native == ffi.NULL:
            message = text_of(error)
            if not message:
                raise MemoryError
            raise CaptureError(f"{capture.path}: {message}")
        self.native = ffi.gc(native, lib.records_close)

    def next(self) -> bool:
        """Reads on; False at the end, when the summary of the capture is complete."""
        with self._lock:
            result = lib.RECORDS_AGAIN
            while result == lib.RECORDS_AGAIN:
                result = lib.records_next(self.native)
            if result == lib.RECORDS_READY:
                return True
            if result == lib.RECORDS_NO_MEMORY:
                raise MemoryError("memory ran out while the capture was read")
            self._capture.summary = self.summary()
        error = self._capture.summary.error
        if error is not None and self._capture._strict:
            raise CaptureError(f"{self._capture.path}: {error}")
        return False

    def summary(self) -> Summary:
        s = ffi.new("records_summary *")
        lib.records_summary_get(s, self.native)
        states = {text_of(lib.report_transport_state_name(i)): n for i, n in enumerate(s.found.transports)}
        limits = {text_of(lib.report_limit_name(i)): n for i, n in enumerate(s.given_up.of)}
        transports = (s.transports[i] for i in range(s.num_transports))
        return Summary(
            packets=s.packets, octets=s.octets, connections=s.connections, tcp=s.found.tcp, sctp=s.found.sctp,
            without_iwarp={name: n for name, n in states.items() if n},
            transports=tuple(
                Transport(text_of(t.transport.client), text_of(t.transport.server), text_of(t.state),
                          text_or_none(t.transport.looks_like), t.transport.packet, text_or_none(t.text)) for t in transports),
            given_up={name: n for name, n in limits.items() if n},
            checksum_wrong=sum(bad.packets for bad in s.ingest.bad_sums), duplicates=s.ingest.duplicates.packets,
            outside=s.ingest.outside.packets, no_payload=s.ingest.bare.packets, not_decoded_sctp=s.found.sctp_opaque,
            error=text_or_none(lib.records_error(self.native)))


# ---- PDUs ----

FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
WIDTHS = {form: width for width, form in FORMATS.items()}
BATCH = 65536
STEP = 1024


class Column(NamedTuple):
    """One value of each PDU: `values` are numbers in the byte order of the machine, `missing` has 1 where a PDU has no value.

    `names`, where it is not None, says what the values stand for.
    """

    name: str
    format: str
    values: bytearray
    missing: bytearray
    names: tuple[str, ...] | None

    def numbers(self) -> memoryview:
        """The values as a memoryview of numbers."""
        octets: Any = memoryview(self.values).cast("B")  # types of memoryview know no format that is a variable
        numbers: memoryview = octets.cast(self.format)
        return numbers

    def list(self) -> list[int | str | None]:
        """The values as a list, None where a PDU has no value."""
        values: list[Any] = self.numbers().tolist()
        if self.names is not None:
            values = [self.names[value] for value in values]
        return [None if gone else value for value, gone in zip(values, self.missing)]


@dataclass(frozen=True)
class Pdu:
    """A PDU of a connection, or octets that form no PDU.

    `kind` is what `iwarp dump` calls it: "mpa-request", "mpa-reply", "fpdu", "gap", "undecodable", and over SCTP
    "sctp-init", "sctp-control", "ddp-segment".

    `fields` are the fields that are numbers, by their paths: "ddp.msn". `octets` are the octets of the PDU as they
    stand in the stream, as far as they were captured.
    """

    conn: int
    packet: int
    time_ns: int
    src: str
    dst: str
    role: str
    kind: str
    length: int
    seq: int | None
    offset: int | None
    crc_state: str | None
    sync: str | None
    complete: bool | None
    marker_count: int | None
    message: str | None
    payload_length: int | None
    error: str | None
    fields: dict[str, int]
    octets: bytes

    @property
    def frame(self) -> MpaStartup | Fpdu | SctpSegment | SctpControl | None:
        """The PDU as a frame; None where `kind` has no octets. DecodeError: octets are missing."""
        if self.kind in ("mpa-request", "mpa-reply"):
            return MpaStartup.decode(self.octets)
        if self.kind == "fpdu":
            markers = bool(self.marker_count)
            start = self.offset or 0
            lead = 4 if markers and start % 512 == 4 else 0
            return Fpdu.decode(self.octets, start - lead, markers)
        if self.kind == "ddp-segment":
            return SctpSegment.decode(self.octets)
        return SctpControl.decode(self.octets) if self.kind == "sctp-control" else None

    @property
    def segment(self) -> Segment | None:
        """The DDP Segment of the PDU, or None."""
        frame = self.frame
        if isinstance(frame, Fpdu):
            return frame.segment
        return Segment.decode(frame.segment) if isinstance(frame, SctpSegment) else None


class Columns(dict[str, Column]):
    """Columns by name. `ends` has the addresses of each connection, by its number."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: dict[int, tuple[str, str]] = {}
        self.num = 0

    def _append(self, batch: Any) -> None:
        num = batch.num
        for i in range(batch.num_columns):
            native = batch.columns[i]
            if not native.any:
                continue
            name = text_of(native.name)
            if name not in self:
                self[name] = _column_of(native, name, self.num)
            self[name].values.extend(ffi.buffer(native.values, num * native.width))
            self[name].missing.extend(ffi.buffer(native.missing, num))
        self.num += num
        for name, column in self.items():
            short = self.num - len(column.missing)
            if short:
                column.values.extend(bytes(short * WIDTHS[column.format]))
                column.missing.extend(b"\1" * short)
        for i in range(batch.num_ends):
            ends = batch.ends[i]
            self.ends[ends.number] = (text_of(ends.addr[0]), text_of(ends.addr[1]))

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with a row for each PDU. Names are categories, and numbers that can be absent are nullable."""
        import pandas

        numpy = _numpy()
        data: dict[str, Any] = {}
        for name, column in self.items():
            values = numpy.frombuffer(column.values, dtype=f"u{WIDTHS[column.format]}")
            missing = numpy.frombuffer(column.missing, dtype=numpy.bool_)
            if name == "time_ns":
                data["time"] = pandas.to_datetime(values.view("i8"), unit="ns", utc=True)
            elif column.names is not None:
                codes = numpy.where(missing, -1, values.astype(numpy.int16))
                data[name] = pandas.Categorical.from_codes(codes, list(column.names))
            elif missing.any():
                data[name] = pandas.arrays.IntegerArray(values, missing)
            else:
                data[name] = values
        if "side" in data:
            _ends_to_pandas(data, self.ends)
        return pandas.DataFrame(data)


def _numpy() -> Any:
    """The module numpy, whose types mypy finds only where it is installed."""
    return importlib.import_module("numpy")


def _column_of(native: Any, name: str, rows: int) -> Column:
    """An empty column, with `rows` rows that have no value."""
    names = tuple(text_of(native.names[i]) for i in range(native.num_names)) if native.names != ffi.NULL else None
    return Column(name, FORMATS[native.width], bytearray(rows * native.width), bytearray(b"\1" * rows), names)


def _ends_to_pandas(data: dict[str, Any], ends: dict[int, tuple[str, str]]) -> None:
    """Adds `src` and `dst`, as categories."""
    import pandas

    numpy = _numpy()
    numbers = sorted(ends)
    addresses = [address for number in numbers for address in ends[number]]
    codes, unique = pandas.factorize(pandas.Series(addresses, dtype=object))
    row = numpy.searchsorted(numpy.array(numbers, dtype="u8"), data["conn"])
    side = data["side"].astype(numpy.int64)
    for name, place in (("src", 2 * row + side), ("dst", 2 * row + 1 - side)):
        data[name] = pandas.Categorical.from_codes(codes[place], unique)


FIXED = ("seq", "offset", "crc_state", "sync", "complete", "marker_count", "message", "payload_length", "error")


class Packets(Capture):
    """The PDUs of a capture: iterate over them, or take them as columns."""

    _want = lib.RECORDS_PDUS

    def __iter__(self) -> Iterator[Pdu]:
        """Yields PDUs in the order of the packets that complete them. Memory does not depend on the capture's length."""
        reader = self._open(rows=STEP, octets=True)
        while reader.next():
            yield from _pdus_of(lib.records_batch_get(reader.native))

    def batches(self) -> Iterator[Columns]:
        """Yields columns of some 65,536 PDUs each, for captures whose columns do not fit into memory."""
        reader = self._open(rows=BATCH)
        while reader.next():
            columns = Columns()
            columns._append(lib.records_batch_get(reader.native))
            yield columns

    def columns(self) -> Columns:
        """All PDUs as columns."""
        columns = Columns()
        reader = self._open(rows=BATCH)
        while reader.next():
            columns._append(lib.records_batch_get(reader.native))
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with a row for each PDU."""
        return self.columns().to_pandas()


def _pdus_of(batch: Any) -> list[Pdu]:
    columns = Columns()
    columns._append(batch)
    octets = bytes(ffi.buffer(batch.octets, batch.octets_ends[batch.num - 1])) if batch.octets != ffi.NULL else b""
    ends = [0, *(batch.octets_ends[i] for i in range(batch.num))]
    lists = {name: column.list() for name, column in columns.items()}
    fields = {name: values for name, values in lists.items() if "." in name}
    none: list[Any] = [None] * batch.num
    fixed = {name: lists.get(name, none) for name in FIXED}
    pdus = []
    for i in range(batch.num):
        conn: Any = lists["conn"][i]
        side: Any = lists["side"][i]
        addresses = columns.ends[conn]
        values: dict[str, Any] = {name: of[i] for name, of in fixed.items()}
        if values["complete"] is not None:
            values["complete"] = bool(values["complete"])
        if values["error"] is not None:
            values["error"] = name_of(-values["error"])
        pdus.append(Pdu(
            conn=conn, packet=lists["packet"][i], time_ns=lists["time_ns"][i], src=addresses[side], dst=addresses[1 - side],  # type: ignore[arg-type]
            role=lists["role"][i], kind=lists["kind"][i], length=lists["length"][i],  # type: ignore[arg-type]
            fields={name: of[i] for name, of in fields.items() if of[i] is not None},  # type: ignore[misc]
            octets=octets[ends[i]:ends[i + 1]], **values))
    return pdus


def packets(path: Path, **options: Any) -> Packets:
    """The PDUs of the capture at `path`.

    Options: `filter`, a BPF expression; `ports`, TCP ports whose connections are iWARP without their startup; `markers` and
    `crc`, where the startup does not tell; `memory` in bytes; `strict`, False to report a damaged capture in `summary` alone.
    """
    return Packets(path, **options)
