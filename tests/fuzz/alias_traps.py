"""Programs that change something of which it is not known what it is."""

from __future__ import annotations

from textwrap import dedent

HEAD = "import copy, functools, os\nFLAG = os.environ.get('PD_A')\n# run with and without PD_A\n"
PROGRAMS = {
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
    "globals gone through": """
        v0 = [1]
        for k, v in list(globals().items()):
            if k == 'v0': v.append(1)
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
    "nested setdefault": """
        v0 = {'a': {'b': 1}}
        n = v0
        for k in (FLAG or 'a').split('.'):
            n = n.setdefault(k, {})
        n['z'] = 5
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
    "twice in a copy": """
        v0 = [1]
        v1 = copy.deepcopy({'a': v0, 'b': v0})
        v1['a'].append(2)
        v2 = v1['b']
    """,
}
CASES = {name: HEAD + dedent(program) for name, program in PROGRAMS.items()}

KNOWN = {
    "twice in a copy": {"v0", "v1", "v2"},
}
"""Variables that have to be known all the same."""
