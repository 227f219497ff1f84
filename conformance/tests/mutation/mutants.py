# SPDX-License-Identifier: BSD-2-Clause
"""Mutants of C source: one operator or constant of a function changed at a time.

The source is formatted by clang-format, so an operator with a blank on either side has two operands.
"""

import hashlib
import re
from dataclasses import dataclass

# What has two operands, with what it becomes.
BINARY = {
    "<": ["<=", ">="], ">": [">=", "<="], "<=": ["<", ">"], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"], "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "%=": ["*="],
    "&=": ["|="], "|=": ["&="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="],
}
UNARY = {"!": [""], "-": [""], "~": [""]}
STEP = {"++": ["--"], "--": ["++"]}
WORDS = {"true": ["false"], "false": ["true"]}
TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<number>(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.]))
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:])
  | (?P<brace>[{}();])
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
DATA = re.compile(r"\s*\{?(?:\s*(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*,?){4,}\s*\}?[,;]*\s*")  # a row of a generated table
HEAD = re.compile(r"^(?:__attribute__\(\(\w+\([^)]*\)\)\)\s*)?(?![ \t}/*#]).*?\b(\w+)(?:\(|\[|\s*=)", re.MULTILINE)
TERM = r"[\w.\->\[\]]*\w\]*(?:\([^()]*\))?"  # a name, a member, a call without a call in it
LEFT = re.compile(rf"({TERM})\s$")
RIGHT = re.compile(rf"\s({TERM})\s\?\s*({TERM})\s*:\s*({TERM})(?=[;,)])")


@dataclass(frozen=True)
class Mutant:
    file: str
    start: int
    end: int
    text: str  # what stands there instead
    function: str
    number: int  # of the line
    line: str
    mutated: str
    id: str = ""

    def key(self):
        """What names it in the list of survivors: content, no numbers."""
        return (self.file, self.function, self.line, self.mutated)

    def apply(self, source):
        return source[:self.start] + self.text + source[self.end:]


def constants(token):
    """n + 1, n - 1 and 0 for a number, with its base and suffix."""
    digits = token.rstrip("uUlL")
    suffix = token[len(digits):]
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    value = int(digits, 8 if octal else 0)
    show = hex if digits[:2].lower() == "0x" else str
    return [show(n) + suffix for n in dict.fromkeys((value + 1, value - 1, 0)) if n != value and n >= 0]


def chooses(source, start, end):
    """Returns True if the comparison chooses the lesser or the greater of its operands: a < b ? a : b."""
    left, right = LEFT.search(source[max(0, start - 200):start]), RIGHT.match(source, end)
    return bool(left and right) and {left.group(1), right.group(1)} == {right.group(2), right.group(3)}


def operator_texts(source, start, end):
    op = source[start:end]
    before = source[start - 1:start]
    after = source[end:end + 1]
    if op in STEP:
        return STEP[op]
    if before.isspace() and after.isspace():
        texts = BINARY.get(op, [])
        if op.rstrip("=") in ("<", ">") and chooses(source, start, end):  # of two that are the same either one will do
            texts = [text for text in texts if text.rstrip("=") != op.rstrip("=")]
        return texts
    return UNARY.get(op, []) if not after.isspace() else []


def returned(source, end):
    """The place of the expression of `return ...;`, when there is one that is not 0 already."""
    stop = source.find(";", end)
    expression = source[end:stop].strip()
    if expression in ("", "0", "0u", "false", "NULL") or "{" in expression:
        return None
    return source.index(expression, end), stop


def edits(source):
    """Yields (start, end, text) of every mutant, in the order of the source."""
    depth, parens, static_assert = 0, 0, False
    for match in TOKEN.finditer(source):
        kind, token = match.lastgroup, match.group(0)
        start, end = match.span()
        if kind == "brace":
            depth += {"{": 1, "}": -1}.get(token, 0)
            parens += {"(": 1, ")": -1}.get(token, 0)
            static_assert = static_assert and token != ";"
            continue
        static_assert = static_assert or token == "_Static_assert"
        if kind == "skip" or static_assert:
            continue
        texts = []
        if kind == "number":
            pointer = depth == 0 and parens > 0 and re.search(r"\w\[$", source[start - 2:start])  # an array as a parameter
            texts = [] if pointer else constants(token)
        elif kind == "operator":
            texts = operator_texts(source, start, end)
        elif token == "return":
            place = returned(source, end)
            if place:
                yield place[0], place[1], "0"
        else:
            texts = WORDS.get(token, [])
        for text in texts:
            yield start, end, text


def bodies(source):
    """[start, end) of what stands in braces at the outermost level and belongs to a function."""
    found, depth, start = [], 0, 0
    for match in TOKEN.finditer(source):
        if match.lastgroup != "brace" or match.group(0) not in "{}":
            continue
        if match.group(0) == "{":
            depth += 1
            if depth == 1:
                start = match.start()
        else:
            depth -= 1
            if depth == 0 and source[:start].rstrip().endswith(")"):
                found.append((start, match.end()))
    return found


def named(source, at):
    """The function or table that the octet at `at` belongs to; "-" before the first one of a file."""
    name = "-"
    for match in HEAD.finditer(source, 0, at):
        name = match.group(1)
    return name


def of_source(file, source):
    """All mutants of a file. Of a header only those in functions: the rest declares."""
    inside = bodies(source) if file.endswith(".h") else [(0, len(source))]
    found, seen = [], {}
    for start, end, text in edits(source):
        if not any(a <= start < b for a, b in inside):
            continue
        first = source.rfind("\n", 0, start) + 1
        last = source.find("\n", end)
        if DATA.fullmatch(source[first:last]):
            continue
        line = source[first:last].strip()
        mutated = (source[first:start] + text + source[end:last]).strip()
        line, mutated = " ".join(line.split()), " ".join(mutated.split())
        key = (file, named(source, start), line, mutated)
        seen[key] = seen.get(key, 0) + 1
        name = hashlib.sha256("\0".join((*key, str(seen[key]))).encode()).hexdigest()[:10]
        found.append(Mutant(file, start, end, text, key[1], source.count("\n", 0, start) + 1, line, mutated, name))
    return found
