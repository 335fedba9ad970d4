"""The commands that start a server, for a person to agree to, found from the project's texts; nothing is run."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from pdmigrate.model import mapping
from pdmigrate.source.entries import scripts_of
from pdmigrate.source.source import tree_of

Read = Callable[[str], "str | None"]
"""The text of a file of the project; ``None`` if there is none that can be read."""
ENVIRONMENTS = (".venv", "venv", "env")
"""The usual names of a project's environment."""
_SCRIPTS = 1000
"""How many scripts are remembered: each is looked at once for every server that it may start."""
SCRIPT = 3
"""The rank of a command that is only known to start a file because that is a script."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ``command`` that starts the server of ``file``; ``secrets`` are variables that it needs, ``rank`` 0 is best."""

    command: str
    file: str
    reason: str
    secrets: tuple[str, ...] = ()
    rank: int = 0


Start = tuple[str, str, tuple[str, ...]]
"""A command, the reason why it is thought to start the server, and the secrets that it needs."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a project says: its texts, what is ``near``, console scripts with targets, what manages its environment."""

    read: Read
    near: Mapping[str, str]
    targets: Mapping[str, str]
    manager: str

    def run(self, words: str) -> str:
        """``words`` as they are run in the environment: a folder beside the build file, or what makes one."""
        for folder in ENVIRONMENTS:
            if self.read(f"{folder}/pyvenv.cfg") is not None:
                return f"{folder}/bin/{words}"
        return f"{self.manager} run {words}" if self.manager else words


def candidates(file: str, read: Read, build: Mapping[str, Any], near: Mapping[str, str]) -> tuple[Candidate, ...]:
    """The commands that start the server made in ``file``, the most certain first.

    ``read`` reads texts below the root, ``build`` is the parsed ``pyproject.toml``; ``near`` maps the files that start
    what ``file`` makes, itself among them, to the names of their modules.
    """
    locked = [name for name in _RUNNERS if read(f"{name}.lock") is not None]
    managers = locked or [name for name in _RUNNERS if name in mapping(build.get("tool"))]
    said = _Said(read, near, scripts_of(build), next(iter(managers), ""))
    unique: dict[str, Candidate] = {}
    for rank, kind in enumerate((_console, _configured, _modules, _files)):
        for command, reason, secrets in kind(said):
            unique.setdefault(command, Candidate(command, file, reason, secrets, rank))
    return tuple(unique.values())


def _console(said: _Said) -> Iterator[Start]:
    # A folder of sources that is a package itself is part of the names by which entry points reach its modules.
    modules = {*(path.removesuffix(".py").replace("/", ".") for path in said.near), *said.near.values()}
    for name, target in said.targets.items():
        module = target.partition(":")[0].strip()
        empty = said.read(".venv/pyvenv.cfg") is not None and said.read(f".venv/bin/{name}") is None
        if not modules.isdisjoint((module, f"{module}.__init__")) and not empty:
            words = " ".join((name, *_subcommand(name, said.read)))
            yield said.run(words), f"the console script {name} runs {target}", ()


def _subcommand(name: str, read: Read) -> list[str]:
    """The words with which documents first have a console script serve over stdio; none if they first run it bare."""
    uses: list[list[str]] = []
    for block in (match[1] for path in _PROSE for match in _BLOCK.finditer((read(path) or "")[:_LONGEST])):
        lines = [_split(line.partition(" #")[0].strip().removeprefix("$ ")) for line in block.splitlines()]
        uses += _arguments(name, (*(words for words, _ in _servers(block)), *lines))
    uses += _registered(read)
    serving = (use for use in uses if not use or (_SERVING.issuperset(use[0].split("-")) and use[1:] in _OVER_STDIO))
    return next(serving, [])


def _registered(read: Read) -> list[list[str]]:
    """The words that ``server.json``, by which the MCP registry knows a server, puts behind its package."""
    return [
        [word]
        for package in _list_of(_json(read("server.json")), "packages")
        for place in ("packageArguments", "runtimeArguments")  # both are in use for it
        for argument in _list_of(package, place)
        if mapping(argument).get("type") == "positional"
        if isinstance(word := mapping(argument).get("value"), str)
    ]


def _list_of(value: Any, key: str) -> list[Any]:
    found = mapping(value).get(key)
    return found if isinstance(found, list) else []


_SETTINGS = (".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "claude_desktop_config.json")
_PAGES = ("README", "index", "installation", "usage")
_PROSE = ("README.md", "readme.md", "Readme.md", "README.rst", *(f"docs/{page}.md" for page in _PAGES))
_BLOCK = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*\n(.*?)^[ \t]*(?:```|~~~)", re.MULTILINE | re.DOTALL)
_SECRET = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
_LONGEST = 200_000
_SERVING = frozenset({"serve", "server", "run", "start", "mcp", "stdio"})
"""Subcommands of command lines that start a server, and the words of those that have several (``start-mcp-server``)."""
_OVER_STDIO: tuple[list[str], ...] = ([], ["stdio"], ["--stdio"], ["--transport", "stdio"], ["--transport=stdio"])


def _configured(said: _Said) -> Iterator[Start]:
    for path in (*_SETTINGS, *_PROSE):
        text = said.read(path)
        if text is None or len(text) > _LONGEST:
            continue
        blocks = [text] if path.endswith(".json") else [match[1] for match in _BLOCK.finditer(text)]
        for words, secrets in (pair for block in blocks for pair in _servers(block)):
            if _starts(words, said):
                yield shlex.join(words), f"{path} gives this command", secrets
    source = mapping(mapping(_json(said.read("fastmcp.json"))).get("source")).get("path")
    if isinstance(source, str) and str(PurePosixPath(source.partition(":")[0])) in said.near:
        yield said.run("fastmcp run fastmcp.json"), f"fastmcp.json names {source}", ()
    words = _image(said.read("Dockerfile") or "")
    if _starts(words, said) and not any(word.startswith("/") for word in words):
        yield said.run(shlex.join(bare(words))), "the Dockerfile gives this command", ()


def _servers(block: str) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    settings = mapping(_json(block if block.lstrip().startswith("{") else f"{{{block}}}"))
    tables = (settings.get("mcpServers"), settings.get("servers"), mapping(settings.get("mcp")).get("servers"))
    for entry in (mapping(one) for table in tables for one in mapping(table).values()):
        if isinstance(command := entry.get("command"), str) and command:
            words = [command, *map(str, _list_of(entry, "args"))]
            yield words, tuple(name for name in mapping(entry.get("env")) if _SECRET.search(name))


def _arguments(name: str, commands: Iterable[list[str]]) -> Iterator[list[str]]:
    """The arguments that commands give to a console script which they run as it is, or from where it is installed."""
    for words in commands:
        for at, word in enumerate(words):
            before = words[:at]
            runs = not before or before[0] == "uvx" or (before[0] in _MANAGERS and "run" in before)
            if runs and re.split(r"[@\[=]", word)[0] == name and before[-1:] not in _SOURCES:
                yield words[at + 1 :]
                break


_MANAGERS = frozenset({"uv", "poetry", "pdm", "pipx", "hatch", "rye"})
"""Tools with which console scripts are run: ``uv run desk``, ``uv tool run desk``, ``pipx run desk``."""
_SOURCES = (["--from"], ["--spec"], ["--with"], ["--package"])
"""Options whose values name what is installed, and not what is run."""


def _json(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def _image(text: str) -> list[str]:
    """The words of a Dockerfile's command: its last ENTRYPOINT with its last CMD."""
    parts: dict[str, list[str]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.upper() in ("ENTRYPOINT", "CMD"):
            words = _json(rest.strip())
            parts[word.upper()] = [str(one) for one in words] if isinstance(words, list) else _split(rest)
        elif word.upper() == "FROM":
            parts = {}
    return [*parts.get("ENTRYPOINT", ()), *parts.get("CMD", ())]


def _split(text: str) -> list[str]:
    """The words of a plain command; none of one that needs a shell."""
    if re.search(r"[;&|<>$`(]", text):
        return []
    try:
        return shlex.split(text)
    except ValueError:
        return []


_RUNNERS = ("uv", "poetry", "pdm")
"""The managers of environments whose lock file or table says that a project is run by them."""


def bare(words: list[str]) -> list[str]:
    """A command without what runs it in the project's environment."""
    return words[2:] if words[1:2] == ["run"] and words[0] in _RUNNERS else words


def _starts(words: list[str], said: _Said) -> bool:
    words = bare(words)
    foreign = {"--directory", "--from", "--with"}.intersection(words)
    if not words or foreign or any("/path/" in word or "<" in word or "${" in word for word in words):
        return False
    if words[0] in said.near:
        return True
    modules = set(said.near.values())
    if words[0] in said.targets:
        return said.targets[words[0]].partition(":")[0] in modules
    if not re.fullmatch(r"python[\d.]*|py|fastmcp|mcp", PurePosixPath(words[0]).name):
        return False
    if "-m" in words[1:-1]:
        return not modules.isdisjoint((module := words[words.index("-m") + 1], f"{module}.__main__"))
    return any(str(PurePosixPath(word.partition(":")[0])) in said.near for word in words[1:] if ".py" in word)


def _modules(said: _Said) -> Iterator[Start]:
    for path, module in said.near.items():
        package, _, last = module.rpartition(".")
        inside = path.removesuffix("/__main__.py") == package.replace(".", "/")
        if last == "__main__" and package and (inside or said.targets or said.read("pyproject.toml") is not None):
            yield said.run(f"python -m {package}"), f"{path} makes {package} a program", ()


def _files(said: _Said) -> Iterator[Start]:
    for path, module in said.near.items():
        text = said.read(path)
        if path.endswith("/__main__.py") or text is None or not is_script(text):
            continue
        folder = str(PurePosixPath(path).parent)
        inside = folder != "." and said.read(f"{folder}/__init__.py") is not None
        words = f"python -m {module}" if inside and _needs_package(text) else f"python {shlex.quote(path)}"
        yield said.run(words), f"{path} is a script", ()


@lru_cache(_SCRIPTS)
def _needs_package(text: str) -> bool:
    """Whether a script imports relatively, and has no other way where that fails."""
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        match waiting.pop():
            case ast.ImportFrom(level=level) if level:
                return True
            case ast.Try(handlers=[_, *_]):
                pass
            case node:
                waiting += ast.iter_child_nodes(node)
    return False


_MAINS = frozenset({"main", "run", "serve", "start", "cli", "app"})
"""The names of functions that start a program, where a module calls one at its top."""
_CALLS_MAIN = re.compile(rf"__main__|\b(?:{'|'.join(sorted(_MAINS))})[ \t]*\(")


@lru_cache(_SCRIPTS)
def is_script(text: str) -> bool:
    """Whether a module starts a program when it is run by itself: it asks for ``__name__``, or calls ``main``."""
    tree = tree_of(text) if _CALLS_MAIN.search(text) else None
    return tree is not None and any(map(_is_main, tree.body))


def _is_main(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name("__name__"), comparators=[ast.Constant("__main__")])):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in _MAINS
    return False
