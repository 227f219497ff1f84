# SPDX-License-Identifier: BSD-2-Clause
"""Runs tshark with the plugin, and the tool, on captures: what the tests of this folder share."""
import argparse
import atexit
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

# What Wireshark and GLib write when a dissector does what it must not.
DEFECTS = ("CRITICAL", "WARNING", "issector bug", "Couldn't load", "failed assertion")


# The gate takes one of so many captures, and of what is made at random; .ci/nightly takes all.
REPEATED = min(int(os.environ.get("IWARP_PROPERTY_SAMPLE", "1")), 4)


class Failed(Exception):
    """Something is not as it must be."""


def output_of(done, ours=True):
    """Standard output of a program that ended, as text. Not `ours`: it may report leaks of its own."""
    errors = done.stderr.decode(errors="replace")
    if done.returncode < 0 or done.returncode > 100 or (ours and any(defect in errors for defect in DEFECTS)):
        raise Failed(f"{' '.join(map(str, done.args))}: status {done.returncode}: {errors}")
    return done.stdout.decode(errors="replace")


def run(command, ours=True):
    """Runs a program; its standard output as text."""
    return output_of(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False), ours)


# The tables of names that Wireshark 4.0 reads twice at each start; with -n it shows none of them.
TABLES = ("enterprises.tsv", "manuf", "services")
DATA = pathlib.Path("/usr/share/wireshark")
# tshark reads this option before it registers the dissectors: too late for one that has begun (begin_once.c).
EARLY = "-X"

# -G starts each program of that folder to list it.
NO_EXTCAP = {"WIRESHARK_EXTCAP_DIR": "/nonexistent"}
# The first two arguments of a run replace these: tshark reads -G there.
PLACES = ("", "")


class Begun:
    """A tshark that has registered its dissectors, and makes a process for each run."""

    def __init__(self, runner, preload):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)
        for path in DATA.glob("*"):
            if path.name not in TABLES:
                os.symlink(path, os.path.join(self.folder, path.name))
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.errors = tempfile.TemporaryFile()
        environment = {**os.environ, **NO_EXTCAP, "IWARP_PRELOAD": str(preload), "IWARP_REQUESTS": str(theirs.fileno()), "WIRESHARK_DATA_DIR": self.folder}
        self.process = subprocess.Popen([runner, *PLACES], pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL, stderr=self.errors)
        theirs.close()
        atexit.register(self.end)

    def end(self):
        """Ends it."""
        self.requests.close()
        self.process.wait()
        shutil.rmtree(self.folder)

    def run(self, args):
        """What subprocess.run() returns of tshark with these arguments."""
        command = ["tshark", *map(str, args)]
        read_output, output = os.pipe()
        read_status, status = os.pipe()
        with os.fdopen(read_output, "rb") as outputs, os.fdopen(read_status, "rb") as statuses, tempfile.TemporaryFile() as errors:
            try:
                socket.send_fds(self.requests, [b"".join(arg.encode() + b"\0" for arg in command)], [output, errors.fileno(), status])
            except OSError as error:
                self.fail(error)
            finally:
                os.close(output)
                os.close(status)
            written, code = outputs.read(), statuses.read()
            errors.seek(0)
            said = os.pread(self.errors.fileno(), 1 << 20, 0) + errors.read()
        return subprocess.CompletedProcess(command, code[0] if code else -1, written, said)

    def fail(self, error):
        """There is no process that takes requests."""
        raise Failed(f"tshark does not begin: {error}: {os.pread(self.errors.fileno(), 1 << 20, 0).decode(errors='replace')}")


BEGINS = threading.Lock()


@functools.cache
def begun_alone(runner):
    preload = pathlib.Path(runner).parent / "iwarp-begin-once.so"
    return Begun(runner, preload) if preload.exists() and "IWARP_PRELOAD" not in os.environ else None


def begun(runner):
    """The tshark of a runner that has begun, or None: for another release, and where other libraries are loaded."""
    with BEGINS:
        return begun_alone(runner)


def started(runner, args, **environment):
    """What subprocess.run() returns of tshark, in an environment of its own if one is given."""
    once = None if EARLY in args or environment else begun(runner)
    if once is not None:
        return once.run(args)
    return subprocess.run([runner, *args], env={**os.environ, **NO_EXTCAP, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def about(runner, *args, **environment):
    """Standard output of tshark without a capture."""
    return output_of(started(runner, args, **environment))


class Tshark:
    """tshark with the plugin of the build tree; `plugin` off: with only the built-in dissectors."""

    def __init__(self, runner, plugin=True):
        self.runner = runner
        self.plugin = plugin
        self.options = ["-n"] if plugin else ["-n", "--disable-protocol", "iwarp"]

    def done(self, capture, *args):
        """What subprocess.run() returns of tshark on a capture."""
        args = [*self.options, "-r", capture, *args]
        return started(self.runner, args)

    def run(self, capture, *args):
        """Standard output of tshark on a capture."""
        return output_of(self.done(capture, *args), self.plugin)

    def fields(self, capture, names, *args):
        """For each frame the values of fields, a list for each, as text."""
        wanted = [part for name in names for part in ("-e", name)]
        out = self.run(capture, "-T", "fields", "-E", "separator=\x1f", "-E", "aggregator=\x1e", *wanted, *args)
        rows = [line.split("\x1f") for line in out.split("\n") if line]
        return [[cell.split("\x1e") if cell else [] for cell in row] for row in rows]

    def values(self, capture, name, *args):
        """All values of a field in the capture, in order."""
        return [value for [values] in self.fields(capture, [name], "-Y", name, *args) for value in values]

    def rules(self, capture, *args):
        """The set of (rule, frame)."""
        rows = self.fields(capture, ["frame.number", "iwarp.rule"], "-Y", "iwarp.rule", *args)
        return {(rule, int(frame)) for [[frame], rules] in rows for rule in rules}


def tool_lines(tool, command, capture, *args):
    """The lines of `iwarp check` or `iwarp dump`."""
    out = run([tool, command, "-T", "jsonl", *args, capture])
    return [line for line in map(json.loads, out.splitlines()) if line.get("type") != "run"]


def findings(tool, capture, *args):
    """The findings of `iwarp check`, all of them."""
    lines = tool_lines(tool, "check", capture, "--max-findings", "1000000000", *args)
    return [line for line in lines if line["type"] == "finding"]


def scenario(tool, folder, name, lines):
    """The capture of a scenario, written to a folder."""
    source, capture = (os.path.join(folder, name + end) for end in (".scn", ".pcap"))
    with open(source, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    run([tool, "gen", "-o", capture, source])
    os.chmod(capture, 0o644)
    return capture


def seeded():
    """The arguments TSHARK TOOL [--seed N] COUNT; seed 0 is another one each time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tshark")
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("count", type=int)
    args = parser.parse_args()
    args.seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    args.count = -(-args.count // REPEATED)
    return args


def captures(args):
    """The captures of `[--every N] FILE|FOLDER...`."""
    every = int(args[1]) if args[0] == "--every" else 1
    found = []
    for place in map(pathlib.Path, args[2:] if args[0] == "--every" else args):
        found += [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.suffix in (".pcap", ".pcapng"))
    return found[::every * REPEATED]


def on_all(files, test):
    """Calls test(capture), which returns how much it compared, on all captures, and ends the program."""

    def one(capture):
        try:
            return test(capture), None
        except Failed as error:
            return 0, f"FAILED {capture}: {error}"

    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("IWARP_JOBS") or 2)) as pool:
        for done, (count, error) in enumerate(pool.map(one, files), 1):
            if done % 50 == 0:
                print(f"{done} of {len(files)} captures", file=sys.stderr)
            total += count
            if error:
                failed += 1
                print(error)
    print(f"{len(files)} captures, {total} compared, {failed} failed")
    sys.exit(1 if failed or not files else 0)


def on_each(tests):
    """Calls each test, and ends the program."""
    failed = 0
    for test in tests:
        try:
            test()
            print(f"ok {test.__name__}")
        except Failed as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    sys.exit(1 if failed else 0)


def equal(got, expected, what=""):
    """Fails unless both are equal."""
    if got != expected:
        raise Failed(f"{what} {got!r}, expected {expected!r}")


def folders(home=None):
    """The folders of Wireshark by their names, as they are for a user with this home folder."""
    listed = run(["tshark", "-G", "folders"] if home is None else ["env", f"HOME={home}", "tshark", "-G", "folders"], ours=False)
    return {name: folder.strip() for name, colon, folder in (line.partition(":") for line in listed.split("\n")) if colon}


def release(runner):
    """The release of tshark, such as (4, 0)."""
    words = about(runner, "--version").split("\n")[0].split()
    version = next(word for word in words if word[0].isdigit())
    return tuple(int(part) for part in version.rstrip(".").split(".")[:2])
