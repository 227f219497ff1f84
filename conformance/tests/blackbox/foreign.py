#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""foreign: TCP connections of other protocols, captured in mid-stream; no iWARP is found in them.

foreign.py TOOL [--mib N] [--seed N] [--jobs N]

N MiB of payload: HTTP (with texts, and with captures of iWARP), TLS, SMB2, NVMe/TCP and iSCSI (with their CRC32c), and RPC.
There are compressed, encrypted and random octets, zeros and counters, too.  The capture goes into a pipe.
"""

import argparse
import io
import random
import struct
import subprocess
import sys
import zlib

import kit  # noqa: F401  isort: skip
import capfile
import crc32c
import gencaps

STREAM = 160 * 1024  # octets of a connection


def digest(octets):
    return struct.pack("<I", crc32c.crc32c(octets))


def http(rng):
    """Answers with texts."""
    words = [bytes(rng.choice(b"abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randrange(1, 9))) for _ in range(99)]
    body = b" ".join(rng.choices(words, k=2000))
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def copied_capture(rng):
    """An answer with a capture of iWARP, as it lies on the disk of the server.  It begins in mid-stream, too: startup
    frames are taken for some wherever they stand."""
    cap, conn = gencaps.started(request={"crc": True}, reply={"crc": True})
    begin, room = len(cap.items), rng.choice((64, 500, 1408))
    for number in range(40):
        octets = b"".join(conn.frame(0, segment) for segment in gencaps.untagged_segments(
            gencaps.SEND, 0, conn.next_msn(0, 0), rng.randbytes(rng.choice((64, 4000, 30000))), room))
        conn.send(0, octets, range(rng.choice((1448, 20000)), len(octets), 20000))
    out = io.BytesIO()
    for item in cap.items[begin:]:
        out.write(struct.pack("<IIII", number, 0, len(item.data), len(item.data)) + item.data)
    return b"HTTP/1.1 200 OK\r\n\r\n" + out.getvalue()


def tls(rng):
    size = rng.choice((64, 1300, 16384))
    return struct.pack("!BHH", 23, 0x0303, size) + rng.randbytes(size)


def smb2(rng):
    data = rng.randbytes(rng.choice((0, 4096, 65536)))
    head = b"\xfeSMB" + struct.pack("<HHIHHIIQIIQ16s", 64, 1, 0, rng.choice((8, 9)), 1, 1, 0, rng.randrange(99), 0, 5, 77, b"")
    body = head + rng.randbytes(16) + data
    return struct.pack("!I", len(body)) + body


def nvme_tcp(rng):
    """C2HData with header and data digests; now and then the data begin like an FPDU of their length."""
    data = rng.choice((rng.randbytes, bytes))(rng.choice((512, 4096, 8192)))
    if rng.random() < 0.3:
        data = struct.pack("!H", len(data) - 2) + bytes((0xC1, 0x40)) + data[4:]
    head = struct.pack("<BBBBIHHII4s", 7, 3, 24, 28, 32 + len(data), 1, 0, 0, len(data), b"")
    return head + digest(head) + data + digest(data)


def iscsi(rng):
    data = rng.randbytes(rng.choice((0, 512, 8192)))
    head = bytes((0x25, 0x80, 0, 0, 0)) + len(data).to_bytes(3, "big") + rng.randbytes(40)
    return head + digest(head) + (data + digest(data) if data else b"")


def rpc(rng):
    body = rng.randbytes(4) + struct.pack("!IIII", 0, 2, 100003, 4) + rng.randbytes(rng.choice((80, 4000, 32768)))
    return struct.pack("!I", 0x80000000 | len(body)) + body


def compressed(rng):
    return zlib.compress(http(rng) * 3)


def plain_random(rng):
    return rng.randbytes(65536)


def regular(rng):
    """Zeros, one octet again and again, a short pattern, counters of 16 and 32 bits."""
    how = rng.randrange(5)
    if how < 2:
        return bytes((rng.randrange(256) * how,)) * 65536
    if how == 2:
        return rng.randbytes(rng.choice((2, 4, 24, 28, 64))) * 2000
    return b"".join(struct.pack("!H" if how == 3 else "!I", number) for number in range(16384))


def headers_again(rng):
    """Records of a protocol whose header looks like an FPDU of another length."""
    record = struct.pack("!HBB", rng.randrange(14, 600), rng.choice((0x81, 0xC1, 0x41)), rng.choice((0x40, 0x42, 0x43)))
    return (record + rng.randbytes(rng.choice((20, 96, 1444)))) * 60


KINDS = (http, copied_capture, tls, smb2, nvme_tcp, iscsi, rpc, compressed, plain_random, regular, headers_again)


def stream(rng, kind):
    """Octets of a connection from anywhere in a message on."""
    out = io.BytesIO()
    while out.tell() < STREAM + 70000:
        out.write(kind(rng))
    begin = rng.choice((0, rng.randrange(70000)))
    return out.getvalue()[begin:begin + STREAM]


def packets(rng, number, octets):
    """The octets in segments of a connection whose SYN is missing."""
    src, dst = b"\x0a\0\0\1", b"\x0a\1" + struct.pack("!H", number % 65536)
    ports, seq, at = (40000 + number // 65536, rng.choice((80, 443, 445, 3260, 4420, 20049))), rng.getrandbits(32), 0
    most = rng.choice((1448, 1460, 8960, 32000, 1448 * 20))
    while at < len(octets):
        size = most if rng.random() < 0.95 else rng.randrange(1, most)
        part = octets[at:at + size]
        header = struct.pack("!HHIIBBHHH", *ports, (seq + at) & 0xFFFFFFFF, 1, 0x50, 0x10, 65535, 0, 0)
        total = 40 + len(part)
        ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, total, 0, 0x4000, 64, 6, 0, src, dst)
        yield ip + header + part
        at += len(part)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--mib", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="1")
    args = parser.parse_args()
    seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    rng = random.Random(seed)
    print("seed %d" % seed)
    made = {kind: [stream(rng, kind) for _ in range(2)] for kind in KINDS}
    count = max(2 * len(KINDS), args.mib * 1024 * 1024 // STREAM)
    with subprocess.Popen([args.tool, "check", "-q", "--jobs", args.jobs, "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        run.stdin.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, capfile.RAW))
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            if number // len(KINDS) % 8 == 0 and kind is not copied_capture:
                made[kind][number // len(KINDS) % 2] = stream(rng, kind)
            octets = rng.choice(made[kind])
            begin = rng.randrange(4000)
            for packet in packets(rng, number, octets[begin:]):
                run.stdin.write(struct.pack("<IIII", number, 0, len(packet), len(packet)) + packet)
        run.stdin.close()
        said = run.stdout.read().decode()
        status = run.wait()
    print("%d connections, %d MiB, exit status %d" % (count, count * STREAM >> 20, status))
    if status != 3 or "0 iWARP" not in said and "no iWARP" not in said:
        print(said[-2000:])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
