# SPDX-License-Identifier: BSD-2-Clause
"""Reads PromQL as far as queries of this repository use it: which metrics and labels a query names.

parse(text) returns the selectors and the labels of clauses such as `by`, or raises Wrong where the text is no query.
"""

import re

TOKEN = re.compile(r"""\s+ | (?P<word>[A-Za-z_:][\w:]*) | (?P<number>\d+(?:\.\d+)?) | (?P<text>"(?:[^"\\]|\\.)*")
                       | (?P<range>\[\d+[smhd]\]) | (?P<sign>=~|!~|==|!=|>=|<=|[-+*/%^(){},=<>])""", re.VERBOSE)
AGGREGATIONS = {"sum", "min", "max", "avg", "count", "topk"}
FUNCTIONS = {"rate": "range", "increase": "range", "time": "", "histogram_quantile": "number vector", "absent": "vector"}
BINARY = [{"and", "or", "unless"}, {"==", "!=", "<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}, {"^"}]
MATCHING = {"on", "ignoring"}


class Wrong(Exception):
    """The text is no query."""


class Query:
    """What a query names."""

    def __init__(self):
        self.selectors = []  # (metric, [(label, operator, value)], whether it has a range)
        self.labels = set()  # of by, without, on, ignoring
        self.quantiles = []  # the query inside each histogram_quantile


class Parser:
    def __init__(self, text):
        self.tokens, self.at, self.query = [], 0, Query()
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise Wrong("no token at %r" % text[at:at + 20])
            at = match.end()
            if match.lastgroup is not None:
                self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
        self.tokens.append(("end", ""))

    def peek(self):
        return self.tokens[self.at][1]

    def kind(self):
        return self.tokens[self.at][0]

    def take(self, wanted=None):
        kind, text = self.tokens[self.at]
        if wanted is not None and wanted not in (kind, text):
            raise Wrong("%r where %s is wanted" % (text, wanted))
        self.at += 1
        return text

    def label_list(self):
        self.take("(")
        while self.peek() != ")":
            self.query.labels.add(self.take("word"))
            if self.peek() == ",":
                self.take()
        self.take(")")

    def expression(self, level=0):
        """The type of the expression that begins here: scalar, vector or range."""
        if level == len(BINARY):
            return self.unary()
        left = self.expression(level + 1)
        while self.peek() in BINARY[level]:
            operator = self.take()
            if self.peek() in MATCHING:
                self.take()
                self.label_list()
                if self.peek() in ("group_left", "group_right"):
                    self.take()
            right = self.expression(level + 1)
            if "range" in (left, right):
                raise Wrong("a range beside %s" % operator)
            left = "vector" if "vector" in (left, right) else "scalar"
        return left

    def unary(self):
        if self.peek() == "-":
            self.take()
        if self.kind() == "number":
            self.take()
            return "scalar"
        if self.peek() == "(":
            self.take()
            kind = self.expression()
            self.take(")")
            return kind
        name = self.take("word")
        if name in AGGREGATIONS:
            return self.aggregation()
        if self.peek() == "(":
            return self.call(name)
        return self.selector(name)

    def aggregation(self):
        clause = self.peek() in ("by", "without")
        if clause:
            self.take()
            self.label_list()
        self.take("(")
        if self.expression() != "vector":
            raise Wrong("an aggregation of no vector")
        self.take(")")
        if not clause and self.peek() in ("by", "without"):
            self.take()
            self.label_list()
        return "vector"

    def call(self, name):
        if name not in FUNCTIONS:
            raise Wrong("no function %s" % name)
        self.take("(")
        begin = self.at
        for i, wanted in enumerate(FUNCTIONS[name].split()):
            if i > 0:
                self.take(",")
            if wanted == "number":
                self.take("number")
            elif self.expression() != wanted:
                raise Wrong("%s of no %s" % (name, wanted))
        if name == "histogram_quantile":
            self.query.quantiles.append(" ".join(text for _, text in self.tokens[begin:self.at]))
        self.take(")")
        return "scalar" if name == "time" else "vector"

    def selector(self, name):
        matchers = []
        if self.peek() == "{":
            self.take()
            while self.peek() != "}":
                label, operator, value = self.take("word"), self.take("sign"), self.take("text")
                if operator not in ("=", "!=", "=~", "!~"):
                    raise Wrong("%s is no matcher" % operator)
                if "~" in operator:
                    re.compile(value[1:-1])
                matchers.append((label, operator, value[1:-1]))
                if self.peek() == ",":
                    self.take()
            self.take("}")
        is_range = self.kind() == "range"
        if is_range:
            self.take()
        self.query.selectors.append((name, matchers, is_range))
        return "range" if is_range else "vector"


def parse(text):
    parser = Parser(text)
    if parser.expression() == "range":
        raise Wrong("the result is a range")
    parser.take("end")
    return parser.query
