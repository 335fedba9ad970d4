"""A small abstract interpreter for Python over libcst: what a value is, or why that is not known.

It never imports or executes the program.  ``World`` is what dialects work with; ``evaluate_program`` evaluates one
piece of source on its own.
"""

from __future__ import annotations

from pdmigrate.evaluate.program import evaluate_program
from pdmigrate.evaluate.world import World

__all__ = ["World", "evaluate_program"]
