# SPDX-License-Identifier: BSD-2-Clause
"""Tags, tunnels and link layers: tunnels.py TSHARK TOOL CAPTURE. The packets of a capture are put into each of them. Fields and
findings equal the tool's, and Wireshark names iWARP in the column Protocol where it dissects the layer itself."""
import os
import random
import shutil
import struct
import sys
import tempfile

import agreement
import run_tshark
import traffic  # noqa: F401

import capfile
import encapsulated

# Link layers that ingest reads and encapsulated.py does not try; the version of IP is not asked for.
LINKS = [
    (51, (), lambda packet, wire: struct.pack("!BBHH", 0x11, 0, 1, 2 + wire) + encapsulated.ppp(packet)),
    (204, (), lambda packet, wire: b"\0\xff\3" + encapsulated.ppp(packet)),
    (104, (), lambda packet, wire: b"\x0f\0" + struct.pack("!H", encapsulated.ethertype(packet)) + packet),
    (109, (), lambda packet, wire: struct.pack("=III", 2, 0, 0) + packet),
    (117, (), lambda packet, wire: struct.pack("BBBB", 61, 2, 0, 0) + b"em0".ljust(16, b"\0") + bytes(44) + packet),
    (192, (), lambda packet, wire: struct.pack("<BBHI", 0, 0, 8, 101) + packet),
    (242, (), lambda packet, wire: bytes(40) + struct.pack("!HH", encapsulated.ethertype(packet), 0) + packet),
]
RAW = (101, (), lambda packet, wire: packet)
PORT = 8472  # given to tunnels by Decode As, which is -d of both programs
# A sample has one stack of three: a tag, a tunnel over UDP with each kind of port, and link types are among them.
EVERY = 3 if run_tshark.REPEATED > 1 else 1


def over_port(around):
    """A tunnel over UDP, to that port."""

    def moved(chance, octets, cut):
        data = around(chance, octets, cut)
        port = (40 if data[0] >> 4 == 6 else 20) + 2
        return data[:port] + struct.pack("!H", PORT) + data[port + 2:]

    return moved


TRANSPORTS = {"tcp", "sctp"}  # where Wireshark did not come so far, the column names the last layer that it knows
ERF = 197  # Wireshark takes the header off when it reads the file


def stacks():
    """Each layer on its own, with what it needs around it and inside, by a name: layers from the innermost on, the link layer, and
    options."""
    found = {}
    for number, (names, inner, outer, around) in enumerate(encapsulated.LAYERS):
        layers = [((), "ip", "ethernet", encapsulated.ethernet)] if inner == "ethernet" else []
        link = encapsulated.PLAIN_ETHERNET if outer == "ethernet" else RAW
        found[f"{number}: {'+'.join(names)}"] = [*layers, (names, inner, outer, around)], link, ()
        if names in (("vxlan",), ("geneve",), ("tzsp",)):
            options = "-d", f"udp.port=={PORT},{names[0]}"
            found[f"{number}: {names[0]} over port {PORT}"] = [*layers, (names, inner, outer, over_port(around))], link, options
    for link in [*encapsulated.LINKS, *LINKS]:
        if link[0] != ERF:
            found[f"link type {link[0]} {' '.join(link[1])}"] = [], link, ()
    return found


def main():
    tshark, tool, capture = run_tshark.Tshark(sys.argv[1]), sys.argv[2], sys.argv[3]
    packets = encapsulated.raw(capfile.read_capture(capture))
    scratch = tempfile.mkdtemp()
    os.chmod(scratch, 0o755)
    found = stacks()

    def one(name):
        layers, link, options = found[name]
        path = os.path.join(scratch, f"{name.replace(' ', '-')}.pcap")
        wrapped, _ = encapsulated.wrap(random.Random(name), packets, layers, link)
        capfile.write_pcap(path, wrapped, link[0])
        compared = agreement.compare(tshark, tool, path, options, options)
        rows = tshark.fields(path, ["frame.protocols", "_ws.col.Protocol"], "-Y", "iwarp.fpdu", *options)
        wrong = {column for [protocols], [column] in rows if TRANSPORTS & set(protocols.split(":")) and "iWARP" not in column}
        run_tshark.equal(wrong, set(), "the column Protocol:")
        run_tshark.equal([protocols for [protocols], _ in rows if "iwarp_" in protocols], [], "the built-in dissectors:")
        return compared

    try:
        run_tshark.on_all(list(found)[::EVERY], one)
    finally:
        shutil.rmtree(scratch)


main()
