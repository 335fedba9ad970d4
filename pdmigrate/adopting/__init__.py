"""Servers that disclose progressively already, by code of their own: that code taken out, so that ours can go in.

``evaluate/by_hand.py`` has found what such a server answers.  Here its statements are found, and only those go that do
nothing else: what is removed may compute, log, and remember who has fetched what, and nothing that stays may read any
of that.  Every doubt leaves the server as it is, with the part named that stands in the way.
"""

from __future__ import annotations

from pdmigrate.adopting.adopt import Adoption, adopt, around

__all__ = ["Adoption", "adopt", "around"]
