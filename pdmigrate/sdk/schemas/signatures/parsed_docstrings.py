"""What an SDK reads from a docstring: a description, and texts for parameters."""

from __future__ import annotations

import inspect
import re

from pdmigrate.sdk.schemas.signatures.styles import Parsed, google, numpydoc, sphinx
from pdmigrate.sdk.schemas.unsettled import NOT_EVALUATED, UnsettledError


def compiled(doc: str | None, python: str) -> str | None:
    """The ``__doc__`` of a docstring as written in source: Python 3.13 and later remove its indentation.

    Source: "Compiler now strips common leading whitespace from every line in a docstring", What's New in Python 3.13.
    """
    match = re.match(r"3\.(\d+)", python)
    if doc is None or match is None or int(match[1]) < 13:
        return doc
    first, *rest = doc.expandtabs().split("\n")
    margin = min((_indent(line) for line in rest if line.strip(" ")), default=0)
    return "\n".join([first.lstrip(" "), *(line[min(margin, _indent(line)) :] for line in rest)])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def parsed(doc: str | None, looking_for: str) -> Parsed:
    """The parts of a docstring as fastmcp 3 and 4 read it: in the first style that finds what is looked for.

    ``looking_for``: texts for ``parameters`` (up to 4.0), ``sections`` with any title, or known ``headings`` (since
    4.1.7; any title makes prose of the kind ``if enabled:`` a section).  A docstring without any stays unchanged.

    Raises:
        UnsettledError: the docstring has a section that no style here reads.
    """
    text = inspect.cleandoc(doc or "")
    if not text:
        return Parsed()
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    for read in (google, numpydoc, sphinx):
        found = read(lines)
        if found.unsettled:
            raise UnsettledError(found.unsettled, NOT_EVALUATED)
        sectioned = found.structured or (found.titled and looking_for == "sections")
        if found.parameters or (sectioned and looking_for != "parameters"):
            return found
    return Parsed(text)
