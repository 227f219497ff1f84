# SPDX-License-Identifier: BSD-2-Clause
# Which of the exceptions for mypy below are needed depends on its version and on the packages that it finds.
# mypy: no-warn-unused-ignores
"""Figures of connections: docs/stats.md says what each of them means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._capture import Capture, Path, text_of
from ._check import identity_of
from ._native import ffi, lib

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

BOUND_NONE = (1 << 64) - 1


@dataclass(frozen=True)
class Distribution:
    """Numbers: octets, counts or nanoseconds. `histogram` has pairs of (upper bound, count), None for no bound.

    All but the percentiles is exact; these are less than 1 % off. Without numbers all but `count` and `sum` is None.
    """

    count: int
    sum: int
    min: int | None
    p50: int | None
    p90: int | None
    p99: int | None
    max: int | None
    histogram: tuple[tuple[int | None, int], ...]

    @property
    def mean(self) -> float | None:
        return self.sum / self.count if self.count else None


@dataclass(frozen=True)
class Series:
    """Values over time. `times_ns` count from the first packet of the connection.

    Of `stride` values that follow one another it has the highest one, so that it has at most 2,000.
    """

    name: str
    unit: str
    times_ns: tuple[int, ...]
    values: tuple[int, ...]
    stride: int

    def to_pandas(self) -> pandas.Series[int]:
        """A pandas Series whose index is the time since the first packet."""
        import pandas

        return pandas.Series(self.values, index=pandas.to_timedelta(list(self.times_ns), unit="ns"), name=self.name, dtype="int64")


@dataclass(frozen=True)
class TcpFigures:
    packets: int
    data_packets: int
    octets: int
    duplicate_packets: int
    cut_packets: int
    retransmitted_packets: int
    retransmitted_octets: int
    out_of_order_packets: int
    keep_alives: int
    zero_windows: int
    zero_window_ns: int
    gaps: int
    gap_octets: int


@dataclass(frozen=True)
class StreamFigures:
    payload: int
    headers: int
    pad: int
    crc: int
    markers: int
    startup: int
    streaming: int
    undecoded: int
    missing: int
    octets: int


@dataclass(frozen=True)
class MessageFigures:
    count: int
    octets: int
    size: Distribution
    segments: Distribution


@dataclass(frozen=True)
class RequestFigures:
    requests: int
    answered: int
    unanswered: int
    left_out: int
    after_hole: int
    response_time: Distribution
    first_octet_time: Distribution


@dataclass(frozen=True)
class OutstandingFigures:
    max: int
    busy_ns: int
    mean: float | None
    limit: int | None
    at_limit_ns: int | None


@dataclass(frozen=True)
class Interval:
    """What a side sent in interval `index`."""

    index: int
    packets: int
    octets: int
    retransmitted_octets: int
    payload: int
    messages: int
    reads: int
    read_sum_ns: int
    read_max_ns: int


@dataclass(frozen=True)
class Direction:
    """What a side sends. What is not known is None."""

    role: str
    src: str
    dst: str
    tcp: TcpFigures | None
    stream: StreamFigures | None
    fpdus: int
    bad_crc: int
    fpdu_size: Distribution
    active_ns: int
    packing_packets: int
    packing_aligned: int
    fpdus_per_packet: Distribution
    packets_per_fpdu: Distribution
    messages: dict[str, MessageFigures]
    messages_unfinished: int
    messages_begun_unseen: int
    reads: RequestFigures | None
    atomics: RequestFigures | None
    outstanding: OutstandingFigures | None
    sequence: Series
    read_latency: Series
    requests_outstanding: Series
    intervals: tuple[Interval, ...]


@dataclass(frozen=True)
class ConnectionStats:
    """A connection with its figures; the initiator stands first. `limits` names bounds that may have changed a figure."""

    number: int
    transport: str
    initiator: str
    responder: str
    roles_known: bool
    stream: int | None
    first_packet: int
    first_ns: int
    duration_ns: int
    packets: int
    octets: int
    whole: bool
    idle_count: int
    idle_ns: int
    idle_max_ns: int
    syn_to_synack_ns: int | None
    synack_to_ack_ns: int | None
    request_to_reply_ns: int | None
    reply_to_first_fpdu_ns: int | None
    syn_to_first_fpdu_ns: int | None
    limits: tuple[str, ...]
    directions: tuple[Direction, Direction]


def _distribution(h: Any) -> Distribution:
    if h.count == 0:
        return Distribution(0, 0, None, None, None, None, None, ())
    at = ffi.addressof(h)
    bounds = ((lib.stats_hist_bound(h.kind, i), h.bound[i]) for i in range(lib.stats_hist_buckets(h.kind)))
    return Distribution(h.count, h.sum, h.min, lib.stats_hist_rank(at, 50), lib.stats_hist_rank(at, 90), lib.stats_hist_rank(at, 99), h.max,
                        tuple((None if bound == BOUND_NONE else bound, num) for bound, num in bounds if num))


def _plain(cls: Any, native: Any) -> Any:
    return cls(**{name: getattr(native, name) for name in cls.__dataclass_fields__})


def _series(name: str, unit: str, native: Any) -> Series:
    points = [(native.of[i].ns, native.of[i].v) for i in range(native.num)]
    return Series(name, unit, tuple(ns for ns, _ in points), tuple(v for _, v in points), native.stride or 1)


def _requests(native: Any) -> RequestFigures | None:
    if native.requests == 0:
        return None
    return RequestFigures(native.requests, native.answered, native.unanswered, native.left_out, native.after_hole,
                          _distribution(native.response_time), _distribution(native.first_octet_time))


def _outstanding(native: Any) -> OutstandingFigures | None:
    if not native.known:
        return None
    return OutstandingFigures(native.max, native.busy_ns, native.mean_micro / 1e6 if native.busy_ns else None,
                              native.limit if native.has_limit else None, native.at_limit_ns if native.has_limit else None)


def _messages(native: Any) -> dict[str, MessageFigures]:
    found = {}
    for i in range(lib.STATS_NAMES):
        m = native.messages[i]
        if m != ffi.NULL:
            found[text_of(lib.stats_name(i))] = MessageFigures(m.count, m.octets, _distribution(m.size), _distribution(m.segments))
    return found


def _direction(c: Any, side: int, sctp: bool) -> Direction:
    native = c.figures.side[side]
    addresses = text_of(c.conn.addr[side]), text_of(c.conn.addr[1 - side])
    intervals = (c.intervals[i] for i in range(c.num_intervals))
    return Direction(
        role=("unknown", "initiator", "responder")[c.info.side[side].role], src=addresses[0], dst=addresses[1],
        tcp=None if sctp else _plain(TcpFigures, native.tcp), stream=None if sctp else _plain(StreamFigures, native.stream),
        fpdus=native.fpdus, bad_crc=native.bad_crc, fpdu_size=_distribution(native.fpdu_size), active_ns=native.active_ns,
        packing_packets=native.packing_packets, packing_aligned=native.packing_aligned,
        fpdus_per_packet=_distribution(native.fpdus_per_packet), packets_per_fpdu=_distribution(native.packets_per_fpdu),
        messages=_messages(native), messages_unfinished=native.unfinished, messages_begun_unseen=native.begun_unseen,
        reads=_requests(native.reads), atomics=_requests(native.atomics), outstanding=_outstanding(native.outstanding),
        sequence=_series("sequence", "octets", native.plots.sequence), read_latency=_series("read_latency", "ns", native.plots.latency),
        requests_outstanding=_series("requests_outstanding", "requests", native.plots.outstanding),
        intervals=tuple(_interval(i, side) for i in intervals))


def _interval(native: Any, side: int) -> Interval:
    s = native.side[side]
    return Interval(native.index, s.packets, s.octets, s.retransmitted_octets, s.payload, s.messages, s.reads, s.read_sum_ns, s.read_max_ns)


def _span(native: Any) -> int | None:
    return int(native.ns) if native.known else None


def _limits(c: Any) -> tuple[str, ...]:
    names = [text_of(lib.stats_limit_name(1 << i)) for i in range(c.figures.limits.bit_length()) if c.figures.limits >> i & 1]
    return (*names, "intervals-kept") if c.intervals_cut else tuple(names)


def _stats_of(c: Any, first: int) -> ConnectionStats:
    f, sctp = c.figures, c.info.sctp
    return ConnectionStats(
        **identity_of(c), first_packet=f.first_packet, first_ns=f.first_ns, duration_ns=f.duration_ns, packets=f.packets, octets=f.octets,
        whole=f.whole, idle_count=f.idle_count, idle_ns=f.idle_ns, idle_max_ns=f.idle_max_ns, syn_to_synack_ns=_span(f.syn_to_synack),
        synack_to_ack_ns=_span(f.synack_to_ack), request_to_reply_ns=_span(f.request_to_reply),
        reply_to_first_fpdu_ns=_span(f.reply_to_first_fpdu), syn_to_first_fpdu_ns=_span(f.syn_to_first_fpdu), limits=_limits(c),
        directions=(_direction(c, first, sctp), _direction(c, 1 - first, sctp)))


def _flat(prefix: str, value: Any, row: dict[str, Any]) -> None:
    """Figures as columns, by their paths joined by dots. A series and a histogram have no column."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _flat(f"{prefix}.{key}", inner, row)
    elif hasattr(value, "__dataclass_fields__"):
        for key in value.__dataclass_fields__:
            if key != "histogram":
                _flat(f"{prefix}.{key}" if prefix else key, getattr(value, key), row)
    elif not isinstance(value, tuple):
        row[prefix] = value


def _row(c: ConnectionStats, d: Direction) -> dict[str, Any]:
    row: dict[str, Any] = {}
    _flat("", c, row)
    inner: dict[str, Any] = {}
    _flat("", d, inner)
    for series in ("sequence", "read_latency", "requests_outstanding"):
        for key in ("name", "unit", "stride"):
            inner.pop(f"{series}.{key}")
    return {**row, **{f"direction.{key}" if key in row else key: value for key, value in inner.items()}}


class Stats(Capture):
    """The figures of the connections of a capture. Each is handed out when it ends, or when the capture does."""

    _want = lib.RECORDS_FIGURES

    def __init__(self, path: Path, *, interval: float = 0, **options: Any) -> None:
        super().__init__(path, **options)
        if interval != 0 and not 1e-6 <= interval < 1e9:
            raise ValueError(f"interval is {interval}, which is not between a microsecond and 1e9 seconds")
        self.interval = interval

    def __iter__(self) -> Iterator[ConnectionStats]:
        reader = self._open(series=True, interval_ns=round(self.interval * 1e9))
        while reader.next():
            native = ffi.gc(lib.records_take(reader.native), lib.records_conn_free)
            if native.figures == ffi.NULL:
                raise MemoryError("memory ran out while the capture was read")
            yield _stats_of(native, native.first)

    def to_pandas(self, table: str = "directions") -> pandas.DataFrame:
        """A DataFrame with a row for each of "directions", "intervals" (with `interval`), or the values of "series"."""
        import pandas

        if table == "directions":
            return pandas.DataFrame([_row(c, d) for c in self for d in c.directions])
        if table == "intervals":
            return pandas.DataFrame([{"number": c.number, "role": d.role, "src": d.src, "dst": d.dst,
                                      "start": i.index * self.interval, **vars(i)} for c in self for d in c.directions for i in d.intervals])
        if table == "series":
            return pandas.DataFrame(
                [{"number": c.number, "role": d.role, "src": d.src, "dst": d.dst, "series": s.name, "time_ns": ns, "value": value}
                 for c in self for d in c.directions for s in (d.sequence, d.read_latency, d.requests_outstanding)
                 for ns, value in zip(s.times_ns, s.values)])
        raise ValueError(f"{table} is none of directions, intervals, series")


def stats(path: Path, **options: Any) -> Stats:
    """The figures of the connections of the capture at `path`.

    Options are as for `packets`, and `interval` in seconds: figures of each interval.
    """
    return Stats(path, **options)
