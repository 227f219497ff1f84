#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare: runs `TOOL dump -T jsonl` and refdec on captures and compares them field by field.

compare.py TOOL CAPTURE...   CAPTURE may be a folder: all its captures, with the options of its
INDEX.json if there is one (as dumped.py writes it); or a manifest (MANIFEST.tsv): the captures
it lists, with the options it names.  Exit status 1 when anything differs.
"""

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys

import kit  # isort: skip
import capfile
import refdec
import refsctp

FIXED_REASONS = ("unfinished", "after reject")
NO_FRAME = ("gap", "undecodable")
# Keys of the contract: one that the tool prints where refdec has none is a difference.
CONTRACT = {"markers", "crc", "reject", "enhanced", "rev", "pd_length", "private_data", "ird",
            "ord", "a", "b", "c", "d", "key", "ulpdu_length", "pad", "crc_value", "marker_count",
            "ddp", "rdmap", "invalidate_stag", "read_request", "terminate", "immediate",
            "atomic_request", "atomic_response", "error", "length", "reason", "stag", "to", "qn",
            "msn", "mo", "ddp_segment_length", "ddp_header", "rdma_header", "stream", "ssn",
            "function", "name", "messages", "outbound_streams", "inbound_streams", "adaptation"}


def captures(paths, args):
    """Yields (path, option words) for the command line's captures and folders."""
    for path in paths:
        if path.endswith(".tsv"):
            for row in manifest(path):
                yield row["file"], refdec_words(row["options"]) + args
            continue
        if not os.path.isdir(path):
            yield path, args
            continue
        index = os.path.join(path, "INDEX.json")
        if os.path.exists(index):
            with open(index, encoding="utf-8") as stream:
                entries = json.load(stream)
            for entry in entries:
                yield os.path.join(path, entry["file"]), entry.get("args", []) + args
            continue
        for name in sorted(os.listdir(path)):
            if name.endswith((".pcap", ".pcapng")):
                yield os.path.join(path, name), args


def manifest(path):
    """Returns the rows of a manifest of captures, `file` as a path that can be opened."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        row["file"] = os.path.join(os.path.dirname(path), row["file"])
    return rows


def refdec_words(text):
    """refdec's option words for the tool's, as a manifest has them."""
    out = []
    for word in text.split():
        if word.startswith("tcp.port=="):
            out += ["--decode-port", word[10:]]
        elif word != "-d":
            out.append(word)
    return out


def tool_words(options):
    """The tool's options for refdec's."""
    words = []
    for port in sorted(options.ports):
        words += ["-d", "tcp.port==%d" % port]
    for name, value in (("markers", options.markers), ("crc", options.crc)):
        if value is not None:
            words.append("--%s=%s" % (name, "on" if value else "off"))
    return words


def run_tool(tool, words, path):
    """Returns (exit status, lines, problem) of one `dump`."""
    command = shlex.split(tool) + ["dump", "-T", "jsonl"] + words + [path]
    done = subprocess.run(command, capture_output=True, check=False)
    lines = []
    for number, text in enumerate(done.stdout.decode("utf-8").splitlines(), 1):
        try:
            lines.append(json.loads(text))
        except ValueError as problem:
            return done.returncode, lines, "line %d is no JSON: %s" % (number, problem)
    return done.returncode, [line for line in lines if "pdu" in line], None


def by_direction(lines):
    """Groups lines by connection (endpoints, how many such before) and sender."""
    instance, seen, groups = {}, {}, {}
    for line in lines:
        ends = tuple(sorted((line["src"], line["dst"])))
        if (ends, line["conn"]) not in instance:
            instance[ends, line["conn"]] = seen.get(ends, 0)
            seen[ends] = seen.get(ends, 0) + 1
        key = ends, instance[ends, line["conn"]], line["src"]
        groups.setdefault(key, []).append(line)
    return groups


def differences(mine, theirs, loose=(), path=""):
    """Returns texts on how two objects differ; keys in `loose` may be missing or partial."""
    out = []
    for key in sorted(set(mine) | set(theirs) & CONTRACT):
        name = path + key
        if key.startswith("_"):
            continue
        free = key in loose or name in loose
        if key not in mine or key not in theirs:
            empty = key == "private_data" and "" in (mine.get(key), theirs.get(key))
            if not free and not empty and not (key == "offset" and key not in mine):
                out.append("%s: refdec %s, tool %s" % (name, show(mine, key), show(theirs, key)))
        elif isinstance(mine[key], dict) and isinstance(theirs[key], dict):
            inner = set(mine[key]) ^ set(theirs[key]) if free else ()
            deeper = [*inner] + [item for item in loose if item.startswith(name + ".")]
            out += differences(mine[key], theirs[key], deeper, name + ".")
        elif key == "error" or free:
            continue
        elif key == "reason":
            if mine[key] != theirs[key] and {mine[key], theirs[key]} & set(FIXED_REASONS):
                out.append("reason: refdec %r, tool %r" % (mine[key], theirs[key]))
        elif mine[key] != theirs[key] or isinstance(mine[key], bool) != isinstance(
                theirs[key], bool):
            out.append("%s: refdec %s, tool %s" % (name, show(mine, key), show(theirs, key)))
    return out


def show(line, key):
    return json.dumps(line[key]) if key in line else "nothing"


def brief(line):
    what = line.get("rdmap", {}).get("name", line.get("reason", ""))
    return "%s %s seq %s" % (line.get("pdu"), what, line.get("seq"))


def compare_lines(mine, theirs):
    """Compares two lines; `file` by its base name, frame and time where the contract fixes them."""
    ours, tools = dict(mine), dict(theirs)
    loose = list(mine.get("_loose", ()))
    ours["file"], tools["file"] = (os.path.basename(l.get("file", "")) for l in (ours, tools))
    ours.pop("conn")
    tools.pop("conn")
    if mine["pdu"] in NO_FRAME:
        for line in (ours, tools):
            line.pop("frame", None)
            line.pop("time", None)
    return differences(ours, tools, loose)


def with_whole_gaps(lines):
    """Gaps that follow each other as one: the tool gives up a hole as far as the octets that waited for it demand."""
    out = []
    for line in lines:
        last = out[-1] if out else {}
        if line["pdu"] == last.get("pdu") == "gap" and (last["seq"] + last["length"]) % 2**32 == line["seq"]:
            out[-1] = {**last, "length": last["length"] + line["length"]}
        else:
            out.append(line)
    return out


def compare_direction(mine, theirs):
    """Compares the lines of one direction; returns the first difference as text, or None."""
    at, theirs = 0, with_whole_gaps(theirs)
    for line in mine:
        other = theirs[at] if at < len(theirs) else None
        if other is None or (other["pdu"], other["seq"]) != (line["pdu"], line["seq"]):
            last = at == len(theirs) - 1
            if line.get("_or_unfinished") and last and other["pdu"] == "undecodable":
                at += 1
                continue
            if line.get("_optional"):
                continue
            return "line %d: refdec has %s, tool has %s" % (
                at + 1, brief(line), brief(other) if other else "no more lines")
        found = compare_lines(line, other)
        if found:
            return "line %d (%s, frame %s): %s" % (at + 1, brief(line), line.get("frame"),
                                                   "; ".join(found[:6]))
        at += 1
    if at < len(theirs):
        return "line %d: refdec has no more lines, tool has %s" % (at + 1, brief(theirs[at]))
    return None


def compare_groups(mine, theirs):
    """Compares all directions; returns the differences as texts."""
    out = []
    ours, tools = by_direction(mine), by_direction(theirs)
    for key in sorted(set(ours) | set(tools)):
        ends, instance, src = key
        label = "%s > %s" % (src, ends[1] if src == ends[0] else ends[0])
        if instance:
            label += " (connection %d of these ends)" % (instance + 1)
        found = compare_direction(ours.get(key, []), tools.get(key, []))
        if found is None and key in ours and key in tools:
            if ours[key][0]["conn"] != tools[key][0]["conn"]:
                found = "conn: refdec %d, tool %d" % (ours[key][0]["conn"],
                                                      tools[key][0]["conn"])
        if found:
            out.append("%s: %s" % (label, found))
    return out


def compare_capture(tool, path, options):
    """Compares one capture; returns (number of lines, differences)."""
    try:
        directions, error = refdec.dump(path, options)
        directions = directions + refsctp.dump(path)[0]
    except capfile.CaptureError as problem:
        directions, error = [], str(problem)
    mine = [line for lines in directions for line in lines]
    status, theirs, problem = run_tool(tool, tool_words(options), path)
    if problem:
        return len(mine), [problem]
    out = []
    expected = 2 if error else 0
    if status != expected:
        out.append("exit status: expected %d, got %s" % (expected, status))
    return len(mine), out + compare_groups(mine, theirs)


def main(argv=None):
    parser = argparse.ArgumentParser(description="compare `TOOL dump` with refdec")
    parser.add_argument("tool")
    parser.add_argument("capture", nargs="+")
    parser.add_argument("--most", type=int, default=10, help="differences shown for a capture")
    refdec.add_options(parser)
    args, option_parser = parser.parse_args(argv), argparse.ArgumentParser()
    refdec.add_options(option_parser)
    words = []
    for port in args.decode_port:
        words += ["--decode-port", str(port)]
    words += ["--markers", args.markers] if args.markers else []
    words += ["--crc", args.crc] if args.crc else []
    total = lines = bad = 0
    for path, own in list(captures(args.capture, words))[::kit.REPEATED]:
        options = refdec.options_of(option_parser.parse_args(own))
        count, found = compare_capture(args.tool, path, options)
        total, lines, bad = total + 1, lines + count, bad + bool(found)
        for text in found[:args.most]:
            print("%s: %s" % (path, text))
        if len(found) > args.most:
            print("%s: and %d more" % (path, len(found) - args.most))
    print("%d captures, %d lines, %d captures differ" % (total, lines, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
