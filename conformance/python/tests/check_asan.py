# SPDX-License-Identifier: BSD-2-Clause
"""The tests of the package, and hostile input, with the libraries under AddressSanitizer and UndefinedBehaviorSanitizer.

check_asan.py BUILD: builds the package there by gcc, and lets Python load the sanitizer before it.
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parents[2]
FILES = [f"test_{name}.py" for name in ("codec", "vectors", "capture", "endpoint", "hostile")]
ROUNDS = "40"
OPTIONS = ("-GNinja", "-DCMAKE_C_COMPILER=gcc", "-DIWARP_SANITIZE=address;undefined", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1",
           "-DIWARP_BUILD_CONFORMANCE=ON", "-DIWARP_BUILD_PYTHON=ON", "-DIWARP_BUILD_TESTS=OFF", "-DIWARP_BUILD_FUZZ=OFF",
           "-DIWARP_BUILD_DISSECTOR=OFF", "-DIWARP_CONFINE=OFF", "-DIWARP_INSTALL=OFF")
# Reads past the end of eight octets.
PLANTED = """
from iwarp._native import ffi, lib
octets = ffi.new("uint8_t[8]")
span = ffi.new("iwarp_span *", {"ptr": octets, "len": 64})
lib.iwarp_rdmap_read_req_decode(ffi.new("iwarp_rdmap_read_req *"), span[0])
"""


def build(folder):
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), *OPTIONS, f"-DIWARP_PYTHON={sys.executable}"]
    for command in (configure, ["cmake", "--build", str(folder), "--target", "iwarp_python_package", "--parallel", os.environ.get("IWARP_CI_PARALLEL", "2")]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout[-8000:], done.stderr[-8000:])
            sys.exit(f"failed: {' '.join(command)}")


def sanitizer():
    path = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        sys.exit("failed: gcc has no libasan.so")
    return str(Path(path).resolve())


def main():
    folder = Path(sys.argv[1])
    build(folder)
    # Each object of Python is an allocation of its own, with a guard after it. The interpreter itself leaks at its end.
    environment = {**os.environ, "LD_PRELOAD": sanitizer(), "PYTHONMALLOC": "malloc", "IWARP_PYTHON_ROUNDS": ROUNDS,
                   "PYTHONPATH": str(folder / "lib/python3/dist-packages"), "UBSAN_OPTIONS": "print_stacktrace=1",
                   "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=4:allocator_may_return_null=1"}
    planted = subprocess.run([sys.executable, "-c", PLANTED], env=environment, capture_output=True, text=True, check=False)
    if planted.returncode == 0 or "heap-buffer-overflow" not in planted.stderr or "iwarp_rdmap_read_req_decode" not in planted.stderr:
        print(planted.stdout, planted.stderr)
        sys.exit("failed: the sanitizer does not see a read out of bounds")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", *(str(TESTS / file) for file in FILES)]
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
