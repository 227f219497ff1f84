# SPDX-License-Identifier: BSD-2-Clause
"""The tool, the plugin and the shared libraries of a build have the protections that the toolchain has: hardening.py CC BUILD-DIR

They are read from the binaries. What a binary does not show, such as the level of _FORTIFY_SOURCE, is read from the compile
commands. What this compiler or this C library does not have is left out with a line that says so.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import elf
import tree

PRODUCTS = re.compile(r"/bin/iwarp$|/epan/iwarp\.so$|/libiwarp(_rules)?\.so[.\d]*$")
SOURCES = ("libiwarp/src/", "conformance/rules/", "conformance/unpack/", "conformance/ingest/", "conformance/observe/",
           "conformance/report/", "conformance/scenario/", "conformance/peer/", "conformance/records/", "conformance/cli/", "dissector/")
NOT_OURS = re.compile(r"/tests/|/CMakeFiles/(test-|fuzz-|iwarp-pieces|iwarp_jobs_pieces|iwarp_fuzz|reach-|trace-|iwarp_static\.dir)")

ENTRIES = ("main", "plugin_register", "iwarp_crc32c", "iwarp_rule_count")  # one of them is in each product
LANDINGS = {"x86_64": {b"\xf3\x0f\x1e\xfa"},  # endbr64
            "aarch64": {bytes.fromhex(word) for word in ("5f2403d5", "3f2303d5")}}  # bti c, paciasp
PROBES = (b"\x48\x83\x0c\x24\x00",  # orq $0,(%rsp) of gcc
          b"\x48\x81\xec\x00\x10\x00\x00\x48\xc7\x04\x24\x00\x00\x00\x00")  # subq $4096,%rsp; movq $0,(%rsp) of clang
FRAME = "void use(char *);\nvoid frame(void);\nvoid frame(void) { char big[65536]; use(big); }\n"
FORTIFIED = "#include <string.h>\n#if !defined __USE_FORTIFY_LEVEL || __USE_FORTIFY_LEVEL < %d\n#error no\n#endif\n"


class Toolchain:
    """What the compiler takes, asked without the help of CMake."""

    def __init__(self, cc):
        self.cc, self.left_out = cc, []

    def compiles(self, *flags, source="int main(void) { return 0; }\n", to="/dev/null"):
        done = subprocess.run([self.cc, "-O2", "-Werror", "-x", "c", "-c", "-o", str(to), *flags, "-"], input=source, text=True,
                              capture_output=True, check=False)
        return done.returncode == 0

    def has(self, what, *flags, **more):
        known = self.compiles(*flags, **more)
        if not known:
            self.left_out.append(f"skipped: {what}: {Path(self.cc).name} does not take {' '.join(flags)}")
        return known

    def probes_in(self):
        """Those of PROBES that this compiler makes in a large frame."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "frame.o"
            made = self.compiles("-fstack-clash-protection", source=FRAME, to=out)
            return [probe for probe in PROBES if made and probe in out.read_bytes()]

    def fortify(self):
        for level in (3, 2):
            if self.compiles("-U_FORTIFY_SOURCE", f"-D_FORTIFY_SOURCE={level}", source=FORTIFIED % level):
                return level
        self.left_out.append("skipped: _FORTIFY_SOURCE: this C library has no checked functions")
        return 0


def machine(cc):
    return subprocess.run([cc, "-dumpmachine"], capture_output=True, text=True, check=True).stdout


def products(build):
    files = [(path, file, "/" + path.relative_to(build).as_posix()) for path, file in elf.linked_files(build)]
    return [(path, file) for path, file, name in files if PRODUCTS.search(name) and not NOT_OURS.search(name)]


def undefined(file):
    return {name for name, (_, section) in file.symbols(elf.SHT_DYNSYM).items() if section == 0}


def landed(file):
    """True if each entry point that is there begins with the instruction that indirect calls need."""
    symbols = {**file.symbols(elf.SHT_SYMTAB), **file.symbols(elf.SHT_DYNSYM)}
    entries = [symbols[name][0] for name in ENTRIES if symbols.get(name, (0, 0))[1] != 0]
    return entries != [] and all(file.at_address(address, 4) in LANDINGS[file.machine] for address in entries)


def loading(file, program):
    """Complaints about what the loader does."""
    if file.type != elf.ET_DYN:
        yield "its addresses are fixed"
    kinds = {segment[0] for segment in file.segments}
    if program and elf.PT_INTERP not in kinds:
        yield "it has no loader"
    if elf.PT_GNU_RELRO not in kinds:
        yield "no part becomes read-only after relocation (RELRO)"
    if not file.flag(elf.DT_FLAGS, elf.DF_BIND_NOW) and not file.flag(elf.DT_FLAGS_1, elf.DF_1_NOW):
        yield "functions are bound late (no BIND_NOW)"


def code(file, program, toolchain):
    """Complaints about what the compiler adds. The pure library has few arrays and copies: what need not be there is asked of the
    tool alone."""
    names = undefined(file)
    if toolchain.stack and program and not names & {"__stack_chk_fail", "__stack_chk_guard"}:
        yield "no function checks its frame (__stack_chk_fail)"
    if toolchain.level and program and not any(re.fullmatch(r"__(?!stack)\w+_chk", name) for name in names):
        yield "no checked function of libc (_FORTIFY_SOURCE)"
    if toolchain.landing and file.machine in LANDINGS and not landed(file):
        yield "its entry points do not begin with a landing instruction"
    if toolchain.probes and program and not any(probe in text for text in file.code() for probe in toolchain.probes):
        yield "no large frame is probed (stack clash)"


def paths(file, roots):
    return [f"{root} stands in it" for root in roots if root.encode() in file.octets]


def archives(build):
    """Static libraries that are products: no name of a folder says that they belong to tests or to a fuzz target."""
    found = ((path, "/" + path.relative_to(build).as_posix()) for path in Path(build).rglob("libiwarp*.a"))
    return sorted(path for path, name in found if not NOT_OURS.search(name) and not re.search("/(tests|bench|fuzz|CMakeFiles)/", name))


def of_product(entry, root):
    """The name of a source of a product, below the root; None for all other commands."""
    words = entry["command"].split()
    file, made = Path(entry["file"]), "/" + words[words.index("-o") + 1]
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else ""
    if "/Unity/" in made:  # CMake made the source of several files: the folder of the library stands for them
        name = made.lstrip("/")
    return name if name.startswith(SOURCES) and not NOT_OURS.search(made) and "/tests/" not in name else None


def commands(build, root, toolchain, debug):
    """Complaints about compile commands of the products."""
    wanted = [flag for flag, known in (("-fstack-protector-strong", toolchain.stack), ("-fstack-clash-protection", toolchain.clash),
                                       (toolchain.landing, toolchain.landing),
                                       (f"-D_FORTIFY_SOURCE={toolchain.level}", toolchain.level and not debug)) if known]
    entries = json.loads((Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    ours = [(name, entry["command"].split()) for entry in entries if (name := of_product(entry, root)) is not None]
    for name, words in ours:
        yield from (f"{name}: compiled without {flag}" for flag in wanted if flag not in words)
    if not ours:
        yield "no compile command of a product"


def check(cc, build):
    cache = (Path(build) / "CMakeCache.txt").read_text(encoding="utf-8")
    debug = re.search(r"^CMAKE_BUILD_TYPE:\w+=Debug$", cache, re.MULTILINE) is not None
    toolchain = Toolchain(cc)
    toolchain.stack = toolchain.has("checked frames", "-fstack-protector-strong")
    toolchain.clash = toolchain.has("probed frames", "-fstack-clash-protection")
    toolchain.probes = toolchain.probes_in() if toolchain.clash else []
    toolchain.level = toolchain.fortify()
    flag = "-mbranch-protection=standard" if "aarch64" in machine(cc) else "-fcf-protection"
    toolchain.landing = flag if toolchain.has("landing instructions", flag) else ""
    found = products(build)
    complaints = [] if found else [f"{build}: no product"]
    for path, file in found:
        program = path.name == "iwarp"
        said = [*loading(file, program), *code(file, program and not debug, toolchain),
                *paths(file, {str(build), str(tree.source_root())})]
        complaints += [f"{path}: {text}" for text in said]
    for path in archives(build):
        complaints += [f"{path}: {root} stands in it" for root in (str(build), str(tree.source_root()))
                       if root.encode() in path.read_bytes()]
    complaints += commands(build, tree.source_root(), toolchain, debug)
    print("\n".join(toolchain.left_out + [f"{path}: looked at" for path, _ in found]))
    return complaints


if __name__ == "__main__":
    tree.finish("hardening", check(sys.argv[1], sys.argv[2]))
