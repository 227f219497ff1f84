# SPDX-License-Identifier: BSD-2-Clause
"""Names, text and subjects of commits use plain technical English: words that have a better one, phrases, length of sentences."""

import re
from pathlib import Path

import phrases
import prose
import subjects
import tree

# Each is looked for as a word of text and as a part of a name.  Split, so that this file does not hold them.
WORDS = {
    "behi" "nd": "after, following, past",
    "at " "hand": "available, captured, buffered",
    "to" "ld": "reported, returned, given; distinguished",
    "an" "ew": "again",
    "foret" "ell": "predict",
    "sums " "up": "computes the CRC",
    "left " "alone": "unchanged; must outlive",
    "wor" "ld": "fixture",
    "tom" "b": "closed",
    "tom" "bs": "closed_list",
    "doo" "med": "evict_on_close",
    "stal" "est": "lru_oldest",
    "uns" "ure": "inconclusive",
    "spo" "ke": "reported",
    "fresh" "est": "lru_newest",
    "insa" "ne": "out_of_window",
    "vic" "tim": "evictee",
    "de" "af": "rx_closed",
    "sha" "ky": "length_unverified",
    "doubt" "ful": "unconfirmed",
    "comp" "lain": "diag",
}
NAMES = ("WH" "Y_", "gap_" "why", "ep_" "fire", "ep_" "stir", "ep_" "notice", "EP_" "WORD_", "la" "b_", "iwarp_" "tri", "iwarp_" "settled", "iwarp_" "proof",
         "stag_" "nth", "rules_" "judge", "lose_" "requests", "doubt_" "requests", "saw_" "cause", "sctp_" "tell",
         "stop_" "placing", "endpoint_" "wanted", "EVENT_" "AHEAD", "CAUSE_" "ORDER", "REPLY_AT_" "ULP",
         "REQUEST_AT_" "ULP", "ERR_" "OK", "ep_" "ask", "ep_" "asked", "ep_" "issue", "sq_" "issue", "sq_" "oldest", "sq_" "answered",
         "fixture_" "proof")

# What stays: the name of a capture that others know, an action of the endpoint's state table, a greeting, and
# permissions of CMake. So does a parameter of a kernel module.
ALLOWED = (
    (r".*", r"zero-read-behi" r"nd-read"),
    (r"docs/CHANGELOG\.md", r"`unsu" r"re`"),
    (r"docs/rules/mpa\.rev-rdmac\.md", r"cannot be to" r"ld apart"),  # a sentence of the RFC
    (r"libiwarp/src/endpoint/(actions\.c|machine\.h)|docs/states\.md", r"(?i)doo" r"med"),
    (r"dissector/tests/analysis\.py", r"hello wor" r"ld"),
    (r"dissector/(CMakeLists\.txt|install\.cmake\.in)", r"WOR" r"LD_(?:READ|EXECUTE)"),
    (r"pcaps/real/siw/README\.md", r"la" r"b_rtr"),
)
TEXTS = {".c", ".h", ".def", ".cpp", ".py", ".sh", ".cmake", ".in", ".md", ".txt", ".json", ".tsv", ".1", ""}
SKIPPED = ("conformance/requirements/", "docs/cases/")  # sentences of the RFCs

LONGEST_SENTENCE = 25  # words

# A comment of C that begins so needs the name of a member, or the comment before, to be understood.
FRAGMENT_BEGINS = re.compile(
    r"(?:and|as|at|because|before|but|by|after|for|from|if|in|it|likewise|nor|of|on|or|since|so|than|that|the same|them|then|there"
    r"|those|to|until|what|when|where|whether|which|who|whose|with|without)\b(?![-.(\[])")


def pattern():
    """The words where they are words, or parts of a name between underscores; the names where a name begins with them."""
    words = "|".join(re.escape(word).replace(r"\ ", r"[ _-]") for word in sorted(WORDS))
    names = "|".join(name + ("" if name.endswith("_") else "(?![a-z])") for name in sorted(NAMES))
    return re.compile(r"(?<![A-Za-z])(?:(?:%s)(?![A-Za-z])|%s)" % (words, names), re.IGNORECASE)


def without_allowed(file, text):
    """The text without what stays in this file; its lines keep their numbers."""
    for where, what in ALLOWED:
        if re.fullmatch(where, file):
            text = re.sub(what, "", text)
    return text


def instead(found):
    word = re.sub(r"[_-]", " ", found.lower())
    return WORDS.get(word, "what the source calls it now")


def has_candidates(text):
    """True if a word or a name of the lists may be in the text: plain searches cost less than the pattern."""
    lower = re.sub("[_-]", " ", text.lower())
    return any(re.sub("[_-]", " ", word.lower()) in lower for word in (*WORDS, *NAMES))


def complaints_of(file, text, looked_for):
    if not has_candidates(text):
        return
    text = without_allowed(file, text)
    for found in looked_for.finditer(text):
        yield "%s:%d: \"%s\": say %s" % (file, text.count("\n", 0, found.start()) + 1, found.group(0), instead(found.group(0)))


def prose_complaints(file, text):
    """Long sentences and phrases of one file, and the phrases of its messages."""
    for line, words in prose.of(file, text):
        for sentence in prose.sentences(words):
            if prose.length(sentence) > LONGEST_SENTENCE:
                yield "%s:%d: %d words, at most %d: %s" % (
                    file, line, prose.length(sentence), LONGEST_SENTENCE, sentence)
        for name, instead_of_it in phrases.found_in(words):
            yield "%s:%d: \"%s\": %s: %s" % (file, line, name, instead_of_it, words)
    for line, words in prose.messages(file, text):
        for name, instead_of_it in phrases.found_in(words):
            yield "%s:%d: \"%s\": %s: %s" % (file, line, name, instead_of_it, words)


def fragment_complaints(file, text):
    """Comments of a C file that do not stand alone. Those of tests are left out."""
    if file.suffix not in prose.C_SUFFIXES or "tests" in file.parts:
        return
    for line, comment in prose.each_comment_of_c(text):
        words = " ".join(comment.split())
        if FRAGMENT_BEGINS.match(words):
            yield "%s:%d: begins in mid-sentence, name the thing: %s" % (file, line, words)
        if words.endswith(","):
            yield "%s:%d: ends in mid-sentence: %s" % (file, line, words)


def check(root):
    looked_for = pattern()
    out = []
    for file in tree.files(root):
        name = file.as_posix()
        if file.suffix in TEXTS and not name.startswith(SKIPPED):
            text = tree.text(root, file)
            out += complaints_of(name, text, looked_for)
            out += prose_complaints(file, text)
            out += fragment_complaints(file, text)
    return out + subjects.check(root)


if __name__ == "__main__":
    tree.finish("words", check(Path(tree.source_root())))
