#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the stubs of a new rule, and the parts of the rule pages that follow from other files.

    new_rule.py add SLUG --area AREA --requirements "ID ..." --summary TEXT --fault TEXT --message TEXT
                    [--transport TCP|SCTP|ANY] [--impact IMPACT] [--on EVENT ...]
    new_rule.py pages     writes the sections "RFC sections" and "Seen in" of every page again
    new_rule.py check     names the pages whose sections are not what `pages` would write, and the sentences of "When the
                          rule stays silent" that stand on many pages

`add` writes a row of catalog.def, a function in rules_<area>.c, a page, three cases in rules_cases_<area>.c and three
scenarios. All of it compiles and is silent; docs/adding-a-rule.md says what is to be filled in, place by place.
"""

import argparse
import re
import sys
import textwrap
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG = "conformance/rules/catalog.def"
SCENARIOS = "pcaps/scenarios"
PAGES = "docs/rules"
PAGE_WIDTH = 110
MARK = "TO" "DO"  # what is to be filled in; meta.hygiene names each that is left
SAME_SENTENCE = 3  # pages on which the same sentence may say when the rule stays silent, at most
SEEN_ELSEWHERE = 2  # captures that were not made for the rule, at most

# The area of a rule: its file of rules, and the file that holds its cases.
AREAS = {area: area for area in ("startup", "enhanced", "first", "fpdu", "framing", "ddp", "rdmap", "read", "term", "ext", "sctp")}
AREAS["queue"] = "ddp"
EVENTS = ("STARTUP", "FPDU", "INIT", "MESSAGE", "GAP", "UNDECODABLE", "END")
IMPACTS = ("CORRUPTION", "SECURITY", "INTEROP", "RESOURCE", "HYGIENE")
STRENGTH = {"MUST": 4, "MUST NOT": 4, "REQUIRED": 4, "SHALL": 4, "SHALL NOT": 4, "SHOULD": 3, "SHOULD NOT": 3,
            "RECOMMENDED": 3, "NOT RECOMMENDED": 3, "implicit": 2, "MAY": 1, "OPTIONAL": 1}
SEVERITY = {4: "VIOLATION", 3: "WARNING", 2: "NOTE", 1: "NOTE"}


class Refused(Exception):
    """What keeps a rule from being added."""


def text(root, path):
    return (root / path).read_text(encoding="utf-8")


def write(root, path, content):
    (root / path).write_text(content, encoding="utf-8")


# --- what the tree knows ------------------------------------------------------------------------


def requirement(root, name):
    """The columns of a requirement: id, section, level, who, visibility, text, on_violation."""
    path = root / "conformance/requirements" / (name.split("-")[0] + ".tsv")
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for row in rows:
        columns = row.split("\t")
        if columns[0] == name:
            return columns
    raise Refused(f"no requirement {name}")


def rules(root):
    """Slug and requirement ids of each row of the catalogue."""
    for row in re.split(r"^RULE\(", text(root, CATALOG), flags=re.M)[1:]:
        slug, ids = re.match(r'\w+, "([^"]+)", \w+, "[^"]+", \w+, \w+,[^"]*((?:"[^"]*"\s*)+),', row).groups()
        yield slug, "".join(re.findall(r'"([^"]*)"', ids)).split()


def seen_in(root, slug):
    """The captures that show a finding of the rule: the first of others, then the one made for it."""
    rows = [row.split("\t") for row in text(root, "pcaps/MANIFEST.tsv").splitlines()[1:]]
    others = [row[0] for row in rows if not row[0].startswith("synthetic/rules/") and
              slug in [finding.split("@")[0] for finding in row[8].split(",")]]
    return [f"pcaps/{name}" for name in others[:SEEN_ELSEWHERE] + [f"synthetic/rules/{slug}-fail.pcap"]]


# --- pages --------------------------------------------------------------------------------------


def section_rfc(root, names):
    lines = []
    for name in names:
        _, section, level, _, _, words = requirement(root, name)[:6]
        sentence = f"- RFC {name[3:7]} section {section} (`{name}`, {level}): {words.rstrip('.')}."
        lines.append(textwrap.fill(sentence, PAGE_WIDTH, subsequent_indent="  ", break_long_words=False,
                                   break_on_hyphens=False))
    return "\n".join(lines) + "\n"


def section_seen(root, slug):
    return "".join(f"- `{name}`\n" for name in seen_in(root, slug))


def with_sections(root, page, slug, names):
    """The page with what is generated of it."""
    for title, body in (("RFC sections", section_rfc(root, names)), ("Seen in", section_seen(root, slug))):
        page = re.sub(rf"(^## {title}\n\n).*?(?=^## |\Z)", lambda m, new=body: m[1] + new + "\n", page, flags=re.M | re.S)
    return page.rstrip("\n") + "\n"


def stale_pages(root):
    """Yields path and expected text of the pages that differ from it."""
    for slug, names in rules(root):
        path = f"{PAGES}/{slug}.md"
        page = text(root, path)
        due = with_sections(root, page, slug, names)
        if page != due:
            yield path, due


def silent_sentences(page):
    """The sentences of a page that say when its rule stays silent, whatever its lines are."""
    section = re.search(r"^## When the rule stays silent\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)
    return {sentence for sentence in re.split(r"(?<=\.)\s+", " ".join(section[1].split())) if sentence} if section else set()


def common_sentences(root):
    """Yields the sentences that stand on more pages than they may, and how many these are."""
    pages = Counter(sentence for slug, _ in rules(root) for sentence in silent_sentences(text(root, f"{PAGES}/{slug}.md")))
    yield from ((sentence, number) for sentence, number in pages.items() if number > SAME_SENTENCE)


def mute_pages(root):
    """Yields the pages that do not say when their rule stays silent."""
    paths = (f"{PAGES}/{slug}.md" for slug, _ in rules(root))
    yield from (path for path in paths if not silent_sentences(text(root, path)))


PAGE = """\
# {slug}

## What is demanded

{summary}.

## Why it matters

{mark}

## Effect

{mark}: one line of 10 to 120 characters, which `check` prints.

## RFC sections

## What a violation looks like

```
{mark}: octets, and what is due
```

## Cause

{mark}: one line of 10 to 120 characters, which `check` prints.

## Typical causes

- {mark}

## What to do

- Operator: {mark}: one line of 10 to 120 characters.
- Implementer: {mark}: one line of 10 to 120 characters.

## When the rule stays silent

{mark}: which missing evidence makes this very rule inconclusive, and which legal form it lets pass; docs/silence.md has what many rules share.

## Seen in

"""


# --- stubs --------------------------------------------------------------------------------------


def level_of(root, names):
    return max((requirement(root, name)[2] for name in names), key=STRENGTH.get)


def row(root, arg, ident):
    level = level_of(root, arg.requirements)
    events = " | ".join(f"RULES_ON_{event}" for event in arg.on)
    return (f'RULE({ident}, "{arg.slug}", {arg.transport}, "{level}", {SEVERITY[STRENGTH[level]]}, {arg.impact},\n'
            f"     {events},\n"
            f'     "{" ".join(arg.requirements)}",\n'
            f'     "{arg.summary}",\n'
            f'     "{arg.fault}",\n'
            f'     "{arg.message}")\n')


def add_row(root, arg, ident):
    """At the end of the part of its area, which a line of its own begins."""
    catalog = text(root, CATALOG)
    parts = re.split(r"(?=^/\* ---- )", catalog, flags=re.M)
    own = [i for i, part in enumerate(parts) if part.startswith(f"/* ---- rules_{arg.area}.c ")]
    at = own[0] if own else len(parts) - 1
    parts[at] = parts[at].rstrip("\n") + "\n" + row(root, arg, ident) + ("\n" if at + 1 < len(parts) else "")
    write(root, CATALOG, "".join(parts))


def add_function(root, arg, ident):
    path = f"conformance/rules/rules_{arg.area}.c"
    write(root, path, text(root, path) + f"""
/* {MARK}: what is not plain from the code. */
void iwarp_rule_{ident}(const struct rules_ctx *ctx) {{
  (void)ctx; /* {MARK}: rulesi_pass, rulesi_check_field or rulesi_inconclusive */
}}
""")


def add_page(root, arg):
    page = PAGE.format(mark=MARK, slug=arg.slug, summary=arg.summary)
    write(root, f"{PAGES}/{arg.slug}.md", with_sections(root, page, arg.slug, arg.requirements))


def add_cases(root, arg, ident):
    path = f"conformance/tests/unit/rules_cases_{AREAS[arg.area]}.c"
    head, table = re.split(r"(?=^const struct rules_case )", text(root, path), maxsplit=1, flags=re.M)
    wanted = (("pass", f"{MARK}: as it must be"), ("near", f"{MARK}: nearly wrong"), ("fail", f"{MARK}: wrong"))
    begin = "sctp_open" if AREAS[arg.area] == "sctp" else "fixture_begin"
    functions = "".join(f"static void {ident}_{name}(struct rules_fixture *l) {{\n  {begin}(l);\n}}\n\n" for name, _ in wanted)
    rows = "".join(f'    {{"{arg.slug}", FIXTURE_{name.upper()}, 0, "{what}", {ident}_{name}, NULL}},\n' for name, what in wanted)
    write(root, path, head + functions + table.replace("\n};\n", f"\n{rows}}};\n", 1))


SCENARIO = """\
# SPDX-License-Identifier: BSD-2-Clause
# {mark}: {what}. RFC {rfc} {section}.
meta rule={slug} rfc={rfc}/{section}
{talk}
{expect}
"""
TALK = "i> mpa-request C\nr> mpa-reply C\ni> send len=5"
TALK_SCTP = ("sctp\ni> session-initiate\nr> session-accept\ni> send len=5\n"
             "i> session-terminate\nr> session-terminate")
KINDS = (("pass", "as it must be", "expect pass {slug}\nforbid *"),
         ("fail", "what is wrong", "expect fail {slug} initiator frame={frame}"),
         ("near", "what is nearly wrong", "forbid *"))


def add_scenarios(root, arg):
    """One that passes, one that fails and one that nearly does."""
    _, section = requirement(root, arg.requirements[0])[:2]
    talk, frame = (TALK_SCTP, 7) if arg.slug.startswith("sctp.") else (TALK, 6)  # of its Send
    for kind, what, expect in KINDS:
        write(root, f"{SCENARIOS}/{arg.slug}-{kind}.scn",
              SCENARIO.format(mark=MARK, what=what, rfc=arg.requirements[0][3:7], section=section, slug=arg.slug, talk=talk,
                              expect=expect.format(slug=arg.slug, frame=frame)))


def add(root, arg):
    ident = re.sub(r"[.-]", "_", arg.slug)
    if not re.fullmatch(r"(mpa|ddp|rdmap|sctp)\.[a-z0-9]+(-[a-z0-9]+)*", arg.slug):
        raise Refused(f"{arg.slug} is no slug: layer, dot, words with '-' between them")
    if arg.slug in [slug for slug, _ in rules(root)]:
        raise Refused(f"there is a rule {arg.slug}")
    level_of(root, arg.requirements)  # all of them exist
    add_row(root, arg, ident)
    add_function(root, arg, ident)
    add_page(root, arg)
    add_cases(root, arg, ident)
    add_scenarios(root, arg)


# --- command line -------------------------------------------------------------------------------


def parser():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--root", type=Path, default=ROOT, help="the tree, when it is not the script's own")
    commands = p.add_subparsers(dest="command", required=True)
    new = commands.add_parser("add", help="write the stubs of a new rule")
    new.add_argument("slug", help="layer.what-is-demanded")
    new.add_argument("--area", required=True, choices=sorted(AREAS), help="rules_<area>.c")
    new.add_argument("--requirements", required=True, type=str.split, help="ids, the strongest first")
    new.add_argument("--summary", required=True, help="what is demanded, in one line")
    new.add_argument("--fault", required=True, help="what is wrong, in one line without values")
    new.add_argument("--message", required=True, help="what is wrong, in one line; %%e expected, %%o observed")
    new.add_argument("--transport", default="TCP", choices=("TCP", "SCTP", "ANY"))
    new.add_argument("--impact", default="INTEROP", choices=IMPACTS)
    new.add_argument("--on", nargs="+", default=["FPDU"], choices=EVENTS, help="events that it is asked for")
    commands.add_parser("pages", help="write the generated sections of every page")
    commands.add_parser("check", help="name the pages whose generated sections are stale, or whose silence is that of others")
    return p


def main(argv):
    arg = parser().parse_args(argv)
    if arg.command == "add":
        try:
            add(arg.root, arg)
        except Refused as why:
            print(f"new_rule: {why}", file=sys.stderr)
            return 1
        print(f"new_rule: {arg.slug}: fill in what `git diff` and the new files (`git status`) have as {MARK}; docs/adding-a-rule.md")
        return 0
    stale = list(stale_pages(arg.root))
    for path, due in stale:
        if arg.command == "pages":
            write(arg.root, path, due)
        else:
            print(f"{path}: its generated sections are stale: run conformance/rules/new_rule.py pages")
    if arg.command == "pages":
        return 0
    faults = [f"{path}: says nothing of when its rule stays silent" for path in mute_pages(arg.root)]
    faults += [f"{number} pages say \"{sentence}\": docs/silence.md has what many rules share"
               for sentence, number in common_sentences(arg.root)]
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if stale or faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
