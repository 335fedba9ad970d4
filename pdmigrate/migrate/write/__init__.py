"""Carrying out a plan: all of it or nothing, whatever happens on the way."""

from __future__ import annotations

from pdmigrate.migrate.write.carrying import carry_out, check_fresh, inside, look, recover

__all__ = ["carry_out", "check_fresh", "inside", "look", "recover"]
