# SPDX-License-Identifier: BSD-2-Clause
"""What is not iWARP is dissected as without the plugin, on any port, also after preferences change: takeover.py TSHARK FOLDER"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import run_tshark
import traffic

import gencaps

runner, folder = sys.argv[1:]
plugin, builtin = run_tshark.Tshark(runner), run_tshark.Tshark(runner, plugin=False)
scratch = tempfile.mkdtemp()

# Ports with dissectors of their own, and what their clients say first.
OTHERS = {
    80: b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
    443: bytes.fromhex("160301002f0100002b0303") + bytes(32) + bytes.fromhex("000004c02bc02f0100"),
    445: bytes.fromhex("00000024ff534d4272000000001801c8") + bytes(24),
    4420: bytes.fromhex("0000800080000000") + bytes(120),
    5445: b"not iWARP at all, but long enough to be looked at",
    50000: b"MPA ID is how this text begins, which is no startup frame",
}


# Frames of a connection, and which of them has the data.
EACH, WITH_DATA = 5, 4


def packet(port, back, flags, seq, ack, data=b""):
    ends = [(b"\x0a\0\0\1", 40000), (b"\x0a\0\0\2", port)]
    (src, sport), (dst, dport) = ends[::-1] if back else ends
    tcp = struct.pack(">HHIIBBHHH", sport, dport, seq, ack, 0x50, flags, 65535, 0, 0) + data
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0, src, dst)
    return bytes(12) + b"\x08\0" + ip + tcp


def write_others():
    """A capture of a connection to each port, whose client says its data."""
    path = os.path.join(scratch, "others.pcap")
    packets = [one for port, data in OTHERS.items() for one in (
        packet(port, False, 2, 99, 0), packet(port, True, 0x12, 199, 100), packet(port, False, 0x10, 100, 200),
        packet(port, False, 0x18, 100, 200, data), packet(port, True, 0x10, 200, 100 + len(data)))]
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number, octets in enumerate(packets):
            out.write(struct.pack("<IIII", number, 0, len(octets), len(octets)) + octets)
    os.chmod(path, 0o644)
    return path


def what_is_not_iwarp_is_dissected_as_before():
    os.chmod(scratch, 0o755)
    capture = write_others()
    for passes in ([], ["-2"]):
        run_tshark.equal(plugin.run(capture, "-V", *passes), builtin.run(capture, "-V", *passes), "on ports of others:")


def without_taking_over_the_built_in_goes_on():
    capture = os.path.join(folder, "t1.pcap")
    run_tshark.equal(plugin.run(capture, "-V", "-o", "iwarp.take_over:FALSE"), builtin.run(capture, "-V"))


def the_heuristic_can_be_switched_off():
    capture = os.path.join(folder, "t1.pcap")
    run_tshark.equal(plugin.run(capture, "-V", "--disable-heuristic", "iwarp_tcp"), builtin.run(capture, "-V"))


def a_port_given_to_iwarp_does_not_need_taking_over():
    capture = os.path.join(folder, "t15.pcap")
    for options in (("-o", "iwarp.tcp.port:50000"), ("-d", "tcp.port==50000,iwarp")):
        shown = plugin.values(capture, "iwarp.rdmap.opcode", "-2", "-o", "iwarp.take_over:FALSE", *options)
        run_tshark.equal(shown, ["0"] * 4)


def the_built_in_takes_nothing_that_is_not_decided_yet():
    """An octet before the Request is missing: one pass knows that only at the end, and the built-in would go on from it."""
    cap, conn = gencaps.started()
    conn.send_message(0, bytes(4))
    path = os.path.join(scratch, "undecided.pcap")
    cap.write(path)
    packets = traffic.variants.load(traffic.capfile.read_capture(path))
    packets[0] = packets[0].copy(seq=packets[0].seq - 1)
    traffic.capfile.write_pcap(path, packets[:1] + packets[3:], cap.link)
    os.chmod(path, 0o644)
    run_tshark.equal(plugin.values(path, "iwarp_mpa.rev"), [])
    run_tshark.equal(len(builtin.values(path, "iwarp_mpa.rev")), 2, "without the plugin:")
    run_tshark.equal(len(plugin.values(path, "iwarp.mpa.rev", "-2")), 2, "in two passes:")


def the_built_in_takes_nothing_that_an_error_quotes():
    """Errors of ICMP quote the Request, the Reply and an FPDU."""
    cap, conn = gencaps.started()
    conn.send_message(0, bytes(400))
    for item in cap.data_items():
        quoted = item.data[14:]
        message = struct.pack(">BBHHH", 3, 4, 0, 0, 1400) + quoted
        cap.add(gencaps.ip_packet(b"\x0a\0\0\3", quoted[12:16], message, protocol=1))
    path = os.path.join(scratch, "quoted.pcap")
    cap.write(path)
    os.chmod(path, 0o644)
    protocols = plugin.values(path, "frame.protocols", "-Y", "icmp")
    run_tshark.equal(protocols, ["eth:ethertype:ip:icmp:ip:tcp:iwarp:data"] * 3)


def below(name, header):
    """A capture with one Send, each IP packet after the octets that `header` returns."""
    cap, conn = gencaps.started()
    conn.send_message(0, bytes(4))
    for item in cap.items:
        item.data = item.data[:12] + header(item.data[14:])
        item.wire_len = len(item.data)
    path = os.path.join(scratch, name + ".pcap")
    cap.write(path)
    os.chmod(path, 0o644)
    return path


def what_snap_holds_is_followed():
    path = below("snap", lambda ip: struct.pack(">HBBB3sH", 8 + len(ip), 0xAA, 0xAA, 3, bytes(3), 0x0800) + ip)
    run_tshark.equal(plugin.values(path, "iwarp.rdmap.opcode", "-2"), ["3"], "snap:")


def messages_over_sctp_are_named_in_the_columns():
    """Of a packet with three DATA chunks all are named, and nothing after them."""
    path = os.path.join(folder, "..", "sctp", "bundled.pcap")
    (protocol, info), = plugin.fields(path, ["_ws.col.Protocol", "_ws.col.Info"], "-2", "-Y", "frame.number == 9")
    sends = "; ".join(f"Send [last] QN=0 MSN={msn} MO=0 Len=6" for msn in (1, 1, 2))
    run_tshark.equal((protocol, info), (["iWARP"], [f"SACK (Ack=1, Arwnd=65536) {sends}"]))


def a_read_filter_hides_frames_and_nothing_else():
    """Wireshark gives the number of a frame that a read filter drops to the next one as well."""
    capture = os.path.join(folder, "t1.pcap")
    for read in ("iwarp", "tcp.len > 0", "ip.src == 10.0.0.1", "ip.src == 10.0.0.2"):
        names = ["frame.time_epoch", "iwarp.mpa.type", "iwarp.rdmap.opcode", "iwarp.gap"]
        expected = plugin.fields(capture, names, "-2", "-Y", read)
        run_tshark.equal(plugin.fields(capture, names, "-2", "-R", read), expected, f"{read}:")


def octets_in_flight(name, change):
    """How many segments have a number of octets in flight, of a connection that sends 400, with the plugin and without."""
    cap, conn = gencaps.started()
    for number in range(400):
        conn.write(0, 1, number * 100, bytes(100), ack=number % 8 == 0)
    path = os.path.join(scratch, name)
    cap.write(path)
    packets = change(traffic.variants.load(traffic.capfile.read_capture(path)))
    traffic.capfile.write_pcap(path, packets, cap.link)
    os.chmod(path, 0o644)
    return tuple(len(tshark.values(path, "tcp.analysis.bytes_in_flight")) for tshark in (plugin, builtin))


def octets_in_flight_are_not_added_up_where_only_one_direction_is_there():
    both = octets_in_flight("both.pcap", lambda packets: packets)
    run_tshark.equal(both[0], both[1])
    ours, theirs = octets_in_flight("one.pcap", lambda packets: traffic.variants.one_direction(packets, 0))
    # Wireshark 4.6 adds up none without an acknowledgment either.
    run_tshark.equal((ours < 300, theirs > 400 or theirs == 0), (True, True), f"{ours}, {theirs} without the plugin:")


def sharkd(requests, *options):
    """The answers of sharkd, which keeps a capture open as the GUI does, by the numbers of the requests; None: it is not here."""
    program = shutil.which("sharkd")
    if program is None:
        return None
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, **request}) for number, request in enumerate(requests, 1)]
    environment = {**os.environ, "IWARP_WIRESHARK": program}
    done = subprocess.run([runner, *options, "-"], input="\n".join(lines).encode() + b"\n", env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    answers = [json.loads(line) for line in done.stdout.decode().split("\n") if line.startswith("{")]
    return {answer["id"]: answer for answer in answers if "id" in answer}


def load(capture):
    return {"method": "load", "params": {"file": os.path.abspath(capture)}}


def setting(name, value):
    return {"method": "setconf", "params": {"name": name, "value": value}}


def frames(protocol, *numbers):
    return [{"method": "frame", "params": {"frame": number, "proto": True}} for number in numbers]


def shows(answer, text):
    return text in json.dumps(answer)


def frames_shown_in_any_order_and_after_preferences_change():
    capture = load(os.path.join(folder, "t26.pcap"))
    off, on = setting("iwarp.take_over", "FALSE"), setting("iwarp.take_over", "TRUE")
    order = [12, 6, 9, 6, 12]
    answers = sharkd([capture, *frames("iwarp", *order), off, capture, *frames("", 6), on, capture, *frames("", 6)])
    if answers is None:
        print("skipped: no sharkd here")
        return
    first = [answers[number] for number in range(2, 7)]
    run_tshark.equal(first[1]["result"], first[3]["result"], "frame 6 shown again:")
    run_tshark.equal(first[0]["result"], first[4]["result"], "frame 12 shown again:")
    run_tshark.equal(shows(first[1], "Rule ddp.version"), True)
    run_tshark.equal(shows(answers[9], "iWARP: "), False, "not taken over:")
    run_tshark.equal(shows(answers[12], "iWARP: "), True, "taken over again:")


def what_is_not_iwarp_stays_as_it_was_when_preferences_change():
    """On each port: the frame with data, before and after each change, is shown as without the plugin."""
    show = [load(write_others()), *frames("", *range(WITH_DATA, EACH * len(OTHERS) + 1, EACH))]
    given = [change for port in (*map(str, OTHERS), "1-65535") for change in (setting("iwarp.tcp.port", port), setting("iwarp.tcp.port", ""))]
    changes = [setting("iwarp.take_over", "FALSE"), setting("iwarp.take_over", "TRUE"), *given, setting("iwarp.rules", "FALSE")]
    without = sharkd([setting("iwarp.take_over", "FALSE"), *show])
    if without is None:
        print("skipped: no sharkd here")
        return
    answers = sharkd([part for change in [None, *changes] for part in ([] if change is None else [change]) + show])
    for place, port in enumerate(OTHERS):
        expected = without[3 + place]["result"]
        run_tshark.equal(answers[2 + place]["result"], expected, f"port {port}:")
        for number, change in enumerate(changes):
            shown = answers[len(show) + number * (len(show) + 1) + 3 + place]["result"]
            ours = change["params"]["name"] == "iwarp.tcp.port" and change["params"]["value"] in (str(port), "1-65535")
            what = f"port {port} after {change['params']}:"
            run_tshark.equal(shown == expected or ours, True, what)
            run_tshark.equal("iwarp.connection" in json.dumps(shown), ours, what)


try:
    run_tshark.on_each([what_is_not_iwarp_is_dissected_as_before, without_taking_over_the_built_in_goes_on,
                        the_heuristic_can_be_switched_off, a_port_given_to_iwarp_does_not_need_taking_over,
                        the_built_in_takes_nothing_that_is_not_decided_yet,
                        the_built_in_takes_nothing_that_an_error_quotes, what_snap_holds_is_followed,
                        messages_over_sctp_are_named_in_the_columns,
                        a_read_filter_hides_frames_and_nothing_else,
                        octets_in_flight_are_not_added_up_where_only_one_direction_is_there,
                        frames_shown_in_any_order_and_after_preferences_change,
                        what_is_not_iwarp_stays_as_it_was_when_preferences_change])
finally:
    shutil.rmtree(scratch)
