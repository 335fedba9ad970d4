"""Findings that the user has seen and does not want to see again, by a comment in the source or a setting.

    description=BANNER,  # pdmigrate: ignore[PD305] the banner is read from the release notes on purpose

The comment applies to the line it ends, and to all lines of a literal that ends there; alone on a line, it applies to
the next line of code.  It hides only the message: a tool that cannot be migrated is still not migrated, and still
counted.
"""

from __future__ import annotations

import dataclasses
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Inventory, Site

MARK = "pdmigrate:"
"""The text in every suppression; a file without it has none."""

_COMMENT = re.compile(r"#\s*pdmigrate:\s*ignore\b\s*(?:\[(?P<codes>[^\]]*)\])?(?P<reason>.*)")
_NOT_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment at ``site`` that applies to the lines ``first`` to ``last`` of the same file."""

    site: Site
    first: int
    last: int
    codes: tuple[str, ...]
    reason: str

    @property
    def problems(self) -> Iterator[Finding]:
        """Why the comment has no effect, or only a part of it."""
        if not self.reason:
            yield finding("PD804", "the suppression says no reason", site=self.site)
        if not self.codes:
            yield finding("PD805", "the suppression names no code", hint="write ignore[PD305] reason", site=self.site)
        for code in self.codes:
            if code not in CODES:
                yield finding("PD805", f"there is no code {code}", site=self.site)

    def covers(self, code: str, site: Site | None) -> bool:
        return (
            bool(self.reason)
            and code in self.codes
            and site is not None
            and site.file == self.site.file
            and self.first <= site.line <= self.last
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """Findings after suppression: those to report, sorted by place, and those that were hidden."""

    findings: tuple[Finding, ...]
    hidden: tuple[Finding, ...]


def apply(findings: Iterable[Finding], sources: Mapping[str, str], *, ignore: Collection[str] = ()) -> Kept:
    """Take out of ``findings`` what a comment in ``sources`` (path to text) or the setting ``ignore`` hides.

    A comment without a reason or with an unknown code hides nothing and is reported itself.
    """
    comments = [comment for path, text in sorted(sources.items()) for comment in suppressions(path, text)]
    kept: list[Finding] = []
    hidden: list[Finding] = []

    for found in findings:
        covered = any(comment.covers(found.code, found.site) for comment in comments)
        (hidden if covered or found.code in ignore else kept).append(found)
    kept += [found for comment in comments for found in comment.problems if found.code not in ignore]
    return Kept(tuple(sorted(set(kept), key=place)), tuple(sorted(set(hidden), key=place)))


def in_inventory(
    inventory: Inventory, sources: Mapping[str, str], *, ignore: Collection[str] = ()
) -> tuple[Inventory, Kept]:
    """``inventory`` without the findings that are hidden, and the result of the suppression."""
    before = tuple(inventory.all_findings())
    result = apply(before, sources, ignore=ignore)
    hidden = set(result.hidden)
    servers = [
        dataclasses.replace(
            server,
            tools=tuple(
                dataclasses.replace(tool, findings=tuple(f for f in tool.findings if f not in hidden))
                for tool in server.tools
            ),
        )
        for server in inventory.servers
    ]
    own = [f for f in inventory.findings if f not in hidden]
    added = [f for f in result.findings if f not in set(before)]
    return dataclasses.replace(inventory, servers=tuple(servers), findings=(*own, *added)), result


def place(found: Finding) -> tuple[str, int, str, str]:
    """The order in which findings are shown: by file and line, those without a place first."""
    return (found.site.file if found.site else "", found.site.line if found.site else 0, found.code, found.message)


def suppressions(path: str, text: str) -> list[Suppression]:
    """The suppressing comments of a Python file; text inside a string literal does not count."""
    if MARK not in text:
        return []
    result: list[Suppression] = []
    waiting: list[int] = []
    first = last = 0
    for token in _tokens(text):
        if token.type not in _NOT_CODE:
            first = min(first, token.start[0]) if token.end[0] == last else token.start[0]
            last = token.end[0]
            for index in waiting:
                result[index] = dataclasses.replace(result[index], first=token.start[0], last=token.start[0])
            waiting.clear()
        match = _COMMENT.search(token.string) if token.type == tokenize.COMMENT else None
        if match:
            line = token.start[0]
            codes = tuple(code.strip() for code in (match["codes"] or "").split(",") if code.strip())
            alone = last != line
            if alone:
                waiting.append(len(result))
            result.append(Suppression(Site(path, line), line if alone else first, line, codes, _reason(match)))
    return result


def _reason(match: re.Match[str]) -> str:
    return match["reason"].strip(" -:\t")


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens up to the first that this interpreter cannot read; suppressions after it hide nothing."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return
