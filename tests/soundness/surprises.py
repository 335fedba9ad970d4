"""The programs of ``surprises.txt``: what constructors, imports, classes and enums do that nobody expects."""

from __future__ import annotations

from pathlib import Path

from tests.soundness.sources import Case
from tests.support.sent import RUN

_FAMILIES = {
    "ll": "mcp1-lowlevel",
    "m1": "mcp1-fastmcp",
    "m2": "mcp2-mcpserver",
    "f2": "fastmcp2",
    "f3": "fastmcp3",
    "f4": "fastmcp4",
}
_HEAD = "from HOME import SERVER\n"
_END = '\nif __name__ == "__main__":\n    mcp.run()\n'


def _cases() -> dict[str, Case]:
    found = {}
    for part in Path(__file__).with_suffix(".txt").read_text().split("\n### ")[1:]:
        head, _, body = part.partition("\n")
        name, families, settled = (each.strip() for each in head.split("|"))
        main, *others = f"\n{body}".split("\n--- ")
        low = families == "ll"
        files = {"app.py": main, "run.py": RUN} if low else {"server.py": _HEAD + main + _END}
        start = ("run.py",) if low else ("server.py",)
        if not main.strip():  # the first of the other files is the server, and complete
            files, start = {}, (others[0].partition("\n")[0],)
        files |= {path: text for path, _, text in (each.partition("\n") for each in others)}
        assert name not in found, name
        found[name] = Case(
            tuple(_FAMILIES[each] for each in families.split()), files, start, False, (*settled.split(),)
        )
    return found


TABLES = {"surprises": _cases()}
