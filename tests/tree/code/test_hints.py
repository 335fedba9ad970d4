"""What CPython's parser says of a body: never less than what libcst's tree would show."""

from __future__ import annotations

import libcst as cst
import pytest

from pdmigrate.evaluate.core import usage
from pdmigrate.tree.code import bindings
from pdmigrate.tree.code.hints import hints_of
from pdmigrate.tree.code.modules import SourceModule
from pdmigrate.tree.code.syntax import own_nodes
from pdmigrate.tree.source import read_source

BINDING = [
    "x = 1",
    "x: int = 1",
    "x: int",
    "x += 1",
    "x, y = 1, 2",
    "[x, *y] = z",
    "(x) = 1",
    "for x in y: pass",
    "for x, y in z: pass",
    "[a for x in y]",
    "print(x := 1)",
    "import x",
    "import x.y",
    "import y as x",
    "from y import x",
    "from y import z as x",
    "with y as x: pass",
    "with y as (x, z): pass",
    "try: pass\n    except E as x: pass",
    "def x(): pass",
    "class x: pass",
    "def y(x): pass",
    "y = lambda x: 1",
    "def y(*x, **z): pass",
    "global x",
    "nonlocal x",
    "del x",
    "del (x, y)",
    "match y:\n        case x: pass",
    "match y:\n        case [1, *x]: pass",
    "match y:\n        case {1: 2, **x}: pass",
    "match y:\n        case 1 as x: pass",
    "def y():\n        def z():\n            x = 1",
]
CHANGING = [
    "x.append(1)",
    "(x).append(1)",
    "x .\\\n        append (1)",
    "(x  # there\n        .append(1))",
    "y = x.pop()",
    "x.update(a=1)",
    "x[0] = 1",
    "x[0] += 1",
    "x[0]: int = 1",
    "del x[0]",
    "x.a = 1",
    "x.a: int = 1",
    "x.a += 1",
    "del x.a",
    "(x[0], y) = 1, 2",
    "self.x = 1",
    "self.x.append(1)",
    "self.x[0] = 1",
    "self.x += y",
    "del self.x",
    "y = [x.add(i) for i in z]",
    "y = f'{x.pop()}'",
    "async with x.setdefault(1, 2): pass",
]
USING = [
    "y = x",
    "x.get(1)",
    "y = x[0]",
    "y = x.a.b",
    "f(x=1)",
    "y = 'x = 1'",
    "pass  # x = 1",
    "y == x",
    "y[x] = 1",
    "y = x == 1",
    "y: x = 1",
    "x().append(1)",
    "y.a(x).append(1)",
]


def _module(statement: str) -> SourceModule:
    text = f"async def f():\n    {statement}\n"
    return SourceModule("m.py", "m", read_source("m.py", text.encode()))


def _text(statement: str) -> str:
    return f"async def f():\n    {statement}\n"


@pytest.mark.parametrize("statement", [*BINDING, *CHANGING, *USING])
def test_nothing_is_missed_that_the_tree_shows(statement: str) -> None:
    module, hints = _module(statement), hints_of(_text(statement))
    assert hints is not None
    for node in module.outline.names["x"]:
        assert not bindings.binds(module, node) or "x" in hints.bound
        parent = module.outline.parents[node]
        whole = parent if isinstance(parent, cst.Attribute) and parent.attr is node else node
        change = usage._change(module, whole, whole=whole is not node)
        assert change is None or "x" in hints.changed


@pytest.mark.parametrize("statement", BINDING)
def test_what_binds_a_name_is_seen(statement: str) -> None:
    hints = hints_of(_text(statement))
    assert hints is not None
    assert "x" in hints.bound
    assert "x" in hints.changed


@pytest.mark.parametrize("statement", CHANGING)
def test_what_changes_a_value_is_seen(statement: str) -> None:
    hints = hints_of(_text(statement))
    assert hints is not None
    assert "x" in hints.changed


@pytest.mark.parametrize("statement", USING)
def test_what_only_uses_a_name_is_no_reason_to_look(statement: str) -> None:
    hints = hints_of(_text(statement))
    assert hints is not None
    assert "x" not in hints.bound
    assert "x" not in hints.changed


def test_names_that_are_normalised_may_be_anything() -> None:
    body = "\n".join(["    ﬁ = 1", *("    y = 2" for _ in range(40))])
    text = f"def f():\n{body}\n"
    module = SourceModule("m.py", "m", read_source("m.py", text.encode()))
    assert [node.value for node in module.outline.bound("ﬁ")] == ["ﬁ"]
    assert module.outline.bound("y")


YIELDING = ["yield", "x = yield 1", "yield from y", "if x:\n        print((yield))", "with y:\n        yield x"]
NOT_YIELDING = [
    "'yield'",
    "x.yields()",
    "def y():\n        yield 1",
    "class y:\n        def z(self):\n            yield self",
    "y = lambda: (yield)",
    "return [a for a in y]  # yield",
]


@pytest.mark.parametrize("statement", [*YIELDING, *NOT_YIELDING])
def test_generators_are_told_as_libcst_tells_them(statement: str) -> None:
    hints = hints_of(_text(statement))
    assert hints is not None
    assert hints.yields is (statement in YIELDING)
    function = cst.parse_module(_text(statement)).body[0]
    assert isinstance(function, cst.FunctionDef)
    assert any(isinstance(node, cst.Yield) for node in own_nodes(function.body)) is hints.yields


@pytest.mark.parametrize("text", ["def f(:\n", "print 'x'\n", "def f():\n    x = (\n", "\0"])
def test_what_cpython_does_not_read_has_no_hints(text: str) -> None:
    assert hints_of(text) is None
