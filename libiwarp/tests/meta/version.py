# SPDX-License-Identifier: BSD-2-Clause
"""The version is the same in version.h, the README, the change log, the pkg-config file and the tool: version.py PC [TOOL]"""

import re
import subprocess
import sys

import tree


def header_version(root):
    header = tree.text(root, "libiwarp/include/iwarp/version.h")
    parts = [re.search(rf"#define IWARP_VERSION_{p} (\d+)\b", header) for p in ("MAJOR", "MINOR", "PATCH")]
    string = re.search(r'#define IWARP_VERSION_STRING "([^"]*)"', header)
    if string is None or None in parts:
        return None, ["version.h: a version macro is missing"]
    numbers = ".".join(p.group(1) for p in parts)
    if numbers != string.group(1):
        return None, [f"version.h: {numbers} is not {string.group(1)}"]
    return numbers, []


def check(root, pc, tool=None):
    version, complaints = header_version(root)
    if complaints:
        return complaints
    changes = re.search(r"^## \[?([^\s\]]+)\]?", tree.text(root, "docs/CHANGELOG.md"), re.MULTILINE)
    if changes is None or changes.group(1) != version:
        complaints.append(f"docs/CHANGELOG.md: the first entry is not {version}")
    readme = tree.text(root, "README.md")
    wanted = (f"This is version {version};", f"find_package(iwarp {version.rpartition('.')[0]} ")
    complaints += [f"README.md: no '{words}'" for words in wanted if words not in readme]
    with open(pc, encoding="utf-8") as file:
        if f"\nVersion: {version}\n" not in file.read():
            complaints.append(f"{pc}: not version {version}")
    if tool:
        printed = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout
        if version not in printed.split("\n")[0].split():
            complaints.append(f"iwarp --version: no {version} in its first line")
    return complaints


if __name__ == "__main__":
    tree.finish("version", check(tree.source_root(), *sys.argv[1:]))
