"""The state of a run: recording its changes, rolling them back, and continuing from two possible histories.

A branch whose condition is not known is run between ``fork`` and ``capture``: the first change of an object in a branch
saves its snapshot, so that ``capture`` can return the changes and roll them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pdmigrate.evaluate.core.blurring import absorbs, blur
from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP, Budget
from pdmigrate.evaluate.core.joining import join_states
from pdmigrate.evaluate.core.values import Guard, Mutable, UnknownValue, now


class Delta(dict[Mutable, Any]):
    """Snapshots of objects at one moment (the start or the end of a branch).

    An object whose ``serial`` exceeds ``born`` was created in the branch, and has no other history outside of it.
    """

    __slots__ = ("born",)

    def __init__(self, items: Mapping[Mutable, Any] | None = None, *, born: int = 0) -> None:
        # Every side of every branch makes a delta, and most are empty.
        if items:
            self.update(items)
        self.born = born


class Trail:
    """The stack of open branches; each level has snapshots of the objects that it changed, from before the change."""

    def __init__(self, budget: Budget) -> None:
        self.levels: list[Delta] = []
        self.budget = budget
        self.changes = 0
        """How many changes of objects there were, scopes and iterators not counted."""
        self.restored = 0
        """How often objects were rolled back, scopes and iterators not counted."""
        self.bindings: dict[str, int] = {}
        """For each name: the number (``bound``) of its latest binding."""
        self.bound = 0
        """How many bindings of names there were."""

    @property
    def moment(self) -> tuple[int, int]:
        """A mark that changes when any object other than a scope or an iterator is changed or rolled back."""
        return self.changes, self.restored

    def touch(self, target: Mutable) -> None:
        """Save a snapshot of ``target`` if this branch has none; must be called before each change."""
        if target.is_counted:
            self.changes += 1
        if self.levels and target not in self.levels[-1]:
            saved = self.levels[-1][target] = target.snapshot()
            # Snapshots cost steps: a loop that changes a growing object saves it in every turn.
            if len(saved[0]) >= 16 or not len(self.levels[-1]) % PASSED_IN_A_STEP:
                self.budget.step(len(saved[0]) >> 4)

    def note(self, name: str) -> None:
        """Record a binding of ``name``, in whichever scope."""
        self.bound += 1
        self.bindings[name] = self.bound

    def fork(self) -> None:
        self.levels.append(Delta(born=now()))

    def capture(self) -> Delta:
        """End a branch: return the state that it left, and roll its changes back.

        Objects created in the branch keep their state: a module that was executed there is not executed again.
        """
        before = self.levels.pop()
        after = Delta({target: target.snapshot() for target in before}, born=before.born)
        for target, saved in before.items():
            if target.serial <= before.born:
                target.restore(saved)
                self.restored += target.is_counted
        return after

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Run the ``with`` block as a branch whose changes are rolled back, even if an exception leaves it."""
        depth = len(self.levels)
        self.fork()
        try:
            yield
        finally:
            del self.levels[depth + 1 :]
            self.capture()

    def keep(self) -> None:
        """End a branch whose changes stay."""
        before = self.levels.pop()
        if self.levels:
            for target, saved in before.items():
                self.levels[-1].setdefault(target, saved)

    def since(self, depth: int) -> Delta:
        """The snapshots, as of now, of all objects changed in the levels from ``depth`` on."""
        return Delta({target: target.snapshot() for level in self.levels[depth:] for target in level})

    def apply(self, delta: Delta) -> None:
        for target, saved in delta.items():
            self.touch(target)
            target.restore(saved)

    def join(self, guard: Guard, first: Delta, second: Delta) -> None:
        """Continue from two histories: ``first`` when ``guard`` holds, else ``second``."""
        for target in {**first, **second}:
            current = target.snapshot()
            self.touch(target)
            if target.serial > first.born and target not in second:
                target.restore(first[target])
            elif target.serial > second.born and target not in first:
                target.restore(second[target])
            else:
                target.restore(join_states(target, guard, first.get(target, current), second.get(target, current)))

    def allows(self, delta: Delta) -> bool:
        """Whether the current state already allows for ``delta`` to have happened, any number of times."""
        return all(
            target.serial > delta.born or absorbs(target, target.snapshot(), after) for target, after in delta.items()
        )

    def havoc(self, delta: Delta, reason: UnknownValue) -> None:
        """Continue after ``delta`` happened any number of times, or in part."""
        for target, after in delta.items():
            current = target.snapshot()
            self.touch(target)
            target.restore(after if target.serial > delta.born else blur(target, current, after, reason))
