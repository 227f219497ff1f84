# SPDX-License-Identifier: BSD-2-Clause
"""What a scenario says to people and tests: its comment, meta, expect and forbid. docs/scenarios.md"""


class Scenario:
    """The statements of a file that are not in its capture."""

    def __init__(self, path):
        self.expect, self.forbid, self.meta, self.sections, self.over = [], [], {}, [], "tcp"
        comments = []
        with open(path, encoding="utf-8") as stream:
            for line in stream:
                text, _, comment = line.partition("#")
                comments += comment.split() if "SPDX" not in comment else []
                self.take(text.split())
        self.comment = " ".join(comments)

    def take(self, words):
        """One statement."""
        if words == ["sctp"]:
            self.over = "sctp"
        elif words and words[0] == "expect":
            self.expect.append(words[1:])
        elif words and words[0] == "forbid":
            self.forbid += words[1:]
        elif words and words[0] == "meta":
            for key, _, value in (word.partition("=") for word in words[1:]):
                self.meta[key] = value
                self.sections += [value.replace("/", " ")] if key == "rfc" else []

    def options(self):
        """What the tools need to know of the capture: `meta port=N markers=on crc=on`."""
        words = ["-d tcp.port==" + self.meta["port"]] if "port" in self.meta else []
        return " ".join(words + ["--%s %s" % (key, self.meta[key]) for key in ("markers", "crc") if key in self.meta])

    def findings(self):
        """[(rule, side)] of the lines `expect fail RULE SIDE frame=N`, one for each finding."""
        return [(words[1], words[2]) for words in self.expect if words[0] == "fail"]
