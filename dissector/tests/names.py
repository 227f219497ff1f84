# SPDX-License-Identifier: BSD-2-Clause
"""The plugin is loaded, and has the names that it promises: names.py TSHARK TOOL DISSECTOR.md"""
import functools
import json
import pathlib
import re
import sys

import run_tshark

# Names in addition to the field table, from the contract of names.
BESIDE = """
mpa.type fpdu.offset fpdu.pad_length fpdu.markers fpdu.aligned fpdu.first_frame crc.status crc.expected ddp.length payload
connection role undecodable gap rule rule.level rule.requirement rule.message late late.frame fpdu.pad
mpa.rev mpa.markers mpa.pd_length enhanced.ird fpdu.ulpdu_length marker.fpduptr ddp.tagged ddp.last ddp.dv ddp.stag ddp.to
ddp.qn ddp.msn ddp.mo ddp.invalidate_stag rdmap.opcode read_request.size terminate.layer terminate.etype terminate.code
atomic_request.request_id returned.ddp.msn returned.read_request.size
reply_in reply_to setup_time message.segment terminate.likely ulp rule.certainty gap.before gap.known_in gap.messages
""".split()
# Subtrees: fields without a value.
SUBTREES = """
mpa enhanced marker fpdu crc ddp rdmap read_request terminate immediate atomic_request atomic_response sctp_segment sctp_control
sctp_adaptation erdma smbd smbd_le rpc_rdma message returned returned.ddp returned.rdmap returned.read_request negotiated stag
""".split()
PREFERENCES = ["take_over", "markers", "crc", "rules", "rules.level"]  # and tcp.port, which is Wireshark's

runner, tool, page = sys.argv[1:]


@functools.cache
def all_fields():
    """The rows of all fields and protocols that tshark has."""
    out = run_tshark.about(runner, "-G", "fields")
    return [line.split("\t") for line in out.split("\n") if line]


@functools.cache
def fields():
    """Filter names of the protocol and of those that it shows itself."""
    return {row[2] for row in all_fields() if row[0] in ("F", "P") and row[2].startswith("iwarp.")}


def the_plugin_is_loaded_beside_those_of_wireshark():
    rows = [line.split("\t") for line in run_tshark.about(runner, "-G", "plugins").split("\n")]
    found = [row for row in rows if row[0].strip() == "iwarp.so"]
    run_tshark.equal(len(found), 1, "plugins named iwarp.so:")
    run_tshark.equal(found[0][2], "dissector")
    shipped = {path.name for path in pathlib.Path(run_tshark.folders()["Global Plugins"]).rglob("*.so")} - {"iwarp.so"}
    run_tshark.equal(sorted(shipped - {row[0].strip() for row in rows}), [], "plugins of Wireshark that are missing:")
    run_tshark.equal(bool(shipped), True)


def the_fields_are_there():
    missing = {f"iwarp.{name}" for name in BESIDE} - fields()
    run_tshark.equal(sorted(missing), [], "missing fields:")


def subtrees_are_fields():
    kinds = {row[2]: row[3] for row in all_fields() if len(row) > 3}
    wrong = [name for name in SUBTREES if kinds.get(f"iwarp.{name}") != "FT_NONE"]
    run_tshark.equal(wrong, [], "subtrees without a field of their own:")


def each_rule_is_an_expert_info():
    out = run_tshark.run([tool, "rules", "-T", "jsonl"])
    slugs = {line["rule"] for line in map(json.loads, out.splitlines()) if line["type"] == "rule"}
    missing = {f"iwarp.rule.{slug}" for slug in slugs} - fields()
    run_tshark.equal(sorted(missing), [], "rules without an expert info:")


def an_expert_info_says_what_is_wrong():
    summaries = {row[2]: row[1] for row in all_fields() if len(row) > 2}
    run_tshark.equal(summaries["iwarp.rule.rdmap.terminate-reserved"], "Reserved bits of a Terminate are set")


def the_link_types_keep_the_names_of_their_dissectors():
    """Those of Wireshark without any plugin: Lua and -G decodes name them."""
    lists = run_tshark.about(runner, "-G", "decodes"), run_tshark.run(["tshark", "-G", "decodes"], ours=False)
    ours, theirs = ([line for line in lines.split("\n") if line.startswith("wtap_encap\t")] for lines in lists)
    run_tshark.equal((ours == theirs, len(theirs) > 100), (True, True))


def the_names_of_the_built_in_are_its_own():
    rows = all_fields()
    protocols = [row[2] for row in rows if row[0] == "P" and row[2].startswith("iwarp")]
    run_tshark.equal(sorted(protocols), ["iwarp", "iwarp.iser", "iwarp.nvme", "iwarp_ddp_rdmap", "iwarp_mpa"])
    run_tshark.equal([row[2] for row in rows if row[0] == "F" and row[4] == "iwarp" and not row[2].startswith("iwarp.")], [])


def the_preferences_are_there():
    out = run_tshark.about(runner, "-G", "currentprefs")
    names = set(re.findall(r"^#?(iwarp\.[a-z_.]+):", out, re.MULTILINE))
    run_tshark.equal(sorted(names), sorted(f"iwarp.{name}" for name in PREFERENCES))


def the_page_compares_all_names_of_the_built_in():
    names = {row[2] for row in all_fields() if row[0] == "F" and row[2].startswith(("iwarp_mpa.", "iwarp_ddp.", "iwarp_rdma."))}
    with open(page, encoding="utf-8") as stream:
        text = stream.read()
    mentioned = set(re.findall(r"`(iwarp_(?:mpa|ddp|rdma)\.[a-zA-Z0-9_.]+)`", text))
    run_tshark.equal(sorted(names - mentioned), [], "names of the built-in that the page lacks:")
    ours = set(re.findall(r"`(iwarp\.[a-z0-9_.-]*[a-z0-9])`", text)) - {f"iwarp.{name}" for name in [*PREFERENCES, "tcp.port", "so"]}
    run_tshark.equal(sorted(name for name in ours if name not in fields()), [], "names on the page that do not exist:")


run_tshark.on_each([the_plugin_is_loaded_beside_those_of_wireshark, the_fields_are_there, subtrees_are_fields, each_rule_is_an_expert_info,
                    an_expert_info_says_what_is_wrong, the_link_types_keep_the_names_of_their_dissectors, the_names_of_the_built_in_are_its_own, the_preferences_are_there,
                    the_page_compares_all_names_of_the_built_in])
