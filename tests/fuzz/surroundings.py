"""Code around a random program that touches nothing of it: most of a real program has nothing to do with its tools."""

from __future__ import annotations

import ast
from random import Random

AROUND = (
    """\
def u{n}(u, w=None):
    while u:
        w = u.pop()
        v0 = w
    return [v0 for v0 in range(3)] + [w]
""",
    """\
class U{n}:
    v1 = []
    def step(self, v2=3):
        self.v3 = v2
        self.v1.append(v2)
        return self.v1
u{n} = U{n}().step()
""",
    """\
u{n} = os.environ.get("PD_B")
if u{n}:
    u{n} = [u{n}, u{n}]
else:
    u{n} = None
""",
    """\
try:
    import not_there as u{n}
except ImportError:
    u{n} = None
""",
    """\
u{n} = {{}}
for u{n}_key in os.environ.get("PD_A") or "ab":
    u{n}[u{n}_key] = [u{n}_key]
    u{n}[u{n}_key].append(u{n})
""",
    """\
u{n} = lambda v0, v1=(): [v0, *v1]
u{n}_made = u{n}(os.environ.get("PD_A"), [1, 2])
""",
    """\
import logging as u{n}
u{n}.getLogger("around").debug("here")
""",
    """\
def u{n}(depth=0):
    yield depth
    if depth < 3:
        yield from u{n}(depth + 1)
u{n}_all = [*u{n}()]
""",
    """\
with open(os.devnull, encoding="utf-8") as u{n}:
    u{n}_text = u{n}.read()
u{n}_words = u{n}_text.split() + [None]
""",
    """\
u{n} = json.loads(os.environ.get("PD_JSON", "[]"))
u{n}_size = len(u{n}) if isinstance(u{n}, list) else 0
""",
    """\
async def u{n}(names):
    async for v0 in names:
        globals()[v0] = names
""",
)
"""Statements of names of their own; those of the program that they spell are local to them, or never run."""
SHARE = 0.35
"""Of the places between two statements of the program."""


def surrounded(source: str, seed: int) -> str:
    """``source``, whose own statements stay as they are and in their order, with others around and between them."""
    random = Random(seed)
    lines = source.splitlines()
    starts = {min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))]) - 1
              for node in ast.parse(source).body[4:]}  # fmt: skip
    result: list[str] = []
    for number, line in enumerate([*lines, ""]):
        last = number == len(lines)
        if (number in starts and random.random() < SHARE) or last:
            result += random.choice(AROUND).format(n=f"{number}_").splitlines()
        result.append(line)
    return "\n".join(result)
