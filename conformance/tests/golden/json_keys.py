#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""json_keys: docs/json-keys.md has type, unit and an example of each key of the JSON Lines.   json_keys.py TOOL ROOT [--update]

The keys and types come from the schemas, and the examples from lines that the tool writes. Where it writes none here, because a key
takes a live peer, shards or a rare capture, the example stands below. --update writes the page.
"""

import json
import os
import re
import subprocess
import sys

import schema_check

HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made by conformance/tests/golden/json_keys.py --update from the schemas and the output of the tool. -->
# Keys of the JSON Lines

Each key that the tool writes, with its type, its unit and an example. [json.md](json.md) says what the keys mean, and
[stats.md](stats.md) defines the figures. A name such as `tcp` in the column of types is another table of the same schema.
Of numbers without a unit, the key says what they count or number. Strings of hex digits have `0x` where they are numbers.
"""

# Commands whose lines fit a schema; a path is one of pcaps.
RUNS = {
    "check": [["check", path] for path in (
        "real/siw/term-read-badkey.pcap", "real/siw/crc-rping-64.pcap", "real/siw/rping-closed-port.pcap", "real/siw/loss-after-capture.pcap",
        "real/siw/rping-kill-server.pcap", "real/siw/stalled-first-fpdu.pcap", "synthetic/sctp/sessions.pcap", "real/siw/hp-err-msn-skip.pcap",
        "real/siw/ird-strict.pcap", "synthetic/rules/mpa.crc-fail.pcap", "real/siw/duplicate.pcap", "real/siw/all-bad.pcap",
        "synthetic/wireshark-defects/u16.pcap", "synthetic/sctp/terminate-shapes.pcap", "synthetic/wireshark-defects/v3.pcap",
        "synthetic/wireshark-defects/t21.pcap", "synthetic/wireshark-defects/t15.pcap", "synthetic/traffic/no-iwarp.pcap",
        "synthetic/sctp/checksums.pcap")]
    + [["check", "--shard", "0/1", "real/siw/crc-rping-64.pcap"]],
    "dump": [["dump", *options, path] for options in ([], ["-V", "-x"]) for path in (
        "real/siw/crc-rping-64.pcap", "real/siw/term-read-badkey.pcap", "synthetic/sctp/sessions.pcap", "real/siw/loss-after-capture.pcap",
        "real/siw/ird-strict.pcap", "synthetic/rules/rdmap.atomic-response-id-pass.pcap", "synthetic/rules/mpa.marker-value-pass.pcap")]
    + [["dump", "-V", "-x", path] for path in (
        "synthetic/wireshark-defects/t13.pcap", "synthetic/rules/sctp.message-length-fail.pcap", "synthetic/sctp/ssn-jump.pcap",
        "real/siw/nfs4-mount-ls.pcap", "synthetic/traffic/reply-length-covers-markers.pcap", "synthetic/wireshark-defects/t21.pcap",
        "real/siw/smbdirect-session.pcap", "real/siw/hp-err-opcode-8.pcap", "synthetic/sctp/terminate.pcap",
        "synthetic/rules/sctp.session-order-fail.pcap", "synthetic/rules/sctp.private-data-length-fail.pcap",
        "synthetic/rules/rdmap.terminate-headers-fail.pcap", "synthetic/rules/mpa.request-key-fail.pcap")],
    "stats": [["stats", "--interval", "0.01", path] for path in (
        "real/siw/crc-rping-64.pcap", "real/siw/loss-after-capture.pcap", "real/siw/crc-loss.pcap",
        "synthetic/rules/rdmap.atomic-response-id-pass.pcap", "real/siw/midstream.pcap",
        "synthetic/rules/mpa.ulpdu-length-max-fail.pcap")],
    "rules": [["rules"], ["rules", "--diagnoses"]],
    "coverage": [["coverage"]],
    "peer": [["peer", "--list", "connect", "127.0.0.1:1"]],
}
COMMANDS = ("check", "dump", "stats", "rules", "coverage", "decode", "probe", "peer")

# Examples of keys that no line of these runs has, by key, or by "table key" where a key has several.
SHOWN = {
    "other_frame_file": '"b.pcap"', "frames_file": '["b.pcap"]', "about_frame_file": '"b.pcap"', "frame_file": '"b.pcap"',
    "end_frame_file": '"b.pcap"', "max_frame_file": '"b.pcap"', "version": '"0.2.0"', "at": "5", "packet": "17",
    "capture protocol": '"ESP"', "capture conn": "0", "capture src": '"10.0.0.1:4791"', "capture dst": '"10.0.0.2:40000"',
    "capture other_frame": "12", "capture seq": "305419896", "capture length": "64", "summary failed_by": '"outcome"',
    "shard results": "[[12, 2, 53, 0, 0]]", "diagnosis text": '"The server refused the connection."',
    "finding unless": '"the capture lost octets"', "finding known": '"baseline"', "given_up": '"memory"', "summary given_up": "1",
    "cookie": '"0x0000beef"', "cc": "1", "invalidate_stag": '"0x00000102"', "immediate": '"0011223344556677"', "atomic_request_reserved": "1",
    "surplus": "4", "sctp_undecodable error": '"message-length"', "ssn": "0", "segment": '"414300000000"', "function": "1", "private_data": '""',
    "decode.sctp_adaptation length": "8", "decode.sctp_adaptation type": '"0xc006"', "indication": '"0x00000001"', "ird": "16", "ord": "16",
    "format": '"0xf6ab0e18"', "rpc_rdma version": "1", "remote_invalidation": "true", "send_size": "4096", "receive_size": "4096",
    "fpduptr": "0", "marker_at at": "0", "expected": "0", "layer": "1", "etype": "1", "terminate code": '"0x00"', "m": "true", "d": "true",
    "r": "false", "ddp_segment_length": "40", "rest": '""', "fell_back": "true", "pings": "[0.000041, 0.000038]",
    "probe why": '"the Reply rejects the connection"', "probe note": '"the connection ended with a Terminate"',
    "finding case": '"ddp.bounds"', "connection": "1", "asked": "true", "finding offset": "44", "finding rule": '"ddp.tagged-bounds"',
    "finding requirements": '["rfc5041-7.1-13"]', "finding level": '"MUST"', "finding expected": '"0"', "finding observed": '"1"',
    "finding message": '"PAD is not zero: expected 0, found 1"', "case case": '"ddp.bounds"',
    "case title": '"a Write past the end of the region is refused"', "case requirements": '["rfc5041-7.1-13"]',
    "case due": '"terminate layer=1 etype=1 code=1"', "case seen": '"fin"', "case why": '"the target closed in time"', "case file": '"cases/ddp.bounds"',
    "case seconds": "1.000000", "plays": "1", "line": "7", "summary target": '"10.0.0.1:7174"', "canary": "0.000310",
    "summary seen": '"rst"', "summary why": '"the target never passed the canary"', "summary status": "0",
}

OTHERS = {"reserved": ['"0x0"', '"0x00"', '"0x0000"', '"0x0000000"', '"0x0000000000"'], "ddp_header": [json.dumps("4142000000010000000000001000")],
         "rdma_header": [json.dumps("00000101" "0000000000002000" "00000040" "00000102" + "0000000000001000")], "limits": ['{"memory": 1}'],
         "encapsulation": ['{"vlan": 12}'], "fields": ['{"ddp": {"tagged": true, "last": true}}'], "verdicts": ['{"pass": 80, "fail": 1}'],
         "findings": ['{"mpa.pad-zero": 1}']}

# Units of numbers by key, or by "table key" where a key has several.
OCTETS = {"octets", "length", "octet_length", "size", "receive_size", "send_size", "ulpdu_length", "pad", "payload", "headers", "streaming",
          "undecoded", "missing", "gap_octets", "retransmitted_octets", "snaplen", "pd_length", "ddp_segment_length", "surplus", "offset",
          "octet_offset", "stream crc", "stream markers", "stream startup"}
UNITLESS_NUMBERS = {"mean"}  # other numbers with a fraction are seconds


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as stream:
        return stream.read()


class Exact(float):
    """A number with a fraction, as it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def parsed(text):
    return json.loads(text, parse_float=Exact)


class Tables:
    """The tables of a schema: each object with keys, and where its lines show an example of each."""

    def __init__(self, name, path):
        self.name, self.checks = name, schema_check.Schema(path)
        self.root = self.checks.root
        self.rows = {}  # {table: {key: schema}}
        self.examples = {}
        for table, node in {**({name: self.root} if "properties" in self.root else {}), **self.root.get("$defs", {})}.items():
            self.add(table, self.inner(node))

    def add(self, table, node):
        if "properties" not in node:
            return
        self.rows[table] = node["properties"]
        for key, inner in node["properties"].items():
            self.add(table + "." + key, self.inner(inner))

    def inner(self, node):
        """The schema of the items of an array."""
        while node.get("type") == "array" and "items" in node:
            node = node["items"]
        return node

    def fits(self, node, value):
        return self.checks.compile(node)(value, "") is None

    def see(self, node, value, table):
        if "$ref" in node:
            table = node["$ref"].rsplit("/", 1)[1]
            self.see(self.root["$defs"][table], value, table)
        elif "oneOf" in node:
            for one in node["oneOf"]:
                if self.fits(one, value):
                    self.see(one, value, table)
                    return
        elif isinstance(value, list):
            for item in value:
                self.see(node.get("items", {}), item, table)
        elif isinstance(value, dict):
            for key, item in value.items():
                inner = node.get("properties", {}).get(key)
                if inner is not None:
                    self.example(table, key, item, self.sample(inner, item))
                    self.see(inner, item, table + "." + key)
                elif isinstance(node.get("additionalProperties"), dict):
                    self.see(node["additionalProperties"], item, table)

    def sample(self, node, value):
        """The first two entries of an object whose keys are data; else None."""
        while "$ref" in node:
            node = self.root["$defs"][node["$ref"].rsplit("/", 1)[1]]
        data = isinstance(value, dict) and value and isinstance(node.get("additionalProperties"), dict)
        return dict(list(value.items())[:2]) if data and not isinstance(list(value.values())[0], dict) else None

    def example(self, table, key, value, sample):
        value = value if sample is None else sample
        text = value.text if isinstance(value, Exact) else json.dumps(value, ensure_ascii=False)
        if len(text) > 100 or (isinstance(value, dict) and sample is None) or (isinstance(value, list) and (not value or isinstance(value[0], dict))):
            return
        self.examples.setdefault((table, key), text)

    # ---- one row ----

    def kind(self, node, table):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            whole = self.root["$defs"][name]
            return self.kind(whole, name if "items" in whole else table) if name not in self.rows or "items" in whole else "`%s`" % name
        if "const" in node:
            return "%s" % json.dumps(node["const"])
        if "enum" in node:
            return ", ".join(json.dumps(value) for value in node["enum"])
        if "oneOf" in node:
            return " or ".join(dict.fromkeys(self.kind(one, table) for one in node["oneOf"]))
        if node.get("type") == "array":
            return "array of " + self.kind(node.get("items", {}), table)
        if "properties" in node:
            return "`%s`" % table
        if isinstance(node.get("additionalProperties"), dict):
            return "object of " + self.kind(node["additionalProperties"], table)
        return node.get("type", "any")

    def number(self, node):
        if "$ref" in node:
            return self.number(self.root["$defs"][node["$ref"].rsplit("/", 1)[1]])
        if node.get("type") == "array":
            return self.number(node.get("items", {}))
        return node.get("type") if node.get("type") in ("number", "integer") else None

    def unit(self, table, key, node):
        number = self.number(node)
        if number == "number":
            return "" if key in UNITLESS_NUMBERS else "s"
        if key == "time" and number is None:
            return "s since 1970"
        if number is None:
            return ""
        return "octets" if key in OCTETS or "%s %s" % (table, key) in OCTETS else ""

    def row(self, table, key, node):
        example = self.examples.get((table, key))
        if example is None:
            example = self.shown(table, key, node) or self.made(node)
        kind = self.kind(node, table + "." + key)
        return "| `%s` | %s | %s | %s |" % (key, kind, self.unit(table, key, node), "`%s`" % example.replace("|", "\\|") if example else "")

    def shown(self, table, key, node):
        """The example of SHOWN that fits."""
        texts = [SHOWN.get("%s %s" % (table, key)), SHOWN.get(key)] + OTHERS.get(key, [])
        return next((text for text in texts if text and self.fits(node, json.loads(text))), None)

    def made(self, node):
        """The example of a constant, a name, a boolean or a small number; None: an object, whose table has examples, or text, which SHOWN must have."""
        if "$ref" in node:
            return self.made(self.root["$defs"][node["$ref"].rsplit("/", 1)[1]])
        if "oneOf" in node:
            return self.made(node["oneOf"][0])
        if "const" in node or "enum" in node:
            return json.dumps(node.get("const", node.get("enum", [None])[0]))
        kind = node.get("type")
        if kind == "array":
            inner = self.made(node.get("items", {}))
            return None if inner is None else "[%s]" % inner
        if kind in ("integer", "number"):
            return str(max(1, node.get("minimum", 1)))
        if kind == "boolean":
            return "true"
        return None

    def page(self):
        out = ["", "## `%s.schema.json`" % self.name]
        for table, keys in self.rows.items():
            out += ["", "### `%s` of `%s`" % (table, self.name), "", "| Key | Type | Unit | Example |", "|---|---|---|---|"]
            out += [self.row(table, key, node) for key, node in keys.items()]
        return out


def lines_of(tool, root, words):
    command, *rest = words
    rest = [os.path.join(root, "pcaps", word) if word.endswith(".pcap") else word for word in rest]
    done = subprocess.run([tool, command, "-T", "jsonl", *rest], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [parsed(line) for line in done.stdout.decode("utf-8").splitlines()]


def of_page(text, word):
    """Lines of json.md that are examples of a type."""
    for part in re.findall(r'^    (\{"type":"%s".*(?:\n    .*)*)' % word, text, re.MULTILINE):
        if "..." not in part:
            yield parsed(part.replace("\n", " "))


def made(tool, root):
    out, wrong = [HEAD.rstrip("\n")], []
    described = read(root, "docs", "json.md")
    for name in COMMANDS:
        tables = Tables(name, os.path.join(root, "conformance", "schema", name + ".schema.json"))
        lines = [line for words in RUNS.get(name, []) for line in lines_of(tool, root, words)]
        for word in ("probe", "run") if name == "probe" else ("case", "summary") if name == "peer" else ():
            lines += of_page(described, word)
        lines += decoded(tool, root) if name == "decode" else []
        for line in lines:
            tables.see(tables.root, line, name)
        out += tables.page()
        for (table, key), example in tables.examples.items():
            if key not in tables.rows.get(table, {}):
                wrong.append("%s: %s has no table, of %s" % (name, table, key))
            elif not tables.fits(tables.rows[table][key], json.loads(example)):
                wrong.append("%s: %s: %s: the example does not fit" % (name, table, key))
    return "\n".join(out) + "\n", wrong


def decoded(tool, root):
    folder = os.path.join(root, "libiwarp", "tests", "vectors")
    frames = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            frames += re.findall(r'"(?:wire|hex|octets)": ?"([0-9a-f]{8,})"', read(folder, name))[:4]
    done = [subprocess.run([tool, "decode", "-T", "jsonl", frame], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
            for frame in frames]
    return [parsed(line) for text in done for line in text.decode("utf-8").splitlines()]


def main(tool, root, update=None):
    text, wrong = made(tool, root)
    path = os.path.join(root, "docs", "json-keys.md")
    if update == "--update":
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    else:
        now = read(path)
        wrong += [] if now == text else ["%s is not what the schemas and the tool make: json_keys.py --update, and read what changed" % path]
    rows = re.findall(r"^\| `.*", text, re.MULTILINE)
    wrong += ["no example: %s" % row for row in rows if row.endswith("|  |") and not re.match(r"\| `[^`]*` \| ((array|object) of )?`", row)]
    for line in wrong[:20]:
        print(line)
    print("%d keys" % len(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
