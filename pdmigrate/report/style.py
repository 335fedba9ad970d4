"""Colour for terminals: the few ANSI codes that reports need, or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partialmethod

from pdmigrate.model import Severity

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_SEVERITIES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True, slots=True)
class Colours:
    """Wraps text in colour when ``colour`` is on; otherwise returns it unchanged."""

    colour: bool = False

    def _wrap(self, name: str, text: str) -> str:
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.colour else text

    bold = partialmethod(_wrap, "bold")
    dim = partialmethod(_wrap, "dim")
    good = partialmethod(_wrap, "green")
    bad = partialmethod(_wrap, "red")

    def severity(self, severity: Severity, text: str) -> str:
        return self._wrap(_SEVERITIES[severity], text)


PLAIN = Colours()
