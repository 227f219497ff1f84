# SPDX-License-Identifier: BSD-2-Clause
"""What the programs that make captures have in common: write them, compare them, give their rows of the manifest."""

import argparse
import filecmp
import hashlib
import os
import tempfile


def digest(path):
    """The SHA-256 of a file, as the manifest has it."""
    with open(path, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


def compare(folder, write_all):
    """Returns texts on how the captures in `folder` differ from those made again, and how many are made."""
    with tempfile.TemporaryDirectory() as fresh:
        names = write_all(fresh)
        there = {name for name in os.listdir(folder) if name.endswith((".pcap", ".pcapng"))}
        out = ["%s: is not made here" % name for name in sorted(there - set(names))]
        for name in sorted(names):
            if name not in there:
                out.append("%s: is missing" % name)
            elif not filecmp.cmp(os.path.join(folder, name), os.path.join(fresh, name), False):
                out.append("%s: differs" % name)
        return out, len(names)


def main(argv, what, write_all, rows):
    """The program: write_all(folder) writes the captures and returns their names, rows(folder) yields their rows.

    `argv` are its words, or None for the command line.
    """
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("command", choices=("write", "compare", "rows"))
    parser.add_argument("folder")
    args = parser.parse_args(argv)
    if args.command == "write":
        print("%d captures" % len(write_all(args.folder)))
        return 0
    if args.command == "rows":
        print("\n".join(sorted(rows(args.folder))))
        return 0
    found, num = compare(args.folder, write_all)
    print("\n".join(found) if found else "%d captures are what they were" % num)
    return 1 if found else 0
