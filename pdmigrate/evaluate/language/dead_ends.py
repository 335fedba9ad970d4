"""Branches that end the program: only a bounded effort is spent on what they do before.

A command that starts a server often does something else on request: it writes documentation, checks its settings, lists
its tools, and exits.  None of that affects the server that starts without such a request, however much there is to
evaluate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import BudgetExceededError
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.tree.code.leaving import ends_program

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame, Leaving
    from pdmigrate.evaluate.core.interpreter import Interpreter

LEAST = 2_000
SHARE = 48
"""A branch may take ``1 / SHARE`` of the steps that are left, and at least ``LEAST`` steps."""


def run_side(
    run: Interpreter, block: cst.BaseSuite, frame: Frame, follow: Callable[[], Leaving | None]
) -> Leaving | None:
    """Run one branch of an unknown condition by ``follow``, with bounded effort if the branch ends the program.

    Raises:
        AbstractRaise: the program ends here, perhaps after code that takes too many steps.
        BudgetExceededError: the branch does not end the program, the whole budget is spent, or a value is too large.
    """
    if not ends_program(block):
        return follow()
    budget, levels, pending = run.budget, len(run.trail.levels), len(frame.pending)
    nesting = run.nesting.mark()
    granted = min(budget.steps, max(LEAST, budget.steps // SHARE))
    kept, budget.steps = budget.steps - granted, granted
    try:
        return follow()
    except BudgetExceededError:
        if budget.steps >= 0 or kept <= 0:
            raise
        while len(run.trail.levels) > levels:
            run.trail.keep()
        del frame.pending[pending:]
        run.nesting.unwind(nesting)
        place = frame.place(block)
        run.doubt = run.doubt or reasons.unknown(reasons.BUDGET, "what is done before the program ends", place)
        raise AbstractRaise("SystemExit") from None
    finally:
        budget.steps = max(budget.steps, 0) + kept
