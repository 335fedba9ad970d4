"""The parts found in a docstring."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field


@dataclass(slots=True)
class Parsed:
    """What a style finds in a docstring; ``structured``: some section was found."""

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Section titles in lower case, each with the dedented text below it."""
    unsettled: str = ""
    """Why the SDK may read the docstring in another way; empty if it reads it in this one."""

    def keep(self, title: str, lines: list[str]) -> None:
        """Keep the text of a section under its title."""
        self.sections.append((title.lower(), textwrap.dedent("\n".join(lines)).strip("\n")))

    def end_text(self, text: list[str]) -> None:
        """Take a stretch of text as the description if there is none yet."""
        if self.description is None and any(text):
            self.description = "\n".join(text).rstrip("\n")


def is_empty(line: str) -> bool:
    """Whether a line is empty or only whitespace."""
    return not line or line.isspace()
