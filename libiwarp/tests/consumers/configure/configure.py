# SPDX-License-Identifier: BSD-2-Clause
"""Configured where something is missing, the project builds the rest and says in one line what to install.

configure.py CMAKE GENERATOR CC SOURCE OUT-DIR
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

# How each dependency is hidden, and the package that the message must name.
HIDDEN = {
    "libpcap": ("-DCMAKE_DISABLE_FIND_PACKAGE_pcap=ON", "libpcap-dev"),
    "uthash": ("-DCMAKE_DISABLE_FIND_PACKAGE_uthash=ON", "uthash-dev"),
    "Check": ("-DCMAKE_DISABLE_FIND_PACKAGE_check=ON", "check"),
    "jansson": ("-DCMAKE_DISABLE_FIND_PACKAGE_jansson=ON", "libjansson-dev"),
    "Python": ("-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON", "python3"),
    "C++": ("-DCMAKE_CXX_COMPILER=NOTFOUND", "g++"),
}
OF_THE_TOOL = {"libpcap", "uthash"}
# What the tool can do without: how the line about it calls it, the option that demands it, how it is hidden, and its package.
OPTIONAL = [
    *((f"compressed with {form}", "IWARP_UNPACK", f"-DCMAKE_DISABLE_FIND_PACKAGE_{form}=ON", package)
      for form, package in (("gzip", "zlib1g-dev"), ("zstd", "libzstd-dev"), ("lz4", "liblz4-dev"), ("xz", "liblzma-dev"))),
    ("confinement of the tool by landlock", "IWARP_CONFINE", "-DIWARP_HAS_LANDLOCK_H=OFF", "linux-libc-dev"),
    ("confinement of the tool by seccomp", "IWARP_CONFINE", "-DCMAKE_DISABLE_FIND_PACKAGE_seccomp=ON", "libseccomp-dev"),
    ("Wireshark plugin", "IWARP_BUILD_DISSECTOR", "-DCMAKE_DISABLE_FIND_PACKAGE_Wireshark=ON", "wireshark-dev"),
]
NO_PKG_CONFIG = "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON"
# For what the tests have no part in: making their rules takes most of the time.
NO_TESTS = "-DIWARP_BUILD_TESTS=OFF"
MARK = "-- Not built: "


class Project:
    def __init__(self, cmake, generator, cc, source, out):
        self.base = [cmake, "-G", generator, f"-DCMAKE_C_COMPILER={cc}", "-DIWARP_BUILD_DISSECTOR=OFF", "-DIWARP_HARDEN=OFF", "-S", source]
        self.out, self.compilers = Path(out), Path(f"{out}-compilers")
        self.complaints = []

    def learn_compilers(self):
        """Keeps what CMake finds out about the compilers, which takes it most of the time, for all runs but those that hide one."""
        shutil.rmtree(self.compilers, ignore_errors=True)
        self.configure()
        cache = (self.out / "CMakeCache.txt").read_text(encoding="utf-8").splitlines(True)
        known = [line for line in cache if re.match(r"CMAKE_(?!DISABLE_)|IWARP_HAS_", line)]
        (self.compilers / "CMakeFiles").mkdir(parents=True)
        (self.compilers / "CMakeCache.txt").write_text("".join(known), encoding="utf-8")
        for folder in (self.out / "CMakeFiles").glob("[0-9]*"):
            shutil.copytree(folder, self.compilers / "CMakeFiles" / folder.name)

    def configure(self, *options):
        """Returns (whether it succeeded, the whole output, the lines about parts that are left out)."""
        shutil.rmtree(self.out, ignore_errors=True)
        if self.compilers.is_dir() and not any("CMAKE_CXX_COMPILER" in option for option in options):
            shutil.copytree(self.compilers, self.out)
        done = subprocess.run([*self.base, "-B", str(self.out), *options], capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        return done.returncode == 0, said, [line for line in said.splitlines() if line.startswith(MARK)]

    def expect(self, condition, what, said):
        if not condition:
            self.complaints.append(f"{what}\n{said}")

    def targets(self):
        """Names the programs and libraries of the build."""
        names = ("iwarp.dir", "iwarp_rules.dir", "iwarp_tool.dir", "iwarp_test_support.dir")
        return {n.removesuffix(".dir") for n in names if any(p.is_dir() for p in self.out.rglob(f"CMakeFiles/{n}"))}

    def missing_one(self, name):
        hide, package = HIDDEN[name]
        ok, said, lines = self.configure(hide)
        num = 3 if name == "Python" else 1  # the Python package, the tests, and manual pages
        named = all(re.search(rf"\(Debian: {re.escape(package)}(-cffi)?\)", line) for line in lines)
        self.expect(ok and len(lines) == num and named, f"without {name}: {num} lines that name {package}", said)
        targets = self.targets()
        self.expect({"iwarp", "iwarp_rules"} <= targets, f"without {name}: the library and the rules are built", said)
        self.expect(("iwarp_tool" in targets) == (name not in OF_THE_TOOL), f"without {name}: the tool", said)
        self.expect(("iwarp_test_support" in targets) == (name in OF_THE_TOOL or name == "C++"), f"without {name}: the tests", said)
        option = "IWARP_BUILD_CONFORMANCE" if name in OF_THE_TOOL else "IWARP_BUILD_TESTS"
        ok, said, _ = self.configure(*([NO_TESTS] if name in OF_THE_TOOL else []), hide, f"-D{option}=ON")
        self.expect(not ok and package in said and option in said, f"without {name}, {option}=ON: an error that names {package}", said)

    def without_options_of_the_tool(self):
        """Without all of them at once there is a line for each; each that is demanded and missing is an error."""
        ok, said, lines = self.configure(NO_TESTS, "-DIWARP_BUILD_DISSECTOR=AUTO", *(hide for _, _, hide, _ in OPTIONAL))
        self.expect(ok and len(lines) == len(OPTIONAL), "without the optional parts: a line for each", said)
        self.expect("iwarp_tool" in self.targets(), "without the optional parts: the tool", said)
        for what, option, hide, package in OPTIONAL:
            named = sum(what in line and f"(Debian: {package})" in line for line in lines)
            self.expect(named == 1, f"without {what}: one line that names {package}", said)
            ok, said_then, _ = self.configure(NO_TESTS, hide, f"-D{option}=ON")
            self.expect(not ok and package in said_then, f"without {what}, {option}=ON: an error that names {package}", said_then)
        ok, said, lines = self.configure(NO_TESTS, "-DIWARP_UNPACK=OFF", "-DIWARP_CONFINE=OFF")
        self.expect(ok and not lines, "IWARP_UNPACK=OFF, IWARP_CONFINE=OFF: nothing to say", said)

    def check(self):
        self.learn_compilers()
        everything = [hide for hide, _ in HIDDEN.values()]
        ok, said, lines = self.configure(NO_PKG_CONFIG, *everything)
        self.expect(ok and len(lines) == 3, "without anything: a line for the tool, the tests and manual pages", said)
        self.expect(self.targets() == {"iwarp", "iwarp_rules"}, "without anything: library and rules", said)
        ok, said, lines = self.configure(NO_PKG_CONFIG, "-DIWARP_BUILD_CONFORMANCE=ON", "-DIWARP_BUILD_TESTS=ON")
        self.expect(ok and not lines, "without pkg-config: all is found", said)
        for name in HIDDEN:
            self.missing_one(name)
        self.without_options_of_the_tool()
        return self.complaints


if __name__ == "__main__":
    found = Project(*sys.argv[1:]).check()
    print("\n".join(found) or "configured with and without each dependency")
    sys.exit(1 if found else 0)
