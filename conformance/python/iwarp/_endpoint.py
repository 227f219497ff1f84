# SPDX-License-Identifier: BSD-2-Clause
"""One end of a live connection over a TCP socket, for asyncio."""

from __future__ import annotations

import asyncio
import collections
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._errors import EndpointError, name_of, sentence_of
from ._form import Octets, octets_of, span_of
from ._native import ffi, lib
from .frames import RdmapTerm

READ_SIZE = 65536  # octets of a read from the socket
BATCH = 1 << 18  # octets handed to the socket at a time
ALIGNMENT = 16
LENGTH_MAX = (1 << 32) - 1
OFFSET_MAX = (1 << 64) - 1
OP_SEND = {(False, False): lib.IWARP_RDMAP_OP_SEND, (True, False): lib.IWARP_RDMAP_OP_SEND_SE,
           (False, True): lib.IWARP_RDMAP_OP_SEND_INV, (True, True): lib.IWARP_RDMAP_OP_SEND_SE_INV}

_stag_key = ffi.new("uint8_t[]", os.urandom(lib.IWARP_STAG_KEY_LEN))
_stag_count = 0


def _next_stag() -> int:
    """An STag that a peer cannot predict. RFC 5042 6.1.1."""
    global _stag_count
    _stag_count += 1
    return int(lib.iwarp_stag_generate(_stag_key, _stag_count & 0xFFFFFFFF))


def _error(err: int) -> EndpointError:
    return EndpointError(sentence_of(err), name_of(err))


def _must(err: int) -> None:
    if err != lib.IWARP_OK:
        raise _error(err)


class Message(NamedTuple):
    """A Send or Immediate Data of the peer. `invalidated` is the STag of the region that it ended."""

    data: bytes
    solicited: bool
    invalidated: int | None
    immediate: bytes | None


@dataclass(frozen=True)
class Info:
    """What was negotiated. `ord` bounds the Reads of this side that wait for their answer, `ird` the peer's Reads."""

    state: str
    rev: int
    enhanced: bool
    markers_out: bool
    markers_in: bool
    crc: bool
    ird: int
    ord: int


class Region:
    """Memory that the peer can reach by `stag`, `base` and `length`, as far as its access allows."""

    def __init__(self, memory: Any, length: int, stag: int, base: int) -> None:
        self._memory = memory
        self.length = length
        self.stag = stag
        self.base = base

    def read(self, offset: int = 0, length: int | None = None) -> bytes:
        """A copy of octets; `offset` counts from the first one of the region."""
        return bytes(self._view(offset, self.length - offset if length is None else length))

    def write(self, data: Octets, offset: int = 0) -> None:
        """Puts octets into the region."""
        octets = memoryview(data).cast("B")
        self._view(offset, len(octets))[:] = octets

    def _view(self, offset: int, length: int) -> memoryview:
        if offset < 0 or length < 0 or offset + length > self.length:
            raise ValueError(f"octets {offset} to {offset + length} are not in a region of {self.length}")
        return memoryview(ffi.buffer(self._memory, self.length)).cast("B")[offset:offset + length]


class Endpoint:
    """One end of an iWARP connection over TCP. Use `connect` or `serve` to make it, and one event loop at a time.

    Each operation is awaited until it completes. An operation that the end of the connection overtakes raises
    EndpointError, as does every later one.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, initiator: bool, private_data: bytes = b"",
                 ird: int = 16, ord: int = 16, markers: bool = False, crc: bool = True, rev: int = 0, emss: int = 1460,  # noqa: A002
                 sends: int = 64, receives: int = 16, receive_size: int = 65536, regions: int = 256, startup: float = 30) -> None:
        cfg = ffi.new("iwarp_endpoint_cfg *")
        cfg.size = ffi.sizeof("iwarp_endpoint_cfg")
        cfg.role = lib.IWARP_ROLE_INITIATOR if initiator else lib.IWARP_ROLE_RESPONDER
        cfg.rev, cfg.markers, cfg.no_crc, cfg.ird, cfg.ord, cfg.emss = rev, markers, not crc, ird, ord, emss
        cfg.num_sends, cfg.num_recvs, cfg.num_regions = sends, receives, regions
        cfg.startup_ns = round(startup * 1e9)
        cfg.max_ulpdu = 65535  # any
        cfg.peer_to_peer = initiator  # so that a Responder may send first
        size = lib.iwarp_endpoint_size(cfg)
        if size == 0:
            raise ValueError(f"{ffi.string(lib.iwarp_endpoint_cfg_error(cfg)).decode()} is out of range")
        self._memory = ffi.new("uint8_t[]", size + ALIGNMENT)
        start = -int(ffi.cast("uintptr_t", self._memory)) % ALIGNMENT
        out = ffi.new("iwarp_endpoint **")
        _must(lib.iwarp_endpoint_init(out, self._memory + start, size, cfg))
        self._ep = out[0]
        self._reader, self._writer = reader, writer
        self._private_data = private_data
        self._event = ffi.new("iwarp_endpoint_event *")
        self._batch = ffi.new("iwarp_tx_batch *")
        self._copy = ffi.new("uint8_t[]", BATCH)
        self._receive_size = receive_size
        self._buffers = {i: ffi.new("uint8_t[]", receive_size) for i in range(receives)}
        self._regions: dict[int, Region] = {}
        self._messages: collections.deque[tuple[int, Message]] = collections.deque()
        self._operations: dict[int, tuple[asyncio.Future[int], Any]] = {}
        self._token = 0
        self._room = asyncio.Semaphore(sends)
        self._established: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._changed = asyncio.Event()
        self._output = asyncio.Event()
        self._shutdown = self._peer_ended = self._closing = False
        self._cause: EndpointError | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.peer_private_data = b""
        self.terminate: RdmapTerm | None = None

    # ---- making one ----

    @classmethod
    async def connect(cls, host: str, port: int, **options: Any) -> Endpoint:
        """Connects to an iWARP peer, as the Initiator.

        Options: `private_data` of the Request; `ird`, `ord`, `markers`, `crc`, `rev` as in iwarp/endpoint.h; `emss` in octets;
        `sends` and `receives`, how many may be posted; `receive_size` in octets; `regions`; `startup` in seconds.
        """
        reader, writer = await asyncio.open_connection(host, port)
        return await cls._start(reader, writer, True, options)

    @classmethod
    async def on_socket(cls, sock: socket.socket, *, initiator: bool, **options: Any) -> Endpoint:
        """Makes an end of the connection that a stream socket is; it closes the socket at the end. Options are as for `connect`."""
        reader, writer = await asyncio.open_connection(sock=sock)
        return await cls._start(reader, writer, initiator, options)

    @classmethod
    async def _start(cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, initiator: bool, options: dict[str, Any]) -> Endpoint:
        try:
            endpoint = cls(reader, writer, initiator=initiator, **options)
            endpoint._begin(initiator)
        except BaseException:
            writer.close()
            raise
        try:
            await asyncio.shield(endpoint._established)
        except BaseException:
            await endpoint.abort()
            raise
        return endpoint

    def _begin(self, initiator: bool) -> None:
        for token in self._buffers:
            self._post(token)
        span, held = span_of(self._private_data)
        _must(lib.iwarp_endpoint_connect(self._ep, span[0]) if initiator else lib.iwarp_endpoint_listen(self._ep))
        del held
        self._tasks = [asyncio.ensure_future(self._read_on()), asyncio.ensure_future(self._write_on())]
        self._process()

    # ---- the loop of the engine ----

    def _process(self) -> None:
        """Takes what the engine reports, and lets the other task send what it has."""
        lib.iwarp_endpoint_time(self._ep, self._now())
        while lib.iwarp_endpoint_next_event(self._ep, self._event) == lib.IWARP_OK:
            _HANDLERS.get(self._event.kind, Endpoint._on_other)(self)
        self._output.set()
        self._changed.set()
        self._arm()

    def _now(self) -> int:
        return round(asyncio.get_running_loop().time() * 1e9)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = lib.iwarp_endpoint_deadline(self._ep)
        if deadline != lib.IWARP_TIME_NEVER and not self._closed.done():
            self._timer = asyncio.get_running_loop().call_later(max(0, deadline - self._now()) / 1e9, self._process)

    async def _read_on(self) -> None:
        while not self._closed.done():
            try:
                octets = await self._reader.read(READ_SIZE)
            except OSError:
                lib.iwarp_endpoint_lost(self._ep)
                self._process()
                return
            if not octets:
                lib.iwarp_endpoint_eof(self._ep)
                self._process()
                return
            span, held = span_of(octets)
            err = lib.iwarp_endpoint_push(self._ep, span[0])
            if err != lib.IWARP_OK:
                self._end(_error(err))
                return
            self._process()
            del held

    async def _write_on(self) -> None:
        """Hands octets to the socket as fast as it takes them. So what waits in memory is bounded."""
        while not self._closed.done():
            await self._output.wait()
            self._output.clear()
            while self._write_batch():
                try:
                    await self._writer.drain()
                except OSError:
                    lib.iwarp_endpoint_send_failed(self._ep)
                    self._process()
                    return
            if self._shutdown and self._writer.can_write_eof():
                self._shutdown = False
                try:
                    self._writer.write_eof()
                except OSError:
                    lib.iwarp_endpoint_send_failed(self._ep)
                    self._process()

    def _write_batch(self) -> bool:
        self._batch.copy, self._batch.max_copy = self._copy, BATCH
        if lib.iwarp_endpoint_next_batch(self._ep, self._batch) != lib.IWARP_OK:
            return False
        num = self._batch.all.len
        self._writer.write(bytes(ffi.buffer(self._copy, num)))
        _must(lib.iwarp_endpoint_advance(self._ep, num))
        self._process()
        return True

    # ---- events ----

    def _on_other(self) -> None:
        pass

    def _on_request(self) -> None:
        self._on_startup()
        span, held = span_of(self._private_data)
        err = lib.iwarp_endpoint_accept(self._ep, span[0])
        del held
        if err != lib.IWARP_OK:
            self._end(_error(err))
        else:
            self._ready()  # operations may be posted, though none goes out before the peer's first FPDU

    def _on_reply(self) -> None:
        self._on_startup()
        err = lib.iwarp_endpoint_accept(self._ep, ffi.new("iwarp_span *")[0])
        if err != lib.IWARP_OK:
            self._end(_error(err))

    def _on_startup(self) -> None:
        self.peer_private_data = octets_of(lib.event_startup(self._event).ulp_data)

    def _on_rejected(self) -> None:
        self._on_startup()
        lib.iwarp_endpoint_close(self._ep)

    def _on_established(self) -> None:
        self._ready()
        if self._closing:
            lib.iwarp_endpoint_close(self._ep)

    def _ready(self) -> None:
        if not self._established.done():
            self._established.set_result(None)

    def _on_place(self) -> None:
        lib.iwarp_place_copy(lib.event_place(self._event))

    def _on_recv(self) -> None:
        recv = lib.event_recv(self._event)
        if recv.err != lib.IWARP_OK:
            return
        immediate = recv.opcode in (lib.IWARP_RDMAP_OP_IMMEDIATE, lib.IWARP_RDMAP_OP_IMMEDIATE_SE)
        data = bytes(ffi.buffer(self._buffers[recv.token], recv.len)) if recv.len else b""
        self._messages.append((recv.token, Message(data, recv.solicited, recv.stag if recv.invalidated else None,
                                                   bytes(ffi.buffer(recv.immediate)) if immediate else None)))

    def _on_atomic(self) -> None:
        atomic = lib.event_atomic(self._event)
        number, req = ffi.cast("uint64_t *", atomic.mem), atomic.req
        original = number[0]
        if req.aopcode == lib.IWARP_RDMAP_AOP_FETCH_ADD:
            number[0] = lib.iwarp_rdmap_fetch_add(original, req.add_swap_data, req.add_swap_mask)
        else:
            number[0] = lib.iwarp_rdmap_cmp_swap(original, req.add_swap_data, req.add_swap_mask, req.compare_data, req.compare_mask)
        lib.iwarp_endpoint_atomic_answer(self._ep, original)

    def _on_done(self) -> None:
        done = lib.event_done(self._event)
        future, _ = self._operations.pop(done.token)
        self._room.release()
        if future.done():
            return
        if done.err == lib.IWARP_OK:
            future.set_result(done.original)
        else:
            future.set_exception(self._cause or _error(done.err))

    def _on_fault(self) -> None:
        fault = lib.event_fault(self._event)
        words = ffi.string(lib.iwarp_rdmap_term_code_name(fault.layer, fault.etype, fault.code)).decode()
        self._cause = self._cause or EndpointError(f"the peer broke a rule: {words}", "FAULT")

    def _on_terminated(self) -> None:
        terminated = lib.event_terminated(self._event)
        if terminated.readable:
            self.terminate = RdmapTerm._from_native(terminated.likely if terminated.has_likely else terminated.term)
            self._cause = self._cause or EndpointError(f"the peer ended the connection: {self.terminate.text}", "TERMINATED")

    def _on_peer_ended(self) -> None:
        self._peer_ended = True

    def _on_shutdown(self) -> None:
        self._shutdown = True

    def _on_closed(self) -> None:
        closed = lib.event_closed(self._event)
        self._end(None if closed.err == lib.IWARP_OK else self._cause or _error(closed.err))

    def _end(self, cause: EndpointError | None) -> None:
        """The connection is over: nothing waits for it any more."""
        if self._closed.done():
            return
        self._cause = cause
        self._peer_ended = True
        self._closed.set_result(None)
        if not self._established.done():
            self._established.set_exception(cause or EndpointError("the connection was closed", "ABORTED"))
            self._established.exception()  # who waits for it gets it; else nothing is reported
        for future, _ in self._operations.values():
            if not future.done():
                future.set_exception(cause or EndpointError("the connection was closed", "FLUSHED"))
        self._changed.set()
        self._output.set()
        self._writer.close()

    # ---- what a program calls ----

    @property
    def info(self) -> Info:
        """What was negotiated, and the state."""
        i = lib.iwarp_endpoint_info_get(self._ep)
        return Info(ffi.string(lib.iwarp_endpoint_state_name(i.state)).decode(), i.rev, i.enhanced, i.markers_out, i.markers_in, i.crc,
                    i.ird, i.ord)

    def register(self, memory: int | Octets, *, remote_read: bool = False, remote_write: bool = False, remote_atomic: bool = False,
                 base: int = 0) -> Region:
        """Makes a region of so many octets, or of a copy of octets, that the peer can reach from now on."""
        length = memory if isinstance(memory, int) else len(memoryview(memory).cast("B"))
        if length < 1:
            raise ValueError("a region has at least one octet")
        region = Region(ffi.new("uint64_t[]", (length + 7) // 8), length, _next_stag(), base)
        if not isinstance(memory, int):
            region.write(memory)
        access = (lib.IWARP_ACCESS_REMOTE_READ * remote_read | lib.IWARP_ACCESS_REMOTE_WRITE * remote_write |
                  lib.IWARP_ACCESS_REMOTE_ATOMIC * remote_atomic)
        native = ffi.new("iwarp_endpoint_region *", {
            "stag": region.stag, "base": _within("base", base, OFFSET_MAX), "len": length, "mem": ffi.cast("uint8_t *", region._memory),
            "access": access})
        _must(lib.iwarp_endpoint_register(self._ep, native))
        self._regions[region.stag] = region
        return region

    def deregister(self, region: Region) -> None:
        """Ends all access to a region. Its octets stay readable here."""
        _must(lib.iwarp_endpoint_invalidate(self._ep, region.stag))
        if lib.iwarp_endpoint_deregister(self._ep, region.stag) == lib.IWARP_OK:
            del self._regions[region.stag]  # else a Read Response still borrows its octets

    async def send(self, data: Octets, *, solicited: bool = False, invalidate: int | None = None) -> None:
        """Sends a message into a receive buffer of the peer; `invalidate` ends the peer's region with this STag."""
        opcode = OP_SEND[solicited, invalidate is not None]
        await self._operate(data, lambda token, payload: lib.iwarp_endpoint_send(
            self._ep, token, opcode, _within("invalidate", invalidate or 0, LENGTH_MAX), payload))

    async def write(self, stag: int, offset: int, data: Octets) -> None:
        """Writes to the peer's region. It is over when the socket has taken the octets: RDMAP acknowledges no Write."""
        await self._operate(data, lambda token, payload: lib.iwarp_endpoint_write(
            self._ep, token, _within("stag", stag, LENGTH_MAX), _within("offset", offset, OFFSET_MAX), payload))

    async def read(self, stag: int, offset: int, length: int) -> bytes:
        """Reads from the peer's region."""
        if length == 0:
            return b""
        sink = self.register(_within("length", length, LENGTH_MAX))
        try:
            request = ffi.new("iwarp_rdmap_read_req *", {
                "sink_stag": sink.stag, "sink_to": 0, "size": length, "source_stag": _within("stag", stag, LENGTH_MAX),
                "source_to": _within("offset", offset, OFFSET_MAX)})
            await self._operate(b"", lambda token, _: lib.iwarp_endpoint_read(self._ep, token, request))
            return sink.read()
        finally:
            if sink.stag in self._regions:
                self.deregister(sink)

    async def immediate(self, data: Octets, *, solicited: bool = False) -> None:
        """Sends eight octets of Immediate Data. RFC 7306 6."""
        octets = bytes(data)
        if len(octets) != 8:
            raise ValueError(f"Immediate Data are 8 octets, not {len(octets)}")
        await self._operate(b"", lambda token, _: lib.iwarp_endpoint_immediate(self._ep, token, solicited, octets))

    async def fetch_add(self, stag: int, offset: int, add: int, mask: int = 0) -> int:
        """Adds to a number of the peer's region, and returns what it was. RFC 7306 5.1.1."""
        return await self._atomic(stag, offset, aopcode=lib.IWARP_RDMAP_AOP_FETCH_ADD, add_swap_data=add, add_swap_mask=mask)

    async def compare_swap(self, stag: int, offset: int, compare: int, swap: int) -> int:
        """Replaces a number of the peer's region by `swap` if it is `compare`, and returns what it was. RFC 7306 5.1.2."""
        return await self._atomic(stag, offset, aopcode=lib.IWARP_RDMAP_AOP_CMP_SWAP, add_swap_data=swap, add_swap_mask=OFFSET_MAX,
                                  compare_data=compare, compare_mask=OFFSET_MAX)

    async def _atomic(self, stag: int, offset: int, **members: int) -> int:
        numbers = {name: _within(name, value, OFFSET_MAX) for name, value in members.items()}
        request = ffi.new("iwarp_rdmap_atomic_req *", {
            "stag": _within("stag", stag, LENGTH_MAX), "to": _within("offset", offset, OFFSET_MAX), **numbers})
        return await self._operate(b"", lambda token, _: lib.iwarp_endpoint_atomic(self._ep, token, request))

    async def recv(self) -> Message:
        """The next message of the peer. EndpointError with the name "EOF": the peer sends no more."""
        while not self._messages:
            if self._peer_ended:
                raise self._cause or EndpointError("the peer sends no more", "EOF")
            self._changed.clear()
            await self._changed.wait()
        token, message = self._messages.popleft()
        if not self._closed.done():
            self._post(token)
        return message

    async def __aiter__(self) -> AsyncIterator[Message]:
        """Yields messages until the peer closes in order."""
        while True:
            try:
                message = await self.recv()
            except EndpointError as error:
                if error.name == "EOF":
                    return
                raise
            yield message

    async def close(self) -> None:
        """Ends the connection in order: what was posted is completed before. An end with a fault raises EndpointError."""
        self._closing = True  # a Responder that has no FPDU of its peer closes after it: the call is refused until then
        lib.iwarp_endpoint_close(self._ep)
        self._process()
        await asyncio.shield(self._closed)
        await self._finish()
        if self._cause is not None:
            raise self._cause

    async def abort(self) -> None:
        """Ends the connection at once."""
        lib.iwarp_endpoint_abort(self._ep)
        self._process()
        self._end(EndpointError("this side gave the connection up", "ABORTED"))
        self._writer.transport.abort()
        await self._finish()

    async def __aenter__(self) -> Endpoint:
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            await self.close()
        else:
            await self.abort()

    async def _finish(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self._writer.wait_closed()
        except OSError:
            pass

    def _post(self, token: int) -> None:
        """A receive buffer; none are taken any more once the peer has ended."""
        err = lib.iwarp_endpoint_recv(self._ep, token, self._buffers[token], self._receive_size)
        if err != lib.IWARP_OK and name_of(err) != "STATE":
            raise _error(err)

    async def _operate(self, data: Octets, post: Callable[[int, Any], Any]) -> int:
        """Posts an operation and waits until it completes. Its octets are copied, and stay until then."""
        if self._closed.done():
            raise self._cause or EndpointError("the connection was closed", "FLUSHED")
        octets = bytes(data)
        if len(octets) > LENGTH_MAX:
            raise ValueError(f"a message has {len(octets)} octets, more than {LENGTH_MAX}")
        await self._room.acquire()
        self._token += 1
        token = self._token
        span, held = span_of(octets)
        payload = ffi.new("iwarp_tx_payload *", {"parts": span, "num_parts": 1 if octets else 0})
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._operations[token] = (future, (span, held, payload))
        err = post(token, payload[0])
        if err != lib.IWARP_OK:
            del self._operations[token]
            self._room.release()
            raise self._cause or _error(err)
        self._process()
        return await future


def _within(name: str, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise ValueError(f"{name} is {value}, which is not between 0 and {most}")
    return value


_HANDLERS: dict[int, Callable[[Endpoint], None]] = {
    lib.IWARP_ENDPOINT_EVENT_REQUEST: Endpoint._on_request,
    lib.IWARP_ENDPOINT_EVENT_REPLY: Endpoint._on_reply,
    lib.IWARP_ENDPOINT_EVENT_REJECTED: Endpoint._on_rejected,
    lib.IWARP_ENDPOINT_EVENT_ESTABLISHED: Endpoint._on_established,
    lib.IWARP_ENDPOINT_EVENT_PLACE: Endpoint._on_place,
    lib.IWARP_ENDPOINT_EVENT_RECV: Endpoint._on_recv,
    lib.IWARP_ENDPOINT_EVENT_ATOMIC: Endpoint._on_atomic,
    lib.IWARP_ENDPOINT_EVENT_DONE: Endpoint._on_done,
    lib.IWARP_ENDPOINT_EVENT_FAULT: Endpoint._on_fault,
    lib.IWARP_ENDPOINT_EVENT_TERMINATED: Endpoint._on_terminated,
    lib.IWARP_ENDPOINT_EVENT_PEER_ENDED: Endpoint._on_peer_ended,
    lib.IWARP_ENDPOINT_EVENT_SHUTDOWN: Endpoint._on_shutdown,
    lib.IWARP_ENDPOINT_EVENT_CLOSED: Endpoint._on_closed,
}

Handler = Callable[[Endpoint], Awaitable[None]]


async def serve(handler: Handler, host: str, port: int, **options: Any) -> asyncio.Server:
    """Listens for iWARP peers, and calls `handler` with an Endpoint for each, as the Responder.

    Options are as for `Endpoint.connect`; `private_data` is the one of the Reply. When the handler returns, the connection is
    closed in order; when it raises, at once.
    """

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            endpoint = await Endpoint._start(reader, writer, False, options)
        except (EndpointError, OSError):
            return  # no iWARP, or the peer went away
        async with endpoint:
            await handler(endpoint)

    return await asyncio.start_server(connected, host, port)
