"""Imports all that the evaluator knows: an interpreter is made here, and nowhere else.

Modules register the operations of their kinds of values and of syntax on import (``core/operations.py``), and the
functions of a library (``core/natives.py``).
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.evaluate.language import attributes, loops, managers, patterns, statements
from pdmigrate.knowledge import builtin, library, types
from pdmigrate.recognise.servers import abandoned, outside_calls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pdmigrate.evaluate.core.budget import Budget
    from pdmigrate.tree.code.modules import ModuleIndex

IMPORTED = (abandoned, attributes, loops, managers, outside_calls, patterns, statements)
"""The modules that no other module imports; with all that is known of libraries they import the rest."""

for _room in (builtin, library, types):
    for _found in pkgutil.iter_modules(_room.__path__):
        importlib.import_module(f"{_room.__name__}.{_found.name}")


def make_interpreter(
    index: ModuleIndex, *, versions: Mapping[str, str] | None = None, budget: Budget | None = None
) -> Interpreter:
    return Interpreter(index, versions=versions, budget=budget)
