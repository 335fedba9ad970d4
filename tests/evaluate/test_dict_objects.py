# ruff: noqa: E501 - each source stands in few lines
"""Classes that derive from ``dict``: what is computed equals what Python computes, and nothing else is claimed."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.model import Known
from tests.support.program import evaluate_program

HEAD = """
from typing import Any, Dict
class Box(Dict[str, Any]):
    kind = "box"
    def __init__(self, content, label=None):
        super().__init__(content)
        self.label = label
    def names(self):
        return sorted(self)
    @property
    def size(self):
        return len(self)
class Plain(dict):
    pass
box = Box({"b": 1, "a": [2]}, "L")
"""
SAME = {
    "content": "result = [box, dict(box), {**box, 'c': 3}, box | {'d': 4}, list(box), len(box), 'a' in box]",
    "attributes": "result = [box.label, box.kind, box.names(), box.size, Box.kind]",
    "methods of a dict": "result = [box.get('a'), box.get('z', 0), list(box.items()), list(box.values()), box.pop('b'), box]",
    "changes": "box['c'] = 3; box.update(d=4); box['a'].append(5); del box['b']; box.label = 'M'; result = [box, box.label]",
    "without its own init": "p = Plain(a=1, **{'b': 2}); p['c'] = 3; result = [p, Plain(), Plain([('x', 1)]), p == {'a': 1, 'b': 2, 'c': 3}]",
    "nested": "result = {'properties': {'x': Box({'type': 'string'}), 'y': Plain(Box({'q': 1}))}}",
    "types": "result = [isinstance(box, Box), isinstance(box, dict), isinstance(box, Plain), isinstance({}, Box), isinstance(box, list), isinstance(box, str)]",
    "comparison": "result = [box == {'a': [2], 'b': 1}, box == Box({'a': [2], 'b': 1}, 'other'), box != {}, bool(Plain())]",
    "copies": "import copy\nc = copy.deepcopy(box); s = copy.copy(box); c['a'].append(9); c.label = 'C'; s.label = 'S'; result = [box, c, s, box.label, c.label, s.label]",
    "subclass of it": """
class Crate(Box):
    def __init__(self, content):
        super().__init__(content, "crate")
        self["more"] = self.label
result = [Crate({"z": 1}), Crate({}).names(), isinstance(Crate({}), Box)]
""",
    "a loop over many": "result = [Box({'n': n}, str(n)).label + str(Box({'n': n})['n']) for n in range(3)]",
    "hasattr": "result = [hasattr(box, 'label'), hasattr(box, 'nothing'), getattr(box, 'nothing', 'd'), getattr(box, 'kind')]",
    "class attribute in the instance": "box.kind = 'other'; result = [box.kind, Box.kind]",
}
DIFFERENT = {
    "__getitem__": "class D(dict):\n    def __getitem__(self, k): return 'changed'\nresult = D(a=1)['a']",
    "__missing__": "class D(dict):\n    def __missing__(self, k): return 'm'\nresult = D()['a']",
    "__iter__": "class D(dict):\n    def __iter__(self): return iter(['x'])\nresult = list(D(a=1))",
    "keys": "class D(dict):\n    def keys(self): return ['x']\nresult = list(D(a=1).keys())",
    "get": "class D(dict):\n    def get(self, k, d=None): return 'g'\nresult = D(a=1).get('a')",
    "__setitem__": "class D(dict):\n    def __setitem__(self, k, v): super().__setitem__(k, 'set')\nd = D(); d['a'] = 1; result = d",
    "__eq__": "class D(dict):\n    def __eq__(self, o): return True\n    __hash__ = None\nresult = D() == 5",
    "__len__": "class D(dict):\n    def __len__(self): return 7\nresult = len(D())",
    "__new__": "class D(dict):\n    def __new__(cls, *a):\n        made = super().__new__(cls)\n        made['n'] = 1\n        return made\nresult = D()",
    "__getattr__": "class D(dict):\n    def __getattr__(self, n): return self[n]\nresult = D(a=1).a",
    "metaclass": "class M(type):\n    def __call__(cls, *a): return 'made'\nclass D(dict, metaclass=M): pass\nresult = D()",
    "another base": "from collections import UserDict\nclass D(UserDict): pass\nresult = len(D(a=1))",
    "two bases": "from collections import OrderedDict\nclass D(OrderedDict): pass\nd = D(a=1, b=2); d.move_to_end('a'); result = list(d)",
    "property with a setter": "class D(dict):\n    @property\n    def p(self): return self.q\n    @p.setter\n    def p(self, v): self.q = v + 1\nd = D(); d.p = 1; result = d.p",
    "decorated": "import functools\n@functools.total_ordering\nclass D(dict):\n    def __lt__(self, o): return True\nresult = D() < D()",
    "without content": "class D(dict):\n    def __init__(self, c): self.c = c\nresult = [D({'a': 1}), D({'a': 1}).c]",
}


def python(source: str) -> Any:
    names: dict[str, Any] = {}
    exec(dedent(source), names)
    return names["result"]


def evaluated(source: str) -> Any:
    return evaluate_program(dedent(source))


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_an_operation_gives_what_python_gives(body: str) -> None:
    found = evaluated(HEAD + body)
    assert isinstance(found, Known), found
    assert found.value == as_json(python(HEAD + body))


@pytest.mark.parametrize("body", DIFFERENT.values(), ids=DIFFERENT)
def test_a_class_that_behaves_otherwise_is_not_taken_for_a_dict(body: str) -> None:
    found = evaluated(body)
    assert not isinstance(found, Known) or found.value == as_json(python(body))


def as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, (list, tuple)) else value
