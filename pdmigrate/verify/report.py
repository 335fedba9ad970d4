"""A report for people, for programs and for test dashboards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.verify.answers import describe, short
from pdmigrate.verify.model import (
    CRITERIA,
    Broken,
    CheckResult,
    Exchange,
    Level,
    Refused,
    Report,
    Result,
    Standing,
    Status,
)

VERSION = 1
_COLORS = {"ok": "32", "FAIL": "31", "warn": "33", "skip": "33", "n/a": "2"}


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
        "session": report.has_session,
        "server": report.server,
        "tools": report.tools,
        "called": report.called,
        "called_why": report.called_why,
        "criteria": {f"9.{number}": report.standing(number).value for number in CRITERIA},
        "checks": [_check_json(check) for check in report.checks],
    }
    text = json.dumps(body, indent=2, ensure_ascii=False)
    # Half a surrogate pair is possible in JSON and not in UTF-8.
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def to_junit(report: Report) -> str:
    """JUnit XML: a binding check that failed is a failure; advice that was not taken is in the output of its case."""
    failures = sum(check.binding_failure for check in report.checks)
    skips = sum(check.status in (Status.SKIPPED, Status.NOT_APPLICABLE) for check in report.checks)
    suite = ElementTree.Element(
        "testsuite",
        name=f"pdmigrate verify {_xml_safe(report.target)}",
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
            failure = ElementTree.SubElement(case, "failure", message=_xml_safe(check.detail))
            failure.text = _xml_safe("\n".join(_explanation(check)))
        elif check.status is Status.FAILED:
            ElementTree.SubElement(case, "system-out").text = _xml_safe("\n".join(_explanation(check)))
        elif check.status is not Status.PASSED:
            ElementTree.SubElement(case, "skipped", message=_xml_safe(check.detail))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


# --- text -------------------------------------------------------------------------------------------------------------


def _head(report: Report) -> str:
    session = report.transport if report.has_session else f"{report.transport}, without sessions"
    called = f"calling {report.called} ({report.called_why})" if report.called else report.called_why
    return short(f"{report.server or report.target}: {report.tools} tools over {session}; {called}")


def _word(check: CheckResult) -> str:
    if check.status is Status.FAILED:
        return "FAIL" if check.level is Level.MUST else "warn"
    return {Status.PASSED: "ok", Status.SKIPPED: "skip", Status.NOT_APPLICABLE: "n/a"}[check.status]


def _line(check: CheckResult, color: bool) -> str:
    word = _word(check)
    shown = f"\x1b[{_COLORS[word]}m{word:<4}\x1b[0m" if color else f"{word:<4}"
    about = f" ({short(check.detail, 160)})" if check.detail and check.status is not Status.FAILED else ""
    return f"{shown} {check.id:<17} {check.title}{about}"


def _explanation(check: CheckResult) -> Iterator[str]:
    if check.status is not Status.FAILED:
        return
    for exchange in check.evidence:
        params = short(json.dumps(exchange.params, ensure_ascii=False), 200)
        yield f"sent:  {exchange.method} {params}{_where(exchange)}"
        yield f"came:  {describe(exchange)}"
    yield f"found: {short(check.detail, 600)}"
    if check.wants:
        yield f"wants: {check.wants} ({_clause(check)})"
    if check.hint:
        yield f"do:    {check.hint}"


def _where(exchange: Exchange) -> str:
    return "" if exchange.session == "first" else f"  (on the {exchange.session} session)"


def _clause(check: CheckResult) -> str:
    return (
        "compared with the server before"
        if check.clause == "before"
        else f"section {check.clause}, {check.level.value}"
    )


def _summary(report: Report) -> Iterator[str]:
    standings = {number: report.standing(number) for number in CRITERIA}
    parts = [f"{sum(s is Standing.MET for s in standings.values())}/{len(CRITERIA)} criteria met"]
    for standing in (Standing.NOT_MET, Standing.NOT_TESTED, Standing.NOT_APPLICABLE):
        numbers = [f"9.{number}" for number, found in standings.items() if found is standing]
        parts += [f"{standing.value}: {', '.join(numbers)}"] if numbers else []
    failures = sum(check.binding_failure for check in report.checks)
    warnings = sum(check.status is Status.FAILED for check in report.checks) - failures
    yield ""
    yield "; ".join((*parts, f"{failures} failed, {warnings} warned"))


# --- json -------------------------------------------------------------------------------------------------------------


def _check_json(check: CheckResult) -> JsonObject:
    return {
        "id": check.id,
        "clause": check.clause,
        "level": check.level.value,
        "title": check.title,
        "status": check.status.value,
        "detail": check.detail,
        "wants": check.wants,
        "hint": check.hint,
        "evidence": [_exchange_json(exchange) for exchange in check.evidence],
    }


def _exchange_json(exchange: Exchange) -> JsonObject:
    return {
        "session": exchange.session,
        "method": exchange.method,
        "params": exchange.params,
        "answer": _answer_json(exchange.answer),
    }


def _answer_json(answer: Result | Refused | Broken) -> JsonValue:
    if isinstance(answer, Result):
        return {"result": answer.value}
    if isinstance(answer, Refused):
        return {"error": {"code": answer.number, "message": answer.text, "data": answer.data}}
    return {"none": answer.reason}


_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def _xml_safe(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold, escaped or not."""
    return _NOT_XML.sub("?", text)
