"""Take over servers that disclose progressively already: take out their own code for it, so that ours can go in.

``recognise/by_hand.py`` has found what such a server answers.  This package finds the statements behind the answers,
and takes out only those that do nothing else: removed code may compute, log, and remember who has fetched what, and no
code that stays may read any of that.  Every doubt leaves the server as it is, with the part named that stands in the
way.
"""

from __future__ import annotations

from pdmigrate.adopting.adopt import Adoption, adopt, around

__all__ = ["Adoption", "adopt", "around"]
