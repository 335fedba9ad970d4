"""Black-box verification: does a running server do what the specification asks for, and what it did before?

Nothing here knows how a server was made, so any server in any language can be verified.  Tools are called as little as
possible, and only in ways that do nothing (``picks.py``).
"""

from __future__ import annotations

import json
from dataclasses import replace

from pdmigrate import disk
from pdmigrate.live.verify import authorization, comparison, definitions, disclosure, listing
from pdmigrate.live.verify.answers import name_of, text_of
from pdmigrate.live.verify.model import Check, CheckResult, CheckVerdict, Interview, Level, Report, Status
from pdmigrate.live.verify.picks import Pick
from pdmigrate.live.verify.script import interview
from pdmigrate.live.wire import Target
from pdmigrate.live.wire.session import PROTOCOL_VERSION
from pdmigrate.model import JsonObject, mapping

JUDGES = {**listing.JUDGES, **disclosure.JUDGES, **definitions.JUDGES, **authorization.JUDGES}
CHECKS = tuple(
    Check(id=id_, judge=JUDGES[id_], **{**told, "level": Level(told["level"])})
    for id_, told in json.loads(disk.packaged("live/verify/checks.json")).items()
)
"""Every check, in the order of the specification's criteria."""


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
    call, ``arguments`` what to call it with; without it the least harmful tool is called with arguments that it
    rejects, and no tool at all where none is known to be harmless.  ``timeout`` bounds every single request, in
    seconds.  ``protocol`` is the version to speak; from 2026-07-28 on there is no handshake, and over HTTP there are no
    sessions.  With ``strict`` a deviation from the letter of the specification is a failure, even if the server is
    configured for it.  Raises WireError if a server does not start, does not answer ``initialize``, or does not list
    its tools; UsageError if the server lists no tool named ``tool``.
    """
    old = comparison.record(before, timeout=timeout, protocol=protocol) if before is not None else None
    originals = {name_of(tool): tool for tool in old.tools} if old is not None else {}
    rehearse = {name: mapping(originals[name].get("inputSchema")) for name in old.rehearsed} if old is not None else {}
    chosen = Pick(tool, "chosen with --tool", arguments) if tool is not None else None
    seen = interview(target, chosen=chosen, timeout=timeout, protocol=protocol, rehearse=rehearse)
    seen = replace(seen, originals=originals)
    compared = comparison.compare(old, seen) if old is not None else ()
    return _report(seen, (*judge(seen, strict=strict), *compared), strict)


def judge(seen: Interview, *, strict: bool = False) -> tuple[CheckResult, ...]:
    """The result of every check on a server's answers."""
    return tuple(_result(check, check.judge(seen), strict) for check in CHECKS)


def _result(check: Check, verdict: CheckVerdict, strict: bool) -> CheckResult:
    level = Level.MUST if strict and check.strict else check.level
    status = Status.FAILED if strict and verdict.status is Status.BY_CHOICE else verdict.status
    hint = verdict.hint or ("" if verdict.status is Status.SKIPPED else check.hint)
    detail, evidence = verdict.detail, verdict.evidence
    return CheckResult(check.id, check.clause, level, check.title, status, detail, check.wants, hint, evidence)


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
