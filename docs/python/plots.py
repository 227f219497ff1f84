# SPDX-License-Identifier: BSD-2-Clause
"""Plots of real captures: plots.py CAPTURE-OF-READS CAPTURE-OF-A-MIX FOLDER. Writes sizes.svg, latency.svg and outstanding.svg."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "iwarp", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False,
                            "axes.spines.right": False})

import matplotlib.pyplot as plt

import iwarp

MILLI = 1e6  # nanoseconds
BLUE, RED, GREY = "#1f6f9f", "#b5482f", "#555555"


def figure(title, x, y):
    fig, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, loc="left", fontsize=11)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return fig, axes


def save(fig, folder, name):
    """Without a date, so that the same capture makes the same file."""
    fig.savefig(folder / name, metadata={"Date": None})
    plt.close(fig)


def initiator_of(path):
    """What the Initiator of the first connection sends."""
    return next(iter(iwarp.stats(path))).directions[0]


def plot_sizes(path, folder):
    """How many messages of each size, by kind. The sizes are sums over the DDP Segments of a message."""
    frame = iwarp.packets(path).to_pandas()
    segments = frame[(frame["kind"] == "fpdu") & (frame["role"] == "initiator")]
    sizes = {}
    open_size = 0
    for message, size, last in zip(segments["message"], segments["payload_length"], segments["ddp.last"]):
        open_size += int(size)
        if last:
            sizes.setdefault(message, []).append(open_size)
            open_size = 0
    fig, axes = figure(f"Messages of the Initiator, {Path(path).name}", "kind, and octets of payload", "messages")
    colors = {"write": BLUE, "read-request": RED, "send": GREY}
    rows = [(name, size, values.count(size)) for name, values in sorted(sizes.items()) for size in sorted(set(values))]
    bars = axes.bar(range(len(rows)), [count for _, _, count in rows], width=0.6, color=[colors.get(name, "black") for name, _, _ in rows])
    axes.bar_label(bars, padding=2)
    axes.set_xticks(range(len(rows)), [f"{name}\n{size:,}" for name, size, _ in rows])
    axes.grid(False, axis="x")
    axes.margins(y=0.15)
    save(fig, folder, "sizes.svg")
    return sizes


def plot_latency(direction, name, folder):
    """When each Read was answered, and how long it took."""
    reads = direction.read_latency
    fig, axes = figure(f"Response times of {len(reads.values)} Reads, {name}", "ms since the first packet", "ms")
    axes.plot([t / MILLI for t in reads.times_ns], [v / MILLI for v in reads.values], "o", color=BLUE, markersize=4)
    median = direction.reads.response_time.p50 / MILLI
    axes.axhline(median, color=RED, linewidth=1)
    axes.annotate(f"median {median:.1f} ms", (1, median), xycoords=("axes fraction", "data"), ha="right", va="bottom", color=RED)
    axes.set_ylim(bottom=0)
    save(fig, folder, "latency.svg")


def plot_outstanding(direction, name, folder):
    """Reads without their answer, as a step function."""
    waiting = direction.requests_outstanding
    limit = direction.outstanding.limit
    allowed = f", {limit} allowed" if limit is not None else ""
    fig, axes = figure(f"Reads outstanding, {name}: {direction.outstanding.max} at most{allowed}", "ms since the first packet", "Reads")
    axes.step([t / MILLI for t in waiting.times_ns], waiting.values, where="post", color=BLUE)
    axes.set_ylim(bottom=0)
    axes.margins(y=0.15)
    save(fig, folder, "outstanding.svg")


def main():
    reads, mix, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    direction = initiator_of(reads)
    plot_latency(direction, Path(reads).name, folder)
    plot_outstanding(direction, Path(reads).name, folder)
    plot_sizes(mix, folder)


if __name__ == "__main__":
    main()
