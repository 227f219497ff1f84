#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""hostile: captures cut and flipped at every 97th octet must not hurt `TOOL check` and `dump`.

Each mutated file must be read without a signal, within 30 s, with an exit status of the contract
and valid JSON lines; a file cut in mid-packet gives status 2 and one line on standard error.
Many files go into one run; what a run does wrong is then looked for file by file.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

import kit  # isort: skip
import capfile
import compare

BATCH_FILES, BATCH_OCTETS = 64, 8 << 20
HANG_S = 3600  # of one batch: the sign of a loop without end, which no load of the machine makes
CHECK, DUMP = ["check", "-T", "jsonl"], ["dump"]
STATUSES = {"check": (0, 1, 2, 3, 4), "dump": (0, 2)}
SANITIZER = {"ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}


class Mutant:
    """A mutated capture file: its octets and what must come of it."""

    def __init__(self, name, octets, broken):
        self.name, self.octets = name, octets
        self.broken = broken  # True: an input error is expected; False: none; None: either will do


def mutants(path, stride, limit, cut=True, flip=True):
    """Yields the mutants of a capture, evenly thinned out to at most `limit` places."""
    with open(path, "rb") as stream:
        blob = stream.read()
    clean = set(capfile.parse_capture(blob).clean_ends)
    places = list(range(0, len(blob), stride))
    if limit and len(places) > limit:
        places = [places[i * len(places) // limit] for i in range(limit)]
    base, suffix = os.path.splitext(os.path.basename(path))
    for at in places:
        if cut:
            yield Mutant("%s-cut%d%s" % (base, at, suffix), blob[:at], at not in clean)
        if flip:
            octets = blob[:at] + bytes((blob[at] ^ 0xFF,)) + blob[at + 1:]
            yield Mutant("%s-flip%d%s" % (base, at, suffix), octets, None)


def batches(items):
    """Groups mutants so that one run has neither too many files nor too many octets."""
    batch, size = [], 0
    for item in items:
        if batch and (len(batch) == BATCH_FILES or size + len(item.octets) > BATCH_OCTETS):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += len(item.octets)
    if batch:
        yield batch


def run(tool, words, folder, batch):
    """Runs the tool on a batch; returns what is wrong, or None."""
    command = shlex.split(tool) + words + [os.path.join(folder, item.name) for item in batch]
    environment = kit.some_search_leaks(dict(SANITIZER, **os.environ))
    try:
        done = subprocess.run(command, capture_output=True, timeout=HANG_S, check=False,
                              env=environment)
    except subprocess.TimeoutExpired:
        return "no end after %d s" % HANG_S
    return verdict(done, words, batch)


def verdict(done, words, batch):
    """Judges a finished run: signal, status, messages, output."""
    errors = [line for line in done.stderr.decode("utf-8", "replace").splitlines()
              if ": no iWARP found: " not in line]
    last = ": " + errors[-1][:200] if errors else ""
    if done.returncode < 0:
        return "killed by signal %d%s" % (-done.returncode, last)
    if done.returncode not in STATUSES[words[0]]:
        return "exit status %d%s" % (done.returncode, last)
    due = sum(item.broken is True for item in batch)
    open_ = sum(item.broken is None for item in batch)
    if due and done.returncode != 2:
        return "exit status %d where 2 is due%s" % (done.returncode, last)
    if not due and not open_ and done.returncode == 2:
        return "exit status 2 for whole captures%s" % last
    if not due <= len(errors) <= due + open_:
        return "%d lines on standard error, %d to %d are due%s" % (len(errors), due, due + open_,
                                                                  last)
    try:
        text = done.stdout.decode("utf-8")
    except UnicodeDecodeError as problem:
        return "output is not UTF-8: %s" % problem
    if "jsonl" in words:
        for line in text.splitlines():
            try:
                json.loads(line)
            except ValueError as problem:
                return "no JSON: %s: %s" % (problem, line[:100])
    return None


def try_batch(tool, batch, keep):
    """Runs check and dump on a batch; yields (mutant or batch name, command, problem)."""
    with tempfile.TemporaryDirectory() as folder:
        for item in batch:
            with open(os.path.join(folder, item.name), "wb") as out:
                out.write(item.octets)
        for words in (CHECK, DUMP):
            problem = run(tool, words, folder, batch)
            if problem is None:
                continue
            guilty = [(item, run(tool, words, folder, [item])) for item in batch]
            guilty = [(item, text) for item, text in guilty if text]
            if not guilty:
                names = "%s ... %s" % (batch[0].name, batch[-1].name)
                yield names, words, problem + " (not for any file alone)"
            for item, text in guilty:
                if keep:
                    os.makedirs(keep, exist_ok=True)
                    with open(os.path.join(keep, item.name), "wb") as out:
                        out.write(item.octets)
                yield item.name, words, text


def main(argv=None):
    parser = argparse.ArgumentParser(description="feed cut and flipped captures to the tool")
    parser.add_argument("tool")
    parser.add_argument("capture", nargs="+")
    parser.add_argument("--stride", type=int, default=97)
    parser.add_argument("--limit", type=int, default=0, help="places for each capture, 0: all")
    parser.add_argument("--keep", help="folder for the files that failed")
    parser.add_argument("--most", type=int, default=20, help="failures shown")
    parser.add_argument("--only", choices=("cut", "flip"))
    args = parser.parse_args(argv)
    files = failures = 0
    for path, _ in list(compare.captures(args.capture, []))[::min(kit.REPEATED, 2)]:
        items = mutants(path, args.stride, args.limit, args.only != "flip", args.only != "cut")
        for batch in batches(items):
            files += len(batch)
            for name, words, problem in try_batch(args.tool, batch, args.keep):
                failures += 1
                if failures <= args.most:
                    print("%s: %s: %s" % (name, " ".join(words), problem))
    print("%d files, %d failures" % (files, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
