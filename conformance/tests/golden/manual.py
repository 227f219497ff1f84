#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""manual: the manual pages are those that docs/man/source and --help make.   manual.py TOOL ROOT [--update]

iwarp.mdoc is the page of the tool, with the list of commands in place of @COMMANDS. COMMAND.mdoc is the description of a
command, and sections after it. options.mdoc says what each option does; --help says which command takes it, and its argument.
libiwarp.mdoc and scenario.mdoc are for docs/man/pages.py, which a build runs.
--update writes the pages. Where mandoc is installed, it has no diagnostic about a page of docs/man.
"""

import os
import re
import shutil
import subprocess
import sys

HEAD = """.\\" SPDX-License-Identifier: BSD-2-Clause
.\\" Made by conformance/tests/golden/manual.py --update from docs/man/source.
"""


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as stream:
        return stream.read()


def without_comments(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith(".\\\""))


class Options:
    """The texts of options.mdoc."""

    def __init__(self, text):
        self.texts, self.unused = {}, set()
        for block in re.split(r"^@(?!shared$)", without_comments(text), flags=re.MULTILINE)[1:]:
            words, _, body = block.partition("\n")
            name, *commands = words.split()
            for key in [(name, command) for command in commands] or [(name, None)]:
                assert key not in self.texts, "options.mdoc has %s twice" % (key,)
                self.texts[key] = body
        self.unused = set(self.texts)

    def text(self, name, command):
        shared, own = (name, None), (name, command)
        key = own if own in self.texts else shared
        assert key in self.texts, "options.mdoc does not say what %s of %s does" % own
        body = self.texts[key]
        self.unused.discard(key)
        if "@shared\n" in body:
            self.unused.discard(shared)
            body = body.replace("@shared\n", self.texts[shared])
        return body


def options_of_help(text):
    """[(letter, long name, argument)] of the option lines."""
    return re.findall(r"^  (?:-(\w)(?:, | |$)|    )(?:--([\w-]+))? ?(\S+)?  +\S", text.split("Options:")[1], re.MULTILINE)


def item(letter, name, argument):
    """.It of an option."""
    flags = " , ".join(flag for flag in (letter, name and "-" + name) if flag)
    return ".It Fl %s%s\n" % (flags, argument and " Ar " + argument)


def operands(usage):
    """The operands of a usage line, as macros."""
    out = []
    for word in usage.split():
        bare = word.strip("[]").replace("...", " ...").replace("|", " Ns | Ns Ar ")
        if word.startswith("-"):
            out.append(".Fl %s" % word[1:])
        elif word == "[options]":
            out.append(".Op options")
        elif out and out[-1].startswith(".Fl") and "Ar" not in out[-1]:
            out[-1] += " Ar " + bare
        else:
            out.append(".Op Ar " + bare if word.startswith("[") else ".Ar " + bare)
    return "\n".join(out)


def status_list(text):
    """.It of each exit status of --help."""
    words = text.split("Exit status:")[1].split("Examples:")[0]
    if words.startswith(" "):
        pairs = re.findall(r"(\d+) ([^,.]+)", words)
    else:
        pairs = [(number, " ".join(line.split())) for number, line in
                 re.findall(r"^ +(\d+)  (.*(?:\n {6}.*)*)", words, re.MULTILINE)]
    assert pairs, "--help has no exit statuses"
    return ".Bl -tag -width Ds -compact\n%s.El\n" % "".join(".It %s\n%s\n" % pair for pair in pairs)


def example_list(command, text):
    examples = re.findall(r"^  (\S.*)", text.split("Examples:")[1], re.MULTILINE)
    assert len(examples) == 2 and all("iwarp " + command in line for line in examples), "%s: no two examples" % command
    return "".join(".Dl %s\n" % line.replace("\\", "\\e") for line in examples)


def command_page(tool, source, options, command, summary, dated):
    text = run(tool, command, "--help")
    assert run(tool, "help", command) == text, "%s: help prints something else" % command
    usage = re.match(r"Usage: iwarp \w+ ?(.*)", text).group(1)
    middle = without_comments(read(source, command + ".mdoc"))
    described, section, after = middle.partition(".Sh ")
    rows = options_of_help(text)
    assert len(rows) >= 2, "%s: the options of --help are not understood" % command
    items = "".join(item(*row) + options.text(row[1] if row[1] else row[0], command) for row in rows)
    return "".join((
        HEAD, dated, ".Dt IWARP-%s 1\n.Os\n.Sh NAME\n.Nm iwarp-%s\n.Nd %s\n" % (command.upper(), command, summary),
        ".Sh SYNOPSIS\n.Nm iwarp Cm %s\n%s\n" % (command, operands(usage)),
        ".Sh DESCRIPTION\n", described, ".Sh OPTIONS\n.Bl -tag -width Ds\n", items, ".El\n", section, after,
        ".Sh EXIT STATUS\n", status_list(text), ".Sh EXAMPLES\n", example_list(command, text), ".Sh SEE ALSO\n.Xr iwarp 1\n"))


def pages(tool, root):
    """{name: text} of all pages."""
    source = os.path.join(root, "docs/man/source")
    options = Options(read(source, "options.mdoc"))
    main_page = read(source, "iwarp.mdoc")
    dated = re.search(r"^\.Dd .*\n", main_page, re.MULTILINE).group(0)
    commands = re.findall(r"^  (\w+) +(\S.*)", run(tool, "--help").split("Commands:")[1], re.MULTILINE)
    rows = "".join(".It Xr iwarp-%s 1\n%s\n" % row for row in commands)
    listed = ".Bl -tag -width iwarp-timeline(1) -compact\n%s.El\n" % rows
    out = {"iwarp.1": HEAD + without_comments(main_page).replace("@COMMANDS\n", listed)}
    for command, summary in commands:
        out["iwarp-%s.1" % command] = command_page(tool, source, options, command, summary, dated)
    assert not options.unused, "options.mdoc: no command takes %s" % sorted(options.unused, key=str)
    sources = {name[:-len(".mdoc")] for name in os.listdir(source)} - {"options", "iwarp", "libiwarp", "scenario"}
    assert sources == {command for command, _ in commands}, "docs/man/source has pages of no command"
    statuses = re.findall(r"^ +(\d+)  ", run(tool, "check", "--help"), re.MULTILINE)
    assert statuses == re.findall(r"^\.It (\d+)$", main_page.split(".Sh EXIT STATUS")[1], re.MULTILINE), "exit statuses differ"
    return out


def lint(path):
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], stdout=subprocess.PIPE, check=False)
    return done.stdout.decode()


def main(tool, root, *option):
    folder = os.path.join(root, "docs/man")
    made = pages(tool, root)
    for name, text in made.items():
        if option == ("--update",):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        assert os.path.exists(os.path.join(folder, name)) and read(folder, name) == text, "%s: write it again by --update" % name
        assert "As above" not in text, "%s sends the reader elsewhere" % name
    if shutil.which("mandoc") is None:
        print("skipped: mandoc is not installed, so the form of the pages is not checked")
    else:
        complaints = [lint(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".1")]
        assert not any(complaints), "".join(complaints)
    print("%d pages are those of --help" % len(made))


if __name__ == "__main__":
    main(*sys.argv[1:])
