#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""stats: `TOOL stats -T jsonl` against figures that are computed a second time.   stats.py TOOL [--every=N] CAPTURE...

CAPTURE may be a folder or a manifest, as in compare.py; one of N captures is compared, in the gate one of 2 N. Connections whose packets need more than a plain reader are left out
and counted: SCTP, tunnels, fragments, ports that are used again.
"""

import base64
import collections
import csv
import hashlib
import html.parser
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from decimal import Decimal

import compare
import kit  # isort: skip
import capfile
import stats_figures

PERCENTILES = ("p50", "p90", "p99")
# What only the tool says.
OWN = ("type", "file", "conn", "transport", "initiator", "responder", "roles", "limits", "given_up")
INTERVAL = "0.01"
FORMATS_EVERY = 6  # captures of which the other formats are compared


def run(tool, *words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line, parse_float=Decimal) for line in done.stdout.splitlines()]


def equal(got, want):
    if isinstance(want, stats_figures.Seconds):
        return isinstance(got, Decimal) and got * stats_figures.SECOND == want and got.as_tuple().exponent == -9
    if isinstance(want, Decimal):
        return got == want and got.as_tuple().exponent == -6
    return type(got) is type(want) and got == want


def near(got, want, of):
    """A percentile is at most 1 % off, and between the least and the largest number."""
    if isinstance(want, stats_figures.Seconds):
        got = int(got * stats_figures.SECOND)
    return of["min"] <= got <= of["max"] and abs(got - want) * 100 <= want and (want >= 100 or got == want or
                                                                               isinstance(want, stats_figures.Seconds))


def differences(got, want, path, of=None):
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return ["%s: %r, expected %r" % (path, got, want)]
        out = ["%s: only of the tool: %r" % ("%s.%s" % (path, k), got[k]) for k in got if k not in want]
        out += ["%s: not of the tool: %r" % ("%s.%s" % (path, k), want[k]) for k in want if k not in got]
        for key in want:
            if key in got:
                out += differences(got[key], want[key], "%s.%s" % (path, key), want)
        return out
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return ["%s: %r, expected %r" % (path, got, want)]
        return [d for i, (a, b) in enumerate(zip(got, want)) for d in differences(a, b, "%s[%d]" % (path, i))]
    ok = near(got, want, of) if path.rpartition(".")[2] in PERCENTILES else equal(got, want)
    return [] if ok else ["%s: %s, expected %s" % (path, got, want)]


class Checked:
    """What was compared, and what not."""

    def __init__(self):
        self.complaints, self.conns, self.left_out = [], 0, collections.Counter()
        self.seen = collections.Counter()


def own_side(direction):
    return {k: v for k, v in direction.items() if k != "dir"}


def check_connection(checked, name, line, intervals, conn):
    got = {k: v for k, v in line.items() if k not in OWN}
    got["directions"] = [own_side(d) for d in got["directions"]]
    want = conn.figures()
    checked.complaints += ["%s: %s" % (name, d) for d in differences(got, want, "")]
    checked.seen["whole" if want["whole"] else "not whole"] += 1
    for d in want["directions"]:
        checked.seen.update(k for k in d if isinstance(d[k], dict))
        checked.seen.update(k for k in d["tcp"] if d["tcp"][k])
        for k in ("reads", "atomics"):
            checked.seen.update(k + "." + x for x in d.get(k, {}) if d[k][x])
    said = {i["index"]: [own_side(d) for d in i["directions"]] for i in intervals}
    checked.complaints += ["%s: interval%s" % (name, d) for d in
                           differences(said, conn.intervals(int(Decimal(INTERVAL) * stats_figures.SECOND)), "")]
    order = [i["index"] for i in intervals]
    if order != sorted(order):
        checked.complaints.append("%s: intervals are out of order: %s" % (name, order))


def flat(value, path=""):
    """{path joined by dots: text as CSV has it} of a line, without histograms and directions."""
    if isinstance(value, dict):
        out = {}
        for key, inner in value.items():
            if key not in ("histogram", "directions", "type", "limits", "given_up"):
                out.update(flat(inner, "%s.%s" % (path, key) if path else key))
        return out
    return {path: {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)}


def seconds(text):
    return text if not re.fullmatch(r"0E-\d+", text) else "0." + "0" * int(text[3:])


def check_csv(checked, tool, path, words, lines, options, kind):
    """CSV has the values of the JSON Lines, a row a direction."""
    done = subprocess.run([tool, "stats", "-T", "csv", *options, *words, path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    reader = csv.DictReader(io.StringIO(done.stdout.decode("utf-8"), newline=""))
    want = []
    for line in lines:
        if line["type"] == kind:
            for direction in line["directions"]:
                row = {**flat(line), **flat(direction)}
                want.append({k: seconds(v) for k, v in row.items()})
    rows = list(reader)
    got = [{k: v for k, v in row.items() if v} for row in rows]
    for a, b in zip(got, want):
        wrong = {k: (a.get(k), b.get(k)) for k in {**a, **b} if a.get(k) != b.get(k)}
        if wrong:
            checked.complaints.append("%s: CSV: %s" % (path, wrong))
    if len(got) != len(want) or any(None in row for row in rows):
        checked.complaints.append("%s: CSV: %d rows, expected %d" % (path, len(got), len(want)))
    checked.seen["csv"] += len(got)


def metrics_of(text):
    """{(name, labels): number}."""
    out = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, number = re.fullmatch(r'(\w+)(?:\{(.*)\})? (\S+)', line).groups()
            key = (name, tuple(sorted(re.findall(r'(\w+)="([^"]*)"', labels or ""))))
            if key in out:
                raise ValueError("%s stands twice" % line)
            out[key] = Decimal(number)
    return out


COUNTERS = {"packets": "packets", "duplicate_packets": "duplicate_packets", "retransmitted_packets": "retransmitted_packets",
            "retransmitted_bytes": "retransmitted_octets", "out_of_order_packets": "out_of_order_packets",
            "zero_window_seconds": "zero_window_time", "gap_bytes": "gap_octets"}
SIZES = ["0"] + [str(64 << 2 * i) for i in range(8)] + ["+Inf"]


def expected_metrics(lines):
    out = collections.Counter()

    def add(name, value, **labels):
        out["iwarp_" + name, tuple(sorted(labels.items()))] += value

    def histogram(name, d, bounds, **labels):
        add(name + "_sum", d["sum"], **labels)
        add(name + "_count", d["count"], **labels)
        for le in bounds:
            top = Decimal("Infinity") if le == "+Inf" else Decimal(le)
            add(name + "_bucket", sum(n for bound, n in d["histogram"] if (Decimal("Infinity") if bound is None else bound) <= top),
                le=le, **labels)

    times = [("%.6f" % (b / 1e9)).rstrip("0").rstrip(".") for b in stats_figures.DURATION_BOUNDS] + ["+Inf"]
    add("connections_total", 0)
    for line in lines:
        if line["type"] != "stats":
            continue
        add("connections_total", 1)
        for d in line["directions"]:
            side = {"dir": d["dir"]}
            for name, key in COUNTERS.items():
                if "tcp" in d:
                    add(name + "_total", d["tcp"][key], **side)
            for key, name in (("count", "fpdus"), ("bad_crc", "bad_crc_fpdus")):
                if "fpdus" in d:
                    add(name + "_total", d["fpdus"][key], **side)
            for part, n in d.get("stream", {}).items():
                if part != "octets":
                    add("stream_bytes_total", n, part=part, **side)
            for name, m in d.get("messages", {}).items():
                add("messages_total", m["count"], operation=name, **side)
                if "size" in m:
                    histogram("message_size_bytes", m["size"], SIZES, operation=name, **side)
            for key, name in (("reads", "read-request"), ("atomics", "atomic-request")):
                r = d.get(key, {})
                labels = {"operation": name, **side}
                for figure, suffix in (("requests", ""), ("unanswered", "_unanswered"), ("left_out", "_left_out")):
                    if figure in r:
                        add("requests%s_total" % suffix, r[figure], **labels)
                for figure in ("response_time", "first_octet_time"):
                    if figure in r:
                        histogram(figure + "_seconds", r[figure], times, **labels)
    return dict(out)


def check_metrics(checked, tool, path, words, lines):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "metrics")
        subprocess.run([tool, "stats", "--metrics", name, *words, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        with open(name, encoding="utf-8") as stream:
            text = stream.read()
    got, want = metrics_of(text), expected_metrics(lines)
    wrong = {k: (got.get(k), want.get(k)) for k in {**got, **want} if got.get(k) != want.get(k)}
    if wrong or not text.endswith("\n# EOF\n"):
        checked.complaints.append("%s: metrics: %s" % (path, wrong))
    checked.seen["metrics"] += len(got)


class Page(html.parser.HTMLParser):
    """What a page of stats must keep: its sections, points, and no reference to anything else."""

    def __init__(self):
        super().__init__()
        self.open, self.sections, self.plots, self.points, self.wrong = [], 0, 0, 0, []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.wrong += ["<%s>" % tag] if tag in ("link", "img", "iframe", "use") else []
        self.wrong += ["%s of <%s>" % (k, tag) for k in named if k in ("style", "src", "href") or k.startswith("on")]
        if tag == "meta":
            return
        self.open.append(tag)
        self.sections += tag == "section"
        self.plots += tag == "figure"
        points = named.get("d", "").count("h0")
        self.points += points
        if points > 2000:
            self.wrong.append("%d points" % points)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag != "meta":
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</%s> closes nothing" % tag)


def check_html(checked, tool, path, words, lines):
    done = subprocess.run([tool, "stats", "-T", "html", *words, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    text = done.stdout.decode("utf-8")
    page = Page()
    page.feed(text)
    for tag in ("style", "script"):
        policy = re.search(tag + r"-src 'sha256-([^']*)'", text).group(1)
        inside = re.findall("<%s>(.*?)</%s>" % (tag, tag), text, re.DOTALL)
        if [base64.b64encode(hashlib.sha256(one.encode("utf-8")).digest()).decode("ascii") for one in inside] != [policy]:
            page.wrong.append("the policy forbids the %s" % tag)
    conns = sum(line["type"] == "stats" for line in lines)
    if page.wrong or page.open or page.sections != conns or "default-src 'none'" not in text:
        checked.complaints.append("%s: HTML: %s, open %s, %d sections of %d" %
                                  (path, page.wrong, page.open, page.sections, conns))
    checked.seen["plots"] += page.plots
    checked.seen["points"] += page.points


def check_formats(checked, tool, path, words, lines):
    check_html(checked, tool, path, words, lines)
    check_csv(checked, tool, path, words, lines, [], "stats")
    check_csv(checked, tool, path, words, lines, ["--interval", INTERVAL], "stats-interval")
    check_metrics(checked, tool, path, words, lines)


def check_capture(checked, tool, path, words):
    dumped = run(tool, "dump", "-T", "jsonl", *words, path)
    lines = run(tool, "stats", "-T", "jsonl", "--interval", INTERVAL, *words, path)
    if lines[0] != {"type": "run", "version": dumped[0]["version"], "format": 1, "command": "stats"}:
        checked.complaints.append("%s: the first line is %s" % (path, lines[0]))
    by_conn = collections.defaultdict(list)
    for line in dumped[1:]:
        by_conn[line["conn"]].append(line)
    figures = {line["conn"]: line for line in lines if line["type"] == "stats"}
    if sorted(figures) != sorted(by_conn):
        checked.complaints.append("%s: connections %s, dump has %s" % (path, sorted(figures), sorted(by_conn)))
        return
    packets = stats_figures.packets_of(path)
    if packets is None:
        checked.left_out["packets of other protocols, cut headers, or fragments"] += 1
        return
    ends = collections.defaultdict(list)
    for p in packets:
        ends[frozenset((capfile.endpoint(p.src), capfile.endpoint(p.dst)))].append(p)
    for number, line in figures.items():
        name = "%s conn %d" % (path, number)
        key = frozenset((line["initiator"], line["responder"]))
        twice = sum({other["initiator"], other["responder"]} == set(key) for other in figures.values()) > 1
        syns = {(p.src, p.seq) for p in ends[key] if p.flags & stats_figures.SYN}
        if line["transport"] != "tcp":
            checked.left_out["SCTP"] += 1
        elif twice or len(syns) > len({src for src, _ in syns}):
            checked.left_out["ports used again"] += 1
        else:
            try:
                conn = stats_figures.Connection(ends[key], by_conn[number])
            except stats_figures.Unclear:
                checked.left_out["places of Markers that dump does not say"] += 1
                continue
            intervals = [i for i in lines if i["type"] == "stats-interval" and i["conn"] == number]
            check_connection(checked, name, line, intervals, conn)
            checked.conns += 1


def tool_words(words):
    """The tool's options for refdec's."""
    out, words = [], list(words)
    while words:
        word = words.pop(0)
        out += ["-d", "tcp.port==" + words.pop(0)] if word == "--decode-port" else [word]
    return out


def captures_of(captures):
    """(path, option words of the tool)."""
    for name in captures:
        if name.endswith(".tsv"):
            for row in compare.manifest(name):
                yield row["file"], shlex.split(row["options"])
        else:
            for path, words in compare.captures([name], []):
                yield path, tool_words(words)


def main(tool, captures):
    checked = Checked()
    every = int(captures.pop(0).removeprefix("--every=")) if captures[0].startswith("--every=") else 1
    every *= min(kit.REPEATED, 2) if every > 1 else 1
    for number, (path, words) in enumerate(list(captures_of(captures))[::every]):
        if number % FORMATS_EVERY == 0:
            check_formats(checked, tool, path, words, run(tool, "stats", "-T", "jsonl", "--interval", INTERVAL, *words, path))
        check_capture(checked, tool, path, words)
    print("\n".join(checked.complaints))
    print("%d connections compared; left out: %s" % (checked.conns, dict(checked.left_out)))
    print("figures met: %s" % dict(sorted(checked.seen.items())))
    return 1 if checked.complaints or not checked.conns else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
