"""Whether to migrate a server, and which of its tools: decided by what an ordinary session would save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pdmigrate.audit.economics import Audit, ToolCost
from pdmigrate.counting import plural

USES = 3
"""How many different tools of a server a session is assumed to use if the user does not say."""

LEAST_TOKENS, LEAST_SHARE = 500, 0.2
"""What a session must save for a migration to be worth a module, a hook and a second step for every model."""

SAME = 0.95
"""A server is migrated whole if that saves at least this share of the best saving: one rule is easier to live with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``word`` is what to do, ``reason`` one sentence with the figures, ``take`` the names of the tools to migrate.

    ``unknown`` means that migrating the tools that source settles does not pay, but there may be others.
    """

    word: Literal["migrate", "some", "not-worth-it", "unknown"]
    reason: str
    take: frozenset[str]
    saved: int
    """The tokens that the session saves; negative if it costs more."""


def decide(
    audit: Audit, uses: int = USES, candidates: frozenset[str] | None = None, *, exactly: bool = False
) -> Verdict:
    """The verdict on a server of which a session uses ``uses`` tools, each as likely as any other.

    Only ``candidates`` can be migrated (``None``: all tools can be); with ``exactly`` they are judged as they are,
    without a search for those of them that pay.
    """
    settled = not (audit.catalogue.uncounted or audit.catalogue.incomplete)
    if not audit.tools:
        if settled:
            return Verdict("not-worth-it", "it lists no tools", frozenset(), 0)
        return Verdict("unknown", "its tools are known only when it runs; ask it with --live", frozenset(), 0)
    used = min(uses, len(audit.tools))
    every = frozenset(tool.name for tool in audit.tools)
    whole = every if candidates is None else every & candidates
    paying = frozenset(tool.name for tool in audit.tools if exactly or _net(tool, audit, used) > 0) & whole
    all_saved, best_saved = _saved(audit, whole, used), _saved(audit, paying, used)
    take, saved = (whole, all_saved) if all_saved >= SAME * best_saved else (paying, best_saved)
    if take and saved >= LEAST_TOKENS and saved >= LEAST_SHARE * audit.now:
        word: Literal["migrate", "some"] = "migrate" if take == every else "some"
        return Verdict(word, _which(take, every) + _change(audit, used, saved), take, round(saved))
    if not settled:
        part = f"source settles {plural(len(audit.tools), 'tool')} and not the others; ask the server with --live"
        return Verdict("unknown", part, frozenset(), round(all_saved))
    reason = _which(whole, every) + _change(audit, used, all_saved)
    reason += "; under 500 tokens or a fifth of the listing is not worth a second step" if all_saved > 0 else ""
    return Verdict("not-worth-it", reason, frozenset(), round(all_saved))


def _which(take: frozenset[str], every: frozenset[str]) -> str:
    return "" if take == every else f"with {plural(len(take), 'tool')} migrated, "


def _net(tool: ToolCost, audit: Audit, used: int) -> float:
    """The tokens that migrating one tool saves in a session, less its share of the fetches."""
    return tool.gain - tool.fetched * used / len(audit.tools)


def _saved(audit: Audit, take: frozenset[str], used: int) -> float:
    if not take:
        return 0.0
    # The bridge names the tools that are left out, too.
    return sum(_net(tool, audit, used) for tool in audit.tools if tool.name in take) - audit.bridge - audit.guidance


def _change(audit: Audit, used: int, saved: float) -> str:
    every = len(audit.tools)
    session = f"a session that uses {used} of {every:,} tools" if every > 1 else "a session that uses the one tool"
    fetched = "each fetched first" if used > 1 else "fetched first"
    sent = f"{round(abs(saved)):,} tokens {'less' if saved > 0 else 'more'}"
    share = round(100 * abs(saved) / audit.now) if audit.now else 0
    return f"{session}, {fetched}, is sent {sent} ({share} % of the {audit.now:,} listed now)"
