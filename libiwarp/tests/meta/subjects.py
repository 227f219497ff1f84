# SPDX-License-Identifier: BSD-2-Clause
"""Subject lines of commits: `area: verb ...` in the imperative, at most 72 characters."""

import os
import re
import subprocess

LONGEST = 72
# The rule holds for commits after this one, by history and by date. Move it on if a wrong subject is in main already.
EXEMPT_UNTIL = "2a6957245a86d7fda8d4787a3628ccfba354594e"
RANGE = "IWARP_COMMITS"  # a range for `git log` instead, such as main..HEAD

SHAPE = re.compile(r"[A-Za-z][\w./+-]*(?:, [A-Za-z][\w./+-]*)*: (?P<verb>[a-z]+)\b")
# Git writes these subjects itself.
OF_GIT = re.compile(r"Merge |Revert \"|fixup! |squash! ")
NO_VERBS = frozenset(
    "a an the this that these those what which who whose when where why how if while after before as at by for from in into of on"
    " to with without and or but no not none one two each every all any some more less it its they their is are was were be has"
    " have had does did can may must should new old only also".split())
# Verbs that end as a past tense, a participle or a third person does.
VERBS = frozenset(
    "embed feed need seed speed shed shred proceed exceed succeed bring ring string spring ping access address assess bypass"
    " canvas compress cross discuss dismiss express focus guess harness miss pass press process stress suppress toss"
    " witness".split())
OTHER_FORMS = re.compile(r".*(?:ed|ing|s)")


def fault(subject):
    """What is wrong with a subject line, or None."""
    if OF_GIT.match(subject):
        return None
    if len(subject) > LONGEST:
        return "has %d characters, at most %d" % (len(subject), LONGEST)
    shape = SHAPE.match(subject)
    if not shape:
        return "write `area: verb ...`, with the verb in lower case"
    verb = shape.group("verb")
    if verb in NO_VERBS or (OTHER_FORMS.fullmatch(verb) and verb not in VERBS):
        return "\"%s\" is no verb in the imperative" % verb
    return None


def git(root, *words):
    """What git prints, or None where git, the history or the commit is missing."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def commits(root):
    """The lines `hash subject` of the commits that the rule holds for; none without a history."""
    chosen = [os.environ.get(RANGE)]
    if chosen[0] is None:
        since = git(root, "show", "-s", "--format=%cI", EXEMPT_UNTIL)
        if since is None or git(root, "merge-base", "--is-ancestor", EXEMPT_UNTIL, "HEAD") is None:
            return []
        chosen = ["--since=" + since.strip(), EXEMPT_UNTIL + "..HEAD"]
    return (git(root, "log", "--format=%h %s", *chosen, "--") or "").splitlines()


def check(root):
    out = []
    for line in commits(root):
        commit, _, subject = line.partition(" ")
        wrong = fault(subject)
        if wrong:
            out.append("commit %s: %s: %s" % (commit, subject, wrong))
    return out
