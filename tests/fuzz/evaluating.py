"""What the evaluator says of the variables of a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core.budget import BudgetExceededError
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.recognise.world import World

from pdmigrate.tree.whole import Whole
from tests.fuzz.encoding import encode

if TYPE_CHECKING:
    import libcst as cst


class Tiring:
    """About every third function of a program, as those that take more steps than the evaluator allows."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.known: dict[object, bool] = {}

    def __contains__(self, function: object) -> bool:
        if function not in self.known:
            self.known[function] = self.random.random() < 0.35
        return self.known[function]


def evaluate(source: str, folder: Path, left_out: Container[cst.CSTNode] = ()) -> tuple[dict[str, Any], Counter[str]]:
    """The variables that are known, encoded, and how often each reason kept one from being known.

    Calls of the functions that are ``left_out`` are not followed.

    Raises:
        AbstractRaise: the evaluator says that the program certainly raises.
    """
    (folder / "program.py").write_text(source, encoding="utf-8")
    reasons: Counter[str] = Counter()
    known: dict[str, Any] = {}
    with World(Whole(folder)).interpreter() as run:
        run.calls.left_out = left_out
        try:
            scope = run.run_module("program.py").scope
        except BudgetExceededError as error:
            return {}, Counter({str(error): 1})
        for name, value in scope.names.items():
            if name[:1] != "v" or not name[1:].isdigit():
                continue
            if scope.rest is not None:
                reasons[scope.rest.reason] += 1
                continue
            try:
                known[name] = encode(to_python(value))
            except NotPlain as missing:
                reasons[missing.unknown.reason] += 1
            except BudgetExceededError as error:
                reasons[str(error)] += 1
    return known, reasons
