# SPDX-License-Identifier: BSD-2-Clause
"""Each vector is decoded, compared field by field, and encoded again."""

import json
from pathlib import Path

import pytest

import iwarp

FOLDER = Path(__file__).resolve().parents[3] / "libiwarp" / "tests" / "vectors"
VECTORS_MIN = 250
FIXED = {"enhanced": iwarp.MpaEnhanced, "marker": iwarp.MpaMarker, "sctp-adaptation": iwarp.SctpAdaptation, "erdma": iwarp.ErdmaExt,
         "smbd": iwarp.SmbdDepths, "smbd-le": iwarp.SmbdDepthsLe, "rpc-rdma": iwarp.RpcRdma}


def read():
    for file in sorted(FOLDER.glob("*.json")):
        for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]:
            yield vector


VECTORS = list(read())


def number(value):
    return int(value, 16) if isinstance(value, str) else int(value)


def same(form, value):
    """Compares all fields of a form with the object of a vector, and takes each out of it."""
    for field in form.FIELDS:
        got = getattr(form, field.key)
        want = value.pop(field.key)
        assert got == (bytes.fromhex(want) if field.kind == "octets" else number(want)), field.path
    assert value == {}


def same_term(term, value):
    assert term.ddp_segment_length == value.pop("ddp_segment_length", None)
    for key in ("ddp_header", "rdma_header", "rest"):
        assert getattr(term, key) == bytes.fromhex(value.pop(key, "")), key
    same(term, value)


def same_segment(segment, value):
    same(segment.ddp, value.pop("ddp"))
    if "rdmap" in value:
        same(segment.rdmap, value.pop("rdmap"))
    if segment.header is not None:
        key = {iwarp.RdmapReadReq: "read_request", iwarp.RdmapTerm: "terminate", iwarp.RdmapImmediate: "immediate",
               iwarp.RdmapAtomicReq: "atomic_request", iwarp.RdmapAtomicResp: "atomic_response"}[type(segment.header)]
        (same_term if key == "terminate" else same)(segment.header, value.pop(key))
    assert segment.payload == bytes.fromhex(value.pop("payload", ""))
    assert value == {}


def try_startup(vector, wire, value):
    frame = iwarp.MpaStartup.decode(wire)
    assert frame.frame == value.pop("frame")
    same(frame, value.pop("mpa"))
    found = {"enhanced": frame.enhanced_data, "rpc_rdma": frame.rpc_rdma,
             "erdma": iwarp.ErdmaExt.decode_front(frame.private_data)[0] if frame.rev == 129 else None}
    depths = frame.smbd_depths
    found["smbd"] = depths if isinstance(depths, iwarp.SmbdDepths) else None
    found["smbd_le"] = depths if isinstance(depths, iwarp.SmbdDepthsLe) else None
    for key, form in found.items():
        assert (form is not None) == (key in value), key
        if form is not None:
            assert form.encode() in frame.private_data
            same(form, value.pop(key))
    assert value == {}
    return frame, frame.error


def try_segment(vector, wire, value):
    segment = iwarp.Segment.decode(wire)
    same_segment(segment, value)
    return segment, segment.error


def try_ddp_header(vector, wire, value):
    header, used = iwarp.ddp_front(wire)
    assert used == len(wire)
    same(header, value.pop("ddp"))
    return header, None


def try_fpdu(vector, wire, value):
    fpdu = iwarp.Fpdu.decode(wire, vector["stream_off"], vector["markers"])
    assert len(fpdu.ulpdu) == value.pop("fpdu")["ulpdu_length"]
    assert [(m.reserved, m.fpduptr) for m in fpdu.marker_list or ()] == [
        (number(m["reserved"]), m["fpduptr"]) for m in value.pop("markers")]
    assert fpdu.ulpdu == bytes.fromhex(value.pop("ulpdu"))
    assert fpdu.pad == bytes.fromhex(value.pop("pad"))
    assert fpdu.crc == number(value.pop("crc")["crc_value"])
    assert fpdu.crc_computed == number(value.pop("crc_computed"))
    if "ddp" in value:
        same_segment(fpdu.segment, value)
    else:
        with pytest.raises(iwarp.DecodeError):
            fpdu.segment
    return fpdu, fpdu.error


def try_sctp_segment(vector, wire, value):
    chunk = iwarp.SctpSegment.decode(wire)
    octets = value["sctp_segment"].pop("segment", None)
    assert chunk.ssn == value.pop("sctp_segment")["ssn"]
    assert octets is None or chunk.segment == bytes.fromhex(octets)
    if "ddp" not in value:
        with pytest.raises(iwarp.DecodeError) as caught:
            iwarp.Segment.decode(chunk.segment)
        return chunk, caught.value.name
    segment = iwarp.Segment.decode(chunk.segment)
    same_segment(segment, value)
    return chunk, segment.error


def try_sctp_control(vector, wire, value):
    control = iwarp.SctpControl.decode(wire)
    same(control, value.pop("sctp_control"))
    if control.enhanced_data is not None:
        same(control.enhanced_data, value.pop("enhanced"))
    if "rpc_rdma" in value:
        same(control.rpc_rdma, value.pop("rpc_rdma"))
    assert value == {}
    return control, None


def try_fixed(vector, wire, value):
    form = FIXED[vector["form"]].decode(wire)
    same(form, value.popitem()[1])
    assert value == {}
    return form, None


TRIED = {"startup": try_startup, "segment": try_segment, "ddp-header": try_ddp_header, "fpdu": try_fpdu,
         "sctp-segment": try_sctp_segment, "sctp-control": try_sctp_control}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["id"])
def test_vector(vector):
    wire = bytes.fromhex(vector["wire"])
    tried = TRIED.get(vector["form"], try_fixed)
    if vector["value"] is None:
        with pytest.raises(iwarp.DecodeError) as caught:
            tried(vector, wire, {})
        assert caught.value.name == vector["error"]
        assert caught.value.need == vector.get("need", 0)
        return
    frame, error = tried(vector, wire, json.loads(json.dumps(vector["value"])))
    assert error == vector["error"]
    assert frame.encode() == wire
    answer = vector.get("answer")
    assert (iwarp.terminate_for(error)._asdict() if answer else None) == (
        {key: number(n) for key, n in answer.items()} if answer else None)
    if vector["form"] not in ("segment", "fpdu", "ddp-header"):
        for octets in (bytearray(wire), memoryview(wire)):
            assert type(frame).decode(octets) == frame


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["value"] is not None and v["form"] == "fpdu"], ids=lambda v: v["id"])
def test_fpdu_that_is_cut_says_how_many_octets_are_needed(vector):
    wire = bytes.fromhex(vector["wire"])
    for cut in range(0, len(wire), max(1, len(wire) // 16)):
        with pytest.raises(iwarp.DecodeError) as caught:
            iwarp.Fpdu.decode(wire[:cut], vector["stream_off"], vector["markers"])
        assert caught.value.name == "NEED_MORE" and caught.value.need > cut


def test_there_are_vectors():
    assert len(VECTORS) >= VECTORS_MIN


def test_crc_and_markers_are_computed_where_they_are_not_given():
    for vector in VECTORS:
        if vector["form"] == "fpdu" and vector["value"] is not None and vector["error"] is None and "reserved-bits" not in vector["flags"]:
            wire = bytes.fromhex(vector["wire"])
            fpdu = iwarp.Fpdu.decode(wire, vector["stream_off"], vector["markers"])
            made = iwarp.Fpdu(fpdu.ulpdu, fpdu.offset, fpdu.markers)
            if not any(fpdu.pad or b""):
                assert made.encode() == wire, vector["id"]
