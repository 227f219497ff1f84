# SPDX-License-Identifier: BSD-2-Clause
"""A server and its clients over TCP on the loopback interface."""

import asyncio
import socket

import iwarp

CLIENTS = 8


async def keep(endpoint):
    """A server that offers a region to each client, and sends back what it gets."""
    region = endpoint.register(4096, remote_read=True, remote_write=True)
    await endpoint.send(region.stag.to_bytes(4, "big"))
    async for message in endpoint:
        await endpoint.send(message.data)


async def use(port, number):
    async with await iwarp.Endpoint.connect("127.0.0.1", port) as endpoint:
        stag = int.from_bytes((await endpoint.recv()).data, "big")
        data = bytes([number]) * 3000
        await endpoint.write(stag, 5, data)
        assert await endpoint.read(stag, 5, len(data)) == data
        for i in range(50):
            await endpoint.send(bytes([i]))
            assert (await endpoint.recv()).data == bytes([i])


def test_a_server_and_its_clients():
    async def main():
        server = await iwarp.serve(keep, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(b"GET / HTTP/1.1")
        await asyncio.gather(*(use(port, number) for number in range(CLIENTS)))
        server.close()
        await server.wait_closed()

    asyncio.run(main())
