#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""schema_check: every line that the tool writes as JSON Lines fits its schema.

schema_check.py TOOL SCHEMA_FOLDER CAPTURE_FOLDER...

Knows the part of JSON Schema (draft 2020-12) that the schemas of the project use, and refuses a
schema that uses more.  Stricter than the schemas in one point: a key that a schema does not name is
a complaint, so that no key is added without being described.
"""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "blackbox"))
import kit  # isort: skip

TYPES = {"number": (int, float), "object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
NOTES = {"$schema", "$comment", "$defs", "title", "description", "unit", "examples"}
KEYWORDS = NOTES | {"$ref", "type", "const", "enum", "oneOf", "properties", "required", "pattern",
                    "items", "minItems", "minimum", "maximum", "propertyNames",
                    "additionalProperties"}
BATCH = 8  # captures that one run of the tool reads


class Schema:
    """A schema, turned into closures once so that many lines can be checked."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as stream:
            self.root = json.load(stream)
        self.compiled = {}
        self.check = self.compile(self.root)

    def complaint(self, value):
        """Returns what is wrong with a value, or None."""
        return self.check(value, "")

    def ref(self, name):
        if name not in self.compiled:
            self.compiled[name] = None  # refuses a schema that contains itself
            self.compiled[name] = self.compile(self.root["$defs"][name])
        return self.compiled[name]

    def compile(self, schema):
        unknown = set(schema) - KEYWORDS
        if unknown:
            raise ValueError("keywords that are not supported: %s" % sorted(unknown))
        checks = [getattr(self, "on_" + word.lstrip("$"))(schema)
                  for word in schema if word not in NOTES | {"maximum", "required"}]

        def check(value, path):
            for one in checks:
                found = one(value, path)
                if found:
                    return found
            return None
        return check

    def on_ref(self, schema):
        name = schema["$ref"].removeprefix("#/$defs/")
        self.ref(name)
        return lambda value, path: self.compiled[name](value, path)

    def on_type(self, schema):
        name, wanted = schema["type"], TYPES[schema["type"]]

        def check(value, path):
            right = isinstance(value, wanted) and (name == "boolean" or not isinstance(value, bool))
            return None if right else "%s: %r is no %s" % (path, value, name)
        return check

    def on_const(self, schema):
        wanted = schema["const"]
        return lambda value, path: (None if value == wanted and type(value) is type(wanted)
                                    else "%s: %r is not %r" % (path, value, wanted))

    def on_enum(self, schema):
        wanted = schema["enum"]
        return lambda value, path: (None if value in wanted
                                    else "%s: %r is none of %r" % (path, value, wanted))

    def on_oneOf(self, schema):
        options = [self.compile(option) for option in schema["oneOf"]]

        def check(value, path):
            found = [option(value, path) for option in options]
            if found.count(None) == 1:
                return None
            return "fits %d of: %s" % (found.count(None), "; ".join(f for f in found if f))
        return check

    def on_properties(self, schema):
        known = {key: self.compile(value) for key, value in schema["properties"].items()}
        required = schema.get("required", [])

        def check(value, path):
            for key in required:
                if key not in value:
                    return "%s: %s is missing" % (path, key)
            for key, inner in value.items():
                if key not in known:
                    return "%s: %s is not described" % (path, key)
                found = known[key](inner, path + "/" + key)
                if found:
                    return found
            return None
        return check

    def on_pattern(self, schema):
        wanted = re.compile(schema["pattern"])
        return lambda value, path: (None if wanted.search(value)
                                    else "%s: %r does not match %s" % (path, value, wanted.pattern))

    def on_items(self, schema):
        inner = self.compile(schema["items"])
        return lambda value, path: next(filter(None, (inner(v, path + "[]") for v in value)), None)

    def on_minItems(self, schema):
        return lambda value, path: (None if len(value) >= schema["minItems"]
                                    else "%s: too few items" % path)

    def on_minimum(self, schema):
        low, high = schema["minimum"], schema.get("maximum", (1 << 53) - 1)
        return lambda value, path: (None if low <= value <= high
                                    else "%s: %r is not within %d..%d" % (path, value, low, high))

    def on_propertyNames(self, schema):
        inner = self.compile(schema["propertyNames"])
        return lambda value, path: next(filter(None, (inner(k, path) for k in value)), None)

    def on_additionalProperties(self, schema):
        inner = self.compile(schema["additionalProperties"])
        return lambda value, path: next(
            filter(None, (inner(v, path + "/" + k) for k, v in value.items())), None)


def captures(folders):
    for folder in folders:
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith((".pcap", ".pcapng")):
                    yield os.path.join(where, name)


def batches(paths):
    """The captures in lists of some: to start the tool takes longer than to read a capture."""
    paths = list(paths)
    return [paths[at:at + BATCH] for at in range(0, len(paths), BATCH)]


def refuse_double_keys(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key stands twice")
    return out


def check_output(schema, words):
    """Runs the tool; returns (number of lines, complaints)."""
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    complaints = []
    lines = run.stdout.decode("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            found = schema.complaint(json.loads(line, object_pairs_hook=refuse_double_keys))
        except ValueError as problem:
            found = str(problem)
        if found:
            complaints.append("%s: line %d: %s: %.200s" % (" ".join(words[1:]), number, found, line))
    return len(lines), complaints


def self_test(schemas):
    """A checker that takes everything would be of no use."""
    good = {"pdu": "gap", "file": "a", "frame": 1, "time": "0.000000000", "conn": 0,
            "src": "10.0.0.1:1", "dst": "[::1]:2", "dir": "initiator", "seq": 0, "length": 1}
    bad = [{"length": 0}, {"length": "1"}, {"length": True}, {"dir": "sideways"}, {"time": "0.1"},
           {"src": "here"}, {"seq": 1 << 32}, {"surprise": 1}, {"pdu": "hole"}]
    assert schemas["dump"].complaint(good) is None
    for change in bad:
        assert schemas["dump"].complaint({**good, **change}), change
    for key in good:
        assert schemas["dump"].complaint({k: v for k, v in good.items() if k != key}), key


def main(tool, schema_folder, folders):
    schemas = {name: Schema(os.path.join(schema_folder, name + ".schema.json"))
               for name in ("dump", "check", "rules", "coverage", "stats")}
    self_test(schemas)
    total, complaints = 0, []
    for name in ("rules", "coverage"):
        count, found = check_output(schemas[name], [tool, name, "-T", "jsonl"])
        total += count
        complaints += found
    for paths in batches(list(captures(folders))[::kit.REPEATED]):
        for name, options in (("dump", []), ("dump", ["-V", "-x"]), ("check", []), ("check", ["--shard", "1/2"]),
                              ("stats", ["--interval", "0.01"])):
            count, found = check_output(schemas[name], [tool, name, "-T", "jsonl", *options, *paths])
            total += count
            complaints += found
    for line in complaints[:40]:
        print(line)
    print("%d lines, %d complaints" % (total, len(complaints)))
    return 1 if complaints or total < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
