"""Who else changes or reads a name: functions that did not run, other modules, tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.values import Scope, UnknownValue

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter


def changed_elsewhere(run: Interpreter, scope: Scope, name: str) -> UnknownValue | None:
    """Why a name of a module may have another value when the handler runs than after the module was executed."""
    return None
