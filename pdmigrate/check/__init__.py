"""Agreement of code, description files and generated module: a plan that must be empty, and what it says when not."""

from __future__ import annotations

from pdmigrate.check.comparing import Comparison, Wanted, compare

__all__ = ["Comparison", "Wanted", "compare"]
