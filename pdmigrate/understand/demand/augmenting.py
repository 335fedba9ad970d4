"""Augmented assignments: what changes in place, and what is an ordinary operator."""

from __future__ import annotations

import ast

from pdmigrate.understand.demand.containers import elements, overlay
from pdmigrate.understand.demand.operators import SETS, binary, merge_dicts, set_operation
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.joining import AnyOf, unsettled
from pdmigrate.understand.values.objects import Instance

_CONTAINERS = (ListValue, DictValue, SetValue)


def in_place(run: Run, sign: ast.operator, old: Value, more: Value) -> bool:
    """``old += more`` and its kin for objects that change in place; ``False`` if that is an ordinary operator."""
    why = run.unsettled("what is added is not known")
    if (
        isinstance(old, Instance)
        and isinstance(old.inside, _CONTAINERS)
        and old.cls.find("__iadd__", "__ior__") is None
    ):
        return in_place(run, sign, old.inside, more)
    if isinstance(old, ListValue) and isinstance(sign, ast.Add):
        found, rest = ([], unsettled(why, more)) if isinstance(more, Instance) else elements(run, more)
        run.journal.touch(old)
        run.step(len(found) // 4)
        old.data.extend(found)
        old.rest = old.rest or rest
    elif isinstance(old, ListValue) and isinstance(sign, ast.Mult):
        run.journal.touch(old)
        made = binary(run, sign, old, more)
        old.restore(made.save() if isinstance(made, ListValue) else (old.data, why, False))
    elif isinstance(old, DictValue) and isinstance(sign, ast.BitOr):
        run.journal.touch(old)
        if isinstance(more, DictValue):
            merge_dicts(old, more)
        else:
            overlay(old, unsettled(why, more))
    elif isinstance(old, SetValue) and type(sign) in SETS and isinstance(more, SetValue) and not old.frozen:
        run.journal.touch(old)
        old.restore(set_operation(run, SETS[type(sign)], old, more).save())
    else:
        for option in old.options if isinstance(old, AnyOf) else (old,):
            if isinstance(option, _CONTAINERS) and not getattr(option, "frozen", False):
                run.journal.blur(option, why)
        return False
    return True
