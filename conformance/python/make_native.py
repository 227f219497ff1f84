# SPDX-License-Identifier: BSD-2-Clause
"""Writes the C source of the module iwarp._native: make_native.py OUT CDEF..."""

import sys
from pathlib import Path

import cffi

# What cffi's own lines use, and the limited API of Python does not bring.
SYSTEM = """#define _GNU_SOURCE 1
#include <alloca.h>
#include <string.h>
"""
HEADERS = """
#include <iwarp/iwarp.h>
#include <records/records.h>
#include <report/transports.h>
"""

# The members of the union of an event of an endpoint: type and name.
MEMBERS = (("iwarp_event_startup", "startup"), ("iwarp_endpoint_place", "place"), ("iwarp_endpoint_received", "recv"),
           ("iwarp_endpoint_atomic_op", "atomic"), ("iwarp_endpoint_done", "done"), ("iwarp_endpoint_fault", "fault"),
           ("iwarp_endpoint_terminated", "terminated"), ("iwarp_endpoint_closed", "closed"))
MEMBER = """static const {0} *event_{1}(const iwarp_endpoint_event *ev) {{
  return &ev->u.{1};
}}
"""


def main():
    out, *cdefs = sys.argv[1:]
    ffi = cffi.FFI()
    for cdef in cdefs:
        ffi.cdef(Path(cdef).read_text(encoding="utf-8"))
    ffi.set_source("iwarp._native", HEADERS + "".join(MEMBER.format(*member) for member in MEMBERS))
    ffi.emit_c_code(out)
    Path(out).write_text(SYSTEM + Path(out).read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    main()
