"""One task played to its end: what the model says, what comes back, and whether it was right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from benchmarks.model.models import Model, TooLongError
from benchmarks.model.tasks import Json, Task, fits

TURNS = 8
REPEATED = 3
"""The same call for the third time, word for word, ends a task: this model will go on with it."""
SYSTEM = (
    "You are a helpful assistant. Use the functions where one of them does what the user wants; call one at a time."
)
DONE = "Done."
OUTCOMES = ("solved", "wrong tool", "wrong arguments", "no call", "in circles", "too long")


@dataclass(slots=True)
class Played:
    """The course of one task, as it is kept beside the figures."""

    outcome: str = ""
    turns: int = 0
    prompt: int = 0
    """Tokens of all prompts; ``uncached`` of those that the prompt before in the conversation had not."""
    uncached: int = 0
    written: int = 0
    said: list[Json] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Offer:
    """What the model is offered, and how a call is really made: ``call`` answers with a text and whether it failed.

    ``bridge`` is the name of the tool that describes others; ``gated`` is whether a call before the fetch is refused.
    """

    instructions: str
    tools: Sequence[Json]
    definitions: dict[str, Json]
    call: Callable[[str, Json], tuple[str, bool]]
    bridge: str = ""
    gated: bool = False


def opening(task: Task, offer: Offer) -> list[Json]:
    """The messages before the model's first."""
    system = f"{SYSTEM}\n\n{offer.instructions}".strip()
    return [{"role": "system", "content": system}, {"role": "user", "content": task.say}]


def play(task: Task, offer: Offer, model: Model) -> Played:
    """Play ``task``; a right call is answered with a canned result, so that nothing behind the server is needed."""
    messages = opening(task, offer)
    played, done, opened = Played(), 0, set[str]()
    conversation = uuid4().hex
    while not played.outcome:
        if played.turns == TURNS:
            played.outcome = "in circles"
            break
        try:
            reply = model.answer(conversation, messages, list(offer.tools))
        except TooLongError:
            played.outcome = "too long"
            break
        played.turns += 1
        played.prompt += reply.prompt
        played.uncached += reply.prompt - reply.shared
        played.written += reply.written
        messages.append({"role": "assistant", "content": reply.text, "calls": list(reply.calls)})
        if not reply.calls:
            played.outcome = "solved" if done == len(task.steps) else "no call"
            break
        name, arguments = reply.calls[0]
        if sum(message.get("calls") == list(reply.calls) for message in messages) == REPEATED:
            played.outcome = "in circles"
            break
        text, done, played.outcome = _answered(task, offer, opened, done, name, arguments)
        messages.append({"role": "tool", "content": text})
        if done == len(task.steps) and task.steps and not played.outcome:
            played.outcome = "solved"
    played.said = messages
    return played


def _answered(
    task: Task, offer: Offer, opened: set[str], done: int, name: str, arguments: Json
) -> tuple[str, int, str]:
    """What a call gets, how many steps are done then, and the outcome if the task ends with it."""
    if name == offer.bridge or name not in offer.definitions:
        return offer.call(name, arguments)[0], done, ""
    if offer.gated and name not in opened:
        text, failed = offer.call(name, arguments)
        opened.add(name)
        if failed and "TOOL_DESCRIPTION_REQUIRED" in text:
            return text, done, ""
    if done < len(task.steps) and task.steps[done].tool == name:
        if fits(task.steps[done], arguments, offer.definitions[name]):
            return DONE, done + 1, ""
        if problem := _invalid(offer.definitions[name], arguments):
            return _refused(offer, name, arguments, problem), done, ""
        return "", done, "wrong arguments"
    if name in task.may:
        return DONE, done, ""
    return "", done, "wrong tool"


def _invalid(definition: Json, arguments: Json) -> str:
    """Why the server would refuse the arguments; empty if it would not."""
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(definition["inputSchema"]).iter_errors(arguments)
    return next((error.message for error in errors), "")


def _refused(offer: Offer, name: str, arguments: Json, problem: str) -> str:
    """The server's own words about arguments that it refuses, with whatever disclosure adds."""
    text, failed = offer.call(name, arguments)
    return text if failed else f"Error: {problem}"


def to_json(played: Played) -> dict[str, Any]:
    """What is kept of a played task."""
    return {name: getattr(played, name) for name in Played.__slots__}
