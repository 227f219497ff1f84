# SPDX-License-Identifier: BSD-2-Clause
"""mutation: how many small changes of the source do the tests notice?

Each mutant has one operator or constant changed. It is compiled in a scratch copy of the tree and judged by the tests
of its area until one fails. A mutant that no test notices must stand in survivors.tsv with the reason; a row there that
names nothing in the source, or that a test notices now, is reported. Exit status 1 for any of these, and below --min.
"""

import argparse
import fcntl
import os
import random
import re
import sys
import threading
import time
from pathlib import Path

import bench
import mutants
import survivors

MIN = 95.0
LIST = Path(__file__).with_name("survivors.tsv")


def own(root, folder, label, pattern):
    """Names of the tests that the C programs of a folder are."""
    for path in sorted((root / folder).glob(pattern)):
        name = re.sub(r"^(check_prop_|check_|prop_)", "", path.stem)
        yield f"{label}.{name.replace('_', '-')}"


def libiwarp_tests(root):
    for label in ("unit", "property", "vectors", "api"):
        yield from own(root, f"libiwarp/tests/{label}", label, "check_*.c")


def rules_tests(root):
    yield from own(root, "conformance/tests/unit", "unit", "check_rules_*.c")
    yield from own(root, "conformance/tests/unit", "unit", "check_endpoint_*.c")
    yield from own(root, "conformance/tests/property", "property", "check_*.c")
    yield from ("pcap.manifest", "pcap.rules-shown", "golden.cases", "blackbox.sentences")


def observe_tests(root):
    yield from own(root, "conformance/tests/unit", "unit", "check_observe_*.c")
    yield from ("pcap.manifest", "golden.cases", "blackbox.outcomes")


def ingest_tests(root):
    yield from own(root, "conformance/tests/unit", "unit", "check_ingest_*.c")
    yield from own(root, "conformance/tests/unit", "unit", "check_observe_*.c")
    yield from own(root, "conformance/tests/unit", "unit", "check_scrub_*.c")
    yield from ("pcap.manifest", "golden.cases", "blackbox.dump-made", "blackbox.sctp-variants")


AREAS = [
    bench.Area("libiwarp", ["libiwarp/src"], "iwarp", libiwarp_tests),
    bench.Area("rules", ["conformance/rules"], "iwarp_rules", rules_tests, shared=True),
    bench.Area("observe", ["conformance/observe"], "iwarp_observe", observe_tests),
    bench.Area("ingest", ["conformance/ingest"], "iwarp_ingest", ingest_tests, shared=True),
]


def all_mutants(root, area):
    found = []
    for folder in area.sources:
        for path in sorted((root / folder).rglob("*.[ch]")):
            found += mutants.of_source(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    return found


def asked_for(found, args):
    """The mutants of the files that are named."""
    return [m for m in found if not args.file or any(f in m.file for f in args.file)]


def sample(found, args):
    """What is judged: a random part, without repetition; in the order of the files, unless it may end early."""
    if args.mutant:
        return [m for m in found if m.id in args.mutant]
    if args.count and args.count < len(found):
        found = random.Random(args.seed).sample(found, args.count)
    elif args.seconds:
        found = random.Random(args.seed).sample(found, len(found))
    return found if args.seconds else sorted(found, key=lambda m: (m.file, m.start, m.text))


def describe(mutant):
    return f"{mutant.id} {mutant.file}:{mutant.number} {mutant.function}: {mutant.line}  =>  {mutant.mutated}"


class Campaign:
    """The mutants of one area, judged by several benches."""

    def __init__(self, root, area, chosen, args):
        self.root, self.area, self.args = root, area, args
        self.todo = chosen
        self.outcomes = {}
        self.lock = threading.Lock()
        self.failed = []
        self.begin = None  # the first mutant: building takes as long as the machine lets it

    def take(self, file):
        """The next mutant; of the same file while there is one, then less is built, unless the time is limited."""
        with self.lock:
            self.begin = self.begin or time.monotonic()
            if self.args.seconds and time.monotonic() - self.begin > self.args.seconds:
                return None
            same = [i for i, m in enumerate(self.todo) if m.file == file and not self.args.seconds]
            return self.todo.pop(same[0] if same else 0) if self.todo else None

    def work(self, number):
        try:
            scratch = self.args.scratch / f"{self.area.name}-{number}"
            scratch.mkdir(parents=True, exist_ok=True)
            alone = os.open(scratch, os.O_RDONLY)
            fcntl.flock(alone, fcntl.LOCK_EX)  # another run of the same area has to end first
            bench.copy_tree(self.root, scratch, self.area)
            own_bench = bench.Bench(scratch, self.area, self.args)
            own_bench.prepare([name for name in self.area.tests(self.root) if name.startswith(self.args.tests)])
            mutant = self.take(None)
            while mutant:
                outcome, by = own_bench.judge(mutant)
                with self.lock:
                    self.outcomes[mutant] = (outcome, by)
                    if outcome in (bench.SURVIVED, bench.TIMEOUT) or self.args.verbose:
                        print(f"{outcome:9} {describe(mutant)}{'  by ' + by if by else ''}", flush=True)
                mutant = self.take(mutant.file)
            own_bench.restore()
            os.close(alone)
        except BaseException as error:  # a thread's fault must not look like a run without survivors
            self.failed.append(error)
            if isinstance(error, SystemExit):  # a thread that ends with it says nothing
                print(f"{self.area.name}: {error}", flush=True)
            raise

    def run(self):
        threads = [threading.Thread(target=self.work, args=(n,)) for n in range(self.args.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return not self.failed


def figures(area, outcomes, rows):
    """Counts the outcomes and returns (percent, line). What is listed as equivalent does not count."""
    num = dict.fromkeys((bench.KILLED, bench.TIMEOUT, bench.SURVIVED, bench.SAME, bench.NOT_COMPILED), 0)
    explained = 0
    for mutant, (outcome, _) in outcomes.items():
        if outcome == bench.SURVIVED and rows.kind(mutant) == "equivalent":
            explained += 1
        else:
            num[outcome] += 1
    killed = num[bench.KILLED] + num[bench.TIMEOUT]
    judged = killed + num[bench.SURVIVED]
    percent = 100.0 * killed / judged if judged else 100.0
    return percent, (f"{area}: {percent:.1f}% killed: {killed} of {judged} ({num[bench.TIMEOUT]} by a limit of time), "
                     f"{num[bench.SURVIVED]} survived; not counted: {explained} listed as equivalent, "
                     f"{num[bench.SAME]} with the same object code, {num[bench.NOT_COMPILED]} that do not compile")


def complaints(outcomes, rows):
    for mutant, (outcome, by) in outcomes.items():
        if outcome == bench.SURVIVED and rows.kind(mutant) is None:
            yield f"survived, and not in {rows.path.name}: {describe(mutant)}"
        if outcome in (bench.KILLED, bench.TIMEOUT) and rows.kind(mutant) is not None:
            yield f"{rows.path.name}: {by} notices it now: {describe(mutant)}"


def arguments(words, areas):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--area", choices=[a.name for a in areas] + ["all"], default="all")
    parser.add_argument("--count", type=int, default=150, help="mutants of an area; 0: all (default 150)")
    parser.add_argument("--seed", type=int, help="of the sample (default: a new one, printed)")
    parser.add_argument("--jobs", type=int, default=1, help="benches side by side")
    parser.add_argument("--file", action="append", help="only files whose path contains this; may be repeated")
    parser.add_argument("--mutant", action="append", help="only the mutant with this id; may be repeated")
    parser.add_argument("--tests", default="", help="only tests whose names begin so, as unit.: quicker, and no more is killed")
    parser.add_argument("--seconds", type=int, default=0, help="begin no mutant of an area after this time; what was judged by then is random too")
    parser.add_argument("--min", type=float, default=MIN, help=f"percent to reach (default {MIN:.0f})")
    parser.add_argument("--list", action="store_true", help="print the mutants of the sample, judge none")
    parser.add_argument("--verbose", action="store_true", help="print each mutant as it is judged")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[3])
    parser.add_argument("--survivors", type=Path, default=LIST)
    args = parser.parse_args(words)
    args.scratch = args.root / "build" / "mutation"
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(1000000)
    return args


def main(words, areas=None):
    areas = areas or AREAS
    args = arguments(words, areas)
    rows = survivors.Rows(args.survivors)
    faults = list(rows.complaints)
    everything = []
    lines = []
    for area in areas:
        found = all_mutants(args.root, area)
        everything += found
        found = asked_for(found, args)
        if args.area not in ("all", area.name):
            continue
        chosen = sample(found, args)
        if args.list:
            print("\n".join(map(describe, chosen)))
            continue
        print(f"== {area.name}: {len(chosen)} of {len(found)} mutants, seed {args.seed}", flush=True)
        campaign = Campaign(args.root, area, chosen, args)
        if not campaign.run():
            return 2
        percent, line = figures(area.name, campaign.outcomes, rows)
        if campaign.todo:
            line += f"; {len(campaign.todo)} not begun in time"
        lines.append(line)
        faults += complaints(campaign.outcomes, rows)
        if percent < args.min:
            faults.append(f"{area.name}: below {args.min:.0f} %")
    faults += rows.stale(everything)
    for line in [*faults, *lines]:
        print(line)
    if lines:
        print(f"again: --seed {args.seed} with the same --area, --count and --file; one mutant: --mutant ID")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
