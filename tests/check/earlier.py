"""Trees as earlier versions left them, in ``tests/cases``.

One generated module is kept for the trees in which `sync` replaces it before a server runs: all that is read of it is
whether it is what the lock records, and the names at its top.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.support.repositories import commit, initialised

CASES = Path(__file__).resolve().parents[1] / "cases"
TREES = CASES / "earlier"


def module(server: str, example: str, moved: Iterable[str] = (), folder: str = "tool_descriptions") -> str:
    """The generated module of a server whose definitions in ``moved`` are in files alone."""
    text = (TREES / "lowlevel" / "migrated" / "progressive_disclosure.py").read_text(encoding="utf-8")
    for former, now in (
        ("warehouse", server),
        ('("find_crates", "move_crate")', str(tuple(moved)).replace("'", '"')),
        ("tools=find_crates", f"tools={example}"),
        ('parent / "tool_descriptions"', f'parent / "{folder}"'),
    ):
        assert former in text
        text = text.replace(former, now)
    return text


def committed(tree: Path, root: Path, modules: dict[str, str] | None = None) -> Path:
    """A repository with a copy of ``tree``, and the generated modules that are not kept with it."""
    shutil.copytree(tree, root)
    for path, text in (modules or {}).items():
        (root / path).write_text(text, encoding="utf-8")
    commit(initialised(root))
    return root
