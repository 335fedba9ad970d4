"""What the lost property office does, whatever SDK it is on: its tools, resources and prompts as plain functions."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from mcp import types
from pydantic import BaseModel, Field, validate_call

STAFF = {"lost_property_describe_tools_pd"}
"""What guests do not see."""
Topic = Annotated[str, Field(min_length=2)]


class Found(BaseModel):
    """What lies on a shelf."""

    items: list[str]


def find_items(
    word: Annotated[str, Field(min_length=2, description="A word of the label.")],
    shelf: Annotated[Literal["a", "b"], Field(description="Where to look.")] = "a",
) -> Found:
    """List what was found, by a word of its label. Only what was handed in this month is kept here."""
    return Found(items=[f"{word} on {shelf}"])


def hand_out(number: Annotated[int, Field(ge=1, description="On the label.")]) -> Any:
    """Give an item back to its owner. It is gone from the shelves then, so ask for a proof before."""
    if number > 99:
        raise ValueError(f"nothing has the number {number}")
    return everything() if number == 88 else f"{number} is handed out"


def everything() -> list[Any]:
    """Content of every kind."""
    hours = {"uri": "office://hours", "mimeType": "text/plain"}
    return [
        types.TextContent(type="text", text="a parcel"),
        types.ImageContent.model_validate({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
        types.AudioContent.model_validate({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}),
        types.ResourceLink.model_validate({"type": "resource_link", "name": "hours", **hours}),
        types.EmbeddedResource.model_validate({"type": "resource", "resource": {**hours, "text": "9 to 5"}}),
    ]


def lost_property_describe_tools(topic: Topic) -> str:
    """Say how the tools of the workshop are used. This is a tool of the office, not a bridge."""
    return f"lost_property_describe_tools about {topic}"


def lost_property_describe_tools_pd(topic: Topic) -> str:
    """The same for the staff, who alone see it. It names the keys as well."""
    return f"lost_property_describe_tools_pd about {topic}"


def search_cellar(box: Annotated[int, Field(le=9, description="Which box.")]) -> str:
    """Search a box in the cellar. There are nine; the ninth is empty."""
    return f"box {box} holds an umbrella"


def called(name: str, arguments: dict[str, Any]) -> Any:
    """What a low-level server answers; an argument that is wrong is a ValueError, as is a tool that nobody has."""
    tools = (find_items, hand_out, lost_property_describe_tools, lost_property_describe_tools_pd, search_cellar)
    for tool in tools:
        if tool.__name__ == name:
            return validate_call(tool)(**arguments)
    raise ValueError(f"unknown tool: {name}")


def is_staff(headers: Mapping[str, str] | None) -> bool:
    """Over HTTP a header says so, over a pipe the environment."""
    return (headers.get("x-office-role") if headers else os.environ.get("OFFICE_ROLE")) == "staff"


CONTENTS = {"office://hours": "9 to 5", "office://shelves/a": "shelf a", "office://shelves/b": "shelf b"}


def hours() -> str:
    """When the office is open."""
    return "9 to 5"


def shelf(shelf: str) -> str:
    """What a shelf is for."""
    return f"shelf {shelf}"


def notice(item: str) -> str:
    """A notice for the board."""
    return f"Write a notice about {item}."


def options() -> argparse.Namespace:
    """How it is started: over a pipe, or with ``--http PORT``."""
    parser = argparse.ArgumentParser(description="A lost property office.")
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--stateless", action="store_true")
    parser.add_argument("--sse", action="store_true")
    return parser.parse_args()
