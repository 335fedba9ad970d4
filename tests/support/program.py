"""One piece of source on its own: what a name holds after it ran."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import PYTHON_FRAMES, Budget, BudgetExceededError
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import get_attribute
from pdmigrate.evaluate.core.provenance import site_of, steps_of
from pdmigrate.evaluate.core.values import ModuleValue
from pdmigrate.recognise.everything import make_interpreter
from pdmigrate.recognise.sdk.wire import NotKnownError, to_json
from pdmigrate.tree.code.modules import ModuleIndex, SourceModule

from pdmigrate.model import Known, Unknown
from pdmigrate.tree.source import read_source
from pdmigrate.tree.whole import Whole

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

PATH = "program.py"


def evaluate_program(source: str, name: str = "result", *, budget: Budget | None = None) -> Known | Unknown:
    """What ``name`` holds, as JSON, after the module ``source`` ran.

    Raises:
        SourceError: ``source`` is not valid Python.
    """
    index = ModuleIndex(Whole(Path("/nonexistent")))
    index.modules[PATH] = SourceModule(PATH, "program", read_source(PATH, source.encode()))
    run = make_interpreter(index, versions={}, budget=budget)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, PYTHON_FRAMES))
    try:
        return _value(run, name)
    except BudgetExceededError as exceeded:
        return Unknown(str(exceeded), reasons.BUDGET)
    except RecursionError:
        return Unknown("the program is nested too deeply", reasons.BUDGET)
    finally:
        sys.setrecursionlimit(limit)


def _value(run: Interpreter, name: str) -> Known | Unknown:
    try:
        module = run.run_module(PATH).module
        value = get_attribute(run, ModuleValue(module), name)
        return Known(to_json(value), steps_of(value))
    except AbstractRaise as raised:
        return Unknown(f"the program raises {raised}", reasons.FAILS)
    except NotKnownError as reason:
        site = site_of(reason.unknown.place)
        return Unknown(reason.unknown.reason, reason.unknown.code, ".".join(reason.path), site)
