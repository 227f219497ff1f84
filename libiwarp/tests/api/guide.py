# SPDX-License-Identifier: BSD-2-Clause
"""The guide's code stands in the examples, and its output is what they print: guide.py DOCS BIN-DIR"""

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
    built = re.search(r"^for name in (.*); do$", (docs / "guide.md").read_text(encoding="utf-8"), re.MULTILINE)[1].split()
    yield from (f"{name}: the guide does not build it" for name in sorted(examples - {name + ".c" for name in built}))
    yield from (f"{name}: the guide does not quote its main" for name in sorted(examples - quoted))
    yield from (f"{name}: the guide does not show what it prints" for name in sorted(examples - shown))


def crc32c(octets):
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return (crc ^ 0xFFFFFFFF).to_bytes(4, "little")


def fpdu(ulpdu, marker=0):
    """The first FPDU of a stream with Markers, short enough for the first Marker alone."""
    octets = marker.to_bytes(4, "big") + len(ulpdu).to_bytes(2, "big") + ulpdu + bytes((2 - len(ulpdu)) % 4)
    return octets + crc32c(octets)


def untagged(ddp=0x41, rdmap=0x43, qn=0):
    """The header of a Send, or of what these octets make of it."""
    return bytes([ddp, rdmap]) + bytes(4) + qn.to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(4)


def faults(stream):
    """Streams that a receiver must not take, the last line that the receive loop prints of each."""
    flipped = bytearray(stream)
    flipped[flipped.index(b"hello")] ^= 1
    return [(flipped, "the CRC32c of an FPDU is wrong: answer with Terminate 2/0/2"),
            (bytes(4) + (2500).to_bytes(2, "big") + b"\xc1\x40" + bytes(2600),
             "an FPDU is longer than max_ulpdu: answer with Terminate 2/0/5"),
            (stream[:-1], "the stream ends inside an FPDU: answer with Terminate 2/0/1"),
            (fpdu(untagged(), marker=8),
             "a Marker and the ULPDU_Length disagree about the start of an FPDU: answer with Terminate 2/0/3"),
            (fpdu(b"\x41\x43\0"), "the ULPDU is too short for its DDP header: answer with Terminate 1/0/0"),
            (fpdu(b"\xc0\x40" + bytes(12)), "the DDP version is not 1: answer with Terminate 1/1/4"),
            (fpdu(untagged(ddp=0x42)), "the DDP version is not 1: answer with Terminate 1/2/6"),
            (fpdu(untagged(qn=9)), "there is no such queue: answer with Terminate 1/2/1"),
            (fpdu(untagged(rdmap=0x83)), "the RDMAP version is not 1: answer with Terminate 0/2/5"),
            (fpdu(untagged(rdmap=0x4C)), "the opcode is not one for this segment: answer with Terminate 0/2/6"),
            (fpdu(untagged(qn=1)), "the opcode is not one for this segment: answer with Terminate 0/2/6"),
            (fpdu(untagged(rdmap=0x41, qn=1)),
             "the segment is too short for its RDMAP header: answer with Terminate 0/2/255")]


def check_faults(folder):
    """The receive loop says of each fault with which Terminate it is to be answered, and takes nothing after it."""
    for stream, line in faults(run(folder / "example-send")):
        done = subprocess.run([str(folder / "example-recv")], input=bytes(stream), capture_output=True, check=False)
        if done.returncode != 1 or done.stdout.decode().splitlines()[-1:] != [line]:
            yield f"recv: exit status {done.returncode}, {done.stdout.decode()!r} where it should end with {line!r}"
    taken = run(folder / "example-recv", fpdu(untagged())).decode()
    if taken != "send         qn 0 msn 1 mo 0, 0 octets, last\n":
        yield f"recv: says of a Send without payload: {taken!r}"


def check_full_disk(folder):
    """The transport takes nothing: the send loop reports each message as failed, and ends with a failure."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([str(folder / "example-send")], stdout=full, stderr=subprocess.PIPE, check=False)
    if done.returncode != 1 or b"success" in done.stderr or done.stderr.count(b"message") != 3:
        yield f"send: into a full file: exit status {done.returncode}, {done.stderr!r}"


def check_looks(docs):
    """Whoever takes an FPDU looks whether all of it is there, and who takes events what the last call returned."""
    for path in sorted((docs / "examples").glob("*.c")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"\bu\.fpdu\b", text) and not re.search(r"->complete\b", text):
            yield f"{path.name}: takes FPDUs and never reads `complete`"
        if re.search(r"\((?:iwarp_\w+_next_(?:event|output|batch))\([^()]*\) == IWARP_OK\)", text):
            yield f"{path.name}: takes NOBUF for END"
        for call in re.findall(r"^ +(iwarp_\w+_(?:push|eof|advance|start|commit_rx|lost)\(.*)", text, re.MULTILINE):
            yield f"{path.name}: drops what this returns: {call}"


def check_no_sockets(folder):
    """Two processes over TCP: when the system gives too few descriptors, the program ends at once, with a failure."""
    for limit in (4, 5):
        done = subprocess.run([str(folder / "example-loopback")], capture_output=True, check=False,
                              preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
        if done.returncode != 1 or not done.stderr.startswith(b"loopback: "):
            yield f"loopback: with {limit} descriptors: exit status {done.returncode}, {done.stderr!r}"


def main(docs, folder):
    folder = Path(folder)
    complaints = [*check_guide(Path(docs), folder), *check_looks(Path(docs)), *check_faults(folder), *check_full_disk(folder),
                  *check_no_sockets(folder)]
    for complaint in complaints:
        print(complaint)
    print(f"guide: {len(complaints)} complaint(s)")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
