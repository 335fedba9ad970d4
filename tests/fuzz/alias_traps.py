"""Programs that change something of which it is not known what it is."""

from __future__ import annotations

from textwrap import dedent

HEAD = "import copy, functools, os\nFLAG = os.environ.get('PD_A')\n# run with and without PD_A\n"
PROGRAMS = {
    "only read": """
        v0 = [1]
        v2 = {'a': v0, 'b': [3]}
        x = v2.get('a' if FLAG else 'b')
        n = len(x.copy())
        y = x.index(1) if FLAG else 3
    """,
    "handed down in a dict and a list": """
        v0 = {'a': [1], 'b': [2], 'c': [3]}
        v1, n = v0['a'], 4 if FLAG else 0
        while n > 0:
            v0['a'] = v0['b']
            v0['b'] = v0['c']
            v0['c'] = [4]
            n -= 1
        v2 = v0['a'] + v1
    """,
    "stored at an unknown index": """
        v0 = [1]
        v1 = [[5], [6]]
        v1[0 if FLAG else 1] = v0
        v1[0].append(3)
    """,
    "method and attribute of an element": """
        class C:
            def __init__(self, n): self.n = n; self.items = []
            def add(self, x): self.items.append(x); self.n += 1
        a, b = C(1), C(2)
        c = [a, b][1 if FLAG else 0]
        c.add(3)
        c.n = 17
        v1 = a.n
        v2 = b.items
    """,
    "dict updated": """
        v0 = {'a': 1}
        (v0 if FLAG else {}).update(b=2)
    """,
    "repeated in place": """
        v0 = [3]
        v1 = v0 if FLAG else [7]
        v1 *= 2
    """,
    "shared value of fromkeys": """
        v0 = [3]
        d = dict.fromkeys('ab', v0)
        v1 = dict.fromkeys('ab', [])
        d['a'].append(4)
        v1[ 'a' if FLAG else 'b'].append(2)
    """,
    "match": """
        v0 = [3]
        match FLAG:
            case None: x = v0
            case _: x = [1]
        x.append(4)
    """,
    "popped by an unknown key": """
        v0 = [1]
        d = {'a': v0}
        d.pop('a' if FLAG else 'b', [1]).append(7)
    """,
    "bound method or function": """
        v0 = [1]
        (v0.append if FLAG else repr)(3)
    """,
    "slice of unknown length": """
        v0 = [[1], [2]]
        v1 = v0[:1 if FLAG else 2]
        v1[0].append(4)
    """,
    "shallow copy": """
        v0 = [1]
        v1 = copy.copy([v0] if FLAG else [[2]])
        v1[0].append(4)
    """,
    "sorted by an unknown key": """
        v0 = [1]
        v1 = [v0, [2]]
        v1.sort(key=lambda l: FLAG is None and l[0])
        v1[0].append(4)
    """,
    "values of a comprehension": """
        v0 = [1]
        d = {x: v0 for x in (os.environ.get('PD_B') or '')}
        d.get('1', []).append(3)
    """,
    "largest, unknown": """
        v0 = [3]
        x = max([v0, [1, int(os.environ.get('PD_B') or 7)]])
        x.append(4)
    """,
    "attribute of an element": """
        v0 = [1]
        class C:
            def __init__(self): self.x = v0
        cs = {'a': C(), '': C()}
        c = cs['a' if FLAG else '']
        c.x.append(2)
    """,
    "starred target": """
        v0 = [1]
        a, *b = [v0, [2]] if FLAG else [[2], v0, v0]
        b[0].append(3)
    """,
    "decorator": """
        v0 = [1]
        def d(f):
            v0.append(1)
            return f
        h = d if FLAG else (lambda f: f)
        @h
        def z(): pass
    """,
    "nested setdefault": """
        v0 = {'a': {'b': 1}}
        n = v0
        for k in (FLAG or 'a').split('.'):
            n = n.setdefault(k, {})
        n['z'] = 5
    """,
    "while": """
        v0 = {'a': [1]}
        while len(v0.get(FLAG or 'a', [1,2,3])) < 3: v0['a'].append(1)
    """,
    "one of two lists changed twice": """
        v0 = [1]
        v1 = [v0]
        v2 = v1 if FLAG else [[4]]
        v2[0] = 5
        v2.append(v0)
        v2[-1].append(7)
    """,
    "deleted item": """
        v0 = [1]
        del (v0 if FLAG else [3])[0]
    """,
    "merged in place": """
        v0 = [1]
        v1 = {'k': v0}
        v1 |= {'k': []} if FLAG else {}
        v1['k'].append(2)
    """,
    "or of a list": """
        v0 = [1]
        v1 = v0 or FLAG
        v1.append(3)
    """,
    "name read by globals": """
        v0 = [1]
        globals()['v0'].append(2)
    """,
    "name set by globals in a function": """
        def f():
            globals()['v0'] = 3
        v0 = 1
        f()
    """,
    "locals of a function": """
        def f():
            v = 5
            locals()['v'] = 3
            return v
        v0 = f()
    """,
    "random choice": """
        v0 = [1]
        import random
        x = random.choice([v0, v0])
        x.append(3)
    """,
    "set on a module by setattr": """
        v0 = [1]
        setattr(functools, 'zz', v0)
        functools.zz.append(3)
    """,
    "set on a module": """
        v0 = [1]
        os.pd_list = v0
        os.pd_list.append(3)
    """,
    "exec": """
        v0 = 1
        exec('v0 = 2')
        v1 = v0
    """,
    "exec with names": """
        ns = {}
        exec('x = 2', ns)
        v0 = ns.get('x')
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
    "globals gone through": """
        v0 = [1]
        for k, v in list(globals().items()):
            if k == 'v0': v.append(1)
    """,
    "added to in place after a body that raises": """
        v0 = [1, 2]
        try:
            v1 = v0
            v2 = ([-1] * 3).index(10)
        except ValueError:
            v2 = -7
        v1 += [v2, *v1]
    """,
    "a set that shrinks in place, or a number": """
        v0 = {1}
        v1 = 3 if FLAG else v0
        try: v1 -= {1}
        except TypeError: pass
        v2 = len(v0)
    """,
    "an element added to in place": """
        v0 = [1]
        v1 = {'a': 3 if FLAG else v0}
        try: v1['a'] += [2]
        except TypeError: pass
    """,
    "twice in a copied list": """
        v0 = {}
        v1 = copy.deepcopy([v0, (v0, 1)])
        v1[0]['k'] = 1
    """,
    "twice in a copy, one of them on a condition": """
        v0 = [1]
        v1 = {'a': v0}
        if FLAG: v1['b'] = v0
        v2 = copy.deepcopy(v1)
        v2['a'].append(2)
    """,
    "held by itself in a copy": """
        v0 = [1]
        v0.append([v0][0])
        v1 = copy.deepcopy(v0)
        v1.append(2)
        v2 = len(v1[1])
    """,
    "twice in a copy": """
        v0 = [1]
        v1 = copy.deepcopy({'a': v0, 'b': v0})
        v1['a'].append(2)
        v2 = v1['b']
    """,
    "copied apart": """
        v0 = [1]
        v1 = [copy.deepcopy(v0), copy.deepcopy(v0)]
        v1[0].append(2)
    """,
}
CASES = {name: HEAD + dedent(program) for name, program in PROGRAMS.items()}

KNOWN = {
    "twice in a copy": {"v0", "v1", "v2"},
    "copied apart": {"v0", "v1"},
}
"""Variables that have to be known all the same."""
