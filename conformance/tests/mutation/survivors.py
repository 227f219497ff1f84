# SPDX-License-Identifier: BSD-2-Clause
"""The list of mutants that no test notices, each with the reason: survivors.tsv.

Columns: file, function, line, mutated line, kind, why. A row is found by content, not by a line's number.
"""

from pathlib import Path

HEAD = ["file", "function", "line", "mutated", "kind", "why"]
KINDS = {
    "equivalent",  # no caller can tell it from the original: does not count
    "accepted",  # it can be noticed, and the reason says why no test does: counts as survived
}


class Rows:
    def __init__(self, path):
        self.path = Path(path)
        self.rows = {}
        self.complaints = []
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines()
        if not lines or lines[0].split("\t") != HEAD:
            self.complaints.append(f"{self.path.name}: its columns are not {' '.join(HEAD)}")
        for number, line in enumerate(lines[1:], 2):
            cells = line.split("\t")
            if len(cells) != len(HEAD) or not all(cells) or cells[4] not in KINDS:
                self.complaints.append(f"{self.path.name}:{number}: not {len(HEAD)} cells, or an unknown kind")
                continue
            if tuple(cells[:4]) in self.rows:
                self.complaints.append(f"{self.path.name}:{number}: listed twice")
            self.rows[tuple(cells[:4])] = (cells[4], cells[5])

    def kind(self, mutant):
        """"equivalent", "accepted", or None where it is not listed."""
        return self.rows.get(mutant.key(), (None, None))[0]

    def stale(self, mutants):
        """Rows of which the sources hold nothing any more; `mutants` are all, sampled or not."""
        there = {m.key() for m in mutants}
        return [f"{self.path.name}: stale, not in the source: {' | '.join(key)}" for key in self.rows
                if key not in there]
