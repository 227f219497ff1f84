# SPDX-License-Identifier: BSD-2-Clause
"""record: what campaigns have used and found so far, a row a group and campaign, in record.tsv."""

from pathlib import Path

FILE = Path(__file__).with_name("record.tsv")
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
