"""Take over servers that disclose progressively already: their own code for that goes, so that ours can go in.

``evaluate/by_hand.py`` has found what such a server answers.  This package finds the statements that do it, and takes
out only those that do nothing else: what is removed may compute, log, and remember who has fetched what, and no code
that stays may read any of that.  Every doubt leaves the server as it is, with the part named that stands in the way.
"""

from __future__ import annotations

from pdmigrate.adopting.adopt import Adoption, adopt, around

__all__ = ["Adoption", "adopt", "around"]
