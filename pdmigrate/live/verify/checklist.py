"""The production checklist of the implementation guide, with what is known of each row.

A row is settled by checks of the running server, or by the project in the current folder.  A row that neither can
settle is "yours", with what to do; no row is called good merely because nothing speaks against it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pdmigrate.escaping import coloured, json_text
from pdmigrate.live.verify.answers import short
from pdmigrate.live.verify.model import CheckResult, Level, Report, Status
from pdmigrate.model import JsonObject

OK, WARN, FAIL, CHOICE, YOURS = "ok", "warn", "FAIL", "opt", "yours"
_COLOURS = {OK: "green", WARN: "yellow", FAIL: "red", CHOICE: "cyan", YOURS: "magenta"}


@dataclass(frozen=True, slots=True)
class Local:
    """The migrated project in the current folder; ``agrees`` and ``tools`` are the result of ``check``."""

    agrees: bool
    tools: int
    module: bool
    """Whether a generated module enables a server of the project."""
    tests: tuple[str, ...] = ()
    """The tests that ``apply --with-tests`` wrote."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: ``checks`` are the ids of the checks that settle it, if any do."""

    item: str
    status: str
    detail: str
    checks: tuple[str, ...] = ()


def checklist(report: Report, local: Local | None) -> tuple[Row, ...]:
    """All twelve rows, in the guide's order."""
    has_module = local is not None and local.module
    return (
        _extracted(local),
        _checked(
            report,
            "minimal descriptions sufficient for tool selection",
            ("9.1",),
            "they are short; whether that is enough to choose by: `pdmigrate audit` names tools that a search confuses",
        ),
        _checked(report, "resource description includes clear workflow", ("9.2", "4.2")),
        Row(
            "system prompt enhanced (if controlling agent)",
            YOURS,
            "`pdmigrate export prompt` prints one, pdmigrate.agent makes it of what servers list",
        ),
        _checked(report, "authorization enforcement implemented", ("9.6", "9.8")),
        Row(
            "session cleanup running",
            OK if has_module else YOURS,
            "the grants of a generated module end with the session; code of your own has to delete its session data",
        ),
        _checked(report, "error messages include recovery URIs", ("9.5", "9.7")),
        Row(
            "logging enabled for debugging",
            YOURS,
            "log fetches and refusals; a generated module does, to stderr, where the level of its logger is INFO",
        ),
        _tested(report, local),
        Row(
            "LLM behavior tested with real queries",
            YOURS,
            "put your model in the place of the script in the tests of `pdmigrate apply --with-tests`",
        ),
        Row("token savings measured and validated", YOURS, "`pdmigrate audit` measures them"),
        Row("documentation updated for users", YOURS, "say which hosts need the describing tool, and name the switch"),
    )


def is_good(rows: tuple[Row, ...]) -> bool:
    """Whether no row is known to fail."""
    return all(row.status != FAIL for row in rows)


def _checked(report: Report, item: str, starts: tuple[str, ...], left: str = "") -> Row:
    """A row that checks settle; ``left`` is what a person still has to look at if no check fails."""
    found = [check for check in report.checks if check.id.startswith(starts)]
    ids = tuple(check.id for check in found)
    for level, status, word, head in (
        (Level.MUST, Status.FAILED, FAIL, ""),
        (Level.MUST, Status.SKIPPED, YOURS, "not tested: "),
        (Level.MUST, Status.BY_CHOICE, CHOICE, "by choice: "),
        (Level.SHOULD, Status.FAILED, WARN, ""),
    ):
        if those := [check for check in found if check.level is level and check.status is status]:
            return Row(item, word, f"{head}{_named(those)}", ids)
    passed = sum(check.status is Status.PASSED for check in found)
    if not passed:
        return Row(item, YOURS, "no check of this run applies to it", ids)
    return Row(item, YOURS, left, ids) if left else Row(item, OK, f"{passed} checks passed", ids)


def _named(checks: list[CheckResult]) -> str:
    return "; ".join(f"{check.id} {check.title}" for check in checks[:3]) + (" ..." if len(checks) > 3 else "")


def _extracted(local: Local | None) -> Row:
    item = "tool descriptions extracted to JSON files"
    if local is None:
        return Row(item, YOURS, "no migrated project is in this folder: run it in that of the server")
    if not local.agrees:
        return Row(item, FAIL, "code and files are not in agreement: `pdmigrate check` names what differs")
    return Row(item, OK, f"{local.tools} tools, in agreement with the code")


def _tested(report: Report, local: Local | None) -> Row:
    item = "integration tests passing"
    if not report.ok:
        failed = [check for check in report.checks if check.binding_failure]
        return Row(item, FAIL, _named(failed) if failed else "a criterion could not be tested")
    passed = sum(check.status is Status.PASSED for check in report.checks)
    left = f"; not tested: {', '.join(check.id for check in report.untested)}" if report.untested else ""
    more = f"; yours are in {', '.join(local.tests)}" if local is not None and local.tests else ""
    return Row(item, OK, f"the {passed} checks of this run{left}{more}")


# --- text and JSON ----------------------------------------------------------------------------------------------------


def to_text(report: Report, rows: tuple[Row, ...], *, color: bool = False) -> str:
    """The rows with their details, and how many rows have each status."""
    lines = []
    for row in rows:
        word = f"{row.status:<5}"
        shown = coloured(_COLOURS[row.status], word) if color else word
        lines += [f"{shown} {row.item}", f"      {short(row.detail, 300)}"]
    words = {OK: "settled", WARN: "with a warning", FAIL: "missing", CHOICE: "by choice", YOURS: "yours to check"}
    counts = ((sum(row.status == status for row in rows), said) for status, said in words.items())
    summary = f"{report.server or report.target}: " + ", ".join(f"{count} {said}" for count, said in counts if count)
    return "\n".join((*lines, "", summary))


def to_json(report: Report, rows: tuple[Row, ...]) -> str:
    """The stable form, documented in ``docs/verify.md``."""
    body: JsonObject = {
        "version": 1,
        "ok": report.ok and is_good(rows),
        "target": report.target,
        "server": report.server,
        "checklist": [
            {"item": row.item, "status": row.status, "detail": row.detail, "checks": [*row.checks]} for row in rows
        ],
    }
    return json_text(body)
