# SPDX-License-Identifier: BSD-2-Clause
"""Lines and branches of an area that tests reached: reached.py REPORT.json AREA LINES BRANCHES [START...]

REPORT.json is what `gcovr --json` writes. Prints what is missing in each file of the folder AREA, and the sums, and fails below LINES
and BRANCHES percent. Files whose path begins with START are left out. Without arguments: the tests of this script.
"""

import json
import sys
import unittest
from pathlib import Path


def figures(file):
    """Of a file of the report: numbers of lines and of branches, as [reached, all], and the lines that were not reached, or not by
    each branch."""
    lines, branches, missing = [0, 0], [0, 0], ([], [])
    for line in file["lines"]:
        if line["gcovr/noncode"] or line["gcovr/excluded"]:
            continue
        taken = [branch["count"] > 0 for branch in line["branches"]]
        for sums, reached, lacks in ((lines, [line["count"] > 0], missing[0]), (branches, taken, missing[1])):
            sums[0] += sum(reached)
            sums[1] += len(reached)
            if not all(reached):
                lacks.append(line["line_number"])
    return lines, branches, missing


def look(report, area, least, without=()):
    """Yields the lines to be printed; the last one of an area below its limits begins with `failed minimum`."""
    total = {"lines": [0, 0], "branches": [0, 0]}
    for file in sorted(report["files"], key=lambda entry: entry["file"]):
        path = file["file"]
        if not path.startswith(area + "/") or path.startswith(tuple(without)):
            continue
        *sums, missing = figures(file)
        for kind, got, lacks in zip(total, sums, missing):
            total[kind] = [a + b for a, b in zip(total[kind], got)]
            if lacks:
                yield f"{path}: {kind} {got[0]} of {got[1]}, missing at {','.join(map(str, lacks))}"
    for (kind, (reached, of)), limit in zip(total.items(), least):
        share = 100 * reached / of if of else 0
        yield f"{kind}: {share:.1f}% ({reached} out of {of})"
        if share < limit:
            yield f"failed minimum: {area}: {kind} {share:.2f}%, at least {limit}%"


class Reached(unittest.TestCase):
    REPORT = {"files": [{"file": "a/b.c", "lines": [
        {"line_number": 1, "count": 0, "gcovr/noncode": True, "gcovr/excluded": False, "branches": []},
        {"line_number": 2, "count": 3, "gcovr/noncode": False, "gcovr/excluded": False, "branches": [{"count": 3}, {"count": 0}]},
        {"line_number": 3, "count": 0, "gcovr/noncode": False, "gcovr/excluded": False, "branches": []}]}]}

    def test_what_is_missing(self):
        self.assertEqual(list(look(self.REPORT, "a", (50, 50))), [
            "a/b.c: lines 1 of 2, missing at 3", "a/b.c: branches 1 of 2, missing at 2",
            "lines: 50.0% (1 out of 2)", "branches: 50.0% (1 out of 2)"])

    def test_limits(self):
        self.assertIn("failed minimum: a: branches 50.00%, at least 51%", list(look(self.REPORT, "a", (50, 51))))

    def test_an_area_without_files_fails(self):
        self.assertIn("failed minimum: a: lines 0.00%, at least 90%", list(look(self.REPORT, "a", (90, 0), ["a/b"])))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _, path, area, *rest = sys.argv
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        lines = list(look(report, area, [float(limit) for limit in rest[:2]], rest[2:]))
        print("\n".join(lines))
        sys.exit(any(line.startswith("failed minimum") for line in lines))
    unittest.main()
