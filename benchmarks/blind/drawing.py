"""Choose servers blindly: names at random, and those of them that start with no network and list a tool.

Nothing here knows a server: one rule for all decides which interpreter it runs on, which of its scripts is started,
with which words and with which made-up credentials.  A name that gives no server is kept with the reason.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from benchmarks.migrate.servers import PublishedServer
from benchmarks.migrate.workshop import Workshop, WorkshopError, run, uv
from pdmigrate.live.wire import WireError, connect
from pdmigrate.model import JsonObject

PYTHONS = ("3.11", "3.12", "3.13")
SDKS = ("mcp", "fastmcp")
COMMON = ("API_KEY", "API_TOKEN", "TOKEN")
WORDS = ("serve", "mcp", "stdio", "server", "run", "start")
"""Subcommands that a script may want before it serves, tried in this order where its help names them."""
_START = 150.0
"""Seconds in which a server must answer, on a machine that does much else."""
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_CREDENTIAL = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASS|USER|USERNAME|EMAIL|URL|URI|HOST|ID|ENDPOINT)$")
_VALUES = {"URL": "http://127.0.0.1:9", "URI": "http://127.0.0.1:9", "ENDPOINT": "http://127.0.0.1:9"}
_OTHERS = {"HOST": "127.0.0.1", "EMAIL": "someone@example.com"}


class NotThisOneError(Exception):
    """A name that gives no server; the text is the reason, in few words."""


class _DoesNotImportError(NotThisOneError):
    """It imports what this SDK has no more."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel as it was downloaded, and what its metadata asks for."""

    name: str
    version: str
    file: str
    sha256: str
    requires_python: str
    requires: tuple[str, ...]
    scripts: tuple[str, ...]
    text: str
    """All of its Python source."""

    @property
    def python(self) -> str:
        """The first interpreter that it allows.

        Raises:
            NotThisOneError: it allows none.
        """
        allowed = SpecifierSet(self.requires_python)
        for version in PYTHONS:
            if allowed.contains(f"{version}.9"):
                return version
        raise NotThisOneError("wants another Python")

    @property
    def extras(self) -> tuple[str, ...]:
        """The extra that brings an SDK, where only an extra does.

        Raises:
            NotThisOneError: the package depends on no SDK.
        """
        found = [Requirement(text) for text in self.requires]
        asked = [each for each in found if canonicalize_name(each.name) in SDKS]
        if any(each.marker is None or "extra" not in str(each.marker) for each in asked):
            return ()
        for each in asked:
            if extra := re.search(r"extra == ['\"]([^'\"]+)", str(each.marker)):
                return (extra[1],)
        raise NotThisOneError("depends on no SDK")

    @property
    def script(self) -> str:
        """The script that is started: the package's namesake, the first with mcp in its name, the only one.

        Raises:
            NotThisOneError: there is none of these.
        """
        namesakes = [name for name in self.scripts if canonicalize_name(name) == canonicalize_name(self.name)]
        about = [name for name in self.scripts if "mcp" in name.lower()]
        if found := namesakes or about or (self.scripts if len(self.scripts) == 1 else ()):
            return found[0]
        raise NotThisOneError("has no command" if not self.scripts else "which of its commands serves is not clear")


def order(names: Iterable[str], taken: Iterable[str], seed: int) -> list[str]:
    """The names in the order in which they are tried, without those that are taken; the same for one seed always."""
    away = {canonicalize_name(name) for name in taken}
    left = sorted({canonicalize_name(name) for name in names if "mcp" in name.lower()} - away)
    return random.Random(seed).sample(left, len(left))


def draw(name: str, cache: Path, as_of: str) -> PublishedServer:
    """The newest release of a package as an entry of a list of servers.

    Raises:
        NotThisOneError: it gives no server.
    """
    wheel = _download(name, cache)
    server = PublishedServer(
        name=wheel.name,
        version=wheel.version,
        wheel=wheel.file,
        sha256=wheel.sha256,
        python=wheel.python,
        sdk={},
        command=(wheel.script,),
        tools=0,
        as_of=as_of,
        dialect="",
        extras=wheel.extras,
    )
    try:
        return _installed(server, wheel, cache)
    except _DoesNotImportError:
        # Most such servers ask for any SDK from 1.x on and were written before there was another.
        return _installed(dataclasses.replace(server, requires=("mcp<2",)), wheel, cache)


def _installed(server: PublishedServer, wheel: Wheel, cache: Path) -> PublishedServer:
    workshop = Workshop(server, (cache / f"{server.name}-{server.version}").absolute())
    try:
        workshop.prepare()
    except WorkshopError as error:
        raise NotThisOneError("does not install") from error
    versions = _versions(workshop)
    started = _started(workshop, wheel)
    chosen = dataclasses.replace(started, sdk=versions, dialect=dialect(versions, wheel.text))
    Workshop(chosen, workshop.home).keep()
    return chosen


def dialect(versions: dict[str, str], text: str) -> str:
    """The SDK family that a source is made with, by what it imports."""
    if "fastmcp" in versions and re.search(r"^\s*(?:from|import) fastmcp\b", text, re.MULTILINE):
        return f"fastmcp{versions['fastmcp'].partition('.')[0]}"
    if versions["mcp"].startswith("1."):
        return "mcp1-fastmcp" if "mcp.server.fastmcp" in text else "mcp1-lowlevel"
    return "mcp2-mcpserver" if "MCPServer" in text else "mcp2-lowlevel"


def variables(text: str) -> dict[str, str]:
    """Made-up values of all that looks like the name of a credential or an address in a text."""
    names = sorted({name for name in _VARIABLE.findall(text) if _CREDENTIAL.search(name)} | set(COMMON))
    return {name: _value(name.rpartition("_")[2]) for name in names}


def _value(ending: str) -> str:
    return _VALUES.get(ending) or _OTHERS.get(ending) or "fake"


def _started(workshop: Workshop, wheel: Wheel) -> PublishedServer:
    """The server with the first way to start it in which it lists a tool."""
    said = ""
    for candidate in _ways(workshop.server, wheel, workshop):
        trial = Workshop(candidate, workshop.home)
        try:
            if tools := listed(trial):
                return dataclasses.replace(candidate, tools=len(tools))
            said = "lists no tools"
        except (WireError, WorkshopError) as error:
            if not candidate.requires and re.search(r"No module named 'mcp\.|from 'mcp\b", str(error)):
                raise _DoesNotImportError("does not start with the newest SDK") from error
            said = said or reason(str(error))
    raise NotThisOneError(said)


def _ways(server: PublishedServer, wheel: Wheel, workshop: Workshop) -> Iterator[PublishedServer]:
    common = {name: _value(name) for name in COMMON}
    yield (plain := dataclasses.replace(server, env=common))
    named = variables(wheel.text)
    yield (rich := dataclasses.replace(server, env=named))
    said = _help(Workshop(rich, workshop.home))
    for word in [word for word in WORDS if re.search(rf"^\s+{word}\b|[{{,|]{word}[}},|]", said, re.MULTILINE)][:3]:
        yield dataclasses.replace(rich, command=(*plain.command, word))
    if "--transport" in said:
        yield dataclasses.replace(rich, command=(*plain.command, "--transport", "stdio"))


def _help(workshop: Workshop) -> str:
    try:
        target = workshop.target(workshop.source)
        done = subprocess.run(
            [*target.command, "--help"], cwd=target.cwd, capture_output=True, text=True, timeout=30, check=False
        )
    except (subprocess.TimeoutExpired, WorkshopError):
        return ""
    return done.stdout + done.stderr


def listed(workshop: Workshop) -> list[JsonObject]:
    """What the server lists.

    Raises:
        WireError: it does not start, or does not answer.
        WorkshopError: it has no such command.
    """
    with connect(workshop.target(workshop.source), timeout=_START) as session:
        session.initialize()
        return list(session.list_tools())


def reason(said: str) -> str:
    """Why a server did not start, as one of a few causes."""
    causes = {
        r"ModuleNotFoundError|ImportError|cannot import": "does not start with what it installs today",
        r"usage:|Usage:|required: |Missing (?:option|argument)": "wants arguments",
        r"[Cc]onnect|resolve|Network|HTTPError|getaddrinfo|timed out": "wants a network or a service",
        r"not done in|no answer|did not answer": "does not answer",
    }
    return next((cause for pattern, cause in causes.items() if re.search(pattern, said)), "ends at its start")


def _versions(workshop: Workshop) -> dict[str, str]:
    [site] = workshop.home.glob("environment/lib/python3*/site-packages")
    installed = {
        canonicalize_name(found.metadata["Name"]): found.version for found in metadata.distributions(path=[str(site)])
    }
    if "mcp" not in installed:
        raise NotThisOneError("its SDK is another")
    return {name: version for name, version in installed.items() if name in (*SDKS, "pydantic")}


def _download(name: str, cache: Path) -> Wheel:
    folder = cache / "wheels" / name
    if not list(folder.glob("*.whl")):
        options = ("--quiet", "--no-deps", "--ignore-requires-python", "--only-binary", ":all:", "--dest", str(folder))
        try:
            run([str(_pip(cache)), "download", *options, name], timeout=300)
        except WorkshopError as error:
            raise NotThisOneError("has no wheel for this machine") from error
    [file] = folder.glob("*.whl")
    return _read(file)


def _pip(cache: Path) -> Path:
    home = cache / "pip"
    if not (home / "bin" / "pip").is_file():
        uv("venv", "--quiet", "--seed", "--clear", home)
    return home / "bin" / "pip"


def _read(file: Path) -> Wheel:
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        [about] = [name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        fields = HeaderParser().parsestr(archive.read(about).decode())
        points = about.replace("METADATA", "entry_points.txt")
        listed_points = archive.read(points).decode() if points in names else ""
        sources = [archive.read(name).decode(errors="replace") for name in names if name.endswith(".py")]
    section = re.search(r"\[console_scripts\]([^\[]*)", listed_points)
    scripts = re.findall(r"^\s*([^=\s]+)\s*=", section[1], re.MULTILINE) if section else []
    return Wheel(
        name=canonicalize_name(fields["Name"]),
        version=fields["Version"],
        file=file.name,
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        requires_python=fields["Requires-Python"] or "",
        requires=tuple(fields.get_all("Requires-Dist") or ()),
        scripts=tuple(scripts),
        text="\n".join(sources),
    )


def entry(server: PublishedServer) -> JsonObject:
    """A server as it stands in a list."""
    return {name: value for name, value in dataclasses.asdict(server).items() if value and name != "as_of"}
