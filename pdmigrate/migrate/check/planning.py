"""What ``sync`` would do: the plan of ``apply`` for migrated servers, that of ``extract`` for those only described.

A generated module that was edited by hand is overwritten only on request.  If its servers now need features other than
those that the module has, they are left as they are: changing them by half would break them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pdmigrate.migrate.check.drift import module_drift
from pdmigrate.migrate.check.scope import Parts
from pdmigrate.migrate.plan import plan_extraction, plan_migration
from pdmigrate.model import Fate, FileChange, FileKind, Finding, Plan
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.model import Project, restricted
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.runtime.render import features
from pdmigrate.settings import Settings


@dataclass(frozen=True, slots=True)
class Planned:
    """The plans, all their changes by path, and findings for the modules that were edited by hand."""

    plans: tuple[Plan, ...]
    changes: Mapping[str, FileChange]
    edited: tuple[Finding, ...] = ()

    @property
    def failed(self) -> frozenset[str]:
        """The tools that were left as they are because of a conflict."""
        return frozenset(one.tool for plan in self.plans for one in plan.outcomes if one.fate is Fate.FAILED)


def planned(part: Parts, remembered: Lock, settings: Settings, *, overwrite: bool) -> Planned:
    """Plan for both kinds of servers, one after the other, so that the second plan knows what the first one changes."""
    migration, edited = _migration(part.migrated, remembered, settings, overwrite=overwrite)
    changes = {change.path: change for change in migration.changes}
    files = _after(part.described.files, changes.values())
    extraction = plan_extraction(replace(part.described, files=files), settings)
    changes.update((change.path, change) for change in extraction.changes)
    return Planned((migration, extraction), changes, edited)


def _after(files: Mapping[str, bytes], changes: Iterable[FileChange]) -> dict[str, bytes]:
    after = dict(files)
    for change in changes:
        if change.after is None:
            after.pop(change.path, None)
        else:
            after[change.path] = change.after
    return after


def _migration(
    project: Project, remembered: Lock, settings: Settings, *, overwrite: bool
) -> tuple[Plan, tuple[Finding, ...]]:
    if not project.inventory.servers and not remembered.modules:
        return Plan(()), ()
    plan = plan_migration(project, settings)
    edited = [] if overwrite else [change for change in plan.changes if _is_edited(change, remembered)]
    if not edited:
        return plan, ()
    entangled = {change.path for change in edited if change.after is None or _needs_more(change)}
    if entangled:
        plan = plan_migration(restricted(project, lambda _, home: entangled.isdisjoint(home.modules)), settings)
    return _keeping(plan, remembered, edited), tuple(module_drift(change, edited=True) for change in edited)


def _is_edited(change: FileChange, remembered: Lock) -> bool:
    if change.kind is not FileKind.MODULE or not change.changed or change.before is None:
        return False
    return lock.source_digest(change.before) != remembered.modules.get(change.path)


def _needs_more(change: FileChange) -> bool:
    """Whether a module's servers now need other features than the module has."""
    return features(change.before or b"") != features(change.after or b"")


def _keeping(plan: Plan, remembered: Lock, edited: list[FileChange]) -> Plan:
    """The plan without the changes of ``edited`` modules; the lock keeps what it remembers of these modules."""
    kept = {change.path for change in edited}
    changes = [change for change in plan.changes if change.path not in kept]
    for position, change in enumerate(changes):
        if change.path == LOCK_PATH and change.after is not None:
            after = lock.read({LOCK_PATH: change.after})
            modules = {**after.modules, **{path: remembered.modules[path] for path in kept & set(remembered.modules)}}
            changes[position] = replace(change, after=_unless_same(replace(after, modules=modules), change.before))
    return replace(plan, changes=tuple(changes))


def _unless_same(wanted: Lock, present: bytes | None) -> bytes:
    if present is not None and lock.decide_alike(wanted, lock.read({LOCK_PATH: present})):
        return present
    return lock.dump(wanted)
