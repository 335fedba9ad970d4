"""Programs in which a condition that is not known decides how a block ends."""

from __future__ import annotations

from textwrap import dedent

from tests.fuzz.alias_traps import HEAD

PROGRAMS = {
    "else adds": """
        v0 = [1]
        v1 = 0
        for x in [1, 2]:
            if FLAG: break
            v1 += 1
        else:
            v0.append(v1)
    """,
    "break or return later": """
        def f():
            n = 0
            for x in [1, 2, 3]:
                if FLAG: break
                n += x
                if n > 2: return n
            return -n
        v0 = f()
    """,
    "continue through finally": """
        v1 = []
        for x in [1, 2]:
            try:
                if FLAG: continue
                v1.append(x)
            finally:
                v1.append(0)
        v0 = v1
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
            case None:
                v0 = 1
            case 'x':
                v0 = 2
            case _:
                v0 = 3
    """,
    "a condition raises for an element that is not there": """
        v0 = ["a"]
        if FLAG: v0.append(2)
        try:
            v1 = [x for x in v0 if x.isalpha()]
        except AttributeError:
            v1 = "raised"
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
    "a manager swallows one kind": """
        class M:
            def __enter__(self): return self
            def __exit__(self, kind, *details): return kind is KeyError
        v0 = []
        for x in (KeyError, ValueError):
            try:
                with M():
                    v0.append(x.__name__)
                    raise x
                v0.append('swallowed')
            except ValueError:
                v0.append('caught')
    """,
    "a generator swallows by a manager": """
        from contextlib import contextmanager, suppress
        @contextmanager
        def quiet():
            with suppress(ValueError):
                yield
        v0 = []
        with quiet():
            int(FLAG or 'x')
            v0.append(1)
    """,
    "a generator leaves in finally": """
        from contextlib import contextmanager
        @contextmanager
        def quiet():
            try:
                yield
            finally:
                return
        v0 = []
        with quiet():
            int(FLAG or 'x')
            v0.append(1)
    """,
    "an endless loop that a condition ends": """
        v0 = []
        try:
            while True:
                if FLAG or len(v0) > 2:
                    raise ValueError
                v0.append(1)
        except ValueError:
            v1 = 2
    """,
    "elements of one of two tuples": """
        def f():
            return (1, 2) if FLAG else (1, [3])
        v0, v1 = f()
    """,
}
CASES = {name: HEAD + dedent(program) for name, program in PROGRAMS.items()}
