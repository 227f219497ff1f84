# SPDX-License-Identifier: BSD-2-Clause
"""Scapy shows what the library decodes, and writes what it encodes."""

import json
from pathlib import Path

import maker
import pytest
from scapy.layers.inet import IP, TCP
from scapy.packet import Padding, Raw
from scapy.utils import rdpcap

import iwarp
import iwarp.scapy as layers

FOLDER = Path(__file__).resolve().parents[3] / "libiwarp" / "tests" / "vectors"
VECTORS = [v for file in sorted(FOLDER.glob("*.json")) for v in json.loads(file.read_text(encoding="utf-8"))["vectors"] if v["value"]]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["form"] in ("startup", "fpdu", "segment")], ids=lambda v: v["id"])
def test_vectors_are_the_same_after_scapy(vector):
    wire = bytes.fromhex(vector["wire"])
    if vector["form"] == "startup":
        packet = layers.MpaStartup(wire)
        assert packet.form == iwarp.MpaStartup.decode(wire)
    elif vector["form"] == "fpdu":
        packet = layers.MpaFpdu(wire, offset=vector["stream_off"], markers=int(vector["markers"]))
        fpdu = iwarp.Fpdu.decode(wire, vector["stream_off"], vector["markers"])
        assert packet.crc == fpdu.crc
        if vector["error"] == "MPA_MARKER" or "reserved-bits" in vector["flags"] or "not-by-the-rules" in vector["flags"]:
            return  # Scapy's layer writes Markers as they must be
    else:
        packet = (layers.DdpTagged if wire[:1] and wire[0] & 0x80 else layers.DdpUntagged)(wire)
    assert bytes(packet) == wire
    assert packet.show(dump=True)


def test_a_segment_has_the_layers_of_its_forms():
    request = iwarp.RdmapReadReq(sink_stag=1, sink_to=2, size=3, source_stag=4, source_to=5)
    wire = iwarp.Fpdu(iwarp.Segment(iwarp.DdpUntagged(last=True, rsvdulp=0x41, qn=1, msn=1), request).encode()).encode()
    packet = layers.MpaFpdu(wire)
    assert packet[layers.DdpUntagged].msn == 1 and packet[layers.RdmapReadReq].size == 3
    assert packet[layers.RdmapReadReq].form == request


def test_frames_are_made_of_layers():
    packet = layers.MpaFpdu() / layers.DdpTagged(last=1, rsvdulp=0x40, stag=9, to=16) / Raw(b"data")
    fpdu = iwarp.Fpdu.decode(bytes(packet))
    assert fpdu.error is None and fpdu.segment.payload == b"data" and fpdu.segment.ddp.stag == 9
    packet.crc = 1
    assert iwarp.Fpdu.decode(bytes(packet)).error == "MPA_CRC"
    assert iwarp.MpaStartup.decode(bytes(layers.MpaStartup(private_data=b"abc"))).private_data == b"abc"
    with pytest.raises(iwarp.EncodeError):
        bytes(layers.DdpTagged(rsvd=99))


def test_what_is_no_frame_is_raw():
    assert bytes(layers.MpaStartup(b"short")[Raw]) == b"short"
    packet = layers.MpaFpdu(b"\xff\xff123")
    assert Raw in packet and bytes(packet[Raw]) == b"\xff\xff123"


def test_a_stream_is_cut_into_its_fpdus():
    stream = b"".join(maker.send(i, bytes(i)) for i in range(1, 6))
    assert [p[layers.DdpUntagged].msn for p in layers.fpdus(stream + b"\0")] == [1, 2, 3, 4, 5]
    assert bytes(layers.MpaFpdu(stream)[Padding]) == stream[len(maker.send(1, bytes(1))):]


def test_packets_of_a_capture(tmp_path):
    path = tmp_path / "one.pcap"
    maker.sends(path, 3, each=1)
    layers.bind(7174)
    packets = [p for p in rdpcap(str(path)) if p.haslayer(layers.MpaStartup) or p.haslayer(layers.MpaFpdu)]
    assert [p.haslayer(layers.MpaStartup) for p in packets[:3]] == [1, 1, 0]
    assert [p[layers.DdpUntagged].msn for p in packets[2:]] == [1, 2, 3]
    assert all(p[IP].dst and p[TCP].dport for p in packets)
