#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""shards: `TOOL merge` of all shards is what one run prints, octet for octet.

shards.py TOOL PCAPS each       each capture of the repository in 1 to 4 shards
shards.py TOOL PCAPS some       one of five of them
shards.py TOOL PCAPS together   many of them at once, captures of many connections made here, the operands in any order and
                                through pipes; results that do not belong together, or are damaged; and input without end
"""

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

import kit  # isort: skip
import attacks
import jobs


def run(tool, *words, stdin=None):
    done = subprocess.run([tool, *words], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8")


class Shards:
    """Makes shards in a folder and joins them."""

    def __init__(self, tool, folder):
        self.tool, self.folder, self.runs, self.wrong = tool, folder, 0, []
        self.chance = random.Random(7)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, of, *words, name="part"):
        """The results of all shards, as files."""
        paths = []
        for index in range(of):
            paths.append(self.path("%s%d" % (name, index)))
            with open(paths[-1], "wb") as out:
                out.write(run(self.tool, "check", "--shard", "%d/%d" % (index, of), *words)[1])
        return paths

    def summaries(self, paths):
        for path in paths:
            with open(path, encoding="utf-8") as stream:
                yield json.loads(stream.read().splitlines()[-1])

    def whole(self, *words):
        """The run that shards or parts must be equal to."""
        return run(self.tool, "check", "-T", "jsonl", *words)

    def join(self, whole, paths, what):
        """Joins results in any order: status and lines must be equal to a run."""
        self.chance.shuffle(paths)
        status, out, err = run(self.tool, "merge", *paths)
        self.runs += 1
        if status != whole[0] or kit.lines_of_run(out) != kit.lines_of_run(whole[1]):
            self.wrong.append("%s: status %d, not %d: %s" % (what, status, whole[0], err))

    def __call__(self, numbers, *words, sharded=()):
        """A run in shards, for each of the numbers of shards."""
        whole = self.whole(*words)
        summary = json.loads(whole[1].splitlines()[-1])
        for of in numbers:
            what = "%d shards of %s" % (of, " ".join(words))
            paths = self.make(of, *sharded, *words)
            for key in ("packets", "octets", "connections", "fpdus"):
                if sum(part[key] for part in self.summaries(paths)) != summary[key]:
                    self.wrong.append("%s: %s" % (what, key))
            self.join(whole, paths, what)

    def parts(self, cuts, *words):
        """A run whose captures are dealt to parts: each is (first capture, last one, shards)."""
        whole, paths = self.whole(*words), []
        for first, last, of in cuts:
            paths += self.make(of, "--captures", "%d-%d" % (first, last), *words, name="part%d-" % first)
        self.join(whole, paths, "parts %s of %s" % (cuts, " ".join(words)))

    def refuse(self, what, *paths):
        """Some results are refused in one line, before anything is printed."""
        status, out, err = run(self.tool, "merge", *paths)
        self.runs += 1
        if status != 2 or out or err.count("\n") != 1 or what not in err:
            self.wrong.append("%s: status %d, %r" % (what, status, err))


def lines(path):
    with open(path, "rb") as stream:
        return stream.read().splitlines(True)


def altered(shards, path, change):
    """A copy of a result with other lines."""
    other = shards.path("altered")
    with open(other, "wb") as out:
        out.write(b"".join(change(lines(path))))
    return other


def refusals(shards, one, two):
    paths = shards.make(3, one)
    shards.refuse("shard 1 of 3 is missing", paths[2], paths[0])
    shards.refuse("the same shard as %s" % paths[1], paths[1], paths[0], altered(shards, paths[1], list))
    shards.refuse("the same shard as %s" % paths[1], paths[1], paths[1])
    shards.refuse("of other captures than", paths[0], *shards.make(3, two, name="two")[1:])
    shards.refuse("made with other options than", paths[0], *shards.make(3, "--only", "mpa.*", one, name="only")[1:])
    shards.refuse("made with other options than", paths[0], *shards.make(3, "--require-decided", one, name="only")[1:])
    shards.refuse("another number of shards than", paths[0], *shards.make(4, one, name="four")[1:])
    with open(shards.path("whole"), "wb") as out:
        out.write(run(shards.tool, "check", "-T", "jsonl", one)[1])
    shards.refuse("no result of check --shard", altered(shards, shards.path("whole"), lambda all_: all_[:1] + all_[-1:]))
    shards.refuse("line 2: not what check --shard writes", shards.path("whole"))
    full = max(paths, key=lambda path: len(lines(path)))
    rest = [path for path in paths if path != full]
    last = len(lines(full))
    for what, change in (
            ("no summary at its end", lambda all_: all_[:-1]),
            ("no summary at its end", lambda all_: []),
            ("line %d: cut short" % last, lambda all_: all_[:-1] + [all_[-1][:-1]]),
            ("line %d: cut short" % last, lambda all_: all_[:-1] + [all_[-1][:50]]),
            ("line 1: not JSON", lambda all_: [all_[0][:-2] + b"\n"] + all_[1:]),
            ("line 1: not JSON", lambda all_: [b"iwarp\n"] + all_),
            ("line 1: empty", lambda all_: [b"\n"] + all_),
            ("line 1: not what check --shard writes", lambda all_: [b"{}\n"] + all_),
            ("line 1: not what check --shard writes", lambda all_: [b'{"type":"pdu","at":1}\n'] + all_),
            ("line 2: not what check --shard writes", lambda all_: all_[:1] + [all_[1].replace(b'"at"', b'"to"')] + all_[2:]),
            ("line 1: not what check --shard writes", lambda all_: all_[1:]),
            ("line 2: not what check --shard writes", lambda all_: all_[:1] + all_),
            ("more after the summary", lambda all_: all_ + all_[-1:]),
            ("made by another version of iwarp", lambda all_: all_[:-1] + [all_[-1].replace(b'"version":"', b'"version":"9')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"results":[', b'"results":[[0,0],')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"results":[[', b'"results":[[9')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"captures":[', b'"captures":[[0,0,0,0,0,0],')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"packets":', b'"packets":-')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"of":3', b'"of":1')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"digest":"0x', b'"digest":"0y')]),
            ("summary is damaged", lambda all_: all_[:-1] + [all_[-1].replace(b'"outcomes":{', b'"outcomes":{"open":null,')])):
        shards.refuse(what, altered(shards, full, change), *rest)
    damaged(shards, full, rest)


def damaged(shards, path, rest):
    """Each key of the summary is needed as it is. A sample has one or two wrong values for each."""
    summary = json.loads(lines(path)[-1])
    beside = summary["shard"]
    keys = ("files", "packets", "octets", "connections", "outcomes", "fpdus", "findings", "rules", *beside)
    values = (None, -1, "", [], [[]], [[0, 0, 0, 0, 0, "0"]], 1 << 64)
    cases = []
    for number, key in enumerate(keys):
        # another version; what is no object has no members
        fit = values[:1] if key in ("rules", "outcomes") else [value for value in values if (key, value) != ("version", "")]
        step = min(kit.REPEATED, 5, len(fit))
        cases += [(key, value) for value in fit[number % step::step]]
    for key, value in cases:
        inside = key in beside
        other = {**summary, **({"shard": {**beside, key: value}} if inside else {key: value})}
        if value is None and inside:
            del other["shard"][key]
        elif value is None:
            del other[key]
        text = json.dumps(other, separators=(",", ":")).encode() + b"\n"
        shards.refuse("summary is damaged", altered(shards, path, lambda all_, text=text: all_[:-1] + [text]), *rest)


# Programs that write without end; a closed pipe ends them.
ENDLESS = {
    "blanks": ("b' ' * 65536", "line 1: longer than 16 MiB"),
    "empty lines": ("b'\\n' * 65536", "line 1: empty"),
    "open arrays": ("b'[' * 65536", "line 1: longer than 16 MiB"),
    "lines about connections without iWARP": (
        r"""b''.join(b'{"type":"transport","client":"%d:1","state":"","packet":1,"count":1,"at":1}\n' % i for i in range(999))""",
        "line 103: not what check --shard writes"),
    "lines of other JSON": ("b'{}\\n' * 8192", "line 1: not what check --shard writes"),
}


def limited():
    """No file that the tool writes gets long, so that a disk does not fill up."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 20, 32 << 20))


def refused(shards, name, words, wanted, stdin=subprocess.DEVNULL):
    done = subprocess.run([shards.tool, "merge", *words], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=limited, check=False)
    if (done.returncode, done.stdout) != (2, b"") or done.stderr.decode() != "iwarp: %s\n" % wanted:
        shards.wrong.append("%s: status %d, %s" % (name, done.returncode, done.stderr[-200:]))


def endless(shards, path):
    """What no shard wrote is refused as soon as that is known, however long it is."""
    for name, (octets, wanted) in ENDLESS.items():
        first = lines(path)[0] if name.startswith("lines about") else b""
        program = "import os\ntry:\n  os.write(1, %r)\n  while True: os.write(1, %s)\nexcept BrokenPipeError: pass" % (first, octets)
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as writer:
            refused(shards, name, ["-"], "standard input: " + wanted, writer.stdout)
            writer.stdout.close()
    refused(shards, "zeros", ["/dev/zero"], "/dev/zero: line 1: longer than 16 MiB")
    refused(shards, "zeros after a part", [path, "/dev/zero"], "/dev/zero: line 1: longer than 16 MiB")
    refused(shards, "a folder", [shards.folder], shards.folder + ": Is a directory")
    texts = {"deep": b"[" * 100000 + b"]" * 100000 + b"\n", "binary": bytes(range(256)), "longest": b" " * (16 << 20) + b"\n",
             "long": b" " * (16 << 20) + b" \n"}
    wanted = {"long": "longer than 16 MiB"}
    for name, octets in texts.items():
        with open(shards.path(name), "wb") as out:
            out.write(octets)
        refused(shards, name, [shards.path(name)], "%s: line 1: %s" % (shards.path(name), wanted.get(name, "not JSON")))


def pipes(shards, path):
    """Operands that can be read only once."""
    whole = run(shards.tool, "check", "-T", "jsonl", path)
    parts = shards.make(2, path)
    feed = subprocess.Popen(["cat", parts[0]], stdout=subprocess.PIPE)
    with feed:
        joined = run(shards.tool, "merge", "-", parts[1], stdin=feed.stdout)
    shards.runs += 1
    if joined[0] != whole[0] or kit.lines_of_run(joined[1]) != kit.lines_of_run(whole[1]):
        shards.wrong.append("through a pipe: " + joined[2])


def each(shards, captures):
    for number, path in enumerate(captures):
        shards([1 + number % 4], path)


def some(shards, captures):
    each(shards, captures[::5])


def together(shards, captures):
    some = [path for path in captures if "siw" in path or "sctp" in path]
    shards([1, 2, 3, 4], *some)
    shards([1, 2, 3, 4], "--require-decided", "--fail-on", "never", *some, sharded=("--jobs", "2"))
    shards([3], "-q", *some)
    shards([3], "--profile", "siw", *some)
    shards([3], "--level", "must", "--fail-on", "should", "-d", "tcp.port==1", "-c", "7", *some[:9], "/missing")
    made = shards.path("made.pcap")
    for seed, count in ((1, 60), (2, 900 // kit.REPEATED)):
        attacks.write(made, jobs.mixed(count, seed))
        shards([2, 7], made, sharded=("--jobs", "3"))
    attacks.write(made, jobs.fragments(jobs.mixed(300, 4), 5))
    shards([4], made)
    shards([2], made, made, some[0])
    many(shards, made, some)
    without = shards.path("refused.pcap")
    attacks.write(without, attacks.refused(160))
    shards([2, 5], without, some[0], without)
    pipes(shards, made)
    refusals(shards, made, some[0])
    endless(shards, shards.make(2, made)[0])


def many(shards, made, some):
    """Parts of a run with captures of their own, also more than may be open at a time."""
    end = len(some) - 1
    shards.parts([(0, 4, 1), (5, 5, 3), (6, end, 2)], *some)
    shards.parts([(0, 0, 4), (1, end, 1)], "--require-decided", "-q", "--fail-on", "never", *some)
    shards.parts([(n, n, 1) for n in range(40)], *some[:40])
    folder = shards.path("day")
    os.mkdir(folder)
    same = os.path.join(folder, os.path.basename(made))
    shutil.copy(some[3], same)
    shards.parts([(0, 0, 2), (1, 1, 1), (2, 2, 2)], made, "/missing", same)
    fewer_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (24, fewer_files[1]))
    shards.parts([(n, n, 1) for n in range(40)], *some[:40])
    resource.setrlimit(resource.RLIMIT_NOFILE, fewer_files)
    missing(shards, some)


def missing(shards, some):
    """Captures, or shards of some, that are missing or there twice."""
    def of(first, last, index=0, num=1, captures=4):
        path = shards.path("of-%d-%d-%d-%d-%d" % (first, last, index, num, captures))
        with open(path, "wb") as out:
            out.write(run(shards.tool, "check", "--shard", "%d/%d" % (index, num), "--captures", "%d-%d" % (first, last),
                          *some[:captures])[1])
        return path
    shards.refuse("--captures 0-0 is missing", of(1, 3))
    shards.refuse("--captures 3-3 is missing", of(1, 2), of(0, 0))
    shards.refuse("--captures 1-2 is missing", of(3, 3), of(0, 0))
    shards.refuse("shard 1 of 2 of --captures 1-3 is missing", of(0, 0), of(1, 3, 0, 2))
    shards.refuse("has captures of", of(0, 2), of(1, 3))
    shards.refuse("of other captures than", of(0, 0), of(0, 1), of(1, 3), of(2, 3))
    shards.refuse("of other captures than", of(0, 0), of(1, 3, captures=5))
    shards.refuse("another number of shards than", of(0, 0), of(1, 3, 0, 2), of(1, 3, 1, 3))
    shards.refuse("the same shard as", of(0, 3), of(0, 3))
    status, out, err = run(shards.tool, "check", "--shard", "0/1", "--captures", "1-4", *some[:4])
    if (status, out) != (2, b"") or "there are 4 captures" not in err:
        shards.wrong.append("captures that are not given: status %d, %s" % (status, err))


def main(tool, pcaps, part):
    with tempfile.TemporaryDirectory() as folder:
        shards = Shards(tool, folder)
        {"each": each, "some": some, "together": together}[part](shards, list(jobs.captures(pcaps))[::kit.REPEATED])
    print("\n".join(shards.wrong[:20]) or "%d results are as they must be" % shards.runs)
    return 1 if shards.wrong or not shards.runs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
