# SPDX-License-Identifier: BSD-2-Clause
"""report: what a campaign comes to, as JSON and as Markdown."""

import json
from pathlib import Path

from coverage import percent


def write(folder, result):
    """Writes report.json and report.md."""
    Path(folder, "report.json").write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    Path(folder, "report.md").write_text("\n".join(markdown(result)) + "\n", encoding="utf-8")


def markdown(result):
    """The lines of the page."""
    yield "# Fuzzing campaign"
    yield ""
    yield f"Begun {result['begin']} on commit {result['commit']}; {result['hours']:.2f} hours with {result['jobs']} at a time, {result['cpu_s'] / 3600:.2f} CPU hours."
    yield ""
    yield from targets(result["targets"])
    yield ""
    yield from coverage(result["coverage"])
    yield ""
    yield from findings(result["findings"])


def targets(rows):
    yield "| target | group | CPU s | executions | executions a CPU s | paths | edges | inputs kept | crashes | hangs |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for row in rows:
        speed = row["executions"] / row["cpu_s"] if row["cpu_s"] > 0 else 0
        yield (f"| {row['target']} | {row['group']} | {row['cpu_s']:.0f} | {row['executions']:,} | {speed:,.0f} | {row['paths']} "
               f"| {row['edges']} | {row['kept']} | {row['crashes']} | {row['hangs']} |")


def coverage(areas):
    if not areas:
        yield "Coverage was not measured."
        return
    yield "| area | lines | of | % | branches | of | % |"
    yield "|---|---|---|---|---|---|---|"
    for area, v in areas.items():
        lines, branches = v["lines"], v["branches"]
        yield (f"| {area} | {lines[0]} | {lines[1]} | {percent(lines):.1f} | {branches[0]} | {branches[1]} "
               f"| {percent(branches):.1f} |")


def findings(found):
    if not found:
        yield "Nothing was found."
        return
    yield "| target | reason | inputs | shortest |"
    yield "|---|---|---|---|"
    for f in found:
        reason = f["reason"].replace("|", "\\|")
        yield f"| {f['target']} | {reason} | {f['inputs']} | {f['input']} |"
