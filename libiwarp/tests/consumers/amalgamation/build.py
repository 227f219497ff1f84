# SPDX-License-Identifier: BSD-2-Clause
"""The library joined into iwarp.c and iwarp.h compiles, links and exports what the library does.

build.py CMAKE NM CXX OUT-DIR CC...
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Wvla",
            "-Wcast-qual", "-Werror"]
# In a sample each compiler makes code of half of the variants, in turn, and no code is optimised: both take longest.
SAMPLE = int(os.environ.get("IWARP_PROPERTY_SAMPLE", "1")) > 1
PORTABLE = "-DIWARP_CRC32C_PORTABLE"
# Where there is a C library, clang makes bcmp of some memcmp.
OF_THE_C_LIBRARY = {"memcpy", "memset", "memcmp", "memmove", "bcmp"}


def run(*args):
    result = subprocess.run([str(a) for a in args], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(str(a) for a in args)}\n{result.stdout}{result.stderr}")
    return result.stdout


def compilers(names):
    """Yields each compiler once; says which are not there."""
    seen = set()
    for name in names:
        path = shutil.which(name)
        if path is None:
            print(f"skipped: no {name} on this machine")
        elif Path(path).resolve() not in seen:
            seen.add(Path(path).resolve())
            yield name


def check_symbols(nm, compiled):
    """The object has the symbols of the library, hidden ones with their own prefix, and needs four of others."""
    wanted = {s for s in (LIBRARY / "libiwarp.symbols").read_text().split("\n") if s and not s.startswith("#")}
    lines = [line.split() for line in run(nm, "-P", "-g", compiled).splitlines()]
    undefined = {fields[0] for fields in lines if fields[1] in "Uw"} - {"_GLOBAL_OFFSET_TABLE_"}
    defined = {fields[0] for fields in lines if fields[1] not in "Uw"}
    public = {s for s in defined if not s.startswith("iwarpi_")}
    for what, symbols in (("missing", wanted - public), ("not in libiwarp.symbols", public - wanted),
                          ("undefined", undefined - OF_THE_C_LIBRARY)):
        if symbols:
            sys.exit(f"{compiled}: {what}: {' '.join(sorted(symbols))}")


# No header is there, not even the compiler's own, and nothing stands in for them.
VARIANTS = [(), (PORTABLE,), ("-nostdinc", "-ffreestanding"), ("-nostdinc",)]


def level(number, place):
    """The optimisation of a variant: the variants differ by what the preprocessor makes of them."""
    return "-O1" if number == place == 0 and not SAMPLE else "-O0"


def build(nm, cc, cxx, out, number):
    """Compiles all variants with one compiler, and runs those that it makes code of."""
    for place, options in enumerate(VARIANTS):
        command = [cc, "-std=c11", level(number, place), *WARNINGS, *options, out / "iwarp.c"]
        if SAMPLE and (number + place) % 2:
            run(*command, "-fsyntax-only")
            print(f"compiled: {cc} {' '.join(options)}")
            continue
        compiled = out / f"iwarp-{number}-{place}.o"
        run(*command, "-c", "-o", compiled)
        check_symbols(nm, compiled)
        run(cxx, out / "use.o", compiled, "-o", compiled.with_suffix(""))
        run(compiled.with_suffix(""))
        print(f"compiled, linked and run: {cc} {' '.join(options)}")


def main(cmake, nm, cxx, out, *names):
    out = Path(out)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run(cmake, "-D", f"OUT={out}", "-P", LIBRARY / "cmake" / "amalgamate.cmake")
    run(cxx, "-std=c++17", *WARNINGS, f"-I{out}", "-c", HERE / "use_amalgamation.cpp", "-o", out / "use.o")
    run(cxx, "-std=c++17", "-nostdinc", *WARNINGS, "-fsyntax-only", "-x", "c++", out / "iwarp.h")
    found = list(compilers(names))
    for number, cc in enumerate(found):
        build(nm, cc, cxx, out, number)
    sys.exit(0 if found else "no compiler")


if __name__ == "__main__":
    main(*sys.argv[1:])
