# SPDX-License-Identifier: BSD-2-Clause
"""Phrases that hide what a sentence speaks of, as patterns; each with what to write, a bad and a good example."""

import re

# name, pattern, what to write, what it refuses, what it accepts
ROWS = (
    ("that of", r"(?<!\bso )(?<!\bsuch )(?<!\bsay )\b(?:that|those) of\b", "name the thing",
     "the MSN is that of the Request", "the length of that field, so that of two copies the first counts"),
    ("is due", r"\b(?:is|are|was|were|be) (?:not )?due\b(?! to the\b)", "say expected or required",
     "a Marker is due here", "a Marker is expected here; the delay is due to the queue"),
    ("is none", r"\b(?:is|are|was|were) none\b", "say \"there is no ...\", or what it is",
     "where the Reply is none", "no Reply was captured; none of them arrived"),
    ("none that", r"\b[Nn]one (?:that|which|whose)\b", "say what happens",
     "it takes none that is not ready", "it takes the requests that are ready"),
    ("nothing but", r"\bnothing but\b|\bnothing else but\b", "say only",
     "it reads nothing but the header", "it reads only the header"),
    ("held against", r"\b(?:hold|holds|held)(?: \w+)? against\b", "say which rule fails or does not fail",
     "the gap is held against nobody", "no rule fails because of the gap; the pad holds the board against the frame"),
    ("is said", r"\b(?:is|are|was|were) said\b", "say reported, printed or written, and by whom",
     "it is said once", "the tool reports it once"),
    ("is let", r"\b(?:is|are|was|were) let\b", "say accepted or ignored",
     "the octets are let pass", "the octets are accepted"),
    ("what comes", r"\b[Ww]hat (?:comes|came)\b", "name the octets, packets or events",
     "what comes after the Reply", "the octets after the Reply"),
    ("all the same", r"(?<!\bare )(?<!\bwere )(?<!\bis )\ball the same\b", "say still, or nevertheless",
     "they are in use all the same", "the lengths are all the same"),
    ("nobody", r"\b[Nn]obody\b", "say \"no side\", \"no caller\", \"no rule\"",
     "octets that nobody takes", "octets that no handler consumes"),
    ("Whether", r"^Whether\b", "say \"True if ...\" or \"Returns true if ...\"",
     "Whether the peer closed.", "True if the peer closed. Tells whether it did."),
    ("lower case", r"(?<=[a-z)][.!?] )(?!(?:e\.g|i\.e|iwarp|libiwarp|siw|tshark|tcpdump|libpcap)\b)[a-z]+(?= [a-z]+ )", "begin the sentence with a capital",
     "The peer closed. this ends the stream at once.", "The peer closed. This ends it. ep_close does the rest, i.e. all."),
)
PATTERNS = tuple((name, re.compile(pattern), instead) for name, pattern, instead, _, _ in ROWS)


def found_in(words):
    """Yields the name and the better words of each phrase in a piece of prose."""
    for name, pattern, instead in PATTERNS:
        for _ in pattern.finditer(words):
            yield name, instead
