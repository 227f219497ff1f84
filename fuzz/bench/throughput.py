#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""throughput: executions per second of CPU of every fuzz target, next to a harness that does nothing, in the same run.

throughput.py [--afl BUILD] [--plain BUILD] [--asan BUILD] [--seconds N] [--json FILE] [TARGET...]

--afl: a build for AFL++ (CC=afl-clang-fast, IWARP_FUZZ_ENGINE=afl, a release build): targets of a single frame, in persistent
mode with shared memory, by afl-fuzz; the ratio to fuzz-empty is what counts.  --plain, --asan: builds for libFuzzer, without
and with sanitizers: all targets.  Seeds of at most 512 octets.  Under libFuzzer CPU time is counted, including the
engine's, not the time of day: machines are shared.  Under AFL++ it is the time of day, of a core that does nothing
else.  Exit status 1 when a target
is slower than docs/fuzzing.md says.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SMALL = 512  # octets of a seed
SEEDS_OF_EMPTY = "field"  # the harness that does nothing takes the frames that this target takes

SINGLE = ("startup", "fpdu", "markers", "ddp", "rdmap", "terminate", "crc", "field", "values")
ENGINES = ("rx", "rx-nocrc", "tx", "differential", "observer", "endpoint", "pair", "sctp-session", "sctp-observer", "rules",
           "tcp", "sctp")
RATIO_LEAST, PLAIN_LEAST, ASAN_LEAST = 0.5, 5000, 1500


def targets():
    return sorted(p.stem.removeprefix("fuzz_").replace("_", "-") for p in (ROOT / "fuzz/targets").glob("fuzz_*.c"))


def small_seeds(seeds, target, folder):
    """The small seeds of a target in a folder of their own."""
    out = Path(folder) / target
    out.mkdir()
    (out / "empty").write_bytes(b"0")
    source = seeds / (SEEDS_OF_EMPTY if target == "empty" else target)
    for path in sorted(source.glob("*")) if source.is_dir() else []:
        if path.stat().st_size <= SMALL:
            shutil.copy(path, out)
    return out


def one_core():
    """afl-fuzz and its target take turns: on two cores each would wait for the other one's to wake up."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(words, **environment):
    """Runs a program; returns its output and the CPU seconds of it and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, check=False, env={**os.environ, **environment}, preexec_fn=one_core)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout + done.stderr).decode(errors="replace"), cpu


def by_afl(program, seeds, seconds):
    """Executions and seconds under afl-fuzz, which kills its target, so that the CPU time of that is lost: these are seconds of
    the time of day. Trimming is left out."""
    with tempfile.TemporaryDirectory() as out:
        text, _ = run(["afl-fuzz", "-i", str(seeds), "-o", out, "-V", str(seconds), "-G", str(SMALL), "-s", "1", "-m", "none", "-t", "5000",
                       "--", str(program)],
                      AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_NO_AFFINITY="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
                      AFL_DISABLE_TRIM="1", AFL_FAST_CAL="1")
        stats = Path(out) / "default/fuzzer_stats"
        if not stats.exists():
            sys.exit(f"throughput: {program}: {text[-2000:]}")
        done, rate = (float(re.search(rf"^{key} +: ([\d.]+)", stats.read_text(), re.MULTILINE).group(1)) for key in ("execs_done", "execs_per_sec"))
        return int(done), done / rate


def by_libfuzzer(program, seeds, seconds):
    """The same under libFuzzer, on inputs of up to SMALL octets."""
    with tempfile.TemporaryDirectory() as out:
        text, cpu = run([str(program), f"-max_total_time={seconds}", f"-max_len={SMALL}", "-entropic=0", "-print_final_stats=1", "-seed=1",
                         f"-artifact_prefix={out}/", out, str(seeds)])
        found = re.search(r"^stat::number_of_executed_units: *(\d+)", text, re.MULTILINE)
        if not found:
            sys.exit(f"throughput: {program}: {text[-2000:]}")
        return int(found.group(1)), cpu


def measure(rows, kind, build, names, runner, seconds, seeds):
    """Adds a row a target; `empty` comes first, and every ratio is to it."""
    with tempfile.TemporaryDirectory() as folder:
        empty = None
        for name in ["empty", *names]:
            executions, spent = runner(Path(build) / "bin" / f"fuzz-{name}", small_seeds(seeds, name, folder), seconds)
            rate = executions / spent if spent else 0
            empty = rate if empty is None else empty
            rows.append({"target": name, "build": kind, "executions": executions, "s": round(spent, 2),
                         "per_s": round(rate), "of_empty": round(rate / empty, 3)})
            print("%-6s %-14s %9d a second, %.2f of an empty harness" % (kind, name, rate, rate / empty), flush=True)


def slow(rows):
    """The rows that miss what is asked of them."""
    least = {"plain": PLAIN_LEAST, "asan": ASAN_LEAST}
    return [r for r in rows if (r["build"] == "afl" and r["target"] in SINGLE and r["of_empty"] < RATIO_LEAST) or
            (r["target"] in ENGINES and r["per_s"] < least.get(r["build"], 0))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for kind in ("afl", "plain", "asan"):
        parser.add_argument(f"--{kind}", help=f"the {kind} build")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--json", help="where to write the rows")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    names = args.targets or targets()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds"
        subprocess.run([sys.executable, "-B", str(ROOT / "fuzz/tools/mkseeds.py"), str(seeds)], check=True)
        if args.afl:
            measure(rows, "afl", args.afl, [n for n in names if n in SINGLE], by_afl, args.seconds, seeds)
        for kind in ("plain", "asan"):
            if getattr(args, kind):
                measure(rows, kind, getattr(args, kind), names, by_libfuzzer, args.seconds, seeds)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    for row in slow(rows):
        print("too slow: {build} {target}".format(**row))
    return 1 if slow(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
