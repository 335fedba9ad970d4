"""What a server was asked and what it answered, the checks that judge this, and the result: one for each check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from pdmigrate.live.verify.answers import Exchange, NotAsked, definitions, name_of
from pdmigrate.live.verify.picks import Pick
from pdmigrate.live.wire import WireError
from pdmigrate.model import JsonObject


@dataclass(frozen=True)
class Interview:
    """The listings and the exchanges.  ``asked`` has an entry for every step of the interview, made or not."""

    target: str
    transport: str
    has_session: bool
    server: JsonObject
    tools: tuple[JsonObject, ...]
    lists: Mapping[str, tuple[JsonObject, ...]]
    """The other lists of the server, by method; one that it offers and then does not send has the ``error`` alone."""
    descriptor: JsonObject | None
    """The entry of ``resources/list`` that is the resource of tool descriptions."""
    resource: str
    """The URI of that resource; if it is not listed, the URI in the specification."""
    protocol: str
    """The protocol version that was agreed on."""
    chosen: Pick | NotAsked
    other: str | None
    """A second tool, for steps that take two; its description is fetched, and it is not called."""
    bridge: str | None
    """The tool that serves the same definitions as the resource, recognised by its answer."""
    asked: Mapping[str, Exchange | NotAsked]
    fetches: tuple[Exchange | NotAsked, ...]
    """The fetches of all tools, in batches."""
    relisted: tuple[JsonObject, ...] | WireError
    second_listing: tuple[JsonObject, ...] | WireError
    rehearsed: Mapping[str, Exchange | NotAsked] = field(default_factory=dict)
    """Calls without arguments to tools that need some, made after their fetch, for a comparison."""
    originals: Mapping[str, JsonObject] = field(default_factory=dict)
    """The definitions of the unmigrated server, by name, if it was asked too."""
    unanswered: tuple[str, ...] = ()
    """What ended a session early: a request without a valid answer, or a session that could not be opened."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name_of(tool) for tool in self.tools)

    @property
    def disclosed(self) -> tuple[JsonObject, ...]:
        """The listed tools without the bridge."""
        return tuple(tool for tool in self.tools if name_of(tool) != self.bridge)

    @cached_property
    def entries(self) -> dict[str, JsonObject]:
        """The full definitions that were served of tools without the bridge, by name."""
        return definitions((*self.fetches, self.asked["single"]), [name_of(tool) for tool in self.disclosed])


class Status(str, Enum):
    """How a check came out.

    By choice: the clause does not hold, and the answers show that the server is configured so.  Skipped: the check
    could have been made, but was not.  Not applicable: there is nothing to ask.
    """

    PASSED = "passed"
    FAILED = "failed"
    BY_CHOICE = "by-choice"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not-applicable"


class Level(str, Enum):
    """What the clause says.  Only MUST is binding: it decides whether a report is good."""

    MUST = "must"
    SHOULD = "should"


@dataclass(frozen=True, slots=True)
class CheckVerdict:
    """What one check found.  ``detail`` says what was answered; ``hint`` what to do, if the check knows it."""

    status: Status
    detail: str = ""
    hint: str = ""
    evidence: tuple[Exchange, ...] = ()


Judge: TypeAlias = Callable[[Interview], CheckVerdict]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check and its verdict, as reports show them."""

    id: str
    clause: str
    level: Level
    title: str
    status: Status
    detail: str = ""
    wants: str = ""
    hint: str = ""
    evidence: tuple[Exchange, ...] = ()

    @property
    def binding_failure(self) -> bool:
        return self.status is Status.FAILED and self.level is Level.MUST

    @property
    def criterion(self) -> int | None:
        """The number of the criterion of section 9 that this check is a part of; ``None`` for other clauses."""
        head, _, number = self.id.partition("-")[0].partition(".")
        return int(number) if head == "9" and number.isdigit() else None


CRITERIA = tuple(range(1, 9))


class Reaction(str, Enum):
    """What a server did with a call to a tool whose description nobody had fetched."""

    REFUSED = "refused"
    ADVISED = "ran, and its error came with the definition"
    RAN = "ran"
    UNANSWERED = "no answer"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Report:
    """All results, and the facts they rest on: the server's own name, the transport, the tool that was called.

    ``listed`` and ``unlisted`` say what became of a call before any fetch, in a session that asked for the tools first
    and in a session that only called.  A ``strict`` report is good where every criterion is met to the letter.
    """

    checks: tuple[CheckResult, ...]
    target: str
    transport: str
    has_session: bool
    server: str
    tools: int
    called: str | None
    called_why: str
    protocol: str = ""
    listed: Reaction = Reaction.NOT_TRIED
    unlisted: Reaction = Reaction.NOT_TRIED
    strict: bool = False

    def standing(self, criterion: int) -> Status:
        """What the binding checks of ``criterion`` say together; the worst of them counts."""
        found = {c.status for c in self.checks if c.criterion == criterion and c.level is Level.MUST}
        worst_first = (Status.FAILED, Status.SKIPPED, Status.BY_CHOICE, Status.PASSED, Status.NOT_APPLICABLE)
        return next((status for status in worst_first if status in found), Status.SKIPPED)

    @property
    def ok(self) -> bool:
        """Whether no binding check failed; with ``strict``, whether all eight criteria are met, too.

        What could not be tested is named and is no failure, unless nothing at all could be.
        """
        standings = {self.standing(number) for number in CRITERIA}
        good = standings == {Status.PASSED} if self.strict else standings != {Status.SKIPPED}
        return good and not any(check.binding_failure for check in self.checks)

    @property
    def untested(self) -> tuple[CheckResult, ...]:
        """The checks on which the standing of a criterion that is not tested hangs."""
        open_ = {number for number in CRITERIA if self.standing(number) is Status.SKIPPED}
        return tuple(
            check
            for check in self.checks
            if check.criterion in open_ and check.status is Status.SKIPPED and check.level is Level.MUST
        )


def passed(detail: str = "") -> CheckVerdict:
    return CheckVerdict(Status.PASSED, detail)


def failed(detail: str, *evidence: Exchange | NotAsked, hint: str = "") -> CheckVerdict:
    """A failure; the reasons why exchanges were not made follow ``detail``, which need not repeat the evidence."""
    reasons = (item.reason for item in evidence if isinstance(item, NotAsked))
    return CheckVerdict(Status.FAILED, ": ".join((detail, *reasons)), hint, _made(evidence))


def skipped(reason: str) -> CheckVerdict:
    """The check could not be made; ``reason`` says what would settle it, where something would."""
    return CheckVerdict(Status.SKIPPED, reason)


def by_choice(detail: str, *evidence: Exchange | NotAsked) -> CheckVerdict:
    return CheckVerdict(Status.BY_CHOICE, f"by choice: {detail}", evidence=_made(evidence))


def _made(evidence: Iterable[Exchange | NotAsked]) -> tuple[Exchange, ...]:
    return tuple(item for item in evidence if isinstance(item, Exchange))


def not_applicable(reason: str) -> CheckVerdict:
    return CheckVerdict(Status.NOT_APPLICABLE, reason)
