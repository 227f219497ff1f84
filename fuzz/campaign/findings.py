# SPDX-License-Identifier: BSD-2-Clause
"""findings: the inputs that stopped a target, one for each reason, with the reason in one line."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ORACLE = re.compile(r"^[a-z_0-9]+\.c:\d+: .*$", re.MULTILINE)
SANITIZER = re.compile(r"^(?:.*\.[ch]:\d+:\d+: runtime error: .*|SUMMARY: .*)$", re.MULTILINE)
NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")
REPLAY_S = 600


@dataclass
class Finding:
    """One reason for which a target stops."""
    target: str
    reason: str
    input: Path
    inputs: int = 1
    also: list = field(default_factory=list)


def replay(program, path):
    """Runs one input; the reason for which the target stops, or None."""
    environment = {**os.environ, "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1",
                   "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1"}
    try:
        done = subprocess.run([program, path], env=environment, capture_output=True, timeout=REPLAY_S, check=False)
    except subprocess.TimeoutExpired:
        return f"no end within {REPLAY_S} s"
    if done.returncode == 0:
        return None
    text = done.stderr.decode("utf-8", "replace") + done.stdout.decode("utf-8", "replace")
    for pattern in (ORACLE, SANITIZER):
        match = pattern.search(text)
        if match:
            return match.group(0).strip()
    return f"ended with status {done.returncode}"


def same(reason):
    """What two reasons have in common that differ in numbers only; an oracle's line stays."""
    place, colon, rest = reason.partition(": ")
    return place + colon + NUMBERS.sub("N", rest)


def sort(target, program, paths):
    """Replays inputs that stopped a target; the shortest of each reason stands for all."""
    found = {}
    for path in sorted(paths, key=lambda p: (p.stat().st_size, p.name)):
        reason = replay(program, path)
        if reason is None:
            continue
        finding = found.setdefault(same(reason), Finding(target, reason, path, inputs=0))
        finding.inputs += 1
        finding.also.append(path)
    return list(found.values())


def saved(out, target, kind):
    """The inputs that afl-fuzz kept: `crashes` or `hangs`."""
    return [p for p in sorted(Path(out, target).glob(f"*/{kind}/id*")) if p.is_file()]
