"""Black-box verification: does a running server do what the specification asks for, and what it did before?

Nothing here knows how a server was made, so any server in any language can be verified.  Tools are called as little as
possible, and only in ways that do nothing (``picks.py``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pdmigrate import disk
from pdmigrate.live.verify import authorization, comparison, definitions, disclosure, listing
from pdmigrate.live.verify.answers import name_of, text_of
from pdmigrate.live.verify.model import CheckResult, CheckVerdict, Interview, Level, Report, Status
from pdmigrate.live.verify.picks import Pick
from pdmigrate.live.verify.script import interview
from pdmigrate.live.wire import StdioTarget, Target
from pdmigrate.live.wire.session import PROTOCOL_VERSION
from pdmigrate.model import JsonObject, mapping

JUDGES = {**listing.JUDGES, **disclosure.JUDGES, **definitions.JUDGES, **authorization.JUDGES}
CHECKS: Mapping[str, dict[str, Any]] = json.loads(disk.packaged("live/verify/checks.json"))
"""Every clause that is put to a server, in the order of the specification's criteria.

The id is a criterion of the specification's section 9 (``9.5``), optionally with a part of it (``9.5-body``), or the
clause itself (``6.3``).  ``wants`` says what the clause asks for, ``hint`` what to do when that is missing.  What is
``strict`` is binding in a strict report.
"""


def verify(
    target: Target,
    *,
    before: Target | None = None,
    tool: str | None = None,
    arguments: JsonObject | None = None,
    timeout: float = 30.0,
    protocol: str = PROTOCOL_VERSION,
    strict: bool = False,
) -> Report:
    """Make every check of the server at ``target``; with ``before``, also compare it with the unmigrated server.

    ``target`` is a command to start (up to three times, one after the other) or a URL.  ``tool`` names the tool to
    call, ``arguments`` what to call it with; without ``tool`` the least harmful tool is called with arguments that it
    rejects, and no tool at all where none is known to be harmless.  ``timeout`` bounds every single request, in
    seconds.  ``protocol`` is the version to speak; from 2026-07-28 on there is no handshake, and over HTTP there are no
    sessions.  With ``strict`` a deviation from the letter of the specification is a failure, even if the server is
    configured for it.  Raises WireError if a server does not start, does not answer ``initialize``, or does not list
    its tools; UsageError if the server lists no tool named ``tool``.
    """
    target = _in_one_order(target)
    before = _in_one_order(before) if before is not None else None
    old = comparison.record(before, timeout=timeout, protocol=protocol) if before is not None else None
    originals = {name_of(tool): tool for tool in old.tools} if old is not None else {}
    rehearse = {name: mapping(originals[name].get("inputSchema")) for name in old.rehearsed} if old is not None else {}
    chosen = Pick(tool, "chosen with --tool", arguments) if tool is not None else None
    seen = interview(target, chosen=chosen, timeout=timeout, protocol=protocol, rehearse=rehearse)
    seen = replace(seen, originals=originals)
    compared = comparison.compare(old, seen) if old is not None else ()
    return _report(seen, (*judge(seen, strict=strict), *compared), strict)


def _in_one_order(target: Target) -> Target:
    """The server, started so that what it makes of a set has one order in all its processes, and beside another's."""
    return replace(target, env={"PYTHONHASHSEED": "0", **target.env}) if isinstance(target, StdioTarget) else target


def judge(seen: Interview, *, strict: bool = False) -> tuple[CheckResult, ...]:
    """The result of every check on a server's answers."""
    return tuple(_result(id_, JUDGES[id_](seen), strict) for id_ in CHECKS)


def _result(id_: str, verdict: CheckVerdict, strict: bool) -> CheckResult:
    check = CHECKS[id_]
    level = Level.MUST if strict and check.get("strict") else Level(check["level"])
    status = Status.FAILED if strict and verdict.status is Status.BY_CHOICE else verdict.status
    hint = verdict.hint or ("" if verdict.status is Status.SKIPPED else check.get("hint", ""))
    told = (check["title"], status, verdict.detail, check["wants"], hint, verdict.evidence)
    return CheckResult(id_, check["clause"], level, *told)


def _report(seen: Interview, results: tuple[CheckResult, ...], strict: bool) -> Report:
    info = mapping(seen.server.get("serverInfo"))
    chosen = seen.chosen
    return Report(
        checks=results,
        target=seen.target,
        transport=seen.transport,
        has_session=seen.has_session,
        server=" ".join(part for part in (text_of(info.get("name")), text_of(info.get("version"))) if part),
        tools=len(seen.tools),
        called=chosen.name if isinstance(chosen, Pick) else None,
        called_why=chosen.why if isinstance(chosen, Pick) else chosen.reason,
        protocol=seen.protocol,
        listed=authorization.outcome(seen, "ungranted"),
        unlisted=authorization.outcome(seen, "unlisted"),
        strict=strict,
    )
