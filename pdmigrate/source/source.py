"""A source file as text and as a syntax tree, and edits applied to it.

Every character outside an edit survives: encoding, byte order mark, newline style and a missing final newline
included.  A file for which that cannot be promised is refused by a SourceError: it is not valid for this Python
(PD101), libcst does not reproduce it (PD102), its encoding is unknown or not that of the bytes (PD103) or loses some of
them (PD104), it is nested too deeply (PD106), or has more syntax than is parsed (PD107).
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pdmigrate.errors import SourceError
from pdmigrate.model import Edit, Site, Span
from pdmigrate.source.documents import is_too_much
from pdmigrate.source.style import DEFAULT, Style

_LONE_RETURN = re.compile(r"\r(?!\n)")
_TEXT = re.compile(
    r"""#[^\n]*|(?P<long>\"{3}|'{3})(?s:.*?)(?P=long)|(?P<quote>["'])(?P<inside>(?:\\[^\n]|(?!(?P=quote))[^\n\\])*)(?P=quote)"""
)
_FIRST_BLOCK = re.compile(
    r"^[^\s#][^\r\n]*:[ \t]*(?:#[^\r\n]{0,300})?(?:\r\n|\r|\n)\s{0,300}?^(?P<unit>[ \t]{1,300})\S", re.MULTILINE
)

_LONG_TEXT = re.compile(r"(\"\"\"|''')(?:[^\\]|\\.)*?\1", re.DOTALL)


@dataclass(frozen=True)
class SourceFile:
    """One Python file: ``path`` relative to the root, ``raw`` as on disk, ``text`` decoded with its newlines."""

    path: str
    raw: bytes
    text: str
    encoding: str
    style: Style = DEFAULT
    """The layout that its project uses, which inserted text follows."""

    @cached_property
    def line_starts(self) -> list[int]:
        starts, position = [0], 0
        # Not str.splitlines, which also splits at form feeds and U+2028, where Python has no line end.
        for line in io.StringIO(self.text, newline=""):
            position += len(line)
            starts.append(position)
        return starts

    def line_of(self, offset: int) -> int:
        """The line (from 1) that holds ``offset``."""
        return max(1, bisect_right(self.line_starts, offset))

    def line_start(self, offset: int) -> int:
        """The offset of the start of the line that holds ``offset``."""
        return self.line_starts[self.line_of(offset) - 1]

    def code(self, span: Span) -> str:
        """The text of a stretch of the file."""
        return self.text[span.start : span.end]

    def site(self, offset: int) -> Site:
        return Site(self.path, self.line_of(offset))

    @property
    def indent_unit(self) -> str:
        """One level of indentation: that of the first block, four spaces in a file without one."""
        block = _FIRST_BLOCK.search(_LONG_TEXT.sub("''", self.text))
        return block["unit"] if block else "    "

    @cached_property
    def quote(self) -> str:
        """The quote character of most strings that could have either."""
        texts = (found for found in _TEXT.finditer(self.text) if found["quote"])
        kinds = Counter(text["quote"] for text in texts if not {'"', "'"}.intersection(text["inside"]))
        return "'" if kinds["'"] > kinds['"'] else '"'

    @property
    def newline(self) -> str:
        """The newline that the file uses first; ``\\n`` in a file without one."""
        index = self.text.find("\n")
        return "\r\n" if index > 0 and self.text[index - 1] == "\r" else "\n"


def read_source(path: str, raw: bytes, style: Style = DEFAULT) -> SourceFile:
    """Decode a Python file as the interpreter would, or raise SourceError (PD103, PD104, PD107)."""
    if is_too_much(raw):
        message = f"{path} is too large to parse: too many lines, names and values in one file"
        raise SourceError(message, hint="move large tables into data files, or exclude the file", code="PD107")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        text = raw.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        hint = "save the file as UTF-8, or declare its encoding in the first line"
        raise SourceError(f"{path} cannot be decoded: {error}", hint=hint, code="PD103") from error
    if text.encode(encoding) != raw:
        hint = "save the file as UTF-8"
        raise SourceError(f"{path} changes when decoded and re-encoded as {encoding}", hint=hint, code="PD104")
    return SourceFile(path, raw, text, encoding, style)


def apply_edits(source: SourceFile, edits: Iterable[Edit]) -> bytes:
    """The file's bytes with ``edits`` carried out; edits that overlap or name another file are a bug (PD105)."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.file != source.path or edit.span.start < position:
            raise SourceError(f"{source.path}: edits overlap at offset {edit.span.start} ({edit.reason})", code="PD105")
        pieces += (source.text[position : edit.span.start], edit.text)
        position = edit.span.end
    pieces.append(source.text[position:])
    return "".join(pieces).encode(source.encoding)


DEEPEST = 400
"""How deep a syntax tree may be; the native stack of libcst's parser overflows somewhere beyond 1,500."""


def syntax(source: SourceFile) -> ast.Module:
    """The tree of a file that the running Python can parse; raises SourceError (PD101, PD106) for others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the project's own warnings are not the user's concern here
        try:
            tree = ast.parse(source.raw, source.path)
        except (RecursionError, MemoryError):
            raise too_deep(source) from None
        except (SyntaxError, ValueError) as error:
            message = getattr(error, "msg", "") or str(error)
            if message.startswith("too many nested"):
                raise too_deep(source) from None
            raise _not_python(source, message, getattr(error, "lineno", None) or 1) from error
    if _is_deep(tree):
        raise too_deep(source)
    return tree


def tree_of(raw: bytes | str) -> ast.Module | None:
    """The tree of a module; ``None`` if it cannot be parsed, which is reported where the file is needed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _not_python(source: SourceFile, message: str, line: int) -> SourceError:
    hint = "fix the syntax, or exclude the file; if it needs a newer Python, run pdmigrate under that Python"
    if message.startswith("Missing parentheses in call to"):
        hint = "this looks like Python 2: bring it to Python 3 first, or exclude the file"
    if "".join(source.text.splitlines()[line - 1 : line]).startswith("<<<<<<< "):
        message, hint = f"line {line} holds a merge-conflict marker", "resolve the conflict, or exclude the file"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return SourceError(f"{source.path} is not valid Python {version}: {message}", hint=hint, code="PD101", line=line)


def _is_deep(tree: ast.AST) -> bool:
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        # libcst nests ``a and b and c`` where CPython has one node.
        depth += len(node.values) if isinstance(node, ast.BoolOp) else 1
        if depth > DEEPEST:
            return True
        stack += [(child, depth) for child in ast.iter_child_nodes(node) if not isinstance(child, _FLAT)]
    return False


_FLAT = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop)
"""Nodes in which nothing nests, most of a tree."""


def prove(source: SourceFile, tree: ast.Module) -> None:
    """Prove that libcst prints the very same text of a file that is valid for the running Python.

    libcst drops text at the end of a file in rare cases (a comment after an oddly indented last line); such a file is
    refused by a SourceError (PD101, PD102, PD106), not edited.  Form feeds at the start of a line do not count.
    """
    import libcst as cst

    if _has_deep_pattern(tree, source.text):
        raise too_deep(source)
    try:
        code = cst.parse_module(source.text).code
    except cst.ParserSyntaxError as error:
        raise _not_python(source, f"libcst cannot parse it: {error.message}", error.raw_line) from error
    except (RecursionError, ValueError) as error:
        raise too_deep(source) from error
    if code.replace("\f", "") != source.text.replace("\f", ""):
        hint = "remove trailing white space and odd comments at the end of the file"
        if _LONE_RETURN.search(source.text):
            hint = "use LF or CRLF line endings"
        raise SourceError(f"{source.path} cannot be reproduced exactly by the parser", hint=hint, code="PD102")


_DEEPEST_PATTERN = 8
"""The levels of a pattern beyond which libcst is not asked: of mappings it takes four times as long for each."""


def _has_deep_pattern(tree: ast.Module, text: str) -> bool:
    cases = (node.pattern for node in ast.walk(tree) if isinstance(node, ast.match_case))
    lines = {line for each in cases for line in range(each.lineno, each.end_lineno + 1)}
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline) if lines else ():
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        if depth > _DEEPEST_PATTERN and token.start[0] in lines:
            return True
    return False


def too_deep(source: SourceFile) -> SourceError:
    """The error for a file whose tree does not fit on the stack."""
    return SourceError(f"{source.path} is nested too deeply to be parsed", hint="exclude the file", code="PD106")
