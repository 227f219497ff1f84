# SPDX-License-Identifier: BSD-2-Clause
"""record: what campaigns have used and found so far, a row a group and campaign, in record.tsv.

Usage: record.py [--write]
Prints the tables that docs/fuzzing.md has of it; --write puts them there.
"""

import re
import sys
from pathlib import Path

FILE = Path(__file__).with_name("record.tsv")
PAGE = Path(__file__).parents[2] / "docs" / "fuzzing.md"
COLUMNS = ["date", "commit", "group", "cpu_s", "executions", "findings"]


def rows(path=FILE):
    """The rows as dictionaries; numbers are numbers."""
    if not path.exists():
        return []
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    if head.split("\t") != COLUMNS:
        raise ValueError(f"{path.name}: the first line does not name the columns")
    found = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]
    return [{**row, **{key: int(row[key]) for key in COLUMNS[3:]}} for row in found]


def append(new, path=FILE):
    """Adds rows."""
    text = path.read_text(encoding="utf-8") if path.exists() else "\t".join(COLUMNS) + "\n"
    text += "".join("\t".join(str(row[key]) for key in COLUMNS) + "\n" for row in new)
    path.write_text(text, encoding="utf-8")


def sums(found):
    """{group: {"cpu_s": ..., "executions": ..., "findings": ...}} of rows."""
    result = {}
    for row in found:
        of_group = result.setdefault(row["group"], dict.fromkeys(COLUMNS[3:], 0))
        for key in COLUMNS[3:]:
            of_group[key] += row[key]
    return result


def table(found):
    """The sums as Markdown."""
    lines = ["| group | CPU hours | executions | findings |", "|---|---|---|---|"]
    of_groups = sums(found)
    of_groups["all"] = {key: sum(s[key] for s in of_groups.values()) for key in COLUMNS[3:]}
    lines += [f"| {group} | {s['cpu_s'] / 3600:.2f} | {s['executions']:,} | {s['findings']} |" for group, s in of_groups.items()]
    return "\n".join(lines) + "\n"


def campaigns(found):
    """A row of the sums of each campaign as Markdown: what was recorded of a commit at a date."""
    of_campaigns = {}
    for row in found:
        of_campaigns.setdefault((row["date"], row["commit"][:7]), []).append(row)
    lines = ["| date | commit | CPU seconds | executions | findings |", "|---|---|---|---|---|"]
    for (date, commit), its in of_campaigns.items():
        cpu_s, executions, findings = (sum(row[key] for row in its) for key in COLUMNS[3:])
        lines.append(f"| {date} | {commit} | {cpu_s:,} | {executions:,} | {findings} |")
    return "\n".join(lines) + "\n"


def page(text, found):
    """The text of the page with the tables of these rows."""
    tables = f"<!-- record -->\n{table(found)}\n{campaigns(found)}<!-- /record -->"
    changed, num = re.subn(r"<!-- record -->\n.*?<!-- /record -->", lambda _: tables, text, flags=re.DOTALL)
    if num != 1:
        raise ValueError(f"{num} places for the record in place of one")
    return changed


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    text = page(PAGE.read_text(encoding="utf-8"), rows())
    if sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(table(rows()) + "\n" + campaigns(rows()), end="")


if __name__ == "__main__":
    main()
