# SPDX-License-Identifier: BSD-2-Clause
"""The guide's code is that of the examples, and its output is what they print: guide.py DOCS BIN-DIR"""

import re
import resource
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^(?:<!-- ([^\n]*) -->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run(program, octets=b""):
    done = subprocess.run([str(program)], input=octets, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: exit status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def pipe(folder, names):
    octets = b""
    for name in names:
        octets = run(folder / f"example-{name}", octets)
    return octets.decode()


def check_guide(docs, folder):
    quoted, shown = set(), set()
    for origin, language, text in BLOCK.findall((docs / "guide.md").read_text(encoding="utf-8")):
        first = text.split("\n", 1)[0]
        if language == "c":
            source = (docs / "examples" / origin).read_text(encoding="utf-8") if origin else ""
            if "\n" + text not in source:
                yield f"guide.md: not in {origin or 'any example'}: {first}"
            quoted |= {origin} if "int main" in text else set()
        elif origin.startswith("output: "):
            names = origin.removeprefix("output: ").split(" | ")
            if pipe(folder, names) != text:
                yield f"guide.md: {origin} is\n{pipe(folder, names)}"
            shown.update(name + ".c" for name in names)
        elif language != "sh":
            yield f"guide.md: whose code is this? {first}"
    examples = {path.name for path in (docs / "examples").glob("*.c")}
    yield from (f"{name}: the guide does not quote its main" for name in sorted(examples - quoted))
    yield from (f"{name}: the guide does not show what it prints" for name in sorted(examples - shown))


def check_faults(folder):
    """A flipped octet of a payload: the receive loop says with which Terminate it is to be answered."""
    stream = bytearray(run(folder / "example-send"))
    stream[stream.index(b"hello")] ^= 1
    said = run(folder / "example-recv", bytes(stream)).decode().splitlines()
    if said[0] != "the CRC32c of an FPDU is wrong: answer with Terminate 2/0/2":
        yield f"recv: says of a wrong CRC: {said}"


def check_no_sockets(folder):
    """Two processes over TCP: when the system gives too few descriptors, the program ends at once, with a failure."""
    for limit in (4, 5):
        done = subprocess.run([str(folder / "example-loopback")], capture_output=True, check=False,
                              preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
        if done.returncode != 1 or not done.stderr.startswith(b"loopback: "):
            yield f"loopback: with {limit} descriptors: exit status {done.returncode}, {done.stderr!r}"


def main(docs, folder):
    folder = Path(folder)
    complaints = [*check_guide(Path(docs), folder), *check_faults(folder), *check_no_sockets(folder)]
    for complaint in complaints:
        print(complaint)
    print(f"guide: {len(complaints)} complaint(s)")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
