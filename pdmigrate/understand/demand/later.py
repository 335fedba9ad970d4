"""What may change while a server runs: functions that were not seen to run may do so between two lists."""

from __future__ import annotations

import ast

from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Node
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.core import Unknown
from pdmigrate.understand.values.objects import ClassValue, Instance


def changed_name(run: Run, module: Module, name: str) -> Unknown | None:
    """Why the value of a name of ``module`` may be another one when the server lists; ``None`` if it stays."""
    if not run.answering:
        return None
    origin = run.program.names.origin(module.path, name) or (module.path, name)
    if all(function in run.executed for function in _changers(run).get(origin, ())):
        return None
    return run.unsettled(f"{name} is changed in a function that runs later", MUTATED)


def _changers(run: Run) -> dict[Node, list[ast.AST]]:
    """The functions of the loaded modules that change what a name means, by that name."""
    loaded = run.program.loaded
    known: tuple[int, dict[Node, list[ast.AST]]] = run.memory.get("changers", (0, {}))
    if known[0] != len(loaded):
        found: dict[Node, list[ast.AST]] = {}
        for each in loaded.values():
            for function, made in each.module.changes.items():
                for name in made.names:
                    origin = run.program.names.origin(each.module.path, name)
                    if origin is not None:
                        found.setdefault(origin, []).append(function)
        known = run.memory["changers"] = (len(loaded), found)
    return known[1]


def changed_attribute(run: Run, value: Instance, name: str) -> Unknown | None:
    """Why an attribute of an object may be another one when the server lists; ``None`` if it stays."""
    if not run.answering:
        return None
    for cls in value.cls.mro:
        for method in cls.node.body if isinstance(cls, ClassValue) and cls.node is not None else ():
            made = cls.module.changes.get(method) if isinstance(cls, ClassValue) else None
            if made is not None and name in made.attributes and method not in run.executed:
                return run.unsettled(f"{name} of {value.cls.name} is changed in a method that runs later", MUTATED)
    return None
