# SPDX-License-Identifier: BSD-2-Clause
# Which of the exceptions for mypy below are needed depends on its version and on the packages that it finds.
# mypy: no-warn-unused-ignores
"""Connections of a capture: findings, verdicts, diagnoses."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._capture import Capture, Path, text_of, text_or_none
from ._native import ffi, lib
from .frames import RdmapTerm

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

ROLES = ("unknown", "initiator", "responder")
TRI = (None, False, True)
NEVER = lib.IWARP_POS_UNKNOWN
FINDINGS_MAX = 10000


@dataclass(frozen=True)
class Finding:
    """A rule that a side broke. `unless` says of a suspected finding what else may be so.

    `seq` is the sequence number of the item (over SCTP None), `offset` its octets from the first one of Full Operation.
    """

    conn: int
    rule: str
    severity: str
    level: str
    certainty: str
    message: str
    src: str
    dst: str
    role: str
    packet: int
    time_ns: int
    seq: int | None
    offset: int | None
    field: str | None
    expected: str | None
    observed: str | None
    where: str
    other_packet: int | None
    unless: str | None
    cause: str | None
    impact: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Diagnosis:
    """Why a connection failed. `certainty` is "certain" or "likely"."""

    conn: int
    id: str
    certainty: str
    text: str
    src: str
    frames: tuple[int, ...]
    summary: str
    operator_do: str
    implementer_do: str


@dataclass(frozen=True)
class Verdict:
    """What a rule came to on a connection: "pass", "fail", "inconclusive", "not-seen"."""

    conn: int
    rule: str
    verdict: str
    reason: str | None
    passed: int
    failed: int
    inconclusive: int


@dataclass(frozen=True)
class Connection:
    """A connection over TCP, or a DDP Stream Session over SCTP (`transport`).

    With unknown roles `initiator` is the sender of the first packet that was seen. What the capture does not show is None.
    Pairs are (initiator, responder). Over SCTP there are no Markers and no CRCs of MPA.
    """

    number: int
    transport: str
    initiator: str
    responder: str
    roles_known: bool
    stream: int | None
    rev: int | None
    enhanced: bool
    rejected: bool
    markers: tuple[bool | None, bool | None]
    crc: bool | None
    outcome: str
    failed: bool
    ended_by: str | None
    end_packet: int | None
    terminate: RdmapTerm | None
    terminate_likely: RdmapTerm | None
    began_ns: int
    fpdus: tuple[int, int]
    octets: tuple[int, int]
    gaps: int
    messages: dict[str, int]
    undecodable: tuple[int, int]
    given_up: str | None
    findings: tuple[Finding, ...]
    findings_left_out: int
    diagnoses: tuple[Diagnosis, ...]
    verdicts: tuple[Verdict, ...]


def _finding_of(f: Any, number: int, addresses: tuple[str, str], sctp: bool) -> Finding:
    v = f.finding
    return Finding(
        conn=number, rule=text_of(f.rule.slug), severity=text_of(f.severity), level=text_of(f.rule.level),
        certainty="certain" if f.unless == ffi.NULL else "suspected", message=text_or_none(f.message) or "",
        src=addresses[v.side], dst=addresses[1 - v.side], role=ROLES[v.role], packet=v.last.packet, time_ns=v.last.time_ns,
        seq=None if sctp or v.pos == NEVER else v.pos & 0xFFFFFFFF, offset=None if v.offset == NEVER else v.offset,
        field=text_or_none(f.field), expected=text_or_none(f.expected), observed=text_or_none(f.observed),
        where=text_or_none(f.where) or "", other_packet=v.other_packet or None, unless=text_or_none(f.unless),
        cause=text_or_none(v.cause), impact=text_of(f.impact), requirements=tuple(text_of(f.rule.requirements).split()))


def _diagnosis_of(d: Any, number: int, addresses: tuple[str, str]) -> Diagnosis:
    v = d.diagnosis
    return Diagnosis(
        conn=number, id=text_of(d.row.id), certainty="certain" if v.certainty == lib.IWARP_DIAGNOSIS_CERTAIN else "likely",
        text=text_or_none(d.text) or "", src=addresses[v.side], frames=tuple(n for n in v.frames if n), summary=text_of(d.row.summary),
        operator_do=text_of(d.row.operator_do), implementer_do=text_of(d.row.implementer_do))


def _verdict_of(v: Any, number: int) -> Verdict:
    return Verdict(conn=number, rule=text_of(v.rule.slug), verdict=text_of(v.verdict), reason=text_or_none(v.reason),
                   passed=v.result.num_pass, failed=v.result.num_fail, inconclusive=v.result.num_inconclusive)


def _messages_of(tally: Any) -> dict[str, int]:
    """Opcodes that are not assigned share a name."""
    messages: dict[str, int] = {}
    for opcode, num in enumerate(tally.messages):
        if num:
            name = text_of(lib.iwarp_rdmap_op_get(opcode).name)
            messages[name] = messages.get(name, 0) + num
    return messages


def _terminate_of(outcome: Any) -> tuple[RdmapTerm | None, RdmapTerm | None]:
    """The Terminate as it stands, and as its sender is likely to have meant it."""
    if outcome.terminate == ffi.NULL:
        return None, None
    t = outcome.terminate
    likely = ffi.new("iwarp_rdmap_term *")
    swapped = lib.iwarp_rdmap_term_likely(likely, ffi.addressof(t.term), t.place)
    return RdmapTerm._from_native(t.term), RdmapTerm._from_native(likely) if swapped else None


def identity_of(c: Any) -> dict[str, Any]:
    """What a connection is called, and its transport."""
    conn, info, first = c.conn, c.info, c.first
    addresses = [text_of(conn.addr[first]), text_of(conn.addr[1 - first])]
    return {"number": conn.number, "transport": "sctp" if info.sctp else "tcp", "initiator": addresses[0], "responder": addresses[1],
            "roles_known": info.side[0].role != 0, "stream": info.sctp_stream if info.sctp else None}


def _pair(two: Any, first: int) -> tuple[int, int]:
    return int(two[first]), int(two[1 - first])


def _connection_of(c: Any) -> Connection:
    conn, info, first = c.conn, c.info, c.first
    sides = (info.side[first], info.side[1 - first])
    addresses = (text_of(conn.addr[0]), text_of(conn.addr[1]))
    starts = [side for side in sides if side.has_startup]
    ended = conn.outcome.ended
    terminate, likely = _terminate_of(conn.outcome)
    return Connection(
        **identity_of(c), rev=starts[-1].rev if starts and not info.sctp else None,
        enhanced=bool(starts) and all(side.enhanced for side in starts), rejected=info.rejected,
        markers=(None, None) if info.sctp else (TRI[sides[0].markers], TRI[sides[1].markers]),
        crc=None if info.sctp else TRI[info.crc], outcome=text_of(c.outcome), failed=c.failed,
        ended_by=ROLES[info.side[conn.outcome.side].role] if ended else None, end_packet=conn.outcome.packet if ended else None,
        terminate=terminate, terminate_likely=likely, began_ns=conn.began_ns, fpdus=_pair(conn.tally.fpdus, first),
        octets=_pair(conn.tally.octets, first), gaps=conn.tally.gaps, messages=_messages_of(conn.tally),
        undecodable=(conn.undecodable[first].octets, conn.undecodable[1 - first].octets), given_up=text_or_none(conn.given_up),
        findings=tuple(_finding_of(c.findings[i], conn.number, addresses, info.sctp) for i in range(c.num_findings)),
        findings_left_out=c.left_out,
        diagnoses=tuple(_diagnosis_of(c.diagnoses[i], conn.number, addresses) for i in range(c.num_diagnoses)),
        verdicts=tuple(_verdict_of(c.verdicts[i], conn.number) for i in range(c.num_verdicts)))


LISTS = ("findings", "diagnoses", "verdicts")
TABLES = ("connections", *LISTS)


class Check(Capture):
    """The connections of a capture, judged by all rules. Each is handed out when it ends, or when the capture does."""

    _want = lib.RECORDS_CONNECTIONS

    def __init__(self, path: Path, *, findings_max: int = FINDINGS_MAX, **options: Any) -> None:
        super().__init__(path, **options)
        if findings_max < 1:
            raise ValueError("findings_max is less than 1")
        self._findings_max = findings_max

    def __iter__(self) -> Iterator[Connection]:
        reader = self._open(findings_max=self._findings_max)
        while reader.next():
            native = ffi.gc(lib.records_take(reader.native), lib.records_conn_free)
            yield _connection_of(native)

    def to_pandas(self, table: str = "findings") -> pandas.DataFrame:
        """A DataFrame with a row for each of "findings", "connections", "diagnoses" or "verdicts"."""
        import pandas

        if table not in TABLES:
            raise ValueError(f"{table} is none of {', '.join(TABLES)}")
        if table == "connections":
            row_type: Any = Connection
            rows = [{key: value for key, value in vars(c).items() if key not in LISTS} for c in self]
        else:
            row_type = {"findings": Finding, "diagnoses": Diagnosis, "verdicts": Verdict}[table]
            rows = [vars(row) for c in self for row in getattr(c, table)]
        columns = [f.name for f in dataclasses.fields(row_type) if f.name not in LISTS]
        frame = pandas.DataFrame(rows, columns=columns)
        for name in [name for name in columns if name.endswith("_ns")]:
            frame[name] = pandas.to_datetime(frame[name].astype("int64"), unit="ns", utc=True)
        return frame.rename(columns={"time_ns": "time", "began_ns": "began"})


def check(path: Path, **options: Any) -> Check:
    """The connections of the capture at `path` with findings, verdicts and diagnoses.

    Options are as for `packets`, and `findings_max`: how many findings of a connection are kept (10,000).
    """
    return Check(path, **options)
