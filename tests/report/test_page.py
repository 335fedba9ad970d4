"""The page of an audit: what it says, and that eyes, keyboards and screen readers get all of it."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest

from pdmigrate.audit import Catalogue, audited
from pdmigrate.audit.tokens import Estimate
from pdmigrate.audit.verdict import decide
from pdmigrate.report.audit import Judged
from pdmigrate.report.page import GENERATOR, audit_page
from pdmigrate.runtime.stubs import stub_schema
from tests.audit.listings import heavy, light, tool

HOSTILE = "</style><script>document.title = 'taken'</script><img src=x onerror=alert(1)> \u202e \ud800"


def judged(*catalogues: Catalogue) -> list[Judged]:
    audits = [audited(one, Estimate()) for one in catalogues]
    return [Judged(one, decide(one)) for one in audits]


SERVERS = judged(
    Catalogue("notes", tuple(light(3))),
    Catalogue("library", (*light(60), *heavy(8), {**tool("edit", sentences=9), "outputSchema": {"type": "object"}})),
    Catalogue(HOSTILE, ({"name": HOSTILE, "description": HOSTILE, "inputSchema": {"title": HOSTILE}},)),
    Catalogue("empty", ()),
)
PAGE = audit_page(SERVERS, "o200k, estimated")
AUDIT, VERDICT = SERVERS[1].audit, SERVERS[1].verdict
HEAVIEST = PAGE.partition('<section id="server-1"')[2].partition("</section>")[0]


def test_a_page_asks_for_nothing_and_says_what_it_is() -> None:
    assert GENERATOR in PAGE[:1000]
    assert not re.search(r"""\b(?:src|href)=["'](?!#)|@import|url\(""", PAGE)
    assert "<title>What the tools of these servers cost a model</title>" in PAGE


def test_what_a_server_says_is_shown_and_no_part_of_the_page() -> None:
    assert not re.search("<(?:script|img)|\u202e|\ud800", PAGE)
    assert "document.title = 'taken'" in unescape(PAGE)
    PAGE.encode()


def test_every_tool_has_its_figures_and_its_bars_the_heaviest_first() -> None:
    shown = re.findall(r"<summary><b>(.*?)</b>\n<span>(.*?)</span>\n(.*?)</summary>", HEAVIEST, re.S)
    expected = sorted(AUDIT.tools, key=lambda one: -one.now)
    assert [name for name, *_ in shown] == [cost.name for cost in expected]
    for (_, figures, bars), cost in zip(shown, expected, strict=True):
        left = "" if cost.name in VERDICT.take else ", left out"
        assert figures == f"{cost.now:,} → {cost.after:,} tokens{left}"
        *now, after = (float(width) for width in re.findall(r"width:([\d.]+)%", bars))
        # The parts of a tool are counted apart, which may come to a little more than the whole.
        assert sum(now) == pytest.approx(100 * cost.now / expected[0].now, rel=0.1, abs=1)
        assert after == pytest.approx(100 * cost.after / expected[0].now, rel=0.1, abs=1)
    assert all(title in HEAVIEST for title in (f"Now: {expected[0].now:,} tokens", f"Stub: {expected[0].after:,}"))


def test_the_lines_cross_where_the_table_changes_its_sign() -> None:
    lines = re.findall(r'<line class="(?:now|once)" x1="70" y1="([\d.]+)" x2="700" y2="([\d.]+)"', HEAVIEST)
    (now, _), (first, last) = ((float(start), float(end)) for start, end in lines)
    most = max(int(label) for label in re.findall(r'text-anchor="middle">(\d{1,3})<', HEAVIEST))
    assert (now - first) / (last - first) * most == pytest.approx(AUDIT.break_even_at_once, rel=0.2)
    (cells,) = re.findall(r'<th scope="row">fetched before the call</th>\n(.*?)</tr>', HEAVIEST, re.S)
    assert re.findall(r"<td>(.)", cells) == ["-" if point.at_once < 0 else "+" for point in AUDIT.curve()]


def test_what_is_closed_shows_both_sides_and_a_tool_is_told_in_words_to_who_sees_no_bars() -> None:
    """Browsers open and close ``details`` by themselves, from the keyboard too."""
    heaviest = heavy(1)[0]
    now, stub, *_ = re.findall(r"<h4>(.*?)</pre>", unescape(HEAVIEST), re.S)
    assert now.startswith("Now: ")
    assert stub.startswith("Stub: ")
    assert [heaviest["description"] in side for side in (now, stub)] == [True, False]
    assert {*stub_schema("skeleton", heaviest["inputSchema"])["properties"]} <= {*re.findall(r'"(\w+)": \{', stub)}
    images = re.findall(r'<svg [^>]*role="img" aria-labelledby="([\w-]+)">\n<title id="\1">(.*?)</title>', PAGE, re.S)
    assert len(images) == 3
    assert all(f"Now {one.audit.now:,}" in str(images) for one in SERVERS if one.audit.tools)
    levels = [int(level) for level in re.findall(r"<h(\d)", PAGE)]
    assert levels[0] == PAGE.count("<main>") == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert not re.search("<th(?! scope|ead>)", PAGE)
    assert PAGE.count('<span aria-hidden="true"><span class="bar">') == PAGE.count("<details>") > 70


def test_whatever_is_wide_is_scrolled_by_itself() -> None:
    assert len(re.findall(r'<div class="wide"[^>]*><table>', PAGE)) == PAGE.count("<table>") > 5


@pytest.mark.parametrize(("scheme", "dark"), [(":root {", False), ("scheme: dark) {", True)])
def test_text_and_marks_stand_out_in_light_and_dark(scheme: str, dark: bool) -> None:
    colours = dict(re.findall(r"--(\w+): #(\w+);", PAGE.partition(scheme)[2].partition("}")[0]))
    light = {name: luminance(colour) for name, colour in colours.items()}
    assert (light["page"] < light["text"]) is dark
    for name in light.keys() - {"page", "panel", "line"}:
        places = ("page",) if name in ("description", "schema", "rest", "after") else ("page", "panel")
        least = 3 if len(places) == 1 else 4.5
        for low, high in (sorted((light[name], light[place])) for place in places):
            assert (high + 0.05) / (low + 0.05) >= least, (name, places)


def luminance(colour: str) -> float:
    """How light a colour is, as the guidelines for accessible content define it."""
    parts = (
        int(part, 16) / 255 for part in re.findall("..", colour if len(colour) == 6 else re.sub("(.)", r"\1\1", colour))
    )
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
