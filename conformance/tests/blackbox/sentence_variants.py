#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sentence_variants: the captures of sentences.py as networks and capture programs change them.

    sentence_variants.py TOOL [--seed N] [--keep DIR]

The same octets in other packets must give the same findings; with less in the capture none may be new.
Seed 0 takes another one each time.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import gencaps
import random_check
import sctp_paths
import sentences
import variants

BATCH = 200
LARGEST = 1000  # packets; the one capture that has more is a matter of its size
UNSEEN = ("sctp.terminate-missing",)  # nothing of SCTP shows that the last message and all that acknowledges it are missing


class Variant:
    """A variant of a capture: the files of both."""

    def __init__(self, title, less, original, path):
        self.title, self.less, self.original, self.path = title, less, original, path


def over_tcp(path, rng):
    """(name, less, packets, link) of each variant."""
    packets = variants.load(capfile.read_capture(path))
    for less, changes in ((False, random_check.SAME), (True, random_check.LESS)):
        for how in sorted(changes):
            yield how, less, changes[how](packets, rng), capfile.EN10MB


def over_sctp(cap, rng):
    packets = sctp_paths.of_capture(cap)
    for how in sorted(sctp_paths.SAME):
        yield (how, False, *sctp_paths.SAME[how](packets, rng))
    for how in sorted(sctp_paths.LESS):
        yield how, True, sctp_paths.LESS[how](packets, rng), capfile.EN10MB


def written(folder, rng):
    """Writes all captures and their variants."""
    for number, (make, *_) in enumerate(sentences.CASES + sentences.EDGES):
        made = make()
        cap = sentences.packets(made)
        if len(cap) > LARGEST:
            continue
        original = os.path.join(folder, "%03d.pcap" % number)
        sentences.write(made, original)
        tcp = isinstance(made, gencaps.Connection)
        for how, less, packets, link in over_tcp(original, rng) if tcp else over_sctp(made.assoc.cap, rng):
            path = os.path.join(folder, "%03d-%s.pcap" % (number, how.replace(" ", "-")))
            capfile.write_pcap(path, packets, link)
            yield Variant("%s, %s" % (make.__name__, how), less, original, path)


def found_in(tool, paths):
    """{path: {(rule, sequence number, address) of what is grave}}"""
    out = {}
    for at in range(0, len(paths), BATCH):
        found, problem = random_check.run_tool(tool, paths[at:at + BATCH])
        if problem:
            sys.exit(problem)
        for path in paths[at:at + BATCH]:
            lines = random_check.findings(found[os.path.basename(path)])
            out[path] = {(line["rule"], line.get("seq"), line["src"]) for line in lines if line["certainty"] == "certain"}
    return out


def differs(variant, before, after):
    """With less in the capture a rule may speak of other octets of the side that broke it."""
    if variant.less:
        sides = {(rule, src) for rule, _, src in before}
        # Without the next FPDU nothing tells that an FPDU with a wrong CRC has another length.
        framed = {("mpa.crc", src) for rule, src in sides if rule == "mpa.framing"}
        return ["new finding: %s at %s of %s" % item for item in sorted(after, key=str)
                if item[::2] not in sides | framed and item[0] not in UNSEEN]
    return ["other finding: %s at %s" % item
            for item in sorted({item[:2] for item in before} ^ {item[:2] for item in after}, key=str)]


def main():
    parser = argparse.ArgumentParser(description="check variants of the captures that violate one sentence each")
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the captures that differ")
    args = parser.parse_args()
    seed = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    print("seed %d" % seed)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        made = list(written(folder, random.Random(seed)))
        found = found_in(os.path.abspath(args.tool), sorted({path for v in made for path in (v.original, v.path)}))
        for variant in made:
            texts = differs(variant, found[variant.original], found[variant.path])
            bad += bool(texts)
            for text in texts:
                print("%s (%s): %s" % (os.path.basename(variant.path), variant.title, text))
            if texts and args.keep:
                shutil.copy(variant.path, args.keep)
    print("%d variants, %d differ" % (len(made), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
