#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""readers: reports, read by programs that others keep: junitparser, html5lib, and lxml and jsonschema by a schema.

readers.py REPORT...            names end in .junit, .sarif or .html

IWARP_SCHEMAS may name a folder with JUnit.xsd and sarif-schema-2.1.0.json; the reports are validated by them then.  What is
not installed or not there is one line that begins with "skipped: ".
"""

import importlib
import json
import os
import subprocess
import sys

INTERPRETERS = (sys.executable, "/usr/bin/python3")  # what Debian packages is not in an interpreter of one's own
MODULES = ("junitparser", "html5lib", "lxml.etree", "jsonschema")


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def schema(name):
    """The path of a schema, or None."""
    path = os.path.join(os.environ.get("IWARP_SCHEMAS", ""), name)
    return path if os.path.isabs(path) and os.path.exists(path) else None


def read_junit(path, reader):
    suites = list(reader.JUnitXml.fromstring(octets_of(path)))
    assert suites and all(suite.tests == len(list(suite)) for suite in suites), path
    failures = sum(1 for suite in suites for case in suite for one in case.result if isinstance(one, reader.Failure))
    assert failures == sum(suite.failures for suite in suites), path


def read_html(path, reader):
    parser = reader.HTMLParser()
    parser.parse(octets_of(path).decode("utf-8"))
    assert not parser.errors, (path, parser.errors[:3])


def validate_junit(path, reader):
    rules = reader.XMLSchema(reader.parse(schema("JUnit.xsd")))
    assert rules.validate(reader.fromstring(octets_of(path))), (path, rules.error_log)


def validate_sarif(path, reader):
    with open(schema("sarif-schema-2.1.0.json"), encoding="utf-8") as stream:
        rules = json.load(stream)
    kind = reader.validators.validator_for(rules)
    for error in kind(rules, format_checker=reader.FormatChecker()).iter_errors(json.loads(octets_of(path))):
        raise AssertionError((path, list(error.path), error.message))


def octets_of(path):
    with open(path, "rb") as stream:
        return stream.read()


# What reads a report, by the end of its name: its module, and the schema that it needs.
READERS = ((".junit", "junitparser", None, read_junit), (".html", "html5lib", None, read_html),
           (".junit", "lxml.etree", "JUnit.xsd", validate_junit),
           (".sarif", "jsonschema", "sarif-schema-2.1.0.json", validate_sarif))


def main(paths):
    for end, name, wanted, read in READERS:
        reader = module(name)
        if reader is None or (wanted and schema(wanted) is None):
            missing = "%s is not installed" % name if reader is None else "IWARP_SCHEMAS has no %s" % wanted
            print("skipped: reports *%s by %s: %s" % (end, name, missing))
            continue
        for path in paths:
            if path.endswith(end):
                read(path, reader)


def best_interpreter():
    """The one that has most of the modules."""
    def has(python):
        if not os.path.exists(python):
            return -1
        words = "import importlib.util as u; print(sum(bool(u.find_spec(n)) for n in %r))" % [m.split(".")[0] for m in MODULES]
        return int(subprocess.run([python, "-c", words], stdout=subprocess.PIPE, check=True).stdout)
    return max(INTERPRETERS, key=has)


def check(paths):
    """Reads the reports; prints what could not be asked."""
    done = subprocess.run([best_interpreter(), "-B", __file__, *paths], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    assert done.returncode == 0, done.stdout.decode()
    sys.stdout.write(done.stdout.decode())
    return done.stdout.count(b"skipped: ")


if __name__ == "__main__":
    main(sys.argv[1:])
