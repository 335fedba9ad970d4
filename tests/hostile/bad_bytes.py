# ruff: noqa: E501 - tables
"""A migrated project in which one file holds something else than it should, drawn from a number."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.hostile.running import Ran, faults_of, run
from tests.hostile.worlds import World, migrated_files, snapshot
from tests.support.files import write

OTHERS: dict[str, bytes] = {
    "pyproject.toml": b'[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n\n[project]\nname = "x"\n'
    b'version = "1"\ndependencies = ["mcp>=1.9"]\n\n[tool.pdmigrate]\nignore = []\n',
    "uv.lock": b'version = 1\n\n[[package]]\nname = "mcp"\nversion = "1.12.0"\n',
    "poetry.lock": b'[[package]]\nname = "mcp"\nversion = "1.12.0"\n',
    "pdm.lock": b'[[package]]\nname = "mcp"\nversion = "1.12.0"\n',
    "requirements.txt": b"mcp==1.12.0\n",
    "setup.cfg": b"[metadata]\nname = x\n",
    "setup.py": b"from setuptools import setup\nsetup(name='x')\n",
    "MANIFEST.in": b"include *.json\n",
    ".python-version": b"3.11\n",
    ".gitignore": b"*.pyc\n",
    ".pre-commit-config.yaml": b"repos: []\n",
    "tests/test_server.py": b"import server\n\n\ndef test_it():\n    assert server\n",
    "lib.py": b"from mcp.server import Server\nX = 1\n",
    "__init__.py": b"",
    ".pdmigrate/journal/run/manifest.json": b'{"version": 1, "folders": [], "entries": []}',
}
"""Files beside those of the migration, each of which some command reads."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "check --format sarif": ("check", "--format", "sarif"),
    "sync": ("sync", "--allow-dirty"),
    "sync --prune": ("sync", "--prune", "--allow-dirty"),
    "revert --dry-run": ("revert", "--dry-run"),
    "revert": ("revert",),
    "revert --force": ("revert", "--force"),
    "apply": ("apply",),
    "apply --write": ("apply", "--write", "--allow-dirty"),
    "extract": ("extract", "--no-write", "--format", "json"),
    "explain": ("explain", "check_out"),
    "pdmigrate-check": ("HOOK", "check", "server.py"),
    "pdmigrate-sync": ("HOOK", "sync", "server.py"),
}
DEEP = 100_000
VALUES: tuple[bytes, ...] = (
    b"null", b"0", b"-1", b'""', b"[]", b"{}", b"true", b"1e999", b"-1e999", b"NaN", b"Infinity", b"9" * 5000, b'"\\ud800"',
    b'"\\u0000"', b'"../../x"', b'"a\\nb"', b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP, b"[[[[]]]]",
    b'"' + b"x" * 3_000_000 + b'"', b"[" + b"1," * 200_000 + b"1]", b'{"$ref": "#"}', b'{"$ref": "#/properties/x"}',
    b'{"type": 3}', b'{"type": ["x"]}', b'{"pattern": "("}', b'{"properties": []}', b'{"$schema": "file:///etc/passwd"}',
    b'{"$ref": "http://127.0.0.1:9/x"}', b'{"pattern": "(a+)+$"}', b'{"enum": 1}', b'{"$id": 3, "$defs": 4}', b"1.5", b'"x"',
)  # fmt: skip


def make(seed: int, folder: Path) -> tuple[World, str]:
    """The project of a number, and what was done to which of its files."""
    draw = random.Random(seed)
    for name in ("repo", "home", "outside"):
        (folder / name).mkdir()
    files = {**OTHERS, **migrated_files(draw.choice(("mcp1_lowlevel", "mcp1_fastmcp")))}
    if draw.random() < 0.7:
        # A journal stands in the way of everything else.
        del files[".pdmigrate/journal/run/manifest.json"]
    for name in draw.sample([name for name in OTHERS if name in files], 8):
        files.pop(name)
    ours = [name for name in files if name not in OTHERS]
    name = draw.choice(ours) if draw.random() < 0.7 else draw.choice(list(files))
    what, content = _changed(draw, name, files[name])
    files[name] = content
    write(folder / "repo", files)
    return World(seed, folder, (name, what)), f"{name}: {what}"


def _changed(draw: random.Random, name: str, raw: bytes) -> tuple[str, bytes]:
    if name.endswith((".json", ".lock")) and draw.random() < 0.6:
        try:
            return _changed_json(draw, json.loads(raw))
        except ValueError:
            pass
    at = draw.randrange(len(raw) + 1)
    odd = draw.choice((b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x0c", "\u2028".encode(), b"\xed\xa0\x80", b"\x1b[2J"))
    kinds: dict[str, bytes] = {
        "empty": b"", "one byte": draw.choice((b"\n", b"{", b"\0", b"\xff", b"[", b'"', b"'", b"(", b"a", b"-", b"@")),
        "cut": raw[:at], "end only": raw[at:], "doubled": raw + raw, "reversed": raw[::-1], "UTF-16": raw.decode().encode("utf-16"),
        "10 MB of blanks": raw + b" " * 10_000_000, "10 MB of lines": raw + b"\n" * 10_000_000, "10 MB of noise": b"x" * 10_000_000,
        "10 MB of comments": raw + b"# a\n" * 2_500_000, "odd byte": raw[:at] + odd + raw[at:], "CRLF": raw.replace(b"\n", b"\r\n"),
        "CR": raw.replace(b"\n", b"\r"), "deep": b"[" * DEEP, "deep and closed": b"a = " + b"[" * DEEP + b"]" * DEEP,
        "deep table": b"[" + b"a." * 20_000 + b"a]\n", "line gone": b"\n".join(_without(draw, raw.split(b"\n"))),
        "line twice": b"\n".join(_twice(draw, raw.split(b"\n"))), "markers": raw[:at] + b"\n<<<<<<< ours\n=======\n>>>>>>> theirs\n",
        "value": draw.choice(VALUES), "random": draw.randbytes(draw.choice((1, 10, 1000, 100_000))),
        "one long line": raw.replace(b"\n", b" "), "quoted": b'"""' + raw,
        "other types": raw.replace(b'"', b"").replace(b"= [", b"= 3 #"), "numbers": raw.replace(b"1", b"9" * 5000),
    }  # fmt: skip
    kind = draw.choice(list(kinds))
    return kind, kinds[kind]


def _changed_json(draw: random.Random, value: Any) -> tuple[str, bytes]:
    """One part of a document replaced by something of another kind, or a key said twice."""
    places = list(_places(value))
    holder, key = draw.choice(places) if places else (None, None)
    wanted = draw.choice(VALUES)
    if holder is None:
        return "another document", wanted
    if isinstance(holder, dict) and draw.random() < 0.2:
        del holder[key]
        return f"without {key!r}", json.dumps(value, indent=2).encode()
    mark = "@@@@"
    holder[key] = mark
    text = json.dumps(value, indent=2).encode()
    if isinstance(holder, dict) and draw.random() < 0.2:
        twice = json.dumps(key).encode() + b': "@@@@"'
        return f"{key!r} twice", text.replace(twice, twice.replace(b'"@@@@"', b"1") + b", " + twice).replace(
            b'"@@@@"', wanted
        )
    return f"{key!r} is {wanted[:30]!r}", text.replace(b'"@@@@"', wanted)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(parts):
        yield value, key
        yield from _places(part)


def _without(draw: random.Random, lines: list[bytes]) -> list[bytes]:
    gone = draw.randrange(len(lines))
    return [line for number, line in enumerate(lines) if number != gone]


def _twice(draw: random.Random, lines: list[bytes]) -> list[bytes]:
    again = draw.randrange(len(lines))
    return [*lines[: again + 1], *lines[again:]]


def faults(world: World, what: str, titles: tuple[str, ...]) -> Iterator[str]:
    """What the commands did with the file that they should not."""
    name = world.traits[0]
    for title in titles:
        before = snapshot(world.repo)
        ran = run(world, title, COMMANDS[title])
        yield from (f"{title} on {what}: {fault}" for fault in faults_of(ran))
        if ran.status == 2:
            yield from (f"{title} on {what}: {fault}: {ran.said[-400:]}" for fault in _unclear(ran, name))
            if (after := snapshot(world.repo)) != before:
                changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
                yield f"{title} on {what}: could not run, and changed {changed}"


def _unclear(ran: Ran, name: str) -> Iterator[str]:
    """Which of the three things that an error says are missing: which file, what, and what to do."""
    if "hint: " not in ran.said:
        yield "does not say what to do"
    if Path(name).name not in ran.said and ".pdmigrate" not in ran.said and "no server here has" not in ran.said:
        yield "does not name the file"
