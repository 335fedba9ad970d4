"""What a wrapper stands in front of: the content of ``wrapped.json``."""

from __future__ import annotations

import dataclasses
import datetime
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from pdmigrate.errors import UsageError
from pdmigrate.escaping import json_of_file
from pdmigrate.model import JsonObject
from pdmigrate.source.documents import DocumentError, read_json

_COMMENT = "What the wrapped server listed when it was asked; `pdmigrate sync --live` asks again."
REFERENCE = re.compile(r"\$(?P<brace>\{)?(?P<name>[A-Za-z_]\w*)(?(brace)\})")
"""A variable of the environment in the value of a header."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """One wrapped server.

    It is reached by ``command``, or at ``url`` with ``headers`` whose values name variables of the environment
    (``Bearer $TOKEN``).  ``tools`` are its definitions in wire form, in order, as they were on the day ``asked``.
    """

    name: str
    asked: str
    tools: tuple[dict[str, Any], ...]
    command: tuple[str, ...] = ()
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    stdio: Literal["enforce", "strict", "advise", "off"] = "enforce"
    stub_schema: Literal["skeleton", "open", "full"] = "skeleton"
    bridge: bool = True
    module: str = ""
    """The digest of the wrapper as it was last written, by which an edit of it is noticed."""

    def __post_init__(self) -> None:
        for name, value in self.headers.items():
            if not REFERENCE.search(value):
                raise UsageError(
                    f"--header {name} has a value that would be written into the wrapper",
                    hint=f"name a variable of the environment instead, in single quotes: --header '{name}: $TOKEN'",
                )

    def following(self, name: str, tools: tuple[dict[str, Any], ...]) -> Wrapped:
        """The record with what the server has just said; the date changes only if the tools do."""
        name = name or self.name or "server"
        if (self.name, self.tools) == (name, tools):
            return self
        return dataclasses.replace(self, name=name, tools=tools, asked=datetime.date.today().isoformat())

    def dump(self) -> bytes:
        """The text of the file."""
        content: JsonObject = {"$comment": _COMMENT, "version": 1, **dataclasses.asdict(self)}
        kept = {key: value for key, value in content.items() if value not in ("", {}, ())}
        kept |= {"command": [*self.command]} if self.command else {}
        text = json_of_file({**kept, "tools": [*self.tools]}, indent=2)
        return f"{text}\n".encode()


def parse(text: str, where: str) -> Wrapped:
    """The record in ``text``, the content of ``where``; raises UsageError if ``Wrapped.dump`` does not write such."""
    hint = "restore it from version control, or run `pdmigrate wrap` again"
    try:
        content = read_json(text)
    except DocumentError as error:
        raise UsageError(f"{where} is not JSON: {error}", hint=hint) from error
    if not isinstance(content, dict) or content.get("version") != 1:
        raise UsageError(f"{where} was not written by this version of pdmigrate", hint=hint)
    from pydantic import TypeAdapter, ValidationError

    try:
        wrapped = TypeAdapter(Wrapped).validate_python({key: content[key] for key in content if key in _FIELDS})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{where} has no valid {place}: {first['msg']}", hint=hint) from error
    if not all(isinstance(tool.get("name"), str) for tool in wrapped.tools):
        raise UsageError(f"{where} has a tool without a name", hint=hint)
    return wrapped


_FIELDS = frozenset(item.name for item in dataclasses.fields(Wrapped))
