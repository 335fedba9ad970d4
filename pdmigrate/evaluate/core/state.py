"""The state of a run: recording its changes, rolling them back, and joining two possible histories.

A branch whose condition is not known is run between ``fork`` and ``capture``: the first change of an object in a branch
saves its snapshot, so that ``capture`` can return the changes and roll them back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import leading_to, present
from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP, Budget
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    Choice,
    Const,
    DictValue,
    Entry,
    External,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    Mutable,
    Namespace,
    Scope,
    SetValue,
    Unbound,
    UnknownValue,
    Value,
    now,
)


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
    """The stack of open branches: for each level, the snapshots from before of the objects that it changed."""

    def __init__(self, budget: Budget) -> None:
        self.levels: list[Delta] = []
        self.budget = budget
        self.changes = 0
        """How many changes of objects there were, scopes and iterators not counted."""
        self.restored = 0
        """How often such an object was rolled back."""
        self.bindings: dict[str, int] = {}
        """For each name: the number (``bound``) of its latest binding."""
        self.bound = 0
        """How many bindings of names there were."""

    @property
    def moment(self) -> tuple[int, int]:
        """A mark that differs once any object has changed or was rolled back, scopes and iterators excepted."""
        return self.changes, self.restored

    def touch(self, target: Mutable) -> None:
        """Save a snapshot of ``target`` if this branch has none; must be called before each change."""
        if _is_counted(target):
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
                self.restored += _is_counted(target)
        return after

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


def _is_counted(target: Mutable) -> bool:
    return not isinstance(target, Scope) and not isinstance(target, IteratorValue)


def alike(first: Any, second: Any) -> bool:
    """Whether two snapshots of an object are identical, the order of elements included.

    Values are equal only when they are identical, so this compares addresses.
    """
    (one, reason), (two, other) = first[:2], second[:2]
    if reason is not other or one != two:
        return False
    return first[2:] == second[2:] and (isinstance(one, list) or list(one) == list(two))


def join_states(target: Mutable, guard: Guard, first: Any, second: Any) -> Any:
    """The state of ``target`` after two possible histories: ``first`` if ``guard`` holds, else ``second``."""
    if alike(first, second):
        return first
    return JOINS[type(target)](guard, first, second)


JOINS: Kinds[Callable[[Guard, Any, Any], Any]] = Kinds()


@JOINS.of(ListValue)
def _join_list(guard: Guard, first: Any, second: Any) -> Any:
    if _is_forgotten(first, second) or _is_forgotten(second, first):
        # Elements that may be left would only have to be forgotten again, each time.
        return [], leading_to(first[1], *_others(first[1], (*first[0], *second[0]), second[1].aliases))
    return join_lists(guard, first[0], second[0]), first[1] or second[1]


@JOINS.of(IteratorValue)
def _join_iterator(guard: Guard, first: Any, second: Any) -> Any:
    if first[2] is not second[2]:
        reason = f"an iterator is read only when {guard.condition}"
        return [], first[1] or second[1] or UnknownValue(reason, guard.unknown.code)
    return *_join_list(guard, first, second), *first[2:]


@JOINS.of(DictValue)
def _join_dict(guard: Guard, first: Any, second: Any) -> Any:
    order = first[2] or second[2] or _order(guard, first[0], second[0])
    return _join_maps(guard, first[0], second[0], _entry), first[1] or second[1], order


JOINS.of(SetValue)(
    lambda guard, first, second: (_join_maps(guard, first[0], second[0], _element), first[1] or second[1])
)
JOINS.of(Namespace)(lambda guard, first, second: (_join_names(guard, first[0], second[0]), first[1] or second[1]))


def _is_forgotten(state: Any, other: Any) -> bool:
    """Whether a list's content is forgotten in ``state``, and ``other`` has only conditional elements besides."""
    known = state[0] or other[1] is None or state[1] is None or state[1].code != reasons.MUTATED
    return not known and all(type(item) is Maybe for item in other[0])


def _others(known: UnknownValue, items: Iterable[Value], aliases: Iterable[Value]) -> Iterator[Value]:
    """Those of a list's ``items`` and ``aliases`` that are not aliases of ``known``, each once."""
    before = set(map(id, known.aliases))
    for value in (*map(present, items), *aliases):
        if id(value) not in before:
            before.add(id(value))
            yield value


UNBOUND = Unbound()


def join_values(guard: Guard, first: Value, second: Value) -> Value:
    if same(first, second):
        return first
    return Choice(guard, first, second)


def same(first: Value, second: Value) -> bool:
    """Whether two values are interchangeable: identical, or equal scalars, or the same name from outside the tree."""
    if first is second:
        return True
    if isinstance(first, Const) and isinstance(second, Const):
        return type(first.value) is type(second.value) and first.value == second.value
    return (
        isinstance(first, External)
        and isinstance(second, External)
        and first.name == second.name
        and not first.is_result
    )


def _alike_from_start(first: Iterable[Value], second: Iterable[Value]) -> int:
    count = 0
    for one, two in zip(first, second, strict=False):
        if one is not two and not same(one, two):
            break
        count += 1
    return count


def join_lists(guard: Guard, first: list[Value], second: list[Value]) -> list[Value]:
    shorter = min(len(first), len(second))
    # Most lists are only appended to on one side: comparing the slices settles these at once.
    start = shorter if first[:shorter] == second[:shorter] else _alike_from_start(first, second)
    end = _alike_from_start(islice(reversed(first), shorter - start), reversed(second))
    between = _join_unlike(guard, first[start : len(first) - end], second[start : len(second) - end])
    return [*first[:start], *between, *(first[len(first) - end :] if end else ())]


def _join_unlike(guard: Guard, first: list[Value], second: list[Value]) -> list[Value]:
    """Join lists without a common start or end: an object in both appears once, so that filtering doubles nothing."""
    first, second = list(map(flat, first)), list(map(flat, second))
    ones, twos = _by_object(first), _by_object(second)
    order = merged_order(ones, twos)
    if order is None or len(ones) < len(first) or len(twos) < len(second):
        inverse = guard.inverse()
        return [*(Maybe(item, guard) for item in first), *(Maybe(item, inverse) for item in second)]
    return [in_either(guard, ones.get(key), twos.get(key)) for key in order]


def flat(item: Value) -> Value:
    """``item`` with its nested conditions merged into one ``Maybe``."""
    if type(item) is not Maybe or type(item.value) is not Maybe:
        return item
    guards: list[Guard] = []
    while type(item) is Maybe:
        guards.append(item.guard)
        item = item.value
    conditions = dict.fromkeys(guard.condition for guard in guards)
    return Maybe(item, guards[0] if len(conditions) == 1 else _told(" and ".join(conditions), guards[0].unknown))


def _told(text: str, unknown: UnknownValue) -> Guard:
    """A guard whose text combines other conditions: a long one is replaced, since each further join may double it."""
    return Guard(text if len(text) <= LONGEST_CONDITION else "several conditions hold", unknown)


LONGEST_CONDITION = 200


def _by_object(items: Iterable[Value]) -> dict[Hashable, Value]:
    return {id(present(item)): item for item in items}


def _entry(guard: Guard, first: Entry | None, second: Entry | None) -> Entry:
    present = first or second
    assert present is not None
    return Entry(present.key, in_either(guard, first.value if first else None, second.value if second else None))


def _element(guard: Guard, first: Value | None, second: Value | None) -> Value:
    if first is not None and second is not None and not isinstance(first, Maybe) and not isinstance(second, Maybe):
        return first
    return in_either(guard, first, second)


def in_either(guard: Guard, first: Value | None, second: Value | None) -> Value:
    """An element after two histories, in each of which it may be absent (``None``) or conditional (``Maybe``)."""
    if first is None or second is None:
        present = first or second
        assert present is not None
        return Maybe(present, guard if first else guard.inverse())
    if not isinstance(first, Maybe) and not isinstance(second, Maybe):
        return join_values(guard, first, second)
    inside = [item.value if isinstance(item, Maybe) else item for item in (first, second)]
    conditions = [item.guard if isinstance(item, Maybe) else None for item in (first, second)]
    return Maybe(join_values(guard, *inside), _whichever(guard, *conditions))


def _whichever(guard: Guard, first: Guard | None, second: Guard | None) -> Guard:
    """The condition that is ``first`` where ``guard`` holds and ``second`` where it does not; ``None`` always holds."""
    if first is not None and second is not None and first.text == second.text and first.negated is second.negated:
        return first
    known = first or second
    assert known is not None
    sides = [f"{guard.condition} and {first.condition}" if first else guard.condition]
    inverse = guard.inverse().condition
    sides.append(f"{inverse} and {second.condition}" if second else inverse)
    return _told(" or ".join(sides), known.unknown)


def _join_names(guard: Guard, first: dict[str, Value], second: dict[str, Value]) -> dict[str, Value]:
    joined = {**first, **second}
    for name, value in joined.items():
        one, two = first.get(name, UNBOUND), second.get(name, UNBOUND)
        joined[name] = value if one is two else join_values(guard, one, two)
    return joined


def _join_maps(guard: Guard, first: dict[Hashable, Any], second: dict[Hashable, Any], join: Any) -> Any:
    return {key: join(guard, first.get(key), second.get(key)) for key in _merged(first, second)}


Key = TypeVar("Key", bound=Hashable)


def merged_order(first: Mapping[Key, Value], second: Mapping[Key, Value]) -> list[Key] | None:
    """The keys of both in an order consistent with each; ``None`` if they order shared keys differently.

    Where neither decides which of two keys comes first, the older object does: it did in the list that both were
    filtered from.
    """
    if not _same_order(first, second):
        return None
    ones, twos, order = deque(first), deque(second), list[Key]()
    while ones or twos:
        left = ones[0] if ones and ones[0] not in second else None
        right = twos[0] if twos and twos[0] not in first else None
        if left is not None and (right is None or _age(first[left]) <= _age(second[right])):
            order.append(ones.popleft())
        elif right is not None:
            order.append(twos.popleft())
        else:
            order.append(ones.popleft())
            twos.popleft()
    return order


def _age(item: Value) -> int:
    inner = present(item)
    return inner.serial if isinstance(inner, Mutable) else 0


def _merged(first: Iterable[Key], second: Iterable[Key]) -> dict[Key, None]:
    """The keys of both, in an order consistent with each if they order shared keys alike."""
    merged: dict[Key, None] = {}
    ones = dict.fromkeys(first)
    left = iter(ones)
    for key in second:
        # Keys that only ``first`` has come before the shared key that follows them there.
        while key in ones and key not in merged:
            merged[next(left)] = None
        merged[key] = None
    return {**merged, **ones}


def _order(guard: Guard, first: dict[Hashable, Any], second: dict[Hashable, Any]) -> UnknownValue | None:
    """Why the entries of a dict may be in the order of either history; ``None`` if both have the same order."""
    if _same_order(first, second):
        return None
    return UnknownValue(f"the order of a dict depends on {guard.question}: {guard.unknown.root}", guard.unknown.code)


def _same_order(first: Mapping[Key, Any], second: Mapping[Key, Any]) -> bool:
    return [key for key in first if key in second] == [key for key in second if key in first]


def doubtful(items: list[Value], reason: UnknownValue) -> list[Value]:
    """``items``, each of which may have been removed or moved."""
    guard = Guard("it is still there", reason)
    return [Maybe(item, guard) for item in items]


def blur(target: Mutable, before: Any, after: Any, reason: UnknownValue) -> Any:
    """The state of ``target`` after the change from ``before`` to ``after`` happened in part, or several times."""
    return BLURS[type(target)](before, after, reason)


BLURS: Kinds[Callable[[Any, Any, UnknownValue], Any]] = Kinds()


@BLURS.of(ListValue)
def _blur_list(before: Any, after: Any, reason: UnknownValue) -> Any:
    rest = before[1] or after[1]
    if len(after[0]) >= len(before[0]) and all(map(same, before[0], after[0])):
        longer = len(after[0]) > len(before[0])
        return before[0], leading_to(rest or reason, *after[0][len(before[0]) :]) if longer else rest
    return doubtful(before[0], reason), leading_to(rest or reason, *after[0])


@BLURS.of(IteratorValue)
def _blur_iterator(before: Any, after: Any, reason: UnknownValue) -> Any:
    if not before[2]:
        return _blur_list(before, after, reason)
    rest = before[1] or after[1]
    return (before[0], rest, *before[2:]) if after[2] else ([], rest or reason)


@BLURS.of(Namespace)
def _blur_names(before: Any, after: Any, reason: UnknownValue) -> Any:
    names = {
        name: value
        if name in before[0] and same(before[0][name], value)
        else leading_to(reason, value, before[0].get(name, UNBOUND))
        for name, value in {**before[0], **after[0]}.items()
    }
    return names, before[1] or after[1]


@BLURS.of(DictValue)
def _blur_dict(before: Any, after: Any, reason: UnknownValue) -> Any:
    lost = [entry.value for part in (before, after) for entry in part[0].values()]
    return *_blurred_map(before, after, reason, lost), _blurred_order(before, after, reason)


@BLURS.of(SetValue)
def _blur_set(before: Any, after: Any, reason: UnknownValue) -> Any:
    return _blurred_map(before, after, reason, [item for part in (before, after) for item in part[0].values()])


def _blurred_map(before: Any, after: Any, reason: UnknownValue, lost: list[Value]) -> Any:
    rest, changed = before[1] or after[1], _changed(before, after)
    kept = {key: value for key, value in before[0].items() if key not in changed}
    return kept, leading_to(rest or reason, *lost) if changed else rest


def absorbs(target: Mutable, before: Any, after: Any) -> bool:
    """Whether the state ``before`` already allows for the change to ``after``, any number of times."""
    if before[1] is None and after[1] is not None:
        return False
    return ABSORBS[type(target)](before, after)


ABSORBS: Kinds[Callable[[Any, Any], bool]] = Kinds()


@ABSORBS.of(ListValue)
def _list_absorbs(before: Any, after: Any) -> bool:
    if len(after[0]) >= len(before[0]) and all(map(same, before[0], after[0])):
        return before[1] is not None or len(after[0]) == len(before[0])
    return before[1] is not None and all(type(item) is Maybe for item in before[0])


@ABSORBS.of(Namespace)
def _names_absorb(before: Any, after: Any) -> bool:
    return all(isinstance(before[0].get(name), UnknownValue) for name in _changed(before, after))


@ABSORBS.of(DictValue)
def _dict_absorbs(before: Any, after: Any) -> bool:
    moved = after[2] is not None or not _same_order(before[0], after[0])
    return (not moved or before[2] is not None) and _set_absorbs(before, after)


@ABSORBS.of(SetValue)
def _set_absorbs(before: Any, after: Any) -> bool:
    changed = _changed(before, after)
    return not changed or (before[1] is not None and not any(key in before[0] for key in changed))


def _blurred_order(before: Any, after: Any, reason: UnknownValue) -> UnknownValue | None:
    known = before[2] or after[2]
    return known if known is not None or _same_order(before[0], after[0]) else reason


def _changed(before: Any, after: Any) -> list[Hashable]:
    """The keys that were added, removed, or bound to another value."""
    return [
        key
        for key in {**before[0], **after[0]}
        if key not in before[0] or key not in after[0] or _differs(before, after, key)
    ]


def _differs(before: Any, after: Any, key: Hashable) -> bool:
    first, second = before[0][key], after[0][key]
    return not (same(first.value, second.value) if isinstance(first, Entry) else same(first, second))
