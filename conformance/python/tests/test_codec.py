# SPDX-License-Identifier: BSD-2-Clause
"""Values that do not fit, random octets, and what objects own."""

import random

import pytest

import iwarp
from iwarp import frames

FORMS = [getattr(frames, name) for name in frames.__all__]
ROUNDS = 300


def octets_of(rng, most, form=None):
    octets = bytearray(rng.randbytes(rng.randrange(most + 1)))
    if form is iwarp.MpaStartup and len(octets) > 19:
        octets[18] = 0  # PD_Length that the other octets may suffice for
    return bytes(octets)


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_random_octets_decode_and_encode_to_themselves(form):
    rng = random.Random(form.__name__)
    decoded = 0
    for _ in range(ROUNDS):
        wire = octets_of(rng, 90, form)
        try:
            value, used = form.decode_front(wire)
        except iwarp.DecodeError as error:
            assert error.need > len(wire) or str(error).startswith("T is")
            continue
        assert value.encode() == wire[:used]
        assert value == form.decode(wire[:used])
        decoded += 1
    assert decoded > 0


def test_random_segments_and_fpdus_decode_and_encode_to_themselves():
    rng = random.Random(43)
    decoded = 0
    for _ in range(ROUNDS):
        wire = octets_of(rng, 120)
        offset, markers = rng.randrange(0, 1 << 40, 4), rng.random() < 0.5
        for decode in (lambda: iwarp.Segment.decode(wire), lambda: iwarp.Fpdu.decode(wire, offset, markers)):
            try:
                frame = decode()
            except iwarp.DecodeError:
                continue
            assert frame.encode() == wire
            assert frame.error is None or iwarp.terminate_for(frame.error) is not None
            decoded += 1
    assert decoded > ROUNDS // 4


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_a_number_that_does_not_fit_is_never_cut(form):
    for field in form.FIELDS:
        if field.kind == "octets":
            continue
        for value in (1 << field.num_bits, -1):
            with pytest.raises(iwarp.EncodeError, match=field.path):
                form(**{field.key: value}).encode()


@pytest.mark.parametrize("value", [1.5, 1.0, "1"])
def test_what_is_no_whole_number_is_never_rounded(value):
    with pytest.raises(iwarp.EncodeError, match="ddp.stag is .* no whole number"):
        iwarp.DdpTagged(stag=value).encode()
    with pytest.raises(iwarp.EncodeError, match="no whole number"):
        iwarp.RdmapTerm(ddp_segment_length=value).encode()


def test_octets_after_a_form_are_not_ignored():
    with pytest.raises(iwarp.DecodeError, match="ends after 4 octets"):
        iwarp.MpaMarker.decode(bytes(5))
    assert iwarp.MpaMarker.decode_front(bytes(5)) == (iwarp.MpaMarker(), 4)


def test_a_frame_owns_its_octets():
    wire = bytearray(iwarp.MpaStartup.request(b"private", crc=True).encode())
    frame = iwarp.MpaStartup.decode(wire)
    wire[:] = bytes(len(wire))
    assert frame.private_data == b"private"


def test_a_startup_frame_that_announces_more_than_it_holds_can_be_made():
    short = iwarp.MpaStartup(pd_length=8, private_data=b"1234").encode()
    with pytest.raises(iwarp.DecodeError) as caught:
        iwarp.MpaStartup.decode(short)
    assert caught.value.need == 28


def test_private_data_beyond_pd_length_is_an_error():
    with pytest.raises(iwarp.EncodeError):
        iwarp.MpaStartup(pd_length=1, private_data=b"1234").encode()


def test_values_have_names():
    assert iwarp.RdmapCtrl(opcode=3).name_of("opcode") == "send"
    assert iwarp.RdmapCtrl(opcode=1).label == "RDMA Read Request"
    assert iwarp.MpaStartup(rev=9).name_of("rev") is None
    with pytest.raises(AttributeError):
        iwarp.RdmapCtrl().name_of("nothing")


def test_a_terminate_shows_the_header_that_it_returns():
    ddp = iwarp.DdpTagged(last=True, rsvdulp=0x40, stag=5, to=64)
    term = iwarp.RdmapTerm(layer=0, etype=1, code=0, m=True, d=True, ddp_segment_length=14, ddp_header=ddp.encode())
    again = iwarp.RdmapTerm.decode(term.encode())
    assert again == term and again.returned_ddp == ddp and again.error is None
    assert again.text.startswith("RDMA: ")


def test_the_t_flag_decides_between_the_ddp_headers():
    tagged = iwarp.DdpTagged().encode()
    with pytest.raises(iwarp.DecodeError, match="T is 1"):
        iwarp.DdpUntagged.decode_front(tagged + bytes(4))
    with pytest.raises(iwarp.EncodeError, match="tagged"):
        iwarp.DdpTagged(tagged=False).encode()


def test_wrong_lengths_are_named():
    for make in (lambda: iwarp.Fpdu(bytes(65536)), lambda: iwarp.Fpdu(bytes(3), pad=b""), lambda: iwarp.Fpdu(crc=1 << 32),
                 lambda: iwarp.Fpdu(offset=-1), lambda: iwarp.MpaStartup(key=b"short"), lambda: iwarp.RdmapImmediate(bytes(7)),
                 lambda: iwarp.RdmapTerm(ddp_segment_length=65536)):
        with pytest.raises(iwarp.EncodeError):
            make().encode()


def test_what_is_no_octets_is_a_type_error():
    for octets in (None, 5, "text"):
        with pytest.raises(TypeError):
            iwarp.MpaMarker.decode(octets)
