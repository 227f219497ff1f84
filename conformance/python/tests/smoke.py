# SPDX-License-Identifier: BSD-2-Clause
"""The installed package is there, decodes a frame and diagnoses a capture: smoke.py VERSION CAPTURE."""

import importlib.metadata
import sys

import iwarp


def main():
    version, capture = sys.argv[1:]
    assert importlib.metadata.version("iwarp") == iwarp.__version__ == version, iwarp.__version__
    assert iwarp.__file__.startswith(sys.prefix), iwarp.__file__
    assert iwarp.Fpdu.decode(iwarp.Fpdu(b"x" * 20).encode()).error is None
    diagnoses = [d.id for connection in iwarp.check(capture) for d in connection.diagnoses]
    assert diagnoses == ["term-stag"], diagnoses
    print(f"{iwarp.__file__} works")


if __name__ == "__main__":
    main()
