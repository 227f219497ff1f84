#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""json_keys: the schemas have type, unit and an example of each key, and docs/json-keys.md shows them.   json_keys.py ROOT [--update]

The schemas are the table: `unit` and `examples` stand beside the type of a key. golden.schema compares the lines of the tool with them,
golden.json-doc compares docs/json.md, and this test compares examples and the page. --update writes the page.
"""

import json
import os
import re
import sys

import schema_check

HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made by conformance/tests/golden/json_keys.py --update from the schemas. -->
# Keys of the JSON Lines

Each key that the tool writes, with its type, its unit and an example, as the schemas have them. [json.md](json.md) says what the
keys mean, and [stats.md](stats.md) defines the figures. A name such as `tcp` in the column of types is another table of the same schema.
Of numbers without a unit, the key says what they count or number. Strings of hex digits have `0x` where they are numbers.
"""

COMMANDS = ("check", "dump", "stats", "rules", "coverage", "decode", "probe", "peer")
UNITS = ("octets", "s", "s since 1970")
UNITLESS_NUMBERS = {"mean"}  # other numbers with a fraction are seconds


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as stream:
        return stream.read()


class Exact(float):
    """A number with a fraction, as it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def parsed(text):
    return json.loads(text, parse_float=Exact)


class Tables:
    """The tables of a schema: each object with keys."""

    def __init__(self, name, folder):
        path = os.path.join(folder, name + ".schema.json")
        self.name, self.checks = name, schema_check.Schema(path)
        self.root = parsed(read(path))
        self.rows = {}  # {table: {key: schema}}
        for table, node in {**({name: self.root} if "properties" in self.root else {}), **self.root.get("$defs", {})}.items():
            self.add(table, self.inner(node))

    def add(self, table, node):
        if "properties" not in node:
            return
        self.rows[table] = node["properties"]
        for key, inner in node["properties"].items():
            self.add(table + "." + key, self.inner(inner))

    def inner(self, node):
        """The schema of the items of an array."""
        while node.get("type") == "array" and "items" in node:
            node = node["items"]
        return node

    def fits(self, node, value):
        return self.checks.compile(node)(value, "") is None

    # ---- one row ----

    def kind(self, node, table):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            whole = self.root["$defs"][name]
            return self.kind(whole, name if "items" in whole else table) if name not in self.rows or "items" in whole else "`%s`" % name
        if "const" in node:
            return "%s" % json.dumps(node["const"])
        if "enum" in node:
            return ", ".join(json.dumps(value) for value in node["enum"])
        if "oneOf" in node:
            return " or ".join(dict.fromkeys(self.kind(one, table) for one in node["oneOf"]))
        if node.get("type") == "array":
            return "array of " + self.kind(node.get("items", {}), table)
        if "properties" in node:
            return "`%s`" % table
        if isinstance(node.get("additionalProperties"), dict):
            return "object of " + self.kind(node["additionalProperties"], table)
        return node.get("type", "any")

    def number(self, node):
        if "$ref" in node:
            return self.number(self.root["$defs"][node["$ref"].rsplit("/", 1)[1]])
        if node.get("type") == "array":
            return self.number(node.get("items", {}))
        return node.get("type") if node.get("type") in ("number", "integer") else None

    def is_table(self, node):
        """A table of its own shows what it has."""
        node = self.inner(node)
        if "$ref" in node:
            return self.is_table(self.root["$defs"][node["$ref"].rsplit("/", 1)[1]])
        return "properties" in node or (isinstance(node.get("additionalProperties"), dict) and self.is_table(node["additionalProperties"]))

    def row(self, table, key, node):
        shown = ["`%s`" % json_of(value).replace("|", "\\|") for value in node.get("examples", [])]
        return "| `%s` | %s | %s | %s |" % (key, self.kind(node, table + "." + key), node.get("unit", ""), ", ".join(shown))

    def complaints(self, table, key, node):
        examples, unit = node.get("examples", []), node.get("unit")
        if len(examples) != 1 and not self.is_table(node):
            yield "expected one example"
        if not all(self.fits(node, value) for value in examples):
            yield "the example does not fit"
        if unit is not None and unit not in UNITS:
            yield "the unit is none of %s" % ", ".join(UNITS)
        if self.number(node) == "number" and (unit is None) != (key in UNITLESS_NUMBERS):
            yield "expected a unit"

    def wrong(self):
        return ["%s: %s.%s: %s" % (self.name, table, key, text) for table, keys in self.rows.items()
                for key, node in keys.items() for text in self.complaints(table, key, node)]

    def page(self):
        out = ["", "## `%s.schema.json`" % self.name]
        for table, keys in self.rows.items():
            out += ["", "### `%s` of `%s`" % (table, self.name), "", "| Key | Type | Unit | Example |", "|---|---|---|---|"]
            out += [self.row(table, key, node) for key, node in keys.items()]
        return out


def json_of(value):
    """The text of a value, with numbers as they were written."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (json.dumps(key), json_of(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(json_of, value))
    return value.text if isinstance(value, Exact) else json.dumps(value, ensure_ascii=False)


def main(root, update=None):
    tables = [Tables(name, os.path.join(root, "conformance", "schema")) for name in COMMANDS]
    text = "\n".join([HEAD.rstrip("\n"), *(line for one in tables for line in one.page())]) + "\n"
    wrong = [line for one in tables for line in one.wrong()]
    path = os.path.join(root, "docs", "json-keys.md")
    if update == "--update":
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    elif read(path) != text:
        wrong.append("%s is not what the schemas make: json_keys.py --update, and read what changed" % path)
    for line in wrong[:20]:
        print(line)
    print("%d keys" % len(re.findall(r"^\| `.*", text, re.MULTILINE)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
