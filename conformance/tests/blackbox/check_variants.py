#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_variants: the findings of `TOOL check` on captures and on variants derived from them.

Variants of kind "same" must have exactly the original's findings, variants of kind "less" no violation or warning that
the original has not.  Exit status 1 when one is different.  The variants are for TCP: captures of SCTP are left to
sctp_variants.py.
"""

import argparse
import collections
import json
import os
import shlex
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
import compare
import refdec
import refsctp
import variants

GRAVE = ("violation", "warning")


def run_check(tool, words, paths):
    """Runs `check -T jsonl` on several files; returns (status, {base name: findings}, problem)."""
    command = shlex.split(tool) + ["check", "-T", "jsonl"] + words + paths
    done = subprocess.run(command, capture_output=True, check=False)
    found = {os.path.basename(path): [] for path in paths}
    for number, text in enumerate(done.stdout.decode("utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError as problem:
            return done.returncode, found, "line %d is no JSON: %s" % (number, problem)
        if line.get("type") == "finding" and line.get("certainty") != "suspected":
            found.setdefault(os.path.basename(line["file"]), []).append(line)
    if done.returncode not in (0, 1, 2, 3, 4):
        return done.returncode, found, "exit status %d: %s" % (
            done.returncode, done.stderr.decode("utf-8", "replace")[-300:])
    return done.returncode, found, None


def place(line, entry):
    """Where a finding is, in terms of the original capture."""
    src, dst = line.get("src"), line.get("dst")
    seq = line.get("seq")
    if seq is not None:
        seq = (seq - entry["shifts"].get("%s>%s" % (src, dst), 0)) & 0xFFFFFFFF
    names = entry["endpoints"]
    return names.get(src, src), names.get(dst, dst), seq


ORIGINAL = {"endpoints": {}, "shifts": {}}


def exact(lines, entry):
    """The multiset that must not change: rule, direction, connection, place."""
    numbers, seen, out = {}, {}, collections.Counter()
    for line in sorted(lines, key=lambda item: item.get("conn", -1)):
        src, dst, seq = place(line, entry)
        ends = tuple(sorted((src or "", dst or "")))
        if (ends, line.get("conn")) not in numbers:
            numbers[ends, line.get("conn")] = seen.get(ends, 0)
            seen[ends] = seen.get(ends, 0) + 1
        out[line["rule"], line.get("dir"), src, dst, numbers[ends, line.get("conn")], seq,
            line.get("offset"), line.get("severity")] += 1
    return out


def grave(lines, entry):
    """The set that must not grow: rule, ends, place of violations and warnings.  Without the startup the role is unknown."""
    out = set()
    for line in lines:
        if line.get("severity") in GRAVE:
            src, dst, seq = place(line, entry)
            at = ("seq", seq) if seq is not None else ("offset", line.get("offset"))
            out.add((line["rule"], src, dst, at))
    return out


def text_of(item):
    return " ".join(str(part) for part in item if part is not None)


def judge(before, after, entry):
    """Returns texts on what a variant's findings have too much or too little."""
    if entry["kind"] == "less":
        return ["new finding " + text_of(item)
                for item in sorted(grave(after, entry) - grave(before, ORIGINAL), key=str)]
    old, new = exact(before, ORIGINAL), exact(after, entry)
    return (["missing " + text_of(item) for item in sorted((old - new), key=str)]
            + ["new finding " + text_of(item) for item in sorted((new - old), key=str)])


def check_capture(tool, path, options, seed=1):
    """Returns (number of variants, texts) for one capture."""
    capture = capfile.read_capture(path)
    words = compare.tool_words(options)
    status, found, problem = run_check(tool, words, [path])
    if problem:
        return 0, ["the capture itself: " + problem]
    before, out = found[os.path.basename(path)], []
    with tempfile.TemporaryDirectory() as folder:
        index = variants.write_all(capture, folder, seed, options.ports)
        paths = [os.path.join(folder, entry["file"]) for entry in index]
        status, found, problem = run_check(tool, words, paths)
        if problem:
            return len(index), ["on the variants: " + problem]
        if status == 2:
            out.append("a variant was refused (exit status 2)")
        for entry in index:
            for text in judge(before, found[entry["file"]], entry):
                out.append("%s: %s" % (entry["name"], text))
    return len(index), out


def main(argv=None):
    parser = argparse.ArgumentParser(description="compare findings on a capture's variants")
    parser.add_argument("tool")
    parser.add_argument("capture", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-octets", type=int, default=0, help="skip larger captures, 0: none")
    parser.add_argument("--every", type=int, default=1, help="of so many captures one")
    parser.add_argument("--most", type=int, default=10, help="differences shown for a capture")
    args = parser.parse_args(argv)
    total = made = bad = 0
    option_parser = argparse.ArgumentParser()
    refdec.add_options(option_parser)
    for path, own in list(compare.captures(args.capture, []))[::args.every * kit.REPEATED]:
        if args.max_octets and os.path.getsize(path) > args.max_octets:
            continue
        options = refdec.options_of(option_parser.parse_args(own))
        try:
            if refsctp.associations(capfile.read_capture(path).packets):
                continue
            count, found = check_capture(args.tool, path, options, args.seed)
        except capfile.CaptureError as problem:
            count, found = 0, [str(problem)]
        total, made, bad = total + 1, made + count, bad + bool(found)
        for text in found[:args.most]:
            print("%s: %s" % (path, text))
        if len(found) > args.most:
            print("%s: and %d more" % (path, len(found) - args.most))
    print("%d captures, %d variants, %d captures differ" % (total, made, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
