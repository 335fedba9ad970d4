"""What the servers of a program list: when each starts to answer, and after one way to start the program has ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import BudgetExceededError
from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.evaluate.core.values import NONE, OWNER, Guard, SdkObject, is_sdk
from pdmigrate.recognise.listing.answering import Answer, answer, forget, joined
from pdmigrate.recognise.servers.composing import ORIGINAL
from pdmigrate.recognise.servers.record import CLASSES, EVENTS, Mounted
from pdmigrate.recognise.source.sites import CallSite, site_around

if TYPE_CHECKING:
    from pdmigrate.recognise.starting.ways import Way


@dataclass
class Reading:
    """What a server lists at one moment."""

    server: SdkObject
    site: CallSite
    answer: Answer
    started: bool
    run: Interpreter
    mounted: bool = False
    """Whether another server lists its tools."""
    way: Way | None = None
    """How the program was started."""
    others: tuple[Reading, ...] = ()
    """The readings of servers that the same call makes in other branches, or when another command is started."""

    @property
    def good(self) -> bool:
        return self.started and bool(self.answer.tools)


Starts = dict[SdkObject, list[tuple[Answer, tuple[Guard, ...]]]]


def note_start(run: Interpreter, starts: Starts, server: SdkObject) -> None:
    """Note in ``starts`` what a server lists at the moment at which it starts to answer."""
    owner = server.names.get(OWNER, server)
    if is_sdk(owner, *CLASSES):
        starts.setdefault(owner, []).append((answer(run, owner), tuple(run.guards)))


def collected(run: Interpreter, starts: Starts) -> Iterator[tuple[str, Reading]]:
    """The readings of all servers that were made, each with the path of the file that makes the server."""
    parts = _mounted(run)
    # Reading one server may evaluate more of the program, which may make more servers.
    for node, made in [(node, tuple(made)) for node, made in run.made.by_call.items()]:
        for server in made:
            if server.type not in CLASSES or server.place is None or not isinstance(node, cst.Call):
                continue
            started = starts.get(server)
            try:
                found = joined(started) if started else answer(run, server)
            except BudgetExceededError as exceeded:
                found = Answer((), f"the program is too complex to evaluate: {run.calls.explained(exceeded)}")
            site = site_around(server.place.module, node)
            yield site.module.path, Reading(server, site, found, bool(started), run, mounted=server in parts)


def _mounted(run: Interpreter) -> set[SdkObject]:
    """The servers that are mounted in others."""
    found: set[SdkObject] = set()
    for server in run.made.objects:
        for event in server.names.get(EVENTS, NONE).sequence or ():
            inner = event.element
            if isinstance(inner, Mounted):
                found.add(inner.server.names.get(ORIGINAL, NONE).as_sdk or inner.server)
    return found


def doubted(reading: Reading, before: Reading | None) -> Reading:
    """A forced reading: the tools that its code registers may be absent.

    Nothing was seen to call that code.  The tools in ``before``, a reading without it, are listed in any case.
    """
    there = {(tool.site, tool.name) for tool in before.answer.tools if not tool.conditions} if before else set()
    reason = "nothing was seen to call what registers it"
    tools = tuple(
        tool
        if tool.name is not None and (tool.site, tool.name) in there
        else replace(tool, conditions=(*tool.conditions, reason))
        for tool in reading.answer.tools
    )
    return replace(reading, answer=replace(reading.answer, tools=tools))


def unless_started(reading: Reading) -> Reading:
    """A reading of a server that a command makes and was not seen to start: the command may take another branch."""
    if reading.started or reading.mounted:
        return reading
    reason = "the command was not seen to start the server"
    return replace(reading, answer=replace(reading.answer, incomplete=reading.answer.incomplete or reason))


def interrupted(reading: Reading, too_much: str) -> Reading:
    """A reading of a program that was not followed to its end: it may still change all that it has made."""
    if reading.started:
        return reading
    unknown = reasons.unknown(reasons.BUDGET, too_much)
    tools = tuple(replace(tool, fields=forget(tool.fields, unknown)) for tool in reading.answer.tools)
    return replace(reading, answer=Answer(tools, reading.answer.incomplete or too_much))


def beside(old: Reading | None, new: Reading) -> Reading:
    """The better of two readings of what one call makes; the other stands beside it if a program makes both."""
    if old is None:
        return new
    first, second = (new, old) if _rank(new) > _rank(old) else (old, new)
    if not _counts_beside(old, new):
        return first
    return replace(first, others=(*first.others, replace(second, others=()), *second.others))


def _counts_beside(old: Reading, new: Reading) -> bool:
    """Whether a program makes both servers: in one run, or each when started by a command of its own."""
    if old.mounted is not new.mounted or old.started is not new.started:
        return False
    if old.way is new.way:
        return old.started or bool(old.answer.tools and new.answer.tools)
    return old.started and all(each.way is not None and each.way.chosen for each in (old, new))


def _rank(reading: Reading) -> tuple[bool, bool, bool, bool]:
    return (reading.good, bool(reading.answer.tools), reading.started, reading.answer.incomplete is None)
