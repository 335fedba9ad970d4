"""What is found in a docstring."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field


@dataclass(slots=True)
class Parsed:
    """``description`` is ``None`` where there is none; ``structured``: some section was found."""

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Titles in small letters, and the text below each, indentation taken away."""

    def keep(self, title: str, lines: list[str]) -> None:
        """Remember the text of a section."""
        self.sections.append((title.lower(), textwrap.dedent("\n".join(lines)).strip("\n")))

    def end_text(self, text: list[str]) -> None:
        """Take a stretch of text as the description, if it is the first."""
        if self.description is None and any(text):
            self.description = "\n".join(text).rstrip("\n")


def is_empty(line: str) -> bool:
    """Whether nothing can be seen in a line."""
    return not line or line.isspace()
