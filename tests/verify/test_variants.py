"""Each broken variant fails exactly its own checks, and the whole specification fails none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pdmigrate.verify import CHECKS, CRITERIA, Level, Report, Standing, Status, verify
from pdmigrate.wire import HttpTarget, StdioTarget

At = Callable[[str], HttpTarget]

BROKEN: dict[str, set[str]] = {
    # stage one
    "full-list": {"9.1", "3.1-prose"},
    "undescribed": {"9.1-described"},
    "parameters": {"9.1-parameters"},
    "parameters-inline": {"9.1-parameters"},
    "example": {"9.1-examples"},
    "prose": {"3.1-prose"},
    "no-properties": {"3.1-properties"},
    "no-items": {"3.1-items"},
    "long": {"9.1", "3.1-length"},
    "promotes": {"3.1-constant"},
    "reorders": {"3.1-constant"},
    # the resource
    "unlisted": {"9.2"},
    "list-raises": {"9.2"},
    "bad-name": {"9.2-name"},
    "no-guidance": {
        "9.2-listing",
        "9.2-before",
        "9.2-query",
        "9.2-otherwise",
        "4.2-steps",
        "4.2-choice",
        "4.2-example",
        "4.2-authorizes",
    },
    "no-listing": {"9.2-listing", "4.2-steps", "4.2-choice"},
    "no-before": {"9.2-before"},
    "no-query": {"9.2-query", "4.2-example"},
    "no-otherwise": {"9.2-otherwise", "4.2-steps", "4.2-choice", "4.2-example", "4.2-authorizes"},
    "listed-mime": {"4.1-mime"},
    # stage two
    "ignores-tools": {
        "9.1",
        "9.3",
        "9.3-comma",
        "4.3-escaped",
        "4.3-repeated",
        "9.4",
        "9.4-schema",
        "6.3",
        "9.6-opens",
        "9.6-persists",
    },
    "no-commas": {"9.3-comma", "4.3-escaped", "6.3"},
    "raw-commas": {"4.3-escaped", "4.3-repeated"},
    "first-only": {"4.3-repeated"},
    "entry-undescribed": {"9.4"},
    "entry-misnamed": {"9.4"},
    "entry-missing": {"9.4"},
    "entry-incomplete": {"9.4-schema"},
    "other-tools": {"9.4-only", "6.3"},
    "preamble-text": {"9.4-preamble"},
    "preamble-key": {"9.4-preamble"},
    "answer-mime": {"4.4-mime"},
    "no-examples": {"3.2-examples"},
    "no-error-guidance": {"3.2-errors"},
    "serves-all": {"9.5", "4.3-empty"},
    "missing-raises": {"9.5-body"},
    "missing-message": {"9.5-body"},
    "missing-examples": {"9.5-body"},
    "unknown-raises": {"6.3"},
    "hidden-names": {"6.3-available"},
    "bridge-differs": {"4.4-bridge"},
    # the gate
    "no-gate": {"9.6", "9.7", "9.8"},
    "other-code": {"9.6", "9.7", "9.8"},
    "advises": {"9.6", "9.7", "9.8"},
    "opens-all": {"9.6-tool"},
    "never-opens": {"9.6-opens", "9.6-persists"},
    "one-call": {"9.6-persists"},
    "shared-grants": {"9.8"},
    "gate-success": {"9.7-result"},
    "gate-protocol-error": {"9.7-result"},
    "gate-message": {"9.7-body"},
    "gate-uri": {"9.7-body"},
    "gate-text": {"9.7-body"},
    "gate-prefixed": {"9.7-body"},
}


def failing(report: Report) -> set[str]:
    return {check.id for check in report.checks if check.status is Status.FAILED}


@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_variant_fails_exactly_its_checks(http: At, variant: str) -> None:
    report = verify(http(variant))
    assert failing(report) == BROKEN[variant]
    binding = {check.id for check in CHECKS if check.level is Level.MUST}
    assert report.ok is not bool(BROKEN[variant] & binding)


def test_every_check_has_a_variant_that_fails_it() -> None:
    elsewhere = {"8-instructions", "5.2-open"}  # no variant of an HTTP session can fail these two
    assert {check.id for check in CHECKS} - elsewhere == set().union(*BROKEN.values())


@pytest.mark.parametrize("variant", ["spec", "json-spec"])
def test_the_specification_passes_over_http(http: At, variant: str) -> None:
    report = verify(http(variant))
    assert failing(report) == set()
    assert report.ok
    assert {report.standing(number) for number in CRITERIA} == {Standing.MET}
    assert [c.id for c in report.checks if c.status is not Status.PASSED] == ["5.2-open"]


def test_the_specification_passes_over_stdio(stdio: Callable[[str], StdioTarget]) -> None:
    report = verify(stdio("spec"))
    assert failing(report) == set()
    assert {report.standing(number) for number in CRITERIA} == {Standing.MET}


def test_an_unmigrated_server_meets_no_criterion(stdio: Callable[[str], StdioTarget]) -> None:
    report = verify(stdio("plain"))
    assert {report.standing(number) for number in CRITERIA} == {Standing.NOT_MET}
    assert failing(report) >= {"9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7", "9.8", "8-instructions"}
    assert not report.ok


def test_a_server_that_dies_on_one_read_fails_that_check_and_leaves_the_rest_open(
    stdio: Callable[[str], StdioTarget],
) -> None:
    report = verify(stdio("crashes"))
    by_id = {check.id: check for check in report.checks}
    assert by_id["9.5"].status is Status.FAILED
    assert by_id["9.6"].status is Status.SKIPPED
    assert "no answer" in by_id["9.6"].detail
    assert not report.ok


def test_without_sessions_the_gate_is_not_applicable(stateless: At) -> None:
    report = verify(stateless("advises"))
    assert failing(report) == set()
    assert report.ok
    gate = {check.id: check for check in report.checks if check.criterion in (6, 7, 8)}
    assert {check.status for check in gate.values()} == {Status.NOT_APPLICABLE}
    assert "no session on this transport" in gate["9.6"].detail
    assert report.standing(6) is Standing.NOT_APPLICABLE
    assert report.standing(5) is Standing.MET


def test_a_gate_without_sessions_locks_everybody_out(stateless: At) -> None:
    assert failing(verify(stateless("spec"))) == {"5.2-open"}


def test_a_list_that_is_refused_is_not_an_empty_list(http: At) -> None:
    report = verify(http("list-raises"))
    assert "the index is locked" in next(check.detail for check in report.checks if check.id == "9.2")


def test_advice_over_http_is_told_how_to_become_a_gate(http: At) -> None:
    report = verify(http("advises"))
    assert all("enforce" in check.hint for check in report.checks if check.id in ("9.6", "9.7", "9.8"))
