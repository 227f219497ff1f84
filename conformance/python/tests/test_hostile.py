# SPDX-License-Identifier: BSD-2-Clause
"""Random octets in each decoder, and captures and streams that are spoiled: the exceptions of the package come, and nothing else.

IWARP_PYTHON_ROUNDS says how often each is tried. Under AddressSanitizer (check_asan.py) nothing is read out of bounds either.
"""

import asyncio
import gzip
import os
import random
import socket
from pathlib import Path

import maker
import pytest

import iwarp
from iwarp import frames

ROUNDS = int(os.environ.get("IWARP_PYTHON_ROUNDS", "1"))
FORMS = [getattr(frames, name) for name in frames.__all__]
PCAPS = Path(__file__).resolve().parents[3] / "pcaps"
SMALL = 24576  # octets of a capture to spoil
CAPTURES = sorted(path for pattern in ("*.pcap", "*.pcapng") for path in PCAPS.rglob(pattern) if path.stat().st_size <= SMALL)


def look(value):
    """Asks a frame for all that it knows."""
    for name in dir(type(value)):
        if not name.startswith("_") and isinstance(getattr(type(value), name), property):
            try:
                getattr(value, name)
            except iwarp.Error:
                pass
    repr(value)
    for field in getattr(value, "FIELDS", ()):
        value.name_of(field.key)
    try:
        value.encode()
    except iwarp.Error:
        pass


def tried(decode):
    """Returns true if a frame was decoded."""
    try:
        value = decode()
    except iwarp.Error:
        return False
    if value is not None:
        look(value[0] if isinstance(value, tuple) else value)
    return True


def some(rng, most):
    """Octets: random ones, or only few different ones, so that flags and lengths of zero are there too."""
    num = rng.randrange(most + 1)
    return rng.randbytes(num) if rng.random() < 0.5 else bytes(rng.choice((0, 1, 0x40, 0x41, 0x80, 0xFF)) for _ in range(num))


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_decoders_of_forms(form):
    rng = random.Random(form.__name__)
    decoded = 0
    for _ in range(100 * ROUNDS):
        octets = some(rng, 64)
        if form is iwarp.MpaStartup and len(octets) >= 20:
            octets = rng.choice((b"MPA ID Req Frame", b"MPA ID Rep Frame")) + octets[16:18] + b"\0" + octets[19:]
        decoded += tried(lambda: form.decode_front(octets)) + tried(lambda: form.decode(octets))
    assert decoded > 0


def test_decoders_of_segments_and_fpdus():
    rng = random.Random(1)
    decoded = 0
    for _ in range(300 * ROUNDS):
        octets = some(rng, 700)
        offset = rng.choice((0, 4, 508, 512, rng.randrange(1 << 64)))
        if rng.random() < 0.5 and len(octets) > 2:
            octets = (len(octets) // rng.choice((1, 2, 3))).to_bytes(2, "big") + octets[2:]
        for markers in (False, True):
            decoded += tried(lambda: iwarp.Fpdu.decode_front(octets, offset, markers)) + tried(lambda: iwarp.Fpdu.decode(octets, offset, markers))
        decoded += tried(lambda: iwarp.Segment.decode(octets)) + tried(lambda: iwarp.ddp_front(octets))
    assert decoded > 100 * ROUNDS


def spoiled(rng, octets):
    """A capture of which some octets differ, or are not there, or are there twice."""
    octets = bytearray(octets)
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(octets))
        kind = rng.randrange(5)
        if kind < 2:
            octets[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            octets[at:at + 4] = some(rng, 4)
        elif kind == 3:
            del octets[at:at + rng.randrange(1, 40)]
        else:
            octets[at:at] = octets[at:at + rng.randrange(1, 200)]
        if not octets:
            return b""
    return bytes(octets[:rng.randrange(len(octets))] if rng.random() < 0.2 else octets)


def read_all(path):
    """By each reader; returns how many refused it, and how many connections there were."""
    refused = seen = 0
    readers = (lambda: iwarp.check(path), lambda: iwarp.check(path, strict=False), lambda: iwarp.packets(path),
               lambda: iwarp.packets(path).batches(), lambda: iwarp.stats(path, interval=0.001))
    for reader in readers:
        try:
            for value in reader():
                seen += 1
                repr(value)
                if isinstance(value, iwarp.Pdu):
                    tried(lambda: value.segment)
                    tried(lambda: value.frame)
                elif isinstance(value, iwarp.Columns):
                    assert {len(column.list()) for column in value.values()} <= {value.num}
        except iwarp.CaptureError:
            refused += 1
    return refused, seen


def test_spoiled_captures(tmp_path):
    rng = random.Random(2)
    path = tmp_path / "spoiled"
    refused = seen = 0
    for number in range(6 * ROUNDS):
        octets = spoiled(rng, rng.choice(CAPTURES).read_bytes())
        path.write_bytes(gzip.compress(octets, 1)[:-rng.randrange(1, 30)] if number % 5 == 4 else octets)
        numbers = read_all(path)
        refused += numbers[0]
        seen += numbers[1]
    assert refused > 0 and seen > 0


def test_a_capture_that_is_cut_anywhere(tmp_path):
    maker.sends(tmp_path / "whole", 2, each=1)
    whole = (tmp_path / "whole").read_bytes()
    path = tmp_path / "cut"
    for end in range(0, len(whole), max(1, 97 // ROUNDS)):
        path.write_bytes(whole[:end])
        refused, seen = read_all(path)
        assert refused > 0 or seen > 0 or end < 400


async def hostile_peer(request, stream):
    """Sends a Request, and if there is a stream waits for the Reply and sends it. Returns true if it was established."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=theirs)

    async def speak():
        writer.write(request)
        if stream and await reader.read(1):
            for first in range(0, len(stream), 100):
                writer.write(stream[first:first + 100])
                await asyncio.sleep(0)
        writer.write_eof()
        await reader.read()
        writer.close()

    speaking = asyncio.ensure_future(speak())
    established = 0
    try:
        endpoint = await iwarp.Endpoint.on_socket(ours, initiator=False, startup=5)
        established = 1
        endpoint.register(4096, remote_read=True, remote_write=True, remote_atomic=True)
        async for _ in endpoint:
            pass
        await endpoint.close()
    except iwarp.EndpointError:
        pass
    await asyncio.gather(speaking, return_exceptions=True)
    return established


def test_hostile_peers_of_an_endpoint():
    rng = random.Random(3)
    request = iwarp.MpaStartup.request(iwarp.MpaEnhanced(ird=4, ord=4).encode(), rev=2, enhanced=True, crc=True).encode()
    established = 0
    for number in range(10 * ROUNDS):
        segments = [maker.send(msn, some(rng, 40)) for msn in range(1, 4)]
        segments += [iwarp.Fpdu(some(rng, 60)).encode() for _ in range(2)]
        rng.shuffle(segments)
        stream = b"".join(segments)
        if number % 4 == 3:
            established += asyncio.run(hostile_peer(spoiled(rng, request), b""))
        else:
            established += asyncio.run(hostile_peer(request, spoiled(rng, stream) if number % 2 else stream))
    assert established > 0
