"""Plans: everything that a command would do to a project, as one immutable value."""

from __future__ import annotations

from pdmigrate.migrate.plan.build import plan_extraction, plan_migration

__all__ = ["plan_extraction", "plan_migration"]
