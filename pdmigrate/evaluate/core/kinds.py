"""Dispatch tables: a function for each kind of value, looked up by class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Do = TypeVar("Do", bound=Callable[..., Any])


class Kinds(dict[type, Do]):
    """Functions by class; a class without a function of its own uses that of the nearest class in its MRO.

    The dict itself remembers what was looked up: no other look-up is as frequent in a run.
    """

    def __init__(self) -> None:
        super().__init__()
        self._own: dict[type, Do] = {}

    def of(self, *kinds: type) -> Callable[[Do], Do]:
        """A decorator that registers a function for these kinds."""

        def declare(function: Do) -> Do:
            self._own.update(dict.fromkeys(kinds, function))
            self.clear()
            return function

        return declare

    def __missing__(self, kind: type) -> Do:
        found = self[kind] = next(self._own[cls] for cls in kind.__mro__ if cls in self._own)
        return found
