#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""metrics_doc: the page of the metrics, the alerts and the dashboard name what `iwarp stats --metrics` writes.

metrics_doc.py TOOL ROOT

Each query is parsed, and each metric, label and value in it is one that the tool writes, of a kind that the function takes.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import promql

CAPTURES = ["real/siw/crc-rping-64.pcap", "real/siw/loss-after-capture.pcap", "synthetic/sctp/sessions.pcap",
            "synthetic/rules/rdmap.atomic-response-id-pass.pcap", "synthetic/rules/mpa.crc-fail.pcap"]
PARTS = {"payload", "headers", "pad", "crc", "markers", "startup", "streaming", "undecoded", "missing"}
OPERATIONS = {"write", "read-request", "read-response", "send", "send-invalidate", "send-se", "send-se-invalidate", "terminate",
              "immediate", "immediate-se", "atomic-request", "atomic-response", "reserved"}
VALUES = {"dir": {"initiator", "responder", "unknown"}, "part": PARTS, "operation": OPERATIONS}
OF_ALL = {"interface", "instance"}  # labels that the service and Prometheus add
OTHERS = {"node_textfile_mtime_seconds": {"file"}, "node_textfile_scrape_error": set()}


class Family:
    def __init__(self, name):
        self.name, self.type, self.unit, self.help, self.labels = name, None, "", "", set()

    def shown(self):
        return self.name + ("_total" if self.type == "counter" else "")

    def samples(self):
        """The names of its samples."""
        return [self.shown()] if self.type == "counter" else [self.name + end for end in ("_bucket", "_sum", "_count")]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as stream:
        return stream.read()


def families_of(text, found):
    """Adds the families of an OpenMetrics text. Each has its lines in one place, TYPE first."""
    now = None
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""], "the text does not end with # EOF"
    for line in lines[:-2]:
        meta = re.fullmatch(r"# (TYPE|UNIT|HELP) (\w+) (.+)", line)
        if meta is not None:
            kind, name, rest = meta.groups()
            if kind == "TYPE":
                now = found.setdefault(name, Family(name))
            assert now is not None and now.name == name, line
            setattr(now, kind.lower(), rest)
            assert kind != "UNIT" or name.endswith("_" + rest), "%s does not end with its unit %s" % (name, rest)
            continue
        name, labels = re.fullmatch(r"(\w+)(?:\{(.*)\})? \S+", line).groups()
        assert now is not None and name in now.samples(), "%s is no sample of %s" % (line, now and now.name)
        pairs = re.findall(r'(\w+)="([^"]*)"', labels or "")
        now.labels |= {key for key, _ in pairs} - {"le"}
        for key, value in pairs:
            assert key == "le" or value in VALUES[key], line


def check_label(tool, root):
    """--metrics-label is the first label of each sample, and its value is escaped."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "metrics")
        subprocess.run([tool, "stats", "--metrics", path, "--metrics-label", 'interface=a"b\\c=\u00e9', os.path.join(root, "pcaps", CAPTURES[0])],
                       stdout=subprocess.DEVNULL, check=True)
        lines = [line for line in read(path).split("\n") if line and not line.startswith("#")]
    wrong = [line for line in lines if not re.match(r'\w+\{interface="a\\"b\\\\c=\u00e9"[,}]', line)]
    return ["no label: %s" % line for line in wrong] + ([] if lines else ["no sample"])


def written(tool, root):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "metrics")
        for capture in CAPTURES:
            subprocess.run([tool, "stats", "--metrics", path, os.path.join(root, "pcaps", capture)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=True)
            families_of(read(path), found)
    return found


def check_page(families, page):
    rows = re.findall(r"^\| `(iwarp_\w+)` \| (\w+) \| (\w*) ?\| (.*?) ?\| (.+) \|$", page, re.MULTILINE)
    assert len(rows) == len({row[0] for row in rows}), "a metric stands twice"
    shown = {name: (kind, unit, tuple(re.findall(r"`(\w+)`", labels)), text) for name, kind, unit, labels, text in rows}
    wanted = {f.shown(): (f.type, f.unit, tuple(sorted(f.labels)), f.help) for f in families.values()}
    wrong = {name: (shown.get(name), wanted.get(name)) for name in {**shown, **wanted} if shown.get(name) != wanted.get(name)}
    return ["metrics.md: %s is %s, the tool writes %s" % (name, *both) for name, both in sorted(wrong.items())]


def complaints_of_query(families, samples, text):
    try:
        query = promql.parse(text)
    except promql.Wrong as wrong:
        yield "no query: %s" % wrong
        return
    known = set(OF_ALL)
    for name, matchers, is_range in query.selectors:
        family = samples.get(name)
        if family is None and name not in OTHERS:
            yield "no metric %s" % name
            continue
        labels = OTHERS[name] if family is None else family.labels | ({"le"} if name.endswith("_bucket") else set())
        known |= labels
        for label, operator, value in matchers:
            if label not in labels | OF_ALL:
                yield "%s has no label %s" % (name, label)
            elif label in VALUES and not any(re.fullmatch(value, one) if "~" in operator else one == value for one in VALUES[label]):
                yield "%s of %s is never %s" % (label, name, value)
        if family is not None and not is_range:
            yield "%s is a counter and needs rate or increase" % name
        if family is None and is_range:
            yield "%s is no counter" % name
    yield from ("no label %s in by, on or ignoring" % label for label in sorted(query.labels - known))
    yield from ("histogram_quantile without buckets by le: %s" % text for text in query.quantiles
                if "_bucket" not in text or not re.search(r"\ble\b", text.split("{")[0]))


def dashboard_queries(text):
    """(title, query) of each panel; the variables of Grafana are replaced."""
    board = json.loads(text)
    variables = {variable["name"] for variable in board["templating"]["list"]}
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(set(numbers)) == len(numbers), "a number of a panel stands twice"
    assert board["uid"] and board["title"] and board["schemaVersion"] >= 30
    places = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & places and at["x"] + at["w"] <= 24, "%s lies on another panel" % panel["title"]
        places |= cells
        for target in panel["targets"]:
            for used in re.findall(r"\$\{?(\w+)", json.dumps(panel)):
                assert used in variables | {"__rate_interval"}, "no variable %s" % used
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*").replace("$interface", ".*")
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            metric = re.fullmatch(r"label_values\((.*), (?:instance|interface)\)", variable["query"]["query"]).group(1)
            yield "variable " + variable["name"], "sum(rate(%s[5m]))" % metric.replace("$instance", ".*")


def queries(root):
    page = read(root, "docs", "metrics.md")
    folder = os.path.join(root, "conformance", "metrics")
    for text in re.findall(r"\| `(.*)` \|$", page.split("## Queries")[1], re.MULTILINE):
        yield "docs/metrics.md", text
    for text in re.findall(r"^ +expr: (.*)$", read(folder, "iwarp-alerts.yml"), re.MULTILINE):
        yield "iwarp-alerts.yml", text
    for title, text in dashboard_queries(read(folder, "iwarp-dashboard.json")):
        yield "iwarp-dashboard.json: " + title, text


def main(tool, root):
    families = written(tool, root)
    samples = {name: family for family in families.values() for name in family.samples()}
    complaints = check_page(families, read(root, "docs", "metrics.md")) + check_label(tool, root)
    count = 0
    for where, text in queries(root):
        count += 1
        complaints += ["%s: %s: %s" % (where, text, wrong) for wrong in complaints_of_query(families, samples, text)]
    for line in complaints:
        print(line)
    print("%d metrics, %d queries" % (len(families), count))
    return 1 if complaints or count < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
