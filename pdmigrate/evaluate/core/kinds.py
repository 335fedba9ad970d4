"""What is done with each kind of value, looked up by its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Do = TypeVar("Do", bound=Callable[..., Any])


class Kinds(dict[type, Do]):
    """What is done with a value, by its class: one that has nothing of its own does as the class that it derives from.

    What was looked up is remembered: nothing is asked for as often.
    """

    def __init__(self) -> None:
        super().__init__()
        self._own: dict[type, Do] = {}

    def of(self, *kinds: type) -> Callable[[Do], Do]:
        """Say what is done with these kinds."""

        def declare(function: Do) -> Do:
            self._own.update(dict.fromkeys(kinds, function))
            self.clear()
            return function

        return declare

    def __missing__(self, kind: type) -> Do:
        found = self[kind] = next(self._own[cls] for cls in kind.__mro__ if cls in self._own)
        return found
