#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""manual: the manual page and --help name the same options and exit statuses.   manual.py TOOL PAGE"""

import re
import subprocess
import sys

COMMANDS = ("check", "dump", "timeline", "baseline", "decode", "rules", "explain", "coverage", "gen", "merge", "scrub", "help")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")


def options_of_help(text):
    """{(letter, long name, argument)} of the option lines."""
    lines = re.findall(r"^  (?:-(\w)(?:, | |$)|    )(?:--([\w-]+))? ?(\S+)?  +\S", text, re.MULTILINE)
    return {(letter, name, argument) for letter, name, argument in lines}


def options_of_page(text):
    """The same of a section of the manual page."""
    out = set()
    for line in re.findall(r"^\.It Fl (.*)$", text, re.MULTILINE):
        words = re.fullmatch(r"(?:(\w)(?: , |$| ))?(?:-([\w-]+))?(?: ?Ar (.*))?", line)
        out.add(tuple(word or "" for word in words.groups()))
    return out


def sections(page):
    """{command: text of its sub-section}."""
    parts = re.split(r"^\.S[sh] (.*)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def main(tool, path):
    with open(path, encoding="utf-8") as stream:
        parts = sections(stream.read())
    complaints = []
    commands = re.findall(r"^  (\w+) ", run(tool, "--help").split("Commands:")[1], re.MULTILINE)
    if tuple(commands) != COMMANDS:
        complaints.append("commands: %s, the page has %s" % (commands, COMMANDS))
    for command in COMMANDS:
        text = run(tool, command, "--help")
        said, written = options_of_help(text), options_of_page(parts[command])
        if run(tool, "help", command) != text:
            complaints.append("%s: help prints something else" % command)
        if len(re.findall(r"^  (?:\S.* \| )?iwarp %s\b" % command, text.split("Examples:")[1], re.MULTILINE)) != 2:
            complaints.append("%s: --help has no two examples" % command)
        if len(said) < 2:
            complaints.append("%s: the options of --help are not understood" % command)
        complaints += ["%s: only in --help: %s" % (command, o) for o in sorted(said - written)]
        complaints += ["%s: only in the page: %s" % (command, o) for o in sorted(written - said)]
    statuses = re.findall(r"^ +(\d+)  ", run(tool, "check", "--help"), re.MULTILINE)
    if statuses != re.findall(r"^\.It (\d+)$", parts["EXIT STATUS"], re.MULTILINE):
        complaints.append("the exit statuses differ")
    print("\n".join(complaints) or "the page and --help agree")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
