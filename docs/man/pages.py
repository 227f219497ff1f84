#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pages: writes the manual pages that are made of other files.   pages.py OUT

OUT/man3 gets libiwarp(3), a page of each public header, and for each function a page that includes the page of its header.
OUT/man5 gets iwarp-scenario(5). The texts come from docs/man/source, the headers and docs/*.md.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER_FOLDERS = ("libiwarp/include/iwarp", "conformance/rules/include/iwarp")
HEAD = '.\\" SPDX-License-Identifier: BSD-2-Clause\n.\\" Made by docs/man/pages.py from %s.\n'


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def dated():
    return re.search(r"^\.Dd .*\n", read("docs/man/source/iwarp.mdoc"), re.MULTILINE).group(0)


def escaped(text):
    """Text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("µ", "\\(mc").replace("→", "\\(->").replace("≤", "\\(<=").replace("–", "\\(en")
    return re.sub(r"^([.'])", r"\\&\1", text)


def literal(lines):
    return ".Bd -literal\n%s\n.Ed\n" % "\n".join(escaped(line.rstrip()) for line in lines)


def flowing(text):
    """A paragraph, with each sentence on a line of its own. What stands in backticks is bold."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    shown = "".join("\\fB%s\\fP" % part[1:-1].replace("\\", "\\e") if part[:1] == "`" else escaped(part)
                    if not index else part.replace("\\", "\\e") for index, part in enumerate(parts))
    for char, name in (("µ", "\\(mc"), ("→", "\\(->")):
        shown = shown.replace(char, name)
    lines = re.sub(r"([\w)\]][.?!]\)?) (?=\S)", r"\1\n", shown).split("\n")
    return "".join(re.sub(r"^([.'])", r"\\&\1", line) + "\n" for line in lines)


# ---- Markdown ----

def without_links(text):
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text).replace("**", "")


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def table(lines):
    rows = [cells(line) for line in lines[2:]]
    out = ".Bl -tag -width Ds\n"
    for first, *others in rows:
        out += ".It %s\n%s" % (flowing(without_links(first)).rstrip("\n").replace("\n", " "), flowing(without_links("; ".join(others))))
    return out + ".El\n"


def mdoc_of_markdown(text, section=".Sh"):
    """The sections of a Markdown page; its title is left out."""
    out, lines = "", [line for line in text.split("\n") if not line.startswith(("<!--", "# "))]
    index = 0
    paragraph_before = False

    def take(keeps):
        nonlocal index
        begin = index
        while index < len(lines) and keeps(lines[index]):
            index += 1
        return lines[begin:index]

    while index < len(lines):
        line = lines[index]
        if line == "":
            index += 1
            continue
        if line.startswith("#"):
            index += 1
            name = line.lstrip("#").strip()
            out += "%s %s\n" % (section, name.upper() if section == ".Sh" else name)
            paragraph_before = False
            continue
        if line.startswith("|"):
            block = table(take(lambda l: l.startswith("|")))
        elif line.startswith("    "):
            code = take(lambda l: l.startswith("    ") or l == "")
            while code[-1] == "":
                code.pop()
            block = ".Bd -literal -offset indent\n%s\n.Ed\n" % "\n".join(escaped(c[4:]) for c in code)
            paragraph_before = False
        elif line.startswith("- "):
            items = []
            for item in take(lambda l: l.startswith(("- ", "  ")) and l != ""):
                if item.startswith("- "):
                    items.append(item[2:])
                else:
                    items[-1] += " " + item.strip()
            block = ".Bl -bullet -compact\n%s.El\n" % "".join(".It\n" + flowing(without_links(item)) for item in items)
        else:
            block = flowing(without_links(" ".join(take(lambda l: l != "" and not l.startswith(("|", "    ", "- ", "#"))))))
        if paragraph_before and not block.startswith(".B"):
            out += ".Pp\n"
        paragraph_before = True
        out += block
    return out


# ---- headers ----

def comment_text(lines):
    """The text of a block comment, line by line, without its marks."""
    text = "\n".join(lines)
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", text)
    return [re.sub(r"^ ?\* ?", "", line).rstrip() for line in text.split("\n")]


def described(lines):
    """Paragraphs of a comment; lines that are set in stay as they are."""
    out, block, kind = [], [], None
    for line in [*lines, ""]:
        now = None if line == "" else "literal" if line.startswith("  ") else "text"
        if now != kind and block:
            out.append(literal(block) if kind == "literal" else flowing(" ".join(block)))
            block = []
        if now:
            block.append(line)
        kind = now
    shown = ""
    for part in out:
        shown += (".Pp\n" if shown and not part.startswith(".Bd") else "") + part
    return shown


def declaration(lines, index):
    """The lines of the declaration or the macros at this index, and the index after it."""
    begin = index
    if lines[index].startswith("#define"):
        while index < len(lines) and lines[index].startswith("#define"):
            first = index
            while lines[index].endswith("\\"):
                index += 1
            index += 1
            if index - first > 1:  # the rows of a table are in its file
                return [line.rstrip("\\").rstrip() for line in lines[begin:first + 1]], index
            while index < len(lines) and re.match(r"\s+\S", lines[index]):  # a comment that goes on
                index += 1
        return lines[begin:index], index
    depth = 0
    while True:
        code = re.sub(r"/\*.*?(\*/|$)", "", lines[index])
        if code.startswith("}") and lines[begin].startswith("static inline"):  # its code is no part of the page
            head = lines[begin:next(i for i in range(begin, index) if lines[i].endswith("{")) + 1]
            return [*head[:-1], head[-1].rstrip(" {") + ";"], index + 1
        depth += code.count("{") - code.count("}")
        index += 1
        if depth == 0 and code.rstrip().endswith(";"):
            return [line.replace("IWARP_API ", "") for line in lines[begin:index]], index


SKIPPED = re.compile(r"#\s*(include|if|ifdef|ifndef|else|elif|endif|undef)\b|extern \"C\" \{|\}|$|#define \w+_H$")


def header_page(path, others):
    """The page of a header, and the functions that it declares."""
    lines = path.read_text(encoding="utf-8").split("\n")
    name = "iwarp_%s" % path.name
    purpose = comment_text([lines[1]])[0] if lines[1].endswith("*/") else None
    index = 2
    if purpose is None:
        while not lines[index].endswith("*/"):
            index += 1
        purpose = " ".join(comment_text(lines[1:index + 1]))
        index += 1
    purpose = " ".join(purpose.split())
    body, functions, paragraph = "", [], False
    while index < len(lines):
        line = lines[index]
        if line.startswith("/*"):
            begin = index
            while not lines[index].endswith("*/"):
                index += 1
            index += 1
            text = comment_text(lines[begin:index])
            chapter = re.match(r"-+ (.+?)(?: -+)?$", text[0])
            if chapter:
                body += ".Ss %s\n%s" % (chapter.group(1)[0].upper() + chapter.group(1)[1:], described(text[1:]))
                paragraph = len(text) > 1
                continue
            shown = described(text)
            if line.startswith("/**") and index < len(lines) and lines[index] and not SKIPPED.match(lines[index]):
                code, index = declaration(lines, index)
                joined = " ".join(code)
                found = re.match(r"(?!typedef|#|struct \w+;).*?\b(iwarp_\w+)\(", joined)
                if found:
                    functions.append(found.group(1))
                shown = literal(code) + shown
            body += (".Pp\n" if paragraph and not shown.startswith(".Bd") else "") + shown
            paragraph = True
        elif SKIPPED.match(line):
            while lines[index].endswith("\\"):
                index += 1
            index += 1
        else:
            code, index = declaration(lines, index)
            found = re.match(r"(?!typedef|#|struct \w+;).*?\b(iwarp_\w+)\(", " ".join(code))
            if found:
                functions.append(found.group(1))
            body += literal(code)
            paragraph = True
    names = " ,\n.Nm ".join([name, *functions])
    first, rest = re.match(r"(.*?[a-z)])[.:;](?:\s+(.*))?$", purpose + ".").groups() if re.search(r"[a-z)][.:;] ", purpose) else (purpose.rstrip("."), "")
    rest = (rest or "").rstrip(".")
    intro = flowing(rest[0].upper() + rest[1:] + ".") + ".Pp\n" if rest else ""
    page = "".join((
        HEAD % path.relative_to(ROOT), dated(), ".Dt %s 3\n.Os\n" % name.upper(),
        ".Sh NAME\n.Nm %s\n.Nd %s\n" % (names, escaped(first[0].lower() + first[1:] if first[1:2].islower() else first)),
        ".Sh SYNOPSIS\n.In iwarp/%s\n" % path.name,
        ".Sh DESCRIPTION\n", intro if body else intro.replace(".Pp\n", "") or ".In iwarp/%s\nincludes the other headers.\n" % path.name, body,
        ".Sh SEE ALSO\n", " ,\n".join(".Xr %s 3" % other for other in sorted(["libiwarp", *others]) if other != name), "\n"))
    return page, first, functions


def headers():
    """{page name: path} of the public headers."""
    return {"iwarp_" + path.name: path for folder in HEADER_FOLDERS for path in sorted((ROOT / folder).glob("*.h"))}


def made():
    """{folder/name: text} of all pages."""
    out, listed, found = {}, "", headers()
    for name, path in found.items():
        included = re.findall(r"^#include <iwarp/(\w+\.h)>", path.read_text(encoding="utf-8"), re.MULTILINE)
        page, summary, functions = header_page(path, ["iwarp_" + other for other in included])
        out["man3/%s.3" % name] = page
        listed += ".It Xr %s 3\n%s\n" % (name, escaped(summary))
        for function in functions:
            out["man3/%s.3" % function] = ".so man3/%s.3\n" % name
    conventions = mdoc_of_markdown(read("docs/api-conventions.md"), ".Ss")
    libiwarp = read("docs/man/source/libiwarp.mdoc").split("\n", 1)[1]
    libiwarp = libiwarp.replace("@HEADERS\n", ".Bl -tag -width Ds -compact\n%s.El\n" % listed).replace("@CONVENTIONS\n", conventions)
    out["man3/libiwarp.3"] = HEAD % "docs/man/source/libiwarp.mdoc, docs/api-conventions.md and the headers" + dated() + libiwarp
    scenario = read("docs/man/source/scenario.mdoc").split("\n", 1)[1]
    scenario = scenario.replace("@SCENARIOS\n", mdoc_of_markdown(read("docs/scenarios.md")))
    out["man5/iwarp-scenario.5"] = HEAD % "docs/man/source/scenario.mdoc and docs/scenarios.md" + dated() + scenario
    return out


def main(out):
    pages = made()
    shutil.rmtree(out, ignore_errors=True)
    for name, text in pages.items():
        path = Path(out) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(re.sub(r"\.Pp\n(?=\.(?:B[dl]|S[hs])\b)", "", text), encoding="utf-8")
    print("%d pages" % len(pages))


if __name__ == "__main__":
    main(*sys.argv[1:])
