#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sctp_faults: each fault of an association is found, though another one came before it.

    sctp_faults.py TOOL

A message without a place, or one that was lost, says nothing against the sessions after it where
acknowledgments prove their order.
"""

import collections
import os
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import sctp_variants
from gensctp import (ACCEPT, ACTIVE, ENHANCED, INITIATE, PASSIVE, TERMINATE, Session, opened, word)


def pairing():
    """A plain Accept of an Enhanced Initiate, three times on a stream."""
    assoc = opened()
    for _ in range(3):
        session = Session(assoc, 5)
        session.control(ACTIVE, INITIATE + ENHANCED, word(4, 4))
        session.control(PASSIVE, ACCEPT, b"pong")
        session.control(ACTIVE, TERMINATE)
        session.control(PASSIVE, TERMINATE)
    return assoc, {"sctp.enhanced-pairing": 3}


def order():
    """An Initiate and an Accept in the midst of each of three sessions."""
    assoc = opened()
    for _ in range(3):
        session = Session(assoc, 5).start()
        session.control(ACTIVE, INITIATE)
        session.message(PASSIVE)
        session.control(PASSIVE, ACCEPT)
        session.end()
    return assoc, {"sctp.session-order": 6}


def after_code():
    """A Function Code that does not exist, then an Accept in the midst."""
    assoc = opened()
    session = Session(assoc, 5).start()
    session.control(ACTIVE, 9)
    session.control(PASSIVE, ACCEPT)
    session.end()
    return assoc, {"sctp.function-code": 1, "sctp.session-order": 1}


def after_terminate():
    """Segments after the Terminate of their side, in two sessions."""
    assoc = opened()
    for _ in range(2):
        session = Session(assoc, 5).start()
        for role in (ACTIVE, PASSIVE):
            session.control(role, TERMINATE)
            session.message(role, b"late")
        assoc.sack(0)
    return assoc, {"sctp.session-order": 4}


def after_loss():
    """A message was lost in a session; the next ones are available."""
    assoc = opened()
    session = Session(assoc, 1).start()
    session.message(ACTIVE, lose=True)
    for _ in range(90):
        session.message(PASSIVE)
        session.message(ACTIVE)
    session.end()
    for stream in (1, 2):
        session = Session(assoc, stream)
        session.control(ACTIVE, INITIATE + ENHANCED, word(4, 4))
        session.control(PASSIVE, ACCEPT, b"pong")
        session.control(ACTIVE, INITIATE)
        session.end()
    return assoc, {"sctp.enhanced-pairing": 2, "sctp.session-order": 2}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for make in (pairing, order, after_code, after_terminate, after_loss):
            assoc, due = make()
            assoc.close()
            path = os.path.join(folder, make.__name__ + ".pcap")
            assoc.cap.write(path)
            lines = sctp_variants.findings(os.path.abspath(sys.argv[1]), [path])
            found = collections.Counter(line["rule"] for line in lines[os.path.basename(path)]
                                        if line["severity"] == "violation")
            if found != due:
                print("%s: %s instead of %s" % (make.__name__, dict(found), due))
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
