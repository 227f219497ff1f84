#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""golden: commands with their exact output and exit status.

golden.py TOOL PCAPS [CASE_FILE...]     IWARP_UPDATE_GOLDEN=1 writes the output into the files.

A case file holds commands, each with what it must do:

    $ dump -c 1 - < pcaps/real/siw/pd-0.pcap
    | a line of standard output
    ! a line of standard error
    = exit status

Lines that begin with # and empty lines are kept.  "%" at the end of a line of output stands for a
newline that is missing there.  What the kernel offers for confinement differs between machines, so the lines that
tell it are left out.  Nothing else is masked: what the rules came to is compared, so a new rule
changes these files, and its verdicts are read before they are committed.  Commands run in a folder of
their own that holds `pcaps` and the files of make_files.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "blackbox"))
import kit

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
SAMPLE = "real/siw/pd-0.pcap"
CONFINEMENT = re.compile(r"^(?:confinement|iwarp: (?:not )?confined): .*\n", re.MULTILINE)


def make_files(folder, pcaps):
    """Makes the files that are no captures, or broken ones."""
    os.symlink(os.path.abspath(pcaps), os.path.join(folder, "pcaps"))
    with open(os.path.join(pcaps, SAMPLE), "rb") as stream:
        sample = stream.read()
    made = {
        "empty": b"",
        "text": b"This is no capture, but it is long enough to be one.\n" * 4,
        "header-cut.pcap": sample[:10],
        "no-packets.pcap": sample[:24],
        "packet-cut.pcap": sample[:-7],
        "record-cut.pcap": sample[:24 + 8],
        "link-type.pcap": sample[:20] + (147).to_bytes(4, "little") + sample[24:],
        "rst.scn": b"i> mpa-request\nr> mpa-reply\ni> send lost\ni> rst\n",
        "again.scn": b"i> mpa-request\nr> mpa-reply\ni> send\ni> send again\ni> send lost\ni> send msn=3\nr> send len=9 segment=10\n" + b"r> send\n" * 4,
        "abort.scn": b"sctp\ni> session-initiate\nr> session-accept\nr> abort\n",
        "many.scn": b"i> send len=60000\n" * 2,
        "-dashes.pcap": sample,
        "caf\u00e9 \"q\".pcap": sample,
    }
    for name, octets in made.items():
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(octets)
    os.mkdir(os.path.join(folder, "folder"))
    os.mkfifo(os.path.join(folder, "fifo"))
    return sample


def feed(path, octets, opened):
    with open(path, "wb") as stream:
        opened.set()
        stream.write(octets)


def run(tool, words, folder, sample):
    """Runs one command; returns its exit status, standard output and standard error."""
    source = subprocess.DEVNULL
    if "<" in words:
        at = words.index("<")
        source = open(os.path.join(folder, words[at + 1]), "rb")
        words = words[:at]
    writer = None
    if "fifo" in words:
        # The writer is there before the tool looks: a reader of our own lets it open at once.
        path, opened = os.path.join(folder, "fifo"), threading.Event()
        kept = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        writer = threading.Thread(target=feed, args=(path, sample, opened))
        writer.start()
        opened.wait()
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("NO_COLOR", "POSIXLY_CORRECT", "LANG", "LC_ALL")}
    done = subprocess.run([tool, *words], cwd=folder, stdin=source, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=kit.some_search_leaks(environment), check=False)
    if source is not subprocess.DEVNULL:
        source.close()
    if writer is not None:
        writer.join()
        os.close(kept)
    return done.returncode, *(CONFINEMENT.sub("", text.decode("utf-8")) for text in (done.stdout, done.stderr))


def marked(text, mark):
    """The lines of an output, each after its mark."""
    lines = [mark if line == "\n" else mark + " " + line.rstrip("\n")
             for line in text.splitlines(keepends=True)]
    if text and not text.endswith("\n"):
        lines[-1] += "%"
    return lines


def replay(tool, path, folder, sample):
    """Returns the lines of a case file as they are and as they come out."""
    with open(path, encoding="utf-8") as stream:
        before = stream.read().split("\n")
    after, commands = [], 0
    for line in before:
        if line == "$" or line.startswith("$ "):
            commands += 1
            words = shlex.split(line[1:])
            status, out, err = run(tool, words, folder, sample)
            after += [line, *marked(out, "|"), *marked(err, "!"), "= %d" % status]
        elif line[:1] not in ("|", "!", "="):
            after.append(line)
    return before, after, commands


def main(tool, pcaps, files):
    update = os.environ.get("IWARP_UPDATE_GOLDEN") == "1"
    files = files or sorted(os.path.join(FOLDER, name) for name in os.listdir(FOLDER)
                            if name.endswith(".txt"))
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        sample = make_files(folder, pcaps)
        for path in files:
            before, after, commands = replay(os.path.abspath(tool), path, folder, sample)
            total += commands
            if before == after:
                continue
            if update:
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write("\n".join(after))
                continue
            failed += 1
            print("\n".join(difflib.unified_diff(before, after, path, "now", lineterm="")))
    print("%d commands in %d files, %d files differ" % (total, len(files), failed))
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
