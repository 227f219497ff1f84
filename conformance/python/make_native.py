# SPDX-License-Identifier: BSD-2-Clause
"""Writes the C source of the module iwarp._native: make_native.py OUT CDEF..."""

import sys
from pathlib import Path

import cffi

HEADERS = """
#include <alloca.h>
#include <string.h>
#include <iwarp/iwarp.h>
#include <iwarp/rules.h>
"""


def main():
    out, *cdefs = sys.argv[1:]
    ffi = cffi.FFI()
    for cdef in cdefs:
        ffi.cdef(Path(cdef).read_text(encoding="utf-8"))
    ffi.set_source("iwarp._native", HEADERS)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main()
