#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""outcomes_doc: each outcome of the code is in docs/outcomes.md and in the manual page.   outcomes_doc.py ROOT

Outcomes and their names come from observe and report, in the order in which they are decided; what the page quotes as
printed must be text of the report.
"""

import os
import re
import sys


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as stream:
        return stream.read()


def outcomes(root):
    """The names of observe_how, in its order, UNKNOWN last."""
    enum = re.search(r"typedef enum observe_how \{(.*?)\}", read(root, "conformance/observe/include/observe/outcome.h"), re.DOTALL)
    known = re.findall(r"^  (OBSERVE_\w+)", enum.group(1), re.MULTILINE)
    names = read(root, "conformance/report/names.c")
    body = re.search(r"report_outcome_name\(observe_how how\) \{(.*?)^\}", names, re.DOTALL | re.MULTILINE).group(1)
    named = dict(re.findall(r"case (OBSERVE_\w+): return \"([\w-]+)\"", body))
    last = re.search(r"return \"([\w-]+)\";\s*$", body.rstrip()).group(1)
    return [named[name] for name in known if name in named] + [last for name in known if name not in named]


def literals(source):
    """The string literals of C, those that stand together joined."""
    return ["".join(re.findall(r'"((?:\\.|[^"\\])*)"', run))
            for run in re.findall(r'"(?:\\.|[^"\\])*"(?:\s*"(?:\\.|[^"\\])*")*', source)]


def page_sections(page):
    parts = re.split(r"^## (\S+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2])), parts[1::2]


def section_complaints(name, text, printed):
    quoted = re.findall(r'"([^"]+)"', text.split("What to do:")[0])
    if "Printed: \"" not in text or "What to do: " not in text:
        yield "%s: the section lacks what is printed, or what to do" % name
    for words in quoted:
        if not any(words in literal for literal in printed):
            yield "%s: the report never prints \"%s\"" % (name, words)


def main(root):
    names = outcomes(root)
    source = read(root, "conformance/report/check_text_outcome.c")
    page = read(root, "docs/outcomes.md")
    sections, order = page_sections(page)
    complaints = [] if order == names else ["docs/outcomes.md has %s, the code %s" % (order, names)]
    for name in set(names) & set(order):
        complaints += section_complaints(name, sections[name], literals(source))
    lacks = re.search(r"outcome_lack_words.*?^\}", source, re.DOTALL | re.MULTILINE).group(0)
    complaints += ["docs/outcomes.md does not say: %s" % words for words in literals(lacks) if words not in page]
    manual = read(root, "docs/man/iwarp-check.1")
    complaints += ["the manual page lacks %s" % name for name in names
                   if not re.search(r"^\.(?:It|Sy) %s\b" % name, manual, re.MULTILINE)]
    complaints += ["docs/outcomes.md: no row of the table for %s" % name for name in names
                   if not re.search(r"^\| `%s` \|" % name, page, re.MULTILINE)]
    print("\n".join(complaints) or "%d outcomes are explained" % len(names))
    return 1 if complaints or len(names) < 9 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
