"""The list of published servers, ``benchmarks/data/servers.json``, as values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter

DATA = Path(__file__).resolve().parents[1] / "data"
"""The lists of published servers, and which of them the tests run."""
LIST = DATA / "servers.json"


@dataclass(frozen=True, slots=True)
class PublishedServer:
    """One server, pinned: the wheel by its sha256, the SDK by version, everything else by the date of the list.

    ``dialect`` is the SDK family that it is made with; one list may hold several.  ``command`` begins with ``python``
    or with a console script of the package.  ``{cwd}`` in it and in ``env`` stands for the folder the server is started
    in, which is its home too, and holds ``files``: paths with texts, or with values that become JSON.  ``stand_ins``
    are folders of ``benchmarks/stand_ins``: modules that take the place of drivers that want a service, a model or
    another system.  ``tools`` is how many the server lists.
    """

    name: str
    version: str
    wheel: str
    sha256: str
    python: str
    sdk: Mapping[str, str]
    command: tuple[str, ...]
    tools: int
    as_of: str
    dialect: str
    env: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    files: Mapping[str, Any] = field(default_factory=dict)
    stand_ins: tuple[str, ...] = ()

    @property
    def installed(self) -> tuple[object, ...]:
        """What its environment depends on, which is kept while none of it changes."""
        bounds = (self.python, self.as_of, self.extras, self.requires, self.overrides)
        return (self.name, self.version, self.sha256, self.pins, *bounds)

    @property
    def pins(self) -> tuple[str, ...]:
        """The versions of the SDK as requirements, which is also how ``pdmigrate --sdk`` takes them."""
        return tuple(f"{package}=={version}" for package, version in self.sdk.items())


def load(path: Path = LIST) -> tuple[PublishedServer, ...]:
    """The servers of a list, in its order; an entry may say otherwise than the list what ``as_of`` and ``dialect`` are.

    Raises:
        pydantic.ValidationError: an entry has a key that means nothing, or lacks one.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    entries = [{"as_of": content["as_of"], "dialect": content["dialect"], **entry} for entry in content["servers"]]
    return TypeAdapter(tuple[PublishedServer, ...], config=ConfigDict(extra="forbid")).validate_python(entries)
