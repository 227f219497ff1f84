#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""json-doc: docs/json.md describes each line type of the schemas, and names each of its keys.

json_doc.py PAGE SCHEMA_FOLDER
"""

import json
import os
import re
import sys

LINES = {"check": ("run", "finding", "connection", "capture", "transport", "opened", "summary"), "rules": ("run", "rule", "diagnosis"),
         "stats": ("run", "stats", "stats-interval"), "probe": ("run", "probe"), "peer": ("run", "finding", "case", "listed", "summary")}
# Objects in a line of `stats`, whose keys its section names as well.
NESTED = ("sizes", "idle", "startup", "tcp", "stream", "fpdus", "packing", "message", "requests", "outstanding", "direction")


def sections(text):
    """{heading without backticks: the text after it up to the next heading}."""
    parts = re.split(r"(?m)^#+ (.*)$", text)
    return {heading.replace("`", ""): body for heading, body in zip(parts[1::2], parts[2::2])}


def named(text):
    return set(re.findall(r"`([a-z0-9_-]+)`", text))


def enum_of(schema):
    return schema.get("enum", [schema["const"]] if "const" in schema else [])


def main(page, folder):
    wrong = []
    with open(page, encoding="utf-8") as stream:
        text = stream.read()
    there = sections(text)
    schemas = {}
    for name in ("check", "dump", "rules", "stats", "coverage", "decode", "probe", "peer"):
        with open(os.path.join(folder, name + ".schema.json"), encoding="utf-8") as stream:
            schemas[name] = json.load(stream)
        if name + ".schema.json" not in text:
            wrong.append("%s.schema.json is not named" % name)
    for name, lines in LINES.items():
        found = {option["$ref"].rsplit("/", 1)[1] for option in schemas[name]["oneOf"]}
        if found != set(lines):
            wrong.append("%s: lines %s, expected %s" % (name, sorted(found), sorted(lines)))
        for line in lines:
            keys = set(schemas[name]["$defs"][line]["properties"])
            own = "%s of %s" % (line, name)
            missing = keys - named(there.get(own, there.get(line, "")))
            if missing:
                wrong.append("%s: %s: not named: %s" % (name, line, ", ".join(sorted(missing))))
    for nested in NESTED:
        missing = set(schemas["stats"]["$defs"][nested]["properties"]) - named(there.get("stats", ""))
        if missing:
            wrong.append("stats: %s: not named: %s" % (nested, ", ".join(sorted(missing))))
    kinds = enum_of(schemas["check"]["$defs"]["capture"]["properties"]["kind"])
    pdus = [pdu for one in schemas["dump"]["$defs"].values() for pdu in enum_of(one.get("properties", {}).get("pdu", {}))]
    for section, values in (("capture", kinds), ("dump", pdus)):
        missing = set(values) - named(there.get(section, ""))
        if missing or not values:
            wrong.append("%s: not named: %s" % (section, ", ".join(sorted(missing))))
    missing = set(schemas["coverage"]["properties"]) - named(there.get("coverage", ""))
    if missing:
        wrong.append("coverage: not named: %s" % ", ".join(sorted(missing)))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
