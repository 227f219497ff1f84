# SPDX-License-Identifier: BSD-2-Clause
"""Packets of which the capture holds the beginning alone: the fields equal the tool's, wherever the slice ends:
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


def packets_of(cap):
    path = os.path.join(scratch, "whole.pcap")
    cap.write(path)
    return variants.load(traffic.capfile.read_capture(path))


def each_slice(**request):
    """Packet by packet the slice is an octet longer, from the TCP header to all of it, and from there again."""
    cap, conn = gencaps.started(request=request, reply=request)
    for number in range(400):
        messages(conn, number)
    packets = packets_of(cap)
    out = packets[:6]
    for number, packet in enumerate(packets[6:]):
        out += variants.snapped([packet], HEADERS + number % 130)
    return out, cap.link


def connection_by_connection(count, shape):
    """The slice of each connection is an octet longer; `shape` opens one from an address."""
    cap, out = gencaps.Capture(), []
    for number in range(count):
        begin = len(cap.items)
        shape(cap, ("10.0.0.1", 40000 + number))
        out.append((begin, len(cap.items), HEADERS + number))
    packets = packets_of(cap)
    return [item for begin, end, length in out for item in variants.snapped(packets[begin:end], length)], cap.link


def with_enhanced_startup(cap, client):
    gencaps.started(cap, {"rev": 2, "enhanced": (8, 8, ""), "private_data": b"ulp", "markers": True}, client=client)


def with_terminate(cap, client):
    _, conn = gencaps.started(cap, client=client)
    header = gencaps.terminate_header(1, 1, 3, 40, gencaps.tagged(gencaps.WRITE, 1, 2, b""))
    conn.terminate(0, 1, 1, 3, header)


def fields_are_those_of_the_tool(packets, link):
    path = os.path.join(scratch, "sliced.pcap")
    traffic.capfile.write_pcap(path, packets, link)
    os.chmod(path, 0o644)
    print(f"   {agreement.compare(tshark, tool, path)} compared")


def with_markers():
    fields_are_those_of_the_tool(*each_slice(markers=True, crc=True))


def without_markers():
    fields_are_those_of_the_tool(*each_slice(markers=False, crc=False))


def one_that_ends_in_a_startup_frame():
    fields_are_those_of_the_tool(*connection_by_connection(60, with_enhanced_startup))


def one_that_ends_in_a_terminate():
    fields_are_those_of_the_tool(*connection_by_connection(60, with_terminate))


os.chmod(scratch, 0o755)
try:
    run_tshark.on_each([with_markers, without_markers, one_that_ends_in_a_startup_frame,
                        one_that_ends_in_a_terminate])
finally:
    shutil.rmtree(scratch)
