"""A report for people, for programs and for test dashboards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from xml.etree import ElementTree

from pdmigrate.escaping import block, coloured, json_text
from pdmigrate.live.verify.answers import as_json, describe, short
from pdmigrate.live.verify.model import CRITERIA, CheckResult, Level, Report, Status
from pdmigrate.model import JsonObject

VERSION = 1
_STANDINGS = dict(zip(Status, ("met", "not met", "by choice", "not tested", "not applicable"), strict=True))
"""How a criterion comes out, by what its checks say together."""
_COLOURS = {"ok": "green", "FAIL": "red", "warn": "yellow", "opt": "cyan", "skip": "yellow", "n/a": "dim"}


def to_text(report: Report, *, color: bool = False) -> str:
    """One line for each check, what to do about each failure, and a summary."""
    lines = [_head(report)]
    for check in report.checks:
        lines += [_line(check, color), *(f"       {text}" for text in _explanation(check))]
    return "\n".join((*lines, *_summary(report)))


def to_json(report: Report) -> str:
    """The stable form, documented in ``docs/verify.md``."""
    body: JsonObject = {
        "version": VERSION,
        "ok": report.ok,
        "target": report.target,
        "transport": report.transport,
        "protocol": report.protocol,
        "session": report.has_session,
        "strict": report.strict,
        "server": report.server,
        "tools": report.tools,
        "called": report.called,
        "called_why": report.called_why,
        "before_the_fetch": {"listed": report.listed.value, "unlisted": report.unlisted.value},
        "criteria": {f"9.{number}": _STANDINGS[report.standing(number)] for number in CRITERIA},
        "checks": [_check_json(check) for check in report.checks],
    }
    return json_text(body)


def to_junit(report: Report) -> str:
    """JUnit XML: a MUST that failed is a failure; a SHOULD that failed is in the output of its case.

    A clause that does not hold by choice is skipped, with the choice as the message.
    """
    failures = sum(check.binding_failure for check in report.checks)
    skips = sum(check.status not in (Status.PASSED, Status.FAILED) for check in report.checks)
    suite = ElementTree.Element(
        "testsuite",
        name=f"pdmigrate verify {block(report.target)}",
        tests=str(len(report.checks)),
        failures=str(failures),
        errors="0",
        skipped=str(skips),
    )
    for check in report.checks:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"spec.{check.clause}", name=f"{check.id} {check.title}"
        )
        if check.binding_failure:
            failure = ElementTree.SubElement(case, "failure", message=block(check.detail))
            failure.text = block("\n".join(_explanation(check)))
        elif check.status is Status.FAILED:
            ElementTree.SubElement(case, "system-out").text = block("\n".join(_explanation(check)))
        elif check.status is not Status.PASSED:
            ElementTree.SubElement(case, "skipped", message=block(check.detail))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


# --- text -------------------------------------------------------------------------------------------------------------


def _head(report: Report) -> str:
    session = _where_asked(report) if report.has_session else f"{_where_asked(report)}, without sessions"
    called = f"calling {report.called} ({report.called_why})" if report.called else report.called_why
    return short(f"{report.server or report.target}: {report.tools} tools over {session}; {called}")


def _where_asked(report: Report) -> str:
    return f"{report.transport} ({report.protocol})" if report.protocol else report.transport


def _word(check: CheckResult) -> str:
    if check.status is Status.FAILED:
        return "FAIL" if check.level is Level.MUST else "warn"
    words = {Status.PASSED: "ok", Status.BY_CHOICE: "opt", Status.SKIPPED: "skip", Status.NOT_APPLICABLE: "n/a"}
    return words[check.status]


def _line(check: CheckResult, color: bool) -> str:
    word = f"{_word(check):<4}"
    shown = coloured(_COLOURS[word.rstrip()], word) if color else word
    about = f" ({short(check.detail, 160)})" if check.detail and check.status is not Status.FAILED else ""
    return f"{shown} {check.id:<17} {check.title}{about}"


def _explanation(check: CheckResult) -> Iterator[str]:
    if check.status is not Status.FAILED:
        return
    for exchange in check.evidence:
        params = short(json.dumps(exchange.params, ensure_ascii=False), 200)
        where = "" if exchange.session == "first" else f"  (on the {exchange.session} session)"
        yield f"sent:  {exchange.method} {params}{where}"
        yield f"came:  {describe(exchange.answer)}"
    yield f"found: {short(check.detail, 600)}"
    if check.wants:
        section = "section " if check.clause[0].isdigit() else ""
        yield f"wants: {check.wants} ({section}{check.clause}, {check.level.value})"
    if check.hint:
        yield f"do:    {check.hint}"


def _summary(report: Report) -> Iterator[str]:
    standings = {number: report.standing(number) for number in CRITERIA}
    met = f"{sum(s is Status.PASSED for s in standings.values())}/{len(CRITERIA)} criteria met"
    parts = [f"{met} over {_where_asked(report)}{', to the letter' if report.strict else ''}"]
    for standing in (Status.FAILED, Status.BY_CHOICE, Status.SKIPPED, Status.NOT_APPLICABLE):
        numbers = [f"9.{number}" for number, found in standings.items() if found is standing]
        parts += [f"{_STANDINGS[standing]}: {', '.join(numbers)}"] if numbers else []
    failures = sum(check.binding_failure for check in report.checks)
    warnings = sum(check.status is Status.FAILED for check in report.checks) - failures
    yield ""
    yield "; ".join((*parts, f"{failures} failed, {warnings} warned"))
    if any(check.status is Status.BY_CHOICE for check in report.checks):
        yield "opt: not met by choice; only --strict counts it as a failure"
    yield from _untested(report)
    if report.has_session:
        yield "what became of a call before any fetch:"
        yield f"  in a session that lists, then calls: {report.listed.value}"
        yield f"  in a session that only calls, as with hosts that open one for each call: {report.unlisted.value}"


def _untested(report: Report) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for check in report.untested:
        reasons.setdefault(check.detail, []).append(check.id)
    if reasons:
        yield "not tested:" if report.strict else "not tested, which only --strict counts as a failure:"
    for reason, ids in reasons.items():
        yield f"  {', '.join(ids)}: {short(reason, 600)}"


# --- json -------------------------------------------------------------------------------------------------------------


def _check_json(check: CheckResult) -> JsonObject:
    evidence = [
        {"session": one.session, "method": one.method, "params": one.params, "answer": as_json(one.answer)}
        for one in check.evidence
    ]
    told = asdict(replace(check, evidence=()))
    return {**told, "level": check.level.value, "status": check.status.value, "evidence": evidence}
