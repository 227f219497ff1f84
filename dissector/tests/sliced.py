# SPDX-License-Identifier: BSD-2-Clause
"""Packets of which the capture holds the beginning alone: the fields are those of the tool, wherever the slice ends:
sliced.py TSHARK TOOL"""
import os
import random
import shutil
import sys
import tempfile

import agreement
import run_tshark
import traffic

import gencaps
import talks
import variants

HEADERS = 54  # octets of Ethernet, IPv4 and TCP

tshark, tool = run_tshark.Tshark(sys.argv[1]), sys.argv[2]
scratch = tempfile.mkdtemp()


def messages(conn, number):
    """FPDUs of all headers, one or two a segment, of lengths that let Markers fall anywhere."""
    rng = random.Random(number)
    kinds = [lambda: conn.write(0, 1, number * 4096, rng.randbytes(rng.randrange(700))),
             lambda: conn.send_message(0, rng.randbytes(rng.randrange(300)), rng.choice(talks.SENDS)),
             lambda: conn.read_request(1, 5, number, 64)]
    kinds[number % len(kinds)]()


def each_slice(path, **request):
    """Packet by packet the slice is an octet longer, from the TCP header to all of it, and from there again."""
    cap, conn = gencaps.started(request=request, reply=request)
    for number in range(400):
        messages(conn, number)
    cap.write(path)
    packets = variants.load(traffic.capfile.read_capture(path))
    out = packets[:6]
    for number, packet in enumerate(packets[6:]):
        out += variants.snapped([packet], HEADERS + number % 130)
    traffic.capfile.write_pcap(path, out, cap.link)
    os.chmod(path, 0o644)


def fields_of_a_slice_are_those_of_the_tool(**request):
    path = os.path.join(scratch, "sliced.pcap")
    each_slice(path, **request)
    print(f"   {agreement.compare(tshark, tool, path)} compared")


def with_markers():
    fields_of_a_slice_are_those_of_the_tool(markers=True, crc=True)


def without_markers():
    fields_of_a_slice_are_those_of_the_tool(markers=False, crc=False)


def connection_by_connection(path, count, shape):
    """The slice of each connection is an octet longer; `shape` opens one from an address."""
    cap, out = gencaps.Capture(), []
    for number in range(count):
        begin = len(cap.items)
        shape(cap, ("10.0.0.1", 40000 + number))
        out.append((begin, len(cap.items), HEADERS + number))
    cap.write(path)
    packets = variants.load(traffic.capfile.read_capture(path))
    packets = [item for begin, end, length in out for item in variants.snapped(packets[begin:end], length)]
    traffic.capfile.write_pcap(path, packets, cap.link)
    os.chmod(path, 0o644)


def with_enhanced_startup(cap, client):
    gencaps.started(cap, {"rev": 2, "enhanced": (8, 8, ""), "private_data": b"ulp", "markers": True}, client=client)


def with_terminate(cap, client):
    _, conn = gencaps.started(cap, client=client)
    header = gencaps.terminate_header(1, 1, 3, 40, gencaps.tagged(gencaps.WRITE, 1, 2, b""))
    conn.terminate(0, 1, 1, 3, header)


def one_that_ends_in_a_startup_frame():
    path = os.path.join(scratch, "startup.pcap")
    connection_by_connection(path, 60, with_enhanced_startup)
    print(f"   {agreement.compare(tshark, tool, path)} compared")


def one_that_ends_in_a_terminate():
    path = os.path.join(scratch, "terminate.pcap")
    connection_by_connection(path, 60, with_terminate)
    print(f"   {agreement.compare(tshark, tool, path)} compared")


os.chmod(scratch, 0o755)
try:
    run_tshark.on_each([with_markers, without_markers, one_that_ends_in_a_startup_frame,
                        one_that_ends_in_a_terminate])
finally:
    shutil.rmtree(scratch)
