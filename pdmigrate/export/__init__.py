"""Tools in the forms of other systems: one module for each, which turns a ``Subject`` into texts.

A form that cannot say something that the definition says gets a finding (PD620) for it; nothing is dropped in silence.
"""

from __future__ import annotations

from pdmigrate.export.subject import Exported, Subject, subjects

__all__ = ["Exported", "Subject", "subjects"]
