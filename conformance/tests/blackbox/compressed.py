#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compressed: a capture that gzip, zstd, lz4 or xz made smaller is read as it is.   compressed.py TOOL PCAPS

Every command prints the same for it as for the capture itself, from a file and from a pipe, with every option that
reads packets. The file may have one part or several. If it is cut or damaged, the part that can be unpacked is read,
and one line says where it ends.  One that needs too large a window, or has the legacy form of lz4, is refused in one
line.  Memory does not grow with the unpacked octets.
"""

import gzip
import json
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import kit

NAME = "trace.pcap"
GROWTH_MIB = 12
PLACES = 20 if kit.REPEATED == 1 else 8  # where a file is cut, and where it is damaged
# A process that is small before it becomes the tool: what was there before counts too.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(os.wait4(child.pid, 0)[2].ru_maxrss)
"""
ABSENT = "which this build cannot read"


def zstd(octets):
    """A frame of blocks that are stored as they are."""
    size = 1 << 17
    pieces = [octets[at:at + size] for at in range(0, len(octets), size)] or [b""]
    blocks = (struct.pack("<I", (at == len(pieces) - 1) | len(piece) << 3)[:3] + piece for at, piece in enumerate(pieces))
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(blocks)


def lz4(octets):
    """Likewise."""
    size = 1 << 16
    pieces = (octets[at:at + size] for at in range(0, len(octets), size))
    return b"\x04\x22\x4d\x18\x60\x40\x82" + b"".join(struct.pack("<I", 1 << 31 | len(p)) + p for p in pieces) + bytes(4)


def program(*words):
    return lambda octets: subprocess.run(words, input=octets, stdout=subprocess.PIPE, check=True).stdout


def packers():
    """(form, word for its parts, function): stored blocks, and what the programs make where they are installed."""
    yield "gzip", "member", lambda octets: gzip.compress(octets, mtime=0)
    yield "xz", "stream", lzma.compress
    yield "zstd", "frame", zstd
    yield "lz4", "frame", lz4
    for words in (("zstd", "-qc"), ("lz4", "-qc"), ("lz4", "-qc", "-9", "-BD", "--content-size"), ("xz", "-0c", "--block-size=2000")):
        if shutil.which(words[0]):
            yield words[0], "stream" if words[0] == "xz" else "frame", program(*words)


class Comparison:
    """Two folders with a file of the same name: the capture, and the same compressed."""

    def __init__(self, tool, folder):
        self.tool, self.runs, self.wrong, self.known = tool, 0, [], {}
        self.plain, self.packed, self.out = (os.path.join(folder, name) for name in ("plain", "packed", "out"))
        for place in (self.plain, self.packed, self.out):
            os.mkdir(place)

    def run(self, *words, stdin=None, cwd=None):
        done = subprocess.run([self.tool, *words], cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout, done.stderr

    def write(self, packed, plain=None):
        if plain is not None and plain != self.known.get("plain"):
            self.known = {"plain": plain}
        for place, octets in ((self.plain, plain), (self.packed, packed)):
            if octets is not None:
                with open(os.path.join(place, NAME), "wb") as out:
                    out.write(octets)

    def once(self, run, *words, **how):
        """What the capture itself yields, which is read once for all its compressed forms."""
        key = (run.__name__, words, "stdin" in how)
        if key not in self.known:
            self.known[key] = run(*words, **how)
        return self.known[key]

    def same(self, what, *words):
        """The same status, output and messages."""
        self.runs += 1
        one, two = self.once(self.run, *words, NAME, cwd=self.plain), self.run(*words, NAME, cwd=self.packed)
        if one != two:
            self.wrong.append("%s: %s: %r, not %r" % (what, " ".join(words), two[::2], one[::2]))

    def same_piped(self, what, plain, packed, *words):
        self.runs += 1
        if self.once(self.run, *words, "-", stdin=plain) != self.run(*words, "-", stdin=packed):
            self.wrong.append("%s: %s through a pipe" % (what, " ".join(words)))

    def written(self, option, place):
        path = os.path.join(self.out, "written")
        self.run("check", option % path, NAME, cwd=place)
        with open(path, "rb") as stream:
            octets = stream.read()
        os.unlink(path)
        return octets

    def same_file(self, what, option):
        """What is written to a file."""
        self.runs += 1
        plain = self.once(self.written, option, self.plain)
        if plain != self.written(option, self.packed) or not plain:
            self.wrong.append("%s: %s" % (what, option))

    def expect(self, condition, what):
        self.runs += 1
        if not condition:
            self.wrong.append(what)


def is_built(compare, form, pack):
    """Returns True if this build reads the form; otherwise the tool must say so."""
    compare.write(pack(b"no capture, whatever reads it"))
    status, _, said = compare.run("dump", NAME, cwd=compare.packed)
    compare.expect(status == 2 and said.count(b"\n") == 1, "%s: %r" % (form, said))
    if ABSENT.encode() not in said:
        return True
    compare.expect(b"compressed with " + form.encode() in said, "%s is not named: %r" % (form, said))
    print("skipped: %s, %s" % (form, ABSENT))
    return False


def every_command(compare, form, plain, packed):
    compare.write(packed, plain)
    for words in (("check",), ("check", "-T", "jsonl"), ("dump",), ("dump", "-T", "jsonl"), ("timeline",), ("baseline",),
                  ("check", "-f", "tcp"), ("check", "-f", "udp"), ("dump", "-c", "5"), ("check", "--jobs", "3", "-T", "jsonl"),
                  ("check", "--shard", "1/2", "-T", "jsonl"), ("check", "-d", "tcp.port==7174"), ("check", "-T", "html")):
        compare.same(form, *words)
    for words in (("check", "-T", "jsonl"), ("dump",), ("check", "--jobs", "2")):
        compare.same_piped(form, plain, packed, *words)
    compare.same_file(form, "--annotate=%s")
    compare.same_file(form, "--report=sarif=%s")


def parts(compare, form, plain, pack):
    """Compressed in parts: >> of a shell."""
    third = len(plain) // 3
    several = pack(plain[:third]) + pack(plain[third:third + 1]) + pack(b"") + pack(plain[third + 1:])
    compare.write(several, plain)
    compare.same(form + " in parts", "dump", "-T", "jsonl")
    compare.same_piped(form + " in parts", plain, several, "dump", "-T", "jsonl")


def summary(output):
    return json.loads(output.splitlines()[-1])


def cut(compare, form, part, plain, packed):
    """Each further octet shows as many packets or more, and the missing part is reported once."""
    before = 0
    compare.write(packed, plain)
    whole = summary(compare.run("check", "-T", "jsonl", NAME, cwd=compare.packed)[1])["packets"]
    step = max(1, len(packed) // PLACES)
    for length in sorted({*range(8, len(packed), step), *range(len(packed) - 3, len(packed))}):
        compare.write(packed[:length])
        status, output, said = compare.run("check", "-T", "jsonl", NAME, cwd=compare.packed)
        ends = "the %s file ends within a %s, after octet %d" % (form, part, length)
        packets = summary(output)["packets"] if output else 0
        begun = "cut short after packet %d (%s)" % (packets, ends) if packets else "(%s)" % ends
        compare.expect(status == 2 and said.count(b"\n") == 1 and (begun if packets else ends).encode() in said,
                       "%s of %d octets: %d: %r" % (form, length, status, said))
        compare.expect(before <= packets <= whole, "%s of %d octets: %d packets, %d before" % (form, length, packets, before))
        before = packets
    if form in ("gzip", "xz"):  # the others give out whole blocks
        compare.expect(before == whole, "%s: %d of %d packets where only the end is missing" % (form, before, whole))


def damaged(compare, form, packed):
    """Octets that are wrong end it; there is a line, and only one, about a file that does not fit its checksum."""
    for at in range(10, len(packed), max(1, len(packed) // PLACES)):
        wrong = bytearray(packed)
        wrong[at] ^= 0xFF
        compare.write(bytes(wrong))
        status, _, said = compare.run("check", "-q", NAME, cwd=compare.packed)
        checked = form in ("gzip", "xz")
        compare.expect(status in ((2,) if checked else (0, 1, 2, 3, 4)), "%s, octet %d wrong: %d" % (form, at, status))
        compare.expect(said.count(b"\n") == (1 if status == 2 else said.count(b"\n")), "%s, octet %d wrong: %r" % (form, at, said))
    compare.write(packed + b"and now for something else")
    status, _, said = compare.run("check", "-q", NAME, cwd=compare.packed)
    at = re.search(rb"the %s file is damaged at octet (\d+): " % form.encode(), said)
    compare.expect(status == 2 and at and 0 <= int(at[1]) - len(packed) <= 12,
                   "%s of %d octets with octets after it: %d: %r" % (form, len(packed), status, said))


def peak_mib(compare):
    words = [sys.executable, "-c", MEASURE, compare.tool, "check", "-q", NAME]
    return int(subprocess.run(words, cwd=compare.packed, capture_output=True, check=True).stdout) / 1024


def window(log, octets):
    """A zstd frame of one stored block that asks for a window of 2**log octets."""
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(log - 10) << 3]) + struct.pack("<I", 1 | len(octets) << 3)[:3] + octets


def refused(compare, form, packed, reason):
    """One line says why, from a file and from a pipe."""
    compare.write(packed)
    for status, _, said in (compare.run("check", NAME, cwd=compare.packed), compare.run("check", "-", stdin=packed)):
        compare.expect(status == 2 and said.count(b"\n") == 1 and reason in said, "%s: %d: %r" % (form, status, said))


def not_read(compare, plain, zstd_is_built):
    refused(compare, "lz4 -l", b"\x02\x21\x4c\x18" + struct.pack("<I", len(plain)) + plain, b"compressed with lz4 -l, the legacy format")
    if zstd_is_built:
        compare.write(window(27, plain), plain)
        compare.same("zstd with a window of 128 MiB", "dump")
        refused(compare, "zstd", window(28, plain), b"the zstd file needs more than 128 MiB of memory to be unpacked, at octet ")


def memory(compare, form, pack):
    """A file that gets many times as large."""
    packet = struct.pack("<IIII", 1, 0, 60000, 60000) + bytes(60000)
    header = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
    peaks = []
    for count in (5, 500):
        compare.write(pack(header + packet * count))
        peaks.append(peak_mib(compare))
    compare.expect(peaks[1] - peaks[0] < GROWTH_MIB, "%s: %.0f MiB more for a hundred times as much" % (form, peaks[1] - peaks[0]))


def main(tool, pcaps):
    tool = os.path.abspath(tool)
    folder = os.path.join(pcaps, "real", "siw")
    captures = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith((".pcap", ".pcapng"))]
    with tempfile.TemporaryDirectory() as place:
        compare = Comparison(tool, place)
        built = [(number, *packer) for number, packer in enumerate(packers()) if is_built(compare, *packer[::2])]
        for path in captures[::96 * min(kit.REPEATED, 2)]:
            with open(path, "rb") as stream:
                plain = stream.read()
            for number, form, _, pack in built:
                if number < 4 or path == captures[0]:
                    every_command(compare, form, plain, pack(plain))
                    parts(compare, form, plain, pack)
        for _, form, part, pack in built:
            cut(compare, form, part, plain, pack(plain))
            damaged(compare, form, pack(plain))
            memory(compare, form, pack)
        with open(min(captures, key=os.path.getsize), "rb") as stream:
            not_read(compare, stream.read(), is_built(compare, "zstd", zstd))
    print("\n".join(compare.wrong[:20]) or "%d runs of compressed captures show what the captures hold" % compare.runs)
    return 1 if compare.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
