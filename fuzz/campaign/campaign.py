#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""campaign: fuzzes all targets with AFL++ for a given time, and reports the results.

Main and secondary instances differ (cmplog, laf-intel, sanitizers, AFL++'s own mutations). They take turns on the
targets, --jobs of them at a time, and learn from each other. Ends after --hours, or when it is interrupted; then
what was found is sorted, the corpora are minimised, and OUT/report.md and OUT/report.json are written. A second campaign
in the same OUT goes on where the first one ended. Exit status: 0 nothing was found, 1 something was, 2 it could not run.
"""

import argparse
import datetime
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import coverage
import findings
import groups
import instance
import record
import report
from builds import BuildError, Builds

TURN_S = (20, 600)  # the shortest and the longest


class Limits:
    """What each instance may use, and where it looks for the inputs of others."""

    def __init__(self, args, forms):
        self.octets, self.executions, self.seed = args.octets, args.executions, args.seed
        self.shared, self.name = args.shared, args.name
        self.forms = forms
        self.turn_s, self.background = args.turn, args.background

    def form(self, target):
        return self.forms[target]

    def foreign(self, target):
        """The folders of other machines, as `afl-fuzz -F` reads them."""
        if not self.shared:
            return []
        return [p for p in sorted(self.shared.glob(f"*/{target}")) if p.parent.name != self.name and p.is_dir()]


def even_turns(targets, roles):
    """(target, role) without end: each group has as many turns as any other, however many targets it has."""
    rows = groups.rows_of(targets).values()
    return itertools.chain.from_iterable(zip(*(itertools.cycle([(t, r) for r in roles for t in row]) for row in rows)))


class Campaign:
    """The turns, and what they came to."""

    def __init__(self, args, builds, limits):
        self.args, self.builds, self.limits = args, builds, limits
        self.lock = threading.Lock()
        self.cpu = dict.fromkeys(args.targets, 0.0)
        self.executions = dict.fromkeys(args.targets, 0)
        self.faults = []
        self.ended = threading.Event()
        self.begin = time.monotonic()
        num = -(-args.jobs // len(args.targets))
        self.roles = [r for r in instance.roles(num) if not args.roles or r.name in args.roles]
        self.busy = set()  # (target, role) that plays, or has failed and plays no more
        self.todo = self.turns()

    def turns(self):
        """(target, role): each once where executions are counted, else without end."""
        if self.args.executions:
            return ((target, role) for role in self.roles for target in self.args.targets)
        return even_turns(self.args.targets, self.roles)

    def left(self):
        """Seconds."""
        return self.args.hours * 3600 - (time.monotonic() - self.begin)

    def stopping(self):
        return self.ended.is_set() or (not self.args.executions and self.left() <= 0)

    def may_begin(self):
        """True if there is time for a turn, and an instance that is free."""
        short = not self.args.executions and self.left() < min(TURN_S[0], self.args.turn) / 2
        return not self.stopping() and not short and len(self.busy) < len(self.roles) * len(self.args.targets)

    def take(self):
        with self.lock:
            while self.may_begin():
                turn = next(self.todo, None)
                if turn not in self.busy:
                    self.busy.update([turn] if turn else [])
                    return turn
            return None

    def work(self):
        turn = self.take()
        while turn:
            self.play(*turn)
            turn = self.take()

    def play(self, target, role):
        run = instance.Instance(self.builds, self.args.out, target, role, self.limits)
        run.start()
        run.wait(self.stopping)
        with self.lock:
            self.cpu[target] += run.cpu
            self.executions[target] += run.executions()
            fault = run.failed()
            if fault:
                self.faults.append(fault)
            else:
                self.busy.discard((target, role))
            stats = run.stats()
            print(f"{(time.monotonic() - self.begin) / 60:7.1f} min  {target:14} {role.name:7} {run.executions():10,} executions, "
                  f"{run.executions() / max(run.cpu, 0.01):8,.0f} a CPU second, {stats.get('corpus_count', 0):6.0f} inputs, "
                  f"{stats.get('saved_crashes', 0):.0f} crashes{'  FAILED' if fault else ''}", flush=True)
        self.share(target, role)

    def share(self, target, role):
        """Gives the inputs of the main instance to other machines, which read them from the shared folder."""
        source = Path(self.args.out, target, role.name, "queue")
        if not self.limits.shared or role.name != "main" or not source.is_dir():
            return
        place = self.limits.shared / self.limits.name / target
        place.mkdir(parents=True, exist_ok=True)
        for path in source.glob("id:*"):
            if not (place / path.name).exists():
                part = place / f".{path.name}"  # a reader must not see half of it
                shutil.copyfile(path, part)
                part.rename(place / path.name)

    def run(self):
        threads = [threading.Thread(target=self.work) for _ in range(self.args.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


# ---- after the turns ----


def queue(out, target):
    """The inputs of all instances of a target, without those that are another's."""
    return [p for p in sorted(Path(out, target).glob("*/queue/id:*")) if ",sync:" not in p.name]


def minimise(builds, out, target, faults):
    """OUT/minimised/<target>: the fewest inputs with the same coverage. Returns how many; adds a failure to the faults."""
    every, kept = Path(out, "every", target), Path(out, "minimised", target)
    for folder in (every, kept):
        shutil.rmtree(folder, ignore_errors=True)
    every.mkdir(parents=True)
    for number, path in enumerate(queue(out, target)):
        shutil.copyfile(path, every / f"{number:06}")
    if any(every.iterdir()):
        with open(Path(out, target, "cmin.log"), "wb") as log:
            done = subprocess.run(["afl-cmin", "-i", every, "-o", kept, "-m", "none", "-t", str(instance.LIMIT_MS), "--",
                                   builds.program("plain", target)], stdout=log, stderr=subprocess.STDOUT, check=False,
                                  cwd=out, env={**os.environ, "AFL_ALLOW_TMP": "1", "AFL_SKIP_CPUFREQ": "1"})
        if done.returncode != 0:
            faults.append(f"{target}: afl-cmin ended with {done.returncode}, see {log.name}")
    shutil.rmtree(every)
    return len(list(kept.glob("*"))) if kept.is_dir() else 0


def sorted_findings(builds, args):
    """All reasons for which a target stopped. An input that stops it no more is dropped."""
    found = []
    for target in args.targets:
        build = "asan" if builds.program("asan", target).exists() else "plain"
        paths = findings.saved(args.out, target, "crashes")
        seeds = builds.seeds(target)
        if subprocess.run([builds.program("tools", target), seeds], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            paths += [p for p in sorted(seeds.iterdir()) if p.is_file()]
        found += findings.sort(target, builds.program(build, target), paths)
    return found


def measure(builds, args):
    """Coverage of all inputs of all targets."""
    builds.targets("coverage", args.targets)
    coverage.clear(builds.folder / "coverage")
    for target in args.targets:
        kept = Path(args.out, "minimised", target)
        folders = [p for p in (builds.seeds(target), kept if kept.is_dir() else Path(args.out, target, "main", "queue")) if p.is_dir()]
        coverage.replay(builds.program("coverage", target), folders)
    return coverage.measure(builds.folder / "coverage")


def commit():
    done = subprocess.run(["git", "-C", str(groups.ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def row_of(campaign, target, kept):
    paths = queue(campaign.args.out, target)
    stats = instance.read_stats(Path(campaign.args.out, target, "main", "fuzzer_stats"))
    return {"target": target, "group": groups.group_of(target), "cpu_s": round(campaign.cpu[target], 1),
            "executions": campaign.executions[target], "paths": len(paths),
            "edges": f"{stats.get('edges_found', 0):.0f} of {stats.get('total_edges', 0):.0f}", "kept": kept,
            "crashes": len(findings.saved(campaign.args.out, target, "crashes")),
            "hangs": len(findings.saved(campaign.args.out, target, "hangs"))}


def kept_findings(args, found):
    """Copies the input of each finding to OUT/findings; what stands in the report."""
    place = Path(args.out, "findings")
    place.mkdir(exist_ok=True)
    result = []
    for f in found:
        number = sum(1 for r in result if r["target"] == f.target) + 1
        path = place / f"{f.target}-{number}"
        shutil.copyfile(f.input, path)
        result.append({"target": f.target, "reason": f.reason, "inputs": f.inputs, "input": str(path)})
    return result


def result_of(campaign, begin, hours):
    args, builds = campaign.args, campaign.builds
    found = kept_findings(args, sorted_findings(builds, args))
    kept = {t: minimise(builds, args.out, t, campaign.faults) if args.minimise else 0 for t in args.targets}
    rows = [row_of(campaign, t, kept[t]) for t in args.targets]
    return {"begin": begin, "commit": commit(), "hours": hours, "jobs": args.jobs, "cpu_s": sum(r["cpu_s"] for r in rows),
            "targets": rows, "findings": found, "coverage": measure(builds, args) if args.coverage else {}}


def record_rows(result):
    """A row for each group, for the record."""
    rows = {}
    for r in result["targets"]:
        row = rows.setdefault(r["group"], {"date": result["begin"][:10], "commit": result["commit"], "group": r["group"],
                                           "cpu_s": 0, "executions": 0, "findings": 0})
        row["cpu_s"] += r["cpu_s"]
        row["executions"] += r["executions"]
        row["findings"] += sum(1 for f in result["findings"] if f["target"] == r["target"])
    return [{**row, "cpu_s": round(row["cpu_s"])} for row in rows.values()]


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.partition("\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="such as rx (default: all)")
    parser.add_argument("--hours", type=float, default=1.0, help="how long it fuzzes (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="instances at a time (default: one for each core)")
    parser.add_argument("--out", type=Path, default=groups.ROOT / "build/campaign/out", help="default: build/campaign/out")
    parser.add_argument("--build", type=Path, default=groups.ROOT / "build/campaign", help="default: build/campaign")
    parser.add_argument("--build-jobs", type=int, default=os.cpu_count() or 1, help="of the builds, which come first")
    parser.add_argument("--roles", type=lambda s: s.split(","), help="only these, by comma: " + ",".join(r.name for r in instance.ROLES))
    parser.add_argument("--turn", type=int, help="seconds of a turn (default: by --hours)")
    parser.add_argument("--octets", type=int, default=4096, help="of an input that AFL++ makes, at most (default 4096)")
    parser.add_argument("--executions", type=int, help="of each turn, in place of a time; each role plays once")
    parser.add_argument("--seed", type=int, help="of AFL++'s random numbers, so that a run can be repeated")
    parser.add_argument("--shared", type=Path, help="folder that several machines share: each gives and takes inputs")
    parser.add_argument("--name", default=socket.gethostname(), help="of this machine in that folder (default: its own name)")
    parser.add_argument("--background", action="store_true", help="only where nothing else wants the processors")
    parser.add_argument("--no-minimise", dest="minimise", action="store_false")
    parser.add_argument("--no-coverage", dest="coverage", action="store_false")
    parser.add_argument("--record", action="store_true", help="add the figures to fuzz/campaign/record.tsv")
    args = parser.parse_args(words)
    unknown = sorted(set(args.targets) - set(groups.targets()))
    names = [r.name for r in instance.roles(args.jobs)]
    if unknown:
        parser.error(f"there is no target {unknown[0]}")
    if args.roles and not set(args.roles) <= set(names):
        parser.error(f"the roles are {', '.join(names)}")
    if args.jobs < 1 or args.hours <= 0 or args.build_jobs < 1:
        parser.error("--jobs, --build-jobs and --hours are above 0")
    args.targets = groups.in_turn(args.targets or groups.targets())
    args.build, args.out = args.build.resolve(), args.out.resolve()
    args.shared = args.shared.resolve() if args.shared else None
    args.turn = args.turn or turn_length(args)
    return args


def turn_length(args):
    """So long that each role plays once on each target, within bounds. Seconds."""
    turns = len(args.targets) * len(args.roles or instance.ROLES)
    return int(min(max(args.hours * 3600 * args.jobs / turns, TURN_S[0]), TURN_S[1]))


def build(builds, args):
    wanted = [r for r in instance.ROLES if not args.roles or r.name in args.roles]
    builds.inputs(args.targets)
    for variant in sorted({r.build for r in wanted} | {"plain"} | ({"cmplog"} if any(r.name == "cmplog" for r in wanted) else set())):
        print(f"== building: {variant}", flush=True)
        builds.targets(variant, args.targets)


def main(words):
    args = arguments(words)
    if not shutil.which("afl-fuzz"):
        sys.exit("campaign: afl-fuzz is not installed")
    builds = Builds(args.build, args.build_jobs)
    args.out.mkdir(parents=True, exist_ok=True)
    if args.background:
        os.nice(instance.LOWEST)  # the builds, and what minimises and measures
    begin = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    try:
        build(builds, args)
        campaign = Campaign(args, builds, Limits(args, {t: builds.form(t) for t in args.targets}))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: campaign.ended.set())
        print(f"== {len(args.targets)} targets, {args.jobs} at a time, turns of {args.turn} s", flush=True)
        campaign.run()
        result = result_of(campaign, begin, (time.monotonic() - campaign.begin) / 3600)
    except BuildError as error:
        print(f"campaign: {error}", file=sys.stderr)
        return 2
    report.write(args.out, result)
    if args.record:
        record.append(record_rows(result))
    print(Path(args.out, "report.md").read_text(encoding="utf-8"))
    for fault in campaign.faults:
        print(f"campaign: {fault}", file=sys.stderr)
    return 2 if campaign.faults and not any(campaign.executions.values()) else 1 if result["findings"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
