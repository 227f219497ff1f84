# SPDX-License-Identifier: BSD-2-Clause
"""The package says of each capture what the tool says. IWARP_TOOL is the tool; IWARP_PYTHON_EVERY takes one capture of so many."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import iwarp

PCAPS = Path(__file__).resolve().parents[3] / "pcaps"
TOOL = os.environ["IWARP_TOOL"]
EVERY = int(os.environ.get("IWARP_PYTHON_EVERY", "15"))
NOT_FIELDS = {"length", "name", "meaning", "ddp_header", "rdma_header", "rest", "likely", "about_frame", "text"}


def captures():
    lines = (PCAPS / "MANIFEST.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    return [row[0] for row in rows if not row[4].strip()][::EVERY]  # without options of the tool


CAPTURES = captures()


def tool(command, path, *options):
    done = subprocess.run([TOOL, command, "-T", "jsonl", *options, str(path)], capture_output=True, check=False)
    return [json.loads(line) for line in done.stdout.decode("utf-8", "backslashreplace").splitlines()]


def number(value):
    return int(value, 16) if isinstance(value, str) else int(value)


def nanoseconds(seconds):
    return round(float(seconds) * 1e9)


def name_of(path):
    """A name that the file system can have and the library opens."""
    return PCAPS / path


@pytest.mark.parametrize("capture", CAPTURES)
def test_pdus(capture):
    path = name_of(capture)
    lines = [line for line in tool("dump", path) if "pdu" in line]
    pdus = list(iwarp.packets(path, strict=False))
    assert len(pdus) == len(lines)
    columns = iwarp.packets(path, strict=False).columns()
    assert columns.num == len(lines)
    compared = 0
    for line, pdu in zip(lines, pdus):
        assert pdu.kind == line["pdu"]
        assert (pdu.conn, pdu.packet, pdu.src, pdu.dst, pdu.role) == (line["conn"], line["frame"], line["src"], line["dst"], line["dir"])
        assert pdu.time_ns == int(line["time"].replace(".", ""))
        if pdu.kind == "fpdu":
            assert (pdu.seq, pdu.crc_state, pdu.marker_count) == (line["seq"], line["crc"], line["marker_count"])
            assert pdu.offset == line.get("offset")
        for form in ("ddp", "rdmap", "read_request", "atomic_request", "atomic_response"):
            for key, value in line.get(form, {}).items() if isinstance(line.get(form), dict) else ():
                if key not in NOT_FIELDS:
                    assert pdu.fields[f"{form}.{key}"] == number(value), (form, key)
                    compared += 1
        if pdu.kind == "fpdu" and pdu.complete:
            frame = pdu.frame
            assert frame.encode() == pdu.octets
            if pdu.payload_length is None:
                with pytest.raises(iwarp.DecodeError):
                    frame.segment
            else:
                assert len(pdu.segment.encode()) == len(frame.ulpdu)
    assert compared > 0 or not any("ddp" in line for line in lines)
    assert columns["packet"].list() == [line["frame"] for line in lines] if lines else not columns


def same_finding(finding, line):
    for key, attribute in (("rule", "rule"), ("frame", "packet"), ("conn", "conn"), ("src", "src"), ("dst", "dst"), ("dir", "role"),
                           ("severity", "severity"), ("level", "level"), ("certainty", "certainty"), ("message", "message"),
                           ("impact", "impact")):
        assert getattr(finding, attribute) == line[key], key
    for key, attribute in (("seq", "seq"), ("offset", "offset"), ("field", "field"), ("expected", "expected"), ("observed", "observed"),
                           ("unless", "unless"), ("cause", "cause"), ("other_frame", "other_packet")):
        if key != "seq" or line.get("stream") is None:
            assert getattr(finding, attribute) == line.get(key), key
    assert list(finding.requirements) == line["requirements"]


@pytest.mark.parametrize("capture", CAPTURES)
def test_connections(capture):
    path = name_of(capture)
    lines = tool("check", path)
    check = iwarp.check(path, strict=False)
    connections = list(check)
    wanted = [line for line in lines if line.get("type") == "connection"]
    assert len(connections) == len(wanted)
    findings = {(line["conn"], line["conn_finding"]): line for line in lines if line.get("type") == "finding"}
    assert sum(len(c.findings) for c in connections) == len(findings)
    for c, line in zip(connections, wanted):
        assert (c.number, c.initiator, c.responder, c.transport) == (line["conn"], line["initiator"], line["responder"], line["transport"])
        assert (c.outcome, c.gaps, c.messages) == (line["outcome"], line["gaps"], line["messages"])
        assert c.fpdus == (line["fpdus"]["initiator"], line["fpdus"]["responder"])
        assert c.octets == (line["octets"]["initiator"], line["octets"]["responder"])
        assert c.rev == line.get("rev") and c.crc == line.get("crc") and c.given_up == line.get("given_up")
        assert c.markers == (line.get("markers_initiator"), line.get("markers_responder"))
        assert c.roles_known == ("roles" not in line) and c.ended_by == line.get("ended_by") and c.end_packet == line.get("end_frame")
        assert (c.terminate is not None) == ("terminate" in line)
        assert [(d.id, d.certainty, d.text) for d in c.diagnoses] == [
            (d["id"], d["certainty"], d["text"]) for d in line.get("diagnosis", [])]
        for i, finding in enumerate(c.findings):
            same_finding(finding, findings[c.number, i])
        counts = {name: sum(v.verdict == name for v in c.verdicts) for name in ("pass", "fail", "inconclusive")}
        assert counts == {name: line["rules"][name] for name in counts}
    summary = next(line for line in lines if line.get("type") == "summary")
    assert check.summary.packets == summary["packets"] and check.summary.connections == len(wanted)


def same_distribution(distribution, line, scale=int):
    assert distribution.count == line["count"]
    for key in ("sum", "min", "p50", "p90", "p99", "max"):
        assert getattr(distribution, key) == scale(line[key]), key
    assert sum(num for _, num in distribution.histogram) == distribution.count
    assert [num for _, num in distribution.histogram] == [num for _, num in line["histogram"]]


def same_direction(d, line):
    assert (d.role, d.src, d.dst) == (line["dir"], line["src"], line["dst"])
    for name in ("tcp", "stream"):
        for key, value in line.get(name, {}).items():
            attribute = "zero_window_ns" if key == "zero_window_time" else key
            assert getattr(getattr(d, name), attribute) == (nanoseconds(value) if attribute != key else value), key
    if "fpdus" in line:
        assert d.fpdus == line["fpdus"]["count"]
        if "size" in line["fpdus"]:
            same_distribution(d.fpdu_size, line["fpdus"]["size"])
    assert {name: m.count for name, m in d.messages.items()} == {name: m["count"] for name, m in line.get("messages", {}).items()}
    for name, m in line.get("messages", {}).items():
        assert d.messages[name].octets == m["octets"]
        if "size" in m:
            same_distribution(d.messages[name].size, m["size"])
            same_distribution(d.messages[name].segments, m["segments"])
    for name in ("reads", "atomics"):
        requests = getattr(d, name)
        assert (requests is not None) == (name in line)
        if requests is not None and "answered" in line[name]:
            assert (requests.requests, requests.answered, requests.unanswered) == tuple(
                line[name][key] for key in ("requests", "answered", "unanswered"))
            if "response_time" in line[name]:
                same_distribution(requests.response_time, line[name]["response_time"], nanoseconds)
    assert (d.outstanding is not None) == ("outstanding" in line)
    if d.outstanding is not None:
        assert d.outstanding.max == line["outstanding"]["max"]


@pytest.mark.parametrize("capture", CAPTURES)
def test_figures(capture):
    path = name_of(capture)
    lines = [line for line in tool("stats", path, "--interval", "0.01") if line.get("type", "").startswith("stats")]
    wanted = [line for line in lines if line["type"] == "stats"]
    connections = list(iwarp.stats(path, interval=0.01, strict=False))
    assert len(connections) == len(wanted)
    for c, line in zip(connections, wanted):
        assert (c.number, c.initiator, c.responder) == (line["conn"], line["initiator"], line["responder"])
        if "packets" in line:
            assert (c.packets, c.octets, c.first_packet) == (line["packets"], line["octets"], line["frame"])
            assert c.duration_ns == nanoseconds(line["duration"]) and c.idle_ns == nanoseconds(line["idle"]["time"])
            assert c.whole == line["whole"]
        assert list(c.limits) == line.get("limits", [])
        for d, direction in zip(c.directions, line["directions"]):
            same_direction(d, direction)
        intervals = [one for one in lines if one["type"] == "stats-interval" and one["conn"] == c.number]
        for place, d in enumerate(c.directions):
            assert [(i.index, i.packets, i.octets, i.payload, i.messages) for i in d.intervals] == [
                (one["index"], *(one["directions"][place].get(key, 0) for key in ("packets", "octets", "payload", "messages")))
                for one in intervals]
