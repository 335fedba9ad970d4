"""Reading source: lines, indentation, encodings, places; and edits over it."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.errors import SourceError
from pdmigrate.model import Edit, Site, Span
from pdmigrate.source.outline import parse
from pdmigrate.source.source import SourceFile, apply_edits, read_source


def source(text: str) -> SourceFile:
    return read_source("f.py", text.encode())


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        *(("", [0]), ("a", [0]), ("a\nb", [0, 2]), ("a\r\nb\r\n", [0, 3, 6]), ("a\rb", [0, 2])),
        *(("a\x0cb\n\x0bc\n", [0, 4, 7]), ("'\u2028\x85\u2029'\r\nb", [0, 7])),
    ],
)
def test_lines_end_where_python_ends_them(text: str, starts: list[int]) -> None:
    found = source(text)
    assert found.line_starts == (starts if not text or text[-1] in "\r\n" else [*starts, len(text)])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_place_knows_its_line(newline: str) -> None:
    text = newline.join(["x = '\x0c\u2028'", "yy = 1", "", "z = 2"])
    found = source(text)
    assert found.site(text.index("x")) == Site("f.py", 1)
    assert found.site(text.index("yy")) == Site("f.py", 2)
    assert found.line_start(text.index("= 1")) == text.index("yy")
    assert found.site(text.index("z")) == Site("f.py", 4)
    assert found.line_start(text.index("z") + 2) == text.index("z")


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("x = 1\n", "    "), ("def f():\n  return 1\n", "  "), ("def f():\n\treturn 1\n", "\t")),
        ("def f():  # one\n\n    # two\n      return 1\n", "    "),
        *(("def f():\r\n  return 1\r\n", "  "), ("if x: pass\nclass A:\n   x = 1\n", "   "), ("# a:\n# b\n", "    ")),
        ('"""Notes.\n\nUsage:\n  uvx notes\n"""\nif x:\n    y = 1\n', "    "),
    ],
)
def test_the_indentation_of_a_file(text: str, unit: str) -> None:
    assert source(text).indent_unit == unit


@pytest.mark.parametrize(
    "raw",
    [
        *(b"x = 1", b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", b"# coding: latin-1\nx = '\xe9'\n"),
        b"#!/usr/bin/python\n# -*- coding: cp1252 -*-\nx = '\x80'\n",
        b"# coding: utf-16-is-not-here-but-in-a-comment-elsewhere\n".replace(b"coding", b"other"),
    ],
)
def test_bytes_come_back(raw: bytes) -> None:
    found = read_source("f.py", raw)
    assert apply_edits(found, ()) == raw
    outline = parse(found)
    assert [found.text[outline.span(node).start] for node in outline.tree.body] == ["x" for _ in outline.tree.body]


def test_spans_are_of_characters() -> None:
    text = (
        "import a\n\n\n@deco(1)\nasync def f(x: int = g(2)) -> None:\n    '''Doc \u2028 é.'''; h('é', k(1))\n"
        "    return (  # c\n        h(x)\n    ).i(y=[k(1), *m(2)])\n\n\nclass C(f(3)): z = (n(4)); w = n(\n  5)\n"
    )
    outline = parse(source(text))
    calls = {outline.code(node) for node in outline.parents if isinstance(node, ast.Call)}
    assert calls == {
        *("deco(1)", "g(2)", "h('é', k(1))", "k(1)", "h(x)", "m(2)", "f(3)", "n(4)", "n(\n  5)"),
        "(  # c\n        h(x)\n    ).i(y=[k(1), *m(2)])",
    }


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3)), max_size=5)
)
def test_edits_change_their_spans_and_nothing_else(text: str, wanted: list[tuple[int, int, str]]) -> None:
    text = text.replace("\ufeff", "").replace("coding", "")
    try:
        found = read_source("f.py", text.encode())
    except (SourceError, UnicodeEncodeError):
        return
    edits, position = [], 0
    for start, length, new in sorted(wanted):
        if position <= start and start + length <= len(text):
            edits.append(Edit(Span("f.py", start, start + length), new.encode("utf-8", "replace").decode(), "test"))
            position = start + length
    expected = text
    for edit in reversed(edits):
        expected = expected[: edit.span.start] + edit.text + expected[edit.span.end :]
    assert apply_edits(found, reversed(edits)) == expected.encode()


@pytest.mark.parametrize("spans", [[(0, 2), (1, 3)], [(0, 3), (1, 1)]])
def test_edits_that_overlap_are_refused(spans: list[tuple[int, int]]) -> None:
    edits = [Edit(Span("f.py", start, end), "x", "test") for start, end in spans]
    with pytest.raises(SourceError) as error:
        apply_edits(source("abcdef"), edits)
    assert error.value.code == "PD105"


def test_an_edit_of_another_file_is_refused() -> None:
    with pytest.raises(SourceError):
        apply_edits(source("abc"), [Edit(Span("g.py", 0, 1), "x", "test")])


MAPPINGS = "match y:\n    case {opened}x{closed}:\n        pass\n"
PATTERNS = {
    "three levels": (MAPPINGS.format(opened="{1: " * 3, closed="}" * 3), None),
    "twelve levels": (MAPPINGS.format(opened="{1: " * 12, closed="}" * 12), "PD106"),
    "brackets in a comment": (MAPPINGS.format(opened="{1: # ]]]]]]]]\n" * 12, closed="}" * 12), "PD106"),
    "a text that begins with the word": (f"text = '''\ncase or accents'''\nx = {'[' * 12}{']' * 12}\n", None),
}


@pytest.mark.parametrize(("text", "code"), PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_that_takes_libcst_minutes_is_refused(text: str, code: str | None) -> None:
    if code is None:
        assert parse(source(text)).source.text == text
    else:
        with pytest.raises(SourceError) as refused:
            parse(source(text))
        assert refused.value.code == code
