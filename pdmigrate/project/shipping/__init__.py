"""Whether description files reach the wheel: build files read as text, and what has to change in them."""

from __future__ import annotations

from pdmigrate.project.shipping.building import Shipping, candidates, git_questions, surroundings
from pdmigrate.project.shipping.ship import ship

__all__ = ["Shipping", "candidates", "git_questions", "ship", "surroundings"]
