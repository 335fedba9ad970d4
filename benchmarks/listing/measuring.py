"""One recorded listing in every form: its tokens, what of it is found, what would be refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.questions import share_in_top, texts_missing_from
from pdmigrate.audit.hosts import refusals
from pdmigrate.audit.search import SearchIndex, document, words
from pdmigrate.audit.tokens import SEEN_FIELDS, Counter, compact, seen_tokens
from pdmigrate.describe.summaries import summaries, summarise
from pdmigrate.model import JsonObject
from pdmigrate.runtime.guidance import describing_tool
from pdmigrate.runtime.stubs import stub_schema

TOP = 5

FORMS = ("full", "skeleton", "open")
TEXTS = ("first sentence", "summary", "no words")


@dataclass(frozen=True, slots=True)
class Measured:
    """One listing in one form.  ``found`` sums over ``questions`` how surely each tool is among the first ``TOP``."""

    tokens: int
    """What a model sees: name, description and input schema."""
    found: float
    questions: int
    refused: int
    """Tools that some client or provider refuses."""

    def __add__(self, other: Measured) -> Measured:
        return Measured(
            self.tokens + other.tokens,
            self.found + other.found,
            self.questions + other.questions,
            self.refused + other.refused,
        )


NOTHING = Measured(0, 0.0, 0, 0)


def measure(tools: Sequence[JsonObject], counter: Counter) -> dict[tuple[str, str], Measured]:
    """Every form of one listing, by form and text."""
    questions = [words(" ".join(texts_missing_from(tool, _first_sentence(tool)))) for tool in tools]
    result = {("full", ""): _measured(tools, questions, counter)}
    for kind in FORMS[1:]:
        for text, made in _texts(tools).items():
            stubs = [_stub(tool, kind, said) for tool, said in zip(tools, made, strict=True)]
            result[kind, text] = _measured(stubs, questions, counter)
    return result


def bridge_tokens(server: str, tools: Iterable[JsonObject], counter: Counter) -> int:
    """What the tool that fetches descriptions adds to the listing."""
    return seen_tokens(describing_tool(f"{server}_describe_tools", [str(tool["name"]) for tool in tools]), counter)


def _texts(tools: Sequence[JsonObject]) -> dict[str, list[str]]:
    made = summaries({str(tool["name"]): tool.get("description") for tool in tools})
    sentences = [_first_sentence(tool) for tool in tools]
    return dict(zip(TEXTS, (sentences, [made.get(str(t["name"]), "") for t in tools], [""] * len(tools)), strict=True))


def _first_sentence(tool: JsonObject) -> str:
    description = tool.get("description")
    return summarise(description if isinstance(description, str) else None) or ""


def _stub(tool: JsonObject, kind: str, summary: str) -> JsonObject:
    schema = tool.get("inputSchema")
    shape = stub_schema(kind, schema if isinstance(schema, dict) else {})
    return {**tool, "description": summary, "inputSchema": shape}


def _measured(listed: Sequence[JsonObject], questions: Sequence[list[str]], counter: Counter) -> Measured:
    index = SearchIndex([document(tool) for tool in listed])
    # A tool without siblings is found by any question, and one that tells nothing more asks none.
    asked = [(number, question) for number, question in enumerate(questions) if question and len(listed) > 1]
    found = sum(share_in_top(index, question, number, TOP) for number, question in asked)
    shown: list[JsonObject] = [{key: tool[key] for key in SEEN_FIELDS if key in tool} for tool in listed]
    return Measured(counter.count(compact(shown)), found, len(asked), sum(any(refusals(tool)) for tool in listed))
