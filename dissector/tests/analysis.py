# SPDX-License-Identifier: BSD-2-Clause
"""Links between PDUs, what one pass knows of them, and the statistics: analysis.py TSHARK DEFECTS SIW"""
import os
import re
import sys
from xml.etree import ElementTree

import run_tshark

runner, folder, siw = sys.argv[1:]
tshark = run_tshark.Tshark(runner)


def capture(name):
    return os.path.join(folder, name + ".pcap")


def table(name, statistic):
    """The lines of a statistic, words of two blanks and more between them."""
    out = tshark.run(capture(name), "-2", "-q", "-z", statistic)
    return [[cell for cell in re.split(r"\s{2,}|\s*\|\s*", line.strip()) if cell] for line in out.split("\n")]


def a_read_request_and_its_response_name_each_other():
    names = ["frame.number", "iwarp.response_in", "iwarp.request_in", "iwarp.response_time", "iwarp.reads_outstanding"]
    rows = tshark.fields(capture("t1"), names, "-2", "-Y", "iwarp.response_in or iwarp.request_in")
    run_tshark.equal(rows, [[["9"], ["10"], [], [], ["1"]], [["10"], [], ["9"], ["0.000010000"], []]])


def one_pass_names_no_later_frame():
    run_tshark.equal(tshark.values(capture("t1"), "iwarp.response_in"), [])
    run_tshark.equal(tshark.values(capture("t1"), "iwarp.reply_in"), [])
    run_tshark.equal(tshark.values(capture("t1"), "iwarp.request_in"), ["9"])


def an_atomic_request_and_its_response_name_each_other():
    answers = tshark.values(capture("t19"), "iwarp.request_in", "-2")
    run_tshark.equal(len(answers), 1, "Atomic Responses with their request:")


def segments_name_the_frames_of_their_message():
    rows = tshark.fields(capture("u5"), ["iwarp.message.first", "iwarp.message.last"], "-2", "-Y", "iwarp.message.first")
    run_tshark.equal(len(rows), 3)
    run_tshark.equal({tuple(first + last) for first, last in rows}, {tuple(rows[0][0] + rows[0][1])})


def a_message_lists_its_segments():
    rows = tshark.fields(capture("u5"), ["frame.number", "iwarp.message.segment"], "-2", "-Y", "iwarp.message")
    run_tshark.equal(rows, [[["6"], ["6", "8", "7"]], [["7"], ["6", "8", "7"]], [["8"], ["6", "8", "7"]]])
    run_tshark.equal(tshark.fields(capture("u5"), ["iwarp.message.segment"], "-Y", "iwarp.message.segment == 6")[0], [["6"]], "one pass:")


def request_and_reply_name_each_other():
    names = ["frame.number", "iwarp.reply_in", "iwarp.reply_to", "iwarp.setup_time"]
    path = os.path.join(siw, "term-read-badkey.pcap")
    run_tshark.equal(tshark.fields(path, names, "-2", "-Y", "iwarp.mpa"), [[["4"], ["6"], [], []], [["6"], [], ["4"], ["0.301741000"]]])


def a_hole_is_named_in_the_frame_after_it():
    names = ["frame.number", "iwarp.gap", "iwarp.gap.before", "iwarp.gap.known_in"]
    wanted = [[["9"], [], ["320"], ["12"]], [["12"], ["320"], [], []]]
    run_tshark.equal(tshark.fields(capture("u1"), names, "-2", "-Y", "iwarp.gap or iwarp.gap.before"), wanted)
    lines = tshark.run(capture("u1"), "-2").split("\n")
    run_tshark.equal(["octets" in line for line in lines[8:12]], [True, False, False, False], "lines of the list that name the hole:")


def info(name, frame, *options):
    """The column Info of a frame."""
    [[[text]]] = tshark.fields(capture(name), ["_ws.col.Info"], "-2", "-Y", f"frame.number == {frame}", *options)
    return text


def many_fpdus_of_a_frame_are_counted():
    run_tshark.equal(info("t34", 6), "RDMA Write x 40, 0x00000001")
    run_tshark.equal(info("t14", 7).count("; "), 1, "two FPDUs, one by one:")


def a_terminate_of_siw_is_read_as_it_was_likely_meant():
    path = os.path.join(siw, "term-read-badkey.pcap")
    [[[text]]] = tshark.fields(path, ["_ws.col.Info"], "-2", "-Y", "iwarp.terminate.likely")
    run_tshark.equal(text.partition(" (")[2], "likely Invalid STag; as sent Local Catastrophic)")
    path = os.path.join(siw, "term-write-badkey.pcap")
    [[[text]]] = tshark.fields(path, ["_ws.col.Info"], "-2", "-Y", "iwarp.terminate.likely")
    run_tshark.equal(text.partition(" (")[2], "Invalid STag)")


# The headers inside a PDU.
HEADERS = {f"iwarp.{key}" for key in ("ddp", "rdmap", "marker", "crc", "enhanced", "read_request", "terminate", "immediate",
                                      "atomic_request", "atomic_response", "smbd", "smbd_le", "erdma", "rpc_rdma")}


def every_item_is_a_field_and_a_header_says_what_it_holds():
    paths = [*(capture(name) for name in ("t17", "t19", "t21", "t24m", "t35", "u1", "u5")),
             os.path.join(folder, "..", "rules", "rdmap.immediate-length-pass.pcap"),
             *(os.path.join(siw, name + ".pcap") for name in ("nvme-read-write", "nfs3-mixed", "term-read-badkey", "reject-pd"))]
    for path in paths:
        for protocol in ElementTree.fromstring(tshark.run(path, "-2", "-T", "pdml", "-Y", "iwarp")).iter("proto"):
            if protocol.get("name") == "iwarp":
                items = list(protocol.iter("field"))
                unnamed = [item.get("show") for item in items if not item.get("name")]
                run_tshark.equal(unnamed, [], f"{path}: items without a name:")
                bare = [item.get("showname") for item in items if item.get("name") in HEADERS and ": " not in item.get("showname")]
                run_tshark.equal(bare, [], f"{path}: headers that say nothing:")


def an_msn_that_was_not_due_is_seen_beside_the_one_that_was():
    rows = tshark.fields(capture("w3"), ["iwarp.ddp.msn", "iwarp.expected_msn"], "-2", "-Y", "iwarp.ddp.msn")
    pairs = [pair for msns, dues in rows for pair in zip(msns, dues)]
    if all(msn == due for msn, due in pairs):
        raise run_tshark.Failed(f"{pairs}")


def the_tree_counts_pdus_of_each_connection():
    rows = {row[1]: row[2:] for row in table("t26", "iwarp,tree") if len(row) > 7 and row[0] == "0"}
    run_tshark.equal([rows[name][0] for name in ("All", "RDMA Write", "MPA Request")], ["11", "4", "1"])
    run_tshark.equal(rows["FPDUs below 64 octets"][0], "9")
    run_tshark.equal((rows["All"][1], rows["RDMA Write"][1:5]), ("312", ["124", "28", "31", "40"]), "octets:")
    wrong = {row[1]: row[7] for row in table("t9", "iwarp,tree") if len(row) > 7}
    run_tshark.equal(wrong["All"], "1", "wrong CRCs:")


def the_table_of_rules_counts_what_is_broken():
    rows = {row[0]: row[1:4] for row in table("t35", "iwarp,rules") if len(row) > 3}
    run_tshark.equal(rows["mpa.marker-pointer"], ["MUST", "1", "6"])
    run_tshark.equal([slug for slug in rows if slug.startswith(("mpa.", "ddp.", "rdmap."))], ["mpa.marker-pointer"])


def response_times_are_counted():
    rows = [row for row in table("t1", "iwarp,srt") if "RDMA Read" in row]
    run_tshark.equal(rows, [["0", "RDMA Read", "1", "0.000010", "0.000010", "0.000010", "0.000010"]])


def conversations_are_counted():
    rows = [row for row in table("t1", "conv,iwarp") if row and row[0].startswith("10.0.0.1")]
    run_tshark.equal(len(rows), 1)


def endpoints_are_counted():
    rows = [[cell.removesuffix(" bytes") for cell in row] for row in table("t1", "endpoints,iwarp") if row and row[0].startswith("10.0.0.")]
    run_tshark.equal(rows, [["10.0.0.1", "9", "432", "6", "260", "3", "172"], ["10.0.0.2", "9", "432", "3", "172", "6", "260"]])


def the_protocol_hierarchy_counts_frames():
    """Also where nothing else reads the tree."""
    for path, lower in ((capture("t1"), "tcp"), (os.path.join(folder, "..", "sctp", "bundled.pcap"), "sctp")):
        [line] = [line for line in tshark.run(path, "-q", "-z", "io,phs").split("\n") if line.strip().startswith("iwarp ")]
        rows = tshark.fields(path, ["frame.len"], "-Y", f"frame.protocols contains \"{lower}:iwarp\"")
        octets = sum(int(length) for [[length]] in rows)
        run_tshark.equal(line.split()[1:], [f"frames:{len(rows)}", f"bytes:{octets}"], path)


def connections_have_their_ports_and_octets():
    rows = [row for row in table("t1", "iwarp,connections") if "10.0.0.1:40000" in row]
    run_tshark.equal(rows, [["0", "10.0.0.1:40000", "10.0.0.2:50000", "6", "3", "260", "172", "0", "4"]])
    rows = [row for row in table("t9", "iwarp,connections") if "10.0.0.1:40000" in row]
    run_tshark.equal(rows[0][7], "1", "wrong CRCs:")


def percentile(values, percent):
    """The least value that so many percent of the values do not exceed."""
    return sorted(values)[(len(values) * percent + 99) // 100 - 1]


def response_times_have_percentiles():
    path = os.path.join(siw, "rping-3-clients.pcap")
    times = [float(value) for value in tshark.values(path, "iwarp.response_time", "-2", "-Y", "iwarp.ddp.last == 1 and iwarp.response_time")]
    rows = {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.split("|")] for line in
                                              tshark.run(path, "-q", "-z", "iwarp,times").split("\n")) if len(cells) > 7}
    count, least, _, *shown, most, _ = rows["RDMA Read"]
    run_tshark.equal((int(count), float(least), float(most)), (len(times), min(times), max(times)))
    for percent, value in zip((50, 95, 99), map(float, shown)):
        wanted = percentile(times, percent)
        run_tshark.equal(wanted <= value <= wanted * 1.04, True, f"{percent} %: {value}, {wanted}:")
    run_tshark.equal(rows["MPA startup"][0], "3")


def fields_of_upper_layers_are_there_without_those_of_iwarp():
    path = os.path.join(siw, "nfs4-write.pcap")
    alone, beside = (tshark.fields(path, names, "-2", "-Y", "rpc.xid") for names in (["rpc.xid"], ["rpc.xid", "iwarp.ddp.msn"]))
    run_tshark.equal(alone, [row[:1] for row in beside])
    run_tshark.equal(len(alone) > 0, True)


def expert_infos_are_there_without_fields_of_iwarp():
    messages = tshark.values(capture("t35"), "_ws.expert.message", "-2")
    run_tshark.equal([message.partition(":")[0] for message in messages if message.startswith("mpa.")], ["mpa.marker-pointer"])


def the_payload_of_sends_can_be_followed():
    out = tshark.run(capture("t1"), "-q", "-z", "follow,iwarp,ascii,0")
    run_tshark.equal([text in out for text in ("hello world first", "reply", "Filter: iwarp.connection == 0")], [True] * 3)


def the_frame_that_ends_a_connection_says_how():
    path = os.path.join(siw, "term-no-receive.pcap")
    rows = tshark.fields(path, ["frame.number", "iwarp.outcome", "iwarp.accused_frame", "iwarp.terminate.likely"], "-2", "-Y", "iwarp.outcome")
    run_tshark.equal(rows[0][1:3], [["terminated"], ["10"]])
    run_tshark.equal(len(rows[0][3]), 1, "the likely reading of a Terminate of siw:")


def a_terminate_is_read_by_what_came_before_it():
    for name, want in (("hp-err-opcode-8", ["Unexpected OpCode"]), ("hp-err-rdmap-version", ["Invalid RDMAP version"]),
                       ("hp-srv-ird-ord-max", ["Insufficient IRD resources"]), ("hp-term-from-host", [])):
        path = os.path.join(siw, name + ".pcap")
        for passes in ((), ("-2",)):
            run_tshark.equal(tshark.values(path, "iwarp.terminate.likely", *passes), want, name)


def a_read_response_says_how_far_the_read_has_come():
    path = os.path.join(siw, "rping-8000.pcap")
    rows = tshark.fields(path, ["iwarp.read.done", "iwarp.read.expected"], "-2", "-Y", "iwarp.read.done")
    ends = [done[-1] for done, expected in rows if done[-1] == expected[-1]]
    run_tshark.equal(bool(ends) and len(rows) > len(ends), True, f"{rows}")


def reads_outstanding_stand_beside_what_was_agreed():
    rows = tshark.fields(capture("t17"), ["iwarp.reads_outstanding", "iwarp.reads_allowed"], "-2", "-Y", "iwarp.reads_outstanding")
    run_tshark.equal(rows, [[["1"], ["16"]]])
    run_tshark.equal(tshark.values(capture("t1"), "iwarp.reads_allowed", "-2"), [])  # Rev 1 agrees on none


NEGOTIATED = ["rejected", "markers_initiator", "markers_responder", "crc", "reads_initiator", "reads_responder", "peer_to_peer", "rtr"]


def negotiated(path):
    names = ["frame.number", *(f"iwarp.negotiated.{name}" for name in NEGOTIATED)]
    rows = tshark.fields(path, names, "-2", "-Y", "iwarp.negotiated.rejected")
    return [[cell[0].replace("True", "1").replace("False", "0") if cell else "" for cell in row] for row in rows]


def the_reply_says_what_was_agreed():
    run_tshark.equal(negotiated(capture("t17")), [["5", "0", "0", "0", "1", "16", "8", "1", "RDMA Read"]])
    run_tshark.equal(negotiated(capture("t3")), [["5", "0", "0", "1", "1", "", "", "", ""]])
    run_tshark.equal([row[1:3] for row in negotiated(os.path.join(siw, "reject-pd.pcap"))], [["1", ""]])


def an_stag_shows_what_was_touched_by_it_and_its_end():
    names = ["frame.number", "iwarp.stag.first_frame", "iwarp.stag.low", "iwarp.stag.high", "iwarp.stag.invalidated_in"]
    rows = tshark.fields(os.path.join(siw, "nvme-read-write.pcap"), names, "-2", "-Y", "iwarp.stag or iwarp.stag.first_frame")
    run_tshark.equal(rows[0], [["9"], [], ["0xff2766d4c26d8800"], ["0xff2766d4c26d8bff"], []])
    first = {row[0][0] for row in rows if row[2]}
    later = [row[1] for row in rows if row[1]]
    run_tshark.equal([cell for cells in later for cell in cells if cell not in first], [])
    run_tshark.equal(len(later) > 5, True)


def the_table_of_stags_has_the_octets_touched():
    out = tshark.run(os.path.join(siw, "nfs4-write.pcap"), "-2", "-q", "-z", "iwarp,stags")
    rows = [[cell.strip() for cell in line.split("|")] for line in out.split("\n") if "|0x" in line]
    run_tshark.equal(rows[0][:8], ["0", "0x15d16a01", "2", "11", "0x4df283a7859ba000", "0x4df283a7859ba063", "12", "0"])


def a_terminate_and_the_segment_that_it_is_about_name_each_other():
    rows = tshark.fields(os.path.join(siw, "term-no-receive.pcap"), ["frame.number", "iwarp.accused_by"], "-2", "-Y", "iwarp.accused_by")
    ends = tshark.fields(os.path.join(siw, "term-no-receive.pcap"), ["iwarp.accused_frame", "frame.number"], "-2", "-Y", "iwarp.accused_frame")
    run_tshark.equal(rows, ends)
    run_tshark.equal(len(rows), 1)


def what_becomes_certain_later_is_said_when_it_does():
    late = tshark.fields(capture("t14"), ["frame.number", "iwarp.late.frame"], "-Y", "iwarp.late.frame")
    run_tshark.equal(bool(late) and all(int(of) < int(at) for [at], frames in late for of in frames), True, f"{late}")
    run_tshark.equal(tshark.values(capture("t14"), "iwarp.late.frame", "-2"), [])


run_tshark.on_each([endpoints_are_counted, the_protocol_hierarchy_counts_frames, connections_have_their_ports_and_octets, response_times_have_percentiles,
                    fields_of_upper_layers_are_there_without_those_of_iwarp, expert_infos_are_there_without_fields_of_iwarp,
                    a_message_lists_its_segments, request_and_reply_name_each_other, a_hole_is_named_in_the_frame_after_it,
                    many_fpdus_of_a_frame_are_counted, a_terminate_of_siw_is_read_as_it_was_likely_meant,
                    every_item_is_a_field_and_a_header_says_what_it_holds,
                    a_read_request_and_its_response_name_each_other, one_pass_names_no_later_frame,
                    an_atomic_request_and_its_response_name_each_other, segments_name_the_frames_of_their_message,
                    an_msn_that_was_not_due_is_seen_beside_the_one_that_was, the_tree_counts_pdus_of_each_connection,
                    the_table_of_rules_counts_what_is_broken, response_times_are_counted, conversations_are_counted,
                    the_payload_of_sends_can_be_followed, the_frame_that_ends_a_connection_says_how, a_terminate_is_read_by_what_came_before_it,
                    what_becomes_certain_later_is_said_when_it_does, a_read_response_says_how_far_the_read_has_come,
                    reads_outstanding_stand_beside_what_was_agreed, the_reply_says_what_was_agreed,
                    an_stag_shows_what_was_touched_by_it_and_its_end, the_table_of_stags_has_the_octets_touched,
                    a_terminate_and_the_segment_that_it_is_about_name_each_other])
