"""Programs in which something that is not known decides what is changed, how a block ends, or which elements are there.

They are run with and without ``PD_A``.
"""

from __future__ import annotations

from textwrap import dedent

HEAD = "import copy, functools, json, os\nFLAG = os.environ.get('PD_A')\n"
PROGRAMS = {
    "set on a module": """
        v0 = [1]
        os.pd_list = v0
        os.pd_list.append(3)
    """,
    "stored at an unknown index": """
        v0 = [1]
        v1 = [[5], [6]]
        v1[0 if FLAG else 1] = v0
        v1[0].append(3)
    """,
    "repeated in place": """
        v0 = [3]
        v1 = v0 if FLAG else [7]
        v1 *= 2
    """,
    "slice of unknown length": """
        v0 = [[1], [2]]
        v1 = v0[:1 if FLAG else 2]
        v1[0].append(4)
    """,
    "merged in place": """
        v0 = [1]
        v1 = {'k': v0}
        v1 |= {'k': []} if FLAG else {}
        v1['k'].append(2)
    """,
    "globals by get": """
        v0 = [1]
        v1 = globals().get('v0')
        v1.append(3)
    """,
    "globals read": """
        v0 = [1]
        v2 = 'v0' in globals()
        v1 = list(globals())
        v3 = globals()['v0']
    """,
    "twice in a copy": """
        v0 = [1]
        v1 = copy.deepcopy({'a': v0, 'b': (v0, 1)})
        v1['a'].append(2)
        v2 = v1['b']
    """,
    "else adds": """
        v0 = [1]
        v1 = 0
        for x in [1, 2]:
            if FLAG: break
            v1 += 1
        else:
            v0.append(v1)
    """,
    "continue through finally": """
        v0 = []
        for x in [1, 2]:
            try:
                if FLAG: continue
                v0.append(x)
            finally:
                v0.append(0)
    """,
    "finally after a return": """
        def f():
            v1.append(3)
            try:
                if FLAG: return 1
                v1.append(4)
                return 2
            finally:
                v1.append(5)
        v1 = []
        v0 = f()
    """,
    "match": """
        match FLAG:
            case None: v0 = 1
            case 'x': v0 = 2
            case _: v0 = 3
    """,
    "a manager swallows what may be raised": """
        class M:
            def __enter__(self): return self
            def __exit__(self, *details): return True
        v0 = []
        with M():
            int(FLAG or 'x')
            v0.append(1)
        v1 = len(v0)
    """,
    "a generator leaves in finally": """
        from contextlib import contextmanager
        @contextmanager
        def quiet():
            try: yield
            finally: return
        v0 = []
        with quiet():
            int(FLAG or 'x')
            v0.append(1)
    """,
}

_MAYBE = 'v0 = ["a"]\nif FLAG: v0.append(2)\n'
_ENTRY = 'v0 = {"a": "1"}\nif FLAG: v0["b"] = 2\nclass K:\n    def __init__(self, a): self.a = a\n'
_NOTED = "v2 = []\ndef f(x, *r):\n    v2.append(x)\n    return x\n"
TRIED = {
    _MAYBE: (
        "[].extend(map(len, v0))", "any(x.upper() for x in v0)", "v0.sort()", "list(map(lambda x, y: x + y, v0, v0))",
        "[a for a, in v0]", "dict(a=1, **{x: 1 for x in v0})", "[[y for y in x] for x in v0]",
    ),
    _ENTRY: ("K(**v0).a", "{k: x.upper() for k, x in v0.items()}", "{x: 1 for x in v0.values() if x.upper()}"),
    "": (
        "sorted(['a', 2], key=str.upper)", "max(['a'], key=str.foo)", "list(map(str.split, ['a b'], [3]))",
        "sum(['a'])", "range('a')", "[1][None]", "'abc'['a']", "setattr(1, 'a', 2)", "zip(1)", "enumerate(1)",
        "reversed(1)", "sorted(1)", "max(1)", "dict(1)", "tuple(1)", "'%d' % 'a'", "[][0] if FLAG else 1",
    ),
}  # fmt: skip
"""Expressions that may raise: of a list with an element that may be there, of such a dict, and by themselves."""
PLAIN = {
    f'v0 = ["a"]\nif FLAG: v0.append("b")\n{_NOTED}': (
        "v0.sort(key=f)", "list(filter(f, v0))", "1 < len(v0) < len(f('zz'))"
    ),
    f'v0 = FLAG or "q"\n{_NOTED}': ("any(map(f, v0))", "list(v0).sort(key=f)"),
    "": ("frozenset([3.0]) | {3}", "{3.0, 5} & {3, 5}", "{3}.intersection([3.0, 5.0])"),
}  # fmt: skip
"""That call a function which notes what it is called with; and of two equal elements, of which one is kept."""
_TRY = "try: v1 = repr({})\nexcept Exception as error: v1 = type(error).__name__\n"

CASES = {
    **{name: HEAD + dedent(program) for name, program in PROGRAMS.items()},
    **{one: HEAD + head + _TRY.format(one) for head, expressions in TRIED.items() for one in expressions},
    **{f"{head}{one}": f"{HEAD}{head}v1 = {one}\n" for head, expressions in PLAIN.items() for one in expressions},
}
