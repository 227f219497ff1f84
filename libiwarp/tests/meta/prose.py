# SPDX-License-Identifier: BSD-2-Clause
"""Finds the prose of a file: comments of C, docstrings and comments of Python, paragraphs of Markdown, without code."""

import ast
import io
import re
import tokenize

import tree

MARKDOWN = ".md"
MANUAL = ".1"
PYTHON = ".py"
C_SUFFIXES = tree.C_SUFFIXES | {".def"}
# A string or a character of C is matched first, so that `/*` inside it begins no comment.
C_TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*(.*?)\*/|//([^\n]*)", re.DOTALL)
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
OF_AN_RFC = re.compile(r"^- RFC \d+ section .*?(?=^- |^\s*$|\Z)", re.DOTALL | re.MULTILINE)
MDOC_CODE = "Cm|Er|Fl|Ic|Li|Nm|Ns|Ql"
MDOC_WORDS = "Ar|Dq|Em|Pa|Pq|Sq|Sy|Va|Xr"
# A colon or a semicolon ends a sentence as well: both of its parts stand alone.
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")
WORD = re.compile(r"[A-Za-z][\w'-]*")
COLUMNS = re.compile(r"\S {3,}\S")  # a line of a table


def paragraphs(text):
    """Yields the line in `text`, from 0, and the words of each paragraph and list item; indented code and tables are left out."""
    start, lines = 0, []
    for number, line in enumerate(text.split("\n")):
        ends = not line.strip() or COLUMNS.search(line) is not None
        if lines and (ends or LIST_ITEM.match(line)):
            yield start, " ".join(lines)
            lines = []
        if ends or (not lines and re.match(r" {4}|\t", line)):
            continue
        if not lines:
            start = number
        lines.append(LIST_ITEM.sub("", line).strip() if LIST_ITEM.match(line) else line.strip())
    if lines:
        yield start, " ".join(lines)


def each_comment_of_c(text):
    """Yields the line and the text of each comment, without the stars at the begin of its lines."""
    for found in C_TOKEN.finditer(text):
        body = found.group(1) if found.group(1) is not None else found.group(2)
        if body is None or body.lstrip("*! ").startswith("@"):  # a string, or an annotation of a prover
            continue
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"(?m)^[ \t]*\*? ?", "", body.lstrip("*!<"))


def comments_of_c(text):
    for line, bare in each_comment_of_c(text):
        for at, words in paragraphs(bare):
            yield line + at, words


def comments_of_python(text):
    """Docstrings, and comments of one or more lines; text that is no Python has none."""
    try:
        nodes = ast.walk(ast.parse(text))
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return
    for node in nodes:
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            for at, words in paragraphs(ast.get_docstring(node)):
                yield node.body[0].lineno + at, words
    yield from joined_comments(token for token in tokens if token.type == tokenize.COMMENT)


def joined_comments(tokens):
    """Comments that begin in the same column of lines that follow each other are one text."""
    start, column, lines = 0, 0, []
    for token in tokens:
        row, at = token.start
        if lines and (row != start + len(lines) or at != column):
            yield start, " ".join(lines)
            lines = []
        if not lines:
            start, column = row, at
        lines.append(token.string.lstrip("#! ").strip())
    if lines:
        yield start, " ".join(lines)


def blanked(found):
    return re.sub(r"[^\n]", "", found.group(0))


def paragraphs_of_markdown(text):
    """Without code, tables, headings, quotations, comments of HTML and items that state a sentence of an RFC.

    Text between backquotes counts as one word.
    """
    text = re.sub(r"(?ms)^ *```.*?^ *```[^\n]*$|<!--.*?-->", blanked, text)
    text = re.sub(r"(?m)^[ \t]*(?:[|>#].*|-+)$", "", text)
    text = OF_AN_RFC.sub(blanked, text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`(?:[^`\n]|\n(?!\s*\n))*`", lambda code: "Code" + blanked(code), text)
    for at, words in paragraphs(text):
        yield at + 1, words


def paragraphs_of_manual(text):
    """Of mdoc: macros inside a sentence leave one word or their words, all others end it; literal displays are left out."""
    text = re.sub(r"(?ms)^\.Bd -literal.*?^\.Ed$", blanked, text)
    text = re.sub(r"(?m)^\.(?:%s)\b.*?( [.,;:)]+)?$" % MDOC_CODE, r"Code\1", text)
    text = re.sub(r"(?m)^\.(?:%s) (.*)$" % MDOC_WORDS, r"\1", text)
    text = re.sub(r"(?m)^[.'].*$", "", text)
    for at, words in paragraphs(text):
        yield at + 1, re.sub(r" (?=[.,;:)])", "", words)


def of(file, text):
    """Yields the line and the words of each piece of prose in a file with this name and this text."""
    if file.suffix == MARKDOWN:
        return paragraphs_of_markdown(text)
    if file.suffix == MANUAL:
        return paragraphs_of_manual(text)
    if file.suffix == PYTHON:
        return comments_of_python(text)
    return comments_of_c(text) if file.suffix in C_SUFFIXES else ()


def messages(file, text):
    """Yields the line and the words of the strings of a C file; strings that follow each other are one. Those of tests are left out."""
    if file.suffix not in C_SUFFIXES or "tests" in file.parts:
        return
    start, parts, end = 0, [], 0
    for found in C_TOKEN.finditer(text):
        if not found.group(0).startswith('"'):
            continue
        if parts and text[end:found.start()].strip():
            yield start, "".join(parts)
            parts = []
        if not parts:
            start = text.count("\n", 0, found.start()) + 1
        parts.append(found.group(0)[1:-1].replace("\\n", " "))
        end = found.end()
    if parts:
        yield start, "".join(parts)


def sentences(words):
    return [sentence.strip() for sentence in SENTENCE_END.split(words) if sentence.strip()]


def length(sentence):
    return len(WORD.findall(sentence))
