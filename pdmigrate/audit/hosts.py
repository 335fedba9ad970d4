"""What hosts and providers do to a server as it is today, before any migration."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pdmigrate.audit.catalogue import Catalogue
from pdmigrate.audit.clients import Rule, refusals, rules
from pdmigrate.audit.search import SearchIndex, document, words
from pdmigrate.describe.sentences import summarise
from pdmigrate.model import JsonObject

COMMON, SHARE = 20, 0.25
"""A word does not distinguish tools if it is in more than ``COMMON`` of them and in more than the share ``SHARE``."""


@dataclass(frozen=True, slots=True)
class Remark:
    """``message`` says what happens to ``tool`` (``None``: to the server), and ``rule`` whose rule that is.

    ``kind`` is the same for remarks that differ only in the tool; ``lost`` is the text that is cut off.
    """

    code: str
    kind: str
    message: str
    rule: Rule
    tool: str | None = None
    lost: str = ""
    more: tuple[Rule, ...] = ()
    """Rules of other hosts to the same effect."""

    @property
    def source(self) -> str:
        """Where the rule was seen, and when."""
        return "; ".join(f"{rule.source}, {rule.date}" for rule in (self.rule, *self.more))


def remarks(catalogue: Catalogue) -> Iterator[Remark]:
    """All remarks about a server, the worst first."""
    yield from _refused(catalogue.tools)
    yield from _named(catalogue)
    yield from _cut(catalogue)
    yield from _confused(catalogue.tools)
    if catalogue.tools:
        yield deferring()


def deferring() -> Remark:
    """The remark about hosts for whose users a migration changes little."""
    found = [rule for name, rule in rules().items() if name.startswith("defers")]
    hosts = " and ".join(", ".join(rule.who for rule in found).rsplit(", ", 1))
    kind = f"{hosts} show a model only the tools that it asks for: there a shorter listing saves little"
    return Remark("PD635", kind, kind, found[0], more=tuple(found[1:]))


def _refused(tools: Sequence[JsonObject]) -> Iterator[Remark]:
    for tool in tools:
        seen: dict[str, int] = defaultdict(int)
        for refusal in refusals(tool):
            if refusal.name == "name":
                continue
            seen[refusal.problem] += 1
            if seen[refusal.problem] == 1:
                where = f", at {refusal.path}" if refusal.path else ""
                problem = f"{refusal.rule.who} may refuse a schema: {refusal.problem}"
                yield Remark("PD632", problem, f"{problem}{where}", refusal.rule, str(tool["name"]))


def _named(catalogue: Catalogue) -> Iterator[Remark]:
    names = [str(tool["name"]) for tool in catalogue.tools]
    alike: dict[str, list[str]] = defaultdict(list)
    for name in names:
        alike[re.sub(r"[^A-Za-z0-9]", "_", name).lower()].append(name)
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            kind = "OpenAI and Anthropic take names of letters, digits, _ and -, at most 64 of them"
            yield Remark("PD633", kind, f"{kind}: {len(name)} here", rules()["name"], name)
        else:
            yield from _long(name, catalogue.name)
    for same in alike.values():
        if len(same) > 1:
            kind = "hosts that replace characters or ignore case may confuse these tools"
            yield Remark("PD633", kind, f"{kind}: {', '.join(same)}", rules()["names alike"], same[0])


def _long(name: str, server: str) -> Iterator[Remark]:
    """Remarks about a tool's name that is too long with the server's; users often add a server under its own name."""
    stem = re.sub(r"[^A-Za-z0-9_-]", "_", server)
    for host, whole in (("Cursor", f"{stem}:{name}"), ("Claude Code", f"mcp__{stem}__{name}")):
        rule = rules()[f"name with its server, {host}"]
        if len(whole) > rule.limit:
            kind = f"{host} takes at most {rule.limit} characters for a tool's name with its server's"
            yield Remark("PD633", kind, f"{kind}: {len(whole)} if it is added as {stem}", rule, name)


def _cut(catalogue: Catalogue) -> Iterator[Remark]:
    rule = rules()["cut"]
    for tool in catalogue.tools:
        description = tool.get("description")
        if isinstance(description, str) and len(description) > rule.limit:
            yield _lost(rule, f"a description of {len(description):,}", description, str(tool["name"]))
    instructions = catalogue.instructions or ""
    if len(instructions) > rule.limit:
        yield _lost(rule, f"the server's instructions of {len(instructions):,}", instructions, None)


def _lost(rule: Rule, what: str, text: str, tool: str | None) -> Remark:
    kind = f"{rule.who} cuts what is longer than {rule.limit:,} characters"
    return Remark("PD631", kind, f"{kind}: {what} loses its end", rule, tool, text[rule.limit :])


def _confused(tools: Sequence[JsonObject]) -> Iterator[Remark]:
    """Remarks about tools whose own first sentence finds a sibling first, or as well, in hosts with keyword search."""
    index = SearchIndex([document(tool) for tool in tools])
    most = max(COMMON, SHARE * len(tools))
    for number, tool in enumerate(tools):
        description = tool.get("description")
        asked = words(summarise(description) or "") if isinstance(description, str) else []
        scores = index.scores([word for word in asked if index.frequency(word) <= most])
        top = max(scores)
        if top > 0 and (scores[number] < top or scores.count(top) > 1):
            scores_of_others = [-1.0 if other == number else score for other, score in enumerate(scores)]
            best = tools[scores_of_others.index(top)]["name"]
            how = "just as well" if scores[number] == top else "first"
            kind = "a search for the first sentence of a description finds a sibling first"
            found = f"a search for its first sentence finds {best} {how}"
            yield Remark("PD634", kind, found, rules()["found by search"], str(tool["name"]))
