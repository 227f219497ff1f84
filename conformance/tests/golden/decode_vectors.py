#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""decode_vectors: `iwarp decode -T jsonl` says of each frame vector what the vector says, and fits its schema.

decode_vectors.py TOOL VECTOR_FOLDER SCHEMA
"""

import json
import os
import subprocess
import sys

from schema_check import Schema, kit

LAYERS = {"startup": "mpa", "fpdu": "mpa", "segment": "ddp"}  # the others are layers themselves
PARTS = ("sctp-adaptation", "enhanced", "marker", "erdma", "smbd", "smbd-le", "rpc-rdma")  # no PDUs
OPEN = ("segment", "sctp-segment", "sctp-control")  # whatever follows belongs to them


def run(tool, words, text=None):
    done = subprocess.run([tool, "decode", *words], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


def options(vector):
    words = ["--layer", LAYERS.get(vector["form"], vector["form"])]
    return words + (["--offset", str(vector["stream_off"])] if vector.get("markers") else [])


def rdmap_octets(vector):
    """What RDMAP hands to DDP: RsvdULP and the payload. None where the opcode does not tell whether it is tagged."""
    ddp, octets = vector["value"]["ddp"], vector["wire"]
    tagged = vector["value"]["rdmap"]["opcode"] in (0, 2)
    if ddp["tagged"] != tagged or ddp.get("mo", 0) != 0:
        return None
    return octets[2:4] + octets[28:] if tagged else octets[2:12] + octets[36:]


def sampled(vectors):
    """The first vector of each form and error, and one of kit.REPEATED of the others."""
    met = set()
    for number, vector in enumerate(vectors):
        kind = vector["form"], vector["error"], "enhanced" in vector["value"] if vector["value"] else None
        if kind not in met or number % kit.REPEATED == 0:
            yield vector
        met.add(kind)


class Checker:
    def __init__(self, tool, schema):
        self.tool, self.schema, self.runs, self.complaints = tool, schema, 0, []

    def expect(self, name, right, why):
        if not right:
            self.complaints.append("%s: %s" % (name, why))

    def decode(self, name, words, text=None):
        self.runs += 1
        status, out, err = run(self.tool, ["-T", "jsonl", *words], text)
        self.expect(name, out.count("\n") == 1, "prints %r %r" % (out, err))
        line = json.loads(out)
        found = self.schema.complaint(line)
        self.expect(name, found is None, found)
        return status, line, err

    def vector(self, vector):
        """The frame as it is, from standard input, with something after it, and as text."""
        name, whole = vector["id"], vector["error"] != "NEED_MORE" and vector["value"] is not None
        status, line, err = self.decode(name, [*options(vector), vector["wire"]])
        self.expect(name, status == (0 if whole else 2), "status %d" % status)
        self.expect(name, whole == (err == ""), "says %r" % err)
        self.expect(name, line.pop("form") == vector["form"], "form")
        self.expect(name, line.pop("error", None) == vector["error"], "error")
        self.expect(name, line.pop("need", None) == vector.get("need"), "need")
        cut = line.pop("fields", None)
        self.expect(name, whole == (cut is None) or vector["form"] in PARTS, "fields of a cut frame: %r" % cut)
        value = vector["value"] if whole else {"octets": vector["wire"]}
        self.expect(name, line == value, "%r is not %r" % (line, value))
        again = self.decode(name, [*options(vector), "-"], vector["wire"].upper() + "\n")[1]
        self.expect(name, {**line, "form": vector["form"]}.items() <= again.items(), "differs from standard input")
        if whole and vector["form"] not in OPEN:
            longer = self.decode(name, [*options(vector), vector["wire"], "0xab:cd"])[1]
            self.expect(name, longer.get("surplus") == "abcd", "surplus")
        text = run(self.tool, [*options(vector), vector["wire"]])
        self.expect(name, text[0] == status and (text[1] or not vector["wire"]), "text")

    def rdmap(self, vector):
        octets = rdmap_octets(vector)
        if octets:
            line = self.decode(vector["id"], ["--layer", "rdmap", octets])[1]
            for key in set(vector["value"]) - {"ddp"}:
                self.expect(vector["id"], line.get(key) == vector["value"][key], "rdmap: %s" % key)
            if not vector["value"]["ddp"]["tagged"]:
                self.expect(vector["id"], line["invalidate_stag"] == vector["value"]["ddp"]["invalidate_stag"], "stag")


def main(tool, folder, schema):
    checker = Checker(tool, Schema(schema))
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            vectors = json.load(stream)["vectors"]
        for vector in sampled(vectors):
            # A key of zeros is a startup frame only for one who waits for it; the tool takes it for an FPDU.
            if vector["form"] != "ddp-header" and vector["wire"] and vector["id"] != "unknown-key-zero":
                checker.vector(vector)
            if vector["form"] == "segment" and vector["value"]:
                checker.rdmap(vector)
    for complaint in checker.complaints[:40]:
        print(complaint)
    print("%d runs, %d complaints" % (checker.runs, len(checker.complaints)))
    return 1 if checker.complaints or checker.runs < 600 // kit.REPEATED else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
