# SPDX-License-Identifier: BSD-2-Clause
"""What a parent project installs: of libiwarp nothing, unless it asks for it.   install.py CMAKE BUILD-DIR SOURCE PREFIX"""

import shutil
import subprocess
import sys
from pathlib import Path


def installed(cmake, build, prefix):
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    return {p.relative_to(prefix).as_posix() for p in Path(prefix).rglob("*") if p.is_file()}


def configure(cmake, build, source, value):
    subprocess.run([cmake, "-S", source, "-B", build, f"-DIWARP_INSTALL={value}"], check=True, stdout=subprocess.DEVNULL)


def main(cmake, build, source, prefix):
    plain = installed(cmake, build, prefix)
    configure(cmake, build, source, "ON")
    asked = installed(cmake, build, prefix)
    configure(cmake, build, source, "OFF")
    print(f"installed: {sorted(plain)}; with IWARP_INSTALL=ON {len(asked)} files")
    return plain == {"bin/use_library"} and any(f.endswith("libiwarp.a") for f in asked) and "include/iwarp/iwarp.h" in asked


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
