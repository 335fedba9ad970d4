"""Tools in the forms of other systems: one module for each, which turns a ``Subject`` into texts.

Where a form cannot express a part of a definition, a finding (PD620) says so; nothing is dropped in silence.
"""

from __future__ import annotations

from pdmigrate.report.export.subject import Exported, Subject, subjects

__all__ = ["Exported", "Subject", "subjects"]
