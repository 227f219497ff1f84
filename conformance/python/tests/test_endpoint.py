# SPDX-License-Identifier: BSD-2-Clause
"""Two ends in one event loop, over sockets that a witness records; the rules judge what it recorded."""

import asyncio
import random
import socket
import struct

import maker
import pytest

import iwarp

SEGMENT = 1460


class Wire:
    """Two pairs of sockets, and tasks that carry octets between them and record them as packets of a capture."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.maker = maker.Maker(self.file)
        self.path = path
        self.tasks = []
        self.writers = []
        self.spoil = None  # changes octets under way

    async def ends(self):
        outer, inner = zip(socket.socketpair(), socket.socketpair())
        streams = [await asyncio.open_connection(sock=sock) for sock in inner]
        self.writers = [writer for _, writer in streams]
        for side in (0, 1):
            self.tasks.append(asyncio.ensure_future(self.carry(side, streams[side][0], streams[1 - side][1])))
        return outer

    async def carry(self, side, reader, writer):
        while octets := await reader.read(SEGMENT):
            if self.spoil is not None:
                octets = self.spoil(side, octets)
            self.maker.send(side, octets)
            writer.write(octets)
        self.maker.packet(side, maker.FIN | maker.ACK)
        writer.write_eof()

    async def end(self):
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for writer in self.writers:
            writer.close()
        self.file.close()

    def findings(self):
        return [(f.rule, f.message) for c in iwarp.check(self.path, strict=False) for f in c.findings]


async def pair(wire, options=None, **responder):
    socks = await wire.ends()
    return await asyncio.gather(iwarp.Endpoint.on_socket(socks[0], initiator=True, **(options or {})),
                                iwarp.Endpoint.on_socket(socks[1], initiator=False, **responder))


def run(path, work, options=None, **responder):
    """Runs `work` with a pair of ends, closes both in order, and returns what the witness found."""

    async def main():
        wire = Wire(path)
        a, b = await pair(wire, options, **responder)
        await work(a, b)
        await asyncio.gather(a.close(), b.close())
        await wire.end()
        return wire

    return asyncio.run(main())


@pytest.fixture(name="capture")
def capture_fixture(tmp_path):
    return tmp_path / "live.pcap"


@pytest.mark.parametrize("options", [{}, {"markers": True}, {"crc": False}, {"rev": 1}], ids=str)
def test_write_read_and_send(capture, options):
    async def work(a, b):
        region = b.register(100_000, remote_read=True, remote_write=True)
        data = bytes(range(256)) * 300
        await a.write(region.stag, 10, data)
        assert await a.read(region.stag, 10, len(data)) == data
        assert region.read(10, len(data)) == data and region.read(0, 10) == bytes(10)
        await a.send(b"hello", solicited=True)
        assert await b.recv() == iwarp.Message(b"hello", True, None, None)
        await b.send(b"back")
        assert (await a.recv()).data == b"back"
        assert a.info.state == "FULL" and a.info.markers_out == b.info.markers_in

    wire = run(capture, work, {"private_data": b"service", **options}, **options)
    assert wire.findings() == []
    (connection,) = iwarp.check(capture)
    assert connection.outcome == "closed" and connection.messages["write"] >= 1 and connection.messages["read-request"] >= 1


def test_private_data_reach_both_sides(capture):
    async def work(a, b):
        assert b.peer_private_data == b"question" and a.peer_private_data == b"answer"

    assert run(capture, work, {"private_data": b"question"}, private_data=b"answer").findings() == []


def test_many_operations_at_a_time(capture):
    async def work(a, b):
        region = b.register(bytes(range(200)), remote_read=True)
        got = await asyncio.gather(*(a.read(region.stag, i, 10) for i in range(150)))
        assert got == [bytes(range(i, i + 10)) for i in range(150)]
        received = asyncio.ensure_future(_take(b, 100))
        await asyncio.gather(*(a.send(bytes([i])) for i in range(8)))
        for i in range(8, 100):
            await a.send(bytes([i]))
            while len(b._messages) + b_taken(b) < i - 8:
                await asyncio.sleep(0)
        assert await received == [bytes([i]) for i in range(100)]

    def b_taken(b):
        return b._token_of_test

    async def _take(b, num):
        b._token_of_test = 0
        got = []
        for _ in range(num):
            got.append((await b.recv()).data)
            b._token_of_test += 1
        return got

    assert run(capture, work, {"ord": 4}, ird=4).findings() == []


def test_atomics_immediate_and_invalidate(capture):
    async def work(a, b):
        region = b.register(struct.pack("=QQ", 40, 7), remote_atomic=True, remote_read=True)
        assert await a.fetch_add(region.stag, 0, 2) == 40
        assert await a.compare_swap(region.stag, 8, 7, 9) == 7
        assert await a.compare_swap(region.stag, 8, 7, 11) == 9
        assert struct.unpack("=QQ", region.read()) == (42, 9)
        await a.immediate(b"12345678", solicited=True)
        assert await b.recv() == iwarp.Message(b"", True, None, b"12345678")
        await a.send(b"over", invalidate=region.stag)
        assert (await b.recv()).invalidated == region.stag

    assert run(capture, work).findings() == []


def test_messages_end_with_the_connection(capture):
    async def work(a, b):
        async def all_of(end):
            return [message.data async for message in end]

        got = asyncio.ensure_future(all_of(b))
        await a.send(b"1")
        await a.send(b"2")
        await asyncio.gather(a.close(), _close_after(b, got))
        assert got.result() == [b"1", b"2"]
        with pytest.raises(iwarp.EndpointError):
            await a.send(b"3")

    async def _close_after(b, got):
        await got
        await b.close()

    run(capture, work)


def failing(path, work, spoil=None):
    """Runs `work`, which ends the connection by a fault."""

    async def main():
        wire = Wire(path)
        a, b = await pair(wire)
        wire.spoil = spoil
        await work(a, b)
        for end in (a, b):
            await end.abort()
        await wire.end()

    asyncio.run(main())


def test_a_write_to_a_wrong_stag_ends_both_sides(capture):
    async def work(a, b):
        await a.write(0x123, 0, b"data")
        with pytest.raises(iwarp.EndpointError, match="ended the connection"):
            await a.recv()
        with pytest.raises(iwarp.EndpointError, match="broke a rule") as caught:
            await b.recv()
        assert caught.value.name == "FAULT" and a.terminate.text.startswith("DDP: ")

    failing(capture, work)
    (connection,) = iwarp.check(capture, strict=False)
    assert connection.outcome == "terminated"


def test_octets_that_are_spoilt_are_a_fault(capture):
    def spoil(side, octets):
        return octets[:-1] + bytes([octets[-1] ^ 1]) if side == 0 else octets

    async def work(a, b):
        await a.send(b"data")
        with pytest.raises(iwarp.EndpointError, match="CRC"):
            await b.recv()

    failing(capture, work, spoil)


def test_a_read_beyond_a_region_is_refused(capture):
    async def work(a, b):
        region = b.register(10, remote_read=True)
        with pytest.raises(iwarp.EndpointError):
            await a.read(region.stag, 5, 10)
        with pytest.raises(iwarp.EndpointError):
            await a.read(region.stag, 0, 1)

    failing(capture, work)


def test_a_peer_that_is_no_iwarp_or_goes_away():
    async def main(octets, **options):
        ours, theirs = socket.socketpair()
        theirs.sendall(octets)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(iwarp.EndpointError) as caught:
            await iwarp.Endpoint.on_socket(ours, initiator=True, **options)
        theirs.close()
        return caught.value.name

    assert asyncio.run(main(b"HTTP/1.1 400 Bad Request\r\n\r\n")) == "MPA_KEY"
    assert asyncio.run(main(b"")) == "EOF"
    reject = iwarp.MpaStartup.reply(b"no", rev=1, reject=True).encode()
    assert asyncio.run(main(reject, rev=1)) == "REFUSED"


def test_random_octets_of_a_peer_do_no_harm():
    async def main():
        rng = random.Random(7)
        for _ in range(60):
            ours, theirs = socket.socketpair()
            theirs.sendall(iwarp.MpaStartup.request(b"", crc=rng.random() < 0.5, rev=1).encode() + rng.randbytes(rng.randrange(600)))
            theirs.shutdown(socket.SHUT_WR)
            try:
                end = await iwarp.Endpoint.on_socket(ours, initiator=False)
                await end.abort()
            except iwarp.EndpointError:
                pass
            theirs.close()

    asyncio.run(main())


def test_arguments_are_checked(capture):
    async def work(a, b):
        region = b.register(16, remote_write=True)
        for call in (lambda: a.write(-1, 0, b""), lambda: a.read(1, 1 << 64, 1), lambda: a.immediate(b"short"), lambda: a.read(1, 0, -1)):
            with pytest.raises(ValueError):
                await call()
        with pytest.raises(ValueError, match="not in a region"):
            region.read(10, 7)
        with pytest.raises(ValueError):
            b.register(0)
        b.deregister(region)
        with pytest.raises(iwarp.EndpointError):
            b.deregister(region)

    assert run(capture, work).findings() == []

    async def bad():
        ours, theirs = socket.socketpair()
        with pytest.raises(ValueError, match="ird"):
            await iwarp.Endpoint.on_socket(ours, initiator=True, ird=70000 % 65536 + 0x3FFF)
        theirs.close()

    asyncio.run(bad())
