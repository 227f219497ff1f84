# SPDX-License-Identifier: BSD-2-Clause
"""Imported before the kit of pcaps/tools, which writes and reads captures: makes it found.  What all tests of the tool know."""

import itertools
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "pcaps", "tools"))

# A background job of a shell ignores SIGINT, and its programs would never be interrupted: Python acts on it here, and what it
# starts gets the default.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests that go through many captures take one of so many. The gate says how many, .ci/test takes one of two, .ci/nightly all.
REPEATED = min(int(os.environ.get("IWARP_PROPERTY_SAMPLE", "1")), 8)

# Loops within each other mostly go through 2, 4, 8 or 9 kinds: every seventh combination has another kind of each.
STEP = 7 if REPEATED == 8 else 1

STARTS = itertools.count()


def some_search_leaks(environment):
    """The environment for the next start of the tool: with AddressSanitizer, one start of REPEATED searches for leaks at its end.

    That takes half the time of a start.
    """
    if next(STARTS) % REPEATED == 0:
        return environment
    options = (environment.get("ASAN_OPTIONS"), "detect_leaks=0")
    return {**environment, "ASAN_OPTIONS": ":".join(filter(None, options))}


# The output formats of `check`, as its option -T lists them.
FORMATS = ("text", "jsonl", "timeline", "junit", "sarif", "tap", "tap13", "html")


def lines_of_run(octets):
    """JSON Lines without the first one, which names the subcommand that wrote them."""
    return octets.partition(b"\n" if isinstance(octets, bytes) else "\n")[2]
