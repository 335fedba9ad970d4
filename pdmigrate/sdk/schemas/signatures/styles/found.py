"""The parts found in a docstring."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

HEADINGS = frozenset(
    {
        *("attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes", "raise"),
        *("references", "return", "see-also", "tip", "todo", "warning", "yield"),
    }
)
"""The titles of sections without a form of their own that fastmcp tells from titled prose, since 4.1.7."""


@dataclass(slots=True)
class Parsed:
    """What a style finds in a docstring.

    ``structured``: some section was found that has a form of its own, or a title in ``HEADINGS``.  ``titled``: text was
    found under any other title.
    """

    description: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    structured: bool = False
    titled: bool = False
    sections: list[tuple[str, str]] = field(default_factory=list)
    """Section titles in lower case, each with the dedented text below it."""
    unsettled: str = ""
    """Why the SDK may read the docstring in another way; empty if it reads it in this one."""

    def keep(self, title: str, lines: list[str]) -> None:
        """Keep the text of a section under its title."""
        self.sections.append((title.lower(), textwrap.dedent("\n".join(lines)).strip("\n")))

    def head(self, title: str) -> None:
        """Note a section that is known by nothing but its title, which is in lower case."""
        self.structured = self.structured or title.replace(" ", "-") in HEADINGS
        self.titled = True

    def end_text(self, text: list[str]) -> None:
        """Take a stretch of text as the description if there is none yet."""
        if self.description is None and any(text):
            self.description = "\n".join(text).rstrip("\n")


def is_empty(line: str) -> bool:
    """Whether a line is empty or only whitespace."""
    return not line or line.isspace()
