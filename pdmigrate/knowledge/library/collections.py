"""``collections``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import declare, native
from pdmigrate.knowledge.builtin import dict_kinds

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import Arguments, Value

declare(dict_kinds.FUNCTIONS)


@native("collections.deque")
def _deque(_run: Interpreter, arguments: Arguments) -> Value:
    """A deque is not followed: it is not a list, and a change may drop elements at either end."""
    return reasons.unknown(reasons.UNSUPPORTED, "a deque", arguments.place)
