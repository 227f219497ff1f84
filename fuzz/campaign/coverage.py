# SPDX-License-Identifier: BSD-2-Clause
"""coverage: lines and branches of each area that a corpus reaches, by gcc's instrumentation and gcovr."""

import json
import subprocess
from pathlib import Path

from groups import ROOT

AREAS = {"libiwarp": "libiwarp/src", "rules": "conformance/rules", "ingest": "conformance/ingest", "unpack": "conformance/unpack",
         "observe": "conformance/observe", "report": "conformance/report", "cli": "conformance/cli"}


def clear(build):
    for path in Path(build).rglob("*.gcda"):
        path.unlink()


def replay(program, folders):
    """Runs all inputs of the folders; False when one stopped the target, so that its counters are lost."""
    return subprocess.run([program, *map(str, folders)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
                          check=False).returncode == 0


def measure(build):
    """{area: {"lines": [reached, all], "branches": [reached, all]}} of the counters of a build."""
    done = subprocess.run(["gcovr", "-r", str(ROOT), "--object-directory", str(build), "--json-summary", "-",
                           *(word for area in AREAS.values() for word in ("-f", f"{ROOT / area}/")), str(build)],
                          capture_output=True, text=True, cwd=ROOT, check=True)
    return by_area(json.loads(done.stdout)["files"])


def by_area(files):
    sums = {area: {"lines": [0, 0], "branches": [0, 0]} for area in AREAS}
    for file in files:
        for area, folder in AREAS.items():
            if file["filename"].startswith(folder + "/"):
                for kind, name in (("lines", "line"), ("branches", "branch")):
                    sums[area][kind][0] += file[f"{name}_covered"]
                    sums[area][kind][1] += file[f"{name}_total"]
    return sums


def percent(pair):
    return 100.0 * pair[0] / pair[1] if pair[1] else 0.0
