# SPDX-License-Identifier: BSD-2-Clause
"""DataFrames hold what objects hold."""

from pathlib import Path

import maker
import pandas
import pytest

import iwarp

PCAPS = Path(__file__).resolve().parents[3] / "pcaps"
MIX = PCAPS / "real" / "siw" / "veth-tso-mix.pcap"
DEFECTS = PCAPS / "synthetic" / "wireshark-defects" / "t21.pcap"


def test_pdus():
    frame = iwarp.packets(MIX).to_pandas()
    pdus = list(iwarp.packets(MIX))
    assert len(frame) == len(pdus)
    for name in ("conn", "packet", "kind", "src", "dst", "role", "message", "length", "payload_length", "offset"):
        assert [None if pandas.isna(v) else v for v in frame[name]] == [getattr(p, name) for p in pdus], name
    for name in ("ddp.msn", "ddp.stag", "mpa.rev", "read_request.size"):
        assert [None if pandas.isna(v) else v for v in frame[name]] == [p.fields.get(name) for p in pdus], name
    assert [t.value for t in frame["time"]] == [p.time_ns for p in pdus]


def test_connections_of_several_ends():
    path = PCAPS / "real" / "siw" / "rping-3-clients.pcap"
    frame = iwarp.packets(path).to_pandas()
    assert list(zip(frame["src"], frame["dst"])) == [(p.src, p.dst) for p in iwarp.packets(path)]
    assert frame["conn"].nunique() > 1


def test_findings_connections_and_verdicts():
    (connection,) = iwarp.check(DEFECTS)
    findings = iwarp.check(DEFECTS).to_pandas()
    assert list(findings["rule"]) == [f.rule for f in connection.findings] and len(findings) > 1
    assert list(iwarp.check(DEFECTS).to_pandas("connections")["outcome"]) == [connection.outcome]
    verdicts = iwarp.check(DEFECTS).to_pandas("verdicts")
    assert dict(zip(verdicts["rule"], verdicts["verdict"])) == {v.rule: v.verdict for v in connection.verdicts}
    assert list(iwarp.check(DEFECTS).to_pandas("diagnoses")["id"]) == [d.id for d in connection.diagnoses]
    assert list(iwarp.check(MIX).to_pandas().columns) == list(findings.columns)  # without findings too
    with pytest.raises(ValueError):
        iwarp.check(MIX).to_pandas("nothing")


def test_figures_intervals_and_series():
    (connection,) = iwarp.stats(MIX, interval=0.01)
    frame = iwarp.stats(MIX).to_pandas()
    assert list(frame["role"]) == ["initiator", "responder"]
    assert frame["reads.response_time.count"][0] == connection.directions[0].reads.response_time.count
    assert frame["tcp.packets"].sum() == connection.packets
    intervals = iwarp.stats(MIX, interval=0.01).to_pandas("intervals")
    assert intervals["octets"].sum() == connection.octets
    series = iwarp.stats(MIX).to_pandas("series")
    one = connection.directions[0].read_latency.to_pandas()
    assert list(series[(series["series"] == "read_latency") & (series["role"] == "initiator")]["value"]) == list(one)
    with pytest.raises(ValueError):
        iwarp.stats(MIX).to_pandas("nothing")


def test_no_pdus_and_no_connections(tmp_path):
    path = tmp_path / "none.pcap"
    with open(path, "wb") as file:
        maker.Maker(file).end()
    assert iwarp.packets(path).to_pandas().empty and iwarp.stats(path).to_pandas().empty
    assert iwarp.check(path).to_pandas().empty and iwarp.check(path).to_pandas("connections").empty


def test_columns_that_come_later_begin_with_nothing(tmp_path):
    path = tmp_path / "late.pcap"
    with open(path, "wb") as file:
        late = maker.Maker(file)
        late.startup()
        for first in range(1, 70000, 40):
            late.send(0, b"".join(maker.send(msn) for msn in range(first, first + 40)))
        late.send(0, iwarp.Fpdu(iwarp.Segment(iwarp.DdpTagged(last=True, rsvdulp=0x40, stag=77)).encode()).encode())
    frame = iwarp.packets(path).to_pandas()
    assert frame["ddp.stag"].notna().sum() == 1 and frame["ddp.stag"].iloc[-1] == 77 and len(frame) > 70000
