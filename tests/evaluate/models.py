"""What the evaluator says of the schema of a type in a small program, beside what pydantic really makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pydantic
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import UnknownValue
from pdmigrate.recognise.world import World

from pdmigrate.tree.whole import Whole
from tests.schemas.oracle_client import Case
from tests.support.files import write


def asking(case: Case, *, model: bool) -> str:
    """The statement by which the program itself asks for the schema."""
    given = [f"mode={case.mode!r}"] if case.mode != "validation" else []
    given += [f"by_alias={case.by_alias}"] if case.by_alias is not None else []
    options = ", ".join(given)
    if model:
        return f"result = ({case.target}).model_json_schema({options})\n"
    return f"from pydantic import TypeAdapter\nresult = TypeAdapter({case.target}).json_schema({options})\n"


def evaluated(case: Case, folder: Path, *, model: bool = True) -> Any | UnknownValue:
    """The schema that the evaluator has for the target of ``case``."""
    return result_of(replace(case, source=f"{case.source}\n{asking(case, model=model)}"), folder)


def result_of(case: Case, folder: Path) -> Any | UnknownValue:
    """What the evaluator has for the variable ``result`` of the module of ``case``."""
    for name, source in case.all_modules.items():
        module = Path(*name.split(".")).with_suffix(".py")
        write(folder, {str(module): source, str(module.with_name("__init__.py")): ""})
    with World(Whole(folder)).interpreter({"pydantic": pydantic.VERSION}) as run:
        scope = run.run_module("sample/models.py").scope
        if scope.rest is not None:
            return scope.rest
        try:
            return to_python(scope.names["result"])
        except NotPlain as unknown:
            return unknown.unknown
