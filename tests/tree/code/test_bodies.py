"""A tree whose bodies are parsed later is the tree that is parsed at once, whatever is asked of it first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import libcst as cst
import pytest

from pdmigrate.errors import SourceError
from pdmigrate.tree import positions
from pdmigrate.tree.code import bodies, regions, syntax
from pdmigrate.tree.code.bodies import Body, DeferredFile, Parameters, docstring, may_hold, parse_deferred
from pdmigrate.tree.code.modules import SourceModule, refuse_hostile_nesting
from pdmigrate.tree.code.syntax import outline, says_postponed, syntax_children
from pdmigrate.tree.positions import Offsets
from pdmigrate.tree.source import ParsedFile, SourceFile, parse, read_source

OWN = sorted(Path(bodies.__file__).parents[1].rglob("*.py"))[::9]
LONG = "\n".join(f"    name_{i} = other.attribute_{i} + call_{i}(key={i})" for i in range(8))

WORK = f'''"""Module."""
from __future__ import annotations
import os

LIMIT: int = 3

@decorator(LIMIT)  # why
def first(a: int, b=LIMIT) -> str:
    """What it does: ä → ö."""
    # before the body
    global LIMIT
    from pkg import thing as other, call_1
{LONG}

    def inner(x):
        "Short."
        yield x
{LONG.replace("    ", "        ")}
    # at the end
    return inner


class Things:
    LIMIT = 1

    @property
    async def work(self):
        é = "→ {{x}}"; self.limit = é
        async with self as y:
            await y
{LONG.replace("    ", "            ")}

    def short(self): return 1

    def joined(self):
        "doc"; text = """
no indentation here
"""
{LONG.replace("    ", "        ")}


if LIMIT:
    def conditional():
{LONG.replace("    ", "        ")}
        class Local:
            pass
        return Local;  # done
else:
    try:
        def handled():

{LONG.replace("    ", "            ")}
    except ValueError:
        pass
'''

DECORATED_FIRST = f'''
def factory():
    @server.tool()
    def tool(a):
        """Text."""
{LONG.replace("    ", "        ")}
        return a
    @(
        other
    )
    def late(b):
{LONG.replace("    ", "        ")}
    return server
'''

STATEMENTS = f"""
@decorated
async def first(a: int) -> str:
    'What it does → exactly.'
{LONG}

class Things(Base):
    'Text.'
    number: int = (
        1 + 2
    )
    "ünïcödé"; plain = other = ("a" "b")  # after

    def second(self): {"call(); " * 60}

    @property
    def third(self):
{LONG.replace("    ", "        ")}
"""


SOURCES = {
    "work": WORK,
    "no newline at the end": WORK.rstrip(),
    "tabs": WORK.replace("    ", "\t"),
    "line ends of Windows": WORK.replace("\n", "\r\n"),
    "decorated first": DECORATED_FIRST,
    "continued": f"def f(): \\\n    return [{', '.join(['value'] * 60)}]\n\ndef g(a):\n{LONG}\n",
    "comments after": f"def f():\n{LONG}\n    # inside\n  # half inside\n# outside\n",
    "match": f"def f(a):\n    match a:\n        case {{'k': [x, *_]}} if x:\n            pass\n{LONG}\n",
    "byte order mark": "\ufeff" + WORK,
    "statements": STATEMENTS,
    "semicolons": f"def f(a):\n{LONG}\n    if a:\n        call();\n\ndef g(a):\n{LONG};\n",
    "own": OWN[0].read_text(encoding="utf-8"),
}


def read(text: str) -> SourceFile:
    return read_source("pkg/module.py", text.encode())


def deferred(source: SourceFile) -> DeferredFile | ParsedFile:
    return parse_deferred(source, refuse_hostile_nesting(source))


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in syntax_children(node):
        yield from walk(child)


def told(file: DeferredFile | ParsedFile) -> list[tuple[str, str, int]]:
    """Every node below the module: what it is, what is written there and where."""
    return [(type(node).__name__, file.code(node), file.span(node).start) for node in [*walk(file.module)][1:]]


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_the_tree_is_the_same(text: str) -> None:
    source = read(text)
    assert told(deferred(source)) == told(parse(source))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_the_outline_is_the_same_in_whatever_order_it_is_asked(path: Path) -> None:
    source = read(path.read_text(encoding="utf-8"))
    late, early = deferred(source), parse(source)
    whole = outline(early.module)
    names = {node.value for node in walk(early.module) if isinstance(node, cst.Name)}
    for order in (sorted(names), sorted(names, reverse=True)):
        file = deferred(source)
        part = outline(file.module)
        for name in order:
            assert [file.span(n) for n in part.names[name]] == [early.span(n) for n in whole.names[name]]
            assert [type(a) for n in part.names[name] for a in part.above(n)] == [
                type(a) for n in whole.names[name] for a in whole.above(n)
            ]
            assert part.imports_name(name) is whole.imports_name(name)
    part = outline(late.module)
    for kind in ("imports", "classes", "calls"):
        assert [late.span(n) for n in getattr(part, kind)] == [early.span(n) for n in getattr(whole, kind)]
    assert says_postponed(late.module) is says_postponed(early.module)


def test_a_body_waits_until_somebody_looks() -> None:
    file = deferred(read(WORK))
    seen = outline(file.module)
    functions = {node.name.value: node for node in file.module.body if isinstance(node, cst.FunctionDef)}
    body = functions["first"].body.body
    assert isinstance(body, Body)
    assert "What it does" in (docstring(functions["first"]) or "")
    assert may_hold(functions["first"], "yield")
    assert not may_hold(functions["first"], "await")
    assert [node.name.value for node in seen.classes] == ["Things", "Local"]
    assert seen.names.get("LIMIT")[0] is not None
    assert body.parsed is not None  # it names LIMIT
    inner = next(node for node in body if isinstance(node, cst.FunctionDef))
    assert isinstance(inner.body.body, Body)
    assert inner.body.body.parsed is None
    assert docstring(inner) == "Short."
    assert "name_3" in seen.names
    assert inner.body.body.parsed is not None


def test_a_name_that_only_a_text_holds_is_no_name() -> None:
    source = read(f"def f():\n    x = 'hidden → hidden'  # hidden\n{LONG}\n")
    assert "hidden" not in outline(deferred(source).module).names


@pytest.mark.parametrize(
    "text",
    [
        WORK.replace("import os", "import os\f"),
        WORK.replace('"→ {x}"', '"a\rb"'),
        "def f():\n    pass\n",
        WORK + "print 'two'\n",
    ],
    ids=["form feed", "lone return", "short", "not Python 3"],
)
def test_other_files_are_parsed_at_once(text: str) -> None:
    assert answer(lambda: parse(read(text))) == answer(lambda: at_once(deferred(read(text))))


def at_once(file: DeferredFile | ParsedFile) -> ParsedFile:
    assert isinstance(file, ParsedFile)
    return file


def answer(parsing: Callable[[], ParsedFile]) -> object:
    try:
        return told(parsing())
    except SourceError as error:
        return error.code, error.line


def test_what_libcst_alone_cannot_read_is_an_error_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = deferred(read(f"def f():\n{LONG}\n{LONG}\n{LONG}\n"))
    function = file.module.body[0]
    assert isinstance(function, cst.FunctionDef)

    def refuse(_: str) -> cst.Module:
        raise cst.ParserSyntaxError("odd", lines=["x"], raw_line=2, raw_column=0)

    monkeypatch.setattr(cst, "parse_module", refuse)
    with pytest.raises(SourceError) as caught:
        list(function.body.body)
    assert (caught.value.code, caught.value.line) == ("PD101", 2)


def test_statements_are_placed_without_counting_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    source = read(STATEMENTS)
    early = parse(source)
    late = deferred(source)
    assert isinstance(late, DeferredFile)
    stated = [node for node in walk(late.module) if node in late.stated]
    kinds = [type(node).__name__ for node in stated]
    assert kinds == ["FunctionDef", "ClassDef", "Expr", "AnnAssign", "Expr", "Assign", "FunctionDef"]
    with monkeypatch.context() as patched:
        patched.setattr(bodies, "place", None)
        spans = {late.span(node) for node in stated}
    assert spans <= {early.span(node) for node in walk(early.module)}
    assert [late.code(node)[:9] for node in stated[:3]] == ["async def", "class Thi", "'Text.'"]


def test_where_libcst_loses_text_nothing_else_is_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    file = deferred(read(WORK))
    function = next(node for node in file.module.body if isinstance(node, cst.FunctionDef))

    def losing(module: cst.Module, offsets: Offsets, position: int) -> str:
        return positions.place(module, offsets, position)[1:]

    monkeypatch.setattr(bodies, "place", losing)
    assert file.code(function).startswith("def first")
    with pytest.raises(SourceError) as caught:
        file.code(function.params)
    assert caught.value.code == "PD102"
    assert isinstance(function.body.body, Body)


@pytest.mark.parametrize(
    ("head", "left_out"),
    [
        ("def f(first: dict[str, int], second: int = 3):", "first: dict[str, int], second: int = 3"),
        ("async def f(self, first: str | None=None, second=1, ) -> int:", "self, first: str | None=None, second=1"),
        (
            "def f(\n    first: 'text → text',  # why\n    second=-1.5,\n):",
            "first: 'text → text',  # why\n    second=-1.5",
        ),
        ("def f(first, second: Optional[(int)], third=''):", "first, second: Optional[(int)], third=''"),
        ("def f(first, second, third, fourth, fifth, sixth):", "first, second, third, fourth, fifth, sixth"),
        ("def f(first: str = 'a' 'b', second: int = (3)):", None),
        ("def f(first: dict[str, int], second: (Optional[int])):", None),
        ("def f(first: str = 'some text', second: int = LIMIT):", None),
        ("def f(first: str = 'some text', second: str = f'{LIMIT}'):", None),
        ("def f(first: str = 'some text', second: int = -LIMIT):", None),
        ("def f(first: str = 'some text', second: list = []):", None),
        ("def f(first: str = 'some text', /, second: int = 3):", None),
        ("def f(first: str = 'some text', *, second: int = 3):", None),
        ("def f(first: str = 'some text', second: int = 3, *rest):", None),
        ("def f(first: str = 'some text', second: int = 3, **rest):", None),
        ("def f(first: str, second: int):", None),
        ("def f():", None),
        ("@mcp.tool()\ndef f(first: str = 'some text', second: int = 3):", None),
    ],
)
def test_parameters_wait_where_nothing_in_them_is_evaluated(head: str, left_out: str | None) -> None:
    source = read(f"{head}\n{LONG}\n{LONG}\n{LONG}\n")
    file = deferred(source)
    assert isinstance(file, DeferredFile)
    function = file.module.body[0]
    assert isinstance(function, cst.FunctionDef)
    waiting = function.params.params
    if left_out is None:
        assert not isinstance(waiting, Parameters)
    else:
        assert isinstance(waiting, Parameters)
        assert source.text[waiting.region.start : waiting.region.end] == left_out
        assert waiting.may_bind("first")
        assert not waiting.may_bind("why_not")
        assert waiting.parsed is None
    assert told(file) == told(parse(source))


def test_names_are_listed_by_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when every body, however short, is parsed on its own."""
    monkeypatch.setattr(regions, "SHORTEST", 8)
    monkeypatch.setattr(regions, "SHORTEST_PARAMETERS", 8)
    source = read(WORK + "\nname_1 = name_2\n")
    late, early = deferred(source), parse(source)
    part, whole = outline(late.module), syntax.outline(early.module)
    for name in ("name_7", "name_2", "name_1", "call_1", "LIMIT", "x"):
        assert [late.span(n) for n in part.names[name]] == [early.span(n) for n in whole.names[name]]


@pytest.mark.parametrize(
    ("text", "postponed"),
    [
        ("from __future__ import annotations\n", True),
        ('"""Text."""\n# more\nfrom __future__ import division, annotations as a\n', True),
        ("x = 1; from __future__ import annotations\n", True),
        ("from __future__ import division\n", False),
        ("from future import annotations\n", False),
        ("import __future__\n", False),
        ('"""from __future__ import annotations"""\n', False),
        ("def f():\n    from __future__ import annotations\n", False),
        ("", False),
    ],
)
def test_annotations_are_text_where_the_module_says_so(text: str, postponed: bool) -> None:
    module = SourceModule("m.py", "m", read(text))
    assert module.postponed is postponed
