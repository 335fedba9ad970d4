"""The page of an audit: what it holds, and that it loads nothing."""

from __future__ import annotations

import re

from pdmigrate.audit import Catalogue, audited
from pdmigrate.audit.tokens import Estimate
from pdmigrate.audit.verdict import decide
from pdmigrate.report.audit import Judged
from pdmigrate.report.page import GENERATOR, audit_page
from tests.audit.listings import heavy, light, tool

HOSTILE = "</style><script>document.title = 'taken'</script><img src=x onerror=alert(1)> \u202e \ud800"


def judged(*catalogues: Catalogue) -> list[Judged]:
    audits = [audited(one, Estimate()) for one in catalogues]
    return [(one, decide(one)) for one in audits]


SERVERS = judged(
    Catalogue("notes", tuple(light(3))),
    Catalogue("library", (*light(60), *heavy(8), {**tool("edit", sentences=9), "outputSchema": {"type": "object"}})),
    Catalogue(HOSTILE, ({"name": HOSTILE, "description": HOSTILE, "inputSchema": {"title": HOSTILE}},)),
    Catalogue("empty", ()),
)
PAGE = audit_page(SERVERS, "o200k, estimated")


def test_a_page_asks_for_nothing_and_says_what_it_is() -> None:
    assert GENERATOR in PAGE[:1000]
    assert not re.search(r"""\b(?:src|href)=["'](?!#)|@import|url\(""", PAGE)
    assert "<script" not in PAGE


def test_every_tool_is_on_the_page_the_heaviest_first() -> None:
    library = PAGE[PAGE.index(">library<") :]
    heaviest = sorted(SERVERS[1][0].tools, key=lambda one: -one.now)
    assert all(f">{one.name}<" in library for one in heaviest)
    assert all(f"{one.now:,} → {one.after:,} tokens" in library for one in heaviest)
    places = [library.index(f">{one.name}<") for one in heaviest[:5]]
    assert places == sorted(places)
