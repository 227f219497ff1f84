# SPDX-License-Identifier: BSD-2-Clause
"""The library joined into iwarp.c and iwarp.h compiles, links and exports what the library does.

build.py CMAKE NM CXX OUT-DIR CC...
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Wvla",
            "-Wcast-qual", "-Werror"]
# The variants differ by what the preprocessor makes of them, so one of the first compiler is optimised: that takes longest.
OPTIMISED, PLAIN = "-O1", "-O0"
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


def compile_without_headers(nm, cc, cxx, out, name):
    """No header is there, not even the compiler's own, and nothing stands in for them; returns the object."""
    compiled = out / f"{name}.o"
    for options in (["-ffreestanding"], []):
        run(cc, "-std=c11", PLAIN, "-nostdinc", *options, *WARNINGS, "-c", out / "iwarp.c", "-o", compiled)
        check_symbols(nm, compiled)
    run(cxx, "-std=c++17", "-nostdinc", *WARNINGS, "-fsyntax-only", "-x", "c++", out / "iwarp.h")
    return compiled


def main(cmake, nm, cxx, out, *names):
    out = Path(out)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run(cmake, "-D", f"OUT={out}", "-P", LIBRARY / "cmake" / "amalgamate.cmake")
    run(cxx, "-std=c++17", *WARNINGS, f"-I{out}", "-c", HERE / "use_amalgamation.cpp", "-o", out / "use.o")
    done = 0
    for number, cc in enumerate(compilers(names)):
        for options in ([], ["-DIWARP_CRC32C_PORTABLE"]):
            compiled = out / f"iwarp-{number}-{len(options)}.o"
            run(cc, "-std=c11", PLAIN if options or number else OPTIMISED, *WARNINGS, *options, "-c", out / "iwarp.c", "-o", compiled)
            check_symbols(nm, compiled)
            program = compiled.with_suffix("")
            run(cxx, out / "use.o", compiled, "-o", program)
            run(program)
            done += 1
            print(f"compiled, linked and run: {cc} {' '.join(options)}")
        compiled = compile_without_headers(nm, cc, cxx, out, f"nostdinc-{number}")
        run(cxx, out / "use.o", compiled, "-o", compiled.with_suffix(""))
        run(compiled.with_suffix(""))
        print(f"compiled, linked and run: {cc} -nostdinc")
    sys.exit(0 if done else "no compiler")


if __name__ == "__main__":
    main(*sys.argv[1:])
