# SPDX-License-Identifier: BSD-2-Clause
"""What Sends carry is decoded up to NFS, SMB, NVMe and iSCSI: upper.py TSHARK FOLDER [--all]

--all: every capture of NFS in each of the forms that its conversation may have, and what the built-in makes of it; without it
every other one, by the plugin."""
import collections
import os
import pathlib
import random
import shutil
import sys
import tempfile

import run_tshark
import traffic

runner, folder, every = sys.argv[1], pathlib.Path(sys.argv[2]), 1 if "--all" in sys.argv[3:] else 2
plugin, builtin = run_tshark.Tshark(runner), run_tshark.Tshark(runner, plugin=False)
scratch = tempfile.mkdtemp()


def each_call_of_nfs_is_matched_with_its_reply():
    for capture in sorted(folder.glob("nfs*.pcap")):
        ours, theirs = (len(tshark.values(capture, "rpc.time", "-2")) for tshark in (plugin, builtin))
        calls = plugin.values(capture, "rpc.msgtyp", "-2").count("0")
        print(f"   {capture.name}: {calls} calls, {ours} replies matched, {theirs} by the built-in")
        if calls == 0 or ours < calls or ours < theirs or not plugin.values(capture, "nfs.status", "-2"):
            raise run_tshark.Failed("not all calls are matched")


def full_operation(packets):
    """Where the packets after the startup begin."""
    return [number for number, packet in enumerate(packets) if traffic.variants.is_data(packet)][2]


def after_startup(packets):
    return packets[full_operation(packets):]


def cut(packets):
    """The FPDUs in other segments than they were sent in."""
    begin = full_operation(packets)
    return packets[:begin] + traffic.variants.resegmented(packets[begin:], random.Random(1), 4)


def begun_in_pieces(packets):
    """The Request Frame is split in its Key."""
    first = next(number for number, packet in enumerate(packets) if traffic.variants.is_data(packet))
    return packets[:first] + traffic.variants.split(packets[first], [7]) + packets[first + 1:]


def on_port(port):
    return lambda packets: traffic.variants.renamed(packets, lambda end: (end[0], port if end[1] == 20049 else end[1]))[0]


# What the same conversations may look like, and how the user says that there is iWARP where the startup is not captured.
LOOKS = {"startup in pieces": (begun_in_pieces, ()),
         "on the port of SMB Direct": (on_port(5445), ()),
         "captured from the middle on": (after_startup, ("-d", "tcp.port==20049,iwarp")),
         "segments cut": (cut, ()),
         "segments reordered": (lambda packets: traffic.variants.reordered(packets, random.Random(1)), ()),
         "segments cut and reordered": (lambda packets: traffic.variants.reordered(cut(packets), random.Random(1)), ())}
# Without CRCs, octets captured from the middle on count as iWARP only after some FPDUs. RPC-over-RDMA joins the octets
# of RDMA Writes in the first pass alone: it misses two replies at the beginning of each capture of NFSv4.
MISSED = {"captured from the middle on": 2}


def each_call_of_nfs_is_matched_however_it_travelled():
    """The built-in matches all calls of the captures as they are; of the same conversations in other segments it does not."""
    path = os.path.join(scratch, "look.pcap")
    sources = sorted(folder.glob("nfs*.pcap"))[::every]
    nfs4 = sum(source.name.startswith("nfs4") for source in sources)
    calls = sum(plugin.values(source, "rpc.msgtyp", "-2").count("0") for source in sources)
    for name, (change, options) in LOOKS.items():
        ours = theirs = 0
        for source in sources:
            capture = traffic.capfile.read_capture(source)
            traffic.capfile.write_pcap(path, change(traffic.variants.load(capture)), capture.link)
            os.chmod(path, 0o644)
            ours += len(plugin.values(path, "rpc.time", "-2", *options))
            theirs += len(builtin.values(path, "rpc.time", "-2")) if every == 1 else 0
        print(f"   {name}: {calls} calls, {ours} replies matched" + (f", {theirs} by the built-in" if every == 1 else ""))
        run_tshark.equal((calls - ours, theirs < ours), (nfs4 * MISSED.get(name, 0), True), f"{name}:")


def calls_in_every_send_are_matched():
    """Sends with Solicited Event, and several in a segment: of those the built-in decodes some."""
    defects = folder.parent.parent / "synthetic" / "wireshark-defects"
    for name in ("v4", "x1"):
        ours, theirs = (len(tshark.values(defects / f"{name}.pcap", "rpc.xid", "-2")) for tshark in (plugin, builtin))
        print(f"   {name}.pcap: {ours} calls, {theirs} by the built-in")
        run_tshark.equal(ours > theirs, True, f"{name}:")


def the_upper_layer_is_named():
    for name, wanted in (("nfs4-write", {"RPCoRDMA"}), ("nvme-read-write", {"NVMe"}), ("smbdirect-session", {"SMBDirect"})):
        run_tshark.equal(set(plugin.values(folder / f"{name}.pcap", "iwarp.ulp", "-2")), wanted, f"{name}:")


def smb_is_decoded_on_its_port():
    ours, theirs = (len(tshark.values(folder / "smbdirect-session.pcap", "smb2.cmd", "-2")) for tshark in (plugin, builtin))
    print(f"   smbdirect-session.pcap: {ours} messages of SMB, {theirs} by the built-in")
    run_tshark.equal(ours == 19 and theirs == 0, True)


def capsules(capture):
    """How many commands and completions there are of each name."""
    rows = plugin.fields(capture, ["_ws.col.Info"], "-2", "-Y", "iwarp.nvme")
    return collections.Counter(text[0].split("; NVMe ")[1] for [text] in rows)


def nvme_commands_and_completions_have_names():
    found = capsules(folder / "nvme-read-write.pcap")
    for name in ("Connect", "Property Get", "Identify", "Get Log Page", "Read", "Write"):
        run_tshark.equal(found[f"{name} completion"], found[f"{name} command"], f"completions of {name}:")
        run_tshark.equal(found[f"{name} command"] > 0, True, f"{name}:")
    run_tshark.equal([name for name in found if "unknown" in name or "0x" in name], [])


def nvme_commands_and_completions_name_each_other():
    names = ["frame.number", "iwarp.nvme.opcode", "iwarp.nvme.completion_in", "iwarp.nvme.command_in", "iwarp.nvme.status"]
    rows = {row[0][0]: row[1:] for row in plugin.fields(folder / "nvme-read-write.pcap", names, "-2", "-Y", "iwarp.nvme")}
    for frame, (_, completion, command, status) in rows.items():
        if completion:
            run_tshark.equal(rows[completion[0]][2], [frame], f"completion of the command in {frame}:")
        if command:
            run_tshark.equal(status, ["0x0000"], f"status in {frame}:")


def nvme_data_names_the_command_with_its_buffer():
    """Each Write, Read Request and Read Response of the queues, in one pass as in two."""
    capture = folder / "nvme-read-write.pcap"
    keys = {row[0][0]: row[1] for row in plugin.fields(capture, ["frame.number", "iwarp.nvme.sgl.key"], "-Y", "iwarp.nvme.sgl.key")}
    names = ["frame.number", "iwarp.nvme.data_of", "iwarp.rdmap.opcode", "iwarp.ddp.stag", "iwarp.read_request.source_stag", "iwarp.request_in"]
    one, two = ({row[0][0]: row[1:] for row in plugin.fields(capture, names, *passes, "-Y", "iwarp.rdmap.opcode < 3")} for passes in ((), ("-2",)))
    run_tshark.equal({frame: row[0] for frame, row in one.items()}, {frame: row[0] for frame, row in two.items()}, "one pass:")
    for frame, ((command,), (opcode,), stag, source, request) in two.items():
        wanted = two[request[0]][0] == [command] if opcode == "2" else keys[command] == (source if opcode == "1" else stag)
        run_tshark.equal(wanted, True, f"command of the data in {frame}:")
    run_tshark.equal({row[1][0] for row in two.values()}, {"0", "1", "2"}, "opcodes:")


def filters_of_wireshark_find_what_capsules_hold():
    """The dissector of NVMe over InfiniBand has the capsules, too, and names each completion as the plugin does."""
    names = ["iwarp.nvme.opcode", "nvme.cmd.opc", "nvme.fabrics.cmd.opc", "iwarp.nvme.completion.cid", "nvme.cqe.cid", "_ws.malformed"]
    rows = plugin.fields(folder / "nvme-read-write.pcap", names, "-2", "-Y", "iwarp.nvme")
    run_tshark.equal(len(rows) > 50, True)
    for opcode, command, fabrics, completion, cqe, malformed in rows:
        run_tshark.equal([int(value, 16) for value in command + fabrics], [int(value, 16) for value in opcode])
        run_tshark.equal((cqe, malformed), (completion, []))


def nvme_is_recognised_on_any_port():
    path = os.path.join(scratch, "other-port.pcap")
    capture = traffic.capfile.read_capture(folder / "nvme-read-write.pcap")
    moved, _ = traffic.variants.renamed(traffic.variants.load(capture), lambda end: (end[0], 9999 if end[1] == 4420 else end[1]))
    traffic.capfile.write_pcap(path, moved, capture.link)
    run_tshark.equal(capsules(path), capsules(folder / "nvme-read-write.pcap"))


def a_user_may_choose_a_dissector():
    rows = plugin.values(folder / "smbdirect-session.pcap", "iwarp.nvme", "-d", "iwarp.payload,iwarp.nvme")
    run_tshark.equal(len(rows) > 0, True)


def iscsi_is_decoded_after_the_header_of_iser():
    for name in ("iser-login.pcap", "iser-read-write.pcap"):
        sends = plugin.values(folder / name, "iwarp.iser.opcode", "-2")
        pdus = plugin.values(folder / name, "iscsi.opcode", "-2")
        malformed = plugin.values(folder / name, "_ws.malformed", "-2")
        print(f"   {name}: {len(sends)} messages of iSER, {len(pdus)} PDUs of iSCSI")
        run_tshark.equal((len(sends) > 10, len(pdus) >= len(sends), malformed), (True, True, []))


os.chmod(scratch, 0o755)
try:
    run_tshark.on_each([each_call_of_nfs_is_matched_with_its_reply, each_call_of_nfs_is_matched_however_it_travelled,
                        calls_in_every_send_are_matched, the_upper_layer_is_named, smb_is_decoded_on_its_port,
                        nvme_commands_and_completions_have_names, nvme_commands_and_completions_name_each_other,
                        nvme_data_names_the_command_with_its_buffer, filters_of_wireshark_find_what_capsules_hold,
                        nvme_is_recognised_on_any_port, a_user_may_choose_a_dissector,
                        iscsi_is_decoded_after_the_header_of_iser])
finally:
    shutil.rmtree(scratch)
