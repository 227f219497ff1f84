#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""reports: JUnit, SARIF and TAP of `TOOL check`, read by parsers of their own, against its JSON Lines.

reports.py TOOL CAPTURE_FOLDER

Each form is checked by what its specification demands of a producer. All reports of one run are written at once and
equal the reports of separate runs.  `prove` reads the TAP where it is installed, and the programs of readers.py the
others.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import formats  # noqa: E402
import readers  # noqa: E402
import schema_check  # noqa: E402

import kit

BROKEN = os.path.join("real", "siw", "hp-err-msn-skip.pcap")  # three findings
FORMS = kit.FORMATS
XML_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def run(tool, words, paths, statuses=(0, 1, 3, 4)):
    done = subprocess.run([tool, "check", *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)
    assert done.returncode in statuses, (words, done.returncode, done.stderr)
    return done


# ---- JUnit: element by element what the common schema (of Ant's JUnitReport) demands ----

SUITE = {"name": r"\S.*", "package": r".*", "id": r"\d+", "hostname": r"localhost", "tests": r"\d+", "failures": r"\d+",
         "errors": r"\d+", "skipped": r"\d+", "time": r"\d+(\.\d+)?",
         "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"}
CASE = {"name": r"[a-z0-9.-]+", "classname": r"(rfc\d+\.\w+|iwarp\.run)", "time": r"\d+"}
OUTCOMES = {"failure": {"message": r"(?s).+", "type": r"violation|warning|note|fail"},
            "error": {"message": r"(?s).+", "type": r"undecided|no-iwarp|error"},
            "skipped": {"message": r"(?s).+"}}


def attributes(element, wanted):
    assert set(element.attrib) == set(wanted), (element.tag, element.attrib)
    for name, pattern in wanted.items():
        assert re.fullmatch(pattern, element.attrib[name], re.DOTALL), (element.tag, name, element.attrib[name])


def junit_case(case):
    """The outcome of a test case, or None."""
    attributes(case, CASE)
    assert case.tag == "testcase" and len(case) <= 1
    for outcome in case:
        attributes(outcome, OUTCOMES[outcome.tag])
        assert len(outcome) == 0
        return outcome.tag
    return None


def junit_suite(suite, number):
    """{outcome: test cases}."""
    assert suite.tag == "testsuite" and suite.attrib["id"] == str(number)
    attributes(suite, SUITE)
    children = list(suite)
    assert [child.tag for child in (children[0], children[-2], children[-1])] == ["properties", "system-out", "system-err"]
    for one in children[0]:
        attributes(one, {"name": r"\S+", "value": r".*"})
        assert one.tag == "property"
    cases = [junit_case(case) for case in children[1:-2]]
    found = Counter(cases)
    wanted = {kind: int(suite.attrib[key]) for kind, key in
              (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))}
    assert wanted == {kind: found[kind] for kind in wanted} and len(cases) == int(suite.attrib["tests"]) > 0
    return found


def check_junit(octets, summary):
    text = octets.decode("utf-8")
    assert not XML_CHARACTER.search(text)
    root = ET.fromstring(octets)
    assert root.tag == "testsuites" and not root.attrib
    suites = [junit_suite(suite, number) for number, suite in enumerate(root)]
    assert len(suites) == summary["connections"] - summary.get("connections_withheld", 0) + 1
    verdict = root[-1].find("testcase[@name='verdict']")
    kind = next((child.tag for child in verdict), None)
    assert kind == {"pass": None, "fail": "failure"}.get(summary["verdict"], "error"), summary["verdict"]
    assert root[-1].find("properties/property[@name='verdict']").attrib["value"] == summary["verdict"]
    failed = {case.attrib["name"] for case in root.iter("testcase") if case.find("failure") is not None}
    return failed - {"verdict"}


# ---- SARIF 2.1.0: the properties that sections 3.13 to 3.52 define, and no others ----

SARIF = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "results", "invocations", "properties"},
    "driver": {"name", "version", "rules"},
    "rule": {"id", "shortDescription", "help", "defaultConfiguration", "properties"},
    "result": {"ruleId", "level", "message", "locations", "properties"},
    "remark": {"ruleId", "kind", "level", "message", "locations", "properties"},
    "diagnosis": {"id", "shortDescription", "help", "defaultConfiguration"},
}
LEVELS = {"violation": "error", "warning": "warning", "note": "note"}


def keys(value, name):
    assert set(value) == SARIF[name], (name, set(value) ^ SARIF[name])
    return value


def check_sarif(octets, findings, summary):
    log = keys(json.loads(octets, object_pairs_hook=schema_check.refuse_double_keys), "log")
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    one = keys(log["runs"][0], "run")
    assert set(one["tool"]) == {"driver"}
    descriptors = keys(one["tool"]["driver"], "driver")["rules"]
    rules = [keys(rule, "rule") for rule in descriptors if not rule["id"].startswith("diag.")]
    diagnoses = {keys(rule, "diagnosis")["id"] for rule in descriptors if rule["id"].startswith("diag.")}
    slugs = [rule["id"] for rule in rules]
    assert len(slugs) == len(set(slugs)) == summary["verdicts"]["pass"] + summary["verdicts"]["fail"] \
        + summary["verdicts"]["inconclusive"]
    for rule in rules:
        assert set(rule["shortDescription"]) == set(rule["help"]) == {"text"}
        assert rule["defaultConfiguration"]["level"] in LEVELS.values()
    remarks = [keys(result, "remark") for result in one["results"] if result.get("kind") == "informational"]
    assert all(remark["level"] == "none" for remark in remarks)
    assert {remark["ruleId"] for remark in remarks if remark["ruleId"].startswith("diag.")} == diagnoses
    results = [result for result in one["results"] if result.get("kind") != "informational"]
    assert len(results) == len(findings)
    for result, finding in zip(results, findings):
        keys(result, "result")
        assert result["ruleId"] in slugs and result["ruleId"] == finding["rule"]
        assert result["level"] == LEVELS[finding["severity"]]
        assert set(result["message"]) == {"text"} and result["message"]["text"].startswith(finding["message"])
        place, = result["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), uri
        assert place["logicalLocations"][0]["fullyQualifiedName"].endswith("/frame %d" % finding["frame"])
        same = {key: finding[key] for key in result["properties"]}
        assert result["properties"] == same
    run_of, = one["invocations"]
    assert run_of["executionSuccessful"] == (summary["verdict"] != "error")


# ---- TAP 14 ----

TEST = re.compile(r"(not )?ok (\d+) - (?:[^#\\]|\\[#\\])*?(?: # (SKIP|TODO) .*)?")


def tap_stream(lines, indent, subtests):
    """Reads one level of TAP; returns how many of its tests failed.  `subtests`: {description: failed}."""
    number = failed = 0
    planned = None
    at = 0
    inner = []
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(indent + "    ") or (indent and line.startswith(indent + "  ")):
            inner.append(line)
            continue
        assert line.startswith(indent), line
        line = line[len(indent):]
        test = TEST.fullmatch(line)
        plan = re.fullmatch(r"1\.\.(\d+)(?: # SKIP .*)?", line)
        if test:
            assert planned is None
            number += 1
            assert int(test.group(2)) == number, line
            failed += bool(test.group(1)) and test.group(3) != "TODO"
            if not indent and inner:
                bad = tap_stream(inner, "    ", None)
                assert bool(bad) == bool(test.group(1)), line
                subtests.append(bad)
                inner = []
        elif plan:
            planned = int(plan.group(1))
        else:
            assert line.startswith("# "), line
    if indent:
        yaml_blocks(inner)
    assert planned == number, (planned, number)
    return failed


def yaml_blocks(lines):
    """Each block opens and closes, and its strings are JSON's."""
    inside = False
    for line in (line[6:] for line in lines):
        if line in ("---", "..."):
            assert inside == (line == "...")
            inside = not inside
            continue
        assert inside, line
        match = re.fullmatch(r"(?:  - |\w+: )(\".*\")|findings:", line)
        assert match, line
        if match.group(1):
            json.loads(match.group(1))
    assert not inside


def check_tap(octets, version, summary):
    lines = octets.decode("utf-8").split("\n")
    assert lines.pop() == "" and lines.pop(0) == "TAP version %d" % version
    subtests = []
    failed = tap_stream(lines, "", subtests)
    assert len(subtests) == summary["connections"] - summary.get("connections_withheld", 0)
    assert (failed == 0) == (summary["verdict"] == "pass"), (failed, summary["verdict"])


def check_prove(path, passes):
    """Returns True if prove could be asked."""
    if shutil.which("prove") is None:
        return False
    done = subprocess.run(["prove", "--exec", "cat", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert b"Parse errors" not in done.stdout and (done.returncode == 0) == passes, done.stdout.decode()
    return True


# ---- the runs ----

def check_run(tool, paths, folder):
    """All reports of one run, each against a run of its own and against what it must be. Returns how many findings they have,
    whether `prove` was there, and the octets of each form."""
    files = {form: os.path.join(folder, "report." + form) for form in FORMS}
    for path in files.values():
        with open(path, "wb") as stream:
            stream.write(b"what stood there before is gone\n" * 100000)
    words = [word for form in FORMS for word in ("--report", "%s=%s" % (form, files[form]))]
    quiet = run(tool, ["-q", *words], paths)
    octets = {}
    for form in FORMS:
        alone = run(tool, ["-T", form], paths)
        with open(files[form], "rb") as stream:
            octets[form] = stream.read()
        assert octets[form] == alone.stdout and alone.returncode == quiet.returncode, form
    lines = [json.loads(line) for line in octets["jsonl"].splitlines()]
    summary, findings = lines[-1], [line for line in lines if line["type"] == "finding"]
    failed = check_junit(octets["junit"], summary)
    broken = {f["rule"] for f in findings if f["severity"] == "violation"}
    assert failed == broken, failed ^ broken
    check_sarif(octets["sarif"], findings, summary)
    check_tap(octets["tap"], 14, summary)
    check_tap(octets["tap13"], 13, summary)
    proved = check_prove(files["tap13"], summary["verdict"] == "pass")
    shown = [line for line in octets["timeline"].decode().splitlines() if re.search(r"\|  ! ", line)]
    total = sum(summary["findings"].values())
    assert len(shown) == total, (len(shown), total)
    return len(findings), proved, octets


def strings(value):
    """All texts in a JSON value, in one."""
    if isinstance(value, str):
        return value + "\n"
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "".join(map(strings, inner))


def words_of(form, octets):
    """What a report says, without the escapes of its format."""
    text = octets.decode("utf-8")
    if form in ("jsonl", "sarif"):
        return "".join(strings(json.loads(part)) for part in (text.splitlines() if form == "jsonl" else [text]))
    if form == "junit":
        root = ET.fromstring(octets)
        return "\n".join(root.itertext()) + "\n".join(value for one in root.iter() for value in one.attrib.values())
    if form == "html":
        return strings(json.loads(text.split("<script type=\"application/json\" id=\"data\">")[1].split("</script>")[0]))
    return text


# Captures, and how many diagnoses, lines `capture` and lines `transport` they have at least.
REMARKS = {"term-no-receive": (1, 0, 0), "rping-closed-port": (0, 0, 1), "link-cut": (1, 0, 0), "hp-err-read-req-long": (2, 0, 0),
           "snaplen-96": (0, 1, 0), "all-bad": (0, 1, 0)}


def check_remarks(tool, folder):
    """Each format says why a connection failed, what the capture is like, and what is there beside iWARP."""
    for name, least in REMARKS.items():
        path = os.path.join(folder, "real", "siw", name + ".pcap")
        lines = [json.loads(line) for line in run(tool, ["-T", "jsonl"], [path]).stdout.splitlines()]
        texts = [d["text"] for line in lines if line["type"] == "connection" for d in line.get("diagnosis", [])]
        traits = [line["text"] for line in lines if line["type"] == "capture"]
        others = [line["server"] for line in lines if line["type"] == "transport"]
        found = len(texts), len(traits), len(others)
        assert all(n >= wanted for n, wanted in zip(found, least)), (name, found)
        for form in FORMS:
            words = words_of(form, run(tool, ["-T", form], [path]).stdout)
            missing = [text for text in texts + traits + others if text not in words]
            assert not missing, (name, form, missing)


def check_levels(tool, path):
    """What does not fail the run is no failure in a report either."""
    for words, wanted in ((["--fail-on", "never"], 0), ([], 1)):
        root = ET.fromstring(run(tool, ["-T", "junit", *words], [path]).stdout)
        assert (sum(int(suite.attrib["failures"]) for suite in root) > 0) == bool(wanted), words
        todo = run(tool, ["-T", "tap", *words], [path]).stdout.decode()
        assert (" # TODO " in todo) == (not wanted), words


def check_expected(tool, path):
    """A finding in a baseline is no failure, and is reported as expected."""
    with tempfile.TemporaryDirectory() as place:
        baseline = os.path.join(place, "baseline")
        with open(baseline, "wb") as stream:
            subprocess.run([tool, "baseline", path], stdout=stream, check=True)
        root = ET.fromstring(run(tool, ["-T", "junit", "--baseline", baseline], [path], (0,)).stdout)
        assert sum(int(suite.attrib["failures"]) + int(suite.attrib["errors"]) for suite in root) == 0
        assert any("xfail" in one.attrib["message"] for one in root.iter("skipped"))
        for number, suite in enumerate(root):
            junit_suite(suite, number)
        lines = run(tool, ["-T", "tap", "--baseline", baseline], [path], (0,)).stdout.decode().splitlines()
        broken = [line for line in lines if line.lstrip().startswith("not ok")]
        assert broken and all(" # TODO " in line and "xfail" in line for line in broken), broken
        with open(baseline, "a", encoding="utf-8") as stream:
            stream.write("mpa.crc initiator 1 1\n")  # an offset at which no FPDU begins
        taps = os.path.join(place, "missing.tap13")
        run(tool, ["-q", "--report", "tap13=" + taps, "--baseline", baseline], [path], (1,))
        check_prove(taps, False)


def check_withheld(tool, path):
    """TAP says in a comment how many findings --max-findings left out."""
    for words, wanted in ((["--max-findings", "1"], ["# 2 findings not shown (--max-findings)"]), ([], [])):
        lines = run(tool, ["-T", "tap", *words], [path]).stdout.decode().splitlines()
        assert [line for line in lines if "not shown" in line] == wanted, words


def check_white_space(tool, source):
    """An attribute keeps the white space of a name: a reader would take what stands there raw for a space."""
    with tempfile.TemporaryDirectory() as place:
        name = "a\nb\tc\rd e.pcap"
        shutil.copy(source, os.path.join(place, name))
        octets = run(tool, ["-T", "junit"], [os.path.join(place, name)]).stdout
        assert b' package="a&#10;b&#9;c&#13;d e.pcap"' in octets, octets[:300]
        assert ET.fromstring(octets)[0].attrib["package"] == name


def kept_reports(folder, kept, number):
    """Copies the reports of a run that programs of others read; returns their paths."""
    paths = [os.path.join(kept, "%d.%s" % (number, form)) for form in ("junit", "sarif", "html")]
    for path in paths:
        shutil.copy(os.path.join(folder, "report" + os.path.splitext(path)[1]), path)
    return paths


def check_names(tool, source, kept):
    """Names of files that hold what XML, JSON, TAP or a terminal would obey; returns the reports with them."""
    reports = []
    names = [*formats.NAMES[::kit.REPEATED], b"<b>&amp;\".pcap", b"a # SKIP b.pcap", b"]]>.pcap", "\ufffe\uffff.pcap".encode(),
             "\ufdd0\ufdef\U0001fffe\U0010ffff\U0001f600.pcap".encode(), b"a:b.pcap"]
    with tempfile.TemporaryDirectory() as place:
        for number, name in enumerate(names):
            path = os.path.join(place.encode(), name)
            shutil.copy(source, path)
            with tempfile.TemporaryDirectory() as folder:
                _, _, octets = check_run(tool, [path], folder)
                reports += kept_reports(folder, kept, number)
            for form in FORMS:
                found = formats.UNSHOWN.search(octets[form])
                assert not found, (name, form, found)
            os.unlink(path)
    return reports


def main(tool, folder):
    paths = list(schema_check.captures([folder]))
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as kept:
        findings, proved, _ = check_run(tool, paths, place)
        reports = kept_reports(place, kept, len(paths))
        single = [next(path for path in paths if run(tool, ["-q"], [path]).returncode == status)
                  for status in (0, 1, 3)]
        for path in single:
            check_run(tool, [path], place)
        reports += check_names(tool, single[1], kept)
        readers.check(reports)
    check_remarks(tool, folder)
    check_levels(tool, single[1])
    check_expected(tool, single[1])
    check_withheld(tool, os.path.join(folder, BROKEN))
    check_white_space(tool, single[1])
    print("%d captures, %d findings, %d reports" % (len(paths), findings, len(reports)))
    if not proved:
        print("skipped: reports *.tap13 by prove: it is not installed")
    assert findings > 100


if __name__ == "__main__":
    main(*sys.argv[1:])
