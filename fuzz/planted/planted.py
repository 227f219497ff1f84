#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""planted: plants known defects in a scratch copy of the tree, one at a time, and lets the fuzz targets find them.

A defect is a file NN-name.patch: `what:` in words, `targets:` that ought to find it, then for each file `--- path` and
lines that begin with a blank (context), `-` or `+`. The lines of the original must stand together in exactly one place
of the file, wherever that is; else the patch does not fit and nothing is built.

Each defect is looked for three times with libFuzzer and AddressSanitizer: in the seeds as they are, then from those
seeds that do not show it with the mutator, and the same without. Found is counted in executions, which do not depend on
what else the machine does. Exit status: 0 the mutator found all, 1 it did not, 2 a patch does not fit or build.
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
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HANG_S = 7200
SHOWN = 60  # seeds that show a defect are taken out one by one; of more than that many none is used


class PatchError(Exception):
    """A patch cannot be read, or does not fit its file."""


@dataclass(frozen=True)
class Change:
    """Lines of one file, as they are and as they become."""
    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Defect:
    """One planted defect."""
    name: str
    what: str
    targets: tuple
    changes: tuple


def read(path):
    """The defect that a file describes."""
    words, parts = {}, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        key, colon, value = line.partition(": ")
        if line.startswith("--- "):
            parts.append((line[4:], [], []))
        elif parts and line[:1] in (" ", "-", "+"):
            for mark, lines in ((("-", " "), parts[-1][1]), (("+", " "), parts[-1][2])):
                if line[0] in mark:
                    lines.append(line[1:])
        elif not parts and colon and key in ("what", "targets"):
            words[key] = value
        else:
            raise PatchError(f"{path.name}:{number}: neither a key nor a line of a patch")
    changes = tuple(Change(file, "\n".join(old), "\n".join(new)) for file, old, new in parts)
    if len(words) != 2 or not changes or not all(c.old and c.old != c.new for c in changes):
        raise PatchError(f"{path.name}: `what`, `targets` and a change are needed")
    return Defect(path.stem, words["what"], tuple(words["targets"].split()), changes)


def defects(folder=HERE):
    """All defects, in the order of their names."""
    return [read(path) for path in sorted(folder.glob("*.patch"))]


def changed(change, text):
    """The text with the change; a PatchError where it does not fit exactly once."""
    places = f"\n{text}".count(f"\n{change.old}\n")
    if places != 1:
        raise PatchError(f"{change.path}: the lines to change stand there {places} times")
    begin = f"\n{text}".index(f"\n{change.old}\n")
    return text[:begin] + change.new + text[begin + len(change.old):]


def plant(root, defect):
    """Applies a defect to the tree at `root`; returns what undoes it. Changes nothing when it does not fit."""
    before, after = {}, {}
    for change in defect.changes:
        path = root / change.path
        if not path.is_file():
            raise PatchError(f"{defect.name}: there is no {change.path}")
        before.setdefault(path, path.read_text(encoding="utf-8"))
        try:
            after[path] = changed(change, after.get(path, before[path]))
        except PatchError as error:
            raise PatchError(f"{defect.name}: {error}") from error
    for path, text in after.items():
        path.write_text(text, encoding="utf-8")
    return before


def complaints(folder=HERE, root=ROOT):
    """What is wrong with the patches as they stand."""
    for path in sorted(folder.glob("*.patch")):
        try:
            defect = read(path)
            for change in defect.changes:
                changed(change, (root / change.path).read_text(encoding="utf-8"))
            for target in defect.targets:
                if not (root / f"fuzz/targets/fuzz_{target.replace('-', '_')}.c").is_file():
                    yield f"{path.name}: there is no target {target}"
        except (PatchError, OSError) as error:
            yield f"{path.name}: {error}"


# ---- the scratch build ----


def tree_files(root):
    """The files of the tree, without what was built."""
    for folder, dirs, names in os.walk(root):
        dirs[:] = [d for d in dirs if d not in (".git", "__pycache__") and not (d == "build" and folder == str(root))]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def copy_tree(root, scratch):
    """Copies what differs, so that an earlier build is used where it can be."""
    for file in tree_files(root):
        source, target = root / file, scratch / file
        octets = source.read_bytes()
        if not target.exists() or target.read_bytes() != octets:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(octets)
            shutil.copymode(source, target)


class Scratch:
    """A copy of the tree, built for libFuzzer."""

    def __init__(self, folder, jobs):
        self.tree, self.jobs = Path(folder), jobs
        self.build = self.tree / "build" / "fuzz"

    def must(self, *command):
        done = subprocess.run(command, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise PatchError(f"{' '.join(map(str, command))}:\n{done.stdout[-3000:]}")
        return done.stdout

    def prepare(self):
        copy_tree(ROOT, self.tree)
        self.must("cmake", "--preset", "fuzz", "-DIWARP_WERROR=OFF")
        self.must(sys.executable, "-B", "fuzz/tools/mkseeds.py", str(self.build / "seeds"))
        self.make("fuzz-mkdict")
        (self.build / "iwarp.dict").write_text(self.must(self.build / "bin/fuzz-mkdict"), encoding="utf-8")

    def make(self, *goals):
        self.must("cmake", "--build", str(self.build), "-j", str(self.jobs), "--target", *goals)

    def inputs(self, target):
        corpus = self.tree / "fuzz/corpus" / target
        folders = [self.build / "seeds" / target, corpus]
        return [p for folder in folders if folder.is_dir() for p in sorted(folder.iterdir())]


# ---- looking for it ----


@dataclass
class Look:
    """How one search went."""
    found: bool
    executions: int
    seconds: float  # of processor time
    edges: int
    reason: str = ""


REASON = re.compile(r"^(?:[a-z_0-9]+\.c:\d+: .*|==\d+==ERROR: .*|.*runtime error: .*)$", re.MULTILINE)
STAT = re.compile(r"^stat::number_of_executed_units: *(\d+)", re.MULTILINE)
STATUS = re.compile(r"^#(\d+)\t", re.MULTILINE)
EDGES = re.compile(r"^#\d+\s.* cov: (\d+)", re.MULTILINE)


def run(program, words, cpu_s, mutator=True):
    environment = {**os.environ, "ASAN_OPTIONS": "abort_on_error=0:detect_leaks=0"}
    environment.pop("IWARP_FUZZ_PLAIN", None)
    if not mutator:
        environment["IWARP_FUZZ_PLAIN"] = "1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *map(str, words)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=HANG_S, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout.decode("utf-8", "replace")
    reason, edges = REASON.search(text), EDGES.findall(text)
    executed = STAT.findall(text) or STATUS.findall(text)[-1:]  # one that is out of time says no more
    out_of_time = done.returncode in (-24, -9)  # SIGXCPU: not found in time
    return Look(done.returncode != 0 and not out_of_time, int(executed[0]) if executed else 0,
                after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(edges[-1]) if edges else 0,
                reason.group(0)[:160] if reason else ""), text


def start_of(program, inputs, folder):
    """Copies the inputs that do not show the defect; returns (how many are left out, Look of the first that shows it)."""
    left, out, first = list(inputs), 0, None
    while left and out <= SHOWN:
        look, text = run(program, [*left], 600)
        if not look.found:
            break
        first = first or look
        names = re.findall(r"^Running: (.*)$", text, re.MULTILINE)
        left.remove(next(p for p in left if str(p) == names[-1]))
        out += 1
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, path in enumerate(left if out <= SHOWN else []):
        shutil.copyfile(path, folder / f"{number:04}")
    if not left or out > SHOWN:
        (folder / "empty").write_bytes(bytes(8))
    return out, first


def search(scratch, target, start, args, seed, mutator):
    """One search from a copy of the starting inputs; the count of executions leaves out the starting inputs."""
    with tempfile.TemporaryDirectory() as place:
        corpus = Path(place, "corpus")
        shutil.copytree(start, corpus)
        num = len(list(corpus.iterdir()))
        look, _ = run(scratch.build / "bin" / f"fuzz-{target}",
                      [corpus, f"-runs={args.executions + num}", f"-seed={seed}", f"-dict={scratch.build / 'iwarp.dict'}",
                       f"-max_len={args.octets}", f"-artifact_prefix={place}/", "-print_final_stats=1", "-timeout=600",
                       "-rss_limit_mb=0"], args.cpu, mutator)
        look.executions = max(look.executions - num, 0)
        return look


def middle(looks):
    """The search in the middle, by executions; one that found nothing comes last."""
    return sorted(looks, key=lambda l: (not l.found, l.executions))[(len(looks) - 1) // 2]


def look_for(scratch, defect, args):
    """What the targets make of a planted defect."""
    programs = [f"fuzz-{t}" for t in defect.targets]
    scratch.make(*programs)
    row = {"defect": defect.name, "what": defect.what, "seeds": 0, "start": {}, "searches": []}
    for target in defect.targets:
        start = scratch.build / "start" / target
        shown, first = start_of(scratch.build / "bin" / f"fuzz-{target}", scratch.inputs(target), start)
        row["seeds"] += shown
        row["start"][target] = len(list(start.iterdir()))
        row["reason"] = row.get("reason") or (first.reason if first else "")
        for mutator in (True, False):
            if any(s["found"] and s["mutator"] == mutator for s in row["searches"]):
                continue  # a target before this one finds it
            looks = [search(scratch, target, start, args, seed, mutator) for seed in range(1, args.repeat + 1)]
            best = middle(looks)
            row["reason"] = row["reason"] or best.reason
            row["searches"].append({"target": target, "mutator": mutator, "found": sum(l.found for l in looks), "of": len(looks),
                                    "executions": best.executions, "cpu_s": round(best.seconds, 1)})
    return row


def best_of(row, mutator):
    """The search of a row that found it after the fewest executions, or one that did not."""
    looks = [s for s in row["searches"] if s["mutator"] == mutator]
    return min(looks, key=lambda s: (s["found"] * 2 <= s["of"] - 1, s["executions"]))


def shown(look):
    if look["found"] == 0:
        return f"not in {look['executions']:,}, {look['cpu_s']:.0f} s"
    part = "" if look["found"] == look["of"] else f" ({look['found']} of {look['of']})"
    return f"{look['executions']:,}, {look['cpu_s']:.0f} s, `{look['target']}`{part}"


def markdown(rows):
    """The table of the page."""
    yield "| defect | seeds that show it | executions to find it with the mutator | without |"
    yield "|---|---|---|---|"
    for row in rows:
        seeds = row["seeds"] if row["seeds"] <= SHOWN else f"more than {SHOWN}"
        yield f"| {row['what']} | {seeds} | {shown(best_of(row, True))} | {shown(best_of(row, False))} |"


def coverage(scratch, args):
    """Edges that each target reaches without a defect, with and without the mutator, from an empty input."""
    names = args.coverage or sorted({t for d in defects() for t in d.targets})
    scratch.make(*(f"fuzz-{n}" for n in names))
    yield "| target | edges from all seeds | from nothing with the mutator | without it |"
    yield "|---|---|---|---|"
    for name in names:
        start = scratch.build / "start" / name
        shutil.rmtree(start, ignore_errors=True)
        start.mkdir(parents=True)
        (start / "empty").write_bytes(bytes(8))
        with_it, without = (search(scratch, name, start, args, 1, m) for m in (True, False))
        every = scratch.build / "start" / f"{name}-seeds"
        shutil.rmtree(every, ignore_errors=True)
        every.mkdir()
        for number, path in enumerate(scratch.inputs(name)):
            shutil.copyfile(path, every / f"{number:04}")
        none = argparse.Namespace(**{**vars(args), "executions": 1})
        seeds = search(scratch, name, every, none, 1, True)
        cells = (f"{look.edges:,}, {look.executions:,} executions, {look.seconds:.0f} s" for look in (with_it, without))
        yield f"| `{name}` | {seeds.edges:,} | {' | '.join(cells)} |"


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.partition("\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("defects", nargs="*", metavar="DEFECT", help="only these, by name or number (default: all)")
    parser.add_argument("--check", action="store_true", help="only see whether all patches fit; builds nothing")
    parser.add_argument("--executions", type=int, default=50000, help="of a search, at most (default 50000)")
    parser.add_argument("--cpu", type=int, default=60, help="seconds of processor time of a search, at most (default 60)")
    parser.add_argument("--octets", type=int, default=2048, help="of an input, at most (default 2048)")
    parser.add_argument("--repeat", type=int, default=1, help="searches with different seeds; the middle one counts")
    parser.add_argument("--coverage", nargs="*", metavar="TARGET", help="compare the edges reached instead, without a defect")
    parser.add_argument("--scratch", type=Path, default=ROOT / "build/planted", help="default: build/planted")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="of the builds")
    args = parser.parse_args(words)
    args.scratch = args.scratch.resolve()
    return args


def main(words):
    args = arguments(words)
    wrong = list(complaints())
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong or args.check:
        return 2 if wrong else 0
    chosen = [d for d in defects() if not args.defects or any(d.name == w or d.name.partition("-")[0] == w for w in args.defects)]
    scratch = Scratch(args.scratch, args.jobs)
    rows = []
    try:
        scratch.prepare()
        if args.coverage is not None:
            print("\n".join(coverage(scratch, args)))
            return 0
        for defect in chosen:
            before = plant(scratch.tree, defect)
            try:
                rows.append(look_for(scratch, defect, args))
            finally:
                for path, text in before.items():
                    path.write_text(text, encoding="utf-8")
            print(f"{defect.name}: seeds {rows[-1]['seeds']}; with the mutator {shown(best_of(rows[-1], True))}; "
                  f"without {shown(best_of(rows[-1], False))}; {rows[-1]['reason']}", flush=True)
    except PatchError as error:
        print(f"planted: {error}", file=sys.stderr)
        return 2
    (args.scratch / "planted.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print("\n".join(markdown(rows)))
    return 0 if all(best_of(r, True)["found"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
