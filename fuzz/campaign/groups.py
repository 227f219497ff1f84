# SPDX-License-Identifier: BSD-2-Clause
"""groups: the fuzz targets by what they test; the record of a campaign counts by group."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GROUPS = {
    "codec": ["startup", "fpdu", "markers", "ddp", "rdmap", "terminate", "crc", "field", "values", "config"],
    "rx": ["rx", "rx-nocrc", "observer", "differential"],
    "endpoint": ["endpoint", "calls"],
    "pair": ["pair", "tx"],
    "sctp": ["sctp-session", "sctp-observer"],
    "rules": ["rules"],
    "ingest": ["tcp", "sctp", "loss", "cost", "capture-reader", "unpack"],
    "tool": ["capture", "jobs", "cmdline", "decode", "scenario", "merge", "scrub", "peer"],
}


def targets():
    """The targets that the tree has."""
    return sorted(p.stem.removeprefix("fuzz_").replace("_", "-") for p in (ROOT / "fuzz/targets").glob("fuzz_*.c"))


def group_of(target):
    """The group that a target counts for."""
    return next((group for group, names in GROUPS.items() if target in names), "other")


def rows_of(names):
    """{group: its names among these}."""
    by_group = {}
    for name in names:
        by_group.setdefault(group_of(name), []).append(name)
    return by_group


def in_turn(names):
    """The names in an order that visits all groups before it comes back to one of them."""
    rows = list(rows_of(names).values())
    return [row[i] for i in range(max(map(len, rows), default=0)) for row in rows if i < len(row)]
