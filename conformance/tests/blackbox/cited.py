# SPDX-License-Identifier: BSD-2-Clause
"""Captures that violate one requirement each, and those at the edge of what a rule judges: lists of functions that make them."""

import kit  # noqa: F401  isort: skip
import gencaps

CASES = []
EDGES = []


def sentence(rule, *ids):
    """Registers a function that makes a capture; `rule` must fail on it, and cite each id."""

    def register(function):
        CASES.append((function, rule, ids))
        return function

    return register


def edge(*rules):
    """Registers a function that makes a capture; exactly these rules must fail on it."""

    def register(function):
        EDGES.append((function, rules))
        return function

    return register


def packets(made):
    """The packets of a connection or of a session."""
    return (made if isinstance(made, gencaps.Connection) else made.assoc).cap.items


def here(made):
    """Says that the packet with data that was sent last completes what is wrong."""
    frames = [at for at, item in enumerate(packets(made), 1) if item.length]
    made.due_frame = frames[-1]
    return made
