# SPDX-License-Identifier: BSD-2-Clause
"""Every source of the library compiles without a C library, and for machines of other widths and octet orders.

build.py OUT-DIR CC...
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Wvla",
            "-Wcast-align", "-Werror"]
# One of so many sources is compiled alone: the build of the library compiles each of them alone, with the headers of the system.
EVERY = min(int(os.environ.get("IWARP_PROPERTY_SAMPLE", "1")), 4)
# What each machine is there for. The empty one is the current machine; only clang knows the foreign ones.
MACHINES = [
    ([], "this machine"),
    (["-m32"], "32 bits"),
    (["--target=thumbv7m-none-eabi"], "32 bits, firmware"),
    (["--target=s390x-linux-gnu"], "64 bits, most significant octet first"),
    (["--target=powerpc-linux-gnu"], "32 bits, most significant octet first"),
    (["--target=x86_64-pc-windows-msvc"], "64 bits with a long of 32, Windows"),
    (["--target=x86_64-pc-windows-msvc", "-UIWARP_STATIC_DEFINE", "-DIWARP_BUILDING"], "the same as a DLL"),
    (["--target=aarch64-pc-windows-msvc"], "64 bits with a long of 32, Windows on Arm"),
]


def attempt(*args, source=None, folder=None):
    return subprocess.run([str(a) for a in args], input=source, cwd=folder, capture_output=True, text=True, check=False)


def own_headers(cc):
    """The compiler's own folder of freestanding headers: no C library in sight."""
    for name in ("include", "../include"):
        folder = attempt(cc, f"-print-file-name={name}").stdout.strip()
        if (Path(folder) / "stdint.h").exists():
            return folder
    sys.exit(f"{cc}: where are its freestanding headers?")


def understands(cc, options):
    source = "#include <stdint.h>\nextern uint64_t a;\nuint64_t a;\n"
    run = attempt(cc, *options, "-fsyntax-only", "-x", "c", "-", source=source)
    return run.returncode == 0, (run.stderr.strip().split("\n") or [""])[0]


def main(out, *names):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    sources = sorted((LIBRARY / "src").rglob("*.c"))
    # The first compiler, for this machine, shows that each source includes what it needs; then all are joined: that takes a tenth of
    # the time.
    joined = out / "joined.c"
    joined.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
    seen, done = set(), 0
    for cc in names:
        path = shutil.which(cc)
        if path is None or Path(path).resolve() in seen:
            continue
        seen.add(Path(path).resolve())
        # The intrinsics of SSE4.2 need a hosted compiler, so firmware takes the portable CRC32c.
        base = ["-std=c11", "-ffreestanding", "-nostdinc", "-isystem", own_headers(cc), "-isystem", HERE,
                "-DIWARP_CRC32C_PORTABLE", "-DIWARP_STATIC_DEFINE"]
        for machine, what in MACHINES:
            works, why = understands(cc, [*base, *machine])
            if not works:
                print(f"skipped: {cc} {' '.join(machine)} ({what}): {why}")
                continue
            # Widths and octet orders show in what the compiler understands; the second compiler makes code for this machine.
            run = attempt(cc, *base, *machine, *WARNINGS, f"-I{LIBRARY / 'include'}", f"-I{LIBRARY / 'src'}",
                          *(["-fsyntax-only", joined] if machine else ["-c", joined] if len(seen) > 1 else ["-fsyntax-only", *sources[::EVERY]]), folder=out)
            if run.returncode != 0:
                sys.exit(f"{cc} {' '.join(machine)} ({what}):\n{run.stderr}")
            done += 1
            print(f"compiled: {cc} {' '.join(machine)} ({what})")
    sys.exit(0 if done and sources else "no compiler")


if __name__ == "__main__":
    main(*sys.argv[1:])
