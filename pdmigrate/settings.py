"""Settings from ``[tool.pdmigrate]`` of ``pyproject.toml`` and from the command line, as one immutable value."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pdmigrate import disk
from pdmigrate.errors import ConfigError, UsageError
from pdmigrate.findings import CODES
from pdmigrate.runtime.stubs import STUB_SCHEMAS


@dataclass(frozen=True, slots=True)
class Settings:
    """Every option of every command, with its default."""

    move: str = "literal"
    """Which definitions go to files: ``literal``, ``all`` or ``none``."""
    stub_schema: str = "skeleton"
    """The input schema of a stub: ``skeleton``, ``open`` or ``full``."""
    copies: bool = False
    """Whether each tool has a description file, also one whose definition stays in the code."""
    bridge: bool = True
    """Whether the server offers ``<server>_describe_tools`` for hosts whose model cannot read resources."""
    drop_output_schema: bool = False
    """Whether stubs omit ``outputSchema``, which typed clients use to check results, and which no model sees."""
    stdio: str = "enforce"
    http: str = "advise"
    select: tuple[str, ...] = ()
    """Tool names, or patterns with ``*``; empty means all."""
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    """Finding codes that are not reported."""
    exclude_paths: tuple[str, ...] = ()
    """Patterns, as in ``.gitignore``, of paths that are not read."""
    seconds: int = 60
    """The processor time that evaluating one file of servers may take."""
    sdk: Mapping[str, str] = field(default_factory=dict)
    """Versions of SDK packages that are given instead of detected."""
    dashdash: Mapping[str, Any] | None = None
    """The metadata of the dashdash MCP enhancements, under their own names; ``None``: the server offers none."""
    ai_help_tool: bool = False
    """Whether the help of dashdash is offered as a tool as well as a resource."""
    budget: int | None = None
    """The most tokens that a server may list; ``None``: any number."""
    given: frozenset[str] = field(default=frozenset(), compare=False)
    """The names of the settings that the configuration or the command line sets."""
    sdk_from_command_line: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The versions in ``sdk`` that the command line gave: the output is made for them, so the lock records them."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "move": ("literal", "all", "none"),
    "stub_schema": tuple(STUB_SCHEMAS),
    "stdio": ("enforce", "strict", "advise", "off"),
    "http": ("enforce", "strict", "advise", "receipt", "off"),
    "ignore": tuple(CODES),
}
"""The allowed values of the settings that do not accept arbitrary text."""

_COUNTED = {"budget": "tokens", "seconds": "seconds"}
_TABLE = "tool.pdmigrate"
_DEFAULTS = {item.name: getattr(Settings(), item.name) for item in dataclasses.fields(Settings) if item.compare}


def load(path: Path) -> Settings:
    """The settings that apply to ``path``; the defaults if no configuration is found.

    They are those of the nearest ``pyproject.toml`` at or above ``path`` that has a ``[tool.pdmigrate]``.  The search
    ends at the folder that holds ``.git``.  Raises ConfigError for an unknown key (PD801), a value that is not allowed
    (PD802), or a file that is not TOML (PD803).
    """
    start = Path(disk.real(path))
    folders = [start]
    while not disk.is_repository(folders[-1]) and folders[-1].parent != folders[-1]:
        folders.append(folders[-1].parent)
    for folder in folders:
        # Links may lead no further than the repository; without a repository, no further than the file's folder.
        top = folders[-1] if disk.is_repository(folders[-1]) else folder
        file = folder / "pyproject.toml"
        if (table := _table(top, file)) is not None:
            return parse(table, file.name if folder == start else str(file))
    return Settings()


def _table(top: Path, file: Path) -> Any:
    """``[tool.pdmigrate]`` of ``file``, or ``None``; TOML that does not mention pdmigrate is not parsed."""
    raw = disk.content(top, file.relative_to(top).as_posix()) or b""
    if b"pdmigrate" not in raw:
        return None
    from pdmigrate.source.documents import DocumentError, read_toml

    try:
        document = read_toml(raw)
    except DocumentError as error:
        raise ConfigError(
            f"{file} cannot be read: {error}", hint="correct the file and run the command again", code="PD803"
        ) from error
    tool = document.get("tool")
    return tool.get("pdmigrate") if isinstance(tool, dict) else None


def parse(table: object, origin: str) -> Settings:
    """Settings from the ``[tool.pdmigrate]`` table of the file ``origin``.

    Raises ConfigError for an unknown key (PD801), or a value that is not allowed (PD802).
    """
    if not isinstance(table, dict):
        raise ConfigError(f"{origin}: {_TABLE} must be a table", hint=f"write it as [{_TABLE}]", code="PD802")
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = str(key).replace("-", "_")
        if name not in _DEFAULTS or "_" in str(key):
            near = nearest(kebab(name), map(kebab, _DEFAULTS))
            known = f"did you mean {near!r}?" if near else f"the settings are {', '.join(map(kebab, _DEFAULTS))}"
            raise ConfigError(f"{origin}: [{_TABLE}] has no setting {key!r}", hint=known, code="PD801")
        if problem := _problem(name, value):
            raise ConfigError(f"{origin}: {key} in [{_TABLE}] {problem[0]}", hint=problem[1], code="PD802")
        values[name] = tuple(value) if isinstance(value, list) else value
    return dataclasses.replace(Settings(), **values, given=frozenset(values))


def merge(settings: Settings, **flags: Any) -> Settings:
    """``settings`` overridden by the options of a command line; ``None`` and empty collections mean "not given".

    ``sdk`` is merged package by package.  Raises UsageError if an option has a value that is not allowed.
    """
    given: dict[str, Any] = {}
    for name, value in flags.items():
        if value is None or value in ([], (), {}):
            continue
        if problem := _problem(name, value):
            raise UsageError(f"--{kebab(name)} {problem[0]}", hint=problem[1])
        given[name] = tuple(value) if isinstance(value, list) else value
    if "sdk" in given:
        given |= {"sdk": {**settings.sdk, **given["sdk"]}, "sdk_from_command_line": given["sdk"]}
    chosen = settings.given | (given.keys() - {"sdk_from_command_line"})
    return dataclasses.replace(settings, **given, given=chosen)


def is_selected(name: str | None, settings: Settings) -> bool:
    """Whether ``--select`` and ``--exclude`` leave a tool in; a tool whose name is not known cannot be selected."""
    if name is None:
        return not settings.select
    chosen = not settings.select or any(fnmatchcase(name, pattern) for pattern in settings.select)
    return chosen and not any(fnmatchcase(name, pattern) for pattern in settings.exclude)


def kebab(name: str) -> str:
    """A setting's name as it is written in TOML and on the command line."""
    return name.replace("_", "-")


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The word of ``known`` that ``word`` most likely means, or ``None``.

    Ask for more ``likeness`` where all words look alike, as finding codes do.
    """
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=likeness)), None)


def _problem(name: str, value: object) -> tuple[str, str] | None:
    """Why the setting ``name`` does not allow ``value``, with a hint; ``None`` if it does."""
    default = _DEFAULTS[name]
    if name == "dashdash":
        return _wrong_metadata(value)
    if name in _COUNTED:
        good = type(value) is int and value > 0
        return None if good else (f"is {value!r}", f"it must be a number of {_COUNTED[name]} above 0")
    if isinstance(default, bool):
        return None if isinstance(value, bool) else (f"is {value!r}", "it must be true or false")
    if isinstance(default, str):
        return _not_allowed(name, value) if isinstance(value, str) else (f"is {value!r}", _must_be(name))
    if isinstance(default, tuple):
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            return f"is {value!r}", "it must be a list of texts"
        return next((bad for item in value if (bad := _not_allowed(name, item))), None)
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        return f"is {value!r}", 'it must be a table of versions, like { mcp = "1.30.0" }'
    return None


def _wrong_metadata(value: object) -> tuple[str, str] | None:
    if not isinstance(value, dict):
        return f"is {value!r}", "write it as [tool.pdmigrate.dashdash]"
    from pdmigrate.describe.dashdash import problems
    from pdmigrate.describe.leaking import leaks

    if leak := next(leaks(value), None):
        return f"holds {leak}", "take the value out: metadata is sent to every client"
    problem = next(problems(value), None)
    return (f"does not fit dashdash v0.2.0: {problem}", "see docs/dashdash.md for its fields") if problem else None


def _not_allowed(name: str, value: str) -> tuple[str, str] | None:
    if name not in CHOICES or value in CHOICES[name]:
        return None
    near = nearest(value, CHOICES[name], 0.8 if name == "ignore" else 0.6)
    return f"does not know {value!r}", f"did you mean {near!r}?" if near else _must_be(name)


def _must_be(name: str) -> str:
    allowed = CHOICES.get(name, ())
    return f"it must be one of {', '.join(allowed)}" if len(allowed) <= 10 else "see docs/findings for the codes"
