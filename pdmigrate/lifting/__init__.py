"""Lift guidance that the code already holds into the fields that the specification has for it (3.2, 4.4).

``examples`` are calls that somebody wrote: in an example section of a docstring, after a doctest prompt, in a fenced
block below such a title, or in the ``examples`` of a schema.  ``error_guidance`` are the sections about errors and
``usage_guidance`` those about when to use the tool.  Nothing is put into words here and no value is made up: a text
that is not plainly one of these stays where it is, and a call that the tool's own schema refuses is no example.
"""

from __future__ import annotations

from pdmigrate.lifting.lift import FIELDS, lifted

__all__ = ["FIELDS", "lifted"]
