# SPDX-License-Identifier: BSD-2-Clause
"""The packet list and the trees of chosen captures, octet for octet: golden.py TSHARK PCAPS GOLDEN

<name>.txt is what two passes show, <name>.diff what one pass shows in another way. IWARP_UPDATE_GOLDEN=1 writes them again.
"""
import difflib
import os
import pathlib
import sys

import run_tshark

runner, pcaps, golden = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
tshark = run_tshark.Tshark(runner)

CAPTURES = """
synthetic/wireshark-defects/t1 synthetic/wireshark-defects/t4 synthetic/wireshark-defects/t9 synthetic/wireshark-defects/t12
synthetic/wireshark-defects/t14 synthetic/wireshark-defects/t17 synthetic/wireshark-defects/t19 synthetic/wireshark-defects/t21
synthetic/wireshark-defects/t24m synthetic/wireshark-defects/t35 synthetic/wireshark-defects/u5 real/siw/term-read-badkey
synthetic/sctp/checksums
""".split()


def tree_of(block):
    """The lines of the plugin in what tshark prints of a frame."""
    lines = block.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("iWARP: ")]
    if not starts:
        return []
    length = next((n for n, line in enumerate(lines[starts[0] + 1:], 1) if not line.startswith(" ")), len(lines))
    return lines[starts[0]:starts[0] + length]


def shown(capture, *passes):
    """The packet list, and the tree of each frame that has one. One pass makes the list without trees, as a run of its own."""
    if passes:
        blocks = [block.partition("\n") for block in tshark.run(capture, "-P", "-V", "-O", "iwarp", *passes).split("\n\n") if block.strip()]
        lines, blocks = [head for head, _, _ in blocks], [tree for _, _, tree in blocks]
    else:
        lines = tshark.run(capture).rstrip("\n").split("\n")
        blocks = tshark.run(capture, "-V", "-O", "iwarp").split("\n\n")
    for block in blocks:
        tree = tree_of(block)
        if tree:
            lines += ["", block.lstrip("\n").split(":")[0], *tree]
    return [line.rstrip() for line in lines]


def same(path, lines):
    """Fails unless the file holds these lines."""
    text = "\n".join(lines) + "\n" if lines else ""
    if os.environ.get("IWARP_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    if kept != text:
        changes = difflib.unified_diff(kept.split("\n"), text.split("\n"), "golden", "now", lineterm="", n=1)
        raise run_tshark.Failed("\n".join(list(changes)[:40]))


def one(name):
    capture = pcaps / f"{name}.pcap"
    two_passes, one_pass = shown(capture, "-2"), shown(capture)
    base = golden / pathlib.Path(name).name
    same(base.with_suffix(".txt"), two_passes)
    same(base.with_suffix(".diff"), list(difflib.unified_diff(two_passes, one_pass, "two passes", "one pass", lineterm="", n=1)))
    return len(two_passes)


if run_tshark.release(runner) >= (4, 2):
    print("skipped: the texts are those of Wireshark 4.0")
    sys.exit(77)
run_tshark.on_all(CAPTURES, one)
