# SPDX-License-Identifier: BSD-2-Clause
"""The profile folder that people copy: colours, buttons, columns: profile.py TSHARK PROFILE PCAPS"""
import csv
import os
import sys

import run_tshark

runner, profile, pcaps = sys.argv[1:]
tshark = run_tshark.Tshark(runner)

# A capture for each colour.
SHOWN = {
    "iWARP violation": "synthetic/wireshark-defects/t35.pcap",
    "iWARP Terminate or Reject": "real/siw/reject-pd.pcap",
    "iWARP warning or note": "synthetic/rules/mpa.rev-rdmac-fail.pcap",
    "iWARP octets not captured, or not decodable": "synthetic/wireshark-defects/t13.pcap",
    "iWARP startup": "synthetic/wireshark-defects/t1.pcap",
    "iWARP Read and Atomic": "synthetic/wireshark-defects/t1.pcap",
    "iWARP Send": "synthetic/wireshark-defects/t1.pcap",
    "iWARP": "synthetic/wireshark-defects/t12.pcap",
    "iWARP CRC wrong": "synthetic/wireshark-defects/t9.pcap",
}


def lines(name):
    with open(os.path.join(profile, name), encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in stream if not line.startswith("#")]


def colours(capture, *args):
    """The colour of each frame."""
    path = os.path.join(pcaps, capture)
    rows = tshark.fields(path, ["frame.coloring_rule.name"], "-2", "-C", "iWARP", "--color", *args)
    return {name for [names] in rows for name in names}


def each_colour_is_seen():
    run_tshark.equal({line.split("@")[1] for line in lines("colorfilters")}, set(SHOWN))
    for name, capture in SHOWN.items():
        options = ("-o", "iwarp.rules:FALSE") if name == "iWARP CRC wrong" else ()
        if name not in colours(capture, *options):
            raise run_tshark.Failed(f"{capture}: no frame has the colour {name}: {colours(capture)}")


def each_button_is_a_filter():
    for _, label, expression, _ in csv.reader(lines("dfilter_buttons")):
        checked = tshark.done(os.path.join(pcaps, SHOWN["iWARP"]), "-Y", expression)
        run_tshark.equal((checked.returncode, checked.stderr), (0, b""), f"the button {label}:")


def the_columns_name_the_broken_rule():
    out = tshark.run(os.path.join(pcaps, SHOWN["iWARP violation"]), "-2", "-C", "iWARP")
    run_tshark.equal(" mpa.marker-pointer " in out.splitlines()[-1], True)


run_tshark.on_each([each_colour_is_seen, each_button_is_a_filter, the_columns_name_the_broken_rule])
