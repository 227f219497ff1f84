# SPDX-License-Identifier: BSD-2-Clause
"""What the built-in dissectors of Wireshark get wrong, and the plugin does not: defects.py TSHARK FOLDER [--all].

Each row is a capture on which a defect shows. The built-in's answer is compared too, for the releases of which it is
known (4.0 to 4.4), so that the row says what the plugin is for; without --all for one row in four, in the gate in 16.
"""
import os
import sys

import run_tshark

OPCODES, BUILTIN = "iwarp.rdmap.opcode", "iwarp_rdma.opcode"
RULES, EXPERT = "iwarp.rule", "_ws.expert.message"
PORT = ("-d", "tcp.port==50000,iwarp")
ABSOLUTE = ("-o", "tcp.relative_sequence_numbers:FALSE")

# Values may be a list, or how many there are.
ROWS = [
    # defect, capture, field and its values; field of the built-in and its values; options
    ("WS-01 Markers in one direction only", "t3", OPCODES, 8, BUILTIN, 3),
    ("WS-01 Markers in one direction only", "w1", OPCODES, 4, BUILTIN, 2),
    ("WS-02 Markers, several FPDUs in a segment", "t4", OPCODES, 6, BUILTIN, 0),
    ("WS-03 Markers, a stream cut anywhere", "v1", OPCODES, 12, BUILTIN, 0),
    ("WS-04 an FPDU of 1024 octets with Markers", "t6", OPCODES, 2, BUILTIN, 1),
    ("WS-05 a Marker between PAD and CRC", "t7", "iwarp.fpdu.pad", ["0000", "0000"], "iwarp_mpa.pad", ["01fc", "0000"]),
    ("WS-06 Markers, the first FPDU lost", "u3", OPCODES, 7, BUILTIN, 0),
    ("WS-07 sequence numbers that wrap", "t23", OPCODES, 6, BUILTIN, 1, *ABSOLUTE),
    ("WS-08 a Marker that points elsewhere", "t35", RULES, ["mpa.marker-pointer"], "iwarp_mpa.bad_length", 0),
    ("WS-09 packets cut by the snapshot length", "t24", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-09 the same with Markers", "t24m", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-09 the same", "v3", OPCODES, [0], BUILTIN, 0),
    ("WS-10 a wrong CRC as a value", "t9", "iwarp.crc.status", [0, 1], "iwarp_mpa.crc.status", None),
    ("WS-10 the same with Markers", "w2", "iwarp.crc.status", [0], "iwarp_mpa.crc.status", None),
    ("WS-11 several Sends in a segment", "v4", "rpc.xid", [0x101, 0x102, 0x103], "rpc.xid", [0x101, 0x103]),
    ("WS-12 a Send of which a segment is late", "u5", "iwarp.message.length", [900, 900, 900],
     "iwarp_rdma.send.reassembled.length", [600]),
    ("WS-13 short Sends", "u8", "_ws.malformed", 0, "_ws.malformed", 32),
    ("WS-14 a lost segment", "t13", OPCODES, 18, BUILTIN, 4),
    ("WS-15 segments out of order", "t14", OPCODES, 12, BUILTIN, 3),
    ("WS-15 the same, aligned", "u4", OPCODES, 8, BUILTIN, 6),
    ("WS-16 a capture that begins in mid-stream", "t15", OPCODES, 4, BUILTIN, 0, *PORT),
    ("WS-16 a capture without the Request", "t16", OPCODES, 2, BUILTIN, 0, *PORT),
    ("WS-17 a Request in small segments", "u14", OPCODES, 1, BUILTIN, 0),
    ("WS-17 a Request after streaming data", "u12", OPCODES, 1, BUILTIN, 0),
    ("WS-18 the port of SMB Direct", "t25_5445", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-18 the port of NVMe", "t25_4420", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-18 the port of SMB", "t25_445", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-18 the port of HTTP", "t25_80", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-18 the port of HTTPS", "t25_443", OPCODES, [0, 3], BUILTIN, 0),
    ("WS-19 the enhanced startup", "t17", "iwarp.enhanced.ird", [8, 16], "iwarp_mpa.enhanced.ird", None),
    ("WS-20 broken rules of the startup, in two passes", "t17r", RULES, ["mpa.rtr-supported"], "iwarp_mpa.res.not_set0", 0),
    ("WS-21 the returned header has its own T bit", "t21", "iwarp.returned.ddp.msn", [1, 1], "_ws.malformed", 2),
    ("WS-21 a returned Read Request", "t21", "iwarp.returned.read_request.size", [100], "iwarp_rdma.rdmardsz", 0),
    ("WS-21 M without D", "t21", "iwarp.terminate.ddp_segment_length", [46, 78, 78, 50, 99], "iwarp_rdma.term_ddp_seg_len", 4),
    ("WS-22 Immediate Data", "t20", "iwarp.immediate.immediate", ["494d4d4441544138", "494d4d4441544139"], "data.data", 0),
    ("WS-22 an unknown AOpCode", "t19", "iwarp.atomic_request.add_swap_data", [0x1111111111111111] * 3,
     "iwarp_rdma.atomic.add_data", 1),
    ("WS-23 what is no conformant traffic", "t26", RULES, 13, "iwarp_mpa.bad_length", 0),
    ("WS-23 the same", "w3", RULES, 4, "_ws.malformed", 0),
    ("WS-24 equal ports on both ends", "u6", "iwarp.role", [1, 2, 1, 1, 1], BUILTIN, 3),
    ("WS-24 a Reply from another port", "u7", "iwarp.role", [1, 2, 1, 1, 1], BUILTIN, 3),
    ("WS-25 FPDUs without room for a header", "t31", "iwarp.fpdu.ulpdu_length", [1, 2, 10, 13, 17, 78], "_ws.malformed", 8),
    ("WS-26 two Requests", "u13", RULES, ["mpa.two-requests"], EXPERT, 2),
    ("WS-26 octets after a Reject", "u16", "iwarp.undecodable.reason", ["after reject"], EXPERT, 2),
    ("WS-27 calls in Sends with Solicited Event", "x1", "rpc.xid", [0x201, 0x202, 0x203, 0x204], "rpc.xid", 2),
]


def number(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


def compare(shown, wanted, what):
    values = [number(value) for value in shown]
    if isinstance(wanted, int):
        run_tshark.equal(len(values), wanted, what)
    else:
        run_tshark.equal(values, [number(value) if isinstance(value, str) else value for value in wanted], what)


def main():
    runner, folder, *option = sys.argv[1:]
    builtin_rows = ROWS[::1 if option == ["--all"] else 4 * run_tshark.REPEATED]
    plugin, builtin = run_tshark.Tshark(runner), run_tshark.Tshark(runner, plugin=False)
    known = run_tshark.release(runner) < (4, 6)

    def row(one):
        defect, name, field, wanted, old_field, old_wanted, *options = one
        capture = os.path.join(folder, name + ".pcap")
        compare(plugin.values(capture, field, "-2", *options), wanted, f"{defect}: {field}")
        if known and old_wanted is not None and one in builtin_rows:
            options = [option for option in options if option not in PORT]
            compare(builtin.values(capture, old_field, "-2", *options), old_wanted, f"{defect}: the built-in's {old_field}")
        return 1

    run_tshark.on_all(ROWS, row)


main()
