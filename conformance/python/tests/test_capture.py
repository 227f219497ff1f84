# SPDX-License-Identifier: BSD-2-Clause
"""Readers of captures: what they own, how they end, what they refuse."""

import gc
import os
import resource
import threading
from pathlib import Path

import maker
import pytest

import iwarp

PCAPS = Path(__file__).resolve().parents[3] / "pcaps"
REAL = PCAPS / "real" / "siw" / "big-write-read.pcap"
BROKEN = PCAPS / "synthetic" / "rules" / "mpa.crc-fail.pcap"
READERS = (iwarp.check, iwarp.packets, iwarp.stats)


@pytest.fixture(name="sent", scope="module")
def sent_fixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("captures") / "sends.pcap"
    maker.sends(path, 3000)
    return path


def test_pdus_own_their_octets(sent):
    pdus = list(iwarp.packets(sent))
    gc.collect()
    assert len(pdus) == 3002 and [p.kind for p in pdus[:3]] == ["mpa-request", "mpa-reply", "fpdu"]
    assert pdus[0].frame == iwarp.MpaStartup.request(b"", crc=True)
    for msn, pdu in enumerate(pdus[2:], 1):
        assert pdu.octets == maker.send(msn, bytes(32))
        assert (pdu.message, pdu.crc_state, pdu.fields["ddp.msn"]) == ("send", "good", msn)
        assert pdu.segment.payload == bytes(32)


def test_columns_have_what_pdus_have(sent):
    columns = iwarp.packets(sent).columns()
    pdus = list(iwarp.packets(sent))
    assert columns.num == len(pdus)
    for name in ("packet", "message", "offset", "crc_state", "payload_length", "length", "kind"):
        assert columns[name].list() == [getattr(p, name) for p in pdus], name
    for name in ("ddp.msn", "mpa.rev", "crc.crc_value"):
        assert columns[name].list() == [p.fields.get(name) for p in pdus], name
    assert columns.ends == {0: ("10.0.0.1:40000", "10.0.0.2:7174")}
    assert sum(batch.num for batch in iwarp.packets(sent).batches()) == columns.num


def test_an_iterator_that_is_left_gives_all_back(sent):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(30):
        for reader in READERS:
            next(iter(reader(sent)))
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_readers_can_be_interleaved_and_used_again(sent):
    packets = iwarp.packets(sent)
    pairs = list(zip(packets, packets))
    assert all(a == b for a, b in pairs) and len(pairs) == 3002
    check = iwarp.check(sent)
    assert [c.number for c in check] == [c.number for c in check] == [0]


def test_threads_read_side_by_side(sent):
    found = []

    def read():
        found.append((sum(1 for _ in iwarp.packets(sent)), [c.outcome for c in iwarp.check(sent)]))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(3002, ["closed"])] * 4


def test_one_iterator_may_be_used_by_threads(sent):
    reader = iwarp.packets(sent)._open(rows=16)
    results = []

    def read():
        while reader.next():
            results.append(1)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results and reader.next() is False


def test_findings_of_a_broken_connection():
    (connection,) = iwarp.check(BROKEN)
    assert [f.rule for f in connection.findings if f.severity == "violation"] == ["mpa.crc"]
    finding = connection.findings[0]
    assert finding.expected.startswith("0x") and finding.observed != finding.expected
    assert finding.requirements and finding.where
    assert {v.rule: v.verdict for v in connection.verdicts}["mpa.crc"] == "fail"


def test_findings_beyond_the_limit_are_counted():
    (all_of_it,) = iwarp.check(PCAPS / "synthetic" / "wireshark-defects" / "t21.pcap")
    (one,) = iwarp.check(PCAPS / "synthetic" / "wireshark-defects" / "t21.pcap", findings_max=1)
    assert len(all_of_it.findings) > 1
    assert len(one.findings) == 1 and one.findings_left_out == len(all_of_it.findings) - 1


def test_series_and_intervals():
    (connection,) = iwarp.stats(REAL, interval=0.001)
    initiator = connection.directions[0]
    assert initiator.reads.answered == 1 and initiator.reads.response_time.min == initiator.read_latency.values[0]
    assert initiator.requests_outstanding.values[0] == 1 and initiator.requests_outstanding.stride == 1
    assert list(initiator.sequence.times_ns) == sorted(initiator.sequence.times_ns)
    assert sum(i.octets for i in initiator.intervals) == initiator.tcp.octets
    assert initiator.messages["write"].size.mean == 300000


def test_a_capture_without_iwarp_says_what_it_holds(tmp_path):
    path = tmp_path / "other.pcap"
    with open(path, "wb") as file:
        other = maker.Maker(file)
        other.send(0, b"GET / HTTP/1.1\r\n\r\n" * 3)
        other.end()
    check = iwarp.check(path)
    assert not list(check)
    assert check.summary.without_iwarp == {"no-startup": 1} and check.summary.tcp == 1
    assert check.summary.transports[0].looks_like == "http" and check.summary.transports[0].server == "10.0.0.2:7174"


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__name__)
def test_a_capture_that_is_cut_short_is_read_and_then_refused(reader, sent, tmp_path):
    path = tmp_path / "cut.pcap"
    path.write_bytes(sent.read_bytes()[:-7])
    records = []
    with pytest.raises(iwarp.CaptureError, match="cut.pcap: "):
        for record in reader(path):
            records.append(record)
    assert records
    loose = reader(path, strict=False)
    assert len(list(loose)) == len(records) and loose.summary.error


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__name__)
def test_what_is_no_capture_is_an_error(reader, tmp_path):
    with pytest.raises(FileNotFoundError):
        reader(tmp_path / "nothing")
    empty = tmp_path / "empty"
    empty.touch()
    text = tmp_path / "text"
    text.write_text("no capture, but a text that is long enough to be looked at")
    for path in (empty, text, tmp_path):
        with pytest.raises(iwarp.CaptureError) as caught:
            list(reader(path))
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)
        assert isinstance(caught.value, OSError)


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__name__)
def test_a_path_is_text_octets_or_a_path(reader, sent, tmp_path):
    strange = bytes(tmp_path) + b"/\xff.pcap"
    Path(os.fsdecode(strange)).symlink_to(sent)
    found = [len(list(reader(path))) for path in (sent, str(sent), bytes(sent), strange, Path(os.fsdecode(strange)))]
    assert found[0] > 0 and set(found) == {found[0]}
    for path in (None, 5):
        with pytest.raises(TypeError):
            reader(path)


def test_options_are_checked(sent):
    for options in ({"memory": 1}, {"ports": [0]}, {"ports": [65536]}, {"findings_max": 0}, {"filter": "no such filter"}, {"markers": 3}, {"crc": "on"}):
        with pytest.raises((ValueError, iwarp.CaptureError)):
            list(iwarp.check(sent, **options))
    for interval in (-1, 1e-9, float("nan")):
        with pytest.raises(ValueError, match="interval"):
            iwarp.stats(sent, interval=interval)
    with pytest.raises(TypeError):
        iwarp.check(sent, unknown=1)
    for path in ("", "a\0b"):
        with pytest.raises(ValueError):
            iwarp.check(path)


def test_filter_and_ports(sent, tmp_path):
    assert not list(iwarp.packets(sent, filter="udp"))
    assert len(list(iwarp.packets(sent, filter="tcp port 7174"))) == 3002
    middle = tmp_path / "middle.pcap"
    with open(middle, "wb") as file:
        late = maker.Maker(file)
        late.send(0, b"plain text first")
        late.send(0, maker.send(1))
    assert not list(iwarp.check(middle))
    assert [c.number for c in iwarp.check(middle, ports=[7174])] == [0]


def test_a_file_called_minus_is_a_file(sent, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(sent.read_bytes())
    assert len(list(iwarp.packets("-"))) == 3002


def test_memory_does_not_grow_with_the_capture(tmp_path):
    path = tmp_path / "long.pcap"
    maker.sends(path, 20000, each=40, size=8)
    for _ in iwarp.packets(path):
        pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        assert sum(1 for _ in iwarp.packets(path)) == 20002
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192  # KiB
