#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""cases-doc: docs/cases has a page for each case of `iwarp peer`, made of the case itself.

cases_doc.py PRINT_CASES DOCS_FOLDER [--update]     --update writes the pages again
"""

import os
import subprocess
import sys

HEAD = "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n<!-- Made by conformance/tests/golden/cases_doc.py --update. -->\n"


def pages(program):
    """{file: text} of all pages and of their list."""
    text = subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode()
    out, rows = {}, []
    for part in text.split("\f")[1:]:
        name, _, page = part.partition("\n")
        out[name + ".md"] = HEAD + page
        rows.append("| [%s](%s.md) | %s |\n" % (name, name, page.split("\n")[2].rstrip(".").replace("|", "\\|")))
    out["README.md"] = HEAD + "# Cases\n\n`iwarp peer` plays these cases; `iwarp explain case.NAME` prints a page.\n\n| case | demand |\n|---|---|\n" + "".join(rows)
    return out


def main(program, folder, *option):
    made = pages(program)
    if option == ("--update",):
        os.makedirs(folder, exist_ok=True)
        for name in set(os.listdir(folder)) - set(made):
            os.remove(os.path.join(folder, name))
        for name, text in made.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
    there = set(os.listdir(folder))
    assert there == set(made), "docs/cases: write it again by --update: %s" % sorted(there ^ set(made))
    for name, text in made.items():
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            assert stream.read() == text, "docs/cases/%s: write it again by --update" % name
    print("%d pages of cases are those of the cases" % len(made))


if __name__ == "__main__":
    main(*sys.argv[1:])
