"""Take over servers that already disclose progressively: take out their own code for it, so that ours can go in.

``understand/by_hand.py`` has found what such a server answers.  This package finds the statements behind the answers,
and takes out only those that do nothing else: removed code may compute, log, and remember who has fetched what, and no
code that stays may read any of that.  In any doubt the server stays as it is, and the reason names the part that stands
in the way.
"""

from __future__ import annotations

from pdmigrate.project.adopting.adopt import Adoption, adopt, split_at_insertions

__all__ = ["Adoption", "adopt", "split_at_insertions"]
