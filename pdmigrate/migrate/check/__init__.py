"""Whether code, description files and generated module agree: a plan that must be empty, and findings if it is not."""

from __future__ import annotations

from pdmigrate.migrate.check.comparing import Comparison, Wanted, compare

__all__ = ["Comparison", "Wanted", "compare"]
