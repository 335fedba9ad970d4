"""Programs that look at types, attributes and context variables while they make their tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import said

SHOWN = (
    "from collections.abc import Sequence\n"
    "from typing import Annotated, Any, Literal, Optional, Union, get_args, get_origin\n"
    "from types import UnionType\n"
    "def show(kind):\n"
    "    origin, args = get_origin(kind), get_args(kind)\n"
    "    if origin is None:\n        return kind.__name__ if isinstance(kind, type) else str(kind)\n"
    "    if origin is Literal:\n        return ' or '.join(args)\n"
    "    if origin in (Union, UnionType):\n"
    "        return ' | '.join(show(a) for a in args if a is not type(None))\n"
    "    if origin in (list, Sequence):\n        return 'many ' + show(args[0])\n"
    "    return 'other'\n"
)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *(("Literal['a', 'b']", "a or b"), ("Optional[Literal['a']]", "a"), ("Literal['a'] | None", "a")),
        *(("Union[Literal['a'], None]", "a"), ("list[Literal['a']]", "many a"), ("Sequence[Literal['a']]", "many a")),
        ("dict[str, int]", "other"),
    ],
)
def test_the_parts_of_a_type(tmp_path: Path, kind: str, text: str) -> None:
    assert said(tmp_path, f"{SHOWN}TEXT = show({kind})") == text


CONTEXT = "from contextvars import ContextVar\nC = ContextVar('c', default='A')\n"
SETTLED = {
    "a context variable has a default": (CONTEXT + "TEXT = C.get()", "A"),
    "attributes that are not there": (
        (
            "class Record:\n    kept = 'A'\n    def __getattr__(self, name):\n        return name.upper()\n"
            "r = Record()\nTEXT = r.kept + r.other"
        ),
        "AOTHER",
    ),
    "attributes that are refused": (
        (
            "class Record:\n    def __getattr__(self, name):\n        raise AttributeError(name)\n"
            "TEXT = getattr(Record(), 'text', 'B')"
        ),
        "B",
    ),
    "an assertion changes a list": ("L = ['A']\nassert L.append('B') is None\nTEXT = str(L)", "['A', 'B']"),
    "a function sets a name of one two further out": (
        (
            "def outer():\n    text = 'A'\n    def middle():\n        def inner():\n            nonlocal text\n"
            "            text = 'B'\n        inner()\n    middle()\n    return text\nTEXT = outer()"
        ),
        "B",
    ),
}
OPEN = {
    "a descriptor that asks for its object": (
        "class Field:\n    def __get__(self, one, kind):\n        return kind.text if one is None else one.text\n"
        "class C:\n    text = 'A'\n    field = Field()\nc = C()\nc.text = 'B'\nTEXT = c.field + C.field"
    ),
    "a list that may have another name, after a branch in a try": (
        "import sys\nv = ['A']\nw = ['B']\ntry:\n    n = int(sys.argv[1])\nexcept Exception:\n    n = 1\nelse:\n"
        "    if n != 5:\n        w = v\nw.append('C')\nTEXT = ''.join(v)"
    ),
    "one of several elements of a set": "TEXT = {'A', 'B'}.pop()",
    "a parameter of a type that is shown in several ways": "import inspect\ndef f(n: int | None = 5): ...\n"
    "TEXT = str(inspect.signature(f).parameters['n'])",
    "a type with metadata": "from typing import Annotated, get_args\nTEXT = str(len(get_args(Annotated[int, 'x'])))",
    "a field that a validator sets": (
        "from pydantic import BaseModel, model_validator\nclass M(BaseModel):\n    text: str = 'A'\n"
        "    @model_validator(mode='after')\n    def set(self):\n        self.text = 'B'\n        return self\n"
        "TEXT = M().text"
    ),
    "a field that is set when a model is made": (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    text: str = 'A'\n"
        "    def model_post_init(self, context):\n        self.text = 'B'\nTEXT = M().text"
    ),
    "the length of a text longer than any": "TEXT = str(len(('a' * 5_000).translate({97: 'b' * 5_000})))",
    "an element may be discarded": "import sys\nS = {'A'}\nif sys.argv[5:]:\n    S.discard('A')\nTEXT = str(len(S))",
    "attributes that are intercepted": (
        "class Maker:\n    text = 'A'\n    def __getattribute__(self, n):\n"
        "        return 'B' if n == 'text' else object.__getattribute__(self, n)\nTEXT = Maker().text"
    ),
    "a context variable is reset": CONTEXT + "t = C.set('B')\nC.reset(t)\nTEXT = C.get()",
    "a context variable is set on some path": CONTEXT
    + "import os\nif os.environ.get('X'):\n    C.set('B')\nTEXT = C.get()",
}


ASKED = {**SETTLED, **{name: (source, None) for name, source in OPEN.items()}}


@pytest.mark.parametrize(("source", "text"), ASKED.values(), ids=ASKED)
def test_what_a_program_finds_is_known_what_it_may_find_is_not(tmp_path: Path, source: str, text: str | None) -> None:
    assert said(tmp_path, source) == text


CHANGES = (
    *("L.append('C')", "L.extend(['C'])", "L.insert(0, 'C')", "L.pop()", "L.pop(0)", "L.remove('A')", "L.clear()"),
    *("L.sort()", "L.reverse()", "L[0] = 'C'", "L[:] = ['C']", "L += ['C']", "L *= 2", "del L[0]", "del L[:1]"),
    *("D.update({'b': 'B'})", "D.setdefault(sys.argv[1], 'B')", "D.setdefault('b', 'B')", "D.update(b='B')"),
    *("D.pop('a')", "D.popitem()", "D.clear()", "D['b'] = 'B'"),
    *("D |= {'b': 'B'}", "del D['a']", "E['b']", "E['b'].append('B')", "E.clear()"),
    *("S.add('C')", "S.discard('A')", "S.remove('A')", "S.pop()", "S.clear()", "S.update({'C'})", "S |= {'C'}"),
    *("S -= {'A'}", "S &= {'C'}", "S ^= {'A'}", "S.difference_update({'A'})", "S.intersection_update({'C'})"),
    *("Q.append('C')", "Q.appendleft('C')", "Q.pop()", "Q.popleft()", "Q.extend('C')", "Q.rotate(1)", "Q.clear()"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_branch_changes_in_a_container_is_not_claimed(tmp_path: Path, change: str) -> None:
    name = change.removeprefix("del ")[0]
    source = (
        "import sys\nfrom collections import defaultdict, deque\nL, D, S = ['B', 'A'], {'a': 'A'}, {'A'}\n"
        f"E, Q = defaultdict(list, a=['A']), deque(['B', 'A'])\nif sys.argv[5:]:\n    {change}\n"
        f"TEXT = str({'sorted' if name == 'S' else 'list'}({name}))"
    )
    assert said(tmp_path, source) is None


def test_a_module_that_raises_in_a_loop_and_is_caught(tmp_path: Path) -> None:
    source = "TEXT = 'A'\ntry:\n    import part\nexcept ValueError:\n    TEXT = 'B'\n"
    assert said(tmp_path, source, {"part.py": "for each in ['A']:\n    raise ValueError(each)\n"}) is None
