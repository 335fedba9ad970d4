"""Lift guidance that the code already holds into the fields that the specification has for it (3.2, 4.4).

``examples`` are calls that somebody wrote: in an example section of a docstring, after a doctest prompt, in a fenced
block below such a title, or in the ``examples`` of a schema.  ``error_guidance`` are the sections about errors and
``usage_guidance`` those about when to use the tool.  No text is written here and no value is invented: a text that does
not clearly belong to one of these fields stays where it is, and a call that the tool's schema rejects is no example.
"""

from __future__ import annotations

from pdmigrate.describe.lifting.lift import FIELDS, lifted

__all__ = ["FIELDS", "lifted"]
