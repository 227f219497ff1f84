#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""formats: every capture through every format and option of `TOOL dump` and `TOOL check`.

formats.py TOOL SCHEMA_FOLDER CAPTURE_FOLDER [--all]

All output is UTF-8 without control characters, whatever captures and file names hold; each line of
JSON fits its schema.  The formats agree: the same PDUs and the same findings, whatever more of them
is shown.  The captures go through the tool in one run for each set of options. Without --all one of three is
taken.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import schema_check  # noqa: E402  (beside the schemas' other test)

UNSHOWN = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
BANNER = re.compile(r"^(==> .* <==)?$")  # with several files, which one follows
CONFINED = re.compile(rb"iwarp: (?:not )?confined: ")
STREAMING = re.compile(r": streaming \d+ octets?$")
FINDING = re.compile(r"^.*?: (violation|warning|note): .* \[([a-z0-9.-]+), [a-z]+\]$")
SAMPLE = os.path.join("synthetic", "rules")
# Names that a terminal, a shell or JSON would take for something else; none is to come out as it is.
NAMES = [b"esc\x1b[31m.pcap", b"csi\xc2\x9b31m.pcap", b"nl\nverdict: pass.pcap", b"latin\xe9\x9b.pcap",
         b"quote\"\\'.pcap", b"del\x7f.pcap", b"cut\xe2\x82.pcap",
         "turned\u202egpj.\u2066\u2069pcap".encode(), "line\u2028\u2029.pcap".encode(), "\u00fc\u20ac\U0001F600.pcap".encode()]


class Run:
    """One run of the tool; complains at once about octets that no output may hold."""

    def __init__(self, tool, words, paths):
        done = subprocess.run([tool, *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, check=False)
        self.name = " ".join(words)
        self.status, self.errors = done.returncode, done.stderr
        for what, octets in (("output", done.stdout), ("messages", done.stderr)):
            found = UNSHOWN.search(octets)
            assert not found, "%s: %s: %r" % (self.name, what, octets[max(0, found.start() - 60):found.end()])
        self.lines = done.stdout.decode("utf-8").split("\n")
        assert self.lines.pop() == "", self.name + ": the last line has no end"


def objects(run, schema, fitting=True):
    """The lines of a run as JSON, each of which fits the schema."""
    out = []
    for line in run.lines:
        value = json.loads(line, object_pairs_hook=schema_check.refuse_double_keys)
        found = schema.complaint(value) if fitting else None
        assert not found, "%s: %s: %s" % (run.name, found, line[:300])
        if value.get("type") != "run":
            out.append(value)
    return out


def complaints(run):
    """The messages of a run, without those about captures without iWARP, names alike, and the confinement."""
    usual = (b": no iWARP found: ", b": --join reads them as one")
    return [line for line in run.errors.splitlines() if not any(text in line for text in usual) and not CONFINED.match(line)]


def check_dump(tool, schema, paths):
    """PDUs are the same in all forms; returns how many there are."""
    plain = objects(Run(tool, ["dump", "-T", "jsonl"], paths), schema)
    runs = {words: Run(tool, ["dump", *words], paths)
            for words in ((), ("-q",), ("-V",), ("-x",), ("-v",), ("-V", "-x"))}
    assert {run.status for run in runs.values()} == {0}
    assert not any(complaints(run) for run in runs.values())
    heads = [line for line in runs[()].lines if not STREAMING.search(line) and not BANNER.match(line)]
    assert len(heads) == len(plain), "%d lines, %d objects" % (len(heads), len(plain))
    for line, value in zip(heads, plain):
        assert " frame %d conn %d %s > %s: " % (value["frame"], value["conn"], value["src"],
                                               value["dst"]) in line, (line, value)
    for words, run in runs.items():
        assert [line for line in run.lines if not line.startswith("    ")] == runs[()].lines, words
    assert runs[("-q",)].lines == runs[()].lines
    assert runs[("-v",)].lines == runs[("-V",)].lines
    assert len(runs[("-V", "-x")].lines) + len(runs[()].lines) == \
        len(runs[("-V",)].lines) + len(runs[("-x",)].lines)
    more = objects(Run(tool, ["dump", "-T", "jsonl", "-V", "-x"], paths), schema, fitting=False)
    assert len(more) == len(plain)
    for less, value in zip(plain, more):  # golden.schema compares it with the schema
        assert all(value.get(key) == inner for key, inner in less.items()), (less, value)
    return len(plain)


def found_in_text(run):
    return Counter(m.group(2) for m in map(FINDING.match, run.lines) if m)


def check_check(tool, schema, paths):
    """Findings are the same in all forms; returns how many there are."""
    plain_run = Run(tool, ["check", "-T", "jsonl"], paths)
    plain = objects(plain_run, schema)
    summary = plain[-1]
    found = Counter(v["rule"] for v in plain if v["type"] == "finding")
    assert summary["type"] == "summary" and summary["rules"] == dict(found), summary
    assert summary["connections"] == sum(v["type"] == "connection" for v in plain)
    for words in (("-q",), ("-v",), ("-x",), ("-V",), ("-v", "-q"), ("-V", "-x", "-v")):
        for form in ("text", "jsonl"):
            run = Run(tool, ["check", "-T", form, *words], paths)
            assert run.status == plain_run.status and not complaints(run), run.name
            if form == "jsonl":
                values = objects(run, schema, fitting=words == ("-q",))
                # Less with -q, else the same: findings have no more to show in JSON.
                assert values[-1] == summary
                assert len(values) == 1 if words == ("-q",) else True, run.name
                if "-q" not in words:
                    assert values == plain, run.name
            else:
                assert [line for line in run.lines if re.match("verdict: %s\\b" % summary["verdict"], line)], run.name
                if "-v" in words and "-q" not in words:
                    assert found_in_text(run) == found, run.name
                if words == ("-q",):
                    assert not found_in_text(run) and not any(": conn " in line for line in run.lines)
    return sum(found.values())


def shown(name, lost):
    """A name as text has it (`lost` is "?") or JSON (U+FFFD, which keeps control characters)."""
    out = ""
    for letter in name.decode("utf-8", "surrogateescape"):
        if "\udc80" <= letter <= "\udcff":
            out += lost
        elif lost == "?" and re.match("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", letter):
            out += "?" * len(letter.encode())
        else:
            out += letter
    return out


def check_name(tool, schemas, path, other):
    """One name in output and in messages; the file is gone afterwards."""
    name = shown(os.path.basename(path), "?")
    text = Run(tool, ["check", "-v"], [path])
    assert text.status == 1 and any(map(FINDING.match, text.lines)), text.lines
    for line in text.lines:
        assert line.startswith((name + ":", "  ", "verdict: fail")), (name, line)
    assert Run(tool, ["dump"], [path, other]).lines[0] == "==> %s <==" % name
    for command in ("check", "dump"):
        for value in objects(Run(tool, [command, "-T", "jsonl"], [path]), schemas[command]):
            wanted = shown(os.path.basename(path), "\ufffd")
            assert value.get("file", wanted) == wanted, (wanted, value)
    os.unlink(path)
    gone = Run(tool, ["check"], [path])
    reported = gone.errors.decode("utf-8").splitlines()
    assert gone.status == 2 and len(reported) == 1 and reported[0].startswith("iwarp: "), reported
    assert name in reported[0], reported


def check_names(tool, schemas, folder):
    """Names of files that hold what a terminal, a shell or JSON would obey."""
    source = next(path for path in schema_check.captures([os.path.join(folder, SAMPLE)])
                  if subprocess.run([tool, "check", "-q", path], stdout=subprocess.DEVNULL,
                                    check=False).returncode == 1)
    with tempfile.TemporaryDirectory() as place:
        for name in NAMES:
            path = os.path.join(place.encode(), name)
            shutil.copy(source, path)
            check_name(tool, schemas, path, source)
    return len(NAMES)


def main(tool, schema_folder, folder, *option):
    schemas = {name: schema_check.Schema(os.path.join(schema_folder, name + ".schema.json"))
               for name in ("dump", "check")}
    paths = list(schema_check.captures([folder]))[::1 if option == ("--all",) else 3]
    pdus = check_dump(tool, schemas["dump"], paths)
    findings = check_check(tool, schemas["check"], paths)
    names = check_names(tool, schemas, folder)
    print("%d captures, %d PDUs, %d findings, %d names" % (len(paths), pdus, findings, names))
    assert pdus > 1000 and findings > 100


if __name__ == "__main__":
    main(*sys.argv[1:])
