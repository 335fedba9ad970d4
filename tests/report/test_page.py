"""The page of an audit, as text and as a browser without a network shows it.

``python -m tests.report.test_page`` takes the pictures in ``docs/images`` anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.audit import Catalogue, audited
from pdmigrate.audit.tokens import Estimate
from pdmigrate.audit.verdict import decide
from pdmigrate.report.audit import Judged
from pdmigrate.report.page import GENERATOR, audit_page
from pdmigrate.runtime.stubs import stub_schema
from tests.audit.listings import heavy, light, tool
from tests.support.browser import Page, browser

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


def test_the_table_has_the_change_for_each_number_of_tools_in_both_ways() -> None:
    for title, shares in (
        ("fetched before the call", [point.at_once for point in AUDIT.curve()]),
        ("refused first", [point.refused_first for point in AUDIT.curve()]),
    ):
        (cells,) = re.findall(rf'<th scope="row">{title}</th>\n(.*?)</tr>', HEAVIEST, re.S)
        assert re.findall(r"<td>(.)", cells) == ["-" if share < 0 else "+" for share in shares]


ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as page:
        yield page


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "audit.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_nothing_is_loaded_and_nothing_complained_of(page: Page, file: Path) -> None:
    page.open(file)
    assert page.run("document.title") == "What the tools of these servers cost a model"
    assert page.asked == [file.as_uri()]
    assert page.log == []
    assert page.run("document.querySelectorAll('script, img').length") == 0


def test_a_tool_is_opened_from_the_keyboard_and_stands_side_by_side(page: Page, file: Path) -> None:
    page.open(file)
    focused = "document.activeElement.matches('#server-1 li:first-child > details > summary')"
    for _ in range(30):
        page.press("Tab")
        if page.run(focused):
            break
    else:
        pytest.fail("no tool can be reached with the Tab key")
    assert page.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press("Enter")
    left, right = page.run(
        "[...document.activeElement.parentElement.querySelectorAll('.sides > div')].map(side => ("
        "{...side.getBoundingClientRect().toJSON(), text: side.innerText}))"
    )
    assert left["width"] > 200
    assert left["height"] > 50
    assert left["top"] == right["top"]
    assert left["right"] <= right["left"]
    heaviest: dict[str, Any] = heavy(1)[0]
    assert left["text"].startswith("Now: ")
    assert heaviest["description"] in left["text"]
    assert right["text"].startswith("Stub: ")
    assert heaviest["description"] not in right["text"]
    assert set(stub_schema("skeleton", heaviest["inputSchema"])["properties"]) <= set(
        re.findall(r'"(\w+)": \{', right["text"])
    )
    page.press("Enter")
    assert page.run("document.querySelectorAll('[open]').length") == 0


def test_a_screen_reader_is_told_everything_in_order(page: Page, file: Path) -> None:
    page.open(file)
    nodes = page.nodes()
    roles = [role for role, _, _ in nodes]
    assert roles.count("main") == 1
    levels = [properties["level"] for role, _, properties in nodes if role == "heading"]
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))
    tools = [name for role, name, _ in nodes if role == "DisclosureTriangle"]
    assert len(tools) == sum(len(one.audit.tools) for one in SERVERS)
    assert all(re.search(r"\d+ → \d+ tokens", name) for name in tools)
    headers = [name for role, name, _ in nodes if role in ("rowheader", "columnheader")]
    assert {"Listing now", "One description", "Tools", "refused first"} <= set(headers)
    assert all(name for _, name, properties in nodes if properties.get("focusable"))


CONTRASTS = """
(() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => { const [r, g, b] = numbers(colour).map(one => one / 255)
    .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = one => { for (; one; one = one.parentElement) { const found = getComputedStyle(one).backgroundColor;
    if (numbers(found)[3] !== 0) return found; } return 'rgb(255, 255, 255)'; };
  const ratio = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05); };
  const said = [...document.querySelectorAll('main *:not(title)')].filter(one =>
    [...one.childNodes].some(child => child.nodeType === 3 && child.textContent.trim()));
  const texts = said.map(one => { const style = getComputedStyle(one);
    return ratio(style.color, behind(one)); });
  const marks = [...document.querySelectorAll('i')].map(one =>
    ratio(getComputedStyle(one).backgroundColor, behind(one.parentElement)));
  return {page: behind(document.body), texts: [texts.length, Math.min(...texts)],
    marks: Math.min(...marks)};
})()
"""


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_text_and_marks_stand_out_in_light_and_dark(page: Page, file: Path, scheme: str, dark: bool) -> None:
    page.open(file, scheme=scheme)
    page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    found = page.run(CONTRASTS)
    assert (sum(map(int, re.findall(r"\d+", found["page"])[:3])) < 380) is dark
    count, least = found["texts"]
    assert count > 400
    assert least >= 4.5
    assert found["marks"] >= 3


@pytest.mark.parametrize("width", [320, 700, 1600])
def test_a_window_of_any_width_needs_no_scrolling_sideways(page: Page, file: Path, width: int) -> None:
    page.open(file, width=width)
    page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.run("document.documentElement.scrollWidth") <= width


def take_pictures() -> None:
    """Write ``docs/images/audit-light.png`` and ``audit-dark.png``: the audit of a sample server."""
    from pdmigrate.audit import from_server
    from pdmigrate.understand.inventory.extract import extract

    folder = ROOT / "docs" / "images"
    folder.mkdir(exist_ok=True)
    (catalogue,) = map(from_server, extract(ROOT / "sample_servers" / "mcp1_lowlevel").servers)
    audit = folder / "audit.html"
    with browser() as page:
        audit.write_text(audit_page(judged(catalogue), "o200k, estimated"), encoding="utf-8")
        for scheme in ("light", "dark"):
            page.open(audit, scheme=scheme, width=900)
            page.run("document.querySelector('details').open = true")
            (folder / f"audit-{scheme}.png").write_bytes(page.picture(1600))
    audit.unlink()


if __name__ == "__main__":
    take_pictures()
